// The source: what the stream saves is queued, and what it loads is read from the queue or from the
// storage.

#include "save_impl.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"

// ---- saving ------------------------------------------------------------------------------------

static TrnResult load_put(void *user, const TrnStreamJob *job, TrnSnapshot voxels)
{
    TrnSave *save = user;
    const TrnStorageKey key = {job->coord, job->level};
    trn_mutex_lock(&save->mutex);
    const TrnResult result = trn_save_queue_put(&save->queue, key, voxels, trn_clock_us());
    save->stats.queued += result == TRN_RESULT_OK;
    trn_save_writer_wake(save);
    trn_mutex_unlock(&save->mutex);
    return result;
}

// ---- loading -----------------------------------------------------------------------------------

/// Writes the blocks of a queued chunk.
static void load_unpack(const TrnRowVoxels *voxels, TrnBlock *blocks, bool *uniform)
{
    *uniform = voxels->bits == 0;
    if (*uniform) {
        blocks[0] = voxels->palette[0];
    } else if (voxels->bits == 16) {
        memcpy(blocks, voxels->words, sizeof(TrnBlock[TRN_CHUNK_VOXELS]));
    } else {
        (void)trn_row_unpack(voxels->bits, (const unsigned char *)voxels->words, voxels->palette,
                             voxels->palette_count, blocks);
    }
}

/// Reads a chunk from the queue, where it is newer than in the storage.
static bool load_from_queue(TrnSave *save, TrnStorageKey key, TrnBlock *blocks, bool *uniform)
{
    trn_mutex_lock(&save->mutex);
    const TrnSaveItem *item = trn_save_queue_find(&save->queue, key);
    if (item) {
        load_unpack(&item->voxels, blocks, uniform);
        save->stats.loaded++;
    }
    trn_mutex_unlock(&save->mutex);
    return item != NULL;
}

/// One chunk while it is read.
typedef struct LoadRead {
    TrnSave *save;
    TrnRowCoder *coder;
    TrnBlock *blocks;
    bool *uniform;
    TrnResult result;
} LoadRead;

/// Keeps the bytes of a damaged row, and says so. Its name has the row's revision, so that the same
/// damage is kept once.
static void load_quarantine(TrnSave *save, const TrnStorageRow *row, TrnRowFault fault)
{
    char name[96], sentence[160];
    const TrnCoord coord = row->key.coord;
    (void)snprintf(name, sizeof name,
                   TRN_SAVE_QUARANTINE_PREFIX "%" PRIu32 "/%" PRId32 ",%" PRId32 ",%" PRId32
                                              "/%" PRIu64,
                   row->key.level, coord.x, coord.y, coord.z, row->revision);
    (void)snprintf(sentence, sizeof sentence,
                   "The saved chunk %" PRId32 ", %" PRId32 ", %" PRId32
                   " is damaged: %s. Its bytes were set aside.",
                   coord.x, coord.y, coord.z, trn_row_fault_text(fault));
    const TrnStorageValue value = {name, row->size ? row->bytes : "", row->size};
    (void)trn_save_put_value(save, &value); // if there is no memory, the row itself still has them
    trn_mutex_lock(&save->mutex);
    save->stats.damaged++;
    trn_save_notify(save, TRN_SAVE_EVENT_DAMAGED, &row->key, TRN_RESULT_CORRUPT, sentence);
    trn_mutex_unlock(&save->mutex);
}

static bool load_visit(void *user, const TrnStorageRow *row)
{
    LoadRead *read = user;
    TrnSave *save = read->save;
    TrnRowFault fault = TRN_ROW_FAULT_NONE;
    read->result =
        trn_row_decode(read->coder, row, save->ids->block_of, read->blocks, read->uniform, &fault);
    if (fault != TRN_ROW_FAULT_NONE) {
        load_quarantine(save, row, fault);
        read->result = save->def.damaged == TRN_SAVE_GENERATE_DAMAGED ? TRN_RESULT_NOT_FOUND
                                                                      : TRN_RESULT_CORRUPT;
    }
    return false;
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

static TrnResult load_get(void *user, const TrnStreamJob *job, TrnBlock *blocks, bool *uniform)
{
    TrnSave *save = user;
    const TrnStorage *storage = &save->def.storage;
    const TrnStorageKey key = {job->coord, job->level};
    if (load_from_queue(save, key, blocks, uniform)) {
        return TRN_RESULT_OK;
    }
    LoadRead read = {save, load_coder(save, job->worker), blocks, uniform, TRN_RESULT_NOT_FOUND};
    if (!read.coder) {
        return TRN_RESULT_NO_MEMORY;
    }
    const TrnResult result = storage->get(storage->user, &key, 1, load_visit, &read);
    if (result != TRN_RESULT_OK) {
        trn_save_notify_storage(save, TRN_SAVE_EVENT_READ_FAILED, &key, result);
        return result == TRN_RESULT_NOT_FOUND ? TRN_RESULT_IO : result;
    }
    trn_mutex_lock(&save->mutex);
    save->stats.loaded += read.result == TRN_RESULT_OK;
    save->stats.absent += read.result == TRN_RESULT_NOT_FOUND;
    trn_mutex_unlock(&save->mutex);
    return read.result;
}

TrnStreamSource trn_save_source(TrnSave *save)
{
    return save ? (TrnStreamSource){.load = load_get,
                                    .save = load_put,
                                    .user = save,
                                    .saves_shown = save->def.what == TRN_SAVE_SHOWN,
                                    .save_seconds = save->def.save_seconds}
                : (TrnStreamSource){0};
}
