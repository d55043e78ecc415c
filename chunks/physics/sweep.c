// Sweeps: a box goes along one axis after the other, and along each looks only at the layers of
// voxels that it would enter. Layers that it is in already never stop it, which is how it gets out
// of blocks that were put where it stands.

#include "body_box.h"

// ---- the nearest solid layer -------------------------------------------------------------------

/// The first layer of a region that something solid is in.
typedef struct SolidLayer {
    bool is_found;
    bool is_absent; ///< nothing but chunks that are not there
    int32_t at;     ///< voxel along the axis
} SolidLayer;

/// The bits of a row along x from min to max.
static uint32_t solid_columns(const TrnBoxRegion *part)
{
    return UINT32_MAX << part->min[0] & UINT32_MAX >> (TRN_CHUNK_EDGE - 1 - part->max[0]);
}

/// Which columns along x have something solid in a part of a chunk.
static uint32_t solid_in_part(const uint32_t *solid, const TrnBoxRegion *part)
{
    uint32_t any = 0;
    for (int32_t y = part->min[1]; y <= part->max[1]; y++) {
        for (int32_t z = part->min[2]; z <= part->max[2]; z++) {
            any |= solid[y << TRN_CHUNK_SHIFT | z];
        }
    }
    return any & solid_columns(part);
}

/// The first solid layer of a part of a chunk, or -1. @param step  1 or -1: where to begin
static int32_t find_local_layer(const uint32_t *solid, const TrnBoxRegion *part, int axis, int step)
{
    if (axis == TRN_AXIS_X) {
        const uint32_t columns = solid_in_part(solid, part);
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
        if (solid_in_part(solid, &layer)) {
            return at;
        }
    }
    return -1;
}

/// The first solid layer of a region in one chunk.
static SolidLayer find_chunk_layer(TrnBoxWorld *world, const TrnBoxRegion *region,
                                   const int32_t chunk[3], int axis, int step)
{
    const TrnBoxView *view = trn_box_view(world, chunk);
    const TrnBoxRegion part = trn_box_part(region, chunk);
    SolidLayer layer = {false, view->kind == TRN_BOX_VIEW_ABSENT, 0};
    int32_t local = step > 0 ? part.min[axis] : part.max[axis];
    if (view->kind == TRN_BOX_VIEW_FREE) {
        return layer;
    }
    if (view->kind == TRN_BOX_VIEW_MIXED) {
        local = find_local_layer(view->solid, &part, axis, step);
    }
    layer.is_found = local >= 0;
    layer.at = chunk[axis] * TRN_CHUNK_EDGE + local;
    return layer;
}

/// The nearer of two layers; of two at one place the one with blocks, since no chunk that arrives
/// would change that one.
static SolidLayer nearer_layer(SolidLayer a, SolidLayer b, int step)
{
    if (!a.is_found || !b.is_found) {
        return a.is_found ? a : b;
    }
    if (a.at == b.at) {
        return a.is_absent ? b : a;
    }
    return (step > 0) == (a.at < b.at) ? a : b;
}

/// The first solid layer of a region, from its low end if step is 1, from its high end if it is -1.
static SolidLayer find_solid_layer(TrnBoxWorld *world, const TrnBoxRegion *region, int axis,
                                   int step)
{
    const int second = axis == TRN_AXIS_X ? TRN_AXIS_Z : TRN_AXIS_X;
    const int third = axis == TRN_AXIS_Y ? TRN_AXIS_Z : TRN_AXIS_Y;
    int32_t first[3], last[3], chunk[3];
    for (int i = 0; i < 3; i++) {
        first[i] = region->min[i] >> TRN_CHUNK_SHIFT;
        last[i] = region->max[i] >> TRN_CHUNK_SHIFT;
    }
    SolidLayer found = {false, false, 0};
    const int32_t end = (step > 0 ? last[axis] : first[axis]) + step;
    chunk[axis] = step > 0 ? first[axis] : last[axis];
    for (; chunk[axis] != end && !found.is_found; chunk[axis] += step) {
        for (chunk[second] = first[second]; chunk[second] <= last[second]; chunk[second]++) {
            for (chunk[third] = first[third]; chunk[third] <= last[third]; chunk[third]++) {
                const SolidLayer here = find_chunk_layer(world, region, chunk, axis, step);
                found = nearer_layer(found, here, step);
            }
        }
    }
    return found;
}

