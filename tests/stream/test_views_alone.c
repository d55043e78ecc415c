// The views of anchors alone, without a stream: a host that keeps what is wanted and shown, against
// shapes computed chunk by chunk from the words of terrane/stream.h.

#include "testing.h"

#include <math.h>

#include "stream/stream_views.h"

// ---- the host ----------------------------------------------------------------------------------

// All chunks of a test lie in a box of this edge; callbacks for others fail the test.
#define EDGE 64
#define CELLS ((size_t)EDGE * EDGE * EDGE)

typedef struct Host {
    TrnCoord base; ///< the lowest corner of the box
    uint8_t wanted[CELLS], shown[CELLS];
    uint32_t entered, left;           ///< chunks whose state changed, since host_reset
    uint32_t want_calls, unwanted;    ///< chunks passed to want and unwant
    uint32_t calls, fail_at, fail_to; ///< want and show; counted from 1; 0: none fail
    TrnResult failure;
    TrnStreamFit fit;
    uint32_t asked; ///< calls of fits
    uint64_t asked_chunks;
    bool asked_cautious;
    bool may_grow;
    uint32_t grew, shrank; ///< events
    uint32_t event_ring;
    TrnCoord event_centre;
} Host;

static size_t host_cell(const Host *host, TrnCoord coord)
{
    const int64_t x = (int64_t)coord.x - host->base.x, y = (int64_t)coord.y - host->base.y,
                  z = (int64_t)coord.z - host->base.z;
    assert_true(x >= 0 && x < EDGE && y >= 0 && y < EDGE && z >= 0 && z < EDGE);
    return (size_t)((y * EDGE + z) * EDGE + x);
}

static TrnCoord host_coord(const Host *host, size_t cell)
{
    return (TrnCoord){host->base.x + (int32_t)(cell % EDGE),
                      host->base.y + (int32_t)(cell / EDGE / EDGE),
                      host->base.z + (int32_t)(cell / EDGE % EDGE)};
}

static bool host_fails(Host *host)
{
    const uint32_t call = ++host->calls;
    return host->fail_at && call >= host->fail_at &&
           (call == host->fail_at || call <= host->fail_to);
}

/// If it is to fail, half of the chunks have entered.
static TrnResult host_want(void *user, const TrnCoord *coords, uint32_t count)
{
    Host *host = user;
    assert_true(count > 0 && count <= TRN_STREAM_VIEW_BATCH);
    const bool fails = host_fails(host);
    for (uint32_t i = 0; i < (fails ? count / 2 : count); i++) {
        uint8_t *wanted = &host->wanted[host_cell(host, coords[i])];
        host->entered += !*wanted;
        host->want_calls++;
        *wanted = 1;
    }
    return fails ? host->failure : TRN_RESULT_OK;
}

static void host_unwant(void *user, const TrnCoord *coords, uint32_t count)
{
    Host *host = user;
    assert_true(count > 0 && count <= TRN_STREAM_VIEW_BATCH);
    for (uint32_t i = 0; i < count; i++) {
        uint8_t *wanted = &host->wanted[host_cell(host, coords[i])];
        host->left += *wanted;
        host->unwanted++;
        *wanted = 0;
    }
}

static void host_fill_shown(Host *host, TrnBox row, uint8_t value)
{
    assert_true(row.min.y == row.max.y && row.min.z == row.max.z && row.min.x <= row.max.x);
    for (int64_t x = row.min.x; x <= row.max.x; x++) {
        host->shown[host_cell(host, (TrnCoord){(int32_t)x, row.min.y, row.min.z})] = value;
    }
}

static TrnResult host_show(void *user, TrnBox row)
{
    Host *host = user;
    if (host_fails(host)) {
        row.max.x = row.min.x; // part of it was shown
        host_fill_shown(host, row, 1);
        return host->failure;
    }
    host_fill_shown(host, row, 1);
    return TRN_RESULT_OK;
}

static void host_hide(void *user, TrnBox row)
{
    host_fill_shown(user, row, 0);
}

static TrnStreamFit host_fits(void *user, uint64_t chunks, bool is_cautious)
{
    Host *host = user;
    host->asked++;
    host->asked_chunks = chunks;
    host->asked_cautious = is_cautious;
    return host->fit;
}

static bool host_may_grow(void *user)
{
    const Host *host = user;
    return host->may_grow;
}

static void host_event(void *user, TrnStreamEventKind kind, TrnCoord centre, uint32_t ring)
{
    Host *host = user;
    assert_true(kind == TRN_STREAM_EVENT_GREW || kind == TRN_STREAM_EVENT_SHRANK);
    host->grew += kind == TRN_STREAM_EVENT_GREW;
    host->shrank += kind == TRN_STREAM_EVENT_SHRANK;
    host->event_ring = ring;
    host->event_centre = centre;
}

// ---- a test's views ----------------------------------------------------------------------------

typedef struct Desk {
    TestAllocator state;
    TrnAllocator allocator;
    Host *host;
    TrnStreamViews views;
    uint64_t update;
    uint8_t *model; ///< [CELLS] bits: 1 << TrnStreamViewShape; of anchors
    uint8_t *past;  ///< [CELLS] the same of dissolving views, and of what views moved away from
} Desk;

static void host_reset(Host *host)
{
    host->entered = host->left = host->want_calls = host->unwanted = host->asked = 0;
    host->grew = host->shrank = 0;
}

static TrnStreamViewHost desk_host(Host *host)
{
    return (TrnStreamViewHost){host_want, host_unwant,   host_show,  host_hide,
                               host_fits, host_may_grow, host_event, host};
}

/// Begins without views, for tests in which creating them may fail.
static Desk *desk_begin_bare(int32_t base)
{
    Desk *desk = calloc(1, sizeof *desk);
    assert_non_null(desk);
    desk->host = calloc(1, sizeof *desk->host);
    desk->model = calloc(CELLS, 1);
    desk->past = calloc(CELLS, 1);
    assert_true(desk->host && desk->model && desk->past);
    desk->host->base = (TrnCoord){base, base, base};
    desk->host->may_grow = true;
    desk->host->failure = TRN_RESULT_NO_MEMORY;
    desk->allocator = test_allocator(&desk->state);
    return desk;
}

static Desk *desk_begin(int32_t base, uint32_t hysteresis)
{
    Desk *desk = desk_begin_bare(base);
    const TrnStreamViewHost host = desk_host(desk->host);
    assert_int_equal(trn_stream_views_create(&desk->views, &host, hysteresis, &desk->allocator),
                     TRN_RESULT_OK);
    return desk;
}

static void desk_end(Desk *desk)
{
    trn_stream_views_destroy(&desk->views);
    assert_int_equal(desk->state.live_blocks, 0);
    free(desk->past);
    free(desk->model);
    free(desk->host);
    free(desk);
}

/// An anchor in the chunk at an offset from the lowest corner of the box.
static TrnStreamAnchor desk_anchor(const Desk *desk, int32_t x, int32_t y, int32_t z,
                                   uint32_t radius, uint32_t height)
{
    const TrnCoord base = desk->host->base;
    TrnStreamAnchor anchor = trn_stream_anchor();
    anchor.position = (TrnPosition){{base.x + x, base.y + y, base.z + z}, {16, 16, 16}};
    anchor.radius_chunks = radius;
    anchor.height_chunks = height;
    return anchor;
}

static TrnStreamAnchorId desk_add(Desk *desk, const TrnStreamAnchor *anchor)
{
    TrnStreamAnchorId id;
    assert_int_equal(trn_stream_views_add(&desk->views, anchor, &id), TRN_RESULT_OK);
    return id;
}

static void desk_set(Desk *desk, TrnStreamAnchorId id, const TrnStreamAnchor *anchor)
{
    assert_int_equal(trn_stream_views_set(&desk->views, id, anchor), TRN_RESULT_OK);
}

static TrnStreamView desk_view(const Desk *desk, TrnStreamAnchorId id)
{
    TrnStreamView view;
    assert_int_equal(trn_stream_views_get(&desk->views, id, &view), TRN_RESULT_OK);
    return view;
}

// ---- the model ---------------------------------------------------------------------------------

/// Whether a chunk is shown by a view of these radii: from stream.h.
static bool model_shows(double x, double y, double z, double across, double up)
{
    if ((across == 0 && (x != 0 || z != 0)) || (up == 0 && y != 0)) {
        return false;
    }
    const double flat = across > 0 ? (x * x + z * z) / (across * across) : 0;
    const double tall = up > 0 ? y * y / (up * up) : 0;
    return flat + tall <= 1 + 1e-9;
}

static void model_mark_chunk(const Desk *desk, uint8_t *cells, const int64_t at[3], int bit)
{
    for (int axis = 0; axis < 3; axis++) {
        if (at[axis] < INT32_MIN || at[axis] > INT32_MAX) {
            return; // beyond an end of the world
        }
    }
    const TrnCoord coord = {(int32_t)at[0], (int32_t)at[1], (int32_t)at[2]};
    cells[host_cell(desk->host, coord)] |= (uint8_t)(1 << bit);
}

