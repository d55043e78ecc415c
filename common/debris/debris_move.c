// Chunk by chunk, in whole numbers: a bit that is stopped by a face touches it exactly.

#include "debris/debris_move.h"

#define AROUND_COUNT 27
#define AROUND_MIDDLE 13
// Slower than this after gravity, 2.7 voxels/s, what falls does not bounce.
#define BOUNCE_MIN 2900
#define BUOYANCY 220   // of bits that float, upwards
#define LIQUID_DRAG 16 // each step in a liquid takes 1/16 of the speed

/// The chunks around that of a cell, looked up on demand. Valid for one step: the store does not
/// change meanwhile.
typedef struct DebrisAround {
    const DebrisGround *ground;
    TrnCoord coord;
    bool has_liquid; ///< in the middle
    uint32_t known;  ///< bit by place: its chunk was looked up
    TrnSnapshot chunks[AROUND_COUNT];
} DebrisAround;

/// Voxels from the lowest of a cell's chunk, both inclusive; a voxel or so outside it at most.
typedef struct DebrisRegion {
    int32_t low[3], high[3];
} DebrisRegion;

DebrisGround debris_ground_of(const TrnStore *store)
{
    const TrnBlockTypes *types = trn_store_block_types(store);
    return (DebrisGround){.store = store,
                          .solid_bits = trn_block_types_solid_bits(types),
                          .liquid_bits = trn_block_types_liquid_bits(types)};
}

// ---- what is solid ------------------------------------------------------------------------------

static bool debris_is_next(int32_t a, int32_t b)
{
    return (int64_t)a - b <= 1 && (int64_t)b - a <= 1;
}

/// Whether a neighbour's coordinate is one of the world's, and did not wrap at its ends.
static bool debris_is_within_world(TrnCoord coord, TrnCoord near)
{
    return debris_is_next(coord.x, near.x) && debris_is_next(coord.y, near.y) &&
           debris_is_next(coord.z, near.z);
}

static TrnSnapshot debris_fetch(const DebrisGround *ground, TrnCoord coord, TrnCoord near)
{
    // A chunk that is not loaded is as solid as stone.
    TrnSnapshot snapshot = trn_snapshot_of(TRN_BLOCK_STONE, 0);
    if (debris_is_within_world(coord, near)) {
        (void)trn_store_snapshot(ground->store, coord, &snapshot);
    }
    return snapshot;
}

static TrnSnapshot debris_around(DebrisAround *around, uint32_t place)
{
    if (!(around->known >> place & 1)) {
        around->known |= UINT32_C(1) << place;
        around->chunks[place] =
            debris_fetch(around->ground, trn_coord_around(around->coord, place), around->coord);
    }
    return around->chunks[place];
}

/// The solid voxels of a row, y * 32 + z.
static uint32_t debris_solid_row(const DebrisGround *ground, TrnSnapshot chunk, uint32_t row)
{
    return trn_snapshot_solid(chunk, ground->solid_bits, row / TRN_HALF_ROWS)[row % TRN_HALF_ROWS];
}

/// Whether a voxel is solid that may lie in a chunk next to the middle one.
static bool debris_is_solid_beyond(DebrisAround *around, int32_t x, int32_t y, int32_t z)
{
    const uint32_t place = (uint32_t)((x >> TRN_CHUNK_SHIFT) + (z >> TRN_CHUNK_SHIFT) * 3 +
                                      (y >> TRN_CHUNK_SHIFT) * 9 + AROUND_MIDDLE);
    const uint32_t mask = TRN_CHUNK_EDGE - 1;
    const uint32_t row = ((uint32_t)y & mask) << TRN_CHUNK_SHIFT | ((uint32_t)z & mask);
    const TrnSnapshot chunk = debris_around(around, place);
    return debris_solid_row(around->ground, chunk, row) >> ((uint32_t)x & mask) & 1;
}

static bool debris_is_region_solid_beyond(DebrisAround *around, const DebrisRegion *region)
{
    for (int32_t y = region->low[1]; y <= region->high[1]; y++) {
        for (int32_t z = region->low[2]; z <= region->high[2]; z++) {
            for (int32_t x = region->low[0]; x <= region->high[0]; x++) {
                if (debris_is_solid_beyond(around, x, y, z)) {
                    return true;
                }
            }
        }
    }
    return false;
}

