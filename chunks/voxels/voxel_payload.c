// The content of payloads: encoded from blocks, widened for an edit, and narrowed to the least
// form.

#include <string.h>

#include "voxel_data_table_impl.h"
#include "voxel_heap_impl.h"

// ---- palettes ----------------------------------------------------------------------------------

void trn_payload_entry_bits(const TrnPayload *payload, const uint32_t *block_bits,
                            uint32_t entry_bits[8])
{
    const TrnBlock *palette = trn_payload_palette(payload);
    memset(entry_bits, 0, sizeof(uint32_t[8]));
    for (uint32_t e = 0; e < payload->palette_count; e++) {
        entry_bits[e >> 5] |= (uint32_t)trn_block_bit(block_bits, palette[e]) << (e & 31);
    }
}

static bool payload_needs_two_masks(const TrnVoxelHeap *heap, const TrnVoxelIndexing *indexing)
{
    bool needs = false;
    for (uint32_t e = 0; e < indexing->count; e++) {
        needs |= trn_block_needs_two_masks(heap, (TrnBlock)indexing->palette[e]);
    }
    return needs;
}

TrnPayloadShape trn_payload_shape_for(const TrnVoxelHeap *heap, const TrnVoxelIndexing *indexing)
{
    return (TrnPayloadShape){trn_bits_shift_for(indexing->count),
                             payload_needs_two_masks(heap, indexing)};
}

// ---- from blocks -------------------------------------------------------------------------------

void trn_payload_put_entries(const TrnVoxelHeap *heap, const TrnVoxelIndexing *indexing,
                             const uint8_t *entries, TrnPayload *payload)
{
    uint32_t counts[TRN_PALETTE_MAX] = {0};
    heap->kernels->tally(entries, TRN_CHUNK_ROWS, UINT32_MAX, indexing->count, counts);
    TrnBlock *palette = trn_payload_edit_palette(payload);
    uint16_t *to_counts = trn_payload_edit_counts(payload);
    for (uint32_t e = 0; e < indexing->count; e++) {
        palette[e] = (TrnBlock)indexing->palette[e];
        to_counts[e] = (uint16_t)counts[e];
    }
    payload->palette_count = (uint16_t)indexing->count;
    heap->kernels->pack(payload->bits_shift, entries, TRN_CHUNK_ROWS,
                        trn_payload_edit_words(payload));
}

/// Makes a payload without its masks, from the entries in heap->entries.
static TrnResult payload_from_entries(TrnVoxelHeap *heap, const TrnVoxelIndexing *indexing,
                                      TrnPayload **payload)
{
    TrnResult result = trn_voxel_heap_take(heap, trn_payload_shape_for(heap, indexing), payload);
    if (result == TRN_RESULT_OK) {
        trn_payload_put_entries(heap, indexing, heap->entries, *payload);
    }
    return result;
}

void trn_payload_mask_entries(const TrnVoxelHeap *heap, const uint8_t *entries, TrnPayload *payload)
{
    uint32_t entry_bits[8];
    trn_payload_entry_bits(payload, heap->solid_bits, entry_bits);
    heap->kernels->mask(entries, TRN_CHUNK_ROWS, entry_bits, trn_payload_edit_solid(payload));
    if (payload->solid_at != payload->opaque_at) {
        trn_payload_entry_bits(payload, heap->opaque_bits, entry_bits);
        heap->kernels->mask(entries, TRN_CHUNK_ROWS, entry_bits, trn_payload_edit_opaque(payload));
    }
}

/// Makes a payload of 16 bits a voxel. The masks come first, in scratch memory: they tell whether
/// one is enough.
static TrnResult payload_from_plain(TrnVoxelHeap *heap, const TrnBlock *blocks,
                                    TrnPayload **payload)
{
    uint32_t *solid = (uint32_t *)(void *)heap->entries, *opaque = solid + TRN_CHUNK_ROWS;
    heap->kernels->mask_blocks(blocks, TRN_CHUNK_ROWS, heap->solid_bits, solid);
    heap->kernels->mask_blocks(blocks, TRN_CHUNK_ROWS, heap->opaque_bits, opaque);
    const TrnPayloadShape shape = {TRN_BITS_SHIFT_PLAIN,
                                   memcmp(solid, opaque, TRN_MASK_BYTES) != 0};
    TrnResult result = trn_voxel_heap_take(heap, shape, payload);
    if (result == TRN_RESULT_OK) {
        memcpy(trn_payload_edit_solid(*payload), solid, TRN_MASK_BYTES);
        memcpy(trn_payload_edit_opaque(*payload), opaque, TRN_MASK_BYTES);
        memcpy(trn_payload_edit_words(*payload), blocks, sizeof(TrnBlock[TRN_CHUNK_VOXELS]));
    }
    return result;
}

