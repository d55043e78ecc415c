// Anchors and their views. No update has to want or unwant a whole ball of chunks, and running out
// of memory leaves a smaller view without holes.

#include "stream_views.h"

#include <terrane/pool.h>

#include <math.h>
#include <stdlib.h>

#include "base/assert.h"
#include "stream_view.h"

// Chunks that one update wants or unwants for growing and dissolving views, to within a ring: 0.2
// ms.
#define VIEWS_CHUNKS_PER_UPDATE 2048u
// chunks: the queue this near is sorted again whenever the anchor enters another chunk
#define VIEWS_NEAR 8.0
#define VIEWS_ESTIMATE_UPDATES 8u // until an estimate is repeated while chunks are still to come
#define VIEWS_RETRY_UPDATES 8u    // until a ring is tried again after an allocation failed
#define VIEWS_BLOCK 16u           // slots in a block of the pool

TrnStreamAnchor trn_stream_anchor(void)
{
    return (TrnStreamAnchor){.radius_chunks = 16, .height_chunks = 4};
}

// ---- slots -------------------------------------------------------------------------------------

TrnResult trn_stream_views_create(TrnStreamViews *views, const TrnStreamViewHost *host,
                                  uint32_t hysteresis, const TrnAllocator *allocator)
{
    *views = (TrnStreamViews){.host = *host,
                              .hysteresis = hysteresis,
                              .allocator = allocator,
                              .updates_a_second = STREAM_UPDATES_A_SECOND};
    TrnPoolDef pool = trn_pool_def(sizeof(TrnStreamViewSlot));
    pool.block_slots = VIEWS_BLOCK;
    pool.allocator = allocator;
    return trn_pool_create(&pool, &views->pool);
}

void trn_stream_views_destroy(TrnStreamViews *views)
{
    trn_pool_destroy(views->pool);
    if (views->allocator) {
        trn_array_free(&views->all, views->allocator);
        trn_stream_view_tree_free(&views->tree, views->allocator);
    }
}

static TrnStreamViewSlot *view_find(const TrnStreamViews *views, TrnStreamAnchorId id)
{
    return trn_pool_get(views->pool, id);
}

static void view_set_ring(TrnStreamViews *views, TrnStreamViewSlot *view, int64_t ring)
{
    TrnStreamViewExtent extent = view->now;
    extent.ring = ring;
    trn_stream_view_set_extent(views, view, extent);
}

static TrnStreamViewExtent view_empty(const TrnStreamViewSlot *view)
{
    TrnStreamViewExtent extent = view->now;
    extent.ring = -1;
    return extent;
}

// ---- anchors -----------------------------------------------------------------------------------

static bool view_anchor_is_valid(const TrnStreamAnchor *anchor)
{
    for (int axis = 0; axis < 3; axis++) {
        const double offset = anchor->position.offset[axis];
        if (!(offset >= 0 && offset < TRN_CHUNK_EDGE) || !isfinite(anchor->velocity[axis]) ||
            !isfinite(anchor->view[axis])) {
            return false;
        }
    }
    return anchor->radius_chunks <= TRN_STREAM_RADIUS_MAX &&
           anchor->height_chunks <= TRN_STREAM_RADIUS_MAX;
}

static bool view_anchor_is_same(const TrnStreamAnchor *a, const TrnStreamAnchor *b)
{
    for (int axis = 0; axis < 3; axis++) {
        if (a->position.offset[axis] != b->position.offset[axis] ||
            a->velocity[axis] != b->velocity[axis] || a->view[axis] != b->view[axis]) {
            return false;
        }
    }
    return trn_coord_equal(a->position.chunk, b->position.chunk) &&
           a->radius_chunks == b->radius_chunks && a->height_chunks == b->height_chunks;
}

static uint32_t view_rings_wanted(const TrnStreamViewSlot *view)
{
    const TrnStreamAnchor *anchor = &view->anchor;
    return anchor->radius_chunks > anchor->height_chunks ? anchor->radius_chunks
                                                         : anchor->height_chunks;
}

