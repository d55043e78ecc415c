// Sweeps: a box moves along one axis after the other, and along each looks for the first solid part
// in the space that it enters: a whole voxel, or a box of a model. What it already overlaps never
// stops it, so a box can leave blocks that were placed where it stands.

#include "physics/sweep.h"

// ---- the nearest solid part ---------------------------------------------------------------------

/// What to look for: solid parts that overlap the inside of a space, the first in a direction.
typedef struct SweepSeek {
    int64_t low[3], high[3]; ///< the space, grid units; not empty
    int axis, step;          ///< the direction; step is 1 or -1
    /// Only parts count whose face on one side of one axis lies between two coordinates, inclusive.
    int face_axis;
    bool face_is_high;
    int64_t face_min, face_max;
} SweepSeek;

/// The first part in a direction.
typedef struct SweepStop {
    bool is_found;
    bool is_unloaded; ///< only chunks that are not loaded
    int64_t at;       ///< its face against the direction, grid units
} SweepStop;

static bool sweep_part_counts(const SweepSeek *seek, const int64_t low[3], const int64_t high[3])
{
    const int64_t face = seek->face_is_high ? high[seek->face_axis] : low[seek->face_axis];
    bool counts = face >= seek->face_min && face <= seek->face_max;
    for (int axis = 0; axis < 3; axis++) {
        counts &= low[axis] < seek->high[axis] && high[axis] > seek->low[axis];
    }
    return counts;
}

/// The nearer of two parts. At the same place loaded blocks win: loading a chunk would not change
/// the result.
static SweepStop sweep_nearer(SweepStop a, SweepStop b, int step)
{
    if (!a.is_found || !b.is_found) {
        return a.is_found ? a : b;
    }
    if (a.at == b.at) {
        return a.is_unloaded ? b : a;
    }
    return (step > 0) == (a.at < b.at) ? a : b;
}

/// Which columns along x contain something solid, in a part of a chunk.
static uint32_t sweep_solid_columns(const TrnBoxView *view, const TrnBoxRegion *part)
{
    uint32_t any = 0;
    for (int32_t y = part->min[1]; y <= part->max[1]; y++) {
        for (int32_t z = part->min[2]; z <= part->max[2]; z++) {
            any |= trn_box_row(view, (uint32_t)(y << TRN_CHUNK_SHIFT | z));
        }
    }
    return any & UINT32_MAX << part->min[0] & UINT32_MAX >> (TRN_CHUNK_EDGE - 1 - part->max[0]);
}

/// The first part of a voxel that overlaps the space.
/// @param voxel  counted from the origin
static SweepStop sweep_find_in_voxel(const TrnBoxWorld *world, const TrnBoxView *view,
                                     const int32_t voxel[3], uint32_t index, const SweepSeek *seek)
{
    const TrnBlockModel *model = trn_box_model(world, view, index);
    SweepStop found = {false, view->kind == TRN_BOX_VIEW_UNLOADED, 0};
    if (!model) {
        const int64_t face = trn_grid_face(voxel[seek->face_axis] + seek->face_is_high);
        found.is_found = face >= seek->face_min && face <= seek->face_max;
        found.at = trn_grid_face(voxel[seek->axis] + (seek->step < 0));
        return found;
    }
    TrnBoxParts parts;
    trn_box_parts(world, view, index, model, &parts);
    for (uint32_t i = 0; i < parts.count; i++) {
        if (sweep_part_counts(seek, parts.low[i], parts.high[i])) {
            const int64_t at =
                seek->step > 0 ? parts.low[i][seek->axis] : parts.high[i][seek->axis];
            found = sweep_nearer(found, (SweepStop){true, false, at}, seek->step);
        }
    }
    return found;
}

