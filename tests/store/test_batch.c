// Chunks inserted and removed as a batch: the store ends up as after single calls, wherever
// memory runs out.

#include "batch_arrivals.h"

/// Inserts the voxels of arrival_of with a single call.
static TrnResult insert_single(TrnStore *store, TrnCoord coord, Form form, TrnChunk **chunk)
{
    if (form == FORM_UNIFORM) {
        return trn_store_insert_uniform(store, coord, 7, chunk);
    }
    if (form == FORM_CODE) {
        return trn_store_insert_code(store, coord, voxels.codes[FORM_CODE], chunk);
    }
    if (form == FORM_BLOCKS) {
        return trn_store_insert_voxels(store, coord, voxels.codes[FORM_BLOCKS], chunk);
    }
    TrnVoxelSlot slot = {0};
    fill_slot(trn_store_voxel_heap(store), &slot);
    const TrnResult result = trn_store_insert_slot(store, coord, &slot, chunk);
    trn_voxel_slot_give(trn_store_voxel_heap(store), &slot);
    return result;
}

// ---- compared with single calls -----------------------------------------------------------------

#define TWIN_CHUNKS 2000
#define TWIN_PLANES 2

/// The events of a store, recorded by a listener.
typedef struct Told {
    TrnCoord coords[TWIN_CHUNKS];
    TrnEventKind kinds[TWIN_CHUNKS];
    uint32_t applied[TWIN_CHUNKS];
    uint32_t count, events, inserted_events;
    uint64_t revision;
    bool is_batch;
} Told;

static TrnResult told_listen(TrnStore *store, const TrnStoreEvent *event, void *user)
{
    Told *told = user;
    told->events++;
    assert_in_range(event->count, 1, told->is_batch ? RUN : 1);
    assert_false(event->has_missed);
    if (event->kind == TRN_EVENT_INSERTED) {
        assert_true(event->revision == told->revision + 1);
        assert_true(trn_store_revision(store) == event->revision);
        told->inserted_events++;
    } else {
        assert_true(event->revision == told->revision);
    }
    told->revision = event->revision;
    for (uint32_t i = 0; i < event->count; i++) {
        const TrnEventChunk *chunk = &event->chunks[i];
        assert_true(told->count < TWIN_CHUNKS);
        assert_int_equal(chunk->around, TEST_AROUND_ALL);
        assert_non_null(chunk->chunk);
        told->coords[told->count] = chunk->coord;
        told->kinds[told->count] = event->kind;
        told->applied[told->count++] = chunk->applied;
    }
    return TRN_RESULT_OK;
}

/// Two stores: the first gets single calls, the second the same changes in batches.
typedef struct Twins {
    TrnStore *stores[2];
    Told told[2];
    Mirror mirror; ///< of the second store
    TrnStoreArrival arrivals[BATCH_MAX];
    TrnStoreDeparture departures[BATCH_MAX];
    Form forms[BATCH_MAX];
} Twins;

static Twins twins;

static void twins_open(void)
{
    const TrnPlaneDef planes[TWIN_PLANES] = {{"gone", false}, {"stays", true}};
    TrnStoreDef def = trn_store_def();
    def.planes = planes;
    def.plane_count = TWIN_PLANES;
    def.user_bytes = 8;
    memset(&twins, 0, sizeof twins);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(trn_store_create(&def, &twins.stores[i]), TRN_RESULT_OK);
        twins.told[i].is_batch = i == 1;
        assert_int_equal(trn_store_subscribe(twins.stores[i], 5, told_listen, &twins.told[i]),
                         TRN_RESULT_OK);
    }
    assert_int_equal(trn_store_subscribe(twins.stores[1], 7, mirror_listen, &twins.mirror),
                     TRN_RESULT_OK);
    voxels_open(twins.stores[1]);
}

static TrnCoord twin_coord(TestRandom *random)
{
    const bool is_far = test_random_next(random) % 16 == 0;
    const int32_t away = is_far ? 3000000 * (int32_t)test_random_range(random, -3, 3) : 0;
    return (TrnCoord){away + (int32_t)test_random_range(random, -6, 6),
                      (int32_t)test_random_range(random, -1, 4),
                      (int32_t)test_random_range(random, -6, 6)};
}

