// The voxel heap: out of memory, over budget, spare blocks, readers.

#include "heap_fixture.h"
#include "slowest_reader.h"

#include "voxels/voxel_heap_impl.h"

// ---- calls without effect ----------------------------------------------------------------------

static void revisions_are_kept_in_every_form_and_cut_to_47_bits(void **state)
{
    (void)state;
    Fixture *fixture = fixture_create(0);
    TestChunk *chunk = &fixture->chunks[0];
    const uint64_t revisions[] = {0, 1, TRN_REVISION_MAX, UINT64_MAX, UINT64_C(1) << 47};
    for (size_t i = 0; i < 5; i++) {
        const uint64_t kept = revisions[i] & TRN_REVISION_MAX;
        trn_voxels_fill(fixture->heap, &chunk->voxels, 65535, revisions[i]);
        TrnSnapshot snapshot = trn_voxels_snapshot(&chunk->voxels);
        assert_int_equal(trn_snapshot_revision(snapshot), kept);
        assert_int_equal(trn_snapshot_uniform(snapshot), 65535);
        chunk->blocks[9] = 7;
        assert_int_equal(
            trn_voxels_encode(fixture->heap, &chunk->voxels, chunk->blocks, revisions[i]),
            TRN_RESULT_OK);
        snapshot = trn_voxels_snapshot(&chunk->voxels);
        assert_int_equal(trn_snapshot_revision(snapshot), kept);
        assert_int_equal(trn_voxels_compact(fixture->heap, &chunk->voxels), TRN_RESULT_OK);
        assert_int_equal(trn_snapshot_revision(trn_voxels_snapshot(&chunk->voxels)), kept);
    }
    fixture_destroy(fixture);
}

// ---- out of memory and over budget -------------------------------------------------------------

/// Fills the blocks of every size class in `classes`, and of the heap's other pool, so that the
/// next slot needs the allocator.
static void crowd(Fixture *fixture, uint64_t classes)
{
    TrnVoxelHeap *heap = fixture->heap;
    for (uint32_t i = 0; i < TRN_VOXEL_CLASS_COUNT; i++) {
        while (classes >> i & 1) {
            const size_t before = trn_voxel_heap_class(heap, i).bytes;
            TrnPayload *payload;
            assert_int_equal(trn_voxel_heap_take(heap, trn_class_bytes(i), &payload),
                             TRN_RESULT_OK);
            assert_int_equal(payload->size_class, i);
            if (trn_voxel_heap_class(heap, i).bytes > before) {
                trn_voxel_heap_give(heap, payload);
                break;
            }
        }
    }
    trn_voxel_heap_trim(heap);
}

/// Does one operation. @param model  NULL: only the result matters
static TrnResult try_one(TrnVoxelEdit *edit, int what, TrnSnapshot source, TrnBlock *model,
                         TestRandom random)
{
    uint32_t min[3], max[3], size[3];
    random_box(&random, min, max);
    const TrnBlock block = random_block(&random, 30);
    for (int axis = 0; axis < 3; axis++) {
        size[axis] = max[axis] - min[axis] + 1;
    }
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    switch (what) {
    case 0:
        model[99] = block;
        return trn_voxel_edit_set(edit, 99, block);
    case 1:
        model_fill(model, min, max, block);
        return trn_voxel_edit_fill_box(edit, min, max, block);
    case 2:
        trn_snapshot_decode(source, blocks);
        for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
            const uint32_t at[3] = {i & 31, i >> 10, i >> 5 & 31};
            bool in = true;
            for (int axis = 0; axis < 3; axis++) {
                in &= at[axis] >= min[axis] && at[axis] <= max[axis];
            }
            model[i] = in ? blocks[i] : model[i];
        }
        return trn_voxel_edit_copy_box(edit, min, source, min, size);
    case 3: {
        const TrnBlock from = model[1234];
        for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
            model[i] = model[i] == from ? block : model[i];
        }
        return trn_voxel_edit_replace(edit, from, block);
    }
    case 4: {
        uint32_t mask[TRN_CHUNK_ROWS];
        test_random_mask(&random, mask);
        model_fill_mask(model, mask, block);
        return trn_voxel_edit_fill_mask(edit, mask, block);
    }
    default:
        test_random_blocks(&random, (uint32_t)test_random_range(&random, 1, 20), model);
        return trn_voxel_edit_encode(edit, model);
    }
}

