// Bodies: from what one touches and wishes follow its speed and its way, and a sweep takes it
// along.
//
// Only +, -, *, / on doubles, which every machine rounds alike; no libm.

#include "body_box.h"

#define BODY_ACCELERATION_MAX 1e6
#define BODY_DRAG_MAX 1e3
#define BODY_LIQUID_LEAST 0.1 // of its height: less is wading
#define BODY_AT_REST 0x1p-30  // voxels/s: less than that is none, in a liquid

TrnBodyDef trn_body_def(void)
{
    const TrnBodyDef def = {
        .size = {0.6, 1.8, 0.6},
        .step_height = 0,
        .gravity = 32,
        .fall_speed_max = 78,
        .walk_speed = 4.3,
        .jump_speed = 9,
        .ground_acceleration = 60,
        .air_acceleration = 12,
        .swim_speed = 2.5,
        .liquid_drag = 5,
        .buoyancy = 40,
        .climb_speed = 3,
    };
    return def;
}

// ---- what comes from outside -------------------------------------------------------------------

static bool is_body_def_good(const TrnBodyDef *def)
{
    const double speeds[] = {def->fall_speed_max, def->walk_speed, def->jump_speed, def->swim_speed,
                             def->climb_speed};
    const double accelerations[] = {def->gravity, def->ground_acceleration, def->air_acceleration,
                                    def->buoyancy};
    bool is_good = trn_number_within(def->step_height, 0, def->size[1]) &&
                   trn_number_within(def->liquid_drag, 0, BODY_DRAG_MAX);
    for (int axis = 0; axis < 3; axis++) {
        is_good &= def->size[axis] > 0 && def->size[axis] <= TRN_BODY_SIZE_MAX;
    }
    for (size_t i = 0; i < sizeof speeds / sizeof *speeds; i++) {
        is_good &= trn_number_within(speeds[i], 0, TRN_BODY_SPEED_MAX);
    }
    for (size_t i = 0; i < sizeof accelerations / sizeof *accelerations; i++) {
        is_good &= trn_number_within(accelerations[i], 0, BODY_ACCELERATION_MAX);
    }
    return is_good;
}

static bool is_body_good(const TrnBody *body, const TrnBodyInput *wish)
{
    const double most = 1.7976931348623157e308; // finite
    bool is_good = trn_position_is_good(body->position);
    for (int axis = 0; axis < 3; axis++) {
        is_good &= trn_number_within(body->velocity[axis], -TRN_BODY_SPEED_MAX, TRN_BODY_SPEED_MAX);
        is_good &= trn_number_within(wish->walk[axis], -most, most);
    }
    return is_good;
}

// ---- vectors -----------------------------------------------------------------------------------

static double greatest_part(const double vector[3])
{
    double most = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double part = vector[axis] < 0 ? -vector[axis] : vector[axis];
        most = part > most ? part : most;
    }
    return most;
}

/// A square root by Newton's method: the same on every machine. Five rounds reach the last bit from
/// 1 to 4.
/// @param square  2^-100 or more; 0 for less
static double root_of(double square)
{
    double scale = 1;
    if (square < 0x1p-100) {
        return 0;
    }
    for (; square >= 4; scale *= 2) {
        square /= 4;
    }
    for (; square < 1; scale /= 2) {
        square *= 4;
    }
    double root = (1 + square) / 2;
    for (int round = 0; round < 5; round++) {
        root = (root + square / root) / 2;
    }
    return root * scale;
}

/// Shortens a vector to a length, where it is longer.
static void cut_vector(double vector[3], double length)
{
    const double most = greatest_part(vector);
    if (most == 0) {
        return;
    }
    double unit[3], square = 0;
    for (int axis = 0; axis < 3; axis++) {
        unit[axis] = vector[axis] / most;
        square += unit[axis] * unit[axis];
    }
    const double root = root_of(square);
    // Compared by a division: most * root may be more than a double holds.
    for (int axis = 0; axis < 3 && most > length / root; axis++) {
        vector[axis] = unit[axis] * (length / root);
    }
}

