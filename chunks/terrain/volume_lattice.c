// The 3D lattice: where the surface overhangs, where caves are, and where neither can be.

#include <string.h>

#include "terrain/volume_caves_impl.h"

/// Voxels between points of the lattice.
static int64_t volume_point_step(const TrnVolume *volume)
{
    return (int64_t)1 << (volume->level + volume->shift);
}

/// The planes of the lattice around some layers: from `first` to before `end`.
typedef struct VolumePlanes {
    uint32_t first, end;
} VolumePlanes;

/// The planes that layers between two heights are interpolated from. Layers outside the chunk do
/// not count.
static VolumePlanes volume_planes(const TrnVolume *volume, float low, float high)
{
    const int64_t step = volume_point_step(volume);
    VolumePlanes planes = {0, volume->points_y};
    while (planes.first + 1 < planes.end &&
           (float)(volume->origin.y + (planes.first + 1) * step) <= low) {
        planes.first++;
    }
    while (planes.end > planes.first + 1 &&
           (float)(volume->origin.y + (planes.end - 2) * step) > high) {
        planes.end--;
    }
    return planes;
}

/// @param out  [points_y][points][points], of which it writes some planes
static void volume_fill_noise(const TrnVolume *volume, uint32_t noise, VolumePlanes planes,
                              float *out)
{
    const size_t plane = (size_t)volume->points * volume->points;
    TrnNoiseGrid grid = {volume->origin, volume->level + volume->shift, volume->points,
                         planes.end - planes.first, volume->points};
    grid.origin.y += planes.first * volume_point_step(volume);
    (void)trn_noise_fill(&volume->terrain->noises[noise], &grid, out + planes.first * plane);
}

/// Converts overhang noise to offsets in voxels.
static void volume_scale_overhangs(TrnVolume *volume, VolumePlanes planes)
{
    const int64_t step = volume_point_step(volume);
    const size_t points = volume->points, plane = points * points;
    float least = 0.0f;
    for (size_t y = planes.first; y < planes.end; y++) {
        const float part = trn_volume_overhang_fade((float)(volume->origin.y + (int64_t)y * step));
        float *values = volume->lattice[TRN_VOLUME_OVERHANG] + y * plane;
        for (size_t i = 0; i < plane; i++) {
            values[i] = trn_volume_overhang(values[i], volume->column->lattice_reaches[i] * part);
        }
        for (size_t z = 0; z < points; z++) {
            float *row_least = &volume->least_overhangs[z];
            for (size_t x = 0; x < points; x++) {
                const float value = values[z * points + x];
                *row_least = value < *row_least ? value : *row_least;
            }
            least = *row_least < least ? *row_least : least;
        }
    }
    const float deepest = volume->column->lowest_height + least - TRN_LAND_ROUNDING_MARGIN;
    volume->lowest = deepest > volume->lowest ? deepest : volume->lowest;
}

/// Scales tunnels to a radius of 1 and caverns to a threshold of 0.
/// @param y  voxel y of this plane of the lattice
static void volume_scale_caves(const TrnVolume *volume, size_t plane_y, float y)
{
    const size_t plane = (size_t)volume->points * volume->points;
    const TrnVolumeCaves caves = trn_volume_caves(volume->terrain, y);
    float *a = volume->lattice[TRN_VOLUME_TUNNEL_A] + plane_y * plane;
    float *b = volume->lattice[TRN_VOLUME_TUNNEL_B] + plane_y * plane;
    float *cavern = volume->lattice[TRN_VOLUME_CAVERN] + plane_y * plane;
    const float *heights = volume->column->lattice_heights;
    for (size_t i = 0; i < plane; i++) {
        a[i] *= caves.narrowness;
        b[i] *= caves.narrowness;
        cavern[i] -= trn_volume_cavern_threshold(caves, heights[i], y);
    }
}

/// Interpolates a field along x.
/// @param is_needed  [points_y][points] whether a row is needed; NULL for all
static void volume_interpolate_rows(const TrnVolume *volume, int field, VolumePlanes planes,
                                    const uint8_t *is_needed)
{
    const size_t rows = (size_t)volume->points * planes.end;
    const uint32_t cell = 1u << volume->shift;
    const float part = 1.0f / (float)cell;
    for (size_t row = (size_t)volume->points * planes.first; row < rows; row++) {
        if (is_needed && !is_needed[row]) {
            continue;
        }
        const float *from = volume->lattice[field] + row * volume->points;
        float *to = volume->rows[field] + row * TRN_CHUNK_EDGE;
        for (uint32_t x = 0; x < TRN_CHUNK_EDGE; x += cell) {
            const size_t point = x >> volume->shift;
            for (uint32_t i = 0; i < cell; i++) {
                to[x + i] = trn_land_lerp(from[point], from[point + 1], (float)i * part);
            }
        }
    }
}

