// Every set of kernels against the scalar one, bit for bit, and the scalar one against plain loops.

#include "voxel_model.h"

#include "voxels/voxel_kernels.h"

#define ROWS ((size_t)1024)

typedef struct Bench {
    TrnBlock blocks[TRN_CHUNK_VOXELS], decoded[2][TRN_CHUNK_VOXELS];
    uint8_t entries[2][TRN_CHUNK_VOXELS], unpacked[2][TRN_CHUNK_VOXELS];
    uint8_t fields[2][TRN_CHUNK_VOXELS], entry_of[2][65536];
    uint32_t masks[2][ROWS];
    uint32_t planes[8 * ROWS];
    TrnBlock palette[256];
    TestBits bits;
} Bench;

static Bench *bench_create(void)
{
    Bench *bench = calloc(1, sizeof *bench);
    assert_non_null(bench);
    test_bits_init(&bench->bits);
    return bench;
}

#define VOXEL_KERNELS_MAX 3

/// Lists the kernels to compare with the scalar ones. The scalar ones are compared with plain
/// loops.
static size_t all_kernels(const TrnVoxelKernels *kernels[VOXEL_KERNELS_MAX])
{
    size_t count = 0;
    for (const void *at; (at = trn_kernels_at(&trn_voxel_kernels, trn_cpu_features(), count));) {
        assert_true(count < VOXEL_KERNELS_MAX);
        kernels[count++] = at;
    }
    assert_ptr_equal(kernels[count - 1], &trn_voxel_kernels_scalar);
    for (size_t i = 0; i < count; i++) {
        print_message("  %s\n", kernels[i]->name);
    }
    return count;
}

static void random_entries(Bench *bench, TestRandom *random, uint32_t count)
{
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        bench->entries[0][i] = (uint8_t)(test_random_next(random) % count);
    }
}

static void check_fields(Bench *bench, const TrnVoxelKernels *kernels, uint32_t shift, size_t rows)
{
    const uint32_t bits = 1u << shift;
    memset(bench->fields, 0xEE, sizeof bench->fields);
    kernels->pack(shift, bench->entries[0], rows, bench->fields[0]);
    for (size_t i = 0; i < rows * 32; i++) {
        const uint32_t bit = (uint32_t)i * bits;
        const uint32_t field = (uint32_t)bench->fields[0][bit / 8] >> bit % 8 & ((1u << bits) - 1);
        assert_int_equal(field, bench->entries[0][i]);
    }
    assert_int_equal(bench->fields[0][rows * 4 * bits], 0xEE);
    memset(bench->unpacked, 0xEE, sizeof bench->unpacked);
    kernels->unpack(shift, bench->fields[0], rows, bench->unpacked[0]);
    assert_memory_equal(bench->unpacked[0], bench->entries[0], rows * 32);
    assert_int_equal(bench->unpacked[0][rows * 32], 0xEE);
    memset(bench->decoded, 0xEE, sizeof bench->decoded);
    kernels->decode(shift, bench->fields[0], bench->palette, rows, bench->decoded[0]);
    for (size_t i = 0; i < rows * 32; i++) {
        assert_int_equal(bench->decoded[0][i], bench->palette[bench->entries[0][i]]);
    }
    assert_int_equal(bench->decoded[0][rows * 32], 0xEEEE);
}

static void fields_pack_unpack_and_decode_at_every_width(void **state)
{
    (void)state;
    Bench *bench = bench_create();
    TestRandom random = test_random_seeded(41);
    const TrnVoxelKernels *kernels[VOXEL_KERNELS_MAX];
    const size_t count = all_kernels(kernels);
    for (uint32_t shift = 0; shift < 4; shift++) {
        random_entries(bench, &random, 1u << (1u << shift));
        for (uint32_t e = 0; e < 256; e++) {
            bench->palette[e] = (TrnBlock)test_random_next(&random);
        }
        for (size_t i = 0; i < count; i++) {
            for (size_t rows = 1; rows < 8; rows++) {
                check_fields(bench, kernels[i], shift, rows);
            }
            check_fields(bench, kernels[i], shift, 1023);
        }
    }
    free(bench);
}

