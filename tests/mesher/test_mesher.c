// Meshes of chunks whose faces can be counted by hand. test_worlds.c has random worlds.

#include "mesh_blocks.h"
#include "mesh_kernels.h"

#include <terrane/store.h>

// ---- quads -------------------------------------------------------------------------------------

/// A field of a quad, at the bits that the header documents.
typedef struct QuadField {
    int shift, bits;
    uint32_t offset; ///< what the accessor adds
} QuadField;

static uint32_t read_field(int field, TrnQuad quad)
{
    const uint32_t values[] = {
        trn_quad_x(quad),     trn_quad_y(quad),      trn_quad_z(quad),
        trn_quad_width(quad), trn_quad_height(quad), trn_quad_face(quad),
        trn_quad_ao(quad),    trn_quad_block(quad),  trn_quad_user_byte(quad)};
    return values[field];
}

static void every_field_of_a_quad_reads_back_and_touches_no_other(void **state)
{
    (void)state;
    static const QuadField fields[] = {{0, 5, 0},  {5, 5, 0},  {10, 5, 0},  {15, 5, 1}, {20, 5, 1},
                                       {25, 3, 0}, {28, 8, 0}, {36, 16, 0}, {52, 8, 0}};
    for (int field = 0; field < 9; field++) {
        const uint64_t largest = ((uint64_t)1 << fields[field].bits) - 1;
        for (uint64_t value = 0; value <= largest; value++) {
            const TrnQuad alone = value << fields[field].shift;
            const TrnQuad among_ones = ~(largest << fields[field].shift) | alone;
            const uint32_t expected = (uint32_t)value + fields[field].offset;
            assert_int_equal(read_field(field, alone), expected);
            assert_int_equal(read_field(field, among_ones), expected);
        }
    }
    assert_int_equal(sizeof(TrnQuad), 8);
}

static void faces_span_the_two_axes_across_them(void **state)
{
    (void)state;
    Stage *stage = stage_of_test_types();
    const int low[3] = {2, 4, 6}, size[3] = {3, 5, 7};
    TrnBlock *blocks = blocks_of(AIR);
    for (int i = 0; i < size[0] * size[1] * size[2]; i++) {
        put(blocks, low[0] + i % size[0], low[1] + i / size[0] % size[1],
            low[2] + i / size[0] / size[1], DIRT);
    }
    assert_int_equal(check_centre(stage, blocks), 2 * (3 * 5 + 5 * 7 + 7 * 3));
    assert_int_equal(trn_mesh_count(&stage->info), 6);
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        const TrnQuad quad = stage->quads[face];
        int width_axis, height_axis;
        trn_quad_axes((TrnFace)face, &width_axis, &height_axis);
        assert_int_equal(width_axis, mesh_axes_of(face).width);
        assert_int_equal(height_axis, mesh_axes_of(face).height);
        assert_int_equal(trn_quad_face(quad), face);
        assert_int_equal(trn_quad_width(quad), size[width_axis]);
        assert_int_equal(trn_quad_height(quad), size[height_axis]);
        assert_int_equal(trn_quad_x(quad), face == TRN_FACE_POS_X ? 4 : 2);
        assert_int_equal(trn_quad_y(quad), face == TRN_FACE_POS_Y ? 8 : 4);
        assert_int_equal(trn_quad_z(quad), face == TRN_FACE_POS_Z ? 12 : 6);
        assert_int_equal(trn_quad_block(quad), DIRT);
        assert_int_equal(trn_quad_ao(quad), 255);
    }
    stage_destroy(stage);
}

static void a_quad_is_split_along_its_brighter_diagonal(void **state)
{
    (void)state;
    for (uint32_t ao = 0; ao < 256; ao++) {
        const uint32_t rising = ao % 4 + ao / 64, falling = ao / 4 % 4 + ao / 16 % 4;
        const TrnQuad quad = (TrnQuad)ao << 28;
        assert_int_equal(trn_quad_is_flipped(quad), falling > rising);
        assert_int_equal(trn_quad_is_flipped(~((TrnQuad)255 << 28) | quad), falling > rising);
        assert_int_equal(trn_quad_drop(quad), ao == 255 ? 0 : ao % 16);
        assert_int_equal(trn_quad_start(quad), ao == 255 ? 0 : ao / 16);
    }
}

static void the_neighbour_behind_a_face_is_where_a_store_puts_it(void **state)
{
    (void)state;
    TrnStore *store;
    TrnSnapshot around[TRN_AROUND_COUNT];
    assert_int_equal(trn_store_create(NULL, &store), TRN_RESULT_OK);
    const TrnCoord centre = {INT32_MIN, INT32_MAX, 0};
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        const TrnCoord there = trn_coord_neighbour(centre, (TrnFace)face);
        TrnChunk *chunk;
        assert_int_equal(trn_store_insert_uniform(store, there, TRN_BLOCK_AIR, &chunk),
                         TRN_RESULT_OK);
        assert_int_equal(trn_store_snapshot_around(store, centre, around),
                         1u << trn_mesh_behind((TrnFace)face));
        assert_int_equal(trn_store_remove(store, there), TRN_RESULT_OK);
    }
    trn_store_destroy(store);
}

