/// Private: a layout of voxels in half-layers, each with a width of its own.
///
/// A half-layer is 16 whole rows: half h holds the voxels [512 * h, 512 * h + 512). Most are one
/// block, or a few, so each has its own number of bits a voxel and its own short list of blocks (a
/// lut). A chunk of generated land takes a quarter of what one width for all takes.
///
/// In memory: this header; then luts, [lut_ids] TrnBlock; then, unless there are more than 256
/// types, the palette's entry of each of them, [lut_ids] bytes; then lines of 64 bytes. The lines
/// of a half-layer are next to each other, those of lower half-layers first: its voxels, one line a
/// bit of width; then its solid mask and its opaque mask, where they are neither empty nor full nor
/// equal to another line of it. All numbers are little-endian.
#ifndef TERRANE_VOXELS_VOXEL_HALVES_H
#define TERRANE_VOXELS_VOXEL_HALVES_H

#include <assert.h>
#include <stdalign.h>
#include <stdbool.h>
#include <string.h>

#include <terrane/voxels.h>

#include "base/memory.h"
#include "voxel_kernels.h"

#define TRN_HALF_VOXELS 512
static_assert(TRN_HALF_VOXELS == TRN_HALF_ROWS * TRN_CHUNK_EDGE, "16 rows");

/// Lines that every chunk has, in front of its own: a mask without bits, and one with all.
#define TRN_LINE_EMPTY 0
#define TRN_LINE_FULL 1
#define TRN_LINES_SHARED 2

/// Luts have 4 ids (up to 2 bits), 16 or 256, and begin at steps of 4 ids. The palette is the last
/// one, and that of half-layers with more types than the other sizes hold.
#define TRN_LUT_STEP 4
#define TRN_LUT_STEPS_MAX 255 ///< where the last may begin
#define TRN_LUT_IDS_MAX (TRN_LUT_STEPS_MAX * TRN_LUT_STEP + 2 * TRN_PALETTE_MAX)

/// One half-layer.
typedef struct TrnHalf {
    uint16_t fields; ///< line where its voxels begin; unused if it is one block
    uint16_t solid;  ///< line of its mask; TRN_LINE_EMPTY and TRN_LINE_FULL are no lines of its own
    uint16_t opaque; ///< likewise
    uint8_t lut;     ///< where its list begins, in steps of 4 ids; 0 and unused with 16 bits
    uint8_t bits;    ///< a voxel: 0 (one block), 1, 2, 4, 8; 16: its ids themselves
} TrnHalf;

typedef struct TrnHalves {
    uint64_t owner[5];      ///< as TrnPayload.owner
    uint64_t revision;      ///< as TrnPayload.revision
    uint16_t line_count;    ///< of the whole
    uint16_t first_line;    ///< of half-layers
    uint16_t lut_ids;       ///< a multiple of TRN_LUT_STEP
    uint16_t palette_count; ///< 0: more than 256 types
    uint16_t palette_lut;   ///< where the palette begins among the luts, in steps
    uint16_t fresh_ids;     ///< lut_ids when all of them were in use
    uint8_t unused[4];
    /// Bit h of `any` is clear: half-layer h has no such voxel. Bit h of `all` is set: it has no
    /// others. Exact but for half-layers that trn_halves_put wrote to.
    uint64_t solid_any, solid_all, opaque_any, opaque_all;
    uint64_t by_palette; ///< bit h: the lut of half-layer h is the palette
    TrnHalf half[TRN_CHUNK_HALVES];
    TrnBlock lut[]; ///< [lut_ids]
} TrnHalves;

/// The shared lines.
extern const alignas(TRN_CACHE_LINE) uint32_t trn_half_lines[TRN_LINES_SHARED][TRN_HALF_ROWS];

/// Returns one block. @param index  linear index, 0..32767
static inline TrnBlock trn_halves_get(const TrnHalves *halves, uint32_t index)
{
    const TrnHalf half = halves->half[index / TRN_HALF_VOXELS];
    const uint32_t bit = index % TRN_HALF_VOXELS * half.bits;
    const unsigned char *fields =
        (const unsigned char *)halves + (size_t)half.fields * TRN_CACHE_LINE;
    uint32_t word;
    memcpy(&word, fields + (size_t)(bit / 32) * 4, sizeof word);
    word = word >> bit % 32 & ((UINT32_C(1) << half.bits) - 1);
    return half.bits == 16 ? (TrnBlock)word : halves->lut[half.lut * TRN_LUT_STEP + word];
}

/// Returns the rows of a mask's line. @return [TRN_HALF_ROWS]
static inline const uint32_t *trn_halves_line(const TrnHalves *halves, uint32_t line)
{
    const void *from =
        line < TRN_LINES_SHARED ? (const void *)trn_half_lines : (const void *)halves;
    return (const uint32_t *)(const void *)((const unsigned char *)from +
                                            (size_t)line * TRN_CACHE_LINE);
}

