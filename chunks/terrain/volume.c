// Chunks: the land in space. What bends the surface (overhangs) and hollows the rock (caves) is
// sampled on a lattice of every fourth voxel along each axis and interpolated.

#include <string.h>

#include "base/memory.h"
#include "terrain/terrain_impl.h"

/// What is interpolated between lattice points.
enum {
    VOLUME_OVERHANG, ///< voxels by which the ground's surface is moved up: never more than 0
    VOLUME_TUNNEL_A, ///< a tunnel's inside is where the squares of both sum up to less than one
    VOLUME_TUNNEL_B,
    VOLUME_CAVERN, ///< a cavern's inside is where it is positive
    VOLUME_FIELD_COUNT
};

/// Caves get narrower towards the bottom of the world of caves, over so many voxels.
#define VOLUME_CAVE_TAPER 40.0f

/// Overhangs fade out towards the sea's level, over so many voxels.
#define VOLUME_OVERHANG_FADE 16.0f

/// Ores lie in squares of so many voxels, one lump each at most.
#define VOLUME_ORE_CELL 16
#define VOLUME_ORE_RADIUS 2
#define VOLUME_ORE_EDGE (2 * VOLUME_ORE_RADIUS + 1)

/// A chunk that is being made.
typedef struct Volume {
    const TrnTerrain *terrain;
    const TrnColumn *column;
    TrnVoxel origin; ///< of the first voxel
    uint32_t level;  ///< samples are 2^level voxels apart
    uint32_t shift;  ///< samples to a lattice cell: 2^shift
    uint32_t points; ///< of the lattice, along x and z
    uint32_t points_y;
    uint32_t extra; ///< samples above the chunk that are looked at, to know what lies on top
    bool has_overhangs, has_caves;
    float lowest; ///< no ground's surface lies lower in this chunk
    /// [points_y][points] whether the row of lattice cells that begins here may hold a cave.
    uint8_t may_be_hollow[(TRN_LAND_POINTS_MAX + 1) * TRN_LAND_POINTS_MAX];
    /// [points_y][points] whether a row of lattice points bounds such cells.
    uint8_t is_cave_row[(TRN_LAND_POINTS_MAX + 1) * TRN_LAND_POINTS_MAX];
    float *lattice[VOLUME_FIELD_COUNT]; ///< [points_y][points][points]
    float *rows[VOLUME_FIELD_COUNT]; ///< [points_y][points][TRN_CHUNK_EDGE], interpolated along x
} Volume;

/// One layer of samples.
typedef struct VolumeLayer {
    float raised[TRN_LAYER_VOXELS];   ///< by overhangs
    float depths[TRN_LAYER_VOXELS];   ///< voxels below the surface; negative above
    uint8_t hollow[TRN_LAYER_VOXELS]; ///< 1 in caves
} VolumeLayer;

static void volume_begin(Volume *volume, const TrnTerrain *terrain, const TrnColumn *column,
                         TrnCoord coord, uint32_t level)
{
    const TrnVoxel base = trn_coord_voxel(coord);
    const int64_t step = (int64_t)1 << level;
    *volume = (Volume){.terrain = terrain,
                       .column = column,
                       .origin = {base.x * step, base.y * step, base.z * step},
                       .level = level,
                       .shift = level < TRN_LAND_SHIFT ? TRN_LAND_SHIFT - level : 0,
                       .lowest = column->lowest};
    volume->points = ((uint32_t)TRN_CHUNK_EDGE >> volume->shift) + 1;
    volume->points_y = volume->points + 1;
    volume->extra = level < TRN_LAND_SHIFT ? (uint32_t)TRN_COVER_DEPTH_MAX >> level : 1;
    const float bottom = (float)volume->origin.y;
    const float top = (float)(volume->origin.y + (TRN_CHUNK_EDGE + (int64_t)volume->extra) * step);
    volume->has_overhangs =
        column->has_overhangs && bottom <= column->highest && top >= column->lowest - TRN_LAND_SKIN;
    volume->has_caves = terrain->shape.caves > 0.0f && bottom <= column->highest &&
                        top >= (float)TRN_TERRAIN_LOWEST;
}

static size_t volume_floats(uint32_t points, uint32_t points_y)
{
    const size_t rows = (size_t)points * points_y;
    return (rows * points + rows * TRN_CHUNK_EDGE) * VOLUME_FIELD_COUNT;
}

static void volume_lay_out(Volume *volume, float *floats)
{
    const size_t rows = (size_t)volume->points * volume->points_y;
    for (int i = 0; i < VOLUME_FIELD_COUNT; i++, floats += rows * volume->points) {
        volume->lattice[i] = floats;
    }
    for (int i = 0; i < VOLUME_FIELD_COUNT; i++, floats += rows * TRN_CHUNK_EDGE) {
        volume->rows[i] = floats;
    }
}

// ---- the lattice --------------------------------------------------------------------------------