static bool view_anchor_has_velocity(const TrnStreamAnchor *anchor)
{
    return anchor->velocity[0] != 0 || anchor->velocity[1] != 0 || anchor->velocity[2] != 0;
}

/// What the anchor of a view sees: ahead along its velocity, or along its way so far without one.
static TrnStreamSight view_sight(const TrnStreamViews *views, const TrnStreamViewSlot *view,
                                 TrnCoord centre)
{
    double velocity[3];
    const bool is_given = view_anchor_has_velocity(&view->anchor);
    for (int axis = 0; axis < 3; axis++) {
        velocity[axis] = is_given ? view->anchor.velocity[axis]
                                  : view->motion.velocity[axis] * views->updates_a_second;
    }
    return trn_stream_sight(&view->anchor, velocity, centre);
}

TrnResult trn_stream_views_add(TrnStreamViews *views, const TrnStreamAnchor *anchor,
                               TrnStreamAnchorId *id)
{
    if (!anchor || !id || !view_anchor_is_valid(anchor)) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    TrnStreamViewSlot *view = trn_stream_view_create(views);
    if (!view) {
        return TRN_RESULT_NO_MEMORY;
    }
    view->anchor = *anchor;
    view->is_changed = true;
    trn_stream_view_set_extent(views, view,
                               (TrnStreamViewExtent){anchor->position.chunk, anchor->radius_chunks,
                                                     anchor->height_chunks, -1});
    view->motion = (TrnStreamMotion){.position = anchor->position, .update = views->update};
    trn_stream_view_set_sight(views, view, view_sight(views, view, view->now.centre));
    view->queue_sight = view->sight;
    views->unsorted = (double)INFINITY;
    *id = view->id;
    return TRN_RESULT_OK;
}

TrnResult trn_stream_views_set(TrnStreamViews *views, TrnStreamAnchorId id,
                               const TrnStreamAnchor *anchor)
{
    TrnStreamViewSlot *view = view_find(views, id);
    if (!view) {
        return TRN_RESULT_STALE_ID;
    }
    if (!anchor || !view_anchor_is_valid(anchor)) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    if (!view_anchor_is_same(anchor, &view->anchor)) {
        view->anchor = *anchor;
        view->is_changed = true;
    }
    return TRN_RESULT_OK;
}

/// Whether memory keeps an anchor's view smaller than wanted.
static bool view_is_shrunk(const TrnStreamViewSlot *view)
{
    return view->life == TRN_STREAM_VIEW_SHORT || view->life == TRN_STREAM_VIEW_ESTIMATED;
}

TrnResult trn_stream_views_get(const TrnStreamViews *views, TrnStreamAnchorId id,
                               TrnStreamView *out)
{
    const TrnStreamViewSlot *view = view_find(views, id);
    if (!view) {
        return TRN_RESULT_STALE_ID;
    }
    *out = (TrnStreamView){.rings = view->now.ring > 0 ? (uint32_t)view->now.ring : 0,
                           .rings_wanted = view_rings_wanted(view),
                           .is_started = view->now.ring >= 0,
                           .is_shrunk = view_is_shrunk(view)};
    return TRN_RESULT_OK;
}

bool trn_stream_views_next(const TrnStreamViews *views, uint32_t *cursor, TrnStreamAnchorId *id,
                           TrnStreamAnchor *anchor)
{
    while (*cursor < views->all.count) {
        const TrnStreamViewSlot *view = views->all.items[(*cursor)++].view;
        if (trn_stream_view_has_anchor(view)) {
            *id = view->id;
            *anchor = view->anchor;
            return true;
        }
    }
    return false;
}

// ---- questions ---------------------------------------------------------------------------------

bool trn_stream_views_have(const TrnStreamViews *views, TrnCoord coord, TrnStreamViewShape which)
{
    return trn_stream_view_any_has(views, coord, which, true);
}

