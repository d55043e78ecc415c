// Edits of voxels against a plain array: every operation, every width and every change of
// width, with each set of kernels.

#include "heap_fixture.h"
#include "voxels/voxel_heap_impl.h"

/// The sets of kernels that a test takes in turn.
#if defined(TRN_VECTORS)
static const char *const kernel_names[] = {TRN_CPU_VECTORS_NAME, "scalar"};
#else
static const char *const kernel_names[] = {"AVX-512", "AVX2", "scalar"};
#endif
#define KERNELS (sizeof kernel_names / sizeof *kernel_names)

/// Compares a diff in both directions with the plain arrays.
static void check_diff(TrnSnapshot a, const TrnBlock *of_a, TrnSnapshot b, const TrnBlock *of_b)
{
    static uint32_t expected[TRN_CHUNK_ROWS], rows[TRN_CHUNK_ROWS];
    uint32_t count = 0;
    memset(expected, 0, sizeof expected);
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        const uint32_t differs = of_a[i] != of_b[i];
        expected[i / 32] |= differs << i % 32;
        count += differs;
    }
    for (int way = 0; way < 2; way++) {
        memset(rows, 0xA5, sizeof rows);
        assert_int_equal(trn_snapshot_diff(way ? b : a, way ? a : b, rows), count);
        assert_memory_equal(rows, expected, sizeof rows);
    }
}

static void check_rows(Fixture *fixture, const TestChunk *chunk, TestRandom *random)
{
    const TrnSnapshot snapshot = trn_voxels_snapshot(&chunk->voxels);
    for (uint32_t i = 0; i < 64; i++) {
        const uint32_t y = (uint32_t)test_random_range(random, 0, 31);
        const uint32_t z = (uint32_t)test_random_range(random, 0, 31);
        trn_snapshot_decode_row(snapshot, y, z, fixture->scratch);
        assert_memory_equal(fixture->scratch, chunk->blocks + trn_local_index(0, y, z), 64);
    }
}

/// Checks the palette entries of some rows, and which voxels of some half-layers are of a random
/// set of entries.
static void check_entries(const TestChunk *chunk, TestRandom *random)
{
    const TrnSnapshot snapshot = trn_voxels_snapshot(&chunk->voxels);
    if (!trn_snapshot_has_palette(snapshot)) {
        return;
    }
    TrnPalette palette;
    trn_snapshot_palette(snapshot, &palette);
    const uint32_t row = (uint32_t)test_random_range(random, 0, TRN_CHUNK_ROWS - 1);
    const uint32_t count = (uint32_t)test_random_range(random, 1, TRN_CHUNK_ROWS - row);
    static uint8_t entries[TRN_CHUNK_VOXELS];
    static uint32_t rows[TRN_CHUNK_ROWS];
    uint32_t set[8];
    for (int i = 0; i < 8; i++) {
        set[i] = (uint32_t)test_random_next(random);
    }
    trn_snapshot_entries(snapshot, row, count, entries);
    const uint64_t halves = test_random_next(random);
    const uint64_t found = trn_snapshot_match_halves(snapshot, halves, set, rows);
    assert_true((found & ~halves) == 0);
    for (uint32_t i = 0; i < count * 32; i++) {
        const uint32_t entry = entries[i], at = row * 32 + i;
        assert_int_equal(palette.blocks[entry], chunk->blocks[at]);
        if (halves >> at / 512 & 1) {
            const uint32_t has = found >> at / 512 & 1 ? rows[at / 32] >> at % 32 & 1 : 0;
            assert_int_equal(has, set[entry / 32] >> entry % 32 & 1);
        }
    }
}

static void check_chunk(Fixture *fixture, const TestChunk *chunk, TestRandom *random)
{
    test_check_chunk(chunk, &fixture->bits);
    check_identity(fixture, chunk);
    check_rows(fixture, chunk, random);
    check_entries(chunk, random);
}

// ---- random edits ------------------------------------------------------------------------------

static void do_sets(TrnVoxelEdit *edit, TrnBlock *model, TestRandom *random, uint32_t variety)
{
    const uint32_t count = (uint32_t)test_random_range(random, 1, 600);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t index = (uint32_t)test_random_range(random, 0, TRN_CHUNK_VOXELS - 1);
        const TrnBlock block = random_block(random, variety);
        assert_int_equal(trn_voxel_edit_set(edit, index, block), TRN_RESULT_OK);
        model[index] = block;
        assert_int_equal(trn_voxel_edit_get(edit, index), block);
    }
}

