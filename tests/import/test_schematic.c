/// Schematics: one building in each of their formats is the same building, wherever it is put, and
/// what is damaged or too large is refused in a sentence.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "anvil_writer.h"
#include "place.h"

#include <terrane/import.h>

// ---- a building ---------------------------------------------------------------------------------

enum { WIDTH = 5, HEIGHT = 4, LENGTH = 3, VOXELS = WIDTH * HEIGHT * LENGTH };

static const char *const palette[] = {
    "minecraft:air",
    "minecraft:stone_bricks",
    "minecraft:oak_stairs[facing=west,half=top]",
    "minecraft:oak_door[facing=south,open=true,hinge=right,half=lower]",
    "minecraft:oak_door[facing=south,open=true,hinge=right,half=upper]",
    "minecraft:chest[facing=north]",
    "minecraft:wall_torch[facing=east]",
    "minecraft:oak_wall_sign[facing=south]",
    "minecraft:cobblestone_slab[type=top]",
};
enum { PALETTE = sizeof palette / sizeof *palette };

/// The same before 1.13: numbers and values.
static const uint8_t numbers[PALETTE] = {0, 98, 53, 64, 64, 54, 50, 68, 44};
static const uint8_t values[PALETTE] = {0, 0, 5, 1 | 4, 8 | 1, 2, 1, 3, 8 | 3};

static uint8_t building[VOXELS]; ///< indices of the palette, x fastest, then z, then y

static uint32_t voxel_at(uint32_t x, uint32_t y, uint32_t z)
{
    return x + WIDTH * (z + LENGTH * y);
}

static void make_building(void)
{
    memset(building, 0, sizeof building);
    for (uint32_t i = 0; i < WIDTH * LENGTH; i++) {
        building[i] = 1; // the floor
    }
    building[voxel_at(4, 1, 2)] = 2;
    building[voxel_at(1, 1, 0)] = 3;
    building[voxel_at(1, 2, 0)] = 4;
    building[voxel_at(3, 1, 1)] = 5;
    building[voxel_at(0, 2, 2)] = 6;
    building[voxel_at(2, 2, 1)] = 7;
    building[voxel_at(4, 3, 0)] = 8;
}

// ---- writers ------------------------------------------------------------------------------------

typedef enum Form { SPONGE_1, SPONGE_2, SPONGE_3, LITEMATICA, MCEDIT, FORMS } Form;
static const char *const endings[FORMS] = {"a.schem", "b.schem", "c.schem", "d.litematic",
                                           "e.schematic"};

static void write_short(Out *out, const char *name, uint32_t number)
{
    nbt_tag(out, 2, name);
    out_number(out, number, 2);
}

static void write_int(Out *out, const char *name, int64_t number)
{
    nbt_tag(out, 3, name);
    out_number(out, (uint64_t)number, 4);
}

static void write_size(Out *out)
{
    write_short(out, "Width", WIDTH);
    write_short(out, "Height", HEIGHT);
    write_short(out, "Length", LENGTH);
}

/// What the sign says, and the chest holds, as values behind the id.
static void write_values(Out *out, bool is_sign)
{
    if (is_sign) {
        nbt_tag(out, 8, "Text1");
        nbt_text(out, "{\"text\":\"Hello\"}");
        return;
    }
    nbt_list(out, "Items", 10, 1);
    nbt_tag(out, 1, "Slot");
    out_number(out, 13, 1);
    nbt_tag(out, 8, "id"); // of the item: it stays
    nbt_text(out, "minecraft:apple");
    nbt_tag(out, 10, "tag");
    write_int(out, "x", 5); // the same
    nbt_end(out);
    nbt_end(out);
}

static const char *content_id(bool is_sign)
{
    return is_sign ? "minecraft:sign" : "minecraft:chest";
}

static const uint32_t places[2][3] = {{3, 1, 1}, {2, 2, 1}}; // of the chest and the sign

