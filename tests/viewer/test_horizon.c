/// Culling by the horizon never hides a chunk that is visible, checked by rays through the voxels.
#include "testing.h"

#include <math.h>

#include <render/horizon.h>
#include <terrane/raycast.h>

#define EDGE 9   // chunks of a test's world, along x and z
#define HEIGHT 3 // along y
#define RAYS 60  // to each hidden chunk

/// Hills with tunnels and arches through them.
typedef struct Land {
    TrnCoord origin;
    int height[EDGE * 32][EDGE * 32]; ///< z, x
    struct {
        int low[3], high[3];
    } holes[24];
    int hole_count;
} Land;

static void make_land(TestRandom *random, Land *land)
{
    memset(land, 0, sizeof *land);
    for (int hill = 0; hill < 14; hill++) {
        const int x = (int)test_random_range(random, 0, EDGE * 32 - 1);
        const int z = (int)test_random_range(random, 0, EDGE * 32 - 1);
        const int width = (int)test_random_range(random, 10, 60);
        const int tall = (int)test_random_range(random, 10, HEIGHT * 32 - 2);
        for (int at = 0; at < EDGE * 32 * EDGE * 32; at++) {
            const int here[2] = {at % (EDGE * 32), at / (EDGE * 32)};
            int *height = &land->height[here[1]][here[0]];
            const int own = (int)(tall * (1 - hypot(here[0] - x, here[1] - z) / width));
            *height = own > *height ? own : *height;
        }
    }
    land->hole_count = (int)test_random_range(random, 0, 24);
    for (int i = 0; i < land->hole_count; i++) {
        const int64_t along = test_random_range(random, 0, 2);
        for (int axis = 0; axis < 3; axis++) {
            const int64_t width = test_random_range(random, 2, axis == along ? 90 : 9);
            const int edge = (axis == 1 ? HEIGHT : EDGE) * 32;
            land->holes[i].low[axis] = (int)test_random_range(random, 0, edge - 1);
            land->holes[i].high[axis] = land->holes[i].low[axis] + (int)width;
        }
    }
}

static bool is_rock(const Land *land, int x, int y, int z)
{
    for (int i = 0; i < land->hole_count; i++) {
        const int *low = land->holes[i].low, *high = land->holes[i].high;
        if (x >= low[0] && x < high[0] && y >= low[1] && y < high[1] && z >= low[2] &&
            z < high[2]) {
            return false;
        }
    }
    return y <= land->height[z][x];
}

static void note_chunk(const TrnStore *store, TrnChunk *chunk)
{
    const uint32_t *bits = trn_block_types_opaque_bits(trn_store_block_types(store));
    uint32_t rows[TRN_CHUNK_ROWS];
    trn_snapshot_opaque_rows(trn_voxels_snapshot(&chunk->voxels), bits, rows);
    ChunkView *view = chunk_view(chunk);
    *view = (ChunkView){.is_shown = true, .low = 32, .run.pages = 1};
    view->has_rock = horizon_find_rock(rows, view->rock);
    for (uint32_t i = 0; i < TRN_CHUNK_ROWS; i++) {
        const uint8_t y = (uint8_t)(i / 32);
        view->low = rows[i] && y < view->low ? y : view->low;
        view->high = rows[i] ? (uint8_t)(y + 1) : view->high;
    }
}

/// @param chunks  receives those with rock. @return how many
static size_t fill_store(const Land *land, TrnStore *store, TrnChunk **chunks)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    size_t count = 0;
    for (int place = 0; place < EDGE * EDGE * HEIGHT; place++) {
        const int low[3] = {place % EDGE * 32, place / EDGE / EDGE * 32, place / EDGE % EDGE * 32};
        const TrnCoord coord = trn_coord_add(land->origin, low[0] / 32, low[1] / 32, low[2] / 32);
        bool any = false;
        for (int i = 0; i < TRN_CHUNK_VOXELS; i++) {
            const bool rock =
                is_rock(land, low[0] + i % 32, low[1] + i / 1024, low[2] + i / 32 % 32);
            blocks[i] = rock ? TRN_BLOCK_STONE : TRN_BLOCK_AIR;
            any |= rock;
        }
        TrnChunk *chunk;
        assert_int_equal(trn_store_insert_voxels(store, coord, blocks, &chunk), TRN_RESULT_OK);
        note_chunk(store, chunk);
        chunks[count] = chunk;
        count += any;
    }
    return count;
}

/// Somewhere in the air.
static Camera find_camera(TestRandom *random, const Land *land)
{
    int at[3];
    do {
        for (int axis = 0; axis < 3; axis++) {
            at[axis] = (int)test_random_range(random, 0, (axis == 1 ? HEIGHT : EDGE) * 32 - 1);
        }
    } while (is_rock(land, at[0], at[1], at[2]));
    Camera camera = {.yaw = 30};
    camera.position.chunk = trn_coord_add(land->origin, at[0] / 32, at[1] / 32, at[2] / 32);
    for (int axis = 0; axis < 3; axis++) {
        camera.position.offset[axis] =
            at[axis] % 32 + (double)test_random_range(random, 1, 999) / 1000;
    }
    return camera;
}

