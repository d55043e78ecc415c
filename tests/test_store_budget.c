// The store's bytes: the cap on them is never passed, figures are exact, and whatever memory, caps
// or readers refuse leaves everything as it was. And eviction: which chunks go, in which order,
// until when.

#include "store_mirror.h"

#include <terrane/batch.h>

/// Categories make up the total, which is what the allocator has given.
static void check_figures(const TrnStore *store, const TestAllocator *memory)
{
    const TrnStoreStats stats = trn_store_stats(store);
    const size_t sum = stats.header_bytes + stats.voxel_bytes + stats.index_bytes +
                       stats.type_bytes + stats.book_bytes + stats.edit_bytes +
                       stats.pending_bytes + stats.history_bytes;
    assert_int_equal(stats.total_bytes, sum);
    assert_int_equal(stats.total_bytes, memory->live_bytes);
    assert_int_equal(stats.total_bytes_peak, memory->peak_bytes);
    assert_int_equal(stats.bytes_max, memory->bytes_max);
    assert_true(stats.touched_bytes <= stats.header_bytes);
    assert_true(stats.retired_bytes <= stats.total_bytes);
    assert_true(stats.pending_bytes_max == 0 || stats.pending_bytes <= stats.pending_bytes_max);
}

static TrnChunk *inserted(TrnStore *store, TrnCoord coord)
{
    TrnChunk *chunk = NULL;
    assert_int_equal(trn_store_insert(store, coord, &chunk), TRN_RESULT_OK);
    return chunk;
}

static void mixed_blocks(TrnBlock *blocks, uint32_t types, TestRandom *random)
{
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        blocks[i] = (TrnBlock)(test_random_next(random) % types);
    }
}

static TrnChunkReader *reader_of(TrnStore *store, const char *name)
{
    TrnChunkReader *reader;
    assert_int_equal(trn_chunk_index_reader_create(trn_store_index(store), name, &reader),
                     TRN_RESULT_OK);
    return reader;
}

// ---- creation ----------------------------------------------------------------------------------

static void a_budget_too_small_for_a_world_of_air_is_refused(void **state)
{
    (void)state;
    size_t low = 1, high = (size_t)1 << 20; // refused up to low, enough from high on
    while (high - low > 1) {
        const size_t bytes_max = low + (high - low) / 2;
        TestAllocator memory = {.bytes_max = bytes_max};
        const TrnAllocator allocator = test_allocator(&memory);
        TrnStoreDef def = trn_store_def();
        def.allocator = &allocator;
        def.bytes_max = bytes_max;
        TrnStore *store = NULL;
        const TrnResult result = trn_store_create(&def, &store);
        assert_true(result == TRN_RESULT_OK || result == TRN_RESULT_FULL);
        assert_int_equal(store != NULL, result == TRN_RESULT_OK);
        if (store) {
            check_figures(store, &memory);
            TrnChunk *chunk = NULL; // where there is no room for one, that is said
            const TrnResult insert = trn_store_insert(store, (TrnCoord){0, 0, 0}, &chunk);
            assert_true(insert == TRN_RESULT_OK || insert == TRN_RESULT_FULL);
            assert_int_equal(chunk != NULL, insert == TRN_RESULT_OK);
            check_figures(store, &memory);
            trn_store_destroy(store);
        }
        assert_int_equal(memory.live_blocks, 0);
        *(result == TRN_RESULT_OK ? &high : &low) = bytes_max;
    }
    print_message("  the least budget is %zu bytes\n", high);
    assert_true(high > sizeof(void *) && high < 300000);
}

static void a_reserved_range_counts_whole(void **state)
{
    (void)state;
    TestAllocator memory = {.bytes_max = 0};
    const TrnAllocator allocator = test_allocator(&memory);
    TrnStoreDef def = trn_store_def();
    def.allocator = &allocator;
    def.user_bytes = 200;
    def.chunk_reserve = 5000;
    const size_t range = 5000 * (sizeof(TrnChunk) + 200);
    TrnStore *store = NULL;
    assert_int_equal(trn_store_create(&def, &store), TRN_RESULT_OK);
    const TrnStoreStats stats = trn_store_stats(store);
    assert_true(stats.header_bytes >= range);
    assert_true(stats.touched_bytes < range / 10);
    check_figures(store, &memory);
    const size_t total = stats.total_bytes;
    trn_store_destroy(store);
    assert_int_equal(memory.live_blocks, 0);
    def.bytes_max = memory.bytes_max = range; // not also for the rest
    assert_int_equal(trn_store_create(&def, &store), TRN_RESULT_FULL);
    assert_int_equal(memory.live_blocks, 0);
    def.bytes_max = memory.bytes_max = total + 600000;
    memory.peak_bytes = 0;
    assert_int_equal(trn_store_create(&def, &store), TRN_RESULT_OK);
    int32_t count = 0;
    while (trn_store_insert(store, (TrnCoord){count % 50, count / 50 % 10, count / 500}, NULL) ==
           TRN_RESULT_OK) {
        count++;
        check_figures(store, &memory);
    }
    assert_true(count >= 5000 && count < 5100); // the range is a cap too
    assert_int_equal(trn_store_insert(store, (TrnCoord){-1, 0, 0}, NULL), TRN_RESULT_FULL);
    assert_true(trn_store_stats(store).touched_bytes >= range);
    trn_store_destroy(store);
    assert_int_equal(memory.live_blocks, 0);
}

// ---- all that can be done, under a budget ------------------------------------------------------

#define PLACES 48

/// A store beside plain arrays.
typedef struct World {
    TestAllocator memory;
    TrnStore *store;
    TrnHistory *history;
    TrnBatch *batch; ///< open, or NULL
    TrnChunkReader *reader;
    bool is_reading;
    TestRandom random;
    TrnChunk *chunks[PLACES];
    uint32_t holds[PLACES];
    uint64_t revisions[PLACES];
    TrnBlock blocks[PLACES][TRN_CHUNK_VOXELS];
    TrnBlock next[TRN_CHUNK_VOXELS]; ///< what an operation would make of its chunk
    Mirror mirror;
    bool is_mirrored;
    uint32_t results[TRN_RESULT_COUNT];
} World;

/// Most in a row, for spheres over several; some in pages of their own.
static TrnCoord place_coord(uint32_t place)
{
    const int32_t at = (int32_t)place;
    return place % 6 == 5 ? (TrnCoord){at * 1000, -at, at} : (TrnCoord){at / 6, 0, at % 6};
}

static TrnVoxel place_voxel(uint32_t place, TestRandom *random)
{
    TrnVoxel voxel = trn_coord_voxel(place_coord(place));
    voxel.x += test_random_range(random, 0, 31);
    voxel.y += test_random_range(random, 0, 31);
    voxel.z += test_random_range(random, 0, 31);
    return voxel;
}

/// All that a caller can find out of a store, but for its bytes, its counters of what was refused, and uniform chunks, which are
/// fewer while a batch has copies of them.
typedef struct Signature {
    uint64_t revision, inserted, removed, evicted, waiting_edits, applied_edits;
    uint64_t order; ///< hash of who changed last, and when
    uint64_t undo_groups, redo_groups;
    uint64_t chunks, waiting_chunks, listeners;
    uint64_t hashes[PLACES];
} Signature;

