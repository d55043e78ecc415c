// Block data of many voxels of one chunk: tables grow from one part to many, share parts with the
// tables of earlier snapshots, and shrink without memory.

#include "data_chunk.h"

#include "voxels/voxel_data_table_internal.h"

/// Where the data of a chunk is.
typedef enum Layout {
    LAYOUT_RANDOM,
    LAYOUT_DENSE, ///< in four layers
    LAYOUT_ROWS,  ///< in rows far apart
    LAYOUT_COUNT
} Layout;

/// The voxel of an entry, different for each of 4,096.
static uint32_t voxel_of(Layout layout, uint32_t entry)
{
    return layout == LAYOUT_RANDOM  ? entry * 12347 % TRN_CHUNK_VOXELS
           : layout == LAYOUT_DENSE ? 9 * 1024 + entry * 1231 % TRN_DATA_VOXELS_MAX
                                    : entry / 32 * 8 % 1024 * 32 + entry % 32;
}

/// Gives voxels data, in edits of `each` voxels.
static void fill(Chunk *chunk, Layout layout, uint32_t from, uint32_t to, uint32_t each)
{
    while (from < to) {
        TrnVoxelEdit edit;
        trn_voxel_edit_begin(&edit, chunk->heap, &chunk->voxels);
        for (uint32_t i = 0; i < each && from < to; i++, from++) {
            const uint32_t index = voxel_of(layout, from);
            const uint8_t tag = (uint8_t)(from * 7);
            assert_int_equal(trn_voxel_edit_set_data(&edit, index, model_bytes(tag, from % 40),
                                                     from % 40, TRN_DATA_WITH_BLOCK),
                             TRN_RESULT_OK);
            model_set_data(&chunk->model, index, tag, from % 40, TRN_DATA_WITH_BLOCK);
        }
        assert_true(trn_voxel_edit_commit(&edit, ++chunk->revision));
    }
}

static TrnResult erase(Chunk *chunk, uint32_t index)
{
    TrnVoxelEdit edit;
    trn_voxel_edit_begin(&edit, chunk->heap, &chunk->voxels);
    const TrnResult result = trn_voxel_edit_set_data(&edit, index, NULL, 0, TRN_DATA_WITH_BLOCK);
    if (result == TRN_RESULT_OK) {
        (void)trn_voxel_edit_commit(&edit, ++chunk->revision);
        chunk->model.data[index] = (ModelData){0};
    } else {
        trn_voxel_edit_cancel(&edit);
    }
    return result;
}

/// Checks the chunk, and that the heap has no bytes of data but its own.
static void check(const Chunk *chunk)
{
    model_check_snapshot(&chunk->model, chunk_now(chunk));
    assert_int_equal(trn_voxel_heap_stats(chunk->heap).data_bytes,
                     trn_snapshot_data_bytes(chunk_now(chunk)));
}

// ---- growing and shrinking ---------------------------------------------------------------------

static void tables_of_any_size_agree_with_the_model(void **state)
{
    (void)state;
    const uint32_t counts[] = {1, 2, 63, 64, 65, 66, 500, 1100, TRN_DATA_VOXELS_MAX};
    for (Layout layout = 0; layout < LAYOUT_COUNT; layout++) {
        for (uint32_t each = 1; each < 200; each += 99) {
            Chunk *chunk = chunk_create(0);
            for (uint32_t i = 0, from = 0; i < sizeof counts / sizeof *counts; i++) {
                fill(chunk, layout, from, counts[i], each);
                from = counts[i];
                check(chunk);
            }
            assert_int_equal(chunk_set(chunk, 32767, 1, 1, TRN_DATA_STAYS), TRN_RESULT_FULL);
            for (uint32_t i = 0; i < TRN_DATA_VOXELS_MAX; i++) {
                assert_int_equal(erase(chunk, voxel_of(layout, i)), TRN_RESULT_OK);
                if (i % 512 == 0 || i + 3 > TRN_DATA_VOXELS_MAX) {
                    check(chunk);
                }
            }
            assert_true(trn_snapshot_is_uniform(chunk_now(chunk)));
            assert_int_equal(trn_voxel_heap_stats(chunk->heap).data_bytes, 0);
            chunk_destroy(chunk);
        }
    }
}