static void do_fill(TrnVoxelEdit *edit, TrnBlock *model, TestRandom *random, uint32_t variety)
{
    uint32_t min[3], max[3];
    random_box(random, min, max);
    const TrnBlock block = random_block(random, variety);
    assert_int_equal(trn_voxel_edit_fill_box(edit, min, max, block), TRN_RESULT_OK);
    model_fill(model, min, max, block);
}

static void do_fill_mask(TrnVoxelEdit *edit, TrnBlock *model, TestRandom *random, uint32_t variety)
{
    uint32_t mask[TRN_CHUNK_ROWS];
    test_random_mask(random, mask);
    const TrnBlock block = random_block(random, variety);
    assert_int_equal(trn_voxel_edit_fill_mask(edit, mask, block), TRN_RESULT_OK);
    model_fill_mask(model, mask, block);
}

static void do_copy(Fixture *fixture, TrnVoxelEdit *edit, TrnBlock *model, TestRandom *random)
{
    const TestChunk *source = &fixture->chunks[test_random_next(random) % CHUNKS];
    // The source may be the chunk before the edit, with the model of that time.
    static TrnBlock before[TRN_CHUNK_VOXELS];
    const TrnSnapshot from = trn_voxels_snapshot(&source->voxels);
    trn_snapshot_decode(from, before);
    uint32_t to_min[3], from_min[3], size[3];
    for (int axis = 0; axis < 3; axis++) {
        size[axis] = (uint32_t)test_random_range(random, 1, 32);
        to_min[axis] = (uint32_t)test_random_range(random, 0, 32 - size[axis]);
        from_min[axis] = (uint32_t)test_random_range(random, 0, 32 - size[axis]);
    }
    assert_int_equal(trn_voxel_edit_copy_box(edit, to_min, from, from_min, size), TRN_RESULT_OK);
    for (uint32_t y = 0; y < size[1]; y++) {
        for (uint32_t z = 0; z < size[2]; z++) {
            for (uint32_t x = 0; x < size[0]; x++) {
                model[trn_local_index(to_min[0] + x, to_min[1] + y, to_min[2] + z)] =
                    before[trn_local_index(from_min[0] + x, from_min[1] + y, from_min[2] + z)];
            }
        }
    }
}

static void do_replace(TrnVoxelEdit *edit, TrnBlock *model, TestRandom *random, uint32_t variety)
{
    const TrnBlock from = test_random_next(random) % 4 ? model[test_random_next(random) % VOXELS]
                                                       : random_block(random, variety);
    const TrnBlock to = random_block(random, variety + 2);
    assert_int_equal(trn_voxel_edit_replace(edit, from, to), TRN_RESULT_OK);
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        model[i] = model[i] == from ? to : model[i];
    }
}

static void do_one(Fixture *fixture, TrnVoxelEdit *edit, TrnBlock *model, TestRandom *random,
                   uint32_t variety)
{
    switch (test_random_next(random) % 15) {
    case 0:
    case 1:
    case 2:
        do_fill(edit, model, random, variety);
        break;
    case 12:
    case 13:
    case 14:
        do_fill_mask(edit, model, random, variety);
        break;
    case 3:
    case 4:
        do_copy(fixture, edit, model, random);
        break;
    case 5:
    case 6:
    case 7:
        do_replace(edit, model, random, variety);
        break;
    case 8:
        test_random_blocks(random, variety, model);
        assert_int_equal(trn_voxel_edit_encode(edit, model), TRN_RESULT_OK);
        break;
    default:
        do_sets(edit, model, random, variety);
    }
}

/// Makes one edit with many changes, and commits or cancels it.
static void edit_batch(Fixture *fixture, TestChunk *chunk, TestRandom *random)
{
    static const uint32_t varieties[] = {1, 2, 3, 4, 5, 12, 16, 17, 18, 100, 255, 260, 700, 20000};
    static TrnBlock model[TRN_CHUNK_VOXELS];
    const uint32_t variety = varieties[test_random_next(random) % 14];
    TrnVoxelEdit edit;
    memcpy(model, chunk->blocks, sizeof model);
    trn_voxel_edit_begin(&edit, fixture->heap, &chunk->voxels);
    if (test_random_next(random) % 3 == 0) {
        test_random_blocks(random, variety, model);
        assert_int_equal(trn_voxel_edit_encode(&edit, model), TRN_RESULT_OK);
    }
    for (uint64_t left = test_random_next(random) % 5; left > 0; left--) {
        do_one(fixture, &edit, model, random, variety);
        for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i += 1 + i % 13) {
            assert_int_equal(trn_voxel_edit_get(&edit, i), model[i]);
        }
        // Until the commit the chunk is unchanged.
        const TrnSnapshot now = trn_voxels_snapshot(&chunk->voxels);
        assert_int_equal(trn_snapshot_get(now, 4711), chunk->blocks[4711]);
        // A diff after an edit meets renamed, widened and unused entries.
        const TrnSnapshot then = trn_edit_now(trn_edit_state(&edit));
        check_diff(now, chunk->blocks, then, model);
    }
    if (test_random_next(random) % 8 == 0) {
        trn_voxel_edit_cancel(&edit);
        return;
    }
    if (trn_voxel_edit_commit(&edit, ++fixture->revision)) {
        chunk->revision = fixture->revision;
    } else {
        assert_memory_equal(model, chunk->blocks, sizeof model);
    }
    memcpy(chunk->blocks, model, sizeof model);
}

