// Deltas: bases, writing what differs from them, and applying it.

#include <terrane/batch.h>
#include <terrane/block_data.h>
#include <terrane/delta.h>

#include "edits/edit_runs_impl.h"
#include "store/store_internal.h"

// The form of a delta:
//
// A byte TRN_DELTA_VERSION, then records in the order of their chunks (x fastest, then z, then y),
// then a byte TRN_DELTA_END. A record: its kind; the coordinate's x, y and z less those of the
// record before (of 0, 0, 0 for the first), as zigzag numbers modulo 2^32. A changed or whole
// chunk has runs of voxels in linear order: length, voxels left out before it, block; a length of
// 0 ends them. After the runs comes block data in linear order: an operation, voxels left out
// since the last one, and for data its size and bytes; TRN_DELTA_DATA_END ends it. All numbers but
// the first bytes of records and data are LEB128: seven bits a byte, the lowest first.

#define TRN_DELTA_VERSION 1u

typedef enum TrnDeltaKind {
    TRN_DELTA_END,
    TRN_DELTA_REMOVED,
    TRN_DELTA_CHANGED,
    TRN_DELTA_WHOLE, ///< its runs cover the chunk, and it has no other data
    TRN_DELTA_KIND_COUNT
} TrnDeltaKind;

typedef enum TrnDeltaData {
    TRN_DELTA_DATA_END,
    TRN_DELTA_DATA_NONE, ///< it is removed
    TRN_DELTA_DATA_RULE, ///< and above: it is set, with the rule less this
    TRN_DELTA_DATA_COUNT = TRN_DELTA_DATA_RULE + TRN_DATA_RULE_COUNT
} TrnDeltaData;

