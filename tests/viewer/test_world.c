/// The world around the viewer's camera: which chunks are loaded, shown and reported, with any
/// number of workers and within any memory.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "place.h"
#include "unseen_world.h"

#include <math.h>
#include <time.h>
#include <unistd.h>

#include <player/player.h>

/// Replaces the renderer: counts, and can run out of memory.
typedef struct Sink {
    uint32_t shown, hidden; ///< chunks with quads
    uint32_t came, went;
    uint32_t room; ///< how many chunks with quads it takes
    uint64_t told; ///< a hash of all that it was told, in that order
    const World *world;
} Sink;

static void hear(Sink *sink, uint64_t word)
{
    sink->told = (sink->told ^ word) * UINT64_C(0x9E3779B97F4A7C15);
    sink->told ^= sink->told >> 29;
}

static void hear_coord(Sink *sink, TrnCoord coord)
{
    hear(sink, (uint32_t)coord.x);
    hear(sink, (uint32_t)coord.y);
    hear(sink, (uint32_t)coord.z);
}

static bool in_world(TrnCoord from, int32_t x, int32_t y, int32_t z)
{
    const int64_t at[3] = {(int64_t)from.x + x, (int64_t)from.y + y, (int64_t)from.z + z};
    for (int axis = 0; axis < 3; axis++) {
        if (at[axis] < INT32_MIN || at[axis] > INT32_MAX) {
            return false;
        }
    }
    return true;
}

/// Checks that a shown chunk has all its neighbours; otherwise it would show hidden faces.
static void check_neighbours(const Sink *sink, TrnCoord at)
{
    for (int32_t i = 0; i < 27; i++) {
        const int32_t x = i % 3 - 1, z = i / 3 % 3 - 1, y = i / 9 - 1;
        assert_true(!in_world(at, x, y, z) ||
                    trn_store_find(world_store(sink->world), trn_coord_add(at, x, y, z)));
    }
}

static void sink_hide(void *user, TrnChunk *chunk)
{
    Sink *sink = user;
    sink->hidden += chunk_view(chunk)->run.pages;
    memset(chunk_view(chunk), 0, sizeof(ChunkView));
}

static bool sink_show(void *user, TrnChunk *chunk, uint32_t level, const ChunkMesh *mesh)
{
    (void)level;
    Sink *sink = user;
    sink_hide(sink, chunk);
    check_neighbours(sink, chunk->coord);
    const uint32_t count = trn_mesh_count(mesh->info);
    if (count && sink->shown - sink->hidden >= sink->room) {
        return false;
    }
    hear_coord(sink, chunk->coord);
    for (uint32_t i = 0; i < count; i++) {
        hear(sink, mesh->quads[i]);
    }
    chunk_view(chunk)->run.pages = count > 0;
    sink->shown += count > 0;
    return true;
}

static void sink_note(void *user, TrnCoord coord, TrnChunk *chunk)
{
    Sink *sink = user;
    assert_true(!chunk || trn_coord_equal(chunk->coord, coord));
    hear_coord(sink, coord);
    hear(sink, chunk != NULL);
    *(chunk ? &sink->came : &sink->went) += 1;
}

static WorldDef world_def(Sink *sink, int view_distance, uint32_t workers)
{
    WorldDef def = {.terrain = trn_terrain_def(),
                    .view_distance = view_distance,
                    .view_height = view_distance,
                    .workers = workers,
                    .sink = {sink, sink_show, sink_hide, sink_note, unseen_place}};
    def.terrain.seed = 5;
    return def;
}

static World *make_world(Sink *sink, const WorldDef *def)
{
    World *world;
    Message problem;
    if (!world_create(&world, def, &problem)) {
        fail_msg("%s", problem.text);
    }
    sink->world = world;
    return world;
}

static Camera camera_in(TrnCoord chunk)
{
    return (Camera){.position = {chunk, {16, 16, 16}}};
}

