// Drafts and units: whatever is drafted and written reads back, from blocks and from changed
// units of payloads, with every set of kernels.

#include "voxel_model.h"

#include "voxels/voxel_draft.h"
#include "voxels/voxel_unit.h"

typedef struct Bench {
    TrnDraftSetup setup;
    TestBits bits;
    uint8_t entry_of[65536];
    _Alignas(64) unsigned char lines[TRN_DRAFT_LINES_MAX * 64];
    TrnDraft draft;
    _Alignas(64) uint8_t entries[TRN_CHUNK_VOXELS];
    _Alignas(64) TrnBlock blocks[TRN_CHUNK_VOXELS];
    TrnPayload *now, *next;
} Bench;

static Bench *bench_create(const TrnVoxelKernels *kernels)
{
    Bench *bench = trn_aligned_alloc((sizeof(Bench) + 63) / 64 * 64, 64);
    assert_non_null(bench);
    memset(bench, 0, sizeof *bench);
    test_bits_init(&bench->bits);
    bench->setup = (TrnDraftSetup){kernels, bench->bits.solid, bench->bits.opaque, bench->entry_of,
                                   false,   bench->lines};
    bench->now = trn_aligned_alloc(TRN_PAYLOAD_BYTES_MAX, 64);
    bench->next = trn_aligned_alloc(TRN_PAYLOAD_BYTES_MAX, 64);
    return bench;
}

static void bench_destroy(Bench *bench)
{
    trn_aligned_free(bench->now);
    trn_aligned_free(bench->next);
    trn_aligned_free(bench);
}

/// Writes the draft to memory of just its size, so that reads beyond it are seen.
static void bench_write(Bench *bench)
{
    const size_t bytes = trn_draft_bytes(&bench->draft);
    assert_true(bytes <= TRN_PAYLOAD_BYTES_MAX && bytes % 64 == 0);
    TrnPayload *written = trn_aligned_alloc(bytes, 64);
    memset(written, 0xA5, bytes);
    trn_draft_write(&bench->draft, written);
    assert_int_equal(written->line_count * 64, bytes);
    trn_aligned_free(bench->now);
    bench->now = written;
}

/// @param is_exact  otherwise `any` may be set and `all` clear without need
static void check_half_mask(const TrnPayload *halves, uint32_t h, uint32_t line, uint64_t any,
                            uint64_t all, const TrnBlock *blocks, bool is_opaque, bool is_exact)
{
    const uint32_t *rows = trn_payload_line(halves, line);
    bool has_any = false, has_all = true;
    for (uint32_t i = 0; i < TRN_HALF_VOXELS; i++) {
        const bool is = is_opaque ? test_is_opaque(blocks[i]) : test_is_solid(blocks[i]);
        assert_int_equal(rows[i / 32] >> i % 32 & 1, is);
        has_any |= is;
        has_all &= is;
    }
    assert_true(is_exact ? (any >> h & 1) == has_any : (any >> h & 1) >= has_any);
    assert_true(is_exact ? (all >> h & 1) == has_all : (all >> h & 1) <= has_all);
}

/// @param loose  bit h: half-layer h was written in place and need not be exact
static void check_halves(const Bench *bench, TestRandom *random, uint64_t loose)
{
    const TrnPayload *halves = bench->now;
    const TrnVoxelKernels *kernels = bench->setup.kernels;
    static TrnBlock decoded[TRN_CHUNK_VOXELS];
    static uint8_t entries[TRN_CHUNK_VOXELS];
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        assert_int_equal(trn_payload_get(halves, i), bench->blocks[i]);
    }
    for (int i = 0; i < 4; i++) {
        const uint32_t row = i ? (uint32_t)test_random_range(random, 0, TRN_CHUNK_ROWS - 1) : 0;
        const uint32_t count =
            i ? (uint32_t)test_random_range(random, 1, TRN_CHUNK_ROWS - row) : TRN_CHUNK_ROWS;
        trn_payload_decode(halves, kernels, row, count, decoded);
        assert_memory_equal(decoded, bench->blocks + (size_t)row * 32,
                            (size_t)count * 32 * sizeof *decoded);
        if (halves->palette_count) {
            trn_payload_entries(halves, kernels, row, count, entries);
            for (uint32_t v = 0; v < count * 32; v++) {
                assert_true(entries[v] < halves->palette_count);
                assert_int_equal(trn_payload_palette(halves)[entries[v]],
                                 bench->blocks[row * 32 + v]);
            }
        }
    }
    for (uint32_t h = 0; h < TRN_CHUNK_HALVES; h++) {
        const TrnBlock *blocks = bench->blocks + (size_t)h * TRN_HALF_VOXELS;
        const bool is_exact = !(loose >> h & 1);
        check_half_mask(halves, h, halves->half[h].solid, halves->solid_any, halves->solid_all,
                        blocks, false, is_exact);
        check_half_mask(halves, h, halves->half[h].opaque, halves->opaque_any, halves->opaque_all,
                        blocks, true, is_exact);
    }
}

