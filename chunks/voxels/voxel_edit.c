// An edit of one chunk: its private copy and its units, single blocks, whole half-layers, begin,
// commit and cancel.

#include "voxel_data_edit.h"

#include <string.h>

#include "voxel_edit_impl.h"
#include "voxel_read_internal.h"
#include "voxel_unit.h"

#define ROW TRN_CHUNK_EDGE

/// The most voxels that are written in place; for further ones half-layers are opened.
#define EDIT_PUTS_MAX 16u

/// Lines that a unit adds to a payload at most: its own, and those of luts and palette.
#define EDIT_UNIT_LINES (TRN_HALF_LINES_MAX + 13u)

// ---- the private copy --------------------------------------------------------------------------

/// The payload below the units; NULL if the content is uniform.
static const TrnPayload *edit_below(const TrnEditState *edit)
{
    const TrnSnapshot now = {edit->has_blocks ? (uint64_t)(uintptr_t)edit->copy : edit->now};
    return trn_snapshot_is_uniform(now) ? NULL : trn_snapshot_payload(now);
}

static void edit_give_units(TrnEditState *edit, uint64_t halves)
{
    for (uint64_t left = halves; left; left &= left - 1) {
        trn_voxel_heap_give_unit(edit->heap, edit->units[__builtin_ctzll(left)]);
    }
    edit->opened &= ~halves;
}

/// Frees units and the spare payload.
static void edit_drop_units(TrnEditState *edit)
{
    edit_give_units(edit, edit->opened);
    trn_voxel_heap_give(edit->heap, edit->spare);
    edit->spare = NULL;
    edit->loose = 0;
    edit->puts = 0;
    edit->types = 0;
}

/// Sets the content of an edit without a private copy.
static void edit_hold(TrnEditState *edit, TrnSnapshot now)
{
    edit->copy = edit->spare = NULL;
    edit->opened = edit->loose = 0;
    edit->puts = edit->types = edit->noted = 0;
    edit->has_blocks = false;
    edit->now = now.word;
}

/// Drops units and private copy; the content is `now` from then on.
static void edit_drop(TrnEditState *edit, TrnSnapshot now)
{
    edit_drop_units(edit);
    trn_voxel_heap_give(edit->heap, edit->copy);
    edit_hold(edit, now);
}

TrnResult trn_edit_settle(TrnEditState *edit, TrnResult result)
{
    if (result == TRN_RESULT_OK) {
        edit->is_changed = true;
    } else if (!edit->is_changed) {
        edit_drop(edit, (TrnSnapshot){edit->now});
    }
    return result;
}

/// Makes a payload of one block.
static TrnResult edit_make_uniform(TrnEditState *edit, TrnBlock block, TrnPayload **made)
{
    TrnVoxelHeap *heap = edit->heap;
    const TrnDraftSetup setup = trn_heap_setup(heap);
    trn_draft_uniform(&heap->draft, &setup, block);
    return trn_payload_write(heap, &heap->draft, made);
}

TrnResult trn_edit_make_copy(TrnEditState *edit)
{
    const TrnSnapshot now = {edit->now};
    if (edit->copy) {
        return TRN_RESULT_OK;
    }
    return trn_snapshot_is_uniform(now)
               ? edit_make_uniform(edit, trn_snapshot_uniform(now), &edit->copy)
               : trn_payload_copy(edit->heap, trn_snapshot_payload(now), &edit->copy);
}

/// Makes the private copy the content of the edit, so that blocks can be written in place.
/// Errors: as trn_voxel_heap_take.
static TrnResult edit_open_copy(TrnEditState *edit)
{
    const TrnResult result = edit->has_blocks ? TRN_RESULT_OK : trn_edit_make_copy(edit);
    edit->has_blocks |= result == TRN_RESULT_OK;
    return result;
}

