/// A chunk with block data, saved as a stream saves it.
#pragma once

#include "testing.h"

#include <terrane/save.h>
#include <terrane/store.h>

/// Saves a chunk of which one voxel has data.
/// @param types   of the store that the chunk is in; NULL: the built-in ones
/// @param blocks  [TRN_CHUNK_VOXELS], or blocks[0] alone if `is_uniform`
static inline void save_chunk_with_data(TrnSave *save, TrnCoord coord, TrnBlockTypes *types,
                                        const TrnBlock *blocks, bool is_uniform,
                                        const TrnBlockData *data)
{
    TrnStore *store;
    TrnSnapshot voxels;
    TrnStoreDef def = trn_store_def();
    def.types = types;
    assert_int_equal(trn_store_create(&def, &store), TRN_RESULT_OK);
    assert_int_equal(trn_store_insert_data(store, coord, blocks, is_uniform, data, 1, NULL),
                     TRN_RESULT_OK);
    assert_int_equal(trn_store_snapshot(store, coord, &voxels), TRN_RESULT_OK);
    const TrnStreamSource source = trn_save_source(save);
    const TrnStreamJob job = {.coord = coord};
    assert_int_equal(source.save(source.user, &job, voxels), TRN_RESULT_OK);
    trn_store_destroy(store);
}
