/// A building from a file: a schematic or a model, read on a thread of its own, that is put into
/// the open world.
///
///     Building *building = building_read("house.schem", &problem);
///     while (building_state(building) == BUILDING_READS) { ... } // once a frame
///     building_place(building, corner, &place, &problem);        // once the player has chosen
///     while (building_state(building) == BUILDING_PLACES) { ... }
///     hand_make(hand, building_chunks(building), building_put, &put);
///     building_end(building);
///
/// Threads: one thread at a time may call these functions.
#pragma once

#include <terrane/batch.h>
#include <terrane/import.h>

#include "message.h"

/// The most chunks that a building may touch, wherever it lies.
#define BUILDING_CHUNKS_MAX 1024

typedef struct Building Building;

typedef enum BuildingState {
    BUILDING_READS,  ///< its size is not known yet
    BUILDING_IS,     ///< a building: place it
    BUILDING_WORLD,  ///< the file is a world, or too large a building: import it as a new world
    BUILDING_PLACES, ///< its blocks are turned
    BUILDING_READY,  ///< building_put may be called
    BUILDING_FAILED  ///< building_text says why
} BuildingState;

/// Begins to read a file. @return NULL if there is no memory or thread; `problem` says so
Building *building_read(const char *path, Message *problem);

/// Stops reading, waits for the thread, and frees the building. @param building  may be NULL
void building_end(Building *building);

BuildingState building_state(const Building *building);

/// Returns the file's name.
const char *building_name(const Building *building);
const char *building_path(const Building *building);

/// Returns a sentence: why it failed, or why a building is only imported as a world; otherwise
/// empty.
const char *building_text(const Building *building);

/// Tells the size of a building that is read, as it lies in its file.
void building_size(const Building *building, int64_t size[3]);

/// Begins to turn a building. In state BUILDING_IS or BUILDING_READY.
/// @param corner  where its lowest voxel comes to lie
/// @param place   is_placed is set
/// @return false if no thread can be started
bool building_place(Building *building, TrnVoxel corner, const TrnImportPlace *place,
                    Message *problem);

/// Returns how many chunks a building has that is ready.
uint32_t building_chunks(const Building *building);

/// Whether the types of blocks lack some of the building's, which is ready: building_put adds them.
bool building_needs_types(const Building *building, const TrnBlockTypes *types);

/// What building_put needs.
typedef struct BuildingPut {
    Building *building; ///< ready
    /// of the store. Receives blocks that only the building has: no other thread may read them then
    TrnBlockTypes *types;
    bool clears; ///< its whole box becomes air first
} BuildingPut;

/// Adds a building to a batch: its blocks, and what they contain.
/// @param put  BuildingPut
/// Errors: as trn_batch_set, and FULL (block types).
TrnResult building_put(void *put, TrnBatch *batch);