// ---- checks ------------------------------------------------------------------------------------

static const char *judge(Stage *stage)
{
    return mesh_reference_problem(stage->reference, stage->quads, &stage->info);
}

static void take_out(Stage *stage, uint32_t quad)
{
    for (uint32_t i = quad; i + 1 < trn_mesh_count(&stage->info); i++) {
        stage->quads[i] = stage->quads[i + 1];
    }
    for (uint32_t group = 0; group <= TRN_MESH_GROUP_COUNT; group++) {
        stage->info.first[group] -= stage->info.first[group] > quad;
    }
}

/// Introduces one fault.
/// @return false past the last fault
static bool introduce_fault(Stage *stage, uint32_t fault, uint32_t quad)
{
    static const int shifts[] = {0, 5, 10, 15, 20, 25, 28, 30, 32, 34, 36, 51, 52, 63};
    const uint32_t shift_count = sizeof shifts / sizeof shifts[0];
    if (fault < shift_count) {
        stage->quads[quad] ^= (TrnQuad)1 << shifts[fault];
        return true;
    }
    switch (fault - shift_count) {
    case 0:
        take_out(stage, quad);
        return true;
    case 1:
        stage->quads[quad] = stage->quads[quad ? quad - 1 : 1];
        return true;
    case 2:
        stage->info.min[quad % 3]++;
        return true;
    case 3:
        stage->info.max[quad % 3]++;
        return true;
    case 4: // one more, of the last group
        stage->info.first[TRN_MESH_GROUP_COUNT]++;
        stage->quads[trn_mesh_count(&stage->info) - 1] = stage->quads[quad];
        return true;
    default:
        return false;
    }
}

static void the_reference_accepts_a_plain_mesher_and_finds_every_fault(void **state)
{
    (void)state;
    Stage *stage = stage_of_test_types();
    stage_build(stage, garden, NULL, STONE);
    mesh_reference_read(stage->reference, &stage->input);
    TrnMeshInfo info;
    mesh_reference_greedy(stage->reference, stage->quads, &info);
    const uint32_t count = trn_mesh_count(&info);
    TrnQuad *quads = malloc(count * sizeof *quads);
    assert_non_null(quads);
    memcpy(quads, stage->quads, count * sizeof *quads);
    stage->info = info;
    assert_null(judge(stage));
    for (uint32_t group = 0; group < TRN_MESH_GROUP_COUNT; group++) {
        if (info.first[group] == info.first[group + 1]) {
            fail_msg("group %u is empty", group);
        }
        const uint32_t middle = (info.first[group] + info.first[group + 1]) / 2;
        for (uint32_t fault = 0; introduce_fault(stage, fault, middle); fault++) {
            if (!judge(stage)) {
                fail_msg("fault %u of quad %u is not found", fault, middle);
            }
            memcpy(stage->quads, quads, count * sizeof *quads);
            stage->info = info;
        }
        // A group that starts one quad early.
        stage->info.first[group] -= group > 0;
        assert_true(group == 0 || judge(stage) != NULL);
        stage->info = info;
    }
    free(quads);
    stage_destroy(stage);
}

/// Far quads last, and two faces merged although their ambient occlusion is not constant.
static void the_reference_finds_wrong_order_and_wrong_merging(void **state)
{
    (void)state;
    Stage *stage = stage_of_test_types();
    TrnBlock *blocks = blocks_of(AIR);
    put(blocks, 5, 5, 5, GLASS);
    put(blocks, 5, 20, 5, GLASS);
    assert_int_equal(check_centre(stage, blocks), 12);
    const uint32_t tops = stage->info.first[TRN_MESH_TRANSPARENT + TRN_FACE_POS_Y];
    const TrnQuad first = stage->quads[tops];
    assert_int_equal(trn_quad_y(first), 5);
    stage->quads[tops] = stage->quads[tops + 1];
    stage->quads[tops + 1] = first;
    assert_non_null(judge(stage));

    blocks = layered(5, STONE, AIR);
    put(blocks, 9, 5, 9, DIRT); // darkens the row in front of it on one side
    stage_miss_all(stage);
    stage->input.missing_is_solid = true;
    check_centre(stage, blocks);
    blocks = layered(5, STONE, AIR);
    for (int x = 0; x < EDGE; x++) {
        put(blocks, x, 5, 9, DIRT);
    }
    check_centre(stage, blocks);
    const TrnQuad row = stage_quad(stage, TRN_FACE_POS_Y, 9, 4, 10);
    assert_int_equal(trn_quad_ao(row), 1 | 1 << 2 | 3 << 4 | 3 << 6);
    assert_int_equal(trn_quad_height(row), 1);
    for (uint32_t i = 0; i < trn_mesh_count(&stage->info); i++) {
        stage->quads[i] |= stage->quads[i] == row ? (TrnQuad)1 << 20 : 0;
    }
    assert_non_null(judge(stage));
    stage_destroy(stage);
}

