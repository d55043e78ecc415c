/// Views of anchors without a stream: a host that keeps what is wanted and shown, and a model
/// that computes it chunk by chunk from the words of terrane/stream.h.
#pragma once

#include "testing.h"

#include <math.h>

#include "stream/stream_views.h"

// ---- the host ----------------------------------------------------------------------------------

/// All chunks of a test lie in a box of this edge; callbacks for others fail the test.
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

static inline size_t host_cell(const Host *host, TrnCoord coord)
{
    const int64_t x = (int64_t)coord.x - host->base.x, y = (int64_t)coord.y - host->base.y,
                  z = (int64_t)coord.z - host->base.z;
    assert_true(x >= 0 && x < EDGE && y >= 0 && y < EDGE && z >= 0 && z < EDGE);
    return (size_t)((y * EDGE + z) * EDGE + x);
}

static inline TrnCoord host_coord(const Host *host, size_t cell)
{
    return (TrnCoord){host->base.x + (int32_t)(cell % EDGE),
                      host->base.y + (int32_t)(cell / EDGE / EDGE),
                      host->base.z + (int32_t)(cell / EDGE % EDGE)};
}

static inline bool host_fails(Host *host)
{
    const uint32_t call = ++host->calls;
    return host->fail_at && call >= host->fail_at &&
           (call == host->fail_at || call <= host->fail_to);
}

/// If it is to fail, half of the chunks have entered.
static inline TrnResult host_want(void *user, const TrnCoord *coords, uint32_t count)
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

static inline void host_unwant(void *user, const TrnCoord *coords, uint32_t count)
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

static inline void host_fill_shown(Host *host, TrnBox row, uint8_t value)
{
    assert_true(row.min.y == row.max.y && row.min.z == row.max.z && row.min.x <= row.max.x);
    for (int64_t x = row.min.x; x <= row.max.x; x++) {
        host->shown[host_cell(host, (TrnCoord){(int32_t)x, row.min.y, row.min.z})] = value;
    }
}

static inline TrnResult host_show(void *user, TrnBox row)
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

static inline void host_hide(void *user, TrnBox row)
{
    host_fill_shown(user, row, 0);
}

static inline TrnStreamFit host_fits(void *user, uint64_t chunks, bool is_cautious)
{
    Host *host = user;
    host->asked++;
    host->asked_chunks = chunks;
    host->asked_cautious = is_cautious;
    return host->fit;
}

static inline bool host_may_grow(void *user)
{
    const Host *host = user;
    return host->may_grow;
}

static inline void host_event(void *user, TrnStreamEventKind kind, TrnCoord centre, uint32_t ring)
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

static inline void host_reset(Host *host)
{
    host->entered = host->left = host->want_calls = host->unwanted = host->asked = 0;
    host->grew = host->shrank = 0;
}

static inline TrnStreamViewHost desk_host(Host *host)
{
    return (TrnStreamViewHost){.want = host_want,
                               .unwant = host_unwant,
                               .show = host_show,
                               .hide = host_hide,
                               .fits = host_fits,
                               .may_grow = host_may_grow,
                               .event = host_event,
                               .user = host};
}

/// Begins without views, for tests in which creating them may fail.
static inline Desk *desk_begin_bare(int32_t base)
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

static inline Desk *desk_begin(int32_t base, uint32_t hysteresis)
{
    Desk *desk = desk_begin_bare(base);
    const TrnStreamViewHost host = desk_host(desk->host);
    assert_int_equal(trn_stream_views_create(&desk->views, &host, hysteresis, &desk->allocator),
                     TRN_RESULT_OK);
    return desk;
}

static inline void desk_end(Desk *desk)
{
    trn_stream_views_destroy(&desk->views);
    assert_int_equal(desk->state.live_blocks, 0);
    free(desk->past);
    free(desk->model);
    free(desk->host);
    free(desk);
}

/// An anchor in the chunk at an offset from the lowest corner of the box.
static inline TrnStreamAnchor desk_anchor(const Desk *desk, int32_t x, int32_t y, int32_t z,
                                          uint32_t radius, uint32_t height)
{
    const TrnCoord base = desk->host->base;
    TrnStreamAnchor anchor = trn_stream_anchor();
    anchor.position = (TrnPosition){{base.x + x, base.y + y, base.z + z}, {16, 16, 16}};
    anchor.radius_chunks = radius;
    anchor.height_chunks = height;
    return anchor;
}

static inline TrnStreamAnchorId desk_add(Desk *desk, const TrnStreamAnchor *anchor)
{
    TrnStreamAnchorId id;
    assert_int_equal(trn_stream_views_add(&desk->views, anchor, &id), TRN_RESULT_OK);
    return id;
}

static inline void desk_set(Desk *desk, TrnStreamAnchorId id, const TrnStreamAnchor *anchor)
{
    assert_int_equal(trn_stream_views_set(&desk->views, id, anchor), TRN_RESULT_OK);
}

static inline TrnStreamView desk_view(const Desk *desk, TrnStreamAnchorId id)
{
    TrnStreamView view;
    assert_int_equal(trn_stream_views_get(&desk->views, id, &view), TRN_RESULT_OK);
    return view;
}

// ---- the model ---------------------------------------------------------------------------------

/// Whether a chunk is shown by a view of these radii: from stream.h.
static inline bool model_shows(double x, double y, double z, double across, double up)
{
    if ((across == 0 && (x != 0 || z != 0)) || (up == 0 && y != 0)) {
        return false;
    }
    const double flat = across > 0 ? (x * x + z * z) / (across * across) : 0;
    const double tall = up > 0 ? y * y / (up * up) : 0;
    return flat + tall <= 1 + 1e-9;
}

static inline void model_mark_chunk(const Desk *desk, uint8_t *cells, const int64_t at[3], int bit)
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
static inline void model_mark_ball(const Desk *desk, uint8_t *cells, TrnCoord centre, double across,
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
static inline void model_mark(const Desk *desk, uint8_t *cells, const TrnStreamViewExtent *extent,
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
static inline void model_compute(Desk *desk)
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

static inline bool model_has(uint8_t cell, TrnStreamViewShape which)
{
    return cell >> which & 1;
}

/// Whether eight cells in a row are neither wanted nor shown, nor should be.
static inline bool desk_is_empty(const Desk *desk, size_t cell)
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
static inline void desk_check(Desk *desk)
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
static inline void desk_check_exact(Desk *desk)
{
    desk_check(desk);
    for (size_t i = 0; i < CELLS; i++) {
        assert_int_equal(desk->host->wanted[i], model_has(desk->model[i], TRN_STREAM_SHAPE_LOAD));
        assert_int_equal(desk->host->shown[i], model_has(desk->model[i], TRN_STREAM_SHAPE_SHOW));
    }
}

static inline bool host_is_empty(const Host *host)
{
    return !memchr(host->wanted, 1, CELLS) && !memchr(host->shown, 1, CELLS);
}

/// Updates, and checks what that changed.
static inline TrnResult desk_update(Desk *desk)
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
static inline uint32_t desk_settle(Desk *desk)
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
static inline void desk_remove_last(Desk *desk, TrnStreamAnchorId id)
{
    assert_int_equal(trn_stream_views_remove(&desk->views, id), TRN_RESULT_OK);
    desk_check(desk);
    desk_settle(desk);
    assert_true(host_is_empty(desk->host));
    assert_int_equal(desk->views.all.count, 0);
}
