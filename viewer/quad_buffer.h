/// All quads of the world in one buffer on the graphics card, read by the vertex shader as a buffer texture.
///
/// Each chunk's quads lie together, in pages of 64. A second buffer names the chunk of every page, so that a vertex knows from
/// its number alone where it is. The buffer doubles when it is full, up to what the driver allows.
#ifndef TERRANE_VIEWER_QUAD_BUFFER_H
#define TERRANE_VIEWER_QUAD_BUFFER_H

#include <glad/gl.h>
#include <terrane/mesher.h>

#include "page_allocator.h"

#define QUAD_PAGE_SHIFT 6
#define QUAD_PAGE_QUADS (1u << QUAD_PAGE_SHIFT)
#define QUAD_VERTICES 6u ///< two triangles

typedef struct QuadBuffer {
    PageAllocator pages;
    uint32_t page_max; ///< as many as the driver can read through a buffer texture
    GLuint quad_buffer, quad_texture;
    GLuint page_buffer, page_texture;
} QuadBuffer;

/// Needs a current OpenGL context, as all functions here. Errors (no memory) show on the first put.
void quad_buffer_create(QuadBuffer *buffer);
void quad_buffer_free(QuadBuffer *buffer);

/// Copies a chunk's quads in.
/// @param note   a number that goes with the chunk, for the shaders
/// @param count  not 0
/// @param first,pages  receive the run of pages, to be given to quad_buffer_drop
/// @return false when the driver's limit or its memory is reached; nothing has changed then
bool quad_buffer_put(QuadBuffer *buffer, TrnCoord chunk, int32_t note, const TrnQuad *quads,
                     uint32_t count, uint32_t *first, uint32_t *pages);
void quad_buffer_drop(QuadBuffer *buffer, uint32_t first, uint32_t pages);

/// Bytes on the graphics card.
size_t quad_buffer_bytes(const QuadBuffer *buffer);

#endif