/// Prepares an edit for new blocks: the commit can remove their block data then. If the content is
/// uniform, there is a payload to put units on. Errors: as trn_voxel_heap_take.
static TrnResult edit_open_blocks(TrnEditState *edit)
{
    const TrnResult result = trn_data_open_flat(edit->heap, (TrnSnapshot){edit->base}, &edit->data);
    return result == TRN_RESULT_OK && !edit_below(edit) ? edit_open_copy(edit) : result;
}

// ---- units -------------------------------------------------------------------------------------

static bool edit_has_unit(const TrnEditState *edit, uint32_t half)
{
    return edit->opened >> half & 1;
}

/// The most bytes that the payload of an edit can have.
static size_t edit_bytes_bound(const TrnEditState *edit)
{
    const TrnPayload *below = edit_below(edit);
    const size_t units = (size_t)__builtin_popcountll(edit->opened | edit->loose);
    const size_t bound = trn_payload_bytes(below) + units * EDIT_UNIT_LINES * TRN_CACHE_LINE;
    // If the palette or the lists overflow, unchanged half-layers are encoded wider, too.
    const bool may_run_over = below->palette_count == 0 ||
                              below->palette_count + edit->types > TRN_PALETTE_MAX ||
                              below->lut_ids > TRN_LUT_STEPS_MAX * TRN_LUT_STEP / 2;
    return may_run_over || bound > TRN_PAYLOAD_BYTES_MAX ? TRN_PAYLOAD_BYTES_MAX : bound;
}

/// Takes memory that the payload of the edit surely fits in, unless the owner prepares the commit.
/// Errors: as trn_voxel_heap_take.
static TrnResult edit_reserve(TrnEditState *edit)
{
    if (edit->is_prepared) {
        return TRN_RESULT_OK;
    }
    const uint32_t wanted = trn_bytes_class(edit_bytes_bound(edit));
    if (edit->spare && edit->spare->size_class >= wanted) {
        return TRN_RESULT_OK;
    }
    TrnPayload *spare;
    TrnResult result = trn_voxel_heap_take(edit->heap, trn_class_bytes(wanted), &spare);
    if (result == TRN_RESULT_OK) {
        trn_voxel_heap_give(edit->heap, edit->spare);
        edit->spare = spare;
    }
    return result;
}

/// Loads a payload: most of it is copied, and some of it is needed at once.
static void payload_prefetch(const TrnPayload *payload)
{
    for (uint32_t line = 0; line < payload->line_count; line++) {
        __builtin_prefetch((const unsigned char *)payload + (size_t)line * TRN_CACHE_LINE);
    }
}

void trn_edit_prefetch_header(const TrnEditState *edit)
{
    const TrnSnapshot now = {edit->now};
    if (edit->noted && !trn_snapshot_is_uniform(now)) {
        __builtin_prefetch((const unsigned char *)trn_snapshot_payload(now) +
                           offsetof(TrnPayload, line_count));
    }
}

void trn_edit_prefetch_lines(const TrnEditState *edit)
{
    const TrnSnapshot now = {edit->now};
    if (edit->noted && !trn_snapshot_is_uniform(now)) {
        payload_prefetch(trn_snapshot_payload(now));
    }
}

void trn_edit_prefetch_payloads(const TrnEditState *edit)
{
    const TrnSnapshot base = {edit->base};
    if (edit->copy) {
        __builtin_prefetch(edit->copy, 1);
        __builtin_prefetch(edit->copy->half);
    }
    if (!trn_snapshot_is_uniform(base)) {
        __builtin_prefetch(trn_snapshot_payload(base), 1);
    }
}

void trn_edit_prefetch_release(const TrnEditState *edit)
{
    trn_voxels_prefetch_block(edit->heap, (TrnSnapshot){edit->base});
}

