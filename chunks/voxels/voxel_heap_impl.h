/// Private: the heap's struct, and how payloads are allocated, built and freed.
#ifndef TERRANE_VOXELS_VOXEL_HEAP_IMPL_H
#define TERRANE_VOXELS_VOXEL_HEAP_IMPL_H

#include <assert.h>

#include <terrane/voxels.h>

#include "base/memory.h"
#include "base/retire.h"
#include "index/chunk_index_internal.h"
#include "voxel_draft.h"
#include "voxel_kernels.h"
#include "voxel_payload_internal.h"
#include "voxels_internal.h"

static_assert(TRN_CHUNK_ROWS == TRN_CHUNK_EDGE * TRN_CHUNK_EDGE, "rows of a chunk");

#define TRN_MASK_BYTES sizeof(uint32_t[TRN_CHUNK_ROWS])
#define TRN_BITS_SHIFT_PLAIN 4 ///< of kernels: blocks

struct TrnVoxelHeap {
    TrnPool *pools[TRN_VOXEL_CLASS_COUNT];
    const TrnVoxelKernels *kernels;
    uint8_t kernels_row; ///< of trn_voxel_kernels, plus one: TrnPayload.kernels
    const uint32_t *solid_bits, *opaque_bits;
    TrnChunkIndex *index; ///< or NULL
    TrnRetireOwner owner;
    uint8_t *entry_of; ///< [65536] last palette entry of each block: a guess, always checked

    unsigned char *lines;   ///< as TrnDraftSetup.lines
    TrnDraft draft;         ///< of the current call
    TrnPool *units;         ///< blocks of half-layers that edits change
    uint32_t *default_bits; ///< every block except 0, if the def has no bits; otherwise NULL
    size_t bytes, bytes_peak, bytes_max;
    size_t spare_room;           ///< bytes of empty blocks that the pools may still keep
    size_t block_bytes;          ///< of the pools, with free slots and taken ones
    size_t payload_bytes;        ///< of payloads and slots taken ahead
    uint32_t payloads;           ///< likewise
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

/// The kernels that read a payload.
static inline const TrnVoxelKernels *trn_payload_kernels(const TrnPayload *payload)
{
    TRN_ASSERT(payload->kernels); // otherwise it was freed while it was read
    return trn_voxel_kernels.rows[payload->kernels - 1].kernels;
}

static inline TrnDraftSetup trn_heap_setup(const TrnVoxelHeap *heap)
{
    return (TrnDraftSetup){heap->kernels, heap->solid_bits, heap->opaque_bits, heap->entry_of,
                           false,         heap->lines};
}

/// The size class of payloads of some bytes.
static inline uint32_t trn_bytes_class(size_t bytes)
{
    const uint32_t lines = (uint32_t)((bytes + TRN_CACHE_LINE - 1) / TRN_CACHE_LINE);
    uint32_t shift = 0;
    while (UINT32_C(16) << shift < lines) {
        shift++;
    }
    const uint32_t steps = (lines + (UINT32_C(1) << shift) - 1) >> shift;
    return steps > 8 ? shift * 8 + steps - 9 : 0;
}

/// The bytes of a size class: eight steps for every doubling.
static inline size_t trn_class_bytes(uint32_t size_class)
{
    return (size_t)(9 + size_class % 8) << size_class / 8 << 6;
}

// ---- memory: voxel_heap.c ----------------------------------------------------------------------

/// Initializes what the heap sets of a payload's header.
/// @param payload  memory of a size class
void trn_voxel_heap_init_payload(const TrnVoxelHeap *heap, uint32_t size_class, TrnPoolId slot,
                                 TrnPayload *payload);

/// Counts a slot of a size class that was taken, or given back.
void trn_voxel_heap_count(TrnVoxelHeap *heap, uint32_t size_class, bool is_taken);

/// Allocates a payload and initializes it as trn_voxel_heap_init_payload does.
/// Errors: NO_MEMORY, FULL, READERS, after reclaiming and trimming did not help.
TrnResult trn_voxel_heap_take(TrnVoxelHeap *heap, size_t bytes, TrnPayload **payload);

/// Allocates a half-layer for an edit. Errors: as trn_voxel_heap_take.
TrnResult trn_voxel_heap_take_unit(TrnVoxelHeap *heap, TrnVoxelUnit **unit);
void trn_voxel_heap_give_unit(TrnVoxelHeap *heap, TrnVoxelUnit *unit);

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

// ---- content: voxel_encode.c -------------------------------------------------------------------

/// Allocates a payload and writes a draft to it. Errors: as trn_voxel_heap_take.
TrnResult trn_payload_write(TrnVoxelHeap *heap, const TrnDraft *draft, TrnPayload **payload);

/// Encodes blocks as the word of a chunk: uniform at revision 0, or a new payload at revision 0.
/// Errors: as trn_voxel_heap_take.
TrnResult trn_payload_encode(TrnVoxelHeap *heap, const TrnBlock *blocks, uint64_t *word);

/// Copies everything but what the heap sets.
void trn_voxel_code_copy(const TrnPayload *code, TrnPayload *payload);

/// Copies a payload, without its data. Errors: as trn_voxel_heap_take.
TrnResult trn_payload_copy(TrnVoxelHeap *heap, const TrnPayload *from, TrnPayload **to);

/// Tells whether all voxels are one block. @param block  receives it
bool trn_payload_is_uniform(const TrnPayload *payload, TrnBlock *block);

/// Returns the word of the least form that holds a payload's blocks: uniform at its revision, or a
/// new payload at its revision, with its data.
/// Errors: as trn_voxel_heap_take; `from` is unchanged.
TrnResult trn_payload_least(TrnVoxelHeap *heap, const TrnPayload *from, uint64_t *word);

// ---- differences: voxel_diff.c ------------------------------------------------------------------

/// Finds the voxels of a half-layer that differ between two snapshots, of which not both are
/// uniform. @param rows  receives one bit a differing voxel
void trn_snapshot_diff_half(TrnSnapshot a, TrnSnapshot b, uint32_t half,
                            uint32_t rows[TRN_HALF_ROWS]);

#endif
