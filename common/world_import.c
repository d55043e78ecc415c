#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "world_import.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <terrane/far.h>

#include "archive.h"
#include "clock.h"
#include "luanti_map.h"
#include "spawn_search.h"
#include "whole_file.h"

#define IMPORT_NAMES_MAX ((size_t)4 << 20)   ///< bytes of a table of names
#define IMPORT_QUEUE_BYTES ((size_t)8 << 20) ///< chunks that wait for the disk

/// An import while it runs.
typedef struct WorldImportJob {
    const WorldImportDef *def;
    const char *source; ///< of the def, or what was unpacked of it
    WorldImport *import;
    WorldFile file;
    bool is_stopped;
    SpawnSearch spawn;
    TrnResult result; ///< of remembering chunks
} WorldImportJob;

// ---- the source --------------------------------------------------------------------------------

/// Reads a table of names. @param text  receives memory of malloc
static bool world_import_read_names(const char *path, char **text, size_t *size, Message *problem)
{
    FILE *file = fopen(path, "rb");
    *text = file ? malloc(IMPORT_NAMES_MAX + 1) : NULL;
    const int error = errno;
    *size = *text ? fread(*text, 1, IMPORT_NAMES_MAX + 1, file) : 0;
    const bool good = *text && !ferror(file) && *size <= IMPORT_NAMES_MAX;
    if (file) {
        (void)fclose(file);
    }
    if (good) {
        return true;
    }
    free(*text);
    *text = NULL;
    return message_set(problem, "Cannot read the table of names %s: %s.", message_short(path).text,
                       file ? "it is larger than 4 MiB, or no file" : strerror(error));
}

/// @return whether the import goes on
static bool world_import_tell(WorldImportJob *job, const WorldImportProgress *now)
{
    job->is_stopped = job->def->progress && !job->def->progress(job->def->user, *now);
    return !job->is_stopped;
}

static bool world_import_open_step(void *user, uint64_t done, uint64_t total)
{
    return world_import_tell(user, &(WorldImportProgress){.done = done, .total = total});
}

static bool world_import_open_source(WorldImportJob *job, const char *names, size_t size,
                                     Message *problem)
{
    TrnImportDef def = trn_import_def();
    TrnStorageProblem why = {""};
    def.path = job->source;
    def.format = job->def->format;
    def.types = job->import->types;
    def.names = names;
    def.names_size = size;
    def.offset = job->def->offset;
    def.place = job->def->place;
    def.heights = job->def->heights;
    def.progress = (TrnStorageProgress){world_import_open_step, job};
    return trn_import_open(&def, &job->import->import, &why) == TRN_RESULT_OK ||
           message_set(problem, "%s", why.sentence);
}

static bool world_import_open(WorldImportJob *job, Message *problem)
{
    char *names = NULL;
    size_t size = 0;
    if (trn_block_types_create_builtin(NULL, &job->import->types) != TRN_RESULT_OK) {
        return message_set(problem, "Out of memory for the block types.");
    }
    const char *path = job->def->names;
    const bool good = (!path || world_import_read_names(path, &names, &size, problem)) &&
                      world_import_open_source(job, names, size, problem);
    free(names);
    return good;
}

// ---- where players begin -----------------------------------------------------------------------

/// Remembers a chunk for the search of a place to stand.
static void world_import_note_chunk(WorldImportJob *job, TrnCoord coord)
{
    if (job->file.is_new && !spawn_search_add(&job->spawn, coord)) {
        job->result = TRN_RESULT_NO_MEMORY;
    }
}

/// Lets players of a new world begin where they can stand.
static TrnResult world_import_set_spawn(WorldImportJob *job)
{
    TrnVoxel wished = {0, 0, 0}, found;
    const bool is_told = trn_import_spawn(job->import->import, &wished);
    const TrnStreamSource source = trn_save_source(job->file.save);
    if (!spawn_search_run(&job->spawn, &source, job->import->types, wished, is_told, &found)) {
        return TRN_RESULT_OK;
    }
    const double spawn[3] = {(double)found.x, (double)found.y, (double)found.z};
    return world_file_set_numbers(job->file.save, WORLD_FILE_SPAWN, spawn, 3);
}

// ---- copying -----------------------------------------------------------------------------------