static void random_edits_agree_with_a_plain_array(const char *kernels, uint64_t seed)
{
    Fixture *fixture = fixture_create(0);
    TestRandom random = test_random_seeded(seed);
    if (!trn_voxel_heap_use_kernels(fixture->heap, kernels)) {
        fixture_destroy(fixture);
        skip();
        return;
    }
    assert_string_equal(fixture->heap->kernels->name, kernels);
    bool seen[17] = {false}, moved[17][17] = {{false}};
    for (uint32_t batch = 0; batch < test_rounds(400, 200); batch++) {
        TestChunk *chunk = &fixture->chunks[test_random_next(&random) % CHUNKS];
        const uint32_t before = trn_snapshot_bits(trn_voxels_snapshot(&chunk->voxels));
        edit_batch(fixture, chunk, &random);
        check_chunk(fixture, chunk, &random);
        const uint32_t after = trn_snapshot_bits(trn_voxels_snapshot(&chunk->voxels));
        seen[after] = moved[before][after] = true;
    }
    uint32_t ways = 0;
    for (uint32_t i = 0; i < 17 * 17; i++) {
        ways += moved[i / 17][i % 17];
    }
    print_message("  %u ways between widths\n", ways);
    assert_true(seen[0] && seen[1] && seen[2] && seen[4] && seen[8] && seen[16]);
    for (uint32_t i = 0; i < CHUNKS; i++) {
        trn_voxels_fill(fixture->heap, &fixture->chunks[i].voxels, 3, 9);
    }
    assert_int_equal(trn_voxel_heap_stats(fixture->heap).payloads, 0);
    fixture_destroy(fixture);
}

static void random_edits_with_avx512_agree_with_a_plain_array(void **state)
{
    (void)state;
    random_edits_agree_with_a_plain_array("AVX-512", 51);
}

static void random_edits_with_avx2_agree_with_a_plain_array(void **state)
{
    (void)state;
    random_edits_agree_with_a_plain_array("AVX2", 52);
}

static void random_edits_with_vectors_of_16_bytes_agree_with_a_plain_array(void **state)
{
    (void)state;
    random_edits_agree_with_a_plain_array(TRN_CPU_VECTORS_NAME, 54);
}

static void random_edits_with_scalar_kernels_agree_with_a_plain_array(void **state)
{
    (void)state;
    random_edits_agree_with_a_plain_array("scalar", 53);
}

static void a_mask_is_filled_at_every_width_even_with_a_full_palette(void **state)
{
    (void)state;
    Fixture *fixture = fixture_create(0);
    TestRandom random = test_random_seeded(63);
    static const uint32_t types[] = {1, 2, 3, 4, 5, 16, 17, 33, 255, 256, 257, 5000};
    TestChunk *chunk = &fixture->chunks[0];
    for (uint32_t round = 0; round < test_rounds(240, 60); round++) {
        // Other kernels for every round; a machine without them keeps the last.
        (void)trn_voxel_heap_use_kernels(fixture->heap, kernel_names[round % KERNELS]);
        test_random_blocks(&random, types[round / KERNELS % 12], chunk->blocks);
        assert_int_equal(trn_voxels_encode(fixture->heap, &chunk->voxels, chunk->blocks, 0),
                         TRN_RESULT_OK);
        uint32_t mask[TRN_CHUNK_ROWS];
        test_random_mask(&random, mask);
        const bool is_new = test_random_next(&random) % 2;
        const TrnBlock block = is_new ? (TrnBlock)test_random_next(&random) : chunk->blocks[9];
        TrnVoxelEdit edit;
        trn_voxel_edit_begin(&edit, fixture->heap, &chunk->voxels);
        static TrnBlock before[TRN_CHUNK_VOXELS];
        memcpy(before, chunk->blocks, sizeof before);
        model_fill_mask(chunk->blocks, mask, block);
        const bool is_changed = memcmp(before, chunk->blocks, sizeof before) != 0;
        assert_int_equal(trn_voxel_edit_fill_mask(&edit, mask, block), TRN_RESULT_OK);
        assert_int_equal(trn_edit_state(&edit)->is_changed, is_changed);
        // A second time it changes nothing.
        const TrnPayload *copy = trn_edit_state(&edit)->copy;
        assert_int_equal(trn_voxel_edit_fill_mask(&edit, mask, block), TRN_RESULT_OK);
        assert_ptr_equal(trn_edit_state(&edit)->copy, copy);
        chunk->revision = is_changed ? round : 0;
        assert_int_equal(trn_voxel_edit_commit(&edit, round), is_changed);
        check_chunk(fixture, chunk, &random);
    }
    fixture_destroy(fixture);
}

