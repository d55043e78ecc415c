// Chunks and values that wait to be written: see save_queue.h.

#include "save_queue.h"

#include <string.h>

#include "base/memory.h"

/// An item without what is behind it, where a payload may begin.
#define ITEM_BYTES ((sizeof(TrnSaveItem) + TRN_CACHE_LINE - 1) / TRN_CACHE_LINE * TRN_CACHE_LINE)

static void queue_list_init(TrnSaveList *list)
{
    *list = (TrnSaveList){0};
    list->end = &list->first;
}

static void queue_append(TrnSaveList *list, TrnSaveItem *item)
{
    item->next = NULL;
    item->link = list->end;
    *list->end = item;
    list->end = &item->next;
    list->count++;
}

static void queue_unlink(TrnSaveList *list, TrnSaveItem *item)
{
    *item->link = item->next;
    if (item->next) {
        item->next->link = item->link;
    } else {
        list->end = item->link;
    }
    list->count--;
}

void trn_save_queue_init(TrnSaveQueue *queue, const TrnAllocator *allocator, size_t bytes_max)
{
    *queue = (TrnSaveQueue){.allocator = *allocator, .bytes_max = bytes_max};
    queue_list_init(&queue->waiting);
    queue_list_init(&queue->taken);
}

/// Ends the counting of an item that was unlinked.
static void queue_forget_bytes(TrnSaveQueue *queue, const TrnSaveItem *item)
{
    queue->bytes -= item->bytes;
    queue->chunk_count -= !item->name;
}

static void queue_free_item(TrnSaveQueue *queue, TrnSaveItem *item)
{
    queue_forget_bytes(queue, item);
    trn_give(&queue->allocator, item, item->bytes);
}

void trn_save_queue_free(const TrnAllocator *allocator, TrnSaveItem *first)
{
    for (TrnSaveItem *item = first, *next; item; item = next) {
        next = item->next;
        trn_give(allocator, item, item->bytes);
    }
}

void trn_save_queue_close(TrnSaveQueue *queue)
{
    trn_save_queue_free(&queue->allocator, queue->waiting.first);
    trn_save_queue_free(&queue->allocator, queue->taken.first);
    for (uint32_t level = 0; level < TRN_SAVE_LEVELS; level++) {
        trn_coord_map_free(&queue->chunks[level], &queue->allocator);
    }
    trn_coord_map_free(&queue->names, &queue->allocator);
}

// ---- putting -----------------------------------------------------------------------------------

/// Whether an item has no place. One larger than the whole queue has, unless the queue is over its
/// limit: otherwise a chunk with much block data could never be saved.
static bool queue_is_full(const TrnSaveQueue *queue, size_t bytes)
{
    if (queue->is_open) {
        return false; // half a group could not be written, so the queue would stay full
    }
    return bytes > queue->bytes_max ? queue->bytes > queue->bytes_max
                                    : queue->bytes > queue->bytes_max - bytes;
}

/// Allocates an item with bytes behind it. @return NULL if there is no memory, or no capacity left
static TrnSaveItem *queue_make_item(TrnSaveQueue *queue, size_t behind, double now_us,
                                    TrnResult *result)
{
    const size_t bytes = ITEM_BYTES + behind;
    if (bytes < behind || queue_is_full(queue, bytes)) {
        *result = TRN_RESULT_FULL;
        return NULL;
    }
    TrnSaveItem *item = trn_take(&queue->allocator, bytes, TRN_CACHE_LINE);
    if (!item) {
        *result = TRN_RESULT_NO_MEMORY;
        return NULL;
    }
    *item = (TrnSaveItem){.bytes = bytes, .queued_us = now_us};
    queue->bytes += bytes;
    queue->bytes_peak = queue->bytes > queue->bytes_peak ? queue->bytes : queue->bytes_peak;
    return item;
}

/// Copies a snapshot, or words and palette, and block data.
static TrnSaveItem *queue_copy_chunk(TrnSaveQueue *queue, const TrnSaveChunk *chunk, double now_us,
                                     TrnResult *result)
{
    const TrnRowVoxels *voxels = &chunk->voxels;
    const size_t snapshot_bytes = chunk->is_packed ? 0 : trn_snapshot_copy_bytes(chunk->snapshot);
    const size_t word_bytes = (size_t)TRN_CHUNK_VOXELS / 8 * voxels->bits;
    const size_t palette_bytes = voxels->palette_count * sizeof *voxels->palette;
    TrnSaveItem *item = queue_make_item(
        queue, snapshot_bytes + word_bytes + palette_bytes + voxels->data_bytes, now_us, result);
    if (item) {
        unsigned char *at = (unsigned char *)item + ITEM_BYTES;
        item->chunk.is_packed = chunk->is_packed;
        if (!chunk->is_packed) {
            item->chunk.snapshot = trn_snapshot_copy(chunk->snapshot, at);
            at += snapshot_bytes;
        }
        if (word_bytes) {
            memcpy(at, voxels->words, word_bytes);
        }
        if (palette_bytes) {
            memcpy(at + word_bytes, voxels->palette, palette_bytes);
        }
        item->chunk.voxels = (TrnRowVoxels){voxels->bits,
                                            voxels->palette_count,
                                            (const TrnBlock *)(const void *)(at + word_bytes),
                                            (const uint64_t *)(const void *)at,
                                            at + word_bytes + palette_bytes,
                                            voxels->data_bytes};
        if (voxels->data_bytes) {
            memcpy(at + word_bytes + palette_bytes, voxels->data, voxels->data_bytes);
        }
        queue->chunk_count++;
    }
    return item;
}

