// Changes of a store and their events: the list of changes, revisions and listeners. Also what
// callers ask voxel by voxel or chunk by chunk: cursors, boxes, pins and explanations. Compared
// with simple models or results worked out by hand. test_batch.c tests batches on their own.

#include "store_mirror.h"

#include <terrane/batch.h>

static TrnStore *store_of(const TrnStoreDef *def)
{
    TrnStore *store = NULL;
    assert_int_equal(trn_store_create(def, &store), TRN_RESULT_OK);
    return store;
}

static TrnChunk *inserted(TrnStore *store, TrnCoord coord)
{
    TrnChunk *chunk = NULL;
    assert_int_equal(trn_store_insert_uniform(store, coord, TRN_BLOCK_AIR, &chunk), TRN_RESULT_OK);
    return chunk;
}

static void mixed_blocks(TrnBlock *blocks, uint32_t types, TestRandom *random)
{
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        blocks[i] = (TrnBlock)(test_random_next(random) % types);
    }
}

static TrnVoxel voxel_in(TrnCoord coord, uint32_t x, uint32_t y, uint32_t z)
{
    const TrnVoxel lowest = trn_coord_voxel(coord);
    return (TrnVoxel){lowest.x + x, lowest.y + y, lowest.z + z};
}

// ---- the list of changes -----------------------------------------------------------------------

#define PLACES 220

/// Chunks and the revisions of their last changes.
typedef struct Changes {
    TrnStore *store;
    TrnChunk *chunks[PLACES]; ///< NULL: not loaded
    uint64_t revisions[PLACES];
} Changes;

/// Some coordinates are adjacent, some far apart.
static TrnCoord change_coord(uint32_t place)
{
    const int32_t at = (int32_t)place;
    return place % 10 == 9 ? (TrnCoord){at * 100000, -at, INT32_MIN + at}
                           : (TrnCoord){at % 6, at / 36, at / 6 % 6};
}

static size_t model_changed_since(const Changes *model, uint64_t since, TrnChunk **out)
{
    uint64_t revisions[PLACES];
    size_t count = 0;
    for (uint32_t place = 0; place < PLACES; place++) {
        if (!model->chunks[place] || model->revisions[place] <= since) {
            continue;
        }
        size_t at = count++;
        for (; at > 0 && revisions[at - 1] > model->revisions[place]; at--) {
            revisions[at] = revisions[at - 1];
            out[at] = out[at - 1];
        }
        revisions[at] = model->revisions[place];
        out[at] = model->chunks[place];
    }
    return count;
}

static void check_changed_since(const Changes *model, uint64_t since, size_t capacity)
{
    TrnChunk *expected[PLACES], *got[PLACES + 1], *guard = (TrnChunk *)(void *)&expected;
    for (size_t i = 0; i <= PLACES; i++) {
        got[i] = guard;
    }
    const size_t count = model_changed_since(model, since, expected);
    assert_int_equal(trn_store_changed_since(model->store, since, got, capacity), count);
    const size_t written = count < capacity ? count : capacity;
    for (size_t i = 0; i < written; i++) {
        assert_ptr_equal(got[i], expected[i]);
    }
    for (size_t i = capacity; i <= PLACES; i++) {
        assert_ptr_equal(got[i], guard);
    }
}

