#include "player/player.h"

#include <math.h>
#include <string.h>

// Smoothed values keep this part of their distance in each step: exp(-rate * PLAYER_STEP), as
// literals, because libm rounds differently between machines.
#define EYES_KEEP 0.9048374180359595   // 12 a second: climbing a step
#define CROUCH_KEEP 0.8824969025845955 // 15 a second
#define FLY_KEEP 0.9200444146293232    // 10 a second: flight starts and stops smoothly
#define BOB_KEEP 0.9355069850316178    // 8 a second

#define STRIDE 3.2        // voxels walked for a step of each foot, which is one swing sideways
#define BOB_LIFT 0.05     // voxels
#define BOB_SIDEWAYS 0.04 // voxels
#define GROUND_REACH 5    // voxels: more than a second of walking
#define WHOLE_TURN 360.0
#define DIRECTION_GRID 0x1p30 // directions are rounded to it, since libm differs beyond

// ---- input --------------------------------------------------------------------------------------

static double cut_wish(double value)
{
    return isfinite(value) ? fmin(fmax(value, -1), 1) : 0;
}

static double clean_yaw(double degrees)
{
    return isfinite(degrees) ? fmod(degrees, WHOLE_TURN) : 0;
}

static double clean_pitch(double degrees)
{
    return isfinite(degrees) ? fmin(fmax(degrees, -90), 90) : 0;
}

static PlayerWish clean_wish(const PlayerWish *wish)
{
    PlayerWish clean = *wish;
    clean.right = cut_wish(wish->right);
    clean.forward = cut_wish(wish->forward);
    clean.up = cut_wish(wish->up);
    clean.yaw = clean_yaw(wish->yaw);
    clean.pitch = clean_pitch(wish->pitch);
    return clean;
}

/// Sine or cosine of degrees, equal on every machine.
static double round_direction(double part)
{
    return rint(part * DIRECTION_GRID) / DIRECTION_GRID;
}

typedef struct PlayerAxes {
    double right[3];   ///< horizontal
    double forward[3]; ///< horizontal
    double look[3];    ///< with the pitch
} PlayerAxes;

static PlayerAxes axes_of(double yaw, double pitch)
{
    const double radians = acos(-1) / 180;
    const double c = round_direction(cos(yaw * radians)), s = round_direction(sin(yaw * radians));
    const double level = round_direction(cos(pitch * radians));
    const double up = round_direction(sin(pitch * radians));
    return (PlayerAxes){{c, 0, s}, {s, 0, -c}, {s * level, up, -c * level}};
}

/// Shortens a vector to length 1 if it is longer.
static void cut_direction(double direction[3])
{
    const double square =
        direction[0] * direction[0] + direction[1] * direction[1] + direction[2] * direction[2];
    for (int axis = 0; axis < 3 && square > 1; axis++) {
        direction[axis] /= sqrt(square);
    }
}

// ---- the picture --------------------------------------------------------------------------------

static PlayerPose pose_of(const Player *player)
{
    const double amount = player->settings.bob * player->bobbing;
    const double turn = acos(-1) * player->stride / STRIDE;
    return (PlayerPose){
        .feet = player->body.position,
        .eyes = PLAYER_EYES - (PLAYER_EYES - PLAYER_EYES_SNEAKING) * player->crouch - player->lag,
        .sideways = amount * BOB_SIDEWAYS * sin(turn),
        .lift = -amount * BOB_LIFT * fabs(cos(turn)),
    };
}

static double mix(double a, double b, double part)
{
    return a + (b - a) * part;
}

void player_camera(const Player *player, double yaw, double pitch, Camera *camera)
{
    const double part = player->left / PLAYER_STEP;
    const PlayerPose *const from = &player->before, *const to = &player->pose;
    double by[3];
    trn_position_difference(to->feet, from->feet, by);
    const PlayerAxes axes = axes_of(clean_yaw(yaw), 0);
    const double sideways = mix(from->sideways, to->sideways, part);
    for (int axis = 0; axis < 3; axis++) {
        by[axis] = by[axis] * part + axes.right[axis] * sideways;
    }
    by[1] += mix(from->eyes + from->lift, to->eyes + to->lift, part);
    *camera = (Camera){.yaw = 0};
    camera_place(camera, trn_position_add(from->feet, by));
    camera_turn(camera, (float)clean_yaw(yaw), (float)clean_pitch(pitch));
}