// ---- merging -----------------------------------------------------------------------------------

static void a_solid_chunk_in_air_is_six_quads(void **state)
{
    (void)state;
    Stage *stage = stage_of_test_types();
    stage_fill(stage, CENTRE, STONE);
    assert_int_equal(stage_check(stage), 6 * EDGE * EDGE);
    assert_int_equal(stage_opaque(stage), 6);
    assert_int_equal(trn_mesh_count(&stage->info), 6);
    TrnBlock *blocks = blocks_of(STONE);
    put(blocks, 16, 16, 16, DIRT); // fills the chunk voxel by voxel
    assert_int_equal(check_centre(stage, blocks), 6 * EDGE * EDGE);
    assert_int_equal(stage_opaque(stage), 6);
    stage_destroy(stage);
}

static void the_top_of_a_slab_is_one_quad(void **state)
{
    (void)state;
    Stage *stage = stage_of_test_types();
    stage_miss_all(stage);
    stage->input.missing_is_solid = true;
    stage->input.without_ao = true;
    assert_int_equal(check_centre(stage, layered(7, STONE, AIR)), EDGE * EDGE);
    assert_int_equal(stage_opaque(stage), 1);
    const TrnQuad top = stage->quads[0];
    assert_int_equal(trn_quad_face(top), TRN_FACE_POS_Y);
    assert_int_equal(trn_quad_y(top), 6);
    assert_int_equal(trn_quad_width(top), EDGE);
    assert_int_equal(trn_quad_height(top), EDGE);
    assert_int_equal(stage->info.min[1], 6);
    assert_int_equal(stage->info.max[1], 6);
    stage->input.without_ao = false; // solid walls around it darken its rim
    stage_check(stage);
    assert_int_equal(stage_opaque(stage), 9);
    stage->input.missing_is_solid = false;
    stage_check(stage);
    assert_int_equal(stage_opaque(stage), 6);
    stage_destroy(stage);
}

static void two_adjacent_materials_split_four_faces_of_six(void **state)
{
    (void)state;
    static const uint32_t steps[3] = {1, EDGE * EDGE, EDGE}; // of the linear index, along x, y, z
    Stage *stage = stage_of_test_types();
    for (int axis = 0; axis < 3; axis++) {
        for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
            mesh_blocks[i] = i / steps[axis] % EDGE < 11 ? STONE : DIRT;
        }
        check_centre(stage, mesh_blocks);
        assert_int_equal(stage_opaque(stage), 4 * 2 + 2);
    }
    stage_destroy(stage);
}

static void blocks_that_differ_in_one_bit_are_never_merged(void **state)
{
    (void)state;
    Stage *stage = stage_of_test_types();
    const TrnBlock block = 0x5555;
    for (int bit = 0; bit < 16; bit++) {
        check_centre(stage, checkerboard(block, (TrnBlock)(block ^ 1 << bit)));
        assert_int_equal(stage_opaque(stage), 6 * EDGE * EDGE);
    }
    stage_destroy(stage);
}

/// Plates one voxel thick across an axis, with air between them. No two faces of a plate hold the
/// same block, and plates are whole or half. This gives the most runs at once, after any number of
/// earlier ones.
static void whole_and_half_plates_mesh_exactly(void **state)
{
    (void)state;
    Stage *stage = stage_of_test_types();
    TestRandom random = test_random_seeded(27);
    uint32_t faces = 0;
    for (int i = 0; i < 36; i++) {
        const uint64_t halves = test_random_next(&random), gaps = test_random_next(&random);
        for (uint32_t voxel = 0; voxel < TRN_CHUNK_VOXELS; voxel++) {
            const uint32_t at[3] = {voxel % EDGE, voxel / (EDGE * EDGE), voxel / EDGE % EDGE};
            const uint32_t plate = at[i % 3], is_odd = (at[0] + at[1] + at[2]) % 2;
            const bool is_gap = plate % 2 == 1 || (i / 3 % 2 && gaps >> plate & 1);
            const bool is_half = halves >> plate & 1;
            mesh_blocks[voxel] = (TrnBlock)(is_gap || (is_half && is_odd) ? AIR
                                            : i / 6 % 2                   ? STONE + is_odd
                                                                          : 100 + voxel);
        }
        stage->input.without_ao = i / 12 % 2;
        faces += check_centre(stage, mesh_blocks);
    }
    assert_true(faces > 200000);
    stage_destroy(stage);
}

