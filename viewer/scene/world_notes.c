#include "scene/world_notes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <terrane/shared.h>

#include "program.h"
#include "spawn_search.h"

#define NOTES_MODE "viewer/mode"
#define NOTES_BAR "viewer/bar"
#define NOTES_PLACES "viewer/places"

static const char *const MODES[PLAYER_MODE_COUNT] = {"foot", "fly", "no-clip"};

// ---- land, time and place -----------------------------------------------------------------------

/// Whether the command line agrees with the land in the file.
static bool world_check_land(const Settings *settings, const WorldFacts *facts, Message *problem)
{
    const MessageText name = message_short(settings->world);
    const TerrainChoice *choice = &settings->choice;
    const bool has_choice = choice->preset || choice->file;
    if ((settings->flight || settings->record) &&
        !world_facts_allow(facts, settings->world, settings->flight ? "--flight" : "--record",
                           problem)) {
        return false;
    }
    if (!facts->has_terrain && (settings->has_seed || has_choice)) {
        return message_set(problem, "%s has no land to generate: leave --%s out.", name.text,
                           settings->has_seed ? "seed"
                           : choice->file     ? "terrain"
                                              : "preset");
    }
    if (settings->has_seed && settings->seed != facts->terrain.seed) {
        return message_set(problem,
                           "%s has the seed %" PRIu64 ", not %" PRIu64
                           ": leave --seed out, or name a new file.",
                           name.text, facts->terrain.seed, settings->seed);
    }
    if (has_choice && !terrain_choice_same_shape(&settings->shape, &facts->terrain.shape)) {
        const MessageText wanted = message_short(choice->file ? choice->file : choice->preset);
        return message_set(problem, "%s has %s%s, not %s: leave --%s out, or name a new file.",
                           name.text, facts->preset[0] ? "the preset " : "a terrain of its own",
                           facts->preset, wanted.text, choice->file ? "terrain" : "preset");
    }
    return true;
}

/// Returns the static name of a preset, or NULL if there is none with this name.
static const char *world_preset_named(const char *name)
{
    const char *preset;
    for (size_t i = 0; (preset = trn_terrain_preset_name(i)) && strcmp(preset, name) != 0; i++) {
    }
    return preset;
}

/// Returns the version of the viewer's terrain. Around an old land, it generates nothing.
static uint32_t world_version_to_create(const WorldFacts *facts)
{
    return facts->has_old_land ? TRN_TERRAIN_VERSION : facts->terrain.version;
}

static void world_take_land(Settings *settings, const WorldFacts *facts)
{
    const char *preset = world_preset_named(facts->preset);
    settings->has_seed = true;
    settings->seed = facts->terrain.seed;
    settings->land_version = world_version_to_create(facts);
    settings->shape = facts->terrain.shape;
    settings->choice =
        preset ? (TerrainChoice){.preset = preset} : (TerrainChoice){.file = settings->world};
}

/// Takes over the player's noted place, or the spawn, unless a flight or an option sets the place.
/// A spawn in the void, in a world without terrain, gives way to the nearest ground.
static void world_take_place(Settings *settings, const WorldFile *file, const TrnBlockTypes *types)
{
    if (settings->placed || settings->flight) {
        return;
    }
    TrnVoxel spawn = file->facts.spawn;
    double noted[5], yaw = 0;
    if (!file->facts.has_terrain &&
        !world_file_get_numbers(file->save, WORLD_FILE_PLACE, noted, 5)) {
        const TrnStreamSource source = trn_save_source(file->save);
        (void)spawn_search_world(&file->storage, &source, types, spawn, &spawn);
        yaw = spawn_search_yaw(&file->storage, spawn);
    }
    const double begin[5] = {(double)spawn.x + 0.5, (double)spawn.y + PLAYER_EYES,
                             (double)spawn.z + 0.5, yaw, 0};
    memcpy(settings->at, begin, sizeof begin);
    (void)world_file_get_numbers(file->save, WORLD_FILE_PLACE, settings->at, 5);
    settings->placed = settings->at_is_known = true;
}

static void world_take_time(Settings *settings, TrnSave *save)
{
    const Setting *row = settings_row_of(settings, &settings->hours);
    double hours;
    if (!settings_is_given(settings, &settings->hours) &&
        world_file_get_numbers(save, WORLD_FILE_TIME, &hours, 1)) {
        option_set_number(row, settings, hours);
        settings->given[row - settings_row(0)] = true; // so that the settings file does not
                                                       // override it
    }
}