static void an_edit_copies_one_part_of_a_table(void **state)
{
    (void)state;
    for (Layout layout = 0; layout < LAYOUT_COUNT; layout++) {
        Chunk *chunk = chunk_create(0);
        fill(chunk, layout, 0, TRN_DATA_VOXELS_MAX, 64);
        const size_t before = chunk->memory.live_bytes;
        chunk->memory.peak_bytes = before;
        assert_int_equal(chunk_set(chunk, voxel_of(layout, 5), 1, 9, TRN_DATA_WITH_BLOCK),
                         TRN_RESULT_OK);
        assert_true(chunk->memory.peak_bytes - before < (size_t)6 << 10);
        check(chunk);
        chunk_destroy(chunk);
    }
}

static void few_entries_take_little_memory(void **state)
{
    (void)state;
    Chunk *chunk = chunk_create(0);
    for (uint32_t count = 1; count <= 128; count++) {
        fill(chunk, LAYOUT_RANDOM, count - 1, count, 1);
        const size_t most = count <= 64 ? 450 : 900; // one part, or 16
        const size_t each = sizeof(TrnDataEntry) + sizeof(TrnDataBlob) + 20;
        assert_true(trn_snapshot_data_bytes(chunk_now(chunk)) < most + count * each);
    }
    chunk_destroy(chunk);
}

static void an_edit_of_data_alone_keeps_blocks_of_any_width(void **state)
{
    (void)state;
    for (uint32_t types = 1; types <= 1024; types *= 4) {
        Chunk *chunk = chunk_create(0);
        for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
            chunk->model.blocks[i] = (TrnBlock)(i % types);
        }
        assert_int_equal(trn_voxels_encode(chunk->heap, &chunk->voxels, chunk->model.blocks, 1),
                         TRN_RESULT_OK);
        const uint32_t bits = trn_snapshot_bits(chunk_now(chunk));
        fill(chunk, LAYOUT_RANDOM, 0, 3, 1);
        assert_int_equal(trn_snapshot_bits(chunk_now(chunk)), bits);
        assert_int_equal(chunk_set_block(chunk, voxel_of(LAYOUT_RANDOM, 1), 5000), TRN_RESULT_OK);
        check(chunk);
        assert_int_equal(erase(chunk, voxel_of(LAYOUT_RANDOM, 0)), TRN_RESULT_OK);
        assert_int_equal(erase(chunk, voxel_of(LAYOUT_RANDOM, 2)), TRN_RESULT_OK);
        check(chunk);
        chunk_destroy(chunk);
    }
}

static void blocks_and_data_of_one_edit_come_in_any_order(void **state)
{
    (void)state;
    Chunk *chunk = chunk_create(0);
    TrnVoxelEdit edit;
    fill(chunk, LAYOUT_RANDOM, 0, 700, 64);
    const uint32_t first = voxel_of(LAYOUT_RANDOM, 3), second = voxel_of(LAYOUT_RANDOM, 4);
    trn_voxel_edit_begin(&edit, chunk->heap, &chunk->voxels);
    // Data, then its block: the data goes. The same with the block changed back: it stays.
    assert_int_equal(trn_voxel_edit_set_data(&edit, first, "a", 1, TRN_DATA_WITH_BLOCK),
                     TRN_RESULT_OK);
    assert_int_equal(trn_voxel_edit_set(&edit, first, 8), TRN_RESULT_OK);
    assert_false(trn_voxel_edit_get_data(&edit, first, NULL));
    assert_int_equal(trn_voxel_edit_set(&edit, second, 8), TRN_RESULT_OK);
    assert_int_equal(
        trn_voxel_edit_set_data(&edit, second, model_bytes(9, 2), 2, TRN_DATA_WITH_BLOCK),
        TRN_RESULT_OK);
    assert_true(trn_voxel_edit_commit(&edit, ++chunk->revision));
    chunk->model.blocks[first] = chunk->model.blocks[second] = 8;
    model_set_data(&chunk->model, second, 9, 2, TRN_DATA_WITH_BLOCK);
    model_purge(&chunk->model);
    check(chunk);
    // Data for a block that is changed back to the chunk's.
    trn_voxel_edit_begin(&edit, chunk->heap, &chunk->voxels);
    assert_int_equal(trn_voxel_edit_set(&edit, second, 7), TRN_RESULT_OK);
    assert_int_equal(trn_voxel_edit_set_data(&edit, second, "b", 1, TRN_DATA_WITH_BLOCK),
                     TRN_RESULT_OK);
    assert_int_equal(trn_voxel_edit_set(&edit, second, 8), TRN_RESULT_OK);
    assert_true(trn_voxel_edit_commit(&edit, ++chunk->revision));
    chunk->model.data[second] = (ModelData){0};
    check(chunk);
    chunk_destroy(chunk);
}