static TrnResult insert_somehow(TrnStore *store, TrnCoord coord, TrnChunk **chunk,
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
static bool edit_somehow(TrnStore *store, TrnChunk *chunk, TestRandom *random)
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
static bool change_somehow(TrnStore *store, TrnChunk *chunk, TestRandom *random)
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

static void change_step(Changes *model, uint32_t place, TestRandom *random)
{
    const uint64_t before = trn_store_revision(model->store);
    TrnChunk **chunk = &model->chunks[place];
    bool is_change = true;
    if (!*chunk) {
        assert_int_equal(insert_somehow(model->store, change_coord(place), chunk, random),
                         TRN_RESULT_OK);
    } else if (test_random_next(random) % 8 == 0) {
        assert_int_equal(trn_store_remove(model->store, change_coord(place)), TRN_RESULT_OK);
        *chunk = NULL;
        is_change = false;
    } else {
        is_change = change_somehow(model->store, *chunk, random);
    }
    const uint64_t after = trn_store_revision(model->store);
    assert_true(is_change ? after > before : after == before);
    model->revisions[place] = is_change ? after : model->revisions[place];
    if (*chunk) {
        assert_true(trn_chunk_revision(*chunk) == model->revisions[place]);
    }
}

static void changes_since_a_revision_agree_with_a_model(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(61);
    Changes model = {.store = store_of(NULL)};
    assert_true(trn_store_revision(model.store) == 0);
    for (int step = 0; step < 6000; step++) {
        const int64_t last = step < 3000 ? PLACES - 1 : 9; // first all places, then only ten
        change_step(&model, (uint32_t)test_random_range(&random, 0, last), &random);
        const uint64_t now = trn_store_revision(model.store);
        const uint64_t since = (uint64_t)test_random_range(&random, 0, (int64_t)now);
        check_changed_since(&model, since, (size_t)test_random_range(&random, 0, PLACES));
        if (step % 50 == 0) {
            check_changed_since(&model, 0, PLACES);
            check_changed_since(&model, now - 1, PLACES);
            check_changed_since(&model, now, PLACES);
            check_changed_since(&model, now + 1, PLACES);
            check_changed_since(&model, UINT64_MAX, PLACES);
            check_changed_since(&model, INT64_MAX, 0);
        }
    }
    for (uint32_t place = 0; place < PLACES; place++) { // finally all are removed
        if (model.chunks[place]) {
            assert_int_equal(trn_store_remove(model.store, change_coord(place)), TRN_RESULT_OK);
            model.chunks[place] = NULL;
            check_changed_since(&model, 0, PLACES);
        }
    }
    trn_store_destroy(model.store);
}

static void thousands_of_changes_of_few_chunks_take_no_memory(void **state)
{
    (void)state;
    TrnStore *store = store_of(NULL);
    TrnChunk *chunks[3], *out[4];
    for (int32_t i = 0; i < 3; i++) {
        chunks[i] = inserted(store, (TrnCoord){i, 0, 0});
    }
    const size_t before = trn_store_stats(store).bookkeeping_bytes;
    for (uint32_t i = 0; i < 50000; i++) {
        trn_store_fill(store, chunks[i % 7 % 3], (TrnBlock)(i % 1000 + 1));
    }
    assert_int_equal(trn_store_stats(store).bookkeeping_bytes, before);
    assert_true(trn_store_revision(store) == 50003);
    trn_store_fill(store, chunks[2], TRN_BLOCK_AIR);
    trn_store_fill(store, chunks[0], TRN_BLOCK_AIR);
    trn_store_fill(store, chunks[1], TRN_BLOCK_AIR);
    assert_int_equal(trn_store_changed_since(store, 0, out, 4), 3);
    assert_true(out[0] == chunks[2] && out[1] == chunks[0] && out[2] == chunks[1]);
    assert_int_equal(trn_store_changed_since(store, 50004, out, 4), 2);
    assert_true(out[0] == chunks[0] && out[1] == chunks[1]);
    trn_store_destroy(store);
}

static void the_list_of_changes_shrinks_with_the_world(void **state)
{
    (void)state;
    const int32_t count = 20000;
    TrnStore *store = store_of(NULL);
    TrnChunk *out[8];
    const size_t empty = trn_store_stats(store).bookkeeping_bytes;
    for (int32_t i = 0; i < count; i++) {
        inserted(store, (TrnCoord){i % 40, i / 1600, i / 40 % 40});
    }
    const size_t full = trn_store_stats(store).bookkeeping_bytes;
    for (int32_t i = 0; i < count; i++) {
        if (i % 5000 != 77) {
            const TrnCoord coord = {i % 40, i / 1600, i / 40 % 40};
            assert_int_equal(trn_store_remove(store, coord), TRN_RESULT_OK);
        }
    }
    trn_store_trim(store);
    const size_t last = trn_store_stats(store).bookkeeping_bytes;
    print_message("  books: %zu bytes empty, %zu with 20000 chunks, %zu with 4\n", empty, full,
                  last);
    assert_true(full > empty && (last < empty || last - empty < (full - empty) / 4 + 65536));
    assert_int_equal(trn_store_changed_since(store, 0, out, 8), 4);
    for (int32_t i = 0; i < 4; i++) {
        const int32_t at = i * 5000 + 77;
        assert_ptr_equal(out[i],
                         trn_store_find(store, (TrnCoord){at % 40, at / 1600, at / 40 % 40}));
    }
    trn_store_destroy(store);
}

// ---- which chunks around are affected ----------------------------------------------------------

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

static TrnResult listener_call(TrnStore *store, const TrnStoreEvent *event, void *user)
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

static void listener_subscribe(TrnStore *store, Listener *listener, Calls *calls)
{
    listener->calls = calls;
    assert_int_equal(trn_store_subscribe(store, ALL_KINDS, listener_call, listener), TRN_RESULT_OK);
}

/// Returns the chunks around that a voxel at x, y, z touches, by bit.
static uint32_t touched_by(int x, int y, int z)
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

static uint32_t around_by_hand(const TrnBlock *before, const TrnBlock *after)
{
    uint32_t bits = 0;
    for (int i = 0; i < TRN_CHUNK_VOXELS; i++) {
        bits |= before[i] != after[i] ? touched_by(i & 31, i >> 10, i >> 5 & 31) : 0;
    }
    return bits;
}

static Calls heard;

/// Checks that there was one event, with one chunk, and forgets it.
static const Call *one_event(TrnEventKind kind, const TrnChunk *chunk)
{
    assert_int_equal(heard.count, 1);
    const Call *call = &heard.calls[0];
    heard.count = 0;
    assert_int_equal(call->event.kind, kind);
    assert_int_equal(call->event.count, 1);
    assert_false(call->event.has_missed || call->event.is_eviction);
    assert_ptr_equal(call->first.chunk, chunk);
    assert_true(trn_coord_equal(call->first.coord, chunk->coord));
    assert_true(test_id_equal(call->first.id, chunk->id));
    assert_true(call->event.revision == trn_chunk_revision(chunk));
    return call;
}

static void a_block_affects_exactly_the_neighbours_that_it_touches(void **state)
{
    (void)state;
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    static const uint32_t at[] = {0, 1, 16, 30, 31};
    TestRandom random = test_random_seeded(62);
    TrnStore *store = store_of(NULL);
    Listener listener = {0};
    heard.count = 0;
    listener_subscribe(store, &listener, &heard);
    const TrnCoord coord = {-7, INT32_MAX, INT32_MIN};
    TrnChunk *chunk = inserted(store, coord);
    assert_int_equal(one_event(TRN_EVENT_INSERTED, chunk)->first.around, TEST_AROUND_ALL);
    for (uint32_t width = 0; width < 3; width++) {
        mixed_blocks(blocks, width == 2 ? 3000 : 1 + width * 9, &random);
        assert_int_equal(trn_store_set_voxels(store, chunk, blocks), TRN_RESULT_OK);
        heard.count = 0;
        for (uint32_t i = 0; i < 125; i++) {
            const uint32_t x = at[i % 5], y = at[i / 25], z = at[i / 5 % 5];
            const TrnVoxel voxel = voxel_in(coord, x, y, z);
            const TrnBlock other = (TrnBlock)(blocks[trn_local_index(x, y, z)] + 1);
            assert_int_equal(trn_store_set_block(store, voxel, other, NULL), TRN_RESULT_OK);
            assert_int_equal(one_event(TRN_EVENT_CHANGED, chunk)->first.around,
                             touched_by((int)x, (int)y, (int)z));
            assert_int_equal(trn_store_set_block(store, voxel, other, NULL), TRN_RESULT_OK);
            assert_int_equal(heard.count, 0); // the voxel had that block already
        }
    }
    trn_store_destroy(store);
}

/// Sets a few voxels, most of them at a border.
static void set_a_few(TrnVoxelEdit *edit, TestRandom *random)
{
    const int64_t sets = test_random_range(random, 1, 6);
    for (int64_t i = 0; i < sets; i++) {
        uint32_t at[3];
        for (int axis = 0; axis < 3; axis++) {
            at[axis] = test_random_next(random) % 4 == 0
                           ? (uint32_t)(test_random_next(random) % 2 * 31)
                           : (uint32_t)test_random_range(random, 0, 31);
        }
        const TrnBlock block = (TrnBlock)(test_random_next(random) % 3);
        assert_int_equal(trn_voxel_edit_set(edit, trn_local_index(at[0], at[1], at[2]), block),
                         TRN_RESULT_OK);
    }
}

static void fill_a_box(TrnVoxelEdit *edit, TestRandom *random)
{
    uint32_t min[3], max[3];
    for (int axis = 0; axis < 3; axis++) {
        min[axis] = (uint32_t)test_random_range(random, 0, 31);
        max[axis] = (uint32_t)test_random_range(random, min[axis], 31);
    }
    const TrnBlock block = (TrnBlock)(test_random_next(random) % 4);
    assert_int_equal(trn_voxel_edit_fill_box(edit, min, max, block), TRN_RESULT_OK);
}

/// Changes a chunk in one of all possible ways, often in few voxels only.
/// @return whether the store counts it as a change
static bool change_voxels(TrnStore *store, TrnChunk *chunk, TestRandom *random)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    TrnVoxelEdit edit;
    switch (test_random_next(random) % 6) {
    case 0:
        trn_snapshot_decode(trn_voxels_snapshot(&chunk->voxels), blocks);
        blocks[test_random_range(random, 0, TRN_CHUNK_VOXELS - 1)] =
            (TrnBlock)test_random_next(random);
        assert_int_equal(trn_store_set_voxels(store, chunk, blocks), TRN_RESULT_OK);
        return true;
    case 1: {
        const uint64_t before = trn_chunk_revision(chunk);
        trn_store_fill(store, chunk, (TrnBlock)(test_random_next(random) % 3));
        return trn_chunk_revision(chunk) != before;
    }
    case 2:
        trn_store_edit_begin(store, chunk, &edit);
        assert_int_equal(trn_voxel_edit_replace(&edit, 1, 2), TRN_RESULT_OK);
        return trn_store_edit_commit(store, &edit);
    case 3:
        trn_store_edit_begin(store, chunk, &edit);
        fill_a_box(&edit, random);
        return trn_store_edit_commit(store, &edit);
    default:
        trn_store_edit_begin(store, chunk, &edit);
        set_a_few(&edit, random);
        return trn_store_edit_commit(store, &edit);
    }
}

