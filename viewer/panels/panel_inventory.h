/// The inventory (Dear ImGui), behind a C header: all blocks as tiles, to click or to drag into the
/// bar.
#pragma once

#include "hand/inventory.h"
#include "panels/panel_palette.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The person's choice in the inventory in this frame.
typedef struct InventoryChoice {
    bool has_slot;  ///< a slot of the bar was chosen
    uint32_t slot;  ///< the chosen slot, or the slot for the block
    TrnBlock block; ///< to put into the slot; air: the slot is only chosen
    bool close;     ///< the close button was pressed
} InventoryChoice;

/// Pictures, tab and search of the inventory.
typedef struct PanelInventory PanelInventory;

/// All functions here need a current OpenGL context. @return NULL if out of memory
PanelInventory *panel_inventory_create(void);
/// @param panel  may be NULL
void panel_inventory_destroy(PanelInventory *panel);

/// Whether letters are on their way into the search field.
bool panel_inventory_is_typing(const PanelInventory *panel);

/// Call it between a new frame of Dear ImGui and its end. Paints only a few pictures a frame, for
/// visible tiles. @param touches  touch input: the hint names no keys
void panel_inventory_show(PanelInventory *panel, const Inventory *inventory,
                          const PanelPalette *bar, bool touches, InventoryChoice *choice);

#ifdef __cplusplus
}
#endif
