/// Private: how land.c, land_lattice.c and land_cover.c make a column together.
#ifndef TERRANE_TERRAIN_LAND_IMPL_H
#define TERRANE_TERRAIN_LAND_IMPL_H

#include "terrain/terrain_impl.h"

/// What is interpolated between lattice points.
enum {
    TRN_LAND_FIELD_HEIGHT,           ///< before detail
    TRN_LAND_FIELD_DETAIL_AMPLITUDE, ///< how far rounded detail reaches, in voxels
    TRN_LAND_FIELD_CRAG_AMPLITUDE,   ///< how far ridged detail reaches
    TRN_LAND_FIELD_OVERHANG_REACH,   ///< how deep overhangs reach below the height, at a noise of 1
    TRN_LAND_FIELD_TEMPERATURE,
    TRN_LAND_FIELD_MOISTURE,
    TRN_LAND_FIELD_ENTRANCE, ///< 0..1
    TRN_LAND_FIELD_STRATA_SHIFT,
    TRN_LAND_FIELD_TERRACED, ///< 0..1: how much of the height goes in steps
    TRN_LAND_FIELD_FROST,    ///< the sea freezes where it is positive
    /// rise per voxel; the last, since land_slopes_far uses what lies behind it
    TRN_LAND_FIELD_SLOPE,
    TRN_LAND_FIELD_COUNT
};

#define TRN_LAND_DETAIL_COUNT (TRN_LAND_PLANE_COUNT - TRN_LAND_LATTICE_COUNT)

/// A square of lattice points.
typedef struct TrnLandLattice {
    int64_t x, z;   ///< voxel of the first point
    uint32_t level; ///< points are 2^level voxels apart
    uint32_t points;
    float *noises[TRN_LAND_LATTICE_COUNT]; ///< [points][points]
    float *fields[TRN_LAND_FIELD_COUNT];
} TrnLandLattice;

/// A square of voxels of a lattice: every 2^level-th.
typedef struct TrnLandSquare {
    int32_t first; ///< samples from the lattice's first point to the first voxel
    uint32_t edge;
    uint32_t level;
    uint32_t shift;                        ///< samples to a lattice cell: 2^shift
    float *details[TRN_LAND_DETAIL_COUNT]; ///< [edge][edge]
    float *fields[TRN_LAND_FIELD_COUNT];
} TrnLandSquare;

/// At level 0 columns look at what surrounds them, since trees reach over.
#define TRN_LAND_SQUARE_EDGE (TRN_CHUNK_EDGE + 2 * TRN_TREE_REACH)

/// By how much noises of a fixed size fray the climate's borders: where the climate changes more
/// slowly, less of them does as much.
static inline float trn_land_border_noise(const TrnTerrainShape *shape)
{
    return shape->scale > 1.0f ? 1.0f / shape->scale : 1.0f;
}

/// Makes the noises of a lattice and from them its fields. Its level is TRN_LAND_SHIFT or above.
void trn_land_fill_lattice(const TrnTerrain *terrain, const TrnLandLattice *lattice);

/// Writes the places of a column at level 0, with plants and trees.
/// @param square  TRN_LAND_SQUARE_EDGE wide
void trn_land_cover_near(const TrnTerrain *terrain, const TrnLandSquare *square, TrnColumn *column);

/// Writes the places of a column at another level, with woods in place of trees.
/// @param corner  the column's first voxel
void trn_land_cover_far(const TrnTerrain *terrain, const TrnLandSquare *square, TrnVoxel corner,
                        TrnColumn *column);

#endif