static void every_change_affects_the_neighbours_that_its_voxels_touch(void **state)
{
    (void)state;
    static TrnBlock before[TRN_CHUNK_VOXELS], after[TRN_CHUNK_VOXELS];
    TestRandom random = test_random_seeded(63);
    TrnStore *store = store_of(NULL);
    TrnChunk *chunk = inserted(store, (TrnCoord){5, -5, 5});
    Listener listener = {0};
    heard.count = 0;
    listener_subscribe(store, &listener, &heard);
    uint32_t all = 0, inside = 0, same = 0;
    for (int step = 0; step < 3000; step++) {
        trn_snapshot_decode(trn_voxels_snapshot(&chunk->voxels), before);
        if (!change_voxels(store, chunk, &random)) {
            assert_int_equal(heard.count, 0);
            continue;
        }
        trn_snapshot_decode(trn_voxels_snapshot(&chunk->voxels), after);
        const uint32_t expected = around_by_hand(before, after);
        const uint32_t around = one_event(TRN_EVENT_CHANGED, chunk)->first.around;
        // A change that leaves every block as it was still has a new revision.
        assert_int_equal(around, expected ? expected : 1u << 13);
        all += expected == TEST_AROUND_ALL;
        inside += expected == 1u << 13;
        same += expected == 0;
    }
    print_message("  %u all around, %u inside alone, %u without a difference\n", all, inside, same);
    assert_true(all > 50 && inside > 50);
    trn_store_destroy(store);
}

static void the_same_voxels_again_affect_no_neighbour(void **state)
{
    (void)state;
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    TestRandom random = {64};
    TrnStore *store = store_of(NULL);
    TrnChunk *chunk = inserted(store, (TrnCoord){0, 0, 0});
    mixed_blocks(blocks, 20, &random);
    assert_int_equal(trn_store_set_voxels(store, chunk, blocks), TRN_RESULT_OK);
    Listener listener = {0};
    heard.count = 0;
    listener_subscribe(store, &listener, &heard);
    const uint64_t before = trn_chunk_revision(chunk);
    assert_int_equal(trn_store_set_voxels(store, chunk, blocks), TRN_RESULT_OK);
    assert_true(trn_chunk_revision(chunk) > before);
    assert_int_equal(one_event(TRN_EVENT_CHANGED, chunk)->first.around, 1u << 13);
    assert_int_equal(trn_store_compact(store, chunk), TRN_RESULT_OK);
    assert_int_equal(heard.count, 0);
    trn_store_destroy(store);
}

static void inserts_and_removals_affect_all_around(void **state)
{
    (void)state;
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    TestRandom random = {65};
    TrnStore *store = store_of(NULL);
    Listener listener = {0};
    TrnChunk *chunk;
    heard.count = 0;
    listener_subscribe(store, &listener, &heard);
    const TrnCoord coord = {INT32_MIN, 0, INT32_MAX};
    mixed_blocks(blocks, 400, &random);
    assert_int_equal(trn_store_insert_voxels(store, coord, blocks, &chunk), TRN_RESULT_OK);
    assert_int_equal(one_event(TRN_EVENT_INSERTED, chunk)->first.around, TEST_AROUND_ALL);
    const TrnChunkId id = chunk->id;
    assert_int_equal(trn_store_insert_uniform(store, coord, TRN_BLOCK_AIR, NULL),
                     TRN_RESULT_EXISTS);
    assert_int_equal(heard.count, 0);
    assert_int_equal(trn_store_remove(store, coord), TRN_RESULT_OK);
    assert_int_equal(trn_store_remove(store, coord), TRN_RESULT_NOT_FOUND);
    assert_int_equal(heard.count, 1);
    const Call *call = &heard.calls[0];
    assert_int_equal(call->event.kind, TRN_EVENT_REMOVED);
    assert_false(call->event.is_eviction);
    assert_true(call->event.revision == 1); // a removal does not change voxels
    assert_true(trn_store_revision(store) == 1);
    assert_true(test_id_equal(call->first.id, id));
    assert_true(trn_coord_equal(call->first.coord, coord));
    assert_int_equal(call->first.around, TEST_AROUND_ALL);
    heard.count = 0;
    assert_int_equal(trn_store_insert_uniform(store, coord, 3, &chunk), TRN_RESULT_OK);
    assert_int_equal(one_event(TRN_EVENT_INSERTED, chunk)->first.around, TEST_AROUND_ALL);
    trn_store_destroy(store); // destroying a store sends no events
    assert_int_equal(heard.count, 0);
}

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

/// Checks that a listener is told once that it missed the changes after `last`.
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

// ---- listeners that fail -----------------------------------------------------------------------

static void act_answer_at_random(Listener *listener, TrnStore *store, const TrnStoreEvent *event)
{
    (void)store;
    (void)event;
    listener->answer =
        test_random_next(listener->context) % 3 == 0 ? TRN_RESULT_NO_MEMORY : TRN_RESULT_OK;
}

static void any_single_change(TrnStore *store, TestRandom *random)
{
    const TrnCoord coord = {(int32_t)test_random_range(random, 0, 9), 0, 0};
    TrnChunk *chunk = trn_store_find(store, coord);
    if (!chunk) {
        inserted(store, coord);
    } else if (test_random_next(random) % 3 == 0) {
        assert_int_equal(trn_store_remove(store, coord), TRN_RESULT_OK);
    } else {
        trn_store_fill(store, chunk, (TrnBlock)test_random_range(random, 0, 99));
    }
}

/// Checks what a listener was told about missed events, from its recorded calls alone.
static uint64_t check_misses(const Calls *calls, const bool *failed, uint32_t kinds)
{
    bool is_missing = false;
    uint64_t told = 0, first_missed = 0, failures = 0;
    for (uint32_t i = 0; i < calls->count; i++) {
        const TrnStoreEvent *event = &calls->calls[i].event;
        assert_true(kinds & TRN_EVENT_BIT(event->kind));
        assert_int_equal(event->has_missed, is_missing);
        if (is_missing) {
            assert_true(event->missed_since >= told);
            assert_true(event->missed_since <= first_missed); // less by one, except for removals
        }
        if (failed[i]) {
            const uint64_t before = event->revision - (event->kind != TRN_EVENT_REMOVED);
            first_missed = is_missing ? first_missed : before;
            failures++;
        } else {
            told = event->revision;
        }
        is_missing = failed[i];
    }
    return failures;
}

static void a_failed_listener_is_told_what_it_missed(void **state)
{
    (void)state;
    static Calls calls[8];
    static bool failed[8][CALLS_MAX];
    TestRandom random = test_random_seeded(67);
    TrnStore *store = store_of(NULL);
    Listener listeners[8] = {0};
    for (uint32_t kinds = 1; kinds < 8; kinds++) {
        calls[kinds].count = 0;
        listeners[kinds] =
            (Listener){.calls = &calls[kinds], .act = act_answer_at_random, .context = &random};
        assert_int_equal(trn_store_subscribe(store, kinds, listener_call, &listeners[kinds]),
                         TRN_RESULT_OK);
    }
    for (int step = 0; step < 3000; step++) {
        uint32_t before[8];
        for (uint32_t kinds = 1; kinds < 8; kinds++) {
            before[kinds] = calls[kinds].count;
        }
        any_single_change(store, &random);
        for (uint32_t kinds = 1; kinds < 8; kinds++) {
            if (calls[kinds].count > before[kinds]) {
                failed[kinds][before[kinds]] = listeners[kinds].answer != TRN_RESULT_OK;
            }
        }
    }
    uint64_t failures = 0, events = 0;
    for (uint32_t kinds = 1; kinds < 8; kinds++) {
        failures += check_misses(&calls[kinds], failed[kinds], kinds);
        events += calls[kinds].count;
    }
    assert_true(failures > 1000);
    assert_true(trn_store_stats(store).events == events);
    assert_true(trn_store_stats(store).missed_events == failures);
    trn_store_destroy(store);
}

