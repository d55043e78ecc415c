#include "app/map_mode.h"

#include <math.h>
#include <string.h>

#include <terrane/coord.h>

#define MAP_WORK_MS 6.0      // of a frame
#define MAP_WORK_PART 0.2    // of a slow frame, if that is more
#define MAP_SPEED 500.0      // pixels of the map a second, by keys and sticks
#define MAP_STEP_SECONDS 0.1 // longest step: a tap in a slow frame moves no further
#define MAP_SLOW_SECONDS 0.5 // longest frame that counts
#define MAP_FIRST_ZOOM 2     // 4 voxels a pixel
#define MAP_AT_PLAYER 1.0    // voxels: a cross this close to the player names the player's place

static void map_player(const Session *session, double voxel[3])
{
    const Camera feet = {.position = session->person.player.pose.feet};
    camera_voxel(&feet, voxel);
}

/// The chunks that may be loaded in full detail.
static TrnBox map_loaded(const Session *session)
{
    const int32_t reach = settings_detail_distance(session->settings) + 2;
    return trn_box_around(session->viewer.camera.position.chunk, reach, reach, reach);
}

bool map_mode_begin(MapMode *map, Session *session)
{
    double voxel[3];
    if (!map->tiles) {
        map->tiles = world_map_create(&session->viewer.seen);
        map->view.zoom = MAP_FIRST_ZOOM;
    }
    if (!map->tiles) {
        notices_say(&session->notices, "Out of memory for the map.");
        return false;
    }
    person_release(&session->person);
    window_catch_mouse(&session->viewer.window, false);
    map_player(session, voxel);
    map->view.center[0] = map->aim[0] = voxel[0];
    map->view.center[1] = map->aim[1] = voxel[2];
    map->right = map->down = map->zoom = 0;
    world_map_refresh(map->tiles, map_loaded(session));
    return true;
}

void map_mode_end(Session *session)
{
    window_catch_mouse(&session->viewer.window, true);
}

void map_mode_free(MapMode *map)
{
    world_map_destroy(map->tiles);
    *map = (MapMode){0};
}

// ---- moving -------------------------------------------------------------------------------------

Input map_mode_input(MapMode *map, const Input *input, bool has_wheel)
{
    const int bumpers = input->presses[INPUT_PALETTE_PREVIOUS] - input->presses[INPUT_PALETTE_NEXT];
    Input left = input_of_program(input);
    left.presses[INPUT_MAP] = input->presses[INPUT_MAP];
    map->right = fmaxf(fminf(map->right + input->right, 1), -1);
    map->down = fmaxf(fminf(map->down - input->forward, 1), -1);
    map->zoom += (float)(input->presses[INPUT_FASTER] - input->presses[INPUT_SLOWER] +
                         (has_wheel ? 0 : bumpers));
    return left;
}

static double map_clamp(double voxel)
{
    return fmin(fmax(voxel, (double)TRN_VOXEL_MIN), (double)TRN_VOXEL_MAX);
}

static void map_keep_inside(MapMode *map)
{
    for (int axis = 0; axis < 2; axis++) {
        map->view.center[axis] = map_clamp(map->view.center[axis]);
        map->aim[axis] = map_clamp(map->aim[axis]);
    }
}

void map_mode_step(MapMode *map, Session *session, double seconds)
{
    (void)session;
    WorldMapView *view = &map->view;
    const int zoom = view->zoom - (int)map->zoom;
    view->zoom = zoom < 0 ? 0 : zoom < WORLD_MAP_ZOOMS ? zoom : WORLD_MAP_ZOOMS - 1;
    if (map->right != 0 || map->down != 0) {
        const double way =
            MAP_SPEED * fmin(seconds, MAP_STEP_SECONDS) * (double)world_map_scale(view->zoom);
        view->center[0] += (double)map->right * way;
        view->center[1] += (double)map->down * way;
        memcpy(map->aim, view->center, sizeof map->aim);
    }
    map->right = map->down = map->zoom = 0;
    map_keep_inside(map);
    const double part = fmin(seconds, MAP_SLOW_SECONDS) * 1e3 * MAP_WORK_PART;
    map->is_drawing = world_map_work(map->tiles, view, fmax(MAP_WORK_MS, part));
}

// ---- the panel ----------------------------------------------------------------------------------

