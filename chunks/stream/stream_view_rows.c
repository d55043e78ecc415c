#include "stream_view_rows.h"

#include <stdlib.h>

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

/// Whether a row of chunks comes near the view of an anchor.
static bool view_row_is_near(const TrnStreamViews *views, TrnCoord first, int32_t last)
{
    for (uint32_t i = 0; i < views->all.count; i++) {
        const TrnStreamViewSlot *view = views->all.items[i].view;
        const TrnStreamShape *shape = &view->shapes[TRN_STREAM_SHAPE_KEEP];
        const TrnCoord centre = view->now.centre;
        const int64_t across = shape->reach_across, up = shape->reach_up;
        if (trn_stream_view_has_anchor(view) && !shape->is_empty &&
            llabs((int64_t)first.y - centre.y) <= up &&
            llabs((int64_t)first.z - centre.z) <= across && first.x <= centre.x + across &&
            last >= centre.x - across) {
            return true;
        }
    }
    return false;
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
