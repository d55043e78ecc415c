// Reading snapshots: blocks, counts, masks, equality and hash.

#include <string.h>

#include "base/around.h"
#include "voxel_heap_impl.h"
#include "voxel_read_internal.h"

#define LAYER_ROWS ((uint32_t)TRN_CHUNK_EDGE)
#define LAYER_VOXELS ((size_t)LAYER_ROWS * TRN_CHUNK_EDGE)

// ---- decoding ----------------------------------------------------------------------------------

void trn_snapshot_decode_rows(TrnSnapshot snapshot, uint32_t row, uint32_t count, TrnBlock *blocks)
{
    if (trn_snapshot_is_uniform(snapshot)) {
        trn_fill_blocks(blocks, (size_t)count * TRN_CHUNK_EDGE, trn_snapshot_uniform(snapshot));
        return;
    }
    const TrnPayload *payload = trn_snapshot_payload(snapshot);
    trn_payload_decode(payload, trn_payload_kernels(payload), row, count, blocks);
}

void trn_snapshot_decode(TrnSnapshot snapshot, TrnBlock *blocks)
{
    trn_snapshot_decode_rows(snapshot, 0, TRN_CHUNK_ROWS, blocks);
}

void trn_snapshot_entries(TrnSnapshot snapshot, uint32_t row, uint32_t count, uint8_t *entries)
{
    if (trn_snapshot_is_uniform(snapshot)) {
        memset(entries, 0, (size_t)count * TRN_CHUNK_EDGE);
        return;
    }
    const TrnPayload *payload = trn_snapshot_payload(snapshot);
    trn_payload_entries(payload, trn_payload_kernels(payload), row, count, entries);
}

/// Finds the voxels of some rows of a half-layer whose numbers belong to a set.
/// @param number_bits  as entry_bits in trn_snapshot_match_halves
/// @param numbers,found  there are so many, of which so many belong to it
static void snapshot_match_numbers(const TrnPayload *payload, TrnHalf half, uint32_t row,
                                   uint32_t count, const uint32_t *number_bits, uint32_t numbers,
                                   uint32_t found, uint32_t *rows)
{
    const TrnVoxelKernels *kernels = trn_payload_kernels(payload);
    if (found == 0 || found == numbers) {
        memset(rows, found ? 0xFF : 0, count * sizeof *rows);
        return;
    }
    if (half.bits == 1) { // the fields are the rows
        memcpy(rows, trn_payload_fields(payload, half, row), count * sizeof *rows);
        for (uint32_t i = 0; i < count; i++) {
            rows[i] ^= number_bits[0] & 1 ? UINT32_MAX : 0;
        }
        return;
    }
    uint8_t entries[TRN_HALF_VOXELS];
    kernels->unpack(trn_bits_shift(half.bits), trn_payload_fields(payload, half, row), count,
                    entries);
    kernels->mask(entries, count, number_bits, rows);
}

/// The numbers of a half-layer that stand for blocks; not with 16 bits.
static uint32_t snapshot_numbers(const TrnPayload *payload, uint32_t h)
{
    const uint32_t numbers = 1u << payload->half[h].bits;
    return payload->by_palette >> h & 1 && payload->palette_count < numbers ? payload->palette_count
                                                                            : numbers;
}

/// trn_snapshot_match for rows of one half-layer.
static void snapshot_match_rows(const TrnPayload *payload, const uint32_t *block_bits, uint32_t row,
                                uint32_t count, uint32_t *rows)
{
    const uint32_t h = row / TRN_HALF_ROWS;
    const TrnHalf half = payload->half[h];
    const TrnBlock *lut = trn_payload_luts(payload) + (size_t)half.lut * TRN_LUT_STEP;
    uint32_t number_bits[8] = {0}, found = 0;
    if (half.bits == 16) {
        trn_payload_kernels(payload)->mask_blocks(
            (const TrnBlock *)(const void *)trn_payload_fields(payload, half, row), count,
            block_bits, rows);
        return;
    }
    const uint32_t numbers = snapshot_numbers(payload, h);
    for (uint32_t i = 0; i < numbers; i++) {
        const bool has = trn_block_bit(block_bits, lut[i]);
        number_bits[i / 32] |= (uint32_t)has << i % 32;
        found += has;
    }
    snapshot_match_numbers(payload, half, row, count, number_bits, numbers, found, rows);
}

