/// Walking: the camera is the eyes of a body that stands on the ground, and waits where the ground is not there yet.
#ifndef TERRANE_VIEWER_WALK_H
#define TERRANE_VIEWER_WALK_H

#include <terrane/body.h>

#include "camera.h"
#include "world.h"

#define WALK_EYES 1.62 ///< above the body's bottom, voxels

typedef struct Walk {
    TrnBody body;
    TrnStreamReadiness ground; ///< around the body, at the last step
    double eyes_lag; ///< how far the eyes are still below where they belong, after a step up
} Walk;

/// What a person wants in one step.
typedef struct WalkWish {
    float right, forward; ///< -1..1
    bool up, down;        ///< jump, swim or climb up; sneak, or swim down
    bool fast;
} WalkWish;

/// A body under a camera.
Walk walk_begin(const Camera *camera);

/// Moves body and camera, unless the chunks around the body are not there: then both stay as they are.
/// @param seconds  0..TRN_BODY_STEP_MAX
/// @return whether the ground was there
bool walk_step(Walk *walk, const World *world, Camera *camera, const WalkWish *wish,
               double seconds);

#endif
