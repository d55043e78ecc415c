// Rays: a walk over the grid of voxels, after Amanatides and Woo, with nothing that adds up.
//
// Every axis is turned so that the ray goes upwards along it: cell c of a falling axis is ~c. When
// the ray leaves a cell is always worked out from the whole number of the cell alone (ray_time), so
// a chunk that is passed at once is left at the same voxel as one that is walked through, and a
// million voxels lose nothing.
//
// Equal times are an edge or a corner. From an origin that is a multiple of 2^-32 voxels, the way
// to a boundary is exact and the division rounds correctly: what meets exactly has equal times, and
// no order is ever turned round. From others, what differs by less than 2^-32 voxels may be.

#include <terrane/raycast.h>

#include <math.h>
#include <string.h>

/// The longest component is at least 2^-401; one below this crosses nothing within reach, unless
/// the ray begins on the boundary. It is set to this, so that no time is divided by zero or
/// overflows.
#define RAY_SPEED_MIN 0x1p-900

/// Farther than this from a boundary, the cell can be told from the position. The greatest error is
/// that of doubles up to 2^21, some 2^-29.
#define RAY_POSITION_ERROR 0x1p-20

/// In place of an axis, behind them all: the ray ends inside the chunk.
#define RAY_NO_AXIS 3

typedef struct Ray {
    const TrnStore *store;
    double origin[3]; // voxels from the lowest corner of its chunk, turned
    double speed[3];  // voxels in a unit of time, above 0
    double length;    // voxels along the ray in a unit of time
    double time_max;  // when it ends at the latest
    double leave[3];  // when it leaves the chunk that it is in, by axis
    int32_t turn[3];  // 0, or -1 where the axis is turned
    int32_t begun[3]; // the cell that it began in, turned
    int32_t cell[3];  // the cell that it is in, turned
    int32_t chunk[3]; // the chunk that it is in, as in TrnCoord
} Ray;

/// How a ray goes through one chunk.
typedef struct RayPassage {
    int32_t last[3]; // the last cell in the chunk
    int axis;        // that it leaves the chunk along, or RAY_NO_AXIS
} RayPassage;

/// What a ray stops at.
typedef struct RayStops {
    const uint32_t *bits; // [TRN_BLOCK_BITS_WORDS]
    bool are_solid, are_opaque;
} RayStops;

TrnRayDef trn_ray_def(void)
{
    TrnRayDef def = {.distance_max = 128};
    return def;
}

// ---- when and where ----------------------------------------------------------------------------

/// When the ray leaves a cell along an axis.
static inline double ray_time(const Ray *ray, int axis, int32_t cell)
{
    return ((double)(cell + 1) - ray->origin[axis]) / ray->speed[axis];
}

/// The cell along one axis when all boundaries have been crossed that come before a time, and those
/// at this time along the axes before `end`.
static int32_t ray_cell_at(const Ray *ray, int axis, double time, int end)
{
    const int32_t above_zero = 1 << 22; // where conversion rounds down
    const double position = ray->origin[axis] + time * ray->speed[axis];
    const int32_t boundary = (int32_t)(position + (above_zero + 0.5)) - above_zero;
    bool is_before = position < boundary;
    if (fabs(position - boundary) < RAY_POSITION_ERROR) {
        const double crossed = ray_time(ray, axis, boundary - 1);
        is_before = axis < end ? crossed > time : crossed >= time;
    }
    // The boundary that a ray begins on is behind it.
    const int32_t cell = boundary - is_before;
    return cell < ray->cell[axis] ? ray->cell[axis] : cell;
}

static inline void ray_enter(Ray *ray, int axis)
{
    ray->leave[axis] = ray_time(ray, axis, ray->cell[axis] | (TRN_CHUNK_EDGE - 1));
}

/// The first of three times; of equal ones the first axis.
static inline int ray_first_axis(const double times[3])
{
    const int axis = times[1] < times[0];
    return times[2] < times[axis] ? 2 : axis;
}

static RayPassage ray_passage(const Ray *ray)
{
    RayPassage passage = {.axis = ray_first_axis(ray->leave)};
    double time = ray->leave[passage.axis];
    if (time > ray->time_max) {
        passage.axis = RAY_NO_AXIS;
        time = ray->time_max;
    }
    for (int axis = 0; axis < 3; axis++) {
        passage.last[axis] = axis == passage.axis ? ray->cell[axis] | (TRN_CHUNK_EDGE - 1)
                                                  : ray_cell_at(ray, axis, time, passage.axis);
    }
    return passage;
}

// ---- through one chunk -------------------------------------------------------------------------

/// A turned cell in its chunk, 0..31.
static inline uint32_t ray_local(int32_t cell, int32_t turn)
{
    return (uint32_t)(cell ^ turn) & (TRN_CHUNK_EDGE - 1);
}

