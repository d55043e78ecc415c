// Codes and slots: voxels encoded by workers and inserted later.

#include "heap_fixture.h"

// ---- codes -------------------------------------------------------------------------------------

/// Checks the parts of a code's header that saves rely on, and that another version is refused.
static void check_code_header(const Fixture *fixture, void *code)
{
    static const uint64_t zeroes[6];
    TrnPayload *header = code;
    TrnVoxels none = {0};
    assert_memory_equal(header, zeroes, sizeof zeroes); // owner and revision
    assert_int_equal(header->code_version, TRN_VOXEL_CODE_VERSION);
    header->code_version++;
    assert_int_equal(trn_voxels_decode(fixture->heap, &none, code, 5), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_voxel_code_class(code), TRN_VOXEL_CLASS_COUNT);
    header->code_version--;
}

static void decoding_a_code_gives_the_same_as_encoding(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(71);
    Fixture *fixture = fixture_create(0);
    const uint32_t types[] = {1, 2, 3, 4, 5, 16, 17, 255, 256, 257, 400};
    _Alignas(64) static TrnBlock code[TRN_CHUNK_VOXELS];
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        const TrnBlock first = (TrnBlock)test_random_range(&random, 0, 60000);
        for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
            const uint32_t type =
                i < types[t] ? i : (uint32_t)test_random_range(&random, 0, types[t] - 1);
            fixture->scratch[i] = (TrnBlock)(first + type);
        }
        memcpy(code, fixture->scratch, sizeof code);
        const TrnVoxelCode made = trn_voxels_code(fixture->heap, code);
        assert_int_equal(made, types[t] == 1    ? TRN_VOXEL_CODE_UNIFORM
                               : types[t] > 256 ? TRN_VOXEL_CODE_BLOCKS
                                                : TRN_VOXEL_CODE_CODED);
        if (made != TRN_VOXEL_CODE_CODED) {
            assert_memory_equal(code, fixture->scratch, sizeof code);
            continue;
        }
        TrnVoxels coded = {0}, encoded = {0};
        assert_int_equal(trn_voxels_decode(fixture->heap, &coded, code, 5), TRN_RESULT_OK);
        assert_int_equal(trn_voxels_encode(fixture->heap, &encoded, fixture->scratch, 5),
                         TRN_RESULT_OK);
        const TrnSnapshot a = trn_voxels_snapshot(&coded), b = trn_voxels_snapshot(&encoded);
        const TrnPayload *pa = trn_snapshot_payload(a), *pb = trn_snapshot_payload(b);
        const size_t bytes = trn_payload_bytes(pb);
        assert_int_equal(trn_snapshot_revision(a), 5);
        assert_int_equal(pa->size_class, pb->size_class);
        assert_int_equal(pa->palette_count, pb->palette_count);
        assert_memory_equal(&pa->solid_any, &pb->solid_any, bytes - TRN_PAYLOAD_LINE);
        check_code_header(fixture, code);
        // Other bytes are refused or decode to some chunk, without harm.
        for (uint32_t i = 0; i < sizeof(TrnPayload) / sizeof(TrnBlock); i++) {
            TrnVoxels none = {0};
            const TrnBlock kept = code[i];
            code[i] = (TrnBlock)~kept;
            if (trn_voxels_decode(fixture->heap, &none, code, 6) == TRN_RESULT_OK) {
                trn_voxels_discard(fixture->heap, &none);
            } else {
                assert_true(trn_snapshot_is_uniform(trn_voxels_snapshot(&none)));
            }
            code[i] = kept;
        }
        // Without memory nothing changes.
        TrnVoxels none = {0};
        trn_voxel_heap_trim(fixture->heap);
        trn_voxels_discard(fixture->heap, &coded);
        trn_voxels_discard(fixture->heap, &encoded);
        trn_voxel_heap_trim(fixture->heap);
        fail_from_now(&fixture->memory, true);
        assert_int_equal(trn_voxels_decode(fixture->heap, &none, code, 7), TRN_RESULT_NO_MEMORY);
        fail_from_now(&fixture->memory, false);
    }
    fixture_destroy(fixture);
}

