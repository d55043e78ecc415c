// Calls of an edit that write many voxels: boxes, masks, replaced blocks, whole chunks.

#include "voxel_data_edit.h"

#include <string.h>

#include "voxel_edit_impl.h"
#include "voxel_read_internal.h"
#include "voxel_unit.h"

#define ROW TRN_CHUNK_EDGE

// ---- boxes -------------------------------------------------------------------------------------

/// A box of voxels.
typedef struct EditBox {
    uint32_t min[3], size[3];
} EditBox;

/// Makes a box from its lowest voxel and size. @return false if it is empty or leaves the chunk
static bool edit_box_of(const uint32_t min[3], const uint32_t size[3], EditBox *box)
{
    for (int axis = 0; axis < 3; axis++) {
        if (min[axis] >= TRN_CHUNK_EDGE || size[axis] == 0 ||
            size[axis] > TRN_CHUNK_EDGE - min[axis]) {
            return false;
        }
        box->min[axis] = min[axis];
        box->size[axis] = size[axis];
    }
    return true;
}

static bool edit_box_between(const uint32_t min[3], const uint32_t max[3], EditBox *box)
{
    uint32_t size[3];
    for (int axis = 0; axis < 3; axis++) {
        if (max[axis] >= TRN_CHUNK_EDGE || min[axis] > max[axis]) {
            return false;
        }
        size[axis] = max[axis] - min[axis] + 1;
    }
    return edit_box_of(min, size, box);
}

/// The rows of a half-layer that a box holds, from `*first` on. @return their number
static uint32_t edit_box_rows(const EditBox *box, uint32_t half, uint32_t *first)
{
    const uint32_t y = half / 2, low = half % 2 * TRN_HALF_ROWS, high = low + TRN_HALF_ROWS;
    const uint32_t end = box->min[2] + box->size[2];
    if (y < box->min[1] || y >= box->min[1] + box->size[1] || box->min[2] >= high || end <= low) {
        return 0;
    }
    *first = (box->min[2] > low ? box->min[2] : low) - low;
    return (end < high ? end : high) - low - *first;
}

static uint64_t edit_box_halves(const EditBox *box)
{
    uint64_t halves = 0;
    uint32_t first;
    for (uint32_t half = 0; half < TRN_CHUNK_HALVES; half++) {
        halves |= (uint64_t)(edit_box_rows(box, half, &first) != 0) << half;
    }
    return halves;
}

/// Writes the rows of a box's half-layers.
static void edit_box_mask(const EditBox *box, uint64_t halves, uint32_t *mask)
{
    const uint32_t bits = UINT32_MAX >> (ROW - box->size[0]) << box->min[0];
    for (uint64_t left = halves; left; left &= left - 1) {
        const uint32_t half = (uint32_t)__builtin_ctzll(left);
        uint32_t *rows = mask + (size_t)half * TRN_HALF_ROWS, first = 0;
        const uint32_t end = edit_box_rows(box, half, &first) + first;
        for (uint32_t row = 0; row < TRN_HALF_ROWS; row++) {
            rows[row] = row >= first && row < end ? bits : 0;
        }
    }
}

TrnResult trn_voxel_edit_fill_box(TrnVoxelEdit *edit, const uint32_t min[3], const uint32_t max[3],
                                  TrnBlock block)
{
    TrnEditState *state = trn_edit_state(edit);
    EditBox box;
    if (!state->heap || !edit_box_between(min, max, &box)) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    if (box.size[0] * box.size[1] * box.size[2] == TRN_CHUNK_VOXELS) {
        return trn_edit_fill_chunk(state, block);
    }
    const uint64_t halves = edit_box_halves(&box);
    uint32_t mask[TRN_CHUNK_ROWS];
    edit_box_mask(&box, halves, mask);
    return trn_edit_fill_rows(state, mask, halves, block);
}

/// A box, and where its blocks come from.
typedef struct EditCopy {
    EditBox to, from;
    TrnSnapshot source;
} EditCopy;

static void edit_copy_half(const EditCopy *copy, const TrnVoxelKernels *kernels, uint32_t half,
                           TrnVoxelUnit *unit)
{
    uint32_t first;
    const uint32_t rows = edit_box_rows(&copy->to, half, &first);
    const uint32_t y = half / 2 - copy->to.min[1] + copy->from.min[1];
    for (uint32_t row = first; row < first + rows; row++) {
        TrnBlock decoded[TRN_CHUNK_EDGE];
        const uint32_t z = half % 2 * TRN_HALF_ROWS + row - copy->to.min[2] + copy->from.min[2];
        trn_snapshot_decode_row(copy->source, y, z, decoded);
        trn_unit_write(unit, kernels, row * ROW + copy->to.min[0], decoded + copy->from.min[0],
                       copy->to.size[0]);
    }
}

static void edit_change_copy(TrnEditState *edit, const TrnEditWrite *write)
{
    for (uint64_t left = write->halves; left; left &= left - 1) {
        const uint32_t half = (uint32_t)__builtin_ctzll(left);
        edit_copy_half(write->of, edit->heap->kernels, half, edit->units[half]);
    }
}

TrnResult trn_voxel_edit_copy_box(TrnVoxelEdit *edit, const uint32_t to[3], TrnSnapshot source,
                                  const uint32_t from[3], const uint32_t size[3])
{
    TrnEditState *state = trn_edit_state(edit);
    EditCopy copy = {.source = source};
    if (!state->heap || !edit_box_of(to, size, &copy.to) || !edit_box_of(from, size, &copy.from)) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    TrnPalette palette;
    trn_snapshot_palette(source, &palette);
    const uint32_t types = palette.count ? palette.count : TRN_CHUNK_VOXELS;
    return trn_edit_write_units(
        state, &(TrnEditWrite){edit_change_copy, &copy, edit_box_halves(&copy.to), types, 0, 0});
}

