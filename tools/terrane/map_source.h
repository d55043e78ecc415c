/// Where the voxels of a map come from: any generator, at level 0.
#ifndef TERRANE_TOOL_MAP_SOURCE_H
#define TERRANE_TOOL_MAP_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include <terrane/base.h>
#include <terrane/block_types.h>
#include <terrane/coord.h>
#include <terrane/generator.h>
#include <terrane/terrain.h>

// Maps look for land between these chunks alone: voxels -1024 to 1023. What is uniform costs next
// to nothing.
#define MAP_TOP_CHUNK 31
#define MAP_BOTTOM_CHUNK (-32)

/// As trn_terrain_sample_level.
typedef TrnResult (*MapLook)(void *user, int32_t chunk_x, int32_t chunk_z, uint32_t level,
                             TrnTerrainSample *places);

typedef struct MapSource {
    TrnGenerator generator;
    const TrnBlockTypes *types; ///< borrowed
    MapLook look;               ///< NULL at first: without it far maps are made of chunks, too
    void *look_user;
    // The chunk at hand.
    bool is_uniform;
    TrnBlock blocks[TRN_CHUNK_VOXELS];  ///< the first alone where the chunk is uniform
    uint8_t kinds[TRN_BLOCK_TYPES_MAX]; ///< TrnBlockKind by id
} MapSource;

/// @param source  receives what is to be freed with free(); a quarter of a MiB
/// Errors: NO_MEMORY.
TrnResult map_source_create(TrnGenerator generator, const TrnBlockTypes *types, MapSource **source);

/// Makes a chunk the one at hand.
TrnResult map_source_load(MapSource *source, TrnCoord coord);

/// A block of the chunk at hand. @param local  its linear index
static inline TrnBlock map_source_block(const MapSource *source, uint32_t local)
{
    return source->blocks[source->is_uniform ? 0 : local];
}

#endif