static bool debris_is_region_solid(DebrisAround *around, const DebrisRegion *region)
{
    const int32_t all = region->low[0] | region->low[1] | region->low[2] | region->high[0] |
                        region->high[1] | region->high[2];
    if (all & ~(TRN_CHUNK_EDGE - 1)) { // some are outside 0..31
        return debris_is_region_solid_beyond(around, region);
    }
    uint32_t any = 0;
    for (int32_t y = region->low[1]; y <= region->high[1]; y++) {
        for (int32_t z = region->low[2]; z <= region->high[2]; z++) {
            any |= debris_solid_row(around->ground, around->chunks[AROUND_MIDDLE],
                                    (uint32_t)(y << TRN_CHUNK_SHIFT | z));
        }
    }
    return any & (UINT32_MAX << region->low[0]) &
           (UINT32_MAX >> (TRN_CHUNK_EDGE - 1 - region->high[0]));
}

bool debris_ground_is_open(const DebrisGround *ground, TrnVoxel voxel)
{
    if (!trn_voxel_in_world(voxel)) {
        return false;
    }
    const TrnCoord coord = trn_voxel_chunk(voxel);
    const uint32_t index = trn_voxel_local_index(voxel);
    const uint32_t row =
        debris_solid_row(ground, debris_fetch(ground, coord, coord), index >> TRN_CHUNK_SHIFT);
    return !(row >> (index & (TRN_CHUNK_EDGE - 1)) & 1);
}

// ---- liquids ------------------------------------------------------------------------------------

static bool debris_is_liquid(const DebrisGround *ground, TrnBlock block)
{
    return ground->liquid_bits[block / 32] >> (block % 32) & 1;
}

/// Whether the voxel that a bit's bottom lies in is a liquid.
static bool debris_is_in_liquid(const DebrisAround *around, const DebrisBit *bit)
{
    if (!around->has_liquid) {
        return false;
    }
    const uint32_t index = trn_local_index((uint32_t)bit->at[0] >> DEBRIS_UNIT_SHIFT,
                                           (uint32_t)bit->at[1] >> DEBRIS_UNIT_SHIFT,
                                           (uint32_t)bit->at[2] >> DEBRIS_UNIT_SHIFT);
    return debris_is_liquid(around->ground, trn_snapshot_get(around->chunks[AROUND_MIDDLE], index));
}

// ---- one bit ------------------------------------------------------------------------------------

static int16_t debris_limited_speed(int32_t speed)
{
    return (int16_t)(speed > DEBRIS_SPEED_MAX    ? DEBRIS_SPEED_MAX
                     : speed < -DEBRIS_SPEED_MAX ? -DEBRIS_SPEED_MAX
                                                 : speed);
}

static void debris_accelerate(const DebrisAround *around, DebrisBit *bit)
{
    int32_t up = bit->velocity[1] - DEBRIS_GRAVITY;
    if (debris_is_in_liquid(around, bit)) {
        up += bit->floats ? DEBRIS_GRAVITY + BUOYANCY : DEBRIS_GRAVITY * 3 / 4;
        up -= up / LIQUID_DRAG;
        bit->velocity[0] = (int16_t)(bit->velocity[0] - bit->velocity[0] / LIQUID_DRAG);
        bit->velocity[2] = (int16_t)(bit->velocity[2] - bit->velocity[2] / LIQUID_DRAG);
    }
    bit->velocity[1] = debris_limited_speed(up);
}

/// The first and last unit of a bit's box along an axis.
static void debris_box_span(const DebrisBit *bit, int axis, int32_t *low, int32_t *high)
{
    const int32_t half = bit->half;
    *low = axis == 1 ? bit->at[1] : bit->at[axis] - half;
    *high = *low + 2 * half - 1;
}

static DebrisRegion debris_box_region(const DebrisBit *bit)
{
    DebrisRegion region;
    for (int axis = 0; axis < 3; axis++) {
        debris_box_span(bit, axis, &region.low[axis], &region.high[axis]);
        region.low[axis] >>= DEBRIS_UNIT_SHIFT;
        region.high[axis] >>= DEBRIS_UNIT_SHIFT;
    }
    return region;
}

/// The voxels of the boxes at both ends of a bit's way, and of all between.
static DebrisRegion debris_way_region(const DebrisBit *bit)
{
    DebrisRegion region;
    for (int axis = 0; axis < 3; axis++) {
        const int32_t way = bit->velocity[axis];
        int32_t low, high;
        debris_box_span(bit, axis, &low, &high);
        region.low[axis] = (low + (way < 0 ? way : 0)) >> DEBRIS_UNIT_SHIFT;
        region.high[axis] = (high + (way > 0 ? way : 0)) >> DEBRIS_UNIT_SHIFT;
    }
    return region;
}

