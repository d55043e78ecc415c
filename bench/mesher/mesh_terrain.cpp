// The built-in terrain, as a game meshes it: chunk after chunk of a view, each fetched from the
// store first.

#include "mesh_scenes.hpp"

#include <algorithm>
#include <utility>

namespace {

const int view_radius = 16, view_radius_y = 4;
const int checked_radius = 3; ///< of a run that only checks

/// Of so many chunks, evenly spread, the answers are checked: all of them take a minute.
const std::size_t checked_chunks = 256;

/// What scenes of one view have in common.
struct View {
    SharedLand land;
    std::vector<TrnCoord> all;
};

using SharedView = std::shared_ptr<const View>;

/// Those that show faces are chosen, for the peers as plain cubes too.
SharedView make_view(const MeshDesk &desk)
{
    const int radius = desk.is_check ? checked_radius : view_radius;
    TerrainLand made = make_terrain_land(radius, desk.is_check ? checked_radius : view_radius_y);
    for (const TrnCoord &coord : made.view) {
        if (desk.mesh(made.land->fetch(coord), desk.kernel_names().back()) > 0) {
            made.land->choose(coord);
        }
    }
    return std::make_shared<const View>(View{made.land, std::move(made.view)});
}

using MeshCoord = std::function<std::size_t(TrnCoord)>;

/// Terrane fetches its input.
MeshCoord fetching(const Desk &desk, const SharedView &view, bool has_ao,
                   const std::string &kernels)
{
    return [desk, view, has_ao, kernels](TrnCoord coord) {
        TrnMeshInput input = view->land->fetch(coord);
        input.without_ao = !has_ao;
        return desk->mesh(input, kernels);
    };
}

/// Also chunks that were left out as showing nothing are looked at.
bool view_is_right(const MeshDesk &desk, const View &view, const MeshContender &as,
                   const MeshCoord &mesh)
{
    const std::size_t step = std::max<std::size_t>(1, view.all.size() / checked_chunks);
    for (std::size_t i = 0; i < view.all.size(); i += step) {
        if (!mesh_is_right(desk, *view.land, view.all[i], as, mesh(view.all[i]))) {
            return false;
        }
    }
    return true;
}

VoxelAttempt fetching_attempt(const Desk &desk, const SharedView &view, const std::string &name,
                              bool has_ao, const std::string &kernels)
{
    const MeshCoord mesh = fetching(desk, view, has_ao, kernels);
    VoxelAttempt attempt;
    attempt.contender = name;
    attempt.work = [desk, view, mesh] {
        for (const MeshChunk &chunk : view->land->chunks()) {
            desk->sink += mesh(chunk.coord);
        }
    };
    attempt.is_right = [desk, view, has_ao, mesh] {
        return view_is_right(*desk, *view, {"", has_ao, false, {}}, mesh);
    };
    return attempt;
}

/// A peer has its cubes ready, and is shown nothing but what is opaque.
VoxelAttempt peer_attempt(const Desk &desk, const SharedView &view, const MeshContender &peer)
{
    VoxelAttempt attempt;
    attempt.contender = peer.name;
    attempt.work = [desk, view, peer] {
        for (const MeshChunk &chunk : view->land->chunks()) {
            desk->sink += peer.mesh(chunk);
        }
    };
    attempt.is_right = [desk, view, peer] {
        const std::vector<MeshChunk> &chunks = view->land->chunks();
        const std::size_t step = std::max<std::size_t>(1, chunks.size() / checked_chunks);
        for (std::size_t i = 0; i < chunks.size(); i += step) {
            if (!mesh_is_right(*desk, *view->land, chunks[i].coord, peer, peer.mesh(chunks[i]))) {
                return false;
            }
        }
        return true;
    };
    return attempt;
}

VoxelScene terrain_scene(const Desk &desk, const SharedView &view)
{
    VoxelScene scene;
    scene.question = mesh_terrain;
    scene.world = view->land->name();
    scene.count = view->land->chunks().size();
    for (const MeshContender &contender : mesh_contenders(desk, true)) {
        if (contender.is_peer) {
            scene.attempts.push_back(peer_attempt(desk, view, contender));
        }
    }
    for (const std::string &kernels : desk->kernel_names()) {
        scene.attempts.push_back(
            fetching_attempt(desk, view, by_mesh_kernels(*desk, kernels), true, kernels));
    }
    scene.attempts.push_back(
        fetching_attempt(desk, view, by_unlit, false, desk->kernel_names().front()));
    return scene;
}

/// Those that show nothing as well.
VoxelScene view_scene(const Desk &desk, const SharedView &view)
{
    VoxelScene scene;
    scene.question = mesh_view;
    scene.world = view->land->name();
    scene.count = view->all.size();
    const std::string kernels = desk->kernel_names().front();
    const MeshCoord mesh = fetching(desk, view, true, kernels);
    VoxelAttempt attempt = fetching_attempt(desk, view, by_mesher, true, kernels);
    attempt.work = [desk, view, mesh] {
        for (const TrnCoord &coord : view->all) {
            desk->sink += mesh(coord);
        }
    };
    scene.attempts = {std::move(attempt)};
    return scene;
}

VoxelScene fetch_scene(const Desk &desk, const SharedView &view)
{
    VoxelScene scene;
    scene.question = mesh_fetch;
    scene.world = view->land->name();
    scene.count = view->land->chunks().size();
    VoxelAttempt attempt;
    attempt.contender = by_mesher;
    attempt.work = [desk, view] {
        for (const MeshChunk &chunk : view->land->chunks()) {
            desk->sink += view->land->fetch(chunk.coord).around[0].word;
        }
    };
    attempt.is_right = [view] {
        const std::vector<MeshChunk> &chunks = view->land->chunks();
        return std::all_of(chunks.begin(), chunks.end(), [&view](const MeshChunk &chunk) {
            const TrnMeshInput input = view->land->fetch(chunk.coord);
            return (input.present >> TRN_AROUND_CENTRE & 1) != 0 &&
                   input.around[TRN_AROUND_CENTRE].word == chunk.lit.around[TRN_AROUND_CENTRE].word;
        });
    };
    scene.attempts = {std::move(attempt)};
    return scene;
}

} // namespace

std::vector<VoxelScene> make_mesh_terrain_scenes(const Desk &desk)
{
    const SharedView view = make_view(*desk);
    return {terrain_scene(desk, view), view_scene(desk, view), fetch_scene(desk, view)};
}
