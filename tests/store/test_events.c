// Events and listeners: who is called in which order, and listeners that change the store.

#include "listeners.h"

// ---- which listener receives which event --------------------------------------------------------

static void listeners_get_their_kinds_in_the_order_they_subscribed(void **state)
{
    (void)state;
    TrnStore *store = store_of(NULL);
    static Calls calls;
    Listener listeners[8] = {0};
    calls.count = 0;
    for (uint32_t kinds = 1; kinds < 8; kinds++) {
        listeners[kinds].calls = &calls;
        assert_int_equal(trn_store_subscribe(store, kinds, listener_call, &listeners[kinds]),
                         TRN_RESULT_OK);
    }
    assert_int_equal(trn_store_stats(store).listeners, 7);
    for (int round = 0; round < 3; round++) {
        inserted(store, (TrnCoord){0, 0, 0});
        assert_int_equal(trn_store_set_block(store, (TrnVoxel){0}, 1, NULL), TRN_RESULT_OK);
        assert_int_equal(trn_store_remove(store, (TrnCoord){0, 0, 0}), TRN_RESULT_OK);
    }
    uint32_t at = 0;
    for (int event = 0; event < 9; event++) {
        for (uint32_t kinds = 1; kinds < 8; kinds++) {
            if (kinds & TRN_EVENT_BIT(event % 3)) {
                assert_true(at < calls.count);
                assert_ptr_equal(calls.calls[at].listener, &listeners[kinds]);
                assert_int_equal(calls.calls[at].event.kind, event % 3);
                assert_false(calls.calls[at].event.has_missed);
                at++;
            }
        }
    }
    assert_int_equal(at, calls.count);
    assert_int_equal(trn_store_stats(store).events, at);
    assert_int_equal(trn_store_stats(store).missed_events, 0);
    trn_store_destroy(store);
}

static void invalid_subscriptions_are_refused(void **state)
{
    (void)state;
    TrnStore *store = store_of(NULL);
    Calls calls = {.count = 0};
    Listener a = {.calls = &calls}, b = {.calls = &calls};
    assert_int_equal(trn_store_subscribe(store, 0, listener_call, &a), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_store_subscribe(store, 8, listener_call, &a), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_store_subscribe(store, ALL_KINDS | 1u << 31, listener_call, &a),
                     TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_store_subscribe(store, 1, NULL, &a), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_store_unsubscribe(store, listener_call, &a), TRN_RESULT_NOT_FOUND);
    assert_int_equal(trn_store_subscribe(store, 1, listener_call, &a), TRN_RESULT_OK);
    assert_int_equal(trn_store_subscribe(store, 1, listener_call, &a), TRN_RESULT_EXISTS);
    assert_int_equal(trn_store_subscribe(store, 2, listener_call, &a), TRN_RESULT_EXISTS);
    assert_int_equal(trn_store_subscribe(store, 2, listener_call, &b), TRN_RESULT_OK);
    assert_int_equal(trn_store_stats(store).listeners, 2);
    assert_int_equal(trn_store_unsubscribe(store, listener_call, &a), TRN_RESULT_OK);
    assert_int_equal(trn_store_unsubscribe(store, listener_call, &a), TRN_RESULT_NOT_FOUND);
    assert_int_equal(trn_store_unsubscribe(store, mirror_listen, &b), TRN_RESULT_NOT_FOUND);
    inserted(store, (TrnCoord){0, 0, 0});
    assert_int_equal(calls.count, 0);
    assert_int_equal(trn_store_set_block(store, (TrnVoxel){0}, 1, NULL), TRN_RESULT_OK);
    assert_int_equal(calls.count, 1);
    assert_ptr_equal(calls.calls[0].listener, &b);
    trn_store_destroy(store);
}

static uint32_t calls_of(const Calls *calls, const Listener *listener)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < calls->count; i++) {
        count += calls->calls[i].listener == listener;
    }
    return count;
}

static void act_unsubscribe_other(Listener *listener, TrnStore *store, const TrnStoreEvent *event)
{
    (void)event;
    if (listener->context) {
        assert_int_equal(trn_store_unsubscribe(store, listener_call, listener->context),
                         TRN_RESULT_OK);
        listener->context = NULL;
    }
}

