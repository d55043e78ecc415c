// Views: what does not fit shrinks the view and lets it rest, a step costs a shell, and a minute's
// flight does not grow; checked against a brute-force model (flight_checks.h).

#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)

#include "flight_checks.h"

// ---- a view that does not fit -------------------------------------------------------------------

static TrnStreamView view_of(const Flight *flight, uint32_t anchor)
{
    TrnStreamView view;
    assert_int_equal(trn_stream_view(flight->stream, flight->anchors[anchor].id, &view),
                     TRN_RESULT_OK);
    return view;
}

static void set_anchor(Flight *flight, uint32_t place, const TrnStreamAnchor *anchor)
{
    FlightAnchor *its = &flight->anchors[place];
    its->anchor = *anchor;
    if (its->is_used) {
        assert_int_equal(trn_stream_anchor_set(flight->stream, its->id, anchor), TRN_RESULT_OK);
        return;
    }
    assert_int_equal(trn_stream_anchor_add(flight->stream, anchor, &its->id), TRN_RESULT_OK);
    its->is_used = true;
}

static TrnStreamAnchor anchor_at(int32_t x, int32_t y, int32_t z, uint32_t radius, uint32_t height)
{
    TrnStreamAnchor anchor = trn_stream_anchor();
    anchor.position = (TrnPosition){{x, y, z}, {16, 16, 16}};
    anchor.radius_chunks = radius;
    anchor.height_chunks = height;
    return anchor;
}

/// A view that cannot fit shrinks, reports it, comes to rest and stays there: it unloads nothing
/// that it would load again.
static void a_view_that_does_not_fit_rests_at_what_does(void **state)
{
    (void)state;
    uint32_t rings_before = 0;
    for (uint32_t mib = 3; mib <= 6; mib++) {
        TrnStreamDef def;
        Flight *flight = flight_begin_world(5, (size_t)mib << 20, &def);
        def.queue_bytes = 256 << 10;
        flight_start(flight, &def);
        const TrnStreamAnchor anchor = anchor_at(0, 0, 0, 12, 3);
        set_anchor(flight, 0, &anchor);
        for (uint32_t i = 0; i < 3000; i++) {
            update(flight);
        }
        const TrnStreamView view = view_of(flight, 0);
        assert_true(view.is_started && view.is_shrunk && view.rings < view.rings_wanted);
        assert_true(view.rings > 0 && view.rings >= rings_before);
        assert_int_equal(view.rings_wanted, 12);
        assert_int_equal(trn_stream_stats(flight->stream).shrunk_views, 1);
        uint32_t changes = 0, idle = 0;
        for (uint32_t i = 0; i < 3000; i++) {
            const TrnStreamReport report = update(flight);
            changes += report.inserted + report.unloaded;
            idle += report.is_idle;
        }
        print_message("  %u MiB: %u of 12 rings; %u chunks changed in 3,000 updates, %u idle\n",
                      mib, view.rings, changes, idle);
        assert_true(changes < 300 && idle > 2400);
        rings_before = view.rings;
        flight_end(flight);
    }
}

// ---- hysteresis, and the cost of a step --------------------------------------------------------

/// Stepping to and fro across a corner of chunks costs nothing after the first time.
static void stepping_to_and_fro_costs_nothing(void **state)
{
    (void)state;
    TrnStreamDef def;
    Flight *flight = flight_begin_world(7, 0, &def);
    flight_start(flight, &def);
    uint32_t changes = 0;
    for (uint32_t i = 0; i < 60; i++) {
        const int32_t at = i % 2 ? -1 : 0;
        const TrnStreamAnchor anchor = anchor_at(at, at, at, 5, 3);
        set_anchor(flight, 0, &anchor);
        for (uint32_t j = 0; j < 40; j++) {
            const TrnStreamReport report = update(flight);
            changes += i >= 4 ? report.inserted + report.unloaded + report.uploaded : 0;
        }
    }
    settle(flight);
    check_all(flight, def.hysteresis_chunks);
    assert_int_equal(changes, 0);
    flight_end(flight);
}

/// A step of one chunk visits the shells that differ, not the ball.
static void a_step_costs_a_shell(void **state)
{
    (void)state;
    TrnStreamDef def;
    Flight *flight = flight_begin_world(8, 0, &def);
    def.hooks.mesh = NULL;
    flight->shows = false;
    def.budget.units = 4096;
    flight_start(flight, &def);
    TrnStreamAnchor anchor = anchor_at(0, 0, 0, 12, 4);
    set_anchor(flight, 0, &anchor);
    settle(flight);
    uint64_t before = trn_stream_stats(flight->stream).cells_visited;
    const uint32_t steps = 24;
    uint32_t wanted = 0;
    for (uint32_t i = 0; i < steps; i++) {
        anchor.position.chunk.x++;
        set_anchor(flight, 0, &anchor);
        do {
            const TrnStreamReport report = update(flight);
            wanted += report.wanted;
            if (report.is_idle) {
                break;
            }
        } while (true);
    }
    const uint64_t cells = trn_stream_stats(flight->stream).cells_visited - before;
    print_message("  a step wants %.0f chunks and visits %.0f, of %u in the view\n",
                  (double)wanted / steps, (double)cells / steps,
                  trn_stream_stats(flight->stream).wanted);
    assert_true(wanted >= steps * 27 * 5); // at least two thirds of a flat shell
    assert_true(cells <= (uint64_t)wanted * 8);
    check_all(flight, def.hysteresis_chunks);
    flight_end(flight);
}