static void filling_with_the_same_block_makes_no_copy(void **state)
{
    (void)state;
    static const uint32_t types[] = {1, 2, 16, 200, 256, 900};
    Fixture *fixture = fixture_create(0);
    TestRandom random = test_random_seeded(64);
    TestChunk *chunk = &fixture->chunks[0];
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        test_random_blocks(&random, types[i], chunk->blocks);
        assert_int_equal(trn_voxels_encode(fixture->heap, &chunk->voxels, chunk->blocks, 0),
                         TRN_RESULT_OK);
        uint32_t mask[TRN_CHUNK_ROWS] = {0};
        TrnVoxelEdit edit;
        trn_voxel_edit_begin(&edit, fixture->heap, &chunk->voxels);
        assert_int_equal(trn_voxel_edit_fill_mask(&edit, mask, 12345), TRN_RESULT_OK);
        for (uint32_t v = 0; v < TRN_CHUNK_VOXELS; v++) {
            mask[v / 32] |= (uint32_t)(chunk->blocks[v] == chunk->blocks[700]) << v % 32;
        }
        assert_int_equal(trn_voxel_edit_fill_mask(&edit, mask, chunk->blocks[700]), TRN_RESULT_OK);
        const uint32_t at[3] = {700 % 32, 0, 700 / 32};
        assert_int_equal(trn_voxel_edit_fill_box(&edit, at, at, chunk->blocks[700]), TRN_RESULT_OK);
        assert_null(trn_edit_state(&edit)->copy);
        assert_false(trn_voxel_edit_commit(&edit, 1));
        assert_int_equal(trn_voxel_edit_fill_mask(&edit, mask, 3), TRN_RESULT_BAD_ARGUMENT);
        check_chunk(fixture, chunk, &random);
    }
    fixture_destroy(fixture);
}

/// Chunks of all pairs of type counts: with different palettes, common palettes, and palettes as
/// edits leave them.
static void a_diff_finds_exactly_the_voxels_that_differ(void **state)
{
    (void)state;
    Fixture *fixture = fixture_create(0);
    TestRandom random = test_random_seeded(65);
    static const uint32_t types[] = {1, 2, 3, 4, 5, 16, 17, 64, 254, 255, 256, 257, 9000};
    enum { TYPES = sizeof types / sizeof *types };
    TestChunk *a = &fixture->chunks[0], *b = &fixture->chunks[1];
    for (uint32_t round = 0; round < KERNELS * TYPES * TYPES; round += test_rounds(1, 7)) {
        (void)trn_voxel_heap_use_kernels(fixture->heap, kernel_names[round % KERNELS]);
        test_random_blocks(&random, types[round / KERNELS % TYPES], a->blocks);
        assert_int_equal(trn_voxels_encode(fixture->heap, &a->voxels, a->blocks, 0), TRN_RESULT_OK);
        (void)trn_voxel_heap_use_kernels(fixture->heap,
                                         kernel_names[test_random_next(&random) % KERNELS]);
        const bool is_kin = test_random_next(&random) % 2;
        test_random_blocks(&random, types[round / KERNELS / TYPES], b->blocks);
        // Related chunks differ in a few voxels.
        for (uint32_t i = 0; i < TRN_CHUNK_VOXELS && is_kin; i++) {
            const bool is_other = i >> 9 == round % 64;
            b->blocks[i] = is_other ? b->blocks[i] : a->blocks[i];
        }
        assert_int_equal(trn_voxels_encode(fixture->heap, &b->voxels, b->blocks, 0), TRN_RESULT_OK);
        TrnSnapshot of_a = trn_voxels_snapshot(&a->voxels);
        TrnSnapshot of_b = trn_voxels_snapshot(&b->voxels);
        check_diff(of_a, a->blocks, of_b, b->blocks);
        check_diff(of_a, a->blocks, of_a, a->blocks);
        const TrnBlock block = (TrnBlock)(a->blocks[round] + (round % 8 == 7));
        for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
            fixture->scratch[i] = block;
        }
        check_diff(of_a, a->blocks, trn_snapshot_of(block, 5), fixture->scratch);
    }
    fixture_destroy(fixture);
}

