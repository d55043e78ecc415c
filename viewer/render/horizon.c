#include "render/horizon.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CELLS 4 // along a chunk's edge
#define CELL_VOXELS (TRN_CHUNK_EDGE / CELLS)
#define WAYS 512
#define STEPS 96
#define STEP_FIRST 12.0f // voxels: nearer rock hides nothing
#define STEP_GROWTH 1.08f
#define SQUARES_MAX 4  // squares along an axis that a way may touch: ways are narrower
#define ROUNDING 0.05f // voxels: rounding error of a sum at the end of the view
#define MARGIN 0.6f    // voxels: plants reach outside their chunk by this much
#define PIXELS 1.0f    // quads are enlarged by part of a pixel
#define SLOPE_MAX 1.5f // of chunks to hide: if steeper, a pixel covers more slopes

static const HorizonRanges NOTHING;

// ---- ways ---------------------------------------------------------------------------------------

// A way is a sector around the camera. Its direction is a turn, 0..4, which grows with the angle
// but needs no trigonometric functions.

static float horizon_turn_of(float x, float z)
{
    const float part = x / (fabsf(x) + fabsf(z));
    return z < 0 ? 1 + part : 3 - part;
}

/// Returns the unit vector of a turn.
static void horizon_turn_direction(float turn, float direction[2])
{
    const float part = turn < 2 ? turn - 1 : 3 - turn;
    const float x = part, z = turn < 2 ? fabsf(part) - 1 : 1 - fabsf(part);
    const float length = sqrtf(x * x + z * z);
    direction[0] = x / length;
    direction[1] = z / length;
}

/// Moves a turn by whole circles to within half a circle of another.
static float horizon_turn_near(float turn, float other)
{
    return turn - other > 2 ? turn - 4 : turn - other < -2 ? turn + 4 : turn;
}

static int horizon_way_of(float turn)
{
    return (int)floorf(turn * (WAYS / 4.0f));
}

/// Finds the ways that the picture shows: those between its corners, or all if it shows straight up
/// or down.
static void horizon_find_shown(Horizon *horizon)
{
    const CameraView *view = horizon->view;
    const float *ahead = view->ray_forward, *up = view->ray_up, *right = view->ray_right;
    const float middle = horizon_turn_of(ahead[0], ahead[2]);
    float first = middle, last = middle;
    for (int corner = 0; corner < 4; corner++) {
        const float x = corner & 1 ? 1 : -1, y = corner & 2 ? 1 : -1;
        const float turn = horizon_turn_near(horizon_turn_of(ahead[0] + x * right[0] + y * up[0],
                                                             ahead[2] + x * right[2] + y * up[2]),
                                             middle);
        first = fminf(first, turn);
        last = fmaxf(last, turn);
    }
    const bool is_steep = hypotf(ahead[0], ahead[2]) < 1.1f * hypotf(up[0], up[2]);
    horizon->shown[0] = is_steep ? 0 : horizon_way_of(first) - 1;
    horizon->shown[1] = is_steep ? WAYS - 1 : horizon_way_of(last) + 1;
}

/// Returns the last step nearer than a distance; below 0: none.
static int horizon_step_before(const Horizon *horizon, float distance)
{
    int step = (int)(logf(distance / STEP_FIRST) / logf(STEP_GROWTH));
    step = step < STEPS ? step : STEPS - 1;
    return step >= 0 && horizon->distances[step] < distance ? step : step - 1;
}

// ---- ranges -------------------------------------------------------------------------------------

static float horizon_length(HorizonRange range)
{
    return range.high - range.low;
}

static bool horizon_is_empty(const HorizonRanges *ranges)
{
    float longest = 0;
    for (int i = 0; i < HORIZON_RANGES; i++) {
        longest = fmaxf(longest, horizon_length(ranges->of[i]));
    }
    return longest <= 0;
}

/// Whether one range of a set contains all of another range.
static bool horizon_holds(const HorizonRanges *ranges, HorizonRange range)
{
    bool holds = false;
    for (int i = 0; i < HORIZON_RANGES; i++) {
        holds |= ranges->of[i].low <= range.low && range.high <= ranges->of[i].high;
    }
    return holds;
}

/// Adds a range to a set: joins it with those that it touches. Of too many, the shortest is
/// dropped.
static void horizon_join(HorizonRanges *ranges, HorizonRange range)
{
    HorizonRange *shortest = &ranges->of[0];
    for (int i = 0; i < HORIZON_RANGES; i++) {
        HorizonRange *own = &ranges->of[i];
        if (own->low <= range.high && range.low <= own->high) {
            range = (HorizonRange){fminf(own->low, range.low), fmaxf(own->high, range.high)};
            *own = (HorizonRange){0, 0};
        }
        shortest = horizon_length(*own) < horizon_length(*shortest) ? own : shortest;
    }
    if (horizon_length(range) > horizon_length(*shortest)) {
        *shortest = range;
    }
}

