#include "render/quad_indices.h"

#include <stdlib.h>

#include "render/quad_buffer.h"

#define QUADS_AT_ONCE 16384u // 65,536 corners
#define CORNERS 4u

#ifdef __EMSCRIPTEN__

static bool create_buffer(QuadIndices *indices, Message *problem)
{
    (void)indices;
    (void)problem;
    return true;
}

static void draw_indices(QuadIndices *indices, const DrawRanges *ranges)
{
    (void)indices;
    (void)ranges;
}

#else

static bool create_buffer(QuadIndices *indices, Message *problem)
{
    static const uint16_t pattern[QUAD_VERTICES] = {0, 1, 3, 0, 3, 2};
    const size_t bytes = sizeof(uint16_t) * QUADS_AT_ONCE * QUAD_VERTICES;
    uint16_t *all = malloc(bytes);
    if (!all) {
        return message_set(problem, "Out of memory for the corners of quads.");
    }
    for (uint32_t i = 0; i < QUADS_AT_ONCE * QUAD_VERTICES; i++) {
        all[i] = (uint16_t)(i / QUAD_VERTICES * CORNERS + pattern[i % QUAD_VERTICES]);
    }
    glGenBuffers(1, &indices->buffer);
    glBindBuffer(GL_COPY_WRITE_BUFFER, indices->buffer);
    glBufferData(GL_COPY_WRITE_BUFFER, (GLsizeiptr)bytes, all, GL_STATIC_DRAW);
    free(all);
    return true;
}

/// On failure the arrays stay as they are, too small.
static bool reserve_indices(QuadIndices *indices, size_t count)
{
    if (count <= indices->capacity) {
        return true;
    }
    count = count < 1024 ? 1024 : 2 * count;
    GLint *corners = realloc(indices->corners, count * sizeof *corners);
    indices->corners = corners ? corners : indices->corners;
    GLsizei *counts = realloc(indices->counts, count * sizeof *counts);
    indices->counts = counts ? counts : indices->counts;
    const void **starts = calloc(count, sizeof *starts);
    if (!corners || !counts || !starts) {
        free(starts);
        return false;
    }
    free(indices->starts);
    indices->starts = starts;
    indices->capacity = count;
    return true;
}

static size_t count_pieces(const DrawRanges *ranges)
{
    size_t pieces = 0;
    for (size_t i = 0; i < ranges->used; i++) {
        const size_t quads = (uint32_t)ranges->count[i] / QUAD_VERTICES;
        pieces += (quads + QUADS_AT_ONCE - 1) / QUADS_AT_ONCE;
    }
    return pieces;
}

static void draw_indices(QuadIndices *indices, const DrawRanges *ranges)
{
    if (!reserve_indices(indices, count_pieces(ranges))) {
        return;
    }
    size_t used = 0;
    for (size_t i = 0; i < ranges->used; i++) {
        uint32_t quad = (uint32_t)ranges->first[i] / QUAD_VERTICES;
        const uint32_t end = quad + (uint32_t)ranges->count[i] / QUAD_VERTICES;
        for (uint32_t count; quad < end; quad += count) {
            count = end - quad < QUADS_AT_ONCE ? end - quad : QUADS_AT_ONCE;
            indices->corners[used] = (GLint)(quad * CORNERS);
            indices->counts[used++] = (GLsizei)(count * QUAD_VERTICES);
        }
    }
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, indices->buffer);
    glMultiDrawElementsBaseVertex(GL_TRIANGLES, indices->counts, GL_UNSIGNED_SHORT, indices->starts,
                                  (GLsizei)used, indices->corners);
}

#endif

bool quad_indices_create(QuadIndices *indices, Message *problem)
{
    *indices = (QuadIndices){.features = gl_features()};
    return indices->features.is_es || create_buffer(indices, problem);
}

void quad_indices_free(QuadIndices *indices)
{
    glDeleteBuffers(1, &indices->buffer);
    free(indices->corners);
    free(indices->counts);
    free(indices->starts);
    *indices = (QuadIndices){0};
}

void quad_indices_draw(QuadIndices *indices, const DrawRanges *ranges)
{
    if (indices->features.is_es) {
        gl_draw_ranges(&indices->features, ranges->first, ranges->count, ranges->used);
    } else if (indices->buffer) {
        draw_indices(indices, ranges);
    }
}
