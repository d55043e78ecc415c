#include "hand/inventory.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hand/door.h"

/// Appends the types that are solid, or those that are not: the first of each family, and of doors
/// the closed ones.
static void inventory_add_types(Palette *palette, const TrnBlockTypes *types, bool solid)
{
    uint32_t count;
    const TrnBlockType *all = trn_block_types_all(types, &count);
    for (uint32_t i = 0; i < count; i++) {
        if (all[i].kind != TRN_BLOCK_KIND_AIR && all[i].is_solid == solid &&
            palette_item(types, (TrnBlock)i) == i) {
            palette->blocks[palette->count++] = (TrnBlock)i;
        }
    }
}

TrnBlock palette_item(const TrnBlockTypes *types, TrnBlock block)
{
    return door_closed(types, trn_block_types_get(types, block)->family);
}

uint32_t palette_bar(const Palette *palette)
{
    return palette->count < PALETTE_BAR ? palette->count : PALETTE_BAR;
}

/// Returns the slot that shows a block, or palette_bar().
static uint32_t inventory_find_slot(const Palette *palette, TrnBlock block)
{
    uint32_t slot = 0;
    while (slot < palette_bar(palette) && palette->bar[slot] != block) {
        slot++;
    }
    return slot;
}

/// Returns the place of a block, or palette->count.
static uint32_t inventory_find_block(const Palette *palette, TrnBlock block)
{
    uint32_t place = 0;
    while (place < palette->count && palette->blocks[place] != block) {
        place++;
    }
    return place;
}

/// Fills the bar with blocks for a first house, then with the first blocks of the palette.
static void inventory_fill_bar(Palette *palette, const TrnBlockTypes *types)
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
    (void)trn_block_types_all(types, &count);
    *palette = (Palette){.blocks = malloc(count * sizeof *palette->blocks)};
    if (!palette->blocks) {
        return false;
    }
    inventory_add_types(palette, types, true);
    inventory_add_types(palette, types, false);
    inventory_fill_bar(palette, types);
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

/// Returns the place some steps farther among `count`, wrapping around.
static uint32_t inventory_step_around(uint32_t place, int64_t steps, uint32_t count)
{
    const int64_t sum = ((int64_t)place + steps) % (int64_t)count;
    return (uint32_t)(sum < 0 ? sum + count : sum);
}