static void twins_insert(TestRandom *random)
{
    const uint32_t count = (uint32_t)test_random_range(random, 0, BATCH_MAX);
    for (uint32_t i = 0; i < count; i++) {
        twins.forms[i] = (Form)(test_random_next(random) % FORM_COUNT);
        twins.arrivals[i] = arrival_of(twin_coord(random), twins.forms[i], i);
    }
    insert_all(twins.stores[1], twins.arrivals, count);
    for (uint32_t i = 0; i < count; i++) {
        const TrnStoreArrival *arrival = &twins.arrivals[i];
        TrnChunk *chunk = NULL;
        assert_int_equal(insert_single(twins.stores[0], arrival->coord, twins.forms[i], &chunk),
                         arrival->result);
        assert_int_equal(arrival->chunk != NULL, arrival->result == TRN_RESULT_OK);
        assert_ptr_equal(arrival->chunk, trn_store_chunk(twins.stores[1], arrival->id));
        if (arrival->chunk) {
            assert_true(trn_coord_equal(arrival->chunk->coord, arrival->coord));
        } else {
            assert_true(arrival->slot == NULL || arrival->slot->payload != NULL);
        }
    }
    give_slots();
}

static void twins_remove(TestRandom *random)
{
    const uint32_t count = (uint32_t)test_random_range(random, 0, BATCH_MAX);
    size_t done = SIZE_MAX;
    for (uint32_t i = 0; i < count; i++) {
        twins.departures[i] = (TrnStoreDeparture){twin_coord(random), TRN_RESULT_STALE_ID};
    }
    assert_int_equal(trn_store_remove_batch(twins.stores[1], twins.departures, count, &done),
                     TRN_RESULT_OK);
    assert_int_equal(done, count);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(trn_store_remove(twins.stores[0], twins.departures[i].coord),
                         twins.departures[i].result);
    }
}

/// Edits a box, with pending edits for unloaded chunks; sets bits of planes; pins, unpins and
/// touches.
static void twins_change(TestRandom *random)
{
    const TrnCoord coord = twin_coord(random), other = twin_coord(random);
    const uint64_t kind = test_random_next(random) % 3;
    for (int i = 0; i < 2; i++) {
        TrnStore *store = twins.stores[i];
        TrnChunk *chunk = trn_store_find(store, coord);
        TrnBatch *batch;
        const TrnVoxel min = trn_coord_voxel(coord), max = {min.x + 40, min.y + 3, min.z + 40};
        assert_int_equal(trn_batch_begin(store, NULL, &batch), TRN_RESULT_OK);
        assert_int_equal(trn_batch_fill_box(batch, min, max, 9), TRN_RESULT_OK);
        assert_int_equal(trn_batch_commit(batch, NULL), TRN_RESULT_OK);
        twins.told[i].revision = trn_store_revision(store);
        for (TrnPlane plane = 1; plane <= TWIN_PLANES; plane++) {
            assert_int_equal(trn_chunk_index_plane_set(trn_store_index(store), plane, other, true),
                             TRN_RESULT_OK);
        }
        if (chunk && kind == 0) {
            trn_store_pin(store, chunk);
        } else if (chunk && kind == 1 && trn_store_is_busy(chunk)) {
            trn_store_unpin(store, chunk);
        } else if (chunk) {
            trn_store_touch(store, &chunk, 1);
        }
    }
}

static void twins_evict(TestRandom *random)
{
    const TrnEviction eviction = {.count_max = (uint32_t)test_random_range(random, 1, 20)};
    uint32_t evicted[2];
    for (int i = 0; i < 2; i++) {
        twins.told[i].is_batch = true; // single evictions and batches give the same events
        (void)trn_store_evict(twins.stores[i], &eviction, &evicted[i]);
        twins.told[i].is_batch = i == 1;
    }
    assert_int_equal(evicted[0], evicted[1]);
}

