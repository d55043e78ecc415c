// Imports: opening, listing, loading and copying. What depends on the format is in its own file.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../save_internal.h"
#include "base/memory.h"
#include "file.h"
#include "format.h"
#include "placing.h"

// ---- formats -----------------------------------------------------------------------------------

extern const TrnImportReader trn_import_luanti;
extern const TrnImportReader trn_import_anvil;
extern const TrnImportReader trn_import_heightmap;
extern const TrnImportReader trn_import_vox;
extern const TrnImportReader trn_import_schematic;
extern const TrnImportReader trn_import_mts;

static const TrnImportReader *const READERS[TRN_IMPORT_FORMAT_COUNT] = {
    [TRN_IMPORT_LUANTI] = &trn_import_luanti,       [TRN_IMPORT_ANVIL] = &trn_import_anvil,
    [TRN_IMPORT_HEIGHTMAP] = &trn_import_heightmap, [TRN_IMPORT_VOX] = &trn_import_vox,
    [TRN_IMPORT_SCHEMATIC] = &trn_import_schematic, [TRN_IMPORT_MTS] = &trn_import_mts,
};

const char *trn_import_format_name(TrnImportFormat format)
{
    return (uint32_t)format >= TRN_IMPORT_FORMAT_COUNT ? NULL
           : READERS[format]                           ? READERS[format]->name
                                                       : "auto";
}

TrnResult trn_import_colour_block(TrnBlockTypes *types, const char *prefix, const uint8_t rgb[3],
                                  TrnBlock *block)
{
    char name[TRN_BLOCK_NAME_MAX + 1];
    (void)snprintf(name, sizeof name, "%s:%02x%02x%02x", prefix, rgb[0], rgb[1], rgb[2]);
    if (trn_block_types_find(types, name, block) == TRN_RESULT_OK) {
        return TRN_RESULT_OK;
    }
    TrnBlockType type = trn_block_type_def(name, TRN_BLOCK_KIND_OPAQUE);
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        memcpy(type.colour[face], rgb, sizeof type.colour[face]);
    }
    return trn_block_types_add(types, &type, block);
}

// ---- opening -----------------------------------------------------------------------------------

TrnImportDef trn_import_def(void)
{
    return (TrnImportDef){
        .format = TRN_IMPORT_AUTO,
        .heights = {
            .black = 0, .white = 128, .scale = 1, .base = -16, .sea_level = TRN_IMPORT_NO_SEA}};
}

static bool import_exists(const char *path)
{
    FILE *file;
    const TrnResult result = trn_file_open(path, &file);
    if (result == TRN_RESULT_OK) {
        (void)fclose(file);
    }
    return result != TRN_RESULT_NOT_FOUND; // a folder or a pipe does not open
}

/// Chooses the format of a path. @return TRN_IMPORT_AUTO if no format recognises it
static TrnImportFormat import_recognise(const char *path)
{
    for (uint32_t i = 0; i < TRN_IMPORT_FORMAT_COUNT; i++) {
        if (READERS[i] && READERS[i]->recognises(path)) {
            return (TrnImportFormat)i;
        }
    }
    return TRN_IMPORT_AUTO;
}

static TrnResult import_choose_format(const TrnImportDef *def, TrnImportFormat *format,
                                      TrnStorageProblem *problem)
{
    *format = def->format == TRN_IMPORT_AUTO ? import_recognise(def->path) : def->format;
    if (*format == TRN_IMPORT_AUTO) {
        const bool exists = import_exists(def->path);
        trn_import_tell(problem,
                        exists ? "%s: it looks like no format that this program imports; name the "
                                 "format if it is one."
                               : "%s: there is no such file or folder.",
                        def->path);
        return TRN_RESULT_NOT_FOUND;
    }
    return TRN_RESULT_OK;
}

static TrnResult import_open_names(TrnImport *import, TrnStorageProblem *problem)
{
    const TrnImportDef *def = &import->def;
    const TrnImportReader *reader = import->reader;
    const size_t own_size = reader->names_size ? *reader->names_size : 0;
    const TrnImportTables tables = {
        {def->names, def->names_size}, {reader->names, own_size}, reader->airs};
    return trn_import_names_open(&import->names, &import->allocator, def->types,
                                 def->are_types_fixed ? TRN_IMPORT_UNKNOWN_SHARED
                                                      : TRN_IMPORT_UNKNOWN_ADDED,
                                 &tables, problem);
}