void palette_step(Palette *palette, int32_t steps)
{
    if (palette->count) {
        palette->chosen = inventory_step_around(palette->chosen, steps, palette_bar(palette));
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
        good = inventory_find_block(palette, blocks[i]) < palette->count;
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
    if (slot >= palette_bar(palette) || inventory_find_block(palette, block) == palette->count) {
        return false;
    }
    const uint32_t other = inventory_find_slot(palette, block);
    if (other < palette_bar(palette)) {
        palette->bar[other] = palette->bar[slot];
    }
    palette->bar[slot] = block;
    return true;
}

bool palette_choose(Palette *palette, TrnBlock block)
{
    const uint32_t slot = inventory_find_slot(palette, block);
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

// ---- inventory ----------------------------------------------------------------------------------

#define SEARCH_BYTES 128

const char *inventory_tab_title(InventoryTab tab)
{
    static const char *const titles[INVENTORY_TAB_COUNT] = {"All",    "Cubes",  "Shapes",
                                                            "Plants", "Lights", "Liquids"};
    return titles[tab];
}

// ---- materials ----------------------------------------------------------------------------------

/// Returns the length of the material in a label: "oak" of "oak planks" and "oak stairs". Any other
/// label is a material as a whole.
static size_t inventory_material_length(const char *label)
{
    static const char *const forms[] = {" slab",   " stairs", " fence",  " wall",
                                        " pane",   " door",   " log",    " planks",
                                        " leaves", " ore",    " ladder", " carpet"};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        const char *form = strstr(label, forms[i]);
        if (form) {
            return (size_t)(form - label);
        }
    }
    return strlen(label);
}

static bool inventory_has_same_material(const char *a, const char *b)
{
    const size_t length = inventory_material_length(a);
    return length == inventory_material_length(b) && strncmp(a, b, length) == 0;
}

/// A tile, and the place of the first tile with its material.
typedef struct Placed {
    InventoryTile tile;
    uint32_t material, place;
} Placed;

/// Orders by material, then by label.
static int inventory_compare_materials(const void *a, const void *b)
{
    const char *left = ((const Placed *)a)->tile.label, *right = ((const Placed *)b)->tile.label;
    const size_t lengths[2] = {inventory_material_length(left), inventory_material_length(right)};
    const int order = strncmp(left, right, lengths[0] < lengths[1] ? lengths[0] : lengths[1]);
    return order                      ? order
           : lengths[0] != lengths[1] ? (lengths[0] < lengths[1] ? -1 : 1)
                                      : strcmp(left, right);
}

static int inventory_compare_places(const void *a, const void *b)
{
    const Placed *const left = a, *const right = b;
    if (left->material != right->material) {
        return left->material < right->material ? -1 : 1;
    }
    return left->place < right->place ? -1 : left->place > right->place;
}

/// Moves the tiles of each material next to its first tile.
static void inventory_sort_by_material(Placed *placed, uint32_t count)
{
    qsort(placed, count, sizeof *placed, inventory_compare_materials);
    for (uint32_t from = 0, to; from < count; from = to) {
        uint32_t first = placed[from].place;
        for (to = from + 1; to < count && inventory_has_same_material(placed[from].tile.label,
                                                                      placed[to].tile.label);
             to++) {
            first = placed[to].place < first ? placed[to].place : first;
        }
        for (uint32_t i = from; i < to; i++) {
            placed[i].material = first;
        }
    }
    qsort(placed, count, sizeof *placed, inventory_compare_places);
}

// ---- tiles --------------------------------------------------------------------------------------

static uint32_t inventory_tabs_of(const TrnBlockType *type)
{
    static const InventoryTab tabs[TRN_BLOCK_KIND_COUNT] = {
        [TRN_BLOCK_KIND_OPAQUE] = INVENTORY_CUBES,      [TRN_BLOCK_KIND_LIQUID] = INVENTORY_LIQUIDS,
        [TRN_BLOCK_KIND_TRANSPARENT] = INVENTORY_CUBES, [TRN_BLOCK_KIND_PLANT] = INVENTORY_PLANTS,
        [TRN_BLOCK_KIND_CUTOUT] = INVENTORY_PLANTS,     [TRN_BLOCK_KIND_MODEL] = INVENTORY_SHAPES};
    return 1U << INVENTORY_ALL | 1U << tabs[type->kind] |
           (type->light ? 1U << INVENTORY_LIGHTS : 0U);
}

static void inventory_place_tiles(Placed *placed, const Palette *palette,
                                  const TrnBlockTypes *types)
{
    for (uint32_t i = 0; i < palette->count; i++) {
        const TrnBlockType *type = trn_block_types_get(types, palette->blocks[i]);
        placed[i] = (Placed){.tile = {.block = palette->blocks[i], .tabs = inventory_tabs_of(type)},
                             .place = i};
        palette_label(type, placed[i].tile.label);
    }
    inventory_sort_by_material(placed, palette->count);
}

bool inventory_create(Inventory *inventory, const Palette *palette, const TrnBlockTypes *types)
{
    const uint32_t count = palette->count;
    Placed *placed = malloc((count + 1) * sizeof *placed);
    *inventory =
        (Inventory){.types = types, .tiles = malloc((count + 1) * sizeof *inventory->tiles)};
    if (!placed || !inventory->tiles) {
        free(placed);
        inventory_free(inventory);
        return false;
    }
    inventory_place_tiles(placed, palette, types);
    for (uint32_t i = 0; i < count; i++) {
        inventory->tiles[i] = placed[i].tile;
    }
    inventory->count = count;
    free(placed);
    return true;
}

void inventory_free(Inventory *inventory)
{
    free(inventory->tiles);
    *inventory = (Inventory){0};
}

// ---- search -------------------------------------------------------------------------------------

/// Whether a label, which is in lower case, has all words.
/// @param words  words, each terminated by a zero; an empty one ends them
static bool inventory_has_words(const char *label, const char *words)
{
    for (; *words; words += strlen(words) + 1) {
        if (!strstr(label, words)) {
            return false;
        }
    }
    return true;
}

/// @param words  [SEARCH_BYTES + 1] receives the words for inventory_has_words
static void inventory_split_words(const char *search, char *words)
{
    size_t length = 0;
    for (size_t i = 0; search[i] && i < SEARCH_BYTES - 1; i++) {
        const unsigned char c = (unsigned char)search[i];
        if (!isspace(c)) {
            words[length++] = (char)tolower(c);
        } else if (length && words[length - 1]) {
            words[length++] = '\0';
        }
    }
    words[length] = words[length + 1] = '\0';
}

uint32_t inventory_find(const Inventory *inventory, InventoryTab tab, const char *search,
                        uint32_t *shown)
{
    char words[SEARCH_BYTES + 1];
    uint32_t count = 0;
    inventory_split_words(search, words);
    for (uint32_t i = 0; i < inventory->count; i++) {
        const InventoryTile *tile = &inventory->tiles[i];
        if (tile->tabs & 1U << tab && inventory_has_words(tile->label, words)) {
            shown[count++] = i;
        }
    }
    return count;
}
