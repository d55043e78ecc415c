#include "anvil_section.h"

// ---- the sections of a column -------------------------------------------------------------------

/// Reads a palette, which is a list of compounds.
static void anvil_read_palette(TrnNbt *nbt, TrnNbtType type, TrnAnvilSection *section)
{
    const TrnNbt at = *nbt;
    trn_nbt_skip(nbt, type); // checks all of it
    section->palette = at;
    const TrnNbtList list = trn_nbt_list(&section->palette, type);
    const bool is_palette = list.type == TRN_NBT_COMPOUND && list.count <= TRN_ANVIL_PALETTE_MAX;
    section->palette_count = is_palette ? list.count : 0;
    section->is_damaged = !is_palette && (list.count > 0 || type != TRN_NBT_LIST);
}

/// Reads block_states of 1.18, whose palette and data have other names than before.
static void anvil_read_states(TrnNbt *nbt, TrnNbtType type, TrnAnvilSection *section)
{
    TrnNbtTag tag;
    if (type != TRN_NBT_COMPOUND) {
        trn_nbt_skip(nbt, type);
        return;
    }
    while (trn_nbt_next(nbt, &tag)) {
        if (trn_nbt_is(&tag, "palette")) {
            anvil_read_palette(nbt, tag.type, section);
        } else if (trn_nbt_is(&tag, "data")) {
            section->data = trn_nbt_longs(nbt, tag.type, &section->long_count);
        } else {
            trn_nbt_skip(nbt, tag.type);
        }
    }
}

/// Reads an array of a byte or half a byte for each block. Of another size, the section is damaged.
static const unsigned char *anvil_read_array(TrnNbt *nbt, const TrnNbtTag *tag, uint32_t size,
                                             TrnAnvilSection *section)
{
    uint32_t count;
    const unsigned char *array = trn_nbt_bytes(nbt, tag->type, &count);
    section->is_damaged |= !array || count != size;
    return array && count == size ? array : NULL;
}

/// Reads an array of blocks before 1.13. @return false if the tag is none
static bool anvil_read_numbers(TrnNbt *nbt, const TrnNbtTag *tag, uint32_t blocks,
                               TrnAnvilSection *section)
{
    if (trn_nbt_is(tag, "Blocks")) {
        section->numbers = anvil_read_array(nbt, tag, blocks, section);
    } else if (trn_nbt_is(tag, "Add")) {
        section->more = anvil_read_array(nbt, tag, blocks / 2, section);
    } else if (trn_nbt_is(tag, "Data")) {
        section->values = anvil_read_array(nbt, tag, blocks / 2, section);
    } else {
        return false;
    }
    return true;
}

/// Reads one section. @return its height in sections
static int64_t anvil_read_section(TrnNbt *nbt, TrnAnvilSection *section)
{
    TrnNbtTag tag;
    int64_t y = INT64_MIN;
    *section = (TrnAnvilSection){0};
    while (trn_nbt_next(nbt, &tag)) {
        if (trn_nbt_is(&tag, "Y")) {
            y = trn_nbt_integer(nbt, tag.type);
        } else if (trn_nbt_is(&tag, "block_states")) {
            anvil_read_states(nbt, tag.type, section);
        } else if (trn_nbt_is(&tag, "Palette")) {
            anvil_read_palette(nbt, tag.type, section);
        } else if (trn_nbt_is(&tag, "BlockStates")) {
            section->data = trn_nbt_longs(nbt, tag.type, &section->long_count);
        } else if (!anvil_read_numbers(nbt, &tag, TRN_ANVIL_BLOCKS, section)) {
            trn_nbt_skip(nbt, tag.type);
        }
    }
    section->is_damaged |= section->palette_count == 0 && section->long_count > 0;
    return y;
}

static void anvil_add_section(TrnAnvilColumn *column, int64_t y, const TrnAnvilSection *section)
{
    if (!trn_anvil_section_has_blocks(section)) {
        return; // only light
    }
    if (y < TRN_ANVIL_Y_MIN || y >= TRN_ANVIL_Y_MIN + TRN_ANVIL_Y_COUNT) {
        column->outside_count++;
        return;
    }
    column->sections[y - TRN_ANVIL_Y_MIN] = *section;
    column->y_low = y < column->y_low ? (int32_t)y : column->y_low;
    column->y_high = y >= column->y_high ? (int32_t)y + 1 : column->y_high;
}

