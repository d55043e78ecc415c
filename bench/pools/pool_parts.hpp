/// The parts of topic `pools`: functions that add scenes, and the questions of targets and plots.
#pragma once

#include <string>

#include "driver/topic.hpp"

void add_object_scenes(bench::Bench &bench);      ///< objects of 256 bytes
void add_debris_scenes(bench::Bench &bench);      ///< a cloud of debris, frame by frame
void add_full_debris_scenes(bench::Bench &bench); ///< more debris is born than fits
void add_particle_scenes(bench::Bench &bench);    ///< moving particles in the cells of a grid

inline const char *const pool_question_pairs = "objects of 256 bytes: free and alloc in turn";
inline const char *const pool_question_walk = "objects of 256 bytes: walk";
inline const char *const pool_world_pairs = "4,000 in random order";
inline const char *const pool_world_thinned = "100,000, 10 % left";
inline const char *const debris_question_frame = "debris: a frame";
inline const char *const debris_question_spawn = "debris: one spawn";
inline const char *const debris_question_full = "debris: a frame of a full pool";
inline const char *const particle_question_frame = "particles in 1000 x 1000 cells: a frame";
inline const char *const debris_scan_name = "scan from 0";
inline const char *const debris_swap_name = "swap-and-pop";

/// "one pool of 4,000, 50 % full, 5 % churn"
std::string debris_world(unsigned full_percent, unsigned churn_percent);
