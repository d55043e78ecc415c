/// A world that a command works on: its chunks, the land around them, and reports.
#pragma once

#include <terrane/generator.h>
#include <terrane/stream.h>

#include "progress.h"
#include "saved_chunks.h"
#include "world_file.h"

struct cJSON;

typedef struct OpenWorld {
    const char *path; ///< borrowed
    bool is_read_only;
    TrnBlockTypes *types;
    WorldFile file;
    TrnTerrain *terrain;   ///< NULL: nothing is generated
    SavedChunks saved;     ///< those that world_find_saved looked for
    TrnStorageKey *doubts; ///< [doubt_count] rows that world_doubt was told
    size_t doubt_count, doubt_capacity;
    TrnBlock blocks[TRN_CHUNK_VOXELS];
} OpenWorld;

/// Opens a world. @param facts  of a new one, for TRN_STORAGE_CREATE; else NULL
/// @param world  receives what world_close frees
bool world_open(OpenWorld **world, const char *path, TrnStorageMode mode, const WorldFacts *facts,
                Message *problem);

/// Writes what waits, and closes the file. @param world  may be NULL
/// @return false if it could not be written
bool world_close(OpenWorld *world, Message *problem);

/// A world for people.
typedef struct WorldName {
    char text[4096];
} WorldName;

/// Returns a path; of a database its URL without user, password and options.
WorldName world_name(const char *path);

/// Lets a signal (interrupt.h) end what reads a world that is only read. One in a database is ended
/// by its server.
void world_watch_signals(const TrnStorage *storage);

/// Counts rows that say what no row of a world does, and that commands leave out.
bool world_count_strays(const TrnStorage *storage, uint64_t *count, Message *problem);

/// What a command does with a world.
typedef bool WorldWork(OpenWorld *world, void *user, Message *problem);

/// Opens a world as world_open, works on it, and closes it.
/// @return false with the message of the first that failed
bool world_with(const char *path, TrnStorageMode mode, const WorldFacts *facts, WorldWork *work,
                void *user, Message *problem);

/// Visits the rows of all levels, until the visitor stops it. Errors: those of the storage.
TrnResult world_list_rows(const TrnStorage *storage, TrnStorageRowVisitor visit, void *visitor);

/// Looks at one row.
typedef TrnResult WorldRowAct(void *user, const TrnStorageRow *row);

/// Acts on the rows of all levels, until one fails or a signal comes. Shows progress.
/// @param name  of the progress, such as "terrane info"
/// Errors: those of the storage and of the act.
TrnResult world_act_on_rows(const OpenWorld *world, const char *name, WorldRowAct *act, void *user);

/// Notes a row that cannot be read. In a world that is in use it may be whole: with blocks whose
/// names were stored after the world was opened. Errors: NO_MEMORY.
TrnResult world_doubt(OpenWorld *world, const TrnStorageKey *key);

/// Reads the names of all blocks again, and acts on the rows that world_doubt was told, which it
/// then forgets. The act sees those damaged that cannot be read now.
/// Errors: those of the storage, of the save and of the act.
TrnResult world_act_on_doubts(OpenWorld *world, WorldRowAct *act, void *user);

/// Saves the chunk in world->blocks. Errors: those of the save.
TrnResult world_put(OpenWorld *world, TrnCoord coord, uint32_t level, bool is_uniform);

/// Lists which chunks of level 0 in a box are saved; the generator takes all others for not saved.
/// @param box  chunk coordinates, both corners inclusive
bool world_find_saved(OpenWorld *world, TrnBox box, Message *problem);

/// Whether any chunk of a chunk column is saved. After world_find_saved.
bool world_has_column(const OpenWorld *world, int32_t chunk_x, int32_t chunk_z);

/// Returns the chunks of a world as a generator: saved ones, generated ones, or air. A damaged row
/// counts as none. For one thread.
TrnGenerator world_generator(OpenWorld *world);

/// The same as a source, which gives block data too.
TrnStreamSource world_source(OpenWorld *world);

// ---- reports -----------------------------------------------------------------------------------

/// Returns a progress that shows itself and stops at a signal (interrupt.h).
TrnStorageProgress world_progress(Progress *progress);

/// Whether the worlds of a command are files. @return false with a message that begins with the
/// command's name
bool world_are_files(const char *const *paths, int count, const char *command, const char *instead,
                     Message *problem);

/// Returns the bytes of a file; 0 if it cannot be read.
int64_t world_file_bytes(const char *path);

/// A number of bytes for people.
typedef struct BytesText {
    char text[32]; ///< "512 bytes", "3.4 MiB"
} BytesText;

BytesText world_bytes_text(uint64_t bytes);

/// Prints an object on standard output, and frees it. @param json  NULL: no memory
bool world_print_json(struct cJSON *json, Message *problem);

/// Fails with the sentence that a storage gave, or says that a signal came.
/// @param left  what holds then: "the world is as it was"
bool world_fail(const TrnStorageProblem *why, TrnResult result, const char *left, Message *problem);

/// The same with the sentence of an open storage.
bool world_fail_storage(const TrnStorage *storage, TrnResult result, const char *left,
                        Message *problem);