static TrnResult import_open_state(TrnImport *import, TrnStorageProblem *problem)
{
    const size_t bytes = import->reader->state_bytes;
    void *state = trn_take(&import->allocator, bytes, TRN_CACHE_LINE);
    if (!state) {
        return TRN_RESULT_NO_MEMORY;
    }
    memset(state, 0, bytes);
    const TrnResult result = import->reader->open(import, state, problem);
    if (result == TRN_RESULT_OK) {
        import->state = state;
    } else {
        trn_give(&import->allocator, state, bytes);
    }
    return result;
}

TrnResult trn_import_open_reader(const TrnImportDef *def, TrnImportFormat format,
                                 const TrnImportReader *reader, TrnImport **import,
                                 TrnStorageProblem *problem)
{
    const TrnAllocator allocator = trn_allocator_or_default(def->allocator);
    TrnImport *made = trn_take(&allocator, sizeof *made, TRN_CACHE_LINE);
    if (!made) {
        return TRN_RESULT_NO_MEMORY;
    }
    memset(made, 0, sizeof *made);
    made->allocator = allocator;
    made->def = *def;
    made->reader = reader;
    made->format = format;
    if (!trn_mutex_init(&made->notes.mutex)) {
        trn_give(&allocator, made, sizeof *made);
        return TRN_RESULT_NO_MEMORY;
    }
    TrnResult result = import_open_names(made, problem);
    if (result == TRN_RESULT_OK) {
        result = import_open_state(made, problem);
        if (result != TRN_RESULT_OK) {
            trn_import_names_free(&made->names);
        }
    }
    if (result != TRN_RESULT_OK) {
        trn_mutex_destroy(&made->notes.mutex);
        trn_give(&allocator, made, sizeof *made);
        return result;
    }
    made->def.path = made->def.names = NULL;
    made->def.progress.step = NULL;
    *import = made;
    return TRN_RESULT_OK;
}

TrnResult trn_import_open(const TrnImportDef *def, TrnImport **import, TrnStorageProblem *problem)
{
    if (!def || !import || !def->path || !def->types || (!def->names && def->names_size) ||
        (uint32_t)def->format >= TRN_IMPORT_FORMAT_COUNT) {
        trn_import_tell(problem, "%s", trn_result_text(TRN_RESULT_BAD_ARGUMENT));
        return TRN_RESULT_BAD_ARGUMENT;
    }
    TrnStorageProblem why = {""};
    TrnImportFormat format;
    TrnResult result = import_choose_format(def, &format, &why);
    if (result == TRN_RESULT_OK && def->place.is_placed && !READERS[format]->has_place) {
        trn_import_tell(&why,
                        "%.300s: only schematics and models can be put at a place, turned or "
                        "mirrored.",
                        def->path);
        result = TRN_RESULT_BAD_ARGUMENT;
    }
    if (result == TRN_RESULT_OK) {
        result = trn_import_open_reader(def, format, READERS[format], import, &why);
    }
    if (result != TRN_RESULT_OK) {
        trn_import_tell(problem, "%s", *why.sentence ? why.sentence : trn_result_text(result));
    }
    return result;
}

void trn_import_destroy(TrnImport *import)
{
    if (import) {
        const TrnAllocator allocator = import->allocator;
        import->reader->close(import->state);
        trn_give(&allocator, import->state, import->reader->state_bytes);
        trn_import_names_free(&import->names);
        trn_mutex_destroy(&import->notes.mutex);
        trn_give(&allocator, import, sizeof *import);
    }
}

TrnImportFormat trn_import_format(const TrnImport *import)
{
    return import->format;
}

// ---- reading -----------------------------------------------------------------------------------

/// A visit of the caller's.
typedef struct ImportVisit {
    const TrnImportPlace *place;
    TrnImportVisitor visit;
    void *user;
    bool is_stopped;
} ImportVisit;

static bool import_visit(void *user, TrnCoord coord)
{
    ImportVisit *visit = user;
    visit->is_stopped = !visit->visit(visit->user, trn_place_chunk(visit->place, coord));
    return !visit->is_stopped;
}