/// Marks a shape: a ball, and for what is loaded also the neighbours of its chunks.
static void model_mark_ball(const Desk *desk, uint8_t *cells, TrnCoord centre, double across,
                            double up, int bit, bool is_loaded)
{
    const int64_t r = (int64_t)across + 1, h = (int64_t)up + 1;
    for (int64_t y = -h; y <= h; y++) {
        for (int64_t z = -r; z <= r; z++) {
            for (int64_t x = -r; x <= r; x++) {
                if (!model_shows((double)x, (double)y, (double)z, across, up)) {
                    continue;
                }
                // Inside, neighbours are marked in their own turn.
                const bool is_inside = model_shows((double)llabs(x) + 1, (double)llabs(y) + 1,
                                                   (double)llabs(z) + 1, across, up);
                const int64_t reach = is_loaded && !is_inside ? 1 : 0;
                for (int64_t i = 0; i < (reach ? 27 : 1); i++) {
                    const int64_t at[3] = {centre.x + x + (i % 3 - 1) * reach,
                                           centre.y + y + (i / 9 - 1) * reach,
                                           centre.z + z + (i / 3 % 3 - 1) * reach};
                    model_mark_chunk(desk, cells, at, bit);
                }
            }
        }
    }
}

/// Marks the four shapes of a view with some rings. @param shows  false: it may not keep chunks
/// shown
static void model_mark(const Desk *desk, uint8_t *cells, const TrnStreamViewExtent *extent,
                       bool shows)
{
    const uint32_t rings = extent->radius > extent->height ? extent->radius : extent->height;
    if (extent->ring < 0) {
        return;
    }
    const double part = rings ? (double)extent->ring / rings : 0;
    const double across = extent->radius * part, up = extent->height * part;
    const double more = desk->views.hysteresis;
    model_mark_ball(desk, cells, extent->centre, across, up, TRN_STREAM_SHAPE_SHOW, false);
    model_mark_ball(desk, cells, extent->centre, across, up, TRN_STREAM_SHAPE_LOAD, true);
    if (shows) {
        model_mark_ball(desk, cells, extent->centre, across + more, up + more,
                        TRN_STREAM_SHAPE_KEEP_SHOW, false);
    }
    model_mark_ball(desk, cells, extent->centre, across + more, up + more, TRN_STREAM_SHAPE_KEEP,
                    true);
}

/// Computes all shapes from where views are, and how many rings they have.
static void model_compute(Desk *desk)
{
    memset(desk->model, 0, CELLS);
    memset(desk->past, 0, CELLS);
    for (uint32_t i = 0; i < desk->views.all.count; i++) {
        const TrnStreamViewSlot *view = desk->views.all.items[i].view;
        const bool is_dissolving = view->life == TRN_STREAM_VIEW_DISSOLVING;
        model_mark(desk, is_dissolving ? desk->past : desk->model, &view->now, !is_dissolving);
        model_mark(desk, desk->past, &view->previous, true);
    }
}

static bool model_has(uint8_t cell, TrnStreamViewShape which)
{
    return cell >> which & 1;
}

/// Whether eight cells in a row are neither wanted nor shown, nor should be.
static bool desk_is_empty(const Desk *desk, size_t cell)
{
    uint64_t words[4];
    memcpy(&words[0], desk->model + cell, 8);
    memcpy(&words[1], desk->past + cell, 8);
    memcpy(&words[2], desk->host->wanted + cell, 8);
    memcpy(&words[3], desk->host->shown + cell, 8);
    return !(words[0] | words[1] | words[2] | words[3]);
}

/// Holds always, whatever failed: views have no holes, and nothing that was wanted or shown is lost
/// track of.
static void desk_check(Desk *desk)
{
    const Host *host = desk->host;
    model_compute(desk);
    for (size_t i = 0; i < CELLS; i++) {
        if (i % 8 == 0 && desk_is_empty(desk, i)) {
            i += 7;
            continue;
        }
        const uint8_t now = desk->model[i], past = desk->past[i];
        if (model_has(now, TRN_STREAM_SHAPE_LOAD)) {
            assert_true(host->wanted[i]);
        }
        if (model_has(now, TRN_STREAM_SHAPE_SHOW)) {
            assert_true(host->shown[i]);
        }
        if (host->wanted[i]) {
            assert_true(model_has(now | past, TRN_STREAM_SHAPE_KEEP));
        }
        if (host->shown[i]) {
            assert_true(model_has(now | past, TRN_STREAM_SHAPE_KEEP_SHOW));
        }
        for (int which = 0; which < TRN_STREAM_SHAPE_COUNT; which++) {
            assert_int_equal(
                trn_stream_views_have(&desk->views, host_coord(host, i), (TrnStreamViewShape)which),
                model_has(now, (TrnStreamViewShape)which));
        }
    }
}

/// Only what anchors want is wanted, and only what they show is shown.
static void desk_check_exact(Desk *desk)
{
    desk_check(desk);
    for (size_t i = 0; i < CELLS; i++) {
        assert_int_equal(desk->host->wanted[i], model_has(desk->model[i], TRN_STREAM_SHAPE_LOAD));
        assert_int_equal(desk->host->shown[i], model_has(desk->model[i], TRN_STREAM_SHAPE_SHOW));
    }
}

static uint64_t model_count(const Desk *desk, TrnStreamViewShape which)
{
    uint64_t count = 0;
    for (size_t i = 0; i < CELLS; i++) {
        count += model_has(desk->model[i], which);
    }
    return count;
}

static uint64_t host_wanted_count(const Host *host)
{
    uint64_t count = 0;
    for (size_t i = 0; i < CELLS; i++) {
        count += host->wanted[i];
    }
    return count;
}

static bool host_is_empty(const Host *host)
{
    return !memchr(host->wanted, 1, CELLS) && !memchr(host->shown, 1, CELLS);
}

/// Updates, and checks what that changed.
static TrnResult desk_update(Desk *desk)
{
    bool has_changed = false;
    for (uint32_t i = 0; i < desk->views.all.count; i++) {
        has_changed |= desk->views.all.items[i].view->is_changed;
    }
    const uint64_t visited = desk->views.visited;
    const uint32_t calls = desk->host->calls, count = desk->views.all.count;
    const TrnResult result = trn_stream_views_update(&desk->views, ++desk->update, true);
    has_changed |= visited != desk->views.visited || calls != desk->host->calls;
    if (has_changed || count != desk->views.all.count) {
        desk_check(desk);
    }
    return result;
}

/// Updates until nothing is left to do. @return after how many
static uint32_t desk_settle(Desk *desk)
{
    for (uint32_t updates = 0; updates < 2000; updates++) {
        if (!trn_stream_views_have_work(&desk->views)) {
            assert_true(trn_stream_views_are_idle(&desk->views));
            assert_false(trn_stream_views_are_dropping(&desk->views));
            return updates;
        }
        desk_update(desk);
    }
    fail_msg("the views never come to rest");
    return 0;
}

/// Removes an anchor, and checks that its chunks leave.
static void desk_remove_last(Desk *desk, TrnStreamAnchorId id)
{
    assert_int_equal(trn_stream_views_remove(&desk->views, id), TRN_RESULT_OK);
    desk_check(desk);
    desk_settle(desk);
    assert_true(host_is_empty(desk->host));
    assert_int_equal(desk->views.all.count, 0);
}

// ---- shapes ------------------------------------------------------------------------------------

typedef struct Rows {
    Desk *desk;
    uint64_t chunks, rows, rows_max;
} Rows;

static bool rows_take(void *context, TrnCoord first, int32_t last)
{
    Rows *rows = context;
    for (int64_t x = first.x; x <= last; x++) {
        uint8_t *cell =
            &rows->desk
                 ->past[host_cell(rows->desk->host, (TrnCoord){(int32_t)x, first.y, first.z})];
        assert_int_equal(*cell, 0); // each chunk once
        *cell = 1;
        rows->chunks++;
    }
    return ++rows->rows != rows->rows_max;
}

static TrnStreamViewExtent shape_extent(const Desk *desk, TestRandom *random, int32_t low,
                                        int32_t high)
{
    const TrnCoord base = desk->host->base;
    TrnStreamViewExtent extent = {
        .centre = {base.x + (int32_t)test_random_range(random, low, high),
                   base.y + (int32_t)test_random_range(random, low, high),
                   base.z + (int32_t)test_random_range(random, low, high)},
        .radius = (uint32_t)test_random_range(random, 0, 12),
        .height = (uint32_t)test_random_range(random, 0, 12)};
    const uint32_t rings = extent.radius > extent.height ? extent.radius : extent.height;
    extent.ring = test_random_range(random, -1, rings);
    return extent;
}

static TrnStreamShape shape_of(const Desk *desk, const TrnStreamViewExtent *extent, int which)
{
    const bool keeps = which == TRN_STREAM_SHAPE_KEEP || which == TRN_STREAM_SHAPE_KEEP_SHOW;
    return trn_stream_shape(extent->centre, extent->radius, extent->height, extent->ring,
                            keeps ? desk->views.hysteresis : 0,
                            which == TRN_STREAM_SHAPE_LOAD || which == TRN_STREAM_SHAPE_KEEP);
}

/// Checks the difference of two shapes chunk by chunk.
static void check_difference(Desk *desk, const TrnStreamShape *a, const uint8_t *in_a,
                             const TrnStreamShape *b, const uint8_t *in_b, int bit)
{
    memset(desk->past, 0, CELLS);
    Rows rows = {.desk = desk};
    assert_true(trn_stream_shape_minus(a, b, rows_take, &rows));
    uint64_t count = 0;
    for (size_t i = 0; i < CELLS; i++) {
        const bool is_in_a = in_a[i] >> bit & 1, is_in_b = in_b[i] >> bit & 1;
        assert_int_equal(desk->past[i], is_in_a && !is_in_b);
        count += is_in_a;
        if (is_in_a || is_in_b) {
            assert_int_equal(trn_stream_shape_has(a, host_coord(desk->host, i)), is_in_a);
        }
    }
    assert_int_equal(trn_stream_shape_count(a), count);
    if (rows.rows > 1) { // stops where the callback says so
        memset(desk->past, 0, CELLS);
        Rows some = {.desk = desk, .rows_max = rows.rows - 1};
        assert_false(trn_stream_shape_minus(a, b, rows_take, &some));
        assert_int_equal(some.rows, rows.rows - 1);
    }
}

