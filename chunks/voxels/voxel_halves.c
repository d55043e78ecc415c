// Half-layers: how they are drafted from blocks, from palette entries or from others, written, and
// decoded.

#include "voxel_halves.h"

#include <assert.h>

#include "base/assert.h"

#define ROW TRN_CHUNK_EDGE
#define LUT_NONE UINT16_MAX

static_assert(sizeof(TrnHalf) == 8, "one load");
static_assert(sizeof(TrnHalves) == 616, "the same on every machine");

#define ROWS_4(row) row, row, row, row
const alignas(TRN_CACHE_LINE) uint32_t trn_half_lines[TRN_LINES_SHARED][TRN_HALF_ROWS] = {
    {0}, {ROWS_4(UINT32_MAX), ROWS_4(UINT32_MAX), ROWS_4(UINT32_MAX), ROWS_4(UINT32_MAX)}};

static uint32_t halves_bits_shift(uint32_t bits)
{
    return bits == 1 ? 0 : bits == 2 ? 1 : bits == 4 ? 2 : 3;
}

static bool halves_bit(const uint32_t *block_bits, TrnBlock block)
{
    return block_bits[block / 32] >> block % 32 & 1;
}

// ---- reading -----------------------------------------------------------------------------------

/// The fields of a row inside a half-layer that is not one block.
static const unsigned char *halves_fields(const TrnHalves *halves, TrnHalf half, uint32_t row)
{
    return (const unsigned char *)halves + (size_t)half.fields * TRN_CACHE_LINE +
           (size_t)(row % TRN_HALF_ROWS) * half.bits * (ROW / 8);
}

/// Decodes rows of one half-layer.
static void halves_decode_half(const TrnHalves *halves, const TrnVoxelKernels *kernels,
                               uint32_t row, uint32_t count, TrnBlock *blocks)
{
    const TrnHalf half = halves->half[row / TRN_HALF_ROWS];
    const TrnBlock *lut = halves->lut + (size_t)half.lut * TRN_LUT_STEP;
    if (half.bits == 16) {
        memcpy(blocks, halves_fields(halves, half, row), (size_t)count * ROW * sizeof *blocks);
    } else if (half.bits == 0) {
        for (size_t i = 0; i < (size_t)count * ROW; i++) {
            blocks[i] = lut[0];
        }
    } else {
        kernels->decode(halves_bits_shift(half.bits), halves_fields(halves, half, row), lut, count,
                        blocks);
    }
}

void trn_halves_decode(const TrnHalves *halves, const TrnVoxelKernels *kernels, uint32_t row,
                       uint32_t count, TrnBlock *blocks)
{
    for (uint32_t part; count; row += part, count -= part, blocks += (size_t)part * ROW) {
        const uint32_t left = TRN_HALF_ROWS - row % TRN_HALF_ROWS;
        part = count < left ? count : left;
        halves_decode_half(halves, kernels, row, part, blocks);
    }
}

/// Writes the entries of rows of one half-layer.
static void halves_entries_half(const TrnHalves *halves, const TrnVoxelKernels *kernels,
                                uint32_t row, uint32_t count, uint8_t *entries)
{
    const TrnHalf half = halves->half[row / TRN_HALF_ROWS];
    const uint8_t *lut = trn_halves_lut_entries(halves) + (size_t)half.lut * TRN_LUT_STEP;
    if (half.bits == 0) {
        memset(entries, lut[0], (size_t)count * ROW);
        return;
    }
    kernels->unpack(halves_bits_shift(half.bits), halves_fields(halves, half, row), count, entries);
    if (half.lut != halves->palette_lut) { // otherwise they are the palette's already
        uint8_t table[TRN_PALETTE_MAX];
        const uint32_t types = 1u << half.bits;
        memcpy(table, lut, types);
        kernels->map(entries, count, table, types);
    }
}

void trn_halves_entries(const TrnHalves *halves, const TrnVoxelKernels *kernels, uint32_t row,
                        uint32_t count, uint8_t *entries)
{
    TRN_ASSERT(halves->palette_count);
    for (uint32_t part; count; row += part, count -= part, entries += (size_t)part * ROW) {
        const uint32_t left = TRN_HALF_ROWS - row % TRN_HALF_ROWS;
        part = count < left ? count : left;
        halves_entries_half(halves, kernels, row, part, entries);
    }
}