/// A listener that makes random changes to the store.
typedef struct Chaos {
    TestRandom random;
    uint32_t one_in; ///< acts in about one call of this many; 0: never
    bool circles;    ///< acts in every call
    uint32_t acts[10];
} Chaos;

static TrnCoord chaos_coord(TestRandom *random)
{
    const TrnCoord coord = {(int32_t)test_random_range(random, 0, 5),
                            (int32_t)test_random_range(random, -1, 0) * 100,
                            (int32_t)test_random_range(random, 0, 5)};
    return coord;
}

static TrnResult chaos_listen(TrnStore *store, const TrnStoreEvent *event, void *user);

static TrnResult chaos_resubscribe(TrnStore *store, void *user)
{
    TrnResult result = trn_store_unsubscribe(store, chaos_listen, user);
    assert_int_equal(result, TRN_RESULT_OK);
    result = trn_store_subscribe(store, ALL_KINDS, chaos_listen, user);
    assert_int_equal(result, TRN_RESULT_OK);
    return result;
}

static void chaos_step(Chaos *chaos, TrnStore *store)
{
    TestRandom *random = &chaos->random;
    const uint32_t what = (uint32_t)(test_random_next(random) % 10);
    const TrnCoord coord = chaos_coord(random);
    TrnChunk *chunk = trn_store_find(store, coord);
    const TrnEviction eviction = {.count_max = (uint32_t)test_random_range(random, 1, 3)};
    chaos->acts[what]++;
    if (what == 0) {
        trn_store_evict(store, &eviction, NULL);
    } else if (what == 1) {
        trn_store_trim(store);
    } else if (!chunk) {
        assert_int_equal(insert_somehow(store, coord, &chunk, random), TRN_RESULT_OK);
    } else if (what <= 4) {
        assert_int_equal(trn_store_remove(store, coord), TRN_RESULT_OK);
    } else if (what == 5) {
        trn_store_touch(store, &chunk, 1);
        trn_store_explain(store, coord);
    } else {
        change_somehow(store, chunk, random);
    }
}

static TrnResult chaos_listen(TrnStore *store, const TrnStoreEvent *event, void *user)
{
    Chaos *chaos = user;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < event->count; i++) { // all are readable before any change
        const TrnChunk *chunk = event->chunks[i].chunk;
        sum += chunk ? test_chunk_hash(chunk) : 0;
    }
    while (chaos->one_in && test_random_next(&chaos->random) % chaos->one_in == 0) {
        chaos_step(chaos, store);
    }
    if (chaos->circles) {
        any_single_change(store, &chaos->random);
    }
    for (uint32_t i = 0; event->kind == TRN_EVENT_REMOVED && i < event->count; i++) {
        sum -= test_chunk_hash(event->chunks[i].chunk); // and afterwards are still the same
    }
    assert_true(event->kind != TRN_EVENT_REMOVED || sum == 0);
    if (chaos->one_in && test_random_next(&chaos->random) % 16 == 0) {
        chaos_resubscribe(store, user);
    }
    return TRN_RESULT_OK;
}

/// Mirrors before, between and after three listeners that make random changes.
typedef struct ChaosWorld {
    TrnStore *store;
    Mirror mirrors[4];
    Chaos chaos[3];
} ChaosWorld;

static void chaos_open(ChaosWorld *world, TestRandom *random)
{
    world->store = store_of(NULL);
    for (uint32_t i = 0; i < 4; i++) {
        world->mirrors[i] = (Mirror){.random = {test_random_next(random)}};
        assert_int_equal(
            trn_store_subscribe(world->store, ALL_KINDS, mirror_listen, &world->mirrors[i]),
            TRN_RESULT_OK);
        if (i < 3) {
            world->chaos[i] = (Chaos){.random = {test_random_next(random)}};
            assert_int_equal(
                trn_store_subscribe(world->store, ALL_KINDS, chaos_listen, &world->chaos[i]),
                TRN_RESULT_OK);
        }
    }
}

/// Listeners do not act in round 0; in the last round one of them acts in every call; in between
/// they act less and less. On average a call makes less than one change, or a round would never
/// end.
static void chaos_start(ChaosWorld *world, uint32_t round)
{
    static const uint32_t fail_every[] = {2, 0, 4, 5};
    for (int i = 0; i < 3; i++) {
        world->chaos[i].one_in = round > 0 && round < 5 ? 4 + round : 0;
    }
    world->chaos[1].circles = round == 5;
    for (int i = 0; i < 4; i++) {
        world->mirrors[i].fail_every = fail_every[i];
    }
}

/// Stops all acts and failures, makes one more change, and checks all mirrors.
static void chaos_check(ChaosWorld *world)
{
    for (int i = 0; i < 3; i++) {
        world->chaos[i].one_in = 0;
        world->chaos[i].circles = false;
    }
    for (int i = 0; i < 4; i++) {
        world->mirrors[i].fail_every = 0;
    }
    const TrnCoord coord = {99, 99, 99};
    const bool is_loaded = trn_store_find(world->store, coord) != NULL;
    if (is_loaded) {
        assert_int_equal(trn_store_remove(world->store, coord), TRN_RESULT_OK);
    } else {
        inserted(world->store, coord);
    }
    for (int i = 0; i < 4; i++) {
        mirror_check(&world->mirrors[i], world->store);
    }
}

static void failed_listeners_catch_up_whatever_others_do(void **state)
{
    (void)state;
    static ChaosWorld world;
    TestRandom random = test_random_seeded(68);
    for (uint32_t round = 0; round < 6; round++) {
        chaos_open(&world, &random);
        for (uint32_t step = 0; step < 400; step++) {
            if (step % 20 == 0) {
                chaos_start(&world, round);
            }
            chaos_step(&world.chaos[step % 3], world.store);
            if (step % 20 == 19) {
                chaos_check(&world);
            }
        }
        const TrnStoreStats stats = trn_store_stats(world.store);
        print_message("  %llu calls, %llu missed; %u times caught up\n",
                      (unsigned long long)stats.events, (unsigned long long)stats.missed_events,
                      world.mirrors[0].catch_ups);
        assert_true(world.mirrors[0].catch_ups > 20);
        uint64_t failures = 0;
        for (int i = 0; i < 4; i++) {
            failures += world.mirrors[i].failures;
        }
        assert_true(round < 5 || stats.missed_events > failures + 100); // circles were cut off
        trn_store_destroy(world.store);
    }
}

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

// ---- single voxels ------------------------------------------------------------------------------

