// The source: what the stream saves is queued, and what it loads is read from the queue or from the
// storage.

#include "save_impl.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"

// ---- saving ------------------------------------------------------------------------------------

static TrnResult load_put(TrnSave *save, TrnStorageKey key, const TrnSaveChunk *chunk)
{
    trn_mutex_lock(&save->mutex);
    const TrnResult result = trn_save_queue_put(&save->queue, key, chunk, trn_clock_us());
    if (result == TRN_RESULT_OK) {
        save->stats.queued++;
        trn_save_pending_applied(save, key);
    }
    trn_save_writer_wake(save);
    trn_mutex_unlock(&save->mutex);
    return result;
}

/// Queues a copy of a snapshot. The writer packs it.
static TrnResult load_put_job(void *user, const TrnStreamJob *job, TrnSnapshot snapshot)
{
    TrnSave *save = user;
    TrnBlock block;
    TrnSaveChunk chunk = {.is_packed = trn_snapshot_is_uniform(snapshot), .snapshot = snapshot};
    if (chunk.is_packed) {
        block = trn_snapshot_uniform(snapshot);
        chunk.voxels = (TrnRowVoxels){.palette_count = 1, .palette = &block};
    }
    TrnResult result = trn_row_describe_data(snapshot, &save->allocator, &chunk.voxels);
    if (result == TRN_RESULT_OK) {
        result = load_put(save, (TrnStorageKey){job->coord, job->level}, &chunk);
        trn_give(&save->allocator, (void *)chunk.voxels.data, chunk.voxels.data_bytes);
    }
    return result;
}

/// Queues blocks. @param section  [section_bytes] their block data; 0 bytes: none
static TrnResult load_put_blocks(TrnSave *save, TrnStorageKey key, const TrnBlock *blocks,
                                 bool uniform, const unsigned char *section, size_t section_bytes)
{
    TrnVoxelPacker *packer = NULL;
    TrnSaveChunk chunk = {.is_packed = true, .voxels = {.palette_count = 1, .palette = blocks}};
    if (!uniform) {
        packer = trn_take(&save->allocator, sizeof *packer, TRN_CACHE_LINE);
        if (!packer) {
            return TRN_RESULT_NO_MEMORY;
        }
        memcpy(packer->blocks, blocks, sizeof packer->blocks);
        chunk.voxels = trn_row_packed(trn_voxel_pack(packer));
    }
    chunk.voxels.data = section;
    chunk.voxels.data_bytes = section_bytes;
    const TrnResult result = load_put(save, key, &chunk);
    trn_give(&save->allocator, packer, sizeof *packer);
    return result;
}

TrnResult trn_save_put(TrnSave *save, TrnCoord coord, uint32_t level, const TrnBlock *blocks,
                       bool uniform)
{
    return save && blocks
               ? load_put_blocks(save, (TrnStorageKey){coord, level}, blocks, uniform, NULL, 0)
               : TRN_RESULT_BAD_ARGUMENT;
}

TrnResult trn_save_put_data(TrnSave *save, TrnCoord coord, const TrnBlock *blocks, bool uniform,
                            const TrnBlockData *data, uint32_t count)
{
    if (count == 0) {
        return trn_save_put(save, coord, 0, blocks, uniform);
    }
    const size_t bytes = trn_row_data_bytes(data, count);
    unsigned char *section = trn_take(&save->allocator, bytes, sizeof(uint64_t));
    if (!section) {
        return TRN_RESULT_NO_MEMORY;
    }
    trn_row_data_write(data, count, section);
    const TrnResult result =
        load_put_blocks(save, (TrnStorageKey){coord, 0}, blocks, uniform, section, bytes);
    trn_give(&save->allocator, section, bytes);
    return result;
}

// ---- loading -----------------------------------------------------------------------------------

/// Writes the blocks of a queued chunk.
static void load_unpack(const TrnSaveChunk *chunk, TrnBlock *blocks, bool *uniform)
{
    const TrnRowVoxels *voxels = &chunk->voxels;
    *uniform = chunk->is_packed && voxels->bits == 0;
    if (!chunk->is_packed) { // one with block data may have one block
        trn_snapshot_decode(chunk->snapshot, blocks);
        *uniform = memcmp(blocks, blocks + 1, sizeof(TrnBlock[TRN_CHUNK_VOXELS - 1])) == 0;
    } else if (*uniform) {
        blocks[0] = voxels->palette[0];
    } else if (voxels->bits == 16) {
        memcpy(blocks, voxels->words, sizeof(TrnBlock[TRN_CHUNK_VOXELS]));
    } else {
        (void)trn_row_unpack(voxels->bits, (const unsigned char *)voxels->words, voxels->palette,
                             voxels->palette_count, blocks);
    }
}

