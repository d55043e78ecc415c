/// Worlds of Minecraft: each version's columns are read where they belong, and no damage goes
/// further than its column.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "anvil_writer.h"
#include "block_boxes.h"
#include "place.h"

#include <sys/stat.h>

#include <import/anvil_files.h>
#include <import/anvil_section.h>

#include <terrane/import.h>

// ---- a building ---------------------------------------------------------------------------------

/// An L of stone whose long side goes east and whose short one goes south; a gold block stands on
/// its western end, three blocks high. The rest is air. In voxels from its lowest corner.
static const char *building_name(int x, int y, int z)
{
    if (x == 0 && z == 0 && y >= 1 && y <= 3) {
        return "minecraft:gold_ore";
    }
    return y == 0 && ((z == 0 && x < 20) || (x == 0 && z < 10)) ? "minecraft:stone"
                                                                : "minecraft:air";
}

static TrnBlock building_block(int x, int y, int z)
{
    const char *name = building_name(x, y, z);
    return strcmp(name, "minecraft:air") == 0     ? TRN_BLOCK_AIR
           : strcmp(name, "minecraft:stone") == 0 ? TRN_BLOCK_STONE
                                                  : TRN_BLOCK_GOLD_ORE;
}

/// More names than the building needs, so that an index takes `count`'s bits; and the three.
static uint32_t building_palette(const char **palette, char (*names)[32], uint32_t count)
{
    palette[0] = "minecraft:air";
    palette[1] = "minecraft:stone";
    for (uint32_t i = 2; i + 1 < count; i++) {
        (void)snprintf(names[i], sizeof names[i], "test:filler_%u", i);
        palette[i] = names[i];
    }
    palette[count - 1] = "minecraft:gold_ore";
    return count;
}

/// Where the building's lowest corner is: in the north-western region, below 0, so that it reaches
/// over borders of sections, columns, chunks and regions.
enum { BUILDING_X = -6, BUILDING_Y = -2, BUILDING_Z = -4 };

/// What is written: the four columns around the origin, one of each region.
typedef struct World {
    Place *place;
    uint32_t palette_count;
    AnvilStyle style;
    int compression;
    const char *palette[4096];
    char names[4096][32];
    AnvilSection sections[2];
} World;

static void world_fill_section(World *world, AnvilSection *section, int column_x, int y,
                               int column_z)
{
    section->y = y;
    section->palette_count = world->palette_count;
    section->palette = world->palette;
    for (int i = 0; i < 4096; i++) {
        const char *name =
            building_name(column_x * 16 + i % 16 - BUILDING_X, y * 16 + i / 256 - BUILDING_Y,
                          column_z * 16 + i / 16 % 16 - BUILDING_Z);
        uint32_t index = 0;
        while (strcmp(world->palette[index], name) != 0) {
            index++;
        }
        section->blocks[i] = (uint16_t)index;
    }
}

/// Writes a column, and its region with nothing else. Versions without depths get the building 16
/// blocks higher.
static void world_write_column(World *world, int x, int z)
{
    char name[32], path[PLACE_PATH];
    Out nbt = {0}, packed = {0}, region;
    const int up = world->style.is_flat ? 0 : 1;
    for (int i = 0; i < 2; i++) {
        world_fill_section(world, &world->sections[i], x, i - 1, z);
        world->sections[i].y += up;
    }
    anvil_write_column(&nbt, &world->style, world->sections, 2);
    anvil_compress(&packed, &nbt, world->compression & 127);
    anvil_region_begin(&region);
    anvil_region_add(&region, (uint32_t)x % 32, (uint32_t)z % 32, &packed, world->compression);
    (void)snprintf(name, sizeof name, "region/r.%d.%d.mca", x >> 5, z >> 5);
    anvil_write_file(place_path(world->place, name, path), region.bytes, region.size);
    if (world->compression & 128) {
        (void)snprintf(name, sizeof name, "region/c.%d.%d.mcc", x, z);
        anvil_write_file(place_path(world->place, name, path), packed.bytes, packed.size);
    }
    out_free(&nbt);
    out_free(&packed);
    out_free(&region);
}

static void world_write(World *world)
{
    (void)building_palette(world->palette, world->names, world->palette_count);
    for (int i = 0; i < 4; i++) {
        world_write_column(world, i % 2 ? 0 : -1, i / 2 ? 0 : -1);
    }
}

