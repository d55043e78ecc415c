/// The inventory (Dear ImGui), behind a C header: all blocks as tiles, to click or drag into the
/// bar.
#ifndef TERRANE_VIEWER_PANEL_INVENTORY_H
#define TERRANE_VIEWER_PANEL_INVENTORY_H

#include "hand/inventory.h"
#include "panels/panel_palette.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What the person chose in the inventory, in this frame.
typedef struct InventoryChoice {
    bool has_slot;  ///< of the bar
    uint32_t slot;  ///< chosen, or where the block goes
    TrnBlock block; ///< to be put there; air: the slot is only chosen
    bool close;     ///< the button that closes it was pressed
} InventoryChoice;

/// Pictures, tab and search of the inventory.
typedef struct PanelInventory PanelInventory;

/// Needs a current OpenGL context, as all functions here. @return NULL without memory
PanelInventory *panel_inventory_create(void);
/// @param panel  may be NULL
void panel_inventory_destroy(PanelInventory *panel);

/// Between a new frame of Dear ImGui and its end. Paints at most some pictures a frame, for the
/// tiles in view. @param touches  fingers are in use: the hint names no keys
void panel_inventory_show(PanelInventory *panel, const Inventory *inventory,
                          const PanelPalette *bar, bool touches, InventoryChoice *choice);

#ifdef __cplusplus
}
#endif
#endif
