// The store's bytes: they never exceed the cap, the figures are exact, and a refusal by memory,
// caps or readers changes nothing.

#include "base/failing_ranges.h"
#include "store/store_internal.h"
#include "store_memory.h"
#include "voxels/voxel_slot_internal.h"

// ---- creation ----------------------------------------------------------------------------------

static void a_budget_too_small_for_a_world_of_air_is_refused(void **state)
{
    (void)state;
    size_t low = 1,
           high = (size_t)1 << 20; // `low` is refused, `high` is not
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
            TrnChunk *chunk = NULL; // if no chunk fits, the insert says so
            const TrnResult insert =
                trn_store_insert_uniform(store, (TrnCoord){0, 0, 0}, TRN_BLOCK_AIR, &chunk);
            assert_true(insert == TRN_RESULT_OK || insert == TRN_RESULT_FULL);
            assert_int_equal(chunk != NULL, insert == TRN_RESULT_OK);
            check_figures(store, &memory);
            trn_store_destroy(store);
        }
        assert_int_equal(memory.live_blocks, 0);
        *(result == TRN_RESULT_OK ? &high : &low) = bytes_max;
    }
    print_message("  the least budget is %zu bytes\n", high);
    assert_true(high > sizeof(void *) && high < 800000);
}

static TrnCoord numbered_coord(int32_t number)
{
    return (TrnCoord){number % 50, number / 50 % 10, number / 500};
}

/// 5,000 headers lie in the range, more in blocks.
static void a_range_counts_what_is_committed_and_is_no_cap(void **state)
{
    (void)state;
    TestAllocator memory = {.bytes_max = 0};
    const TrnAllocator allocator = test_allocator(&memory);
    ranges_memory = &memory;
    TrnStoreDef def = trn_store_def();
    def.allocator = &allocator;
    def.user_bytes = 200;
    def.chunk_reserve = 5000;
    for (size_t bytes_max = 800000; bytes_max < 6000000; bytes_max += 1300000) {
        def.bytes_max = memory.bytes_max = bytes_max;
        memory.peak_bytes = 0;
        TrnStore *store = NULL;
        assert_int_equal(trn_store_create(&def, &store), TRN_RESULT_OK);
        assert_true(trn_store_stats(store).header_bytes < 10000);
        check_figures(store, &memory);
        int32_t count = 0;
        while (trn_store_insert_uniform(store, numbered_coord(count), TRN_BLOCK_AIR, NULL) ==
               TRN_RESULT_OK) {
            count++;
            check_figures(store, &memory);
        }
        assert_true(memory.live_bytes > bytes_max * 2 / 5);
        assert_true(bytes_max < 4000000 || count > 7000);
        assert_int_equal(trn_store_insert_uniform(store, numbered_coord(count), 0, NULL),
                         TRN_RESULT_FULL);
        for (int32_t i = 0; i < count; i++) {
            const TrnChunk *chunk = trn_store_find(store, numbered_coord(i));
            assert_true(chunk && trn_coord_equal(chunk->coord, numbered_coord(i)));
            assert_ptr_equal(trn_store_chunk(store, chunk->id), chunk);
        }
        for (int32_t i = 0; i < count; i++) {
            assert_int_equal(trn_store_remove(store, numbered_coord(i)), TRN_RESULT_OK);
            check_figures(store, &memory);
        }
        trn_store_trim(store);
        assert_true(trn_store_stats(store).header_bytes < 100000);
        check_figures(store, &memory);
        trn_store_destroy(store);
        assert_int_equal(memory.live_bytes, 0);
    }
}

// ---- all operations under a budget --------------------------------------------------------------

static TrnVoxel place_voxel(uint32_t place, TestRandom *random)
{
    TrnVoxel voxel = trn_coord_voxel(place_coord(place));
    voxel.x += test_random_range(random, 0, 31);
    voxel.y += test_random_range(random, 0, 31);
    voxel.z += test_random_range(random, 0, 31);
    return voxel;
}

/// Compares one place with its model.
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
        result = trn_store_insert_uniform(world->store, coord, TRN_BLOCK_AIR, &chunk);
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
    if (why.pending_runs == 0) {
        memcpy(world->blocks[place], world->next, sizeof world->next);
        world->revisions[place] = trn_chunk_revision(chunk);
    } else {
        world->revisions[place] = 0; // including pending edits, which test_pending.c checks
    }
    model_read_place(world, place);
    return result;
}

