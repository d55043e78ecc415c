/// Private: the light of a chunk, solved in its mesh job.
#ifndef TERRANE_STREAM_STREAM_LIGHT_H
#define TERRANE_STREAM_STREAM_LIGHT_H

#include <terrane/light.h>
#include <terrane/stream.h>

/// What one thread solves light with.
typedef struct TrnStreamLight {
    TrnLightSolver *solver;
    TrnLight sky, blocks; ///< of the last chunk
} TrnStreamLight;

/// Errors: NO_MEMORY.
TrnResult trn_stream_light_create(const TrnAllocator *allocator, TrnStreamLight **light);

/// @param light  may be NULL
void trn_stream_light_destroy(const TrnAllocator *allocator, TrnStreamLight *light);

/// Solves the light of a chunk, and points the input to it. Any thread, in a read section.
void trn_stream_light_solve(TrnStreamLight *light, const TrnBlockTypes *types,
                            TrnStreamMeshInput *input);

#endif
