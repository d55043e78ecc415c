// A storage in memory: a map of rows for each level, and a sorted list of values.

#include <string.h>

#include <terrane/generator.h>
#include <terrane/storage.h>

#include "base/array.h"
#include "base/coord_map.h"
#include "base/thread.h"

#define MEMORY_LEVELS (TRN_GENERATOR_LEVEL_MAX + 1)

/// A row or a value. Allocated with its bytes and, before these, a value's name.
typedef struct MemoryBlob {
    uint64_t revision;
    size_t size, name_bytes; ///< name_bytes: with the zero; 0 for a row
    char content[];
} MemoryBlob;

/// What a name or a key has; NULL in a batch: it is removed.
typedef struct MemorySlot {
    MemoryBlob *blob;
} MemorySlot;

TRN_ARRAY_DECLARE(MemorySlots, MemorySlot);

typedef struct MemoryStorage {
    TrnMutex mutex; ///< of everything below
    TrnAllocator allocator;
    TrnCoordMap rows[MEMORY_LEVELS]; ///< of MemoryBlob
    MemorySlots values;              ///< by name
} MemoryStorage;

// ---- blobs -------------------------------------------------------------------------------------

static size_t memory_blob_bytes(const MemoryBlob *blob)
{
    return sizeof *blob + blob->name_bytes + blob->size;
}

static MemoryBlob *memory_make_blob(const TrnAllocator *allocator, const char *name,
                                    const void *bytes, size_t size, uint64_t revision)
{
    const MemoryBlob head = {revision, size, name ? strlen(name) + 1 : 0};
    MemoryBlob *blob = size <= SIZE_MAX / 2
                           ? trn_take(allocator, memory_blob_bytes(&head), sizeof(uint64_t))
                           : NULL;
    if (blob) {
        *blob = head;
        if (name) {
            memcpy(blob->content, name, head.name_bytes);
        }
        if (size) {
            memcpy(blob->content + head.name_bytes, bytes, size);
        }
    }
    return blob;
}

static void memory_free_blob(const TrnAllocator *allocator, MemoryBlob *blob)
{
    trn_give(allocator, blob, blob ? memory_blob_bytes(blob) : 0);
}

// ---- reading -----------------------------------------------------------------------------------

static TrnStorageRow memory_row(TrnStorageKey key, const MemoryBlob *blob)
{
    return (TrnStorageRow){key, blob->revision, blob->content, blob->size};
}

static TrnResult memory_get(void *user, const TrnStorageKey *keys, size_t count,
                            TrnStorageRowVisitor visit, void *visitor)
{
    MemoryStorage *storage = user;
    trn_mutex_lock(&storage->mutex);
    for (size_t i = 0; i < count; i++) {
        const TrnCoordEntry *entry =
            keys[i].level < MEMORY_LEVELS
                ? trn_coord_map_find(&storage->rows[keys[i].level], keys[i].coord)
                : NULL;
        if (entry) {
            const TrnStorageRow row = memory_row(keys[i], entry->pointer);
            if (!visit(visitor, &row)) {
                break;
            }
        }
    }
    trn_mutex_unlock(&storage->mutex);
    return TRN_RESULT_OK;
}

static TrnResult memory_list(void *user, const TrnStorageRange *range, TrnStorageRowVisitor visit,
                             void *visitor)
{
    MemoryStorage *storage = user;
    if (range->level >= MEMORY_LEVELS) {
        return TRN_RESULT_OK;
    }
    trn_mutex_lock(&storage->mutex);
    const TrnCoordMap *rows = &storage->rows[range->level];
    for (uint32_t i = 0; i < rows->capacity; i++) {
        const TrnCoordEntry *entry = &rows->slots[i];
        const TrnStorageKey key = {entry->coord, range->level};
        if (entry->is_used && trn_box_contains(range->box, entry->coord) &&
            ((const MemoryBlob *)entry->pointer)->revision > range->since) {
            const TrnStorageRow row = memory_row(key, entry->pointer);
            if (!visit(visitor, &row)) {
                break;
            }
        }
    }
    trn_mutex_unlock(&storage->mutex);
    return TRN_RESULT_OK;
}

