/// The panels of figures and the pause menu (Dear ImGui), behind a C header.
///
/// The panels read only what the caller passes: the caller fills in the figures every frame, and
/// reads the person's choices. A new panel needs a file in panels/, a function in
/// panels/panel_parts.h, and a tab.
#pragma once

#include "panels/panel_figures.h"
#include "window/events.h"

struct GLFWwindow;

#ifdef __cplusplus
extern "C" {
#endif

#define PANEL_SECONDS 10.0 ///< time range of the graphs

typedef struct Panel Panel;

/// @param window  borrowed; the caller passes its events to panel_feed
/// @return NULL if the panel cannot be created
Panel *panel_create(struct GLFWwindow *window);
/// @param panel  may be NULL
void panel_destroy(Panel *panel);

/// Draws the panels into the window's framebuffer.
/// @param overlay       temporary overlays over the figures
/// @param mouse_caught  the mouse turns the camera and does not reach the panels
/// @param scale         text scale: 1 on a usual screen (window_text_scale)
void panel_draw(Panel *panel, const PanelFigures *figures, PanelChoices *choices,
                const Overlay *overlay, bool mouse_caught, float scale);

/// Passes events of the window to the panels, which handle them when they are drawn or built.
/// @param takes_text  letters are for the panels
/// @param pad         the gamepad's button that was pressed, or INPUT_NONE
void panel_feed(Panel *panel, const EventBatch *batch, bool takes_text, InputCode pad);

/// Whether the next press is for the page of keys alone.
bool panel_awaits_key(const Panel *panel);

/// Handles the events as panel_draw does, but draws nothing: for all batches of a frame but the
/// last. The parameters are panel_draw's.
void panel_build(Panel *panel, const PanelFigures *figures, PanelChoices *choices,
                 const Overlay *overlay, bool mouse_caught, float scale);

/// Time of the last panel_draw: us of processor time of this thread.
typedef struct PanelCost {
    double build_us; ///< building the draw lists
    /// passing them to OpenGL: with a software renderer, this includes much of the drawing
    double driver_us;
} PanelCost;

PanelCost panel_cost(const Panel *panel);

/// Whether the mouse is over the panel.
bool panel_has_mouse(const Panel *panel);
/// Whether a text is being typed into the panel, such as a search.
bool panel_has_keyboard(const Panel *panel);
/// Returns the slot of the bar of blocks at a point of the window, or -1.
/// @param x,y  0..1, from the upper left corner
int panel_bar_slot(const Panel *panel, float x, float y);

#ifdef __cplusplus
}
#endif
