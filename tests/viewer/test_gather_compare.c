/// Gathers by different containers: that they agree, and that a wrong answer is seen.
#include "testing.h"

#include <clock.h>
#include <gather/gather_compare.h>
#include <render/chunk_view.h>

static void all_gathers_agree_while_chunks_come_and_go(void **state)
{
    (void)state;
    TrnStoreDef def = trn_store_def();
    def.user_bytes = sizeof(ChunkView);
    TrnStore *store;
    GatherCompare compare;
    Message problem;
    assert_int_equal(trn_store_create(&def, &store), TRN_RESULT_OK);
    assert_true(gather_compare_create(&compare, 3, &problem));
    TestRandom random = test_random_seeded(15);
    for (int frame = 0; frame < 200; frame++) {
        for (int change = 0; change < 50; change++) {
            TrnCoord coord = {(int32_t)test_random_range(&random, -6, 6),
                              (int32_t)test_random_range(&random, -6, 6),
                              (int32_t)test_random_range(&random, -6, 6)};
            TrnChunk *chunk = NULL;
            if (trn_store_find(store, coord)) {
                trn_store_remove(store, coord);
            } else {
                assert_int_equal(trn_store_insert_uniform(store, coord, TRN_BLOCK_AIR, &chunk),
                                 TRN_RESULT_OK);
            }
            gather_compare_note(&compare, coord, chunk);
        }
        // Any contender may answer the frame; some changes are applied before the comparison.
        const GatherContender used = (GatherContender)(frame % GATHER_COUNT);
        assert_int_equal(gather_compare_use(&compare, used),
                         used < GATHER_CHOICES &&
                             (used != GATHER_FLAT_MAP || hash_map_exists(HASH_MAP_FLAT)));
        if (frame == 100) {
            assert_true(gather_compare_resize(&compare, 4, &problem));
        }
        TrnBox box = trn_box_around((TrnCoord){frame % 5, 0, 0}, 3, 3, frame < 100 ? 3 : 4);
        assert_int_equal(gather_compare_frame(&compare, store, box),
                         trn_store_gather(store, box, NULL, 0));
        gather_compare_after(&compare, store, box);
    }
    assert_int_equal(compare.compared, 200);
    assert_int_equal(compare.equal, 200);

    gather_compare_free(&compare);
    trn_store_destroy(store);
}

/// Nine chunks in a row, on which index, array and map agree.
static TrnStore *make_compare(GatherCompare *compare)
{
    TrnStoreDef def = trn_store_def();
    def.user_bytes = sizeof(ChunkView);
    TrnStore *store;
    Message problem;
    assert_int_equal(trn_store_create(&def, &store), TRN_RESULT_OK);
    assert_true(gather_compare_create(compare, 4, &problem));
    for (int32_t x = -4; x <= 4; x++) {
        TrnChunk *chunk;
        assert_int_equal(
            trn_store_insert_uniform(store, (TrnCoord){x, 0, 0}, TRN_BLOCK_AIR, &chunk),
            TRN_RESULT_OK);
        gather_compare_note(compare, chunk->coord, chunk);
    }
    return store;
}

/// Returns whether comparisons find the answers equal, however the maps are asked.
static bool found_equal(GatherCompare *compare, const TrnStore *store)
{
    const TrnBox box = trn_box_around((TrnCoord){0, 0, 0}, 4, 4, 4);
    const uint64_t equal = compare->equal, rounds = (uint64_t)2 * GATHER_CHOICES;
    bool was_asked[GATHER_COUNT] = {false};
    for (uint64_t i = 0; i < rounds; i++) {
        gather_compare_frame(compare, store, box);
        gather_compare_after(compare, store, box);
        for (int who = 0; who < GATHER_COUNT; who++) {
            was_asked[who] |= compare->figures.asked[who];
        }
    }
    for (int who = 0; who < GATHER_COUNT; who++) {
        assert_int_equal(was_asked[who], gather_compare_has(compare, (GatherContender)who));
    }
    assert_true(compare->equal == equal || compare->equal == equal + rounds);
    return compare->equal > equal;
}

