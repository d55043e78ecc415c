/// Private: how payloads name tables of block data, and how tables are read.
#ifndef TERRANE_VOXELS_VOXEL_DATA_TABLE_IMPL_H
#define TERRANE_VOXELS_VOXEL_DATA_TABLE_IMPL_H

#include "voxel_data_table_internal.h"
#include "voxel_heap_impl.h"

typedef struct TrnDataTable TrnDataTable;

static inline size_t trn_data_table_bytes(uint32_t capacity)
{
    return sizeof(TrnDataTable) + capacity * sizeof(TrnDataEntry);
}

static inline size_t trn_data_blob_bytes(uint32_t size)
{
    return sizeof(TrnDataBlob) + size;
}

/// Frees memory of trn_data_take.
void trn_data_give(TrnVoxelHeap *heap, void *memory, size_t bytes);

/// The place of the first entry of a voxel or of a later one.
uint32_t trn_data_lower_bound(const TrnDataTable *table, uint32_t index);

/// The entry of a voxel, or NULL. @param table  may be NULL
const TrnDataEntry *trn_data_find(const TrnDataTable *table, uint32_t index);

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
/// @param is_removed  the chunk is removed, so that no newer table shares the bytes
void trn_payload_retire_data(TrnVoxelHeap *heap, const TrnPayload *payload, bool is_removed);

/// Frees all tables and their blobs, when the heap is destroyed.
void trn_voxel_heap_free_data(TrnVoxelHeap *heap);

#endif