/// Checks that both list the same chunks, with the same voxels, in the order of their last changes.
static void twins_check_chunks(void)
{
    static TrnChunk *chunks[2][TWIN_CHUNKS];
    const size_t count = trn_store_changed_since(twins.stores[0], 0, chunks[0], TWIN_CHUNKS);
    assert_int_equal(trn_store_changed_since(twins.stores[1], 0, chunks[1], TWIN_CHUNKS), count);
    for (size_t i = 0; i < count; i++) {
        const TrnCoord coord = chunks[0][i]->coord;
        assert_true(trn_coord_equal(coord, chunks[1][i]->coord));
        assert_ptr_equal(trn_store_find(twins.stores[1], coord), chunks[1][i]);
        assert_ptr_equal(trn_store_chunk(twins.stores[1], chunks[1][i]->id), chunks[1][i]);
        assert_true(i == 0 ||
                    trn_chunk_revision(chunks[1][i]) >= trn_chunk_revision(chunks[1][i - 1]));
        assert_true(test_chunk_hash(chunks[0][i]) == test_chunk_hash(chunks[1][i]));
        const TrnExplanation a = trn_store_explain(twins.stores[0], coord);
        const TrnExplanation b = trn_store_explain(twins.stores[1], coord);
        assert_int_equal(a.planes, b.planes);
        assert_int_equal(a.untouched, b.untouched);
        assert_int_equal(a.pins, b.pins);
        assert_int_equal(*(uint64_t *)trn_chunk_user(chunks[1][i]), 0);
    }
}

static void twins_check(void)
{
    const TrnStoreStats a = trn_store_stats(twins.stores[0]), b = trn_store_stats(twins.stores[1]);
    assert_int_equal(a.chunks, b.chunks);
    assert_int_equal(a.uniform_chunks, b.uniform_chunks);
    assert_int_equal(a.inserted, b.inserted);
    assert_int_equal(a.removed, b.removed);
    assert_int_equal(a.evicted, b.evicted);
    assert_int_equal(a.refused + b.refused, 0);
    assert_int_equal(a.retired_chunks + b.retired_chunks, 0);
    assert_int_equal(a.retired_payloads + b.retired_payloads, 0);
    assert_int_equal(a.missed_events + b.missed_events, 0);
    assert_int_equal(trn_edits_stats(twins.stores[0]).pending_runs,
                     trn_edits_stats(twins.stores[1]).pending_runs);
    assert_int_equal(twins.told[0].count, twins.told[1].count);
    assert_memory_equal(twins.told[0].coords, twins.told[1].coords,
                        twins.told[0].count * sizeof(TrnCoord));
    assert_memory_equal(twins.told[0].kinds, twins.told[1].kinds,
                        twins.told[0].count * sizeof(TrnEventKind));
    assert_memory_equal(twins.told[0].applied, twins.told[1].applied,
                        twins.told[0].count * sizeof(uint32_t));
    assert_true(twins.told[1].events <= twins.told[0].events);
    twins.told[0].count = twins.told[1].count = 0;
    twins_check_chunks();
    mirror_check(&twins.mirror, twins.stores[1]);
}

static void batches_equal_single_calls(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(311);
    twins_open();
    for (uint32_t step = 0; step < test_rounds(300, 60); step++) {
        twins_change(&random);
        const uint64_t kind = test_random_next(&random) % 5;
        if (kind == 4) {
            twins_evict(&random);
        } else {
            (kind < 2 ? twins_insert : twins_remove)(&random);
        }
        twins_check();
    }
    print_message("  %u events of single calls, %u of batches\n", twins.told[0].events,
                  twins.told[1].events);
    assert_true(twins.told[1].events * 3 < twins.told[0].events);
    trn_store_destroy(twins.stores[0]);
    trn_store_destroy(twins.stores[1]);
}

// ---- results -----------------------------------------------------------------------------------