static void unsubscribed_listeners_are_not_called(void **state)
{
    (void)state;
    static Calls calls;
    for (int who = 0; who < 25; who++) { // each of five unsubscribes each of five, itself included
        TrnStore *store = store_of(NULL);
        Listener listeners[5] = {0};
        const int from = who / 5, leaver = who % 5;
        calls.count = 0;
        listeners[from].act = act_unsubscribe_other;
        listeners[from].context = &listeners[leaver];
        for (int i = 0; i < 5; i++) {
            listener_subscribe(store, &listeners[i], &calls);
        }
        inserted(store, (TrnCoord){0, 0, 0});
        assert_int_equal(calls_of(&calls, &listeners[leaver]), leaver <= from);
        inserted(store, (TrnCoord){1, 0, 0});
        for (int i = 0; i < 5; i++) {
            assert_int_equal(calls_of(&calls, &listeners[i]), i == leaver ? leaver <= from : 2);
        }
        assert_int_equal(trn_store_stats(store).listeners, 4);
        trn_store_destroy(store);
    }
}

#define LATE 100

static void act_subscribe_late(Listener *listener, TrnStore *store, const TrnStoreEvent *event)
{
    (void)event;
    Listener *late = listener->context;
    for (int i = 0; late && i < LATE; i++) {
        listener_subscribe(store, &late[i], listener->calls);
    }
    listener->context = NULL;
}

static void a_listener_subscribed_during_an_event_gets_the_next(void **state)
{
    (void)state;
    static Calls calls;
    static Listener late[LATE];
    TrnStore *store = store_of(NULL);
    Listener first = {.act = act_subscribe_late, .context = late}, second = {0};
    calls.count = 0;
    listener_subscribe(store, &first, &calls);
    listener_subscribe(store, &second, &calls);
    inserted(store, (TrnCoord){0, 0, 0});
    assert_int_equal(calls_of(&calls, &second), 1);
    calls.count = 0;
    inserted(store, (TrnCoord){1, 0, 0});
    assert_int_equal(calls.count, 2 + LATE);
    for (int i = 0; i < LATE; i++) {
        assert_ptr_equal(calls.calls[2 + i].listener, &late[i]);
        assert_false(calls.calls[2 + i].event.has_missed);
    }
    trn_store_destroy(store);
}

static void act_resubscribe(Listener *listener, TrnStore *store, const TrnStoreEvent *event)
{
    (void)event;
    assert_int_equal(trn_store_unsubscribe(store, listener_call, listener), TRN_RESULT_OK);
    listener_subscribe(store, listener, listener->calls);
}

static void resubscribing_during_an_event_ends(void **state)
{
    (void)state;
    static Calls calls;
    TrnStore *store = store_of(NULL);
    Listener restless[2] = {{.act = act_resubscribe}, {.act = act_resubscribe}};
    Listener calm = {0};
    calls.count = 0;
    listener_subscribe(store, &restless[0], &calls);
    listener_subscribe(store, &calm, &calls);
    listener_subscribe(store, &restless[1], &calls);
    for (int32_t i = 1; i <= 20; i++) {
        inserted(store, (TrnCoord){i, 0, 0});
        assert_int_equal(calls_of(&calls, &calm), i);
        assert_true(calls_of(&calls, &restless[0]) <= (uint32_t)i * 2);
        assert_true(calls_of(&calls, &restless[0]) >= (uint32_t)i);
        assert_true(calls_of(&calls, &restless[1]) >= (uint32_t)i);
    }
    assert_int_equal(trn_store_stats(store).listeners, 3);
    trn_store_destroy(store);
}

// ---- listeners that change the store -----------------------------------------------------------