static void an_answer_with_one_wrong_chunk_is_seen(void **state)
{
    (void)state;
    GatherCompare compare;
    TrnStore *store = make_compare(&compare);
    const TrnCoord at = {4, 0, 0}, other = {0, 0, 0};
    TrnChunk *right = trn_store_find(store, at), *wrong = trn_store_find(store, other);
    assert_true(found_equal(&compare, store));

    // A missing chunk, whose last answer is still in memory: only the count differs.
    hash_map_remove(compare.map, at);
    assert_false(found_equal(&compare, store));
    assert_true(hash_map_insert(compare.map, at, wrong));
    assert_false(found_equal(&compare, store));
    assert_true(hash_map_insert(compare.map, at, right));
    assert_true(found_equal(&compare, store));

    assert_int_equal(trn_spatial_array_remove(compare.array, at), TRN_RESULT_OK);
    assert_false(found_equal(&compare, store));
    assert_int_equal(trn_spatial_array_insert(compare.array, at, &wrong), TRN_RESULT_OK);
    assert_false(found_equal(&compare, store));
    assert_int_equal(trn_spatial_array_remove(compare.array, at), TRN_RESULT_OK);
    assert_int_equal(trn_spatial_array_insert(compare.array, at, &right), TRN_RESULT_OK);
    assert_true(found_equal(&compare, store));

    if (compare.flat_map) {
        hash_map_remove(compare.flat_map, at);
        assert_false(found_equal(&compare, store));
        assert_true(hash_map_insert(compare.flat_map, at, wrong));
        assert_false(found_equal(&compare, store));
        assert_true(hash_map_insert(compare.flat_map, at, right));
        assert_true(found_equal(&compare, store));
        // Two wrong: their number is right, and no chunk comes twice.
        const TrnCoord beyond = {5, 0, 0};
        TrnChunk *outside;
        assert_int_equal(trn_store_insert_uniform(store, beyond, TRN_BLOCK_AIR, &outside),
                         TRN_RESULT_OK);
        assert_true(hash_map_insert(compare.flat_map, at, outside));
        assert_false(found_equal(&compare, store));
        assert_true(hash_map_insert(compare.flat_map, at, right));
        assert_int_equal(trn_store_remove(store, beyond), TRN_RESULT_OK);
        assert_true(found_equal(&compare, store));
    }

    // One chunk too many, after all others.
    const TrnCoord beyond = {4, 1, 0};
    assert_true(hash_map_insert(compare.map, beyond, wrong));
    assert_false(found_equal(&compare, store));
    hash_map_remove(compare.map, beyond);
    assert_int_equal(trn_spatial_array_insert(compare.array, beyond, &wrong), TRN_RESULT_OK);
    assert_false(found_equal(&compare, store));
    gather_compare_free(&compare);
    trn_store_destroy(store);
}

static void a_frame_that_asks_a_wrong_map_is_seen(void **state)
{
    (void)state;
    GatherCompare compare;
    TrnStore *store = make_compare(&compare);
    const TrnCoord at = {4, 0, 0}, other = {0, 0, 0};
    assert_true(found_equal(&compare, store));
    for (int who = GATHER_INDEX; who < GATHER_CHOICES; who++) {
        if (gather_compare_use(&compare, (GatherContender)who)) {
            assert_true(found_equal(&compare, store));
        }
    }
    assert_int_equal(compare.used, GATHER_MAP);
    assert_true(hash_map_insert(compare.map, at, trn_store_find(store, other)));
    assert_false(found_equal(&compare, store));
    gather_compare_free(&compare);
    trn_store_destroy(store);
}

/// A browser's clock has long steps, within which each is asked many times.
static void a_coarse_clock_times_all(void **state)
{
    (void)state;
    GatherCompare compare;
    TrnStore *store = make_compare(&compare);
    assert_true(compare.least_us == 0); // the clock here is fine
    compare.least_us = 200;
    const double begin = clock_us();
    assert_true(found_equal(&compare, store));
    const double took_us = clock_us() - begin;
    double least_us = 0;
    for (int who = 0; who < GATHER_COUNT; who++) {
        if (compare.figures.asked[who]) {
            least_us += compare.least_us;
            assert_true(compare.figures.us[who] > 0 && compare.figures.us[who] < took_us);
        }
    }
    assert_true(took_us >= 2 * GATHER_CHOICES * least_us);
    hash_map_remove(compare.map, (TrnCoord){4, 0, 0});
    assert_false(found_equal(&compare, store));
    gather_compare_free(&compare);
    trn_store_destroy(store);
}

static void a_chunk_that_nobody_was_told_of_is_seen(void **state)
{
    (void)state;
    GatherCompare compare;
    TrnStore *store = make_compare(&compare);
    trn_store_remove(store, (TrnCoord){0, 0, 0});
    gather_compare_note(&compare, (TrnCoord){0, 0, 0}, NULL);
    assert_int_equal(trn_store_insert_uniform(store, (TrnCoord){0, 0, 0}, TRN_BLOCK_AIR, NULL),
                     TRN_RESULT_OK);
    assert_false(found_equal(&compare, store));
    gather_compare_free(&compare);
    trn_store_destroy(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_gathers_agree_while_chunks_come_and_go),
        cmocka_unit_test(an_answer_with_one_wrong_chunk_is_seen),
        cmocka_unit_test(a_frame_that_asks_a_wrong_map_is_seen),
        cmocka_unit_test(a_coarse_clock_times_all),
        cmocka_unit_test(a_chunk_that_nobody_was_told_of_is_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
