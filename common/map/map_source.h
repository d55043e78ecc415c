/// The land that a map shows: the blocks of chunks, the tops of columns, and samples of levels of
/// detail.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <terrane/block_types.h>
#include <terrane/generator.h>
#include <terrane/terrain.h>

// Maps search for land between these chunks only: voxels -1024 to 1023. Uniform chunks cost almost
// nothing.
#define MAP_TOP_CHUNK 31
#define MAP_BOTTOM_CHUNK (-32)

typedef struct MapSourceDef {
    TrnGenerator generator;
    const TrnBlockTypes *types; ///< borrowed
    /// As trn_terrain_sample_level. NULL: far maps generate chunks too.
    TrnResult (*sample)(void *user, int32_t chunk_x, int32_t chunk_z, uint32_t level,
                        TrnTerrainSample *places);
    void *sample_user;
    /// Whether chunks of a chunk column of level 0 may differ from the samples. NULL: none do.
    bool (*differs)(void *user, int32_t chunk_x, int32_t chunk_z);
    void *differs_user;
} MapSourceDef;

/// Threads: one at a time.
typedef struct MapSource MapSource;

/// One column. If the topmost block is a liquid, the bed is the first other block below it;
/// otherwise the topmost block is its own bed. A missing block or bed is TRN_BLOCK_AIR.
typedef struct MapColumn {
    TrnBlock top, bed;
    int32_t top_y, bed_y; ///< voxels; without a bed, bed_y is top_y
} MapColumn;

/// Returns a def that samples a terrain. @param terrain  NULL: the samples are air
MapSourceDef map_source_def(TrnGenerator generator, const TrnBlockTypes *types,
                            TrnTerrain *terrain);

/// @param source  receives the source, 256 KiB; free it with map_source_destroy
/// Errors: NO_MEMORY.
TrnResult map_source_create(const MapSourceDef *def, MapSource **source);

/// @param source  may be NULL
void map_source_destroy(MapSource *source);

/// Whether columns of levels above 0 can be asked for.
bool map_source_has_levels(const MapSource *source);

TrnBlockKind map_source_kind(const MapSource *source, TrnBlock block);

/// The colour of a block's face. @return [3] sRGB, of the registry
const uint8_t *map_source_colour(const MapSource *source, TrnBlock block, TrnFace face);

/// Generates a chunk of level 0, which becomes the current one. Errors: those of the generator.
TrnResult map_source_load(MapSource *source, TrnCoord coord);

/// A block of the current chunk. @param local  its linear index
TrnBlock map_source_block(const MapSource *source, uint32_t local);

/// Finds the tops of columns of one chunk column, seen from above.
/// @param level    of the chunk column; above 0 its places are samples, 2^level voxels apart
/// @param places   [count] columns, x | z << TRN_CHUNK_SHIFT
/// @param count    at most TRN_CHUNK_EDGE * TRN_CHUNK_EDGE
/// @param columns  [count] receives the tops
/// Errors: those of the generator and of the samples. Cost: at level 0 the chunks from
/// MAP_TOP_CHUNK down to the lowest bed, each about 30 us unless it is uniform. Above it one call
/// of `sample`, and the chunk columns that differ.
TrnResult map_source_columns(MapSource *source, int32_t chunk_x, int32_t chunk_z, uint32_t level,
                             const uint16_t *places, int count, MapColumn *columns);
