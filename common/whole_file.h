/// Files that appear complete or not at all. A file is written under a temporary name in the same
/// folder and renamed when it is complete, replacing an older file. A path that exists and is no
/// regular file (a pipe, /dev/full) is written to directly.
///
/// Each temporary file is locked while its program runs. If a program is killed, its temporary
/// files stay; opening a file removes those that lie in the same folder and are not locked. On
/// Windows, the system removes them with the program.
///
/// Paths are UTF-8. On Windows that takes the manifest that terrane_common gives to programs.
#ifndef TERRANE_COMMON_WHOLE_FILE_H
#define TERRANE_COMMON_WHOLE_FILE_H

#include <stdbool.h>

#include "message.h"
#include "whole_file_system.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Opens a file. The temporary name begins with ".terrane-tmp-".
/// @param path  borrowed until the file is finished or dropped
/// @return 0 or an errno: EISDIR if the path is a folder, EINTR if a signal came. After an error
/// there is nothing to drop
int whole_file_open(WholeFile *whole, const char *path);

/// Flushes and closes the file and gives it its name. Signals wait until that is done.
/// @return 0 or an errno; after an error the temporary file is removed
int whole_file_finish(WholeFile *whole);

/// Closes and removes a file that was not finished, if there is one.
void whole_file_drop(WholeFile *whole);

/// Tests whether files can be created in a folder, by creating and removing one.
/// @return 0 or an errno
int whole_file_try_folder(const char *folder);

/// Creates the folders above a file, as far as they are missing; others may not enter them. What
/// fails shows when the file is created.
void whole_file_make_folders(const char *path);

/// Whether an errno means that the disk, the user's quota or the largest file is full.
bool whole_file_lacks_space(int error);

/// Says that a file could not be written, why, and what to do.
/// @param error  an errno
/// @return false, as message_set
bool whole_file_problem(const char *path, int error, Message *problem);

#ifdef __cplusplus
}
#endif

#endif