static double cut_number(double number, double most)
{
    return number > most ? most : number < -most ? -most : number;
}

// ---- a step ------------------------------------------------------------------------------------

/// A step under way.
typedef struct BodyStep {
    const TrnBodyDef *def;
    const TrnBodyInput *wish;
    double seconds;
    TrnBoxWorld world;
    TrnBodyBox box;
    TrnBoxRegion region; ///< that touch is about
    TrnBoxTouch touch;
    double under;     ///< part of its height that is in a liquid, 0..1
    bool is_standing; ///< on blocks, and not on its way up
    bool is_at_wall;  ///< the last step was stopped sideways
    double velocity[3];
    double way[3]; ///< voxels
} BodyStep;

static bool is_same_region(const TrnBoxRegion *a, const TrnBoxRegion *b)
{
    bool is_same = true;
    for (int axis = 0; axis < 3; axis++) {
        is_same &= a->min[axis] == b->min[axis] && a->max[axis] == b->max[axis];
    }
    return is_same;
}

static void find_depth(BodyStep *step)
{
    const int64_t height = step->box.high[TRN_AXIS_Y] - step->box.low[TRN_AXIS_Y];
    step->under = (double)trn_box_liquid_depth(&step->touch, &step->box) / (double)height;
}

static void begin_body_step(BodyStep *step, const TrnStore *store, const TrnBody *body)
{
    trn_box_begin(&step->world, &step->box, store, body->position, step->def->size);
    step->region = trn_box_region(&step->box);
    step->touch = trn_box_touch(&step->world, &step->region);
    find_depth(step);
    for (int axis = 0; axis < 3; axis++) {
        step->velocity[axis] = body->velocity[axis];
    }
    step->is_standing = body->velocity[TRN_AXIS_Y] <= 0 &&
                        trn_box_ground(&step->world, &step->box) == TRN_BOX_GROUND_SOLID;
    step->is_at_wall = body->hit[TRN_FACE_NEG_X] || body->hit[TRN_FACE_POS_X] ||
                       body->hit[TRN_FACE_NEG_Z] || body->hit[TRN_FACE_POS_Z];
}

/// Brings the horizontal speed nearer to what is wished.
static void approach_walk(BodyStep *step, double speed, double acceleration)
{
    double wished[3] = {step->wish->walk[0], 0, step->wish->walk[2]};
    cut_vector(wished, 1);
    double change[3] = {wished[0] * speed - step->velocity[0], 0,
                        wished[2] * speed - step->velocity[2]};
    cut_vector(change, acceleration * step->seconds);
    step->velocity[0] += change[0];
    step->velocity[2] += change[2];
}

/// The wish where up and down count as well.
static void find_swim_wish(const BodyStep *step, double wished[3])
{
    for (int axis = 0; axis < 3; axis++) {
        wished[axis] = step->wish->walk[axis];
    }
    cut_vector(wished, 1);
    if (step->wish->jump) {
        wished[TRN_AXIS_Y] = 1;
        cut_vector(wished, 1);
    }
}

/// The way of this step at the speed that it ends with.
static void go_at_end_speed(BodyStep *step)
{
    for (int axis = 0; axis < 3; axis++) {
        step->velocity[axis] = cut_number(step->velocity[axis], TRN_BODY_SPEED_MAX);
        step->way[axis] = step->velocity[axis] * step->seconds;
    }
}

static void push_on_ladder(BodyStep *step)
{
    const bool stays = step->wish->sneak && !step->is_standing;
    double wished[3];
    find_swim_wish(step, wished);
    approach_walk(step, step->is_standing ? step->def->walk_speed : step->def->climb_speed,
                  step->def->ground_acceleration);
    step->velocity[TRN_AXIS_Y] = wished[TRN_AXIS_Y] * step->def->climb_speed;
    for (int axis = 0; axis < 3; axis++) {
        step->velocity[axis] = stays ? 0 : step->velocity[axis];
    }
    go_at_end_speed(step);
}