// ---- one axis ----------------------------------------------------------------------------------

/// How far a box gets along an axis.
typedef struct AxisReach {
    int64_t way; ///< steps of the grid
    bool is_stopped;
    bool is_absent; ///< stopped by chunks that are not there alone, or the world's end
    bool is_held;   ///< kept by an edge, before anything could stop it
} AxisReach;

/// The layers that a box newly enters when it moves along an axis; empty where it enters none.
static TrnBoxRegion entered_region(const TrnBodyBox *box, int axis, int64_t motion)
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

/// How far the bottom may go before the world ends: what is in the way outside only counts for the
/// box around it.
static AxisReach reach_in_world(const TrnBoxWorld *world, const TrnBodyBox *box, int axis,
                                int64_t motion)
{
    const int64_t bottom = box->low[axis] + box->half[axis];
    const int64_t end = bottom + motion;
    if (end < world->low[axis] || end > world->high[axis]) {
        const int64_t last = end < world->low[axis] ? world->low[axis] : world->high[axis];
        const AxisReach cut = {last - bottom, true, true, false};
        return cut;
    }
    const AxisReach whole = {motion, false, false, false};
    return whole;
}

static AxisReach reach_along(TrnBoxWorld *world, const TrnBodyBox *box, int axis, int64_t motion)
{
    const AxisReach reach = reach_in_world(world, box, axis, motion);
    const TrnBoxRegion region = entered_region(box, axis, reach.way);
    if (reach.way == 0 || region.min[axis] > region.max[axis]) {
        return reach;
    }
    const int step = motion > 0 ? 1 : -1;
    const SolidLayer layer = find_solid_layer(world, &region, axis, step);
    if (!layer.is_found) {
        return reach;
    }
    const int64_t way = step > 0 ? trn_grid_face(layer.at) - box->high[axis]
                                 : trn_grid_face(layer.at + 1) - box->low[axis];
    const AxisReach stopped = {way, true, layer.is_absent, false};
    return stopped;
}

static void move_box(TrnBodyBox *box, int axis, int64_t way)
{
    box->low[axis] += way;
    box->high[axis] += way;
}

// ---- ground and edges --------------------------------------------------------------------------

TrnBoxGround trn_box_ground(TrnBoxWorld *world, const TrnBodyBox *box)
{
    if (box->low[TRN_AXIS_Y] & (TRN_GRID_VOXEL - 1)) {
        return TRN_BOX_GROUND_NONE; // blocks are whole: it does not touch the face of any
    }
    TrnBoxRegion below = trn_box_region(box);
    below.max[TRN_AXIS_Y] = below.min[TRN_AXIS_Y] -= 1;
    const SolidLayer layer = find_solid_layer(world, &below, TRN_AXIS_Y, -1);
    if (!layer.is_found) {
        return TRN_BOX_GROUND_NONE;
    }
    return layer.is_absent ? TRN_BOX_GROUND_ABSENT : TRN_BOX_GROUND_SOLID;
}

/// The farthest column of a region that has something solid, in the direction of step.
static bool find_support(TrnBoxWorld *world, TrnBoxRegion *under, int axis, int32_t min,
                         int32_t max, int step, int32_t *column)
{
    under->min[axis] = min;
    under->max[axis] = max;
    const SolidLayer layer = find_solid_layer(world, under, axis, -step);
    *column = layer.is_found ? layer.at : *column;
    return layer.is_found;
}

