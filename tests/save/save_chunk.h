/// Shared by the tests of saves: chunks made of a few blocks, in a heap of their own.
#pragma once

#include "testing.h"

#include <terrane/voxels.h>

/// A chunk and its blocks.
typedef struct SaveChunk {
    TrnVoxelHeap *heap;
    TrnVoxels voxels;
    TrnBlock blocks[TRN_CHUNK_VOXELS];
} SaveChunk;

static inline void save_chunk_create(SaveChunk *chunk)
{
    memset(chunk, 0, sizeof *chunk);
    assert_int_equal(trn_voxel_heap_create(NULL, &chunk->heap), TRN_RESULT_OK);
}

static inline void save_chunk_destroy(SaveChunk *chunk)
{
    trn_voxel_heap_destroy(chunk->heap);
}

/// Fills a chunk with blocks 1 to `types` at random; 1 makes it uniform.
static inline TrnSnapshot save_chunk_fill(SaveChunk *chunk, TestRandom *random, uint32_t types)
{
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        // Each block at least once.
        const uint64_t pick = i < types ? i : test_random_next(random) % types;
        chunk->blocks[i] = (TrnBlock)(1 + pick);
    }
    assert_int_equal(trn_voxels_encode(chunk->heap, &chunk->voxels, chunk->blocks, 1),
                     TRN_RESULT_OK);
    return trn_voxels_snapshot(&chunk->voxels);
}
