// Block data in edits of one chunk: set, put, read.

#include "voxel_data_edit.h"
#include "voxel_data_internal.h"
#include "voxel_edit_impl.h"

#include <string.h>

/// Copies bytes into a new blob, which the caller holds.
static TrnResult data_create_blob(TrnVoxelHeap *heap, const void *bytes, uint32_t size,
                                  TrnDataBlob **blob)
{
    void *memory;
    const size_t whole = trn_data_blob_bytes(size), most = heap->data_bytes_max;
    if (most && (heap->data_bytes > most || whole > most - heap->data_bytes)) {
        return TRN_RESULT_FULL;
    }
    const TrnResult result = trn_data_take(heap, whole, &memory);
    if (result == TRN_RESULT_OK) {
        *blob = memory;
        **blob = (TrnDataBlob){.refs = 1, .size = size};
        if (size) {
            memcpy((*blob)->bytes, bytes, size);
        }
    }
    return result;
}

const TrnDataTable *trn_edit_data(const TrnEditState *edit)
{
    return trn_data_current((TrnSnapshot){edit->base}, edit->data);
}

bool trn_edit_purge_data(TrnEditState *edit)
{
    return trn_data_purge(edit->heap, (TrnSnapshot){edit->base}, trn_edit_now(edit), edit->data);
}

/// Makes the private table hold one more entry.
static TrnResult data_reserve(TrnEditState *edit)
{
    TrnDataTable *table = edit->data, *larger;
    if (table && table->count == TRN_DATA_VOXELS_MAX) {
        (void)trn_edit_purge_data(edit);
    }
    if (table && table->count == TRN_DATA_VOXELS_MAX) {
        return TRN_RESULT_FULL;
    }
    if (table && table->count < table->capacity) {
        return TRN_RESULT_OK;
    }
    const uint32_t wanted = !table ? 1 : table->count + table->count / 2 + 1;
    const TrnResult result = trn_data_copy_table(
        edit->heap, table, wanted < TRN_DATA_VOXELS_MAX ? wanted : TRN_DATA_VOXELS_MAX, &larger);
    if (result == TRN_RESULT_OK) {
        if (table) { // its blobs have moved
            trn_data_give(edit->heap, table, trn_data_table_bytes(table->capacity));
        }
        edit->data = larger;
    }
    return result;
}

/// Writes an entry, which has its own blob. Capacity is reserved.
static void data_insert(TrnEditState *edit, const TrnDataEntry *entry)
{
    TrnDataTable *table = edit->data;
    const uint32_t at = trn_data_lower_bound(table, entry->index);
    TrnDataEntry *to = &table->entries[at];
    table->content_bytes += entry->blob->size;
    if (at < table->count && to->index == entry->index) {
        table->content_bytes -= to->blob->size;
        if (to->is_own) {
            trn_data_release(edit->heap, to->blob);
        }
    } else {
        memmove(to + 1, to, (table->count - at) * sizeof *to);
        table->count++;
    }
    *to = *entry;
    to->is_own = true;
    table->is_written = true;
}

static void data_remove(TrnEditState *edit, uint32_t index)
{
    TrnDataTable *table = edit->data;
    const uint32_t at = trn_data_lower_bound(table, index);
    TrnDataEntry *entry = &table->entries[at];
    TRN_ASSERT(at < table->count && entry->index == index);
    table->content_bytes -= entry->blob->size;
    if (entry->is_own) {
        trn_data_release(edit->heap, entry->blob);
    }
    table->is_written = true;
    table->count--;
    memmove(entry, entry + 1, (table->count - at) * sizeof *entry);
}

/// Whether the chunk may have as much data.
static bool data_has_capacity(TrnEditState *edit, uint32_t index, uint32_t size)
{
    for (int is_purged = 0; is_purged < 2; is_purged++) {
        const TrnDataTable *table = edit->data;
        const TrnDataEntry *found = table ? trn_data_find(table, index) : NULL;
        const size_t others = table ? table->content_bytes - (found ? found->blob->size : 0) : 0;
        if (others + size <= TRN_DATA_CHUNK_BYTES_MAX) {
            return true;
        }
        (void)trn_edit_purge_data(edit);
    }
    return false;
}