/// Reads a chunk from the queue, where it is newer than in the storage.
/// @param data    receives its block data; may be NULL
/// @param result  receives OK, or that of the sink
static bool load_from_queue(TrnSave *save, TrnStorageKey key, TrnBlock *blocks, bool *uniform,
                            const TrnDataSink *data, TrnResult *result)
{
    trn_mutex_lock(&save->mutex);
    const TrnSaveItem *item = trn_save_queue_find(&save->queue, key);
    if (item) {
        const TrnRowVoxels *voxels = &item->chunk.voxels;
        load_unpack(&item->chunk, blocks, uniform);
        *result = trn_row_data_read(voxels->data, voxels->data_bytes, data);
        save->stats.loaded += *result == TRN_RESULT_OK;
    }
    trn_mutex_unlock(&save->mutex);
    return item != NULL;
}

/// One chunk while it is read.
typedef struct LoadRead {
    TrnSave *save;
    TrnRowCoder *coder;
    TrnStorageKey key;
    TrnStreamLoadJob *load;
    bool is_read; ///< its row was
    TrnRowFault fault;
    TrnStorageRow damaged; ///< a copy of the row, if it has a fault
} LoadRead;

/// Chunks that are read in one call of the storage.
typedef struct LoadBatch {
    LoadRead *reads; ///< [count]
    size_t count, read_count;
    size_t next; ///< where to look for the next row: most come in order
} LoadBatch;

/// Whether the game knows already that a row is damaged: a chunk that is refused is loaded again
/// and again. The save is locked.
static bool load_was_told(const TrnSave *save, const TrnStorageRow *row)
{
    const TrnCoordEntry *entry =
        row->key.level < TRN_SAVE_LEVELS
            ? trn_coord_map_find(&save->damaged[row->key.level], row->key.coord)
            : NULL;
    return entry && entry->number == row->revision;
}

/// Notes that the game knows it. Without memory it is told once more. The save is locked.
static void load_note_told(TrnSave *save, const TrnStorageRow *row)
{
    TrnCoordMap *told = row->key.level < TRN_SAVE_LEVELS ? &save->damaged[row->key.level] : NULL;
    if (!told || trn_coord_map_reserve(told, &save->allocator, 1) != TRN_RESULT_OK) {
        return;
    }
    TrnCoordEntry *entry = trn_coord_map_find(told, row->key.coord);
    (entry ? entry : trn_coord_map_add(told, row->key.coord))->number = row->revision;
}

/// Keeps the bytes of a damaged row, and says so. Its name has the row's revision, so that the same
/// damage is kept once.
/// Errors: NO_MEMORY, FULL: nothing was said, and nothing may replace the row yet.
static TrnResult load_quarantine(TrnSave *save, const TrnStorageRow *row, TrnRowFault fault)
{
    char name[96], sentence[160], of_level[24] = "";
    const TrnCoord coord = row->key.coord;
    (void)snprintf(name, sizeof name,
                   TRN_SAVE_QUARANTINE_PREFIX "%" PRIu32 "/%" PRId32 ",%" PRId32 ",%" PRId32
                                              "/%" PRIu64,
                   row->key.level, coord.x, coord.y, coord.z, row->revision);
    if (row->key.level) {
        (void)snprintf(of_level, sizeof of_level, " of level %" PRIu32, row->key.level);
    }
    (void)snprintf(sentence, sizeof sentence,
                   "The saved chunk %" PRId32 ", %" PRId32 ", %" PRId32
                   "%s is damaged: %s. Its bytes were set aside.",
                   coord.x, coord.y, coord.z, of_level, trn_row_fault_text(fault));
    trn_mutex_lock(&save->mutex);
    const bool was_told = load_was_told(save, row);
    trn_mutex_unlock(&save->mutex);
    if (was_told) {
        return TRN_RESULT_OK;
    }
    const TrnStorageValue value = {name, row->bytes, row->size};
    const TrnResult result =
        row->bytes ? trn_save_put_value(save, &value) : TRN_RESULT_NO_MEMORY; // of the copy
    trn_mutex_lock(&save->mutex);
    if (result == TRN_RESULT_OK) {
        load_note_told(save, row);
        save->stats.damaged++;
        trn_save_notify(save, TRN_SAVE_EVENT_DAMAGED, &row->key, TRN_RESULT_CORRUPT, sentence);
    }
    trn_mutex_unlock(&save->mutex);
    return result;
}