static void checkerboards_take_the_most_quads(void **state)
{
    (void)state;
    Stage *stage = stage_of_test_types();
    assert_int_equal(check_centre(stage, checkerboard(STONE, AIR)), TRN_MESH_OPAQUE_QUADS_MAX);
    assert_int_equal(stage_opaque(stage), TRN_MESH_OPAQUE_QUADS_MAX);
    assert_int_equal(stage_clear(stage), 0);

    // Water is visible at the border alone, since stone hides it elsewhere.
    check_centre(stage, checkerboard(STONE, WATER));
    assert_int_equal(stage_opaque(stage), TRN_MESH_OPAQUE_QUADS_MAX);
    assert_int_equal(stage_clear(stage), 6 * EDGE * EDGE / 2);

    assert_int_equal(check_centre(stage, checkerboard(LAVA, WATER)), TRN_MESH_QUADS_MAX);
    assert_int_equal(stage_clear(stage), TRN_MESH_QUADS_MAX);

    check_centre(stage, checkerboard(STONE, FERN));
    assert_int_equal(stage_opaque(stage), TRN_MESH_OPAQUE_QUADS_MAX);
    assert_int_equal(stage_plants(stage), TRN_CHUNK_VOXELS);
    stage_fill(stage, CENTRE, FERN); // plants do not hide each other
    assert_int_equal(stage_check(stage), 2 * TRN_CHUNK_VOXELS);
    stage_destroy(stage);
}

// ---- ambient occlusion -------------------------------------------------------------------------

static void assert_light(const Stage *stage, TrnFace face, int x, int y, int z, uint32_t corner_00,
                         uint32_t corner_10, uint32_t corner_01, uint32_t corner_11)
{
    const uint32_t ao = trn_quad_ao(stage_quad(stage, face, x, y, z));
    assert_int_equal(ao, corner_00 | corner_10 << 2 | corner_01 << 4 | corner_11 << 6);
}

/// Counted by hand: blocks on a floor darken it.
static void opaque_blocks_darken_adjacent_corners(void **state)
{
    (void)state;
    Stage *stage = stage_of_test_types();
    TrnBlock *blocks = layered(4, STONE, AIR);
    put(blocks, 10, 4, 10, DIRT);
    put(blocks, 11, 4, 11, UNKNOWN);
    put(blocks, 20, 4, 20, DIRT);
    put(blocks, 21, 4, 20, DIRT);
    put(blocks, 26, 4, 26, WATER); // only opaque blocks darken
    put(blocks, 28, 4, 26, FERN);
    put(blocks, 26, 4, 28, GLASS);
    check_centre(stage, blocks);
    const TrnFace top = TRN_FACE_POS_Y; // width x, height z
    assert_light(stage, top, 3, 3, 3, 3, 3, 3, 3);
    assert_light(stage, top, 9, 3, 10, 3, 2, 3, 2);
    assert_light(stage, top, 9, 3, 9, 3, 3, 3, 2);
    assert_light(stage, top, 9, 3, 11, 3, 2, 3, 3);
    assert_light(stage, top, 10, 3, 11, 2, 0, 3, 2); // two sides, and air in the corner
    assert_light(stage, top, 20, 3, 21, 2, 1, 3, 3); // a side and a corner
    assert_light(stage, top, 27, 3, 27, 3, 3, 3, 3);
    assert_light(stage, TRN_FACE_NEG_X, 10, 4, 10, 1, 1, 3, 3); // width z, height y
    assert_light(stage, TRN_FACE_NEG_Z, 20, 4, 20, 1, 1, 3, 3); // width x, height y
    assert_light(stage, TRN_FACE_POS_X, 10, 4, 10, 1, 0, 3, 2);
    stage->input.without_ao = true;
    stage_check(stage);
    assert_light(stage, top, 10, 3, 11, 3, 3, 3, 3);
    assert_light(stage, TRN_FACE_POS_X, 10, 4, 10, 3, 3, 3, 3);
    stage_destroy(stage);
}

/// One block, or one missing chunk, in each of the 26 places around a block in each corner of the
/// chunk, and in its middle.
static void ao_reads_across_every_edge_and_corner_of_the_chunk(void **state)
{
    (void)state;
    Stage *stage = stage_of_test_types();
    for (int corner = 0; corner < 27; corner++) {
        const int at[3] = {corner % 3 * 15 + corner % 3 / 2, corner / 9 * 15 + corner / 18,
                           corner / 3 % 3 * 15 + corner / 3 % 3 / 2};
        TrnBlock *blocks = blocks_of(AIR);
        put(blocks, at[0], at[1], at[2], STONE);
        for (int place = 0; place < AROUND; place++) {
            if (place == CENTRE) {
                continue;
            }
            stage_fill_all(stage, AIR, AIR);
            stage_encode(stage, CENTRE, blocks);
            stage_fill(stage, place, DIRT);
            stage->input.missing_is_solid = false;
            stage_check(stage);
            const TrnMeshInfo info = stage->info;
            stage_miss(stage, place);
            stage->input.missing_is_solid = true; // counts as rock
            stage_mesh(stage);
            stage_compare(stage, "missing", &info, stage->first_quads, stage->first_light);
            stage->input.missing_is_solid = false; // counts as air
            stage_mesh(stage);
            assert_int_equal(trn_mesh_count(&stage->info), 6);
        }
    }
    stage_destroy(stage);
}

// ---- liquids, glass, plants --------------------------------------------------------------------

