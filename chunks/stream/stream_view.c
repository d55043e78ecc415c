// Anchors and their views. A view grows ring by ring from its centre, moves by the chunks that
// differ, and dissolves ring by ring from outside when its anchor has left it. No update has to
// want or unwant a whole ball of chunks, and running out of memory leaves a smaller view without
// holes.

#include "stream_impl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Chunks that one update wants or unwants for growing and dissolving views, to within a ring: 0.2
// ms.
#define VIEW_CELLS_PER_UPDATE 2048u
#define VIEW_QUEUED_MAX 65536u // views do not grow while this many chunks are queued
#define VIEW_STEP_MAX 2      // longest move along an axis that only changes the chunks that differ
#define VIEW_LOOKAHEAD_S 1.0 // how far ahead along the velocity a chunk counts as near
#define VIEW_TURN 0.985      // cosine of 10 degrees: a turn after which cells are rebucketed
#define VIEW_DRIFT 0.5       // chunks that the look-ahead point moves, likewise
#define VIEW_BATCH 16u       // chunks that are wanted or unwanted together
// chunks: cells this near are rebucketed whenever the anchor enters another chunk
#define VIEW_NEAR 8.0
#define VIEW_BACKOFF_MIN 60u
// updates until an estimate is repeated while chunks are still to come
#define VIEW_ESTIMATE_UPDATES 8u
#define VIEW_BACKOFF_MAX 4096u
#define VIEW_BACKOFF_STARVED_MAX 480u // at most, if allocations failed without a byte limit

// ---- anchors -----------------------------------------------------------------------------------

TrnStreamAnchor trn_stream_anchor(void)
{
    return (TrnStreamAnchor){.radius_chunks = 16, .height_chunks = 4};
}

static bool view_is_valid(const TrnStreamAnchor *anchor)
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

static bool view_is_same(const TrnStreamAnchor *a, const TrnStreamAnchor *b)
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

static TrnStreamViewSlot *view_find(const TrnStream *stream, TrnStreamAnchorId id)
{
    const uint32_t slot = id.index1 - 1; // the null id wraps past views.count
    if (slot >= stream->views.count) {
        return NULL;
    }
    TrnStreamViewSlot *view = &stream->views.items[slot];
    return view->is_anchor && view->generation == id.generation ? view : NULL;
}

/// Sets what priorities need, in chunks.
static void view_aim(TrnStreamViewSlot *view)
{
    const TrnStreamAnchor *anchor = &view->anchor;
    double largest = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double size = fabs(anchor->view[axis]);
        largest = size > largest ? size : largest;
    }
    // Divided first, so that very long and very short vectors keep their precision.
    double scaled[3] = {0};
    for (int axis = 0; axis < 3 && largest > 0; axis++) {
        scaled[axis] = anchor->view[axis] / largest;
    }
    const double length =
        sqrt(scaled[0] * scaled[0] + scaled[1] * scaled[1] + scaled[2] * scaled[2]);
    view->has_view = length > 0;
    const double radius = anchor->radius_chunks > anchor->height_chunks ? anchor->radius_chunks
                                                                        : anchor->height_chunks;
    for (int axis = 0; axis < 3; axis++) {
        view->view[axis] = view->has_view ? scaled[axis] / length : 0;
        view->position[axis] = anchor->position.offset[axis] / TRN_CHUNK_EDGE;
        const double ahead = anchor->velocity[axis] * VIEW_LOOKAHEAD_S / TRN_CHUNK_EDGE;
        view->ahead[axis] = fmax(-radius / 2, fmin(radius / 2, ahead));
    }
}

/// Returns a free slot, or NULL without memory. May move the views in memory.
static TrnStreamViewSlot *view_take_slot(TrnStream *stream)
{
    for (uint32_t i = 0; i < stream->views.count; i++) {
        if (!stream->views.items[i].is_used) {
            return &stream->views.items[i];
        }
    }
    if (trn_array_push(&stream->views, &stream->counted, (TrnStreamViewSlot){0}) != TRN_RESULT_OK) {
        return NULL;
    }
    return &stream->views.items[stream->views.count - 1];
}

