/// Worlds of Luanti: what its map says is what is loaded, mirrored; and any bytes are safe.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "block_boxes.h"
#include "luanti_map.h"
#include "place.h"

#include <pthread.h>
#include <sys/stat.h>

#include <terrane/import.h>
#include <terrane/store.h>

// ---- a world -----------------------------------------------------------------------------------

typedef struct World {
    Place place;
    char path[PLACE_PATH];
    LuantiMap map;
    TrnBlockTypes *types;
    TrnImport *import;
    TrnBlock blocks[TRN_CHUNK_VOXELS];
} World;

static void open_def(World *world, TrnImportDef def)
{
    TrnStorageProblem problem = {""};
    assert_int_equal(trn_block_types_create_builtin(NULL, &world->types), TRN_RESULT_OK);
    def.types = world->types;
    if (trn_import_open(&def, &world->import, &problem) != TRN_RESULT_OK) {
        fail_msg("%s", problem.sentence);
    }
    assert_int_equal(trn_import_format(world->import), TRN_IMPORT_LUANTI);
}

static void open_at(World *world, const char *path, TrnVoxel offset)
{
    TrnImportDef def = trn_import_def();
    def.path = path;
    def.offset = offset;
    open_def(world, def);
}

static void open_world(World *world, bool has_columns)
{
    luanti_save(&world->map, world->path, has_columns);
    open_at(world, world->path, (TrnVoxel){0, 0, 0});
}

static void close_world(World *world)
{
    trn_import_destroy(world->import);
    trn_block_types_destroy(world->types);
    world->import = NULL;
}

static int begin(void **state)
{
    World *world = calloc(1, sizeof *world);
    if (!world || !place_begin(&world->place)) {
        return 1;
    }
    (void)place_path(&world->place, "map.sqlite", world->path);
    world->map.version = 29;
    world->map.id_bytes = 2;
    *state = world;
    return 0;
}

static int end(void **state)
{
    World *world = *state;
    const bool is_removed = place_discard(&world->place);
    free(world);
    return is_removed ? 0 : 1;
}

/// Loads a voxel by its place in Terrane.
static const char *name_at(World *world, int64_t x, int64_t y, int64_t z)
{
    const TrnVoxel voxel = {x, y, z};
    bool uniform = false;
    const TrnResult result =
        trn_import_load(world->import, trn_voxel_chunk(voxel), world->blocks, &uniform);
    if (result != TRN_RESULT_OK) {
        return trn_result_text(result);
    }
    const TrnBlock block = world->blocks[uniform ? 0 : trn_voxel_local_index(voxel)];
    return trn_block_types_get(world->types, block)->name;
}

/// The lowest voxel of a map block, in Terrane.
static TrnVoxel block_corner(const LuantiNodes *block)
{
    return (TrnVoxel){(int64_t)block->x * 16, (int64_t)block->y * 16, -16 - (int64_t)block->z * 16};
}

static bool count_chunk(void *user, TrnCoord coord)
{
    (void)coord;
    ++*(uint32_t *)user;
    return true;
}

static uint32_t count_chunks(const World *world)
{
    uint32_t count = 0;
    assert_int_equal(trn_import_list(world->import, count_chunk, &count), TRN_RESULT_OK);
    return count;
}

// ---- what the map says -------------------------------------------------------------------------

/// A hut whose four corners, front, back and roof are all different, across the origin, where
/// Luanti's +z is north: the door is in the north wall.
static void build_hut(LuantiMap *map)
{
    for (int x = -5; x <= 9; x++) {
        for (int z = -3; z <= 6; z++) {
            luanti_set(map, x, -1, z, "default:cobble");
            if (x == -5 || x == 9 || z == -3 || z == 6) {
                luanti_set(map, x, 0, z, z == 6 ? "default:tree" : "default:glass");
            }
        }
    }
    luanti_set(map, 2, 0, 6, "air"); // the door
    luanti_set(map, 9, 1, 6, "default:goldblock");
    luanti_set(map, -5, 2, -3, "default:sand");
}

static void expect_hut(World *world)
{
    // North is -z: the wall of logs, with the door in it, is at -1 - 6.
    assert_string_equal(name_at(world, 1, 0, -7), "terrane:oak_log");
    assert_string_equal(name_at(world, 2, 0, -7), "terrane:air");
    assert_string_equal(name_at(world, 3, 0, -7), "terrane:oak_log");
    assert_string_equal(name_at(world, 2, 0, 2), "terrane:glass"); // the south wall
    assert_string_equal(name_at(world, 2, 0, 3), "terrane:air");   // outside
    assert_string_equal(name_at(world, 2, 0, -8), "terrane:air");
    assert_string_equal(name_at(world, -5, 0, 0), "terrane:glass"); // west
    assert_string_equal(name_at(world, -6, 0, 0), "terrane:air");
    assert_string_equal(name_at(world, 9, 1, -7), "terrane:gold_block"); // in the north-east
    assert_string_equal(name_at(world, -5, 2, 2), "terrane:sand");       // in the south-west
    assert_string_equal(name_at(world, 9, 1, 2), "terrane:air");
    assert_string_equal(name_at(world, 0, -1, 0), "terrane:cobblestone");
}

