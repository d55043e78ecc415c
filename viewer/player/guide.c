#include "player/guide.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STEPS_PER_SECOND 120
#define CELLS_PER_STEP 96u                     // of a search
#define PATH_MAX_STEPS ((size_t)2 * WAY_STEPS) // two ways, one after the other
#define AHEAD_STEPS 32                         // before the end of a way the next one is looked for
#define BLOCKED_STEPS (4 * STEPS_PER_SECOND)   // without the next cell
#define AIRBORNE_STEPS (10 * STEPS_PER_SECOND)
#define RETRY_STEPS (STEPS_PER_SECOND / 2)
#define PATIENCE_STEPS (20 * STEPS_PER_SECOND) // for chunks
#define TRIES_MAX 6                            // searches that come no nearer
#define LOST_MAX 8                             // ways that had to be left, for one point
#define OFF_WAY 2.5 // voxels: farther from the next cell, the way is lost
#define COME_TO 0.3 // voxels from a cell's middle
#define COME_TO_LAST 0.15
#define TURN_PART 0.05 // of what is left to turn, in a step
#define TURN_MAX 1.6   // degrees a step
#define TURN_REST 0.25 // degrees a step
#define DEGREES (180 / acos(-1))
#define ANGLE_GRID                                                                                 \
    64.0 // libm does not round alike on every machine; to so much of a degree it does

struct Guide {
    Route route;
    bool loops;
    size_t point;
    GuideState state;
    Way *way;
    bool is_searching;
    WayStep path[PATH_MAX_STEPS];
    size_t count, at; ///< cells of the path; the next one to come to
    bool is_whole;    ///< the path ends where the search for this point ends
    bool is_reaching; ///< and that is the point
    bool is_vain;     ///< from the path's end no search leads on, as long as nothing more is there
    double rest;      ///< voxels from the path's end to the point
    double nearest;   ///< of all ways for this point
    uint32_t tries;   ///< searches for this point that came no nearer
    TrnVoxel been[WAY_BEEN_MAX]; ///< where searches for this point have begun
    uint32_t been_count;
    uint32_t lost;                   ///< ways for this point that were left
    uint32_t waited;                 ///< steps
    uint32_t since;                  ///< steps towards the next cell
    uint32_t rested;                 ///< steps
    double yaw, pitch;               ///< degrees
    double yaw_before, pitch_before; ///< at the end of the step before
    TrnPosition last;                ///< feet in the step before
    GuideReport report;
};

// ---- a guide ------------------------------------------------------------------------------------

static void forget_way(Guide *guide)
{
    guide->count = guide->at = 0;
    guide->is_searching = guide->is_whole = guide->is_reaching = guide->is_vain = false;
    guide->since = 0;
}

static void begin_point(Guide *guide)
{
    forget_way(guide);
    guide->nearest = INFINITY;
    guide->been_count = 0;
    guide->tries = guide->lost = guide->waited = guide->rested = 0;
    guide->state = guide->point < guide->route.count ? GUIDE_PLANS : GUIDE_DONE;
}

/// The next point; the first again where it loops. FROM is for whoever begins the walk.
static void next_point(Guide *guide)
{
    guide->point++;
    if (guide->point == guide->route.count && guide->loops) {
        guide->point = guide->route.points[0].kind == ROUTE_FROM ? 1 : 0;
    }
    begin_point(guide);
}

bool guide_create(Guide **guide, const Route *route, bool loops, Message *problem)
{
    Guide *const made = calloc(1, sizeof *made);
    bool is_good = made != NULL;
    if (made) {
        made->way = way_create();
        is_good = made->way != NULL;
        for (size_t i = 0; i < route->count && is_good; i++) {
            is_good = route_add(&made->route, &route->points[i]);
        }
    }
    if (!is_good) {
        guide_destroy(made);
        return message_set(problem, "There is no memory for a guide.");
    }
    made->loops = loops;
    begin_point(made);
    *guide = made;
    return true;
}

