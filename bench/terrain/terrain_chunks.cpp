// Scenes of chunks of a view, all or by class; of columns; and of the noise that chunks request.

#include <algorithm>
#include <atomic>
#include <cstring>
#include <functional>
#include <thread>
#include <utility>

#include "driver/machine.hpp"
#include "terrain/noise_impl.h"
#include "terrain/terrain_test_hooks.h"
#include "terrain_parts.hpp"

namespace {

const int view_radius = 16, view_radius_y = 4;
const std::size_t beyond_chunks = 256;
const int coarse_radius = 4;
const std::size_t noise_places = 16;

/// How often a chunk that takes nanoseconds is generated per call, so that the cost of the clock is
/// negligible.
const std::size_t uniform_times = 64;

/// Chunks to generate in turn, and their hashes.
struct ChunkList {
    std::vector<TrnCoord> coords;
    std::vector<std::uint64_t> hashes;
    std::size_t times = 1; ///< how often a call generates all
    std::uint32_t level = 0;
};

using Chunks = std::shared_ptr<const ChunkList>;

Chunks list_of(const TerrainView &view, const std::vector<std::size_t> &chunks, std::size_t times)
{
    auto list = std::make_shared<ChunkList>();
    for (const std::size_t chunk : chunks) {
        list->coords.push_back(view.world.chunks[chunk]);
        list->hashes.push_back(view.hashes[chunk]);
    }
    list->times = times;
    return list;
}

bool is_list_right(const Land &land, const ChunkList &list)
{
    for (std::size_t i = 0; i < list.coords.size(); i++) {
        if (land.hash(list.coords[i], list.level) != list.hashes[i]) {
            return false;
        }
    }
    return true;
}

/// @param work  repeated `times`
/// @return processor time of one repetition in nanoseconds. Generating a chunk does not wait, and
/// rarely allocates
template <class Work> double thread_ns_of(std::size_t times, const Work &work)
{
    const auto all = [&] {
        for (std::size_t time = 0; time < times; time++) {
            work();
        }
    };
    return ns_of(all, CLOCK_THREAD_CPUTIME_ID) / static_cast<double>(times);
}

double generate_ns(const Land &land, const ChunkList &list, TrnBlock *blocks)
{
    return thread_ns_of(list.times, [&] {
        for (const TrnCoord &coord : list.coords) {
            bool uniform;
            if (list.level == 0) {
                (void)trn_terrain_generate(land.get(), coord, blocks, &uniform);
            } else {
                (void)trn_terrain_generate_level(land.get(), coord, list.level, blocks, &uniform);
            }
        }
    });
}

/// Returns the terrain of a call: one that has all columns cached, or a new one without columns.
using LandOf = std::function<std::shared_ptr<const Land>(const std::string &kernels)>;

LandOf kept_lands(const TerrainGround &ground)
{
    return [ground](const std::string &kernels) { return ground->kept.at(kernels); };
}

std::shared_ptr<const Land> fresh_land(const std::string &kernels)
{
    return std::make_shared<Land>(kernels);
}

/// The timed work on a land. Returns nanoseconds.
using LandWork = std::function<double(const Land &)>;

/// A scene of the same work with all kernels. Checks a land by the hashes of the listed chunks.
bench::Scene land_scene(const TerrainGround &ground, const char *question, const std::string &world,
                        const Chunks &list, const LandOf &land_of, const LandWork &work)
{
    bench::Scene scene = {question, world, "ns", list->coords.size()};
    for (const std::string &kernels : ground->kernels) {
        bench::Attempt attempt = {noise_contender(kernels)};
        attempt.measure = [land_of, kernels, work] { return work(*land_of(kernels)); };
        attempt.check = [land_of, kernels, list] {
            return is_list_right(*land_of(kernels), *list);
        };
        scene.attempts.push_back(attempt);
    }
    return scene;
}

bench::Scene generate_scene(const TerrainGround &ground, const char *question,
                            const std::string &world, const Chunks &list, const LandOf &land_of)
{
    const auto blocks = std::make_shared<std::vector<TrnBlock>>(chunk_voxels);
    bench::Scene scene =
        land_scene(ground, question, world, list, land_of, [list, blocks](const Land &land) {
            return generate_ns(land, *list, blocks->data());
        });
    scene.unit = question == chunk_beyond ? "ns" : "us";
    return scene;
}

/// At most one chunk of each column, so that each generates its column.
std::vector<std::size_t> one_a_column(const TerrainView &view,
                                      const std::vector<std::size_t> &chunks)
{
    std::vector<std::size_t> kept;
    for (const std::size_t chunk : chunks) {
        const TrnCoord coord = view.world.chunks[chunk];
        const bool is_known = std::any_of(kept.begin(), kept.end(), [&](std::size_t other) {
            return view.world.chunks[other].x == coord.x && view.world.chunks[other].z == coord.z;
        });
        if (!is_known) {
            kept.push_back(chunk);
        }
    }
    return kept;
}

bench::Scene beyond_scene(const TerrainGround &ground, const char *world, std::int32_t first_y,
                          std::int32_t step_y)
{
    auto list = std::make_shared<ChunkList>();
    list->times = uniform_times;
    const Land land("scalar");
    for (std::size_t i = 0; i < beyond_chunks; i++) {
        const auto n = static_cast<std::int32_t>(i);
        list->coords.push_back({n % 16, first_y + n * step_y, n / 16});
        list->hashes.push_back(land.hash(list->coords.back()));
    }
    return generate_scene(ground, chunk_beyond, world, list, kept_lands(ground));
}

/// Whether a chunk has quads: it contains both opaque and other voxels.
bool has_quads(const Land &land, TrnCoord coord, std::uint32_t level)
{
    std::vector<TrnBlock> blocks(chunk_voxels);
    bool uniform;
    if (trn_terrain_generate_level(land.get(), coord, level, blocks.data(), &uniform) !=
            TRN_RESULT_OK ||
        uniform) {
        return false;
    }
    const auto opens = std::count_if(blocks.begin(), blocks.end(), [](TrnBlock block) {
        return block == TRN_BLOCK_AIR || block == TRN_BLOCK_WATER;
    });
    return opens > 0 && static_cast<std::size_t>(opens) < chunk_voxels;
}

/// A scene of all chunks of a level in a square around the origin. Chunks without quads add time,
/// but are not counted.
bench::Scene coarse_scene(const TerrainGround &ground, std::uint32_t level)
{
    const auto list = std::make_shared<ChunkList>();
    const auto shift = static_cast<int>(level) + 5; // log2 of voxels per chunk of the level
    const std::int32_t low = TRN_TERRAIN_LOWEST >> shift, high = TRN_TERRAIN_HIGHEST >> shift;
    const int columns = 2 * coarse_radius;
    const Land land("scalar");
    std::size_t shown = 0;
    for (int i = 0; i < columns * columns; i++) {
        for (std::int32_t y = low; y <= high; y++) {
            const TrnCoord coord = {i % columns - coarse_radius, y, i / columns - coarse_radius};
            list->coords.push_back(coord);
            list->hashes.push_back(land.hash(coord, level));
            shown += has_quads(land, coord, level) ? 1 : 0;
        }
    }
    list->level = level;
    bench::Scene scene =
        generate_scene(ground, chunk_coarse, "level " + std::to_string(level), list, fresh_land);
    scene.count = shown;
    return scene;
}

/// A scene that generates a column or finds it in the cache. Checked by chunks all over the view.
bench::Scene column_scene(const TerrainGround &ground, bool is_made)
{
    std::vector<TrnCoord> columns = ground->view.columns;
    columns.resize(ground->is_quick ? columns.size() / 4 : columns.size());
    std::vector<std::size_t> chunks;
    for (std::size_t i = 0; i < ground->view.world.chunks.size(); i += 61) {
        chunks.push_back(i);
    }
    const auto touch = [columns, times = is_made ? 1 : uniform_times](const Land &land) {
        return thread_ns_of(times, [&] {
            for (const TrnCoord &column : columns) {
                trn_terrain_touch_column(land.get(), column.x, column.z);
            }
        });
    };
    bench::Scene scene = land_scene(
        ground, "a column of chunks", is_made ? "made and kept" : "found again",
        list_of(ground->view, chunks, 1), is_made ? fresh_land : kept_lands(ground), touch);
    scene.count = columns.size();
    scene.unit = is_made ? "us" : "ns";
    return scene;
}

// ---- noise --------------------------------------------------------------------------------------

/// The noise requests of some chunks or columns.
struct NoiseAsked {
    struct One {
        TrnNoise noise;
        TrnNoiseGrid grid;
        std::vector<float> values, expected;
    };
    std::vector<One> all;

