// One view: its slot, its shapes, what its anchor sees, and its rows of chunks.

#include "stream_view.h"

#include <stdlib.h>
#include <string.h>

#include "pool/pool_internal.h"

// ---- slots -------------------------------------------------------------------------------------

TrnStreamViewSlot *trn_stream_view_create(TrnStreamViews *views)
{
    void *memory;
    TrnPoolId id;
    const uint32_t count = views->all.count + 1;
    if (trn_array_reserve(&views->all, views->allocator, (size_t)count) != TRN_RESULT_OK ||
        trn_stream_view_tree_reserve(&views->tree, views->allocator, count) != TRN_RESULT_OK ||
        trn_pool_alloc(views->pool, &id, &memory) != TRN_RESULT_OK) {
        return NULL;
    }
    TrnStreamViewSlot *view = memory;
    memset(view, 0, sizeof *view);
    view->id = id;
    view->serial = views->created++;
    view->now.ring = view->previous.ring = -1;
    for (int which = 0; which < TRN_STREAM_SHAPE_COUNT; which++) {
        view->shapes[which].is_empty = true;
    }
    view->backoff_updates = STREAM_VIEW_BACKOFF_MIN;
    (void)trn_array_push(&views->all, views->allocator, (TrnStreamViewEntry){view});
    trn_stream_view_tree_add(&views->tree, view);
    return view;
}

void trn_stream_view_free(TrnStreamViews *views, TrnStreamViewSlot *view)
{
    TrnStreamViewEntry *items = views->all.items;
    uint32_t at = views->all.count - 1; // from the last: a step's spare view goes as it came
    while (items[at].view != view) {
        at--;
    }
    memmove(items + at, items + at + 1, (views->all.count - 1 - at) * sizeof *items);
    views->all.count--;
    trn_stream_view_tree_remove(&views->tree, view);
    (void)trn_pool_reuse(views->pool, view->id);
}

void trn_stream_view_dissolve(TrnStreamViews *views, TrnStreamViewSlot *view)
{
    (void)trn_pool_retire(views->pool, view->id);
    view->life = TRN_STREAM_VIEW_DISSOLVING;
    view->is_changed = false;
    trn_stream_view_tree_update(&views->tree, view, false);
}

// ---- extents and shapes ------------------------------------------------------------------------

TrnStreamShape trn_stream_view_shape(const TrnStreamViews *views, const TrnStreamViewExtent *extent,
                                     TrnStreamViewShape which)
{
    const bool keeps = which == TRN_STREAM_SHAPE_KEEP_SHOW || which == TRN_STREAM_SHAPE_KEEP;
    TrnStreamShape shape = trn_stream_shape(
        extent->centre, extent->radius, extent->height, extent->ring, keeps ? views->hysteresis : 0,
        which == TRN_STREAM_SHAPE_LOAD || which == TRN_STREAM_SHAPE_KEEP);
    shape.level = views->host.level;
    return shape;
}

void trn_stream_view_set_extent(TrnStreamViews *views, TrnStreamViewSlot *view,
                                TrnStreamViewExtent extent)
{
    view->now = extent;
    for (int which = 0; which < TRN_STREAM_SHAPE_COUNT; which++) {
        view->shapes[which] = trn_stream_view_shape(views, &view->now, (TrnStreamViewShape)which);
    }
    trn_stream_view_tree_update(&views->tree, view, false);
}

void trn_stream_view_set_sight(TrnStreamViews *views, TrnStreamViewSlot *view, TrnStreamSight sight)
{
    view->sight = sight;
    trn_stream_view_tree_update(&views->tree, view, false);
}

/// What is asked of views about a chunk.
typedef struct ViewQuestion {
    TrnCoord coord;
    TrnStreamViewShape which;
    bool anchors_only;
} ViewQuestion;

static bool view_has(const TrnStreamViewSlot *view, const void *context)
{
    const ViewQuestion *question = context;
    return (!question->anchors_only || trn_stream_view_has_anchor(view)) &&
           trn_stream_shape_has(&view->shapes[question->which], question->coord);
}