TrnResult trn_stream_anchor_add(TrnStream *stream, const TrnStreamAnchor *anchor,
                                TrnStreamAnchorId *id)
{
    if (!stream || !anchor || !id || !view_is_valid(anchor)) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    stream->is_refused = false;
    TrnStreamViewSlot *view = view_take_slot(stream);
    if (!view) {
        return stream->is_refused ? TRN_RESULT_FULL : TRN_RESULT_NO_MEMORY;
    }
    const uint32_t generation = (view->generation + 1) | 1;
    *view = (TrnStreamViewSlot){.anchor = *anchor,
                                .generation = generation,
                                .is_used = true,
                                .is_anchor = true,
                                .is_changed = true,
                                .centre = anchor->position.chunk,
                                .radius = anchor->radius_chunks,
                                .height = anchor->height_chunks,
                                .ring = -1,
                                .backoff_updates = VIEW_BACKOFF_MIN};
    view_aim(view);
    *id = (TrnStreamAnchorId){(uint32_t)(view - stream->views.items) + 1, generation};
    return TRN_RESULT_OK;
}

TrnResult trn_stream_anchor_set(TrnStream *stream, TrnStreamAnchorId id,
                                const TrnStreamAnchor *anchor)
{
    TrnStreamViewSlot *view = stream ? view_find(stream, id) : NULL;
    if (!view) {
        return stream ? TRN_RESULT_STALE_ID : TRN_RESULT_BAD_ARGUMENT;
    }
    if (!anchor || !view_is_valid(anchor)) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    if (!view_is_same(anchor, &view->anchor)) {
        view->anchor = *anchor;
        view->is_changed = true;
    }
    return TRN_RESULT_OK;
}

static uint32_t view_rings_wanted(const TrnStreamViewSlot *view)
{
    const TrnStreamAnchor *anchor = &view->anchor;
    return anchor->radius_chunks > anchor->height_chunks ? anchor->radius_chunks
                                                         : anchor->height_chunks;
}

TrnResult trn_stream_view(const TrnStream *stream, TrnStreamAnchorId id, TrnStreamView *out)
{
    const TrnStreamViewSlot *view = stream ? view_find(stream, id) : NULL;
    if (!view || !out) {
        return stream && out ? TRN_RESULT_STALE_ID : TRN_RESULT_BAD_ARGUMENT;
    }
    *out = (TrnStreamView){.rings = view->ring > 0 ? (uint32_t)view->ring : 0,
                           .rings_wanted = view_rings_wanted(view),
                           .is_started = view->ring >= 0,
                           .is_shrunk = view->is_shrunk};
    return TRN_RESULT_OK;
}

// ---- shapes ------------------------------------------------------------------------------------

typedef enum ViewShape {
    VIEW_SHOW,      ///< chunks to show
    VIEW_LOAD,      ///< chunks to load for that
    VIEW_KEEP_SHOW, ///< chunks that stay shown
    VIEW_KEEP       ///< chunks that stay loaded
} ViewShape;

static TrnStreamShape view_shape(const TrnStream *stream, const TrnStreamViewSlot *view,
                                 ViewShape which)
{
    const bool keeps = which == VIEW_KEEP_SHOW || which == VIEW_KEEP;
    return trn_stream_shape(view->centre, view->radius, view->height, view->ring,
                            keeps ? stream->def.hysteresis_chunks : 0,
                            which == VIEW_LOAD || which == VIEW_KEEP);
}

/// Whether some view has a chunk. @param anchors_only  ignores dissolving views
static bool view_any_has(const TrnStream *stream, TrnCoord coord, ViewShape which,
                         bool anchors_only)
{
    for (uint32_t i = 0; i < stream->views.count; i++) {
        const TrnStreamViewSlot *view = &stream->views.items[i];
        if (view->is_used && (view->is_anchor || !anchors_only)) {
            const TrnStreamShape shape = view_shape(stream, view, which);
            if (trn_stream_shape_has(&shape, coord)) {
                return true;
            }
        }
    }
    return false;
}

bool trn_stream_is_wanted(const TrnStream *stream, TrnCoord coord)
{
    return view_any_has(stream, coord, VIEW_LOAD, true);
}

bool trn_stream_is_kept(const TrnStream *stream, TrnCoord coord)
{
    return view_any_has(stream, coord, VIEW_KEEP, true);
}

// ---- rows of chunks ----------------------------------------------------------------------------

static uint32_t view_unloading_count(const TrnStream *stream)
{
    return stream->lists[TRN_STREAM_LIST_UNLOAD_FIRST].count +
           stream->lists[TRN_STREAM_LIST_UNLOAD_LATER].count;
}

static TrnBox view_row_box(TrnCoord first, int32_t last)
{
    return (TrnBox){first, {last, first.y, first.z}};
}

