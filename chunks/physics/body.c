// Bodies: each step computes a velocity and a motion from the input and from the blocks that the
// body overlaps; a sweep then makes the motion.
//
// Only +, -, *, / on doubles, which every machine rounds alike; no libm.

#include "physics/sweep.h"

#include <float.h>

#define BODY_ACCELERATION_MAX 1e6
#define BODY_DRAG_MAX 1e3
#define BODY_IN_LIQUID_MIN 0.1  // submerged part of the height; less is wading
#define BODY_REST_SPEED 0x1p-30 // voxels/s: slower than this in a liquid is at rest

TrnBodyDef trn_body_def(void)
{
    const TrnBodyDef def = {
        .size = {0.6, 1.8, 0.6},
        .step_height = 0.5,
        .gravity = TRN_BODY_GRAVITY,
        .fall_speed_max = 78,
        .walk_speed = TRN_BODY_WALK_SPEED,
        .jump_speed = TRN_BODY_JUMP_SPEED,
        .ground_acceleration = 60,
        .air_acceleration = 12,
        .swim_speed = TRN_BODY_SWIM_SPEED,
        .liquid_drag = 5,
        .buoyancy = 40,
        .climb_speed = TRN_BODY_CLIMB_SPEED,
    };
    return def;
}

// ---- validation ---------------------------------------------------------------------------------

static bool body_def_is_valid(const TrnBodyDef *def)
{
    const double speeds[] = {def->fall_speed_max, def->walk_speed, def->jump_speed, def->swim_speed,
                             def->climb_speed};
    const double accelerations[] = {def->gravity, def->ground_acceleration, def->air_acceleration,
                                    def->buoyancy};
    bool is_valid = trn_number_within(def->step_height, 0, def->size[1]) &&
                    trn_number_within(def->liquid_drag, 0, BODY_DRAG_MAX);
    for (int axis = 0; axis < 3; axis++) {
        is_valid &= def->size[axis] > 0 && def->size[axis] <= TRN_BODY_SIZE_MAX;
    }
    for (size_t i = 0; i < sizeof speeds / sizeof *speeds; i++) {
        is_valid &= trn_number_within(speeds[i], 0, TRN_BODY_SPEED_MAX);
    }
    for (size_t i = 0; i < sizeof accelerations / sizeof *accelerations; i++) {
        is_valid &= trn_number_within(accelerations[i], 0, BODY_ACCELERATION_MAX);
    }
    return is_valid;
}

static bool body_is_valid(const TrnBody *body, const TrnBodyInput *input)
{
    bool is_valid = trn_position_is_valid(body->position);
    for (int axis = 0; axis < 3; axis++) {
        is_valid &=
            trn_number_within(body->velocity[axis], -TRN_BODY_SPEED_MAX, TRN_BODY_SPEED_MAX);
        is_valid &= trn_number_within(input->walk[axis], -DBL_MAX, DBL_MAX); // finite
    }
    return is_valid;
}

// ---- vectors ------------------------------------------------------------------------------------

/// A square root by Newton's method: the same on every machine. Five rounds reach the last bit from
/// 1 to 4.
/// @param square  2^-100 or more; less gives 0
static double body_sqrt(double square)
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

/// Cuts a vector to a length if it is longer.
static void body_clamp_length(double vector[3], double length)
{
    double most = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double part = vector[axis] < 0 ? -vector[axis] : vector[axis];
        most = part > most ? part : most;
    }
    if (most == 0) {
        return;
    }
    double unit[3], square = 0;
    for (int axis = 0; axis < 3; axis++) {
        unit[axis] = vector[axis] / most;
        square += unit[axis] * unit[axis];
    }
    const double root = body_sqrt(square);
    // Compared by a division: most * root may overflow a double.
    for (int axis = 0; axis < 3 && most > length / root; axis++) {
        vector[axis] = unit[axis] * (length / root);
    }
}

static double body_clamp_speed(double speed)
{
    return speed > TRN_BODY_SPEED_MAX    ? TRN_BODY_SPEED_MAX
           : speed < -TRN_BODY_SPEED_MAX ? -TRN_BODY_SPEED_MAX
                                         : speed;
}