// ---- one voxel ---------------------------------------------------------------------------------

/// Finds the number of a block in a half-layer's list. @return the numbers that there are: none
static uint32_t halves_find_number(const TrnHalves *halves, TrnHalf half, TrnBlock block)
{
    const TrnBlock *lut = halves->lut + (size_t)half.lut * TRN_LUT_STEP;
    const bool is_palette = half.bits >= 4 && half.lut == halves->palette_lut;
    const uint32_t numbers = 1u << half.bits;
    const uint32_t end =
        is_palette && halves->palette_count < numbers ? halves->palette_count : numbers;
    uint32_t number = 0;
    while (number < end && lut[number] != block) {
        number++;
    }
    return number < end ? number : numbers;
}

/// Whether a mask can have a bit for a voxel: its line is one of its own, or has that bit.
/// @param bit  of the voxel's number, if the voxels are the mask
static bool halves_can_have(uint32_t line, TrnHalf half, bool is_set, bool bit)
{
    return line == TRN_LINE_EMPTY  ? !is_set
           : line == TRN_LINE_FULL ? is_set
                                   : line != half.fields || bit == is_set;
}

static void halves_put_bit(TrnHalves *halves, uint32_t line, uint32_t voxel, bool is_set)
{
    uint32_t *row =
        (uint32_t *)(void *)((unsigned char *)halves + (size_t)line * TRN_CACHE_LINE) + voxel / ROW;
    *row = (*row & ~(UINT32_C(1) << voxel % ROW)) | (uint32_t)is_set << voxel % ROW;
}

bool trn_halves_put(TrnHalves *halves, uint32_t index, TrnBlock block, bool solid, bool opaque)
{
    const TrnHalf half = halves->half[index / TRN_HALF_VOXELS];
    const uint32_t voxel = index % TRN_HALF_VOXELS, bit = voxel * half.bits;
    const uint32_t number = half.bits == 16 ? block : halves_find_number(halves, half, block);
    const bool is_shared = half.opaque == half.solid && half.solid >= TRN_LINES_SHARED;
    if ((half.bits < 16 && number >> half.bits) || (is_shared && solid != opaque) ||
        !halves_can_have(half.solid, half, solid, number & 1) ||
        !halves_can_have(half.opaque, half, opaque, number & 1)) {
        return false;
    }
    if (half.bits) {
        unsigned char *at =
            (unsigned char *)halves + (size_t)half.fields * TRN_CACHE_LINE + (size_t)(bit / 32) * 4;
        uint32_t word;
        memcpy(&word, at, sizeof word);
        word &= ~(((UINT32_C(1) << half.bits) - 1) << bit % 32);
        word |= number << bit % 32;
        memcpy(at, &word, sizeof word);
    }
    if (half.solid >= TRN_LINES_SHARED && half.solid != half.fields) {
        halves_put_bit(halves, half.solid, voxel, solid);
    }
    if (half.opaque >= TRN_LINES_SHARED && half.opaque != half.fields) {
        halves_put_bit(halves, half.opaque, voxel, opaque);
    }
    halves->solid_all &= ~((uint64_t)!solid << index / TRN_HALF_VOXELS);
    halves->opaque_all &= ~((uint64_t)!opaque << index / TRN_HALF_VOXELS);
    return true;
}

// ---- luts --------------------------------------------------------------------------------------

static void draft_begin(TrnHalvesDraft *draft, const TrnHalvesSetup *setup)
{
    draft->setup = *setup;
    draft->base = NULL;
    draft->has_moved_luts = false;
    draft->from_base = draft->by_palette = 0;
    draft->solid_any = draft->solid_all = draft->opaque_any = draft->opaque_all = 0;
    draft->palette_count = draft->lut_ids = draft->fresh_ids = 0;
    draft->own_lines = draft->base_lines = 0;
}

/// The ids of a lut for a width.
static uint32_t lut_size(uint32_t bits)
{
    return bits <= 2 ? 4 : bits == 4 ? 16 : TRN_PALETTE_MAX;
}

