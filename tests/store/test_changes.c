// The list of changes and their revisions, compared with a model.

#include "listeners.h"

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

#define MANY 5000

/// Several blocks of the list: with and without gaps, between compactions and during them.
static void changes_in_many_blocks_come_in_order_and_complete(void **state)
{
    (void)state;
    static TrnChunk *chunks[MANY], *got[MANY];
    TestRandom random = test_random_seeded(97);
    TrnStore *store = store_of(NULL);
    for (int32_t i = 0; i < MANY; i++) {
        chunks[i] = inserted(store, (TrnCoord){i % 40, i / 1600, i / 40 % 40});
    }
    for (int round = 0; round < 300; round++) {
        const int64_t most = round % 3 ? 20 : MANY - 1;
        for (int64_t left = test_random_range(&random, 0, most); left >= 0; left--) {
            TrnChunk *chunk = chunks[test_random_range(&random, 0, MANY - 1)];
            trn_store_fill(store, chunk, (TrnBlock)(round % 100 + 1));
        }
        const int64_t now = (int64_t)trn_store_revision(store);
        const uint64_t since = (uint64_t)test_random_range(
            &random, now > 2 * (int64_t)MANY ? now - 2 * (int64_t)MANY : 0, now);
        size_t expected = 0;
        for (int32_t i = 0; i < MANY; i++) {
            expected += trn_chunk_revision(chunks[i]) > since;
        }
        const size_t capacity = (size_t)test_random_range(&random, 0, MANY);
        assert_int_equal(trn_store_changed_since(store, since, got, capacity), expected);
        for (size_t i = 0; i < capacity && i < expected; i++) {
            const uint64_t before = i ? trn_chunk_revision(got[i - 1]) : since;
            assert_true(trn_chunk_revision(got[i]) > before);
        }
    }
    trn_store_destroy(store);
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

/// Growth that copies the list would allocate all of it again in one insert.
static void the_list_of_changes_grows_in_steps_of_one_size(void **state)
{
    (void)state;
    TrnStore *store = store_of(NULL);
    size_t before = trn_store_stats(store).bookkeeping_bytes;
    for (int32_t i = 0; i < 60000; i++) {
        TrnChunk *chunk = inserted(store, (TrnCoord){i % 40, i / 1600, i / 40 % 40});
        trn_store_fill(store, chunk, TRN_BLOCK_STONE);
        const size_t now = trn_store_stats(store).bookkeeping_bytes;
        assert_true(now - before < 32768);
        before = now;
    }
    trn_store_destroy(store);
}

/// An insert whose growth fails leaves the list as it was, and changes still need no memory.
static void a_failing_step_of_growth_leaves_the_list(void **state)
{
    (void)state;
    static TrnChunk *chunks[6000], *got[6000];
    TestAllocator memory = {0};
    const TrnAllocator allocator = test_allocator(&memory);
    TrnStoreDef def = trn_store_def();
    def.allocator = &allocator;
    TrnStore *store;
    uint32_t count = 0, refused = 0;
    assert_int_equal(trn_store_create(&def, &store), TRN_RESULT_OK);
    for (int32_t i = 0; count < 6000; i++) {
        const TrnCoord coord = {i % 40, i / 1600, i / 40 % 40};
        memory.allocations = 0; // each allocation fails from now on
        memory.fail_at = 1;
        memory.fail_to = SIZE_MAX;
        TrnResult result = trn_store_insert_uniform(store, coord, TRN_BLOCK_AIR, &chunks[count]);
        if (result != TRN_RESULT_OK) {
            refused++;
            assert_int_equal(trn_store_changed_since(store, 0, got, 6000), count);
            for (uint32_t change = 0; change < count; change++) {
                trn_store_fill(store, got[change], (TrnBlock)(i % 100 + 1));
            }
            memory.fail_at = memory.fail_to = 0;
            result = trn_store_insert_uniform(store, coord, TRN_BLOCK_AIR, &chunks[count]);
        }
        assert_int_equal(result, TRN_RESULT_OK);
        count++;
    }
    memory.fail_at = memory.fail_to = 0;
    assert_true(refused > 8);
    assert_int_equal(trn_store_changed_since(store, 0, got, 6000), count);
    for (uint32_t i = 0; i < count; i++) {
        assert_ptr_equal(got[i], chunks[i]);
    }
    trn_store_destroy(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changes_since_a_revision_agree_with_a_model),
        cmocka_unit_test(changes_in_many_blocks_come_in_order_and_complete),
        cmocka_unit_test(the_list_of_changes_grows_in_steps_of_one_size),
        cmocka_unit_test(a_failing_step_of_growth_leaves_the_list),
        cmocka_unit_test(thousands_of_changes_of_few_chunks_take_no_memory),
        cmocka_unit_test(the_list_of_changes_shrinks_with_the_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
