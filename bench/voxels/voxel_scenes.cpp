#include "voxel_scenes.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

void filter_voxel_scenes(std::vector<VoxelScene> &scenes, const BenchOptions &options)
{
    std::vector<VoxelScene> kept;
    for (VoxelScene &scene : scenes) {
        std::vector<VoxelAttempt> attempts;
        bool is_wanted = false;
        for (VoxelAttempt &attempt : scene.attempts) {
            const bool wants = options.wants(scene.question, scene.world, attempt.contender);
            if (wants || attempts.empty()) {
                attempts.push_back(std::move(attempt));
            }
            is_wanted = is_wanted || wants;
        }
        if (is_wanted) {
            scene.attempts = std::move(attempts);
            kept.push_back(std::move(scene));
        }
    }
    scenes = std::move(kept);
}

bool voxel_answers_right(const std::vector<VoxelScene> &scenes)
{
    for (const VoxelScene &scene : scenes) {
        for (const VoxelAttempt &attempt : scene.attempts) {
            if (attempt.measure) {
                attempt.measure();
            } else {
                attempt.work();
            }
            if (!attempt.is_right()) {
                std::fprintf(stderr,
                             "terrane-bench: %s gives a wrong answer to '%s' for %s; no figures "
                             "are shown.\n",
                             attempt.contender.c_str(), scene.question.c_str(),
                             scene.world.c_str());
                return false;
            }
        }
    }
    return true;
}

namespace {

std::string timing_name(const VoxelScene &scene, const VoxelAttempt &attempt)
{
    return scene.question + " | " + scene.world + " | " + attempt.contender;
}

/// Mean nanoseconds of a call that prepares by itself. Small calls are made more often.
double measured_ns(const VoxelScene &scene, const VoxelAttempt &attempt, bool is_quick)
{
    const std::size_t usual = (is_quick ? 4 : 10) * std::max<std::size_t>(1, 128 / scene.count);
    const std::size_t calls = attempt.calls ? attempt.calls : usual;
    double ns = 0;
    for (std::size_t call = 0; call < calls; call++) {
        ns += attempt.measure();
    }
    return ns / static_cast<double>(calls);
}

/// Contenders in turn, so that a slow second of the machine does not fall on one alone.
void measure_in_turn(std::vector<VoxelScene> &scenes, bool is_quick)
{
    for (int repetition = 0; repetition < (is_quick ? 7 : 15); repetition++) {
        for (VoxelScene &scene : scenes) {
            for (VoxelAttempt &attempt : scene.attempts) {
                if (attempt.measure) {
                    attempt.times.push_back(measured_ns(scene, attempt, is_quick));
                }
            }
        }
    }
}

Entry entry_of(const VoxelScene &scene, const VoxelAttempt &attempt, std::vector<double> times)
{
    Entry entry;
    entry.question = scene.question;
    entry.world = scene.world;
    entry.contender = attempt.contender;
    entry.count = scene.count;
    entry.is_baseline = &attempt == &scene.attempts.front();
    for (double &ns : times) {
        ns /= static_cast<double>(scene.count);
    }
    entry.times = std::move(times);
    return entry;
}

} // namespace

void time_voxel_scenes(std::vector<VoxelScene> &scenes, bool is_quick, Report &report)
{
    Timing timing(is_quick);
    bool is_any = false;
    for (const VoxelScene &scene : scenes) {
        for (const VoxelAttempt &attempt : scene.attempts) {
            if (attempt.work) {
                timing.add(timing_name(scene, attempt), attempt.work);
                is_any = true;
            }
        }
    }
    if (is_any) {
        timing.run();
    }
    measure_in_turn(scenes, is_quick);
    for (const VoxelScene &scene : scenes) {
        for (const VoxelAttempt &attempt : scene.attempts) {
            report.entries.push_back(entry_of(
                scene, attempt,
                attempt.measure ? attempt.times : timing.nanoseconds(timing_name(scene, attempt))));
        }
    }
}
