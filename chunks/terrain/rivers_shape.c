// Rivers and lakes in the heights of a column: valleys and banks in its lattice, beds at its
// samples. Each sample is computed from its position alone, so columns and levels agree.

#include <string.h>

#include "terrain/rivers_impl.h"

/// Part of a lake's weight from which on it may hold water. Below it a rim holds the water in.
#define RIVER_LAKE_EDGE 0.3f

/// Voxels beside a bed where the ground is as high as the water.
#define RIVER_BANK 1.8f

/// Voxels behind a fall's lip that water falls through, and where banks are as high as above it.
#define RIVER_FALL 1.6f
#define RIVER_FALL_BANK 4.5f

/// How far ground stands above the water that it holds in, so that rounding leaves a voxel.
#define RIVER_BRIM 0.3f

#define RIVER_FAR 1e9f

/// Square root by Newton's method: compilers call the C library's for it.
static float river_root(float square)
{
    uint32_t bits;
    memcpy(&bits, &square, sizeof bits);
    bits = 0x5F375A86u - (bits >> 1);
    float inverse;
    memcpy(&inverse, &bits, sizeof inverse);
    const float half = 0.5f * square;
    for (int i = 0; i < 3; i++) {
        inverse = inverse * (1.5f - half * inverse * inverse);
    }
    return square * inverse;
}

/// A point beside one piece of a river.
typedef struct RiverNear {
    float distance; ///< from its middle
    float width;    ///< half of the river's there
    float along;    ///< from the piece's beginning; negative before it
} RiverNear;

static RiverNear river_near(const TrnRiverEdge *edge, int piece, float x, float z)
{
    const float dx = edge->x[piece + 1] - edge->x[piece], dz = edge->z[piece + 1] - edge->z[piece];
    const float length2 = dx * dx + dz * dz + 1e-6f;
    const float from_x = x - edge->x[piece], from_z = z - edge->z[piece];
    const float whole = (from_x * dx + from_z * dz) / length2;
    const float part = trn_land_clamp(whole, 0.0f, 1.0f);
    const float off_x = from_x - part * dx, off_z = from_z - part * dz;
    const float at = ((float)piece + part) * (1.0f / TRN_RIVER_PIECES);
    return (RiverNear){river_root(off_x * off_x + off_z * off_z),
                       trn_land_lerp(edge->widths[0], edge->widths[1], at),
                       whole * river_root(length2)};
}

// ---- valleys ------------------------------------------------------------------------------------

/// What rivers and lakes do to the ground at a point.
typedef struct RiverGround {
    float gap;   ///< voxels to the nearest bank; negative in a bed
    float cap;   ///< the ground is at most this high
    float raise; ///< and at least this
    float lake;  ///< 0..1: weight of a lake; 0: there is none
    float level; ///< of the lake
} RiverGround;

/// Looks for lakes: the weights of the cells around a point, whose lakes are the same one.
static void river_look_lake(const TrnRivers *rivers, float x, float z, RiverGround *ground)
{
    const float cell = 1.0f / (float)TRN_RIVER_CELL;
    const float at_x = x * cell - 0.5f, at_z = z * cell - 0.5f;
    const int32_t first_x = trn_land_floor(at_x), first_z = trn_land_floor(at_z);
    const float part_x = at_x - (float)first_x, part_z = at_z - (float)first_z;
    for (int32_t i = 0; i < 4; i++) {
        const int32_t cell_x = first_x + (i & 1), cell_z = first_z + (i >> 1);
        if (cell_x < 0 || cell_z < 0 || cell_x >= TRN_RIVER_CELLS || cell_z >= TRN_RIVER_CELLS ||
            !(rivers->lake_rows[cell_z] >> cell_x & 1)) {
            continue;
        }
        ground->lake += (i & 1 ? part_x : 1.0f - part_x) * (i >> 1 ? part_z : 1.0f - part_z);
        ground->level = (float)rivers->lake_levels[cell_z * TRN_RIVER_CELLS + cell_x];
    }
}

/// The river that leaves a cell.
static const TrnRiverEdge *river_edge(const TrnRivers *rivers, int32_t cell_x, int32_t cell_z)
{
    const bool has_river = rivers->river_rows[cell_z] >> cell_x & 1;
    return has_river ? &rivers->edges[rivers->edge_of[cell_z * TRN_RIVER_CELLS + cell_x]] : NULL;
}