static void north_stays_north_in_every_version_and_schema(void **state)
{
    World *world = *state;
    build_hut(&world->map);
    for (uint32_t version = 25; version <= 29; version++) {
        for (uint32_t id_bytes = 1; id_bytes <= 2; id_bytes++) {
            world->map.version = version;
            world->map.id_bytes = id_bytes;
            open_world(world, (version + id_bytes) % 2 == 0);
            expect_hut(world);
            close_world(world);
        }
    }
}

/// Nodes at random in blocks around the origin, each compared.
static void every_node_is_where_it_belongs(void **state)
{
    static const char *const names[][2] = {{"air", "terrane:air"},
                                           {"default:stone", "terrane:stone"},
                                           {"default:dirt_with_grass", "terrane:grass"},
                                           {"default:water_flowing", "terrane:water/7"},
                                           {"stairs:stair_outer_wood", "terrane:oak_planks"}};
    World *world = *state;
    TestRandom random = test_random_seeded(3);
    for (int i = 0; i < 4; i++) { // not all of them
        const int at[3] = {-17 + 33 * (i & 1), 40, -40 + 16 * i};
        LuantiNodes *block = luanti_block_at(&world->map, at[0], at[1], at[2], "air");
        for (uint32_t node = 0; node < LUANTI_NODES; node++) {
            const uint64_t name = test_random_next(&random) % 5;
            block->ids[node] = luanti_id(&world->map, names[name][0]);
        }
    }
    open_world(world, true);
    TrnBlock ours[5];
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(trn_block_types_find(world->types, names[i][1], &ours[i]), TRN_RESULT_OK);
    }
    for (uint32_t b = 0; b < world->map.block_count; b++) {
        const LuantiNodes *block = &world->map.blocks[b];
        const TrnVoxel corner = block_corner(block);
        bool uniform = true;
        assert_int_equal(
            trn_import_load(world->import, trn_voxel_chunk(corner), world->blocks, &uniform),
            TRN_RESULT_OK);
        assert_false(uniform);
        for (int node = 0; node < LUANTI_NODES; node++) {
            const TrnVoxel voxel = {corner.x + node % 16, corner.y + node / 16 % 16,
                                    -1 - (block->z * 16 + node / 256)};
            const char *name = world->map.names[block->ids[node] / 3];
            size_t expected = 0;
            while (strcmp(names[expected][0], name) != 0) {
                expected++;
            }
            assert_int_equal(world->blocks[trn_voxel_local_index(voxel)], ours[expected]);
        }
    }
    close_world(world);
}

static void chunks_are_listed_once(void **state)
{
    World *world = *state;
    luanti_set(&world->map, 0, 0, 0, "default:stone");
    luanti_set(&world->map, 16, 16, 16, "default:stone");   // the same chunk
    luanti_set(&world->map, 0, 0, -1, "default:stone");     // south of it
    luanti_set(&world->map, -32768, -32768, -32768, "air"); // the corners of Luanti's worlds
    luanti_set(&world->map, 32767, 32767, 32767, "default:ice");
    for (int i = 0; i < 2; i++) {
        open_world(world, i == 0);
        assert_int_equal(count_chunks(world), 4);
        assert_string_equal(name_at(world, 32767, 32767, -32768), "terrane:ice");
        assert_string_equal(name_at(world, -32768, -32768, 32767), "terrane:air");
        assert_string_equal(name_at(world, 500, 0, 0), trn_result_text(TRN_RESULT_NOT_FOUND));
        assert_string_equal(name_at(world, TRN_VOXEL_MAX, TRN_VOXEL_MIN, 0),
                            trn_result_text(TRN_RESULT_NOT_FOUND));
        close_world(world);
    }
}

