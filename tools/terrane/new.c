#include <inttypes.h>

#include "commands.h"
#include "interrupt.h"
#include "program.h"
#include "world.h"
#include "world_words.h"

/// The land around the spawn while it is saved.
typedef struct NewLand {
    OpenWorld *world;
    TrnVoxel spawn;
    TrnCoord middle; ///< of the chunks
    int32_t radius;  ///< chunks; negative: nothing is saved
    uint64_t saved;  ///< chunks
    Progress progress;
} NewLand;

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
            result = world_put(land->world, coord, 0, is_uniform);
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

static bool new_generate(OpenWorld *world, void *user, Message *problem)
{
    NewLand *land = user;
    const int64_t edge = 2 * (int64_t)land->radius + 1;
    land->world = world;
    land->spawn = world->file.facts.spawn;
    land->middle = trn_voxel_chunk(land->spawn);
    if (land->radius < 0) {
        return true;
    }
    land->progress = progress_start(stderr, "terrane new", edge * edge);
    TrnResult result = new_save_land(land);
    const TrnResult flushed = trn_save_flush(world->file.save);
    progress_end(&land->progress);
    result = result == TRN_RESULT_OK ? flushed : result;
    if (interrupt_came()) {
        return message_set(
            problem, "Interrupted; the world holds the %" PRIu64 " chunks that were generated.",
            land->saved);
    }
    return result == TRN_RESULT_OK || world_fail_storage(&world->file.storage, result, "", problem);
}

static bool new_check(void *target, const bool *given, Message *problem)
{
    TrnTerrainShape unused;
    (void)given;
    return terrain_choice_shape(&((const WorldWords *)target)->choice, &unused, problem);
}

static bool new_act(void *target, Message *problem)
{
    const WorldWords *words = target;
    WorldFacts facts = world_facts();
    NewLand land = {.radius = (int32_t)words->radius};
    facts.terrain.seed = words->seed;
    world_facts_set_preset(&facts, words->choice.file ? "" : words->choice.preset);
    if (!terrain_choice_shape(&words->choice, &facts.terrain.shape, problem) ||
        !world_with(words->files[0], TRN_STORAGE_CREATE, &facts, new_generate, &land, problem)) {
        return false;
    }
    program_print(
        "%s: seed %" PRIu64 ", spawn %" PRId64 ", %" PRId64 ", %" PRId64 ", %" PRIu64 " chunks",
        words->files[0], words->seed, land.spawn.x, land.spawn.y, land.spawn.z, land.saved);
    return true;
}

static const Option NEW_ROWS[] = {
    WORLD_FILE,
    TERRAIN_CHOICE_ROWS(NULL, WorldWords, seed, choice),
    {.name = "radius",
     .help = "generate and save the land up to N chunks around the spawn",
     .kind = OPTION_LONG,
     WORLD_AT(radius),
     .high = 512,
     .usual = -1,
     .takes = "a whole number of chunks"},
    {0}};

const OptionCommand NEW_COMMAND = {
    .name = "new",
    .summary = "creates a world file",
    .about = "Makes a world file, which terrane-viewer --world FILE opens.",
    .rows = NEW_ROWS,
    .closing =
        "The file must not exist. Land is generated where players go; --radius saves some of "
        "it beforehand, up to the sky and down to the deepest caves. If that is interrupted, "
        "the world holds what is done.",
    .examples = "terrane new my.world\n"
                "terrane new --seed 7 --preset alps --radius 16 alps.world",
    .bytes = sizeof(WorldWords),
    .check = new_check,
    .act = new_act,
};
