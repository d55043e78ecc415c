#define _POSIX_C_SOURCE 200809L // NOLINT(bugprone-reserved-identifier)
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <terrane/shared.h>

#include "clock.h"
#include "commands.h"
#include "interrupt.h"
#include "job_share.h"
#include "program.h"
#include "world.h"
#include "world_words.h"

#define PREGEN_JOB "pregen"
#define PREGEN_LEASE_SECONDS 3.0 // after which others go on where this process died
#define PREGEN_RENEW_US 0.5e6
#define PREGEN_PARTS_MAX 1000000
#define PREGEN_REGION_VOXELS (TRN_REGION_CHUNKS * TRN_CHUNK_EDGE)

typedef struct Pregen {
    OpenWorld *world;
    bool is_shared;      ///< the world is in a database
    const int64_t *area; ///< [4] as in WorldWords
    TrnRegion *parts;    ///< [count] regions, each with those above it: they share their columns
    size_t count;
    int32_t low, high; ///< regions that a part has, by y
    uint64_t made;     ///< parts, by this process
    double renewed_us; ///< the lease
    Progress progress;
    JobShare share;
} Pregen;

/// Divides, and rounds down.
static int32_t pregen_floor(int64_t value, int64_t by)
{
    return (int32_t)((value >= 0 ? value : value - by + 1) / by);
}

/// Lists the parts of an area: its regions from the deepest caves to the sky.
static bool pregen_list(Pregen *pregen, const int64_t area[4], Message *problem)
{
    const int32_t size = PREGEN_REGION_VOXELS;
    const int32_t west = pregen_floor(area[0], size), east = pregen_floor(area[2], size);
    const int32_t north = pregen_floor(area[1], size), south = pregen_floor(area[3], size);
    const int64_t count = ((int64_t)east - west + 1) * ((int64_t)south - north + 1);
    pregen->low = pregen_floor(TRN_TERRAIN_LOWEST - TRN_CHUNK_EDGE, size);
    pregen->high = pregen_floor(TRN_TERRAIN_HIGHEST + TRN_CHUNK_EDGE, size);
    if (count > PREGEN_PARTS_MAX) {
        return message_set(problem,
                           "This area has %" PRId64 " parts of 512 voxels an axis; take at most %d "
                           "at a time.",
                           count, PREGEN_PARTS_MAX);
    }
    pregen->parts = calloc((size_t)count, sizeof *pregen->parts);
    if (!pregen->parts) {
        return message_set(problem, "Out of memory for this area.");
    }
    for (int32_t z = north; z <= south; z++) {
        for (int32_t x = west; x <= east; x++) {
            pregen->parts[pregen->count++] = (TrnRegion){x, pregen->low, z};
        }
    }
    return true;
}

// ---- one region --------------------------------------------------------------------------------

typedef struct PregenSaved {
    bool is_saved[TRN_REGION_CHUNKS][TRN_REGION_CHUNKS][TRN_REGION_CHUNKS];
    TrnCoord first;
} PregenSaved;

static bool pregen_note_saved(void *user, const TrnStorageRow *row)
{
    PregenSaved *saved = user;
    const TrnCoord at = row->key.coord;
    saved->is_saved[at.x - saved->first.x][at.y - saved->first.y][at.z - saved->first.z] = true;
    return true;
}

static TrnResult pregen_renew(Pregen *pregen)
{
    const double now_us = clock_us();
    if (!pregen->is_shared || now_us - pregen->renewed_us < PREGEN_RENEW_US) {
        return TRN_RESULT_OK;
    }
    pregen->renewed_us = now_us;
    const TrnResult result = trn_lease_renew(&pregen->world->file.storage);
    return result == TRN_RESULT_OK ? job_share_renew(&pregen->share) : result;
}

/// Generates a chunk, and saves it unless it is uniform.
static TrnResult pregen_chunk(Pregen *pregen, TrnCoord coord, uint32_t level)
{
    OpenWorld *world = pregen->world;
    bool is_uniform = false;
    TrnResult result =
        trn_terrain_generate_level(world->terrain, coord, level, world->blocks, &is_uniform);
    if (result == TRN_RESULT_OK && !is_uniform) {
        result = world_put(world, coord, level, is_uniform);
    }
    return result == TRN_RESULT_OK ? pregen_renew(pregen) : result;
}