/// Opens half-layers. There is a payload below.
/// @param types   blocks that may be written to them, at most
/// @param opened  receives those that were not open
/// Errors: as trn_voxel_heap_take; none is opened then.
static TrnResult edit_open_units(TrnEditState *edit, uint64_t halves, uint32_t types,
                                 uint64_t *opened)
{
    const uint32_t types_before = edit->types;
    const TrnPayload *below = edit_below(edit);
    TrnResult result = TRN_RESULT_OK;
    *opened = 0;
    if (!edit->opened) {
        payload_prefetch(below);
    }
    for (uint64_t left = halves & ~edit->opened; left && result == TRN_RESULT_OK;
         left &= left - 1) {
        const uint32_t half = (uint32_t)__builtin_ctzll(left);
        result = trn_voxel_heap_take_unit(edit->heap, &edit->units[half]);
        if (result == TRN_RESULT_OK) {
            trn_unit_open(edit->units[half], below, edit->heap->kernels, half);
            *opened |= UINT64_C(1) << half;
        }
    }
    edit->opened |= *opened;
    edit->types +=
        types < TRN_CHUNK_VOXELS - types_before ? types : TRN_CHUNK_VOXELS - types_before;
    result = result == TRN_RESULT_OK ? edit_reserve(edit) : result;
    if (result != TRN_RESULT_OK) {
        edit_give_units(edit, *opened);
        edit->types = types_before;
    }
    return result;
}

/// Drafts the content.
static void edit_draft(TrnEditState *edit)
{
    const TrnPayload *below = edit_below(edit);
    TrnVoxelHeap *heap = edit->heap;
    const TrnDraftSetup setup = trn_heap_setup(heap);
    const TrnDraftUnits units = {edit->opened, edit->units};
    if (!trn_draft_changed(&heap->draft, &setup, below, units)) {
        trn_draft_all(&heap->draft, &setup, below, units);
    }
}

/// Opens half-layers of the copy that can be smaller or whose bits in its header are not exact, as
/// far as memory allows.
static void edit_tighten(TrnEditState *edit)
{
    for (uint64_t left = edit->loose & ~edit->opened; left; left &= left - 1) {
        uint64_t opened;
        (void)edit_open_units(edit, left & -left, 0, &opened);
    }
    edit->loose = 0;
}

static TrnResult edit_write_notes(TrnEditState *edit);

TrnResult trn_edit_flush(TrnEditState *edit)
{
    TrnVoxelHeap *heap = edit->heap;
    const TrnResult written = edit_write_notes(edit);
    edit_tighten(edit);
    if (!edit->opened || written != TRN_RESULT_OK) {
        return written;
    }
    TrnPayload *made = NULL;
    edit_draft(edit);
    const size_t bytes = trn_draft_bytes(&heap->draft);
    const bool fits = edit->spare && trn_bytes_class(bytes) == edit->spare->size_class;
    const TrnResult result = fits ? TRN_RESULT_OK : trn_voxel_heap_take(heap, bytes, &made);
    if (!made && !edit->spare) {
        return result;
    }
    if (!made) {
        made = edit->spare;
        edit->spare = NULL;
    }
    TRN_ASSERT(bytes <= trn_class_bytes(made->size_class));
    trn_draft_write(&heap->draft, made);
    trn_voxel_heap_give(heap, edit->copy);
    edit->copy = made;
    edit->has_blocks = true;
    edit_drop_units(edit);
    return TRN_RESULT_OK;
}

// ---- single blocks -----------------------------------------------------------------------------

static TrnBlock edit_get(const TrnEditState *edit, uint32_t index)
{
    const uint32_t half = index / TRN_HALF_VOXELS;
    if (edit_has_unit(edit, half)) {
        return trn_unit_get(edit->units[half], index % TRN_HALF_VOXELS);
    }
    const TrnSnapshot below = {edit->has_blocks ? (uint64_t)(uintptr_t)edit->copy : edit->now};
    return trn_snapshot_get(below, index);
}