// ---- slots -------------------------------------------------------------------------------------

/// Makes a code with a number of types. @param code  [TRN_CHUNK_VOXELS], aligned to 64 bytes
static void code_of(const Fixture *fixture, TestRandom *random, uint32_t types, TrnBlock *code)
{
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        code[i] = (TrnBlock)(i < types ? i : test_random_range(random, 0, types - 1));
    }
    assert_int_equal(trn_voxels_code(fixture->heap, code), TRN_VOXEL_CODE_CODED);
}

/// Encoding makes no such code, but one from elsewhere may have a second type that no voxel uses.
static void a_code_of_one_block_is_equal_to_a_filled_chunk(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(72);
    Fixture *fixture = fixture_create(0);
    _Alignas(64) static TrnBlock code[TRN_CHUNK_VOXELS];
    code_of(fixture, &random, 2, code);
    const TrnPayload *header = (const TrnPayload *)(const void *)code;
    for (uint32_t h = 0; h < TRN_CHUNK_HALVES; h++) {
        const TrnHalf half = header->half[h];
        assert_int_equal(half.bits, 1);
        memset((unsigned char *)code + (size_t)half.fields * TRN_PAYLOAD_LINE, 0, TRN_PAYLOAD_LINE);
    }
    TrnVoxels coded = {0}, filled = {0};
    assert_int_equal(trn_voxels_decode(fixture->heap, &coded, code, 5), TRN_RESULT_OK);
    const TrnSnapshot a = trn_voxels_snapshot(&coded);
    trn_voxels_fill(fixture->heap, &filled, trn_snapshot_get(a, 0), 5);
    const TrnSnapshot b = trn_voxels_snapshot(&filled);
    assert_false(trn_snapshot_is_uniform(a));
    assert_true(trn_snapshot_is_uniform(b));
    assert_true(trn_snapshot_equal(a, b) && trn_snapshot_equal(b, a));
    assert_int_equal(trn_snapshot_hash(a), trn_snapshot_hash(b));
    // The last voxel decides as well as any other.
    ((unsigned char *)code)[header->half[63].fields * TRN_PAYLOAD_LINE + 63] = 0x80;
    TrnVoxels other = {0};
    assert_int_equal(trn_voxels_decode(fixture->heap, &other, code, 5), TRN_RESULT_OK);
    const TrnSnapshot c = trn_voxels_snapshot(&other);
    assert_false(trn_snapshot_equal(c, b) || trn_snapshot_equal(b, c));
    assert_int_not_equal(trn_snapshot_hash(c), trn_snapshot_hash(b));
    trn_voxels_discard(fixture->heap, &coded);
    trn_voxels_discard(fixture->heap, &other);
    fixture_destroy(fixture);
}

