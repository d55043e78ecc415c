/// Private: the loops over all voxels of a chunk. Every set of kernels gives the same result as the
/// scalar set, bit for bit.
///
/// Fields are the packed voxels of a payload: 1 << bits_shift bits a voxel, 4 << bits_shift bytes a
/// row of 32. Entries are the same with one byte a voxel. Kernels process whole rows, from anywhere
/// in a chunk; fields and blocks need only the alignment of a row of fields.
#ifndef TERRANE_VOXELS_VOXEL_KERNELS_H
#define TERRANE_VOXELS_VOXEL_KERNELS_H

#include <stdbool.h>

#include <terrane/block_types.h>
#include <terrane/coord.h>

#include "base/cpu.h"

#define TRN_PALETTE_MAX 256

static inline bool trn_block_bit(const uint32_t *block_bits, TrnBlock block)
{
    return block_bits[block >> 5] >> (block & 31) & 1;
}

/// The bits_shift of kernels for a width of 1, 2, 4 or 8 bits.
static inline uint32_t trn_bits_shift(uint32_t bits)
{
    return (uint32_t)(bits > 1) + (bits > 2) + (bits > 4);
}

/// A palette under construction.
typedef struct TrnVoxelIndexing {
    uint32_t palette[TRN_PALETTE_MAX]; ///< from `count` on UINT32_MAX, which is no block
    uint32_t count;
    uint8_t *entry_of; ///< [65536] entry of each block of the palette; undefined for other blocks
    bool is_fresh;     ///< entry_of was never written: reading it for other blocks is an error
    uint32_t hashed;   ///< `count` when the AVX-512 kernels made what follows, for themselves
    uint16_t hash_factor, hash_entries[64], hash_palette[32];
} TrnVoxelIndexing;

typedef struct TrnVoxelKernels {
    const char *name;

    /// Unpacks fields to entries. @param bits_shift  0..3
    void (*unpack)(uint32_t bits_shift, const void *fields, size_t rows, uint8_t *entries);

    /// Packs entries, each below 1 << bits, to fields.
    void (*pack)(uint32_t bits_shift, const uint8_t *entries, size_t rows, void *fields);

    /// Decodes fields to blocks.
    /// @param bits_shift  0..3
    /// @param palette     [1 << bits]
    void (*decode)(uint32_t bits_shift, const void *fields, const TrnBlock *palette, size_t rows,
                   TrnBlock *blocks);

    /// Converts blocks to entries of a palette, which gets new blocks in the order of first
    /// occurrence.
    /// @return false for more than TRN_PALETTE_MAX types; entries are undefined then
    bool (*index)(const TrnBlock *blocks, size_t rows, TrnVoxelIndexing *indexing,
                  uint8_t *entries);

    /// Sets bit e of `used` if any entry is e.
    /// @param palette_count  entries are below it
    void (*used)(const uint8_t *entries, size_t rows, uint32_t palette_count, uint32_t used[8]);

    /// Adds to counts[e] the number of entries e. @param palette_count  entries are below it
    void (*tally)(const uint8_t *entries, size_t rows, uint32_t palette_count, uint32_t *counts);

    /// Writes `entry` to the entries that have a bit in mask_rows. @return whether any was another
    bool (*put)(uint8_t *entries, size_t rows, const uint32_t *mask_rows, uint8_t entry);

    /// Sets bit x of a row to bit `entry` of entry_bits.
    void (*mask)(const uint8_t *entries, size_t rows, const uint32_t entry_bits[8],
                 uint32_t *mask_rows);

    /// Sets bit x of a row to bit `block` of block_bits.
    void (*mask_blocks)(const TrnBlock *blocks, size_t rows, const uint32_t *block_bits,
                        uint32_t *mask_rows);

    /// Sets bit x of a row if a and b differ there.
    /// @param bits_shift  0..3 for fields, 4 for blocks
    void (*differ)(uint32_t bits_shift, const void *a, const void *b, size_t rows,
                   uint32_t *mask_rows);

    /// Counts the bits.
    uint32_t (*count)(const uint32_t *mask_rows, size_t rows);

    /// Replaces every entry e by table[e]. @param palette_count  entries are below it
    void (*map)(uint8_t *entries, size_t rows, const uint8_t table[TRN_PALETTE_MAX],
                uint32_t palette_count);

    /// Splits bytes into planes of bits: sets bit x of row r of plane b to bit b of byte r * 32 +
    /// x.
    /// @param bits    the planes that it writes, as bits 1 << b
    /// @param planes  [b][rows] up to the highest of them
    void (*planes)(const uint8_t *bytes, size_t rows, uint32_t bits, uint32_t *planes);

    /// Adds rows to a hash of eight lanes: lane += the neighbour's word + the product of both
    /// halves of (word ^ key), with a different key for every lane and row. (After XXH3, Y.
    /// Collet.)
    void (*hash)(const TrnBlock *blocks, size_t rows, uint64_t lanes[8]);
} TrnVoxelKernels;

#define TRN_VOXEL_HASH_STEP UINT64_C(0x9E3779B97F4A7C15)
extern const uint64_t trn_voxel_hash_keys[8];

/// The other sets call it where they have nothing faster.
extern const TrnVoxelKernels trn_voxel_kernels_scalar;

#if defined(__x86_64__)
extern const TrnVoxelKernels trn_voxel_kernels_avx2, trn_voxel_kernels_avx512;
#endif

/// Vectors of 16 bytes, for targets with TRN_VECTORS.
extern const TrnVoxelKernels trn_voxel_kernels_four;

/// All sets of TrnVoxelKernels.
extern const TrnKernelTable trn_voxel_kernels;

/// Prepares an empty palette.
/// @param is_fresh  entry_of was never written. A kernel that reads it clears it first: most chunks
///                  have so few types that the AVX-512 kernel never reads it
void trn_voxel_indexing_begin(TrnVoxelIndexing *indexing, uint8_t *entry_of, bool is_fresh);

/// Adds a block that is not in the palette. @return false when it is full
bool trn_voxel_indexing_add(TrnVoxelIndexing *indexing, TrnBlock block);

/// trn_voxel_kernels_scalar.index, starting at a row.
bool trn_voxel_index_rows(const TrnBlock *blocks, size_t rows, TrnVoxelIndexing *indexing,
                          uint8_t *entries, size_t first_row);

#endif
