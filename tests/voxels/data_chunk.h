/// A chunk with block data, edited together with a plain model of it.
#pragma once

#include "data_model.h"

#include <terrane/block_data.h>

typedef struct Chunk {
    TestAllocator memory;
    TrnVoxelHeap *heap;
    TrnVoxels voxels;
    uint64_t revision;
    DataModel model;
} Chunk;

/// @param index  whose readers may read the chunk; may be NULL
static inline Chunk *chunk_create_for(TrnChunkIndex *index, size_t bytes_max)
{
    Chunk *chunk = calloc(1, sizeof *chunk);
    const TrnAllocator allocator = test_allocator(&chunk->memory);
    TrnVoxelHeapDef def = trn_voxel_heap_def();
    def.allocator = &allocator;
    def.bytes_max = bytes_max;
    def.index = index;
    assert_int_equal(trn_voxel_heap_create(&def, &chunk->heap), TRN_RESULT_OK);
    return chunk;
}

static inline Chunk *chunk_create(size_t bytes_max)
{
    return chunk_create_for(NULL, bytes_max);
}

static inline void chunk_destroy(Chunk *chunk)
{
    trn_voxel_heap_destroy(chunk->heap);
    assert_int_equal(chunk->memory.live_blocks, 0);
    free(chunk);
}

static inline TrnSnapshot chunk_now(const Chunk *chunk)
{
    return trn_voxels_snapshot(&chunk->voxels);
}

/// Sets data of one voxel in an edit of its own.
static inline TrnResult chunk_set(Chunk *chunk, uint32_t index, uint8_t tag, uint32_t size,
                                  TrnDataRule rule)
{
    TrnVoxelEdit edit;
    trn_voxel_edit_begin(&edit, chunk->heap, &chunk->voxels);
    const TrnResult result =
        trn_voxel_edit_set_data(&edit, index, model_bytes(tag, size), size, rule);
    if (result == TRN_RESULT_OK) {
        trn_voxel_edit_commit(&edit, ++chunk->revision);
        model_set_data(&chunk->model, index, tag, size, rule);
    } else {
        trn_voxel_edit_cancel(&edit);
    }
    return result;
}

static inline TrnResult chunk_set_block(Chunk *chunk, uint32_t index, TrnBlock block)
{
    TrnVoxelEdit edit;
    trn_voxel_edit_begin(&edit, chunk->heap, &chunk->voxels);
    const TrnResult result = trn_voxel_edit_set(&edit, index, block);
    if (result == TRN_RESULT_OK) {
        trn_voxel_edit_commit(&edit, ++chunk->revision);
        chunk->model.blocks[index] = block;
        model_purge(&chunk->model);
    } else {
        trn_voxel_edit_cancel(&edit);
    }
    return result;
}

/// Makes one random call, and the same change in the model if it succeeds.
static inline TrnResult random_call(TrnVoxelEdit *edit, DataModel *model, TestRandom *random)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    const uint32_t index = model_random_index(random);
    const TrnBlock block = (TrnBlock)test_random_range(random, 0, 5);
    const uint32_t from[3] = {0, index / 1024, 3}, to[3] = {20, 31, 31};
    const uint32_t low[3] = {0, 0, 0}, high[3] = {31, 31, 31};
    const uint64_t which = test_random_next(random) % 42;
    const uint8_t tag = (uint8_t)test_random_next(random);
    const uint32_t size = model_random_size(random);
    const TrnDataRule rule = model_random_rule(random);
    TrnResult result;
    if (which < 18) {
        result = trn_voxel_edit_set_data(edit, index, model_bytes(tag, size), size, rule);
        if (result == TRN_RESULT_OK) {
            model_set_data(model, index, tag, size, rule);
        }
    } else if (which < 22) {
        result = trn_voxel_edit_set_data(edit, index, NULL, 0, rule);
        if (result == TRN_RESULT_OK) {
            model->data[index] = (ModelData){0};
        }
    } else if (which < 34) {
        result = trn_voxel_edit_set(edit, index, block);
        if (result == TRN_RESULT_OK) {
            model->blocks[index] = block;
        }
    } else if (which < 36) {
        result = trn_voxel_edit_fill_box(edit, from, to, block);
        for (uint32_t i = 0; result == TRN_RESULT_OK && i < TRN_CHUNK_VOXELS; i++) {
            const bool is_in = i % 32 <= 20 && i / 32 % 32 >= 3 && i / 1024 >= from[1];
            model->blocks[i] = is_in ? block : model->blocks[i];
        }
    } else if (which < 37) {
        result = trn_voxel_edit_fill_box(edit, low, high, block);
        for (uint32_t i = 0; result == TRN_RESULT_OK && i < TRN_CHUNK_VOXELS; i++) {
            model->blocks[i] = block;
        }
    } else if (which < 39) {
        const TrnBlock other = (TrnBlock)test_random_range(random, 0, 5);
        result = trn_voxel_edit_replace(edit, block, other);
        for (uint32_t i = 0; result == TRN_RESULT_OK && i < TRN_CHUNK_VOXELS; i++) {
            model->blocks[i] = model->blocks[i] == block ? other : model->blocks[i];
        }
    } else if (which < 41) {
        result = TRN_RESULT_OK;
        for (uint32_t i = 0; i < 150 && result == TRN_RESULT_OK; i++) {
            const uint32_t at = (index + i * (tag + 1u)) % TRN_CHUNK_VOXELS;
            result = trn_voxel_edit_set_data(edit, at, model_bytes(tag, i), i, TRN_DATA_WITH_BLOCK);
            if (result == TRN_RESULT_OK) {
                model_set_data(model, at, tag, i, TRN_DATA_WITH_BLOCK);
            }
        }
    } else {
        const uint32_t types = tag % 4 == 0 ? 1 : tag % 4 == 1 ? 400 : 6; // uniform, 16 bits, other
        for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
            blocks[i] = (TrnBlock)(i * (i >> 5) % types);
        }
        result = trn_voxel_edit_encode(edit, blocks);
        if (result == TRN_RESULT_OK) {
            memcpy(model->blocks, blocks, sizeof blocks);
        }
    }
    return result;
}