uint64_t trn_snapshot_match_halves(TrnSnapshot snapshot, uint64_t halves,
                                   const uint32_t entry_bits[8], uint32_t rows[TRN_CHUNK_ROWS])
{
    if (trn_snapshot_is_uniform(snapshot)) {
        memset(rows, 0xFF, sizeof(uint32_t[TRN_CHUNK_ROWS]));
        return entry_bits[0] & 1 ? halves : 0;
    }
    const TrnPayload *payload = trn_snapshot_payload(snapshot);
    const uint8_t *lut_entries = trn_payload_lut_entries(payload);
    uint32_t number_bits[8], found = 0, numbers = 0, lut = UINT32_MAX;
    uint64_t result = 0;
    for (; halves; halves &= halves - 1) {
        const uint32_t h = (uint32_t)__builtin_ctzll(halves);
        const TrnHalf half = payload->half[h];
        const uint32_t own_numbers = snapshot_numbers(payload, h);
        if (half.lut != lut || own_numbers != numbers) { // often that of the half-layer before
            const uint8_t *entries = lut_entries + (size_t)half.lut * TRN_LUT_STEP;
            lut = half.lut;
            numbers = own_numbers;
            found = 0;
            memset(number_bits, 0, sizeof number_bits);
            for (uint32_t i = 0; i < numbers; i++) {
                const uint32_t has = entry_bits[entries[i] / 32] >> entries[i] % 32 & 1;
                number_bits[i / 32] |= has << i % 32;
                found += has;
            }
        }
        if (found) {
            result |= UINT64_C(1) << h;
            snapshot_match_numbers(payload, half, h * TRN_HALF_ROWS, TRN_HALF_ROWS, number_bits,
                                   numbers, found, rows + (size_t)h * TRN_HALF_ROWS);
        }
    }
    return result;
}

void trn_snapshot_match(TrnSnapshot snapshot, const uint32_t *block_bits, uint32_t row,
                        uint32_t count, uint32_t *rows)
{
    if (trn_snapshot_is_uniform(snapshot)) {
        const bool is_in = trn_block_bit(block_bits, trn_snapshot_uniform(snapshot));
        memset(rows, is_in ? 0xFF : 0, count * sizeof *rows);
        return;
    }
    for (uint32_t part; count; row += part, count -= part, rows += part) {
        const uint32_t left = TRN_HALF_ROWS - row % TRN_HALF_ROWS;
        part = count < left ? count : left;
        snapshot_match_rows(trn_snapshot_payload(snapshot), block_bits, row, part, rows);
    }
}

bool trn_snapshot_may_hold(TrnSnapshot snapshot, const uint32_t *block_bits)
{
    TrnPalette palette;
    trn_snapshot_palette(snapshot, &palette);
    bool may = palette.count == 0;
    for (uint32_t i = 0; i < palette.count && !may; i++) {
        may = trn_block_bit(block_bits, palette.blocks[i]);
    }
    return may;
}

void trn_snapshot_planes(TrnSnapshot snapshot, uint32_t row, uint32_t count, const uint8_t *table,
                         uint32_t plane_count, uint32_t *planes)
{
    const TrnPayload *payload = trn_snapshot_payload(snapshot);
    const TrnVoxelKernels *kernels = trn_payload_kernels(payload);
    uint8_t bytes[LAYER_VOXELS];
    uint32_t used = 0;
    for (uint32_t i = 0; i < payload->palette_count; i++) {
        used |= table[i];
    }
    for (uint32_t bit = 0; bit < plane_count; bit++) {
        if (!(used >> bit & 1)) {
            memset(planes + (size_t)bit * count, 0, count * sizeof *planes);
        }
    }
    trn_snapshot_entries(snapshot, row, count, bytes);
    kernels->map(bytes, count, table, payload->palette_count);
    kernels->planes(bytes, count, used & ((1u << plane_count) - 1), planes);
}

void trn_snapshot_decode_row(TrnSnapshot snapshot, uint32_t y, uint32_t z, TrnBlock *blocks)
{
    const uint32_t mask = TRN_CHUNK_EDGE - 1;
    trn_snapshot_decode_rows(snapshot, (y & mask) * TRN_CHUNK_EDGE + (z & mask), 1, blocks);
}

// ---- counts ------------------------------------------------------------------------------------