/// Sets one voxel to another block, `number` times in all.
static void act_edit(Listener *listener, TrnStore *store, const TrnStoreEvent *event)
{
    (void)event;
    if (listener->number > 0) {
        const int32_t i = listener->number--;
        const TrnVoxel voxel = {i % 32, i / 32 % 32, i / 1024 % 32};
        TrnBlock block = 0;
        assert_int_equal(trn_store_get_block(store, voxel, &block), TRN_RESULT_OK);
        const TrnBlock next = (TrnBlock)(block % 7 + 1);
        const uint64_t before = trn_store_revision(store);
        assert_int_equal(trn_store_set_block(store, voxel, next, NULL), TRN_RESULT_OK);
        assert_int_equal(trn_store_get_block(store, voxel, &block), TRN_RESULT_OK);
        assert_int_equal(block, next); // published at once
        assert_true(trn_store_revision(store) == before + 1);
    }
}

static void changes_by_listeners_become_later_events(void **state)
{
    (void)state;
    static Calls calls;
    TrnStore *store = store_of(NULL);
    TrnChunk *chunk = inserted(store, (TrnCoord){0, 0, 0});
    Listener listeners[3] = {{0}, {.act = act_edit, .number = 10}, {.act = act_edit, .number = 5}};
    calls.count = 0;
    for (int i = 0; i < 3; i++) {
        listener_subscribe(store, &listeners[i], &calls);
    }
    trn_store_fill(store, chunk, TRN_BLOCK_SAND);
    assert_true(trn_store_revision(store) == 17);
    assert_int_equal(calls.count, 16 * 3);
    for (uint32_t i = 0; i < 16 * 3; i++) {
        const Call *call = &calls.calls[i];
        assert_ptr_equal(call->listener, &listeners[i % 3]);
        assert_true(call->event.revision == 2 + i / 3);
        assert_int_equal(call->event.kind, TRN_EVENT_CHANGED);
        assert_ptr_equal(call->first.chunk, chunk);
        assert_false(call->event.has_missed);
    }
    assert_int_equal(calls.calls[0].first.around, TEST_AROUND_ALL);
    assert_int_equal(calls.calls[3].first.around, touched_by(10, 0, 0));
    assert_int_equal(calls.calls[6].first.around, touched_by(5, 0, 0));
    trn_store_destroy(store);
}

/// Removes the chunk of the first event, and inserts another in its place if `number` says so.
static void act_remove_it(Listener *listener, TrnStore *store, const TrnStoreEvent *event)
{
    if (event->kind == TRN_EVENT_REMOVED || listener->number < 0) {
        return;
    }
    const TrnCoord coord = event->chunks[0].coord;
    TrnChunk *again = NULL;
    assert_int_equal(trn_store_remove(store, coord), TRN_RESULT_OK);
    assert_null(trn_store_find(store, coord));
    if (listener->number > 0) {
        assert_int_equal(trn_store_insert_uniform(store, coord, 9, &again), TRN_RESULT_OK);
        assert_ptr_not_equal(again, event->chunks[0].chunk); // the removed one can still be read
    }
    listener->number = -1;
}

static void a_chunk_removed_by_a_listener_is_null_for_later_ones(void **state)
{
    (void)state;
    static Calls calls;
    for (int32_t is_changed = 0; is_changed < 2; is_changed++) {
        for (int32_t comes_back = 0; comes_back < 2; comes_back++) {
            TrnStore *store = store_of(NULL);
            const TrnCoord coord = {3, 3, 3};
            Listener listeners[3] = {{0}, {.act = act_remove_it, .number = comes_back}, {0}};
            calls.count = 0;
            TrnChunk *chunk = is_changed ? inserted(store, coord) : NULL;
            for (int i = 0; i < 3; i++) {
                listener_subscribe(store, &listeners[i], &calls);
            }
            if (is_changed) {
                trn_store_fill(store, chunk, TRN_BLOCK_SAND);
            } else {
                assert_int_equal(trn_store_insert_uniform(store, coord, TRN_BLOCK_AIR, NULL),
                                 TRN_RESULT_OK);
            }
            assert_int_equal(calls.count, comes_back ? 9 : 6);
            const Call *told = calls.calls;
            const TrnEventKind first = is_changed ? TRN_EVENT_CHANGED : TRN_EVENT_INSERTED;
            for (int i = 0; i < 3; i++) {
                assert_int_equal(told[i].event.kind, first);
                assert_int_equal(told[i + 3].event.kind, TRN_EVENT_REMOVED);
                assert_true(test_id_equal(told[i].first.id, told[i + 3].first.id));
                assert_ptr_equal(told[i + 3].first.chunk, told[0].first.chunk);
                assert_false(told[i + 3].event.has_missed);
            }
            assert_true(told[0].first.chunk && told[0].first.chunk == told[1].first.chunk);
            assert_null(told[2].first.chunk);
            TrnChunk *now = trn_store_find(store, coord);
            assert_int_equal(now != NULL, comes_back);
            for (int i = 6; i < 6 + 3 * comes_back; i++) {
                assert_int_equal(told[i].event.kind, TRN_EVENT_INSERTED);
                assert_ptr_equal(told[i].first.chunk, now);
            }
            trn_store_destroy(store);
        }
    }
}