static TrnStreamReport update(World *world, TrnCoord centre, uint32_t units)
{
    const Camera camera = camera_in(centre);
    TrnStreamReport report;
    world_update(world, &camera, AT_REST, (TrnStreamBudget){.units = units}, &report);
    return report;
}

static void load_all(World *world, TrnCoord centre)
{
    const Camera camera = camera_in(centre);
    world_load_all(world, &camera);
}

/// Checks that everything in the flattened ball is loaded and shown.
static void check_ball(const World *world, TrnCoord centre, int32_t radius, int32_t height)
{
    const TrnChunkIndex *index = trn_stream_index(world_stream(world));
    const TrnPlane shown = trn_chunk_index_plane(index, "shown");
    for (int32_t y = -height; y <= height; y++) {
        for (int32_t z = -radius; z <= radius; z++) {
            for (int32_t x = -radius; x <= radius; x++) {
                const int32_t across2 = height * height * (x * x + z * z);
                if (across2 + radius * radius * y * y > radius * radius * height * height ||
                    !in_world(centre, x, y, z)) {
                    continue;
                }
                const TrnCoord at = trn_coord_add(centre, x, y, z);
                assert_non_null(trn_store_find(world_store(world), at));
                assert_true(trn_chunk_index_plane_test(index, shown, at));
            }
        }
    }
}

// ---- what is there ------------------------------------------------------------------------------

static void the_ball_is_complete_wherever_the_camera_goes(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(14);
    Sink sink = {.room = UINT32_MAX};
    const WorldDef def = world_def(&sink, 4, 2);
    World *world = make_world(&sink, &def);
    TrnCoord centre = {0, 0, 0};
    for (uint32_t step = 0; step < test_rounds(60, 10); step++) {
        int32_t reach = step % 10 == 9 ? 20 : 1;
        centre = trn_coord_add(centre, (int32_t)test_random_range(&random, -reach, reach),
                               (int32_t)test_random_range(&random, -reach, reach),
                               (int32_t)test_random_range(&random, -reach, reach));
        update(world, centre, 25); // some steps leave before all is done
        if (step % 3) {
            load_all(world, centre);
            check_ball(world, centre, 4, 4);
        }
    }
    assert_true(sink.went > 0);
    assert_int_equal(sink.came - sink.went, trn_store_stats(world_store(world)).chunks);
    world_destroy(world);
}

static void a_flattened_view_is_complete_and_smaller(void **state)
{
    (void)state;
    test_skip_without_threads();
    Sink sink = {.room = UINT32_MAX}, tall_sink = {.room = UINT32_MAX};
    WorldDef def = world_def(&sink, 6, 0);
    def.view_height = 2;
    World *flat = make_world(&sink, &def);
    def = world_def(&tall_sink, 6, 0);
    World *tall = make_world(&tall_sink, &def);
    load_all(flat, (TrnCoord){7, 0, 7});
    load_all(tall, (TrnCoord){7, 0, 7});
    check_ball(flat, (TrnCoord){7, 0, 7}, 6, 2);
    check_ball(tall, (TrnCoord){7, 0, 7}, 6, 6);
    assert_true(sink.came * 3 < tall_sink.came * 2);
    assert_true(world_view_part(flat) == 1);
    world_destroy(flat);
    world_destroy(tall);
}

/// Counts the chunks within a distance.
static uint32_t ball_count(int32_t radius)
{
    uint32_t count = 0;
    for (int32_t y = -radius; y <= radius; y++) {
        for (int32_t z = -radius; z <= radius; z++) {
            for (int32_t x = -radius; x <= radius; x++) {
                count += x * x + y * y + z * z <= radius * radius;
            }
        }
    }
    return count;
}

static void what_lies_behind_goes_also_from_a_fast_flight(void **state)
{
    (void)state;
    test_skip_without_threads();
    Sink sink = {.room = UINT32_MAX};
    const WorldDef def = world_def(&sink, 8, 0);
    World *world = make_world(&sink, &def);
    // Through the sky, where chunks generate at once: two chunks further in every update.
    TrnCoord centre = {0, 60, 0};
    for (uint32_t step = 0; step < test_rounds(200, 80); step++) {
        centre.x += 2;
        update(world, centre, 1000);
        assert_true(trn_store_stats(world_store(world)).chunks < 2 * ball_count(9));
    }
    load_all(world, centre);
    assert_in_range(trn_store_stats(world_store(world)).chunks, ball_count(9), ball_count(12));
    world_destroy(world);
}