/// Puts a newer item in the place of another. One that the writer has taken stays until that is
/// done with it.
static void queue_supersede(TrnSaveQueue *queue, TrnSaveItem *old, TrnSaveItem *item)
{
    item->queued_us = old->queued_us; // the change is as old as the first that was not written
    item->drops_pending = old->drops_pending;
    if (old->is_taken) {
        old->is_superseded = true;
    } else {
        queue_unlink(&queue->waiting, old);
        queue_free_item(queue, old);
    }
}

TrnResult trn_save_queue_put(TrnSaveQueue *queue, TrnStorageKey key, const TrnSaveChunk *chunk,
                             double now_us)
{
    if (key.level >= TRN_SAVE_LEVELS) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    TrnCoordMap *chunks = &queue->chunks[key.level];
    TrnResult result = trn_coord_map_reserve(chunks, &queue->allocator, 1);
    TrnSaveItem *item =
        result == TRN_RESULT_OK ? queue_copy_chunk(queue, chunk, now_us, &result) : NULL;
    if (!item) {
        return result;
    }
    item->key = key;
    TrnCoordEntry *entry = trn_coord_map_find(chunks, key.coord);
    if (entry) {
        queue_supersede(queue, entry->pointer, item);
    } else {
        entry = trn_coord_map_add(chunks, key.coord);
    }
    entry->pointer = item;
    queue_append(&queue->waiting, item);
    return TRN_RESULT_OK;
}

void trn_save_queue_discard(TrnSaveQueue *queue, TrnSaveFilter *filter, void *user)
{
    for (TrnSaveItem *item = queue->waiting.first, *next; item; item = next) {
        next = item->next;
        if (!item->name && filter(user, &item->key)) {
            TrnCoordMap *chunks = &queue->chunks[item->key.level];
            TrnCoordEntry *entry = trn_coord_map_find(chunks, item->key.coord);
            if (entry && entry->pointer == item) {
                trn_coord_map_remove(chunks, entry);
            }
            queue_unlink(&queue->waiting, item);
            queue_free_item(queue, item);
        }
    }
}

// ---- names -------------------------------------------------------------------------------------

/// Returns where the map of names has a name. The map must have taken memory: it has a key then.
static TrnCoord queue_name_place(const TrnSaveQueue *queue, const char *name)
{
    const size_t length = strlen(name);
    return (TrnCoord){(int32_t)trn_bytes_hash(name, length, queue->names.key), (int32_t)length, 0};
}

/// Finds the newest item of a name.
static TrnSaveItem *queue_find_name(const TrnSaveQueue *queue, const char *name)
{
    const TrnCoordEntry *entry =
        queue->names.count ? trn_coord_map_find(&queue->names, queue_name_place(queue, name))
                           : NULL;
    TrnSaveItem *item = entry ? entry->pointer : NULL;
    while (item && strcmp(item->name, name) != 0) {
        item = item->same_hash;
    }
    return item;
}

/// Adds the newest item of a name that the map has not. The map has capacity for it.
static void queue_add_name(TrnSaveQueue *queue, TrnSaveItem *item)
{
    const TrnCoord place = queue_name_place(queue, item->name);
    TrnCoordEntry *entry = trn_coord_map_find(&queue->names, place);
    item->same_hash = entry ? entry->pointer : NULL;
    (entry ? entry : trn_coord_map_add(&queue->names, place))->pointer = item;
}

static void queue_remove_name(TrnSaveQueue *queue, const TrnSaveItem *item)
{
    TrnCoordEntry *entry = trn_coord_map_find(&queue->names, queue_name_place(queue, item->name));
    TrnSaveItem *newest = entry->pointer, **link = &newest;
    while (*link != item) {
        link = &(*link)->same_hash;
    }
    *link = item->same_hash;
    if (newest) {
        entry->pointer = newest;
    } else {
        trn_coord_map_remove(&queue->names, entry);
    }
}