static void an_offset_moves_the_world(void **state)
{
    World *world = *state;
    build_hut(&world->map);
    luanti_save(&world->map, world->path, true);
    open_at(world, world->path, (TrnVoxel){16, -48, 1 << 20});
    assert_string_equal(name_at(world, 9 + 16, 1 - 48, -7 + (1 << 20)), "terrane:gold_block");
    assert_string_equal(name_at(world, -5 + 16, 2 - 48, 2 + (1 << 20)), "terrane:sand");
    close_world(world);
    TrnImportDef def = trn_import_def();
    TrnStorageProblem problem;
    assert_int_equal(trn_block_types_create_builtin(NULL, &world->types), TRN_RESULT_OK);
    def.path = world->path;
    def.types = world->types;
    static const int64_t bad[] = {8, INT64_C(1) << 41, -(INT64_C(1) << 41)};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        def.offset.x = bad[i];
        assert_int_equal(trn_import_open(&def, &world->import, &problem), TRN_RESULT_BAD_ARGUMENT);
        assert_non_null(strstr(problem.sentence, "multiple of 16"));
    }
    trn_block_types_destroy(world->types);
}

static void what_was_never_generated_is_absent(void **state)
{
    World *world = *state;
    (void)luanti_block_at(&world->map, 0, 0, 0, "ignore");
    luanti_set(&world->map, 100, 0, 0, "default:tree");
    LuantiNodes *block = luanti_block_at(&world->map, 200, 0, 0, "ignore");
    block->ids[7] = luanti_id(&world->map, "default:tree");
    (void)luanti_block_at(&world->map, 300, 0, 0, "air");
    open_world(world, true);
    assert_string_equal(name_at(world, 1, 1, -2), trn_result_text(TRN_RESULT_NOT_FOUND));
    assert_string_equal(name_at(world, 100, 0, -1), "terrane:oak_log");
    assert_string_equal(name_at(world, 192 + 7, 0, -1), "terrane:oak_log");
    assert_string_equal(name_at(world, 192 + 8, 0, -1), "terrane:air");
    assert_string_equal(name_at(world, 300, 0, -1), "terrane:air");
    close_world(world);
}

// ---- the report --------------------------------------------------------------------------------

typedef struct Report {
    char text[2048];
} Report;

static bool keep_note(void *user, const TrnImportNote *note)
{
    Report *report = user;
    const size_t at = strlen(report->text);
    (void)snprintf(report->text + at, sizeof report->text - at, "%d %llu %s (%s)\n",
                   (int)note->kind, (unsigned long long)note->count, note->what, note->where);
    return true;
}

static void load_all(World *world)
{
    bool uniform;
    for (uint32_t i = 0; i < world->map.block_count; i++) {
        const LuantiNodes *block = &world->map.blocks[i];
        const TrnVoxel corner = block_corner(block);
        assert_int_equal(
            trn_import_load(world->import, trn_voxel_chunk(corner), world->blocks, &uniform),
            TRN_RESULT_OK);
    }
}

static void expect_report(World *world, const char *line)
{
    Report report = {""};
    assert_int_equal(trn_import_report(world->import, keep_note, &report), TRN_RESULT_OK);
    if (!strstr(report.text, line)) {
        fail_msg("no '%s' in:\n%s", line, report.text);
    }
}

static void what_is_ignored_is_reported(void **state)
{
    World *world = *state;
    luanti_set(&world->map, 0, 0, 0, "mesecons:odd");
    luanti_set(&world->map, 5, 5, 5, "mesecons:odd");
    luanti_set(&world->map, 5, 5, 6, "mesecons:gizmo");
    world->map.blocks[0].param2[9] = 3;
    world->map.blocks[0].param2[90] = 255;
    world->map.blocks[0].metadata = 4;
    for (uint32_t version = 27; version <= 29; version++) {
        world->map.version = version;
        open_world(world, false);
        load_all(world);
        expect_report(world, "0 2 mesecons:odd ()\n0 1 mesecons:gizmo ()\n");
        expect_report(world, "1 2 param2 of nodes");
        expect_report(world, "1 4 metadata of nodes");
        assert_string_equal(name_at(world, 5, 5, -6), "mesecons:odd");
        close_world(world);
    }
}

/// What four nodes in a row hold.
typedef struct Held {
    uint32_t version, count;
} Held;

static TrnResult check_held(void *user, const TrnBlockData *data)
{
    Held *held = user;
    static const char with_2[] = "LNM2\0\0\0\1\0\10infotext\0\0\0\5hello\0EndInventory\n";
    static const char with_1[] = "LNM1\0\0\0\1\0\10infotext\0\0\0\5helloEndInventory\n";
    const bool is_new = held->version >= 28;
    assert_int_equal(data->index, trn_local_index(held->count++, 0, TRN_CHUNK_EDGE - 1));
    assert_int_equal(data->size, (is_new ? sizeof with_2 : sizeof with_1) - 1);
    assert_memory_equal(data->bytes, is_new ? with_2 : with_1, data->size);
    return TRN_RESULT_OK;
}