bool trn_stream_view_any_has(const TrnStreamViews *views, TrnCoord coord, TrnStreamViewShape which,
                             bool anchors_only)
{
    const ViewQuestion question = {coord, which, anchors_only};
    return trn_stream_view_tree_any(&views->tree, coord, coord.x, view_has, &question);
}

// ---- chunks that enter and leave ----------------------------------------------------------------

/// Chunks of several rows that are wanted or unwanted together, so that the cache misses of their
/// cells overlap.
typedef struct ViewBatch {
    TrnStreamViews *views;
    bool is_alone;                          ///< no other view can keep what leaves
    TrnCoord coords[TRN_STREAM_VIEW_BATCH]; ///< [count]
    uint32_t count;
    TrnResult result;
} ViewBatch;

static TrnBox view_row_box(TrnCoord first, int32_t last)
{
    return (TrnBox){first, {last, first.y, first.z}};
}

static bool view_want_batch(ViewBatch *batch)
{
    const TrnStreamViewHost *host = &batch->views->host;
    if (batch->count) {
        batch->views->visited += batch->count;
        batch->result = host->want(host->user, batch->coords, batch->count);
        batch->count = 0;
    }
    return batch->result == TRN_RESULT_OK;
}

static bool view_want_row(void *context, TrnCoord first, int32_t last)
{
    ViewBatch *batch = context;
    for (int64_t x = first.x; x <= last; x++) {
        batch->coords[batch->count++] = (TrnCoord){(int32_t)x, first.y, first.z};
        if (batch->count == TRN_STREAM_VIEW_BATCH && !view_want_batch(batch)) {
            return false;
        }
    }
    return true;
}

static void view_unwant_batch(ViewBatch *batch)
{
    const TrnStreamViewHost *host = &batch->views->host;
    if (batch->count) {
        host->unwant(host->user, batch->coords, batch->count);
        batch->count = 0;
    }
}

static void view_unwant_chunk(ViewBatch *batch, TrnCoord coord)
{
    batch->coords[batch->count++] = coord;
    if (batch->count == TRN_STREAM_VIEW_BATCH) {
        view_unwant_batch(batch);
    }
}

static bool view_unwant_row(void *context, TrnCoord first, int32_t last)
{
    ViewBatch *batch = context;
    for (int64_t x = first.x; x <= last; x++) {
        const TrnCoord coord = {(int32_t)x, first.y, first.z};
        if (batch->is_alone ||
            !trn_stream_view_any_has(batch->views, coord, TRN_STREAM_SHAPE_KEEP, false)) {
            view_unwant_chunk(batch, coord);
        }
    }
    batch->views->visited += (uint64_t)((int64_t)last - first.x + 1);
    return true;
}

/// Unwants the chunks of a row that no anchor wants, even within the hysteresis.
static bool view_drop_kept_row(void *context, TrnCoord first, int32_t last)
{
    ViewBatch *batch = context;
    for (int64_t x = first.x; x <= last; x++) {
        const TrnCoord coord = {(int32_t)x, first.y, first.z};
        if (!trn_stream_view_any_has(batch->views, coord, TRN_STREAM_SHAPE_LOAD, true)) {
            view_unwant_chunk(batch, coord);
        }
    }
    batch->views->visited += (uint64_t)((int64_t)last - first.x + 1);
    return true;
}

/// Shows whole rows at a time: tens of ns each.
static bool view_show_row(void *context, TrnCoord first, int32_t last)
{
    ViewBatch *batch = context;
    const TrnStreamViewHost *host = &batch->views->host;
    batch->result = host->show(host->user, view_row_box(first, last));
    return batch->result == TRN_RESULT_OK;
}

static bool view_is_near(const TrnStreamViewSlot *view, const void *context)
{
    const TrnBox *row = context;
    const TrnStreamShape *shape = &view->shapes[TRN_STREAM_SHAPE_KEEP];
    const TrnCoord centre = view->now.centre;
    const int64_t across = shape->reach_across, up = shape->reach_up;
    return trn_stream_view_has_anchor(view) && !shape->is_empty &&
           llabs((int64_t)row->min.y - centre.y) <= up &&
           llabs((int64_t)row->min.z - centre.z) <= across && row->min.x <= centre.x + across &&
           row->max.x >= centre.x - across;
}

