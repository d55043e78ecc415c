#include "render/quad_card_kind.h"

#ifndef __EMSCRIPTEN__ // WebGL has no buffer textures

// The least that OpenGL guarantees: two or three chunks at worst.
#define TEXELS_LEAST 65536

static uint32_t count_texel_max(void)
{
    GLint found = 0;
    glGetIntegerv(GL_MAX_TEXTURE_BUFFER_SIZE, &found);
    return found < 0 ? 0 : (uint32_t)found;
}

/// Creates a buffer of this many pages; 0 if the driver has no memory.
static GLuint make_buffer(uint32_t pages)
{
    GLuint made = 0;
    gl_context_forget_errors();
    glGenBuffers(1, &made);
    glBindBuffer(GL_COPY_WRITE_BUFFER, made);
    glBufferData(GL_COPY_WRITE_BUFFER, (GLsizeiptr)((size_t)pages * QUAD_PAGE_BYTES), NULL,
                 GL_DYNAMIC_DRAW);
    if (glGetError() != GL_NO_ERROR) {
        glDeleteBuffers(1, &made);
        return 0;
    }
    return made;
}

static bool create_buffer(void *user, uint32_t segment, uint32_t pages)
{
    QuadCard *card = user;
    if (!card->scratch) {
        card->scratch = make_buffer(QUAD_CARD_SCRATCH_PAGES);
    }
    const GLuint made = card->scratch ? make_buffer(pages) : 0;
    if (!made) {
        return false;
    }
    card->buffers[segment] = made;
    card->pages[segment] = pages;
    glBindTexture(GL_TEXTURE_BUFFER, card->textures[segment]);
    glTexBuffer(GL_TEXTURE_BUFFER, GL_RG32UI, made);
    return true;
}

static void free_buffer(void *user, uint32_t segment)
{
    QuadCard *card = user;
    // Otherwise the texture would keep the memory alive.
    glBindTexture(GL_TEXTURE_BUFFER, card->textures[segment]);
    glTexBuffer(GL_TEXTURE_BUFFER, GL_RG32UI, 0);
    glDeleteBuffers(1, &card->buffers[segment]);
    card->buffers[segment] = 0;
    card->pages[segment] = 0;
}

static void copy_range(GLuint from, uint32_t from_page, GLuint to, uint32_t to_page, uint32_t pages)
{
    glBindBuffer(GL_COPY_READ_BUFFER, from);
    glBindBuffer(GL_COPY_WRITE_BUFFER, to);
    glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER,
                        (GLintptr)((size_t)from_page * QUAD_PAGE_BYTES),
                        (GLintptr)((size_t)to_page * QUAD_PAGE_BYTES),
                        (GLsizeiptr)((size_t)pages * QUAD_PAGE_BYTES));
}

/// OpenGL cannot copy overlapping ranges, so these pages are copied through another buffer, lowest
/// first.
static void slide_range(const QuadCard *card, uint32_t segment, uint32_t from, uint32_t to,
                        uint32_t pages)
{
    const GLuint held = card->buffers[segment];
    for (uint32_t done = 0; done < pages; done += QUAD_CARD_SCRATCH_PAGES) {
        const uint32_t left = pages - done;
        const uint32_t count = left < QUAD_CARD_SCRATCH_PAGES ? left : QUAD_CARD_SCRATCH_PAGES;
        copy_range(held, from + done, card->scratch, 0, count);
        copy_range(card->scratch, 0, held, to + done, count);
    }
}

static void copy_in_buffers(void *user, uint32_t from, uint32_t to, uint32_t pages)
{
    const QuadCard *card = user;
    const uint32_t from_segment = quad_place_segment(from), to_segment = quad_place_segment(to);
    const uint32_t from_page = quad_place_page(from), to_page = quad_place_page(to);
    if (from_segment == to_segment && from_page < to_page + pages) {
        slide_range(card, to_segment, from_page, to_page, pages);
    } else {
        copy_range(card->buffers[from_segment], from_page, card->buffers[to_segment], to_page,
                   pages);
    }
}

static void write_buffer(QuadCard *card, uint32_t place, const TrnQuad *texels, size_t count)
{
    glBindBuffer(GL_COPY_WRITE_BUFFER, card->buffers[quad_place_segment(place)]);
    glBufferSubData(GL_COPY_WRITE_BUFFER,
                    (GLintptr)((size_t)quad_place_page(place) * QUAD_PAGE_BYTES),
                    (GLsizeiptr)(count * QUAD_BYTES), texels);
}

static void begin_buffers(QuadCard *card)
{
    glGenTextures(QUAD_SEGMENTS, card->textures);
}

static void end_buffers(QuadCard *card)
{
    glDeleteBuffers(1, &card->scratch);
}

const QuadCardKind quad_card_buffers = {
    .target = GL_TEXTURE_BUFFER,
    .need = {GL_MAX_TEXTURE_BUFFER_SIZE, TEXELS_LEAST, "GL_MAX_TEXTURE_BUFFER_SIZE", "the quads"},
    .begin = begin_buffers,
    .end = end_buffers,
    .count_texel_max = count_texel_max,
    .memory = {create_buffer, free_buffer, copy_in_buffers, NULL},
    .write = write_buffer,
};

#endif