/// Chunks of several rows that are wanted or unwanted together, so that the cache misses of their
/// cells overlap.
typedef struct ViewBatch {
    TrnStream *stream;
    bool is_alone;               ///< no other view can keep what is unwanted
    TrnCoord coords[VIEW_BATCH]; ///< [count]
    uint32_t count;
} ViewBatch;

/// @return how many have a cell
static uint32_t view_prefetch_batch(const ViewBatch *batch)
{
    uint32_t known = 0;
    for (uint32_t i = 0; i < batch->count; i++) {
        uint32_t slot;
        if (trn_chunk_index_find(batch->stream->index, batch->coords[i], &slot)) {
            trn_stream_prefetch_cell(batch->stream, slot);
            known++;
        }
    }
    return known;
}

static bool view_want_batch(ViewBatch *batch)
{
    trn_stream_reserve_cells(batch->stream, batch->count - view_prefetch_batch(batch));
    bool is_whole = true;
    for (uint32_t i = 0; i < batch->count && is_whole; i++) {
        batch->stream->stats.cells_visited++;
        is_whole = trn_stream_want_chunk(batch->stream, batch->coords[i]);
    }
    trn_stream_release_cells(batch->stream);
    batch->count = 0;
    return is_whole;
}

static bool view_want_row(void *context, TrnCoord first, int32_t last)
{
    ViewBatch *batch = context;
    for (int64_t x = first.x; x <= last; x++) {
        batch->coords[batch->count++] = (TrnCoord){(int32_t)x, first.y, first.z};
        if (batch->count == VIEW_BATCH && !view_want_batch(batch)) {
            return false;
        }
    }
    return true;
}

/// Releases the chunks of a row that no view has. @param anchors_only  ignores dissolving views
static void view_release_row(TrnStream *stream, TrnBox row, ViewShape which, bool anchors_only,
                             void (*release)(TrnStream *, TrnCoord))
{
    for (int64_t x = row.min.x; x <= row.max.x; x++) {
        const TrnCoord coord = {(int32_t)x, row.min.y, row.min.z};
        if (!view_any_has(stream, coord, which, anchors_only)) {
            release(stream, coord);
        }
    }
}

static void view_hide(TrnStream *stream, TrnCoord coord)
{
    (void)trn_chunk_index_plane_set(stream->index, TRN_STREAM_SHOW, coord, false);
}

static void view_unwant_batch(ViewBatch *batch)
{
    (void)view_prefetch_batch(batch);
    for (uint32_t i = 0; i < batch->count; i++) {
        if (batch->is_alone || !view_any_has(batch->stream, batch->coords[i], VIEW_KEEP, false)) {
            trn_stream_unwant_chunk(batch->stream, batch->coords[i]);
        }
    }
    batch->stream->stats.cells_visited += batch->count;
    batch->count = 0;
}

static bool view_unwant_row(void *context, TrnCoord first, int32_t last)
{
    ViewBatch *batch = context;
    for (int64_t x = first.x; x <= last; x++) {
        batch->coords[batch->count++] = (TrnCoord){(int32_t)x, first.y, first.z};
        if (batch->count == VIEW_BATCH) {
            view_unwant_batch(batch);
        }
    }
    return true;
}

/// Unwants the chunks of a row that no anchor wants, even within the hysteresis.
static bool view_drop_kept_row(void *context, TrnCoord first, int32_t last)
{
    TrnStream *stream = context;
    stream->stats.cells_visited += (uint64_t)((int64_t)last - first.x + 1);
    view_release_row(stream, view_row_box(first, last), VIEW_LOAD, true, trn_stream_unwant_chunk);
    return true;
}

/// Sets the bits of whole rows at a time: tens of ns each.
static bool view_show_row(void *context, TrnCoord first, int32_t last)
{
    TrnStream *stream = context;
    trn_stream_request_scan(stream, view_row_box(first, last));
    return trn_chunk_index_plane_fill(stream->index, TRN_STREAM_SHOW, view_row_box(first, last),
                                      true) == TRN_RESULT_OK;
}