/// Loads the lines that a first set reads: one after the other, they are late.
static void edit_prefetch(const TrnEditState *edit, uint32_t index)
{
    const TrnSnapshot now = {edit->now};
    if (edit->has_blocks || trn_snapshot_is_uniform(now)) {
        return;
    }
    const TrnPayload *payload = trn_snapshot_payload(now);
    __builtin_prefetch(payload);
    __builtin_prefetch(&payload->half[index / TRN_HALF_VOXELS]);
    __builtin_prefetch(payload + 1);
}

/// Writes a block to a half-layer that may have no unit yet.
static TrnResult edit_set_in_unit(TrnEditState *edit, uint32_t index, TrnBlock block)
{
    const uint32_t half = index / TRN_HALF_VOXELS;
    const bool is_listed = edit_has_unit(edit, half) && trn_unit_lists(edit->units[half], block);
    uint64_t opened;
    const TrnResult result =
        is_listed ? TRN_RESULT_OK : edit_open_units(edit, UINT64_C(1) << half, 1, &opened);
    if (result == TRN_RESULT_OK) {
        trn_unit_fill(edit->units[half], edit->heap->kernels, index % TRN_HALF_VOXELS, 1, block);
    }
    return result;
}

/// Writes a block in place, if its half-layer can hold it.
/// @param is_put  receives whether it did
/// Errors: as trn_voxel_heap_take.
static TrnResult edit_put(TrnEditState *edit, uint32_t index, TrnBlock block, bool *is_put)
{
    const uint32_t half = index / TRN_HALF_VOXELS;
    const bool is_solid = trn_block_bit(edit->heap->solid_bits, block);
    const bool is_opaque = trn_block_bit(edit->heap->opaque_bits, block);
    uint32_t number;
    *is_put = !edit_has_unit(edit, half) && edit->puts < EDIT_PUTS_MAX &&
              trn_payload_can_put(edit_below(edit), index, block, is_solid, is_opaque, &number);
    const TrnResult result = *is_put ? edit_open_copy(edit) : TRN_RESULT_OK;
    if (*is_put && result == TRN_RESULT_OK) {
        const bool is_tight = trn_payload_put(edit->copy, index, number, is_solid, is_opaque);
        edit->loose |= (uint64_t)!is_tight << half;
        edit->puts++;
    }
    return result;
}

/// Sets a block now. There are no notes.
static TrnResult edit_set(TrnEditState *edit, uint32_t index, TrnBlock block)
{
    edit_prefetch(edit, index);
    if (edit_get(edit, index) == block) {
        return TRN_RESULT_OK;
    }
    bool is_put = false;
    TrnResult result = edit_open_blocks(edit);
    if (result == TRN_RESULT_OK) {
        result = edit_put(edit, index, block, &is_put);
    }
    if (result == TRN_RESULT_OK && !is_put) {
        result = edit_set_in_unit(edit, index, block);
    }
    if (result == TRN_RESULT_OK) {
        edit->changed |= UINT64_C(1) << index / TRN_HALF_VOXELS;
    }
    return trn_edit_settle(edit, result);
}

/// Writes what is noted. Errors: as trn_voxel_heap_take; the rest stays noted.
static TrnResult edit_write_notes(TrnEditState *edit)
{
    TrnEditNote notes[TRN_EDIT_NOTES_MAX];
    const uint32_t count = edit->noted;
    uint32_t written = 0;
    TrnResult result = TRN_RESULT_OK;
    if (!count) {
        return TRN_RESULT_OK;
    }
    memcpy(notes, edit->notes, count * sizeof *notes);
    for (; written < count && result == TRN_RESULT_OK; written += result == TRN_RESULT_OK) {
        result = edit_set(edit, notes[written].index, notes[written].block);
    }
    edit->noted = count - written; // a first change that fails clears them
    memcpy(edit->notes, notes + written, edit->noted * sizeof *notes);
    return result;
}

