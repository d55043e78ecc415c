/// Private: files and folders that are only read. Paths and names are UTF-8.
#ifndef TERRANE_SAVE_IMPORT_FILE_H
#define TERRANE_SAVE_IMPORT_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include <terrane/base.h>

/// Opens a regular file for reading. Never waits.
/// @param file  receives the file; the caller closes it with fclose
/// Errors: NOT_FOUND, IO (also: it is a folder, pipe or device).
TrnResult trn_file_open(const char *path, FILE **file);

/// Returns the size of a file; 0 if it has none, as a pipe.
uint64_t trn_file_bytes(FILE *file);

/// Reads bytes at a place. @return false if there are fewer, or the file cannot be read
bool trn_file_read(FILE *file, uint64_t at, void *bytes, size_t size);

/// Whether a path is a regular file that begins with some bytes.
bool trn_file_begins(const char *path, const char *bytes);

/// Receives the name of an entry of a folder. @return false to stop
typedef bool (*TrnFolderVisitor)(void *user, const char *name);

/// Visits the entries of a folder except "." and "..", in any order.
/// @return false if there is no such folder or it cannot be read
bool trn_folder_visit(const char *path, TrnFolderVisitor visit, void *user);

#endif