static void repeated_coordinates_count_once(void **state)
{
    (void)state;
    TestAllocator memory;
    TrnStore *store = small_store(&memory, 0);
    voxels_open(store);
    TrnStoreArrival arrivals[4];
    const TrnCoord coord = {1, 2, 3};
    for (uint32_t i = 0; i < 4; i++) {
        arrivals[i] = arrival_of(coord, FORM_SLOT, i);
    }
    insert_all(store, arrivals, 4);
    assert_int_equal(arrivals[0].result, TRN_RESULT_OK);
    assert_null(voxels.slots[0].payload); // the chunk owns it now
    for (uint32_t i = 1; i < 4; i++) {
        assert_int_equal(arrivals[i].result, TRN_RESULT_EXISTS);
        assert_null(arrivals[i].chunk);
        assert_non_null(voxels.slots[i].payload);
    }
    assert_int_equal(trn_store_revision(store), 1);
    insert_all(store, arrivals + 1, 3); // all are loaded already: no change
    assert_int_equal(trn_store_revision(store), 1);
    TrnStoreDeparture departures[2] = {{coord, TRN_RESULT_OK}, {coord, TRN_RESULT_OK}};
    size_t done;
    assert_int_equal(trn_store_remove_batch(store, departures, 2, &done), TRN_RESULT_OK);
    assert_int_equal(done, 2);
    assert_int_equal(departures[0].result, TRN_RESULT_OK);
    assert_int_equal(departures[1].result, TRN_RESULT_NOT_FOUND);
    give_slots();
    trn_store_destroy(store);
}

static void an_empty_batch_does_nothing(void **state)
{
    (void)state;
    TestAllocator memory;
    TrnStore *store = small_store(&memory, 0);
    size_t done = 7;
    assert_int_equal(trn_store_insert_batch(store, NULL, 0, &done), TRN_RESULT_OK);
    assert_int_equal(done, 0);
    done = 7;
    assert_int_equal(trn_store_remove_batch(store, NULL, 0, &done), TRN_RESULT_OK);
    assert_int_equal(done, 0);
    assert_int_equal(trn_store_revision(store), 0);
    trn_store_destroy(store);
}

static void a_batch_stops_at_an_invalid_arrival(void **state)
{
    (void)state;
    static const TrnBlock no_code[TRN_CHUNK_VOXELS];
    TestAllocator memory;
    TrnStore *store = small_store(&memory, 0);
    voxels_open(store);
    TrnVoxelSlot none = {0};
    for (int kind = 0; kind < 2; kind++) {
        TrnStoreArrival arrivals[3];
        size_t done = 0;
        fill_arrivals(arrivals, 3);
        arrivals[0].coord.y = arrivals[1].coord.y = arrivals[2].coord.y = 10 + kind;
        arrivals[1].slot = kind ? &none : NULL;
        arrivals[1].code = no_code;
        assert_int_equal(trn_store_insert_batch(store, arrivals, 3, &done),
                         TRN_RESULT_BAD_ARGUMENT);
        assert_int_equal(done, 1);
        assert_int_equal(arrivals[0].result, TRN_RESULT_OK);
        assert_int_equal(arrivals[1].result, TRN_RESULT_STALE_ID);
        assert_ptr_equal(trn_store_find(store, arrivals[0].coord), arrivals[0].chunk);
        assert_null(trn_store_find(store, arrivals[1].coord));
        assert_null(trn_store_find(store, arrivals[2].coord));
        assert_int_equal(trn_store_stats(store).refused, 0);
        give_slots();
    }
    trn_store_destroy(store);
    assert_int_equal(memory.live_blocks, 0);
}