/// The first part of a layer of voxels.
/// @param layer  of a chunk: one voxel thick along the direction
static SweepStop sweep_find_in_layer(const TrnBoxWorld *world, const TrnBoxView *view,
                                     const TrnBoxRegion *layer, const SweepSeek *seek)
{
    const int32_t base[3] = {view->chunk[0] * TRN_CHUNK_EDGE, view->chunk[1] * TRN_CHUNK_EDGE,
                             view->chunk[2] * TRN_CHUNK_EDGE};
    const int32_t at = base[seek->axis] + layer->min[seek->axis];
    const int64_t nearest = trn_grid_face(seek->step > 0 ? at : at + 1);
    const uint32_t columns =
        UINT32_MAX << layer->min[0] & UINT32_MAX >> (TRN_CHUNK_EDGE - 1 - layer->max[0]);
    SweepStop found = {false, false, 0};
    for (int32_t y = layer->min[1]; y <= layer->max[1]; y++) {
        for (int32_t z = layer->min[2]; z <= layer->max[2]; z++) {
            const uint32_t row = (uint32_t)(y << TRN_CHUNK_SHIFT | z);
            for (uint32_t left = trn_box_row(view, row) & columns; left; left &= left - 1) {
                const int x = __builtin_ctz(left);
                const int32_t voxel[3] = {base[0] + x, base[1] + y, base[2] + z};
                const uint32_t index = row << TRN_CHUNK_SHIFT | (uint32_t)x;
                found = sweep_nearer(found, sweep_find_in_voxel(world, view, voxel, index, seek),
                                     seek->step);
                if (found.is_found && found.at == nearest) {
                    return found;
                }
            }
        }
    }
    return found;
}

/// The first part in one chunk.
static SweepStop sweep_find_in_chunk(TrnBoxWorld *world, const TrnBoxRegion *region,
                                     const int32_t chunk[3], const SweepSeek *seek)
{
    const TrnBoxView *view = trn_box_view(world, chunk);
    SweepStop found = {false, false, 0};
    if (view->kind == TRN_BOX_VIEW_FREE) {
        return found;
    }
    const int axis = seek->axis, step = seek->step;
    TrnBoxRegion layer = trn_box_part(region, chunk);
    const uint32_t columns = axis == TRN_AXIS_X ? sweep_solid_columns(view, &layer) : 0;
    const int32_t first = step > 0 ? layer.min[axis] : layer.max[axis];
    const int32_t end = (step > 0 ? layer.max[axis] : layer.min[axis]) + step;
    for (int32_t at = first; at != end && !found.is_found; at += step) {
        layer.min[axis] = layer.max[axis] = at;
        if (axis == TRN_AXIS_X ? columns >> at & 1 : sweep_solid_columns(view, &layer)) {
            found = sweep_find_in_layer(world, view, &layer, seek);
        }
    }
    return found;
}

/// The voxels of the space.
static TrnBoxRegion sweep_seek_region(const SweepSeek *seek)
{
    TrnBoxRegion region;
    for (int axis = 0; axis < 3; axis++) {
        region.min[axis] = trn_grid_floor(seek->low[axis]);
        region.max[axis] = trn_grid_ceil(seek->high[axis]) - 1;
    }
    return region;
}

/// The first solid part in a direction.
static SweepStop sweep_find(TrnBoxWorld *world, const SweepSeek *seek)
{
    const TrnBoxRegion region = sweep_seek_region(seek);
    const int axis = seek->axis, step = seek->step;
    const int second = axis == TRN_AXIS_X ? TRN_AXIS_Z : TRN_AXIS_X;
    const int third = axis == TRN_AXIS_Y ? TRN_AXIS_Z : TRN_AXIS_Y;
    int32_t first[3], last[3], chunk[3];
    for (int i = 0; i < 3; i++) {
        first[i] = region.min[i] >> TRN_CHUNK_SHIFT;
        last[i] = region.max[i] >> TRN_CHUNK_SHIFT;
    }
    SweepStop found = {false, false, 0};
    const int32_t end = (step > 0 ? last[axis] : first[axis]) + step;
    chunk[axis] = step > 0 ? first[axis] : last[axis];
    for (; chunk[axis] != end && !found.is_found; chunk[axis] += step) {
        for (chunk[second] = first[second]; chunk[second] <= last[second]; chunk[second]++) {
            for (chunk[third] = first[third]; chunk[third] <= last[third]; chunk[third]++) {
                found = sweep_nearer(found, sweep_find_in_chunk(world, &region, chunk, seek), step);
            }
        }
    }
    return found;
}

/// Looks for the parts that a box meets when it moves along an axis: those that begin at its face
/// or beyond.
static SweepSeek sweep_seek_ahead(const TrnBodyBox *box, int axis, int64_t motion)
{
    const bool is_up = motion > 0;
    const int64_t face = is_up ? box->high[axis] : box->low[axis];
    SweepSeek seek = {.axis = axis,
                      .step = is_up ? 1 : -1,
                      .face_axis = axis,
                      .face_is_high = !is_up,
                      .face_min = is_up ? face : INT64_MIN,
                      .face_max = is_up ? INT64_MAX : face};
    for (int i = 0; i < 3; i++) {
        seek.low[i] = box->low[i];
        seek.high[i] = box->high[i];
    }
    seek.low[axis] = is_up ? face : face + motion;
    seek.high[axis] = is_up ? face + motion : face;
    return seek;
}

