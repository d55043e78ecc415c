/// Private: what tests and the bench ask of a terrain beside its chunks: other kernels than the
/// fastest, columns and noise by themselves. C++ can read it.
#ifndef TERRANE_TERRAIN_TEST_HOOKS_H
#define TERRANE_TERRAIN_TEST_HOOKS_H

#include <terrane/noise.h>
#include <terrane/terrain.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Holds all that a terrain computes to one set of kernels. Nobody else may be using it.
/// @param name  as of trn_noise_use_kernels
/// @return whether this machine can run them; otherwise the terrain stays as it was
bool trn_terrain_use_kernels(TrnTerrain *terrain, const char *name);

/// Finds the column of some chunks, or makes and keeps it, as generating one of them would.
/// @param x,z  chunk coordinates
void trn_terrain_touch_column(TrnTerrain *terrain, int32_t x, int32_t z);

/// Counts the noises of a terrain from 0: first those of a column, in the plane, then those of a
/// chunk, in space.
/// @param coord  a chunk
/// @param noise  receives a copy of the i-th noise
/// @param grid   receives where it is asked for when that chunk, or its column, is made
/// @return false behind the last one
bool trn_terrain_noise_request(const TrnTerrain *terrain, TrnCoord coord, unsigned i,
                               TrnNoise *noise, TrnNoiseGrid *grid);

#ifdef __cplusplus
}
#endif
#endif
