// Rays: DDA traversal of the voxel grid after Amanatides and Woo, without accumulated sums.
//
// Axes along which the ray descends are mirrored, so that it ascends along all three: cell c of a
// mirrored axis is ~c. The time at which the ray leaves a cell always follows from the integer cell
// number alone (ray_time). So the ray leaves a chunk that it skips at the same voxel as one that it
// walks through, and a million voxels add no error.
//
// Equal times mean an edge or a corner. If the origin is a multiple of 2^-32 voxels, distances to
// boundaries are exact and the division rounds correctly: boundaries that meet exactly have equal
// times, and no two are ever swapped. For other origins, boundaries closer than 2^-32 voxels may
// be swapped.
//
// Boxes of models follow the same order: a ray crosses the planes of their faces at times that
// follow from the planes alone, equal times x before y before z. It meets a box if it enters
// between the planes of all three axes before it leaves those of any.

#include <terrane/raycast.h>

#include <math.h>
#include <string.h>

#include "physics/box.h"

/// Smallest component of a scaled direction. The longest is at least 2^-401, so one below this
/// crosses no boundary within reach, unless the ray starts on it. Raised to this, no component
/// divides by zero or overflows a time.
#define RAY_SPEED_MIN 0x1p-900

/// Farther than this from a boundary, the position alone decides the cell. The largest error is
/// that of doubles up to 2^21, some 2^-29.
#define RAY_POSITION_ERROR 0x1p-20

/// In place of an axis: the ray ends inside the chunk. Above every axis.
#define RAY_NO_AXIS 3

/// Longer palettes are not searched for blocks that stop a ray.
#define RAY_PALETTE_MAX 16

/// The crossing of a plane. Of crossings at one time the lower axis comes first.
typedef struct RayCrossing {
    double time;
    int axis;
} RayCrossing;

/// Before the ray starts.
#define RAY_BEFORE ((RayCrossing){-1, 0})

/// A ray on its way. "Mirrored" as in the file's first comment.
typedef struct Ray {
    const TrnStore *store;
    double origin[3];  ///< voxels from the lowest corner of its chunk, mirrored
    double speed[3];   ///< voxels in a unit of time, above 0
    double length;     ///< voxels along the ray in a unit of time
    double time_max;   ///< latest end
    double leave[3];   ///< time at which it leaves the current chunk, by axis
    int32_t mirror[3]; ///< 0, or -1 if the axis is mirrored
    int32_t first[3];  ///< first cell, mirrored
    int32_t cell[3];   ///< current cell, mirrored
    int32_t chunk[3];  ///< current chunk, as in TrnCoord
    bool met_box;      ///< a box of a model ended it, at `entrance`
    RayCrossing entrance;
} Ray;

/// The path of a ray through one chunk.
typedef struct RayPassage {
    int32_t last[3]; ///< last cell in the chunk
    int axis;        ///< along which the ray leaves the chunk, or RAY_NO_AXIS
} RayPassage;

/// The blocks that stop a ray.
typedef struct RayStops {
    const uint32_t *bits; ///< [TRN_BLOCK_BITS_WORDS]
    const TrnBlockTypes *types;
    bool are_solid, are_opaque;
} RayStops;

TrnRayDef trn_ray_def(void)
{
    TrnRayDef def = {.distance_max = 128};
    return def;
}

// ---- times and cells ----------------------------------------------------------------------------

/// The time at which the ray leaves a cell along an axis.
static inline double ray_time(const Ray *ray, int axis, int32_t cell)
{
    return ((double)(cell + 1) - ray->origin[axis]) / ray->speed[axis];
}

