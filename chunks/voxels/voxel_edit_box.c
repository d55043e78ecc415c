// Edits of many blocks at once. They work through a chunk in runs of whole rows: with a palette a
// run is taken apart into one byte a voxel, changed, counted and packed again; with 16 bits it is
// changed where it stands.

#include "voxel_edit_impl.h"

#include <string.h>

#define ROW ((size_t)TRN_CHUNK_EDGE)
#define RUN_ROWS_MAX ROW
#define RUN_VOXELS_MAX (RUN_ROWS_MAX * ROW)

/// A box of voxels: so many runs, one per y, each of so many rows, of each of which so many voxels.
typedef struct VoxelBox {
    uint32_t min[3], size[3];
    uint32_t x_mask; ///< the columns
} VoxelBox;

/// @return whether the box lies in the chunk and is not empty
static bool box_of(const uint32_t min[3], const uint32_t size[3], VoxelBox *box)
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

static bool box_between(const uint32_t min[3], const uint32_t max[3], VoxelBox *box)
{
    uint32_t size[3];
    for (int axis = 0; axis < 3; axis++) {
        if (max[axis] >= TRN_CHUNK_EDGE || min[axis] > max[axis]) {
            return false;
        }
        size[axis] = max[axis] - min[axis] + 1;
    }
    return box_of(min, size, box);
}

static uint32_t box_volume(const VoxelBox *box)
{
    return box->size[0] * box->size[1] * box->size[2];
}

/// The first row of the run at min y + `layer`.
static uint32_t box_row(const VoxelBox *box, uint32_t layer)
{
    return (box->min[1] + layer) * TRN_CHUNK_EDGE + box->min[2];
}

/// Adds to counts how often each entry of a payload occurs in a box. Not for 16 bits.
static void payload_tally_box(const TrnPayload *payload, const VoxelBox *box, uint32_t *counts)
{
    uint8_t entries[RUN_VOXELS_MAX];
    for (uint32_t layer = 0; layer < box->size[1]; layer++) {
        trn_payload_kernels(payload)->unpack(payload->bits_shift,
                                             trn_payload_row(payload, box_row(box, layer)),
                                             box->size[2], entries);
        trn_payload_kernels(payload)->tally(entries, box->size[2], box->x_mask,
                                            payload->palette_count, counts);
    }
}

// ---- masks -------------------------------------------------------------------------------------

/// Which entries of the copy are solid, and which opaque.
typedef struct EntrySets {
    uint32_t solid[8], opaque[8];
} EntrySets;

static EntrySets edit_entry_sets(const TrnEditState *edit)
{
    EntrySets sets;
    trn_payload_entry_bits(edit->copy, edit->heap->solid_bits, sets.solid);
    trn_payload_entry_bits(edit->copy, edit->heap->opaque_bits, sets.opaque);
    return sets;
}

