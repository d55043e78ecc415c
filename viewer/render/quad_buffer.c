#include "render/quad_buffer.h"

#include <string.h>

#include "render/gl_context.h"

#define PAGE_TEXELS (QUAD_PAGE_QUADS + 1)
#define PAGES_AT_ONCE 32u // written in one call; larger chunks take several calls
#define PAGE_WORDS (QUAD_LIGHT_PAGES * QUAD_PAGE_QUADS)
// Of the light in a page's header; otherwise its lowest byte is the light of all quads.
#define LIGHT_VARIES 0x8000u
#define SCRATCH_PAGES 256u
// Pages moved within the card's memory in a frame: 1/32 of what is held, and 256 KiB at least, so
// that a segment is emptied in some three frames. Less would hold it for longer, more would be felt
// where the driver copies on the processor. What may be uploaded in a frame is another thing: the
// setting upload_kib.
#define MOVE_PART 32u
#define MOVE_PAGES_MIN 1024u

// ---- segments on the graphics card --------------------------------------------------------------

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

static bool create_gl_segment(void *user, uint32_t segment, uint32_t pages)
{
    QuadBuffer *buffer = user;
    if (!buffer->scratch) {
        buffer->scratch = make_buffer(SCRATCH_PAGES);
    }
    const GLuint made = buffer->scratch ? make_buffer(pages) : 0;
    if (!made) {
        return false;
    }
    buffer->buffers[segment] = made;
    glBindTexture(GL_TEXTURE_BUFFER, buffer->textures[segment]);
    glTexBuffer(GL_TEXTURE_BUFFER, GL_RG32UI, made);
    return true;
}

static void free_gl_segment(void *user, uint32_t segment)
{
    QuadBuffer *buffer = user;
    // Otherwise the texture would keep the memory alive.
    glBindTexture(GL_TEXTURE_BUFFER, buffer->textures[segment]);
    glTexBuffer(GL_TEXTURE_BUFFER, GL_RG32UI, 0);
    glDeleteBuffers(1, &buffer->buffers[segment]);
    buffer->buffers[segment] = 0;
}

static void copy_pages(GLuint from, uint32_t from_page, GLuint to, uint32_t to_page, uint32_t pages)
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
static void slide_pages(const QuadBuffer *buffer, uint32_t segment, uint32_t from, uint32_t to,
                        uint32_t pages)
{
    const GLuint held = buffer->buffers[segment];
    for (uint32_t done = 0; done < pages; done += SCRATCH_PAGES) {
        const uint32_t count = pages - done < SCRATCH_PAGES ? pages - done : SCRATCH_PAGES;
        copy_pages(held, from + done, buffer->scratch, 0, count);
        copy_pages(buffer->scratch, 0, held, to + done, count);
    }
}

static void copy_gl_pages(void *user, uint32_t from, uint32_t to, uint32_t pages)
{
    const QuadBuffer *buffer = user;
    const uint32_t from_segment = quad_place_segment(from), to_segment = quad_place_segment(to);
    const uint32_t from_page = quad_place_page(from), to_page = quad_place_page(to);
    if (from_segment == to_segment && from_page < to_page + pages) {
        slide_pages(buffer, to_segment, from_page, to_page, pages);
    } else {
        copy_pages(buffer->buffers[from_segment], from_page, buffer->buffers[to_segment], to_page,
                   pages);
    }
}

// ---- creation and destruction -------------------------------------------------------------------

/// Returns the most pages that the driver can read through one buffer texture.
static uint32_t count_page_max(uint32_t texel_max)
{
    GLint found = 0;
    glGetIntegerv(GL_MAX_TEXTURE_BUFFER_SIZE, &found);
    uint32_t texels = found < 0 ? 0 : (uint32_t)found;
    texels = texel_max && texel_max < texels ? texel_max : texels;
    const uint32_t pages = texels / PAGE_TEXELS;
    return pages < QUAD_SEGMENT_PAGES_MAX ? pages : QUAD_SEGMENT_PAGES_MAX;
}

void quad_buffer_create(QuadBuffer *buffer, uint32_t texel_max)
{
    *buffer = (QuadBuffer){
        .layout = {.memory = {create_gl_segment, free_gl_segment, copy_gl_pages, buffer},
                   .page_max = count_page_max(texel_max)}};
    glGenTextures(QUAD_SEGMENTS, buffer->textures);
}

void quad_buffer_free(QuadBuffer *buffer)
{
    if (buffer->layout.memory.user) {
        quad_layout_free(&buffer->layout);
    }
    glDeleteTextures(QUAD_SEGMENTS, buffer->textures);
    glDeleteBuffers(1, &buffer->scratch);
    *buffer = (QuadBuffer){0};
}

// ---- quads --------------------------------------------------------------------------------------

_Static_assert(QUAD_PAGE_QUADS *QUAD_BYTES >= PAGE_WORDS * QUAD_LIGHT_BYTES,
               "a page holds the light of two");

/// A chunk on its way to the graphics card.
typedef struct QuadUpload {
    QuadChunk chunk;
    const TrnQuad *quads;
    QuadLight light;
    uint32_t count;
} QuadUpload;

/// Returns what the header says about the light of a page's quads. For words: how many pages
/// farther they are, and whether they are the second half of that page.
static uint32_t header_light(const QuadUpload *upload, uint32_t page)
{
    const uint32_t pages = quad_pages(upload->count, false);
    return upload->light.words ? LIGHT_VARIES | (pages - page + page / 2) << 1 | page % 2
                               : upload->light.all & 255u;
}