static int world_take_file(Settings *settings, const TrnSaveDef *def, Message *problem)
{
    WorldFile file;
    if (!world_file_open(&file, settings->world, TRN_STORAGE_READ_ONLY, def, NULL, problem)) {
        return PROGRAM_FAILED;
    }
    const bool fits = world_check_land(settings, &file.facts, problem);
    if (fits) {
        world_take_land(settings, &file.facts);
        world_take_place(settings, &file, def->types);
        world_take_time(settings, file.save);
    }
    (void)world_file_close(&file);
    return fits ? PROGRAM_GOOD : PROGRAM_USAGE;
}

static bool world_has_value(void *user, const TrnStorageValue *value)
{
    (void)value;
    *(bool *)user = true;
    return false;
}

/// Whether a world with this name exists. If that is unknown, opening the world reports why.
static bool world_exists(const char *name)
{
    TrnStorage storage;
    bool exists = false;
    if (!trn_storage_is_url(name)) {
        return access(name, F_OK) == 0;
    }
    const TrnResult result = trn_storage_open_any(name, TRN_STORAGE_READ_ONLY, &storage, NULL);
    if (result != TRN_RESULT_OK) {
        return result != TRN_RESULT_NOT_FOUND;
    }
    exists = storage.values(storage.user, "", world_has_value, &exists) != TRN_RESULT_OK || exists;
    storage.close(storage.user);
    return exists;
}

int world_notes_take(Settings *settings, Message *problem)
{
    if (!settings->world || (!settings->headless && !world_exists(settings->world))) {
        return PROGRAM_GOOD;
    }
    TrnBlockTypes *types;
    if (trn_block_types_create_builtin(NULL, &types) != TRN_RESULT_OK) {
        (void)message_set(problem, "Out of memory for the types of blocks.");
        return PROGRAM_FAILED;
    }
    TrnSaveDef def = trn_save_def();
    def.types = types;
    def.has_thread = false;
    const int code = world_take_file(settings, &def, problem);
    trn_block_types_destroy(types);
    return code;
}

bool world_notes_follow(Settings *settings, const WorldFacts *facts, Message *problem)
{
    const bool is_same = settings->seed == facts->terrain.seed &&
                         settings->land_version == world_version_to_create(facts) &&
                         terrain_choice_same_shape(&settings->shape, &facts->terrain.shape);
    if (is_same) {
        return true; // also for a world whose notes were taken over
    }
    const bool fits = world_check_land(settings, facts, problem);
    if (fits) {
        world_take_land(settings, facts);
    }
    return fits;
}

WorldFacts world_notes_facts(const Settings *settings)
{
    WorldFacts facts = world_facts();
    facts.terrain.seed = settings->seed;
    (void)snprintf(facts.seed_text, sizeof facts.seed_text, "%s", settings->seed_text);
    facts.terrain.version = settings->land_version;
    facts.terrain.shape = settings->shape;
    world_facts_set_preset(&facts, settings->choice.file ? "" : settings->choice.preset);
    return facts;
}

// ---- the player ---------------------------------------------------------------------------------

/// Reads a value as text; empty if it is missing or too long.
static void world_get_text(TrnSave *save, const char *name, char *text, size_t size)
{
    size_t bytes = 0;
    const TrnResult result = trn_save_get_value(save, name, text, size - 1, &bytes);
    text[result == TRN_RESULT_OK && bytes < size ? bytes : 0] = '\0';
}

/// Reads the block names of a bar. @return the number of blocks; 0 if one is unknown
static uint32_t world_read_bar(const char *names, const TrnBlockTypes *types,
                               TrnBlock bar[PALETTE_BAR])
{
    uint32_t count = 0;
    for (const char *at = names; *at && count < PALETTE_BAR;) {
        char name[TRN_BLOCK_NAME_MAX + 1];
        at += *at == ' ';
        const size_t length = strcspn(at, " ");
        if (length >= sizeof name) {
            return 0;
        }
        memcpy(name, at, length);
        name[length] = '\0';
        if (trn_block_types_find(types, name, &bar[count]) != TRN_RESULT_OK) {
            return 0;
        }
        bar[count] = palette_item(types, bar[count]); // an older bar may have an open door
        count++;
        at += length;
    }
    return count;
}

