/// Private: the light of a chunk, solved in its mesh job.
#ifndef TERRANE_STREAM_STREAM_LIGHT_H
#define TERRANE_STREAM_STREAM_LIGHT_H

#include <terrane/stream.h>

#include "light/sky_internal.h"

/// What one thread solves light with.
typedef struct TrnStreamLight {
    uint32_t level; ///< of the chunk, set before it is solved: where the world ends
    TrnLightSolver *solver;
    TrnLight sky, blocks;              ///< of the last chunk
    TrnSkyMask open[9];                ///< above it: as trn_light_sky
    TrnBlock buffer[TRN_CHUNK_VOXELS]; ///< a chunk that is not loaded
} TrnStreamLight;

/// Errors: NO_MEMORY.
TrnResult trn_stream_light_create(const TrnAllocator *allocator, TrnStreamLight **light);

/// @param light  may be NULL
void trn_stream_light_destroy(const TrnAllocator *allocator, TrnStreamLight *light);

/// Solves the light of a chunk, and points the input to it.
/// Errors: as trn_sky_open. Any thread, in a read section.
TrnResult trn_stream_light_solve(TrnStreamLight *light, const TrnBlockTypes *types, TrnSky *sky,
                                 const TrnSkySource *source, TrnCoord coord,
                                 TrnStreamMeshInput *input);

/// Whether light asks the generator for chunks at a height that are not loaded. Others are air
/// unless they are saved: those above its ceiling, and those so far below that asking for all in
/// between would take seconds.
bool trn_stream_light_asks(const TrnGenerator *generator, int32_t y);

/// Finds the highest loaded chunk of a box, in some us. Any thread, in a read section.
/// @return false if there is none
bool trn_stream_highest_loaded(const TrnStore *store, TrnBox box, int32_t *y);

#endif
