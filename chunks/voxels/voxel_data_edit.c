// The private table of an edit: made, purged, published or dropped.

#include "voxel_data_edit.h"

#include <stdalign.h>
#include <string.h>

TrnResult trn_data_take(TrnVoxelHeap *heap, size_t bytes, void **memory)
{
    const TrnResult result = trn_voxel_heap_alloc(heap, bytes, alignof(TrnDataTable), memory);
    heap->data_bytes += result == TRN_RESULT_OK ? bytes : 0;
    return result;
}

TrnResult trn_data_copy_table(TrnVoxelHeap *heap, const TrnDataTable *from, uint32_t capacity,
                              TrnDataTable **table)
{
    void *memory;
    const TrnResult result = trn_data_take(heap, trn_data_table_bytes(capacity), &memory);
    if (result == TRN_RESULT_OK) {
        *table = memory;
        **table = (TrnDataTable){.capacity = capacity};
        if (from) {
            (*table)->count = from->count;
            (*table)->content_bytes = from->content_bytes;
            (*table)->is_written = from->is_written;
            memcpy((*table)->entries, from->entries, from->count * sizeof *from->entries);
        }
    }
    return result;
}

/// The table of a snapshot, which its payload owns.
static TrnDataTable *data_of_base(TrnSnapshot base)
{
    return trn_snapshot_is_uniform(base) ? NULL : trn_payload_data(trn_snapshot_payload(base));
}

const TrnDataTable *trn_data_current(TrnSnapshot base, const TrnDataTable *private)
{
    const TrnDataTable *table = private ? private : data_of_base(base);
    return table && table->count > 0 ? table : NULL;
}

TrnResult trn_data_open(TrnVoxelHeap *heap, TrnSnapshot base, TrnDataTable **private)
{
    const TrnDataTable *table = data_of_base(base);
    return *private || !table ? TRN_RESULT_OK
                              : trn_data_copy_table(heap, table, table->count, private);
}

void trn_data_drop(TrnVoxelHeap *heap, TrnDataTable **private)
{
    TrnDataTable *table = *private;
    for (uint32_t i = 0; table && i < table->count; i++) {
        if (table->entries[i].is_own) {
            trn_data_release(heap, table->entries[i].blob);
        }
    }
    if (table) {
        trn_data_give(heap, table, trn_data_table_bytes(table->capacity));
    }
    *private = NULL;
}

bool trn_data_is_stale(TrnSnapshot now, const TrnDataEntry *entry)
{
    return entry->rule != TRN_DATA_STAYS && trn_snapshot_get(now, entry->index) != entry->block;
}

bool trn_data_purge(TrnVoxelHeap *heap, TrnSnapshot base, TrnSnapshot now, TrnDataTable *private)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; private && i < private->count; i++) {
        const TrnDataEntry entry = private->entries[i];
        if (trn_data_is_stale(now, &entry)) {
            private->is_written = true;
            private->content_bytes -= entry.blob->size;
            if (entry.is_own) {
                trn_data_release(heap, entry.blob);
            }
        } else if (kept++ < i) {
            private->entries[kept - 1] = entry;
        }
    }
    if (private) {
        private->count = kept;
    }
    // Most edits of blocks leave the data alone, and need no comparison to know it.
    return private && private->is_written && trn_data_differs(data_of_base(base), private);
}

/// Notes where the entries of each part of the chunk begin.
static void data_find_starts(TrnDataTable *table)
{
    uint32_t part = 0;
    for (uint32_t i = 0; i < table->count; i++) {
        const uint32_t own = table->entries[i].index / (TRN_CHUNK_VOXELS / TRN_DATA_PARTS);
        for (; part <= own; part++) {
            table->starts[part] = (uint16_t)i;
        }
    }
    for (; part <= TRN_DATA_PARTS; part++) {
        table->starts[part] = (uint16_t)table->count;
    }
    table->has_starts = true;
}

/// Publishes a private table: counts the blobs that it shares, and links it into the heap's list.
static void data_publish_table(TrnVoxelHeap *heap, TrnDataTable *table)
{
    for (uint32_t i = 0; i < table->count; i++) {
        TrnDataEntry *entry = &table->entries[i];
        if (!entry->is_own) {
            trn_data_hold(entry->blob);
        }
        entry->is_own = false;
        table->data_bytes += trn_data_blob_bytes(entry->blob->size);
    }
    data_find_starts(table);
    table->is_written = false;
    table->newer = heap->tables;
    if (table->newer) {
        table->newer->older = table;
    }
    heap->tables = table;
}

void trn_data_publish(TrnVoxelHeap *heap, TrnSnapshot base, TrnPayload *payload,
                      TrnDataTable **private)
{
    const TrnSnapshot now = {(uintptr_t)payload};
    if (!*private) {
        return;
    }
    if (!trn_data_purge(heap, base, now, *private)) {
        trn_payload_set_data(payload, data_of_base(base));
        trn_data_drop(heap, private);
    } else if ((*private)->count == 0) {
        trn_data_drop(heap, private);
    } else {
        data_publish_table(heap, *private);
        trn_payload_set_data(payload, *private);
        *private = NULL;
    }
}
