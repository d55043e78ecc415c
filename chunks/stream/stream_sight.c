// How an anchor moves, and how it sees chunks: its direction of view, and the line from where it is
// to where it will soon be.

#include "stream_sight.h"

#include <math.h>
#include <stdlib.h>

// ---- how an anchor moves ------------------------------------------------------------------------

#define MOTION_STEP_MAX 2  // longest move along an axis that is no jump
#define MOTION_WEIGHT 0.25 // of the last move in the velocity
#define MOTION_REST 30u    // updates without a move after which an anchor has stopped

bool trn_stream_is_step(TrnCoord a, TrnCoord b)
{
    const int64_t x = (int64_t)a.x - b.x, y = (int64_t)a.y - b.y, z = (int64_t)a.z - b.z;
    return llabs(x) <= MOTION_STEP_MAX && llabs(y) <= MOTION_STEP_MAX &&
           llabs(z) <= MOTION_STEP_MAX;
}

bool trn_stream_motion_is_known(const TrnStreamMotion *motion)
{
    return motion->velocity[0] != 0 || motion->velocity[1] != 0 || motion->velocity[2] != 0;
}

/// From one position to another, in voxels. @return whether they differ
static bool motion_way(const TrnPosition *from, const TrnPosition *to, double way[3])
{
    const double chunks[3] = {(double)to->chunk.x - from->chunk.x,
                              (double)to->chunk.y - from->chunk.y,
                              (double)to->chunk.z - from->chunk.z};
    for (int axis = 0; axis < 3; axis++) {
        way[axis] = chunks[axis] * TRN_CHUNK_EDGE + to->offset[axis] - from->offset[axis];
    }
    return way[0] != 0 || way[1] != 0 || way[2] != 0;
}

bool trn_stream_motion_note(TrnStreamMotion *motion, TrnPosition position, uint64_t update)
{
    double way[3];
    const bool is_moved = motion_way(&motion->position, &position, way);
    const uint64_t updates = update - motion->update;
    const bool has_stopped = !is_moved && updates >= MOTION_REST;
    if (!is_moved && !(has_stopped && motion->is_moving)) {
        return false;
    }
    // Positions may come less often than updates: a move is spread over all since the last one.
    // One alone may be a correction.
    const bool is_step = trn_stream_is_step(motion->position.chunk, position.chunk);
    const bool goes_on = motion->is_moving && is_moved && is_step && updates < MOTION_REST;
    const double weight = trn_stream_motion_is_known(motion) ? MOTION_WEIGHT : 1;
    for (int axis = 0; axis < 3; axis++) {
        double *speed = &motion->velocity[axis];
        const double change = way[axis] / (double)(updates ? updates : 1) - *speed;
        *speed = goes_on ? *speed + change * weight : 0;
    }
    motion->is_moving = is_moved && is_step;
    motion->position = position;
    motion->update = update;
    return has_stopped;
}

// ---- what an anchor sees ------------------------------------------------------------------------

#define SIGHT_LOOKAHEAD_S 1.0 // how far ahead along the velocity a chunk counts as near
#define SIGHT_TURN 0.985      // cosine of 10 degrees: a turn that changes the order of chunks
#define SIGHT_DRIFT 0.5       // chunks that the look-ahead point moves, likewise
#define SIGHT_CONE 0.5        // cosine of 60 degrees: half of the angle of view
#define SIGHT_CLOSE 1.5       // chunks from the path within which all is visible

static double sight_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// Makes a direction of length 1, or zeroes. Divided by the largest part first, so that very long
/// and very short ones keep their precision.
static void sight_normalize(const double direction[3], double unit[3])
{
    double largest = 0, squares = 0;
    for (int axis = 0; axis < 3; axis++) {
        largest = fmax(largest, fabs(direction[axis]));
    }
    for (int axis = 0; axis < 3; axis++) {
        unit[axis] = largest > 0 ? direction[axis] / largest : 0;
        squares += unit[axis] * unit[axis];
    }
    for (int axis = 0; axis < 3 && squares > 0; axis++) {
        unit[axis] /= sqrt(squares);
    }
}

TrnStreamSight trn_stream_sight(const TrnStreamAnchor *anchor, const double velocity[3],
                                TrnCoord centre)
{
    const double reach = fmax(anchor->radius_chunks, anchor->height_chunks) / 2;
    TrnStreamSight sight = {.centre = centre};
    sight_normalize(anchor->view, sight.view);
    for (int axis = 0; axis < 3; axis++) {
        sight.position[axis] = anchor->position.offset[axis] / TRN_CHUNK_EDGE;
        const double ahead = velocity[axis] * SIGHT_LOOKAHEAD_S / TRN_CHUNK_EDGE;
        sight.ahead[axis] = fmax(-reach, fmin(reach, ahead));
    }
    return sight;
}

TrnStreamRank trn_stream_sight_rank(const TrnStreamSight *sight, TrnCoord coord)
{
    const double to[3] = {(double)coord.x - sight->centre.x + 0.5 - sight->position[0],
                          (double)coord.y - sight->centre.y + 0.5 - sight->position[1],
                          (double)coord.z - sight->centre.z + 0.5 - sight->position[2]};
    const double squared = sight_dot(sight->ahead, sight->ahead);
    const double part = squared > 0 ? fmax(0, fmin(1, sight_dot(to, sight->ahead) / squared)) : 0;
    const double off[3] = {to[0] - part * sight->ahead[0], to[1] - part * sight->ahead[1],
                           to[2] - part * sight->ahead[2]};
    const double distance = sqrt(sight_dot(off, off)), along = sight_dot(to, sight->view);
    const bool sees_all = sight->view[0] == 0 && sight->view[1] == 0 && sight->view[2] == 0;
    const bool is_ahead =
        along >= 0 && along * along >= SIGHT_CONE * SIGHT_CONE * sight_dot(to, to);
    return (TrnStreamRank){distance, sees_all || is_ahead || distance <= SIGHT_CLOSE};
}

bool trn_stream_sight_has_turned(const TrnStreamSight *now, const TrnStreamSight *before)
{
    double drift_squared = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double step = now->ahead[axis] - before->ahead[axis];
        drift_squared += step * step;
    }
    const bool has_view = sight_dot(now->view, now->view) > 0;
    return drift_squared > SIGHT_DRIFT * SIGHT_DRIFT ||
           has_view != (sight_dot(before->view, before->view) > 0) ||
           (has_view && sight_dot(now->view, before->view) < SIGHT_TURN);
}
