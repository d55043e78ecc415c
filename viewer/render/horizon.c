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

static const HorizonRange NOTHING = {0, 0};

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

/// Returns the last step nearer than a distance; below 0: none.
static int horizon_step_before(const Horizon *horizon, float distance)
{
    int step = (int)(logf(distance / STEP_FIRST) / logf(STEP_GROWTH));
    step = step < STEPS ? step : STEPS - 1;
    return step >= 0 && horizon->distances[step] < distance ? step : step - 1;
}

// ---- ranges -------------------------------------------------------------------------------------

static bool horizon_is_empty(HorizonRange range)
{
    return !(range.high > range.low);
}

/// Returns the union of two ranges that overlap, otherwise the longer one.
static HorizonRange horizon_join(HorizonRange a, HorizonRange b)
{
    if (horizon_is_empty(a) || horizon_is_empty(b)) {
        return horizon_is_empty(a) ? b : a;
    }
    if (a.low <= b.high && b.low <= a.high) {
        return (HorizonRange){fminf(a.low, b.low), fmaxf(a.high, b.high)};
    }
    return a.high - a.low >= b.high - b.low ? a : b;
}

// ---- the rock -----------------------------------------------------------------------------------

bool horizon_find_solid(const uint32_t *opaque, uint8_t *solid)
{
    uint32_t any = 0;
    for (size_t z = 0; z < CELLS; z++) {
        uint32_t open = UINT32_MAX; // one byte for each cell along x; 0: an open voxel was found
        uint8_t *const row = solid + z * CELLS;
        memset(row, 0, CELLS);
        for (size_t y = 0; y < TRN_CHUNK_EDGE && open; y++) {
            uint32_t rows = UINT32_MAX;
            for (size_t i = 0; i < CELL_VOXELS; i++) {
                rows &= opaque[y * TRN_CHUNK_EDGE + z * CELL_VOXELS + i];
            }
            for (uint32_t x = 0; x < CELLS; x++) {
                const uint32_t cell = UINT32_C(0xff) << 8 * x;
                open &= (rows & cell) == cell ? UINT32_MAX : ~cell;
                row[x] = (uint8_t)(row[x] + (open & cell ? 1 : 0));
            }
        }
        any |= (uint32_t)(row[0] | row[1] | row[2] | row[3]);
    }
    return any != 0;
}

/// Adds a chunk's rock to the cells. Chunks are added from the lowest up. In level 0, rock that
/// neither continues the rock below nor fills the chunk may be leaves with holes.
static void horizon_add_chunk(HorizonMap *map, const CameraView *view, const TrnChunk *chunk,
                              TrnBox box)
{
    vec3 corner;
    const ChunkView *quads = chunk_view((TrnChunk *)chunk);
    camera_view_corner(view, chunk->coord, quads->level, corner);
    const size_t x = (size_t)((int64_t)chunk->coord.x - box.min.x) * CELLS;
    const size_t z = (size_t)((int64_t)chunk->coord.z - box.min.z) * CELLS;
    for (size_t i = 0; i < CHUNK_VIEW_CELLS; i++) {
        HorizonRange *cell = &map->cells[(z + i / CELLS) * (size_t)map->edge + x + i % CELLS];
        const float high = corner[1] + (float)(quads->solid[i] << quads->level);
        const HorizonRange own = {corner[1], high};
        const bool goes_on = !horizon_is_empty(*cell) && cell->high == corner[1];
        if (goes_on || quads->level > 0 || quads->solid[i] == TRN_CHUNK_EDGE) {
            *cell = horizon_join(*cell, own);
        }
    }
}

static bool horizon_is_steady(TrnChunk *chunk)
{
    const ChunkView *view = chunk_view(chunk);
    return view->is_shown && view->has_solid && !view->is_hidden && !view->fade;
}

/// Sorts the chunks with rock, lowest first. @return their number
static size_t horizon_sort_chunks(Horizon *horizon, TrnBox box, TrnChunk *const *chunks,
                                  size_t count)
{
    size_t first[258] = {0};
    const int64_t height = (int64_t)box.max.y - box.min.y + 1;
    if (height > 256) {
        return 0;
    }
    for (size_t i = 0; i < count; i++) {
        first[chunks[i]->coord.y - box.min.y + 1] += horizon_is_steady(chunks[i]);
    }
    for (int64_t y = 0; y < height; y++) {
        first[y + 1] += first[y];
    }
    const size_t all = first[height];
    for (size_t i = 0; i < count; i++) {
        if (horizon_is_steady(chunks[i])) {
            horizon->sorted[first[chunks[i]->coord.y - box.min.y]++] = chunks[i];
        }
    }
    return all;
}

static bool horizon_reserve_cells(HorizonMap *map, size_t count)
{
    if (count > map->capacity) {
        HorizonRange *cells = realloc(map->cells, count * sizeof *cells);
        map->cells = cells ? cells : map->cells;
        map->capacity = cells ? count : map->capacity;
    }
    return count <= map->capacity;
}

