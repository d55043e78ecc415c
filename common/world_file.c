#include "world_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <terrane/shared.h>

#include "options.h"

#define WORLD_TEXT_BYTES 1024          // of any value but the shape's, which is shorter than 512
#define WORLD_NUMBER_END 68719476736.0 // voxels to an end of the world, 2^36
#define WORLD_SPAWN_STEP 16            // voxels between columns that are tried
#define WORLD_SPAWN_RINGS 128          // of columns around the origin
#define WORLD_LAND_NAME "terrane/land" // of terrane::save: docs/save.md

// ---- texts -------------------------------------------------------------------------------------

/// Reads a value as a text. @return false if it is missing, too long, or not a text
static bool world_get_text(TrnSave *save, const char *name, char *text, size_t size)
{
    size_t bytes;
    if (trn_save_get_value(save, name, text, size - 1, &bytes) != TRN_RESULT_OK || bytes >= size ||
        memchr(text, 0, bytes)) {
        return false;
    }
    text[bytes] = '\0';
    return true;
}

static TrnResult world_set_text(TrnSave *save, const char *name, const char *text)
{
    return trn_save_set_value(save, name, text, strlen(text));
}

bool world_file_get_numbers(TrnSave *save, const char *name, double *numbers, size_t count)
{
    char text[WORLD_TEXT_BYTES];
    double read[8];
    if (count > sizeof read / sizeof read[0] || !world_get_text(save, name, text, sizeof text)) {
        return false;
    }
    char *at = text;
    for (size_t i = 0; i < count; i++) {
        char *end;
        read[i] = strtod(at, &end);
        if (end == at || !(read[i] >= -WORLD_NUMBER_END && read[i] < WORLD_NUMBER_END)) {
            return false;
        }
        at = end;
    }
    memcpy(numbers, read, count * sizeof *numbers);
    return true;
}

TrnResult world_file_set_numbers(TrnSave *save, const char *name, const double *numbers,
                                 size_t count)
{
    char text[WORLD_TEXT_BYTES] = "";
    size_t length = 0;
    for (size_t i = 0; i < count && length < sizeof text; i++) {
        length += (size_t)snprintf(text + length, sizeof text - length, i ? " %.17g" : "%.17g",
                                   numbers[i]);
    }
    return length < sizeof text ? world_set_text(save, name, text) : TRN_RESULT_BAD_ARGUMENT;
}

// ---- facts -------------------------------------------------------------------------------------

WorldFacts world_facts(void)
{
    WorldFacts facts = {.has_terrain = true, .terrain = trn_terrain_def()};
    world_facts_set_preset(&facts, NULL);
    return facts;
}

void world_facts_set_preset(WorldFacts *facts, const char *name)
{
    (void)snprintf(facts->preset, sizeof facts->preset, "%s",
                   name ? name : trn_terrain_preset_name(0));
}

bool world_facts_tell_old(const WorldFacts *facts, const char *path, Message *news)
{
    if (facts->has_old_land) {
        (void)message_set(news,
                          "%s: its land is of version %" PRIu32 ", which this program does not "
                          "generate: what is saved shows, and nothing is generated around it. To "
                          "explore further, open it with the version of Terrane that made it.",
                          message_short(path).text, facts->terrain.version);
    }
    return facts->has_old_land;
}

bool world_facts_allow(const WorldFacts *facts, const char *path, const char *what,
                       Message *problem)
{
    return !facts->has_old_land ||
           message_set(problem,
                       "%s: %s needs the land of version %" PRIu32 ", which this program does not "
                       "generate; use the version of Terrane that made this world.",
                       message_short(path).text, what, facts->terrain.version);
}

void world_file_land(const TrnTerrainDef *terrain, char *text, size_t size)
{
    const int length = snprintf(text, size, "terrane terrain %" PRIu32 ", seed %" PRIu64 "\n",
                                terrain->version, terrain->seed);
    if (length > 0 && (size_t)length < size) {
        (void)trn_terrain_shape_write(&terrain->shape, text + length, size - (size_t)length);
    }
}

