/// A world file that a command works on: its chunks, and the land around them.
#ifndef TERRANE_TOOL_WORLD_OPEN_H
#define TERRANE_TOOL_WORLD_OPEN_H

#include <terrane/chunk_index.h>
#include <terrane/generator.h>

#include "world_file.h"

typedef struct OpenWorld {
    const char *path; ///< borrowed
    bool is_read_only;
    TrnBlockTypes *types;
    WorldFile file;
    TrnTerrain *terrain; ///< NULL: nothing is generated
    /// The saved chunks of level 0 that world_find_saved looked for, and at y = 0 their columns.
    TrnChunkIndex *saved, *columns;
    TrnBlock blocks[TRN_CHUNK_VOXELS];
} OpenWorld;

/// Opens a world. @param facts  of a new one, for TRN_STORAGE_CREATE; else NULL
/// @param world  receives what world_close frees
bool world_open(OpenWorld **world, const char *path, TrnStorageMode mode, const WorldFacts *facts,
                Message *problem);

/// Writes what waits, and closes the file. @param world  may be NULL
/// @return false if it could not be written
bool world_close(OpenWorld *world, Message *problem);

/// Visits the rows of all levels. @return false with a message if the file cannot be read; true,
/// too, if the visitor stopped it
bool world_visit_rows(const OpenWorld *world, TrnStorageRowVisitor visit, void *visitor,
                      Message *problem);

/// Lists which chunks of level 0 in a box are saved; the generator takes all others for not saved.
/// @param box  chunk coordinates, both corners inclusive
bool world_find_saved(OpenWorld *world, TrnBox box, Message *problem);

/// Whether any chunk of a chunk column is saved. After world_find_saved.
bool world_has_column(const OpenWorld *world, int32_t chunk_x, int32_t chunk_z);

/// Returns the chunks of a world as a generator: saved ones, generated ones, or air. A damaged row
/// counts as none. For one thread.
TrnGenerator world_generator(OpenWorld *world);

#endif
