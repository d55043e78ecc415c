#include "render/quad_indices.h"

#include <stdlib.h>

#include "render/quad_buffer.h"

#define QUADS_AT_ONCE 16384u // 65,536 corners
#define CORNERS 4u

/// Some of the ranges: near, middle or far ones.
typedef struct DrawPart {
    size_t from, to;
    uint32_t places; ///< that each quad, or face of a model, takes
} DrawPart;

#ifdef __EMSCRIPTEN__

static bool create_buffer(QuadIndices *indices, Message *problem)
{
    (void)indices;
    (void)problem;
    return true;
}

static void draw_pieces(const QuadIndices *indices, size_t used)
{
    (void)indices;
    (void)used;
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

static void draw_pieces(const QuadIndices *indices, size_t used)
{
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, indices->buffer);
    glMultiDrawElementsBaseVertex(GL_TRIANGLES, indices->counts, GL_UNSIGNED_SHORT, indices->starts,
                                  (GLsizei)used, indices->corners);
}

#endif

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

/// Adds a range, in pieces as large as the indices can number. @return how many pieces there are
static size_t add_pieces(QuadIndices *indices, size_t used, const DrawRanges *ranges, size_t i)
{
    if (indices->features.is_es) {
        indices->corners[used] = ranges->first[i];
        indices->counts[used] = ranges->count[i];
        return used + 1;
    }
    uint32_t quad = (uint32_t)ranges->first[i] / QUAD_VERTICES;
    const uint32_t end = quad + (uint32_t)ranges->count[i] / QUAD_VERTICES;
    for (uint32_t count; quad < end; quad += count) {
        count = end - quad < QUADS_AT_ONCE ? end - quad : QUADS_AT_ONCE;
        indices->corners[used] = (GLint)(quad * CORNERS);
        indices->counts[used++] = (GLsizei)(count * QUAD_VERTICES);
    }
    return used;
}

/// The segment in which a range lies. @param places  that each of its quads, or faces, takes
static uint32_t segment_of(const DrawRanges *ranges, size_t i, uint32_t places)
{
    const uint32_t place = (uint32_t)ranges->first[i] / QUAD_VERTICES * places;
    return quad_place_segment(place >> QUAD_PAGE_SHIFT);
}

/// Draws what of some ranges lies in one segment.
static void draw_segment(QuadIndices *indices, const QuadCard *card, const DrawRanges *ranges,
                         const DrawPart *part, uint32_t segment)
{
    size_t used = 0;
    for (size_t i = part->from; i < part->to; i++) {
        if (segment_of(ranges, i, part->places) == segment) {
            used = add_pieces(indices, used, ranges, i);
        }
    }
    quad_card_bind(card, segment);
    if (indices->features.is_es) {
        gl_draw_ranges(&indices->features, indices->corners, indices->counts, used);
    } else if (indices->buffer) {
        draw_pieces(indices, used);
    }
}

/// The segments that some ranges lie in, as bits.
static uint32_t segments_of(const DrawRanges *ranges, const DrawPart *part)
{
    uint32_t segments = 0;
    for (size_t i = part->from; i < part->to; i++) {
        segments |= 1u << segment_of(ranges, i, part->places);
    }
    return segments;
}

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

uint32_t quad_indices_draw(QuadIndices *indices, const QuadCard *card, const DrawRanges *ranges,
                           uint32_t places)
{
    uint32_t calls = 0;
    DrawPart part = {0, 0, places};
    if (!reserve_indices(indices, count_pieces(ranges))) {
        return 0;
    }
    const uint32_t all = segments_of(ranges, &(DrawPart){0, ranges->used, places});
    const bool is_in_one = (all & (all - 1)) == 0; // a small view
    for (int k = is_in_one ? DRAW_PARTS - 1 : 0; k < DRAW_PARTS; k++) {
        part.from = part.to;
        part.to = ranges->ends[k];
        const uint32_t segments = segments_of(ranges, &part);
        for (uint32_t segment = 0; segment < QUAD_SEGMENTS; segment++) {
            if (segments >> segment & 1u) {
                draw_segment(indices, card, ranges, &part, segment);
                calls++;
            }
        }
    }
    return calls;
}
