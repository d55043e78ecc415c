// Models: which faces of their boxes show, how they connect, their light, their memory. The
// reference of mesh_stage.h checks every mesh; these tests say what to expect.

#include "mesh_blocks.h"

#include "mesh_kernels.h"

enum { FACES_MAX = 64 };

static TrnModelFace model_faces[FACES_MAX];

/// Meshes the centre and checks it.
/// @return how many faces of models there are
static uint32_t check_models(Stage *stage, const TrnBlock *blocks)
{
    uint32_t count = 0;
    (void)check_centre(stage, blocks);
    assert_int_equal(trn_mesh_models(&stage->input, stage->scratch, model_faces, FACES_MAX, &count),
                     TRN_RESULT_OK);
    return count;
}

/// Returns a face of a box of the model at a voxel. Fails if there is none.
static const TrnModelFace *find_face(uint32_t count, int x, uint32_t box, TrnFace face)
{
    for (uint32_t i = 0; i < count; i++) {
        if ((int)trn_model_face_x(&model_faces[i]) == x &&
            trn_model_face_box(&model_faces[i]) == box &&
            trn_model_face_face(&model_faces[i]) == face) {
            return &model_faces[i];
        }
    }
    fail_msg("box %u of the model at x = %d has no face %d", box, x, (int)face);
    return NULL;
}

static void every_field_of_a_face_reads_back(void **state)
{
    (void)state;
    const TrnModelFace face = {.place = 1 | 2 << 5 | 3 << 10 | 4u << 15 | 5u << 18,
                               .rectangle = 6 | 7 << 5 | 8 << 10 | 9 << 15 | 10 << 20,
                               .look = 65531u | 200u << 16 | 250u << 24};
    assert_int_equal(trn_model_face_x(&face), 1);
    assert_int_equal(trn_model_face_y(&face), 2);
    assert_int_equal(trn_model_face_z(&face), 3);
    assert_int_equal(trn_model_face_face(&face), 4);
    assert_int_equal(trn_model_face_box(&face), 5);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(trn_model_face_end(&face, i / 2, i % 2), 6 + i);
    }
    assert_int_equal(trn_model_face_depth(&face), 10);
    assert_int_equal(trn_model_face_block(&face), 65531);
    assert_int_equal(trn_model_face_ao(&face), 200);
    assert_int_equal(trn_model_face_user_byte(&face), 250);
    assert_int_equal(sizeof face, 16);
}

static void a_slab_on_the_ground_shows_five_faces(void **state)
{
    (void)state;
    Stage *stage = stage_of_test_types();
    TrnBlock *blocks = layered(4, STONE, AIR);
    put(blocks, 9, 4, 9, SLAB);
    const uint32_t count = check_models(stage, blocks);
    assert_int_equal(count, 5);
    assert_int_equal(stage->info.models, 1);
    assert_int_equal(stage->info.max[1], 4);
    const TrnModelFace *top = find_face(count, 9, 0, TRN_FACE_POS_Y);
    assert_int_equal(trn_model_face_depth(top), 8);
    assert_int_equal(trn_model_face_block(top), SLAB);
    assert_int_equal(trn_model_face_end(top, 1, 1), 16);
    // The ground under the slab stays: only opaque blocks hide faces of others.
    assert_int_equal(trn_quad_block(stage_quad(stage, TRN_FACE_POS_Y, 9, 3, 9)), STONE);
    stage_destroy(stage);
}

static void boxes_hide_what_they_cover_and_no_more(void **state)
{
    (void)state;
    Stage *stage = stage_of_test_types();
    // Two slabs hide the sides between them.
    TrnBlock *blocks = blocks_of(AIR);
    put(blocks, 9, 4, 9, SLAB);
    put(blocks, 10, 4, 9, SLAB);
    assert_int_equal(check_models(stage, blocks), 10);
    // A stair's lower box covers the bottom of its upper one, which covers half of the lower
    // one's top only, so that the top stays.
    blocks = blocks_of(AIR);
    put(blocks, 9, 4, 9, STAIR);
    assert_int_equal(check_models(stage, blocks), 11);
    // A slab covers the lower box' side of a stair; a cube both.
    put(blocks, 10, 4, 9, SLAB);
    assert_int_equal(check_models(stage, blocks), 11 - 1 + 5);
    put(blocks, 10, 4, 9, CUBE);
    assert_int_equal(check_models(stage, blocks), 11 - 2 + 6);
    stage_destroy(stage);
}

static void fences_connect_to_rock_and_to_each_other(void **state)
{
    (void)state;
    Stage *stage = stage_of_test_types();
    TrnBlock *blocks = blocks_of(AIR);
    put(blocks, 9, 4, 9, FENCE);
    assert_int_equal(check_models(stage, blocks), 6); // a post
    static const struct {
        TrnBlock next;
        uint32_t faces;
    } cases[] = {{STONE, 6 + 4},    // an arm that ends at the rock
                 {CUBE, 6 + 4 + 6}, // the same number; the arm covers no side of the cube
                 {PANE, 6 + 6},     // another number
                 {GLASS, 6},        {LEAVES, 6}, {UNKNOWN, 6 + 4}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        put(blocks, 10, 4, 9, cases[i].next);
        const uint32_t faces = check_models(stage, blocks);
        if (faces != cases[i].faces) {
            fail_msg("next to block %u: %u faces", cases[i].next, faces);
        }
    }
    put(blocks, 10, 4, 9, FENCE); // both arms hide each other's ends
    assert_int_equal(check_models(stage, blocks), 2 * (6 + 4));
    stage_destroy(stage);
}

