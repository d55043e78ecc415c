/// A chunk and a plain array with the same changes: the model that tests of voxels compare with.
#pragma once

#include "testing.h"

#include <terrane/voxels.h>

#include "voxels/voxel_read_internal.h"

/// Solid and opaque bits: air is neither, some blocks are one of both, the others are both.
typedef struct TestBits {
    uint32_t solid[TRN_BLOCK_BITS_WORDS], opaque[TRN_BLOCK_BITS_WORDS];
} TestBits;

static inline bool test_is_solid(TrnBlock block)
{
    return block != 0 && block % 11 != 5;
}

static inline bool test_is_opaque(TrnBlock block)
{
    return block != 0 && block % 7 != 3;
}

static inline void test_bits_init(TestBits *bits)
{
    memset(bits, 0, sizeof *bits);
    for (uint32_t block = 0; block < 65536; block++) {
        bits->solid[block / 32] |= (uint32_t)test_is_solid((TrnBlock)block) << block % 32;
        bits->opaque[block / 32] |= (uint32_t)test_is_opaque((TrnBlock)block) << block % 32;
    }
}

typedef struct TestChunk {
    TrnVoxels voxels;
    uint64_t revision;
    TrnBlock blocks[TRN_CHUNK_VOXELS];
} TestChunk;

/// The number of voxels of each block, and the number of different blocks.
static inline uint32_t test_census(const TrnBlock *blocks, uint32_t counts[65536])
{
    uint32_t types = 0;
    memset(counts, 0, 65536 * sizeof *counts);
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        types += counts[blocks[i]]++ == 0;
    }
    return types;
}

static inline uint32_t test_bits_for(uint32_t types)
{
    return types == 1     ? 0
           : types <= 2   ? 1
           : types <= 4   ? 2
           : types <= 16  ? 4
           : types <= 256 ? 8
                          : 16;
}

static inline void test_check_border(const uint32_t *mask, TrnFace face)
{
    uint32_t rows[32];
    trn_mask_border(mask, face, rows);
    const uint32_t edge = face & 1 ? 31 : 0;
    for (uint32_t a = 0; a < 32; a++) {
        for (uint32_t b = 0; b < 32; b++) {
            const uint32_t x = face / 2 == 0 ? edge : b;
            const uint32_t y = face / 2 == 1 ? edge : a;
            const uint32_t z = face / 2 == 0 ? b : face / 2 == 1 ? a : edge;
            assert_int_equal(rows[a] >> b & 1, mask[y * 32 + z] >> x & 1);
        }
    }
}

static inline void test_check_masks(TrnSnapshot snapshot, const TrnBlock *blocks,
                                    const TestBits *bits)
{
    uint32_t solid[TRN_CHUNK_ROWS], opaque[TRN_CHUNK_ROWS];
    trn_snapshot_solid_rows(snapshot, bits->solid, solid);
    trn_snapshot_opaque_rows(snapshot, bits->opaque, opaque);
    for (uint32_t half = 0; half < TRN_CHUNK_HALVES; half++) {
        const uint32_t *rows = trn_snapshot_solid(snapshot, bits->solid, half);
        const size_t first = (size_t)half * TRN_HALF_ROWS, bytes = sizeof(uint32_t[TRN_HALF_ROWS]);
        assert_int_equal((uintptr_t)rows % 64, 0);
        assert_memory_equal(rows, solid + first, bytes);
        rows = trn_snapshot_opaque(snapshot, bits->opaque, half);
        assert_memory_equal(rows, opaque + first, bytes);
    }
    for (uint32_t row = 0; row < TRN_CHUNK_ROWS; row++) {
        uint32_t solid_row = 0, opaque_row = 0;
        for (uint32_t x = 0; x < 32; x++) {
            solid_row |= (uint32_t)test_is_solid(blocks[row * 32 + x]) << x;
            opaque_row |= (uint32_t)test_is_opaque(blocks[row * 32 + x]) << x;
        }
        assert_int_equal(solid[row], solid_row);
        assert_int_equal(opaque[row], opaque_row);
    }
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        test_check_border(solid, (TrnFace)face);
        test_check_border(opaque, (TrnFace)face);
    }
}