static void the_ends_of_the_world_and_jumps_between_them_load(void **state)
{
    (void)state;
    static const TrnCoord centres[] = {{0, 0, 0},
                                       {INT32_MAX, 0, INT32_MAX},
                                       {INT32_MIN, INT32_MIN, INT32_MIN},
                                       {INT32_MAX, INT32_MAX, INT32_MIN}};
    Sink sink = {.room = UINT32_MAX};
    const WorldDef def = world_def(&sink, 3, 2);
    World *world = make_world(&sink, &def);
    for (size_t i = 0; i < sizeof centres / sizeof centres[0]; i++) {
        load_all(world, centres[i]);
        check_ball(world, centres[i], 3, 3);
    }
    world_destroy(world);
}

static void the_land_that_is_loaded_is_the_one_that_was_asked_for(void **state)
{
    (void)state;
    test_skip_without_threads();
    Sink sink = {.room = UINT32_MAX};
    WorldDef def = world_def(&sink, 2, 0);
    assert_int_equal(trn_terrain_shape_preset("alps", &def.terrain.shape), TRN_RESULT_OK);
    TrnTerrain *expected;
    assert_int_equal(trn_terrain_create(&def.terrain, &expected), TRN_RESULT_OK);
    World *world = make_world(&sink, &def);
    const TrnVoxel column = {1000, 0, -700};
    int64_t height;
    assert_int_equal(trn_terrain_height(expected, column.x, column.z, &height), TRN_RESULT_OK);
    const TrnVoxel top = {column.x, height, column.z};
    load_all(world, trn_voxel_chunk(top));
    TrnTerrainSample place;
    TrnBlock block;
    assert_int_equal(trn_terrain_sample(expected, column.x, column.z, &place), TRN_RESULT_OK);
    assert_int_equal(trn_store_get_block(world_store(world), top, &block), TRN_RESULT_OK);
    assert_int_equal(block, place.top);
    int64_t seen; // what the camera keeps clear of
    assert_int_equal(trn_terrain_height(world_terrain(world), column.x, column.z, &seen),
                     TRN_RESULT_OK);
    assert_int_equal(seen, height);
    world_destroy(world);
    trn_terrain_destroy(expected);
}

/// With a time budget and other threads, as in the window.
static void the_ball_is_complete_with_a_budget_of_time_too(void **state)
{
    (void)state;
    Sink sink = {.room = UINT32_MAX};
    const int distance = (int)test_rounds(5, 3);
    const WorldDef def = world_def(&sink, distance, 3);
    World *world = make_world(&sink, &def);
    const double velocity[3] = {64, 0, 0};
    for (int step = 0; step < 6; step++) {
        const TrnCoord centre = {2 * step, step, 0};
        const Camera camera = camera_in(centre);
        int updates = 0;
        do {
            world_update(world, &camera, velocity, (TrnStreamBudget){.ms = 1}, NULL);
            nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL); // a short frame
            assert_true(++updates < 20000);
        } while (!world_is_idle(world) && (step % 2 || updates < 5));
        if (step % 2) {
            check_ball(world, centre, distance, distance);
        }
    }
    world_destroy(world); // in the midst of it, when the last step is even
}

// ---- events -------------------------------------------------------------------------------------

