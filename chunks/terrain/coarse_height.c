// Heights of a whole column's samples. Like volume_height.c, but all samples descend together, so
// that the noise of each step is one call.

#include <string.h>

#include "terrain/coarse_impl.h"
#include "terrain/noise_impl.h"
#include "terrain/volume_caves_impl.h"

/// Lattice points around a sample.
#define COARSE_CORNERS 4

/// A sample on its way down.
typedef struct CoarseProbe {
    uint32_t index;
    int32_t low;                           ///< the lower lattice plane of its cell
    uint32_t points[COARSE_CORNERS];       ///< in the column's lattice
    float weights[COARSE_CORNERS];         ///< of the points; points of weight 0 are skipped
    float ends[TRN_VOLUME_FIELD_COUNT][2]; ///< fields at the cell's lower and upper plane
    bool wants[TRN_VOLUME_FIELD_COUNT];    ///< fields that can change its height
    bool is_new;                           ///< the upper ends are unknown
} CoarseProbe;

/// A search for heights.
typedef struct CoarseSearch {
    const TrnTerrain *terrain;
    TrnColumn *column;
    bool enters_caves;
    TrnVoxel origin; ///< of the lattice
    int64_t spacing; ///< of lattice points, in voxels
    size_t probe_count;
    CoarseProbe probes[TRN_LAYER_VOXELS];
    /// Lattice points of a plane that probes need, each once.
    float places[3][COARSE_CORNERS * TRN_LAYER_VOXELS]; ///< by axis, from the origin
    uint16_t points[COARSE_CORNERS * TRN_LAYER_VOXELS]; ///< in the column's lattice
    float values[COARSE_CORNERS * TRN_LAYER_VOXELS];
    uint16_t corners[COARSE_CORNERS * TRN_LAYER_VOXELS]; ///< of all probes in turn: in `points`
    uint16_t latest[TRN_LAYER_VOXELS]; ///< by point of the lattice: where it last was in `points`
} CoarseSearch;

size_t trn_coarse_heights_scratch_bytes(void)
{
    return sizeof(CoarseSearch);
}

/// Finds the lattice points around a sample, and what can change its height.
static void coarse_begin_probe(const CoarseSearch *search, uint32_t shift, uint32_t index,
                               CoarseProbe *probe)
{
    const TrnColumn *column = search->column;
    const uint32_t mask = (1u << shift) - 1;
    const uint32_t x = index % TRN_CHUNK_EDGE, z = index / TRN_CHUNK_EDGE;
    const float part = 1.0f / (float)(1u << shift);
    const float weight_x = (float)(x & mask) * part, weight_z = (float)(z & mask) * part;
    const uint32_t first = (z >> shift) * column->points + (x >> shift);
    float reach = 0.0f;
    for (uint32_t corner = 0; corner < COARSE_CORNERS; corner++) {
        const uint32_t by_x = corner & 1, by_z = corner >> 1;
        probe->points[corner] = first + by_x + by_z * column->points;
        probe->weights[corner] =
            (by_x ? weight_x : 1.0f - weight_x) * (by_z ? weight_z : 1.0f - weight_z);
        if (probe->weights[corner] > 0.0f) {
            reach += column->lattice_reaches[probe->points[corner]];
        }
    }
    const bool may_open = search->enters_caves && column->roofs[index] < 0;
    probe->index = index;
    probe->is_new = true;
    probe->low = trn_land_floor(column->heights[index]) & ~(TRN_LAND_STEP - 1);
    for (int field = 0; field < TRN_VOLUME_FIELD_COUNT; field++) {
        probe->ends[field][0] = probe->ends[field][1] = 0.0f;
        probe->wants[field] = field == TRN_VOLUME_OVERHANG ? reach > 0.0f : may_open;
    }
}

/// Whether a probe needs a field at one end of its cell.
static bool coarse_wants(const CoarseProbe *probe, int field, int end)
{
    return probe->wants[field] && (end == 0 || probe->is_new);
}

