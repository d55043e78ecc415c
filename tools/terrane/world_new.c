#include <inttypes.h>

#include "interrupt.h"
#include "world_commands.h"
#include "world_open.h"
#include "world_report.h"
#include "world_words.h"

static const WorldCommand NEW_COMMAND = {
    .name = "new",
    .options = WORLD_TAKES_LAND | WORLD_TAKES_RADIUS,
    .files = 1,
    .usage = "FILE [options]",
    .help = "Makes a world file, which terrane-viewer --world FILE opens.\n",
    .closing =
        "\n"
        "The file must not exist. Land is generated where players go; --radius saves some of\n"
        "it beforehand, up to the sky and down to the deepest caves. If that is interrupted,\n"
        "the world holds what is done.\n"
        "\n"
        "Examples\n"
        "  terrane new my.world\n"
        "  terrane new --seed 7 --preset alps --radius 16 alps.world\n",
};

/// The land around the spawn while it is saved.
typedef struct NewLand {
    OpenWorld *world;
    TrnCoord middle;
    int32_t radius;
    uint64_t saved; ///< chunks
    Progress progress;
} NewLand;

static TrnResult new_save(OpenWorld *world, TrnCoord coord, bool is_uniform)
{
    TrnSave *const save = world->file.save;
    TrnResult result = trn_save_put(save, coord, 0, world->blocks, is_uniform);
    if (result == TRN_RESULT_FULL) {
        result = trn_save_flush(save);
        result = result == TRN_RESULT_OK ? trn_save_put(save, coord, 0, world->blocks, is_uniform)
                                         : result;
    }
    return result;
}

/// Generates a column of chunks, and saves those that are not uniform, as a stream does.
static TrnResult new_save_column(NewLand *land, int32_t x, int32_t z)
{
    const int32_t lowest = TRN_TERRAIN_LOWEST / TRN_CHUNK_EDGE - 1;
    const int32_t highest = TRN_TERRAIN_HIGHEST / TRN_CHUNK_EDGE + 1;
    TrnResult result = TRN_RESULT_OK;
    for (int32_t y = lowest; y <= highest && result == TRN_RESULT_OK; y++) {
        const TrnCoord coord = {x, y, z};
        bool is_uniform = false;
        result =
            trn_terrain_generate(land->world->terrain, coord, land->world->blocks, &is_uniform);
        if (result == TRN_RESULT_OK && !is_uniform) {
            result = new_save(land->world, coord, is_uniform);
            land->saved++;
        }
    }
    return result;
}

static TrnResult new_save_land(NewLand *land)
{
    const int64_t radius = land->radius;
    TrnResult result = TRN_RESULT_OK;
    for (int64_t z = -radius; z <= radius; z++) {
        for (int64_t x = -radius; x <= radius; x++) {
            if (interrupt_came() || result != TRN_RESULT_OK) {
                return result;
            }
            if (x * x + z * z <= radius * radius) {
                result = new_save_column(land, (int32_t)(land->middle.x + x),
                                         (int32_t)(land->middle.z + z));
            }
            progress_step(&land->progress);
        }
    }
    return result;
}

static bool new_generate(OpenWorld *world, int64_t radius, uint64_t *saved, Message *problem)
{
    const int64_t edge = 2 * radius + 1;
    NewLand land = {.world = world,
                    .middle = trn_voxel_chunk(world->file.facts.spawn),
                    .radius = (int32_t)radius,
                    .progress = progress_start(stderr, "terrane new", edge * edge)};
    TrnResult result = new_save_land(&land);
    const TrnResult flushed = trn_save_flush(world->file.save);
    progress_end(&land.progress);
    result = result == TRN_RESULT_OK ? flushed : result;
    *saved = land.saved;
    if (result != TRN_RESULT_OK) {
        TrnStorageProblem why = {""};
        world->file.storage.problem(world->file.storage.user, why.sentence, sizeof why.sentence);
        return world_fail(&why, result, "", problem);
    }
    return !interrupt_came() ||
           message_set(problem,
                       "Interrupted; the world holds the %" PRIu64 " chunks that were generated.",
                       land.saved);
}

static bool new_act(const WorldWords *words, Message *problem)
{
    WorldFacts facts = world_facts();
    facts.terrain.seed = words->seed;
    facts.terrain.shape = words->shape;
    world_facts_set_preset(&facts, words->choice.file ? "" : words->choice.preset);
    OpenWorld *world;
    if (!world_open(&world, words->files[0], TRN_STORAGE_CREATE, &facts, problem)) {
        return false;
    }
    const TrnVoxel spawn = world->file.facts.spawn;
    uint64_t saved = 0;
    bool good = words->radius < 0 || new_generate(world, words->radius, &saved, problem);
    Message late;
    if (!world_close(world, &late) && good) {
        *problem = late;
        good = false;
    }
    if (good) {
        printf("%s: seed %" PRIu64 ", spawn %" PRId64 ", %" PRId64 ", %" PRId64 ", %" PRIu64
               " chunks\n",
               words->files[0], words->seed, spawn.x, spawn.y, spawn.z, saved);
    }
    return good;
}

int world_new_run(int argc, char **argv)
{
    return world_command_run(&NEW_COMMAND, new_act, argc, argv);
}

void world_new_print_help(FILE *stream)
{
    world_words_print_help(&NEW_COMMAND, stream);
}
