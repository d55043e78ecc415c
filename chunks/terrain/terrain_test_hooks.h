/// Private: what tests and the bench need of a terrain apart from its public functions: forcing a
/// set of kernels, filling the column cache, and the noise that a chunk needs. C++ can include it.
#ifndef TERRANE_TERRAIN_TEST_HOOKS_H
#define TERRANE_TERRAIN_TEST_HOOKS_H

#include <terrane/noise.h>
#include <terrane/terrain.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Makes all noises of a terrain use one set of kernels. No other thread may use the terrain.
/// @param name  as in trn_noise_use_kernels
/// @return whether this machine can run them; if not, the terrain is unchanged
bool trn_terrain_use_kernels(TrnTerrain *terrain, const char *name);

/// Finds or generates the column of a chunk, exactly as generating the chunk would.
/// @param x,z  chunk coordinates
void trn_terrain_touch_column(TrnTerrain *terrain, int32_t x, int32_t z);

/// Describes the i-th noise fill that generating a chunk needs: first the 2D noises of its column,
/// then the 3D noises of the chunk.
/// @param coord  a chunk of level 0
/// @param noise  receives a copy of the noise
/// @param grid   receives the grid that it is evaluated on
/// @return false past the last one
bool trn_terrain_noise_request(const TrnTerrain *terrain, TrnCoord coord, unsigned i,
                               TrnNoise *noise, TrnNoiseGrid *grid);

#ifdef __cplusplus
}
#endif
#endif
