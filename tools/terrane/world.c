#include "world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cjson/cJSON.h>

#include "interrupt.h"
#include "program.h"

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
    if (world_file_open(&made->file, path, mode, &def, facts, problem) &&
        world_make_terrain(made, problem)) {
        if (made->is_read_only) {
            world_watch_signals(&made->file.storage);
        }
        *world = made;
        return true;
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
    saved_chunks_destroy(&world->saved);
    trn_terrain_destroy(world->terrain);
    free(world->doubts);
    trn_block_types_destroy(world->types);
    free(world);
    return good;
}

bool world_with(const char *path, TrnStorageMode mode, const WorldFacts *facts, WorldWork *work,
                void *user, Message *problem)
{
    OpenWorld *world = NULL;
    Message late;
    if (!world_open(&world, path, mode, facts, problem)) {
        return false;
    }
    const bool good = work(world, user, problem);
    const bool is_closed = world_close(world, &late);
    if (good && !is_closed) {
        *problem = late;
    }
    return good && is_closed;
}

WorldName world_name(const char *path)
{
    WorldName name;
    message_name(path, name.text, sizeof name.text);
    return name;
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

static bool world_goes_on(void *user, uint64_t done, uint64_t total)
{
    (void)user;
    (void)done;
    (void)total;
    return !interrupt_came();
}

void world_watch_signals(const TrnStorage *storage)
{
    (void)trn_storage_sqlite_watch_reads(storage, (TrnStorageProgress){world_goes_on, NULL});
}

bool world_count_strays(const TrnStorage *storage, uint64_t *count, Message *problem)
{
    *count = 0;
    const TrnResult result = trn_storage_sqlite_count_strays(storage, count);
    return result == TRN_RESULT_OK || result == TRN_RESULT_BAD_ARGUMENT || // of another kind
           world_fail_storage(storage, result, "nothing was read", problem);
}

TrnResult world_list_rows(const TrnStorage *storage, TrnStorageRowVisitor visit, void *visitor)
{
    WorldVisit whole = {visit, visitor, false};
    TrnResult result = TRN_RESULT_OK;
    for (uint32_t level = 0;
         level <= TRN_GENERATOR_LEVEL_MAX && !whole.is_stopped && result == TRN_RESULT_OK;
         level++) {
        const TrnStorageRange range = {.level = level, .box = trn_box_everything()};
        result = storage->list(storage->user, &range, world_visit_row, &whole);
    }
    return result;
}

typedef struct WorldAction {
    WorldRowAct *act;
    void *user;
    TrnResult result;
    Progress *progress; ///< NULL: none
    int64_t file_bytes, done_bytes;
} WorldAction;

static bool world_act_on_row(void *user, const TrnStorageRow *row)
{
    WorldAction *action = user;
    action->result = action->act(action->user, row);
    action->done_bytes += (int64_t)row->size;
    if (action->progress) {
        progress_set(action->progress, action->done_bytes, action->file_bytes);
    }
    return action->result == TRN_RESULT_OK && !interrupt_came();
}

TrnResult world_act_on_rows(const OpenWorld *world, const char *name, WorldRowAct *act, void *user)
{
    const int64_t file_bytes = world_file_bytes(world->path);
    Progress progress = progress_start(stderr, name, file_bytes);
    WorldAction action = {
        .act = act, .user = user, .progress = &progress, .file_bytes = file_bytes};
    const TrnResult listed = world_list_rows(&world->file.storage, world_act_on_row, &action);
    progress_end(&progress);
    return listed == TRN_RESULT_OK ? action.result : listed;
}

TrnResult world_doubt(OpenWorld *world, const TrnStorageKey *key)
{
    if (world->doubt_count == world->doubt_capacity) {
        const size_t wanted = 2 * world->doubt_capacity + 64;
        TrnStorageKey *larger = realloc(world->doubts, wanted * sizeof *larger);
        if (!larger) {
            return TRN_RESULT_NO_MEMORY;
        }
        world->doubts = larger;
        world->doubt_capacity = wanted;
    }
    world->doubts[world->doubt_count++] = *key;
    return TRN_RESULT_OK;
}

TrnResult world_act_on_doubts(OpenWorld *world, WorldRowAct *act, void *user)
{
    const TrnStorage *storage = &world->file.storage;
    WorldAction action = {.act = act, .user = user};
    TrnResult result =
        world->doubt_count > 0 ? trn_save_learn_blocks(world->file.save) : TRN_RESULT_OK;
    for (size_t i = 0; i < world->doubt_count && result == TRN_RESULT_OK && !interrupt_came();
         i++) {
        result = storage->get(storage->user, &world->doubts[i], 1, world_act_on_row, &action);
        result = result == TRN_RESULT_OK ? action.result : result;
    }
    world->doubt_count = 0;
    return result;
}

TrnResult world_put(OpenWorld *world, TrnCoord coord, uint32_t level, bool is_uniform)
{
    TrnSave *const save = world->file.save;
    TrnResult result = trn_save_put(save, coord, level, world->blocks, is_uniform);
    if (result == TRN_RESULT_FULL) {
        result = trn_save_flush(save);
        result = result == TRN_RESULT_OK
                     ? trn_save_put(save, coord, level, world->blocks, is_uniform)
                     : result;
    }
    return result;
}

// ---- chunks ------------------------------------------------------------------------------------

static bool world_lists_on(void)
{
    return !interrupt_came();
}

bool world_find_saved(OpenWorld *world, TrnBox box, Message *problem)
{
    const TrnStorage *storage = &world->file.storage;
    TrnResult result = saved_chunks_create(&world->saved);
    if (result == TRN_RESULT_OK) {
        result = saved_chunks_list(&world->saved, storage, box, world_lists_on);
    }
    if (result == TRN_RESULT_OK || result == TRN_RESULT_NO_MEMORY || result == TRN_RESULT_FULL) {
        return result == TRN_RESULT_OK || message_set(problem, "Out of memory for this world.");
    }
    storage->problem(storage->user, problem->text, sizeof problem->text);
    return false;
}

bool world_has_column(const OpenWorld *world, int32_t chunk_x, int32_t chunk_z)
{
    return saved_chunks_has_column(&world->saved, chunk_x, chunk_z);
}

static TrnResult world_load(void *user, const TrnStreamJob *job, TrnBlock *blocks, bool *uniform)
{
    OpenWorld *world = user;
    const TrnStreamSource source = trn_save_source(world->file.save);
    if (job->level == 0 && saved_chunks_has(&world->saved, job->coord)) {
        const TrnResult result = source.load(source.user, job, blocks, uniform);
        if (result != TRN_RESULT_NOT_FOUND) {
            return result;
        }
    }
    if (world->terrain) {
        return trn_terrain_generate_level(world->terrain, job->coord, job->level, blocks, uniform);
    }
    blocks[0] = TRN_BLOCK_AIR;
    *uniform = true;
    return TRN_RESULT_OK;
}

static TrnResult world_generate(void *user, TrnCoord coord, uint32_t level, TrnBlock *blocks,
                                bool *uniform)
{
    const TrnStreamJob job = {.coord = coord, .level = level};
    return world_load(user, &job, blocks, uniform);
}

TrnStreamSource world_source(OpenWorld *world)
{
    return (TrnStreamSource){.load = world_load, .user = world};
}

TrnGenerator world_generator(OpenWorld *world)
{
    return (TrnGenerator){
        .generate = world_generate, .user = world, .level_max = TRN_GENERATOR_LEVEL_MAX};
}

// ---- reports -----------------------------------------------------------------------------------

static bool world_step(void *user, uint64_t done, uint64_t total)
{
    progress_set(user, (int64_t)done, (int64_t)total);
    return !interrupt_came();
}

TrnStorageProgress world_progress(Progress *progress)
{
    return (TrnStorageProgress){world_step, progress};
}

bool world_are_files(const char *const *paths, int count, const char *command, const char *instead,
                     Message *problem)
{
    bool good = true;
    for (int i = 0; i < count; i++) {
        good = good && !trn_storage_is_url(paths[i]);
    }
    return good || message_set(problem, "terrane %s works on files; %s.", command, instead);
}

int64_t world_file_bytes(const char *path)
{
    struct stat status; // opened and closed, the file would lose SQLite's locks of this process
    return stat(path, &status) == 0 ? (int64_t)status.st_size : 0;
}

BytesText world_bytes_text(uint64_t bytes)
{
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB"};
    BytesText shown;
    double value = (double)bytes / 1024;
    size_t unit = 0;
    while (value >= 1024 && unit + 1 < sizeof units / sizeof *units) {
        value /= 1024;
        unit++;
    }
    if (bytes < 1024) {
        (void)snprintf(shown.text, sizeof shown.text, "%d bytes", (int)bytes);
    } else {
        (void)snprintf(shown.text, sizeof shown.text, "%.1f %s", value, units[unit]);
    }
    return shown;
}

bool world_print_json(struct cJSON *json, Message *problem)
{
    char *text = json ? cJSON_Print(json) : NULL;
    cJSON_Delete(json);
    if (!text) {
        return message_set(problem, "Out of memory for this report.");
    }
    program_print_json(text);
    cJSON_free(text);
    return true;
}

bool world_fail(const TrnStorageProblem *why, TrnResult result, const char *left, Message *problem)
{
    if (interrupt_came()) {
        return message_set(problem, "Interrupted; %s.", left);
    }
    return message_set(problem, "%s", *why->sentence ? why->sentence : trn_result_text(result));
}

bool world_fail_storage(const TrnStorage *storage, TrnResult result, const char *left,
                        Message *problem)
{
    TrnStorageProblem why = {""};
    storage->problem(storage->user, why.sentence, sizeof why.sentence);
    return world_fail(&why, result, left, problem);
}
