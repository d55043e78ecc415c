/// Private: parts of an edit that its calls for many voxels and for block data share.
#ifndef TERRANE_VOXELS_VOXEL_EDIT_IMPL_H
#define TERRANE_VOXELS_VOXEL_EDIT_IMPL_H

#include "voxel_edit_internal.h"
#include "voxel_heap_impl.h"

/// Makes the private copy, if there is none. Errors: as trn_voxel_heap_take.
TrnResult trn_edit_make_copy(TrnEditState *edit);

/// Ends a call that may have made the private copy. On success the edit counts as changed. On
/// failure of the first change it loses its private copy. @return `result`
TrnResult trn_edit_settle(TrnEditState *edit, TrnResult result);

/// Of some half-layers, those that have a unit or a note, or other blocks than `block`.
uint64_t trn_edit_without(const TrnEditState *edit, uint64_t halves, TrnBlock block);

/// Makes the whole chunk one block, without reading it.
/// Errors: as trn_voxel_heap_take, if the chunk has block data; otherwise it cannot fail.
TrnResult trn_edit_fill_chunk(TrnEditState *edit, TrnBlock block);

#endif
