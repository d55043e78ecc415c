// A view made by several threads that share a terrain, and so its columns.

#include <algorithm>
#include <atomic>
#include <thread>
#include <utility>

#include <sched.h>

#include "driver/timing.hpp"
#include "terrain_chunks.hpp"

namespace {

/// Calls work(chunk, blocks) for each chunk of a view, nearest first, on so many threads. @param
/// blocks  the thread's own
template <typename Work> void share_view(const TerrainView &view, unsigned thread_count, Work work)
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

/// Those that this process was given: threads that take turns on one processor measure nothing.
int processors()
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

VoxelAttempt attempt_of(const TerrainGround &ground, unsigned thread_count)
{
    VoxelAttempt attempt;
    attempt.contender = by_threads(thread_count);
    attempt.calls = 1;
    attempt.measure = [ground, thread_count] {
        const Land land;
        const double start = clock_ns(CLOCK_MONOTONIC);
        share_view(ground->view, thread_count, [&](std::size_t chunk, TrnBlock *blocks) {
            bool uniform;
            (void)trn_terrain_generate(land.get(), ground->view.world.chunks[chunk], blocks,
                                       &uniform);
        });
        return clock_ns(CLOCK_MONOTONIC) - start;
    };
    attempt.is_right = [ground, thread_count] {
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

} // namespace

std::string by_threads(unsigned count)
{
    return count == 1 ? "1 thread" : std::to_string(count) + " threads";
}

VoxelScene make_thread_scene(const TerrainGround &ground)
{
    VoxelScene scene;
    scene.question = view_by_threads;
    scene.world = ground->view.world.name;
    scene.count = ground->view.world.chunks.size();
    const auto most = static_cast<unsigned>(std::min(processors(), 4));
    for (unsigned count = 1; count <= std::max(most, 1u); count *= 2) {
        scene.attempts.push_back(attempt_of(ground, count));
    }
    return scene;
}
