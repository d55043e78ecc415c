// Failing memory: each allocation of each call of a store may fail, and leaves everything as it
// was.

#include "base/failing_ranges.h"
#include "store/store_internal.h"
#include "store_memory.h"
#include "voxels/voxel_slot_internal.h"

static World world;

// ---- each allocation of each call --------------------------------------------------------------

/// One call of the store, from the same state each time. @return its result
typedef TrnResult (*FaultCall)(World *place);

/// Makes a chunk wider than necessary: memory failed when it could have been narrowed.
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

/// Commits batches to places 0 to 2, and undoes one of them.
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

/// Inserts chunks, first each in its own page and then in one page, until the next insert allocates
/// both a page and a header.
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

/// The state before each call: chunks of air at 0 and, far from the others, 5; one of 16 types at 1
/// and of 256 at 3; one that is too wide at 4; pending edits for place 2; something to undo and to
/// redo; a mirror.
static void fault_open(void)
{
    TrnStoreDef def = trn_store_def();
    def.user_bytes = 65536; // few headers fit in a block
    world_open(&world, &def);
    world.chunks[5] = inserted(world.store, place_coord(5));
    world.chunks[0] = inserted(world.store, place_coord(0));
    open_mixed_chunk(1, 16);
    open_mixed_chunk(3, 256);
    open_history();
    open_wide_chunk(4);
    open_padding();
    assert_int_equal(do_listen(&world), TRN_RESULT_OK);
    model_read_all(&world);
    TestRandom random = {76};
    mixed_blocks(world.next, 3000, &random);
    trn_store_trim(world.store);
}

static TrnResult call_insert(World *place)
{
    return trn_store_insert_uniform(place->store, place_coord(17), TRN_BLOCK_AIR, NULL);
}

static TrnResult call_insert_voxels(World *place)
{
    return trn_store_insert_voxels(place->store, place_coord(6), place->next, NULL);
}

static TrnResult call_insert_uniform(World *place)
{
    return trn_store_insert_uniform(place->store, place_coord(11), 7, NULL);
}

/// Inserts a chunk that has pending edits.
static TrnResult call_insert_pending(World *place)
{
    return trn_store_insert_uniform(place->store, place_coord(2), TRN_BLOCK_AIR, NULL);
}

static TrnResult call_insert_pending_with_voxels(World *place)
{
    return trn_store_insert_voxels(place->store, place_coord(2), place->next, NULL);
}

static TrnResult call_remove(World *place)
{
    return trn_store_remove(place->store, place_coord(1));
}

/// Removes the last chunk of its page.
static TrnResult call_remove_last(World *place)
{
    return trn_store_remove(place->store, place_coord(5));
}

/// Removes a chunk while a reader may see it.
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
    return trn_store_set_block(place->store, trn_coord_voxel(place_coord(0)), 12, NULL);
}

static TrnResult call_set_block_that_widens(World *place)
{
    return trn_store_set_block(place->store, trn_coord_voxel(place_coord(3)), 4321, NULL);
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
    assert_true(trn_store_edit_commit(place->store, &edit)); // commits cannot fail
    return TRN_RESULT_OK;
}

static TrnResult call_compact(World *place)
{
    const TrnResult result = trn_store_compact(place->store, place->chunks[4]);
    const uint32_t bits = trn_snapshot_bits(trn_voxels_snapshot(&place->chunks[4]->voxels));
    assert_int_equal(bits, 1); // commits are narrow already
    return result;
}

static TrnResult quiet_listener(TrnStore *store, const TrnStoreEvent *event, void *user)
{
    (void)store;
    (void)event;
    (void)user;
    return TRN_RESULT_OK;
}