/// Moves a bit along one axis. Its way is shorter than a voxel, so it enters at most one new layer
/// of voxels.
/// @return whether something stopped it
static bool debris_move_along(DebrisAround *around, DebrisBit *bit, int axis)
{
    const int32_t way = bit->velocity[axis];
    int32_t low, high;
    debris_box_span(bit, axis, &low, &high);
    const int32_t layer = (way > 0 ? high + way : low + way) >> DEBRIS_UNIT_SHIFT;
    DebrisRegion region = debris_box_region(bit);
    const bool enters = layer < region.low[axis] || layer > region.high[axis];
    region.low[axis] = region.high[axis] = layer;
    bit->moved[axis] = (int16_t)way;
    const bool is_stopped = enters && debris_is_region_solid(around, &region);
    if (is_stopped) {
        bit->moved[axis] =
            (int16_t)(way > 0 ? layer * DEBRIS_UNIT - 1 - high : (layer + 1) * DEBRIS_UNIT - low);
    }
    bit->at[axis] += bit->moved[axis];
    return is_stopped;
}

/// A part of a speed, rounded towards rest.
static int16_t debris_slowed(int16_t speed, int32_t part_of_16)
{
    return (int16_t)(speed * part_of_16 / 16);
}

/// Reflects a bit that was stopped along an axis, with friction along the others. It returns so
/// much slower that gravity over the rest of the step, which was cut off, adds less than it lost:
/// energy never grows.
static void debris_bounce(DebrisBit *bit, int axis)
{
    const int16_t speed = bit->velocity[axis];
    const bool is_slow = speed < BOUNCE_MIN && speed > -BOUNCE_MIN;
    bit->velocity[axis] = is_slow ? 0 : (int16_t)-debris_slowed(speed, 6);
    for (int other = 0; other < 3; other++) {
        if (other != axis) {
            bit->velocity[other] = debris_slowed(bit->velocity[other], axis == 1 ? 13 : 15);
        }
    }
    bit->spin = debris_slowed(bit->spin, 12);
}

/// Moves a bit axis by axis: up and down first, since most are stopped by the ground.
static void debris_move_and_bounce(DebrisAround *around, DebrisBit *bit)
{
    static const int order[3] = {1, 0, 2};
    const bool falls = bit->velocity[1] < 0;
    bool is_on_ground = false;
    for (int i = 0; i < 3; i++) {
        if (debris_move_along(around, bit, order[i])) {
            is_on_ground = is_on_ground || (order[i] == 1 && falls);
            debris_bounce(bit, order[i]);
        }
    }
    bit->rests = is_on_ground && !(bit->velocity[0] | bit->velocity[1] | bit->velocity[2]);
}

/// Moves a bit by one step. @return false if it is inside a block that was put there
static bool debris_move_bit(DebrisAround *around, DebrisBit *bit)
{
    debris_accelerate(around, bit);
    bit->turn = (uint16_t)(bit->turn + bit->spin);
    const DebrisRegion way = debris_way_region(bit);
    if (debris_is_region_solid(around, &way)) {
        const DebrisRegion box = debris_box_region(bit);
        if (debris_is_region_solid(around, &box)) {
            return false;
        }
        debris_move_and_bounce(around, bit);
        return true;
    }
    for (int axis = 0; axis < 3; axis++) {
        bit->moved[axis] = bit->velocity[axis];
        bit->at[axis] += bit->velocity[axis];
    }
    return true;
}

/// Keeps a resting bit in place, unless the ground was dug away or a block was put there.
/// @return false if it is inside such a block
static bool debris_stay(DebrisAround *around, DebrisBit *bit)
{
    DebrisRegion region = debris_box_region(bit);
    if (debris_is_region_solid(around, &region)) {
        return false;
    }
    region.high[1] = --region.low[1];
    if (debris_is_region_solid(around, &region) &&
        !(bit->floats && debris_is_in_liquid(around, bit))) {
        return true;
    }
    bit->rests = false;
    return debris_move_bit(around, bit);
}

// ---- all bits -----------------------------------------------------------------------------------

