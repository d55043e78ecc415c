#include "map/map_axis.h"

#include <terrane/terrain.h>

MapAxis map_axis_around(int64_t middle, int pixels, int64_t scale, int border, bool descends)
{
    const int64_t length = pixels * scale, lowest = middle - length / 2;
    return (MapAxis){
        .first = descends ? lowest + length - 1 : lowest,
        .scale = scale,
        .pixels = pixels,
        .border = border,
        .samples = scale < MAP_AXIS_SAMPLES_MAX ? (int)scale
                   : scale <= TRN_CHUNK_EDGE    ? MAP_AXIS_SAMPLES_MAX
                                                : 1, // each further one would cost a chunk
        .descends = descends,
    };
}

void map_axis_use_levels(MapAxis *axis, int64_t from, bool is_quick)
{
    if (axis->scale < from) {
        return;
    }
    axis->samples = is_quick                        ? 1
                    : axis->scale <= TRN_CHUNK_EDGE ? MAP_AXIS_SAMPLES_MAX
                                                    : MAP_AXIS_SAMPLES_FAR;
    while (axis->level < TRN_TERRAIN_LEVEL_MAX &&
           (int64_t)axis->samples << (axis->level + 1) <= axis->scale) {
        axis->level++;
    }
}

void map_axis_ends(const MapAxis *axis, int64_t *lowest, int64_t *highest)
{
    const int64_t length = axis->pixels * axis->scale;
    *lowest = axis->descends ? axis->first - (length - 1) : axis->first;
    *highest = *lowest + length - 1;
}

int64_t map_axis_samples(const MapAxis *axis)
{
    return ((int64_t)axis->pixels + 2 * (int64_t)axis->border) * axis->samples;
}

int64_t map_axis_voxel(const MapAxis *axis, int64_t sample)
{
    const int64_t pixel = sample / axis->samples - axis->border, part = sample % axis->samples;
    const int64_t offset =
        pixel * axis->scale + (2 * part + 1) * axis->scale / (2 * (int64_t)axis->samples);
    const int64_t voxel = axis->descends ? axis->first - offset : axis->first + offset;
    const int64_t inside = voxel < TRN_VOXEL_MIN   ? TRN_VOXEL_MIN
                           : voxel > TRN_VOXEL_MAX ? TRN_VOXEL_MAX
                                                   : voxel;
    return inside & ~(((int64_t)1 << axis->level) - 1);
}

static int32_t map_axis_chunk(const MapAxis *axis, int64_t sample)
{
    return (int32_t)(map_axis_voxel(axis, sample) >> (TRN_CHUNK_SHIFT + axis->level));
}

uint32_t map_axis_local(const MapAxis *axis, int64_t sample)
{
    return (uint32_t)(map_axis_voxel(axis, sample) >> axis->level) & (TRN_CHUNK_EDGE - 1);
}

bool map_axis_next(const MapAxis *axis, MapSpan *span)
{
    const int64_t count = map_axis_samples(axis);
    if (span->end >= count) {
        return false;
    }
    span->begin = span->end++;
    span->chunk = map_axis_chunk(axis, span->begin);
    // At the end of the world several samples are one voxel.
    while (span->end < count && span->end - span->begin < TRN_CHUNK_EDGE &&
           map_axis_chunk(axis, span->end) == span->chunk) {
        span->end++;
    }
    return true;
}

int64_t map_axis_spans(const MapAxis *axis)
{
    MapSpan span = {0};
    int64_t count = 0;
    while (map_axis_next(axis, &span)) {
        count++;
    }
    return count;
}