/// Checks that a chunk is unchanged after an operation without memory, and changed once there is
/// memory.
static void a_failed_allocation_leaves_the_edit_unchanged(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(57);
    static const uint32_t varieties[] = {1, 2, 4, 16, 40, 256, 400};
    static TrnBlock now[TRN_CHUNK_VOXELS], next[TRN_CHUNK_VOXELS];
    uint32_t refused = 0, narrowed_not = 0;
    for (int round = 0; round < 260; round++) {
        Fixture *fixture = fixture_create(0);
        TestChunk *chunk = &fixture->chunks[0], *source = &fixture->chunks[1];
        test_random_blocks(&random, varieties[round % 7], chunk->blocks);
        test_random_blocks(&random, varieties[round / 7 % 7], source->blocks);
        assert_int_equal(trn_voxels_encode(fixture->heap, &chunk->voxels, chunk->blocks, 1),
                         TRN_RESULT_OK);
        assert_int_equal(trn_voxels_encode(fixture->heap, &source->voxels, source->blocks, 1),
                         TRN_RESULT_OK);
        crowd(fixture, test_random_next(&random));
        TrnVoxelEdit edit;
        memcpy(now, chunk->blocks, sizeof now);
        trn_voxel_edit_begin(&edit, fixture->heap, &chunk->voxels);
        bool changed = false;
        for (int what = 0; what < 5; what++) {
            const TestRandom seed = {test_random_next(&random)};
            const int kind = (int)(test_random_next(&random) % 6);
            memcpy(next, now, sizeof next);
            fail_from_now(&fixture->memory, true);
            TrnResult result =
                try_one(&edit, kind, trn_voxels_snapshot(&source->voxels), next, seed);
            fail_from_now(&fixture->memory, false);
            if (result != TRN_RESULT_OK) {
                assert_int_equal(result, TRN_RESULT_NO_MEMORY);
                assert_true(trn_edit_state(&edit)->is_changed ||
                            !trn_edit_state(&edit)->copy); // no copy without a change
                refused++;
                for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
                    assert_int_equal(trn_voxel_edit_get(&edit, i), now[i]);
                }
                if (round % 2) {
                    continue; // on to the commit
                }
                memcpy(next, now, sizeof next);
                assert_int_equal(
                    try_one(&edit, kind, trn_voxels_snapshot(&source->voxels), next, seed),
                    TRN_RESULT_OK);
            }
            changed |= memcmp(now, next, sizeof now) != 0;
            memcpy(now, next, sizeof now);
        }
        crowd(fixture, UINT64_MAX);
        fail_from_now(&fixture->memory, round % 3 != 0);
        const bool committed = trn_voxel_edit_commit(&edit, 2);
        assert_true(committed || !changed);
        const TrnSnapshot wide = trn_voxels_snapshot(&chunk->voxels);
        test_check_content(wide, now, &fixture->bits);
        const TrnResult compacted = trn_voxels_compact(fixture->heap, &chunk->voxels);
        if (compacted != TRN_RESULT_OK) {
            assert_int_equal(compacted, TRN_RESULT_NO_MEMORY);
            assert_int_equal(trn_voxels_snapshot(&chunk->voxels).word, wide.word);
            narrowed_not++;
        }
        fail_from_now(&fixture->memory, false);
        assert_int_equal(trn_voxels_compact(fixture->heap, &chunk->voxels), TRN_RESULT_OK);
        memcpy(chunk->blocks, now, sizeof now);
        chunk->revision = committed ? 2 : 1;
        test_check_chunk(chunk, &fixture->bits);
        check_identity(fixture, chunk);
        fixture_destroy(fixture);
    }
    print_message("  %u refused, %u not narrowed\n", refused, narrowed_not);
    assert_true(refused > 100 && narrowed_not > 0);
}

