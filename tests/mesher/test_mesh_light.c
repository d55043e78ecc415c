// The light of meshes: what merges, what each corner receives, and how much memory it takes. Random
// light over random worlds is in test_worlds.c.

#include "mesh_stage.h"

#include <terrane/store.h>
#include <terrane/terrain.h>

// ---- worlds ------------------------------------------------------------------------------------

enum { GROUND = 7 };

static TrnBlock flat_ground(const void *argument, int x, int y, int z)
{
    (void)argument, (void)x, (void)z;
    return y <= GROUND ? STONE : AIR;
}

/// A room with a pool, ferns and a pane of glass.
static TrnBlock room(const void *argument, int x, int y, int z)
{
    (void)argument;
    if (y <= 4) {
        return y == 4 && x > 8 && x < 20 && z > 10 && z < 20 ? WATER : STONE;
    }
    const bool is_wall = x == 2 || x == 29 || z == 2 || z == 29 || y >= 12;
    return is_wall && !(x == 2 && y > 6 && y < 10) ? STONE
           : x == 24                               ? GLASS
           : y == 5 && (x * 7 + z * 3) % 11 == 0   ? FERN
                                                   : AIR;
}

static uint32_t rising_levels(const void *argument, int x, int y, int z)
{
    (void)argument, (void)y, (void)z;
    return (uint32_t)(x < 0 ? 0 : x < 15 ? x : 15);
}

static const StageLamps room_lamps = {.at = {{6, 8, 6}, {26, 6, 20}, {2, 8, 15}, {15, 11, 15}},
                                      .level = {14, 13, 15, 9}};

static Stage *stage_of_room(void)
{
    Stage *stage = stage_of_test_types();
    stage_build(stage, room, NULL, STONE);
    return stage;
}

static uint32_t light_of(const Stage *stage, TrnQuad quad)
{
    if (stage->info.light != TRN_MESH_LIGHT_VARIES) {
        return stage->info.light;
    }
    uint32_t i = 0;
    while (stage->quads[i] != quad) {
        i++;
    }
    return stage->light[i];
}

// ---- even light --------------------------------------------------------------------------------

static void even_light_changes_no_quad_and_has_no_stream(void **state)
{
    (void)state;
    Stage *stage = stage_of_room();
    stage_check(stage);
    const TrnMeshInfo info = stage->info;
    const uint32_t count = trn_mesh_count(&info);
    TrnQuad *quads = malloc(count * sizeof *quads);
    assert_non_null(quads);
    memcpy(quads, stage->quads, count * sizeof *quads);
    assert_int_equal(info.light, TRN_MESH_LIGHT(15, 0));
    for (int i = 0; i < 4; i++) {
        stage->input.sky = stage->input.blocks = NULL;
        if (i & 1) {
            stage_light_evenly(stage, 0, 7);
        }
        if (i & 2) {
            stage_light_evenly(stage, 1, 3);
        }
        stage_check(stage);
        assert_true(mesh_info_equal(&stage->info, &info));
        assert_memory_equal(stage->quads, quads, count * sizeof *quads);
        assert_int_equal(stage->info.light, TRN_MESH_LIGHT(i & 1 ? 7 : 15, i & 2 ? 3 : 0));
        stage->light[0] = 0x5A5A5A5A;
        assert_int_equal(trn_mesh_quads(&stage->input, stage->scratch, stage->quads, stage->light,
                                        count, &stage->info),
                         TRN_RESULT_OK);
        assert_int_equal(stage->light[0], 0x5A5A5A5A);
    }
    free(quads);
    stage_destroy(stage);
}

static uint32_t levels_by_depth(const void *argument, int x, int y, int z)
{
    (void)argument, (void)x, (void)z;
    return y > GROUND ? 15 : 0;
}

/// Opaque voxels do not count, so the light above flat ground is even though the levels vary.
static void light_inside_the_ground_does_not_matter(void **state)
{
    (void)state;
    Stage *stage = stage_of_test_types();
    stage_build(stage, flat_ground, NULL, STONE);
    stage_light(stage, 0, levels_by_depth, NULL);
    stage_check(stage);
    assert_int_equal(stage_opaque(stage), 1);
    assert_int_equal(stage->info.light, TRN_MESH_LIGHT(15, 0));
    stage_fill_all(stage, AIR, AIR);
    stage_check(stage);
    assert_int_equal(stage->info.light, 0);
    stage_destroy(stage);
}

