// Tables of block data: read, compared, shared by payloads, and counted by the heap.

#include "voxel_data_impl.h"

#include <stdalign.h>
#include <string.h>

static_assert(sizeof(TrnDataBlob) == 8, "data is aligned to 8");

// ---- memory ------------------------------------------------------------------------------------

static size_t data_table_bytes(uint32_t capacity)
{
    return sizeof(TrnDataTable) + capacity * sizeof(TrnDataEntry);
}

static size_t data_blob_bytes(uint32_t size)
{
    return sizeof(TrnDataBlob) + size;
}

static void data_give(TrnVoxelHeap *heap, void *memory, size_t bytes)
{
    heap->data_bytes -= bytes;
    trn_give(&heap->counted, memory, bytes);
}

static TrnResult data_take(TrnVoxelHeap *heap, size_t bytes, void **memory)
{
    const TrnResult result = trn_voxel_heap_alloc(heap, bytes, alignof(TrnDataTable), memory);
    heap->data_bytes += result == TRN_RESULT_OK ? bytes : 0;
    return result;
}

void trn_data_hold(TrnDataBlob *blob)
{
    if (blob) {
        TRN_ASSERT(blob->refs < UINT32_MAX);
        blob->refs++;
    }
}

void trn_data_release(TrnVoxelHeap *heap, TrnDataBlob *blob)
{
    if (blob && --blob->refs == 0) {
        data_give(heap, blob, data_blob_bytes(blob->size));
    }
}

/// Copies bytes into a new blob, which the caller holds.
static TrnResult data_create_blob(TrnVoxelHeap *heap, const void *bytes, uint32_t size,
                                  TrnDataBlob **blob)
{
    void *memory;
    const TrnResult result = data_take(heap, data_blob_bytes(size), &memory);
    if (result == TRN_RESULT_OK) {
        *blob = memory;
        **blob = (TrnDataBlob){.refs = 1, .size = size};
        if (size) {
            memcpy((*blob)->bytes, bytes, size);
        }
    }
    return result;
}

/// Replaces a table, or none, by a private one with another capacity.
static TrnResult data_copy_table(TrnVoxelHeap *heap, const TrnDataTable *from, uint32_t capacity,
                                 TrnDataTable **table)
{
    void *memory;
    const TrnResult result = data_take(heap, data_table_bytes(capacity), &memory);
    if (result == TRN_RESULT_OK) {
        *table = memory;
        **table = (TrnDataTable){.capacity = capacity, .count = from ? from->count : 0};
        if (from) {
            memcpy((*table)->entries, from->entries, from->count * sizeof *from->entries);
        }
    }
    return result;
}

/// Frees a table that no payload names any more, and releases its blobs.
static void data_free_table(TrnVoxelHeap *heap, TrnDataTable *table)
{
    *(table->older ? &table->older->newer : &heap->tables) = table->newer;
    if (table->newer) {
        table->newer->older = table->older;
    }
    heap->retired_bytes -= table->retired_bytes;
    for (uint32_t i = 0; i < table->count; i++) {
        trn_data_release(heap, table->entries[i].blob);
    }
    data_give(heap, table, data_table_bytes(table->capacity));
}

// ---- payloads ----------------------------------------------------------------------------------

void trn_payload_set_data(TrnPayload *payload, TrnDataTable *table)
{
    trn_payload_owner(payload)->data = table;
    if (table) {
        TRN_ASSERT(table->refs < UINT32_MAX);
        table->refs++;
    }
}

void trn_payload_drop_data(TrnVoxelHeap *heap, TrnPayload *payload, bool was_retired)
{
    TrnDataTable *table = trn_payload_data(payload);
    if (table) {
        trn_payload_owner(payload)->data = NULL;
        table->refs--;
        table->retired -= was_retired;
        if (table->refs == 0) {
            data_free_table(heap, table);
        }
    }
}

void trn_payload_retire_data(TrnVoxelHeap *heap, const TrnPayload *payload, bool is_removed)
{
    TrnDataTable *table = trn_payload_data(payload);
    if (table && ++table->retired == table->refs) {
        table->retired_bytes =
            data_table_bytes(table->capacity) + (is_removed ? table->data_bytes : 0);
        heap->retired_bytes += table->retired_bytes;
    }
}

void trn_voxel_heap_free_data(TrnVoxelHeap *heap)
{
    while (heap->tables) {
        data_free_table(heap, heap->tables);
    }
}

