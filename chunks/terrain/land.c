// Columns: the part of the land that 2D noise describes. Its shape (continents, ranges, hills,
// rivers) has features of a hundred voxels and more; it is sampled on a lattice of every fourth
// voxel (land_lattice.c) and interpolated. Detail is noise at every voxel. land_cover.c chooses
// what covers the ground.

#include <string.h>

#include "base/zone.h"
#include "terrain/caves.h"
#include "terrain/rivers_impl.h"
#include "terrain/square_cache.h"

#define LAND_ARRAYS_LATTICE (TRN_LAND_LATTICE_COUNT + TRN_LAND_FIELD_COUNT)
#define LAND_ARRAYS_SQUARE (TRN_LAND_DETAIL_COUNT + TRN_LAND_FIELD_COUNT)

// ---- columns ------------------------------------------------------------------------------------

/// Sets the bounds of the surface with its overhangs.
static void land_set_bounds(TrnColumn *column)
{
    float lowest = column->heights[0], highest = lowest, reach = 0.0f;
    int16_t least = column->strata_shifts[0], most = least;
    for (size_t i = 0; i < TRN_LAYER_VOXELS; i++) {
        const float height = column->heights[i];
        const int16_t bend = column->strata_shifts[i];
        lowest = height < lowest ? height : lowest;
        highest = height > highest ? height : highest;
        least = bend < least ? bend : least;
        most = bend > most ? bend : most;
    }
    for (size_t i = 0; i < (size_t)column->points * column->points; i++) {
        reach = column->lattice_reaches[i] > reach ? column->lattice_reaches[i] : reach;
    }
    column->strata_shift_range[0] = least;
    column->strata_shift_range[1] = most;
    column->has_overhangs = reach > 0.0f;
    column->lowest_height = lowest;
    const float sea = (float)TRN_TERRAIN_SEA_LEVEL; // overhangs end above it
    const float hollowed = lowest - reach * TRN_OVERHANG_NOISE_MAX;
    const float bottom = lowest < sea ? lowest : hollowed < sea ? sea : hollowed;
    column->lowest = bottom - TRN_LAND_ROUNDING_MARGIN;
    column->highest = highest + TRN_LAND_ROUNDING_MARGIN;
    column->top = trn_land_floor(column->highest) + 1; // + 1: a plant
    column->top += column->has_kelp ? TRN_KELP_LEAST + TRN_KELP_SPREAD : 0;
    if (column->water_top > TRN_TERRAIN_SEA_LEVEL) {
        column->top = column->water_top > column->top ? column->water_top : column->top;
    }
}

/// Carves rivers into a square, and copies the waters of its samples.
static void land_set_waters(const TrnLandLattice *lattice, const TrnLandSquare *square,
                            TrnColumn *column)
{
    for (size_t i = 0; i < square->count; i++) {
        square->waters[i] = (float)TRN_TERRAIN_SEA_LEVEL;
    }
    memset(column->waters, 0, sizeof column->waters); // the sea's level
    column->water_top = TRN_TERRAIN_SEA_LEVEL;
    if (!lattice->rivers) {
        return;
    }
    const uint32_t skip = (square->edge - TRN_CHUNK_EDGE) / 2;
    trn_rivers_shape_square(lattice->rivers, (TrnVoxel){lattice->x, 0, lattice->z}, square);
    for (uint32_t z = 0; z < TRN_CHUNK_EDGE; z++) {
        for (uint32_t x = 0; x < TRN_CHUNK_EDGE; x++) {
            const int16_t water =
                (int16_t)square->waters[(size_t)(z + skip) * square->edge + x + skip];
            column->waters[z * TRN_CHUNK_EDGE + x] = water;
            column->water_top = water > column->water_top ? water : column->water_top;
        }
    }
}

static void land_copy_lattice(const TrnLandLattice *lattice, uint32_t skip, TrnColumn *column)
{
    for (uint32_t z = 0; z < column->points; z++) {
        for (uint32_t x = 0; x < column->points; x++) {
            const size_t from = (size_t)(z + skip) * lattice->points + x + skip;
            const size_t to = (size_t)z * column->points + x;
            column->lattice_heights[to] = lattice->fields[TRN_LAND_FIELD_HEIGHT][from];
            column->lattice_reaches[to] = lattice->fields[TRN_LAND_FIELD_OVERHANG_REACH][from];
        }
    }
}

/// Divides an array of floats among the arrays of a lattice and a square.
static void land_assign_arrays(float *floats, TrnLandLattice *lattice, TrnLandSquare *square)
{
    const size_t lattice_floats = lattice->count, square_floats = square->count;
    for (int i = 0; i < TRN_LAND_LATTICE_COUNT; i++, floats += lattice_floats) {
        lattice->noises[i] = floats;
    }
    for (int i = 0; i < TRN_LAND_FIELD_COUNT; i++, floats += lattice_floats) {
        lattice->fields[i] = floats;
    }
    for (int i = 0; i < TRN_LAND_DETAIL_COUNT; i++, floats += square_floats) {
        square->details[i] = floats;
    }
    for (int i = 0; i < TRN_LAND_FIELD_COUNT; i++, floats += square_floats) {
        square->fields[i] = floats;
    }
    square->waters = square->fields[TRN_LAND_FIELD_DETAIL_AMPLITUDE]; // detail is added before
}

