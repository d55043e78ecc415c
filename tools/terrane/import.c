#include "import.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <terrane/far.h>

#include "clock.h"
#include "import_report.h"
#include "interrupt.h"
#include "progress.h"
#include "world_file.h"

#define IMPORT_NAMES_MAX ((size_t)4 << 20) ///< bytes of a table of names

/// An import while it runs.
typedef struct ImportJob {
    const ImportOptions *options;
    TrnBlockTypes *types;
    TrnImport *import;
    WorldFile file;
    Progress progress;
    TrnImportProgress now;
    TrnCoord top; ///< the highest chunk of the column nearest to the origin
} ImportJob;

// ---- the source --------------------------------------------------------------------------------

/// Reads a table of names. @param text  receives memory of malloc
static bool import_read_names(const char *path, char **text, size_t *size, Message *problem)
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

static bool import_open_source(ImportJob *job, const char *names, size_t size, Message *problem)
{
    TrnImportDef def = trn_import_def();
    TrnStorageProblem why = {""};
    def.path = job->options->source;
    def.format = job->options->format;
    def.types = job->types;
    def.names = names;
    def.names_size = size;
    def.offset = job->options->offset;
    def.heights = job->options->heights;
    return trn_import_open(&def, &job->import, &why) == TRN_RESULT_OK ||
           message_set(problem, "%s", why.sentence);
}

static bool import_open(ImportJob *job, Message *problem)
{
    char *names = NULL;
    size_t size = 0;
    if (trn_block_types_create_builtin(NULL, &job->types) != TRN_RESULT_OK) {
        return message_set(problem, "Out of memory for the block types.");
    }
    const char *path = job->options->names;
    const bool good = (!path || import_read_names(path, &names, &size, problem)) &&
                      import_open_source(job, names, size, problem);
    free(names);
    return good;
}

// ---- where players begin -----------------------------------------------------------------------

/// Rates the column of a chunk: the nearer to the origin, the lower.
static long long import_distance(TrnCoord coord)
{
    const long long x = llabs(coord.x), z = llabs(coord.z);
    return x > z ? x : z;
}

/// Keeps the highest chunk of the column that is nearest to the origin.
static void import_note_top(ImportJob *job, TrnCoord coord)
{
    const long long distance = import_distance(coord), best = import_distance(job->top);
    if (job->now.done == 1 || distance < best ||
        (coord.x == job->top.x && coord.z == job->top.z && coord.y > job->top.y)) {
        job->top = coord;
    }
}

/// Finds the lowest voxel of air above the ground in the middle of a chunk.
/// @return false if there is no ground
static bool import_find_ground(const ImportJob *job, TrnCoord coord, TrnBlock *blocks,
                               double spawn[3])
{
    const TrnStreamSource source = trn_save_source(job->file.save);
    const TrnStreamJob load = {.coord = coord};
    bool uniform = false;
    if (source.load(source.user, &load, blocks, &uniform) != TRN_RESULT_OK) {
        return false;
    }
    const TrnVoxel corner = {(int64_t)coord.x * TRN_CHUNK_EDGE, (int64_t)coord.y * TRN_CHUNK_EDGE,
                             (int64_t)coord.z * TRN_CHUNK_EDGE};
    const int64_t middle = TRN_CHUNK_EDGE / 2;
    for (int64_t y = TRN_CHUNK_EDGE - 1; y >= 0; y--) {
        const TrnVoxel voxel = {corner.x + middle, corner.y + y, corner.z + middle};
        if (blocks[uniform ? 0 : trn_voxel_local_index(voxel)] != TRN_BLOCK_AIR) {
            spawn[0] = (double)voxel.x;
            spawn[1] = (double)voxel.y + 1;
            spawn[2] = (double)voxel.z;
            return true;
        }
    }
    return false;
}

/// Lets players of a new world begin on the ground near the origin.
static TrnResult import_set_spawn(const ImportJob *job)
{
    enum { DEPTH = 64 }; // chunks below the highest that are tried
    double spawn[3];
    TrnCoord coord = job->top;
    TrnBlock *blocks = malloc(sizeof(TrnBlock[TRN_CHUNK_VOXELS]));
    bool is_found = false;
    for (int i = 0; i < DEPTH && blocks && !is_found; i++) {
        is_found = import_find_ground(job, coord, blocks, spawn);
        coord = trn_coord_add(coord, 0, -1, 0);
    }
    free(blocks);
    return is_found ? world_file_set_numbers(job->file.save, WORLD_FILE_SPAWN, spawn, 3)
                    : TRN_RESULT_OK;
}

// ---- copying -----------------------------------------------------------------------------------

