// The private table of an edit: made, purged, published or dropped.

#include "voxel_data_edit.h"

#include <stdalign.h>
#include <string.h>

/// The most entries of a table with a single part, and the number of parts that it is divided into.
#define DATA_SINGLE_ENTRIES 64u
#define DATA_FIRST_PARTS 16u
/// A part with more entries is divided, if the parts of its table have this many in the mean.
#define DATA_PART_ENTRIES 32u
#define DATA_MEAN_ENTRIES 4u
/// With as many entries, comparing all blocks is faster than comparing those of each entry.
#define DATA_DIFF_ENTRIES 512u

TrnResult trn_data_take(TrnVoxelHeap *heap, size_t bytes, void **memory)
{
    const TrnResult result = trn_voxel_heap_alloc(heap, bytes, alignof(TrnDataTable), memory);
    heap->data_bytes += result == TRN_RESULT_OK ? bytes : 0;
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

// ---- parts -------------------------------------------------------------------------------------

/// @param from  a table of the same division, whose list of parts the new one gets; NULL: no parts
static TrnResult data_take_table(TrnVoxelHeap *heap, uint32_t part_shift, const TrnDataTable *from,
                                 TrnDataTable **table)
{
    void *memory;
    const size_t bytes = trn_data_table_bytes(part_shift);
    const TrnResult result = trn_data_take(heap, bytes, &memory);
    if (result == TRN_RESULT_OK) {
        *table = memory;
        **table = (TrnDataTable){.part_shift = (uint8_t)part_shift};
        if (from) {
            memcpy((*table)->parts, from->parts, bytes - sizeof *from);
        } else {
            memset((*table)->parts, 0, bytes - sizeof **table);
        }
    }
    return result;
}

static TrnResult data_take_part(TrnVoxelHeap *heap, uint32_t capacity, TrnDataPart **part)
{
    void *memory;
    const TrnResult result = trn_data_take(heap, trn_data_part_bytes(capacity), &memory);
    if (result == TRN_RESULT_OK) {
        *part = memory;
        **part = (TrnDataPart){.capacity = (uint16_t)capacity};
    }
    return result;
}

/// Frees a part whose entries are gone or in another part. @param part  may be NULL
static void data_give_part(TrnVoxelHeap *heap, TrnDataPart *part)
{
    if (part) {
        trn_data_give(heap, part, trn_data_part_bytes(part->capacity));
    }
}

void trn_data_count_entry(const TrnDataTable *table, TrnDataPart *part, uint32_t index, int change)
{
    const bool is_single = table->part_shift == TRN_DATA_SINGLE;
    const uint32_t runs = is_single ? TRN_DATA_SINGLE_RUNS : TRN_DATA_RUNS;
    uint16_t *starts = is_single ? trn_data_starts(table) : part->starts;
    for (uint32_t run = trn_data_run(table->part_shift, index) + 1; run <= runs; run++) {
        starts[run] = (uint16_t)(starts[run] + change);
    }
    part->starts[TRN_DATA_RUNS] = starts[runs];
}

/// Appends an entry to the part of its voxel, which has capacity.
static void data_append(const TrnDataTable *table, const TrnDataEntry *entry, bool is_own)
{
    TrnDataPart *part = table->parts[entry->index >> table->part_shift];
    TrnDataEntry *to = &part->entries[trn_data_count(part)];
    trn_data_count_entry(table, part, entry->index, 1);
    *to = *entry;
    to->is_own = is_own;
}

/// Makes a private table own a part, or none.
static void data_put_part(TrnDataTable *table, uint32_t at, TrnDataPart *part)
{
    const TrnDataPart *old = table->parts[at];
    table->parts_bytes -= old ? (uint32_t)trn_data_part_bytes(old->capacity) : 0;
    table->parts_bytes += part ? (uint32_t)trn_data_part_bytes(part->capacity) : 0;
    table->parts[at] = part;
    table->owned[at / 64] |= UINT64_C(1) << at % 64;
}

TrnResult trn_data_own_part(TrnVoxelHeap *heap, TrnDataTable *table, uint32_t at, uint32_t more)
{
    TrnDataPart *part = table->parts[at], *made;
    const bool is_own = trn_data_owns(table, at);
    const uint32_t count = part ? trn_data_count(part) : 0;
    if (is_own && part && count + more <= part->capacity) {
        return TRN_RESULT_OK;
    }
    // Exact for a single change; an edit of many does not copy the part for each.
    const TrnResult result = data_take_part(heap, count + more + (is_own ? count / 8 : 0), &made);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    if (part) {
        memcpy(made->starts, part->starts, sizeof made->starts);
        memcpy(made->entries, part->entries, count * sizeof *part->entries);
    }
    for (uint32_t i = 0; i < count; i++) {
        made->entries[i].is_own &= is_own;
    }
    data_put_part(table, at, made);
    data_give_part(heap, is_own ? part : NULL);
    return TRN_RESULT_OK;
}

// ---- private tables ----------------------------------------------------------------------------

TrnResult trn_data_open(TrnVoxelHeap *heap, TrnSnapshot base, TrnDataTable **private)
{
    const TrnDataTable *from = data_of_base(base);
    if (*private) {
        return TRN_RESULT_OK;
    }
    const TrnResult result =
        data_take_table(heap, from ? from->part_shift : TRN_DATA_SINGLE, from, private);
    if (result == TRN_RESULT_OK && from) {
        (*private)->count = from->count;
        (*private)->content_bytes = from->content_bytes;
        (*private)->parts_bytes = from->parts_bytes;
    }
    return result;
}

/// Frees the parts that a private table owns, without their blobs, and the table.
static void data_give_table(TrnVoxelHeap *heap, TrnDataTable *table)
{
    const uint32_t parts = trn_data_part_count(table);
    for (uint32_t at = 0; (at = trn_data_next_owned(table, at)) < parts; at++) {
        data_give_part(heap, table->parts[at]);
    }
    trn_data_give(heap, table, trn_data_table_bytes(table->part_shift));
}

static void data_give_flat(TrnVoxelHeap *heap, TrnDataTable *table)
{
    if (table->flat) {
        data_give_table(heap, table->flat);
        table->flat = NULL;
    }
}

/// Gives a private table a flat one with capacity for some entries.
static TrnResult data_take_flat(TrnVoxelHeap *heap, TrnDataTable *table, uint32_t count)
{
    TrnDataTable *flat;
    TrnDataPart *part;
    if (table->flat && table->flat->parts[0]->capacity >= count) {
        return TRN_RESULT_OK;
    }
    TrnResult result = data_take_table(heap, TRN_DATA_SINGLE, NULL, &flat);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    result = data_take_part(heap, count + (table->flat ? count / 8 : 0), &part);
    if (result != TRN_RESULT_OK) {
        data_give_table(heap, flat);
        return result;
    }
    data_put_part(flat, 0, part);
    data_give_flat(heap, table);
    table->flat = flat;
    return TRN_RESULT_OK;
}

TrnResult trn_data_open_flat(TrnVoxelHeap *heap, TrnSnapshot base, TrnDataTable **private)
{
    if (!*private && !data_of_base(base)) {
        return TRN_RESULT_OK;
    }
    const TrnResult result = trn_data_open(heap, base, private);
    if (result != TRN_RESULT_OK || (*private)->count == 0) {
        return result;
    }
    return (*private)->part_shift == TRN_DATA_SINGLE
               ? trn_data_own_part(heap, *private, 0, 0)
               : data_take_flat(heap, *private, (*private)->count);
}

/// Gives a new table empty parts for the entries of another.
static TrnResult data_take_parts(TrnVoxelHeap *heap, const TrnDataTable *from, TrnDataTable *table)
{
    uint16_t counts[TRN_DATA_PARTS_MAX] = {0};
    TrnDataCursor cursor = trn_data_first(from);
    TrnResult result = TRN_RESULT_OK;
    for (const TrnDataEntry *entry; (entry = trn_data_next(&cursor));) {
        counts[entry->index >> table->part_shift]++;
    }
    for (uint32_t at = 0; at < trn_data_part_count(table) && result == TRN_RESULT_OK; at++) {
        TrnDataPart *part = NULL;
        result = counts[at] ? data_take_part(heap, counts[at], &part) : TRN_RESULT_OK;
        data_put_part(table, at, part);
    }
    return result;
}

/// Replaces a private table by a new one, whose parts are empty and have capacity for its entries.
static void data_replace(TrnVoxelHeap *heap, TrnDataTable **private, TrnDataTable *table)
{
    TrnDataTable *from = *private;
    TrnDataCursor cursor = trn_data_first(from);
    for (const TrnDataEntry *entry; (entry = trn_data_next(&cursor));) {
        data_append(table, entry, entry->is_own && trn_data_owns(from, cursor.part));
    }
    table->count = from->count;
    table->content_bytes = from->content_bytes;
    table->is_written = from->is_written;
    table->may_be_stale = from->may_be_stale;
    table->flat = from->flat;
    data_give_table(heap, from);
    *private = table;
}

/// How many parts suit a private table that gets an entry of a voxel.
static uint32_t data_parts_for(const TrnDataTable *table, uint32_t index)
{
    const TrnDataPart *part = table->parts[index >> table->part_shift];
    const uint32_t parts = trn_data_part_count(table), count = part ? trn_data_count(part) : 0;
    if (parts == 1) {
        return count < DATA_SINGLE_ENTRIES ? 1 : DATA_FIRST_PARTS;
    }
    const bool is_dense = count >= DATA_PART_ENTRIES && table->count >= parts * DATA_MEAN_ENTRIES;
    return is_dense && parts < TRN_DATA_PARTS_MAX ? parts * 2 : parts;
}

/// Gives a private table other parts.
static TrnResult data_divide(TrnVoxelHeap *heap, TrnDataTable **private, uint32_t parts)
{
    TrnDataTable *table;
    const uint32_t shift = TRN_DATA_SINGLE - (uint32_t)__builtin_ctz(parts);
    TrnResult result = data_take_table(heap, shift, NULL, &table);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    result = data_take_parts(heap, *private, table);
    if (result == TRN_RESULT_OK) {
        data_replace(heap, private, table);
    } else {
        data_give_table(heap, table);
    }
    return result;
}

TrnResult trn_data_reserve(TrnVoxelHeap *heap, TrnDataTable **private, uint32_t index,
                           uint32_t more)
{
    TrnResult result = TRN_RESULT_OK;
    for (uint32_t parts; result == TRN_RESULT_OK && (parts = data_parts_for(*private, index)) !=
                                                        trn_data_part_count(*private);) {
        result = data_divide(heap, private, parts);
    }
    if (result == TRN_RESULT_OK && (*private)->flat) {
        result = data_take_flat(heap, *private, (*private)->count + more);
    }
    return result == TRN_RESULT_OK
               ? trn_data_own_part(heap, *private, index >> (*private)->part_shift, more)
               : result;
}

void trn_data_drop(TrnVoxelHeap *heap, TrnDataTable **private)
{
    if (*private) {
        data_give_flat(heap, *private);
        trn_data_free_table(heap, *private);
    }
    *private = NULL;
}

// ---- stale entries -----------------------------------------------------------------------------

bool trn_data_is_stale(TrnSnapshot now, const TrnDataEntry *entry)
{
    return entry->rule != TRN_DATA_STAYS && trn_snapshot_get(now, entry->index) != entry->block;
}

/// The place of the first stale entry of a part, or the number of entries.
/// @param is_moved  false: only entries that the edit has written can be stale
static uint32_t data_first_stale(TrnSnapshot now, bool is_moved, const TrnDataPart *part)
{
    const uint32_t count = trn_data_count(part);
    uint32_t at = 0;
    while (at < count && !((is_moved || part->entries[at].is_own) &&
                           trn_data_is_stale(now, &part->entries[at]))) {
        at++;
    }
    return at;
}

/// Removes stale entries from a part that a private table owns. @param is_moved  as above
static void data_purge_part(TrnVoxelHeap *heap, TrnSnapshot now, bool is_moved, TrnDataTable *table,
                            TrnDataPart *part)
{
    const uint32_t count = trn_data_count(part);
    uint32_t kept = data_first_stale(now, is_moved, part);
    table->is_written |= kept < count;
    for (uint32_t i = kept; i < count; i++) {
        const TrnDataEntry entry = part->entries[i];
        if ((is_moved || entry.is_own) && trn_data_is_stale(now, &entry)) {
            table->count--;
            table->content_bytes -= entry.blob->size;
            trn_data_count_entry(table, part, entry.index, -1);
            if (entry.is_own) {
                trn_data_release(heap, entry.blob);
            }
        } else {
            part->entries[kept++] = entry;
        }
    }
}

/// Removes stale entries from a part that a private table borrows: from a copy, or, if memory is
/// short, from the flat table, to which all entries move.
static void data_purge_borrowed(TrnVoxelHeap *heap, TrnSnapshot now, uint32_t at,
                                TrnDataTable **private)
{
    TrnDataTable *table = *private;
    if (trn_data_own_part(heap, table, at, 0) != TRN_RESULT_OK) {
        TrnDataTable *flat = table->flat;
        table->flat = NULL;
        data_replace(heap, private, flat);
        table = flat;
        at = 0;
    }
    data_purge_part(heap, now, true, table, table->parts[at]);
}

/// Removes stale entries of voxels that have other blocks than the chunk.
/// @param rows  one bit a voxel that has
static void data_purge_voxels(TrnVoxelHeap *heap, TrnSnapshot now, const uint32_t *rows,
                              TrnDataTable **private)
{
    for (uint32_t row = 0; row < TRN_CHUNK_ROWS; row++) {
        while (row < TRN_CHUNK_ROWS - 1 && rows[row] == 0) { // most are
            row++;
        }
        for (uint32_t left = rows[row]; left; left &= left - 1) {
            const uint32_t index = row << TRN_CHUNK_SHIFT | (uint32_t)__builtin_ctz(left);
            const TrnDataEntry *entry = trn_data_find(*private, index);
            if (entry && trn_data_is_stale(now, entry)) {
                data_purge_borrowed(heap, now, index >> (*private)->part_shift, private);
            }
        }
    }
}

/// Removes stale entries from all parts that a private table borrows.
static void data_purge_parts(TrnVoxelHeap *heap, TrnSnapshot now, TrnDataTable **private)
{
    for (uint32_t at = 0; at < trn_data_part_count(*private); at++) {
        const TrnDataPart *part = (*private)->parts[at];
        if (part && !trn_data_owns(*private, at) &&
            data_first_stale(now, true, part) < trn_data_count(part)) {
            data_purge_borrowed(heap, now, at, private);
        }
    }
}

/// Removes stale entries from a private table.
static void data_purge(TrnVoxelHeap *heap, TrnSnapshot base, TrnSnapshot now,
                       TrnDataTable **private)
{
    uint32_t rows[TRN_CHUNK_ROWS];
    TrnDataTable *table = *private;
    const bool is_moved = now.word != base.word;
    if (!table || !(is_moved || table->may_be_stale)) {
        return;
    }
    const uint32_t parts = trn_data_part_count(table);
    for (uint32_t at = 0; (at = trn_data_next_owned(table, at)) < parts; at++) {
        if (table->parts[at]) {
            data_purge_part(heap, now, is_moved, table, table->parts[at]);
        }
    }
    if (is_moved && table->count >= DATA_DIFF_ENTRIES &&
        trn_snapshot_diff(base, now, rows) < table->count) {
        data_purge_voxels(heap, now, rows, private);
    } else if (is_moved) {
        data_purge_parts(heap, now, private);
    }
}

bool trn_data_purge(TrnVoxelHeap *heap, TrnSnapshot base, TrnSnapshot now, TrnDataTable **private)
{
    data_purge(heap, base, now, private);
    // Most edits of blocks leave the data alone, and need no comparison to know it.
    return *private && (*private)->is_written && trn_data_differs(data_of_base(base), *private);
}

// ---- publishing --------------------------------------------------------------------------------

/// Gives a part the blobs that it shares with the table of the chunk.
/// @return bytes of the part and of its other blobs
static size_t data_own_blobs(const TrnDataTable *old, uint32_t first, TrnDataPart *part)
{
    size_t bytes = trn_data_part_bytes(part->capacity);
    TrnDataEntry *entries = part->entries;
    TrnDataCursor cursor = trn_data_first(old);
    cursor.first = old ? first >> old->part_shift : 0;
    for (uint32_t i = 0; i < trn_data_count(part); i++) {
        if (entries[i].is_own) {
            bytes += trn_data_blob_bytes(entries[i].blob->size);
            continue;
        }
        TrnDataEntry *from = trn_data_next(&cursor);
        while (from->index != entries[i].index) {
            from = trn_data_next(&cursor);
        }
        from->is_own = false;
        entries[i].is_own = true;
    }
    return bytes;
}

/// Gives a private table all that it shares with the table of the chunk.
static void data_own_shared(TrnVoxelHeap *heap, TrnDataTable *old, TrnDataTable *table)
{
    size_t made_bytes = trn_data_table_bytes(table->part_shift);
    const uint32_t parts = trn_data_part_count(table);
    for (uint32_t at = 0; (at = trn_data_next_owned(table, at)) < parts; at++) {
        TrnDataPart *part = table->parts[at];
        if (part && trn_data_count(part) == 0) {
            data_put_part(table, at, NULL);
            data_give_part(heap, part);
        } else if (part) {
            made_bytes += data_own_blobs(old, at << table->part_shift, part);
        }
    }
    const bool shares_parts = old && old->part_shift == table->part_shift;
    for (uint32_t i = 0; i < TRN_DATA_PARTS_MAX / 64; i++) {
        if (shares_parts) {
            old->owned[i] &= table->owned[i];
        }
        table->owned[i] = UINT64_MAX;
    }
    table->own_bytes = trn_data_bytes(table);
    if (old) {
        old->own_bytes -= table->own_bytes - made_bytes;
    }
}

/// Links a table into the heap's list.
static void data_link_table(TrnVoxelHeap *heap, TrnDataTable *table)
{
    table->newer = heap->tables;
    if (table->newer) {
        table->newer->older = table;
    }
    heap->tables = table;
}

void trn_data_publish(TrnVoxelHeap *heap, TrnSnapshot base, TrnSnapshot now, TrnPayload *payload,
                      TrnDataTable **private)
{
    TrnDataTable *old = data_of_base(base), *table;
    data_purge(heap, base, now, private);
    table = *private;
    if (!table || !table->is_written || table->count == 0) {
        trn_payload_set_data(payload, table && table->is_written ? NULL : old);
        trn_data_drop(heap, private);
        return;
    }
    data_give_flat(heap, table);
    data_own_shared(heap, old, table);
    data_link_table(heap, table);
    table->is_written = false;
    trn_payload_set_data(payload, table);
    *private = NULL;
}
