// Eviction: which chunks it removes, in which order, and when it ends.

#include "store_memory.h"

#define EVICTED_MAX 2048

/// A listener that records removed chunks.
typedef struct Saved {
    TrnCoord coords[EVICTED_MAX];
    uint64_t hashes[EVICTED_MAX];
    uint32_t count, evictions;
} Saved;

static TrnResult save_listener(TrnStore *store, const TrnStoreEvent *event, void *user)
{
    Saved *saved = user;
    assert_int_equal(event->kind, TRN_EVENT_REMOVED);
    for (uint32_t i = 0; i < event->count; i++) {
        const TrnEventChunk *gone = &event->chunks[i];
        assert_true(saved->count < EVICTED_MAX);
        assert_non_null(gone->chunk);
        assert_null(trn_store_find(store, gone->coord));
        saved->coords[saved->count] = gone->coord;
        saved->hashes[saved->count++] = test_chunk_hash(gone->chunk);
        saved->evictions += event->is_eviction;
    }
    return TRN_RESULT_OK;
}

static Saved saved;

static void save_from(TrnStore *store)
{
    saved.count = saved.evictions = 0;
    assert_int_equal(
        trn_store_subscribe(store, TRN_EVENT_BIT(TRN_EVENT_REMOVED), save_listener, &saved),
        TRN_RESULT_OK);
}

#define CROWD 1500

/// Many chunks, and what decides their eviction.
typedef struct Crowd {
    TrnStore *store;
    TrnChunk *chunks[CROWD];
    uint32_t sights[CROWD], uses[CROWD]; ///< equal sights go by the number of the last use
    double orders[CROWD];
    uint32_t sight, use;
} Crowd;

static TrnCoord crowd_coord(uint32_t i)
{
    return (TrnCoord){(int32_t)i % 12, (int32_t)i / 144, (int32_t)i / 12 % 12};
}

static uint32_t crowd_place(TrnCoord coord)
{
    return (uint32_t)(coord.x + coord.z * 12 + coord.y * 144);
}

static void crowd_open(Crowd *crowd)
{
    memset(crowd, 0, sizeof *crowd);
    assert_int_equal(trn_store_create(NULL, &crowd->store), TRN_RESULT_OK);
    for (uint32_t i = 0; i < CROWD; i++) {
        crowd->chunks[i] = inserted(crowd->store, crowd_coord(i));
        crowd->uses[i] = ++crowd->use;
    }
}

/// Touches some chunks, changes some, and removes or inserts some.
static void crowd_step(Crowd *crowd, TestRandom *random)
{
    TrnChunk *some[64];
    uint32_t count = 0;
    crowd->sight++;
    for (; count < 64; count++) {
        const uint32_t i = (uint32_t)test_random_range(random, 0, CROWD - 1);
        some[count] = crowd->chunks[i];
        crowd->sights[i] = crowd->sight;
        crowd->uses[i] = ++crowd->use;
    }
    trn_store_touch(crowd->store, some, count);
    const uint32_t changed = (uint32_t)test_random_range(random, 0, CROWD - 1);
    trn_store_fill(crowd->store, crowd->chunks[changed], (TrnBlock)(crowd->sight + 1));
    crowd->uses[changed] =
        crowd->sights[changed] == crowd->sight ? ++crowd->use : crowd->uses[changed];
    const uint32_t back = (uint32_t)test_random_range(random, 0, CROWD - 1);
    assert_int_equal(trn_store_remove(crowd->store, crowd_coord(back)), TRN_RESULT_OK);
    crowd->chunks[back] = inserted(crowd->store, crowd_coord(back));
    crowd->sights[back] = crowd->sight;
    crowd->uses[back] = ++crowd->use;
}

static Crowd crowd;

static bool goes_before(uint32_t a, uint32_t b)
{
    return crowd.sights[a] != crowd.sights[b] ? crowd.sights[a] < crowd.sights[b]
                                              : crowd.uses[a] < crowd.uses[b];
}

