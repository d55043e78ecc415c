// Light that a stream keeps between frames.

#include "stream_kept_light.h"

#include <stdalign.h>
#include <string.h>

TrnStreamPacked *trn_stream_packed_create(const TrnAllocator *allocator, TrnLightPack pack,
                                          const void *cells)
{
    TrnStreamPacked *packed =
        trn_take(allocator, sizeof *packed + pack.bytes, alignof(TrnStreamPacked));
    if (packed) {
        packed->pack = pack;
        packed->pack.cells = packed->cells;
        memcpy(packed->cells, cells, pack.bytes);
    }
    return packed;
}

void trn_stream_packed_destroy(const TrnAllocator *allocator, TrnStreamPacked *packed)
{
    if (packed) {
        trn_give(allocator, packed, trn_stream_packed_bytes(packed));
    }
}

TrnResult trn_stream_kept_light_set(TrnStreamKeptLight *kept, TrnCoord coord,
                                    TrnStreamPacked *packed, TrnStreamPacked **old)
{
    TrnCoordEntry *entry = trn_coord_map_find(&kept->chunks, coord);
    *old = entry ? entry->pointer : NULL;
    if (!entry) {
        if (trn_coord_map_reserve(&kept->chunks, kept->owner, 1) != TRN_RESULT_OK) {
            return TRN_RESULT_NO_MEMORY;
        }
        entry = trn_coord_map_add(&kept->chunks, coord);
    }
    entry->pointer = packed;
    return TRN_RESULT_OK;
}

TrnStreamPacked *trn_stream_kept_light_take(TrnStreamKeptLight *kept, TrnCoord coord)
{
    TrnCoordEntry *entry = trn_coord_map_find(&kept->chunks, coord);
    TrnStreamPacked *packed = entry ? entry->pointer : NULL;
    if (entry) {
        trn_coord_map_remove(&kept->chunks, entry);
    }
    return packed;
}

const TrnStreamPacked *trn_stream_kept_light_find(const TrnStreamKeptLight *kept, TrnCoord coord)
{
    const TrnCoordEntry *entry = trn_coord_map_find(&kept->chunks, coord);
    return entry ? entry->pointer : NULL;
}

size_t trn_stream_kept_light_clear(TrnStreamKeptLight *kept)
{
    size_t bytes = 0;
    for (uint32_t i = 0; i < kept->chunks.capacity; i++) {
        if (kept->chunks.slots[i].is_used) {
            bytes += trn_stream_packed_bytes(kept->chunks.slots[i].pointer);
            trn_stream_packed_destroy(&kept->allocator, kept->chunks.slots[i].pointer);
        }
    }
    if (kept->owner) {
        trn_coord_map_free(&kept->chunks, kept->owner);
    }
    return bytes;
}