static Signature signature_of(const World *world)
{
    static TrnChunk *changed[PLACES];
    const TrnStoreStats stats = trn_store_stats(world->store);
    Signature signature;
    memset(&signature, 0, sizeof signature);
    signature.revision = stats.revision;
    signature.inserted = stats.inserted;
    signature.removed = stats.removed;
    signature.evicted = stats.evicted;
    signature.waiting_edits = stats.waiting_edits;
    signature.applied_edits = stats.applied_edits;
    signature.chunks = stats.chunks;
    signature.waiting_chunks = stats.waiting_chunks;
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

/// One place against its array.
static void check_place(const World *world, uint32_t place)
{
    static TrnBlock read[TRN_CHUNK_VOXELS];
    const TrnChunk *chunk = world->chunks[place];
    assert_ptr_equal(trn_store_find(world->store, place_coord(place)), chunk);
    if (chunk) {
        assert_true(trn_chunk_revision(chunk) == world->revisions[place]);
        assert_ptr_equal(trn_store_chunk(world->store, chunk->id), chunk);
        trn_snapshot_decode(trn_voxels_snapshot(&chunk->voxels), read);
        assert_memory_equal(read, world->blocks[place], sizeof read);
    }
}

/// Takes over what a place has become.
static void take_place(World *world, uint32_t place)
{
    TrnChunk *chunk = trn_store_find(world->store, place_coord(place));
    world->chunks[place] = chunk;
    world->holds[place] = chunk ? world->holds[place] : 0;
    if (chunk && trn_chunk_revision(chunk) != world->revisions[place]) {
        world->revisions[place] = trn_chunk_revision(chunk);
        trn_snapshot_decode(trn_voxels_snapshot(&chunk->voxels), world->blocks[place]);
    }
}

static void take_all(World *world)
{
    for (uint32_t place = 0; place < PLACES; place++) {
        take_place(world, place);
    }
}

static TrnResult do_insert(World *world, uint32_t place)
{
    static const uint32_t types[] = {1, 2, 4, 16, 200, 3000};
    const TrnCoord coord = place_coord(place);
    TrnChunk *chunk = NULL;
    TrnResult result = TRN_RESULT_OK;
    memset(world->next, 0, sizeof world->next);
    const TrnExplanation why = trn_store_explain(world->store, coord);
    switch (test_random_next(&world->random) % 3) {
    case 0:
        result = trn_store_insert(world->store, coord, &chunk);
        break;
    case 1:
        mixed_blocks(world->next, 1, &world->random);
        result = trn_store_insert_uniform(world->store, coord, 0, &chunk);
        break;
    default:
        mixed_blocks(world->next, types[test_random_next(&world->random) % 6], &world->random);
        result = trn_store_insert_voxels(world->store, coord, world->next, &chunk);
        break;
    }
    assert_int_equal(chunk != NULL, result == TRN_RESULT_OK);
    if (result != TRN_RESULT_OK) {
        assert_int_equal(trn_store_explain(world->store, coord).refusal, result);
        return result;
    }
    if (why.waiting_edits == 0) {
        memcpy(world->blocks[place], world->next, sizeof world->next);
        world->revisions[place] = trn_chunk_revision(chunk);
    } else {
        world->revisions[place] = 0; // with what waited: test_batch.c says what that makes
    }
    take_place(world, place);
    return result;
}

static TrnResult do_remove(World *world, uint32_t place)
{
    const TrnExplanation why = trn_store_explain(world->store, place_coord(place));
    const TrnResult result = trn_store_remove(world->store, place_coord(place));
    assert_int_equal(result == TRN_RESULT_HELD, why.holds > 0 || why.is_open);
    world->chunks[place] = result == TRN_RESULT_OK ? NULL : world->chunks[place];
    return result;
}

/// Sets and a box in one edit; given up where one of them fails.
static TrnResult do_edit(World *world, uint32_t place)
{
    TestRandom *random = &world->random;
    TrnVoxelEdit edit;
    TrnResult result = TRN_RESULT_OK;
    trn_store_edit_begin(world->store, world->chunks[place], &edit);
    for (int i = 0; i < 30 && result == TRN_RESULT_OK; i++) {
        const uint32_t index = (uint32_t)test_random_range(random, 0, TRN_CHUNK_VOXELS - 1);
        world->next[index] = (TrnBlock)test_random_range(random, 0, 400);
        result = trn_voxel_edit_set(&edit, index, world->next[index]);
    }
    if (result != TRN_RESULT_OK) {
        trn_voxel_edit_cancel(&edit);
        return result;
    }
    trn_store_edit_commit(world->store, &edit);
    return TRN_RESULT_OK;
}

static TrnResult write_chunk(World *world, uint32_t place)
{
    static const uint32_t types[] = {1, 2, 4, 16, 200, 3000};
    TestRandom *random = &world->random;
    TrnChunk *chunk = world->chunks[place];
    memcpy(world->next, world->blocks[place], sizeof world->next);
    switch (test_random_next(random) % 6) {
    case 0:
        mixed_blocks(world->next, types[test_random_next(random) % 6], random);
        return trn_store_set_voxels(world->store, chunk, world->next);
    case 1: {
        const TrnVoxel voxel = place_voxel(place, random);
        const TrnBlock block = (TrnBlock)test_random_range(random, 0, 9);
        world->next[trn_voxel_local_index(voxel)] = block;
        return trn_store_set_block(world->store, voxel, block);
    }
    case 2:
        return trn_store_compact(world->store, chunk);
    case 3:
        if (test_random_next(random) % 4 == 0) {
            memset(world->next, 0, sizeof world->next);
            trn_store_fill(world->store, chunk, TRN_BLOCK_AIR);
        }
        return TRN_RESULT_OK;
    default:
        return do_edit(world, place);
    }
}

static TrnResult do_write(World *world, uint32_t place)
{
    if (trn_store_explain(world->store, place_coord(place)).is_open) {
        const TrnVoxel voxel = place_voxel(place, &world->random);
        assert_int_equal(trn_store_set_block(world->store, voxel, 1), TRN_RESULT_HELD);
        return trn_store_set_voxels(world->store, world->chunks[place], world->next);
    }
    const TrnResult result = write_chunk(world, place);
    if (result == TRN_RESULT_OK) {
        memcpy(world->blocks[place], world->next, sizeof world->next);
        world->revisions[place] = trn_chunk_revision(world->chunks[place]);
    }
    return result;
}

static TrnResult do_hold(World *world, uint32_t place)
{
    if (world->holds[place] == 0) {
        trn_store_hold(world->store, world->chunks[place]);
        world->holds[place]++;
    } else {
        trn_store_release(world->store, world->chunks[place]);
        world->holds[place]--;
    }
    return TRN_RESULT_OK;
}

static TrnResult do_evict(World *world)
{
    const TrnEviction eviction = {
        .bytes = (size_t)test_random_range(&world->random, 0, 4000000),
        .count_max = (uint32_t)test_random_range(&world->random, 1, 5),
    };
    uint32_t evicted = UINT32_MAX;
    const uint64_t before = trn_store_stats(world->store).evicted;
    const TrnResult result = trn_store_evict(world->store, &eviction, &evicted);
    assert_int_equal(trn_store_stats(world->store).evicted, before + evicted);
    assert_true(evicted <= eviction.count_max);
    assert_int_equal(result == TRN_RESULT_OK,
                     trn_store_stats(world->store).total_bytes <= eviction.bytes);
    uint32_t gone = 0;
    for (uint32_t place = 0; place < PLACES; place++) {
        const bool is_there = trn_store_find(world->store, place_coord(place)) != NULL;
        gone += world->chunks[place] && !is_there;
        assert_true(is_there || world->holds[place] == 0); // held chunks stay
    }
    assert_int_equal(gone, evicted);
    take_all(world);
    return evicted ? TRN_RESULT_OK : result;
}

/// A change by the batch that is open.
static TrnResult batch_change(World *world, uint32_t place)
{
    TestRandom *random = &world->random;
    const TrnVoxel voxel = place_voxel(place, random);
    const TrnBlock block = (TrnBlock)test_random_range(random, 0, 40);
    const int64_t size = test_random_range(random, 0, 60);
    const TrnVoxel corner = {voxel.x + size, voxel.y + size / 2, voxel.z + size};
    TrnBlock got = 0;
    TrnVoxelEdit *edit = NULL;
    switch (test_random_next(random) % 5) {
    case 0:
        return trn_batch_fill_box(world->batch, voxel, corner, block);
    case 1:
        return trn_batch_fill_sphere(world->batch, voxel, (double)size / 3, block);
    case 2:
        trn_batch_get(world->batch, voxel, &got);
        return TRN_RESULT_OK;
    case 3:
        if (world->chunks[place] &&
            trn_batch_edit(world->batch, place_coord(place), &edit) == TRN_RESULT_OK) {
            return trn_voxel_edit_set(edit, trn_voxel_local_index(voxel), block);
        }
        return TRN_RESULT_OK;
    default:
        return trn_batch_set(world->batch, voxel, block);
    }
}

/// Begins a batch, goes on with it, or ends it. Nothing shows before its commit.
static TrnResult do_batch(World *world, uint32_t place)
{
    TestRandom *random = &world->random;
    if (!world->batch) {
        TrnBatchDef def = trn_batch_def();
        def.absent = (TrnAbsent)test_random_range(random, 0, TRN_ABSENT_COUNT - 1);
        def.history = test_random_next(random) % 4 ? world->history : NULL;
        return trn_batch_begin(world->store, &def, &world->batch);
    }
    if (test_random_next(random) % 6) {
        return batch_change(world, place);
    }
    TrnBatch *batch = world->batch;
    world->batch = NULL;
    if (test_random_next(random) % 4 == 0) {
        trn_batch_cancel(batch);
        return TRN_RESULT_OK;
    }
    TrnBatchOutcome outcome;
    memset(&outcome, 0x5A, sizeof outcome);
    const TrnBatchOutcome untouched = outcome;
    const TrnResult result = trn_batch_commit(batch, &outcome);
    if (result == TRN_RESULT_OK) {
        assert_true(outcome.revision == trn_store_revision(world->store));
        take_all(world);
    } else {
        assert_memory_equal(&outcome, &untouched, sizeof outcome);
    }
    return result;
}

static TrnResult do_undo_or_redo(World *world)
{
    const bool is_undo = test_random_next(&world->random) % 2;
    const TrnResult result = (is_undo ? trn_history_undo : trn_history_redo)(world->history, NULL);
    if (result == TRN_RESULT_OK) {
        take_all(world);
    }
    return result;
}

static TrnResult do_listen(World *world)
{
    if (world->is_mirrored) {
        world->is_mirrored = false;
        return trn_store_leave(world->store, mirror_listen, &world->mirror);
    }
    memset(&world->mirror, 0, sizeof world->mirror);
    mirror_catch_up(&world->mirror, world->store, 0);
    world->mirror.told = world->mirror.told_before = trn_store_revision(world->store);
    const TrnResult result = trn_store_listen(world->store, 7, mirror_listen, &world->mirror);
    world->is_mirrored = result == TRN_RESULT_OK;
    return result;
}

static TrnResult do_house_keeping(World *world, uint32_t place)
{
    switch (test_random_next(&world->random) % 6) {
    case 0:
        trn_store_trim(world->store);
        return TRN_RESULT_OK;
    case 1:
        return do_listen(world);
    case 2:
        return world->chunks[place] ? do_hold(world, place) : TRN_RESULT_OK;
    case 3:
        if (test_random_next(&world->random) % 4 == 0) {
            trn_store_drop_waiting(world->store, place_coord(place));
        }
        return TRN_RESULT_OK;
    case 4:
        if (world->chunks[place]) {
            trn_store_see(world->store, &world->chunks[place], 1);
        }
        return TRN_RESULT_OK;
    default:
        (world->is_reading ? trn_chunk_index_read_end : trn_chunk_index_read_begin)(world->reader);
        world->is_reading = !world->is_reading;
        return TRN_RESULT_OK;
    }
}

/// Which of all that can be done.
static TrnResult do_something(World *world, uint32_t place)
{
    const uint32_t what = (uint32_t)(test_random_next(&world->random) % 20);
    if (what < 6) {
        return do_batch(world, place);
    }
    if (what < 8) {
        return do_undo_or_redo(world);
    }
    if (what < 10) {
        return do_house_keeping(world, place);
    }
    if (what == 10) {
        return do_evict(world);
    }
    if (!world->chunks[place]) {
        return do_insert(world, place);
    }
    return what == 11 ? do_remove(world, place) : do_write(world, place);
}

static void world_step(World *world)
{
    const uint32_t place = (uint32_t)test_random_range(&world->random, 0, PLACES - 1);
    const Signature before = signature_of(world);
    world->memory.allocations = 0;
    const TrnResult result = do_something(world, place);
    world->memory.fail_at = 0;
    world->results[result]++;
    if (result != TRN_RESULT_OK) {
        const Signature after = signature_of(world);
        assert_memory_equal(&after, &before, sizeof after);
    }
    check_place(world, place);
    check_figures(world->store, &world->memory);
}

/// The picture that a listener has, once it has been told of one more change.
static void check_mirror(World *world)
{
    const TrnCoord coord = {-5, -5, -5};
    if (!world->is_mirrored || trn_store_insert(world->store, coord, NULL) != TRN_RESULT_OK) {
        return;
    }
    mirror_check(&world->mirror, world->store);
    const TrnResult result = trn_store_remove(world->store, coord);
    if (result != TRN_RESULT_OK) { // for want of memory: then it goes once there is some again
        world->memory.fail_at = 0;
        assert_true(result == TRN_RESULT_READERS || result == TRN_RESULT_FULL);
        if (world->is_reading) {
            trn_chunk_index_read_end(world->reader);
            world->is_reading = false;
        }
        assert_int_equal(trn_store_remove(world->store, coord), TRN_RESULT_OK);
    }
}

static void world_open(World *world, const TrnStoreDef *pattern)
{
    TrnStoreDef def = *pattern;
    const TestRandom random = world->random;
    memset(world, 0, sizeof *world);
    world->random = random;
    world->memory.bytes_max = def.bytes_max;
    const TrnAllocator allocator = test_allocator(&world->memory);
    def.allocator = &allocator;
    assert_int_equal(trn_store_create(&def, &world->store), TRN_RESULT_OK);
    world->reader = reader_of(world->store, "test");
    TrnHistoryDef history = trn_history_def();
    history.bytes_max = 300000;
    assert_int_equal(trn_history_create(world->store, &history, &world->history), TRN_RESULT_OK);
    check_figures(world->store, &world->memory);
}

static void world_close(World *world)
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

static World world;

/// Many steps; memory fails in one step of `fail_one_in`, or never where that is 0.
static void run_world(const TrnStoreDef *def, uint32_t steps, uint32_t fail_one_in)
{
    world_open(&world, def);
    for (uint32_t step = 0; step < steps; step++) {
        if (fail_one_in && test_random_next(&world.random) % fail_one_in == 0) {
            world.memory.fail_at = (size_t)test_random_range(&world.random, 1, 4);
            world.memory.fail_to =
                test_random_next(&world.random) % 2 ? world.memory.fail_at : SIZE_MAX;
            if (test_random_next(&world.random) % 2) { // so that the step needs memory
                trn_store_trim(world.store);
            }
        }
        world_step(&world);
        if (step % 100 == 99) {
            for (uint32_t place = 0; place < PLACES; place++) {
                check_place(&world, place);
            }
            check_mirror(&world);
        }
    }
    print_message("  peak %zu of %zu; OK %u, no memory %u, full %u, readers %u, held %u\n",
                  world.memory.peak_bytes, world.memory.bytes_max, world.results[TRN_RESULT_OK],
                  world.results[TRN_RESULT_NO_MEMORY], world.results[TRN_RESULT_FULL],
                  world.results[TRN_RESULT_READERS], world.results[TRN_RESULT_HELD]);
    world_close(&world);
}

static void a_budget_is_never_passed_and_refusals_change_nothing(void **state)
{
    (void)state;
    world.random = test_random_seeded(71);
    uint32_t full = 0, readers = 0;
    const size_t budgets[] = {600000, 1200000, 2500000, 5000000};
    for (int round = 0; round < 4; round++) {
        TrnStoreDef def = trn_store_def();
        def.bytes_max = budgets[round];
        def.pending_bytes_max = 60000;
        def.chunk_reserve = round == 2 ? 100 : 0;
        run_world(&def, 2500, 0);
        assert_int_equal(world.results[TRN_RESULT_NO_MEMORY], 0); // the allocator always had some
        full += world.results[TRN_RESULT_FULL];
        readers += world.results[TRN_RESULT_READERS];
    }
    assert_true(full > 50 && readers > 50);
}

static void memory_that_fails_at_random_changes_nothing(void **state)
{
    (void)state;
    world.random = test_random_seeded(72);
    TrnStoreDef def = trn_store_def();
    run_world(&def, 4000, 2);
    assert_true(world.results[TRN_RESULT_NO_MEMORY] > 50);
    def.bytes_max = 1000000;
    run_world(&def, 3000, 3);
    assert_true(world.results[TRN_RESULT_NO_MEMORY] > 20);
    assert_true(world.results[TRN_RESULT_FULL] + world.results[TRN_RESULT_READERS] > 20);
}

// ---- full, or readers in the way ---------------------------------------------------------------

static TrnStore *small_store(TestAllocator *memory, size_t bytes_max)
{
    *memory = (TestAllocator){.bytes_max = bytes_max};
    const TrnAllocator allocator = test_allocator(memory);
    TrnStoreDef def = trn_store_def();
    def.allocator = &allocator;
    def.bytes_max = bytes_max;
    TrnStore *store = NULL;
    assert_int_equal(trn_store_create(&def, &store), TRN_RESULT_OK);
    return store;
}

/// Inserts chunks of so many types until one is refused. @return how many were there then
static int32_t fill_up(TrnStore *store, uint32_t types, TrnResult expected)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    TestRandom random = {73};
    mixed_blocks(blocks, types, &random);
    int32_t count = 0;
    TrnResult result = TRN_RESULT_OK;
    while (result == TRN_RESULT_OK) {
        const TrnCoord coord = {count % 8, count / 64, count / 8 % 8};
        result = trn_store_insert_voxels(store, coord, blocks, NULL);
        count += result == TRN_RESULT_OK;
    }
    assert_int_equal(result, expected);
    return count;
}

