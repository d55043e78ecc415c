/// The viewer's functions for the page's script and for tests. Main thread, between frames.
#pragma once

#include <emscripten.h>

/// Writes unsaved changes into the world file, in memory; the script copies the file into the
/// browser's storage. @return whether it succeeded; if not, the page shows the reason
EMSCRIPTEN_KEEPALIVE int page_save(void);

/// Chooses the block of the bar at a point of the picture, like a tap.
/// 0..1, from the upper left corner. @return whether the point is on the bar
EMSCRIPTEN_KEEPALIVE int page_tap(float x, float y);

/// Stops or resumes drawing, so that timed work on the page has the processor.
EMSCRIPTEN_KEEPALIVE void page_pause(int is_paused);

/// Whether the land around the start is loaded.
EMSCRIPTEN_KEEPALIVE int page_is_ready(void);

/// Returns the camera's place in the format of --at: x,y,z,yaw,pitch. Valid until the next call.
EMSCRIPTEN_KEEPALIVE const char *page_place(void);

/// Returns the block of a voxel, or -1 if its chunk is not loaded.
EMSCRIPTEN_KEEPALIVE int page_block(int x, int y, int z);

enum {
    PAGE_FRAME_MS,     ///< of the last frame, without panels
    PAGE_CHUNKS,       ///< in the store
    PAGE_CHUNKS_DRAWN, ///< in the last frame
    PAGE_WORKERS,      ///< threads of the stream
    PAGE_LOADED,       ///< 1: the whole view is loaded
    PAGE_UNSAVED,      ///< 1: the world file lacks a change
    PAGE_SLOT          ///< the chosen slot of the bar
};

/// @param figure  PAGE_*
EMSCRIPTEN_KEEPALIVE double page_figure(int figure);
