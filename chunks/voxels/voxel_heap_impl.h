/// Private: the heap's struct, and how payloads are allocated, built and freed.
#ifndef TERRANE_VOXELS_VOXEL_HEAP_IMPL_H
#define TERRANE_VOXELS_VOXEL_HEAP_IMPL_H

#include <assert.h>

#include <terrane/voxels.h>

#include "base/memory.h"
#include "base/retire.h"
#include "index/chunk_index_internal.h"
#include "voxel_kernels.h"
#include "voxel_payload_internal.h"
#include "voxels_internal.h"

static_assert(sizeof(TrnPayload) == TRN_CACHE_LINE, "one cache line, the same on every machine");
static_assert(TRN_CHUNK_ROWS == TRN_CHUNK_EDGE * TRN_CHUNK_EDGE, "rows of a chunk");

#define TRN_MASK_BYTES sizeof(uint32_t[TRN_CHUNK_ROWS])
#define TRN_BITS_SHIFT_PLAIN 4 ///< 16 bits, no palette

struct TrnVoxelHeap {
    TrnPool *pools[TRN_VOXEL_CLASS_COUNT];
    const TrnVoxelKernels *kernels;
    uint8_t kernels_row; ///< of trn_voxel_kernels, plus one: TrnPayload.kernels
    const uint32_t *solid_bits, *opaque_bits;
    TrnChunkIndex *index; ///< or NULL
    TrnRetireOwner owner;
    uint8_t *entry_of;      ///< [65536] last palette entry of each block: a guess, always checked
    uint8_t *entries;       ///< [TRN_CHUNK_VOXELS] scratch of the current call
    uint32_t *default_bits; ///< every block except 0, if the def has no bits; otherwise NULL
    size_t bytes, bytes_peak, bytes_max;
    size_t spare_room;           ///< bytes of empty blocks that the pools may still keep
    bool is_refused;             ///< bytes_max refused an allocation since this was last cleared
    const bool *is_capped;       ///< as in the def
    struct TrnDataTable *tables; ///< all published tables of block data
    size_t data_bytes;           ///< of them and their blobs
    size_t data_bytes_max;       ///< as in the def
    uint32_t slots;              ///< taken ahead and not yet part of a chunk
    uint32_t retired_payloads;
    size_t retired_bytes;
    TrnAllocator allocator; ///< the caller's
    TrnAllocator counted;   ///< wraps the caller's: counts bytes and enforces bytes_max
};

/// A size class: width and masks.
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

/// The kernels that read a payload.
static inline const TrnVoxelKernels *trn_payload_kernels(const TrnPayload *payload)
{
    TRN_ASSERT(payload->kernels); // otherwise it was freed while it was read
    return trn_voxel_kernels.rows[payload->kernels - 1].kernels;
}

static inline bool trn_block_bit(const uint32_t *block_bits, TrnBlock block)
{
    return block_bits[block >> 5] >> (block & 31) & 1;
}

/// Whether a block is solid or opaque, but not both.
static inline bool trn_block_needs_two_masks(const TrnVoxelHeap *heap, TrnBlock block)
{
    return trn_block_bit(heap->solid_bits, block) != trn_block_bit(heap->opaque_bits, block);
}

/// The least width for a number of types, 2..256.
static inline uint32_t trn_bits_shift_for(uint32_t types)
{
    return types <= 2 ? 0 : types <= 4 ? 1 : types <= 16 ? 2 : 3;
}

// ---- parts of an unpublished payload, for writing ----------------------------------------------

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

// ---- memory: voxel_heap.c ----------------------------------------------------------------------

/// Writes the fields of a header that follow from the shape. @return bytes of the whole payload
size_t trn_payload_lay_out(TrnPayloadShape shape, TrnPayload *payload);

/// Initializes the header of a payload with an empty palette and counts of 0. Masks and voxels are
/// undefined.
/// @param payload  memory of the shape's size class
void trn_voxel_heap_init_payload(const TrnVoxelHeap *heap, TrnPayloadShape shape, TrnPoolId slot,
                                 TrnPayload *payload);

