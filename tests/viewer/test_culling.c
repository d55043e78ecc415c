/// Occlusion culling never hides a chunk that is visible, checked by rays through the voxels.
#include "testing.h"

#include <math.h>

#include <render/chunk_view.h>
#include <render/culling.h>
#include <terrane/raycast.h>

#define EDGE 5 // chunks along the edge of a test's world
#define RAYS 1500

static const TrnPlaneDef PLANES[] = {{.name = CULLING_PLANE_DRAWN}, {.name = CULLING_PLANE_CLOSED}};

static TrnStore *make_store(bool with_planes)
{
    TrnStoreDef def = trn_store_def();
    TrnStore *store;
    def.user_bytes = sizeof(ChunkView);
    def.planes = PLANES;
    def.plane_count = with_planes ? 2 : 0;
    assert_int_equal(trn_store_create(&def, &store), TRN_RESULT_OK);
    return store;
}

/// Records for a chunk what the viewer would; here all chunks have quads.
static void note_chunk(TrnStore *store, TrnChunk *chunk)
{
    const uint32_t *opaque = trn_block_types_opaque_bits(trn_store_block_types(store));
    ChunkView *view = chunk_view(chunk);
    view->run.pages = 1;
    view->hidden =
        (TrnVisibility)(TRN_VISIBILITY_ALL &
                        ~trn_visibility_of_snapshot(trn_voxels_snapshot(&chunk->voxels), opaque));
    culling_note(store, chunk);
}

static TrnBox world_box(TrnCoord origin)
{
    return (TrnBox){origin, trn_coord_add(origin, EDGE - 1, EDGE - 1, EDGE - 1)};
}

/// Carves a corridor along one axis.
static void carve(TestRandom *random, TrnBlock *blocks)
{
    const int64_t axis = test_random_range(random, 0, 2);
    int64_t low[3], high[3];
    for (int i = 0; i < 3; i++) {
        const int64_t width =
            i == axis ? test_random_range(random, 8, 31) : test_random_range(random, 0, 5);
        low[i] = test_random_range(random, 0, 31 - width);
        high[i] = low[i] + width;
    }
    for (int64_t y = low[1]; y <= high[1]; y++) {
        for (int64_t z = low[2]; z <= high[2]; z++) {
            for (int64_t x = low[0]; x <= high[0]; x++) {
                blocks[(y * 32 + z) * 32 + x] = TRN_BLOCK_AIR;
            }
        }
    }
}

/// Creates a world of stone with corridors; some chunks are missing, some are air.
static void make_caves(TestRandom *random, TrnStore *store, TrnCoord origin)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    const int64_t corridors = test_random_range(random, 0, 14);
    for (int place = 0; place < EDGE * EDGE * EDGE; place++) {
        const TrnCoord coord =
            trn_coord_add(origin, place % EDGE, place / EDGE % EDGE, place / EDGE / EDGE);
        const int64_t kind = test_random_range(random, 0, 19);
        TrnChunk *chunk;
        if (kind == 0) {
            continue;
        }
        for (int i = 0; i < TRN_CHUNK_VOXELS; i++) {
            blocks[i] = kind == 1 ? TRN_BLOCK_AIR : TRN_BLOCK_STONE;
        }
        for (int64_t i = 0; i < corridors; i++) {
            carve(random, blocks);
        }
        assert_int_equal(trn_store_insert_voxels(store, coord, blocks, &chunk), TRN_RESULT_OK);
        note_chunk(store, chunk);
    }
}

static Camera random_camera(TestRandom *random, TrnCoord origin)
{
    Camera camera = {.yaw = (float)test_random_range(random, 0, 359),
                     .pitch = (float)test_random_range(random, -80, 80)};
    camera.position.chunk = trn_coord_add(origin, (int32_t)test_random_range(random, 0, EDGE - 1),
                                          (int32_t)test_random_range(random, 0, EDGE - 1),
                                          (int32_t)test_random_range(random, 0, EDGE - 1));
    for (int axis = 0; axis < 3; axis++) {
        camera.position.offset[axis] = (double)test_random_range(random, 0, 31999) / 1000;
    }
    return camera;
}

static bool is_seen(const Culling *culling, TrnCoord coord)
{
    for (size_t i = 0; i < culling->seen_count; i++) {
        if (trn_coord_equal(culling->seen[i]->coord, coord)) {
            return true;
        }
    }
    return false;
}

/// Casts rays through the whole picture. @return how many hit a block
static int check_rays(TestRandom *random, const TrnStore *store, const Camera *camera,
                      const CameraView *view, const Culling *culling)
{
    int hits = 0;
    TrnRayDef def = trn_ray_def();
    def.distance_max = 400;
    for (int i = 0; i < RAYS; i++) {
        const float right = (float)test_random_range(random, -1000, 1000) / 1000;
        const float up = (float)test_random_range(random, -1000, 1000) / 1000;
        double direction[3];
        TrnRayHit hit;
        for (int axis = 0; axis < 3; axis++) {
            direction[axis] = (double)(view->ray_forward[axis] + right * view->ray_right[axis] +
                                       up * view->ray_up[axis]);
        }
        assert_int_equal(trn_store_raycast(store, camera->position, direction, &def, &hit),
                         TRN_RESULT_OK);
        if (hit.end == TRN_RAY_END_BLOCK) {
            const TrnCoord chunk = {(int32_t)(hit.voxel.x >> 5), (int32_t)(hit.voxel.y >> 5),
                                    (int32_t)(hit.voxel.z >> 5)};
            if (!is_seen(culling, chunk)) {
                fail_msg("the block that ray %d hits, in chunk (%d %d %d), is not seen", i, chunk.x,
                         chunk.y, chunk.z);
            }
            hits++;
        }
    }
    return hits;
}

