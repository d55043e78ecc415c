// Chunks: the part of the land that 3D noise describes. What lowers the surface (overhangs) and
// what carves the rock (caves) is sampled on a lattice of every fourth voxel along each axis and
// interpolated.

#include "terrain/volume.h"

#include <string.h>

#include "terrain/caves.h"
#include "terrain/land_kernels.h"
#include "terrain/noise_impl.h"
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
    const TrnLandKernels *kernels;
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

static TrnNoiseGrid volume_grid(const Volume *volume, VolumePlanes planes)
{
    TrnNoiseGrid grid = {volume->origin, TRN_LAND_SHIFT, TRN_LAND_POINTS, planes.end - planes.first,
                         TRN_LAND_POINTS};
    grid.origin.y += (int64_t)planes.first * TRN_LAND_STEP;
    return grid;
}

static const TrnNoise *volume_noise(const Volume *volume, int field)
{
    return &volume->terrain->noises[TRN_LAND_OVERHANG + field];
}

static void volume_fill_noise(const Volume *volume, int field, VolumePlanes planes)
{
    const TrnNoiseGrid grid = volume_grid(volume, planes);
    (void)trn_noise_fill(volume_noise(volume, field), &grid,
                         volume->lattice[field] + planes.first * VOLUME_PLANE);
}

