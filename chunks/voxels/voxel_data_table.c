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

static void data_free_part(TrnVoxelHeap *heap, TrnDataPart *part)
{
    for (uint32_t i = 0; i < trn_data_count(part); i++) {
        if (part->entries[i].is_own) {
            trn_data_release(heap, part->entries[i].blob);
        }
    }
    trn_data_give(heap, part, trn_data_part_bytes(part->capacity));
}

void trn_data_free_table(TrnVoxelHeap *heap, TrnDataTable *table)
{
    const uint32_t parts = trn_data_part_count(table);
    for (uint32_t at = 0; (at = trn_data_next_owned(table, at)) < parts; at++) {
        if (table->parts[at]) {
            data_free_part(heap, table->parts[at]);
        }
    }
    trn_data_give(heap, table, trn_data_table_bytes(table->part_shift));
}

/// Frees a table that no payload names any more.
static void data_free_published(TrnVoxelHeap *heap, TrnDataTable *table)
{
    *(table->older ? &table->older->newer : &heap->tables) = table->newer;
    if (table->newer) {
        table->newer->older = table->older;
    }
    heap->retired_bytes -= table->is_retired ? table->own_bytes : 0;
    trn_data_free_table(heap, table);
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
            data_free_published(heap, table);
        }
    }
}

void trn_payload_retire_data(TrnVoxelHeap *heap, const TrnPayload *payload)
{
    TrnDataTable *table = trn_payload_data(payload);
    if (table && ++table->retired == table->refs) {
        table->is_retired = true;
        heap->retired_bytes += table->own_bytes;
    }
}

void trn_voxel_heap_free_data(TrnVoxelHeap *heap)
{
    while (heap->tables) {
        data_free_published(heap, heap->tables);
    }
}

// ---- reading -----------------------------------------------------------------------------------

const TrnDataTable *trn_snapshot_data(TrnSnapshot snapshot)
{
    return trn_snapshot_is_uniform(snapshot) ? NULL
                                             : trn_payload_data(trn_snapshot_payload(snapshot));
}

size_t trn_data_bytes(const TrnDataTable *table)
{
    return trn_data_table_bytes(table->part_shift) + table->parts_bytes + table->content_bytes +
           table->count * sizeof(TrnDataBlob);
}

size_t trn_snapshot_data_bytes(TrnSnapshot snapshot)
{
    const TrnDataTable *table = trn_snapshot_data(snapshot);
    return table ? trn_data_bytes(table) : 0;
}

/// Some of the entries of a part.
typedef struct DataRange {
    TrnDataPart *part;
    uint32_t from, count;
} DataRange;

/// The entries of the run of a voxel.
static inline DataRange data_range_of(const TrnDataTable *table, uint32_t index)
{
    const uint32_t shift = table->part_shift;
    if (shift == TRN_DATA_SINGLE) { // a branch, which is predicted: no load waits for another
        const uint16_t *starts = trn_data_starts(table) + trn_data_run(TRN_DATA_SINGLE, index);
        return (DataRange){table->parts[0], starts[0], (uint32_t)starts[1] - starts[0]};
    }
    TrnDataPart *part = table->parts[index >> shift];
    const uint16_t *starts = part ? &part->starts[trn_data_run(shift, index)] : NULL;
    return (DataRange){part, part ? starts[0] : 0, part ? (uint32_t)starts[1] - starts[0] : 0};
}

/// Narrows a range, by halves, to the entry of a voxel or one next to it, unless it is empty.
static inline DataRange data_narrow(DataRange range, uint32_t index)
{
    while (range.count > 1) { // without a branch that could be mispredicted
        const uint32_t half = range.count / 2;
        const uint32_t is_below = range.part->entries[range.from + half - 1].index < index;
        range.from += half & (0 - is_below);
        range.count -= half;
    }
    return range;
}

uint32_t trn_data_place(const TrnDataTable *table, uint32_t index)
{
    const DataRange range = data_narrow(data_range_of(table, index), index);
    return range.from + (range.count == 1 && range.part->entries[range.from].index < index);
}

/// trn_data_find, inline.
static inline TrnDataEntry *data_find(const TrnDataTable *table, uint32_t index)
{
    const DataRange range = data_narrow(data_range_of(table, index), index);
    if (range.count == 0 || range.part->entries[range.from].index != index) {
        return NULL;
    }
    return &range.part->entries[range.from];
}

TrnDataEntry *trn_data_find(const TrnDataTable *table, uint32_t index)
{
    return table ? data_find(table, index) : NULL;
}

TrnDataCursor trn_data_first_of(const TrnDataTable *table, uint32_t first, uint32_t last)
{
    return (TrnDataCursor){.table = table, .first = first, .last = last};
}

TrnDataCursor trn_data_first(const TrnDataTable *table)
{
    return trn_data_first_of(table, 0, table ? trn_data_part_count(table) : 0);
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
    const TrnDataTable *table = trn_snapshot_data(snapshot);
    const TrnDataEntry *entry = table ? data_find(table, index & (TRN_CHUNK_VOXELS - 1)) : NULL;
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
    const uint32_t layer = 2 * TRN_CHUNK_SHIFT, parts = trn_data_part_count(table);
    for (uint32_t at = min[1] << layer >> table->part_shift; at < parts; at++) {
        const TrnDataPart *part = table->parts[at];
        const uint32_t count = part ? trn_data_count(part) : 0;
        for (uint32_t i = 0; i < count; i++) {
            const TrnDataEntry *entry = &part->entries[i];
            if ((uint32_t)entry->index >> layer > max[1]) {
                return;
            }
            if (data_is_in_box(entry->index, min, max)) {
                const TrnBlockData data = trn_data_of(entry);
                visit(user, &data);
            }
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

/// An entry without what readers must not read.
static TrnDataEntry data_value(const TrnDataEntry *entry)
{
    return (TrnDataEntry){
        .blob = entry->blob, .index = entry->index, .block = entry->block, .rule = entry->rule};
}

/// trn_data_compare from two places on.
static TrnResult data_compare_from(TrnDataCursor before, TrnDataCursor after, TrnDataVisit visit,
                                   void *user)
{
    const TrnDataEntry *a = trn_data_next(&before), *b = trn_data_next(&after);
    TrnResult result = TRN_RESULT_OK;
    while ((a || b) && result == TRN_RESULT_OK) {
        const bool takes_a = a && (!b || a->index <= b->index);
        const bool takes_b = b && (!a || b->index <= a->index);
        TrnDataChange change = {.index = takes_a ? a->index : b->index};
        if (takes_a) {
            change.before = data_value(a);
            a = trn_data_next(&before);
        }
        if (takes_b) {
            change.after = data_value(b);
            b = trn_data_next(&after);
        }
        if (!trn_data_change_is_none(&change)) {
            result = visit(user, &change);
        }
    }
    return result;
}

TrnResult trn_data_compare(const TrnDataTable *before, const TrnDataTable *after,
                           TrnDataVisit visit, void *user)
{
    if (!before || !after || before->part_shift != after->part_shift) {
        return data_compare_from(trn_data_first(before), trn_data_first(after), visit, user);
    }
    const uint32_t parts = trn_data_part_count(before);
    TrnResult result = TRN_RESULT_OK;
    for (uint32_t at = 0; at < parts && result == TRN_RESULT_OK; at++) {
        if (before->parts[at] != after->parts[at]) { // most are shared
            result = data_compare_from(trn_data_first_of(before, at, at + 1),
                                       trn_data_first_of(after, at, at + 1), visit, user);
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
