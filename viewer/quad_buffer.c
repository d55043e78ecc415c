#include "quad_buffer.h"

#include <stdlib.h>

#define PAGE_BYTES (QUAD_PAGE_QUADS * sizeof(TrnQuad))
#define COORD_BYTES (4 * sizeof(GLint))
#define PAGES_AT_FIRST 1024u
// Pages whose coordinates are sent in one call; a chunk of more takes several.
#define COORDS_AT_ONCE 64u

void quad_buffer_create(QuadBuffer *buffer)
{
    *buffer = (QuadBuffer){0};
    GLint texels = 0;
    glGetIntegerv(GL_MAX_TEXTURE_BUFFER_SIZE, &texels);
    uint32_t page_max = (uint32_t)(texels < 0 ? 0 : texels) / QUAD_PAGE_QUADS;
    // Vertices are numbered with 31 bits.
    const uint32_t numbered = INT32_MAX / QUAD_VERTICES / QUAD_PAGE_QUADS;
    buffer->page_max = page_max < numbered ? page_max : numbered;
    glGenTextures(1, &buffer->quad_texture);
    glGenTextures(1, &buffer->page_texture);
}

void quad_buffer_free(QuadBuffer *buffer)
{
    glDeleteTextures(1, &buffer->quad_texture);
    glDeleteTextures(1, &buffer->page_texture);
    glDeleteBuffers(1, &buffer->quad_buffer);
    glDeleteBuffers(1, &buffer->page_buffer);
    page_allocator_free(&buffer->pages);
    *buffer = (QuadBuffer){0};
}

/// A buffer of `bytes` that starts with the first `kept` bytes of another; 0 when the driver has no memory.
static GLuint grown_buffer(GLuint old, size_t kept, size_t bytes)
{
    GLuint grown = 0;
    while (glGetError() != GL_NO_ERROR) {
        // What went wrong before is not ours to report.
    }
    glGenBuffers(1, &grown);
    glBindBuffer(GL_COPY_WRITE_BUFFER, grown);
    glBufferData(GL_COPY_WRITE_BUFFER, (GLsizeiptr)bytes, NULL, GL_DYNAMIC_DRAW);
    if (glGetError() != GL_NO_ERROR) {
        glDeleteBuffers(1, &grown);
        return 0;
    }
    if (kept) {
        glBindBuffer(GL_COPY_READ_BUFFER, old);
        glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, 0, (GLsizeiptr)kept);
    }
    return grown;
}

static void replace_buffer(GLuint *buffer, GLuint grown, GLuint texture, GLenum format)
{
    glDeleteBuffers(1, buffer);
    *buffer = grown;
    glBindTexture(GL_TEXTURE_BUFFER, texture);
    glTexBuffer(GL_TEXTURE_BUFFER, format, grown);
}

/// Doubles until at least `needed` more pages are there in one run.
static bool grow(QuadBuffer *buffer, uint32_t needed)
{
    uint64_t pages = buffer->pages.pages ? 2ull * buffer->pages.pages : PAGES_AT_FIRST;
    while (pages < (uint64_t)buffer->pages.pages + needed) {
        pages *= 2;
    }
    pages = pages < buffer->page_max ? pages : buffer->page_max;
    if (pages < (uint64_t)buffer->pages.pages + needed) {
        return false;
    }
    size_t held = buffer->pages.pages;
    GLuint quads = grown_buffer(buffer->quad_buffer, held * PAGE_BYTES, pages * PAGE_BYTES);
    GLuint coords = grown_buffer(buffer->page_buffer, held * COORD_BYTES, pages * COORD_BYTES);
    if (!quads || !coords || !page_allocator_grow(&buffer->pages, (uint32_t)pages)) {
        glDeleteBuffers(1, &quads);
        glDeleteBuffers(1, &coords);
        buffer->page_max =
            buffer->pages.pages; // asking again for every chunk would cost more than it gives
        return false;
    }
    replace_buffer(&buffer->quad_buffer, quads, buffer->quad_texture, GL_RG32UI);
    replace_buffer(&buffer->page_buffer, coords, buffer->page_texture, GL_RGBA32I);
    return true;
}

static void name_pages(QuadBuffer *buffer, TrnCoord chunk, int32_t note, uint32_t first,
                       uint32_t pages)
{
    GLint coords[COORDS_AT_ONCE][4];
    for (uint32_t i = 0; i < COORDS_AT_ONCE; i++) {
        coords[i][0] = chunk.x;
        coords[i][1] = chunk.y;
        coords[i][2] = chunk.z;
        coords[i][3] = note;
    }
    glBindBuffer(GL_COPY_WRITE_BUFFER, buffer->page_buffer);
    for (uint32_t done = 0; done < pages; done += COORDS_AT_ONCE) {
        uint32_t count = pages - done < COORDS_AT_ONCE ? pages - done : COORDS_AT_ONCE;
        glBufferSubData(GL_COPY_WRITE_BUFFER, (GLintptr)((first + done) * COORD_BYTES),
                        (GLsizeiptr)(count * COORD_BYTES), coords);
    }
}

bool quad_buffer_put(QuadBuffer *buffer, TrnCoord chunk, int32_t note, const TrnQuad *quads,
                     uint32_t count, uint32_t *first, uint32_t *pages)
{
    uint32_t page_count = (count + QUAD_PAGE_QUADS - 1) / QUAD_PAGE_QUADS;
    uint32_t page;
    if (!page_allocator_take(&buffer->pages, page_count, &page) &&
        !(grow(buffer, page_count) && page_allocator_take(&buffer->pages, page_count, &page))) {
        return false;
    }
    glBindBuffer(GL_COPY_WRITE_BUFFER, buffer->quad_buffer);
    glBufferSubData(GL_COPY_WRITE_BUFFER, (GLintptr)(page * PAGE_BYTES),
                    (GLsizeiptr)(count * sizeof *quads), quads);
    name_pages(buffer, chunk, note, page, page_count);
    *first = page;
    *pages = page_count;
    return true;
}

void quad_buffer_drop(QuadBuffer *buffer, uint32_t first, uint32_t pages)
{
    page_allocator_give(&buffer->pages, first, pages);
}

size_t quad_buffer_bytes(const QuadBuffer *buffer)
{
    return (size_t)buffer->pages.pages * (PAGE_BYTES + COORD_BYTES);
}
