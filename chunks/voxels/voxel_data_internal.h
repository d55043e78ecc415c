/// Private: block data of open edits, and of chunks that are inserted.
#ifndef TERRANE_VOXELS_VOXEL_DATA_INTERNAL_H
#define TERRANE_VOXELS_VOXEL_DATA_INTERNAL_H

#include "voxels/voxel_data_table_internal.h"
#include "voxels/voxel_edit_internal.h"

/// The data of an open edit, or NULL. Includes data whose block the edit has changed.
const struct TrnDataTable *trn_edit_data(const TrnEditState *edit);

/// Removes the data whose block has changed from an open edit. Its commit does so by itself.
/// @return whether the data differs from the chunk's
bool trn_edit_purge_data(TrnEditState *edit);

/// Has an edit publish its chunk under a new revision, even if nothing differs.
/// Errors: as trn_voxel_edit_set.
TrnResult trn_edit_touch(TrnEditState *edit);

/// Sets the data of a voxel to that of an entry, whose blob is shared, without looking at the block
/// that is there now. @param entry  without a blob: removes the data
/// Errors: as trn_voxel_edit_set_data.
TrnResult trn_edit_put_data(TrnEditState *edit, const TrnDataEntry *entry);

/// Sets all data of a chunk that no reader can find yet, under its revision.
/// @param data  [count] in any order; the last of a voxel counts
/// Errors: as trn_voxel_edit_set_data; the chunk is unchanged then.
TrnResult trn_voxels_add_data(TrnVoxelHeap *heap, TrnVoxels *voxels, const TrnBlockData *data,
                              size_t count);

#endif
