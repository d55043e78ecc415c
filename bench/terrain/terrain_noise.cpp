// Every kind of noise with every set of kernels, compared with the scalar kernels.

#include <cstring>
#include <memory>
#include <utility>

#include <terrane/noise.h>

#include "terrain/noise_impl.h"
#include "terrain_parts.hpp"

namespace {

const float warp_voxels = 20;
const std::uint32_t single_voxels = 4096;

/// How many points a call computes. Small grids are filled repeatedly, so that the cost of the
/// clock is negligible.
const std::size_t points_a_call = 8192;

/// One noise over one grid, and the values of the scalar kernels.
struct NoiseWork {
    TrnNoise noise;
    TrnNoiseGrid grid;
    std::vector<float> values, expected;

    std::size_t points() const
    {
        return std::size_t{grid.size_x} * grid.size_y * grid.size_z;
    }
    bool is_right() const
    {
        return std::memcmp(values.data(), expected.data(), values.size() * sizeof(float)) == 0;
    }
};

struct NoiseQuestion {
    const char *name;
    TrnNoiseKind kind;
    std::uint32_t dimensions;
    bool is_warped;
    bool is_for_quick;
};

const NoiseQuestion questions[] = {
    {noise_in_space, TRN_NOISE_FRACTAL, 3, false, true},
    {"ridges in space, 4 octaves", TRN_NOISE_RIDGED, 3, false, false},
    {"gradient noise in space, 4 octaves, warped by 2", TRN_NOISE_FRACTAL, 3, true, false},
    {"distance to cells in space", TRN_NOISE_CELL_DISTANCE, 3, false, true},
    {"borders of cells in space", TRN_NOISE_CELL_BORDER, 3, false, false},
    {"gradient noise in the plane, 4 octaves", TRN_NOISE_FRACTAL, 2, false, true},
    {"ridges in the plane, 4 octaves", TRN_NOISE_RIDGED, 2, false, false},
    {"gradient noise in the plane, 4 octaves, warped by 2", TRN_NOISE_FRACTAL, 2, true, true},
    {"borders of cells in the plane", TRN_NOISE_CELL_BORDER, 2, false, false},
};

/// The grids that a terrain generator uses.
struct NoiseWorld {
    const char *name;
    std::uint32_t level, size;
};

const NoiseWorld worlds[] = {
    {at_every_voxel, 0, TRN_CHUNK_EDGE},
    {"every 4th voxel, 9 along each edge", 2, 9},
    {"every 8th voxel, 32 along each edge", 3, TRN_CHUNK_EDGE},
};

TrnNoise noise_of(const NoiseQuestion &question)
{
    TrnNoiseDef def = trn_noise_def(question.kind, question.dimensions);
    for (float &warp : def.warp) {
        warp = question.is_warped ? warp_voxels : 0;
    }
    TrnNoise noise = {};
    (void)trn_noise_compile(&def, &noise); // cannot fail: all values are in range
    return noise;
}

NoiseWork work_of(const NoiseQuestion &question, const TrnNoiseGrid &grid)
{
    NoiseWork work = {};
    work.noise = noise_of(question);
    work.grid = grid;
    work.values.resize(work.points());
    work.expected.resize(work.points());
    (void)trn_noise_use_kernels(&work.noise, "scalar");
    (void)trn_noise_fill(&work.noise, &work.grid, work.expected.data());
    return work;
}

/// Measures the thread's processor time, since noise does not wait or allocate. Time of other
/// programs does not count.
bench::Attempt attempt_of(const std::string &kernels, NoiseWork of)
{
    const auto work = std::make_shared<NoiseWork>(std::move(of));
    (void)trn_noise_use_kernels(&work->noise, kernels.c_str());
    return bench::measured(
        noise_contender(kernels),
        [work] {
            const std::size_t times = 1 + (points_a_call - 1) / work->points();
            const auto fill = [&] {
                for (std::size_t i = 0; i < times; i++) {
                    (void)trn_noise_fill(&work->noise, &work->grid, work->values.data());
                }
            };
            return ns_of(fill, CLOCK_THREAD_CPUTIME_ID) / static_cast<double>(times);
        },
        [work] { return work->is_right(); });
}

bench::Scene scene_of(const NoiseQuestion &question, const NoiseWorld &world)
{
    const std::uint32_t height = question.dimensions == 2 ? 1 : world.size;
    const NoiseWork work =
        work_of(question, {{4800, 64, -9600}, world.level, world.size, height, world.size});
    bench::Scene scene = {question.name, world.name, "ns", work.points()};
    for (const std::string &kernels : noise_kernel_names()) {
        scene.attempts.push_back(attempt_of(kernels, work));
    }
    return scene;
}

/// A scene of single voxels. They share no work, so the scalar kernels compute them.
bench::Scene single_scene(const NoiseQuestion &question)
{
    const auto work =
        std::make_shared<NoiseWork>(work_of(question, {{4800, 64, -9600}, 0, single_voxels, 1, 1}));
    const auto look = [work] {
        TrnVoxel voxel = work->grid.origin;
        for (float &value : work->values) {
            value = trn_noise_at(&work->noise, voxel);
            voxel.x++;
        }
    };
    return bench::scene_with(
        {question.name, "single voxels", "ns", single_voxels},
        {bench::measured(
            noise_contender("scalar"), [look] { return ns_of(look, CLOCK_THREAD_CPUTIME_ID); },
            [work] { return work->is_right(); })});
}

} // namespace

std::string noise_contender(const std::string &kernels)
{
    return kernels + " kernels";
}

std::vector<std::string> noise_kernel_names()
{
    std::vector<std::string> names;
    for (unsigned i = 0; trn_kernels_name(&trn_noise_kernels, i); i++) {
        names.insert(names.begin(),
                     trn_kernels_name(&trn_noise_kernels, i)); // the scalar ones first
    }
    return names;
}

std::vector<bench::Scene> make_noise_scenes(const TerrainGround &ground)
{
    std::vector<bench::Scene> scenes;
    for (const NoiseQuestion &question : questions) {
        if (ground->is_quick && !question.is_for_quick) {
            continue;
        }
        for (const NoiseWorld &world : worlds) {
            scenes.push_back(scene_of(question, world));
        }
        scenes.push_back(single_scene(question));
    }
    return scenes;
}