TrnResult trn_payload_encode(TrnVoxelHeap *heap, const TrnBlock *blocks, uint64_t *word)
{
    TrnVoxelIndexing indexing;
    TrnPayload *payload;
    TrnResult result;
    trn_voxel_indexing_begin(&indexing, heap->entry_of, false);
    if (!heap->kernels->index(blocks, TRN_CHUNK_ROWS, &indexing, heap->entries)) {
        result = payload_from_plain(heap, blocks, &payload);
    } else if (indexing.count == 1) {
        *word = trn_snapshot_of(blocks[0], 0).word;
        return TRN_RESULT_OK;
    } else {
        result = payload_from_entries(heap, &indexing, &payload);
        if (result == TRN_RESULT_OK) {
            trn_payload_mask_entries(heap, heap->entries, payload);
        }
    }
    if (result == TRN_RESULT_OK) {
        *word = (uintptr_t)payload;
    }
    return result;
}

// ---- from payloads -----------------------------------------------------------------------------

static void payload_copy_masks(const TrnPayload *from, TrnPayload *to)
{
    memcpy(trn_payload_edit_solid(to), trn_payload_solid(from), TRN_MASK_BYTES);
    if (to->solid_at != to->opaque_at) {
        memcpy(trn_payload_edit_opaque(to), trn_payload_opaque(from), TRN_MASK_BYTES);
    }
}

static void payload_widen_words(TrnVoxelHeap *heap, const TrnPayload *from, TrnPayload *to)
{
    const void *fields = trn_payload_words(from);
    uint64_t *words = trn_payload_edit_words(to);
    if (to->bits == from->bits) {
        memcpy(words, fields, (size_t)TRN_CHUNK_VOXELS / 8 * from->bits);
    } else if (to->bits == 16) {
        heap->kernels->decode(from->bits_shift, fields, trn_payload_palette(from), TRN_CHUNK_ROWS,
                              (TrnBlock *)(void *)words);
    } else {
        heap->kernels->unpack(from->bits_shift, fields, TRN_CHUNK_ROWS, heap->entries);
        heap->kernels->pack(to->bits_shift, heap->entries, TRN_CHUNK_ROWS, words);
    }
}

TrnResult trn_payload_widen(TrnVoxelHeap *heap, const TrnPayload *from, TrnPayloadShape shape,
                            TrnPayload **to)
{
    TrnResult result = trn_voxel_heap_take(heap, shape, to);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    TrnPayload *wide = *to;
    wide->revision = from->revision;
    if (wide->bits != 16) {
        const size_t count = from->palette_count;
        wide->palette_count = from->palette_count;
        memcpy(trn_payload_edit_palette(wide), trn_payload_palette(from), count * sizeof(TrnBlock));
        memcpy(trn_payload_edit_counts(wide), trn_payload_counts(from), count * sizeof(uint16_t));
    }
    payload_copy_masks(from, wide);
    payload_widen_words(heap, from, wide);
    return TRN_RESULT_OK;
}

/// Collects the blocks of a palette that still occur as a new palette.
/// @param table  receives the new entry of each old one; 0 for an unused entry
static void payload_live_palette(TrnVoxelHeap *heap, const TrnPayload *from,
                                 TrnVoxelIndexing *indexing, uint8_t table[TRN_PALETTE_MAX])
{
    const TrnBlock *palette = trn_payload_palette(from);
    const uint16_t *counts = trn_payload_counts(from);
    trn_voxel_indexing_begin(indexing, heap->entry_of, false);
    memset(table, 0, TRN_PALETTE_MAX);
    for (uint32_t e = 0; e < from->palette_count; e++) {
        if (counts[e]) {
            table[e] = (uint8_t)indexing->count;
            trn_voxel_indexing_add(indexing, palette[e]);
        }
    }
}