/// Writes the block entity of the chest or the sign.
/// @param height  added to its y
static void write_content(Out *out, Form form, bool is_sign, int height)
{
    const uint32_t *at = places[is_sign];
    const int64_t y = (int64_t)at[1] + height;
    if (form == LITEMATICA || form == MCEDIT) {
        write_int(out, "y", y);
        nbt_tag(out, 8, "id");
        nbt_text(out, content_id(is_sign));
        write_values(out, is_sign);
        write_int(out, "x", at[0]);
        write_int(out, "z", at[2]);
    } else {
        nbt_tag(out, 11, "Pos");
        out_number(out, 3, 4);
        out_number(out, at[0], 4);
        out_number(out, (uint64_t)y, 4);
        out_number(out, at[2], 4);
        if (form == SPONGE_3) {
            nbt_tag(out, 10, "Data");
            write_values(out, is_sign);
            nbt_end(out);
        } else {
            write_values(out, is_sign);
        }
        nbt_tag(out, 8, "Id");
        nbt_text(out, content_id(is_sign));
    }
    nbt_end(out);
}

/// Writes what they are as block data.
static Out data_of(bool is_sign)
{
    Out out = {0};
    out_number(&out, 10, 1);
    nbt_text(&out, "");
    nbt_tag(&out, 8, "id");
    nbt_text(&out, content_id(is_sign));
    write_values(&out, is_sign);
    nbt_end(&out);
    return out;
}

/// Writes indices as Sponge does. The palette's numbers leave gaps, and two bytes are needed.
static void write_sponge_blocks(Out *out, Form form, const char *data)
{
    nbt_tag(out, 10, "Palette");
    for (uint32_t i = 0; i < PALETTE; i++) {
        write_int(out, palette[i], (int64_t)i * 40);
    }
    nbt_end(out);
    Out bytes = {0};
    for (uint32_t i = 0; i < VOXELS; i++) {
        const uint32_t index = building[i] * 40u;
        if (index >= 128) {
            out_number(&bytes, (index & 127) | 128, 1);
        }
        out_number(&bytes, index >= 128 ? index >> 7 : index, 1);
    }
    nbt_tag(out, 7, data);
    out_number(out, bytes.size, 4);
    out_bytes(out, bytes.bytes, bytes.size);
    out_free(&bytes);
    nbt_list(out, form == SPONGE_1 ? "TileEntities" : "BlockEntities", 10, 3);
    nbt_tag(out, 8, "Id"); // nowhere
    nbt_text(out, "minecraft:chest");
    nbt_end(out);
    write_content(out, form, false, 0);
    write_content(out, form, true, 0);
}

static void write_axes(Out *out, const char *name, int x, int y, int z)
{
    nbt_tag(out, 10, name);
    write_int(out, "x", x);
    write_int(out, "y", y);
    write_int(out, "z", z);
    nbt_end(out);
}

/// Writes two regions: the lower half from its upper corner, and the upper half.
static void write_litematica(Out *out)
{
    nbt_tag(out, 10, "Regions");
    for (uint32_t part = 0; part < 2; part++) {
        const uint32_t high = HEIGHT / 2, count = WIDTH * LENGTH * high;
        uint64_t longs[4] = {0}; // 9 entries take 4 bits
        nbt_tag(out, 10, part ? "upper" : "lower");
        if (part) {
            write_axes(out, "Position", -7, 12, 3);
            write_axes(out, "Size", WIDTH, (int)high, LENGTH);
        } else {
            write_axes(out, "Position", -7 + WIDTH - 1, 12 - 1, 3 + LENGTH - 1);
            write_axes(out, "Size", -WIDTH, -(int)high, -LENGTH);
        }
        nbt_list(out, "BlockStatePalette", 10, PALETTE);
        for (uint32_t i = 0; i < PALETTE; i++) {
            anvil_write_state(out, palette[i], false);
        }
        for (uint32_t i = 0; i < count; i++) {
            longs[i / 16] |= (uint64_t)building[part * count + i] << i % 16 * 4;
        }
        nbt_tag(out, 12, "BlockStates");
        out_number(out, (count + 15) / 16, 4);
        for (uint32_t i = 0; i < (count + 15) / 16; i++) {
            out_number(out, longs[i], 8);
        }
        nbt_list(out, "TileEntities", 10, part + 1);
        if (part) {
            nbt_end(out); // nowhere
        }
        write_content(out, LITEMATICA, part, part ? -(int)high : 0);
        nbt_end(out);
    }
    nbt_end(out);
}

