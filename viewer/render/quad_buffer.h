/// All quads of the world on the graphics card, which the vertex shader reads from textures.
///
/// They lie in the pages and segments of a QuadLayout, on a QuadCard. A page begins with
/// the coordinates of its chunk, so a vertex knows its place from its number alone. The driver
/// copies pages in order with the drawing around the copies: no picture shows half of one, and
/// nothing waits.
///
/// The light of a quad is a word of the mesher's. If a chunk has one light, it is in the header of
/// its pages; otherwise the words follow the chunk's quads, and the headers say how far away.
///
/// The faces of a chunk's models are a run of their own, in which each takes the place of two
/// quads.
#ifndef TERRANE_VIEWER_QUAD_BUFFER_H
#define TERRANE_VIEWER_QUAD_BUFFER_H

#include <terrane/mesher.h>

#include "render/quad_card.h"

/// What was uploaded, and what was moved on the graphics card.
typedef struct QuadTraffic {
    uint64_t uploads; ///< chunks
    uint64_t upload_bytes, copy_bytes;
} QuadTraffic;

/// Must not move in memory once created.
typedef struct QuadBuffer {
    QuadLayout layout;
    QuadCard card;
    QuadTraffic all, at_step; ///< so far; at the last step
    QuadTraffic frame;        ///< between the last two steps
} QuadBuffer;

typedef struct QuadBufferStats {
    uint32_t quads; ///< stored; a face of a model counts as two
    uint32_t lit;   ///< of these, quads with light of their own
    /// how many fit, by the driver's limit or by the memory that it has refused
    uint32_t quad_max;
    size_t held_bytes; ///< allocated on the graphics card
    size_t peak_bytes; ///< the highest held_bytes so far
    size_t free_bytes; ///< of those allocated, in no run
    QuadTraffic frame; ///< between the last two steps
    bool is_moving;    ///< a segment is being emptied, to be freed
} QuadBufferStats;

/// Needs a current OpenGL context, as all functions here. If memory is short, the first put fails.
/// @param texel_max  a limit below the driver's own; 0: none
void quad_buffer_create(QuadBuffer *buffer, uint32_t texel_max);
void quad_buffer_free(QuadBuffer *buffer);

/// The light of a chunk's quads, in words as terrane/mesher.h describes them.
typedef struct QuadLight {
    const uint32_t *words; ///< one a quad; NULL: all are `all`
    uint32_t all;          ///< a TRN_MESH_LIGHT
} QuadLight;

/// What the shaders are told of a chunk.
typedef struct QuadChunk {
    TrnCoord coord; ///< stored in 9 bits an axis: distinct up to 255 chunks away along each axis
    uint32_t level; ///< 0..15: its voxels have an edge of 1 << level
    uint32_t note;  ///< 0..65535
} QuadChunk;

/// Uploads a chunk's quads.
/// @param quads  [count]
/// @param light  [count] or one for all; both are copied
/// @param count  1..TRN_MESH_QUADS_MAX
/// @param run    receives where they are, now and whenever they move; must not move in memory until
/// quad_buffer_drop
/// @return false if the driver's limit or its memory is exhausted; nothing changes then
bool quad_buffer_put(QuadBuffer *buffer, const QuadChunk *chunk, const TrnQuad *quads,
                     QuadLight light, uint32_t count, QuadRun *run);
/// @param count  as passed to quad_buffer_put
void quad_buffer_drop(QuadBuffer *buffer, uint32_t count, QuadRun *run);

/// Call it once a frame, before choosing what to draw: see quad_layout_step.
void quad_buffer_step(QuadBuffer *buffer);

QuadBufferStats quad_buffer_stats(const QuadBuffer *buffer);

#endif