static void check_tally(Bench *bench, const TrnVoxelKernels *kernels, size_t rows,
                        uint32_t palette_count)
{
    uint32_t counts[256], expected[256], used[8] = {0}, expected_used[8] = {0};
    for (uint32_t e = 0; e < 256; e++) {
        counts[e] = expected[e] = e * 3; // kernels add to the counts
    }
    for (size_t i = 0; i < rows * 32; i++) {
        const uint32_t e = bench->entries[0][i];
        expected[e]++;
        expected_used[e / 32] |= 1u << e % 32;
    }
    kernels->tally(bench->entries[0], rows, palette_count, counts);
    assert_memory_equal(counts, expected, sizeof counts);
    kernels->used(bench->entries[0], rows, palette_count, used);
    assert_memory_equal(used, expected_used, sizeof used);
}

static void check_mask_and_map(Bench *bench, TestRandom *random, const TrnVoxelKernels *kernels,
                               size_t rows, uint32_t palette_count)
{
    uint32_t bits[8];
    uint8_t table[256];
    for (uint32_t i = 0; i < 256; i++) {
        bits[i / 32] = (uint32_t)test_random_next(random);
        table[i] = (uint8_t)test_random_next(random);
    }
    bench->masks[0][rows % ROWS] = 0xEEEEEEEE;
    kernels->mask(bench->entries[0], rows, bits, bench->masks[0]);
    memcpy(bench->unpacked[0], bench->entries[0], sizeof bench->unpacked[0]);
    kernels->map(bench->unpacked[0], rows, table, palette_count);
    for (size_t i = 0; i < rows * 32; i++) {
        const uint32_t entry = bench->entries[0][i];
        assert_int_equal(bench->masks[0][i / 32] >> i % 32 & 1, bits[entry / 32] >> entry % 32 & 1);
        assert_int_equal(bench->unpacked[0][i], table[entry]);
    }
    if (rows < ROWS) {
        assert_int_equal(bench->masks[0][rows], 0xEEEEEEEE);
        assert_memory_equal(bench->unpacked[0] + rows * 32, bench->entries[0] + rows * 32, 32);
    }
}

static void check_planes(Bench *bench, const TrnVoxelKernels *kernels, size_t rows, uint32_t bits)
{
    memset(bench->planes, 0xEE, sizeof bench->planes);
    kernels->planes(bench->entries[0], rows, bits, bench->planes);
    for (uint32_t bit = 0; bit < 8; bit++) {
        for (size_t i = 0; i < rows * 32; i++) {
            const uint32_t found = bench->planes[bit * rows + i / 32] >> i % 32 & 1;
            assert_int_equal(found, bits >> bit & 1 ? bench->entries[0][i] >> bit & 1
                                                    : 0xEEEEEEEE >> i % 32 & 1);
        }
    }
    for (size_t i = 8 * rows; i < 8 * (size_t)ROWS; i++) {
        assert_int_equal(bench->planes[i], 0xEEEEEEEE);
    }
}

static void tallies_sets_masks_maps_and_planes_agree_with_plain_loops(void **state)
{
    (void)state;
    Bench *bench = bench_create();
    TestRandom random = test_random_seeded(42);
    const TrnVoxelKernels *kernels[VOXEL_KERNELS_MAX];
    const size_t count = all_kernels(kernels);
    const uint32_t palettes[] = {1, 2, 3, 4, 5, 15, 16, 17, 31, 32, 33, 64, 65, 255, 256};
    const size_t heights[] = {1, 2, 3, 31, 32, 255, 256, 511, 1023, 1024};
    for (size_t p = 0; p < sizeof palettes / sizeof *palettes; p++) {
        random_entries(bench, &random, palettes[p]);
        if (palettes[p] == 2) {
            memset(bench->entries[0], 1, sizeof bench->entries[0]); // sums that overflow a byte
        }
        for (size_t h = 0; h < sizeof heights / sizeof *heights; h++) {
            for (size_t i = 0; i < count; i++) {
                check_tally(bench, kernels[i], heights[h], palettes[p]);
                check_mask_and_map(bench, &random, kernels[i], heights[h], palettes[p]);
                if (palettes[p] == 256 && heights[h] < 256) {
                    check_planes(bench, kernels[i], heights[h], ((uint32_t)h * 0x33 + 0x81) & 0xFF);
                }
            }
        }
    }
    free(bench);
}

