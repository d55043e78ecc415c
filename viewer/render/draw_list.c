#include "render/draw_list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "render/chunk_view.h"

#define CHUNK_REACH 27.8f // from a chunk's middle to its corners

// Squared distances where parts end. Constant, so that the order of two chunks does not depend on
// the other drawn chunks.
static const float PART_REACH2[DRAW_PARTS - 1] = {128.0f * 128.0f, 384.0f * 384.0f};

#define DRAW_BUCKETS 512u
#define DRAW_BUCKET_FIRST 0x42800000u // the bits of 64.0f: nearer than 8 voxels
#define DRAW_BUCKET_SHIFT 19          // 16 buckets for each doubling of distance2

/// Returns the bucket of a chunk. Buckets grow with distance, by 2 %: a float's bits grow as its
/// logarithm.
static size_t draw_list_bucket_of(const DrawChunk *chunk)
{
    uint32_t bits;
    memcpy(&bits, &chunk->distance2, sizeof bits);
    const uint32_t bucket =
        bits < DRAW_BUCKET_FIRST ? 0 : (bits - DRAW_BUCKET_FIRST) >> DRAW_BUCKET_SHIFT;
    return bucket < DRAW_BUCKETS ? bucket : DRAW_BUCKETS - 1;
}

static bool draw_list_reserve_ranges(DrawRanges *ranges, size_t capacity)
{
    if (capacity <= ranges->capacity) {
        return true;
    }
    int32_t *both = realloc(ranges->first, 2 * capacity * sizeof *both);
    if (!both) {
        return false;
    }
    memmove(both + capacity, both + ranges->capacity, ranges->used * sizeof *both);
    ranges->first = both;
    ranges->count = both + capacity;
    ranges->capacity = capacity;
    return true;
}

/// How many ranges a chunk has of a surface, at most.
static uint32_t draw_list_groups(uint32_t surface)
{
    const uint32_t of = surface == DRAW_GLASS ? TRN_MESH_SURFACE_TRANSPARENT : surface;
    return of == DRAW_MODELS ? 1 : trn_mesh_first_group(of + 1) - trn_mesh_first_group(of);
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
    for (uint32_t surface = 0; surface < DRAW_SURFACE_COUNT; surface++) {
        const uint32_t groups = draw_list_groups(surface);
        if (!draw_list_reserve_ranges(&list->surfaces[surface], count * groups)) {
            return false;
        }
    }
    return true;
}

static bool draw_list_is_nearer(const DrawChunk *a, const DrawChunk *b)
{
    if (a->distance2 != b->distance2) {
        return a->distance2 < b->distance2;
    }
    const uint8_t levels[2] = {chunk_view(a->chunk)->level, chunk_view(b->chunk)->level};
    return levels[0] != levels[1] ? levels[0] < levels[1]
                                  : a->chunk->id.index1 < b->chunk->id.index1;
}

/// Sorts the chunks, near ones first: a bucket sort, then an insertion sort, which moves each chunk
/// only a little. The order does not depend on the input's, because where quads overlap by part of
/// a pixel the picture depends on the order. (qsort took 0.1 ms of a frame.)
static void draw_list_sort_chunks(DrawList *list)
{
    size_t first[DRAW_BUCKETS + 1] = {0};
    for (size_t i = 0; i < list->chunk_count; i++) {
        first[draw_list_bucket_of(&list->unsorted[i]) + 1]++;
    }
    for (size_t i = 0; i < DRAW_BUCKETS; i++) {
        first[i + 1] += first[i];
    }
    for (size_t i = 0; i < list->chunk_count; i++) {
        list->chunks[first[draw_list_bucket_of(&list->unsorted[i])]++] = list->unsorted[i];
    }
    for (size_t i = 1; i < list->chunk_count; i++) {
        const DrawChunk moved = list->chunks[i];
        size_t at = i;
        for (; at && draw_list_is_nearer(&moved, &list->chunks[at - 1]); at--) {
            list->chunks[at] = list->chunks[at - 1];
        }
        list->chunks[at] = moved;
    }
}

