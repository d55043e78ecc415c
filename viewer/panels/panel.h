/// The panels of figures and the pause menu on the screen (Dear ImGui), behind a C header.
///
/// They read nothing but what they are handed: the caller fills in figures every frame, and looks
/// at what the person chose. A panel more is a file in panels/, a function in panels/panel_parts.h,
/// and a tab.
#ifndef TERRANE_VIEWER_PANEL_H
#define TERRANE_VIEWER_PANEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <terrane/store.h>
#include <terrane/stream.h>

#include "debris/debris.h"
#include "index_view/index_view.h"
#include "panels/overlay.h"
#include "panels/panel_inventory.h"
#include "panels/panel_palette.h"
#include "series/series.h"
#include "settings/settings.h"

struct GLFWwindow;

#ifdef __cplusplus
extern "C" {
#endif

#define PANEL_SECONDS 10.0 ///< that graphs reach back

typedef struct Panel Panel;

/// What is shown. All zeroes is empty.
typedef struct PanelFigures {
    double seconds;    ///< when the frame was, on a clock that never goes backwards
    SeriesFrame frame; ///< of this frame: what becomes graphs
    TrnStreamStats stream;
    TrnStreamView view;
    double budget_ms; ///< what an update may take
    TrnStoreStats store;
    size_t card_bytes, card_peak; ///< of quads on the graphics card
    uint32_t refused;             ///< chunks that do not fit on it
    bool has_array, has_flat_map; ///< those two are compared as well
    bool is_warm;                 ///< gathers are timed with warm caches: the clock is coarse
    uint64_t compared, equal;
    double voxel[3];
    float speed; ///< voxels a second
    bool walking;
    size_t edit_bytes, edit_bytes_max; ///< of changed chunks that have left the view
    bool is_saving;                    ///< instead: of chunks that wait for the world file
    DebrisStats debris;                ///< not shown where its capacity is 0
    const char *looked_at;             ///< which chunk; NULL: nothing is said about it
    const char *why_shown, *why_there; ///< of that chunk, sentences of the stream and of the store
    const char *hint;                  ///< the last line: which keys help; or NULL
    const PanelPalette *palette;       ///< what one builds with; NULL: no bar
    const Inventory *inventory;        ///< open, with the palette in it; NULL: closed
    bool is_bare;                      ///< photo mode: figures are not drawn
    IndexView *index;                  ///< receives the plane that was chosen; NULL: not shown
} PanelFigures;

typedef enum PanelTab {
    PANEL_TAB_FRAME, ///< in its own column where there is room for two
    PANEL_TAB_WORLD,
    PANEL_TAB_COUNT
} PanelTab;

/// What the person chose.
typedef struct PanelChoices {
    PanelTab tab;
    bool all_settings; ///< the pause menu shows its second page
    Settings settings; ///< as they are; as they shall be where `changed`
    bool changed;      ///< by the person, in this frame
    bool resume, quit; ///< a button of the pause menu was pressed
    bool leave;        ///< the same: back to the start screen
    InventoryChoice inventory;
} PanelChoices;

/// @return NULL when the panel cannot be made. Handles the window's events behind callbacks that
/// are already set.
Panel *panel_create(struct GLFWwindow *window);
/// @param panel  may be NULL
void panel_destroy(Panel *panel);

/// Draws into the window's own buffer.
/// @param overlay       what lies over the figures
/// @param mouse_caught  the mouse turns the camera and is not for the panel
/// @param scale         how large text is: 1 on a usual screen (window_text_scale)
void panel_draw(Panel *panel, const PanelFigures *figures, PanelChoices *choices,
                const Overlay *overlay, bool mouse_caught, float scale);

/// What the last panel_draw took, us of this thread on a core.
typedef struct PanelCost {
    double build_us; ///< working out what is drawn
    /// handing it to OpenGL: where that draws on the processor, much of the drawing
    double driver_us;
} PanelCost;

PanelCost panel_cost(const Panel *panel);

/// Whether the mouse is over the panel.
bool panel_has_mouse(const Panel *panel);
/// Whether a text is being typed into the panel, such as a search.
bool panel_has_keyboard(const Panel *panel);
/// The slot of the bar of blocks at a point of the window, or -1. @param x,y  0..1, from its upper
/// left corner
int panel_bar_slot(const Panel *panel, float x, float y);

#ifdef __cplusplus
}
#endif
#endif