static void least_recently_used_chunks_are_evicted_first(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(77);
    crowd_open(&crowd);
    for (int i = 0; i < 40; i++) {
        crowd_step(&crowd, &random);
    }
    save_from(crowd.store);
    const uint32_t counts[] = {1, 1, 7, 511, 1, 600, 300};
    uint32_t total = 0;
    for (int round = 0; round < 7; round++) {
        const TrnEviction eviction = {.count_max = counts[round]};
        uint32_t evicted = 99;
        assert_int_equal(trn_store_evict(crowd.store, &eviction, &evicted), TRN_RESULT_FULL);
        assert_int_equal(evicted, counts[round]);
        total += counts[round];
        assert_int_equal(saved.count, total);
    }
    assert_int_equal(saved.evictions, total);
    for (uint32_t i = 1; i < total; i++) {
        assert_true(goes_before(crowd_place(saved.coords[i - 1]), crowd_place(saved.coords[i])));
    }
    const uint32_t last = crowd_place(saved.coords[total - 1]);
    for (uint32_t i = 0; i < CROWD; i++) {
        if (trn_store_find(crowd.store, crowd_coord(i))) {
            assert_true(goes_before(last, i));
        }
    }
    assert_int_equal(trn_store_stats(crowd.store).chunks, CROWD - total);
    trn_store_destroy(crowd.store);
}

static double crowd_order(const TrnChunk *chunk, void *user)
{
    return ((Crowd *)user)->orders[crowd_place(chunk->coord)];
}

static void a_callers_order_is_followed_and_excluded_chunks_stay(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(78);
    const double zero = 0.0;
    crowd_open(&crowd);
    uint32_t may_go = 0;
    for (uint32_t i = 0; i < CROWD; i++) {
        const double specials[] = {zero / zero, -1.0, -1e-300, -1.0 / zero, 1.0 / zero, 0.0, 1e300};
        const uint64_t what = test_random_next(&random) % 20;
        crowd.orders[i] = what < 7 ? specials[what] : (double)(test_random_next(&random) >> 11);
        may_go += crowd.orders[i] >= 0;
    }
    save_from(crowd.store);
    for (uint32_t i = 0; i < CROWD; i += 97) {
        trn_store_pin(crowd.store, crowd.chunks[i]);
        may_go -= crowd.orders[i] >= 0;
    }
    TrnEviction eviction = {.count_max = may_go / 2, .order = crowd_order, .user = &crowd};
    uint32_t evicted = 0;
    assert_int_equal(trn_store_evict(crowd.store, &eviction, &evicted), TRN_RESULT_FULL);
    assert_int_equal(evicted, may_go / 2);
    eviction.count_max = 0;
    assert_int_equal(trn_store_evict(crowd.store, &eviction, &evicted), TRN_RESULT_FULL);
    assert_int_equal(evicted, may_go - may_go / 2);
    assert_int_equal(saved.count, may_go);
    for (uint32_t i = 0; i < may_go; i++) {
        const uint32_t place = crowd_place(saved.coords[i]);
        assert_true(crowd.orders[place] >= 0 && place % 97 != 0);
        assert_true(i == 0 ||
                    crowd.orders[crowd_place(saved.coords[i - 1])] >= crowd.orders[place]);
    }
    evicted = 99;
    assert_int_equal(trn_store_evict(crowd.store, &eviction, &evicted), TRN_RESULT_FULL);
    assert_int_equal(evicted, 0);
    trn_store_destroy(crowd.store);
}

/// Creates a store whose chunks take 72 KiB each.
static TrnStore *heavy_store(int32_t count, TestAllocator *memory)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    TestRandom random = {79};
    TrnStore *store = small_store(memory, 0);
    mixed_blocks(blocks, 3000, &random);
    for (int32_t i = 0; i < count; i++) {
        blocks[0] = (TrnBlock)i;
        assert_int_equal(trn_store_insert_voxels(store, (TrnCoord){i, 0, 0}, blocks, NULL),
                         TRN_RESULT_OK);
    }
    return store;
}

static void refused_inserts_retire_no_memory(void **state)
{
    (void)state;
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    for (uint32_t v = 0; v < TRN_CHUNK_VOXELS; v++) {
        blocks[v] = (TrnBlock)(1 + v % 2);
    }
    TrnStoreDef def = trn_store_def();
    def.chunk_max = 3;
    for (def.bytes_max = 700000; def.bytes_max < 900000; def.bytes_max += 20000) {
        TrnStore *store;
        TrnChunkReader *reader;
        assert_int_equal(trn_store_create(&def, &store), TRN_RESULT_OK);
        assert_int_equal(trn_chunk_index_reader_create(trn_store_index(store), "slow", &reader),
                         TRN_RESULT_OK);
        trn_chunk_index_read_begin(reader);
        int32_t x = 0; // each chunk has its own page
        while (trn_store_insert_voxels(store, (TrnCoord){x, 0, 0}, blocks, NULL) == TRN_RESULT_OK) {
            x += 8;
        }
        for (int again = 0; again < 20; again++) {
            assert_int_equal(trn_store_insert_voxels(store, (TrnCoord){x, 0, 0}, blocks, NULL),
                             TRN_RESULT_FULL);
        }
        assert_int_equal(trn_store_stats(store).retired_payloads, 0);
        trn_chunk_index_read_end(reader);
        trn_store_destroy(store);
    }
}