    NoiseAsked(const TerrainView &view, std::uint32_t dimensions)
    {
        const Land land;
        for (const std::size_t chunk : view.chunks_of(surface_plain, noise_places)) {
            One one = {};
            for (unsigned i = 0; trn_terrain_noise_request(land.get(), view.world.chunks[chunk], i,
                                                           &one.noise, &one.grid);
                 i++) {
                if (one.noise.dimensions == dimensions) {
                    add(one);
                }
            }
        }
    }
    void use(const std::string &kernels)
    {
        for (One &one : all) {
            (void)trn_noise_use_kernels(&one.noise, kernels.c_str());
        }
    }
    void fill()
    {
        for (One &one : all) {
            (void)trn_noise_fill(&one.noise, &one.grid, one.values.data());
        }
    }
    bool is_right() const
    {
        return std::all_of(all.begin(), all.end(), [](const One &one) {
            return std::memcmp(one.values.data(), one.expected.data(),
                               one.values.size() * sizeof(float)) == 0;
        });
    }

  private:
    void add(One one)
    {
        const std::size_t points = std::size_t{one.grid.size_x} * one.grid.size_y * one.grid.size_z;
        one.values.assign(points, 0);
        one.expected.assign(points, 0);
        (void)trn_noise_use_kernels(&one.noise, "scalar");
        (void)trn_noise_fill(&one.noise, &one.grid, one.expected.data());
        all.push_back(std::move(one));
    }
};

bench::Scene asked_scene(const TerrainGround &ground, const char *world, std::uint32_t dimensions)
{
    const NoiseAsked asked(ground->view, dimensions);
    bench::Scene scene = {noise_asked, world, "us",
                          ground->view.chunks_of(surface_plain, noise_places).size()};
    for (const std::string &kernels : ground->kernels) {
        const auto work = std::make_shared<NoiseAsked>(asked);
        work->use(kernels);
        scene.attempts.push_back(bench::measured(
            noise_contender(kernels), [work] { return thread_ns_of(1, [&] { work->fill(); }); },
            [work] { return work->is_right(); }));
    }
    return scene;
}

// ---- threads ------------------------------------------------------------------------------------

/// Calls work(chunk, blocks) for each chunk of a view, nearest first, on several threads.
/// @param blocks  the thread's own
template <class Work> void share_view(const TerrainView &view, unsigned thread_count, Work work)
{
    std::atomic<std::size_t> next{0};
    auto run = [&] {
        std::vector<TrnBlock> blocks(chunk_voxels);
        for (std::size_t i = next++; i < view.world.chunks.size(); i = next++) {
            work(i, blocks.data());
        }
    };
    std::vector<std::thread> threads;
    for (unsigned i = 1; i < thread_count; i++) {
        threads.emplace_back(run);
    }
    run();
    for (std::thread &thread : threads) {
        thread.join();
    }
}

/// Several threads share a terrain and its columns.
bench::Attempt thread_attempt(const TerrainGround &ground, unsigned thread_count)
{
    bench::Attempt attempt = {by_threads(thread_count)};
    attempt.measure = [ground, thread_count] {
        const Land land;
        return ns_of([&] {
            share_view(ground->view, thread_count, [&](std::size_t chunk, TrnBlock *blocks) {
                bool uniform;
                (void)trn_terrain_generate(land.get(), ground->view.world.chunks[chunk], blocks,
                                           &uniform);
            });
        });
    };
    attempt.check = [ground, thread_count] {
        const Land land;
        std::atomic<bool> is_right{true};
        share_view(ground->view, thread_count, [&](std::size_t chunk, TrnBlock *) {
            if (land.hash(ground->view.world.chunks[chunk]) != ground->view.hashes[chunk]) {
                is_right = false;
            }
        });
        return is_right.load();
    };
    return attempt;
}

bench::Scene thread_scene(const TerrainGround &ground)
{
    bench::Scene scene = {view_by_threads, ground->view.world.name, "us",
                          ground->view.world.chunks.size()};
    const auto most = static_cast<unsigned>(std::min(usable_processors(), 4));
    for (unsigned count = 1; count <= std::max(most, 1u); count *= 2) {
        scene.attempts.push_back(thread_attempt(ground, count));
    }
    return scene;
}

} // namespace

