/// Private: how light, liquids and the mesher read many voxels of a chunk at once, whatever its
/// layout is: as entries of its palette, as planes of bits, and as masks.
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
    const TrnBlock *blocks; ///< [count]; valid as long as the snapshot and this struct, not a copy
    const uint16_t *counts; ///< [count] voxels of each, which may be 0; NULL if uniform
    uint32_t count;         ///< 1 if uniform; 0: more than 256 types, without a palette
    TrnBlock uniform;       ///< of a uniform chunk
} TrnPalette;

static inline void trn_snapshot_palette(TrnSnapshot snapshot, TrnPalette *palette)
{
    if (trn_snapshot_is_uniform(snapshot)) {
        palette->uniform = trn_snapshot_uniform(snapshot);
        palette->blocks = &palette->uniform;
        palette->counts = NULL;
        palette->count = 1;
        return;
    }
    const TrnPayload *payload = trn_snapshot_payload(snapshot);
    palette->blocks = trn_payload_palette(payload);
    palette->counts = trn_payload_counts(payload);
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

/// Returns the entry of one voxel in a palette. @param index  linear index, 0..32767
static inline uint32_t trn_snapshot_entry(TrnSnapshot snapshot, uint32_t index)
{
    return trn_snapshot_is_uniform(snapshot)
               ? 0
               : trn_payload_entry(trn_snapshot_payload(snapshot), index);
}

/// Returns the bytes of the voxels of a chunk; 0 if uniform.
static inline size_t trn_snapshot_payload_bytes(TrnSnapshot snapshot)
{
    if (trn_snapshot_is_uniform(snapshot)) {
        return 0;
    }
    const TrnPayload *payload = trn_snapshot_payload(snapshot); // its voxels come last
    return payload->words_at + (size_t)TRN_CHUNK_VOXELS / 8 * payload->bits;
}

/// The voxels of a chunk that is not uniform, packed in one width, as files store them.
typedef struct TrnPackedVoxels {
    uint32_t bits;           ///< a voxel: 1, 2, 4, 8 or 16
    uint32_t palette_count;  ///< 0 with 16 bits
    const TrnBlock *palette; ///< [palette_count]
    const uint64_t *words;   ///< [512 * bits] voxel i in bits [i * bits, (i + 1) * bits): its
                             ///< palette entry, or its block with 16 bits
} TrnPackedVoxels;

static inline TrnPackedVoxels trn_payload_packed(const TrnPayload *payload)
{
    return (TrnPackedVoxels){payload->bits, payload->palette_count, trn_payload_palette(payload),
                             trn_payload_words(payload)};
}

/// Returns the packed voxels of a snapshot. Valid as long as it.
static inline TrnPackedVoxels trn_snapshot_packed(TrnSnapshot snapshot)
{
    return trn_payload_packed(trn_snapshot_payload(snapshot));
}

/// Returns the packed voxels of a code (trn_voxels_code). Valid as long as it.
static inline TrnPackedVoxels trn_voxel_code_packed(const void *code)
{
    return trn_payload_packed((const TrnPayload *)code);
}

// ---- rows --------------------------------------------------------------------------------------
// Rows are consecutive: row, y * 32 + z, and `count` rows from it on, inside the chunk.

/// Decodes rows. @param blocks  [count * 32]
void trn_snapshot_decode_rows(TrnSnapshot snapshot, uint32_t row, uint32_t count, TrnBlock *blocks);

/// Writes the palette's entries, one byte a voxel. @param entries  [count * 32]
void trn_snapshot_entries(TrnSnapshot snapshot, uint32_t row, uint32_t count, uint8_t *entries);

/// Finds the entries that belong to a set.
/// @param entries     [count * 32] from trn_snapshot_entries
/// @param entry_bits  entry e belongs to the set if bit e % 32 of word e / 32 is set
/// @param rows        [count] receives bit x of each row
void trn_snapshot_match_entries(TrnSnapshot snapshot, const uint8_t *entries, uint32_t count,
                                const uint32_t entry_bits[8], uint32_t *rows);

/// Looks up a byte for each voxel of a chunk with a palette, and splits the bytes into planes of
/// bits.
/// @param count        at most TRN_CHUNK_EDGE
/// @param table        [256] the byte of each entry of the palette
/// @param plane_count  how many of its lowest bits are of interest, 1..8
/// @param planes       [plane_count][count] receives bit x of each row
void trn_snapshot_planes(TrnSnapshot snapshot, uint32_t row, uint32_t count, const uint8_t *table,
                         uint32_t plane_count, uint32_t *planes);

// ---- masks -------------------------------------------------------------------------------------

/// A mask of a chunk: 16 rows for each half-layer, a cache line each. Half-layers may share one.
typedef struct TrnMask {
    const unsigned char *lines;
    const uint8_t *line_of; ///< [TRN_CHUNK_HALVES]
} TrnMask;

/// The lines of a mask that has all of them, and of one that repeats a single line.
extern const uint8_t trn_mask_each_line[TRN_CHUNK_HALVES], trn_mask_one_line[TRN_CHUNK_HALVES];

/// Returns the rows of a half-layer. @return [TRN_HALF_ROWS]
static inline const uint32_t *trn_mask_half(TrnMask mask, uint32_t half)
{
    const size_t line = (size_t)mask.line_of[half] * TRN_CACHE_LINE;
    return (const uint32_t *)(const void *)(mask.lines + line);
}

/// Returns a row, y * 32 + z.
static inline uint32_t trn_mask_row(TrnMask mask, uint32_t row)
{
    return trn_mask_half(mask, row / TRN_HALF_ROWS)[row % TRN_HALF_ROWS];
}

/// Returns a mask of a chunk that is not uniform. Valid as long as the payload.
static inline TrnMask trn_payload_solid_mask(const TrnPayload *payload)
{
    return (TrnMask){(const unsigned char *)trn_payload_solid(payload), trn_mask_each_line};
}

static inline TrnMask trn_payload_opaque_mask(const TrnPayload *payload)
{
    return (TrnMask){(const unsigned char *)trn_payload_opaque(payload), trn_mask_each_line};
}

/// Returns the mask of a uniform chunk.
TrnMask trn_mask_uniform(bool is_set);

/// Tells whether a mask has all bits.
bool trn_mask_is_full(TrnMask mask);

/// Returns the mask of opaque or solid voxels. Valid as long as the snapshot.
/// @param block_bits  as in trn_snapshot_solid
TrnMask trn_snapshot_solid_mask(TrnSnapshot snapshot, const uint32_t *block_bits);
TrnMask trn_snapshot_opaque_mask(TrnSnapshot snapshot, const uint32_t *block_bits);

#ifdef __cplusplus
}
#endif
#endif
