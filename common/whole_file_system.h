/// What whole_file.h asks the operating system. whole_file_posix.c and whole_file_windows.c each
/// implement it.
#ifndef TERRANE_COMMON_WHOLE_FILE_SYSTEM_H
#define TERRANE_COMMON_WHOLE_FILE_SYSTEM_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A file being written. All zeroes: no file.
typedef struct WholeFile {
    const char *path;
    /// empty if the path is written to directly, and after the file was renamed
    char temporary[PATH_MAX];
    FILE *file; ///< to write to; NULL after the file was finished or dropped
} WholeFile;

/// Gives a file another name, in one step, replacing the file that has it. @return 0 or an errno
int whole_file_rename(const char *from, const char *to);

/// Creates a folder, unless something has its name. @return 0 or an errno
/// @param is_private  others may not enter it; on Windows, the parent folder decides
int whole_file_make_folder(const char *folder, bool is_private);

/// The length of a path up to its last name, slash included.
size_t whole_system_folder_length(const char *path);

/// Creates a temporary file in the folder of the path and opens it.
/// @return 0 or an errno; after an error there is nothing to drop
int whole_system_create(WholeFile *whole);

/// Writes out what is buffered, closes the file and gives it its name, if it has a temporary one.
/// @return 0 or an errno; the file is closed in any case
int whole_system_put_in_place(WholeFile *whole);

#ifdef __cplusplus
}
#endif

#endif
