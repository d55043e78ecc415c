// Flights with edits, removals and faults: whatever players, hooks and allocators do, what a stream
// shows at the end is what its header says, checked against a brute-force model (stream_flight.h).
// Equal flights give equal results at any number of workers.

#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)

#include "flight_checks.h"
#include "stream_task.h"

/// What happens on a flight. A chance of n: about one update in n; 0: never.
typedef struct Plan {
    uint32_t anchors, radius, height;
    uint32_t edits, removals, inserts, saves, teleports, resizes, comings;
    /// Of hooks, of allocations; in every second stretch of 64 updates.
    uint32_t fail_every, memory_fail_every;
    uint32_t upload_fail_every;
    double speed; ///< maximum, blocks a second
} Plan;

// ---- moving ------------------------------------------------------------------------------------

static bool happens(TestRandom *random, uint32_t chance)
{
    return chance && test_random_next(random) % chance == 0;
}

static void turn(TrnStreamAnchor *anchor, TestRandom *random, double speed)
{
    for (int axis = 0; axis < 3; axis++) {
        anchor->view[axis] = (double)test_random_range(random, -100, 100);
        anchor->velocity[axis] = speed * anchor->view[axis] / 100 * (axis == 1 ? 0.2 : 1);
    }
    if (happens(random, 8)) {
        memset(anchor->view, 0, sizeof anchor->view);
    }
}

/// Near the start, far away, or at an end of the world.
static void teleport(TrnStreamAnchor *anchor, TestRandom *random)
{
    const int64_t place = test_random_range(random, 0, 5);
    const int32_t x = (int32_t)test_random_range(random, -8, 8);
    const int32_t ends[6] = {x, x, 5000 + x, -300, INT32_MAX - 2, INT32_MIN + 1};
    anchor->position.chunk.x = ends[place];
    anchor->position.chunk.y = 0;
    anchor->position.chunk.z = place == 5 ? INT32_MAX : (int32_t)test_random_range(random, -8, 8);
}

static void add_anchor(Flight *flight, TestRandom *random, const Plan *plan)
{
    for (uint32_t i = 0; i < plan->anchors; i++) {
        FlightAnchor *anchor = &flight->anchors[i];
        if (!anchor->is_used) {
            anchor->anchor = trn_stream_anchor();
            anchor->anchor.radius_chunks = plan->radius;
            anchor->anchor.height_chunks = plan->height;
            turn(&anchor->anchor, random, plan->speed);
            const TrnResult result =
                trn_stream_anchor_add(flight->stream, &anchor->anchor, &anchor->id);
            anchor->is_used = result == TRN_RESULT_OK;
            assert_true(anchor->is_used || flight->memory_fail_every);
            return;
        }
    }
}

static void steer(Flight *flight, FlightAnchor *anchor, TestRandom *random, const Plan *plan)
{
    if (happens(random, plan->comings)) {
        assert_int_equal(trn_stream_anchor_remove(flight->stream, anchor->id), TRN_RESULT_OK);
        assert_int_equal(trn_stream_anchor_remove(flight->stream, anchor->id), TRN_RESULT_STALE_ID);
        anchor->is_used = false;
        return;
    }
    if (happens(random, 40)) {
        turn(&anchor->anchor, random, plan->speed);
    }
    if (happens(random, plan->teleports)) {
        teleport(&anchor->anchor, random);
    }
    if (happens(random, plan->resizes)) {
        anchor->anchor.radius_chunks = (uint32_t)test_random_range(random, 0, plan->radius);
        anchor->anchor.height_chunks = (uint32_t)test_random_range(random, 0, plan->height);
    }
    move(&anchor->anchor.position, anchor->anchor.velocity, 1.0 / 60);
    assert_int_equal(trn_stream_anchor_set(flight->stream, anchor->id, &anchor->anchor),
                     TRN_RESULT_OK);
}

static const TrnStreamAnchor *any_anchor(const Flight *flight, TestRandom *random)
{
    const uint32_t first = (uint32_t)test_random_range(random, 0, FLIGHT_ANCHORS - 1);
    for (uint32_t i = 0; i < FLIGHT_ANCHORS; i++) {
        const FlightAnchor *anchor = &flight->anchors[(first + i) % FLIGHT_ANCHORS];
        if (anchor->is_used) {
            return &anchor->anchor;
        }
    }
    return NULL;
}

