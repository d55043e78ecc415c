/// Chunks with mixed blocks, and readers, for tests of the store.
#pragma once

#include "store/store_internal.h"
#include "testing.h"

#include <terrane/store.h>

/// Generates blocks of this many types, in random order.
static inline void mixed_blocks(TrnBlock *blocks, uint32_t types, uint64_t seed)
{
    TestRandom random = {seed};
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        blocks[i] = (TrnBlock)(test_random_next(&random) % types);
    }
}

static inline TrnChunkReader *reader_of(TrnStore *store)
{
    TrnChunkReader *reader;
    assert_int_equal(trn_chunk_index_reader_create(trn_store_index(store), "test", &reader),
                     TRN_RESULT_OK);
    return reader;
}