static void edit_mask_entries(TrnEditState *edit, const EntrySets *sets, const uint8_t *entries,
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

/// How many voxels of a box are this block in a payload with 16 bits.
static uint32_t plain_count_box(const TrnPayload *payload, const VoxelBox *box, TrnBlock block)
{
    uint32_t count = 0;
    for (uint32_t layer = 0; layer < box->size[1]; layer++) {
        const TrnBlock *blocks = trn_payload_row(payload, box_row(box, layer));
        for (uint32_t row = 0; row < box->size[2]; row++) {
            for (uint32_t x = 0; x < box->size[0]; x++) {
                count += blocks[row * TRN_CHUNK_EDGE + box->min[0] + x] == block;
            }
        }
    }
    return count;
}

/// Whether all of a box is one block already.
/// @param counts  [256] zeroes; receives how often each entry occurs in the box, where there is a
///                palette
static bool box_is_filled(const TrnEditState *edit, const VoxelBox *box, TrnBlock block,
                          uint32_t *counts)
{
    const TrnSnapshot now = trn_edit_now(edit);
    if (trn_snapshot_is_uniform(now)) {
        counts[0] = box_volume(box);
        return trn_snapshot_uniform(now) == block;
    }
    const TrnPayload *payload = trn_snapshot_payload(now);
    if (payload->bits == 16) {
        return plain_count_box(payload, box, block) == box_volume(box);
    }
    payload_tally_box(payload, box, counts);
    const uint32_t entry = trn_payload_find(payload, edit->heap->entry_of, block);
    return entry != TRN_ENTRY_NONE && counts[entry] == box_volume(box);
}

static void fill_box_entries(TrnEditState *edit, const VoxelBox *box, uint32_t entry)
{
    const TrnVoxelKernels *kernels = edit->heap->kernels;
    uint8_t entries[RUN_VOXELS_MAX];
    for (uint32_t layer = 0; layer < box->size[1]; layer++) {
        void *fields = trn_edit_row(edit, box_row(box, layer));
        kernels->unpack(edit->bits_shift, fields, box->size[2], entries);
        for (uint32_t row = 0; row < box->size[2]; row++) {
            memset(entries + row * ROW + box->min[0], (int)entry, box->size[0]);
        }
        kernels->pack(edit->bits_shift, entries, box->size[2], fields);
    }
}

static void fill_box_plain(TrnEditState *edit, const VoxelBox *box, TrnBlock block)
{
    for (uint32_t layer = 0; layer < box->size[1]; layer++) {
        TrnBlock *blocks = trn_edit_row(edit, box_row(box, layer));
        for (uint32_t row = 0; row < box->size[2]; row++) {
            for (uint32_t x = 0; x < box->size[0]; x++) {
                blocks[row * TRN_CHUNK_EDGE + box->min[0] + x] = block;
            }
        }
    }
}

static void mask_fill_box(uint32_t *mask, const VoxelBox *box, bool bit)
{
    for (uint32_t layer = 0; layer < box->size[1]; layer++) {
        uint32_t *rows = mask + box_row(box, layer);
        for (uint32_t row = 0; row < box->size[2]; row++) {
            rows[row] = bit ? rows[row] | box->x_mask : rows[row] & ~box->x_mask;
        }
    }
}

static void edit_fill_admitted(TrnEditState *edit, const VoxelBox *box, TrnBlock block,
                               uint32_t entry, const uint32_t *before)
{
    if (edit->copy->bits == 16) {
        fill_box_plain(edit, box, block);
    } else {
        uint32_t after[TRN_PALETTE_MAX] = {0};
        after[entry] = box_volume(box);
        fill_box_entries(edit, box, entry);
        trn_edit_recount(edit, before, after);
    }
    mask_fill_box(edit->solid, box, trn_block_bit(edit->heap->solid_bits, block));
    if (!edit->has_one_mask) {
        mask_fill_box(edit->opaque, box, trn_block_bit(edit->heap->opaque_bits, block));
    }
}

TrnResult trn_voxel_edit_fill_box(TrnVoxelEdit *edit, const uint32_t min[3], const uint32_t max[3],
                                  TrnBlock block)
{
    TrnEditState *state = trn_edit_state(edit);
    VoxelBox box;
    if (!state->heap || !box_between(min, max, &box)) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    if (box_volume(&box) == TRN_CHUNK_VOXELS) {
        trn_edit_fill_chunk(state, block);
        return TRN_RESULT_OK;
    }
    uint32_t before[TRN_PALETTE_MAX] = {0}, entry;
    if (box_is_filled(state, &box, block, before)) {
        return TRN_RESULT_OK;
    }
    TrnResult result = trn_edit_open_copy(state);
    if (result == TRN_RESULT_OK) {
        result = trn_edit_admit(state, block, &entry);
    }
    if (result == TRN_RESULT_OK) {
        edit_fill_admitted(state, &box, block, entry, before);
    }
    return trn_edit_settle(state, result);
}

// ---- copy --------------------------------------------------------------------------------------

/// Blocks that are let into the palette before any of them is written. Until then their entries
/// count 0 and could be taken for the next one, so each is held by a count of one.
typedef struct Admission {
    uint8_t held[TRN_PALETTE_MAX];
    uint32_t held_count;
} Admission;

static TrnResult edit_admit_held(TrnEditState *edit, TrnBlock block, Admission *admission)
{
    uint32_t entry;
    TrnResult result = trn_edit_admit(edit, block, &entry);
    if (result == TRN_RESULT_OK && edit->copy->bits != 16 && edit->counts[entry] == 0) {
        edit->counts[entry] = 1;
        admission->held[admission->held_count++] = (uint8_t)entry;
    }
    return result;
}

static void edit_release_held(TrnEditState *edit, const Admission *admission)
{
    if (edit->copy->bits == 16) {
        return; // no counts any more
    }
    for (uint32_t i = 0; i < admission->held_count; i++) {
        edit->counts[admission->held[i]] = 0;
    }
}

/// Lets in the blocks of a box of a source with a palette.
static TrnResult edit_admit_palette(TrnEditState *edit, const TrnPayload *source,
                                    const VoxelBox *box, Admission *admission)
{
    uint32_t counts[TRN_PALETTE_MAX] = {0};
    const TrnBlock *palette = trn_payload_palette(source);
    TrnResult result = TRN_RESULT_OK;
    payload_tally_box(source, box, counts);
    for (uint32_t e = 0; e < source->palette_count && result == TRN_RESULT_OK; e++) {
        if (counts[e]) {
            result = edit_admit_held(edit, palette[e], admission);
        }
    }
    return result;
}

/// Lets in the blocks of a box of a source with 16 bits.
static TrnResult edit_admit_plain(TrnEditState *edit, const TrnPayload *source, const VoxelBox *box,
                                  Admission *admission)
{
    const uint32_t voxels = box_volume(box);
    TrnBlock last = 0;
    for (uint32_t i = 0; i < voxels; i++) {
        const uint32_t x = i % box->size[0], row = i / box->size[0];
        const uint32_t z = row % box->size[2], y = row / box->size[2];
        const TrnBlock *blocks = trn_payload_row(source, box_row(box, y) + z);
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

static TrnResult edit_admit_source(TrnEditState *edit, TrnSnapshot source, const VoxelBox *box)
{
    Admission admission;
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

/// Writes one run of blocks, already let in, over the entries of another.
static void put_run_entries(const TrnEditState *edit, const VoxelBox *box, const TrnBlock *blocks,
                            uint8_t *entries)
{
    for (uint32_t row = 0; row < box->size[2]; row++) {
        uint8_t *to = entries + row * ROW + box->min[0];
        for (uint32_t x = 0; x < box->size[0]; x++) {
            to[x] = edit->heap->entry_of[*blocks++];
        }
    }
}

static void copy_run_entries(TrnEditState *edit, const VoxelBox *box, uint32_t row,
                             const TrnBlock *blocks, const EntrySets *sets)
{
    const TrnVoxelKernels *kernels = edit->heap->kernels;
    const uint32_t rows = box->size[2];
    uint8_t entries[RUN_VOXELS_MAX];
    uint32_t before[TRN_PALETTE_MAX] = {0}, after[TRN_PALETTE_MAX] = {0};
    kernels->unpack(edit->bits_shift, trn_edit_row(edit, row), rows, entries);
    kernels->tally(entries, rows, box->x_mask, edit->copy->palette_count, before);
    put_run_entries(edit, box, blocks, entries);
    kernels->tally(entries, rows, box->x_mask, edit->copy->palette_count, after);
    kernels->pack(edit->bits_shift, entries, rows, trn_edit_row(edit, row));
    trn_edit_recount(edit, before, after);
    edit_mask_entries(edit, sets, entries, row, rows);
}

static void copy_run_plain(TrnEditState *edit, const VoxelBox *box, uint32_t row,
                           const TrnBlock *blocks)
{
    TrnBlock *to = trn_edit_row(edit, row);
    for (uint32_t z = 0; z < box->size[2]; z++) {
        memcpy(to + z * ROW + box->min[0], blocks + (size_t)z * box->size[0],
               box->size[0] * sizeof *to);
    }
    edit_mask_plain(edit, row, box->size[2]);
}

/// All blocks of the source are in the palette by now, and entry_of says where.
static void edit_copy_admitted(TrnEditState *edit, const VoxelBox *to, TrnSnapshot source,
                               const VoxelBox *from)
{
    TrnBlock blocks[RUN_VOXELS_MAX];
    const bool is_plain = edit->copy->bits == 16;
    EntrySets sets = {{0}, {0}};
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
            copy_run_plain(edit, to, box_row(to, layer), blocks);
        } else {
            copy_run_entries(edit, to, box_row(to, layer), blocks, &sets);
        }
    }
}

/// Whether a box would be copied onto its like. Ends at the first row that differs.
static bool edit_holds_already(const TrnEditState *edit, const VoxelBox *to, TrnSnapshot source,
                               const VoxelBox *from)
{
    const TrnSnapshot now = trn_edit_now(edit);
    TrnBlock here[TRN_CHUNK_EDGE], there[TRN_CHUNK_EDGE];
    for (uint32_t y = 0; y < to->size[1]; y++) {
        for (uint32_t z = 0; z < to->size[2]; z++) {
            trn_snapshot_decode_row(now, to->min[1] + y, to->min[2] + z, here);
            trn_snapshot_decode_row(source, from->min[1] + y, from->min[2] + z, there);
            if (memcmp(here + to->min[0], there + from->min[0], to->size[0] * sizeof here[0]) !=
                0) {
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
    VoxelBox to_box, from_box;
    if (!state->heap || !box_of(to, size, &to_box) || !box_of(from, size, &from_box)) {
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

static bool blocks_mask_alike(const TrnEditState *edit, TrnBlock a, TrnBlock b)
{
    return trn_block_bit(edit->heap->solid_bits, a) == trn_block_bit(edit->heap->solid_bits, b) &&
           trn_block_bit(edit->heap->opaque_bits, a) == trn_block_bit(edit->heap->opaque_bits, b);
}

/// Makes the masks anew from heap->entries, which hold the whole chunk.
static void edit_mask_chunk(TrnEditState *edit)
{
    const EntrySets sets = edit_entry_sets(edit);
    edit_mask_entries(edit, &sets, edit->heap->entries, 0, TRN_CHUNK_ROWS);
}

static void edit_unpack_chunk(TrnEditState *edit)
{
    edit->heap->kernels->unpack(edit->bits_shift, edit->words, TRN_CHUNK_ROWS, edit->heap->entries);
}

/// `to` is not in the palette: the entry gets another name, and no voxel changes. A full palette is
/// no obstacle.
static TrnResult edit_rename_entry(TrnEditState *edit, uint32_t entry, TrnBlock to)
{
    TrnResult result = trn_edit_admit_masks(edit, to);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    const bool is_alike = blocks_mask_alike(edit, trn_payload_palette(edit->copy)[entry], to);
    trn_edit_name_entry(edit, entry, to);
    if (!is_alike) {
        edit_unpack_chunk(edit);
        edit_mask_chunk(edit);
    }
    return TRN_RESULT_OK;
}

/// Makes the voxels of one entry those of another.
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
    if (!blocks_mask_alike(edit, from_block, to_block)) {
        edit_mask_chunk(edit);
    }
    return TRN_RESULT_OK;
}

/// Where the private copy has a palette.
static TrnResult edit_replace_entries(TrnEditState *edit, TrnBlock from, TrnBlock to)
{
    const uint32_t from_entry = trn_payload_find(edit->copy, edit->heap->entry_of, from);
    const uint32_t to_entry = trn_payload_find(edit->copy, edit->heap->entry_of, to);
    return to_entry == TRN_ENTRY_NONE ? edit_rename_entry(edit, from_entry, to)
                                      : edit_merge_entries(edit, from_entry, to_entry);
}

/// Where the private copy has 16 bits.
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
    if (!blocks_mask_alike(edit, from, to)) {
        edit_mask_plain(edit, 0, TRN_CHUNK_ROWS);
    }
    return TRN_RESULT_OK;
}

static TrnResult edit_replace_held(TrnEditState *edit, TrnBlock from, TrnBlock to)
{
    TrnResult result = trn_edit_open_copy(edit);
    if (result == TRN_RESULT_OK) {
        result = edit->copy->bits == 16 ? edit_replace_plain(edit, from, to)
                                        : edit_replace_entries(edit, from, to);
    }
    return trn_edit_settle(edit, result);
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
        trn_edit_fill_chunk(state, to);
        return TRN_RESULT_OK;
    }
    return edit_replace_held(state, from, to);
}

// ---- everything --------------------------------------------------------------------------------

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
        trn_edit_drop_copy(state, made);
    } else {
        trn_edit_use_copy(state, (TrnPayload *)(uintptr_t)made.word);
    }
    state->is_changed = true;
    return TRN_RESULT_OK;
}