void guide_destroy(Guide *guide)
{
    if (guide) {
        way_destroy(guide->way);
        route_free(&guide->route);
        free(guide);
    }
}

PlayerPlace guide_start(const Route *route, const TrnTerrain *terrain)
{
    const RoutePoint *const start = route_start(route);
    const double middle[3] = {0.5, 0, 0.5};
    return start->has_height
               ? (PlayerPlace){.kind = PLAYER_PLACE_HERE,
                               .feet = trn_position_add(trn_voxel_position(start->voxel), middle)}
               : player_find_land(terrain, start->voxel.x, start->voxel.z);
}

void guide_lost(Guide *guide)
{
    if (guide->state != GUIDE_DONE) {
        begin_point(guide);
    }
}

void guide_look(const Guide *guide, const Player *player, double *yaw, double *pitch)
{
    const double left = 1 - player->left / PLAYER_STEP; // of the last step
    *yaw = guide->yaw - remainder(guide->yaw - guide->yaw_before, 360) * left;
    *pitch = guide->pitch - (guide->pitch - guide->pitch_before) * left;
}

void guide_face(Guide *guide, double yaw, double pitch)
{
    guide->yaw = isfinite(yaw) ? fmod(yaw, 360) : 0;
    guide->pitch = isfinite(pitch) ? fmax(-90, fmin(90, pitch)) : 0;
    guide->yaw_before = guide->yaw;
    guide->pitch_before = guide->pitch;
}

GuideReport guide_report(const Guide *guide)
{
    GuideReport report = guide->report;
    report.state = guide->state;
    report.points = guide->route.count;
    report.point = guide->point;
    return report;
}

void guide_describe(const Guide *guide, Message *line)
{
    const GuideReport *const report = &guide->report;
    message_set(line, "walk    %u points reached, %u missed; %.1f voxels in %.1f s, %u searches",
                report->reached, report->missed, report->walked,
                (double)report->steps / STEPS_PER_SECOND, report->searches);
}

// ---- ends of points -----------------------------------------------------------------------------

static void say_of_point(Guide *guide, const char *what)
{
    const RoutePoint *const point = &guide->route.points[guide->point];
    message_set(&guide->report.says, "Point %zu of the walk, %lld %lld: %s", guide->point + 1,
                (long long)point->voxel.x, (long long)point->voxel.z, what);
    guide->report.messages++;
}

static void reach_point(Guide *guide)
{
    guide->report.reached++;
    say_of_point(guide, "reached.");
    next_point(guide);
}

static void miss_point(Guide *guide, const char *why)
{
    Message what;
    guide->report.missed++;
    if (isfinite(guide->nearest)) {
        message_set(&what, "%s; %.0f voxels away is as near as it gets.", why, guide->nearest);
    } else {
        message_set(&what, "%s.", why);
    }
    say_of_point(guide, what.text);
    next_point(guide);
}

// ---- finding the way ----------------------------------------------------------------------------

/// Appends what was found to the path: it begins at the path's last cell, or is the whole path.
static void append_way(Guide *guide)
{
    memmove(guide->path, guide->path + guide->at, (guide->count - guide->at) * sizeof *guide->path);
    guide->count -= guide->at;
    guide->at = 0;
    const size_t room = PATH_MAX_STEPS - guide->count;
    if (guide->count > 0) {
        guide->count--; // the cell in common is written once more: its move is known
        const WayMove move = guide->path[guide->count].move;
        const size_t found = way_steps(guide->way, guide->path + guide->count, room);
        guide->path[guide->count].move = move;
        guide->count += found < room ? found : room;
    } else {
        const size_t found = way_steps(guide->way, guide->path, room);
        guide->count = found < room ? found : room;
    }
}