static void random_masks(Bench *bench, TestRandom *random)
{
    test_random_mask(random, bench->masks[0]);
    bench->masks[0][7] = 0;
    bench->masks[0][8] = UINT32_MAX;
}

static void check_put(Bench *bench, TestRandom *random, const TrnVoxelKernels *kernels, size_t rows)
{
    const uint8_t entry = (uint8_t)test_random_next(random);
    uint8_t *entries = bench->entries[1];
    uint32_t bits = 0;
    bool is_changed = false;
    memcpy(entries, bench->entries[0], sizeof bench->entries[0]);
    const bool says_changed = kernels->put(entries, rows, bench->masks[0], entry);
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        const bool is_put = i < rows * 32 && bench->masks[0][i / 32] >> i % 32 & 1;
        bits += is_put;
        is_changed |= is_put && bench->entries[0][i] != entry;
        assert_int_equal(entries[i], is_put ? entry : bench->entries[0][i]);
    }
    assert_int_equal(says_changed, is_changed);
    assert_false(kernels->put(entries, rows, bench->masks[0], entry));
    assert_int_equal(kernels->count(bench->masks[0], rows), bits);
}

static void counting_and_writing_under_a_mask_agrees_with_plain_loops(void **state)
{
    (void)state;
    Bench *bench = bench_create();
    TestRandom random = test_random_seeded(45);
    const TrnVoxelKernels *kernels[VOXEL_KERNELS_MAX];
    const size_t count = all_kernels(kernels);
    const size_t heights[] = {0, 1, 2, 9, 31, 32, 33, 255, 1023, 1024};
    random_entries(bench, &random, 256);
    for (size_t h = 0; h < sizeof heights / sizeof *heights; h++) {
        random_masks(bench, &random);
        for (size_t i = 0; i < count; i++) {
            check_put(bench, &random, kernels[i], heights[h]);
        }
    }
    free(bench);
}

/// Makes fields of which every n-th differs, in each of its bits in turn.
static void check_differ(Bench *bench, TestRandom *random, const TrnVoxelKernels *kernels,
                         uint32_t shift, size_t rows)
{
    const uint32_t bits = 1u << shift, every = 1 + (uint32_t)(test_random_next(random) % 900);
    unsigned char *a = (unsigned char *)bench->decoded[0], *b = (unsigned char *)bench->decoded[1];
    for (size_t i = 0; i < sizeof bench->decoded[0]; i++) {
        a[i] = b[i] = (unsigned char)test_random_next(random);
    }
    memset(bench->masks, 0, sizeof bench->masks);
    for (uint32_t voxel = every - 1; voxel < TRN_CHUNK_VOXELS; voxel += every) {
        const uint32_t bit = voxel * bits + (uint32_t)(test_random_next(random) % bits);
        b[bit / 8] = (unsigned char)(b[bit / 8] ^ 1u << bit % 8);
        bench->masks[0][voxel / 32] |= (uint32_t)(voxel / 32 < rows) << voxel % 32;
    }
    if (rows < ROWS) {
        bench->masks[0][rows] = bench->masks[1][rows] = 0xEEEEEEEE;
    }
    kernels->differ(shift, a, b, rows, bench->masks[1]);
    assert_memory_equal(bench->masks[0], bench->masks[1], sizeof bench->masks[0]);
}

static void every_differing_field_has_its_bit_at_every_width(void **state)
{
    (void)state;
    Bench *bench = bench_create();
    TestRandom random = test_random_seeded(46);
    const TrnVoxelKernels *kernels[VOXEL_KERNELS_MAX];
    const size_t count = all_kernels(kernels);
    const size_t heights[] = {0, 1, 2, 3, 15, 16, 17, 32, 1023, 1024};
    for (uint32_t shift = 0; shift <= 4; shift++) {
        for (size_t h = 0; h < sizeof heights / sizeof *heights * 3; h++) {
            for (size_t i = 0; i < count; i++) {
                check_differ(bench, &random, kernels[i], shift, heights[h / 3]);
            }
        }
    }
    free(bench);
}

