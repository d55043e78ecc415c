// The writer: encodes what waits in the queue and writes it, a transaction at a time, on a thread
// of its own or on the caller's.

#include "save_impl.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/zone.h"

#define WRITER_ITEMS_MAX 1024u                 // of one transaction
#define WRITER_BYTES_FIRST 65536               // of its rows
#define WRITER_STACK_BYTES ((size_t)256 << 10) // SQLite and zstd take some 100 KiB
#define WRITER_MERGES_MAX 16   // of block names, with programs that add some at once
#define WRITER_RETRY_FIRST 1.0 // seconds; doubles with each failure
#define WRITER_RETRY_MAX 30.0

// ---- one transaction ---------------------------------------------------------------------------

/// Removes the pending edits that a row has. Capacity for the name is reserved.
static TrnResult writer_drop_pending(TrnSave *save, TrnCoord coord)
{
    TrnSaveNames *dropped = &save->writer.dropped;
    TrnSaveName *name = &dropped->items[dropped->count++];
    *name = trn_save_pending_name(coord);
    return trn_array_push(&save->writer.values, &save->allocator,
                          (TrnStorageValue){name->text, NULL, 0});
}

static TrnResult writer_add_row(TrnSave *save, const TrnSaveItem *item)
{
    TrnSaveWriter *writer = &save->writer;
    TrnStorageRow row;
    TrnRowVoxels voxels = item->chunk.voxels;
    if (!item->chunk.is_packed) {
        voxels = trn_row_pack(item->chunk.snapshot, writer->packer);
        voxels.data = item->chunk.voxels.data;
        voxels.data_bytes = item->chunk.voxels.data_bytes;
    }
    if (!trn_save_ids_assign(save->ids, &voxels)) {
        return TRN_RESULT_FULL;
    }
    TrnResult result = trn_row_encode(writer->coder, item->key, writer->revision, &voxels,
                                      save->ids->world_of, &row);
    if (result == TRN_RESULT_OK) {
        result =
            trn_array_reserve(&writer->bytes, &save->allocator, writer->bytes.count + row.size);
    }
    if (result == TRN_RESULT_OK) {
        memcpy(writer->bytes.items + writer->bytes.count, row.bytes, row.size);
        writer->bytes.count += (uint32_t)row.size;
        result = trn_array_push(&writer->rows, &save->allocator, row);
    }
    if (result == TRN_RESULT_OK && item->drops_pending) {
        result = writer_drop_pending(save, item->key.coord);
    }
    return result;
}

/// Sets the addresses of the encoded rows, once their memory no longer moves.
static void writer_place_rows(TrnSaveWriter *writer)
{
    size_t at = 0;
    for (uint32_t i = 0; i < writer->rows.count; i++) {
        writer->rows.items[i].bytes = writer->bytes.items + at;
        at += writer->rows.items[i].size;
    }
}

static TrnResult writer_add_value(TrnSave *save, const TrnSaveItem *item)
{
    const TrnStorageValue value = {item->name, item->is_removal ? NULL : item->value,
                                   item->value_bytes};
    return trn_array_push(&save->writer.values, &save->allocator, value);
}

static TrnResult writer_add_number(TrnSave *save, const char *name, uint64_t number,
                                   unsigned char *bytes, size_t size)
{
    trn_number_write(bytes, number, size);
    return trn_array_push(&save->writer.values, &save->allocator,
                          (TrnStorageValue){name, bytes, size});
}

/// Adds the names of new block ids: the last values, and new ones.
static TrnResult writer_add_names(TrnSave *save)
{
    TrnSaveWriter *writer = &save->writer;
    const TrnSaveIds *ids = save->ids;
    const uint32_t new_ids = ids->new_count;
    TrnResult result = trn_array_reserve(&writer->names, &save->allocator, new_ids);
    for (uint32_t i = 0; i < new_ids && result == TRN_RESULT_OK; i++) {
        result = trn_array_push(&writer->values, &save->allocator,
                                trn_save_ids_value(ids, i, writer->names.items[i].text));
    }
    return result;
}

