/// Lists a folder for the choice of a file to import: its folders, the worlds among them, and the
/// files of formats that are imported.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "message.h"

#ifdef __cplusplus
extern "C" {
#endif

#define FILE_PATH_MAX 4096 ///< bytes
#define FILE_NAME_BYTES 256
#define FILE_LIST_MAX 2000 ///< entries; further ones are left off

typedef enum FileKind {
    FILE_FOLDER,
    FILE_WORLD, ///< a folder that is a world of another game
    FILE_FILE
} FileKind;

typedef struct FileEntry {
    char name[FILE_NAME_BYTES];
    FileKind kind;
} FileEntry;

/// All zeroes: no folder.
typedef struct FileList {
    char folder[FILE_PATH_MAX];
    FileEntry *entries; ///< [count] folders, worlds, files; each by name
    size_t count;
    size_t left_off;
} FileList;

/// Lists a folder instead of the last one. Hidden entries and other files are not listed.
/// @param problem  receives why the folder cannot be read: the list then stays as it was
bool file_list_read(FileList *list, const char *folder, Message *problem);
void file_list_free(FileList *list);

/// Writes the path of an entry. @return false if it is too long
bool file_list_path(const FileList *list, const FileEntry *entry, char path[FILE_PATH_MAX]);

/// Writes the folder above a path; that of "/" is itself.
void file_parent(const char *path, char parent[FILE_PATH_MAX]);

/// Returns what follows the last slash.
const char *file_name(const char *path);

/// What a path leads to.
typedef enum FileThere {
    FILE_THERE_NOTHING, ///< it cannot be read
    FILE_THERE_FOLDER,
    FILE_THERE_SOURCE ///< a file, or the folder of a world
} FileThere;

FileThere file_there(const char *path);

/// Cleans up a path as a person types or pastes it: quotes, spaces around it, "~/".
/// @return false if it is too long
bool file_clean_path(const char *text, char path[FILE_PATH_MAX]);

#ifdef __cplusplus
}
#endif
