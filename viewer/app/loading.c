#include "app/loading.h"

#include <string.h>

#define LOADING_QUIET_DAMAGED 120 // updates without progress: the rest cannot be read

bool loading_has_land(const Loading *loading)
{
    return loading->state != LOADING_LAND;
}

bool loading_watch(Loading *loading, const Viewer *viewer)
{
    if (loading_has_land(loading)) {
        loading->state = LOADING_READY;
        return true;
    }
    const TrnStreamReadiness land = world_readiness(viewer->world, viewer->camera.position);
    loading->part = land.chunks ? (float)land.shown / (float)land.chunks : 0;
    (void)message_set(&loading->text, "Loading the land: %llu of %llu chunks",
                      (unsigned long long)land.shown, (unsigned long long)land.chunks);
    // Memory or the graphics card may be too small for all chunks, and a world file may be damaged.
    if (land.is_shown || world_is_idle(viewer->world) ||
        (keep_stats(viewer->keep).is_damaged &&
         world_quiet_updates(viewer->world) > LOADING_QUIET_DAMAGED)) {
        loading->state = LOADING_READY;
    }
    return loading_has_land(loading);
}

void loading_wait(Loading *loading, const Message *what)
{
    loading->state = LOADING_AHEAD;
    loading->text = *what;
}

void loading_begin(Loading *loading, Viewer *viewer)
{
    loading->state = LOADING_LAND;
    memset(viewer->velocity, 0, sizeof viewer->velocity);
    // Until the world knows the new place, it reports that the old place is fully loaded.
    viewer_update(viewer, (TrnStreamBudget){.units = 1}, NULL);
}