/// Gives the block data of the row that was decoded last to a sink.
static TrnResult load_read_data(const TrnRowCoder *coder, const TrnDataSink *sink)
{
    size_t size;
    const unsigned char *bytes = trn_row_data(coder, &size);
    return trn_row_data_read(bytes, size, sink);
}

/// Decodes a row into the chunk that is read.
static void load_decode(LoadRead *read, const TrnStorageRow *row)
{
    const TrnSave *save = read->save;
    TrnStreamLoadJob *load = read->load;
    load->result = trn_row_decode(read->coder, row, save->ids->block_of, load->blocks,
                                  &load->uniform, &read->fault);
    if (load->result == TRN_RESULT_OK) {
        load->result = load_read_data(read->coder, load->job->data);
    }
    if (read->fault != TRN_ROW_FAULT_NONE) {
        // Set aside later: without a thread, that may write, and this must not call the storage.
        void *copy = trn_take(&save->allocator, row->size + 1, 1);
        if (copy && row->size) {
            memcpy(copy, row->bytes, row->size);
        }
        read->damaged = *row;
        read->damaged.bytes = copy;
        load->result = save->def.damaged == TRN_SAVE_GENERATE_DAMAGED ? TRN_RESULT_NOT_FOUND
                                                                      : TRN_RESULT_CORRUPT;
    }
}

static bool load_visit(void *user, const TrnStorageRow *row)
{
    LoadBatch *batch = user;
    for (size_t i = 0; i < batch->count; i++) {
        const size_t at = (batch->next + i) % batch->count;
        LoadRead *read = &batch->reads[at];
        if (!read->is_read && read->key.level == row->key.level &&
            trn_coord_equal(read->key.coord, row->key.coord)) {
            load_decode(read, row);
            read->is_read = true;
            batch->next = at + 1;
            return ++batch->read_count < batch->count;
        }
    }
    return true;
}

/// Returns a worker's coder; made when the worker first needs it. NULL if there is no memory.
static TrnRowCoder *load_coder(TrnSave *save, uint32_t worker)
{
    TrnRowCoder *coder = atomic_load_explicit(&save->coders[worker], memory_order_relaxed);
    if (!coder) {
        coder = trn_row_coder_create(&save->allocator, save->def.zstd_level);
        atomic_store_explicit(&save->coders[worker], coder, memory_order_relaxed);
    }
    return coder;
}

/// Forgets the fault of a row that is no damage.
static void load_forgive(LoadRead *read)
{
    trn_give(&read->save->allocator, (void *)(uintptr_t)read->damaged.bytes,
             read->damaged.size + 1);
    read->damaged = (TrnStorageRow){.bytes = NULL};
    read->fault = TRN_ROW_FAULT_NONE;
}

/// Reads one chunk. @return the storage's result
static TrnResult load_alone(LoadRead *read)
{
    const TrnStorage *storage = &read->save->def.storage;
    LoadBatch batch = {.reads = read, .count = 1};
    read->is_read = false;
    read->load->result = TRN_RESULT_NOT_FOUND;
    return storage->get(storage->user, &read->key, 1, load_visit, &batch);
}

/// Loads a row again that has blocks without a name here: another program may have added them.
static TrnResult load_again(LoadRead *read)
{
    TrnSave *save = read->save;
    load_forgive(read);
    read->is_read = false;
    TrnResult result = trn_save_ids_learn(save->ids, &save->def.storage, false);
    result = result == TRN_RESULT_OK ? load_alone(read) : result;
    if (read->fault == TRN_ROW_FAULT_CONTENT &&
        atomic_load_explicit(&save->ids->lacks_names, memory_order_relaxed)) {
        load_forgive(read); // opening the world again makes placeholders of them
        read->load->result = TRN_RESULT_CORRUPT;
    }
    return result;
}

