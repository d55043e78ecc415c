// Deltas: bases, and writing what differs from them.

#include "edits/delta_impl.h"

// ---- boxes -------------------------------------------------------------------------------------

static bool delta_box_is_good(TrnBox box)
{
    if (trn_box_is_empty(box)) {
        return false;
    }
    const uint64_t size[3] = {(uint64_t)((int64_t)box.max.x - box.min.x) + 1,
                              (uint64_t)((int64_t)box.max.y - box.min.y) + 1,
                              (uint64_t)((int64_t)box.max.z - box.min.z) + 1};
    uint64_t cells = 1;
    for (int axis = 0; axis < 3; axis++) { // each factor is below 2^33, and so is the product
        cells *= size[axis] <= TRN_DELTA_BOX_MAX ? size[axis] : TRN_DELTA_BOX_MAX + 1;
        cells = cells <= TRN_DELTA_BOX_MAX ? cells : TRN_DELTA_BOX_MAX + 1;
    }
    return cells <= TRN_DELTA_BOX_MAX;
}

/// Moves to the next chunk of a box. @return false behind the last one
static bool delta_next(TrnBox box, TrnCoord *coord)
{
    if (coord->x < box.max.x) {
        coord->x++;
        return true;
    }
    coord->x = box.min.x;
    if (coord->z < box.max.z) {
        coord->z++;
        return true;
    }
    coord->z = box.min.z;
    if (coord->y < box.max.y) {
        coord->y++;
        return true;
    }
    return false;
}

size_t trn_delta_base(const TrnStore *store, TrnBox box, TrnDeltaBase *base, size_t capacity)
{
    size_t count = 0;
    if (!store || (!base && capacity) || !delta_box_is_good(box)) {
        return 0;
    }
    TrnCoord coord = box.min;
    do {
        TrnSnapshot snapshot;
        if (trn_store_snapshot(store, coord, &snapshot) == TRN_RESULT_OK) {
            if (count < capacity) {
                base[count] = (TrnDeltaBase){coord, snapshot};
            }
            count++;
        }
    } while (delta_next(box, &coord));
    return count;
}

static bool delta_base_is_good(TrnBox box, const TrnDeltaBase *base, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!trn_box_contains(box, base[i].coord) ||
            (i > 0 && trn_delta_compare(base[i - 1].coord, base[i].coord) >= 0)) {
            return false;
        }
    }
    return count == 0 || base;
}

// ---- bytes -------------------------------------------------------------------------------------

/// Where bytes go. Counts those that do not fit.
typedef struct DeltaSink {
    unsigned char *bytes;
    size_t capacity, size;
    TrnCoord last; ///< of the record before
} DeltaSink;

static void delta_put_byte(DeltaSink *sink, uint32_t byte)
{
    if (sink->size < sink->capacity) {
        sink->bytes[sink->size] = (unsigned char)byte;
    }
    sink->size++;
}

static void delta_put_bytes(DeltaSink *sink, const void *bytes, size_t size)
{
    if (sink->size < sink->capacity) {
        const size_t space = sink->capacity - sink->size;
        memcpy(sink->bytes + sink->size, bytes, size < space ? size : space);
    }
    sink->size += size;
}

static void delta_put(DeltaSink *sink, uint32_t number)
{
    for (; number > 127; number >>= 7) {
        delta_put_byte(sink, (number & 127) | 128);
    }
    delta_put_byte(sink, number);
}

static void delta_put_difference(DeltaSink *sink, int32_t from, int32_t to)
{
    const uint32_t by = (uint32_t)to - (uint32_t)from;
    delta_put(sink, by << 1 ^ (by >> 31 ? UINT32_MAX : 0));
}

static void delta_put_record(DeltaSink *sink, TrnDeltaKind kind, TrnCoord coord)
{
    delta_put_byte(sink, kind);
    delta_put_difference(sink, sink->last.x, coord.x);
    delta_put_difference(sink, sink->last.y, coord.y);
    delta_put_difference(sink, sink->last.z, coord.z);
    sink->last = coord;
}

// ---- chunks ------------------------------------------------------------------------------------

/// A run of voxels of the same block that is being written.
typedef struct DeltaRun {
    uint32_t next; ///< the first voxel behind the last run
    uint32_t first, length;
    TrnBlock block;
} DeltaRun;

static void delta_end_run(DeltaSink *sink, DeltaRun *run)
{
    if (run->length) {
        delta_put(sink, run->length);
        delta_put(sink, run->first - run->next);
        delta_put(sink, run->block);
        run->next = run->first + run->length;
        run->length = 0;
    }
}

static void delta_add_voxel(DeltaSink *sink, DeltaRun *run, uint32_t index, TrnBlock block)
{
    if (run->length && (index != run->first + run->length || block != run->block)) {
        delta_end_run(sink, run);
    }
    if (!run->length) {
        run->first = index;
        run->block = block;
    }
    run->length++;
}

/// @param rows  [TRN_CHUNK_ROWS] the voxels to write
static void delta_put_voxels(DeltaSink *sink, TrnSnapshot snapshot, const uint32_t *rows)
{
    DeltaRun run = {0};
    TrnBlock blocks[TRN_CHUNK_EDGE];
    for (uint32_t row = 0; row < TRN_CHUNK_ROWS; row++) {
        if (rows[row]) {
            trn_snapshot_decode_row(snapshot, row / TRN_CHUNK_EDGE, row % TRN_CHUNK_EDGE, blocks);
        }
        for (uint32_t x = 0, left = rows[row]; left; x++, left >>= 1) {
            if (left & 1) {
                delta_add_voxel(sink, &run, row * TRN_CHUNK_EDGE + x, blocks[x]);
            }
        }
    }
    delta_end_run(sink, &run);
    delta_put(sink, 0);
}