// ---- masks -------------------------------------------------------------------------------------

static void edit_change_mask(TrnEditState *edit, const TrnEditWrite *write)
{
    const uint32_t *mask = write->of;
    for (uint64_t left = write->halves; left; left &= left - 1) {
        const uint32_t half = (uint32_t)__builtin_ctzll(left);
        trn_unit_fill_mask(edit->units[half], edit->heap->kernels,
                           mask + (size_t)half * TRN_HALF_ROWS, write->block);
    }
}

TrnResult trn_edit_fill_rows(TrnEditState *edit, const uint32_t *mask, uint64_t halves,
                             TrnBlock block)
{
    return trn_edit_write_units(edit, &(TrnEditWrite){edit_change_mask, mask,
                                                      trn_edit_without(edit, halves, block), 1,
                                                      block, 0});
}

TrnResult trn_voxel_edit_fill_mask(TrnVoxelEdit *edit, const uint32_t mask[TRN_CHUNK_ROWS],
                                   TrnBlock block)
{
    TrnEditState *state = trn_edit_state(edit);
    uint64_t halves = 0;
    uint32_t all = UINT32_MAX;
    if (!state->heap) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    for (uint32_t half = 0; half < TRN_CHUNK_HALVES; half++) {
        const uint32_t *rows = mask + (size_t)half * TRN_HALF_ROWS;
        uint32_t any = 0;
        for (uint32_t row = 0; row < TRN_HALF_ROWS; row++) {
            any |= rows[row];
            all &= rows[row];
        }
        halves |= (uint64_t)(any != 0) << half;
    }
    return all == UINT32_MAX ? trn_edit_fill_chunk(state, block)
                             : trn_edit_fill_rows(state, mask, halves, block);
}

// ---- replace and encode ------------------------------------------------------------------------

static void edit_change_block(TrnEditState *edit, const TrnEditWrite *write)
{
    for (uint64_t left = write->halves; left; left &= left - 1) {
        trn_unit_replace(edit->units[__builtin_ctzll(left)], edit->heap->kernels, write->other,
                         write->block);
    }
}

/// The half-layers that may have a block.
static uint64_t edit_halves_with(const TrnPayload *payload, TrnBlock block)
{
    uint64_t halves = 0;
    for (uint32_t h = 0; h < TRN_CHUNK_HALVES; h++) {
        const TrnHalf half = payload->half[h];
        const bool may_have =
            half.bits == 16 || trn_payload_find_number(payload, half, block) < 1u << half.bits;
        halves |= (uint64_t)may_have << h;
    }
    return halves;
}

TrnResult trn_voxel_edit_replace(TrnVoxelEdit *edit, TrnBlock from, TrnBlock to)
{
    TrnEditState *state = trn_edit_state(edit);
    if (!state->heap) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    const TrnResult result = trn_edit_flush(state);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    const TrnSnapshot now = trn_edit_now(state);
    if (from == to) {
        return TRN_RESULT_OK;
    }
    if (trn_snapshot_is_uniform(now)) {
        return trn_snapshot_uniform(now) == from ? trn_edit_fill_chunk(state, to) : TRN_RESULT_OK;
    }
    const uint64_t halves = edit_halves_with(trn_snapshot_payload(now), from);
    return trn_edit_write_units(state,
                                &(TrnEditWrite){edit_change_block, NULL, halves, 1, to, from});
}

TrnResult trn_voxel_edit_encode(TrnVoxelEdit *edit, const TrnBlock *blocks)
{
    TrnEditState *state = trn_edit_state(edit);
    TrnSnapshot made;
    if (!state->heap) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    TrnResult result = trn_edit_flush(state);
    const TrnSnapshot now = trn_edit_now(state);
    if (result == TRN_RESULT_OK) {
        result = trn_payload_encode(state->heap, blocks, &made.word);
    }
    if (result != TRN_RESULT_OK) {
        return result;
    }
    const bool is_uniform = trn_snapshot_is_uniform(made);
    TrnPayload *payload = is_uniform ? NULL : (TrnPayload *)(uintptr_t)made.word;
    if (trn_snapshot_equal(made, now)) {
        trn_voxel_heap_give(state->heap, payload);
        return TRN_RESULT_OK;
    }
    if (is_uniform) {
        return trn_edit_fill_chunk(state, blocks[0]);
    }
    result = trn_data_open_flat(state->heap, (TrnSnapshot){state->base}, &state->data);
    if (result != TRN_RESULT_OK) {
        trn_voxel_heap_give(state->heap, payload);
        return result;
    }
    trn_voxel_heap_give(state->heap, state->copy);
    state->copy = payload;
    state->changed = UINT64_MAX;
    state->has_blocks = state->is_changed = true;
    return TRN_RESULT_OK;
}

TrnResult trn_edit_restore(TrnEditState *edit, TrnSnapshot blocks, uint64_t halves)
{
    if (trn_snapshot_is_uniform(blocks)) {
        return trn_edit_fill_chunk(edit, trn_snapshot_uniform(blocks));
    }
    TrnPayload *copy;
    const TrnResult result = trn_payload_copy(edit->heap, trn_snapshot_payload(blocks), &copy);
    if (result == TRN_RESULT_OK) {
        edit->copy = copy;
        edit->changed = halves;
        edit->has_blocks = edit->is_changed = true;
    }
    return result;
}
