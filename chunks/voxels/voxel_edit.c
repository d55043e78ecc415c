// An edit of one chunk: its private copy, single blocks, begin, commit and cancel.

#include "voxel_data_edit.h"

#include <string.h>

#include "voxel_edit_impl.h"

// ---- the private copy --------------------------------------------------------------------------

static uint32_t *edit_known_place(TrnEditState *edit, TrnBlock block)
{
    return &edit->known[block % TRN_KNOWN_PLACES];
}

/// TRN_KIND_... of a block.
static uint32_t edit_kind(const TrnEditState *edit, TrnBlock block)
{
    return (trn_block_bit(edit->solid_bits, block) ? TRN_KIND_SOLID : 0) |
           (trn_block_bit(edit->opaque_bits, block) ? TRN_KIND_OPAQUE : 0);
}

/// Notes a block and its entry for trn_edit_set.
static void edit_know(TrnEditState *edit, TrnBlock block, uint32_t entry)
{
    if (edit->known_voxels > 0) {
        *edit_known_place(edit, block) =
            block | entry << TRN_KNOWN_ENTRY_SHIFT | edit_kind(edit, block) << TRN_KNOWN_KIND_SHIFT;
    }
}

/// The content of a place without knowledge: a block that belongs to another place.
static uint32_t edit_known_nothing(uint32_t place)
{
    return place ^ 1;
}

static void edit_forget(TrnEditState *edit, TrnBlock block)
{
    uint32_t *known = edit_known_place(edit, block);
    if (edit->known_voxels > 0 && (TrnBlock)*known == block) {
        *known = edit_known_nothing(block % TRN_KNOWN_PLACES);
    }
}

/// Makes the table of known blocks, from the palette of the private copy.
static void edit_know_palette(TrnEditState *edit)
{
    for (uint32_t place = 0; place < TRN_KNOWN_PLACES; place++) {
        edit->known[place] = edit_known_nothing(place);
    }
    edit->known_voxels = TRN_CHUNK_VOXELS;
    const TrnBlock *palette = trn_payload_palette(edit->copy);
    for (uint32_t e = 0; e < edit->copy->palette_count; e++) {
        // An unused block may need two masks by now, because its type was filled in. trn_edit_set
        // must not know it then.
        if (!edit->has_one_mask || !trn_block_needs_two_masks(edit->heap, palette[e])) {
            edit_know(edit, palette[e], e);
        }
    }
}

void trn_edit_name_entry(TrnEditState *edit, uint32_t entry, TrnBlock block)
{
    TrnBlock *palette = trn_payload_edit_palette(edit->copy);
    if (entry == edit->copy->palette_count) {
        edit->copy->palette_count++;
    } else {
        edit_forget(edit, palette[entry]);
    }
    palette[entry] = block;
    edit->heap->entry_of[block] = (uint8_t)entry;
    edit_know(edit, block, entry);
}

/// Makes the private copy the content of the edit.
static void edit_write_copy(TrnEditState *edit)
{
    TrnPayload *payload = edit->copy;
    edit->has_blocks = true;
    edit->counts = trn_payload_edit_counts(payload);
    edit->words = trn_payload_edit_words(payload);
    edit->solid = trn_payload_edit_solid(payload);
    edit->opaque = trn_payload_edit_opaque(payload);
    edit->entry_mask = payload->entry_mask;
    edit->bits_shift = payload->bits_shift;
    edit->is_plain = payload->bits == 16;
    edit->has_one_mask = edit->solid == edit->opaque;
    edit->known_voxels = 0;
}

void trn_edit_use_copy(TrnEditState *edit, TrnPayload *payload)
{
    trn_voxel_heap_give(edit->heap, edit->copy);
    edit->copy = payload;
    edit_write_copy(edit);
}

/// Sets the content of an edit without a private copy.
static void edit_hold(TrnEditState *edit, TrnSnapshot now)
{
    edit->copy = NULL;
    edit->has_blocks = false;
    edit->is_plain = false;
    edit->known_voxels = 0;
    edit->now = now.word;
}

/// Drops the private copy; the content is `now` from then on.
static void edit_drop_copy(TrnEditState *edit, TrnSnapshot now)
{
    trn_voxel_heap_give(edit->heap, edit->copy);
    edit_hold(edit, now);
}

TrnResult trn_edit_settle(TrnEditState *edit, TrnResult result)
{
    if (result == TRN_RESULT_OK) {
        edit->is_changed = true;
    } else if (!edit->is_changed) {
        edit_drop_copy(edit, (TrnSnapshot){edit->now});
    }
    return result;
}