static bool horizon_reserve_sorted(Horizon *horizon, size_t count)
{
    if (count > horizon->sorted_capacity) {
        TrnChunk **sorted = realloc(horizon->sorted, count * sizeof(TrnChunk *));
        horizon->sorted = sorted ? sorted : horizon->sorted;
        horizon->sorted_capacity = sorted ? count : horizon->sorted_capacity;
    }
    return count <= horizon->sorted_capacity;
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
    if (!horizon_reserve_cells(map, cells) || !horizon_reserve_sorted(horizon, count)) {
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
    const size_t sorted = horizon_sort_chunks(horizon, box, chunks, count);
    for (size_t i = 0; i < sorted; i++) {
        horizon_add_chunk(map, horizon->view, horizon->sorted[i], box);
    }
    return true;
}

// ---- the ways -----------------------------------------------------------------------------------

/// Returns the range of heights that is rock everywhere in a rectangle.
static HorizonRange horizon_rock_of(const HorizonMap *map, const float low[2], const float high[2])
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
    HorizonRange rock = {-INFINITY, INFINITY};
    for (int z = first[1]; z <= last[1]; z++) {
        for (int x = first[0]; x <= last[0]; x++) {
            const HorizonRange cell = map->cells[(size_t)z * (size_t)map->edge + (size_t)x];
            if (horizon_is_empty(cell)) {
                return NOTHING;
            }
            rock.low = fmaxf(rock.low, cell.low);
            rock.high = fminf(rock.high, cell.high);
        }
    }
    return rock;
}

/// Returns the rock of a rectangle. Each place is drawn at one level. Where two levels meet, that
/// is the level whose ring begins there, or the next.
/// @param level  the finest level that may reach the rectangle, from the step before; updated
static HorizonRange horizon_rock_at(const Horizon *horizon, float distance, uint32_t *level,
                                    const float low[2], const float high[2])
{
    while (*level < horizon->map_count && distance >= horizon->maps[*level].reach) {
        (*level)++;
    }
    for (uint32_t i = *level; i < horizon->map_count && i < *level + 2; i++) {
        const HorizonRange rock = horizon_rock_of(&horizon->maps[i], low, high);
        if (!horizon_is_empty(rock)) {
            return rock;
        }
    }
    return NOTHING;
}

/// Extends a way up to a step: at each step, examines the arc between its two sides.
static void horizon_look_along(Horizon *horizon, int way, int last)
{
    float sides[2][2];
    HorizonRange *slopes = horizon->ways + (size_t)way * STEPS;
    const float *eye = horizon->view->offset, ground[2] = {eye[0], eye[2]};
    const int first = horizon->known[way];
    HorizonRange hidden = first ? slopes[first - 1] : NOTHING;
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
        const HorizonRange rock = horizon_rock_at(horizon, distance, &level, low, high);
        if (!horizon_is_empty(rock)) {
            hidden = horizon_join(hidden, (HorizonRange){(rock.low - eye[1]) / distance,
                                                         (rock.high - eye[1]) / distance});
        }
        slopes[step] = hidden;
    }
    horizon->known[way] = (uint8_t)(last + 1);
}

bool horizon_begin(Horizon *horizon, const CameraView *view)
{
    if (!horizon->ways) {
        horizon->ways = malloc(sizeof(HorizonRange) * WAYS * STEPS);
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
    free(horizon->sorted);
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
    float first = 0, last = 0;
    for (int corner = 0; corner < 4; corner++) {
        float by =
            horizon_turn_of(corner & 1 ? high[0] : low[0], corner & 2 ? high[1] : low[1]) - middle;
        by -= by > 2 ? 4.0f : by < -2 ? -4.0f : 0;
        first = fminf(first, by);
        last = fmaxf(last, by);
    }
    sight->turns[0] = middle + first;
    sight->turns[1] = middle + last;
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

bool horizon_hides(Horizon *horizon, TrnChunk *chunk)
{
    HorizonSight sight;
    if (!horizon_see_chunk(horizon->view, chunk, &sight)) {
        return false;
    }
    const int step = horizon_step_before(horizon, sight.nearest - 1);
    const int first = (int)floorf(sight.turns[0] * (WAYS / 4.0f));
    const int last = (int)floorf(sight.turns[1] * (WAYS / 4.0f));
    for (int i = first; step >= 0 && i <= last; i++) {
        const int way = (i + WAYS) % WAYS;
        if (horizon->known[way] <= step) {
            horizon_look_along(horizon, way, step);
        }
        const HorizonRange hidden = horizon->ways[way * STEPS + step];
        if (!(hidden.low <= sight.slopes.low && sight.slopes.high <= hidden.high)) {
            return false;
        }
    }
    return step >= 0;
}