static void what_a_ray_hits_is_seen(void **state)
{
    (void)state;
    static const TrnCoord origins[] = {{0, 0, 0}, {-3, -2, -4}, {INT32_MAX - 4, 5, INT32_MIN}};
    TestRandom random = test_random_seeded(71);
    size_t seen = 0, held = 0, hits = 0;
    Culling culling = {0};
    for (int world = 0; world < 36; world++) {
        TrnStore *store = make_store(world % 4 != 3);
        const TrnCoord origin = origins[world % 3];
        make_caves(&random, store, origin);
        for (int i = 0; i < 5; i++) {
            const Camera camera = random_camera(&random, origin);
            CameraView view;
            camera_view(&camera, 160, 100, 400, &view);
            assert_true(culling_find(&culling, &view, store, world_box(origin), false));
            held += culling.seen_count;
            assert_true(culling_find(&culling, &view, store, world_box(origin), true));
            seen += culling.seen_count;
            hits += (size_t)check_rays(&random, store, &camera, &view, &culling);
        }
        trn_store_destroy(store);
    }
    print_message("  %zu rays hit, %zu of %zu chunks in the frustum seen\n", hits, seen, held);
    assert_true(hits > 100000);
    assert_true(seen * 10 < held * 9);
    culling_free(&culling);
}

/// Counts the visible chunks in a cube of chunks of stone; the camera's own chunk is of the block
/// `own`.
static size_t seen_from_inside(TrnBlock own, bool occlusion)
{
    TrnStore *store = make_store(true);
    Culling culling = {0};
    for (uint32_t place = 0; place < 125; place++) {
        const TrnCoord coord = {(int32_t)(place % 5), (int32_t)(place / 25),
                                (int32_t)(place / 5 % 5)};
        TrnChunk *chunk;
        const TrnBlock block = place == 62 ? own : TRN_BLOCK_STONE;
        assert_int_equal(trn_store_insert_uniform(store, coord, block, &chunk), TRN_RESULT_OK);
        note_chunk(store, chunk);
    }
    const Camera camera = {.position = {{2, 2, 2}, {16, 16, 16}}};
    CameraView view;
    camera_view(&camera, 100, 100, 400, &view);
    assert_true(culling_find(&culling, &view, store, world_box((TrnCoord){0, 0, 0}), occlusion));
    const size_t count = culling.seen_count;
    culling_free(&culling);
    trn_store_destroy(store);
    return count;
}

static void stone_hides_what_is_behind_it_but_not_around_the_camera(void **state)
{
    (void)state;
    // Looking along -z: the camera's chunk, the one ahead, and those next to it that reach into the
    // picture.
    const size_t from_air = seen_from_inside(TRN_BLOCK_AIR, true);
    const size_t everything = seen_from_inside(TRN_BLOCK_AIR, false);
    assert_true(from_air >= 2 && from_air <= 6);
    assert_true(everything > from_air + 5);
    assert_int_equal(seen_from_inside(TRN_BLOCK_STONE, true), from_air);
}

static void a_camera_outside_the_box_or_in_the_void_sees_what_there_is(void **state)
{
    (void)state;
    TrnStore *store = make_store(true);
    Culling culling = {0};
    TrnChunk *chunk;
    const Camera camera = {.position = {{2, 2, 4}, {16, 16, 16}}};
    CameraView view;
    camera_view(&camera, 100, 100, 400, &view);
    assert_true(culling_find(&culling, &view, store, world_box((TrnCoord){0, 0, 0}), true));
    assert_int_equal(culling.seen_count, 0);
    assert_int_equal(trn_store_insert_uniform(store, (TrnCoord){2, 2, 0}, TRN_BLOCK_STONE, &chunk),
                     TRN_RESULT_OK);
    note_chunk(store, chunk);
    assert_true(culling_find(&culling, &view, store, world_box((TrnCoord){0, 0, 0}), true));
    assert_int_equal(culling.seen_count, 1);
    assert_ptr_equal(culling.seen[0], chunk);
    assert_true(culling_find(&culling, &view, store, world_box((TrnCoord){8, 8, 8}), true));
    assert_int_equal(culling.seen_count, 0);
    culling_free(&culling);
    trn_store_destroy(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_ray_hits_is_seen),
        cmocka_unit_test(stone_hides_what_is_behind_it_but_not_around_the_camera),
        cmocka_unit_test(a_camera_outside_the_box_or_in_the_void_sees_what_there_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
