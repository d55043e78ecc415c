/// The voxels that a picture samples along one axis. A pixel covers `scale` voxels and samples up
/// to four of them, evenly spread.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <terrane/coord.h>

#define MAP_AXIS_SAMPLES_MAX 4 ///< a pixel
#define MAP_AXIS_SAMPLES_FAR 2 ///< the same, if a pixel is wider than a chunk
#define MAP_AXIS_SCALE_FAR 16  ///< voxels a pixel from which levels of detail are sampled

typedef struct MapAxis {
    /// the voxel at which pixel 0 begins: its lowest, or its highest where the axis descends
    int64_t first;
    int64_t scale; ///< voxels a pixel
    int pixels;
    int border;     ///< more pixels on each side, which are sampled and not drawn
    int samples;    ///< a pixel
    uint32_t level; ///< samples lie at multiples of 2^level voxels; chunks are those of that level
    bool descends;
} MapAxis;

/// Samples that lie in one chunk.
typedef struct MapSpan {
    /// samples, counted from the first of the border; the end is exclusive
    int64_t begin, end;
    int32_t chunk;
} MapSpan;

/// An axis around a middle. @param pixels,scale  1 and more
MapAxis map_axis_around(int64_t middle, int pixels, int64_t scale, int border, bool descends);

/// Lets an axis sample levels of detail if its pixels are wide enough: these samples cost a
/// hundredth of those of chunks, and trees are too small to see.
/// @param from      voxels a pixel from which levels are sampled; 2 and more
/// @param is_quick  a pixel is one sample
void map_axis_use_levels(MapAxis *axis, int64_t from, bool is_quick);

/// The voxels at the axis's ends, without the border; possibly outside the world.
void map_axis_ends(const MapAxis *axis, int64_t *lowest, int64_t *highest);

/// The number of samples, border included.
int64_t map_axis_samples(const MapAxis *axis);

/// The voxel of a sample, clamped to the world.
int64_t map_axis_voxel(const MapAxis *axis, int64_t sample);

/// The place of a sample inside its chunk, 0..31.
uint32_t map_axis_local(const MapAxis *axis, int64_t sample);

/// Moves a span, initially all zeroes, to the next samples in one chunk: at most TRN_CHUNK_EDGE.
/// @return false at the end
bool map_axis_next(const MapAxis *axis, MapSpan *span);

/// The number of spans. Cost: O(samples).
int64_t map_axis_spans(const MapAxis *axis);
