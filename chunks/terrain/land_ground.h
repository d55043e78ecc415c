/// Private: the ground of samples that covers depend on, with boulders and the noises of covers.
#ifndef TERRANE_TERRAIN_LAND_GROUND_H
#define TERRANE_TERRAIN_LAND_GROUND_H

#include "terrain/land_impl.h"

/// The surface at one voxel column.
typedef struct TrnLandSurface {
    float height, slope, wide_slope;
    float above;       ///< height above the water near it, the sea's or a river's; negative below
    float patch;       ///< noise of every voxel
    float bare, stand; ///< TRN_COVER_NOISE_*
    float temperature, moisture, reach;
    float roof; ///< least thickness of the rock above caves, rounded down
    TrnTerrainBiome biome;
    TrnCover cover;
} TrnLandSurface;

/// Whether reeds and mud take the place of a beach.
static inline bool trn_land_is_reedy(float moisture, float temperature, float stand, float patch)
{
    return (moisture > -0.02f) & (temperature > -0.2f) & (stand + patch * 0.3f > 0.06f);
}

/// Fills the noises of covers, chooses covers, and raises boulders out of the ground of a square.
/// @param lattice  that the square was sampled from
/// @param square   its details but PATCH, and its field CRAG_AMPLITUDE, are overwritten
/// @param memory   [square->count * TRN_LAND_GROUND_BYTES], aligned to 2
void trn_land_begin_ground(const TrnTerrain *terrain, const TrnLandLattice *lattice,
                           const TrnLandSquare *square, void *memory, TrnLandGround *ground);

/// Reads a sample. Field by field: a copy of the struct would wait for all of it to be stored.
/// @param i  its number
static inline void trn_land_read_surface(const TrnLandGround *ground, size_t i,
                                         TrnLandSurface *surface)
{
    float *const *fields = ground->square->fields;
    surface->height = fields[TRN_LAND_FIELD_HEIGHT][i];
    surface->above = fields[TRN_LAND_FIELD_HEIGHT][i] - ground->square->waters[i];
    surface->slope = fields[TRN_LAND_FIELD_SLOPE][i];
    surface->wide_slope = fields[TRN_LAND_FIELD_WIDE_SLOPE][i];
    surface->patch = ground->square->details[TRN_LAND_PATCH - TRN_LAND_LATTICE_COUNT][i];
    surface->bare = ground->values[TRN_COVER_NOISE_BARE][i];
    surface->stand = ground->values[TRN_COVER_NOISE_STAND][i];
    surface->temperature = fields[TRN_LAND_FIELD_TEMPERATURE][i];
    surface->moisture = fields[TRN_LAND_FIELD_MOISTURE][i];
    surface->reach = fields[TRN_LAND_FIELD_OVERHANG_REACH][i];
    surface->roof = (float)ground->roofs[i];
    surface->biome = (TrnTerrainBiome)ground->biomes[i];
    surface->cover = (TrnCover)ground->covers[i];
}

#endif
