// Imports: opening, listing, loading and copying. What depends on the format is in its own file.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "file.h"
#include "format.h"

// ---- formats -----------------------------------------------------------------------------------

static const char *const FORMAT_NAMES[TRN_IMPORT_FORMAT_COUNT] = {"auto", "luanti", "anvil",
                                                                  "heightmap", "vox"};

#if TRN_IMPORT_HAS_LUANTI
extern const TrnImportReader trn_import_luanti;
#endif
#if TRN_IMPORT_HAS_ANVIL
extern const TrnImportReader trn_import_anvil;
#endif
#if TRN_IMPORT_HAS_HEIGHTMAP
extern const TrnImportReader trn_import_heightmap;
#endif
extern const TrnImportReader trn_import_vox;

static const TrnImportReader *const READERS[TRN_IMPORT_FORMAT_COUNT] = {
#if TRN_IMPORT_HAS_LUANTI
    [TRN_IMPORT_LUANTI] = &trn_import_luanti,
#endif
#if TRN_IMPORT_HAS_ANVIL
    [TRN_IMPORT_ANVIL] = &trn_import_anvil,
#endif
#if TRN_IMPORT_HAS_HEIGHTMAP
    [TRN_IMPORT_HEIGHTMAP] = &trn_import_heightmap,
#endif
    [TRN_IMPORT_VOX] = &trn_import_vox,
};

const char *trn_import_format_name(TrnImportFormat format)
{
    return (uint32_t)format < TRN_IMPORT_FORMAT_COUNT ? FORMAT_NAMES[format] : NULL;
}

bool trn_import_format_is_built(TrnImportFormat format)
{
    return (uint32_t)format < TRN_IMPORT_FORMAT_COUNT && READERS[format] != NULL;
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
    return result != TRN_RESULT_NOT_FOUND; // a folder does not open
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
    if (!READERS[*format]) {
        trn_import_tell(problem, "This program was built without what reads %s; build it with it.",
                        FORMAT_NAMES[*format]);
        return TRN_RESULT_BAD_ARGUMENT;
    }
    return TRN_RESULT_OK;
}

static TrnResult import_open_names(TrnImport *import, TrnStorageProblem *problem)
{
    const TrnImportDef *def = &import->def;
    const TrnImportReader *reader = import->reader;
    const size_t own_size = reader->names_size ? *reader->names_size : 0;
    return trn_import_names_open(&import->names, &import->allocator, def->types,
                                 def->are_types_fixed, def->names ? def->names : reader->names,
                                 def->names ? def->names_size : own_size, problem);
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
        result = reader->open(made, &made->state, problem);
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

TrnResult trn_import_list(TrnImport *import, TrnImportVisitor visit, void *user)
{
    return import && visit ? import->reader->list(import->state, visit, user)
                           : TRN_RESULT_BAD_ARGUMENT;
}

TrnResult trn_import_load(TrnImport *import, TrnCoord coord, TrnBlock *blocks, bool *uniform)
{
    return import && blocks && uniform ? import->reader->load(import->state, coord, blocks, uniform)
                                       : TRN_RESULT_BAD_ARGUMENT;
}

static TrnResult import_load_job(void *user, const TrnStreamJob *job, TrnBlock *blocks,
                                 bool *uniform)
{
    return job->level == 0 ? trn_import_load(user, job->coord, blocks, uniform)
                           : TRN_RESULT_NOT_FOUND;
}

TrnStreamSource trn_import_source(TrnImport *import)
{
    return import ? (TrnStreamSource){.load = import_load_job, .user = import}
                  : (TrnStreamSource){0};
}

// ---- copying -----------------------------------------------------------------------------------

TRN_ARRAY_DECLARE(ImportCoords, TrnCoord);

/// A list of chunks while it is collected.
typedef struct ImportList {
    ImportCoords coords;
    const TrnAllocator *allocator;
    TrnResult result;
} ImportList;

static bool import_collect(void *user, TrnCoord coord)
{
    ImportList *list = user;
    list->result = trn_array_push(&list->coords, list->allocator, coord);
    return list->result == TRN_RESULT_OK;
}

/// Copies one chunk. Waits for the disk when the save's queue is full.
/// @param copied  counted up if there was something
static TrnResult import_copy(TrnImport *import, TrnSave *save, TrnCoord coord, TrnBlock *blocks,
                             uint64_t *copied)
{
    bool uniform = false;
    TrnResult result = trn_import_load(import, coord, blocks, &uniform);
    if (result != TRN_RESULT_OK) {
        return result == TRN_RESULT_NOT_FOUND ? TRN_RESULT_OK : result;
    }
    result = trn_save_put(save, coord, 0, blocks, uniform);
    if (result == TRN_RESULT_FULL) {
        result = trn_save_flush(save);
        result = result == TRN_RESULT_OK ? trn_save_put(save, coord, 0, blocks, uniform) : result;
    }
    *copied += result == TRN_RESULT_OK;
    return result;
}

static TrnResult import_copy_all(TrnImport *import, TrnSave *save, const ImportCoords *coords,
                                 bool (*progress)(void *user, TrnImportProgress now), void *user)
{
    const size_t bytes = sizeof(TrnBlock[TRN_CHUNK_VOXELS]);
    TrnBlock *blocks = trn_take(&import->allocator, bytes, TRN_CACHE_LINE);
    TrnResult result = blocks ? TRN_RESULT_OK : TRN_RESULT_NO_MEMORY;
    TrnImportProgress now = {.total = coords->count};
    for (uint32_t i = 0; i < coords->count && result == TRN_RESULT_OK; i++) {
        result = import_copy(import, save, coords->items[i], blocks, &now.copied);
        now.done++;
        now.coord = coords->items[i];
        if (result == TRN_RESULT_OK && progress && !progress(user, now)) {
            break;
        }
    }
    trn_give(&import->allocator, blocks, bytes);
    return result;
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
    ImportList list = {.allocator = &import->allocator};
    TrnResult result = trn_import_list(import, import_collect, &list);
    result = result == TRN_RESULT_OK ? list.result : result;
    if (result == TRN_RESULT_OK) {
        import->names.quiet = import_quiet;
        import->names.quiet_user = save;
        result = import_copy_all(import, save, &list.coords, progress, user);
        import->names.quiet = NULL;
    }
    trn_array_free(&list.coords, &import->allocator);
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
