// Columns: the part of the land that 2D noise describes. Its shape (continents, ranges, hills,
// rivers) has features of a hundred voxels and more; it is sampled on a lattice of every fourth
// voxel (land_lattice.c) and interpolated. Detail is noise at every voxel. land_cover.c chooses
// what covers the ground.

#include <string.h>

#include "terrain/rivers_impl.h"

#define LAND_ARRAYS_LATTICE (TRN_LAND_LATTICE_COUNT + TRN_LAND_FIELD_COUNT)
#define LAND_ARRAYS_SQUARE (TRN_LAND_DETAIL_COUNT + TRN_LAND_FIELD_COUNT)
#define LAND_LATTICE_POINTS (TRN_LAND_SQUARE_EDGE / TRN_LAND_STEP + 2)

/// Height of the roughness of slopes, in voxels.
#define LAND_ROUGHNESS 1.5f

// ---- interpolation -----------------------------------------------------------------------------

/// Interpolates one row of a field along x.
static void land_interpolate_row(const float *near, const float *far, float weight_z,
                                 const TrnLandSquare *square, float *out)
{
    const uint32_t mask = (1u << square->shift) - 1;
    const float part = 1.0f / (float)(1u << square->shift);
    for (uint32_t i = 0; i < square->edge; i++) {
        const uint32_t at = (uint32_t)square->first + i;
        const size_t point = at >> square->shift;
        const float left = trn_land_lerp(near[point], far[point], weight_z);
        const float right = trn_land_lerp(near[point + 1], far[point + 1], weight_z);
        out[i] = trn_land_lerp(left, right, (float)(at & mask) * part);
    }
}

static void land_interpolate(const TrnLandLattice *lattice, const TrnLandSquare *square)
{
    if (square->shift == 0) { // the points are the samples
        for (int field = 0; field < TRN_LAND_FIELD_COUNT; field++) {
            memcpy(square->fields[field], lattice->fields[field],
                   (size_t)square->edge * square->edge * sizeof(float));
        }
        return;
    }
    const uint32_t mask = (1u << square->shift) - 1;
    const float part = 1.0f / (float)(1u << square->shift);
    for (uint32_t z = 0; z < square->edge; z++) {
        const uint32_t at = (uint32_t)square->first + z;
        const size_t row = (size_t)(at >> square->shift) * lattice->points;
        for (int field = 0; field < TRN_LAND_FIELD_COUNT; field++) {
            const float *near = lattice->fields[field] + row;
            land_interpolate_row(near, near + lattice->points, (float)(at & mask) * part, square,
                                 square->fields[field] + (size_t)z * square->edge);
        }
    }
}

static void land_fill_details(const TrnTerrain *terrain, const TrnLandLattice *lattice,
                              const TrnLandSquare *square)
{
    const int64_t moved = (int64_t)square->first << square->level;
    const TrnNoiseGrid grid = {
        {lattice->x + moved, 0, lattice->z + moved}, square->level, square->edge, 1, square->edge};
    const float *crags = square->fields[TRN_LAND_FIELD_CRAG_AMPLITUDE];
    for (uint32_t i = 0; i < TRN_LAND_DETAIL_COUNT; i++) {
        const uint32_t noise = TRN_LAND_LATTICE_COUNT + i;
        const size_t count = (size_t)square->edge * square->edge;
        if (noise == TRN_LAND_CRAG && trn_land_most(crags, count) <= 0.0f) {
            memset(square->details[i], 0, count * sizeof *square->details[i]);
        } else {
            (void)trn_noise_fill(&terrain->noises[noise], &grid, square->details[i]);
        }
    }
}

/// Adds detail to the heights; adds height and noise to the climate.
static void land_add_detail(const TrnTerrain *terrain, const TrnLandSquare *square)
{
    const float fray = 0.12f * trn_land_border_noise(&terrain->shape);
    // Slopes are rough by less than two voxels, or the steps of voxels would look like contour
    // lines. Plains and what is near a river stay smooth.
    float *const *fields = square->fields;
    const float *detail = square->details[TRN_LAND_DETAIL - TRN_LAND_LATTICE_COUNT];
    const float *crag = square->details[TRN_LAND_CRAG - TRN_LAND_LATTICE_COUNT];
    const float *patch = square->details[TRN_LAND_PATCH - TRN_LAND_LATTICE_COUNT];
    const size_t count = (size_t)square->edge * square->edge;
    for (size_t i = 0; i < count; i++) {
        float height = fields[TRN_LAND_FIELD_HEIGHT][i];
        if (fields[TRN_LAND_FIELD_TERRACED][i] > 0.0f) {
            height = trn_land_terrace(height, fields[TRN_LAND_FIELD_TERRACED][i],
                                      &fields[TRN_LAND_FIELD_SLOPE][i]);
        }
        height += detail[i] * 1.5f * fields[TRN_LAND_FIELD_DETAIL_AMPLITUDE][i] +
                  (crag[i] - 0.35f) * fields[TRN_LAND_FIELD_CRAG_AMPLITUDE][i];
        height += patch[i] * LAND_ROUGHNESS *
                  trn_land_clamp(2.0f * fields[TRN_LAND_FIELD_DETAIL_AMPLITUDE][i], 0.0f, 1.0f) *
                  trn_land_ramp(0.04f, 0.16f, fields[TRN_LAND_FIELD_SLOPE][i]);
        // Leaves space for overhangs and trees within the world's limits.
        height = trn_land_clamp(height, -100.0f, 255.0f);
        const float above = height > 30.0f ? height - 30.0f : 0.0f;
        fields[TRN_LAND_FIELD_HEIGHT][i] = height;
        fields[TRN_LAND_FIELD_TEMPERATURE][i] += patch[i] * fray - above * 0.0035f;
        fields[TRN_LAND_FIELD_MOISTURE][i] += patch[i] * fray;
    }
}

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
    if (column->water_top > TRN_TERRAIN_SEA_LEVEL) {
        column->top = column->water_top > column->top ? column->water_top : column->top;
    }
}