// ---- reading -----------------------------------------------------------------------------------

const TrnDataTable *trn_snapshot_data(TrnSnapshot snapshot)
{
    return trn_snapshot_is_uniform(snapshot) ? NULL
                                             : trn_payload_data(trn_snapshot_payload(snapshot));
}

size_t trn_snapshot_data_bytes(TrnSnapshot snapshot)
{
    const TrnDataTable *table = trn_snapshot_data(snapshot);
    return table ? data_table_bytes(table->capacity) + table->data_bytes : 0;
}

/// The place of the first entry of a voxel or of a later one.
static uint32_t data_lower_bound(const TrnDataTable *table, uint32_t index)
{
    const TrnDataEntry *from = table->entries;
    uint32_t count = table->count;
    while (count > 0) { // without a branch that could be mispredicted
        const uint32_t half = count / 2;
        const bool is_below = from[half].index < index;
        from = is_below ? from + half + 1 : from;
        count = is_below ? count - half - 1 : half;
    }
    return (uint32_t)(from - table->entries);
}

/// The entry of a voxel, or NULL.
static const TrnDataEntry *data_find(const TrnDataTable *table, uint32_t index)
{
    const uint32_t at = table ? data_lower_bound(table, index) : 0;
    return table && at < table->count && table->entries[at].index == index ? &table->entries[at]
                                                                           : NULL;
}

static TrnBlockData data_of(const TrnDataEntry *entry)
{
    return (TrnBlockData){.bytes = entry->blob->bytes,
                          .size = entry->blob->size,
                          .index = entry->index,
                          .rule = (TrnDataRule)entry->rule};
}

bool trn_snapshot_get_data(TrnSnapshot snapshot, uint32_t index, TrnBlockData *data)
{
    const TrnDataEntry *entry =
        data_find(trn_snapshot_data(snapshot), index & (TRN_CHUNK_VOXELS - 1));
    if (entry && data) {
        *data = data_of(entry);
    }
    return entry != NULL;
}

uint32_t trn_snapshot_count_data(TrnSnapshot snapshot)
{
    const TrnDataTable *table = trn_snapshot_data(snapshot);
    return table ? table->count : 0;
}

static bool data_is_in_box(uint32_t index, const uint32_t min[3], const uint32_t max[3])
{
    const uint32_t mask = TRN_CHUNK_EDGE - 1, x = index & mask;
    const uint32_t z = index >> TRN_CHUNK_SHIFT & mask, y = index >> 2 * TRN_CHUNK_SHIFT;
    return x >= min[0] && x <= max[0] && y >= min[1] && y <= max[1] && z >= min[2] && z <= max[2];
}

void trn_snapshot_visit_data(TrnSnapshot snapshot, const uint32_t min[3], const uint32_t max[3],
                             void (*visit)(void *user, const TrnBlockData *data), void *user)
{
    const TrnDataTable *table = trn_snapshot_data(snapshot);
    if (!table || min[1] >= TRN_CHUNK_EDGE) {
        return;
    }
    for (uint32_t i = data_lower_bound(table, min[1] << 2 * TRN_CHUNK_SHIFT); i < table->count;
         i++) {
        const TrnDataEntry *entry = &table->entries[i];
        if (entry->index >> 2 * TRN_CHUNK_SHIFT > max[1]) {
            return;
        }
        if (data_is_in_box(entry->index, min, max)) {
            const TrnBlockData data = data_of(entry);
            visit(user, &data);
        }
    }
}

/// What trn_snapshot_list_data has listed.
typedef struct DataList {
    TrnBlockData *out; ///< [capacity]
    uint32_t capacity, found;
} DataList;

static void data_list_one(void *user, const TrnBlockData *data)
{
    DataList *list = user;
    if (list->found < list->capacity) {
        list->out[list->found] = *data;
    }
    list->found++;
}

uint32_t trn_snapshot_list_data(TrnSnapshot snapshot, const uint32_t min[3], const uint32_t max[3],
                                TrnBlockData *out, uint32_t capacity)
{
    DataList list = {out, capacity, 0};
    trn_snapshot_visit_data(snapshot, min, max, data_list_one, &list);
    return list.found;
}

// ---- comparing ---------------------------------------------------------------------------------

static bool data_has_bytes(const TrnDataBlob *blob, const void *bytes, size_t size)
{
    return blob->size == size && (size == 0 || memcmp(blob->bytes, bytes, size) == 0);
}