/// Once a search has led away, no other leads back to where it began.
static void note_been(Guide *guide)
{
    WayStep first;
    if (guide->is_vain || guide->is_whole || !way_steps(guide->way, &first, 1)) {
        return;
    }
    if (guide->been_count == WAY_BEEN_MAX) {
        guide->been_count--;
        memmove(guide->been, guide->been + 1, guide->been_count * sizeof *guide->been);
    }
    guide->been[guide->been_count++] = first.feet;
}

static void take_way(Guide *guide)
{
    const WayState state = way_state(guide->way);
    const double rest = way_rest(guide->way);
    guide->is_searching = false;
    append_way(guide);
    guide->is_reaching = state == WAY_FOUND;
    guide->is_whole = state != WAY_EDGE;
    guide->is_vain = way_steps(guide->way, NULL, 0) < 2;
    note_been(guide);
    if (rest < guide->nearest - 2) {
        guide->tries = 0;
    } else if (!guide->is_vain && ++guide->tries > TRIES_MAX) {
        guide->is_whole = true;
    }
    guide->nearest = fmin(guide->nearest, rest);
}

static void begin_search(Guide *guide, const TrnStore *store, TrnVoxel from)
{
    const RoutePoint *const point = &guide->route.points[guide->point];
    const WayGoal goal = {point->voxel, point->has_height, guide->tries};
    way_begin(guide->way, store, from, &goal, guide->been, guide->been_count);
    guide->is_searching = true;
    guide->report.searches++;
}

/// Looks for a way from where the player is.
static void search_from_player(Guide *guide, const Player *player, const TrnStore *store)
{
    const TrnBody *const body = &player->body;
    TrnVoxel from;
    guide->state = player_waits(player) ? GUIDE_WAITS : GUIDE_PLANS;
    const bool is_held = body->on_ground || body->in_liquid || body->on_ladder;
    if (!is_held || !way_cell_at(store, body->position, &from)) {
        const uint32_t patience = player_waits(player) ? PATIENCE_STEPS : AIRBORNE_STEPS;
        if (++guide->waited > patience) {
            miss_point(guide, "there is nowhere to stand");
        }
        return;
    }
    begin_search(guide, store, from);
}

/// Where a way ends at what is not known yet, the next is looked for while it is walked.
static void search_ahead(Guide *guide, const TrnStore *store)
{
    if (guide->is_searching || guide->is_whole || guide->is_vain ||
        guide->count - guide->at > AHEAD_STEPS || guide->count < 2) {
        return;
    }
    begin_search(guide, store, guide->path[guide->count - 1].feet);
}

static void go_on_searching(Guide *guide, const TrnStore *store)
{
    if (guide->is_searching && way_go(guide->way, store, CELLS_PER_STEP) != WAY_SEARCHING) {
        take_way(guide);
    }
}

// ---- following it -------------------------------------------------------------------------------

/// From feet to the middle of a cell's floor.
static void way_to(const WayStep *step, const Player *player, double by[3])
{
    const TrnPosition middle =
        trn_position_add(trn_voxel_position(step->feet), (const double[3]){0.5, 0, 0.5});
    trn_position_difference(middle, player->body.position, by);
}

static bool is_come_to(const Player *player, const double by[3], bool is_last)
{
    const TrnBody *const body = &player->body;
    if (hypot(by[0], by[2]) > (is_last ? COME_TO_LAST : COME_TO)) {
        return false;
    }
    if (body->on_ladder) {
        return fabs(by[1]) < COME_TO;
    }
    return body->in_liquid ? by[1] > -0.6 && by[1] < 1.7 : body->on_ground && fabs(by[1]) < 0.6;
}

static double bring_near(double angle, double towards, double part)
{
    const double left = remainder(towards - angle, 360);
    return angle + fmax(-TURN_MAX, fmin(TURN_MAX, left * part));
}