// ---- a player -----------------------------------------------------------------------------------

PlayerSettings player_settings(void)
{
    return settings_default().player;
}

bool player_settings_clamp(PlayerSettings *settings, Message *what)
{
    Settings all = settings_default();
    bool is_good = true;
    all.player = *settings;
    for (const Setting *row = settings_row(0); row->name; row++) {
        if (strcmp(row->section, "player") != 0 || row->kind != SETTING_NUMBER) {
            continue;
        }
        const double number = setting_number(row, &all);
        setting_set_number(row, &all, number);
        const double good = setting_number(row, &all);
        if (good != number && is_good && what) {
            (void)message_set(what, "%s is a number from %g to %g, not %g; it is %g now.",
                              row->name, row->low, row->high, number, good);
        }
        is_good = is_good && good == number;
    }
    *settings = all.player;
    return is_good;
}

static void clamp_settings(Player *player, const PlayerSettings *settings)
{
    player->settings = settings ? *settings : player_settings();
    player_settings_clamp(&player->settings, NULL);
}

Player player_begin(const PlayerSettings *settings, TrnPosition feet)
{
    Player player = {.mode = PLAYER_MODE_FOOT};
    clamp_settings(&player, settings);
    player_put(&player, feet);
    return player;
}

void player_set(Player *player, const PlayerSettings *settings)
{
    clamp_settings(player, settings);
}

void player_put(Player *player, TrnPosition feet)
{
    // Adds the offsets to a valid position, so that the sum is in range.
    const TrnPosition corner = {.chunk = feet.chunk};
    player->body = (TrnBody){.position = trn_position_add(corner, feet.offset)};
    player->lag = player->bobbing = player->stride = player->left = 0;
    player->jump_waits = false;
    player->pose = pose_of(player);
    player->before = player->pose;
}

void player_put_eyes(Player *player, const Camera *camera)
{
    player->crouch = 0;
    player_put(player, trn_position_add(camera->position, (const double[3]){0, -PLAYER_EYES, 0}));
}

void player_set_mode(Player *player, PlayerMode mode)
{
    if (mode == player->mode || mode < PLAYER_MODE_FOOT || mode >= PLAYER_MODE_COUNT) {
        return;
    }
    player->mode = mode;
    player->body = (TrnBody){.position = player->body.position};
}

const char *player_mode_name(PlayerMode mode)
{
    static const char *const names[PLAYER_MODE_COUNT] = {"on foot", "flying", "through everything"};
    return mode >= PLAYER_MODE_FOOT && mode < PLAYER_MODE_COUNT ? names[mode] : "nowhere";
}

// ---- on foot ------------------------------------------------------------------------------------

static TrnBodyDef body_def(const Player *player, const PlayerWish *wish)
{
    const PlayerSettings *const settings = &player->settings;
    const double sprint = wish->sprint && !wish->sneak ? settings->sprint_factor : 1;
    TrnBodyDef def = trn_body_def();
    // Sneaking must not go over an edge that the body could not climb again, so it climbs nothing.
    def.step_height = wish->sneak ? 0 : settings->step_height;
    def.gravity = settings->gravity;
    def.buoyancy = settings->gravity * 1.25; // floats with a fifth of its height above the surface
    def.jump_speed = sqrt(2 * settings->gravity * settings->jump_height);
    def.walk_speed = settings->walk_speed * (wish->sneak ? settings->sneak_factor : sprint);
    def.swim_speed = settings->swim_speed * sprint;
    def.climb_speed = settings->climb_speed;
    return def;
}