/// Orders coordinates as a delta does: below 0 if `a` comes first, 0 if they are equal.
static int delta_compare(TrnCoord a, TrnCoord b)
{
    const int32_t first[3] = {a.y, a.z, a.x}, second[3] = {b.y, b.z, b.x};
    for (int i = 0; i < 3; i++) {
        if (first[i] != second[i]) {
            return first[i] < second[i] ? -1 : 1;
        }
    }
    return 0;
}

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
            (i > 0 && delta_compare(base[i - 1].coord, base[i].coord) >= 0)) {
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

// ---- applying -----------------------------------------------------------------------------------

// Deltas: reading and applying them. All bytes are checked before anything is changed, so the
// second reading does not fail by them.

// ---- reading -----------------------------------------------------------------------------------

typedef struct DeltaReader {
    const unsigned char *bytes;
    size_t size, at;
    bool is_bad; ///< the bytes are no delta; nothing more is read then
    TrnCoord last;
    bool has_last;
} DeltaReader;

static bool delta_refuse(DeltaReader *reader)
{
    reader->is_bad = true;
    return false;
}

static uint32_t delta_get_byte(DeltaReader *reader)
{
    if (reader->is_bad || !reader->bytes || reader->at == reader->size) {
        reader->is_bad = true;
        return 0;
    }
    return reader->bytes[reader->at++];
}

/// Reads a number up to a limit.
static uint32_t delta_get(DeltaReader *reader, uint32_t limit)
{
    uint64_t number = 0;
    uint32_t byte = 128;
    for (int shift = 0; byte & 128 && shift < 35; shift += 7) {
        byte = delta_get_byte(reader);
        number |= (uint64_t)(byte & 127) << shift;
    }
    if (reader->is_bad || byte & 128 || number > limit) {
        reader->is_bad = true;
        return 0;
    }
    return (uint32_t)number;
}

static int32_t delta_get_coordinate(DeltaReader *reader, int32_t from)
{
    const uint32_t zigzag = delta_get(reader, UINT32_MAX);
    const uint32_t by = zigzag >> 1 ^ (zigzag & 1 ? UINT32_MAX : 0);
    return (int32_t)((uint32_t)from + by);
}

typedef struct DeltaRecord {
    TrnDeltaKind kind;
    TrnCoord coord;
} DeltaRecord;

/// Reads the beginning of a record. @return false at the end, and where the bytes are no delta
static bool delta_get_record(DeltaReader *reader, DeltaRecord *record)
{
    const uint32_t kind = delta_get_byte(reader);
    if (reader->is_bad || kind == TRN_DELTA_END) {
        return false;
    }
    if (kind >= TRN_DELTA_KIND_COUNT) {
        return delta_refuse(reader);
    }
    const TrnCoord last = reader->last;
    record->kind = (TrnDeltaKind)kind;
    record->coord.x = delta_get_coordinate(reader, last.x);
    record->coord.y = delta_get_coordinate(reader, last.y);
    record->coord.z = delta_get_coordinate(reader, last.z);
    if (reader->is_bad || (reader->has_last && delta_compare(last, record->coord) >= 0)) {
        return delta_refuse(reader);
    }
    reader->last = record->coord;
    reader->has_last = true;
    return true;
}

/// Reads a run. @param next  the first voxel behind the run before; moves behind this one
/// @return false behind the last one
static bool delta_get_run(DeltaReader *reader, uint32_t *next, TrnEditRun *run)
{
    const uint32_t length = delta_get(reader, TRN_CHUNK_VOXELS);
    if (reader->is_bad || !length) {
        return false;
    }
    const uint32_t first = *next + delta_get(reader, TRN_CHUNK_VOXELS);
    const uint32_t block = delta_get(reader, UINT16_MAX);
    if (reader->is_bad || first + length > TRN_CHUNK_VOXELS) {
        return delta_refuse(reader);
    }
    *run = (TrnEditRun){(uint16_t)first, (uint16_t)(first + length - 1), 0, (TrnBlock)block};
    *next = first + length;
    return true;
}

/// Reads the data of a voxel. @param next  as for runs
/// @param data  receives it, with `bytes` NULL if it is removed
/// @return false behind the last one
static bool delta_get_data(DeltaReader *reader, uint32_t *next, TrnBlockData *data)
{
    const uint32_t kind = delta_get_byte(reader);
    if (reader->is_bad || kind == TRN_DELTA_DATA_END) {
        return false;
    }
    const uint32_t index = *next + delta_get(reader, TRN_CHUNK_VOXELS);
    if (reader->is_bad || kind >= TRN_DELTA_DATA_COUNT || index >= TRN_CHUNK_VOXELS) {
        return delta_refuse(reader);
    }
    *data = (TrnBlockData){.index = (uint16_t)index};
    *next = index + 1;
    if (kind >= TRN_DELTA_DATA_RULE) {
        data->rule = (TrnDataRule)(kind - TRN_DELTA_DATA_RULE);
        data->size = delta_get(reader, TRN_DATA_BYTES_MAX);
        if (reader->is_bad || data->size > reader->size - reader->at) {
            return delta_refuse(reader);
        }
        data->bytes = reader->bytes + reader->at;
        reader->at += data->size;
    }
    return true;
}

static DeltaReader delta_read(const void *bytes, size_t size)
{
    DeltaReader reader = {.bytes = bytes, .size = size};
    if (delta_get_byte(&reader) != TRN_DELTA_VERSION) {
        reader.is_bad = true;
    }
    return reader;
}

// ---- checks ------------------------------------------------------------------------------------

static void delta_check_chunk(DeltaReader *reader, TrnDeltaKind kind)
{
    TrnEditRun run;
    TrnBlockData data;
    uint32_t next = 0, covered = 0, count = 0;
    while (delta_get_run(reader, &next, &run)) {
        covered += (uint32_t)run.last - run.first + 1;
    }
    next = 0;
    while (delta_get_data(reader, &next, &data)) {
        count += data.bytes != NULL;
        reader->is_bad = reader->is_bad || (kind == TRN_DELTA_WHOLE && !data.bytes);
    }
    reader->is_bad = reader->is_bad || count > TRN_DATA_VOXELS_MAX ||
                     (kind == TRN_DELTA_WHOLE && covered != TRN_CHUNK_VOXELS);
}

static TrnResult delta_check(const TrnStore *store, const void *bytes, size_t size)
{
    DeltaReader reader = delta_read(bytes, size);
    DeltaRecord record;
    TrnResult result = TRN_RESULT_OK;
    while (delta_get_record(&reader, &record)) {
        if (record.kind != TRN_DELTA_REMOVED) {
            delta_check_chunk(&reader, record.kind);
        }
        if (record.kind == TRN_DELTA_CHANGED && !trn_store_find(store, record.coord)) {
            result = TRN_RESULT_NOT_FOUND;
        }
    }
    return reader.is_bad || reader.at != size ? TRN_RESULT_CORRUPT : result;
}

// ---- chunks ------------------------------------------------------------------------------------

/// Reads a record's runs and data without doing anything with them.
static void delta_skip_chunk(DeltaReader *reader)
{
    delta_check_chunk(reader, TRN_DELTA_CHANGED);
}

static TrnResult delta_write_data(DeltaReader *reader, TrnVoxelEdit *edit)
{
    TrnBlockData data;
    uint32_t next = 0;
    TrnResult result = TRN_RESULT_OK;
    while (result == TRN_RESULT_OK && delta_get_data(reader, &next, &data)) {
        result = trn_voxel_edit_set_data(edit, data.index, data.bytes, data.size, data.rule);
    }
    return result;
}

static TrnResult delta_write_changed(DeltaReader *reader, TrnVoxelEdit *edit)
{
    TrnEditRun run;
    uint32_t next = 0;
    TrnResult result = TRN_RESULT_OK;
    while (result == TRN_RESULT_OK && delta_get_run(reader, &next, &run)) {
        result = trn_edit_runs_write(edit, &run, 1, TRN_RUN_AFTER);
    }
    return result == TRN_RESULT_OK ? delta_write_data(reader, edit) : result;
}

/// @param blocks  [TRN_CHUNK_VOXELS] receives the blocks of a whole chunk
static void delta_get_blocks(DeltaReader *reader, TrnBlock *blocks)
{
    TrnEditRun run;
    uint32_t next = 0;
    while (delta_get_run(reader, &next, &run)) {
        for (uint32_t i = run.first; i <= run.last; i++) {
            blocks[i] = run.after;
        }
    }
}

static TrnResult delta_remove_data(TrnVoxelEdit *edit, TrnSnapshot snapshot)
{
    enum { LAYER = TRN_CHUNK_EDGE * TRN_CHUNK_EDGE };
    TrnBlockData list[LAYER];
    TrnResult result = TRN_RESULT_OK;
    for (uint32_t y = 0; y < TRN_CHUNK_EDGE && trn_snapshot_count_data(snapshot); y++) {
        const uint32_t low[3] = {0, y, 0}, high[3] = {TRN_CHUNK_EDGE - 1, y, TRN_CHUNK_EDGE - 1};
        const uint32_t count = trn_snapshot_list_data(snapshot, low, high, list, LAYER);
        for (uint32_t i = 0; i < count && result == TRN_RESULT_OK; i++) {
            result = trn_voxel_edit_set_data(edit, list[i].index, NULL, 0, TRN_DATA_WITH_BLOCK);
        }
    }
    return result;
}

static TrnResult delta_write_whole(TrnStore *store, TrnBatch *batch, DeltaReader *reader,
                                   TrnCoord coord, TrnDeltaOutcome *outcome)
{
    TrnBlock blocks[TRN_CHUNK_VOXELS];
    TrnVoxelEdit *edit;
    TrnResult result = TRN_RESULT_OK;
    delta_get_blocks(reader, blocks);
    if (trn_store_find(store, coord)) {
        outcome->changed++;
    } else {
        result = trn_store_insert_voxels(store, coord, blocks, NULL);
        outcome->inserted++;
    }
    result = result == TRN_RESULT_OK ? trn_batch_edit(batch, coord, &edit) : result;
    if (result == TRN_RESULT_OK) { // an insert has applied edits that were pending
        result = trn_edit_flush(trn_edit_state(edit));
    }
    if (result == TRN_RESULT_OK) {
        result = delta_remove_data(edit, trn_edit_now(trn_edit_state(edit)));
    }
    result = result == TRN_RESULT_OK ? trn_voxel_edit_encode(edit, blocks) : result;
    return result == TRN_RESULT_OK ? delta_write_data(reader, edit) : result;
}

// ---- deltas ------------------------------------------------------------------------------------

/// Inserts and writes chunks, but does not commit the batch.
static TrnResult delta_write_chunks(TrnStore *store, TrnBatch *batch, DeltaReader reader,
                                    TrnDeltaOutcome *outcome)
{
    DeltaRecord record;
    TrnResult result = TRN_RESULT_OK;
    while (result == TRN_RESULT_OK && delta_get_record(&reader, &record)) {
        TrnVoxelEdit *edit;
        if (record.kind == TRN_DELTA_WHOLE) {
            result = delta_write_whole(store, batch, &reader, record.coord, outcome);
        } else if (record.kind == TRN_DELTA_CHANGED) {
            result = trn_batch_edit(batch, record.coord, &edit);
            result = result == TRN_RESULT_OK ? delta_write_changed(&reader, edit) : result;
            outcome->changed++;
        }
    }
    return result;
}

/// Removes the chunks that a delta removes.
static TrnResult delta_remove_chunks(TrnStore *store, DeltaReader reader, TrnDeltaOutcome *outcome)
{
    DeltaRecord record;
    TrnResult result = TRN_RESULT_OK;
    while (delta_get_record(&reader, &record)) {
        if (record.kind != TRN_DELTA_REMOVED) {
            delta_skip_chunk(&reader);
            continue;
        }
        const TrnResult removed = trn_store_remove(store, record.coord);
        outcome->removed += removed == TRN_RESULT_OK;
        result = removed == TRN_RESULT_OK || removed == TRN_RESULT_NOT_FOUND ? result : removed;
    }
    return result;
}

/// Takes back inserts.
/// @param revision  of the store before them
static void delta_take_back(TrnStore *store, DeltaReader reader, uint64_t revision)
{
    DeltaRecord record;
    while (delta_get_record(&reader, &record)) {
        TrnChunk *chunk = trn_store_find(store, record.coord);
        if (record.kind == TRN_DELTA_WHOLE && chunk && trn_chunk_revision(chunk) > revision) {
            (void)trn_store_take_back(store, chunk); // without memory for that it stays
        }
        if (record.kind != TRN_DELTA_REMOVED) {
            delta_skip_chunk(&reader);
        }
    }
}

TrnResult trn_delta_apply(TrnStore *store, const void *bytes, size_t size, TrnDeltaOutcome *outcome)
{
    if (!store || !bytes) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    TrnDeltaOutcome done = {0};
    TrnBatch *batch;
    const uint64_t revision = trn_store_revision(store);
    const DeltaReader reader = delta_read(bytes, size);
    TrnResult result = delta_check(store, bytes, size);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    result = trn_batch_begin(store, NULL, &batch);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    result = delta_write_chunks(store, batch, reader, &done);
    if (result == TRN_RESULT_OK) {
        result = trn_batch_commit(batch, NULL);
    } else {
        trn_batch_cancel(batch);
    }
    if (result != TRN_RESULT_OK) {
        delta_take_back(store, reader, revision);
        return result;
    }
    result = delta_remove_chunks(store, reader, &done);
    done.revision = trn_store_revision(store);
    if (result == TRN_RESULT_OK && outcome) {
        *outcome = done;
    }
    return result;
}
