/// A listener that mirrors a store from its events alone, and catches up on events that it missed.
/// Tests of events and budgets compare it with the store.
#pragma once

#include "testing.h"

#include <terrane/store.h>

#define MIRROR_MAX 2048
#define TEST_AROUND_ALL ((UINT32_C(1) << 27) - 1)

typedef struct MirrorChunk {
    TrnCoord coord;
    TrnChunkId id;
    uint64_t revision, hash;
} MirrorChunk;

typedef struct Mirror {
    MirrorChunk chunks[MIRROR_MAX];
    size_t count;
    TestRandom random;
    uint32_t fail_every; ///< fails about one call in this many without reading the event; 0: never
    uint64_t told;       ///< revision of the last event that it handled
    /// and of the one before: missed changes by listeners count from there
    uint64_t told_before;
    uint32_t calls, failures, catch_ups;
} Mirror;

static inline uint64_t test_chunk_hash(const TrnChunk *chunk)
{
    return trn_snapshot_hash(trn_voxels_snapshot(&chunk->voxels));
}

static inline bool test_id_equal(TrnChunkId a, TrnChunkId b)
{
    return a.index1 == b.index1 && a.generation == b.generation;
}

static inline MirrorChunk *mirror_find(Mirror *mirror, TrnCoord coord)
{
    for (size_t i = 0; i < mirror->count; i++) {
        if (trn_coord_equal(mirror->chunks[i].coord, coord)) {
            return &mirror->chunks[i];
        }
    }
    return NULL;
}

/// Records a chunk's current state.
static inline void mirror_take(Mirror *mirror, const TrnChunk *chunk)
{
    MirrorChunk *known = mirror_find(mirror, chunk->coord);
    if (!known) {
        assert_true(mirror->count < MIRROR_MAX);
        known = &mirror->chunks[mirror->count++];
    }
    *known =
        (MirrorChunk){chunk->coord, chunk->id, trn_chunk_revision(chunk), test_chunk_hash(chunk)};
}

/// Reads all chunks that changed since a revision, and drops known chunks that were removed.
static inline void mirror_catch_up(Mirror *mirror, const TrnStore *store, uint64_t since)
{
    static TrnChunk *changed[MIRROR_MAX];
    const size_t count = trn_store_changed_since(store, since, changed, MIRROR_MAX);
    assert_true(count <= MIRROR_MAX);
    for (size_t i = 0; i < count; i++) {
        mirror_take(mirror, changed[i]);
    }
    for (size_t i = mirror->count; i-- > 0;) {
        if (!trn_store_chunk(store, mirror->chunks[i].id)) {
            mirror->chunks[i] = mirror->chunks[--mirror->count];
        }
    }
    mirror->catch_ups++;
}

/// Checks that a removed chunk can still be read but not found, and drops it.
static inline void mirror_forget(Mirror *mirror, const TrnStore *store, const TrnEventChunk *gone)
{
    assert_non_null(gone->chunk);
    assert_true(trn_coord_equal(gone->chunk->coord, gone->coord));
    assert_true(test_id_equal(gone->chunk->id, gone->id));
    assert_null(trn_store_chunk(store, gone->id));
    assert_ptr_not_equal(trn_store_find(store, gone->coord), gone->chunk);
    MirrorChunk *known = mirror_find(mirror, gone->coord);
    const uint64_t hash = test_chunk_hash(gone->chunk); // the hash reads all voxels
    if (known && test_id_equal(known->id, gone->id)) {
        assert_true(known->revision != trn_chunk_revision(gone->chunk) || known->hash == hash);
        *known = mirror->chunks[--mirror->count];
    }
}

static inline void mirror_take_event(Mirror *mirror, const TrnStore *store,
                                     const TrnStoreEvent *event)
{
    for (uint32_t i = 0; i < event->count; i++) {
        const TrnEventChunk *told = &event->chunks[i];
        if (event->kind == TRN_EVENT_REMOVED) {
            mirror_forget(mirror, store, told);
            continue;
        }
        assert_ptr_equal(trn_store_chunk(store, told->id),
                         told->chunk); // NULL if removed
        if (told->chunk) {
            assert_true(trn_coord_equal(told->chunk->coord, told->coord));
            assert_ptr_equal(trn_store_find(store, told->coord), told->chunk);
            assert_true(trn_chunk_revision(told->chunk) >= event->revision);
            mirror_take(mirror, told->chunk);
        }
    }
}

/// A TrnListener; `user` is the Mirror.
static inline TrnResult mirror_listen(TrnStore *store, const TrnStoreEvent *event, void *user)
{
    Mirror *mirror = user;
    mirror->calls++;
    assert_true(event->count >= 1);
    assert_true(event->revision <= trn_store_revision(store));
    assert_true(event->revision >= mirror->told); // events come in the order of the changes
    if (event->has_missed) {
        assert_true(event->missed_since >= mirror->told_before);
        assert_true(event->missed_since <= trn_store_revision(store));
    }
    if (mirror->fail_every && test_random_next(&mirror->random) % mirror->fail_every == 0) {
        mirror->failures++;
        return (TrnResult)test_random_range(&mirror->random, 1, TRN_RESULT_COUNT - 1);
    }
    if (event->has_missed) {
        mirror_catch_up(mirror, store, event->missed_since);
    }
    mirror_take_event(mirror, store, event);
    mirror->told_before = mirror->told;
    mirror->told = event->revision;
    return TRN_RESULT_OK;
}

/// Checks that the mirror equals the store. Change the store once before this, without a failing
/// call, so that the mirror has caught up.
static inline void mirror_check(const Mirror *mirror, const TrnStore *store)
{
    assert_int_equal(mirror->count, trn_store_stats(store).chunks);
    for (size_t i = 0; i < mirror->count; i++) {
        const MirrorChunk *known = &mirror->chunks[i];
        const TrnChunk *chunk = trn_store_find(store, known->coord);
        assert_non_null(chunk);
        assert_true(test_id_equal(chunk->id, known->id));
        assert_true(trn_chunk_revision(chunk) == known->revision);
        assert_true(test_chunk_hash(chunk) == known->hash);
    }
}