/// Flies and jumps, and ends before all is loaded. @return a hash of all calls of the sink
static uint64_t fly(int view_distance, uint32_t workers, size_t memory_bytes, uint64_t *made)
{
    Sink sink = {.room = UINT32_MAX};
    WorldDef def = world_def(&sink, view_distance, workers);
    def.memory_bytes = memory_bytes;
    World *world = make_world(&sink, &def);
    load_all(world, (TrnCoord){0, 0, 0});
    const int steps = (int)test_rounds(40, 20);
    for (int step = 0; step < steps; step++) {
        const Camera camera = {
            .position = {{step < steps - 10 ? step / 2 : 40 + step, step % 3, 0}, {1, 2, 3}},
            .yaw = (float)(7 * step)};
        const double velocity[3] = {16, 0, 0};
        world_update(world, &camera, velocity, (TrnStreamBudget){.units = 60}, NULL);
        const TrnStreamStats stats = world_stats(world).stream;
        assert_true(!memory_bytes || stats.total_bytes <= memory_bytes);
    }
    *made = world_stats(world).stream.generated;
    world_destroy(world);
    return sink.told;
}

static void all_is_told_in_the_same_order_at_any_number_of_workers(void **state)
{
    (void)state;
    static const uint32_t workers[] = {2, 8, 1, 4, 0};
    const int distance = (int)test_rounds(6, 3);
    uint64_t made, told = fly(distance, 0, 0, &made);
    assert_true(made > test_rounds(1500, 250));
    for (size_t i = 0; i < test_rounds(sizeof workers / sizeof workers[0], 1); i++) {
        uint64_t now;
        if (fly(distance, workers[i], 0, &now) != told || now != made) {
            fail_msg("another world with %u workers", workers[i]);
        }
    }
}

static void a_limit_of_memory_cuts_the_same_view_at_any_number_of_workers(void **state)
{
    (void)state;
    static const uint32_t workers[] = {1, 3, 2, 0}; // for which the limit suffices
    const int distance = (int)test_rounds(6, 4);
    const size_t limit = (size_t)test_rounds(28, 16) << 20; // cuts the view
    uint64_t made, unlimited, told = fly(distance, 0, limit, &made);
    assert_true(told != fly(distance, 0, 0, &unlimited));
    for (size_t i = 0; i < test_rounds(sizeof workers / sizeof workers[0], 1); i++) {
        uint64_t now;
        if (fly(distance, workers[i], limit, &now) != told || now != made) {
            fail_msg("another view with %u workers", workers[i]);
        }
    }
}

/// Counts what a recorded trace says: inserts less removals, and lookups of neighbours.
static void read_recorded(const char *path, uint32_t *there, uint32_t *meshed, uint32_t *finds)
{
    char line[128];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        *there += line[0] == '+';
        *there -= line[0] == '-';
        *meshed += line[0] == 'n';
        *finds += line[0] == '?';
    }
    fclose(file);
}

static void all_that_is_asked_of_the_store_is_recorded(void **state)
{
    (void)state;
    Place place;
    char path[PLACE_PATH];
    assert_true(place_begin(&place));
    (void)place_path(&place, "a.trace", path);
    Sink sink = {.room = UINT32_MAX};
    Message note, problem;
    WorldDef def = world_def(&sink, 3, 1);
    assert_true(trace_writer_create(&def.trace, path, &problem));
    World *world = make_world(&sink, &def);
    for (int32_t step = 0; step < 4; step++) {
        load_all(world, (TrnCoord){4 * step, -step, 0});
    }
    uint32_t chunks = trn_store_stats(world_store(world)).chunks;
    uint32_t there = 0, meshed = 0, finds = 0;
    assert_true(trace_writer_finish(def.trace, &note, &problem));
    read_recorded(path, &there, &meshed, &finds);
    assert_true(sink.went > 0);
    assert_int_equal(there, chunks);
    assert_int_equal(meshed, world_stats(world).stream.meshed);
    assert_true(meshed >= sink.shown);
    // Each chunk was looked up before it was meshed or removed.
    assert_true(finds >= 2 * meshed + sink.went);
    world_destroy(world); // what happens after its end is not in the trace
    trace_writer_destroy(def.trace);
    there = 0;
    read_recorded(path, &there, &meshed, &finds);
    assert_int_equal(there, chunks);
    assert_true(place_discard(&place));
}