/// Makes a payload of a uniform chunk: one bit a voxel, all 0.
static TrnResult edit_make_uniform(TrnEditState *edit, TrnBlock block, TrnPayload **made)
{
    TrnPayload *payload;
    const TrnPayloadShape shape = {0, trn_block_needs_two_masks(edit->heap, block)};
    TrnResult result = trn_voxel_heap_take(edit->heap, shape, &payload);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    trn_payload_edit_palette(payload)[0] = block;
    trn_payload_edit_counts(payload)[0] = TRN_CHUNK_VOXELS;
    payload->palette_count = 1;
    memset(trn_payload_edit_solid(payload), trn_block_bit(edit->heap->solid_bits, block) ? 0xFF : 0,
           TRN_MASK_BYTES);
    memset(trn_payload_edit_opaque(payload),
           trn_block_bit(edit->heap->opaque_bits, block) ? 0xFF : 0, TRN_MASK_BYTES);
    memset(trn_payload_edit_words(payload), 0, TRN_CHUNK_VOXELS / 8);
    *made = payload;
    return TRN_RESULT_OK;
}

/// trn_edit_fill_chunk for a chunk with block data, some of which may stay.
static TrnResult edit_fill_with_data(TrnEditState *edit, TrnBlock block)
{
    if (trn_snapshot_count(trn_edit_now(edit), block) == TRN_CHUNK_VOXELS) {
        return TRN_RESULT_OK;
    }
    TrnPayload *payload;
    TrnResult result = trn_data_open_flat(edit->heap, (TrnSnapshot){edit->base}, &edit->data);
    if (result == TRN_RESULT_OK) {
        result = edit_make_uniform(edit, block, &payload);
    }
    if (result == TRN_RESULT_OK) {
        trn_edit_use_copy(edit, payload);
    }
    return trn_edit_settle(edit, result);
}

TrnResult trn_edit_fill_chunk(TrnEditState *edit, TrnBlock block)
{
    const TrnSnapshot now = trn_edit_now(edit);
    if (trn_data_current((TrnSnapshot){edit->base}, edit->data)) {
        return edit_fill_with_data(edit, block);
    }
    if (!trn_snapshot_is_uniform(now) || trn_snapshot_uniform(now) != block) {
        edit_drop_copy(edit, trn_snapshot_of(block, 0));
        edit->is_changed = true;
    }
    return TRN_RESULT_OK;
}

TrnResult trn_edit_make_copy(TrnEditState *edit)
{
    const TrnSnapshot now = {edit->now};
    if (edit->copy) {
        return TRN_RESULT_OK;
    }
    if (trn_snapshot_is_uniform(now)) {
        return edit_make_uniform(edit, trn_snapshot_uniform(now), &edit->copy);
    }
    const TrnPayload *from = trn_snapshot_payload(now);
    return trn_payload_widen(edit->heap, from, trn_payload_shape(from), &edit->copy);
}

TrnResult trn_edit_open_copy(TrnEditState *edit)
{
    if (edit->has_blocks) {
        return TRN_RESULT_OK;
    }
    TrnResult result = trn_data_open_flat(edit->heap, (TrnSnapshot){edit->base}, &edit->data);
    if (result == TRN_RESULT_OK) {
        result = trn_edit_make_copy(edit);
    }
    if (result == TRN_RESULT_OK) {
        edit_write_copy(edit);
    }
    return result;
}

// ---- the palette -------------------------------------------------------------------------------

uint32_t trn_payload_find(const TrnPayload *payload, const uint8_t *entry_of, TrnBlock block)
{
    const TrnBlock *palette = trn_payload_palette(payload);
    const uint32_t guess = entry_of[block];
    if (guess < payload->palette_count && palette[guess] == block) {
        return guess;
    }
    for (uint32_t e = 0; e < payload->palette_count; e++) {
        if (palette[e] == block) {
            return e;
        }
    }
    return TRN_ENTRY_NONE;
}

/// Finds an entry for a new block: a fresh one, or one that no longer occurs.
static uint32_t edit_vacant_entry(const TrnEditState *edit)
{
    if (edit->copy->palette_count <= edit->entry_mask) {
        return edit->copy->palette_count;
    }
    for (uint32_t e = 0; e < edit->copy->palette_count; e++) {
        if (edit->counts[e] == 0) {
            return e;
        }
    }
    return TRN_ENTRY_NONE;
}

