/// Private: the private copy of an edit, for the operations on many blocks.
#ifndef TERRANE_VOXELS_VOXEL_EDIT_IMPL_H
#define TERRANE_VOXELS_VOXEL_EDIT_IMPL_H

#include "voxel_edit_internal.h"
#include "voxel_heap_impl.h"

/// No entry of a palette.
#define TRN_ENTRY_NONE UINT32_MAX

/// The fields of the private copy from a row on.
static inline void *trn_edit_row(TrnEditState *edit, uint32_t row)
{
    return (unsigned char *)edit->words + (size_t)row * ((size_t)4 << edit->bits_shift);
}

/// Makes the private copy, if there is none. Errors: as trn_voxel_heap_take.
TrnResult trn_edit_make_copy(TrnEditState *edit);

/// Makes the private copy the content of the edit, so that blocks can be written to it. The commit
/// can remove their block data then. Errors: as trn_voxel_heap_take.
TrnResult trn_edit_open_copy(TrnEditState *edit);

/// Makes another payload the private copy, and frees the old one.
void trn_edit_use_copy(TrnEditState *edit, TrnPayload *payload);

/// Makes the whole chunk one block, without reading it.
/// Errors: as trn_voxel_heap_take, if the chunk has block data; otherwise it cannot fail.
TrnResult trn_edit_fill_chunk(TrnEditState *edit, TrnBlock block);

/// Ends a call that may have made the private copy. On success the edit counts as changed. On
/// failure of the first change it loses its private copy. @return `result`
TrnResult trn_edit_settle(TrnEditState *edit, TrnResult result);

/// Finds the entry of a block in a payload's palette, unused entries included. Not for 16 bits.
/// @return the entry, or TRN_ENTRY_NONE
uint32_t trn_payload_find(const TrnPayload *payload, const uint8_t *entry_of, TrnBlock block);

/// Makes the private copy, which must exist, able to hold a block: takes an entry, widens, or adds
/// the second mask. The entry may have belonged to a block that no longer occurs.
/// @param entry  receives the entry; with 16 bits the block
/// Errors: as trn_voxel_heap_take; the blocks are unchanged.
TrnResult trn_edit_admit(TrnEditState *edit, TrnBlock block, uint32_t *entry);

/// Gives an entry another block, which no other entry has. @param entry  at most palette_count
void trn_edit_name_entry(TrnEditState *edit, uint32_t entry, TrnBlock block);

/// Updates the counts of the private copy after some voxels changed. Not for 16 bits.
/// @param before,after  [palette_count] how many of these voxels had each entry, and have it now
void trn_edit_recount(TrnEditState *edit, const uint32_t *before, const uint32_t *after);

/// Gives the private copy the second mask if a block needs it.
/// Errors: as trn_voxel_heap_take; the blocks are unchanged.
TrnResult trn_edit_admit_masks(TrnEditState *edit, TrnBlock block);

#endif
