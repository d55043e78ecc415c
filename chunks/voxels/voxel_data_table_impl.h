/// Private: how payloads name tables of block data, and how tables are read.
#ifndef TERRANE_VOXELS_VOXEL_DATA_TABLE_IMPL_H
#define TERRANE_VOXELS_VOXEL_DATA_TABLE_IMPL_H

#include <stddef.h>

#include "voxel_data_table_internal.h"
#include "voxel_heap_impl.h"

typedef struct TrnDataTable TrnDataTable;

static_assert(sizeof(TrnDataTable) == offsetof(TrnDataTable, parts), "the parts follow the header");

static inline uint32_t trn_data_part_count(const TrnDataTable *table)
{
    return (uint32_t)TRN_CHUNK_VOXELS >> table->part_shift;
}

/// TrnDataTable.part_shift of a table with a single part, for few entries.
#define TRN_DATA_SINGLE (3u * TRN_CHUNK_SHIFT)

/// Where the entries of each run of the single part of a table begin, then their number.
static inline uint16_t *trn_data_starts(const TrnDataTable *table)
{
    return (uint16_t *)(void *)((unsigned char *)table + sizeof *table + sizeof(TrnDataPart *));
}

/// Bytes of a table without its parts.
static inline size_t trn_data_table_bytes(uint32_t part_shift)
{
    const size_t parts = (size_t)TRN_CHUNK_VOXELS >> part_shift;
    return sizeof(TrnDataTable) + parts * sizeof(TrnDataPart *) +
           (part_shift == TRN_DATA_SINGLE ? sizeof(uint16_t[TRN_DATA_SINGLE_RUNS + 1]) : 0);
}

static inline size_t trn_data_part_bytes(uint32_t capacity)
{
    return sizeof(TrnDataPart) + capacity * sizeof(TrnDataEntry);
}

/// The run of a voxel in its part.
static inline uint32_t trn_data_run(uint32_t part_shift, uint32_t index)
{
    return part_shift == TRN_DATA_SINGLE ? index * TRN_DATA_SINGLE_RUNS / TRN_CHUNK_VOXELS
                                         : (index * TRN_DATA_RUNS >> part_shift) % TRN_DATA_RUNS;
}

static inline size_t trn_data_blob_bytes(uint32_t size)
{
    return sizeof(TrnDataBlob) + size;
}

/// Frees memory of trn_data_take.
void trn_data_give(TrnVoxelHeap *heap, void *memory, size_t bytes);

/// Whether a part is freed with its table.
static inline bool trn_data_owns(const TrnDataTable *table, uint32_t part)
{
    return table->owned[part / 64] >> part % 64 & 1;
}

/// The first part from one on that is freed with its table, or the number of parts.
static inline uint32_t trn_data_next_owned(const TrnDataTable *table, uint32_t part)
{
    const uint32_t parts = trn_data_part_count(table);
    for (; part < parts; part = (part | 63) + 1) {
        const uint64_t left = table->owned[part / 64] >> part % 64;
        if (left) {
            part += (uint32_t)__builtin_ctzll(left);
            return part < parts ? part : parts;
        }
    }
    return parts;
}

/// Frees what a table owns, and the table.
void trn_data_free_table(TrnVoxelHeap *heap, TrnDataTable *table);

/// Bytes of a table with its parts and the blobs of all entries.
size_t trn_data_bytes(const TrnDataTable *table);

/// The place, in the part of a voxel, of its entry or of the first one of a later voxel. The table
/// has the part.
uint32_t trn_data_place(const TrnDataTable *table, uint32_t index);

/// The entry of a voxel, or NULL. @param table  may be NULL
TrnDataEntry *trn_data_find(const TrnDataTable *table, uint32_t index);

/// What an entry says.
TrnBlockData trn_data_of(const TrnDataEntry *entry);

/// Whether a blob has these bytes.
bool trn_data_has_bytes(const TrnDataBlob *blob, const void *bytes, size_t size);

/// Whether two entries have equal bytes, rules and blocks.
bool trn_data_entries_match(const TrnDataEntry *a, const TrnDataEntry *b);

/// Whether trn_data_compare finds a change.
bool trn_data_differs(const TrnDataTable *before, const TrnDataTable *after);

/// The table of a payload, or NULL.
static inline TrnDataTable *trn_payload_data(const TrnPayload *payload)
{
    return trn_payload_owner_const(payload)->data;
}

/// Makes a payload name a table. @param table  NULL: none
void trn_payload_set_data(TrnPayload *payload, TrnDataTable *table);

/// Ends that, before the payload is freed, and frees the table with its last payload.
/// @param was_retired  by trn_payload_retire_data
void trn_payload_drop_data(TrnVoxelHeap *heap, TrnPayload *payload, bool was_retired);

/// Counts the table of a retired payload as retired, if all its payloads are.
void trn_payload_retire_data(TrnVoxelHeap *heap, const TrnPayload *payload);

/// Frees all tables and their blobs, when the heap is destroyed.
void trn_voxel_heap_free_data(TrnVoxelHeap *heap);

#endif