/// The world's format once some items are written.
static uint64_t writer_format(const TrnSave *save, const TrnSaveItem *first)
{
    uint64_t format = save->writer.format;
    for (const TrnSaveItem *item = first; item; item = item->next) {
        format = !item->name && item->chunk.voxels.data_bytes ? TRN_SAVE_FORMAT : format;
    }
    return format;
}

/// Encodes items, and adds what the save notes with them.
static TrnResult writer_prepare(TrnSave *save, const TrnSaveItem *first, uint64_t format)
{
    TrnSaveWriter *writer = &save->writer;
    writer->rows.count = writer->bytes.count = writer->values.count = writer->dropped.count = 0;
    uint32_t drops = 0;
    for (const TrnSaveItem *item = first; item; item = item->next) {
        drops += item->drops_pending;
    }
    if (atomic_load_explicit(&save->names_blocks, memory_order_relaxed) &&
        !trn_save_ids_assign_all(save->ids)) {
        return TRN_RESULT_FULL;
    }
    TrnResult result = trn_array_reserve(&writer->dropped, &save->allocator, drops);
    for (const TrnSaveItem *item = first; item && result == TRN_RESULT_OK; item = item->next) {
        result = item->name ? writer_add_value(save, item) : writer_add_row(save, item);
    }
    if (result == TRN_RESULT_OK) {
        result = writer_add_number(save, TRN_SAVE_REVISION_NAME, writer->revision,
                                   writer->revision_bytes, sizeof writer->revision_bytes);
    }
    if (result == TRN_RESULT_OK && format != writer->format) {
        result = writer_add_number(save, TRN_SAVE_FORMAT_NAME, format, writer->format_bytes,
                                   sizeof writer->format_bytes);
    }
    return result == TRN_RESULT_OK ? writer_add_names(save) : result;
}

/// Writes items in one transaction. The save is not locked.
static TrnResult writer_put(TrnSave *save, const TrnSaveItem *first)
{
    TrnSaveWriter *writer = &save->writer;
    const TrnStorage *storage = &save->def.storage;
    const uint64_t format = writer_format(save, first);
    bool has_rows = false;
    for (const TrnSaveItem *item = first; item; item = item->next) {
        has_rows |= !item->name;
    }
    if (writer->revision + has_rows >= TRN_SAVE_REVISION_MAX) {
        return TRN_RESULT_FULL; // only a stranger's world: it would not open again
    }
    writer->revision += has_rows; // even if the transaction fails: it may have been written
    TrnResult result = TRN_RESULT_EXISTS;
    for (int i = 0; i < WRITER_MERGES_MAX && result == TRN_RESULT_EXISTS; i++) {
        // Another program has named blocks since: take its ids, and encode again with them.
        result = i ? trn_save_ids_merge(save->ids, storage) : TRN_RESULT_OK;
        result = result == TRN_RESULT_OK ? writer_prepare(save, first, format) : result;
        if (result != TRN_RESULT_OK) {
            return result;
        }
        writer_place_rows(writer);
        const TrnStorageBatch batch = {.rows = writer->rows.items,
                                       .row_count = writer->rows.count,
                                       .values = writer->values.items,
                                       .value_count = writer->values.count,
                                       .new_value_count = save->ids->new_count};
        result = storage->put(storage->user, &batch);
    }
    if (result == TRN_RESULT_OK) {
        trn_save_ids_stored(save->ids);
        writer->format = format;
    }
    return result;
}

/// Records how a transaction ended. The save is locked.
static void writer_note(TrnSave *save, TrnResult result, uint32_t rows, size_t bytes)
{
    TrnSaveStats *stats = &save->stats;
    const double seconds = save->retry_seconds;
    if (result == TRN_RESULT_OK) {
        stats->written += rows;
        stats->bytes_written += bytes;
        stats->transactions++;
        save->retry_seconds = 0;
        if (seconds > 0) {
            trn_save_notify(save, TRN_SAVE_EVENT_WRITE_AGAIN, NULL, TRN_RESULT_OK,
                            "The world is saved again.");
        }
        return;
    }
    stats->failures++;
    save->retry_seconds = seconds > 0 ? seconds * 2 : WRITER_RETRY_FIRST;
    save->retry_seconds =
        save->retry_seconds < WRITER_RETRY_MAX ? save->retry_seconds : WRITER_RETRY_MAX;
    save->retry_us = trn_clock_us() + save->retry_seconds * 1e6;
}