// ---- a step -------------------------------------------------------------------------------------

/// A step in progress.
typedef struct BodyStep {
    const TrnBodyDef *def;
    const TrnBodyInput *input;
    double seconds;
    TrnBoxWorld world;
    TrnBodyBox box;
    TrnBoxRegion region; ///< whose liquids and climbable blocks `touch` describes
    TrnBoxTouch touch;
    double submerged; ///< part of the height that is in a liquid, 0..1
    bool is_standing; ///< on blocks, and not moving up
    bool is_at_wall;  ///< the last step was stopped sideways
    double velocity[3];
    double motion[3]; ///< voxels
} BodyStep;

static void body_find_submerged(BodyStep *step)
{
    const int64_t height = step->box.high[TRN_AXIS_Y] - step->box.low[TRN_AXIS_Y];
    step->submerged = (double)trn_box_liquid_depth(&step->touch, &step->box) / (double)height;
}

static void body_begin_step(BodyStep *step, const TrnStore *store, const TrnBody *body)
{
    trn_box_begin(&step->world, &step->box, store, body->position, step->def->size);
    step->region = trn_box_region(&step->box);
    step->touch = trn_box_touch(&step->world, &step->box);
    body_find_submerged(step);
    for (int axis = 0; axis < 3; axis++) {
        step->velocity[axis] = body->velocity[axis];
    }
    step->is_standing = body->velocity[TRN_AXIS_Y] <= 0 &&
                        trn_box_ground(&step->world, &step->box) == TRN_BOX_GROUND_SOLID;
    step->is_at_wall = body->hit[TRN_FACE_NEG_X] || body->hit[TRN_FACE_POS_X] ||
                       body->hit[TRN_FACE_NEG_Z] || body->hit[TRN_FACE_POS_Z];
}

/// Accelerates the horizontal velocity towards the input's.
static void body_accelerate(BodyStep *step, double speed, double acceleration)
{
    double walk[3] = {step->input->walk[0], 0, step->input->walk[2]};
    body_clamp_length(walk, 1);
    double change[3] = {walk[0] * speed - step->velocity[0], 0,
                        walk[2] * speed - step->velocity[2]};
    body_clamp_length(change, acceleration * step->seconds);
    step->velocity[0] += change[0];
    step->velocity[2] += change[2];
}

/// The input's direction in liquids and on ladders, where up and down count too.
static void body_swim_direction(const BodyStep *step, double direction[3])
{
    for (int axis = 0; axis < 3; axis++) {
        direction[axis] = step->input->walk[axis];
    }
    body_clamp_length(direction, 1);
    if (step->input->jump) {
        direction[TRN_AXIS_Y] = 1;
        body_clamp_length(direction, 1);
    }
}

/// Sets the motion of this step from its final velocity.
static void body_move_at_end_velocity(BodyStep *step)
{
    for (int axis = 0; axis < 3; axis++) {
        step->velocity[axis] = body_clamp_speed(step->velocity[axis]);
        step->motion[axis] = step->velocity[axis] * step->seconds;
    }
}

static void body_push_on_ladder(BodyStep *step)
{
    const bool stays = step->input->sneak && !step->is_standing;
    double direction[3];
    body_swim_direction(step, direction);
    body_accelerate(step, step->is_standing ? step->def->walk_speed : step->def->climb_speed,
                    step->def->ground_acceleration);
    step->velocity[TRN_AXIS_Y] = direction[TRN_AXIS_Y] * step->def->climb_speed;
    for (int axis = 0; axis < 3; axis++) {
        step->velocity[axis] = stays ? 0 : step->velocity[axis];
    }
    body_move_at_end_velocity(step);
}

/// Drag pulls the velocity towards the swimming velocity. Implicit Euler (the end of the step
/// decides, not its beginning), so long steps stay stable.
static void body_swim_sideways(BodyStep *step, const double direction[3])
{
    if (step->is_standing) {
        const double wade = step->def->walk_speed * (1 - step->submerged);
        body_accelerate(step, wade + step->def->swim_speed * step->submerged,
                        step->def->ground_acceleration);
        return;
    }
    const double drag = step->def->liquid_drag * step->seconds;
    for (int axis = 0; axis < 3; axis += 2) {
        step->velocity[axis] =
            (step->velocity[axis] + drag * (direction[axis] * step->def->swim_speed)) / (1 + drag);
    }
}

