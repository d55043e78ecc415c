// Caves of three kinds. Dry ones have spikes of dripstone; wet ones, under moist land, have pools
// with glowing moss around them; deep ones have lava and crystals.
//
// A chunk is written from its own voxels alone, and from the layer above it, so that chunks need no
// neighbours: rock beside a cave across the chunk's sides keeps its block. Cells of 8 x 8 voxel
// columns hold one round feature each, which never leaves its cell.

#include "terrain/caves.h"

#include <string.h>

/// Rock this far below the surface, in voxels, is a cave's and not a hillside's.
#define CAVE_DEPTH (TRN_COVER_REACH + 1.0f)

/// Voxel columns without a roof of this many voxels keep their caves as they are.
#define CAVE_ROOF 2

/// Features: cells along an edge of a chunk, and voxels along an edge of a cell.
#define CAVE_CELLS 4
#define CAVE_CELL (TRN_CHUNK_EDGE / CAVE_CELLS)

/// Of 256 cells, how many have a pool, and how many a cluster of things that stand and hang.
#define CAVE_POOL_CHANCE 90
#define CAVE_CLUSTER_CHANCE 120

/// The part of the strata's shift by which the heights of kinds vary.
#define CAVE_SHIFT_PART 4

/// A kind of cave. What is AIR does not occur.
typedef struct CaveKind {
    uint16_t since;             ///< version of the land
    int16_t highest;            ///< voxel y, on average
    int8_t least_damp;          ///< as TrnCaveMaps.damps
    TrnBlock wall, band;        ///< in place of stone, and of strata
    TrnBlock floor, patch;      ///< patches surround features
    TrnBlock pool, rim, bed;    ///< liquid; what lies around and below it
    TrnBlock foot;              ///< of clusters, in the rock
    TrnBlock standing, hanging; ///< of clusters: their ends
    TrnBlock stem;              ///< between the rock and the end
    uint8_t length;             ///< greatest, of what stands or hangs
    TrnBlock lamp;              ///< on some floors
} CaveKind;

/// The first row that fits a place is its kind.
static const CaveKind cave_kinds[] = {
    {.since = 5, // deep
     .highest = -84,
     .least_damp = INT8_MIN,
     .wall = TRN_BLOCK_BASALT,
     .band = TRN_BLOCK_BLACKSTONE,
     .floor = TRN_BLOCK_BASALT,
     .patch = TRN_BLOCK_BLACKSTONE,
     .pool = TRN_BLOCK_LAVA,
     .rim = TRN_BLOCK_MAGMA,
     .bed = TRN_BLOCK_MAGMA,
     .foot = TRN_BLOCK_AMETHYST,
     .standing = TRN_BLOCK_CRYSTAL_CLUSTER,
     .length = 1},
    {.since = 5, // wet
     .highest = INT16_MAX,
     .least_damp = 1,
     .wall = TRN_BLOCK_TUFF,
     .band = TRN_BLOCK_SLATE,
     .floor = TRN_BLOCK_GRAVEL,
     .patch = TRN_BLOCK_MOSS,
     .pool = TRN_BLOCK_WATER,
     .rim = TRN_BLOCK_GLOWING_MOSS,
     .bed = TRN_BLOCK_CLAY,
     .foot = TRN_BLOCK_MOSS,
     .standing = TRN_BLOCK_LICHEN_FLAT,
     .length = 1},
    {.since = 5, // dry
     .highest = INT16_MAX,
     .least_damp = INT8_MIN,
     .wall = TRN_BLOCK_DRIPSTONE,
     .band = TRN_BLOCK_LIMESTONE,
     .floor = TRN_BLOCK_DRIPSTONE,
     .patch = TRN_BLOCK_GRAVEL,
     .rim = TRN_BLOCK_GRAVEL,
     .foot = TRN_BLOCK_DRIPSTONE,
     .standing = TRN_BLOCK_STALAGMITE,
     .hanging = TRN_BLOCK_STALACTITE,
     .stem = TRN_BLOCK_SPIKE,
     .length = 4,
     .lamp = TRN_BLOCK_LICHEN_FLAT},
};
#define CAVE_KIND_COUNT (sizeof cave_kinds / sizeof *cave_kinds)

