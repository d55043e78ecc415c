// Chunks: the part of the land that 3D noise describes. What lowers the surface (overhangs) and
// what carves the rock (caves) is sampled on a lattice of every fourth voxel along each axis and
// interpolated.

#include "terrain/volume.h"

#include <string.h>

#include "terrain/trees.h"

/// Layers above the chunk that are sampled to find what covers its top.
#define VOLUME_EXTRA_LAYERS TRN_COVER_DEPTH_MAX

/// Lattice points along y, up to the extra layers, and rows of points in all planes.
#define VOLUME_POINTS_Y (TRN_LAND_POINTS + VOLUME_EXTRA_LAYERS / TRN_LAND_STEP)
#define VOLUME_ROWS ((size_t)VOLUME_POINTS_Y * TRN_LAND_POINTS)

/// A chunk that is being generated.
typedef struct Volume {
    const TrnTerrain *terrain;
    const TrnColumn *column;
    TrnVoxel origin; ///< of the first voxel
    bool has_overhangs, has_caves;
    float lowest; ///< lower bound of the surface in this chunk
    /// least overhang of a row of lattice points, over all heights; 0 or less
    float least_overhangs[TRN_LAND_POINTS];
    /// by y, then z: whether the row of lattice cells that begins here may hold a cave
    uint8_t may_hold_cave[VOLUME_ROWS];
    /// by y, then z: whether a row of lattice points bounds such cells
    uint8_t is_cave_row[VOLUME_ROWS];
    float *lattice[TRN_VOLUME_FIELD_COUNT]; ///< [VOLUME_ROWS][TRN_LAND_POINTS]
    /// [VOLUME_ROWS][TRN_CHUNK_EDGE]: the lattice, interpolated along x
    float *rows[TRN_VOLUME_FIELD_COUNT];
} Volume;

/// Layers below this height hold only rock and caves.
/// @param lowest  lower bound of the surface
static float volume_deep(float lowest)
{
    return lowest - TRN_LAND_SURFACE_DEPTH - 1.0f;
}

// ---- the lattice --------------------------------------------------------------------------------

/// Voxel y of a plane of the lattice.
static float volume_plane_y(const Volume *volume, size_t plane)
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
static VolumePlanes volume_planes(const Volume *volume, float low, float high)
{
    VolumePlanes planes = {0, VOLUME_POINTS_Y};
    while (planes.first + 1 < planes.end && volume_plane_y(volume, planes.first + 1) <= low) {
        planes.first++;
    }
    while (planes.end > planes.first + 1 && volume_plane_y(volume, planes.end - 2) > high) {
        planes.end--;
    }
    return planes;
}

/// @param out  [VOLUME_ROWS][TRN_LAND_POINTS], of which it writes some planes
static void volume_fill_noise(const Volume *volume, uint32_t noise, VolumePlanes planes, float *out)
{
    TrnNoiseGrid grid = {volume->origin, TRN_LAND_SHIFT, TRN_LAND_POINTS, planes.end - planes.first,
                         TRN_LAND_POINTS};
    grid.origin.y += (int64_t)planes.first * TRN_LAND_STEP;
    (void)trn_noise_fill(&volume->terrain->noises[noise], &grid, out + planes.first * VOLUME_PLANE);
}

