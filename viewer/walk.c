#include "walk.h"

#include <math.h>

#define RUN_FACTOR 2.0
#define GROUND_REACH 4   // voxels around the body that have to be there: more than a step takes it
#define EYES_FOLLOW 12.0 // 1/s: how fast the eyes follow the body up a step

Walk walk_begin(const Camera *camera)
{
    Walk walk = {0};
    walk.body.position = trn_position_add(camera->position, (const double[3]){0, -WALK_EYES, 0});
    return walk;
}

static bool ground_is_there(Walk *walk, const World *world)
{
    const TrnVoxel at = trn_position_voxel(walk->body.position);
    walk->ground = trn_stream_readiness(
        world_stream(world),
        (TrnVoxel){at.x - GROUND_REACH, at.y - GROUND_REACH, at.z - GROUND_REACH},
        (TrnVoxel){at.x + GROUND_REACH, at.y + GROUND_REACH, at.z + GROUND_REACH});
    return walk->ground.is_there;
}

/// Along the ground, wherever the camera looks up or down to.
static TrnBodyWish body_wish(const Camera *camera, const WalkWish *wish)
{
    const Camera level = {.yaw = camera->yaw};
    vec3 right, up, forward;
    camera_axes(&level, right, up, forward);
    TrnBodyWish made = {.jump = wish->up, .sneak = wish->down};
    for (int axis = 0; axis < 3; axis++) {
        made.walk[axis] = (double)(right[axis] * wish->right + forward[axis] * wish->forward);
    }
    made.walk[1] = wish->down ? -1 : 0; // only where it swims or climbs
    return made;
}

bool walk_step(Walk *walk, const World *world, Camera *camera, const WalkWish *wish, double seconds)
{
    if (!ground_is_there(walk, world)) {
        return false;
    }
    TrnBodyDef def = trn_body_def();
    def.step_height = 1;
    def.walk_speed *= wish->fast ? RUN_FACTOR : 1;
    def.swim_speed *= wish->fast ? RUN_FACTOR : 1;
    const TrnBodyWish made = body_wish(camera, wish);
    // Errors are numbers out of range, which there are none of.
    (void)trn_body_step(world_store(world), &def, &walk->body, &made, seconds);
    walk->eyes_lag = (walk->eyes_lag + walk->body.step_height) * exp(-EYES_FOLLOW * seconds);
    camera_place(camera, trn_position_add(walk->body.position,
                                          (const double[3]){0, WALK_EYES - walk->eyes_lag, 0}));
    return true;
}
