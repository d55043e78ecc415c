/// Draws ranges of quads by indices, so that four vertices a quad are computed instead of six.
/// OpenGL ES 3.0 has no base vertices: there six are computed, and quad.vert finds their corners.
#ifndef TERRANE_VIEWER_QUAD_INDICES_H
#define TERRANE_VIEWER_QUAD_INDICES_H

#include "message.h"
#include "render/draw_list.h"
#include "render/gl.h"
#include "render/gl_features.h"
#include "render/quad_card.h"

/// All zeroes draws nothing.
typedef struct QuadIndices {
    GlFeatures features;
    /// indices of as many quads as 16 bits can number, two triangles each; 0 in OpenGL ES
    GLuint buffer;
    // Scratch, as glMultiDrawElementsBaseVertex takes it.
    GLint *corners; ///< [capacity] the number of each range's first corner
    GLsizei *counts;
    const void **starts; ///< into the buffer: all zeroes
    size_t capacity;
} QuadIndices;

/// Needs a current OpenGL context, as all functions here. @return false without memory
bool quad_indices_create(QuadIndices *indices, Message *problem);
void quad_indices_free(QuadIndices *indices);

/// Draws ranges; corners are numbered 4 * quad + 0..3, in OpenGL ES vertices 6 * quad + 0..5. One
/// call draws what lies in one segment, whose texture it binds, since software renderers spend most
/// of a frame on choosing among textures in the vertex shader. Ranges are drawn in three parts, so
/// that near ones still come first where there are several segments. In OpenGL ES without
/// has_multi_draw each range is a call. A vertex array must be bound. Without memory it draws
/// nothing.
/// @param places  that each quad takes: MODEL_FACE_QUADS for faces of models, otherwise 1
/// @return how many calls it took
uint32_t quad_indices_draw(QuadIndices *indices, const QuadCard *card, const DrawRanges *ranges,
                           uint32_t places);

#endif
