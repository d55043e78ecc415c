// Sweeps: a box moves along one axis after the other, and along each tests only the layers of
// voxels that it newly enters. Layers that it already overlaps never stop it, so a box can leave
// blocks that were placed where it stands.

#include "physics/sweep.h"

// ---- the nearest solid layer --------------------------------------------------------------------

/// The first layer of a region that contains something solid.
typedef struct SweepLayer {
    bool is_found;
    bool is_unloaded; ///< only chunks that are not loaded
    int32_t at;       ///< voxel along the axis
} SweepLayer;

/// Which columns along x contain something solid, in a part of a chunk.
static uint32_t sweep_solid_columns(const uint32_t *solid, const TrnBoxRegion *part)
{
    uint32_t any = 0;
    for (int32_t y = part->min[1]; y <= part->max[1]; y++) {
        for (int32_t z = part->min[2]; z <= part->max[2]; z++) {
            any |= solid[y << TRN_CHUNK_SHIFT | z];
        }
    }
    return any & UINT32_MAX << part->min[0] & UINT32_MAX >> (TRN_CHUNK_EDGE - 1 - part->max[0]);
}

/// The first solid layer of a part of a chunk, or -1.
/// @param step  1: from the low end, -1: from the high end
static int32_t sweep_find_local_layer(const uint32_t *solid, const TrnBoxRegion *part, int axis,
                                      int step)
{
    if (axis == TRN_AXIS_X) {
        const uint32_t columns = sweep_solid_columns(solid, part);
        if (!columns) {
            return -1;
        }
        return step > 0 ? __builtin_ctz(columns) : TRN_CHUNK_EDGE - 1 - __builtin_clz(columns);
    }
    TrnBoxRegion layer = *part;
    const int32_t first = step > 0 ? part->min[axis] : part->max[axis];
    const int32_t end = (step > 0 ? part->max[axis] : part->min[axis]) + step;
    for (int32_t at = first; at != end; at += step) {
        layer.min[axis] = layer.max[axis] = at;
        if (sweep_solid_columns(solid, &layer)) {
            return at;
        }
    }
    return -1;
}

/// The first solid layer of a region in one chunk.
static SweepLayer sweep_find_chunk_layer(TrnBoxWorld *world, const TrnBoxRegion *region,
                                         const int32_t chunk[3], int axis, int step)
{
    const TrnBoxView *view = trn_box_view(world, chunk);
    const TrnBoxRegion part = trn_box_part(region, chunk);
    SweepLayer layer = {false, view->kind == TRN_BOX_VIEW_UNLOADED, 0};
    int32_t local = step > 0 ? part.min[axis] : part.max[axis];
    if (view->kind == TRN_BOX_VIEW_FREE) {
        return layer;
    }
    if (view->kind == TRN_BOX_VIEW_MIXED) {
        local = sweep_find_local_layer(view->solid, &part, axis, step);
    }
    layer.is_found = local >= 0;
    layer.at = chunk[axis] * TRN_CHUNK_EDGE + local;
    return layer;
}

/// The nearer of two layers. At the same place a layer of blocks wins: loading a chunk would not
/// change it.
static SweepLayer sweep_nearer_layer(SweepLayer a, SweepLayer b, int step)
{
    if (!a.is_found || !b.is_found) {
        return a.is_found ? a : b;
    }
    if (a.at == b.at) {
        return a.is_unloaded ? b : a;
    }
    return (step > 0) == (a.at < b.at) ? a : b;
}

/// The first solid layer of a region.
/// @param step  1: from the low end, -1: from the high end
static SweepLayer sweep_find_layer(TrnBoxWorld *world, const TrnBoxRegion *region, int axis,
                                   int step)
{
    const int second = axis == TRN_AXIS_X ? TRN_AXIS_Z : TRN_AXIS_X;
    const int third = axis == TRN_AXIS_Y ? TRN_AXIS_Z : TRN_AXIS_Y;
    int32_t first[3], last[3], chunk[3];
    for (int i = 0; i < 3; i++) {
        first[i] = region->min[i] >> TRN_CHUNK_SHIFT;
        last[i] = region->max[i] >> TRN_CHUNK_SHIFT;
    }
    SweepLayer found = {false, false, 0};
    const int32_t end = (step > 0 ? last[axis] : first[axis]) + step;
    chunk[axis] = step > 0 ? first[axis] : last[axis];
    for (; chunk[axis] != end && !found.is_found; chunk[axis] += step) {
        for (chunk[second] = first[second]; chunk[second] <= last[second]; chunk[second]++) {
            for (chunk[third] = first[third]; chunk[third] <= last[third]; chunk[third]++) {
                const SweepLayer here = sweep_find_chunk_layer(world, region, chunk, axis, step);
                found = sweep_nearer_layer(found, here, step);
            }
        }
    }
    return found;
}