static bool world_import_open_world(WorldImportJob *job, Message *problem)
{
    const TrnStorageMode mode = job->def->adds ? TRN_STORAGE_OPEN : TRN_STORAGE_CREATE;
    TrnSaveDef def = trn_save_def();
    WorldFacts facts = world_facts();
    def.types = job->import->types;
    def.queue_bytes = IMPORT_QUEUE_BYTES;
    facts.has_terrain = false;         // beyond what was imported there is nothing
    facts.spawn = (TrnVoxel){0, 0, 0}; // until the ground is known
    if (!world_file_open(&job->file, job->def->world, mode, &def, &facts, problem)) {
        return false;
    }
    // Its levels of detail show the old land, and would be folded again without it.
    if (!world_facts_allow(&job->file.facts, job->def->world, "an import into it", problem)) {
        (void)world_file_close(&job->file);
        return false;
    }
    job->import->has_world = true;
    return true;
}

static bool world_import_step(void *user, TrnImportProgress now)
{
    WorldImportJob *job = user;
    job->import->copied = now;
    if (now.done) { // they are listed
        world_import_note_chunk(job, now.coord);
    }
    return job->result == TRN_RESULT_OK &&
           world_import_tell(job, &(WorldImportProgress){.done = now.done, .total = now.total});
}

/// Says why the copy failed, in the storage's words if it was the disk.
static WorldImportOutcome world_import_fail(WorldImportJob *job, TrnResult result, Message *problem)
{
    TrnStorageProblem why = {""};
    const TrnStorage *storage = &job->file.storage;
    const TrnImportProgress now = job->import->copied;
    if (storage->problem) {
        storage->problem(storage->user, why.sentence, sizeof why.sentence);
    }
    (void)message_set(problem, "The import ended after %llu of %llu chunks: %s",
                      (unsigned long long)now.done, (unsigned long long)now.total,
                      why.sentence[0] ? why.sentence : trn_result_text(result));
    return WORLD_IMPORT_FAILED;
}

/// Keeps the most frequent note about pieces that are left out.
static bool world_import_keep_note(void *user, const TrnImportNote *note)
{
    TrnImportNote *kept = user;
    if ((note->kind == TRN_IMPORT_NOTE_DAMAGED || note->kind == TRN_IMPORT_NOTE_UNSUPPORTED) &&
        note->count > kept->count) {
        *kept = *note;
    }
    return true;
}

/// Says that nothing was imported, and why.
static WorldImportOutcome world_import_nothing(const WorldImportJob *job, Message *problem)
{
    TrnImportNote why = {.count = 0};
    (void)trn_import_report(job->import->import, world_import_keep_note, &why);
    if (why.count) {
        (void)message_set(problem, "Nothing was imported from %s. %s: %s (%llu).",
                          message_short(job->def->source).text,
                          why.kind == TRN_IMPORT_NOTE_DAMAGED ? "Damaged" : "Not supported",
                          why.what, (unsigned long long)why.count);
    } else {
        (void)message_set(problem, "Nothing was imported: %s has nothing but air.",
                          message_short(job->def->source).text);
    }
    return WORLD_IMPORT_NOTHING;
}

/// @param land  generates what the world has not saved; NULL: it has no terrain
static WorldImportOutcome world_import_copy(WorldImportJob *job, const TrnGenerator *land,
                                            Message *problem)
{
    TrnImport *import = job->import->import;
    TrnSave *save = job->file.save;
    TrnResult result = job->def->merges ? trn_import_merge(import, save, land, job->def->air,
                                                           world_import_step, job)
                                        : trn_import_into(import, save, world_import_step, job);
    const TrnImportProgress now = job->import->copied;
    result = result == TRN_RESULT_OK ? job->result : result;
    if (result == TRN_RESULT_OK && job->file.is_new && now.filled) {
        result = world_import_set_spawn(job);
    }
    spawn_search_free(&job->spawn);
    if (result != TRN_RESULT_OK) {
        return world_import_fail(job, result, problem);
    }
    if (now.done == now.total && !(now.total == 0 && job->is_stopped)) {
        return now.filled ? WORLD_IMPORT_DONE : world_import_nothing(job, problem);
    }
    (void)message_set(problem, "Stopped after %llu of %llu chunks.", (unsigned long long)now.done,
                      (unsigned long long)now.total);
    return WORLD_IMPORT_STOPPED;
}

static bool world_import_fold_step(void *user, TrnSaveFoldProgress now)
{
    return world_import_tell(user, &(WorldImportProgress){true, now.done, now.total});
}