/// Whether a row of chunks comes near the view of an anchor.
static bool view_row_is_near(const TrnStream *stream, TrnCoord first, int32_t last)
{
    for (uint32_t i = 0; i < stream->views.count; i++) {
        const TrnStreamViewSlot *view = &stream->views.items[i];
        const TrnStreamShape shape = view_shape(stream, view, VIEW_KEEP);
        const int64_t across = shape.reach_across, up = shape.reach_up;
        if (view->is_anchor && !shape.is_empty && llabs((int64_t)first.y - view->centre.y) <= up &&
            llabs((int64_t)first.z - view->centre.z) <= across &&
            first.x <= view->centre.x + across && last >= view->centre.x - across) {
            return true;
        }
    }
    return false;
}

static bool view_hide_row(void *context, TrnCoord first, int32_t last)
{
    TrnStream *stream = context;
    if (!view_row_is_near(stream, first, last)) { // clearing cannot fail
        (void)trn_chunk_index_plane_fill(stream->index, TRN_STREAM_SHOW, view_row_box(first, last),
                                         false);
        return true;
    }
    view_release_row(stream, view_row_box(first, last), VIEW_KEEP_SHOW, true, view_hide);
    return true;
}

/// Hides the chunks of a row that no anchor shows, even within the hysteresis.
static bool view_hide_kept_row(void *context, TrnCoord first, int32_t last)
{
    view_release_row(context, view_row_box(first, last), VIEW_SHOW, true, view_hide);
    return true;
}

/// Wants what a view has and `before` has not. @return false without memory for all of it
static bool view_want_difference(TrnStream *stream, const TrnStreamViewSlot *view,
                                 const TrnStreamViewSlot *before)
{
    const TrnStreamShape load = view_shape(stream, view, VIEW_LOAD);
    const TrnStreamShape load_before = view_shape(stream, before, VIEW_LOAD);
    const TrnStreamShape show = view_shape(stream, view, VIEW_SHOW);
    const TrnStreamShape show_before = view_shape(stream, before, VIEW_SHOW);
    ViewBatch entering = {.stream = stream};
    return trn_stream_shape_minus(&load, &load_before, view_want_row, &entering) &&
           view_want_batch(&entering) &&
           trn_stream_shape_minus(&show, &show_before, view_show_row, stream);
}

/// Whether no other view is in use.
static bool view_is_alone(const TrnStream *stream, const TrnStreamViewSlot *view)
{
    uint32_t used = 0;
    for (uint32_t i = 0; i < stream->views.count; i++) {
        used += stream->views.items[i].is_used && &stream->views.items[i] != view;
    }
    return used == 0;
}

/// Unwants what `before` kept and no view keeps now.
static void view_unwant_difference(TrnStream *stream, const TrnStreamViewSlot *view,
                                   const TrnStreamViewSlot *before)
{
    const TrnStreamShape shown = view_shape(stream, view, VIEW_KEEP_SHOW);
    const TrnStreamShape shown_before = view_shape(stream, before, VIEW_KEEP_SHOW);
    const TrnStreamShape kept = view_shape(stream, view, VIEW_KEEP);
    const TrnStreamShape kept_before = view_shape(stream, before, VIEW_KEEP);
    trn_stream_shape_minus(&shown_before, &shown, view_hide_row, stream);
    ViewBatch leaving = {.stream = stream, .is_alone = view_is_alone(stream, view)};
    trn_stream_shape_minus(&kept_before, &kept, view_unwant_row, &leaving);
    view_unwant_batch(&leaving);
}

// ---- moving, growing, shrinking ----------------------------------------------------------------

static void view_notify(const TrnStream *stream, const TrnStreamViewSlot *view,
                        TrnStreamEventKind kind)
{
    if (stream->def.listener) {
        const TrnStreamEvent event = {
            .kind = kind, .coord = view->centre, .ring = view->ring > 0 ? (uint32_t)view->ring : 0};
        stream->def.listener(stream->def.listener_user, &event);
    }
}

static void view_remove_ring(TrnStream *stream, TrnStreamViewSlot *view)
{
    const TrnStreamViewSlot before = *view;
    view->ring--;
    view_unwant_difference(stream, view, &before);
}

/// Detaches a view from its anchor: another slot dissolves it, and the anchor's slot becomes empty.
/// What other anchors show stays shown.
/// @return false without memory for the slot; nothing has changed then. May move the views in
///         memory.
static bool view_detach(TrnStream *stream, uint32_t slot)
{
    if (stream->views.items[slot].ring < 0) {
        return true;
    }
    TrnStreamViewSlot *detached = view_take_slot(stream);
    if (!detached) {
        return false;
    }
    TrnStreamViewSlot *view = &stream->views.items[slot];
    const uint32_t generation = detached->generation;
    *detached = *view;
    detached->generation = (generation + 1) & ~1u;
    detached->is_anchor = false;
    view->ring = -1;
    const TrnStreamShape nothing = trn_stream_shape(view->centre, 0, 0, -1, 0, false);
    const TrnStreamShape shown = view_shape(stream, detached, VIEW_KEEP_SHOW);
    trn_stream_shape_minus(&shown, &nothing, view_hide_row, stream);
    return true;
}