static void every_number_of_types_takes_the_least_width_and_shrinks_again(void **state)
{
    (void)state;
    Fixture *fixture = fixture_create(0);
    TestRandom random = test_random_seeded(54);
    TestChunk *chunk = &fixture->chunks[0];
    const uint32_t types[] = {1, 2, 3, 4, 5, 16, 17, 256, 257, 32768};
    for (size_t from = 0; from < 10; from++) {
        for (size_t to = 0; to < 10; to += test_rounds(1, 3)) {
            test_random_blocks(&random, types[from], chunk->blocks);
            chunk->revision = from;
            assert_int_equal(trn_voxels_encode(fixture->heap, &chunk->voxels, chunk->blocks, from),
                             TRN_RESULT_OK);
            test_check_chunk(chunk, &fixture->bits);
            // Then changes it to another, block by block.
            TrnVoxelEdit edit;
            test_random_blocks(&random, types[to], chunk->blocks);
            trn_voxel_edit_begin(&edit, fixture->heap, &chunk->voxels);
            for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
                assert_int_equal(trn_voxel_edit_set(&edit, i, chunk->blocks[i]), TRN_RESULT_OK);
            }
            trn_voxel_edit_commit(&edit, chunk->revision = to);
            test_check_chunk(chunk, &fixture->bits);
        }
    }
    trn_voxels_fill(fixture->heap, &chunk->voxels, 0, 0);
    assert_int_equal(trn_voxel_heap_stats(fixture->heap).payloads, 0);
    fixture_destroy(fixture);
}

static void two_open_edits_keep_their_palettes_apart(void **state)
{
    (void)state;
    Fixture *fixture = fixture_create(0);
    TestRandom random = test_random_seeded(55);
    TrnVoxelEdit edits[2];
    for (int i = 0; i < 2; i++) {
        trn_voxel_edit_begin(&edits[i], fixture->heap, &fixture->chunks[i].voxels);
    }
    for (int step = 0; step < 20000; step++) {
        const int i = (int)(test_random_next(&random) % 2);
        const uint32_t index = (uint32_t)test_random_range(&random, 0, TRN_CHUNK_VOXELS - 1);
        // Both get the same blocks in different orders.
        const TrnBlock block = (TrnBlock)(test_random_next(&random) % (i ? 14 : 200));
        assert_int_equal(trn_voxel_edit_set(&edits[i], index, block), TRN_RESULT_OK);
        fixture->chunks[i].blocks[index] = block;
    }
    for (int i = 0; i < 2; i++) {
        assert_true(trn_voxel_edit_commit(&edits[i], 5));
        fixture->chunks[i].revision = 5;
        check_chunk(fixture, &fixture->chunks[i], &random);
    }
    fixture_destroy(fixture);
}

/// Blocks with ids equal modulo 256 replace each other in the edit's table of known blocks.
static void blocks_that_replace_each_other_in_the_known_table_are_written(void **state)
{
    (void)state;
    Fixture *fixture = fixture_create(0);
    TestRandom random = test_random_seeded(60);
    TestChunk *chunk = &fixture->chunks[0];
    TrnVoxelEdit edit;
    trn_voxel_edit_begin(&edit, fixture->heap, &chunk->voxels);
    for (uint32_t step = 0; step < test_rounds(40000, 8000); step++) {
        const uint32_t index = (uint32_t)test_random_range(&random, 0, TRN_CHUNK_VOXELS - 1);
        // First a few types that replace each other in turn, in the end more than 256.
        const uint32_t high = (uint32_t)test_random_next(&random) % 7;
        const uint32_t low =
            (uint32_t)test_random_next(&random) % (1 + step / test_rounds(800, 160));
        const TrnBlock block = (TrnBlock)(high << 8 | low);
        assert_int_equal(trn_voxel_edit_set(&edit, index, block), TRN_RESULT_OK);
        chunk->blocks[index] = block;
        assert_int_equal(trn_voxel_edit_get(&edit, index), block);
        if (step % 500 == 0) {
            // Another block reuses the entry.
            const TrnBlock from = chunk->blocks[index], to = (TrnBlock)(from ^ 0x4000);
            assert_int_equal(trn_voxel_edit_replace(&edit, from, to), TRN_RESULT_OK);
            for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
                chunk->blocks[i] = chunk->blocks[i] == from ? to : chunk->blocks[i];
            }
            assert_true(trn_voxel_edit_commit(&edit, ++chunk->revision));
            check_chunk(fixture, chunk, &random);
            trn_voxel_edit_begin(&edit, fixture->heap, &chunk->voxels);
        }
    }
    assert_true(trn_voxel_edit_commit(&edit, ++chunk->revision));
    check_chunk(fixture, chunk, &random);
    fixture_destroy(fixture);
}

