/// Private: the private table of block data that an edit has, apart from the edit. `base` is what
/// the chunk holds, `private` NULL until there is one.
#ifndef TERRANE_VOXELS_VOXEL_DATA_EDIT_H
#define TERRANE_VOXELS_VOXEL_DATA_EDIT_H

#include "voxel_data_table_impl.h"

/// Allocates memory that counts as block data. Errors: as trn_voxel_heap_take.
TrnResult trn_data_take(TrnVoxelHeap *heap, size_t bytes, void **memory);

/// The data of an edit, or NULL. Includes data whose block the edit has changed.
const TrnDataTable *trn_data_current(TrnSnapshot base, const TrnDataTable *private);

/// Makes the private table of an edit, if there is none: it borrows all parts.
/// Errors: as trn_voxel_heap_take.
TrnResult trn_data_open(TrnVoxelHeap *heap, TrnSnapshot base, TrnDataTable **private);

/// trn_data_open for an edit that changes blocks. It also takes the memory that the commit may need
/// to remove entries. Does nothing if the edit and its chunk have no data.
/// Errors: as trn_voxel_heap_take.
TrnResult trn_data_open_flat(TrnVoxelHeap *heap, TrnSnapshot base, TrnDataTable **private);

/// Makes a private table own a part, with capacity for `more` entries more.
/// Errors: as trn_voxel_heap_take.
TrnResult trn_data_own_part(TrnVoxelHeap *heap, TrnDataTable *table, uint32_t at, uint32_t more);

/// trn_data_own_part for the part of a voxel. Replaces the private table by one with more parts if
/// this one has too many entries. Errors: as trn_voxel_heap_take.
TrnResult trn_data_reserve(TrnVoxelHeap *heap, TrnDataTable **private, uint32_t index,
                           uint32_t more);

/// Counts an entry in a part of a private table. @param change  1: there is one more; -1: one less
void trn_data_count_entry(const TrnDataTable *table, TrnDataPart *part, uint32_t index, int change);

/// Frees the private table, if there is one.
void trn_data_drop(TrnVoxelHeap *heap, TrnDataTable **private);

/// Whether an entry's block is not there any more.
bool trn_data_is_stale(TrnSnapshot now, const TrnDataEntry *entry);

/// Removes stale entries from the private table, which has a flat one if the edit has changed
/// blocks (trn_data_open_flat). Cannot fail. @return whether the data differs from the chunk's
bool trn_data_purge(TrnVoxelHeap *heap, TrnSnapshot base, TrnSnapshot now, TrnDataTable **private);

/// Ends the private table: it becomes the payload's, without stale entries, if it was written;
/// otherwise the payload gets the table of the chunk. Cannot fail.
/// @param now  the blocks of the edit
void trn_data_publish(TrnVoxelHeap *heap, TrnSnapshot base, TrnSnapshot now, TrnPayload *payload,
                      TrnDataTable **private);

#endif
