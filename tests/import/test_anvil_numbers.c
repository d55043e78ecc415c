/// Worlds of Minecraft before 1.13, whose blocks have numbers and values: each number has a name
/// that our tables know, values say what names say since, and nothing damaged is read as land.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "anvil_writer.h"
#include "place.h"

#include <sys/stat.h>

#include <terrane/import.h>

// ---- worlds -------------------------------------------------------------------------------------

#define BLOCKS 4096
#define TALL_BLOCKS 32768

/// Blocks of a section, or of a column of McRegion.
typedef struct Numbers {
    uint16_t numbers[TALL_BLOCKS];
    uint8_t values[TALL_BLOCKS];
} Numbers;

static uint32_t section_index(uint32_t x, uint32_t y, uint32_t z)
{
    return x + 16 * (z + 16 * y);
}

static void write_array(Out *out, const char *name, const unsigned char *bytes, size_t size)
{
    nbt_tag(out, 7, name);
    out_number(out, size, 4);
    out_bytes(out, bytes, size);
}

/// Writes Blocks, Data and, if a number needs it, Add.
static void write_arrays(Out *out, const Numbers *of, size_t count)
{
    static unsigned char low[TALL_BLOCKS], high[TALL_BLOCKS / 2], values[TALL_BLOCKS / 2];
    bool is_more = false;
    memset(high, 0, sizeof high);
    memset(values, 0, sizeof values);
    for (size_t i = 0; i < count; i++) {
        low[i] = (unsigned char)of->numbers[i];
        high[i / 2] |= (unsigned char)(of->numbers[i] >> 8 << i % 2 * 4);
        values[i / 2] |= (unsigned char)(of->values[i] << i % 2 * 4);
        is_more |= of->numbers[i] > 255;
    }
    write_array(out, "Blocks", low, count);
    write_array(out, "Data", values, count / 2);
    if (is_more) {
        write_array(out, "Add", high, count / 2);
    }
}

/// Writes a region file with one column. @param sections  [count] of them from the bottom up
static void write_region(const Place *place, const char *name, const Numbers *sections,
                         uint32_t count, bool is_tall)
{
    Out region, nbt = {0}, packed = {0};
    char path[PLACE_PATH];
    out_number(&nbt, 10, 1);
    nbt_text(&nbt, "");
    nbt_tag(&nbt, 10, "Level");
    if (is_tall) {
        write_arrays(&nbt, sections, TALL_BLOCKS);
    } else {
        nbt_list(&nbt, "Sections", 10, count);
        for (uint32_t i = 0; i < count; i++) {
            write_arrays(&nbt, &sections[i], BLOCKS);
            nbt_tag(&nbt, 1, "Y");
            out_number(&nbt, i, 1);
            nbt_end(&nbt);
        }
    }
    nbt_end(&nbt);
    nbt_end(&nbt);
    anvil_compress(&packed, &nbt, 2);
    anvil_region_begin(&region);
    anvil_region_add(&region, 0, 0, &packed, 2);
    anvil_write_file(place_path(place, name, path), region.bytes, region.size);
    out_free(&region);
    out_free(&nbt);
    out_free(&packed);
}

typedef struct Opened {
    TrnBlockTypes *types;
    TrnImport *import;
    TrnBlock blocks[TRN_CHUNK_VOXELS]; ///< of the chunk at the origin
} Opened;

static void open_world(Opened *opened, const Place *place, const char *name)
{
    char path[PLACE_PATH];
    TrnImportDef def = trn_import_def();
    TrnStorageProblem problem = {""};
    bool uniform = false;
    assert_int_equal(trn_block_types_create_builtin(NULL, &opened->types), TRN_RESULT_OK);
    def.path = place_path(place, name, path);
    def.types = opened->types;
    if (trn_import_open(&def, &opened->import, &problem) != TRN_RESULT_OK) {
        fail_msg("%s", problem.sentence);
    }
    assert_int_equal(trn_import_load(opened->import, (TrnCoord){0, 0, 0}, opened->blocks, &uniform),
                     TRN_RESULT_OK);
    for (uint32_t i = 1; uniform && i < TRN_CHUNK_VOXELS; i++) {
        opened->blocks[i] = opened->blocks[0];
    }
}