// ---- merging -----------------------------------------------------------------------------------

/// Ground lit by levels that rise by 1 a voxel up to 15: one quad to there, and one from there on.
static void faces_merge_where_light_is_linear(void **state)
{
    (void)state;
    Stage *stage = stage_of_test_types();
    stage_build(stage, flat_ground, NULL, STONE);
    stage_light(stage, 0, rising_levels, NULL);
    stage_check(stage);
    assert_int_equal(stage_opaque(stage), 2);
    const TrnQuad rising = stage_quad(stage, TRN_FACE_POS_Y, 3, GROUND, 3);
    assert_int_equal(trn_quad_width(rising), 15);
    assert_int_equal(trn_quad_height(rising), EDGE);
    const uint32_t light = light_of(stage, rising);
    for (uint32_t corner = 0; corner < 4; corner++) {
        assert_int_equal(trn_mesh_light_sky(light, corner), corner & 1 ? 15 : 0);
        assert_int_equal(trn_mesh_light_blocks(light, corner), 0);
    }
    assert_int_equal(light_of(stage, stage_quad(stage, TRN_FACE_POS_Y, 20, GROUND, 3)),
                     TRN_MESH_LIGHT(15, 0));
    stage_light(stage, 1, rising_levels, NULL); // both channels alike need no further quads
    stage_check(stage);
    assert_int_equal(stage_opaque(stage), 2);
    stage_destroy(stage);
}

static uint32_t noisy_levels(const void *argument, int x, int y, int z)
{
    (void)argument;
    return (uint32_t)(x * 5 + y * 3 + z * 11 + 600) % 16;
}

static void no_face_merges_in_noise(void **state)
{
    (void)state;
    Stage *stage = stage_of_test_types();
    stage_build(stage, flat_ground, NULL, STONE);
    stage_light(stage, 1, noisy_levels, NULL);
    assert_true(stage_check(stage) < 2 * trn_mesh_count(&stage->info));
    stage_destroy(stage);
}

// ---- corners -----------------------------------------------------------------------------------

static uint32_t lit_where_x_is_low(const void *argument, int x, int y, int z)
{
    (void)argument, (void)y, (void)z;
    return x < 10 ? 14 : 0;
}

/// Two walls that meet only at an edge: the dark side stays dark at their corner.
static void light_does_not_leak_past_the_edge_of_two_walls(void **state)
{
    (void)state;
    Stage *stage = stage_of_test_types();
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    memset(blocks, 0, sizeof blocks);
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        const uint32_t x = i % EDGE, y = i / (EDGE * EDGE), z = i / EDGE % EDGE;
        const bool is_wall = (x == 9 && z >= 10) || (x == 10 && z < 10);
        blocks[i] = y == 0 || (y < 5 && is_wall) ? STONE : AIR;
    }
    stage_fill_all(stage, AIR, AIR);
    stage_encode(stage, CENTRE, blocks);
    stage_light(stage, 1, lit_where_x_is_low, NULL);
    stage_check(stage);
    // The floor's voxels on either side of the edge, across each other.
    const uint32_t lit = light_of(stage, stage_quad(stage, TRN_FACE_POS_Y, 9, 0, 9));
    const uint32_t dark = light_of(stage, stage_quad(stage, TRN_FACE_POS_Y, 10, 0, 10));
    assert_int_equal(trn_mesh_light_blocks(lit, 3), 14);
    assert_int_equal(trn_mesh_light_blocks(dark, 0), 0);
    stage_destroy(stage);
}

static void leaves_water_and_glass_are_lit(void **state)
{
    (void)state;
    Stage *stage = stage_of_room();
    stage_light(stage, 0, rising_levels, NULL);
    stage_light(stage, 1, stage_lamp_level, &room_lamps);
    stage_check(stage); // compares all corners with the reference
    assert_true(stage_plants(stage) > 100 && stage_clear(stage) > 100);
    assert_int_equal(stage->info.light, TRN_MESH_LIGHT_VARIES);
    stage->input.without_ao = true;
    stage_check(stage);
    stage->input.missing_is_solid = true;
    for (int place = 0; place < AROUND; place++) {
        if (place != CENTRE) {
            stage_miss(stage, place);
            stage_check(stage);
        }
    }
    stage_destroy(stage);
}