static void map_set_keys(const Session *session, Message *keys)
{
    if (session->touches) {
        (void)message_set(keys, "Drag to move, tap to aim, + and - zoom.");
        return;
    }
    static const InputAction actions[] = {INPUT_FORWARD, INPUT_LEFT,   INPUT_BACK, INPUT_RIGHT,
                                          INPUT_FASTER,  INPUT_SLOWER, INPUT_MAP};
    InputLabel labels[sizeof actions / sizeof actions[0]];
    for (size_t i = 0; i < sizeof actions / sizeof actions[0]; i++) {
        labels[i] = session_key(session, actions[i]);
    }
    (void)message_set(keys,
                      "%s %s %s %s or drag: move   %s %s or wheel: zoom   click: aim   "
                      "double click: travel   %s: close",
                      labels[0].text, labels[1].text, labels[2].text, labels[3].text,
                      labels[4].text, labels[5].text, labels[6].text);
}

MapFigures map_mode_figures(MapMode *map, const Session *session)
{
    double voxel[3];
    map_player(session, voxel);
    map_set_keys(session, &map->keys);
    return (MapFigures){
        .tiles = map->tiles,
        .view = map->view,
        .places = &session->world.places,
        .aim = {map->aim[0], map->aim[1]},
        .player = {voxel[0], voxel[2]},
        .yaw = (double)session->viewer.camera.yaw,
        .keys = map->keys.text,
        .note = open_world_places_note(&session->world),
        .is_drawing = map->is_drawing,
    };
}

// ---- places and ways ----------------------------------------------------------------------------

static bool map_aims_at_player(const MapMode *map, const Session *session)
{
    double voxel[3];
    map_player(session, voxel);
    return hypot(voxel[0] - map->aim[0], voxel[2] - map->aim[1]) < MAP_AT_PLAYER;
}

/// Finds where a body stands at the cross: at a place, or on the ground.
static bool map_find_feet(const MapMode *map, const Session *session, double feet[3])
{
    const Places *places = &session->world.places;
    int64_t y = 0;
    for (size_t i = 0; i < places->count; i++) {
        const double *voxel = places->at[i].voxel;
        if (voxel[0] == map->aim[0] && voxel[2] == map->aim[1]) {
            memcpy(feet, voxel, sizeof places->at[i].voxel);
            return true;
        }
    }
    feet[0] = floor(map->aim[0]) + 0.5;
    feet[2] = floor(map->aim[1]) + 0.5;
    const bool has_ground = seen_land_ground(&session->viewer.seen, (int64_t)floor(feet[0]),
                                             (int64_t)floor(feet[2]), &y);
    feet[1] = (double)y;
    return has_ground;
}

/// Puts the player on the ground at the cross; who stands there stays.
/// @return false if there is no ground
static bool map_travel(const MapMode *map, Session *session)
{
    Camera *camera = &session->viewer.camera;
    double pose[5];
    if (map_aims_at_player(map, session) && session->person.player.mode == PLAYER_MODE_FOOT) {
        return true;
    }
    if (!map_find_feet(map, session, pose)) {
        notices_say(&session->notices, "There is no ground.");
        return false;
    }
    pose[1] += PLAYER_EYES;
    pose[3] = (double)camera->yaw;
    pose[4] = (double)camera->pitch;
    camera_set_pose(camera, pose);
    person_put(&session->person, camera);
    player_set_mode(&session->person.player, PLAYER_MODE_FOOT);
    loading_begin(&session->loading, &session->viewer);
    return true;
}

static void map_add_place(MapMode *map, Session *session, const char *name)
{
    double feet[3];
    if (map_aims_at_player(map, session)) {
        map_player(session, feet);
    } else if (!map_find_feet(map, session, feet)) {
        feet[1] = 0; // a place without ground can still be found
    }
    if (session->world.places.count == PLACES_MAX) {
        notices_say(&session->notices, "A world has at most %d places: delete one.", PLACES_MAX);
    } else if (places_add(&session->world.places, name, feet)) {
        map->aim[0] = feet[0]; // chooses it
        map->aim[1] = feet[2];
        open_world_note_places(&session->world);
    }
}

bool map_mode_take(MapMode *map, Session *session, const MapChoice *choice)
{
    Places *places = &session->world.places;
    map->view = choice->view;
    memcpy(map->aim, choice->aim, sizeof map->aim);
    map_keep_inside(map);
    switch (choice->act) {
    case MAP_CLOSE:
        return true;
    case MAP_TRAVEL:
        return map_travel(map, session);
    case MAP_ADD:
        map_add_place(map, session, choice->name);
        break;
    case MAP_RENAME:
        if (choice->place >= 0 && places_rename(places, (size_t)choice->place, choice->name)) {
            open_world_note_places(&session->world);
        }
        break;
    case MAP_REMOVE:
        if (choice->place >= 0) {
            places_remove(places, (size_t)choice->place);
            open_world_note_places(&session->world);
        }
        break;
    default:
        break;
    }
    return false;
}