/// Finds a column of dry land near the origin, on squares around it.
static TrnVoxel world_find_spawn(const TrnTerrainDef *def)
{
    TrnVoxel spawn = {0, TRN_TERRAIN_SEA_LEVEL + 1, 0};
    TrnTerrain *terrain;
    if (trn_terrain_create(def, &terrain) != TRN_RESULT_OK) {
        return spawn;
    }
    bool is_dry = false;
    for (int64_t ring = 0; ring <= WORLD_SPAWN_RINGS && !is_dry; ring++) {
        for (int64_t z = -ring; z <= ring && !is_dry; z++) {
            const int64_t step = z == -ring || z == ring || ring == 0 ? 1 : 2 * ring;
            for (int64_t x = -ring; x <= ring && !is_dry; x += step) {
                TrnTerrainSample at;
                const int64_t at_x = x * WORLD_SPAWN_STEP, at_z = z * WORLD_SPAWN_STEP;
                is_dry = trn_terrain_sample(terrain, at_x, at_z, &at) == TRN_RESULT_OK &&
                         at.height > TRN_TERRAIN_SEA_LEVEL && at.surface_y == at.height;
                spawn = is_dry ? (TrnVoxel){at_x, at.height + 1, at_z} : spawn;
            }
        }
    }
    trn_terrain_destroy(terrain);
    return spawn;
}

/// What a new world notes, as texts.
typedef struct WorldFirst {
    char spawn[96], seed[32], version[16], shape[WORLD_TEXT_BYTES];
    TrnStorageValue values[6];
    size_t count;
} WorldFirst;

static void world_add_first(WorldFirst *first, const char *name, const char *text)
{
    first->values[first->count++] = (TrnStorageValue){name, text, strlen(text)};
}

/// Makes the world, unless there is one. @return EXISTS: there is one
static TrnResult world_put_first(const TrnStorage *storage, const WorldFacts *facts,
                                 TrnStorageProblem *why)
{
    WorldFirst first = {.count = 0};
    (void)snprintf(first.spawn, sizeof first.spawn, "%" PRId64 " %" PRId64 " %" PRId64,
                   facts->spawn.x, facts->spawn.y, facts->spawn.z);
    world_add_first(&first, WORLD_FILE_SPAWN, first.spawn);
    if (facts->has_terrain) {
        const TrnTerrainDef *terrain = &facts->terrain;
        (void)snprintf(first.seed, sizeof first.seed, "%" PRIu64, terrain->seed);
        (void)snprintf(first.version, sizeof first.version, "%" PRIu32, terrain->version);
        (void)trn_terrain_shape_write(&terrain->shape, first.shape, sizeof first.shape);
        world_add_first(&first, WORLD_FILE_SEED, first.seed);
        if (facts->seed_text[0]) {
            world_add_first(&first, WORLD_FILE_SEED_TEXT, facts->seed_text);
        }
        world_add_first(&first, WORLD_FILE_VERSION, first.version);
        world_add_first(&first, WORLD_FILE_TERRAIN, first.shape);
        if (facts->preset[0]) {
            world_add_first(&first, WORLD_FILE_PRESET, facts->preset);
        }
    }
    return trn_save_make_world(storage, first.values, first.count, why);
}

/// Says in few words what a world is.
static MessageText world_describe(const WorldFacts *facts)
{
    Message text;
    (void)message_set(&text, "no land to generate");
    if (facts->has_terrain || facts->has_old_land) {
        const bool has_preset = facts->preset[0] != '\0';
        (void)message_set(&text, "seed %" PRIu64 ", %s%s, land version %" PRIu32,
                          facts->terrain.seed, has_preset ? "preset " : "a terrain of its own",
                          facts->preset, facts->terrain.version);
    }
    return message_short(text.text);
}

