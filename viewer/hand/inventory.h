/// All blocks that a player can build with, in the order of an inventory: the shapes of one
/// material lie together. Knows no window; panels/panel_inventory.cpp shows it.
#ifndef TERRANE_VIEWER_INVENTORY_H
#define TERRANE_VIEWER_INVENTORY_H

#include "hand/palette.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum InventoryTab {
    INVENTORY_ALL,
    INVENTORY_CUBES,   ///< full blocks
    INVENTORY_SHAPES,  ///< models: slabs, stairs, fences, doors
    INVENTORY_PLANTS,  ///< plants, and leaves
    INVENTORY_LIGHTS,  ///< what emits light
    INVENTORY_LIQUIDS, ///< their sources
    INVENTORY_TAB_COUNT
} InventoryTab;

/// "All", "Cubes", ...
const char *inventory_tab_title(InventoryTab tab);

/// One tile for each family of types: all turns of a stair are one.
typedef struct InventoryTile {
    TrnBlock block; ///< the first of the family
    uint32_t tabs;  ///< bit t, an InventoryTab: the tab has it
    char label[TRN_BLOCK_NAME_MAX + 1];
} InventoryTile;

typedef struct Inventory {
    const TrnBlockTypes *types; ///< borrowed
    InventoryTile *tiles;       ///< [count]
    uint32_t count;
} Inventory;

/// Takes the blocks of a palette. @return false if out of memory; the inventory is then empty
/// Cost: O(n log n) of its blocks.
bool inventory_create(Inventory *inventory, const Palette *palette, const TrnBlockTypes *types);
void inventory_free(Inventory *inventory);

/// Lists the tiles of a tab whose label has all words of a search, in any case and order.
/// @param search  at most 127 bytes count; blanks divide words; "": all tiles of the tab
/// @param shown   [inventory->count] receives places in `tiles`
/// @return how many
uint32_t inventory_find(const Inventory *inventory, InventoryTab tab, const char *search,
                        uint32_t *shown);

#ifdef __cplusplus
}
#endif
#endif