static void what_nodes_hold_becomes_block_data(void **state)
{
    World *world = *state;
    for (int x = 0; x < 3; x++) { // the fourth is air
        luanti_set(&world->map, x, 0, 0, "default:chest");
    }
    world->map.blocks[0].metadata = 4;
    for (uint32_t version = 27; version <= 29; version++) {
        Held held = {version, 0};
        const TrnDataSink sink = {check_held, &held};
        const TrnStreamJob job = {.coord = {0, 0, -1}, .data = &sink};
        bool uniform;
        world->map.version = version;
        open_world(world, false);
        const TrnStreamSource source = trn_import_source(world->import);
        assert_int_equal(source.load(source.user, &job, world->blocks, &uniform), TRN_RESULT_OK);
        assert_int_equal(held.count, 3);
        expect_report(world, "1 1 contents of blocks that are air here");
        close_world(world);
    }
}

/// A node with a param2, and where its block has a box and where none, in sixteenths; Luanti's +z
/// is north, Terrane's south.
typedef struct Turned {
    const char *name;
    uint8_t param2;
    const char *ours;
    uint8_t filled[3], empty[3];
} Turned;

static const Turned turned_nodes[] = {
    {"stairs:stair_wood", 0, "terrane:oak_stairs", {8, 12, 4}, {8, 12, 12}},
    {"stairs:stair_wood", 1, "terrane:oak_stairs", {12, 12, 8}, {4, 12, 8}},
    {"stairs:stair_pine_wood", 2, "terrane:pine_stairs", {8, 12, 12}, {8, 12, 4}},
    {"stairs:stair_stone", 3, "terrane:stone_stairs", {4, 12, 8}, {12, 12, 8}},
    {"stairs:stair_wood", 20, "terrane:oak_stairs", {8, 4, 4}, {8, 4, 12}},
    {"stairs:stair_wood", 21, "terrane:oak_stairs", {4, 4, 8}, {12, 4, 8}},
    {"stairs:stair_wood", 22, "terrane:oak_stairs", {8, 4, 12}, {8, 4, 4}},
    {"stairs:stair_wood", 23, "terrane:oak_stairs", {12, 4, 8}, {4, 4, 8}},
    {"stairs:slab_cobble", 2, "terrane:stone_slab", {8, 4, 8}, {8, 12, 8}},
    {"stairs:slab_cobble", 22, "terrane:stone_slab", {8, 12, 8}, {8, 4, 8}},
    {"default:torch_wall", 2, "terrane:wall_torch", {15, 5, 8}, {1, 5, 8}},
    {"default:torch_wall", 3, "terrane:wall_torch", {1, 5, 8}, {15, 5, 8}},
    {"default:torch_wall", 4, "terrane:wall_torch", {8, 5, 1}, {8, 5, 15}},
    {"default:ladder_wood", 5, "terrane:oak_ladder", {8, 4, 15}, {8, 4, 0}},
    {"default:water_flowing", 7, "terrane:water/1", {0, 0, 0}, {0, 0, 0}},
    {"default:water_flowing", 1, "terrane:water/7", {0, 0, 0}, {0, 0, 0}},
    {"default:lava_flowing", 15, "terrane:lava/8", {0, 0, 0}, {0, 0, 0}},
    {"default:sign_wall_wood", 2, "terrane:wall_sign", {15, 8, 8}, {1, 8, 8}},
    {"default:sign_wall_steel", 4, "terrane:wall_sign", {8, 8, 1}, {8, 8, 15}},
    {"doors:gate_wood_closed", 0, "terrane:fence_gate", {2, 8, 8}, {8, 8, 2}},
    {"doors:gate_junglewood_closed", 1, "terrane:fence_gate", {8, 8, 2}, {2, 8, 8}},
    {"default:fence_wood", 0, "terrane:oak_fence", {8, 8, 8}, {1, 8, 1}},
    {"stairs:slab_wood", 5, "terrane:oak_slab", {8, 4, 8}, {8, 12, 8}}, // on its side: is lost
    {"default:stone", 9, "terrane:stone", {0, 0, 0}, {0, 0, 0}},        // is lost
};
#define TURNED_COUNT ((int)(sizeof turned_nodes / sizeof *turned_nodes))