/// Makes the levels of detail that a far view loads.
/// @param land  of the world's terrain; NULL: it has none
static WorldImportOutcome world_import_fold(WorldImportJob *job, const TrnGenerator *land,
                                            Message *problem)
{
    job->is_stopped = false; // by its last chunk
    const TrnResult result =
        trn_save_fold(job->file.save, land, TRN_FAR_LEVEL_MAX, world_import_fold_step, job);
    if (result != TRN_RESULT_OK) {
        return world_import_fail(job, result, problem);
    }
    if (!job->is_stopped) {
        return WORLD_IMPORT_DONE;
    }
    (void)message_set(problem, "Stopped while making levels of detail; all chunks are copied.");
    return WORLD_IMPORT_STOPPED_LEVELS;
}

/// Copies everything, and makes levels of detail of it.
static WorldImportOutcome world_import_all(WorldImportJob *job, Message *problem)
{
    TrnTerrain *terrain = NULL;
    const WorldFacts *facts = &job->file.facts;
    const TrnResult result =
        facts->has_terrain ? trn_terrain_create(&facts->terrain, &terrain) : TRN_RESULT_OK;
    if (result != TRN_RESULT_OK) {
        return world_import_fail(job, result, problem);
    }
    const TrnGenerator land = terrain ? trn_terrain_generator(terrain) : (TrnGenerator){0};
    WorldImportOutcome outcome = world_import_copy(job, terrain ? &land : NULL, problem);
    if (outcome == WORLD_IMPORT_DONE) {
        outcome = world_import_fold(job, terrain ? &land : NULL, problem);
    }
    trn_terrain_destroy(terrain);
    return outcome;
}

static WorldImportOutcome world_import_into_world(WorldImportJob *job, Message *problem)
{
    const WorldImportOutcome outcome = world_import_all(job, problem);
    const bool is_new = job->file.is_new;
    const TrnResult closed = world_file_close(&job->file);
    if (outcome == WORLD_IMPORT_DONE && closed != TRN_RESULT_OK) {
        (void)message_set(problem, "%s could not be closed: %s",
                          message_short(job->def->world).text, trn_result_text(closed));
        return WORLD_IMPORT_FAILED;
    }
    if (outcome == WORLD_IMPORT_NOTHING && is_new) {
        (void)whole_file_remove(job->def->world); // made by this import, and empty
    }
    return outcome;
}

// ---- public ------------------------------------------------------------------------------------

WorldImportDef world_import_def(void)
{
    return (WorldImportDef){.format = TRN_IMPORT_AUTO, .heights = trn_import_def().heights};
}

/// Whether a path is a regular file that begins as a zip archive does.
static bool world_import_is_archive(const char *path)
{
    struct stat status;
    char begin[4] = "";
    const bool is_file = stat(path, &status) == 0 && S_ISREG(status.st_mode);
    FILE *file = is_file ? fopen(path, "rb") : NULL;
    const bool is = file && fread(begin, 1, sizeof begin, file) == sizeof begin &&
                    memcmp(begin, "PK\3\4", 4) == 0;
    if (file) {
        (void)fclose(file);
    }
    return is;
}

static bool world_import_goes_on(void *user)
{
    return world_import_tell(user, &(WorldImportProgress){.done = 0});
}

WorldImportOutcome world_import_run(WorldImport *import, const WorldImportDef *def,
                                    Message *problem)
{
    const double start_us = clock_us();
    WorldImportJob job = {.def = def, .source = def->source, .import = import};
    Unpacked unpacked = {.folder = ""};
    UnpackSource *const unpack = world_import_is_archive(def->source)   ? archive_unpack
                                 : luanti_map_is_elsewhere(def->source) ? luanti_map_unpack
                                                                        : NULL;
    *import = (WorldImport){.import = NULL};
    if (unpack) {
        const UnpackDef how = {.path = def->source,
                               .beside = trn_storage_is_url(def->world) ? "" : def->world,
                               .bytes_max = UNPACKED_BYTES_MAX,
                               .goes_on = world_import_goes_on,
                               .user = &job};
        job.source = unpacked.source;
        if (!unpack(&unpacked, &how, problem)) {
            unpacked_remove(&unpacked);
            return job.is_stopped ? WORLD_IMPORT_STOPPED : WORLD_IMPORT_FAILED;
        }
    }
    const bool is_open = world_import_open(&job, problem) && world_import_open_world(&job, problem);
    const WorldImportOutcome outcome = is_open          ? world_import_into_world(&job, problem)
                                       : job.is_stopped ? WORLD_IMPORT_STOPPED
                                                        : WORLD_IMPORT_FAILED;
    import->seconds = (clock_us() - start_us) * 1e-6;
    unpacked_remove(&unpacked);
    return outcome;
}

void world_import_free(WorldImport *import)
{
    trn_import_destroy(import->import);
    trn_block_types_destroy(import->types);
    *import = (WorldImport){.import = NULL};
}
