/// Terrane, folding: a chunk of the next level of detail from the eight chunks that it covers.
///
/// A chunk of level n + 1 covers 2 x 2 x 2 chunks of level n, so each of its voxels, here called a
/// cell, stands for 2 x 2 x 2 voxels. What a cell becomes:
///     opaque    if at least 4 of its 8 voxels are opaque, or at least 4 are filled and at least
///               half of these are opaque
///     another filled block   if at least 4 are filled otherwise
///     air       otherwise
/// Filled are all blocks but air, plants, and models whose boxes without `connected` take less than
/// half of their voxel.
/// Its block is one that is seen from above: of each of the 4 columns of the cell, the upper voxel
/// of the kind that the cell becomes counts. Those without an opaque voxel on top are preferred, if
/// there are any. Of these, the most frequent block wins, and the first of several, x before z.
///
/// A far view (terrane/far.h) folds what was edited. Land comes from the generator at each level,
/// which is faster and can be better than folding.
///
/// Tier: experimental.
#ifndef TERRANE_FOLD_H
#define TERRANE_FOLD_H

#include <terrane/base.h>
#include <terrane/block_types.h>
#include <terrane/coord.h>

TRN_C_BEGIN

/// Folds one of the eight chunks into its part of the next level's chunk.
/// @param types   of the world
/// @param child   [TRN_CHUNK_VOXELS] in linear order: what to fold
/// @param above   [TRN_CHUNK_VOXELS] the chunk above it at its level, whose lowest layer says which
///                voxels are covered; NULL: air
/// @param octant  which of the eight: bit 0 along x, bit 1 along z, bit 2 along y
/// @param blocks  [TRN_CHUNK_VOXELS] of the next level: receives the 16 x 16 x 16 cells of the
///                octant; the others stay as they are. Caller owns
/// Threads: any. Cost: O(TRN_CHUNK_VOXELS); 24 KiB of stack.
TRN_API void trn_fold_blocks(const TrnBlockTypes *types, const TrnBlock *child,
                             const TrnBlock *above, uint32_t octant, TrnBlock *blocks);

/// The same of a chunk with edits: folds only the cells that have a voxel which is not as in the
/// land, and leaves the others as they are in `blocks`.
/// @param land  [TRN_CHUNK_VOXELS] the chunk as it is without edits
TRN_API void trn_fold_edited(const TrnBlockTypes *types, const TrnBlock *child,
                             const TrnBlock *above, const TrnBlock *land, uint32_t octant,
                             TrnBlock *blocks);

TRN_C_END
#endif