/// Appends a lut, padded with its first id.
/// @param entries  of the palette, if there is one
/// @return where it begins, in steps; LUT_NONE if there is no room
static uint32_t draft_append_lut(TrnHalvesDraft *draft, const TrnBlock *ids, const uint8_t *entries,
                                 uint32_t count, uint32_t size)
{
    const uint32_t first = draft->lut_ids;
    const uint32_t last = draft->palette_count ? first + size : first; // the palette is the last
    if (last / TRN_LUT_STEP > TRN_LUT_STEPS_MAX) {
        return LUT_NONE;
    }
    for (uint32_t i = 0; i < size; i++) {
        const uint32_t from = i < count ? i : 0;
        draft->lut[first + i] = ids[from];
        draft->lut_entries[first + i] = draft->palette_count ? entries[from] : 0;
    }
    draft->lut_ids = first + size;
    return first / TRN_LUT_STEP;
}

/// Finds or appends a list of blocks. Arguments as draft_append_lut.
static uint32_t draft_lut(TrnHalvesDraft *draft, const TrnBlock *ids, const uint8_t *entries,
                          uint32_t count, uint32_t bits)
{
    const uint32_t size = lut_size(bits), needed = bits ? size : 1;
    const uint32_t last = TRN_LUT_STEPS_MAX * TRN_LUT_STEP;
    for (uint32_t at = 0; at <= last && at + needed <= draft->lut_ids; at += TRN_LUT_STEP) {
        if (draft->lut[at] == ids[0] && memcmp(draft->lut + at, ids, count * sizeof *ids) == 0) {
            return at / TRN_LUT_STEP;
        }
    }
    return draft_append_lut(draft, ids, entries, count, size);
}

// ---- one half-layer ----------------------------------------------------------------------------

/// A half-layer as small numbers, and the blocks that they stand for.
typedef struct HalfLocal {
    const uint8_t *numbers; ///< [TRN_HALF_VOXELS]; undefined if there is one block
    const TrnBlock *ids;    ///< by number
    const uint8_t *used;    ///< [used_count] the numbers that occur
    uint32_t used_count;
} HalfLocal;

/// Which numbers of a half-layer have a property.
typedef struct HalfSet {
    uint32_t bits[TRN_PALETTE_MAX / 32];
    bool any, all;
} HalfSet;

static HalfSet half_set(const HalfLocal *local, const uint32_t *block_bits)
{
    HalfSet set = {{0}, false, true};
    for (uint32_t i = 0; i < local->used_count; i++) {
        const uint32_t number = local->used[i];
        const bool has = halves_bit(block_bits, local->ids[number]);
        set.bits[number / 32] |= (uint32_t)has << number % 32;
        set.any |= has;
        set.all &= has;
    }
    return set;
}

/// The number of the next line of the draft's own.
static uint16_t draft_next_line(const TrnHalvesDraft *draft)
{
    return (uint16_t)(TRN_LINES_SHARED + draft->own_lines);
}

/// Takes lines for the half-layer under construction. @return the first
static unsigned char *draft_take_lines(TrnHalvesDraft *draft, uint32_t count)
{
    unsigned char *lines = draft->own + (size_t)draft->own_lines * TRN_CACHE_LINE;
    draft->own_lines += count;
    return lines;
}

/// Returns the line of a mask, and writes it unless another line is equal.
/// @param other  a set whose line is `line`, or NULL
static uint16_t half_put_mask(TrnHalvesDraft *draft, const TrnHalf *half, const HalfLocal *local,
                              const HalfSet *set, const HalfSet *other, uint16_t line)
{
    if (!set->any || set->all) {
        return set->any ? TRN_LINE_FULL : TRN_LINE_EMPTY;
    }
    if (half->bits == 1 && set->bits[0] == 2) {
        return half->fields;
    }
    if (other && memcmp(set->bits, other->bits, sizeof set->bits) == 0) {
        return line;
    }
    const uint16_t own = draft_next_line(draft);
    draft->setup.kernels->mask(local->numbers, TRN_HALF_ROWS, set->bits,
                               (uint32_t *)(void *)draft_take_lines(draft, 1));
    return own;
}

