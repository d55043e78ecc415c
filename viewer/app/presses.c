#include "app/presses.h"

bool presses_touch(const EventBatch *batch, const InputBindings *bindings)
{
    for (size_t i = 0; i < batch->count; i++) {
        const WindowEvent *event = &batch->events[i];
        const bool is_key = event->kind == WINDOW_EVENT_KEY;
        const InputAction action =
            input_action_bound(bindings, (InputCode)(event->code + (is_key ? 0 : INPUT_MOUSE)));
        const bool is_programs =
            action < INPUT_ACTION_COUNT && input_action_info(action)->group == INPUT_GROUP_PROGRAM;
        if (event->is_down && !is_programs) {
            return true;
        }
    }
    return false;
}

bool presses_turn_wheel(const EventBatch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        if (batch->events[i].kind == WINDOW_EVENT_WHEEL) {
            return true;
        }
    }
    return false;
}

/// Whether a batch types a letter into a panel. In the inventory all letters search, but the key
/// that closes it does so until the search has begun.
static bool presses_type(const EventBatch *batch, const InputBindings *bindings, AppMode mode,
                         bool has_keyboard)
{
    bool has_text = false, closes = false;
    for (size_t i = 0; i < batch->count; i++) {
        const WindowEvent *event = &batch->events[i];
        has_text |= event->kind == WINDOW_EVENT_TEXT;
        closes |= event->kind == WINDOW_EVENT_KEY && event->is_down &&
                  input_action_bound(bindings, (InputCode)event->code) == INPUT_INVENTORY;
    }
    return has_text && (has_keyboard || (mode == APP_INVENTORY && !closes));
}

Input presses_of_mode(const Input *input, AppMode mode, const EventBatch *batch,
                      const InputBindings *bindings, bool has_keyboard)
{
    Input left = *input;
    const bool is_form = mode == APP_MAP || mode == APP_BUILDING || mode == APP_BOX;
    if (mode != APP_PAUSED && mode != APP_INVENTORY && !is_form) {
        return left;
    }
    if (is_form && has_keyboard) {
        left = input_of_program(input); // held letters do not move the map
        left.presses[INPUT_PAUSE] = 0;  // ends the field
    }
    if (presses_type(batch, bindings, mode, has_keyboard)) {
        Input none = {0}; // only the way out is no letter
        none.presses[INPUT_PAUSE] = left.presses[INPUT_PAUSE];
        return none;
    }
    return left;
}
