// Flights with edits, removals and faults: whatever players, hooks and allocators do, what a
// stream shows at the end is what its header says, checked against a brute-force model
// (stream_flight.h).

#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)

#include "flight_plan.h"

// ---- after every update ------------------------------------------------------------------------

/// Whether all views have all rings asked for, and none is growing or shrunk.
static bool has_full_views(const Flight *flight)
{
    bool is_full = true;
    for (uint32_t i = 0; i < FLIGHT_ANCHORS; i++) {
        TrnStreamView view = {0};
        if (flight->anchors[i].is_used) {
            assert_int_equal(trn_stream_view(flight->stream, flight->anchors[i].id, &view),
                             TRN_RESULT_OK);
            is_full &= view.is_started && view.rings == view.rings_wanted;
        }
    }
    return is_full;
}

/// Whether some view is still larger than asked for: it drops its rings over some updates.
static bool has_too_large_views(const Flight *flight)
{
    for (uint32_t i = 0; i < FLIGHT_ANCHORS; i++) {
        TrnStreamView view = {0};
        if (flight->anchors[i].is_used &&
            trn_stream_view(flight->stream, flight->anchors[i].id, &view) == TRN_RESULT_OK &&
            view.rings > view.rings_wanted) {
            return true;
        }
    }
    return false;
}

static void check_wanted(const Flight *flight, TrnCoord coord, uint32_t hysteresis)
{
    const bool kept = trn_stream_views_have(&flight->stream->views, coord, TRN_STREAM_SHAPE_KEEP);
    const bool wanted = trn_stream_views_have(&flight->stream->views, coord, TRN_STREAM_SHAPE_LOAD);
    const bool should = flight_wants(flight, coord, 0, false);
    if (flight->may_lack_memory || has_too_large_views(flight)) {
        return; // a view may lag behind its anchor until memory is available
    }
    assert_true(has_full_views(flight) ? wanted == should : should || !wanted);
    assert_true(kept || !wanted);
    assert_true(!kept || flight_wants(flight, coord, hysteresis, false));
}

/// Checks that the figures count the bits of the planes.
static void check_counts(const Flight *flight)
{
    const TrnChunkIndex *index = trn_stream_index(flight->stream);
    const TrnChunkIndexStats planes = trn_chunk_index_stats(index);
    const TrnStreamStats stats = trn_stream_stats(flight->stream);
    const char *const names[] = {"wanted", "loaded", "shown", "unsaved"};
    const uint32_t counts[] = {stats.wanted, stats.loaded, stats.shown, stats.unsaved};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(counts[i], planes.plane_counts[trn_chunk_index_plane(index, names[i])]);
    }
}

static void check_readiness(const Flight *flight, TestRandom *random, TrnCoord coord)
{
    const TrnVoxel min = voxel_plus(trn_coord_voxel(coord), test_random_range(random, -20, 31),
                                    test_random_range(random, -20, 31), 5);
    const TrnVoxel max =
        voxel_plus(min, test_random_range(random, 0, 150), test_random_range(random, 0, 90), 60);
    const TrnStreamReadiness ready = trn_stream_readiness(flight->stream, min, max);
    TrnStreamReadiness model = {0};
    for (int64_t y = min.y >> 5; y <= max.y >> 5; y++) {
        for (int64_t z = min.z >> 5; z <= max.z >> 5; z++) {
            for (int64_t x = min.x >> 5; x <= max.x >> 5; x++) {
                const TrnVoxel voxel = {x * 32, y * 32, z * 32};
                if (trn_voxel_in_world(voxel)) {
                    const TrnCoord at = trn_voxel_chunk(voxel);
                    model.chunks++;
                    model.wanted += flight_has_plane(flight, "wanted", at);
                    model.loaded += trn_store_find(flight->store, at) != NULL;
                    model.shown += flight_has_plane(flight, "shown", at);
                }
            }
        }
    }
    assert_int_equal(ready.chunks, model.chunks);
    assert_int_equal(ready.wanted, model.wanted);
    assert_int_equal(ready.loaded, model.loaded);
    assert_int_equal(ready.shown, model.shown);
    assert_int_equal(ready.is_loaded, model.chunks && model.loaded == model.chunks);
    assert_int_equal(ready.is_shown, model.chunks && model.shown == model.chunks);
}