/// Generates what a region lacks at a level.
static TrnResult pregen_level(Pregen *pregen, TrnRegion region, uint32_t level)
{
    static PregenSaved saved; // large, and of one thread
    const int32_t edge = TRN_REGION_CHUNKS >> level;
    const TrnStorage *storage = &pregen->world->file.storage;
    saved = (PregenSaved){.first = {region.x * edge, region.y * edge, region.z * edge}};
    const TrnCoord first = saved.first;
    const TrnStorageRange range = {
        .level = level,
        .box = {first, {first.x + edge - 1, first.y + edge - 1, first.z + edge - 1}}};
    TrnResult result = storage->list(storage->user, &range, pregen_note_saved, &saved);
    for (int32_t i = 0; i < edge * edge * edge && result == TRN_RESULT_OK; i++) {
        const int32_t x = i / edge % edge, y = i % edge, z = i / edge / edge; // columns together
        if (interrupt_came()) {
            break;
        }
        if (!saved.is_saved[x][y][z]) {
            result = pregen_chunk(pregen, (TrnCoord){first.x + x, first.y + y, first.z + z}, level);
        }
    }
    return result;
}

/// Generates a part with its levels, and waits until it is on the disk.
static TrnResult pregen_part(Pregen *pregen, TrnRegion part)
{
    TrnResult result = TRN_RESULT_OK;
    pregen->renewed_us = clock_us();
    for (uint32_t level = 0; level <= TRN_REGION_LEVEL; level++) {
        TrnRegion region = part; // the level in all of them: the terrain keeps its columns
        for (; region.y <= pregen->high && result == TRN_RESULT_OK; region.y++) {
            result = pregen_level(pregen, region, level);
        }
    }
    const TrnResult flushed = trn_save_flush(pregen->world->file.save);
    pregen->made += result == TRN_RESULT_OK && flushed == TRN_RESULT_OK && !interrupt_came();
    return result == TRN_RESULT_OK ? flushed : result;
}

// ---- all parts ---------------------------------------------------------------------------------

/// In a file, one process goes through the parts; a value says which are done.
static TrnResult pregen_file(Pregen *pregen)
{
    TrnSave *save = pregen->world->file.save;
    TrnResult result = TRN_RESULT_OK;
    for (size_t i = 0; i < pregen->count && result == TRN_RESULT_OK && !interrupt_came(); i++) {
        char name[64];
        const TrnRegion at = pregen->parts[i];
        (void)snprintf(name, sizeof name, PREGEN_JOB "/%" PRId32 ",%" PRId32, at.x, at.z);
        if (trn_save_get_value(save, name, NULL, 0, NULL) != TRN_RESULT_OK) {
            result = pregen_part(pregen, at);
            if (result == TRN_RESULT_OK && !interrupt_came()) {
                result = trn_save_set_value(save, name, "1", 1);
            }
        }
        progress_set(&pregen->progress, (int64_t)i + 1, (int64_t)pregen->count);
    }
    const TrnResult flushed = trn_save_flush(save);
    return result == TRN_RESULT_OK ? flushed : result;
}

/// Takes the leases of a part's regions. @return BUSY if another program holds one; the others are
/// taken then
static TrnResult pregen_take(Pregen *pregen, TrnRegion part)
{
    TrnResult result = TRN_RESULT_OK;
    for (; part.y <= pregen->high && result == TRN_RESULT_OK; part.y++) {
        result = trn_lease_take(&pregen->world->file.storage, part, false);
    }
    return result;
}

static TrnResult pregen_give(Pregen *pregen, TrnRegion part)
{
    TrnResult result = TRN_RESULT_OK;
    for (; part.y <= pregen->high && result == TRN_RESULT_OK; part.y++) {
        result = trn_lease_give(&pregen->world->file.storage, part);
    }
    return result;
}

/// Makes a part that was claimed, unless another program holds some of it.
static TrnResult pregen_claimed(void *user, TrnRegion part, bool *is_done)
{
    Pregen *pregen = user;
    TrnResult result = pregen_take(pregen, part);
    if (result == TRN_RESULT_OK) {
        result = pregen_part(pregen, part);
        *is_done = result == TRN_RESULT_OK && !interrupt_came();
    }
    const bool is_held = result == TRN_RESULT_BUSY; // its claim ends by itself
    if (result != TRN_RESULT_OK && !is_held) {
        return result;
    }
    return pregen_give(pregen, part);
}

