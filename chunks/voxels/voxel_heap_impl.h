/// Private: what a heap is made of, and how payloads are taken, made and given back.
#ifndef TERRANE_VOXELS_VOXEL_HEAP_IMPL_H
#define TERRANE_VOXELS_VOXEL_HEAP_IMPL_H

#include <assert.h>

#include <terrane/voxels.h>

#include "base/memory.h"
#include "index/chunk_index_internal.h"
#include "voxel_kernels.h"

static_assert(sizeof(TrnPayload) == TRN_CACHE_LINE || sizeof(void *) != 8, "one cache line");
static_assert(TRN_CHUNK_ROWS == TRN_CHUNK_EDGE * TRN_CHUNK_EDGE, "rows of a chunk");
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "fields are read as bytes and as words");

#define TRN_MASK_BYTES sizeof(uint32_t[TRN_CHUNK_ROWS])
#define TRN_BITS_SHIFT_PLAIN 4 ///< 16 bits, no palette

struct TrnVoxelHeap {
    TrnPool *pools[TRN_VOXEL_CLASS_COUNT];
    const TrnVoxelKernels *kernels;
    const uint32_t *solid_bits, *opaque_bits;
    TrnChunkIndex *index; ///< or NULL
    TrnRetireOwner owner;
    /// [65536] where a block was last found in a palette: a guess, always checked
    uint8_t *entry_of;
    uint8_t *entries;       ///< [TRN_CHUNK_VOXELS] for whatever is at work
    uint32_t *default_bits; ///< every block but 0, where the def has none; otherwise NULL
    size_t bytes, bytes_peak, bytes_max;
    size_t spare_room;     ///< bytes of empty blocks that the pools may still keep
    bool is_refused;       ///< whether bytes_max has stood in the way since this was last cleared
    const bool *is_capped; ///< whether a cap of the allocator has; or NULL
    uint32_t slots;        ///< taken ahead, and no chunk's yet
    uint32_t retired_payloads;
    size_t retired_bytes;
    TrnAllocator allocator; ///< the caller's
    TrnAllocator counted;   ///< counts, and holds to bytes_max
};

/// A size class: bits and masks.
typedef struct TrnPayloadShape {
    uint32_t bits_shift; ///< 0..4
    bool has_two_masks;
} TrnPayloadShape;

static inline uint32_t trn_shape_class(TrnPayloadShape shape)
{
    return shape.bits_shift * 2 + shape.has_two_masks;
}

static inline TrnPayloadShape trn_payload_shape(const TrnPayload *payload)
{
    return (TrnPayloadShape){payload->bits_shift, payload->solid_at != payload->opaque_at};
}

static inline bool trn_block_bit(const uint32_t *block_bits, TrnBlock block)
{
    return block_bits[block >> 5] >> (block & 31) & 1;
}

/// Whether one mask cannot say both of a block.
static inline bool trn_block_needs_two_masks(const TrnVoxelHeap *heap, TrnBlock block)
{
    return trn_block_bit(heap->solid_bits, block) != trn_block_bit(heap->opaque_bits, block);
}

/// The least width for so many types, 2..256.
static inline uint32_t trn_bits_shift_for(uint32_t types)
{
    return types <= 2 ? 0 : types <= 4 ? 1 : types <= 16 ? 2 : 3;
}

// A payload that is not published yet, for writing.

static inline TrnBlock *trn_payload_edit_palette(TrnPayload *payload)
{
    return (TrnBlock *)(payload + 1);
}

static inline uint16_t *trn_payload_edit_counts(TrnPayload *payload)
{
    return trn_payload_edit_palette(payload) + ((size_t)1 << payload->bits);
}

static inline uint32_t *trn_payload_edit_solid(TrnPayload *payload)
{
    return (uint32_t *)(void *)((unsigned char *)payload + payload->solid_at);
}

static inline uint32_t *trn_payload_edit_opaque(TrnPayload *payload)
{
    return (uint32_t *)(void *)((unsigned char *)payload + payload->opaque_at);
}

static inline uint64_t *trn_payload_edit_words(TrnPayload *payload)
{
    return (uint64_t *)(void *)((unsigned char *)payload + payload->words_at);
}

/// The fields of a payload from a row on.
static inline const void *trn_payload_row(const TrnPayload *payload, uint32_t row)
{
    return (const unsigned char *)trn_payload_words(payload) +
           (size_t)row * ((size_t)4 << payload->bits_shift);
}

/// A payload of the heap. Its palette is empty, its counts are 0; masks and voxels are undefined.
/// Errors: NO_MEMORY, FULL, READERS. What can be given back is, before it fails.
TrnResult trn_voxel_heap_take(TrnVoxelHeap *heap, TrnPayloadShape shape, TrnPayload **payload);

/// Frees a payload that no reader can see. @param payload  may be NULL
void trn_voxel_heap_give(TrnVoxelHeap *heap, TrnPayload *payload);

/// Makes `word` what a chunk holds, and retires what it held.
void trn_voxels_publish(TrnVoxelHeap *heap, TrnVoxels *voxels, uint64_t word);

/// Which entries of a payload's palette have their bit in block_bits.
void trn_payload_entry_bits(const TrnPayload *payload, const uint32_t *block_bits,
                            uint32_t entry_bits[8]);

/// A word for blocks: uniform at revision 0, or a new payload at revision 0.
/// Errors: as trn_voxel_heap_take.
TrnResult trn_payload_encode(TrnVoxelHeap *heap, const TrnBlock *blocks, uint64_t *word);

/// A word for a code: a new payload at revision 0.
/// Errors: as trn_voxel_heap_take, and BAD_ARGUMENT (no code).
TrnResult trn_payload_decode(TrnVoxelHeap *heap, const void *code, uint64_t *word);

/// Writes where the parts of a payload of a shape lie. @return its bytes
size_t trn_payload_lay_out(TrnPayloadShape shape, TrnPayload *payload);

/// A payload of another shape, at least as wide and with as many masks, that holds the same in the
/// same palette.
/// Errors: as trn_voxel_heap_take; `from` is untouched.
TrnResult trn_payload_widen(TrnVoxelHeap *heap, const TrnPayload *from, TrnPayloadShape shape,
                            TrnPayload **to);

/// The word for the least that holds a payload's blocks: that payload itself, uniform (at its
/// revision), or a new payload at its revision.
/// @param is_thorough  makes a new payload also where only palette entries fall away
/// Errors: as trn_voxel_heap_take. `from` is untouched.
TrnResult trn_payload_least(TrnVoxelHeap *heap, const TrnPayload *from, bool is_thorough,
                            uint64_t *word);

#endif
