/// World, renderer and window, and how they draw one frame. app/ and headless/ use it.
#pragma once

#include "debris/debris.h"
#include "flight/flight.h"
#include "gather/gather_compare.h"
#include "index_view/index_view.h"
#include "map/seen_land.h"
#include "player/others.h"
#include "render/camera.h"
#include "render/renderer.h"
#include "settings/settings.h"
#include "window/window.h"
#include "world/trace_writer.h"
#include "world/world.h"

/// How far chunks of a level may be loaded, in chunks of the level.
typedef struct ViewerReach {
    int32_t radius, height;
} ViewerReach;

typedef struct Viewer {
    const Settings *settings; ///< borrowed; change while the viewer runs (settings_apply.h)
    Window window;
    TrnBlockTypes *types;
    Renderer *renderer;
    Keep *keep; ///< of the world's chunks: a world file, or memory
    World *world;
    SeenLand seen; ///< what the map shows
    GatherCompare compare;
    Debris *debris;     ///< of dug blocks; NULL: out of memory
    TraceWriter *trace; ///< NULL: no trace is recorded
    Camera camera;
    double at[5];           ///< the place of --at, moved out of rock
    double velocity[3];     ///< of the camera, voxels a second
    double seconds;         ///< animates water and clouds
    double upload_us;       ///< of the last update: uploading quads
    float blur;             ///< as RendererFrame.blur
    const Outline *outline; ///< of the target block; NULL: none
    uint32_t refused;       ///< chunks that did not fit on the graphics card in the last frame
    uint32_t losses;        ///< how often the driver has lost its objects, and they were created
                            ///< again
    Others others;          ///< players of a shared world
    IndexView index;        ///< the indexes of store and stream
    ChunkLife life;         ///< history of the chunk clicked in the index view
    ViewerReach reaches[TRN_FAR_LEVEL_MAX + 1]; ///< of each level
} Viewer;

/// Reads the flight that the settings name, or the built-in one, and takes over land and place from
/// the flight and the world file.
/// @param flight  receives the flight, if PROGRAM_GOOD
/// @return the exit code, with the reason unless PROGRAM_GOOD
int viewer_prepare(Settings *settings, Flight *flight, Message *problem);

/// Opens the window and creates everything in it. `viewer` must not move until viewer_close.
/// @param settings  receive the kind of driver
/// @param window    is taken over if its handle is not NULL; NULL: a window is opened
bool viewer_open(Viewer *viewer, Settings *settings, Window *window, Message *problem);

/// Takes over the place from the settings. @param news  receives a sentence if --at is inside rock;
/// otherwise empty
void viewer_place(Viewer *viewer, Message *news);

/// Call it also if viewer_open has failed.
void viewer_close(Viewer *viewer);

typedef enum ViewerChange {
    VIEWER_CHANGED,
    VIEWER_KEPT, ///< the change failed, and nothing changed
    VIEWER_LOST  ///< no memory is left for any world: the program must end
} ViewerChange;

/// Changes the view distance, view height, number of workers or memory limit while the viewer runs.
/// The place and all edits are kept. Other workers, another limit, and a view larger than any
/// before reload all chunks, over the next updates. On VIEWER_CHANGED the caller changes
/// viewer->settings accordingly, before the next frame.
/// @param wished    the new settings
/// @param problem   receives the reason, unless VIEWER_CHANGED
ViewerChange viewer_change(Viewer *viewer, const Settings *wished, Message *problem);

/// Loads and meshes the chunks that the camera needs.
/// @param report  may be NULL
void viewer_update(Viewer *viewer, TrnStreamBudget budget, TrnStreamReport *report);

/// Records changes of the indexes, and updates the index view if it is shown; once a frame, between
/// viewer_update and viewer_draw.
/// @param seconds  on a clock that does not pause
void viewer_watch_index(Viewer *viewer, double seconds);
/// The same, but updates the index view in any case if it is shown.
void viewer_look_at_index(Viewer *viewer, double seconds);

/// Gathers the chunks around the camera, and draws the visible ones.
bool viewer_draw(Viewer *viewer, Message *problem);

/// Whether the driver has lost all its objects, for example after a reset of the graphics card:
/// then viewer_draw fails until viewer_renew. Call it once a frame, before viewer_draw.
bool viewer_is_lost(Viewer *viewer);

/// Creates window, renderer and quads again after a loss, and reports the loss on stderr. The
/// chunks stay; the next updates mesh them again, near ones first. The caller must first destroy
/// its own objects of the old window (a panel).
/// @return false if that fails, or if there were too many losses
bool viewer_renew(Viewer *viewer, Message *problem);

/// The box of chunks that a frame gathers.
TrnBox viewer_box(const Viewer *viewer);

/// Writes the last picture into the --out folder.
/// @param is_window  writes the window's framebuffer with the panels instead, before it is shown
/// @param is_taken   receives whether a file has the name, which stays; NULL: it is replaced
bool viewer_write_picture(const Viewer *viewer, int width, int height, const char *name,
                          bool is_window, bool *is_taken, Message *problem);

/// Renames the recorded trace, if any, into place; viewer_close deletes an unfinished trace. Prints
/// to standard error what was recorded.
bool viewer_finish_trace(Viewer *viewer, Message *problem);

/// Prints a warning about chunks that do not fit on the graphics card, when there are any for the
/// first time; call it once a frame.
void viewer_warn_refused(Viewer *viewer);