/// The linear index, in its chunk, of the voxel that the ray is in.
static uint32_t ray_local_index(const Ray *ray)
{
    return trn_local_index(ray_local(ray->cell[0], ray->turn[0]),
                           ray_local(ray->cell[1], ray->turn[1]),
                           ray_local(ray->cell[2], ray->turn[2]));
}

/// Lists when the ray leaves each cell of a passage but the last; behind these stands "never".
/// @return how many boundaries are crossed
static inline int32_t ray_list_times(const Ray *ray, const RayPassage *passage, int axis,
                                     double times[TRN_CHUNK_EDGE])
{
    const int32_t first = ray->cell[axis], count = passage->last[axis] - first;
    for (int32_t i = 0; i < count; i++) {
        times[i] = ray_time(ray, axis, first + i);
    }
    times[count] = INFINITY;
    return count;
}

/// Times are never negative, so that their bits order as they do, and compare sooner.
static inline uint64_t ray_time_bits(const double *time)
{
    uint64_t bits;
    memcpy(&bits, time, sizeof bits);
    return bits;
}

/// What the voxels of a chunk are asked.
typedef struct RayVoxels {
    const uint32_t *mask;      // [TRN_CHUNK_ROWS] where it stops; NULL: ask the blocks
    TrnSnapshot snapshot;      // not uniform
    const uint32_t *stop_bits; // [TRN_BLOCK_BITS_WORDS]
} RayVoxels;

static inline bool ray_stops_at_block(const uint32_t *stop_bits, TrnBlock block)
{
    return stop_bits[block >> 5] >> (block & 31) & 1;
}

static inline bool ray_stops_in(const RayVoxels *voxels, uint32_t index)
{
    return voxels->mask
               ? voxels->mask[index >> 5] >> (index & 31) & 1
               : ray_stops_at_block(voxels->stop_bits, trn_snapshot_get(voxels->snapshot, index));
}

/// Walks to the last cell of a passage, or to the first whose voxel stops the ray.
/// @return whether one did
/// Free of branches but for the end, since which axis comes next cannot be foretold. Tried and
/// dropped: the times after the next ones at hand in registers (as fast), and boxes tested along
/// parts of a passage (a third faster through scattered blocks, no faster over hills or in caves).
static inline bool ray_walk(Ray *ray, const RayPassage *passage, const RayVoxels *voxels)
{
    double times[3][TRN_CHUNK_EDGE];
    int32_t left = 0;
    for (int axis = 0; axis < 3; axis++) {
        left += ray_list_times(ray, passage, axis, times[axis]);
    }
    const uint32_t step_x = 1 | (uint32_t)ray->turn[0],
                   step_y = (1 | (uint32_t)ray->turn[1]) << (2 * TRN_CHUNK_SHIFT),
                   step_z = (1 | (uint32_t)ray->turn[2]) << TRN_CHUNK_SHIFT;
    uint32_t index = ray_local_index(ray);
    size_t x = 0, y = 0, z = 0;
    bool stops;
    while (!(stops = ray_stops_in(voxels, index)) && left-- > 0) {
        const uint64_t time_x = ray_time_bits(&times[0][x]), time_y = ray_time_bits(&times[1][y]),
                       time_z = ray_time_bits(&times[2][z]);
        const uint32_t is_x = (uint32_t)(time_x <= time_y) & (uint32_t)(time_x <= time_z);
        const uint32_t is_y = (uint32_t)(time_y <= time_z) & (is_x ^ 1);
        const uint32_t is_z = (is_x | is_y) ^ 1;
        index += (step_x & -is_x) | (step_y & -is_y) | (step_z & -is_z);
        x += is_x;
        y += is_y;
        z += is_z;
    }
    ray->cell[0] += (int32_t)x;
    ray->cell[1] += (int32_t)y;
    ray->cell[2] += (int32_t)z;
    return stops;
}

/// Whether a mask is empty in the box around a passage. Over hills, where most rays are, that
/// spares most walks: a ray of 128 voxels took 440 ns in the mean rather than 850.
static bool ray_box_is_empty(const Ray *ray, const RayPassage *passage, const uint32_t *mask)
{
    uint32_t low[3], high[3];
    for (int axis = 0; axis < 3; axis++) {
        const uint32_t first = ray_local(ray->cell[axis], ray->turn[axis]);
        const uint32_t last = ray_local(passage->last[axis], ray->turn[axis]);
        low[axis] = first < last ? first : last;
        high[axis] = first < last ? last : first;
    }
    const uint32_t bits = UINT32_MAX >> (TRN_CHUNK_EDGE - 1 - (high[0] - low[0])) << low[0];
    uint32_t any = 0;
    for (uint32_t y = low[1]; y <= high[1] && !(any & bits); y++) {
        for (uint32_t z = low[2]; z <= high[2]; z++) {
            any |= mask[y << TRN_CHUNK_SHIFT | z];
        }
    }
    return !(any & bits);
}

