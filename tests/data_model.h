/// A plain model of one chunk with block data: arrays that tests compare snapshots with. Bytes
/// follow from a tag and a size, so a model of them is two numbers.
#pragma once

#include "testing.h"

#include <terrane/block_data.h>

/// The data of one voxel. All zeroes is none.
typedef struct ModelData {
    bool is_set;
    uint8_t rule;
    TrnBlock block; ///< that it belongs to
    uint32_t size;
    uint8_t tag;
} ModelData;

typedef struct DataModel {
    TrnBlock blocks[TRN_CHUNK_VOXELS];
    ModelData data[TRN_CHUNK_VOXELS];
} DataModel;

/// Bytes of a tag. Valid until the next call.
static inline const void *model_bytes(uint8_t tag, uint32_t size)
{
    static unsigned char bytes[TRN_DATA_BYTES_MAX + 1];
    assert_true(size <= sizeof bytes);
    for (uint32_t i = 0; i < size; i++) {
        bytes[i] = (unsigned char)(tag + i * 7);
    }
    return bytes;
}

/// Sets data in a model, for the block that the model has there.
static inline void model_set_data(DataModel *model, uint32_t index, uint8_t tag, uint32_t size,
                                  TrnDataRule rule)
{
    model->data[index] = (ModelData){true, (uint8_t)rule, model->blocks[index], size, tag};
}

/// Removes data whose block has changed, as a commit does.
static inline void model_purge(DataModel *model)
{
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        const ModelData *data = &model->data[i];
        if (data->is_set && data->rule == TRN_DATA_WITH_BLOCK && data->block != model->blocks[i]) {
            model->data[i] = (ModelData){0};
        }
    }
}

static inline uint32_t model_count_data(const DataModel *model)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        count += model->data[i].is_set;
    }
    return count;
}

static inline void model_check_one(const ModelData *expected, const TrnBlockData *data)
{
    assert_true(expected->is_set);
    assert_int_equal(data->size, expected->size);
    assert_int_equal(data->rule, expected->rule);
    assert_true((uintptr_t)data->bytes % 8 == 0);
    assert_memory_equal(data->bytes, model_bytes(expected->tag, expected->size), data->size);
}

/// Compares blocks and data of a snapshot with a model.
static inline void model_check_snapshot(const DataModel *model, TrnSnapshot snapshot)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    static TrnBlockData list[TRN_DATA_VOXELS_MAX];
    const uint32_t low[3] = {0, 0, 0}, high[3] = {31, 31, 31};
    trn_snapshot_decode(snapshot, blocks);
    assert_memory_equal(blocks, model->blocks, sizeof blocks);
    const uint32_t count = trn_snapshot_list_data(snapshot, low, high, list, TRN_DATA_VOXELS_MAX);
    assert_int_equal(count, model_count_data(model));
    assert_int_equal(count, trn_snapshot_count_data(snapshot));
    for (uint32_t i = 0; i < count; i++) {
        TrnBlockData found;
        assert_true(i == 0 || list[i].index > list[i - 1].index);
        model_check_one(&model->data[list[i].index], &list[i]);
        assert_true(trn_snapshot_get_data(snapshot, list[i].index, &found));
        assert_ptr_equal(found.bytes, list[i].bytes);
    }
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i += 61) {
        assert_int_equal(trn_snapshot_get_data(snapshot, i, NULL), model->data[i].is_set);
    }
}

/// A size of data: mostly small, sometimes 0 or the largest.
static inline uint32_t model_random_size(TestRandom *random)
{
    const uint64_t which = test_random_next(random) % 64;
    return which == 0   ? TRN_DATA_BYTES_MAX
           : which == 1 ? 0
                        : (uint32_t)test_random_range(random, 1, 200);
}

static inline TrnDataRule model_random_rule(TestRandom *random)
{
    return test_random_next(random) % 4 ? TRN_DATA_WITH_BLOCK : TRN_DATA_STAYS;
}

/// A voxel: one of a few, or any.
static inline uint32_t model_random_index(TestRandom *random)
{
    return test_random_next(random) % 4
               ? (uint32_t)test_random_range(random, 0, 40) * 811 % TRN_CHUNK_VOXELS
               : (uint32_t)test_random_next(random) % TRN_CHUNK_VOXELS;
}