#define ROW 50

/// Checks a removed chunk of the row, and removes or evicts the next one.
static void act_remove_next(Listener *listener, TrnStore *store, const TrnStoreEvent *event)
{
    const TrnEventChunk *gone = &event->chunks[0];
    if (event->kind != TRN_EVENT_REMOVED) {
        return;
    }
    const TrnBlock *blocks = listener->context;
    const TrnCoord coord = gone->coord;
    assert_non_null(gone->chunk);
    assert_null(trn_store_find(store, coord));
    assert_null(trn_store_chunk(store, gone->id));
    assert_true(trn_coord_equal(gone->chunk->coord, coord));
    const TrnCoord next = {coord.x + 1, coord.y, coord.z};
    if (listener->number == 1 && next.x < ROW) {
        assert_int_equal(trn_store_remove(store, next), TRN_RESULT_OK);
        trn_store_trim(store); // chunks of the current event are not freed
    }
    static TrnBlock read[TRN_CHUNK_VOXELS];
    const TrnSnapshot snapshot = trn_voxels_snapshot(&gone->chunk->voxels);
    trn_snapshot_decode(snapshot, read);
    assert_int_equal(read[7], coord.x + 1000);
    read[7] = blocks[7];
    assert_memory_equal(read, blocks, sizeof read);
    assert_int_equal(*(int32_t *)trn_chunk_user(gone->chunk), coord.x * 3 + 1);
}

static void a_removed_chunk_can_be_read_by_every_listener(void **state)
{
    (void)state;
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    static Calls calls;
    TestRandom random = {66};
    mixed_blocks(blocks, 30, &random);
    TrnStoreDef def = trn_store_def();
    def.user_bytes = 100;
    TrnStore *store = store_of(&def);
    for (int32_t x = 0; x < ROW; x++) {
        TrnChunk *chunk;
        const TrnCoord coord = {x, 0, 0};
        assert_int_equal(trn_store_insert_voxels(store, coord, blocks, &chunk), TRN_RESULT_OK);
        assert_int_equal(
            trn_store_set_block(store, voxel_in(coord, 7, 0, 0), (TrnBlock)(1000 + x), NULL),
            TRN_RESULT_OK);
        *(int32_t *)trn_chunk_user(chunk) = x * 3 + 1;
    }
    Listener listeners[3] = {{.act = act_remove_next, .context = blocks},
                             {.act = act_remove_next, .context = blocks, .number = 1},
                             {.act = act_remove_next, .context = blocks}};
    calls.count = 0;
    for (int i = 0; i < 3; i++) {
        listener_subscribe(store, &listeners[i], &calls);
    }
    assert_int_equal(trn_store_remove(store, (TrnCoord){0, 0, 0}), TRN_RESULT_OK);
    assert_int_equal(calls.count, ROW * 3);
    for (uint32_t i = 0; i < ROW * 3; i++) {
        assert_ptr_equal(calls.calls[i].listener, &listeners[i % 3]);
        assert_int_equal(calls.calls[i].first.coord.x, i / 3);
        assert_int_equal(calls.calls[i].first.around, TEST_AROUND_ALL);
    }
    assert_int_equal(trn_store_stats(store).chunks, 0);
    assert_int_equal(trn_store_stats(store).retired_chunks, 0);
    trn_store_destroy(store);
}