static void close_world(Opened *opened)
{
    trn_import_destroy(opened->import);
    trn_block_types_destroy(opened->types);
}

/// The name of a voxel's block, with the variant of its family: "terrane:oak_door/1".
static const char *name_at(const Opened *opened, uint32_t x, uint32_t y, uint32_t z)
{
    const TrnBlock block = opened->blocks[trn_local_index(x, y, z)];
    return trn_block_types_get(opened->types, block)->name;
}

/// The block that a block state of 1.13 becomes, in a world of its own.
static void assert_as_state(const Place *place, const Opened *opened, uint32_t x, uint32_t y,
                            uint32_t z, const char *text)
{
    static Opened since;
    AnvilSection section = {.y = 0, .palette_count = 1, .palette = &text, .is_plain = true};
    Out region, nbt = {0}, packed = {0};
    char path[PLACE_PATH];
    anvil_write_column(&nbt, &anvil_1_13, &section, 1);
    anvil_compress(&packed, &nbt, 2);
    anvil_region_begin(&region);
    anvil_region_add(&region, 0, 0, &packed, 2);
    anvil_write_file(place_path(place, "since.mca", path), region.bytes, region.size);
    open_world(&since, place, "since.mca");
    if (strcmp(name_at(opened, x, y, z), name_at(&since, 0, 0, 0)) != 0) {
        fail_msg("%s, not %s as %s", name_at(opened, x, y, z), name_at(&since, 0, 0, 0), text);
    }
    close_world(&since);
    out_free(&region);
    out_free(&nbt);
    out_free(&packed);
}

// ---- notes --------------------------------------------------------------------------------------

typedef struct Notes {
    uint64_t counts[TRN_IMPORT_NOTE_COUNT];
    char unknown[256]; ///< one of the names
} Notes;

static bool notes_add(void *user, const TrnImportNote *note)
{
    Notes *notes = user;
    notes->counts[note->kind] += note->count;
    if (note->kind == TRN_IMPORT_NOTE_UNKNOWN) {
        (void)snprintf(notes->unknown, sizeof notes->unknown, "%s", note->what);
    }
    return true;
}

static Notes notes_of(const Opened *opened)
{
    Notes notes = {{0}, ""};
    assert_int_equal(trn_import_report(opened->import, notes_add, &notes), TRN_RESULT_OK);
    return notes;
}

// ---- tests --------------------------------------------------------------------------------------

static void every_number_has_a_name_that_is_known(void **state)
{
    Place *place = *state;
    static Numbers section;
    static Opened opened;
    section = (Numbers){{0}, {0}};
    for (uint16_t i = 0; i < BLOCKS; i++) {
        const uint16_t number = i / 16;
        section.numbers[i] = number == 253 || number == 254 ? 0 : number; // these never were
        section.values[i] = (uint8_t)(i % 16);
    }
    write_region(place, "r.0.0.mca", &section, 1, false);
    open_world(&opened, place, "r.0.0.mca");
    const Notes notes = notes_of(&opened);
    assert_string_equal(notes.unknown, "");
    assert_int_equal(notes.counts[TRN_IMPORT_NOTE_UNKNOWN], 0);
    assert_int_equal(notes.counts[TRN_IMPORT_NOTE_DAMAGED], 0);
    close_world(&opened);
}