// ---- reading ------------------------------------------------------------------------------------

typedef struct Opened {
    TrnBlockTypes *types;
    TrnImport *import;
    TrnImportDef def;
    char path[PLACE_PATH];
    TrnStorageProblem problem;
} Opened;

static TrnResult opened_try(Opened *opened, Place *place, const char *name)
{
    assert_int_equal(trn_block_types_create_builtin(NULL, &opened->types), TRN_RESULT_OK);
    opened->def.path = place_path(place, name, opened->path);
    opened->def.types = opened->types;
    return trn_import_open(&opened->def, &opened->import, &opened->problem);
}

static void opened_begin(Opened *opened, Place *place, const char *name)
{
    *opened = (Opened){.def = trn_import_def()};
    assert_int_equal(opened_try(opened, place, name), TRN_RESULT_OK);
    assert_int_equal(trn_import_format(opened->import), TRN_IMPORT_ANVIL);
}

static void opened_end(Opened *opened)
{
    trn_import_destroy(opened->import);
    trn_block_types_destroy(opened->types);
}

/// The chunks that are loaded, and their blocks.
typedef struct Loaded {
    TrnImport *import;
    uint32_t count;
    TrnResult result;
    TrnBlock blocks[TRN_CHUNK_VOXELS];
} Loaded;

static TrnResult load(Loaded *loaded, TrnCoord coord)
{
    bool uniform = false;
    memset(loaded->blocks, 0xFF, sizeof loaded->blocks);
    const TrnResult result = trn_import_load(loaded->import, coord, loaded->blocks, &uniform);
    for (uint32_t i = 1; result == TRN_RESULT_OK && uniform && i < TRN_CHUNK_VOXELS; i++) {
        loaded->blocks[i] = loaded->blocks[0];
    }
    return result;
}

static bool count_chunk(void *user, TrnCoord coord)
{
    Loaded *loaded = user;
    loaded->result = load(loaded, coord);
    loaded->count++;
    return loaded->result == TRN_RESULT_OK;
}

/// Adds up the counts of one kind of notes.
typedef struct Notes {
    TrnImportNoteKind kind;
    const char *what; ///< NULL: any
    uint64_t count;
} Notes;

static bool notes_add(void *user, const TrnImportNote *note)
{
    Notes *notes = user;
    if (note->kind == notes->kind && (!notes->what || strcmp(note->what, notes->what) == 0)) {
        notes->count += note->count;
    }
    return true;
}

static uint64_t notes_count(TrnImport *import, TrnImportNoteKind kind, const char *what)
{
    Notes notes = {kind, what, 0};
    assert_int_equal(trn_import_report(import, notes_add, &notes), TRN_RESULT_OK);
    return notes.count;
}

/// Expects the building in the eight chunks around the origin. @param up  voxels that it is higher
static void expect_building(Opened *opened, int up)
{
    static Loaded loaded;
    loaded = (Loaded){.import = opened->import};
    for (int i = 0; i < 8; i++) {
        const TrnCoord coord = {-(i & 1), -(i >> 1 & 1), -(i >> 2)};
        const TrnResult result = load(&loaded, coord);
        assert_int_equal(result, TRN_RESULT_OK);
        for (int local = 0; local < TRN_CHUNK_VOXELS; local++) {
            const int x = coord.x * 32 + local % 32, y = coord.y * 32 + local / 1024,
                      z = coord.z * 32 + local / 32 % 32;
            const bool is_written = x >= -16 && x < 16 && z >= -16 && z < 16;
            const TrnBlock expected =
                is_written ? building_block(x - BUILDING_X, y - BUILDING_Y - up, z - BUILDING_Z)
                           : TRN_BLOCK_AIR;
            if (loaded.blocks[local] != expected) {
                fail_msg("block %d instead of %d at %d,%d,%d", loaded.blocks[local], expected, x, y,
                         z);
            }
        }
    }
    assert_int_equal(load(&loaded, (TrnCoord){1, 0, 0}), TRN_RESULT_NOT_FOUND);
    assert_int_equal(load(&loaded, (TrnCoord){INT32_MIN, 0, INT32_MAX}), TRN_RESULT_NOT_FOUND);
}

// ---- tests --------------------------------------------------------------------------------------

