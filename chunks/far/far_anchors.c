// The anchors of level 0, in the streams of the levels.

#include "far_impl.h"

#include "stream/stream_level.h"

static bool anchors_are_equal(TrnStreamAnchorId a, TrnStreamAnchorId b)
{
    return a.index1 == b.index1 && a.generation == b.generation;
}

/// An anchor of level 0 as a level has it.
static TrnStreamAnchor anchors_at_level(const TrnFar *far_view, const TrnStreamAnchor *anchor,
                                        uint32_t level)
{
    const TrnFarView *view = &far_view->def.view;
    TrnStreamAnchor at = trn_stream_anchor_at_level(anchor, level);
    at.radius_chunks = view->radius_chunks ? view->radius_chunks : at.radius_chunks;
    if (level == view->levels && view->last_radius_chunks) {
        at.radius_chunks = view->last_radius_chunks;
    }
    at.height_chunks = view->height_chunks ? view->height_chunks : at.height_chunks;
    return at;
}

/// Moves an anchor of a level, or adds it.
static TrnResult anchors_follow_one(const TrnFar *far_view, TrnFarAnchor *follower,
                                    const TrnStreamAnchor *anchor)
{
    TrnResult result = TRN_RESULT_OK;
    for (uint32_t level = 1; level <= far_view->def.view.levels; level++) {
        TrnStream *stream = far_view->levels[level].stream;
        const TrnStreamAnchor at = anchors_at_level(far_view, anchor, level);
        TrnStreamAnchorId *id = &follower->ids[level];
        const TrnResult one = id->index1 ? trn_stream_anchor_set(stream, *id, &at)
                                         : trn_stream_anchor_add(stream, &at, id);
        result = one == TRN_RESULT_OK ? result : one;
    }
    return result;
}

/// Removes the anchors whose source is gone. The others keep their order.
static void anchors_remove_stale(TrnFar *far_view)
{
    TrnFarAnchorArray *all = &far_view->anchors;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < all->count; i++) {
        const TrnFarAnchor *follower = &all->items[i];
        TrnStreamView view;
        if (trn_stream_view(far_view->levels[0].stream, follower->source, &view) == TRN_RESULT_OK) {
            all->items[kept++] = *follower;
            continue;
        }
        for (uint32_t level = 1; level <= far_view->def.view.levels; level++) {
            (void)trn_stream_anchor_remove(far_view->levels[level].stream, follower->ids[level]);
        }
    }
    all->count = kept;
}

/// Finds the follower of an anchor, or makes one. NULL without memory.
/// @param hint  where it probably is
static TrnFarAnchor *anchors_find(TrnFar *far_view, TrnStreamAnchorId source, uint32_t hint)
{
    TrnFarAnchorArray *all = &far_view->anchors;
    if (hint < all->count && anchors_are_equal(all->items[hint].source, source)) {
        return &all->items[hint];
    }
    for (uint32_t i = 0; i < all->count; i++) {
        if (anchors_are_equal(all->items[i].source, source)) {
            return &all->items[i];
        }
    }
    const TrnFarAnchor follower = {.source = source};
    return trn_array_push(all, &far_view->allocator, follower) == TRN_RESULT_OK
               ? &all->items[all->count - 1]
               : NULL;
}

TrnResult trn_far_follow_anchors(TrnFar *far_view)
{
    anchors_remove_stale(far_view);
    TrnResult result = TRN_RESULT_OK;
    TrnStreamAnchorId source;
    TrnStreamAnchor anchor;
    uint32_t cursor = 0, place = 0;
    while (trn_stream_next_anchor(far_view->levels[0].stream, &cursor, &source, &anchor)) {
        TrnFarAnchor *follower = anchors_find(far_view, source, place++);
        const TrnResult one =
            follower ? anchors_follow_one(far_view, follower, &anchor) : TRN_RESULT_NO_MEMORY;
        result = one == TRN_RESULT_OK ? result : one;
    }
    return result;
}
