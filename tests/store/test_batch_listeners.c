// Listeners that change the store in the middle of a batch.

#include "batch_arrivals.h"

// ---- listeners ---------------------------------------------------------------------------------

/// A listener that acts in the first event of a kind.
typedef struct Meddler {
    TrnEventKind kind;
    void (*act)(TrnStore *store, const TrnStoreEvent *event);
    uint32_t calls;
} Meddler;

static TrnResult meddle(TrnStore *store, const TrnStoreEvent *event, void *user)
{
    Meddler *meddler = user;
    if (event->kind == meddler->kind && meddler->calls++ == 0) {
        meddler->act(store, event);
    }
    return TRN_RESULT_OK;
}

/// Creates a store with such a listener, and a mirror subscribed after it.
static TrnStore *meddled_store(TestAllocator *memory, Meddler *meddler, Mirror *mirror)
{
    TrnStore *store = small_store(memory, 0);
    voxels_open(store);
    memset(mirror, 0, sizeof *mirror);
    assert_int_equal(trn_store_subscribe(store, 7, meddle, meddler), TRN_RESULT_OK);
    assert_int_equal(trn_store_subscribe(store, 7, mirror_listen, mirror), TRN_RESULT_OK);
    return store;
}

/// Removes the event's second chunk, edits the third, and inserts two chunks of later runs.
static void act_on_insert(TrnStore *store, const TrnStoreEvent *event)
{
    assert_int_equal(event->count, RUN);
    assert_int_equal(trn_store_remove(store, event->chunks[1].coord), TRN_RESULT_OK);
    trn_store_fill(store, event->chunks[2].chunk, 77);
    inserted(store, coord_in_order(RUN + 5));
    inserted(store, coord_in_order(2 * RUN + 5));
}

static void listeners_may_change_the_store_during_inserts(void **state)
{
    (void)state;
    static Mirror mirror;
    TestAllocator memory;
    Meddler meddler = {TRN_EVENT_INSERTED, act_on_insert, 0};
    TrnStore *store = meddled_store(&memory, &meddler, &mirror);
    static TrnStoreArrival arrivals[100];
    fill_arrivals(arrivals, 100);
    insert_all(store, arrivals, 100);
    for (uint32_t i = 0; i < 100; i++) {
        const bool exists = i == RUN + 5 || i == 2 * RUN + 5;
        TrnChunk *loaded = trn_store_find(store, arrivals[i].coord);
        assert_int_equal(arrivals[i].result, exists ? TRN_RESULT_EXISTS : TRN_RESULT_OK);
        assert_ptr_equal(arrivals[i].chunk, exists ? NULL : loaded);
        assert_int_equal(loaded == NULL, i == 1);
    }
    assert_int_equal(trn_snapshot_uniform(trn_voxels_snapshot(&arrivals[2].chunk->voxels)), 77);
    assert_int_equal(trn_store_stats(store).missed_events, 0);
    mirror_check(&mirror, store);
    check_figures(store, &memory);
    give_slots();
    trn_store_destroy(store);
    assert_int_equal(memory.live_blocks, 0);
}

/// Removes a chunk of the run before and inserts another in its place; evicts some.
static void act_on_later_insert(TrnStore *store, const TrnStoreEvent *event)
{
    const TrnEviction eviction = {.count_max = 10};
    uint32_t evicted = 0;
    if (event->chunks[0].coord.x < 8) {
        return;
    }
    assert_int_equal(trn_store_remove(store, coord_in_order(20)), TRN_RESULT_OK);
    inserted(store, coord_in_order(20));
    (void)trn_store_evict(store, &eviction, &evicted);
    assert_int_equal(evicted, 10);
}

static TrnResult meddle_always(TrnStore *store, const TrnStoreEvent *event, void *user)
{
    Meddler *meddler = user;
    if (event->kind == meddler->kind && event->count > 1 && event->chunks[0].coord.x >= 8 &&
        meddler->calls++ == 0) {
        meddler->act(store, event);
    }
    return TRN_RESULT_OK;
}