// ---- one axis -----------------------------------------------------------------------------------

/// How far a box can move along an axis.
typedef struct SweepReach {
    int64_t way; ///< grid units
    bool is_stopped;
    bool is_unloaded; ///< only chunks that are not loaded, or the end of the world, stopped it
    bool is_held;     ///< an edge stopped it, before anything solid could
} SweepReach;

/// The layers that a box newly enters when it moves along an axis; empty if it enters none.
static TrnBoxRegion sweep_entered_region(const TrnBodyBox *box, int axis, int64_t motion)
{
    TrnBoxRegion region = trn_box_region(box);
    if (motion > 0) {
        region.min[axis] = trn_grid_ceil(box->high[axis]);
        region.max[axis] = trn_grid_ceil(box->high[axis] + motion) - 1;
    } else {
        region.max[axis] = trn_grid_floor(box->low[axis]) - 1;
        region.min[axis] = trn_grid_floor(box->low[axis] + motion);
    }
    return region;
}

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

/// How far a box can move along an axis until something solid stops it.
static SweepReach sweep_reach(TrnBoxWorld *world, const TrnBodyBox *box, int axis, int64_t motion)
{
    const SweepReach reach = sweep_reach_in_world(world, box, axis, motion);
    const TrnBoxRegion region = sweep_entered_region(box, axis, reach.way);
    if (reach.way == 0 || region.min[axis] > region.max[axis]) {
        return reach;
    }
    const int step = motion > 0 ? 1 : -1;
    const SweepLayer layer = sweep_find_layer(world, &region, axis, step);
    if (!layer.is_found) {
        return reach;
    }
    const int64_t way = step > 0 ? trn_grid_face(layer.at) - box->high[axis]
                                 : trn_grid_face(layer.at + 1) - box->low[axis];
    const SweepReach stopped = {way, true, layer.is_unloaded, false};
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
    if (box->low[TRN_AXIS_Y] & (TRN_GRID_VOXEL - 1)) {
        return TRN_BOX_GROUND_NONE; // blocks are whole: the bottom touches no block's face
    }
    TrnBoxRegion below = trn_box_region(box);
    below.max[TRN_AXIS_Y] = below.min[TRN_AXIS_Y] -= 1;
    const SweepLayer layer = sweep_find_layer(world, &below, TRN_AXIS_Y, -1);
    if (!layer.is_found) {
        return TRN_BOX_GROUND_NONE;
    }
    return layer.is_unloaded ? TRN_BOX_GROUND_UNLOADED : TRN_BOX_GROUND_SOLID;
}

/// Finds the farthest column in the direction of `step` that contains something solid.
static bool sweep_find_support(TrnBoxWorld *world, TrnBoxRegion *under, int axis, int32_t min,
                               int32_t max, int step, int32_t *column)
{
    under->min[axis] = min;
    under->max[axis] = max;
    const SweepLayer layer = sweep_find_layer(world, under, axis, -step);
    *column = layer.is_found ? layer.at : *column;
    return layer.is_found;
}