static void anvil_read_sections(TrnNbt *nbt, TrnNbtType type, TrnAnvilColumn *column)
{
    const TrnNbtList list = trn_nbt_list(nbt, type);
    column->has_sections |= type == TRN_NBT_LIST;
    for (uint32_t i = 0; i < list.count && !nbt->is_broken; i++) {
        TrnAnvilSection section;
        if (list.type != TRN_NBT_COMPOUND) {
            trn_nbt_skip(nbt, list.type);
            continue;
        }
        const int64_t y = anvil_read_section(nbt, &section);
        anvil_add_section(column, y, &section);
    }
}

/// Reads what the root has since 1.18, and Level before. @return false if the tag is another one
static bool anvil_read_content(TrnNbt *nbt, const TrnNbtTag *tag, TrnAnvilColumn *column)
{
    if (trn_nbt_is(tag, "block_entities") || trn_nbt_is(tag, "TileEntities")) {
        column->contents = *nbt;
        column->contents_type = tag->type;
        trn_nbt_skip(nbt, tag->type);
        return true;
    }
    if (!trn_nbt_is(tag, "sections") && !trn_nbt_is(tag, "Sections")) {
        return false;
    }
    anvil_read_sections(nbt, tag->type, column);
    return true;
}

/// Cuts a column of McRegion into sections.
static void anvil_add_tall(TrnAnvilColumn *column, TrnAnvilSection *tall)
{
    if (!trn_anvil_section_has_blocks(tall)) {
        return;
    }
    column->has_sections = true;
    tall->is_tall = true;
    for (int64_t y = 0; y < TRN_ANVIL_TALL / TRN_ANVIL_EDGE; y++) {
        tall->tall_low = (uint32_t)y * TRN_ANVIL_EDGE;
        anvil_add_section(column, y, tall);
    }
}

static void anvil_read_level(TrnNbt *nbt, TrnAnvilColumn *column)
{
    TrnNbtTag tag;
    TrnAnvilSection tall = {0};
    while (trn_nbt_next(nbt, &tag)) {
        if (!anvil_read_content(nbt, &tag, column) &&
            !anvil_read_numbers(nbt, &tag, TRN_ANVIL_EDGE * TRN_ANVIL_EDGE * TRN_ANVIL_TALL,
                                &tall)) {
            trn_nbt_skip(nbt, tag.type);
        }
    }
    anvil_add_tall(column, &tall);
}

bool trn_anvil_column(const void *bytes, size_t size, TrnAnvilColumn *column)
{
    TrnNbt nbt;
    TrnNbtTag tag;
    memset(column, 0, sizeof *column);
    column->y_low = TRN_ANVIL_Y_MIN + TRN_ANVIL_Y_COUNT;
    column->y_high = TRN_ANVIL_Y_MIN;
    trn_nbt_begin(&nbt, bytes, size);
    while (trn_nbt_next(&nbt, &tag)) {
        if (trn_nbt_is(&tag, "DataVersion")) {
            column->version = trn_nbt_integer(&nbt, tag.type);
        } else if (trn_nbt_is(&tag, "Level") && tag.type == TRN_NBT_COMPOUND) {
            anvil_read_level(&nbt, column);
        } else if (!anvil_read_content(&nbt, &tag, column)) {
            trn_nbt_skip(&nbt, tag.type);
        }
    }
    return !nbt.is_broken;
}

static void anvil_read_properties(TrnNbt *palette, TrnAnvilState *state)
{
    TrnNbtTag tag;
    while (trn_nbt_next(palette, &tag)) {
        const TrnNbtText value = trn_nbt_text(palette, tag.type);
        if (state->property_count < TRN_ANVIL_PROPERTIES_MAX) {
            state->properties[state->property_count++] =
                (TrnImportProperty){tag.name.bytes, value.bytes, tag.name.size, value.size};
        }
    }
}

bool trn_anvil_palette_next(TrnNbt *palette, TrnAnvilState *state)
{
    TrnNbtTag tag;
    state->name = (TrnNbtText){"", 0};
    state->property_count = 0;
    while (trn_nbt_next(palette, &tag)) {
        if (trn_nbt_is(&tag, "Name")) {
            state->name = trn_nbt_text(palette, tag.type);
        } else if (trn_nbt_is(&tag, "Properties") && tag.type == TRN_NBT_COMPOUND) {
            anvil_read_properties(palette, state);
        } else {
            trn_nbt_skip(palette, tag.type);
        }
    }
    return !palette->is_broken && state->name.size > 0;
}