static bool is_in_picture(const CameraView *view, const double direction[3])
{
    vec4 point = {0, 0, 0, 1}, shown;
    for (int axis = 0; axis < 3; axis++) {
        point[axis] = view->offset[axis] + (float)direction[axis];
    }
    glm_mat4_mulv((vec4 *)view->clip, point, shown);
    return fabsf(shown[0]) <= shown[3] && fabsf(shown[1]) <= shown[3];
}

/// Casts rays from the camera, in the picture, to points in a chunk's rock: none may reach it.
/// @return whether any point was in the picture
static bool check_hidden(TestRandom *random, const TrnStore *store, const Camera *camera,
                         const CameraView *view, const TrnChunk *chunk)
{
    TrnRayDef def = trn_ray_def();
    def.distance_max = 1000;
    bool any = false;
    for (int i = 0; i < RAYS; i++) {
        double direction[3];
        const TrnCoord by = {chunk->coord.x - camera->position.chunk.x,
                             chunk->coord.y - camera->position.chunk.y,
                             chunk->coord.z - camera->position.chunk.z};
        const int32_t chunks[3] = {by.x, by.y, by.z};
        for (int axis = 0; axis < 3; axis++) {
            direction[axis] = chunks[axis] * 32 +
                              (double)test_random_range(random, 0, 32000) / 1000 -
                              camera->position.offset[axis];
        }
        if (!is_in_picture(view, direction)) {
            continue;
        }
        any = true;
        TrnRayHit hit;
        assert_int_equal(trn_store_raycast(store, camera->position, direction, &def, &hit),
                         TRN_RESULT_OK);
        if (hit.end == TRN_RAY_END_BLOCK &&
            trn_coord_equal(trn_voxel_chunk(hit.voxel), chunk->coord)) {
            fail_msg("ray %d meets chunk (%d %d %d), which counts as hidden", i, chunk->coord.x,
                     chunk->coord.y, chunk->coord.z);
        }
    }
    return any;
}

static void no_ray_meets_a_hidden_chunk(void **state)
{
    (void)state;
    static Land land;
    static TrnChunk *chunks[EDGE * EDGE * HEIGHT];
    static const TrnCoord origins[] = {{0, 0, 0}, {-5, -2, -4}, {INT32_MAX - 8, 5, INT32_MIN}};
    TestRandom random = test_random_seeded(26);
    size_t hidden = 0, all = 0;
    Horizon horizon = {0};
    for (uint32_t world = 0; world < test_rounds(18, 4); world++) {
        TrnStoreDef def = trn_store_def();
        TrnStore *store;
        def.user_bytes = sizeof(ChunkView);
        assert_int_equal(trn_store_create(&def, &store), TRN_RESULT_OK);
        make_land(&random, &land);
        land.origin = origins[world % 3];
        const size_t count = fill_store(&land, store, chunks);
        for (int i = 0; i < 6; i++) {
            const Camera camera = find_camera(&random, &land);
            const TrnBox box = {land.origin,
                                trn_coord_add(land.origin, EDGE - 1, HEIGHT - 1, EDGE - 1)};
            CameraView view;
            camera_view(&camera, 800, 500, 1000, &view);
            assert_true(horizon_begin(&horizon, &view));
            assert_true(horizon_add_level(&horizon, box, chunks, count));
            for (size_t k = 0; k < count; k++, all++) {
                if (horizon_hides(&horizon, chunks[k])) {
                    hidden += check_hidden(&random, store, &camera, &view, chunks[k]);
                }
            }
        }
        trn_store_destroy(store);
    }
    print_message("  %zu of %zu chunks hidden\n", hidden, all);
    assert_true(hidden * 60 > all);
    horizon_free(&horizon);
}

static void squares_have_their_longest_range(void **state)
{
    (void)state;
    static uint32_t rows[TRN_CHUNK_ROWS];
    ChunkRock rock[CHUNK_VIEW_CELLS];
    assert_false(horizon_find_rock(rows, rock));
    memset(rows, 0xff, sizeof rows);
    rows[20 * 32 + 17] &= ~(UINT32_C(1) << 9); // y 20, z 17, x 9
    rows[25 * 32 + 16] &= ~(UINT32_C(1) << 8); // above it, in the same square
    rows[3 * 32 + 20] &= ~(UINT32_C(1) << 31); // y 3, z 20, x 31
    for (int y = 0; y < 32; y++) {
        rows[y * 32 + 31] = 0; // the last squares along z have a gap at each height
    }
    assert_true(horizon_find_rock(rows, rock));
    for (int i = 0; i < CHUNK_VIEW_CELLS; i++) {
        const bool below = i == 2 * 4 + 1, above = i == 2 * 4 + 3, none = i / 4 == 3;
        assert_int_equal(rock[i].low, above ? 4 : 0);
        assert_int_equal(rock[i].high, none ? 0 : below ? 20 : 32);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_ray_meets_a_hidden_chunk),
        cmocka_unit_test(squares_have_their_longest_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
