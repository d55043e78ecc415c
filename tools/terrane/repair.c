#include <inttypes.h>

#include <cjson/cJSON.h>
#include <terrane/repair.h>

#include "commands.h"
#include "program.h"
#include "world.h"
#include "world_words.h"

static void repair_print(const char *to, const TrnRepairReport *report)
{
    program_print("%s: %" PRIu64 " chunks and %" PRIu64 " values were found.", to, report->chunks,
                  report->values);
    if (report->older) {
        program_print("Of these chunks there were %" PRIu64 " older copies.", report->older);
    }
    if (report->broken) {
        program_print("At %" PRIu64 " places, a chunk is broken, or an old copy was left.",
                      report->broken);
    }
    if (report->lost_names) {
        program_print("The names of %" PRIu64
                      " blocks are lost; placeholders such as lost:00001 stand "
                      "for them.",
                      report->lost_names);
    }
    if (report->unreadable) {
        program_print("The system could not read %" PRIu64 " pages.", report->unreadable);
    }
}

static bool repair_print_json(const WorldWords *words, const TrnRepairReport *report,
                              Message *problem)
{
    cJSON *json = cJSON_CreateObject();
    (void)cJSON_AddStringToObject(json, "file", words->files[0]);
    (void)cJSON_AddStringToObject(json, "new_file", words->files[1]);
    (void)cJSON_AddNumberToObject(json, "chunks", (double)report->chunks);
    (void)cJSON_AddNumberToObject(json, "older", (double)report->older);
    (void)cJSON_AddNumberToObject(json, "broken", (double)report->broken);
    (void)cJSON_AddNumberToObject(json, "values", (double)report->values);
    (void)cJSON_AddNumberToObject(json, "lost_names", (double)report->lost_names);
    (void)cJSON_AddNumberToObject(json, "unreadable_pages", (double)report->unreadable);
    return world_print_json(json, problem);
}

static bool repair_act(void *target, Message *problem)
{
    const WorldWords *words = target;
    if (!world_are_files(words->files, 2, "repair", "restore a backup of the database", problem)) {
        return false;
    }
    TrnRepairReport report;
    TrnStorageProblem why = {""};
    Progress progress = progress_start(stderr, "terrane repair", 0);
    const TrnStorageProgress watch = world_progress(&progress);
    const TrnResult result =
        trn_repair_sqlite(words->files[0], words->files[1], &watch, &report, &why);
    progress_end(&progress);
    if (result != TRN_RESULT_OK) {
        return world_fail(&why, result, "nothing was written", problem);
    }
    if (words->wants_json) {
        return repair_print_json(words, &report, problem);
    }
    repair_print(words->files[1], &report);
    return true;
}

static const Option REPAIR_ROWS[] = {WORLD_FILE, WORLD_NEW_FILE, WORLD_JSON, {0}};

const OptionCommand REPAIR_COMMAND = {
    .name = "repair",
    .summary = "rescues the intact chunks of a broken world file",
    .about = "Copies every intact chunk of a broken world file into a new file.",
    .rows = REPAIR_ROWS,
    .closing = "Close the program that uses FILE first. FILE and its log FILE-wal are only read, "
               "byte by byte, so any part of them may be broken. Of several copies of a chunk, the "
               "newest is taken. NEW_FILE appears when it is complete.\n"
               "\n"
               "A block whose name is lost becomes a placeholder such as lost:00012.",
    .bytes = sizeof(WorldWords),
    .act = repair_act,
};
