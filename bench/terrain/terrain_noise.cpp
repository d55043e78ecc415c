#include "terrain_noise.hpp"

#include <cmath>
#include <cstring>
#include <memory>
#include <utility>

#include <terrane/noise.h>

#include "driver/timing.hpp"
#include "terrain/noise_kernel_choice.h"

namespace {

const float warp_voxels = 20;
const std::size_t single_voxels = 4096;

/// Small grids are filled so often in turn that reading the clock does not count.
const std::size_t points_a_call = 8192;

/// One noise over one grid. What it comes to is held against what the scalar kernels say.
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

/// The grids that a generator of terrain asks for.
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
    (void)trn_noise_compile(&def, &noise); // nothing in it is out of range
    return noise;
}

/// The thread's own time: noise neither waits nor allocates, so other programs' turns are left out.
VoxelAttempt attempt_of(const std::string &kernels, const std::shared_ptr<NoiseWork> &work)
{
    (void)trn_noise_use_kernels(&work->noise, kernels.c_str());
    VoxelAttempt attempt;
    attempt.contender = noise_contender(kernels);
    attempt.measure = [work] {
        const std::size_t times = 1 + (points_a_call - 1) / work->points();
        const double start = clock_ns(CLOCK_THREAD_CPUTIME_ID);
        for (std::size_t i = 0; i < times; i++) {
            (void)trn_noise_fill(&work->noise, &work->grid, work->values.data());
        }
        return (clock_ns(CLOCK_THREAD_CPUTIME_ID) - start) / static_cast<double>(times);
    };
    attempt.is_right = [work] { return work->is_right(); };
    return attempt;
}

VoxelScene scene_of(const NoiseQuestion &question, const NoiseWorld &world)
{
    NoiseWork work = {};
    work.noise = noise_of(question);
    const std::uint32_t height = question.dimensions == 2 ? 1 : world.size;
    work.grid = {{4800, 64, -9600}, world.level, world.size, height, world.size};
    work.values.resize(work.points());
    work.expected.resize(work.points());
    (void)trn_noise_use_kernels(&work.noise, "scalar");
    (void)trn_noise_fill(&work.noise, &work.grid, work.expected.data());
    VoxelScene scene;
    scene.question = question.name;
    scene.world = world.name;
    scene.count = work.points();
    for (const std::string &kernels : noise_kernel_names()) {
        scene.attempts.push_back(attempt_of(kernels, std::make_shared<NoiseWork>(work)));
    }
    return scene;
}

/// Voxels asked for one by one. There is nothing to share: the scalar kernels answer.
VoxelScene single_scene(const NoiseQuestion &question)
{
    auto work = std::make_shared<NoiseWork>();
    work->noise = noise_of(question);
    work->grid = {{4800, 64, -9600}, 0, single_voxels, 1, 1};
    work->values.resize(single_voxels);
    work->expected.resize(single_voxels);
    (void)trn_noise_fill(&work->noise, &work->grid, work->expected.data());
    VoxelScene scene;
    scene.question = question.name;
    scene.world = "single voxels";
    scene.count = single_voxels;
    VoxelAttempt attempt;
    attempt.contender = noise_contender("scalar");
    attempt.measure = [work] {
        TrnVoxel voxel = work->grid.origin;
        const double start = clock_ns(CLOCK_THREAD_CPUTIME_ID);
        for (float &value : work->values) {
            value = trn_noise_at(&work->noise, voxel);
            voxel.x++;
        }
        return clock_ns(CLOCK_THREAD_CPUTIME_ID) - start;
    };
    attempt.is_right = [work] { return work->is_right(); };
    scene.attempts.push_back(std::move(attempt));
    return scene;
}

struct NoiseDemand {
    const char *kernels;
    double at_most_ns, at_least_ratio;
};

} // namespace

std::string noise_contender(const std::string &kernels)
{
    return kernels + " kernels";
}

std::vector<std::string> noise_kernel_names()
{
    std::vector<std::string> names;
    for (unsigned i = 0; trn_noise_kernels_name(i); i++) {
        names.insert(names.begin(), trn_noise_kernels_name(i)); // the scalar ones first
    }
    return names;
}

std::vector<VoxelScene> make_noise_scenes(bool is_quick)
{
    std::vector<VoxelScene> scenes;
    for (const NoiseQuestion &question : questions) {
        if (is_quick && !question.is_for_quick) {
            continue;
        }
        for (const NoiseWorld &world : worlds) {
            scenes.push_back(scene_of(question, world));
        }
        scenes.push_back(single_scene(question));
    }
    return scenes;
}

void add_noise_targets(Report &report)
{
    for (const NoiseDemand &demand : {NoiseDemand{"AVX-512", 12, 8}, NoiseDemand{"AVX2", 25, 5}}) {
        const std::string contender = noise_contender(demand.kernels);
        const std::string what = std::string(noise_in_space) + ", " + at_every_voxel;
        const double ns = median_of(report, noise_in_space, at_every_voxel, contender);
        const double scalar =
            median_of(report, noise_in_space, at_every_voxel, noise_contender("scalar"));
        report.targets.push_back(
            {contender, what, ns, "ns a point", Target::at_most, demand.at_most_ns});
        report.targets.push_back({contender, what + ", times as fast as scalar", scalar / ns, "x",
                                  Target::at_least, demand.at_least_ratio});
    }
}