/// Returns the place of a name among the values: of its value, or where that belongs.
static uint32_t memory_value_place(const MemoryStorage *storage, const char *name)
{
    uint32_t low = 0, high = storage->values.count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (strcmp(storage->values.items[middle].blob->content, name) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static TrnResult memory_values(void *user, const char *prefix, TrnStorageValueVisitor visit,
                               void *visitor)
{
    MemoryStorage *storage = user;
    const size_t length = strlen(prefix);
    trn_mutex_lock(&storage->mutex);
    for (uint32_t i = memory_value_place(storage, prefix); i < storage->values.count; i++) {
        const MemoryBlob *blob = storage->values.items[i].blob;
        const TrnStorageValue value = {blob->content, blob->content + blob->name_bytes, blob->size};
        if (strncmp(value.name, prefix, length) != 0 || !visit(visitor, &value)) {
            break;
        }
    }
    trn_mutex_unlock(&storage->mutex);
    return TRN_RESULT_OK;
}

// ---- writing -----------------------------------------------------------------------------------

/// Whether a value that a batch puts as new has bytes already.
static bool memory_has_new(const MemoryStorage *storage, const TrnStorageBatch *batch)
{
    bool has_any = false;
    for (size_t i = batch->value_count - batch->new_value_count; i < batch->value_count; i++) {
        const char *const name = batch->values[i].name;
        const uint32_t place = memory_value_place(storage, name);
        has_any |= place < storage->values.count &&
                   strcmp(storage->values.items[place].blob->content, name) == 0;
    }
    return has_any;
}

/// Allocates everything that a batch needs, so that applying it cannot fail.
/// @param slots  [row_count + value_count] receives the new blobs; all NULL on entry
static TrnResult memory_prepare(MemoryStorage *storage, const TrnStorageBatch *batch,
                                MemorySlot *slots)
{
    const TrnAllocator *allocator = &storage->allocator;
    uint32_t more[MEMORY_LEVELS] = {0};
    if (memory_has_new(storage, batch)) {
        return TRN_RESULT_EXISTS;
    }
    for (size_t i = 0; i < batch->row_count; i++) {
        const TrnStorageRow *row = &batch->rows[i];
        if (row->key.level >= MEMORY_LEVELS) {
            return TRN_RESULT_BAD_ARGUMENT;
        }
        more[row->key.level]++;
        slots[i].blob =
            row->bytes ? memory_make_blob(allocator, NULL, row->bytes, row->size, row->revision)
                       : NULL;
        if (row->bytes && !slots[i].blob) {
            return TRN_RESULT_NO_MEMORY;
        }
    }
    for (size_t i = 0; i < batch->value_count; i++) {
        const TrnStorageValue *value = &batch->values[i];
        MemoryBlob *blob =
            value->bytes ? memory_make_blob(allocator, value->name, value->bytes, value->size, 0)
                         : NULL;
        slots[batch->row_count + i].blob = blob;
        if (value->bytes && !blob) {
            return TRN_RESULT_NO_MEMORY;
        }
    }
    TrnResult result =
        trn_array_reserve(&storage->values, allocator, storage->values.count + batch->value_count);
    for (uint32_t level = 0; level < MEMORY_LEVELS && result == TRN_RESULT_OK; level++) {
        result = more[level] ? trn_coord_map_reserve(&storage->rows[level], allocator, more[level])
                             : TRN_RESULT_OK;
    }
    return result;
}

static void memory_apply_row(MemoryStorage *storage, TrnStorageKey key, MemoryBlob *blob)
{
    TrnCoordMap *rows = &storage->rows[key.level];
    TrnCoordEntry *entry = trn_coord_map_find(rows, key.coord);
    if (entry) {
        memory_free_blob(&storage->allocator, entry->pointer);
    }
    if (!blob) {
        if (entry) {
            trn_coord_map_remove(rows, entry);
        }
        return;
    }
    entry = entry ? entry : trn_coord_map_add(rows, key.coord);
    entry->pointer = blob;
}

static void memory_apply_value(MemoryStorage *storage, const char *name, MemoryBlob *blob)
{
    MemorySlots *values = &storage->values;
    const uint32_t place = memory_value_place(storage, name);
    MemorySlot *items = values->items + place;
    const size_t after = values->count - place;
    if (after && strcmp(items[0].blob->content, name) == 0) {
        memory_free_blob(&storage->allocator, items[0].blob);
        items[0].blob = blob;
        if (!blob) {
            memmove(items, items + 1, (after - 1) * sizeof *items);
            values->count--;
        }
    } else if (blob) {
        memmove(items + 1, items, after * sizeof *items);
        items[0].blob = blob;
        values->count++;
    }
}

static TrnResult memory_put(void *user, const TrnStorageBatch *batch)
{
    MemoryStorage *storage = user;
    const size_t count = batch->row_count + batch->value_count;
    if (!count) {
        return TRN_RESULT_OK;
    }
    trn_mutex_lock(&storage->mutex);
    MemorySlot *slots = trn_take(&storage->allocator, count * sizeof *slots, sizeof(void *));
    if (!slots) {
        trn_mutex_unlock(&storage->mutex);
        return TRN_RESULT_NO_MEMORY;
    }
    memset(slots, 0, count * sizeof *slots);
    const TrnResult result = memory_prepare(storage, batch, slots);
    for (size_t i = 0; i < count; i++) {
        if (result != TRN_RESULT_OK) {
            memory_free_blob(&storage->allocator, slots[i].blob);
        } else if (i < batch->row_count) {
            memory_apply_row(storage, batch->rows[i].key, slots[i].blob);
        } else {
            memory_apply_value(storage, batch->values[i - batch->row_count].name, slots[i].blob);
        }
    }
    trn_give(&storage->allocator, slots, count * sizeof *slots);
    trn_mutex_unlock(&storage->mutex);
    return result;
}

// ---- creation ----------------------------------------------------------------------------------

static void memory_close(void *user)
{
    MemoryStorage *storage = user;
    const TrnAllocator allocator = storage->allocator;
    for (uint32_t level = 0; level < MEMORY_LEVELS; level++) {
        TrnCoordMap *rows = &storage->rows[level];
        for (uint32_t i = 0; i < rows->capacity; i++) {
            memory_free_blob(&allocator, rows->slots[i].is_used ? rows->slots[i].pointer : NULL);
        }
        trn_coord_map_free(rows, &allocator);
    }
    for (uint32_t i = 0; i < storage->values.count; i++) {
        memory_free_blob(&allocator, storage->values.items[i].blob);
    }
    trn_array_free(&storage->values, &allocator);
    trn_mutex_destroy(&storage->mutex);
    trn_give(&allocator, storage, sizeof *storage);
}

TrnResult trn_storage_memory(const TrnAllocator *allocator, TrnStorage *storage)
{
    const TrnAllocator memory = trn_allocator_or_default(allocator);
    if (!storage || !memory.alloc || !memory.free) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    MemoryStorage *made = trn_take(&memory, sizeof *made, sizeof(void *));
    if (!made) {
        return TRN_RESULT_NO_MEMORY;
    }
    memset(made, 0, sizeof *made);
    made->allocator = memory;
    if (!trn_mutex_init(&made->mutex)) {
        trn_give(&memory, made, sizeof *made);
        return TRN_RESULT_NO_MEMORY;
    }
    *storage = (TrnStorage){.get = memory_get,
                            .list = memory_list,
                            .values = memory_values,
                            .put = memory_put,
                            .close = memory_close,
                            .user = made};
    return TRN_RESULT_OK;
}
