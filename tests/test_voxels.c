// The voxels of one chunk against a plain array, and the built-in block types.

#include "testing.h"

#include <terrane/voxels.h>

typedef struct Fixture {
    TestAllocator memory;
    TrnPool *pool;
    TrnVoxels voxels;
    TrnBlock model[TRN_CHUNK_VOXELS];
    TrnBlock decoded[TRN_CHUNK_VOXELS];
} Fixture;

static Fixture *fixture_create(uint32_t payload_max)
{
    Fixture *fixture = calloc(1, sizeof *fixture);
    assert_non_null(fixture);
    TrnAllocator allocator = test_allocator(&fixture->memory);
    assert_int_equal(trn_voxels_pool_create(payload_max, &allocator, &fixture->pool),
                     TRN_RESULT_OK);
    return fixture;
}

static void fixture_destroy(Fixture *fixture)
{
    trn_pool_destroy(fixture->pool);
    assert_int_equal(fixture->memory.live_blocks, 0);
    free(fixture);
}

static void assert_same_as_model(Fixture *fixture)
{
    trn_voxels_decode(&fixture->voxels, fixture->decoded);
    assert_memory_equal(fixture->decoded, fixture->model, sizeof fixture->model);
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i += 37) {
        assert_int_equal(trn_voxels_get(&fixture->voxels, i), fixture->model[i]);
    }
}

static void fill_model(Fixture *fixture, TrnBlock block)
{
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        fixture->model[i] = block;
    }
}

static void a_new_chunk_is_air_without_a_payload(void **state)
{
    (void)state;
    Fixture *fixture = fixture_create(0);
    assert_null(fixture->voxels.blocks);
    assert_same_as_model(fixture);
    assert_int_equal(trn_voxels_set(&fixture->voxels, fixture->pool, 5, TRN_BLOCK_AIR),
                     TRN_RESULT_OK);
    assert_null(fixture->voxels.blocks); // nothing changed, nothing taken
    fixture_destroy(fixture);
}

static void random_edits_agree_with_a_plain_array(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(4);
    Fixture *fixture = fixture_create(1);
    for (int step = 0; step < 3000; step++) {
        uint64_t choice = test_random_next(&random) % 100;
        TrnBlock block = (TrnBlock)(test_random_next(&random) % (step % 2 ? 3 : 65536));
        if (choice < 90) {
            uint32_t index = (uint32_t)test_random_range(&random, 0, TRN_CHUNK_VOXELS - 1);
            assert_int_equal(trn_voxels_set(&fixture->voxels, fixture->pool, index, block),
                             TRN_RESULT_OK);
            fixture->model[index] = block;
        } else if (choice < 94) {
            trn_voxels_fill(&fixture->voxels, fixture->pool, block);
            fill_model(fixture, block);
            assert_null(fixture->voxels.blocks);
        } else if (choice < 97) {
            trn_voxels_compact(&fixture->voxels, fixture->pool);
        } else {
            for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
                fixture->model[i] = (TrnBlock)(test_random_next(&random) % 4);
            }
            assert_int_equal(trn_voxels_encode(&fixture->voxels, fixture->pool, fixture->model),
                             TRN_RESULT_OK);
        }
        if (step % 50 == 0) {
            assert_same_as_model(fixture);
        }
        assert_int_equal(trn_pool_stats(fixture->pool).taken, fixture->voxels.blocks != NULL);
    }
    assert_same_as_model(fixture);
    fixture_destroy(fixture);
}