// ---- one axis -----------------------------------------------------------------------------------

/// How far a box can move along an axis.
typedef struct SweepReach {
    int64_t way; ///< grid units
    bool is_stopped;
    bool is_unloaded; ///< only chunks that are not loaded, or the end of the world, stopped it
    bool is_held;     ///< an edge stopped it, before anything solid could
} SweepReach;

/// How far the middle of the bottom face can move before the world ends.
static SweepReach sweep_reach_in_world(const TrnBoxWorld *world, const TrnBodyBox *box, int axis,
                                       int64_t motion)
{
    const int64_t bottom = box->low[axis] + box->half[axis];
    const int64_t end = bottom + motion;
    if (end < world->low[axis] || end > world->high[axis]) {
        const int64_t last = end < world->low[axis] ? world->low[axis] : world->high[axis];
        const SweepReach cut = {last - bottom, true, true, false};
        return cut;
    }
    const SweepReach whole = {motion, false, false, false};
    return whole;
}

/// Whether no model is in the voxels that a box overlaps, so that only voxels that it newly enters
/// can stop it. That saves most bodies a look at those next to them.
static bool sweep_is_clear(const TrnBoxWorld *world, const TrnBodyBox *box)
{
    bool is_clear = true;
    for (int axis = 0; axis < 3; axis++) {
        is_clear &= box->low[axis] >= trn_grid_face(world->clear.min[axis]) &&
                    box->high[axis] <= trn_grid_face(world->clear.max[axis] + 1);
    }
    return is_clear;
}

/// The first part that stops a box on its way along an axis.
static SweepStop sweep_find_ahead(TrnBoxWorld *world, const TrnBodyBox *box, int axis,
                                  int64_t motion)
{
    const SweepStop none = {false, false, 0};
    SweepSeek seek = sweep_seek_ahead(box, axis, motion);
    if (sweep_is_clear(world, box)) {
        const bool is_up = motion > 0;
        int64_t *const start = is_up ? &seek.low[axis] : &seek.high[axis];
        *start = trn_grid_face(is_up ? trn_grid_ceil(*start) : trn_grid_floor(*start));
    }
    return seek.low[axis] < seek.high[axis] ? sweep_find(world, &seek) : none;
}

/// How far a box can move along an axis until something solid stops it.
static SweepReach sweep_reach(TrnBoxWorld *world, const TrnBodyBox *box, int axis, int64_t motion)
{
    const SweepReach reach = sweep_reach_in_world(world, box, axis, motion);
    if (reach.way == 0) {
        return reach;
    }
    const SweepStop stop = sweep_find_ahead(world, box, axis, reach.way);
    if (!stop.is_found) {
        return reach;
    }
    const SweepReach stopped = {stop.at - (motion > 0 ? box->high[axis] : box->low[axis]), true,
                                stop.is_unloaded, false};
    return stopped;
}

static void sweep_move_box(TrnBodyBox *box, int axis, int64_t way)
{
    box->low[axis] += way;
    box->high[axis] += way;
}

// ---- ground and edges ---------------------------------------------------------------------------

TrnBoxGround trn_box_ground(TrnBoxWorld *world, const TrnBodyBox *box)
{
    if (box->low[TRN_AXIS_Y] & (TRN_GRID_PART - 1)) {
        return TRN_BOX_GROUND_NONE; // no block and no box of a model has a face there
    }
    const SweepStop stop = sweep_find_ahead(world, box, TRN_AXIS_Y, -1);
    if (!stop.is_found) {
        return TRN_BOX_GROUND_NONE;
    }
    return stop.is_unloaded ? TRN_BOX_GROUND_UNLOADED : TRN_BOX_GROUND_SOLID;
}

/// Finds the support that reaches farthest in the direction of `step`, in a range along the axis.
/// @param under  looks for supports; its range along the axis is set here
/// @param end    receives the far face of the support
static bool sweep_find_support(TrnBoxWorld *world, SweepSeek *under, int64_t low, int64_t high,
                               int64_t *end)
{
    under->low[under->axis] = low;
    under->high[under->axis] = high;
    const SweepStop stop = sweep_find(world, under);
    *end = stop.is_found ? stop.at : *end;
    return stop.is_found;
}