static bool import_open_world(ImportJob *job, Message *problem)
{
    const TrnStorageMode mode = job->options->adds ? TRN_STORAGE_OPEN : TRN_STORAGE_CREATE;
    TrnSaveDef def = trn_save_def();
    WorldFacts facts = world_facts();
    def.types = job->types;
    facts.has_terrain = false;         // beyond what was imported there is nothing
    facts.spawn = (TrnVoxel){0, 0, 0}; // until the ground is known
    if (world_file_open(&job->file, job->options->world, mode, &def, &facts, problem)) {
        return true;
    }
    FILE *there = job->options->adds ? NULL : fopen(job->options->world, "rb");
    if (there) {
        (void)fclose(there);
        (void)message_set(problem, "%s exists; name a new file, or give --add to add to it.",
                          message_short(job->options->world).text);
    }
    return false;
}

static bool import_step(void *user, TrnImportProgress now)
{
    ImportJob *job = user;
    job->now = now;
    import_note_top(job, now.coord);
    job->progress.total = (int64_t)now.total;
    progress_step(&job->progress);
    return interrupt_came() == 0;
}

/// Says why the copy failed, in the storage's words if it was the disk.
static bool import_fail(ImportJob *job, TrnResult result, Message *problem)
{
    TrnStorageProblem why = {""};
    const TrnStorage *storage = &job->file.storage;
    if (storage->problem) {
        storage->problem(storage->user, why.sentence, sizeof why.sentence);
    }
    return message_set(problem, "The import ended after %llu of %llu chunks: %s",
                       (unsigned long long)job->now.done, (unsigned long long)job->now.total,
                       why.sentence[0] ? why.sentence : trn_result_text(result));
}

static bool import_copy(ImportJob *job, Message *problem)
{
    job->progress = progress_start(stderr, "terrane import", 1);
    TrnResult result = trn_import_into(job->import, job->file.save, import_step, job);
    progress_end(&job->progress);
    if (result == TRN_RESULT_OK && job->file.is_new && job->now.done) {
        result = import_set_spawn(job);
    }
    if (result != TRN_RESULT_OK) {
        return import_fail(job, result, problem);
    }
    return job->now.done == job->now.total ||
           message_set(problem,
                       "Interrupted after %llu of %llu chunks, which are in %s; run it again with "
                       "--add for all of them.",
                       (unsigned long long)job->now.done, (unsigned long long)job->now.total,
                       message_short(job->options->world).text);
}

static bool import_fold_step(void *user, TrnSaveFoldProgress now)
{
    ImportJob *job = user;
    progress_set(&job->progress, (int64_t)now.done, (int64_t)now.total);
    return interrupt_came() == 0;
}

/// Makes the levels of detail that a far view loads.
/// @param terrain  of the world; NULL: it has none
static bool import_fold(ImportJob *job, TrnTerrain *terrain, Message *problem)
{
    const TrnGenerator land = terrain ? trn_terrain_generator(terrain) : (TrnGenerator){0};
    job->progress = progress_start(stderr, "terrane import: levels of detail", 1);
    const TrnResult result = trn_save_fold(job->file.save, terrain ? &land : NULL,
                                           TRN_FAR_LEVEL_MAX, import_fold_step, job);
    progress_end(&job->progress);
    if (result != TRN_RESULT_OK) {
        return import_fail(job, result, problem);
    }
    return interrupt_came() == 0 ||
           message_set(problem,
                       "Interrupted while making levels of detail; all chunks are in %s. Run it "
                       "again with --add for distant land.",
                       message_short(job->options->world).text);
}

static bool import_make_levels(ImportJob *job, Message *problem)
{
    TrnTerrain *terrain = NULL;
    const WorldFacts *facts = &job->file.facts;
    const TrnResult result =
        facts->has_terrain ? trn_terrain_create(&facts->terrain, &terrain) : TRN_RESULT_OK;
    if (result != TRN_RESULT_OK) {
        return import_fail(job, result, problem);
    }
    const bool good = import_fold(job, terrain, problem);
    trn_terrain_destroy(terrain);
    return good;
}

static bool import_into_world(ImportJob *job, Message *problem)
{
    const double start_us = clock_us();
    if (!import_open_world(job, problem)) {
        return false;
    }
    bool good = import_copy(job, problem) && import_make_levels(job, problem);
    const TrnResult closed = world_file_close(&job->file);
    if (good && closed != TRN_RESULT_OK) {
        good = message_set(problem, "%s could not be closed: %s",
                           message_short(job->options->world).text, trn_result_text(closed));
    }
    const ImportResult result = {job->options, job->import, job->now,
                                 (clock_us() - start_us) * 1e-6};
    return good && import_report_print(&result, stdout, problem);
}

bool import_run(const ImportOptions *options, Message *problem)
{
    ImportJob job = {.options = options};
    const bool good = import_open(&job, problem) && import_into_world(&job, problem);
    trn_import_destroy(job.import);
    trn_block_types_destroy(job.types);
    return good;
}