static void act_insert_many(Listener *listener, TrnStore *store, const TrnStoreEvent *event)
{
    (void)event;
    for (; listener->number > 0; listener->number--) {
        inserted(store, (TrnCoord){listener->number, 1, 0});
    }
}

static void a_listener_may_make_many_changes(void **state)
{
    (void)state;
    static Calls calls;
    TrnStore *store = store_of(NULL);
    Listener listeners[2] = {{.act = act_insert_many, .number = 500}, {0}};
    calls.count = 0;
    listener_subscribe(store, &listeners[0], &calls);
    listener_subscribe(store, &listeners[1], &calls);
    inserted(store, (TrnCoord){0, 0, 0});
    assert_int_equal(calls.count, 501 * 2);
    for (uint32_t i = 0; i < 501 * 2; i++) {
        assert_ptr_equal(calls.calls[i].listener, &listeners[i % 2]);
        assert_true(calls.calls[i].event.revision == 1 + i / 2);
        assert_int_equal(calls.calls[i].first.coord.x, i < 2 ? 0 : 501 - (int)i / 2);
        assert_false(calls.calls[i].event.has_missed);
    }
    trn_store_destroy(store);
}

/// Checks that a listener learns once that it missed the changes after `last`.
static void check_miss(const Calls *calls, const Listener *listener, uint64_t last)
{
    uint32_t count = 0;
    for (uint32_t i = 2; i < calls->count; i++) { // the first two may tell of the round before
        const TrnStoreEvent *event = &calls->calls[i].event;
        if (calls->calls[i].listener == listener && event->has_missed) {
            assert_true(event->missed_since == last);
            assert_true(event->revision >= last);
            count++;
        }
    }
    assert_int_equal(count, 1);
}

static void endless_changes_by_listeners_are_cut_off(void **state)
{
    (void)state;
    static Calls calls;
    TrnStore *store = store_of(NULL);
    TrnChunk *chunk = inserted(store, (TrnCoord){0, 0, 0});
    Listener circling = {.act = act_edit, .number = 100000}, other = {0};
    calls.count = 0;
    listener_subscribe(store, &circling, &calls);
    listener_subscribe(store, &other, &calls);
    for (int round = 0; round < 3; round++) {
        calls.count = 0;
        const uint64_t missed = trn_store_stats(store).missed_events;
        trn_store_fill(store, chunk, TRN_BLOCK_SAND);
        const uint32_t deep = calls_of(&calls, &other);
        assert_true(deep == 64 || deep == 65); // nested 64 deep, with or without the first
        assert_int_equal(calls_of(&calls, &circling), deep);
        const uint64_t last = calls.calls[calls.count - 1].event.revision;
        assert_true(trn_store_revision(store) == last + 1); // the last change is published
        assert_int_equal(trn_store_stats(store).missed_events, missed + 2);
        assert_int_equal(calls.calls[0].event.has_missed, round > 0);
    }
    const uint64_t last = calls.calls[calls.count - 1].event.revision;
    circling.number = 0;
    TrnChunk *second = inserted(store, (TrnCoord){1, 0, 0}), *out[2] = {NULL, NULL};
    check_miss(&calls, &circling, last);
    check_miss(&calls, &other, last);
    assert_int_equal(trn_store_changed_since(store, last, out, 2), 2);
    assert_true(out[0] == chunk && out[1] == second);
    calls.count = 0;
    inserted(store, (TrnCoord){2, 0, 0});
    assert_int_equal(calls.count, 2);
    assert_false(calls.calls[0].event.has_missed || calls.calls[1].event.has_missed);
    trn_store_destroy(store);
}