/// Finds a lattice point among the first `count`, or appends it.
/// @return where it is
static uint32_t coarse_add_point(CoarseSearch *search, uint32_t point, float y, uint32_t count)
{
    const uint32_t across = search->column->points, latest = search->latest[point];
    if (latest < count && search->points[latest] == point && search->places[1][latest] == y) {
        return latest;
    }
    search->places[0][count] = (float)((int64_t)(point % across) * search->spacing);
    search->places[1][count] = y;
    search->places[2][count] = (float)((int64_t)(point / across) * search->spacing);
    search->points[count] = (uint16_t)point;
    search->latest[point] = (uint16_t)count;
    return count;
}

/// Writes the places of the lattice points that a field needs. Where points are farther apart than
/// samples, several probes share a point.
/// @param end  0: the lower plane of each probe's cell, 1: the upper one
/// @return their number
static uint32_t coarse_gather(CoarseSearch *search, int field, int end)
{
    uint32_t count = 0;
    size_t corners = 0;
    for (size_t i = 0; i < search->probe_count; i++) {
        const CoarseProbe *probe = &search->probes[i];
        const bool is_wanted = coarse_wants(probe, field, end);
        for (uint32_t corner = 0; is_wanted && corner < COARSE_CORNERS; corner++) {
            if (probe->weights[corner] > 0.0f) {
                const float y = (float)(probe->low + end * TRN_LAND_STEP);
                const uint32_t at = coarse_add_point(search, probe->points[corner], y, count);
                search->corners[corners++] = (uint16_t)at;
                count += at == count;
            }
        }
    }
    return count;
}

/// A field at a lattice point.
static float coarse_field(const CoarseSearch *search, int field, uint32_t point, float y,
                          float noise)
{
    if (field == TRN_VOLUME_OVERHANG) {
        return trn_volume_overhang(noise, search->column->lattice_reaches[point] *
                                              trn_volume_overhang_fade(y));
    }
    const TrnVolumeCaves caves = trn_volume_caves(search->terrain, y);
    if (field == TRN_VOLUME_CAVERN) {
        return noise -
               trn_volume_cavern_threshold(caves, search->column->lattice_heights[point], y);
    }
    return noise * caves.narrowness;
}

/// Evaluates a field at one plane of all probes' cells.
static void coarse_sample(CoarseSearch *search, int field, int end)
{
    const uint32_t count = coarse_gather(search, field, end);
    if (count == 0) {
        return;
    }
    const float *const places[3] = {search->places[0], search->places[1], search->places[2]};
    trn_noise_fill_points(&search->terrain->noises[TRN_LAND_OVERHANG + field], search->origin,
                          places, count, search->values);
    for (uint32_t i = 0; i < count; i++) {
        search->values[i] =
            coarse_field(search, field, search->points[i], search->places[1][i], search->values[i]);
    }
    size_t corners = 0;
    for (size_t i = 0; i < search->probe_count; i++) {
        CoarseProbe *probe = &search->probes[i];
        if (!coarse_wants(probe, field, end)) {
            continue;
        }
        float sum = 0.0f;
        for (uint32_t corner = 0; corner < COARSE_CORNERS; corner++) {
            if (probe->weights[corner] > 0.0f) {
                sum += probe->weights[corner] * search->values[search->corners[corners++]];
            }
        }
        probe->ends[field][end] = sum;
    }
}

/// Whether a voxel of a probe's cell is in a cave, if it is rock.
static bool coarse_is_cave(const CoarseProbe *probe, float weight)
{
    float at[TRN_VOLUME_FIELD_COUNT];
    for (int field = 0; field < TRN_VOLUME_FIELD_COUNT; field++) {
        at[field] = trn_land_lerp(probe->ends[field][0], probe->ends[field][1], weight);
    }
    const float a = at[TRN_VOLUME_TUNNEL_A], b = at[TRN_VOLUME_TUNNEL_B];
    return at[TRN_VOLUME_CAVERN] > 0.0f || a * a + b * b < 1.0f;
}

