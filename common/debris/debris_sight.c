// What the last look shows: for drawing, and for which bits go first when there is no room.

#include <math.h>
#include <string.h>

#include "debris/debris_impl.h"

// A bit reaches out of its chunk, and of the sphere around the middle of its bottom, by less.
#define BIT_REACH 0.25f
#define CELL_HALF (0.5f * TRN_CHUNK_EDGE)

void debris_look(Debris *debris, TrnCoord chunk, const float planes[6][4])
{
    for (int i = 0; i < 24; i++) {
        if (!isfinite(planes[i / 4][i % 4])) {
            return;
        }
    }
    debris->look_chunk = chunk;
    memcpy(debris->planes, planes, sizeof debris->planes);
    for (uint32_t i = 0; i < debris->used->count; i++) {
        debris_see_cell(debris, debris->used->items[i]);
    }
    debris_forget_unseen(debris);
}

void debris_forget_unseen(Debris *debris)
{
    debris->unseen_known = false;
    debris->seen_from = debris->stats.thrown;
}

/// The lowest corner of a cell in voxels from that of the look's chunk.
static void look_corner(const Debris *debris, const DebrisCell *cell, float corner[3])
{
    const TrnCoord a = cell->coord, b = debris->look_chunk;
    // In 64 bits: the difference of two int32 needs 33.
    corner[0] = (float)(((int64_t)a.x - b.x) * TRN_CHUNK_EDGE);
    corner[1] = (float)(((int64_t)a.y - b.y) * TRN_CHUNK_EDGE);
    corner[2] = (float)(((int64_t)a.z - b.z) * TRN_CHUNK_EDGE);
}

static float plane_distance(const float plane[4], const float at[3])
{
    return plane[0] * at[0] + plane[1] * at[1] + plane[2] * at[2] + plane[3];
}

void debris_see_cell(const Debris *debris, DebrisCell *cell)
{
    float middle[3];
    look_corner(debris, cell, middle);
    for (int axis = 0; axis < 3; axis++) {
        middle[axis] += CELL_HALF;
    }
    cell->sight = DEBRIS_SIGHT_ALL;
    for (int i = 0; i < 6; i++) {
        const float *plane = debris->planes[i];
        const float reach =
            (fabsf(plane[0]) + fabsf(plane[1]) + fabsf(plane[2])) * (CELL_HALF + BIT_REACH);
        const float distance = plane_distance(plane, middle);
        if (distance < -reach) {
            cell->sight = DEBRIS_SIGHT_NONE;
            return;
        }
        if (distance < reach) {
            cell->sight = DEBRIS_SIGHT_SOME;
        }
    }
}

static bool is_in_frustum(const Debris *debris, const float at[3])
{
    for (int i = 0; i < 6; i++) {
        if (plane_distance(debris->planes[i], at) < -BIT_REACH) {
            return false;
        }
    }
    return true;
}

/// Where a bit was, `back` of its last step ago, from the look's chunk.
static void bit_place(const Debris *debris, const DebrisBit *bit, float back, float at[3])
{
    look_corner(debris, bit->cell, at);
    for (int axis = 0; axis < 3; axis++) {
        at[axis] += ((float)bit->at[axis] - back * bit->moved[axis]) / DEBRIS_UNIT;
    }
}

bool debris_is_seen(const Debris *debris, const DebrisBit *bit)
{
    float at[3];
    if (bit->cell->sight != DEBRIS_SIGHT_SOME) {
        return bit->cell->sight == DEBRIS_SIGHT_ALL;
    }
    bit_place(debris, bit, 0, at);
    return is_in_frustum(debris, at);
}

static void find_unseen(Debris *debris)
{
    debris->unseen_count = debris->unseen_next = 0;
    debris->unseen_known = true;
    for (DebrisBit *bit = debris->oldest; bit && bit->number < debris->seen_from;
         bit = bit->younger) {
        if (!debris_is_seen(debris, bit)) {
            debris->unseen[debris->unseen_count++] = bit->id;
        }
    }
}

DebrisBit *debris_next_unseen(Debris *debris)
{
    if (!debris->unseen_known) {
        find_unseen(debris);
    }
    while (debris->unseen_next < debris->unseen_count) {
        DebrisBit *bit = trn_pool_get(debris->bits, debris->unseen[debris->unseen_next++]);
        if (bit) { // otherwise it has gone since
            return bit;
        }
    }
    return NULL;
}

/// Half the edge of a bit, which shrinks towards its end.
static uint32_t shown_half(const Debris *debris, const DebrisBit *bit)
{
    const uint32_t steps = bit->dies - debris->now;
    return steps < DEBRIS_FADE_STEPS ? bit->half * steps / DEBRIS_FADE_STEPS : bit->half;
}

uint32_t debris_list(const Debris *debris, DebrisInstance *instances, uint32_t capacity)
{
    const float back = 1 - (float)(debris->left / DEBRIS_STEP_SECONDS);
    uint32_t count = 0;
    for (uint32_t i = 0; i < debris->alive->count && count < capacity; i++) {
        const DebrisBit *bit = debris->alive->items[i];
        if (bit->cell->sight == DEBRIS_SIGHT_NONE) {
            continue;
        }
        DebrisInstance *instance = &instances[count];
        bit_place(debris, bit, back, instance->at);
        if (bit->cell->sight == DEBRIS_SIGHT_SOME && !is_in_frustum(debris, instance->at)) {
            continue;
        }
        instance->shape = shown_half(debris, bit) | (uint32_t)bit->turn << 16;
        instance->look = bit->block | (uint32_t)bit->piece << 16;
        count++;
    }
    return count;
}