static int begin(void **state)
{
    void *place;
    if (place_make(&place) != 0) {
        return -1;
    }
    World *world = calloc(1, sizeof *world);
    char path[PLACE_PATH];
    assert_int_equal(mkdir(place_path(place, "region", path), 0777), 0);
    world->place = place;
    world->palette_count = 3;
    world->style = anvil_1_18;
    world->compression = 2;
    *state = world;
    return 0;
}

static int end(void **state)
{
    World *world = *state;
    void *place = world->place;
    free(world);
    return place_remove(&place);
}

static void an_asymmetric_building_stands_as_it_was_built_in_every_version(void **state)
{
    World *world = *state;
    enum { STYLES = 6 };
    static const AnvilStyle *const styles[STYLES] = {&anvil_1_13, &anvil_1_15, &anvil_1_16,
                                                     &anvil_1_17, &anvil_1_18, &anvil_1_21};
    static const uint32_t counts[] = {3, 16, 17, 33, 65, 300}; // 4, 5, 6, 7 and 9 bits
    for (size_t i = 0; i < STYLES; i++) {
        for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
            Opened opened;
            world->style = *styles[i];
            world->palette_count = i % 5 == 0 && k == 0 ? 4096 : counts[k]; // 12 bits
            world_write(world);
            opened_begin(&opened, world->place, "");
            expect_building(&opened, world->style.is_flat ? 0 : 16);
            assert_int_equal(notes_count(opened.import, TRN_IMPORT_NOTE_DAMAGED, NULL), 0);
            assert_int_equal(notes_count(opened.import, TRN_IMPORT_NOTE_UNKNOWN, NULL), 0);
            assert_true(notes_count(opened.import, TRN_IMPORT_NOTE_IGNORED,
                                    "properties of block states") > 0);
            opened_end(&opened);
        }
    }
}

static void every_compression_is_read_inside_and_outside_of_the_region(void **state)
{
    World *world = *state;
    for (int compression = 1; compression <= 4; compression++) {
        for (int external = 0; external <= 128; external += 128) {
            Opened opened;
            world->compression = compression + external;
            world_write(world);
            opened_begin(&opened, world->place, "region");
            expect_building(&opened, 0);
            assert_int_equal(notes_count(opened.import, TRN_IMPORT_NOTE_DAMAGED, NULL), 0);
            opened_end(&opened);
        }
    }
}

static void an_offset_moves_the_building(void **state)
{
    World *world = *state;
    Opened opened = {.def = trn_import_def()};
    static Loaded loaded;
    world_write(world);
    opened.def.offset = (TrnVoxel){3200, 48, -64};
    assert_int_equal(opened_try(&opened, world->place, ""), TRN_RESULT_OK);
    loaded.import = opened.import;
    const TrnVoxel gold = {BUILDING_X + 3200, BUILDING_Y + 2 + 48, BUILDING_Z - 64};
    assert_int_equal(load(&loaded, trn_voxel_chunk(gold)), TRN_RESULT_OK);
    assert_int_equal(loaded.blocks[trn_voxel_local_index(gold)], TRN_BLOCK_GOLD_ORE);
    assert_int_equal(trn_import_list(opened.import, count_chunk, &loaded), TRN_RESULT_OK);
    assert_int_equal(loaded.result, TRN_RESULT_OK);
    opened_end(&opened);

    opened = (Opened){.def = trn_import_def()};
    opened.def.offset = (TrnVoxel){16, 0, 0};
    assert_int_equal(opened_try(&opened, world->place, ""), TRN_RESULT_BAD_ARGUMENT);
    assert_non_null(strstr(opened.problem.sentence, "multiples of 32"));
    trn_block_types_destroy(opened.types);
}

