/// Chunks in a voxel heap, each with its plain array.
#pragma once

#include "voxel_model.h"

#include "base/cpu.h"
#include "voxels/voxel_edit_internal.h"
#include "voxels/voxel_slot_internal.h"
#include "voxels/voxels_internal.h"

static inline void fail_from_now(TestAllocator *allocator, bool fails)
{
    test_fail(allocator, fails ? 1 : 0, SIZE_MAX);
}

#define CHUNKS 3
#define VOXELS ((uint64_t)TRN_CHUNK_VOXELS)

typedef struct Fixture {
    TestAllocator memory;
    TestBits bits;
    TrnVoxelHeap *heap, *other; ///< `other` has scalar kernels, for comparing hashes
    TestChunk chunks[CHUNKS];
    TrnBlock scratch[TRN_CHUNK_VOXELS];
    uint64_t revision;
} Fixture;

static inline Fixture *fixture_create(size_t bytes_max)
{
    Fixture *fixture = calloc(1, sizeof *fixture);
    assert_non_null(fixture);
    test_bits_init(&fixture->bits);
    const TrnAllocator allocator = test_allocator(&fixture->memory);
    TrnVoxelHeapDef def = trn_voxel_heap_def();
    def.solid_bits = fixture->bits.solid;
    def.opaque_bits = fixture->bits.opaque;
    def.bytes_max = bytes_max;
    def.allocator = &allocator;
    assert_int_equal(trn_voxel_heap_create(&def, &fixture->heap), TRN_RESULT_OK);
    def.bytes_max = 0;
    assert_int_equal(trn_voxel_heap_create(&def, &fixture->other), TRN_RESULT_OK);
    assert_true(trn_voxel_heap_use_kernels(fixture->other, "scalar"));
    return fixture;
}

static inline void fixture_destroy(Fixture *fixture)
{
    trn_voxel_heap_destroy(fixture->heap);
    trn_voxel_heap_destroy(fixture->other);
    assert_int_equal(fixture->memory.live_blocks, 0);
    free(fixture);
}

/// Compares hash and equality with a chunk of the other heap, encoded from the model.
static inline void check_identity(Fixture *fixture, const TestChunk *chunk)
{
    TrnVoxels twin = {0};
    assert_int_equal(trn_voxels_encode(fixture->other, &twin, chunk->blocks, 0), TRN_RESULT_OK);
    const TrnSnapshot a = trn_voxels_snapshot(&chunk->voxels), b = trn_voxels_snapshot(&twin);
    assert_true(trn_snapshot_equal(a, b) && trn_snapshot_equal(b, a) && trn_snapshot_equal(a, a));
    assert_int_equal(trn_snapshot_hash(a), trn_snapshot_hash(b));
    uint32_t rows[TRN_CHUNK_ROWS];
    assert_int_equal(trn_snapshot_diff(a, b, rows), 0);
    const uint32_t index = (uint32_t)(chunk->revision * 7919 % VOXELS);
    TrnVoxelEdit edit;
    trn_voxel_edit_begin(&edit, fixture->other, &twin);
    assert_int_equal(trn_voxel_edit_set(&edit, index, chunk->blocks[index] ^ 1), TRN_RESULT_OK);
    assert_true(trn_voxel_edit_commit(&edit, 1));
    const TrnSnapshot c = trn_voxels_snapshot(&twin);
    assert_int_equal(trn_snapshot_diff(a, c, rows), 1);
    assert_int_equal(rows[index / 32], UINT32_C(1) << index % 32);
    assert_false(trn_snapshot_equal(a, c) || trn_snapshot_equal(c, a));
    assert_int_not_equal(trn_snapshot_hash(a), trn_snapshot_hash(c));
    trn_voxels_fill(fixture->other, &twin, 0, 0);
}

/// Chooses among few or many ids, so that a chunk takes every width.
static inline TrnBlock random_block(TestRandom *random, uint32_t variety)
{
    return (TrnBlock)(test_random_next(random) % variety * 257);
}

static inline void random_box(TestRandom *random, uint32_t min[3], uint32_t max[3])
{
    for (int axis = 0; axis < 3; axis++) {
        const uint32_t a = (uint32_t)test_random_range(random, 0, 31);
        const uint32_t b = (uint32_t)test_random_range(random, 0, 31);
        const bool is_all = test_random_next(random) % 4 == 0;
        min[axis] = is_all ? 0 : a < b ? a : b;
        max[axis] = is_all ? 31 : a < b ? b : a;
    }
}

static inline void model_fill(TrnBlock *blocks, const uint32_t min[3], const uint32_t max[3],
                              TrnBlock block)
{
    for (uint32_t y = min[1]; y <= max[1]; y++) {
        for (uint32_t z = min[2]; z <= max[2]; z++) {
            for (uint32_t x = min[0]; x <= max[0]; x++) {
                blocks[trn_local_index(x, y, z)] = block;
            }
        }
    }
}

static inline void model_fill_mask(TrnBlock *blocks, const uint32_t *mask, TrnBlock block)
{
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        blocks[i] = mask[i / 32] >> i % 32 & 1 ? block : blocks[i];
    }
}
