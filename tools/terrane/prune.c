#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "commands.h"
#include "interrupt.h"
#include "program.h"
#include "world.h"
#include "world_words.h"

#define PRUNE_BATCH 4096 // chunks that are removed in one transaction

typedef struct Prune {
    OpenWorld *world;
    TrnBlock land[TRN_CHUNK_VOXELS];
    TrnStorageKey *equal; ///< [capacity] of malloc: chunks to be removed
    size_t count, capacity;
    uint64_t chunks, damaged, removed;
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
static TrnResult prune_look(void *user, const TrnStorageRow *row)
{
    Prune *prune = user;
    OpenWorld *const world = prune->world;
    prune->chunks++;
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

static bool prune_work(OpenWorld *world, void *user, Message *problem)
{
    Prune *prune = user;
    prune->world = world;
    if (!world_facts_allow(&world->file.facts, world->path, "pruning", problem)) {
        return false;
    }
    if (!prune->world->terrain) {
        return message_set(problem, "%s has no generated land, so all of its chunks are needed.",
                           message_short(prune->world->path).text);
    }
    TrnResult result = world_act_on_rows(world, "terrane prune", prune_look, prune);
    if (result == TRN_RESULT_OK && !interrupt_came()) {
        result = prune_remove(prune);
    }
    if (interrupt_came()) {
        return message_set(problem, "Interrupted; %" PRIu64 " of the chunks were removed.",
                           prune->removed);
    }
    return result == TRN_RESULT_OK || world_fail_storage(&world->file.storage, result, "", problem);
}

static bool prune_print(const Prune *prune, const char *path, bool wants_json, Message *problem)
{
    if (wants_json) {
        cJSON *json = cJSON_CreateObject();
        (void)cJSON_AddStringToObject(json, "file", world_name(path).text);
        (void)cJSON_AddNumberToObject(json, "chunks", (double)prune->chunks);
        (void)cJSON_AddNumberToObject(json, "removed", (double)prune->removed);
        (void)cJSON_AddNumberToObject(json, "damaged", (double)prune->damaged);
        return world_print_json(json, problem);
    }
    program_print("%s: %" PRIu64 " of %" PRIu64 " chunks were removed.", world_name(path).text,
                  prune->removed, prune->chunks);
    if (prune->damaged) {
        program_print("%" PRIu64 " chunks are damaged and were kept.", prune->damaged);
    }
    return true;
}

static bool prune_act(void *target, Message *problem)
{
    const WorldWords *words = target;
    Prune *prune = calloc(1, sizeof *prune);
    if (!prune) {
        return message_set(problem, "Out of memory for this world.");
    }
    const bool good =
        world_with(words->files[0], TRN_STORAGE_OPEN, NULL, prune_work, prune, problem) &&
        prune_print(prune, words->files[0], words->wants_json, problem);
    free(prune->equal);
    free(prune);
    return good;
}

static const Option PRUNE_ROWS[] = {WORLD_FILE, WORLD_JSON, {0}};

const OptionCommand PRUNE_COMMAND = {
    .name = "prune",
    .summary = "removes chunks that equal the generated land",
    .about = "Removes the chunks of a world file that equal the generated land.",
    .rows = PRUNE_ROWS,
    .closing =
        "They are generated again when they are needed. The world then depends on this land: "
        "a version of Terrane that generates other land refuses to open it. terrane compact "
        "gives the unused space back to the disk. An interrupted prune leaves a whole world.",
    .bytes = sizeof(WorldWords),
    .act = prune_act,
};