/// Adds layers of a noise to a field.
/// @param is_needed  [VOLUME_ROWS]; NULL for all rows
static void volume_add_layers(const Volume *volume, int field, VolumePlanes planes, uint32_t first,
                              uint32_t end, const uint8_t *is_needed)
{
    const TrnNoiseGrid grid = volume_grid(volume, planes);
    const TrnNoisePart part = {
        first, end, is_needed ? is_needed + (size_t)planes.first * TRN_LAND_POINTS : NULL};
    trn_noise_add_part(volume_noise(volume, field), &grid, &part,
                       volume->lattice[field] + planes.first * VOLUME_PLANE);
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

/// Scales a field of caves: tunnels to a radius of 1, caverns to a threshold of 0.
static void volume_scale_caves(const Volume *volume, int field, VolumePlanes planes)
{
    const float *heights = volume->column->lattice_heights;
    for (size_t plane = planes.first; plane < planes.end; plane++) {
        const float y = volume_plane_y(volume, plane);
        const TrnVolumeCaves caves = trn_volume_caves(volume->terrain, y);
        float *values = volume->lattice[field] + plane * VOLUME_PLANE;
        for (size_t i = 0; field != TRN_VOLUME_CAVERN && i < VOLUME_PLANE; i++) {
            values[i] *= caves.narrowness;
        }
        for (size_t i = 0; field == TRN_VOLUME_CAVERN && i < VOLUME_PLANE; i++) {
            values[i] -= trn_volume_cavern_threshold(caves, heights[i], y);
        }
    }
}

/// Interpolates a field along x.
/// @param is_needed  [VOLUME_ROWS] whether a row is needed; NULL for all
static void volume_interpolate_rows(const Volume *volume, int field, VolumePlanes planes,
                                    const uint8_t *is_needed)
{
    const size_t first = (size_t)TRN_LAND_POINTS * planes.first;
    volume->kernels->expand(volume->lattice[field] + first * TRN_LAND_POINTS,
                            (size_t)TRN_LAND_POINTS * planes.end - first,
                            is_needed ? is_needed + first : NULL,
                            volume->rows[field] + first * TRN_CHUNK_EDGE);
}

/// Least and greatest values of a field along rows of lattice points.
typedef struct VolumeRanges {
    float least[VOLUME_ROWS], most[VOLUME_ROWS];
} VolumeRanges;

static void volume_find_ranges(const Volume *volume, int field, VolumePlanes planes,
                               VolumeRanges *ranges)
{
    const size_t first = (size_t)TRN_LAND_POINTS * planes.first;
    volume->kernels->bound(volume->lattice[field] + first * TRN_LAND_POINTS,
                           (size_t)TRN_LAND_POINTS * planes.end - first, ranges->least + first,
                           ranges->most + first);
}

/// The least value of a field in a row of cells: interpolated values lie between those of the
/// corners.
/// @param values  least ones of rows of points
static float volume_cells_least(const float *values, size_t row)
{
    const size_t above = row + TRN_LAND_POINTS;
    const float low = values[row] < values[row + 1] ? values[row] : values[row + 1];
    const float high = values[above] < values[above + 1] ? values[above] : values[above + 1];
    return low < high ? low : high;
}

static float volume_cells_most(const float *values, size_t row)
{
    const size_t above = row + TRN_LAND_POINTS;
    const float low = values[row] > values[row + 1] ? values[row] : values[row + 1];
    const float high = values[above] > values[above + 1] ? values[above] : values[above + 1];
    return low > high ? low : high;
}

/// Whether a row of cells may hold a tunnel, by one of its fields.
static bool volume_cells_may_hold_tunnel(const VolumeRanges *tunnel, size_t row)
{
    return volume_cells_least(tunnel->least, row) < 1.0f &&
           volume_cells_most(tunnel->most, row) > -1.0f;
}

/// Marks the rows of points around a row of cells.
static void volume_mark_cells(uint8_t *is_needed, size_t row)
{
    is_needed[row] = is_needed[row + 1] = 1;
    is_needed[row + TRN_LAND_POINTS] = is_needed[row + TRN_LAND_POINTS + 1] = 1;
}

/// Marks the rows of cells that may hold a cave and the rows of points around them.
/// @param fields  ranges of tunnel A, tunnel B and caverns
static void volume_bound_caves(Volume *volume, VolumePlanes planes, const VolumeRanges fields[3])
{
    const size_t points = TRN_LAND_POINTS;
    for (size_t y = planes.first; y + 1 < planes.end; y++) {
        for (size_t z = 0; z + 1 < points; z++) {
            const size_t row = y * points + z;
            if (volume_cells_most(fields[2].most, row) > 0.0f ||
                (volume_cells_may_hold_tunnel(&fields[0], row) &&
                 volume_cells_may_hold_tunnel(&fields[1], row))) {
                volume->may_hold_cave[row] = 1;
                volume_mark_cells(volume->is_cave_row, row);
            }
        }
    }
}

static void volume_sample_overhangs(Volume *volume)
{
    const VolumePlanes planes =
        volume_planes(volume, volume_deep(volume->lowest), volume->column->highest);
    volume_fill_noise(volume, TRN_VOLUME_OVERHANG, planes);
    volume_scale_overhangs(volume, planes);
    volume_interpolate_rows(volume, TRN_VOLUME_OVERHANG, planes, NULL);
}

/// Margin for rounding in sums of layers.
#define VOLUME_LAYERS_MARGIN 1e-5f

/// The least that the first layer of caverns must be where there may be one, at a plane.
/// @param highest  lattice point of the column
static float volume_least_cavern(const Volume *volume, float highest, size_t plane)
{
    const TrnNoise *noise = volume_noise(volume, TRN_VOLUME_CAVERN);
    const float y = volume_plane_y(volume, plane);
    const TrnVolumeCaves caves = trn_volume_caves(volume->terrain, y);
    float least = trn_volume_cavern_threshold(caves, highest, y) - VOLUME_LAYERS_MARGIN;
    for (uint32_t layer = 1; layer < noise->layer_count; layer++) {
        least -= noise->layers[layer].weight;
    }
    return least;
}

/// Fills caverns: after the first layer, only in the cells whose corners the others may raise above
/// the threshold.
static void volume_sample_caverns(const Volume *volume, VolumePlanes planes, VolumeRanges *ranges)
{
    uint8_t is_needed[VOLUME_ROWS] = {0};
    float leasts[VOLUME_POINTS_Y];
    volume_add_layers(volume, TRN_VOLUME_CAVERN, planes, 0, 1, NULL);
    volume_find_ranges(volume, TRN_VOLUME_CAVERN, planes, ranges);
    const float highest = trn_land_most(volume->column->lattice_heights, VOLUME_PLANE);
    for (size_t plane = planes.first; plane < planes.end; plane++) {
        leasts[plane] = volume_least_cavern(volume, highest, plane);
    }
    bool is_any = false;
    for (size_t plane = planes.first; plane + 1 < planes.end; plane++) {
        const float least = leasts[plane] < leasts[plane + 1] ? leasts[plane] : leasts[plane + 1];
        for (size_t z = 0; z + 1 < TRN_LAND_POINTS; z++) {
            const size_t row = plane * TRN_LAND_POINTS + z;
            if (volume_cells_most(ranges->most, row) >= least) {
                volume_mark_cells(is_needed, row);
                is_any = true;
            }
        }
    }
    if (is_any) {
        volume_add_layers(volume, TRN_VOLUME_CAVERN, planes, 1,
                          volume_noise(volume, TRN_VOLUME_CAVERN)->layer_count, is_needed);
    }
    volume_scale_caves(volume, TRN_VOLUME_CAVERN, planes);
    volume_find_ranges(volume, TRN_VOLUME_CAVERN, planes, ranges);
}

/// Fills both fields of tunnels: B only where A is inside its radius. Elsewhere it counts nothing.
static void volume_sample_tunnels(const Volume *volume, VolumePlanes planes, VolumeRanges *a,
                                  VolumeRanges *b)
{
    uint8_t is_needed[VOLUME_ROWS] = {0};
    float *values = volume->lattice[TRN_VOLUME_TUNNEL_B] + planes.first * VOLUME_PLANE;
    volume_fill_noise(volume, TRN_VOLUME_TUNNEL_A, planes);
    volume_scale_caves(volume, TRN_VOLUME_TUNNEL_A, planes);
    volume_find_ranges(volume, TRN_VOLUME_TUNNEL_A, planes, a);
    bool is_any = false;
    for (size_t plane = planes.first; plane + 1 < planes.end; plane++) {
        for (size_t z = 0; z + 1 < TRN_LAND_POINTS; z++) {
            const size_t row = plane * TRN_LAND_POINTS + z;
            if (volume_cells_may_hold_tunnel(a, row)) {
                volume_mark_cells(is_needed, row);
                is_any = true;
            }
        }
    }
    memset(values, 0, (planes.end - planes.first) * VOLUME_PLANE * sizeof *values);
    if (is_any) {
        volume_add_layers(volume, TRN_VOLUME_TUNNEL_B, planes, 0,
                          volume_noise(volume, TRN_VOLUME_TUNNEL_B)->layer_count, is_needed);
        volume_scale_caves(volume, TRN_VOLUME_TUNNEL_B, planes);
    }
    volume_find_ranges(volume, TRN_VOLUME_TUNNEL_B, planes, b);
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
    VolumeRanges ranges[3];
    volume_sample_caverns(volume, planes, &ranges[2]);
    volume_sample_tunnels(volume, planes, &ranges[0], &ranges[1]);
    volume_bound_caves(volume, planes, ranges);
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

/// The square of the greatest distance of a vein's voxels.
#define VOLUME_VEIN_REACH2 5

TrnSlabRock trn_volume_rock(const TrnTerrain *terrain, const int32_t range[2], int64_t voxel_y)
{
    const TrnBlock *strata = terrain->strata;
    const uint32_t mask = TRN_STRATA_PERIOD - 1, y = (uint32_t)voxel_y;
    if (voxel_y < TRN_TERRAIN_LOWEST) {
        return (TrnSlabRock){.blocks = {TRN_BLOCK_STONE}};
    }
    TrnBlock block = strata[(y + (uint32_t)range[0]) & mask];
    TrnSlabRock rock = {.y = (uint8_t)(y & mask), .blocks = {block}};
    for (int32_t shift = range[0] + 1; shift <= range[1]; shift++) {
        const TrnBlock next = strata[(y + (uint32_t)shift) & mask];
        if (next == block) {
            continue;
        }
        if (rock.count == TRN_SLAB_CHANGES) {
            rock.is_mixed = true;
            break;
        }
        rock.changes[rock.count++] = (int16_t)shift;
        rock.blocks[rock.count] = block = next;
    }
    return rock;
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
    return distance2 <= 2 + (int32_t)(vein->hash >> (i % 41 + 8) & 3);
}

/// Writes a vein into the rock of a chunk.
static void volume_write_vein(const Volume *volume, const VolumeVein *vein, TrnBlock *blocks)
{
    const int32_t reach = VOLUME_VEIN_RADIUS;
    const int32_t at[3] = {(int32_t)(vein->at[0] - volume->origin.x),
                           (int32_t)(vein->at[1] - volume->origin.y),
                           (int32_t)(vein->at[2] - volume->origin.z)};
    const int32_t across = 2 * reach + 1;
    for (int32_t y = -reach; y <= reach; y++) {
        for (int32_t z = -reach; z <= reach; z++) {
            const int32_t middle = ((y + reach) * across + z + reach) * across + reach;
            const int32_t left = VOLUME_VEIN_REACH2 - y * y - z * z;
            const int32_t wide = left < 0 ? -1 : left == 0 ? 0 : left < 4 ? 1 : 2; // its root
            for (int32_t x = -wide; x <= wide; x++) {
                const int32_t to[3] = {at[0] + x, at[1] + y, at[2] + z};
                if (!volume_vein_fills(vein, middle + x, x * x + y * y + z * z)) {
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
    *volume =
        (Volume){.terrain = terrain,
                 .column = column,
                 .origin = trn_coord_voxel(coord),
                 .kernels = trn_kernels_at(&trn_land_kernels, trn_cpu_features(), terrain->kernels),
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
    float bottom;             ///< voxel y of the lowest layer
    uint32_t lowest_cave;     ///< lowest layer that may hold one
    int64_t sea;              ///< topmost layer of the sea
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
    const bool has_overhang = slab->least_overhang < 0.0f;
    const bool has_caves = volume->may_hold_cave[cells] && y >= slab->lowest_cave;
    return (TrnSlabLayer){
        .y = slab->bottom + (float)y,
        .weight = (float)(y % TRN_LAND_STEP) * (1.0f / (float)TRN_LAND_STEP),
        .overhang = has_overhang ? volume->rows[TRN_VOLUME_OVERHANG] + row : NULL,
        .caves = {has_caves ? volume->rows[TRN_VOLUME_TUNNEL_A] + row : NULL,
                  has_caves ? volume->rows[TRN_VOLUME_TUNNEL_B] + row : NULL,
                  has_caves ? volume->rows[TRN_VOLUME_CAVERN] + row : NULL},
        .rock = &slab->rocks[y < TRN_CHUNK_EDGE ? y : 0],
        .open = y <= slab->sea ? TRN_BLOCK_WATER : TRN_BLOCK_AIR,
    };
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
    slab.bottom = (float)volume->origin.y;
    const int64_t low = TRN_TERRAIN_LOWEST - volume->origin.y;
    slab.lowest_cave = low < 0 ? 0 : (uint32_t)low;
    slab.sea = TRN_TERRAIN_SEA_LEVEL - volume->origin.y;
    for (uint32_t cell_z = 0; cell_z + 1 < TRN_LAND_POINTS; cell_z++) {
        volume_begin_slab(&slab, cell_z);
        volume_write_slab(&slab, blocks + slab.first);
    }
    const int64_t sea = TRN_TERRAIN_SEA_LEVEL - volume->origin.y;
    if (sea >= 0 && sea < TRN_CHUNK_EDGE) {
        volume_freeze(volume->column, &blocks[trn_local_index(0, (uint32_t)sea, 0)]);
    }
}

/// Finds what is not rock in the layer above the chunk, as far as the lattice reaches: its lowest
/// plane above the chunk is that layer.
static void volume_find_above(const Volume *volume, const TrnSlabKernels *kernels, uint32_t *open)
{
    const uint32_t top = TRN_LAND_POINTS - 2; // the topmost cells
    for (uint32_t z = 0; z + 1 < TRN_LAND_POINTS; z++) {
        const size_t cells = (size_t)top * TRN_LAND_POINTS + z, row = cells * TRN_CHUNK_EDGE;
        uint32_t *rows = open + (size_t)z * TRN_LAND_STEP;
        memset(rows, 0, TRN_LAND_STEP * sizeof *rows);
        if (volume->may_hold_cave[cells]) {
            const TrnSlabLayer layer = {.weight = 1.0f,
                                        .caves = {volume->rows[TRN_VOLUME_TUNNEL_A] + row,
                                                  volume->rows[TRN_VOLUME_TUNNEL_B] + row,
                                                  volume->rows[TRN_VOLUME_CAVERN] + row}};
            kernels->caves(&layer, rows);
        }
    }
}

/// Gives caves their kinds.
static void volume_write_caves(const Volume *volume, TrnBlock *blocks)
{
    if (!volume->has_caves || !trn_caves_have_kinds(volume->terrain) ||
        !memchr(volume->may_hold_cave, 1, sizeof volume->may_hold_cave)) {
        return;
    }
    uint32_t above[TRN_CHUNK_EDGE];
    float least_overhang = 0.0f;
    for (size_t z = 0; z < TRN_LAND_POINTS; z++) {
        const float least = volume->least_overhangs[z];
        least_overhang = least < least_overhang ? least : least_overhang;
    }
    const TrnCaveSite site = {
        .terrain = volume->terrain,
        .column = volume->column,
        .kernels = trn_kernels_at(&trn_slab_kernels, trn_cpu_features(), volume->terrain->kernels),
        .origin = volume->origin,
        .least_overhang = least_overhang,
        .may_hold_cave = volume->may_hold_cave,
        .above = above};
    volume_find_above(volume, site.kernels, above);
    trn_caves_write(&site, blocks);
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

/// Writes a stalk of kelp, which ends below the water's surface.
/// @param y   of its lowest voxel, in the chunk
/// @param at  of the voxel column in the chunk's lowest layer
static void volume_write_kelp(const Volume *volume, size_t i, int64_t y, TrnBlock *at)
{
    const TrnVoxel origin = volume->origin;
    const uint64_t hash =
        trn_land_hash(volume->terrain->seed, origin.x + (int64_t)(i % TRN_CHUNK_EDGE), 2,
                      origin.z + (int64_t)(i / TRN_CHUNK_EDGE));
    const int64_t longest = y + TRN_KELP_LEAST + (int64_t)(hash % TRN_KELP_SPREAD);
    const int64_t surface = volume->column->waters[i] - TRN_KELP_DEPTH - origin.y;
    const int64_t end = longest < surface ? longest : surface;
    for (y = y < 0 ? 0 : y; y < end && y < TRN_CHUNK_EDGE; y++) {
        TrnBlock *voxel = at + (size_t)y * TRN_LAYER_VOXELS;
        *voxel = *voxel == TRN_BLOCK_WATER ? TRN_BLOCK_KELP : *voxel;
    }
}

static void volume_write_plants(const Volume *volume, TrnBlock *blocks)
{
    const TrnColumn *column = volume->column;
    const float high = column->has_kelp ? TRN_KELP_LEAST + TRN_KELP_SPREAD : 1.0f;
    if ((float)volume->origin.y > column->highest + high ||
        (float)(volume->origin.y + TRN_CHUNK_EDGE) < column->lowest_height) {
        return;
    }
    for (size_t i = 0; i < TRN_LAYER_VOXELS; i++) {
        const int64_t y = trn_land_floor(column->heights[i]) + 1 - volume->origin.y;
        if (column->plants[i] == TRN_BLOCK_KELP) {
            volume_write_kelp(volume, i, y, blocks + i);
        } else if (column->plants[i] && column->plants[i] != TRN_BLOCK_ICE && y >= 0 &&
                   y < TRN_CHUNK_EDGE) {
            TrnBlock *at = &blocks[(size_t)y * TRN_LAYER_VOXELS + i];
            const TrnBlock room =
                column->plants[i] == TRN_BLOCK_SEA_GRASS ? TRN_BLOCK_WATER : TRN_BLOCK_AIR;
            *at = *at == room ? column->plants[i] : *at;
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
    if (bottom > column->top && top < TRN_TERRAIN_SEA_LEVEL) {
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
    volume_write_caves(volume, blocks);
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
