/// Private: how light, liquids, saves and the mesher read many voxels of a chunk at once, whatever
/// its layout is: as entries of its palette, as planes of bits, as masks, and packed in one width.
/// TRN_API: other libraries of the project call it.
#ifndef TERRANE_VOXELS_VOXEL_READ_INTERNAL_H
#define TERRANE_VOXELS_VOXEL_READ_INTERNAL_H

#include <terrane/voxels.h>

#include "base/memory.h"
#include "voxel_payload_internal.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- palettes ----------------------------------------------------------------------------------

/// The different blocks of a chunk. Its voxels are entries of this list.
typedef struct TrnPalette {
    const TrnBlock *blocks; ///< [count], some of which may no longer occur; valid as long as the
                            ///< snapshot and this struct, not a copy
    uint32_t count;         ///< 1 if uniform; 0: more than 256 types, without a palette
    TrnBlock uniform;       ///< of a uniform chunk
} TrnPalette;

static inline void trn_snapshot_palette(TrnSnapshot snapshot, TrnPalette *palette)
{
    if (trn_snapshot_is_uniform(snapshot)) {
        palette->uniform = trn_snapshot_uniform(snapshot);
        palette->blocks = &palette->uniform;
        palette->count = 1;
        return;
    }
    const TrnPayload *payload = trn_snapshot_payload(snapshot);
    palette->blocks = trn_payload_palette(payload);
    palette->count = payload->palette_count;
}

/// Tells whether a chunk has a palette: at most 256 types.
static inline bool trn_snapshot_has_palette(TrnSnapshot snapshot)
{
    return trn_snapshot_is_uniform(snapshot) || trn_snapshot_payload(snapshot)->palette_count;
}

/// Prefetches what trn_snapshot_palette leads to.
static inline void trn_snapshot_prefetch(TrnSnapshot snapshot)
{
    if (!trn_snapshot_is_uniform(snapshot)) {
        __builtin_prefetch(trn_snapshot_payload(snapshot));
        __builtin_prefetch(trn_payload_palette(trn_snapshot_payload(snapshot)));
    }
}

/// Returns the bytes of the voxels of a chunk; 0 if uniform.
static inline size_t trn_snapshot_payload_bytes(TrnSnapshot snapshot)
{
    return trn_snapshot_is_uniform(snapshot) ? 0
                                             : trn_payload_bytes(trn_snapshot_payload(snapshot));
}

// ---- rows --------------------------------------------------------------------------------------
// Rows are consecutive: row, y * 32 + z, and `count` rows from it on, inside the chunk.

/// Decodes rows. @param blocks  [count * 32]
TRN_API void trn_snapshot_decode_rows(TrnSnapshot snapshot, uint32_t row, uint32_t count,
                                      TrnBlock *blocks);

/// Writes the palette's entries, one byte a voxel. @param entries  [count * 32]
TRN_API void trn_snapshot_entries(TrnSnapshot snapshot, uint32_t row, uint32_t count,
                                  uint8_t *entries);

/// Finds the voxels of half-layers of a chunk with a palette whose entries belong to a set.
/// @param halves      bit by half-layer: to look at
/// @param entry_bits  entry e belongs to the set if bit e % 32 of word e / 32 is set
/// @param rows        [TRN_CHUNK_ROWS] receives bit x of each row of the half-layers returned
/// @return bit by half-layer: it has any; with entries that no longer occur also if not
TRN_API uint64_t trn_snapshot_match_halves(TrnSnapshot snapshot, uint64_t halves,
                                           const uint32_t entry_bits[8],
                                           uint32_t rows[TRN_CHUNK_ROWS]);

/// Looks up a byte for each voxel of a chunk with a palette, and splits the bytes into planes of
/// bits.
/// @param count        at most TRN_CHUNK_EDGE
/// @param table        [256] the byte of each entry of the palette
/// @param plane_count  how many of its lowest bits are of interest, 1..8
/// @param planes       [plane_count][count] receives bit x of each row
TRN_API void trn_snapshot_planes(TrnSnapshot snapshot, uint32_t row, uint32_t count,
                                 const uint8_t *table, uint32_t plane_count, uint32_t *planes);

/// Hashes any bytes, as fast as memory is read.
/// @param before  the hash of bytes before these; 0: none
TRN_API uint64_t trn_voxel_hash_bytes(const void *bytes, size_t size, uint64_t key,
                                      uint64_t before);

// ---- copies ------------------------------------------------------------------------------------

/// Bytes of a copy of a snapshot's blocks; 0: it is uniform. Threads: as trn_snapshot_get. O(1).
TRN_API size_t trn_snapshot_copy_bytes(TrnSnapshot snapshot);

/// Copies the blocks of a snapshot, without its revision and block data, to read them, or for
/// trn_edit_restore.
/// @param memory  [trn_snapshot_copy_bytes()], aligned to TRN_CACHE_LINE; if the snapshot is not
///                uniform, the copy is valid as long as this
/// Threads: as trn_snapshot_get.
TRN_API TrnSnapshot trn_snapshot_copy(TrnSnapshot snapshot, void *memory);

// ---- one width ---------------------------------------------------------------------------------