std::string by_threads(unsigned count)
{
    return count == 1 ? "1 thread" : std::to_string(count) + " threads";
}

TerrainSetup::TerrainSetup(bool quick)
    : is_quick(quick), view(view_radius, view_radius_y), kernels(noise_kernel_names())
{
    for (const std::string &name : kernels) {
        kept[name] = std::make_shared<Land>(name);
    }
}

std::vector<bench::Scene> make_view_scenes(const TerrainGround &ground)
{
    const auto all = std::make_shared<ChunkList>();
    all->coords = ground->view.world.chunks;
    all->hashes = ground->view.hashes;
    const std::string &name = ground->view.world.name;
    std::vector<bench::Scene> scenes = {
        generate_scene(ground, chunk_in_view, name, all, fresh_land)};
    if (!ground->is_quick) { // a quick run has only the scenes by class
        scenes.push_back(generate_scene(ground, "generate a chunk of the view, columns kept", name,
                                        all, kept_lands(ground)));
    }
    scenes.push_back(thread_scene(ground));
    return scenes;
}

std::vector<bench::Scene> make_chunk_scenes(const TerrainGround &ground)
{
    const TerrainView &view = ground->view;
    const std::size_t most = ground->is_quick ? 64 : 128;
    std::vector<bench::Scene> scenes;
    for (int i = 0; i < chunk_class_count; i++) {
        const ChunkClass kind = ChunkClass(i);
        const std::vector<std::size_t> chunks = view.chunks_of(kind, is_uniform(kind) ? 0 : most);
        if (!chunks.empty()) {
            scenes.push_back(generate_scene(
                ground, chunk_kept, name_of(kind),
                list_of(view, chunks, is_uniform(kind) ? uniform_times : 1), kept_lands(ground)));
        }
    }
    const std::vector<std::size_t> rich = one_a_column(view, view.chunks_of(surface_rich, most));
    if (!rich.empty()) {
        scenes.push_back(generate_scene(ground, chunk_first, name_of(surface_rich),
                                        list_of(view, rich, 1), fresh_land));
    }
    scenes.push_back(beyond_scene(ground, "air", TRN_TERRAIN_HIGHEST / TRN_CHUNK_EDGE + 1, 7));
    scenes.push_back(beyond_scene(ground, "stone", TRN_TERRAIN_LOWEST / TRN_CHUNK_EDGE - 1, -7));
    return scenes;
}

std::vector<bench::Scene> make_coarse_scenes(const TerrainGround &ground)
{
    std::vector<bench::Scene> scenes;
    for (std::uint32_t level = 1; level <= coarse_levels; level++) {
        scenes.push_back(coarse_scene(ground, level));
    }
    return scenes;
}

std::vector<bench::Scene> make_column_scenes(const TerrainGround &ground)
{
    return {column_scene(ground, true), column_scene(ground, false),
            asked_scene(ground, noise_of_column, 2), asked_scene(ground, noise_of_chunk, 3)};
}