/// Replaces the private copy by one of another shape.
static TrnResult edit_reshape(TrnEditState *edit, TrnPayloadShape shape)
{
    TrnPayload *wide;
    TrnResult result = trn_payload_widen(edit->heap, edit->copy, shape, &wide);
    if (result == TRN_RESULT_OK) {
        trn_edit_use_copy(edit, wide);
    }
    return result;
}

TrnResult trn_edit_admit_masks(TrnEditState *edit, TrnBlock block)
{
    TrnPayloadShape shape = trn_payload_shape(edit->copy);
    if (shape.has_two_masks || !trn_block_needs_two_masks(edit->heap, block)) {
        return TRN_RESULT_OK;
    }
    shape.has_two_masks = true;
    return edit_reshape(edit, shape);
}

/// Adds a block to the palette, and widens the copy if necessary.
static TrnResult edit_admit_new(TrnEditState *edit, TrnBlock block, uint32_t *entry)
{
    uint32_t vacant = edit_vacant_entry(edit);
    if (vacant == TRN_ENTRY_NONE) {
        TrnPayloadShape shape = trn_payload_shape(edit->copy);
        shape.bits_shift++; // doubles the width
        TrnResult result = edit_reshape(edit, shape);
        if (result != TRN_RESULT_OK) {
            return result;
        }
        vacant = edit->copy->palette_count;
    }
    if (edit->copy->bits == 16) {
        *entry = block;
        return TRN_RESULT_OK;
    }
    trn_edit_name_entry(edit, vacant, block);
    *entry = vacant;
    return TRN_RESULT_OK;
}

TrnResult trn_edit_admit(TrnEditState *edit, TrnBlock block, uint32_t *entry)
{
    TrnResult result = trn_edit_admit_masks(edit, block);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    if (edit->copy->bits == 16) {
        *entry = block;
        return TRN_RESULT_OK;
    }
    const uint32_t found = trn_payload_find(edit->copy, edit->heap->entry_of, block);
    if (found == TRN_ENTRY_NONE) {
        return edit_admit_new(edit, block, entry);
    }
    edit->heap->entry_of[block] = (uint8_t)found;
    edit_know(edit, block, found);
    *entry = found;
    return TRN_RESULT_OK;
}

void trn_edit_recount(TrnEditState *edit, const uint32_t *before, const uint32_t *after)
{
    for (uint32_t e = 0; e < edit->copy->palette_count; e++) {
        edit->counts[e] = (uint16_t)(edit->counts[e] - before[e] + after[e]);
    }
}

// ---- single blocks -----------------------------------------------------------------------------

TrnResult trn_edit_set_unknown(TrnEditState *edit, uint32_t index, TrnBlock block)
{
    if (!edit->heap || index >= TRN_CHUNK_VOXELS) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    if (edit->has_blocks && !edit->is_plain && edit->known_voxels == 0) {
        edit_know_palette(edit);
        return trn_edit_set(edit, index, block);
    }
    if (trn_snapshot_get(trn_edit_now(edit), index) == block) {
        return TRN_RESULT_OK;
    }
    TrnResult result = trn_edit_open_copy(edit);
    uint32_t entry = 0; // the analyzer does not see that a failure returns
    if (result == TRN_RESULT_OK) {
        result = trn_edit_admit(edit, block, &entry);
    }
    if (trn_edit_settle(edit, result) != TRN_RESULT_OK) {
        return result;
    }
    if (edit->is_plain) {
        return trn_edit_set_plain(edit, index, block);
    }
    trn_edit_put(edit, index, entry, edit_kind(edit, block));
    return TRN_RESULT_OK;
}

TrnResult trn_voxel_edit_set(TrnVoxelEdit *edit, uint32_t index, TrnBlock block)
{
    return trn_edit_set(trn_edit_state(edit), index, block);
}

TrnBlock trn_voxel_edit_get(const TrnVoxelEdit *edit, uint32_t index)
{
    return trn_snapshot_get(trn_edit_now(trn_edit_state_const(edit)), index);
}

// ---- begin and end -----------------------------------------------------------------------------

void trn_voxel_edit_begin(TrnVoxelEdit *edit, TrnVoxelHeap *heap, TrnVoxels *voxels)
{
    TrnEditState *state = trn_edit_state(edit);
    state->heap = heap;
    state->voxels = voxels;
    state->solid_bits = heap->solid_bits;
    state->opaque_bits = heap->opaque_bits;
    state->is_changed = false;
    edit_hold(state, trn_voxels_snapshot(voxels));
    state->base = state->now;
    state->data = NULL;
}