static void each_failed_allocation_of_create_is_no_memory(void **state)
{
    (void)state;
    TestAllocator memory = {0};
    const TrnAllocator allocator = test_allocator(&memory);
    TrnVoxelHeapDef def = trn_voxel_heap_def();
    def.allocator = &allocator;
    TrnVoxelHeap *heap = NULL;
    TrnResult result = TRN_RESULT_NO_MEMORY;
    size_t failures = 0;
    while (result == TRN_RESULT_NO_MEMORY) {
        memory.allocations = 0;
        memory.fail_at = ++failures;
        result = trn_voxel_heap_create(&def, &heap);
        assert_true(result == TRN_RESULT_OK || (memory.live_blocks == 0 && !heap));
    }
    assert_true(failures > 10);
    assert_int_equal(trn_voxel_heap_stats(heap).bytes, memory.live_bytes);
    trn_voxel_heap_destroy(heap);
    trn_voxel_heap_destroy(NULL);
    assert_int_equal(memory.live_blocks, 0);
    assert_int_equal(trn_voxel_heap_create(&def, NULL), TRN_RESULT_BAD_ARGUMENT);
    for (size_t bytes = 1; bytes < 100000; bytes += 9000) {
        def.bytes_max = bytes;
        memory.fail_at = 0;
        assert_int_equal(trn_voxel_heap_create(&def, &heap), TRN_RESULT_FULL);
        assert_int_equal(memory.live_blocks, 0);
    }
}

static void the_heap_keeps_its_cap_and_trims_by_itself(void **state)
{
    (void)state;
    const size_t cap = (size_t)1 << 20;
    Fixture *fixture = fixture_create(cap);
    TestRandom random = test_random_seeded(58);
    TrnVoxels voxels[200] = {{0}};
    uint32_t held = 0;
    TrnResult result = TRN_RESULT_OK;
    test_random_blocks(&random, 9, fixture->scratch);
    while (result == TRN_RESULT_OK && held < 200) {
        result = trn_voxels_encode(fixture->heap, &voxels[held++], fixture->scratch, 0);
    }
    assert_int_equal(result, TRN_RESULT_FULL);
    TrnVoxelHeapStats stats = trn_voxel_heap_stats(fixture->heap);
    assert_true(stats.bytes <= cap && stats.bytes_peak <= cap && stats.bytes > cap / 2);
    assert_int_equal(stats.bytes_max, cap);
    assert_true(trn_snapshot_is_uniform(trn_voxels_snapshot(&voxels[held - 1])));
    TrnVoxelEdit edit;
    trn_voxel_edit_begin(&edit, fixture->heap, &voxels[199]);
    assert_int_equal(trn_voxel_edit_encode(&edit, fixture->scratch), TRN_RESULT_FULL);
    trn_voxel_edit_cancel(&edit);
    // After all are removed, trimming the empty block of their class makes memory for another
    // class.
    for (uint32_t i = 0; i < held; i++) {
        trn_voxels_fill(fixture->heap, &voxels[i], 0, 0);
    }
    test_random_blocks(&random, 200, fixture->scratch);
    for (held = 0, result = TRN_RESULT_OK; result == TRN_RESULT_OK;) {
        result = trn_voxels_encode(fixture->heap, &voxels[held++], fixture->scratch, 0);
    }
    assert_int_equal(result, TRN_RESULT_FULL);
    stats = trn_voxel_heap_stats(fixture->heap);
    assert_int_equal(stats.payloads, held - 1);
    fixture_destroy(fixture);
}