/// Unwants what a view has moved away from. It runs in the update after the view wanted what it
/// moved towards: each takes 0.3 ms for 900 chunks, and both at once made the slowest updates.
static void view_unload_previous(TrnStream *stream, TrnStreamViewSlot *view)
{
    if (view->has_previous) {
        TrnStreamViewSlot before = *view;
        before.centre = view->previous.centre;
        before.radius = view->previous.radius;
        before.height = view->previous.height;
        before.ring = view->previous.ring;
        view->has_previous = false;
        view_unwant_difference(stream, view, &before);
    }
}

/// Moves a view by a step. What it no longer keeps stays until the next update. Without memory, a
/// new view starts at the new place and the old one dissolves, so that no wanted chunk is lost
/// track of.
static void view_step(TrnStream *stream, uint32_t slot, TrnCoord centre)
{
    // Reserve slots for the worst case first: taking one may move the views in memory.
    if (trn_array_reserve(&stream->views, &stream->counted, (size_t)stream->views.count + 2) !=
        TRN_RESULT_OK) {
        return;
    }
    TrnStreamViewSlot *view = &stream->views.items[slot];
    const TrnStreamViewSlot before = *view;
    view->centre = centre;
    if (view_want_difference(stream, view, &before)) {
        view->has_previous = true;
        view->previous =
            (TrnStreamViewExtent){before.centre, before.radius, before.height, before.ring};
        return;
    }
    // Both places now hold chunks; each gets a slot to dissolve it.
    view->is_shrunk = true;
    (void)view_detach(stream, slot);
    view = &stream->views.items[slot];
    view->centre = before.centre;
    view->ring = before.ring;
    (void)view_detach(stream, slot);
    stream->views.items[slot].centre = centre;
}

static bool view_is_near(TrnCoord a, TrnCoord b)
{
    const int64_t x = (int64_t)a.x - b.x, y = (int64_t)a.y - b.y, z = (int64_t)a.z - b.z;
    return llabs(x) <= VIEW_STEP_MAX && llabs(y) <= VIEW_STEP_MAX && llabs(z) <= VIEW_STEP_MAX;
}

/// Whether rings of the current view are also rings of what the anchor asks for.
static bool view_keeps_proportion(const TrnStreamViewSlot *view)
{
    const TrnStreamAnchor *anchor = &view->anchor;
    return (uint64_t)view->radius * anchor->height_chunks ==
               (uint64_t)view->height * anchor->radius_chunks &&
           (view->radius != 0) == (anchor->radius_chunks != 0) &&
           (view->height != 0) == (anchor->height_chunks != 0);
}

/// Whether the order of the queue changed since the last rebucketing, apart from the anchor's
/// position.
static bool view_has_turned(const TrnStreamViewSlot *view)
{
    double along = 0, off = 0;
    for (int axis = 0; axis < 3; axis++) {
        along += view->view[axis] * view->bucketed_view[axis];
        const double step = view->ahead[axis] - view->bucketed_ahead[axis];
        off += step * step;
    }
    return off > VIEW_DRIFT * VIEW_DRIFT || view->has_view != view->bucketed_has_view ||
           (view->has_view && along < VIEW_TURN);
}

/// Requests rebucketing after an anchor moved by a few chunks. Far cells are almost as far as
/// before, so all cells are rebucketed only every fourth time. Rebucketing all each time took a
/// quarter of an update at 200 blocks a second.
static void view_request_near_rebucket(TrnStream *stream, const TrnStreamViewSlot *view,
                                       TrnCoord centre)
{
    const bool is_step = view_is_near(centre, view->bucketed_centre);
    const uint32_t crossing = ++stream->crossings;
    trn_stream_request_rebucket(stream, !is_step || crossing % 4 == 0 ? INFINITY
                                        : crossing % 2 == 0           ? VIEW_NEAR * 2
                                                                      : VIEW_NEAR);
}