/// The cells whose rivers may change some points.
typedef struct RiverCells {
    int32_t low_x, high_x, low_z, high_z; ///< inclusive
} RiverCells;

static int32_t river_cell(float voxel)
{
    return trn_land_floor(voxel * (1.0f / (float)TRN_RIVER_CELL));
}

static int32_t river_bound(int32_t cell)
{
    return cell < 0 ? 0 : cell >= TRN_RIVER_CELLS ? TRN_RIVER_CELLS - 1 : cell;
}

static RiverCells river_cells(float low_x, float high_x, float low_z, float high_z)
{
    const int32_t reach = TRN_RIVER_REACH_CELLS;
    return (RiverCells){
        river_bound(river_cell(low_x) - reach), river_bound(river_cell(high_x) + reach),
        river_bound(river_cell(low_z) - reach), river_bound(river_cell(high_z) + reach)};
}

/// Bits of a row of cells, from the lowest one on.
static uint64_t river_row(const RiverCells *cells, uint64_t row)
{
    const uint32_t width = (uint32_t)(cells->high_x - cells->low_x + 1);
    const uint64_t mask = width < 64 ? ((uint64_t)1 << width) - 1 : UINT64_MAX;
    return row >> cells->low_x & mask;
}

/// Whether a point is too far along one axis from both ends of a piece for its valley.
static bool river_is_far(float to_begin, float to_end)
{
    const float reach = TRN_RIVER_REACH + TRN_RIVER_WIDTH_MAX;
    return (to_begin > reach && to_end > reach) || (to_begin < -reach && to_end < -reach);
}

/// A valley rises from the bank, gently at first.
static void river_look_piece(const TrnRiverEdge *edge, int piece, float x, float z,
                             RiverGround *ground)
{
    if (river_is_far(edge->x[piece] - x, edge->x[piece + 1] - x) ||
        river_is_far(edge->z[piece] - z, edge->z[piece + 1] - z)) {
        return;
    }
    const RiverNear near = river_near(edge, piece, x, z);
    const float gap = near.distance - near.width, level = (float)edge->levels[piece];
    if (gap >= TRN_RIVER_REACH) {
        return;
    }
    const float out = gap > 0.0f ? gap : 0.0f;
    const float cap = level + 1.3f + 0.22f * out + 0.035f * out * out;
    const float raise = level + RIVER_BRIM + 0.4f - (out > 3.0f ? (out - 3.0f) * 0.8f : 0.0f);
    ground->gap = gap < ground->gap ? gap : ground->gap;
    ground->cap = cap < ground->cap ? cap : ground->cap;
    ground->raise = raise > ground->raise ? raise : ground->raise;
}

static RiverGround river_look(const TrnRivers *rivers, float x, float z)
{
    RiverGround ground = {.gap = RIVER_FAR, .cap = RIVER_FAR, .raise = -RIVER_FAR};
    const RiverCells cells = river_cells(x, x, z, z);
    for (int32_t cell_z = cells.low_z; cell_z <= cells.high_z; cell_z++) {
        uint64_t row = river_row(&cells, rivers->river_rows[cell_z]);
        for (int32_t cell_x = cells.low_x; row; cell_x++, row >>= 1) {
            const TrnRiverEdge *edge = row & 1 ? river_edge(rivers, cell_x, cell_z) : NULL;
            for (int piece = 0; edge && piece < TRN_RIVER_PIECES; piece++) {
                river_look_piece(edge, piece, x, z, &ground);
            }
        }
    }
    river_look_lake(rivers, x, z, &ground);
    return ground;
}

