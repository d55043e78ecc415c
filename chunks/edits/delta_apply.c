// Deltas: reading and applying them. All bytes are checked before anything is changed, so the
// second reading does not fail by them.

#include "edits/delta_impl.h"
#include "edits/edit_runs_impl.h"

#include <terrane/batch.h>

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
    if (reader->is_bad || (reader->has_last && trn_delta_compare(last, record->coord) >= 0)) {
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
        result = delta_remove_data(edit, trn_edit_snapshot(edit));
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
        const TrnChunk *chunk = trn_store_find(store, record.coord);
        if (record.kind == TRN_DELTA_WHOLE && chunk && trn_chunk_revision(chunk) > revision) {
            (void)trn_store_remove(store, record.coord);
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
