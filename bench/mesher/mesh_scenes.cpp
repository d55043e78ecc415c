// The worlds: the same few chunks over and over, from the core's own cache, and each once, from
// memory.

#include "mesh_scenes.hpp"

#include <algorithm>
#include <utility>

namespace {

/// As plain cubes 0.6 MB, which the cache of a core holds, and too many for it to learn their
/// branches by heart.
const std::size_t warm_chunks = 8;

std::vector<MeshChunk> first_chunks(const MeshLand &land)
{
    const std::vector<MeshChunk> &all = land.chunks();
    return {all.begin(),
            all.begin() + static_cast<std::ptrdiff_t>(std::min(warm_chunks, all.size()))};
}

bool chunks_are_right(const MeshDesk &desk, const MeshLand &land, const MeshContender &contender)
{
    for (const MeshChunk &chunk : land.chunks()) {
        if (!mesh_is_right(desk, land, chunk.coord, contender, contender.mesh(chunk))) {
            return false;
        }
    }
    return true;
}

VoxelAttempt attempt_of(const Desk &desk, const SharedLand &land, const MeshContender &contender)
{
    VoxelAttempt attempt;
    attempt.contender = contender.name;
    attempt.is_right = [desk, land, contender] {
        return chunks_are_right(*desk, *land, contender);
    };
    return attempt;
}

VoxelScene warm_scene(const Desk &desk, const SharedLand &land, const char *question, bool has_ao)
{
    VoxelScene scene;
    scene.question = question;
    scene.world = land->name();
    const auto chunks = std::make_shared<const std::vector<MeshChunk>>(first_chunks(*land));
    scene.count = chunks->size();
    for (const MeshContender &contender : mesh_contenders(desk, has_ao)) {
        VoxelAttempt attempt = attempt_of(desk, land, contender);
        attempt.work = [desk, chunks, contender] {
            for (const MeshChunk &chunk : *chunks) {
                desk->sink += contender.mesh(chunk);
            }
        };
        scene.attempts.push_back(std::move(attempt));
    }
    return scene;
}

/// Nanoseconds of meshing all chunks of a land but the last, which is there to have the code, the
/// scratch and the quads at hand.
double mesh_from_memory(const MeshDesk &desk, const MeshLand &land, const MeshContender &contender)
{
    desk.evict();
    desk.sink += contender.mesh(land.chunks().back());
    const double start = clock_ns(CLOCK_MONOTONIC);
    for (std::size_t i = 0; i + 1 < land.chunks().size(); i++) {
        desk.sink += contender.mesh(land.chunks()[i]);
    }
    return clock_ns(CLOCK_MONOTONIC) - start;
}

VoxelScene cold_scene(const Desk &desk, const SharedLand &land, const char *question, bool has_ao)
{
    VoxelScene scene;
    scene.question = question;
    scene.world = land->name();
    scene.count = land->chunks().size() - 1;
    for (const MeshContender &contender : mesh_contenders(desk, has_ao)) {
        VoxelAttempt attempt = attempt_of(desk, land, contender);
        attempt.calls = desk->is_quick ? 1 : 3;
        attempt.measure = [desk, land, contender] {
            return mesh_from_memory(*desk, *land, contender);
        };
        scene.attempts.push_back(std::move(attempt));
    }
    return scene;
}

} // namespace

std::vector<SharedLand> make_mesh_lands(const MeshDesk &desk)
{
    const int columns = desk.is_check ? 2 : 8, rows = desk.is_check ? 1 : desk.is_quick ? 3 : 4;
    std::vector<SharedLand> lands;
    lands.reserve(MESH_WORLD_COUNT);
    for (int world = 0; world < MESH_WORLD_COUNT; world++) {
        lands.push_back(make_world_land(static_cast<MeshWorld>(world), columns, rows));
    }
    return lands;
}

std::vector<VoxelScene> make_mesh_world_scenes(const Desk &desk,
                                               const std::vector<SharedLand> &lands)
{
    std::vector<VoxelScene> scenes;
    for (const SharedLand &land : lands) {
        scenes.push_back(warm_scene(desk, land, mesh_plain, false));
        scenes.push_back(warm_scene(desk, land, mesh_lit, true));
    }
    for (const SharedLand &land : lands) {
        scenes.push_back(cold_scene(desk, land, mesh_plain_cold, false));
        scenes.push_back(cold_scene(desk, land, mesh_lit_cold, true));
    }
    return scenes;
}

std::vector<VoxelScene> make_mesh_hidden_scenes(const Desk &desk)
{
    std::vector<VoxelScene> scenes;
    for (const SharedLand &land : make_hidden_lands()) {
        scenes.push_back(warm_scene(desk, land, mesh_hidden, true));
    }
    return scenes;
}

// ---- quads -------------------------------------------------------------------------------------

namespace {

/// What is asked of the same chunks under three names.
struct QuadQuestion {
    const char *time, *count, *each;
    bool has_ao;
};

const QuadQuestion quad_questions[] = {{mesh_plain, mesh_plain_quads, mesh_plain_each, false},
                                       {mesh_lit, mesh_lit_quads, mesh_lit_each, true}};

Entry entry_like(const Entry &timed, const char *question, const char *unit)
{
    Entry entry = timed;
    entry.question = question;
    entry.unit = unit;
    return entry;
}

/// A timed entry's chunks, their quads, and its time by them.
void count_quads_of(const Entry &timed, const QuadQuestion &question, const MeshLand &land,
                    const MeshContender &contender, std::vector<Entry> &entries)
{
    const std::vector<MeshChunk> chunks = first_chunks(land);
    std::size_t quads = 0;
    for (const MeshChunk &chunk : chunks) {
        quads += contender.mesh(chunk);
    }
    const double each = static_cast<double>(quads) / static_cast<double>(chunks.size());
    Entry counted = entry_like(timed, question.count, "quads");
    counted.times = {each};
    entries.push_back(std::move(counted));
    Entry by_quad = entry_like(timed, question.each, "ns");
    for (double &time : by_quad.times) {
        time /= each;
    }
    entries.push_back(std::move(by_quad));
}

void count_quads_of_land(const Desk &desk, const MeshLand &land, const QuadQuestion &question,
                         const std::vector<Entry> &timed, std::vector<Entry> &entries)
{
    for (const MeshContender &contender : mesh_contenders(desk, question.has_ao)) {
        for (const Entry &entry : timed) {
            if (entry.question == question.time && entry.world == land.name() &&
                entry.contender == contender.name && !entry.times.empty()) {
                count_quads_of(entry, question, land, contender, entries);
            }
        }
    }
}

} // namespace

void count_mesh_quads(const Desk &desk, const std::vector<SharedLand> &lands, Report &report)
{
    std::vector<Entry> entries;
    for (const QuadQuestion &question : quad_questions) {
        for (const SharedLand &land : lands) {
            count_quads_of_land(desk, *land, question, report.entries, entries);
        }
    }
    // The report shows entries of one question and world together.
    std::stable_sort(entries.begin(), entries.end(),
                     [](const Entry &a, const Entry &b) { return a.question < b.question; });
    report.entries.insert(report.entries.end(), entries.begin(), entries.end());
}
