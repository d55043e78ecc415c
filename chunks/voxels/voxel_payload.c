// The content of payloads: how it is read, and written in place.

#include <assert.h>
#include <string.h>

#include "base/assert.h"
#include "voxel_kernels.h"
#include "voxel_payload_internal.h"

#define ROW TRN_CHUNK_EDGE

static_assert(sizeof(TrnHalf) == 8, "one load");
static_assert(sizeof(TrnPayload) == 616, "the same on every machine");
static_assert(TRN_CHUNK_HALVES == TRN_PAYLOAD_HALVES && TRN_PAYLOAD_LINE == 64,
              "half-layers and lines");

#define ROWS_4(row) row, row, row, row
const _Alignas(TRN_PAYLOAD_LINE) uint32_t trn_payload_lines[TRN_LINES_SHARED][TRN_HALF_ROWS] = {
    {0}, {ROWS_4(UINT32_MAX), ROWS_4(UINT32_MAX), ROWS_4(UINT32_MAX), ROWS_4(UINT32_MAX)}};

// ---- reading -----------------------------------------------------------------------------------

/// Decodes rows of one half-layer.
static void payload_decode_half(const TrnPayload *payload, const TrnVoxelKernels *kernels,
                                uint32_t row, uint32_t count, TrnBlock *blocks)
{
    const TrnHalf half = payload->half[row / TRN_HALF_ROWS];
    const TrnBlock *lut = trn_payload_luts(payload) + (size_t)half.lut * TRN_PAYLOAD_LUT_STEP;
    if (half.bits == 16) {
        memcpy(blocks, trn_payload_fields(payload, half, row),
               (size_t)count * ROW * sizeof *blocks);
    } else if (half.bits == 0) {
        trn_fill_blocks(blocks, (size_t)count * ROW, lut[0]);
    } else {
        kernels->decode(trn_bits_shift(half.bits), trn_payload_fields(payload, half, row), lut,
                        count, blocks);
    }
}

void trn_payload_decode(const TrnPayload *payload, const TrnVoxelKernels *kernels, uint32_t row,
                        uint32_t count, TrnBlock *blocks)
{
    TRN_ASSERT(count);
    for (uint32_t left = TRN_HALF_ROWS - row % TRN_HALF_ROWS; count > left; left = TRN_HALF_ROWS) {
        payload_decode_half(payload, kernels, row, left, blocks);
        row += left;
        count -= left;
        blocks += (size_t)left * ROW;
    }
    payload_decode_half(payload, kernels, row, count, blocks);
}

/// Writes the entries of rows of one half-layer.
static void payload_entries_half(const TrnPayload *payload, const TrnVoxelKernels *kernels,
                                 uint32_t row, uint32_t count, uint8_t *entries)
{
    const TrnHalf half = payload->half[row / TRN_HALF_ROWS];
    const uint8_t *lut = trn_payload_lut_entries(payload) + (size_t)half.lut * TRN_PAYLOAD_LUT_STEP;
    if (half.bits == 0) {
        memset(entries, lut[0], (size_t)count * ROW);
        return;
    }
    kernels->unpack(trn_bits_shift(half.bits), trn_payload_fields(payload, half, row), count,
                    entries);
    if (half.lut != payload->palette_lut) { // otherwise they are the palette's already
        uint8_t table[TRN_PALETTE_MAX];
        const uint32_t types = 1u << half.bits;
        memcpy(table, lut, types);
        kernels->map(entries, count, table, types);
    }
}

void trn_payload_entries(const TrnPayload *payload, const TrnVoxelKernels *kernels, uint32_t row,
                         uint32_t count, uint8_t *entries)
{
    TRN_ASSERT(payload->palette_count);
    for (uint32_t part; count; row += part, count -= part, entries += (size_t)part * ROW) {
        const uint32_t left = TRN_HALF_ROWS - row % TRN_HALF_ROWS;
        part = count < left ? count : left;
        payload_entries_half(payload, kernels, row, part, entries);
    }
}

// ---- one voxel ---------------------------------------------------------------------------------