/// A chunk whose caves are being written.
typedef struct CaveChunk {
    const TrnCaveSite *site;
    TrnBlock *blocks;
    /// [y + 1][z + 1] bit x: air of caves, of which none opens to the surface
    uint32_t air[TRN_CHUNK_EDGE + 2][TRN_CHUNK_EDGE + 2];
    uint32_t rows[TRN_CHUNK_EDGE + 2]; ///< [y + 1] bit z: `air` is not 0
    /// by z of lattice cells, bit x: where they are in the current layer; they do not overlap
    uint32_t kinds[CAVE_KIND_COUNT][TRN_LAND_POINTS - 1];
    uint32_t present[CAVE_KIND_COUNT], present_count; ///< the kinds of the current layer
} CaveChunk;

static bool cave_kind_holds(const TrnTerrain *terrain, const CaveKind *kind)
{
    return kind->since <= terrain->version;
}

bool trn_caves_have_kinds(const TrnTerrain *terrain)
{
    bool has_any = false;
    for (size_t i = 0; i < CAVE_KIND_COUNT; i++) {
        has_any |= cave_kind_holds(terrain, &cave_kinds[i]);
    }
    return has_any && terrain->shape.caves > 0.0f;
}

// ---- air ----------------------------------------------------------------------------------------

/// The heights below which air is a cave's.
typedef struct CaveLimits {
    int16_t at[TRN_LAYER_VOXELS];                        ///< layers from the chunk's lowest
    int16_t least[TRN_CHUNK_EDGE], most[TRN_CHUNK_EDGE]; ///< by z
} CaveLimits;

static void cave_find_limits(const TrnCaveSite *site, CaveLimits *limits)
{
    const float bottom = (float)site->origin.y - site->least_overhang + CAVE_DEPTH;
    for (size_t z = 0; z < TRN_CHUNK_EDGE; z++) {
        int16_t least = INT16_MAX, most = INT16_MIN;
        for (size_t x = 0; x < TRN_CHUNK_EDGE; x++) {
            const size_t i = z * TRN_CHUNK_EDGE + x;
            const int16_t limit = (int16_t)(site->column->heights[i] - bottom);
            limits->at[i] = limit;
            least = limit < least ? limit : least;
            most = limit > most ? limit : most;
        }
        limits->least[z] = least;
        limits->most[z] = most;
    }
}

/// Keeps the voxels of a row that lie below the limits. @param air  bit x
static uint32_t cave_limit_row(const CaveLimits *limits, int16_t y, size_t z, uint32_t air)
{
    if (y < limits->least[z] || y >= limits->most[z]) {
        return y < limits->least[z] ? air : 0;
    }
    for (uint32_t rest = air; rest; rest &= rest - 1) {
        const uint32_t x = (uint32_t)__builtin_ctz(rest);
        air &= y < limits->at[z * TRN_CHUNK_EDGE + x] ? UINT32_MAX : ~(UINT32_C(1) << x);
    }
    return air;
}

/// Keeps the air of caves among what is not rock in a layer of a slab.
/// @param open    [TRN_LAND_STEP] by z from `first` on, bit x
/// @param limits  NULL: all of it is below them
static void cave_keep_air(CaveChunk *chunk, uint32_t y, uint32_t first, const uint32_t *open,
                          const CaveLimits *limits)
{
    uint32_t rows = 0;
    for (uint32_t i = 0; i < TRN_LAND_STEP; i++) {
        uint32_t air = open[i] & chunk->site->column->caves.closed[first + i];
        air = air && limits ? cave_limit_row(limits, (int16_t)y, first + i, air) : air;
        chunk->air[y + 1][first + i + 1] = air;
        rows |= (uint32_t)(air != 0) << i;
    }
    chunk->rows[y + 1] |= rows << first;
}