bool trn_stream_views_have_work(const TrnStreamViews *views)
{
    for (uint32_t i = 0; i < views->all.count; i++) {
        const TrnStreamViewSlot *view = views->all.items[i].view;
        if (view->is_changed || view->previous.ring >= 0 || !trn_stream_view_has_anchor(view) ||
            view->now.ring != (int64_t)view_rings_wanted(view)) {
            return true;
        }
    }
    return false;
}

bool trn_stream_views_are_moving(const TrnStreamViews *views)
{
    bool are_moving = false;
    for (uint32_t i = 0; i < views->all.count && !are_moving; i++) {
        are_moving = trn_stream_motion_is_known(&views->all.items[i].view->motion);
    }
    return are_moving;
}

bool trn_stream_views_are_dropping(const TrnStreamViews *views)
{
    for (uint32_t i = 0; i < views->all.count; i++) {
        const TrnStreamViewSlot *view = views->all.items[i].view;
        if (!trn_stream_view_has_anchor(view) || view->previous.ring >= 0 ||
            view->now.ring > (int64_t)view_rings_wanted(view)) {
            return true;
        }
    }
    return false;
}

bool trn_stream_views_are_idle(const TrnStreamViews *views)
{
    for (uint32_t i = 0; i < views->all.count; i++) {
        const TrnStreamViewSlot *view = views->all.items[i].view;
        const bool is_whole = view->now.ring == (int64_t)view_rings_wanted(view) ||
                              (view->life == TRN_STREAM_VIEW_SHORT && view->now.ring >= 0);
        if (!trn_stream_view_has_anchor(view) || view->is_changed || view->previous.ring >= 0 ||
            !is_whole) {
            return false;
        }
    }
    return true;
}

bool trn_stream_views_touch_end(const TrnStreamViews *views)
{
    for (uint32_t i = 0; i < views->all.count; i++) {
        if (trn_stream_shape_touches_end(
                &views->all.items[i].view->shapes[TRN_STREAM_SHAPE_KEEP])) {
            return true;
        }
    }
    return false;
}

void trn_stream_views_count(const TrnStreamViews *views, TrnStreamStats *stats)
{
    for (uint32_t i = 0; i < views->all.count; i++) {
        const TrnStreamViewSlot *view = views->all.items[i].view;
        stats->anchors += trn_stream_view_has_anchor(view);
        stats->dissolving += !trn_stream_view_has_anchor(view);
        stats->shrunk_views += view_is_shrunk(view);
    }
    stats->grows = views->grows;
    stats->shrinks = views->shrinks;
    stats->cells_visited = views->visited;
}

// ---- the order of the queue --------------------------------------------------------------------

TrnStreamRank trn_stream_views_rank(const TrnStreamViews *views, TrnCoord coord)
{
    return trn_stream_view_tree_rank(&views->tree, coord);
}

double trn_stream_views_distance(const TrnStreamViews *views, TrnCoord coord)
{
    double nearest = (double)INFINITY;
    for (uint32_t i = 0; i < views->all.count; i++) {
        const TrnStreamViewSlot *view = views->all.items[i].view;
        if (trn_stream_view_has_anchor(view)) {
            const double to[3] = {(double)coord.x - view->now.centre.x,
                                  (double)coord.y - view->now.centre.y,
                                  (double)coord.z - view->now.centre.z};
            nearest = fmin(nearest, sqrt(to[0] * to[0] + to[1] * to[1] + to[2] * to[2]));
        }
    }
    return nearest;
}

double trn_stream_views_take_unsorted(TrnStreamViews *views)
{
    const double unsorted = views->unsorted;
    views->unsorted = 0;
    return unsorted;
}

