/// Schematics that are written: reading them gives the same voxels and contents, as far as the
/// format has them, and the report counts what it does not have.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "place.h"
#include "testing.h"

#include <stdio.h>

#include <import/back.h>
#include <import/schematic_file.h>

#include <terrane/schematic.h>

// ---- a world in memory --------------------------------------------------------------------------

enum { EDGE = 3, CHUNKS = EDGE * EDGE * EDGE }; ///< chunks from -1 to 1 along each axis

typedef struct World {
    Place *place;
    TrnBlockTypes *types;
    TrnBlock (*blocks)[TRN_CHUNK_VOXELS]; ///< [CHUNKS]
    TrnVoxel chest;                       ///< has block data, and so has the voxel above it
    const unsigned char *data[2];
    uint32_t data_size[2];
} World;

static TrnBlock *world_at(World *world, int64_t x, int64_t y, int64_t z)
{
    const TrnCoord chunk = trn_voxel_chunk((TrnVoxel){x, y, z});
    if (chunk.x < -1 || chunk.x > 1 || chunk.y < -1 || chunk.y > 1 || chunk.z < -1 || chunk.z > 1) {
        return NULL;
    }
    const int32_t number = (chunk.y + 1) * EDGE * EDGE + (chunk.z + 1) * EDGE + chunk.x + 1;
    return &world->blocks[number][trn_local_index((uint32_t)(x & 31), (uint32_t)(y & 31),
                                                  (uint32_t)(z & 31))];
}

static TrnResult world_load(void *user, const TrnStreamJob *job, TrnBlock *blocks, bool *uniform)
{
    World *world = user;
    const int64_t x = (int64_t)job->coord.x * 32, y = (int64_t)job->coord.y * 32,
                  z = (int64_t)job->coord.z * 32;
    const TrnBlock *from = world_at(world, x, y, z);
    if (!from) {
        return TRN_RESULT_NOT_FOUND;
    }
    memcpy(blocks, from, sizeof(TrnBlock[TRN_CHUNK_VOXELS]));
    *uniform = false;
    for (int i = 0; i < 2; i++) {
        const TrnVoxel at = {world->chest.x, world->chest.y + i, world->chest.z};
        const TrnBlockData data = {.bytes = world->data[i],
                                   .size = world->data_size[i],
                                   .index = (uint16_t)trn_local_index((uint32_t)(at.x & 31),
                                                                      (uint32_t)(at.y & 31),
                                                                      (uint32_t)(at.z & 31))};
        if (world->data_size[i] && trn_coord_equal(trn_voxel_chunk(at), job->coord)) {
            assert_int_equal(trn_stream_job_set_data(job, &data), TRN_RESULT_OK);
        }
    }
    return TRN_RESULT_OK;
}

/// A chest with an apple, and a text.
static const unsigned char chest_data[] = "\x0A\0\0\x08\0\x02id\0\x0Fminecraft:chest"
                                          "\x09\0\x05Items\x0A\0\0\0\x01\x08\0\x02id\0\x05"
                                          "apple\x03\0\x01x\0\0\0\x05\0\0";
static const unsigned char own_data[] = "text of a game's own";

static int world_make(void **state)
{
    World *world = calloc(1, sizeof *world);
    void *place;
    assert_non_null(world);
    assert_int_equal(place_make(&place), 0);
    world->place = place;
    world->blocks = calloc(CHUNKS, sizeof *world->blocks);
    assert_non_null(world->blocks);
    assert_int_equal(trn_block_types_create_builtin(NULL, &world->types), TRN_RESULT_OK);
    *state = world;
    return 0;
}

static int world_remove(void **state)
{
    World *world = *state;
    void *place = world->place;
    trn_block_types_destroy(world->types);
    free(world->blocks);
    free(world);
    return place_remove(&place);
}

// ---- saving and loading -------------------------------------------------------------------------

/// Blocks that a format does not have.
typedef struct Lost {
    FILE *file; ///< that is written
    uint32_t count;
    char names[TRN_BLOCK_BUILTIN_COUNT * 2][TRN_BLOCK_NAME_MAX + 1];
} Lost;

static Lost lost;

static bool keep_lost(void *user, const TrnImportNote *note)
{
    assert_ptr_equal(user, &lost);
    if (note->kind == TRN_IMPORT_NOTE_UNKNOWN) {
        assert_true(lost.count < TRN_BLOCK_BUILTIN_COUNT * 2);
        (void)snprintf(lost.names[lost.count++], TRN_BLOCK_NAME_MAX + 1, "%s", note->what);
    }
    return true;
}

