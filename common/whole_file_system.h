/// What whole_file.h asks the operating system. whole_file_posix.c and whole_file_windows.c each
/// implement it.
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A file being written. All zeroes: no file.
typedef struct WholeFile {
    const char *path;      ///< as the caller wrote it
    char target[PATH_MAX]; ///< what it means, behind links
    /// empty if the path is written to directly, and after the file was renamed
    char temporary[PATH_MAX];
    FILE *file; ///< to write to; NULL after the file was finished or dropped
    int error;  ///< the first one, an errno
} WholeFile;

/// Gives a file another name, in one step, replacing the file that has it. @return 0 or an errno
int whole_file_rename(const char *from, const char *to);

/// Creates a folder, unless something has its name. @return 0 or an errno
/// @param is_private  others may not enter it; on Windows, the parent folder decides
int whole_file_make_folder(const char *folder, bool is_private);

/// The length of a path up to its last name, slash included.
size_t whole_system_folder_length(const char *path);

/// Sets the file's target. The last link may lead to a file that is missing.
/// @param descriptor  receives that of this process that the path means (/dev/stdout), or -1
/// @return 0 or an errno
int whole_system_follow(WholeFile *whole, int *descriptor);

/// Opens a descriptor of this process a second time. @return NULL with errno set
FILE *whole_system_open_descriptor(int descriptor);

/// Whether a name is a device's or the kernel's, even if it is missing: no file is created there.
bool whole_system_is_device_name(const char *path);

/// Creates a temporary file in the folder of the target and opens it.
/// @return 0 or an errno; after an error there is nothing to drop
int whole_system_create(WholeFile *whole);

/// Writes out what is buffered, closes the file and gives it its name, if it has a temporary one.
/// @return 0 or an errno; the file is closed in any case
int whole_system_put_in_place(WholeFile *whole);

/// The same, but replaces no file, in one step. It may be called again with another target.
/// @return EEXIST: the name is taken; the temporary file stays
int whole_system_put_new(WholeFile *whole);

#ifdef __cplusplus
}
#endif
