#include "render/culling.h"

#include <stdlib.h>
#include <string.h>

#include "render/chunk_view.h"

// Bits of Culling.entered after those of the faces.
#define ENTERED_FACES 0x3fu
#define ENTERED_START 0x40u
#define ENTERED_NEVER 0x80u

#define SIDES 4 // the first four planes of the frustum, which meet in the camera
// The sides are moved outwards by this many chunks, so that rounding never culls a visible chunk.
#define SIDES_MARGIN 0.002

typedef float SideSums __attribute__((vector_size(4 * SIDES)));

/// The box and the frustum in chunks from the camera's chunk.
typedef struct CullingWalk {
    int32_t low[3];                ///< lowest corner of the box
    int32_t ends[TRN_FACE_COUNT];  ///< distance of the box's end towards each face, inclusive
    int32_t steps[TRN_FACE_COUNT]; ///< cells from a chunk to its neighbour at a face
    SideSums sides[4]; ///< >= 0 if the chunk with lowest corner (x, y, z) reaches inside
    size_t cells;
} CullingWalk;

// ---- memory -------------------------------------------------------------------------------------

void culling_free(Culling *culling)
{
    free(culling->seen);
    free(culling->chunks);
    free(culling->coords);
    free(culling->places);
    free(culling->entered);
    free(culling->steps);
    *culling = (Culling){0};
}

/// Allocates memory and touches it, so that no frame waits for page faults.
static void *culling_take_memory(size_t bytes)
{
    void *memory = malloc(bytes);
    return memory ? memset(memory, 0, bytes) : NULL;
}

bool culling_reserve(Culling *culling, size_t cells)
{
    if (cells <= culling->capacity) {
        return true;
    }
    culling_free(culling);
    culling->seen = culling_take_memory(cells * sizeof(TrnChunk *));
    culling->chunks = culling_take_memory(cells * sizeof(TrnChunk *));
    culling->coords = culling_take_memory(cells * sizeof *culling->coords);
    culling->places = culling_take_memory(cells * sizeof *culling->places);
    culling->entered = culling_take_memory(cells);
    culling->steps = culling_take_memory(cells * sizeof *culling->steps);
    if (!culling->seen || !culling->chunks || !culling->coords || !culling->places ||
        !culling->entered || !culling->steps) {
        culling_free(culling);
        return false;
    }
    culling->capacity = culling->seen_capacity = culling->chunk_capacity = cells;
    return true;
}

// ---- the frustum --------------------------------------------------------------------------------

/// Returns the frustum in chunks of a level.
static TrnFrustum culling_frustum_of(const CameraView *view, uint32_t level)
{
    const TrnCoord at = view->chunk;
    TrnFrustum frustum = {.origin = {at.x >> level, at.y >> level, at.z >> level}, .count = SIDES};
    vec3 corner;
    camera_view_corner(view, frustum.origin, level, corner);
    for (int side = 0; side < SIDES; side++) {
        double away = (double)view->planes[side][3];
        for (int axis = 0; axis < 3; axis++) {
            frustum.planes[side][axis] = (double)view->planes[side][axis];
            away += frustum.planes[side][axis] * (double)corner[axis];
        }
        frustum.planes[side][3] = away / (double)(TRN_CHUNK_EDGE << level) + SIDES_MARGIN;
    }
    return frustum;
}

