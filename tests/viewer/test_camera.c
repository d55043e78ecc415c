/// The camera: which chunks it sees, and which of their faces are drawn in which order.
#include "testing.h"

#include <math.h>

#include <render/camera.h>
#include <render/chunk_view.h>
#include <render/draw_list.h>

// ---- what it sees -------------------------------------------------------------------------------

static Camera camera_in(TrnCoord chunk, float yaw, float pitch)
{
    return (Camera){.position = {chunk, {16, 16, 16}}, .yaw = yaw, .pitch = pitch};
}

static void chunks_in_front_are_kept_and_behind_dropped(void **state)
{
    (void)state;
    static const TrnCoord places[] = {
        {0, 0, 0},
        {INT32_MIN, INT32_MIN, INT32_MIN},
        {INT32_MAX, INT32_MAX, INT32_MAX},
        {INT32_MIN, 3, INT32_MAX},
    };
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        TrnCoord at = places[i];
        CameraView view;
        Camera camera = camera_in(at, 0, 0); // towards -z
        camera_view(&camera, 1280, 720, 640, &view);
        assert_true(camera_view_holds(&view, at, 0));
        for (int32_t away = 2; away <= 16; away++) {
            TrnCoord ahead = trn_coord_add(at, 0, 0, -away), behind = trn_coord_add(at, 0, 0, away);
            if (at.z > INT32_MIN + 16) {
                assert_true(camera_view_holds(&view, ahead, 0));
            }
            if (at.z < INT32_MAX - 16) {
                assert_false(camera_view_holds(&view, behind, 0));
            }
        }
        // The other end of the world is 2^32 chunks away and must not be visible.
        TrnCoord other = {at.x, at.y, at.z < 0 ? INT32_MAX : INT32_MIN};
        assert_true(at.z == 0 || !camera_view_holds(&view, other, 0));
    }
}

/// A chunk that contains a point of the picture is never dropped, whatever the direction.
static void nothing_in_the_picture_is_culled(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(12);
    for (int round = 0; round < 20000; round++) {
        Camera camera = camera_in((TrnCoord){1000, -5, INT32_MAX - 40},
                                  (float)test_random_range(&random, -180, 180),
                                  (float)test_random_range(&random, -89, 89));
        CameraView view;
        camera_view(&camera, 1280, 720, 640, &view);
        float right = (float)test_random_range(&random, -100, 100) / 100;
        float up = (float)test_random_range(&random, -100, 100) / 100;
        float depth = (float)test_random_range(&random, 1, 600);
        TrnCoord chunk = view.chunk;
        int32_t *axes[] = {&chunk.x, &chunk.y, &chunk.z};
        for (int axis = 0; axis < 3; axis++) {
            float at =
                view.offset[axis] + depth * (view.ray_forward[axis] + right * view.ray_right[axis] +
                                             up * view.ray_up[axis]);
            *axes[axis] += (int32_t)floorf(at / TRN_CHUNK_EDGE);
        }
        assert_true(camera_view_holds(&view, chunk, 0));
    }
}

static void the_rays_of_the_corners_are_the_corners(void **state)
{
    (void)state;
    Camera camera = camera_in((TrnCoord){3, 1, -2}, 30, -20);
    CameraView view;
    camera_view(&camera, 1280, 720, 640, &view);
    for (int corner = 0; corner < 4; corner++) {
        float right = corner & 1 ? 1 : -1, up = corner & 2 ? 1 : -1;
        vec4 at = {0, 0, 0, 1}, clip;
        for (int axis = 0; axis < 3; axis++) {
            at[axis] =
                view.offset[axis] + 50 * (view.ray_forward[axis] + right * view.ray_right[axis] +
                                          up * view.ray_up[axis]);
        }
        glm_mat4_mulv(view.clip, at, clip);
        assert_true(fabsf(clip[0] / clip[3] - right) < 1e-3f);
        assert_true(fabsf(clip[1] / clip[3] - up) < 1e-3f);
    }
}