/// Finds the air of a slab's caves.
static void cave_find_slab(CaveChunk *chunk, uint32_t cell_z, const CaveLimits *limits)
{
    const TrnCaveSite *site = chunk->site;
    const uint32_t z = cell_z * TRN_LAND_STEP;
    int32_t end = TRN_CHUNK_EDGE; // above there is no cave
    for (uint32_t i = 0; i < TRN_LAND_STEP && limits; i++) {
        end = i == 0 || limits->most[z + i] > end ? limits->most[z + i] : end;
    }
    for (uint32_t cell_y = 0; cell_y + 1 < TRN_LAND_POINTS; cell_y++) {
        if ((int32_t)cell_y * TRN_LAND_STEP >= end) {
            break;
        }
        if (!site->may_hold_cave[cell_y * TRN_LAND_POINTS + cell_z]) {
            continue;
        }
        for (uint32_t i = 0; i < TRN_LAND_STEP; i++) {
            const uint32_t y = cell_y * TRN_LAND_STEP + i;
            uint32_t open[TRN_LAND_STEP];
            site->kernels->open(&chunk->blocks[trn_local_index(0, y, z)], open);
            if (open[0] | open[1] | open[2] | open[3]) {
                cave_keep_air(chunk, y, z, open, limits);
            }
        }
    }
    cave_keep_air(chunk, TRN_CHUNK_EDGE, z, site->above + z, limits);
}

/// Finds the air of the chunk's caves. @return whether there is any
static bool cave_find_air(CaveChunk *chunk)
{
    const TrnCaveSite *site = chunk->site;
    const float top = (float)(site->origin.y + TRN_CHUNK_EDGE + 1);
    const bool is_deep = site->column->lowest_height + site->least_overhang - CAVE_DEPTH > top;
    CaveLimits limits;
    if (!is_deep) {
        cave_find_limits(site, &limits);
    }
    for (uint32_t cell_z = 0; cell_z + 1 < TRN_LAND_POINTS; cell_z++) {
        cave_find_slab(chunk, cell_z, is_deep ? NULL : &limits);
    }
    uint32_t any = 0;
    for (uint32_t y = 0; y < TRN_CHUNK_EDGE + 2; y++) {
        any |= chunk->rows[y];
    }
    return any != 0;
}

// ---- kinds --------------------------------------------------------------------------------------

/// Finds the kinds of a layer.
static void cave_find_kinds(CaveChunk *chunk, uint32_t layer)
{
    const TrnColumn *column = chunk->site->column;
    const uint32_t cells = TRN_LAND_POINTS - 1, last = CAVE_KIND_COUNT - 1;
    bool has[CAVE_KIND_COUNT] = {false};
    memset(chunk->kinds, 0, sizeof chunk->kinds);
    for (uint32_t i = 0; i < TRN_LAND_CELLS; i++) {
        const uint32_t x = i % cells * TRN_LAND_STEP, z = i / cells * TRN_LAND_STEP;
        const int64_t y = chunk->site->origin.y + layer +
                          column->strata_shifts[z * TRN_CHUNK_EDGE + x] / CAVE_SHIFT_PART;
        uint32_t k = 0;
        while (k < last && !(cave_kind_holds(chunk->site->terrain, &cave_kinds[k]) &&
                             y <= cave_kinds[k].highest &&
                             column->caves.damps[i] >= cave_kinds[k].least_damp)) {
            k++;
        }
        chunk->kinds[k][i / cells] |= UINT32_C(0xF) << x;
        has[k] = true;
    }
    chunk->present_count = 0;
    for (uint32_t k = 0; k <= last; k++) {
        if (has[k]) {
            chunk->present[chunk->present_count++] = k;
        }
    }
}

/// Whether kinds change between the layers of a chunk.
static bool cave_kinds_change(const TrnCaveSite *site)
{
    const int32_t *shifts = site->column->strata_shift_range;
    const int64_t low = site->origin.y + shifts[0] / CAVE_SHIFT_PART;
    const int64_t high = site->origin.y + TRN_CHUNK_EDGE + shifts[1] / CAVE_SHIFT_PART;
    bool is_any = false;
    for (uint32_t k = 0; k < CAVE_KIND_COUNT; k++) {
        is_any |= low <= cave_kinds[k].highest && cave_kinds[k].highest < high;
    }
    return is_any;
}