/// Whether a row of chunks comes near the view of an anchor.
static bool view_row_is_near(const TrnStreamViews *views, TrnCoord first, int32_t last)
{
    const TrnBox row = view_row_box(first, last);
    return trn_stream_view_tree_any(&views->tree, first, last, view_is_near, &row);
}

/// Hides the chunks of a row that no anchor has in a shape.
static void view_hide_unless(const TrnStreamViews *views, TrnCoord first, int32_t last,
                             TrnStreamViewShape which)
{
    for (int64_t x = first.x; x <= last; x++) {
        const TrnCoord coord = {(int32_t)x, first.y, first.z};
        if (!trn_stream_view_any_has(views, coord, which, true)) {
            views->host.hide(views->host.user, view_row_box(coord, coord.x));
        }
    }
}

static bool view_hide_row(void *context, TrnCoord first, int32_t last)
{
    const TrnStreamViews *views = context;
    if (view_row_is_near(views, first, last)) {
        view_hide_unless(views, first, last, TRN_STREAM_SHAPE_KEEP_SHOW);
    } else {
        views->host.hide(views->host.user, view_row_box(first, last));
    }
    return true;
}

/// Hides the chunks of a row that no anchor shows, even within the hysteresis.
static bool view_hide_kept_row(void *context, TrnCoord first, int32_t last)
{
    view_hide_unless(context, first, last, TRN_STREAM_SHAPE_SHOW);
    return true;
}

TrnResult trn_stream_view_want(TrnStreamViews *views, const TrnStreamViewSlot *view,
                               const TrnStreamViewExtent *before)
{
    const TrnStreamShape load = trn_stream_view_shape(views, before, TRN_STREAM_SHAPE_LOAD);
    const TrnStreamShape show = trn_stream_view_shape(views, before, TRN_STREAM_SHAPE_SHOW);
    ViewBatch entering = {.views = views};
    if (trn_stream_shape_minus(&view->shapes[TRN_STREAM_SHAPE_LOAD], &load, view_want_row,
                               &entering) &&
        view_want_batch(&entering)) {
        trn_stream_shape_minus(&view->shapes[TRN_STREAM_SHAPE_SHOW], &show, view_show_row,
                               &entering);
    }
    return entering.result;
}

void trn_stream_view_unwant(TrnStreamViews *views, const TrnStreamViewSlot *view,
                            const TrnStreamViewExtent *before)
{
    const TrnStreamShape shown = trn_stream_view_shape(views, before, TRN_STREAM_SHAPE_KEEP_SHOW);
    const TrnStreamShape kept = trn_stream_view_shape(views, before, TRN_STREAM_SHAPE_KEEP);
    ViewBatch leaving = {.views = views, .is_alone = views->all.count == 1};
    trn_stream_shape_minus(&shown, &view->shapes[TRN_STREAM_SHAPE_KEEP_SHOW], view_hide_row, views);
    trn_stream_shape_minus(&kept, &view->shapes[TRN_STREAM_SHAPE_KEEP], view_unwant_row, &leaving);
    view_unwant_batch(&leaving);
}

void trn_stream_view_hide(TrnStreamViews *views, const TrnStreamViewSlot *view)
{
    const TrnStreamShape nothing = trn_stream_shape(view->now.centre, 0, 0, -1, 0, false);
    trn_stream_shape_minus(&view->shapes[TRN_STREAM_SHAPE_KEEP_SHOW], &nothing, view_hide_row,
                           views);
}

void trn_stream_view_drop_kept(TrnStreamViews *views, const TrnStreamViewSlot *view,
                               const TrnStreamViewExtent *before)
{
    const TrnStreamShape kept = trn_stream_view_shape(views, before, TRN_STREAM_SHAPE_KEEP);
    const TrnStreamShape shown = trn_stream_view_shape(views, before, TRN_STREAM_SHAPE_KEEP_SHOW);
    ViewBatch leaving = {.views = views};
    trn_stream_shape_minus(&shown, &view->shapes[TRN_STREAM_SHAPE_SHOW], view_hide_kept_row, views);
    trn_stream_shape_minus(&kept, &view->shapes[TRN_STREAM_SHAPE_LOAD], view_drop_kept_row,
                           &leaving);
    view_unwant_batch(&leaving);
}
