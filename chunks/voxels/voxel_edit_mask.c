// Filling the voxels of a mask, layer by layer: of each layer the rows from the first to the last
// with a bit.

#include "voxel_edit_impl.h"

#include <string.h>

#define LAYER_ROWS ((uint32_t)TRN_CHUNK_EDGE)
#define LAYER_VOXELS ((size_t)LAYER_ROWS * TRN_CHUNK_EDGE)

/// Consecutive rows of one layer.
typedef struct EditRowSpan {
    uint32_t row;  ///< the first, in the chunk
    uint32_t rows; ///< 0 if no row has a bit
} EditRowSpan;

static EditRowSpan edit_mask_layer_span(const uint32_t *mask, uint32_t y)
{
    EditRowSpan span = {y * LAYER_ROWS, LAYER_ROWS};
    uint32_t any = 0; // finds empty layers, the most common, without branches
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

// ---- reading -----------------------------------------------------------------------------------

/// Counts the voxels of each entry under a mask. @param counts  [TRN_PALETTE_MAX] zeroes
static void edit_mask_tally(const TrnPayload *payload, const uint32_t *mask, uint32_t *counts)
{
    uint8_t entries[LAYER_VOXELS];
    for (uint32_t y = 0; y < TRN_CHUNK_EDGE; y++) {
        const EditRowSpan span = edit_mask_layer_span(mask, y);
        trn_payload_kernels(payload)->unpack(
            payload->bits_shift, trn_payload_row(payload, span.row), span.rows, entries);
        trn_payload_kernels(payload)->tally_under(entries, span.rows, mask + span.row,
                                                  payload->palette_count, counts);
    }
}

/// Whether some voxel under a mask is another block, with 16 bits. Stops at the first such layer.
static bool edit_mask_differs_plain(const TrnPayload *payload, const uint32_t *mask, TrnBlock block)
{
    TrnBlock wanted[LAYER_VOXELS];
    uint32_t differ[TRN_CHUNK_EDGE], found = 0;
    for (size_t i = 0; i < LAYER_VOXELS; i++) {
        wanted[i] = block;
    }
    for (uint32_t y = 0; y < TRN_CHUNK_EDGE && !found; y++) {
        const EditRowSpan span = edit_mask_layer_span(mask, y);
        trn_payload_kernels(payload)->differ(
            TRN_BITS_SHIFT_PLAIN, trn_payload_row(payload, span.row), wanted, span.rows, differ);
        for (uint32_t i = 0; i < span.rows; i++) {
            found |= differ[i] & mask[span.row + i];
        }
    }
    return found != 0;
}

/// Whether all voxels under a mask already are a block.
/// @param volume  bits of the mask
/// @param counts  [TRN_PALETTE_MAX] zeroes; receives the number of voxels of each entry under the
///                mask, except with 16 bits
static bool edit_mask_is_filled(const TrnEditState *edit, const uint32_t *mask, uint32_t volume,
                                TrnBlock block, uint32_t *counts)
{
    const TrnSnapshot now = trn_edit_now(edit);
    if (trn_snapshot_is_uniform(now)) {
        counts[0] = volume;
        return trn_snapshot_uniform(now) == block;
    }
    const TrnPayload *payload = trn_snapshot_payload(now);
    if (payload->bits == 16) {
        return !edit_mask_differs_plain(payload, mask, block);
    }
    edit_mask_tally(payload, mask, counts);
    const uint32_t entry = trn_payload_find(payload, edit->heap->entry_of, block);
    return entry != TRN_ENTRY_NONE && counts[entry] == volume;
}

// ---- writing -----------------------------------------------------------------------------------

static void edit_mask_put_span(TrnEditState *edit, const uint32_t *mask, EditRowSpan span,
                               uint32_t entry)
{
    const TrnVoxelKernels *kernels = edit->heap->kernels;
    uint8_t entries[LAYER_VOXELS];
    void *fields = trn_edit_row(edit, span.row);
    kernels->unpack(edit->bits_shift, fields, span.rows, entries);
    kernels->put(entries, span.rows, mask + span.row, (uint8_t)entry);
    kernels->pack(edit->bits_shift, entries, span.rows, fields);
}

static void edit_mask_put(TrnEditState *edit, const uint32_t *mask, TrnBlock block, uint32_t entry)
{
    for (uint32_t y = 0; y < TRN_CHUNK_EDGE; y++) {
        const EditRowSpan span = edit_mask_layer_span(mask, y);
        if (edit->is_plain) {
            edit->heap->kernels->put_blocks(trn_edit_row(edit, span.row), span.rows,
                                            mask + span.row, block);
        } else {
            edit_mask_put_span(edit, mask, span, entry);
        }
    }
}

/// Sets or clears all bits of one mask in another.
static void edit_mask_merge(uint32_t *to, const uint32_t *mask, bool bit)
{
    for (uint32_t row = 0; row < TRN_CHUNK_ROWS; row++) {
        to[row] = bit ? to[row] | mask[row] : to[row] & ~mask[row];
    }
}

static void edit_mask_fill_admitted(TrnEditState *edit, const uint32_t *mask, uint32_t volume,
                                    TrnBlock block, uint32_t entry, const uint32_t *before)
{
    edit_mask_put(edit, mask, block, entry);
    if (!edit->is_plain) {
        uint32_t after[TRN_PALETTE_MAX] = {0};
        after[entry] = volume;
        trn_edit_recount(edit, before, after);
    }
    edit_mask_merge(edit->solid, mask, trn_block_bit(edit->heap->solid_bits, block));
    if (!edit->has_one_mask) {
        edit_mask_merge(edit->opaque, mask, trn_block_bit(edit->heap->opaque_bits, block));
    }
}

/// Fills a mask that is neither empty nor full.
static TrnResult edit_mask_fill_part(TrnEditState *edit, const uint32_t *mask, uint32_t volume,
                                     TrnBlock block)
{
    uint32_t before[TRN_PALETTE_MAX] = {0}, entry;
    if (edit_mask_is_filled(edit, mask, volume, block, before)) {
        return TRN_RESULT_OK;
    }
    TrnResult result = trn_edit_open_copy(edit);
    if (result == TRN_RESULT_OK) {
        result = trn_edit_admit(edit, block, &entry);
    }
    if (result == TRN_RESULT_OK) {
        edit_mask_fill_admitted(edit, mask, volume, block, entry, before);
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
        return trn_edit_fill_chunk(state, block);
    }
    return edit_mask_fill_part(state, mask, volume, block);
}