/// How far a box can move along a horizontal axis with something solid always under it, no deeper
/// than a step; all the way if nothing is under it at the start. Goes from column to column: each
/// column that supports the box brings others within reach.
static int64_t sweep_reach_on_ground(TrnBoxWorld *world, const TrnBodyBox *box, int axis,
                                     int64_t motion, int32_t step_voxels)
{
    const int step = motion > 0 ? 1 : -1;
    TrnBoxRegion under = trn_box_region(box);
    under.max[TRN_AXIS_Y] = under.min[TRN_AXIS_Y] - 1;
    under.min[TRN_AXIS_Y] = trn_grid_ceil(box->low[TRN_AXIS_Y]) - 1 - step_voxels;
    int32_t column = 0;
    if (!sweep_find_support(world, &under, axis, under.min[axis], under.max[axis], step, &column)) {
        return motion;
    }
    for (;;) {
        // One grid unit stays on the column: touching only its face would not support the box.
        const int64_t way = step > 0 ? trn_grid_face(column + 1) - box->low[axis] - 1
                                     : trn_grid_face(column) - box->high[axis] + 1;
        if (step > 0 ? way >= motion : way <= motion) {
            return motion;
        }
        const int32_t min = step > 0 ? column + 1 : trn_grid_floor(box->low[axis] + way);
        const int32_t max = step > 0 ? trn_grid_ceil(box->high[axis] + way) - 1 : column - 1;
        if (min > max || !sweep_find_support(world, &under, axis, min, max, step, &column)) {
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
    const int64_t held =
        sweep_reach_on_ground(run->world, box, axis, motion, run->sweep->step_voxels);
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

/// Raises a box by the fewest voxels that let it move on, and finds how far it can move then.
/// @return the voxels, or 0 if that does not help
static int32_t sweep_raise_box(const SweepRun *run, TrnBodyBox *box, int axis, int64_t motion,
                               SweepReach *on)
{
    for (int32_t up = 1; up <= run->sweep->step_voxels; up++) {
        if (sweep_reach(run->world, box, TRN_AXIS_Y, TRN_GRID_VOXEL).is_stopped) {
            return 0;
        }
        sweep_move_box(box, TRN_AXIS_Y, TRN_GRID_VOXEL);
        // What it stood on still counts as its ground: that is no deeper than a step.
        *on = run->sweep->keeps_to_edge ? sweep_reach_standing(run, box, axis, motion)
                                        : sweep_reach(run->world, box, axis, motion);
        if (on->way != 0) {
            return up;
        }
    }
    return 0;
}

/// Climbs a step, moves on, then comes down again to whatever is there: past the step the box would
/// float otherwise.
/// @return how far it moved on; 0 if no step helps
static int64_t sweep_step_up(SweepRun *run, int axis, int64_t motion)
{
    if (run->sweep->step_voxels == 0 ||
        trn_box_ground(run->world, run->box) == TRN_BOX_GROUND_NONE) {
        return 0;
    }
    TrnBodyBox box = *run->box;
    SweepReach on;
    const int32_t up = sweep_raise_box(run, &box, axis, motion, &on);
    if (up == 0) {
        return 0;
    }
    sweep_move_box(&box, axis, on.way);
    const SweepReach down = sweep_reach(run->world, &box, TRN_AXIS_Y, -up * TRN_GRID_VOXEL);
    sweep_move_box(&box, TRN_AXIS_Y, down.way);
    run->sweep->hit[TRN_FACE_NEG_Y] |= down.is_stopped;
    run->sweep->unloaded |= down.is_unloaded;
    run->sweep->stepped += up + (int32_t)(down.way / TRN_GRID_VOXEL);
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
    if (reach.is_stopped) {
        run->sweep->hit[trn_axis_face(axis, motion > 0)] = true;
        run->sweep->unloaded |= reach.is_unloaded;
    }
}

static void sweep_vertically(SweepRun *run, int64_t motion)
{
    const SweepReach reach = sweep_reach(run->world, run->box, TRN_AXIS_Y, motion);
    sweep_move_box(run->box, TRN_AXIS_Y, reach.way);
    if (reach.is_stopped) {
        run->sweep->hit[trn_axis_face(TRN_AXIS_Y, motion > 0)] = true;
        run->sweep->unloaded |= reach.is_unloaded;
    }
}

static int64_t sweep_length(int64_t motion)
{
    return motion < 0 ? -motion : motion;
}

void trn_box_sweep(TrnBoxWorld *world, TrnBodyBox *box, const int64_t motion[3], TrnBoxSweep *sweep)
{
    SweepRun run = {world, box, sweep, motion[TRN_AXIS_Y] < 0};
    sweep_vertically(&run, motion[TRN_AXIS_Y]);
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
    TrnBoxSweep run = {.step_voxels = (int32_t)step_height};
    trn_box_sweep(&world, &box, units, &run);
    *sweep = (TrnSweep){.bottom = trn_box_bottom(&world, &box),
                        .unloaded = run.unloaded,
                        .stepped = run.stepped > 0,
                        .step_height = run.stepped};
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        sweep->hit[face] = run.hit[face];
    }
    return TRN_RESULT_OK;
}
