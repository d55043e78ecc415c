/// The figures on the screen (Dear ImGui), behind a C header.
#ifndef TERRANE_VIEWER_PANEL_H
#define TERRANE_VIEWER_PANEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "debris.h"
#include "index_view.h"
#include "overlay.h"
#include "panel_palette.h"

struct GLFWwindow;

#ifdef __cplusplus
extern "C" {
#endif

typedef struct Panel Panel;

/// What is shown.
typedef struct PanelFigures {
    double frame_ms; ///< from frame to frame, without the comparison
    double work_ms;  ///< of it, the processor's part
    double voxel[3];
    float speed; ///< voxels a second
    bool walking;
    uint32_t wished, there, shown, drawn; ///< chunks
    uint32_t queued, under_way, failed, refused;
    uint32_t workers;
    double update_ms;          ///< of the frame, what loading and meshing took on this thread
    uint32_t view, view_asked; ///< how far the view reaches, chunks
    bool is_view_short;        ///< since there is no memory for more
    size_t bytes, bytes_max;   ///< of all that follows the view; 0: no limit
    size_t quads_drawn;
    size_t voxel_bytes, header_bytes, index_bytes, quad_bytes;
    size_t gathered;
    double index_us, array_us, map_us;
    uint64_t compared, equal;
    const char *hint;            ///< the last line: which keys help
    DebrisStats debris;          ///< not shown where its capacity is 0
    const PanelPalette *palette; ///< what one builds with; NULL: no bar
    IndexView *index;            ///< receives the plane that was chosen; NULL: not shown
} PanelFigures;

/// What the person chose.
typedef struct PanelChoices {
    bool shown, compare;
} PanelChoices;

/// @return NULL when the panel cannot be made. Handles the window's events behind callbacks that are already set.
Panel *panel_create(struct GLFWwindow *window);
/// @param panel  may be NULL
void panel_destroy(Panel *panel);

/// Draws into the window's own buffer.
/// @param overlay       what lies over the figures; its menu is filled in
/// @param mouse_caught  the mouse turns the camera and is not for the panel
/// @param scale         how large text is: 1 on a usual screen (Window's text_scale)
void panel_draw(Panel *panel, const PanelFigures *figures, PanelChoices *choices,
                const Overlay *overlay, bool mouse_caught, float scale);

/// Whether the mouse is over the panel.
bool panel_has_mouse(const Panel *panel);

#ifdef __cplusplus
}
#endif
#endif