static void write_mcedit(Out *out)
{
    write_size(out);
    nbt_tag(out, 8, "Materials");
    nbt_text(out, "Alpha");
    for (int data = 0; data < 2; data++) {
        nbt_tag(out, 7, data ? "Data" : "Blocks");
        out_number(out, VOXELS, 4);
        for (uint32_t i = 0; i < VOXELS; i++) {
            out_number(out, data ? values[building[i]] : numbers[building[i]], 1);
        }
    }
    nbt_list(out, "TileEntities", 10, 3);
    nbt_end(out); // nowhere
    write_content(out, MCEDIT, false, 0);
    write_content(out, MCEDIT, true, 0);
}

static Out nbt_of(Form form)
{
    Out out = {0};
    out_number(&out, 10, 1);
    nbt_text(&out, form == SPONGE_1 || form == MCEDIT ? "Schematic" : "");
    if (form == SPONGE_3) {
        nbt_tag(&out, 10, "Schematic");
    }
    if (form <= SPONGE_3) {
        write_int(&out, "Version", form + 1);
        write_size(&out);
    }
    switch (form) {
    case SPONGE_3:
        nbt_tag(&out, 10, "Blocks");
        write_sponge_blocks(&out, form, "Data");
        nbt_end(&out);
        nbt_end(&out);
        break;
    case LITEMATICA:
        write_litematica(&out);
        break;
    case MCEDIT:
        write_mcedit(&out);
        break;
    default:
        write_sponge_blocks(&out, form, "BlockData");
    }
    nbt_end(&out);
    return out;
}

static void write_packed(const Place *place, const char *name, const Out *nbt)
{
    Out packed = {0};
    char path[PLACE_PATH];
    anvil_compress(&packed, nbt, 1);
    anvil_write_file(place_path(place, name, path), packed.bytes, packed.size);
    out_free(&packed);
}

// ---- readers ------------------------------------------------------------------------------------

typedef struct Opened {
    TrnBlockTypes *types;
    TrnImport *import;
    TrnStorageProblem problem;
} Opened;

static TrnResult open_try(Opened *opened, const Place *place, const char *name, TrnVoxel offset)
{
    char path[PLACE_PATH];
    TrnImportDef def = trn_import_def();
    *opened = (Opened){0};
    assert_int_equal(trn_block_types_create_builtin(NULL, &opened->types), TRN_RESULT_OK);
    def.path = place_path(place, name, path);
    def.types = opened->types;
    def.offset = offset;
    return trn_import_open(&def, &opened->import, &opened->problem);
}

static void close_opened(Opened *opened)
{
    trn_import_destroy(opened->import);
    trn_block_types_destroy(opened->types);
}

static void load_chunk(const Opened *opened, TrnCoord coord, TrnBlock *blocks)
{
    bool uniform = false;
    const TrnResult result = trn_import_load(opened->import, coord, blocks, &uniform);
    assert_true(result == TRN_RESULT_OK || result == TRN_RESULT_NOT_FOUND);
    for (uint32_t i = result == TRN_RESULT_OK && !uniform ? TRN_CHUNK_VOXELS : 0;
         i < TRN_CHUNK_VOXELS; i++) {
        blocks[i] = result == TRN_RESULT_OK ? blocks[0] : TRN_BLOCK_AIR;
    }
}