static void edit_end(TrnEditState *edit)
{
    edit->heap = NULL;
    edit_hold(edit, trn_snapshot_of(0, 0));
}

/// Returns the word of the narrowest form of the edit's content, under its revision. If memory is
/// short, the private copy stays as it is.
static uint64_t edit_final_word(TrnEditState *edit, uint64_t revision)
{
    if (!edit->copy) { // without data
        trn_data_drop(edit->heap, &edit->data);
        return trn_snapshot_of(trn_snapshot_uniform((TrnSnapshot){edit->now}), revision).word;
    }
    const TrnSnapshot now = trn_edit_now(edit);
    uint64_t word = (uintptr_t)edit->copy;
    trn_data_publish(edit->heap, (TrnSnapshot){edit->base}, now, edit->copy, &edit->data);
    edit->copy->revision = revision & TRN_REVISION_MAX;
    if (now.word == edit->base && trn_payload_data(edit->copy)) {
        return word; // as narrow as it was
    }
    if (trn_payload_least(edit->heap, edit->copy, false, &word) == TRN_RESULT_OK &&
        word != (uintptr_t)edit->copy) {
        trn_voxel_heap_give(edit->heap, edit->copy);
    }
    return word;
}

bool trn_voxel_edit_commit(TrnVoxelEdit *edit, uint64_t revision)
{
    TrnEditState *state = trn_edit_state(edit);
    if (!state->heap || !state->is_changed) {
        trn_voxel_edit_cancel(edit);
        return false;
    }
    // Otherwise another call has changed the chunk.
    TRN_ASSERT(trn_voxels_snapshot(state->voxels).word == state->base);
    trn_voxels_publish(state->heap, state->voxels, edit_final_word(state, revision));
    edit_end(state);
    return true;
}

void trn_voxel_edit_cancel(TrnVoxelEdit *edit)
{
    TrnEditState *state = trn_edit_state(edit);
    if (state->heap) {
        trn_data_drop(state->heap, &state->data);
        trn_voxel_heap_give(state->heap, state->copy);
        edit_end(state);
    }
}

// ---- masks --------------------------------------------------------------------------------------

// Filling the voxels of a mask, layer by layer: of each layer the rows from the first to the last
// with a bit.

#define LAYER_ROWS ((uint32_t)TRN_CHUNK_EDGE)
#define LAYER_VOXELS ((size_t)LAYER_ROWS * TRN_CHUNK_EDGE)

/// Consecutive rows.
typedef struct EditRowSpan {
    uint32_t row;  ///< the first, in the chunk
    uint32_t rows; ///< 0 if no row has a bit
} EditRowSpan;

/// A mask, and which of its layers may have bits.
typedef struct EditMask {
    const uint32_t *bits; ///< [TRN_CHUNK_ROWS]
    uint32_t first, end;  ///< layers: from `first` to `end` - 1
    uint32_t volume;      ///< voxels under the mask
} EditMask;

static EditRowSpan edit_mask_layer_span(const EditMask *mask, uint32_t y)
{
    const uint32_t *bits = mask->bits;
    EditRowSpan span = {y * LAYER_ROWS, LAYER_ROWS};
    uint32_t any = 0; // finds empty layers, the most common, without branches
    for (uint32_t z = 0; z < LAYER_ROWS; z++) {
        any |= bits[span.row + z];
    }
    if (any == 0) {
        span.rows = 0;
        return span;
    }
    while (bits[span.row] == 0) {
        span.row++;
        span.rows--;
    }
    while (bits[span.row + span.rows - 1] == 0) {
        span.rows--;
    }
    return span;
}

/// Counts the bits of a mask and bounds its layers: a ball in one chunk covers a few of them.
static EditMask edit_mask_of(const TrnVoxelHeap *heap, const uint32_t *bits)
{
    EditMask mask = {bits, 0, TRN_CHUNK_EDGE, 0};
    while (mask.first < mask.end && edit_mask_layer_span(&mask, mask.first).rows == 0) {
        mask.first++;
    }
    while (mask.end > mask.first && edit_mask_layer_span(&mask, mask.end - 1).rows == 0) {
        mask.end--;
    }
    mask.volume = heap->kernels->count(bits + (size_t)mask.first * LAYER_ROWS,
                                       (size_t)(mask.end - mask.first) * LAYER_ROWS);
    return mask;
}

