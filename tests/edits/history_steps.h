/// Small steps of a history, for the tests of undo and redo.
#pragma once

#include "world_model.h"

#define UNBOUNDED ((size_t)1 << 30) ///< bytes_max of a history that drops nothing

static inline void write_box(ModelWorld *world, ModelHistory *history, TrnVoxel min, TrnVoxel max,
                             TrnBlock block)
{
    const ModelCall call = {.kind = MODEL_BOX, .min = min, .max = max, .block = block};
    assert_int_equal(model_attempt(world, history, &call, 1), TRN_RESULT_OK);
}

/// A box of 6 x 6 x 6 voxels across the border of chunks 0 and 1, from a voxel along x.
static inline void write_small(ModelWorld *world, ModelHistory *history, int64_t x, TrnBlock block)
{
    write_box(world, history, model_voxel(world, x, 3, 3), model_voxel(world, x + 5, 8, 8), block);
}
