// Finds chunks that can be meshed now: by planes, one page at a time, only in pages where something
// changed. Scanning all pages took a tenth of an update of a view of radius 32. A count of missing
// neighbours in each cell would cost 26 look-ups for every loaded chunk.

#include "stream_scan.h"

#include <string.h>

#include <terrane/chunk_pages.h>

#include "base/around.h"
#include "base/coord_map.h"

#define SCAN_PREFETCH 8u // cells to prefetch ahead of the current one

// ---- requests ----------------------------------------------------------------------------------

static void scan_add_page(TrnStreamScan *scan, TrnCoord page)
{
    uint32_t slot = trn_coord_hash(page, 0) % TRN_STREAM_SCAN_SLOTS;
    for (; scan->table[slot]; slot = (slot + 1) % TRN_STREAM_SCAN_SLOTS) {
        if (trn_coord_equal(scan->pages[scan->table[slot] - 1], page)) {
            return;
        }
    }
    if (scan->count == TRN_STREAM_SCAN_PAGES) {
        scan->is_everywhere = true;
        return;
    }
    scan->pages[scan->count++] = page;
    scan->table[slot] = (uint16_t)scan->count;
}

void trn_stream_scan_request(TrnStreamScan *scan, TrnBox box)
{
    const TrnCoord first = trn_page_coord(box.min), last = trn_page_coord(box.max);
    // Chunks come page by page, so most requests repeat the one before.
    if (scan->has_last && trn_coord_equal(first, scan->last.min) &&
        trn_coord_equal(last, scan->last.max)) {
        return;
    }
    scan->last = (TrnBox){first, last};
    scan->has_last = true;
    for (int32_t y = first.y; y <= last.y && !scan->is_everywhere; y++) {
        for (int32_t z = first.z; z <= last.z && !scan->is_everywhere; z++) {
            for (int32_t x = first.x; x <= last.x && !scan->is_everywhere; x++) {
                scan_add_page(scan, (TrnCoord){x, y, z});
            }
        }
    }
}

bool trn_stream_scan_is_needed(const TrnStreamScan *scan)
{
    return scan->is_everywhere || scan->count;
}

void trn_stream_scan_clear(TrnStreamScan *scan)
{
    scan->is_everywhere = scan->has_last = false;
    scan->count = 0;
    memset(scan->table, 0, sizeof scan->table);
}

// ---- scan --------------------------------------------------------------------------------------

/// What one run of the scan passes around.
typedef struct ScanRun {
    TrnStreamScan *scan;
    const TrnStreamCells *cells;
    void (*found)(void *user, TrnStreamCell *cell);
    void *user;
} ScanRun;

/// Gathers cells of a box that need a mesh into TrnStreamScan.found.
/// @return how many there are; only the first TRN_STREAM_SCAN_MAX are gathered
static size_t scan_gather(const ScanRun *run, TrnBox box, bool asks_neighbours)
{
    const TrnChunkGather gather = {
        .box = box,
        .planes = {.all = TRN_PLANE_BIT(TRN_PLANE_PRESENT) | TRN_PLANE_BIT(TRN_STREAM_SHOW) |
                          TRN_PLANE_BIT(TRN_STREAM_LOADED) | TRN_PLANE_BIT(TRN_STREAM_REMESH),
                   .all_around = asks_neighbours ? TRN_PLANE_BIT(TRN_STREAM_LOADED) : 0},
        .values = run->scan->found,
        .capacity = TRN_STREAM_SCAN_MAX};
    return trn_chunk_index_gather(run->cells->index, &gather);
}

/// Halves a box along its longest axis. @return the upper half
static TrnBox scan_halve(TrnBox *box)
{
    TrnBox upper = *box;
    int32_t *const low[3] = {&upper.min.x, &upper.min.y, &upper.min.z};
    int32_t *const high[3] = {&box->max.x, &box->max.y, &box->max.z};
    int longest = 0;
    int64_t most = 0;
    for (int axis = 0; axis < 3; axis++) {
        const int64_t size = (int64_t)*high[axis] - *low[axis];
        longest = size > most ? axis : longest;
        most = size > most ? size : most;
    }
    *high[longest] = (int32_t)(*low[longest] + most / 2);
    *low[longest] = *high[longest] + 1;
    return upper;
}

/// Scans one end of the world, where chunks have fewer neighbours than the planes ask for. In parts
/// that fit into TrnStreamScan.found: what waits for neighbours would crowd out the others.
static void scan_end(const ScanRun *run, TrnBox end)
{
    const size_t count = scan_gather(run, end, false);
    if (count > TRN_STREAM_SCAN_MAX) {
        const TrnBox upper = scan_halve(&end);
        scan_end(run, end);
        scan_end(run, upper);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        TrnStreamCell *cell = trn_stream_cells_at(run->cells, run->scan->found[i]);
        if (trn_stream_cells_have_neighbours(run->cells, cell->coord)) {
            run->found(run->user, cell);
        }
    }
}

static void scan_ends(const ScanRun *run)
{
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        TrnBox end = trn_box_everything();
        int32_t *const low[3] = {&end.min.x, &end.min.y, &end.min.z};
        int32_t *const high[3] = {&end.max.x, &end.max.y, &end.max.z};
        if (face & 1) {
            *low[face / 2] = trn_level_last(run->cells->level);
        } else {
            *high[face / 2] = trn_level_first(run->cells->level);
        }
        scan_end(run, end);
    }
}

static uint32_t scan_box(const ScanRun *run, TrnBox box)
{
    const size_t all = scan_gather(run, box, true);
    const uint32_t count = all < TRN_STREAM_SCAN_MAX ? (uint32_t)all : TRN_STREAM_SCAN_MAX;
    run->scan->is_everywhere |= all > TRN_STREAM_SCAN_MAX;
    const uint32_t *found = run->scan->found;
    for (uint32_t i = 0; i < count && i < SCAN_PREFETCH; i++) {
        trn_stream_cells_prefetch(run->cells, found[i]);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (i + SCAN_PREFETCH < count) {
            trn_stream_cells_prefetch(run->cells, found[i + SCAN_PREFETCH]);
        }
        run->found(run->user, trn_stream_cells_at(run->cells, found[i]));
    }
    return count;
}

void trn_stream_scan_run(TrnStreamScan *scan, const TrnStreamCells *cells, bool has_ends,
                         void (*found)(void *user, TrnStreamCell *cell), void *user)
{
    if (!trn_stream_scan_is_needed(scan)) {
        return;
    }
    const ScanRun run = {scan, cells, found, user};
    const bool is_everywhere = scan->is_everywhere;
    const uint32_t count = is_everywhere ? 0 : scan->count;
    TrnCoord pages[TRN_STREAM_SCAN_PAGES]; // copied, since `found` may request scans
    memcpy(pages, scan->pages, count * sizeof *pages);
    trn_stream_scan_clear(scan);
    if (is_everywhere) {
        (void)scan_box(&run, trn_box_everything());
    }
    uint32_t found_count = 0, page = 0;
    for (; page < count && found_count < TRN_STREAM_SCAN_MAX; page++) {
        found_count += scan_box(&run, trn_page_chunks(pages[page]));
    }
    for (; page < count; page++) { // the others are left for the next update
        scan_add_page(scan, pages[page]);
    }
    if (has_ends) {
        scan_ends(&run);
    }
}