/// Makes two more changes for each one; for a removal, inserts a chunk and removes it.
static TrnResult multiply_listener(TrnStore *store, const TrnStoreEvent *event, void *user)
{
    uint32_t *left = user;
    assert_true((*left)-- > 0); // bounded, or it would never end
    if (event->kind == TRN_EVENT_REMOVED) {
        const TrnCoord coord = {5, 5, 5};
        inserted(store, coord);
        assert_int_equal(trn_store_remove(store, coord), TRN_RESULT_OK);
        return TRN_RESULT_OK;
    }
    TrnChunk *chunk = event->kind == TRN_EVENT_CHANGED ? event->chunks[0].chunk : NULL;
    for (uint32_t i = 1; chunk && i <= 2; i++) {
        const TrnBlock block = trn_snapshot_get(trn_voxels_snapshot(&chunk->voxels), 0);
        trn_store_fill(store, chunk, (TrnBlock)(block + i));
    }
    return TRN_RESULT_OK;
}

static void multiplying_changes_by_listeners_end(void **state)
{
    (void)state;
    static Mirror mirror;
    for (int is_removal = 0; is_removal < 2; is_removal++) {
        TrnStore *store = store_of(NULL);
        const TrnCoord coord = {5, 5, 5};
        uint32_t left = 1000000;
        TrnChunk *chunk = inserted(store, coord);
        memset(&mirror, 0, sizeof mirror);
        mirror_catch_up(&mirror, store, 0);
        assert_int_equal(trn_store_subscribe(store, ALL_KINDS, multiply_listener, &left),
                         TRN_RESULT_OK);
        assert_int_equal(trn_store_subscribe(store, ALL_KINDS, mirror_listen, &mirror),
                         TRN_RESULT_OK);
        if (is_removal) {
            assert_int_equal(trn_store_remove(store, coord), TRN_RESULT_OK);
        } else {
            trn_store_fill(store, chunk, TRN_BLOCK_SAND);
        }
        print_message("  ended after %u calls\n", 1000000 - left);
        assert_true(left < 1000000 - 63 && trn_store_stats(store).missed_events > 0);
        assert_int_equal(trn_store_stats(store).retired_chunks, 0);
        inserted(store, (TrnCoord){1, 0, 0});
        mirror_check(&mirror, store);
        trn_store_destroy(store);
    }
}

// ---- batches ------------------------------------------------------------------------------------

/// Checks that a batch is one event, each chunk with its own chunks around.
static void check_batch_event(const TrnStoreEvent *event, uint64_t revision)
{
    assert_int_equal(event->kind, TRN_EVENT_CHANGED);
    assert_int_equal(event->count, 3);
    assert_true(event->revision == revision);
    uint32_t seen = 0;
    for (uint32_t i = 0; i < 3; i++) {
        const int32_t x = event->chunks[i].coord.x;
        assert_true(x >= 0 && x < 3);
        seen |= 1u << x;
        const uint32_t expected[] = {touched_by(0, 0, 0) | touched_by(31, 5, 5),
                                     touched_by(5, 31, 31), touched_by(9, 9, 9)};
        assert_int_equal(event->chunks[i].around, expected[x]);
        assert_true(trn_chunk_revision(event->chunks[i].chunk) == revision);
    }
    assert_int_equal(seen, 7);
}

static void act_check_batch(Listener *listener, TrnStore *store, const TrnStoreEvent *event)
{
    check_batch_event(event, trn_store_revision(store));
    listener->number++;
}

static void a_batch_is_one_event_and_one_revision(void **state)
{
    (void)state;
    static Calls calls;
    TrnStore *store = store_of(NULL);
    TrnBatch *batch;
    TrnChunk *out[4];
    for (int32_t x = 0; x < 4; x++) {
        inserted(store, (TrnCoord){x, 0, 0});
    }
    Listener listener = {.act = act_check_batch};
    calls.count = 0;
    listener_subscribe(store, &listener, &calls);
    const TrnVoxel voxels[] = {{0, 0, 0}, {31, 5, 5}, {32 + 5, 31, 31}, {64 + 9, 9, 9}};
    assert_int_equal(trn_batch_begin(store, NULL, &batch), TRN_RESULT_OK);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(trn_batch_set(batch, voxels[i], TRN_BLOCK_SNOW), TRN_RESULT_OK);
    }
    assert_int_equal(trn_batch_set(batch, (TrnVoxel){96, 0, 0}, TRN_BLOCK_AIR), TRN_RESULT_OK);
    assert_int_equal(calls.count, 0);
    assert_int_equal(trn_store_remove(store, (TrnCoord){2, 0, 0}), TRN_RESULT_BUSY);
    assert_int_equal(trn_store_set_block(store, voxels[3], 1, NULL), TRN_RESULT_BUSY);
    assert_int_equal(trn_batch_commit(batch, NULL), TRN_RESULT_OK);
    assert_int_equal(listener.number, 1);
    assert_true(trn_store_revision(store) == 5);
    assert_int_equal(trn_store_changed_since(store, 4, out, 4), 3);
    assert_int_equal(trn_store_changed_since(store, 0, out, 4), 4);
    assert_int_equal(out[0]->coord.x, 3); // whose block was air already
    trn_store_destroy(store);
}

