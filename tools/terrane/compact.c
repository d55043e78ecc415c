#include <cjson/cJSON.h>

#include "commands.h"
#include "program.h"
#include "world.h"
#include "world_words.h"

static bool compact_act(void *target, Message *problem)
{
    const WorldWords *words = target;
    const char *const path = words->files[0];
    if (!world_are_files(words->files, 1, "compact",
                         "a database of PostgreSQL gives space back by itself", problem)) {
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
        (void)cJSON_AddStringToObject(json, "file", world_name(path).text);
        (void)cJSON_AddNumberToObject(json, "bytes_before", (double)before);
        (void)cJSON_AddNumberToObject(json, "bytes_after", (double)after);
        return world_print_json(json, problem);
    }
    program_print("%s: %s, before %s", world_name(path).text,
                  world_bytes_text((uint64_t)after).text, world_bytes_text((uint64_t)before).text);
    return true;
}

static const Option COMPACT_ROWS[] = {WORLD_FILE, WORLD_JSON, {0}};

const OptionCommand COMPACT_COMMAND = {
    .name = "compact",
    .summary = "shrinks a world file by its unused space",
    .about = "Shrinks a world file: the space of removed and replaced chunks goes back to the "
             "disk.",
    .rows = COMPACT_ROWS,
    .closing = "While it runs, it needs free disk space of twice the file's size. If it is "
               "interrupted, even by a loss of power, the world is as it was.",
    .bytes = sizeof(WorldWords),
    .act = compact_act,
};