// ---- columns ------------------------------------------------------------------------------------

/// The voxels of a row at most a distance from one of them. @param left2  the distance squared
static uint32_t cave_disc_row(int32_t x, int32_t left2)
{
    static const uint8_t widths[25] = {0, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3,
                                       3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4, 4}; // square roots
    if (left2 < 0) {
        return 0;
    }
    const uint32_t wide = widths[left2];
    return (uint32_t)(((UINT64_C(2) << 2 * wide) - 1) << (x + 8 - (int32_t)wide) >> 8);
}

/// Places the features of a column's cells.
static void cave_place_features(const TrnTerrain *terrain, TrnColumn *column)
{
    const TrnVoxel base = trn_coord_voxel(column->coord);
    TrnCaveMaps *maps = &column->caves;
    for (int32_t i = 0; i < CAVE_CELLS * CAVE_CELLS; i++) {
        int32_t x = i % CAVE_CELLS * CAVE_CELL, z = i / CAVE_CELLS * CAVE_CELL;
        const uint64_t hash = trn_land_hash(terrain->seed ^ 0x43415645, base.x + x, 0, base.z + z);
        const int32_t radius2 = 4 + (int32_t)(hash >> 2 & 7), draw = (int32_t)(hash >> 56);
        const bool is_pool = draw < CAVE_POOL_CHANCE;
        const bool is_cluster = !is_pool && draw < CAVE_POOL_CHANCE + CAVE_CLUSTER_CHANCE;
        x += CAVE_CELL / 2 - (int32_t)(hash & 1);
        z += CAVE_CELL / 2 - (int32_t)(hash >> 1 & 1);
        for (int32_t row = z < 4 ? 0 : z - 4; row <= z + 4 && row < TRN_CHUNK_EDGE; row++) {
            const int32_t left2 = radius2 - (row - z) * (row - z);
            const uint32_t own = cave_disc_row(x, left2);
            maps->patches[row] |= cave_disc_row(x, left2 + 9);
            maps->pools[row] |= is_pool ? own : 0;
            maps->rims[row] |= is_pool ? cave_disc_row(x, left2 + 5) : 0;
            maps->clusters[row] |= is_cluster ? own : 0;
        }
    }
}

/// Finds where no cave opens in a row of roofs. @return bit x
static uint32_t cave_closed_row(const int8_t *roofs)
{
    int8_t least = roofs[0];
    for (size_t x = 1; x < TRN_CHUNK_EDGE; x++) {
        least = roofs[x] < least ? roofs[x] : least;
    }
    uint32_t closed = UINT32_MAX;
    for (size_t x = 0; x < TRN_CHUNK_EDGE && least < CAVE_ROOF; x++) {
        closed ^= (uint32_t)(roofs[x] < CAVE_ROOF) << x;
    }
    return closed;
}

void trn_caves_begin_column(const TrnTerrain *terrain, const TrnLandLattice *lattice,
                            TrnColumn *column)
{
    const size_t skip = TRN_TREE_REACH / TRN_LAND_STEP, cells = TRN_LAND_POINTS - 1;
    TrnCaveMaps *maps = &column->caves;
    memset(maps, 0, sizeof *maps);
    for (size_t i = 0; i < TRN_LAND_CELLS; i++) {
        const size_t at = (i / cells + skip) * lattice->points + i % cells + skip;
        const float damp = 150.0f * lattice->fields[TRN_LAND_FIELD_MOISTURE][at] +
                           1.5f * lattice->fields[TRN_LAND_FIELD_STRATA_SHIFT][at];
        maps->damps[i] = (int8_t)trn_land_clamp(damp, -100.0f, 100.0f);
    }
    for (size_t z = 0; z < TRN_CHUNK_EDGE; z++) {
        maps->closed[z] = cave_closed_row(column->roofs + z * TRN_CHUNK_EDGE);
    }
    cave_place_features(terrain, column);
}

