/// Private: the light of a chunk, solved in its mesh job.
#ifndef TERRANE_STREAM_STREAM_LIGHT_H
#define TERRANE_STREAM_STREAM_LIGHT_H

#include <terrane/stream.h>

#include "base/coord_map.h"
#include "base/memory.h"
#include "light/light_pack_internal.h"
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

/// Hashes the light that was solved last. @return never 0
uint64_t trn_stream_light_hash(const TrnStreamLight *light, uint64_t key);

/// Whether light asks the generator for chunks at a height that are not loaded. Others are air
/// unless they are saved: those above its ceiling, and those so far below that asking for all in
/// between would take seconds.
bool trn_stream_light_asks(const TrnGenerator *generator, int32_t y);

/// Finds the highest loaded chunk of a box, in some us. Any thread, in a read section.
/// @return false if there is none
bool trn_stream_highest_loaded(const TrnStore *store, TrnBox box, int32_t *y);

/// The packed light of a chunk, with its cells behind it. A worker allocates it.
typedef struct TrnStreamPacked {
    TrnLightPack pack;
    unsigned char cells[]; ///< [pack.bytes]
} TrnStreamPacked;

/// Of chunks by coordinate. All zeroes is none.
typedef struct TrnStreamKeptLight {
    TrnCoordMap chunks;        ///< of TrnStreamPacked
    TrnAllocator allocator;    ///< of the packed light; any thread
    const TrnAllocator *owner; ///< of the map
} TrnStreamKeptLight;

static inline size_t trn_stream_packed_bytes(const TrnStreamPacked *packed)
{
    return packed ? sizeof *packed + packed->pack.bytes : 0;
}

/// Copies packed light. NULL without memory. Any thread.
/// @param cells  as trn_light_pack wrote them
TrnStreamPacked *trn_stream_packed_create(const TrnAllocator *allocator, TrnLightPack pack,
                                          const void *cells);
/// @param packed  may be NULL
void trn_stream_packed_destroy(const TrnAllocator *allocator, TrnStreamPacked *packed);

/// Keeps the light of a chunk. Errors: NO_MEMORY.
/// @param old  receives what it replaces, or NULL; the caller destroys it
TrnResult trn_stream_kept_light_set(TrnStreamKeptLight *kept, TrnCoord coord,
                                    TrnStreamPacked *packed, TrnStreamPacked **old);

/// Takes the light of a chunk out. @return it, or NULL; the caller destroys it
TrnStreamPacked *trn_stream_kept_light_take(TrnStreamKeptLight *kept, TrnCoord coord);

/// Finds the light of a chunk, or NULL.
const TrnStreamPacked *trn_stream_kept_light_find(const TrnStreamKeptLight *kept, TrnCoord coord);

/// Frees all. @return the bytes of what was kept
size_t trn_stream_kept_light_clear(TrnStreamKeptLight *kept);

#endif