static bool data_entries_match(const TrnDataEntry *a, const TrnDataEntry *b)
{
    return a->rule == b->rule && a->block == b->block &&
           (a->blob == b->blob || data_has_bytes(a->blob, b->blob->bytes, b->blob->size));
}

bool trn_data_change_is_none(const TrnDataChange *change)
{
    const TrnDataEntry *before = &change->before, *after = &change->after;
    return before->blob && after->blob ? data_entries_match(before, after)
                                       : before->blob == after->blob;
}

TrnResult trn_data_compare(const TrnDataTable *before, const TrnDataTable *after,
                           TrnDataVisit visit, void *user)
{
    const uint32_t before_count = before ? before->count : 0,
                   after_count = after ? after->count : 0;
    TrnResult result = TRN_RESULT_OK;
    for (uint32_t a = 0, b = 0;
         before != after && result == TRN_RESULT_OK && (a < before_count || b < after_count);) {
        const uint32_t at_a = a < before_count ? before->entries[a].index : TRN_CHUNK_VOXELS;
        const uint32_t at_b = b < after_count ? after->entries[b].index : TRN_CHUNK_VOXELS;
        TrnDataChange change = {.index = (uint16_t)(at_a < at_b ? at_a : at_b)};
        const bool is_in_both = at_a == at_b;
        if (at_a <= at_b) {
            change.before = before->entries[a++];
        }
        if (at_b <= at_a) {
            change.after = after->entries[b++];
        }
        if (!is_in_both || !data_entries_match(&change.before, &change.after)) {
            result = visit(user, &change);
        }
    }
    return result;
}

/// Ends a walk at the first difference.
static TrnResult data_visit_any(void *user, const TrnDataChange *change)
{
    (void)user;
    (void)change;
    return TRN_RESULT_EXISTS;
}

static bool data_differs(const TrnDataTable *before, const TrnDataTable *after)
{
    return trn_data_compare(before, after, data_visit_any, NULL) != TRN_RESULT_OK;
}

bool trn_snapshot_equal_data(TrnSnapshot a, TrnSnapshot b)
{
    return !data_differs(trn_snapshot_data(a), trn_snapshot_data(b));
}

// ---- an edit's private table -------------------------------------------------------------------

static TrnDataTable *data_of_base(const TrnEditState *edit)
{
    const TrnSnapshot base = {edit->base};
    return trn_snapshot_is_uniform(base) ? NULL : trn_payload_data(trn_snapshot_payload(base));
}

const TrnDataTable *trn_edit_data(const TrnEditState *edit)
{
    const TrnDataTable *table = edit->data ? edit->data : data_of_base(edit);
    return table && table->count > 0 ? table : NULL;
}

TrnResult trn_edit_open_data(TrnEditState *edit)
{
    const TrnDataTable *base = data_of_base(edit);
    return edit->data || !base ? TRN_RESULT_OK
                               : data_copy_table(edit->heap, base, base->count, &edit->data);
}

void trn_edit_drop_data(TrnEditState *edit)
{
    TrnDataTable *table = edit->data;
    for (uint32_t i = 0; table && i < table->count; i++) {
        if (table->entries[i].is_own) {
            trn_data_release(edit->heap, table->entries[i].blob);
        }
    }
    if (table) {
        data_give(edit->heap, table, data_table_bytes(table->capacity));
    }
    edit->data = NULL;
}

/// Whether an entry's block is not there any more.
static bool data_is_stale(const TrnEditState *edit, const TrnDataEntry *entry)
{
    return entry->rule != TRN_DATA_STAYS &&
           trn_snapshot_get(trn_edit_now(edit), entry->index) != entry->block;
}

bool trn_edit_purge_data(TrnEditState *edit)
{
    TrnDataTable *table = edit->data;
    uint32_t kept = 0;
    for (uint32_t i = 0; table && i < table->count; i++) {
        const TrnDataEntry entry = table->entries[i];
        if (!data_is_stale(edit, &entry)) {
            table->entries[kept++] = entry;
        } else if (entry.is_own) {
            trn_data_release(edit->heap, entry.blob);
        }
    }
    if (table) {
        table->count = kept;
    }
    return table && data_differs(data_of_base(edit), table);
}

