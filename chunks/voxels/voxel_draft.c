// Drafts of payloads: from palette entries, from blocks, or from a payload of which some
// half-layers change.

#include "voxel_draft.h"

#include <assert.h>

#include "base/assert.h"
#include "voxel_halves.h"
#include "voxel_unit.h"

#define ROW TRN_CHUNK_EDGE
#define LUT_NONE UINT16_MAX

// ---- luts --------------------------------------------------------------------------------------

static void draft_begin(TrnDraft *draft, const TrnDraftSetup *setup)
{
    draft->setup = *setup;
    draft->base = NULL;
    draft->has_moved_luts = draft->has_palette = false;
    draft->from_base = draft->by_palette = 0;
    draft->solid_any = draft->solid_all = draft->opaque_any = draft->opaque_all = 0;
    trn_voxel_indexing_begin(&draft->palette, setup->entry_of, setup->is_fresh);
    draft->solid = draft->opaque = (TrnDraftSet){{0}};
    draft->lut_ids = draft->fresh_ids = 0;
    draft->own_lines = draft->base_lines = 0;
}

/// The ids of a lut for a width.
static uint32_t lut_size(uint32_t bits)
{
    return bits <= 2 ? 4 : bits == 4 ? 16 : TRN_PALETTE_MAX;
}

/// Appends a lut, padded with its first id.
/// @param entries  of the palette; not read without one
/// @return where it begins, in steps; LUT_NONE if there is no room
static uint32_t draft_append_lut(TrnDraft *draft, const TrnBlock *ids, const uint8_t *entries,
                                 uint32_t count, uint32_t size)
{
    const uint32_t first = draft->lut_ids;
    const uint32_t last = draft->has_palette ? first + size : first; // the palette is the last
    if (last / TRN_LUT_STEP > TRN_LUT_STEPS_MAX) {
        return LUT_NONE;
    }
    for (uint32_t i = 0; i < size; i++) {
        const uint32_t from = i < count ? i : 0;
        draft->lut[first + i] = ids[from];
        draft->lut_entries[first + i] = draft->has_palette ? entries[from] : 0;
    }
    draft->lut_ids = first + size;
    return first / TRN_LUT_STEP;
}

/// Finds a list of up to four blocks. @return where it begins, in ids; lut_ids if there is none
static uint32_t draft_find_four(const TrnDraft *draft, const TrnBlock *ids, uint32_t count)
{
    const uint64_t mask = UINT64_MAX >> (64 - 16 * count);
    uint64_t wanted = 0, four;
    for (uint32_t i = 0; i < count; i++) { // ids were just written one by one
        wanted |= (uint64_t)ids[i] << 16 * i;
    }
    for (uint32_t at = 0; at < draft->lut_ids; at += TRN_LUT_STEP) {
        memcpy(&four, draft->lut + at, sizeof four);
        if ((four & mask) == wanted) {
            return at;
        }
    }
    return draft->lut_ids;
}

/// Finds or appends a list of blocks. Arguments as draft_append_lut.
static uint32_t draft_lut(TrnDraft *draft, const TrnBlock *ids, const uint8_t *entries,
                          uint32_t count, uint32_t bits)
{
    const uint32_t size = lut_size(bits);
    uint32_t at = 0;
    if (count <= TRN_LUT_STEP) {
        at = draft_find_four(draft, ids, count);
    } else {
        while (at + size <= draft->lut_ids &&
               memcmp(draft->lut + at, ids, count * sizeof *ids) != 0) {
            at += TRN_LUT_STEP;
        }
    }
    return at + (bits ? size : 1) <= draft->lut_ids && at <= TRN_LUT_STEPS_MAX * TRN_LUT_STEP
               ? at / TRN_LUT_STEP
               : draft_append_lut(draft, ids, entries, count, size);
}

// ---- lines -------------------------------------------------------------------------------------

/// Takes lines for the half-layer under construction. @return the first
static unsigned char *draft_take_lines(TrnDraft *draft, uint32_t count)
{
    unsigned char *lines = draft->setup.lines + (size_t)draft->own_lines * TRN_CACHE_LINE;
    draft->own_lines += count;
    return lines;
}

