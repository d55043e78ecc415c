// Edits of chunks that are not loaded: each chunk's are a value, until the chunk's row has them.
//
// A value is, little-endian:
//      0  checksum  uint64, XXH3 of all bytes behind it
//      8  format    uint16, PENDING_FORMAT
//     10  names     uint16, how many; then each: uint8 its length, and its bytes
//         runs      to the end, each: uint16 first and last voxel, uint16 the number of its name

#include "save_impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <terrane/batch.h>
#include <xxhash.h>

#include "base/clock.h"

#define PENDING_FORMAT 1
#define PENDING_HEADER_BYTES 12
#define PENDING_RUN_BYTES 6

TRN_ARRAY_DECLARE(PendingRuns, TrnPendingRun);
TRN_ARRAY_DECLARE(PendingBlocks, TrnBlock);
TRN_ARRAY_DECLARE(PendingCoords, TrnCoord);

/// Memory for the edits of one chunk after another.
typedef struct PendingWork {
    TrnSave *save;
    PendingRuns runs;
    PendingBlocks blocks; ///< by the number of their names
    TrnSaveBytes bytes;
    TrnBatch *batch; ///< to load into
    TrnResult result;
} PendingWork;

static void pending_free_work(PendingWork *work)
{
    trn_array_free(&work->runs, &work->save->allocator);
    trn_array_free(&work->blocks, &work->save->allocator);
    trn_array_free(&work->bytes, &work->save->allocator);
}

void trn_save_pending_applied(TrnSave *save, TrnStorageKey key)
{
    TrnCoordEntry *entry = key.level == 0 ? trn_coord_map_find(&save->pending, key.coord) : NULL;
    if (entry) {
        trn_save_queue_drop_pending(&save->queue, key);
        trn_coord_map_remove(&save->pending, entry);
    }
}

// ---- encoding ----------------------------------------------------------------------------------

static TrnResult pending_add_number(PendingWork *work, uint64_t number, uint32_t bytes)
{
    TrnSaveBytes *to = &work->bytes;
    const TrnResult result =
        trn_array_reserve(to, &work->save->allocator, (size_t)to->count + bytes);
    if (result == TRN_RESULT_OK) {
        trn_number_write(to->items + to->count, number, bytes);
        to->count += bytes;
    }
    return result;
}

static TrnResult pending_add_name(PendingWork *work, TrnBlock block)
{
    const char *name = trn_block_types_get(work->save->def.types, block)->name;
    const uint32_t length = (uint32_t)strlen(name);
    TrnSaveBytes *to = &work->bytes;
    TrnResult result = pending_add_number(work, length, 1);
    if (result == TRN_RESULT_OK) {
        result = trn_array_reserve(to, &work->save->allocator, (size_t)to->count + length);
    }
    if (result == TRN_RESULT_OK) {
        memcpy(to->items + to->count, name, length);
        to->count += length;
    }
    return result;
}

/// Collects the blocks of all runs, each once.
/// @param number_of  [TRN_BLOCK_TYPES_MAX] receives the number of each of these blocks
static TrnResult pending_number_blocks(PendingWork *work, uint16_t *number_of)
{
    TrnResult result = TRN_RESULT_OK;
    work->blocks.count = 0;
    for (uint32_t i = 0; i < work->runs.count && result == TRN_RESULT_OK; i++) {
        const TrnBlock block = work->runs.items[i].block;
        const uint32_t number = number_of[block];
        // Whatever was in the table before: the block is known if the list agrees.
        if (number >= work->blocks.count || work->blocks.items[number] != block) {
            number_of[block] = (uint16_t)work->blocks.count;
            result = trn_array_push(&work->blocks, &work->save->allocator, block);
        }
    }
    return result;
}

/// Encodes the runs of the work as a value. @param number_of  as pending_number_blocks
static TrnResult pending_encode(PendingWork *work, uint16_t *number_of)
{
    work->bytes.count = 0;
    TrnResult result = pending_number_blocks(work, number_of);
    result = result == TRN_RESULT_OK ? pending_add_number(work, 0, 8) : result;
    result = result == TRN_RESULT_OK ? pending_add_number(work, PENDING_FORMAT, 2) : result;
    // At most as many names as a chunk has voxels.
    result = result == TRN_RESULT_OK ? pending_add_number(work, work->blocks.count, 2) : result;
    for (uint32_t i = 0; i < work->blocks.count && result == TRN_RESULT_OK; i++) {
        result = pending_add_name(work, work->blocks.items[i]);
    }
    for (uint32_t i = 0; i < work->runs.count && result == TRN_RESULT_OK; i++) {
        const TrnPendingRun *run = &work->runs.items[i];
        const uint64_t number =
            run->first | (uint64_t)run->last << 16 | (uint64_t)number_of[run->block] << 32;
        result = pending_add_number(work, number, PENDING_RUN_BYTES);
    }
    if (result == TRN_RESULT_OK) {
        trn_number_write(work->bytes.items,
                         XXH3_64bits(work->bytes.items + 8, work->bytes.count - 8), 8);
    }
    return result;
}

