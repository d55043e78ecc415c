/// The graphics card's memory of a QuadLayout. Each segment is an array of texels (RG32UI) that the
/// vertex shader reads.
///
/// OpenGL 3.3 reads buffers through buffer textures. OpenGL ES 3.0 lacks these: there, a segment is
/// a 2D texture with QUAD_CARD_ROW_PAGES pages in each row.
#pragma once

#include <terrane/mesher.h>

#include "message.h"
#include "render/draw_list.h"
#include "render/gl.h"
#include "render/quad_layout.h"

#define QUAD_CARD_SCRATCH_PAGES 256u

/// quad.vert has the same number. A row of 32 pages has 1,056 texels: more than half of the width
/// that OpenGL ES guarantees.
#define QUAD_CARD_ROW_PAGES 32u

typedef struct QuadCardKind QuadCardKind;

/// Must not move in memory once created.
typedef struct QuadCard {
    const QuadCardKind *kind;
    GLuint textures[QUAD_SEGMENTS];
    GLuint buffers[QUAD_SEGMENTS]; ///< behind buffer textures
    uint32_t pages[QUAD_SEGMENTS]; ///< 0: the segment has no memory
    GLuint scratch; ///< buffer or texture for copies of overlapping pages; 0: none yet
    GLuint reader;  ///< framebuffer for copying from textures
} QuadCard;

/// Returns the limit that the driver must meet. All functions here need a current OpenGL context.
GlNeed quad_card_need(void);

// ---- quad buffer --------------------------------------------------------------------------------

// All quads of the world on the graphics card, which the vertex shader reads from textures.
//
// The quads lie in the pages and segments of a QuadLayout, on a QuadCard. A page begins with the
// coordinates of its chunk, so the vertex shader finds a vertex's place from its number alone. The
// driver executes copies in order with draw calls, so no picture shows a partial copy, and nothing
// waits.
//
// The light of a quad is a word from the mesher. If all quads of a chunk have the same light, the
// page headers hold it; otherwise the words follow the chunk's quads, and the headers hold the
// distance to them.
//
// The faces of a chunk's models have their own run. Each face takes the place of two quads.

#define QUAD_BUFFER_UPLOAD_KIB 1024 ///< default limit of new meshes in a frame

/// Bytes uploaded, and bytes moved on the graphics card.
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
    uint32_t lit;   ///< of these, quads with their own light
    /// how many fit, by the driver's limit or by refused allocations
    uint32_t quad_max;
    size_t held_bytes; ///< allocated on the graphics card
    size_t peak_bytes; ///< the highest held_bytes so far
    size_t free_bytes; ///< allocated but in no run
    QuadTraffic frame; ///< between the last two steps
    bool is_moving;    ///< a segment is being emptied, to free it
} QuadBufferStats;

/// Needs a current OpenGL context, as all functions here. If memory is short, the first put fails.
/// @param texel_max  a limit below the driver's own; 0: none
void quad_buffer_create(QuadBuffer *buffer, uint32_t texel_max);
void quad_buffer_free(QuadBuffer *buffer);

/// The light of a chunk's quads, in words as in terrane/mesher.h.
typedef struct QuadLight {
    const uint32_t *words; ///< [quads] NULL: all quads have the light `all`
    uint32_t all;          ///< a TRN_MESH_LIGHT
} QuadLight;

/// A chunk's data for the shaders.
typedef struct QuadChunk {
    TrnCoord coord; ///< stored in 9 bits an axis: unique up to 255 chunks away along each axis
    uint32_t level; ///< 0..15: its voxels have an edge of 1 << level
    uint32_t note;  ///< 0..65535
} QuadChunk;

/// Uploads a chunk's quads.
/// @param quads  [count] copied
/// @param light  [count] words, or one value for all; copied
/// @param count  1..TRN_MESH_QUADS_MAX
/// @param run    receives their place, now and whenever they move; must not move in memory until
///               quad_buffer_drop
/// @return false if the driver's limit or memory is exhausted; then nothing changes
bool quad_buffer_put(QuadBuffer *buffer, const QuadChunk *chunk, const TrnQuad *quads,
                     QuadLight light, uint32_t count, QuadRun *run);
/// @param count  as passed to quad_buffer_put
void quad_buffer_drop(QuadBuffer *buffer, uint32_t count, QuadRun *run);

/// Call it once a frame, before selecting what to draw: see quad_layout_step.
void quad_buffer_step(QuadBuffer *buffer);

QuadBufferStats quad_buffer_stats(const QuadBuffer *buffer);

// ---- quad indices -------------------------------------------------------------------------------

// Draws ranges of quads with indices, so that four vertices a quad are shaded instead of six.
// OpenGL ES 3.0 has no base vertices: there, six are shaded, and quad.vert finds their corners.

/// All zeroes draws nothing.
typedef struct QuadIndices {
    GlFeatures features;
    /// indices of two triangles for each of as many quads as 16 bits can address; 0 in OpenGL ES
    GLuint buffer;
    // Scratch arguments of glMultiDrawElementsBaseVertex.
    GLint *corners; ///< [capacity] number of the first corner of each range
    GLsizei *counts;
    const void **starts; ///< offsets into the buffer: all zeroes
    size_t capacity;
} QuadIndices;

/// All functions here need a current OpenGL context. @return false if out of memory
bool quad_indices_create(QuadIndices *indices, Message *problem);
void quad_indices_free(QuadIndices *indices);

/// Draws ranges. Corners are numbered 4 * quad + 0..3; in OpenGL ES, vertices 6 * quad + 0..5. One
/// call draws all pieces of a segment and binds its texture, because software renderers spend most
/// of a frame on selecting textures in the vertex shader. If there are several segments, ranges are
/// drawn in three parts, near ones first. In OpenGL ES without has_multi_draw, each range is a
/// call. A vertex array must be bound. If out of memory, draws nothing.
/// @param places  taken by each quad: MODEL_FACE_QUADS for faces of models, otherwise 1
/// @return the number of draw calls
uint32_t quad_indices_draw(QuadIndices *indices, const QuadCard *card, const DrawRanges *ranges,
                           uint32_t places);