/// Lists what the format lists, where it comes to lie.
/// @param is_stopped  receives whether the visitor stopped it
static TrnResult import_list(TrnImport *import, TrnImportVisitor visit, void *user,
                             bool *is_stopped)
{
    ImportVisit listed = {&import->def.place, visit, user, false};
    const TrnResult result = import->reader->list(import->state, import_visit, &listed);
    *is_stopped = listed.is_stopped;
    return result;
}

/// The same of what the format lists only once it is read.
static TrnResult import_list_rest(TrnImport *import, bool is_loaded, TrnImportVisitor visit,
                                  void *user)
{
    ImportVisit listed = {&import->def.place, visit, user, false};
    return import->reader->list_rest
               ? import->reader->list_rest(import->state, is_loaded, import_visit, &listed)
               : TRN_RESULT_OK;
}

/// Turns a chunk that was loaded. Errors: NO_MEMORY.
static TrnResult import_turn(const TrnImport *import, TrnBlock *blocks, bool *uniform,
                             TrnImportContents *contents)
{
    const TrnImportPlace *place = &import->def.place;
    const TrnBlockTypes *types = import->def.types;
    const size_t bytes = sizeof(TrnBlock[TRN_CHUNK_VOXELS]);
    for (uint32_t i = 0; contents && i < contents->list.count; i++) {
        contents->list.items[i].index = trn_place_index(place, contents->list.items[i].index);
    }
    if (*uniform) {
        blocks[0] = trn_place_block(place, types, blocks[0]);
        return TRN_RESULT_OK;
    }
    TrnBlock *from = trn_take(&import->allocator, bytes, TRN_CACHE_LINE);
    if (!from) {
        return TRN_RESULT_NO_MEMORY;
    }
    memcpy(from, blocks, bytes);
    TrnBlock last = TRN_BLOCK_AIR, turned = TRN_BLOCK_AIR;
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        if (from[i] != last) {
            last = from[i];
            turned = trn_place_block(place, types, last);
        }
        blocks[trn_place_index(place, i)] = turned;
    }
    trn_give(&import->allocator, from, bytes);
    return TRN_RESULT_OK;
}

/// Loads a chunk. @param contents  NULL: without what blocks contain
static TrnResult import_load(TrnImport *import, TrnCoord coord, TrnBlock *blocks, bool *uniform,
                             TrnImportContents *contents)
{
    const TrnImportPlace *place = &import->def.place;
    const TrnResult result = import->reader->load(
        import->state, trn_place_source_chunk(place, coord), blocks, uniform, contents);
    return result == TRN_RESULT_OK && trn_place_turns(place)
               ? import_turn(import, blocks, uniform, contents)
               : result;
}

TrnResult trn_import_list(TrnImport *import, TrnImportVisitor visit, void *user)
{
    if (!import || !visit) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    bool is_stopped = false;
    const TrnResult result = import_list(import, visit, user, &is_stopped);
    return result == TRN_RESULT_OK && !is_stopped ? import_list_rest(import, false, visit, user)
                                                  : result;
}

bool trn_import_spawn(const TrnImport *import, TrnVoxel *voxel)
{
    TrnVoxel theirs;
    if (!import || !voxel || !import->reader->spawn ||
        !import->reader->spawn(import->state, &theirs)) {
        return false;
    }
    const TrnVoxel offset = import->def.offset;
    const TrnVoxel ours = {theirs.x + offset.x, theirs.y + offset.y, theirs.z + offset.z};
    if (!trn_voxel_in_world(ours)) {
        return false;
    }
    *voxel = ours;
    return true;
}

bool trn_import_box(const TrnImport *import, TrnVoxel *min, TrnVoxel *max)
{
    if (!import || !min || !max || !import->reader->box) {
        return false;
    }
    TrnVoxel ends[2];
    import->reader->box(import->state, &ends[0], &ends[1]);
    for (int i = 0; i < 2; i++) {
        ends[i] = trn_place_voxel(&import->def.place, ends[i]);
    }
    *min = (TrnVoxel){ends[0].x < ends[1].x ? ends[0].x : ends[1].x, ends[0].y,
                      ends[0].z < ends[1].z ? ends[0].z : ends[1].z};
    *max = (TrnVoxel){ends[0].x > ends[1].x ? ends[0].x : ends[1].x, ends[1].y,
                      ends[0].z > ends[1].z ? ends[0].z : ends[1].z};
    return true;
}