static void water_is_lowered_under_air_and_plants_alone(void **state)
{
    (void)state;
    static const struct {
        TrnBlock above;
        bool is_lowered;
        uint32_t side_height; ///< of the quad on the side of the topmost water
    } cases[] = {{AIR, true, 1},  {VOID, true, 1},   {FERN, true, 1},    {LAVA, false, 6},
                 {ICE, false, 6}, {STONE, false, 6}, {WATER, false, 31}, {UNKNOWN, false, 6}};
    Stage *stage = stage_of_test_types();
    for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        check_centre(stage, layered(6, WATER, cases[i].above));
        const TrnQuad side = stage_quad(stage, TRN_FACE_NEG_X, 0, 5, 9);
        assert_int_equal(trn_quad_drop(side) != 0, cases[i].is_lowered);
        assert_int_equal(trn_quad_height(side), cases[i].side_height);
        assert_int_equal(trn_quad_drop(stage_quad(stage, TRN_FACE_NEG_X, 0, 4, 9)), 0);
        assert_int_equal(trn_quad_drop(stage_quad(stage, TRN_FACE_NEG_Y, 9, 0, 9)), 0);
        if (cases[i].is_lowered) {
            assert_true(trn_quad_drop(stage_quad(stage, TRN_FACE_POS_Y, 9, 5, 9)) > 0);
        }
    }
    stage_destroy(stage);
}

static void a_liquid_reads_the_chunk_above_it(void **state)
{
    (void)state;
    Stage *stage = stage_of_test_types();
    const int above = (int)trn_mesh_behind(TRN_FACE_POS_Y);
    static const TrnBlock blocks[] = {AIR, FERN, LAVA, ICE, STONE, WATER};
    for (uint32_t i = 0; i < 8; i++) {
        stage_fill_all(stage, WATER, AIR);
        if (i < 6) {
            stage_fill(stage, above, blocks[i]);
        } else {
            stage_miss(stage, above);
            stage->input.missing_is_solid = i == 7;
        }
        stage_check(stage);
        const bool is_lowered = i < 2 || i == 6, shows = i < 4 || i == 6;
        const TrnQuad side = stage_quad(stage, TRN_FACE_POS_Z, 3, 31, 31);
        assert_int_equal(trn_quad_drop(side) != 0, is_lowered);
        assert_int_equal(trn_quad_height(side), is_lowered ? 1 : 32);
        assert_int_equal(stage_group(stage, TRN_MESH_TRANSPARENT + TRN_FACE_POS_Y), shows);
        assert_int_equal(trn_mesh_count(&stage->info), 4 * (1 + is_lowered) + 1 + shows);
    }
    stage_destroy(stage);
}

static void glass_is_never_lowered_and_shows_against_all_but_itself(void **state)
{
    (void)state;
    Stage *stage = stage_of_test_types();
    stage_fill_all(stage, GLASS, AIR);
    assert_int_equal(stage_check(stage), 6 * EDGE * EDGE);
    assert_int_equal(stage_opaque(stage), 0);
    assert_int_equal(stage_clear(stage), 6);
    for (int i = 0; i < 6; i++) {
        assert_int_equal(trn_quad_ao(stage->quads[i]), 255);
    }
    stage_fill_all(stage, GLASS, GLASS);
    assert_int_equal(stage_check(stage), 0);
    stage_fill_all(stage, GLASS, ICE);
    assert_int_equal(stage_check(stage), 6 * EDGE * EDGE);
    stage_fill_all(stage, STONE, FERN); // a plant hides nothing
    assert_int_equal(stage_check(stage), 6 * EDGE * EDGE);
    stage_fill_all(stage, AIR, AIR);
    assert_int_equal(check_centre(stage, checkerboard(GLASS, AIR)), TRN_MESH_OPAQUE_QUADS_MAX);
    assert_int_equal(stage_clear(stage), TRN_MESH_OPAQUE_QUADS_MAX);
    stage_destroy(stage);
}

static void a_plant_is_two_leaves_everywhere(void **state)
{
    (void)state;
    Stage *stage = stage_of_test_types();
    stage_fill_all(stage, STONE, STONE);
    TrnBlock *blocks = blocks_of(STONE);
    put(blocks, 7, 8, 9, REED); // walled in: six faces touch it
    assert_int_equal(check_centre(stage, blocks), 6 + 2);
    assert_int_equal(stage_plants(stage), 2);
    uint32_t leaves = 0;
    for (uint32_t i = stage_opaque(stage); i < stage_opaque(stage) + 2; i++) {
        const TrnQuad leaf = stage->quads[i];
        leaves |= 1u << trn_quad_face(leaf);
        assert_int_equal(trn_quad_x(leaf), 7);
        assert_int_equal(trn_quad_y(leaf), 8);
        assert_int_equal(trn_quad_z(leaf), 9);
        assert_int_equal(trn_quad_block(leaf), REED);
    }
    assert_int_equal(leaves, 1u << TRN_QUAD_PLANT_A | 1u << TRN_QUAD_PLANT_B);
    stage_destroy(stage);
}

