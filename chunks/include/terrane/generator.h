/// Terrane, generators: the interface of what generates voxels. The built-in terrain is one
/// (trn_terrain_generator in terrane/terrain.h), a game's own land another. Code that asks for
/// chunks need not know which.
///
/// examples/own_generator.c is a complete generator on one page.
///
/// Tier: stable.
#ifndef TERRANE_GENERATOR_H
#define TERRANE_GENERATOR_H

#include <terrane/base.h>
#include <terrane/block_types.h>
#include <terrane/coord.h>

TRN_C_BEGIN

/// Coarsest level of detail. Level n samples every 2^n-th voxel along each axis.
#define TRN_GENERATOR_LEVEL_MAX 12

/// The most stack that any function of Terrane takes, in an optimised build, without functions of
/// the caller's: generating a chunk of the built-in terrain takes that much, encoding one for a
/// stream 100 KiB, everything else 24 KiB or less.
#define TRN_STACK_BYTES (TRN_CAST(size_t, 224) * 1024)

/// Generates one chunk. The result must depend on `user`, `coord` and `level` alone, not on the
/// thread, the order or the number of calls: an unloaded chunk must come back the same, and
/// adjacent chunks are generated independently.
/// @param user     TrnGenerator.user
/// @param coord    the chunk; it covers 32 * 2^level voxels along each axis and begins at voxel
///                 coord * 32 * 2^level. Level n has chunks INT32_MIN / 2^n .. INT32_MAX / 2^n
///                 along each axis, level 0 the whole int32 range.
/// @param level    0..TrnGenerator.level_max; local voxel i samples the voxel i * 2^level after the
///                 chunk's first
/// @param blocks   [TRN_CHUNK_VOXELS], x fastest, then z, then y (trn_local_index): receives ids of
///                 block types of the world that the chunk is for. Not initialised on entry. Unless
///                 `uniform` is set, all must be written. Owned by the caller.
/// @param uniform  receives whether every voxel is the same block; then only blocks[0] is read.
///                 Must be written on success. Setting it is optional but saves time: set it where
///                 it is known for free, such as above the land.
/// @return OK, or the reason why there is no chunk, such as NO_MEMORY; the caller then ignores the
/// out-parameters
/// Threads: several may call it at once with the same `user`; the generator synchronises its own
/// state.
typedef TrnResult (*TrnGenerateFn)(void *user, TrnCoord coord, uint32_t level, TrnBlock *blocks,
                                   bool *uniform);

/// A source of voxels for a world. A small value to copy; all zeros is not a generator.
typedef struct TrnGenerator {
    TrnGenerateFn generate; ///< generates one chunk
    void *user;             ///< passed to its functions; borrowed: must outlive its use
    /// Coarsest level it generates, 0..TRN_GENERATOR_LEVEL_MAX; 0 means level 0 alone.
    uint32_t level_max;
    /// If has_ceiling: the highest chunk of level 0 that it makes anything but air in. Light from
    /// the sky falls from there on, so a stream with light (TrnStreamDef.light) needs it to know
    /// what shades a chunk before the chunks above are loaded.
    int32_t ceiling;
    bool has_ceiling; ///< whether `ceiling` is set
} TrnGenerator;

/// Returns a generator of level 0 alone, without a ceiling; set its fields for more.
/// @param generate  generates one chunk
/// @param user      passed to it; borrowed: must outlive the generator's use
static inline TrnGenerator trn_generator_def(TrnGenerateFn generate, void *user)
{
    const TrnGenerator generator = {generate, user, 0, 0, false};
    return generator;
}

/// Generates a chunk. Takes the parameters of TrnGenerateFn and checks them before it calls the
/// generator.
/// @param generator  borrowed for the call
/// Errors: BAD_ARGUMENT (a NULL, a level above level_max, a chunk outside the world), and any error
/// of the generator; `blocks` and `uniform` are then undefined.
/// Threads: any number, as TrnGenerateFn requires. Cost: the generator's.
TRN_API TrnResult trn_generator_generate(const TrnGenerator *generator, TrnCoord coord,
                                         uint32_t level, TrnBlock *blocks, bool *uniform);

TRN_C_END
#endif
