/// The land that a command draws or exports: generated from a seed, or that of a world file.
#pragma once

#include <terrane/block_types.h>
#include <terrane/generator.h>
#include <terrane/stream.h>
#include <terrane/terrain.h>

#include "message.h"

typedef struct ToolLand {
    TrnGenerator generator; ///< of all chunks; for one thread
    TrnBlockTypes *types;
    /// What generates the land; around the saved chunks, in a world. NULL: only these exist.
    TrnTerrain *terrain;
    TrnTerrainDef def;       ///< of the terrain
    struct OpenWorld *world; ///< NULL: there is no file
    TrnVoxel spawn;          ///< in a world
} ToolLand;

/// Opens a land. Of a world, call tool_land_find_saved before it generates chunks.
/// @param def    of the terrain, if there is no file
/// @param world  path of a world file; NULL: none
/// @param land   receives what tool_land_close frees
bool tool_land_open(ToolLand *land, const TrnTerrainDef *def, const char *world, Message *problem);

/// Finds which chunks of a world are saved. The generator takes those outside the box for not
/// saved.
/// @param box  chunk coordinates of level 0, both corners inclusive
bool tool_land_find_saved(ToolLand *land, TrnBox box, Message *problem);

/// Returns the land as a source of chunks with their block data. As the generator; only loads.
TrnStreamSource tool_land_source(ToolLand *land);

/// Visits all chunks of full detail that a world has saved, in any order, until the visitor returns
/// false.
bool tool_land_list_saved(const ToolLand *land, bool (*visit)(void *user, TrnCoord coord),
                          void *user, Message *problem);

/// Whether any chunk of a chunk column is saved. @param world  ToolLand.world
bool tool_land_is_saved(void *world, int32_t chunk_x, int32_t chunk_z);

/// Returns the storage of a world that several processes may have open; NULL: it is none.
const struct TrnStorage *tool_land_shared(const ToolLand *land);

/// @param land  all zeroes is fine
void tool_land_close(ToolLand *land);