/// Writes the oldest items. The save is locked, but not while it writes.
static TrnResult writer_write(TrnSave *save)
{
    TRN_ZONE("save write");
    const TrnSaveItem *first = trn_save_queue_take(&save->queue, WRITER_ITEMS_MAX);
    save->is_writing = true;
    trn_mutex_unlock(&save->mutex);
    const TrnResult result = writer_put(save, first);
    if (result != TRN_RESULT_OK) {
        trn_save_notify_storage(save, TRN_SAVE_EVENT_WRITE_FAILED, NULL, result);
    }
    trn_mutex_lock(&save->mutex);
    save->is_writing = false;
    TrnSaveItem *const written = trn_save_queue_return(&save->queue, result == TRN_RESULT_OK);
    writer_note(save, result, save->writer.rows.count, save->writer.bytes.count);
    trn_condition_wake_all(&save->for_callers);
    if (written) {
        trn_mutex_unlock(&save->mutex);
        trn_save_queue_free(&save->allocator, written);
        trn_mutex_lock(&save->mutex);
    }
    return result;
}

/// Writes what is in the queue now; what comes meanwhile is left.
static TrnResult writer_write_all(TrnSave *save)
{
    TrnResult result = TRN_RESULT_OK;
    const uint32_t items = save->queue.waiting.count;
    for (uint32_t i = 0;
         i < items && save->queue.waiting.first && !save->queue.is_open && result == TRN_RESULT_OK;
         i += WRITER_ITEMS_MAX) {
        result = writer_write(save);
    }
    return result;
}

// ---- the thread --------------------------------------------------------------------------------

/// Returns for how long nothing has to be written; 0: something has to be.
static double writer_seconds_left(const TrnSave *save)
{
    const TrnSaveItem *first = save->queue.waiting.first;
    const double now_us = trn_clock_us();
    if (!first || save->queue.is_open) {
        return 3600;
    }
    double due_us = first->queued_us + save->def.commit_seconds * 1e6;
    if (save->retry_seconds > 0) {
        due_us = save->retry_us;
    } else if (save->queue.bytes > save->queue.bytes_max / 2) {
        due_us = now_us;
    }
    return due_us > now_us ? (due_us - now_us) * 1e-6 : 0;
}

/// Answers calls of trn_save_flush that came before now.
static void writer_answer_flushes(TrnSave *save)
{
    const uint64_t wanted = save->flushes_wanted;
    save->flush_result = writer_write_all(save);
    save->flushes_done = wanted;
    trn_condition_wake_all(&save->for_callers);
}

static void writer_run(void *context)
{
    TrnSave *save = context;
    trn_mutex_lock(&save->mutex);
    while (!save->is_ending) {
        const double seconds = writer_seconds_left(save);
        if (save->flushes_done != save->flushes_wanted && !save->queue.is_open) {
            writer_answer_flushes(save);
        } else if (seconds > 0) {
            trn_condition_wait_for(&save->for_writer, &save->mutex, seconds);
        } else {
            (void)writer_write(save);
        }
    }
    trn_mutex_unlock(&save->mutex);
}

void trn_save_writer_wake(TrnSave *save)
{
    if (save->has_thread) {
        const TrnSaveQueue *queue = &save->queue;
        const bool is_first = queue->waiting.count == 1;
        if (is_first || queue->bytes > queue->bytes_max / 2) {
            trn_condition_wake_all(&save->for_writer);
        }
    } else if (!save->is_writing && writer_seconds_left(save) == 0) {
        (void)writer_write_all(save);
    }
}

