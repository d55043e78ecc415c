/// Scenes of topics that do not use driver/topic.hpp yet.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "driver/options.hpp"
#include "driver/report.hpp"
#include "driver/timing.hpp"
#include "voxel_fixture.hpp"

/// One contender's way of answering. Either `work` or `measure` is there.
struct VoxelAttempt {
    std::string contender;
    std::function<void()> work; ///< timed; may be called any number of times
    /// For what cannot be repeated at once: prepares by itself, and returns the nanoseconds of the
    /// rest.
    std::function<double()> measure;
    std::size_t calls = 0; ///< of `measure` for each figure; 0: the more the smaller they are
    std::function<bool()> is_right; ///< after one call
    std::vector<double> times;      ///< of `measure`
};

struct VoxelScene {
    std::string question;
    std::string world;
    std::size_t count = 1;              ///< what a call's time is divided by
    std::vector<VoxelAttempt> attempts; ///< the baseline first
};

/// Leaves out what the options do not want; of each scene the baseline stays, as long as anything
/// does.
void filter_voxel_scenes(std::vector<VoxelScene> &scenes, const BenchOptions &options);

/// Works every attempt once. @return whether all answers are right; says on standard error which is
/// not
bool voxel_answers_right(const std::vector<VoxelScene> &scenes);

/// Times all scenes, and adds them to the report.
void time_voxel_scenes(std::vector<VoxelScene> &scenes, bool is_quick, Report &report);