static void unknown_names_are_counted_by_voxels(void **state)
{
    World *world = *state;
    Opened opened;
    static Loaded loaded;
    TrnBlock block;
    world->palette_count = 3;
    (void)building_palette(world->palette, world->names, 3);
    world->palette[1] = "minecraft:air"; // twice, as with properties
    world->palette[2] = "other:Gold";
    world->style = anvil_1_16;
    memset(world->sections, 0, sizeof world->sections);
    for (uint32_t i = 0; i < 4096; i++) {
        world->sections[0].blocks[i] = i < 100 ? 2 : i < 200;
    }
    world->sections[0].palette = world->palette;
    world->sections[0].palette_count = 3;
    Out nbt = {0}, region;
    char path[PLACE_PATH];
    anvil_write_column(&nbt, &world->style, world->sections, 1);
    anvil_region_begin(&region);
    anvil_region_add(&region, 3, 5, &nbt, 3);
    anvil_write_file(place_path(world->place, "one.mca", path), region.bytes, region.size);
    opened_begin(&opened, world->place, "one.mca");
    loaded = (Loaded){.import = opened.import};
    assert_int_equal(trn_import_list(opened.import, count_chunk, &loaded), TRN_RESULT_OK);
    assert_int_equal(loaded.count, 12); // from 64 below 0 to 319
    assert_int_equal(notes_count(opened.import, TRN_IMPORT_NOTE_UNKNOWN, "other:Gold"), 100);
    assert_int_equal(trn_block_types_find(opened.types, "other:gold", &block), TRN_RESULT_OK);
    assert_int_equal(load(&loaded, (TrnCoord){1, 0, 2}), TRN_RESULT_OK);
    assert_int_equal(loaded.blocks[trn_local_index(16 + 3, 0, 16 + 6)], block);
    assert_int_equal(loaded.blocks[trn_local_index(16 + 4, 0, 16 + 6)], TRN_BLOCK_AIR);
    opened_end(&opened);
    out_free(&nbt);
    out_free(&region);
}

/// A block state, the block that it becomes, and where that has a box and where none, in
/// sixteenths.
typedef struct Turned {
    const char *state, *ours;
    uint8_t filled[3], empty[3];
} Turned;

static const Turned turned_states[] = {
    {"minecraft:air", "terrane:air", {0, 0, 0}, {0, 0, 0}},
    {"minecraft:oak_stairs[facing=east,half=bottom,shape=straight,waterlogged=false]",
     "terrane:oak_stairs",
     {12, 12, 8},
     {4, 12, 8}},
    {"minecraft:spruce_stairs[facing=south,half=bottom]",
     "terrane:pine_stairs",
     {8, 12, 12},
     {8, 12, 4}},
    {"minecraft:oak_stairs[half=bottom,facing=west]",
     "terrane:oak_stairs",
     {4, 12, 8},
     {12, 12, 8}},
    {"minecraft:cobblestone_stairs[facing=north,half=bottom]",
     "terrane:cobblestone_stairs",
     {8, 12, 4},
     {8, 12, 12}},
    {"minecraft:oak_stairs[facing=east,half=top]", "terrane:oak_stairs", {12, 4, 8}, {4, 4, 8}},
    {"minecraft:oak_stairs[facing=north,half=top]", "terrane:oak_stairs", {8, 4, 4}, {8, 4, 12}},
    {"minecraft:stone_slab[type=bottom]", "terrane:stone_slab", {8, 4, 8}, {8, 12, 8}},
    {"minecraft:stone_slab[type=top,waterlogged=false]",
     "terrane:stone_slab",
     {8, 12, 8},
     {8, 4, 8}},
    {"minecraft:birch_slab[type=double]", "terrane:birch_planks", {0, 0, 0}, {0, 0, 0}},
    {"minecraft:oak_door[facing=east,half=lower,hinge=left,open=false]",
     "terrane:oak_door",
     {1, 8, 8},
     {8, 8, 8}},
    {"minecraft:oak_door[facing=south,half=upper,hinge=left,open=false]",
     "terrane:oak_door",
     {8, 8, 1},
     {8, 8, 8}},
    {"minecraft:oak_door[facing=east,half=lower,hinge=left,open=true]",
     "terrane:oak_door_open",
     {8, 8, 1},
     {8, 8, 15}},
    {"minecraft:oak_door[facing=east,half=lower,hinge=right,open=true]",
     "terrane:oak_door_open",
     {8, 8, 14},
     {8, 8, 1}},
    {"minecraft:wall_torch[facing=west]", "terrane:wall_torch", {15, 5, 8}, {1, 5, 8}},
    {"minecraft:ladder[facing=north]", "terrane:oak_ladder", {8, 4, 15}, {8, 4, 0}},
    {"minecraft:acacia_fence[east=true,north=false]", "terrane:acacia_fence", {8, 8, 8}, {1, 8, 1}},
    {"minecraft:wheat[age=5]", "terrane:wheat_2", {0, 0, 0}, {0, 0, 0}},
    {"minecraft:water[level=0]", "terrane:water", {0, 0, 0}, {0, 0, 0}},
    {"minecraft:water[level=3]", "terrane:water/3", {0, 0, 0}, {0, 0, 0}},
    {"minecraft:lava[level=9]", "terrane:lava/8", {0, 0, 0}, {0, 0, 0}},
    {"minecraft:stone_slab[type=odd]", "terrane:stone_slab", {8, 4, 8}, {8, 12, 8}},
    {"minecraft:oak_log[axis=x]", "terrane:oak_log", {0, 0, 0}, {0, 0, 0}}, // is lost
};
#define TURNED_COUNT ((uint32_t)(sizeof turned_states / sizeof *turned_states))