/// Ends the read of a chunk.
/// @param result   of the storage's call
/// @param is_many  the call read other chunks too, and one of those may be why it failed
static void load_end(LoadRead *read, TrnResult result, bool is_many)
{
    TrnSave *save = read->save;
    TrnStreamLoadJob *load = read->load;
    if (!read->is_read && is_many && result != TRN_RESULT_OK && result != TRN_RESULT_IO &&
        result != TRN_RESULT_BUSY) { // which would fail for each, after a while
        result = load_alone(read);
    }
    if (read->fault == TRN_ROW_FAULT_CONTENT) {
        result = load_again(read);
    }
    if (read->fault != TRN_ROW_FAULT_NONE) {
        const TrnResult kept = load_quarantine(save, &read->damaged, read->fault);
        load->result = kept == TRN_RESULT_OK ? load->result : kept;
        load_forgive(read);
    }
    if (!read->is_read && result != TRN_RESULT_OK) {
        trn_save_notify_storage(save, TRN_SAVE_EVENT_READ_FAILED, &read->key, result);
        load->result = result == TRN_RESULT_NOT_FOUND ? TRN_RESULT_IO : result;
        return;
    }
    trn_mutex_lock(&save->mutex);
    save->stats.loaded += load->result == TRN_RESULT_OK;
    save->stats.absent += load->result == TRN_RESULT_NOT_FOUND;
    trn_mutex_unlock(&save->mutex);
}

/// Loads chunks. @param coder  for this call alone; NULL if there is no memory
static void load_all(TrnSave *save, TrnRowCoder *coder, TrnStreamLoadJob *loads, size_t count)
{
    const TrnStorage *storage = &save->def.storage;
    TrnStorageKey keys[TRN_STREAM_LOADS_MAX];
    LoadRead reads[TRN_STREAM_LOADS_MAX];
    LoadBatch batch = {.reads = reads};
    TRN_ASSERT(count <= TRN_STREAM_LOADS_MAX);
    for (size_t i = 0; i < count; i++) {
        TrnStreamLoadJob *load = &loads[i];
        const TrnStorageKey key = {load->job->coord, load->job->level};
        load->result = coder ? TRN_RESULT_NOT_FOUND : TRN_RESULT_NO_MEMORY;
        if (!load_from_queue(save, key, load->blocks, &load->uniform, load->job->data,
                             &load->result) &&
            coder) {
            keys[batch.count] = key;
            reads[batch.count++] =
                (LoadRead){.save = save, .coder = coder, .key = key, .load = load};
        }
    }
    const TrnResult result =
        batch.count ? storage->get(storage->user, keys, batch.count, load_visit, &batch)
                    : TRN_RESULT_OK;
    for (size_t i = 0; i < batch.count; i++) {
        load_end(&reads[i], result, batch.count > 1);
    }
}

static void load_get_many(void *user, TrnStreamLoadJob *loads, size_t count)
{
    TrnSave *save = user;
    load_all(save, load_coder(save, loads[0].job->worker), loads, count);
}

static TrnResult load_get(void *user, const TrnStreamJob *job, TrnBlock *blocks, bool *uniform)
{
    TrnStreamLoadJob load = {.job = job, .blocks = blocks};
    load_get_many(user, &load, 1);
    *uniform = load.uniform;
    return load.result;
}

TrnResult trn_save_get(TrnSave *save, TrnCoord coord, uint32_t level, TrnBlock *blocks,
                       bool *uniform)
{
    if (!save || level >= TRN_SAVE_LEVELS || !blocks || !uniform) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    // Takes the spare coder, or makes one if another thread has it.
    TrnRowCoder *coder = atomic_exchange(&save->coders[TRN_SAVE_SPARE_CODER], NULL);
    if (!coder) {
        coder = trn_row_coder_create(&save->allocator, save->def.zstd_level);
    }
    const TrnStreamJob job = {.coord = coord, .level = level};
    TrnStreamLoadJob load = {.job = &job, .blocks = blocks};
    load_all(save, coder, &load, 1);
    trn_row_coder_destroy(atomic_exchange(&save->coders[TRN_SAVE_SPARE_CODER], coder));
    *uniform = load.uniform;
    return load.result;
}

/// The highest row of a column so far.
typedef struct LoadHighest {
    int32_t y;
    bool has_any;
} LoadHighest;