static void remove_all(TrnStore *store)
{
    static TrnChunk *chunks[4096];
    const size_t count = trn_store_gather(store, trn_box_everything(), chunks, 4096);
    assert_true(count <= 4096);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(trn_store_remove(store, chunks[i]->coord), TRN_RESULT_OK);
    }
}

static void refusals_say_whether_readers_are_in_the_way(void **state)
{
    (void)state;
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    TestRandom random = {74};
    TestAllocator memory;
    TrnStore *store = small_store(&memory, 3000000);
    TrnChunkReader *reader = reader_of(store, "slow");
    assert_true(fill_up(store, 3000, TRN_RESULT_FULL) > 10);
    // A reader that keeps nothing back is not in the way.
    trn_chunk_index_read_begin(reader);
    mixed_blocks(blocks, 3000, &random);
    assert_int_equal(trn_store_insert_voxels(store, (TrnCoord){-1, 0, 0}, blocks, NULL),
                     TRN_RESULT_FULL);
    TrnChunk *chunk = trn_store_find(store, (TrnCoord){0, 0, 0});
    // One that keeps removed chunks is.
    for (int32_t x = 1; x < 8; x++) {
        assert_int_equal(trn_store_remove(store, (TrnCoord){x, 0, 0}), TRN_RESULT_OK);
    }
    const uint64_t revision = trn_store_revision(store);
    assert_int_equal(trn_store_insert_voxels(store, (TrnCoord){1, 0, 0}, blocks, NULL),
                     TRN_RESULT_READERS);
    assert_int_equal(trn_store_set_voxels(store, chunk, blocks), TRN_RESULT_READERS);
    assert_true(trn_store_revision(store) == revision);
    assert_string_equal(trn_store_explain(store, (TrnCoord){1, 0, 0}).slowest_reader, "slow");
    assert_true(trn_store_stats(store).retired_chunks >= 7);
    trn_chunk_index_read_end(reader);
    assert_int_equal(trn_store_insert_voxels(store, (TrnCoord){1, 0, 0}, blocks, NULL),
                     TRN_RESULT_OK);
    assert_int_equal(trn_store_set_voxels(store, chunk, blocks), TRN_RESULT_OK);
    check_figures(store, &memory);
    trn_store_destroy(store);
    assert_int_equal(memory.live_blocks, 0);
}

