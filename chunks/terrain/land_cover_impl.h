/// Private: what land_cover.c (the ground), land_cover_noise.c and land_growth.c (what grows)
/// share.
#ifndef TERRANE_TERRAIN_LAND_COVER_IMPL_H
#define TERRANE_TERRAIN_LAND_COVER_IMPL_H

#include "terrain/land_impl.h"
#include "terrain/trees_impl.h"

/// Sea ice breaks into floes where TRN_LAND_FIELD_FROST is below this. In larger worlds the climate
/// changes more slowly, so less is enough.
static inline float trn_land_floe_rim(const TrnTerrain *terrain)
{
    return 0.09f * trn_land_border_noise(&terrain->shape);
}

/// Coarser levels have voxels larger than floes.
#define TRN_LAND_FLOE_LEVEL_MAX 2

/// The noises of covers on a square.
typedef struct TrnLandNoises {
    /// [edge][edge], by z, then x: BARE and STAND
    float values[2][TRN_LAND_SQUARE_EDGE * TRN_LAND_SQUARE_EDGE];
    /// The same of FLOE; filled only where `has_floes`, since only the rim of sea ice needs it.
    float floes[TRN_LAND_SQUARE_EDGE * TRN_LAND_SQUARE_EDGE];
    bool has_floes;
    float floe_rim;
} TrnLandNoises;

/// The surface at one voxel column.
typedef struct TrnLandSurface {
    float height, slope, wide_slope;
    float above;       ///< height above the water near it, the sea's or a river's; negative below
    float patch;       ///< noise of every voxel
    float bare, stand; ///< TRN_COVER_NOISE_*
    float temperature, moisture, reach, entrance;
    bool is_boulder;
} TrnLandSurface;

/// Fills the noises of covers.
/// @param first  voxel of the square's first sample
void trn_land_fill_cover_noises(const TrnTerrain *terrain, const TrnLandSquare *square,
                                TrnVoxel first, TrnLandNoises *noises);

/// Raises boulders out of the ground of a square.
/// @param marks  [edge][edge] receives whether a boulder is there
void trn_land_raise_boulders(const TrnTerrain *terrain, const TrnLandSquare *square, TrnVoxel first,
                             uint8_t *marks);

/// Least thickness of the rock above caves: more beneath water, negative where caves open. They
/// open in hillsides, where one can walk in; in flat ground they would be pits.
static inline float trn_land_roof(const TrnLandSurface *surface)
{
    const bool is_open = surface->entrance > 0.7f && surface->wide_slope > 0.38f;
    return trn_land_lerp(is_open ? -8.0f : 5.0f, 12.0f, trn_land_ramp(7.0f, 2.0f, surface->above));
}

/// Chooses the kind of tree that may grow at a voxel column.
/// @param chance  receives its probability in 256ths, given that a tree's cell selects this
///                position
/// @return TrnTreeKind + 1, or 0 for none
uint8_t trn_land_tree(const TrnLandSurface *surface, TrnTerrainBiome biome, TrnCover cover,
                      uint8_t *chance);

/// The same of undergrowth.
uint8_t trn_land_undergrowth(const TrnLandSurface *surface, TrnTerrainBiome biome, TrnCover cover,
                             uint8_t *chance);

/// Chooses the plant on the ground, or air.
/// @param plenty  the shape's density
/// @param hash    of the voxel column
TrnBlock trn_land_plant(const TrnLandSurface *surface, TrnTerrainBiome biome, TrnCover cover,
                        float plenty, uint64_t hash);

/// Whether reeds and mud take the place of a beach.
static inline bool trn_land_is_reedy(const TrnLandSurface *surface)
{
    return surface->moisture > -0.02f && surface->temperature > -0.2f &&
           surface->stand + surface->patch * 0.3f > 0.06f;
}

/// Version 3 of trn_land_cover_fine and trn_land_cover_coarse.
void trn_land_cover_3_fine(const TrnTerrain *terrain, const TrnLandSquare *square,
                           TrnColumn *column);
void trn_land_cover_3_coarse(const TrnTerrain *terrain, const TrnLandSquare *square,
                             TrnVoxel corner, TrnColumn *column);

#endif
