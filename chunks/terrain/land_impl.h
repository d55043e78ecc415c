/// Private: what land.c, land_lattice.c, land_cover.c and rivers*.c share to generate a column.
#ifndef TERRANE_TERRAIN_LAND_IMPL_H
#define TERRANE_TERRAIN_LAND_IMPL_H

#include "terrain/terrain_impl.h"

/// Lattice points along the edge of a column's square at level 0: it has a border of
/// TRN_TREE_REACH, and one point more for slopes.
#define TRN_LAND_SQUARE_POINTS ((TRN_CHUNK_EDGE + 2 * TRN_TREE_REACH) / TRN_LAND_STEP + 2)

/// Fields that are interpolated between lattice points.
enum {
    TRN_LAND_FIELD_HEIGHT,           ///< before detail
    TRN_LAND_FIELD_DETAIL_AMPLITUDE, ///< of smooth detail, in voxels
    TRN_LAND_FIELD_CRAG_AMPLITUDE,   ///< of ridged detail, in voxels
    /// depth below the height that overhangs reach, per unit of noise
    TRN_LAND_FIELD_OVERHANG_REACH,
    TRN_LAND_FIELD_TEMPERATURE,
    TRN_LAND_FIELD_MOISTURE,
    TRN_LAND_FIELD_ENTRANCE, ///< 0..1: how far caves open
    TRN_LAND_FIELD_STRATA_SHIFT,
    TRN_LAND_FIELD_TERRACED,   ///< 0..1: weight of the terraces
    TRN_LAND_FIELD_FROST,      ///< the sea freezes where positive
    TRN_LAND_FIELD_SLOPE,      ///< rise per voxel
    TRN_LAND_FIELD_WIDE_SLOPE, ///< the same without terraces
    TRN_LAND_FIELD_COUNT
};

#define TRN_LAND_DETAIL_COUNT (TRN_LAND_PLANE_COUNT - TRN_LAND_LATTICE_COUNT)

/// Points of a lattice: from `first` to before `end`, by axis x and z.
typedef struct TrnLandPatch {
    uint32_t first[2], end[2];
} TrnLandPatch;

/// Lattice points: a square, or scattered ones.
typedef struct TrnLandLattice {
    int64_t x, z;    ///< voxel of the first point
    uint32_t level;  ///< points are 2^level voxels apart
    uint32_t points; ///< along an edge; 0 if they are scattered
    uint32_t count;  ///< in all
    bool is_coarse;  ///< points are the samples; slopes between them are not those of level 0
    bool is_bare;    ///< heights, terraces and climate suffice
    /// The points whose noises are missing, if an adjacent column's square had the others;
    /// otherwise NULL.
    const TrnLandPatch *missing;
    /// By axis: where points lie, in voxels from the first, if they are scattered; otherwise NULL.
    const float *const *places;
    const struct TrnRivers *rivers;        ///< that shape the land; NULL: none
    float *noises[TRN_LAND_LATTICE_COUNT]; ///< [count]
    float *fields[TRN_LAND_FIELD_COUNT];
} TrnLandLattice;

/// Samples that a lattice covers: a square of every 2^level-th voxel, or scattered ones.
typedef struct TrnLandSquare {
    /// Samples from the lattice's first point to the first sample; a multiple of 2^shift.
    uint32_t first;
    uint32_t edge;  ///< 0 if they are scattered
    uint32_t count; ///< in all
    uint32_t level;
    uint32_t shift; ///< 2^shift samples per lattice cell
    /// By axis, x and z: where samples are, in voxels from the lattice's first point, if they are
    /// scattered; otherwise NULL.
    const int32_t *places[2];
    float *details[TRN_LAND_DETAIL_COUNT]; ///< [count]
    float *fields[TRN_LAND_FIELD_COUNT];
    /// Voxel y of the topmost water, where the ground is below it: that of a river or a lake near
    /// them, elsewhere the sea's.
    float *waters;
} TrnLandSquare;

/// Columns of level 0 include a border, since trees reach into them from outside. Where no river is
/// near, only the voxel columns of the border that may hold a tree are computed.
#define TRN_LAND_SQUARE_EDGE (TRN_CHUNK_EDGE + 2 * TRN_TREE_REACH)
#define TRN_LAND_SQUARE_SAMPLES ((size_t)TRN_LAND_SQUARE_EDGE * TRN_LAND_SQUARE_EDGE)

/// Bytes of memory of a ground for each sample.
#define TRN_LAND_GROUND_BYTES 6

/// Samples whose covers are chosen. The noises are in arrays that the square has no more use for.
typedef struct TrnLandGround {
    const TrnLandSquare *square;
    float *values[2]; ///< [square->count]: BARE and STAND
    /// The same of FLOE; filled only where `has_floes`, since only the rim of sea ice needs it.
    float *floes;
    bool has_floes;
    float floe_rim;
    uint8_t *boulders; ///< 1: one is there
    // What the noises and fields make of the ground, by TrnLandKernels.cover.
    uint8_t *biomes; ///< TrnTerrainBiome
    uint8_t *covers; ///< TrnCover
    int8_t *roofs;   ///< least thickness of the rock above caves; negative where they open
    int16_t *strata_shifts;
} TrnLandGround;