/// Shapes one point of a lattice. Detail, crags and terraces end towards a river, overhangs and
/// mouths of caves before it.
static void river_shape_point(const RiverGround *ground, const TrnLandLattice *lattice, size_t i)
{
    float *const *fields = lattice->fields;
    float *height = &fields[TRN_LAND_FIELD_HEIGHT][i];
    const bool is_shore = ground->lake > 0.0f;
    const float gap = ground->gap;
    if (gap >= TRN_RIVER_REACH && !is_shore) {
        return;
    }
    const float outside = is_shore ? 0.0f : trn_land_ramp(14.0f, TRN_RIVER_REACH, gap);
    float ignored = 0.0f;
    const float natural = trn_land_terrace(*height, fields[TRN_LAND_FIELD_TERRACED][i], &ignored);
    float shaped = natural < ground->cap ? natural : ground->cap;
    if (natural > 0.5f) { // the sea's own beds stay
        shaped = shaped > ground->raise ? shaped : ground->raise;
        const float rim = ground->level + RIVER_BRIM + 0.7f;
        shaped = is_shore && ground->lake <= RIVER_LAKE_EDGE && shaped < rim ? rim : shaped;
    }
    const float far = trn_land_ramp(0.6f * TRN_RIVER_REACH, TRN_RIVER_REACH, gap);
    shaped = gap < TRN_RIVER_REACH ? trn_land_lerp(shaped, natural, far) : shaped;
    const float steady = is_shore ? 0.4f : 1.0f;
    *height = trn_land_lerp(shaped, *height, outside);
    fields[TRN_LAND_FIELD_TERRACED][i] *= outside;
    fields[TRN_LAND_FIELD_OVERHANG_REACH][i] *= outside;
    fields[TRN_LAND_FIELD_ENTRANCE][i] *= outside;
    fields[TRN_LAND_FIELD_DETAIL_AMPLITUDE][i] *=
        steady * (0.2f + 0.8f * trn_land_ramp(1.0f, 18.0f, gap));
    fields[TRN_LAND_FIELD_CRAG_AMPLITUDE][i] *= steady * trn_land_ramp(3.0f, 24.0f, gap);
}

/// Voxels from the region's corner to a voxel.
static void river_from_corner(const TrnRivers *rivers, int64_t x, int64_t z, float from[2])
{
    const int64_t edge = (int64_t)TRN_RIVER_CELLS * TRN_RIVER_CELL;
    from[0] = (float)(x - rivers->region_x * edge);
    from[1] = (float)(z - rivers->region_z * edge);
}

/// Whether rivers or lakes may change a point.
static bool river_is_near(const TrnRivers *rivers, float x, float z)
{
    const int32_t cell_x = river_cell(x), cell_z = river_cell(z);
    return cell_x >= 0 && cell_z >= 0 && cell_x < TRN_RIVER_CELLS && cell_z < TRN_RIVER_CELLS &&
           (rivers->near_rows[cell_z] >> cell_x & 1);
}

void trn_rivers_shape_lattice(const TrnRivers *rivers, const TrnLandLattice *lattice)
{
    float corner[2];
    river_from_corner(rivers, lattice->x, lattice->z, corner);
    const float spacing = (float)((uint32_t)1 << lattice->level);
    for (uint32_t i = 0; i < lattice->count; i++) {
        const uint32_t row = lattice->places ? 0 : i / lattice->points;
        const float x =
            lattice->places ? lattice->places[0][i] : (float)(i - row * lattice->points) * spacing;
        const float z = lattice->places ? lattice->places[2][i] : (float)row * spacing;
        if (river_is_near(rivers, corner[0] + x, corner[1] + z)) {
            const RiverGround ground = river_look(rivers, corner[0] + x, corner[1] + z);
            river_shape_point(&ground, lattice, i);
        }
    }
}

// ---- beds ---------------------------------------------------------------------------------------

/// No level: rivers flow at the sea's or above it.
#define RIVER_NONE (-1)

/// Rivers at the samples of a square.
typedef struct RiverBeds {
    const TrnLandSquare *square;
    float corner[2];   ///< voxels from the region's corner to the first sample
    float spacing;     ///< of samples, in voxels
    float width_least; ///< so that rivers show at coarse levels
    bool has_rivers;   ///< some sample is in or beside one
    int16_t lows[TRN_LAND_SQUARE_EDGE * TRN_LAND_SQUARE_EDGE];   ///< level of the bed's river
    int16_t waters[TRN_LAND_SQUARE_EDGE * TRN_LAND_SQUARE_EDGE]; ///< level of its water
    int16_t banks[TRN_LAND_SQUARE_EDGE * TRN_LAND_SQUARE_EDGE];  ///< the ground is as high
    float depths[TRN_LAND_SQUARE_EDGE * TRN_LAND_SQUARE_EDGE];   ///< of the bed below the level
} RiverBeds;

