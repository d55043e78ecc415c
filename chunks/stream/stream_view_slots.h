/// Private: the slots of a stream's views: what a view is, where it lies, and its host.
#ifndef TERRANE_STREAM_STREAM_VIEW_SLOTS_H
#define TERRANE_STREAM_STREAM_VIEW_SLOTS_H

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

/// What a view asks its host about one more ring.
typedef enum TrnStreamFit {
    TRN_STREAM_FIT_YES,
    TRN_STREAM_FIT_NO,
    TRN_STREAM_FIT_ESTIMATED ///< probably not; chunks to come may be smaller than those loaded
} TrnStreamFit;

#define TRN_STREAM_VIEW_BATCH 16u

/// What the views tell and ask. Called inside trn_stream_views_update, _shrink, _drop_kept and
/// _remove.
typedef struct TrnStreamViewHost {
    uint32_t level; ///< of the chunks: where the world ends
    /// Chunks enter a view, at most TRN_STREAM_VIEW_BATCH.
    /// Errors: NO_MEMORY, FULL; some of them may have entered.
    TrnResult (*want)(void *user, const TrnCoord *coords, uint32_t count);
    /// Chunks left all views, at most TRN_STREAM_VIEW_BATCH. After a failed `want`, also chunks
    /// that never entered.
    void (*unwant)(void *user, const TrnCoord *coords, uint32_t count);
    /// Shows a row of chunks along x. Errors: NO_MEMORY, FULL.
    TrnResult (*show)(void *user, TrnBox row);
    /// A row of chunks along x is no longer to be shown; some of them may not have been.
    void (*hide)(void *user, TrnBox row);
    /// Whether `chunks` more fit. @param is_cautious  after memory ran short
    TrnStreamFit (*fits)(void *user, uint64_t chunks, bool is_cautious);
    /// Whether the calling thread has time for another ring, and the queue is not too long.
    bool (*may_grow)(void *user);
    /// An anchor's view gained a ring, or lost one because memory ran short.
    void (*event)(void *user, TrnStreamEventKind kind, TrnCoord centre, uint32_t ring);
    void *user; ///< passed to all of them
} TrnStreamViewHost;

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
    TrnPoolId id; ///< stale once the anchor is removed
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
    TrnStreamSight sight;
    TrnStreamSight queue_sight; ///< by which the queue was last sorted
} TrnStreamViewSlot;

/// One view, in an array of all: the array may grow, the view stays where it is.
typedef struct TrnStreamViewEntry {
    TrnStreamViewSlot *view;
} TrnStreamViewEntry;

TRN_ARRAY_DECLARE(TrnStreamViewArray, TrnStreamViewEntry);

typedef struct TrnStreamViews {
    TrnPool *pool; ///< of TrnStreamViewSlot
    TrnStreamViewArray all;
    TrnStreamViewHost host;
    const TrnAllocator *allocator;
    uint32_t hysteresis; ///< chunks
    uint64_t update;     ///< number of this update
    uint32_t crossings;  ///< chunk borders that anchors crossed
    double unsorted;     ///< distance up to which the queue must be sorted again; 0: none
    uint64_t visited;    ///< chunks that entering and leaving rows have visited
    uint64_t grows, shrinks;
} TrnStreamViews;

/// Allocates an empty slot and its entry in the list of all views. NULL without memory.
TrnStreamViewSlot *trn_stream_view_create(TrnStreamViews *views);

/// Frees a slot. The entries behind it move up: their order matters to exact replay.
void trn_stream_view_free(TrnStreamViews *views, TrnStreamViewSlot *view);

/// Takes the anchor from a view: its id is stale from now on, and the view dissolves where it is.
void trn_stream_view_dissolve(TrnStreamViews *views, TrnStreamViewSlot *view);

/// Whether a view is not dissolving.
bool trn_stream_view_has_anchor(const TrnStreamViewSlot *view);

/// Sets where a view is and how large, and its shapes with that. No chunk enters or leaves.
void trn_stream_view_set_extent(const TrnStreamViews *views, TrnStreamViewSlot *view,
                                TrnStreamViewExtent extent);

/// Returns a shape of an extent.
TrnStreamShape trn_stream_view_shape(const TrnStreamViews *views, const TrnStreamViewExtent *extent,
                                     TrnStreamViewShape which);

/// Whether any view holds a chunk, in one of its shapes. Cost: O(views).
/// @param anchors_only  ignores dissolving views
bool trn_stream_view_any_has(const TrnStreamViews *views, TrnCoord coord, TrnStreamViewShape which,
                             bool anchors_only);

#endif