/// Notes how much of the queue to sort again for an anchor's new position. Far chunks are almost as
/// far as before, so all are sorted only every fourth time: sorting all each time took a quarter of
/// an update at 200 blocks a second.
static void view_request_sort(TrnStreamViews *views, TrnStreamViewSlot *view)
{
    TrnStreamSight *before = &view->queue_sight;
    const TrnCoord was_at = before->centre;
    double distance = 0;
    if (trn_stream_sight_has_turned(&view->sight, before)) {
        *before = view->sight;
        distance = (double)INFINITY;
    } else if (!trn_coord_equal(view->sight.centre, was_at)) {
        const uint32_t crossing = ++views->crossings;
        const bool is_step = trn_stream_is_step(view->sight.centre, was_at);
        distance = !is_step || crossing % 4 == 0 ? (double)INFINITY
                   : crossing % 2 == 0           ? VIEWS_NEAR * 2
                                                 : VIEWS_NEAR;
    }
    before->centre = view->sight.centre;
    views->unsorted = fmax(views->unsorted, distance);
}

// ---- moving ------------------------------------------------------------------------------------

static void view_notify(const TrnStreamViews *views, const TrnStreamViewSlot *view,
                        TrnStreamEventKind kind)
{
    views->host.event(views->host.user, kind, view->now.centre,
                      view->now.ring > 0 ? (uint32_t)view->now.ring : 0);
}

static void view_remove_ring(TrnStreamViews *views, TrnStreamViewSlot *view)
{
    const TrnStreamViewExtent before = view->now;
    view_set_ring(views, view, before.ring - 1);
    trn_stream_view_unwant(views, view, &before);
}

/// Unwants what a view has moved away from. It runs in the update after the view wanted what it
/// moved towards: each takes 0.3 ms for 900 chunks, and both at once made the slowest updates.
static void view_release_previous(TrnStreamViews *views, TrnStreamViewSlot *view)
{
    if (view->previous.ring >= 0) {
        const TrnStreamViewExtent before = view->previous;
        view->previous.ring = -1;
        trn_stream_view_unwant(views, view, &before);
    }
}

/// Turns an extent into a dissolving view of its own. What anchors show stays shown.
/// @return false without memory for it
static bool view_leave_behind(TrnStreamViews *views, TrnStreamViewExtent extent)
{
    TrnStreamViewSlot *left = trn_stream_view_create(views);
    if (!left) {
        return false;
    }
    trn_stream_view_set_extent(views, left, extent);
    trn_stream_view_dissolve(views, left);
    trn_stream_view_hide(views, left);
    return true;
}

/// Empties a view; what it had dissolves in a slot of its own. @return false without memory for the
/// slot; nothing has changed then
static bool view_detach(TrnStreamViews *views, TrnStreamViewSlot *view)
{
    const TrnStreamViewExtent before = view->now;
    if (before.ring < 0) {
        return true;
    }
    trn_stream_view_set_extent(views, view,
                               view_empty(view)); // first: it must not keep the old one shown
    if (view_leave_behind(views, before)) {
        return true;
    }
    trn_stream_view_set_extent(views, view, before);
    return false;
}

/// Moves a view by a step. What it no longer keeps stays until the next update. Without memory, a
/// new view starts at the new place and both extents dissolve, so that no wanted chunk is lost
/// track of.
static void view_step(TrnStreamViews *views, TrnStreamViewSlot *view, TrnCoord centre)
{
    // For the worst case: without a slot for the new extent, nothing moves.
    TrnStreamViewSlot *spare = trn_stream_view_create(views);
    if (!spare) {
        return;
    }
    trn_stream_view_dissolve(views, spare); // it has no chunks unless the step fails
    const TrnStreamViewExtent before = view->now;
    TrnStreamViewExtent moved = before;
    moved.centre = centre;
    trn_stream_view_set_extent(views, view, moved);
    if (trn_stream_view_want(views, view, &before) == TRN_RESULT_OK) {
        trn_stream_view_free(views, spare);
        view->previous = before;
        return;
    }
    trn_stream_view_set_extent(views, view, view_empty(view));
    trn_stream_view_set_extent(views, spare, moved);
    trn_stream_view_hide(views, spare);
    if (!view_leave_behind(views, before)) {
        view->previous = before; // released at once by the next update
    }
    view->life = TRN_STREAM_VIEW_GROWING;
}