/// Notes a sample in or beside a piece of a river. Of several rivers the lowest has its bed there.
static void river_note(RiverBeds *beds, const TrnRiverEdge *edge, int piece, const RiverNear *near,
                       size_t i)
{
    const int16_t level = edge->levels[piece];
    const int16_t before = piece > 0 ? edge->levels[piece - 1] : level;
    const float width = near->width > beds->width_least ? near->width : beds->width_least;
    if (near->distance >= width) {
        const int16_t bank = near->along < RIVER_FALL_BANK ? before : level;
        beds->banks[i] = bank > beds->banks[i] ? bank : beds->banks[i];
        return;
    }
    // Pieces end round and begin straight, but for a spring: or a fall would eat into its lip.
    if (near->along < 0.0f && !(edge->is_spring && piece == 0)) {
        return;
    }
    const int16_t water = near->along < RIVER_FALL ? before : level;
    const float part = near->distance / width;
    const float depth = 0.6f + (0.5f + 0.3f * width) * (1.0f - part * part);
    const bool is_same = level == beds->lows[i];
    if (beds->lows[i] == RIVER_NONE || level < beds->lows[i]) {
        beds->lows[i] = level;
        beds->waters[i] = water;
        beds->depths[i] = depth;
    } else if (is_same) {
        beds->waters[i] = water > beds->waters[i] ? water : beds->waters[i];
        beds->depths[i] = depth > beds->depths[i] ? depth : beds->depths[i];
    }
}

static int32_t river_least(float a, float b)
{
    return trn_land_floor(a < b ? a : b);
}

static int32_t river_most(float a, float b)
{
    return trn_land_floor(a > b ? a : b) + 1;
}

/// Notes the samples in and beside a piece of a river.
static void river_note_piece(RiverBeds *beds, const TrnRiverEdge *edge, int piece)
{
    const float width = edge->widths[0] > edge->widths[1] ? edge->widths[0] : edge->widths[1];
    const float reach = (width > beds->width_least ? width : beds->width_least) + RIVER_BANK;
    const float part = 1.0f / beds->spacing;
    const float *x = &edge->x[piece], *z = &edge->z[piece];
    const int32_t last = (int32_t)beds->square->edge - 1;
    int32_t low[2] = {river_least((x[0] - beds->corner[0] - reach) * part,
                                  (x[1] - beds->corner[0] - reach) * part),
                      river_least((z[0] - beds->corner[1] - reach) * part,
                                  (z[1] - beds->corner[1] - reach) * part)};
    int32_t high[2] = {river_most((x[0] - beds->corner[0] + reach) * part,
                                  (x[1] - beds->corner[0] + reach) * part),
                       river_most((z[0] - beds->corner[1] + reach) * part,
                                  (z[1] - beds->corner[1] + reach) * part)};
    for (int axis = 0; axis < 2; axis++) {
        low[axis] = low[axis] < 0 ? 0 : low[axis];
        high[axis] = high[axis] > last ? last : high[axis];
    }
    for (int32_t at_z = low[1]; at_z <= high[1]; at_z++) {
        for (int32_t at_x = low[0]; at_x <= high[0]; at_x++) {
            const RiverNear near =
                river_near(edge, piece, beds->corner[0] + (float)at_x * beds->spacing,
                           beds->corner[1] + (float)at_z * beds->spacing);
            if (near.distance < reach) {
                beds->has_rivers = true;
                river_note(beds, edge, piece, &near,
                           (size_t)at_z * beds->square->edge + (size_t)at_x);
            }
        }
    }
}

/// Notes all rivers of a square.
static void river_note_all(RiverBeds *beds, const TrnRivers *rivers)
{
    const float across = (float)beds->square->edge * beds->spacing;
    const RiverCells cells = river_cells(beds->corner[0], beds->corner[0] + across, beds->corner[1],
                                         beds->corner[1] + across);
    for (int32_t cell_z = cells.low_z; cell_z <= cells.high_z; cell_z++) {
        for (int32_t cell_x = cells.low_x; cell_x <= cells.high_x; cell_x++) {
            const TrnRiverEdge *edge = river_edge(rivers, cell_x, cell_z);
            for (int piece = 0; edge && piece < TRN_RIVER_PIECES; piece++) {
                river_note_piece(beds, edge, piece);
            }
        }
    }
}

/// Whether a lake may be at some sample of a square.
static bool river_has_lake(const RiverBeds *beds, const TrnRivers *rivers)
{
    const float across = (float)beds->square->edge * beds->spacing;
    const RiverCells cells = river_cells(beds->corner[0], beds->corner[0] + across, beds->corner[1],
                                         beds->corner[1] + across);
    uint64_t lakes = 0;
    for (int32_t cell_z = cells.low_z; cell_z <= cells.high_z; cell_z++) {
        lakes |= river_row(&cells, rivers->lake_rows[cell_z]);
    }
    return lakes != 0;
}

