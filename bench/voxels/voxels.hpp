/// Topic `voxels`: what one chunk's blocks cost in time and memory, packed by Terrane and as a
/// plain array.
#pragma once

#include "driver/topic.hpp"

extern const bench::Topic voxels_topic;