// ---- blocks -------------------------------------------------------------------------------------

static uint64_t anvil_long(const unsigned char *from)
{
    uint64_t number = 0;
    for (int i = 0; i < 8; i++) {
        number = number << 8 | from[i];
    }
    return number;
}

static uint32_t anvil_bits(uint32_t palette_count)
{
    uint32_t bits = 4;
    while (UINT32_C(1) << bits < palette_count) {
        bits++;
    }
    return bits;
}

/// Whether indices of some bits take as many longs as there are.
static bool anvil_fits(uint32_t bits, bool is_padded, uint32_t long_count)
{
    if (bits < 1 || bits > 16) {
        return false;
    }
    const uint32_t each = 64 / bits;
    return long_count ==
           (is_padded ? (TRN_ANVIL_BLOCKS + each - 1) / each : TRN_ANVIL_BLOCKS * bits / 64);
}

/// @return the highest index
static uint32_t anvil_unpack_padded(const unsigned char *data, uint32_t bits, uint16_t *indices)
{
    const uint32_t mask = (1u << bits) - 1, each = 64 / bits;
    uint32_t highest = 0;
    for (uint32_t i = 0; i < TRN_ANVIL_BLOCKS; data += 8) {
        uint64_t word = anvil_long(data);
        const uint32_t end = i + each < TRN_ANVIL_BLOCKS ? i + each : TRN_ANVIL_BLOCKS;
        for (; i < end; i++) {
            const uint32_t index = (uint32_t)word & mask;
            highest = index > highest ? index : highest;
            indices[i] = (uint16_t)index;
            word >>= bits;
        }
    }
    return highest;
}

uint32_t trn_anvil_unpack_spanning(const unsigned char *longs, uint32_t bits, uint64_t count,
                                   uint16_t *indices)
{
    const uint32_t mask = (1u << bits) - 1;
    uint64_t word = 0;
    uint32_t left = 0, highest = 0; // bits of the word
    for (uint64_t i = 0; i < count; i++) {
        uint32_t index = (uint32_t)word & mask;
        if (left < bits) { // the rest of it is in the next long
            const uint64_t next = anvil_long(longs);
            longs += 8;
            index = (uint32_t)(word | next << left) & mask;
            word = next >> (bits - left);
            left += 64 - bits;
        } else {
            word >>= bits;
            left -= bits;
        }
        highest = index > highest ? index : highest;
        indices[i] = (uint16_t)index;
    }
    return highest;
}

TrnAnvilPacking trn_anvil_packing(int64_t version)
{
    return version < TRN_ANVIL_VERSION_NAMES    ? TRN_ANVIL_EITHER // there is none, or it is wrong
           : version < TRN_ANVIL_VERSION_PADDED ? TRN_ANVIL_SPANNING
                                                : TRN_ANVIL_PADDED;
}

bool trn_anvil_section_unpack(const TrnAnvilSection *section, TrnAnvilPacking packing,
                              uint16_t *indices)
{
    if (section->palette_count == 1) {
        memset(indices, 0, sizeof(uint16_t[TRN_ANVIL_BLOCKS]));
        return true;
    }
    // As many bits as the palette needs, or else as Minecraft takes from the length.
    const uint32_t tries[] = {anvil_bits(section->palette_count),
                              section->long_count / (TRN_ANVIL_BLOCKS / 64)};
    const uint32_t blocks = TRN_ANVIL_BLOCKS;
    for (int i = 0; i < 4 && section->palette_count > 0; i++) {
        const uint32_t bits = tries[i / 2];
        const bool is_padded = i % 2 == 0;
        if (packing != (is_padded ? TRN_ANVIL_SPANNING : TRN_ANVIL_PADDED) &&
            anvil_fits(bits, is_padded, section->long_count)) {
            const uint32_t highest =
                is_padded ? anvil_unpack_padded(section->data, bits, indices)
                          : trn_anvil_unpack_spanning(section->data, bits, blocks, indices);
            return highest < section->palette_count;
        }
    }
    return false;
}