static void block_states_are_turned_as_their_properties_say(void **state)
{
    World *world = *state;
    Opened opened;
    static Loaded loaded;
    memset(world->sections, 0, sizeof world->sections);
    for (uint32_t i = 0; i < TURNED_COUNT; i++) {
        world->palette[i] = turned_states[i].state;
        world->sections[0].blocks[(size_t)i * 17] = (uint16_t)i;
    }
    world->sections[0].palette = world->palette;
    world->sections[0].palette_count = TURNED_COUNT;
    world->sections[0].is_plain = true;
    Out nbt = {0}, region;
    char path[PLACE_PATH];
    anvil_write_column(&nbt, &anvil_1_18, world->sections, 1);
    anvil_region_begin(&region);
    anvil_region_add(&region, 2, 4, &nbt, 3);
    anvil_write_file(place_path(world->place, "one.mca", path), region.bytes, region.size);
    opened_begin(&opened, world->place, "one.mca");
    loaded = (Loaded){.import = opened.import};
    assert_int_equal(load(&loaded, (TrnCoord){1, 0, 2}), TRN_RESULT_OK);
    for (uint32_t i = 0; i < TURNED_COUNT; i++) {
        const Turned *turned = &turned_states[i];
        const uint32_t at = i * 17;
        const TrnBlock block = loaded.blocks[trn_local_index(at % 16, at / 256, at / 16 % 16)];
        const TrnBlockType *type = trn_block_types_get(opened.types, block);
        const bool has_end = strchr(turned->ours, '/') != NULL || !type->model;
        if (has_end ? strcmp(type->name, turned->ours) != 0
                    : strncmp(type->name, turned->ours, strlen(turned->ours)) != 0 ||
                          !block_has_box(type->model, turned->filled) ||
                          block_has_box(type->model, turned->empty)) {
            fail_msg("%s became %s", turned->state, type->name);
        }
    }
    assert_int_equal(
        notes_count(opened.import, TRN_IMPORT_NOTE_IGNORED, "properties of block states"), 1);
    assert_int_equal(notes_count(opened.import, TRN_IMPORT_NOTE_UNKNOWN, NULL), 0);
    opened_end(&opened);
    out_free(&nbt);
    out_free(&region);
}

static bool find_highest(void *user, TrnCoord coord)
{
    int32_t *highest = user;
    *highest = coord.y > *highest ? coord.y : *highest;
    return true;
}

static void land_higher_than_usual_is_listed(void **state)
{
    World *world = *state;
    Opened opened;
    int32_t highest = 0;
    (void)building_palette(world->palette, world->names, 3);
    world_fill_section(world, &world->sections[0], 0, 0, 0);
    world->sections[0].y = 101; // voxels 1616 to 1631
    Out nbt = {0}, region;
    char path[PLACE_PATH];
    anvil_write_column(&nbt, &anvil_1_21, world->sections, 1);
    anvil_region_begin(&region);
    anvil_region_add(&region, 30, 31, &nbt, 3);
    anvil_write_file(place_path(world->place, "high.mca", path), region.bytes, region.size);
    opened_begin(&opened, world->place, "high.mca");
    assert_int_equal(trn_import_list(opened.import, find_highest, &highest), TRN_RESULT_OK);
    assert_int_equal(highest, 1616 / 32);
    opened_end(&opened);
    out_free(&nbt);
    out_free(&region);
}