// ---- limits ------------------------------------------------------------------------------------

static void what_is_no_level_is_refused(void **state)
{
    (void)state;
    Stage *stage = stage_of_room();
    stage_light(stage, 0, rising_levels, NULL);
    TrnMeshInfo info = {.light = 77};
    uint32_t light[4];
    TrnQuad quads[4];
    for (uint32_t constant = 16; constant < TRN_LIGHT_VARIES; constant++) {
        stage->light_of[0].constant = (uint8_t)constant;
        assert_int_equal(trn_mesh_quads(&stage->input, stage->scratch, quads, light, 4, &info),
                         TRN_RESULT_BAD_ARGUMENT);
    }
    stage->light_of[0].constant = TRN_LIGHT_VARIES;
    assert_int_equal(trn_mesh_quads(&stage->input, stage->scratch, quads, NULL, 4, &info),
                     TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(info.light, 77);
    assert_int_equal(trn_mesh_quads(&stage->input, stage->scratch, NULL, NULL, 0, &info),
                     TRN_RESULT_FULL);
    stage_destroy(stage);
}

static void light_takes_memory_only_where_it_is_asked_for(void **state)
{
    (void)state;
    Stage *stage = stage_of_room();
    bool has_failed = true;
    for (size_t fail_at = 1; has_failed; fail_at++) {
        TestAllocator memory = {.fail_at = fail_at};
        const TrnAllocator allocator = test_allocator(&memory);
        TrnMesh mesh;
        trn_mesh_init(&mesh, &allocator);
        has_failed = false;
        for (int i = 0; i < 4; i++) { // without light, with it, and again
            stage->input.sky = NULL;
            if (i % 2) {
                stage_light(stage, 0, rising_levels, NULL);
            }
            stage_check(stage);
            TrnResult result = trn_mesh_build(&mesh, &stage->input, stage->scratch);
            if (result != TRN_RESULT_OK) {
                has_failed = true;
                assert_int_equal(result, TRN_RESULT_NO_MEMORY);
                assert_int_equal(trn_mesh_count(&mesh.info), 0);
                assert_true(!mesh.light && memory.live_blocks == 0);
                result = trn_mesh_build(&mesh, &stage->input, stage->scratch);
            }
            assert_int_equal(result, TRN_RESULT_OK);
            assert_true(mesh_info_equal(&mesh.info, &stage->info));
            assert_int_equal(mesh.info.light, stage->info.light);
            assert_int_equal(!mesh.light, i == 0);
            assert_int_equal(memory.live_bytes,
                             mesh.capacity * (sizeof(TrnQuad) + (i ? sizeof(uint32_t) : 0)));
            assert_int_equal(memory.live_bytes, trn_mesh_bytes(&mesh));
            assert_true(i % 2 == 0 || memcmp(mesh.light, stage->light,
                                             trn_mesh_count(&mesh.info) * sizeof *mesh.light) == 0);
        }
        trn_mesh_free(&mesh);
        assert_int_equal(memory.live_blocks, 0);
    }
    stage_destroy(stage);
}

// ---- generated land ----------------------------------------------------------------------------

enum { LAND_WIDTH = 5, LAND_HEIGHT = 8, LAND_LOWEST = -3 };

/// The built-in terrain, and what is open to the sky above each chunk.
typedef struct Land {
    TrnStore *store;
    uint32_t above[LAND_WIDTH][LAND_HEIGHT][LAND_WIDTH][TRN_CHUNK_EDGE];
} Land;

static TrnCoord land_coord(int x, int y, int z)
{
    const TrnCoord coord = {x + 40, y + LAND_LOWEST, z - 7};
    return coord;
}

/// Generates from the top down, as open sky falls.
static void land_generate(Land *land)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    uint32_t open[LAND_WIDTH][LAND_WIDTH][TRN_CHUNK_EDGE], passes[TRN_CHUNK_EDGE];
    TrnTerrain *terrain;
    memset(open, 0xFF, sizeof open);
    assert_int_equal(trn_terrain_create(NULL, &terrain), TRN_RESULT_OK);
    assert_int_equal(trn_store_create(NULL, &land->store), TRN_RESULT_OK);
    for (int i = LAND_HEIGHT * LAND_WIDTH * LAND_WIDTH - 1; i >= 0; i--) {
        const int x = i % LAND_WIDTH, z = i / LAND_WIDTH % LAND_WIDTH;
        const int y = i / LAND_WIDTH / LAND_WIDTH;
        const TrnCoord coord = land_coord(x, y, z);
        bool is_uniform = false;
        assert_int_equal(trn_terrain_generate(terrain, coord, blocks, &is_uniform), TRN_RESULT_OK);
        for (int j = 1; is_uniform && j < TRN_CHUNK_VOXELS; j++) {
            blocks[j] = blocks[0];
        }
        TrnSnapshot snapshot;
        assert_int_equal(trn_store_insert_voxels(land->store, coord, blocks, NULL), TRN_RESULT_OK);
        assert_int_equal(trn_store_snapshot(land->store, coord, &snapshot), TRN_RESULT_OK);
        trn_light_open_columns(snapshot, trn_store_block_types(land->store), passes);
        memcpy(land->above[x][y][z], open[x][z], sizeof open[x][z]);
        for (int row = 0; row < TRN_CHUNK_EDGE; row++) {
            open[x][z][row] &= passes[row];
        }
    }
    trn_terrain_destroy(terrain);
}

