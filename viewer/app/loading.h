/// Whether the land that a mode needs before anything moves is loaded.
#pragma once

#include "scene/viewer.h"

typedef enum LoadingState {
    LOADING_LAND,  ///< the land around the camera loads, at the beginning or after a jump
    LOADING_READY, ///< all land that is needed is loaded
    LOADING_AHEAD  ///< the land around the camera is loaded, but not the land ahead
} LoadingState;

/// All zeroes: the land around the camera loads first.
typedef struct Loading {
    LoadingState state;
    float part;   ///< 0..1: how much of the land around the camera is loaded
    Message text; ///< what is loading; valid unless READY
} Loading;

/// Whether the land around the camera has loaded.
bool loading_has_land(const Loading *loading);

/// Checks whether the land around the camera is loaded; call it once a frame, before loading_wait.
/// @return loading_has_land
bool loading_watch(Loading *loading, const Viewer *viewer);

/// Reports that the land ahead is not loaded in this frame. @param what  a sentence that says so
void loading_wait(Loading *loading, const Message *what);

/// After the camera has jumped: waits for the land around it to load.
void loading_begin(Loading *loading, Viewer *viewer);