static void set_in_test_bits(uint32_t *bits, TrnBlock block, bool is_set)
{
    bits[block / 32] = (bits[block / 32] & ~(UINT32_C(1) << block % 32)) | (uint32_t)is_set
                                                                               << block % 32;
}

/// A placeholder is filled in while a palette holds it, unused or in voxels that change next.
static void masks_follow_a_type_that_was_filled_in_later(void **state)
{
    (void)state;
    const TrnBlock unknown = 300, stone = 1;
    for (int is_held = 0; is_held < 2; is_held++) {
        Fixture *fixture = fixture_create(0);
        TestChunk *chunk = &fixture->chunks[0];
        set_in_test_bits(fixture->bits.solid, unknown, true);
        set_in_test_bits(fixture->bits.opaque, unknown, true);
        TrnVoxelEdit edit;
        trn_voxel_edit_begin(&edit, fixture->heap, &chunk->voxels);
        assert_int_equal(trn_voxel_edit_set(&edit, 5, unknown), TRN_RESULT_OK);
        assert_int_equal(trn_voxel_edit_set(&edit, 6, unknown), TRN_RESULT_OK);
        assert_int_equal(trn_voxel_edit_set(&edit, 7, stone), TRN_RESULT_OK);
        if (!is_held) {
            assert_int_equal(trn_voxel_edit_set(&edit, 5, 0), TRN_RESULT_OK);
            assert_int_equal(trn_voxel_edit_set(&edit, 6, 0), TRN_RESULT_OK);
        }
        assert_true(trn_voxel_edit_commit(&edit, 1));

        set_in_test_bits(fixture->bits.opaque, unknown, false); // as glass: solid, not opaque
        trn_voxel_edit_begin(&edit, fixture->heap, &chunk->voxels);
        assert_int_equal(trn_voxel_edit_set(&edit, 20, stone), TRN_RESULT_OK);
        assert_int_equal(trn_voxel_edit_set(&edit, 5, is_held ? 0 : unknown), TRN_RESULT_OK);
        assert_int_equal(trn_voxel_edit_set(&edit, 6, stone), TRN_RESULT_OK);
        assert_true(trn_voxel_edit_commit(&edit, 2));
        const TrnSnapshot now = trn_voxels_snapshot(&chunk->voxels);
        const uint32_t solid = *trn_snapshot_solid(now, fixture->bits.solid, 0);
        const uint32_t opaque = *trn_snapshot_opaque(now, fixture->bits.opaque, 0);
        const uint32_t stones = UINT32_C(1) << 6 | UINT32_C(1) << 7 | UINT32_C(1) << 20;
        assert_int_equal(solid, stones | (is_held ? 0 : UINT32_C(1) << 5));
        assert_int_equal(opaque, stones);
        fixture_destroy(fixture);
    }
}

static void counts_need_no_buffer_at_capacity_0(void **state)
{
    (void)state;
    Fixture *fixture = fixture_create(0);
    TestRandom random = test_random_seeded(61);
    static const uint32_t varieties[] = {1, 2, 16, 400};
    for (size_t i = 0; i < sizeof varieties / sizeof *varieties; i++) {
        TestChunk *chunk = &fixture->chunks[0];
        test_random_blocks(&random, varieties[i], chunk->blocks);
        assert_int_equal(trn_voxels_encode(fixture->heap, &chunk->voxels, chunk->blocks, 0),
                         TRN_RESULT_OK);
        TrnBlockCount counts[400];
        const TrnSnapshot now = trn_voxels_snapshot(&chunk->voxels);
        const uint32_t found = trn_snapshot_counts(now, NULL, 0);
        assert_int_equal(found, trn_snapshot_counts(now, counts, 400));
        assert_in_range(found, 1, varieties[i]);
    }
    fixture_destroy(fixture);
}