// ---- without memory ----------------------------------------------------------------------------

static void a_commit_without_memory_removes_data_of_changed_blocks(void **state)
{
    (void)state;
    const uint32_t counts[] = {1, 100, 300, 2000, TRN_DATA_VOXELS_MAX};
    for (uint32_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        Chunk *chunk = chunk_create(0);
        TrnVoxelEdit edit;
        fill(chunk, LAYOUT_RANDOM, 0, counts[i], 64);
        trn_voxel_edit_begin(&edit, chunk->heap, &chunk->voxels);
        for (uint32_t entry = 0; entry < counts[i]; entry += 37) {
            const uint32_t index = voxel_of(LAYOUT_RANDOM, entry);
            assert_int_equal(trn_voxel_edit_set(&edit, index, 3), TRN_RESULT_OK);
            chunk->model.blocks[index] = 3;
        }
        // A late addition: the memory for the commit grows with it.
        const uint32_t late = voxel_of(LAYOUT_RANDOM, counts[i] - 1);
        assert_int_equal(
            trn_voxel_edit_set_data(&edit, late, model_bytes(5, 6), 6, TRN_DATA_WITH_BLOCK),
            TRN_RESULT_OK);
        model_set_data(&chunk->model, late, 5, 6, TRN_DATA_WITH_BLOCK);
        test_fail(&chunk->memory, 1, SIZE_MAX);
        assert_true(trn_voxel_edit_commit(&edit, ++chunk->revision));
        test_fail(&chunk->memory, 0, 0);
        model_purge(&chunk->model);
        check(chunk);
        for (uint32_t entry = 0; entry < counts[i]; entry += 11) { // the table has parts again
            assert_int_equal(chunk_set(chunk, voxel_of(LAYOUT_RANDOM, entry), 3, 5, TRN_DATA_STAYS),
                             TRN_RESULT_OK);
        }
        check(chunk);
        chunk_destroy(chunk);
    }
}

/// Makes one call in an edit of its own. @param which  0: sets; 1: adds; 2: removes; 3: a block
static TrnResult call(Chunk *chunk, uint32_t which, uint32_t count)
{
    const uint32_t index = voxel_of(LAYOUT_RANDOM, which == 1 ? count : count / 2);
    return which == 2   ? erase(chunk, index)
           : which == 3 ? chunk_set_block(chunk, index, 3)
                        : chunk_set(chunk, index, 99, 17, TRN_DATA_WITH_BLOCK);
}

static void each_allocation_of_a_call_may_fail(void **state)
{
    (void)state;
    const uint32_t counts[] = {1, 63, 64, 256, 511, 1500, TRN_DATA_VOXELS_MAX - 1};
    for (uint32_t i = 0; i < sizeof counts / sizeof *counts * 4; i++) {
        Chunk *chunk = chunk_create(0);
        TrnResult result = TRN_RESULT_NO_MEMORY;
        fill(chunk, LAYOUT_RANDOM, 0, counts[i / 4], 64);
        for (size_t at = 1; result != TRN_RESULT_OK; at++) {
            trn_voxel_heap_trim(chunk->heap);
            test_fail(&chunk->memory, at, at + 1); // the second try, too
            result = call(chunk, i % 4, counts[i / 4]);
            test_fail(&chunk->memory, 0, 0);
            assert_true(result == TRN_RESULT_OK || result == TRN_RESULT_NO_MEMORY);
            check(chunk);
            assert_true(at < 200);
        }
        chunk_destroy(chunk);
    }
}

// ---- snapshots ---------------------------------------------------------------------------------

#define HELD 5

