/// Private: how payloads are made: drafted from blocks, from palette entries or from another
/// payload with changes, and then written to memory of their size.
#ifndef TERRANE_VOXELS_VOXEL_DRAFT_H
#define TERRANE_VOXELS_VOXEL_DRAFT_H

#include <stdalign.h>
#include <stdbool.h>
#include <string.h>

#include <terrane/voxels.h>

#include "base/memory.h"
#include "voxel_kernels.h"
#include "voxel_payload_internal.h"
#include "voxels_internal.h"

#define TRN_HALF_VOXELS TRN_PAYLOAD_HALF_VOXELS

/// Bounds: luts have 4 ids (up to 2 bits), 16 or 256, and begin at steps of 4 ids. The palette is
/// the last one, and that of half-layers with more types than the other sizes hold.
#define TRN_LUT_STEP TRN_PAYLOAD_LUT_STEP
#define TRN_LUT_STEPS_MAX 255 ///< where the last may begin
#define TRN_LUT_IDS_MAX (TRN_LUT_STEPS_MAX * TRN_LUT_STEP + 2 * TRN_PALETTE_MAX)

/// The most lines that a half-layer has: 16 of voxels, and two masks.
#define TRN_HALF_LINES_MAX 18
/// The most lines of half-layers with a palette.
#define TRN_DRAFT_LINES_CODED (TRN_CHUNK_HALVES * 10)
#define TRN_DRAFT_LINES_MAX (TRN_CHUNK_HALVES * TRN_HALF_LINES_MAX)
/// The most bytes of a payload.
#define TRN_PAYLOAD_BYTES_MAX                                                                      \
    ((sizeof(TrnPayload) + (size_t)TRN_LUT_IDS_MAX * 3 + TRN_CACHE_LINE - 1) / TRN_CACHE_LINE *    \
         TRN_CACHE_LINE +                                                                          \
     (size_t)TRN_DRAFT_LINES_MAX * TRN_CACHE_LINE)

/// What decides about masks, and memory to work in.
typedef struct TrnDraftSetup {
    const TrnVoxelKernels *kernels;
    const uint32_t *solid_bits, *opaque_bits; ///< [TRN_BLOCK_BITS_WORDS]
    uint8_t *entry_of;                        ///< as in TrnVoxelIndexing
    bool is_fresh;                            ///< likewise
    /// [TRN_DRAFT_LINES_MAX] lines of 64 bytes, aligned to them; with at most 256 types
    /// [TRN_DRAFT_LINES_CODED] are enough.
    unsigned char *lines;
} TrnDraftSetup;

/// A set of entries of a palette.
typedef struct TrnDraftSet {
    uint32_t bits[TRN_PALETTE_MAX / 32];
} TrnDraftSet;

/// Half-layers with other voxels than the payload that a draft starts from.
typedef struct TrnDraftUnits {
    uint64_t halves;         ///< bit h: half-layer h is one
    TrnVoxelUnit *const *of; ///< [TRN_CHUNK_HALVES] those
} TrnDraftUnits;

/// A payload under construction. For any thread, one draft each.
typedef struct TrnDraft {
    TrnDraftSetup setup;
    const TrnPayload *base; ///< where some half-layers are copied from; NULL: none are
    uint64_t from_base;     ///< bit h: half-layer h is
    bool has_moved_luts;    ///< those have other luts than in the base: `half` has them
    bool has_palette;
    uint64_t solid_any, solid_all, opaque_any, opaque_all, by_palette; ///< as in TrnPayload
    uint32_t lut_ids, fresh_ids;
    uint32_t base_lines, own_lines;
    TrnHalf
        half[TRN_CHUNK_HALVES]; ///< of its own; lines count from TRN_LINES_SHARED, in `setup.lines`
    TrnVoxelIndexing palette;   ///< empty without has_palette
    TrnBlock ids[TRN_PALETTE_MAX];        ///< of the palette
    TrnDraftSet solid, opaque;            ///< of the palette
    TrnBlock lut[TRN_LUT_IDS_MAX];        ///< [lut_ids] without the palette
    uint8_t lut_entries[TRN_LUT_IDS_MAX]; ///< [lut_ids] of the palette, if there is one
} TrnDraft;

/// The number of the next line of the draft's own.
static inline uint16_t trn_draft_next_line(const TrnDraft *draft)
{
    return (uint16_t)(TRN_LINES_SHARED + draft->own_lines);
}

/// Drafts a whole chunk with at most 256 types, in the least form. @return false: it has more
bool trn_draft_coded(TrnDraft *draft, const TrnDraftSetup *setup, const TrnBlock *blocks);

/// Drafts a whole chunk with any number of types, without a palette.
void trn_draft_plain(TrnDraft *draft, const TrnDraftSetup *setup, const TrnBlock *blocks);

/// Drafts a chunk of one block.
void trn_draft_uniform(TrnDraft *draft, const TrnDraftSetup *setup, TrnBlock block);

/// Drafts every half-layer of a chunk from its blocks, in the least form, with any number of types.
/// @param units  half-layers that are not those of `base`
void trn_draft_all(TrnDraft *draft, const TrnDraftSetup *setup, const TrnPayload *base,
                   TrnDraftUnits units);

/// Drafts a chunk of which some half-layers change. Its palette keeps blocks that no longer occur.
/// @param base  all other half-layers are copied from it; it must stay until the draft is written
/// @return false: there is no room for its lists or in the palette, or it gets one; draft all of it
///         then
bool trn_draft_changed(TrnDraft *draft, const TrnDraftSetup *setup, const TrnPayload *base,
                       TrnDraftUnits units);

/// Returns the bytes of what a draft describes, a multiple of 64.
size_t trn_draft_bytes(const TrnDraft *draft);

/// Writes what a draft describes, except for what the heap sets: owner, revision, kernels,
/// size_class and code_version.
/// @param payload  [trn_draft_bytes()], aligned to 64 bytes
void trn_draft_write(const TrnDraft *draft, TrnPayload *payload);

#endif