static void a_plant_in_water_leaves_no_hole_in_it(void **state)
{
    (void)state;
    Stage *stage = stage_of_test_types();
    TrnBlock *blocks = layered(10, STONE, WATER);
    for (int y = 20; y < EDGE; y++) {
        for (int i = 0; i < EDGE * EDGE; i++) {
            put(blocks, i % EDGE, y, i / EDGE, AIR);
        }
    }
    const uint32_t without = check_centre(stage, blocks);
    const uint32_t water = stage_clear(stage);
    put(blocks, 7, 12, 9, KELP);
    put(blocks, 7, 13, 9, KELP);
    put(blocks, 0, 19, 9, WEED); // at the surface, and beside another chunk
    assert_int_equal(check_centre(stage, blocks), without + 3 * 2);
    assert_int_equal(stage_clear(stage), water);
    put(blocks, 20, 15, 9, GLASS); // then voxels are compared, not only masks
    put(blocks, 21, 15, 9, WEED);
    assert_int_equal(check_centre(stage, blocks), without + 4 * 2 + 6 + 6);
    stage_encode(stage, (int)trn_mesh_behind(TRN_FACE_NEG_X), blocks_of(KELP));
    stage_check(stage);
    stage_destroy(stage);
}

// ---- uniform chunks ----------------------------------------------------------------------------

/// A neighbour is missing (the last value) or one block.
enum { NEIGHBOUR_BLOCKS = 6, NEIGHBOUR_MISSING = NEIGHBOUR_BLOCKS, NEIGHBOUR_KINDS };
static const TrnBlock neighbour_blocks[NEIGHBOUR_BLOCKS] = {AIR, STONE, WATER, LAVA, FERN, UNKNOWN};

/// Sets the six neighbours to the digits of `combination`.
/// @return which faces of a uniform centre are visible, by bit
static uint32_t set_neighbours(Stage *stage, uint32_t combination, TrnBlock centre)
{
    uint32_t shows = 0;
    const TrnBlockKind here = mesh_kind(&stage->input, centre);
    for (int face = 0; face < TRN_FACE_COUNT; face++, combination /= NEIGHBOUR_KINDS) {
        const uint32_t kind = combination % NEIGHBOUR_KINDS;
        const int place = (int)trn_mesh_behind((TrnFace)face);
        TrnBlock block = stage->input.missing_is_solid ? STONE : AIR;
        if (kind == NEIGHBOUR_MISSING) {
            stage_miss(stage, place);
        } else {
            block = neighbour_blocks[kind];
            stage_place(stage, place, trn_snapshot_of(block, combination));
        }
        const bool is_hidden = mesh_kind(&stage->input, block) == TRN_BLOCK_KIND_OPAQUE ||
                               here == TRN_BLOCK_KIND_AIR || here == TRN_BLOCK_KIND_PLANT ||
                               (mesh_kind_is_clear((uint8_t)here) && block == centre);
        shows |= (uint32_t)!is_hidden << face;
    }
    return shows;
}

static void uniform_chunks_show_whole_sides_by_their_neighbours(void **state)
{
    (void)state;
    Stage *stage = stage_of_test_types();
    stage->input.without_ao = true;
    uint32_t combinations = 1;
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        combinations *= NEIGHBOUR_KINDS;
    }
    for (uint32_t i = 0; i < NEIGHBOUR_BLOCKS * combinations; i += 41) {
        const TrnBlock centre = neighbour_blocks[i / combinations];
        stage_fill(stage, CENTRE, centre);
        stage->input.missing_is_solid = i / 41 % 2;
        const uint32_t shows = set_neighbours(stage, i % combinations, centre);
        if (i % (41 * 83) == 0) {
            stage_check(stage);
        }
        TrnQuad quads[256];
        assert_int_equal(
            trn_mesh_quads(&stage->input, stage->scratch, quads, NULL, 256, &stage->info),
            centre == FERN ? TRN_RESULT_FULL : TRN_RESULT_OK);
        const bool is_clear = mesh_kind_is_clear((uint8_t)mesh_kind(&stage->input, centre));
        for (uint32_t face = 0; face < TRN_FACE_COUNT; face++) {
            const uint32_t group = face + (is_clear ? TRN_MESH_TRANSPARENT : TRN_MESH_OPAQUE);
            const uint32_t faces = stage_group(stage, group);
            // The upper row of a lowered side is a separate quad.
            const bool may_be_two = is_clear && face / 2 != 1;
            assert_true(faces == (shows >> face & 1) ||
                        (may_be_two && faces == (shows >> face & 1) * 2));
        }
    }
    stage_destroy(stage);
}