/// Returns what two sets have in common.
static HorizonRanges horizon_meet(const HorizonRanges *a, const HorizonRanges *b)
{
    HorizonRanges both = NOTHING;
    for (int i = 0; i < HORIZON_RANGES; i++) {
        for (int j = 0; j < HORIZON_RANGES && horizon_length(a->of[i]) > 0; j++) {
            const HorizonRange common = {fmaxf(a->of[i].low, b->of[j].low),
                                         fminf(a->of[i].high, b->of[j].high)};
            if (common.high > common.low) {
                horizon_join(&both, common);
            }
        }
    }
    return both;
}

// ---- the rock -----------------------------------------------------------------------------------

bool horizon_find_rock(const uint32_t *opaque, ChunkRock *rock)
{
    memset(rock, 0, CHUNK_VIEW_CELLS * sizeof *rock);
    bool any = false;
    for (size_t z = 0; z < CELLS; z++) {
        uint8_t from[CELLS] = {0}; // where the rock below begins
        for (uint8_t y = 0; y < TRN_CHUNK_EDGE; y++) {
            uint32_t rows = UINT32_MAX;
            for (size_t i = 0; i < CELL_VOXELS; i++) {
                rows &= opaque[(size_t)y * TRN_CHUNK_EDGE + z * CELL_VOXELS + i];
            }
            for (size_t x = 0; x < CELLS; x++) {
                const uint32_t cell = UINT32_C(0xff) << CELL_VOXELS * x;
                ChunkRock *const longest = &rock[z * CELLS + x];
                from[x] = (rows & cell) == cell ? from[x] : (uint8_t)(y + 1);
                if (y + 1 - from[x] > longest->high - longest->low) {
                    *longest = (ChunkRock){from[x], (uint8_t)(y + 1)};
                    any = true;
                }
            }
        }
    }
    return any;
}

/// Returns how much lower a level's chunks are drawn than they lie, as quad.vert does.
static float horizon_drop(uint32_t level)
{
    return (float)((1u << level) - 1);
}

/// Adds a chunk's rock to the cells.
static void horizon_add_chunk(HorizonMap *map, const CameraView *view, const TrnChunk *chunk,
                              TrnBox box)
{
    vec3 corner;
    const ChunkView *quads = chunk_view((TrnChunk *)chunk);
    camera_view_corner(view, chunk->coord, quads->level, corner);
    const float bottom = corner[1] - horizon_drop(quads->level);
    const size_t x = (size_t)((int64_t)chunk->coord.x - box.min.x) * CELLS;
    const size_t z = (size_t)((int64_t)chunk->coord.z - box.min.z) * CELLS;
    for (size_t i = 0; i < CHUNK_VIEW_CELLS; i++) {
        const ChunkRock rock = quads->rock[i];
        if (rock.high) {
            horizon_join(&map->cells[(z + i / CELLS) * (size_t)map->edge + x + i % CELLS],
                         (HorizonRange){bottom + (float)(rock.low << quads->level),
                                        bottom + (float)(rock.high << quads->level)});
        }
    }
}

static bool horizon_is_steady(TrnChunk *chunk)
{
    const ChunkView *view = chunk_view(chunk);
    return view->is_shown && view->has_rock && !view->is_hidden && !view->fade;
}

static bool horizon_reserve_cells(HorizonMap *map, size_t count)
{
    if (count > map->capacity) {
        HorizonRanges *cells = realloc(map->cells, count * sizeof *cells);
        map->cells = cells ? cells : map->cells;
        map->capacity = cells ? count : map->capacity;
    }
    return count <= map->capacity;
}

bool horizon_add_level(Horizon *horizon, TrnBox box, TrnChunk *const *chunks, size_t count)
{
    const uint32_t level = horizon->map_count++;
    HorizonMap *map = &horizon->maps[level];
    const int64_t across[2] = {(int64_t)box.max.x - box.min.x + 1,
                               (int64_t)box.max.z - box.min.z + 1};
    const int64_t edge = CELLS * (across[0] > across[1] ? across[0] : across[1]);
    const size_t cells = (size_t)edge * (size_t)edge;
    map->edge = 0;
    if (!horizon_reserve_cells(map, cells)) {
        return false;
    }
    vec3 corner;
    camera_view_corner(horizon->view, box.min, level, corner);
    map->edge = (int32_t)edge;
    map->cells_per_voxel = 1.0f / (float)(CELL_VOXELS << level);
    map->from[0] = corner[0];
    map->from[1] = corner[2];
    map->reach = 0.5f * (float)(edge * (CELL_VOXELS << level));
    for (size_t i = 0; i < cells; i++) {
        map->cells[i] = NOTHING;
    }
    for (size_t i = 0; i < count; i++) {
        if (horizon_is_steady(chunks[i])) {
            horizon_add_chunk(map, horizon->view, chunks[i], box);
        }
    }
    return true;
}