static void shapes_and_differences_match_the_formula(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(11);
    const int32_t bases[] = {-20, INT32_MIN, INT32_MAX - EDGE + 1};
    for (uint32_t round = 0; round < 60; round++) {
        Desk *desk = desk_begin(bases[round % 3], round / 3 % 4);
        uint8_t *other = calloc(CELLS, 1);
        assert_non_null(other);
        const int32_t low = bases[round % 3] == INT32_MIN ? 0 : 17;
        const int32_t high = bases[round % 3] > 0 ? EDGE - 1 : EDGE - 18;
        const TrnStreamViewExtent a = shape_extent(desk, &random, low, high);
        const TrnStreamViewExtent b = shape_extent(desk, &random, low, high);
        model_mark(desk, desk->model, &a, true);
        model_mark(desk, other, &b, true);
        for (int which = 0; which < TRN_STREAM_SHAPE_COUNT; which++) {
            const TrnStreamShape its = shape_of(desk, &a, which),
                                 others = shape_of(desk, &b, which);
            check_difference(desk, &its, desk->model, &others, other, which);
        }
        free(other);
        desk_end(desk);
    }
}

/// Reaching an end may be reported one chunk early, never late.
static void shapes_know_the_ends_of_the_world(void **state)
{
    (void)state;
    for (int axis = 0; axis < 3; axis++) {
        for (int side = 0; side < 2; side++) {
            for (int32_t from_end = 0; from_end < 12; from_end++) {
                int32_t at[3] = {0, 0, 0};
                at[axis] = side ? INT32_MAX - from_end : INT32_MIN + from_end;
                const TrnStreamShape shape =
                    trn_stream_shape((TrnCoord){at[0], at[1], at[2]}, 4, 4, 4, 2, true);
                const bool touches = trn_stream_shape_touches_end(&shape);
                assert_true(touches || from_end > 7);
                assert_true(!touches || from_end <= 8);
            }
        }
    }
    const TrnStreamShape empty = trn_stream_shape((TrnCoord){INT32_MAX, 0, 0}, 4, 4, -1, 2, true);
    assert_false(trn_stream_shape_touches_end(&empty));
}

// ---- growing -----------------------------------------------------------------------------------

static void a_view_grows_ring_by_ring(void **state)
{
    (void)state;
    const uint32_t sizes[][2] = {{6, 3}, {3, 7}, {0, 4}, {5, 0}, {0, 0}, {4, 4}};
    for (size_t size = 0; size < sizeof sizes / sizeof *sizes; size++) {
        Desk *desk = desk_begin(-30, 2);
        Host *host = desk->host;
        host->may_grow = false; // asked after the first ring of an update
        const TrnStreamAnchor anchor =
            desk_anchor(desk, 32, 32, 32, sizes[size][0], sizes[size][1]);
        const uint32_t wanted = sizes[size][0] > sizes[size][1] ? sizes[size][0] : sizes[size][1];
        const TrnStreamAnchorId id = desk_add(desk, &anchor);
        assert_true(host_is_empty(host)); // "takes effect with the next update"
        assert_false(desk_view(desk, id).is_started);
        for (uint32_t ring = 0; ring <= wanted; ring++) {
            assert_true(trn_stream_views_have_work(&desk->views));
            assert_false(trn_stream_views_are_idle(&desk->views));
            host_reset(host);
            assert_int_equal(desk_update(desk), TRN_RESULT_OK);
            desk_check_exact(desk);
            assert_int_equal(host->entered, host->want_calls); // each chunk once
            assert_true(host->grew == 1 && host->event_ring == ring && !host->left);
            assert_true(trn_coord_equal(host->event_centre, anchor.position.chunk));
            const TrnStreamView view = desk_view(desk, id);
            assert_true(view.is_started && view.rings == ring && !view.is_shrunk);
            assert_int_equal(view.rings_wanted, wanted);
        }
        assert_false(trn_stream_views_have_work(&desk->views));
        TrnStreamStats stats = {0};
        trn_stream_views_count(&desk->views, &stats);
        assert_true(stats.anchors == 1 && stats.grows == wanted + 1 && !stats.shrunk_views);
        desk_remove_last(desk, id);
        desk_end(desk);
    }
}

/// An update wants no more than a ring beyond the limit, and a dissolving view leaves as gently.
static void an_update_changes_a_limited_number_of_chunks(void **state)
{
    (void)state;
    Desk *desk = desk_begin(0, 2);
    Host *host = desk->host;
    const TrnStreamAnchor anchor = desk_anchor(desk, 31, 31, 31, 24, 24);
    const TrnStreamAnchorId id = desk_add(desk, &anchor);
    uint32_t most = 0, updates = 0;
    for (; trn_stream_views_have_work(&desk->views); updates++) {
        host_reset(host);
        desk_update(desk);
        most = host->entered > most ? host->entered : most;
    }
    const uint32_t limit = 2048 + 4 * 28 * 28 * 3; // and the largest ring
    assert_true(most > 2048 && most <= limit && updates > 8);
    assert_int_equal(trn_stream_views_remove(&desk->views, id), TRN_RESULT_OK);
    uint64_t left = host_wanted_count(host);
    for (updates = 0; trn_stream_views_have_work(&desk->views); updates++) {
        host_reset(host);
        desk_update(desk);
        assert_true(host->left <= limit);
        left -= host->left;
    }
    assert_true(left == 0 && updates > 8 && host_is_empty(host));
    desk_end(desk);
}

/// Neither a dissolving view nor another anchor keeps a view from starting.
static void all_views_start_at_once(void **state)
{
    (void)state;
    Desk *desk = desk_begin(0, 2);
    TrnStreamAnchor anchor = desk_anchor(desk, 28, 31, 31, 24, 24);
    const TrnStreamAnchorId id = desk_add(desk, &anchor);
    desk_settle(desk);
    anchor.position.chunk.x += 7;
    desk_set(desk, id, &anchor);
    desk_update(desk);
    const TrnStreamView view = desk_view(desk, id);
    assert_true(view.is_started);
    const TrnStreamAnchor second = desk_anchor(desk, 31, 31, 35, 24, 24);
    const TrnStreamAnchorId other = desk_add(desk, &second);
    desk_update(desk);
    assert_true(desk_view(desk, other).is_started);
    desk_update(desk);
    assert_true(desk_view(desk, other).rings && desk_view(desk, id).rings);
    desk_settle(desk);
    desk_end(desk);
}

static void views_may_be_told_not_to_grow(void **state)
{
    (void)state;
    Desk *desk = desk_begin(-30, 1);
    TrnStreamAnchor anchor = desk_anchor(desk, 32, 32, 32, 5, 5);
    const TrnStreamAnchorId id = desk_add(desk, &anchor);
    assert_int_equal(trn_stream_views_update(&desk->views, ++desk->update, false), TRN_RESULT_OK);
    assert_true(host_is_empty(desk->host) && !desk_view(desk, id).is_started);
    desk_settle(desk);
    anchor.position.chunk.x += 2; // a step is not growth
    desk_set(desk, id, &anchor);
    trn_stream_views_update(&desk->views, ++desk->update, false);
    desk_check(desk);
    assert_int_equal(desk_view(desk, id).rings, 5);
    anchor.position.chunk.x += 9;
    desk_set(desk, id, &anchor);
    for (uint32_t i = 0; i < 12; i++) {
        trn_stream_views_update(&desk->views, ++desk->update, false);
        desk_check(desk);
    }
    assert_true(host_is_empty(desk->host) && !desk_view(desk, id).is_started);
    assert_false(trn_stream_views_are_dropping(&desk->views));
    desk_settle(desk);
    desk_check_exact(desk);
    desk_end(desk);
}

// ---- moving ------------------------------------------------------------------------------------

/// In the update of a step what differs enters, and nothing leaves; in the next one leaves what the
/// view does not keep.
static void steps_change_only_what_differs(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(12);
    for (uint32_t hysteresis = 0; hysteresis <= 3; hysteresis++) {
        Desk *desk = desk_begin(-30, hysteresis);
        Host *host = desk->host;
        TrnStreamAnchor anchor = desk_anchor(desk, 32, 32, 32, 6, 4);
        const TrnStreamAnchorId id = desk_add(desk, &anchor);
        desk_settle(desk);
        uint8_t *before = malloc(CELLS), *wanted = malloc(CELLS);
        assert_true(before && wanted);
        for (uint32_t i = 0; i < 40; i++) {
            memcpy(before, desk->model, CELLS);
            memcpy(wanted, host->wanted, CELLS);
            const TrnCoord home = {host->base.x + 32, host->base.y + 32, host->base.z + 32};
            int32_t *at[3] = {&anchor.position.chunk.x, &anchor.position.chunk.y,
                              &anchor.position.chunk.z};
            const int32_t centre[3] = {home.x, home.y, home.z};
            for (int axis = 0; axis < 3; axis++) {
                const int32_t off = *at[axis] - centre[axis];
                *at[axis] +=
                    (int32_t)test_random_range(&random, off < -10 ? 0 : -2, off > 10 ? 0 : 2);
            }
            desk_set(desk, id, &anchor);
            host_reset(host);
            assert_int_equal(desk_update(desk), TRN_RESULT_OK);
            assert_int_equal(host->unwanted, 0);
            assert_int_equal(desk_view(desk, id).rings, 6);
            uint32_t entered = 0;
            for (size_t cell = 0; cell < CELLS; cell++) {
                const bool is_new = model_has(desk->model[cell], TRN_STREAM_SHAPE_LOAD);
                entered += is_new && !model_has(before[cell], TRN_STREAM_SHAPE_LOAD);
                assert_int_equal(host->wanted[cell], wanted[cell] || is_new);
                wanted[cell] |= is_new;
            }
            assert_int_equal(host->want_calls, entered);
            host_reset(host);
            desk_update(desk);
            assert_true(host->want_calls == 0 && !trn_stream_views_have_work(&desk->views));
            for (size_t cell = 0; cell < CELLS; cell++) {
                assert_int_equal(host->wanted[cell],
                                 wanted[cell] &&
                                     model_has(desk->model[cell], TRN_STREAM_SHAPE_KEEP));
            }
        }
        free(wanted);
        free(before);
        desk_remove_last(desk, id);
        desk_end(desk);
    }
}