static void models_connect_across_chunk_borders(void **state)
{
    (void)state;
    Stage *stage = stage_of_test_types();
    TrnBlock *blocks = blocks_of(AIR);
    put(blocks, 31, 31, 31, FENCE);
    (void)check_models(stage, blocks);
    const int east = (int)trn_mesh_behind(TRN_FACE_POS_X);
    TrnBlock *next = blocks_of(AIR);
    put(next, 0, 31, 31, FENCE);
    stage_encode(stage, east, next);
    blocks = blocks_of(AIR);
    put(blocks, 31, 31, 31, FENCE);
    assert_int_equal(check_models(stage, blocks), 6 + 4);
    // Without the chunk: rock or air, as the input says.
    stage_miss(stage, east);
    stage->input.missing_is_solid = true;
    assert_int_equal(check_models(stage, blocks), 6 + 4);
    stage->input.missing_is_solid = false;
    assert_int_equal(check_models(stage, blocks), 6);
    stage_destroy(stage);
}

static void panes_are_whole_posts_or_capped_by_their_neighbours(void **state)
{
    (void)state;
    Stage *stage = stage_of_test_types();
    TrnBlock *blocks = blocks_of(AIR);
    put(blocks, 9, 4, 9, PANE);
    assert_int_equal(check_models(stage, blocks), 6); // a post
    put(blocks, 8, 4, 9, STONE);
    assert_int_equal(check_models(stage, blocks), 0); // neither a plane nor a post
    put(blocks, 10, 4, 9, STONE);
    assert_int_equal(check_models(stage, blocks), 3 + 3); // a plane and its cap, which touch
    put(blocks, 9, 5, 9, STONE);
    assert_int_equal(check_models(stage, blocks), 4); // no cap: the top below the rock shows
    stage_destroy(stage);
}

/// A model as large as its voxel has the ambient occlusion and light of an opaque block.
static void a_cube_of_a_model_looks_like_an_opaque_block(void **state)
{
    (void)state;
    Stage *stage = stage_of_test_types();
    StageLamps lamps = {.noise = 256, .seed = 5};
    stage_light(stage, 0, stage_lamp_level, &lamps);
    stage_light(stage, 1, stage_lamp_level, &lamps);
    TrnModelFace cube[TRN_FACE_COUNT];
    for (int i = 0; i < 2; i++) {
        TrnBlock *blocks = layered(3, STONE, AIR);
        put(blocks, 10, 4, 9, STONE);
        put(blocks, 9, 5, 10, STONE);
        put(blocks, 9, 4, 9, i ? STONE : CUBE);
        if (i == 0) {
            assert_int_equal(check_models(stage, blocks), 5); // the stone hides one
            memcpy(cube, model_faces, sizeof cube);
            continue;
        }
        stage->input.without_merging = true;
        (void)check_centre(stage, blocks);
        for (int j = 0; j < 5; j++) {
            const TrnFace face = (TrnFace)trn_model_face_face(&cube[j]);
            const uint32_t at = stage_quad_index(stage, face, 9, 4, 9);
            assert_int_equal(trn_model_face_ao(&cube[j]), trn_quad_ao(stage->quads[at]));
            assert_int_equal(cube[j].light, stage->light[at]);
        }
    }
    stage_destroy(stage);
}

/// A corner inside its voxel touches no other.
static void a_face_inside_its_voxel_is_darkened_where_it_touches(void **state)
{
    (void)state;
    Stage *stage = stage_of_test_types();
    TrnBlock *blocks = layered(4, STONE, AIR);
    put(blocks, 9, 4, 9, SLAB);
    put(blocks, 8, 4, 9, STONE);
    uint32_t count = check_models(stage, blocks);
    const TrnModelFace *top = find_face(count, 9, 0, TRN_FACE_POS_Y);
    assert_int_equal(trn_model_face_ao(top), 2 | 3 << 2 | 2 << 4 | 3 << 6);
    put(blocks, 9, 4, 9, FENCE);
    count = check_models(stage, blocks);
    // The post touches the ground, not the stone.
    assert_int_equal(trn_model_face_ao(find_face(count, 9, 0, TRN_FACE_POS_X)),
                     2 | 2 << 2 | 3 << 4 | 3 << 6);
    stage->input.without_ao = true;
    put(blocks, 9, 4, 9, SLAB);
    count = check_models(stage, blocks);
    assert_int_equal(trn_model_face_ao(find_face(count, 9, 0, TRN_FACE_POS_Y)), 255);
    stage_destroy(stage);
}