// ---- watches -----------------------------------------------------------------------------------

typedef struct Watched {
    TrnStore *store;
    uint32_t calls;
    TrnBlock before, after, found; ///< of voxel 0; found: what the store has meanwhile
} Watched;

static void watch_change(void *user, TrnCoord coord, TrnSnapshot before, TrnSnapshot after)
{
    Watched *watched = user;
    watched->calls++;
    watched->before = trn_snapshot_get(before, 0);
    watched->after = trn_snapshot_get(after, 0);
    assert_int_equal(trn_store_get_block(watched->store, trn_coord_voxel(coord), &watched->found),
                     TRN_RESULT_OK);
}

/// All watches hear of every way to change a chunk, until they are removed.
static void watches_see_voxels_before_and_after(void **state)
{
    (void)state;
    const TrnCoord coord = {3, -2, 1};
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    Watched watched[2] = {{.calls = 0}};
    TrnStoreWatch watches[2];
    TrnStore *store;
    TrnChunk *chunk;
    assert_int_equal(trn_store_create(NULL, &store), TRN_RESULT_OK);
    for (int i = 0; i < 2; i++) {
        watched[i].store = store;
        watches[i] = (TrnStoreWatch){.changing = watch_change, .user = &watched[i]};
        trn_store_watch(store, &watches[i]);
    }
    assert_int_equal(trn_store_insert_uniform(store, coord, 1, &chunk), TRN_RESULT_OK);
    assert_int_equal(watched[0].calls, 0); // events tell of inserted chunks
    assert_int_equal(trn_store_set_block(store, trn_coord_voxel(coord), 2, NULL), TRN_RESULT_OK);
    blocks[0] = 3;
    assert_int_equal(trn_store_set_voxels(store, chunk, blocks), TRN_RESULT_OK);
    assert_int_equal(trn_store_fill(store, chunk, 4), TRN_RESULT_OK);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(watched[i].calls, 3);
        assert_int_equal(watched[i].before, 3);
        assert_int_equal(watched[i].found, 3);
        assert_int_equal(watched[i].after, 4);
    }
    trn_store_unwatch(store, &watches[0]);
    trn_store_unwatch(store, &watches[0]); // once more does nothing
    assert_int_equal(trn_store_fill(store, chunk, 5), TRN_RESULT_OK);
    assert_int_equal(watched[0].calls, 3);
    assert_int_equal(watched[1].calls, 4);
    trn_store_destroy(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(listeners_get_their_kinds_in_the_order_they_subscribed),
        cmocka_unit_test(invalid_subscriptions_are_refused),
        cmocka_unit_test(unsubscribed_listeners_are_not_called),
        cmocka_unit_test(a_listener_subscribed_during_an_event_gets_the_next),
        cmocka_unit_test(resubscribing_during_an_event_ends),
        cmocka_unit_test(changes_by_listeners_become_later_events),
        cmocka_unit_test(a_chunk_removed_by_a_listener_is_null_for_later_ones),
        cmocka_unit_test(a_removed_chunk_can_be_read_by_every_listener),
        cmocka_unit_test(a_listener_may_make_many_changes),
        cmocka_unit_test(endless_changes_by_listeners_are_cut_off),
        cmocka_unit_test(multiplying_changes_by_listeners_end),
        cmocka_unit_test(watches_see_voxels_before_and_after),
        cmocka_unit_test(a_batch_is_one_event_and_one_revision),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