static bool load_visit_highest(void *user, const TrnStorageRow *row)
{
    LoadHighest *highest = user;
    if (!highest->has_any || row->key.coord.y > highest->y) {
        highest->y = row->key.coord.y;
        highest->has_any = true;
    }
    return true;
}

static TrnResult load_highest(void *user, TrnCoord from, int32_t lowest, int32_t *y)
{
    TrnSave *save = user;
    const TrnStorage *storage = &save->def.storage;
    const TrnStorageKey key = {from, 0};
    const TrnStorageRange range = {.box = {{from.x, lowest, from.z}, from}};
    LoadHighest highest = {0};
    // The queue first: what is written meanwhile is in the storage then.
    trn_mutex_lock(&save->mutex);
    highest.has_any = trn_save_queue_highest(&save->queue, range.box, &highest.y);
    trn_mutex_unlock(&save->mutex);
    const TrnResult result = storage->list(storage->user, &range, load_visit_highest, &highest);
    if (result != TRN_RESULT_OK) {
        trn_save_notify_storage(save, TRN_SAVE_EVENT_READ_FAILED, &key, result);
        return result == TRN_RESULT_NOT_FOUND ? TRN_RESULT_IO : result;
    }
    *y = highest.has_any ? highest.y : *y;
    return highest.has_any ? TRN_RESULT_OK : TRN_RESULT_NOT_FOUND;
}

TrnResult trn_save_read_row(TrnSave *save, const TrnStorageRow *row, TrnBlock *blocks,
                            bool *uniform, const char **fault)
{
    if (!save || !row || (!row->bytes && row->size) || !blocks || !uniform) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    TrnRowCoder *coder = load_coder(save, 0);
    if (!coder) {
        return TRN_RESULT_NO_MEMORY;
    }
    TrnRowFault found = TRN_ROW_FAULT_NONE;
    const TrnResult result =
        trn_row_decode(coder, row, save->ids->block_of, blocks, uniform, &found);
    if (fault && found != TRN_ROW_FAULT_NONE) {
        *fault = trn_row_fault_text(found);
    }
    return result;
}

TrnResult trn_save_learn_blocks(TrnSave *save)
{
    return save ? trn_save_ids_learn(save->ids, &save->def.storage, true) : TRN_RESULT_BAD_ARGUMENT;
}

TrnResult trn_save_read_row_data(TrnSave *save, const TrnStorageRow *row, const TrnDataSink *sink)
{
    if (!save || !row || (!row->bytes && row->size) || !sink) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    const size_t bytes = sizeof(TrnBlock[TRN_CHUNK_VOXELS]);
    TrnBlock *blocks = trn_take(&save->allocator, bytes, TRN_CACHE_LINE);
    bool uniform = false;
    TrnResult result =
        blocks ? trn_save_read_row(save, row, blocks, &uniform, NULL) : TRN_RESULT_NO_MEMORY;
    if (result == TRN_RESULT_OK) {
        result = load_read_data(load_coder(save, 0), sink);
    }
    trn_give(&save->allocator, blocks, bytes);
    return result;
}

TrnResult trn_save_read_member_row(TrnSave *save, const TrnStorageRow *row, TrnBlock *blocks,
                                   bool *uniform, const TrnDataSink *sink)
{
    TrnRowCoder *coder = load_coder(save, TRN_SAVE_MEMBER_WORKER);
    TrnRowFault fault = TRN_ROW_FAULT_NONE;
    if (!coder) {
        return TRN_RESULT_NO_MEMORY;
    }
    const TrnResult result =
        trn_row_decode(coder, row, save->ids->block_of, blocks, uniform, &fault);
    return result == TRN_RESULT_OK ? load_read_data(coder, sink) : result;
}

TrnStreamSource trn_save_source(TrnSave *save)
{
    const size_t keys = save ? save->def.storage.batch_keys : 0;
    return save ? (TrnStreamSource){.load = load_get,
                                    .load_many = load_get_many,
                                    .load_max = keys < TRN_STREAM_LOADS_MAX ? (uint32_t)keys
                                                                            : TRN_STREAM_LOADS_MAX,
                                    .save = load_put_job,
                                    .highest = load_highest,
                                    .user = save,
                                    .saves_shown = save->def.what == TRN_SAVE_SHOWN,
                                    .save_seconds = save->def.save_seconds}
                : (TrnStreamSource){0};
}