/// Ids that one pass over plain blocks counts: 8 KiB on the stack.
#define COUNT_WINDOW 4096

static uint32_t snapshot_count_uniform(TrnBlock block, TrnBlockCount *counts, uint32_t capacity)
{
    if (capacity > 0) {
        counts[0] = (TrnBlockCount){block, TRN_CHUNK_VOXELS};
    }
    return 1;
}

/// Counts the blocks of one window of ids, and appends them to the list.
static uint32_t snapshot_count_window(TrnSnapshot snapshot, uint32_t first_id,
                                      TrnBlockCount *counts, uint32_t capacity, uint32_t found)
{
    uint16_t window[COUNT_WINDOW] = {0};
    for (uint32_t row = 0; row < TRN_CHUNK_ROWS; row += LAYER_ROWS) {
        TrnBlock blocks[LAYER_VOXELS];
        trn_snapshot_decode_rows(snapshot, row, LAYER_ROWS, blocks);
        for (uint32_t i = 0; i < LAYER_VOXELS; i++) {
            const uint32_t at = blocks[i] - first_id; // wraps below the window
            if (at < COUNT_WINDOW) {
                window[at]++;
            }
        }
    }
    for (uint32_t at = 0; at < COUNT_WINDOW; at++) {
        if (window[at]) {
            if (found < capacity) {
                counts[found] = (TrnBlockCount){(TrnBlock)(first_id + at), window[at]};
            }
            found++;
        }
    }
    return found;
}

static uint32_t snapshot_count_plain(TrnSnapshot snapshot, TrnBlockCount *counts, uint32_t capacity)
{
    uint32_t least = UINT16_MAX, greatest = 0, found = 0;
    for (uint32_t row = 0; row < TRN_CHUNK_ROWS; row += LAYER_ROWS) {
        TrnBlock blocks[LAYER_VOXELS];
        trn_snapshot_decode_rows(snapshot, row, LAYER_ROWS, blocks);
        for (uint32_t i = 0; i < LAYER_VOXELS; i++) {
            least = blocks[i] < least ? blocks[i] : least;
            greatest = blocks[i] > greatest ? blocks[i] : greatest;
        }
    }
    for (uint32_t id = least; id <= greatest; id += COUNT_WINDOW) {
        found = snapshot_count_window(snapshot, id, counts, capacity, found);
    }
    return found;
}

/// Counts the voxels of each number of a half-layer. @param counts  [256] zeroes
static void snapshot_count_half(const TrnPayload *payload, uint32_t h, uint32_t *counts)
{
    const TrnVoxelKernels *kernels = trn_payload_kernels(payload);
    const TrnHalf half = payload->half[h];
    if (half.bits == 0) {
        counts[0] = TRN_HALF_VOXELS;
        return;
    }
    uint8_t numbers[TRN_HALF_VOXELS];
    kernels->unpack(trn_bits_shift(half.bits), trn_payload_fields(payload, half, 0), TRN_HALF_ROWS,
                    numbers);
    kernels->tally(numbers, TRN_HALF_ROWS, 1u << half.bits, counts);
}

/// Inserts a block into a short ascending list.
static void snapshot_insert_count(TrnBlockCount *sorted, uint32_t count, TrnBlockCount fresh)
{
    while (count > 0 && sorted[count - 1].block > fresh.block) {
        sorted[count] = sorted[count - 1];
        count--;
    }
    sorted[count] = fresh;
}

static uint32_t snapshot_count_palette(const TrnPayload *payload, TrnBlockCount *counts,
                                       uint32_t capacity)
{
    TrnBlockCount sorted[TRN_PALETTE_MAX];
    const TrnBlock *palette = trn_payload_palette(payload);
    uint32_t voxels[TRN_PALETTE_MAX] = {0}, found = 0;
    for (uint32_t h = 0; h < TRN_CHUNK_HALVES; h++) {
        const TrnHalf half = payload->half[h];
        const uint8_t *entries = trn_payload_lut_entries(payload) + (size_t)half.lut * TRN_LUT_STEP;
        uint32_t of_half[TRN_PALETTE_MAX] = {0};
        snapshot_count_half(payload, h, of_half);
        for (uint32_t i = 0; i < 1u << half.bits; i++) {
            if (of_half[i]) {
                voxels[entries[i]] += of_half[i];
            }
        }
    }
    for (uint32_t e = 0; e < payload->palette_count; e++) {
        if (voxels[e]) {
            snapshot_insert_count(sorted, found++,
                                  (TrnBlockCount){palette[e], (uint16_t)voxels[e]});
        }
    }
    if (capacity > 0) { // counts may be NULL otherwise
        memcpy(counts, sorted, (found < capacity ? found : capacity) * sizeof *counts);
    }
    return found;
}

