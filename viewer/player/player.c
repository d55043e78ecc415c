#include "player/player.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// In each step, smoothed values keep this part of their distance to the target: exp(-rate *
// PLAYER_STEP), as literals, because libm rounds differently between machines.
#define EYES_KEEP 0.9048374180359595   // 12 a second: climbing a step
#define CROUCH_KEEP 0.8824969025845955 // 15 a second
#define FLY_KEEP 0.9200444146293232    // 10 a second: flight starts and stops smoothly
#define BOB_KEEP 0.9355069850316178    // 8 a second

#define STRIDE 3.2        // voxels walked for half a sideways swing
#define BOB_LIFT 0.05     // voxels
#define BOB_SIDEWAYS 0.04 // voxels
#define GROUND_REACH 5    // voxels: more than a second of walking
#define WHOLE_TURN 360.0
#define DIRECTION_GRID 0x1p30 // libm results are rounded to this grid: lower bits differ

// ---- input --------------------------------------------------------------------------------------

static double player_cut_wish(double value)
{
    return isfinite(value) ? fmin(fmax(value, -1), 1) : 0;
}

static double player_clean_yaw(double degrees)
{
    return isfinite(degrees) ? fmod(degrees, WHOLE_TURN) : 0;
}

static double player_clean_pitch(double degrees)
{
    return isfinite(degrees) ? fmin(fmax(degrees, -90), 90) : 0;
}

static PlayerWish player_clean_wish(const PlayerWish *wish)
{
    PlayerWish clean = *wish;
    clean.right = player_cut_wish(wish->right);
    clean.forward = player_cut_wish(wish->forward);
    clean.up = player_cut_wish(wish->up);
    clean.yaw = player_clean_yaw(wish->yaw);
    clean.pitch = player_clean_pitch(wish->pitch);
    return clean;
}

/// Rounds a sine or cosine, so that it is equal on every machine.
static double player_round_direction(double part)
{
    return rint(part * DIRECTION_GRID) / DIRECTION_GRID;
}

typedef struct PlayerAxes {
    double right[3];   ///< horizontal
    double forward[3]; ///< horizontal
    double look[3];    ///< with the pitch
} PlayerAxes;

static PlayerAxes player_axes_of(double yaw, double pitch)
{
    const double radians = acos(-1) / 180;
    const double c = player_round_direction(cos(yaw * radians)),
                 s = player_round_direction(sin(yaw * radians));
    const double level = player_round_direction(cos(pitch * radians));
    const double up = player_round_direction(sin(pitch * radians));
    return (PlayerAxes){{c, 0, s}, {s, 0, -c}, {s * level, up, -c * level}};
}

/// Limits a vector's length to 1.
static void player_cut_direction(double direction[3])
{
    const double square =
        direction[0] * direction[0] + direction[1] * direction[1] + direction[2] * direction[2];
    for (int axis = 0; axis < 3 && square > 1; axis++) {
        direction[axis] /= sqrt(square);
    }
}

// ---- the picture --------------------------------------------------------------------------------

static PlayerPose player_pose_of(const Player *player)
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

static double player_mix(double a, double b, double part)
{
    return a + (b - a) * part;
}

void player_camera(const Player *player, double yaw, double pitch, Camera *camera)
{
    const double part = player->left / PLAYER_STEP;
    const PlayerPose *const from = &player->before, *const to = &player->pose;
    double by[3];
    trn_position_difference(to->feet, from->feet, by);
    const PlayerAxes axes = player_axes_of(player_clean_yaw(yaw), 0);
    const double sideways = player_mix(from->sideways, to->sideways, part);
    for (int axis = 0; axis < 3; axis++) {
        by[axis] = by[axis] * part + axes.right[axis] * sideways;
    }
    by[1] += player_mix(from->eyes + from->lift, to->eyes + to->lift, part);
    *camera = (Camera){.yaw = 0};
    camera_place(camera, trn_position_add(from->feet, by));
    camera_turn(camera, (float)player_clean_yaw(yaw), (float)player_clean_pitch(pitch));
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
        if (strcmp(row->section, "player") != 0 || row->kind != OPTION_NUMBER) {
            continue;
        }
        const double number = option_number(row, &all);
        option_set_number(row, &all, number);
        const double good = option_number(row, &all);
        if (good != number && is_good && what) {
            (void)message_set(what, "%s is a number from %g to %g, not %g; it is %g now.",
                              row->name, row->low, row->high, number, good);
        }
        is_good = is_good && good == number;
    }
    *settings = all.player;
    return is_good;
}

