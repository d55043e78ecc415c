// Block data in edits of one chunk, compared with a plain model. The heap has no readers, so what
// is replaced is freed at once: the allocator finds what is freed too early, too late or never.

#include "data_chunk.h"

// ---- what is promised --------------------------------------------------------------------------

static void data_goes_with_its_block_or_stays(void **state)
{
    (void)state;
    Chunk *chunk = chunk_create(0);
    assert_int_equal(chunk_set_block(chunk, 5, 7), TRN_RESULT_OK);
    assert_int_equal(chunk_set_block(chunk, 6, 7), TRN_RESULT_OK);
    assert_int_equal(chunk_set(chunk, 5, 1, 100, TRN_DATA_WITH_BLOCK), TRN_RESULT_OK);
    assert_int_equal(chunk_set(chunk, 6, 2, 100, TRN_DATA_STAYS), TRN_RESULT_OK);
    model_check_snapshot(&chunk->model, chunk_now(chunk));
    assert_int_equal(chunk_set_block(chunk, 5, 8), TRN_RESULT_OK);
    assert_int_equal(chunk_set_block(chunk, 6, 8), TRN_RESULT_OK);
    assert_false(trn_snapshot_get_data(chunk_now(chunk), 5, NULL));
    assert_true(trn_snapshot_get_data(chunk_now(chunk), 6, NULL));
    assert_int_equal(chunk_set_block(chunk, 5, 7), TRN_RESULT_OK); // it does not come back
    model_check_snapshot(&chunk->model, chunk_now(chunk));
    chunk_destroy(chunk);
}

static void a_block_that_is_changed_back_keeps_its_data(void **state)
{
    (void)state;
    Chunk *chunk = chunk_create(0);
    TrnVoxelEdit edit;
    assert_int_equal(chunk_set_block(chunk, 5, 7), TRN_RESULT_OK);
    assert_int_equal(chunk_set(chunk, 5, 1, 100, TRN_DATA_WITH_BLOCK), TRN_RESULT_OK);
    trn_voxel_edit_begin(&edit, chunk->heap, &chunk->voxels);
    assert_int_equal(trn_voxel_edit_set(&edit, 5, 8), TRN_RESULT_OK);
    assert_false(trn_voxel_edit_get_data(&edit, 5, NULL));
    assert_int_equal(trn_voxel_edit_set(&edit, 5, 7), TRN_RESULT_OK);
    assert_true(trn_voxel_edit_get_data(&edit, 5, NULL));
    assert_true(trn_voxel_edit_commit(&edit, ++chunk->revision));
    model_check_snapshot(&chunk->model, chunk_now(chunk));
    chunk_destroy(chunk);
}

static void a_uniform_chunk_can_have_data_and_is_uniform_again_without(void **state)
{
    (void)state;
    Chunk *chunk = chunk_create(0);
    TrnVoxelEdit edit;
    const size_t empty = trn_voxel_heap_stats(chunk->heap).data_bytes;
    assert_int_equal(chunk_set(chunk, 32767, 1, 10, TRN_DATA_STAYS), TRN_RESULT_OK);
    assert_false(trn_snapshot_is_uniform(chunk_now(chunk)));
    assert_true(trn_voxel_heap_stats(chunk->heap).data_bytes > empty);
    assert_int_equal(trn_voxels_compact(chunk->heap, &chunk->voxels), TRN_RESULT_OK);
    model_check_snapshot(&chunk->model, chunk_now(chunk));
    trn_voxel_edit_begin(&edit, chunk->heap, &chunk->voxels);
    assert_int_equal(trn_voxel_edit_set_data(&edit, 32767, NULL, 0, 0), TRN_RESULT_OK);
    assert_true(trn_voxel_edit_commit(&edit, ++chunk->revision));
    assert_true(trn_snapshot_is_uniform(chunk_now(chunk)));
    assert_int_equal(trn_voxel_heap_stats(chunk->heap).data_bytes, empty);
    chunk_destroy(chunk);
}

static void limits_are_refused_and_change_nothing(void **state)
{
    (void)state;
    Chunk *chunk = chunk_create(0);
    for (uint32_t i = 0; i < TRN_DATA_VOXELS_MAX; i++) {
        assert_int_equal(chunk_set(chunk, i * 8, (uint8_t)i, i % 9, TRN_DATA_STAYS), TRN_RESULT_OK);
    }
    assert_int_equal(chunk_set(chunk, 1, 1, 1, TRN_DATA_STAYS), TRN_RESULT_FULL);
    assert_int_equal(chunk_set(chunk, 8, 77, TRN_DATA_BYTES_MAX, TRN_DATA_STAYS), TRN_RESULT_OK);
    assert_int_equal(chunk_set(chunk, 8, 77, TRN_DATA_BYTES_MAX + 1, TRN_DATA_STAYS),
                     TRN_RESULT_FULL);
    TrnVoxelEdit edit;
    trn_voxel_edit_begin(&edit, chunk->heap, &chunk->voxels);
    assert_int_equal(trn_voxel_edit_set_data(&edit, TRN_CHUNK_VOXELS, "", 1, TRN_DATA_STAYS),
                     TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_voxel_edit_set_data(&edit, 8, "", 1, TRN_DATA_RULE_COUNT),
                     TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_voxel_edit_set_data(&edit, 8, model_bytes(77, TRN_DATA_BYTES_MAX),
                                             TRN_DATA_BYTES_MAX, TRN_DATA_STAYS),
                     TRN_RESULT_OK);
    assert_false(trn_voxel_edit_commit(&edit, ++chunk->revision)); // as it is already
    assert_int_equal(trn_voxel_edit_set_data(&edit, 8, "", 1, TRN_DATA_STAYS),
                     TRN_RESULT_BAD_ARGUMENT); // not open
    model_check_snapshot(&chunk->model, chunk_now(chunk));
    chunk_destroy(chunk);
}