/// Returns the first texel of a page, as assets/shaders/quad.vert reads it.
static TrnQuad page_header(const QuadUpload *upload, uint32_t page)
{
    const QuadChunk *chunk = &upload->chunk;
    const TrnCoord coord = chunk->coord;
    return ((uint32_t)coord.x & 511u) | ((uint32_t)coord.z & 511u) << 9 |
           ((uint32_t)coord.y & 511u) << 18 | (chunk->level & 15u) << 27 |
           (TrnQuad)(chunk->note & 0xffffu) << 32 | (TrnQuad)header_light(upload, page) << 48;
}

/// Writes consecutive pages. @param place  of the first
static void send_pages(QuadBuffer *buffer, uint32_t place, const TrnQuad *texels, size_t count)
{
    glBindBuffer(GL_COPY_WRITE_BUFFER, buffer->buffers[quad_place_segment(place)]);
    glBufferSubData(GL_COPY_WRITE_BUFFER,
                    (GLintptr)((size_t)quad_place_page(place) * QUAD_PAGE_BYTES),
                    (GLsizeiptr)(count * QUAD_BYTES), texels);
    buffer->all.upload_bytes += count * QUAD_BYTES;
}

static void write_quads(QuadBuffer *buffer, uint32_t first, const QuadUpload *upload)
{
    TrnQuad texels[PAGES_AT_ONCE * PAGE_TEXELS];
    const uint32_t pages = quad_pages(upload->count, false);
    for (uint32_t page = 0; page < pages;) {
        const uint32_t begin = page;
        TrnQuad *end = texels;
        for (; page < pages && page - begin < PAGES_AT_ONCE; page++) {
            const uint32_t done = page * QUAD_PAGE_QUADS, left = upload->count - done;
            const uint32_t count = left < QUAD_PAGE_QUADS ? left : QUAD_PAGE_QUADS;
            *end = page_header(upload, page);
            memcpy(end + 1, upload->quads + done, count * sizeof *upload->quads);
            end += count + 1;
        }
        send_pages(buffer, first + begin, texels, (size_t)(end - texels));
    }
}

/// Words fill the first 32 texels of a page, so that the last one stays unused.
static void write_light(QuadBuffer *buffer, uint32_t first, const QuadUpload *upload)
{
    TrnQuad texels[PAGES_AT_ONCE * PAGE_TEXELS];
    for (uint32_t done = 0; done < upload->count;) {
        const uint32_t place = first + done / PAGE_WORDS;
        size_t used = 0;
        memset(texels, 0, sizeof texels);
        for (size_t page = 0; page < PAGES_AT_ONCE && done < upload->count; page++) {
            const uint32_t left = upload->count - done;
            const uint32_t count = left < PAGE_WORDS ? left : PAGE_WORDS;
            memcpy(texels + page * PAGE_TEXELS, upload->light.words + done,
                   count * sizeof *upload->light.words);
            done += count;
            used = page * PAGE_TEXELS + (count + 1) / 2;
        }
        send_pages(buffer, place, texels, used);
    }
}

bool quad_buffer_put(QuadBuffer *buffer, const QuadChunk *chunk, const TrnQuad *quads,
                     QuadLight light, uint32_t count, QuadRun *run)
{
    const QuadUpload upload = {*chunk, quads, light, count};
    if (!quad_layout_put(&buffer->layout, count, light.words != NULL, run)) {
        return false;
    }
    write_quads(buffer, run->first, &upload);
    if (light.words) {
        write_light(buffer, run->first + quad_pages(count, false), &upload);
    }
    buffer->all.uploads++;
    return true;
}

void quad_buffer_drop(QuadBuffer *buffer, uint32_t count, QuadRun *run)
{
    quad_layout_drop(&buffer->layout, count, run);
}

void quad_buffer_step(QuadBuffer *buffer)
{
    const uint32_t part = quad_layout_held(&buffer->layout) / MOVE_PART;
    quad_layout_step(&buffer->layout, part > MOVE_PAGES_MIN ? part : MOVE_PAGES_MIN);
    QuadTraffic now = buffer->all;
    now.copy_bytes = buffer->layout.moved_pages * QUAD_PAGE_BYTES;
    buffer->frame = (QuadTraffic){.uploads = now.uploads - buffer->at_step.uploads,
                                  .upload_bytes = now.upload_bytes - buffer->at_step.upload_bytes,
                                  .copy_bytes = now.copy_bytes - buffer->at_step.copy_bytes};
    buffer->at_step = now;
}

void quad_buffer_textures(const QuadBuffer *buffer, GLuint textures[QUAD_SEGMENTS])
{
    GLuint any = buffer->textures[0];
    for (uint32_t i = 0; i < QUAD_SEGMENTS; i++) {
        any = buffer->buffers[i] ? buffer->textures[i] : any;
    }
    for (uint32_t i = 0; i < QUAD_SEGMENTS; i++) {
        textures[i] = buffer->buffers[i] ? buffer->textures[i] : any;
    }
}

QuadBufferStats quad_buffer_stats(const QuadBuffer *buffer)
{
    const QuadLayout *layout = &buffer->layout;
    const size_t scratch = buffer->scratch ? SCRATCH_PAGES : 0;
    const uint32_t held = quad_layout_held(layout);
    return (QuadBufferStats){
        .quads = layout->quads,
        .lit = layout->lit,
        .quad_max = (layout->denied ? held : QUAD_SEGMENTS * layout->page_max) * QUAD_PAGE_QUADS,
        .held_bytes = (held + scratch) * QUAD_PAGE_BYTES,
        .peak_bytes = (layout->held_peak + scratch) * QUAD_PAGE_BYTES,
        .free_bytes = (quad_layout_free_pages(layout) + scratch) * (size_t)QUAD_PAGE_BYTES,
        .frame = buffer->frame,
        .is_moving = quad_layout_is_moving(layout)};
}