// ---- half-layers of numbers --------------------------------------------------------------------

/// A half-layer as numbers of a list of blocks: of the palette, or of a list of its own.
typedef struct HalfNumbers {
    const TrnBlock *list;
    const uint8_t *entries; ///< of the palette, of each block of the list; NULL: it is the palette
    uint32_t count;         ///< of the list
    const TrnDraftSet *solid, *opaque; ///< of the list
    const uint8_t *numbers;            ///< [TRN_HALF_VOXELS] not read if there are rows
    const uint32_t *rows;              ///< [TRN_HALF_ROWS] bits of the voxels that are `one`, if at
                                       ///< most one other number occurs; or NULL
    uint32_t one;
    TrnDraftSet used; ///< numbers that occur
    uint32_t used_count;
    uint32_t words; ///< of all sets that are not empty
} HalfNumbers;

/// Adds the number of a block to the sets of a list.
static inline void list_note(const TrnDraftSetup *setup, uint32_t number, TrnBlock block,
                             TrnDraftSet *solid, TrnDraftSet *opaque)
{
    const uint32_t bit = UINT32_C(1) << number % 32;
    solid->bits[number / 32] |= trn_block_bit(setup->solid_bits, block) ? bit : 0;
    opaque->bits[number / 32] |= trn_block_bit(setup->opaque_bits, block) ? bit : 0;
}

/// Notes the blocks that were added to the palette. @param from  its size before
static void palette_note(TrnDraft *draft, uint32_t from)
{
    for (uint32_t i = from; i < draft->palette.count; i++) {
        const TrnBlock block = (TrnBlock)draft->palette.palette[i];
        draft->ids[i] = block;
        list_note(&draft->setup, i, block, &draft->solid, &draft->opaque);
    }
}

/// Finds or adds a block of the palette. @return TRN_PALETTE_MAX: it is full
static uint32_t palette_entry(TrnDraft *draft, TrnBlock block)
{
    uint32_t entry = 0;
    while (entry < draft->palette.count && draft->ids[entry] != block) {
        entry++;
    }
    if (entry == draft->palette.count && trn_voxel_indexing_add(&draft->palette, block)) {
        palette_note(draft, entry);
    }
    return entry;
}

static bool set_has(const TrnDraftSet *set, uint32_t number)
{
    return set->bits[number / 32] >> number % 32 & 1;
}

/// The first number of a set, from one on.
static uint32_t set_next(const TrnDraftSet *set, uint32_t from)
{
    uint32_t word = from / 32, left = set->bits[word] & UINT32_MAX << from % 32;
    while (!left) {
        left = set->bits[++word];
    }
    return word * 32 + (uint32_t)__builtin_ctz(left);
}

/// Finds the numbers that occur and have a property.
/// @param any,all  receive whether any has, and all have
static void half_set(const HalfNumbers *half, const TrnDraftSet *of, TrnDraftSet *set, bool *any,
                     bool *all)
{
    uint32_t has = 0, lacks = 0;
    memset(set, 0, sizeof *set);
    for (uint32_t word = 0; word < half->words; word++) {
        set->bits[word] = half->used.bits[word] & of->bits[word];
        has |= set->bits[word];
        lacks |= half->used.bits[word] & ~of->bits[word];
    }
    *any = has != 0;
    *all = lacks == 0;
}

/// Word by word, as they were just written.
static bool sets_are_equal(const TrnDraftSet *a, const TrnDraftSet *b, uint32_t words)
{
    uint32_t differ = 0;
    for (uint32_t word = 0; word < words; word++) {
        differ |= a->bits[word] ^ b->bits[word];
    }
    return !differ;
}

/// Writes a line: bit by bit, whether the voxels are of a set of numbers, some of which occur, and
/// others do, too.
static void half_put_line(TrnDraft *draft, const HalfNumbers *half, const TrnDraftSet *set)
{
    uint32_t *line = (uint32_t *)(void *)draft_take_lines(draft, 1);
    if (!half->rows) {
        draft->setup.kernels->mask(half->numbers, TRN_HALF_ROWS, set->bits, line);
        return;
    }
    const uint32_t flip = set_has(set, half->one) ? 0 : UINT32_MAX;
    for (uint32_t row = 0; row < TRN_HALF_ROWS; row++) {
        line[row] = half->rows[row] ^ flip;
    }
}