/// A chunk in or near an anchor's view.
static bool any_coord(const Flight *flight, TestRandom *random, TrnCoord *coord)
{
    const TrnStreamAnchor *anchor = any_anchor(flight, random);
    if (!anchor) {
        return false;
    }
    const int64_t radius = anchor->radius_chunks + 3, height = anchor->height_chunks + 3;
    *coord = anchor->position.chunk;
    int32_t *const axes[3] = {&coord->x, &coord->y, &coord->z};
    for (int axis = 0; axis < 3; axis++) {
        const int64_t reach = axis == 1 ? height : radius;
        const int64_t at = *axes[axis] + test_random_range(random, -reach, reach);
        *axes[axis] = (int32_t)(at < INT32_MIN ? INT32_MIN : at > INT32_MAX ? INT32_MAX : at);
    }
    return true;
}

// ---- editing -----------------------------------------------------------------------------------

/// A block, a box or a ball near the ground; often across the corners of chunks.
static bool any_edit(const Flight *flight, TestRandom *random, Edit *edit)
{
    const TrnStreamAnchor *anchor = any_anchor(flight, random);
    if (!anchor) {
        return false;
    }
    TrnVoxel at = trn_coord_voxel(anchor->position.chunk);
    at.y = happens(random, 6) ? at.y : 0;
    const int64_t reach = 32 * (int64_t)anchor->radius_chunks + 16;
    const bool is_corner = happens(random, 2);
    const int64_t x = test_random_range(random, -reach, reach),
                  z = test_random_range(random, -reach, reach);
    at = voxel_plus(at, is_corner ? x & ~31 : x, test_random_range(random, -6, 12),
                    is_corner ? z & ~31 : z);
    const int64_t size = happens(random, 3) ? test_random_range(random, 0, 33) : 0;
    edit->min = at;
    edit->max = voxel_plus(at, size, size / 3, test_random_range(random, 0, size));
    edit->centre = at;
    edit->radius = happens(random, 3) ? (double)test_random_range(random, 0, 9) : -1;
    edit->block = happens(random, 3) ? (TrnBlock)test_random_range(random, 1, 6) : TRN_BLOCK_AIR;
    edit->absent = happens(random, 2) ? TRN_UNLOADED_PENDING : TRN_UNLOADED_SKIP;
    return true;
}

/// Whether the stream has to save a chunk: a view holds it, or did and it is still loaded.
static bool is_known(const Flight *flight, TrnCoord coord)
{
    return trn_chunk_index_find(trn_stream_index(flight->stream), coord, NULL);
}

static void save_foreign(Flight *flight, TrnCoord coord)
{
    const TrnBlock *expected = flight_expected(flight, coord);
    FlightPlace *place = flight_place(flight, coord);
    if (!place->saved) {
        place->saved = malloc(sizeof(TrnBlock[TRN_CHUNK_VOXELS]));
        assert_non_null(place->saved);
    }
    memcpy(place->saved, expected, sizeof(TrnBlock[TRN_CHUNK_VOXELS]));
}

/// The game removes a chunk itself; its changes are saved.
static void remove_chunk(Flight *flight, TrnCoord coord)
{
    const uint32_t fail_every = atomic_exchange(&flight->fail_every, 0);
    const bool was_there = trn_store_find(flight->store, coord) != NULL;
    if (was_there && !is_known(flight, coord)) {
        save_foreign(flight, coord); // no view ever held it: the stream does not know it
    }
    const TrnResult result = trn_store_remove(flight->store, coord);
    assert_true(result == (was_there ? TRN_RESULT_OK : TRN_RESULT_NOT_FOUND) ||
                flight->memory_fail_every || flight->bytes_max);
    atomic_store(&flight->fail_every, fail_every);
}

/// The game inserts a chunk itself, equal to what the stream would have loaded.
static void insert_chunk(Flight *flight, TrnCoord coord)
{
    const TrnBlock *blocks = flight_expected(flight, coord);
    const TrnResult result = trn_store_insert_voxels(flight->store, coord, blocks, NULL);
    assert_true(result == TRN_RESULT_OK || result == TRN_RESULT_EXISTS ||
                flight->memory_fail_every || flight->bytes_max);
    flight_place(flight, coord)->is_foreign |= result == TRN_RESULT_OK;
}

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

