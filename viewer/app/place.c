#include "app/place.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "player/lookout.h"
#include "program.h"
#include "settings/share.h"

#define PLACE_HEIGHT_PART 0.15 // of the view distance: the greatest height above land

/// If land is generated, finds a lookout near the origin where the player begins.
static bool place_find_lookout(const Session *session, double pose[5])
{
    const WorldFacts *facts = keep_facts(session->viewer.keep);
    return (!facts || facts->has_terrain) &&
           lookout_find(world_terrain(session->viewer.world), 0, 0, pose);
}

bool place_camera(Session *session, const Flight *flight, bool is_flown)
{
    const Settings *settings = session->settings;
    Viewer *viewer = &session->viewer;
    TrnTerrain *terrain = world_terrain(viewer->world);
    const bool is_placed = settings->placed && !is_flown;
    const bool is_lookout = !settings->placed && !is_flown;
    Clearance clearance = {0};
    double pose[5];
    clearance_sample(&clearance, flight, terrain, 0, pose);
    const bool has_lookout = is_lookout && place_find_lookout(session, pose);
    if (is_lookout && !has_lookout) {
        const double seen = PLACE_HEIGHT_PART * settings_detail_distance(settings) * TRN_CHUNK_EDGE;
        pose[1] = fmin(pose[1], clearance_lowest(&clearance, flight, terrain, 0) + seen);
    }
    if (is_placed) {
        Message news;
        viewer_place(viewer, &news);
        memcpy(pose, viewer->at, sizeof pose);
        if (news.text[0]) {
            notices_show(&session->notices, &news);
        }
    }
    viewer->camera = camera_at(pose);
    viewer->camera.field_of_view = (float)settings->field_of_view;
    return has_lookout;
}

void place_sun(Session *session)
{
    Settings wished = *session->settings;
    const Setting *hours = settings_row_of(&wished, &wished.hours);
    const Settings usual = settings_default();
    if (!settings_is_given(session->settings, &session->settings->hours) &&
        !option_differs(hours, &wished, &usual)) {
        wished.hours = lookout_hours((double)session->viewer.camera.yaw);
        session_change_unsaved(session, &wished);
    }
}

/// Writes a link to the camera's place. @return false if the land has none
static bool place_link(const Session *session, char link[SHARE_BYTES])
{
    const WorldFacts *facts = keep_facts(session->viewer.keep);
    const Settings *settings = session->settings;
    const Camera *camera = &session->viewer.camera;
    Share share = {.preset = share_preset(&settings->shape),
                   .land_version = settings->land_version,
                   .seed = settings->seed,
                   .hours = settings->hours};
    if (!share.preset || (facts && !facts->has_terrain)) {
        return false;
    }
    camera_voxel(camera, share.at);
    share.at[3] = (double)camera->yaw;
    share.at[4] = (double)camera->pitch;
    share_write(&share, link);
    return true;
}

void place_print(const Session *session, const char *words)
{
    const Camera *camera = &session->viewer.camera;
    char link[SHARE_BYTES];
    double voxel[3];
    camera_voxel(camera, voxel);
    if (place_link(session, link)) {
        program_print("%s with: terrane-viewer %s", words, link);
    } else {
        program_print("%s with: --at=%.2f,%.2f,%.2f,%.1f,%.1f", words, voxel[0], voxel[1], voxel[2],
                      (double)camera->yaw, (double)camera->pitch);
    }
    (void)fflush(stdout);
}

void place_print_end(const Session *session)
{
    const char *world = session->settings->world;
    const bool has_file = world && !trn_storage_is_url(world); // a URL may have a password
    if (has_file) {
        program_print("Your world again with: terrane-viewer --world '%s'", world);
    }
    char link[SHARE_BYTES];
    if (!has_file) {
        place_print(session, "Here again");
    } else if (place_link(session, link)) { // an imported world has only its file
        place_print(session, "Its land without your changes");
    }
}

void place_share(Session *session)
{
    if (!place_link(session, session->copied)) {
        notices_say(&session->notices, "No link can name this land: only presets have links.");
        return;
    }
    glfwSetClipboardString(session->viewer.window.handle, session->copied);
    program_print("%s", session->copied);
    (void)fflush(stdout);
    notices_say(&session->notices, "Copied %s", session->copied);
}