/// Fills the array: some layers of one block, some of a few, some of any of `types`.
static void bench_fill(Bench *bench, TestRandom *random, uint32_t types)
{
    for (uint32_t h = 0; h < TRN_CHUNK_HALVES; h++) {
        static const uint32_t few[8] = {1, 1, 1, 2, 3, 9, 30, UINT32_MAX};
        const uint32_t kind = few[test_random_range(random, 0, 7)];
        const uint32_t first = (uint32_t)test_random_range(random, 0, types - 1);
        const uint32_t own = kind < types ? kind : types;
        for (uint32_t i = 0; i < TRN_HALF_VOXELS; i++) {
            const uint32_t type = first + (uint32_t)test_random_range(random, 0, own - 1);
            bench->blocks[h * TRN_HALF_VOXELS + i] = (TrnBlock)(type % types * 37 % 65521);
        }
    }
}

static void bench_draft_whole(Bench *bench, uint32_t types)
{
    const bool has_palette = trn_draft_coded(&bench->draft, &bench->setup, bench->blocks);
    if (!has_palette) {
        trn_draft_plain(&bench->draft, &bench->setup, bench->blocks);
    }
    bench_write(bench);
    assert_true(has_palette || types > 256);
    assert_true(bench->now->palette_count <= types && (has_palette || !bench->now->palette_count));
}

/// Makes one change of a unit, and of the array. @param own  the half-layer's part of the array
static void unit_change(Bench *bench, TestRandom *random, uint32_t types, TrnVoxelUnit *unit,
                        TrnBlock *own)
{
    const uint32_t first = (uint32_t)test_random_range(random, 0, TRN_HALF_VOXELS - 1);
    const uint32_t last = (uint32_t)test_random_range(random, first, TRN_HALF_VOXELS - 1);
    const uint32_t any = (uint32_t)test_random_range(random, 0, types - 1) * 37 % 65521;
    const TrnBlock block = (TrnBlock)(test_random_range(random, 0, 1) ? any : own[first]);
    TrnBlock blocks[TRN_HALF_VOXELS];
    uint32_t rows[TRN_HALF_ROWS];
    memcpy(blocks, own, sizeof blocks);
    switch (test_random_range(random, 0, 4)) {
    case 0:
        trn_unit_fill(unit, bench->setup.kernels, first, last - first + 1, block);
        for (uint32_t at = first; at <= last; at++) {
            own[at] = block;
        }
        break;
    case 1:
        for (uint32_t row = 0; row < TRN_HALF_ROWS; row++) {
            const uint64_t bits = test_random_next(random); // a quarter of them set
            rows[row] = (uint32_t)bits & (uint32_t)(bits >> 32);
        }
        trn_unit_fill_mask(unit, bench->setup.kernels, rows, block);
        for (uint32_t at = 0; at < TRN_HALF_VOXELS; at++) {
            own[at] = rows[at / 32] >> at % 32 & 1 ? block : own[at];
        }
        break;
    case 2:
        trn_unit_replace(unit, bench->setup.kernels, own[last], block);
        for (uint32_t at = 0; at < TRN_HALF_VOXELS; at++) {
            own[at] = blocks[at] == blocks[last] ? block : own[at];
        }
        break;
    default:
        for (uint32_t at = first; at <= last; at++) {
            own[at] = (TrnBlock)(test_random_range(random, 0, types - 1) * 37 % 65521);
        }
        trn_unit_write(unit, bench->setup.kernels, first, own + first, last - first + 1);
    }
}