static void memory_kept_at_hand_is_given_up_when_the_budget_is_in_the_way(void **state)
{
    (void)state;
    static const uint32_t types[] = {2, 3000, 16, 200, 4};
    TestAllocator memory;
    int32_t alone[5];
    for (int i = 0; i < 5; i++) {
        TrnStore *store = small_store(&memory, 4000000);
        alone[i] = fill_up(store, types[i], TRN_RESULT_FULL);
        trn_store_destroy(store);
    }
    TrnStore *store = small_store(&memory, 4000000);
    for (int i = 0; i < 10; i++) { // what was kept for one width is there for the next
        const int32_t count = fill_up(store, types[i % 5], TRN_RESULT_FULL);
        assert_true(count >= alone[i % 5] - alone[i % 5] / 50 - 1);
        check_figures(store, &memory);
        remove_all(store);
    }
    trn_store_destroy(store);
    assert_int_equal(memory.live_blocks, 0);
}

static void trimming_gives_all_back_that_is_kept_at_hand(void **state)
{
    (void)state;
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    TestRandom random = {75};
    TestAllocator memory;
    TrnStore *store = small_store(&memory, 0);
    TrnChunkReader *reader = reader_of(store, "test");
    trn_store_trim(store);
    const TrnStoreStats before = trn_store_stats(store);
    for (int32_t i = 0; i < 2000; i++) {
        mixed_blocks(blocks, 1u << (i % 10), &random);
        const TrnCoord coord = {i % 10, i / 100, i / 10 % 10};
        assert_int_equal(trn_store_insert_voxels(store, coord, blocks, NULL), TRN_RESULT_OK);
    }
    trn_chunk_index_read_begin(reader);
    remove_all(store);
    const TrnStoreStats kept = trn_store_stats(store);
    assert_int_equal(kept.retired_chunks, 2000);
    assert_true(kept.retired_bytes > 10000000 && kept.retired_bytes <= kept.total_bytes);
    trn_store_trim(store); // which takes nothing away from readers
    assert_int_equal(trn_store_stats(store).retired_chunks, 2000);
    trn_chunk_index_read_end(reader);
    trn_store_trim(store);
    const TrnStoreStats after = trn_store_stats(store);
    assert_int_equal(after.retired_bytes, 0);
    assert_true(after.voxel_bytes < before.voxel_bytes + 100000); // of tables, which stay
    print_message("  headers %zu, index %zu, books %zu bytes more than before\n",
                  after.header_bytes - before.header_bytes, after.index_bytes - before.index_bytes,
                  after.book_bytes - before.book_bytes);
    assert_true(after.total_bytes < before.total_bytes + 200000);
    check_figures(store, &memory);
    trn_store_destroy(store);
}

// ---- each allocation of each call --------------------------------------------------------------

/// One call of the store, from the same state each time. @return what it came to
typedef TrnResult (*FaultCall)(World *place);

/// A chunk that is wider than it must be, since there was no memory when it became so simple.
static void open_wide_chunk(uint32_t place)
{
    const uint32_t min[3] = {0, 0, 0}, max[3] = {31, 30, 31};
    TrnVoxelEdit edit;
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        world.next[i] = (TrnBlock)(i < (uint32_t)31 * 1024 ? i % 200 : 7 + i % 2);
    }
    TrnChunk **chunk = &world.chunks[place];
    assert_int_equal(trn_store_insert_voxels(world.store, place_coord(place), world.next, chunk),
                     TRN_RESULT_OK);
    trn_store_edit_begin(world.store, *chunk, &edit);
    assert_int_equal(trn_voxel_edit_fill_box(&edit, min, max, TRN_BLOCK_AIR), TRN_RESULT_OK);
    trn_store_trim(world.store);
    test_fail(&world.memory, 1, SIZE_MAX);
    assert_true(trn_store_edit_commit(world.store, &edit));
    world.memory.fail_at = 0;
    assert_int_equal(trn_snapshot_bits(trn_voxels_snapshot(&(*chunk)->voxels)), 8);
}

static void open_mixed_chunk(uint32_t place, uint32_t types)
{
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        world.next[i] = (TrnBlock)(i % types);
    }
    assert_int_equal(
        trn_store_insert_voxels(world.store, place_coord(place), world.next, &world.chunks[place]),
        TRN_RESULT_OK);
}

/// Batches over places 0 to 2, of which one is undone.
static void open_history(void)
{
    TrnBatchDef def = trn_batch_def();
    def.history = world.history;
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(trn_batch_begin(world.store, &def, &world.batch), TRN_RESULT_OK);
        for (uint32_t place = 0; place < 3; place++) {
            const TrnVoxel voxel = trn_coord_voxel(place_coord(place));
            assert_int_equal(trn_batch_fill_sphere(world.batch, voxel, 5.0 + i, (TrnBlock)(20 + i)),
                             TRN_RESULT_OK);
        }
        assert_int_equal(trn_batch_commit(world.batch, NULL), TRN_RESULT_OK);
    }
    world.batch = NULL;
    assert_int_equal(trn_history_undo(world.history, NULL), TRN_RESULT_OK);
}

/// Chunks in pages of their own and then in one page, until the next one takes memory for both its page and its header.
static void open_padding(void)
{
    TrnStore *store = world.store;
    for (int32_t kind = 0; kind < 2; kind++) {
        const size_t before = trn_store_stats(store).total_bytes;
        TrnCoord coord = {0, 0, 0};
        for (int32_t i = 0; trn_store_stats(store).total_bytes == before; i++) {
            coord =
                kind == 0 ? (TrnCoord){1000000 + i * 500, i, -i} : (TrnCoord){i % 8, 1 + i / 8, 7};
            inserted(store, coord);
        }
        assert_int_equal(trn_store_remove(store, coord), TRN_RESULT_OK);
        trn_store_trim(store);
    }
}

/// Chunks of air at 0 and, far from all others, 5; one of 16 types at 1 and of 256 at 3; one too wide at 4; edits that wait for
/// place 2; something to undo and to redo; a mirror.
static void fault_open(void)
{
    TrnStoreDef def = trn_store_def();
    def.user_bytes = 65536; // few headers in a block
    world_open(&world, &def);
    world.chunks[5] = inserted(world.store, place_coord(5));
    world.chunks[0] = inserted(world.store, place_coord(0));
    open_mixed_chunk(1, 16);
    open_mixed_chunk(3, 256);
    open_history();
    open_wide_chunk(4);
    open_padding();
    assert_int_equal(do_listen(&world), TRN_RESULT_OK);
    take_all(&world);
    TestRandom random = {76};
    mixed_blocks(world.next, 3000, &random);
    trn_store_trim(world.store);
}

static TrnResult call_insert(World *place)
{
    return trn_store_insert(place->store, place_coord(17), NULL);
}

static TrnResult call_insert_voxels(World *place)
{
    return trn_store_insert_voxels(place->store, place_coord(6), place->next, NULL);
}

static TrnResult call_insert_uniform(World *place)
{
    return trn_store_insert_uniform(place->store, place_coord(11), 7, NULL);
}

/// Of chunks that edits wait for.
static TrnResult call_arrive(World *place)
{
    return trn_store_insert(place->store, place_coord(2), NULL);
}

static TrnResult call_arrive_with_voxels(World *place)
{
    return trn_store_insert_voxels(place->store, place_coord(2), place->next, NULL);
}

static TrnResult call_remove(World *place)
{
    return trn_store_remove(place->store, place_coord(1));
}

/// The last one of its page.
static TrnResult call_remove_last(World *place)
{
    return trn_store_remove(place->store, place_coord(5));
}

/// While somebody may be looking at it.
static TrnResult call_remove_read(World *place)
{
    if (!place->is_reading) {
        trn_chunk_index_read_begin(place->reader);
        place->is_reading = true;
    }
    return trn_store_remove(place->store, place_coord(5));
}