/// Gravity against buoyancy. Buoyancy drops as the body rises out of the liquid, also during this
/// step. Input up or down cancels both while the body is fully submerged.
static void body_swim_vertically(BodyStep *step, double direction)
{
    const TrnBodyDef *def = step->def;
    const double drag = def->liquid_drag * step->submerged * step->seconds;
    const double stiffness = step->submerged < 1 ? def->buoyancy / def->size[TRN_AXIS_Y] : 0;
    const double effort = direction < 0 ? -direction : direction;
    const double lift = def->buoyancy * step->submerged - def->gravity;
    const double acceleration = lift - effort * (def->buoyancy - def->gravity);
    double *const speed = &step->velocity[TRN_AXIS_Y];
    *speed = (*speed + acceleration * step->seconds + drag * (direction * def->swim_speed)) /
             (1 + drag + stiffness * step->seconds * step->seconds);
}

/// Whether the body leaps out of a liquid: at the surface, against a shore.
static bool body_leaps_ashore(const BodyStep *step)
{
    return step->submerged > 0 && step->input->jump && step->is_at_wall && step->submerged < 1;
}

/// Starts a jump, or a leap out of a liquid. A leap reaches as high above the surface as a jump
/// above the ground, from any depth, and so for any length of step.
static void body_jump(BodyStep *step)
{
    const TrnBodyDef *def = step->def;
    const bool leaps = body_leaps_ashore(step);
    if (!leaps && !(step->input->jump && step->is_standing)) {
        return;
    }
    double start = def->jump_speed;
    if (leaps) {
        const double depth = step->submerged * def->size[TRN_AXIS_Y];
        start = body_sqrt(def->jump_speed * def->jump_speed + 2 * def->gravity * depth);
    }
    double *const speed = &step->velocity[TRN_AXIS_Y];
    *speed = *speed < start ? start : *speed;
}

static void body_push_in_liquid(BodyStep *step)
{
    double direction[3];
    body_swim_direction(step, direction);
    body_jump(step);
    body_swim_sideways(step, direction);
    body_swim_vertically(step, direction[TRN_AXIS_Y]);
    for (int axis = 0; axis < 3; axis++) {
        const double speed = step->velocity[axis];
        step->velocity[axis] = speed < BODY_REST_SPEED && speed > -BODY_REST_SPEED ? 0 : speed;
    }
    body_move_at_end_velocity(step);
}

/// On the ground and in the air the acceleration is constant over a step, so the mean velocity
/// gives the exact motion: jumps reach the same height for any length of step.
static void body_push_in_air(BodyStep *step)
{
    const TrnBodyDef *def = step->def;
    body_jump(step);
    const double before[3] = {step->velocity[0], step->velocity[1], step->velocity[2]};
    body_accelerate(step, def->walk_speed,
                    step->is_standing ? def->ground_acceleration : def->air_acceleration);
    const double fall = step->velocity[TRN_AXIS_Y] - def->gravity * step->seconds;
    step->velocity[TRN_AXIS_Y] = fall < -def->fall_speed_max ? -def->fall_speed_max : fall;
    for (int axis = 0; axis < 3; axis++) {
        step->velocity[axis] = body_clamp_speed(step->velocity[axis]);
        step->motion[axis] = (before[axis] + step->velocity[axis]) / 2 * step->seconds;
    }
}

static void body_push(BodyStep *step)
{
    if (step->touch.climbable) {
        body_push_on_ladder(step);
    } else if (step->submerged > 0 && !body_leaps_ashore(step)) {
        body_push_in_liquid(step);
    } else {
        body_push_in_air(step);
    }
}