static void chunks_removed_by_later_events_are_null(void **state)
{
    (void)state;
    TestAllocator memory;
    Meddler meddler = {TRN_EVENT_INSERTED, act_on_later_insert, 0};
    TrnStore *store = small_store(&memory, 0);
    voxels_open(store);
    assert_int_equal(trn_store_subscribe(store, 7, meddle_always, &meddler), TRN_RESULT_OK);
    static TrnStoreArrival arrivals[100];
    fill_arrivals(arrivals, 100);
    insert_all(store, arrivals, 100);
    assert_int_equal(meddler.calls > 0, 1);
    for (uint32_t i = 0; i < 100; i++) { // the ten least recently changed chunks were evicted
        TrnChunk *loaded = trn_store_find(store, arrivals[i].coord);
        assert_int_equal(arrivals[i].result, TRN_RESULT_OK);
        assert_int_equal(loaded == NULL, i < 10);
        assert_ptr_equal(arrivals[i].chunk, i == 20 ? NULL : loaded);
    }
    give_slots();
    trn_store_destroy(store);
    assert_int_equal(memory.live_blocks, 0);
}

/// Inserts the event's first chunk again; removes and pins chunks of later runs.
static void act_on_remove(TrnStore *store, const TrnStoreEvent *event)
{
    assert_int_equal(event->count, RUN);
    assert_false(event->is_eviction);
    for (uint32_t i = 0; i < event->count; i++) { // all can still be read, and none is found
        const TrnEventChunk *chunk = &event->chunks[i];
        assert_true(trn_coord_equal(chunk->coord, coord_in_order(i)));
        assert_null(trn_store_find(store, chunk->coord));
        assert_null(trn_store_chunk(store, chunk->id));
        const TrnSnapshot snapshot = trn_voxels_snapshot(&chunk->chunk->voxels);
        const TrnBlock first[FORM_COUNT] = {7, 0, 5, 3};
        assert_int_equal(trn_snapshot_get(snapshot, 0), first[i % FORM_COUNT]);
    }
    inserted(store, event->chunks[0].coord);
    assert_int_equal(trn_store_remove(store, coord_in_order(RUN + 3)), TRN_RESULT_OK);
    trn_store_pin(store, trn_store_find(store, coord_in_order(RUN + 4)));
}

static void listeners_may_change_the_store_during_removals(void **state)
{
    (void)state;
    static Mirror mirror;
    TestAllocator memory;
    Meddler meddler = {TRN_EVENT_REMOVED, act_on_remove, 0};
    TrnStore *store = meddled_store(&memory, &meddler, &mirror);
    static TrnStoreArrival arrivals[100];
    static TrnStoreDeparture departures[100];
    size_t done;
    fill_arrivals(arrivals, 100);
    fill_departures(departures, 100);
    insert_all(store, arrivals, 100);
    assert_int_equal(trn_store_remove_batch(store, departures, 100, &done), TRN_RESULT_OK);
    assert_int_equal(done, 100);
    for (uint32_t i = 0; i < 100; i++) {
        const TrnResult expected = i == RUN + 3   ? TRN_RESULT_NOT_FOUND
                                   : i == RUN + 4 ? TRN_RESULT_BUSY
                                                  : TRN_RESULT_OK;
        assert_int_equal(departures[i].result, expected);
        assert_int_equal(trn_store_find(store, departures[i].coord) != NULL,
                         i == 0 || i == RUN + 4);
    }
    assert_int_equal(trn_store_stats(store).missed_events, 0);
    mirror_check(&mirror, store);
    check_figures(store, &memory);
    trn_store_destroy(store);
    assert_int_equal(memory.live_blocks, 0);
}

static TrnResult unsubscribe_itself(TrnStore *store, const TrnStoreEvent *event, void *user)
{
    uint32_t *calls = user;
    assert_int_equal(event->count, RUN);
    ++*calls;
    return trn_store_unsubscribe(store, unsubscribe_itself, user);
}

static void a_listener_may_unsubscribe_during_a_batch(void **state)
{
    (void)state;
    TestAllocator memory;
    TrnStore *store = small_store(&memory, 0);
    voxels_open(store);
    static TrnStoreArrival arrivals[100];
    static TrnStoreDeparture departures[100];
    uint32_t calls = 0;
    size_t done;
    assert_int_equal(trn_store_subscribe(store, 1, unsubscribe_itself, &calls), TRN_RESULT_OK);
    fill_arrivals(arrivals, 100);
    fill_departures(departures, 100);
    insert_all(store, arrivals, 100);
    assert_int_equal(calls, 1);
    assert_int_equal(trn_store_subscribe(store, 4, unsubscribe_itself, &calls), TRN_RESULT_OK);
    assert_int_equal(trn_store_remove_batch(store, departures, 100, &done), TRN_RESULT_OK);
    assert_int_equal(calls, 2);
    const TrnStoreStats stats = trn_store_stats(store);
    assert_int_equal(stats.chunks + stats.retired_chunks + stats.retired_payloads, 0);
    check_figures(store, &memory);
    trn_store_destroy(store);
    assert_int_equal(memory.live_blocks, 0);
}

