/// Private: what the library's other folders need of edits beyond their public headers.
#ifndef TERRANE_EDITS_EDITS_INTERNAL_H
#define TERRANE_EDITS_EDITS_INTERNAL_H

#include <terrane/batch.h>

/// Told of each chunk whose pending edits change: are added, dropped or undone. A chunk that takes
/// them up when it is inserted is in that event (TrnEventChunk.applied).
typedef struct TrnPendingWatch {
    /// Runs on the writer's thread, before the call that changes them returns. Must not change the
    /// store. NULL: there is no watch.
    void (*changed)(void *user, TrnCoord coord);
    void *user; ///< passed to it
} TrnPendingWatch;

/// Sets the watch of a store.
/// @param watch  copied; NULL: none from now on
/// Errors: EXISTS (the store has a watch), NO_MEMORY, FULL, READERS.
TrnResult trn_pending_watch(TrnStore *store, const TrnPendingWatch *watch);

#endif
