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
    return trn_data_purge(edit->heap, (TrnSnapshot){edit->base}, trn_edit_now(edit), &edit->data);
}

/// Makes the private copy and the private table.
static TrnResult data_open(TrnEditState *edit)
{
    TrnResult result = trn_edit_flush(edit); // so that later the content can be read
    if (result == TRN_RESULT_OK) {
        result = trn_edit_make_copy(edit);
    }
    return result == TRN_RESULT_OK
               ? trn_data_open(edit->heap, (TrnSnapshot){edit->base}, &edit->data)
               : result;
}

/// Makes the private table own the part of a voxel, with capacity for its entry.
static TrnResult data_reserve(TrnEditState *edit, uint32_t index)
{
    const bool is_new = !trn_data_find(edit->data, index);
    if (is_new && edit->data->count == TRN_DATA_VOXELS_MAX) {
        (void)trn_edit_purge_data(edit);
    }
    return is_new && edit->data->count == TRN_DATA_VOXELS_MAX
               ? TRN_RESULT_FULL
               : trn_data_reserve(edit->heap, &edit->data, index, is_new);
}

/// Writes an entry, which has its own blob, to a part that data_reserve has prepared.
static void data_insert(TrnEditState *edit, const TrnDataEntry *entry)
{
    TrnDataTable *table = edit->data;
    TrnDataPart *part = table->parts[entry->index >> table->part_shift];
    const uint32_t at = trn_data_place(table, entry->index), behind = trn_data_count(part) - at;
    TrnDataEntry *to = &part->entries[at];
    table->content_bytes += entry->blob->size;
    if (behind > 0 && to->index == entry->index) {
        table->content_bytes -= to->blob->size;
        if (to->is_own) {
            trn_data_release(edit->heap, to->blob);
        }
    } else {
        memmove(to + 1, to, behind * sizeof *to);
        trn_data_count_entry(table, part, entry->index, 1);
        table->count++;
    }
    *to = *entry;
    to->is_own = true;
    table->is_written = true;
}

/// Removes an entry from a part that the private table owns.
static void data_remove(TrnEditState *edit, uint32_t index)
{
    TrnDataTable *table = edit->data;
    TrnDataPart *part = table->parts[index >> table->part_shift];
    const uint32_t at = trn_data_place(table, index), behind = trn_data_count(part) - at - 1;
    TrnDataEntry *entry = &part->entries[at];
    TRN_ASSERT(at < trn_data_count(part) && entry->index == index);
    table->content_bytes -= entry->blob->size;
    if (entry->is_own) {
        trn_data_release(edit->heap, entry->blob);
    }
    table->is_written = true;
    table->count--;
    trn_data_count_entry(table, part, index, -1);
    memmove(entry, entry + 1, behind * sizeof *entry);
}

/// Whether the chunk may have as much data.
static bool data_has_capacity(TrnEditState *edit, uint32_t index, uint32_t size)
{
    for (int is_purged = 0; is_purged < 2; is_purged++) {
        const TrnDataTable *table = edit->data;
        const TrnDataEntry *found = trn_data_find(table, index);
        const size_t others = table->content_bytes - (found ? found->blob->size : 0);
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
    TrnResult result = data_open(edit);
    if (result == TRN_RESULT_OK &&
        !data_has_capacity(edit, entry.index, bytes ? size : entry.blob->size)) {
        result = TRN_RESULT_FULL;
    }
    if (result == TRN_RESULT_OK) {
        result = data_reserve(edit, entry.index);
    }
    if (result == TRN_RESULT_OK && bytes) {
        result = data_create_blob(edit->heap, bytes, size, &entry.blob);
    } else if (result == TRN_RESULT_OK) {
        trn_data_hold(entry.blob);
    }
    if (result == TRN_RESULT_OK) {
        data_insert(edit, &entry);
        edit->data->may_be_stale |= trn_data_is_stale(trn_edit_now(edit), &entry);
    }
    return trn_edit_settle(edit, result);
}

/// Removes the data of a voxel that has some.
static TrnResult data_erase(TrnEditState *edit, uint32_t index)
{
    TrnResult result = data_open(edit);
    if (result == TRN_RESULT_OK) {
        result = trn_data_own_part(edit->heap, edit->data, index >> edit->data->part_shift, 0);
    }
    if (result == TRN_RESULT_OK) {
        data_remove(edit, index);
    }
    return trn_edit_settle(edit, result);
}

TrnResult trn_edit_touch(TrnEditState *edit)
{
    return trn_edit_settle(edit, trn_edit_make_copy(edit));
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
    if (!entry ||
        (entry->rule != TRN_DATA_STAYS && trn_voxel_edit_get(edit, entry->index) != entry->block)) {
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