// ---- the ways -----------------------------------------------------------------------------------

/// Returns the heights that are rock everywhere in a rectangle.
static HorizonRanges horizon_rock_of(const HorizonMap *map, const float low[2], const float high[2])
{
    int first[2], last[2];
    for (int axis = 0; axis < 2; axis++) {
        const float from = (low[axis] - map->from[axis]) * map->cells_per_voxel;
        const float to = (high[axis] - map->from[axis]) * map->cells_per_voxel;
        first[axis] = (int)from;
        last[axis] = (int)to;
        if (!(from >= 0) || last[axis] >= map->edge || last[axis] - first[axis] >= SQUARES_MAX) {
            return NOTHING;
        }
    }
    const HorizonRanges *row = map->cells + (size_t)first[1] * (size_t)map->edge;
    HorizonRanges rock = row[first[0]];
    for (int z = first[1]; z <= last[1]; z++, row += map->edge) {
        for (int x = z == first[1] ? first[0] + 1 : first[0]; x <= last[0]; x++) {
            rock = horizon_meet(&rock, &row[x]);
        }
    }
    return rock;
}

/// Returns the rock of a rectangle. Each place is drawn at one level. Where two levels meet, that
/// is the level whose ring begins there, or the next.
/// @param level  the finest level that may reach the rectangle, from the step before; updated
static HorizonRanges horizon_rock_at(const Horizon *horizon, float distance, uint32_t *level,
                                     const float low[2], const float high[2])
{
    while (*level < horizon->map_count && distance >= horizon->maps[*level].reach) {
        (*level)++;
    }
    for (uint32_t i = *level; i < horizon->map_count && i < *level + 2; i++) {
        const HorizonRanges rock = horizon_rock_of(&horizon->maps[i], low, high);
        if (!horizon_is_empty(&rock)) {
            return rock;
        }
    }
    return NOTHING;
}

/// Extends a way up to a step: at each step, examines the arc between its two sides.
static void horizon_look_along(Horizon *horizon, int way, int last)
{
    float sides[2][2];
    HorizonRanges *slopes = horizon->ways + (size_t)way * STEPS;
    const float *eye = horizon->view->offset, ground[2] = {eye[0], eye[2]};
    const int first = horizon->known[way];
    HorizonRanges hidden = first ? slopes[first - 1] : NOTHING;
    horizon_turn_direction(4.0f * (float)way / WAYS, sides[0]);
    horizon_turn_direction(4.0f * (float)(way + 1) / WAYS, sides[1]);
    uint32_t level = 0;
    for (int step = first; step <= last; step++) {
        const float distance = horizon->distances[step];
        float low[2], high[2];
        for (int axis = 0; axis < 2; axis++) { // no way contains an axis, so its arc is inside this
                                               // box
            const float a = sides[0][axis] * distance, b = sides[1][axis] * distance;
            low[axis] = ground[axis] + fminf(a, b) - ROUNDING;
            high[axis] = ground[axis] + fmaxf(a, b) + ROUNDING;
        }
        const HorizonRanges rock = horizon_rock_at(horizon, distance, &level, low, high);
        for (int i = 0; i < HORIZON_RANGES; i++) {
            const HorizonRange here = {(rock.of[i].low - eye[1]) / distance,
                                       (rock.of[i].high - eye[1]) / distance};
            if (horizon_length(here) > 0 && !horizon_holds(&hidden, here)) {
                horizon_join(&hidden, here);
            }
        }
        slopes[step] = hidden;
    }
    horizon->known[way] = (uint8_t)(last + 1);
}

bool horizon_begin(Horizon *horizon, const CameraView *view)
{
    if (!horizon->ways) {
        horizon->ways = malloc(sizeof(HorizonRanges) * WAYS * STEPS);
        horizon->known = malloc(WAYS);
        horizon->distances = malloc(sizeof(float) * STEPS);
        if (!horizon->ways || !horizon->known || !horizon->distances) {
            horizon_free(horizon);
            return false;
        }
        for (int i = 0; i < STEPS; i++) {
            horizon->distances[i] = STEP_FIRST * powf(STEP_GROWTH, (float)i);
        }
    }
    horizon->view = view;
    horizon->map_count = 0;
    horizon_find_shown(horizon);
    memset(horizon->known, 0, WAYS);
    return true;
}

void horizon_free(Horizon *horizon)
{
    for (uint32_t level = 0; level <= TRN_FAR_LEVEL_MAX; level++) {
        free(horizon->maps[level].cells);
    }
    free(horizon->ways);
    free(horizon->known);
    free(horizon->distances);
    *horizon = (Horizon){0};
}