/// Answers a single insert by inserting a batch, and that batch's events by removing it.
static void act_in_batches(TrnStore *store, const TrnStoreEvent *event)
{
    static TrnStoreArrival arrivals[100];
    static TrnStoreDeparture departures[100];
    size_t done;
    (void)event;
    fill_arrivals(arrivals, 100);
    fill_departures(departures, 100);
    insert_all(store, arrivals, 100);
    assert_non_null(arrivals[99].chunk);
    assert_int_equal(trn_store_remove_batch(store, departures, 50, &done), TRN_RESULT_OK);
    assert_int_equal(done, 50);
    assert_int_equal(trn_store_stats(store).chunks, 51);
}

static void listeners_may_insert_and_remove_batches(void **state)
{
    (void)state;
    static Mirror mirror;
    TestAllocator memory;
    Meddler meddler = {TRN_EVENT_INSERTED, act_in_batches, 0};
    TrnStore *store = meddled_store(&memory, &meddler, &mirror);
    inserted(store, (TrnCoord){-50, 0, 0});
    assert_int_equal(trn_store_stats(store).chunks, 51);
    assert_int_equal(trn_store_stats(store).missed_events, 0);
    assert_int_equal(mirror.calls, 1 + 4 + 2);
    mirror_check(&mirror, store);
    check_figures(store, &memory);
    trn_store_destroy(store);
    assert_int_equal(memory.live_blocks, 0);
}

/// The removals that a listener has received.
typedef struct Departed {
    uint32_t counts[16], events;
} Departed;

static TrnResult count_departed(TrnStore *store, const TrnStoreEvent *event, void *user)
{
    Departed *departed = user;
    (void)store;
    assert_true(departed->events < 16);
    departed->counts[departed->events++] = event->count;
    return TRN_RESULT_OK;
}

/// Removes chunks one by one and in batches, so that all are queued together.
static void act_by_removing(TrnStore *store, const TrnStoreEvent *event)
{
    TrnStoreDeparture departures[8];
    size_t done;
    (void)event;
    fill_departures(departures, 8);
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(trn_store_remove(store, departures[i].coord), TRN_RESULT_OK);
    }
    for (uint32_t i = 2; i < 8; i += 3) {
        assert_int_equal(trn_store_remove_batch(store, departures + i, 3, &done), TRN_RESULT_OK);
        assert_int_equal(done, 3);
    }
}

static void removals_of_different_calls_are_different_events(void **state)
{
    (void)state;
    TestAllocator memory;
    Meddler meddler = {TRN_EVENT_INSERTED, act_by_removing, 0};
    Departed departed = {.events = 0};
    TrnStore *store = small_store(&memory, 0);
    TrnStoreArrival arrivals[8];
    voxels_open(store);
    fill_arrivals(arrivals, 8);
    insert_all(store, arrivals, 8);
    assert_int_equal(trn_store_subscribe(store, 1, meddle, &meddler), TRN_RESULT_OK);
    assert_int_equal(trn_store_subscribe(store, 4, count_departed, &departed), TRN_RESULT_OK);
    inserted(store, (TrnCoord){-5, 0, 0});
    const uint32_t counts[] = {1, 1, 3, 3};
    assert_int_equal(departed.events, 4);
    assert_memory_equal(departed.counts, counts, sizeof counts);
    trn_store_destroy(store);
    assert_int_equal(memory.live_blocks, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(listeners_may_change_the_store_during_inserts),
        cmocka_unit_test(chunks_removed_by_later_events_are_null),
        cmocka_unit_test(listeners_may_change_the_store_during_removals),
        cmocka_unit_test(a_listener_may_unsubscribe_during_a_batch),
        cmocka_unit_test(listeners_may_insert_and_remove_batches),
        cmocka_unit_test(removals_of_different_calls_are_different_events),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