/// Writes a half-layer that has a lut.
static void half_put(TrnHalvesDraft *draft, uint32_t h, uint32_t bits, uint32_t lut,
                     const HalfLocal *local)
{
    const HalfSet solid = half_set(local, draft->setup.solid_bits);
    const HalfSet opaque = half_set(local, draft->setup.opaque_bits);
    TrnHalf *half = &draft->half[h];
    *half = (TrnHalf){.fields = 1, .lut = (uint8_t)lut, .bits = (uint8_t)bits};
    if (bits) {
        half->fields = draft_next_line(draft);
        draft->setup.kernels->pack(halves_bits_shift(bits), local->numbers, TRN_HALF_ROWS,
                                   draft_take_lines(draft, bits));
    }
    half->solid = half_put_mask(draft, half, local, &solid, NULL, 0);
    half->opaque = half_put_mask(draft, half, local, &opaque, &solid, half->solid);
    draft->solid_any |= (uint64_t)solid.any << h;
    draft->solid_all |= (uint64_t)solid.all << h;
    draft->opaque_any |= (uint64_t)opaque.any << h;
    draft->opaque_all |= (uint64_t)opaque.all << h;
}

/// Whether two blocks are better numbered the other way round: their voxels are the solid or the
/// opaque mask then.
static bool half_is_reversed(const TrnHalvesDraft *draft, TrnBlock first, TrnBlock second)
{
    const uint32_t *solid_bits = draft->setup.solid_bits, *opaque_bits = draft->setup.opaque_bits;
    const int solid = halves_bit(solid_bits, first) - halves_bit(solid_bits, second);
    const int opaque = halves_bit(opaque_bits, first) - halves_bit(opaque_bits, second);
    return solid > 0 || (solid == 0 && opaque > 0);
}

static uint32_t half_bits_for(uint32_t types)
{
    return types <= 1 ? 0 : types <= 2 ? 1 : types <= 4 ? 2 : types <= 16 ? 4 : 8;
}

// ---- from palette entries ----------------------------------------------------------------------

/// Finds the entries that occur in a half-layer, in ascending order. @return their number
static uint32_t half_find_entries(const TrnHalvesDraft *draft, const uint8_t *entries,
                                  uint8_t found[TRN_PALETTE_MAX])
{
    uint32_t counts[TRN_PALETTE_MAX], types = 0;
    if (memcmp(entries, entries + 1, TRN_HALF_VOXELS - 1) == 0) {
        found[0] = entries[0];
        return 1;
    }
    memset(counts, 0, draft->palette_count * sizeof *counts);
    draft->setup.kernels->tally(entries, TRN_HALF_ROWS, UINT32_MAX, draft->palette_count, counts);
    for (uint32_t e = 0; e < draft->palette_count; e++) {
        if (counts[e]) {
            found[types++] = (uint8_t)e;
        }
    }
    return types;
}

/// Writes a half-layer whose numbers are the palette's entries.
static void half_put_by_palette(TrnHalvesDraft *draft, uint32_t h, const uint8_t *entries,
                                const uint8_t *found, uint32_t types)
{
    const HalfLocal local = {entries, draft->palette, found, types};
    draft->by_palette |= UINT64_C(1) << h;
    half_put(draft, h, draft->palette_count <= 16 ? 4 : 8, 0, &local);
}

