/// Private: a tree of boxes over the views of a stream, so that a question about a chunk asks the
/// views near it and not all.
///
/// Few views have no tree: they are "loose", and every question asks each of them. Answers do not
/// depend on the tree's shape, so exact replay does not either.
#ifndef TERRANE_STREAM_STREAM_VIEW_TREE_H
#define TERRANE_STREAM_STREAM_VIEW_TREE_H

#include "stream_view_slot.h"

/// The bounds of some views.
typedef struct TrnStreamViewBox {
    /// Of the paths of their anchors, in chunks, with a margin for rounding. Empty: no anchors.
    double low[3], high[3];
    int32_t kept_low[3], kept_high[3]; ///< chunks that they keep. Empty: none
    /// Players often stand together: one view answers for several that are equal.
    const TrnStreamViewSlot
        *path_of_all; ///< the first, if all their anchors have one path; or NULL
    const TrnStreamViewSlot *shape_of_all; ///< any, with an anchor if one has; likewise
} TrnStreamViewBox;

TRN_ARRAY_DECLARE(TrnStreamViewBoxArray, TrnStreamViewBox);

/// All zeroes: no views.
typedef struct TrnStreamViewTree {
    uint32_t leaf_count;         ///< a power of two; 0: all views are loose
    uint32_t wear;               ///< changes since it was built that made boxes larger than needed
    TrnStreamViewBoxArray boxes; ///< box i holds boxes 2i and 2i + 1; 1 is the root
    TrnStreamViewArray placed;   ///< views of the leaves, as many places for each
    TrnStreamViewArray loose;
    uint32_t placed_count; ///< views that have a place
} TrnStreamViewTree;

/// Allocates memory for `count` views in all. Errors: NO_MEMORY.
TrnResult trn_stream_view_tree_reserve(TrnStreamViewTree *tree, const TrnAllocator *allocator,
                                       uint32_t count);
void trn_stream_view_tree_free(TrnStreamViewTree *tree, const TrnAllocator *allocator);

/// Adds a view for which memory is reserved. Cost: amortised O(log views).
void trn_stream_view_tree_add(TrnStreamViewTree *tree, TrnStreamViewSlot *view);
void trn_stream_view_tree_remove(TrnStreamViewTree *tree, TrnStreamViewSlot *view);

/// Updates the bounds around a view whose shapes, sight or life changed. Cost: O(log views).
/// @param has_jumped  it is not near where it was
void trn_stream_view_tree_update(TrnStreamViewTree *tree, TrnStreamViewSlot *view, bool has_jumped);

/// Builds the tree anew if its boxes have become too large. Cost: amortised O(log views) for each
/// view that moved.
void trn_stream_view_tree_tidy(TrnStreamViewTree *tree);

/// How the nearest anchor sees a chunk; of equally near ones, that of the first view. At an
/// infinite distance, and not visible, without anchors.
TrnStreamRank trn_stream_view_tree_rank(const TrnStreamViewTree *tree, TrnCoord coord);

/// Whether `is_hit` returns true for a view. Asks all views that keep a chunk of a row along x, and
/// others.
typedef bool (*TrnStreamViewTest)(const TrnStreamViewSlot *view, const void *context);
bool trn_stream_view_tree_any(const TrnStreamViewTree *tree, TrnCoord first, int32_t last,
                              TrnStreamViewTest is_hit, const void *context);

#endif