/// The cell along one axis after every boundary before `time`, and those at `time` along the axes
/// before `end`.
static int32_t ray_cell_at(const Ray *ray, int axis, double time, int end)
{
    const int32_t above_zero = 1 << 22; // keeps the conversion above zero, where it rounds down
    const double position = ray->origin[axis] + time * ray->speed[axis];
    const int32_t boundary = (int32_t)(position + (above_zero + 0.5)) - above_zero;
    bool is_before = position < boundary;
    if (fabs(position - boundary) < RAY_POSITION_ERROR) {
        const double crossed = ray_time(ray, axis, boundary - 1);
        is_before = axis < end ? crossed > time : crossed >= time;
    }
    // A boundary that the ray starts on is behind it.
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

// ---- boxes of models ----------------------------------------------------------------------------

static inline bool ray_is_earlier(RayCrossing a, RayCrossing b)
{
    return a.time < b.time || (a.time == b.time && a.axis < b.axis);
}

/// Finds where the ray enters a box of the current voxel. Like a voxel, a box contains its lower
/// faces: a ray that descends from its upper face enters it at once, from its lower face leaves it.
/// @return false if it misses the box
static bool ray_enter_box(const Ray *ray, const TrnBlockBox *box, RayCrossing *entrance)
{
    RayCrossing enter = RAY_BEFORE, leave = {(double)INFINITY, RAY_NO_AXIS};
    for (int axis = 0; axis < 3; axis++) {
        const bool is_mirrored = ray->mirror[axis] != 0;
        const int near = is_mirrored ? TRN_BLOCK_GRID - box->max[axis] : box->min[axis];
        const int far = is_mirrored ? TRN_BLOCK_GRID - box->min[axis] : box->max[axis];
        const double low = ray->cell[axis] + near / (double)TRN_BLOCK_GRID;
        const double high = ray->cell[axis] + far / (double)TRN_BLOCK_GRID;
        const double origin = ray->origin[axis];
        const double first = ray->first[axis]; // where it starts, also on the world's last face
        if (high < origin || (high == origin && !is_mirrored && high < first + 1)) {
            return false;
        }
        const RayCrossing in = {(low - origin) / ray->speed[axis], axis};
        const RayCrossing out = {(high - origin) / ray->speed[axis], axis};
        const bool starts_below = is_mirrored ? low >= origin && low > first : low > origin;
        enter = starts_below && ray_is_earlier(enter, in) ? in : enter;
        leave = ray_is_earlier(out, leave) ? out : leave;
    }
    *entrance = enter;
    return enter.time <= ray->time_max && ray_is_earlier(enter, leave);
}

/// Whether the ray meets a box of the model in the current voxel. Sets `entrance` then.
static bool ray_meet_model(Ray *ray, const TrnBlockModel *model, TrnSnapshot snapshot,
                           uint32_t index)
{
    const TrnShapePlace place = {
        ray->store, {ray->chunk[0], ray->chunk[1], ray->chunk[2]}, snapshot, index};
    const uint32_t boxes = trn_shape_boxes(&place, model);
    for (uint32_t left = boxes; left; left &= left - 1) {
        RayCrossing entrance;
        if (ray_enter_box(ray, &model->boxes[__builtin_ctz(left)], &entrance) &&
            (!ray->met_box || ray_is_earlier(entrance, ray->entrance))) {
            ray->met_box = true;
            ray->entrance = entrance;
        }
    }
    return ray->met_box;
}

// ---- one chunk ----------------------------------------------------------------------------------

/// The local coordinate, 0..31, of a mirrored cell.
static inline uint32_t ray_local(int32_t cell, int32_t mirror)
{
    return (uint32_t)(cell ^ mirror) & (TRN_CHUNK_EDGE - 1);
}

/// The linear index of the current voxel in its chunk.
static uint32_t ray_local_index(const Ray *ray)
{
    return trn_local_index(ray_local(ray->cell[0], ray->mirror[0]),
                           ray_local(ray->cell[1], ray->mirror[1]),
                           ray_local(ray->cell[2], ray->mirror[2]));
}

/// Lists the times at which the ray leaves each cell of a passage but the last, then infinity.
/// @return how many boundaries the ray crosses
static inline int32_t ray_list_times(const Ray *ray, const RayPassage *passage, int axis,
                                     double times[TRN_CHUNK_EDGE])
{
    const int32_t first = ray->cell[axis], count = passage->last[axis] - first;
    for (int32_t i = 0; i < count; i++) {
        times[i] = ray_time(ray, axis, first + i);
    }
    times[count] = (double)INFINITY;
    return count;
}

/// Times are never negative, so their bits compare as the times do, and faster.
static inline uint64_t ray_time_bits(const double *time)
{
    uint64_t bits;
    memcpy(&bits, time, sizeof bits);
    return bits;
}

/// What decides whether a voxel of a chunk stops the ray.
typedef struct RayVoxels {
    bool has_mask;             ///< otherwise the blocks decide
    TrnMask mask;              ///< voxels that stop it
    TrnSnapshot snapshot;      ///< not uniform
    const uint32_t *stop_bits; ///< [TRN_BLOCK_BITS_WORDS]
    const TrnBlockTypes *types;
} RayVoxels;

static inline bool ray_stops_at_block(const uint32_t *stop_bits, TrnBlock block)
{
    return stop_bits[block >> 5] >> (block & 31) & 1;
}

static inline bool ray_stops_in(const RayVoxels *voxels, uint32_t index)
{
    return voxels->has_mask
               ? trn_mask_row(voxels->mask, index >> 5) >> (index & 31) & 1
               : ray_stops_at_block(voxels->stop_bits, trn_snapshot_get(voxels->snapshot, index));
}

/// Whether a voxel in the stop set stops the ray: a model does if the ray meets one of its boxes.
/// @param crossed  cells from the current one, along each axis
static bool ray_is_stopped(Ray *ray, const RayVoxels *voxels, uint32_t index,
                           const size_t crossed[3])
{
    const TrnBlock block = trn_snapshot_get(voxels->snapshot, index);
    const TrnBlockModel *model = trn_block_types_get(voxels->types, block)->model;
    if (!model) {
        return true;
    }
    int32_t before[3];
    memcpy(before, ray->cell, sizeof before);
    for (int axis = 0; axis < 3; axis++) {
        ray->cell[axis] += (int32_t)crossed[axis];
    }
    const bool is_met = ray_meet_model(ray, model, voxels->snapshot, index);
    memcpy(ray->cell, before, sizeof before);
    return is_met;
}

/// Walks to the last cell of a passage, or to the first whose voxel stops the ray.
/// @return whether a voxel stopped it
/// The loop branches only at its end, since the next axis is unpredictable. Tried and dropped:
/// preloading the following times (no faster), and testing boxes along parts of a passage (a third
/// faster through scattered blocks, no faster over hills or in caves).
static inline bool ray_walk(Ray *ray, const RayPassage *passage, const RayVoxels *voxels)
{
    double times[3][TRN_CHUNK_EDGE];
    int32_t left = 0;
    for (int axis = 0; axis < 3; axis++) {
        left += ray_list_times(ray, passage, axis, times[axis]);
    }
    const uint32_t step_x = 1 | (uint32_t)ray->mirror[0],
                   step_y = (1 | (uint32_t)ray->mirror[1]) << (2 * TRN_CHUNK_SHIFT),
                   step_z = (1 | (uint32_t)ray->mirror[2]) << TRN_CHUNK_SHIFT;
    uint32_t index = ray_local_index(ray);
    size_t x = 0, y = 0, z = 0;
    bool stops;
    while (!(stops = ray_stops_in(voxels, index) &&
                     ray_is_stopped(ray, voxels, index, (const size_t[3]){x, y, z})) &&
           left-- > 0) {
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

/// Whether a mask is empty in the bounding box of a passage. Over hills, where most rays are, this
/// saves most walks: a ray of 128 voxels took 440 ns on average instead of 850.
static bool ray_box_is_empty(const Ray *ray, const RayPassage *passage, TrnMask mask)
{
    uint32_t low[3], high[3];
    for (int axis = 0; axis < 3; axis++) {
        const uint32_t first = ray_local(ray->cell[axis], ray->mirror[axis]);
        const uint32_t last = ray_local(passage->last[axis], ray->mirror[axis]);
        low[axis] = first < last ? first : last;
        high[axis] = first < last ? last : first;
    }
    const uint32_t bits = UINT32_MAX >> (TRN_CHUNK_EDGE - 1 - (high[0] - low[0])) << low[0];
    const uint64_t sides = (uint64_t)(low[2] < TRN_HALF_ROWS) | (uint64_t)(high[2] >= TRN_HALF_ROWS)
                                                                    << 1;
    const uint64_t layers = UINT64_MAX >> (TRN_CHUNK_HALVES - 2 - 2 * (high[1] - low[1]))
                                              << 2 * low[1];
    uint32_t any = 0;
    for (uint64_t halves = UINT64_MAX / 3 * sides & layers & mask.any; halves && !(any & bits);
         halves &= halves - 1) {
        const uint32_t half = (uint32_t)__builtin_ctzll(halves), first = half % 2 * TRN_HALF_ROWS;
        const uint32_t *rows = trn_mask_half(mask, half);
        const uint32_t from = low[2] > first ? low[2] - first : 0;
        const uint32_t to = high[2] - first < TRN_HALF_ROWS ? high[2] - first : TRN_HALF_ROWS - 1;
        for (uint32_t z = from; z <= to; z++) {
            any |= rows[z];
        }
    }
    return !(any & bits);
}

/// Whether a short palette shows that no block of a chunk stops the ray. Long ones are not
/// searched.
static bool ray_palette_is_clear(TrnSnapshot snapshot, const uint32_t *stop_bits)
{
    TrnPalette palette;
    trn_snapshot_palette(snapshot, &palette);
    if (palette.count == 0 || palette.count > RAY_PALETTE_MAX) {
        return false;
    }
    for (uint32_t entry = 0; entry < palette.count; entry++) {
        if (ray_stops_at_block(stop_bits, palette.blocks[entry])) {
            return false;
        }
    }
    return true;
}

/// Follows the ray through a chunk. @return whether a voxel stopped it, which is then the current
/// one
static bool ray_pass(Ray *ray, const RayStops *stops, const RayPassage *passage,
                     TrnSnapshot snapshot)
{
    RayVoxels voxels = {.snapshot = snapshot, .stop_bits = stops->bits, .types = stops->types};
    if (trn_snapshot_is_uniform(snapshot)) {
        const TrnBlock block = trn_snapshot_uniform(snapshot);
        return ray_stops_at_block(stops->bits, block) &&
               (!trn_block_types_get(stops->types, block)->model ||
                ray_walk(ray, passage, &voxels));
    }
    voxels.has_mask = stops->are_solid || stops->are_opaque;
    if (voxels.has_mask) { // it equals the stop set
        voxels.mask = stops->are_solid ? trn_snapshot_solid_mask(snapshot, stops->bits)
                                       : trn_snapshot_opaque_mask(snapshot, stops->bits);
    }
    const bool is_clear = voxels.has_mask ? ray_box_is_empty(ray, passage, voxels.mask)
                                          : ray_palette_is_clear(snapshot, stops->bits);
    return !is_clear && ray_walk(ray, passage, &voxels);
}

// ---- chunk to chunk -----------------------------------------------------------------------------

static TrnCoord ray_coord(const Ray *ray)
{
    TrnCoord coord = {ray->chunk[0], ray->chunk[1], ray->chunk[2]};
    return coord;
}

/// Steps from the last cell of a chunk into the next chunk.
/// @return false at the end of the world
static bool ray_step(Ray *ray, int axis)
{
    const int32_t end = ray->mirror[axis] ? INT32_MIN : INT32_MAX;
    if (ray->chunk[axis] == end) {
        return false;
    }
    ray->chunk[axis] += 1 | ray->mirror[axis];
    ray->cell[axis]++;
    ray_enter(ray, axis);
    return true;
}

/// @param snapshot  receives the snapshot of the chunk that the ray ends in, if it is loaded
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

// ---- start and result ---------------------------------------------------------------------------

static bool ray_is_valid(TrnPosition origin, const double direction[3], const TrnRayDef *def)
{
    bool is_valid = def->distance_max >= 0 && def->distance_max <= TRN_RAY_DISTANCE_MAX;
    for (int axis = 0; axis < 3; axis++) {
        is_valid &= origin.offset[axis] >= 0 && origin.offset[axis] <= TRN_CHUNK_EDGE &&
                    isfinite(direction[axis]);
    }
    return is_valid && (direction[0] != 0 || direction[1] != 0 || direction[2] != 0);
}

/// The power of two that scales a direction so that neither squares nor times overflow. Scaling
/// rounds nothing. It costs as much as crossing a chunk, so ordinary lengths get 0, no scaling.
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
    // An offset of 32 lies in the next chunk, or at the upper end of the world in the last voxel. A
    // ray that does not move along the axis stays there: mirrored, the boundary is behind it.
    const bool is_at_end = offset == TRN_CHUNK_EDGE && ray->chunk[axis] == INT32_MAX;
    const int32_t cell = (int32_t)offset - is_at_end;
    const bool is_mirrored = direction < 0 || (is_at_end && direction == 0);
    ray->mirror[axis] = is_mirrored ? -1 : 0;
    ray->origin[axis] = is_mirrored ? -offset : offset;
    ray->chunk[axis] += cell >> TRN_CHUNK_SHIFT;
    ray->first[axis] = ray->cell[axis] = cell ^ ray->mirror[axis];
    ray_enter(ray, axis);
}

static Ray ray_begin(const TrnStore *store, TrnPosition origin, const double direction[3],
                     double distance_max)
{
    Ray ray; // every field is set below; zeroing them first costs a tenth of a short ray
    ray.store = store;
    ray.chunk[0] = origin.chunk.x;
    ray.chunk[1] = origin.chunk.y;
    ray.chunk[2] = origin.chunk.z;
    ray_set_speed(&ray, direction);
    ray.time_max = distance_max / ray.length;
    ray.met_box = false;
    for (int axis = 0; axis < 3; axis++) {
        ray_set_origin(&ray, axis, origin.offset[axis], direction[axis]);
    }
    return ray;
}

/// The distance to where the ray entered the current voxel or its box, and through which face.
static double ray_entrance(const Ray *ray, TrnFace *face)
{
    if (ray->met_box) {
        const int axis = ray->entrance.axis;
        const bool is_inside = ray->entrance.time < 0;
        *face = is_inside ? TRN_FACE_COUNT : (TrnFace)(2 * axis - ray->mirror[axis]);
        return is_inside ? 0 : ray->entrance.time * ray->length;
    }
    double latest = 0;
    *face = TRN_FACE_COUNT;
    for (int axis = 0; axis < 3; axis++) {
        const double time = ray_time(ray, axis, ray->cell[axis] - 1);
        if (ray->cell[axis] > ray->first[axis] && time >= latest) {
            latest = time;
            *face = (TrnFace)(2 * axis - ray->mirror[axis]);
        }
    }
    return latest * ray->length;
}

static TrnVoxel ray_voxel(const Ray *ray)
{
    TrnVoxel voxel = trn_coord_voxel(ray_coord(ray));
    voxel.x += ray_local(ray->cell[0], ray->mirror[0]);
    voxel.y += ray_local(ray->cell[1], ray->mirror[1]);
    voxel.z += ray_local(ray->cell[2], ray->mirror[2]);
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
    RayStops stops = {.bits = def->stops ? def->stops : trn_block_types_solid_bits(types),
                      .types = types};
    stops.are_solid = stops.bits == trn_block_types_solid_bits(types);
    stops.are_opaque = stops.bits == trn_block_types_opaque_bits(types);

    Ray ray = ray_begin(store, origin, direction, def->distance_max);
    TrnSnapshot snapshot = trn_snapshot_of(TRN_BLOCK_AIR, 0);
    const TrnRayEnd end = ray_follow(&ray, &stops, def->stops_at_unloaded, &snapshot);
    *hit = ray_hit(&ray, end, snapshot, def->distance_max);
    return TRN_RESULT_OK;
}