/// Writes a region with one column of another file, which has other lists.
/// @param list  of the root: "Entities", "Sections"
static void write_other_column(World *world, const char *name, const char *list, uint32_t version)
{
    Out nbt = {0}, region;
    char path[PLACE_PATH];
    out_number(&nbt, 10, 1);
    nbt_text(&nbt, "");
    if (strcmp(list, "Sections") == 0) { // of points of interest
        nbt_tag(&nbt, 10, list);
        nbt_tag(&nbt, 10, "0");
        nbt_end(&nbt);
        nbt_end(&nbt);
    } else {
        nbt_list(&nbt, list, 10, 0);
    }
    nbt_tag(&nbt, 3, "DataVersion");
    out_number(&nbt, version, 4);
    nbt_end(&nbt);
    anvil_region_begin(&region);
    anvil_region_add(&region, 0, 0, &nbt, 3);
    anvil_write_file(place_path(world->place, name, path), region.bytes, region.size);
    out_free(&nbt);
    out_free(&region);
}

static void columns_of_other_kinds_are_not_supported_and_say_what_to_do(void **state)
{
    World *world = *state;
    static const struct {
        const char *list;
        uint32_t version;
    } cases[] = {{"Entities", 2860}, {"Sections", 2860}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Opened opened;
        static Loaded loaded;
        write_other_column(world, "other.mca", cases[i].list, cases[i].version);
        opened_begin(&opened, world->place, "other.mca");
        loaded = (Loaded){.import = opened.import};
        assert_int_equal(load(&loaded, (TrnCoord){0, 0, 0}), TRN_RESULT_NOT_FOUND);
        assert_int_equal(notes_count(opened.import, TRN_IMPORT_NOTE_DAMAGED, NULL), 0);
        assert_int_equal(notes_count(opened.import, TRN_IMPORT_NOTE_UNSUPPORTED, NULL), 1);
        opened_end(&opened);
    }
}

static void a_folder_without_regions_is_refused_in_a_sentence(void **state)
{
    World *world = *state;
    Opened opened = {.def = trn_import_def()};
    opened.def.format = TRN_IMPORT_ANVIL;
    assert_int_equal(opened_try(&opened, world->place, ""), TRN_RESULT_NOT_FOUND);
    assert_non_null(strstr(opened.problem.sentence, "no region files"));
    trn_block_types_destroy(opened.types);
}

// ---- damage -------------------------------------------------------------------------------------

/// Writes two columns of four blocks' sections, uncompressed or not, in one small region.
static void write_small_region(World *world, Out *region, int compression)
{
    Out nbt = {0}, packed = {0};
    (void)building_palette(world->palette, world->names, 3);
    world_fill_section(world, &world->sections[0], -1, 0, -1);
    anvil_write_column(&nbt, &anvil_1_21, world->sections, 1);
    anvil_compress(&packed, &nbt, compression);
    anvil_region_begin(region);
    anvil_region_add(region, 0, 0, &packed, compression);
    anvil_region_add(region, 1, 0, &packed, compression);
    out_free(&nbt);
    out_free(&packed);
}

/// Loads what a damaged region has. @return how many pieces are damaged
static uint64_t load_damaged(World *world, const void *bytes, size_t size)
{
    Opened opened;
    static Loaded loaded;
    char path[PLACE_PATH];
    anvil_write_file(place_path(world->place, "damaged.mca", path), bytes, size);
    opened_begin(&opened, world->place, "damaged.mca");
    loaded = (Loaded){.import = opened.import};
    assert_int_equal(trn_import_list(opened.import, count_chunk, &loaded), TRN_RESULT_OK);
    assert_true(loaded.result == TRN_RESULT_OK || loaded.result == TRN_RESULT_NOT_FOUND);
    const TrnResult result = load(&loaded, (TrnCoord){0, 0, 0});
    assert_true(result == TRN_RESULT_OK || result == TRN_RESULT_NOT_FOUND);
    const uint64_t damaged = notes_count(opened.import, TRN_IMPORT_NOTE_DAMAGED, NULL);
    opened_end(&opened);
    return damaged;
}