// ---- at the end --------------------------------------------------------------------------------

/// Checks that every edited chunk, pending edits excepted, was saved as it is.
static void check_saved(Flight *flight)
{
    assert_int_equal(trn_stream_save(flight->stream), TRN_RESULT_OK);
    assert_int_equal(trn_stream_stats(flight->stream).unsaved, 0);
    const size_t waiting_count = trn_pending_chunks(flight->store, NULL, 0);
    TrnCoord *waiting = malloc((waiting_count + 1) * sizeof(TrnCoord));
    assert_non_null(waiting);
    trn_pending_chunks(flight->store, waiting, waiting_count);
    static TrnBlock made[TRN_CHUNK_VOXELS];
    for (uint32_t i = 0; i < FLIGHT_PLACES; i++) {
        const FlightPlace *place = &flight->places[i];
        bool is_waiting = place->is_foreign && !is_known(flight, place->coord); // or the game's own
        for (size_t j = 0; j < waiting_count; j++) {
            is_waiting |= trn_coord_equal(waiting[j], place->coord);
        }
        if (!place->expected || is_waiting) {
            assert_true(place->expected || !place->saved);
            continue;
        }
        const TrnBlock *now = place->saved;
        if (!now) { // no edit has changed anything
            now = made;
            for (uint32_t j = flight_blocks(place->coord, made); j && j < TRN_CHUNK_VOXELS; j++) {
                made[j] = made[0];
            }
        }
        if (memcmp(now, place->expected, sizeof made) != 0) {
            fail_msg("an edit of chunk %d %d %d is not saved (%s; loaded: %d, foreign: %d, "
                     "wanted: %d)",
                     place->coord.x, place->coord.y, place->coord.z,
                     place->saved ? "others are" : "nothing is",
                     trn_store_find(flight->store, place->coord) != NULL, place->is_foreign,
                     flight_has_plane(flight, "wanted", place->coord));
        }
    }
    free(waiting);
}

// ---- flights -----------------------------------------------------------------------------------

static void look(Flight *flight, TestRandom *random, uint32_t hysteresis)
{
    TrnCoord coord;
    for (int i = 0; i < 8 && any_coord(flight, random, &coord); i++) {
        check_chunk(flight, coord);
        check_wanted(flight, coord, hysteresis);
    }
    if (happens(random, 4) && any_coord(flight, random, &coord)) {
        check_readiness(flight, random, coord);
        check_counts(flight);
    }
}

/// Flies, and checks everything at some halts and at the end.
static void fly(Flight *flight, TestRandom *random, const Plan *plan, const TrnStreamDef *def,
                uint32_t steps)
{
    add_anchor(flight, random, plan);
    for (uint32_t step = 0; step < steps; step++) {
        set_faults(flight, plan, step);
        act(flight, random, plan);
        update(flight);
        look(flight, random, def->hysteresis_chunks);
        if (step % 200 == 199 || step + 1 == steps) {
            settle(flight);
            check_all(flight, def->hysteresis_chunks);
        }
    }
    check_saved(flight);
}

static void a_flight_shows_what_brute_force_says(void **state)
{
    (void)state;
    test_skip_without_threads();
    TestRandom random = test_random_seeded(901);
    for (uint32_t round = 0; round < test_rounds(3, 1); round++) {
        TrnStreamDef def;
        Flight *flight = flight_begin_world(test_random_next(&random), 0, &def);
        def.hysteresis_chunks = round;
        flight_start(flight, &def);
        fly(flight, &random, &plain_plan, &def, test_rounds(1000, 300));
        const TrnStreamStats stats = trn_stream_stats(flight->stream);
        assert_int_equal(flight->load_events - flight->unload_events, stats.loaded);
        assert_true(stats.groups > 20 && stats.torn_groups == 0);
        flight_end(flight);
    }
}