static void nodes_are_turned_as_param2_says(void **state)
{
    World *world = *state;
    for (int i = 0; i < TURNED_COUNT; i++) {
        // Not connected to each other, and not where all three coordinates are alike.
        luanti_set(&world->map, i % 4 * 3, 1 + i / 4 * 2, 7, turned_nodes[i].name);
        world->map.blocks[0].param2[7 * 256 + (1 + i / 4 * 2) * 16 + i % 4 * 3] =
            turned_nodes[i].param2;
    }
    for (uint32_t id_bytes = 1; id_bytes <= 2; id_bytes++) {
        world->map.id_bytes = id_bytes;
        open_world(world, false);
        load_all(world);
        expect_report(world, "1 2 param2 of nodes");
        for (int i = 0; i < TURNED_COUNT; i++) {
            const Turned *node = &turned_nodes[i];
            const int x = i % 4 * 3, y = 1 + i / 4 * 2;
            const char *name = name_at(world, x, y, -8);
            TrnBlock block;
            if (strncmp(name, node->ours, strlen(node->ours)) != 0) {
                fail_msg("%s %u became %s", node->name, (unsigned)node->param2, name);
            }
            assert_int_equal(trn_block_types_find(world->types, name, &block), TRN_RESULT_OK);
            const TrnBlockModel *model = trn_block_types_get(world->types, block)->model;
            if (model &&
                !(block_has_box(model, node->filled) && !block_has_box(model, node->empty))) {
                fail_msg("%s %u became %s", node->name, (unsigned)node->param2, name);
            }
        }
        close_world(world);
    }
}

/// Writes one more row than the map has, at block 20, 0, 0.
static void add_row(const World *world, const void *bytes, size_t size)
{
    const LuantiNodes block = {.x = 20};
    sqlite3 *db;
    assert_int_equal(sqlite3_open(world->path, &db), SQLITE_OK);
    luanti_insert(db, true, &block, bytes, size);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static void a_damaged_block_is_air_and_the_rest_loads(void **state)
{
    World *world = *state;
    static LuantiWriter bytes;
    static const struct {
        const char *bytes, *says;
        size_t size;
    } cases[] = {
        {"", "the data ends early", 0},
        {"\x18", "older than Luanti 0.4.2", 1},
        {"\x1E", "of a version after 29", 1},
        {"\x1D garbage", "compressed data is damaged", 9},
        {"\x1C\0\0\0\2\2garbage", "compressed data is damaged", 13},
        {"\x1C\0\0\0\3\2", "nodes of an unknown size", 6},
    };
    luanti_set(&world->map, 321, 1, 17, "default:stone"); // of the same chunk
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        luanti_save(&world->map, world->path, true);
        add_row(world, cases[i].bytes, cases[i].size);
        open_at(world, world->path, (TrnVoxel){0, 0, 0});
        assert_string_equal(name_at(world, 321, 1, -18), "terrane:stone");
        assert_string_equal(name_at(world, 321, 1, -1), "terrane:air");
        expect_report(world, cases[i].says);
        expect_report(world, "(map block 20,0,0)");
        close_world(world);
    }
    // A node whose id the block does not name.
    luanti_encode(&bytes, &world->map, &world->map.blocks[0]);
    LuantiNodes nodes = world->map.blocks[0];
    nodes.ids[5] = 999;
    luanti_encode(&bytes, &world->map, &nodes);
    luanti_save(&world->map, world->path, true);
    add_row(world, bytes.bytes, bytes.size);
    open_at(world, world->path, (TrnVoxel){0, 0, 0});
    assert_string_equal(name_at(world, 320 + 5, 0, -1), "terrane:air");
    expect_report(world, "with nodes that have no name");
    close_world(world);
}

// ---- any bytes ---------------------------------------------------------------------------------

/// Imports whatever a file has into nothing. Any result is good that is not a crash.
static TrnResult read_file(const World *world, TrnBlock *blocks)
{
    TrnImportDef def = trn_import_def();
    TrnBlockTypes *types;
    TrnImport *import;
    uint32_t count = 0;
    bool uniform;
    assert_int_equal(trn_block_types_create_builtin(NULL, &types), TRN_RESULT_OK);
    def.path = world->path;
    def.format = TRN_IMPORT_LUANTI;
    def.types = types;
    TrnResult result = trn_import_open(&def, &import, NULL);
    if (result == TRN_RESULT_OK) {
        result = trn_import_list(import, count_chunk, &count);
        for (int i = 0; i < 4 && result == TRN_RESULT_OK; i++) {
            const TrnCoord coord = {i & 1 ? -1 : 0, -1, i & 2 ? -1 : 0};
            result = trn_import_load(import, coord, blocks, &uniform);
            result = result == TRN_RESULT_NOT_FOUND ? TRN_RESULT_OK : result;
        }
        trn_import_destroy(import);
    }
    trn_block_types_destroy(types);
    assert_true(result == TRN_RESULT_OK || result == TRN_RESULT_CORRUPT ||
                result == TRN_RESULT_IO || result == TRN_RESULT_NOT_FOUND ||
                result == TRN_RESULT_BUSY);
    return result;
}