static void stats_match_the_payloads_and_an_empty_heap_frees_all(void **state)
{
    (void)state;
    Fixture *fixture = fixture_create(0);
    const size_t empty = trn_voxel_heap_stats(fixture->heap).bytes;
    TrnVoxels voxels[40] = {{0}};
    for (uint32_t i = 0; i < 40; i++) {
        for (uint32_t v = 0; v < TRN_CHUNK_VOXELS; v++) {
            fixture->scratch[v] = v % 2 ? 1 : 0;
        }
        fixture->scratch[0] = i % 4 == 0 ? 3 : 0; // solid, not opaque
        assert_int_equal(trn_voxels_encode(fixture->heap, &voxels[i], fixture->scratch, 0),
                         TRN_RESULT_OK);
    }
    const TrnVoxelHeapStats stats = trn_voxel_heap_stats(fixture->heap);
    assert_int_equal(stats.payloads, 40);
    size_t bytes = 0;
    uint32_t payloads = 0;
    for (uint32_t i = 0; i < TRN_VOXEL_CLASS_COUNT; i++) {
        const TrnVoxelClassStats own = trn_voxel_heap_class(fixture->heap, i);
        payloads += own.payloads;
        bytes += own.payloads * own.payload_bytes;
        assert_int_equal(own.payload_bytes, trn_class_bytes(i));
        assert_int_equal(trn_bytes_class(trn_class_bytes(i)), i);
        assert_int_equal(trn_bytes_class(trn_class_bytes(i) + 1), i + 1);
    }
    assert_int_equal(payloads, 40);
    assert_int_equal(stats.payload_bytes, bytes);
    assert_int_equal(stats.retired_payloads, 0);
    for (uint32_t i = 0; i < 40; i++) {
        trn_voxels_fill(fixture->heap, &voxels[i], 0, 0);
    }
    trn_voxel_heap_trim(fixture->heap);
    // Only tables are left: a few hundred bytes for 4 classes.
    assert_true(trn_voxel_heap_stats(fixture->heap).bytes - empty < 8192);
    fixture_destroy(fixture);
}

static void an_emptied_heap_keeps_its_spare_blocks_and_reuses_them(void **state)
{
    (void)state;
    enum { MANY = 256 };
    const size_t kept = (size_t)8 << 20, block = (size_t)192 << 10;
    Fixture *fixture = fixture_create(0);
    TestRandom random = test_random_seeded(62);
    static TrnVoxels voxels[MANY];
    const size_t empty = trn_voxel_heap_stats(fixture->heap).bytes;
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        fixture->scratch[i] = (TrnBlock)test_random_range(&random, 0, 9999);
    }
    memset(voxels, 0, sizeof voxels);
    for (uint32_t i = 0; i < MANY; i++) {
        assert_int_equal(trn_voxels_encode(fixture->heap, &voxels[i], fixture->scratch, 0),
                         TRN_RESULT_OK);
    }
    assert_true(trn_voxel_heap_stats(fixture->heap).bytes - empty > 2 * kept);
    for (uint32_t i = 0; i < MANY; i++) {
        trn_voxels_fill(fixture->heap, &voxels[i], 0, 0);
    }
    const size_t left = trn_voxel_heap_stats(fixture->heap).bytes - empty;
    assert_in_range(left, kept - block, kept + 2 * block);
    fail_from_now(&fixture->memory, true);
    for (uint32_t i = 0; i < MANY / 3; i++) {
        assert_int_equal(trn_voxels_encode(fixture->heap, &voxels[i], fixture->scratch, 0),
                         TRN_RESULT_OK);
    }
    fail_from_now(&fixture->memory, false);
    assert_int_equal(trn_voxel_heap_stats(fixture->heap).bytes - empty, left);
    for (uint32_t i = 0; i < MANY; i++) {
        trn_voxels_fill(fixture->heap, &voxels[i], 0, 0);
    }
    trn_voxel_heap_trim(fixture->heap);
    assert_true(trn_voxel_heap_stats(fixture->heap).bytes - empty < block);
    fixture_destroy(fixture);
}

static void without_bits_every_block_except_air_is_solid_and_opaque(void **state)
{
    (void)state;
    TrnVoxelHeap *heap;
    TrnVoxels voxels = {0};
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    assert_int_equal(trn_voxel_heap_create(NULL, &heap), TRN_RESULT_OK);
    blocks[0] = 1;
    blocks[33] = 65535;
    assert_int_equal(trn_voxels_encode(heap, &voxels, blocks, 0), TRN_RESULT_OK);
    const TrnSnapshot now = trn_voxels_snapshot(&voxels);
    const uint32_t *solid = trn_snapshot_solid(now, NULL, 0);
    assert_ptr_equal(solid, trn_snapshot_opaque(now, NULL, 0));
    assert_int_equal(solid[0], 1);
    assert_int_equal(solid[1], 2);
    assert_int_equal(solid[2], 0);
    trn_voxel_heap_destroy(heap);
}