static bool is_lost(const char *name)
{
    bool is = false;
    for (uint32_t i = 0; i < lost.count && !is; i++) {
        is = strcmp(lost.names[i], name) == 0;
    }
    return is;
}

static bool write_file(void *user, const void *bytes, size_t size)
{
    return fwrite(bytes, 1, size, ((Lost *)user)->file) == size;
}

typedef struct Saved {
    TrnSchematicReport report;
    TrnStorageProblem problem;
    TrnResult result;
    char path[PLACE_PATH];
} Saved;

static TrnSchematicDef def_of(World *world, TrnSchematicFormat format, TrnVoxel min, TrnVoxel max)
{
    TrnSchematicDef def = trn_schematic_def();
    def.format = format;
    def.types = world->types;
    def.min = min;
    def.max = max;
    def.source = (TrnStreamSource){.load = world_load, .user = world};
    def.write = write_file;
    def.note = keep_lost;
    def.user = &lost;
    lost.count = 0;
    return def;
}

static const char *const endings[TRN_SCHEMATIC_FORMAT_COUNT] = {"schem", "litematic", "schematic",
                                                                "mts", "vox"};

static Saved save_box(World *world, TrnSchematicFormat format, TrnVoxel min, TrnVoxel max)
{
    char name[32];
    Saved saved = {.problem = {""}};
    (void)snprintf(name, sizeof name, "a.%s", endings[format]);
    FILE *file = fopen(place_path(world->place, name, saved.path), "wb");
    assert_non_null(file);
    TrnSchematicDef def = def_of(world, format, min, max);
    lost.file = file;
    saved.result = trn_schematic_save(&def, &saved.report, &saved.problem);
    assert_int_equal(fclose(file), 0);
    return saved;
}

/// What is compared while a schematic is read.
typedef struct Compare {
    World *world;
    TrnImport *import;
    const TrnBlockTypes *types; ///< of the import
    TrnVoxel min, max;
    bool has_colours_alone;
    uint32_t data_count;
    uint64_t voxels;
} Compare;

static TrnResult compare_data(void *user, const TrnBlockData *data)
{
    Compare *compare = user;
    assert_int_equal(data->size, compare->world->data_size[0]);
    assert_memory_equal(data->bytes, compare->world->data[0], data->size);
    compare->data_count++;
    return TRN_RESULT_OK;
}

/// Whether a block of the import is that of the world, or one that looks the same.
static void compare_block(const Compare *compare, TrnBlock wanted, TrnBlock got)
{
    const TrnBlockTypes *types = compare->world->types;
    const TrnBlockType *ours = trn_block_types_get(types, trn_back_look(types, wanted));
    const TrnBlockType *theirs =
        trn_block_types_get(compare->types, trn_back_look(compare->types, got));
    if (compare->has_colours_alone && wanted != TRN_BLOCK_AIR) {
        assert_non_null(strstr(theirs->name, "magicavoxel:"));
    } else if (strcmp(ours->name, theirs->name) != 0 &&
               !is_lost(trn_block_types_get(types, wanted)->name)) {
        fail_msg("%s became %s", ours->name, theirs->name);
    }
}

static bool compare_chunk(void *user, TrnCoord coord)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    Compare *compare = user;
    const TrnStreamSource source = trn_import_source(compare->import);
    const TrnDataSink sink = {compare_data, compare};
    const TrnStreamJob job = {.coord = coord, .data = &sink};
    bool uniform = false;
    assert_int_equal(source.load(source.user, &job, blocks, &uniform), TRN_RESULT_OK);
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        const TrnVoxel at = {(int64_t)coord.x * 32 + i % 32, (int64_t)coord.y * 32 + i / 1024,
                             (int64_t)coord.z * 32 + i / 32 % 32};
        const bool is_in = at.x >= compare->min.x && at.x <= compare->max.x &&
                           at.y >= compare->min.y && at.y <= compare->max.y &&
                           at.z >= compare->min.z && at.z <= compare->max.z;
        const TrnBlock *ours = world_at(compare->world, at.x, at.y, at.z);
        const TrnBlock wanted = is_in && ours ? *ours : TRN_BLOCK_AIR;
        const TrnBlock got = blocks[uniform ? 0 : i];
        compare_block(compare, wanted, got);
        compare->voxels += got != TRN_BLOCK_AIR;
    }
    return true;
}

