#include "hand/palette.h"

#include <stdio.h>
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

uint32_t palette_bar(const Palette *palette)
{
    return palette->count < PALETTE_BAR ? palette->count : PALETTE_BAR;
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

/// With the blocks of a first house, and then with those that come first.
static void fill_bar(Palette *palette, const TrnBlockTypes *types)
{
    static const char *const names[PALETTE_BAR] = {
        "terrane:stone",    "terrane:dirt",     "terrane:oak_planks",
        "terrane:oak_log",  "terrane:glass",    "terrane:oak_stairs",
        "terrane:oak_slab", "terrane:oak_door", "terrane:torch"};
    for (uint32_t slot = 0; slot < palette_bar(palette); slot++) {
        palette->bar[slot] = palette->blocks[slot];
    }
    for (uint32_t slot = 0; slot < palette_bar(palette); slot++) {
        TrnBlock block;
        if (trn_block_types_find(types, names[slot], &block) == TRN_RESULT_OK) {
            (void)palette_put(palette, slot, block);
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
    fill_bar(palette, types);
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

bool palette_put(Palette *palette, uint32_t slot, TrnBlock block)
{
    if (slot >= palette_bar(palette) || find_block(palette, block) == palette->count) {
        return false;
    }
    const uint32_t other = find_slot(palette, block);
    if (other < palette_bar(palette)) {
        palette->bar[other] = palette->bar[slot];
    }
    palette->bar[slot] = block;
    return true;
}

bool palette_choose(Palette *palette, TrnBlock block)
{
    const uint32_t slot = find_slot(palette, block);
    if (slot < palette_bar(palette)) {
        palette->chosen = slot;
        return true;
    }
    return palette_put(palette, palette->chosen, block);
}

void palette_label(const TrnBlockType *type, char text[TRN_BLOCK_NAME_MAX + 1])
{
    const char *colon = strchr(type->name, ':');
    (void)snprintf(text, TRN_BLOCK_NAME_MAX + 1, "%s", colon ? colon + 1 : type->name);
    for (char *c = text; *c; c++) {
        *c = *c == '_' ? ' ' : *c;
    }
}
