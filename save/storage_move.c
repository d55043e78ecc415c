// Other names of world files: trn_storage_sqlite_move.

#include <stdio.h>
#include <stdlib.h>

#include <terrane/storage.h>

#include "disk_file.h"
#include "held_file.h"

/// Lets SQLite put the log into the file, and see that it is a world.
static TrnResult move_prepare(const char *path, TrnStorageProblem *problem)
{
    TrnStorage storage;
    const TrnResult result = trn_storage_sqlite(path, TRN_STORAGE_OPEN, &storage, problem);
    if (result == TRN_RESULT_OK) {
        storage.close(storage.user);
    }
    return result;
}

TrnResult trn_storage_sqlite_move(const char *path, const char *to, TrnStorageProblem *problem)
{
    TrnHeldFile *held = NULL;
    char *real = NULL;
    TrnResult result =
        !path || !*path || !to || !*to ? TRN_RESULT_BAD_ARGUMENT : move_prepare(path, problem);
    if (result == TRN_RESULT_OK) {
        result = trn_held_find(to, TRN_HELD_CREATE, &real, problem);
    }
    if (result == TRN_RESULT_OK) {
        result = trn_held_open(path, TRN_HELD_WRITE, &held, problem);
    }
    if (result == TRN_RESULT_OK && trn_held_has_log(held)) {
        if (problem) {
            (void)snprintf(problem->sentence, sizeof problem->sentence,
                           "%.250s: another program reads it; close that first.", path);
        }
        result = TRN_RESULT_BUSY;
    }
    if (result == TRN_RESULT_OK) {
        result = trn_held_move(held, real, problem);
    }
    if (result == TRN_RESULT_OK) {
        (void)trn_disk_sync_folder(path); // if the power fails first, the file has both names
    }
    trn_held_close(held);
    free(real);
    return result;
}
