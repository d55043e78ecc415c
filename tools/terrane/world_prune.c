#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "interrupt.h"
#include "world_commands.h"
#include "world_open.h"
#include "world_report.h"
#include "world_words.h"

#define PRUNE_BATCH 4096 // chunks that are removed in one transaction

static const WorldCommand PRUNE_COMMAND = {
    .name = "prune",
    .options = WORLD_TAKES_JSON,
    .files = 1,
    .usage = "FILE [options]",
    .help = "Removes the chunks of a world file that equal the generated land.\n",
    .closing =
        "\n"
        "They are generated again when they are needed. The world then depends on this land: a\n"
        "version of Terrane that generates other land refuses to open it. terrane compact gives\n"
        "the unused space back to the disk. An interrupted prune leaves a whole world.\n",
};

typedef struct Prune {
    OpenWorld *world;
    TrnBlock land[TRN_CHUNK_VOXELS];
    TrnStorageKey *equal; ///< [capacity] of malloc: chunks to be removed
    size_t count, capacity;
    uint64_t chunks, damaged, removed;
    TrnResult result;
    Progress progress;
    int64_t file_bytes, done_bytes;
} Prune;

// ---- finding -----------------------------------------------------------------------------------

static bool prune_is_equal(const TrnBlock *left, bool is_left_uniform, const TrnBlock *right,
                           bool is_right_uniform)
{
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        if (left[is_left_uniform ? 0 : i] != right[is_right_uniform ? 0 : i]) {
            return false;
        }
    }
    return true;
}

static TrnResult prune_add(Prune *prune, TrnStorageKey key)
{
    if (prune->count == prune->capacity) {
        const size_t capacity = prune->capacity ? prune->capacity * 2 : PRUNE_BATCH;
        TrnStorageKey *equal = realloc(prune->equal, capacity * sizeof *equal);
        if (!equal) {
            return TRN_RESULT_NO_MEMORY;
        }
        prune->equal = equal;
        prune->capacity = capacity;
    }
    prune->equal[prune->count++] = key;
    return TRN_RESULT_OK;
}

/// Ends the reading of a row's block data at the first voxel that has some.
static TrnResult prune_visit_data(void *user, const TrnBlockData *data)
{
    (void)user;
    (void)data;
    return TRN_RESULT_EXISTS;
}

/// Notes a row whose voxels would be generated as they are, unless it has block data.
static TrnResult prune_note(Prune *prune, const TrnStorageRow *row)
{
    const TrnDataSink sink = {prune_visit_data, NULL};
    const TrnResult result = trn_save_read_row_data(prune->world->file.save, row, &sink);
    return result == TRN_RESULT_OK       ? prune_add(prune, row->key)
           : result == TRN_RESULT_EXISTS ? TRN_RESULT_OK
                                         : result;
}

/// Notes a row whose chunk would be generated as it is.
static TrnResult prune_look(Prune *prune, const TrnStorageRow *row)
{
    OpenWorld *const world = prune->world;
    bool is_uniform = false, is_land_uniform = false;
    TrnResult result = trn_save_read_row(world->file.save, row, world->blocks, &is_uniform, NULL);
    if (result == TRN_RESULT_CORRUPT) { // it stays, for those who want to repair it
        prune->damaged++;
        return TRN_RESULT_OK;
    }
    if (result == TRN_RESULT_OK) {
        result = trn_terrain_generate_level(world->terrain, row->key.coord, row->key.level,
                                            prune->land, &is_land_uniform);
    }
    return result == TRN_RESULT_OK &&
                   prune_is_equal(world->blocks, is_uniform, prune->land, is_land_uniform)
               ? prune_note(prune, row)
               : result;
}

static bool prune_row(void *user, const TrnStorageRow *row)
{
    Prune *prune = user;
    prune->chunks++;
    prune->result = prune_look(prune, row);
    prune->done_bytes += (int64_t)row->size;
    progress_set(&prune->progress, prune->done_bytes, prune->file_bytes);
    return prune->result == TRN_RESULT_OK && !interrupt_came();
}

// ---- removing ----------------------------------------------------------------------------------

