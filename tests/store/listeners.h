/// Listeners that note what they hear, and may change the store meanwhile.
#pragma once

#include "store_mirror.h"

#include <terrane/batch.h>

static inline TrnStore *store_of(const TrnStoreDef *def)
{
    TrnStore *store = NULL;
    assert_int_equal(trn_store_create(def, &store), TRN_RESULT_OK);
    return store;
}

static inline TrnChunk *inserted(TrnStore *store, TrnCoord coord)
{
    TrnChunk *chunk = NULL;
    assert_int_equal(trn_store_insert_uniform(store, coord, TRN_BLOCK_AIR, &chunk), TRN_RESULT_OK);
    return chunk;
}

static inline void mixed_blocks(TrnBlock *blocks, uint32_t types, TestRandom *random)
{
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        blocks[i] = (TrnBlock)(test_random_next(random) % types);
    }
}

static inline TrnVoxel voxel_in(TrnCoord coord, uint32_t x, uint32_t y, uint32_t z)
{
    const TrnVoxel lowest = trn_coord_voxel(coord);
    return (TrnVoxel){lowest.x + x, lowest.y + y, lowest.z + z};
}

static inline TrnResult insert_somehow(TrnStore *store, TrnCoord coord, TrnChunk **chunk,
                                       TestRandom *random)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    switch (test_random_next(random) % 3) {
    case 0:
        return trn_store_insert_uniform(store, coord, TRN_BLOCK_AIR, chunk);
    case 1:
        return trn_store_insert_uniform(store, coord, TRN_BLOCK_DIRT, chunk);
    default:
        mixed_blocks(blocks, 5, random);
        return trn_store_insert_voxels(store, coord, blocks, chunk);
    }
}

/// @return whether the edit published a change
static inline bool edit_somehow(TrnStore *store, TrnChunk *chunk, TestRandom *random)
{
    TrnVoxelEdit edit;
    trn_store_edit_begin(store, chunk, &edit);
    const uint32_t at = (uint32_t)test_random_range(random, 0, TRN_CHUNK_VOXELS - 1);
    const TrnBlock now = trn_voxel_edit_get(&edit, at);
    switch (test_random_next(random) % 3) {
    case 0: // the block that is there already
        assert_int_equal(trn_voxel_edit_set(&edit, at, now), TRN_RESULT_OK);
        assert_false(trn_store_edit_commit(store, &edit));
        return false;
    case 1:
        assert_int_equal(trn_voxel_edit_set(&edit, at, (TrnBlock)(now + 1)), TRN_RESULT_OK);
        trn_voxel_edit_cancel(&edit);
        return false;
    default:
        assert_int_equal(trn_voxel_edit_set(&edit, at, (TrnBlock)(now + 1)), TRN_RESULT_OK);
        assert_true(trn_store_edit_commit(store, &edit));
        return true;
    }
}

/// @return whether the store counts it as a change
static inline bool change_somehow(TrnStore *store, TrnChunk *chunk, TestRandom *random)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    const uint32_t at = (uint32_t)test_random_range(random, 0, TRN_CHUNK_VOXELS - 1);
    const TrnVoxel voxel = voxel_in(chunk->coord, at & 31, at >> 10, at >> 5 & 31);
    const TrnSnapshot snapshot = trn_voxels_snapshot(&chunk->voxels);
    const TrnBlock now = trn_snapshot_get(snapshot, at);
    switch (test_random_next(random) % 7) {
    case 0:
        assert_int_equal(trn_store_set_block(store, voxel, now, NULL), TRN_RESULT_OK);
        return false;
    case 1:
        trn_store_fill(store, chunk, (TrnBlock)(now + 1));
        return true;
    case 2:
        trn_snapshot_decode(snapshot, blocks); // the same voxels again count as a change
        assert_int_equal(trn_store_set_voxels(store, chunk, blocks), TRN_RESULT_OK);
        return true;
    case 3:
        assert_int_equal(trn_store_compact(store, chunk), TRN_RESULT_OK);
        return false;
    case 4:
        return edit_somehow(store, chunk, random);
    default:
        assert_int_equal(trn_store_set_block(store, voxel, (TrnBlock)(now + 1), NULL),
                         TRN_RESULT_OK);
        return true;
    }
}

/// A copy of one call of a listener, without what is valid during the call only.
typedef struct Call {
    const void *listener;
    TrnStoreEvent event; ///< its chunks are no longer valid
    TrnEventChunk first;
} Call;

#define CALLS_MAX 4096

typedef struct Calls {
    Call calls[CALLS_MAX];
    uint32_t count;
} Calls;

/// A listener that records its calls, acts, and returns `answer`.
typedef struct Listener {
    Calls *calls;
    void (*act)(struct Listener *listener, TrnStore *store, const TrnStoreEvent *event);
    void *context;  ///< for act
    int32_t number; ///< for act
    TrnResult answer;
} Listener;

static inline TrnResult listener_call(TrnStore *store, const TrnStoreEvent *event, void *user)
{
    Listener *listener = user;
    assert_true(listener->calls->count < CALLS_MAX);
    listener->calls->calls[listener->calls->count++] = (Call){listener, *event, event->chunks[0]};
    if (listener->act) {
        listener->act(listener, store, event);
    }
    return listener->answer;
}

#define ALL_KINDS                                                                                  \
    (TRN_EVENT_BIT(TRN_EVENT_INSERTED) | TRN_EVENT_BIT(TRN_EVENT_CHANGED) |                        \
     TRN_EVENT_BIT(TRN_EVENT_REMOVED))

static inline void listener_subscribe(TrnStore *store, Listener *listener, Calls *calls)
{
    listener->calls = calls;
    assert_int_equal(trn_store_subscribe(store, ALL_KINDS, listener_call, listener), TRN_RESULT_OK);
}

/// Returns the chunks around that a voxel at x, y, z touches, by bit.
static inline uint32_t touched_by(int x, int y, int z)
{
    uint32_t bits = 0;
    for (int i = 0; i < 27; i++) {
        const int dx = i % 3 - 1, dz = i / 3 % 3 - 1, dy = i / 9 - 1;
        const bool touches = (dx == 0 || x == (dx < 0 ? 0 : 31)) &&
                             (dy == 0 || y == (dy < 0 ? 0 : 31)) &&
                             (dz == 0 || z == (dz < 0 ? 0 : 31));
        bits |= (uint32_t)touches << i;
    }
    return bits;
}