/// Whether rings of the current view are also rings of what the anchor asks for.
static bool view_keeps_proportion(const TrnStreamViewSlot *view)
{
    const TrnStreamAnchor *anchor = &view->anchor;
    return (uint64_t)view->now.radius * anchor->height_chunks ==
               (uint64_t)view->now.height * anchor->radius_chunks &&
           (view->now.radius != 0) == (anchor->radius_chunks != 0) &&
           (view->now.height != 0) == (anchor->height_chunks != 0);
}

/// Sets the life of an anchor's view after its rings changed, or those asked for.
static void view_note_rings(TrnStreamViewSlot *view)
{
    if (view->now.ring >= (int64_t)view_rings_wanted(view)) {
        view->life = TRN_STREAM_VIEW_FULL;
        view->lost_rings = 0;
    } else if (view->lost_rings) {
        view->life = TRN_STREAM_VIEW_SHORT;
    } else if (view->life == TRN_STREAM_VIEW_FULL) {
        view->life = TRN_STREAM_VIEW_GROWING;
    }
}

/// Moves a view to where its anchor is.
static void view_follow(TrnStreamViews *views, TrnStreamViewSlot *view)
{
    const TrnCoord centre = view->anchor.position.chunk;
    TRN_ASSERT(view->previous.ring < 0);
    if (!view_keeps_proportion(view) || !trn_stream_is_step(view->now.centre, centre)) {
        if (!view_detach(views, view)) {
            return; // retried with the next update
        }
        view->now.centre = centre;
        trn_stream_view_tree_update(&views->tree, view, true);
        view->life = TRN_STREAM_VIEW_GROWING;
        view->lost_rings = 0;
        view->grow_update = 0;
        view->backoff_updates = STREAM_VIEW_BACKOFF_MIN;
    }
    TrnStreamViewExtent extent = view->now;
    extent.radius = view->anchor.radius_chunks;
    extent.height = view->anchor.height_chunks;
    trn_stream_view_set_extent(views, view, extent);
    // Before the view wants new chunks, so that these enter the queue in the right order at once.
    trn_stream_view_set_sight(views, view, view_sight(views, view, centre));
    view_request_sort(views, view);
    if (!trn_coord_equal(view->now.centre, centre)) {
        view_step(views, view, centre);
    }
    view->is_changed = !trn_coord_equal(view->now.centre, centre);
    view_note_rings(view);
}

// ---- growing and shrinking ---------------------------------------------------------------------

/// Estimates how many chunks one more ring adds. On a straight flight that includes a fifth to a
/// quarter of what hysteresis may keep.
static uint64_t view_next_ring_count(const TrnStreamViews *views, const TrnStreamViewSlot *view)
{
    TrnStreamViewExtent next = view->now;
    next.ring++;
    const TrnStreamShape then = trn_stream_view_shape(views, &next, TRN_STREAM_SHAPE_LOAD);
    const TrnStreamShape kept = trn_stream_view_shape(views, &next, TRN_STREAM_SHAPE_KEEP);
    const uint64_t count = trn_stream_shape_count(&then);
    return count - trn_stream_shape_count(&view->shapes[TRN_STREAM_SHAPE_LOAD]) +
           (trn_stream_shape_count(&kept) - count) / 4;
}

/// Resets the backoff of a view that has moved as far as it reaches: how much memory it needs
/// depends on the land around it.
static void view_reset_backoff(const TrnStreamViews *views, TrnStreamViewSlot *view)
{
    const TrnCoord centre = view->now.centre, last = view->backoff_centre;
    const int64_t x = (int64_t)centre.x - last.x, y = (int64_t)centre.y - last.y,
                  z = (int64_t)centre.z - last.z;
    const int64_t reach = view->now.ring > 0 ? view->now.ring : 1;
    if (view->lost_rings && (llabs(x) >= reach || llabs(y) >= reach || llabs(z) >= reach)) {
        view->backoff_centre = centre;
        view->backoff_updates = STREAM_VIEW_BACKOFF_MIN;
        view->grow_update = views->update;
    }
}