/// Reads the facts of an existing world.
static bool world_get_facts(TrnSave *save, WorldFacts *facts, Message *problem)
{
    char text[WORLD_TEXT_BYTES];
    double spawn[3] = {0, TRN_TERRAIN_SEA_LEVEL + 1, 0}, version = 0;
    *facts = world_facts();
    facts->preset[0] = '\0';
    const bool has_land = trn_save_get_value(save, WORLD_FILE_SEED, NULL, 0, NULL) == TRN_RESULT_OK;
    (void)world_file_get_numbers(save, WORLD_FILE_SPAWN, spawn, 3);
    facts->spawn = (TrnVoxel){(int64_t)spawn[0], (int64_t)spawn[1], (int64_t)spawn[2]};
    facts->has_terrain = false;
    if (!has_land) {
        return true;
    }
    (void)world_file_get_numbers(save, WORLD_FILE_VERSION, &version, 1);
    facts->terrain.version = version >= 0 && version <= UINT32_MAX ? (uint32_t)version : 0;
    facts->has_old_land = facts->terrain.version < TRN_TERRAIN_VERSION_OLDEST;
    facts->has_terrain = !facts->has_old_land;
    if (facts->terrain.version > TRN_TERRAIN_VERSION) {
        return message_set(problem,
                           "its land is of version %" PRIu32 ", and this program generates "
                           "versions up to %d; open it with a newer program.",
                           facts->terrain.version, TRN_TERRAIN_VERSION);
    }
    if (world_get_text(save, WORLD_FILE_PRESET, text, WORLD_FILE_PRESET_BYTES)) {
        (void)message_escape(text, false, facts->preset, sizeof facts->preset); // it is printed
    }
    if (world_get_text(save, WORLD_FILE_SEED_TEXT, text, WORLD_FILE_SEED_TEXT_BYTES)) {
        (void)message_escape(text, false, facts->seed_text, sizeof facts->seed_text);
    }
    if (!world_get_text(save, WORLD_FILE_SEED, text, sizeof text) ||
        !option_read_seed(text, &facts->terrain.seed) ||
        !world_get_text(save, WORLD_FILE_TERRAIN, text, sizeof text) ||
        trn_terrain_shape_load(text, strlen(text), &facts->terrain.shape, NULL) != TRN_RESULT_OK) {
        return message_set(problem, "its seed or its terrain cannot be read; 'terrane repair' may "
                                    "find an older one.");
    }
    return true;
}

// ---- the land ----------------------------------------------------------------------------------

typedef struct WorldValue {
    const char *name, *text; ///< text: what it is compared with
    bool is_found, is_same;
} WorldValue;

static bool world_visit_value(void *user, const TrnStorageValue *value)
{
    WorldValue *look = user;
    if (strcmp(value->name, look->name) == 0) {
        look->is_found = true;
        look->is_same =
            value->size == strlen(look->text) && memcmp(value->bytes, look->text, value->size) == 0;
    }
    return false; // the name itself is the first of those that begin with it
}

/// Whether a file that is only read may be used with a land; trn_save_bind_land would note it.
static bool world_land_fits(const TrnStorage *storage, const char *land)
{
    WorldValue is = {.name = WORLD_LAND_NAME, .text = land};
    WorldValue bound = {.name = WORLD_FILE_BOUND, .text = ""};
    return storage->values(storage->user, is.name, world_visit_value, &is) != TRN_RESULT_OK ||
           storage->values(storage->user, bound.name, world_visit_value, &bound) != TRN_RESULT_OK ||
           !bound.is_found || !is.is_found || is.is_same;
}

/// Notes the land, or refuses the world.
static bool world_bind_land(WorldFile *file, bool is_read_only, Message *problem)
{
    char land[WORLD_TEXT_BYTES];
    world_file_land(&file->facts.terrain, land, sizeof land);
    if (!world_land_fits(&file->storage, land)) {
        return message_set(problem, "it keeps only its changed chunks, and they need another land "
                                    "than its seed, terrain and version say; open a backup of it.");
    }
    if (is_read_only) {
        return true;
    }
    TrnStorageProblem why = {""};
    const TrnResult result = trn_save_bind_land(file->save, land, &why);
    return result == TRN_RESULT_OK ||
           message_set(problem, "%s", *why.sentence ? why.sentence : trn_result_text(result));
}

// ---- opening -----------------------------------------------------------------------------------

static bool world_note_value(void *user, const TrnStorageValue *value)
{
    (void)value;
    *(bool *)user = false;
    return false;
}

/// Whether nothing lacks in a world: a copy is one when it is complete.
static bool world_is_complete(WorldFile *file, Message *problem)
{
    WorldValue copying = {.name = WORLD_FILE_COPYING, .text = ""};
    const TrnStorage *storage = &file->storage;
    return storage->values(storage->user, copying.name, world_visit_value, &copying) !=
               TRN_RESULT_OK ||
           !copying.is_found ||
           message_set(problem, "%s", "this copy is not complete; run its 'terrane copy' again.");
}