uint32_t trn_snapshot_counts(TrnSnapshot snapshot, TrnBlockCount *counts, uint32_t capacity)
{
    if (trn_snapshot_is_uniform(snapshot)) {
        return snapshot_count_uniform(trn_snapshot_uniform(snapshot), counts, capacity);
    }
    return trn_snapshot_has_palette(snapshot)
               ? snapshot_count_palette(trn_snapshot_payload(snapshot), counts, capacity)
               : snapshot_count_plain(snapshot, counts, capacity);
}

/// Counts the voxels of one block in a half-layer.
static uint32_t snapshot_count_in_half(const TrnPayload *payload, uint32_t h, TrnBlock block)
{
    const TrnHalf half = payload->half[h];
    uint32_t rows[TRN_HALF_ROWS], count = 0;
    if (half.bits == 0) {
        return trn_payload_luts(payload)[(size_t)half.lut * TRN_LUT_STEP] == block ? TRN_HALF_VOXELS
                                                                                   : 0;
    }
    TrnBlock blocks[TRN_HALF_VOXELS], wanted[TRN_HALF_VOXELS];
    trn_payload_decode(payload, trn_payload_kernels(payload), h * TRN_HALF_ROWS, TRN_HALF_ROWS,
                       blocks);
    trn_fill_blocks(wanted, TRN_HALF_VOXELS, block);
    trn_payload_kernels(payload)->differ(TRN_BITS_SHIFT_PLAIN, blocks, wanted, TRN_HALF_ROWS, rows);
    for (uint32_t row = 0; row < TRN_HALF_ROWS; row++) {
        count += (uint32_t)__builtin_popcount(~rows[row]);
    }
    return count;
}

uint32_t trn_snapshot_count(TrnSnapshot snapshot, TrnBlock block)
{
    if (trn_snapshot_is_uniform(snapshot)) {
        return trn_snapshot_uniform(snapshot) == block ? TRN_CHUNK_VOXELS : 0;
    }
    uint32_t count = 0;
    for (uint32_t h = 0; h < TRN_CHUNK_HALVES; h++) {
        count += snapshot_count_in_half(trn_snapshot_payload(snapshot), h, block);
    }
    return count;
}

uint32_t trn_snapshot_bits(TrnSnapshot snapshot)
{
    uint32_t bits = 0;
    for (uint32_t h = 0; !trn_snapshot_is_uniform(snapshot) && h < TRN_CHUNK_HALVES; h++) {
        const uint32_t own = trn_snapshot_payload(snapshot)->half[h].bits;
        bits = own > bits ? own : bits;
    }
    return bits;
}

// ---- masks -------------------------------------------------------------------------------------

#define LINES_4(line) line, line, line, line
#define LINES_16(line) LINES_4(line), LINES_4(line), LINES_4(line), LINES_4(line)
#define LINES_64(line) LINES_16(line), LINES_16(line), LINES_16(line), LINES_16(line)
#define LINES_256(line) LINES_64(line), LINES_64(line), LINES_64(line), LINES_64(line)

TrnMask trn_mask_uniform(bool is_set)
{
    static const uint16_t lines[2][TRN_CHUNK_HALVES * 4] = {{LINES_256(TRN_LINE_EMPTY)},
                                                            {LINES_256(TRN_LINE_FULL)}};
    const uint64_t bits = is_set ? UINT64_MAX : 0;
    return (TrnMask){NULL, lines[is_set], bits, bits};
}

static TrnMask snapshot_uniform_mask(TrnSnapshot snapshot, const uint32_t *block_bits)
{
    return trn_mask_uniform(trn_block_bit(block_bits, trn_snapshot_uniform(snapshot)));
}

TrnMask trn_snapshot_solid_mask(TrnSnapshot snapshot, const uint32_t *block_bits)
{
    return trn_snapshot_is_uniform(snapshot)
               ? snapshot_uniform_mask(snapshot, block_bits)
               : trn_payload_solid_mask(trn_snapshot_payload(snapshot));
}

