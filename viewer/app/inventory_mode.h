/// The inventory mode: the player stands still and chooses blocks for the bar.
#pragma once

#include "app/session.h"
#include "panels/panel.h"

/// Opens the inventory. @param inventory  receives the blocks; free it with inventory_mode_end
/// @return false if out of memory; a notice says so
bool inventory_mode_begin(Inventory *inventory, Session *session);
void inventory_mode_end(Inventory *inventory, Session *session);

/// Returns the frame's input without the letters typed into the search field.
Input inventory_mode_input(const Input *input);

/// Puts the chosen block into the bar.
void inventory_mode_take(Session *session, const InventoryChoice *choice);
