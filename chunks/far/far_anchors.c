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

/// Whether moving a level's anchors puts one into another chunk.
static bool anchors_cross(const TrnFar *far_view, uint32_t level)
{
    for (uint32_t i = 0; i < far_view->anchors.count; i++) {
        const TrnFarAnchor *follower = &far_view->anchors.items[i];
        const TrnStreamAnchor at = anchors_at_level(far_view, &follower->now, level);
        if (follower->ids[level].index1 &&
            !trn_coord_equal(at.position.chunk, follower->chunks[level])) {
            return true;
        }
    }
    return false;
}

/// Moves the anchors of a level, and adds those that are missing.
static TrnResult anchors_follow_at(TrnFar *far_view, uint32_t level)
{
    TrnResult result = TRN_RESULT_OK;
    TrnStream *stream = far_view->levels[level].stream;
    for (uint32_t i = 0; i < far_view->anchors.count; i++) {
        TrnFarAnchor *follower = &far_view->anchors.items[i];
        const TrnStreamAnchor at = anchors_at_level(far_view, &follower->now, level);
        TrnStreamAnchorId *id = &follower->ids[level];
        const TrnResult one = id->index1 ? trn_stream_anchor_set(stream, *id, &at)
                                         : trn_stream_anchor_add(stream, &at, id);
        result = one == TRN_RESULT_OK ? result : one;
        follower->chunks[level] = at.position.chunk;
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

/// Reads the anchors of level 0. Errors: NO_MEMORY.
static TrnResult anchors_read(TrnFar *far_view)
{
    TrnResult result = TRN_RESULT_OK;
    TrnStreamAnchorId source;
    TrnStreamAnchor anchor;
    uint32_t cursor = 0, place = 0;
    while (trn_stream_next_anchor(far_view->levels[0].stream, &cursor, &source, &anchor)) {
        TrnFarAnchor *follower = anchors_find(far_view, source, place++);
        if (follower) {
            follower->now = anchor;
        } else {
            result = TRN_RESULT_NO_MEMORY;
        }
    }
    return result;
}

TrnResult trn_far_follow_anchors(TrnFar *far_view, bool may_move, bool *is_done)
{
    anchors_remove_stale(far_view);
    TrnResult result = anchors_read(far_view);
    const uint32_t levels = far_view->def.view.levels, first = far_view->last_moved;
    bool has_moved = false;
    *is_done = true;
    for (uint32_t i = 0; i < levels; i++) {
        const uint32_t level = (first + i) % levels + 1; // each level gets its turn
        const bool crosses = anchors_cross(far_view, level);
        if (crosses && (has_moved || !may_move)) {
            *is_done = false;
            continue;
        }
        has_moved |= crosses;
        far_view->last_moved = crosses ? level : far_view->last_moved;
        const TrnResult one = anchors_follow_at(far_view, level);
        result = one == TRN_RESULT_OK ? result : one;
    }
    return result;
}