/// Carves rivers into a square, and copies the waters of its samples.
/// @param skip  samples of the square before the column's first one
static void land_set_waters(const TrnLandLattice *lattice, const TrnLandSquare *square,
                            TrnVoxel corner, uint32_t skip, TrnColumn *column)
{
    const size_t count = (size_t)square->edge * square->edge;
    for (size_t i = 0; i < count; i++) {
        square->waters[i] = (float)TRN_TERRAIN_SEA_LEVEL;
    }
    memset(column->waters, 0, sizeof column->waters); // the sea's level
    column->water_top = TRN_TERRAIN_SEA_LEVEL;
    if (!lattice->rivers) {
        return;
    }
    trn_rivers_shape_square(lattice->rivers, corner, square);
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
    const size_t lattice_floats = (size_t)lattice->points * lattice->points;
    const size_t square_floats = (size_t)square->edge * square->edge;
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

static void land_sample(const TrnTerrain *terrain, const TrnLandLattice *lattice,
                        const TrnLandSquare *square)
{
    trn_land_fill_lattice(terrain, lattice);
    land_interpolate(lattice, square);
    land_fill_details(terrain, lattice, square);
    land_add_detail(terrain, square);
    if (lattice->is_coarse) { // the points are the samples
        float *reaches = lattice->fields[TRN_LAND_FIELD_OVERHANG_REACH];
        trn_land_limit_coarse_overhangs(terrain, lattice, square->fields[TRN_LAND_FIELD_HEIGHT]);
        memcpy(square->fields[TRN_LAND_FIELD_OVERHANG_REACH], reaches,
               TRN_LAYER_VOXELS * sizeof *reaches);
    }
}

void trn_land_generate_column(const TrnTerrain *terrain, TrnCoord coord, TrnColumn *column)
{
    float floats[LAND_ARRAYS_LATTICE * LAND_LATTICE_POINTS * LAND_LATTICE_POINTS +
                 LAND_ARRAYS_SQUARE * TRN_LAND_SQUARE_EDGE * TRN_LAND_SQUARE_EDGE];
    const TrnVoxel base = trn_coord_voxel(coord);
    TrnLandLattice lattice = {.x = base.x - TRN_TREE_REACH,
                              .z = base.z - TRN_TREE_REACH,
                              .level = TRN_LAND_SHIFT,
                              .points = LAND_LATTICE_POINTS,
                              .count = LAND_LATTICE_POINTS * LAND_LATTICE_POINTS};
    TrnLandSquare square = {.edge = TRN_LAND_SQUARE_EDGE, .shift = TRN_LAND_SHIFT};
    land_assign_arrays(floats, &lattice, &square);
    lattice.rivers = trn_rivers_acquire(terrain, coord, 0);
    land_sample(terrain, &lattice, &square);
    land_set_waters(&lattice, &square, (TrnVoxel){lattice.x, 0, lattice.z}, TRN_TREE_REACH, column);
    trn_rivers_release(terrain, lattice.rivers);
    column->coord = coord;
    column->points = TRN_LAND_POINTS;
    column->lattice_heights = column->lattice[0];
    column->lattice_reaches = column->lattice[1];
    land_copy_lattice(&lattice, TRN_TREE_REACH / TRN_LAND_STEP, column);
    column->tree_count = 0;
    trn_land_cover_fine(terrain, &square, column);
    column->seal_count = 0;
    if (column->water_top > TRN_TERRAIN_SEA_LEVEL) {
        trn_rivers_close_caves(&square, TRN_TREE_REACH, column);
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
    TrnLandSquare square = {.edge = TRN_CHUNK_EDGE, .level = level, .shift = shift};
    float *floats = scratch;
    column->coord = coord;
    column->points = ((uint32_t)TRN_CHUNK_EDGE >> shift) + (shift > 0 ? 1 : 0);
    column->lattice_heights = floats;
    column->lattice_reaches = floats + (size_t)lattice.points * lattice.points;
    land_assign_arrays(floats + 2 * (size_t)lattice.points * lattice.points, &lattice, &square);
    lattice.rivers =
        level <= TRN_RIVER_LEVEL_MAX ? trn_rivers_acquire(terrain, coord, level) : NULL;
    land_sample(terrain, &lattice, &square);
    land_set_waters(&lattice, &square, (TrnVoxel){lattice.x, 0, lattice.z}, 0, column);
    trn_rivers_release(terrain, lattice.rivers);
    land_copy_lattice(&lattice, 0, column);
    column->tree_count = 0;
    trn_land_cover_coarse(terrain, &square, (TrnVoxel){lattice.x, 0, lattice.z}, column);
    land_set_bounds(column);
}