static bool world_refuse(TrnResult result, const TrnStorageProblem *why, Message *problem)
{
    return message_set(problem, "%s", *why->sentence ? why->sentence : trn_result_text(result));
}

/// Makes the world if the storage is empty and the mode allows it. Another program may make it at
/// the same moment: the first wins, so the facts that count are those in the storage.
/// @param wanted  receives what a new world would be
static bool world_make(WorldFile *file, TrnStorageMode mode, WorldFacts *wanted, Message *problem)
{
    TrnStorageProblem why = {""};
    bool is_empty = true;
    TrnResult result = file->storage.values(file->storage.user, "", world_note_value, &is_empty);
    if (result != TRN_RESULT_OK) {
        file->storage.problem(file->storage.user, why.sentence, sizeof why.sentence);
        return world_refuse(result, &why, problem);
    }
    if (is_empty && (mode == TRN_STORAGE_OPEN || mode == TRN_STORAGE_READ_ONLY)) {
        return message_set(problem, "it holds no world yet; make it again, unless another program "
                                    "is making it.");
    }
    if (is_empty) {
        wanted->spawn = wanted->has_terrain ? world_find_spawn(&wanted->terrain) : wanted->spawn;
        result = world_put_first(&file->storage, wanted, &why);
        file->is_new = result == TRN_RESULT_OK;
    }
    return result == TRN_RESULT_OK || result == TRN_RESULT_EXISTS ||
           world_refuse(result, &why, problem);
}

/// Whether a mode that makes a world may go on with the one that is there.
static bool world_is_wanted(const WorldFile *file, TrnStorageMode mode, const WorldFacts *wanted,
                            Message *problem)
{
    return file->is_new || mode != TRN_STORAGE_CREATE ||
           message_set(problem,
                       "another program has just made a world here (%s), so this one (%s) was not "
                       "made; choose another name.",
                       world_describe(&file->facts).text, world_describe(wanted).text);
}

/// Sets up a world whose storage is open: its save takes the storage.
static bool world_begin(WorldFile *file, TrnStorageMode mode, const TrnSaveDef *def,
                        WorldFacts *wanted, Message *problem)
{
    const bool is_read_only = mode == TRN_STORAGE_READ_ONLY;
    TrnStorageProblem why = {""};
    TrnSaveDef whole = *def;
    whole.storage = file->storage;
    if (!world_make(file, mode, wanted, problem) || !world_is_complete(file, problem)) {
        file->storage.close(file->storage.user);
        return false;
    }
    TrnResult result = trn_save_create(&whole, &file->save, &why); // closes the storage if it fails
    if (result != TRN_RESULT_OK) {
        return world_refuse(result, &why, problem);
    }
    if (!world_get_facts(file->save, &file->facts, problem) ||
        !world_is_wanted(file, mode, wanted, problem) ||
        (file->facts.has_terrain && !world_bind_land(file, is_read_only, problem))) {
        return false;
    }
    result = file->is_new ? trn_save_flush(file->save) : TRN_RESULT_OK;
    return result == TRN_RESULT_OK || message_set(problem, "%s", trn_result_text(result));
}

bool world_file_open(WorldFile *file, const char *path, TrnStorageMode mode, const TrnSaveDef *def,
                     const WorldFacts *facts, Message *problem)
{
    TrnStorageProblem why = {""};
    WorldFacts wanted = facts ? *facts : world_facts();
    Message reason;
    *file = (WorldFile){0};
    const TrnResult result = trn_storage_open_any(path, mode, &file->storage, &why);
    if (result != TRN_RESULT_OK) { // its sentence has the path
        return world_refuse(result, &why, problem);
    }
    if (world_begin(file, mode, def, &wanted, &reason)) {
        return true;
    }
    (void)world_file_close(file);
    const MessageText name = message_short(path);
    const bool has_path = strncmp(reason.text, path, strlen(path)) == 0; // as storages say it
    return has_path ? message_set(problem, "%s", reason.text)
                    : message_set(problem, "%s: %.340s", name.text, reason.text);
}

TrnResult world_file_close(WorldFile *file)
{
    const TrnResult result = trn_save_destroy(file->save);
    *file = (WorldFile){0};
    return result;
}
