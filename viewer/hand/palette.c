#include "hand/palette.h"

#include <stdlib.h>
#include <string.h>

/// Appends those types that are solid, or those that are not: of each family the first.
static void add_types(Palette *palette, const TrnBlockType *types, uint32_t count, bool solid)
{
    for (uint32_t i = 0; i < count; i++) {
        if (types[i].kind != TRN_BLOCK_KIND_AIR && types[i].is_solid == solid &&
            types[i].variant == 0) {
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
    for (uint32_t slot = 0; slot < palette_bar(palette); slot++) {
        palette->bar[slot] = palette->blocks[slot];
    }
    return true;
}

void palette_free(Palette *palette)
{
    free(palette->blocks);
    *palette = (Palette){0};
}

TrnBlock palette_block(const Palette *palette)
{
    return palette->count ? palette->bar[palette->chosen] : TRN_BLOCK_AIR;
}

uint32_t palette_bar(const Palette *palette)
{
    return palette->count < PALETTE_BAR ? palette->count : PALETTE_BAR;
}

/// A place so much farther among `count`, around the ends.
static uint32_t step_around(uint32_t place, int64_t steps, uint32_t count)
{
    const int64_t sum = ((int64_t)place + steps) % (int64_t)count;
    return (uint32_t)(sum < 0 ? sum + count : sum);
}

void palette_step(Palette *palette, int32_t steps)
{
    if (palette->count) {
        palette->chosen = step_around(palette->chosen, steps, palette_bar(palette));
    }
}

bool palette_choose_slot(Palette *palette, uint32_t slot)
{
    if (slot >= palette_bar(palette)) {
        return false;
    }
    palette->chosen = slot;
    return true;
}

/// The slot that shows a block, or palette_bar().
static uint32_t find_slot(const Palette *palette, TrnBlock block)
{
    uint32_t slot = 0;
    while (slot < palette_bar(palette) && palette->bar[slot] != block) {
        slot++;
    }
    return slot;
}

/// The place of a block, or palette->count.
static uint32_t find_block(const Palette *palette, TrnBlock block)
{
    uint32_t place = 0;
    while (place < palette->count && palette->blocks[place] != block) {
        place++;
    }
    return place;
}

bool palette_set_bar(Palette *palette, const TrnBlock *blocks, uint32_t count)
{
    bool good = count == palette_bar(palette);
    for (uint32_t i = 0; i < count && good; i++) {
        good = find_block(palette, blocks[i]) < palette->count;
        for (uint32_t other = 0; other < i; other++) {
            good = good && blocks[other] != blocks[i];
        }
    }
    if (good) {
        memcpy(palette->bar, blocks, count * sizeof *blocks);
    }
    return good;
}

void palette_change(Palette *palette, int32_t steps)
{
    const uint32_t hidden = palette->count - palette_bar(palette);
    if (!hidden) {
        return;
    }
    // This many steps lead through all blocks that the slot can show, and back to the first.
    uint32_t left = step_around(0, steps, hidden + 1);
    uint32_t place = find_block(palette, palette_block(palette));
    while (left) {
        place = (place + 1) % palette->count;
        const uint32_t slot = find_slot(palette, palette->blocks[place]);
        left -= slot == palette_bar(palette) || slot == palette->chosen;
    }
    palette->bar[palette->chosen] = palette->blocks[place];
}

bool palette_choose(Palette *palette, TrnBlock block)
{
    const uint32_t slot = find_slot(palette, block);
    if (slot < palette_bar(palette)) {
        palette->chosen = slot;
        return true;
    }
    if (find_block(palette, block) == palette->count) {
        return false;
    }
    palette->bar[palette->chosen] = block;
    return true;
}