/// Loads the building from a world of Minecraft, in the lowest corner of its chunk at 0,0,0.
static void load_expected(const Place *place, TrnBlock *blocks)
{
    Out region, nbt = {0}, packed = {0};
    char path[PLACE_PATH];
    static AnvilSection section;
    Opened opened;
    section = (AnvilSection){.palette_count = PALETTE, .palette = palette, .is_plain = true};
    for (uint32_t i = 0; i < VOXELS; i++) {
        const uint32_t x = i % WIDTH, z = i / WIDTH % LENGTH, y = i / (WIDTH * LENGTH);
        section.blocks[x + 16 * (z + 16 * y)] = building[i];
    }
    anvil_write_column(&nbt, &anvil_1_13, &section, 1);
    anvil_compress(&packed, &nbt, 2);
    anvil_region_begin(&region);
    anvil_region_add(&region, 0, 0, &packed, 2);
    anvil_write_file(place_path(place, "r.0.0.mca", path), region.bytes, region.size);
    assert_int_equal(open_try(&opened, place, "r.0.0.mca", (TrnVoxel){0, 0, 0}), TRN_RESULT_OK);
    load_chunk(&opened, (TrnCoord){0, 0, 0}, blocks);
    close_opened(&opened);
    out_free(&region);
    out_free(&nbt);
    out_free(&packed);
}

/// What is listed and loaded.
typedef struct Found {
    const Opened *opened;
    TrnVoxel offset;
    const TrnBlock *expected;
    uint32_t chunks, voxels;
} Found;

static bool check_chunk(void *user, TrnCoord coord)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    Found *found = user;
    found->chunks++;
    load_chunk(found->opened, coord, blocks);
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        const int64_t x = (int64_t)coord.x * TRN_CHUNK_EDGE + i % 32 - found->offset.x;
        const int64_t z = (int64_t)coord.z * TRN_CHUNK_EDGE + i / 32 % 32 - found->offset.z;
        const int64_t y = (int64_t)coord.y * TRN_CHUNK_EDGE + i / 1024 - found->offset.y;
        const bool is_in = x >= 0 && y >= 0 && z >= 0 && x < WIDTH && y < HEIGHT && z < LENGTH;
        const TrnBlock expected =
            is_in ? found->expected[trn_local_index((uint32_t)x, (uint32_t)y, (uint32_t)z)]
                  : TRN_BLOCK_AIR;
        assert_int_equal(blocks[i], expected);
        found->voxels += blocks[i] != TRN_BLOCK_AIR;
    }
    return true;
}

typedef struct Notes {
    uint64_t counts[TRN_IMPORT_NOTE_COUNT];
} Notes;

static bool notes_add(void *user, const TrnImportNote *note)
{
    Notes *notes = user;
    if (strcmp(note->what,
               "contents of blocks outside the schematic, or beyond the first 1,048,576") == 0 ||
        note->kind != TRN_IMPORT_NOTE_IGNORED) {
        notes->counts[note->kind] += note->count;
    }
    return true;
}

static void assert_refused(const Place *place, const char *name, const char *words)
{
    Opened opened;
    assert_int_equal(open_try(&opened, place, name, (TrnVoxel){0, 0, 0}), TRN_RESULT_CORRUPT);
    if (!strstr(opened.problem.sentence, words)) {
        fail_msg("'%s' does not say '%s'", opened.problem.sentence, words);
    }
    close_opened(&opened);
}

// ---- Luanti -------------------------------------------------------------------------------------

static const char *const nodes[] = {"default:stone", "air", "stairs:stair_wood", "default:gold"};

/// Writes a schematic of three nodes along x, one high, and two along z: south are stairs, north is
/// stone, and one node is not placed. @param size_x  what the head says
static Out mts_of(uint32_t size_x)
{
    static const unsigned char ids[6] = {2, 1, 3, 0, 0, 0}; // the southern row comes first
    static const unsigned char param1[6] = {0xFF, 0x7F, 0, 0x7F, 0x80, 0x7F};
    static const unsigned char param2[6] = {1, 0, 0, 0, 0, 0};
    Out out = {0}, raw = {0};
    out_bytes(&out, "MTSM", 4);
    out_number(&out, 4, 2);
    out_number(&out, size_x, 2);
    out_number(&out, 1, 2);
    out_number(&out, 2, 2);
    out_number(&out, 127, 1);
    out_number(&out, 4, 2);
    for (int i = 0; i < 4; i++) {
        nbt_text(&out, nodes[i]);
    }
    for (int i = 0; i < 6; i++) {
        out_number(&raw, ids[i], 2);
    }
    out_bytes(&raw, param1, 6);
    out_bytes(&raw, param2, 6);
    anvil_compress(&out, &raw, 2);
    out_free(&raw);
    return out;
}