/// Weight of the fixed-size noises that make climate borders irregular. In larger worlds the
/// climate changes more slowly, so less is enough.
static inline float trn_land_border_noise(const TrnTerrainShape *shape)
{
    return shape->scale > 1.0f ? 1.0f / shape->scale : 1.0f;
}

/// The greatest of some values. In lanes, so that no comparison waits for the one before.
static inline float trn_land_most(const float *values, size_t count)
{
    float lanes[16];
    for (size_t lane = 0; lane < 16; lane++) {
        lanes[lane] = values[0];
    }
    size_t i = 0;
    for (; i + 16 <= count; i += 16) {
        for (size_t lane = 0; lane < 16; lane++) {
            lanes[lane] = values[i + lane] > lanes[lane] ? values[i + lane] : lanes[lane];
        }
    }
    float most = values[0];
    for (size_t lane = 0; lane < 16; lane++) {
        most = lanes[lane] > most ? lanes[lane] : most;
    }
    for (; i < count; i++) {
        most = values[i] > most ? values[i] : most;
    }
    return most;
}

/// The least of some values.
static inline float trn_land_least(const float *values, size_t count)
{
    float least = values[0];
    for (size_t i = 1; i < count; i++) {
        least = values[i] < least ? values[i] : least;
    }
    return least;
}

/// Length of the gradient without a square root, at most 8 % too large.
/// @param part  1 / voxels between points
static inline float trn_land_slope(float here, float next_x, float next_z, float part)
{
    const float rise_x = trn_land_abs(next_x - here) * part;
    const float rise_z = trn_land_abs(next_z - here) * part;
    return rise_x > rise_z ? rise_x + rise_z * 0.4f : rise_z + rise_x * 0.4f;
}

/// Terraces: steps of 22 voxels with steep edges. Computed per voxel, since edges interpolated
/// between lattice points would look like saw teeth.
/// @param terraced  0..1: weight of the terraces
/// @param slope     of the land; receives that of the terraces
static inline float trn_land_terrace(float height, float terraced, float *slope)
{
    const float tread = 22.0f, low = 0.62f, high = 0.9f;
    const float steps = height / tread;
    const float whole = (float)trn_land_floor(steps);
    const float t = trn_land_clamp((steps - whole - low) / (high - low), 0.0f, 1.0f);
    const float steeper = 6.0f * t * (1.0f - t) / (high - low); // derivative of the smooth step
    *slope *= trn_land_lerp(1.0f, steeper, terraced);
    return trn_land_lerp(height, (whole + t * t * (3.0f - 2.0f * t)) * tread, terraced);
}

/// Part of its reach that an overhang has on land of some slope. On flat land overhangs would leave
/// rocks floating in the air.
static inline float trn_land_overhang_part(float slope)
{
    return trn_land_ramp(0.3f, 1.0f, slope);
}

/// Fills a lattice's noises and computes its fields, except slopes.
void trn_land_shape_lattice(const TrnTerrain *terrain, const TrnLandLattice *lattice);

/// Limits the overhangs of a coarse lattice to steep land, by level 0's slopes where it matters.
/// @param heights  of its points, with detail
void trn_land_limit_coarse_overhangs(const TrnTerrain *terrain, const TrnLandLattice *lattice,
                                     const float *heights);

/// Fills a lattice's noises and computes its fields; if it is coarse, without limiting overhangs.
/// Its level must be at least TRN_LAND_SHIFT.
void trn_land_fill_lattice(const TrnTerrain *terrain, const TrnLandLattice *lattice);

/// Interpolates fields of a lattice and adds detail; fills `details` and `fields` of samples.
void trn_land_sample(const TrnTerrain *terrain, const TrnLandLattice *lattice,
                     const TrnLandSquare *square);

/// Writes covers, biomes, plants and trees of a column at level 0.
/// @param lattice  around the column, with a border of TRN_TREE_REACH
/// @param square   of edge TRN_LAND_SQUARE_EDGE or, where no river is near, TRN_CHUNK_EDGE
void trn_land_cover_fine(const TrnTerrain *terrain, const TrnLandLattice *lattice,
                         const TrnLandSquare *square, TrnColumn *column);

/// Writes covers and biomes of a column above level 0, with canopy covers in place of trees.
/// @param lattice  its first point is the column's first voxel
void trn_land_cover_coarse(const TrnTerrain *terrain, const TrnLandLattice *lattice,
                           const TrnLandSquare *square, TrnColumn *column);

/// Compiles the noises of covers.
TrnResult trn_land_cover_compile(TrnTerrain *terrain);

/// Compiles the noises and strata of a terrain whose seed and shape are set.
TrnResult trn_land_compile(TrnTerrain *terrain);

/// Generates a column at level 0.
void trn_land_generate_column(const TrnTerrain *terrain, TrnCoord coord, TrnColumn *column);

/// Bytes of scratch memory that trn_land_generate_column_level needs.
size_t trn_land_scratch_bytes(uint32_t level);

/// Generates a column at a level above 0: every 2^level-th voxel, without trees and plants.
/// @param scratch  [trn_land_scratch_bytes(level)], aligned to 16; the column keeps pointers to it
void trn_land_generate_column_level(const TrnTerrain *terrain, TrnCoord coord, uint32_t level,
                                    void *scratch, TrnColumn *column);

#endif
