#include "world_commands.h"
#include "world_report.h"
#include "world_words.h"

static const WorldCommand BACKUP_COMMAND = {
    .name = "backup",
    .files = 2,
    .usage = "FILE NEW_FILE [options]",
    .help = "Copies a world file while it is in use.\n",
    .closing =
        "\n"
        "The copy is the world at one moment; a plain copy of the file may not be. NEW_FILE\n"
        "must not exist. It appears when it is complete.\n",
};

static bool backup_act(const WorldWords *words, Message *problem)
{
    if (!world_is_file(words->files[0], "backup", "use 'terrane copy' or pg_dump for a database",
                       problem)) {
        return false;
    }
    if (!world_is_file(words->files[1], "backup", "use 'terrane copy' or pg_dump for a database",
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
    printf("%s: %s\n", words->files[1],
           world_bytes_text((uint64_t)world_file_bytes(words->files[1])).text);
    return true;
}

int world_backup_run(int argc, char **argv)
{
    return world_command_run(&BACKUP_COMMAND, backup_act, argc, argv);
}

void world_backup_print_help(FILE *stream)
{
    world_words_print_help(&BACKUP_COMMAND, stream);
}
