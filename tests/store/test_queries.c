// What callers ask voxel by voxel or box by box: cursors and boxes.

#include "listeners.h"

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

/// An allocator that returns the same address for each block of payloads in turn.
typedef struct SamePlace {
    TrnAllocator other;
    void *place;
    size_t bytes;
    bool is_taken;
} SamePlace;

static bool same_place_serves(const SamePlace *same, size_t bytes, size_t alignment)
{
    return bytes > 8192 && bytes <= same->bytes && alignment <= 4096;
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
    SamePlace same = {
        .other = trn_allocator_default(), .bytes = (size_t)80 << 10, .is_taken = true};
    same.place = trn_aligned_alloc(same.bytes, 4096);
    const TrnAllocator allocator = {same_place_alloc, same_place_free, &same};
    TrnStoreDef def = trn_store_def();
    def.allocator = &allocator;
    TrnStore *store = store_of(&def);
    TrnChunk *chunk = inserted(store, (TrnCoord){0, 0, 0});
    same.is_taken = false; // from now on large blocks are those of payloads
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cursors_read_what_the_store_reads),
        cmocka_unit_test(a_new_cursor_remembers_no_chunk),
        cmocka_unit_test(a_cursor_detects_reused_memory),
        cmocka_unit_test(a_box_has_a_plane_if_all_its_chunks_do),
        cmocka_unit_test(invalid_boxes_have_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
