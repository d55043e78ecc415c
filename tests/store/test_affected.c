// Which neighbours a change affects, worked out by hand.

#include "listeners.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_affects_exactly_the_neighbours_that_it_touches),
        cmocka_unit_test(every_change_affects_the_neighbours_that_its_voxels_touch),
        cmocka_unit_test(the_same_voxels_again_affect_no_neighbour),
        cmocka_unit_test(inserts_and_removals_affect_all_around),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