/// Returns the line of a mask, and writes it unless another line is equal.
/// @param one    the number whose voxels are those of the half-layer; otherwise UINT32_MAX
/// @param other  a set whose line is `line`, or NULL
static uint16_t half_put_mask(TrnDraft *draft, uint16_t fields, const HalfNumbers *numbers,
                              const TrnDraftSet *set, uint32_t one, const TrnDraftSet *other,
                              uint16_t line)
{
    if (one != UINT32_MAX && set_has(set, one)) {
        return fields;
    }
    if (other && sets_are_equal(set, other, numbers->words)) {
        return line;
    }
    const uint16_t own = trn_draft_next_line(draft);
    half_put_line(draft, numbers, set);
    return own;
}

/// Writes both masks of a half-layer. @param one  as half_put_mask
static void half_put_masks(TrnDraft *draft, uint32_t h, const HalfNumbers *numbers, uint32_t one)
{
    TrnHalf *half = &draft->half[h];
    bool any_solid, all_solid, any_opaque, all_opaque;
    TrnDraftSet solid, opaque;
    half_set(numbers, numbers->solid, &solid, &any_solid, &all_solid);
    half_set(numbers, numbers->opaque, &opaque, &any_opaque, &all_opaque);
    half->solid = any_solid ? TRN_LINE_FULL : TRN_LINE_EMPTY;
    half->opaque = any_opaque ? TRN_LINE_FULL : TRN_LINE_EMPTY;
    if (any_solid && !all_solid) {
        half->solid = half_put_mask(draft, half->fields, numbers, &solid, one, NULL, 0);
    }
    if (any_opaque && !all_opaque) {
        const TrnDraftSet *other = any_solid && !all_solid ? &solid : NULL;
        half->opaque =
            half_put_mask(draft, half->fields, numbers, &opaque, one, other, half->solid);
    }
    draft->solid_any |= (uint64_t)any_solid << h;
    draft->solid_all |= (uint64_t)all_solid << h;
    draft->opaque_any |= (uint64_t)any_opaque << h;
    draft->opaque_all |= (uint64_t)all_opaque << h;
}

/// Chooses which of two numbers is 1: its voxels are the solid or the opaque mask, if they can be.
static uint32_t half_one_of(const HalfNumbers *half, uint32_t first, uint32_t second)
{
    const bool differ_in_solid = set_has(half->solid, first) != set_has(half->solid, second);
    const TrnDraftSet *property = differ_in_solid ? half->solid : half->opaque;
    return set_has(property, first) && !set_has(property, second) ? first : second;
}

static uint32_t half_bits_for(uint32_t types)
{
    return types <= 1 ? 0 : types <= 2 ? 1 : types <= 4 ? 2 : types <= 16 ? 4 : 8;
}

/// Writes a half-layer whose numbers stand for the palette or for the list of a lut.
static void half_put_numbers(TrnDraft *draft, uint32_t h, uint32_t bits, uint32_t lut,
                             const HalfNumbers *numbers)
{
    draft->half[h] =
        (TrnHalf){.fields = trn_draft_next_line(draft), .lut = (uint8_t)lut, .bits = (uint8_t)bits};
    draft->setup.kernels->pack(trn_bits_shift(bits), numbers->numbers, TRN_HALF_ROWS,
                               draft_take_lines(draft, bits));
    half_put_masks(draft, h, numbers, UINT32_MAX);
}

/// Writes the voxels with other numbers. @param table  by their number of now
static void half_put_mapped(TrnDraft *draft, const HalfNumbers *half, uint32_t bits,
                            const uint8_t table[TRN_PALETTE_MAX])
{
    uint8_t own[TRN_HALF_VOXELS];
    memcpy(own, half->numbers, sizeof own);
    draft->setup.kernels->map(own, TRN_HALF_ROWS, table, half->count);
    draft->setup.kernels->pack(trn_bits_shift(bits), own, TRN_HALF_ROWS,
                               draft_take_lines(draft, bits));
}

