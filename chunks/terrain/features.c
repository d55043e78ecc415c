// Features across borders: a chunk keeps its part of what the chunks around it place.

#include <terrane/features.h>

#include <stddef.h>

struct TrnFeatureSink {
    TrnCoord coord; ///< the chunk that is generated
    uint32_t level; ///< of it
    TrnCoord begin; ///< where the features begin that are placed now; of level 0
    int64_t reach;  ///< in chunks of level 0
    TrnBlock *blocks;
    bool is_uniform; ///< blocks[0] is every voxel
    bool is_beyond;  ///< a feature wrote beyond its reach
};

static bool features_reach(int64_t reach, int32_t from, int32_t to)
{
    return to - (int64_t)from <= reach && from - (int64_t)to <= reach;
}

/// Returns the block to write for a voxel of level 0, or NULL if the chunk that is generated does
/// not cover it.
static TrnBlock *feature_find(TrnFeatureSink *sink, TrnVoxel voxel)
{
    if (!trn_voxel_in_world(voxel)) {
        return NULL;
    }
    const TrnCoord coord = trn_voxel_chunk(voxel);
    sink->is_beyond |= !features_reach(sink->reach, sink->begin.x, coord.x) ||
                       !features_reach(sink->reach, sink->begin.y, coord.y) ||
                       !features_reach(sink->reach, sink->begin.z, coord.z);
    const TrnVoxel cell = {voxel.x >> sink->level, voxel.y >> sink->level, voxel.z >> sink->level};
    if (sink->is_beyond || !trn_coord_equal(trn_voxel_chunk(cell), sink->coord)) {
        return NULL;
    }
    for (uint32_t i = 1; sink->is_uniform && i < TRN_CHUNK_VOXELS; i++) {
        sink->blocks[i] = sink->blocks[0];
    }
    sink->is_uniform = false;
    return &sink->blocks[trn_voxel_local_index(cell)];
}

uint32_t trn_feature_level(const TrnFeatureSink *sink)
{
    return sink->level;
}

void trn_feature_set(TrnFeatureSink *sink, TrnVoxel voxel, TrnBlock block)
{
    TrnBlock *at = feature_find(sink, voxel);
    if (at && (sink->level == 0 || block != TRN_BLOCK_AIR)) {
        *at = block;
    }
}

void trn_feature_add(TrnFeatureSink *sink, TrnVoxel voxel, TrnBlock block)
{
    TrnBlock *at = feature_find(sink, voxel);
    if (at && *at == TRN_BLOCK_AIR) {
        *at = block;
    }
}

/// The chunks of level 0 that a chunk covers along an axis, and those around it; ends with the
/// world. None if `last` comes before `first`.
typedef struct FeatureSpan {
    int64_t first, last;
} FeatureSpan;

static FeatureSpan features_span(const TrnFeatureSink *sink, int32_t at)
{
    const int64_t edge = INT64_C(1) << sink->level;
    const int64_t first = at * edge - sink->reach, last = at * edge + edge - 1 + sink->reach;
    return (FeatureSpan){first > INT32_MIN ? first : INT32_MIN,
                         last < INT32_MAX ? last : INT32_MAX};
}

/// Places the features of all chunks that reach into one.
static TrnResult features_place(const TrnFeatures *features, TrnFeatureSink *sink)
{
    const FeatureSpan across = features_span(sink, sink->coord.x);
    const FeatureSpan along = features_span(sink, sink->coord.z);
    const FeatureSpan up = features_span(sink, sink->coord.y);
    TrnResult result = TRN_RESULT_OK;
    for (int64_t y = up.first; y <= up.last; y++) {
        for (int64_t z = along.first; z <= along.last; z++) {
            for (int64_t x = across.first; x <= across.last && result == TRN_RESULT_OK; x++) {
                sink->begin = (TrnCoord){(int32_t)x, (int32_t)y, (int32_t)z};
                result = features->place(features->user, sink->begin, sink);
            }
        }
    }
    return result == TRN_RESULT_OK && sink->is_beyond ? TRN_RESULT_OUT_OF_RANGE : result;
}

static TrnResult features_generate(void *user, TrnCoord coord, uint32_t level, TrnBlock *blocks,
                                   bool *uniform)
{
    const TrnFeatures *features = user;
    if (!features || !features->place || features->reach_chunks > TRN_FEATURES_REACH_MAX ||
        features->level_max > TRN_FEATURES_LEVEL_MAX) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    TrnResult result = trn_generator_generate(&features->ground, coord, level, blocks, uniform);
    if (result != TRN_RESULT_OK || level > features->level_max) {
        return result;
    }
    TrnFeatureSink sink = {.coord = coord,
                           .level = level,
                           .reach = features->reach_chunks,
                           .blocks = blocks,
                           .is_uniform = *uniform};
    result = features_place(features, &sink);
    *uniform = sink.is_uniform;
    return result;
}

TrnGenerator trn_features_generator(const TrnFeatures *features)
{
    TrnGenerator generator = features ? features->ground : (TrnGenerator){0};
    generator.generate = features_generate;
    generator.user = (void *)(uintptr_t)features;
    if (features && features->reach_chunks <= TRN_FEATURES_REACH_MAX) {
        const int64_t ceiling = (int64_t)generator.ceiling + features->reach_chunks;
        generator.ceiling = ceiling < INT32_MAX ? (int32_t)ceiling : INT32_MAX;
    }
    return generator;
}
