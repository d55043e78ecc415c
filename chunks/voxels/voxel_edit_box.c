// Edits of many blocks: fill, copy, replace, encode. They process a chunk in runs of whole rows.
// With a palette, a run is unpacked to one byte a voxel, changed, counted and packed; with 16 bits
// it is changed in place.

#include "voxel_data_edit.h"
#include "voxel_edit_impl.h"

#include <string.h>

#define ROW ((size_t)TRN_CHUNK_EDGE)
#define RUN_ROWS_MAX ROW
#define RUN_VOXELS_MAX (RUN_ROWS_MAX * ROW)

/// A box of voxels: size[1] runs, one a y, of size[2] rows with size[0] voxels each.
typedef struct EditBox {
    uint32_t min[3], size[3];
    uint32_t x_mask; ///< bit x: the box holds column x
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
    box->x_mask = UINT32_MAX >> (TRN_CHUNK_EDGE - size[0]) << min[0];
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

static uint32_t edit_box_volume(const EditBox *box)
{
    return box->size[0] * box->size[1] * box->size[2];
}

/// The first row of the run at y = min[1] + layer.
static uint32_t edit_box_row(const EditBox *box, uint32_t layer)
{
    return (box->min[1] + layer) * TRN_CHUNK_EDGE + box->min[2];
}

/// Adds to counts the number of voxels of each entry in a box. Not for 16 bits.
static void edit_box_tally(const TrnPayload *payload, const EditBox *box, uint32_t *counts)
{
    uint8_t entries[RUN_VOXELS_MAX];
    for (uint32_t layer = 0; layer < box->size[1]; layer++) {
        trn_payload_kernels(payload)->unpack(payload->bits_shift,
                                             trn_payload_row(payload, edit_box_row(box, layer)),
                                             box->size[2], entries);
        trn_payload_kernels(payload)->tally(entries, box->size[2], box->x_mask,
                                            payload->palette_count, counts);
    }
}

// ---- masks -------------------------------------------------------------------------------------

/// The solid and the opaque entries of the private copy, one bit each.
typedef struct EditEntrySets {
    uint32_t solid[8], opaque[8];
} EditEntrySets;

static EditEntrySets edit_entry_sets(const TrnEditState *edit)
{
    EditEntrySets sets;
    trn_payload_entry_bits(edit->copy, edit->heap->solid_bits, sets.solid);
    trn_payload_entry_bits(edit->copy, edit->heap->opaque_bits, sets.opaque);
    return sets;
}

static void edit_mask_entries(TrnEditState *edit, const EditEntrySets *sets, const uint8_t *entries,
                              uint32_t row, uint32_t rows)
{
    const TrnVoxelKernels *kernels = edit->heap->kernels;
    kernels->mask(entries, rows, sets->solid, edit->solid + row);
    if (!edit->has_one_mask) {
        kernels->mask(entries, rows, sets->opaque, edit->opaque + row);
    }
}

static void edit_mask_plain(TrnEditState *edit, uint32_t row, uint32_t rows)
{
    const TrnVoxelKernels *kernels = edit->heap->kernels;
    const TrnBlock *blocks = trn_edit_row(edit, row);
    kernels->mask_blocks(blocks, rows, edit->heap->solid_bits, edit->solid + row);
    if (!edit->has_one_mask) {
        kernels->mask_blocks(blocks, rows, edit->heap->opaque_bits, edit->opaque + row);
    }
}

// ---- fill --------------------------------------------------------------------------------------

/// Counts the voxels of a block in a box of a payload with 16 bits.
static uint32_t edit_box_count_plain(const TrnPayload *payload, const EditBox *box, TrnBlock block)
{
    uint32_t count = 0;
    for (uint32_t layer = 0; layer < box->size[1]; layer++) {
        const TrnBlock *blocks = trn_payload_row(payload, edit_box_row(box, layer));
        for (uint32_t row = 0; row < box->size[2]; row++) {
            for (uint32_t x = 0; x < box->size[0]; x++) {
                count += blocks[row * TRN_CHUNK_EDGE + box->min[0] + x] == block;
            }
        }
    }
    return count;
}

/// Whether all voxels of a box already are a block.
/// @param counts  [TRN_PALETTE_MAX] zeroes; receives the number of voxels of each entry in the box,
///                except with 16 bits
static bool edit_box_is_filled(const TrnEditState *edit, const EditBox *box, TrnBlock block,
                               uint32_t *counts)
{
    const TrnSnapshot now = trn_edit_now(edit);
    if (trn_snapshot_is_uniform(now)) {
        counts[0] = edit_box_volume(box);
        return trn_snapshot_uniform(now) == block;
    }
    const TrnPayload *payload = trn_snapshot_payload(now);
    if (payload->bits == 16) {
        return edit_box_count_plain(payload, box, block) == edit_box_volume(box);
    }
    edit_box_tally(payload, box, counts);
    const uint32_t entry = trn_payload_find(payload, edit->heap->entry_of, block);
    return entry != TRN_ENTRY_NONE && counts[entry] == edit_box_volume(box);
}

static void edit_box_fill_entries(TrnEditState *edit, const EditBox *box, uint32_t entry)
{
    const TrnVoxelKernels *kernels = edit->heap->kernels;
    uint8_t entries[RUN_VOXELS_MAX];
    for (uint32_t layer = 0; layer < box->size[1]; layer++) {
        void *fields = trn_edit_row(edit, edit_box_row(box, layer));
        kernels->unpack(edit->bits_shift, fields, box->size[2], entries);
        for (uint32_t row = 0; row < box->size[2]; row++) {
            memset(entries + row * ROW + box->min[0], (int)entry, box->size[0]);
        }
        kernels->pack(edit->bits_shift, entries, box->size[2], fields);
    }
}

static void edit_box_fill_plain(TrnEditState *edit, const EditBox *box, TrnBlock block)
{
    for (uint32_t layer = 0; layer < box->size[1]; layer++) {
        TrnBlock *blocks = trn_edit_row(edit, edit_box_row(box, layer));
        for (uint32_t row = 0; row < box->size[2]; row++) {
            for (uint32_t x = 0; x < box->size[0]; x++) {
                blocks[row * TRN_CHUNK_EDGE + box->min[0] + x] = block;
            }
        }
    }
}

static void edit_box_fill_mask(uint32_t *mask, const EditBox *box, bool bit)
{
    for (uint32_t layer = 0; layer < box->size[1]; layer++) {
        uint32_t *rows = mask + edit_box_row(box, layer);
        for (uint32_t row = 0; row < box->size[2]; row++) {
            rows[row] = bit ? rows[row] | box->x_mask : rows[row] & ~box->x_mask;
        }
    }
}

static void edit_box_fill_admitted(TrnEditState *edit, const EditBox *box, TrnBlock block,
                                   uint32_t entry, const uint32_t *before)
{
    if (edit->copy->bits == 16) {
        edit_box_fill_plain(edit, box, block);
    } else {
        uint32_t after[TRN_PALETTE_MAX] = {0};
        after[entry] = edit_box_volume(box);
        edit_box_fill_entries(edit, box, entry);
        trn_edit_recount(edit, before, after);
    }
    edit_box_fill_mask(edit->solid, box, trn_block_bit(edit->heap->solid_bits, block));
    if (!edit->has_one_mask) {
        edit_box_fill_mask(edit->opaque, box, trn_block_bit(edit->heap->opaque_bits, block));
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
    if (edit_box_volume(&box) == TRN_CHUNK_VOXELS) {
        return trn_edit_fill_chunk(state, block);
    }
    uint32_t before[TRN_PALETTE_MAX] = {0}, entry;
    if (edit_box_is_filled(state, &box, block, before)) {
        return TRN_RESULT_OK;
    }
    TrnResult result = trn_edit_open_copy(state);
    if (result == TRN_RESULT_OK) {
        result = trn_edit_admit(state, block, &entry);
    }
    if (result == TRN_RESULT_OK) {
        edit_box_fill_admitted(state, &box, block, entry, before);
    }
    return trn_edit_settle(state, result);
}

// ---- copy --------------------------------------------------------------------------------------

/// Blocks that are admitted to the palette before any of them is written. An entry with a count of
/// 0 could be reused for the next block, so a count of 1 reserves it.
typedef struct EditAdmission {
    uint8_t held[TRN_PALETTE_MAX];
    uint32_t held_count;
} EditAdmission;

static TrnResult edit_admit_held(TrnEditState *edit, TrnBlock block, EditAdmission *admission)
{
    uint32_t entry;
    TrnResult result = trn_edit_admit(edit, block, &entry);
    if (result == TRN_RESULT_OK && edit->copy->bits != 16 && edit->counts[entry] == 0) {
        edit->counts[entry] = 1;
        admission->held[admission->held_count++] = (uint8_t)entry;
    }
    return result;
}

static void edit_release_held(TrnEditState *edit, const EditAdmission *admission)
{
    if (edit->copy->bits == 16) {
        return; // widened to 16 bits, without counts
    }
    for (uint32_t i = 0; i < admission->held_count; i++) {
        edit->counts[admission->held[i]] = 0;
    }
}

/// Admits the blocks of a box of a source with a palette.
static TrnResult edit_admit_palette(TrnEditState *edit, const TrnPayload *source,
                                    const EditBox *box, EditAdmission *admission)
{
    uint32_t counts[TRN_PALETTE_MAX] = {0};
    const TrnBlock *palette = trn_payload_palette(source);
    TrnResult result = TRN_RESULT_OK;
    edit_box_tally(source, box, counts);
    for (uint32_t e = 0; e < source->palette_count && result == TRN_RESULT_OK; e++) {
        if (counts[e]) {
            result = edit_admit_held(edit, palette[e], admission);
        }
    }
    return result;
}

/// Admits the blocks of a box of a source with 16 bits.
static TrnResult edit_admit_plain(TrnEditState *edit, const TrnPayload *source, const EditBox *box,
                                  EditAdmission *admission)
{
    const uint32_t voxels = edit_box_volume(box);
    TrnBlock last = 0;
    for (uint32_t i = 0; i < voxels; i++) {
        const uint32_t x = i % box->size[0], row = i / box->size[0];
        const uint32_t z = row % box->size[2], y = row / box->size[2];
        const TrnBlock *blocks = trn_payload_row(source, edit_box_row(box, y) + z);
        const TrnBlock block = blocks[box->min[0] + x];
        if (i > 0 && block == last) {
            continue;
        }
        TrnResult result = edit_admit_held(edit, block, admission);
        if (result != TRN_RESULT_OK) {
            return result;
        }
        last = block;
    }
    return TRN_RESULT_OK;
}

static TrnResult edit_admit_source(TrnEditState *edit, TrnSnapshot source, const EditBox *box)
{
    EditAdmission admission;
    admission.held_count = 0;
    TrnResult result;
    if (trn_snapshot_is_uniform(source)) {
        result = edit_admit_held(edit, trn_snapshot_uniform(source), &admission);
    } else if (trn_snapshot_bits(source) == 16) {
        result = edit_admit_plain(edit, trn_snapshot_payload(source), box, &admission);
    } else {
        result = edit_admit_palette(edit, trn_snapshot_payload(source), box, &admission);
    }
    edit_release_held(edit, &admission);
    return result;
}

/// Writes a run of admitted blocks into the entries of a run of the copy.
static void edit_put_run_entries(const TrnEditState *edit, const EditBox *box,
                                 const TrnBlock *blocks, uint8_t *entries)
{
    for (uint32_t row = 0; row < box->size[2]; row++) {
        uint8_t *to = entries + row * ROW + box->min[0];
        for (uint32_t x = 0; x < box->size[0]; x++) {
            to[x] = edit->heap->entry_of[*blocks++];
        }
    }
}

static void edit_copy_run_entries(TrnEditState *edit, const EditBox *box, uint32_t row,
                                  const TrnBlock *blocks, const EditEntrySets *sets)
{
    const TrnVoxelKernels *kernels = edit->heap->kernels;
    const uint32_t rows = box->size[2];
    uint8_t entries[RUN_VOXELS_MAX];
    uint32_t before[TRN_PALETTE_MAX] = {0}, after[TRN_PALETTE_MAX] = {0};
    kernels->unpack(edit->bits_shift, trn_edit_row(edit, row), rows, entries);
    kernels->tally(entries, rows, box->x_mask, edit->copy->palette_count, before);
    edit_put_run_entries(edit, box, blocks, entries);
    kernels->tally(entries, rows, box->x_mask, edit->copy->palette_count, after);
    kernels->pack(edit->bits_shift, entries, rows, trn_edit_row(edit, row));
    trn_edit_recount(edit, before, after);
    edit_mask_entries(edit, sets, entries, row, rows);
}

static void edit_copy_run_plain(TrnEditState *edit, const EditBox *box, uint32_t row,
                                const TrnBlock *blocks)
{
    TrnBlock *to = trn_edit_row(edit, row);
    for (uint32_t z = 0; z < box->size[2]; z++) {
        memcpy(to + z * ROW + box->min[0], blocks + (size_t)z * box->size[0],
               box->size[0] * sizeof *to);
    }
    edit_mask_plain(edit, row, box->size[2]);
}

/// Copies the box. All blocks of the source are in the palette, and entry_of holds their entries.
static void edit_copy_admitted(TrnEditState *edit, const EditBox *to, TrnSnapshot source,
                               const EditBox *from)
{
    TrnBlock blocks[RUN_VOXELS_MAX];
    const bool is_plain = edit->copy->bits == 16;
    EditEntrySets sets = {{0}, {0}};
    if (!is_plain) {
        sets = edit_entry_sets(edit);
    }
    for (uint32_t layer = 0; layer < to->size[1]; layer++) {
        const uint32_t y = from->min[1] + layer;
        const uint32_t min[3] = {from->min[0], y, from->min[2]};
        const uint32_t max[3] = {from->min[0] + from->size[0] - 1, y,
                                 from->min[2] + from->size[2] - 1};
        (void)trn_snapshot_decode_box(source, min, max, blocks);
        if (is_plain) {
            edit_copy_run_plain(edit, to, edit_box_row(to, layer), blocks);
        } else {
            edit_copy_run_entries(edit, to, edit_box_row(to, layer), blocks, &sets);
        }
    }
}

/// Whether the copy would change nothing. Stops at the first row that differs.
static bool edit_holds_already(const TrnEditState *edit, const EditBox *to, TrnSnapshot source,
                               const EditBox *from)
{
    const TrnSnapshot now = trn_edit_now(edit);
    TrnBlock to_row[TRN_CHUNK_EDGE], from_row[TRN_CHUNK_EDGE];
    for (uint32_t y = 0; y < to->size[1]; y++) {
        for (uint32_t z = 0; z < to->size[2]; z++) {
            trn_snapshot_decode_row(now, to->min[1] + y, to->min[2] + z, to_row);
            trn_snapshot_decode_row(source, from->min[1] + y, from->min[2] + z, from_row);
            if (memcmp(to_row + to->min[0], from_row + from->min[0],
                       to->size[0] * sizeof *to_row) != 0) {
                return false;
            }
        }
    }
    return true;
}

TrnResult trn_voxel_edit_copy_box(TrnVoxelEdit *edit, const uint32_t to[3], TrnSnapshot source,
                                  const uint32_t from[3], const uint32_t size[3])
{
    TrnEditState *state = trn_edit_state(edit);
    EditBox to_box, from_box;
    if (!state->heap || !edit_box_of(to, size, &to_box) || !edit_box_of(from, size, &from_box)) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    if (edit_holds_already(state, &to_box, source, &from_box)) {
        return TRN_RESULT_OK;
    }
    TrnResult result = trn_edit_open_copy(state);
    if (result == TRN_RESULT_OK) {
        result = edit_admit_source(state, source, &from_box);
    }
    if (result == TRN_RESULT_OK) {
        edit_copy_admitted(state, &to_box, source, &from_box);
    }
    return trn_edit_settle(state, result);
}

// ---- replace -----------------------------------------------------------------------------------

static bool edit_blocks_mask_alike(const TrnEditState *edit, TrnBlock a, TrnBlock b)
{
    return trn_block_bit(edit->heap->solid_bits, a) == trn_block_bit(edit->heap->solid_bits, b) &&
           trn_block_bit(edit->heap->opaque_bits, a) == trn_block_bit(edit->heap->opaque_bits, b);
}

/// Writes all masks from heap->entries, which hold the whole chunk.
static void edit_mask_chunk(TrnEditState *edit)
{
    const EditEntrySets sets = edit_entry_sets(edit);
    edit_mask_entries(edit, &sets, edit->heap->entries, 0, TRN_CHUNK_ROWS);
}

static void edit_unpack_chunk(TrnEditState *edit)
{
    edit->heap->kernels->unpack(edit->bits_shift, edit->words, TRN_CHUNK_ROWS, edit->heap->entries);
}

/// Gives the entry another block, which is not in the palette. No voxel changes, so a full palette
/// is no problem.
static TrnResult edit_rename_entry(TrnEditState *edit, uint32_t entry, TrnBlock to)
{
    TrnResult result = trn_edit_admit_masks(edit, to);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    const bool is_alike = edit_blocks_mask_alike(edit, trn_payload_palette(edit->copy)[entry], to);
    trn_edit_name_entry(edit, entry, to);
    if (!is_alike) {
        edit_unpack_chunk(edit);
        edit_mask_chunk(edit);
    }
    return TRN_RESULT_OK;
}

/// Makes all voxels of one entry those of another.
static TrnResult edit_merge_entries(TrnEditState *edit, uint32_t from, uint32_t to)
{
    const TrnBlock from_block = trn_payload_palette(edit->copy)[from];
    const TrnBlock to_block = trn_payload_palette(edit->copy)[to];
    TrnResult result = trn_edit_admit_masks(edit, to_block);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    uint8_t table[TRN_PALETTE_MAX];
    for (uint32_t e = 0; e < TRN_PALETTE_MAX; e++) {
        table[e] = (uint8_t)(e == from ? to : e);
    }
    edit_unpack_chunk(edit);
    edit->heap->kernels->map(edit->heap->entries, TRN_CHUNK_ROWS, table, edit->copy->palette_count);
    edit->heap->kernels->pack(edit->bits_shift, edit->heap->entries, TRN_CHUNK_ROWS, edit->words);
    edit->counts[to] = (uint16_t)(edit->counts[to] + edit->counts[from]);
    edit->counts[from] = 0;
    if (!edit_blocks_mask_alike(edit, from_block, to_block)) {
        edit_mask_chunk(edit);
    }
    return TRN_RESULT_OK;
}

/// Replaces in a private copy with 16 bits.
static TrnResult edit_replace_plain(TrnEditState *edit, TrnBlock from, TrnBlock to)
{
    TrnResult result = trn_edit_admit_masks(edit, to);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    TrnBlock *blocks = (TrnBlock *)(void *)edit->words;
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        blocks[i] = blocks[i] == from ? to : blocks[i];
    }
    if (!edit_blocks_mask_alike(edit, from, to)) {
        edit_mask_plain(edit, 0, TRN_CHUNK_ROWS);
    }
    return TRN_RESULT_OK;
}

/// Replaces in a chunk that is not uniform and holds `from`.
static TrnResult edit_replace_in_copy(TrnEditState *edit, TrnBlock from, TrnBlock to)
{
    TrnResult result = trn_edit_open_copy(edit);
    if (result != TRN_RESULT_OK) {
        return trn_edit_settle(edit, result);
    }
    if (edit->copy->bits == 16) {
        return trn_edit_settle(edit, edit_replace_plain(edit, from, to));
    }
    const uint32_t from_entry = trn_payload_find(edit->copy, edit->heap->entry_of, from);
    const uint32_t to_entry = trn_payload_find(edit->copy, edit->heap->entry_of, to);
    return trn_edit_settle(edit, to_entry == TRN_ENTRY_NONE
                                     ? edit_rename_entry(edit, from_entry, to)
                                     : edit_merge_entries(edit, from_entry, to_entry));
}

TrnResult trn_voxel_edit_replace(TrnVoxelEdit *edit, TrnBlock from, TrnBlock to)
{
    TrnEditState *state = trn_edit_state(edit);
    if (!state->heap) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    const TrnSnapshot now = trn_edit_now(state);
    if (from == to || trn_snapshot_count(now, from) == 0) {
        return TRN_RESULT_OK;
    }
    if (trn_snapshot_is_uniform(now)) {
        return trn_edit_fill_chunk(state, to);
    }
    return edit_replace_in_copy(state, from, to);
}

// ---- encode ------------------------------------------------------------------------------------

TrnResult trn_voxel_edit_encode(TrnVoxelEdit *edit, const TrnBlock *blocks)
{
    TrnEditState *state = trn_edit_state(edit);
    TrnSnapshot made;
    if (!state->heap) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    TrnResult result = trn_payload_encode(state->heap, blocks, &made.word);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    const bool is_uniform = trn_snapshot_is_uniform(made);
    if (trn_snapshot_equal(made, trn_edit_now(state))) {
        trn_voxel_heap_give(state->heap, is_uniform ? NULL : (TrnPayload *)(uintptr_t)made.word);
        return TRN_RESULT_OK;
    }
    if (is_uniform) {
        return trn_edit_fill_chunk(state, blocks[0]);
    }
    result = trn_data_open_flat(state->heap, (TrnSnapshot){state->base}, &state->data);
    if (result != TRN_RESULT_OK) {
        trn_voxel_heap_give(state->heap, (TrnPayload *)(uintptr_t)made.word);
        return result;
    }
    trn_edit_use_copy(state, (TrnPayload *)(uintptr_t)made.word);
    state->is_changed = true;
    return TRN_RESULT_OK;
}