static void one_block_that_differs_anywhere_keeps_the_payload(void **state)
{
    (void)state;
    Fixture *fixture = fixture_create(0);
    const size_t places[] = {0, 1, 31, 32, 1023, 1024, 16384, TRN_CHUNK_VOXELS - 1};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        fill_model(fixture, TRN_BLOCK_STONE);
        fixture->model[places[i]] = TRN_BLOCK_DIRT;
        assert_int_equal(trn_voxels_encode(&fixture->voxels, fixture->pool, fixture->model),
                         TRN_RESULT_OK);
        assert_non_null(fixture->voxels.blocks);
        assert_same_as_model(fixture);
        assert_int_equal(
            trn_voxels_set(&fixture->voxels, fixture->pool, (uint32_t)places[i], TRN_BLOCK_STONE),
            TRN_RESULT_OK);
        trn_voxels_compact(&fixture->voxels, fixture->pool);
        assert_null(fixture->voxels.blocks);
        assert_int_equal(fixture->voxels.uniform, TRN_BLOCK_STONE);
    }
    fill_model(fixture, 65535);
    assert_int_equal(trn_voxels_encode(&fixture->voxels, fixture->pool, fixture->model),
                     TRN_RESULT_OK);
    assert_null(fixture->voxels.blocks);
    assert_int_equal(trn_pool_stats(fixture->pool).taken, 0);
    fixture_destroy(fixture);
}

static void a_full_pool_or_no_memory_leaves_the_chunk_as_it_was(void **state)
{
    (void)state;
    Fixture *fixture = fixture_create(1);
    TrnVoxels other = {0};
    assert_int_equal(trn_voxels_set(&other, fixture->pool, 0, TRN_BLOCK_SAND), TRN_RESULT_OK);
    trn_voxels_fill(&fixture->voxels, fixture->pool, TRN_BLOCK_WATER);
    assert_int_equal(trn_voxels_set(&fixture->voxels, fixture->pool, 9, TRN_BLOCK_SAND),
                     TRN_RESULT_FULL);
    fixture->model[77] = TRN_BLOCK_SAND;
    assert_int_equal(trn_voxels_encode(&fixture->voxels, fixture->pool, fixture->model),
                     TRN_RESULT_FULL);
    fill_model(fixture, TRN_BLOCK_WATER);
    assert_same_as_model(fixture);
    trn_voxels_fill(&other, fixture->pool, TRN_BLOCK_AIR);
    assert_int_equal(trn_voxels_set(&fixture->voxels, fixture->pool, TRN_CHUNK_VOXELS, 1),
                     TRN_RESULT_BAD_ARGUMENT);
    trn_pool_trim(fixture->pool);
    fixture->memory.fail_at = fixture->memory.allocations + 1;
    assert_int_equal(trn_voxels_set(&fixture->voxels, fixture->pool, 9, TRN_BLOCK_SAND),
                     TRN_RESULT_NO_MEMORY);
    assert_same_as_model(fixture);
    assert_int_equal(trn_voxels_set(&fixture->voxels, fixture->pool, 9, TRN_BLOCK_SAND),
                     TRN_RESULT_OK);
    fixture_destroy(fixture);
}

static void builtin_types_are_named_and_air_is_zero(void **state)
{
    (void)state;
    uint32_t count = 0;
    const TrnBlockType *types = trn_block_types_builtin(&count);
    assert_int_equal(count, TRN_BLOCK_BUILTIN_COUNT);
    assert_string_equal(types[0].name, "terrane:air");
    assert_ptr_equal(trn_block_types_builtin(NULL), types);
    for (uint32_t a = 0; a < count; a++) {
        assert_true(strncmp(types[a].name, "terrane:", 8) == 0 && types[a].name[8] != '\0');
        assert_int_equal(types[a].kind == TRN_BLOCK_KIND_AIR, a == TRN_BLOCK_AIR);
        assert_int_equal(types[a].kind == TRN_BLOCK_KIND_LIQUID, a == TRN_BLOCK_WATER);
        for (uint32_t b = 0; b < a; b++) {
            assert_string_not_equal(types[a].name, types[b].name);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_chunk_is_air_without_a_payload),
        cmocka_unit_test(random_edits_agree_with_a_plain_array),
        cmocka_unit_test(one_block_that_differs_anywhere_keeps_the_payload),
        cmocka_unit_test(a_full_pool_or_no_memory_leaves_the_chunk_as_it_was),
        cmocka_unit_test(builtin_types_are_named_and_air_is_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