static void a_chunk_has_no_more_data_than_its_limit(void **state)
{
    (void)state;
    Chunk *chunk = chunk_create(0);
    const uint32_t most = TRN_DATA_CHUNK_BYTES_MAX / TRN_DATA_BYTES_MAX;
    for (uint32_t i = 0; i < most; i++) {
        assert_int_equal(chunk_set(chunk, i, 1, TRN_DATA_BYTES_MAX, TRN_DATA_STAYS), TRN_RESULT_OK);
    }
    assert_int_equal(chunk_set(chunk, most, 1, 1, TRN_DATA_STAYS), TRN_RESULT_FULL);
    assert_int_equal(chunk_set(chunk, most, 1, 0, TRN_DATA_STAYS), TRN_RESULT_OK);
    assert_int_equal(chunk_set(chunk, 0, 2, TRN_DATA_BYTES_MAX - 3, TRN_DATA_STAYS), TRN_RESULT_OK);
    assert_int_equal(chunk_set(chunk, most, 1, 4, TRN_DATA_STAYS), TRN_RESULT_FULL);
    assert_int_equal(chunk_set(chunk, most, 1, 3, TRN_DATA_STAYS), TRN_RESULT_OK);
    model_check_snapshot(&chunk->model, chunk_now(chunk));
    chunk_destroy(chunk);
}

static void an_edit_of_one_voxel_does_not_copy_other_data(void **state)
{
    (void)state;
    Chunk *chunk = chunk_create(0);
    const uint32_t count = 256;
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(chunk_set(chunk, i, (uint8_t)i, TRN_DATA_BYTES_MAX, TRN_DATA_STAYS),
                         TRN_RESULT_OK);
    }
    const size_t before = chunk->memory.live_bytes;
    chunk->memory.peak_bytes = before;
    assert_int_equal(chunk_set(chunk, 3, 99, 10, TRN_DATA_STAYS), TRN_RESULT_OK);
    assert_int_equal(chunk_set_block(chunk, 1000, 9), TRN_RESULT_OK);
    assert_true(chunk->memory.peak_bytes - before < (size_t)512 << 10);
    model_check_snapshot(&chunk->model, chunk_now(chunk));
    chunk_destroy(chunk);
}

static void chunks_whose_palettes_alone_differ_are_not_equal(void **state)
{
    (void)state;
    Chunk *a = chunk_create(0), *b = chunk_create(0);
    assert_int_equal(chunk_set_block(a, 7, 5), TRN_RESULT_OK);
    assert_int_equal(chunk_set_block(b, 7, 6), TRN_RESULT_OK);
    assert_false(trn_snapshot_equal(chunk_now(a), chunk_now(b)));
    assert_false(trn_snapshot_equal(chunk_now(b), chunk_now(a)));
    assert_int_equal(chunk_set_block(b, 7, 5), TRN_RESULT_OK);
    assert_true(trn_snapshot_equal(chunk_now(a), chunk_now(b)));
    chunk_destroy(b);
    chunk_destroy(a);
}

static void lists_of_boxes_agree_with_the_model(void **state)
{
    (void)state;
    Chunk *chunk = chunk_create(0);
    TestRandom random = test_random_seeded(41);
    TrnBlockData list[600];
    for (uint32_t i = 0; i < 500; i++) {
        assert_int_equal(chunk_set(chunk, (uint32_t)test_random_next(&random) % TRN_CHUNK_VOXELS,
                                   (uint8_t)i, 4, TRN_DATA_WITH_BLOCK),
                         TRN_RESULT_OK);
    }
    for (uint32_t round = 0; round < 200; round++) {
        uint32_t min[3], max[3], expected = 0;
        for (int axis = 0; axis < 3; axis++) {
            min[axis] = (uint32_t)test_random_range(&random, 0, 33);
            max[axis] = (uint32_t)test_random_range(&random, 0, 40);
        }
        for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
            const uint32_t x = i % 32, z = i / 32 % 32, y = i / 1024;
            expected += chunk->model.data[i].is_set && x >= min[0] && x <= max[0] && y >= min[1] &&
                        y <= max[1] && z >= min[2] && z <= max[2];
        }
        assert_int_equal(trn_snapshot_list_data(chunk_now(chunk), min, max, list, 600), expected);
        assert_int_equal(trn_snapshot_list_data(chunk_now(chunk), min, max, NULL, 0), expected);
    }
    chunk_destroy(chunk);
}