static inline void test_check_counts(TrnSnapshot snapshot, const TrnBlock *blocks)
{
    static uint32_t counts[65536];
    static TrnBlockCount listed[TRN_CHUNK_VOXELS];
    const uint32_t types = test_census(blocks, counts);
    assert_int_equal(trn_snapshot_counts(snapshot, listed, TRN_CHUNK_VOXELS), types);
    for (uint32_t i = 0; i < types; i++) {
        assert_int_equal(listed[i].count, counts[listed[i].block]);
        assert_true(i == 0 || listed[i - 1].block < listed[i].block);
    }
    TrnBlockCount first[2] = {{9, 9}, {9, 9}};
    assert_int_equal(trn_snapshot_counts(snapshot, first, 1), types);
    assert_int_equal(first[0].block, listed[0].block);
    assert_int_equal(first[1].count, 9);
    assert_int_equal(trn_snapshot_count(snapshot, blocks[77]), counts[blocks[77]]);
    assert_int_equal(trn_snapshot_count(snapshot, 54321), counts[54321]);
}

/// Checks which rows of a chunk match a set of blocks: every third id and the first block.
static inline void test_check_match(TrnSnapshot snapshot, const TrnBlock *blocks)
{
    static uint32_t set[TRN_BLOCK_BITS_WORDS];
    static const uint32_t none[TRN_BLOCK_BITS_WORDS];
    uint32_t rows[TRN_CHUNK_ROWS];
    for (uint32_t i = 0; i < TRN_BLOCK_BITS_WORDS; i++) {
        set[i] = UINT32_C(0x49249249) << i % 3;
    }
    set[blocks[0] / 32] |= UINT32_C(1) << blocks[0] % 32;
    assert_true(trn_snapshot_may_hold(snapshot, set));
    assert_true(!trn_snapshot_may_hold(snapshot, none) || !trn_snapshot_has_palette(snapshot));
    const uint32_t first = blocks[5] % 40, count = TRN_CHUNK_ROWS - first - blocks[6] % 40;
    trn_snapshot_match(snapshot, set, first, count, rows);
    for (uint32_t i = 0; i < count * 32; i++) {
        const TrnBlock block = blocks[first * 32 + i];
        assert_int_equal(rows[i / 32] >> i % 32 & 1, set[block / 32] >> block % 32 & 1);
    }
}

/// Checks that a palette has each block that occurs, and none twice.
static inline void test_check_payload(const TrnPayload *payload, const TrnBlock *blocks)
{
    static uint32_t counts[65536];
    const TrnBlock *palette = trn_payload_palette(payload);
    const uint32_t types = test_census(blocks, counts);
    uint32_t listed = 0;
    assert_int_equal((uintptr_t)payload % 64, 0);
    for (uint32_t e = 0; e < payload->palette_count; e++) {
        listed += counts[palette[e]] != 0;
        for (uint32_t other = 0; other < e; other++) {
            assert_int_not_equal(palette[e], palette[other]);
        }
    }
    assert_true(payload->palette_count == 0 || listed == types);
}

/// Checks the bits of a payload's header that say which half-layers have solid or opaque voxels.
static inline void test_check_halves(const TrnPayload *payload, const TrnBlock *blocks)
{
    for (uint32_t h = 0; h < TRN_CHUNK_HALVES; h++) {
        uint32_t solid = 0, opaque = 0;
        for (uint32_t i = 0; i < 512; i++) {
            solid += test_is_solid(blocks[h * 512 + i]);
            opaque += test_is_opaque(blocks[h * 512 + i]);
        }
        assert_int_equal(payload->solid_any >> h & 1, solid != 0);
        assert_int_equal(payload->solid_all >> h & 1, solid == 512);
        assert_int_equal(payload->opaque_any >> h & 1, opaque != 0);
        assert_int_equal(payload->opaque_all >> h & 1, opaque == 512);
    }
}

/// Compares all of a snapshot except its width with the array.
static inline void test_check_content(TrnSnapshot snapshot, const TrnBlock *blocks,
                                      const TestBits *bits)
{
    static TrnBlock decoded[TRN_CHUNK_VOXELS];
    memset(decoded, 0x5A, sizeof decoded);
    trn_snapshot_decode(snapshot, decoded);
    assert_memory_equal(decoded, blocks, sizeof decoded);
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        assert_int_equal(trn_snapshot_get(snapshot, i), blocks[i]);
    }
    test_check_masks(snapshot, blocks, bits);
    test_check_counts(snapshot, blocks);
    test_check_match(snapshot, blocks);
    if (!trn_snapshot_is_uniform(snapshot)) {
        test_check_payload(trn_snapshot_payload(snapshot), blocks);
    }
}

