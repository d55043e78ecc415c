#include "terrain_chunks.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

#include "driver/timing.hpp"
#include "terrain/noise_kernel_choice.h"
#include "terrain/terrain_test_hooks.h"
#include "terrain_noise.hpp"

namespace {

const int view_radius = 16, view_radius_y = 4;
const std::size_t beyond_chunks = 256;
const std::size_t noise_places = 16;

/// Chunks that take nanoseconds are generated so often in turn that reading the clock does not
/// count.
const std::size_t uniform_times = 64;

/// Chunks to generate in turn, and what must come out.
struct ChunkList {
    std::vector<TrnCoord> coords;
    std::vector<std::uint64_t> hashes;
    std::size_t times = 1; ///< all of them, for one figure
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

Chunks whole_view(const TerrainView &view)
{
    auto list = std::make_shared<ChunkList>();
    list->coords = view.world.chunks;
    list->hashes = view.hashes;
    return list;
}

bool is_list_right(const Land &land, const ChunkList &list)
{
    for (std::size_t i = 0; i < list.coords.size(); i++) {
        if (land.hash(list.coords[i]) != list.hashes[i]) {
            return false;
        }
    }
    return true;
}

/// The thread's own time: chunks neither wait nor, but for a block of columns now and then,
/// allocate.
double generate_ns(const Land &land, const ChunkList &list, TrnBlock *blocks)
{
    const double start = clock_ns(CLOCK_THREAD_CPUTIME_ID);
    for (std::size_t time = 0; time < list.times; time++) {
        for (const TrnCoord &coord : list.coords) {
            bool uniform;
            (void)trn_terrain_generate(land.get(), coord, blocks, &uniform);
        }
    }
    return (clock_ns(CLOCK_THREAD_CPUTIME_ID) - start) / static_cast<double>(list.times);
}

using Blocks = std::shared_ptr<std::vector<TrnBlock>>;

Blocks room_for_chunk()
{
    return std::make_shared<std::vector<TrnBlock>>(chunk_voxels);
}

// ---- attempts ----------------------------------------------------------------------------------

/// Of a terrain that has all columns.
VoxelAttempt kept_attempt(const TerrainGround &ground, const std::string &kernels,
                          const Chunks &list)
{
    const std::shared_ptr<Land> land = ground->kept.at(kernels);
    const Blocks blocks = room_for_chunk();
    VoxelAttempt attempt;
    attempt.contender = noise_contender(kernels);
    attempt.calls = 1;
    attempt.measure = [land, list, blocks] { return generate_ns(*land, *list, blocks->data()); };
    attempt.is_right = [land, list] { return is_list_right(*land, *list); };
    return attempt;
}

/// Of a new terrain for each call, which has no column yet.
VoxelAttempt fresh_attempt(const std::string &kernels, const Chunks &list)
{
    const Blocks blocks = room_for_chunk();
    VoxelAttempt attempt;
    attempt.contender = noise_contender(kernels);
    attempt.calls = 1;
    attempt.measure = [kernels, list, blocks] {
        return generate_ns(Land(kernels), *list, blocks->data());
    };
    attempt.is_right = [kernels, list] { return is_list_right(Land(kernels), *list); };
    return attempt;
}

/// @param times  all of them, in turn
double touch_ns(const Land &land, const std::vector<TrnCoord> &columns, std::size_t times)
{
    const double start = clock_ns(CLOCK_THREAD_CPUTIME_ID);
    for (std::size_t time = 0; time < times; time++) {
        for (const TrnCoord &column : columns) {
            trn_terrain_touch_column(land.get(), column.x, column.z);
        }
    }
    return (clock_ns(CLOCK_THREAD_CPUTIME_ID) - start) / static_cast<double>(times);
}

// ---- scenes ------------------------------------------------------------------------------------

/// Scenes of the same chunks by all kernels.
/// @param make_attempt  of some kernels
template <typename Make>
VoxelScene scene_of_all(const TerrainGround &ground, const char *question, const std::string &world,
                        std::size_t count, Make make_attempt)
{
    VoxelScene scene;
    scene.question = question;
    scene.world = world;
    scene.count = count;
    for (const std::string &kernels : ground->kernels) {
        scene.attempts.push_back(make_attempt(kernels));
    }
    return scene;
}

VoxelScene kept_scene(const TerrainGround &ground, const char *question, const std::string &world,
                      const Chunks &list)
{
    return scene_of_all(
        ground, question, world, list->coords.size(),
        [&](const std::string &kernels) { return kept_attempt(ground, kernels, list); });
}

VoxelScene fresh_scene(const TerrainGround &ground, const char *question, const std::string &world,
                       const Chunks &list)
{
    return scene_of_all(ground, question, world, list->coords.size(),
                        [&](const std::string &kernels) { return fresh_attempt(kernels, list); });
}

/// At most one chunk of a column, so that each makes its own.
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

std::vector<VoxelScene> class_scenes(const TerrainGround &ground)
{
    const std::size_t most = ground->is_quick ? 64 : 128;
    std::vector<VoxelScene> scenes;
    for (int i = 0; i < chunk_class_count; i++) {
        const ChunkClass kind = ChunkClass(i);
        const std::vector<std::size_t> chunks =
            ground->view.chunks_of(kind, is_uniform(kind) ? 0 : most);
        if (!chunks.empty()) {
            const std::size_t times = is_uniform(kind) ? uniform_times : 1;
            scenes.push_back(kept_scene(ground, chunk_kept, name_of(kind),
                                        list_of(ground->view, chunks, times)));
        }
    }
    const std::vector<std::size_t> rich =
        one_a_column(ground->view, ground->view.chunks_of(surface_rich, most));
    if (!rich.empty()) {
        scenes.push_back(fresh_scene(ground, chunk_first, name_of(surface_rich),
                                     list_of(ground->view, rich, 1)));
    }
    return scenes;
}

VoxelScene beyond_scene(const TerrainGround &ground, const char *world, std::int32_t first_y,
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
    return kept_scene(ground, chunk_beyond, world, list);
}

/// A column of chunks, made or found. Chunks all over the view tell whether they are right.
VoxelScene column_scene(const TerrainGround &ground, bool is_made)
{
    std::vector<TrnCoord> columns = ground->view.columns;
    columns.resize(ground->is_quick ? columns.size() / 4 : columns.size());
    std::vector<std::size_t> chunks;
    for (std::size_t i = 0; i < ground->view.world.chunks.size(); i += 61) {
        chunks.push_back(i);
    }
    const Chunks list = list_of(ground->view, chunks, 1);
    auto make_attempt = [&](const std::string &kernels) {
        VoxelAttempt attempt =
            is_made ? fresh_attempt(kernels, list) : kept_attempt(ground, kernels, list);
        attempt.measure = [ground, kernels, is_made, columns] {
            return is_made ? touch_ns(Land(kernels), columns, 1)
                           : touch_ns(*ground->kept.at(kernels), columns, uniform_times);
        };
        return attempt;
    };
    return scene_of_all(ground, column_question, is_made ? column_made : column_found,
                        columns.size(), make_attempt);
}

// ---- noise -------------------------------------------------------------------------------------

/// The noises that chunks or columns at some places ask for, as they ask for them.
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

VoxelScene asked_scene(const TerrainGround &ground, const char *world, std::uint32_t dimensions)
{
    const NoiseAsked asked(ground->view, dimensions);
    auto make_attempt = [&](const std::string &kernels) {
        auto work = std::make_shared<NoiseAsked>(asked);
        work->use(kernels);
        VoxelAttempt attempt;
        attempt.contender = noise_contender(kernels);
        attempt.measure = [work] {
            const double start = clock_ns(CLOCK_THREAD_CPUTIME_ID);
            work->fill();
            return clock_ns(CLOCK_THREAD_CPUTIME_ID) - start;
        };
        attempt.is_right = [work] { return work->is_right(); };
        return attempt;
    };
    const std::size_t places = ground->view.chunks_of(surface_plain, noise_places).size();
    return scene_of_all(ground, noise_asked, world, places, make_attempt);
}

} // namespace

TerrainBench::TerrainBench(bool quick) : is_quick(quick), view(view_radius, view_radius_y)
{
    kernels = noise_kernel_names();
    for (const std::string &name : kernels) {
        kept[name] = std::make_shared<Land>(name);
    }
}

std::vector<VoxelScene> make_chunk_scenes(const TerrainGround &ground)
{
    const Chunks all = whole_view(ground->view);
    std::vector<VoxelScene> scenes;
    scenes.push_back(fresh_scene(ground, chunk_in_view, ground->view.world.name, all));
    if (!ground->is_quick) { // what is left of it by then: scenes of each class tell
        scenes.push_back(kept_scene(ground, chunk_again, ground->view.world.name, all));
    }
    std::vector<VoxelScene> by_class = class_scenes(ground);
    std::move(by_class.begin(), by_class.end(), std::back_inserter(scenes));
    scenes.push_back(beyond_scene(ground, "air", TRN_TERRAIN_HIGHEST / TRN_CHUNK_EDGE + 1, 7));
    scenes.push_back(beyond_scene(ground, "stone", TRN_TERRAIN_LOWEST / TRN_CHUNK_EDGE - 1, -7));
    scenes.push_back(column_scene(ground, true));
    scenes.push_back(column_scene(ground, false));
    scenes.push_back(asked_scene(ground, noise_of_column, 2));
    scenes.push_back(asked_scene(ground, noise_of_chunk, 3));
    return scenes;
}