// ---- absurd anchors -----------------------------------------------------------------------------

static void absurd_anchors_are_refused_or_served(void **state)
{
    (void)state;
    TrnStreamDef def;
    Flight *flight = flight_begin_world(914, (size_t)4 << 20, &def);
    def.queue_bytes = 256 << 10;
    flight_start(flight, &def);
    const TrnStreamAnchor good = anchor_at(INT32_MAX, INT32_MIN, INT32_MAX, 3, 2);
    set_anchor(flight, 0, &good);
    TrnStreamAnchor bad[8];
    for (int i = 0; i < 8; i++) {
        bad[i] = good;
    }
    bad[0].velocity[1] = (double)NAN;
    bad[1].position.offset[0] = (double)NAN;
    bad[2].view[2] = (double)INFINITY;
    bad[3].position.offset[2] = 32.5;
    bad[4].position.offset[1] = -0.5;
    bad[5].radius_chunks = TRN_STREAM_RADIUS_MAX + 1;
    bad[6].height_chunks = UINT32_MAX;
    bad[7].velocity[0] = -(double)INFINITY;
    for (int i = 0; i < 8; i++) {
        TrnStreamAnchorId id = {77, 78};
        assert_int_equal(trn_stream_anchor_add(flight->stream, &bad[i], &id),
                         TRN_RESULT_BAD_ARGUMENT);
        assert_true(id.index1 == 77 && id.generation == 78);
        assert_int_equal(trn_stream_anchor_set(flight->stream, flight->anchors[0].id, &bad[i]),
                         TRN_RESULT_BAD_ARGUMENT);
    }
    settle(flight);
    check_all(flight, def.hysteresis_chunks);
    TrnStreamAnchor huge = good; // the greatest radius and speed
    huge.radius_chunks = huge.height_chunks = 10000;
    huge.velocity[0] = 1e300;
    huge.view[0] = 1e-300;
    set_anchor(flight, 0, &huge);
    for (int i = 0; i < 600; i++) {
        update(flight);
    }
    assert_true(view_of(flight, 0).is_shrunk);
    const TrnStreamAnchor small = anchor_at(INT32_MIN, 0, INT32_MIN, 0, 0);
    set_anchor(flight, 0, &small);
    settle(flight);
    check_all(flight, def.hysteresis_chunks);
    flight_end(flight);
}

// ---- a minute ----------------------------------------------------------------------------------

/// A minute in steps of 1/60 s, straight ahead, digging: after the first seconds memory does not
/// grow, and nothing is left behind.
static void a_minutes_flight_does_not_grow(void **state)
{
    (void)state;
    TrnStreamDef def;
    TestRandom random = test_random_seeded(915);
    Flight *flight = flight_begin_world(915, 0, &def);
    def.hooks.load = NULL;
    def.hooks.save = NULL;
    def.budget.units = 96;
    flight_start(flight, &def);
    TrnStreamAnchor anchor = anchor_at(0, 0, 0, test_rounds(6, 3), 2);
    anchor.velocity[0] = 64;
    anchor.velocity[2] = 11;
    anchor.view[0] = 1;
    size_t before = 0, after = 0;
    for (uint32_t step = 0; step < 3600; step++) {
        move(&anchor.position, anchor.velocity, 1.0 / 60);
        set_anchor(flight, 0, &anchor);
        if (step % 10 == 0) {
            const TrnVoxel at = voxel_plus(trn_coord_voxel(anchor.position.chunk),
                                           test_random_range(&random, -20, 60), 4, 20);
            const Edit edit = {at, at, at, 3, TRN_BLOCK_AIR, TRN_UNLOADED_SKIP};
            make_edit(flight, &edit);
        }
        update(flight);
        size_t *most = step < 600 ? NULL : step < 2100 ? &before : &after;
        const size_t bytes = trn_stream_bytes(flight->stream);
        if (most && bytes > *most) {
            *most = bytes;
        }
    }
    print_message("  at most %.2f MiB until the middle, %.2f MiB after\n", (double)before / 1048576,
                  (double)after / 1048576);
    assert_true((double)after <= (double)before * 1.02);
    flight_end(flight);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_view_that_does_not_fit_rests_at_what_does),
        cmocka_unit_test(stepping_to_and_fro_costs_nothing),
        cmocka_unit_test(a_step_costs_a_shell),
        cmocka_unit_test(absurd_anchors_are_refused_or_served),
        cmocka_unit_test(a_minutes_flight_does_not_grow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