static void every_cut_of_a_region_is_counted(void **state)
{
    World *world = *state;
    Out region;
    write_small_region(world, &region, 2);
    assert_int_equal(load_damaged(world, region.bytes, region.size), 0);
    assert_int_equal(load_damaged(world, region.bytes, 0), 0); // Minecraft leaves such files
    const size_t second = 8192 + 4096;                         // where the last column is
    for (size_t cut = 1; cut < second + 5; cut += cut < 8 || cut >= second ? 1 : 113) {
        assert_true(load_damaged(world, region.bytes, cut) > 0);
    }
    out_free(&region);
}

static void no_flipped_byte_of_a_region_harms_the_reader(void **state)
{
    World *world = *state;
    const size_t step = test_rounds(1, 7);
    for (int compression = 1; compression <= 4; compression++) {
        Out region;
        write_small_region(world, &region, compression);
        for (size_t at = 0; at < region.size; at += at < 8 || at >= 8192 ? step : 509) {
            if (at >= 8192 && at % 4096 > 400) { // padding, or more of the same
                continue;
            }
            region.bytes[at] ^= 0x55;
            (void)load_damaged(world, region.bytes, region.size);
            region.bytes[at] ^= 0x55;
        }
        out_free(&region);
    }
}

static void a_damaged_column_leaves_its_neighbours_whole(void **state)
{
    World *world = *state;
    Out region;
    Opened opened;
    static Loaded loaded;
    char path[PLACE_PATH];
    write_small_region(world, &region, 2);
    region.bytes[8192 + 40] ^= 0xFF;
    anvil_write_file(place_path(world->place, "damaged.mca", path), region.bytes, region.size);
    opened_begin(&opened, world->place, "damaged.mca");
    loaded = (Loaded){.import = opened.import};
    assert_int_equal(load(&loaded, (TrnCoord){0, 0, 0}), TRN_RESULT_OK);
    assert_int_equal(notes_count(opened.import, TRN_IMPORT_NOTE_DAMAGED, NULL), 1);
    uint32_t west = 0, east = 0;
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        *(i % 32 < 16 ? &west : &east) += loaded.blocks[i] != TRN_BLOCK_AIR;
    }
    assert_int_equal(west, 0);
    assert_true(east > 0);
    opened_end(&opened);
    out_free(&region);
}

/// A small file must not be many columns: each is decompressed.
static void of_columns_that_share_their_data_the_first_is_taken(void **state)
{
    World *world = *state;
    Out region;
    write_small_region(world, &region, 2);
    memcpy(region.bytes + 4, region.bytes, 4); // the location of the second
    assert_int_equal(load_damaged(world, region.bytes, region.size), 1);
    memset(region.bytes, 0, 4);
    assert_int_equal(load_damaged(world, region.bytes, region.size), 0);
    out_free(&region);
}

// ---- decompression ------------------------------------------------------------------------------

/// Decompresses. @param expected  what it has to be, unless it is refused
static TrnResult decompress(int compression, const Out *from, TestAllocator *counts,
                            const Out *expected)
{
    const TrnAllocator allocator = test_allocator(counts);
    TrnBytes column = {0};
    bool is_cut;
    const TrnResult result =
        trn_region_decompress((uint32_t)compression, from->bytes, from->size, TRN_REGION_COLUMN_MAX,
                              &allocator, &column, &is_cut);
    assert_true(!is_cut || result == TRN_RESULT_CORRUPT);
    if (result == TRN_RESULT_OK) {
        assert_int_equal(column.count, expected->size);
        assert_true(memcmp(column.items, expected->bytes, column.count) == 0);
    }
    trn_array_free(&column, &allocator);
    assert_int_equal(counts->live_bytes, 0);
    return result;
}

static void a_bomb_is_refused(void **state)
{
    (void)state;
    static const size_t over = 16;
    for (int compression = 1; compression <= 4; compression++) {
        for (size_t more = compression == 4 ? 0 : over; more <= over; more += over) {
            Out zeroes = {0}, bomb = {0};
            TestAllocator counts = {.bytes_max = 2 * TRN_REGION_COLUMN_MAX};
            zeroes.size = zeroes.capacity = TRN_REGION_COLUMN_MAX + more;
            zeroes.bytes = calloc(1, zeroes.size);
            anvil_compress(&bomb, &zeroes, compression);
            const TrnResult result = decompress(compression, &bomb, &counts, &zeroes);
            assert_int_equal(result, more ? TRN_RESULT_CORRUPT : TRN_RESULT_OK);
            out_free(&zeroes);
            out_free(&bomb);
        }
    }
}

