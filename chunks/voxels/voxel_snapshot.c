// Reading snapshots: blocks, counts, masks, equality and hash.

#include <string.h>

#include "base/around.h"
#include "voxel_heap_impl.h"
#include "voxel_read_internal.h"

#define LAYER_ROWS ((uint32_t)TRN_CHUNK_EDGE)
#define LAYER_VOXELS ((size_t)LAYER_ROWS * TRN_CHUNK_EDGE)

// ---- decoding ----------------------------------------------------------------------------------

static void snapshot_fill_blocks(TrnBlock *blocks, size_t count, TrnBlock block)
{
    for (size_t i = 0; i < count; i++) {
        blocks[i] = block;
    }
}

void trn_snapshot_decode_rows(TrnSnapshot snapshot, uint32_t row, uint32_t count, TrnBlock *blocks)
{
    if (trn_snapshot_is_uniform(snapshot)) {
        snapshot_fill_blocks(blocks, (size_t)count * TRN_CHUNK_EDGE,
                             trn_snapshot_uniform(snapshot));
        return;
    }
    const TrnPayload *payload = trn_snapshot_payload(snapshot);
    const void *fields = trn_payload_row(payload, row);
    if (payload->bits == 16) {
        memcpy(blocks, fields, (size_t)count * sizeof(TrnBlock[TRN_CHUNK_EDGE]));
        return;
    }
    trn_payload_kernels(payload)->decode(payload->bits_shift, fields, trn_payload_palette(payload),
                                         count, blocks);
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
    trn_payload_kernels(payload)->unpack(payload->bits_shift, trn_payload_row(payload, row), count,
                                         entries);
}

void trn_snapshot_match_entries(TrnSnapshot snapshot, const uint8_t *entries, uint32_t count,
                                const uint32_t entry_bits[8], uint32_t *rows)
{
    if (trn_snapshot_is_uniform(snapshot)) {
        memset(rows, entry_bits[0] & 1 ? 0xFF : 0, count * sizeof *rows);
        return;
    }
    trn_payload_kernels(trn_snapshot_payload(snapshot))->mask(entries, count, entry_bits, rows);
}