/// Writes a block to a unit that lists it. @return false if it does not
static bool edit_put_in_unit(TrnEditState *edit, uint32_t index, TrnBlock block)
{
    const uint32_t half = index / TRN_HALF_VOXELS;
    const bool is_listed = trn_unit_lists(edit->units[half], block);
    if (is_listed && trn_unit_put(edit->units[half], index % TRN_HALF_VOXELS, block)) {
        edit->changed |= UINT64_C(1) << half;
        edit->is_changed = true;
    }
    return is_listed;
}

TrnResult trn_edit_set_any(TrnEditState *edit, uint32_t index, TrnBlock block)
{
    if (!edit->heap || index >= TRN_CHUNK_VOXELS) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    if (edit_has_unit(edit, index / TRN_HALF_VOXELS) && edit_put_in_unit(edit, index, block)) {
        return TRN_RESULT_OK;
    }
    if (edit->is_prepared && !edit->has_blocks && !edit->opened &&
        edit->noted < TRN_EDIT_NOTES_MAX) {
        edit->notes[edit->noted++] = (TrnEditNote){(uint16_t)index, block};
        return TRN_RESULT_OK;
    }
    const TrnResult result = edit_write_notes(edit);
    return result == TRN_RESULT_OK ? edit_set(edit, index, block) : result;
}

TrnResult trn_voxel_edit_set(TrnVoxelEdit *edit, uint32_t index, TrnBlock block)
{
    return trn_edit_set(trn_edit_state(edit), index, block);
}

TrnBlock trn_voxel_edit_get(const TrnVoxelEdit *edit, uint32_t index)
{
    const TrnEditState *state = trn_edit_state_const(edit);
    index &= TRN_CHUNK_VOXELS - 1;
    for (uint32_t i = state->noted; i-- > 0;) {
        if (state->notes[i].index == index) {
            return state->notes[i].block;
        }
    }
    return edit_get(state, index);
}

// ---- half-layers -------------------------------------------------------------------------------

uint64_t trn_edit_without(const TrnEditState *edit, uint64_t halves, TrnBlock block)
{
    const TrnPayload *below = edit_below(edit);
    uint64_t others = 0;
    for (uint64_t left = halves; left; left &= left - 1) {
        const uint32_t half = (uint32_t)__builtin_ctzll(left);
        const bool is_block = below ? !below->half[half].bits &&
                                          trn_payload_get(below, half * TRN_HALF_VOXELS) == block
                                    : trn_snapshot_uniform((TrnSnapshot){edit->now}) == block;
        others |= (uint64_t)!is_block << half;
    }
    for (uint32_t i = 0; i < edit->noted; i++) {
        others |= UINT64_C(1) << edit->notes[i].index / TRN_HALF_VOXELS;
    }
    return (others | edit->opened) & halves;
}

TrnResult trn_edit_write_units(TrnEditState *edit, const TrnEditWrite *write)
{
    uint64_t opened;
    if (!write->halves) {
        return TRN_RESULT_OK;
    }
    TrnResult result = edit_write_notes(edit);
    if (result == TRN_RESULT_OK) {
        result = edit_open_blocks(edit);
    }
    if (result == TRN_RESULT_OK) {
        result = edit_open_units(edit, write->halves, write->types, &opened);
    }
    if (result != TRN_RESULT_OK) {
        return trn_edit_settle(edit, result);
    }
    write->change(edit, write);
    uint64_t changed = 0;
    for (uint64_t left = write->halves; left; left &= left - 1) {
        const uint32_t half = (uint32_t)__builtin_ctzll(left);
        changed |= (uint64_t)edit->units[half]->is_changed << half;
    }
    edit_give_units(edit, opened & ~changed);
    edit->changed |= changed;
    edit->is_changed |= changed != 0;
    if (!edit->is_changed) {
        edit_drop(edit, (TrnSnapshot){edit->now});
    }
    return TRN_RESULT_OK;
}

