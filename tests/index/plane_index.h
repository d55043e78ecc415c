/// Shared by tests of the chunk index: creates an index with planes.
#pragma once

#include "testing.h"

#include <terrane/chunk_index.h>
#include <terrane/chunk_pages.h>

enum { LOADED = 1, MESHED, WANTED, READY, AROUND, PLANES };

static const TrnPlaneDef plane_defs[] = {
    {"loaded", false}, {"meshed", false}, {"wanted", true}, {"ready", true}, {"around", true}};

/// @param allocator  NULL: the default
static inline TrnChunkIndex *plane_index(const TrnAllocator *allocator)
{
    TrnChunkIndexDef def = trn_chunk_index_def();
    def.planes = plane_defs;
    def.plane_count = PLANES - 1;
    def.allocator = allocator;
    TrnChunkIndex *index = NULL;
    assert_int_equal(trn_chunk_index_create(&def, &index), TRN_RESULT_OK);
    return index;
}

/// Returns the lowest chunk of a page.
static inline TrnCoord page_first(int32_t x, int32_t y, int32_t z)
{
    return trn_page_chunks((TrnCoord){x, y, z}).min;
}

static inline TrnCoord random_near(TestRandom *random, TrnCoord centre, int64_t spread)
{
    return trn_coord_add(centre, (int32_t)test_random_range(random, -spread, spread),
                         (int32_t)test_random_range(random, -spread, spread),
                         (int32_t)test_random_range(random, -spread, spread));
}