// ---- readers -----------------------------------------------------------------------------------

static void a_snapshot_in_a_section_survives_every_change_of_its_chunk(void **state)
{
    (void)state;
    TestAllocator memory = {0};
    const TrnAllocator allocator = test_allocator(&memory);
    TrnChunkIndexDef index_def = trn_chunk_index_def();
    index_def.allocator = &allocator;
    TrnChunkIndex *index;
    TrnChunkReader *reader;
    TrnVoxelHeap *heap;
    assert_int_equal(trn_chunk_index_create(&index_def, &index), TRN_RESULT_OK);
    assert_int_equal(trn_chunk_index_reader_create(index, "slow", &reader), TRN_RESULT_OK);
    TrnVoxelHeapDef def = trn_voxel_heap_def();
    def.index = index;
    def.allocator = &allocator;
    def.bytes_max = (size_t)1 << 20;
    assert_int_equal(trn_voxel_heap_create(&def, &heap), TRN_RESULT_OK);
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    TestRandom random = test_random_seeded(59);
    TrnVoxels voxels = {0};
    test_random_blocks(&random, 12, blocks);
    assert_int_equal(trn_voxels_encode(heap, &voxels, blocks, 1), TRN_RESULT_OK);
    trn_chunk_index_read_begin(reader);
    const TrnSnapshot before = trn_voxels_snapshot(&voxels);
    const uint64_t hash = trn_snapshot_hash(before);
    // Retired payloads reach the cap, and the result names the readers.
    TrnResult result = TRN_RESULT_OK;
    for (uint64_t revision = 2; result == TRN_RESULT_OK; revision++) {
        TrnVoxelEdit edit;
        trn_voxel_edit_begin(&edit, heap, &voxels);
        result = trn_voxel_edit_set(&edit, (uint32_t)revision, (TrnBlock)(blocks[revision] ^ 1));
        assert_int_equal(trn_voxel_edit_commit(&edit, revision), result == TRN_RESULT_OK);
    }
    assert_int_equal(result, TRN_RESULT_READERS);
    TrnVoxelHeapStats stats = trn_voxel_heap_stats(heap);
    assert_true(stats.retired_payloads > 10);
    assert_int_equal(stats.retired_payloads, stats.payloads - 1);
    assert_true(stats.retired_bytes > stats.retired_payloads * sizeof(TrnPayload));
    assert_slowest_reader(index, "slow");
    trn_voxels_release(heap, &voxels, NULL);
    assert_int_equal(trn_snapshot_hash(before), hash);
    const TrnSnapshot released = trn_voxels_snapshot(&voxels);
    assert_int_equal(trn_snapshot_get(released, 0), blocks[0]);
    // The section ends, and the retired payloads are freed.
    trn_chunk_index_read_end(reader);
    assert_false(trn_chunk_index_slowest_reader(index, NULL));
    trn_chunk_index_reclaim(index);
    assert_int_equal(trn_voxel_heap_stats(heap).payloads, 0);
    assert_int_equal(trn_voxel_heap_stats(heap).retired_bytes, 0);
    trn_voxel_heap_destroy(heap);
    trn_chunk_index_destroy(index);
    assert_int_equal(memory.live_blocks, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(revisions_are_kept_in_every_form_and_cut_to_47_bits),
        cmocka_unit_test(a_failed_allocation_leaves_the_edit_unchanged),
        cmocka_unit_test(each_failed_allocation_of_create_is_no_memory),
        cmocka_unit_test(the_heap_keeps_its_cap_and_trims_by_itself),
        cmocka_unit_test(stats_match_the_payloads_and_an_empty_heap_frees_all),
        cmocka_unit_test(an_emptied_heap_keeps_its_spare_blocks_and_reuses_them),
        cmocka_unit_test(without_bits_every_block_except_air_is_solid_and_opaque),
        cmocka_unit_test(a_snapshot_in_a_section_survives_every_change_of_its_chunk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