/// Whether some voxel under a mask is another block. Stops at the first such layer.
static bool edit_mask_differs(const TrnPayload *payload, const EditMask *mask, TrnBlock block)
{
    _Alignas(TRN_CACHE_LINE) unsigned char wanted[sizeof(TrnBlock[LAYER_VOXELS])];
    if (!trn_payload_fill_layer(payload, block, wanted)) {
        return true;
    }
    uint32_t differ[LAYER_ROWS], found = 0;
    for (uint32_t y = mask->first; y < mask->end && !found; y++) {
        const EditRowSpan span = edit_mask_layer_span(mask, y);
        trn_payload_kernels(payload)->differ(
            payload->bits_shift, trn_payload_row(payload, span.row), wanted, span.rows, differ);
        for (uint32_t i = 0; i < span.rows; i++) {
            found |= differ[i] & mask->bits[span.row + i];
        }
    }
    return found != 0;
}

/// Whether all voxels under a mask already are a block.
static bool edit_mask_is_filled(const TrnEditState *edit, const EditMask *mask, TrnBlock block)
{
    const TrnSnapshot now = trn_edit_now(edit);
    return trn_snapshot_is_uniform(now)
               ? trn_snapshot_uniform(now) == block
               : !edit_mask_differs(trn_snapshot_payload(now), mask, block);
}

/// Writes an entry under a mask. @param before  adds the number of voxels of each entry until now
static void edit_mask_put_span(TrnEditState *edit, const EditMask *mask, EditRowSpan span,
                               uint32_t entry, uint32_t *before)
{
    const TrnVoxelKernels *kernels = edit->heap->kernels;
    uint8_t entries[LAYER_VOXELS];
    void *fields = trn_edit_row(edit, span.row);
    kernels->unpack(edit->bits_shift, fields, span.rows, entries);
    kernels->tally_under(entries, span.rows, mask->bits + span.row, edit->copy->palette_count,
                         before);
    kernels->put(entries, span.rows, mask->bits + span.row, (uint8_t)entry);
    kernels->pack(edit->bits_shift, entries, span.rows, fields);
}

static void edit_mask_put(TrnEditState *edit, const EditMask *mask, TrnBlock block, uint32_t entry)
{
    uint32_t before[TRN_PALETTE_MAX] = {0}, after[TRN_PALETTE_MAX] = {0};
    for (uint32_t y = mask->first; y < mask->end; y++) {
        const EditRowSpan span = edit_mask_layer_span(mask, y);
        if (edit->is_plain) {
            edit->heap->kernels->put_blocks(trn_edit_row(edit, span.row), span.rows,
                                            mask->bits + span.row, block);
        } else {
            edit_mask_put_span(edit, mask, span, entry, before);
        }
    }
    if (!edit->is_plain) {
        after[entry] = mask->volume;
        trn_edit_recount(edit, before, after);
    }
}

/// Sets or clears all bits of one mask in another.
static void edit_mask_merge(uint32_t *to, const EditMask *mask, bool bit)
{
    for (uint32_t row = mask->first * LAYER_ROWS; row < mask->end * LAYER_ROWS; row++) {
        to[row] = bit ? to[row] | mask->bits[row] : to[row] & ~mask->bits[row];
    }
}

/// Fills a mask that is neither empty nor full.
static TrnResult edit_mask_fill_part(TrnEditState *edit, const EditMask *mask, TrnBlock block)
{
    if (edit_mask_is_filled(edit, mask, block)) {
        return TRN_RESULT_OK;
    }
    TrnResult result = trn_edit_open_copy(edit);
    uint32_t entry;
    if (result == TRN_RESULT_OK) {
        result = trn_edit_admit(edit, block, &entry);
    }
    if (result == TRN_RESULT_OK) {
        edit_mask_put(edit, mask, block, entry);
        edit_mask_merge(edit->solid, mask, trn_block_bit(edit->heap->solid_bits, block));
        if (!edit->has_one_mask) {
            edit_mask_merge(edit->opaque, mask, trn_block_bit(edit->heap->opaque_bits, block));
        }
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
    const EditMask bounded = edit_mask_of(state->heap, mask);
    if (bounded.volume == 0) {
        return TRN_RESULT_OK;
    }
    if (bounded.volume == TRN_CHUNK_VOXELS) {
        return trn_edit_fill_chunk(state, block);
    }
    return edit_mask_fill_part(state, &bounded, block);
}
