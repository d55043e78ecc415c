// Imports: opening, listing, loading and copying. What depends on the format is in its own file.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../save_internal.h"
#include "base/memory.h"
#include "file.h"
#include "format.h"

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
    TrnImportVisitor visit;
    void *user;
    bool is_stopped;
} ImportVisit;

static bool import_visit(void *user, TrnCoord coord)
{
    ImportVisit *visit = user;
    visit->is_stopped = !visit->visit(visit->user, coord);
    return !visit->is_stopped;
}

TrnResult trn_import_list(TrnImport *import, TrnImportVisitor visit, void *user)
{
    if (!import || !visit) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    const TrnImportReader *reader = import->reader;
    ImportVisit listed = {visit, user, false};
    const TrnResult result = reader->list(import->state, import_visit, &listed);
    return result == TRN_RESULT_OK && !listed.is_stopped && reader->list_rest
               ? reader->list_rest(import->state, false, visit, user)
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

TrnResult trn_import_load(TrnImport *import, TrnCoord coord, TrnBlock *blocks, bool *uniform)
{
    return import && blocks && uniform
               ? import->reader->load(import->state, coord, blocks, uniform, NULL)
               : TRN_RESULT_BAD_ARGUMENT;
}

/// Loads a chunk, and its block data.
/// @param contents  receives it in TrnImportContents.data; freed by the caller, also after a
/// failure
static TrnResult import_load_contents(TrnImport *import, TrnCoord coord, TrnBlock *blocks,
                                      bool *uniform, TrnImportContents *contents)
{
    *contents = (TrnImportContents){.allocator = &import->allocator, .notes = &import->notes};
    const TrnResult result = import->reader->load(import->state, coord, blocks, uniform, contents);
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

#define IMPORT_LISTED_STEP 4096u ///< chunks that are listed between two calls of `progress`

/// What copying works with.
typedef struct ImportCopy {
    TrnImport *import;
    TrnSave *save;
    TrnBlock *blocks;                                    ///< [TRN_CHUNK_VOXELS]
    ImportRuns runs;                                     ///< that are listed, and not copied yet
    bool (*progress)(void *user, TrnImportProgress now); ///< of the caller; may be NULL
    void *user;
    TrnImportProgress now;
    bool is_stopped;
    TrnResult result; ///< of listing
} ImportCopy;

static bool import_collect(void *user, TrnCoord coord)
{
    ImportCopy *copy = user;
    ImportRun *last = copy->runs.count ? &copy->runs.items[copy->runs.count - 1] : NULL;
    if (last && last->coord.x == coord.x && last->coord.z == coord.z &&
        (int64_t)last->coord.y + last->count == coord.y) {
        last->count++;
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
static TrnResult import_put(ImportCopy *copy, TrnCoord coord, bool uniform,
                            const TrnImportDataList *data)
{
    TrnResult result =
        trn_save_put_data(copy->save, coord, copy->blocks, uniform, data->items, data->count);
    if (result == TRN_RESULT_FULL) {
        result = trn_save_flush(copy->save);
        result = result == TRN_RESULT_OK ? trn_save_put_data(copy->save, coord, copy->blocks,
                                                             uniform, data->items, data->count)
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
    result = result == TRN_RESULT_OK ? import_put(copy, coord, uniform, &contents.data) : result;
    trn_import_contents_free(&contents);
    if (!has_any) {
        return TRN_RESULT_OK;
    }
    copy->now.copied += result == TRN_RESULT_OK;
    copy->now.filled += result == TRN_RESULT_OK && !(uniform && copy->blocks[0] == TRN_BLOCK_AIR);
    return result;
}

/// Copies what is listed.
static TrnResult import_copy_listed(ImportCopy *copy)
{
    TrnResult result = TRN_RESULT_OK;
    const ImportRun *runs = copy->runs.items;
    for (uint32_t i = 0; runs && i < copy->runs.count && result == TRN_RESULT_OK; i++) {
        const ImportRun run = runs[i];
        for (uint32_t k = 0; k < run.count && result == TRN_RESULT_OK && !copy->is_stopped; k++) {
            copy->now.coord = trn_coord_add(run.coord, 0, (int32_t)k, 0);
            result = import_copy(copy, copy->now.coord);
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
    const TrnImportReader *reader = copy->import->reader;
    void *state = copy->import->state;
    TrnResult result = reader->list(state, import_collect, copy);
    result = result == TRN_RESULT_OK ? copy->result : result;
    result = result == TRN_RESULT_OK && !copy->is_stopped ? import_copy_listed(copy) : result;
    if (result != TRN_RESULT_OK || copy->is_stopped || !reader->list_rest) {
        return result;
    }
    result = reader->list_rest(state, true, import_collect, copy);
    result = result == TRN_RESULT_OK ? copy->result : result;
    return result == TRN_RESULT_OK && !copy->is_stopped ? import_copy_listed(copy) : result;
}

/// After a flush the save's thread has nothing to write, and does not read the registry.
static TrnResult import_quiet(void *user)
{
    return trn_save_flush(user);
}

TrnResult trn_import_into(TrnImport *import, TrnSave *save,
                          bool (*progress)(void *user, TrnImportProgress now), void *user)
{
    if (!import || !save) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    const size_t bytes = sizeof(TrnBlock[TRN_CHUNK_VOXELS]);
    ImportCopy copy = {.import = import, .save = save, .progress = progress, .user = user};
    copy.blocks = trn_take(&import->allocator, bytes, TRN_CACHE_LINE);
    TrnResult result = copy.blocks ? TRN_RESULT_OK : TRN_RESULT_NO_MEMORY;
    if (result == TRN_RESULT_OK) {
        import->names.quiet = import_quiet;
        import->names.quiet_user = save;
        result = import_copy_all(&copy);
        import->names.quiet = NULL;
    }
    trn_array_free(&copy.runs, &import->allocator);
    trn_give(&import->allocator, copy.blocks, bytes);
    const TrnResult flushed = trn_save_flush(save);
    return result == TRN_RESULT_OK ? flushed : result;
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
