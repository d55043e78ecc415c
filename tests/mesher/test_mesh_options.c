// Cutouts, liquids of several levels, and the options of an input: without merging, and bytes of a
// game. The reference of mesh_stage.h checks every mesh; these tests say what to expect.

#include "mesh_blocks.h"

#include "mesh_kernels.h"

// ---- cutouts -----------------------------------------------------------------------------------

static void cutouts_keep_the_faces_between_them(void **state)
{
    (void)state;
    Stage *stage = stage_of_test_types();
    TrnBlock *blocks = blocks_of(AIR);
    put(blocks, 5, 5, 5, LEAVES);
    put(blocks, 6, 5, 5, LEAVES);
    put(blocks, 7, 5, 5, NEEDLES);
    assert_int_equal(check_centre(stage, blocks), 18);
    // The long sides of the leaves merge, those of the needles are apart.
    assert_int_equal(stage_cutout(stage), 6 + 4 + 4);
    assert_int_equal(trn_mesh_count(&stage->info), 14);
    stage_destroy(stage);
}

static void opaque_blocks_alone_hide_cutouts(void **state)
{
    (void)state;
    static const struct {
        TrnBlock next;
        uint32_t faces; ///< of the leaves and of the block
    } cases[] = {{STONE, 5 + 6}, {GLASS, 6 + 6}, {WATER, 6 + 6}, {FERN, 6 + 2}, {SLAB, 6}};
    Stage *stage = stage_of_test_types();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        TrnBlock *blocks = blocks_of(AIR);
        put(blocks, 5, 5, 5, LEAVES);
        put(blocks, 6, 5, 5, cases[i].next);
        assert_int_equal(check_centre(stage, blocks), cases[i].faces);
    }
    stage_destroy(stage);
}

static void a_chunk_of_cutouts_shows_every_face(void **state)
{
    (void)state;
    Stage *stage = stage_of_test_types();
    stage_fill(stage, CENTRE, LEAVES);
    assert_int_equal(stage_check(stage), TRN_MESH_QUADS_MAX);
    assert_int_equal(stage_cutout(stage), 6 * EDGE);
    stage->input.without_merging = true;
    (void)stage_check(stage);
    assert_int_equal(stage_cutout(stage), TRN_MESH_QUADS_MAX);
    stage_destroy(stage);
}

static void cutouts_are_darkened_like_opaque_blocks(void **state)
{
    (void)state;
    Stage *stage = stage_of_test_types();
    TrnBlock *blocks = layered(4, STONE, AIR);
    put(blocks, 9, 4, 9, LEAVES);
    (void)check_centre(stage, blocks);
    // The ground darkens the lower corners of the leaves, and the leaves darken nothing.
    assert_int_equal(trn_quad_ao(stage_quad(stage, TRN_FACE_POS_X, 9, 4, 9)),
                     1 | 1 << 2 | 3 << 4 | 3 << 6);
    assert_int_equal(trn_quad_ao(stage_quad(stage, TRN_FACE_POS_Y, 10, 3, 9)), 255);
    stage_destroy(stage);
}

// ---- liquids -----------------------------------------------------------------------------------

static void a_liquid_is_as_high_as_its_type_says(void **state)
{
    (void)state;
    static const struct {
        TrnBlock liquid;
        uint32_t drop;
    } cases[] = {{WATER, 2}, {LAVA, 2}, {FLOW, 8}, {TRICKLE, 15}, {FALL, 0}};
    Stage *stage = stage_of_test_types();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        TrnBlock *blocks = blocks_of(AIR);
        put(blocks, 5, 5, 5, cases[i].liquid);
        assert_int_equal(check_centre(stage, blocks), 6);
        assert_int_equal(trn_quad_drop(stage_quad(stage, TRN_FACE_POS_Y, 5, 5, 5)), cases[i].drop);
        assert_int_equal(trn_quad_drop(stage_quad(stage, TRN_FACE_POS_Z, 5, 5, 5)), cases[i].drop);
        assert_int_equal(trn_quad_drop(stage_quad(stage, TRN_FACE_NEG_Y, 5, 5, 5)), 0);
        put(blocks, 5, 6, 5, SLAB); // models and leaves leave it open
        (void)check_centre(stage, blocks);
        assert_int_equal(trn_quad_drop(stage_quad(stage, TRN_FACE_POS_Z, 5, 5, 5)), cases[i].drop);
        put(blocks, 5, 6, 5, GLASS);
        (void)check_centre(stage, blocks);
        assert_int_equal(trn_quad_drop(stage_quad(stage, TRN_FACE_POS_Z, 5, 5, 5)), 0);
    }
    stage_destroy(stage);
}

static void the_higher_of_a_family_shows_what_the_lower_leaves_open(void **state)
{
    (void)state;
    Stage *stage = stage_of_test_types();
    TrnBlock *blocks = blocks_of(AIR);
    put(blocks, 5, 5, 5, WATER);
    put(blocks, 6, 5, 5, FLOW);
    put(blocks, 7, 5, 5, TRICKLE);
    assert_int_equal(check_centre(stage, blocks), 18 - 2);
    const TrnQuad side = stage_quad(stage, TRN_FACE_POS_X, 5, 5, 5);
    assert_int_equal(trn_quad_drop(side), 2);
    assert_int_equal(trn_quad_start(side), 8);
    assert_int_equal(trn_quad_start(stage_quad(stage, TRN_FACE_POS_X, 6, 5, 5)), 1);
    put(blocks, 5, 4, 5, FALL); // under water of its family: full, without a face between them
    assert_int_equal(check_centre(stage, blocks), 16 + 6 - 2);
    put(blocks, 6, 5, 5, LAVA); // another family
    assert_int_equal(check_centre(stage, blocks), 16 + 6 - 2 + 2);
    stage_destroy(stage);
}

