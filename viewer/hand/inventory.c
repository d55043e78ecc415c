#include "hand/inventory.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEARCH_BYTES 128

const char *inventory_tab_title(InventoryTab tab)
{
    static const char *const titles[INVENTORY_TAB_COUNT] = {"All",    "Cubes",  "Shapes",
                                                            "Plants", "Lights", "Liquids"};
    return titles[tab];
}

// ---- materials ----------------------------------------------------------------------------------

/// Bytes of a label that name its material: "oak" of "oak planks" and "oak stairs". What is not
/// made of something is a material itself.
static size_t material_length(const char *label)
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

static bool has_same_material(const char *a, const char *b)
{
    const size_t length = material_length(a);
    return length == material_length(b) && strncmp(a, b, length) == 0;
}

/// A tile, and where the first tile of its material is.
typedef struct Placed {
    InventoryTile tile;
    uint32_t material, place;
} Placed;

/// By material, and then by label.
static int compare_materials(const void *a, const void *b)
{
    const char *left = ((const Placed *)a)->tile.label, *right = ((const Placed *)b)->tile.label;
    const size_t lengths[2] = {material_length(left), material_length(right)};
    const int order = strncmp(left, right, lengths[0] < lengths[1] ? lengths[0] : lengths[1]);
    return order                      ? order
           : lengths[0] != lengths[1] ? (lengths[0] < lengths[1] ? -1 : 1)
                                      : strcmp(left, right);
}

static int compare_places(const void *a, const void *b)
{
    const Placed *const left = a, *const right = b;
    if (left->material != right->material) {
        return left->material < right->material ? -1 : 1;
    }
    return left->place < right->place ? -1 : left->place > right->place;
}

/// Brings the tiles of each material to the first of them.
static void sort_by_material(Placed *placed, uint32_t count)
{
    qsort(placed, count, sizeof *placed, compare_materials);
    for (uint32_t from = 0, to; from < count; from = to) {
        uint32_t first = placed[from].place;
        for (to = from + 1;
             to < count && has_same_material(placed[from].tile.label, placed[to].tile.label);
             to++) {
            first = placed[to].place < first ? placed[to].place : first;
        }
        for (uint32_t i = from; i < to; i++) {
            placed[i].material = first;
        }
    }
    qsort(placed, count, sizeof *placed, compare_places);
}

// ---- tiles --------------------------------------------------------------------------------------

static uint32_t tabs_of(const TrnBlockType *type)
{
    static const InventoryTab tabs[TRN_BLOCK_KIND_COUNT] = {
        [TRN_BLOCK_KIND_OPAQUE] = INVENTORY_CUBES,      [TRN_BLOCK_KIND_LIQUID] = INVENTORY_LIQUIDS,
        [TRN_BLOCK_KIND_TRANSPARENT] = INVENTORY_CUBES, [TRN_BLOCK_KIND_PLANT] = INVENTORY_PLANTS,
        [TRN_BLOCK_KIND_CUTOUT] = INVENTORY_PLANTS,     [TRN_BLOCK_KIND_MODEL] = INVENTORY_SHAPES};
    return 1U << INVENTORY_ALL | 1U << tabs[type->kind] |
           (type->light ? 1U << INVENTORY_LIGHTS : 0U);
}

static void place_tiles(Placed *placed, const Palette *palette, const TrnBlockTypes *types)
{
    for (uint32_t i = 0; i < palette->count; i++) {
        const TrnBlockType *type = trn_block_types_get(types, palette->blocks[i]);
        placed[i] =
            (Placed){.tile = {.block = palette->blocks[i], .tabs = tabs_of(type)}, .place = i};
        palette_label(type, placed[i].tile.label);
    }
    sort_by_material(placed, palette->count);
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
    place_tiles(placed, palette, types);
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
/// @param words  divided by zeroes; an empty one ends them
static bool has_words(const char *label, const char *words)
{
    for (; *words; words += strlen(words) + 1) {
        if (!strstr(label, words)) {
            return false;
        }
    }
    return true;
}

/// @param words  [SEARCH_BYTES + 1] receives what has_words takes
static void split_words(const char *search, char *words)
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
    split_words(search, words);
    for (uint32_t i = 0; i < inventory->count; i++) {
        const InventoryTile *tile = &inventory->tiles[i];
        if (tile->tabs & 1U << tab && has_words(tile->label, words)) {
            shown[count++] = i;
        }
    }
    return count;
}
