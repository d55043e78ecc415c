/// Terrane, features: trees, houses and veins of ore that cross the borders of chunks, in a
/// generator of a game's own.
///
///     static TrnResult place_trees(void *user, TrnCoord coord, TrnFeatureSink *sink)
///     {
///         ... // a seed from coord; for each tree whose root lies in the chunk:
///         trn_feature_set(sink, voxel_of_trunk, TRN_BLOCK_OAK_LOG);
///         trn_feature_add(sink, voxel_of_leaf, TRN_BLOCK_OAK_LEAVES); // where air is
///         return TRN_RESULT_OK;
///     }
///     ...
///     TrnFeatures features = {.ground = ground, .place = place_trees, .reach_chunks = 1};
///     stream_def.generator = trn_features_generator(&features);
///
/// A generator makes one chunk at a time, in any order and on any thread, so it cannot write into
/// the chunks around. Instead, each chunk asks for the features of all chunks that reach into it,
/// and keeps what lies in itself. Features that depend on the chunk where they begin alone are then
/// whole, whatever the order and the number of workers.
///
/// Tier: experimental.
#ifndef TERRANE_FEATURES_H
#define TERRANE_FEATURES_H

#include <terrane/base.h>
#include <terrane/coord.h>
#include <terrane/generator.h>

TRN_C_BEGIN

/// The most chunks that a feature may reach beyond the one where it begins.
#define TRN_FEATURES_REACH_MAX 4
/// The coarsest level of detail with features.
#define TRN_FEATURES_LEVEL_MAX 4

/// Takes the voxels of the features of one chunk. Opaque; valid during the call that gets it.
typedef struct TrnFeatureSink TrnFeatureSink;

/// A generator, and the features on its land.
typedef struct TrnFeatures {
    TrnGenerator ground; ///< generates chunks without features
    /// Writes the features that begin in a chunk. What it writes must depend on `user`, `coord` and
    /// the level alone; it cannot read the land, so it computes the height of a root as the ground
    /// does. Called for each chunk that is within reach of the one that is generated, so let it
    /// find out soon that a chunk has no features.
    /// @param coord  of level 0, where the features begin
    /// @param sink   for trn_feature_set, trn_feature_add and trn_feature_level
    /// @return OK, or the reason why the chunk cannot be generated
    /// Threads: several at once, as a generator.
    TrnResult (*place)(void *user, TrnCoord coord, TrnFeatureSink *sink);
    void *user; ///< passed to place; borrowed: must outlive its use
    /// How many chunks beyond theirs features reach along each axis, 0..TRN_FEATURES_REACH_MAX.
    uint32_t reach_chunks;
    /// The coarsest level of detail that shows features, 0..TRN_FEATURES_LEVEL_MAX. Coarser levels
    /// have the ground alone.
    uint32_t level_max;
} TrnFeatures;

/// Returns a generator of the ground with its features. Where two write one voxel, the feature of
/// the chunk that comes later has it, in the order x fastest, then z, then y; of one chunk, the
/// later call. The ceiling is higher by the reach.
///
/// A voxel of a coarse level has what a feature wrote into any of the voxels that it covers, so
/// that walls, roofs and trunks are whole from afar, and up to a coarse voxel thicker. Air that a
/// feature writes has no effect there: the rooms of a house are not seen, and would remove its
/// walls.
/// @param features  borrowed: must outlive the use of the generator
/// Errors of the generator: those of the ground and of `place`; BAD_ARGUMENT (no `place`, a reach
/// or a level beyond the maximum); OUT_OF_RANGE (a feature wrote beyond its reach).
/// Threads: as the ground and `place`. Cost: the ground's and (2^level + 2 reach)^3 calls of
/// `place`; no allocation.
TRN_API TrnGenerator trn_features_generator(const TrnFeatures *features);

/// Returns the level of detail that is generated, so that `place` can leave out what is not seen
/// from afar, such as ores and flowers, or write it thicker.
/// Threads: that of `place`. Cost: O(1).
TRN_API uint32_t trn_feature_level(const TrnFeatureSink *sink);

/// Writes a block, whatever the land has there.
/// @param voxel  within reach of the chunk where the feature begins; others have no effect, and
///               generating fails with OUT_OF_RANGE. Beyond the end of the world: no effect
/// Threads: that of `place`. Cost: O(1).
TRN_API void trn_feature_set(TrnFeatureSink *sink, TrnVoxel voxel, TrnBlock block);

/// Writes a block where the land and earlier features have air, such as leaves.
/// @param voxel  as for trn_feature_set
/// Threads: that of `place`. Cost: O(1).
TRN_API void trn_feature_add(TrnFeatureSink *sink, TrnVoxel voxel, TrnBlock block);

TRN_C_END
#endif