// ---- storing -----------------------------------------------------------------------------------

/// Queues the value of a chunk, unless it is stored as it is. @param bytes  NULL: it is removed
static TrnResult pending_queue(TrnSave *save, TrnCoord coord, const void *bytes, size_t size)
{
    const TrnSaveName name = trn_save_pending_name(coord);
    const TrnStorageValue value = {name.text, bytes, size};
    const uint64_t checksum = bytes ? trn_number_read(bytes, 8) : 0;
    TrnResult result = TRN_RESULT_OK;
    trn_mutex_lock(&save->mutex);
    TrnCoordEntry *entry = trn_coord_map_find(&save->pending, coord);
    if (bytes ? !entry || entry->number != checksum : entry != NULL) {
        result = trn_coord_map_reserve(&save->pending, &save->allocator, 1);
        if (result == TRN_RESULT_OK) {
            result = trn_save_queue_put_value(&save->queue, &value, trn_clock_us());
        }
        if (result == TRN_RESULT_OK) {
            entry = trn_coord_map_find(&save->pending, coord); // reserving moves entries
            if (bytes) {
                (entry ? entry : trn_coord_map_add(&save->pending, coord))->number = checksum;
            } else {
                trn_coord_map_remove(&save->pending, entry);
            }
        }
        trn_save_writer_wake(save);
    }
    trn_mutex_unlock(&save->mutex);
    return result;
}

/// Stores what is pending for a chunk now. If nothing is, and the chunk took up pending edits when
/// it was loaded, its row will replace what is stored. Otherwise the edits were dropped.
static TrnResult pending_store(PendingWork *work, const TrnStore *store, TrnCoord coord,
                               uint16_t *number_of)
{
    const size_t count = trn_pending_get(store, coord, NULL, 0);
    if (count == 0) {
        return trn_pending_applied(store, coord) ? TRN_RESULT_OK
                                                 : pending_queue(work->save, coord, NULL, 0);
    }
    TrnResult result = trn_array_reserve(&work->runs, &work->save->allocator, count);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    work->runs.count = (uint32_t)trn_pending_get(store, coord, work->runs.items, count);
    result = pending_encode(work, number_of);
    return result == TRN_RESULT_OK
               ? pending_queue(work->save, coord, work->bytes.items, work->bytes.count)
               : result;
}

/// Lists the chunks with stored edits, and those with pending ones.
static TrnResult pending_list(TrnSave *save, const TrnStore *store, PendingCoords *coords)
{
    const size_t count = trn_pending_chunks(store, NULL, 0);
    trn_mutex_lock(&save->mutex);
    const TrnCoordMap *stored = &save->pending;
    const TrnResult result = trn_array_reserve(coords, &save->allocator, count + stored->count + 1);
    const TrnCoordEntry *entry;
    uint64_t at = 0;
    while (result == TRN_RESULT_OK && (entry = trn_coord_map_next(stored, &at))) {
        coords->items[coords->count++] = entry->coord;
    }
    trn_mutex_unlock(&save->mutex);
    if (result == TRN_RESULT_OK) {
        (void)trn_pending_chunks(store, coords->items + coords->count, count);
        coords->count += (uint32_t)count;
    }
    return result;
}

TrnResult trn_save_pending(TrnSave *save, const TrnStore *store)
{
    if (!save || !store) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    PendingWork work = {.save = save};
    PendingCoords coords = {0};
    const size_t bytes = sizeof(uint16_t[TRN_BLOCK_TYPES_MAX]);
    TrnResult result = pending_list(save, store, &coords);
    uint16_t *number_of =
        coords.count ? trn_take(&save->allocator, bytes, sizeof *number_of) : NULL;
    if (number_of) {
        memset(number_of, 0, bytes);
        for (uint32_t i = 0; i < coords.count && result == TRN_RESULT_OK; i++) {
            result = pending_store(&work, store, coords.items[i], number_of);
        }
        trn_give(&save->allocator, number_of, bytes);
    } else if (coords.count) {
        result = TRN_RESULT_NO_MEMORY;
    }
    trn_array_free(&coords, &save->allocator);
    pending_free_work(&work);
    return result;
}

// ---- loading -----------------------------------------------------------------------------------

/// Reads the names of a value. @param at  where they begin; receives where they end
static TrnResult pending_decode_names(PendingWork *work, const unsigned char *bytes, size_t size,
                                      size_t *at)
{
    const uint64_t count = trn_number_read(bytes + 10, 2);
    TrnResult result = TRN_RESULT_OK;
    work->blocks.count = 0;
    for (uint64_t i = 0; i < count && result == TRN_RESULT_OK; i++) {
        TrnBlock block = TRN_BLOCK_AIR;
        const size_t length = *at < size ? bytes[*at] : 0;
        if (*at >= size || length > size - *at - 1) {
            return TRN_RESULT_CORRUPT;
        }
        result = trn_save_find_block(work->save->def.types, bytes + *at + 1, length, true, &block);
        *at += 1 + length;
        if (result == TRN_RESULT_OK) {
            result = trn_array_push(&work->blocks, &work->save->allocator, block);
        }
    }
    return result;
}

