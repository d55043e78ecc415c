#include "hand/palette.h"

#include <stdlib.h>

/// Appends those types that are solid, or those that are not.
static void add_types(Palette *palette, const TrnBlockType *types, uint32_t count, bool solid)
{
    for (uint32_t i = 0; i < count; i++) {
        if (types[i].kind != TRN_BLOCK_KIND_AIR && types[i].is_solid == solid) {
            palette->blocks[palette->count++] = (TrnBlock)i;
        }
    }
}

bool palette_create(Palette *palette, const TrnBlockTypes *types)
{
    uint32_t count;
    const TrnBlockType *all = trn_block_types_all(types, &count);
    *palette = (Palette){.blocks = malloc(count * sizeof *palette->blocks)};
    if (!palette->blocks) {
        return false;
    }
    add_types(palette, all, count, true);
    add_types(palette, all, count, false);
    return true;
}

void palette_free(Palette *palette)
{
    free(palette->blocks);
    *palette = (Palette){0};
}

TrnBlock palette_block(const Palette *palette)
{
    return palette->count ? palette->blocks[palette->chosen] : TRN_BLOCK_AIR;
}

uint32_t palette_bar(const Palette *palette)
{
    return palette->count < PALETTE_BAR ? palette->count : PALETTE_BAR;
}

/// Moves the bar by as little as has the chosen one in it.
static void choose_place(Palette *palette, uint32_t place)
{
    palette->chosen = place;
    if (place < palette->first) {
        palette->first = place;
    } else if (place >= palette->first + palette_bar(palette)) {
        palette->first = place + 1 - palette_bar(palette);
    }
}

void palette_step(Palette *palette, int32_t steps)
{
    if (palette->count) {
        const int64_t count = palette->count;
        const int64_t place = ((int64_t)palette->chosen + steps) % count;
        choose_place(palette, (uint32_t)(place < 0 ? place + count : place));
    }
}

bool palette_choose_slot(Palette *palette, uint32_t slot)
{
    if (slot >= palette_bar(palette)) {
        return false;
    }
    palette->chosen = palette->first + slot;
    return true;
}

bool palette_choose(Palette *palette, TrnBlock block)
{
    for (uint32_t i = 0; i < palette->count; i++) {
        if (palette->blocks[i] == block) {
            choose_place(palette, i);
            return true;
        }
    }
    return false;
}