/// Least and greatest value of a field around a row of lattice cells.
/// @param row  index of the cells' first lattice point
static void volume_range(const TrnVolume *volume, int field, size_t row, float range[2])
{
    const size_t above = (size_t)volume->points * volume->points;
    const float *values = volume->lattice[field] + row;
    float least = values[0], most = values[0];
    // two rows of points in each of two planes
    for (size_t i = 0; i < (size_t)volume->points * 2; i++) {
        const float low = values[i] < values[i + above] ? values[i] : values[i + above];
        const float high = values[i] < values[i + above] ? values[i + above] : values[i];
        least = low < least ? low : least;
        most = high > most ? high : most;
    }
    range[0] = least;
    range[1] = most;
}

/// Whether a row of cells may hold a cave. Interpolated values lie between those of the corners.
static bool volume_cells_may_hold_cave(const TrnVolume *volume, size_t row)
{
    float a[2], b[2], cavern[2];
    volume_range(volume, TRN_VOLUME_CAVERN, row, cavern);
    if (cavern[1] > 0.0f) {
        return true;
    }
    volume_range(volume, TRN_VOLUME_TUNNEL_A, row, a);
    if (a[0] >= 1.0f || a[1] <= -1.0f) {
        return false;
    }
    volume_range(volume, TRN_VOLUME_TUNNEL_B, row, b);
    return b[0] < 1.0f && b[1] > -1.0f;
}

/// Marks the rows of cells that may hold a cave and the rows of points around them.
static void volume_bound_caves(TrnVolume *volume, VolumePlanes planes)
{
    const size_t points = volume->points;
    for (size_t y = planes.first; y + 1 < planes.end; y++) {
        for (size_t z = 0; z + 1 < points; z++) {
            const size_t row = y * points + z;
            if (volume_cells_may_hold_cave(volume, row * points)) {
                volume->may_hold_cave[row] = 1;
                volume->is_cave_row[row] = volume->is_cave_row[row + 1] = 1;
                volume->is_cave_row[row + points] = volume->is_cave_row[row + points + 1] = 1;
            }
        }
    }
}

static void volume_sample_overhangs(TrnVolume *volume)
{
    const VolumePlanes planes =
        volume_planes(volume, trn_volume_deep(volume, volume->lowest), volume->column->highest);
    volume_fill_noise(volume, TRN_LAND_OVERHANG, planes, volume->lattice[TRN_VOLUME_OVERHANG]);
    volume_scale_overhangs(volume, planes);
    volume_interpolate_rows(volume, TRN_VOLUME_OVERHANG, planes, NULL);
}

static void volume_sample_caves(TrnVolume *volume)
{
    const int64_t step = volume_point_step(volume);
    // The layers above the chunk matter only if the surface may reach them.
    const int64_t above = volume->origin.y + ((int64_t)TRN_CHUNK_EDGE << volume->level);
    const int64_t extra = (int64_t)volume->extra_layers << volume->level;
    const bool is_deep = (float)(above + extra) < trn_volume_deep(volume, volume->lowest);
    const float top = is_deep ? (float)(above - 1) : (float)(above + extra);
    const float highest = volume->column->highest;
    const VolumePlanes planes =
        volume_planes(volume, (float)TRN_TERRAIN_LOWEST, top < highest ? top : highest);
    for (int field = TRN_VOLUME_TUNNEL_A; field <= TRN_VOLUME_CAVERN; field++) {
        volume_fill_noise(volume, TRN_LAND_TUNNEL_A + (uint32_t)(field - TRN_VOLUME_TUNNEL_A),
                          planes, volume->lattice[field]);
    }
    for (size_t y = planes.first; y < planes.end; y++) {
        volume_scale_caves(volume, y, (float)(volume->origin.y + (int64_t)y * step));
    }
    volume_bound_caves(volume, planes);
    for (int field = TRN_VOLUME_TUNNEL_A; field <= TRN_VOLUME_CAVERN; field++) {
        volume_interpolate_rows(volume, field, planes, volume->is_cave_row);
    }
}

void trn_volume_sample(TrnVolume *volume)
{
    memset(volume->may_hold_cave, 0, sizeof volume->may_hold_cave);
    memset(volume->is_cave_row, 0, sizeof volume->is_cave_row);
    if (volume->has_overhangs) {
        volume_sample_overhangs(volume);
    }
    if (volume->has_caves) {
        volume_sample_caves(volume);
    }
}
