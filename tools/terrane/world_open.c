#include "world_open.h"

#include <stdlib.h>

#include "interrupt.h"

#define WORLD_COLUMNS 4096 // that the terrain caches

static bool world_make_terrain(OpenWorld *world, Message *problem)
{
    TrnTerrainDef def = world->file.facts.terrain;
    def.column_cache_max = WORLD_COLUMNS;
    const TrnResult result =
        world->file.facts.has_terrain ? trn_terrain_create(&def, &world->terrain) : TRN_RESULT_OK;
    return result == TRN_RESULT_OK ||
           message_set(problem, "Cannot generate the land: %s", trn_result_text(result));
}

bool world_open(OpenWorld **world, const char *path, TrnStorageMode mode, const WorldFacts *facts,
                Message *problem)
{
    OpenWorld *made = calloc(1, sizeof *made);
    if (!made || trn_block_types_create_builtin(NULL, &made->types) != TRN_RESULT_OK) {
        free(made);
        return message_set(problem, "Out of memory for this world.");
    }
    made->path = path;
    made->is_read_only = mode == TRN_STORAGE_READ_ONLY;
    TrnSaveDef def = trn_save_def();
    def.types = made->types;
    def.has_thread = false; // this program has nothing else to do meanwhile
    Message ignored;
    if (world_file_open(&made->file, path, mode, &def, facts, problem)) {
        if (world_make_terrain(made, problem)) {
            *world = made;
            return true;
        }
    }
    (void)world_close(made, &ignored);
    return false;
}

bool world_close(OpenWorld *world, Message *problem)
{
    if (!world) {
        return true;
    }
    bool good = true;
    if (world->file.save) {
        const TrnResult result = world_file_close(&world->file);
        // Bytes of damaged rows, which a file that is only read cannot set aside, are no loss.
        good = result == TRN_RESULT_OK || world->is_read_only ||
               message_set(problem, "Not everything could be written into %s: %s",
                           message_short(world->path).text, trn_result_text(result));
    }
    trn_chunk_index_destroy(world->saved);
    trn_chunk_index_destroy(world->columns);
    trn_terrain_destroy(world->terrain);
    trn_block_types_destroy(world->types);
    free(world);
    return good;
}

// ---- rows --------------------------------------------------------------------------------------

/// A visit that notes whether it was stopped.
typedef struct WorldVisit {
    TrnStorageRowVisitor visit;
    void *user;
    bool is_stopped;
} WorldVisit;

static bool world_visit_row(void *user, const TrnStorageRow *row)
{
    WorldVisit *visit = user;
    visit->is_stopped = !visit->visit(visit->user, row);
    return !visit->is_stopped;
}

bool world_visit_rows(const OpenWorld *world, TrnStorageRowVisitor visit, void *visitor,
                      Message *problem)
{
    const TrnStorage *storage = &world->file.storage;
    WorldVisit whole = {visit, visitor, false};
    for (uint32_t level = 0; level <= TRN_GENERATOR_LEVEL_MAX && !whole.is_stopped; level++) {
        const TrnStorageRange range = {
            .level = level,
            .box = {{INT32_MIN, INT32_MIN, INT32_MIN}, {INT32_MAX, INT32_MAX, INT32_MAX}}};
        if (storage->list(storage->user, &range, world_visit_row, &whole) != TRN_RESULT_OK) {
            storage->problem(storage->user, problem->text, sizeof problem->text);
            return false;
        }
    }
    return true;
}

// ---- chunks ------------------------------------------------------------------------------------

typedef struct WorldList {
    const OpenWorld *world;
    TrnResult result;
} WorldList;

static bool world_note_saved(void *user, const TrnStorageRow *row)
{
    WorldList *list = user;
    const TrnCoord coord = row->key.coord, column = {coord.x, 0, coord.z};
    list->result = trn_chunk_index_insert(list->world->saved, coord, 0);
    if (list->result == TRN_RESULT_OK &&
        !trn_chunk_index_find(list->world->columns, column, NULL)) {
        list->result = trn_chunk_index_insert(list->world->columns, column, 0);
    }
    return list->result == TRN_RESULT_OK && !interrupt_came();
}

bool world_find_saved(OpenWorld *world, TrnBox box, Message *problem)
{
    const TrnStorage *storage = &world->file.storage;
    const TrnStorageRange range = {.box = box};
    WorldList list = {world, TRN_RESULT_OK};
    if (trn_chunk_index_create(NULL, &world->saved) != TRN_RESULT_OK ||
        trn_chunk_index_create(NULL, &world->columns) != TRN_RESULT_OK) {
        return message_set(problem, "Out of memory for this world.");
    }
    if (storage->list(storage->user, &range, world_note_saved, &list) != TRN_RESULT_OK) {
        storage->problem(storage->user, problem->text, sizeof problem->text);
        return false;
    }
    return list.result == TRN_RESULT_OK || message_set(problem, "Out of memory for this world.");
}

bool world_has_column(const OpenWorld *world, int32_t chunk_x, int32_t chunk_z)
{
    return trn_chunk_index_find(world->columns, (TrnCoord){chunk_x, 0, chunk_z}, NULL);
}

static TrnResult world_generate(void *user, TrnCoord coord, uint32_t level, TrnBlock *blocks,
                                bool *uniform)
{
    OpenWorld *world = user;
    const TrnStreamSource source = trn_save_source(world->file.save);
    const TrnStreamJob job = {.coord = coord, .level = level};
    if (level == 0 && trn_chunk_index_find(world->saved, coord, NULL)) {
        const TrnResult result = source.load(source.user, &job, blocks, uniform);
        if (result != TRN_RESULT_NOT_FOUND) {
            return result;
        }
    }
    if (world->terrain) {
        return trn_terrain_generate_level(world->terrain, coord, level, blocks, uniform);
    }
    blocks[0] = TRN_BLOCK_AIR;
    *uniform = true;
    return TRN_RESULT_OK;
}

TrnGenerator world_generator(OpenWorld *world)
{
    return (TrnGenerator){
        .generate = world_generate, .user = world, .level_max = TRN_GENERATOR_LEVEL_MAX};
}
