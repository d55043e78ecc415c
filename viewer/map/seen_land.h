/// The land that the map shows: what the player has seen, with all that was built and dug there,
/// and around it what the terrain generates.
///
/// Seen are the chunks that were loaded since the world was opened, and those in the world file. In
/// a shared world only the former count: the map asks no server.
///
/// Threads: that of the world's updates.
#pragma once

#include "map/map_source.h"
#include "saved_chunks.h"
#include "world/keep.h"
#include "world/world.h"

typedef struct SeenLand {
    const World *world; ///< borrowed, like `keep`
    Keep *keep;
    SavedChunks seen;
    TrnChunkIndex *listed; ///< regions whose chunks of the world file are known, at y = 0
    MapSource *source;
    TrnBox changed; ///< around the chunks that were loaded since seen_land_take_changed
} SeenLand;

/// `land` must not move until seen_land_free, which the caller calls also after a failure, before
/// world and keep are destroyed.
bool seen_land_create(SeenLand *land, const World *world, Keep *keep, const TrnBlockTypes *types);

/// @param land  all zeroes is fine
void seen_land_free(SeenLand *land);

/// Notes that a chunk was loaded. If out of memory, the map shows the chunk as it is generated.
/// Cost: O(1).
void seen_land_note(SeenLand *land, TrnCoord coord);

/// Returns a box of chunk columns outside of which the land is as it was at the last call.
/// @param near  chunks that may be loaded now
TrnBox seen_land_take_changed(SeenLand *land, TrnBox near);

/// Looks into the world file for one region of a box of chunks that is not known yet.
/// @return false if all of the box is known
/// Cost: reads the rows of 32 x 32 chunk columns: up to some ms.
bool seen_land_look_up(SeenLand *land, TrnBox box);

/// Whether a chunk column was seen.
bool seen_land_has(const SeenLand *land, int32_t chunk_x, int32_t chunk_z);

/// Finds the ground of a column: the lowest voxel above it in which a body stands or swims.
/// @param x,z  voxels
/// @return false if there is none, as outside of an imported world
/// Cost: that of generating a column of chunks, some ms.
bool seen_land_ground(const SeenLand *land, int64_t x, int64_t z, int64_t *y);