uint32_t trn_payload_find_number(const TrnPayload *payload, TrnHalf half, TrnBlock block)
{
    const TrnBlock *lut = trn_payload_luts(payload) + (size_t)half.lut * TRN_PAYLOAD_LUT_STEP;
    const bool is_palette = half.bits >= 4 && half.lut == payload->palette_lut;
    const uint32_t numbers = 1u << half.bits;
    const uint32_t end =
        is_palette && payload->palette_count < numbers ? payload->palette_count : numbers;
    uint32_t number = 0;
    while (number < end && lut[number] != block) {
        number++;
    }
    return number < end ? number : numbers;
}

/// Whether a mask can have a bit for a voxel: its line is one of its own, or has that bit.
/// @param bit  of the voxel's number, if the voxels are the mask
static bool payload_can_have(uint32_t line, TrnHalf half, bool is_set, bool bit)
{
    return line == TRN_LINE_EMPTY  ? !is_set
           : line == TRN_LINE_FULL ? is_set
                                   : line != half.fields || bit == is_set;
}

bool trn_payload_can_put(const TrnPayload *payload, uint32_t index, TrnBlock block, bool is_solid,
                         bool is_opaque, uint32_t *number)
{
    const TrnHalf half = payload->half[index / TRN_PAYLOAD_HALF_VOXELS];
    const bool is_shared = half.opaque == half.solid && half.solid >= TRN_LINES_SHARED;
    *number = half.bits == 16 ? block : trn_payload_find_number(payload, half, block);
    return (half.bits == 16 || !(*number >> half.bits)) && !(is_shared && is_solid != is_opaque) &&
           payload_can_have(half.solid, half, is_solid, *number & 1) &&
           payload_can_have(half.opaque, half, is_opaque, *number & 1);
}

/// Whether a number occurs in a half-layer.
static bool payload_has_number(const unsigned char *fields, uint32_t bits, uint32_t number)
{
    const uint64_t ones = UINT64_MAX / ((UINT64_C(1) << bits) - 1), highs = ones << (bits - 1);
    for (uint32_t at = 0; at < bits * TRN_PAYLOAD_LINE; at += sizeof(uint64_t)) {
        uint64_t word;
        memcpy(&word, fields + at, sizeof word);
        word ^= ones * number; // a field that is zero has the number
        if ((word - ones) & ~word & highs) {
            return true;
        }
    }
    return false;
}

/// Writes a bit of a mask that has a line of its own. @return false: all bits are equal now
static bool payload_put_bit(TrnPayload *payload, uint32_t line, uint32_t voxel, bool is_set)
{
    uint32_t *rows =
        (uint32_t *)(void *)((unsigned char *)payload + (size_t)line * TRN_PAYLOAD_LINE);
    uint32_t *row = rows + voxel / ROW, other = 0;
    const uint32_t bit = UINT32_C(1) << voxel % ROW;
    if ((*row & bit) == (is_set ? bit : 0)) {
        return true;
    }
    *row ^= bit;
    for (uint32_t i = 0; i < TRN_HALF_ROWS; i++) {
        other |= is_set ? ~rows[i] : rows[i];
    }
    return other != 0;
}

bool trn_payload_put(TrnPayload *payload, uint32_t index, uint32_t number, bool is_solid,
                     bool is_opaque)
{
    const TrnHalf half = payload->half[index / TRN_PAYLOAD_HALF_VOXELS];
    const uint32_t voxel = index % TRN_PAYLOAD_HALF_VOXELS, bit = voxel * half.bits;
    const uint32_t field = (UINT32_C(1) << half.bits) - 1;
    bool is_tight = true;
    if (half.bits) {
        unsigned char *fields = (unsigned char *)payload + (size_t)half.fields * TRN_PAYLOAD_LINE;
        uint32_t word;
        memcpy(&word, fields + (size_t)(bit / 32) * 4, sizeof word);
        const uint32_t before = word >> bit % 32 & field;
        word ^= (before ^ number) << bit % 32;
        memcpy(fields + (size_t)(bit / 32) * 4, &word, sizeof word);
        is_tight = payload_has_number(fields, half.bits, before);
    }
    if (half.solid >= TRN_LINES_SHARED && half.solid != half.fields) {
        is_tight &= payload_put_bit(payload, half.solid, voxel, is_solid);
    }
    if (half.opaque >= TRN_LINES_SHARED && half.opaque != half.fields &&
        half.opaque != half.solid) {
        is_tight &= payload_put_bit(payload, half.opaque, voxel, is_opaque);
    }
    return is_tight;
}