// ---- without room -------------------------------------------------------------------------------

static void a_full_graphics_card_is_counted_and_filled_again_later(void **state)
{
    (void)state;
    test_skip_without_threads();
    Sink sink = {.room = 10};
    const WorldDef def = world_def(&sink, 3, 0);
    World *world = make_world(&sink, &def);
    load_all(world, (TrnCoord){0, 0, 0});
    assert_int_equal(sink.shown - sink.hidden, 10);
    const uint32_t refused = world_refused(world);
    assert_true(refused > 10);
    sink.room = UINT32_MAX;
    for (int updates = 0; world_refused(world); updates++) {
        update(world, (TrnCoord){0, 0, 0}, 100);
        assert_true(updates < 3000);
    }
    assert_int_equal(sink.shown - sink.hidden, 10 + refused);
    load_all(world, (TrnCoord){0, 0, 0});
    check_ball(world, (TrnCoord){0, 0, 0}, 3, 3);

    // A chunk that was refused and then unloaded is no longer counted.
    sink.room = 0;
    load_all(world, (TrnCoord){9, 0, 0});
    assert_true(world_refused(world) > 0);
    load_all(world, (TrnCoord){9, 70, 0}); // high in the sky, where there is nothing to see
    assert_int_equal(world_refused(world), 0);
    world_destroy(world);
}

static void too_little_memory_makes_the_view_smaller_and_says_so(void **state)
{
    (void)state;
    test_skip_without_threads();
    Sink sink = {.room = UINT32_MAX};
    WorldDef def = world_def(&sink, 12, 0);
    def.memory_bytes = (size_t)16 << 20;
    World *world = make_world(&sink, &def);
    const TrnCoord centre = {0, 0, 0};
    for (int updates = 0; updates < 600; updates++) {
        update(world, centre, 200);
        assert_true(trn_stream_bytes(world_stream(world)) <= def.memory_bytes);
    }
    const WorldStats stats = world_stats(world);
    print_message("  %u of %u chunks\n", stats.view.rings, stats.view.rings_wanted);
    assert_true(stats.view.is_shrunk);
    assert_in_range(stats.view.rings, 2, 11);
    const float part = world_view_part(world);
    assert_true(part == (float)stats.view.rings / 12);
    check_ball(world, centre, (int32_t)stats.view.rings, (int32_t)stats.view.rings);
    world_destroy(world);

    Message problem;
    def.memory_bytes = (size_t)1 << 20;
    assert_false(world_create(&world, &def, &problem));
    assert_non_null(strstr(problem.text, "--memory"));
}

// ---- waiting ------------------------------------------------------------------------------------

static void the_land_around_a_place_says_how_far_it_is(void **state)
{
    (void)state;
    test_skip_without_threads();
    Sink sink = {.room = UINT32_MAX};
    const WorldDef def = world_def(&sink, 6, 0);
    World *world = make_world(&sink, &def);
    const TrnCoord centre = {INT32_MAX - 1, 0, 0}; // the world ends in the box
    const TrnPosition place = camera_in(centre).position;
    TrnStreamReadiness ready = world_readiness(world, place);
    assert_int_equal(ready.chunks, 5 * 7 * 7);
    assert_int_equal(ready.loaded, 0);
    uint64_t before = 0;
    while (!ready.is_shown) {
        update(world, centre, 20);
        ready = world_readiness(world, place);
        assert_true(ready.shown >= before);
        before = ready.shown;
    }
    assert_int_equal(ready.shown, ready.chunks);
    world_destroy(world);
}

/// A camera at the middle of a column's surface.
static Camera camera_over(const World *world, int64_t x, int64_t z, double above)
{
    int64_t height;
    assert_int_equal(trn_terrain_height(world_terrain(world), x, z, &height), TRN_RESULT_OK);
    const double pose[5] = {(double)x + 0.5, (double)height + 1 + above, (double)z + 0.5, 0, 0};
    return camera_at(pose);
}