static void hysteresis_keeps_what_a_view_comes_back_to(void **state)
{
    (void)state;
    Desk *desk = desk_begin(-30, 2);
    TrnStreamAnchor anchor = desk_anchor(desk, 32, 32, 32, 6, 4);
    const TrnStreamAnchorId id = desk_add(desk, &anchor);
    desk_settle(desk);
    for (uint32_t i = 0; i < 20; i++) {
        host_reset(desk->host);
        anchor.position.chunk.x += i % 2 ? -1 : 1;
        desk_set(desk, id, &anchor);
        desk_settle(desk);
        assert_true(i == 0 || (!desk->host->entered && !desk->host->left));
    }
    trn_stream_views_drop_kept(&desk->views);
    desk_check_exact(desk);
    // For example, from stream.h: radius 6 to 3 with a hysteresis of 2.
    anchor.radius_chunks = anchor.height_chunks = 6;
    desk_set(desk, id, &anchor);
    desk_settle(desk);
    anchor.radius_chunks = anchor.height_chunks = 3;
    desk_set(desk, id, &anchor);
    desk_settle(desk);
    uint32_t shown = 0;
    for (size_t i = 0; i < CELLS; i++) {
        shown += desk->host->shown[i];
    }
    assert_int_equal(shown, 515);
    assert_int_equal(host_wanted_count(desk->host), 1141);
    desk_end(desk);
}

/// After a jump the old view dissolves from outside while a new one grows; what only the old view
/// showed is hidden at once.
static void a_jump_dissolves_the_old_view(void **state)
{
    (void)state;
    for (int32_t distance = 3; distance <= 24; distance += 3) {
        Desk *desk = desk_begin(-30, 2);
        Host *host = desk->host;
        TrnStreamAnchor anchor = desk_anchor(desk, 16, 32, 32, 6, 4);
        const TrnStreamAnchorId id = desk_add(desk, &anchor);
        desk_settle(desk);
        host->may_grow = false; // a ring an update
        anchor.position.chunk.x += distance;
        desk_set(desk, id, &anchor);
        assert_int_equal(desk_view(desk, id).rings, 6);
        for (uint32_t update = 0, rings = 0; trn_stream_views_have_work(&desk->views); update++) {
            assert_true(update <= 10);
            desk_update(desk);
            TrnStreamStats stats = {0};
            trn_stream_views_count(&desk->views, &stats);
            assert_true(stats.anchors == 1 && stats.dissolving <= 1);
            const TrnStreamView view = desk_view(desk, id);
            assert_true(view.is_started && view.rings >= (update ? 1 : 0) && view.rings >= rings);
            rings = view.rings;
            for (size_t i = 0; i < CELLS; i++) {
                assert_true(!host->shown[i] ||
                            model_has(desk->model[i], TRN_STREAM_SHAPE_KEEP_SHOW));
            }
        }
        desk_remove_last(desk, id);
        desk_end(desk);
    }
}

static void views_resize(void **state)
{
    (void)state;
    // Each keeps the proportion of the one before, or not.
    const uint32_t sizes[][2] = {{6, 3}, {4, 2}, {2, 1}, {6, 3}, {6, 6}, {3, 3}, {0, 0}, {0, 5},
                                 {0, 2}, {5, 0}, {5, 1}, {1, 5}, {7, 3}, {0, 0}, {7, 2}, {14, 4}};
    Desk *desk = desk_begin(-30, 2);
    TrnStreamAnchor anchor = desk_anchor(desk, 32, 32, 32, 1, 1);
    const TrnStreamAnchorId id = desk_add(desk, &anchor);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        anchor.radius_chunks = sizes[i][0];
        anchor.height_chunks = sizes[i][1];
        desk_set(desk, id, &anchor);
        assert_true(trn_stream_views_have_work(&desk->views));
        desk_settle(desk);
        assert_int_equal(desk_view(desk, id).rings, desk_view(desk, id).rings_wanted);
        trn_stream_views_drop_kept(&desk->views);
        desk_check_exact(desk);
    }
    // In proportion, the centre stays shown all the time.
    anchor.radius_chunks = 7;
    anchor.height_chunks = 2;
    desk_set(desk, id, &anchor);
    while (trn_stream_views_have_work(&desk->views)) {
        desk_update(desk);
        assert_true(desk_view(desk, id).rings >= 7);
    }
    // Also while it moves.
    anchor.radius_chunks = 14;
    anchor.height_chunks = 4;
    anchor.position.chunk.x++;
    desk_set(desk, id, &anchor);
    desk_update(desk);
    assert_true(desk_view(desk, id).rings >= 7);
    desk_settle(desk);
    desk_remove_last(desk, id);
    desk_end(desk);
}

static void views_stop_at_the_ends_of_the_world(void **state)
{
    (void)state;
    for (int side = 0; side < 2; side++) {
        Desk *desk = desk_begin(side ? INT32_MAX - EDGE + 1 : INT32_MIN, 2);
        const int32_t end = side ? EDGE - 1 : 0, inwards = side ? -1 : 1;
        TrnStreamAnchor anchor = desk_anchor(desk, end, end, end, 5, 3);
        const TrnStreamAnchorId id = desk_add(desk, &anchor);
        assert_false(trn_stream_views_touch_end(&desk->views));
        desk_settle(desk);
        desk_check_exact(desk);
        assert_true(trn_stream_views_touch_end(&desk->views));
        for (uint32_t i = 0; i < 14; i++) {
            anchor.position.chunk.x += inwards * (i % 3 ? 1 : 2);
            anchor.position.chunk.y += inwards;
            anchor.position.chunk.z += inwards * 2;
            desk_set(desk, id, &anchor);
            desk_settle(desk);
        }
        assert_false(trn_stream_views_touch_end(&desk->views));
        anchor = desk_anchor(desk, end, end, end, 5, 3);
        desk_set(desk, id, &anchor);
        desk_settle(desk);
        desk_remove_last(desk, id);
        desk_end(desk);
    }
}

/// From one end of the world to the other: nothing wraps around.
static void a_jump_through_the_world_wraps_nowhere(void **state)
{
    (void)state;
    Desk *desk = desk_begin(INT32_MIN, 2);
    TrnStreamAnchor anchor = desk_anchor(desk, 0, 0, 0, 4, 4);
    const TrnStreamAnchorId id = desk_add(desk, &anchor);
    desk_settle(desk);
    anchor.position.chunk = (TrnCoord){INT32_MAX, INT32_MAX, INT32_MAX};
    desk_set(desk, id, &anchor);
    assert_int_equal(trn_stream_views_update(&desk->views, ++desk->update, false), TRN_RESULT_OK);
    const double far = trn_stream_views_distance(&desk->views, desk->host->base);
    assert_true(fabs(far / (sqrt(3) * UINT32_MAX) - 1) < 1e-12);
    assert_int_equal(trn_stream_views_remove(&desk->views, id), TRN_RESULT_OK);
    for (uint32_t i = 0; i < 10; i++) {
        trn_stream_views_update(&desk->views, ++desk->update, false);
    }
    assert_true(host_is_empty(desk->host));
    desk_end(desk);
}

// ---- anchors -----------------------------------------------------------------------------------

static void ids_of_removed_anchors_are_stale(void **state)
{
    (void)state;
    Desk *desk = desk_begin(-30, 2);
    const TrnStreamAnchor anchor = desk_anchor(desk, 32, 32, 32, 3, 3);
    TrnStreamAnchorId old[8];
    for (uint32_t i = 0; i < 8; i++) {
        const TrnStreamAnchorId id = desk_add(desk, &anchor);
        if (i % 2) {
            desk_settle(desk);
        }
        assert_int_equal(trn_stream_views_remove(&desk->views, id), TRN_RESULT_OK);
        if (i % 3) {
            desk_settle(desk); // its slot is used again
        }
        old[i] = id;
        const TrnStreamAnchorId live = desk_add(desk, &anchor);
        for (uint32_t j = 0; j <= i; j++) {
            TrnStreamView view;
            assert_int_equal(trn_stream_views_get(&desk->views, old[j], &view),
                             TRN_RESULT_STALE_ID);
            assert_int_equal(trn_stream_views_set(&desk->views, old[j], &anchor),
                             TRN_RESULT_STALE_ID);
            assert_int_equal(trn_stream_views_remove(&desk->views, old[j]), TRN_RESULT_STALE_ID);
        }
        assert_int_equal(trn_stream_views_remove(&desk->views, live), TRN_RESULT_OK);
    }
    const TrnStreamAnchorId null = {0, 0};
    assert_int_equal(trn_stream_views_remove(&desk->views, null), TRN_RESULT_STALE_ID);
    desk_settle(desk);
    assert_true(host_is_empty(desk->host));
    desk_end(desk);
}