/// Whether a look at the palette, where it is short, shows that nothing in a chunk stops the ray.
static bool ray_palette_is_clear(const TrnPayload *payload, const uint32_t *stop_bits)
{
    if (payload->bits > 4) {
        return false;
    }
    const TrnBlock *palette = trn_payload_palette(payload);
    for (uint32_t entry = 0; entry < payload->palette_count; entry++) {
        if (ray_stops_at_block(stop_bits, palette[entry])) {
            return false;
        }
    }
    return true;
}

/// The mask of a payload that says where the ray stops, or NULL where none does.
static const uint32_t *ray_mask(const RayStops *stops, const TrnPayload *payload)
{
    return stops->are_solid    ? trn_payload_solid(payload)
           : stops->are_opaque ? trn_payload_opaque(payload)
                               : NULL;
}

/// Looks where the ray stops in a chunk. @return whether it does: it is there then
static bool ray_pass(Ray *ray, const RayStops *stops, const RayPassage *passage,
                     TrnSnapshot snapshot)
{
    if (trn_snapshot_is_uniform(snapshot)) {
        return ray_stops_at_block(stops->bits, trn_snapshot_uniform(snapshot));
    }
    const TrnPayload *payload = trn_snapshot_payload(snapshot);
    const RayVoxels voxels = {ray_mask(stops, payload), snapshot, stops->bits};
    const bool is_clear = voxels.mask ? ray_box_is_empty(ray, passage, voxels.mask)
                                      : ray_palette_is_clear(payload, stops->bits);
    return !is_clear && ray_walk(ray, passage, &voxels);
}

// ---- from chunk to chunk -----------------------------------------------------------------------

static TrnCoord ray_coord(const Ray *ray)
{
    TrnCoord coord = {ray->chunk[0], ray->chunk[1], ray->chunk[2]};
    return coord;
}

/// Steps from the last cell of a chunk into the next chunk.
/// @return false at the end of the world
static bool ray_step(Ray *ray, int axis)
{
    const int32_t end = ray->turn[axis] ? INT32_MIN : INT32_MAX;
    if (ray->chunk[axis] == end) {
        return false;
    }
    ray->chunk[axis] += 1 | ray->turn[axis];
    ray->cell[axis]++;
    ray_enter(ray, axis);
    return true;
}

/// @param snapshot  receives what the chunk holds that the ray ends in, where that is there
static TrnRayEnd ray_follow(Ray *ray, const RayStops *stops, bool stops_at_unloaded,
                            TrnSnapshot *snapshot)
{
    for (;;) {
        const TrnChunk *chunk = trn_store_find(ray->store, ray_coord(ray));
        if (!chunk && stops_at_unloaded) {
            return TRN_RAY_END_UNLOADED;
        }
        *snapshot = chunk ? trn_voxels_snapshot(&chunk->voxels) : trn_snapshot_of(TRN_BLOCK_AIR, 0);
        const RayPassage passage = ray_passage(ray);
        if (ray_pass(ray, stops, &passage, *snapshot)) {
            return TRN_RAY_END_BLOCK;
        }
        memcpy(ray->cell, passage.last, sizeof ray->cell);
        if (passage.axis == RAY_NO_AXIS) {
            return TRN_RAY_END_DISTANCE;
        }
        if (!ray_step(ray, passage.axis)) {
            return TRN_RAY_END_WORLD;
        }
    }
}

// ---- begin and end -----------------------------------------------------------------------------

static bool ray_is_valid(TrnPosition origin, const double direction[3], const TrnRayDef *def)
{
    bool is_valid = def->distance_max >= 0 && def->distance_max <= TRN_RAY_DISTANCE_MAX;
    for (int axis = 0; axis < 3; axis++) {
        is_valid &= origin.offset[axis] >= 0 && origin.offset[axis] <= TRN_CHUNK_EDGE &&
                    isfinite(direction[axis]);
    }
    return is_valid && (direction[0] != 0 || direction[1] != 0 || direction[2] != 0);
}

/// By which power of two a direction is scaled, so that neither squares nor times overflow. That
/// rounds nothing; it is left out where it can be, since it takes as long as passing a chunk.
static int ray_scale(const double direction[3])
{
    double longest = 0;
    int exponent = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double speed = fabs(direction[axis]);
        longest = speed > longest ? speed : longest;
    }
    if (longest < 0x1p-400 || longest > 0x1p400) {
        (void)frexp(longest, &exponent);
    }
    return -exponent;
}

