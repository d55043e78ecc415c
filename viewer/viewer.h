/// The parts of the viewer together, and one frame of them. headless.c and interactive.c run it.
#ifndef TERRANE_VIEWER_VIEWER_H
#define TERRANE_VIEWER_VIEWER_H

#include "chunk_life.h"
#include "debris/debris.h"
#include "flight/flight.h"
#include "gather/gather_compare.h"
#include "index_view/index_view.h"
#include "others.h"
#include "render/camera.h"
#include "render/renderer.h"
#include "settings/settings.h"
#include "window/window.h"
#include "world/trace_writer.h"
#include "world/world.h"

/// How far chunks of a level may be loaded, in its chunks.
typedef struct ViewerReach {
    int32_t radius, height;
} ViewerReach;

typedef struct Viewer {
    const Settings *settings; ///< borrowed; they change while the viewer runs (settings_apply.h)
    Window window;
    TrnBlockTypes *types;
    Renderer *renderer;
    Keep *keep; ///< of the world's chunks: a world file, or memory
    World *world;
    GatherCompare compare;
    Debris *debris;     ///< of dug blocks; NULL: there was no memory for it
    TraceWriter *trace; ///< NULL: nothing is recorded
    Camera camera;
    double at[5];           ///< the place of --at, out of rock
    double velocity[3];     ///< of the camera, voxels a second
    double seconds;         ///< moves water and clouds
    double upload_us;       ///< of the last update: quads on their way to the graphics card
    float blur;             ///< as RendererFrame.blur
    const Outline *outline; ///< what is aimed at; NULL: nothing
    uint32_t losses;        ///< how often the driver has lost everything, and it was created again
    Others others;          ///< players of a shared world
    IndexView index;        ///< the indexes of store and stream
    ChunkLife life;         ///< of the chunk that was clicked on in the index view
    ViewerReach reaches[TRN_FAR_LEVEL_MAX + 1]; ///< of each level
} Viewer;

/// Opens the window and makes everything in it. `viewer` must stay where it is until viewer_close.
/// @param settings  learn what kind of driver there is
bool viewer_open(Viewer *viewer, Settings *settings, Message *problem);

/// Takes up the place of the settings. @param news  receives a sentence if --at is inside rock;
/// else empty
void viewer_place(Viewer *viewer, Message *news);

/// Also after viewer_open has failed.
void viewer_close(Viewer *viewer);

typedef enum ViewerChange {
    VIEWER_CHANGED,
    VIEWER_KEPT, ///< it could not be; all is as it was
    VIEWER_LOST  ///< there is no world any more, for want of memory: the program has to end
} ViewerChange;

/// Takes up another view distance, view height, number of workers or memory limit while all runs
/// on. The place and all edits are kept. Other workers, another limit, and a view larger than any
/// before load all chunks again, over the next updates. On VIEWER_CHANGED the caller changes
/// viewer->settings accordingly, before the next frame.
/// @param wished    the settings to be
/// @param problem   receives why not, unless VIEWER_CHANGED
ViewerChange viewer_change(Viewer *viewer, const Settings *wished, Message *problem);

/// Loads and meshes what the camera wants to see.
/// @param report  may be NULL
void viewer_update(Viewer *viewer, TrnStreamBudget budget, TrnStreamReport *report);

/// Notes what has become of the indexes, and looks at them where they are shown; once a frame,
/// between viewer_update and viewer_draw.
/// @param seconds  on a clock that goes on
void viewer_watch_index(Viewer *viewer, double seconds);
/// The same, but looks in any case where they are shown.
void viewer_look_at_index(Viewer *viewer, double seconds);

/// Gathers the chunks around the camera, and draws those in the picture.
bool viewer_draw(Viewer *viewer, Message *problem);

/// Whether the driver has lost all that was made with it, as after a reset of the graphics card:
/// viewer_draw fails then until viewer_renew. To be asked once a frame, before it.
bool viewer_is_lost(Viewer *viewer);

/// Creates window, renderer and quads again after a loss, and says on stderr what happened. The
/// chunks stay; they are meshed again by the updates that follow, near ones first. What others have
/// made with the old window (a panel) must have been given up before.
/// @return false when that cannot be done, or was done too often
bool viewer_renew(Viewer *viewer, Message *problem);

/// The box of chunks that a frame gathers.
TrnBox viewer_box(const Viewer *viewer);

/// Writes the last picture into the --out folder.
bool viewer_write_picture(const Viewer *viewer, int width, int height, const char *name,
                          Message *problem);

/// The same of the window's own buffer, panels and all, before it is shown.
bool viewer_write_window(const Viewer *viewer, int width, int height, const char *name,
                         Message *problem);

/// Puts the recorded trace, if there is one, in its place; what was not finished is gone after
/// viewer_close. Tells on standard error what was recorded.
bool viewer_finish_trace(Viewer *viewer, Message *problem);

/// Tells about chunks that are not shown for want of room on the graphics card; once on every
/// change.
void viewer_warn_refused(const Viewer *viewer, uint32_t *warned);

#endif