static TrnResult call_evict(World *place)
{
    const TrnEviction eviction = {.count_max = 1};
    uint32_t evicted = 0;
    const TrnResult result = trn_store_evict(place->store, &eviction, &evicted);
    return evicted ? TRN_RESULT_OK : result;
}

static TrnResult call_set_block(World *place)
{
    return trn_store_set_block(place->store, trn_coord_voxel(place_coord(0)), 12);
}

static TrnResult call_set_block_that_widens(World *place)
{
    return trn_store_set_block(place->store, trn_coord_voxel(place_coord(3)), 4321);
}

static TrnResult call_set_voxels(World *place)
{
    return trn_store_set_voxels(place->store, place->chunks[0], place->next);
}

static TrnResult call_edit(World *place)
{
    TrnVoxelEdit edit;
    TrnResult result = TRN_RESULT_OK;
    trn_store_edit_begin(place->store, place->chunks[1], &edit);
    for (uint32_t i = 0; i < 300 && result == TRN_RESULT_OK; i++) {
        result = trn_voxel_edit_set(&edit, i * 7, (TrnBlock)(5555 + i));
    }
    if (result != TRN_RESULT_OK) {
        trn_voxel_edit_cancel(&edit);
        return result;
    }
    assert_true(trn_store_edit_commit(place->store, &edit)); // which cannot fail any more
    return TRN_RESULT_OK;
}

static TrnResult call_compact(World *place)
{
    const TrnResult result = trn_store_compact(place->store, place->chunks[4]);
    const uint32_t bits = trn_snapshot_bits(trn_voxels_snapshot(&place->chunks[4]->voxels));
    assert_int_equal(bits, result == TRN_RESULT_OK ? 2 : 8);
    return result;
}

static TrnResult quiet_listener(TrnStore *store, const TrnStoreEvent *event, void *user)
{
    (void)store;
    (void)event;
    (void)user;
    return TRN_RESULT_OK;
}

/// Many, so that the list grows; those that came go again when one is refused.
static TrnResult call_listen(World *place)
{
    TrnResult result = TRN_RESULT_OK;
    uint32_t count = 0;
    for (; count < 40 && result == TRN_RESULT_OK; count++) {
        result = trn_store_listen(place->store, 7, quiet_listener, &place->blocks[0][count]);
    }
    for (uint32_t i = 0; result != TRN_RESULT_OK && i + 1 < count; i++) {
        assert_int_equal(trn_store_leave(place->store, quiet_listener, &place->blocks[0][i]),
                         TRN_RESULT_OK);
    }
    return result;
}

static TrnResult run_batch(World *place, TrnAbsent absent, bool has_history)
{
    TrnBatchDef def = trn_batch_def();
    def.absent = absent;
    def.history = has_history ? place->history : NULL;
    TrnBatch *batch = NULL;
    const TrnResult begun = trn_batch_begin(place->store, &def, &batch);
    if (begun != TRN_RESULT_OK) {
        assert_null(batch);
        return begun;
    }
    const TrnVoxel at = trn_coord_voxel(place_coord(0));
    const TrnVoxel to = {at.x + 40, at.y + 40, at.z + 70};
    trn_batch_fill_box(batch, at, to, 31);
    trn_batch_fill_sphere(batch, at, 20.0, 32);
    const TrnResult set = trn_batch_set(batch, at, 33);
    const TrnResult committed = trn_batch_commit(batch, NULL);
    assert_true(set == TRN_RESULT_OK || committed == set); // the first failure is the batch's
    return committed;
}

static TrnResult call_batch_that_waits(World *place)
{
    return run_batch(place, TRN_ABSENT_WAIT, true);
}

static TrnResult call_batch_that_skips(World *place)
{
    return run_batch(place, TRN_ABSENT_SKIP, true);
}

static TrnResult call_batch_without_history(World *place)
{
    return run_batch(place, TRN_ABSENT_WAIT, false);
}

static TrnResult call_undo(World *place)
{
    return trn_history_undo(place->history, NULL);
}

static TrnResult call_redo(World *place)
{
    return trn_history_redo(place->history, NULL);
}

static TrnResult call_history_create(World *place)
{
    TrnHistory *history = NULL;
    const TrnResult result = trn_history_create(place->store, NULL, &history);
    assert_int_equal(history != NULL, result == TRN_RESULT_OK);
    trn_history_destroy(history);
    return result;
}

typedef struct FaultCase {
    const char *name;
    FaultCall call;
} FaultCase;

static const FaultCase fault_cases[] = {
    {"insert", call_insert},
    {"insert_voxels", call_insert_voxels},
    {"insert_uniform", call_insert_uniform},
    {"insert, edits wait", call_arrive},
    {"insert_voxels, edits wait", call_arrive_with_voxels},
    {"remove", call_remove},
    {"remove, last of its page", call_remove_last},
    {"remove, read", call_remove_read},
    {"evict", call_evict},
    {"set_block", call_set_block},
    {"set_block, wider", call_set_block_that_widens},
    {"set_voxels", call_set_voxels},
    {"edit", call_edit},
    {"compact", call_compact},
    {"listen", call_listen},
    {"batch, waiting", call_batch_that_waits},
    {"batch, skipping", call_batch_that_skips},
    {"batch, no history", call_batch_without_history},
    {"undo", call_undo},
    {"redo", call_redo},
    {"history_create", call_history_create},
};

/// What the call makes of the state when nothing fails.
static Signature expected_of(FaultCall call)
{
    fault_open();
    assert_int_equal(call(&world), TRN_RESULT_OK);
    Signature signature = signature_of(&world);
    for (uint32_t place = 0; place < PLACES; place++) { // addresses differ from run to run
        const TrnChunk *chunk = trn_store_find(world.store, place_coord(place));
        signature.hashes[place] -= (uintptr_t)chunk;
    }
    world_close(&world);
    return signature;
}

static void check_signature(const Signature *expected)
{
    Signature signature = signature_of(&world);
    for (uint32_t place = 0; place < PLACES; place++) {
        const TrnChunk *chunk = trn_store_find(world.store, place_coord(place));
        signature.hashes[place] -= (uintptr_t)chunk;
    }
    assert_memory_equal(&signature, expected, sizeof signature);
}

/// One run in which the n-th allocation of the call fails, and all after it as far as `fail_to`.
/// @return whether the call asked for that many
static bool run_fault(FaultCall call, size_t fail_at, size_t fail_to, const Signature *expected,
                      uint32_t *failures)
{
    fault_open();
    const Signature before = signature_of(&world);
    test_fail(&world.memory, fail_at, fail_to);
    TrnResult result = call(&world);
    const bool was_reached = world.memory.allocations >= fail_at;
    world.memory.fail_at = 0;
    check_figures(world.store, &world.memory);
    if (result != TRN_RESULT_OK) {
        (*failures)++;
        assert_true(was_reached);
        assert_int_equal(result, TRN_RESULT_NO_MEMORY);
        const Signature after = signature_of(&world);
        assert_memory_equal(&after, &before, sizeof after);
        result = call(&world); // and now there is memory
    }
    assert_int_equal(result, TRN_RESULT_OK);
    check_signature(expected);
    check_mirror(&world);
    world_close(&world);
    return was_reached;
}

static void each_allocation_of_each_call_may_fail(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof fault_cases / sizeof *fault_cases; i++) {
        const FaultCase *one = &fault_cases[i];
        const Signature expected = expected_of(one->call);
        uint32_t failures = 0, runs = 0;
        print_message("  %s:", one->name);
        for (size_t n = 1; run_fault(one->call, n, n, &expected, &failures); n++) {
            runs++;
        }
        for (size_t n = 1; run_fault(one->call, n, SIZE_MAX, &expected, &failures); n++) {
            runs++;
        }
        print_message(" %u allocations failed, and %u calls\n", runs, failures);
    }
}

/// Changes much inside one event while there is no memory at all, not even to note events.
typedef struct Lean {
    TestAllocator *memory;
    TrnChunk *chunks[300];
    uint32_t removed; ///< without memory for what listeners would be told, chunks stay
    bool is_done;
} Lean;

static TrnResult lean_listener(TrnStore *store, const TrnStoreEvent *event, void *user)
{
    Lean *lean = user;
    (void)event;
    if (lean->is_done) {
        return TRN_RESULT_OK;
    }
    lean->is_done = true;
    test_fail(lean->memory, 1, SIZE_MAX);
    for (int32_t i = 0; i < 300; i++) {
        trn_store_fill(store, lean->chunks[i], (TrnBlock)(i + 1));
    }
    for (int32_t i = 0; i < 300; i += 2) {
        const TrnCoord coord = lean->chunks[i]->coord;
        const TrnResult result = trn_store_remove(store, coord);
        assert_true(result == TRN_RESULT_OK || result == TRN_RESULT_NO_MEMORY);
        assert_int_equal(trn_store_find(store, coord) == NULL, result == TRN_RESULT_OK);
        lean->removed += result == TRN_RESULT_OK;
    }
    assert_true(lean->memory->allocations > 0);
    lean->memory->fail_at = 0;
    return TRN_RESULT_OK;
}

