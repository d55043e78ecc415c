#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "start/importer.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files/file_list.h"
#include "world_import.h"

_Static_assert(FILE_PATH_MAX == WORLDS_PATH_MAX, "a path to import is one of ours");

struct Importer {
    pthread_t thread;
    char source[WORLDS_PATH_MAX], world[WORLDS_PATH_MAX];
    TrnStoragePart *part; ///< the hidden part file, until the import is complete; NULL: a copy
    char name[WORLDS_NAME_BYTES];
    atomic_bool has_ended, is_folding, stops;
    atomic_uint_fast64_t done, total;
    bool good;    // written by the thread until it has ended
    Message text; // the same
};

// ---- the thread ---------------------------------------------------------------------------------

static bool importer_step(void *user, WorldImportProgress now)
{
    Importer *importer = user;
    atomic_store(&importer->is_folding, now.is_folding);
    atomic_store(&importer->done, now.done);
    atomic_store(&importer->total, now.total);
    return !atomic_load(&importer->stops);
}

/// Counts of parts that could be imported only approximately.
typedef struct NoteCounts {
    uint64_t of[TRN_IMPORT_NOTE_COUNT];
} NoteCounts;

static bool importer_count_note(void *user, const TrnImportNote *note)
{
    NoteCounts *counts = user;
    const bool is_name = note->kind == TRN_IMPORT_NOTE_UNKNOWN;
    counts->of[note->kind] += is_name ? 1 : note->count;
    return true;
}

static void importer_describe(Importer *importer, const WorldImport *import)
{
    NoteCounts counts = {{0}};
    char unknown[64] = "", damaged[64] = "", unsupported[64] = "";
    (void)trn_import_report(import->import, importer_count_note,
                            &counts); // without memory: no counts
    if (counts.of[TRN_IMPORT_NOTE_UNKNOWN]) {
        (void)snprintf(unknown, sizeof unknown, " Names without a block: %llu.",
                       (unsigned long long)counts.of[TRN_IMPORT_NOTE_UNKNOWN]);
    }
    if (counts.of[TRN_IMPORT_NOTE_DAMAGED]) {
        (void)snprintf(damaged, sizeof damaged, " Damaged pieces, which are air: %llu.",
                       (unsigned long long)counts.of[TRN_IMPORT_NOTE_DAMAGED]);
    }
    if (counts.of[TRN_IMPORT_NOTE_UNSUPPORTED]) {
        (void)snprintf(unsupported, sizeof unsupported, " Pieces that are not supported: %llu.",
                       (unsigned long long)counts.of[TRN_IMPORT_NOTE_UNSUPPORTED]);
    }
    (void)message_set(&importer->text, "Imported %s: %llu chunks in %.1f s.%s%s%s",
                      message_short(importer->name).text, (unsigned long long)import->copied.copied,
                      import->seconds, unknown, damaged, unsupported);
}

/// Gives the complete world its name, unless another world took the name meanwhile; otherwise
/// deletes the part file.
static bool importer_end_part(Importer *importer, bool is_whole)
{
    TrnStorageProblem why = {""};
    const TrnResult so_far = is_whole ? TRN_RESULT_OK : TRN_RESULT_IO;
    const TrnResult result = trn_storage_part_end(importer->part, so_far, &why);
    if (is_whole && result != TRN_RESULT_OK) {
        (void)message_set(&importer->text, "Cannot name the imported world: %s", why.sentence);
    }
    return result == TRN_RESULT_OK;
}

static void *importer_run(void *user)
{
    Importer *importer = user;
    WorldImport import;
    WorldImportDef def = world_import_def();
    def.source = importer->source;
    def.world = trn_storage_part_path(importer->part);
    def.progress = importer_step;
    def.user = importer;
    const bool is_whole = world_import_run(&import, &def, &importer->text) == WORLD_IMPORT_DONE;
    if (is_whole) {
        importer_describe(importer, &import);
    }
    world_import_free(&import);
    importer->good = importer_end_part(importer, is_whole);
    atomic_store(&importer->has_ended, true);
    return NULL;
}

static bool importer_step_copy(void *user, uint64_t done, uint64_t total)
{
    return importer_step(user, (WorldImportProgress){.done = done, .total = total});
}