/// Fills a lattice and samples it.
static void land_sample(const TrnTerrain *terrain, const TrnLandLattice *lattice,
                        const TrnLandSquare *square)
{
    trn_land_fill_lattice(terrain, lattice);
    trn_land_sample(terrain, lattice, square);
    if (lattice->is_coarse) { // the points are the samples
        float *reaches = lattice->fields[TRN_LAND_FIELD_OVERHANG_REACH];
        trn_land_limit_coarse_overhangs(terrain, lattice, square->fields[TRN_LAND_FIELD_HEIGHT]);
        memcpy(square->fields[TRN_LAND_FIELD_OVERHANG_REACH], reaches,
               TRN_LAYER_VOXELS * sizeof *reaches);
    }
}

/// The samples of a column of level 0: with a border where a river may reach across it.
static TrnLandSquare land_fine_square(bool has_rivers)
{
    const uint32_t first = has_rivers ? 0 : TRN_TREE_REACH;
    const uint32_t edge = has_rivers ? TRN_LAND_SQUARE_EDGE : TRN_CHUNK_EDGE;
    return (TrnLandSquare){
        .first = first, .edge = edge, .count = edge * edge, .shift = TRN_LAND_SHIFT};
}

void trn_land_generate_column(const TrnTerrain *terrain, TrnCoord coord, TrnColumn *column)
{
    TRN_ZONE("terrain column");
    float floats[LAND_ARRAYS_LATTICE * TRN_LAND_SQUARE_POINTS * TRN_LAND_SQUARE_POINTS +
                 LAND_ARRAYS_SQUARE * TRN_LAND_SQUARE_EDGE * TRN_LAND_SQUARE_EDGE];
    const TrnVoxel base = trn_coord_voxel(coord);
    TrnLandLattice lattice = {.x = base.x - TRN_TREE_REACH,
                              .z = base.z - TRN_TREE_REACH,
                              .level = TRN_LAND_SHIFT,
                              .points = TRN_LAND_SQUARE_POINTS,
                              .count = TRN_LAND_SQUARE_POINTS * TRN_LAND_SQUARE_POINTS,
                              .rivers = trn_rivers_acquire(terrain, coord, 0)};
    TrnLandSquare square = land_fine_square(lattice.rivers != NULL);
    land_assign_arrays(floats, &lattice, &square);
    const TrnLandPatch missing = trn_squares_read(terrain, coord, &lattice);
    lattice.missing = &missing;
    land_sample(terrain, &lattice, &square);
    trn_squares_write(terrain, coord, &lattice);
    land_set_waters(&lattice, &square, column);
    trn_rivers_release(terrain, lattice.rivers);
    column->coord = coord;
    column->points = TRN_LAND_POINTS;
    column->lattice_heights = column->lattice[0];
    column->lattice_reaches = column->lattice[1];
    land_copy_lattice(&lattice, TRN_TREE_REACH / TRN_LAND_STEP, column);
    column->tree_count = 0;
    trn_land_cover_fine(terrain, &lattice, &square, column);
    column->seal_count = 0;
    if (column->water_top > TRN_TERRAIN_SEA_LEVEL) {
        trn_rivers_close_caves(&square, TRN_TREE_REACH, column);
    }
    if (trn_caves_have_kinds(terrain)) {
        trn_caves_begin_column(terrain, &lattice, column);
    }
    land_set_bounds(column);
    for (uint32_t i = 0; i < column->tree_count; i++) {
        const int32_t top = column->trees[i].y + column->trees[i].top;
        column->top = top > column->top ? top : column->top;
    }
}

/// Lattice points along a column's edge at a level. From level 2 on they are the samples, so that
/// their rows fill the registers of the noise's kernels; below there is one more for slopes.
static uint32_t land_lattice_points(uint32_t level)
{
    return level < TRN_LAND_SHIFT ? ((uint32_t)TRN_CHUNK_EDGE >> (TRN_LAND_SHIFT - level)) + 2
                                  : TRN_CHUNK_EDGE;
}

size_t trn_land_scratch_bytes(uint32_t level)
{
    const size_t points = land_lattice_points(level);
    return ((LAND_ARRAYS_LATTICE + 2) * points * points +
            (size_t)LAND_ARRAYS_SQUARE * TRN_LAYER_VOXELS) *
           sizeof(float);
}

void trn_land_generate_column_level(const TrnTerrain *terrain, TrnCoord coord, uint32_t level,
                                    void *scratch, TrnColumn *column)
{
    const TrnVoxel base = trn_coord_voxel(coord);
    const uint32_t shift = level < TRN_LAND_SHIFT ? TRN_LAND_SHIFT - level : 0;
    TrnLandLattice lattice = {.x = base.x * ((int64_t)1 << level),
                              .z = base.z * ((int64_t)1 << level),
                              .level = level + shift,
                              .points = land_lattice_points(level),
                              .count = land_lattice_points(level) * land_lattice_points(level),
                              .is_coarse = level > 1};
    TrnLandSquare square = {
        .edge = TRN_CHUNK_EDGE, .count = TRN_LAYER_VOXELS, .level = level, .shift = shift};
    float *floats = scratch;
    column->coord = coord;
    column->points = ((uint32_t)TRN_CHUNK_EDGE >> shift) + (shift > 0 ? 1 : 0);
    column->lattice_heights = floats;
    column->lattice_reaches = floats + (size_t)lattice.points * lattice.points;
    land_assign_arrays(floats + 2 * (size_t)lattice.points * lattice.points, &lattice, &square);
    lattice.rivers =
        level <= TRN_RIVER_LEVEL_MAX ? trn_rivers_acquire(terrain, coord, level) : NULL;
    land_sample(terrain, &lattice, &square);
    land_set_waters(&lattice, &square, column);
    trn_rivers_release(terrain, lattice.rivers);
    land_copy_lattice(&lattice, 0, column);
    column->tree_count = 0;
    column->has_kelp = false;
    trn_land_cover_coarse(terrain, &lattice, &square, column);
    land_set_bounds(column);
}