/// How far a box can move along a horizontal axis with something solid always under it, no deeper
/// than a step; all the way if nothing is under it at the start. Goes from support to support: each
/// brings others within reach.
static int64_t sweep_reach_on_ground(TrnBoxWorld *world, const TrnBodyBox *box, int axis,
                                     int64_t motion, int64_t depth)
{
    const int step = motion > 0 ? 1 : -1;
    SweepSeek under = sweep_seek_ahead(box, TRN_AXIS_Y, -1 - depth);
    under.axis = axis;
    under.step = -step; // seen from the far end
    under.face_min = box->low[TRN_AXIS_Y] - depth;
    int64_t end = 0;
    if (!sweep_find_support(world, &under, box->low[axis], box->high[axis], &end)) {
        return motion;
    }
    for (;;) {
        // One grid unit stays on the support: touching only its face would not support the box.
        const int64_t way = step > 0 ? end - box->low[axis] - 1 : end - box->high[axis] + 1;
        if (step > 0 ? way >= motion : way <= motion) {
            return motion;
        }
        const int64_t low = step > 0 ? end : box->low[axis] + way;
        const int64_t high = step > 0 ? box->high[axis] + way : end;
        if (low >= high || !sweep_find_support(world, &under, low, high, &end)) {
            return way;
        }
    }
}

// ---- the sweep ----------------------------------------------------------------------------------

/// A sweep in progress.
typedef struct SweepRun {
    TrnBoxWorld *world;
    TrnBodyBox *box;
    TrnBoxSweep *sweep;
    bool falls;
} SweepRun;

/// How far a standing box moves along a horizontal axis: until something solid or an edge stops it.
static SweepReach sweep_reach_standing(const SweepRun *run, const TrnBodyBox *box, int axis,
                                       int64_t motion)
{
    const int64_t held = sweep_reach_on_ground(run->world, box, axis, motion, run->sweep->step);
    SweepReach reach = sweep_reach(run->world, box, axis, held);
    reach.is_held = held != motion && !reach.is_stopped;
    return reach;
}

static SweepReach sweep_reach_sideways(const SweepRun *run, int axis, int64_t motion)
{
    // Also on the way down a step: in the air it would drift past the next edge.
    const bool keeps_to_edge =
        run->sweep->keeps_to_edge &&
        (run->falls || trn_box_ground(run->world, run->box) != TRN_BOX_GROUND_NONE);
    return keeps_to_edge ? sweep_reach_standing(run, run->box, axis, motion)
                         : sweep_reach(run->world, run->box, axis, motion);
}

/// How far a box must rise above what stops it sideways. @return 0 if the world's end stops it
static int64_t sweep_obstacle_rise(TrnBoxWorld *world, const TrnBodyBox *box, int axis,
                                   int64_t motion)
{
    SweepSeek seek = sweep_seek_ahead(box, axis, motion > 0 ? 1 : -1);
    seek.axis = TRN_AXIS_Y;
    seek.step = -1; // the highest
    const SweepStop stop = sweep_find(world, &seek);
    return stop.is_found ? stop.at - box->low[TRN_AXIS_Y] : 0;
}

/// Raises a box by as little as lets it move on, and finds how far it can move then.
/// @return how far it rose, or 0 if that does not help
static int64_t sweep_raise_box(const SweepRun *run, TrnBodyBox *box, int axis, int64_t motion,
                               SweepReach *on)
{
    for (int64_t up = 0;;) {
        const int64_t rise = sweep_obstacle_rise(run->world, box, axis, motion);
        up += rise;
        if (rise == 0 || up > run->sweep->step ||
            sweep_reach(run->world, box, TRN_AXIS_Y, rise).is_stopped) {
            return 0;
        }
        sweep_move_box(box, TRN_AXIS_Y, rise);
        // What it stood on still counts as its ground: that is no deeper than a step.
        *on = run->sweep->keeps_to_edge ? sweep_reach_standing(run, box, axis, motion)
                                        : sweep_reach(run->world, box, axis, motion);
        if (on->way != 0) {
            return up;
        }
    }
}

/// Records what stopped a side of the box.
static void sweep_record_stop(TrnBoxSweep *sweep, TrnFace face, SweepReach reach)
{
    sweep->hit[face] |= reach.is_stopped;
    sweep->unloaded[face] |= reach.is_stopped && reach.is_unloaded;
}