/// Reads a schematic at its place, and compares it. @return how many voxels have data
static uint32_t compare_saved(World *world, const Saved *saved, TrnSchematicFormat format,
                              TrnVoxel min, TrnVoxel max)
{
    TrnImportDef def = trn_import_def();
    TrnStorageProblem problem = {""};
    Compare compare = {.world = world,
                       .min = min,
                       .max = max,
                       .has_colours_alone = format == TRN_SCHEMATIC_MAGICAVOXEL};
    TrnBlockTypes *types;
    assert_int_equal(trn_block_types_create_builtin(NULL, &types), TRN_RESULT_OK);
    def.path = saved->path;
    def.types = types;
    def.offset = min;
    if (trn_import_open(&def, &compare.import, &problem) != TRN_RESULT_OK) {
        fail_msg("%s", problem.sentence);
    }
    compare.types = types;
    assert_int_equal(trn_import_list(compare.import, compare_chunk, &compare), TRN_RESULT_OK);
    if (format == TRN_SCHEMATIC_MCEDIT) { // some are air
        assert_in_range(compare.voxels, saved->report.voxels - saved->report.lost_voxels,
                        saved->report.voxels);
    } else {
        assert_int_equal(compare.voxels, saved->report.voxels);
    }
    trn_import_destroy(compare.import);
    trn_block_types_destroy(types);
    return compare.data_count;
}

/// Writes the four regions around the origin, and reads them as a world.
static void compare_regions(World *world, TrnVoxel min, TrnVoxel max)
{
    TrnImportDef def = trn_import_def();
    TrnStorageProblem problem = {""};
    Compare compare = {.world = world, .min = min, .max = max};
    TrnSchematicReport sum = {0};
    TrnBlockTypes *types;
    char path[PLACE_PATH], name[32];
    lost.count = 0;
    for (int i = 0; i < 4; i++) {
        TrnRegionDef region = {.x = i % 2 - 1,
                               .z = i / 2 - 1,
                               .min = min,
                               .max = max,
                               .types = world->types,
                               .source = {.load = world_load, .user = world},
                               .write = write_file};
        TrnSchematicReport report;
        (void)snprintf(name, sizeof name, "r.%d.%d.mca", region.x, region.z);
        FILE *file = fopen(place_path(world->place, name, path), "wb");
        assert_non_null(file);
        lost.file = file;
        region.note = keep_lost;
        region.user = &lost;
        if (trn_region_save(&region, &report, &problem) != TRN_RESULT_OK) {
            fail_msg("%s", problem.sentence);
        }
        assert_int_equal(fclose(file), 0);
        sum.voxels += report.voxels;
        sum.contents += report.contents;
        sum.lost_contents += report.lost_contents;
    }
    assert_int_equal(trn_block_types_create_builtin(NULL, &types), TRN_RESULT_OK);
    def.path = world->place->folder;
    def.types = types;
    if (trn_import_open(&def, &compare.import, &problem) != TRN_RESULT_OK) {
        fail_msg("%s", problem.sentence);
    }
    assert_int_equal(trn_import_format(compare.import), TRN_IMPORT_ANVIL);
    compare.types = types;
    assert_int_equal(trn_import_list(compare.import, compare_chunk, &compare), TRN_RESULT_OK);
    assert_int_equal(compare.voxels, sum.voxels);
    assert_int_equal(compare.data_count, sum.contents);
    trn_import_destroy(compare.import);
    trn_block_types_destroy(types);
}

// ---- tests --------------------------------------------------------------------------------------

