/// Private: the end of a chunk's voxels, which the store calls when it removes a chunk, and omitted
/// voxels: those of a chunk that is loaded, but whose voxels are not kept since they can be
/// generated again. They read as air.
#ifndef TERRANE_VOXELS_VOXELS_INTERNAL_H
#define TERRANE_VOXELS_VOXELS_INTERNAL_H

#include <terrane/voxels.h>

#include "index/chunk_index_internal.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Sets the bits of consecutive voxels. @param rows  one word a row of 32 voxels
static inline void trn_rows_mark(uint32_t *rows, uint32_t first, uint32_t last)
{
    const uint32_t first_row = first / TRN_CHUNK_EDGE, last_row = last / TRN_CHUNK_EDGE;
    const uint32_t from = UINT32_MAX << first % TRN_CHUNK_EDGE;
    const uint32_t to = UINT32_MAX >> (TRN_CHUNK_EDGE - 1 - last % TRN_CHUNK_EDGE);
    if (first_row == last_row) {
        rows[first_row] |= from & to;
        return;
    }
    rows[first_row] |= from;
    for (uint32_t row = first_row + 1; row < last_row; row++) {
        rows[row] = UINT32_MAX;
    }
    rows[last_row] |= to;
}

/// How the half-layer of an edit is kept.
typedef enum TrnUnitForm {
    TRN_UNIT_PAIR,    ///< as bits: which of two blocks
    TRN_UNIT_NUMBERS, ///< as numbers of a list of blocks
    TRN_UNIT_BLOCKS,  ///< as blocks
} TrnUnitForm;

/// A half-layer that an edit changes (voxel_unit.h).
typedef struct TrnVoxelUnit {
    TrnPoolId slot;
    uint32_t count;      ///< of the list, each block once; 0 with TRN_UNIT_BLOCKS
    TrnBlock last;       ///< with a list: the block that was written last, or the list's first
    uint8_t last_number; ///< of `last`
    bool is_changed;     ///< another block was written than was there
    uint8_t form;        ///< TrnUnitForm
    uint32_t rows[16];   ///< TRN_UNIT_PAIR: bits of the voxels that are list[1]
    union {
        struct {
            TrnBlock list[256]; ///< [count] some of which may not occur; TRN_UNIT_NUMBERS: padding
            uint8_t numbers[TRN_PAYLOAD_HALF_VOXELS]; ///< TRN_UNIT_NUMBERS
        };
        TrnBlock blocks[TRN_PAYLOAD_HALF_VOXELS]; ///< TRN_UNIT_BLOCKS
    };
} TrnVoxelUnit;

/// Prefetches the cache lines that releasing a chunk's voxels touches, in two steps: the block of
/// the payload's pool, and what the block leads to (trn_pool_prefetch). Each step for some dozen
/// chunks before the next.
/// @param voxels  the chunk's; their payload is read, so prefetch that some dozen chunks earlier
/// Threads: the writer.
void trn_voxels_prefetch_block(const TrnVoxelHeap *heap, TrnSnapshot voxels);
void trn_voxels_prefetch_release(const TrnVoxelHeap *heap, TrnSnapshot voxels);

/// Retires the payload of a chunk that is removed. `voxels` stays as it is for readers that have
/// already found the chunk; only their snapshots may follow. Cannot fail. Cost: O(1).
/// @param list  receives the payload; the caller retires the list with the heap's index. NULL, or a
///              heap without an index: the payload is retired at once
void trn_voxels_release(TrnVoxelHeap *heap, const TrnVoxels *voxels, TrnRetireList *list);

/// Frees the payload of a chunk that no reader could ever find, at once. Cannot fail. Cost: O(1).
void trn_voxels_discard(TrnVoxelHeap *heap, TrnVoxels *voxels);

/// Size classes of payloads: 576 bytes to 80 KiB, eight steps for every doubling.
#define TRN_VOXEL_CLASS_COUNT 58

/// Figures of one size class.
typedef struct TrnVoxelClassStats {
    uint32_t payloads;    ///< in use: by chunks, by open edits, retired
    size_t payload_bytes; ///< size of one
    size_t bytes;         ///< held from the allocator
} TrnVoxelClassStats;

/// Returns the figures of a size class. Threads: the writer. Cost: O(1).
/// @param size_class  below TRN_VOXEL_CLASS_COUNT
TrnVoxelClassStats trn_voxel_heap_class(const TrnVoxelHeap *heap, uint32_t size_class);

// ---- omitted voxels ----------------------------------------------------------------------------

/// Set in the word of a snapshot whose voxels are omitted, in addition to those of uniform air.
#define TRN_SNAPSHOT_OMITTED (UINT64_C(1) << 63)

/// Whether a snapshot's voxels are omitted. Threads: as trn_snapshot_is_uniform.
static inline bool trn_snapshot_is_omitted(TrnSnapshot snapshot)
{
    return (snapshot.word & 1) != 0 && (snapshot.word & TRN_SNAPSHOT_OMITTED) != 0;
}

/// Omits a chunk's voxels, under the same revision. Cannot fail. Threads: the writer. O(1).
void trn_voxels_omit(TrnVoxelHeap *heap, TrnVoxels *voxels);

/// Has a heap without payloads allocate memory for a few of them at a time: what is omitted is
/// freed one by one, and would leave larger blocks half empty. Errors: NO_MEMORY, FULL; the heap
/// must be destroyed then.
TrnResult trn_voxel_heap_use_small_blocks(TrnVoxelHeap *heap);

/// Turns a code, which no chunk holds, into voxels that can be read.
/// @param code  from trn_voxels_code with this heap; owned by the caller, and aligned to
///              TRN_CACHE_LINE; valid as long as the snapshot is used
/// Threads: any. O(1).
TrnSnapshot trn_voxel_code_snapshot(const TrnVoxelHeap *heap, void *code);

// ---- kernels, for tests and the bench ----------------------------------------------------------

/// Makes a heap use other kernels than the fastest for payloads that are made from now on. Existing
/// payloads keep theirs.
/// @param name  "AVX-512", "AVX2", "NEON", "SIMD128" or "scalar"
/// @return false if this machine cannot run them; the heap is unchanged then
bool trn_voxel_heap_use_kernels(TrnVoxelHeap *heap, const char *name);

#ifdef __cplusplus
}
#endif
#endif