static TrnResult do_remove(World *world, uint32_t place)
{
    const TrnExplanation why = trn_store_explain(world->store, place_coord(place));
    const TrnResult result = trn_store_remove(world->store, place_coord(place));
    assert_int_equal(result == TRN_RESULT_BUSY, why.pins > 0 || why.is_open);
    world->chunks[place] = result == TRN_RESULT_OK ? NULL : world->chunks[place];
    return result;
}

/// Sets voxels and fills a box in one edit, which is cancelled if a call fails.
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
        return trn_store_set_block(world->store, voxel, block, NULL);
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
        assert_int_equal(trn_store_set_block(world->store, voxel, 1, NULL), TRN_RESULT_BUSY);
        return trn_store_set_voxels(world->store, world->chunks[place], world->next);
    }
    const TrnResult result = write_chunk(world, place);
    if (result == TRN_RESULT_OK) {
        memcpy(world->blocks[place], world->next, sizeof world->next);
        world->revisions[place] = trn_chunk_revision(world->chunks[place]);
    }
    return result;
}

static TrnResult do_pin(World *world, uint32_t place)
{
    if (world->pins[place] == 0) {
        trn_store_pin(world->store, world->chunks[place]);
        world->pins[place]++;
    } else {
        trn_store_unpin(world->store, world->chunks[place]);
        world->pins[place]--;
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
        const bool is_loaded = trn_store_find(world->store, place_coord(place)) != NULL;
        gone += world->chunks[place] && !is_loaded;
        assert_true(is_loaded || world->pins[place] == 0); // pinned chunks are kept
    }
    assert_int_equal(gone, evicted);
    model_read_all(world);
    return evicted ? TRN_RESULT_OK : result;
}

/// Makes one change in the open batch.
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

