/// Private: the views of a stream's anchors: which chunks each anchor wants.
///
/// A view grows ring by ring from its centre, moves by the chunks that differ, and dissolves ring
/// by ring from outside when its anchor has left it. Views know no cells: they tell their host
/// which chunks enter and leave, and ask it what fits.
#ifndef TERRANE_STREAM_STREAM_VIEWS_H
#define TERRANE_STREAM_STREAM_VIEWS_H

#include <terrane/stream.h>

#include "base/array.h"
#include "stream_shape.h"
#include "stream_sight.h"

#define STREAM_HYSTERESIS_DEFAULT 2u ///< chunks that unloading is farther out than loading
#define STREAM_HYSTERESIS_MAX 64u

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

/// Creates views without anchors. Errors: NO_MEMORY; destroy what there is.
/// @param allocator  must outlive the views
TrnResult trn_stream_views_create(TrnStreamViews *views, const TrnStreamViewHost *host,
                                  uint32_t hysteresis, const TrnAllocator *allocator);
void trn_stream_views_destroy(TrnStreamViews *views);

// ---- anchors -----------------------------------------------------------------------------------

/// Errors: BAD_ARGUMENT, NO_MEMORY.
TrnResult trn_stream_views_add(TrnStreamViews *views, const TrnStreamAnchor *anchor,
                               TrnStreamAnchorId *id);
/// Errors: STALE_ID, BAD_ARGUMENT.
TrnResult trn_stream_views_set(TrnStreamViews *views, TrnStreamAnchorId id,
                               const TrnStreamAnchor *anchor);
/// Errors: STALE_ID.
TrnResult trn_stream_views_remove(TrnStreamViews *views, TrnStreamAnchorId id);
/// Errors: STALE_ID.
TrnResult trn_stream_views_get(const TrnStreamViews *views, TrnStreamAnchorId id,
                               TrnStreamView *out);

// ---- updates -----------------------------------------------------------------------------------

/// Whether any view has something to do.
bool trn_stream_views_have_work(const TrnStreamViews *views);

/// Moves, shrinks and grows the views.
/// @param update    its number
/// @param may_grow  false: memory ran short in the previous update
/// @return OK, or NO_MEMORY or FULL if a view could not grow
TrnResult trn_stream_views_update(TrnStreamViews *views, uint64_t update, bool may_grow);

/// Drops the outer ring of the anchor's view with the most rings, but never ring 0. Also unwants
/// what that view keeps only by hysteresis.
/// @param backoff_max  updates after which the view may grow again, at most
/// @return false if no view has a ring to drop
bool trn_stream_views_shrink(TrnStreamViews *views, uint32_t backoff_max);

/// Unwants what views keep only by hysteresis.
void trn_stream_views_drop_kept(TrnStreamViews *views);

// ---- questions ---------------------------------------------------------------------------------

/// Whether any anchor's view holds a chunk, in one of its shapes. Ignores dissolving views.
/// Cost: O(views).
bool trn_stream_views_have(const TrnStreamViews *views, TrnCoord coord, TrnStreamViewShape which);

/// Whether any view has rings to drop, or a previous extent to release.
bool trn_stream_views_are_dropping(const TrnStreamViews *views);

/// Whether all views are as large as wanted, or as memory allows.
bool trn_stream_views_are_idle(const TrnStreamViews *views);

/// Whether a view reaches an end of the world, or is one chunk short of it.
bool trn_stream_views_touch_end(const TrnStreamViews *views);

/// Adds anchors, dissolving and shrunk views to zeroed statistics.
void trn_stream_views_count(const TrnStreamViews *views, TrnStreamStats *stats);

/// Returns the distance up to which queued chunks are to be sorted again since the last call;
/// 0: none.
double trn_stream_views_take_unsorted(TrnStreamViews *views);

/// How the nearest anchor sees a chunk; at an infinite distance, and not visible, without anchors.
TrnStreamRank trn_stream_views_rank(const TrnStreamViews *views, TrnCoord coord);

/// Returns the distance to the chunk of the nearest anchor; infinite without anchors.
double trn_stream_views_distance(const TrnStreamViews *views, TrnCoord coord);

#endif