TrnResult trn_import_load(TrnImport *import, TrnCoord coord, TrnBlock *blocks, bool *uniform)
{
    return import && blocks && uniform ? import_load(import, coord, blocks, uniform, NULL)
                                       : TRN_RESULT_BAD_ARGUMENT;
}

/// Loads a chunk, and its block data.
/// @param contents  receives it in TrnImportContents.data; freed by the caller, also after a
/// failure
static TrnResult import_load_contents(TrnImport *import, TrnCoord coord, TrnBlock *blocks,
                                      bool *uniform, TrnImportContents *contents)
{
    *contents = (TrnImportContents){.allocator = &import->allocator, .notes = &import->notes};
    const TrnResult result = import_load(import, coord, blocks, uniform, contents);
    return result == TRN_RESULT_OK ? trn_import_contents_finish(contents, blocks, *uniform)
                                   : result;
}

static TrnResult import_load_job(void *user, const TrnStreamJob *job, TrnBlock *blocks,
                                 bool *uniform)
{
    if (job->level != 0 || !job->data) {
        return job->level == 0 ? trn_import_load(user, job->coord, blocks, uniform)
                               : TRN_RESULT_NOT_FOUND;
    }
    TrnImportContents contents;
    TrnResult result = import_load_contents(user, job->coord, blocks, uniform, &contents);
    for (uint32_t i = 0; i < contents.data.count && result == TRN_RESULT_OK; i++) {
        result = trn_stream_job_set_data(job, &contents.data.items[i]);
    }
    trn_import_contents_free(&contents);
    return result;
}

TrnStreamSource trn_import_source(TrnImport *import)
{
    return import ? (TrnStreamSource){.load = import_load_job, .user = import}
                  : (TrnStreamSource){0};
}

// ---- copying -----------------------------------------------------------------------------------

/// Chunks above each other, which is how most formats list them.
typedef struct ImportRun {
    TrnCoord coord; ///< the lowest
    uint32_t count;
} ImportRun;

TRN_ARRAY_DECLARE(ImportRuns, ImportRun);

#define IMPORT_COVERED_WORDS (TRN_CHUNK_VOXELS / 32)
#define IMPORT_LISTED_STEP 4096u ///< chunks that are listed between two calls of `progress`

/// What copying works with.
typedef struct ImportCopy {
    TrnImport *import;
    TrnSave *save;
    TrnBlock *blocks;                                    ///< [TRN_CHUNK_VOXELS]
    bool merges;                                         ///< into chunks of the world
    TrnImportAir air;                                    ///< of a merge
    const TrnGenerator *land;                            ///< of a merge; NULL: none
    TrnBlock *merged;                                    ///< [TRN_CHUNK_VOXELS] of a merge
    uint32_t *covered;                                   ///< [IMPORT_COVERED_WORDS] of a merge
    ImportRuns runs;                                     ///< that are listed, and not copied yet
    bool (*progress)(void *user, TrnImportProgress now); ///< of the caller; may be NULL
    void *user;
    TrnImportProgress now;
    bool is_stopped;
    TrnResult result; ///< of listing
} ImportCopy;

/// Whether a chunk lies on top of a run.
static bool import_is_next(const ImportRun *run, TrnCoord coord)
{
    return run->coord.x == coord.x && run->coord.z == coord.z &&
           (int64_t)run->coord.y + run->count == coord.y;
}

static bool import_collect(void *user, TrnCoord coord)
{
    ImportCopy *copy = user;
    if (copy->runs.count && import_is_next(&copy->runs.items[copy->runs.count - 1], coord)) {
        copy->runs.items[copy->runs.count - 1].count++;
    } else {
        const ImportRun run = {coord, 1};
        copy->result = trn_array_push(&copy->runs, &copy->import->allocator, run);
    }
    copy->now.total += copy->result == TRN_RESULT_OK;
    if (copy->progress && copy->now.done == 0 && copy->now.total % IMPORT_LISTED_STEP == 0) {
        copy->is_stopped = !copy->progress(copy->user, (TrnImportProgress){.coord = coord});
    }
    return copy->result == TRN_RESULT_OK && !copy->is_stopped;
}

