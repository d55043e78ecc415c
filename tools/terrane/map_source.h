/// The voxels of a map: any generator, at level 0.
#ifndef TERRANE_TOOL_MAP_SOURCE_H
#define TERRANE_TOOL_MAP_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include <terrane/base.h>
#include <terrane/block_types.h>
#include <terrane/coord.h>
#include <terrane/generator.h>
#include <terrane/terrain.h>

// Maps search for land between these chunks only: voxels -1024 to 1023. Uniform chunks cost almost
// nothing.
#define MAP_TOP_CHUNK 31
#define MAP_BOTTOM_CHUNK (-32)

/// As trn_terrain_sample_level.
typedef TrnResult (*MapSample)(void *user, int32_t chunk_x, int32_t chunk_z, uint32_t level,
                               TrnTerrainSample *places);

typedef struct MapSource {
    TrnGenerator generator;
    const TrnBlockTypes *types; ///< borrowed
    MapSample sample;           ///< initially NULL; without it, far maps generate chunks too
    void *sample_user;
    /// Whether chunks of a chunk column of level 0 may differ from the samples; initially NULL:
    /// none do.
    bool (*differs)(void *user, int32_t chunk_x, int32_t chunk_z);
    void *differs_user;
    // The current chunk.
    bool is_uniform;
    TrnBlock blocks[TRN_CHUNK_VOXELS];  ///< only the first if the chunk is uniform
    uint8_t kinds[TRN_BLOCK_TYPES_MAX]; ///< TrnBlockKind by id
} MapSource;

/// @param source  receives the source, 256 KiB; free it with free()
/// Errors: NO_MEMORY.
TrnResult map_source_create(TrnGenerator generator, const TrnBlockTypes *types, MapSource **source);

/// Generates a chunk, which becomes the current one.
TrnResult map_source_load(MapSource *source, TrnCoord coord);

/// A block of the current chunk. @param local  its linear index
static inline TrnBlock map_source_block(const MapSource *source, uint32_t local)
{
    return source->blocks[source->is_uniform ? 0 : local];
}

#endif