/// Finds the chunks that a mask touches, voxel by voxel.
static uint32_t model_around(const uint32_t *mask)
{
    uint32_t around = 0;
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        const int at[3] = {(int)(i & 31), (int)(i >> 5 & 31), (int)(i >> 10)}; // x, z, y
        for (int n = 0; n < 27 && mask[i / 32] >> i % 32 & 1; n++) {
            const int by[3] = {n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1};
            bool lies_there = true;
            for (int axis = 0; axis < 3; axis++) {
                lies_there &= by[axis] == 0 || at[axis] == (by[axis] < 0 ? 0 : 31);
            }
            around |= (uint32_t)lies_there << n;
        }
    }
    return around;
}

static void a_mask_touches_exactly_the_chunks_that_its_voxels_touch(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(66);
    uint32_t mask[TRN_CHUNK_ROWS] = {0};
    assert_int_equal(trn_mask_around(mask), 0);
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i += test_rounds(1, 7)) {
        mask[i / 32] = UINT32_C(1) << i % 32;
        assert_int_equal(trn_mask_around(mask), model_around(mask));
        mask[i / 32] = 0;
    }
    for (uint32_t round = 0; round < test_rounds(300, 100); round++) {
        test_random_mask(&random, mask);
        assert_int_equal(trn_mask_around(mask), model_around(mask));
        // Random single voxels of the border.
        memset(mask, 0, sizeof mask);
        for (uint64_t left = test_random_next(&random) % 4; left > 0; left--) {
            static const uint32_t places[] = {0, 0, 31, 31, 1, 17, 30};
            const uint32_t x = places[test_random_next(&random) % 7];
            const uint32_t y = places[test_random_next(&random) % 7];
            mask[y * 32 + places[test_random_next(&random) % 7]] |= UINT32_C(1) << x;
        }
        assert_int_equal(trn_mask_around(mask), model_around(mask));
    }
    memset(mask, 0xFF, sizeof mask);
    assert_int_equal(trn_mask_around(mask), (1u << 27) - 1);
}

// ---- calls without effect ----------------------------------------------------------------------

static void a_new_chunk_is_air_and_a_commit_without_a_change_publishes_nothing(void **state)
{
    (void)state;
    Fixture *fixture = fixture_create(0);
    TestChunk *chunk = &fixture->chunks[0];
    test_check_chunk(chunk, &fixture->bits);
    const uint32_t low[3] = {0, 0, 0}, high[3] = {31, 31, 31}, part[3] = {7, 8, 9};
    for (int round = 0; round < 2; round++) {
        const uint64_t before = chunk->voxels.word;
        TrnVoxelEdit edit;
        trn_voxel_edit_begin(&edit, fixture->heap, &chunk->voxels);
        assert_int_equal(trn_voxel_edit_set(&edit, 5, chunk->blocks[5]), TRN_RESULT_OK);
        assert_int_equal(trn_voxel_edit_fill_box(&edit, low, part, chunk->blocks[0]),
                         TRN_RESULT_OK);
        assert_int_equal(trn_voxel_edit_replace(&edit, 77, 78), TRN_RESULT_OK);
        assert_int_equal(trn_voxel_edit_replace(&edit, chunk->blocks[0], chunk->blocks[0]),
                         TRN_RESULT_OK);
        if (round == 0) {
            assert_int_equal(trn_voxel_edit_fill_box(&edit, low, high, 0), TRN_RESULT_OK);
        }
        // Copies equal blocks, from the same chunk and from another.
        const uint32_t whole[3] = {32, 32, 32}, size[3] = {3, 2, 1};
        const TrnSnapshot now = trn_voxels_snapshot(&chunk->voxels);
        assert_int_equal(trn_voxel_edit_copy_box(&edit, low, now, low, whole), TRN_RESULT_OK);
        assert_int_equal(trn_voxel_edit_copy_box(&edit, low, now, part, size), TRN_RESULT_OK);
        assert_int_equal(trn_voxel_edit_encode(&edit, chunk->blocks), TRN_RESULT_OK);
        assert_int_equal(trn_voxel_heap_stats(fixture->heap).payloads, (uint32_t)round);
        assert_false(trn_voxel_edit_commit(&edit, 99));
        assert_int_equal(chunk->voxels.word, before);
        // After the end every call is refused.
        assert_int_equal(trn_voxel_edit_set(&edit, 5, 6), TRN_RESULT_BAD_ARGUMENT);
        assert_int_equal(trn_voxel_edit_fill_box(&edit, low, high, 6), TRN_RESULT_BAD_ARGUMENT);
        assert_int_equal(trn_voxel_edit_replace(&edit, 0, 6), TRN_RESULT_BAD_ARGUMENT);
        assert_int_equal(trn_voxel_edit_encode(&edit, chunk->blocks), TRN_RESULT_BAD_ARGUMENT);
        assert_false(trn_voxel_edit_commit(&edit, 99));
        trn_voxel_edit_cancel(&edit);
        assert_int_equal(chunk->voxels.word, before);
        chunk->blocks[TRN_CHUNK_VOXELS - 1] = 4;
        assert_int_equal(trn_voxels_encode(fixture->heap, &chunk->voxels, chunk->blocks, 1),
                         TRN_RESULT_OK);
    }
    fixture_destroy(fixture);
}

