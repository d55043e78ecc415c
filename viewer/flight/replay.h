/// Does the edits of a recording again, each at its time, with the hand that is there.
#ifndef TERRANE_VIEWER_REPLAY_H
#define TERRANE_VIEWER_REPLAY_H

#include "flight/flight.h"
#include "world/world.h"

/// All zeroes: nothing is to be done.
typedef struct Replay {
    const Flight *flight;
    HandEdit *edits; ///< [flight->edit_count] with their blocks
    World *world;
    Hand *hand;
    size_t next;   ///< the first that is not done
    size_t failed; ///< that could not be done, or changed nothing
} Replay;

/// Finds the blocks of all edits.
/// @param name    of the flight, for messages
/// @param flight  borrowed, as world and hand; all outlive the replay
/// @return false without memory, or where a block has a name that the world does not know
bool replay_create(Replay *replay, const char *name, const Flight *flight, World *world, Hand *hand,
                   Message *problem);
void replay_free(Replay *replay);

/// Whether all chunks that the edits due at a time touch are there, as far as they belong to the
/// view. Cost: O(pages) for each edit.
/// @param seconds  after the first key
bool replay_is_ready(const Replay *replay, double seconds);

/// Does all edits that are due and not done. To be called once replay_is_ready says so: what chunks
/// are missing is left out otherwise.
void replay_advance(Replay *replay, double seconds);

/// Whether nothing is left to do.
bool replay_is_done(const Replay *replay);

/// Whether a flight was recorded over this land, as far as it says: a plan fits any land.
/// @param here    seed, preset and land version of the terrain
/// @param reason  receives why the flight does not fit, such as "it was recorded over seed 13, not
/// 4"
bool replay_fits_land(const Flight *flight, const FlightHead *here, const TrnTerrain *terrain,
                      Message *reason);

#endif