/// Turns softly to what lies some cells ahead.
static void look_ahead(Guide *guide, const Player *player)
{
    const size_t ahead = guide->at + 3 < guide->count ? guide->at + 3 : guide->count - 1;
    double by[3];
    way_to(&guide->path[ahead], player, by);
    const double far = hypot(by[0], by[2]);
    if (far < 0.5) {
        return;
    }
    const double yaw = atan2(by[0], -by[2]) * DEGREES;
    const double pitch = fmax(-40, fmin(40, atan2(by[1], far) * DEGREES)) * 0.6 - 6;
    guide->yaw = rint(bring_near(guide->yaw, yaw, TURN_PART) * ANGLE_GRID) / ANGLE_GRID;
    guide->yaw = fmod(guide->yaw, 360);
    guide->pitch = rint(bring_near(guide->pitch, pitch, TURN_PART / 2) * ANGLE_GRID) / ANGLE_GRID;
}

/// How fast to go to a cell: slowly over edges, where a fall would go too far, and to where one
/// stops.
static double pace(const Guide *guide, const Player *player, const double by[3], bool is_last)
{
    const double far = hypot(by[0], by[2]);
    const WayStep *const step = &guide->path[guide->at];
    const bool is_soft = is_last || player->body.on_ladder || step->move == WAY_MOVE_CLIMB ||
                         !player->body.on_ground;
    double part = is_soft ? fmin(1, far * 4) : 1;
    if (step->move == WAY_MOVE_DOWN && by[1] < -0.5) {
        part = fmin(part, by[1] < -1.5 ? 0.4 : 0.7);
    }
    return part;
}

static bool is_against_something(const TrnBody *body)
{
    return body->hit[TRN_FACE_NEG_X] || body->hit[TRN_FACE_POS_X] || body->hit[TRN_FACE_NEG_Z] ||
           body->hit[TRN_FACE_POS_Z];
}

static bool should_jump(const Guide *guide, const Player *player, const double by[3])
{
    const TrnBody *const body = &player->body;
    const double far = hypot(by[0], by[2]);
    if (body->in_liquid) {
        return by[1] > 0.8 || (by[1] > 0.05 && is_against_something(body));
    }
    if (guide->path[guide->at].move == WAY_MOVE_ACROSS && by[1] > -0.5) {
        return body->on_ground && far > 1 && far < 1.7;
    }
    return body->on_ground && by[1] > 0.5 && far < 1.2 && player->settings.step_height < 1;
}

static PlayerWish wish_towards(Guide *guide, const Player *player)
{
    const bool is_last = guide->at + 1 == guide->count && guide->is_whole;
    double by[3];
    way_to(&guide->path[guide->at], player, by);
    look_ahead(guide, player);
    const double far = fmax(hypot(by[0], by[2]), 1e-9);
    const double part = pace(guide, player, by, is_last);
    const double x = by[0] / far * part, z = by[2] / far * part;
    const double s = sin(guide->yaw / DEGREES), c = cos(guide->yaw / DEGREES);
    PlayerWish wish = {.right = x * c + z * s,
                       .forward = x * s - z * c,
                       .yaw = guide->yaw,
                       .pitch = player->body.under_liquid ? 0 : guide->pitch,
                       .jump = should_jump(guide, player, by)};
    if (player->body.on_ladder) {
        const bool is_level = fabs(by[1]) < 0.1;
        wish.up = is_level ? 0 : by[1] > 0 ? 1 : -1;
    }
    return wish;
}

/// Counts cells that were come to. @return whether there is one more to go to
static bool pass_cells(Guide *guide, const Player *player, const TrnStore *store)
{
    double by[3] = {0, 0, 0};
    guide->since++;
    while (guide->at < guide->count) {
        way_to(&guide->path[guide->at], player, by);
        if (!is_come_to(player, by, guide->at + 1 == guide->count)) {
            break;
        }
        guide->at++;
        guide->since = 0;
    }
    if (guide->at == guide->count) {
        return false;
    }
    const WayStep *const next = &guide->path[guide->at];
    const double off = next->move == WAY_MOVE_ACROSS ? OFF_WAY + 1 : OFF_WAY;
    if (hypot(by[0], by[2]) > off || by[1] > 3 || guide->since > BLOCKED_STEPS ||
        (guide->since == 0 && !way_is_cell(store, next->feet))) {
        guide->lost++;
        forget_way(guide); // pushed off it, stuck, or the world has changed
        return false;
    }
    return true;
}