/// Climbs a step, moves on, then comes down again to whatever is there: past the step the box would
/// float otherwise.
/// @return how far it moved on; 0 if no step helps
static int64_t sweep_step_up(SweepRun *run, int axis, int64_t motion)
{
    if (run->sweep->step < TRN_GRID_PART ||
        trn_box_ground(run->world, run->box) == TRN_BOX_GROUND_NONE) {
        return 0;
    }
    TrnBodyBox box = *run->box;
    SweepReach on;
    const int64_t up = sweep_raise_box(run, &box, axis, motion, &on);
    if (up == 0) {
        return 0;
    }
    sweep_move_box(&box, axis, on.way);
    const SweepReach down = sweep_reach(run->world, &box, TRN_AXIS_Y, -up);
    sweep_move_box(&box, TRN_AXIS_Y, down.way);
    run->sweep->stepped += up + down.way;
    sweep_record_stop(run->sweep, TRN_FACE_NEG_Y, down);
    *run->box = box;
    return on.way;
}

static void sweep_sideways(SweepRun *run, int axis, int64_t motion)
{
    SweepReach reach = {0, false, false, false};
    while (motion != 0) {
        reach = sweep_reach_sideways(run, axis, motion);
        sweep_move_box(run->box, axis, reach.way);
        motion -= reach.way;
        const int64_t on = reach.is_stopped ? sweep_step_up(run, axis, motion) : 0;
        if (on == 0) {
            break;
        }
        motion -= on;
        reach.is_stopped = false;
    }
    run->sweep->at_edge[axis] = reach.is_held;
    sweep_record_stop(run->sweep, trn_axis_face(axis, motion > 0), reach);
}

static void sweep_vertically(SweepRun *run, int64_t motion)
{
    const SweepReach reach = sweep_reach(run->world, run->box, TRN_AXIS_Y, motion);
    sweep_move_box(run->box, TRN_AXIS_Y, reach.way);
    sweep_record_stop(run->sweep, trn_axis_face(TRN_AXIS_Y, motion > 0), reach);
}

static int64_t sweep_length(int64_t motion)
{
    return motion < 0 ? -motion : motion;
}

void trn_box_sweep(TrnBoxWorld *world, TrnBodyBox *box, const int64_t motion[3], TrnBoxSweep *sweep)
{
    SweepRun run = {world, box, sweep, motion[TRN_AXIS_Y] < 0};
    sweep_vertically(&run, motion[TRN_AXIS_Y]);
    sweep->waits = sweep->waits_above && sweep->unloaded[TRN_FACE_NEG_Y];
    if (sweep->waits) {
        return;
    }
    const bool x_first = sweep_length(motion[TRN_AXIS_X]) >= sweep_length(motion[TRN_AXIS_Z]);
    const int first = x_first ? TRN_AXIS_X : TRN_AXIS_Z;
    const int second = x_first ? TRN_AXIS_Z : TRN_AXIS_X;
    sweep_sideways(&run, first, motion[first]);
    sweep_sideways(&run, second, motion[second]);
}

// ---- the public sweep ---------------------------------------------------------------------------

static bool sweep_is_valid(TrnPosition bottom, const double size[3], const double motion[3],
                           double step_height)
{
    bool is_valid = trn_position_is_valid(bottom) && trn_number_within(step_height, 0, size[1]);
    for (int axis = 0; axis < 3; axis++) {
        is_valid &= size[axis] > 0 && size[axis] <= TRN_BODY_SIZE_MAX &&
                    trn_number_within(motion[axis], -TRN_SWEEP_MAX, TRN_SWEEP_MAX);
    }
    return is_valid;
}

TrnResult trn_store_sweep(const TrnStore *store, TrnPosition bottom, const double size[3],
                          const double motion[3], double step_height, TrnSweep *sweep)
{
    if (!store || !size || !motion || !sweep ||
        !sweep_is_valid(bottom, size, motion, step_height)) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    TrnBoxWorld world;
    TrnBodyBox box;
    trn_box_begin(&world, &box, store, bottom, size);
    const int64_t units[3] = {trn_grid_round(motion[0]), trn_grid_round(motion[1]),
                              trn_grid_round(motion[2])};
    TrnBoxSweep run = {.step = trn_grid_round(step_height)};
    trn_box_sweep(&world, &box, units, &run);
    *sweep = (TrnSweep){.bottom = trn_box_bottom(&world, &box),
                        .stepped = run.stepped > 0,
                        .step_height = trn_grid_voxels(run.stepped)};
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        sweep->hit[face] = run.hit[face];
        sweep->unloaded |= run.unloaded[face];
    }
    return TRN_RESULT_OK;
}
