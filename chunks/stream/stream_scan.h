/// Private: finds chunks of a stream that can be meshed now, in the pages where something changed.
#ifndef TERRANE_STREAM_STREAM_SCAN_H
#define TERRANE_STREAM_STREAM_SCAN_H

#include "stream_cells.h"

#define TRN_STREAM_SCAN_MAX 1024u  ///< about the most cells that one scan finds
#define TRN_STREAM_SCAN_PAGES 512u ///< most pages that one scan can be limited to
#define TRN_STREAM_SCAN_SLOTS 1024u

typedef struct TrnStreamScan {
    TrnCoord pages[TRN_STREAM_SCAN_PAGES]; ///< [count] in which chunks may have become ready
    uint32_t count;
    bool is_everywhere;                    ///< too many pages for `pages`
    uint16_t table[TRN_STREAM_SCAN_SLOTS]; ///< hash table of positions in `pages` plus one; 0: none
    TrnBox last;                           ///< pages requested last
    bool has_last;
    uint32_t found[TRN_STREAM_SCAN_MAX]; ///< slots of cells, while a box is scanned
} TrnStreamScan;

/// Requests a scan of the pages of a box in which chunks may have become ready to mesh.
void trn_stream_scan_request(TrnStreamScan *scan, TrnBox box);
bool trn_stream_scan_is_needed(const TrnStreamScan *scan);

/// Forgets all requests.
void trn_stream_scan_clear(TrnStreamScan *scan);

/// Finds cells that are loaded, to be shown and need a mesh, and whose neighbours are loaded. What
/// one scan leaves is found by the next. Does nothing without a request.
/// @param has_ends  also looks at all ends of the world, where chunks have fewer neighbours
/// @param found     called for each; may request scans. If it leaves a cell as it is, later scans
///                  find the cell again
void trn_stream_scan_run(TrnStreamScan *scan, const TrnStreamCells *cells, bool has_ends,
                         void (*found)(void *user, TrnStreamCell *cell), void *user);

#endif
