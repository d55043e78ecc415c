/// Private: the private copy of an edit, as the operations on many blocks need it.
#ifndef TERRANE_VOXELS_VOXEL_EDIT_H
#define TERRANE_VOXELS_VOXEL_EDIT_H

#include "voxel_heap_impl.h"

/// No entry of a palette.
#define TRN_ENTRY_NONE UINT32_MAX

/// What the chunk holds, changes of the edit included.
static inline TrnSnapshot trn_edit_now(const TrnVoxelEdit *edit)
{
    return (TrnSnapshot){edit->copy ? (uintptr_t)edit->copy : edit->now};
}

/// The fields of the private copy from a row on.
static inline void *trn_edit_row(TrnVoxelEdit *edit, uint32_t row)
{
    return (unsigned char *)edit->words + (size_t)row * ((size_t)4 << edit->bits_shift);
}

/// Makes the private copy where there is none. Errors: as trn_voxel_heap_take.
TrnResult trn_edit_open_copy(TrnVoxelEdit *edit);

/// Makes another payload the private copy, and frees the one before.
void trn_edit_use_copy(TrnVoxelEdit *edit, TrnPayload *payload);

/// Drops the private copy: the chunk is then `now`.
void trn_edit_drop_copy(TrnVoxelEdit *edit, TrnSnapshot now);

/// Makes the whole chunk one block, without a look at what it holds. Cannot fail.
void trn_edit_fill_chunk(TrnVoxelEdit *edit, TrnBlock block);

/// Ends a call that may have made the private copy: the edit counts as changed, or where the call
/// failed and nothing had changed before, is without a copy again. @return the result handed in
TrnResult trn_edit_settle(TrnVoxelEdit *edit, TrnResult result);

/// The entry of a block in a payload's palette, one that occurs no more included, or
/// TRN_ENTRY_NONE. Not for 16 bits.
uint32_t trn_payload_find(const TrnPayload *payload, const uint8_t *entry_of, TrnBlock block);

/// Sees to it that the private copy, which must be there, can hold a block: takes an entry for it,
/// widens, gets the second mask. The entry of another block that occurs no more may be taken for
/// it.
/// @param entry  receives it; with 16 bits the block. Errors: as trn_voxel_heap_take; the blocks
///               are as before.
TrnResult trn_edit_admit(TrnVoxelEdit *edit, TrnBlock block, uint32_t *entry);

/// Gives an entry, at most one past the last, a block that no other has.
void trn_edit_name_entry(TrnVoxelEdit *edit, uint32_t entry, TrnBlock block);

/// Moves the counts of the private copy from what some voxels held to what they hold. Not for 16
/// bits.
/// @param before,after  [palette_count] how many of them are each entry
void trn_edit_recount(TrnVoxelEdit *edit, const uint32_t *before, const uint32_t *after);

/// Sees to it that the private copy has the masks that a block needs. Errors: as
/// trn_voxel_heap_take; the blocks are as before.
TrnResult trn_edit_admit_masks(TrnVoxelEdit *edit, TrnBlock block);

#endif
