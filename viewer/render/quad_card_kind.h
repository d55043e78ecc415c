/// A QuadCard inside, and its two kinds of memory: quad_card_buffer.c and quad_card_texture.c.
#ifndef TERRANE_VIEWER_QUAD_CARD_KIND_H
#define TERRANE_VIEWER_QUAD_CARD_KIND_H

#include <terrane/mesher.h>

#include "render/gl_context.h"
#include "render/quad_layout.h"

#define QUAD_CARD_PAGE_TEXELS (QUAD_PAGE_QUADS + 1)

typedef struct QuadCardKind QuadCardKind;

#define QUAD_CARD_SCRATCH_PAGES 256u

/// The same in quad.vert. A row of 32 pages has 1,056 texels: more than half of what OpenGL ES
/// guarantees.
#define QUAD_CARD_ROW_PAGES 32u

/// Must not move in memory once created.
typedef struct QuadCard {
    const QuadCardKind *kind;
    GLuint textures[QUAD_SEGMENTS];
    GLuint buffers[QUAD_SEGMENTS]; ///< of buffer textures
    uint32_t pages[QUAD_SEGMENTS]; ///< 0: the segment has no memory
    GLuint scratch; ///< a buffer or a texture, for copies of overlapping pages; 0: none yet
    GLuint reader;  ///< framebuffer from which textures are copied
} QuadCard;

struct QuadCardKind {
    GLenum target; ///< of the textures
    GlNeed need;
    /// Creates and deletes what all segments share. The segments themselves and their textures are
    /// deleted by QuadCard.
    void (*begin)(QuadCard *card);
    void (*end)(QuadCard *card);
    uint32_t (*count_texel_max)(void); ///< of a segment
    QuadMemory memory;                 ///< without `user`, which is the QuadCard
    void (*write)(QuadCard *card, uint32_t place, const TrnQuad *texels, size_t count);
};

extern const QuadCardKind quad_card_buffers, quad_card_textures;

#endif