static void bad_anchors_are_refused(void **state)
{
    (void)state;
    Desk *desk = desk_begin(-30, 2);
    const TrnStreamAnchor good = desk_anchor(desk, 32, 32, 32, 3, 3);
    const TrnStreamAnchorId id = desk_add(desk, &good);
    desk_settle(desk);
    TrnStreamAnchor bad[9];
    for (uint32_t i = 0; i < 9; i++) {
        bad[i] = good;
    }
    bad[0].position.offset[0] = -0.1;
    bad[1].position.offset[1] = TRN_CHUNK_EDGE;
    bad[2].position.offset[2] = NAN;
    bad[3].velocity[0] = INFINITY;
    bad[4].velocity[2] = NAN;
    bad[5].view[1] = -INFINITY;
    bad[6].view[0] = NAN;
    bad[7].radius_chunks = TRN_STREAM_RADIUS_MAX + 1;
    bad[8].height_chunks = UINT32_MAX;
    TrnStreamAnchorId out = {7, 7};
    for (uint32_t i = 0; i < 9; i++) {
        assert_int_equal(trn_stream_views_add(&desk->views, &bad[i], &out),
                         TRN_RESULT_BAD_ARGUMENT);
        assert_int_equal(trn_stream_views_set(&desk->views, id, &bad[i]), TRN_RESULT_BAD_ARGUMENT);
    }
    assert_int_equal(trn_stream_views_add(&desk->views, NULL, &out), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_stream_views_add(&desk->views, &good, NULL), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_stream_views_set(&desk->views, id, NULL), TRN_RESULT_BAD_ARGUMENT);
    assert_true(out.index1 == 7 && out.generation == 7);
    assert_int_equal(desk->views.all.count, 1);
    assert_false(trn_stream_views_have_work(&desk->views));
    desk_set(desk, id, &good); // the same anchor is no work either
    assert_false(trn_stream_views_have_work(&desk->views));
    desk_end(desk);
}

/// Whether every chunk of a view, as another run computed it, is wanted and shown.
static void check_still_there(const Desk *desk, const uint8_t *kept)
{
    for (size_t i = 0; i < CELLS; i++) {
        assert_true(!model_has(kept[i], TRN_STREAM_SHAPE_LOAD) || desk->host->wanted[i]);
        assert_true(!model_has(kept[i], TRN_STREAM_SHAPE_SHOW) || desk->host->shown[i]);
    }
}

static void overlapping_views_keep_each_others_chunks(void **state)
{
    (void)state;
    Desk *desk = desk_begin(-30, 1);
    const TrnStreamAnchor still = desk_anchor(desk, 32, 32, 32, 5, 4);
    const TrnStreamAnchorId first = desk_add(desk, &still);
    desk_settle(desk);
    uint8_t *kept = malloc(CELLS);
    assert_non_null(kept);
    memcpy(kept, desk->model, CELLS);
    TrnStreamAnchor walker = desk_anchor(desk, 16, 30, 32, 5, 5);
    const TrnStreamAnchorId second = desk_add(desk, &walker);
    for (uint32_t i = 0; i < 17; i++) { // through the other one
        walker.position.chunk.x += i == 9 ? 5 : 2;
        if (i == 9) {
            walker.position.chunk.x -= 12;
        }
        desk_set(desk, second, &walker);
        desk_update(desk);
        check_still_there(desk, kept);
    }
    desk_settle(desk);
    walker.position.chunk = still.position.chunk;
    desk_set(desk, second, &walker);
    desk_settle(desk);
    assert_int_equal(trn_stream_views_remove(&desk->views, second), TRN_RESULT_OK);
    while (trn_stream_views_have_work(&desk->views)) {
        desk_update(desk);
        check_still_there(desk, kept);
    }
    trn_stream_views_drop_kept(&desk->views);
    desk_check_exact(desk);
    free(kept);
    desk_remove_last(desk, first);
    desk_end(desk);
}

// ---- memory that runs short --------------------------------------------------------------------

/// One anchor's life: grows, steps, jumps, is resized. Checked after each update.
static TrnStreamAnchorId script_run(Desk *desk)
{
    TrnStreamAnchor anchor = desk_anchor(desk, 20, 32, 32, 4, 3);
    TrnStreamAnchorId id;
    while (trn_stream_views_add(&desk->views, &anchor, &id) != TRN_RESULT_OK) {
        assert_int_equal(desk->views.all.count, 0);
    }
    for (uint32_t step = 0; step < 8; step++) {
        const uint32_t rests = step == 3 || step == 5 ? 1 : 3; // also before it has all rings
        for (uint32_t i = 0; i < rests; i++) {
            const TrnResult result = desk_update(desk);
            assert_true(result == TRN_RESULT_OK || result == desk->host->failure);
        }
        anchor.position.chunk.x += step == 4 ? 9 : 1;
        anchor.position.chunk.z += step % 2 ? 2 : -1;
        anchor.radius_chunks = step == 6 ? 2 : 4;
        desk_set(desk, id, &anchor);
    }
    return id;
}

/// The last call of want or show that a script makes when nothing fails.
static uint32_t script_calls(uint32_t hysteresis)
{
    Desk *desk = desk_begin(-30, hysteresis);
    script_run(desk);
    const uint32_t calls = desk->host->calls;
    desk_end(desk);
    return calls;
}

static void wants_that_fail_leave_no_holes(void **state)
{
    (void)state;
    const TrnResult failures[] = {TRN_RESULT_NO_MEMORY, TRN_RESULT_FULL};
    for (uint32_t hysteresis = 0; hysteresis <= 2; hysteresis += 2) {
        const uint32_t calls = script_calls(hysteresis);
        print_message("  %u calls\n", calls);
        for (uint32_t at = 1; at <= calls + 1; at += at < 60 ? 1 : test_rounds(5, 25)) {
            for (uint32_t variant = 0; variant < 4; variant++) {
                Desk *desk = desk_begin(-30, hysteresis);
                desk->host->failure = failures[variant % 2];
                desk->host->fail_at = at;
                desk->host->fail_to = variant < 2 ? 0 : at + 12;
                const TrnStreamAnchorId id = script_run(desk);
                desk_settle(desk); // the failed ring is tried again
                const TrnStreamView view = desk_view(desk, id);
                assert_true(view.rings == view.rings_wanted && !view.is_shrunk);
                desk_remove_last(desk, id);
                desk_end(desk);
            }
        }
    }
}

/// A failed ring is reported, and the view waits some updates before it tries again.
static void a_ring_that_fails_is_tried_again(void **state)
{
    (void)state;
    for (int full = 0; full < 2; full++) {
        Desk *desk = desk_begin(-30, 2);
        Host *host = desk->host;
        host->may_grow = false;
        host->failure = full ? TRN_RESULT_FULL : TRN_RESULT_NO_MEMORY;
        const TrnStreamAnchor anchor = desk_anchor(desk, 32, 32, 32, 5, 5);
        const TrnStreamAnchorId id = desk_add(desk, &anchor);
        desk_update(desk);
        desk_update(desk);
        host_reset(host);
        test_fail(&desk->state, 0, 0);
        host->fail_at = host->calls + 3;
        host->fail_to = UINT32_MAX;
        assert_int_equal(desk_update(desk), host->failure);
        assert_int_equal(desk_view(desk, id).rings, 1);
        assert_int_equal(desk_view(desk, id).is_shrunk, full);
        assert_int_equal(host->grew + host->shrank, 0);
        const uint32_t calls = host->calls;
        desk_update(desk);
        assert_int_equal(host->calls, calls);
        host->fail_at = 0;
        uint32_t waited = 1;
        for (; desk_view(desk, id).rings == 1; waited++) {
            assert_int_equal(desk_update(desk), TRN_RESULT_OK);
        }
        assert_true(waited >= 4 && waited <= 16);
        desk_settle(desk);
        assert_false(desk_view(desk, id).is_shrunk);
        desk_remove_last(desk, id);
        desk_end(desk);
    }
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    for (size_t at = 1;; at++) { // while creating
        Desk *desk = desk_begin_bare(-30);
        const TrnStreamViewHost host = desk_host(desk->host);
        test_fail(&desk->state, at, 0);
        const TrnResult result = trn_stream_views_create(&desk->views, &host, 2, &desk->allocator);
        const bool is_done = desk->state.allocations < at;
        assert_int_equal(result, is_done ? TRN_RESULT_OK : TRN_RESULT_NO_MEMORY);
        desk_end(desk);
        if (is_done) {
            break;
        }
    }
    for (size_t at = 1, last = 0; !last; at++) { // once, and from there on for long
        for (size_t more = 0; more < 2; more++) {
            Desk *desk = desk_begin(-30, 2);
            test_fail(&desk->state, at, more * 2 + at);
            TrnStreamAnchor crowd = desk_anchor(desk, 24, 32, 32, 1, 1);
            TrnStreamAnchorId ids[20];
            uint32_t count = 0;
            const TrnStreamAnchorId id = script_run(desk);
            for (uint32_t i = 0; i < 20; i++) { // needs more than a block of slots
                count += trn_stream_views_add(&desk->views, &crowd, &ids[count]) == TRN_RESULT_OK;
                crowd.position.chunk.x++;
            }
            for (uint32_t round = 0; round < 3; round++) {
                for (uint32_t i = 0; i < count; i++) {
                    crowd.position.chunk.x = desk->host->base.x + 24 + (int32_t)i;
                    crowd.position.chunk.z = desk->host->base.z + 24 + (int32_t)(round * 4);
                    desk_set(desk, ids[i], &crowd);
                }
                desk_update(desk);
            }
            desk_settle(desk);
            for (uint32_t i = 0; i < count; i++) {
                assert_int_equal(desk_view(desk, ids[i]).rings, 1);
                assert_true(trn_stream_views_have(&desk->views,
                                                  (TrnCoord){desk->host->base.x + 24 + (int32_t)i,
                                                             crowd.position.chunk.y,
                                                             crowd.position.chunk.z},
                                                  TRN_STREAM_SHAPE_SHOW));
                assert_int_equal(trn_stream_views_remove(&desk->views, ids[i]), TRN_RESULT_OK);
            }
            last = desk->state.allocations < at;
            desk_remove_last(desk, id);
            desk_end(desk);
        }
        assert_true(at < 1000);
    }
}