static void values_say_what_properties_say_since(void **state)
{
    Place *place = *state;
    static const struct {
        uint16_t number;
        uint8_t value;
        const char *state;
    } cases[] = {
        {1, 0, "minecraft:stone"},
        {1, 3, "minecraft:diorite"},
        {9, 0, "minecraft:water[level=0]"},
        {8, 5, "minecraft:water[level=5]"},
        {10, 8, "minecraft:lava[level=8]"},
        {17, 5, "minecraft:spruce_log[axis=x]"},
        {17, 10, "minecraft:birch_log[axis=z]"},
        {18, 13, "minecraft:spruce_leaves"},
        {35, 0, "minecraft:white_wool"},
        {35, 14, "minecraft:red_wool"},
        {159, 3, "minecraft:light_blue_terracotta"},
        {44, 3, "minecraft:cobblestone_slab[type=bottom]"},
        {44, 11, "minecraft:cobblestone_slab[type=top]"},
        {43, 5, "minecraft:stone_bricks"},
        {50, 5, "minecraft:torch"},
        {50, 1, "minecraft:wall_torch[facing=east]"},
        {50, 4, "minecraft:wall_torch[facing=north]"},
        {53, 0, "minecraft:oak_stairs[facing=east,half=bottom]"},
        {53, 1, "minecraft:oak_stairs[facing=west,half=bottom]"},
        {67, 6, "minecraft:cobblestone_stairs[facing=south,half=top]"},
        {54, 3, "minecraft:chest[facing=south]"},
        {65, 4, "minecraft:ladder[facing=west]"},
        {68, 5, "minecraft:oak_wall_sign[facing=east]"},
        {78, 0, "minecraft:snow[layers=1]"},
        {78, 7, "minecraft:snow[layers=8]"},
        {91, 1, "minecraft:jack_o_lantern[facing=west]"},
        {96, 4, "minecraft:oak_trapdoor[facing=north,open=true,half=bottom]"},
        {106, 2, "minecraft:vine[west=true]"},
        {106, 8, "minecraft:vine[east=true]"},
        {107, 6, "minecraft:oak_fence_gate[facing=north,open=true]"},
        {175, 3, "minecraft:large_fern[half=lower]"},
        {251, 15, "minecraft:black_concrete"},
    };
    const uint32_t count = sizeof cases / sizeof *cases;
    static Numbers section;
    static Opened opened;
    section = (Numbers){{0}, {0}};
    for (uint32_t i = 0; i < count; i++) { // apart from each other
        section.numbers[section_index(i % 8 * 2, 1, i / 8 * 2)] = cases[i].number;
        section.values[section_index(i % 8 * 2, 1, i / 8 * 2)] = cases[i].value;
    }
    write_region(place, "r.0.0.mca", &section, 1, false);
    open_world(&opened, place, "r.0.0.mca");
    for (uint32_t i = 0; i < count; i++) {
        assert_as_state(place, &opened, i % 8 * 2, 1, i / 8 * 2, cases[i].state);
    }
    close_world(&opened);
}

/// The lower half knows where a door faces, the upper one its hinge: also across two sections.
static void halves_tell_each_other(void **state)
{
    Place *place = *state;
    static Numbers sections[2];
    static Opened opened;
    static const uint32_t heights[] = {3, 15};
    memset(sections, 0, sizeof sections);
    for (uint32_t i = 0; i < 2; i++) {
        const uint32_t low = heights[i], high = low + 1;
        Numbers *upper = &sections[high / 16];
        sections[0].numbers[section_index(2, low, 5)] = 64;
        sections[0].values[section_index(2, low, 5)] = 1 | 4; // looks south, open
        upper->numbers[section_index(2, high % 16, 5)] = 64;
        upper->values[section_index(2, high % 16, 5)] = 8 | 1; // its hinge at the right
        sections[0].numbers[section_index(8, low, 5)] = 175;
        sections[0].values[section_index(8, low, 5)] = 4;
        upper->numbers[section_index(8, high % 16, 5)] = 175;
        upper->values[section_index(8, high % 16, 5)] = 8;
    }
    sections[1].numbers[section_index(0, 15, 0)] = 64; // alone, at the top of all
    sections[1].values[section_index(0, 15, 0)] = 2;
    write_region(place, "r.0.0.mca", sections, 2, false);
    open_world(&opened, place, "r.0.0.mca");
    for (uint32_t i = 0; i < 2; i++) {
        const uint32_t low = heights[i];
        assert_as_state(place, &opened, 2, low, 5,
                        "minecraft:oak_door[facing=south,open=true,hinge=right,half=lower]");
        assert_as_state(place, &opened, 2, low + 1, 5,
                        "minecraft:oak_door[facing=south,open=true,hinge=right,half=upper]");
        assert_as_state(place, &opened, 8, low + 1, 5, "minecraft:rose_bush[half=upper]");
    }
    assert_as_state(place, &opened, 0, 31, 0,
                    "minecraft:oak_door[facing=west,open=false,hinge=left,half=lower]");
    close_world(&opened);
}

