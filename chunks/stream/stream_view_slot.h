/// Private: what is stored of one view.
#ifndef TERRANE_STREAM_STREAM_VIEW_SLOT_H
#define TERRANE_STREAM_STREAM_VIEW_SLOT_H

#include <terrane/stream.h>

#include "base/array.h"
#include "stream_shape.h"
#include "stream_sight.h"

#define STREAM_VIEW_BACKOFF_MIN 60u ///< updates

/// A view's life.
///
///     GROWING <──> FULL                         all rings asked for
///        │  ▲
///        ▼  │
///     ESTIMATED, SHORT                          the next ring does not fit; asked again later
///
///     any of them ──anchor jumps or goes──► DISSOLVING ──► freed
typedef enum TrnStreamViewLife {
    TRN_STREAM_VIEW_GROWING,   ///< adds rings as time and memory allow
    TRN_STREAM_VIEW_FULL,      ///< has all rings that its anchor asks for, or more to drop
    TRN_STREAM_VIEW_ESTIMATED, ///< the next ring seems not to fit, while chunks are still to come
    TRN_STREAM_VIEW_SHORT,     ///< the next ring does not fit
    TRN_STREAM_VIEW_DISSOLVING ///< without an anchor: drops at least a ring an update
} TrnStreamViewLife;

/// Where a view is or was, and how large.
typedef struct TrnStreamViewExtent {
    TrnCoord centre;
    uint32_t radius, height;
    int64_t ring; ///< -1: empty
} TrnStreamViewExtent;

/// The shapes of an extent.
typedef enum TrnStreamViewShape {
    TRN_STREAM_SHAPE_SHOW,      ///< chunks to show
    TRN_STREAM_SHAPE_LOAD,      ///< chunks to load for that
    TRN_STREAM_SHAPE_KEEP_SHOW, ///< chunks that stay shown
    TRN_STREAM_SHAPE_KEEP,      ///< chunks that stay loaded
    TRN_STREAM_SHAPE_COUNT
} TrnStreamViewShape;

/// An anchor's view, or a dissolving view that an anchor has left.
typedef struct TrnStreamViewSlot {
    TrnPoolId id;    ///< stale once the anchor is removed
    uint64_t serial; ///< views are in the order of these
    uint32_t place;  ///< the tree's
    TrnStreamAnchor anchor;
    bool is_changed; ///< the anchor was set since the last update
    TrnStreamViewLife life;
    TrnStreamViewExtent now;
    TrnStreamShape shapes[TRN_STREAM_SHAPE_COUNT]; ///< of `now`
    TrnStreamViewExtent previous; ///< before the last step, until the next update releases it
    uint32_t lost_rings;      ///< since the view last had all rings; 0: memory did not run short
    uint64_t grow_update;     ///< the first update in which it may grow again
    uint32_t backoff_updates; ///< how long to wait after memory runs short again
    TrnCoord backoff_centre;  ///< the centre when it last lost a ring or reset its backoff
    TrnStreamMotion motion;
    TrnStreamSight sight;
    TrnStreamSight queue_sight; ///< by which the queue was last sorted
} TrnStreamViewSlot;

/// Whether a view is not dissolving.
static inline bool trn_stream_view_has_anchor(const TrnStreamViewSlot *view)
{
    return view->life != TRN_STREAM_VIEW_DISSOLVING;
}

/// One view, in an array: the array may grow, the view stays where it is.
typedef struct TrnStreamViewEntry {
    TrnStreamViewSlot *view; ///< in the tree also NULL
} TrnStreamViewEntry;

TRN_ARRAY_DECLARE(TrnStreamViewArray, TrnStreamViewEntry);

#endif
