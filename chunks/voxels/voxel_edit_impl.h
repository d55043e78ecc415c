/// Private: the private copy of an edit, for edits of block data.
#ifndef TERRANE_VOXELS_VOXEL_EDIT_IMPL_H
#define TERRANE_VOXELS_VOXEL_EDIT_IMPL_H

#include "voxel_edit_internal.h"
#include "voxel_heap_impl.h"

/// Makes the private copy, if there is none. Errors: as trn_voxel_heap_take.
TrnResult trn_edit_make_copy(TrnEditState *edit);

/// Ends a call that may have made the private copy. On success the edit counts as changed. On
/// failure of the first change it loses its private copy. @return `result`
TrnResult trn_edit_settle(TrnEditState *edit, TrnResult result);

#endif
