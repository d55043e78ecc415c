/// The small picture of a world on the start screen. The world file stores it as a value, so that
/// it moves with the world. A damaged picture counts as missing.
///
/// Threads: as for the save's values.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <terrane/save.h>

#include "message.h"
#include "world_file.h"

#ifdef __cplusplus
extern "C" {
#endif

#define WORLD_PICTURE_WIDTH 96  ///< pixels
#define WORLD_PICTURE_HEIGHT 60 ///< pixels

typedef struct WorldPicture {
    uint8_t rgb[WORLD_PICTURE_HEIGHT][WORLD_PICTURE_WIDTH][3]; ///< rows from the top, sRGB
} WorldPicture;

/// Shrinks the largest centred part of a picture that has the right aspect ratio.
/// @param rgb           [height * width * 3] rows from the top, sRGB
/// @param width,height  1 and more
WorldPicture world_picture_shrink(const unsigned char *rgb, int width, int height);

/// Stores the picture with the next transaction: 17 KiB. Errors: those of trn_save_set_value.
TrnResult world_picture_write(TrnSave *save, const WorldPicture *picture);

/// @return false if the world has no picture, or a damaged one
bool world_picture_read(TrnSave *save, WorldPicture *picture);

// ---- worlds folder ------------------------------------------------------------------------------

// The folder of worlds that the start screen lists, opened read-only. A world that cannot be opened
// is listed with the reason.
//
//     WorldsFolder folder;
//     worlds_folder_list(&folder, path);
//     while (worlds_folder_read_next(&folder)) { ... } // reads one world
//     worlds_folder_free(&folder);
//
// Threads: one at a time.

#define WORLDS_PATH_MAX 4096     ///< bytes
#define WORLDS_FOLDER_MAX 500    ///< the latest worlds are listed
#define WORLDS_NAME_BYTES 256    ///< of a file name
#define WORLDS_NEW_NAME_MAX 64   ///< bytes of a name that a player chooses
#define WORLDS_DELETED "deleted" ///< the folder of deleted worlds, in the folder of worlds

typedef enum WorldState {
    WORLD_UNREAD,
    WORLD_GOOD,
    WORLD_REFUSED ///< reason says why
} WorldState;

typedef struct WorldEntry {
    char file[WORLDS_NAME_BYTES]; ///< file name in the folder
    /// Display name: without ".world", and with '?' for control characters.
    char name[WORLDS_NAME_BYTES];
    uint64_t bytes;  ///< of the file
    int64_t visited; ///< last write, seconds since 1970
    WorldState state;
    WorldFacts facts;      ///< of a good world
    WorldPicture *picture; ///< of a good world; NULL: none, or out of memory
    Message reason;        ///< of a refused world
} WorldEntry;

/// The order of the list; equal ones by name.
typedef enum WorldsOrder {
    WORLDS_BY_VISIT, ///< the latest first
    WORLDS_BY_NAME,
    WORLDS_BY_SIZE, ///< the largest first
    WORLDS_ORDER_COUNT
} WorldsOrder;

/// A world that was moved.
typedef struct WorldsMove {
    char from[WORLDS_PATH_MAX], to[WORLDS_PATH_MAX]; ///< empty: none
} WorldsMove;

/// All zeroes: no folder.
typedef struct WorldsFolder {
    char path[WORLDS_PATH_MAX];
    WorldEntry *worlds; ///< [count]
    size_t count;
    size_t left_off; ///< older worlds, not listed
    Message problem; ///< why the folder cannot be read; empty: it can, or does not exist yet
} WorldsFolder;

/// Finds the usual folder. @return false if the user has none; `path` is then empty
bool worlds_folder_place(char path[WORLDS_PATH_MAX]);

/// Lists the files "*.world" of a folder, all WORLD_UNREAD, the latest first. A missing folder has
/// no worlds.
/// @param folder  receives the list; free it with worlds_folder_free, also if there is a problem
void worlds_folder_list(WorldsFolder *folder, const char *path);
void worlds_folder_free(WorldsFolder *folder);

void worlds_folder_sort(WorldsFolder *folder, WorldsOrder order);

/// Reads the facts of a world, read-only. Cost: some ms; up to 5 s while another program writes it.
/// @return whether the world is good
bool worlds_folder_read(const WorldsFolder *folder, WorldEntry *entry);

/// Reads the first unread world. @return false if there is none
bool worlds_folder_read_next(WorldsFolder *folder);

/// Writes the path of a world. @return false if the path is too long
bool worlds_folder_path(const WorldsFolder *folder, const WorldEntry *entry,
                        char path[WORLDS_PATH_MAX]);

/// Whether a world may get a name: all systems allow it, and no world has it.
/// @param name     as typed by the player, without ".world"
/// @param problem  receives a sentence if not
bool worlds_folder_may_name(const WorldsFolder *folder, const char *name, Message *problem);

/// Writes the path for a new world, and creates the folder.
/// @param name     as worlds_folder_may_name
/// @param problem  receives a sentence if the name is not allowed or already taken
bool worlds_folder_new(const WorldsFolder *folder, const char *name, char path[WORLDS_PATH_MAX],
                       Message *problem);

/// Renames a world, under its lock; replaces nothing.
/// @param problem  receives a sentence on failure: the world then has its old name
bool worlds_folder_rename(const WorldsFolder *folder, const WorldEntry *entry, const char *name,
                          Message *problem);

/// Moves a world into the folder WORLDS_DELETED, under its lock; replaces nothing.
/// @param move     receives what worlds_folder_undo needs
/// @param problem  receives a sentence on failure: the world then stays
bool worlds_folder_delete(const WorldsFolder *folder, const WorldEntry *entry, WorldsMove *move,
                          Message *problem);

/// Moves a deleted world back. @param move  is empty after success
bool worlds_folder_undo(WorldsMove *move, Message *problem);

/// Writes a name that no listed world has: "New world", "New world 2".
void worlds_folder_free_name(const WorldsFolder *folder, char *name, size_t size);

/// The same for a copy of a world: "home copy", "home copy 2".
void worlds_folder_copy_name(const WorldsFolder *folder, const WorldEntry *entry, char *name,
                             size_t size);

/// The same for an imported world, named after its file or folder: "home", "home 2".
/// @param source  path
/// @param size    WORLDS_NAME_BYTES and more
void worlds_folder_name_for(const WorldsFolder *folder, const char *source, char *name,
                            size_t size);

#ifdef __cplusplus
}
#endif