static void what_there_is_no_memory_to_note_counts_as_missed(void **state)
{
    (void)state;
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    static Mirror mirrors[2];
    TestAllocator memory;
    Lean lean = {.memory = &memory};
    TrnStore *store = small_store(&memory, 0);
    TestRandom random = {81};
    mixed_blocks(blocks, 2, &random);
    memset(mirrors, 0, sizeof mirrors);
    assert_int_equal(trn_store_listen(store, 7, mirror_listen, &mirrors[0]), TRN_RESULT_OK);
    for (int32_t i = 0; i < 300; i++) {
        const TrnCoord coord = {i % 7, i / 49, i / 7 % 7};
        assert_int_equal(trn_store_insert_voxels(store, coord, blocks, &lean.chunks[i]),
                         TRN_RESULT_OK);
    }
    mirror_catch_up(&mirrors[1], store, 0);
    assert_int_equal(trn_store_listen(store, 7, lean_listener, &lean), TRN_RESULT_OK);
    assert_int_equal(trn_store_listen(store, 7, mirror_listen, &mirrors[1]), TRN_RESULT_OK);
    inserted(store, (TrnCoord){-1, 0, 0});
    check_figures(store, &memory);
    print_message("  %llu events missed\n",
                  (unsigned long long)trn_store_stats(store).missed_events);
    assert_true(trn_store_stats(store).missed_events > 100);
    inserted(store, (TrnCoord){-2, 0, 0});
    mirror_check(&mirrors[0], store);
    mirror_check(&mirrors[1], store);
    assert_int_equal(trn_store_stats(store).chunks, 302 - lean.removed);
    assert_int_equal(trn_store_stats(store).retired_chunks, 0);
    trn_store_destroy(store);
    assert_int_equal(memory.live_blocks, 0);
}

static void creation_survives_each_allocation_that_fails(void **state)
{
    (void)state;
    const TrnPlaneDef planes[] = {{"meshed", false}};
    TrnStoreDef def = trn_store_def();
    def.planes = planes;
    def.plane_count = 1;
    def.chunk_reserve = 10;
    for (int is_capped = 0; is_capped < 2; is_capped++) {
        size_t failures = 0;
        TrnStore *store = NULL;
        while (!store) {
            TestAllocator memory = {.fail_at = failures + 1, .fail_to = failures + 1};
            const TrnAllocator allocator = test_allocator(&memory);
            def.allocator = &allocator;
            def.bytes_max = memory.bytes_max = is_capped ? 2000000 : 0;
            const TrnResult result = trn_store_create(&def, &store);
            assert_int_equal(store != NULL, result == TRN_RESULT_OK);
            assert_true(store || result == TRN_RESULT_NO_MEMORY);
            assert_true(store || memory.live_blocks == 0);
            failures += store == NULL;
            if (store) {
                trn_store_destroy(store);
                assert_int_equal(memory.live_blocks, 0);
            }
        }
        assert_true(failures > 8);
    }
}

// ---- eviction ----------------------------------------------------------------------------------

#define EVICTED_MAX 2048

/// Hears of what goes, and saves it.
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
        trn_store_listen(store, TRN_EVENT_BIT(TRN_EVENT_REMOVED), save_listener, &saved),
        TRN_RESULT_OK);
}

#define CROWD 1500

/// Many chunks, and what eviction goes by.
typedef struct Crowd {
    TrnStore *store;
    TrnChunk *chunks[CROWD];
    uint32_t sights[CROWD];
    uint64_t revisions[CROWD];
    double orders[CROWD];
    uint32_t sight;
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
        crowd->revisions[i] = trn_chunk_revision(crowd->chunks[i]);
    }
}

/// Sees some, changes some, and lets some go and come back.
static void crowd_step(Crowd *crowd, TestRandom *random)
{
    TrnChunk *some[64];
    uint32_t count = 0;
    crowd->sight++;
    for (; count < 64; count++) {
        const uint32_t i = (uint32_t)test_random_range(random, 0, CROWD - 1);
        some[count] = crowd->chunks[i];
        crowd->sights[i] = crowd->sight;
    }
    trn_store_see(crowd->store, some, count);
    const uint32_t changed = (uint32_t)test_random_range(random, 0, CROWD - 1);
    trn_store_fill(crowd->store, crowd->chunks[changed], (TrnBlock)(crowd->sight + 1));
    crowd->revisions[changed] = trn_chunk_revision(crowd->chunks[changed]);
    const uint32_t back = (uint32_t)test_random_range(random, 0, CROWD - 1);
    assert_int_equal(trn_store_remove(crowd->store, crowd_coord(back)), TRN_RESULT_OK);
    crowd->chunks[back] = inserted(crowd->store, crowd_coord(back));
    crowd->revisions[back] = trn_chunk_revision(crowd->chunks[back]);
    crowd->sights[back] = crowd->sight;
}

static Crowd crowd;

static bool goes_before(uint32_t a, uint32_t b)
{
    return crowd.sights[a] != crowd.sights[b] ? crowd.sights[a] < crowd.sights[b]
                                              : crowd.revisions[a] < crowd.revisions[b];
}

static void those_go_first_that_were_not_seen_for_longest(void **state)
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

static void the_callers_order_is_kept_and_what_it_excludes_stays(void **state)
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
        trn_store_hold(crowd.store, crowd.chunks[i]);
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

/// Chunks of many blocks each, some 72 KiB.
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

static void refused_inserts_leave_nothing_to_readers(void **state)
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
        int32_t x = 0; // each chunk in a page of its own
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

/// Chunks of several classes, last seen in no order: their payloads lie scattered over the blocks.
static void eviction_by_use_takes_no_more_than_it_must(void **state)
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
        trn_store_see(store, &chunks[test_random_next(&random) % 600], 1);
    }
    const TrnStoreStats full = trn_store_stats(store);
    const TrnEviction eviction = {.used_bytes = full.used_bytes / 4 * 3};
    uint32_t evicted;
    assert_int_equal(trn_store_evict(store, &eviction, &evicted), TRN_RESULT_OK);
    const TrnStoreStats left = trn_store_stats(store);
    assert_true(left.used_bytes <= eviction.used_bytes);
    assert_true(evicted > 100 && evicted < 200); // a quarter, give or take
    // The room is there: as many come again, and hardly a block more is taken.
    for (int32_t i = 0; i < (int32_t)evicted; i++) {
        blocks[5] = (TrnBlock)(i % 2);
        assert_int_equal(trn_store_insert_voxels(store, (TrnCoord){i, 9, 0}, blocks, NULL),
                         TRN_RESULT_OK);
    }
    assert_int_equal(memory.live_bytes, trn_store_stats(store).total_bytes);
    trn_store_destroy(store);
}

