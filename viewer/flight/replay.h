/// Replays the edits of a recording, each at its time.
#pragma once

#include "flight/flight.h"
#include "world/world.h"

/// All zeroes: no edits.
typedef struct Replay {
    const Flight *flight;
    HandEdit *edits; ///< [flight->edit_count] with resolved blocks
    World *world;
    Hand *hand;
    size_t next;   ///< the next edit
    size_t failed; ///< edits that failed or changed nothing
} Replay;

/// Resolves the blocks of all edits.
/// @param name    of the flight, for messages
/// @param flight  borrowed, like world and hand; all must outlive the replay
/// @return false if out of memory, or if the world lacks a block
bool replay_create(Replay *replay, const char *name, const Flight *flight, World *world, Hand *hand,
                   Message *problem);
void replay_free(Replay *replay);

/// Whether all chunks that the due edits touch are loaded, or outside the view. Cost: O(pages) for
/// each edit.
/// @param seconds  after the first key
bool replay_is_ready(const Replay *replay, double seconds);

/// Executes all due edits. Call it only if replay_is_ready returns true: edits skip unloaded
/// chunks.
void replay_advance(Replay *replay, double seconds);

/// Whether all edits are done.
bool replay_is_done(const Replay *replay);

/// Whether a flight was recorded over this land, as far as the flight tells; a plan fits any land.
/// @param here    seed, preset and land version of the terrain
/// @param reason  receives why the flight does not fit, such as "it was recorded over seed 13, not
/// 4"
bool replay_fits_land(const Flight *flight, const FlightHead *here, const TrnTerrain *terrain,
                      Message *reason);