static void write_file(const char *path, const unsigned char *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_true(size == 0 || fwrite(bytes, 1, size, file) == size);
    assert_int_equal(fclose(file), 0);
}

static void every_prefix_and_flip_of_a_database_is_safe(void **state)
{
    World *world = *state;
    static unsigned char bytes[1 << 16];
    build_hut(&world->map);
    luanti_save(&world->map, world->path, false);
    FILE *file = fopen(world->path, "rb");
    assert_non_null(file);
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    assert_int_equal(fclose(file), 0);
    assert_true(size > 512 && size < sizeof bytes);
    assert_int_equal(read_file(world, world->blocks), TRN_RESULT_OK);
    TestRandom random = test_random_seeded(5);
    const size_t step = getenv("TERRANE_TEST_FULL") ? 1 : test_rounds(5, 16);
    uint32_t loaded = 0, tried = 0;
    for (size_t at = 0; at < size; at += step) {
        const unsigned char flip = (unsigned char)(1u << (test_random_next(&random) % 8));
        bytes[at] ^= flip;
        write_file(world->path, bytes, size);
        loaded += read_file(world, world->blocks) == TRN_RESULT_OK;
        bytes[at] ^= flip;
        tried++;
    }
    assert_true(loaded > tried / 2); // of the bytes, most are of blocks, which fail alone
    for (size_t cut = 0; cut < size; cut += step * 7) {
        write_file(world->path, bytes, cut);
        (void)read_file(world, world->blocks);
    }
}

// ---- files -------------------------------------------------------------------------------------

static void expect_problem(const char *path, TrnImportFormat format, TrnResult expected,
                           const char *says)
{
    TrnImportDef def = trn_import_def();
    TrnStorageProblem problem = {""};
    TrnBlockTypes *types;
    TrnImport *import;
    assert_int_equal(trn_block_types_create_builtin(NULL, &types), TRN_RESULT_OK);
    def.path = path;
    def.format = format;
    def.types = types;
    assert_int_equal(trn_import_open(&def, &import, &problem), expected);
    if (!strstr(problem.sentence, says)) {
        fail_msg("%s", problem.sentence);
    }
    trn_block_types_destroy(types);
}

static void a_world_is_a_folder_or_a_file(void **state)
{
    World *world = *state;
    build_hut(&world->map);
    luanti_save(&world->map, world->path, true);
    open_at(world, world->place.folder, (TrnVoxel){0, 0, 0});
    expect_hut(world);
    close_world(world);
    write_file(world->path, (const unsigned char *)"no database", 11);
    expect_problem(world->path, TRN_IMPORT_LUANTI, TRN_RESULT_CORRUPT, "no map of Luanti");
    expect_problem(world->path, TRN_IMPORT_AUTO, TRN_RESULT_NOT_FOUND, "like no format");
    assert_int_equal(remove(world->path), 0);
    expect_problem(world->path, TRN_IMPORT_LUANTI, TRN_RESULT_NOT_FOUND, "cannot be opened");
    char other[PLACE_PATH];
    write_file(place_path(&world->place, "world.mt", other),
               (const unsigned char *)"backend = leveldb\n", 18);
    expect_problem(world->place.folder, TRN_IMPORT_AUTO, TRN_RESULT_NOT_FOUND, "--migrate sqlite3");
    assert_int_equal(remove(other), 0);
}

/// A map that another program gave a log, which Luanti never does: nothing is created beside it.
static void reading_leaves_nothing_beside_a_map(void **state)
{
    World *world = *state;
    char log[PLACE_PATH], odd[PLACE_PATH];
    sqlite3 *db;
    build_hut(&world->map);
    luanti_save(&world->map, world->path, true);
    assert_int_equal(sqlite3_open(world->path, &db), SQLITE_OK);
    luanti_run(db, "PRAGMA journal_mode = WAL");
    luanti_run(db, "CREATE TABLE other (x)");
    expect_problem(world->path, TRN_IMPORT_LUANTI, TRN_RESULT_IO, "was interrupted while it wrote");
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    assert_int_equal(place_count(&world->place), 1);
    // What SQLite would take for a part of the name.
    assert_int_equal(rename(world->path, place_path(&world->place, "a?mode=rw#%41.sqlite", odd)),
                     0);
    open_at(world, odd, (TrnVoxel){0, 0, 0});
    expect_hut(world);
    assert_int_equal(place_count(&world->place), 1);
    close_world(world);
    assert_int_equal(place_count(&world->place), 1);
    assert_int_equal(rename(odd, world->path), 0);
    (void)place_path(&world->place, "map.sqlite-wal", log);
    write_file(log, NULL, 0);
    open_at(world, world->path, (TrnVoxel){0, 0, 0});
    expect_hut(world);
    close_world(world);
    assert_int_equal(place_count(&world->place), 2);
}