static CullingWalk culling_walk_of(const TrnFrustum *frustum, TrnBox box)
{
    const int64_t at[3] = {frustum->origin.x, frustum->origin.y, frustum->origin.z};
    const int32_t low[3] = {box.min.x, box.min.y, box.min.z};
    const int32_t high[3] = {box.max.x, box.max.y, box.max.z};
    CullingWalk walk = {.cells = 1};
    for (size_t axis = 0; axis < 3; axis++) {
        walk.low[axis] = walk.ends[2 * axis] = (int32_t)(low[axis] - at[axis]);
        walk.ends[2 * axis + 1] = (int32_t)(high[axis] - at[axis]);
        walk.steps[2 * axis] = -(int32_t)walk.cells;
        walk.steps[2 * axis + 1] = (int32_t)walk.cells;
        walk.cells *= (size_t)(walk.ends[2 * axis + 1] - walk.ends[2 * axis] + 1);
    }
    for (int side = 0; side < SIDES; side++) {
        const double *plane = frustum->planes[side];
        double reach = plane[3]; // of the chunk's corner farthest inside
        for (int axis = 0; axis < 3; axis++) {
            walk.sides[axis][side] = (float)plane[axis];
            reach += plane[axis] > 0 ? plane[axis] : 0;
        }
        walk.sides[3][side] = (float)reach;
    }
    return walk;
}

static bool culling_is_inside(const CullingWalk *walk, const int16_t by[3])
{
    const SideSums sums = walk->sides[0] * (float)by[0] + walk->sides[1] * (float)by[1] +
                          walk->sides[2] * (float)by[2] + walk->sides[3];
    return (sums[0] >= 0) & (sums[1] >= 0) & (sums[2] >= 0) & (sums[3] >= 0);
}

static size_t culling_cell_of(const CullingWalk *walk, TrnCoord from, TrnCoord coord)
{
    const int32_t by[3] = {(int32_t)((int64_t)coord.x - from.x),
                           (int32_t)((int64_t)coord.y - from.y),
                           (int32_t)((int64_t)coord.z - from.z)};
    size_t cell = 0;
    for (size_t axis = 0; axis < 3; axis++) {
        cell += (size_t)(by[axis] - walk->low[axis]) * (size_t)walk->steps[2 * axis + 1];
    }
    return cell;
}

/// Gathers the chunks that matter, and stores their places by cell.
static void culling_gather_cells(Culling *culling, const CullingWalk *walk,
                                 const TrnFrustum *frustum, const TrnStore *store, TrnBox box,
                                 bool occlusion)
{
    const TrnChunkIndex *index = trn_store_index(store);
    const TrnPlane drawn = trn_chunk_index_plane(index, CULLING_PLANE_DRAWN);
    const TrnPlane closed = trn_chunk_index_plane(index, CULLING_PLANE_CLOSED);
    TrnChunkGather gather = {.box = box,
                             .frustum = frustum,
                             .planes.all = TRN_PLANE_BIT(TRN_PLANE_PRESENT),
                             .coords = culling->coords,
                             .pointers = (void **)culling->chunks,
                             .pool = trn_store_pool(store),
                             .capacity = culling->capacity};
    if (drawn < TRN_PLANE_COUNT_MAX && closed < TRN_PLANE_COUNT_MAX) {
        gather.planes.any = TRN_PLANE_BIT(drawn) | (occlusion ? TRN_PLANE_BIT(closed) : 0);
    }
    culling->gathered = culling->chunk_count = trn_chunk_index_gather(index, &gather);
    for (size_t i = 0; i < culling->chunk_count; i++) {
        culling->places[culling_cell_of(walk, frustum->origin, culling->coords[i])] =
            (uint32_t)i + 1;
        // Prefetches the chunk's view: these are scattered in memory and needed soon. Loading them
        // one by one took half of the time.
        __builtin_prefetch(chunk_view(culling->chunks[i]));
    }
}

static void culling_clear_cells(Culling *culling, const CullingWalk *walk, TrnCoord from)
{
    for (size_t i = 0; i < culling->chunk_count; i++) {
        culling->places[culling_cell_of(walk, from, culling->coords[i])] = 0;
    }
}

// ---- the walk -----------------------------------------------------------------------------------

/// Returns the faces that are visible through the chunk from the faces by which the walk entered.
static uint32_t culling_faces_out(TrnVisibility visibility, uint32_t entered)
{
    // The two faces of each pair, in the order of trn_visibility_bit.
    static const uint8_t pairs[] = {3, 5, 9, 17, 33, 6, 10, 18, 34, 12, 20, 36, 24, 40, 48};
    uint32_t out = 0;
    for (uint32_t left = visibility; left; left &= left - 1) {
        const uint32_t pair = pairs[__builtin_ctz(left)], in = entered & pair;
        out |= in == 0 ? 0 : in == pair ? pair : pair ^ in;
    }
    return out;
}