/// Opens a half-layer and changes it a few times.
static void unit_open_and_change(Bench *bench, TestRandom *random, uint32_t types, uint32_t h,
                                 TrnVoxelUnit *unit)
{
    TrnBlock *own = bench->blocks + (size_t)h * TRN_HALF_VOXELS, decoded[TRN_HALF_VOXELS];
    trn_unit_open(unit, bench->now, bench->setup.kernels, h);
    assert_false(unit->is_changed);
    for (int64_t left = test_random_range(random, 0, 4); left > 0; left--) {
        TrnBlock before[TRN_HALF_VOXELS];
        memcpy(before, own, sizeof before);
        const bool was_changed = unit->is_changed;
        unit_change(bench, random, types, unit, own);
        assert_int_equal(unit->is_changed, was_changed || memcmp(before, own, sizeof before) != 0);
    }
    trn_unit_decode(unit, decoded);
    assert_memory_equal(decoded, own, sizeof decoded);
    const uint32_t at = (uint32_t)test_random_range(random, 0, TRN_HALF_VOXELS - 1);
    assert_int_equal(trn_unit_get(unit, at), own[at]);
    assert_true(trn_unit_lists(unit, own[at]));
    assert_int_equal(trn_unit_lists(unit, 65530), unit->count == 0);
}

/// Changes some half-layers, and drafts the result from the others.
static void bench_change(Bench *bench, TestRandom *random, uint32_t types)
{
    static TrnVoxelUnit memory[5];
    TrnVoxelUnit *units[TRN_CHUNK_HALVES] = {NULL};
    TrnDraftUnits changed = {0, units};
    for (int64_t left = test_random_range(random, 0, 5); left > 0; left--) {
        const uint32_t h = (uint32_t)test_random_range(random, 0, TRN_CHUNK_HALVES - 1);
        if (!units[h]) {
            units[h] = &memory[left - 1];
            unit_open_and_change(bench, random, types, h, units[h]);
            changed.halves |= UINT64_C(1) << h;
        }
    }
    if (!bench->now->palette_count ||
        !trn_draft_changed(&bench->draft, &bench->setup, bench->now, changed)) {
        trn_draft_all(&bench->draft, &bench->setup, bench->now, changed);
    }
    bench_write(bench);
}

/// Writes some blocks in place, where that can be. @return bit h: half-layer h may be smaller now
static uint64_t bench_put(Bench *bench, TestRandom *random, uint32_t types)
{
    uint64_t loose = 0;
    for (int i = 0; i < 40; i++) {
        const uint32_t index = (uint32_t)test_random_range(random, 0, TRN_CHUNK_VOXELS - 1);
        // Often one of the half-layer's own.
        const uint32_t first = index / TRN_HALF_VOXELS * TRN_HALF_VOXELS;
        const uint32_t any = (uint32_t)test_random_range(random, 0, types - 1) * 37 % 65521;
        const TrnBlock block = (TrnBlock)(i % 2 ? bench->blocks[first + index * 7 % 512] : any);
        const bool is_solid = test_is_solid(block), is_opaque = test_is_opaque(block);
        uint32_t number;
        if (trn_payload_can_put(bench->now, index, block, is_solid, is_opaque, &number)) {
            const TrnBlock before = bench->blocks[index];
            const bool is_tight = trn_payload_put(bench->now, index, number, is_solid, is_opaque);
            bench->blocks[index] = block;
            bool is_left = false;
            for (uint32_t v = first; v < first + TRN_HALF_VOXELS; v++) {
                is_left |= bench->blocks[v] == before;
            }
            assert_true(is_left || !is_tight ||
                        bench->now->half[first / TRN_HALF_VOXELS].bits == 0);
            loose |= (uint64_t)!is_tight << first / TRN_HALF_VOXELS;
        }
    }
    return loose;
}

static void check_kernels(const TrnVoxelKernels *kernels, TestRandom *random)
{
    static const uint32_t types[] = {2, 3, 4, 5, 16, 17, 60, 200, 256, 257, 400, 5000};
    Bench *bench = bench_create(kernels);
    for (uint32_t i = 0; i < sizeof types / sizeof *types; i++) {
        for (int round = 0; round < 4; round++) {
            uint64_t loose = 0;
            bench_fill(bench, random, types[i]);
            bench_draft_whole(bench, types[i]);
            check_halves(bench, random, 0);
            for (int change = 0; change < 12; change++) {
                // Other types join, so that palettes grow and run over.
                bench_change(bench, random, change < 8 ? types[i] : types[i] + 40);
                loose |= bench_put(bench, random, types[i]);
                check_halves(bench, random, loose);
            }
        }
    }
    bench_destroy(bench);
}

static void what_is_written_reads_back_with_all_kernels(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(53);
    const void *kernels;
    for (size_t i = 0; (kernels = trn_kernels_at(&trn_voxel_kernels, trn_cpu_features(), i)); i++) {
        check_kernels(kernels, &random);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_reads_back_with_all_kernels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
