/// Columns of Minecraft as NBT: what has no fault has sections whose palettes and indices fit.
#include "fuzz.h"
#include "import/anvil_level.h"
#include "import/anvil_section.h"

/// Reads or skips every value of the outermost compound.
static void walk(const uint8_t *bytes, size_t size, bool reads)
{
    TrnNbt nbt;
    TrnNbtTag tag;
    trn_nbt_begin(&nbt, bytes, size);
    while (trn_nbt_next(&nbt, &tag)) {
        uint32_t longs = 0;
        if (!reads) {
            trn_nbt_skip(&nbt, tag.type);
        } else if (tag.type == TRN_NBT_LIST) {
            const TrnNbtList list = trn_nbt_list(&nbt, tag.type);
            for (uint32_t i = 0; i < list.count && !nbt.is_broken; i++) {
                trn_nbt_skip(&nbt, list.type);
            }
        } else if (tag.type == TRN_NBT_LONGS) {
            const unsigned char *from = trn_nbt_longs(&nbt, tag.type, &longs);
            FUZZ_REQUIRE(!longs || from + (size_t)longs * 8 <= bytes + size);
        } else {
            (void)trn_nbt_integer(&nbt, tag.type);
        }
        FUZZ_REQUIRE(nbt.at <= bytes + size);
    }
}

static void read_section(const TrnAnvilSection *section)
{
    uint16_t indices[TRN_ANVIL_BLOCKS];
    TrnNbt palette = section->palette;
    TrnAnvilState state;
    FUZZ_REQUIRE(section->palette_count <= TRN_ANVIL_PALETTE_MAX);
    for (uint32_t i = 0; i < section->palette_count; i++) {
        (void)trn_anvil_palette_next(&palette, &state);
    }
    FUZZ_REQUIRE(!palette.is_broken || section->palette_count == 0); // it was skipped before
    for (int packing = TRN_ANVIL_SPANNING; packing <= TRN_ANVIL_EITHER; packing++) {
        if (trn_anvil_section_unpack(section, (TrnAnvilPacking)packing, indices)) {
            for (uint32_t i = 0; i < TRN_ANVIL_BLOCKS; i++) {
                FUZZ_REQUIRE(indices[i] < section->palette_count);
            }
        }
    }
}

int fuzz_nbt(const uint8_t *bytes, size_t size);

int fuzz_nbt(const uint8_t *bytes, size_t size)
{
    static TrnAnvilColumn column;
    TrnVoxel spawn;
    walk(bytes, size, false);
    walk(bytes, size, true);
    (void)trn_anvil_level_spawn(bytes, size, &spawn);
    if (trn_anvil_column(bytes, size, &column)) {
        for (int32_t y = column.y_low; y < column.y_high; y++) {
            read_section(&column.sections[y - TRN_ANVIL_Y_MIN]);
        }
    }
    return 0;
}
