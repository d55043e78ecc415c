// Scenes of the built-in terrain, meshed as in a game: chunk after chunk of a view, each fetched
// from the store first.

#include "mesh_parts.hpp"

#include <algorithm>

namespace {

/// All chunks of a view. The land's chosen chunks are those with visible faces.
struct View {
    SharedLand land;
    std::vector<TrnCoord> all;
};

using SharedView = std::shared_ptr<const View>;
using MeshCoord = std::function<std::size_t(TrnCoord)>;

SharedView make_view(const MeshWorkspace &workspace, int radius, int radius_y)
{
    TerrainLand made = make_terrain_land(radius, radius_y);
    for (const TrnCoord &coord : made.view) {
        if (workspace.mesh(made.land->fetch(coord), workspace.kernel_names().back()) > 0) {
            made.land->choose(coord);
        }
    }
    return std::make_shared<const View>(View{made.land, std::move(made.view)});
}

std::vector<TrnCoord> chosen_of(const View &view)
{
    std::vector<TrnCoord> coords;
    for (const MeshChunk &chunk : view.land->chunks()) {
        coords.push_back(chunk.coord);
    }
    return coords;
}

/// Checks 256 evenly spread places of a list of this size; checking all would take a minute.
bool some_are_right(std::size_t size, const std::function<bool(std::size_t)> &is_right)
{
    const std::size_t step = std::max<std::size_t>(1, size / 256);
    for (std::size_t i = 0; i < size; i += step) {
        if (!is_right(i)) {
            return false;
        }
    }
    return true;
}

/// Terrane fetches the input of each chunk. Chunks without visible faces are checked too.
bench::Attempt fetching_attempt(const SharedWorkspace &workspace, const SharedView &view,
                                const std::string &name, bool has_ao, const std::string &kernels,
                                const std::vector<TrnCoord> &coords)
{
    const MeshCoord mesh = [=](TrnCoord coord) {
        TrnMeshInput input = view->land->fetch(coord);
        input.without_ao = !has_ao;
        return workspace->mesh(input, kernels);
    };
    bench::Attempt attempt = {name};
    attempt.work = [mesh, coords] {
        for (const TrnCoord &coord : coords) {
            keep(mesh(coord));
        }
    };
    attempt.check = [=] {
        return some_are_right(view->all.size(), [&](std::size_t i) {
            return mesh_is_right(*workspace, *view->land, view->all[i], {"", has_ao, false, {}},
                                 mesh(view->all[i]));
        });
    };
    return attempt;
}

/// A peer's input, cubes of opaque blocks only, is prepared before the timing.
bench::Attempt peer_attempt(const SharedWorkspace &workspace, const SharedView &view,
                            const MeshContender &peer)
{
    const std::vector<MeshChunk> &chunks = view->land->chunks();
    bench::Attempt attempt = {peer.name};
    attempt.work = [view, &chunks, peer] {
        for (const MeshChunk &chunk : chunks) {
            keep(peer.mesh(chunk));
        }
    };
    attempt.check = [=, &chunks] {
        return some_are_right(chunks.size(), [&](std::size_t i) {
            return mesh_is_right(*workspace, *view->land, chunks[i].coord, peer,
                                 peer.mesh(chunks[i]));
        });
    };
    return attempt;
}

bench::Scene terrain_scene(const SharedWorkspace &workspace, const SharedView &view)
{
    const std::vector<TrnCoord> chosen = chosen_of(*view);
    bench::Scene scene = mesh_scene(mesh_terrain, *view->land, chosen.size());
    for (const MeshContender &contender : mesh_contenders(workspace, true)) {
        if (contender.is_peer) {
            scene.attempts.push_back(peer_attempt(workspace, view, contender));
        }
    }
    for (const std::string &kernels : workspace->kernel_names()) {
        scene.attempts.push_back(fetching_attempt(
            workspace, view, by_mesh_kernels(*workspace, kernels), true, kernels, chosen));
    }
    scene.attempts.push_back(fetching_attempt(workspace, view, by_unlit, false,
                                              workspace->kernel_names().front(), chosen));
    return scene;
}

/// A scene over all chunks of the view, including those without visible faces.
bench::Scene view_scene(const SharedWorkspace &workspace, const SharedView &view)
{
    return bench::scene_with(mesh_scene(mesh_view, *view->land, view->all.size()),
                             {fetching_attempt(workspace, view, by_mesher, true,
                                               workspace->kernel_names().front(), view->all)});
}

bench::Scene fetch_scene(const SharedView &view)
{
    const std::vector<MeshChunk> &chunks = view->land->chunks();
    bench::Scene scene = mesh_scene(mesh_fetch, *view->land, chunks.size());
    const auto is_right = [view](const MeshChunk &chunk) {
        const TrnMeshInput input = view->land->fetch(chunk.coord);
        return (input.present >> TRN_AROUND_CENTRE & 1) != 0 &&
               input.around[TRN_AROUND_CENTRE].word == chunk.lit.around[TRN_AROUND_CENTRE].word;
    };
    scene.attempts = {bench::timed(
        by_mesher,
        [view, &chunks] {
            for (const MeshChunk &chunk : chunks) {
                keep(view->land->fetch(chunk.coord).around[0].word);
            }
        },
        [&chunks, is_right] { return std::all_of(chunks.begin(), chunks.end(), is_right); })};
    return scene;
}

} // namespace

void add_mesh_terrain(bench::Bench &bench, const SharedWorkspace &workspace)
{
    const int radius = workspace->is_check ? 3 : 16, radius_y = workspace->is_check ? 3 : 4;
    if (mesh_wants(bench, workspace, mesh_terrain_world, {mesh_terrain, mesh_view, mesh_fetch})) {
        bench.stage([=, &bench] {
            const SharedView view = make_view(*workspace, radius, radius_y);
            bench.add(
                {terrain_scene(workspace, view), view_scene(workspace, view), fetch_scene(view)});
        });
    }
}
