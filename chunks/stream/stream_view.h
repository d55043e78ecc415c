/// Private: one view of a stream: where it lies, what its anchor sees, and the chunks that enter
/// and leave it.
#ifndef TERRANE_STREAM_STREAM_VIEW_H
#define TERRANE_STREAM_STREAM_VIEW_H

#include <terrane/stream.h>

#include "stream_view_tree.h"

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

typedef struct TrnStreamViews {
    TrnPool *pool; ///< of TrnStreamViewSlot
    TrnStreamViewArray all;
    TrnStreamViewTree tree; ///< of all
    uint64_t created;
    TrnStreamViewHost host;
    const TrnAllocator *allocator;
    uint32_t hysteresis;     ///< chunks
    uint64_t update;         ///< number of this update
    double updates_a_second; ///< as far as known; always the same in exact replay
    uint32_t crossings;      ///< chunk borders that anchors crossed
    double unsorted;         ///< distance up to which the queue must be sorted again; 0: none
    uint64_t visited;        ///< chunks that entering and leaving rows have visited
    uint64_t grows, shrinks;
} TrnStreamViews;

/// Allocates an empty slot and its entry in the list of all views. NULL without memory.
TrnStreamViewSlot *trn_stream_view_create(TrnStreamViews *views);

/// Frees a slot. The entries behind it move up: their order matters to exact replay.
void trn_stream_view_free(TrnStreamViews *views, TrnStreamViewSlot *view);

/// Takes the anchor from a view: its id is stale from now on, and the view dissolves where it is.
void trn_stream_view_dissolve(TrnStreamViews *views, TrnStreamViewSlot *view);

/// Sets what a view's anchor sees.
void trn_stream_view_set_sight(TrnStreamViews *views, TrnStreamViewSlot *view,
                               TrnStreamSight sight);

/// Sets where a view is and how large, and its shapes with that. No chunk enters or leaves.
void trn_stream_view_set_extent(TrnStreamViews *views, TrnStreamViewSlot *view,
                                TrnStreamViewExtent extent);

/// Returns a shape of an extent.
TrnStreamShape trn_stream_view_shape(const TrnStreamViews *views, const TrnStreamViewExtent *extent,
                                     TrnStreamViewShape which);

/// Whether any view holds a chunk, in one of its shapes. Cost: O(views that reach the chunk).
/// @param anchors_only  ignores dissolving views
bool trn_stream_view_any_has(const TrnStreamViews *views, TrnCoord coord, TrnStreamViewShape which,
                             bool anchors_only);

/// Wants and shows what a view has and an extent has not. Errors: NO_MEMORY, FULL.
TrnResult trn_stream_view_want(TrnStreamViews *views, const TrnStreamViewSlot *view,
                               const TrnStreamViewExtent *before);

/// Hides and unwants what an extent kept and no view keeps now.
void trn_stream_view_unwant(TrnStreamViews *views, const TrnStreamViewSlot *view,
                            const TrnStreamViewExtent *before);

/// Hides what no anchor shows of a view that has lost its anchor.
void trn_stream_view_hide(TrnStreamViews *views, const TrnStreamViewSlot *view);

/// Unwants what a view keeps beyond what it wants. @param before  its extent when that was wanted
void trn_stream_view_drop_kept(TrnStreamViews *views, const TrnStreamViewSlot *view,
                               const TrnStreamViewExtent *before);

#endif
