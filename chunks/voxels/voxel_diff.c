// The voxels that differ between two snapshots. Payloads are compared packed if their palettes
// allow it, otherwise run by run as entries of one of the two palettes, or as blocks.

#include <string.h>

#include "voxel_heap_impl.h"

#define RUN_ROWS ((uint32_t)TRN_CHUNK_EDGE)
#define RUN_VOXELS ((size_t)RUN_ROWS * TRN_CHUNK_EDGE)
#define DIFF_SLOTS 512 ///< of a palette's hash: two an entry
#define DIFF_SLOT_BITS 9

/// An entry that no palette with fewer than 256 entries has.
#define DIFF_ENTRY_ABSENT UINT8_MAX

static uint32_t diff_all(uint32_t *rows, bool is_different)
{
    memset(rows, is_different ? 0xFF : 0, TRN_MASK_BYTES);
    return is_different ? TRN_CHUNK_VOXELS : 0;
}

// ---- against one block -------------------------------------------------------------------------

bool trn_payload_fill_layer(const TrnPayload *payload, TrnBlock block, unsigned char *layer)
{
    if (payload->bits == 16) {
        for (size_t i = 0; i < RUN_VOXELS; i++) {
            memcpy(layer + i * sizeof block, &block, sizeof block);
        }
        return true;
    }
    const TrnBlock *palette = trn_payload_palette(payload);
    for (uint32_t e = 0; e < payload->palette_count; e++) {
        if (palette[e] == block) {
            // The product repeats the entry in every field of a byte.
            memset(layer, (int)(e * (UINT8_MAX / payload->entry_mask)),
                   RUN_VOXELS / 8 * payload->bits);
            return true;
        }
    }
    return false;
}

static uint32_t diff_uniform(const TrnPayload *payload, TrnBlock block, uint32_t *rows)
{
    _Alignas(TRN_CACHE_LINE) unsigned char run[sizeof(TrnBlock[RUN_VOXELS])];
    if (!trn_payload_fill_layer(payload, block, run)) {
        return diff_all(rows, true);
    }
    for (uint32_t row = 0; row < TRN_CHUNK_ROWS; row += RUN_ROWS) {
        trn_payload_kernels(payload)->differ(payload->bits_shift, trn_payload_row(payload, row),
                                             run, RUN_ROWS, rows + row);
    }
    return trn_payload_kernels(payload)->count(rows, TRN_CHUNK_ROWS);
}

// ---- palettes ----------------------------------------------------------------------------------

/// Whether equal entries are equal blocks: one palette is a prefix of the other.
static bool diff_palettes_match(const TrnPayload *a, const TrnPayload *b)
{
    const size_t count = a->palette_count < b->palette_count ? a->palette_count : b->palette_count;
    return memcmp(trn_payload_palette(a), trn_payload_palette(b), count * sizeof(TrnBlock)) == 0;
}

static uint32_t diff_slot(TrnBlock block)
{
    return (uint32_t)block * UINT32_C(0x9E3779B1) >> (32 - DIFF_SLOT_BITS);
}

/// Maps each entry of one palette to its entry in another, or to DIFF_ENTRY_ABSENT.
static void diff_table(const TrnPayload *from, const TrnPayload *to, uint8_t table[TRN_PALETTE_MAX])
{
    uint16_t slots[DIFF_SLOTS] = {0}; // entry of `to` + 1, or 0 if empty
    const TrnBlock *from_palette = trn_payload_palette(from), *palette = trn_payload_palette(to);
    for (uint32_t e = 0; e < to->palette_count; e++) {
        uint32_t slot = diff_slot(palette[e]);
        while (slots[slot]) {
            slot = (slot + 1) % DIFF_SLOTS;
        }
        slots[slot] = (uint16_t)(e + 1);
    }
    memset(table, DIFF_ENTRY_ABSENT, TRN_PALETTE_MAX);
    for (uint32_t e = 0; e < from->palette_count; e++) {
        uint32_t slot = diff_slot(from_palette[e]);
        while (slots[slot] && palette[slots[slot] - 1] != from_palette[e]) {
            slot = (slot + 1) % DIFF_SLOTS;
        }
        table[e] = slots[slot] ? (uint8_t)(slots[slot] - 1) : DIFF_ENTRY_ABSENT;
    }
}

// ---- against another payload -------------------------------------------------------------------