static void volume_fill(const Volume *volume, uint32_t noise, float *out)
{
    const TrnNoiseGrid grid = {volume->origin, volume->level + volume->shift, volume->points,
                               volume->points_y, volume->points};
    (void)trn_noise_fill(&volume->terrain->noises[noise], &grid, out);
}

/// How much of overhangs there is at a height. They end above the sea, or hollows would fill with water.
static float volume_overhang_part(float y)
{
    const float sea = (float)TRN_TERRAIN_SEA_LEVEL;
    return trn_land_ramp(sea, sea + VOLUME_OVERHANG_FADE, y);
}

/// Brings a noise to the voxels by which it moves the surface.
/// @param reach  of the column, times volume_overhang_part
static float volume_overhang(float noise, float reach)
{
    return trn_land_clamp(noise - TRN_OVERHANG_BELOW, -TRN_OVERHANG_MOST, 0.0f) * reach;
}

/// Brings overhangs to voxels.
static void volume_shape_overhangs(Volume *volume)
{
    const int64_t step = (int64_t)1 << (volume->level + volume->shift);
    const size_t plane = (size_t)volume->points * volume->points;
    float least = 0.0f;
    for (size_t y = 0; y < volume->points_y; y++) {
        const float part = volume_overhang_part((float)(volume->origin.y + (int64_t)y * step));
        float *values = volume->lattice[VOLUME_OVERHANG] + y * plane;
        for (size_t i = 0; i < plane; i++) {
            values[i] = volume_overhang(values[i], volume->column->lattice_reaches[i] * part);
            least = values[i] < least ? values[i] : least;
        }
    }
    const float deepest = volume->column->lowest_height + least - TRN_LAND_SLACK;
    volume->lowest = deepest > volume->lowest ? deepest : volume->lowest;
}

/// How wide caves are at a height.
typedef struct VolumeCaves {
    float narrowness; ///< of tunnels: one over the noise at their walls
    float threshold;  ///< of caverns
} VolumeCaves;

static VolumeCaves volume_caves(const TrnTerrain *terrain, float y)
{
    const float caves = terrain->shape.caves;
    const float low = (float)TRN_TERRAIN_LOWEST;
    const float taper = trn_land_ramp(low, low + VOLUME_CAVE_TAPER, y);
    const float width = 0.058f * (0.4f + 0.6f * caves) * taper + 0.001f;
    return (VolumeCaves){1.0f / width, 0.325f - 0.09f * caves + (1.0f - taper) * 0.6f};
}

/// The threshold of caverns below a height of the ground: they get smaller towards the surface.
static float volume_cavern_threshold(VolumeCaves caves, float ground, float y)
{
    const float shallow = trn_land_clamp((34.0f - (ground - y)) * 0.04f, 0.0f, 1.0f);
    return caves.threshold + shallow * 0.12f;
}

/// Brings tunnels to a radius of one, and caverns to a threshold of zero.
/// @param y  voxel height of this plane of the lattice
static void volume_shape_caves(const Volume *volume, size_t plane_y, float y)
{
    const size_t plane = (size_t)volume->points * volume->points;
    const VolumeCaves caves = volume_caves(volume->terrain, y);
    float *a = volume->lattice[VOLUME_TUNNEL_A] + plane_y * plane;
    float *b = volume->lattice[VOLUME_TUNNEL_B] + plane_y * plane;
    float *cavern = volume->lattice[VOLUME_CAVERN] + plane_y * plane;
    const float *heights = volume->column->lattice_heights;
    for (size_t i = 0; i < plane; i++) {
        a[i] *= caves.narrowness;
        b[i] *= caves.narrowness;
        cavern[i] -= volume_cavern_threshold(caves, heights[i], y);
    }
}