/// Writes a half-layer of up to four types, or of up to 16 that are not all among the first of the
/// palette, with a list of its own. @return false: there is no room for its list
static bool half_put_listed(TrnDraft *draft, uint32_t h, HalfNumbers *half)
{
    const uint32_t bits = half_bits_for(half->used_count);
    TrnBlock ids[16] = {0};
    uint8_t found[16] = {0}, entries[16] = {0}, table[TRN_PALETTE_MAX];
    uint32_t one = UINT32_MAX;
    TrnDraftSet only = {{0}};
    for (uint32_t i = 0, number = 0; i < half->used_count; i++, number++) {
        number = set_next(&half->used, number);
        found[i] = (uint8_t)number;
    }
    if (bits == 1) {
        one = half_one_of(half, found[0], found[1]);
        found[0] = (uint8_t)(found[0] + found[1] - one);
        found[1] = (uint8_t)one;
    }
    for (uint32_t i = 0; i < half->used_count; i++) {
        ids[i] = half->list[found[i]];
        entries[i] = half->entries ? half->entries[found[i]] : found[i];
        table[found[i]] = (uint8_t)i;
    }
    const uint32_t lut = draft_lut(draft, ids, entries, half->used_count, bits);
    if (lut == LUT_NONE) {
        return false;
    }
    const uint16_t fields = bits ? trn_draft_next_line(draft) : 1;
    draft->half[h] = (TrnHalf){.fields = fields, .lut = (uint8_t)lut, .bits = (uint8_t)bits};
    if (bits == 1) {
        only.bits[one / 32] = UINT32_C(1) << one % 32;
        half_put_line(draft, half, &only);
    } else if (bits) {
        half_put_mapped(draft, half, bits, table);
    }
    half_put_masks(draft, h, half, one);
    return true;
}

/// Finds the numbers that occur in a half-layer.
static void half_find_used(const TrnDraft *draft, HalfNumbers *half)
{
    half->words = (half->count + 31) / 32;
    half->used = (TrnDraftSet){{0}};
    draft->setup.kernels->used(half->numbers, TRN_HALF_ROWS, half->count, half->used.bits);
    half->used_count = draft->setup.kernels->count(half->used.bits, half->words);
}

// ---- half-layers -------------------------------------------------------------------------------

/// The palette as the list of a half-layer. @param entries  its numbers
static HalfNumbers half_of_palette(const TrnDraft *draft, const uint8_t *entries)
{
    return (HalfNumbers){.list = draft->ids,
                         .count = draft->palette.count,
                         .solid = &draft->solid,
                         .opaque = &draft->opaque,
                         .numbers = entries};
}

/// Writes a half-layer of a chunk with a palette from its entries.
static void half_put_entries(TrnDraft *draft, uint32_t h, const uint8_t *entries)
{
    HalfNumbers half = half_of_palette(draft, entries);
    half_find_used(draft, &half);
    uint32_t others = half.used.bits[0] >> 16; // than the first 16 entries
    for (uint32_t word = 1; word < half.words; word++) {
        others |= half.used.bits[word];
    }
    const bool is_listed = half.used_count <= 4 || (half.used_count <= 16 && others);
    if (!is_listed || !half_put_listed(draft, h, &half)) {
        draft->by_palette |= UINT64_C(1) << h;
        half_put_numbers(draft, h, others ? 8 : 4, 0, &half);
    }
}

/// Writes a half-layer of two entries of the palette, or of one if they are equal.
/// @param rows  [TRN_HALF_ROWS] bits of the voxels that are `one`; the others are `zero`
static void half_put_pair(TrnDraft *draft, uint32_t h, uint8_t zero, uint8_t one,
                          const uint32_t *rows)
{
    HalfNumbers half = half_of_palette(draft, NULL);
    half.rows = rows;
    half.one = one;
    half.words = (zero > one ? zero : one) / 32u + 1;
    half.used.bits[zero / 32] |= UINT32_C(1) << zero % 32;
    half.used.bits[one / 32] |= UINT32_C(1) << one % 32;
    half.used_count = zero == one ? 1 : 2;
    if (!half_put_listed(draft, h, &half)) {
        const uint8_t table[TRN_PALETTE_MAX] = {zero, one};
        uint8_t entries[TRN_HALF_VOXELS];
        draft->setup.kernels->unpack(0, rows, TRN_HALF_ROWS, entries);
        draft->setup.kernels->map(entries, TRN_HALF_ROWS, table, 2);
        half_put_entries(draft, h, entries);
    }
}