// ---- floors and ceilings ------------------------------------------------------------------------

/// A row of rock beside the air of caves, each bit x.
typedef struct CaveRow {
    TrnBlock *blocks;
    uint32_t y, z;
    uint32_t floors, ceilings; ///< they do not overlap
    uint32_t random;           ///< cave_random
} CaveRow;

/// Whether a block holds a liquid in.
static bool cave_is_tight(TrnBlock block, TrnBlock liquid)
{
    const bool is_thing = block == TRN_BLOCK_SPIKE || block == TRN_BLOCK_LICHEN_FLAT ||
                          (block >= TRN_BLOCK_STALAGMITE && block <= TRN_BLOCK_CRYSTAL_CLUSTER);
    return block == liquid || (block != TRN_BLOCK_AIR && block != TRN_BLOCK_WATER &&
                               block != TRN_BLOCK_LAVA && !is_thing);
}

/// Writes a pool into the floor where it cannot flow out. Voxels at the chunk's sides may be
/// beside a cave.
/// @param pool  bit x
static void cave_write_pool(const CaveKind *kind, const CaveRow *row, uint32_t pool)
{
    const uint32_t last = TRN_CHUNK_EDGE - 1;
    const bool is_inside = row->y > 0 && row->z > 0 && row->z < last;
    pool &= is_inside && kind->pool ? ~(UINT32_C(1) | UINT32_C(1) << last) : 0;
    for (; pool; pool &= pool - 1) {
        TrnBlock *at = row->blocks + __builtin_ctz(pool);
        if (cave_is_tight(at[-1], kind->pool) && cave_is_tight(at[1], kind->pool) &&
            cave_is_tight(at[-TRN_CHUNK_EDGE], kind->pool) &&
            cave_is_tight(at[TRN_CHUNK_EDGE], kind->pool) &&
            cave_is_tight(at[-(ptrdiff_t)TRN_LAYER_VOXELS], kind->pool)) {
            *at = kind->pool;
            at[-(ptrdiff_t)TRN_LAYER_VOXELS] = kind->bed;
        }
    }
}

/// Writes what stands on the floor or hangs from the ceiling.
/// @param things  bit x
/// @param step    1: up; -1: down
static void cave_write_things(const CaveKind *kind, const CaveRow *row, uint32_t things,
                              int32_t step)
{
    const TrnBlock end = step > 0 ? kind->standing : kind->hanging;
    for (things = end ? things : 0; things; things &= things - 1) {
        const uint32_t x = (uint32_t)__builtin_ctz(things);
        const uint32_t length = 1 + (row->random >> x / 2) % kind->length;
        TrnBlock *before = NULL, *at = row->blocks + x;
        for (uint32_t i = 1; i <= length; i++) {
            const uint32_t y = row->y + (uint32_t)step * i; // below 0 it wraps
            at += step * (ptrdiff_t)TRN_LAYER_VOXELS;
            if (y >= TRN_CHUNK_EDGE || *at != TRN_BLOCK_AIR) {
                break;
            }
            if (before) {
                *before = kind->stem;
            }
            *at = end;
            before = at;
        }
    }
}

/// Writes lamps on a floor. @param lamps  bit x
static void cave_write_lamps(const CaveKind *kind, const CaveRow *row, uint32_t lamps)
{
    for (lamps = row->y + 1 < TRN_CHUNK_EDGE ? lamps : 0; lamps; lamps &= lamps - 1) {
        TrnBlock *at = row->blocks + TRN_LAYER_VOXELS + __builtin_ctz(lamps);
        *at = *at == TRN_BLOCK_AIR ? kind->lamp : *at;
    }
}

// ---- rock ---------------------------------------------------------------------------------------

static void cave_paint(const CaveChunk *chunk, const CaveRow *row, uint32_t mask, TrnBlock stone,
                       TrnBlock strata)
{
    if (mask) {
        chunk->site->kernels->paint(row->blocks, mask, stone, strata);
    }
}

