/// Pools of blocks and of a reserved range, for the tests of the pool.
#pragma once

#include "testing.h"

#include <terrane/pool.h>

#include "base/failing_ranges.h"
#include "pool/pool_blocks_internal.h"
#include "pool/pool_internal.h"

/// Where the blocks of a pool lie. What a pool does is the same on each path.
typedef enum Path { PATH_BLOCKS, PATH_RANGE, PATH_OVERFLOW, PATH_REFUSED, PATH_COUNT } Path;

/// Sets the range of a def for a path on which `slots` are allocated. On PATH_REFUSED the system
/// reserves no addresses, from now on until path_end().
static inline void path_begin(Path path, TrnPoolDef *def, uint32_t slots)
{
    const uint32_t reserves[PATH_COUNT] = {0, slots, slots / 3, slots};
    def->reserve_slots = reserves[path];
    ranges_fail_reserve_at = path == PATH_REFUSED;
}

static inline void path_end(void)
{
    ranges_fail_reserve_at = ranges_fail_commit_at = ranges_fail_decommit_at = 0;
    ranges_committed_bytes = 0; // a range that ends is not decommitted first
}

static inline TrnPool *create(TrnPoolDef def)
{
    TrnPool *pool = NULL;
    assert_int_equal(trn_pool_create(&def, &pool), TRN_RESULT_OK);
    return pool;
}

static inline void assert_same_id(TrnPoolId a, TrnPoolId b)
{
    assert_int_equal(a.index1, b.index1);
    assert_int_equal(a.generation, b.generation);
}