/// A house with what turns, hangs and opens, a chest and a sign.
static void build_house(World *world, int64_t x, int64_t y, int64_t z)
{
    static const char *const turned[] = {"terrane:oak_stairs", "terrane:stone_slab",
                                         "terrane:oak_ladder", "terrane:wall_torch",
                                         "terrane:trapdoor",   "terrane:water"};
    TrnBlock block;
    for (int64_t i = 0; i < 81; i++) {
        *world_at(world, x + i % 9, y, z + i / 9) = TRN_BLOCK_STONE;
    }
    for (uint32_t i = 0; i < 6; i++) {
        assert_int_equal(trn_block_types_find(world->types, turned[i], &block), TRN_RESULT_OK);
        for (uint32_t turn = 0; turn < 9; turn++) {
            *world_at(world, x + turn, y + 1, z + i) =
                trn_block_types_variant(world->types, block, turn);
        }
    }
    for (uint32_t turn = 0; turn < 8; turn++) {
        const char *name = turn < 4 ? "terrane:oak_door" : "terrane:oak_door_open";
        assert_int_equal(trn_block_types_find(world->types, name, &block), TRN_RESULT_OK);
        block = trn_block_types_variant(world->types, block, turn % 4);
        *world_at(world, x + turn, y + 1, z + 7) = block;
        *world_at(world, x + turn, y + 2, z + 7) = block;
    }
    assert_int_equal(trn_block_types_find(world->types, "terrane:chest", &block), TRN_RESULT_OK);
    world->chest = (TrnVoxel){x + 4, y + 1, z + 8};
    *world_at(world, x + 4, y + 1, z + 8) = block;
    assert_int_equal(trn_block_types_find(world->types, "terrane:sign", &block), TRN_RESULT_OK);
    *world_at(world, x + 4, y + 2, z + 8) = block;
    world->data[0] = chest_data;
    world->data_size[0] = sizeof chest_data - 1;
    world->data[1] = own_data;
    world->data_size[1] = sizeof own_data - 1;
}

static void a_house_comes_back_from_every_format(void **state)
{
    World *world = *state;
    const TrnVoxel min = {-7, -3, 26}, max = {2, 4, 36};
    build_house(world, min.x, min.y + 1, min.z + 1);
    for (int format = 0; format < TRN_SCHEMATIC_FORMAT_COUNT; format++) {
        const bool keeps = format <= TRN_SCHEMATIC_MCEDIT;
        const Saved saved = save_box(world, (TrnSchematicFormat)format, min, max);
        if (saved.result != TRN_RESULT_OK) {
            fail_msg("%s", saved.problem.sentence);
        }
        assert_int_equal(saved.report.contents, keeps ? 1 : 0);
        assert_int_equal(saved.report.lost_contents, keeps ? 1 : 2);
        if (keeps) {
            assert_int_equal(saved.report.lost_voxels, 0);
        }
        assert_int_equal(compare_saved(world, &saved, (TrnSchematicFormat)format, min, max),
                         keeps ? 1 : 0);
    }
}

static void every_block_comes_back(void **state)
{
    World *world = *state;
    const TrnVoxel min = {-32, -32, -32}, max = {31, 31, 31};
    for (uint32_t i = 0; i < TRN_BLOCK_BUILTIN_COUNT; i++) {
        *world_at(world, (int64_t)(i % 60) - 31, -20 + (int64_t)i / 3600 * 2,
                  (int64_t)(i / 60 % 60) - 31) = (TrnBlock)i;
    }
    for (int format = 0; format < TRN_SCHEMATIC_MAGICAVOXEL; format++) {
        const Saved saved = save_box(world, (TrnSchematicFormat)format, min, max);
        assert_int_equal(saved.result, TRN_RESULT_OK);
        assert_true(saved.report.voxels > TRN_BLOCK_BUILTIN_COUNT - 20);
        if (format <= TRN_SCHEMATIC_LITEMATICA) {
            // aspens, palms, willows; what only caves and sea beds of the land have
            assert_true(saved.report.lost_kinds < 24);
        }
        (void)compare_saved(world, &saved, (TrnSchematicFormat)format, min, max);
    }
}

static void regions_come_back(void **state)
{
    World *world = *state;
    const TrnVoxel min = {-32, -32, -32}, max = {63, 63, 63};
    for (uint32_t i = 0; i < TRN_BLOCK_BUILTIN_COUNT; i++) {
        *world_at(world, (int64_t)(i % 60) - 31, -20 + (int64_t)i / 3600 * 2,
                  (int64_t)(i / 60 % 60) - 31) = (TrnBlock)i;
    }
    build_house(world, -4, 30, -5);
    compare_regions(world, min, max);
    compare_regions(world, (TrnVoxel){-3, -70, -4}, (TrnVoxel){9, 31, 3});
}

