// A generator with levels from one without: folds chunks of level 0.

#include <terrane/fold.h>
#include <terrane/generator.h>

#include <stdalign.h>

#include "base/memory.h"

struct TrnFoldedGenerator {
    const TrnBlockTypes *types;
    TrnGenerator generator;
    uint32_t level_max;
    TrnAllocator allocator;
};

/// What one call needs: for each level, an upper and a lower chunk of the level below.
typedef struct FoldedWork {
    const TrnFoldedGenerator *folded;
    TrnBlock (*blocks)[2][TRN_CHUNK_VOXELS]; ///< [level - 1]
} FoldedWork;

static void folded_fill(TrnBlock *blocks, TrnBlock block)
{
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        blocks[i] = block;
    }
}

static TrnResult folded_generate(FoldedWork *work, TrnCoord coord, uint32_t level,
                                 TrnBlock *blocks);

/// Generates two children above each other and folds them. Half of a chunk may lie beyond the end
/// of the world.
/// @param octant  of the lower one
static TrnResult folded_generate_pair(FoldedWork *work, TrnCoord coord, uint32_t level,
                                      uint32_t octant, TrnBlock *blocks)
{
    TrnBlock *upper = work->blocks[level - 1][0], *lower = work->blocks[level - 1][1];
    TrnCoord child = {(int32_t)(coord.x * 2 + (int32_t)(octant & 1)), coord.y * 2 + 1,
                      (int32_t)(coord.z * 2 + (int32_t)(octant >> 1 & 1))};
    TrnResult result = folded_generate(work, child, level - 1, upper);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    child.y--;
    result = folded_generate(work, child, level - 1, lower);
    if (result == TRN_RESULT_OK) {
        trn_fold_blocks(work->folded->types, upper, NULL, octant | 4, blocks);
        trn_fold_blocks(work->folded->types, lower, upper, octant, blocks);
    }
    return result;
}

/// Generates all blocks of a chunk.
static TrnResult folded_generate(FoldedWork *work, TrnCoord coord, uint32_t level, TrnBlock *blocks)
{
    if (level == 0) {
        bool is_uniform = false;
        const TrnGenerator *generator = &work->folded->generator;
        const TrnResult result =
            generator->generate(generator->user, coord, 0, blocks, &is_uniform);
        if (result == TRN_RESULT_OK && is_uniform) {
            folded_fill(blocks, blocks[0]);
        }
        return result;
    }
    TrnResult result = TRN_RESULT_OK;
    for (uint32_t octant = 0; octant < 4 && result == TRN_RESULT_OK; octant++) {
        result = folded_generate_pair(work, coord, level, octant, blocks);
    }
    return result;
}

static TrnResult folded_generate_chunk(void *user, TrnCoord coord, uint32_t level, TrnBlock *blocks,
                                       bool *uniform)
{
    const TrnFoldedGenerator *folded = user;
    if (level == 0) {
        return folded->generator.generate(folded->generator.user, coord, 0, blocks, uniform);
    }
    FoldedWork work = {.folded = folded};
    const size_t bytes = level * sizeof *work.blocks;
    work.blocks = trn_take(&folded->allocator, bytes, alignof(TrnBlock));
    if (!work.blocks) {
        return TRN_RESULT_NO_MEMORY;
    }
    const TrnResult result = folded_generate(&work, coord, level, blocks);
    trn_give(&folded->allocator, work.blocks, bytes);
    *uniform = false;
    return result;
}

TrnResult trn_generator_folded_create(const TrnBlockTypes *types, const TrnGenerator *generator,
                                      uint32_t level_max, const TrnAllocator *allocator,
                                      TrnFoldedGenerator **folded)
{
    if (!types || !generator || !generator->generate || level_max > TRN_GENERATOR_LEVEL_MAX ||
        !folded) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    const TrnAllocator its = trn_allocator_or_default(allocator);
    TrnFoldedGenerator *created = trn_take(&its, sizeof *created, alignof(TrnFoldedGenerator));
    if (!created) {
        return TRN_RESULT_NO_MEMORY;
    }
    *created = (TrnFoldedGenerator){types, *generator, level_max, its};
    *folded = created;
    return TRN_RESULT_OK;
}

void trn_generator_folded_destroy(TrnFoldedGenerator *folded)
{
    if (folded) {
        const TrnAllocator allocator = folded->allocator;
        trn_give(&allocator, folded, sizeof *folded);
    }
}

TrnGenerator trn_generator_folded(TrnFoldedGenerator *folded)
{
    return (TrnGenerator){.generate = folded_generate_chunk,
                          .user = folded,
                          .level_max = folded->level_max,
                          .ceiling = folded->generator.ceiling,
                          .has_ceiling = folded->generator.has_ceiling};
}