/// Enters the neighbour at a face. @return the new number of steps
static size_t culling_step_to(Culling *culling, const CullingWalk *walk, const CullingStep *from,
                              uint32_t face, size_t count)
{
    const uint32_t cell = (uint32_t)((int32_t)from->cell + walk->steps[face]);
    uint8_t *entered = &culling->entered[cell];
    if (*entered == 0) {
        CullingStep *step = &culling->steps[count];
        const int by = from->by[face >> 1] + (face & 1u ? 1 : -1);
        *step = *from;
        step->by[face >> 1] = (int16_t)by;
        step->ways &= (uint16_t) ~(1u << (face ^ 1u) | (by == walk->ends[face] ? 1u : 0) << face);
        step->cell = cell;
        if (!culling_is_inside(walk, step->by)) {
            *entered = ENTERED_NEVER;
            return count;
        }
        __builtin_prefetch(&culling->places[cell]); // for the step from this cell
        count++;
    }
    *entered |= (uint8_t)(1u << (face ^ 1u));
    return count;
}

/// Walks on from one cell. All earlier cells on the paths to it are one step nearer, so all faces
/// by which the walk enters it are known by now.
static size_t culling_step_on(Culling *culling, const CullingWalk *walk, CullingStep from,
                              size_t count, bool occlusion)
{
    const uint32_t place = culling->places[from.cell], entered = culling->entered[from.cell];
    TrnVisibility visibility = TRN_VISIBILITY_ALL;
    if (place) {
        TrnChunk *chunk = culling->chunks[place - 1];
        const ChunkView *view = chunk_view(chunk);
        visibility = occlusion ? (TrnVisibility)(TRN_VISIBILITY_ALL & ~view->hidden) : visibility;
        if (chunk_view_is_drawn(view)) {
            culling->seen[culling->seen_count++] = chunk;
            __builtin_prefetch(chunk); // for drawing
            __builtin_prefetch(view + 1);
        }
    }
    // From the camera's own chunk, all sides are open, wherever the camera is in it.
    const bool open = visibility == TRN_VISIBILITY_ALL || (entered & ENTERED_START);
    uint32_t out = open ? ENTERED_FACES : culling_faces_out(visibility, entered & ENTERED_FACES);
    for (out &= from.ways; out; out &= out - 1) {
        count = culling_step_to(culling, walk, &from, (uint32_t)__builtin_ctz(out), count);
    }
    return count;
}

static void culling_walk_cells(Culling *culling, const CullingWalk *walk, TrnCoord from,
                               bool occlusion)
{
    memset(culling->entered, 0, walk->cells);
    const size_t start = culling_cell_of(walk, from, from);
    culling->entered[start] = ENTERED_START;
    culling->steps[0] = (CullingStep){.ways = ENTERED_FACES, .cell = (uint32_t)start};
    for (uint32_t face = 0; face < TRN_FACE_COUNT; face++) {
        culling->steps[0].ways &= (uint16_t) ~((walk->ends[face] == 0 ? 1u : 0) << face);
    }
    size_t count = 1;
    for (size_t i = 0; i < count; i++) {
        count = culling_step_on(culling, walk, culling->steps[i], count, occlusion);
    }
}

bool culling_find(Culling *culling, const CameraView *view, const TrnStore *store, TrnBox box,
                  bool occlusion)
{
    culling->seen_count = culling->gathered = culling->chunk_count = 0;
    if (!trn_box_contains(box, view->chunk)) {
        return true;
    }
    const TrnFrustum frustum = culling_frustum_of(view, 0);
    const CullingWalk walk = culling_walk_of(&frustum, box);
    if (!culling_reserve(culling, walk.cells)) {
        return false;
    }
    culling_gather_cells(culling, &walk, &frustum, store, box, occlusion);
    culling_walk_cells(culling, &walk, view->chunk, occlusion);
    culling_clear_cells(culling, &walk, view->chunk);
    return true;
}