/// Begins a batch, changes something in it, or ends it. Nothing changes before its commit.
static TrnResult do_batch(World *world, uint32_t place)
{
    TestRandom *random = &world->random;
    if (!world->batch) {
        TrnBatchDef def = trn_batch_def();
        def.unloaded = (TrnUnloadedPolicy)test_random_range(random, 0, TRN_UNLOADED_COUNT - 1);
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
    TrnBatchOutcome outcome, untouched;
    memset(&outcome, 0x5A, sizeof outcome);
    memset(&untouched, 0x5A, sizeof untouched);
    const TrnResult result = trn_batch_commit(batch, &outcome);
    if (result == TRN_RESULT_OK) {
        assert_true(outcome.revision == trn_store_revision(world->store));
        model_read_all(world);
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
        model_read_all(world);
    }
    return result;
}

static TrnResult do_maintenance(World *world, uint32_t place)
{
    switch (test_random_next(&world->random) % 6) {
    case 0:
        trn_store_trim(world->store);
        return TRN_RESULT_OK;
    case 1:
        return do_listen(world);
    case 2:
        return world->chunks[place] ? do_pin(world, place) : TRN_RESULT_OK;
    case 3:
        if (test_random_next(&world->random) % 4 == 0) {
            trn_pending_drop(world->store, place_coord(place));
        }
        return TRN_RESULT_OK;
    case 4:
        if (world->chunks[place]) {
            trn_store_touch(world->store, &world->chunks[place], 1);
        }
        return TRN_RESULT_OK;
    default:
        (world->is_reading ? trn_chunk_index_read_end : trn_chunk_index_read_begin)(world->reader);
        world->is_reading = !world->is_reading;
        return TRN_RESULT_OK;
    }
}

/// Does one random operation.
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
        return do_maintenance(world, place);
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

static World world;

/// Runs random operations; in one of `fail_one_in` steps memory fails, 0: never.
/// @param pending_bytes_max  0: the default
static void run_world(const TrnStoreDef *def, size_t pending_bytes_max, uint32_t steps,
                      uint32_t fail_one_in)
{
    world_open(&world, def);
    if (pending_bytes_max) {
        assert_int_equal(trn_pending_set_bytes_max(world.store, pending_bytes_max), TRN_RESULT_OK);
    }
    for (uint32_t step = 0; step < steps; step++) {
        if (fail_one_in && test_random_next(&world.random) % fail_one_in == 0) {
            world.memory.fail_at = (size_t)test_random_range(&world.random, 1, 4);
            world.memory.fail_to =
                test_random_next(&world.random) % 2 ? world.memory.fail_at : SIZE_MAX;
            if (test_random_next(&world.random) % 2) { // so that the step allocates
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
                  world.results[TRN_RESULT_READERS], world.results[TRN_RESULT_BUSY]);
    world_close(&world);
}

static void a_budget_is_never_exceeded_and_refusals_change_nothing(void **state)
{
    (void)state;
    world.random = test_random_seeded(71);
    uint32_t full = 0, readers = 0;
    const size_t budgets[] = {760000, 1200000, 2500000, 5000000};
    for (int round = 0; round < 4; round++) {
        TrnStoreDef def = trn_store_def();
        def.bytes_max = budgets[round];
        run_world(&def, 60000, test_rounds(2500, 1000), 0);
        assert_int_equal(world.results[TRN_RESULT_NO_MEMORY], 0); // the allocator never failed
        full += world.results[TRN_RESULT_FULL];
        readers += world.results[TRN_RESULT_READERS];
    }
    assert_true(full > test_rounds(50, 5) && readers > test_rounds(50, 5));
}

static void memory_that_fails_at_random_changes_nothing(void **state)
{
    (void)state;
    world.random = test_random_seeded(72);
    TrnStoreDef def = trn_store_def();
    run_world(&def, 0, test_rounds(4000, 400), 2);
    assert_true(world.results[TRN_RESULT_NO_MEMORY] > test_rounds(50, 5));
    def.bytes_max = 1000000;
    run_world(&def, 0, test_rounds(3000, 1500), 3);
    assert_true(world.results[TRN_RESULT_NO_MEMORY] > test_rounds(20, 2));
    assert_true(world.results[TRN_RESULT_FULL] + world.results[TRN_RESULT_READERS] >
                test_rounds(20, 2));
}

// ---- full, or kept by readers -------------------------------------------------------------------

/// Inserts chunks of this many types until one is refused. @return how many are loaded then
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

static void refusals_name_readers_that_keep_memory(void **state)
{
    (void)state;
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    TestRandom random = {74};
    TestAllocator memory;
    TrnStore *store = small_store(&memory, 3000000);
    TrnChunkReader *reader = reader_of(store, "slow");
    assert_true(fill_up(store, 3000, TRN_RESULT_FULL) > 10);
    // A reader that sees none of the removed chunks delays nothing.
    trn_chunk_index_read_begin(reader);
    mixed_blocks(blocks, 3000, &random);
    assert_int_equal(trn_store_insert_voxels(store, (TrnCoord){-1, 0, 0}, blocks, NULL),
                     TRN_RESULT_FULL);
    TrnChunk *chunk = trn_store_find(store, (TrnCoord){0, 0, 0});
    // One that sees removed chunks does.
    for (int32_t x = 1; x < 8; x++) {
        assert_int_equal(trn_store_remove(store, (TrnCoord){x, 0, 0}), TRN_RESULT_OK);
    }
    // The index refused the last chunk, and its payload's memory may be left.
    int32_t x = 1;
    TrnResult result = TRN_RESULT_OK;
    while (x < 8 && result == TRN_RESULT_OK) {
        result = trn_store_insert_voxels(store, (TrnCoord){x, 0, 0}, blocks, NULL);
        x += result == TRN_RESULT_OK;
    }
    assert_true(x <= 2);
    assert_int_equal(result, TRN_RESULT_READERS);
    const uint64_t revision = trn_store_revision(store);
    assert_int_equal(trn_store_set_voxels(store, chunk, blocks), TRN_RESULT_READERS);
    assert_true(trn_store_revision(store) == revision);
    assert_string_equal(trn_store_explain(store, (TrnCoord){x, 0, 0}).slowest_reader, "slow");
    assert_true(trn_store_stats(store).retired_chunks >= 7);
    trn_chunk_index_read_end(reader);
    assert_int_equal(trn_store_insert_voxels(store, (TrnCoord){x, 0, 0}, blocks, NULL),
                     TRN_RESULT_OK);
    assert_int_equal(trn_store_set_voxels(store, chunk, blocks), TRN_RESULT_OK);
    check_figures(store, &memory);
    trn_store_destroy(store);
    assert_int_equal(memory.live_blocks, 0);
}

/// A cap of pending edits is not the store's: readers that keep memory do not delay anything.
static void a_refusal_by_the_cap_of_pending_edits_names_no_readers(void **state)
{
    (void)state;
    TestAllocator memory;
    TrnStore *store = small_store(&memory, 3000000);
    TrnChunkReader *reader = reader_of(store, "slow");
    TrnBatch *batch = NULL;
    inserted(store, (TrnCoord){0, 0, 0});
    assert_int_equal(trn_pending_set_bytes_max(store, 5000), TRN_RESULT_OK);
    trn_chunk_index_read_begin(reader);
    assert_int_equal(trn_store_remove(store, (TrnCoord){0, 0, 0}), TRN_RESULT_OK);
    assert_int_equal(trn_store_stats(store).retired_chunks, 1);
    assert_int_equal(trn_batch_begin(store, NULL, &batch), TRN_RESULT_OK);
    TrnResult result = TRN_RESULT_OK;
    for (int64_t i = 0; i < 1000 && result == TRN_RESULT_OK; i++) {
        result = trn_batch_set(batch, (TrnVoxel){i * TRN_CHUNK_EDGE, 0, 0}, 1);
    }
    assert_int_equal(result, TRN_RESULT_FULL);
    assert_int_equal(trn_batch_commit(batch, NULL), TRN_RESULT_FULL);
    trn_chunk_index_read_end(reader);
    check_figures(store, &memory);
    trn_store_destroy(store);
    assert_int_equal(memory.live_blocks, 0);
}

static void spare_memory_is_freed_when_the_budget_is_reached(void **state)
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
    for (int i = 0; i < 10; i++) { // spare memory of one width is used for another
        const int32_t count = fill_up(store, types[i % 5], TRN_RESULT_FULL);
        // Records of blocks stay with their width, which may cost a block of the others.
        assert_true(count >= alone[i % 5] - alone[i % 5] / 16 - 1);
        check_figures(store, &memory);
        remove_all(store);
    }
    trn_store_destroy(store);
    assert_int_equal(memory.live_blocks, 0);
}

static void trimming_frees_all_spare_memory(void **state)
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
    trn_store_trim(store); // trimming takes nothing away from readers
    assert_int_equal(trn_store_stats(store).retired_chunks, 2000);
    trn_chunk_index_read_end(reader);
    trn_store_trim(store);
    const TrnStoreStats after = trn_store_stats(store);
    assert_int_equal(after.retired_bytes, 0);
    assert_true(after.voxel_bytes < before.voxel_bytes + 500000); // records of blocks stay
    print_message("  headers %zu, index %zu, books %zu bytes more than before\n",
                  after.header_bytes - before.header_bytes, after.index_bytes - before.index_bytes,
                  after.bookkeeping_bytes - before.bookkeeping_bytes);
    assert_true(after.total_bytes < before.total_bytes + 600000);
    check_figures(store, &memory);
    trn_store_destroy(store);
}

// ---- changing the cap ---------------------------------------------------------------------------

static void a_changed_cap_applies_at_once(void **state)
{
    (void)state;
    TestAllocator memory;
    TrnStore *store = small_store(&memory, 0);
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
    trn_store_set_bytes_max(store, bytes / 2); // nothing is evicted, and nothing can be inserted
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

static void slots_over_budget_are_refused_as_full(void **state)
{
    (void)state;
    TestAllocator memory;
    TrnStore *store = small_store(&memory, 0);
    TrnVoxelHeap *heap = trn_store_voxel_heap(store);
    trn_store_set_bytes_max(store, trn_store_bytes(store, NULL) + ((size_t)1 << 20));
    TrnVoxelSlot slots[256];
    uint32_t count = 0;
    TrnResult result = TRN_RESULT_OK;
    while (count < 256 &&
           (result = trn_voxel_slot_take(heap, 40, &slots[count])) == TRN_RESULT_OK) {
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

static int run_store_tests(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slots_over_budget_are_refused_as_full),
        cmocka_unit_test(a_changed_cap_applies_at_once),
        cmocka_unit_test(a_budget_too_small_for_a_world_of_air_is_refused),
        cmocka_unit_test(a_range_counts_what_is_committed_and_is_no_cap),
        cmocka_unit_test(refusals_name_readers_that_keep_memory),
        cmocka_unit_test(a_refusal_by_the_cap_of_pending_edits_names_no_readers),
        cmocka_unit_test(spare_memory_is_freed_when_the_budget_is_reached),
        cmocka_unit_test(trimming_frees_all_spare_memory),
        cmocka_unit_test(a_budget_is_never_exceeded_and_refusals_change_nothing),
        cmocka_unit_test(memory_that_fails_at_random_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(void)
{
    return run_with_both_headers(run_store_tests);
}