/// How far a box may go along a horizontal axis and always have something solid under it, no deeper
/// than a step: all the way where there is none to begin with. It goes from column to column: as
/// long as one holds it, others come within reach.
static int64_t reach_on_ground(TrnBoxWorld *world, const TrnBodyBox *box, int axis, int64_t motion,
                               int32_t step_voxels)
{
    const int step = motion > 0 ? 1 : -1;
    TrnBoxRegion under = trn_box_region(box);
    under.max[TRN_AXIS_Y] = under.min[TRN_AXIS_Y] - 1;
    under.min[TRN_AXIS_Y] = trn_grid_ceil(box->low[TRN_AXIS_Y]) - 1 - step_voxels;
    int32_t column = 0;
    if (!find_support(world, &under, axis, under.min[axis], under.max[axis], step, &column)) {
        return motion;
    }
    for (;;) {
        // One step of the grid is left on the column: touching its face alone would not hold.
        const int64_t way = step > 0 ? trn_grid_face(column + 1) - box->low[axis] - 1
                                     : trn_grid_face(column) - box->high[axis] + 1;
        if (step > 0 ? way >= motion : way <= motion) {
            return motion;
        }
        const int32_t min = step > 0 ? column + 1 : trn_grid_floor(box->low[axis] + way);
        const int32_t max = step > 0 ? trn_grid_ceil(box->high[axis] + way) - 1 : column - 1;
        if (min > max || !find_support(world, &under, axis, min, max, step, &column)) {
            return way;
        }
    }
}

// ---- the sweep ---------------------------------------------------------------------------------

/// A sweep under way.
typedef struct SweepRun {
    TrnBoxWorld *world;
    TrnBodyBox *box;
    TrnBoxSweep *sweep;
    bool falls;
} SweepRun;

/// Where a box that stands gets along a horizontal axis: until something solid stops it, or an edge
/// that it keeps to.
static AxisReach reach_standing(const SweepRun *run, const TrnBodyBox *box, int axis,
                                int64_t motion)
{
    const int64_t held = reach_on_ground(run->world, box, axis, motion, run->sweep->step_voxels);
    AxisReach reach = reach_along(run->world, box, axis, held);
    reach.is_held = held != motion && !reach.is_stopped;
    return reach;
}

static AxisReach reach_sideways(const SweepRun *run, int axis, int64_t motion)
{
    // Also on the way down a step: in the air it would drift past the next edge.
    const bool keeps_to_edge =
        run->sweep->keeps_to_edge &&
        (run->falls || trn_box_ground(run->world, run->box) != TRN_BOX_GROUND_NONE);
    return keeps_to_edge ? reach_standing(run, run->box, axis, motion)
                         : reach_along(run->world, run->box, axis, motion);
}

/// Raises a box by as little as lets it go on, and finds how far. @return 0 where that does not
/// help
static int32_t raise_box(const SweepRun *run, TrnBodyBox *box, int axis, int64_t motion,
                         AxisReach *on)
{
    for (int32_t up = 1; up <= run->sweep->step_voxels; up++) {
        if (reach_along(run->world, box, TRN_AXIS_Y, TRN_GRID_VOXEL).is_stopped) {
            return 0;
        }
        move_box(box, TRN_AXIS_Y, TRN_GRID_VOXEL);
        // It stands on what it came from, which is no deeper than a step.
        *on = run->sweep->keeps_to_edge ? reach_standing(run, box, axis, motion)
                                        : reach_along(run->world, box, axis, motion);
        if (on->way != 0) {
            return up;
        }
    }
    return 0;
}

/// Goes up a step and on, and then down again to what is there: past the step it would hang in the
/// air.
/// @return how far on; 0 where there is no step that helps
static int64_t step_up(SweepRun *run, int axis, int64_t motion)
{
    if (run->sweep->step_voxels == 0 ||
        trn_box_ground(run->world, run->box) == TRN_BOX_GROUND_NONE) {
        return 0;
    }
    TrnBodyBox box = *run->box;
    AxisReach on;
    const int32_t up = raise_box(run, &box, axis, motion, &on);
    if (up == 0) {
        return 0;
    }
    move_box(&box, axis, on.way);
    const AxisReach down = reach_along(run->world, &box, TRN_AXIS_Y, -up * TRN_GRID_VOXEL);
    move_box(&box, TRN_AXIS_Y, down.way);
    run->sweep->hit[TRN_FACE_NEG_Y] |= down.is_stopped;
    run->sweep->absent |= down.is_absent;
    run->sweep->stepped += up + (int32_t)(down.way / TRN_GRID_VOXEL);
    *run->box = box;
    return on.way;
}