/// Returns a voxel near the chunks, sometimes one far away or outside the world.
static TrnVoxel step_of_cursor(TrnVoxel last, TrnVoxel start, TestRandom *random)
{
    static const int64_t far[] = {INT64_MIN,
                                  INT64_MIN + 1,
                                  INT64_MIN + 31,
                                  INT64_MIN + 32,
                                  INT64_MAX,
                                  INT64_MAX - 31,
                                  TRN_VOXEL_MIN,
                                  TRN_VOXEL_MAX,
                                  TRN_VOXEL_MIN - 1,
                                  TRN_VOXEL_MAX + 1,
                                  0,
                                  -1};
    int64_t *axes[] = {&last.x, &last.y, &last.z};
    if (test_random_next(random) % 64 == 0) {
        for (int axis = 0; axis < 3; axis++) {
            *axes[axis] = far[test_random_next(random) % 12];
        }
        return last;
    }
    if (test_random_next(random) % 32 == 0) {
        return start;
    }
    const int64_t stride = test_random_next(random) % 8 == 0 ? 40 : 1;
    for (int axis = 0; axis < 3; axis++) { // a step beyond int64 would be undefined
        const int64_t step = test_random_range(random, -stride, stride);
        *axes[axis] = (int64_t)((uint64_t)*axes[axis] + (uint64_t)step);
    }
    return last;
}

static void check_cursor(TrnCursor *cursor, const TrnStore *store, TrnVoxel voxel)
{
    const TrnBlock absent = 54321;
    TrnBlock block = absent;
    const TrnResult result = trn_store_get_block(store, voxel, &block);
    assert_int_equal(result, !trn_voxel_in_world(voxel) ? TRN_RESULT_BAD_ARGUMENT
                             : trn_store_find(store, trn_voxel_chunk(voxel))
                                 ? TRN_RESULT_OK
                                 : TRN_RESULT_NOT_FOUND);
    const TrnVoxels *voxels = trn_cursor_find(cursor, voxel);
    assert_int_equal(voxels != NULL, result == TRN_RESULT_OK);
    if (voxels) {
        assert_ptr_equal(voxels, &trn_store_find(store, trn_voxel_chunk(voxel))->voxels);
    }
    assert_int_equal(trn_cursor_get(cursor, voxel, absent), block);
}

static void cursors_read_what_the_store_reads(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(69);
    const TrnCoord centres[] = {{0, 0, 0},
                                {-1, 1000000, -1000000},
                                {INT32_MAX, INT32_MIN, INT32_MAX},
                                {INT32_MIN, INT32_MAX, INT32_MIN}};
    for (int c = 0; c < 4; c++) {
        TrnStore *store = store_of(NULL);
        for (int32_t i = 0; i < 125; i++) { // wraps at the ends of the world
            const TrnCoord coord = trn_coord_add(centres[c], i % 5 - 2, i / 25 - 2, i / 5 % 5 - 2);
            if (i == 62 || test_random_next(&random) % 3) {
                insert_somehow(store, coord, NULL, &random);
            }
        }
        const TrnVoxel start = voxel_in(centres[c], 16, 16, 16);
        TrnVoxel voxel = start;
        TrnCursor cursor = trn_cursor(store);
        uint32_t inside = 0, outside = 0;
        for (int step = 0; step < 60000; step++) {
            check_cursor(&cursor, store, voxel);
            const bool is_loaded = trn_cursor_find(&cursor, voxel) != NULL;
            inside += is_loaded;
            outside += !is_loaded;
            if (is_loaded && step % 16 == 0) { // changes are visible at once
                assert_int_equal(trn_store_set_block(store, voxel, (TrnBlock)step, NULL),
                                 TRN_RESULT_OK);
                assert_int_equal(trn_cursor_get(&cursor, voxel, 54321), (TrnBlock)step);
            }
            voxel = step_of_cursor(voxel, start, &random);
        }
        assert_true(inside > 10000 && outside > 1000);
        trn_store_destroy(store);
    }
}

static void a_new_cursor_remembers_no_chunk(void **state)
{
    (void)state;
    TrnStore *store = store_of(NULL);
    inserted(store, (TrnCoord){0, 0, 0});
    const int64_t far[] = {INT64_MIN, INT64_MIN + 31, INT64_MIN + 32, INT64_MAX, 0, -1};
    for (uint32_t i = 0; i < 216; i++) {
        TrnCursor cursor = trn_cursor(store);
        check_cursor(&cursor, store, (TrnVoxel){far[i % 6], far[i / 6 % 6], far[i / 36]});
    }
    trn_store_destroy(store);
}

/// An allocator that returns the same address for each large block in turn.
typedef struct SamePlace {
    TrnAllocator other;
    void *place;
    size_t bytes;
    bool is_taken;
} SamePlace;

static bool same_place_serves(const SamePlace *same, size_t bytes, size_t alignment)
{
    return bytes > 90000 && bytes <= same->bytes && alignment <= 4096;
}

static void *same_place_alloc(size_t bytes, size_t alignment, void *user)
{
    SamePlace *same = user;
    if (!same->is_taken && same_place_serves(same, bytes, alignment)) {
        same->is_taken = true;
        return same->place;
    }
    return same->other.alloc(bytes, alignment, same->other.user);
}

static void same_place_free(void *memory, size_t bytes, void *user)
{
    SamePlace *same = user;
    if (memory == same->place) {
        same->is_taken = false;
    } else {
        same->other.free(memory, bytes, same->other.user);
    }
}

/// A chunk that a cursor remembers may be freed, and its address used for another one.
static void a_cursor_detects_reused_memory(void **state)
{
    (void)state;
    SamePlace same = {.other = trn_allocator_default(), .bytes = (size_t)1 << 20};
    same.place = trn_aligned_alloc(same.bytes, 4096);
    const TrnAllocator allocator = {same_place_alloc, same_place_free, &same};
    TrnStoreDef def = trn_store_def();
    def.allocator = &allocator;
    TrnStore *store = store_of(&def);
    same.is_taken = true; // by the chunk's header, otherwise
    TrnChunk *chunk = inserted(store, (TrnCoord){0, 0, 0});
    same.is_taken = false;
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    TestRandom random = test_random_seeded(19);
    TrnCursor cursor = trn_cursor(store);
    uint64_t word = 0;
    uint32_t again = 0;
    for (uint32_t types = 2; types <= 300; types += types / 2) {
        mixed_blocks(blocks, types, &random);
        assert_int_equal(trn_store_set_voxels(store, chunk, blocks), TRN_RESULT_OK);
        again += chunk->voxels.word == word;
        word = chunk->voxels.word;
        for (uint32_t i = 0; i < 32; i++) {
            assert_int_equal(trn_cursor_get(&cursor, voxel_in(chunk->coord, i, 3, 5), 9),
                             blocks[trn_local_index(i, 3, 5)]);
        }
        trn_store_fill(store, chunk, TRN_BLOCK_AIR);
        trn_store_trim(store);
        assert_false(same.is_taken);
    }
    assert_true(again > 0); // otherwise the test proves nothing
    trn_store_destroy(store);
    trn_aligned_free(same.place);
}

// ---- pending edits ------------------------------------------------------------------------------

static TrnResult keep_applied(TrnStore *store, const TrnStoreEvent *event, void *user)
{
    (void)store;
    *(uint32_t *)user = event->chunks[0].applied;
    return TRN_RESULT_OK;
}