/// Whether the next ring is likely to fit; if not, when to ask again. The first rings are tried
/// once, regardless of the estimates.
static bool view_next_ring_fits(const TrnStreamViews *views, TrnStreamViewSlot *view)
{
    if (view->now.ring < 1 && !view->lost_rings) {
        return true;
    }
    const TrnStreamFit fit = views->host.fits(views->host.user, view_next_ring_count(views, view),
                                              view->lost_rings != 0);
    if (fit == TRN_STREAM_FIT_YES) {
        return true;
    }
    const bool is_estimate = fit == TRN_STREAM_FIT_ESTIMATED;
    view->life = is_estimate ? TRN_STREAM_VIEW_ESTIMATED : TRN_STREAM_VIEW_SHORT;
    view->grow_update =
        views->update + (is_estimate ? VIEWS_ESTIMATE_UPDATES : STREAM_VIEW_BACKOFF_MIN);
    return false;
}

/// Adds the next ring, if there is one and it is likely to fit.
/// @param result  receives NO_MEMORY or FULL if it could not be added
/// @return whether it was added
static bool view_grow(TrnStreamViews *views, TrnStreamViewSlot *view, TrnResult *result)
{
    view_reset_backoff(views, view);
    if (view->now.ring >= (int64_t)view_rings_wanted(view) || views->update < view->grow_update ||
        !view_next_ring_fits(views, view)) {
        return false;
    }
    const TrnStreamViewExtent before = view->now;
    view_set_ring(views, view, before.ring + 1);
    const TrnResult wanted = trn_stream_view_want(views, view, &before);
    if (wanted != TRN_RESULT_OK) {
        view_remove_ring(views, view);
        if (wanted == TRN_RESULT_FULL && !view->lost_rings) {
            view->lost_rings = 1;
            view->backoff_centre = before.centre;
        }
        view->life = view->lost_rings ? TRN_STREAM_VIEW_SHORT : TRN_STREAM_VIEW_GROWING;
        view->grow_update = views->update + VIEWS_RETRY_UPDATES;
        *result = wanted;
        return false;
    }
    if (view->life == TRN_STREAM_VIEW_ESTIMATED || view->life == TRN_STREAM_VIEW_SHORT) {
        view->life = TRN_STREAM_VIEW_GROWING;
    }
    view_note_rings(view);
    // After memory ran short, add one ring at a time and measure it before the next.
    view->grow_update = view->lost_rings ? views->update + STREAM_VIEW_BACKOFF_MIN : 0;
    views->grows++;
    view_notify(views, view, TRN_STREAM_EVENT_GREW);
    return true;
}

/// Drops the outer ring of a view that has more rings than wanted: a dissolving view, or one whose
/// anchor asks for less. @return whether more rings are to be dropped
static bool view_drop_outer_ring(TrnStreamViews *views, TrnStreamViewSlot *view)
{
    const int64_t asked = trn_stream_view_has_anchor(view) ? (int64_t)view_rings_wanted(view) : -1;
    if (view->now.ring > asked) {
        view_remove_ring(views, view);
    }
    const bool has_more = view->now.ring > asked;
    if (!trn_stream_view_has_anchor(view) && !has_more) {
        trn_stream_view_free(views, view);
    }
    return has_more;
}

static void views_drop_outer_rings(TrnStreamViews *views, uint64_t end)
{
    bool has_more = true;
    for (bool is_first = true; has_more && (is_first || views->visited < end); is_first = false) {
        has_more = false;
        // From the last, since dropping frees slots.
        for (uint32_t i = views->all.count; i-- > 0;) {
            if (is_first || views->visited < end) {
                has_more |= view_drop_outer_ring(views, views->all.items[i].view);
            }
        }
    }
}

static TrnResult views_grow(TrnStreamViews *views, uint64_t end)
{
    TrnResult result = TRN_RESULT_OK;
    bool has_more = true;
    for (bool is_first = true;
         has_more && (is_first || (views->visited < end && views->host.may_grow(views->host.user)));
         is_first = false) {
        has_more = false;
        for (uint32_t i = 0; i < views->all.count; i++) {
            TrnStreamViewSlot *view = views->all.items[i].view;
            // The ground around an anchor waits neither for dissolving views nor for other anchors.
            const bool is_due = view->now.ring < 1 || views->visited < end;
            has_more |=
                is_due && trn_stream_view_has_anchor(view) && view_grow(views, view, &result);
        }
    }
    return result;
}