static void busy_chunks_are_not_removed(void **state)
{
    (void)state;
    TestAllocator memory;
    TrnStore *store = small_store(&memory, 0);
    voxels_open(store);
    TrnStoreArrival arrivals[80];
    TrnStoreDeparture departures[80];
    TrnBatch *batch;
    size_t done;
    fill_arrivals(arrivals, 80);
    fill_departures(departures, 80);
    insert_all(store, arrivals, 80);
    trn_store_pin(store, arrivals[7].chunk);
    assert_int_equal(trn_batch_begin(store, NULL, &batch), TRN_RESULT_OK);
    assert_int_equal(trn_batch_set(batch, trn_coord_voxel(arrivals[50].coord), 3), TRN_RESULT_OK);
    assert_int_equal(trn_store_remove_batch(store, departures, 80, &done), TRN_RESULT_OK);
    assert_int_equal(done, 80);
    for (uint32_t i = 0; i < 80; i++) {
        const bool is_busy = i == 7 || i == 50;
        assert_int_equal(departures[i].result, is_busy ? TRN_RESULT_BUSY : TRN_RESULT_OK);
        assert_int_equal(trn_store_find(store, departures[i].coord) != NULL, is_busy);
    }
    trn_batch_cancel(batch);
    trn_store_destroy(store);
    assert_int_equal(memory.live_blocks, 0);
}

static void callers_keep_slots_of_chunks_with_pending_edits(void **state)
{
    (void)state;
    TestAllocator memory;
    TrnStore *store = small_store(&memory, 0);
    voxels_open(store);
    TrnStoreArrival arrivals[2] = {arrival_of((TrnCoord){0, 0, 0}, FORM_SLOT, 0),
                                   arrival_of((TrnCoord){1, 0, 0}, FORM_SLOT, 1)};
    TrnBatch *batch;
    assert_int_equal(trn_batch_begin(store, NULL, &batch), TRN_RESULT_OK);
    assert_int_equal(trn_batch_set(batch, (TrnVoxel){32, 0, 0}, 99), TRN_RESULT_OK);
    assert_int_equal(trn_batch_commit(batch, NULL), TRN_RESULT_OK);
    insert_all(store, arrivals, 2);
    assert_null(voxels.slots[0].payload);
    assert_non_null(voxels.slots[1].payload);
    assert_int_equal(trn_snapshot_get(trn_voxels_snapshot(&arrivals[0].chunk->voxels), 0), 5);
    assert_int_equal(trn_snapshot_get(trn_voxels_snapshot(&arrivals[1].chunk->voxels), 0), 99);
    assert_true(trn_chunk_revision(arrivals[0].chunk) == trn_chunk_revision(arrivals[1].chunk));
    give_slots();
    trn_store_destroy(store);
    assert_int_equal(memory.live_blocks, 0);
}

// ---- memory ------------------------------------------------------------------------------------

#define FAULT_COUNT 90

/// Chunks in a row of pages, some of them far away. Some have pending edits.
static TrnCoord fault_coord(uint32_t i)
{
    const int32_t at = (int32_t)i;
    return i % 3 == 2 ? (TrnCoord){at * 5000, at, -at} : coord_in_order(i);
}

static TrnStore *fault_store(TestAllocator *memory, Mirror *mirror)
{
    *memory = (TestAllocator){0};
    const TrnAllocator allocator = test_allocator(memory);
    TrnStoreDef def = trn_store_def();
    def.allocator = &allocator;
    def.user_bytes = 30000; // few headers fit in a block
    TrnStore *store = NULL;
    TrnBatch *batch;
    assert_int_equal(trn_store_create(&def, &store), TRN_RESULT_OK);
    voxels_open(store);
    memset(mirror, 0, sizeof *mirror);
    assert_int_equal(trn_store_subscribe(store, 7, mirror_listen, mirror), TRN_RESULT_OK);
    assert_int_equal(trn_batch_begin(store, NULL, &batch), TRN_RESULT_OK);
    for (uint32_t i = 4; i < FAULT_COUNT; i += 20) {
        assert_int_equal(trn_batch_set(batch, trn_coord_voxel(fault_coord(i)), 99), TRN_RESULT_OK);
    }
    assert_int_equal(trn_batch_commit(batch, NULL), TRN_RESULT_OK);
    return store;
}

