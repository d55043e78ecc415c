/// Private: the rows of chunks that enter and leave views: tells the views' host which.
#ifndef TERRANE_STREAM_STREAM_VIEW_ROWS_H
#define TERRANE_STREAM_STREAM_VIEW_ROWS_H

#include "stream_view_slots.h"

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