static void player_clamp_settings(Player *player, const PlayerSettings *settings)
{
    player->settings = settings ? *settings : player_settings();
    player_settings_clamp(&player->settings, NULL);
}

Player player_begin(const PlayerSettings *settings, TrnPosition feet)
{
    Player player = {.mode = PLAYER_MODE_FOOT};
    player_clamp_settings(&player, settings);
    player_put(&player, feet);
    return player;
}

void player_set(Player *player, const PlayerSettings *settings)
{
    player_clamp_settings(player, settings);
}

void player_put(Player *player, TrnPosition feet)
{
    // Adds the offsets to a valid position, so that the sum is in range.
    const TrnPosition corner = {.chunk = feet.chunk};
    player->body = (TrnBody){.position = trn_position_add(corner, feet.offset)};
    player->lag = player->bobbing = player->stride = player->left = 0;
    player->jump_waits = false;
    player->pose = player_pose_of(player);
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

static TrnBodyDef player_body_def(const Player *player, const PlayerWish *wish)
{
    const PlayerSettings *const settings = &player->settings;
    const double sprint = wish->sprint && !wish->sneak ? settings->sprint_factor : 1;
    TrnBodyDef def = trn_body_def();
    // A sneaking body stops at each drop that is higher than a step. With steps of 0 it stops at
    // every edge.
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
static double player_climb_wish(const Player *player, const PlayerWish *wish)
{
    const bool *const hit = player->body.hit;
    const bool is_at_wall =
        hit[TRN_FACE_NEG_X] || hit[TRN_FACE_POS_X] || hit[TRN_FACE_NEG_Z] || hit[TRN_FACE_POS_Z];
    if (wish->up != 0 || wish->forward <= 0) {
        return wish->up;
    }
    return wish->pitch < -30 ? -1 : is_at_wall ? 1 : 0;
}

static TrnBodyInput player_body_wish(const Player *player, const PlayerWish *wish)
{
    const TrnBody *const body = &player->body;
    const PlayerAxes axes = player_axes_of(wish->yaw, wish->pitch);
    const double *const ahead = body->under_liquid ? axes.look : axes.forward;
    TrnBodyInput made = {.jump = wish->jump, .sneak = wish->sneak && !body->in_liquid};
    for (int axis = 0; axis < 3; axis++) {
        made.walk[axis] = ahead[axis] * wish->forward + axes.right[axis] * wish->right;
    }
    made.walk[1] += body->on_ladder ? player_climb_wish(player, wish) : wish->up;
    made.walk[1] -= body->in_liquid && wish->sneak ? 1 : 0;
    return made;
}

static void player_step_on_foot(Player *player, const TrnStore *store, const PlayerWish *wish)
{
    const TrnBodyDef def = player_body_def(player, wish);
    const TrnBodyInput made = player_body_wish(player, wish);
    // Fails only for numbers out of range, which cannot occur here.
    (void)trn_body_step(store, &def, &player->body, &made, PLAYER_STEP);
}

// ---- flying -------------------------------------------------------------------------------------

static bool player_is_in_rock(const TrnStore *store, TrnPosition feet)
{
    const TrnBodyDef def = trn_body_def();
    TrnOverlap overlap;
    return trn_store_overlap(store, feet, def.size, &overlap) == TRN_RESULT_OK && overlap.solid;
}

/// Moves the velocity smoothly towards the wanted one.
static void player_push_flight(Player *player, const PlayerWish *wish)
{
    const PlayerAxes axes = player_axes_of(wish->yaw, wish->pitch);
    const double *const ahead = player->settings.fly_along_view ? axes.look : axes.forward;
    double wished[3];
    for (int axis = 0; axis < 3; axis++) {
        wished[axis] = ahead[axis] * wish->forward + axes.right[axis] * wish->right;
    }
    wished[1] += wish->up + (wish->jump ? 1 : 0) - (wish->sneak ? 1 : 0);
    player_cut_direction(wished);
    const PlayerSettings *const settings = &player->settings;
    const double speed = settings->fly_speed * (wish->sprint ? settings->fly_factor : 1);
    for (int axis = 0; axis < 3; axis++) {
        player->body.velocity[axis] =
            player_mix(wished[axis] * speed, player->body.velocity[axis], FLY_KEEP);
    }
}

static void player_stop_flight(TrnBody *body, const TrnSweep *sweep)
{
    for (int axis = 0; axis < 3; axis++) {
        const int side = 2 * axis + (body->velocity[axis] > 0);
        body->velocity[axis] = sweep->hit[side] ? 0 : body->velocity[axis];
    }
    memcpy(body->hit, sweep->hit, sizeof body->hit);
    body->on_ground = sweep->hit[TRN_FACE_NEG_Y];
}

/// Moves the body. Blocks stop it unless it is already inside one; unloaded chunks do not stop it,
/// because their blocks are unknown.
static void player_move_flight(Player *player, const TrnStore *store)
{
    TrnBody *const body = &player->body;
    const TrnBodyDef def = trn_body_def();
    double way[3];
    for (int axis = 0; axis < 3; axis++) {
        way[axis] = body->velocity[axis] * PLAYER_STEP;
    }
    const TrnPosition free = trn_position_add(body->position, way);
    TrnSweep sweep;
    if (player_is_in_rock(store, body->position) ||
        trn_store_sweep(store, body->position, def.size, way, 0, &sweep) != TRN_RESULT_OK ||
        (sweep.unloaded && !player_is_in_rock(store, free))) {
        body->position = free;
        return;
    }
    body->position = sweep.bottom;
    player_stop_flight(body, &sweep);
}

static void player_step_in_flight(Player *player, const TrnStore *store, const PlayerWish *wish)
{
    player_push_flight(player, wish);
    TrnBody *const body = &player->body;
    *body = (TrnBody){.position = body->position,
                      .velocity = {body->velocity[0], body->velocity[1], body->velocity[2]}};
    if (player->mode == PLAYER_MODE_FLY) {
        player_move_flight(player, store);
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
static void player_bob_head(Player *player, const double way[3])
{
    const double made = sqrt(way[0] * way[0] + way[2] * way[2]);
    const bool is_walking =
        player->mode == PLAYER_MODE_FOOT && player->body.on_ground && made > 0.5 * PLAYER_STEP;
    player->bobbing = player_mix(is_walking ? 1 : 0, player->bobbing, BOB_KEEP);
    // Two strides are one full swing.
    player->stride = is_walking ? fmod(player->stride + made, 2 * STRIDE) : player->stride;
}

static void player_follow_body(Player *player, const PlayerWish *wish, TrnPosition from)
{
    double way[3];
    trn_position_difference(player->body.position, from, way);
    player->sneaks = player->mode == PLAYER_MODE_FOOT && wish->sneak;
    player->crouch = player_mix(player->sneaks ? 1 : 0, player->crouch, CROUCH_KEEP);
    player->lag = (player->lag + player->body.step_height) * EYES_KEEP;
    player_bob_head(player, way);
}

void player_step(Player *player, const TrnStore *store, const PlayerWish *wish)
{
    const PlayerWish clean = player_clean_wish(wish);
    const TrnPosition from = player->body.position;
    if (player->mode == PLAYER_MODE_FOOT) {
        player_step_on_foot(player, store, &clean);
    } else {
        player_step_in_flight(player, store, &clean);
    }
    player_follow_body(player, &clean, from);
    player->before = player->pose;
    player->pose = player_pose_of(player);
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

static int64_t player_cut_to_world(int64_t voxel)
{
    return voxel < TRN_VOXEL_MIN ? TRN_VOXEL_MIN : voxel > TRN_VOXEL_MAX ? TRN_VOXEL_MAX : voxel;
}

void player_ground(const Player *player, TrnVoxel *min, TrnVoxel *max)
{
    const TrnVoxel at = trn_position_voxel(player->body.position);
    *min = (TrnVoxel){player_cut_to_world(at.x - GROUND_REACH),
                      player_cut_to_world(at.y - GROUND_REACH),
                      player_cut_to_world(at.z - GROUND_REACH)};
    *max = (TrnVoxel){player_cut_to_world(at.x + GROUND_REACH),
                      player_cut_to_world(at.y + GROUND_REACH),
                      player_cut_to_world(at.z + GROUND_REACH)};
}

bool player_is_stuck(const Player *player, const TrnStore *store)
{
    return player_is_in_rock(store, player->body.position);
}

// ---- player place -------------------------------------------------------------------------------

// Finds places for a player: on the ground in loaded chunks, or on land that is not generated yet.

#define OPEN_CHUNKS 8 // searched upwards for a way out of rock
#define SETTLE 3.0    // a place at most this many voxels lower counts as the requested place

// ---- in loaded chunks ---------------------------------------------------------------------------

/// The nearest place of a kind so far.
typedef struct PlaceBest {
    bool is_there;
    int64_t square; ///< of the distance, in voxels
    TrnVoxel voxel; ///< of the feet
} PlaceBest;

typedef struct PlaceSearch {
    TrnCursor cursor;
    const uint32_t *solid, *liquid;
    TrnVoxel from;
    PlaceBest ground, afloat;
    bool is_absent; ///< a chunk was not loaded
} PlaceSearch;

static bool player_is_in_set(const uint32_t *bits, TrnBlock block)
{
    return bits[block / 32] >> (block % 32) & 1;
}

static void player_take_nearer(const PlaceSearch *search, PlaceBest *best, TrnVoxel voxel)
{
    const int64_t x = voxel.x - search->from.x, y = voxel.y - search->from.y,
                  z = voxel.z - search->from.z;
    const int64_t square = x * x + y * y + z * z;
    if (!best->is_there || square < best->square) {
        *best = (PlaceBest){true, square, voxel};
    }
}

/// Searches down a column; `room` counts the free voxels above, without blocks and liquids.
static void player_search_column(PlaceSearch *search, int64_t x, int64_t z)
{
    const int64_t lowest = search->from.y - PLAYER_PLACE_HEIGHT;
    int room = 0;
    for (int64_t y = search->from.y + PLAYER_PLACE_HEIGHT; y >= lowest; y--) {
        const TrnVoxel at = {x, y, z}, above = {x, y + 1, z};
        const TrnVoxels *const voxels = trn_cursor_find(&search->cursor, at);
        if (!voxels) {
            search->is_absent = true;
            room = 0;
            continue;
        }
        const TrnBlock block =
            trn_snapshot_get(trn_voxels_snapshot(voxels), trn_voxel_local_index(at));
        const bool is_solid = player_is_in_set(search->solid, block);
        const bool is_liquid = player_is_in_set(search->liquid, block);
        if (room >= 2 && (is_solid || is_liquid)) {
            player_take_nearer(search, is_solid ? &search->ground : &search->afloat, above);
        }
        room = is_solid || is_liquid ? 0 : room + 1;
    }
}

/// Searches the columns at distance `ring` along x or z, whichever is greater.
static void player_search_ring(PlaceSearch *search, int64_t ring)
{
    for (int64_t z = -ring; z <= ring; z++) {
        const bool is_whole = z == -ring || z == ring;
        for (int64_t x = -ring; x <= ring; x += is_whole || ring == 0 ? 1 : 2 * ring) {
            player_search_column(search, search->from.x + x, search->from.z + z);
        }
    }
}

static PlaceSearch player_search_places(const TrnStore *store, TrnPosition feet)
{
    const TrnBlockTypes *const types = trn_store_block_types(store);
    PlaceSearch search = {
        .cursor = trn_cursor(store),
        .solid = trn_block_types_solid_bits(types),
        .liquid = trn_block_types_liquid_bits(types),
        .from = trn_position_voxel(feet),
    };
    for (int64_t ring = 0; ring <= PLAYER_PLACE_RADIUS; ring++) {
        if (search.ground.is_there && ring * ring > search.ground.square) {
            break; // all further columns are farther away
        }
        player_search_ring(&search, ring);
    }
    return search;
}

/// Whether a player can stand at the place, or after a small fall.
static bool player_stands_here(const TrnStore *store, TrnPosition feet, TrnPosition *ground)
{
    const TrnBodyDef def = trn_body_def();
    const double down[3] = {0, -SETTLE, 0};
    TrnOverlap overlap;
    TrnSweep sweep;
    if (trn_store_overlap(store, feet, def.size, &overlap) != TRN_RESULT_OK || overlap.solid ||
        overlap.unloaded ||
        trn_store_sweep(store, feet, def.size, down, 0, &sweep) != TRN_RESULT_OK ||
        !sweep.hit[TRN_FACE_NEG_Y] || sweep.unloaded ||
        trn_store_overlap(store, sweep.bottom, def.size, &overlap) != TRN_RESULT_OK ||
        overlap.liquid) {
        return false;
    }
    *ground = sweep.bottom;
    return true;
}

/// Explains why a player cannot stand at the requested place.
static const char *player_what_is_there(const TrnStore *store, TrnPosition feet)
{
    const TrnBodyDef def = trn_body_def();
    TrnOverlap overlap;
    if (trn_store_overlap(store, feet, def.size, &overlap) != TRN_RESULT_OK) {
        return "There is no such place";
    }
    return overlap.solid      ? "There is no room"
           : overlap.unloaded ? "The land there is not loaded"
           : overlap.liquid   ? "There is water"
                              : "There is no ground";
}

static TrnPosition player_middle_of(TrnVoxel voxel)
{
    return trn_position_add(trn_voxel_position(voxel), (const double[3]){0.5, 0, 0.5});
}

static void player_describe_move(PlayerPlace *place, const char *why, TrnPosition from)
{
    double by[3];
    trn_position_difference(place->feet, from, by);
    const char *const swims = place->kind == PLAYER_PLACE_AFLOAT ? ", to swim there" : "";
    const double sideways = round(hypot(by[0], by[2])), up = round(fabs(by[1]));
    const char *const way = by[1] < 0 ? "down" : "up";
    if (sideways == 0 && up == 0) {
        message_set(&place->what, "%s: moved by less than a block%s.", why, swims);
    } else if (sideways == 0 || up == 0) {
        const double by_blocks = sideways + up;
        message_set(&place->what, "%s: moved by %.0f block%s %s%s.", why, by_blocks,
                    by_blocks == 1 ? "" : "s", up > 0 ? way : "sideways", swims);
    } else {
        message_set(&place->what, "%s: moved by %.0f block%s sideways and %.0f %s%s.", why,
                    sideways, sideways == 1 ? "" : "s", up, way, swims);
    }
}

PlayerPlace player_find_place(const TrnStore *store, TrnPosition feet)
{
    const TrnPosition corner = {.chunk = feet.chunk};
    feet = trn_position_add(corner, feet.offset); // brings offsets into range
    PlayerPlace place = {.kind = PLAYER_PLACE_HERE, .feet = feet};
    if (player_stands_here(store, feet, &place.feet)) {
        return place;
    }
    const PlaceSearch search = player_search_places(store, feet);
    const char *const why = player_what_is_there(store, feet);
    if (!search.ground.is_there && !search.afloat.is_there) {
        place.kind = search.is_absent ? PLAYER_PLACE_UNKNOWN : PLAYER_PLACE_NONE;
        message_set(&place.what, "%s, and no place to stand within %d blocks%s.", why,
                    PLAYER_PLACE_RADIUS, search.is_absent ? " is loaded" : "");
        return place;
    }
    place.kind = search.ground.is_there ? PLAYER_PLACE_MOVED : PLAYER_PLACE_AFLOAT;
    place.feet =
        player_middle_of(search.ground.is_there ? search.ground.voxel : search.afloat.voxel);
    player_describe_move(&place, why, feet);
    return place;
}

// ---- before chunks are loaded -------------------------------------------------------------------

// ---- eyes in rock -------------------------------------------------------------------------------

/// Finds the first voxel of a column that is not opaque, some chunks upwards. @param at  where to
/// begin; receives the voxel
static bool player_search_open(TrnTerrain *terrain, const TrnBlockTypes *types, TrnVoxel *at)
{
    TrnBlock blocks[TRN_CHUNK_VOXELS];
    for (int i = 0; i < OPEN_CHUNKS && trn_voxel_in_world(*at); i++) {
        bool is_uniform;
        if (trn_terrain_generate(terrain, trn_voxel_chunk(*at), blocks, &is_uniform) !=
            TRN_RESULT_OK) {
            return false;
        }
        do {
            const TrnBlock block = blocks[is_uniform ? 0 : trn_voxel_local_index(*at)];
            if (trn_block_types_get(types, block)->kind != TRN_BLOCK_KIND_OPAQUE) {
                return true;
            }
            at->y++;
        } while (at->y % TRN_CHUNK_EDGE != 0);
    }
    return false;
}

void player_leave_rock(TrnTerrain *terrain, const TrnBlockTypes *types, double eyes[3],
                       Message *what)
{
    const Camera camera = camera_at((const double[5]){eyes[0], eyes[1], eyes[2], 0, 0});
    TrnVoxel at = trn_position_voxel(camera.position);
    const int64_t from = at.y;
    int64_t height;
    what->text[0] = '\0';
    bool is_open = player_search_open(terrain, types, &at);
    // If deep below ground, continues at the surface.
    if (!is_open && trn_terrain_height(terrain, at.x, at.z, &height) == TRN_RESULT_OK) {
        at.y = height >= at.y ? height + 1 : at.y;
        is_open = player_search_open(terrain, types, &at);
    }
    if (is_open && at.y > from) {
        eyes[1] = (double)at.y + 0.5;
        (void)message_set(what, "There is rock at this place: moved up by %lld block%s.",
                          (long long)(at.y - from), at.y - from == 1 ? "" : "s");
    }
}
