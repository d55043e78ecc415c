/// Private: the views of a stream's anchors: which chunks each anchor wants.
///
/// A view grows ring by ring from its centre, moves by the chunks that differ, and dissolves ring
/// by ring from outside when its anchor has left it. Views know no cells: they tell their host
/// which chunks enter and leave, and ask it what fits.
#ifndef TERRANE_STREAM_STREAM_VIEWS_H
#define TERRANE_STREAM_STREAM_VIEWS_H

#include <terrane/stream.h>

#include "stream_view.h"

#define STREAM_HYSTERESIS_DEFAULT 2u ///< chunks that unloading is farther out than loading
#define STREAM_HYSTERESIS_MAX 64u
#define STREAM_UPDATES_A_SECOND 60.0 ///< in exact replay, and until it is known

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

/// Walks the anchors in the order in which they were added, from *cursor = 0 until it returns
/// false.
bool trn_stream_views_next(const TrnStreamViews *views, uint32_t *cursor, TrnStreamAnchorId *id,
                           TrnStreamAnchor *anchor);

// ---- updates -----------------------------------------------------------------------------------

/// Whether any view has something to do.
bool trn_stream_views_have_work(const TrnStreamViews *views);

/// Whether any anchor moves that the game gives no velocity: updates must find out when it stops.
bool trn_stream_views_are_moving(const TrnStreamViews *views);

/// Tells how often updates run, for anchors without a velocity. Exact replay must not depend on it.
void trn_stream_views_set_pace(TrnStreamViews *views, double updates_a_second);

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
/// Cost: O(views that reach the chunk).
bool trn_stream_views_have(const TrnStreamViews *views, TrnCoord coord, TrnStreamViewShape which);

/// Whether any view has rings to drop, or a previous extent to release.
bool trn_stream_views_are_dropping(const TrnStreamViews *views);

/// Whether all views are as large as wanted, or as memory allows.
bool trn_stream_views_are_idle(const TrnStreamViews *views);

/// Whether a view reaches an end of the world, or is one chunk short of it.
bool trn_stream_views_touch_end(const TrnStreamViews *views);

/// Adds anchors, dissolving and shrunk views to zeroed statistics.
void trn_stream_views_count(const TrnStreamViews *views, TrnStreamStats *stats);

/// Returns the distance up to which queued chunks need sorting again since the last call;
/// 0: none.
double trn_stream_views_take_unsorted(TrnStreamViews *views);

/// How the nearest anchor sees a chunk; of equally near ones, that added first. At an infinite
/// distance, and not visible, without anchors. Cost: O(log views).
TrnStreamRank trn_stream_views_rank(const TrnStreamViews *views, TrnCoord coord);

/// Returns the distance to the chunk of the nearest anchor; infinite without anchors. Cost:
/// O(views).
double trn_stream_views_distance(const TrnStreamViews *views, TrnCoord coord);

#endif