static void eviction_ends_when_few_enough_bytes_are_taken(void **state)
{
    (void)state;
    TestAllocator memory;
    TrnStore *store = heavy_store(100, &memory);
    const size_t full = trn_store_stats(store).total_bytes;
    uint32_t evicted = 99, before = 0;
    TrnEviction eviction = {.bytes = full};
    assert_int_equal(trn_store_evict(store, &eviction, &evicted), TRN_RESULT_OK);
    assert_int_equal(evicted, 0); // it was few enough
    for (int part = 9; part >= 2; part--) {
        eviction.bytes = full / 10 * (size_t)part;
        assert_int_equal(trn_store_evict(store, &eviction, &evicted), TRN_RESULT_OK);
        assert_true(trn_store_stats(store).total_bytes <= eviction.bytes);
        assert_int_equal(memory.live_bytes, trn_store_stats(store).total_bytes);
        before += evicted;
        assert_int_equal(trn_store_stats(store).chunks, 100 - before);
        assert_true(before <= (uint32_t)(10 - part) * 10 + 12); // no more than blocks make it
    }
    eviction.bytes = 1000;
    assert_int_equal(trn_store_evict(store, &eviction, &evicted), TRN_RESULT_FULL);
    assert_int_equal(trn_store_stats(store).chunks, 0);
    assert_int_equal(evicted, 100 - before);
    assert_int_equal(trn_store_evict(store, &eviction, NULL), TRN_RESULT_FULL);
    assert_int_equal(trn_store_evict(store, NULL, &evicted), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(evicted, 0); // written on every result
    check_figures(store, &memory);
    trn_store_destroy(store);
}

static void eviction_says_when_readers_keep_the_bytes(void **state)
{
    (void)state;
    TestAllocator memory;
    TrnStore *store = heavy_store(20, &memory);
    TrnChunkReader *reader = reader_of(store, "slow");
    const TrnEviction eviction = {.bytes = trn_store_stats(store).total_bytes / 10 * 6};
    uint32_t evicted = 0;
    trn_chunk_index_read_begin(reader);
    TrnChunk *seen = trn_store_find(store, (TrnCoord){3, 0, 0});
    const uint64_t hash = test_chunk_hash(seen);
    assert_int_equal(trn_store_evict(store, &eviction, &evicted), TRN_RESULT_READERS);
    assert_true(evicted >= 8 && evicted <= 12); // a slow reader does not empty the store
    assert_true(test_chunk_hash(seen) == hash); // inside the section
    assert_true(trn_store_stats(store).total_bytes > 1000000);
    assert_int_equal(trn_store_evict(store, &eviction, &evicted), TRN_RESULT_READERS);
    assert_true(evicted <= 1); // what waits is as good as gone
    trn_chunk_index_read_end(reader);
    assert_int_equal(trn_store_evict(store, &eviction, &evicted), TRN_RESULT_OK);
    assert_true(evicted <= 3 && trn_store_stats(store).total_bytes <= eviction.bytes);
    trn_store_destroy(store);
}

static void what_was_evicted_can_be_saved_and_comes_back(void **state)
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

static void what_listeners_have_heard_of_going_gives_its_memory_back(void **state)
{
    (void)state;
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    TestRandom random = {83};
    TestAllocator memory;
    TrnStore *store = small_store(&memory, 1000000);
    const TrnEviction eviction = {.count_max = 1};
    mixed_blocks(blocks, 3000, &random);
    for (int32_t i = 0; i < 4000; i++) { // hundreds of times what fits
        if (i % 1000 == 0) {
            trn_store_leave(store, save_listener, &saved);
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

static void a_budget_with_eviction_takes_a_world_of_any_size(void **state)
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

static void a_store_without_any_memory_left_can_be_evicted(void **state)
{
    (void)state;
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    TestRandom random = {82};
    mixed_blocks(blocks, 20, &random);
    for (int kind = 0; kind < 8; kind++) {
        TestAllocator memory;
        TrnStore *store = small_store(&memory, 0);
        saved.count = 0;
        for (int32_t i = 0; i < 100; i++) { // side by side, or each in a page of its own
            const TrnCoord coord = {kind & 1 ? i * 1000 : i % 5, i / 25, i / 5 % 5};
            const TrnResult result = kind & 2 ? trn_store_insert(store, coord, NULL)
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

/// Puts what is evicted back at once, `left` times.
static TrnResult put_back_listener(TrnStore *store, const TrnStoreEvent *event, void *user)
{
    uint32_t *left = user;
    if (event->kind == TRN_EVENT_REMOVED) {
        assert_true((*left)-- > 0); // or it goes on for ever
        inserted(store, event->chunks[0].coord);
    }
    return TRN_RESULT_OK;
}

static void a_listener_that_puts_chunks_back_does_not_keep_eviction_going(void **state)
{
    (void)state;
    TestAllocator memory;
    TrnStore *store = heavy_store(50, &memory);
    uint32_t left = 1000, evicted = 0;
    assert_int_equal(trn_store_listen(store, 7, put_back_listener, &left), TRN_RESULT_OK);
    const TrnEviction eviction = {0};
    assert_int_equal(trn_store_evict(store, &eviction, &evicted), TRN_RESULT_FULL);
    assert_true(evicted >= 50 && trn_store_stats(store).chunks >= 1);
    check_figures(store, &memory);
    trn_store_destroy(store);
}

/// Evicts another one for each that goes, and holds one more.
static TrnResult evict_listener(TrnStore *store, const TrnStoreEvent *event, void *user)
{
    (void)user;
    const TrnEviction one = {.count_max = 1};
    TrnChunk *chunks[64];
    test_chunk_hash(event->chunks[0].chunk);
    trn_store_evict(store, &one, NULL);
    test_chunk_hash(event->chunks[0].chunk);
    if (trn_store_gather(store, trn_box_everything(), chunks, 64) > 0) {
        trn_store_hold(store, chunks[0]);
    }
    return TRN_RESULT_OK;
}

static void listeners_may_evict_and_hold_in_the_midst_of_an_eviction(void **state)
{
    (void)state;
    TestAllocator memory;
    TrnStore *store = heavy_store(40, &memory);
    save_from(store);
    assert_int_equal(
        trn_store_listen(store, TRN_EVENT_BIT(TRN_EVENT_REMOVED), evict_listener, NULL),
        TRN_RESULT_OK);
    const TrnEviction eviction = {0};
    uint32_t evicted = 0;
    assert_int_equal(trn_store_evict(store, &eviction, &evicted), TRN_RESULT_FULL);
    TrnChunk *chunks[64];
    const size_t left = trn_store_gather(store, trn_box_everything(), chunks, 64);
    assert_int_equal(left, 40 - trn_store_stats(store).evicted);
    assert_int_equal(saved.count, trn_store_stats(store).evicted);
    for (size_t i = 0; i < left; i++) { // only what is held is left
        assert_true(trn_store_explain(store, chunks[i]->coord).holds > 0);
    }
    check_figures(store, &memory);
    trn_store_destroy(store);
    assert_int_equal(memory.live_blocks, 0);
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

static void a_bound_that_changes_holds_from_then_on(void **state)
{
    (void)state;
    TestAllocator memory = {0};
    const TrnAllocator allocator = test_allocator(&memory);
    TrnStoreDef def = trn_store_def();
    def.allocator = &allocator;
    TrnStore *store;
    assert_int_equal(trn_store_create(&def, &store), TRN_RESULT_OK);
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    blocks[7] = 1;
    int32_t x = 0;
    for (; x < 64; x++) {
        assert_int_equal(trn_store_insert_voxels(store, (TrnCoord){x, 0, 0}, blocks, NULL),
                         TRN_RESULT_OK);
    }
    size_t used;
    const size_t bytes = trn_store_bytes(store, &used);
    assert_int_equal(bytes, memory.live_bytes);
    assert_int_equal(bytes, trn_store_stats(store).total_bytes);
    assert_int_equal(used, trn_store_stats(store).used_bytes);
    trn_store_set_bytes_max(store, bytes / 2); // nothing goes, and nothing more comes
    assert_int_equal(trn_store_bytes(store, NULL), bytes);
    TrnResult result = TRN_RESULT_OK;
    for (int32_t i = 0; i < 4000 && result == TRN_RESULT_OK; i++, x++) {
        result = trn_store_insert_voxels(store, (TrnCoord){x, 0, 0}, blocks, NULL);
        assert_true(memory.live_bytes <= bytes);
    }
    assert_int_equal(result, TRN_RESULT_FULL);
    assert_int_equal(trn_store_stats(store).bytes_max, bytes / 2);
    trn_store_set_bytes_max(store, bytes * 2);
    for (result = TRN_RESULT_OK; result == TRN_RESULT_OK; x++) {
        result = trn_store_insert_voxels(store, (TrnCoord){x, 0, 0}, blocks, NULL);
        assert_true(memory.live_bytes <= bytes * 2);
    }
    assert_int_equal(result, TRN_RESULT_FULL);
    trn_store_set_bytes_max(store, 0);
    assert_int_equal(trn_store_insert_voxels(store, (TrnCoord){x, 0, 0}, blocks, NULL),
                     TRN_RESULT_OK);
    trn_store_destroy(store);
    assert_int_equal(memory.live_bytes, 0);
}

static void a_chunk_comes_from_a_code_with_the_edits_that_waited_for_it(void **state)
{
    (void)state;
    TestAllocator memory = {0};
    const TrnAllocator allocator = test_allocator(&memory);
    TrnStoreDef def = trn_store_def();
    def.allocator = &allocator;
    TrnStore *store;
    assert_int_equal(trn_store_create(&def, &store), TRN_RESULT_OK);
    const TrnCoord coord = {-3, 2, 1};
    const TrnVoxel at = trn_coord_voxel(coord);
    TrnBatch *batch;
    assert_int_equal(trn_batch_begin(store, NULL, &batch), TRN_RESULT_OK);
    trn_batch_set(batch, at, 5);
    assert_int_equal(trn_batch_commit(batch, NULL), TRN_RESULT_OK);
    static _Alignas(64) TrnBlock code[TRN_CHUNK_VOXELS];
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        code[i] = (TrnBlock)(i % 3);
    }
    assert_int_equal(trn_voxels_code(trn_store_voxel_heap(store), code), TRN_VOXEL_CODE_CODED);
    for (size_t i = 1;; i++) { // every allocation of it may fail
        test_fail(&memory, i, 0);
        const TrnResult result = trn_store_insert_code(store, coord, code, NULL);
        if (result == TRN_RESULT_OK) {
            break;
        }
        assert_int_equal(result, TRN_RESULT_NO_MEMORY);
        assert_null(trn_store_find(store, coord));
    }
    memory.fail_at = 0;
    for (uint32_t i = 0; i < 100; i++) {
        TrnBlock block;
        const TrnVoxel voxel = {at.x + i % 32, at.y, at.z + i / 32};
        assert_int_equal(trn_store_get_block(store, voxel, &block), TRN_RESULT_OK);
        assert_int_equal(block, i == 0 ? 5 : i % 3);
    }
    assert_int_equal(trn_store_insert_code(store, coord, code, NULL), TRN_RESULT_PRESENT);
    assert_int_equal(trn_store_insert_code(store, (TrnCoord){0, 0, 0}, NULL, NULL),
                     TRN_RESULT_BAD_ARGUMENT);
    static const TrnBlock none[TRN_CHUNK_VOXELS];
    assert_int_equal(trn_store_insert_code(store, (TrnCoord){0, 0, 0}, none, NULL),
                     TRN_RESULT_BAD_ARGUMENT);
    assert_null(trn_store_find(store, (TrnCoord){0, 0, 0}));
    trn_store_destroy(store);
    assert_int_equal(memory.live_bytes, 0);
}

/// A filled slot of a store's heap: blocks 0, 1, 2, 0, 1, ...
static TrnVoxelSlot slot_of_three(const TrnStore *store)
{
    static _Alignas(64) TrnBlock code[TRN_CHUNK_VOXELS];
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        code[i] = (TrnBlock)(i % 3);
    }
    TrnVoxelHeap *heap = trn_store_voxel_heap(store);
    TrnVoxelSlot slot;
    assert_int_equal(trn_voxels_code(heap, code), TRN_VOXEL_CODE_CODED);
    assert_int_equal(trn_voxel_slot_take(heap, trn_voxel_code_class(code), &slot), TRN_RESULT_OK);
    assert_int_equal(trn_voxel_slot_fill(heap, &slot, code), TRN_RESULT_OK);
    return slot;
}

/// Inserts a slot with every allocation of it failing in turn: on failure the slot stays as it is.
static void insert_slot_in_the_end(TrnStore *store, TestAllocator *memory, TrnCoord coord,
                                   TrnVoxelSlot *slot)
{
    const TrnVoxelSlot before = *slot;
    for (size_t i = 1;; i++) {
        test_fail(memory, i, 0);
        const TrnResult result = trn_store_insert_slot(store, coord, slot, NULL);
        memory->fail_at = 0;
        if (result == TRN_RESULT_OK) {
            return;
        }
        assert_int_equal(result, TRN_RESULT_NO_MEMORY);
        assert_memory_equal(slot, &before, sizeof before);
        assert_null(trn_store_find(store, coord));
    }
}

static void check_three(const TrnStore *store, TrnCoord coord, TrnBlock first)
{
    const TrnVoxel at = trn_coord_voxel(coord);
    for (uint32_t i = 0; i < 100; i++) {
        TrnBlock block;
        const TrnVoxel voxel = {at.x + i % 32, at.y, at.z + i / 32};
        assert_int_equal(trn_store_get_block(store, voxel, &block), TRN_RESULT_OK);
        assert_int_equal(block, i == 0 ? first : i % 3);
    }
}

static void a_chunk_takes_a_slot_unless_edits_had_waited_for_it(void **state)
{
    (void)state;
    TestAllocator memory = {0};
    const TrnAllocator allocator = test_allocator(&memory);
    TrnStoreDef def = trn_store_def();
    def.allocator = &allocator;
    TrnStore *store;
    assert_int_equal(trn_store_create(&def, &store), TRN_RESULT_OK);
    TrnVoxelHeap *heap = trn_store_voxel_heap(store);
    const TrnCoord plain = {1, 0, 0}, edited = {-3, 2, 1};
    TrnVoxelSlot slot = slot_of_three(store);
    const void *payload = slot.payload;
    insert_slot_in_the_end(store, &memory, plain, &slot);
    assert_null(slot.payload);
    assert_int_equal(trn_voxel_heap_stats(heap).slots, 0);
    check_three(store, plain, 0);
    TrnSnapshot now;
    assert_int_equal(trn_store_snapshot(store, plain, &now), TRN_RESULT_OK);
    assert_ptr_equal(trn_snapshot_payload(now), payload); // nothing was copied
    assert_int_equal(trn_snapshot_revision(now), trn_store_revision(store));

    TrnBatch *batch;
    assert_int_equal(trn_batch_begin(store, NULL, &batch), TRN_RESULT_OK);
    trn_batch_set(batch, trn_coord_voxel(edited), 5);
    assert_int_equal(trn_batch_commit(batch, NULL), TRN_RESULT_OK);
    slot = slot_of_three(store);
    insert_slot_in_the_end(store, &memory, edited, &slot);
    assert_non_null(slot.payload); // the edit was applied to a copy
    check_three(store, edited, 5);
    assert_int_equal(trn_store_insert_slot(store, edited, &slot, NULL), TRN_RESULT_PRESENT);
    slot.is_filled = false;
    assert_int_equal(trn_store_insert_slot(store, (TrnCoord){9, 9, 9}, &slot, NULL),
                     TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_store_insert_slot(store, (TrnCoord){9, 9, 9}, NULL, NULL),
                     TRN_RESULT_BAD_ARGUMENT);
    trn_voxel_slot_give(heap, &slot);
    assert_int_equal(trn_store_insert_slot(store, (TrnCoord){9, 9, 9}, &slot, NULL),
                     TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_voxel_heap_stats(heap).payloads, 2);
    assert_int_equal(trn_store_remove(store, plain), TRN_RESULT_OK);
    assert_int_equal(trn_voxel_heap_stats(heap).payloads, 1);
    trn_store_destroy(store);
    assert_int_equal(memory.live_bytes, 0);
}

static void slots_beyond_a_stores_bytes_are_refused_as_full(void **state)
{
    (void)state;
    TestAllocator memory = {0};
    const TrnAllocator allocator = test_allocator(&memory);
    TrnStoreDef def = trn_store_def();
    def.allocator = &allocator;
    TrnStore *store;
    assert_int_equal(trn_store_create(&def, &store), TRN_RESULT_OK);
    TrnVoxelHeap *heap = trn_store_voxel_heap(store);
    trn_store_set_bytes_max(store, trn_store_bytes(store, NULL) + ((size_t)1 << 20));
    TrnVoxelSlot slots[256];
    uint32_t count = 0;
    TrnResult result = TRN_RESULT_OK;
    while (count < 256 && (result = trn_voxel_slot_take(heap, 4, &slots[count])) == TRN_RESULT_OK) {
        count++;
    }
    assert_in_range(count, 16, 255);
    assert_int_equal(result, TRN_RESULT_FULL);
    assert_int_equal(trn_voxel_heap_stats(heap).slots, count);
    assert_int_equal(trn_store_insert_uniform(store, (TrnCoord){0, 0, 0}, 1, NULL),
                     TRN_RESULT_FULL);
    while (count) {
        trn_voxel_slot_give(heap, &slots[--count]);
    }
    assert_int_equal(trn_voxel_heap_stats(heap).slots, 0);
    assert_int_equal(trn_store_insert_uniform(store, (TrnCoord){0, 0, 0}, 1, NULL), TRN_RESULT_OK);
    assert_int_equal(trn_store_stats(store).uniform_chunks, 1);
    trn_store_destroy(store);
    assert_int_equal(memory.live_bytes, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slots_beyond_a_stores_bytes_are_refused_as_full),
        cmocka_unit_test(a_bound_that_changes_holds_from_then_on),
        cmocka_unit_test(a_chunk_comes_from_a_code_with_the_edits_that_waited_for_it),
        cmocka_unit_test(a_chunk_takes_a_slot_unless_edits_had_waited_for_it),
        cmocka_unit_test(a_budget_too_small_for_a_world_of_air_is_refused),
        cmocka_unit_test(a_reserved_range_counts_whole),
        cmocka_unit_test(refusals_say_whether_readers_are_in_the_way),
        cmocka_unit_test(memory_kept_at_hand_is_given_up_when_the_budget_is_in_the_way),
        cmocka_unit_test(trimming_gives_all_back_that_is_kept_at_hand),
        cmocka_unit_test(creation_survives_each_allocation_that_fails),
        cmocka_unit_test(those_go_first_that_were_not_seen_for_longest),
        cmocka_unit_test(the_callers_order_is_kept_and_what_it_excludes_stays),
        cmocka_unit_test(eviction_by_use_takes_no_more_than_it_must),
        cmocka_unit_test(refused_inserts_leave_nothing_to_readers),
        cmocka_unit_test(eviction_ends_when_few_enough_bytes_are_taken),
        cmocka_unit_test(eviction_says_when_readers_keep_the_bytes),
        cmocka_unit_test(what_was_evicted_can_be_saved_and_comes_back),
        cmocka_unit_test(what_listeners_have_heard_of_going_gives_its_memory_back),
        cmocka_unit_test(a_budget_with_eviction_takes_a_world_of_any_size),
        cmocka_unit_test(a_listener_that_puts_chunks_back_does_not_keep_eviction_going),
        cmocka_unit_test(listeners_may_evict_and_hold_in_the_midst_of_an_eviction),
        cmocka_unit_test(chunks_that_a_batch_has_open_are_not_evicted),
        cmocka_unit_test(a_store_without_any_memory_left_can_be_evicted),
        cmocka_unit_test(what_there_is_no_memory_to_note_counts_as_missed),
        cmocka_unit_test(each_allocation_of_each_call_may_fail),
        cmocka_unit_test(a_budget_is_never_passed_and_refusals_change_nothing),
        cmocka_unit_test(memory_that_fails_at_random_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