/// Checks that only the first `done` chunks are loaded, and that the slots of the others are
/// untouched.
static void check_stopped_insert(const TrnStore *store, const TrnStoreArrival *arrivals,
                                 size_t done, const Mirror *mirror)
{
    for (size_t i = 0; i < FAULT_COUNT; i++) {
        const TrnChunk *chunk = trn_store_find(store, arrivals[i].coord);
        assert_int_equal(chunk != NULL, i < done);
        assert_int_equal(arrivals[i].result, i < done ? TRN_RESULT_OK : TRN_RESULT_STALE_ID);
        assert_ptr_equal(arrivals[i].chunk, chunk);
        const bool is_edited = i % 20 == 4;
        if (chunk && is_edited) {
            assert_int_equal(trn_snapshot_get(trn_voxels_snapshot(&chunk->voxels), 0), 99);
        }
        if (arrivals[i].slot) {
            assert_int_equal(arrivals[i].slot->payload != NULL, i >= done || is_edited);
        }
    }
    assert_int_equal(trn_store_stats(store).inserted, done);
    assert_int_equal(trn_store_stats(store).missed_events, 0);
    mirror_check(mirror, store);
}

/// @return whether the insert made that many allocations
static bool insert_with_fault(size_t fail_at, size_t fail_to, uint32_t *failures)
{
    static TrnStoreArrival arrivals[FAULT_COUNT];
    static Mirror mirror;
    TestAllocator memory;
    TrnStore *store = fault_store(&memory, &mirror);
    size_t done = SIZE_MAX;
    for (uint32_t i = 0; i < FAULT_COUNT; i++) {
        arrivals[i] = arrival_of(fault_coord(i), (Form)(i % FORM_COUNT), i);
    }
    test_fail(&memory, fail_at, fail_to);
    const TrnResult result = trn_store_insert_batch(store, arrivals, FAULT_COUNT, &done);
    const bool was_reached = memory.allocations >= fail_at;
    memory.fail_at = 0;
    check_figures(store, &memory);
    check_stopped_insert(store, arrivals, done, &mirror);
    if (result != TRN_RESULT_OK) {
        assert_int_equal(result, TRN_RESULT_NO_MEMORY);
        assert_true(was_reached && done < FAULT_COUNT);
        assert_int_equal(trn_store_stats(store).refused, 1);
        ++*failures;
        insert_all(store, arrivals + done, (uint32_t)(FAULT_COUNT - done));
        check_stopped_insert(store, arrivals, FAULT_COUNT, &mirror);
    }
    assert_int_equal(trn_edits_stats(store).pending_runs, 0);
    give_slots();
    trn_store_destroy(store);
    assert_int_equal(memory.live_blocks, 0);
    return was_reached;
}

static void each_allocation_of_an_insert_may_fail(void **state)
{
    (void)state;
    uint32_t failures = 0, runs = 0;
    for (size_t n = 1; insert_with_fault(n, n, &failures); n++) {
        runs++;
    }
    for (size_t n = 1; insert_with_fault(n, SIZE_MAX, &failures); n++) {
        runs++;
    }
    print_message("  %u allocations failed, and %u batches\n", runs, failures);
    assert_true(failures > 40);
}

/// @return whether the removal made that many allocations
static bool remove_with_fault(size_t fail_at, size_t fail_to, uint32_t *failures)
{
    static TrnStoreArrival arrivals[FAULT_COUNT];
    static TrnStoreDeparture departures[FAULT_COUNT];
    static Mirror mirror;
    TestAllocator memory;
    TrnStore *store = fault_store(&memory, &mirror);
    TrnChunkReader *reader = reader_of(store, "test");
    size_t done = SIZE_MAX;
    for (uint32_t i = 0; i < FAULT_COUNT; i++) {
        arrivals[i] = arrival_of(fault_coord(i), (Form)(i % FORM_COUNT), i);
        departures[i] = (TrnStoreDeparture){fault_coord(i), TRN_RESULT_STALE_ID};
    }
    insert_all(store, arrivals, FAULT_COUNT);
    give_slots();
    trn_chunk_index_read_begin(reader); // pages stay retired, so that their ring grows
    test_fail(&memory, fail_at, fail_to);
    TrnResult result = trn_store_remove_batch(store, departures, FAULT_COUNT, &done);
    const bool was_reached = memory.allocations >= fail_at;
    memory.fail_at = 0;
    check_figures(store, &memory);
    for (size_t i = 0; i < FAULT_COUNT; i++) {
        assert_int_equal(departures[i].result, i < done    ? TRN_RESULT_OK
                                               : i == done ? result
                                                           : TRN_RESULT_STALE_ID);
        assert_int_equal(trn_store_find(store, departures[i].coord) == NULL, i < done);
    }
    mirror_check(&mirror, store);
    if (result != TRN_RESULT_OK) {
        assert_int_equal(result, TRN_RESULT_NO_MEMORY);
        ++*failures;
        result = trn_store_remove_batch(store, departures + done, FAULT_COUNT - done, &done);
    }
    assert_int_equal(result, TRN_RESULT_OK);
    trn_chunk_index_read_end(reader);
    trn_chunk_index_reclaim(trn_store_index(store));
    assert_int_equal(trn_store_stats(store).chunks + trn_store_stats(store).retired_chunks, 0);
    trn_store_destroy(store);
    assert_int_equal(memory.live_blocks, 0);
    return was_reached;
}

