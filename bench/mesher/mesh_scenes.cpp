// Scenes of the worlds: the same few chunks repeatedly, from the core's cache, and each chunk once,
// from memory.

#include "mesh_parts.hpp"

#include <algorithm>

namespace {

using Chunks = std::vector<MeshChunk>;

/// The questions about the same chunks, with or without ambient occlusion.
struct WorldQuestions {
    const char *warm, *cold, *quads;
    bool has_ao;
};

const WorldQuestions world_questions[] = {{mesh_plain, mesh_plain_cold, mesh_plain_quads, false},
                                          {mesh_lit, mesh_lit_cold, mesh_lit_quads, true}};

/// The chunks for warm caches: 0.6 MB as plain cubes. They fit a core's cache, but are too many for
/// the branch predictor to learn.
Chunks warm_chunks(const MeshLand &land)
{
    Chunks chunks = land.chunks();
    chunks.resize(std::min<std::size_t>(8, chunks.size()));
    return chunks;
}

std::size_t mesh_all(const MeshContender &contender, const Chunks &chunks)
{
    std::size_t quads = 0;
    for (const MeshChunk &chunk : chunks) {
        quads += contender.mesh(chunk);
    }
    return quads;
}

bool chunks_are_right(const MeshWorkspace &workspace, const MeshLand &land,
                      const MeshContender &contender)
{
    return std::all_of(land.chunks().begin(), land.chunks().end(), [&](const MeshChunk &chunk) {
        return mesh_is_right(workspace, land, chunk.coord, contender, contender.mesh(chunk));
    });
}

bench::Attempt warm_attempt(const MeshContender &contender, const Chunks &chunks)
{
    bench::Attempt attempt = {contender.name};
    attempt.work = [contender, chunks] { keep(mesh_all(contender, chunks)); };
    return attempt;
}

/// Nanoseconds of meshing all chunks of a land except the last, which is meshed first to load code,
/// scratch memory and quads into the caches.
double mesh_from_memory(MeshWorkspace &workspace, const MeshLand &land,
                        const MeshContender &contender)
{
    workspace.evict();
    keep(contender.mesh(land.chunks().back()));
    const double start = clock_ns(CLOCK_MONOTONIC);
    for (std::size_t i = 0; i + 1 < land.chunks().size(); i++) {
        keep(contender.mesh(land.chunks()[i]));
    }
    return clock_ns(CLOCK_MONOTONIC) - start;
}

bench::Attempt cold_attempt(const SharedWorkspace &workspace, const SharedLand &land,
                            const MeshContender &contender)
{
    bench::Attempt attempt = {contender.name};
    attempt.calls = workspace->is_quick ? 1 : 3;
    attempt.samples = workspace->is_quick ? 3 : 0; // evicting the caches takes longer than meshing
    attempt.measure = [=] { return mesh_from_memory(*workspace, *land, contender); };
    return attempt;
}

bench::Attempt quads_attempt(const MeshContender &contender, const Chunks &chunks)
{
    bench::Attempt attempt = {contender.name};
    attempt.figures = [contender, chunks] {
        return std::vector<double>{static_cast<double>(mesh_all(contender, chunks)) /
                                   static_cast<double>(chunks.size())};
    };
    return attempt;
}

void add_world(bench::Bench &bench, const SharedWorkspace &workspace, const SharedLand &land,
               const WorldQuestions &asked)
{
    const Chunks chunks = warm_chunks(*land);
    bench::Scene warm = mesh_scene(asked.warm, *land, chunks.size());
    bench::Scene cold = mesh_scene(asked.cold, *land, land->chunks().size() - 1);
    bench::Scene quads = mesh_scene(asked.quads, *land, chunks.size());
    quads.unit = "quads";
    for (const MeshContender &contender : mesh_contenders(workspace, asked.has_ao)) {
        warm.attempts.push_back(warm_attempt(contender, chunks));
        cold.attempts.push_back(cold_attempt(workspace, land, contender));
        quads.attempts.push_back(quads_attempt(contender, chunks));
        const auto check =
            bench::made_once([=] { return chunks_are_right(*workspace, *land, contender); });
        for (bench::Scene *scene : {&warm, &cold, &quads}) {
            scene->attempts.back().check = check;
        }
    }
    bench.add({warm, cold, quads});
}

} // namespace

void add_mesh_worlds(bench::Bench &bench, const SharedWorkspace &workspace)
{
    const int columns = workspace->is_check ? 2 : 8, rows = workspace->is_check   ? 1
                                                            : workspace->is_quick ? 3
                                                                                  : 4;
    for (int i = 0; i < MESH_WORLD_COUNT; i++) {
        const auto world = static_cast<MeshWorld>(i);
        if (!mesh_wants(bench, workspace, mesh_world_name(world),
                        {mesh_plain, mesh_lit, mesh_plain_cold, mesh_lit_cold, mesh_plain_quads,
                         mesh_lit_quads, mesh_joined, mesh_expanded})) {
            continue;
        }
        bench.stage([=, &bench] {
            const SharedLand land = make_world_land(world, columns, rows);
            for (const WorldQuestions &asked : world_questions) {
                add_world(bench, workspace, land, asked);
            }
            add_mesh_uses(bench, land);
        });
    }
}

void add_mesh_hidden(bench::Bench &bench, const SharedWorkspace &workspace)
{
    std::vector<bench::Scene> scenes;
    for (const SharedLand &land : make_hidden_lands()) {
        bench::Scene scene = mesh_scene(mesh_hidden, *land, 1);
        for (const MeshContender &contender : mesh_contenders(workspace, true)) {
            scene.attempts.push_back(warm_attempt(contender, land->chunks()));
            scene.attempts.back().check = [=] {
                return chunks_are_right(*workspace, *land, contender);
            };
        }
        scenes.push_back(scene);
    }
    bench.stage(scenes);
}