/// Whether two voxels have the same data; both are NULL or data of the same voxel.
static bool delta_same_data(const TrnBlockData *a, const TrnBlockData *b)
{
    return a && b && a->size == b->size && a->rule == b->rule &&
           (a->bytes == b->bytes || a->size == 0 || memcmp(a->bytes, b->bytes, a->size) == 0);
}

/// @param now   the data of a voxel, or NULL: it is removed
/// @param next  the first voxel behind the last one with data; moves behind this one
static void delta_put_data(DeltaSink *sink, uint32_t index, const TrnBlockData *now, uint32_t *next)
{
    delta_put_byte(sink, now ? TRN_DELTA_DATA_RULE + (uint32_t)now->rule : TRN_DELTA_DATA_NONE);
    delta_put(sink, index - *next);
    if (now) {
        delta_put(sink, now->size);
        delta_put_bytes(sink, now->bytes, now->size);
    }
    *next = index + 1;
}

/// Writes what differs in the data of a layer of voxels, and the data of voxels that are written:
/// the receiver loses data whose block changes.
/// @param rows  [TRN_CHUNK_ROWS] the voxels that are written
static void delta_put_layer(DeltaSink *sink, TrnSnapshot before, TrnSnapshot after, uint32_t y,
                            const uint32_t *rows, uint32_t *next)
{
    enum { LAYER = TRN_CHUNK_EDGE * TRN_CHUNK_EDGE };
    TrnBlockData was[LAYER], is[LAYER];
    const uint32_t low[3] = {0, y, 0}, high[3] = {TRN_CHUNK_EDGE - 1, y, TRN_CHUNK_EDGE - 1};
    const uint32_t was_count = trn_snapshot_list_data(before, low, high, was, LAYER);
    const uint32_t is_count = trn_snapshot_list_data(after, low, high, is, LAYER);
    for (uint32_t a = 0, b = 0; a < was_count || b < is_count;) {
        const uint32_t old_at = a < was_count ? was[a].index : TRN_CHUNK_VOXELS;
        const uint32_t new_at = b < is_count ? is[b].index : TRN_CHUNK_VOXELS;
        const TrnBlockData *old_data = old_at <= new_at ? &was[a++] : NULL;
        const TrnBlockData *new_data = new_at <= old_at ? &is[b++] : NULL;
        const uint32_t at = old_at < new_at ? old_at : new_at;
        const bool is_written = rows[at / TRN_CHUNK_EDGE] >> at % TRN_CHUNK_EDGE & 1;
        if (is_written || !delta_same_data(old_data, new_data)) {
            delta_put_data(sink, at, new_data, next);
        }
    }
}

static void delta_put_all_data(DeltaSink *sink, TrnSnapshot before, TrnSnapshot after,
                               const uint32_t *rows)
{
    uint32_t next = 0;
    if (trn_snapshot_count_data(before) || trn_snapshot_count_data(after)) {
        for (uint32_t y = 0; y < TRN_CHUNK_EDGE; y++) {
            delta_put_layer(sink, before, after, y, rows, &next);
        }
    }
    delta_put_byte(sink, TRN_DELTA_DATA_END);
}

static void delta_put_whole(DeltaSink *sink, TrnCoord coord, TrnSnapshot now)
{
    uint32_t rows[TRN_CHUNK_ROWS];
    memset(rows, 0xff, sizeof rows);
    delta_put_record(sink, TRN_DELTA_WHOLE, coord);
    delta_put_voxels(sink, now, rows);
    delta_put_all_data(sink, trn_snapshot_of(TRN_BLOCK_AIR, 0), now, rows);
}

static void delta_put_changed(DeltaSink *sink, TrnCoord coord, TrnSnapshot before, TrnSnapshot now)
{
    uint32_t rows[TRN_CHUNK_ROWS];
    if (before.word == now.word) {
        return;
    }
    if (trn_snapshot_diff(before, now, rows) || !trn_snapshot_equal_data(before, now)) {
        delta_put_record(sink, TRN_DELTA_CHANGED, coord);
        delta_put_voxels(sink, now, rows);
        delta_put_all_data(sink, before, now, rows);
    }
}

size_t trn_delta_write(const TrnStore *store, TrnBox box, const TrnDeltaBase *base, size_t count,
                       void *bytes, size_t capacity)
{
    DeltaSink sink = {.bytes = bytes, .capacity = capacity};
    if (!store || (!bytes && capacity) || !delta_box_is_good(box) ||
        !delta_base_is_good(box, base, count)) {
        return 0;
    }
    delta_put_byte(&sink, TRN_DELTA_VERSION);
    TrnCoord coord = box.min;
    size_t next = 0;
    do {
        TrnSnapshot now;
        const bool was = next < count && trn_coord_equal(base[next].coord, coord);
        const bool is = trn_store_snapshot(store, coord, &now) == TRN_RESULT_OK;
        if (was && is) {
            delta_put_changed(&sink, coord, base[next].snapshot, now);
        } else if (is) {
            delta_put_whole(&sink, coord, now);
        } else if (was) {
            delta_put_record(&sink, TRN_DELTA_REMOVED, coord);
        }
        next += was;
    } while (delta_next(box, &coord));
    delta_put_byte(&sink, TRN_DELTA_END);
    return sink.size;
}