void trn_stream_views_set_pace(TrnStreamViews *views, double updates_a_second)
{
    views->updates_a_second = updates_a_second;
}

/// Notes how an anchor moves, if the game does not say. @return whether it has just stopped
static bool view_has_stopped(const TrnStreamViews *views, TrnStreamViewSlot *view)
{
    if (view_anchor_has_velocity(&view->anchor)) {
        view->motion =
            (TrnStreamMotion){.position = view->anchor.position, .update = views->update};
        return false;
    }
    return trn_stream_view_has_anchor(view) &&
           trn_stream_motion_note(&view->motion, view->anchor.position, views->update);
}

TrnResult trn_stream_views_update(TrnStreamViews *views, uint64_t update, bool may_grow)
{
    views->update = update;
    trn_stream_view_tree_tidy(&views->tree);
    for (uint32_t i = 0; i < views->all.count; i++) {
        view_release_previous(views, views->all.items[i].view);
    }
    const uint32_t count = views->all.count; // views left behind in this update are appended
    for (uint32_t i = 0; i < count; i++) {
        TrnStreamViewSlot *view = views->all.items[i].view;
        view->is_changed |= view_has_stopped(views, view);
        if (view->is_changed) {
            view_follow(views, view);
        }
    }
    const uint64_t end = views->visited + VIEWS_CHUNKS_PER_UPDATE;
    views_drop_outer_rings(views, end);
    return may_grow ? views_grow(views, end) : TRN_RESULT_OK;
}

void trn_stream_views_drop_kept(TrnStreamViews *views)
{
    for (uint32_t i = 0; i < views->all.count; i++) {
        const TrnStreamViewSlot *view = views->all.items[i].view;
        if (trn_stream_view_has_anchor(view)) {
            trn_stream_view_drop_kept(views, view, &view->now);
        }
    }
}

/// Sets when a view that lost a ring tries to grow again: later each time.
static void view_back_off(const TrnStreamViews *views, TrnStreamViewSlot *view, uint32_t max)
{
    view->backoff_centre = view->now.centre;
    view->grow_update = views->update + (view->backoff_updates < max ? view->backoff_updates : max);
    if (view->backoff_updates < max) {
        view->backoff_updates = view->backoff_updates * 2 < max ? view->backoff_updates * 2 : max;
    }
}

bool trn_stream_views_shrink(TrnStreamViews *views, uint32_t backoff_max)
{
    TrnStreamViewSlot *largest = NULL;
    for (uint32_t i = 0; i < views->all.count; i++) {
        TrnStreamViewSlot *view = views->all.items[i].view;
        if (trn_stream_view_has_anchor(view) && view->now.ring > 0 &&
            (!largest || view->now.ring > largest->now.ring)) {
            largest = view;
        }
    }
    if (!largest) {
        return false;
    }
    const TrnStreamViewExtent before = largest->now;
    view_remove_ring(views, largest);
    trn_stream_view_drop_kept(views, largest, &before);
    largest->lost_rings++;
    view_back_off(views, largest, backoff_max);
    view_note_rings(largest);
    views->shrinks++;
    view_notify(views, largest, TRN_STREAM_EVENT_SHRANK);
    return true;
}

TrnResult trn_stream_views_remove(TrnStreamViews *views, TrnStreamAnchorId id)
{
    TrnStreamViewSlot *view = view_find(views, id);
    if (!view) {
        return TRN_RESULT_STALE_ID;
    }
    view_release_previous(views, view);
    trn_stream_view_dissolve(views, view);
    views->unsorted = (double)INFINITY;
    if (view->now.ring < 0) {
        trn_stream_view_free(views, view);
    } else {
        trn_stream_view_hide(views, view);
    }
    return TRN_RESULT_OK;
}