static void each_allocation_of_a_removal_may_fail(void **state)
{
    (void)state;
    uint32_t failures = 0, runs = 0;
    for (size_t n = 1; remove_with_fault(n, n, &failures); n++) {
        runs++;
    }
    for (size_t n = 1; remove_with_fault(n, SIZE_MAX, &failures); n++) {
        runs++;
    }
    print_message("  %u allocations failed, and %u batches\n", runs, failures);
    assert_true(failures >= 2);
}

static void a_full_store_inserts_the_first_of_a_batch(void **state)
{
    (void)state;
    static TrnStoreArrival arrivals[BATCH_MAX];
    static Mirror mirror;
    TestAllocator memory;
    TrnStore *store = small_store(&memory, (size_t)2 << 20);
    voxels_open(store);
    memset(&mirror, 0, sizeof mirror);
    assert_int_equal(trn_store_subscribe(store, 7, mirror_listen, &mirror), TRN_RESULT_OK);
    for (uint32_t i = 0; i < BATCH_MAX; i++) {
        arrivals[i] = arrival_of(coord_in_order(i), FORM_CODE, i);
    }
    size_t done = 0, more = 0;
    assert_int_equal(trn_store_insert_batch(store, arrivals, BATCH_MAX, &done), TRN_RESULT_FULL);
    assert_in_range(done, 33, BATCH_MAX - 1);
    assert_int_equal(trn_store_stats(store).chunks, done);
    assert_int_equal(trn_store_stats(store).refused, 1);
    assert_int_equal(trn_store_stats(store).missed_events, 0);
    TrnExplanation why = trn_store_explain(store, arrivals[done].coord);
    assert_int_equal(why.state, TRN_CHUNK_STATE_REFUSED);
    assert_int_equal(why.refusal, TRN_RESULT_FULL);
    assert_int_equal(trn_store_explain(store, arrivals[BATCH_MAX - 1].coord).state,
                     done + 1 < BATCH_MAX ? TRN_CHUNK_STATE_UNKNOWN : TRN_CHUNK_STATE_REFUSED);
    mirror_check(&mirror, store);
    const TrnEviction eviction = {.count_max = BATCH_MAX / 2};
    (void)trn_store_evict(store, &eviction, NULL);
    (void)trn_store_insert_batch(store, arrivals + done, BATCH_MAX - done, &more);
    assert_in_range(more, 1, BATCH_MAX - done);
    mirror_check(&mirror, store);
    check_figures(store, &memory);
    trn_store_destroy(store);
    assert_int_equal(memory.live_blocks, 0);
}

/// A listener that evicts all but a few chunks.
static TrnResult evict_beyond(TrnStore *store, const TrnStoreEvent *event, void *user)
{
    const uint32_t *chunks_max = user, chunks = trn_store_stats(store).chunks;
    const TrnEviction eviction = {.count_max = chunks > *chunks_max ? chunks - *chunks_max : 0};
    if (event->kind == TRN_EVENT_INSERTED && eviction.count_max) {
        (void)trn_store_evict(store, &eviction, NULL);
    }
    return TRN_RESULT_OK;
}