/// A uniform chunk in rock is hidden except where a hole opens it, at the border or away from it.
static void one_hole_in_the_rock_around_a_chunk_shows_one_face(void **state)
{
    (void)state;
    static const int spots[][2] = {{0, 0}, {31, 0}, {0, 31}, {31, 31}, {13, 7}, {8, 16}, {15, 24}};
    Stage *stage = stage_of_test_types();
    stage_fill_all(stage, STONE, DIRT);
    assert_int_equal(stage_check(stage), 0);
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        const MeshAxes axes = mesh_axes_of(face);
        const int place = (int)trn_mesh_behind((TrnFace)face);
        for (uint32_t i = 0; i < sizeof spots / sizeof spots[0]; i++) {
            for (int depth = 0; depth < 2; depth++) {
                int at[3];
                at[axes.width] = spots[i][0];
                at[axes.height] = spots[i][1];
                at[axes.along] = face % 2 ? depth : EDGE - 1 - depth;
                TrnBlock *blocks = blocks_of(DIRT);
                put(blocks, at[0], at[1], at[2], i % 2 ? WATER : AIR);
                stage_encode(stage, place, blocks);
                stage_fill(stage, CENTRE, i % 3 ? STONE : LAVA);
                assert_int_equal(stage_check(stage), depth == 0);
            }
        }
        stage_fill(stage, place, DIRT);
    }
    stage_destroy(stage);
}

// ---- loaded and missing chunks -----------------------------------------------------------------

/// Different neighbours, snapshotted from a store as a game does it, where coordinates wrap.
static void snapshots_from_a_store_are_meshed(void **state)
{
    (void)state;
    TrnStore *store;
    Stage *stage = stage_of_test_types();
    const TrnCoord centre = {INT32_MIN, 7, INT32_MAX};
    assert_int_equal(trn_store_create(NULL, &store), TRN_RESULT_OK);
    stage->input.types =
        trn_block_types_all(trn_store_block_types(store), &stage->input.type_count);
    stage->input.missing_is_solid = true;
    for (int i = 0; i < AROUND; i++) {
        const int place = (i * 11 + CENTRE) % AROUND; // the centre is chosen first
        const TrnCoord coord = {(int32_t)((uint32_t)centre.x + (uint32_t)(place % 3) - 1u),
                                centre.y + place / 9 - 1,
                                (int32_t)((uint32_t)centre.z + (uint32_t)(place / 3 % 3) - 1u)};
        TrnChunk *chunk;
        TrnVoxelEdit edit;
        assert_int_equal(trn_store_insert_uniform(store, coord, TRN_BLOCK_AIR, &chunk),
                         TRN_RESULT_OK);
        assert_int_equal(trn_store_fill(store, chunk, TRN_BLOCK_STONE), TRN_RESULT_OK);
        assert_int_equal(trn_store_edit_begin(store, chunk, &edit), TRN_RESULT_OK);
        for (uint32_t voxel = 0; voxel < 3000; voxel++) {
            const uint32_t where = (voxel * 2654435761u + (uint32_t)place) >> 17;
            const TrnBlock block = voxel % 3 ? TRN_BLOCK_AIR : TRN_BLOCK_WATER;
            assert_int_equal(trn_voxel_edit_set(&edit, where, block), TRN_RESULT_OK);
        }
        assert_true(trn_store_edit_commit(store, &edit));
        stage->input.present = trn_store_snapshot_around(store, centre, stage->input.around);
        assert_int_equal(__builtin_popcount(stage->input.present), i + 1);
        assert_true(stage_check(stage) > 1000);
    }
    trn_store_destroy(store);
    stage_destroy(stage);
}

// ---- open sides --------------------------------------------------------------------------------

static TrnBlock flat_land(const void *height, int x, int y, int z)
{
    (void)x;
    (void)z;
    return y < *(const int *)height ? STONE : AIR;
}

/// Land as high everywhere, meshed with all sides open.
/// @param faces  receives the quads of each direction
static void mesh_open_land(Stage *stage, int height, uint32_t faces[TRN_FACE_COUNT])
{
    stage_build_whole(stage, flat_land, &height);
    stage->input.open_sides = (1u << TRN_FACE_COUNT) - 1;
    stage_check(stage);
    for (uint32_t face = 0; face < TRN_FACE_COUNT; face++) {
        faces[face] = stage_group(stage, face);
    }
}

static void an_open_side_shows_all_of_its_wall(void **state)
{
    (void)state;
    // The land's height, and that of the walls. Where the chunks around are opaque too, nothing.
    static const int cases[][2] = {{1, 1}, {11, 11}, {32, 32}, {33, 32}, {63, 32}, {64, 0}};
    Stage *stage = stage_of_test_types();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint32_t faces[TRN_FACE_COUNT];
        mesh_open_land(stage, cases[i][0], faces);
        for (uint32_t face = 0; face < TRN_FACE_COUNT; face++) {
            assert_int_equal(faces[face], cases[i][1] > 0);
            const TrnQuad wall = stage->quads[stage->info.first[face]];
            if (cases[i][1] && face / 2 != 1) {
                assert_int_equal(trn_quad_y(wall), 0);
                assert_int_equal(trn_quad_width(wall), EDGE);
                assert_int_equal(trn_quad_height(wall), cases[i][1]);
                assert_int_equal(trn_quad_ao(wall), 255);
            }
        }
    }
    stage_destroy(stage);
}

