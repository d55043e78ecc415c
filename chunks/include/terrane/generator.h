/// Terrane, generators: the one shape of what makes voxels. The built-in terrain is one
/// (trn_terrain_generator in terrane/terrain.h), a game's own land another, and whoever asks for
/// chunks need not know which.
///
/// examples/own_generator.c is a land of one's own in a page.
#ifndef TERRANE_GENERATOR_H
#define TERRANE_GENERATOR_H

#include <terrane/base.h>
#include <terrane/block_types.h>
#include <terrane/coord.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The coarsest level that there is. At level n every 2^n-th voxel along each axis is looked at.
#define TRN_GENERATOR_LEVEL_MAX 12

/// Makes one chunk. What it makes must follow from `user`, `coord` and `level` alone, whichever
/// thread asks, in whatever order and however often: a chunk that was dropped comes back the same,
/// and chunks that touch were made apart.
/// @param user     TrnGenerator.user
/// @param coord    the chunk; it covers 32 * 2^level voxels along each axis and begins at voxel
///                 coord * 32 * 2^level. Level n has chunks INT32_MIN / 2^n .. INT32_MAX / 2^n
///                 along each axis, level 0 those of the whole int32 range.
/// @param level    0..TrnGenerator.level_max; local voxel i stands for the voxel i * 2^level behind
///                 the chunk's first
/// @param blocks   [TRN_CHUNK_VOXELS], x fastest, then z, then y (trn_local_index): receives the
///                 blocks, each the id of a type in the world it is made for, all of them unless
///                 the chunk is said to be uniform. They hold anything before. The caller's
/// @param uniform  receives whether every voxel is the same block; then that block is in blocks[0],
///                 and nobody reads the rest. Must be written on success. A chunk of one block that
///                 is not said to be uniform is right too, only slower: say so where it is known
///                 for nothing, as it is above the land
/// @return OK, or why there is no chunk, such as NO_MEMORY; what the out-parameters hold is then
/// nobody's business
/// Threads: several may be in it at once, with the same `user`. Whatever it keeps there it guards
/// itself.
typedef TrnResult (*TrnGenerateFn)(void *user, TrnCoord coord, uint32_t level, TrnBlock *blocks,
                                   bool *uniform);

/// What makes the voxels of a world. A small value, to be copied; zeroes make no generator.
typedef struct TrnGenerator {
    TrnGenerateFn generate;
    void *user; ///< handed through; borrowed, and there for as long as anybody may generate with it
    /// 0..TRN_GENERATOR_LEVEL_MAX: the coarsest level it makes; 0: it makes level 0 alone
    uint32_t level_max;
} TrnGenerator;

/// Whether there is such a chunk at a level: see TrnGenerateFn. False for levels above
/// TRN_GENERATOR_LEVEL_MAX.
TRN_API bool trn_generator_in_world(TrnCoord coord, uint32_t level);

/// Has a chunk made: the parameters of TrnGenerateFn, checked before the generator is asked.
/// @param generator  borrowed for the call
/// Errors: BAD_ARGUMENT (a NULL, a level that it does not make, a chunk outside the world), and
/// whatever the generator returns; the content of `blocks` and `uniform` is then undefined.
/// Threads: any number, as the generator is bound to. Cost: the generator's.
TRN_API TrnResult trn_generator_generate(const TrnGenerator *generator, TrnCoord coord,
                                         uint32_t level, TrnBlock *blocks, bool *uniform);

#ifdef __cplusplus
}
#endif
#endif