// ---- chunks -------------------------------------------------------------------------------------

/// A chunk's quads from the camera's point of view.
typedef struct HorizonSight {
    float nearest;  ///< horizontal distance
    float turns[2]; ///< the first may be negative
    HorizonRange slopes;
} HorizonSight;

/// @return false if the camera is inside the chunk's column
static bool horizon_see_ground(const float low[2], const float high[2], float farthest[1],
                               HorizonSight *sight)
{
    float near2 = 0, far2 = 0;
    for (int axis = 0; axis < 2; axis++) {
        const float near = fmaxf(fmaxf(low[axis], -high[axis]), 0);
        const float far = fmaxf(fabsf(low[axis]), fabsf(high[axis]));
        near2 += near * near;
        far2 += far * far;
    }
    if (near2 < STEP_FIRST * STEP_FIRST) {
        return false;
    }
    sight->nearest = sqrtf(near2);
    *farthest = sqrtf(far2);
    const float middle = horizon_turn_of((low[0] + high[0]) / 2, (low[1] + high[1]) / 2);
    sight->turns[0] = sight->turns[1] = middle;
    for (int corner = 0; corner < 4; corner++) {
        const float turn = horizon_turn_near(
            horizon_turn_of(corner & 1 ? high[0] : low[0], corner & 2 ? high[1] : low[1]), middle);
        sight->turns[0] = fminf(sight->turns[0], turn);
        sight->turns[1] = fmaxf(sight->turns[1], turn);
    }
    return true;
}

static bool horizon_see_chunk(const CameraView *view, TrnChunk *chunk, HorizonSight *sight)
{
    vec3 corner;
    const ChunkView *quads = chunk_view(chunk);
    const float edge = (float)(TRN_CHUNK_EDGE << quads->level), pixels = PIXELS * view->pixel;
    camera_view_corner(view, chunk->coord, quads->level, corner);
    glm_vec3_sub(corner, (float *)view->offset, corner);
    const float low[2] = {corner[0] - MARGIN, corner[2] - MARGIN};
    const float high[2] = {corner[0] + edge + MARGIN, corner[2] + edge + MARGIN};
    float farthest;
    if (!horizon_see_ground(low, high, &farthest, sight)) {
        return false;
    }
    corner[1] -= horizon_drop(quads->level);
    const float bottom = corner[1] + (float)(quads->low << quads->level) - MARGIN;
    const float top = corner[1] + (float)(quads->high << quads->level) + MARGIN;
    sight->slopes.low = bottom / (bottom < 0 ? sight->nearest : farthest);
    sight->slopes.high = top / (top > 0 ? sight->nearest : farthest);
    // A pixel covers a wider range of slopes if the camera looks up or down.
    const float steepest = fmaxf(fabsf(sight->slopes.low), fabsf(sight->slopes.high));
    const float wider = pixels * (1 + steepest * steepest);
    sight->slopes.low -= wider;
    sight->slopes.high += wider;
    sight->turns[0] -= wider;
    sight->turns[1] += wider;
    return sight->slopes.low > -SLOPE_MAX && sight->slopes.high < SLOPE_MAX;
}

/// Finds a chunk's ways in the picture. @param ways  receives the first and the last
static void horizon_find_ways(const Horizon *horizon, const HorizonSight *sight, int ways[2])
{
    const int first = horizon_way_of(sight->turns[0]), last = horizon_way_of(sight->turns[1]);
    const int apart = first + last - horizon->shown[0] - horizon->shown[1]; // of the middles, twice
    const int around = apart > WAYS ? WAYS : apart < -WAYS ? -WAYS : 0;
    const int shown[2] = {horizon->shown[0] + around, horizon->shown[1] + around};
    const bool all = horizon->shown[1] - horizon->shown[0] >= WAYS - 1;
    ways[0] = all || first > shown[0] ? first : shown[0];
    ways[1] = all || last < shown[1] ? last : shown[1];
}

bool horizon_hides(Horizon *horizon, TrnChunk *chunk)
{
    HorizonSight sight;
    if (!horizon_see_chunk(horizon->view, chunk, &sight)) {
        return false;
    }
    const int step = horizon_step_before(horizon, sight.nearest - 1);
    int ways[2];
    horizon_find_ways(horizon, &sight, ways);
    for (int i = ways[0]; step >= 0 && i <= ways[1]; i++) {
        const int way = (i + WAYS) % WAYS;
        if (horizon->known[way] <= step) {
            horizon_look_along(horizon, way, step);
        }
        if (!horizon_holds(&horizon->ways[way * STEPS + step], sight.slopes)) {
            return false;
        }
    }
    return step >= 0;
}
