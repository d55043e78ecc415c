// A storage in memory: a map of rows for each level, and a treap of values: a tree that is sorted
// by name, in which each node's rank, a hash of its name, is at least those below it. So its depth
// is logarithmic in any order of puts, and a put allocates nothing but what it stores.

#include <string.h>

#include <terrane/generator.h>
#include <terrane/storage.h>

#include "base/coord_map.h"
#include "base/entropy.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/thread.h"

#define MEMORY_LEVELS (TRN_GENERATOR_LEVEL_MAX + 1)

/// A row or a value. Allocated with its bytes and, before these, a value's name.
typedef struct MemoryBlob {
    struct MemoryBlob *below[2]; ///< of a value: with lower names, with higher ones
    uint64_t revision;
    size_t size, name_bytes; ///< name_bytes: with the zero; 0 for a row
    uint32_t rank;           ///< of a value
    char content[];
} MemoryBlob;

/// What a name or a key has; NULL in a batch: it is removed.
typedef struct MemorySlot {
    MemoryBlob *blob;
} MemorySlot;

typedef struct MemoryStorage {
    TrnMutex mutex; ///< of everything below
    TrnAllocator allocator;
    TrnCoordMap rows[MEMORY_LEVELS]; ///< of MemoryBlob
    MemoryBlob *values;              ///< the root; NULL: there are none
    uint64_t hash_key;               ///< of ranks
} MemoryStorage;

// ---- blobs -------------------------------------------------------------------------------------

static size_t memory_blob_bytes(const MemoryBlob *blob)
{
    return sizeof *blob + blob->name_bytes + blob->size;
}

static MemoryBlob *memory_make_blob(const TrnAllocator *allocator, const char *name,
                                    const void *bytes, size_t size, uint64_t revision)
{
    const MemoryBlob head = {
        .revision = revision, .size = size, .name_bytes = name ? strlen(name) + 1 : 0};
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
    const TrnCoordEntry *entry;
    uint64_t at = 0;
    while ((entry = trn_coord_map_next(rows, &at))) {
        const TrnStorageKey key = {entry->coord, range->level};
        if (trn_box_contains(range->box, entry->coord) &&
            (!range->since || ((const MemoryBlob *)entry->pointer)->revision > range->since)) {
            const TrnStorageRow row = memory_row(key, entry->pointer);
            if (!visit(visitor, &row)) {
                break;
            }
        }
    }
    trn_mutex_unlock(&storage->mutex);
    return TRN_RESULT_OK;
}

/// Visits the values below a node whose names begin with a prefix, in order.
/// @return false if the visitor stopped it
static bool memory_visit(const MemoryBlob *blob, const char *prefix, size_t length,
                         TrnStorageValueVisitor visit, void *visitor)
{
    if (!blob) {
        return true;
    }
    const int order = strncmp(blob->content, prefix, length);
    const TrnStorageValue value = {blob->content, blob->content + blob->name_bytes, blob->size};
    return (order < 0 || memory_visit(blob->below[0], prefix, length, visit, visitor)) &&
           (order != 0 || visit(visitor, &value)) &&
           (order > 0 || memory_visit(blob->below[1], prefix, length, visit, visitor));
}

static TrnResult memory_values(void *user, const char *prefix, TrnStorageValueVisitor visit,
                               void *visitor)
{
    MemoryStorage *storage = user;
    trn_mutex_lock(&storage->mutex);
    (void)memory_visit(storage->values, prefix, strlen(prefix), visit, visitor);
    trn_mutex_unlock(&storage->mutex);
    return TRN_RESULT_OK;
}

// ---- writing -----------------------------------------------------------------------------------

/// Finds the link to the value of a name, or NULL, where the search for it ends.
static MemoryBlob **memory_find_value(MemoryStorage *storage, const char *name)
{
    MemoryBlob **link = &storage->values;
    for (int order; *link && (order = strcmp(name, (*link)->content)) != 0;) {
        link = &(*link)->below[order > 0];
    }
    return link;
}

/// Adds a value whose name no other has.
static void memory_add_value(MemoryStorage *storage, MemoryBlob *blob)
{
    MemoryBlob **link = &storage->values, **ends[2] = {&blob->below[0], &blob->below[1]};
    blob->rank = trn_bytes_hash(blob->content, blob->name_bytes, storage->hash_key);
    while (*link && (*link)->rank >= blob->rank) {
        link = &(*link)->below[strcmp(blob->content, (*link)->content) > 0];
    }
    MemoryBlob *next = *link; // those from here down are split into lower and higher ones
    *link = blob;
    while (next) {
        const bool is_higher = strcmp(next->content, blob->content) > 0;
        *ends[is_higher] = next;
        ends[is_higher] = &next->below[!is_higher];
        next = *ends[is_higher];
    }
    *ends[0] = *ends[1] = NULL;
}

/// Removes the value of a link, and frees it.
static void memory_remove_value(MemoryStorage *storage, MemoryBlob **link)
{
    MemoryBlob *const blob = *link, *lower = blob->below[0], *higher = blob->below[1];
    while (lower && higher) {
        const bool is_lower = lower->rank >= higher->rank;
        *link = is_lower ? lower : higher;
        link = &(*link)->below[is_lower];
        *(is_lower ? &lower : &higher) = *link;
    }
    *link = lower ? lower : higher;
    memory_free_blob(&storage->allocator, blob);
}

/// Whether a value that a batch puts as new has bytes already.
static bool memory_has_new(MemoryStorage *storage, const TrnStorageBatch *batch)
{
    bool has_any = false;
    for (size_t i = batch->value_count - batch->new_value_count; i < batch->value_count; i++) {
        has_any |= *memory_find_value(storage, batch->values[i].name) != NULL;
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
    TrnResult result = TRN_RESULT_OK;
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
    MemoryBlob **const link = memory_find_value(storage, name);
    if (*link) {
        memory_remove_value(storage, link);
    }
    if (blob) {
        memory_add_value(storage, blob);
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
        const TrnCoordEntry *entry;
        uint64_t at = 0;
        while ((entry = trn_coord_map_next(rows, &at))) {
            memory_free_blob(&allocator, entry->pointer);
        }
        trn_coord_map_free(rows, &allocator);
    }
    while (storage->values) {
        memory_remove_value(storage, &storage->values);
    }
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
    made->hash_key = trn_entropy_key();
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