static void set_faults(Flight *flight, const Plan *plan, uint32_t step)
{
    const bool is_bad = step / 64 % 2;
    atomic_store(&flight->fail_every, is_bad ? plan->fail_every : 0);
    flight->memory_fail_every = is_bad ? plan->memory_fail_every : 0;
    flight->upload_fail_every = is_bad ? plan->upload_fail_every : 0;
}

static void act(Flight *flight, TestRandom *random, const Plan *plan)
{
    Edit edit;
    TrnCoord coord;
    for (uint32_t i = 0; i < plan->anchors; i++) {
        if (flight->anchors[i].is_used) {
            steer(flight, &flight->anchors[i], random, plan);
        }
    }
    if (happens(random, 30)) {
        add_anchor(flight, random, plan);
    }
    if (happens(random, plan->edits) && any_edit(flight, random, &edit)) {
        make_edit(flight, &edit);
    }
    if (happens(random, plan->removals) && any_coord(flight, random, &coord)) {
        remove_chunk(flight, coord);
    }
    if (happens(random, plan->inserts) && any_coord(flight, random, &coord)) {
        insert_chunk(flight, coord);
    }
    if (happens(random, plan->saves)) {
        (void)trn_stream_save(flight->stream);
    }
}

static void look(Flight *flight, TestRandom *random, uint32_t hysteresis)
{
    TrnCoord coord;
    for (int i = 0; i < 8 && any_coord(flight, random, &coord); i++) {
        check_chunk(flight, coord);
        check_wanted(flight, coord, hysteresis);
    }
    if (happens(random, 4) && any_coord(flight, random, &coord)) {
        check_readiness(flight, random, coord);
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

static const Plan plain_plan = {.anchors = 3,
                                .radius = 4,
                                .height = 2,
                                .edits = 2,
                                .saves = 90,
                                .teleports = 150,
                                .resizes = 120,
                                .comings = 200,
                                .speed = 200};

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
        fly_once(test_random_next(&random), 0, plan, change, test_rounds(steps, steps / 3));
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

/// A thread for every piece of work; every seventh start is refused, and every fifth runs the work
/// at once.
static bool start_task(void *user, void (*work)(void *context), void *context)
{
    uint32_t *calls = user;
    const uint32_t call = ++*calls;
    if (call % 7 == 0) {
        return false;
    }
    if (call % 5 == 0) {
        work(context);
        return true;
    }
    return stream_task_start(work, context);
}

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
        for (uint32_t step = 0; step < 500; step++) {
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

// ---- exact replay ------------------------------------------------------------------------------

#define TRACE_STEPS 240u

typedef struct Trace {
    /// Hashes of all calls of hooks and listener on the calling thread so far.
    uint64_t steps[TRACE_STEPS];
    uint64_t figures;
} Trace;

static uint64_t figures_of(const TrnStreamStats *stats)
{
    const uint64_t figures[] = {stats->updates,
                                stats->wanted,
                                stats->loaded,
                                stats->shown,
                                stats->unsaved,
                                stats->queued,
                                stats->generated,
                                stats->restored,
                                stats->inserted,
                                stats->meshed,
                                stats->uploaded,
                                stats->unloaded,
                                stats->saved,
                                stats->failures,
                                stats->stale,
                                stats->groups,
                                stats->shrinks,
                                stats->grows,
                                stats->cancelled_before,
                                stats->cancelled_during,
                                stats->store_bytes,
                                stats->mesh_bytes};
    uint64_t hash = 0;
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
        hash = flight_mix(hash, figures[i]);
    }
    return hash;
}

static void trace_flight(uint64_t seed, size_t bytes_max, const TrnStreamDef *change, Trace *trace)
{
    TestRandom random = {seed};
    TrnStreamDef def;
    Flight *flight = flight_begin_world(seed, bytes_max, &def);
    Plan plan = plain_plan;
    plan.teleports = 60;
    plan.removals = 20;
    plan.fail_every = 9;
    def.workers = change->workers;
    def.runner = change->runner;
    def.budget.units = 20;
    flight_start(flight, &def);
    add_anchor(flight, &random, &plan);
    for (uint32_t step = 0; step < TRACE_STEPS; step++) {
        set_faults(flight, &plan, step);
        act(flight, &random, &plan);
        update(flight);
        trace->steps[step] = flight->trace;
    }
    const TrnStreamStats stats = trn_stream_stats(flight->stream);
    trace->figures = figures_of(&stats);
    flight_end(flight);
}

/// Equal order of all calls, not only an equal result, with edits, teleports, removals and failing
/// hooks.
static void a_flight_is_the_same_at_any_number_of_workers(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(911);
    const uint32_t workers[] = {2, 8, 1, 4};
    for (uint32_t round = 0; round < 2; round++) {
        const uint64_t seed = test_random_next(&random);
        const size_t bytes_max = round ? (size_t)4 << 20 : 0;
        static Trace first, other;
        TrnStreamDef change = {.workers = 0};
        trace_flight(seed, bytes_max, &change, &first);
        for (uint32_t i = 0; i < test_rounds(4, 1); i++) {
            change.workers = workers[i];
            trace_flight(seed, bytes_max, &change, &other);
            for (uint32_t step = 0; step < TRACE_STEPS; step++) {
                if (first.steps[step] != other.steps[step]) {
                    fail_msg("with %u workers, step %u differs", workers[i], step);
                }
            }
            assert_int_equal(first.figures, other.figures);
        }
        uint32_t calls = 0;
        const TrnStreamRunner runner = {start_task, 2, &calls};
        change = (TrnStreamDef){.runner = &runner};
        trace_flight(seed, bytes_max, &change, &other);
        assert_memory_equal(&first, &other, sizeof first);
    }
}

// ---- destruction -------------------------------------------------------------------------------

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/// At any moment, with slow hooks, and with hooks that return only when cancelled.
static void a_stream_ends_at_any_moment(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(912);
    double slowest = 0;
    for (uint32_t round = 0; round < test_rounds(40, 12); round++) {
        TrnStreamDef def;
        const uint64_t seed = test_random_next(&random);
        TestRandom its = {seed};
        Flight *flight = flight_begin_world(seed, 0, &def);
        def.workers = 1 + round % 3;
        def.budget = (TrnStreamBudget){.ms = 0.3};
        atomic_store(&flight->slow_us, round % 2 ? 3000 : 0);
        flight_start(flight, &def);
        add_anchor(flight, &its, &plain_plan);
        const uint32_t steps = (uint32_t)test_random_range(&its, 0, 40);
        for (uint32_t step = 0; step < steps; step++) {
            act(flight, &its, &plain_plan);
            update(flight);
        }
        if (round % 4 == 3) {
            atomic_store(&flight->waits_for_cancel, true);
            update(flight);
        }
        const double start = seconds_now();
        flight_end_stream(flight);
        const double took = seconds_now() - start;
        slowest = took > slowest ? took : slowest;
        flight_end(flight);
    }
    print_message("  the slowest destruction took %.1f ms\n", slowest * 1e3);
    assert_true(slowest < 2); // the bench requires 100 ms on an idle machine
}

/// A new stream takes over the store's chunks as an earlier one left them.
static void a_stream_takes_over_from_another(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(913);
    TrnStreamDef def;
    Flight *flight = flight_begin_world(913, 0, &def);
    Plan plan = plain_plan;
    plan.teleports = 0;
    plan.anchors = 1;
    for (uint32_t round = 0; round < 4; round++) {
        flight_start(flight, &def);
        add_anchor(flight, &random, &plan);
        for (uint32_t step = 0; step < 100; step++) {
            act(flight, &random, &plan);
            update(flight);
        }
        settle(flight);
        check_all(flight, def.hysteresis_chunks);
        assert_int_equal(trn_stream_save(flight->stream), TRN_RESULT_OK);
        flight_end_stream(flight);
        memset(flight->anchors, 0, sizeof flight->anchors);
        flight->edit_count = 0;
        for (uint32_t i = 0; i < FLIGHT_PLACES; i++) { // what is left belongs to no stream
            flight->places[i].is_foreign = trn_store_find(flight->store, flight->places[i].coord);
        }
    }
    flight_end(flight);
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
        cmocka_unit_test(a_flight_is_the_same_at_any_number_of_workers),
        cmocka_unit_test(a_stream_ends_at_any_moment),
        cmocka_unit_test(a_stream_takes_over_from_another),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
