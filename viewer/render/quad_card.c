#include "render/quad_card.h"

#include "render/gl_features.h"
#include "render/programs.h"

static const QuadCardKind *choose_kind(void)
{
#ifdef __EMSCRIPTEN__
    return &quad_card_textures;
#else
    return gl_is_es() ? &quad_card_textures : &quad_card_buffers;
#endif
}

GlNeed quad_card_need(void)
{
    return choose_kind()->need;
}

void quad_card_create(QuadCard *card)
{
    *card = (QuadCard){.kind = choose_kind()};
    card->kind->begin(card);
}

void quad_card_free(QuadCard *card)
{
    if (!card->kind) {
        return;
    }
    card->kind->end(card);
    glDeleteTextures(QUAD_SEGMENTS, card->textures);
    glDeleteBuffers(QUAD_SEGMENTS, card->buffers);
    *card = (QuadCard){0};
}

uint32_t quad_card_page_max(const QuadCard *card, uint32_t texel_max)
{
    uint32_t texels = card->kind->count_texel_max();
    texels = texel_max && texel_max < texels ? texel_max : texels;
    const uint32_t pages = texels / QUAD_CARD_PAGE_TEXELS;
    return pages < QUAD_SEGMENT_PAGES_MAX ? pages : QUAD_SEGMENT_PAGES_MAX;
}

QuadMemory quad_card_memory(QuadCard *card)
{
    QuadMemory memory = card->kind->memory;
    memory.user = card;
    return memory;
}

void quad_card_write(QuadCard *card, uint32_t place, const TrnQuad *texels, size_t count)
{
    card->kind->write(card, place, texels, count);
}

void quad_card_bind(const QuadCard *card, uint32_t segment)
{
    glActiveTexture(GL_TEXTURE0 + UNIT_QUADS);
    glBindTexture(card->kind->target, card->textures[segment]);
    glActiveTexture(GL_TEXTURE0);
}
