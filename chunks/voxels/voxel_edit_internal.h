/// Private: what a TrnVoxelEdit holds, and the inline trn_voxel_edit_set. The store and its batches
/// read the state of their edits here and write many single blocks through the inline set.
#ifndef TERRANE_VOXELS_VOXEL_EDIT_INTERNAL_H
#define TERRANE_VOXELS_VOXEL_EDIT_INTERNAL_H

#include <assert.h>

#include <terrane/voxels.h>

#ifdef __cplusplus
extern "C" {
#endif

/// `known` maps blocks to palette entries of the private copy. A word holds the block in bits
/// 0..15, its entry in bits 16..23, solid in bit 24 and opaque in bit 25. Block b has the place b %
/// TRN_KNOWN_PLACES; blocks that share a place replace each other. A place without knowledge holds
/// a block that belongs to another place. Where `known_voxels` is 0, the table is undefined: an
/// edit makes it for its second voxel, since edits of one voxel are common and need none.
#define TRN_KNOWN_PLACES 256
#define TRN_KNOWN_ENTRY_SHIFT 16
#define TRN_KNOWN_KIND_SHIFT 24
#define TRN_KIND_SOLID 1
#define TRN_KIND_OPAQUE 2

/// The content of TrnVoxelEdit.storage.
typedef struct TrnEditState {
    /// Parts of the private copy, up to has_one_mask. Undefined without has_blocks.
    uint64_t *words;
    uint16_t *counts;
    uint32_t *solid, *opaque;
    uint32_t entry_mask;
    uint32_t known_voxels; ///< TRN_CHUNK_VOXELS, or 0: there is no table `known`
    uint8_t bits_shift;
    bool is_plain;     ///< has_blocks, and the private copy has 16 bits
    bool has_one_mask; ///< solid and opaque are the same memory
    bool is_changed;   ///< a call has changed a block or data
    bool has_blocks;   ///< the private copy is the content; otherwise it equals `now`
    const uint32_t *solid_bits, *opaque_bits; ///< of the heap
    TrnVoxelHeap *heap;                       ///< NULL if the edit is not open
    TrnVoxels *voxels;
    uint64_t base;    ///< TrnSnapshot.word of the chunk when the edit began
    uint64_t now;     ///< TrnSnapshot.word of the content without has_blocks
    TrnPayload *copy; ///< private, to be published; or NULL
    /// Private; NULL: the data is that of `base`. There is one whenever data has changed. If `base`
    /// has data, there is one whenever blocks have changed (trn_data_open_flat).
    struct TrnDataTable *data;
    uint32_t known[TRN_KNOWN_PLACES]; ///< undefined where known_voxels is 0
} TrnEditState;

static_assert(sizeof(TrnEditState) <= sizeof(TrnVoxelEdit), "the storage holds the state");

static inline TrnEditState *trn_edit_state(TrnVoxelEdit *edit)
{
    return (TrnEditState *)(void *)edit->storage;
}

static inline const TrnEditState *trn_edit_state_const(const TrnVoxelEdit *edit)
{
    return (const TrnEditState *)(const void *)edit->storage;
}

/// The content of the edit, including its changes. Valid until its next call.
static inline TrnSnapshot trn_edit_now(const TrnEditState *edit)
{
    TrnSnapshot now = {edit->has_blocks ? (uint64_t)(uintptr_t)edit->copy : edit->now};
    return now;
}

/// Sets one bit of a mask to bit 0 of `bit`.
static inline void trn_mask_put(uint32_t *mask, uint32_t index, uint32_t bit)
{
    uint32_t *const row = &mask[index >> TRN_CHUNK_SHIFT];
    const uint32_t x = index & (TRN_CHUNK_EDGE - 1);
    *row ^= ((*row >> x ^ bit) & 1) << x;
}

/// trn_voxel_edit_set for a block without knowledge in an edit without 16 bits.
TrnResult trn_edit_set_unknown(TrnEditState *edit, uint32_t index, TrnBlock block);

/// trn_voxel_edit_set for a private copy with 16 bits.
static inline TrnResult trn_edit_set_plain(TrnEditState *edit, uint32_t index, TrnBlock block)
{
    const uint32_t solid = edit->solid_bits[block >> 5] >> (block & 31);
    const uint32_t opaque = edit->opaque_bits[block >> 5] >> (block & 31);
    if (index >= TRN_CHUNK_VOXELS || ((solid ^ opaque) & edit->has_one_mask)) {
        return trn_edit_set_unknown(edit, index, block);
    }
    memcpy((unsigned char *)edit->words + index * sizeof block, &block, sizeof block);
    trn_mask_put(edit->solid, index, solid);
    if (!edit->has_one_mask) {
        trn_mask_put(edit->opaque, index, opaque);
    }
    return TRN_RESULT_OK;
}

/// Writes an entry to a voxel of a private copy with a palette. @param kind  TRN_KIND_... of its
/// block
static inline void trn_edit_put(TrnEditState *edit, uint32_t index, uint32_t entry, uint32_t kind)
{
    // No branch on whether the voxel changes: with random blocks it is mispredicted half the time,
    // which cost twice what it saved.
    const uint32_t bit = index << edit->bits_shift;
    uint64_t *const word = &edit->words[bit >> 6];
    const uint32_t old = (uint32_t)(*word >> (bit & 63)) & edit->entry_mask;
    *word ^= (uint64_t)(old ^ entry) << (bit & 63);
    edit->counts[old]--;
    edit->counts[entry]++;
    const uint32_t row = index >> TRN_CHUNK_SHIFT, x = index & (TRN_CHUNK_EDGE - 1);
    // Written, not toggled by the old block's kind: its type may have been filled in since.
    const uint32_t others = ~(UINT32_C(1) << x);
    edit->solid[row] = (edit->solid[row] & others) | (kind & TRN_KIND_SOLID) << x;
    if (!edit->has_one_mask) {
        edit->opaque[row] = (edit->opaque[row] & others) | (kind / TRN_KIND_OPAQUE) << x;
    }
}

/// trn_voxel_edit_set, inline: 0.5 ns a voxel faster than the call.
static inline TrnResult trn_edit_set(TrnEditState *edit, uint32_t index, TrnBlock block)
{
    const uint32_t known = edit->known[block % TRN_KNOWN_PLACES];
    if (index >= edit->known_voxels || (TrnBlock)known != block) {
        return edit->is_plain ? trn_edit_set_plain(edit, index, block)
                              : trn_edit_set_unknown(edit, index, block);
    }
    trn_edit_put(edit, index, (uint8_t)(known >> TRN_KNOWN_ENTRY_SHIFT),
                 known >> TRN_KNOWN_KIND_SHIFT);
    return TRN_RESULT_OK;
}

#ifdef __cplusplus
}
#endif
#endif