/// In a database, each process claims regions until all are done.
static TrnResult pregen_shared(Pregen *pregen)
{
    const TrnStorage *storage = &pregen->world->file.storage;
    char owner[64];
    (void)snprintf(owner, sizeof owner, "terrane pregen %ld", (long)getpid());
    const TrnResult result = trn_lease_begin(storage, owner, PREGEN_LEASE_SECONDS);
    pregen->share = (JobShare){.storage = storage,
                               .name = PREGEN_JOB,
                               .parts = pregen->parts,
                               .count = pregen->count,
                               .work = pregen_claimed,
                               .user = pregen,
                               .progress = &pregen->progress};
    return result == TRN_RESULT_OK ? job_share_run(&pregen->share) : result;
}

static bool pregen_work(OpenWorld *world, void *user, Message *problem)
{
    Pregen *pregen = user;
    pregen->world = world;
    if (!world_facts_allow(&world->file.facts, world->path, "generating an area", problem)) {
        return false;
    }
    if (!pregen->world->terrain) {
        return message_set(problem, "This world has no land to generate.");
    }
    if (!pregen_list(pregen, pregen->area, problem)) {
        return false;
    }
    trn_save_name_blocks(pregen->world->file.save);
    pregen->progress = progress_start(stderr, "terrane pregen", (int64_t)pregen->count);
    const TrnResult result = pregen->is_shared ? pregen_shared(pregen) : pregen_file(pregen);
    progress_end(&pregen->progress);
    if (result != TRN_RESULT_OK) {
        return world_fail_storage(&world->file.storage, result, "what is done stays", problem);
    }
    return !interrupt_came() ||
           message_set(problem, "Interrupted; the same command goes on from here.");
}

static bool pregen_check(void *target, const bool *given, Message *problem)
{
    const int64_t *area = ((const WorldWords *)target)->area;
    if (!options_given(&PREGEN_COMMAND, given, offsetof(WorldWords, area))) {
        return message_set(problem, "Name the area: --area X,Z,X,Z, two corners in voxels.");
    }
    return (area[0] <= area[2] && area[1] <= area[3]) ||
           message_set(problem, "--area takes the lower corner first, such as -512,-512,511,511.");
}

static bool pregen_act(void *target, Message *problem)
{
    const WorldWords *words = target;
    Pregen pregen = {.is_shared = trn_storage_is_url(words->files[0]), .area = words->area};
    const bool good =
        world_with(words->files[0], TRN_STORAGE_OPEN, NULL, pregen_work, &pregen, problem);
    free(pregen.parts);
    if (good) {
        program_print("%s: all parts are done, %" PRIu64 " of them by this process",
                      words->files[0], pregen.made);
    }
    return good;
}

static const Option PREGEN_ROWS[] = {
    {.name = "WORLD", .kind = OPTION_WORD, WORLD_AT(files[0]), .takes = "a world"},
    {.name = "area",
     .help = "two corners in voxels: lowest x and z, highest x and z",
     .kind = OPTION_NUMBERS,
     WORLD_AT(area),
     .low = -10000000,
     .high = 10000000,
     .argument = "X,Z,X,Z",
     .takes = "two corners X,Z,X,Z in voxels, the lower one first",
     .example = "-512,-512,511,511"},
    {0}};

const OptionCommand PREGEN_COMMAND = {
    .name = "pregen",
    .summary = "generates an area of a world beforehand, by any number of processes",
    .about = "Generates an area of a world and saves it, with its levels of detail 1 to 4.",
    .usage = "WORLD --area X,Z,X,Z [options]",
    .rows = PREGEN_ROWS,
    .closing =
        "WORLD is a world file or a database: postgresql://user@host/database. Any number of "
        "processes on any machines may do so at once in one database; each claims parts of "
        "512 x 512 voxels that no other has. An area grows to whole parts. Run the command "
        "again after it was interrupted or killed: what is done stays. Saved chunks are not "
        "replaced.",
    .examples = "terrane new --seed 7 postgresql:///world\n"
                "terrane pregen postgresql:///world --area -1024,-1024,1023,1023",
    .bytes = sizeof(WorldWords),
    .check = pregen_check,
    .act = pregen_act,
};