static TrnStreamReadiness ground_of(const World *world, const Player *player)
{
    TrnVoxel min, max;
    player_ground(player, &min, &max);
    return trn_stream_readiness(world_stream(world), min, max);
}

static void a_player_waits_for_the_ground_and_then_stands_on_it(void **state)
{
    (void)state;
    test_skip_without_threads();
    Sink sink = {.room = UINT32_MAX};
    WorldDef def = world_def(&sink, 3, 0);
    assert_int_equal(trn_terrain_shape_preset("flat", &def.terrain.shape), TRN_RESULT_OK);
    World *world = make_world(&sink, &def);
    const TrnStore *const store = world_store(world);
    const double step = 1.0 / 60;
    Camera camera = camera_over(world, 40, 40, 6);
    const Camera start = camera;
    Player player = player_begin(NULL, camera.position);
    player_put_eyes(&player, &camera);
    const PlayerWish nothing = {.yaw = 0}, forward = {.forward = 1};
    for (int i = 0; i < 100; i++) {
        player_advance(&player, store, &forward, step);
        assert_true(player_waits(&player));
    }
    player_camera(&player, 0, 0, &camera);
    double voxel[3], at_first[3];
    camera_voxel(&camera, voxel);
    camera_voxel(&start, at_first);
    assert_memory_equal(voxel, at_first, sizeof voxel); // neither falls nor walks
    assert_int_equal(ground_of(world, &player).loaded, 0);

    load_all(world, camera.position.chunk);
    for (int i = 0; i < 180; i++) {
        player_advance(&player, store, &nothing, step);
        assert_false(player_waits(&player));
    }
    player_camera(&player, 0, 0, &camera);
    camera_voxel(&camera, voxel);
    int64_t height;
    assert_int_equal(trn_terrain_height(world_terrain(world), 40, 40, &height), TRN_RESULT_OK);
    assert_true(player.body.on_ground || player.body.in_liquid);
    assert_true(player.body.in_liquid ||
                fabs(voxel[1] - ((double)height + 1 + PLAYER_EYES)) < 1e-3);

    // Straight ahead, out of what is loaded: the player stops at the edge, and never falls.
    double lowest = voxel[1];
    for (int i = 0; i < 60 * 60; i++) {
        player_advance(&player, store, &forward, step);
        player_camera(&player, 0, 0, &camera);
        camera_voxel(&camera, voxel);
        lowest = fmin(lowest, voxel[1]);
    }
    assert_false(ground_of(world, &player).is_loaded);
    assert_true(lowest > (double)TRN_TERRAIN_LOWEST);
    assert_true(player_waits(&player));
    const double stopped = voxel[2];
    load_all(world, camera.position.chunk); // the ground comes, and on it goes
    player_advance(&player, store, &forward, 0.25);
    player_camera(&player, 0, 0, &camera);
    camera_voxel(&camera, voxel);
    assert_true(voxel[2] < stopped);
    world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_ball_is_complete_wherever_the_camera_goes),
        cmocka_unit_test(a_flattened_view_is_complete_and_smaller),
        cmocka_unit_test(what_lies_behind_goes_also_from_a_fast_flight),
        cmocka_unit_test(the_ends_of_the_world_and_jumps_between_them_load),
        cmocka_unit_test(the_land_that_is_loaded_is_the_one_that_was_asked_for),
        cmocka_unit_test(the_ball_is_complete_with_a_budget_of_time_too),
        cmocka_unit_test(all_is_told_in_the_same_order_at_any_number_of_workers),
        cmocka_unit_test(a_limit_of_memory_cuts_the_same_view_at_any_number_of_workers),
        cmocka_unit_test(all_that_is_asked_of_the_store_is_recorded),
        cmocka_unit_test(a_full_graphics_card_is_counted_and_filled_again_later),
        cmocka_unit_test(too_little_memory_makes_the_view_smaller_and_says_so),
        cmocka_unit_test(the_land_around_a_place_says_how_far_it_is),
        cmocka_unit_test(a_player_waits_for_the_ground_and_then_stands_on_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
