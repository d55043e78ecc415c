/// The graphics card's memory of a QuadLayout. Each segment is a sequence of texels (RG32UI) that
/// the vertex shader reads.
///
/// OpenGL 3.3 reads buffers through buffer textures. OpenGL ES 3.0 has none: there a segment is a
/// 2D texture with QUAD_CARD_ROW_PAGES pages in each row.
#ifndef TERRANE_VIEWER_QUAD_CARD_H
#define TERRANE_VIEWER_QUAD_CARD_H

#include "render/quad_card_kind.h"

/// Returns the limit that the driver must meet. Needs a current OpenGL context, as all functions
/// here.
GlNeed quad_card_need(void);

void quad_card_create(QuadCard *card);
void quad_card_free(QuadCard *card);

/// Returns the most pages of a segment. @param texel_max  a limit below the driver's own; 0: none
uint32_t quad_card_page_max(const QuadCard *card, uint32_t texel_max);

/// The memory for a layout.
QuadMemory quad_card_memory(QuadCard *card);

/// Writes texels. @param place  of the page where they begin, see quad_place; they may end in a
/// later page of its segment
void quad_card_write(QuadCard *card, uint32_t place, const TrnQuad *texels, size_t count);

/// Binds a segment's texture to UNIT_QUADS. Afterwards unit 0 is active.
void quad_card_bind(const QuadCard *card, uint32_t segment);

#endif
