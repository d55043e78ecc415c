#include <cjson/cJSON.h>

#include "world_commands.h"
#include "world_report.h"
#include "world_words.h"

static const WorldCommand COMPACT_COMMAND = {
    .name = "compact",
    .options = WORLD_TAKES_JSON,
    .files = 1,
    .usage = "FILE [options]",
    .help =
        "Shrinks a world file: the space of removed and replaced chunks goes back to the disk.\n",
    .closing =
        "\n"
        "While it runs, it needs free disk space of twice the file's size. If it is interrupted,\n"
        "even by a loss of power, the world is as it was.\n",
};

static bool compact_act(const WorldWords *words, Message *problem)
{
    const char *const path = words->files[0];
    if (!world_is_file(path, "compact", "a database of PostgreSQL gives space back by itself",
                       problem)) {
        return false;
    }
    const int64_t before = world_file_bytes(path);
    TrnStorage storage;
    TrnStorageProblem why = {""};
    TrnResult result = trn_storage_sqlite(path, TRN_STORAGE_OPEN, &storage, &why);
    if (result != TRN_RESULT_OK) {
        return world_fail(&why, result, "the world is as it was", problem);
    }
    Progress progress = progress_start(stderr, "terrane compact", 0);
    const TrnStorageProgress watch = world_progress(&progress);
    result = trn_storage_sqlite_compact(&storage, &watch, &why);
    progress_end(&progress);
    storage.close(storage.user);
    if (result != TRN_RESULT_OK) {
        return world_fail(&why, result, "the world is as it was", problem);
    }
    const int64_t after = world_file_bytes(path);
    if (words->wants_json) {
        cJSON *json = cJSON_CreateObject();
        (void)cJSON_AddStringToObject(json, "file", path);
        (void)cJSON_AddNumberToObject(json, "bytes_before", (double)before);
        (void)cJSON_AddNumberToObject(json, "bytes_after", (double)after);
        return world_print_json(json, problem);
    }
    printf("%s: %s, before %s\n", path, world_bytes_text((uint64_t)after).text,
           world_bytes_text((uint64_t)before).text);
    return true;
}

int world_compact_run(int argc, char **argv)
{
    return world_command_run(&COMPACT_COMMAND, compact_act, argc, argv);
}

void world_compact_print_help(FILE *stream)
{
    world_words_print_help(&COMPACT_COMMAND, stream);
}
