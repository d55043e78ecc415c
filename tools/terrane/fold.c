#include <inttypes.h>

#include <cjson/cJSON.h>
#include <terrane/far.h>

#include "commands.h"
#include "interrupt.h"
#include "program.h"
#include "world.h"
#include "world_words.h"

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

static bool fold_work(OpenWorld *world, void *user, Message *problem)
{
    Fold *fold = user;
    // What is not saved would be folded as air.
    if (!world_facts_allow(&world->file.facts, world->path, "folding", problem)) {
        return false;
    }
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
    return result == TRN_RESULT_OK || world_fail_storage(&world->file.storage, result, "", problem);
}

static bool fold_print(const Fold *fold, const char *path, bool wants_json, Message *problem)
{
    if (wants_json) {
        cJSON *json = cJSON_CreateObject();
        (void)cJSON_AddStringToObject(json, "file", world_name(path).text);
        (void)cJSON_AddNumberToObject(json, "folded", (double)fold->chunks);
        return world_print_json(json, problem);
    }
    program_print("%s: %" PRIu64 " chunks of levels of detail were made.", world_name(path).text,
                  fold->chunks);
    return true;
}

static bool fold_act(void *target, Message *problem)
{
    const WorldWords *words = target;
    Fold fold = {.chunks = 0};
    return world_with(words->files[0], TRN_STORAGE_OPEN, NULL, fold_work, &fold, problem) &&
           fold_print(&fold, words->files[0], words->wants_json, problem);
}

static const Option FOLD_ROWS[] = {WORLD_FILE, WORLD_JSON, {0}};

const OptionCommand FOLD_COMMAND = {
    .name = "fold",
    .summary = "makes the levels of detail of a world file, for distant land",
    .about = "Makes the levels of detail of a world file that a far view shows.",
    .rows = FOLD_ROWS,
    .closing =
        "Of chunks that were saved since it was last done, by a program without a far view "
        "or one that crashed. An interrupted fold keeps the levels made so far; run it again "
        "for the rest.",
    .bytes = sizeof(WorldWords),
    .act = fold_act,
};