/// Drag takes the speed towards the one that is swum at; what it comes to is found at the end of
/// the step, not at its beginning, so that no step is too long for it to settle.
static void swim_sideways(BodyStep *step, const double wished[3])
{
    if (step->is_standing) {
        const double wade = step->def->walk_speed * (1 - step->under);
        approach_walk(step, wade + step->def->swim_speed * step->under,
                      step->def->ground_acceleration);
        return;
    }
    const double drag = step->def->liquid_drag * step->seconds;
    for (int axis = 0; axis < 3; axis += 2) {
        step->velocity[axis] =
            (step->velocity[axis] + drag * (wished[axis] * step->def->swim_speed)) / (1 + drag);
    }
}

/// Gravity against buoyancy, which lessens as the body comes out: also by what this step does to
/// that. Who swims up or down balances the two for as long as it is wholly under.
static void swim_vertically(BodyStep *step, double wished)
{
    const TrnBodyDef *def = step->def;
    const double drag = def->liquid_drag * step->under * step->seconds;
    const double stiffness = step->under < 1 ? def->buoyancy / def->size[TRN_AXIS_Y] : 0;
    const double effort = wished < 0 ? -wished : wished;
    const double lift = def->buoyancy * step->under - def->gravity;
    const double acceleration = lift - effort * (def->buoyancy - def->gravity);
    double *const speed = &step->velocity[TRN_AXIS_Y];
    *speed = (*speed + acceleration * step->seconds + drag * (wished * def->swim_speed)) /
             (1 + drag + stiffness * step->seconds * step->seconds);
}

/// Whether it leaps out of a liquid: at the surface, against a shore.
static bool leaps_ashore(const BodyStep *step)
{
    return step->touch.liquid && step->wish->jump && step->is_at_wall && step->under < 1;
}

/// The speed that a jump begins with. A leap out of a liquid brings it as high above the surface as
/// a jump above the ground, from whatever depth, and so however long the steps are.
static double jump_speed(const BodyStep *step)
{
    const TrnBodyDef *def = step->def;
    if (!leaps_ashore(step)) {
        return def->jump_speed;
    }
    const double depth = step->under * def->size[TRN_AXIS_Y];
    return root_of(def->jump_speed * def->jump_speed + 2 * def->gravity * depth);
}

static void jump(BodyStep *step)
{
    double *const speed = &step->velocity[TRN_AXIS_Y];
    if (step->wish->jump && (step->is_standing || leaps_ashore(step)) &&
        *speed < jump_speed(step)) {
        *speed = jump_speed(step);
    }
}

static void push_in_liquid(BodyStep *step)
{
    double wished[3];
    find_swim_wish(step, wished);
    jump(step);
    swim_sideways(step, wished);
    swim_vertically(step, wished[TRN_AXIS_Y]);
    for (int axis = 0; axis < 3; axis++) {
        const double speed = step->velocity[axis];
        step->velocity[axis] = speed < BODY_AT_REST && speed > -BODY_AT_REST ? 0 : speed;
    }
    go_at_end_speed(step);
}

/// On the ground and in the air the speed changes evenly, so that the way is that of the mean
/// speed: jumps reach the same height however long the steps are.
static void push_in_air(BodyStep *step)
{
    const TrnBodyDef *def = step->def;
    jump(step);
    const double before[3] = {step->velocity[0], step->velocity[1], step->velocity[2]};
    approach_walk(step, def->walk_speed,
                  step->is_standing ? def->ground_acceleration : def->air_acceleration);
    const double fall = step->velocity[TRN_AXIS_Y] - def->gravity * step->seconds;
    step->velocity[TRN_AXIS_Y] = fall < -def->fall_speed_max ? -def->fall_speed_max : fall;
    for (int axis = 0; axis < 3; axis++) {
        step->velocity[axis] = cut_number(step->velocity[axis], TRN_BODY_SPEED_MAX);
        step->way[axis] = (before[axis] + step->velocity[axis]) / 2 * step->seconds;
    }
}