/// The types of one half-layer.
static inline uint32_t test_half_types(const TrnBlock *blocks, uint32_t half)
{
    static uint32_t seen[65536], stamp;
    uint32_t types = 0;
    stamp++;
    for (uint32_t i = 0; i < 512; i++) {
        types += seen[blocks[half * 512 + i]] != stamp;
        seen[blocks[half * 512 + i]] = stamp;
    }
    return types;
}

/// Checks that each half-layer has the least width for its blocks.
static inline void test_check_narrow(TrnSnapshot snapshot, const TrnBlock *blocks)
{
    static uint32_t counts[65536];
    if (trn_snapshot_is_uniform(snapshot)) {
        assert_int_equal(test_census(blocks, counts), 1);
        return;
    }
    const TrnPayload *payload = trn_snapshot_payload(snapshot);
    test_check_halves(payload, blocks);
    for (uint32_t h = 0; h < TRN_CHUNK_HALVES; h++) {
        const uint32_t types = test_half_types(blocks, h);
        const uint32_t bits = types == 1 ? 0 : test_bits_for(types);
        // Where lists had no room, the palette stands for them, and without one plain ids.
        const bool was_crowded = payload->by_palette >> h & 1 || !payload->palette_count;
        assert_true(payload->half[h].bits == bits || (was_crowded && payload->half[h].bits > bits));
    }
}

static inline void test_check_chunk(const TestChunk *chunk, const TestBits *bits)
{
    const TrnSnapshot snapshot = trn_voxels_snapshot(&chunk->voxels);
    test_check_content(snapshot, chunk->blocks, bits);
    test_check_narrow(snapshot, chunk->blocks);
    assert_int_equal(trn_snapshot_revision(snapshot), chunk->revision);
}

/// Makes a sphere, which may leave the chunk.
static inline void test_mask_sphere(TestRandom *random, uint32_t *mask)
{
    const int64_t radius = test_random_range(random, 0, 40);
    int64_t centre[3];
    for (int axis = 0; axis < 3; axis++) {
        centre[axis] = test_random_range(random, -8, 40);
    }
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        const int64_t x = (i & 31) - centre[0], y = (i >> 10) - centre[1];
        const int64_t z = (i >> 5 & 31) - centre[2];
        mask[i / 32] |= (uint32_t)(x * x + y * y + z * z <= radius * radius) << i % 32;
    }
}

/// Makes a mask: empty, full, a single voxel, all but one, few voxels, noise, whole rows, whole
/// layers or a sphere.
static inline void test_random_mask(TestRandom *random, uint32_t mask[TRN_CHUNK_ROWS])
{
    const uint64_t kind = test_random_next(random) % 9;
    const uint32_t voxel = (uint32_t)test_random_next(random) % TRN_CHUNK_VOXELS;
    memset(mask, kind == 1 || kind == 3 ? 0xFF : 0, TRN_CHUNK_ROWS * sizeof *mask);
    if (kind == 2 || kind == 3) {
        mask[voxel / 32] ^= UINT32_C(1) << voxel % 32;
    } else if (kind == 8) {
        test_mask_sphere(random, mask);
    }
    for (uint32_t row = 0; row < TRN_CHUNK_ROWS && kind >= 4 && kind < 8; row++) {
        const uint32_t noise = (uint32_t)test_random_next(random);
        const bool is_whole = kind == 6 ? noise % 3 == 0 : row / 32 % 5 == voxel % 5;
        mask[row] = kind == 4   ? (uint32_t)(noise % 9 == 0) << noise / 9 % 32
                    : kind == 5 ? noise
                                : (is_whole ? UINT32_MAX : 0);
    }
}

/// Makes blocks with `types` different ids, each at least once if possible, in patches or as noise.
static inline void test_random_blocks(TestRandom *random, uint32_t types, TrnBlock *blocks)
{
    const TrnBlock first = (TrnBlock)test_random_next(random);
    const uint16_t step = (uint16_t)(test_random_next(random) | 1);
    types = types ? types : 1;
    const bool is_noise = test_random_next(random) & 1;
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        const uint32_t type =
            is_noise || i < types ? (uint32_t)(test_random_next(random) % types) : (i >> 7) % types;
        blocks[i] = (TrnBlock)(first + (i < types ? i : type) * step);
    }
}