static void a_column_of_mcregion_is_cut_into_sections(void **state)
{
    Place *place = *state;
    static Numbers tall, section;
    static Opened opened;
    tall = (Numbers){{0}, {0}};
    for (uint32_t i = 0; i < TALL_BLOCKS; i++) {
        const uint32_t y = i % 128, z = i / 128 % 16, x = i / 2048;
        tall.numbers[i] = y < 20 ? 1 : 0;
        if (y == 20 && x == 3 && z == 7) {
            tall.numbers[i] = 35;
            tall.values[i] = 14;
        }
    }
    write_region(place, "r.0.0.mcr", &tall, 1, true);
    for (int i = 0; i < 2; i++) {
        open_world(&opened, place, i ? "" : "r.0.0.mcr");
        assert_string_equal(name_at(&opened, 3, 20, 7), "terrane:red_wool");
        assert_string_equal(name_at(&opened, 7, 20, 3), "terrane:air");
        assert_string_equal(name_at(&opened, 15, 19, 15), "terrane:stone");
        assert_string_equal(name_at(&opened, 16, 19, 15), "terrane:air");
        close_world(&opened);
    }
    // Minecraft leaves the old file where it wrote a new one.
    section = (Numbers){{0}, {0}};
    section.numbers[section_index(3, 5, 7)] = 41;
    write_region(place, "r.0.0.mca", &section, 1, false);
    open_world(&opened, place, "");
    assert_string_equal(name_at(&opened, 3, 5, 7), "terrane:gold_block");
    assert_string_equal(name_at(&opened, 3, 20, 7), "terrane:air");
    close_world(&opened);
}

/// Writes what Forge writes into level.dat. @param is_new  as for Minecraft 1.9 to 1.12
static void write_level(const Place *place, bool is_new)
{
    Out nbt = {0}, packed = {0};
    char path[PLACE_PATH];
    out_number(&nbt, 10, 1);
    nbt_text(&nbt, "");
    nbt_tag(&nbt, 10, "FML");
    if (is_new) {
        nbt_tag(&nbt, 10, "Registries");
        nbt_tag(&nbt, 10, "minecraft:items");
        nbt_end(&nbt);
        nbt_tag(&nbt, 10, "minecraft:blocks");
    }
    nbt_list(&nbt, is_new ? "ids" : "ItemData", 10, 3);
    static const char *const names[] = {"\x02mod:an_item", "\x01mod:zorp", "\x01minecraft:stone"};
    static const uint32_t numbers[] = {1000, 1000, 1};
    for (int i = 0; i < 3; i++) {
        nbt_tag(&nbt, 8, "K");
        nbt_text(&nbt, is_new ? (i ? names[i] + 1 : "mod:unused") : names[i]);
        nbt_tag(&nbt, 3, "V");
        out_number(&nbt, is_new && !i ? 999 : numbers[i], 4);
        nbt_end(&nbt);
    }
    for (int ends = is_new ? 4 : 2; ends > 0; ends--) {
        nbt_end(&nbt);
    }
    anvil_compress(&packed, &nbt, 1);
    anvil_write_file(place_path(place, "level.dat", path), packed.bytes, packed.size);
    out_free(&nbt);
    out_free(&packed);
}

