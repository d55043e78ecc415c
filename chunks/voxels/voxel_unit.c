// The half-layers that an edit changes: their forms, lists of blocks, and how voxels are written.

#include "voxel_unit.h"

#include <assert.h>
#include <string.h>

#define ROW TRN_CHUNK_EDGE

/// How many blocks of a list are compared at once. That of numbers is padded to a multiple of it,
/// with its first block.
#define UNIT_STEP 16
typedef uint16_t UnitWords __attribute__((vector_size(UNIT_STEP)));
typedef uint64_t UnitPair __attribute__((vector_size(UNIT_STEP)));

static_assert(sizeof(((TrnVoxelUnit *)0)->list) == TRN_PALETTE_MAX * sizeof(TrnBlock),
              "numbers are bytes");

// ---- open --------------------------------------------------------------------------------------

/// The blocks of a half-layer's list. Lists of their own are padded with their first block.
static uint32_t unit_count_list(const TrnPayload *payload, uint32_t half, const TrnBlock *list)
{
    const uint32_t numbers = 1u << payload->half[half].bits;
    uint32_t count = numbers;
    if (payload->by_palette >> half & 1) {
        return payload->palette_count < numbers ? payload->palette_count : numbers;
    }
    while (count > 1 && list[count - 1] == list[0]) {
        count--;
    }
    return count;
}

/// Pads the list from its end on, to a multiple of UNIT_STEP.
static void unit_pad_list(TrnVoxelUnit *unit, uint32_t end)
{
    for (; end % UNIT_STEP; end++) {
        unit->list[end] = unit->list[0];
    }
}

void trn_unit_open(TrnVoxelUnit *unit, const TrnPayload *payload, const TrnVoxelKernels *kernels,
                   uint32_t half)
{
    const TrnHalf from = payload->half[half];
    const TrnBlock *list = trn_payload_luts(payload) + (size_t)from.lut * TRN_PAYLOAD_LUT_STEP;
    unit->is_changed = false;
    if (from.bits == 16) {
        unit->form = TRN_UNIT_BLOCKS;
        unit->count = 0;
        memcpy(unit->blocks, trn_payload_fields(payload, from, 0), sizeof unit->blocks);
        return;
    }
    unit->count = unit_count_list(payload, half, list);
    unit->last = list[0];
    unit->last_number = 0;
    memcpy(unit->list, list, unit->count * sizeof *list);
    if (from.bits <= 1) {
        unit->form = TRN_UNIT_PAIR;
        memcpy(unit->rows,
               from.bits ? (const void *)trn_payload_fields(payload, from, 0)
                         : (const void *)trn_payload_lines[TRN_LINE_EMPTY],
               sizeof unit->rows);
        return;
    }
    unit->form = TRN_UNIT_NUMBERS;
    unit_pad_list(unit, unit->count);
    kernels->unpack(trn_bits_shift(from.bits), trn_payload_fields(payload, from, 0), TRN_HALF_ROWS,
                    unit->numbers);
}

// ---- lists -------------------------------------------------------------------------------------

/// Finds a block in the list. @return unit->count: it is not there
static uint32_t unit_find(const TrnVoxelUnit *unit, TrnBlock block)
{
    const UnitWords low = {1, 1 << 1, 1 << 2, 1 << 3, 1 << 4, 1 << 5, 1 << 6, 1 << 7};
    const UnitWords high = low << 8;
    if (unit->form == TRN_UNIT_PAIR) { // without padding
        const uint32_t second = unit->count == 2 && unit->list[1] == block ? 1 : unit->count;
        return unit->list[0] == block ? 0 : second;
    }
    for (uint32_t at = 0; at < unit->count; at += UNIT_STEP) {
        UnitWords words[2];
        memcpy(words, unit->list + at, sizeof words);
        const UnitPair found = (UnitPair)(((UnitWords)(words[0] == block) & low) |
                                          ((UnitWords)(words[1] == block) & high));
        uint64_t any = found[0] | found[1];
        if (any) {
            any |= any >> 32;
            return at + (uint32_t)__builtin_ctzll(any | any >> 16);
        }
    }
    return unit->count;
}

/// Makes a block of the list the last one.
static void unit_set_last(TrnVoxelUnit *unit, TrnBlock block, uint32_t number)
{
    unit->last = block;
    unit->last_number = (uint8_t)number;
}

bool trn_unit_lists(TrnVoxelUnit *unit, TrnBlock block)
{
    if (!unit->count || unit->last == block) {
        return true;
    }
    const uint32_t number = unit_find(unit, block);
    if (number < unit->count) {
        unit_set_last(unit, block, number);
    }
    return number < unit->count;
}

/// Gives up the list, which is full.
static void unit_drop_list(TrnVoxelUnit *unit)
{
    TrnBlock blocks[TRN_PAYLOAD_HALF_VOXELS];
    trn_unit_decode(unit, blocks);
    memcpy(unit->blocks, blocks, sizeof blocks);
    unit->form = TRN_UNIT_BLOCKS;
    unit->count = 0;
}

/// Finds or adds a block, which becomes the last one. Without a list it does nothing.
static void unit_choose(TrnVoxelUnit *unit, const TrnVoxelKernels *kernels, TrnBlock block)
{
    if (trn_unit_lists(unit, block)) {
        return;
    }
    if (unit->count == TRN_PALETTE_MAX) {
        unit_drop_list(unit);
        return;
    }
    if (unit->form == TRN_UNIT_PAIR && unit->count == 2) {
        kernels->unpack(0, unit->rows, TRN_HALF_ROWS, unit->numbers);
        unit->form = TRN_UNIT_NUMBERS;
    }
    unit->list[unit->count] = block;
    unit_set_last(unit, block, unit->count++);
    unit_pad_list(unit, unit->count);
}