/// Writes a half-layer of one block, an entry of the palette.
static void half_put_single(TrnDraft *draft, uint32_t h, uint8_t entry)
{
    half_put_pair(draft, h, entry, entry, trn_payload_lines[TRN_LINE_EMPTY]);
}

/// Writes a half-layer of a chunk with a palette. @return false if that is full
static bool half_put_coded(TrnDraft *draft, uint32_t h, const TrnBlock *blocks)
{
    uint8_t entries[TRN_HALF_VOXELS];
    const uint32_t before = draft->palette.count;
    const bool is_one = memcmp(blocks, blocks + 1, (TRN_HALF_VOXELS - 1) * sizeof *blocks) == 0;
    if (!draft->setup.kernels->index(blocks, is_one ? 1 : TRN_HALF_ROWS, &draft->palette,
                                     entries)) {
        return false;
    }
    palette_note(draft, before);
    if (is_one) {
        half_put_single(draft, h, entries[0]);
    } else {
        half_put_entries(draft, h, entries);
    }
    return true;
}

/// Writes a unit of two blocks, in a chunk with a palette. @return false if that is full
static bool half_put_pair_unit(TrnDraft *draft, uint32_t h, const TrnVoxelUnit *unit)
{
    uint32_t any = 0, all = UINT32_MAX;
    for (uint32_t row = 0; row < TRN_HALF_ROWS; row++) {
        any |= unit->rows[row];
        all &= unit->rows[row];
    }
    const bool has_zero = all != UINT32_MAX, has_one = any != 0;
    const uint32_t zero = palette_entry(draft, unit->list[has_zero ? 0 : 1]);
    const uint32_t one = has_zero && has_one ? palette_entry(draft, unit->list[1]) : zero;
    if (zero == TRN_PALETTE_MAX || one == TRN_PALETTE_MAX) {
        return false;
    }
    half_put_pair(draft, h, (uint8_t)zero, (uint8_t)one, unit->rows);
    return true;
}

/// Writes a unit of a chunk with a palette. @return false if that is full
static bool half_put_coded_unit(TrnDraft *draft, uint32_t h, const TrnVoxelUnit *unit)
{
    if (unit->form != TRN_UNIT_NUMBERS) {
        return unit->form == TRN_UNIT_PAIR ? half_put_pair_unit(draft, h, unit)
                                           : half_put_coded(draft, h, unit->blocks);
    }
    uint8_t entries[TRN_PALETTE_MAX] = {0};
    TrnDraftSet solid = {{0}}, opaque = {{0}};
    HalfNumbers half = {.list = unit->list,
                        .entries = entries,
                        .count = unit->count,
                        .solid = &solid,
                        .opaque = &opaque,
                        .numbers = unit->numbers};
    half_find_used(draft, &half);
    for (uint32_t i = 0, number = 0; i < half.used_count; i++, number++) {
        number = set_next(&half.used, number);
        const uint32_t entry = palette_entry(draft, unit->list[number]);
        if (entry == TRN_PALETTE_MAX) {
            return false;
        }
        entries[number] = (uint8_t)entry;
        list_note(&draft->setup, number, unit->list[number], &solid, &opaque);
    }
    if (half.used_count <= 4 && half_put_listed(draft, h, &half)) {
        return true;
    }
    uint8_t own[TRN_HALF_VOXELS];
    memcpy(own, unit->numbers, sizeof own);
    draft->setup.kernels->map(own, TRN_HALF_ROWS, entries, unit->count);
    half_put_entries(draft, h, own);
    return true;
}

