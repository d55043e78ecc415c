#include "stream_view_slots.h"

#include <string.h>

#include "index/pool_internal.h"

// ---- slots -------------------------------------------------------------------------------------

TrnStreamViewSlot *trn_stream_view_create(TrnStreamViews *views)
{
    void *memory;
    TrnPoolId id;
    if (trn_array_reserve(&views->all, views->allocator, (size_t)views->all.count + 1) !=
            TRN_RESULT_OK ||
        trn_pool_alloc(views->pool, &id, &memory) != TRN_RESULT_OK) {
        return NULL;
    }
    TrnStreamViewSlot *view = memory;
    memset(view, 0, sizeof *view);
    view->id = id;
    view->now.ring = view->previous.ring = -1;
    view->backoff_updates = STREAM_VIEW_BACKOFF_MIN;
    (void)trn_array_push(&views->all, views->allocator, (TrnStreamViewEntry){view});
    return view;
}

void trn_stream_view_free(TrnStreamViews *views, TrnStreamViewSlot *view)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < views->all.count; i++) {
        const TrnStreamViewEntry entry = views->all.items[i];
        views->all.items[kept] = entry;
        kept += entry.view != view;
    }
    views->all.count = kept;
    (void)trn_pool_reuse(views->pool, view->id);
}

void trn_stream_view_dissolve(TrnStreamViews *views, TrnStreamViewSlot *view)
{
    (void)trn_pool_retire(views->pool, view->id);
    view->life = TRN_STREAM_VIEW_DISSOLVING;
    view->is_changed = false;
}

// ---- extents and shapes ------------------------------------------------------------------------

bool trn_stream_view_has_anchor(const TrnStreamViewSlot *view)
{
    return view->life != TRN_STREAM_VIEW_DISSOLVING;
}

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

void trn_stream_view_set_extent(const TrnStreamViews *views, TrnStreamViewSlot *view,
                                TrnStreamViewExtent extent)
{
    view->now = extent;
    for (int which = 0; which < TRN_STREAM_SHAPE_COUNT; which++) {
        view->shapes[which] = trn_stream_view_shape(views, &view->now, (TrnStreamViewShape)which);
    }
}

bool trn_stream_view_any_has(const TrnStreamViews *views, TrnCoord coord, TrnStreamViewShape which,
                             bool anchors_only)
{
    for (uint32_t i = 0; i < views->all.count; i++) {
        const TrnStreamViewSlot *view = views->all.items[i].view;
        if ((!anchors_only || trn_stream_view_has_anchor(view)) &&
            trn_stream_shape_has(&view->shapes[which], coord)) {
            return true;
        }
    }
    return false;
}
