#include "app/demo_mode.h"

#include <string.h>

#include "assets.h"
#include "flight/replay.h"
#include "settings/command_line.h"

/// A built-in walk.
typedef struct DemoWalk {
    const char *preset, *text;
    const size_t *bytes;
} DemoWalk;

static const DemoWalk DEMO_WALKS[] = {
    {"default", asset_default_flight, &asset_default_flight_bytes},
    {"alps", asset_alps_flight, &asset_alps_flight_bytes},
    {"canyons", asset_canyons_flight, &asset_canyons_flight_bytes},
    {"islands", asset_islands_flight, &asset_islands_flight_bytes},
    {"flat", asset_flat_flight, &asset_flat_flight_bytes},
};

bool demo_is_due(Demo *demo, bool is_allowed, bool is_busy, double seconds)
{
    demo->idle = is_busy ? 0 : demo->idle + (seconds > 0 ? seconds : 0);
    return is_allowed && !demo->has_failed && demo->idle >= DEMO_IDLE_SECONDS;
}

static const DemoWalk *demo_walk_of(const char *preset)
{
    for (size_t i = 0; i < sizeof DEMO_WALKS / sizeof DEMO_WALKS[0]; i++) {
        if (strcmp(DEMO_WALKS[i].preset, preset) == 0) {
            return &DEMO_WALKS[i];
        }
    }
    return NULL;
}

bool demo_choose(Flight *flight, const FlightHead *here, const TrnTerrain *terrain, Message *why)
{
    const DemoWalk *const walk = demo_walk_of(here->preset);
    (void)message_set(why, "no walk was recorded for a land of your own");
    if (walk) {
        if (!flight_parse(flight, walk->preset, walk->text, *walk->bytes, why)) {
            return false;
        }
        if (replay_fits_land(flight, here, terrain, why)) {
            why->text[0] = '\0';
            return true;
        }
        flight_free(flight);
    }
    return flight_parse(flight, "the built-in flight", asset_first_flight, asset_first_flight_bytes,
                        why);
}

bool demo_begin(Demo *demo, const FlightHead *here, const TrnTerrain *terrain, Camera *camera,
                Message *news)
{
    Message why;
    demo_free(demo);
    news->text[0] = '\0';
    if (!demo_choose(&demo->flight, here, terrain, &why)) {
        *news = why;
        return false;
    }
    if (why.text[0]) {
        (void)message_set(news, "A flight, since the walk does not fit: %s.", why.text);
    }
    demo->before = *camera;
    demo->played = 0;
    (void)demo_move(demo, terrain, 0, camera);
    return true;
}

bool demo_move(Demo *demo, const TrnTerrain *terrain, double seconds, Camera *camera)
{
    double pose[5];
    const double duration = flight_duration(&demo->flight);
    const bool is_over = demo->played >= duration;
    demo->played = is_over ? 0 : demo->played + seconds;
    clearance_sample(&demo->clearance, &demo->flight, terrain, demo->played, pose);
    camera_set_pose(camera, pose);
    return is_over;
}

void demo_end(Demo *demo, Camera *camera)
{
    *camera = demo->before;
    demo_free(demo);
}

void demo_free(Demo *demo)
{
    flight_free(&demo->flight);
    demo->clearance = (Clearance){0};
    demo->idle = 0;
}

// ---- in a window --------------------------------------------------------------------------------

bool demo_open(Demo *demo, Session *session)
{
    const FlightHead here = command_line_flight_head(session->settings);
    Message news;
    const bool good = demo_begin(demo, &here, world_terrain(session->viewer.world),
                                 &session->viewer.camera, &news);
    if (good) {
        loading_begin(&session->loading, &session->viewer);
    } else {
        demo->has_failed = true;
    }
    if (news.text[0]) {
        notices_show(&session->notices, &news);
    }
    return good;
}

void demo_close(Demo *demo, Session *session)
{
    demo_end(demo, &session->viewer.camera);
    loading_begin(&session->loading, &session->viewer);
    notices_hide(&session->notices); // the notice is about the flight
}

bool demo_watch(Demo *demo, const Session *session, bool is_busy, double step)
{
    const bool is_allowed =
        session->settings->attract && !session->is_chosen && !open_world_has_file(&session->world);
    return demo_is_due(demo, is_allowed,
                       is_busy || !loading_has_land(&session->loading) ||
                           session->recorder.writer || !session->viewer.window.focused,
                       step);
}

void demo_step(Demo *demo, Session *session, double step)
{
    if (demo_move(demo, world_terrain(session->viewer.world), step, &session->viewer.camera)) {
        loading_begin(&session->loading, &session->viewer);
    }
}