static void land_light(const Land *land, TrnLightSolver *solver, Stage *stage, int x, int y, int z)
{
    const uint32_t *open[9];
    for (int i = 0; i < 9; i++) { // the upper chunks are one above
        open[i] = land->above[x + i % 3 - 1][y + 1][z + i / 3 - 1];
    }
    trn_light_read(solver, stage->input.around, trn_store_block_types(land->store));
    trn_light_sky(solver, open, &stage->light_of[0]);
    stage->input.sky = &stage->light_of[0];
}

/// Under open sky at most a twentieth more quads than without light; where light varies at most
/// 1.6 times as many.
static void lit_land_needs_few_more_quads(void **state)
{
    (void)state;
    static Land land;
    land_generate(&land);
    TrnLightSolver *solver;
    assert_int_equal(trn_light_solver_create(NULL, &solver), TRN_RESULT_OK);
    uint32_t type_count;
    const TrnBlockType *types = trn_block_types_all(trn_store_block_types(land.store), &type_count);
    Stage *stage = stage_create(types, type_count, 1);
    uint32_t plain[2] = {0}, lit[2] = {0}; // by whether light varies
    for (int i = 0; i < 3 * 3 * (LAND_HEIGHT - 2); i++) {
        const int x = 1 + i % 3, z = 1 + i / 3 % 3, y = 1 + i / 9;
        stage->input.sky = NULL;
        stage->input.present =
            trn_store_snapshot_around(land.store, land_coord(x, y, z), stage->input.around);
        stage_mesh(stage);
        const uint32_t count = trn_mesh_count(&stage->info);
        land_light(&land, solver, stage, x, y, z);
        stage_check(stage);
        const bool varies = stage->info.light == TRN_MESH_LIGHT_VARIES;
        plain[varies] += count;
        lit[varies] += trn_mesh_count(&stage->info);
    }
    print_message("  even: %u quads, %u with light; varying: %u, %u\n", plain[0], lit[0], plain[1],
                  lit[1]);
    assert_true(plain[0] > 1000 && plain[1] > 1000);
    assert_int_equal(lit[0], plain[0]);
    assert_true(lit[1] * 5 <= plain[1] * 8);
    assert_true((lit[0] + lit[1]) * 20 <= (plain[0] + plain[1]) * 21);
    stage_destroy(stage);
    trn_light_solver_destroy(solver);
    trn_store_destroy(land.store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(even_light_changes_no_quad_and_has_no_stream),
        cmocka_unit_test(light_inside_the_ground_does_not_matter),
        cmocka_unit_test(faces_merge_where_light_is_linear),
        cmocka_unit_test(no_face_merges_in_noise),
        cmocka_unit_test(light_does_not_leak_past_the_edge_of_two_walls),
        cmocka_unit_test(leaves_water_and_glass_are_lit),
        cmocka_unit_test(what_is_no_level_is_refused),
        cmocka_unit_test(light_takes_memory_only_where_it_is_asked_for),
        cmocka_unit_test(lit_land_needs_few_more_quads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
