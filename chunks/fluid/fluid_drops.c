// Searches drops for all voxels of a layer together, from the drops backwards, one voxel further at
// a time: the first sides of a voxel that are reached are those nearest to a drop.

#include "fluid/fluid_drops.h"

/// Removes the voxels with sides that are reached from the seekers, and from their other sides.
/// @return whether seekers are left
static bool drops_keep_reached(const TrnFluidArea *area, const uint64_t *restrict reached,
                               uint64_t *restrict seekers, TrnFluidSides *restrict sides)
{
    uint64_t left = 0;
    for (size_t row = area->from; row < area->to; row++) {
        const uint64_t low_x = reached[row] << 1, high_x = reached[row] >> 1,
                       low_z = reached[row - 1], high_z = reached[row + 1];
        const uint64_t others = ~(seekers[row] & (low_x | high_x | low_z | high_z));
        sides->low_x[row] &= others | low_x;
        sides->high_x[row] &= others | high_x;
        sides->low_z[row] &= others | low_z;
        sides->high_z[row] &= others | high_z;
        seekers[row] &= others;
        left |= seekers[row];
    }
    return left != 0;
}

/// Grows a set of voxels by one voxel, where the liquid passes.
static void drops_grow(const TrnFluidArea *area, const uint64_t *restrict passed,
                       const uint64_t *restrict from, uint64_t *restrict to)
{
    const uint32_t first = area->from - TRN_FLUID_RIM, last = area->to + TRN_FLUID_RIM - 1;
    for (size_t row = first + 1; row < last; row++) {
        to[row] = (from[row] | from[row] << 1 | from[row] >> 1 | from[row - 1] | from[row + 1]) &
                  passed[row];
    }
    to[first] = from[first]; // nothing depends on what reaches these rows later
    to[last] = from[last];
}

void trn_fluid_drops(const TrnFluidArea *area, const TrnFluidRows passed, TrnFluidRows drops,
                     uint32_t voxels, TrnFluidSides *sides)
{
    TrnFluidRows seekers, other;
    uint64_t *reached = drops, *next = other;
    for (size_t row = area->from; row < area->to; row++) {
        seekers[row] =
            sides->low_x[row] | sides->high_x[row] | sides->low_z[row] | sides->high_z[row];
    }
    for (uint32_t far = 0; drops_keep_reached(area, reached, seekers, sides) && far < voxels;
         far++) {
        drops_grow(area, passed, reached, next);
        uint64_t *const before = reached;
        reached = next;
        next = before;
    }
}