// ---- random edits ------------------------------------------------------------------------------

static void random_edits_agree_with_the_model(void **state)
{
    (void)state;
    test_skip_without_threads();
    Chunk *chunk = chunk_create(0);
    DataModel *before = malloc(sizeof *before);
    TestRandom random = test_random_seeded(42);
    const uint32_t rounds = test_rounds(1500, 300);
    for (uint32_t round = 0; round < rounds; round++) {
        TrnVoxelEdit edit;
        memcpy(before, &chunk->model, sizeof *before);
        trn_voxel_edit_begin(&edit, chunk->heap, &chunk->voxels);
        for (int64_t calls = test_random_range(&random, 1, 8); calls > 0; calls--) {
            assert_int_equal(random_call(&edit, &chunk->model, &random), TRN_RESULT_OK);
        }
        if (test_random_next(&random) % 8) {
            trn_voxel_edit_commit(&edit, ++chunk->revision);
            model_purge(&chunk->model);
        } else {
            trn_voxel_edit_cancel(&edit);
            memcpy(&chunk->model, before, sizeof *before);
        }
        if (test_random_next(&random) % 8 == 0) {
            assert_int_equal(trn_voxels_compact(chunk->heap, &chunk->voxels), TRN_RESULT_OK);
        }
        model_check_snapshot(&chunk->model, chunk_now(chunk));
    }
    free(before);
    chunk_destroy(chunk);
}

static void calls_that_run_out_of_memory_change_nothing(void **state)
{
    (void)state;
    test_skip_without_threads();
    Chunk *chunk = chunk_create(0);
    DataModel *before = malloc(sizeof *before);
    TestRandom random = test_random_seeded(43);
    uint32_t refused = 0;
    const uint32_t rounds = test_rounds(1000, 200);
    for (uint32_t round = 0; round < rounds; round++) {
        TrnVoxelEdit edit;
        TrnResult result = TRN_RESULT_OK;
        memcpy(before, &chunk->model, sizeof *before);
        trn_voxel_heap_trim(chunk->heap);
        test_fail(&chunk->memory, (size_t)test_random_range(&random, 1, 9), 0);
        if (test_random_next(&random) % 2) { // for good
            chunk->memory.fail_to = SIZE_MAX;
        }
        trn_voxel_edit_begin(&edit, chunk->heap, &chunk->voxels);
        for (uint32_t call = 0; call < 6; call++) {
            result = random_call(&edit, &chunk->model, &random);
            assert_true(result == TRN_RESULT_OK || result == TRN_RESULT_NO_MEMORY);
            refused += result == TRN_RESULT_NO_MEMORY;
        }
        // What succeeded is published, whatever failed before or after it.
        trn_voxel_edit_commit(&edit, ++chunk->revision);
        model_purge(&chunk->model);
        test_fail(&chunk->memory, 0, 0);
        model_check_snapshot(&chunk->model, chunk_now(chunk));
    }
    assert_true(refused > rounds / 10);
    free(before);
    chunk_destroy(chunk);
}

static void data_counts_against_the_cap(void **state)
{
    (void)state;
    const size_t cap = (size_t)2 << 20;
    Chunk *chunk = chunk_create(cap);
    uint32_t count = 0;
    TrnResult result;
    while ((result = chunk_set(chunk, count, 1, TRN_DATA_BYTES_MAX, TRN_DATA_STAYS)) ==
           TRN_RESULT_OK) {
        count++;
    }
    assert_int_equal(result, TRN_RESULT_FULL);
    assert_in_range(count, 10, 31);
    assert_true(trn_voxel_heap_stats(chunk->heap).bytes <= cap);
    assert_true(trn_voxel_heap_stats(chunk->heap).data_bytes > (size_t)count * TRN_DATA_BYTES_MAX);
    model_check_snapshot(&chunk->model, chunk_now(chunk));
    trn_voxels_fill(chunk->heap, &chunk->voxels, TRN_BLOCK_AIR, 1);
    assert_int_equal(trn_voxel_heap_stats(chunk->heap).data_bytes, 0);
    chunk_destroy(chunk);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(data_goes_with_its_block_or_stays),
        cmocka_unit_test(a_block_that_is_changed_back_keeps_its_data),
        cmocka_unit_test(a_uniform_chunk_can_have_data_and_is_uniform_again_without),
        cmocka_unit_test(limits_are_refused_and_change_nothing),
        cmocka_unit_test(a_chunk_has_no_more_data_than_its_limit),
        cmocka_unit_test(an_edit_of_one_voxel_does_not_copy_other_data),
        cmocka_unit_test(chunks_whose_palettes_alone_differ_are_not_equal),
        cmocka_unit_test(lists_of_boxes_agree_with_the_model),
        cmocka_unit_test(random_edits_agree_with_the_model),
        cmocka_unit_test(calls_that_run_out_of_memory_change_nothing),
        cmocka_unit_test(data_counts_against_the_cap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