/// Chunks of several size classes are touched in random order, so the payloads to free are
/// scattered over the blocks.
static void eviction_removes_no_more_than_necessary(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(37);
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    TestAllocator memory;
    TrnStore *store = heavy_store(0, &memory);
    TrnChunk *chunks[600];
    for (int32_t i = 0; i < 600; i++) {
        const uint32_t types = i % 3 == 0 ? 2 : i % 3 == 1 ? 12 : 100;
        for (uint32_t v = 0; v < TRN_CHUNK_VOXELS; v++) {
            blocks[v] = (TrnBlock)(v * 7 % types);
        }
        assert_int_equal(trn_store_insert_voxels(store, (TrnCoord){i, 0, 0}, blocks, &chunks[i]),
                         TRN_RESULT_OK);
    }
    for (uint32_t i = 0; i < 3000; i++) {
        trn_store_touch(store, &chunks[test_random_next(&random) % 600], 1);
    }
    const TrnStoreStats full = trn_store_stats(store);
    const TrnEviction eviction = {.used_bytes = full.used_bytes / 4 * 3};
    uint32_t evicted;
    assert_int_equal(trn_store_evict(store, &eviction, &evicted), TRN_RESULT_OK);
    const TrnStoreStats left = trn_store_stats(store);
    assert_true(left.used_bytes <= eviction.used_bytes);
    assert_true(evicted > 100 && evicted < 200); // about a quarter
    // The memory is available: as many chunks fit again, with hardly a new block.
    for (int32_t i = 0; i < (int32_t)evicted; i++) {
        blocks[5] = (TrnBlock)(i % 2);
        assert_int_equal(trn_store_insert_voxels(store, (TrnCoord){i, 9, 0}, blocks, NULL),
                         TRN_RESULT_OK);
    }
    assert_int_equal(memory.live_bytes, trn_store_stats(store).total_bytes);
    trn_store_destroy(store);
}

