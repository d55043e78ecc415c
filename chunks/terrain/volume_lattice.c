// The 3D lattice: where the surface overhangs, where caves are, and where neither can be.

#include <string.h>

#include "terrain/volume_caves_impl.h"

/// Voxel y of a plane of the lattice.
static float volume_plane_y(const TrnVolume *volume, size_t plane)
{
    return (float)(volume->origin.y + (int64_t)plane * TRN_LAND_STEP);
}

/// Points of a plane of the lattice.
#define VOLUME_PLANE ((size_t)TRN_LAND_POINTS * TRN_LAND_POINTS)

/// The planes of the lattice around some layers: from `first` to before `end`.
typedef struct VolumePlanes {
    uint32_t first, end;
} VolumePlanes;

/// The planes that layers between two heights are interpolated from. Layers outside the chunk do
/// not count.
static VolumePlanes volume_planes(const TrnVolume *volume, float low, float high)
{
    VolumePlanes planes = {0, TRN_VOLUME_POINTS_Y};
    while (planes.first + 1 < planes.end && volume_plane_y(volume, planes.first + 1) <= low) {
        planes.first++;
    }
    while (planes.end > planes.first + 1 && volume_plane_y(volume, planes.end - 2) > high) {
        planes.end--;
    }
    return planes;
}

/// @param out  [TRN_VOLUME_ROWS][TRN_LAND_POINTS], of which it writes some planes
static void volume_fill_noise(const TrnVolume *volume, uint32_t noise, VolumePlanes planes,
                              float *out)
{
    TrnNoiseGrid grid = {volume->origin, TRN_LAND_SHIFT, TRN_LAND_POINTS, planes.end - planes.first,
                         TRN_LAND_POINTS};
    grid.origin.y += (int64_t)planes.first * TRN_LAND_STEP;
    (void)trn_noise_fill(&volume->terrain->noises[noise], &grid, out + planes.first * VOLUME_PLANE);
}