// ---- voxels ------------------------------------------------------------------------------------

/// Sets some numbers, by 8 at once. @return whether any was another
static bool unit_fill_numbers(uint8_t *numbers, uint32_t count, uint8_t number)
{
    const uint64_t filled = UINT64_MAX / UINT8_MAX * number;
    uint64_t others = 0, word;
    if (count < sizeof word) {
        for (uint32_t at = 0; at < count; at++) {
            others |= numbers[at] ^ number;
            numbers[at] = number;
        }
        return others != 0;
    }
    for (uint32_t at = 0, end = 0; end < count; at = end) { // the last 8 may overlap those before
        at = at + sizeof word <= count ? at : count - (uint32_t)sizeof word;
        end = at + (uint32_t)sizeof word;
        memcpy(&word, numbers + at, sizeof word);
        memcpy(numbers + at, &filled, sizeof filled);
        others |= word ^ filled;
    }
    return others != 0;
}

/// Writes the last block to the voxels of a pair that have a bit. @return whether any was another
static bool unit_fill_pair(TrnVoxelUnit *unit, const uint32_t *rows)
{
    const uint32_t bits = unit->last_number ? UINT32_MAX : 0;
    uint32_t others = 0;
    for (uint32_t row = 0; row < TRN_HALF_ROWS; row++) {
        const uint32_t other = rows[row] & (unit->rows[row] ^ bits);
        unit->rows[row] ^= other;
        others |= other;
    }
    return others != 0;
}

static bool unit_fill_blocks(TrnVoxelUnit *unit, uint32_t first, uint32_t count, TrnBlock block)
{
    uint32_t others = 0;
    for (uint32_t at = first; at < first + count; at++) {
        others |= unit->blocks[at] ^ block;
        unit->blocks[at] = block;
    }
    return others != 0;
}

void trn_unit_fill(TrnVoxelUnit *unit, const TrnVoxelKernels *kernels, uint32_t first,
                   uint32_t count, TrnBlock block)
{
    unit_choose(unit, kernels, block);
    if (unit->form == TRN_UNIT_PAIR) {
        uint32_t rows[TRN_HALF_ROWS] = {0};
        trn_rows_mark(rows, first, first + count - 1);
        unit->is_changed |= unit_fill_pair(unit, rows);
    } else if (unit->form == TRN_UNIT_NUMBERS) {
        unit->is_changed |= unit_fill_numbers(unit->numbers + first, count, unit->last_number);
    } else {
        unit->is_changed |= unit_fill_blocks(unit, first, count, block);
    }
}

void trn_unit_fill_mask(TrnVoxelUnit *unit, const TrnVoxelKernels *kernels, const uint32_t *rows,
                        TrnBlock block)
{
    unit_choose(unit, kernels, block);
    if (unit->form == TRN_UNIT_PAIR) {
        unit->is_changed |= unit_fill_pair(unit, rows);
        return;
    }
    if (unit->form == TRN_UNIT_NUMBERS) {
        unit->is_changed |= kernels->put(unit->numbers, TRN_HALF_ROWS, rows, unit->last_number);
        return;
    }
    for (uint32_t row = 0; row < TRN_HALF_ROWS; row++) {
        for (uint32_t left = rows[row]; left; left &= left - 1) {
            const uint32_t at = row * ROW + (uint32_t)__builtin_ctz(left);
            unit->is_changed |= unit_fill_blocks(unit, at, 1, block);
        }
    }
}

void trn_unit_write(TrnVoxelUnit *unit, const TrnVoxelKernels *kernels, uint32_t first,
                    const TrnBlock *blocks, uint32_t count)
{
    for (uint32_t at = 0, end; at < count; at = end) {
        end = at + 1;
        while (end < count && blocks[end] == blocks[at]) {
            end++;
        }
        trn_unit_fill(unit, kernels, first + at, end - at, blocks[at]);
    }
}

/// The voxels that are a block of the list, as bits. @param number  of the block
static void unit_rows_of(const TrnVoxelUnit *unit, const TrnVoxelKernels *kernels, uint32_t number,
                         uint32_t rows[TRN_HALF_ROWS])
{
    uint32_t bits[TRN_PALETTE_MAX / 32] = {0};
    if (unit->form == TRN_UNIT_PAIR) {
        for (uint32_t row = 0; row < TRN_HALF_ROWS; row++) {
            rows[row] = number ? unit->rows[row] : ~unit->rows[row];
        }
        return;
    }
    bits[number / 32] = UINT32_C(1) << number % 32;
    kernels->mask(unit->numbers, TRN_HALF_ROWS, bits, rows);
}

void trn_unit_replace(TrnVoxelUnit *unit, const TrnVoxelKernels *kernels, TrnBlock from,
                      TrnBlock to)
{
    if (unit->form == TRN_UNIT_BLOCKS) {
        for (uint32_t at = 0; at < TRN_PAYLOAD_HALF_VOXELS; at++) {
            const bool is_from = unit->blocks[at] == from;
            unit->is_changed |= is_from && from != to;
            unit->blocks[at] = is_from ? to : unit->blocks[at];
        }
        return;
    }
    const uint32_t number = unit_find(unit, from);
    if (number < unit->count) {
        uint32_t rows[TRN_HALF_ROWS];
        unit_rows_of(unit, kernels, number, rows);
        trn_unit_fill_mask(unit, kernels, rows, to);
    }
}

void trn_unit_decode(const TrnVoxelUnit *unit, TrnBlock *blocks)
{
    for (uint32_t at = 0; at < TRN_PAYLOAD_HALF_VOXELS; at++) {
        blocks[at] = trn_unit_get(unit, at);
    }
}