/// Random bits of a row.
static uint32_t cave_random(const CaveChunk *chunk, const CaveRow *row)
{
    const TrnVoxel origin = chunk->site->origin;
    const uint32_t hash =
        ((uint32_t)origin.x * 73856093u ^ (uint32_t)(origin.y + row->y) * 19349663u ^
         (uint32_t)(origin.z + row->z) * 83492791u) *
        2246822519u;
    return (hash ^ hash >> 15) * 2654435761u;
}

/// Writes the features of one kind in a row. Paint is no rock that the next one would replace.
/// @param own  bit x: floors and ceilings of the kind in patches, which surround all features
static void cave_write_features(const CaveChunk *chunk, const CaveKind *kind, uint32_t own,
                                CaveRow *row)
{
    const TrnCaveMaps *maps = &chunk->site->column->caves;
    const uint32_t floors = row->floors & own, clusters = own & maps->clusters[row->z];
    const uint32_t random = row->random = cave_random(chunk, row);
    const uint32_t rims = floors & maps->rims[row->z] & random & random >> 9;
    const uint32_t few = clusters & random & random >> 7;
    cave_paint(chunk, row, clusters, kind->foot, kind->foot);
    cave_paint(chunk, row, rims, kind->rim, kind->rim);
    cave_paint(chunk, row, floors, kind->patch, kind->patch);
    cave_write_pool(kind, row, floors & maps->pools[row->z]);
    if (kind->lamp) {
        cave_write_lamps(kind, row, floors & random & random >> 5 & random >> 11 & ~clusters);
    }
    cave_write_things(kind, row, few & row->floors, 1);
    cave_write_things(kind, row, few & row->ceilings, -1);
}

/// Writes the rock of a row beside air.
static void cave_write_row(const CaveChunk *chunk, uint32_t y, uint32_t z)
{
    const uint32_t *air = &chunk->air[y + 1][z + 1];
    const uint32_t own = air[0], above = air[TRN_CHUNK_EDGE + 2];
    const uint32_t below = *(air - (TRN_CHUNK_EDGE + 2));
    const uint32_t sides = air[-1] | air[1] | own << 1 | own >> 1;
    const TrnCaveMaps *maps = &chunk->site->column->caves;
    const uint32_t rock = (above | below | sides) & ~own & maps->closed[z];
    CaveRow row = {.blocks = &chunk->blocks[trn_local_index(0, y, z)],
                   .y = y,
                   .z = z,
                   .floors = rock & above,
                   .ceilings = rock & below & ~above};
    const uint32_t featured = (row.floors | row.ceilings) & maps->patches[z];
    for (uint32_t i = 0; i < chunk->present_count && rock; i++) {
        const uint32_t k = chunk->present[i], of_kind = chunk->kinds[k][z / TRN_LAND_STEP];
        const CaveKind *kind = &cave_kinds[k];
        if (featured & of_kind) {
            cave_write_features(chunk, kind, featured & of_kind, &row);
        }
        cave_paint(chunk, &row, rock & ~above & of_kind, kind->wall, kind->band);
        cave_paint(chunk, &row, row.floors & ~featured & of_kind, kind->floor, kind->floor);
    }
}

void trn_caves_write(const TrnCaveSite *site, TrnBlock *blocks)
{
    CaveChunk chunk;
    chunk.site = site;
    chunk.blocks = blocks;
    memset(chunk.air, 0, sizeof chunk.air);
    memset(chunk.rows, 0, sizeof chunk.rows);
    if (!cave_find_air(&chunk)) {
        return;
    }
    const bool is_layered = cave_kinds_change(site);
    cave_find_kinds(&chunk, 0);
    for (uint32_t y = 0; y < TRN_CHUNK_EDGE; y++) {
        const uint32_t own = chunk.rows[y + 1];
        uint32_t rows = own | own << 1 | own >> 1 | chunk.rows[y] | chunk.rows[y + 2];
        if (is_layered && y % TRN_LAND_STEP == 0) {
            cave_find_kinds(&chunk, y);
        }
        for (; rows; rows &= rows - 1) {
            cave_write_row(&chunk, y, (uint32_t)__builtin_ctz(rows));
        }
    }
}