/// SQLite would wait for a pipe under one of its names.
static void what_is_no_file_beside_a_map_is_refused_at_once(void **state)
{
    World *world = *state;
    static const char *const names[] = {"map.sqlite-journal", "map.sqlite-wal"};
    build_hut(&world->map);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char side[PLACE_PATH];
        luanti_save(&world->map, world->path, true);
        assert_int_equal(mkfifo(place_path(&world->place, names[i], side), 0600), 0);
        (void)alarm(20);
        expect_problem(world->path, TRN_IMPORT_LUANTI, TRN_RESULT_NOT_FOUND, "-journal and -wal");
        (void)alarm(0);
        assert_int_equal(remove(side), 0);
    }
}

static void only_a_table_of_blocks_is_read(void **state)
{
    World *world = *state;
    static const char endless[] =
        "CREATE VIEW blocks AS WITH RECURSIVE n(pos) AS (SELECT 1 UNION ALL SELECT 1 FROM n) "
        "SELECT pos, x'1D' AS data FROM n";
    const char *const schemas[] = {
        "CREATE TABLE other (x)",
        "CREATE TABLE blocks (a, b)",
        // A view that never ends.
        endless,
    };
    for (size_t i = 0; i < sizeof schemas / sizeof schemas[0]; i++) {
        sqlite3 *db;
        (void)remove(world->path);
        assert_int_equal(sqlite3_open(world->path, &db), SQLITE_OK);
        luanti_run(db, schemas[i]);
        assert_int_equal(sqlite3_close(db), SQLITE_OK);
        expect_problem(world->path, TRN_IMPORT_LUANTI, TRN_RESULT_CORRUPT, "no map of Luanti");
    }
}

static void rows_outside_of_luantis_worlds_are_counted(void **state)
{
    World *world = *state;
    sqlite3 *db = luanti_create(world->path, true);
    luanti_run(db, "INSERT INTO blocks VALUES (2048, 0, 0, x'1D'), (0, -9223372036854775808, 0, "
                   "x'1D'), ('a', 'b', 'c', x'1D')");
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    open_at(world, world->path, (TrnVoxel){0, 0, 0});
    assert_int_equal(count_chunks(world), 1); // a text is 0
    expect_report(world, "2 2 map blocks: at places that no world of Luanti has");
    close_world(world);
    db = luanti_create(world->path, false);
    luanti_run(db, "INSERT INTO blocks VALUES (9223372036854775807, x'1D'), (-34368129025, x'')");
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    open_at(world, world->path, (TrnVoxel){0, 0, 0});
    assert_int_equal(count_chunks(world), 0);
    close_world(world);
}

static void a_failed_allocation_leaves_nothing_behind(void **state)
{
    World *world = *state;
    TestAllocator counting = {0};
    const TrnAllocator allocator = test_allocator(&counting);
    build_hut(&world->map);
    luanti_save(&world->map, world->path, true);
    TrnResult result = TRN_RESULT_NO_MEMORY;
    for (size_t at = 1; result == TRN_RESULT_NO_MEMORY; at++) {
        TrnImportDef def = trn_import_def();
        TrnImport *import;
        uint32_t count = 0;
        assert_int_equal(trn_block_types_create_builtin(NULL, &world->types), TRN_RESULT_OK);
        def.path = world->path;
        def.types = world->types;
        def.allocator = &allocator;
        test_fail(&counting, at, SIZE_MAX);
        result = trn_import_open(&def, &import, NULL);
        if (result == TRN_RESULT_OK) {
            bool uniform;
            const TrnCoord coord = {0, -1, -1};
            result = trn_import_list(import, count_chunk, &count);
            result = result == TRN_RESULT_OK
                         ? trn_import_load(import, coord, world->blocks, &uniform)
                         : result;
            trn_import_destroy(import);
        }
        trn_block_types_destroy(world->types);
        assert_int_equal(counting.live_blocks, 0);
        assert_true(at < 5000);
    }
    assert_int_equal(result, TRN_RESULT_OK);
}

// ---- threads -----------------------------------------------------------------------------------

static void *load_again(void *context)
{
    World *world = context;
    TrnBlock *blocks = malloc(sizeof(TrnBlock[TRN_CHUNK_VOXELS]));
    assert_non_null(blocks);
    for (int i = 0; i < 60; i++) {
        const TrnCoord coord = {i & 1 ? -1 : 0, i & 4 ? 0 : -1, i & 2 ? -1 : 0};
        bool uniform;
        if (trn_import_load(world->import, coord, blocks, &uniform) != TRN_RESULT_OK) {
            blocks[0] = 0;
            free(blocks);
            return world;
        }
    }
    free(blocks);
    return NULL;
}

