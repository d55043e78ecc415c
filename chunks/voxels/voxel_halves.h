/// Private: the lines of half-layers, in a payload or a draft.
#ifndef TERRANE_VOXELS_VOXEL_HALVES_H
#define TERRANE_VOXELS_VOXEL_HALVES_H

#include "voxel_payload_internal.h"

/// The half-layers with lines of voxels: those of more than one block.
static inline uint64_t trn_halves_with_lines(const TrnHalf *half)
{
    uint64_t lined = 0;
    for (uint32_t h = 0; h < TRN_CHUNK_HALVES; h++) {
        lined |= (uint64_t)(half[h].bits != 0) << h;
    }
    return lined;
}

/// The line where the lines of some half-layers, from one on, begin: `otherwise` if these have
/// none. @param lined  those of them that have lines
static inline uint32_t trn_halves_line_from(const TrnHalf *half, uint64_t lined, uint32_t first,
                                            uint32_t otherwise)
{
    const uint64_t left = first < TRN_CHUNK_HALVES ? lined & UINT64_MAX << first : 0;
    return left ? half[__builtin_ctzll(left)].fields : otherwise;
}

/// Where the run of half-layers that begins at one ends: all are changed, or none is.
static inline uint32_t trn_halves_run_end(uint64_t changed, uint32_t first)
{
    const uint64_t others = (changed >> first & 1 ? ~changed : changed) & UINT64_MAX << first;
    return others ? (uint32_t)__builtin_ctzll(others) : TRN_CHUNK_HALVES;
}

#endif