/// @param is_needed  [points_y][points] which rows are, or NULL: all
static void volume_expand_rows(const Volume *volume, int field, const uint8_t *is_needed)
{
    const size_t rows = (size_t)volume->points * volume->points_y;
    const uint32_t cell = 1u << volume->shift;
    const float part = 1.0f / (float)cell;
    for (size_t row = 0; row < rows; row++) {
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

/// Least and greatest of a field around a row of lattice cells.
/// @param row  the number of the cells' first lattice point
static void volume_range(const Volume *volume, int field, size_t row, float range[2])
{
    const size_t above = (size_t)volume->points * volume->points;
    const float *values = volume->lattice[field] + row;
    float least = values[0], most = values[0];
    for (size_t i = 0; i < (size_t)volume->points * 2; i++) { // this row of points and the next
        const float low = values[i] < values[i + above] ? values[i] : values[i + above];
        const float high = values[i] < values[i + above] ? values[i + above] : values[i];
        least = low < least ? low : least;
        most = high > most ? high : most;
    }
    range[0] = least;
    range[1] = most;
}

/// Whether a row of cells may hold a cave: what is interpolated lies between its corners.
static bool volume_cells_may_be_hollow(const Volume *volume, size_t row)
{
    float a[2], b[2], cavern[2];
    volume_range(volume, VOLUME_CAVERN, row, cavern);
    if (cavern[1] > 0.0f) {
        return true;
    }
    volume_range(volume, VOLUME_TUNNEL_A, row, a);
    if (a[0] >= 1.0f || a[1] <= -1.0f) {
        return false;
    }
    volume_range(volume, VOLUME_TUNNEL_B, row, b);
    return b[0] < 1.0f && b[1] > -1.0f;
}

/// Finds the rows of cells that may hold a cave, and the rows of points that they lie between. Above all ground there is nothing
/// to hollow.
static void volume_bound_caves(Volume *volume)
{
    const size_t points = volume->points;
    const int64_t step = (int64_t)1 << (volume->level + volume->shift);
    memset(volume->may_be_hollow, 0, sizeof volume->may_be_hollow);
    memset(volume->is_cave_row, 0, sizeof volume->is_cave_row);
    for (size_t y = 0; y + 1 < volume->points_y &&
                       (float)(volume->origin.y + (int64_t)y * step) <= volume->column->highest;
         y++) {
        for (size_t z = 0; z + 1 < points; z++) {
            const size_t row = y * points + z;
            if (volume_cells_may_be_hollow(volume, row * points)) {
                volume->may_be_hollow[row] = 1;
                volume->is_cave_row[row] = volume->is_cave_row[row + 1] = 1;
                volume->is_cave_row[row + points] = volume->is_cave_row[row + points + 1] = 1;
            }
        }
    }
}

static void volume_sample(Volume *volume)
{
    const int64_t step = (int64_t)1 << (volume->level + volume->shift);
    if (volume->has_overhangs) {
        volume_fill(volume, TRN_LAND_OVERHANG, volume->lattice[VOLUME_OVERHANG]);
        volume_shape_overhangs(volume);
        volume_expand_rows(volume, VOLUME_OVERHANG, NULL);
    }
    if (!volume->has_caves) {
        return;
    }
    volume_fill(volume, TRN_LAND_TUNNEL_A, volume->lattice[VOLUME_TUNNEL_A]);
    volume_fill(volume, TRN_LAND_TUNNEL_B, volume->lattice[VOLUME_TUNNEL_B]);
    volume_fill(volume, TRN_LAND_CAVERN, volume->lattice[VOLUME_CAVERN]);
    for (size_t y = 0; y < volume->points_y; y++) {
        volume_shape_caves(volume, y, (float)(volume->origin.y + (int64_t)y * step));
    }
    volume_bound_caves(volume);
    for (int field = VOLUME_TUNNEL_A; field <= VOLUME_CAVERN; field++) {
        volume_expand_rows(volume, field, volume->is_cave_row);
    }
}

// ---- layers -------------------------------------------------------------------------------------

/// Interpolates a field over one layer of samples.
static void volume_expand_layer(const Volume *volume, int field, uint32_t y, float *out)
{
    const uint32_t cell = 1u << volume->shift, mask = cell - 1;
    const float part = 1.0f / (float)cell;
    const size_t plane = (size_t)volume->points * TRN_CHUNK_EDGE;
    const float *below = volume->rows[field] + (y >> volume->shift) * plane;
    const float *above = below + plane;
    const float weight = (float)(y & mask) * part;
    float between[TRN_LAND_POINTS_MAX * TRN_CHUNK_EDGE];
    for (size_t i = 0; i < plane; i++) {
        between[i] = trn_land_lerp(below[i], above[i], weight);
    }
    for (uint32_t z = 0; z < TRN_CHUNK_EDGE; z++) {
        const float *near = between + (size_t)(z >> volume->shift) * TRN_CHUNK_EDGE;
        const float *far = near + TRN_CHUNK_EDGE;
        const float weight_z = (float)(z & mask) * part;
        float *row = out + (size_t)z * TRN_CHUNK_EDGE;
        for (uint32_t x = 0; x < TRN_CHUNK_EDGE; x++) {
            // NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): volume_sample wrote all rows
            row[x] = trn_land_lerp(near[x], far[x], weight_z);
        }
    }
}

/// Which samples of one row of lattice cells lie in caves, were they in rock.
static void volume_hollow_cells(const Volume *volume, uint32_t y, uint32_t cell_z, uint8_t *hollow)
{
    const uint32_t cell = 1u << volume->shift;
    const float part = 1.0f / (float)cell;
    const float weight = (float)(y & (cell - 1)) * part;
    const size_t row = ((size_t)(y >> volume->shift) * volume->points + cell_z) * TRN_CHUNK_EDGE;
    const size_t plane = (size_t)volume->points * TRN_CHUNK_EDGE;
    float ends[3][2 * TRN_CHUNK_EDGE]; // interpolated along y, at both ends of the cells
    for (int field = 0; field < 3; field++) {
        const float *below = volume->rows[VOLUME_TUNNEL_A + field] + row;
        for (size_t i = 0; i < (size_t)2 * TRN_CHUNK_EDGE; i++) {
            ends[field][i] = trn_land_lerp(below[i], below[i + plane], weight);
        }
    }
    for (uint32_t z = 0; z < cell; z++, hollow += TRN_CHUNK_EDGE) {
        const float weight_z = (float)z * part;
        for (size_t x = 0; x < TRN_CHUNK_EDGE; x++) {
            const float a = trn_land_lerp(ends[0][x], ends[0][x + TRN_CHUNK_EDGE], weight_z);
            const float b = trn_land_lerp(ends[1][x], ends[1][x + TRN_CHUNK_EDGE], weight_z);
            const float cavern = trn_land_lerp(ends[2][x], ends[2][x + TRN_CHUNK_EDGE], weight_z);
            hollow[x] = (uint8_t)((a * a + b * b < 1.0f) | (cavern > 0.0f));
        }
    }
}

/// Which samples of a layer lie in caves, were they in rock. @return whether any may
static bool volume_hollow(const Volume *volume, uint32_t y, int64_t voxel_y, uint8_t *hollow)
{
    bool is_any = false;
    memset(hollow, 0, TRN_LAYER_VOXELS);
    if (!volume->has_caves || voxel_y < TRN_TERRAIN_LOWEST) {
        return false;
    }
    const uint8_t *may_be = volume->may_be_hollow + (size_t)(y >> volume->shift) * volume->points;
    for (uint32_t z = 0; z < (uint32_t)TRN_CHUNK_EDGE >> volume->shift; z++) {
        if (may_be[z]) {
            is_any = true;
            volume_hollow_cells(volume, y, z,
                                hollow + ((size_t)z << volume->shift) * TRN_CHUNK_EDGE);
        }
    }
    return is_any;
}

/// How deep below the surface the samples of a layer lie, and whether in caves.
static void volume_look(const Volume *volume, uint32_t y, int64_t voxel_y, VolumeLayer *layer)
{
    const TrnColumn *column = volume->column;
    const float height = (float)voxel_y;
    const bool is_any = volume_hollow(volume, y, voxel_y, layer->hollow);
    if (volume->has_overhangs) {
        volume_expand_layer(volume, VOLUME_OVERHANG, y, layer->raised);
        for (size_t i = 0; i < TRN_LAYER_VOXELS; i++) {
            layer->depths[i] = column->heights[i] - height + layer->raised[i];
        }
    } else {
        for (size_t i = 0; i < TRN_LAYER_VOXELS; i++) {
            layer->depths[i] = column->heights[i] - height;
        }
    }
    for (size_t i = 0; is_any && i < TRN_LAYER_VOXELS; i++) {
        const int is_roofed = layer->depths[i] > (float)column->roofs[i];
        layer->hollow[i] = (uint8_t)(layer->hollow[i] & is_roofed);
    }
}

// ---- rock ---------------------------------------------------------------------------------------

/// The rock of one layer of voxels. Most layers of voxels cut one or two layers of rock, and are then a fill or a choice; voxels
/// are looked up one by one only where there are more.
static void volume_rock(const Volume *volume, int64_t voxel_y, TrnBlock *rock)
{
    const int32_t *bends = volume->column->bend_range;
    const TrnBlock *strata = volume->terrain->strata;
    const int16_t *bent = volume->column->bends;
    const uint32_t mask = TRN_STRATA_PERIOD - 1, y = (uint32_t)voxel_y;
    const bool is_below = voxel_y < TRN_TERRAIN_LOWEST;
    const TrnBlock low =
        is_below ? (TrnBlock)TRN_BLOCK_STONE : strata[(y + (uint32_t)bends[0]) & mask];
    const TrnBlock high = is_below ? low : strata[(y + (uint32_t)bends[1]) & mask];
    int32_t change = bends[0]; // the first bend that is not in the lowest layer of rock
    while (change <= bends[1] && (is_below || strata[(y + (uint32_t)change) & mask] == low)) {
        change++;
    }
    int32_t end = change;
    while (end <= bends[1] && strata[(y + (uint32_t)end) & mask] == high) {
        end++;
    }
    if (end > bends[1]) {
        const int16_t from = (int16_t)change;
        for (size_t i = 0; i < TRN_LAYER_VOXELS; i++) {
            rock[i] = bent[i] < from ? low : high;
        }
        return;
    }
    for (size_t i = 0; i < TRN_LAYER_VOXELS; i++) {
        const int32_t place = (int32_t)y + bent[i];
        rock[i] = strata[(uint32_t)place & mask];
    }
}

/// A lump of ore, around a place in its square and inside it.
typedef struct VolumeOre {
    int64_t at[3];
    TrnBlock block;
    uint64_t hash;
} VolumeOre;

static bool volume_ore(const TrnTerrain *terrain, const int64_t cell[3], VolumeOre *ore)
{
    const uint64_t hash = trn_land_hash(terrain->seed ^ 0x4F5245, cell[0], cell[1], cell[2]);
    const uint32_t draw = (uint32_t)(hash >> 56);
    const int64_t room = VOLUME_ORE_CELL - 2 * VOLUME_ORE_RADIUS;
    for (int axis = 0; axis < 3; axis++) {
        ore->at[axis] = cell[axis] * VOLUME_ORE_CELL + VOLUME_ORE_RADIUS +
                        (int64_t)((hash >> (8 * axis) & 0xFF) % (uint64_t)room);
    }
    const int64_t y = ore->at[1];
    ore->hash = hash;
    ore->block = draw < 110   ? TRN_BLOCK_COAL_ORE
                 : draw < 170 ? TRN_BLOCK_IRON_ORE
                              : TRN_BLOCK_GOLD_ORE;
    if (y < TRN_TERRAIN_LOWEST + VOLUME_ORE_CELL || draw >= 200) {
        return false;
    }
    return draw < 110 || (draw < 170 ? y < 70 : y < -30);
}

static bool volume_is_rock(TrnBlock block)
{
    return block == TRN_BLOCK_STONE || (block >= TRN_BLOCK_SLATE && block <= TRN_BLOCK_GRANITE);
}

/// Writes a lump into the rock of a chunk, at levels 0 and 1.
static void volume_write_ore(const Volume *volume, const VolumeOre *ore, TrnBlock *blocks)
{
    const int32_t step = (int32_t)1 << volume->level;
    const int32_t at[3] = {(int32_t)(ore->at[0] - volume->origin.x),
                           (int32_t)(ore->at[1] - volume->origin.y),
                           (int32_t)(ore->at[2] - volume->origin.z)};
    for (int32_t i = 0; i < VOLUME_ORE_EDGE * VOLUME_ORE_EDGE * VOLUME_ORE_EDGE; i++) {
        const int32_t by[3] = {i % VOLUME_ORE_EDGE - VOLUME_ORE_RADIUS,
                               i / (VOLUME_ORE_EDGE * VOLUME_ORE_EDGE) - VOLUME_ORE_RADIUS,
                               i / VOLUME_ORE_EDGE % VOLUME_ORE_EDGE - VOLUME_ORE_RADIUS};
        const int32_t distance2 = by[0] * by[0] + by[1] * by[1] + by[2] * by[2];
        // Rugged: the surface of the lump is drawn by the bits of its hash.
        if (distance2 > 5 || distance2 > 2 + (int32_t)(ore->hash >> (i % 41 + 8) & 3)) {
            continue;
        }
        const int32_t x = at[0] + by[0], y = at[1] + by[1], z = at[2] + by[2];
        if ((x | y | z) & (step - 1)) {
            continue;
        }
        TrnBlock *block =
            &blocks[trn_local_index((uint32_t)x >> volume->level, (uint32_t)y >> volume->level,
                                    (uint32_t)z >> volume->level)];
        *block = volume_is_rock(*block) ? ore->block : *block;
    }
}

static void volume_write_ores(const Volume *volume, TrnBlock *blocks)
{
    const int64_t cells = ((int64_t)TRN_CHUNK_EDGE << volume->level) / VOLUME_ORE_CELL;
    for (int64_t i = 0; volume->level <= 1 && i < cells * cells * cells; i++) {
        const int64_t cell[3] = {volume->origin.x / VOLUME_ORE_CELL + i % cells,
                                 volume->origin.y / VOLUME_ORE_CELL + i / (cells * cells),
                                 volume->origin.z / VOLUME_ORE_CELL + i / cells % cells};
        VolumeOre ore;
        if (volume_ore(volume->terrain, cell, &ore) &&
            (float)(ore.at[1] - VOLUME_ORE_RADIUS) <= volume->column->highest) {
            volume_write_ore(volume, &ore, blocks);
        }
    }
}

// ---- blocks -------------------------------------------------------------------------------------

/// A column's covers unpacked, so that a layer of blocks is a few vector operations.
typedef struct VolumeCovers {
    TrnBlock tops[TRN_LAYER_VOXELS], fillers[TRN_LAYER_VOXELS];
    uint16_t
        thick[TRN_LAYER_VOXELS];     ///< samples from the top to the last of the filler; at least 1
    uint16_t runs[TRN_LAYER_VOXELS]; ///< samples of ground above and with the present one
} VolumeCovers;

static void volume_unpack_covers(const Volume *volume, VolumeCovers *covers)
{
    for (size_t i = 0; i < TRN_LAYER_VOXELS; i++) {
        const TrnCoverBlocks cover = trn_cover_blocks[volume->column->covers[i]];
        const uint32_t round_up = (1u << volume->level) - 1;
        const uint32_t thick = (cover.depth + round_up) >> volume->level;
        covers->tops[i] = cover.top;
        covers->fillers[i] = cover.filler;
        covers->thick[i] = (uint16_t)(cover.depth == 0 ? 0 : thick);
        covers->runs[i] = 0;
    }
}

/// Counts how much ground lies above, and how much of it can be covered.
static void volume_count_runs(const VolumeLayer *restrict layer, uint32_t level,
                              uint16_t *restrict runs)
{
    // A cave's floor is covered only near the surface.
    const float reach = 8.0f + (float)((uint32_t)1 << level);
    for (size_t i = 0; i < TRN_LAYER_VOXELS; i++) {
        const int is_ground = (layer->depths[i] >= 0.0f) & !layer->hollow[i];
        const int more = layer->depths[i] < reach ? 1 : TRN_COVER_DEPTH_MAX + 1;
        const int run = runs[i] + more;
        const int most = TRN_COVER_DEPTH_MAX + 1;
        runs[i] = (uint16_t)(is_ground ? (run < most ? run : most) : 0);
    }
}

/// Everything is read before it is chosen from: compilers make vector operations of nothing else.
static void volume_write_layer(const VolumeCovers *restrict covers,
                               const VolumeLayer *restrict layer, const TrnBlock *restrict rock,
                               TrnBlock open, TrnBlock *restrict blocks)
{
    for (size_t i = 0; i < TRN_LAYER_VOXELS; i++) {
        const uint16_t run = covers->runs[i], thick = covers->thick[i], hollow = layer->hollow[i];
        const TrnBlock top = covers->tops[i], filler = covers->fillers[i], stone = rock[i];
        TrnBlock block = run <= thick ? filler : stone;
        block = ((run == 1) & (thick != 0)) ? top : block;
        const TrnBlock empty = hollow ? (TrnBlock)TRN_BLOCK_AIR : open;
        blocks[i] = run == 0 ? empty : block;
    }
}

/// The sea's surface freezes; everywhere else there is water up to it.
static void volume_freeze(const TrnColumn *column, TrnBlock *blocks)
{
    for (size_t i = 0; i < TRN_LAYER_VOXELS; i++) {
        if (blocks[i] == TRN_BLOCK_WATER && column->plants[i] == TRN_BLOCK_ICE) {
            blocks[i] = TRN_BLOCK_ICE;
        }
    }
}

/// The voxel height of a layer.
static int64_t volume_layer_y(const Volume *volume, uint32_t y)
{
    return volume->origin.y + ((int64_t)y << volume->level);
}

/// Writes layers of air or water alone, from the top down. @return the first layer that the surface may cross, plus one
static uint32_t volume_write_open(const Volume *volume, TrnBlock *blocks)
{
    uint32_t y = TRN_CHUNK_EDGE + volume->extra;
    for (; y > 0 && (float)volume_layer_y(volume, y - 1) > volume->column->highest; y--) {
        if (y > TRN_CHUNK_EDGE) {
            continue;
        }
        const TrnBlock open = volume_layer_y(volume, y - 1) <= TRN_TERRAIN_SEA_LEVEL
                                  ? TRN_BLOCK_WATER
                                  : TRN_BLOCK_AIR;
        TrnBlock *out = &blocks[trn_local_index(0, y - 1, 0)];
        for (size_t i = 0; i < TRN_LAYER_VOXELS; i++) {
            out[i] = open;
        }
    }
    return y;
}

/// A layer that the surface may cross, or that lies just below.
static void volume_write_ground(const Volume *volume, uint32_t y, VolumeCovers *covers,
                                TrnBlock *blocks)
{
    VolumeLayer layer;
    TrnBlock rock[TRN_LAYER_VOXELS];
    const int64_t voxel_y = volume_layer_y(volume, y);
    volume_look(volume, y, voxel_y, &layer);
    volume_count_runs(&layer, volume->level, covers->runs);
    if (y < TRN_CHUNK_EDGE) {
        volume_rock(volume, voxel_y, rock);
        volume_write_layer(covers, &layer, rock,
                           voxel_y <= TRN_TERRAIN_SEA_LEVEL ? TRN_BLOCK_WATER : TRN_BLOCK_AIR,
                           &blocks[trn_local_index(0, y, 0)]);
    }
}

/// Writes the layers below that the surface may cross, and what lies just beneath it. @return as above: the first of rock and
/// caves alone
static uint32_t volume_write_surface(const Volume *volume, uint32_t y, TrnBlock *blocks)
{
    const float deep = volume->lowest - TRN_LAND_SKIN - (float)((uint32_t)1 << volume->level);
    if (y == 0 || (float)volume_layer_y(volume, y - 1) < deep) {
        return y;
    }
    VolumeCovers covers;
    volume_unpack_covers(volume, &covers);
    for (; y > 0 && (float)volume_layer_y(volume, y - 1) >= deep; y--) {
        volume_write_ground(volume, y - 1, &covers, blocks);
    }
    return y;
}

/// A layer of rock and caves alone.
static void volume_write_deep(const Volume *volume, uint32_t y, TrnBlock *blocks)
{
    uint8_t hollow[TRN_LAYER_VOXELS];
    const int64_t voxel_y = volume_layer_y(volume, y);
    volume_rock(volume, voxel_y, blocks);
    if (volume_hollow(volume, y, voxel_y, hollow)) {
        for (size_t i = 0; i < TRN_LAYER_VOXELS; i++) {
            blocks[i] = hollow[i] ? (TrnBlock)TRN_BLOCK_AIR : blocks[i];
        }
    }
}

/// All layers of a chunk from the top down, without what grows.
static void volume_write_layers(const Volume *volume, TrnBlock *blocks)
{
    uint32_t y = volume_write_surface(volume, volume_write_open(volume, blocks), blocks);
    for (y = y < TRN_CHUNK_EDGE ? y : TRN_CHUNK_EDGE; y > 0; y--) {
        volume_write_deep(volume, y - 1, &blocks[trn_local_index(0, y - 1, 0)]);
    }
    const int64_t sea = TRN_TERRAIN_SEA_LEVEL - volume->origin.y;
    if (sea >= 0 && sea < (int64_t)TRN_CHUNK_EDGE << volume->level) {
        volume_freeze(volume->column,
                      &blocks[trn_local_index(0, (uint32_t)(sea >> volume->level), 0)]);
    }
}

static void volume_write_plants(const Volume *volume, TrnBlock *blocks)
{
    const TrnColumn *column = volume->column;
    for (size_t i = 0; i < TRN_LAYER_VOXELS; i++) {
        const int64_t y = trn_land_floor(column->heights[i]) + 1 - volume->origin.y;
        if (column->plants[i] && column->plants[i] != TRN_BLOCK_ICE && y >= 0 &&
            y < TRN_CHUNK_EDGE) {
            TrnBlock *at = &blocks[(size_t)y * TRN_LAYER_VOXELS + i];
            *at = *at == TRN_BLOCK_AIR ? column->plants[i] : *at;
        }
    }
}

/// Whether a chunk is one single block, as the bounds of its column tell.
static bool volume_is_uniform(const Volume *volume, TrnBlock *block)
{
    const int64_t bottom = volume->origin.y;
    const int64_t top = bottom + ((int64_t)(TRN_CHUNK_EDGE - 1) << volume->level);
    const TrnColumn *column = volume->column;
    if (bottom > column->top && bottom > TRN_TERRAIN_SEA_LEVEL) {
        *block = TRN_BLOCK_AIR;
        return true;
    }
    if ((float)bottom > column->highest && top < TRN_TERRAIN_SEA_LEVEL) {
        *block = TRN_BLOCK_WATER;
        return true;
    }
    return false;
}

static bool volume_all_are_one(const TrnBlock *blocks)
{
    return memcmp(blocks, blocks + 1, (TRN_CHUNK_VOXELS - 1) * sizeof *blocks) == 0;
}

static bool volume_write(Volume *volume, float *floats, TrnBlock *blocks)
{
    volume_lay_out(volume, floats);
    volume_sample(volume);
    volume_write_layers(volume, blocks);
    volume_write_ores(volume, blocks);
    if (volume->level == 0) {
        volume_write_plants(volume, blocks);
        trn_trees_write(volume->column, volume->origin.y, blocks);
    }
    return volume_all_are_one(blocks);
}

bool trn_volume_chunk(const TrnTerrain *terrain, const TrnColumn *column, TrnCoord coord,
                      TrnBlock *blocks)
{
    float floats[(TRN_LAND_POINTS * (TRN_LAND_POINTS + 1) * (TRN_LAND_POINTS + TRN_CHUNK_EDGE)) *
                 VOLUME_FIELD_COUNT];
    Volume volume;
    volume_begin(&volume, terrain, column, coord, 0);
    return volume_is_uniform(&volume, &blocks[0]) || volume_write(&volume, floats, blocks);
}

size_t trn_volume_scratch_bytes(uint32_t level)
{
    const uint32_t shift = level < TRN_LAND_SHIFT ? TRN_LAND_SHIFT - level : 0;
    const uint32_t points = ((uint32_t)TRN_CHUNK_EDGE >> shift) + 1;
    return volume_floats(points, points + 1) * sizeof(float);
}

bool trn_volume_chunk_at(const TrnTerrain *terrain, const TrnColumn *column, TrnCoord coord,
                         uint32_t level, void *scratch, TrnBlock *blocks)
{
    Volume volume;
    volume_begin(&volume, terrain, column, coord, level);
    return volume_is_uniform(&volume, &blocks[0]) || volume_write(&volume, scratch, blocks);
}

// ---- heights ------------------------------------------------------------------------------------

/// A column of voxels that is looked at from the top down, lattice point by lattice point: a chunk's lattice would be a hundred
/// times as many.
typedef struct VolumeProbe {
    const TrnTerrain *terrain;
    const TrnColumn *column;
    size_t point;             ///< the lattice point in its north-western corner
    int64_t x, z;             ///< that point's voxel
    float weight_x, weight_z; ///< where the voxels lie between it and the next points
    bool has_overhangs;
    struct {
        bool is_known;
        int64_t y;               ///< of the lower points
        float ends[2][2];        ///< by z, then y: interpolated along x
    } cells[VOLUME_FIELD_COUNT]; ///< that were looked at last
} VolumeProbe;

static VolumeProbe volume_probe(const TrnTerrain *terrain, const TrnColumn *column, uint32_t level,
                                uint32_t place)
{
    const uint32_t shift = level < TRN_LAND_SHIFT ? TRN_LAND_SHIFT - level : 0;
    const uint32_t mask = (1u << shift) - 1;
    const float part = 1.0f / (float)(1u << shift);
    const uint32_t x = place % TRN_CHUNK_EDGE, z = place / TRN_CHUNK_EDGE;
    const TrnVoxel base = trn_coord_voxel(column->coord);
    VolumeProbe probe = {.terrain = terrain,
                         .column = column,
                         .point = (size_t)(z >> shift) * column->points + (x >> shift),
                         .x = (base.x + (x & ~mask)) * ((int64_t)1 << level),
                         .z = (base.z + (z & ~mask)) * ((int64_t)1 << level),
                         .weight_x = (float)(x & mask) * part,
                         .weight_z = (float)(z & mask) * part};
    const float *reaches = column->lattice_reaches + probe.point;
    const float beside = reaches[1] + reaches[column->points] + reaches[column->points + 1];
    probe.has_overhangs = reaches[0] + (shift > 0 ? beside : 0.0f) > 0.0f;
    return probe;
}

/// A field at a lattice point beside a probe.
static float volume_probe_point(const VolumeProbe *probe, int field, uint32_t by_x, uint32_t by_z,
                                int64_t y)
{
    const TrnColumn *column = probe->column;
    const size_t point = probe->point + by_x + (size_t)by_z * column->points;
    const TrnVoxel voxel = {probe->x + (int64_t)by_x * TRN_LAND_STEP, y,
                            probe->z + (int64_t)by_z * TRN_LAND_STEP};
    const float noise = trn_noise_at(&probe->terrain->noises[TRN_LAND_OVERHANG + field], voxel);
    if (field == VOLUME_OVERHANG) {
        return volume_overhang(noise,
                               column->lattice_reaches[point] * volume_overhang_part((float)y));
    }
    const VolumeCaves caves = volume_caves(probe->terrain, (float)y);
    if (field == VOLUME_CAVERN) {
        return noise - volume_cavern_threshold(caves, column->lattice_heights[point], (float)y);
    }
    return noise * caves.narrowness;
}

/// A field between two lattice points along x. What weighs nothing is not looked at: beyond a level's lattice it is not there.
static float volume_probe_row(const VolumeProbe *probe, int field, uint32_t by_z, int64_t y)
{
    const float left = volume_probe_point(probe, field, 0, by_z, y);
    if (probe->weight_x == 0.0f) {
        return left;
    }
    return trn_land_lerp(left, volume_probe_point(probe, field, 1, by_z, y), probe->weight_x);
}

/// A field at a voxel of a probe: interpolated as chunks are, along x, y and z.
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

/// Whether a voxel of a probe lies in a cave, were it in rock.
static bool volume_probe_is_hollow(VolumeProbe *probe, int64_t y)
{
    if (probe->terrain->shape.caves <= 0.0f || y < TRN_TERRAIN_LOWEST) {
        return false;
    }
    if (volume_probe_field(probe, VOLUME_CAVERN, y) > 0.0f) {
        return true;
    }
    const float a = volume_probe_field(probe, VOLUME_TUNNEL_A, y);
    if (a * a >= 1.0f) {
        return false;
    }
    const float b = volume_probe_field(probe, VOLUME_TUNNEL_B, y);
    return a * a + b * b < 1.0f;
}

int32_t trn_volume_height(const TrnTerrain *terrain, const TrnColumn *column, uint32_t level,
                          uint32_t place, bool has_caves)
{
    const float height = column->heights[place], roof = (float)column->roofs[place];
    int32_t y = trn_land_floor(height);
    VolumeProbe probe = volume_probe(terrain, column, level, place);
    for (;; y--) {
        float depth = height - (float)y;
        if (probe.has_overhangs) {
            depth += volume_probe_field(&probe, VOLUME_OVERHANG, y);
        }
        const bool is_roofless = has_caves && depth > roof;
        if (depth >= 0.0f && !(is_roofless && volume_probe_is_hollow(&probe, y))) {
            return y;
        }
    }
}
