/// The folder of worlds that the start screen lists. It is only read: a world that cannot be opened
/// is listed with the reason.
///
///     WorldsFolder folder;
///     worlds_folder_list(&folder, path);
///     while (worlds_folder_read_next(&folder)) { ... } // one world each
///     worlds_folder_free(&folder);
///
/// Threads: one at a time.
#ifndef TERRANE_VIEWER_WORLDS_FOLDER_H
#define TERRANE_VIEWER_WORLDS_FOLDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "message.h"
#include "start/world_picture.h"
#include "world_file.h"

#ifdef __cplusplus
extern "C" {
#endif

#define WORLDS_PATH_MAX 4096  ///< bytes
#define WORLDS_FOLDER_MAX 500 ///< worlds listed; the latest
#define WORLDS_NAME_BYTES 256 ///< of a file's name

typedef enum WorldState {
    WORLD_UNREAD,
    WORLD_GOOD,
    WORLD_REFUSED ///< reason says why
} WorldState;

typedef struct WorldEntry {
    char file[WORLDS_NAME_BYTES]; ///< its name in the folder
    /// To be shown: without ".world", and with '?' for control characters.
    char name[WORLDS_NAME_BYTES];
    uint64_t bytes;  ///< of the file
    int64_t visited; ///< when it was last written, seconds since 1970
    WorldState state;
    WorldFacts facts;      ///< of a good world
    WorldPicture *picture; ///< of a good world; NULL: it has none, or there was no memory
    Message reason;        ///< of a refused one
} WorldEntry;

/// All zeroes: no folder.
typedef struct WorldsFolder {
    char path[WORLDS_PATH_MAX];
    WorldEntry *worlds; ///< [count] the latest first
    size_t count, read; ///< read: those before are not WORLD_UNREAD
    size_t left_off;    ///< older worlds that are not listed
    Message problem;    ///< why the folder cannot be read; empty: it can, or is not there yet
} WorldsFolder;

/// Finds the usual folder. @return false if the user has none; the path is then empty
bool worlds_folder_place(char path[WORLDS_PATH_MAX]);

/// Lists the files "*.world" of a folder, all WORLD_UNREAD. A folder that is missing has no worlds.
/// @param folder  receives the list; free it with worlds_folder_free, also if there is a problem
void worlds_folder_list(WorldsFolder *folder, const char *path);
void worlds_folder_free(WorldsFolder *folder);

/// Reads the facts of a world, read-only. Cost: some ms; up to 5 s if another program just writes.
/// @return whether the world is good
bool worlds_folder_read(const WorldsFolder *folder, WorldEntry *entry);

/// Reads the next unread world. @return false if there is none
bool worlds_folder_read_next(WorldsFolder *folder);

/// Writes the path of a world. @return false if it is too long
bool worlds_folder_path(const WorldsFolder *folder, const WorldEntry *entry,
                        char path[WORLDS_PATH_MAX]);

/// Writes the path for a new world, and creates the folder.
/// @param name     as the player wrote it, without ".world"
/// @param problem  receives a sentence if no file may have this name, or one has
bool worlds_folder_new(const WorldsFolder *folder, const char *name, char path[WORLDS_PATH_MAX],
                       Message *problem);

/// Writes a name that no world of the list has: "New world", "New world 2".
void worlds_folder_free_name(const WorldsFolder *folder, char *name, size_t size);

/// The same for a world that is imported: named like its file or folder, "home", "home 2".
/// @param source  path
/// @param size    WORLDS_NAME_BYTES and more
void worlds_folder_name_for(const WorldsFolder *folder, const char *source, char *name,
                            size_t size);

#ifdef __cplusplus
}
#endif

#endif
