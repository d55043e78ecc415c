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

bool presses_type(const EventBatch *batch, const InputBindings *bindings, bool is_inventory,
                  bool has_keyboard)
{
    bool has_text = false, closes = false;
    for (size_t i = 0; i < batch->count; i++) {
        const WindowEvent *event = &batch->events[i];
        has_text |= event->kind == WINDOW_EVENT_TEXT;
        closes |= event->kind == WINDOW_EVENT_KEY && event->is_down &&
                  input_action_bound(bindings, (InputCode)event->code) == INPUT_INVENTORY;
    }
    return has_text && (has_keyboard || (is_inventory && !closes));
}