static void push_body(BodyStep *step)
{
    if (step->touch.climbable) {
        push_on_ladder(step);
    } else if (step->touch.liquid && !leaps_ashore(step)) {
        push_in_liquid(step);
    } else {
        push_in_air(step);
    }
}

/// What the body touches where it is now: mostly the same voxels as before.
static void touch_again(BodyStep *step)
{
    const TrnBoxRegion region = trn_box_region(&step->box);
    if (!is_same_region(&region, &step->region)) {
        step->region = region;
        step->touch = trn_box_touch(&step->world, &region);
    }
    find_depth(step);
}

/// Speed does not outlive what stopped it. A fall that ends right on the ground was not stopped
/// yet, but has ended.
static void stop_speed(BodyStep *step, const TrnBoxSweep *sweep, TrnBoxGround ground)
{
    for (int axis = 0; axis < 3; axis++) {
        const double speed = step->velocity[axis];
        const bool is_stopped = speed != 0 && sweep->hit[trn_axis_face(axis, speed > 0)];
        if (is_stopped || sweep->at_edge[axis]) {
            step->velocity[axis] = 0;
        }
    }
    if (ground != TRN_BOX_GROUND_NONE && step->velocity[TRN_AXIS_Y] < 0) {
        step->velocity[TRN_AXIS_Y] = 0;
    }
}

static void end_body_step(BodyStep *step, const TrnBoxSweep *sweep, TrnBody *body)
{
    const TrnBoxGround ground = trn_box_ground(&step->world, &step->box);
    touch_again(step);
    stop_speed(step, sweep, ground);
    const bool is_down = step->velocity[TRN_AXIS_Y] <= 0;
    *body = (TrnBody){
        .position = trn_box_bottom(&step->world, &step->box),
        .velocity = {step->velocity[0], step->velocity[1], step->velocity[2]},
        .on_ground = is_down && ground == TRN_BOX_GROUND_SOLID,
        .in_liquid = step->under >= BODY_LIQUID_LEAST,
        .under_liquid = step->under >= 1,
        .on_ladder = step->touch.climbable,
        .waits = sweep->absent || (is_down && ground == TRN_BOX_GROUND_ABSENT),
        .step_height = sweep->stepped,
    };
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        body->hit[face] = sweep->hit[face];
    }
}

/// For a body in a chunk that is not there: nothing is known of what is around it, and its speed
/// waits with it.
static void wait_for_chunk(TrnBody *body)
{
    *body = (TrnBody){.position = body->position,
                      .velocity = {body->velocity[0], body->velocity[1], body->velocity[2]},
                      .waits = true};
}

TrnResult trn_body_step(const TrnStore *store, const TrnBodyDef *def, TrnBody *body,
                        const TrnBodyInput *wish, double seconds)
{
    const TrnBodyInput nothing = {{0, 0, 0}, false, false};
    wish = wish ? wish : &nothing;
    if (!store || !def || !body || !trn_number_within(seconds, 0, TRN_BODY_STEP_MAX) ||
        !is_body_def_good(def) || !is_body_good(body, wish)) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    if (!trn_store_find(store, body->position.chunk)) {
        wait_for_chunk(body);
        return TRN_RESULT_OK;
    }
    BodyStep step = {.def = def, .wish = wish, .seconds = seconds};
    begin_body_step(&step, store, body);
    push_body(&step);
    const int64_t way[3] = {trn_grid_round(step.way[0]), trn_grid_round(step.way[1]),
                            trn_grid_round(step.way[2])};
    TrnBoxSweep sweep = {.step_voxels = (int32_t)def->step_height, .keeps_to_edge = wish->sneak};
    trn_box_sweep(&step.world, &step.box, way, &sweep);
    end_body_step(&step, &sweep, body);
    return TRN_RESULT_OK;
}