/// Moves the last of some anchors while all allocations fail, and wants as well if it steps.
static void check_move_without_memory(uint32_t count, int32_t distance, bool is_removed)
{
    Desk *desk = desk_begin(-30, 0); // hysteresis would keep what a step leaves
    TrnStreamAnchorId ids[20];
    for (uint32_t i = 0; i + 1 < count; i++) { // far from the last one
        const TrnStreamAnchor other = desk_anchor(desk, 5 + (int32_t)i * 3, 5, 5, 0, 0);
        ids[i] = desk_add(desk, &other);
    }
    TrnStreamAnchor anchor = desk_anchor(desk, 20, 32, 32, 4, 4);
    ids[count - 1] = desk_add(desk, &anchor);
    desk_settle(desk);
    const TrnStreamAnchorId id = ids[count - 1];
    anchor.position.chunk.x += distance;
    desk_set(desk, id, &anchor);
    test_fail(&desk->state, 1, 1000);
    desk->host->fail_at = desk->host->calls + 1;
    desk->host->fail_to = UINT32_MAX;
    desk_update(desk);
    if (is_removed) {
        assert_int_equal(trn_stream_views_remove(&desk->views, id), TRN_RESULT_OK);
        desk_check(desk);
    }
    desk_update(desk);
    test_fail(&desk->state, 0, 0);
    desk->host->fail_at = 0;
    desk_settle(desk);
    for (uint32_t i = 0; i < count - is_removed; i++) {
        assert_int_equal(desk_view(desk, ids[i]).rings, i + 1 < count ? 0 : 4);
        assert_int_equal(trn_stream_views_remove(&desk->views, ids[i]), TRN_RESULT_OK);
    }
    desk_settle(desk);
    assert_true(host_is_empty(desk->host));
    desk_end(desk);
}

/// A move needs up to two slots; the numbers of anchors include those where either is missing.
static void moves_without_memory_lose_nothing(void **state)
{
    (void)state;
    for (uint32_t count = 1; count <= 18; count++) {
        for (int32_t variant = 0; variant < 4; variant++) {
            check_move_without_memory(count, variant % 2 ? 2 : 8, variant / 2);
        }
    }
}

// ---- what does not fit -------------------------------------------------------------------------

static void what_does_not_fit_is_asked_again_later(void **state)
{
    (void)state;
    for (int estimated = 0; estimated < 2; estimated++) {
        Desk *desk = desk_begin(-30, 2);
        Host *host = desk->host;
        host->fit = estimated ? TRN_STREAM_FIT_ESTIMATED : TRN_STREAM_FIT_NO;
        const TrnStreamAnchor anchor = desk_anchor(desk, 32, 32, 32, 5, 4);
        const TrnStreamAnchorId id = desk_add(desk, &anchor);
        assert_int_equal(desk_update(desk), TRN_RESULT_OK); // the first two rings are tried
        const TrnStreamView view = desk_view(desk, id);
        assert_true(view.is_shrunk && view.is_started && view.rings == 1 && host->asked == 1);
        assert_false(host->asked_cautious);
        assert_true(trn_stream_views_have_work(&desk->views));
        assert_int_equal(trn_stream_views_are_idle(&desk->views), !estimated);
        TrnStreamStats stats = {0};
        trn_stream_views_count(&desk->views, &stats);
        assert_int_equal(stats.shrunk_views, 1);
        const uint64_t had = model_count(desk, TRN_STREAM_SHAPE_LOAD);
        uint32_t updates = 0;
        for (; host->asked == 1; updates++) {
            desk_update(desk);
        }
        assert_true(estimated ? updates >= 4 && updates <= 16 : updates >= 30 && updates <= 120);
        assert_int_equal(desk_view(desk, id).rings, 1);
        host->fit = TRN_STREAM_FIT_YES;
        host->may_grow = false;
        const uint64_t asked = host->asked_chunks;
        while (desk_view(desk, id).rings == 1) {
            desk_update(desk);
        }
        // What the ring adds, and some of what hysteresis may keep.
        const uint64_t more = model_count(desk, TRN_STREAM_SHAPE_LOAD) - had;
        assert_true(asked >= more && asked <= model_count(desk, TRN_STREAM_SHAPE_KEEP));
        assert_false(desk_view(desk, id).is_shrunk);
        desk_settle(desk);
        assert_int_equal(desk_view(desk, id).rings, 5);
        desk_end(desk);
    }
}

/// Updates until a shrunk view has grown by a ring. @return after how many
static uint32_t updates_until_growth(Desk *desk, TrnStreamAnchorId id)
{
    const uint32_t rings = desk_view(desk, id).rings;
    for (uint32_t updates = 1; updates < 1000; updates++) {
        desk_update(desk);
        if (desk_view(desk, id).rings != rings) {
            assert_int_equal(desk_view(desk, id).rings, rings + 1);
            return updates;
        }
    }
    fail_msg("the view does not grow again");
    return 0;
}

static void a_view_that_shrinks_grows_again_later_each_time(void **state)
{
    (void)state;
    Desk *desk = desk_begin(-30, 2);
    Host *host = desk->host;
    assert_false(trn_stream_views_shrink(&desk->views, 480));
    TrnStreamAnchor anchor = desk_anchor(desk, 32, 32, 32, 6, 3);
    const TrnStreamAnchorId id = desk_add(desk, &anchor);
    desk_settle(desk);
    const uint32_t waits[] = {60, 120, 240, 300, 300};
    for (uint32_t i = 0; i < 5; i++) {
        host_reset(host);
        assert_true(trn_stream_views_shrink(&desk->views, 300));
        desk_check_exact(desk); // also what only hysteresis kept has left
        assert_true(host->shrank == 1 && host->event_ring == 5);
        assert_true(desk_view(desk, id).is_shrunk && desk_view(desk, id).rings == 5);
        assert_true(trn_stream_views_are_idle(&desk->views));
        host_reset(host);
        assert_int_equal(updates_until_growth(desk, id), waits[i]);
        assert_true(host->asked_cautious && host->grew == 1);
        assert_false(desk_view(desk, id).is_shrunk);
    }
    // Several rings come back one at a time.
    trn_stream_views_shrink(&desk->views, 100);
    trn_stream_views_shrink(&desk->views, 100);
    trn_stream_views_shrink(&desk->views, 100);
    assert_int_equal(updates_until_growth(desk, id), 100);
    assert_true(desk_view(desk, id).is_shrunk);
    assert_int_equal(updates_until_growth(desk, id), 60);
    assert_int_equal(updates_until_growth(desk, id), 60);
    assert_false(desk_view(desk, id).is_shrunk);
    // After it has moved as far as it reaches, it tries at once.
    trn_stream_views_shrink(&desk->views, 300);
    for (uint32_t i = 0; desk_view(desk, id).rings < 6; i++) {
        assert_true(i <= 5);
        anchor.position.chunk.x++;
        desk_set(desk, id, &anchor);
        desk_update(desk);
        assert_true(i >= 4 || desk_view(desk, id).rings == 5);
    }
    trn_stream_views_shrink(&desk->views, 300); // and the backoff is short again
    assert_int_equal(updates_until_growth(desk, id), 60);
    // Down to its first ring.
    for (uint32_t rings = 6; rings; rings--) {
        assert_true(trn_stream_views_shrink(&desk->views, 300));
        desk_check_exact(desk);
    }
    assert_false(trn_stream_views_shrink(&desk->views, 300));
    assert_true(desk_view(desk, id).is_started && desk_view(desk, id).is_shrunk);
    TrnStreamStats stats = {0};
    trn_stream_views_count(&desk->views, &stats);
    assert_true(stats.shrinks == 5 + 3 + 1 + 1 + 6 && stats.shrunk_views == 1);
    desk_remove_last(desk, id);
    desk_end(desk);
}

/// A view that lost rings counts as shrunk until it has them again, whatever fails meanwhile.
static void a_shrunk_view_stays_shrunk_if_allocations_fail(void **state)
{
    (void)state;
    Desk *desk = desk_begin(-30, 2);
    Host *host = desk->host;
    const TrnStreamAnchor anchor = desk_anchor(desk, 32, 32, 32, 4, 4);
    const TrnStreamAnchorId id = desk_add(desk, &anchor);
    desk_settle(desk);
    trn_stream_views_shrink(&desk->views, 1);
    trn_stream_views_shrink(&desk->views, 1);
    host->fail_at = host->calls + 3;
    assert_int_equal(desk_update(desk), TRN_RESULT_NO_MEMORY);
    assert_true(desk_view(desk, id).is_shrunk && desk_view(desk, id).rings == 2);
    assert_true(updates_until_growth(desk, id) >= 4); // one ring
    assert_true(desk_view(desk, id).is_shrunk && host->asked_cautious);
    updates_until_growth(desk, id);
    assert_false(desk_view(desk, id).is_shrunk);
    desk_remove_last(desk, id);
    desk_end(desk);
}