/// Removes some chunks, and binds the world to its land, in one transaction.
static TrnResult prune_remove_some(Prune *prune, size_t first, size_t count)
{
    static const TrnStorageValue bound = {WORLD_FILE_BOUND, "1", 1};
    const TrnStorage *storage = &prune->world->file.storage;
    TrnStorageRow *rows = calloc(count, sizeof *rows);
    if (!rows) {
        return TRN_RESULT_NO_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        rows[i].key = prune->equal[first + i];
    }
    const TrnStorageBatch batch = {
        .rows = rows, .row_count = count, .values = &bound, .value_count = 1};
    const TrnResult result = storage->put(storage->user, &batch);
    prune->removed += result == TRN_RESULT_OK ? count : 0;
    free(rows);
    return result;
}

static TrnResult prune_remove(Prune *prune)
{
    TrnResult result = trn_save_flush(prune->world->file.save); // the land's name
    for (size_t i = 0; i < prune->count && result == TRN_RESULT_OK && !interrupt_came();
         i += PRUNE_BATCH) {
        const size_t left = prune->count - i;
        result = prune_remove_some(prune, i, left < PRUNE_BATCH ? left : PRUNE_BATCH);
    }
    return result;
}

// ---- the command -------------------------------------------------------------------------------

static bool prune_work(Prune *prune, Message *problem)
{
    if (!prune->world->terrain) {
        return message_set(problem, "%s has no generated land, so all of its chunks are needed.",
                           message_short(prune->world->path).text);
    }
    prune->file_bytes = world_file_bytes(prune->world->path);
    prune->progress = progress_start(stderr, "terrane prune", prune->file_bytes);
    bool good = world_visit_rows(prune->world, prune_row, prune, problem);
    if (good && prune->result == TRN_RESULT_OK && !interrupt_came()) {
        prune->result = prune_remove(prune);
    }
    progress_end(&prune->progress);
    if (good && interrupt_came()) {
        return message_set(problem, "Interrupted; %" PRIu64 " of the chunks were removed.",
                           prune->removed);
    }
    if (good && prune->result != TRN_RESULT_OK) {
        const TrnStorage *storage = &prune->world->file.storage;
        TrnStorageProblem why = {""};
        storage->problem(storage->user, why.sentence, sizeof why.sentence);
        return world_fail(&why, prune->result, "", problem);
    }
    return good;
}

static bool prune_print(const Prune *prune, bool wants_json, Message *problem)
{
    if (wants_json) {
        cJSON *json = cJSON_CreateObject();
        (void)cJSON_AddStringToObject(json, "file", prune->world->path);
        (void)cJSON_AddNumberToObject(json, "chunks", (double)prune->chunks);
        (void)cJSON_AddNumberToObject(json, "removed", (double)prune->removed);
        (void)cJSON_AddNumberToObject(json, "damaged", (double)prune->damaged);
        return world_print_json(json, problem);
    }
    printf("%s: %" PRIu64 " of %" PRIu64 " chunks were removed.\n", prune->world->path,
           prune->removed, prune->chunks);
    if (prune->damaged) {
        printf("%" PRIu64 " chunks are damaged and were kept.\n", prune->damaged);
    }
    return true;
}

static bool prune_act(const WorldWords *words, Message *problem)
{
    Prune *prune = calloc(1, sizeof *prune);
    if (!prune) {
        return message_set(problem, "Out of memory for this world.");
    }
    bool good = world_open(&prune->world, words->files[0], TRN_STORAGE_OPEN, NULL, problem);
    if (good) {
        good = prune_work(prune, problem) && prune_print(prune, words->wants_json, problem);
    }
    Message late;
    if (!world_close(prune->world, &late) && good) {
        *problem = late;
        good = false;
    }
    free(prune->equal);
    free(prune);
    return good;
}

int world_prune_run(int argc, char **argv)
{
    return world_command_run(&PRUNE_COMMAND, prune_act, argc, argv);
}

void world_prune_print_help(FILE *stream)
{
    world_words_print_help(&PRUNE_COMMAND, stream);
}