/// One flight from start to end.
static void fly_once(uint64_t seed, size_t bytes_max, const Plan *plan, const TrnStreamDef *change,
                     uint32_t steps)
{
    TestRandom random = {seed};
    TrnStreamDef def;
    Flight *flight = flight_begin_world(seed, bytes_max, &def);
    flight->keeps_groups = !plan->upload_fail_every;
    flight->may_lack_memory = plan->memory_fail_every != 0 || bytes_max != 0;
    def.workers = change->workers;
    def.budget = change->budget;
    def.runner = change->runner;
    def.caller_works = change->caller_works;
    flight_start(flight, &def);
    fly(flight, &random, plan, &def, steps);
    flight_end(flight);
}

static void rounds(uint64_t seed, const Plan *plan, const TrnStreamDef *change, uint32_t steps)
{
    if (!change->workers) {
        test_skip_without_threads();
    }
    TestRandom random = test_random_seeded(seed);
    for (uint32_t round = 0; round < test_rounds(3, 1); round++) {
        fly_once(test_random_next(&random), 0, plan, change, test_rounds(steps, steps / 6));
    }
}

static const TrnStreamDef exact = {.budget = {.units = 48}};
static const TrnStreamDef threaded = {.budget = {.ms = 0.5}, .workers = 3};
static const TrnStreamDef eager = {.budget = {.ms = 2}, .workers = 1, .caller_works = true};

static void a_game_may_insert_and_remove_chunks_itself(void **state)
{
    (void)state;
    Plan plan = plain_plan;
    plan.removals = 3;
    plan.inserts = 5;
    rounds(902, &plan, &exact, 600);
}

static void failed_hooks_are_retried(void **state)
{
    (void)state;
    Plan plan = plain_plan;
    plan.fail_every = 5;
    rounds(903, &plan, &exact, 600);
}

static void failed_uploads_are_retried(void **state)
{
    (void)state;
    Plan plan = plain_plan;
    plan.upload_fail_every = 3;
    rounds(904, &plan, &exact, 600);
}

static void failed_allocations_leave_nothing_wrong(void **state)
{
    (void)state;
    Plan plan = plain_plan;
    plan.memory_fail_every = 20;
    plan.removals = 10;
    rounds(905, &plan, &exact, 600);
}

static void threads_show_what_brute_force_says(void **state)
{
    (void)state;
    Plan plan = plain_plan;
    plan.removals = 10;
    plan.inserts = 20;
    rounds(906, &plan, &threaded, 900);
    rounds(907, &plan, &eager, 600);
}

static void threads_and_all_faults_at_once(void **state)
{
    (void)state;
    Plan plan = plain_plan;
    plan.removals = 10;
    plan.fail_every = 7;
    plan.memory_fail_every = 50;
    plan.upload_fail_every = 9;
    rounds(908, &plan, &threaded, 900);
}

// ---- a caller's threads ------------------------------------------------------------------------

static void a_callers_threads_show_what_brute_force_says(void **state)
{
    (void)state;
    uint32_t calls = 0;
    const TrnStreamRunner runner = {start_task, 3, &calls};
    TrnStreamDef change = threaded;
    change.runner = &runner;
    Plan plan = plain_plan;
    plan.fail_every = 20;
    rounds(909, &plan, &change, 300);
    assert_true(calls > 0);
}

// ---- budgets -----------------------------------------------------------------------------------

static void budgets_are_never_passed(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(910);
    Plan plan = plain_plan;
    plan.anchors = 2;
    plan.radius = 6;
    plan.removals = 20;
    for (uint32_t round = 0; round < test_rounds(6, 2); round++) {
        TrnStreamDef def;
        const size_t bytes_max = ((size_t)2 + round) << 20;
        const uint64_t seed = test_random_next(&random);
        TestRandom its = {seed};
        Flight *flight = flight_begin_world(seed, bytes_max, &def);
        def.workers = round % 2 ? 2 : 0;
        def.budget = (TrnStreamBudget){.ms = round % 2, .units = round % 2 ? 0 : 48};
        def.queue_bytes = 256 << 10;
        flight_start(flight, &def);
        add_anchor(flight, &its, &plan);
        for (uint32_t step = 0; step < test_rounds(800, 200); step++) {
            act(flight, &its, &plan);
            update(flight);
            look(flight, &its, def.hysteresis_chunks);
        }
        flight_end(flight);
    }
}