static void levels_reach_across_chunk_borders(void **state)
{
    (void)state;
    Stage *stage = stage_of_test_types();
    TrnBlock *next = blocks_of(AIR);
    put(next, 0, 31, 5, FLOW);
    stage_encode(stage, (int)trn_mesh_behind(TRN_FACE_POS_X), next);
    for (int i = 0; i < 2; i++) { // open above, then covered, which makes the flow full
        TrnBlock *blocks = blocks_of(AIR);
        put(blocks, 31, 31, 5, WATER);
        assert_int_equal(check_centre(stage, blocks), 6 - i);
        if (i == 0) {
            assert_int_equal(trn_quad_start(stage_quad(stage, TRN_FACE_POS_X, 31, 31, 5)), 8);
        }
        next = blocks_of(AIR);
        put(next, 0, 0, 5, STONE);
        stage_encode(stage, (int)trn_around_place(1, 1, 0), next);
    }
    stage_destroy(stage);
}

// ---- options -----------------------------------------------------------------------------------

static void without_merging_every_face_is_a_quad(void **state)
{
    (void)state;
    Stage *stage = stage_of_test_types();
    stage->input.without_merging = true;
    stage_build(stage, garden, NULL, STONE);
    const uint32_t faces = stage_check(stage);
    assert_int_equal(trn_mesh_count(&stage->info), faces);
    StageLamps lamps = {.noise = 256, .seed = 9};
    stage_light(stage, 0, stage_lamp_level, &lamps);
    assert_int_equal(stage_check(stage), faces);
    assert_int_equal(trn_mesh_count(&stage->info), faces);
    stage_destroy(stage);
}

static void quads_carry_the_bytes_of_a_game_and_merge_where_they_are_equal(void **state)
{
    (void)state;
    Stage *stage = stage_of_test_types();
    stage_miss_all(stage);
    for (int i = 0; i < TRN_CHUNK_VOXELS; i++) {
        stage->user_bytes[0][i] = i % EDGE < 10 ? 7 : 200; // two parts along x
    }
    stage->input.user_bytes[TRN_FACE_POS_Y] = stage->user_bytes[0];
    stage->input.user_bytes[TRN_FACE_POS_X] = stage->user_bytes[0];
    (void)check_centre(stage, layered(9, STONE, AIR));
    assert_int_equal(stage_group(stage, TRN_MESH_OPAQUE + TRN_FACE_POS_Y), 2);
    assert_int_equal(stage_opaque(stage), 7);
    assert_int_equal(trn_quad_user_byte(stage_quad(stage, TRN_FACE_POS_Y, 9, 8, 3)), 7);
    assert_int_equal(trn_quad_user_byte(stage_quad(stage, TRN_FACE_POS_Y, 10, 8, 3)), 200);
    assert_int_equal(trn_quad_user_byte(stage_quad(stage, TRN_FACE_POS_X, 31, 3, 3)), 200);
    assert_int_equal(trn_quad_user_byte(stage_quad(stage, TRN_FACE_NEG_X, 0, 3, 3)), 0);
    assert_int_equal(trn_quad_block(stage_quad(stage, TRN_FACE_POS_Y, 10, 8, 3)), STONE);
    stage_destroy(stage);
}

static void all_options_together_mesh_exactly(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(77);
    Stage *stage = stage_of_test_types();
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    for (uint32_t round = 0; round < test_rounds(24, 6); round++) {
        for (int place = 0; place < AROUND; place++) {
            const uint32_t rarity = 1 + (uint32_t)(test_random_next(&random) % 9);
            for (int i = 0; i < TRN_CHUNK_VOXELS; i++) {
                const uint64_t dice = test_random_next(&random);
                const bool is_low = i / (EDGE * EDGE) < 16;
                blocks[i] = (uint32_t)(dice >> 40) % rarity == 0
                                ? (TrnBlock)((dice >> 8) % (UNKNOWN + 1))
                            : is_low && place % 2 ? WATER
                                                  : AIR;
            }
            stage_encode(stage, place, blocks);
        }
        stage_choose_options(stage, &random);
        stage_light_by_chance(stage, &random);
        stage->input.open_sides = round % 3 ? 0 : 63;
        assert_true(stage_check(stage) > 100);
    }
    stage_destroy(stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cutouts_keep_the_faces_between_them),
        cmocka_unit_test(opaque_blocks_alone_hide_cutouts),
        cmocka_unit_test(a_chunk_of_cutouts_shows_every_face),
        cmocka_unit_test(cutouts_are_darkened_like_opaque_blocks),
        cmocka_unit_test(a_liquid_is_as_high_as_its_type_says),
        cmocka_unit_test(the_higher_of_a_family_shows_what_the_lower_leaves_open),
        cmocka_unit_test(levels_reach_across_chunk_borders),
        cmocka_unit_test(without_merging_every_face_is_a_quad),
        cmocka_unit_test(quads_carry_the_bytes_of_a_game_and_merge_where_they_are_equal),
        cmocka_unit_test(all_options_together_mesh_exactly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