TrnMask trn_snapshot_opaque_mask(TrnSnapshot snapshot, const uint32_t *block_bits)
{
    return trn_snapshot_is_uniform(snapshot)
               ? snapshot_uniform_mask(snapshot, block_bits)
               : trn_payload_opaque_mask(trn_snapshot_payload(snapshot));
}

const uint32_t *trn_snapshot_solid(TrnSnapshot snapshot, const uint32_t *solid_bits, uint32_t half)
{
    return trn_mask_half(trn_snapshot_solid_mask(snapshot, solid_bits), half);
}

const uint32_t *trn_snapshot_opaque(TrnSnapshot snapshot, const uint32_t *opaque_bits,
                                    uint32_t half)
{
    return trn_mask_half(trn_snapshot_opaque_mask(snapshot, opaque_bits), half);
}

static void snapshot_copy_mask(TrnMask mask, uint32_t rows[TRN_CHUNK_ROWS])
{
    for (uint32_t half = 0; half < TRN_CHUNK_HALVES; half++) {
        memcpy(rows + (size_t)half * TRN_HALF_ROWS, trn_mask_half(mask, half),
               sizeof(uint32_t[TRN_HALF_ROWS]));
    }
}

void trn_snapshot_solid_rows(TrnSnapshot snapshot, const uint32_t *solid_bits,
                             uint32_t rows[TRN_CHUNK_ROWS])
{
    snapshot_copy_mask(trn_snapshot_solid_mask(snapshot, solid_bits), rows);
}

void trn_snapshot_opaque_rows(TrnSnapshot snapshot, const uint32_t *opaque_bits,
                              uint32_t rows[TRN_CHUNK_ROWS])
{
    snapshot_copy_mask(trn_snapshot_opaque_mask(snapshot, opaque_bits), rows);
}

void trn_mask_border(const uint32_t *mask, TrnFace face, uint32_t rows[32])
{
    const uint32_t outermost = face & 1 ? TRN_CHUNK_EDGE - 1 : 0;
    if (face == TRN_FACE_NEG_Y || face == TRN_FACE_POS_Y) {
        memcpy(rows, mask + (size_t)outermost * TRN_CHUNK_EDGE, sizeof(uint32_t[TRN_CHUNK_EDGE]));
        return;
    }
    for (uint32_t y = 0; y < TRN_CHUNK_EDGE; y++) {
        const uint32_t *layer = mask + (size_t)y * TRN_CHUNK_EDGE;
        rows[y] = face < TRN_FACE_NEG_Y ? trn_mask_column(layer, TRN_CHUNK_EDGE, outermost)
                                        : layer[outermost];
    }
}

/// The steps along x (trn_around_mask) to the chunks that a row touches.
static uint32_t snapshot_around_x(uint32_t row)
{
    return (row & 1) | (uint32_t)(row != 0) << 1 | row >> (TRN_CHUNK_EDGE - 1) << 2;
}

uint32_t trn_mask_around(const uint32_t mask[TRN_CHUNK_ROWS])
{
    const uint32_t last = TRN_CHUNK_EDGE - 1;
    uint32_t rows[3][3] = {{0}}; // ored rows of y first, any, last, and of z first, any, last
    for (uint32_t y = 0; y < TRN_CHUNK_EDGE; y++) {
        const uint32_t *layer = mask + (size_t)y * TRN_CHUNK_EDGE;
        uint32_t any = 0;
        for (uint32_t z = 0; z < TRN_CHUNK_EDGE; z++) {
            any |= layer[z];
        }
        const uint32_t of_layer[3] = {layer[0], any, layer[last]};
        for (uint32_t z = 0; z < 3; z++) {
            rows[0][z] |= y == 0 ? of_layer[z] : 0;
            rows[1][z] |= of_layer[z];
            rows[2][z] |= y == last ? of_layer[z] : 0;
        }
    }
    uint32_t around = 0;
    for (uint32_t y = 0; y < 3; y++) {
        for (uint32_t z = 0; z < 3; z++) {
            around |= trn_around_mask(snapshot_around_x(rows[y][z]), 1u << y, 1u << z);
        }
    }
    return around;
}

// ---- hash --------------------------------------------------------------------------------------

