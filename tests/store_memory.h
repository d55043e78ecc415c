/// Shared by tests of a store's memory: checks of its figures, and a store with a model of plain
/// arrays.
#pragma once

#include "store_mirror.h"

#include <terrane/history.h>

/// Checks that the categories add up to the total, and that the total is what the allocator gave.
static inline void check_figures(const TrnStore *store, const TestAllocator *memory)
{
    const TrnStoreStats stats = trn_store_stats(store);
    const size_t sum = stats.header_bytes + stats.voxel_bytes + stats.index_bytes +
                       stats.type_bytes + stats.bookkeeping_bytes + stats.attached_bytes;
    const TrnEditsStats edits = trn_edits_stats(store);
    assert_true(edits.batch_bytes + edits.pending_bytes + edits.history_bytes <=
                stats.attached_bytes);
    assert_int_equal(stats.total_bytes, sum);
    assert_int_equal(stats.total_bytes, memory->live_bytes);
    assert_int_equal(stats.total_bytes_peak, memory->peak_bytes);
    assert_int_equal(stats.bytes_max, memory->bytes_max);
    assert_true(stats.retired_bytes <= stats.total_bytes);
    assert_true(edits.pending_bytes_max == 0 || edits.pending_bytes <= edits.pending_bytes_max);
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

static inline TrnChunkReader *reader_of(TrnStore *store, const char *name)
{
    TrnChunkReader *reader;
    assert_int_equal(trn_chunk_index_reader_create(trn_store_index(store), name, &reader),
                     TRN_RESULT_OK);
    return reader;
}

/// TrnStoreDef.chunk_reserve of the stores below: not 0 to put their headers into an address range.
/// Such a test includes base/failing_ranges.h, and `ranges_memory` is the store's allocator.
static uint32_t store_reserve;
static TestAllocator *ranges_memory;

/// Runs tests twice: with headers in blocks of the allocator's, and in an address range.
/// @return how many failed
static inline int run_with_both_headers(int (*run_store_tests)(void))
{
    const uint32_t reserves[] = {0, 100000};
    int failed = 0;
    for (size_t i = 0; i < sizeof reserves / sizeof *reserves; i++) {
        store_reserve = reserves[i];
        print_message("  chunk_reserve %u\n", reserves[i]);
        failed += run_store_tests();
    }
    return failed;
}

/// @param bytes_max  of the store and of the allocator; 0: no limit
static inline TrnStore *small_store(TestAllocator *memory, size_t bytes_max)
{
    *memory = (TestAllocator){.bytes_max = bytes_max};
    const TrnAllocator allocator = test_allocator(memory);
    TrnStoreDef def = trn_store_def();
    def.allocator = &allocator;
    def.bytes_max = bytes_max;
    def.chunk_reserve = store_reserve;
    ranges_memory = memory;
    TrnStore *store = NULL;
    assert_int_equal(trn_store_create(&def, &store), TRN_RESULT_OK);
    return store;
}

// ---- a store and its model ----------------------------------------------------------------------

#define PLACES 48

/// A store, and a plain array of blocks for each of its places.
typedef struct World {
    TestAllocator memory;
    TrnStore *store;
    TrnHistory *history;
    TrnBatch *batch; ///< open, or NULL
    TrnChunkReader *reader;
    bool is_reading;
    TestRandom random;
    TrnChunk *chunks[PLACES];
    uint32_t pins[PLACES];
    uint64_t revisions[PLACES];
    TrnBlock blocks[PLACES][TRN_CHUNK_VOXELS];
    TrnBlock next[TRN_CHUNK_VOXELS]; ///< the blocks of a chunk after the current operation
    Mirror mirror;
    bool is_mirrored;
    uint32_t results[TRN_RESULT_COUNT];
} World;

/// Most places are adjacent, for spheres that reach over several; some have a page of their own.
static inline TrnCoord place_coord(uint32_t place)
{
    const int32_t at = (int32_t)place;
    return place % 6 == 5 ? (TrnCoord){at * 1000, -at, at} : (TrnCoord){at / 6, 0, at % 6};
}

/// What a caller can observe of a store. Left out are its bytes, its count of refusals, and its
/// count of uniform chunks, which is lower while a batch has copies of some.
typedef struct Signature {
    uint64_t revision, inserted, removed, evicted, pending_runs, applied_runs;
    uint64_t order; ///< hash of the chunks in the order of their last changes
    uint64_t undo_groups, redo_groups;
    uint64_t chunks, pending_chunks, listeners;
    uint64_t hashes[PLACES];
} Signature;

static inline Signature signature_of(const World *world)
{
    static TrnChunk *changed[PLACES];
    const TrnStoreStats stats = trn_store_stats(world->store);
    const TrnEditsStats edits = trn_edits_stats(world->store);
    Signature signature;
    memset(&signature, 0, sizeof signature);
    signature.revision = stats.revision;
    signature.inserted = stats.inserted;
    signature.removed = stats.removed;
    signature.evicted = stats.evicted;
    signature.pending_runs = edits.pending_runs;
    signature.applied_runs = edits.applied_runs;
    signature.chunks = stats.chunks;
    signature.pending_chunks = edits.pending_chunks;
    signature.listeners = stats.listeners;
    if (world->history) {
        signature.undo_groups = trn_history_stats(world->history).undo_groups;
        signature.redo_groups = trn_history_stats(world->history).redo_groups;
    }
    const size_t count = trn_store_changed_since(world->store, 0, changed, PLACES);
    for (size_t i = 0; i < count && i < PLACES; i++) {
        signature.order = signature.order * 1000003 + changed[i]->id.index1;
        signature.order = signature.order * 1000003 + trn_chunk_revision(changed[i]);
    }
    for (uint32_t place = 0; place < PLACES; place++) {
        const TrnChunk *chunk = trn_store_find(world->store, place_coord(place));
        signature.hashes[place] = chunk ? test_chunk_hash(chunk) + (uintptr_t)chunk : 0;
    }
    return signature;
}

/// Updates the model of one place from the store.
static inline void model_read_place(World *world, uint32_t place)
{
    TrnChunk *chunk = trn_store_find(world->store, place_coord(place));
    world->chunks[place] = chunk;
    world->pins[place] = chunk ? world->pins[place] : 0;
    if (chunk && trn_chunk_revision(chunk) != world->revisions[place]) {
        world->revisions[place] = trn_chunk_revision(chunk);
        trn_snapshot_decode(trn_voxels_snapshot(&chunk->voxels), world->blocks[place]);
    }
}

static inline void model_read_all(World *world)
{
    for (uint32_t place = 0; place < PLACES; place++) {
        model_read_place(world, place);
    }
}

static inline TrnResult do_listen(World *world)
{
    if (world->is_mirrored) {
        world->is_mirrored = false;
        return trn_store_unsubscribe(world->store, mirror_listen, &world->mirror);
    }
    memset(&world->mirror, 0, sizeof world->mirror);
    mirror_catch_up(&world->mirror, world->store, 0);
    world->mirror.told = world->mirror.told_before = trn_store_revision(world->store);
    const TrnResult result = trn_store_subscribe(world->store, 7, mirror_listen, &world->mirror);
    world->is_mirrored = result == TRN_RESULT_OK;
    return result;
}

/// Inserts and removes a chunk, so that the mirror catches up, and checks the mirror.
static inline void check_mirror(World *world)
{
    const TrnCoord coord = {-5, -5, -5};
    if (!world->is_mirrored ||
        trn_store_insert_uniform(world->store, coord, TRN_BLOCK_AIR, NULL) != TRN_RESULT_OK) {
        return;
    }
    mirror_check(&world->mirror, world->store);
    const TrnResult result = trn_store_remove(world->store, coord);
    if (result != TRN_RESULT_OK) { // without memory; succeeds once there is memory again
        world->memory.fail_at = 0;
        assert_true(result == TRN_RESULT_READERS || result == TRN_RESULT_FULL);
        if (world->is_reading) {
            trn_chunk_index_read_end(world->reader);
            world->is_reading = false;
        }
        assert_int_equal(trn_store_remove(world->store, coord), TRN_RESULT_OK);
    }
}

static inline void world_open(World *world, const TrnStoreDef *pattern)
{
    TrnStoreDef def = *pattern;
    const TestRandom random = world->random;
    memset(world, 0, sizeof *world);
    world->random = random;
    world->memory.bytes_max = def.bytes_max;
    const TrnAllocator allocator = test_allocator(&world->memory);
    def.allocator = &allocator;
    def.chunk_reserve = def.chunk_reserve ? def.chunk_reserve : store_reserve;
    ranges_memory = &world->memory;
    assert_int_equal(trn_store_create(&def, &world->store), TRN_RESULT_OK);
    world->reader = reader_of(world->store, "test");
    TrnHistoryDef history = trn_history_def();
    history.bytes_max = 300000;
    assert_int_equal(trn_history_create(world->store, &history, &world->history), TRN_RESULT_OK);
    check_figures(world->store, &world->memory);
}

static inline void world_close(World *world)
{
    if (world->is_reading) {
        trn_chunk_index_read_end(world->reader);
    }
    trn_batch_cancel(world->batch);
    trn_history_destroy(world->history);
    check_figures(world->store, &world->memory);
    trn_store_destroy(world->store);
    assert_int_equal(world->memory.live_blocks, 0);
    assert_int_equal(world->memory.live_bytes, 0);
}