static void mods_are_named_by_the_level(void **state)
{
    Place *place = *state;
    static Numbers section;
    static Opened opened;
    char path[PLACE_PATH];
    section = (Numbers){{0}, {0}};
    section.numbers[0] = 1000;
    section.values[0] = 3;
    section.numbers[1] = 1;
    section.numbers[2] = 2000;
    assert_int_equal(mkdir(place_path(place, "region", path), 0777), 0);
    write_region(place, "region/r.0.0.mca", &section, 1, false);
    for (int i = 0; i < 3; i++) {
        if (i) {
            write_level(place, i == 1);
        }
        open_world(&opened, place, "");
        assert_string_equal(name_at(&opened, 0, 0, 0), i ? "mod:zorp" : "minecraft:1000");
        assert_string_equal(name_at(&opened, 1, 0, 0), "terrane:stone");
        assert_string_equal(name_at(&opened, 2, 0, 0), "minecraft:2000");
        assert_int_equal(notes_of(&opened).counts[TRN_IMPORT_NOTE_UNKNOWN], 2);
        close_world(&opened);
    }
}

/// Arrays of other sizes, or of other types, are damage, and the other sections load.
static void damaged_arrays_are_reported(void **state)
{
    Place *place = *state;
    static const struct {
        const char *name;
        int type;
        uint32_t size;
    } cases[] = {{"Blocks", 7, 4095},  {"Blocks", 7, 8192}, {"Blocks", 7, 0},
                 {"Blocks", 11, 1024}, {"Data", 7, 4096},   {"Add", 7, 1}};
    static const unsigned char stone[8192] = {1};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        static Opened opened;
        static Numbers whole;
        Out region, nbt = {0};
        char path[PLACE_PATH];
        out_number(&nbt, 10, 1);
        nbt_text(&nbt, "");
        nbt_tag(&nbt, 10, "Level");
        nbt_list(&nbt, "Sections", 10, 2);
        nbt_tag(&nbt, cases[i].type, cases[i].name);
        out_number(&nbt, cases[i].size, 4);
        out_bytes(&nbt, stone, (size_t)cases[i].size * (cases[i].type == 11 ? 4 : 1));
        nbt_tag(&nbt, 1, "Y");
        out_number(&nbt, 0, 1);
        nbt_end(&nbt);
        whole = (Numbers){{1}, {0}};
        write_arrays(&nbt, &whole, BLOCKS);
        nbt_tag(&nbt, 1, "Y");
        out_number(&nbt, 1, 1);
        for (int ends = 3; ends > 0; ends--) {
            nbt_end(&nbt);
        }
        anvil_region_begin(&region);
        anvil_region_add(&region, 0, 0, &nbt, 3);
        anvil_write_file(place_path(place, "r.0.0.mca", path), region.bytes, region.size);
        open_world(&opened, place, "r.0.0.mca");
        assert_string_equal(name_at(&opened, 0, 0, 0), "terrane:air");
        assert_string_equal(name_at(&opened, 0, 16, 0), "terrane:stone");
        assert_int_equal(notes_of(&opened).counts[TRN_IMPORT_NOTE_DAMAGED], 1);
        close_world(&opened);
        out_free(&region);
        out_free(&nbt);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_number_has_a_name_that_is_known, place_make,
                                        place_remove),
        cmocka_unit_test_setup_teardown(values_say_what_properties_say_since, place_make,
                                        place_remove),
        cmocka_unit_test_setup_teardown(halves_tell_each_other, place_make, place_remove),
        cmocka_unit_test_setup_teardown(a_column_of_mcregion_is_cut_into_sections, place_make,
                                        place_remove),
        cmocka_unit_test_setup_teardown(mods_are_named_by_the_level, place_make, place_remove),
        cmocka_unit_test_setup_teardown(damaged_arrays_are_reported, place_make, place_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