/// Decodes a value into the runs of the work. Any bytes are safe.
/// Errors: CORRUPT, FULL (block types), NO_MEMORY.
static TrnResult pending_decode(PendingWork *work, const unsigned char *bytes, size_t size)
{
    size_t at = PENDING_HEADER_BYTES;
    if (size < at || trn_number_read(bytes, 8) != XXH3_64bits(bytes + 8, size - 8) ||
        trn_number_read(bytes + 8, 2) != PENDING_FORMAT) {
        return TRN_RESULT_CORRUPT;
    }
    TrnResult result = pending_decode_names(work, bytes, size, &at);
    work->runs.count = 0;
    for (; at < size && result == TRN_RESULT_OK; at += PENDING_RUN_BYTES) {
        if (size - at < PENDING_RUN_BYTES) {
            return TRN_RESULT_CORRUPT;
        }
        const uint64_t number = trn_number_read(bytes + at + 4, 2);
        TrnPendingRun run = {.first = (uint16_t)trn_number_read(bytes + at, 2),
                             .last = (uint16_t)trn_number_read(bytes + at + 2, 2)};
        if (run.first > run.last || run.last >= TRN_CHUNK_VOXELS || number >= work->blocks.count) {
            return TRN_RESULT_CORRUPT;
        }
        run.block = work->blocks.items[number];
        result = trn_array_push(&work->runs, &work->save->allocator, run);
    }
    return result;
}

/// Reads the coordinate in a value's name. @return false if it is not one of ours
static bool pending_parse_name(const char *name, TrnCoord *coord)
{
    int32_t *const axes[] = {&coord->x, &coord->y, &coord->z};
    const char *at = name + sizeof TRN_SAVE_PENDING_PREFIX - 1;
    for (int i = 0; i < 3; i++) {
        char *end;
        const long long number = strtoll(at, &end, 10);
        if (end == at || number < INT32_MIN || number > INT32_MAX || *end != (i < 2 ? ',' : 0)) {
            return false;
        }
        *axes[i] = (int32_t)number;
        at = end + 1;
    }
    return true;
}

static void pending_tell_damage(TrnSave *save, const char *name, TrnCoord coord)
{
    const TrnStorageKey key = {coord, 0};
    char sentence[256];
    (void)snprintf(sentence, sizeof sentence,
                   "Edits that waited for their chunk are damaged, and were left out (%.100s).",
                   name);
    trn_mutex_lock(&save->mutex);
    save->stats.damaged++;
    trn_save_notify(save, TRN_SAVE_EVENT_DAMAGED, &key, TRN_RESULT_CORRUPT, sentence);
    trn_mutex_unlock(&save->mutex);
}

/// Makes the edits of a value pending, and notes that they are stored.
static bool pending_load_one(void *user, const TrnStorageValue *value)
{
    PendingWork *work = user;
    TrnSave *save = work->save;
    TrnCoord coord = {0};
    work->result = pending_parse_name(value->name, &coord)
                       ? pending_decode(work, value->bytes, value->size)
                       : TRN_RESULT_CORRUPT;
    if (work->result == TRN_RESULT_CORRUPT) {
        pending_tell_damage(save, value->name, coord);
        work->result = TRN_RESULT_OK;
        return true;
    }
    if (work->result == TRN_RESULT_OK) {
        work->result = trn_batch_set_runs(work->batch, coord, work->runs.items, work->runs.count);
    }
    if (work->result == TRN_RESULT_OK) {
        trn_mutex_lock(&save->mutex);
        work->result = trn_coord_map_reserve(&save->pending, &save->allocator, 1);
        if (work->result == TRN_RESULT_OK && !trn_coord_map_find(&save->pending, coord)) {
            trn_coord_map_add(&save->pending, coord)->number = trn_number_read(value->bytes, 8);
        }
        trn_mutex_unlock(&save->mutex);
    }
    return work->result == TRN_RESULT_OK;
}

TrnResult trn_save_load_pending(TrnSave *save, TrnStore *store)
{
    if (!save || !store) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    const TrnStorage *storage = &save->def.storage;
    PendingWork work = {.save = save};
    TrnResult result = trn_batch_begin(store, NULL, &work.batch);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    result = storage->values(storage->user, TRN_SAVE_PENDING_PREFIX, pending_load_one, &work);
    result = work.result != TRN_RESULT_OK ? work.result : result;
    if (result == TRN_RESULT_OK) {
        result = trn_batch_commit(work.batch, NULL);
    } else {
        trn_batch_cancel(work.batch);
    }
    if (result != TRN_RESULT_OK) { // what is stored is not pending, and must not be removed
        trn_mutex_lock(&save->mutex);
        trn_coord_map_free(&save->pending, &save->allocator);
        trn_mutex_unlock(&save->mutex);
    }
    pending_free_work(&work);
    return result;
}
