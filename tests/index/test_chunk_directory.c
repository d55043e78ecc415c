// The directory of an index: its cost when chunks are far apart, when a region moves, and when
// pages are created and dropped.

#include "plane_index.h"

static void memory_follows_chunk_count(void **state)
{
    (void)state;
    size_t alone = 0;
    for (int islands = 1; islands <= 2; islands++) {
        TrnChunkIndex *index = plane_index(NULL);
        for (int island = 0; island < islands; island++) {
            TrnBox box = trn_box_around(
                (TrnCoord){island * 1000000, island * -1000000, island * 1000000}, 16, 16, 16);
            uint32_t value = 0;
            for (int32_t y = box.min.y; y <= box.max.y; y++) {
                for (int32_t z = box.min.z; z <= box.max.z; z++) {
                    for (int32_t x = box.min.x; x <= box.max.x; x++) {
                        assert_int_equal(
                            trn_chunk_index_insert(index, (TrnCoord){x, y, z}, value++),
                            TRN_RESULT_OK);
                    }
                }
            }
        }
        TrnChunkIndexStats stats = trn_chunk_index_stats(index);
        assert_int_equal(stats.retired_bytes, 0);
        if (islands == 1) {
            alone = stats.bytes;
            assert_int_equal(stats.outliers, 0);
            assert_true(stats.directory_cells <= 64 * stats.pages);
        } else {
            assert_int_equal(stats.outliers, stats.pages / 2);
            assert_true((double)stats.bytes <= 2.1 * (double)alone);
        }
        trn_chunk_index_destroy(index);
    }
}

static void moving_region_keeps_directory_small(void **state)
{
    (void)state;
    TrnChunkIndex *index = plane_index(NULL);
    const int32_t radius = 4;
    size_t most_bytes = 0, most_outliers = 0;
    for (int32_t step = 0; step < 3000; step++) {
        TrnCoord centre = {step * 3, step, -step * 2};
        TrnBox box = trn_box_around(centre, radius, radius, radius);
        for (int32_t y = box.min.y; y <= box.max.y; y++) {
            for (int32_t z = box.min.z; z <= box.max.z; z++) {
                for (int32_t x = box.min.x; x <= box.max.x; x++) {
                    (void)trn_chunk_index_insert(index, (TrnCoord){x, y, z}, 1);
                }
            }
        }
        static TrnCoord coords[4000];
        TrnChunkGather gather = {.box = trn_box_everything(), .coords = coords, .capacity = 4000};
        size_t count = trn_chunk_index_gather(index, &gather);
        assert_true(count <= 4000);
        for (size_t i = 0; i < count; i++) {
            if (!trn_box_contains(box, coords[i])) {
                assert_int_equal(trn_chunk_index_remove(index, coords[i], NULL), TRN_RESULT_OK);
            }
        }
        TrnChunkIndexStats stats = trn_chunk_index_stats(index);
        assert_int_equal(stats.chunks, 9 * 9 * 9);
        most_bytes = stats.bytes > most_bytes ? stats.bytes : most_bytes;
        most_outliers = stats.outliers > most_outliers ? stats.outliers : most_outliers;
    }
    assert_true(most_bytes < 400000);
    assert_true(most_outliers < 40);
    trn_chunk_index_destroy(index);
}

static void reserve_and_plane_fill_work(void **state)
{
    (void)state;
    TrnChunkIndex *index = plane_index(NULL);
    TrnBox box = {{-100, -20, -100}, {99, 19, 99}};
    assert_int_equal(trn_chunk_index_reserve(index, box), TRN_RESULT_OK);
    uint32_t growths = trn_chunk_index_stats(index).directory_growths;
    assert_int_equal(trn_chunk_index_plane_fill(index, WANTED, box, true), TRN_RESULT_OK);
    TrnChunkIndexStats stats = trn_chunk_index_stats(index);
    assert_int_equal(stats.plane_counts[WANTED], 200 * 40 * 200);
    assert_int_equal(stats.chunks, 0);
    assert_int_equal(stats.directory_growths, growths);
    TrnBox hole = {{-30, -5, -30}, {30, 5, 29}};
    assert_int_equal(trn_chunk_index_plane_fill(index, WANTED, hole, false), TRN_RESULT_OK);
    assert_int_equal(trn_chunk_index_stats(index).plane_counts[WANTED],
                     200 * 40 * 200 - 61 * 11 * 60);
    assert_false(trn_chunk_index_plane_test(index, WANTED, (TrnCoord){30, 5, 29}));
    assert_true(trn_chunk_index_plane_test(index, WANTED, (TrnCoord){30, 5, 30}));
    TrnCoord coords[1];
    TrnChunkGather wanted = {.box = trn_box_everything(),
                             .planes = {.all = TRN_PLANE_BIT(WANTED)},
                             .coords = coords,
                             .capacity = 1};
    assert_int_equal(trn_chunk_index_gather(index, &wanted), 200 * 40 * 200 - 61 * 11 * 60);
    assert_int_equal(trn_chunk_index_plane_fill(index, WANTED, trn_box_everything(), false),
                     TRN_RESULT_OK);
    assert_int_equal(trn_chunk_index_stats(index).pages, 0);
    trn_chunk_index_destroy(index);
}