/// Checks entries and palette in the order of first occurrence, or the refusal of too many types.
static void check_index(Bench *bench, const TrnVoxelKernels *kernels, TestRandom *random)
{
    static uint32_t counts[65536];
    const uint32_t types = test_census(bench->blocks, counts);
    TrnVoxelIndexing indexing;
    for (uint32_t i = 0; i < 65536; i++) {
        bench->entry_of[0][i] = (uint8_t)test_random_next(random); // guesses may have any value
    }
    trn_voxel_indexing_begin(&indexing, bench->entry_of[0], test_random_next(random) % 2 != 0);
    // At once, or in parts that go on with the palette of those before.
    const size_t rows = test_random_next(random) % 2 ? TRN_CHUNK_ROWS : TRN_HALF_ROWS;
    bool fits = true;
    for (size_t row = 0; row < TRN_CHUNK_ROWS && fits; row += rows) {
        fits =
            kernels->index(bench->blocks + row * 32, rows, &indexing, bench->entries[1] + row * 32);
    }
    assert_int_equal(fits, types <= 256);
    if (types > 256) {
        return;
    }
    assert_int_equal(indexing.count, types);
    uint32_t seen = 0;
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        assert_true(bench->entries[1][i] <= seen);
        seen += bench->entries[1][i] == seen;
        assert_int_equal(indexing.palette[bench->entries[1][i]], bench->blocks[i]);
    }
    for (uint32_t e = 0; e < types; e++) {
        assert_int_equal(bench->entry_of[0][indexing.palette[e]], e);
    }
}

static void indexing_finds_every_type_in_order(void **state)
{
    (void)state;
    Bench *bench = bench_create();
    TestRandom random = test_random_seeded(43);
    const TrnVoxelKernels *kernels[VOXEL_KERNELS_MAX];
    const size_t count = all_kernels(kernels);
    const uint32_t types[] = {1, 2, 3, 4, 8, 15, 16, 17, 18, 40, 255, 256, 257, 300, 32768};
    for (uint32_t round = 0; round < 4; round++) {
        for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
            test_random_blocks(&random, types[t], bench->blocks);
            if (round == 3) { // only the last voxel has another type
                bench->blocks[TRN_CHUNK_VOXELS - 1] ^= 0x8000;
            }
            for (size_t i = 0; i < count; i++) {
                check_index(bench, kernels[i], &random);
            }
        }
    }
    free(bench);
}

static void hashes_and_masks_of_plain_blocks_agree_bit_for_bit(void **state)
{
    (void)state;
    Bench *bench = bench_create();
    TestRandom random = test_random_seeded(44);
    const TrnVoxelKernels *kernels[VOXEL_KERNELS_MAX];
    const size_t count = all_kernels(kernels);
    for (uint32_t round = 0; round < 8; round++) {
        test_random_blocks(&random, round < 4 ? 5 : 30000, bench->blocks);
        // Kernels have a fast path for low ids: some rows have only those, some one other.
        for (uint32_t i = 0; i < TRN_CHUNK_VOXELS && round % 4 == 3; i++) {
            const bool stays = i % 96 == 5 || i % 96 >= 64;
            bench->blocks[i] = stays ? bench->blocks[i] : (TrnBlock)(bench->blocks[i] % 1025);
        }
        for (size_t i = 0; i < count; i++) {
            uint64_t lanes[8], expected[8];
            for (uint32_t lane = 0; lane < 8; lane++) {
                lanes[lane] = expected[lane] = (uint64_t)lane * 77;
            }
            const size_t rows = round % 2 ? 1024 : 31;
            kernels[i]->hash(bench->blocks, rows, lanes);
            trn_voxel_kernels_scalar.hash(bench->blocks, rows, expected);
            assert_memory_equal(lanes, expected, sizeof lanes);
            kernels[i]->mask_blocks(bench->blocks, rows, bench->bits.solid, bench->masks[0]);
            for (size_t v = 0; v < rows * 32; v++) {
                assert_int_equal(bench->masks[0][v / 32] >> v % 32 & 1,
                                 test_is_solid(bench->blocks[v]));
            }
        }
    }
    free(bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_pack_unpack_and_decode_at_every_width),
        cmocka_unit_test(tallies_sets_masks_maps_and_planes_agree_with_plain_loops),
        cmocka_unit_test(counting_and_writing_under_a_mask_agrees_with_plain_loops),
        cmocka_unit_test(every_differing_field_has_its_bit_at_every_width),
        cmocka_unit_test(indexing_finds_every_type_in_order),
        cmocka_unit_test(hashes_and_masks_of_plain_blocks_agree_bit_for_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