static void draw_list_choose_chunks(DrawList *list, const CameraView *view, TrnChunk *const *chunks,
                                    size_t count)
{
    list->chunk_count = 0;
    for (size_t i = 0; i < count; i++) {
        const ChunkView *quads = chunk_view(chunks[i]);
        if (!chunk_view_is_drawn(quads) ||
            !camera_view_holds(view, chunks[i]->coord, quads->level)) {
            continue;
        }
        vec3 middle;
        camera_view_corner(view, chunks[i]->coord, quads->level, middle);
        glm_vec3_adds(middle, (float)(TRN_CHUNK_EDGE << quads->level) / 2.0f, middle);
        float distance2 = glm_vec3_distance2(middle, (float *)view->offset);
        list->unsorted[list->chunk_count++] = (DrawChunk){chunks[i], distance2};
    }
    draw_list_sort_chunks(list);
}

/// Returns the faces of a chunk that can face the camera: one bit for each direction.
static uint32_t draw_list_faces_towards(const CameraView *view, TrnCoord chunk, uint32_t level)
{
    vec3 corner;
    camera_view_corner(view, chunk, level, corner);
    const float edge = (float)(TRN_CHUNK_EDGE << level);
    uint32_t faces = 0;
    for (uint32_t axis = 0; axis < 3; axis++) {
        float at = view->offset[axis] - corner[axis];
        faces |= (at < edge ? 1u : 0u) << (2 * axis);
        faces |= (at > 0 ? 1u : 0u) << (2 * axis + 1);
    }
    return faces;
}