void trn_edit_fill_units(TrnEditState *edit, uint32_t first, uint32_t last, TrnBlock block)
{
    for (uint32_t at = first, end; at <= last; at = end) {
        const uint32_t half = at / TRN_HALF_VOXELS, half_end = (half + 1) * TRN_HALF_VOXELS;
        end = last < half_end ? last + 1 : half_end;
        trn_unit_fill(edit->units[half], edit->heap->kernels, at % TRN_HALF_VOXELS, end - at,
                      block);
    }
}

// ---- the whole chunk ---------------------------------------------------------------------------

/// trn_edit_fill_chunk for a chunk with block data, some of which may stay.
static TrnResult edit_fill_with_data(TrnEditState *edit, TrnBlock block)
{
    TrnPayload *payload;
    TrnResult result = trn_edit_flush(edit);
    if (result == TRN_RESULT_OK &&
        trn_snapshot_count(trn_edit_now(edit), block) == TRN_CHUNK_VOXELS) {
        return TRN_RESULT_OK;
    }
    if (result == TRN_RESULT_OK) {
        result = trn_data_open_flat(edit->heap, (TrnSnapshot){edit->base}, &edit->data);
    }
    if (result == TRN_RESULT_OK) {
        result = edit_make_uniform(edit, block, &payload);
    }
    if (result == TRN_RESULT_OK) {
        edit_drop_units(edit);
        trn_voxel_heap_give(edit->heap, edit->copy);
        edit->copy = payload;
        edit->has_blocks = true;
        edit->changed = UINT64_MAX;
    }
    return trn_edit_settle(edit, result);
}

TrnResult trn_edit_fill_chunk(TrnEditState *edit, TrnBlock block)
{
    if (trn_data_current((TrnSnapshot){edit->base}, edit->data)) {
        return edit_fill_with_data(edit, block);
    }
    const TrnSnapshot now = {edit->now};
    edit->noted = 0;
    if (edit->has_blocks || edit->opened || !trn_snapshot_is_uniform(now) ||
        trn_snapshot_uniform(now) != block) {
        edit_drop(edit, trn_snapshot_of(block, 0));
        edit->changed = UINT64_MAX;
        edit->is_changed = true;
    }
    return TRN_RESULT_OK;
}

// ---- begin and end -----------------------------------------------------------------------------

void trn_voxel_edit_begin(TrnVoxelEdit *edit, TrnVoxelHeap *heap, TrnVoxels *voxels)
{
    TrnEditState *state = trn_edit_state(edit);
    state->heap = heap;
    state->voxels = voxels;
    state->is_changed = state->is_prepared = false;
    state->changed = 0;
    state->data = NULL;
    edit_hold(state, trn_voxels_snapshot(voxels));
    state->base = state->now;
}

static void edit_end(TrnEditState *edit)
{
    edit_drop_units(edit);
    edit->heap = NULL;
    edit_hold(edit, trn_snapshot_of(0, 0));
}

/// Returns the word of the edit's content, under its revision.
static uint64_t edit_final_word(TrnEditState *edit, uint64_t revision)
{
    const TrnSnapshot now = trn_edit_now(edit);
    TrnPayload *copy = edit->copy;
    TrnBlock block;
    if (!copy) { // without data
        trn_data_drop(edit->heap, &edit->data);
        return trn_snapshot_of(trn_snapshot_uniform((TrnSnapshot){edit->now}), revision).word;
    }
    trn_data_publish(edit->heap, (TrnSnapshot){edit->base}, now, copy, &edit->data);
    copy->revision = revision & TRN_REVISION_MAX;
    if (!trn_payload_data(copy) && trn_payload_is_uniform(copy, &block)) {
        trn_voxel_heap_give(edit->heap, copy);
        return trn_snapshot_of(block, revision).word;
    }
    return (uintptr_t)copy;
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
        edit_drop(state, trn_snapshot_of(0, 0));
        edit_end(state);
    }
}