/// Climbs a ladder: jump climbs up, and so does walking against the wall; looking steeply down,
/// walking climbs down.
static double climb_wish(const Player *player, const PlayerWish *wish)
{
    const bool *const hit = player->body.hit;
    const bool is_at_wall =
        hit[TRN_FACE_NEG_X] || hit[TRN_FACE_POS_X] || hit[TRN_FACE_NEG_Z] || hit[TRN_FACE_POS_Z];
    if (wish->up != 0 || wish->forward <= 0) {
        return wish->up;
    }
    return wish->pitch < -30 ? -1 : is_at_wall ? 1 : 0;
}

static TrnBodyInput body_wish(const Player *player, const PlayerWish *wish)
{
    const TrnBody *const body = &player->body;
    const PlayerAxes axes = axes_of(wish->yaw, wish->pitch);
    const double *const ahead = body->under_liquid ? axes.look : axes.forward;
    TrnBodyInput made = {.jump = wish->jump, .sneak = wish->sneak && !body->in_liquid};
    for (int axis = 0; axis < 3; axis++) {
        made.walk[axis] = ahead[axis] * wish->forward + axes.right[axis] * wish->right;
    }
    made.walk[1] += body->on_ladder ? climb_wish(player, wish) : wish->up;
    made.walk[1] -= body->in_liquid && wish->sneak ? 1 : 0;
    return made;
}

static void step_on_foot(Player *player, const TrnStore *store, const PlayerWish *wish)
{
    const TrnBodyDef def = body_def(player, wish);
    const TrnBodyInput made = body_wish(player, wish);
    // Fails only for numbers out of range, which cannot occur here.
    (void)trn_body_step(store, &def, &player->body, &made, PLAYER_STEP);
}

// ---- flying -------------------------------------------------------------------------------------

static bool is_in_rock(const TrnStore *store, TrnPosition feet)
{
    const TrnBodyDef def = trn_body_def();
    TrnOverlap overlap;
    return trn_store_overlap(store, feet, def.size, &overlap) == TRN_RESULT_OK && overlap.solid;
}

/// The speed approaches the wanted one smoothly.
static void push_flight(Player *player, const PlayerWish *wish)
{
    const PlayerAxes axes = axes_of(wish->yaw, wish->pitch);
    const double *const ahead = player->settings.fly_along_view ? axes.look : axes.forward;
    double wished[3];
    for (int axis = 0; axis < 3; axis++) {
        wished[axis] = ahead[axis] * wish->forward + axes.right[axis] * wish->right;
    }
    wished[1] += wish->up + (wish->jump ? 1 : 0) - (wish->sneak ? 1 : 0);
    cut_direction(wished);
    const PlayerSettings *const settings = &player->settings;
    const double speed = settings->fly_speed * (wish->sprint ? settings->fly_factor : 1);
    for (int axis = 0; axis < 3; axis++) {
        player->body.velocity[axis] =
            mix(wished[axis] * speed, player->body.velocity[axis], FLY_KEEP);
    }
}

static void stop_flight(TrnBody *body, const TrnSweep *sweep)
{
    for (int axis = 0; axis < 3; axis++) {
        const int side = 2 * axis + (body->velocity[axis] > 0);
        body->velocity[axis] = sweep->hit[side] ? 0 : body->velocity[axis];
    }
    memcpy(body->hit, sweep->hit, sizeof body->hit);
    body->on_ground = sweep->hit[TRN_FACE_NEG_Y];
}

/// Blocks stop it, except those that it is in; unloaded chunks do not, because their blocks are
/// unknown.
static void move_flight(Player *player, const TrnStore *store)
{
    TrnBody *const body = &player->body;
    const TrnBodyDef def = trn_body_def();
    double way[3];
    for (int axis = 0; axis < 3; axis++) {
        way[axis] = body->velocity[axis] * PLAYER_STEP;
    }
    const TrnPosition free = trn_position_add(body->position, way);
    TrnSweep sweep;
    if (is_in_rock(store, body->position) ||
        trn_store_sweep(store, body->position, def.size, way, 0, &sweep) != TRN_RESULT_OK ||
        (sweep.unloaded && !is_in_rock(store, free))) {
        body->position = free;
        return;
    }
    body->position = sweep.bottom;
    stop_flight(body, &sweep);
}

