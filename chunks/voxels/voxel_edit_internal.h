/// Private: what a TrnVoxelEdit holds. The store and its batches read the state of their edits here
/// and write many single blocks through the inline set.
#ifndef TERRANE_VOXELS_VOXEL_EDIT_INTERNAL_H
#define TERRANE_VOXELS_VOXEL_EDIT_INTERNAL_H

#include <assert.h>

#include <terrane/voxels.h>

#include "base/assert.h"
#include "pool/pool_internal.h"
#include "voxels/voxels_internal.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Single blocks that an edit notes before it writes them.
#define TRN_EDIT_NOTES_MAX 16

/// A block that an edit is to write.
typedef struct TrnEditNote {
    uint16_t index;
    TrnBlock block;
} TrnEditNote;

/// The content of TrnVoxelEdit.storage.
///
/// The content of an edit is a payload, `copy` or that of `now`, and on top of it the blocks of
/// some half-layers (units). The first few voxels are written into a private copy, if their
/// half-layers list the blocks; other half-layers are opened as units. A new payload is made of
/// both when somebody asks for the content, and for the commit. A batch that sets blocks here and
/// there in many chunks would wait for the memory of each: its edits note their first single
/// blocks, and write them when the batch is prepared, which can load the memory of a chunk while it
/// works on the one before.
typedef struct TrnEditState {
    TrnVoxelHeap *heap; ///< NULL if the edit is not open
    TrnVoxels *voxels;
    uint64_t base;     ///< TrnSnapshot.word of the chunk when the edit began
    uint64_t now;      ///< TrnSnapshot.word of the content without has_blocks
    TrnPayload *copy;  ///< private, to be published; or NULL
    TrnPayload *spare; ///< private: large enough for the new payload whenever there are units,
                       ///< unless is_prepared
    /// Private; NULL: the data is that of `base`. There is one whenever data has changed. If `base`
    /// has data, there is one whenever blocks have changed (trn_data_open_flat).
    struct TrnDataTable *data;
    uint64_t opened;  ///< bit h: half-layer h has a unit
    uint64_t loose;   ///< bit h: half-layer h of the copy may be smaller, its header not exact
    uint64_t changed; ///< bit h: half-layer h may differ from `base`; the others do not
    uint32_t puts;    ///< voxels written in place
    uint32_t types;   ///< no more blocks that are new to the palette were written to units
    bool is_changed;  ///< a call has changed a block or data
    bool has_blocks;  ///< units on the copy are the content; otherwise units on `now`
    bool is_prepared; ///< the owner calls trn_edit_flush, which may fail, before the commit
    uint32_t noted;   ///< only if is_prepared; on top of copy and units
    TrnEditNote notes[TRN_EDIT_NOTES_MAX]; ///< [noted] in order
    TrnVoxelUnit *units[TRN_CHUNK_HALVES]; ///< of those that are opened
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

/// Writes what is noted, and makes a payload of the units and what is below. Cost: O(bytes of the
/// payload) if there are any.
/// Errors: as trn_voxel_heap_take, if is_prepared; the content is unchanged.
TrnResult trn_edit_flush(TrnEditState *edit);

/// The content of the edit, including its changes. Valid until its next call. If is_prepared, flush
/// it before. Cost: as trn_edit_flush.
static inline TrnSnapshot trn_edit_now(TrnEditState *edit)
{
    if (edit->opened | edit->loose | edit->noted) {
        const TrnResult result = trn_edit_flush(edit);
        TRN_ASSERT(result == TRN_RESULT_OK);
        (void)result;
    }
    TrnSnapshot now = {edit->has_blocks ? (uint64_t)(uintptr_t)edit->copy : edit->now};
    return now;
}

/// Loads memory that trn_edit_flush reads, in two steps: the second needs what the first loads.
void trn_edit_prefetch_header(const TrnEditState *edit);
void trn_edit_prefetch_lines(const TrnEditState *edit);

/// Loads memory that trn_voxel_edit_commit reads and writes, likewise in two steps.
void trn_edit_prefetch_payloads(const TrnEditState *edit);
void trn_edit_prefetch_release(const TrnEditState *edit);

/// A call that writes many voxels.
typedef struct TrnEditWrite {
    /// Writes the blocks of the units of `halves`.
    void (*change)(TrnEditState *edit, const struct TrnEditWrite *write);
    const void *of;  ///< the call's own
    uint64_t halves; ///< bit h: it concerns half-layer h
    uint32_t types;  ///< blocks that it may write, at most
    TrnBlock block, other;
} TrnEditWrite;

/// Opens half-layers as units, has them written, and closes those that did not change.
/// Errors: as trn_voxel_heap_take; nothing is written.
TrnResult trn_edit_write_units(TrnEditState *edit, const TrnEditWrite *write);

/// Writes one block to consecutive voxels, whose half-layers are open. For TrnEditWrite.change.
void trn_edit_fill_units(TrnEditState *edit, uint32_t first, uint32_t last, TrnBlock block);

/// Makes all blocks those of a snapshot. The edit has changed nothing yet, and its chunk has no
/// block data.
/// @param blocks  of a chunk of this heap, or of a copy (trn_snapshot_copy)
/// @param halves  bit h: half-layer h may differ from the chunk; the others do not
/// Errors: as trn_voxel_heap_take; nothing is written.
TrnResult trn_edit_restore(TrnEditState *edit, TrnSnapshot blocks, uint64_t halves);

/// trn_voxel_edit_fill_mask, of some half-layers.
/// @param halves  bit h: half-layer h; the rows of the others are not read
TrnResult trn_edit_fill_rows(TrnEditState *edit, const uint32_t *mask, uint64_t halves,
                             TrnBlock block);

/// trn_voxel_edit_set, of any kind.
TrnResult trn_edit_set_any(TrnEditState *edit, uint32_t index, TrnBlock block);

/// trn_voxel_edit_set, inline.
static inline TrnResult trn_edit_set(TrnEditState *edit, uint32_t index, TrnBlock block)
{
    const uint32_t half = index / TRN_PAYLOAD_HALF_VOXELS;
    if (index < TRN_CHUNK_VOXELS && edit->opened >> half & 1) {
        TrnVoxelUnit *unit = edit->units[half];
        const uint32_t at = index % TRN_PAYLOAD_HALF_VOXELS;
        const bool is_last = unit->count && unit->last == block && unit->is_changed;
        if (is_last && unit->form == TRN_UNIT_NUMBERS) {
            unit->numbers[at] = unit->last_number;
            return TRN_RESULT_OK;
        }
        if (is_last) {
            const uint32_t bit = UINT32_C(1) << at % TRN_CHUNK_EDGE;
            uint32_t *row = &unit->rows[at / TRN_CHUNK_EDGE];
            *row = unit->last_number ? *row | bit : *row & ~bit;
            return TRN_RESULT_OK;
        }
    }
    return trn_edit_set_any(edit, index, block);
}

#ifdef __cplusplus
}
#endif
#endif
