// Files that appear when they are complete: see path.h.

#include "path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sqlite3.h>

char *trn_path_with(const char *path, const char *suffix)
{
    const size_t bytes = strlen(path) + strlen(suffix) + 1;
    char *whole = malloc(bytes);
    if (whole) {
        (void)snprintf(whole, bytes, "%s%s", path, suffix);
    }
    return whole;
}

bool trn_path_exists(const char *path)
{
    sqlite3_vfs *vfs = sqlite3_initialize() == SQLITE_OK ? sqlite3_vfs_find(NULL) : NULL;
    int exists = 0;
    return vfs && vfs->xAccess(vfs, path, SQLITE_ACCESS_EXISTS, &exists) == SQLITE_OK && exists;
}

static void path_tell(TrnStorageProblem *problem, const char *path, const char *sentence)
{
    if (problem) {
        (void)snprintf(problem->sentence, sizeof problem->sentence, "%s: %s", path, sentence);
    }
}

void trn_path_remove_database(const char *path)
{
    static const char *const suffixes[] = {"-journal", "-wal", "-shm", "-lock", ""};
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        char *whole = trn_path_with(path, suffixes[i]);
        if (whole) {
            (void)remove(whole);
        }
        free(whole);
    }
}

TrnResult trn_part_begin(const char *path, char **part, TrnStorageProblem *problem)
{
    if (trn_path_exists(path)) {
        path_tell(problem, path, "there is such a file already; choose another name.");
        return TRN_RESULT_EXISTS;
    }
    *part = trn_path_with(path, "-part");
    if (!*part) {
        path_tell(problem, path, "there is not enough memory.");
        return TRN_RESULT_NO_MEMORY;
    }
    trn_path_remove_database(*part);
    return TRN_RESULT_OK;
}

/// Whether a database still has a log, which SQLite could not write into it.
static bool path_has_log(const char *part)
{
    char *log = trn_path_with(part, "-wal");
    const bool has_log = !log || trn_path_exists(log);
    free(log);
    return has_log;
}

TrnResult trn_part_end(char *part, const char *path, TrnResult result, TrnStorageProblem *problem)
{
    if (result == TRN_RESULT_OK && path_has_log(part)) { // renamed, it would be cut off from it
        path_tell(problem, path, "it could not be completed; see that the disk has space.");
        result = TRN_RESULT_IO;
    }
    if (result == TRN_RESULT_OK && rename(part, path) != 0) {
        path_tell(problem, path, "it cannot be written; choose another place.");
        result = TRN_RESULT_IO;
    }
    if (result != TRN_RESULT_OK) {
        trn_path_remove_database(part);
    }
    free(part);
    return result;
}
