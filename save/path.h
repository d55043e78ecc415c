/// Private: files that appear when they are complete.
#ifndef TERRANE_SAVE_PATH_H
#define TERRANE_SAVE_PATH_H

#include <terrane/storage.h>

/// Returns a path with more characters at its end. Free it with free(). NULL: no memory
char *trn_path_with(const char *path, const char *suffix);

/// Whether there is a file.
bool trn_path_exists(const char *path);

/// Removes a database, and what SQLite and its lock may have left beside it.
void trn_path_remove_database(const char *path);

/// Makes sure that a file does not exist, and names the file to write meanwhile, PATH-part. One
/// that is left of a program that was killed is removed.
/// @param part  receives the name; trn_part_end frees it
/// Errors: EXISTS, NO_MEMORY.
TrnResult trn_part_begin(const char *path, char **part, TrnStorageProblem *problem);

/// Gives the file its name if the result is OK, and otherwise removes it.
/// @return the result, or IO
TrnResult trn_part_end(char *part, const char *path, TrnResult result, TrnStorageProblem *problem);

#endif
