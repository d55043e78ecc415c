/// The blocks that a player builds with: all of them, and those in the bar at the bottom of the
/// picture. A slot of the bar keeps its block until the player puts another block there.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <terrane/block_types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PALETTE_BAR 9 ///< slots of the bar

typedef struct Palette {
    TrnBlock *blocks; ///< [count] all types but air: solid ones by id, then the others by id
    uint32_t count;   ///< 0: no types except air
    TrnBlock bar[PALETTE_BAR]; ///< [palette_bar()] all different
    uint32_t chosen;           ///< slot of the bar
} Palette;

/// Takes all current types. The bar begins with blocks for a first house, as far as they exist.
/// @return false if out of memory; the palette is then empty
bool palette_create(Palette *palette, const TrnBlockTypes *types);
void palette_free(Palette *palette);

/// Returns the block of the palette that stands for a block: the first of its family, and for an
/// open door the closed one.
TrnBlock palette_item(const TrnBlockTypes *types, TrnBlock block);

/// Returns the chosen block; air if there is none.
TrnBlock palette_block(const Palette *palette);

/// Returns the number of slots: at most PALETTE_BAR.
uint32_t palette_bar(const Palette *palette);
/// Chooses the slot `steps` farther, wrapping around.
void palette_step(Palette *palette, int32_t steps);
/// @return false if the bar has no such slot
bool palette_choose_slot(Palette *palette, uint32_t slot);

/// Puts blocks into all slots of the bar.
/// @param blocks  [count] different blocks of the palette
/// @return false, and changes nothing, if the bar has another number of slots or a block is wrong
bool palette_set_bar(Palette *palette, const TrnBlock *blocks, uint32_t count);

/// Puts a block into a slot. If another slot shows the block, the two slots swap.
/// @return false, and changes nothing, if the palette has no such block or the bar no such slot
bool palette_put(Palette *palette, uint32_t slot, TrnBlock block);
/// Chooses the slot with a block. If no slot shows the block, puts it into the chosen slot.
/// @return false if the palette lacks the block
bool palette_choose(Palette *palette, TrnBlock block);

/// Writes a type's name for people: "terrane:oak_log" becomes "oak log".
void palette_label(const TrnBlockType *type, char text[TRN_BLOCK_NAME_MAX + 1]);

// ---- inventory ----------------------------------------------------------------------------------

// All blocks that a player can build with, in the order of an inventory: the shapes of one material
// are adjacent. Knows no window; panels/panel_inventory.cpp shows the inventory.

typedef enum InventoryTab {
    INVENTORY_ALL,
    INVENTORY_CUBES,   ///< full blocks
    INVENTORY_SHAPES,  ///< models: slabs, stairs, fences, doors
    INVENTORY_PLANTS,  ///< plants, and leaves
    INVENTORY_LIGHTS,  ///< blocks that emit light
    INVENTORY_LIQUIDS, ///< sources of liquids
    INVENTORY_TAB_COUNT
} InventoryTab;

/// "All", "Cubes", ...
const char *inventory_tab_title(InventoryTab tab);

/// One tile for each family of types: all turns of a stair are one tile.
typedef struct InventoryTile {
    TrnBlock block; ///< the first of the family
    uint32_t tabs;  ///< bit t: InventoryTab t shows it
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
/// @return number of tiles found
uint32_t inventory_find(const Inventory *inventory, InventoryTab tab, const char *search,
                        uint32_t *shown);

#ifdef __cplusplus
}
#endif
