// Tables of block data: counted, read and compared.

#include "voxel_data_table_impl.h"

#include <string.h>

static_assert(sizeof(TrnDataBlob) == 8, "data is aligned to 8");

// ---- memory ------------------------------------------------------------------------------------

void trn_data_give(TrnVoxelHeap *heap, void *memory, size_t bytes)
{
    heap->data_bytes -= bytes;
    trn_give(&heap->counted, memory, bytes);
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
        trn_data_give(heap, blob, trn_data_blob_bytes(blob->size));
    }
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
    trn_data_give(heap, table, trn_data_table_bytes(table->capacity));
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
            trn_data_table_bytes(table->capacity) + (is_removed ? table->data_bytes : 0);
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
    return table ? trn_data_table_bytes(table->capacity) + table->data_bytes : 0;
}

uint32_t trn_data_lower_bound(const TrnDataTable *table, uint32_t index)
{
    const uint32_t part = index / (TRN_CHUNK_VOXELS / TRN_DATA_PARTS);
    uint32_t from = table->has_starts ? table->starts[part] : 0;
    uint32_t count = (table->has_starts ? table->starts[part + 1] : table->count) - from;
    while (count > 1) { // without a branch that could be mispredicted
        const uint32_t half = count / 2;
        const uint32_t is_below = table->entries[from + half - 1].index < index;
        from += half & (0 - is_below);
        count -= half;
    }
    return from + (count == 1 && table->entries[from].index < index);
}

const TrnDataEntry *trn_data_find(const TrnDataTable *table, uint32_t index)
{
    const uint32_t at = table ? trn_data_lower_bound(table, index) : 0;
    return table && at < table->count && table->entries[at].index == index ? &table->entries[at]
                                                                           : NULL;
}

TrnBlockData trn_data_of(const TrnDataEntry *entry)
{
    return (TrnBlockData){.bytes = entry->blob->bytes,
                          .size = entry->blob->size,
                          .index = entry->index,
                          .rule = (TrnDataRule)entry->rule};
}

bool trn_snapshot_get_data(TrnSnapshot snapshot, uint32_t index, TrnBlockData *data)
{
    const TrnDataEntry *entry =
        trn_data_find(trn_snapshot_data(snapshot), index & (TRN_CHUNK_VOXELS - 1));
    if (entry && data) {
        *data = trn_data_of(entry);
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
    for (uint32_t i = trn_data_lower_bound(table, min[1] << 2 * TRN_CHUNK_SHIFT); i < table->count;
         i++) {
        const TrnDataEntry *entry = &table->entries[i];
        if (entry->index >> 2 * TRN_CHUNK_SHIFT > max[1]) {
            return;
        }
        if (data_is_in_box(entry->index, min, max)) {
            const TrnBlockData data = trn_data_of(entry);
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

bool trn_data_has_bytes(const TrnDataBlob *blob, const void *bytes, size_t size)
{
    return blob->size == size && (size == 0 || memcmp(blob->bytes, bytes, size) == 0);
}

bool trn_data_entries_match(const TrnDataEntry *a, const TrnDataEntry *b)
{
    return a->rule == b->rule && a->block == b->block &&
           (a->blob == b->blob || trn_data_has_bytes(a->blob, b->blob->bytes, b->blob->size));
}

bool trn_data_change_is_none(const TrnDataChange *change)
{
    const TrnDataEntry *before = &change->before, *after = &change->after;
    return before->blob && after->blob ? trn_data_entries_match(before, after)
                                       : before->blob == after->blob;
}

/// The entry at a place of a table, or NULL behind the last.
static const TrnDataEntry *data_entry_at(const TrnDataTable *table, uint32_t place)
{
    return table && place < table->count ? &table->entries[place] : NULL;
}

TrnResult trn_data_compare(const TrnDataTable *before, const TrnDataTable *after,
                           TrnDataVisit visit, void *user)
{
    if (before == after) {
        return TRN_RESULT_OK;
    }
    const TrnDataEntry *a = data_entry_at(before, 0), *b = data_entry_at(after, 0);
    uint32_t at_a = 0, at_b = 0;
    TrnResult result = TRN_RESULT_OK;
    while ((a || b) && result == TRN_RESULT_OK) {
        const bool takes_a = a && (!b || a->index <= b->index);
        const bool takes_b = b && (!a || b->index <= a->index);
        TrnDataChange change = {.index = takes_a ? a->index : b->index};
        if (takes_a) {
            change.before = *a;
            a = data_entry_at(before, ++at_a);
        }
        if (takes_b) {
            change.after = *b;
            b = data_entry_at(after, ++at_b);
        }
        if (!trn_data_change_is_none(&change)) {
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

bool trn_data_differs(const TrnDataTable *before, const TrnDataTable *after)
{
    return trn_data_compare(before, after, data_visit_any, NULL) != TRN_RESULT_OK;
}

bool trn_snapshot_equal_data(TrnSnapshot a, TrnSnapshot b)
{
    return !trn_data_differs(trn_snapshot_data(a), trn_snapshot_data(b));
}