/// Compares as entries of the palette of `to`.
/// @param table  from diff_table; NULL if the palettes match
static void diff_entries(const TrnPayload *from, const TrnPayload *to, const uint8_t *table,
                         uint32_t *rows)
{
    const TrnVoxelKernels *kernels = trn_payload_kernels(from);
    uint8_t of_from[RUN_VOXELS], of_to[RUN_VOXELS];
    for (uint32_t row = 0; row < TRN_CHUNK_ROWS; row += RUN_ROWS) {
        kernels->unpack(from->bits_shift, trn_payload_row(from, row), RUN_ROWS, of_from);
        kernels->unpack(to->bits_shift, trn_payload_row(to, row), RUN_ROWS, of_to);
        if (table) {
            kernels->map(of_from, RUN_ROWS, table, from->palette_count);
        }
        kernels->differ(3, of_from, of_to, RUN_ROWS, rows + row);
    }
}

/// Compares as blocks, if one payload has no palette or both palettes are full.
static void diff_blocks(TrnSnapshot a, TrnSnapshot b, uint32_t *rows)
{
    const TrnVoxelKernels *kernels = trn_payload_kernels(trn_snapshot_payload(a));
    _Alignas(TRN_CACHE_LINE) TrnBlock of_a[RUN_VOXELS], of_b[RUN_VOXELS];
    for (uint32_t y = 0; y < TRN_CHUNK_EDGE; y++) {
        const uint32_t min[3] = {0, y, 0}, max[3] = {TRN_CHUNK_EDGE - 1, y, TRN_CHUNK_EDGE - 1};
        (void)trn_snapshot_decode_box(a, min, max, of_a);
        (void)trn_snapshot_decode_box(b, min, max, of_b);
        kernels->differ(TRN_BITS_SHIFT_PLAIN, of_a, of_b, RUN_ROWS, rows + (size_t)y * RUN_ROWS);
    }
}

/// Compares payloads whose palettes do not match. Maps the smaller palette, because that is fastest
/// with few entries; the other palette needs a free entry for blocks that it does not have.
static void diff_palettes(TrnSnapshot a, TrnSnapshot b, uint32_t *rows)
{
    const TrnPayload *small = trn_snapshot_payload(a), *large = trn_snapshot_payload(b);
    if (small->palette_count > large->palette_count) {
        small = trn_snapshot_payload(b);
        large = trn_snapshot_payload(a);
    }
    if (small->palette_count == TRN_PALETTE_MAX) {
        diff_blocks(a, b, rows);
        return;
    }
    const bool is_full = large->palette_count == TRN_PALETTE_MAX;
    const TrnPayload *from = is_full ? large : small, *to = is_full ? small : large;
    uint8_t table[TRN_PALETTE_MAX];
    diff_table(from, to, table);
    diff_entries(from, to, table, rows);
}

static uint32_t diff_payloads(TrnSnapshot a, TrnSnapshot b, uint32_t *rows)
{
    const TrnPayload *of_a = trn_snapshot_payload(a), *of_b = trn_snapshot_payload(b);
    const TrnVoxelKernels *kernels = trn_payload_kernels(of_a);
    if (of_a->bits != of_b->bits && (of_a->bits == 16 || of_b->bits == 16)) {
        diff_blocks(a, b, rows);
    } else if (!diff_palettes_match(of_a, of_b)) {
        diff_palettes(a, b, rows);
    } else if (of_a->bits == of_b->bits) {
        kernels->differ(of_a->bits_shift, trn_payload_words(of_a), trn_payload_words(of_b),
                        TRN_CHUNK_ROWS, rows);
    } else {
        diff_entries(of_a, of_b, NULL, rows);
    }
    return kernels->count(rows, TRN_CHUNK_ROWS);
}

uint32_t trn_snapshot_diff(TrnSnapshot a, TrnSnapshot b, uint32_t rows[TRN_CHUNK_ROWS])
{
    const bool is_a_uniform = trn_snapshot_is_uniform(a), is_b_uniform = trn_snapshot_is_uniform(b);
    if (a.word == b.word) {
        return diff_all(rows, false);
    }
    if (is_a_uniform && is_b_uniform) {
        return diff_all(rows, trn_snapshot_uniform(a) != trn_snapshot_uniform(b));
    }
    if (is_a_uniform || is_b_uniform) {
        return is_a_uniform ? diff_uniform(trn_snapshot_payload(b), trn_snapshot_uniform(a), rows)
                            : diff_uniform(trn_snapshot_payload(a), trn_snapshot_uniform(b), rows);
    }
    return diff_payloads(a, b, rows);
}