static void threads_load_at_once(void **state)
{
    enum { THREADS = 4 };
    World *world = *state;
    pthread_t threads[THREADS];
    build_hut(&world->map);
    open_world(world, true);
    for (uint32_t i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, load_again, world), 0);
    }
    for (uint32_t i = 0; i < THREADS; i++) {
        void *failed = world;
        assert_int_equal(pthread_join(threads[i], &failed), 0);
        assert_null(failed);
    }
    close_world(world);
}

/// Where Luanti has nothing, there is air.
static TrnResult generate_air(void *user, const TrnStreamJob *job, TrnBlock *blocks, bool *uniform)
{
    (void)user, (void)job;
    blocks[0] = TRN_BLOCK_AIR;
    *uniform = true;
    return TRN_RESULT_OK;
}

/// Streams everything within three chunks of the origin.
static void stream_all(World *world, TrnStore *store)
{
    TrnStreamDef def = trn_stream_def();
    TrnStreamAnchor player = trn_stream_anchor();
    TrnStreamAnchorId id;
    TrnStreamReport report = {0};
    TrnStream *stream;
    def.store = store;
    def.hooks.generate = generate_air;
    def.source = trn_import_source(world->import);
    assert_int_equal(trn_stream_create(&def, &stream), TRN_RESULT_OK);
    player.radius_chunks = player.height_chunks = 3;
    assert_int_equal(trn_stream_anchor_add(stream, &player, &id), TRN_RESULT_OK);
    while (!report.is_idle) {
        assert_int_equal(trn_stream_update(stream, NULL, &report), TRN_RESULT_OK);
        trn_stream_wait(stream);
    }
    trn_stream_destroy(stream);
}

static void a_world_can_be_streamed(void **state)
{
    World *world = *state;
    TrnImportDef def = trn_import_def();
    TrnStoreDef store_def = trn_store_def();
    TrnStore *store;
    TrnBlock block;
    uint32_t before, after;
    build_hut(&world->map);
    luanti_set(&world->map, 40, 3, 40, "mesecons:odd");
    luanti_save(&world->map, world->path, true);
    def.path = world->path;
    def.are_types_fixed = true;
    open_def(world, def);
    (void)trn_block_types_all(world->types, &before);
    store_def.types = world->types;
    assert_int_equal(trn_store_create(&store_def, &store), TRN_RESULT_OK);
    stream_all(world, store);
    assert_int_equal(trn_store_get_block(store, (TrnVoxel){9, 1, -7}, &block), TRN_RESULT_OK);
    assert_string_equal(trn_block_types_get(world->types, block)->name, "terrane:gold_block");
    assert_int_equal(trn_store_get_block(store, (TrnVoxel){9, 1, 2}, &block), TRN_RESULT_OK);
    assert_int_equal(block, TRN_BLOCK_AIR);
    assert_int_equal(trn_store_get_block(store, (TrnVoxel){40, 3, -41}, &block), TRN_RESULT_OK);
    assert_true(trn_block_types_get(world->types, block)->is_unknown);
    (void)trn_block_types_all(world->types, &after);
    assert_int_equal(before, after);
    trn_store_destroy(store);
    close_world(world);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(north_stays_north_in_every_version_and_schema),
                                       TEST(every_node_is_where_it_belongs),
                                       TEST(chunks_are_listed_once),
                                       TEST(an_offset_moves_the_world),
                                       TEST(what_was_never_generated_is_absent),
                                       TEST(what_nodes_hold_becomes_block_data),
                                       TEST(what_is_ignored_is_reported),
                                       TEST(nodes_are_turned_as_param2_says),
                                       TEST(a_damaged_block_is_air_and_the_rest_loads),
                                       TEST(every_prefix_and_flip_of_a_database_is_safe),
                                       TEST(a_world_is_a_folder_or_a_file),
                                       TEST(reading_leaves_nothing_beside_a_map),
                                       TEST(what_is_no_file_beside_a_map_is_refused_at_once),
                                       TEST(only_a_table_of_blocks_is_read),
                                       TEST(rows_outside_of_luantis_worlds_are_counted),
                                       TEST(a_failed_allocation_leaves_nothing_behind),
                                       TEST(threads_load_at_once),
                                       TEST(a_world_can_be_streamed)};
    return cmocka_run_group_tests_name("luanti", tests, NULL, NULL);
}