void trn_snapshot_match(TrnSnapshot snapshot, const uint32_t *block_bits, uint32_t row,
                        uint32_t count, uint32_t *rows)
{
    if (trn_snapshot_is_uniform(snapshot)) {
        const bool is_in = trn_block_bit(block_bits, trn_snapshot_uniform(snapshot));
        memset(rows, is_in ? 0xFF : 0, count * sizeof *rows);
        return;
    }
    const TrnPayload *payload = trn_snapshot_payload(snapshot);
    if (payload->bits == 16) {
        trn_payload_kernels(payload)->mask_blocks(trn_payload_row(payload, row), count, block_bits,
                                                  rows);
        return;
    }
    uint32_t entry_bits[8];
    uint8_t entries[LAYER_VOXELS];
    trn_payload_entry_bits(payload, block_bits, entry_bits);
    for (uint32_t done = 0; done < count; done += LAYER_ROWS) {
        const uint32_t part = count - done < LAYER_ROWS ? count - done : LAYER_ROWS;
        trn_snapshot_entries(snapshot, row + done, part, entries);
        trn_payload_kernels(payload)->mask(entries, part, entry_bits, rows + done);
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

/// Decodes one layer of a box: whole rows first, then the part inside the box.
static void snapshot_decode_layer(TrnSnapshot snapshot, const uint32_t min[3],
                                  const uint32_t max[3], uint32_t y, TrnBlock *blocks)
{
    const uint32_t width = max[0] - min[0] + 1, rows = max[2] - min[2] + 1;
    const uint32_t row = y * TRN_CHUNK_EDGE + min[2];
    if (width == TRN_CHUNK_EDGE) {
        trn_snapshot_decode_rows(snapshot, row, rows, blocks);
        return;
    }
    TrnBlock layer[LAYER_VOXELS];
    trn_snapshot_decode_rows(snapshot, row, rows, layer);
    for (uint32_t z = 0; z < rows; z++) {
        memcpy(blocks + (size_t)z * width, layer + (size_t)z * TRN_CHUNK_EDGE + min[0],
               width * sizeof *blocks);
    }
}

TrnResult trn_snapshot_decode_box(TrnSnapshot snapshot, const uint32_t min[3],
                                  const uint32_t max[3], TrnBlock *blocks)
{
    for (int axis = 0; axis < 3; axis++) {
        if (max[axis] >= TRN_CHUNK_EDGE || min[axis] > max[axis]) {
            return TRN_RESULT_BAD_ARGUMENT;
        }
    }
    const size_t layer = (size_t)(max[0] - min[0] + 1) * (max[2] - min[2] + 1);
    for (uint32_t y = min[1]; y <= max[1]; y++) {
        snapshot_decode_layer(snapshot, min, max, y, blocks + (y - min[1]) * layer);
    }
    return TRN_RESULT_OK;
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
static uint32_t snapshot_count_window(const TrnBlock *blocks, uint32_t first_id,
                                      TrnBlockCount *counts, uint32_t capacity, uint32_t found)
{
    uint16_t window[COUNT_WINDOW] = {0};
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        const uint32_t at = blocks[i] - first_id; // wraps below the window
        if (at < COUNT_WINDOW) {
            window[at]++;
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

static uint32_t snapshot_count_plain(const TrnBlock *blocks, TrnBlockCount *counts,
                                     uint32_t capacity)
{
    uint32_t least = UINT16_MAX, greatest = 0, found = 0;
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        least = blocks[i] < least ? blocks[i] : least;
        greatest = blocks[i] > greatest ? blocks[i] : greatest;
    }
    for (uint32_t id = least; id <= greatest; id += COUNT_WINDOW) {
        found = snapshot_count_window(blocks, id, counts, capacity, found);
    }
    return found;
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
    const uint16_t *voxels = trn_payload_counts(payload);
    uint32_t found = 0;
    for (uint32_t e = 0; e < payload->palette_count; e++) {
        if (voxels[e]) {
            snapshot_insert_count(sorted, found++, (TrnBlockCount){palette[e], voxels[e]});
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
    const TrnPayload *payload = trn_snapshot_payload(snapshot);
    if (payload->bits == 16) {
        return snapshot_count_plain((const TrnBlock *)(const void *)trn_payload_words(payload),
                                    counts, capacity);
    }
    return snapshot_count_palette(payload, counts, capacity);
}

uint32_t trn_snapshot_count(TrnSnapshot snapshot, TrnBlock block)
{
    if (trn_snapshot_is_uniform(snapshot)) {
        return trn_snapshot_uniform(snapshot) == block ? TRN_CHUNK_VOXELS : 0;
    }
    const TrnPayload *payload = trn_snapshot_payload(snapshot);
    uint32_t count = 0;
    if (payload->bits == 16) {
        const TrnBlock *blocks = (const TrnBlock *)(const void *)trn_payload_words(payload);
        for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
            count += blocks[i] == block;
        }
        return count;
    }
    const TrnBlock *palette = trn_payload_palette(payload);
    for (uint32_t e = 0; e < payload->palette_count; e++) {
        count += palette[e] == block ? trn_payload_counts(payload)[e] : 0;
    }
    return count;
}

// ---- masks -------------------------------------------------------------------------------------

#define ROWS_4(row) row, row, row, row
#define ROWS_16(row) ROWS_4(row), ROWS_4(row), ROWS_4(row), ROWS_4(row)
#define LINES_4(line) line, (line) + 1, (line) + 2, (line) + 3
#define LINES_16(line) LINES_4(line), LINES_4((line) + 4), LINES_4((line) + 8), LINES_4((line) + 12)

const uint8_t trn_mask_each_line[TRN_CHUNK_HALVES] = {LINES_16(0), LINES_16(16), LINES_16(32),
                                                      LINES_16(48)};
const uint8_t trn_mask_one_line[TRN_CHUNK_HALVES] = {0};

TrnMask trn_mask_uniform(bool is_set)
{
    static const _Alignas(TRN_CACHE_LINE)
        uint32_t rows[2][TRN_HALF_ROWS] = {{0}, {ROWS_16(UINT32_MAX)}};
    return (TrnMask){(const unsigned char *)rows[is_set], trn_mask_one_line};
}

bool trn_mask_is_full(TrnMask mask)
{
    uint32_t all = UINT32_MAX;
    for (uint32_t half = 0; half < TRN_CHUNK_HALVES && all == UINT32_MAX; half++) {
        const uint32_t *rows = trn_mask_half(mask, half);
        for (uint32_t row = 0; row < TRN_HALF_ROWS; row++) {
            all &= rows[row];
        }
    }
    return all == UINT32_MAX;
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

/// Extracts one column of bits from the 32 rows of a layer: bit z comes from row z.
static uint32_t snapshot_mask_column(const uint32_t *rows, uint32_t x)
{
    uint32_t column = 0;
    for (uint32_t z = 0; z < TRN_CHUNK_EDGE; z++) {
        column |= (rows[z] >> x & 1) << z;
    }
    return column;
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
        rows[y] = face < TRN_FACE_NEG_Y ? snapshot_mask_column(layer, outermost) : layer[outermost];
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

// ---- equality and hash -------------------------------------------------------------------------

/// Whether two payloads have the same representation.
static bool snapshot_payloads_match(const TrnPayload *a, const TrnPayload *b)
{
    if (a->bits != b->bits || a->palette_count != b->palette_count) {
        return false;
    }
    const size_t palette_bytes = a->palette_count * sizeof(TrnBlock);
    return (a->bits == 16 ||
            memcmp(trn_payload_palette(a), trn_payload_palette(b), palette_bytes) == 0) &&
           memcmp(trn_payload_words(a), trn_payload_words(b),
                  (size_t)TRN_CHUNK_VOXELS / 8 * a->bits) == 0;
}

bool trn_snapshot_equal(TrnSnapshot a, TrnSnapshot b)
{
    const bool a_uniform = trn_snapshot_is_uniform(a), b_uniform = trn_snapshot_is_uniform(b);
    if (a_uniform && b_uniform) {
        return trn_snapshot_uniform(a) == trn_snapshot_uniform(b);
    }
    if (a.word == b.word ||
        (!a_uniform && !b_uniform &&
         snapshot_payloads_match(trn_snapshot_payload(a), trn_snapshot_payload(b)))) {
        return true;
    }
    TrnBlock of_a[LAYER_VOXELS], of_b[LAYER_VOXELS];
    for (uint32_t row = 0; row < TRN_CHUNK_ROWS; row += LAYER_ROWS) {
        trn_snapshot_decode_rows(a, row, LAYER_ROWS, of_a);
        trn_snapshot_decode_rows(b, row, LAYER_ROWS, of_b);
        if (memcmp(of_a, of_b, sizeof of_a) != 0) {
            return false;
        }
    }
    return true;
}

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
    snapshot_fill_blocks(layer, LAYER_VOXELS, block);
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
