/// What the page's script calls of the viewer, and what tests ask it. Main thread, between frames.
#ifndef TERRANE_VIEWER_PAGE_H
#define TERRANE_VIEWER_PAGE_H

#include <emscripten.h>

/// Writes what is unsaved into the world file, in memory; the script copies it into the browser's
/// storage. @return whether it could; if not, the page tells why
EMSCRIPTEN_KEEPALIVE int page_save(void);

/// Chooses the block of the bar at a point of the picture, as a finger does.
/// @param x,y  0..1, from its upper left corner. @return whether there is one
EMSCRIPTEN_KEEPALIVE int page_tap(float x, float y);

/// Stops drawing, or goes on: what is timed on the page needs the processor.
EMSCRIPTEN_KEEPALIVE void page_pause(int is_paused);

/// Whether the land around the start is loaded.
EMSCRIPTEN_KEEPALIVE int page_is_ready(void);

/// Where the camera is, as --at takes it: x,y,z,yaw,pitch. Valid until the next call.
EMSCRIPTEN_KEEPALIVE const char *page_place(void);

/// The block of a voxel, or -1 if it is not loaded.
EMSCRIPTEN_KEEPALIVE int page_block(int x, int y, int z);

enum {
    PAGE_FRAME_MS,     ///< of the last frame, without panels
    PAGE_CHUNKS,       ///< in the store
    PAGE_CHUNKS_DRAWN, ///< in the last frame
    PAGE_WORKERS,      ///< threads of the stream
    PAGE_LOADED,       ///< 1: all that is in view is loaded
    PAGE_UNSAVED,      ///< 1: a change is not in the world file yet
    PAGE_SLOT          ///< of the bar of blocks: the chosen one
};

/// @param figure  PAGE_*
EMSCRIPTEN_KEEPALIVE double page_figure(int figure);

#endif
