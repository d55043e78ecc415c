/// The pause menu's page of keys: lists the actions by group, and binds them by pressing a key, a
/// button of the mouse or one of the gamepad. C++.
#pragma once

#include "panels/panel_figures.h"
#include "window/events.h"

/// All zeroes: no key is awaited.
struct PanelKeys {
    bool is_waiting, is_pad; // for a key of the action; for a button of the gamepad
    InputAction action;
    InputCode pressed; // what was pressed since; INPUT_NONE: nothing yet
    bool is_cancelled; // Escape was pressed instead
    Message text;      // about the last change
};

/// Looks for the awaited key in a batch of events.
/// @param pad  the gamepad's button that was pressed, or INPUT_NONE
void panel_keys_feed(PanelKeys *keys, const EventBatch &batch, InputCode pad);

/// Draws the page into the current window, and changes the bindings of the choices' settings.
void panel_keys_show(PanelKeys *keys, PanelChoices *choices);
