/// What presses in a batch of events are for, beyond the actions that they are bound to.
#pragma once

#include "window/events.h"
#include "window/input.h"

/// Whether a batch has a press that is not for the program: it ends the demo, whatever the key.
bool presses_touch(const EventBatch *batch, const InputBindings *bindings);

/// Whether a batch types a letter into a panel. In the inventory all letters search, but the key
/// that closes it does so until the search has begun.
/// @param has_keyboard  letters already go into a field
bool presses_type(const EventBatch *batch, const InputBindings *bindings, bool is_inventory,
                  bool has_keyboard);