/// Subscribes many listeners, so that the list grows; unsubscribes them if one is refused.
static TrnResult call_listen(World *place)
{
    TrnResult result = TRN_RESULT_OK;
    uint32_t count = 0;
    for (; count < 40 && result == TRN_RESULT_OK; count++) {
        result = trn_store_subscribe(place->store, 7, quiet_listener, &place->blocks[0][count]);
    }
    for (uint32_t i = 0; result != TRN_RESULT_OK && i + 1 < count; i++) {
        assert_int_equal(trn_store_unsubscribe(place->store, quiet_listener, &place->blocks[0][i]),
                         TRN_RESULT_OK);
    }
    return result;
}

static TrnResult run_batch(World *place, TrnUnloadedPolicy policy, bool has_history)
{
    TrnBatchDef def = trn_batch_def();
    def.unloaded = policy;
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
    assert_true(set == TRN_RESULT_OK || committed == set); // the batch returns its first failure
    return committed;
}

static TrnResult call_batch_with_pending(World *place)
{
    return run_batch(place, TRN_UNLOADED_PENDING, true);
}

static TrnResult call_batch_that_skips(World *place)
{
    return run_batch(place, TRN_UNLOADED_SKIP, true);
}

static TrnResult call_batch_without_history(World *place)
{
    return run_batch(place, TRN_UNLOADED_PENDING, false);
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
    {"insert, edits wait", call_insert_pending},
    {"insert_voxels, edits wait", call_insert_pending_with_voxels},
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
    {"batch, waiting", call_batch_with_pending},
    {"batch, skipping", call_batch_that_skips},
    {"batch, no history", call_batch_without_history},
    {"undo", call_undo},
    {"redo", call_redo},
    {"history_create", call_history_create},
};

/// Returns the state after the call when nothing fails.
static Signature expected_of(FaultCall call)
{
    fault_open();
    assert_int_equal(call(&world), TRN_RESULT_OK);
    Signature signature = signature_of(&world);
    for (uint32_t place = 0; place < PLACES; place++) { // addresses differ between runs
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

/// Makes the call once; its allocations from `fail_at` to `fail_to` fail.
/// @return whether the call made that many allocations
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
        result = call(&world); // now there is memory
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
        const size_t step = test_rounds(1, 5); // each allocation, or some under sanitizers
        for (size_t n = 1; run_fault(one->call, n, n, &expected, &failures); n += step) {
            runs++;
        }
        for (size_t n = 1; run_fault(one->call, n, SIZE_MAX, &expected, &failures); n += step) {
            runs++;
        }
        print_message(" %u allocations failed, and %u calls\n", runs, failures);
    }
}

