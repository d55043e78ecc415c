/// What presses in a batch of events are for, beyond the actions that they are bound to.
#pragma once

#include "app/mode.h"
#include "window/events.h"
#include "window/input.h"

/// Whether a batch has a press that is not for the program: it ends the demo, whatever the key.
bool presses_touch(const EventBatch *batch, const InputBindings *bindings);

/// Whether a batch turns the wheel.
bool presses_turn_wheel(const EventBatch *batch);

/// Limits the input of a batch to what a mode uses.
/// @param has_keyboard  letters go into a field of a panel
Input presses_of_mode(const Input *input, AppMode mode, const EventBatch *batch,
                      const InputBindings *bindings, bool has_keyboard);