static void snapshots_stay_as_they_were(void **state)
{
    (void)state;
    TrnChunkIndex *index;
    TrnChunkReader *reader;
    DataModel *models = calloc(HELD, sizeof *models);
    TestRandom random = test_random_seeded(91);
    assert_int_equal(trn_chunk_index_create(NULL, &index), TRN_RESULT_OK);
    assert_int_equal(trn_chunk_index_reader_create(index, "test", &reader), TRN_RESULT_OK);
    Chunk *chunk = chunk_create_for(index, 0);
    const uint32_t rounds = test_rounds(120, 30);
    for (uint32_t round = 0; round < rounds; round++) {
        TrnSnapshot held[HELD];
        if (round % 16 == 0) {
            fill(chunk, (Layout)(round / 16 % LAYOUT_COUNT), 0, round % 5 * 250 + 40, 50);
        }
        trn_chunk_index_read_begin(reader);
        for (uint32_t i = 0; i < HELD; i++) {
            TrnVoxelEdit edit;
            held[i] = chunk_now(chunk);
            memcpy(&models[i], &chunk->model, sizeof *models);
            trn_voxel_edit_begin(&edit, chunk->heap, &chunk->voxels);
            for (int64_t calls = test_random_range(&random, 1, 4); calls > 0; calls--) {
                const TrnResult result = random_call(&edit, &chunk->model, &random);
                assert_true(result == TRN_RESULT_OK || result == TRN_RESULT_FULL);
            }
            trn_voxel_edit_commit(&edit, ++chunk->revision);
            model_purge(&chunk->model);
        }
        const TrnVoxelHeapStats stats = trn_voxel_heap_stats(chunk->heap);
        assert_true(stats.data_bytes - trn_snapshot_data_bytes(chunk_now(chunk)) <=
                    stats.retired_bytes);
        for (uint32_t i = 0; i < HELD; i++) {
            model_check_snapshot(&models[i], held[i]);
        }
        trn_chunk_index_read_end(reader);
        trn_chunk_index_reclaim(index);
        assert_int_equal(trn_voxel_heap_stats(chunk->heap).retired_bytes, 0);
        check(chunk);
    }
    trn_chunk_index_reader_destroy(reader);
    chunk_destroy(chunk);
    trn_chunk_index_destroy(index);
    free(models);
}

static void a_removed_chunk_retires_all_its_data(void **state)
{
    (void)state;
    TrnChunkIndex *index;
    TrnChunkReader *reader;
    assert_int_equal(trn_chunk_index_create(NULL, &index), TRN_RESULT_OK);
    assert_int_equal(trn_chunk_index_reader_create(index, "test", &reader), TRN_RESULT_OK);
    Chunk *chunk = chunk_create_for(index, 0);
    fill(chunk, LAYOUT_RANDOM, 0, 1000, 7);
    trn_chunk_index_reclaim(index);
    const size_t bytes = trn_snapshot_data_bytes(chunk_now(chunk));
    trn_chunk_index_read_begin(reader);
    assert_int_equal(chunk_set(chunk, voxel_of(LAYOUT_RANDOM, 1), 1, 30, TRN_DATA_STAYS),
                     TRN_RESULT_OK);
    const TrnVoxelHeapStats shared = trn_voxel_heap_stats(chunk->heap);
    const size_t payload = shared.payload_bytes / shared.payloads;
    assert_true(shared.retired_bytes > payload && shared.retired_bytes < payload + bytes / 8);
    trn_voxels_fill(chunk->heap, &chunk->voxels, 0, ++chunk->revision);
    const TrnVoxelHeapStats all = trn_voxel_heap_stats(chunk->heap);
    assert_int_equal(all.retired_bytes, 2 * payload + all.data_bytes);
    trn_chunk_index_read_end(reader);
    trn_chunk_index_reclaim(index);
    assert_int_equal(trn_voxel_heap_stats(chunk->heap).data_bytes, 0);
    trn_chunk_index_reader_destroy(reader);
    chunk_destroy(chunk);
    trn_chunk_index_destroy(index);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_of_any_size_agree_with_the_model),
        cmocka_unit_test(an_edit_copies_one_part_of_a_table),
        cmocka_unit_test(few_entries_take_little_memory),
        cmocka_unit_test(an_edit_of_data_alone_keeps_blocks_of_any_width),
        cmocka_unit_test(blocks_and_data_of_one_edit_come_in_any_order),
        cmocka_unit_test(a_commit_without_memory_removes_data_of_changed_blocks),
        cmocka_unit_test(each_allocation_of_a_call_may_fail),
        cmocka_unit_test(snapshots_stay_as_they_were),
        cmocka_unit_test(a_removed_chunk_retires_all_its_data),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
