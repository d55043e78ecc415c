/// The voxels that a picture looks at along one axis. A pixel covers `scale` voxels, and looks at up to four of them, evenly spread:
/// its samples.
#ifndef TERRANE_TOOL_MAP_AXIS_H
#define TERRANE_TOOL_MAP_AXIS_H

#include <stdbool.h>
#include <stdint.h>

#include <terrane/coord.h>

#define MAP_AXIS_SAMPLES_MAX 4 ///< a pixel

typedef struct MapAxis {
    int64_t
        first; ///< the voxel at which pixel 0 begins: its lowest, or its highest where the axis descends
    int64_t scale; ///< voxels a pixel
    int pixels;
    int border;  ///< pixels more on each side, which are looked at and not drawn
    int samples; ///< a pixel
    bool descends;
} MapAxis;

/// Samples that lie in one chunk.
typedef struct MapSpan {
    int64_t begin,
        end; ///< samples, counted from the first of the border; the end is the first that is not in it
    int32_t chunk;
} MapSpan;

/// An axis around a middle. @param pixels,scale  1 and more
MapAxis map_axis_around(int64_t middle, int pixels, int64_t scale, int border, bool descends);

/// The voxels at the axis's ends, without the border: possibly outside of the world.
void map_axis_ends(const MapAxis *axis, int64_t *lowest, int64_t *highest);

/// How many samples there are, with those of the border.
int64_t map_axis_samples(const MapAxis *axis);

/// The voxel of a sample, cut off at the ends of the world.
int64_t map_axis_voxel(const MapAxis *axis, int64_t sample);

/// Moves a span, at first all zeroes, on to the next samples that lie in one chunk: at most TRN_CHUNK_EDGE.
/// @return false at the end
bool map_axis_next(const MapAxis *axis, MapSpan *span);

/// How many spans there are. Cost: O(samples).
int64_t map_axis_spans(const MapAxis *axis);

#endif
