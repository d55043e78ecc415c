#include <inttypes.h>

#include <cjson/cJSON.h>
#include <terrane/far.h>

#include "interrupt.h"
#include "world_commands.h"
#include "world_open.h"
#include "world_report.h"
#include "world_words.h"

static const WorldCommand FOLD_COMMAND = {
    .name = "fold",
    .options = WORLD_TAKES_JSON,
    .files = 1,
    .usage = "FILE [options]",
    .help = "Makes the levels of detail of a world file that a far view shows.\n",
    .closing =
        "\n"
        "Of chunks that were saved since it was last done, by a program without a far view or one\n"
        "that crashed. An interrupted fold keeps the levels made so far; run it again for the "
        "rest.\n",
};

typedef struct Fold {
    Progress progress;
    uint32_t level;
    uint64_t chunks; ///< of all levels
} Fold;

static bool fold_step(void *user, TrnSaveFoldProgress now)
{
    Fold *fold = user;
    fold->level = now.level;
    fold->chunks++;
    progress_set(&fold->progress, (int64_t)now.done, (int64_t)now.total);
    return !interrupt_came();
}

static bool fold_work(Fold *fold, OpenWorld *world, Message *problem)
{
    const TrnGenerator land =
        world->terrain ? trn_terrain_generator(world->terrain) : (TrnGenerator){0};
    fold->progress = progress_start(stderr, "terrane fold", 1);
    const TrnResult result = trn_save_fold(world->file.save, world->terrain ? &land : NULL,
                                           TRN_FAR_LEVEL_MAX, fold_step, fold);
    progress_end(&fold->progress);
    if (interrupt_came()) {
        return message_set(problem,
                           "Interrupted in level %" PRIu32 "; %" PRIu64 " chunks were folded.",
                           fold->level, fold->chunks);
    }
    if (result != TRN_RESULT_OK) {
        const TrnStorage *storage = &world->file.storage;
        TrnStorageProblem why = {""};
        storage->problem(storage->user, why.sentence, sizeof why.sentence);
        return world_fail(&why, result, "", problem);
    }
    return true;
}

static bool fold_print(const Fold *fold, const char *path, bool wants_json, Message *problem)
{
    if (wants_json) {
        cJSON *json = cJSON_CreateObject();
        (void)cJSON_AddStringToObject(json, "file", path);
        (void)cJSON_AddNumberToObject(json, "folded", (double)fold->chunks);
        return world_print_json(json, problem);
    }
    printf("%s: %" PRIu64 " chunks of levels of detail were made.\n", path, fold->chunks);
    return true;
}

static bool fold_act(const WorldWords *words, Message *problem)
{
    Fold fold = {.chunks = 0};
    OpenWorld *world = NULL;
    bool good = world_open(&world, words->files[0], TRN_STORAGE_OPEN, NULL, problem);
    if (good) {
        good = fold_work(&fold, world, problem) &&
               fold_print(&fold, words->files[0], words->wants_json, problem);
    }
    Message late;
    if (!world_close(world, &late) && good) {
        *problem = late;
        good = false;
    }
    return good;
}

int world_fold_run(int argc, char **argv)
{
    return world_command_run(&FOLD_COMMAND, fold_act, argc, argv);
}

void world_fold_print_help(FILE *stream)
{
    world_words_print_help(&FOLD_COMMAND, stream);
}