/// Requests rebucketing of queued cells for an anchor's new position. It runs before the view wants
/// new chunks: these enter the right bucket at once, and rebucketing them took a tenth of an update
/// at 200 blocks a second.
static void view_request_rebucket(TrnStream *stream, TrnStreamViewSlot *view, TrnCoord centre)
{
    if (view_has_turned(view)) {
        view->bucketed_has_view = view->has_view;
        memcpy(view->bucketed_view, view->view, sizeof view->view);
        memcpy(view->bucketed_ahead, view->ahead, sizeof view->ahead);
        trn_stream_request_rebucket(stream, INFINITY);
    } else if (!trn_coord_equal(centre, view->bucketed_centre)) {
        view_request_near_rebucket(stream, view, centre);
    }
    view->bucketed_centre = centre;
}

/// Clears is_shrunk when the view has all rings asked for, even if it lost rings while more were
/// asked for.
static void view_note_whole(TrnStreamViewSlot *view)
{
    if (view->ring >= (int64_t)view_rings_wanted(view)) {
        view->is_shrunk = view->has_lost_ring = view->is_estimate = false;
    }
}

/// Moves a view to where its anchor is.
static void view_follow(TrnStream *stream, uint32_t slot)
{
    TrnStreamViewSlot *view = &stream->views.items[slot];
    const TrnCoord centre = view->anchor.position.chunk;
    TRN_ASSERT(!view->has_previous);
    if (!view_keeps_proportion(view) || !view_is_near(view->centre, centre)) {
        if (!view_detach(stream, slot)) {
            return; // retried with the next update
        }
        view = &stream->views.items[slot];
        view->centre = centre;
        view->is_shrunk = view->has_lost_ring = view->is_estimate = false;
        view->grow_update = 0;
        view->backoff_updates = VIEW_BACKOFF_MIN;
    }
    view->radius = view->anchor.radius_chunks;
    view->height = view->anchor.height_chunks;
    view_aim(view);
    view_request_rebucket(stream, view, centre);
    if (!trn_coord_equal(view->centre, centre)) {
        view_step(stream, slot, centre);
        view = &stream->views.items[slot];
    }
    view->is_changed = !trn_coord_equal(view->centre, centre);
    view_note_whole(view);
}

/// Estimates how many chunks one more ring adds. On a straight flight that includes a fifth to a
/// quarter of what hysteresis may keep.
static uint64_t view_next_ring_count(const TrnStream *stream, const TrnStreamViewSlot *view)
{
    TrnStreamViewSlot next = *view;
    next.ring++;
    const TrnStreamShape now = view_shape(stream, view, VIEW_LOAD);
    const TrnStreamShape then = view_shape(stream, &next, VIEW_LOAD);
    const TrnStreamShape kept = view_shape(stream, &next, VIEW_KEEP);
    const uint64_t count = trn_stream_shape_count(&then);
    return count - trn_stream_shape_count(&now) + (trn_stream_shape_count(&kept) - count) / 4;
}

/// Resets the backoff of a view that has moved as far as it reaches: how much memory it needs
/// depends on the land around it.
static void view_reset_backoff(const TrnStream *stream, TrnStreamViewSlot *view)
{
    const int64_t x = (int64_t)view->centre.x - view->backoff_centre.x,
                  y = (int64_t)view->centre.y - view->backoff_centre.y,
                  z = (int64_t)view->centre.z - view->backoff_centre.z;
    const int64_t reach = view->ring > 0 ? view->ring : 1;
    if (view->has_lost_ring && (llabs(x) >= reach || llabs(y) >= reach || llabs(z) >= reach)) {
        view->backoff_centre = view->centre;
        view->backoff_updates = VIEW_BACKOFF_MIN;
        view->grow_update = stream->updates;
    }
}