/// Allocates a payload and initializes it as trn_voxel_heap_init_payload does.
/// Errors: NO_MEMORY, FULL, READERS, after reclaiming and trimming did not help.
TrnResult trn_voxel_heap_take(TrnVoxelHeap *heap, TrnPayloadShape shape, TrnPayload **payload);

/// Allocates other memory of the heap. Free it with heap->counted.
/// Errors: as trn_voxel_heap_take.
TrnResult trn_voxel_heap_alloc(TrnVoxelHeap *heap, size_t bytes, size_t alignment, void **memory);

/// Frees a payload that no reader can see. @param payload  may be NULL
void trn_voxel_heap_give(TrnVoxelHeap *heap, TrnPayload *payload);

/// Whether a cap, and not memory itself, refused an allocation.
bool trn_voxel_heap_is_capped(const TrnVoxelHeap *heap);

/// Retires the payload of a snapshot that was published; frees it at once if the heap has no index.
/// @param list  receives the payload, to be retired by the caller; NULL: it is retired at once
void trn_voxel_heap_retire(TrnVoxelHeap *heap, TrnSnapshot old, TrnRetireList *list);

/// Publishes `word` as the content of a chunk, and retires the old content.
void trn_voxels_publish(TrnVoxelHeap *heap, TrnVoxels *voxels, uint64_t word);

// ---- content: voxel_payload.c ------------------------------------------------------------------

/// Collects the entries of a payload's palette whose blocks have their bit in block_bits.
void trn_payload_entry_bits(const TrnPayload *payload, const uint32_t *block_bits,
                            uint32_t entry_bits[8]);

/// The least shape that holds the blocks of a palette.
TrnPayloadShape trn_payload_shape_for(const TrnVoxelHeap *heap, const TrnVoxelIndexing *indexing);

/// Writes palette, counts and voxels of a payload that is laid out for them.
void trn_payload_put_entries(const TrnVoxelHeap *heap, const TrnVoxelIndexing *indexing,
                             const uint8_t *entries, TrnPayload *payload);

/// Writes the masks of a payload from its palette.
/// @param entries  [TRN_CHUNK_VOXELS] its voxels
void trn_payload_mask_entries(const TrnVoxelHeap *heap, const uint8_t *entries,
                              TrnPayload *payload);

/// Encodes blocks as the word of a chunk: uniform at revision 0, or a new payload at revision 0.
/// Errors: as trn_voxel_heap_take.
TrnResult trn_payload_encode(TrnVoxelHeap *heap, const TrnBlock *blocks, uint64_t *word);

/// Copies a payload into a new one of another shape, at least as wide and with at least as many
/// masks. Palette and revision are the same.
/// Errors: as trn_voxel_heap_take; `from` is unchanged.
TrnResult trn_payload_widen(TrnVoxelHeap *heap, const TrnPayload *from, TrnPayloadShape shape,
                            TrnPayload **to);

/// Returns the word of the least form that holds a payload's blocks: that payload itself, uniform
/// at its revision, or a new payload at its revision.
/// @param is_thorough  makes a new payload even if only unused palette entries go away
/// Errors: as trn_voxel_heap_take; `from` is unchanged.
TrnResult trn_payload_least(TrnVoxelHeap *heap, const TrnPayload *from, bool is_thorough,
                            uint64_t *word);

/// Writes a layer of packed voxels, in a payload's form, that are all the same block.
/// @param layer  [TRN_CHUNK_EDGE * TRN_CHUNK_EDGE] fields of the payload's width
/// @return false if the payload's palette does not have the block
bool trn_payload_fill_layer(const TrnPayload *payload, TrnBlock block, unsigned char *layer);

// ---- codes: voxel_slot.c -----------------------------------------------------------------------

/// Copies everything but the header's private part, to a payload of the same shape.
void trn_voxel_code_copy(const TrnPayload *code, TrnPayload *payload);

#endif