/// Asks the thread to write, and waits. The save is locked. @return BUSY if the time is up
static TrnResult writer_await_flush(TrnSave *save, double seconds)
{
    const double until_us = trn_clock_us() + seconds * 1e6;
    const uint64_t ticket = ++save->flushes_wanted;
    trn_condition_wake_all(&save->for_writer);
    while (save->flushes_done < ticket) {
        const double left = (until_us - trn_clock_us()) * 1e-6;
        if (!(left > 0)) {
            return TRN_RESULT_BUSY;
        }
        trn_condition_wait_for(&save->for_callers, &save->mutex, left);
    }
    return save->flush_result;
}

TrnResult trn_save_begin(TrnSave *save)
{
    if (!save) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    trn_mutex_lock(&save->mutex);
    const TrnResult result = trn_save_queue_begin(&save->queue);
    trn_mutex_unlock(&save->mutex);
    return result;
}

void trn_save_end(TrnSave *save)
{
    trn_mutex_lock(&save->mutex);
    if (save->queue.is_open) {
        trn_save_queue_end(&save->queue);
        if (save->has_thread) {
            trn_condition_wake_all(&save->for_writer);
        } else {
            trn_save_writer_wake(save);
        }
    }
    trn_mutex_unlock(&save->mutex);
}

TrnResult trn_save_flush(TrnSave *save)
{
    return trn_save_flush_for(save, HUGE_VAL);
}

TrnResult trn_save_flush_for(TrnSave *save, double seconds)
{
    if (!save) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    TrnResult result;
    trn_mutex_lock(&save->mutex);
    if (save->queue.is_open) {
        result = TRN_RESULT_BUSY; // its end may depend on this thread
    } else if (save->has_thread) {
        result = writer_await_flush(save, seconds);
    } else {
        while (save->is_writing) { // a worker's save
            trn_condition_wait(&save->for_callers, &save->mutex);
        }
        result = writer_write_all(save);
    }
    trn_mutex_unlock(&save->mutex);
    return result;
}

void trn_save_discard(TrnSave *save, TrnSaveFilter *filter, void *user)
{
    trn_mutex_lock(&save->mutex);
    while (save->is_writing) { // it puts back what it cannot write
        trn_condition_wait_for(&save->for_callers, &save->mutex, 1);
    }
    trn_save_queue_discard(&save->queue, filter, user);
    trn_mutex_unlock(&save->mutex);
}

// ---- life --------------------------------------------------------------------------------------

TrnResult trn_save_writer_start(TrnSave *save)
{
    TrnSaveWriter *writer = &save->writer;
    writer->coder = trn_row_coder_create(&save->allocator, save->def.zstd_level);
    writer->packer = trn_take(&save->allocator, sizeof *writer->packer, TRN_CACHE_LINE);
    if (!writer->coder || !writer->packer ||
        trn_array_reserve(&writer->bytes, &save->allocator, WRITER_BYTES_FIRST) != TRN_RESULT_OK) {
        return TRN_RESULT_NO_MEMORY;
    }
    save->has_thread = save->def.has_thread &&
                       trn_thread_start(&save->thread, WRITER_STACK_BYTES, writer_run, save);
    return TRN_RESULT_OK; // without a thread it goes on as if none was asked for
}

TrnResult trn_save_writer_stop(TrnSave *save)
{
    TrnResult result = TRN_RESULT_OK;
    TrnSaveWriter *writer = &save->writer;
    if (writer->coder) {
        trn_save_end(save);
        result = trn_save_flush(save);
    }
    if (save->has_thread) {
        trn_mutex_lock(&save->mutex);
        save->is_ending = true;
        trn_condition_wake_all(&save->for_writer);
        trn_mutex_unlock(&save->mutex);
        trn_thread_join(&save->thread);
    }
    trn_row_coder_destroy(writer->coder);
    trn_give(&save->allocator, writer->packer, sizeof *writer->packer);
    trn_array_free(&writer->rows, &save->allocator);
    trn_array_free(&writer->bytes, &save->allocator);
    trn_array_free(&writer->values, &save->allocator);
    trn_array_free(&writer->names, &save->allocator);
    trn_array_free(&writer->dropped, &save->allocator);
    return result;
}