static void filling_a_slot_gives_the_same_as_decoding(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(21);
    Fixture *fixture = fixture_create(0);
    const uint32_t types[] = {2, 3, 4, 5, 16, 17, 256};
    _Alignas(64) static TrnBlock code[TRN_CHUNK_VOXELS];
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        code_of(fixture, &random, types[t], code);
        const uint32_t size_class = trn_voxel_code_class(code);
        TrnVoxels decoded = {0}, adopted = {0};
        assert_int_equal(trn_voxels_decode(fixture->heap, &decoded, code, 5), TRN_RESULT_OK);
        TrnVoxelSlot slot, other, none = {0};
        assert_int_equal(trn_voxel_slot_take(fixture->heap, size_class, &slot), TRN_RESULT_OK);
        assert_int_equal(trn_voxel_heap_class(fixture->heap, size_class).payloads, 2);
        assert_false(slot.is_filled);
        // A slot of another class, or no slot, is not written.
        const uint32_t wrong = (size_class + 1) % TRN_VOXEL_CLASS_COUNT;
        assert_int_equal(trn_voxel_slot_take(fixture->heap, wrong, &other), TRN_RESULT_OK);
        assert_int_equal(trn_voxel_slot_fill(fixture->heap, &other, code), TRN_RESULT_BAD_ARGUMENT);
        assert_int_equal(trn_voxel_slot_fill(fixture->heap, &none, code), TRN_RESULT_BAD_ARGUMENT);
        assert_false(other.is_filled);
        trn_voxel_slot_give(fixture->heap, &other);
        assert_null(other.payload);
        trn_voxel_slot_give(fixture->heap, &other);
        assert_int_equal(trn_voxel_slot_fill(fixture->heap, &slot, code), TRN_RESULT_OK);
        assert_true(slot.is_filled);
        trn_voxels_adopt(&adopted, &slot, 7);
        trn_voxel_slot_forget(fixture->heap, &slot);
        assert_null(slot.payload);
        assert_int_equal(trn_voxel_heap_stats(fixture->heap).slots, 0);
        const TrnSnapshot a = trn_voxels_snapshot(&decoded), b = trn_voxels_snapshot(&adopted);
        assert_true(trn_snapshot_equal(a, b));
        assert_int_equal(trn_snapshot_hash(a), trn_snapshot_hash(b));
        assert_int_equal(trn_snapshot_revision(b), 7);
        // The chunk is edited and freed as any other.
        TrnVoxelEdit edit;
        trn_voxel_edit_begin(&edit, fixture->heap, &adopted);
        assert_int_equal(trn_voxel_edit_set(&edit, 5, 700), TRN_RESULT_OK);
        assert_true(trn_voxel_edit_commit(&edit, 8));
        assert_int_equal(trn_snapshot_get(trn_voxels_snapshot(&adopted), 5), 700);
        trn_voxels_discard(fixture->heap, &adopted);
        trn_voxels_discard(fixture->heap, &decoded);
        assert_int_equal(trn_voxel_heap_stats(fixture->heap).payloads, 0);
    }
    memset(code, 0, sizeof code);
    assert_int_equal(trn_voxel_code_class(code), TRN_VOXEL_CLASS_COUNT);
    fixture_destroy(fixture);
}

static void slots_are_refused_without_memory_or_budget(void **state)
{
    (void)state;
    Fixture *fixture = fixture_create((size_t)400 << 10);
    TrnVoxelSlot slots[64];
    const TrnVoxelSlot untouched = {.size_class = 77};
    memcpy(&slots[0], &untouched, sizeof untouched); // including the padding
    assert_int_equal(trn_voxel_slot_take(fixture->heap, TRN_VOXEL_CLASS_COUNT, &slots[0]),
                     TRN_RESULT_BAD_ARGUMENT);
    fail_from_now(&fixture->memory, true);
    assert_int_equal(trn_voxel_slot_take(fixture->heap, 2, &slots[0]), TRN_RESULT_NO_MEMORY);
    fail_from_now(&fixture->memory, false);
    assert_memory_equal(&slots[0], &untouched, sizeof untouched);
    uint32_t count = 0;
    TrnResult result = TRN_RESULT_OK;
    while (count < 64 &&
           (result = trn_voxel_slot_take(fixture->heap, 40, &slots[count])) == TRN_RESULT_OK) {
        count++;
    }
    assert_int_equal(result, TRN_RESULT_FULL);
    assert_true(count >= 4);
    const TrnVoxelHeapStats stats = trn_voxel_heap_stats(fixture->heap);
    assert_int_equal(stats.payloads, count);
    assert_true(stats.bytes <= stats.bytes_max);
    while (count) {
        trn_voxel_slot_give(fixture->heap, &slots[--count]);
    }
    assert_int_equal(trn_voxel_heap_stats(fixture->heap).payloads, 0);
    fixture_destroy(fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decoding_a_code_gives_the_same_as_encoding),
        cmocka_unit_test(a_code_of_one_block_is_equal_to_a_filled_chunk),
        cmocka_unit_test(filling_a_slot_gives_the_same_as_decoding),
        cmocka_unit_test(slots_are_refused_without_memory_or_budget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