static void eviction_ends_below_the_byte_limit(void **state)
{
    (void)state;
    TestAllocator memory;
    TrnStore *store = heavy_store(100, &memory);
    const size_t full = trn_store_stats(store).total_bytes;
    uint32_t evicted = 99, before = 0;
    TrnEviction eviction = {.bytes = full};
    assert_int_equal(trn_store_evict(store, &eviction, &evicted), TRN_RESULT_OK);
    assert_int_equal(evicted, 0); // already below the limit
    for (int part = 9; part >= 2; part--) {
        eviction.bytes = full / 10 * (size_t)part;
        assert_int_equal(trn_store_evict(store, &eviction, &evicted), TRN_RESULT_OK);
        assert_true(trn_store_stats(store).total_bytes <= eviction.bytes);
        assert_int_equal(memory.live_bytes, trn_store_stats(store).total_bytes);
        before += evicted;
        assert_int_equal(trn_store_stats(store).chunks, 100 - before);
        assert_true(before <= (uint32_t)(10 - part) * 10 + 12); // plus scattered blocks
    }
    eviction.bytes = 1000;
    assert_int_equal(trn_store_evict(store, &eviction, &evicted), TRN_RESULT_FULL);
    assert_int_equal(trn_store_stats(store).chunks, 0);
    assert_int_equal(evicted, 100 - before);
    assert_int_equal(trn_store_evict(store, &eviction, NULL), TRN_RESULT_FULL);
    assert_int_equal(trn_store_evict(store, NULL, &evicted), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(evicted, 0); // written whatever the result is
    check_figures(store, &memory);
    trn_store_destroy(store);
}

static void eviction_returns_readers_if_they_keep_the_bytes(void **state)
{
    (void)state;
    TestAllocator memory;
    TrnStore *store = heavy_store(40, &memory);
    TrnChunkReader *reader = reader_of(store, "slow");
    const TrnEviction eviction = {.bytes = trn_store_stats(store).total_bytes / 10 * 6};
    uint32_t evicted = 0;
    trn_chunk_index_read_begin(reader);
    TrnChunk *seen = trn_store_find(store, (TrnCoord){3, 0, 0});
    const uint64_t hash = test_chunk_hash(seen);
    assert_int_equal(trn_store_evict(store, &eviction, &evicted), TRN_RESULT_READERS);
    assert_true(evicted >= 16 && evicted <= 24); // a slow reader does not empty the store
    assert_true(test_chunk_hash(seen) == hash);  // the reader's section still sees it
    assert_true(trn_store_stats(store).total_bytes > 1000000);
    assert_int_equal(trn_store_evict(store, &eviction, &evicted), TRN_RESULT_READERS);
    assert_true(evicted <= 1); // retired memory counts as freed
    trn_chunk_index_read_end(reader);
    assert_int_equal(trn_store_evict(store, &eviction, &evicted), TRN_RESULT_OK);
    assert_true(evicted <= 3 && trn_store_stats(store).total_bytes <= eviction.bytes);
    trn_store_destroy(store);
}

static void evicted_chunks_can_be_saved_and_loaded_again(void **state)
{
    (void)state;
    TestAllocator memory;
    TrnStore *store = heavy_store(30, &memory);
    uint64_t hashes[30];
    for (int32_t i = 0; i < 30; i++) {
        hashes[i] = test_chunk_hash(trn_store_find(store, (TrnCoord){i, 0, 0}));
    }
    save_from(store);
    const TrnEviction eviction = {.count_max = 10};
    uint32_t evicted = 0;
    assert_int_equal(trn_store_evict(store, &eviction, &evicted), TRN_RESULT_FULL);
    assert_int_equal(saved.count, 10);
    assert_int_equal(saved.evictions, 10);
    for (uint32_t i = 0; i < 10; i++) {
        assert_true(saved.hashes[i] == hashes[saved.coords[i].x]);
        assert_int_equal(trn_store_explain(store, saved.coords[i]).state, TRN_CHUNK_STATE_EVICTED);
        TrnChunk *chunk = inserted(store, saved.coords[i]);
        assert_true(trn_chunk_revision(chunk) == 31 + i);
        assert_ptr_equal(trn_store_find(store, saved.coords[i]), chunk);
    }
    const TrnStoreStats stats = trn_store_stats(store);
    assert_true(stats.chunks == 30 && stats.evicted == 10 && stats.inserted == 40);
    check_figures(store, &memory);
    trn_store_destroy(store);
}

static void memory_is_freed_after_listeners_saw_the_eviction(void **state)
{
    (void)state;
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    TestRandom random = {83};
    TestAllocator memory;
    TrnStore *store = small_store(&memory, 1100000);
    const TrnEviction eviction = {.count_max = 1};
    mixed_blocks(blocks, 3000, &random);
    for (int32_t i = 0; i < 4000; i++) { // hundreds of times what fits
        if (i % 1000 == 0) {
            trn_store_unsubscribe(store, save_listener, &saved);
            save_from(store);
        }
        const TrnCoord coord = {i % 100, 0, 0};
        assert_int_equal(trn_store_insert_voxels(store, coord, blocks, NULL), TRN_RESULT_OK);
        if (i % 2) {
            assert_int_equal(trn_store_remove(store, coord), TRN_RESULT_OK);
        } else {
            assert_int_equal(trn_store_evict(store, &eviction, NULL), TRN_RESULT_FULL);
        }
        assert_int_equal(trn_store_stats(store).retired_chunks, 0);
        assert_int_equal(saved.count, i % 1000 + 1);
        assert_int_equal(saved.evictions, i % 1000 / 2 + 1);
    }
    trn_store_trim(store);
    assert_int_equal(trn_pool_stats(trn_store_pool(store)).taken, 0);
    trn_store_destroy(store);
    assert_int_equal(memory.live_blocks, 0);
}

static void with_eviction_a_world_of_any_size_fits_a_budget(void **state)
{
    (void)state;
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    TestRandom random = {80};
    TestAllocator memory;
    TrnStore *store = small_store(&memory, 3000000);
    const TrnEviction eviction = {.bytes = 2500000};
    uint32_t times = 0;
    for (int32_t i = 0; i < 500; i++) { // forty times what fits
        mixed_blocks(blocks, 3000, &random);
        const TrnCoord coord = {i, i / 2, -i};
        TrnResult result = trn_store_insert_voxels(store, coord, blocks, NULL);
        if (result == TRN_RESULT_FULL) {
            assert_int_equal(trn_store_evict(store, &eviction, NULL), TRN_RESULT_OK);
            result = trn_store_insert_voxels(store, coord, blocks, NULL);
            times++;
        }
        assert_int_equal(result, TRN_RESULT_OK);
        assert_true(test_chunk_hash(trn_store_find(store, coord)) ==
                    test_chunk_hash(trn_store_find(store, coord)));
        check_figures(store, &memory);
    }
    assert_true(times > 20);
    trn_store_destroy(store);
    assert_int_equal(memory.live_blocks, 0);
}

static void eviction_needs_no_memory(void **state)
{
    (void)state;
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    TestRandom random = {82};
    mixed_blocks(blocks, 20, &random);
    for (int kind = 0; kind < 8; kind++) {
        TestAllocator memory;
        TrnStore *store = small_store(&memory, 0);
        saved.count = 0;
        for (int32_t i = 0; i < 100; i++) { // adjacent, or each in its own page
            const TrnCoord coord = {kind & 1 ? i * 1000 : i % 5, i / 25, i / 5 % 5};
            const TrnResult result =
                kind & 2 ? trn_store_insert_uniform(store, coord, TRN_BLOCK_AIR, NULL)
                         : trn_store_insert_voxels(store, coord, blocks, NULL);
            assert_int_equal(result, TRN_RESULT_OK);
        }
        if (kind & 4) {
            save_from(store);
        }
        trn_store_trim(store);
        test_fail(&memory, 1, SIZE_MAX);
        uint32_t evicted = 0;
        const TrnEviction eviction = {0};
        assert_int_equal(trn_store_evict(store, &eviction, &evicted), TRN_RESULT_FULL);
        assert_int_equal(evicted, 100);
        assert_int_equal(saved.count, kind & 4 ? 100 : 0);
        memory.fail_at = 0;
        check_figures(store, &memory);
        trn_store_destroy(store);
    }
}

/// Inserts evicted chunks again at once, `left` times.
static TrnResult put_back_listener(TrnStore *store, const TrnStoreEvent *event, void *user)
{
    uint32_t *left = user;
    if (event->kind == TRN_EVENT_REMOVED) {
        assert_true((*left)-- > 0); // bounded, or it would never end
        inserted(store, event->chunks[0].coord);
    }
    return TRN_RESULT_OK;
}

static void eviction_ends_if_a_listener_inserts_chunks_again(void **state)
{
    (void)state;
    TestAllocator memory;
    TrnStore *store = heavy_store(50, &memory);
    uint32_t left = 1000, evicted = 0;
    assert_int_equal(trn_store_subscribe(store, 7, put_back_listener, &left), TRN_RESULT_OK);
    const TrnEviction eviction = {0};
    assert_int_equal(trn_store_evict(store, &eviction, &evicted), TRN_RESULT_FULL);
    assert_true(evicted >= 50 && trn_store_stats(store).chunks >= 1);
    check_figures(store, &memory);
    trn_store_destroy(store);
}

/// Evicts another chunk for each one evicted, and pins one more.
static TrnResult evict_listener(TrnStore *store, const TrnStoreEvent *event, void *user)
{
    (void)user;
    const TrnEviction one = {.count_max = 1};
    TrnChunk *chunks[64];
    test_chunk_hash(event->chunks[0].chunk);
    trn_store_evict(store, &one, NULL);
    test_chunk_hash(event->chunks[0].chunk);
    if (trn_store_gather(store, trn_box_everything(), chunks, 64) > 0) {
        trn_store_pin(store, chunks[0]);
    }
    return TRN_RESULT_OK;
}

static void listeners_may_evict_and_pin_during_an_eviction(void **state)
{
    (void)state;
    TestAllocator memory;
    TrnStore *store = heavy_store(40, &memory);
    save_from(store);
    assert_int_equal(
        trn_store_subscribe(store, TRN_EVENT_BIT(TRN_EVENT_REMOVED), evict_listener, NULL),
        TRN_RESULT_OK);
    const TrnEviction eviction = {0};
    uint32_t evicted = 0;
    assert_int_equal(trn_store_evict(store, &eviction, &evicted), TRN_RESULT_FULL);
    TrnChunk *chunks[64];
    const size_t left = trn_store_gather(store, trn_box_everything(), chunks, 64);
    assert_int_equal(left, 40 - trn_store_stats(store).evicted);
    assert_int_equal(saved.count, trn_store_stats(store).evicted);
    for (size_t i = 0; i < left; i++) { // only pinned chunks are left
        assert_true(trn_store_explain(store, chunks[i]->coord).pins > 0);
    }
    check_figures(store, &memory);
    trn_store_destroy(store);
    assert_int_equal(memory.live_blocks, 0);
}

/// Evicts until the store has allocated few enough bytes, and records the result.
typedef struct NestedEviction {
    TrnEviction eviction;
    TrnResult result;
    uint32_t calls, evicted;
    size_t bytes; ///< allocated when the eviction had ended
} NestedEviction;

static TrnResult nested_listener(TrnStore *store, const TrnStoreEvent *event, void *user)
{
    NestedEviction *nested = user;
    if (nested->calls++ == 0) {
        nested->result = trn_store_evict(store, &nested->eviction, &nested->evicted);
        nested->bytes = trn_store_stats(store).total_bytes;
    }
    test_chunk_hash(event->chunks[0].chunk); // still readable
    return TRN_RESULT_OK;
}

static void a_listeners_eviction_counts_what_is_freed_when_it_returns(void **state)
{
    (void)state;
    TestAllocator memory;
    TrnStore *store = heavy_store(40, &memory);
    NestedEviction nested = {.eviction.bytes = trn_store_stats(store).total_bytes / 10 * 7};
    assert_int_equal(
        trn_store_subscribe(store, TRN_EVENT_BIT(TRN_EVENT_REMOVED), nested_listener, &nested),
        TRN_RESULT_OK);
    assert_int_equal(trn_store_remove(store, (TrnCoord){20, 0, 0}), TRN_RESULT_OK);
    assert_int_equal(nested.result, TRN_RESULT_OK);
    assert_true(nested.evicted > 0 && nested.evicted < 39);
    assert_int_equal(nested.calls, nested.evicted + 1);
    assert_true(nested.bytes > nested.eviction.bytes); // queued events kept the chunks
    trn_store_trim(store);
    // Blocks that still hold other chunks stay.
    assert_true(trn_store_stats(store).total_bytes < nested.eviction.bytes + 200000);
    check_figures(store, &memory);
    trn_store_destroy(store);
}

static void chunks_that_a_batch_has_open_are_not_evicted(void **state)
{
    (void)state;
    TestAllocator memory;
    TrnStore *store = heavy_store(10, &memory);
    TrnBatch *batch = NULL;
    const TrnCoord coord = {4, 0, 0};
    const TrnEviction eviction = {0};
    uint32_t evicted = 0;
    assert_int_equal(trn_batch_begin(store, NULL, &batch), TRN_RESULT_OK);
    assert_int_equal(trn_batch_set(batch, trn_coord_voxel(coord), 9), TRN_RESULT_OK);
    assert_int_equal(trn_store_evict(store, &eviction, &evicted), TRN_RESULT_FULL);
    assert_int_equal(evicted, 9);
    assert_non_null(trn_store_find(store, coord));
    assert_int_equal(trn_batch_commit(batch, NULL), TRN_RESULT_OK);
    TrnBlock block = 0;
    assert_int_equal(trn_store_get_block(store, trn_coord_voxel(coord), &block), TRN_RESULT_OK);
    assert_int_equal(block, 9);
    assert_int_equal(trn_store_evict(store, &eviction, &evicted), TRN_RESULT_FULL);
    assert_int_equal(evicted, 1);
    trn_store_destroy(store);
    assert_int_equal(memory.live_blocks, 0);
}

/// A watch that lets two of three chunks go.
typedef struct Keeper {
    uint32_t asked[CROWD];
} Keeper;

static TrnResult keep_every_third(void *user, const TrnChunk *chunk)
{
    Keeper *keeper = user;
    const uint32_t place = (uint32_t)chunk->coord.x;
    keeper->asked[place]++;
    return place % 3 == 0 || place < CROWD / 2 ? TRN_RESULT_IO : TRN_RESULT_OK;
}

/// More chunks are refused than one pass chooses, the oldest among them.
static void chunks_that_a_watch_keeps_stay_and_others_go(void **state)
{
    (void)state;
    static Keeper keeper;
    TestAllocator memory = {0};
    const TrnEviction eviction = {0};
    uint32_t evicted = 0, kept = 0;
    TrnStore *store = heavy_store(CROWD, &memory);
    TrnStoreWatch watch = {.removing = keep_every_third, .user = &keeper};
    trn_store_watch(store, &watch);
    assert_int_equal(trn_store_evict(store, &eviction, &evicted), TRN_RESULT_IO);
    for (uint32_t i = 0; i < CROWD; i++) {
        const bool is_kept = trn_store_find(store, (TrnCoord){(int32_t)i, 0, 0}) != NULL;
        assert_int_equal(is_kept, i % 3 == 0 || i < CROWD / 2);
        assert_int_equal(keeper.asked[i], 1);
        kept += is_kept;
    }
    assert_int_equal(evicted, CROWD - kept);
    assert_int_equal(trn_store_remove(store, (TrnCoord){0, 0, 0}), TRN_RESULT_IO);
    assert_int_equal(trn_store_stats(store).chunks, kept);
    assert_int_equal(trn_store_explain(store, (TrnCoord){0, 0, 0}).state, TRN_CHUNK_STATE_LOADED);
    trn_store_unwatch(store, &watch);
    assert_int_equal(trn_store_remove(store, (TrnCoord){0, 0, 0}), TRN_RESULT_OK);
    trn_store_destroy(store);
    assert_int_equal(memory.live_blocks, 0);
}

// ---- a model of the order ----------------------------------------------------------------------

#define FLOCK 3000

/// What decides the order of eviction, by chunk.
typedef struct Flock {
    TrnStore *store;
    TrnChunk *chunks[FLOCK]; ///< NULL: not loaded
    uint32_t touched[FLOCK], pins[FLOCK];
    int64_t uses[FLOCK]; ///< the number of the last use; less goes first
    bool is_met[FLOCK];  ///< an eviction met it while it was pinned
    bool is_kept[FLOCK]; ///< by the watch
    uint32_t touches;
    int64_t use, returned;
} Flock;

static Flock flock;

static TrnCoord flock_coord(uint32_t i)
{
    return (TrnCoord){(int32_t)i % 16, (int32_t)i / 256, (int32_t)i / 16 % 16};
}

static uint32_t flock_number(TrnCoord coord)
{
    return (uint32_t)(coord.x + coord.z * 16 + coord.y * 256);
}

static TrnResult flock_keep(void *user, const TrnChunk *chunk)
{
    return ((Flock *)user)->is_kept[flock_number(chunk->coord)] ? TRN_RESULT_IO : TRN_RESULT_OK;
}

static void flock_use(uint32_t i)
{
    flock.uses[i] = ++flock.use;
    flock.is_met[i] = false;
}

/// Pins or unpins a chunk. One that an eviction has met while it was pinned goes first after that.
static void flock_pin(uint32_t i)
{
    const bool is_pinned = flock.pins[i] > 0;
    (is_pinned ? trn_store_unpin : trn_store_pin)(flock.store, flock.chunks[i]);
    flock.pins[i] = !is_pinned;
    if (is_pinned && flock.is_met[i]) {
        flock.uses[i] = --flock.returned;
        flock.is_met[i] = false;
    }
}

static void flock_step(TestRandom *random)
{
    const uint32_t i = (uint32_t)test_random_range(random, 0, FLOCK - 1);
    TrnChunk *chunk = flock.chunks[i], *some[40];
    uint32_t count = 0;
    switch (test_random_next(random) % 6) {
    case 0:
        flock.touches++;
        for (uint32_t place = i; place < FLOCK && count < 40; place += 1 + i % 5) {
            if (flock.chunks[place]) {
                some[count++] = flock.chunks[place];
                flock.touched[place] = flock.touches;
                flock_use(place);
            }
        }
        trn_store_touch(flock.store, some, count);
        return;
    case 1:
        if (chunk) {
            flock_pin(i);
        }
        return;
    case 2:
        flock.is_kept[i] = !flock.is_kept[i] && i % 3 == 0;
        return;
    case 3:
        if (chunk && !flock.pins[i] && !flock.is_kept[i]) {
            assert_int_equal(trn_store_remove(flock.store, flock_coord(i)), TRN_RESULT_OK);
            flock.chunks[i] = NULL;
            return;
        }
    default:
        break;
    }
    if (chunk) {
        const uint64_t before = trn_chunk_revision(chunk);
        trn_store_fill(flock.store, chunk, (TrnBlock)(test_random_next(random) % 100));
        if (trn_chunk_revision(chunk) != before && flock.touched[i] == flock.touches) {
            flock_use(i);
        }
    } else {
        flock.chunks[i] = inserted(flock.store, flock_coord(i));
        flock.touched[i] = flock.touches;
        flock_use(i);
    }
}

/// The chunk that goes next, or FLOCK.
static uint32_t flock_next(void)
{
    uint32_t next = FLOCK;
    for (uint32_t i = 0; i < FLOCK; i++) {
        if (flock.chunks[i] && !flock.pins[i] && !flock.is_kept[i] &&
            (next == FLOCK || flock.uses[i] < flock.uses[next])) {
            next = i;
        }
    }
    return next;
}

/// Notes which chunks an eviction met that ended with the chunk `last`, or with FLOCK: all.
static void flock_meet(uint32_t last)
{
    for (uint32_t i = 0; i < FLOCK; i++) {
        const bool is_before = last == FLOCK || flock.uses[i] < flock.uses[last];
        flock.is_met[i] |= flock.chunks[i] && flock.pins[i] && is_before;
    }
}

static void the_order_agrees_with_a_model_over_touches_pins_and_watches(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(521);
    TrnStoreWatch watch = {.removing = flock_keep, .user = &flock};
    memset(&flock, 0, sizeof flock);
    assert_int_equal(trn_store_create(NULL, &flock.store), TRN_RESULT_OK);
    trn_store_watch(flock.store, &watch);
    save_from(flock.store);
    for (int round = 0; round < 60; round++) {
        for (int step = 0; step < (round % 3 + 1) * 400; step++) {
            flock_step(&random);
        }
        const TrnEviction eviction = {.count_max = (uint32_t)test_random_range(&random, 1, 60)};
        uint32_t evicted;
        saved.count = 0;
        (void)trn_store_evict(flock.store, &eviction, &evicted);
        assert_int_equal(saved.count, evicted);
        for (uint32_t i = 0; i < evicted; i++) {
            const uint32_t next = flock_next();
            assert_int_equal(flock_number(saved.coords[i]), next);
            flock_meet(next);
            flock.chunks[next] = NULL;
        }
        if (evicted < eviction.count_max) {
            assert_int_equal(flock_next(), FLOCK);
            flock_meet(FLOCK);
        }
    }
    trn_store_destroy(flock.store);
}

/// The next eviction asks again about all chunks that were refused.
static void all_refused_chunks_are_asked_again(void **state)
{
    (void)state;
    TrnStoreWatch watch = {.removing = flock_keep, .user = &flock};
    memset(&flock, 0, sizeof flock);
    assert_int_equal(trn_store_create(NULL, &flock.store), TRN_RESULT_OK);
    trn_store_watch(flock.store, &watch);
    for (uint32_t i = 0; i < FLOCK; i++) {
        inserted(flock.store, flock_coord(i));
        flock.is_kept[i] = true;
    }
    const TrnEviction eviction = {.bytes = 1};
    uint32_t evicted;
    assert_int_equal(trn_store_evict(flock.store, &eviction, &evicted), TRN_RESULT_IO);
    assert_int_equal(evicted, 0);
    memset(flock.is_kept, 0, sizeof flock.is_kept);
    assert_int_equal(trn_store_evict(flock.store, &eviction, &evicted), TRN_RESULT_FULL);
    assert_int_equal(evicted, FLOCK);
    trn_store_destroy(flock.store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_order_agrees_with_a_model_over_touches_pins_and_watches),
        cmocka_unit_test(all_refused_chunks_are_asked_again),
        cmocka_unit_test(least_recently_used_chunks_are_evicted_first),
        cmocka_unit_test(a_callers_order_is_followed_and_excluded_chunks_stay),
        cmocka_unit_test(eviction_removes_no_more_than_necessary),
        cmocka_unit_test(refused_inserts_retire_no_memory),
        cmocka_unit_test(eviction_ends_below_the_byte_limit),
        cmocka_unit_test(eviction_returns_readers_if_they_keep_the_bytes),
        cmocka_unit_test(evicted_chunks_can_be_saved_and_loaded_again),
        cmocka_unit_test(memory_is_freed_after_listeners_saw_the_eviction),
        cmocka_unit_test(with_eviction_a_world_of_any_size_fits_a_budget),
        cmocka_unit_test(eviction_ends_if_a_listener_inserts_chunks_again),
        cmocka_unit_test(listeners_may_evict_and_pin_during_an_eviction),
        cmocka_unit_test(a_listeners_eviction_counts_what_is_freed_when_it_returns),
        cmocka_unit_test(chunks_that_a_batch_has_open_are_not_evicted),
        cmocka_unit_test(eviction_needs_no_memory),
        cmocka_unit_test(chunks_that_a_watch_keeps_stay_and_others_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