static const char *mts_name(const Opened *opened, const TrnBlock *blocks, uint32_t x, uint32_t z)
{
    return trn_block_types_get(opened->types, blocks[trn_local_index(x, 0, z)])->name;
}

static void a_schematic_of_luanti_is_not_mirrored(void **state)
{
    Place *place = *state;
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    char path[PLACE_PATH];
    Opened opened;
    Out mts = mts_of(3);
    anvil_write_file(place_path(place, "a.mts", path), mts.bytes, mts.size);
    if (open_try(&opened, place, "a.mts", (TrnVoxel){0, 0, 0}) != TRN_RESULT_OK) {
        fail_msg("%s", opened.problem.sentence);
    }
    assert_int_equal(trn_import_format(opened.import), TRN_IMPORT_MTS);
    load_chunk(&opened, (TrnCoord){0, 0, 0}, blocks);
    assert_string_equal(mts_name(&opened, blocks, 0, 0), "terrane:stone"); // north is at z 0
    assert_string_equal(mts_name(&opened, blocks, 1, 0), "terrane:air");   // 0x80: not placed
    assert_string_equal(mts_name(&opened, blocks, 2, 0), "terrane:stone");
    assert_non_null(strstr(mts_name(&opened, blocks, 0, 1), "oak_stairs"));
    assert_string_equal(mts_name(&opened, blocks, 1, 1), "terrane:air");
    assert_string_equal(mts_name(&opened, blocks, 2, 1), "terrane:air");
    close_opened(&opened);
    for (size_t size = 5; size < mts.size; size++) {
        anvil_write_file(path, mts.bytes, size);
        assert_refused(place, "a.mts", "Cannot read the schematic");
    }
    static const struct {
        uint32_t size;
        const char *words;
    } cases[] = {{0, "no size"}, {4, "fewer"}, {65535, "fewer"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Out other = mts_of(cases[i].size);
        anvil_write_file(path, other.bytes, other.size);
        assert_refused(place, "a.mts", cases[i].words);
        out_free(&other);
    }
    out_free(&mts);
}

// ---- tests --------------------------------------------------------------------------------------

static void each_format_gives_the_same_building(void **state)
{
    Place *place = *state;
    static TrnBlock expected[TRN_CHUNK_VOXELS], got[TRN_CHUNK_VOXELS];
    static const TrnVoxel offsets[] = {{0, 0, 0}, {30, -2, 31}, {-1000000, 500, 77}};
    make_building();
    load_expected(place, expected);
    for (int form = 0; form < FORMS; form++) {
        Out nbt = nbt_of((Form)form);
        write_packed(place, endings[form], &nbt);
        out_free(&nbt);
        for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++) {
            Opened opened;
            if (open_try(&opened, place, endings[form], offsets[i]) != TRN_RESULT_OK) {
                fail_msg("%s", opened.problem.sentence);
            }
            assert_int_equal(trn_import_format(opened.import), TRN_IMPORT_SCHEMATIC);
            Found found = {&opened, offsets[i], expected, 0, 0};
            assert_int_equal(trn_import_list(opened.import, check_chunk, &found), TRN_RESULT_OK);
            assert_int_equal(found.chunks, i == 1 ? 8 : 1);
            assert_int_equal(found.voxels, WIDTH * LENGTH + 7);
            bool uniform;
            const TrnCoord outside =
                trn_voxel_chunk((TrnVoxel){offsets[i].x - 64, offsets[i].y, offsets[i].z});
            assert_int_equal(trn_import_load(opened.import, outside, got, &uniform),
                             TRN_RESULT_NOT_FOUND);
            Notes notes = {{0}};
            assert_int_equal(trn_import_report(opened.import, notes_add, &notes), TRN_RESULT_OK);
            assert_int_equal(notes.counts[TRN_IMPORT_NOTE_IGNORED], 1);
            assert_int_equal(notes.counts[TRN_IMPORT_NOTE_UNKNOWN], 0);
            assert_int_equal(notes.counts[TRN_IMPORT_NOTE_DAMAGED], 0);
            close_opened(&opened);
        }
    }
}

