/// Private: builds the next version of the map of pages, in steps.
#ifndef TERRANE_INDEX_PAGE_BUILD_H
#define TERRANE_INDEX_PAGE_BUILD_H

#include "page_version.h"

/// Building costs about this much, in units of one cell of a directory copied: a look-up in the
/// hash, and a page moved to the hash or to another list.
#define TRN_PAGE_COST_LOOKUP 8
#define TRN_PAGE_COST_MOVE 32

/// A build that costs at most this much is finished in the call that starts it: microseconds.
#define TRN_PAGE_COST_AT_ONCE 4096

/// Starts to build a directory over a box. Errors: NO_MEMORY.
TrnResult trn_page_build_start_directory(TrnPageMap *map, TrnBox box);

/// Starts to build a list without holes. Without memory, the list stays.
void trn_page_build_start_list(TrnPageMap *map);

/// Continues the build. Errors: NO_MEMORY; the build has been discarded.
TrnResult trn_page_build_step(TrnPageMap *map, size_t budget);

/// Returns the finished version, to be published.
TrnPageMap *trn_page_build_take(TrnPageMap *map);

/// Continues the build, if there is one, and takes the finished version.
void trn_page_build_continue(TrnPageMap *map, TrnPageMap **next);

/// Removes pages of the directory from the hash and the list, some at each call: looks through
/// whichever of the directory and the list is shorter. Versions of the time when they were outlier
/// pages must have been reclaimed.
void trn_page_build_clean(TrnPageMap *map);

#endif