static void every_cut_and_every_flip_of_compressed_bytes_is_seen(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(24);
    Out plain = {0};
    TestAllocator counts = {0};
    for (uint32_t i = 0; i < 3000; i++) {
        out_number(&plain, test_random_next(&random) % 5, 1);
    }
    for (int compression = 1; compression <= 4; compression++) {
        Out packed = {0};
        anvil_compress(&packed, &plain, compression);
        const size_t whole = packed.size;
        assert_int_equal(decompress(compression, &packed, &counts, &plain), TRN_RESULT_OK);
        for (packed.size = 0; packed.size < whole && compression != 3; packed.size++) {
            assert_int_equal(decompress(compression, &packed, &counts, &plain), TRN_RESULT_CORRUPT);
        }
        packed.size = whole;
        // Without effect or refused, except that zlib's checksum is too weak for that.
        for (size_t at = compression == 1 ? 10 : 0; at < whole && compression % 3 == 1; at++) {
            packed.bytes[at] ^= 4;
            (void)decompress(compression, &packed, &counts, &plain);
            packed.bytes[at] ^= 4;
        }
        out_free(&packed);
    }
    assert_int_equal(decompress(127, &plain, &counts, &plain), TRN_RESULT_CORRUPT);
    out_free(&plain);
}

static void running_out_of_memory_leaves_no_trace(void **state)
{
    World *world = *state;
    world_write(world);
    bool is_done = false;
    for (size_t at = 1; !is_done; at++) {
        TestAllocator counts = {0};
        const TrnAllocator allocator = test_allocator(&counts);
        static Loaded loaded;
        Opened opened = {.def = trn_import_def()};
        opened.def.allocator = &allocator;
        test_fail(&counts, at, at);
        TrnResult result = opened_try(&opened, world->place, "");
        if (result == TRN_RESULT_OK) {
            loaded = (Loaded){.import = opened.import};
            result = load(&loaded, (TrnCoord){-1, -1, -1});
            is_done = result == TRN_RESULT_OK && counts.allocations < at;
            if (result != TRN_RESULT_OK) { // the next try succeeds
                assert_int_equal(result, TRN_RESULT_NO_MEMORY);
                assert_int_equal(load(&loaded, (TrnCoord){-1, -1, -1}), TRN_RESULT_OK);
            }
            trn_import_destroy(opened.import);
        } else {
            assert_int_equal(result, TRN_RESULT_NO_MEMORY);
        }
        trn_block_types_destroy(opened.types);
        assert_int_equal(counts.live_bytes, 0);
        assert_true(at < 10000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            an_asymmetric_building_stands_as_it_was_built_in_every_version, begin, end),
        cmocka_unit_test_setup_teardown(every_compression_is_read_inside_and_outside_of_the_region,
                                        begin, end),
        cmocka_unit_test_setup_teardown(an_offset_moves_the_building, begin, end),
        cmocka_unit_test_setup_teardown(unknown_names_are_counted_by_voxels, begin, end),
        cmocka_unit_test_setup_teardown(block_states_are_turned_as_their_properties_say, begin,
                                        end),
        cmocka_unit_test_setup_teardown(land_higher_than_usual_is_listed, begin, end),
        cmocka_unit_test_setup_teardown(columns_of_other_kinds_are_not_supported_and_say_what_to_do,
                                        begin, end),
        cmocka_unit_test_setup_teardown(a_folder_without_regions_is_refused_in_a_sentence, begin,
                                        end),
        cmocka_unit_test_setup_teardown(every_cut_of_a_region_is_counted, begin, end),
        cmocka_unit_test_setup_teardown(no_flipped_byte_of_a_region_harms_the_reader, begin, end),
        cmocka_unit_test_setup_teardown(a_damaged_column_leaves_its_neighbours_whole, begin, end),
        cmocka_unit_test_setup_teardown(of_columns_that_share_their_data_the_first_is_taken, begin,
                                        end),
        cmocka_unit_test(a_bomb_is_refused),
        cmocka_unit_test(every_cut_and_every_flip_of_compressed_bytes_is_seen),
        cmocka_unit_test_setup_teardown(running_out_of_memory_leaves_no_trace, begin, end),
    };
    return cmocka_run_group_tests_name("import_anvil", tests, NULL, NULL);
}