/// @param first  [groups + 1]
/// @param faces  bit g: group g is drawn
static size_t draw_list_add_ranges(DrawRanges *ranges, const uint32_t *first, uint32_t groups,
                                   uint32_t base, uint32_t faces)
{
    size_t quads = 0;
    uint32_t end = UINT32_MAX; // end of this chunk's last range
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

/// Returns the ranges for a surface of a chunk, or NULL.
static DrawRanges *draw_list_ranges(DrawList *list, const ChunkView *quads, uint32_t surface,
                                    size_t groups)
{
    if (!quads->fade) {
        return &list->surfaces[surface];
    }
    if (surface == TRN_MESH_SURFACE_PLANT) { // fading chunks are too far away for plants
        return NULL;
    }
    const int fade = quads->fade > 0 ? quads->fade - 1 : CHUNK_FADE_STEPS - 1 - quads->fade;
    DrawRanges *ranges = &list->fading[fade][surface];
    const size_t needed = ranges->used + groups;
    return needed <= ranges->capacity || draw_list_reserve_ranges(ranges, 2 * needed) ? ranges
                                                                                      : NULL;
}

/// Whether a chunk has quads of a surface that is drawn at its distance.
static bool draw_list_has_surface(const DrawList *list, const DrawChunk *chunk,
                                  TrnMeshSurface surface)
{
    const ChunkView *quads = chunk_view(chunk->chunk);
    const float reach = list->plants_distance + CHUNK_REACH;
    const bool is_far = quads->level > 0 || chunk->distance2 >= reach * reach;
    return quads->first[trn_mesh_first_group(surface)] !=
               quads->first[trn_mesh_first_group(surface + 1)] &&
           !(surface == TRN_MESH_SURFACE_PLANT && is_far);
}

/// Adds the visible groups of one surface. @param chunk  of the list
static size_t draw_list_add_surface(DrawList *list, const CameraView *view, const DrawChunk *chunk,
                                    TrnMeshSurface surface)
{
    const ChunkView *quads = chunk_view(chunk->chunk);
    const uint32_t first = trn_mesh_first_group(surface), end = trn_mesh_first_group(surface + 1);
    DrawRanges *ranges = draw_list_has_surface(list, chunk, surface)
                             ? draw_list_ranges(list, quads, surface, end - first)
                             : NULL;
    if (!ranges) {
        return 0;
    }
    // Leaves have no direction, and water is visible from below.
    const uint32_t faces =
        surface == TRN_MESH_SURFACE_PLANT || surface == TRN_MESH_SURFACE_TRANSPARENT
            ? UINT32_MAX
            : draw_list_faces_towards(view, chunk->chunk->coord, quads->level);
    return draw_list_add_ranges(ranges, quads->first + first, end - first,
                                quads->run.first << QUAD_PAGE_SHIFT, faces);
}

/// Adds the faces of a chunk's models. @param chunk  of the list
static size_t draw_list_add_models(DrawList *list, const DrawChunk *chunk)
{
    const ChunkView *view = chunk_view(chunk->chunk);
    DrawRanges *ranges =
        view->model_run.pages ? draw_list_ranges(list, view, DRAW_MODELS, 1) : NULL;
    const uint32_t first[2] = {0, view->model_count};
    const uint32_t base = (view->model_run.first << QUAD_PAGE_SHIFT) / MODEL_FACE_QUADS;
    return ranges ? draw_list_add_ranges(ranges, first, 1, base, UINT32_MAX) : 0;
}

/// Adds the transparent quads of a chunk with glass. @param chunk  of the list
static void draw_list_add_glass(DrawList *list, const DrawChunk *chunk)
{
    const ChunkView *view = chunk_view(chunk->chunk);
    if (view->has_glass && !view->fade) {
        (void)draw_list_add_ranges(&list->surfaces[DRAW_GLASS],
                                   view->first + trn_mesh_first_group(TRN_MESH_SURFACE_TRANSPARENT),
                                   draw_list_groups(DRAW_GLASS), view->run.first << QUAD_PAGE_SHIFT,
                                   UINT32_MAX);
    }
}

static DrawRanges *draw_list_fading(DrawList *list, int i)
{
    return &list->fading[i / (int)DRAW_SURFACE_COUNT][i % (int)DRAW_SURFACE_COUNT];
}

/// Ends a part of all ranges. @param part  earlier parts have ended
static void draw_list_end_part(DrawList *list, int part)
{
    for (uint32_t surface = 0; surface < DRAW_SURFACE_COUNT; surface++) {
        list->surfaces[surface].ends[part] = list->surfaces[surface].used;
    }
    for (int i = 0; i < DRAW_FADES * (int)DRAW_SURFACE_COUNT; i++) {
        draw_list_fading(list, i)->ends[part] = draw_list_fading(list, i)->used;
    }
}

bool draw_list_build(DrawList *list, const CameraView *view, TrnChunk *const *chunks, size_t count)
{
    list->chunk_count = list->quads = 0;
    for (uint32_t surface = 0; surface < DRAW_SURFACE_COUNT; surface++) {
        list->surfaces[surface].used = 0;
    }
    for (int i = 0; i < DRAW_FADES * (int)DRAW_SURFACE_COUNT; i++) {
        draw_list_fading(list, i)->used = 0;
    }
    if (!draw_list_reserve(list, count)) {
        return false;
    }
    draw_list_choose_chunks(list, view, chunks, count);
    int part = 0;
    for (size_t i = 0; i < list->chunk_count; i++) {
        while (part < DRAW_PARTS - 1 && list->chunks[i].distance2 >= PART_REACH2[part]) {
            draw_list_end_part(list, part++);
        }
        for (uint32_t surface = 0; surface < TRN_MESH_SURFACE_COUNT; surface++) {
            list->quads +=
                draw_list_add_surface(list, view, &list->chunks[i], (TrnMeshSurface)surface);
        }
        list->quads += draw_list_add_models(list, &list->chunks[i]);
        draw_list_add_glass(list, &list->chunks[i]);
    }
    while (part < DRAW_PARTS) {
        draw_list_end_part(list, part++);
    }
    return true;
}

void draw_list_free(DrawList *list)
{
    for (uint32_t surface = 0; surface < DRAW_SURFACE_COUNT; surface++) {
        free(list->surfaces[surface].first);
    }
    for (int i = 0; i < DRAW_FADES * (int)DRAW_SURFACE_COUNT; i++) {
        free(draw_list_fading(list, i)->first);
    }
    free(list->chunks);
    *list = (DrawList){0};
}
