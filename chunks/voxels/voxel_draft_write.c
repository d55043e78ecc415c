// How drafts of payloads are written.

#include "voxel_draft.h"

#include <assert.h>

#include "base/assert.h"
#include "voxel_halves.h"

/// All ids: luts, and the palette padded.
static uint32_t draft_all_ids(const TrnDraft *draft)
{
    const uint32_t padded = (draft->palette.count + TRN_LUT_STEP - 1) / TRN_LUT_STEP * TRN_LUT_STEP;
    return draft->lut_ids + padded;
}

/// The line where half-layers begin.
static uint32_t draft_first_line(const TrnDraft *draft)
{
    const size_t bytes =
        sizeof(TrnPayload) + (size_t)draft_all_ids(draft) * (sizeof(TrnBlock) + draft->has_palette);
    return (uint32_t)((bytes + TRN_CACHE_LINE - 1) / TRN_CACHE_LINE);
}

size_t trn_draft_bytes(const TrnDraft *draft)
{
    return (size_t)(draft_first_line(draft) + draft->base_lines + draft->own_lines) *
           TRN_CACHE_LINE;
}

/// Writes luts, palette, and the palette's entries of both.
static void draft_write_luts(const TrnDraft *draft, TrnPayload *payload)
{
    const uint32_t all = draft_all_ids(draft), luts = draft->lut_ids;
    TrnBlock *ids = (TrnBlock *)(void *)(payload + 1);
    uint8_t *entries = (uint8_t *)(ids + all);
    memcpy(ids, draft->lut, luts * sizeof *draft->lut);
    for (uint32_t i = luts; i < all; i++) {
        ids[i] = i - luts < draft->palette.count ? (TrnBlock)draft->palette.palette[i - luts] : 0;
    }
    if (draft->has_palette) {
        memcpy(entries, draft->lut_entries, luts);
        for (uint32_t i = luts; i < all; i++) {
            entries[i] = (uint8_t)(i - luts);
        }
    }
    unsigned char *end = entries + (draft->has_palette ? all : 0);
    memset(end, 0,
           (size_t)draft_first_line(draft) * TRN_CACHE_LINE -
               (size_t)(end - (unsigned char *)payload));
}

/// Copies half-layers whose lines move. Lines that every chunk has stay, and so does the unused one
/// of a half-layer of one block.
static void halves_move(const TrnHalf *from, uint32_t count, uint16_t by, TrnHalf *to)
{
    static_assert(offsetof(TrnHalf, lut) == 3 * sizeof(uint16_t), "three lines, then the rest");
    const uint16_t moved[4] = {by, by, by, 0};
    uint16_t words[4 * TRN_CHUNK_HALVES];
    memcpy(words, from, count * sizeof *from);
    for (uint32_t i = 0; i < 4 * count; i += 4) {
        for (uint32_t part = 0; part < 4; part++) {
            const uint16_t is_own = (uint16_t)(words[i + part] < TRN_LINES_SHARED ? 0 : UINT16_MAX);
            words[i + part] = (uint16_t)(words[i + part] + (is_own & moved[part]));
        }
    }
    memcpy(to, words, count * sizeof *to);
}

/// Copies half-layers and their lines: runs of the base's, and the draft's own.
static void draft_write_halves(const TrnDraft *draft, uint32_t to, TrnPayload *payload)
{
    unsigned char *const lines = (unsigned char *)payload;
    const uint64_t own_lined = trn_halves_with_lines(draft->half) & ~draft->from_base;
    const uint64_t base_lined = draft->base ? trn_halves_with_lines(draft->base->half) : 0;
    for (uint32_t h = 0, end; h < TRN_CHUNK_HALVES; h = end) {
        const bool is_own = !(draft->from_base >> h & 1);
        TRN_ASSERT(is_own || draft->base);
        const TrnHalf *half = is_own ? draft->half : draft->base->half;
        const uint64_t lined = is_own ? own_lined : base_lined;
        const uint32_t last = is_own ? trn_draft_next_line(draft) : draft->base->line_count;
        end = trn_halves_run_end(~draft->from_base, h);
        const uint32_t from = trn_halves_line_from(half, lined, h, last);
        const uint32_t count = trn_halves_line_from(half, lined, end, last) - from;
        const unsigned char *source =
            is_own ? draft->setup.lines + (size_t)(from - TRN_LINES_SHARED) * TRN_CACHE_LINE
                   : (const unsigned char *)draft->base + (size_t)from * TRN_CACHE_LINE;
        halves_move(half + h, end - h, (uint16_t)(to - from), payload->half + h);
        memmove(lines + (size_t)to * TRN_CACHE_LINE, source, (size_t)count * TRN_CACHE_LINE);
        to += count;
    }
    if (draft->has_moved_luts) {
        for (uint32_t h = 0; h < TRN_CHUNK_HALVES; h++) {
            payload->half[h].lut = draft->half[h].lut;
        }
    }
    for (uint64_t left = draft->by_palette; left; left &= left - 1) {
        payload->half[__builtin_ctzll(left)].lut = (uint8_t)payload->palette_lut;
    }
}

void trn_draft_write(const TrnDraft *draft, TrnPayload *payload)
{
    const uint32_t first = draft_first_line(draft);
    payload->line_count = (uint16_t)(first + draft->base_lines + draft->own_lines);
    payload->lut_ids = (uint16_t)draft_all_ids(draft);
    payload->palette_count = (uint16_t)(draft->has_palette ? draft->palette.count : 0);
    payload->palette_lut = (uint16_t)(draft->lut_ids / TRN_LUT_STEP);
    payload->fresh_ids = (uint16_t)draft->fresh_ids;
    memset(payload->unused, 0, sizeof payload->unused);
    payload->solid_any = draft->solid_any;
    payload->solid_all = draft->solid_all;
    payload->opaque_any = draft->opaque_any;
    payload->opaque_all = draft->opaque_all;
    payload->by_palette = draft->by_palette;
    draft_write_halves(draft, first, payload);
    draft_write_luts(draft, payload);
}