/// Folds the lanes of one layer into the hash: multiplication and shift as in MurmurHash3's last
/// step.
static uint64_t snapshot_hash_fold(uint64_t hash, const uint64_t lanes[8])
{
    for (int lane = 0; lane < 8; lane++) {
        hash = (hash ^ lanes[lane]) * UINT64_C(0xFF51AFD7ED558CCD);
        hash ^= hash >> 32;
    }
    return hash;
}

static uint64_t snapshot_hash_uniform(TrnBlock block)
{
    TrnBlock layer[LAYER_VOXELS];
    uint64_t lanes[8] = {0}, hash = 0;
    trn_fill_blocks(layer, LAYER_VOXELS, block);
    trn_voxel_kernels_scalar.hash(layer, LAYER_ROWS, lanes);
    for (uint32_t y = 0; y < TRN_CHUNK_EDGE; y++) {
        hash = snapshot_hash_fold(hash, lanes);
    }
    return hash;
}

uint64_t trn_snapshot_hash(TrnSnapshot snapshot)
{
    if (trn_snapshot_is_uniform(snapshot)) {
        return snapshot_hash_uniform(trn_snapshot_uniform(snapshot));
    }
    const TrnPayload *payload = trn_snapshot_payload(snapshot);
    TrnBlock layer[LAYER_VOXELS];
    uint64_t hash = 0;
    for (uint32_t row = 0; row < TRN_CHUNK_ROWS; row += LAYER_ROWS) {
        uint64_t lanes[8] = {0};
        trn_snapshot_decode_rows(snapshot, row, LAYER_ROWS, layer);
        trn_payload_kernels(payload)->hash(layer, LAYER_ROWS, lanes);
        hash = snapshot_hash_fold(hash, lanes);
    }
    return hash;
}

uint64_t trn_voxel_hash_bytes(const void *bytes, size_t size, uint64_t key, uint64_t before)
{
    enum { ROW_BYTES = sizeof(TrnBlock[TRN_CHUNK_EDGE]) };
    const TrnVoxelKernels *kernels = trn_kernels_named(&trn_voxel_kernels, NULL);
    const size_t rows = size / ROW_BYTES, rest = size % ROW_BYTES;
    TrnBlock last[TRN_CHUNK_EDGE] = {0};
    uint64_t lanes[8] = {key, size};
    kernels->hash(bytes, rows, lanes);
    if (rest) {
        memcpy(last, (const unsigned char *)bytes + rows * ROW_BYTES, rest);
        uint64_t last_lanes[8] = {0};
        kernels->hash(last, 1, last_lanes);
        for (int lane = 0; lane < 8; lane++) {
            lanes[lane] = lanes[lane] * TRN_VOXEL_HASH_STEP ^ last_lanes[lane];
        }
    }
    return snapshot_hash_fold(before ^ key, lanes);
}

// ---- one width ---------------------------------------------------------------------------------

TrnPackedVoxels trn_voxel_pack(TrnVoxelPacker *packer)
{
    const TrnVoxelKernels *kernels = trn_kernels_named(&trn_voxel_kernels, NULL);
    TrnVoxelIndexing indexing;
    const uint64_t *words = (const uint64_t *)(const void *)packer->blocks;
    trn_voxel_indexing_begin(&indexing, packer->entry_of, true);
    if (!kernels->index(packer->blocks, TRN_CHUNK_ROWS, &indexing, packer->entries)) {
        return (TrnPackedVoxels){16, 0, NULL, words};
    }
    for (uint32_t e = 0; e < indexing.count; e++) {
        packer->palette[e] = (TrnBlock)indexing.palette[e];
    }
    if (indexing.count == 1) {
        return (TrnPackedVoxels){0, 1, packer->palette, NULL};
    }
    const uint32_t shift =
        (uint32_t)(indexing.count > 2) + (indexing.count > 4) + (indexing.count > 16);
    kernels->pack(shift, packer->entries, TRN_CHUNK_ROWS, packer->blocks);
    return (TrnPackedVoxels){1u << shift, indexing.count, packer->palette, words};
}

void trn_voxel_unpack(uint32_t bits, const void *words, const TrnBlock *palette, TrnBlock *blocks)
{
    const TrnVoxelKernels *kernels = trn_kernels_named(&trn_voxel_kernels, NULL);
    kernels->decode(trn_bits_shift(bits), words, palette, TRN_CHUNK_ROWS, blocks);
}
