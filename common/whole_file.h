/// Files that appear complete or not at all. A file is written under a temporary name in the same
/// folder and renamed when it is complete, replacing an older file. Then file and folder are
/// synced. A symbolic link is followed and stays; what it leads to is replaced, or created. A path
/// that exists and is no regular file (a pipe, /dev/full) is written to directly. So are this
/// process's own descriptors (/dev/stdout, /dev/fd/3), whatever they are and even without /proc.
///
/// A temporary file has a random name, and only the process that created it removes it. If that is
/// killed, the file stays. On Windows, the system removes it with the program.
///
/// Paths are UTF-8. On Windows that takes the manifest that terrane_common gives to programs.
#pragma once

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

/// Write bytes, or a text. After an error nothing more is written, and whole_file_finish reports
/// it; nor is after the end.
/// What is written to the stream itself (WholeFile.file) may fail too.
void whole_file_write(WholeFile *whole, const void *bytes, size_t count);
/// @return how many bytes the text has; 0 after an error
size_t whole_file_print(WholeFile *whole, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/// Flushes the buffer, so that a full disk is detected. @return the first error so far, or 0
int whole_file_flush(WholeFile *whole);

/// Flushes and closes the file and gives it its name. Signals wait until that is done.
/// @return 0 or an errno, also of what was written before; after an error the temporary file is
/// removed
int whole_file_finish(WholeFile *whole);

/// The same, but replaces no file.
/// @return EEXIST: the name was taken meanwhile. The file is unfinished then, and may get another
int whole_file_finish_new(WholeFile *whole);

/// Gives an unfinished file another path in its folder. @param path  borrowed like that before
/// @return 0 or an errno
int whole_file_set_path(WholeFile *whole, const char *path);

/// Closes and removes a file that was not finished, if there is one.
void whole_file_drop(WholeFile *whole);

/// Removes the file that a path means; symbolic links to it stay. @return 0 or an errno
int whole_file_remove(const char *path);

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
