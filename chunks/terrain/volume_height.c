// Heights of single voxel columns: the topmost ground voxel, found without generating a chunk.

#include "terrain/noise_impl.h"
#include "terrain/volume.h"

/// A voxel column searched from the top down. Evaluates only the lattice points it needs: a chunk's
/// lattice would be a hundred times as many.
typedef struct VolumeProbe {
    const TrnTerrain *terrain;
    const TrnColumn *column;
    size_t point;             ///< lattice point at its corner of least x and z
    int64_t x, z;             ///< voxel of that point
    float weight_x, weight_z; ///< weights of the next points along x and z
    bool has_overhangs;
    struct {
        bool is_known;
        int64_t y;                   ///< of the lower points
        float ends[2][2];            ///< [z][y]: interpolated along x
    } cells[TRN_VOLUME_FIELD_COUNT]; ///< by field: the cell of the last evaluation
} VolumeProbe;

static VolumeProbe volume_probe(const TrnTerrain *terrain, const TrnColumn *column, uint32_t index)
{
    const uint32_t shift = TRN_LAND_SHIFT, mask = TRN_LAND_STEP - 1;
    const float part = 1.0f / (float)TRN_LAND_STEP;
    const uint32_t x = index % TRN_CHUNK_EDGE, z = index / TRN_CHUNK_EDGE;
    const TrnVoxel base = trn_coord_voxel(column->coord);
    VolumeProbe probe = {.terrain = terrain,
                         .column = column,
                         .point = (size_t)(z >> shift) * column->points + (x >> shift),
                         .x = base.x + (x & ~mask),
                         .z = base.z + (z & ~mask),
                         .weight_x = (float)(x & mask) * part,
                         .weight_z = (float)(z & mask) * part};
    const float *reaches = column->lattice_reaches + probe.point;
    const float others = reaches[1] + reaches[column->points] + reaches[column->points + 1];
    probe.has_overhangs = reaches[0] + others > 0.0f;
    return probe;
}

/// A field at a lattice point of the probe's cell.
static float volume_probe_point(const VolumeProbe *probe, int field, uint32_t by_x, uint32_t by_z,
                                int64_t y)
{
    const TrnColumn *column = probe->column;
    const size_t point = probe->point + by_x + (size_t)by_z * column->points;
    const TrnVoxel voxel = {probe->x + (int64_t)by_x * TRN_LAND_STEP, y,
                            probe->z + (int64_t)by_z * TRN_LAND_STEP};
    const float noise = trn_noise_at(&probe->terrain->noises[TRN_LAND_OVERHANG + field], voxel);
    if (field == TRN_VOLUME_OVERHANG) {
        return trn_volume_overhang(noise, column->lattice_reaches[point] *
                                              trn_volume_overhang_fade((float)y));
    }
    const TrnVolumeCaves caves = trn_volume_caves(probe->terrain, (float)y);
    if (field == TRN_VOLUME_CAVERN) {
        return noise - trn_volume_cavern_threshold(caves, column->lattice_heights[point], (float)y);
    }
    return noise * caves.narrowness;
}

/// A field between two lattice points along x. Points of weight 0 are skipped: they may lie outside
/// the column's lattice.
static float volume_probe_row(const VolumeProbe *probe, int field, uint32_t by_z, int64_t y)
{
    const float left = volume_probe_point(probe, field, 0, by_z, y);
    if (probe->weight_x == 0.0f) {
        return left;
    }
    return trn_land_lerp(left, volume_probe_point(probe, field, 1, by_z, y), probe->weight_x);
}

/// A field at a voxel, interpolated along x, y and z as in chunks.
static float volume_probe_field(VolumeProbe *probe, int field, int64_t y)
{
    const int64_t low = y & ~(int64_t)(TRN_LAND_STEP - 1);
    const uint32_t edges = probe->weight_z == 0.0f ? 1 : 2;
    float(*ends)[2] = probe->cells[field].ends;
    if (!probe->cells[field].is_known || probe->cells[field].y != low) {
        const bool is_next =
            probe->cells[field].is_known && probe->cells[field].y == low + TRN_LAND_STEP;
        for (uint32_t z = 0; z < edges; z++) {
            ends[z][1] =
                is_next ? ends[z][0] : volume_probe_row(probe, field, z, low + TRN_LAND_STEP);
            ends[z][0] = volume_probe_row(probe, field, z, low);
        }
        probe->cells[field].is_known = true;
        probe->cells[field].y = low;
    }
    const float weight = (float)(y - low) * (1.0f / TRN_LAND_STEP);
    const float near = trn_land_lerp(ends[0][0], ends[0][1], weight);
    return edges == 1 ? near
                      : trn_land_lerp(near, trn_land_lerp(ends[1][0], ends[1][1], weight),
                                      probe->weight_z);
}

/// Whether a voxel is in a cave, if it is rock.
static bool volume_probe_is_cave(VolumeProbe *probe, int64_t y)
{
    if (probe->terrain->shape.caves <= 0.0f || y < TRN_TERRAIN_LOWEST) {
        return false;
    }
    if (volume_probe_field(probe, TRN_VOLUME_CAVERN, y) > 0.0f) {
        return true;
    }
    const float a = volume_probe_field(probe, TRN_VOLUME_TUNNEL_A, y);
    if (a * a >= 1.0f) {
        return false;
    }
    const float b = volume_probe_field(probe, TRN_VOLUME_TUNNEL_B, y);
    return a * a + b * b < 1.0f;
}

int32_t trn_volume_height(const TrnTerrain *terrain, const TrnColumn *column, uint32_t index)
{
    const float height = column->heights[index], roof = (float)column->roofs[index];
    int32_t y = trn_land_floor(height);
    VolumeProbe probe = volume_probe(terrain, column, index);
    for (;; y--) {
        float depth = height - (float)y;
        if (probe.has_overhangs) {
            depth += volume_probe_field(&probe, TRN_VOLUME_OVERHANG, y);
        }
        const bool is_roofless = depth > roof;
        if (depth >= 0.0f && !(is_roofless && volume_probe_is_cave(&probe, y))) {
            return y;
        }
    }
}
