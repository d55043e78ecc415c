#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "start/importer.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "world_import.h"

#define HIDDEN_SUFFIX ".import"
#define SIDE_FILES 5 // what SQLite and the save may leave of an import that ends badly

struct Importer {
    pthread_t thread;
    char source[WORLDS_PATH_MAX], world[WORLDS_PATH_MAX], hidden[WORLDS_PATH_MAX];
    char name[WORLDS_NAME_BYTES];
    atomic_bool has_ended, is_folding, stops;
    atomic_uint_fast64_t done, total;
    bool good;    // the thread's, until it has ended
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

static void remove_hidden(const Importer *importer)
{
    static const char *const suffixes[SIDE_FILES] = {"", "-wal", "-shm", "-journal", "-lock"};
    char path[WORLDS_PATH_MAX + 16];
    for (int i = 0; i < SIDE_FILES; i++) {
        (void)snprintf(path, sizeof path, "%s%s", importer->hidden, suffixes[i]);
        (void)unlink(path);
    }
}

/// What could not be imported as it is.
typedef struct NoteCounts {
    uint64_t of[TRN_IMPORT_NOTE_COUNT];
} NoteCounts;

static bool count_note(void *user, const TrnImportNote *note)
{
    NoteCounts *counts = user;
    counts->of[note->kind] += note->kind == TRN_IMPORT_NOTE_DAMAGED ? note->count : 1;
    return true;
}

static void describe(Importer *importer, const WorldImport *import)
{
    NoteCounts counts = {{0}};
    char unknown[64] = "", damaged[64] = "";
    (void)trn_import_report(import->import, count_note, &counts); // without memory: no counts
    if (counts.of[TRN_IMPORT_NOTE_UNKNOWN]) {
        (void)snprintf(unknown, sizeof unknown, " Names without a block: %llu.",
                       (unsigned long long)counts.of[TRN_IMPORT_NOTE_UNKNOWN]);
    }
    if (counts.of[TRN_IMPORT_NOTE_DAMAGED]) {
        (void)snprintf(damaged, sizeof damaged, " Damaged pieces, which are air: %llu.",
                       (unsigned long long)counts.of[TRN_IMPORT_NOTE_DAMAGED]);
    }
    (void)message_set(&importer->text, "Imported %s: %llu chunks (%s) in %.1f s.%s%s",
                      message_short(importer->name).text, (unsigned long long)import->copied.copied,
                      trn_import_format_name(trn_import_format(import->import)), import->seconds,
                      unknown, damaged);
}

/// Gives the whole world its name, unless another world has got it meanwhile.
static bool show_world(Importer *importer)
{
    if (access(importer->world, F_OK) == 0) {
        errno = EEXIST;
    } else if (rename(importer->hidden, importer->world) == 0) {
        return true;
    }
    return message_set(&importer->text, "Cannot name the imported world %s: %s.",
                       message_short(importer->name).text, strerror(errno));
}

static void *run(void *user)
{
    Importer *importer = user;
    WorldImport import;
    WorldImportDef def = world_import_def();
    def.source = importer->source;
    def.world = importer->hidden;
    def.progress = importer_step;
    def.user = importer;
    const bool is_whole = world_import_run(&import, &def, &importer->text) == WORLD_IMPORT_DONE;
    if (is_whole) {
        describe(importer, &import);
    }
    world_import_free(&import);
    importer->good = is_whole && show_world(importer);
    if (!importer->good) {
        remove_hidden(importer);
    }
    atomic_store(&importer->has_ended, true);
    return NULL;
}

// ---- public -------------------------------------------------------------------------------------

/// Takes the path as a person writes or pastes it. @return false if it is too long
static bool take_source(Importer *importer, const char *text)
{
    const char *home = getenv("HOME");
    text += strspn(text, " \t\"'");
    size_t length = strlen(text);
    while (length > 1 && strchr(" \t\"'/", text[length - 1])) {
        length--;
    }
    const bool is_own = strncmp(text, "~/", 2) == 0 && home;
    const int written =
        snprintf(importer->source, sizeof importer->source, "%s%.*s", is_own ? home : "",
                 (int)(is_own ? length - 1 : length), is_own ? text + 1 : text);
    return written >= 0 && written < (int)sizeof importer->source;
}

static bool prepare(Importer *importer, const WorldsFolder *folder, const char *source,
                    Message *problem)
{
    if (!take_source(importer, source)) {
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
    if (snprintf(importer->hidden, sizeof importer->hidden, "%s/.%s" HIDDEN_SUFFIX, folder->path,
                 importer->name) >= (int)sizeof importer->hidden) {
        return message_set(problem, "The path of the world is too long.");
    }
    remove_hidden(importer); // of a viewer that was killed
    return true;
}

Importer *importer_begin(const WorldsFolder *folder, const char *source, Message *problem)
{
    Importer *importer = calloc(1, sizeof *importer);
    if (!importer) {
        (void)message_set(problem, "Out of memory for an import.");
        return NULL;
    }
    if (!prepare(importer, folder, source, problem)) {
        free(importer);
        return NULL;
    }
    if (pthread_create(&importer->thread, NULL, run, importer) != 0) {
        (void)message_set(problem, "The system starts no thread for the import.");
        free(importer);
        return NULL;
    }
    return importer;
}

ImporterNow importer_now(const Importer *importer)
{
    return (ImporterNow){atomic_load(&importer->has_ended), atomic_load(&importer->is_folding),
                         atomic_load(&importer->done), atomic_load(&importer->total)};
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