static void a_listener_that_evicts_makes_a_batch_fit(void **state)
{
    (void)state;
    static TrnStoreArrival arrivals[BATCH_MAX];
    TestAllocator memory = {0};
    const TrnAllocator allocator = test_allocator(&memory);
    uint32_t chunks_max = 20;
    TrnStoreDef def = trn_store_def();
    def.allocator = &allocator;
    def.chunk_max = 50;
    TrnStore *store = NULL;
    assert_int_equal(trn_store_create(&def, &store), TRN_RESULT_OK);
    voxels_open(store);
    assert_int_equal(trn_store_subscribe(store, 1, evict_beyond, &chunks_max), TRN_RESULT_OK);
    fill_arrivals(arrivals, BATCH_MAX);
    insert_all(store, arrivals, BATCH_MAX);
    assert_int_equal(trn_store_stats(store).inserted, BATCH_MAX);
    assert_int_equal(trn_store_stats(store).refused, 0);
    assert_int_equal(trn_store_stats(store).chunks, 20);
    for (uint32_t i = 0; i < BATCH_MAX; i++) { // the most recent ones are kept
        assert_int_equal(arrivals[i].chunk != NULL, i >= BATCH_MAX - 20);
        assert_ptr_equal(arrivals[i].chunk, trn_store_find(store, arrivals[i].coord));
    }
    trn_store_destroy(store);
    assert_int_equal(memory.live_blocks, 0);
}

static void a_batch_returns_readers_if_they_keep_its_memory(void **state)
{
    (void)state;
    static TrnStoreArrival arrivals[60];
    static TrnStoreDeparture departures[40];
    TestAllocator memory;
    memory = (TestAllocator){0};
    const TrnAllocator allocator = test_allocator(&memory);
    TrnStoreDef def = trn_store_def();
    def.allocator = &allocator;
    def.chunk_max = 50;
    TrnStore *store = NULL;
    assert_int_equal(trn_store_create(&def, &store), TRN_RESULT_OK);
    voxels_open(store);
    TrnChunkReader *reader = reader_of(store, "slow");
    size_t done;
    for (uint32_t i = 0; i < 60; i++) {
        arrivals[i] = arrival_of(coord_in_order(i), FORM_UNIFORM, i);
    }
    fill_departures(departures, 40);
    assert_int_equal(trn_store_insert_batch(store, arrivals, 60, &done), TRN_RESULT_FULL);
    assert_int_equal(done, 50);
    trn_chunk_index_read_begin(reader);
    assert_int_equal(trn_store_remove_batch(store, departures, 40, &done), TRN_RESULT_OK);
    assert_int_equal(trn_store_stats(store).retired_chunks, 40);
    assert_int_equal(trn_store_insert_batch(store, arrivals + 50, 10, &done), TRN_RESULT_READERS);
    assert_int_equal(done, 0);
    for (uint32_t i = 0; i < 40; i++) { // the reader still sees them
        assert_true(trn_coord_equal(arrivals[i].chunk->coord, arrivals[i].coord));
    }
    trn_chunk_index_read_end(reader);
    insert_all(store, arrivals + 50, 10);
    assert_int_equal(trn_store_stats(store).retired_chunks, 0);
    trn_store_destroy(store);
    assert_int_equal(memory.live_blocks, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(batches_equal_single_calls),
        cmocka_unit_test(repeated_coordinates_count_once),
        cmocka_unit_test(an_empty_batch_does_nothing),
        cmocka_unit_test(a_batch_stops_at_an_invalid_arrival),
        cmocka_unit_test(busy_chunks_are_not_removed),
        cmocka_unit_test(callers_keep_slots_of_chunks_with_pending_edits),
        cmocka_unit_test(each_allocation_of_an_insert_may_fail),
        cmocka_unit_test(each_allocation_of_a_removal_may_fail),
        cmocka_unit_test(a_full_store_inserts_the_first_of_a_batch),
        cmocka_unit_test(a_listener_that_evicts_makes_a_batch_fit),
        cmocka_unit_test(a_batch_returns_readers_if_they_keep_its_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
