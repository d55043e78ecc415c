/// A file that is there entirely or not at all: it is written under another name beside its place
/// and renamed when it is whole. What was there before stays until then, and is replaced. What is
/// there and no regular file (a pipe, /dev/full) is written to directly.
#ifndef TERRANE_COMMON_WHOLE_FILE_H
#define TERRANE_COMMON_WHOLE_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

#include "message.h"

typedef struct WholeFile {
    const char *path;
    /// empty where the path is written to directly, and when the file is in place
    char temporary[PATH_MAX];
    FILE *file; ///< to write to; NULL when the file is in place or dropped
} WholeFile;

/// Opens a file. The other name begins with ".terrane-", in the same folder.
/// @param path  borrowed until the file is in place or dropped
/// @return 0 or what went wrong, as in errno, EISDIR where a folder is there; nothing is to be
/// dropped then
int whole_file_open(WholeFile *whole, const char *path);

/// Writes out what is buffered, closes the file and puts it in its place. No signal stops it half
/// way.
/// @return 0 or what went wrong, as in errno; nothing is left behind then
int whole_file_finish(WholeFile *whole);

/// Closes a file that is not in place, if any, and takes it away. Zeroes are no file.
void whole_file_drop(WholeFile *whole);

/// Says that a file could not be written, why, and what to do about it.
/// @param error  as in errno
/// @return false, as message_set
bool whole_file_problem(const char *path, int error, Message *problem);

#endif