/// The block data of one chunk.
typedef struct ChunkData {
    TrnVoxel corner; ///< of the chunk, in the building
    uint32_t count;
} ChunkData;

static TrnResult check_data(void *user, const TrnBlockData *data)
{
    ChunkData *of = user;
    const int64_t at[3] = {of->corner.x + data->index % 32, of->corner.y + data->index / 1024,
                           of->corner.z + data->index / 32 % 32};
    const bool is_sign = at[1] == 2;
    for (int axis = 0; axis < 3; axis++) {
        assert_int_equal(at[axis], places[is_sign][axis]);
    }
    Out expected = data_of(is_sign);
    assert_int_equal(data->size, expected.size);
    assert_memory_equal(data->bytes, expected.bytes, expected.size);
    assert_int_equal(data->rule, TRN_DATA_WITH_BLOCK);
    out_free(&expected);
    of->count++;
    return TRN_RESULT_OK;
}

static void chests_and_signs_keep_what_is_in_them(void **state)
{
    Place *place = *state;
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    static const TrnVoxel offset = {-3, -2, 0};
    make_building();
    for (int form = 0; form < FORMS; form++) {
        Out nbt = nbt_of((Form)form);
        Opened opened;
        uint32_t count = 0;
        write_packed(place, endings[form], &nbt);
        assert_int_equal(open_try(&opened, place, endings[form], offset), TRN_RESULT_OK);
        const TrnStreamSource source = trn_import_source(opened.import);
        for (int i = 0; i < 4; i++) {
            const TrnCoord coord = {i % 2 - 1, i / 2 - 1, 0};
            ChunkData found = {
                {(int64_t)coord.x * 32 - offset.x, (int64_t)coord.y * 32 - offset.y, 0}, 0};
            const TrnDataSink sink = {check_data, &found};
            const TrnStreamJob job = {.coord = coord, .data = &sink};
            bool uniform;
            assert_int_equal(source.load(source.user, &job, blocks, &uniform), TRN_RESULT_OK);
            count += found.count;
        }
        assert_int_equal(count, 2);
        close_opened(&opened);
        out_free(&nbt);
    }
}

static void what_is_cut_is_refused(void **state)
{
    Place *place = *state;
    make_building();
    for (int form = 0; form < FORMS; form++) {
        Out nbt = nbt_of((Form)form);
        const size_t size = nbt.size;
        for (nbt.size = 3; nbt.size < size; nbt.size += size / 40 + 1) {
            write_packed(place, endings[form], &nbt);
            assert_refused(place, endings[form], "Cannot read the schematic");
        }
        out_free(&nbt);
    }
}

static void what_no_building_has_is_refused_at_once(void **state)
{
    Place *place = *state;
    static const struct {
        int64_t size[3];
        int64_t index;
        uint32_t data;
        const char *words;
    } cases[] = {
        {{1, 1, 0}, 0, 1, "no size"},
        {{-4, 1, 1}, 0, 1, "no size"},
        {{65536, 1, 1}, 0, 1, "65,535"},
        {{INT32_MAX, INT32_MAX, INT32_MAX}, 0, 1, "65,535"},
        {{65535, 65535, 65535}, 0, 1, "134,217,728"},
        {{2, 2, 2}, 0, 7, "fewer blocks"},
        {{2, 2, 2}, 65536, 8, "palette cannot be read"},
        {{2, 2, 2}, -1, 8, "palette cannot be read"},
        {{2, 2, 2}, 3, 8, "disagree"}, // its only entry is 3, and the blocks are 9
    };
    static const unsigned char nines[16] = {9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Out nbt = {0};
        out_number(&nbt, 10, 1);
        nbt_text(&nbt, "Schematic");
        write_int(&nbt, "Width", cases[i].size[0]);
        write_int(&nbt, "Height", cases[i].size[1]);
        write_int(&nbt, "Length", cases[i].size[2]);
        nbt_tag(&nbt, 10, "Palette");
        write_int(&nbt, "minecraft:stone", cases[i].index);
        nbt_end(&nbt);
        nbt_tag(&nbt, 7, "BlockData");
        out_number(&nbt, cases[i].data, 4);
        out_bytes(&nbt, nines, cases[i].data);
        nbt_end(&nbt);
        write_packed(place, "a.schem", &nbt);
        assert_refused(place, "a.schem", cases[i].words);
        out_free(&nbt);
    }
    Out nbt = {0}; // compounds of one name in each other
    out_number(&nbt, 10, 1);
    nbt_text(&nbt, "");
    for (int i = 0; i < 1000000; i++) {
        nbt_tag(&nbt, 10, "Blocks");
    }
    write_packed(place, "a.schem", &nbt);
    assert_refused(place, "a.schem", "damaged");
    out_free(&nbt);
}