static void sweep_sideways(SweepRun *run, int axis, int64_t motion)
{
    AxisReach reach = {0, false, false, false};
    while (motion != 0) {
        reach = reach_sideways(run, axis, motion);
        move_box(run->box, axis, reach.way);
        motion -= reach.way;
        const int64_t on = reach.is_stopped ? step_up(run, axis, motion) : 0;
        if (on == 0) {
            break;
        }
        motion -= on;
        reach.is_stopped = false;
    }
    run->sweep->at_edge[axis] = reach.is_held;
    if (reach.is_stopped) {
        run->sweep->hit[trn_axis_face(axis, motion > 0)] = true;
        run->sweep->absent |= reach.is_absent;
    }
}

static void sweep_vertically(SweepRun *run, int64_t motion)
{
    const AxisReach reach = reach_along(run->world, run->box, TRN_AXIS_Y, motion);
    move_box(run->box, TRN_AXIS_Y, reach.way);
    if (reach.is_stopped) {
        run->sweep->hit[trn_axis_face(TRN_AXIS_Y, motion > 0)] = true;
        run->sweep->absent |= reach.is_absent;
    }
}

static int64_t size_of_motion(int64_t motion)
{
    return motion < 0 ? -motion : motion;
}

void trn_box_sweep(TrnBoxWorld *world, TrnBodyBox *box, const int64_t motion[3], TrnBoxSweep *sweep)
{
    SweepRun run = {world, box, sweep, motion[TRN_AXIS_Y] < 0};
    sweep_vertically(&run, motion[TRN_AXIS_Y]);
    const bool x_first = size_of_motion(motion[TRN_AXIS_X]) >= size_of_motion(motion[TRN_AXIS_Z]);
    const int first = x_first ? TRN_AXIS_X : TRN_AXIS_Z;
    const int second = x_first ? TRN_AXIS_Z : TRN_AXIS_X;
    sweep_sideways(&run, first, motion[first]);
    sweep_sideways(&run, second, motion[second]);
}

static bool is_sweep_good(TrnPosition bottom, const double size[3], const double motion[3],
                          double step_height)
{
    bool is_good = trn_position_is_good(bottom) && trn_number_within(step_height, 0, size[1]);
    for (int axis = 0; axis < 3; axis++) {
        is_good &= size[axis] > 0 && size[axis] <= TRN_BODY_SIZE_MAX &&
                   trn_number_within(motion[axis], -TRN_SWEEP_MAX, TRN_SWEEP_MAX);
    }
    return is_good;
}

TrnResult trn_store_sweep(const TrnStore *store, TrnPosition bottom, const double size[3],
                          const double motion[3], double step_height, TrnSweep *sweep)
{
    if (!store || !size || !motion || !sweep || !is_sweep_good(bottom, size, motion, step_height)) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    TrnBoxWorld world;
    TrnBodyBox box;
    trn_box_begin(&world, &box, store, bottom, size);
    const int64_t steps[3] = {trn_grid_round(motion[0]), trn_grid_round(motion[1]),
                              trn_grid_round(motion[2])};
    TrnBoxSweep run = {.step_voxels = (int32_t)step_height};
    trn_box_sweep(&world, &box, steps, &run);
    *sweep = (TrnSweep){.bottom = trn_box_bottom(&world, &box),
                        .unloaded = run.absent,
                        .stepped = run.stepped > 0,
                        .step_height = run.stepped};
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        sweep->hit[face] = run.hit[face];
    }
    return TRN_RESULT_OK;
}