/// Colours of models stay, also in a box of several models.
static void colours_come_back(void **state)
{
    World *world = *state;
    TrnBlockType type = trn_block_type_def("magicavoxel:804020", TRN_BLOCK_KIND_OPAQUE);
    TrnBlock block;
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        memcpy(type.colour[face], "\x80\x40\x20", 3);
    }
    assert_int_equal(trn_block_types_add(world->types, &type, &block), TRN_RESULT_OK);
    *world_at(world, -32, -32, -32) = block;
    *world_at(world, 63, 63, 63) = block;
    *world_at(world, 5, 6, 7) = block;
    const TrnVoxel min = {-300, -32, -32}, max = {63, 300, 340};
    const Saved saved = save_box(world, TRN_SCHEMATIC_MAGICAVOXEL, min, max);
    assert_int_equal(saved.result, TRN_RESULT_OK);
    assert_int_equal(saved.report.voxels, 3);
    assert_int_equal(saved.report.lost_voxels, 0);
    (void)compare_saved(world, &saved, TRN_SCHEMATIC_MAGICAVOXEL, min, max);
}

static bool note_lost(void *user, const TrnImportNote *note)
{
    assert_ptr_equal(user, &lost);
    assert_int_equal(note->kind, TRN_IMPORT_NOTE_UNKNOWN);
    assert_string_equal(note->what, "terrane:aspen_log");
    assert_int_equal(note->count, 3);
    return true;
}

static void what_has_no_name_is_counted(void **state)
{
    World *world = *state;
    const TrnVoxel min = {0, 0, 0}, max = {9, 9, 9};
    char path[PLACE_PATH];
    for (int i = 0; i < 3; i++) {
        *world_at(world, i, 1, 1) = TRN_BLOCK_ASPEN_LOG;
        *world_at(world, i, 2, 1) = TRN_BLOCK_STONE;
    }
    FILE *file = fopen(place_path(world->place, "a.schematic", path), "wb");
    TrnSchematicDef def = def_of(world, TRN_SCHEMATIC_MCEDIT, min, max);
    TrnSchematicReport report;
    lost.file = file;
    def.note = note_lost;
    assert_int_equal(trn_schematic_save(&def, &report, NULL), TRN_RESULT_OK);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(report.voxels, 6);
    assert_int_equal(report.lost_voxels, 3);
    assert_int_equal(report.lost_kinds, 1);
}

// ---- what other programs read -------------------------------------------------------------------

enum { PALETTE_MAX = 8 };

/// The blocks of a .schem, as its NBT has them.
typedef struct Blocks {
    TrnBytes bytes;
    TrnNbtText names[PALETTE_MAX]; ///< by number
    uint32_t count, palette_max, voxel_count;
    const unsigned char *voxels; ///< [voxel_count] numbers
} Blocks;

/// Reads the palette into names that differ, with a number each.
static void read_palette(Blocks *blocks, TrnNbt *nbt)
{
    TrnNbtTag tag;
    while (trn_nbt_next(nbt, &tag)) {
        const int64_t number = trn_nbt_integer(nbt, tag.type);
        assert_in_range(number, 0, PALETTE_MAX - 1);
        assert_int_equal(blocks->names[number].size, 0);
        for (int i = 0; i < PALETTE_MAX; i++) {
            assert_false(blocks->names[i].size == tag.name.size &&
                         memcmp(blocks->names[i].bytes, tag.name.bytes, tag.name.size) == 0);
        }
        blocks->names[number] = tag.name;
        blocks->count++;
    }
}

static void read_blocks(const char *path, const TrnAllocator *allocator, Blocks *blocks)
{
    unsigned char packed[4096];
    FILE *file = fopen(path, "rb");
    TrnNbt nbt;
    TrnNbtTag tag;
    bool is_cut;
    assert_non_null(file);
    const size_t size = fread(packed, 1, sizeof packed, file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(trn_region_decompress(TRN_REGION_GZIP, packed, size, 1 << 20, allocator,
                                           &blocks->bytes, &is_cut),
                     TRN_RESULT_OK);
    trn_nbt_begin(&nbt, blocks->bytes.items, blocks->bytes.count);
    while (trn_nbt_next(&nbt, &tag)) {
        if (trn_nbt_is(&tag, "PaletteMax")) {
            blocks->palette_max = (uint32_t)trn_nbt_integer(&nbt, tag.type);
        } else if (trn_nbt_is(&tag, "Palette")) {
            read_palette(blocks, &nbt);
        } else if (trn_nbt_is(&tag, "BlockData")) {
            blocks->voxels = trn_nbt_bytes(&nbt, tag.type, &blocks->voxel_count);
        } else {
            trn_nbt_skip(&nbt, tag.type);
        }
    }
    assert_false(nbt.is_broken);
}

/// Blocks that go out as one share an entry: programs that read the palette into a map of names
/// would lose the first of two.
static void a_name_is_in_a_palette_once(void **state)
{
    World *world = *state;
    static const char *const ours[] = {"terrane:birch_log", "terrane:aspen_log",
                                       "terrane:aspen_leaves", "terrane:birch_leaves"};
    static const char *const theirs[] = {"minecraft:birch_log", "minecraft:birch_log",
                                         "minecraft:birch_leaves", "minecraft:birch_leaves"};
    const TrnAllocator allocator = trn_allocator_default();
    Blocks blocks = {.count = 0};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(trn_block_types_find(world->types, ours[i], world_at(world, i, 0, 0)),
                         TRN_RESULT_OK);
    }
    const Saved saved =
        save_box(world, TRN_SCHEMATIC_SPONGE, (TrnVoxel){0, 0, 0}, (TrnVoxel){3, 0, 0});
    assert_int_equal(saved.result, TRN_RESULT_OK);
    read_blocks(saved.path, &allocator, &blocks);
    assert_int_equal(blocks.count, 3); // with air
    assert_int_equal(blocks.palette_max, 3);
    assert_int_equal(blocks.voxel_count, 4);
    for (int i = 0; i < 4; i++) {
        assert_in_range(blocks.voxels[i], 0, PALETTE_MAX - 1);
        const TrnNbtText name = blocks.names[blocks.voxels[i]];
        assert_int_equal(name.size, strlen(theirs[i]));
        assert_memory_equal(name.bytes, theirs[i], name.size);
    }
    trn_array_free(&blocks.bytes, &allocator);
}

