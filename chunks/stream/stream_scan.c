// Finds chunks that can be meshed now: by planes, one page at a time, only in pages where something
// changed. Scanning all pages took a tenth of an update of a view of radius 32. A count of missing
// neighbours in each cell would cost 26 look-ups for every loaded chunk.

#include "stream_impl.h"

#include <string.h>

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

void trn_stream_request_scan(TrnStream *stream, TrnBox box)
{
    TrnStreamScan *scan = &stream->scan;
    const TrnCoord first = trn_page_coord(box.min), last = trn_page_coord(box.max);
    for (int32_t y = first.y; y <= last.y; y++) {
        for (int32_t z = first.z; z <= last.z; z++) {
            for (int32_t x = first.x; x <= last.x && !scan->is_everywhere; x++) {
                scan_add_page(scan, (TrnCoord){x, y, z});
            }
        }
    }
}

bool trn_stream_needs_scan(const TrnStream *stream)
{
    return stream->scan.is_everywhere || stream->scan.count;
}

// ---- scan --------------------------------------------------------------------------------------

/// Gathers cells of a box that need a mesh into TrnStream.found. @return how many
static uint32_t scan_gather(TrnStream *stream, TrnBox box, bool asks_neighbours)
{
    TrnChunkGather gather = {
        .box = box,
        .planes = {.all = TRN_PLANE_BIT(TRN_PLANE_PRESENT) | TRN_PLANE_BIT(TRN_STREAM_SHOW) |
                          TRN_PLANE_BIT(TRN_STREAM_LOADED) | TRN_PLANE_BIT(TRN_STREAM_REMESH),
                   .all_around = asks_neighbours ? TRN_PLANE_BIT(TRN_STREAM_LOADED) : 0},
        .values = stream->found,
        .capacity = TRN_STREAM_SCAN_MAX};
    const size_t count = trn_chunk_index_gather(stream->index, &gather);
    stream->scan.is_everywhere |= count > TRN_STREAM_SCAN_MAX;
    return count < TRN_STREAM_SCAN_MAX ? (uint32_t)count : TRN_STREAM_SCAN_MAX;
}

/// Scans one end of the world, where chunks have fewer neighbours than the planes ask for.
static void scan_end(TrnStream *stream, TrnBox end)
{
    const uint32_t count = scan_gather(stream, end, false);
    for (uint32_t i = 0; i < count; i++) {
        TrnStreamCell *cell = trn_stream_cell(stream, stream->found[i]);
        if (trn_stream_has_neighbours(stream, cell->coord)) {
            trn_stream_queue_meshable(stream, cell);
        }
    }
}

static void scan_ends(TrnStream *stream)
{
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        TrnBox end = trn_box_everything();
        int32_t *const low[3] = {&end.min.x, &end.min.y, &end.min.z};
        int32_t *const high[3] = {&end.max.x, &end.max.y, &end.max.z};
        if (face & 1) {
            *low[face / 2] = INT32_MAX;
        } else {
            *high[face / 2] = INT32_MIN;
        }
        scan_end(stream, end);
    }
}

static bool scan_is_at_an_end(const TrnStream *stream)
{
    for (uint32_t i = 0; i < stream->views.count; i++) {
        const TrnStreamViewSlot *view = &stream->views.items[i];
        const TrnStreamShape shape =
            trn_stream_shape(view->centre, view->radius, view->height, view->ring,
                             stream->def.hysteresis_chunks, true);
        if (view->is_used && trn_stream_shape_touches_end(&shape)) {
            return true;
        }
    }
    return false;
}

static uint32_t scan_box(TrnStream *stream, TrnBox box)
{
    const uint32_t count = scan_gather(stream, box, true);
    for (uint32_t i = 0; i < count && i < SCAN_PREFETCH; i++) {
        trn_stream_prefetch_cell(stream, stream->found[i]);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (i + SCAN_PREFETCH < count) {
            trn_stream_prefetch_cell(stream, stream->found[i + SCAN_PREFETCH]);
        }
        trn_stream_queue_meshable(stream, trn_stream_cell(stream, stream->found[i]));
    }
    return count;
}

void trn_stream_scan(TrnStream *stream)
{
    if (!trn_stream_needs_scan(stream)) {
        return;
    }
    TrnStreamScan *scan = &stream->scan;
    const bool is_everywhere = scan->is_everywhere;
    const uint32_t pages = is_everywhere ? 0 : scan->count;
    scan->is_everywhere = false;
    scan->count = 0;
    memset(scan->table, 0, sizeof scan->table);
    if (!stream->def.hooks.mesh) {
        return;
    }
    if (is_everywhere) {
        (void)scan_box(stream, trn_box_everything());
    }
    uint32_t found = 0, page = 0;
    for (; page < pages && found < TRN_STREAM_SCAN_MAX; page++) {
        found += scan_box(stream, trn_page_chunks(scan->pages[page]));
    }
    for (; page < pages; page++) { // the others are left for the next update
        scan_add_page(scan, scan->pages[page]);
    }
    if (scan_is_at_an_end(stream)) {
        scan_ends(stream);
    }
}