static void *importer_run_copy(void *user)
{
    Importer *importer = user;
    const TrnStorageProgress progress = {importer_step_copy, importer};
    TrnStorage storage;
    TrnStorageProblem why = {""};
    TrnResult result = trn_storage_sqlite(importer->source, TRN_STORAGE_READ_ONLY, &storage, &why);
    if (result == TRN_RESULT_OK) {
        result = trn_storage_sqlite_backup(&storage, importer->world, &progress, &why);
        storage.close(storage.user);
    }
    importer->good = result == TRN_RESULT_OK;
    if (importer->good) {
        (void)message_set(&importer->text, "Copied as %s.", message_short(importer->name).text);
    } else if (atomic_load(&importer->stops)) {
        (void)message_set(&importer->text, "The copy was stopped.");
    } else {
        (void)message_set(&importer->text, "The world cannot be copied. %s", why.sentence);
    }
    atomic_store(&importer->has_ended, true);
    return NULL;
}

// ---- public -------------------------------------------------------------------------------------

static bool importer_prepare(Importer *importer, const WorldsFolder *folder, const char *source,
                             Message *problem)
{
    if (!file_clean_path(source, importer->source)) {
        return message_set(problem, "The path of the world to import is too long.");
    }
    if (access(importer->source, R_OK) != 0) {
        return message_set(problem, "Cannot read %s: %s.", message_short(importer->source).text,
                           strerror(errno));
    }
    worlds_folder_name_for(folder, importer->source, importer->name, sizeof importer->name);
    if (!worlds_folder_new(folder, importer->name, importer->world, problem)) {
        return false;
    }
    TrnStorageProblem why = {""};
    return trn_storage_part_begin(importer->world, &importer->part, &why) == TRN_RESULT_OK ||
           message_set(problem, "%s", why.sentence);
}

static bool importer_prepare_copy(Importer *importer, const WorldsFolder *folder,
                                  const WorldEntry *entry, Message *problem)
{
    worlds_folder_copy_name(folder, entry, importer->name, sizeof importer->name);
    return (worlds_folder_path(folder, entry, importer->source) ||
            message_set(problem, "Its name is too long.")) &&
           worlds_folder_new(folder, importer->name, importer->world, problem);
}

/// @return NULL, with the importer freed, if no thread can be started
static Importer *importer_start(Importer *importer, void *(*run)(void *), Message *problem)
{
    if (pthread_create(&importer->thread, NULL, run, importer) == 0) {
        return importer;
    }
    (void)message_set(problem, "The system starts no thread for this.");
    if (importer->part) {
        (void)trn_storage_part_end(importer->part, TRN_RESULT_IO, NULL);
    }
    free(importer);
    return NULL;
}

Importer *importer_begin(const WorldsFolder *folder, const char *source, Message *problem)
{
    Importer *importer = calloc(1, sizeof *importer);
    if (!importer) {
        (void)message_set(problem, "Out of memory for an import.");
        return NULL;
    }
    if (!importer_prepare(importer, folder, source, problem)) {
        free(importer);
        return NULL;
    }
    return importer_start(importer, importer_run, problem);
}

Importer *importer_copy(const WorldsFolder *folder, const WorldEntry *entry, Message *problem)
{
    Importer *importer = calloc(1, sizeof *importer);
    if (!importer) {
        (void)message_set(problem, "Out of memory for a copy.");
        return NULL;
    }
    if (!importer_prepare_copy(importer, folder, entry, problem)) {
        free(importer);
        return NULL;
    }
    return importer_start(importer, importer_run_copy, problem);
}

ImporterNow importer_now(const Importer *importer)
{
    return (ImporterNow){atomic_load(&importer->has_ended), importer->part == NULL,
                         atomic_load(&importer->is_folding), atomic_load(&importer->done),
                         atomic_load(&importer->total)};
}

const char *importer_name(const Importer *importer)
{
    return importer->name;
}

void importer_stop(Importer *importer)
{
    atomic_store(&importer->stops, true);
}

bool importer_end(Importer *importer, Message *text)
{
    (void)pthread_join(importer->thread, NULL);
    const bool good = importer->good;
    if (text) {
        *text = importer->text;
    }
    free(importer);
    return good;
}
