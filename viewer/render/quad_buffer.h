/// All quads of the world on the graphics card, read by the vertex shader as buffer textures.
///
/// They lie in the pages and segments of a QuadLayout, each segment a buffer. A page begins with
/// the chunk that it belongs to, so that a vertex knows from its number alone where it is. Copies
/// between pages are the driver's, in the order of the drawing around them: no picture sees half of
/// one, and nothing waits.
#ifndef TERRANE_VIEWER_QUAD_BUFFER_H
#define TERRANE_VIEWER_QUAD_BUFFER_H

#include <glad/gl.h>
#include <terrane/mesher.h>

#include "render/quad_layout.h"

/// What went to the graphics card and what moved on it.
typedef struct QuadTraffic {
    uint64_t uploads; ///< chunks
    uint64_t upload_bytes, copy_bytes;
} QuadTraffic;

/// Must stay where it is, once created.
typedef struct QuadBuffer {
    QuadLayout layout;
    GLuint buffers[QUAD_SEGMENTS], textures[QUAD_SEGMENTS];
    GLuint scratch;           ///< for copies onto themselves
    QuadTraffic all, at_step; ///< so far; at the last step
    QuadTraffic frame;        ///< between the last two steps
} QuadBuffer;

typedef struct QuadBufferStats {
    uint32_t quads; ///< held
    /// for how many there is room, by the driver's limit or by what memory it has refused
    uint32_t quad_max;
    size_t held_bytes; ///< on the graphics card
    size_t peak_bytes; ///< the most that were held so far
    size_t free_bytes; ///< of those held, the ones in which no chunk lies
    QuadTraffic frame; ///< between the last two steps
    bool is_moving;    ///< out of a segment that is then given back
} QuadBufferStats;

/// Needs a current OpenGL context, as all functions here. Errors (no memory) show on the first put.
/// @param texel_max  a limit below the driver's own; 0: none
void quad_buffer_create(QuadBuffer *buffer, uint32_t texel_max);
void quad_buffer_free(QuadBuffer *buffer);

/// Copies a chunk's quads in.
/// @param chunk  is told from chunks up to 32,767 away along each axis
/// @param note   0..65535: goes with the chunk, for the shaders
/// @param count  not 0
/// @param run    receives where they are, now and whenever they move; must stay where it is until
///               quad_buffer_drop
/// @return false when the driver's limit or its memory is reached; nothing has been put then
bool quad_buffer_put(QuadBuffer *buffer, TrnCoord chunk, uint32_t note, const TrnQuad *quads,
                     uint32_t count, QuadRun *run);
/// @param count  as many as were put
void quad_buffer_drop(QuadBuffer *buffer, uint32_t count, QuadRun *run);

/// Once a frame, before it is decided what is drawn: see quad_layout_step.
void quad_buffer_step(QuadBuffer *buffer);

/// The buffer textures to read the segments through. Of a segment without memory it is another's:
/// the driver may read it, whatever for.
void quad_buffer_textures(const QuadBuffer *buffer, GLuint textures[QUAD_SEGMENTS]);

QuadBufferStats quad_buffer_stats(const QuadBuffer *buffer);

#endif