/// Looks for ground in a probe's cell.
/// @return whether it is there; otherwise the probe moves to the cell below, or stays if it needs
/// the caves too
static bool coarse_descend(const CoarseSearch *search, CoarseProbe *probe, int16_t *height)
{
    TrnColumn *column = search->column;
    const float surface = column->heights[probe->index];
    const int32_t top = trn_land_floor(surface);
    const int32_t end = probe->low + TRN_LAND_STEP - 1;
    for (int32_t y = top < end ? top : end; y >= probe->low; y--) {
        const float weight = (float)(y - probe->low) * (1.0f / TRN_LAND_STEP);
        const float *overhang = probe->ends[TRN_VOLUME_OVERHANG];
        const float depth = surface - (float)y + trn_land_lerp(overhang[0], overhang[1], weight);
        const bool is_roofless = depth > (float)column->roofs[probe->index];
        const bool may_be_cave =
            is_roofless && search->enters_caves && depth >= 0.0f && y >= TRN_TERRAIN_LOWEST;
        if (may_be_cave && !probe->wants[TRN_VOLUME_CAVERN]) { // an overhang that ends abruptly
            probe->wants[TRN_VOLUME_TUNNEL_A] = probe->wants[TRN_VOLUME_TUNNEL_B] = true;
            probe->wants[TRN_VOLUME_CAVERN] = probe->is_new = true;
            return false;
        }
        if (depth >= 0.0f && !(may_be_cave && coarse_is_cave(probe, weight))) {
            *height = (int16_t)y;
            if (depth >= TRN_COVER_REACH) {
                column->covers[probe->index] = TRN_COVER_STONE;
            }
            return true;
        }
    }
    probe->low -= TRN_LAND_STEP;
    probe->is_new = false;
    for (int field = 0; field < TRN_VOLUME_FIELD_COUNT; field++) {
        probe->ends[field][1] = probe->ends[field][0];
    }
    return false;
}

void trn_coarse_heights(const TrnTerrain *terrain, uint32_t level, bool enters_caves, void *scratch,
                        TrnColumn *column, int16_t *heights)
{
    CoarseSearch *search = scratch;
    const uint32_t shift = level < TRN_LAND_SHIFT ? TRN_LAND_SHIFT - level : 0;
    const TrnVoxel base = trn_coord_voxel(column->coord);
    search->terrain = terrain;
    search->enters_caves = enters_caves && terrain->shape.caves > 0.0f;
    search->column = column;
    search->origin = (TrnVoxel){base.x * ((int64_t)1 << level), 0, base.z * ((int64_t)1 << level)};
    search->spacing = (int64_t)1 << (level + shift);
    search->probe_count = 0;
    memset(search->latest, 0, sizeof search->latest);
    for (uint32_t i = 0; i < TRN_LAYER_VOXELS; i++) {
        CoarseProbe *probe = &search->probes[search->probe_count];
        heights[i] = (int16_t)trn_land_floor(column->heights[i]);
        coarse_begin_probe(search, shift, i, probe);
        search->probe_count += probe->wants[TRN_VOLUME_OVERHANG] || probe->wants[TRN_VOLUME_CAVERN];
    }
    while (search->probe_count > 0) {
        for (int field = 0; field < TRN_VOLUME_FIELD_COUNT; field++) {
            coarse_sample(search, field, 1);
            coarse_sample(search, field, 0);
        }
        size_t left = 0;
        for (size_t i = 0; i < search->probe_count; i++) {
            CoarseProbe *probe = &search->probes[i];
            if (!coarse_descend(search, probe, &heights[probe->index])) {
                search->probes[left++] = *probe;
            }
        }
        search->probe_count = left;
    }
}