static void end_path(Guide *guide)
{
    if (guide->lost > LOST_MAX) {
        miss_point(guide, "the way is blocked");
    } else if (guide->count == 0) {
        return; // it was left: looks for another
    } else if (guide->is_whole && guide->is_reaching) {
        reach_point(guide);
    } else if (guide->is_whole) {
        miss_point(guide, guide->tries > TRIES_MAX ? "every way leads away from it"
                                                   : "no way leads there");
    } else if (!guide->is_searching) {
        guide->count = guide->at = 0;
    }
}

static PlayerWish standing(const Guide *guide)
{
    return (PlayerWish){.yaw = guide->yaw, .pitch = guide->pitch};
}

/// At the edge of what is there: looks again from time to time.
static bool waits_for_chunks(Guide *guide)
{
    if (guide->count != 1 || guide->is_whole || guide->is_searching) {
        return false;
    }
    guide->state = GUIDE_WAITS;
    if (++guide->waited > PATIENCE_STEPS) {
        miss_point(guide, "the land there does not load");
    } else if (guide->waited % RETRY_STEPS == 0) {
        forget_way(guide);
    }
    return true;
}

static PlayerWish walk_on(Guide *guide, const Player *player, const TrnStore *store)
{
    go_on_searching(guide, store);
    if (guide->count == 0 && !guide->is_searching) {
        search_from_player(guide, player, store);
        return standing(guide);
    }
    if (guide->count == 0 || waits_for_chunks(guide)) {
        return standing(guide);
    }
    search_ahead(guide, store);
    if (!pass_cells(guide, player, store)) {
        end_path(guide);
        return standing(guide);
    }
    guide->state = GUIDE_WALKS;
    return wish_towards(guide, player);
}

static PlayerWish rest(Guide *guide, double seconds)
{
    guide->state = GUIDE_RESTS;
    guide->yaw = fmod(guide->yaw + TURN_REST, 360);
    if (++guide->rested >= seconds * STEPS_PER_SECOND) {
        next_point(guide);
    }
    return standing(guide);
}

static void measure_walk(Guide *guide, const Player *player)
{
    double by[3];
    trn_position_difference(player->body.position, guide->last, by);
    const double way = hypot(by[0], by[2]);
    if (guide->report.steps > 0 && way < 1) { // more is no walk: he was put elsewhere
        guide->report.walked += way;
    }
    guide->last = player->body.position;
    guide->report.steps++;
}

PlayerWish guide_wish(Guide *guide, const Player *player, const TrnStore *store)
{
    guide->yaw_before = guide->yaw;
    guide->pitch_before = guide->pitch;
    if (guide->state == GUIDE_DONE) {
        return standing(guide);
    }
    measure_walk(guide, player);
    const RoutePoint *const point = &guide->route.points[guide->point];
    if (point->kind == ROUTE_FROM) {
        next_point(guide);
        return standing(guide);
    }
    return point->kind == ROUTE_WAIT ? rest(guide, point->seconds) : walk_on(guide, player, store);
}

uint32_t guide_advance(Guide *guide, Player *player, const TrnStore *store, double seconds)
{
    const uint32_t due = player_due(player, seconds);
    for (uint32_t step = 0; step < due; step++) {
        const PlayerWish wish = guide_wish(guide, player, store);
        player_step(player, store, &wish);
    }
    return due;
}

// ---- attract mode -------------------------------------------------------------------------------

bool attract_update(Attract *attract, bool touched, double seconds)
{
    attract->idle = touched || attract->is_off ? 0 : attract->idle + (seconds > 0 ? seconds : 0);
    return attract->idle >= ATTRACT_SECONDS;
}