/// Queues a chunk. Waits for the disk when the save's queue is full.
static TrnResult import_put(TrnSave *save, TrnCoord coord, const TrnBlock *blocks, bool uniform,
                            const TrnImportDataList *data)
{
    TrnResult result = trn_save_put_data(save, coord, blocks, uniform, data->items, data->count);
    if (result == TRN_RESULT_FULL) {
        result = trn_save_flush(save);
        result = result == TRN_RESULT_OK
                     ? trn_save_put_data(save, coord, blocks, uniform, data->items, data->count)
                     : result;
    }
    return result;
}

/// Copies one chunk, if there is something.
static TrnResult import_copy(ImportCopy *copy, TrnCoord coord)
{
    bool uniform = false;
    TrnImportContents contents;
    TrnResult result = import_load_contents(copy->import, coord, copy->blocks, &uniform, &contents);
    const bool has_any = result != TRN_RESULT_NOT_FOUND;
    result = result == TRN_RESULT_OK
                 ? import_put(copy->save, coord, copy->blocks, uniform, &contents.data)
                 : result;
    trn_import_contents_free(&contents);
    if (!has_any) {
        return TRN_RESULT_OK;
    }
    copy->now.copied += result == TRN_RESULT_OK;
    copy->now.filled += result == TRN_RESULT_OK && !(uniform && copy->blocks[0] == TRN_BLOCK_AIR);
    return result;
}

// ---- merging -----------------------------------------------------------------------------------

static void import_spread(TrnBlock *blocks, bool uniform)
{
    for (uint32_t i = 1; i < TRN_CHUNK_VOXELS && uniform; i++) {
        blocks[i] = blocks[0];
    }
}

static TrnResult import_keep_data(void *user, const TrnBlockData *data)
{
    return trn_import_contents_add_data(user, data);
}

/// Loads the chunk of the world, with its block data.
static TrnResult import_load_world(ImportCopy *copy, TrnCoord coord, TrnImportContents *contents)
{
    const TrnStreamSource source = trn_save_source(copy->save);
    const TrnDataSink sink = {import_keep_data, contents};
    const TrnStreamJob job = {.coord = coord, .data = &sink};
    bool uniform = false;
    TrnResult result = source.load(source.user, &job, copy->merged, &uniform);
    if (result == TRN_RESULT_NOT_FOUND && copy->land) {
        result = trn_generator_generate(copy->land, coord, 0, copy->merged, &uniform);
    } else if (result == TRN_RESULT_NOT_FOUND) {
        copy->merged[0] = TRN_BLOCK_AIR;
        uniform = true;
        result = TRN_RESULT_OK;
    }
    if (result == TRN_RESULT_OK) {
        import_spread(copy->merged, uniform);
    }
    return result;
}

/// Finds which voxels of a chunk the source has: also air, if that replaces.
static void import_find_covered(const ImportCopy *copy, TrnCoord coord)
{
    const TrnImport *import = copy->import;
    const TrnImportPlace *place = &import->def.place;
    uint32_t bits[IMPORT_COVERED_WORDS] = {0};
    memset(copy->covered, 0, sizeof bits);
    if (copy->air == TRN_IMPORT_AIR_REPLACES && import->reader->cover) {
        import->reader->cover(import->state, trn_place_source_chunk(place, coord), bits);
    }
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        const uint32_t to = trn_place_index(place, i);
        copy->covered[to / 32] |= (bits[i / 32] >> i % 32 & 1u) << to % 32;
        copy->covered[i / 32] |= (uint32_t)(copy->blocks[i] != TRN_BLOCK_AIR) << i % 32;
    }
}

static bool import_is_covered(const ImportCopy *copy, uint32_t index)
{
    return copy->covered[index / 32] >> index % 32 & 1u;
}

