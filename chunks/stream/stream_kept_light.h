/// Private: light that a stream keeps between frames: of each chunk that was meshed, packed.
#ifndef TERRANE_STREAM_STREAM_KEPT_LIGHT_H
#define TERRANE_STREAM_STREAM_KEPT_LIGHT_H

#include "base/coord_map.h"
#include "base/memory.h"
#include "light/light_pack_internal.h"

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