/// Writes a half-layer of a chunk with a palette.
static void half_put_entries(TrnHalvesDraft *draft, uint32_t h, const uint8_t *entries)
{
    static const uint8_t numbers[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    uint8_t found[TRN_PALETTE_MAX], packed[TRN_HALF_VOXELS], table[TRN_PALETTE_MAX];
    TrnBlock ids[16];
    const uint32_t types = half_find_entries(draft, entries, found);
    const uint32_t bits = half_bits_for(types);
    if (bits == 8 || (bits == 4 && draft->palette_count <= 16)) {
        half_put_by_palette(draft, h, entries, found, types);
        return;
    }
    if (bits == 1 && half_is_reversed(draft, draft->palette[found[0]], draft->palette[found[1]])) {
        const uint8_t first = found[0];
        found[0] = found[1];
        found[1] = first;
    }
    for (uint32_t i = 0; i < types; i++) {
        ids[i] = draft->palette[found[i]];
        table[found[i]] = (uint8_t)i;
    }
    const uint32_t lut = draft_lut(draft, ids, found, types, bits);
    if (lut == LUT_NONE) {
        half_put_by_palette(draft, h, entries, found, types);
        return;
    }
    if (bits) {
        memcpy(packed, entries, sizeof packed);
        draft->setup.kernels->map(packed, TRN_HALF_ROWS, table, draft->palette_count);
    }
    half_put(draft, h, bits, lut, &(HalfLocal){packed, ids, numbers, types});
}

void trn_halves_draft_entries(TrnHalvesDraft *draft, const TrnHalvesSetup *setup,
                              const TrnVoxelIndexing *indexing, const uint8_t *entries)
{
    draft_begin(draft, setup);
    for (uint32_t e = 0; e < indexing->count; e++) {
        draft->palette[e] = (TrnBlock)indexing->palette[e];
    }
    draft->palette_count = indexing->count;
    for (uint32_t h = 0; h < TRN_CHUNK_HALVES; h++) {
        half_put_entries(draft, h, entries + (size_t)h * TRN_HALF_VOXELS);
    }
    draft->fresh_ids = draft->lut_ids;
}

// ---- from blocks -------------------------------------------------------------------------------

/// Numbers the blocks of a half-layer in the order in which they occur.
/// @return how many there are; 0: more than TRN_PALETTE_MAX
static uint32_t half_number(const TrnHalvesDraft *draft, const TrnBlock *blocks, uint8_t *numbers,
                            TrnBlock ids[TRN_PALETTE_MAX])
{
    TrnVoxelIndexing indexing;
    ids[0] = blocks[0];
    if (memcmp(blocks, blocks + 1, (TRN_HALF_VOXELS - 1) * sizeof *blocks) == 0) {
        return 1;
    }
    trn_voxel_indexing_begin(&indexing, draft->setup.entry_of, false);
    if (!draft->setup.kernels->index(blocks, TRN_HALF_ROWS, &indexing, numbers)) {
        return 0;
    }
    for (uint32_t i = 0; i < indexing.count; i++) {
        ids[i] = (TrnBlock)indexing.palette[i];
    }
    return indexing.count;
}

/// Finds or appends a block of the palette. @return false if the palette is full
static bool draft_find_entry(TrnHalvesDraft *draft, TrnBlock block, uint8_t *entry)
{
    uint32_t e = 0;
    while (e < draft->palette_count && draft->palette[e] != block) {
        e++;
    }
    if (e == TRN_PALETTE_MAX) {
        return false;
    }
    if (e == draft->palette_count) {
        draft->palette[draft->palette_count++] = block;
    }
    *entry = (uint8_t)e;
    return true;
}

/// The mask of one property of plain blocks.
static uint16_t half_put_plain_mask(TrnHalvesDraft *draft, uint32_t h, const TrnBlock *blocks,
                                    const uint32_t *block_bits, uint64_t *any, uint64_t *all)
{
    uint32_t rows[TRN_HALF_ROWS], ored = 0, anded = UINT32_MAX;
    draft->setup.kernels->mask_blocks(blocks, TRN_HALF_ROWS, block_bits, rows);
    for (uint32_t row = 0; row < TRN_HALF_ROWS; row++) {
        ored |= rows[row];
        anded &= rows[row];
    }
    *any |= (uint64_t)(ored != 0) << h;
    *all |= (uint64_t)(anded == UINT32_MAX) << h;
    if (!ored || anded == UINT32_MAX) {
        return ored ? TRN_LINE_FULL : TRN_LINE_EMPTY;
    }
    const uint16_t own = draft_next_line(draft);
    memcpy(draft_take_lines(draft, 1), rows, sizeof rows);
    return own;
}

/// Writes a half-layer as ids.
static void half_put_plain(TrnHalvesDraft *draft, uint32_t h, const TrnBlock *blocks)
{
    TrnHalf *half = &draft->half[h];
    *half = (TrnHalf){.fields = draft_next_line(draft), .bits = 16};
    memcpy(draft_take_lines(draft, 16), blocks, TRN_HALF_VOXELS * sizeof *blocks);
    half->solid = half_put_plain_mask(draft, h, blocks, draft->setup.solid_bits, &draft->solid_any,
                                      &draft->solid_all);
    half->opaque = half_put_plain_mask(draft, h, blocks, draft->setup.opaque_bits,
                                       &draft->opaque_any, &draft->opaque_all);
}

/// Replaces numbers by the palette's entries, and writes the half-layer so.
static void half_put_numbers_by_palette(TrnHalvesDraft *draft, uint32_t h, uint8_t *numbers,
                                        const uint8_t *entries, uint32_t types)
{
    uint8_t table[TRN_PALETTE_MAX];
    if (types == 1) {
        memset(numbers, entries[0], TRN_HALF_VOXELS);
    } else {
        memcpy(table, entries, types);
        draft->setup.kernels->map(numbers, TRN_HALF_ROWS, table, types);
    }
    half_put_by_palette(draft, h, numbers, entries, types);
}

/// Writes a half-layer of blocks. @return false if the palette is full
static bool half_put_blocks(TrnHalvesDraft *draft, uint32_t h, const TrnBlock *blocks)
{
    TrnBlock ids[TRN_PALETTE_MAX];
    uint8_t numbers[TRN_HALF_VOXELS], entries[TRN_PALETTE_MAX], used[TRN_PALETTE_MAX];
    const bool has_palette = draft->palette_count != 0;
    const uint32_t types = half_number(draft, blocks, numbers, ids);
    if (!types) {
        half_put_plain(draft, h, blocks);
        return !has_palette;
    }
    for (uint32_t i = 0; i < types; i++) {
        used[i] = (uint8_t)i;
        if (has_palette && !draft_find_entry(draft, ids[i], &entries[i])) {
            return false;
        }
    }
    const uint32_t bits = half_bits_for(types);
    if (bits == 8 && has_palette) {
        half_put_numbers_by_palette(draft, h, numbers, entries, types);
        return true;
    }
    if (bits == 1 && half_is_reversed(draft, ids[0], ids[1])) {
        const TrnBlock id = ids[0];
        const uint8_t entry = entries[0];
        ids[0] = ids[1];
        ids[1] = id;
        entries[0] = entries[1];
        entries[1] = entry;
        for (uint32_t i = 0; i < TRN_HALF_VOXELS; i++) {
            numbers[i] ^= 1;
        }
    }
    const uint32_t lut = draft_lut(draft, ids, entries, types, bits);
    if (lut != LUT_NONE) {
        half_put(draft, h, bits, lut, &(HalfLocal){numbers, ids, used, types});
    } else if (has_palette) {
        half_put_numbers_by_palette(draft, h, numbers, entries, types);
    } else {
        half_put_plain(draft, h, blocks);
    }
    return true;
}

void trn_halves_draft_blocks(TrnHalvesDraft *draft, const TrnHalvesSetup *setup,
                             const TrnBlock *blocks)
{
    draft_begin(draft, setup);
    for (uint32_t h = 0; h < TRN_CHUNK_HALVES; h++) {
        (void)half_put_blocks(draft, h, blocks + (size_t)h * TRN_HALF_VOXELS);
    }
    draft->fresh_ids = draft->lut_ids;
}

// ---- from others -------------------------------------------------------------------------------

/// Luts that are not in use any more are kept up to this many ids, since to leave them out costs
/// more than half of a small change.
#define LUT_IDS_SPARE 64

/// Where luts of the base are now: by size, and by where they began.
typedef struct MovedLuts {
    uint16_t at[3][TRN_LUT_STEPS_MAX + 1];
} MovedLuts;

/// Copies those luts of the base that its half-layers in the draft use. @return false: no room, as
/// parts that were shared are copied more than once
static bool draft_move_luts(TrnHalvesDraft *draft)
{
    const TrnHalves *base = draft->base;
    MovedLuts moved;
    memset(&moved, 0xFF, sizeof moved);
    memcpy(draft->half, base->half, sizeof draft->half);
    draft->has_moved_luts = true;
    for (uint64_t left = draft->from_base & ~draft->by_palette; left; left &= left - 1) {
        TrnHalf *half = &draft->half[__builtin_ctzll(left)];
        const uint32_t from = half->lut, size = lut_size(half->bits);
        uint16_t *at = &moved.at[size == 4 ? 0 : size == 16 ? 1 : 2][from];
        if (half->bits == 16) {
            continue;
        }
        if (*at == LUT_NONE) {
            *at = (uint16_t)draft_append_lut(
                draft, base->lut + (size_t)from * TRN_LUT_STEP,
                trn_halves_lut_entries(base) + (size_t)from * TRN_LUT_STEP, size, size);
            if (*at == LUT_NONE) {
                return false;
            }
        }
        half->lut = (uint8_t)*at;
    }
    draft->fresh_ids = draft->lut_ids;
    return true;
}

/// Copies all luts of the base.
static void draft_keep_luts(TrnHalvesDraft *draft)
{
    const TrnHalves *base = draft->base;
    draft->lut_ids = base->palette_lut * TRN_LUT_STEP;
    draft->fresh_ids = base->fresh_ids;
    memcpy(draft->lut, base->lut, draft->lut_ids * sizeof *draft->lut);
    if (base->palette_count) {
        memcpy(draft->lut_entries, trn_halves_lut_entries(base), draft->lut_ids);
    }
}

/// The line where the lines of some half-layers, from one on, begin: `otherwise` if these have
/// none.
static uint32_t halves_line_from(const TrnHalf *half, uint64_t some, uint32_t first,
                                 uint32_t otherwise)
{
    while (first < TRN_CHUNK_HALVES && !(some >> first & 1 && half[first].bits)) {
        first++;
    }
    return first < TRN_CHUNK_HALVES ? half[first].fields : otherwise;
}

/// Where the run of half-layers that begins at one ends: all are changed, or none is.
static uint32_t halves_run_end(uint64_t changed, uint32_t first)
{
    const uint64_t others = (changed >> first & 1 ? ~changed : changed) & UINT64_MAX << first;
    return others ? (uint32_t)__builtin_ctzll(others) : TRN_CHUNK_HALVES;
}

/// Lists the changed half-layers, and copies what the others have. @return which are changed
static uint64_t draft_begin_changed(TrnHalvesDraft *draft, const TrnHalvesSetup *setup,
                                    const TrnHalves *base, const TrnBlock *const *blocks)
{
    uint64_t changed = 0;
    for (uint32_t h = 0; h < TRN_CHUNK_HALVES; h++) {
        changed |= (uint64_t)(blocks[h] != NULL) << h;
    }
    draft_begin(draft, setup);
    draft->base = base;
    draft->from_base = ~changed;
    draft->solid_any = base->solid_any & ~changed;
    draft->solid_all = base->solid_all & ~changed;
    draft->opaque_any = base->opaque_any & ~changed;
    draft->opaque_all = base->opaque_all & ~changed;
    draft->by_palette = base->by_palette & ~changed;
    draft->palette_count = base->palette_count;
    memcpy(draft->palette, trn_halves_palette(base), base->palette_count * sizeof(TrnBlock));
    return changed;
}

bool trn_halves_draft_changed(TrnHalvesDraft *draft, const TrnHalvesSetup *setup,
                              const TrnHalves *base, const TrnBlock *const *blocks)
{
    const uint64_t changed = draft_begin_changed(draft, setup, base, blocks);
    if (base->palette_lut * TRN_LUT_STEP <= base->fresh_ids + LUT_IDS_SPARE) {
        draft_keep_luts(draft);
    } else if (!draft_move_luts(draft)) {
        return false;
    }
    for (uint32_t h = 0, end; h < TRN_CHUNK_HALVES; h = end) {
        end = halves_run_end(changed, h);
        if (!(changed >> h & 1)) {
            draft->base_lines += halves_line_from(base->half, UINT64_MAX, end, base->line_count) -
                                 halves_line_from(base->half, UINT64_MAX, h, base->line_count);
            continue;
        }
        for (uint32_t i = h; i < end; i++) {
            if (!half_put_blocks(draft, i, blocks[i])) {
                return false;
            }
        }
    }
    return true;
}

// ---- writing -----------------------------------------------------------------------------------

/// All ids: luts, and the palette padded.
static uint32_t draft_all_ids(const TrnHalvesDraft *draft)
{
    const uint32_t padded = (draft->palette_count + TRN_LUT_STEP - 1) / TRN_LUT_STEP * TRN_LUT_STEP;
    return draft->lut_ids + padded;
}

/// The line where half-layers begin.
static uint32_t draft_first_line(const TrnHalvesDraft *draft)
{
    const size_t bytes = sizeof(TrnHalves) + (size_t)draft_all_ids(draft) *
                                                 (sizeof(TrnBlock) + (draft->palette_count != 0));
    return (uint32_t)((bytes + TRN_CACHE_LINE - 1) / TRN_CACHE_LINE);
}

size_t trn_halves_bytes(const TrnHalvesDraft *draft)
{
    return (size_t)(draft_first_line(draft) + draft->base_lines + draft->own_lines) *
           TRN_CACHE_LINE;
}

/// Writes luts, palette, and the palette's entries of both.
static void draft_write_luts(const TrnHalvesDraft *draft, TrnHalves *halves)
{
    const uint32_t all = draft_all_ids(draft), luts = draft->lut_ids;
    uint8_t *entries = (uint8_t *)(halves->lut + all);
    memcpy(halves->lut, draft->lut, luts * sizeof *draft->lut);
    for (uint32_t i = luts; i < all; i++) {
        halves->lut[i] = i - luts < draft->palette_count ? draft->palette[i - luts] : 0;
    }
    if (draft->palette_count) {
        memcpy(entries, draft->lut_entries, luts);
        for (uint32_t i = luts; i < all; i++) {
            entries[i] = (uint8_t)(i - luts);
        }
    }
}

/// Copies half-layers whose lines move. Lines that every chunk has stay, and so does the unused one
/// of a half-layer of one block.
static void halves_move(const TrnHalf *from, uint32_t count, uint32_t by, TrnHalf *to)
{
    for (uint32_t i = 0; i < count; i++) {
        TrnHalf half = from[i];
        half.fields = (uint16_t)(half.fields + (half.fields < TRN_LINES_SHARED ? 0 : by));
        half.solid = (uint16_t)(half.solid + (half.solid < TRN_LINES_SHARED ? 0 : by));
        half.opaque = (uint16_t)(half.opaque + (half.opaque < TRN_LINES_SHARED ? 0 : by));
        to[i] = half;
    }
}

/// Copies half-layers and their lines: runs of the base's, and the draft's own.
static void draft_write_halves(const TrnHalvesDraft *draft, uint32_t to, TrnHalves *halves)
{
    unsigned char *const lines = (unsigned char *)halves;
    for (uint32_t h = 0, end; h < TRN_CHUNK_HALVES; h = end) {
        const bool is_own = !(draft->from_base >> h & 1);
        const TrnHalf *half = is_own ? draft->half : draft->base->half;
        const uint64_t some = is_own ? ~draft->from_base : UINT64_MAX;
        const uint32_t last = is_own ? draft_next_line(draft) : draft->base->line_count;
        end = halves_run_end(~draft->from_base, h);
        const uint32_t from = halves_line_from(half, some, h, last);
        const uint32_t count = halves_line_from(half, some, end, last) - from;
        const unsigned char *source =
            is_own ? draft->own + (size_t)(from - TRN_LINES_SHARED) * TRN_CACHE_LINE
                   : (const unsigned char *)draft->base + (size_t)from * TRN_CACHE_LINE;
        halves_move(half + h, end - h, to - from, halves->half + h);
        memcpy(lines + (size_t)to * TRN_CACHE_LINE, source, (size_t)count * TRN_CACHE_LINE);
        to += count;
    }
    if (draft->has_moved_luts) {
        for (uint32_t h = 0; h < TRN_CHUNK_HALVES; h++) {
            halves->half[h].lut = draft->half[h].lut;
        }
    }
    for (uint64_t left = draft->by_palette; left; left &= left - 1) {
        halves->half[__builtin_ctzll(left)].lut = (uint8_t)halves->palette_lut;
    }
}

void trn_halves_write(const TrnHalvesDraft *draft, TrnHalves *halves)
{
    const uint32_t first = draft_first_line(draft);
    halves->line_count = (uint16_t)(first + draft->base_lines + draft->own_lines);
    halves->first_line = (uint16_t)first;
    halves->lut_ids = (uint16_t)draft_all_ids(draft);
    halves->palette_count = (uint16_t)draft->palette_count;
    halves->palette_lut = (uint16_t)(draft->lut_ids / TRN_LUT_STEP);
    halves->fresh_ids = (uint16_t)draft->fresh_ids;
    memset(halves->unused, 0, sizeof halves->unused);
    halves->solid_any = draft->solid_any;
    halves->solid_all = draft->solid_all;
    halves->opaque_any = draft->opaque_any;
    halves->opaque_all = draft->opaque_all;
    halves->by_palette = draft->by_palette;
    draft_write_halves(draft, first, halves);
    draft_write_luts(draft, halves);
}