/// Converts overhang noise to offsets in voxels.
static void volume_scale_overhangs(Volume *volume, VolumePlanes planes)
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
static void volume_scale_caves(const Volume *volume, size_t plane_y, float y)
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
/// @param is_needed  [VOLUME_ROWS] whether a row is needed; NULL for all
static void volume_interpolate_rows(const Volume *volume, int field, VolumePlanes planes,
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
static VolumeRange volume_range(const Volume *volume, int field, size_t row)
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

static VolumeCaveRanges volume_cave_ranges(const Volume *volume, size_t row)
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
static void volume_bound_caves(Volume *volume, VolumePlanes planes)
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

static void volume_sample_overhangs(Volume *volume)
{
    const VolumePlanes planes =
        volume_planes(volume, volume_deep(volume->lowest), volume->column->highest);
    volume_fill_noise(volume, TRN_LAND_OVERHANG, planes, volume->lattice[TRN_VOLUME_OVERHANG]);
    volume_scale_overhangs(volume, planes);
    volume_interpolate_rows(volume, TRN_VOLUME_OVERHANG, planes, NULL);
}

static void volume_sample_caves(Volume *volume)
{
    // The layers above the chunk matter only if the surface may reach them.
    const int64_t above = volume->origin.y + TRN_CHUNK_EDGE;
    const int64_t end = above + VOLUME_EXTRA_LAYERS;
    const bool is_deep = (float)end < volume_deep(volume->lowest);
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

/// Fills the lattices of a chunk, finds where caves are possible, and interpolates along x. Raises
/// volume->lowest to the chunk's own bound.
static void volume_sample(Volume *volume)
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

// ---- rock ---------------------------------------------------------------------------------------

/// Each cube of this many voxels along an edge holds at most one vein.
#define VOLUME_VEIN_CELL 16
#define VOLUME_VEIN_RADIUS 2

TrnSlabRock trn_volume_rock(const TrnTerrain *terrain, const int32_t range[2], int64_t voxel_y)
{
    const TrnBlock *strata = terrain->strata;
    const uint32_t mask = TRN_STRATA_PERIOD - 1, y = (uint32_t)voxel_y;
    if (voxel_y < TRN_TERRAIN_LOWEST) {
        return (TrnSlabRock){.low = TRN_BLOCK_STONE, .high = TRN_BLOCK_STONE};
    }
    const TrnBlock low = strata[(y + (uint32_t)range[0]) & mask];
    const TrnBlock high = strata[(y + (uint32_t)range[1]) & mask];
    int32_t change = range[0]; // first shift outside the lowest stratum
    while (change <= range[1] && strata[(y + (uint32_t)change) & mask] == low) {
        change++;
    }
    int32_t end = change;
    while (end <= range[1] && strata[(y + (uint32_t)end) & mask] == high) {
        end++;
    }
    return (TrnSlabRock){.is_mixed = end <= range[1],
                         .y = (uint8_t)(y & mask),
                         .change = (int16_t)change,
                         .low = low,
                         .high = high};
}

/// An ore vein: a lump around a position inside its cell.
typedef struct VolumeVein {
    int64_t at[3];
    TrnBlock block;
    uint64_t hash;
} VolumeVein;

static bool volume_find_vein(const TrnTerrain *terrain, const int64_t cell[3], VolumeVein *vein)
{
    const uint64_t hash = trn_land_hash(terrain->seed ^ 0x4F5245, cell[0], cell[1], cell[2]);
    const uint32_t draw = (uint32_t)(hash >> 56);
    const int64_t range = VOLUME_VEIN_CELL - 2 * VOLUME_VEIN_RADIUS;
    for (int axis = 0; axis < 3; axis++) {
        vein->at[axis] = cell[axis] * VOLUME_VEIN_CELL + VOLUME_VEIN_RADIUS +
                         (int64_t)((hash >> (8 * axis) & 0xFF) % (uint64_t)range);
    }
    const int64_t y = vein->at[1];
    vein->hash = hash;
    vein->block = draw < 110   ? TRN_BLOCK_COAL_ORE
                  : draw < 170 ? TRN_BLOCK_IRON_ORE
                               : TRN_BLOCK_GOLD_ORE;
    if (y < TRN_TERRAIN_LOWEST + VOLUME_VEIN_CELL || draw >= 200) {
        return false;
    }
    return draw < 110 || (draw < 170 ? y < 70 : y < -30);
}

static bool volume_is_rock(TrnBlock block)
{
    return block == TRN_BLOCK_STONE || (block >= TRN_BLOCK_SLATE && block <= TRN_BLOCK_GRANITE);
}

/// Whether a vein fills a voxel. Bits of the hash make its surface irregular.
/// @param i  number of the voxel in the vein's box
static bool volume_vein_fills(const VolumeVein *vein, int32_t i, int32_t distance2)
{
    return distance2 <= 5 && distance2 <= 2 + (int32_t)(vein->hash >> (i % 41 + 8) & 3);
}

/// Writes a vein into the rock of a chunk.
static void volume_write_vein(const Volume *volume, const VolumeVein *vein, TrnBlock *blocks)
{
    const int32_t reach = VOLUME_VEIN_RADIUS;
    const int32_t at[3] = {(int32_t)(vein->at[0] - volume->origin.x),
                           (int32_t)(vein->at[1] - volume->origin.y),
                           (int32_t)(vein->at[2] - volume->origin.z)};
    int32_t i = 0;
    for (int32_t y = -reach; y <= reach; y++) {
        for (int32_t z = -reach; z <= reach; z++) {
            for (int32_t x = -reach; x <= reach; x++, i++) {
                const int32_t to[3] = {at[0] + x, at[1] + y, at[2] + z};
                if (!volume_vein_fills(vein, i, x * x + y * y + z * z)) {
                    continue;
                }
                TrnBlock *block =
                    &blocks[trn_local_index((uint32_t)to[0], (uint32_t)to[1], (uint32_t)to[2])];
                *block = volume_is_rock(*block) ? vein->block : *block;
            }
        }
    }
}

/// Writes the ore veins of a chunk into its rock.
static void volume_write_ores(const Volume *volume, TrnBlock *blocks)
{
    const int64_t cells = TRN_CHUNK_EDGE / VOLUME_VEIN_CELL;
    for (int64_t i = 0; i < cells * cells * cells; i++) {
        const int64_t cell[3] = {volume->origin.x / VOLUME_VEIN_CELL + i % cells,
                                 volume->origin.y / VOLUME_VEIN_CELL + i / (cells * cells),
                                 volume->origin.z / VOLUME_VEIN_CELL + i / cells % cells};
        VolumeVein vein;
        if (volume_find_vein(volume->terrain, cell, &vein) &&
            (float)(vein.at[1] - VOLUME_VEIN_RADIUS) <= volume->column->highest) {
            volume_write_vein(volume, &vein, blocks);
        }
    }
}

// ---- chunks -------------------------------------------------------------------------------------

static void volume_begin(Volume *volume, const TrnTerrain *terrain, const TrnColumn *column,
                         TrnCoord coord)
{
    *volume = (Volume){.terrain = terrain,
                       .column = column,
                       .origin = trn_coord_voxel(coord),
                       .lowest = column->lowest};
    const float bottom = (float)volume->origin.y;
    const float top = (float)(volume->origin.y + TRN_CHUNK_EDGE + VOLUME_EXTRA_LAYERS);
    volume->has_overhangs = column->has_overhangs && bottom <= column->highest &&
                            top >= column->lowest - TRN_LAND_SURFACE_DEPTH;
    volume->has_caves = terrain->shape.caves > 0.0f && bottom <= column->highest &&
                        top >= (float)TRN_TERRAIN_LOWEST;
}

static void volume_assign_arrays(Volume *volume, float *floats)
{
    const size_t rows = VOLUME_ROWS;
    for (int i = 0; i < TRN_VOLUME_FIELD_COUNT; i++, floats += rows * TRN_LAND_POINTS) {
        volume->lattice[i] = floats;
    }
    for (int i = 0; i < TRN_VOLUME_FIELD_COUNT; i++, floats += rows * TRN_CHUNK_EDGE) {
        volume->rows[i] = floats;
    }
}

// ---- slabs --------------------------------------------------------------------------------------

/// A slab of a chunk and the kernels that write it.
typedef struct VolumeSlab {
    const Volume *volume;
    const TrnSlabKernels *kernels;
    const TrnSlabRock *rocks; ///< [TRN_CHUNK_EDGE]
    uint32_t cell_z;
    size_t first;          ///< sample
    float lowest, highest; ///< bounds of the surface
    float least_overhang;
    TrnSlab samples;
} VolumeSlab;

/// Voxel y of a layer.
static int64_t volume_layer_y(const Volume *volume, uint32_t y)
{
    return volume->origin.y + y;
}

static TrnBlock volume_open_block(int64_t voxel_y)
{
    return voxel_y <= TRN_TERRAIN_SEA_LEVEL ? TRN_BLOCK_WATER : TRN_BLOCK_AIR;
}

static void volume_unpack_covers(VolumeSlab *slab)
{
    const uint8_t *covers = slab->volume->column->covers + slab->first;
    TrnSlab *samples = &slab->samples;
    for (size_t i = 0; i < TRN_SLAB_SAMPLES; i++) {
        const TrnCoverBlocks cover = trn_cover_blocks[covers[i]];
        samples->tops[i] = cover.top;
        samples->fillers[i] = cover.filler;
        samples->thick[i] = cover.depth;
        samples->runs[i] = 0;
    }
}

/// Begins a slab and bounds its surface.
static void volume_begin_slab(VolumeSlab *slab, uint32_t cell_z)
{
    const Volume *volume = slab->volume;
    const TrnColumn *column = volume->column;
    const size_t first = cell_z * TRN_SLAB_SAMPLES;
    const float near = volume->least_overhangs[cell_z], far = volume->least_overhangs[cell_z + 1];
    slab->cell_z = cell_z;
    slab->first = first;
    slab->least_overhang = near < far ? near : far;
    slab->samples.heights = column->heights + first;
    slab->samples.roofs = column->roofs + first;
    slab->samples.shifts = column->strata_shifts + first;
    slab->samples.strata = volume->terrain->strata;
    slab->kernels->bound(&slab->samples);
    const float lowest = slab->samples.least + slab->least_overhang - TRN_LAND_ROUNDING_MARGIN;
    slab->lowest = lowest > volume->lowest ? lowest : volume->lowest;
    slab->highest = slab->samples.most + TRN_LAND_ROUNDING_MARGIN;
}

static TrnSlabLayer volume_slab_layer(const VolumeSlab *slab, uint32_t y)
{
    const Volume *volume = slab->volume;
    const size_t cells = (size_t)(y / TRN_LAND_STEP) * TRN_LAND_POINTS + slab->cell_z;
    const size_t row = cells * TRN_CHUNK_EDGE;
    const int64_t voxel_y = volume_layer_y(volume, y);
    TrnSlabLayer layer = {.y = (float)voxel_y,
                          .weight = (float)(y % TRN_LAND_STEP) * (1.0f / (float)TRN_LAND_STEP),
                          .open = volume_open_block(voxel_y)};
    if (y < TRN_CHUNK_EDGE) {
        layer.rock = slab->rocks[y];
    }
    if (slab->least_overhang < 0.0f) {
        layer.overhang = volume->rows[TRN_VOLUME_OVERHANG] + row;
    }
    if (volume->may_hold_cave[cells] && voxel_y >= TRN_TERRAIN_LOWEST) {
        for (int i = 0; i < 3; i++) {
            layer.caves[i] = volume->rows[TRN_VOLUME_TUNNEL_A + i] + row;
        }
    }
    return layer;
}

/// Writes the layers above the surface, of air or water alone, from the top down.
/// @return index + 1 of the first layer that the surface may cross
static uint32_t volume_write_above(const VolumeSlab *slab, TrnBlock *blocks)
{
    const Volume *volume = slab->volume;
    uint32_t y = TRN_CHUNK_EDGE + VOLUME_EXTRA_LAYERS;
    for (; y > 0 && (float)volume_layer_y(volume, y - 1) > slab->highest; y--) {
        if (y > TRN_CHUNK_EDGE) {
            continue;
        }
        const TrnBlock open = volume_open_block(volume_layer_y(volume, y - 1));
        TrnBlock *out = &blocks[trn_local_index(0, y - 1, 0)];
        for (size_t i = 0; i < TRN_SLAB_SAMPLES; i++) {
            out[i] = open;
        }
    }
    return y;
}

/// Writes the layers that the surface may cross and those just below it.
/// @return index + 1 of the first layer of rock and caves alone
static uint32_t volume_write_surface(VolumeSlab *slab, uint32_t y, TrnBlock *blocks)
{
    const Volume *volume = slab->volume;
    const float deep = volume_deep(slab->lowest);
    if (y == 0 || (float)volume_layer_y(volume, y - 1) < deep) {
        return y;
    }
    volume_unpack_covers(slab);
    for (; y > 0 && (float)volume_layer_y(volume, y - 1) >= deep; y--) {
        const TrnSlabLayer layer = volume_slab_layer(slab, y - 1);
        slab->kernels->surface(&slab->samples, &layer,
                               y > TRN_CHUNK_EDGE ? NULL : &blocks[trn_local_index(0, y - 1, 0)]);
    }
    return y;
}

/// Writes all layers of a slab from the top down.
/// @param blocks  at the slab's first sample
static void volume_write_slab(VolumeSlab *slab, TrnBlock *blocks)
{
    uint32_t y = volume_write_surface(slab, volume_write_above(slab, blocks), blocks);
    for (y = y < TRN_CHUNK_EDGE ? y : TRN_CHUNK_EDGE; y > 0; y--) {
        const TrnSlabLayer layer = volume_slab_layer(slab, y - 1);
        slab->kernels->rock(&slab->samples, &layer, &blocks[trn_local_index(0, y - 1, 0)]);
    }
}

/// Turns the surface of a cold sea to ice.
static void volume_freeze(const TrnColumn *column, TrnBlock *blocks)
{
    for (size_t i = 0; i < TRN_LAYER_VOXELS; i++) {
        if (blocks[i] == TRN_BLOCK_WATER && column->plants[i] == TRN_BLOCK_ICE) {
            blocks[i] = TRN_BLOCK_ICE;
        }
    }
}

/// Writes all layers of a chunk, without ores, plants and trees.
static void volume_write_layers(const Volume *volume, TrnBlock *blocks)
{
    TrnSlabRock rocks[TRN_CHUNK_EDGE];
    for (uint32_t y = 0; y < TRN_CHUNK_EDGE; y++) {
        rocks[y] = trn_volume_rock(volume->terrain, volume->column->strata_shift_range,
                                   volume_layer_y(volume, y));
    }
    VolumeSlab slab;
    slab.volume = volume;
    slab.kernels = trn_kernels_at(&trn_slab_kernels, trn_cpu_features(), volume->terrain->kernels);
    slab.rocks = rocks;
    for (uint32_t cell_z = 0; cell_z + 1 < TRN_LAND_POINTS; cell_z++) {
        volume_begin_slab(&slab, cell_z);
        volume_write_slab(&slab, blocks + slab.first);
    }
    const int64_t sea = TRN_TERRAIN_SEA_LEVEL - volume->origin.y;
    if (sea >= 0 && sea < TRN_CHUNK_EDGE) {
        volume_freeze(volume->column, &blocks[trn_local_index(0, (uint32_t)sea, 0)]);
    }
}

/// Closes caves that would open next to a fall.
static void volume_seal_falls(const Volume *volume, TrnBlock *blocks)
{
    const TrnColumn *column = volume->column;
    for (uint32_t k = 0; k < column->seal_count; k++) {
        const TrnSeal seal = column->seals[k];
        const int64_t low = seal.bottom - volume->origin.y;
        const int64_t high = trn_land_floor(column->heights[seal.index]) - volume->origin.y;
        for (int64_t y = low < 0 ? 0 : low; y <= high && y < TRN_CHUNK_EDGE; y++) {
            TrnBlock *at = &blocks[(size_t)y * TRN_LAYER_VOXELS + seal.index];
            *at = *at == TRN_BLOCK_AIR ? TRN_BLOCK_STONE : *at;
        }
    }
}

/// Fills rivers and lakes above the sea.
static void volume_fill_rivers(const Volume *volume, TrnBlock *blocks)
{
    const TrnColumn *column = volume->column;
    if (column->water_top <= TRN_TERRAIN_SEA_LEVEL || volume->origin.y > column->water_top) {
        return;
    }
    volume_seal_falls(volume, blocks);
    for (size_t i = 0; i < TRN_LAYER_VOXELS; i++) {
        const int64_t surface = column->waters[i], last = volume->origin.y + TRN_CHUNK_EDGE - 1;
        if (surface <= TRN_TERRAIN_SEA_LEVEL || !trn_column_is_wet(column, i)) {
            continue;
        }
        int64_t y = trn_land_floor(column->heights[i]) + 1;
        for (y = y < volume->origin.y ? volume->origin.y : y; y <= surface && y <= last; y++) {
            const bool is_ice = y == surface && column->plants[i] == TRN_BLOCK_ICE;
            blocks[(size_t)(y - volume->origin.y) * TRN_LAYER_VOXELS + i] =
                is_ice ? TRN_BLOCK_ICE : TRN_BLOCK_WATER;
        }
    }
}

static void volume_write_plants(const Volume *volume, TrnBlock *blocks)
{
    const TrnColumn *column = volume->column;
    if ((float)volume->origin.y > column->highest + 1.0f ||
        (float)(volume->origin.y + TRN_CHUNK_EDGE) < column->lowest_height) {
        return;
    }
    for (size_t i = 0; i < TRN_LAYER_VOXELS; i++) {
        const int64_t y = trn_land_floor(column->heights[i]) + 1 - volume->origin.y;
        if (column->plants[i] && column->plants[i] != TRN_BLOCK_ICE && y >= 0 &&
            y < TRN_CHUNK_EDGE) {
            TrnBlock *at = &blocks[(size_t)y * TRN_LAYER_VOXELS + i];
            *at = *at == TRN_BLOCK_AIR ? column->plants[i] : *at;
        }
    }
}

/// Whether the column's bounds show that a chunk is one block.
static bool volume_is_uniform(const Volume *volume, TrnBlock *block)
{
    const int64_t bottom = volume->origin.y;
    const int64_t top = bottom + TRN_CHUNK_EDGE - 1;
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

/// Writes a chunk.
/// @return whether it is uniform
static bool volume_write(Volume *volume, float *floats, TrnBlock *blocks)
{
    volume_assign_arrays(volume, floats);
    volume_sample(volume);
    volume_write_layers(volume, blocks);
    volume_write_ores(volume, blocks);
    volume_fill_rivers(volume, blocks);
    volume_write_plants(volume, blocks);
    trn_trees_write(volume->column, volume->origin.y, blocks);
    // Each block equals the next: the chunk is uniform.
    return memcmp(blocks, blocks + 1, (TRN_CHUNK_VOXELS - 1) * sizeof *blocks) == 0;
}

bool trn_volume_generate(const TrnTerrain *terrain, const TrnColumn *column, TrnCoord coord,
                         TrnBlock *blocks)
{
    float floats[TRN_VOLUME_FIELD_COUNT * VOLUME_ROWS * (TRN_LAND_POINTS + TRN_CHUNK_EDGE)];
    Volume volume;
    volume_begin(&volume, terrain, column, coord);
    return volume_is_uniform(&volume, &blocks[0]) || volume_write(&volume, floats, blocks);
}

// ---- heights ------------------------------------------------------------------------------------

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
