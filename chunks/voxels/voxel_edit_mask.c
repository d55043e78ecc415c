// Filling the voxels of a mask: a layer at a time, and of that the rows between the first and the
// last that have a bit.

#include "voxel_edit_impl.h"

#include <string.h>

#define LAYER_ROWS ((uint32_t)TRN_CHUNK_EDGE)
#define LAYER_VOXELS ((size_t)LAYER_ROWS * TRN_CHUNK_EDGE)

/// Rows of a layer.
typedef struct RowSpan {
    uint32_t row, rows; ///< in the chunk; how many, 0 where no row has a bit
} RowSpan;

static RowSpan mask_layer_span(const uint32_t *mask, uint32_t y)
{
    RowSpan span = {y * LAYER_ROWS, LAYER_ROWS};
    uint32_t any =
        0; // most layers of small masks are empty: ored together, which needs no branches
    for (uint32_t z = 0; z < LAYER_ROWS; z++) {
        any |= mask[span.row + z];
    }
    if (any == 0) {
        span.rows = 0;
        return span;
    }
    while (mask[span.row] == 0) {
        span.row++;
        span.rows--;
    }
    while (mask[span.row + span.rows - 1] == 0) {
        span.rows--;
    }
    return span;
}

// ---- what the voxels hold ----------------------------------------------------------------------

/// How often each entry occurs under a mask. @param counts  [256] zeroes
static void payload_tally_mask(const TrnPayload *payload, const uint32_t *mask, uint32_t *counts)
{
    uint8_t entries[LAYER_VOXELS];
    for (uint32_t y = 0; y < TRN_CHUNK_EDGE; y++) {
        const RowSpan span = mask_layer_span(mask, y);
        trn_payload_kernels(payload)->unpack(
            payload->bits_shift, trn_payload_row(payload, span.row), span.rows, entries);
        trn_payload_kernels(payload)->tally_under(entries, span.rows, mask + span.row,
                                                  payload->palette_count, counts);
    }
}

/// Whether some voxel under a mask is another block, where there are 16 bits. Ends at the first
/// layer with one.
static bool plain_mask_differs(const TrnPayload *payload, const uint32_t *mask, TrnBlock block)
{
    TrnBlock wanted[LAYER_VOXELS];
    uint32_t differ[TRN_CHUNK_EDGE], found = 0;
    for (size_t i = 0; i < LAYER_VOXELS; i++) {
        wanted[i] = block;
    }
    for (uint32_t y = 0; y < TRN_CHUNK_EDGE && !found; y++) {
        const RowSpan span = mask_layer_span(mask, y);
        trn_payload_kernels(payload)->differ(
            TRN_BITS_SHIFT_PLAIN, trn_payload_row(payload, span.row), wanted, span.rows, differ);
        for (uint32_t i = 0; i < span.rows; i++) {
            found |= differ[i] & mask[span.row + i];
        }
    }
    return found != 0;
}

/// Whether all voxels under a mask are one block already.
/// @param volume  bits of the mask
/// @param counts  [256] zeroes; receives how often each entry occurs under it, where there is a
///                palette
static bool mask_is_filled(const TrnEditState *edit, const uint32_t *mask, uint32_t volume,
                           TrnBlock block, uint32_t *counts)
{
    const TrnSnapshot now = trn_edit_now(edit);
    if (trn_snapshot_is_uniform(now)) {
        counts[0] = volume;
        return trn_snapshot_uniform(now) == block;
    }
    const TrnPayload *payload = trn_snapshot_payload(now);
    if (payload->bits == 16) {
        return !plain_mask_differs(payload, mask, block);
    }
    payload_tally_mask(payload, mask, counts);
    const uint32_t entry = trn_payload_find(payload, edit->heap->entry_of, block);
    return entry != TRN_ENTRY_NONE && counts[entry] == volume;
}

// ---- writing -----------------------------------------------------------------------------------

static void put_span_entries(TrnEditState *edit, const uint32_t *mask, RowSpan span, uint32_t entry)
{
    const TrnVoxelKernels *kernels = edit->heap->kernels;
    uint8_t entries[LAYER_VOXELS];
    void *fields = trn_edit_row(edit, span.row);
    kernels->unpack(edit->bits_shift, fields, span.rows, entries);
    kernels->put(entries, span.rows, mask + span.row, (uint8_t)entry);
    kernels->pack(edit->bits_shift, entries, span.rows, fields);
}

static void put_mask(TrnEditState *edit, const uint32_t *mask, TrnBlock block, uint32_t entry)
{
    for (uint32_t y = 0; y < TRN_CHUNK_EDGE; y++) {
        const RowSpan span = mask_layer_span(mask, y);
        if (edit->is_plain) {
            edit->heap->kernels->put_blocks(trn_edit_row(edit, span.row), span.rows,
                                            mask + span.row, block);
        } else {
            put_span_entries(edit, mask, span, entry);
        }
    }
}

/// Sets or clears in one mask what is set in another.
static void mask_merge(uint32_t *to, const uint32_t *mask, bool bit)
{
    for (uint32_t row = 0; row < TRN_CHUNK_ROWS; row++) {
        to[row] = bit ? to[row] | mask[row] : to[row] & ~mask[row];
    }
}

static void edit_fill_mask_admitted(TrnEditState *edit, const uint32_t *mask, uint32_t volume,
                                    TrnBlock block, uint32_t entry, const uint32_t *before)
{
    put_mask(edit, mask, block, entry);
    if (!edit->is_plain) {
        uint32_t after[TRN_PALETTE_MAX] = {0};
        after[entry] = volume;
        trn_edit_recount(edit, before, after);
    }
    mask_merge(edit->solid, mask, trn_block_bit(edit->heap->solid_bits, block));
    if (!edit->has_one_mask) {
        mask_merge(edit->opaque, mask, trn_block_bit(edit->heap->opaque_bits, block));
    }
}

/// A mask of some voxels, not all.
static TrnResult edit_fill_mask_part(TrnEditState *edit, const uint32_t *mask, uint32_t volume,
                                     TrnBlock block)
{
    uint32_t before[TRN_PALETTE_MAX] = {0}, entry;
    if (mask_is_filled(edit, mask, volume, block, before)) {
        return TRN_RESULT_OK;
    }
    TrnResult result = trn_edit_open_copy(edit);
    if (result == TRN_RESULT_OK) {
        result = trn_edit_admit(edit, block, &entry);
    }
    if (result == TRN_RESULT_OK) {
        edit_fill_mask_admitted(edit, mask, volume, block, entry, before);
    }
    return trn_edit_settle(edit, result);
}

TrnResult trn_voxel_edit_fill_mask(TrnVoxelEdit *edit, const uint32_t mask[TRN_CHUNK_ROWS],
                                   TrnBlock block)
{
    TrnEditState *state = trn_edit_state(edit);
    if (!state->heap) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    const uint32_t volume = state->heap->kernels->count(mask, TRN_CHUNK_ROWS);
    if (volume == 0) {
        return TRN_RESULT_OK;
    }
    if (volume == TRN_CHUNK_VOXELS) {
        trn_edit_fill_chunk(state, block);
        return TRN_RESULT_OK;
    }
    return edit_fill_mask_part(state, mask, volume, block);
}