/// Publishes the private table: counts the blobs that it shares, and links it into the heap's list.
static TrnDataTable *data_publish_table(TrnEditState *edit)
{
    TrnDataTable *table = edit->data;
    for (uint32_t i = 0; i < table->count; i++) {
        TrnDataEntry *entry = &table->entries[i];
        if (!entry->is_own) {
            trn_data_hold(entry->blob);
        }
        entry->is_own = false;
        table->data_bytes += data_blob_bytes(entry->blob->size);
    }
    table->newer = edit->heap->tables;
    if (table->newer) {
        table->newer->older = table;
    }
    edit->heap->tables = table;
    edit->data = NULL;
    return table;
}

void trn_edit_publish_data(TrnEditState *edit, TrnPayload *payload)
{
    if (!edit->data) {
        return;
    }
    if (!trn_edit_purge_data(edit)) {
        trn_payload_set_data(payload, data_of_base(edit));
        trn_edit_drop_data(edit);
    } else if (edit->data->count == 0) {
        trn_edit_drop_data(edit);
    } else {
        trn_payload_set_data(payload, data_publish_table(edit));
    }
}

// ---- changing it -------------------------------------------------------------------------------

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
    const TrnResult result = data_copy_table(
        edit->heap, table, wanted < TRN_DATA_VOXELS_MAX ? wanted : TRN_DATA_VOXELS_MAX, &larger);
    if (result == TRN_RESULT_OK) {
        if (table) { // its blobs have moved
            data_give(edit->heap, table, data_table_bytes(table->capacity));
        }
        edit->data = larger;
    }
    return result;
}

/// Writes an entry, which has its own blob. Capacity is reserved.
static void data_insert(TrnEditState *edit, const TrnDataEntry *entry)
{
    TrnDataTable *table = edit->data;
    const uint32_t at = data_lower_bound(table, entry->index);
    TrnDataEntry *to = &table->entries[at];
    if (at < table->count && to->index == entry->index) {
        if (to->is_own) {
            trn_data_release(edit->heap, to->blob);
        }
    } else {
        memmove(to + 1, to, (table->count - at) * sizeof *to);
        table->count++;
    }
    *to = *entry;
    to->is_own = true;
}

static void data_remove(TrnEditState *edit, uint32_t index)
{
    TrnDataTable *table = edit->data;
    const uint32_t at = data_lower_bound(table, index);
    TrnDataEntry *entry = &table->entries[at];
    TRN_ASSERT(at < table->count && entry->index == index);
    if (entry->is_own) {
        trn_data_release(edit->heap, entry->blob);
    }
    table->count--;
    memmove(entry, entry + 1, (table->count - at) * sizeof *entry);
}

/// Sets the data of a voxel: the blob of another table or of a history, or bytes for a new blob.
/// @param bytes  of the new blob; NULL: the entry's
static TrnResult data_write(TrnEditState *edit, TrnDataEntry entry, const void *bytes,
                            uint32_t size)
{
    TrnResult result = trn_edit_open_copy(edit);
    if (result == TRN_RESULT_OK && !data_find(edit->data, entry.index)) {
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
    const TrnDataEntry *found = data_find(trn_edit_data(edit), entry->index);
    if (!entry->blob) {
        return found ? data_erase(edit, entry->index) : TRN_RESULT_OK;
    }
    return found && data_entries_match(found, entry) ? TRN_RESULT_OK
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
    const TrnDataEntry *found = data_find(trn_edit_data(state), index);
    if (!bytes) {
        return found ? data_erase(state, index) : TRN_RESULT_OK;
    }
    if (size > TRN_DATA_BYTES_MAX) {
        return TRN_RESULT_FULL;
    }
    const TrnBlock block = rule == TRN_DATA_STAYS ? TRN_BLOCK_AIR : trn_voxel_edit_get(edit, index);
    if (found && found->rule == rule && found->block == block &&
        data_has_bytes(found->blob, bytes, size)) {
        return TRN_RESULT_OK;
    }
    const TrnDataEntry entry = {.index = (uint16_t)index, .block = block, .rule = (uint8_t)rule};
    return data_write(state, entry, bytes, (uint32_t)size);
}

bool trn_voxel_edit_get_data(const TrnVoxelEdit *edit, uint32_t index, TrnBlockData *data)
{
    const TrnEditState *state = trn_edit_state_const(edit);
    const TrnDataEntry *entry =
        state->heap ? data_find(trn_edit_data(state), index & (TRN_CHUNK_VOXELS - 1)) : NULL;
    if (!entry || data_is_stale(state, entry)) {
        return false;
    }
    if (data) {
        *data = data_of(entry);
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