/// Puts what is covered over the world's chunk, and joins their block data.
/// @param world    of the world; receives all
/// @param changes  receives whether anything changes
static TrnResult import_join(ImportCopy *copy, TrnImportContents *world,
                             const TrnImportContents *own, bool *changes)
{
    TrnImportContentList *kept = &world->list;
    uint32_t count = 0;
    *changes = false;
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        if (import_is_covered(copy, i)) {
            *changes = *changes || copy->merged[i] != copy->blocks[i];
            copy->merged[i] = copy->blocks[i];
        }
    }
    for (uint32_t i = 0; i < kept->count; i++) {
        if (!import_is_covered(copy, kept->items[i].index)) {
            kept->items[count++] = kept->items[i];
        }
    }
    *changes = *changes || count != kept->count || own->data.count;
    kept->count = count;
    TrnResult result = TRN_RESULT_OK;
    for (uint32_t i = 0; i < own->data.count && result == TRN_RESULT_OK; i++) {
        result = import_keep_data(world, &own->data.items[i]);
    }
    return result == TRN_RESULT_OK ? trn_import_contents_finish(world, copy->merged, false)
                                   : result;
}

/// Merges the chunk that was loaded into the world's.
static TrnResult import_merge_loaded(ImportCopy *copy, TrnCoord coord, const TrnImportContents *own,
                                     TrnImportContents *world)
{
    bool changes = false;
    TrnResult result = import_load_world(copy, coord, world);
    if (result == TRN_RESULT_OK) {
        import_find_covered(copy, coord);
        result = import_join(copy, world, own, &changes);
    }
    return result == TRN_RESULT_OK && changes
               ? import_put(copy->save, coord, copy->merged, trn_import_is_uniform(copy->merged),
                            &world->data)
               : result;
}

/// Merges one chunk, if there is something.
static TrnResult import_merge(ImportCopy *copy, TrnCoord coord)
{
    bool uniform = false;
    TrnImport *import = copy->import;
    TrnImportContents own;
    TrnImportContents world = {.allocator = &import->allocator, .notes = &import->notes};
    TrnResult result = import_load_contents(import, coord, copy->blocks, &uniform, &own);
    const bool has_any = result != TRN_RESULT_NOT_FOUND;
    if (result == TRN_RESULT_OK) {
        copy->now.copied++;
        copy->now.filled +=
            copy->air == TRN_IMPORT_AIR_REPLACES || !(uniform && copy->blocks[0] == TRN_BLOCK_AIR);
        import_spread(copy->blocks, uniform);
        result = import_merge_loaded(copy, coord, &own, &world);
    }
    trn_import_contents_free(&own);
    trn_import_contents_free(&world);
    return has_any ? result : TRN_RESULT_OK;
}

// ---- all of it ---------------------------------------------------------------------------------

/// Copies what is listed.
static TrnResult import_copy_listed(ImportCopy *copy)
{
    TrnResult result = TRN_RESULT_OK;
    const ImportRun *runs = copy->runs.items;
    for (uint32_t i = 0; runs && i < copy->runs.count && result == TRN_RESULT_OK; i++) {
        const ImportRun run = runs[i];
        for (uint32_t k = 0; k < run.count && result == TRN_RESULT_OK && !copy->is_stopped; k++) {
            copy->now.coord = trn_coord_add(run.coord, 0, (int32_t)k, 0);
            result = copy->merges ? import_merge(copy, copy->now.coord)
                                  : import_copy(copy, copy->now.coord);
            copy->now.done++;
            copy->is_stopped =
                result == TRN_RESULT_OK && copy->progress && !copy->progress(copy->user, copy->now);
        }
    }
    copy->runs.count = 0;
    return result;
}

/// Lists and copies: first what lists without reading, then what reading that has told.
static TrnResult import_copy_all(ImportCopy *copy)
{
    bool is_stopped = false;
    TrnResult result = import_list(copy->import, import_collect, copy, &is_stopped);
    result = result == TRN_RESULT_OK ? copy->result : result;
    result = result == TRN_RESULT_OK && !copy->is_stopped ? import_copy_listed(copy) : result;
    if (result != TRN_RESULT_OK || copy->is_stopped) {
        return result;
    }
    result = import_list_rest(copy->import, true, import_collect, copy);
    result = result == TRN_RESULT_OK ? copy->result : result;
    return result == TRN_RESULT_OK && !copy->is_stopped ? import_copy_listed(copy) : result;
}

/// After a flush the save's thread has nothing to write, and does not read the registry.
static TrnResult import_quiet(void *user)
{
    return trn_save_flush(user);
}