/// Adds the next ring, if there is one and it is likely to fit.
static bool view_grow(TrnStream *stream, TrnStreamViewSlot *view)
{
    view_reset_backoff(stream, view);
    if (view->ring >= view_rings_wanted(view) || stream->updates < view->grow_update ||
        stream->queued >= VIEW_QUEUED_MAX || stream->was_full) {
        return false;
    }
    // The first rings are tried once, regardless of the estimates.
    if ((view->ring >= 1 || view->has_lost_ring) &&
        !trn_stream_fits(stream, view_next_ring_count(stream, view), view->has_lost_ring)) {
        view->is_shrunk = true;
        // The estimate takes chunks to come for as large as the loaded ones; they may be smaller.
        view->is_estimate = trn_stream_chunks_to_come(stream) > 0;
        view->grow_update =
            stream->updates + (view->is_estimate ? VIEW_ESTIMATE_UPDATES : VIEW_BACKOFF_MIN);
        return false;
    }
    const TrnStreamViewSlot before = *view;
    view->ring++;
    if (!view_want_difference(stream, view, &before)) {
        view_remove_ring(stream, view);
        trn_stream_note_full(stream, stream->is_refused ? TRN_RESULT_FULL : TRN_RESULT_NO_MEMORY);
        view->grow_update = stream->updates + 8;
        view->is_shrunk = view->has_lost_ring = stream->is_refused;
        view->is_estimate = false;
        stream->is_refused = false;
        return false;
    }
    view->has_lost_ring = view->has_lost_ring && view->ring < view_rings_wanted(view);
    view->is_shrunk = view->has_lost_ring;
    // After memory ran short, add one ring at a time and measure it before the next.
    view->grow_update = view->has_lost_ring ? stream->updates + VIEW_BACKOFF_MIN : 0;
    view->is_estimate = false;
    stream->stats.grows++;
    view_notify(stream, view, TRN_STREAM_EVENT_GREW);
    return true;
}

/// Drops the outer ring of a view that has more rings than wanted: a detached view, or one whose
/// anchor asks for less.
static bool view_drop_outer_ring(TrnStream *stream, TrnStreamViewSlot *view)
{
    const int64_t asked = view->is_anchor ? (int64_t)view_rings_wanted(view) : -1;
    if (view->ring > asked) {
        view_remove_ring(stream, view);
    }
    if (!view->is_anchor && view->ring < 0) {
        view->is_used = false;
    }
    return view->ring > asked;
}

/// Whether any view has changes to make.
static bool view_has_work(const TrnStream *stream)
{
    for (uint32_t i = 0; i < stream->views.count; i++) {
        const TrnStreamViewSlot *view = &stream->views.items[i];
        if (view->is_used && (view->is_changed || view->has_previous || !view->is_anchor ||
                              view->ring != (int64_t)view_rings_wanted(view))) {
            return true;
        }
    }
    return false;
}

static bool view_may_continue(const TrnStream *stream, uint64_t end)
{
    return stream->stats.cells_visited < end;
}

/// Growing leaves half of the update's time for other work. Otherwise a player who has just arrived
/// would wait for the ground until the whole view is wanted.
static bool view_may_grow(const TrnStream *stream, uint64_t end)
{
    const double half_us = (stream->deadline_us - stream->now_us) / 2;
    return view_may_continue(stream, end) &&
           trn_stream_has_time_at(stream, trn_stream_clock(stream) + half_us);
}

void trn_stream_update_views(TrnStream *stream)
{
    if (!view_has_work(stream)) {
        return;
    }
    const double begun_us = trn_stream_clock(stream);
    for (uint32_t i = 0; i < stream->views.count; i++) {
        view_unload_previous(stream, &stream->views.items[i]);
    }
    const uint32_t count = stream->views.count; // views detached in this update are appended
    for (uint32_t i = 0; i < count; i++) {
        if (stream->views.items[i].is_anchor && stream->views.items[i].is_changed) {
            view_follow(stream, i);
        }
    }
    const uint64_t end = stream->stats.cells_visited + VIEW_CELLS_PER_UPDATE;
    bool has_more = true;
    for (bool is_first = true; has_more && (is_first || view_may_continue(stream, end));
         is_first = false) {
        has_more = false;
        for (uint32_t i = 0; i < stream->views.count; i++) {
            TrnStreamViewSlot *view = &stream->views.items[i];
            if (view->is_used && (is_first || view_may_continue(stream, end))) {
                has_more |= view_drop_outer_ring(stream, view);
            }
        }
    }
    has_more = true;
    for (bool is_first = true; has_more && (is_first || view_may_grow(stream, end));
         is_first = false) {
        has_more = false;
        for (uint32_t i = 0; i < stream->views.count && view_may_continue(stream, end); i++) {
            TrnStreamViewSlot *view = &stream->views.items[i];
            has_more |= view->is_anchor && view_grow(stream, view);
        }
    }
    trn_stream_times_add(&stream->times[TRN_STREAM_STAGE_VIEW],
                         trn_stream_clock(stream) - begun_us);
}

