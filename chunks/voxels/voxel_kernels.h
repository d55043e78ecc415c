/// Private: the loops over all voxels of a chunk. Every set of kernels gives the same result as the
/// scalar one, bit for bit.
///
/// Fields are what a payload packs: 1 << bits_shift bits a voxel, 4 << bits_shift bytes a row of
/// 32. Entries are the same as one byte a voxel. Kernels take whole rows, from anywhere in a chunk;
/// fields and blocks need the alignment of a row of fields alone.
#ifndef TERRANE_VOXELS_VOXEL_KERNELS_H
#define TERRANE_VOXELS_VOXEL_KERNELS_H

#include <stdbool.h>

#include <terrane/block_types.h>
#include <terrane/coord.h>

#include "base/cpu.h"

#define TRN_PALETTE_MAX 256

/// A palette in the making.
typedef struct TrnVoxelIndexing {
    uint32_t palette[TRN_PALETTE_MAX]; ///< UINT32_MAX, which is no block, from `count` on
    uint32_t count;
    uint8_t *entry_of; ///< [65536] where each block of the palette is; of other blocks anything
} TrnVoxelIndexing;

typedef struct TrnVoxelKernels {
    const char *name;

    /// Fields to entries. @param bits_shift  0..3
    void (*unpack)(uint32_t bits_shift, const void *fields, size_t rows, uint8_t *entries);

    /// Entries, each below 1 << bits, to fields.
    void (*pack)(uint32_t bits_shift, const uint8_t *entries, size_t rows, void *fields);

    /// Fields to blocks. @param bits_shift  0..3  @param palette  [1 << bits]
    void (*decode)(uint32_t bits_shift, const void *fields, const TrnBlock *palette, size_t rows,
                   TrnBlock *blocks);

    /// Blocks of a whole chunk to entries, and their palette in the order in which blocks first
    /// occur.
    /// @return false where there are more than TRN_PALETTE_MAX; entries are then undefined
    bool (*index)(const TrnBlock *blocks, TrnVoxelIndexing *indexing, uint8_t *entries);

    /// Adds to counts[e] how many entries are e, in the columns of x_mask.
    /// @param palette_count  entries are below it
    void (*tally)(const uint8_t *entries, size_t rows, uint32_t x_mask, uint32_t palette_count,
                  uint32_t *counts);

    /// Adds to counts[e] how many of the entries that have their bit in mask_rows are e.
    /// @param palette_count  entries are below it
    void (*tally_under)(const uint8_t *entries, size_t rows, const uint32_t *mask_rows,
                        uint32_t palette_count, uint32_t *counts);

    /// Makes the entries that have their bit in mask_rows `entry`.
    void (*put)(uint8_t *entries, size_t rows, const uint32_t *mask_rows, uint8_t entry);

    /// Makes the blocks that have their bit in mask_rows `block`.
    void (*put_blocks)(TrnBlock *blocks, size_t rows, const uint32_t *mask_rows, TrnBlock block);

    /// Bit x of a row is bit `entry` of entry_bits.
    void (*mask)(const uint8_t *entries, size_t rows, const uint32_t entry_bits[8],
                 uint32_t *mask_rows);

    /// Bit x of a row is bit `block` of block_bits.
    void (*mask_blocks)(const TrnBlock *blocks, size_t rows, const uint32_t *block_bits,
                        uint32_t *mask_rows);

    /// Bit x of a row is whether a and b differ there. @param bits_shift  0..3 for fields, 4 for
    /// blocks
    void (*differ)(uint32_t bits_shift, const void *a, const void *b, size_t rows,
                   uint32_t *mask_rows);

    /// How many bits are set.
    uint32_t (*count)(const uint32_t *mask_rows, size_t rows);

    /// Replaces every entry e by table[e]. @param palette_count  entries are below it
    void (*map)(uint8_t *entries, size_t rows, const uint8_t table[TRN_PALETTE_MAX],
                uint32_t palette_count);

    /// Adds rows to a hash of eight lanes: at each, lane += its neighbour's word + the product of
    /// both halves of (word ^ key), the key being another for every lane and row. (After XXH3, Y.
    /// Collet.)
    void (*hash)(const TrnBlock *blocks, size_t rows, uint64_t lanes[8]);
} TrnVoxelKernels;

#define TRN_VOXEL_HASH_STEP UINT64_C(0x9E3779B97F4A7C15)
extern const uint64_t trn_voxel_hash_keys[8];

/// What the others hand on to it where they have nothing better.
extern const TrnVoxelKernels trn_voxel_kernels_scalar;

#if defined(__x86_64__)
extern const TrnVoxelKernels trn_voxel_kernels_avx2, trn_voxel_kernels_avx512;
#endif

/// All sets of TrnVoxelKernels.
extern const TrnKernelTable trn_voxel_kernels;

/// Prepares an empty palette.
void trn_voxel_indexing_begin(TrnVoxelIndexing *indexing, uint8_t *entry_of);

/// Adds a block that is not in the palette. @return false when it is full
bool trn_voxel_indexing_add(TrnVoxelIndexing *indexing, TrnBlock block);

/// trn_voxel_kernels_scalar.index from a row on.
bool trn_voxel_index_rows(const TrnBlock *blocks, TrnVoxelIndexing *indexing, uint8_t *entries,
                          size_t first_row);

#endif
