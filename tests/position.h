/// Shared by tests of positions: creating and comparing them.
#pragma once

#include "testing.h"

#include <terrane/body.h>

/// A position in voxels from the origin.
static inline TrnPosition position_at(double x, double y, double z)
{
    const TrnPosition origin = {{0, 0, 0}, {0, 0, 0}};
    return trn_position_add(origin, (const double[3]){x, y, z});
}

/// One axis of a position, in voxels from the origin.
static inline double position_axis(TrnPosition position, int axis)
{
    const TrnPosition origin = {{0, 0, 0}, {0, 0, 0}};
    double voxels[3];
    trn_position_difference(position, origin, voxels);
    return voxels[axis];
}

/// Compares bit for bit, apart from the padding.
static inline void assert_same_position(TrnPosition a, TrnPosition b)
{
    assert_true(trn_coord_equal(a.chunk, b.chunk));
    assert_memory_equal(a.offset, b.offset, sizeof a.offset);
}