static void the_largest_view_shrinks(void **state)
{
    (void)state;
    Desk *desk = desk_begin(-30, 1);
    const TrnStreamAnchor small = desk_anchor(desk, 20, 32, 32, 3, 3);
    const TrnStreamAnchor large = desk_anchor(desk, 40, 32, 32, 6, 2);
    const TrnStreamAnchorId first = desk_add(desk, &small), second = desk_add(desk, &large);
    desk_settle(desk);
    for (uint32_t i = 0; i < 4; i++) {
        assert_true(trn_stream_views_shrink(&desk->views, 300));
        desk_check(desk);
    }
    assert_int_equal(desk_view(desk, first).rings + desk_view(desk, second).rings, 5);
    desk_check_exact(desk);
    assert_int_equal(trn_stream_views_remove(&desk->views, second), TRN_RESULT_OK);
    uint32_t rings = 0; // a dissolving view does not shrink for memory
    while (trn_stream_views_shrink(&desk->views, 300)) {
        rings++;
    }
    assert_true(rings >= 2 && desk_view(desk, first).rings == 0);
    desk_settle(desk);
    desk_end(desk);
}

// ---- the order of the queue --------------------------------------------------------------------

/// Distance of a point to a segment, by halving the segment.
static double path_distance(const double from[3], const double ahead[3], const double to[3])
{
    double low = 0, high = 1;
    double distances[2] = {0, 0};
    for (uint32_t i = 0; i < 200; i++) {
        const double parts[2] = {low + (high - low) / 3, high - (high - low) / 3};
        for (int end = 0; end < 2; end++) {
            double squares = 0;
            for (int axis = 0; axis < 3; axis++) {
                const double off = to[axis] - from[axis] - parts[end] * ahead[axis];
                squares += off * off;
            }
            distances[end] = sqrt(squares);
        }
        *(distances[0] < distances[1] ? &high : &low) = parts[distances[0] < distances[1]];
    }
    return distances[0];
}

typedef struct Seen {
    double distance;
    bool is_visible, is_certain;
} Seen;

/// How an anchor sees the centre of a chunk: from stream_views.h.
static Seen model_rank(const TrnStreamAnchor *anchor, TrnCoord coord)
{
    const double reach = (anchor->radius_chunks > anchor->height_chunks ? anchor->radius_chunks
                                                                        : anchor->height_chunks) /
                         2.0;
    const TrnCoord chunk = anchor->position.chunk;
    const double to[3] = {(double)coord.x - chunk.x + 0.5, (double)coord.y - chunk.y + 0.5,
                          (double)coord.z - chunk.z + 0.5};
    double from[3], ahead[3], dot = 0, view = 0, squares = 0;
    for (int axis = 0; axis < 3; axis++) {
        from[axis] = anchor->position.offset[axis] / 32;
        const double second = anchor->velocity[axis] / 32;
        ahead[axis] = second > reach ? reach : second < -reach ? -reach : second;
        dot += (to[axis] - from[axis]) * anchor->view[axis];
        view += anchor->view[axis] * anchor->view[axis];
        squares += (to[axis] - from[axis]) * (to[axis] - from[axis]);
    }
    Seen seen = {.distance = path_distance(from, ahead, to), .is_certain = true};
    if (view == 0) {
        seen.is_visible = true;
        return seen;
    }
    const double cosine = squares > 0 ? dot / sqrt(view * squares) : 1;
    seen.is_visible = cosine >= 0.5 || seen.distance <= 1.5;
    seen.is_certain = fabs(cosine - 0.5) > 1e-9 && fabs(seen.distance - 1.5) > 1e-6;
    return seen;
}

static TrnStreamAnchor random_sight(const Desk *desk, TestRandom *random)
{
    TrnStreamAnchor anchor = desk_anchor(
        desk, (int32_t)test_random_range(random, 12, 50),
        (int32_t)test_random_range(random, 12, 50), (int32_t)test_random_range(random, 12, 50),
        (uint32_t)test_random_range(random, 0, 4), (uint32_t)test_random_range(random, 0, 4));
    const int64_t speed = test_random_range(random, 0, 2) * 60;
    const int64_t looks = test_random_range(random, 0, 3) * 7;
    for (int axis = 0; axis < 3; axis++) {
        anchor.position.offset[axis] = (double)test_random_range(random, 0, 3199) / 100;
        anchor.velocity[axis] = (double)test_random_range(random, -speed, speed);
        anchor.view[axis] = (double)test_random_range(random, -looks, looks);
    }
    return anchor;
}

static void ranks_are_distances_to_paths(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(13);
    Desk *desk = desk_begin(-30, 1);
    const TrnCoord origin = {0, 0, 0};
    assert_true(isinf(trn_stream_views_rank(&desk->views, origin).distance));
    assert_false(trn_stream_views_rank(&desk->views, origin).is_visible);
    assert_true(isinf(trn_stream_views_distance(&desk->views, origin)));
    TrnStreamAnchor anchors[3];
    TrnStreamAnchorId ids[3];
    for (uint32_t i = 0; i < 3; i++) {
        anchors[i] = random_sight(desk, &random);
        ids[i] = desk_add(desk, &anchors[i]);
    }
    uint32_t visible = 0, hidden = 0;
    for (uint32_t round = 0; round < 200; round++) {
        anchors[round % 3] = random_sight(desk, &random);
        desk_set(desk, ids[round % 3], &anchors[round % 3]);
        trn_stream_views_update(&desk->views, ++desk->update, true);
        for (uint32_t i = 0; i < 30; i++) {
            const TrnCoord coord = {(int32_t)test_random_range(&random, -30, 33),
                                    (int32_t)test_random_range(&random, -30, 33),
                                    (int32_t)test_random_range(&random, -30, 33)};
            Seen nearest = {.distance = INFINITY};
            double straight = INFINITY;
            bool is_tied = false;
            for (uint32_t a = 0; a < 3; a++) {
                const Seen seen = model_rank(&anchors[a], coord);
                is_tied |= fabs(seen.distance - nearest.distance) < 1e-6;
                nearest = seen.distance < nearest.distance ? seen : nearest;
                const TrnCoord at = anchors[a].position.chunk;
                straight = fmin(straight, sqrt(pow(coord.x - at.x, 2) + pow(coord.y - at.y, 2) +
                                               pow(coord.z - at.z, 2)));
            }
            const TrnStreamRank rank = trn_stream_views_rank(&desk->views, coord);
            assert_true(fabs(rank.distance - nearest.distance) < 1e-6);
            assert_true(fabs(trn_stream_views_distance(&desk->views, coord) - straight) < 1e-9);
            if (nearest.is_certain && !is_tied) {
                assert_int_equal(rank.is_visible, nearest.is_visible);
                visible += rank.is_visible;
                hidden += !rank.is_visible;
            }
        }
    }
    assert_true(visible > 500 && hidden > 500);
    for (uint32_t i = 0; i < 3; i++) { // dissolving views see nothing
        assert_int_equal(trn_stream_views_remove(&desk->views, ids[i]), TRN_RESULT_OK);
    }
    assert_true(isinf(trn_stream_views_rank(&desk->views, origin).distance));
    assert_true(isinf(trn_stream_views_distance(&desk->views, origin)));
    desk_end(desk);
}

/// Sets an anchor, updates, and returns how far the queue must be sorted.
static double sorted_after(Desk *desk, TrnStreamAnchorId id, const TrnStreamAnchor *anchor)
{
    desk_set(desk, id, anchor);
    trn_stream_views_update(&desk->views, ++desk->update, true);
    const double distance = trn_stream_views_take_unsorted(&desk->views);
    assert_true(trn_stream_views_take_unsorted(&desk->views) == 0); // taken
    return distance;
}

static void the_queue_is_sorted_after_turns_steps_and_jumps(void **state)
{
    (void)state;
    Desk *desk = desk_begin(-30, 1);
    TrnStreamAnchor anchor = desk_anchor(desk, 20, 30, 30, 4, 4);
    const TrnStreamAnchorId id = desk_add(desk, &anchor);
    assert_true(isinf(sorted_after(desk, id, &anchor))); // a new anchor
    assert_true(sorted_after(desk, id, &anchor) == 0);
    anchor.position.offset[0] = 3;
    assert_true(sorted_after(desk, id, &anchor) == 0); // in the same chunk
    anchor.view[2] = 100;
    assert_true(isinf(sorted_after(desk, id, &anchor))); // from all around to a direction
    double angle = 0;
    for (uint32_t i = 0; i < 4; i++) { // small turns add up
        assert_true(sorted_after(desk, id, &anchor) == 0);
        angle += 2.4;
        anchor.view[2] = cos(angle * 3.14159265358979 / 180);
        anchor.view[0] = sin(angle * 3.14159265358979 / 180);
    }
    assert_true(sorted_after(desk, id, &anchor) == 0);
    anchor.view[0] += 0.05;
    assert_true(isinf(sorted_after(desk, id, &anchor)));
    anchor.view[0] = anchor.view[2] = 0;
    assert_true(isinf(sorted_after(desk, id, &anchor)));
    anchor.velocity[1] = 15; // less than half a chunk a second
    assert_true(sorted_after(desk, id, &anchor) == 0);
    anchor.velocity[1] = 17;
    assert_true(isinf(sorted_after(desk, id, &anchor)));
    anchor.velocity[1] = 33;
    assert_true(sorted_after(desk, id, &anchor) == 0);
    uint32_t all = 0;
    for (uint32_t i = 0; i < 16; i++) { // steps: what is near each time, all now and then
        anchor.position.chunk.x += i % 2 ? 2 : 1;
        anchor.position.chunk.z += i % 3 ? -1 : 1;
        const double distance = sorted_after(desk, id, &anchor);
        assert_true(distance >= 8);
        all += isinf(distance) != 0;
    }
    assert_int_equal(all, 4);
    anchor.position.chunk.x -= 5;
    assert_true(isinf(sorted_after(desk, id, &anchor)));
    desk_end(desk);
}