/// Converts overhang noise to offsets in voxels.
static void volume_scale_overhangs(TrnVolume *volume, VolumePlanes planes)
{
    float least = 0.0f;
    for (size_t y = planes.first; y < planes.end; y++) {
        const float part = trn_volume_overhang_fade(volume_plane_y(volume, y));
        float *values = volume->lattice[TRN_VOLUME_OVERHANG] + y * VOLUME_PLANE;
        for (size_t i = 0; i < VOLUME_PLANE; i++) {
            values[i] = trn_volume_overhang(values[i], volume->column->lattice_reaches[i] * part);
        }
        for (size_t z = 0; z < TRN_LAND_POINTS; z++) {
            float *row_least = &volume->least_overhangs[z];
            for (size_t x = 0; x < TRN_LAND_POINTS; x++) {
                const float value = values[z * TRN_LAND_POINTS + x];
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
    const TrnVolumeCaves caves = trn_volume_caves(volume->terrain, y);
    float *a = volume->lattice[TRN_VOLUME_TUNNEL_A] + plane_y * VOLUME_PLANE;
    float *b = volume->lattice[TRN_VOLUME_TUNNEL_B] + plane_y * VOLUME_PLANE;
    float *cavern = volume->lattice[TRN_VOLUME_CAVERN] + plane_y * VOLUME_PLANE;
    const float *heights = volume->column->lattice_heights;
    for (size_t i = 0; i < VOLUME_PLANE; i++) {
        a[i] *= caves.narrowness;
        b[i] *= caves.narrowness;
        cavern[i] -= trn_volume_cavern_threshold(caves, heights[i], y);
    }
}

/// Interpolates a row along x.
static inline void volume_interpolate_row(const float *restrict from, float *restrict to)
{
    const float part = 1.0f / (float)TRN_LAND_STEP;
    for (uint32_t point = 0; point + 1 < TRN_LAND_POINTS; point++) {
        for (uint32_t i = 0; i < TRN_LAND_STEP; i++) {
            to[point * TRN_LAND_STEP + i] =
                trn_land_lerp(from[point], from[point + 1], (float)i * part);
        }
    }
}

/// Interpolates a field along x.
/// @param is_needed  [TRN_VOLUME_ROWS] whether a row is needed; NULL for all
static void volume_interpolate_rows(const TrnVolume *volume, int field, VolumePlanes planes,
                                    const uint8_t *is_needed)
{
    const size_t rows = (size_t)TRN_LAND_POINTS * planes.end;
    for (size_t row = (size_t)TRN_LAND_POINTS * planes.first; row < rows; row++) {
        if (!is_needed || is_needed[row]) {
            volume_interpolate_row(volume->lattice[field] + row * TRN_LAND_POINTS,
                                   volume->rows[field] + row * TRN_CHUNK_EDGE);
        }
    }
}

/// Least and greatest value of a field.
typedef struct VolumeRange {
    float least, most;
} VolumeRange;

/// The range of a field along two adjacent rows of lattice points.
static VolumeRange volume_range(const TrnVolume *volume, int field, size_t row)
{
    const float *near = volume->lattice[field] + row * TRN_LAND_POINTS;
    const float *far = near + TRN_LAND_POINTS;
    VolumeRange range = {near[0], near[0]};
    for (size_t x = 0; x < TRN_LAND_POINTS; x++) {
        const float low = near[x] < far[x] ? near[x] : far[x];
        const float high = near[x] < far[x] ? far[x] : near[x];
        range.least = low < range.least ? low : range.least;
        range.most = high > range.most ? high : range.most;
    }
    return range;
}

/// The ranges of tunnels and caverns.
typedef struct VolumeCaveRanges {
    VolumeRange fields[3];
} VolumeCaveRanges;

static VolumeCaveRanges volume_cave_ranges(const TrnVolume *volume, size_t row)
{
    return (VolumeCaveRanges){{volume_range(volume, TRN_VOLUME_TUNNEL_A, row),
                               volume_range(volume, TRN_VOLUME_TUNNEL_B, row),
                               volume_range(volume, TRN_VOLUME_CAVERN, row)}};
}

/// Whether a row of cells may hold a cave. Interpolated values lie between those of the corners.
/// @param a,b  ranges of the cells' lower and upper ends
static bool volume_cells_may_hold_cave(const VolumeCaveRanges *a, const VolumeCaveRanges *b)
{
    const VolumeRange *low = a->fields, *high = b->fields;
    if (low[2].most > 0.0f || high[2].most > 0.0f) {
        return true;
    }
    for (int i = 0; i < 2; i++) {
        if ((low[i].least >= 1.0f && high[i].least >= 1.0f) ||
            (low[i].most <= -1.0f && high[i].most <= -1.0f)) {
            return false;
        }
    }
    return true;
}

/// Marks the rows of cells that may hold a cave and the rows of points around them.
static void volume_bound_caves(TrnVolume *volume, VolumePlanes planes)
{
    const size_t points = TRN_LAND_POINTS;
    VolumeCaveRanges ranges[TRN_LAND_POINTS]; // of the plane below; then of this one
    for (size_t z = 0; z + 1 < points; z++) {
        ranges[z] = volume_cave_ranges(volume, planes.first * points + z);
    }
    for (size_t y = planes.first; y + 1 < planes.end; y++) {
        for (size_t z = 0; z + 1 < points; z++) {
            const size_t row = y * points + z;
            const VolumeCaveRanges below = ranges[z];
            ranges[z] = volume_cave_ranges(volume, row + points);
            if (volume_cells_may_hold_cave(&below, &ranges[z])) {
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
        volume_planes(volume, trn_volume_deep(volume->lowest), volume->column->highest);
    volume_fill_noise(volume, TRN_LAND_OVERHANG, planes, volume->lattice[TRN_VOLUME_OVERHANG]);
    volume_scale_overhangs(volume, planes);
    volume_interpolate_rows(volume, TRN_VOLUME_OVERHANG, planes, NULL);
}

static void volume_sample_caves(TrnVolume *volume)
{
    // The layers above the chunk matter only if the surface may reach them.
    const int64_t above = volume->origin.y + TRN_CHUNK_EDGE;
    const int64_t end = above + TRN_VOLUME_EXTRA_LAYERS;
    const bool is_deep = (float)end < trn_volume_deep(volume->lowest);
    const float top = is_deep ? (float)(above - 1) : (float)end;
    const float highest = volume->column->highest;
    const VolumePlanes planes =
        volume_planes(volume, (float)TRN_TERRAIN_LOWEST, top < highest ? top : highest);
    for (int field = TRN_VOLUME_TUNNEL_A; field <= TRN_VOLUME_CAVERN; field++) {
        volume_fill_noise(volume, TRN_LAND_TUNNEL_A + (uint32_t)(field - TRN_VOLUME_TUNNEL_A),
                          planes, volume->lattice[field]);
    }
    for (size_t y = planes.first; y < planes.end; y++) {
        volume_scale_caves(volume, y, volume_plane_y(volume, y));
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