static void ray_set_speed(Ray *ray, const double direction[3])
{
    const int scale = ray_scale(direction);
    double squares = 0;
    for (int axis = 0; axis < 3; axis++) {
        double speed = fabs(direction[axis]);
        speed = scale ? ldexp(speed, scale) : speed;
        ray->speed[axis] = speed > RAY_SPEED_MIN ? speed : RAY_SPEED_MIN;
        squares += speed * speed;
    }
    ray->length = sqrt(squares);
}

static void ray_set_origin(Ray *ray, int axis, double offset, double direction)
{
    // An offset of 32 is in the next chunk, but at the upper end of the world in the last voxel. A
    // ray that does not move along the axis stays there: turned, the boundary is behind it.
    const bool is_at_end = offset == TRN_CHUNK_EDGE && ray->chunk[axis] == INT32_MAX;
    const int32_t cell = (int32_t)offset - is_at_end;
    const bool is_turned = direction < 0 || (is_at_end && direction == 0);
    ray->turn[axis] = is_turned ? -1 : 0;
    ray->origin[axis] = is_turned ? -offset : offset;
    ray->chunk[axis] += cell >> TRN_CHUNK_SHIFT;
    ray->begun[axis] = ray->cell[axis] = cell ^ ray->turn[axis];
    ray_enter(ray, axis);
}

static Ray ray_begin(const TrnStore *store, TrnPosition origin, const double direction[3],
                     double distance_max)
{
    Ray ray; // every field is set below: to zero them first is a tenth of a short ray
    ray.store = store;
    ray.chunk[0] = origin.chunk.x;
    ray.chunk[1] = origin.chunk.y;
    ray.chunk[2] = origin.chunk.z;
    ray_set_speed(&ray, direction);
    ray.time_max = distance_max / ray.length;
    for (int axis = 0; axis < 3; axis++) {
        ray_set_origin(&ray, axis, origin.offset[axis], direction[axis]);
    }
    return ray;
}

/// How far it is to where the ray came in to the voxel that it is in, and through which face.
static double ray_entrance(const Ray *ray, TrnFace *face)
{
    double latest = 0;
    *face = TRN_FACE_COUNT;
    for (int axis = 0; axis < 3; axis++) {
        const double time = ray_time(ray, axis, ray->cell[axis] - 1);
        if (ray->cell[axis] > ray->begun[axis] && time >= latest) {
            latest = time;
            *face = (TrnFace)(2 * axis - ray->turn[axis]);
        }
    }
    return latest * ray->length;
}

static TrnVoxel ray_voxel(const Ray *ray)
{
    TrnVoxel voxel = trn_coord_voxel(ray_coord(ray));
    voxel.x += ray_local(ray->cell[0], ray->turn[0]);
    voxel.y += ray_local(ray->cell[1], ray->turn[1]);
    voxel.z += ray_local(ray->cell[2], ray->turn[2]);
    return voxel;
}

static TrnRayHit ray_hit(const Ray *ray, TrnRayEnd end, TrnSnapshot snapshot, double distance_max)
{
    TrnRayHit hit = {.end = end, .voxel = ray_voxel(ray)};
    hit.distance = ray_entrance(ray, &hit.face);
    if (end == TRN_RAY_END_BLOCK) {
        hit.block = trn_snapshot_get(snapshot, ray_local_index(ray));
    } else if (end == TRN_RAY_END_WORLD) {
        hit.distance = ray->leave[ray_first_axis(ray->leave)] * ray->length;
    }
    if (end == TRN_RAY_END_DISTANCE || hit.distance > distance_max) {
        hit.distance = distance_max;
    }
    return hit;
}

TrnResult trn_store_raycast(const TrnStore *store, TrnPosition origin, const double direction[3],
                            const TrnRayDef *def, TrnRayHit *hit)
{
    const TrnRayDef plain = trn_ray_def();
    def = def ? def : &plain;
    if (!ray_is_valid(origin, direction, def)) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    const TrnBlockTypes *types = trn_store_block_types(store);
    RayStops stops = {.bits = def->stops ? def->stops : trn_block_types_solid_bits(types)};
    stops.are_solid = stops.bits == trn_block_types_solid_bits(types);
    stops.are_opaque = stops.bits == trn_block_types_opaque_bits(types);

    Ray ray = ray_begin(store, origin, direction, def->distance_max);
    TrnSnapshot snapshot = trn_snapshot_of(TRN_BLOCK_AIR, 0);
    const TrnRayEnd end = ray_follow(&ray, &stops, def->stops_at_unloaded, &snapshot);
    *hit = ray_hit(&ray, end, snapshot, def->distance_max);
    return TRN_RESULT_OK;
}