static void indices_and_boxes_out_of_range_are_refused(void **state)
{
    (void)state;
    Fixture *fixture = fixture_create(0);
    TestChunk *chunk = &fixture->chunks[0];
    TestRandom random = test_random_seeded(56);
    for (int round = 0; round < 3; round++) {
        test_random_blocks(&random, round == 0 ? 1 : round == 1 ? 9 : 900, chunk->blocks);
        chunk->revision = (uint64_t)round;
        assert_int_equal(
            trn_voxels_encode(fixture->heap, &chunk->voxels, chunk->blocks, chunk->revision),
            TRN_RESULT_OK);
        const TrnSnapshot snapshot = trn_voxels_snapshot(&chunk->voxels);
        TrnVoxelEdit edit;
        trn_voxel_edit_begin(&edit, fixture->heap, &chunk->voxels);
        const uint32_t bad[] = {TRN_CHUNK_VOXELS, TRN_CHUNK_VOXELS + 5, UINT32_MAX, 1u << 31};
        for (size_t i = 0; i < 4; i++) {
            assert_int_equal(trn_voxel_edit_set(&edit, bad[i], 1), TRN_RESULT_BAD_ARGUMENT);
        }
        for (int axis = 0; axis < 3; axis++) {
            const uint32_t good[3] = {3, 3, 3}, one[3] = {1, 1, 1};
            const uint32_t edges[] = {32, UINT32_MAX, 0x80000000u, 2};
            for (size_t i = 0; i < 4; i++) {
                uint32_t wrong[3] = {3, 3, 3};
                wrong[axis] = edges[i]; // beyond the chunk, or before the box's other corner
                assert_int_equal(trn_voxel_edit_fill_box(&edit, good, wrong, 1),
                                 TRN_RESULT_BAD_ARGUMENT);
                if (i < 3) {
                    assert_int_equal(trn_voxel_edit_fill_box(&edit, wrong, good, 1),
                                     TRN_RESULT_BAD_ARGUMENT);
                    assert_int_equal(trn_voxel_edit_copy_box(&edit, wrong, snapshot, good, one),
                                     TRN_RESULT_BAD_ARGUMENT);
                    assert_int_equal(trn_voxel_edit_copy_box(&edit, good, snapshot, wrong, one),
                                     TRN_RESULT_BAD_ARGUMENT);
                }
                const uint32_t sizes[] = {0, 30, 33, UINT32_MAX};
                uint32_t size[3] = {1, 1, 1};
                size[axis] = sizes[i];
                assert_int_equal(trn_voxel_edit_copy_box(&edit, good, snapshot, one, size),
                                 TRN_RESULT_BAD_ARGUMENT);
            }
        }
        assert_false(trn_voxel_edit_commit(&edit, 99));
        check_chunk(fixture, chunk, &random);
    }
    fixture_destroy(fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_edits_with_avx512_agree_with_a_plain_array),
        cmocka_unit_test(random_edits_with_avx2_agree_with_a_plain_array),
        cmocka_unit_test(random_edits_with_vectors_of_16_bytes_agree_with_a_plain_array),
        cmocka_unit_test(random_edits_with_scalar_kernels_agree_with_a_plain_array),
        cmocka_unit_test(a_mask_is_filled_at_every_width_even_with_a_full_palette),
        cmocka_unit_test(filling_with_the_same_block_makes_no_copy),
        cmocka_unit_test(a_diff_finds_exactly_the_voxels_that_differ),
        cmocka_unit_test(a_mask_touches_exactly_the_chunks_that_its_voxels_touch),
        cmocka_unit_test(every_number_of_types_takes_the_least_width_and_shrinks_again),
        cmocka_unit_test(two_open_edits_keep_their_palettes_apart),
        cmocka_unit_test(blocks_that_replace_each_other_in_the_known_table_are_written),
        cmocka_unit_test(masks_follow_a_type_that_was_filled_in_later),
        cmocka_unit_test(counts_need_no_buffer_at_capacity_0),
        cmocka_unit_test(a_new_chunk_is_air_and_a_commit_without_a_change_publishes_nothing),
        cmocka_unit_test(indices_and_boxes_out_of_range_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