/// Makes the least form with a palette, from heap->entries; uniform for a single block without
/// data.
static TrnResult payload_least_indexed(TrnVoxelHeap *heap, const TrnPayload *from,
                                       const TrnVoxelIndexing *indexing, uint64_t *word)
{
    if (indexing->count == 1 && !trn_payload_data(from)) {
        *word = trn_snapshot_of((TrnBlock)indexing->palette[0], from->revision).word;
        return TRN_RESULT_OK;
    }
    TrnPayload *to;
    TrnResult result = payload_from_entries(heap, indexing, &to);
    if (result == TRN_RESULT_OK) {
        payload_copy_masks(from, to);
        to->revision = from->revision;
        *word = (uintptr_t)to;
    }
    return result;
}

/// Narrows 16 bits: to a palette if one can hold the blocks, otherwise to one mask if that is
/// enough.
static TrnResult payload_least_of_plain(TrnVoxelHeap *heap, const TrnPayload *from, uint64_t *word)
{
    TrnVoxelIndexing indexing;
    const TrnBlock *blocks = (const TrnBlock *)(const void *)trn_payload_words(from);
    trn_voxel_indexing_begin(&indexing, heap->entry_of, false);
    if (heap->kernels->index(blocks, TRN_CHUNK_ROWS, &indexing, heap->entries)) {
        return payload_least_indexed(heap, from, &indexing, word);
    }
    if (from->solid_at == from->opaque_at ||
        memcmp(trn_payload_solid(from), trn_payload_opaque(from), TRN_MASK_BYTES) != 0) {
        *word = (uintptr_t)from;
        return TRN_RESULT_OK;
    }
    TrnPayload *to;
    TrnResult result =
        trn_payload_widen(heap, from, (TrnPayloadShape){TRN_BITS_SHIFT_PLAIN, false}, &to);
    if (result == TRN_RESULT_OK) {
        *word = (uintptr_t)to;
    }
    return result;
}

/// Whether a payload with a palette already has the least shape for the blocks that occur in it.
static bool payload_is_least(const TrnVoxelHeap *heap, const TrnPayload *from, bool is_thorough)
{
    const TrnBlock *palette = trn_payload_palette(from);
    const uint16_t *counts = trn_payload_counts(from);
    TrnPayloadShape least = {0, false};
    uint32_t live = 0;
    for (uint32_t e = 0; e < from->palette_count; e++) {
        live += counts[e] > 0;
        least.has_two_masks |= counts[e] > 0 && trn_block_needs_two_masks(heap, palette[e]);
    }
    least.bits_shift = trn_bits_shift_for(live);
    return (live > 1 || trn_payload_data(from)) &&
           trn_shape_class(trn_payload_shape(from)) == trn_shape_class(least) &&
           (!is_thorough || live == from->palette_count);
}

/// trn_payload_least without block data.
static TrnResult payload_least(TrnVoxelHeap *heap, const TrnPayload *from, bool is_thorough,
                               uint64_t *word)
{
    if (from->bits == 16) {
        return payload_least_of_plain(heap, from, word);
    }
    if (payload_is_least(heap, from, is_thorough)) {
        *word = (uintptr_t)from;
        return TRN_RESULT_OK;
    }
    TrnVoxelIndexing live;
    uint8_t table[TRN_PALETTE_MAX];
    payload_live_palette(heap, from, &live, table);
    heap->kernels->unpack(from->bits_shift, trn_payload_words(from), TRN_CHUNK_ROWS, heap->entries);
    heap->kernels->map(heap->entries, TRN_CHUNK_ROWS, table, from->palette_count);
    return payload_least_indexed(heap, from, &live, word);
}

TrnResult trn_payload_least(TrnVoxelHeap *heap, const TrnPayload *from, bool is_thorough,
                            uint64_t *word)
{
    const TrnResult result = payload_least(heap, from, is_thorough, word);
    if (result == TRN_RESULT_OK && trn_payload_data(from) && *word != (uintptr_t)from) {
        trn_payload_set_data((TrnPayload *)(uintptr_t)*word, trn_payload_data(from));
    }
    return result;
}