/// Sets ground and water of one sample.
static void river_carve(const RiverBeds *beds, const RiverGround *lake, size_t i)
{
    float *height = &beds->square->fields[TRN_LAND_FIELD_HEIGHT][i];
    float *water = &beds->square->waters[i];
    const float sea = (float)TRN_TERRAIN_SEA_LEVEL;
    const bool is_sea = *height < sea;
    if (is_sea) {
        return;
    }
    if (lake->lake > 0.0f) {
        *water = lake->level;
        const float rim = lake->level + RIVER_BRIM;
        *height = lake->lake <= RIVER_LAKE_EDGE && *height < rim ? rim : *height;
    }
    if (beds->banks[i] != RIVER_NONE && beds->lows[i] == RIVER_NONE) {
        const float bank = (float)beds->banks[i];
        const bool is_wet = *height < *water;
        if (!is_wet || bank > *water) {
            *height = *height < bank + RIVER_BRIM ? bank + RIVER_BRIM : *height;
            *water = bank > *water ? bank : *water;
        }
    }
    if (beds->lows[i] != RIVER_NONE) {
        const float bed = (float)beds->lows[i] - beds->depths[i];
        const bool stands = *height < *water && (float)beds->lows[i] == *water;
        *height = stands && *height < bed ? *height : bed;
        *water = (float)beds->waters[i];
    }
}

void trn_rivers_shape_square(const TrnRivers *rivers, TrnVoxel corner, const TrnLandSquare *square)
{
    RiverBeds beds;
    const size_t count = (size_t)square->edge * square->edge;
    beds.square = square;
    beds.spacing = (float)((uint32_t)1 << square->level);
    beds.width_least = square->level < 2 || square->level > 4 ? 0.0f : 0.6f * beds.spacing;
    river_from_corner(rivers, corner.x, corner.z, beds.corner);
    memset(beds.depths, 0, sizeof beds.depths);
    memset(beds.lows, 0xFF, sizeof beds.lows); // RIVER_NONE
    memset(beds.waters, 0xFF, sizeof beds.waters);
    memset(beds.banks, 0xFF, sizeof beds.banks);
    beds.has_rivers = false;
    river_note_all(&beds, rivers);
    const bool has_lake = river_has_lake(&beds, rivers);
    if (!beds.has_rivers && !has_lake) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        const size_t x = i % square->edge, z = i / square->edge;
        RiverGround lake = {.lake = 0.0f};
        if (has_lake) {
            river_look_lake(rivers, beds.corner[0] + (float)x * beds.spacing,
                            beds.corner[1] + (float)z * beds.spacing, &lake);
        }
        river_carve(&beds, &lake, i);
    }
}

// ---- caves --------------------------------------------------------------------------------------

/// Rock between water and caves, in voxels. Less than TRN_LAND_SURFACE_DEPTH.
#define RIVER_ROOF 12

/// How much of a roof is sure to be whole voxels.
#define RIVER_ROOF_SURE 10

/// The lowest water above the sea at a sample; INT16_MAX if there is none.
static int32_t river_lowest_water(const TrnLandSquare *square, size_t i)
{
    const float height = square->fields[TRN_LAND_FIELD_HEIGHT][i], water = square->waters[i];
    const bool is_wet = water > (float)TRN_TERRAIN_SEA_LEVEL && height < water;
    return is_wet ? trn_land_floor(height) + 1 : INT16_MAX;
}

void trn_rivers_close_caves(const TrnLandSquare *square, uint32_t skip, TrnColumn *column)
{
    const size_t edge = square->edge;
    for (uint32_t i = 0; i < TRN_LAYER_VOXELS; i++) {
        const size_t at = (i / TRN_CHUNK_EDGE + skip) * edge + i % TRN_CHUNK_EDGE + skip;
        const size_t around[5] = {at, at - 1, at + 1, at - edge, at + edge};
        int32_t bottom = INT16_MAX;
        for (int k = 0; k < 5; k++) {
            const int32_t lowest = river_lowest_water(square, around[k]);
            bottom = lowest < bottom ? lowest : bottom;
        }
        if (bottom == INT16_MAX) {
            continue;
        }
        column->roofs[i] = column->roofs[i] > RIVER_ROOF ? column->roofs[i] : RIVER_ROOF;
        if (bottom < trn_land_floor(column->heights[i]) - RIVER_ROOF_SURE &&
            column->seal_count < TRN_SEALS_MAX) {
            column->seals[column->seal_count++] = (TrnSeal){(uint16_t)i, (int16_t)bottom};
        }
    }
}
