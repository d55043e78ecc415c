#include "commands.h"
#include "program.h"
#include "world.h"
#include "world_words.h"

static bool backup_act(void *target, Message *problem)
{
    const WorldWords *words = target;
    if (!world_are_files(words->files, 2, "backup", "use 'terrane copy' or pg_dump for a database",
                         problem)) {
        return false;
    }
    TrnStorage storage;
    TrnStorageProblem why = {""};
    TrnResult result = trn_storage_sqlite(words->files[0], TRN_STORAGE_READ_ONLY, &storage, &why);
    if (result != TRN_RESULT_OK) {
        return world_fail(&why, result, "nothing was written", problem);
    }
    Progress progress = progress_start(stderr, "terrane backup", 0);
    const TrnStorageProgress watch = world_progress(&progress);
    result = trn_storage_sqlite_backup(&storage, words->files[1], &watch, &why);
    progress_end(&progress);
    storage.close(storage.user);
    if (result != TRN_RESULT_OK) {
        return world_fail(&why, result, "nothing was written", problem);
    }
    program_print("%s: %s", words->files[1],
                  world_bytes_text((uint64_t)world_file_bytes(words->files[1])).text);
    return true;
}

static const Option BACKUP_ROWS[] = {WORLD_FILE, WORLD_NEW_FILE, {0}};

const OptionCommand BACKUP_COMMAND = {
    .name = "backup",
    .summary = "copies a world file while it is in use",
    .about = "Copies a world file while it is in use.",
    .rows = BACKUP_ROWS,
    .closing = "The copy is the world at one moment; a plain copy of the file may not be. NEW_FILE "
               "must not exist. It appears when it is complete.",
    .bytes = sizeof(WorldWords),
    .act = backup_act,
};