static uint32_t any_of(TestRandom *random, uint32_t most)
{
    return (uint32_t)test_random_range(random, 0, most);
}

/// One in n, from one in two to one in `most`; or never.
static uint32_t any_chance(TestRandom *random, uint32_t most)
{
    return happens(random, 2) ? 0 : 2 + any_of(random, most - 2);
}

static Plan any_plan(TestRandom *random)
{
    return (Plan){.anchors = 1 + any_of(random, FLIGHT_ANCHORS - 1),
                  .radius = any_of(random, 5),
                  .height = any_of(random, 3),
                  .edits = any_chance(random, 5),
                  .removals = any_chance(random, 30),
                  .inserts = any_chance(random, 30),
                  .saves = any_chance(random, 60),
                  .teleports = any_chance(random, 100),
                  .resizes = any_chance(random, 60),
                  .comings = any_chance(random, 80),
                  .fail_every = any_chance(random, 10),
                  .memory_fail_every = any_chance(random, 60),
                  .upload_fail_every = any_chance(random, 9),
                  .speed = any_of(random, 500)};
}

static TrnStreamDef any_def(TestRandom *random)
{
    const TrnStreamBudget budgets[] = {{.units = 1},  {.units = 48}, {.units = UINT32_MAX},
                                       {.ms = 0.001}, {.ms = 2},     {.upload_bytes = 4096}};
    return (TrnStreamDef){.budget = budgets[any_of(random, sizeof budgets / sizeof budgets[0] - 1)],
                          .workers = any_of(random, 3),
                          .hysteresis_chunks = any_of(random, 4),
                          .queue_bytes = (size_t)any_of(random, 8) << 16,
                          .caller_works = happens(random, 2)};
}

/// With any combination of actions, at rest after the faults have ended: everything wanted that
/// fits is loaded and right.
static void any_flight_comes_to_rest_and_is_right(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(916);
    for (uint32_t round = 0; round < test_rounds(12, 3); round++) {
        const uint64_t seed = test_random_next(&random);
        TestRandom its = {seed};
        const Plan plan = any_plan(&its);
        const TrnStreamDef change = any_def(&its);
        const size_t bytes_max = happens(&its, 2) ? 0 : ((size_t)3 << 20) + any_of(&its, 5 << 20);
        TrnStreamDef def;
        Flight *flight = flight_begin_world(seed, bytes_max, &def);
        flight->keeps_groups = !plan.upload_fail_every;
        flight->may_lack_memory = plan.memory_fail_every != 0 || bytes_max != 0;
        def.workers = change.workers;
        def.budget = change.budget;
        def.hysteresis_chunks = change.hysteresis_chunks;
        def.queue_bytes = change.queue_bytes;
        def.caller_works = change.caller_works;
        flight_start(flight, &def);
        for (uint32_t step = 0; step < test_rounds(500, 150); step++) {
            set_faults(flight, &plan, step);
            act(flight, &its, &plan);
            update(flight);
            look(flight, &its, def.hysteresis_chunks);
        }
        settle(flight);
        if (has_full_views(flight)) {
            check_all(flight, def.hysteresis_chunks);
        }
        flight_end(flight);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_flight_shows_what_brute_force_says),
        cmocka_unit_test(a_game_may_insert_and_remove_chunks_itself),
        cmocka_unit_test(failed_hooks_are_retried),
        cmocka_unit_test(failed_uploads_are_retried),
        cmocka_unit_test(failed_allocations_leave_nothing_wrong),
        cmocka_unit_test(threads_show_what_brute_force_says),
        cmocka_unit_test(threads_and_all_faults_at_once),
        cmocka_unit_test(a_callers_threads_show_what_brute_force_says),
        cmocka_unit_test(budgets_are_never_passed),
        cmocka_unit_test(any_flight_comes_to_rest_and_is_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
