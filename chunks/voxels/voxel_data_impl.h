/// Private: how payloads and edits keep their tables of block data.
#ifndef TERRANE_VOXELS_VOXEL_DATA_IMPL_H
#define TERRANE_VOXELS_VOXEL_DATA_IMPL_H

#include "voxel_data_internal.h"
#include "voxel_edit_impl.h"
#include "voxel_heap_impl.h"

typedef struct TrnDataTable TrnDataTable;

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

/// Makes the private table of an edit whose chunk has data, so that its commit can remove entries
/// without memory. Does nothing if there is one, or the chunk has no data.
/// Errors: as trn_voxel_heap_take.
TrnResult trn_edit_open_data(TrnEditState *edit);

/// Ends the edit's private table: it becomes the payload's, if the data changed; otherwise the
/// payload gets the table of the chunk. Cannot fail.
void trn_edit_publish_data(TrnEditState *edit, TrnPayload *payload);

/// Frees the edit's private table, if there is one.
void trn_edit_drop_data(TrnEditState *edit);

#endif