static void step_in_flight(Player *player, const TrnStore *store, const PlayerWish *wish)
{
    push_flight(player, wish);
    TrnBody *const body = &player->body;
    *body = (TrnBody){.position = body->position,
                      .velocity = {body->velocity[0], body->velocity[1], body->velocity[2]}};
    if (player->mode == PLAYER_MODE_FLY) {
        move_flight(player, store);
        return;
    }
    double way[3];
    for (int axis = 0; axis < 3; axis++) {
        way[axis] = body->velocity[axis] * PLAYER_STEP;
    }
    body->position = trn_position_add(body->position, way);
}

// ---- steps --------------------------------------------------------------------------------------

/// Bobs the head with the distance walked on the ground.
static void bob_head(Player *player, const double way[3])
{
    const double made = sqrt(way[0] * way[0] + way[2] * way[2]);
    const bool is_walking =
        player->mode == PLAYER_MODE_FOOT && player->body.on_ground && made > 0.5 * PLAYER_STEP;
    player->bobbing = mix(is_walking ? 1 : 0, player->bobbing, BOB_KEEP);
    // Two strides are one full swing.
    player->stride = is_walking ? fmod(player->stride + made, 2 * STRIDE) : player->stride;
}

static void follow_body(Player *player, const PlayerWish *wish, TrnPosition from)
{
    double way[3];
    trn_position_difference(player->body.position, from, way);
    player->sneaks = player->mode == PLAYER_MODE_FOOT && wish->sneak;
    player->crouch = mix(player->sneaks ? 1 : 0, player->crouch, CROUCH_KEEP);
    player->lag = (player->lag + player->body.step_height) * EYES_KEEP;
    bob_head(player, way);
}

void player_step(Player *player, const TrnStore *store, const PlayerWish *wish)
{
    const PlayerWish clean = clean_wish(wish);
    const TrnPosition from = player->body.position;
    if (player->mode == PLAYER_MODE_FOOT) {
        step_on_foot(player, store, &clean);
    } else {
        step_in_flight(player, store, &clean);
    }
    follow_body(player, &clean, from);
    player->before = player->pose;
    player->pose = pose_of(player);
    player->steps++;
}

/// Returns how many steps are due after some seconds, and uses up their time.
static uint32_t player_due(Player *player, double seconds)
{
    uint32_t due = 0;
    player->left += seconds > 0 ? fmin(seconds, PLAYER_SECONDS_MAX) : 0;
    for (; player->left >= PLAYER_STEP; due++) {
        player->left -= PLAYER_STEP;
    }
    return due;
}

uint32_t player_advance(Player *player, const TrnStore *store, const PlayerWish *wish,
                        double seconds)
{
    PlayerWish made = *wish;
    made.jump |= player->jump_waits;
    const uint32_t due = player_due(player, seconds);
    for (uint32_t step = 0; step < due; step++) {
        player_step(player, store, &made);
        made.jump = wish->jump; // a press and release within the frame lasts one step
    }
    player->jump_waits = due == 0 && made.jump;
    return due;
}

// ---- questions ----------------------------------------------------------------------------------

bool player_waits(const Player *player)
{
    return player->mode == PLAYER_MODE_FOOT && player->body.waits;
}

static int64_t cut_to_world(int64_t voxel)
{
    return voxel < TRN_VOXEL_MIN ? TRN_VOXEL_MIN : voxel > TRN_VOXEL_MAX ? TRN_VOXEL_MAX : voxel;
}

void player_ground(const Player *player, TrnVoxel *min, TrnVoxel *max)
{
    const TrnVoxel at = trn_position_voxel(player->body.position);
    *min = (TrnVoxel){cut_to_world(at.x - GROUND_REACH), cut_to_world(at.y - GROUND_REACH),
                      cut_to_world(at.z - GROUND_REACH)};
    *max = (TrnVoxel){cut_to_world(at.x + GROUND_REACH), cut_to_world(at.y + GROUND_REACH),
                      cut_to_world(at.z + GROUND_REACH)};
}

bool player_is_stuck(const Player *player, const TrnStore *store)
{
    return is_in_rock(store, player->body.position);
}