static void outliers_stay_findable_and_their_hash_shrinks(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(11);
    TestAllocator memory = {0};
    TrnAllocator allocator = test_allocator(&memory);
    TrnChunkIndexDef def = trn_chunk_index_def();
    def.directory_bytes_max = 0; // all pages are outlier pages
    def.allocator = &allocator;
    TrnChunkIndex *index;
    assert_int_equal(trn_chunk_index_create(&def, &index), TRN_RESULT_OK);
    static TrnCoord live[600];
    size_t count = 0;
    for (int step = 0; step < 20000; step++) {
        bool rising = step / 2000 % 2 == 0;
        if (test_random_next(&random) % 8 < (rising ? 6u : 2u) && count < 600) {
            TrnCoord coord = random_near(&random, (TrnCoord){0, 0, 0}, 1000000);
            if (trn_chunk_index_insert(index, coord, (uint32_t)coord.x & 0xFFFFFF) ==
                TRN_RESULT_OK) {
                live[count++] = coord;
            }
        } else if (count > 0) {
            size_t at = (size_t)test_random_range(&random, 0, (int64_t)count - 1);
            assert_int_equal(trn_chunk_index_remove(index, live[at], NULL), TRN_RESULT_OK);
            live[at] = live[--count];
        }
        if (step % 250 == 0) {
            for (size_t i = 0; i < count; i++) {
                uint32_t value = 0;
                assert_true(trn_chunk_index_find(index, live[i], &value));
                assert_int_equal(value, (uint32_t)live[i].x & 0xFFFFFF);
            }
            assert_int_equal(trn_chunk_index_stats(index).bytes, memory.live_bytes);
        }
    }
    assert_int_equal(trn_chunk_index_stats(index).directory_cells, 0);
    while (count > 0) {
        assert_int_equal(trn_chunk_index_remove(index, live[--count], NULL), TRN_RESULT_OK);
    }
    assert_in_range(memory.live_bytes, 1, 48000); // the hash of 600 alone took 32 KiB
    trn_chunk_index_destroy(index);
}

/// The cost of a removal must not depend on the size of the directory. These two patterns once
/// scanned it each time.
static void removal_does_not_scan_the_directory(void **state)
{
    (void)state;
    TrnChunkIndex *index = plane_index(NULL);
    assert_int_equal(
        trn_chunk_index_reserve(index, trn_box_around((TrnCoord){0, 0, 0}, 999, 999, 999)),
        TRN_RESULT_OK);
    const size_t cells = trn_chunk_index_stats(index).directory_cells;
    for (int i = 0; i < 200000; i++) { // takes minutes if each step reads two million cells
        TrnCoord coord = {i % 999, 0, 0};
        assert_int_equal(trn_chunk_index_insert(index, coord, 1), TRN_RESULT_OK);
        assert_int_equal(trn_chunk_index_remove(index, coord, NULL), TRN_RESULT_OK);
    }
    assert_int_equal(trn_chunk_index_stats(index).directory_cells, cells); // stays reserved
    assert_int_equal(trn_chunk_index_clear(index), TRN_RESULT_OK);
    assert_int_equal(trn_chunk_index_stats(index).directory_cells, 0);

    for (int32_t i = 0; i < 20000; i++) { // one page in 27
        TrnCoord coord = page_first(i % 27 * 3, i / 729 * 3, i / 27 % 27 * 3);
        assert_int_equal(trn_chunk_index_insert(index, coord, 1), TRN_RESULT_OK);
    }
    for (int32_t i = 0; i < 20000; i++) {
        int32_t k = (int32_t)((uint32_t)i * 7919u % 20000u);
        TrnCoord coord = page_first(k % 27 * 3, k / 729 * 3, k / 27 % 27 * 3);
        assert_int_equal(trn_chunk_index_remove(index, coord, NULL), TRN_RESULT_OK);
    }
    assert_in_range(trn_chunk_index_stats(index).directory_cells, 0, 1024);
    trn_chunk_index_destroy(index);
}

static void page_max_is_enforced(void **state)
{
    (void)state;
    TrnChunkIndexDef def = trn_chunk_index_def();
    def.page_max = 3;
    TrnChunkIndex *index;
    assert_int_equal(trn_chunk_index_create(&def, &index), TRN_RESULT_OK);
    for (int32_t i = 0; i < 5; i++) {
        assert_int_equal(trn_chunk_index_insert(index, page_first(i, 0, 0), 1),
                         i < 3 ? TRN_RESULT_OK : TRN_RESULT_FULL);
    }
    assert_int_equal(trn_chunk_index_insert(index, trn_page_chunks((TrnCoord){0, 0, 0}).max, 1),
                     TRN_RESULT_OK);
    assert_int_equal(trn_chunk_index_remove(index, page_first(1, 0, 0), NULL), TRN_RESULT_OK);
    assert_int_equal(trn_chunk_index_insert(index, (TrnCoord){900, 0, 0}, 1), TRN_RESULT_OK);
    trn_chunk_index_destroy(index);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_follows_chunk_count),
        cmocka_unit_test(moving_region_keeps_directory_small),
        cmocka_unit_test(reserve_and_plane_fill_work),
        cmocka_unit_test(outliers_stay_findable_and_their_hash_shrinks),
        cmocka_unit_test(removal_does_not_scan_the_directory),
        cmocka_unit_test(page_max_is_enforced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