/// Open sides add faces at the border, and change nothing else than the look of these.
static void an_open_side_changes_no_other_face(void **state)
{
    (void)state;
    Stage *stage = stage_of_test_types();
    stage_build(stage, garden, NULL, STONE);
    stage_mesh(stage);
    const TrnMeshInfo closed = stage->info;
    TrnQuad *quads = malloc(trn_mesh_count(&closed) * sizeof *quads);
    assert_non_null(quads);
    memcpy(quads, stage->quads, trn_mesh_count(&closed) * sizeof *quads);
    for (uint32_t face = 0; face < TRN_FACE_COUNT; face++) {
        stage->input.open_sides = UINT32_C(1) << face | UINT32_C(1) << 31; // other bits are ignored
        stage_check(stage);
        for (uint32_t group = 0; group < TRN_MESH_GROUP_COUNT; group++) {
            if (group != face) {
                const uint32_t count = closed.first[group + 1] - closed.first[group];
                assert_int_equal(stage_group(stage, group), count);
                assert_memory_equal(stage->quads + stage->info.first[group],
                                    quads + closed.first[group], count * sizeof *quads);
            }
        }
    }
    free(quads);
    stage_destroy(stage);
}

static void bits_beyond_the_27_chunks_are_ignored(void **state)
{
    (void)state;
    Stage *stage = stage_of_test_types();
    stage_build(stage, garden, NULL, STONE);
    stage_miss(stage, 0);
    stage->input.present |= ~((1u << AROUND) - 1);
    stage_check(stage);
    stage_miss_all(stage);
    stage_check(stage);
    stage_destroy(stage);
}

/// Block 0 may have any kind, although palettes pad with it and missing chunks are filled with it.
static void block_0_may_be_of_any_kind(void **state)
{
    (void)state;
    for (int kind = 0; kind < TRN_BLOCK_KIND_COUNT; kind++) {
        for (int other = 0; other < TRN_BLOCK_KIND_COUNT; other++) {
            TrnBlockType types[3] = {{.name = "test:none", .kind = (TrnBlockKind)kind},
                                     {.name = "test:one", .kind = (TrnBlockKind)other},
                                     {.name = "test:two", .kind = TRN_BLOCK_KIND_AIR}};
            Stage *stage = stage_create(types, 3, 1 + kind % 2);
            TrnBlock *blocks = layered(9, 0, 1);
            for (int i = 0; i < 40; i++) {
                mesh_blocks[(i * 40503 + 77) % TRN_CHUNK_VOXELS] = (TrnBlock)(i % 3);
            }
            check_centre(stage, blocks);
            stage_miss_all(stage);
            stage_check(stage);
            stage->input.missing_is_solid = true;
            stage_check(stage);
            stage_fill(stage, CENTRE, 0);
            stage_check(stage);
            stage->input.missing_is_solid = false;
            stage_check(stage);
            stage->input.type_count = 1; // all other types are opaque then
            stage_place(stage, CENTRE, trn_snapshot_of(1, 9));
            assert_int_equal(stage_check(stage), 6 * EDGE * EDGE);
            stage_destroy(stage);
        }
    }
}

int main(int argument_count, char **arguments)
{
    if (argument_count > 1) {
        cmocka_set_test_filter(arguments[1]);
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_field_of_a_quad_reads_back_and_touches_no_other),
        cmocka_unit_test(faces_span_the_two_axes_across_them),
        cmocka_unit_test(a_quad_is_split_along_its_brighter_diagonal),
        cmocka_unit_test(the_neighbour_behind_a_face_is_where_a_store_puts_it),
        cmocka_unit_test(the_reference_accepts_a_plain_mesher_and_finds_every_fault),
        cmocka_unit_test(the_reference_finds_wrong_order_and_wrong_merging),
        cmocka_unit_test(a_solid_chunk_in_air_is_six_quads),
        cmocka_unit_test(the_top_of_a_slab_is_one_quad),
        cmocka_unit_test(two_adjacent_materials_split_four_faces_of_six),
        cmocka_unit_test(blocks_that_differ_in_one_bit_are_never_merged),
        cmocka_unit_test(whole_and_half_plates_mesh_exactly),
        cmocka_unit_test(checkerboards_take_the_most_quads),
        cmocka_unit_test(opaque_blocks_darken_adjacent_corners),
        cmocka_unit_test(ao_reads_across_every_edge_and_corner_of_the_chunk),
        cmocka_unit_test(water_is_lowered_under_air_and_plants_alone),
        cmocka_unit_test(a_liquid_reads_the_chunk_above_it),
        cmocka_unit_test(glass_is_never_lowered_and_shows_against_all_but_itself),
        cmocka_unit_test(a_plant_is_two_leaves_everywhere),
        cmocka_unit_test(a_plant_in_water_leaves_no_hole_in_it),
        cmocka_unit_test(uniform_chunks_show_whole_sides_by_their_neighbours),
        cmocka_unit_test(one_hole_in_the_rock_around_a_chunk_shows_one_face),
        cmocka_unit_test(snapshots_from_a_store_are_meshed),
        cmocka_unit_test(an_open_side_shows_all_of_its_wall),
        cmocka_unit_test(an_open_side_changes_no_other_face),
        cmocka_unit_test(bits_beyond_the_27_chunks_are_ignored),
        cmocka_unit_test(block_0_may_be_of_any_kind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