TrnResult trn_save_queue_put_value(TrnSaveQueue *queue, const TrnStorageValue *value, double now_us)
{
    const size_t name_bytes = strlen(value->name) + 1, bytes = value->bytes ? value->size : 0;
    TrnResult result = bytes < SIZE_MAX / 2
                           ? trn_coord_map_reserve(&queue->names, &queue->allocator, 1)
                           : TRN_RESULT_FULL;
    TrnSaveItem *item = result == TRN_RESULT_OK
                            ? queue_make_item(queue, name_bytes + bytes, now_us, &result)
                            : NULL;
    if (!item) {
        return result;
    }
    item->name = (char *)item + ITEM_BYTES;
    item->value = item->name + name_bytes;
    item->value_bytes = bytes;
    item->is_removal = !value->bytes;
    memcpy(item->name, value->name, name_bytes);
    if (bytes) {
        memcpy(item->value, value->bytes, bytes);
    }
    TrnSaveItem *old = queue_find_name(queue, value->name);
    if (old) {
        queue_remove_name(queue, old);
        queue_supersede(queue, old, item);
    }
    queue_add_name(queue, item);
    queue_append(&queue->waiting, item);
    return TRN_RESULT_OK;
}

void trn_save_queue_drop_pending(TrnSaveQueue *queue, TrnStorageKey key)
{
    const TrnCoordEntry *entry = trn_coord_map_find(&queue->chunks[key.level], key.coord);
    if (entry) {
        ((TrnSaveItem *)entry->pointer)->drops_pending = true;
    }
}

// ---- finding -----------------------------------------------------------------------------------

bool trn_save_queue_highest(const TrnSaveQueue *queue, TrnBox box, int32_t *y)
{
    const TrnCoordMap *chunks = &queue->chunks[0];
    bool has_any = false;
    const TrnCoordEntry *entry;
    uint64_t at = 0;
    while (chunks->count && (entry = trn_coord_map_next(chunks, &at))) {
        if (trn_box_contains(box, entry->coord) && (!has_any || entry->coord.y > *y)) {
            *y = entry->coord.y;
            has_any = true;
        }
    }
    return has_any;
}

const TrnSaveItem *trn_save_queue_find(const TrnSaveQueue *queue, TrnStorageKey key)
{
    const TrnCoordEntry *entry = key.level < TRN_SAVE_LEVELS
                                     ? trn_coord_map_find(&queue->chunks[key.level], key.coord)
                                     : NULL;
    return entry ? entry->pointer : NULL;
}

const TrnSaveItem *trn_save_queue_find_value(const TrnSaveQueue *queue, const char *name)
{
    return queue_find_name(queue, name);
}

// ---- writing -----------------------------------------------------------------------------------

TrnResult trn_save_queue_begin(TrnSaveQueue *queue)
{
    if (queue->is_open) {
        return TRN_RESULT_BUSY;
    }
    queue->is_open = queue->bytes <= queue->bytes_max;
    return queue->is_open ? TRN_RESULT_OK : TRN_RESULT_FULL;
}

void trn_save_queue_end(TrnSaveQueue *queue)
{
    queue->is_open = false;
    queue->is_whole = queue->waiting.first != NULL;
}

const TrnSaveItem *trn_save_queue_take(TrnSaveQueue *queue, uint32_t count_max)
{
    TrnSaveList *waiting = &queue->waiting;
    TRN_ASSERT(!queue->taken.first && !queue->is_open);
    queue->takes_whole = queue->is_whole;
    queue->is_whole = false;
    while (waiting->first && (queue->takes_whole || queue->taken.count < count_max)) {
        TrnSaveItem *item = waiting->first;
        queue_unlink(waiting, item);
        queue_append(&queue->taken, item);
        item->is_taken = true;
    }
    return queue->taken.first;
}

/// Removes a written item from its map, unless a newer one has taken its place.
static void queue_forget(TrnSaveQueue *queue, const TrnSaveItem *item)
{
    TrnCoordMap *chunks = &queue->chunks[item->key.level];
    if (item->is_superseded) {
        return;
    }
    if (item->name) {
        queue_remove_name(queue, item);
    } else {
        trn_coord_map_remove(chunks, trn_coord_map_find(chunks, item->key.coord));
    }
}

/// Puts the items that were taken back to the front, superseded ones excepted.
static void queue_put_back(TrnSaveQueue *queue)
{
    TrnSaveList later = queue->waiting;
    queue_list_init(&queue->waiting);
    for (int i = 0; i < 2; i++) {
        TrnSaveItem *item = i ? later.first : queue->taken.first;
        for (TrnSaveItem *next; item; item = next) {
            next = item->next;
            item->is_taken = false;
            if (item->is_superseded) {
                queue_free_item(queue, item);
            } else {
                queue_append(&queue->waiting, item);
            }
        }
    }
    queue_list_init(&queue->taken);
    queue->is_whole = queue->is_whole || queue->takes_whole;
}

TrnSaveItem *trn_save_queue_return(TrnSaveQueue *queue, bool are_written)
{
    if (!are_written) {
        queue_put_back(queue);
        return NULL;
    }
    TrnSaveItem *const first = queue->taken.first;
    for (const TrnSaveItem *item = first; item; item = item->next) {
        queue_forget(queue, item);
        queue_forget_bytes(queue, item);
    }
    queue_list_init(&queue->taken);
    return first;
}