/// Copies or merges everything, and flushes.
static TrnResult import_run(ImportCopy *copy)
{
    TrnImport *import = copy->import;
    const size_t bytes = sizeof(TrnBlock[TRN_CHUNK_VOXELS]);
    const size_t covered = sizeof(uint32_t[IMPORT_COVERED_WORDS]);
    copy->blocks = trn_take(&import->allocator, bytes, TRN_CACHE_LINE);
    copy->merged = copy->merges ? trn_take(&import->allocator, bytes, TRN_CACHE_LINE) : NULL;
    copy->covered = copy->merges ? trn_take(&import->allocator, covered, TRN_CACHE_LINE) : NULL;
    TrnResult result = copy->blocks && (!copy->merges || (copy->merged && copy->covered))
                           ? TRN_RESULT_OK
                           : TRN_RESULT_NO_MEMORY;
    if (result == TRN_RESULT_OK) {
        import->names.quiet = import_quiet;
        import->names.quiet_user = copy->save;
        result = import_copy_all(copy);
        import->names.quiet = NULL;
    }
    trn_array_free(&copy->runs, &import->allocator);
    trn_give(&import->allocator, copy->blocks, bytes);
    trn_give(&import->allocator, copy->merged, bytes);
    trn_give(&import->allocator, copy->covered, covered);
    const TrnResult flushed = trn_save_flush(copy->save);
    return result == TRN_RESULT_OK ? flushed : result;
}

TrnResult trn_import_into(TrnImport *import, TrnSave *save,
                          bool (*progress)(void *user, TrnImportProgress now), void *user)
{
    ImportCopy copy = {.import = import, .save = save, .progress = progress, .user = user};
    return import && save ? import_run(&copy) : TRN_RESULT_BAD_ARGUMENT;
}

TrnResult trn_import_merge(TrnImport *import, TrnSave *save, const TrnGenerator *land,
                           TrnImportAir air, bool (*progress)(void *user, TrnImportProgress now),
                           void *user)
{
    ImportCopy copy = {.import = import,
                       .save = save,
                       .merges = true,
                       .air = air,
                       .land = land,
                       .progress = progress,
                       .user = user};
    return import && save && (uint32_t)air < TRN_IMPORT_AIR_COUNT ? import_run(&copy)
                                                                  : TRN_RESULT_BAD_ARGUMENT;
}

// ---- the report --------------------------------------------------------------------------------

TRN_ARRAY_DECLARE(ImportNotes, TrnImportNote);

static int import_compare_notes(const void *a, const void *b)
{
    const TrnImportNote *one = a, *other = b;
    if (one->kind != other->kind) {
        return one->kind < other->kind ? -1 : 1;
    }
    if (one->count != other->count) {
        return one->count > other->count ? -1 : 1;
    }
    return strcmp(one->what, other->what);
}

static TrnResult import_gather_notes(const TrnImport *import, ImportNotes *notes)
{
    TrnResult result = TRN_RESULT_OK;
    for (uint32_t i = 0; i < TRN_IMPORT_NAME_BUCKETS; i++) {
        const TrnImportName *name = import->names.buckets[i];
        for (; name && result == TRN_RESULT_OK; name = name->next) {
            const uint64_t count = atomic_load_explicit(&name->count, memory_order_relaxed);
            if (name->is_unknown && count) {
                const TrnImportNote note = {TRN_IMPORT_NOTE_UNKNOWN, count, name->text, ""};
                result = trn_array_push(notes, &import->allocator, note);
            }
        }
    }
    for (uint32_t i = 0; i < import->notes.count && result == TRN_RESULT_OK; i++) {
        result = trn_array_push(notes, &import->allocator, import->notes.notes[i]);
    }
    return result;
}

TrnResult trn_import_report(TrnImport *import, TrnImportNoteVisitor visit, void *user)
{
    if (!import || !visit) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    ImportNotes notes = {0};
    const TrnResult result = import_gather_notes(import, &notes);
    if (result == TRN_RESULT_OK && notes.count) {
        qsort(notes.items, notes.count, sizeof *notes.items, import_compare_notes);
        for (uint32_t i = 0; i < notes.count && visit(user, &notes.items[i]); i++) {
        }
    }
    trn_array_free(&notes, &import->allocator);
    return result;
}