static void an_insert_counts_the_pending_edits_it_applied(void **state)
{
    (void)state;
    TrnStore *store = store_of(NULL);
    uint32_t applied = 77;
    TrnBatch *batch;
    assert_int_equal(
        trn_store_subscribe(store, TRN_EVENT_BIT(TRN_EVENT_INSERTED), keep_applied, &applied),
        TRN_RESULT_OK);
    inserted(store, (TrnCoord){0, 0, 0});
    assert_int_equal(applied, 0);
    assert_int_equal(trn_batch_begin(store, NULL, &batch), TRN_RESULT_OK);
    for (int64_t x = 32; x < 40; x += 2) {
        trn_batch_set(batch, (TrnVoxel){x, 0, 0}, TRN_BLOCK_STONE);
    }
    assert_int_equal(trn_batch_commit(batch, NULL), TRN_RESULT_OK);
    inserted(store, (TrnCoord){1, 0, 0});
    assert_int_equal(applied, 4);
    assert_int_equal(trn_edits_stats(store).applied_runs, 4);
    inserted(store, (TrnCoord){2, 0, 0});
    assert_int_equal(applied, 0);
    trn_store_destroy(store);
}

// ---- boxes -------------------------------------------------------------------------------------

static bool box_has_by_hand(const TrnStore *store, TrnVoxel min, TrnVoxel max, TrnPlane plane)
{
    if (min.x > max.x || min.y > max.y || min.z > max.z || !trn_voxel_in_world(min) ||
        !trn_voxel_in_world(max)) {
        return false;
    }
    const TrnCoord low = trn_voxel_chunk(min), high = trn_voxel_chunk(max);
    for (int64_t y = low.y; y <= high.y; y++) {
        for (int64_t z = low.z; z <= high.z; z++) {
            for (int64_t x = low.x; x <= high.x; x++) {
                const TrnCoord coord = {(int32_t)x, (int32_t)y, (int32_t)z};
                if (!trn_store_find(store, coord) ||
                    !trn_chunk_index_plane_test(trn_store_index(store), plane, coord)) {
                    return false;
                }
            }
        }
    }
    return true;
}

static void a_box_has_a_plane_if_all_its_chunks_do(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(70);
    const TrnPlaneDef planes[] = {{"meshed", false}, {"wished", true}};
    TrnStoreDef def = trn_store_def();
    def.planes = planes;
    def.plane_count = 2;
    const TrnCoord corners[] = {
        {-4, -4, -4}, {INT32_MAX - 7, INT32_MIN, INT32_MAX - 7}, {INT32_MIN, INT32_MAX - 7, 3}};
    uint32_t had[4] = {0};
    for (int c = 0; c < 3; c++) {
        TrnStore *store = store_of(&def);
        TrnChunkIndex *index = trn_store_index(store);
        for (int32_t i = 0; i < 512; i++) {
            const TrnCoord coord = trn_coord_add(corners[c], i % 8, i / 64, i / 8 % 8);
            if (test_random_next(&random) % 40) {
                inserted(store, coord);
            }
            assert_int_equal(
                trn_chunk_index_plane_set(index, 1, coord, test_random_next(&random) % 20 != 0),
                TRN_RESULT_OK);
            assert_int_equal(trn_chunk_index_plane_set(index, 2, coord, true), TRN_RESULT_OK);
        }
        const TrnVoxel lowest = trn_coord_voxel(corners[c]);
        for (int step = 0; step < 20000; step++) {
            int64_t at[6];
            for (int axis = 0; axis < 3; axis++) {
                const int64_t base = axis == 0 ? lowest.x : axis == 1 ? lowest.y : lowest.z;
                at[axis] = base + test_random_range(&random, -4, 259);
                at[axis + 3] = at[axis] + test_random_range(&random, -1, 80);
            }
            const TrnVoxel min = {at[0], at[1], at[2]}, max = {at[3], at[4], at[5]};
            const TrnPlane plane = (TrnPlane)test_random_range(&random, 0, 3);
            const bool has = trn_store_box_has(store, min, max, plane);
            assert_int_equal(has, box_has_by_hand(store, min, max, plane));
            had[plane] += has;
        }
        trn_store_destroy(store);
    }
    assert_true(had[0] > 1000 && had[1] > 500 && had[2] > 1000 && had[3] == 0);
}

static void invalid_boxes_have_nothing(void **state)
{
    (void)state;
    TrnStore *store = store_of(NULL);
    inserted(store, (TrnCoord){INT32_MAX, INT32_MAX, INT32_MAX});
    inserted(store, (TrnCoord){0, 0, 0});
    const TrnVoxel zero = {0, 0, 0}, top = {TRN_VOXEL_MAX, TRN_VOXEL_MAX, TRN_VOXEL_MAX};
    const TrnVoxel bottom = {TRN_VOXEL_MIN, TRN_VOXEL_MIN, TRN_VOXEL_MIN};
    const TrnVoxel least = {INT64_MIN, INT64_MIN, INT64_MIN};
    const TrnVoxel most = {INT64_MAX, INT64_MAX, INT64_MAX};
    const TrnVoxel over = {TRN_VOXEL_MAX + 1, TRN_VOXEL_MAX, TRN_VOXEL_MAX};
    assert_true(trn_store_box_has(store, top, top, TRN_PLANE_PRESENT));
    assert_true(trn_store_box_has(store, zero, zero, TRN_PLANE_PRESENT));
    assert_false(trn_store_box_has(store, top, over, TRN_PLANE_PRESENT));
    assert_false(trn_store_box_has(store, zero, (TrnVoxel){31, 31, 32}, TRN_PLANE_PRESENT));
    assert_true(trn_store_box_has(store, zero, (TrnVoxel){31, 31, 31}, TRN_PLANE_PRESENT));
    assert_false(trn_store_box_has(store, zero, (TrnVoxel){-1, 5, 5}, TRN_PLANE_PRESENT));
    assert_false(trn_store_box_has(store, bottom, top, TRN_PLANE_PRESENT)); // at the first chunk
    assert_false(trn_store_box_has(store, zero, top, TRN_PLANE_PRESENT));
    assert_false(trn_store_box_has(store, least, most, TRN_PLANE_PRESENT));
    assert_false(trn_store_box_has(store, most, least, TRN_PLANE_PRESENT));
    assert_false(trn_store_box_has(store, most, most, TRN_PLANE_PRESENT));
    assert_false(trn_store_box_has(store, zero, zero, 1));
    assert_false(trn_store_box_has(store, zero, zero, TRN_PLANE_COUNT_MAX));
    assert_false(trn_store_box_has(store, zero, zero, UINT32_MAX));
    trn_store_destroy(store);
}

// ---- pins and explanations ----------------------------------------------------------------------

/// Checks what holds for every explanation, whatever the state.
static TrnExplanation explained(const TrnStore *store, TrnCoord coord, TrnChunkState expected)
{
    const TrnExplanation why = trn_store_explain(store, coord);
    assert_int_equal(why.state, expected);
    assert_non_null(memchr(why.sentence, 0, sizeof why.sentence));
    const size_t length = strlen(why.sentence);
    assert_true(length > 10);
    for (size_t i = 0; i < length; i++) {
        assert_true(why.sentence[i] >= 32 && why.sentence[i] < 127);
    }
    assert_int_equal(why.state == TRN_CHUNK_STATE_LOADED, trn_store_find(store, coord) != NULL);
    if (why.state != TRN_CHUNK_STATE_LOADED) {
        assert_int_equal(why.bytes, 0);
        assert_int_equal(why.pins, 0);
        assert_int_equal(why.planes & TRN_PLANE_BIT(TRN_PLANE_PRESENT), 0);
    }
    return why;
}

