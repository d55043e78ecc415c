#include <inttypes.h>

#include <cjson/cJSON.h>
#include <terrane/repair.h>

#include "world_commands.h"
#include "world_report.h"
#include "world_words.h"

static const WorldCommand REPAIR_COMMAND = {
    .name = "repair",
    .options = WORLD_TAKES_JSON,
    .files = 2,
    .usage = "FILE NEW_FILE [options]",
    .help = "Copies every intact chunk of a broken world file into a new file.\n",
    .closing =
        "\n"
        "Close the program that uses FILE first. FILE and its log FILE-wal are only read, byte by\n"
        "byte, so any part of them may be broken. Of several copies of a chunk, the newest is\n"
        "taken. NEW_FILE appears when it is complete.\n"
        "\n"
        "A block whose name is lost becomes a placeholder such as lost:00012.\n",
};

static void repair_print(const char *to, const TrnRepairReport *report)
{
    printf("%s: %" PRIu64 " chunks and %" PRIu64 " values were found.\n", to, report->chunks,
           report->values);
    if (report->older) {
        printf("Of these chunks there were %" PRIu64 " older copies.\n", report->older);
    }
    if (report->broken) {
        printf("At %" PRIu64 " places, a chunk is broken, or an old copy was left.\n",
               report->broken);
    }
    if (report->lost_names) {
        printf("The names of %" PRIu64 " blocks are lost; placeholders such as lost:00001 stand "
               "for them.\n",
               report->lost_names);
    }
    if (report->unreadable) {
        printf("The system could not read %" PRIu64 " pages.\n", report->unreadable);
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

static bool repair_act(const WorldWords *words, Message *problem)
{
    if (!world_is_file(words->files[0], "repair", "restore a backup of the database", problem)) {
        return false;
    }
    if (!world_is_file(words->files[1], "repair", "restore a backup of the database", problem)) {
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

int world_repair_run(int argc, char **argv)
{
    return world_command_run(&REPAIR_COMMAND, repair_act, argc, argv);
}

void world_repair_print_help(FILE *stream)
{
    world_words_print_help(&REPAIR_COMMAND, stream);
}
