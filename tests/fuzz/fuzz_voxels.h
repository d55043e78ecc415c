/// Voxels of fuzz programs: shapes of blocks that a few bytes choose.
#pragma once

#include <terrane/voxels.h>

#include "fuzz.h"

/// Chooses a block: mostly one of a few, sometimes any.
static inline TrnBlock fuzz_block(FuzzProgram *program)
{
    const uint32_t choice = fuzz_number(program, 1);
    return (TrnBlock)(choice < 240 ? choice % 16 : fuzz_number(program, 2));
}

/// Chooses a box in a cube. @param edge  of the cube, at most 256
static inline void fuzz_box(FuzzProgram *program, uint32_t edge, uint32_t min[3], uint32_t max[3])
{
    for (int axis = 0; axis < 3; axis++) {
        const uint32_t a = fuzz_below(program, edge), b = fuzz_below(program, edge);
        min[axis] = a < b ? a : b;
        max[axis] = a < b ? b : a;
    }
}

/// A pattern over a whole cube: of `types` blocks from `first` on, each `step` ids after the one
/// before, in runs along x or as noise.
typedef struct FuzzPattern {
    uint32_t first, step, types, run;
} FuzzPattern;

static inline FuzzPattern fuzz_pattern(FuzzProgram *program)
{
    static const uint32_t types[] = {1, 2, 3, 4, 5, 16, 17, 256, 257, 400};
    FuzzPattern pattern;
    pattern.first = fuzz_block(program);
    pattern.step = 1 + fuzz_below(program, 7);
    pattern.types = types[fuzz_below(program, sizeof types / sizeof *types)];
    pattern.run = 1 + fuzz_number(program, 1);
    return pattern;
}

/// @param at  the number of the voxel
static inline TrnBlock fuzz_pattern_block(const FuzzPattern *pattern, uint32_t at)
{
    const uint32_t dice = at / pattern->run * 2654435761u;
    const uint32_t type = (dice >> 16 ^ dice) % pattern->types;
    return (TrnBlock)(pattern->first + type * pattern->step);
}

/// @param blocks  [TRN_CHUNK_VOXELS]
static inline void fuzz_fill(const FuzzPattern *pattern, TrnBlock *blocks)
{
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        blocks[i] = fuzz_pattern_block(pattern, i);
    }
}