static void just_below_a_chunk_border_is_inside_the_chunk(void **state)
{
    (void)state;
    const double pose[5] = {31.9999999, 31.999999999, -1e-9, 0, 0};
    const Camera camera = camera_at(pose);
    assert_int_equal(camera.position.chunk.x, 0);
    assert_int_equal(camera.position.chunk.z, -1);
    for (int axis = 0; axis < 3; axis++) {
        assert_true(camera.position.offset[axis] < TRN_CHUNK_EDGE);
        assert_true(camera.position.offset[axis] > TRN_CHUNK_EDGE - 0.01f);
    }
}

static void a_camera_stands_in_its_chunk_and_stops_at_the_end(void **state)
{
    (void)state;
    const double pose[5] = {-0.5, 31.5, 1e6, 370, 0};
    Camera camera = camera_at(pose);
    assert_int_equal(camera.position.chunk.x, -1);
    assert_int_equal(camera.position.chunk.y, 0);
    assert_true(fabs(camera.position.offset[0] - 31.5) < 1e-9);

    const double far[5] = {1e300, -1e300, (double)TRN_VOXEL_MAX, 0, 500};
    camera = camera_at(far);
    assert_int_equal(camera.position.chunk.x, INT32_MAX);
    assert_int_equal(camera.position.chunk.y, INT32_MIN);
    assert_int_equal(camera.position.chunk.z, INT32_MAX);
    for (int axis = 0; axis < 3; axis++) {
        assert_true(camera.position.offset[axis] >= 0 && camera.position.offset[axis] < 32);
    }
    assert_true(camera.pitch < 90);
}

// ---- drawing ------------------------------------------------------------------------------------

/// A store of a few chunks with a quad of each kind and face.
static TrnStore *make_quads(TrnChunk **chunks, int count)
{
    TrnStoreDef def = trn_store_def();
    def.user_bytes = sizeof(ChunkView);
    TrnStore *store;
    assert_int_equal(trn_store_create(&def, &store), TRN_RESULT_OK);
    for (int i = 0; i < count; i++) {
        assert_int_equal(
            trn_store_insert_uniform(store, (TrnCoord){0, 0, -i}, TRN_BLOCK_AIR, &chunks[i]),
            TRN_RESULT_OK);
        ChunkView *view = chunk_view(chunks[i]);
        *view = (ChunkView){.run = {(uint32_t)i, 1}};
        for (uint32_t group = 0; group <= TRN_MESH_GROUP_COUNT; group++) {
            view->first[group] = group - (group > TRN_MESH_PLANTS); // no plants
        }
    }
    return store;
}

static void faces_that_look_away_are_left_out_and_near_chunks_come_first(void **state)
{
    (void)state;
    TrnChunk *chunks[3];
    TrnStore *store = make_quads(chunks, 3);
    DrawList list = {.plants_distance = DRAW_PLANTS_DISTANCE};
    const DrawRanges *opaque = &list.surfaces[TRN_MESH_SURFACE_OPAQUE];
    const DrawRanges *cutout = &list.surfaces[TRN_MESH_SURFACE_CUTOUT];
    const DrawRanges *transparent = &list.surfaces[TRN_MESH_SURFACE_TRANSPARENT];
    CameraView view;
    Camera camera = camera_in((TrnCoord){0, 0, 1}, 0, 0); // looks along the row of chunks
    camera_view(&camera, 640, 480, 640, &view);
    assert_true(draw_list_build(&list, &view, chunks, 3));
    assert_int_equal(list.chunk_count, 3);
    // All faces except those towards -z: not one range of five quads, but 0..3 and 5.
    assert_int_equal(opaque->used, 6);
    assert_int_equal(opaque->first[0], 0);
    assert_int_equal(opaque->count[0], 4 * 6);
    assert_int_equal(opaque->first[1], 5 * 6);
    assert_int_equal(opaque->count[1], 6);
    assert_int_equal(opaque->first[2], QUAD_PAGE_QUADS * 6);
    assert_int_equal(cutout->used, 6);
    assert_int_equal(cutout->first[0], 6 * 6);
    assert_int_equal(cutout->count[0], 4 * 6);
    assert_int_equal(transparent->used, 3);
    assert_int_equal(transparent->first[0], 12 * 6);
    assert_int_equal(transparent->count[0], 6 * 6);
    assert_int_equal(transparent->first[2], (2 * QUAD_PAGE_QUADS + 12) * 6);
    assert_int_equal(list.quads, 3 * (5 + 5 + 6));

    camera.yaw = 180;
    camera_view(&camera, 640, 480, 640, &view);
    assert_true(draw_list_build(&list, &view, chunks, 3));
    assert_int_equal(opaque->used + cutout->used + transparent->used, 0);
    draw_list_free(&list);
    trn_store_destroy(store);
}