/// Writes regions of one voxel each. @param entries  of each palette: compounds without a name
static Out regions_of(uint32_t count, uint32_t entries)
{
    Out out = {0};
    out_number(&out, 10, 1);
    nbt_text(&out, "");
    nbt_tag(&out, 10, "Regions");
    for (uint32_t i = 0; i < count; i++) {
        nbt_tag(&out, 10, "r");
        write_axes(&out, "Position", (int)i, 0, 0);
        write_axes(&out, "Size", 1, 1, 1);
        nbt_list(&out, "BlockStatePalette", 10, entries);
        for (uint32_t entry = 0; entry < entries; entry++) {
            nbt_end(&out);
        }
        nbt_tag(&out, 12, "BlockStates");
        out_number(&out, 1, 4);
        out_number(&out, 0, 8);
        nbt_end(&out);
    }
    nbt_end(&out);
    nbt_end(&out);
    return out;
}

/// A file of some KiB whose regions would take GiB of memory, or hours to list, is refused.
static void regions_and_their_palettes_have_a_limit(void **state)
{
    Place *place = *state;
    static const struct {
        uint32_t regions, entries;
        const char *words;
    } cases[] = {{17, 65536, "1,048,576 block states"}, {4097, 1, "4,096 regions"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Out nbt = regions_of(cases[i].regions, cases[i].entries);
        write_packed(place, "a.litematic", &nbt);
        assert_refused(place, "a.litematic", cases[i].words);
        out_free(&nbt);
    }
    Opened opened;
    Out nbt = regions_of(4096, 256); // as much as there may be
    write_packed(place, "a.litematic", &nbt);
    assert_int_equal(open_try(&opened, place, "a.litematic", (TrnVoxel){0, 0, 0}), TRN_RESULT_OK);
    close_opened(&opened);
    out_free(&nbt);
}

/// A schematic that does not fit at the end of the world is refused.
static void beyond_the_world_there_is_none(void **state)
{
    Place *place = *state;
    Opened opened;
    make_building();
    Out nbt = nbt_of(SPONGE_2);
    write_packed(place, "a.schem", &nbt);
    const int64_t end = TRN_VOXEL_MAX - 1;
    const TrnVoxel offsets[] = {{end, 0, 0}, {0, end, 0}, {0, 0, end}};
    for (int axis = 0; axis < 3; axis++) {
        assert_int_equal(open_try(&opened, place, "a.schem", offsets[axis]),
                         TRN_RESULT_OUT_OF_RANGE);
        assert_non_null(strstr(opened.problem.sentence, "does not lie in the world"));
        close_opened(&opened);
    }
    out_free(&nbt);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(each_format_gives_the_same_building, place_make,
                                        place_remove),
        cmocka_unit_test_setup_teardown(chests_and_signs_keep_what_is_in_them, place_make,
                                        place_remove),
        cmocka_unit_test_setup_teardown(what_is_cut_is_refused, place_make, place_remove),
        cmocka_unit_test_setup_teardown(what_no_building_has_is_refused_at_once, place_make,
                                        place_remove),
        cmocka_unit_test_setup_teardown(regions_and_their_palettes_have_a_limit, place_make,
                                        place_remove),
        cmocka_unit_test_setup_teardown(a_schematic_of_luanti_is_not_mirrored, place_make,
                                        place_remove),
        cmocka_unit_test_setup_teardown(beyond_the_world_there_is_none, place_make, place_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