/// The line of a mask of plain blocks.
static uint16_t half_put_plain_mask(TrnDraft *draft, uint32_t h, const TrnBlock *blocks,
                                    const uint32_t *block_bits, uint64_t *any, uint64_t *all)
{
    uint32_t rows[TRN_HALF_ROWS], ored = 0, anded = UINT32_MAX;
    draft->setup.kernels->mask_blocks(blocks, TRN_HALF_ROWS, block_bits, rows);
    for (uint32_t row = 0; row < TRN_HALF_ROWS; row++) {
        ored |= rows[row];
        anded &= rows[row];
    }
    *any |= (uint64_t)(ored != 0) << h;
    *all |= (uint64_t)(anded == UINT32_MAX) << h;
    if (!ored || anded == UINT32_MAX) {
        return ored ? TRN_LINE_FULL : TRN_LINE_EMPTY;
    }
    const uint16_t own = trn_draft_next_line(draft);
    memcpy(draft_take_lines(draft, 1), rows, sizeof rows);
    return own;
}

/// Writes a half-layer as ids.
static void half_put_plain(TrnDraft *draft, uint32_t h, const TrnBlock *blocks)
{
    TrnHalf *half = &draft->half[h];
    *half = (TrnHalf){.fields = trn_draft_next_line(draft), .bits = 16};
    memcpy(draft_take_lines(draft, 16), blocks, TRN_HALF_VOXELS * sizeof *blocks);
    half->solid = half_put_plain_mask(draft, h, blocks, draft->setup.solid_bits, &draft->solid_any,
                                      &draft->solid_all);
    half->opaque = half_put_plain_mask(draft, h, blocks, draft->setup.opaque_bits,
                                       &draft->opaque_any, &draft->opaque_all);
}

/// Writes a half-layer of a chunk without a palette.
static void half_put_alone(TrnDraft *draft, uint32_t h, const TrnBlock *blocks)
{
    uint8_t numbers[TRN_HALF_VOXELS];
    TrnBlock ids[TRN_PALETTE_MAX];
    TrnVoxelIndexing list;
    TrnDraftSet solid = {{0}}, opaque = {{0}};
    trn_voxel_indexing_begin(&list, draft->setup.entry_of, draft->setup.is_fresh);
    if (!draft->setup.kernels->index(blocks, TRN_HALF_ROWS, &list, numbers)) {
        half_put_plain(draft, h, blocks);
        return;
    }
    for (uint32_t i = 0; i < list.count; i++) {
        ids[i] = (TrnBlock)list.palette[i];
        list_note(&draft->setup, i, ids[i], &solid, &opaque);
    }
    HalfNumbers half = {
        .list = ids, .count = list.count, .solid = &solid, .opaque = &opaque, .numbers = numbers};
    half_find_used(draft, &half);
    if (list.count <= 16) {
        if (!half_put_listed(draft, h, &half)) {
            half_put_plain(draft, h, blocks);
        }
        return;
    }
    const uint32_t lut = draft_lut(draft, ids, NULL, list.count, 8);
    if (lut == LUT_NONE) {
        half_put_plain(draft, h, blocks);
    } else {
        half_put_numbers(draft, h, 8, lut, &half);
    }
}

/// Writes a half-layer. @return false if the palette is full
static bool half_put_blocks(TrnDraft *draft, uint32_t h, const TrnBlock *blocks)
{
    if (draft->has_palette) {
        return half_put_coded(draft, h, blocks);
    }
    half_put_alone(draft, h, blocks);
    return true;
}

/// Writes a unit. @return false if the palette is full
static bool half_put_unit(TrnDraft *draft, uint32_t h, const TrnVoxelUnit *unit)
{
    TrnBlock blocks[TRN_HALF_VOXELS];
    if (draft->has_palette) {
        return half_put_coded_unit(draft, h, unit);
    }
    trn_unit_decode(unit, blocks);
    half_put_alone(draft, h, blocks);
    return true;
}

