/// Draws ranges of quads by indices, so that four vertices a quad are computed instead of six.
#ifndef TERRANE_VIEWER_QUAD_INDICES_H
#define TERRANE_VIEWER_QUAD_INDICES_H

#include <glad/gl.h>

#include "message.h"
#include "render/draw_list.h"

/// All zeroes draws nothing.
typedef struct QuadIndices {
    GLuint buffer; ///< indices of as many quads as 16 bits can number, two triangles each
    // Scratch, as glMultiDrawElementsBaseVertex takes it.
    GLint *corners; ///< [capacity] the number of each range's first corner
    GLsizei *counts;
    const void **starts; ///< into the buffer: all zeroes
    size_t capacity;
} QuadIndices;

/// Needs a current OpenGL context, as all functions here. @return false without memory
bool quad_indices_create(QuadIndices *indices, Message *problem);
void quad_indices_free(QuadIndices *indices);

/// Draws ranges with one call; corners are numbered 4 * quad + 0..3. A vertex array must be bound.
/// Without memory it draws nothing.
void quad_indices_draw(QuadIndices *indices, const DrawRanges *ranges);

#endif