/// Tests the overlap at the new place, which is usually the same voxels as before.
static void body_touch_again(BodyStep *step)
{
    const TrnBoxRegion region = trn_box_region(&step->box);
    bool is_same = true;
    for (int axis = 0; axis < 3; axis++) {
        is_same &= region.min[axis] == step->region.min[axis] &&
                   region.max[axis] == step->region.max[axis];
    }
    if (!is_same) {
        step->region = region;
        step->touch = trn_box_touch(&step->world, &step->box);
    }
    body_find_submerged(step);
}

/// Zeroes the velocity along axes that were stopped, unless what stopped them may be loaded yet. A
/// fall that ends exactly on the ground hit nothing yet, but is over.
static void body_stop_velocity(BodyStep *step, const TrnBoxSweep *sweep, TrnBoxGround ground)
{
    for (int axis = 0; axis < 3; axis++) {
        const double speed = step->velocity[axis];
        const TrnFace face = trn_axis_face(axis, speed > 0);
        const bool is_stopped = speed != 0 && sweep->hit[face] && !sweep->unloaded[face];
        if (is_stopped || sweep->at_edge[axis]) {
            step->velocity[axis] = 0;
        }
    }
    if (ground == TRN_BOX_GROUND_SOLID && step->velocity[TRN_AXIS_Y] < 0) {
        step->velocity[TRN_AXIS_Y] = 0;
    }
}

/// Whether a body that waits above a chunk keeps its velocity. Not if it swims up: in time that
/// takes it away from there.
static bool body_keeps_velocity(const BodyStep *step, const TrnBoxSweep *sweep)
{
    const bool swims_up =
        step->submerged > 0 && (step->input->jump || step->input->walk[TRN_AXIS_Y] > 0);
    return sweep->waits && !swims_up;
}

static void body_end_step(BodyStep *step, const TrnBoxSweep *sweep, TrnBody *body)
{
    const TrnBoxGround ground = trn_box_ground(&step->world, &step->box);
    body_touch_again(step);
    for (int axis = 0; axis < 3 && body_keeps_velocity(step, sweep); axis++) {
        step->velocity[axis] = body->velocity[axis];
    }
    body_stop_velocity(step, sweep, ground);
    const bool is_down = step->velocity[TRN_AXIS_Y] <= 0;
    *body = (TrnBody){
        .position = trn_box_bottom(&step->world, &step->box),
        .velocity = {step->velocity[0], step->velocity[1], step->velocity[2]},
        .on_ground = is_down && ground == TRN_BOX_GROUND_SOLID,
        .in_liquid = step->submerged >= BODY_IN_LIQUID_MIN,
        .under_liquid = step->submerged >= 1,
        .on_ladder = step->touch.climbable,
        .waits = is_down && ground == TRN_BOX_GROUND_UNLOADED,
        .step_height = trn_grid_voxels(sweep->stepped),
    };
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        body->hit[face] = sweep->hit[face];
        body->waits |= sweep->unloaded[face];
    }
}

TrnResult trn_body_step(const TrnStore *store, const TrnBodyDef *def, TrnBody *body,
                        const TrnBodyInput *input, double seconds)
{
    const TrnBodyInput none = {{0, 0, 0}, false, false};
    input = input ? input : &none;
    if (!store || !def || !body || !trn_number_within(seconds, 0, TRN_BODY_STEP_MAX) ||
        !body_def_is_valid(def) || !body_is_valid(body, input)) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    if (!trn_store_find(store, body->position.chunk)) {
        // What surrounds the body is unknown: it keeps its velocity until the chunk is loaded.
        *body = (TrnBody){.position = body->position,
                          .velocity = {body->velocity[0], body->velocity[1], body->velocity[2]},
                          .waits = true};
        return TRN_RESULT_OK;
    }
    BodyStep step = {.def = def, .input = input, .seconds = seconds};
    body_begin_step(&step, store, body);
    body_push(&step);
    const int64_t motion[3] = {trn_grid_round(step.motion[0]), trn_grid_round(step.motion[1]),
                               trn_grid_round(step.motion[2])};
    TrnBoxSweep sweep = {.step = trn_grid_round(def->step_height),
                         .keeps_to_edge = input->sneak,
                         .waits_above = true};
    trn_box_sweep(&step.world, &step.box, motion, &sweep);
    body_end_step(&step, &sweep, body);
    return TRN_RESULT_OK;
}