void trn_draft_uniform(TrnDraft *draft, const TrnDraftSetup *setup, TrnBlock block)
{
    draft_begin(draft, setup);
    draft->has_palette = true;
    half_put_single(draft, 0, (uint8_t)palette_entry(draft, block));
    for (uint32_t h = 1; h < TRN_CHUNK_HALVES; h++) {
        draft->half[h] = draft->half[0];
    }
    draft->solid_any = draft->solid_all = draft->solid_any ? UINT64_MAX : 0;
    draft->opaque_any = draft->opaque_all = draft->opaque_any ? UINT64_MAX : 0;
    draft->fresh_ids = draft->lut_ids;
}

/// Drafts every half-layer of a chunk.
/// @param blocks  [TRN_CHUNK_VOXELS]; NULL: those of `units`, and of `base` for the others
/// @return false: they have too many types for a palette
static bool draft_all(TrnDraft *draft, const TrnDraftSetup *setup, const TrnBlock *blocks,
                      const TrnPayload *base, TrnDraftUnits units, bool has_palette)
{
    draft_begin(draft, setup);
    draft->has_palette = has_palette;
    for (uint32_t h = 0; h < TRN_CHUNK_HALVES; h++) {
        TrnBlock decoded[TRN_HALF_VOXELS];
        const TrnBlock *own = blocks ? blocks + (size_t)h * TRN_HALF_VOXELS : decoded;
        if (!blocks && (units.halves >> h & 1)) {
            trn_unit_decode(units.of[h], decoded);
        } else if (!blocks) {
            trn_payload_decode(base, setup->kernels, h * TRN_HALF_ROWS, TRN_HALF_ROWS, decoded);
        }
        if (!half_put_blocks(draft, h, own)) {
            return false;
        }
    }
    draft->fresh_ids = draft->lut_ids;
    return true;
}

static const TrnDraftUnits no_units = {0, NULL};

bool trn_draft_coded(TrnDraft *draft, const TrnDraftSetup *setup, const TrnBlock *blocks)
{
    return draft_all(draft, setup, blocks, NULL, no_units, true);
}

void trn_draft_plain(TrnDraft *draft, const TrnDraftSetup *setup, const TrnBlock *blocks)
{
    (void)draft_all(draft, setup, blocks, NULL, no_units, false);
}

void trn_draft_all(TrnDraft *draft, const TrnDraftSetup *setup, const TrnPayload *base,
                   TrnDraftUnits units)
{
    if (!draft_all(draft, setup, NULL, base, units, true)) {
        (void)draft_all(draft, setup, NULL, base, units, false);
    }
}

// ---- from others -------------------------------------------------------------------------------

/// Luts that are not in use any more are kept up to this many ids, since to leave them out costs
/// more than half of a small change.
#define LUT_IDS_SPARE 64

/// Where luts of the base are now: by size, and by where they began.
typedef struct MovedLuts {
    uint16_t at[3][TRN_LUT_STEPS_MAX + 1];
} MovedLuts;

/// Copies those luts of the base that its half-layers in the draft use. @return false: no room, as
/// parts that were shared are copied more than once
static bool draft_move_luts(TrnDraft *draft)
{
    const TrnPayload *base = draft->base;
    MovedLuts moved;
    memset(&moved, 0xFF, sizeof moved);
    memcpy(draft->half, base->half, sizeof draft->half);
    draft->has_moved_luts = true;
    for (uint64_t left = draft->from_base & ~draft->by_palette; left; left &= left - 1) {
        TrnHalf *half = &draft->half[__builtin_ctzll(left)];
        const uint32_t from = half->lut, size = lut_size(half->bits);
        uint16_t *at = &moved.at[size == 4 ? 0 : size == 16 ? 1 : 2][from];
        if (half->bits == 16) {
            continue;
        }
        if (*at == LUT_NONE) {
            *at = (uint16_t)draft_append_lut(
                draft, trn_payload_luts(base) + (size_t)from * TRN_LUT_STEP,
                trn_payload_lut_entries(base) + (size_t)from * TRN_LUT_STEP, size, size);
            if (*at == LUT_NONE) {
                return false;
            }
        }
        half->lut = (uint8_t)*at;
    }
    draft->fresh_ids = draft->lut_ids;
    return true;
}