static void a_chunk_of_eight_boxes_everywhere_takes_the_most_faces(void **state)
{
    (void)state;
    TrnBlockModel crumbs = {.box_count = TRN_BLOCK_BOXES_MAX};
    for (int i = 0; i < TRN_BLOCK_BOXES_MAX; i++) {
        for (int axis = 0; axis < 3; axis++) {
            crumbs.boxes[i].min[axis] = i >> axis & 1 ? 12 : 2;
            crumbs.boxes[i].max[axis] = i >> axis & 1 ? 14 : 4;
        }
    }
    const TrnBlockType types[2] = {{.kind = TRN_BLOCK_KIND_AIR},
                                   {.kind = TRN_BLOCK_KIND_MODEL, .model = &crumbs}};
    Stage *stage = stage_create(types, 2, 1);
    stage_fill(stage, CENTRE, 1);
    uint32_t count = 0;
    assert_int_equal(trn_mesh_models(&stage->input, stage->scratch, NULL, 0, &count),
                     TRN_RESULT_FULL);
    assert_int_equal(count, TRN_MESH_MODEL_FACES_MAX);
    TrnMesh mesh;
    trn_mesh_init(&mesh, NULL);
    assert_int_equal(trn_mesh_build(&mesh, &stage->input, stage->scratch), TRN_RESULT_OK);
    assert_int_equal(mesh.model_count, TRN_MESH_MODEL_FACES_MAX);
    assert_int_equal(trn_mesh_count(&mesh.info), 0);
    trn_mesh_free(&mesh);
    stage_destroy(stage);
}

static void a_mesh_holds_models_and_frees_them(void **state)
{
    (void)state;
    Stage *stage = stage_of_test_types();
    for (size_t fail_at = 0; fail_at < 4; fail_at++) {
        TestAllocator memory = {.fail_at = fail_at};
        const TrnAllocator allocator = test_allocator(&memory);
        TrnMesh mesh;
        trn_mesh_init(&mesh, &allocator);
        stage_encode(stage, CENTRE, checkerboard(STONE, SLAB));
        TrnResult result = trn_mesh_build(&mesh, &stage->input, stage->scratch);
        const bool fails = fail_at == 1 || fail_at == 2; // the quads' memory, the models'
        assert_int_equal(result, fails ? TRN_RESULT_NO_MEMORY : TRN_RESULT_OK);
        assert_int_equal(mesh.model_count != 0, !fails);
        assert_int_equal(trn_mesh_count(&mesh.info) != 0, !fails);
        assert_int_equal(memory.live_bytes, trn_mesh_bytes(&mesh));
        result = trn_mesh_build(&mesh, &stage->input, stage->scratch);
        assert_int_equal(result, fail_at == 3 ? TRN_RESULT_OK : result);
        stage_encode(stage, CENTRE, layered(9, STONE, AIR));
        assert_int_equal(trn_mesh_build(&mesh, &stage->input, stage->scratch), TRN_RESULT_OK);
        assert_int_equal(mesh.model_count, 0);
        trn_mesh_free(&mesh);
        assert_int_equal(memory.live_bytes, 0);
    }
    stage_destroy(stage);
}

static void bad_arguments_are_refused(void **state)
{
    (void)state;
    Stage *stage = stage_of_test_types();
    uint32_t count = 77;
    const TrnResult bad = TRN_RESULT_BAD_ARGUMENT;
    assert_int_equal(trn_mesh_models(NULL, stage->scratch, model_faces, 9, &count), bad);
    assert_int_equal(trn_mesh_models(&stage->input, NULL, model_faces, 9, &count), bad);
    assert_int_equal(trn_mesh_models(&stage->input, stage->scratch + 1, model_faces, 9, &count),
                     bad);
    assert_int_equal(trn_mesh_models(&stage->input, stage->scratch, NULL, 9, &count), bad);
    assert_int_equal(trn_mesh_models(&stage->input, stage->scratch, model_faces, 9, NULL), bad);
    assert_int_equal(count, 77);
    assert_int_equal(trn_mesh_models(&stage->input, stage->scratch, NULL, 0, &count),
                     TRN_RESULT_OK);
    assert_int_equal(count, 0);
    stage_destroy(stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_field_of_a_face_reads_back),
        cmocka_unit_test(a_slab_on_the_ground_shows_five_faces),
        cmocka_unit_test(boxes_hide_what_they_cover_and_no_more),
        cmocka_unit_test(fences_connect_to_rock_and_to_each_other),
        cmocka_unit_test(models_connect_across_chunk_borders),
        cmocka_unit_test(panes_are_whole_posts_or_capped_by_their_neighbours),
        cmocka_unit_test(a_cube_of_a_model_looks_like_an_opaque_block),
        cmocka_unit_test(a_face_inside_its_voxel_is_darkened_where_it_touches),
        cmocka_unit_test(a_chunk_of_eight_boxes_everywhere_takes_the_most_faces),
        cmocka_unit_test(a_mesh_holds_models_and_frees_them),
        cmocka_unit_test(bad_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