/// Sets the data of a voxel: the blob of another table or of a history, or bytes for a new blob.
/// @param bytes  of the new blob; NULL: the entry's
static TrnResult data_write(TrnEditState *edit, TrnDataEntry entry, const void *bytes,
                            uint32_t size)
{
    TrnResult result = trn_edit_open_copy(edit);
    if (result == TRN_RESULT_OK &&
        !data_has_capacity(edit, entry.index, bytes ? size : entry.blob->size)) {
        result = TRN_RESULT_FULL;
    }
    if (result == TRN_RESULT_OK && !trn_data_find(edit->data, entry.index)) {
        result = data_reserve(edit);
    }
    if (result == TRN_RESULT_OK && bytes) {
        result = data_create_blob(edit->heap, bytes, size, &entry.blob);
    } else if (result == TRN_RESULT_OK) {
        trn_data_hold(entry.blob);
    }
    if (result == TRN_RESULT_OK) {
        data_insert(edit, &entry);
    }
    return trn_edit_settle(edit, result);
}

/// Removes the data of a voxel that has some.
static TrnResult data_erase(TrnEditState *edit, uint32_t index)
{
    const TrnResult result = trn_edit_open_copy(edit);
    if (result == TRN_RESULT_OK) {
        data_remove(edit, index);
    }
    return trn_edit_settle(edit, result);
}

TrnResult trn_edit_touch(TrnEditState *edit)
{
    return trn_edit_settle(edit, trn_edit_open_copy(edit));
}

TrnResult trn_edit_put_data(TrnEditState *edit, const TrnDataEntry *entry)
{
    const TrnDataEntry *found = trn_data_find(trn_edit_data(edit), entry->index);
    if (!entry->blob) {
        return found ? data_erase(edit, entry->index) : TRN_RESULT_OK;
    }
    return found && trn_data_entries_match(found, entry) ? TRN_RESULT_OK
                                                         : data_write(edit, *entry, NULL, 0);
}

TrnResult trn_voxel_edit_set_data(TrnVoxelEdit *edit, uint32_t index, const void *bytes,
                                  size_t size, TrnDataRule rule)
{
    TrnEditState *state = trn_edit_state(edit);
    if (!state->heap || index >= TRN_CHUNK_VOXELS ||
        (bytes && (unsigned)rule >= TRN_DATA_RULE_COUNT)) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    const TrnDataEntry *found = trn_data_find(trn_edit_data(state), index);
    if (!bytes) {
        return found ? data_erase(state, index) : TRN_RESULT_OK;
    }
    if (size > TRN_DATA_BYTES_MAX) {
        return TRN_RESULT_FULL;
    }
    const TrnBlock block = rule == TRN_DATA_STAYS ? TRN_BLOCK_AIR : trn_voxel_edit_get(edit, index);
    if (found && found->rule == rule && found->block == block &&
        trn_data_has_bytes(found->blob, bytes, size)) {
        return TRN_RESULT_OK;
    }
    const TrnDataEntry entry = {.index = (uint16_t)index, .block = block, .rule = (uint8_t)rule};
    return data_write(state, entry, bytes, (uint32_t)size);
}

bool trn_voxel_edit_get_data(const TrnVoxelEdit *edit, uint32_t index, TrnBlockData *data)
{
    const TrnEditState *state = trn_edit_state_const(edit);
    const TrnDataEntry *entry =
        state->heap ? trn_data_find(trn_edit_data(state), index & (TRN_CHUNK_VOXELS - 1)) : NULL;
    if (!entry || trn_data_is_stale(trn_edit_now(state), entry)) {
        return false;
    }
    if (data) {
        *data = trn_data_of(entry);
    }
    return true;
}

TrnResult trn_voxels_add_data(TrnVoxelHeap *heap, TrnVoxels *voxels, const TrnBlockData *data,
                              size_t count)
{
    TrnVoxelEdit edit;
    TrnResult result = TRN_RESULT_OK;
    const uint64_t revision = trn_snapshot_revision(trn_voxels_snapshot(voxels));
    trn_voxel_edit_begin(&edit, heap, voxels);
    for (size_t i = 0; i < count && result == TRN_RESULT_OK; i++) {
        result = !data[i].bytes ? TRN_RESULT_BAD_ARGUMENT
                                : trn_voxel_edit_set_data(&edit, data[i].index, data[i].bytes,
                                                          data[i].size, data[i].rule);
    }
    if (result == TRN_RESULT_OK) {
        trn_voxel_edit_commit(&edit, revision);
    } else {
        trn_voxel_edit_cancel(&edit);
    }
    return result;
}