/// Copies all luts of the base.
static void draft_keep_luts(TrnDraft *draft)
{
    const TrnPayload *base = draft->base;
    draft->lut_ids = base->palette_lut * TRN_LUT_STEP;
    draft->fresh_ids = base->fresh_ids;
    memcpy(draft->lut, trn_payload_luts(base), draft->lut_ids * sizeof *draft->lut);
    if (base->palette_count) {
        memcpy(draft->lut_entries, trn_payload_lut_entries(base), draft->lut_ids);
    }
}

/// Begins with what the half-layers that stay have.
static void draft_begin_changed(TrnDraft *draft, const TrnDraftSetup *setup, const TrnPayload *base,
                                uint64_t changed)
{
    draft_begin(draft, setup);
    draft->base = base;
    draft->from_base = ~changed;
    draft->solid_any = base->solid_any & ~changed;
    draft->solid_all = base->solid_all & ~changed;
    draft->opaque_any = base->opaque_any & ~changed;
    draft->opaque_all = base->opaque_all & ~changed;
    draft->by_palette = base->by_palette & ~changed;
    draft->has_palette = base->palette_count != 0;
    for (uint32_t e = 0; e < base->palette_count; e++) {
        (void)trn_voxel_indexing_add(&draft->palette, trn_payload_palette(base)[e]);
    }
    palette_note(draft, 0);
}

/// Adds the types of a half-layer to the draft's palette. @return false if that is full
static bool draft_add_types(TrnDraft *draft, const TrnPayload *base, TrnDraftUnits units,
                            uint32_t h)
{
    TrnBlock blocks[TRN_HALF_VOXELS];
    uint8_t numbers[TRN_HALF_VOXELS];
    uint32_t rows = TRN_HALF_ROWS;
    if (units.halves >> h & 1) {
        trn_unit_decode(units.of[h], blocks);
    } else if (base->half[h].bits == 16) {
        memcpy(blocks, trn_payload_fields(base, base->half[h], 0), sizeof blocks);
    } else { // all that its lut lists occurs
        const TrnBlock *lut = trn_payload_luts(base) + (size_t)base->half[h].lut * TRN_LUT_STEP;
        const uint32_t count = UINT32_C(1) << base->half[h].bits;
        rows = (count + ROW - 1) / ROW;
        for (uint32_t i = 0; i < rows * ROW; i++) {
            blocks[i] = lut[i < count ? i : 0];
        }
    }
    return draft->setup.kernels->index(blocks, rows, &draft->palette, numbers);
}

/// Returns whether a chunk without a palette has at most as many types now as a palette holds.
static bool draft_has_few_types(TrnDraft *draft, const TrnDraftSetup *setup, const TrnPayload *base,
                                TrnDraftUnits units)
{
    draft_begin(draft, setup);
    bool has_few = true;
    for (uint32_t is_listed = 0; is_listed < 2; is_listed++) { // first those with the most types
        for (uint32_t h = 0; h < TRN_CHUNK_HALVES && has_few; h++) {
            has_few =
                (base->half[h].bits != 16) != is_listed || draft_add_types(draft, base, units, h);
        }
    }
    return has_few;
}

bool trn_draft_changed(TrnDraft *draft, const TrnDraftSetup *setup, const TrnPayload *base,
                       TrnDraftUnits units)
{
    if (!base->palette_count && draft_has_few_types(draft, setup, base, units)) {
        return false;
    }
    draft_begin_changed(draft, setup, base, units.halves);
    if (base->palette_lut * TRN_LUT_STEP <= base->fresh_ids + LUT_IDS_SPARE) {
        draft_keep_luts(draft);
    } else if (!draft_move_luts(draft)) {
        return false;
    }
    const uint64_t lined = trn_halves_with_lines(base->half);
    for (uint32_t h = 0, end; h < TRN_CHUNK_HALVES; h = end) {
        end = trn_halves_run_end(units.halves, h);
        if (!(units.halves >> h & 1)) {
            draft->base_lines += trn_halves_line_from(base->half, lined, end, base->line_count) -
                                 trn_halves_line_from(base->half, lined, h, base->line_count);
            continue;
        }
        for (uint32_t i = h; i < end; i++) {
            if (!half_put_unit(draft, i, units.of[i])) {
                return false;
            }
        }
    }
    return true;
}