/// Voxels packed in one width, as files store them.
typedef struct TrnPackedVoxels {
    uint32_t bits;           ///< a voxel: 0 (one block), 1, 2, 4, 8 or 16
    uint32_t palette_count;  ///< 1 for one block; 0 with 16 bits
    const TrnBlock *palette; ///< [palette_count] in the order of first occurrence
    const uint64_t *words;   ///< [512 * bits] voxel i in bits [i * bits, (i + 1) * bits): its
                             ///< palette entry, or its block with 16 bits
} TrnPackedVoxels;

/// Memory to pack in.
typedef struct TrnVoxelPacker {
    TrnBlock blocks[TRN_CHUNK_VOXELS]; ///< what is packed; overwritten
    uint8_t entries[TRN_CHUNK_VOXELS];
    uint8_t entry_of[UINT16_MAX + 1];
    TrnBlock palette[256];
} TrnVoxelPacker;

/// Packs packer->blocks. The result is valid as long as the packer, and until its next call.
/// @param packer  aligned to TRN_CACHE_LINE
TRN_API TrnPackedVoxels trn_voxel_pack(TrnVoxelPacker *packer);

/// Writes voxels of a width as blocks.
/// @param bits     1, 2, 4 or 8
/// @param words    as TrnPackedVoxels.words, but of any alignment
/// @param palette  [1 << bits]
/// @param blocks   [TRN_CHUNK_VOXELS]
TRN_API void trn_voxel_unpack(uint32_t bits, const void *words, const TrnBlock *palette,
                              TrnBlock *blocks);

// ---- masks -------------------------------------------------------------------------------------

/// A mask of a chunk: 16 rows for each half-layer, a line of 64 bytes each. Half-layers may share
/// one.
typedef struct TrnMask {
    const unsigned char *lines;
    const uint16_t *line_of; ///< [TRN_CHUNK_HALVES * 4] every fourth is one; below
                             ///< TRN_LINES_SHARED: trn_payload_lines
    uint64_t any, all;       ///< bit by half-layer: has a voxel, has all
} TrnMask;

/// Returns the rows of a half-layer. @return [TRN_HALF_ROWS]
static inline const uint32_t *trn_mask_half(TrnMask mask, uint32_t half)
{
    const size_t line = mask.line_of[(size_t)half * 4];
    const void *lines =
        line < TRN_LINES_SHARED ? (const void *)trn_payload_lines : (const void *)mask.lines;
    return (const uint32_t *)(const void *)((const unsigned char *)lines + line * TRN_CACHE_LINE);
}

/// Returns a row, y * 32 + z.
static inline uint32_t trn_mask_row(TrnMask mask, uint32_t row)
{
    return trn_mask_half(mask, row / TRN_HALF_ROWS)[row % TRN_HALF_ROWS];
}

/// Returns a mask of a chunk that is not uniform. Valid as long as the payload.
static inline TrnMask trn_payload_solid_mask(const TrnPayload *payload)
{
    return (TrnMask){(const unsigned char *)payload,
                     (const uint16_t *)(const void *)payload->half + 1, payload->solid_any,
                     payload->solid_all};
}

static inline TrnMask trn_payload_opaque_mask(const TrnPayload *payload)
{
    return (TrnMask){(const unsigned char *)payload,
                     (const uint16_t *)(const void *)payload->half + 2, payload->opaque_any,
                     payload->opaque_all};
}

/// Returns a column of bits of some rows: bit i is bit x of row i. @param count  1..32
static inline uint32_t trn_mask_column(const uint32_t *rows, uint32_t count, uint32_t x)
{
    uint32_t any = 0, all = UINT32_MAX, column = 0;
    for (uint32_t i = 0; i < count; i++) {
        any |= rows[i];
        all &= rows[i];
    }
    if ((any ^ all) >> x & 1) {
        for (uint32_t i = 0; i < count; i++) {
            column |= (rows[i] >> x & 1) << i;
        }
        return column;
    }
    return all >> x & 1 ? UINT32_MAX >> (32 - count) : 0;
}

/// Returns the mask of a uniform chunk.
TRN_API TrnMask trn_mask_uniform(bool is_set);

/// Returns the mask of opaque or solid voxels. Valid as long as the snapshot.
/// @param block_bits  as in trn_snapshot_solid
TRN_API TrnMask trn_snapshot_solid_mask(TrnSnapshot snapshot, const uint32_t *block_bits);
TRN_API TrnMask trn_snapshot_opaque_mask(TrnSnapshot snapshot, const uint32_t *block_bits);

// ---- differences -------------------------------------------------------------------------------

/// trn_snapshot_diff, of some half-layers: the others do not differ. @param halves  bit h:
/// half-layer
/// h
uint32_t trn_snapshot_diff_in(TrnSnapshot a, TrnSnapshot b, uint64_t halves,
                              uint32_t rows[TRN_CHUNK_ROWS]);

/// Whether any voxel of some half-layers differs. Arguments as trn_snapshot_diff_in.
bool trn_snapshot_differs_in(TrnSnapshot a, TrnSnapshot b, uint64_t halves);

#ifdef __cplusplus
}
#endif
#endif