static void plants_are_drawn_near_the_camera_alone(void **state)
{
    (void)state;
    TrnChunk *chunks[16];
    TrnStore *store = make_quads(chunks, 16);
    for (int i = 0; i < 16; i++) { // one plant of two leaves in each
        for (uint32_t group = TRN_MESH_PLANTS; group < TRN_MESH_GROUP_COUNT; group++) {
            chunk_view(chunks[i])->first[group + 1] += 2;
        }
    }
    DrawList list = {.plants_distance = DRAW_PLANTS_DISTANCE};
    const DrawRanges *plants = &list.surfaces[TRN_MESH_SURFACE_PLANT];
    CameraView view;
    Camera camera = camera_in((TrnCoord){0, 0, 1}, 0, 0); // looks along the row of chunks
    camera_view(&camera, 640, 480, 640, &view);
    assert_true(draw_list_build(&list, &view, chunks, 16));
    assert_int_equal(list.chunk_count, 16);
    // The plants with a corner within the distance, plus or minus one.
    const size_t near = (size_t)(DRAW_PLANTS_DISTANCE / TRN_CHUNK_EDGE);
    assert_in_range(plants->used, near, near + 1);
    for (size_t i = 0; i < plants->used; i++) {
        assert_int_equal(plants->first[i], (i * QUAD_PAGE_QUADS + TRN_MESH_PLANTS) * 6);
        assert_int_equal(plants->count[i], 2 * 6);
    }
    draw_list_free(&list);
    trn_store_destroy(store);
}

static void inside_a_chunk_all_its_faces_are_drawn(void **state)
{
    (void)state;
    TrnChunk *chunk;
    TrnStore *store = make_quads(&chunk, 1);
    DrawList list = {.plants_distance = DRAW_PLANTS_DISTANCE};
    const DrawRanges *opaque = &list.surfaces[TRN_MESH_SURFACE_OPAQUE];
    static const float places[] = {0.5f, 4, 16, 28, 31.5f};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        Camera camera = camera_in((TrnCoord){0, 0, 0}, 0, 0);
        for (int axis = 0; axis < 3; axis++) {
            camera.position.offset[axis] = places[i];
        }
        CameraView view;
        camera_view(&camera, 640, 480, 640, &view);
        assert_true(draw_list_build(&list, &view, &chunk, 1));
        assert_int_equal(opaque->used, 1);
        assert_int_equal(opaque->count[0], TRN_FACE_COUNT * 6);
    }
    draw_list_free(&list);
    trn_store_destroy(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chunks_in_front_are_kept_and_behind_dropped),
        cmocka_unit_test(nothing_in_the_picture_is_culled),
        cmocka_unit_test(the_rays_of_the_corners_are_the_corners),
        cmocka_unit_test(just_below_a_chunk_border_is_inside_the_chunk),
        cmocka_unit_test(a_camera_stands_in_its_chunk_and_stops_at_the_end),
        cmocka_unit_test(faces_that_look_away_are_left_out_and_near_chunks_come_first),
        cmocka_unit_test(plants_are_drawn_near_the_camera_alone),
        cmocka_unit_test(inside_a_chunk_all_its_faces_are_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