/// Unwants what a view keeps beyond what it wants. @param before  its state when that was wanted
static void view_drop_kept(TrnStream *stream, const TrnStreamViewSlot *view,
                           const TrnStreamViewSlot *before)
{
    const TrnStreamShape kept = view_shape(stream, before, VIEW_KEEP);
    const TrnStreamShape asked = view_shape(stream, view, VIEW_LOAD);
    const TrnStreamShape shown = view_shape(stream, before, VIEW_KEEP_SHOW);
    const TrnStreamShape show = view_shape(stream, view, VIEW_SHOW);
    trn_stream_shape_minus(&shown, &show, view_hide_kept_row, stream);
    trn_stream_shape_minus(&kept, &asked, view_drop_kept_row, stream);
}

uint32_t trn_stream_drop_kept(TrnStream *stream)
{
    const uint32_t before = view_unloading_count(stream);
    for (uint32_t i = 0; i < stream->views.count; i++) {
        const TrnStreamViewSlot *view = &stream->views.items[i];
        if (view->is_anchor) {
            view_drop_kept(stream, view, view);
        }
    }
    return view_unloading_count(stream) - before;
}

/// Sets when a view that lost a ring tries to grow again: later each time.
static void view_back_off(const TrnStream *stream, TrnStreamViewSlot *view)
{
    const uint32_t max = stream->is_full_of_bytes ? VIEW_BACKOFF_MAX : VIEW_BACKOFF_STARVED_MAX;
    view->backoff_centre = view->centre;
    view->grow_update =
        stream->updates + (view->backoff_updates < max ? view->backoff_updates : max);
    if (view->backoff_updates < max) {
        view->backoff_updates = view->backoff_updates * 2 < max ? view->backoff_updates * 2 : max;
    }
}

bool trn_stream_shrink_largest_view(TrnStream *stream)
{
    TrnStreamViewSlot *largest = NULL;
    for (uint32_t i = 0; i < stream->views.count; i++) {
        TrnStreamViewSlot *view = &stream->views.items[i];
        if (view->is_anchor && view->ring > 0 && (!largest || view->ring > largest->ring)) {
            largest = view;
        }
    }
    if (!largest) {
        return false;
    }
    const TrnStreamViewSlot before = *largest;
    view_remove_ring(stream, largest);
    view_drop_kept(stream, largest, &before);
    largest->is_shrunk = largest->has_lost_ring = true;
    largest->is_estimate = false;
    view_back_off(stream, largest);
    view_note_whole(largest);
    stream->stats.shrinks++;
    view_notify(stream, largest, TRN_STREAM_EVENT_SHRANK);
    return true;
}

bool trn_stream_is_unloading(const TrnStream *stream)
{
    for (uint32_t i = 0; i < stream->views.count; i++) {
        const TrnStreamViewSlot *view = &stream->views.items[i];
        if (view->is_used && (!view->is_anchor || view->has_previous ||
                              view->ring > (int64_t)view_rings_wanted(view))) {
            return true;
        }
    }
    return view_unloading_count(stream) > 0;
}

bool trn_stream_views_are_idle(const TrnStream *stream)
{
    for (uint32_t i = 0; i < stream->views.count; i++) {
        const TrnStreamViewSlot *view = &stream->views.items[i];
        const bool is_whole = view->ring == (int64_t)view_rings_wanted(view) ||
                              (view->is_shrunk && !view->is_estimate && view->ring >= 0);
        if (view->is_used &&
            (!view->is_anchor || view->is_changed || view->has_previous || !is_whole)) {
            return false;
        }
    }
    return true;
}

TrnResult trn_stream_anchor_remove(TrnStream *stream, TrnStreamAnchorId id)
{
    TrnStreamViewSlot *view = stream ? view_find(stream, id) : NULL;
    if (!view) {
        return stream ? TRN_RESULT_STALE_ID : TRN_RESULT_BAD_ARGUMENT;
    }
    view_unload_previous(stream, view);
    view->generation++;
    view->is_anchor = false; // it dissolves where it is
    view->is_changed = false;
    if (view->ring < 0) {
        view->is_used = false;
        return TRN_RESULT_OK;
    }
    const TrnStreamShape nothing = trn_stream_shape(view->centre, 0, 0, -1, 0, false);
    const TrnStreamShape shown = view_shape(stream, view, VIEW_KEEP_SHOW);
    trn_stream_shape_minus(&shown, &nothing, view_hide_row, stream);
    return TRN_RESULT_OK;
}