/// What is queued for other anchors may be near a new one, also at the world's origin, and is not
/// near one that is removed.
static void anchors_that_come_and_go_sort_the_queue(void **state)
{
    (void)state;
    Desk *desk = desk_begin(-30, 1);
    const TrnStreamAnchor still = desk_anchor(desk, 20, 30, 30, 4, 4);
    const TrnStreamAnchorId other = desk_add(desk, &still);
    assert_true(isinf(sorted_after(desk, other, &still)));
    for (int32_t x = 28; x < 33; x++) {
        const TrnStreamAnchor anchor = desk_anchor(desk, x, 30, 30, 4, 4);
        const TrnStreamAnchorId id = desk_add(desk, &anchor);
        assert_true(isinf(sorted_after(desk, id, &anchor)));
        assert_true(sorted_after(desk, id, &anchor) == 0);
        trn_stream_views_remove(&desk->views, id);
        assert_true(isinf(sorted_after(desk, other, &still)));
    }
    desk_end(desk);
}

// ---- random actions ----------------------------------------------------------------------------

#define ANCHORS 4u

typedef struct Crowd {
    Desk *desk;
    TestRandom random;
    int32_t low, high; ///< where anchors may be, from the lowest corner of the box
    TrnStreamAnchorId ids[ANCHORS];
    TrnStreamAnchor anchors[ANCHORS];
    bool is_used[ANCHORS];
} Crowd;

static int64_t crowd_range(Crowd *crowd, int64_t low, int64_t high)
{
    return test_random_range(&crowd->random, low, high);
}

static void crowd_place(Crowd *crowd, TrnStreamAnchor *anchor)
{
    *anchor = desk_anchor(crowd->desk, (int32_t)crowd_range(crowd, crowd->low, crowd->high),
                          (int32_t)crowd_range(crowd, crowd->low, crowd->high),
                          (int32_t)crowd_range(crowd, crowd->low, crowd->high),
                          (uint32_t)crowd_range(crowd, 0, 5), (uint32_t)crowd_range(crowd, 0, 5));
}

static int32_t crowd_step(Crowd *crowd, int32_t at, int32_t base)
{
    const int64_t to = (int64_t)at - base + crowd_range(crowd, -2, 2);
    return base + (int32_t)(to < crowd->low ? crowd->low : to > crowd->high ? crowd->high : to);
}

static void crowd_move(Crowd *crowd, uint32_t i)
{
    const TrnCoord base = crowd->desk->host->base;
    TrnStreamAnchor *anchor = &crowd->anchors[i];
    TrnCoord *at = &anchor->position.chunk;
    const int64_t kind = crowd_range(crowd, 0, 19);
    if (kind == 0) { // jumps, and may be resized
        crowd_place(crowd, anchor);
    } else if (kind == 1) {
        const uint32_t times = anchor->radius_chunks < 3 && anchor->height_chunks < 3 ? 2 : 1;
        anchor->radius_chunks *= times;
        anchor->height_chunks *= times;
    } else if (kind == 2 && anchor->radius_chunks % 2 == 0 && anchor->height_chunks % 2 == 0) {
        anchor->radius_chunks /= 2;
        anchor->height_chunks /= 2;
    } else {
        *at = (TrnCoord){crowd_step(crowd, at->x, base.x), crowd_step(crowd, at->y, base.y),
                         crowd_step(crowd, at->z, base.z)};
    }
    desk_set(crowd->desk, crowd->ids[i], anchor);
}

static void crowd_fail_something(Crowd *crowd)
{
    Host *host = crowd->desk->host;
    host->failure = crowd_range(crowd, 0, 1) ? TRN_RESULT_FULL : TRN_RESULT_NO_MEMORY;
    if (crowd_range(crowd, 0, 3) == 0) {
        host->fail_at = host->calls + (uint32_t)crowd_range(crowd, 1, 60);
        host->fail_to = host->fail_at + (uint32_t)crowd_range(crowd, 0, 40);
    }
    if (crowd_range(crowd, 0, 3) == 0) {
        const size_t at = (size_t)crowd_range(crowd, 1, 3);
        test_fail(&crowd->desk->state, at, at + (size_t)crowd_range(crowd, 0, 1));
    }
    host->fit = (TrnStreamFit)(crowd_range(crowd, 0, 9) ? 0 : crowd_range(crowd, 0, 2));
    host->may_grow = crowd_range(crowd, 0, 4) > 0;
}

static void crowd_change(Crowd *crowd)
{
    Desk *desk = crowd->desk;
    const uint32_t i = (uint32_t)crowd_range(crowd, 0, ANCHORS - 1);
    if (!crowd->is_used[i]) {
        crowd_place(crowd, &crowd->anchors[i]);
        crowd->is_used[i] =
            trn_stream_views_add(&desk->views, &crowd->anchors[i], &crowd->ids[i]) == TRN_RESULT_OK;
    } else if (crowd_range(crowd, 0, 24) == 0) {
        assert_int_equal(trn_stream_views_remove(&desk->views, crowd->ids[i]), TRN_RESULT_OK);
        assert_int_equal(trn_stream_views_remove(&desk->views, crowd->ids[i]), TRN_RESULT_STALE_ID);
        crowd->is_used[i] = false;
    } else {
        crowd_move(crowd, i);
    }
}

/// One random update, and now and then what the stream does when memory runs short.
static void crowd_update(Crowd *crowd)
{
    Desk *desk = crowd->desk;
    const int64_t kind = crowd_range(crowd, 0, 39);
    if (kind == 0) {
        trn_stream_views_drop_kept(&desk->views);
        desk_check(desk);
    } else if (kind == 1) {
        trn_stream_views_shrink(&desk->views, (uint32_t)crowd_range(crowd, 1, 100));
        desk_check(desk);
    }
    trn_stream_views_update(&desk->views, ++desk->update, crowd_range(crowd, 0, 9) > 0);
    desk_check(desk);
}

static void crowd_run(int32_t base, int32_t low, int32_t high, uint64_t steps)
{
    Crowd *crowd = calloc(1, sizeof *crowd);
    assert_non_null(crowd);
    crowd->random = test_random_seeded((uint64_t)(int64_t)base + 77);
    crowd->low = low;
    crowd->high = high;
    crowd->desk = desk_begin(base, (uint32_t)crowd_range(crowd, 0, 2));
    Host *host = crowd->desk->host;
    for (uint64_t step = 0; step < steps; step++) {
        const bool is_calm = step / 64 % 3 == 0; // now and then nothing fails, and all come to rest
        if (is_calm) {
            host->fail_at = host->fit = 0;
            test_fail(&crowd->desk->state, 0, 0);
            host->may_grow = true;
        } else {
            crowd_fail_something(crowd);
        }
        if (step % 192 == 0) {
            desk_settle(crowd->desk);
        }
        for (int64_t changes = crowd_range(crowd, 0, 2); changes > 0; changes--) {
            crowd_change(crowd);
        }
        crowd_update(crowd);
    }
    host->fail_at = host->fit = 0;
    test_fail(&crowd->desk->state, 0, 0);
    for (uint32_t i = 0; i < ANCHORS; i++) {
        if (crowd->is_used[i]) {
            trn_stream_views_remove(&crowd->desk->views, crowd->ids[i]);
        }
    }
    desk_settle(crowd->desk);
    assert_true(host_is_empty(host) && crowd->desk->views.all.count == 0);
    desk_end(crowd->desk);
    free(crowd);
}

static void anything_leaves_no_holes_and_no_leaks(void **state)
{
    (void)state;
    crowd_run(-30, 12, 50, test_rounds(4000, 1000));
    crowd_run(INT32_MAX - EDGE + 1, 45, EDGE - 1, test_rounds(1500, 500));
    crowd_run(INT32_MIN, 0, 18, test_rounds(1500, 500));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_and_differences_match_the_formula),
        cmocka_unit_test(shapes_know_the_ends_of_the_world),
        cmocka_unit_test(a_view_grows_ring_by_ring),
        cmocka_unit_test(an_update_changes_a_limited_number_of_chunks),
        cmocka_unit_test(all_views_start_at_once),
        cmocka_unit_test(views_may_be_told_not_to_grow),
        cmocka_unit_test(steps_change_only_what_differs),
        cmocka_unit_test(hysteresis_keeps_what_a_view_comes_back_to),
        cmocka_unit_test(a_jump_dissolves_the_old_view),
        cmocka_unit_test(views_resize),
        cmocka_unit_test(views_stop_at_the_ends_of_the_world),
        cmocka_unit_test(a_jump_through_the_world_wraps_nowhere),
        cmocka_unit_test(ids_of_removed_anchors_are_stale),
        cmocka_unit_test(bad_anchors_are_refused),
        cmocka_unit_test(overlapping_views_keep_each_others_chunks),
        cmocka_unit_test(wants_that_fail_leave_no_holes),
        cmocka_unit_test(a_ring_that_fails_is_tried_again),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(moves_without_memory_lose_nothing),
        cmocka_unit_test(what_does_not_fit_is_asked_again_later),
        cmocka_unit_test(a_view_that_shrinks_grows_again_later_each_time),
        cmocka_unit_test(a_shrunk_view_stays_shrunk_if_allocations_fail),
        cmocka_unit_test(the_largest_view_shrinks),
        cmocka_unit_test(ranks_are_distances_to_paths),
        cmocka_unit_test(the_queue_is_sorted_after_turns_steps_and_jumps),
        cmocka_unit_test(anchors_that_come_and_go_sort_the_queue),
        cmocka_unit_test(anything_leaves_no_holes_and_no_leaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