/// Whether a sentence contains a word, in upper or lower case.
static bool sentence_has(const TrnExplanation *why, const char *word)
{
    char lower[sizeof why->sentence];
    size_t i = 0;
    for (; why->sentence[i]; i++) {
        const char c = why->sentence[i];
        lower[i] = (char)(c >= 'A' && c <= 'Z' ? c + 32 : c);
    }
    lower[i] = 0;
    const bool has = strstr(lower, word) != NULL;
    if (!has) {
        print_message("  \"%s\" says nothing of \"%s\"\n", why->sentence, word);
    }
    return has;
}

static void pinned_chunks_stay_until_unpinned_as_often(void **state)
{
    (void)state;
    TrnStore *store = store_of(NULL);
    const TrnCoord coord = {1, 2, 3};
    TrnChunk *chunk = inserted(store, coord);
    const TrnEviction all = {0};
    uint32_t evicted = 99;
    for (int i = 0; i < 3; i++) {
        trn_store_pin(store, chunk);
    }
    for (uint32_t holds = 3; holds > 0; holds--) {
        const TrnExplanation why = explained(store, coord, TRN_CHUNK_STATE_LOADED);
        assert_int_equal(why.pins, holds);
        assert_true(sentence_has(&why, "pinned"));
        assert_int_equal(trn_store_remove(store, coord), TRN_RESULT_BUSY);
        assert_int_equal(trn_store_evict(store, &all, &evicted), TRN_RESULT_FULL);
        assert_int_equal(evicted, 0);
        assert_ptr_equal(trn_store_find(store, coord), chunk);
        trn_store_fill(store, chunk, (TrnBlock)holds); // pinned chunks may still change
        trn_store_unpin(store, chunk);
    }
    assert_int_equal(explained(store, coord, TRN_CHUNK_STATE_LOADED).pins, 0);
    assert_int_equal(trn_store_remove(store, coord), TRN_RESULT_OK);
    trn_store_destroy(store);
}

static void loaded_chunks_are_explained(void **state)
{
    (void)state;
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    TestRandom random = {71};
    const TrnPlaneDef planes[] = {{"meshed", false}, {"wished", true}};
    TrnStoreDef def = trn_store_def();
    def.planes = planes;
    def.plane_count = 2;
    def.user_bytes = 1000;
    TrnStore *store = store_of(&def);
    const TrnCoord coord = {INT32_MIN, INT32_MIN, INT32_MIN};
    TrnChunk *chunk = inserted(store, coord);
    TrnExplanation why = explained(store, coord, TRN_CHUNK_STATE_LOADED);
    assert_int_equal(why.bits, 0);
    assert_true(why.bytes >= sizeof(TrnChunk) + 1000 && why.bytes < 1200);
    assert_true(why.revision == 1);
    assert_int_equal(why.planes, TRN_PLANE_BIT(TRN_PLANE_PRESENT));
    assert_false(why.is_open);
    assert_null(why.slowest_reader);
    assert_int_equal(why.untouched + why.pending_runs, 0);
    assert_true(sentence_has(&why, "-2147483648"));
    const uint32_t types[] = {2, 4, 16, 250, 3000}, bits[] = {1, 2, 4, 8, 16};
    for (int i = 0; i < 5; i++) {
        mixed_blocks(blocks, types[i], &random);
        assert_int_equal(trn_store_set_voxels(store, chunk, blocks), TRN_RESULT_OK);
        why = explained(store, coord, TRN_CHUNK_STATE_LOADED);
        assert_int_equal(why.bits, bits[i]);
        assert_true(why.bytes > sizeof(TrnChunk) + 1000 + (size_t)4096 * bits[i]);
        assert_true(why.revision == trn_chunk_revision(chunk));
    }
    assert_int_equal(trn_chunk_index_plane_set(trn_store_index(store), 1, coord, true),
                     TRN_RESULT_OK);
    assert_int_equal(trn_chunk_index_plane_set(trn_store_index(store), 2, coord, true),
                     TRN_RESULT_OK);
    assert_int_equal(explained(store, coord, TRN_CHUNK_STATE_LOADED).planes, 7);
    assert_int_equal(trn_store_remove(store, coord), TRN_RESULT_OK);
    why = explained(store, coord, TRN_CHUNK_STATE_REMOVED);
    assert_int_equal(why.planes, TRN_PLANE_BIT(2)); // planes may outlive their chunk
    assert_int_equal(why.bits, 0);
    trn_store_destroy(store);
}

static void touches_are_counted(void **state)
{
    (void)state;
    TrnStore *store = store_of(NULL);
    TrnChunk *chunks[3];
    for (int32_t i = 0; i < 3; i++) {
        chunks[i] = inserted(store, (TrnCoord){i, 0, 0});
    }
    for (int i = 0; i < 5; i++) {
        trn_store_touch(store, chunks, 2);
    }
    trn_store_touch(store, chunks + 1, 1);
    for (int32_t i = 0; i < 3; i++) {
        const uint32_t unseen[] = {1, 0, 6};
        const TrnExplanation why = explained(store, (TrnCoord){i, 0, 0}, TRN_CHUNK_STATE_LOADED);
        assert_int_equal(why.untouched, unseen[i]);
    }
    TrnChunk *fresh = inserted(store, (TrnCoord){9, 9, 9});
    assert_int_equal(explained(store, fresh->coord, TRN_CHUNK_STATE_LOADED).untouched, 0);
    trn_store_destroy(store);
}

static void unloaded_chunks_are_explained(void **state)
{
    (void)state;
    TrnStoreDef def = trn_store_def();
    def.chunk_max = 1;
    TrnStore *store = store_of(&def);
    const TrnCoord a = {1, 1, 1}, b = {-2, 2, -2};
    const TrnEviction all = {0};
    TrnExplanation why = explained(store, a, TRN_CHUNK_STATE_UNKNOWN);
    assert_true(why.revision == 0);
    TrnChunk *chunk = inserted(store, a);
    trn_store_fill(store, chunk, 3);
    assert_int_equal(trn_store_remove(store, a), TRN_RESULT_OK);
    why = explained(store, a, TRN_CHUNK_STATE_REMOVED);
    assert_true(why.revision == 2);
    assert_true(sentence_has(&why, "removed"));
    inserted(store, a);
    assert_int_equal(explained(store, a, TRN_CHUNK_STATE_LOADED).refusal, TRN_RESULT_OK);
    assert_int_equal(trn_store_insert_uniform(store, b, TRN_BLOCK_AIR, NULL), TRN_RESULT_FULL);
    why = explained(store, b, TRN_CHUNK_STATE_REFUSED);
    assert_int_equal(why.refusal, TRN_RESULT_FULL);
    assert_true(why.revision == 3);
    assert_true(sentence_has(&why, "refused"));
    assert_int_equal(trn_store_insert_uniform(store, a, TRN_BLOCK_AIR, NULL), TRN_RESULT_EXISTS);
    explained(store, a, TRN_CHUNK_STATE_LOADED);
    assert_int_equal(trn_store_evict(store, &all, NULL), TRN_RESULT_FULL); // cannot reach 0 bytes
    why = explained(store, a, TRN_CHUNK_STATE_EVICTED);
    assert_true(why.revision == 3);
    assert_true(sentence_has(&why, "evicted"));
    assert_int_equal(explained(store, b, TRN_CHUNK_STATE_REFUSED).refusal, TRN_RESULT_FULL);
    inserted(store, b);
    explained(store, b, TRN_CHUNK_STATE_LOADED);
    assert_int_equal(trn_store_insert_uniform(store, a, TRN_BLOCK_AIR, NULL), TRN_RESULT_FULL);
    explained(store, a, TRN_CHUNK_STATE_REFUSED); // the most recent reason counts
    assert_int_equal(trn_store_stats(store).refused, 2);
    explained(store, (TrnCoord){INT32_MAX, INT32_MIN, 0}, TRN_CHUNK_STATE_UNKNOWN);
    trn_store_destroy(store);
}