/// Grows an array of chunks. @param capacity  of the array
static bool culling_reserve_chunks(TrnChunk ***chunks, size_t *capacity, size_t count)
{
    if (count <= *capacity) {
        return true;
    }
    TrnChunk **grown = realloc(*chunks, count * sizeof(TrnChunk *));
    if (!grown) {
        return false;
    }
    *chunks = grown;
    *capacity = count;
    return true;
}

static bool culling_reserve_seen(Culling *culling, size_t count)
{
    return culling_reserve_chunks(&culling->seen, &culling->seen_capacity, count);
}

/// Gathers the chunks of a level that matter. @return false if out of memory
static bool culling_gather_level(Culling *culling, const TrnFrustum *frustum, const TrnStore *store,
                                 TrnBox box)
{
    const TrnChunkIndex *index = trn_store_index(store);
    const TrnPlane drawn = trn_chunk_index_plane(index, CULLING_PLANE_DRAWN);
    const TrnPlane closed = trn_chunk_index_plane(index, CULLING_PLANE_CLOSED);
    TrnChunkGather gather = {.box = box,
                             .frustum = frustum,
                             .planes.all = TRN_PLANE_BIT(TRN_PLANE_PRESENT),
                             .pool = trn_store_pool(store)};
    if (drawn < TRN_PLANE_COUNT_MAX && closed < TRN_PLANE_COUNT_MAX) {
        gather.planes.any = TRN_PLANE_BIT(drawn) | TRN_PLANE_BIT(closed);
    }
    size_t found = 0;
    do {
        if (!culling_reserve_chunks(&culling->chunks, &culling->chunk_capacity, found)) {
            return false;
        }
        gather.capacity = culling->chunk_capacity;
        gather.pointers = (void **)culling->chunks;
        found = trn_chunk_index_gather(index, &gather);
    } while (found > gather.capacity);
    culling->chunk_count = found;
    culling->gathered += found;
    return true;
}

bool culling_add_level(Culling *culling, const CameraView *view, const TrnStore *store, TrnBox box,
                       uint32_t level)
{
    const TrnFrustum frustum = culling_frustum_of(view, level);
    culling->chunk_count = 0;
    if (!culling_gather_level(culling, &frustum, store, box) ||
        !culling_reserve_seen(culling, culling->seen_count + culling->chunk_count)) {
        return false;
    }
    for (size_t i = 0; i < culling->chunk_count; i++) {
        TrnChunk *chunk = culling->chunks[i];
        if (chunk_view_is_drawn(chunk_view(chunk))) {
            culling->seen[culling->seen_count++] = chunk;
        }
    }
    return true;
}

bool culling_add(Culling *culling, TrnChunk *chunk)
{
    if (culling->seen_count == culling->seen_capacity &&
        !culling_reserve_seen(culling, 2 * culling->seen_count + 64)) {
        return false;
    }
    culling->seen[culling->seen_count++] = chunk;
    return true;
}

void culling_note(const TrnStore *store, TrnChunk *chunk)
{
    TrnChunkIndex *index = trn_store_index(store);
    const TrnPlane drawn = trn_chunk_index_plane(index, CULLING_PLANE_DRAWN);
    const TrnPlane closed = trn_chunk_index_plane(index, CULLING_PLANE_CLOSED);
    if (drawn == TRN_PLANE_COUNT_MAX || closed == TRN_PLANE_COUNT_MAX) {
        return;
    }
    const ChunkView *view = chunk_view(chunk);
    // Cannot fail: the chunk is loaded, so its cell exists.
    (void)trn_chunk_index_plane_set(index, drawn, chunk->coord, chunk_view_is_drawn(view));
    (void)trn_chunk_index_plane_set(index, closed, chunk->coord,
                                    view->hidden != 0 || view->has_rock);
}