static void what_cannot_be_written_is_refused(void **state)
{
    World *world = *state;
    static const struct {
        TrnVoxel min, max;
        TrnResult result;
        const char *words;
    } cases[] = {
        {{1, 0, 0}, {0, 0, 0}, TRN_RESULT_BAD_ARGUMENT, "is empty"},
        {{0, 0, 0}, {65535, 0, 0}, TRN_RESULT_OUT_OF_RANGE, "65,535"},
        {{0, 0, 0}, {1023, 1023, 1023}, TRN_RESULT_OUT_OF_RANGE, "134,217,728"},
        {{0, 0, 0}, {TRN_VOXEL_MAX + 1, 0, 0}, TRN_RESULT_OUT_OF_RANGE, "out of the world"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const Saved saved = save_box(world, TRN_SCHEMATIC_SPONGE, cases[i].min, cases[i].max);
        assert_int_equal(saved.result, cases[i].result);
        assert_non_null(strstr(saved.problem.sentence, cases[i].words));
    }
    TrnRegionDef region = {.max = {9, 9, 9}, .types = world->types, .write = write_file};
    region.source = (TrnStreamSource){.load = world_load, .user = world};
    static const int32_t last[] = {-4194304, 4194303}; // of voxels with numbers of 32 bits
    for (int i = 0; i < 2; i++) {
        TrnStorageProblem problem;
        region.x = last[i];
        assert_int_equal(trn_region_save(&region, NULL, NULL), TRN_RESULT_OK);
        region.x += i == 0 ? -1 : 1;
        assert_int_equal(trn_region_save(&region, NULL, &problem), TRN_RESULT_OUT_OF_RANGE);
        assert_non_null(strstr(problem.sentence, i == 0 ? "r.-4194305.0.mca" : "r.4194304.0.mca"));
    }
    FILE *full = fopen("/dev/full", "wb");
    if (full) {
        setbuf(full, NULL);
        for (int format = 0; format < TRN_SCHEMATIC_FORMAT_COUNT; format++) {
            TrnSchematicDef def =
                def_of(world, (TrnSchematicFormat)format, (TrnVoxel){0, 0, 0}, (TrnVoxel){9, 9, 9});
            lost.file = full;
            assert_int_equal(trn_schematic_save(&def, NULL, NULL), TRN_RESULT_IO);
        }
        (void)fclose(full);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_house_comes_back_from_every_format, world_make,
                                        world_remove),
        cmocka_unit_test_setup_teardown(every_block_comes_back, world_make, world_remove),
        cmocka_unit_test_setup_teardown(regions_come_back, world_make, world_remove),
        cmocka_unit_test_setup_teardown(colours_come_back, world_make, world_remove),
        cmocka_unit_test_setup_teardown(what_has_no_name_is_counted, world_make, world_remove),
        cmocka_unit_test_setup_teardown(a_name_is_in_a_palette_once, world_make, world_remove),
        cmocka_unit_test_setup_teardown(what_cannot_be_written_is_refused, world_make,
                                        world_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