static void readers_that_keep_memory_are_named(void **state)
{
    (void)state;
    TrnStoreDef def = trn_store_def();
    def.chunk_max = 1;
    TrnStore *store = store_of(&def);
    TrnChunkReader *reader;
    const TrnCoord a = {INT32_MIN, INT32_MIN, INT32_MIN}, b = {5, 5, 5};
    const char *name = "a mesher with a name of thirty1"; // the longest name
    assert_int_equal(strlen(name), 31);
    assert_int_equal(trn_chunk_index_reader_create(trn_store_index(store), name, &reader),
                     TRN_RESULT_OK);
    inserted(store, a);
    trn_chunk_index_read_begin(reader);
    assert_int_equal(trn_store_remove(store, a), TRN_RESULT_OK);
    assert_int_equal(trn_store_insert_uniform(store, b, TRN_BLOCK_AIR, NULL), TRN_RESULT_READERS);
    TrnExplanation why = explained(store, b, TRN_CHUNK_STATE_REFUSED);
    assert_int_equal(why.refusal, TRN_RESULT_READERS);
    assert_string_equal(why.slowest_reader, name);
    assert_true(sentence_has(&why, name));
    assert_int_equal(trn_store_insert_uniform(store, a, TRN_BLOCK_AIR, NULL), TRN_RESULT_READERS);
    why = explained(store, a, TRN_CHUNK_STATE_REFUSED);
    assert_true(sentence_has(&why, name) && sentence_has(&why, "-2147483648"));
    trn_chunk_index_read_end(reader);
    inserted(store, b);
    assert_null(explained(store, b, TRN_CHUNK_STATE_LOADED).slowest_reader);
    trn_store_destroy(store);
}

static void the_last_1024_removals_are_remembered(void **state)
{
    (void)state;
    TrnStore *store = store_of(NULL);
    const int32_t count = 3000;
    const size_t before = trn_store_stats(store).bookkeeping_bytes;
    for (int32_t i = 0; i < count; i++) {
        const TrnCoord coord = {i, -i, i * 7};
        inserted(store, coord);
        assert_int_equal(trn_store_remove(store, coord), TRN_RESULT_OK);
        if (i % 100 == 0) { // the oldest that is remembered, and the one before it
            const int32_t oldest = i < 1023 ? 0 : i - 1023;
            explained(store, (TrnCoord){oldest, -oldest, oldest * 7}, TRN_CHUNK_STATE_REMOVED);
            if (oldest > 0) {
                explained(store, (TrnCoord){oldest - 1, 1 - oldest, (oldest - 1) * 7},
                          TRN_CHUNK_STATE_UNKNOWN);
            }
        }
    }
    for (int32_t i = 0; i < count; i++) {
        const TrnExplanation why =
            explained(store, (TrnCoord){i, -i, i * 7},
                      i < count - 1024 ? TRN_CHUNK_STATE_UNKNOWN : TRN_CHUNK_STATE_REMOVED);
        assert_true(why.revision == (i < count - 1024 ? 0 : (uint64_t)i + 1));
    }
    assert_true(trn_store_stats(store).bookkeeping_bytes < before + 200000);
    for (int i = 0; i < 2000; i++) { // repeating one reason does not push out others
        inserted(store, (TrnCoord){0, 0, 0});
        assert_int_equal(trn_store_remove(store, (TrnCoord){0, 0, 0}), TRN_RESULT_OK);
    }
    explained(store, (TrnCoord){0, 0, 0}, TRN_CHUNK_STATE_REMOVED);
    trn_store_destroy(store);
}

static void open_and_pending_edits_are_explained(void **state)
{
    (void)state;
    TrnStore *store = store_of(NULL);
    TrnBatch *batch;
    const TrnCoord there = {0, 0, 0}, away = {4, 0, 0};
    inserted(store, there);
    assert_int_equal(trn_batch_begin(store, NULL, &batch), TRN_RESULT_OK);
    assert_int_equal(trn_batch_set(batch, trn_coord_voxel(there), 3), TRN_RESULT_OK);
    assert_int_equal(trn_batch_set(batch, trn_coord_voxel(away), 3), TRN_RESULT_OK);
    TrnExplanation why = explained(store, there, TRN_CHUNK_STATE_LOADED);
    assert_true(why.is_open);
    assert_true(sentence_has(&why, "open"));
    assert_int_equal(trn_store_remove(store, there), TRN_RESULT_BUSY);
    assert_int_equal(trn_batch_commit(batch, NULL), TRN_RESULT_OK);
    assert_false(explained(store, there, TRN_CHUNK_STATE_LOADED).is_open);
    why = explained(store, away, TRN_CHUNK_STATE_UNKNOWN);
    assert_int_equal(why.pending_runs, 1);
    assert_true(sentence_has(&why, "pending"));
    inserted(store, away);
    assert_int_equal(explained(store, away, TRN_CHUNK_STATE_LOADED).pending_runs, 0);
    TrnBlock block = 0;
    assert_int_equal(trn_store_get_block(store, trn_coord_voxel(away), &block), TRN_RESULT_OK);
    assert_int_equal(block, 3);
    trn_store_destroy(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changes_since_a_revision_agree_with_a_model),
        cmocka_unit_test(thousands_of_changes_of_few_chunks_take_no_memory),
        cmocka_unit_test(the_list_of_changes_shrinks_with_the_world),
        cmocka_unit_test(a_block_affects_exactly_the_neighbours_that_it_touches),
        cmocka_unit_test(every_change_affects_the_neighbours_that_its_voxels_touch),
        cmocka_unit_test(the_same_voxels_again_affect_no_neighbour),
        cmocka_unit_test(inserts_and_removals_affect_all_around),
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
        cmocka_unit_test(a_failed_listener_is_told_what_it_missed),
        cmocka_unit_test(failed_listeners_catch_up_whatever_others_do),
        cmocka_unit_test(a_batch_is_one_event_and_one_revision),
        cmocka_unit_test(cursors_read_what_the_store_reads),
        cmocka_unit_test(a_new_cursor_remembers_no_chunk),
        cmocka_unit_test(a_cursor_detects_reused_memory),
        cmocka_unit_test(an_insert_counts_the_pending_edits_it_applied),
        cmocka_unit_test(a_box_has_a_plane_if_all_its_chunks_do),
        cmocka_unit_test(invalid_boxes_have_nothing),
        cmocka_unit_test(pinned_chunks_stay_until_unpinned_as_often),
        cmocka_unit_test(loaded_chunks_are_explained),
        cmocka_unit_test(touches_are_counted),
        cmocka_unit_test(unloaded_chunks_are_explained),
        cmocka_unit_test(readers_that_keep_memory_are_named),
        cmocka_unit_test(the_last_1024_removals_are_remembered),
        cmocka_unit_test(open_and_pending_edits_are_explained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