/// Makes the place of a bit that left its chunk relative to the one it entered, which it returns.
static TrnCoord debris_cross(DebrisBit *bit, TrnCoord coord)
{
    int32_t chunks[3];
    for (int axis = 0; axis < 3; axis++) {
        chunks[axis] = bit->at[axis] >> (DEBRIS_UNIT_SHIFT + TRN_CHUNK_SHIFT);
        bit->at[axis] -= chunks[axis] * DEBRIS_CHUNK_UNITS;
    }
    return trn_coord_add(coord, chunks[0], chunks[1], chunks[2]);
}

static bool debris_is_outside_chunk(const DebrisBit *bit)
{
    return ((uint32_t)bit->at[0] | (uint32_t)bit->at[1] | (uint32_t)bit->at[2]) >=
           DEBRIS_CHUNK_UNITS;
}

static void debris_remove_bit(DebrisBits *bits, DebrisBit *bit)
{
    debris_bits_leave(bit);
    debris_bits_remove(bits, bit);
}

typedef enum DebrisFate { DEBRIS_FATE_STAYS, DEBRIS_FATE_CROSSES, DEBRIS_FATE_REMOVED } DebrisFate;

static DebrisFate debris_step_bit(DebrisBits *bits, DebrisAround *around, DebrisBit *bit,
                                  uint32_t step, DebrisFates *fates)
{
    if (bit->dies == step) {
        debris_remove_bit(bits, bit);
        fates->faded++;
        return DEBRIS_FATE_REMOVED;
    }
    if (!(bit->rests ? debris_stay(around, bit) : debris_move_bit(around, bit))) {
        debris_remove_bit(bits, bit);
        fates->lost++;
        return DEBRIS_FATE_REMOVED;
    }
    fates->resting += bit->rests;
    return debris_is_outside_chunk(bit) ? DEBRIS_FATE_CROSSES : DEBRIS_FATE_STAYS;
}

/// Removes the bits of a cell whose chunk is not loaded.
static void debris_lose_cell(DebrisBits *bits, DebrisCell *cell, DebrisFates *fates)
{
    while (cell->first) {
        debris_remove_bit(bits, cell->first);
        fates->lost++;
    }
}

/// Steps the bits of a cell. @param crossed  receives bits that left it, in no cell; their places
/// are still relative to its corner
static void debris_step_cell(DebrisBits *bits, DebrisAround *around, DebrisCell *cell,
                             uint32_t step, DebrisFates *fates, DebrisBit **crossed)
{
    around->has_liquid =
        trn_snapshot_may_hold(around->chunks[AROUND_MIDDLE], around->ground->liquid_bits);
    for (DebrisBit *bit = cell->first, *next; bit; bit = next) {
        next = bit->next;
        if (debris_step_bit(bits, around, bit, step, fates) == DEBRIS_FATE_CROSSES) {
            debris_bits_leave(bit);
            bit->cell = cell;
            bit->next = *crossed;
            *crossed = bit;
        }
    }
}

/// Links bits into the chunks that they entered. Only after all cells were stepped, so that no bit
/// moves twice in a step.
static void debris_settle_crossed(DebrisBits *bits, DebrisBit *crossed, DebrisFates *fates)
{
    for (DebrisBit *bit = crossed, *next; bit; bit = next) {
        next = bit->next;
        if (!debris_bits_enter(bits, bit, debris_cross(bit, bit->cell->coord))) {
            fates->resting -= bit->rests;
            fates->lost++;
            debris_bits_remove(bits, bit);
        }
    }
}

void debris_move_all(DebrisBits *bits, const DebrisGround *ground, uint32_t step,
                     DebrisFates *fates)
{
    DebrisBit *crossed = NULL;
    fates->resting = 0;
    for (uint32_t i = bits->cells->count; i-- > 0;) {
        DebrisCell *cell = bits->cells->items[i];
        DebrisAround around = {
            .ground = ground, .coord = cell->coord, .known = UINT32_C(1) << AROUND_MIDDLE};
        if (trn_store_snapshot(ground->store, cell->coord, &around.chunks[AROUND_MIDDLE]) ==
            TRN_RESULT_OK) {
            debris_step_cell(bits, &around, cell, step, fates, &crossed);
        } else {
            debris_lose_cell(bits, cell, fates);
        }
    }
    debris_settle_crossed(bits, crossed, fates);
    for (uint32_t i = bits->cells->count; i-- > 0;) {
        debris_bits_tidy(bits, bits->cells->items[i]);
    }
}