/// A listener that changes much in one event while there is no memory, not even for recording
/// events.
typedef struct Lean {
    TestAllocator *memory;
    TrnChunk *chunks[300];
    uint32_t removed; ///< chunks stay loaded if their removal cannot be recorded
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

static void events_that_memory_cannot_record_count_as_missed(void **state)
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
    assert_int_equal(trn_store_subscribe(store, 7, mirror_listen, &mirrors[0]), TRN_RESULT_OK);
    for (int32_t i = 0; i < 300; i++) {
        const TrnCoord coord = {i % 7, i / 49, i / 7 % 7};
        assert_int_equal(trn_store_insert_voxels(store, coord, blocks, &lean.chunks[i]),
                         TRN_RESULT_OK);
    }
    mirror_catch_up(&mirrors[1], store, 0);
    assert_int_equal(trn_store_subscribe(store, 7, lean_listener, &lean), TRN_RESULT_OK);
    assert_int_equal(trn_store_subscribe(store, 7, mirror_listen, &mirrors[1]), TRN_RESULT_OK);
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
    def.chunk_reserve = store_reserve;
    for (int is_capped = 0; is_capped < 2; is_capped++) {
        size_t failures = 0;
        TrnStore *store = NULL;
        while (!store) {
            TestAllocator memory = {.fail_at = failures + 1, .fail_to = failures + 1};
            const TrnAllocator allocator = test_allocator(&memory);
            ranges_memory = NULL; // no chunk is inserted
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

// ---- codes and slots ----------------------------------------------------------------------------

static void pending_edits_apply_to_a_chunk_inserted_from_a_code(void **state)
{
    (void)state;
    TestAllocator memory;
    TrnStore *store = small_store(&memory, 0);
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
    for (size_t i = 1;; i++) { // each of its allocations fails once
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
    assert_int_equal(trn_store_insert_code(store, coord, code, NULL), TRN_RESULT_EXISTS);
    assert_int_equal(trn_store_insert_code(store, (TrnCoord){0, 0, 0}, NULL, NULL),
                     TRN_RESULT_BAD_ARGUMENT);
    static const TrnBlock none[TRN_CHUNK_VOXELS];
    const uint64_t refused = trn_store_stats(store).refused;
    assert_int_equal(trn_store_insert_code(store, (TrnCoord){0, 0, 0}, none, NULL),
                     TRN_RESULT_BAD_ARGUMENT);
    assert_null(trn_store_find(store, (TrnCoord){0, 0, 0}));
    assert_int_equal(trn_store_stats(store).refused,
                     refused); // bad input counts as no refusal
    assert_int_equal(trn_store_explain(store, (TrnCoord){0, 0, 0}).state, TRN_CHUNK_STATE_UNKNOWN);
    trn_store_destroy(store);
    assert_int_equal(memory.live_bytes, 0);
}

/// Returns a filled slot of a store's heap: blocks 0, 1, 2, 0, 1, ...
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

/// Inserts a slot, with each allocation failing once: a failure leaves the slot unchanged.
static void insert_slot_after_faults(TrnStore *store, TestAllocator *memory, TrnCoord coord,
                                     TrnVoxelSlot *slot)
{
    TrnVoxelSlot before;
    memcpy(&before, slot, sizeof before); // including the padding
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

static void a_chunk_uses_a_slot_unless_it_had_pending_edits(void **state)
{
    (void)state;
    TestAllocator memory;
    TrnStore *store = small_store(&memory, 0);
    TrnVoxelHeap *heap = trn_store_voxel_heap(store);
    const TrnCoord plain = {1, 0, 0}, edited = {-3, 2, 1};
    TrnVoxelSlot slot = slot_of_three(store);
    const void *payload = slot.payload;
    insert_slot_after_faults(store, &memory, plain, &slot);
    assert_null(slot.payload);
    assert_int_equal(trn_voxel_heap_stats(heap).slots, 0);
    check_three(store, plain, 0);
    TrnSnapshot now;
    assert_int_equal(trn_store_snapshot(store, plain, &now), TRN_RESULT_OK);
    assert_ptr_equal(trn_word_payload(now.word), payload); // the chunk uses the slot's payload
    assert_int_equal(trn_snapshot_revision(now), trn_store_revision(store));

    TrnBatch *batch;
    assert_int_equal(trn_batch_begin(store, NULL, &batch), TRN_RESULT_OK);
    trn_batch_set(batch, trn_coord_voxel(edited), 5);
    assert_int_equal(trn_batch_commit(batch, NULL), TRN_RESULT_OK);
    slot = slot_of_three(store);
    insert_slot_after_faults(store, &memory, edited, &slot);
    assert_non_null(slot.payload); // pending edits were applied to a copy
    check_three(store, edited, 5);
    assert_int_equal(trn_store_insert_slot(store, edited, &slot, NULL), TRN_RESULT_EXISTS);
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

static int run_store_tests(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pending_edits_apply_to_a_chunk_inserted_from_a_code),
        cmocka_unit_test(a_chunk_uses_a_slot_unless_it_had_pending_edits),
        cmocka_unit_test(creation_survives_each_allocation_that_fails),
        cmocka_unit_test(events_that_memory_cannot_record_count_as_missed),
        cmocka_unit_test(each_allocation_of_each_call_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(void)
{
    return run_with_both_headers(run_store_tests);
}