void world_notes_begin(TrnSave *save, Person *person)
{
    WorldNotes notes;
    char *names;
    TrnBlock bar[PALETTE_BAR];
    Palette *palette = hand_palette(person->hand);
    world_get_text(save, NOTES_MODE, notes.mode, sizeof notes.mode);
    for (int mode = 0; mode < PLAYER_MODE_COUNT; mode++) {
        if (strcmp(notes.mode, MODES[mode]) == 0) {
            player_set_mode(&person->player, (PlayerMode)mode);
        }
    }
    world_get_text(save, NOTES_BAR, notes.bar, sizeof notes.bar);
    const unsigned long slot = strtoul(notes.bar, &names, 10);
    const TrnBlockTypes *types = trn_store_block_types(world_store(person->world));
    (void)palette_set_bar(palette, bar, world_read_bar(names, types, bar));
    (void)palette_choose_slot(palette, slot ? (uint32_t)slot - 1 : 0);
}

static void world_write_bar(const Person *person, char text[WORLD_NOTES_BAR_BYTES])
{
    const Palette *palette = hand_palette(person->hand);
    const TrnBlockTypes *types = trn_store_block_types(world_store(person->world));
    int length = snprintf(text, WORLD_NOTES_BAR_BYTES, "%u", palette->chosen + 1);
    for (uint32_t i = 0; i < palette_bar(palette); i++) {
        length += snprintf(text + length, WORLD_NOTES_BAR_BYTES - (size_t)length, " %s",
                           trn_block_types_get(types, palette->bar[i])->name);
    }
}

WorldNotes world_notes_of(const Person *person, const Camera *camera, bool is_led, double hours)
{
    WorldNotes notes = {
        .hours = hours, .place[3] = (double)camera->yaw, .place[4] = (double)camera->pitch};
    // Not the camera's place, because the head bobs.
    const Camera eyes = {.position = trn_position_add(person->player.pose.feet,
                                                      (const double[3]){0, PLAYER_EYES, 0})};
    camera_voxel(is_led ? camera : &eyes, notes.place);
    (void)snprintf(notes.mode, sizeof notes.mode, "%s", MODES[person->player.mode]);
    world_write_bar(person, notes.bar);
    return notes;
}

static void world_write_text(TrnSave *save, const char *name, const char *text, char *written)
{
    if (strcmp(text, written) != 0 &&
        trn_save_set_value(save, name, text, strlen(text)) == TRN_RESULT_OK) {
        (void)strcpy(written, text); // NOLINT(clang-analyzer-security.insecureAPI.strcpy): as long
    }
}

void world_notes_write(TrnSave *save, const WorldNotes *notes, WorldNotes *written)
{
    bool has_moved = false;
    for (int i = 0; i < 5; i++) {
        has_moved = has_moved || notes->place[i] != written->place[i];
    }
    if (has_moved &&
        world_file_set_numbers(save, WORLD_FILE_PLACE, notes->place, 5) == TRN_RESULT_OK) {
        memcpy(written->place, notes->place, sizeof notes->place);
    }
    if (notes->hours != written->hours &&
        world_file_set_numbers(save, WORLD_FILE_TIME, &notes->hours, 1) == TRN_RESULT_OK) {
        written->hours = notes->hours;
    }
    world_write_text(save, NOTES_MODE, notes->mode, written->mode);
    world_write_text(save, NOTES_BAR, notes->bar, written->bar);
}

// ---- places -------------------------------------------------------------------------------------

bool world_notes_read_places(TrnSave *save, Places *places)
{
    char text[PLACES_TEXT_BYTES];
    size_t size = 0;
    const TrnResult result = trn_save_get_value(save, NOTES_PLACES, text, sizeof text, &size);
    const bool is_read = result == TRN_RESULT_OK;
    const bool is_whole = size <= sizeof text;
    return places_read(places, text,
                       !is_read   ? 0
                       : is_whole ? size
                                  : sizeof text) &&
           is_whole && (is_read || result == TRN_RESULT_NOT_FOUND);
}

TrnResult world_notes_write_places(TrnSave *save, const Places *places)
{
    char text[PLACES_TEXT_BYTES];
    return trn_save_set_value(save, NOTES_PLACES, text, places_write(places, text));
}