/// Returns the palette: each block of the chunk once. @return [palette_count]
static inline const TrnBlock *trn_halves_palette(const TrnHalves *halves)
{
    return halves->lut + (size_t)halves->palette_lut * TRN_LUT_STEP;
}

/// Returns the palette's entries of the luts. @return [lut_ids]
static inline const uint8_t *trn_halves_lut_entries(const TrnHalves *halves)
{
    return (const uint8_t *)(halves->lut + halves->lut_ids);
}

/// Decodes some rows. @param blocks  [count * 32]
void trn_halves_decode(const TrnHalves *halves, const TrnVoxelKernels *kernels, uint32_t row,
                       uint32_t count, TrnBlock *blocks);

/// Writes the palette's entries of some rows; only for chunks with one.
/// @param entries  [count * 32]
void trn_halves_entries(const TrnHalves *halves, const TrnVoxelKernels *kernels, uint32_t row,
                        uint32_t count, uint8_t *entries);

/// Writes one block in place, into half-layers that nobody reads yet: if its half-layer lists it,
/// and has the lines that its masks need.
/// @param solid,opaque  of the block
/// @return false: it has not, and nothing is written
bool trn_halves_put(TrnHalves *halves, uint32_t index, TrnBlock block, bool solid, bool opaque);

// ---- making them -------------------------------------------------------------------------------

/// What decides about masks, and memory to think with.
typedef struct TrnHalvesSetup {
    const TrnVoxelKernels *kernels;
    const uint32_t *solid_bits, *opaque_bits; ///< [TRN_BLOCK_BITS_WORDS]
    uint8_t *entry_of;                        ///< [65536] of any content
} TrnHalvesSetup;

/// Half-layers under construction. For any thread, one draft each. Memory of 80 KiB, of which a
/// small change touches little.
typedef struct TrnHalvesDraft {
    TrnHalvesSetup setup;
    const TrnHalves *base; ///< where some half-layers are copied from; NULL: none are
    uint64_t from_base;    ///< bit h: half-layer h is
    bool has_moved_luts;   ///< those have other luts than in the base: `half` has them
    uint64_t solid_any, solid_all, opaque_any, opaque_all, by_palette; ///< as in TrnHalves
    uint32_t palette_count, lut_ids, fresh_ids;
    uint32_t base_lines, own_lines;
    TrnHalf half[TRN_CHUNK_HALVES];    ///< of its own; lines are those of `own` + TRN_LINES_SHARED
    TrnBlock palette[TRN_PALETTE_MAX]; ///< [palette_count]
    TrnBlock lut[TRN_LUT_IDS_MAX];     ///< [lut_ids] without the palette
    uint8_t lut_entries[TRN_LUT_IDS_MAX]; ///< [lut_ids] of the palette, if there is one
    alignas(TRN_CACHE_LINE) unsigned char own[TRN_CHUNK_HALVES * 18 * TRN_CACHE_LINE];
} TrnHalvesDraft;

/// Drafts a whole chunk with at most 256 types.
/// @param indexing  palette of the chunk, of at least 2 types
/// @param entries   [TRN_CHUNK_VOXELS] palette entries by voxel
void trn_halves_draft_entries(TrnHalvesDraft *draft, const TrnHalvesSetup *setup,
                              const TrnVoxelIndexing *indexing, const uint8_t *entries);

/// Drafts a whole chunk with any number of types. @param blocks  [TRN_CHUNK_VOXELS]
void trn_halves_draft_blocks(TrnHalvesDraft *draft, const TrnHalvesSetup *setup,
                             const TrnBlock *blocks);

/// Drafts a chunk of which some half-layers have other blocks. Its palette keeps blocks that no
/// longer occur.
/// @param base    all the others are copied from it; it must stay until the draft is written
/// @param blocks  [TRN_CHUNK_HALVES] the blocks of each changed half-layer, [TRN_HALF_VOXELS]; NULL
///                for the others
/// @return false: there is no room for its lists or in the palette; decode and draft the whole then
bool trn_halves_draft_changed(TrnHalvesDraft *draft, const TrnHalvesSetup *setup,
                              const TrnHalves *base, const TrnBlock *const *blocks);

/// Returns the bytes of what a draft describes, a multiple of 64.
size_t trn_halves_bytes(const TrnHalvesDraft *draft);

/// Writes what a draft describes, except for owner and revision.
/// @param halves  [trn_halves_bytes()], aligned to 64 bytes
void trn_halves_write(const TrnHalvesDraft *draft, TrnHalves *halves);

#endif
