/// Private: the private table of block data that an edit has, apart from the edit. `base` is what
/// the chunk holds, `private` NULL until there is one.
#ifndef TERRANE_VOXELS_VOXEL_DATA_EDIT_H
#define TERRANE_VOXELS_VOXEL_DATA_EDIT_H

#include "voxel_data_table_impl.h"

/// Allocates memory that counts as block data. Errors: as trn_voxel_heap_take.
TrnResult trn_data_take(TrnVoxelHeap *heap, size_t bytes, void **memory);

/// Makes a private table with the entries of another. @param from  NULL: with none
/// Errors: as trn_voxel_heap_take.
TrnResult trn_data_copy_table(TrnVoxelHeap *heap, const TrnDataTable *from, uint32_t capacity,
                              TrnDataTable **table);

/// The data of an edit, or NULL. Includes data whose block the edit has changed.
const TrnDataTable *trn_data_current(TrnSnapshot base, const TrnDataTable *private);

/// Makes the private table of an edit whose chunk has data, so that its commit can remove entries
/// without memory. Does nothing if there is one, or the chunk has no data.
/// Errors: as trn_voxel_heap_take.
TrnResult trn_data_open(TrnVoxelHeap *heap, TrnSnapshot base, TrnDataTable **private);

/// Frees the private table, if there is one.
void trn_data_drop(TrnVoxelHeap *heap, TrnDataTable **private);

/// Whether an entry's block is not there any more.
bool trn_data_is_stale(TrnSnapshot now, const TrnDataEntry *entry);

/// Removes stale entries from the private table. @return whether the data differs from the chunk's
bool trn_data_purge(TrnVoxelHeap *heap, TrnSnapshot base, TrnSnapshot now, TrnDataTable *private);

/// Ends the private table: it becomes the payload's, if the data changed; otherwise the payload
/// gets the table of the chunk. Cannot fail.
void trn_data_publish(TrnVoxelHeap *heap, TrnSnapshot base, TrnPayload *payload,
                      TrnDataTable **private);

#endif
