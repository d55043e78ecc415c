#include "render/draw_list.h"

#include <math.h>
#include <stdlib.h>

#include "render/chunk_view.h"

// The distance from a chunk's middle to its corners is 27.8.
#define PLANTS_REACH (DRAW_PLANTS_DISTANCE + 27.8f)

#define DRAW_SHELL 4.0f // in voxels
#define DRAW_BUCKETS 256u

static size_t bucket_of(const DrawChunk *chunk)
{
    const float shell = sqrtf(chunk->distance2) / DRAW_SHELL;
    return shell < (float)(DRAW_BUCKETS - 1) ? (size_t)shell : DRAW_BUCKETS - 1;
}

static bool reserve_ranges(DrawRanges *ranges, size_t capacity)
{
    if (capacity <= ranges->capacity) {
        return true;
    }
    int32_t *both = realloc(ranges->first, 2 * capacity * sizeof *both);
    if (!both) {
        return false;
    }
    ranges->first = both;
    ranges->count = both + capacity;
    ranges->capacity = capacity;
    return true;
}

bool draw_list_reserve(DrawList *list, size_t count)
{
    if (count > list->chunk_capacity) {
        DrawChunk *both = realloc(list->chunks, 2 * count * sizeof *both);
        if (!both) {
            return false;
        }
        list->chunks = both;
        list->unsorted = both + count;
        list->chunk_capacity = count;
    }
    for (uint32_t surface = 0; surface < TRN_MESH_SURFACE_COUNT; surface++) {
        const uint32_t groups = trn_mesh_first_group(surface + 1) - trn_mesh_first_group(surface);
        if (!reserve_ranges(&list->surfaces[surface], count * groups)) {
            return false;
        }
    }
    return true;
}

static bool is_nearer(const DrawChunk *a, const DrawChunk *b)
{
    return a->distance2 != b->distance2 ? a->distance2 < b->distance2
                                        : a->chunk->id.index1 < b->chunk->id.index1;
}

/// Sorts the chunks, near ones first: into shells, and then one by one to their place, which is
/// never far. The order does not depend on the order of input: where quads overlap by part of a
/// pixel, the picture depends on it. (qsort took 0.1 ms of a frame.)
static void sort_chunks(DrawList *list)
{
    size_t first[DRAW_BUCKETS + 1] = {0};
    for (size_t i = 0; i < list->chunk_count; i++) {
        first[bucket_of(&list->unsorted[i]) + 1]++;
    }
    for (size_t i = 0; i < DRAW_BUCKETS; i++) {
        first[i + 1] += first[i];
    }
    for (size_t i = 0; i < list->chunk_count; i++) {
        list->chunks[first[bucket_of(&list->unsorted[i])]++] = list->unsorted[i];
    }
    for (size_t i = 1; i < list->chunk_count; i++) {
        const DrawChunk moved = list->chunks[i];
        size_t at = i;
        for (; at && is_nearer(&moved, &list->chunks[at - 1]); at--) {
            list->chunks[at] = list->chunks[at - 1];
        }
        list->chunks[at] = moved;
    }
}

static void choose_chunks(DrawList *list, const CameraView *view, TrnChunk *const *chunks,
                          size_t count)
{
    list->chunk_count = 0;
    for (size_t i = 0; i < count; i++) {
        if (!chunk_view(chunks[i])->run.pages || !camera_view_holds(view, chunks[i]->coord)) {
            continue;
        }
        vec3 middle;
        camera_view_corner(view, chunks[i]->coord, middle);
        glm_vec3_adds(middle, TRN_CHUNK_EDGE / 2.0f, middle);
        float distance2 = glm_vec3_distance2(middle, (float *)view->offset);
        list->unsorted[list->chunk_count++] = (DrawChunk){chunks[i], distance2};
    }
    sort_chunks(list);
}

/// Bit f is set if some face of direction f anywhere in the chunk can face the camera.
static uint32_t faces_towards(const CameraView *view, TrnCoord chunk)
{
    vec3 corner;
    camera_view_corner(view, chunk, corner);
    uint32_t faces = 0;
    for (uint32_t axis = 0; axis < 3; axis++) {
        float at = view->offset[axis] - corner[axis];
        faces |= (at < TRN_CHUNK_EDGE ? 1u : 0u) << (2 * axis);
        faces |= (at > 0 ? 1u : 0u) << (2 * axis + 1);
    }
    return faces;
}

/// @param first  [groups + 1]
/// @param faces  bit g: group g is drawn
static size_t add_ranges(DrawRanges *ranges, const uint32_t *first, uint32_t groups, uint32_t base,
                         uint32_t faces)
{
    size_t quads = 0;
    uint32_t end = UINT32_MAX; // where the last range of this chunk ended
    for (uint32_t face = 0; face < groups; face++) {
        uint32_t count = first[face + 1] - first[face];
        if (count == 0 || !(faces >> face & 1u)) {
            continue;
        }
        int32_t vertices = (int32_t)(count * QUAD_VERTICES);
        if (first[face] == end) {
            ranges->count[ranges->used - 1] += vertices;
        } else {
            ranges->first[ranges->used] = (int32_t)((base + first[face]) * QUAD_VERTICES);
            ranges->count[ranges->used++] = vertices;
        }
        end = first[face + 1];
        quads += count;
    }
    return quads;
}

/// Adds the groups of one surface that can be visible. @param chunk  of the list
static size_t add_surface(DrawList *list, const CameraView *view, const DrawChunk *chunk,
                          TrnMeshSurface surface)
{
    const ChunkView *quads = chunk_view(chunk->chunk);
    const uint32_t first = trn_mesh_first_group(surface), end = trn_mesh_first_group(surface + 1);
    if (quads->first[first] == quads->first[end] ||
        (surface == TRN_MESH_SURFACE_PLANT && chunk->distance2 >= PLANTS_REACH * PLANTS_REACH)) {
        return 0;
    }
    // Leaves have no direction, and water is visible from below too.
    const uint32_t faces =
        surface == TRN_MESH_SURFACE_PLANT || surface == TRN_MESH_SURFACE_TRANSPARENT
            ? UINT32_MAX
            : faces_towards(view, chunk->chunk->coord);
    return add_ranges(&list->surfaces[surface], quads->first + first, end - first,
                      quads->run.first << QUAD_PAGE_SHIFT, faces);
}

bool draw_list_build(DrawList *list, const CameraView *view, TrnChunk *const *chunks, size_t count)
{
    list->chunk_count = list->quads = 0;
    for (uint32_t surface = 0; surface < TRN_MESH_SURFACE_COUNT; surface++) {
        list->surfaces[surface].used = 0;
    }
    if (!draw_list_reserve(list, count)) {
        return false;
    }
    choose_chunks(list, view, chunks, count);
    for (size_t i = 0; i < list->chunk_count; i++) {
        for (uint32_t surface = 0; surface < TRN_MESH_SURFACE_COUNT; surface++) {
            list->quads += add_surface(list, view, &list->chunks[i], (TrnMeshSurface)surface);
        }
    }
    return true;
}

void draw_list_free(DrawList *list)
{
    for (uint32_t surface = 0; surface < TRN_MESH_SURFACE_COUNT; surface++) {
        free(list->surfaces[surface].first);
    }
    free(list->chunks);
    *list = (DrawList){0};
}
