#include "render/quad_card_kind.h"

#define ROW_TEXELS (QUAD_CARD_ROW_PAGES * QUAD_CARD_PAGE_TEXELS)

static uint32_t count_texel_max(void)
{
    GLint rows = 0;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &rows);
    return rows < 0 ? 0 : (uint32_t)rows * ROW_TEXELS;
}

/// Creates a texture of this many pages, and up to a whole row more; 0 if the driver has no memory.
static GLuint make_texture(uint32_t pages)
{
    const uint32_t rows = (pages + QUAD_CARD_ROW_PAGES - 1) / QUAD_CARD_ROW_PAGES;
    GLuint made = 0;
    gl_context_forget_errors();
    glGenTextures(1, &made);
    glBindTexture(GL_TEXTURE_2D, made);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RG32UI, ROW_TEXELS, (GLsizei)rows, 0, GL_RG_INTEGER,
                 GL_UNSIGNED_INT, NULL);
    if (glGetError() != GL_NO_ERROR) {
        glDeleteTextures(1, &made);
        return 0;
    }
    return made;
}

static bool create_texture(void *user, uint32_t segment, uint32_t pages)
{
    QuadCard *card = user;
    if (!card->scratch) {
        card->scratch = make_texture(QUAD_CARD_SCRATCH_PAGES);
    }
    const GLuint made = card->scratch ? make_texture(pages) : 0;
    if (!made) {
        return false;
    }
    card->textures[segment] = made;
    card->pages[segment] = pages;
    return true;
}

static void free_texture(void *user, uint32_t segment)
{
    QuadCard *card = user;
    glDeleteTextures(1, &card->textures[segment]);
    card->textures[segment] = 0;
    card->pages[segment] = 0;
}

static uint32_t least_of(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/// Copies from one texture to another, in rectangles that end at the rows' ends.
static void copy_rectangles(const QuadCard *card, GLuint from, uint32_t from_page, GLuint to,
                            uint32_t to_page, uint32_t pages)
{
    glBindFramebuffer(GL_READ_FRAMEBUFFER, card->reader);
    glFramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, from, 0);
    glBindTexture(GL_TEXTURE_2D, to);
    for (uint32_t count; pages; pages -= count, from_page += count, to_page += count) {
        const uint32_t x = from_page % QUAD_CARD_ROW_PAGES, to_x = to_page % QUAD_CARD_ROW_PAGES;
        count = least_of(pages, QUAD_CARD_ROW_PAGES - (x > to_x ? x : to_x));
        glCopyTexSubImage2D(
            GL_TEXTURE_2D, 0, (GLint)(to_x * QUAD_CARD_PAGE_TEXELS),
            (GLint)(to_page / QUAD_CARD_ROW_PAGES), (GLint)(x * QUAD_CARD_PAGE_TEXELS),
            (GLint)(from_page / QUAD_CARD_ROW_PAGES), (GLsizei)(count * QUAD_CARD_PAGE_TEXELS), 1);
    }
}

/// OpenGL cannot copy inside a texture, so these pages are copied through another one, lowest
/// first.
static void slide_rectangles(const QuadCard *card, uint32_t segment, uint32_t from, uint32_t to,
                             uint32_t pages)
{
    const GLuint held = card->textures[segment];
    for (uint32_t done = 0; done < pages; done += QUAD_CARD_SCRATCH_PAGES) {
        const uint32_t count = least_of(pages - done, QUAD_CARD_SCRATCH_PAGES);
        copy_rectangles(card, held, from + done, card->scratch, 0, count);
        copy_rectangles(card, card->scratch, 0, held, to + done, count);
    }
}

static void copy_in_textures(void *user, uint32_t from, uint32_t to, uint32_t pages)
{
    const QuadCard *card = user;
    const uint32_t from_segment = quad_place_segment(from), to_segment = quad_place_segment(to);
    const uint32_t from_page = quad_place_page(from), to_page = quad_place_page(to);
    if (from_segment == to_segment) {
        slide_rectangles(card, to_segment, from_page, to_page, pages);
    } else {
        copy_rectangles(card, card->textures[from_segment], from_page, card->textures[to_segment],
                        to_page, pages);
    }
    // A texture that is drawn from must not be attached to a framebuffer.
    glFramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, 0, 0);
}

static void write_texture(QuadCard *card, uint32_t place, const TrnQuad *texels, size_t count)
{
    const uint32_t page = quad_place_page(place);
    uint32_t x = page % QUAD_CARD_ROW_PAGES * QUAD_CARD_PAGE_TEXELS,
             row = page / QUAD_CARD_ROW_PAGES;
    glBindTexture(GL_TEXTURE_2D, card->textures[quad_place_segment(place)]);
    for (uint32_t left = (uint32_t)count, part; left; left -= part) {
        part = least_of(left, ROW_TEXELS - x);
        glTexSubImage2D(GL_TEXTURE_2D, 0, (GLint)x, (GLint)row, (GLsizei)part, 1, GL_RG_INTEGER,
                        GL_UNSIGNED_INT, texels);
        texels += part;
        x = 0;
        row++;
    }
}

static void begin_textures(QuadCard *card)
{
    glGenFramebuffers(1, &card->reader);
}

static void end_textures(QuadCard *card)
{
    glDeleteTextures(1, &card->scratch);
    glDeleteFramebuffers(1, &card->reader);
}

const QuadCardKind quad_card_textures = {
    .target = GL_TEXTURE_2D,
    .need = {GL_MAX_TEXTURE_SIZE, ROW_TEXELS, "GL_MAX_TEXTURE_SIZE", "the quads"},
    .begin = begin_textures,
    .end = end_textures,
    .count_texel_max = count_texel_max,
    .memory = {create_texture, free_texture, copy_in_textures, NULL},
    .write = write_texture,
};
