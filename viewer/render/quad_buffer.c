#include "render/quad_buffer.h"

#include <stdlib.h>
#include <string.h>

#include "render/gl.h"
#include "render/programs.h"

#define PAGE_TEXELS (QUAD_PAGE_QUADS + 1)
#define ROW_TEXELS (QUAD_CARD_ROW_PAGES * PAGE_TEXELS)
// The least limit that OpenGL guarantees: two or three chunks in the worst case.
#define BUFFER_TEXELS_LEAST 65536

/// Pages of one buffer or texture.
typedef struct QuadCardPages {
    GLuint held;
    uint32_t first;
} QuadCardPages;

/// The differences between buffers and textures.
struct QuadCardKind {
    GLenum target; ///< of the textures
    GlNeed need;
    uint32_t texels_each; ///< texels for each unit of the driver's limit
    bool copies_inside;   ///< can copy non-overlapping ranges inside a segment
    /// Creates memory for at least this many pages.
    GLuint (*make)(uint32_t pages);
    void (*drop)(GLuint held);
    /// Attaches memory to the segment's texture. @param held  0: none
    void (*show)(QuadCard *card, uint32_t segment, GLuint held);
    void (*copy)(const QuadCard *card, QuadCardPages from, QuadCardPages to, uint32_t pages);
    void (*write)(QuadCardPages to, const TrnQuad *texels, size_t count);
};

static uint32_t quad_least_of(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

// ---- buffers ------------------------------------------------------------------------------------

#ifndef __EMSCRIPTEN__ // WebGL has no buffer textures

static GLuint quad_make_buffer(uint32_t pages)
{
    GLuint made = 0;
    glGenBuffers(1, &made);
    glBindBuffer(GL_COPY_WRITE_BUFFER, made);
    glBufferData(GL_COPY_WRITE_BUFFER, (GLsizeiptr)((size_t)pages * QUAD_PAGE_BYTES), NULL,
                 GL_DYNAMIC_DRAW);
    return made;
}

static void quad_drop_buffer(GLuint held)
{
    glDeleteBuffers(1, &held);
}

static void quad_show_buffer(QuadCard *card, uint32_t segment, GLuint held)
{
    card->buffers[segment] = held;
    if (!card->textures[segment]) {
        glGenTextures(1, &card->textures[segment]);
    }
    glBindTexture(GL_TEXTURE_BUFFER, card->textures[segment]);
    glTexBuffer(GL_TEXTURE_BUFFER, GL_RG32UI, held);
}

static void quad_copy_buffer(const QuadCard *card, QuadCardPages from, QuadCardPages to,
                             uint32_t pages)
{
    (void)card;
    glBindBuffer(GL_COPY_READ_BUFFER, from.held);
    glBindBuffer(GL_COPY_WRITE_BUFFER, to.held);
    glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER,
                        (GLintptr)((size_t)from.first * QUAD_PAGE_BYTES),
                        (GLintptr)((size_t)to.first * QUAD_PAGE_BYTES),
                        (GLsizeiptr)((size_t)pages * QUAD_PAGE_BYTES));
}

static void quad_write_buffer(QuadCardPages to, const TrnQuad *texels, size_t count)
{
    glBindBuffer(GL_COPY_WRITE_BUFFER, to.held);
    glBufferSubData(GL_COPY_WRITE_BUFFER, (GLintptr)((size_t)to.first * QUAD_PAGE_BYTES),
                    (GLsizeiptr)(count * QUAD_BYTES), texels);
}

static const QuadCardKind QUAD_BUFFERS = {
    .target = GL_TEXTURE_BUFFER,
    .need = {GL_MAX_TEXTURE_BUFFER_SIZE, BUFFER_TEXELS_LEAST, "GL_MAX_TEXTURE_BUFFER_SIZE",
             "the quads"},
    .texels_each = 1,
    .copies_inside = true,
    .make = quad_make_buffer,
    .drop = quad_drop_buffer,
    .show = quad_show_buffer,
    .copy = quad_copy_buffer,
    .write = quad_write_buffer,
};

#endif

// ---- textures -----------------------------------------------------------------------------------

static GLuint quad_make_texture(uint32_t pages)
{
    const uint32_t rows = (pages + QUAD_CARD_ROW_PAGES - 1) / QUAD_CARD_ROW_PAGES;
    const GLuint made = gl_texture_create(GL_NEAREST, GL_REPEAT);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RG32UI, ROW_TEXELS, (GLsizei)rows, 0, GL_RG_INTEGER,
                 GL_UNSIGNED_INT, NULL);
    return made;
}

static void quad_drop_texture(GLuint held)
{
    glDeleteTextures(1, &held);
}

static void quad_show_texture(QuadCard *card, uint32_t segment, GLuint held)
{
    card->textures[segment] = held;
}

/// Copies in rectangles, split at the ends of rows.
static void quad_copy_texture(const QuadCard *card, QuadCardPages from, QuadCardPages to,
                              uint32_t pages)
{
    glBindFramebuffer(GL_READ_FRAMEBUFFER, card->reader);
    glFramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, from.held, 0);
    glBindTexture(GL_TEXTURE_2D, to.held);
    for (uint32_t count; pages; pages -= count, from.first += count, to.first += count) {
        const uint32_t x = from.first % QUAD_CARD_ROW_PAGES, to_x = to.first % QUAD_CARD_ROW_PAGES;
        count = quad_least_of(pages, QUAD_CARD_ROW_PAGES - (x > to_x ? x : to_x));
        glCopyTexSubImage2D(GL_TEXTURE_2D, 0, (GLint)(to_x * PAGE_TEXELS),
                            (GLint)(to.first / QUAD_CARD_ROW_PAGES), (GLint)(x * PAGE_TEXELS),
                            (GLint)(from.first / QUAD_CARD_ROW_PAGES),
                            (GLsizei)(count * PAGE_TEXELS), 1);
    }
    // A texture being drawn from must not be attached to a framebuffer.
    glFramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, 0, 0);
}

static void quad_write_texture(QuadCardPages to, const TrnQuad *texels, size_t count)
{
    uint32_t x = to.first % QUAD_CARD_ROW_PAGES * PAGE_TEXELS, row = to.first / QUAD_CARD_ROW_PAGES;
    glBindTexture(GL_TEXTURE_2D, to.held);
    for (uint32_t left = (uint32_t)count, part; left; left -= part) {
        part = quad_least_of(left, ROW_TEXELS - x);
        glTexSubImage2D(GL_TEXTURE_2D, 0, (GLint)x, (GLint)row, (GLsizei)part, 1, GL_RG_INTEGER,
                        GL_UNSIGNED_INT, texels);
        texels += part;
        x = 0;
        row++;
    }
}

static const QuadCardKind QUAD_TEXTURES = {
    .target = GL_TEXTURE_2D,
    .need = {GL_MAX_TEXTURE_SIZE, ROW_TEXELS, "GL_MAX_TEXTURE_SIZE", "the quads"},
    .texels_each = ROW_TEXELS,
    .make = quad_make_texture,
    .drop = quad_drop_texture,
    .show = quad_show_texture,
    .copy = quad_copy_texture,
    .write = quad_write_texture,
};

// ---- either -------------------------------------------------------------------------------------

static const QuadCardKind *quad_card_choose_kind(void)
{
#ifdef __EMSCRIPTEN__
    return &QUAD_TEXTURES;
#else
    return gl_is_es() ? &QUAD_TEXTURES : &QUAD_BUFFERS;
#endif
}

GlNeed quad_card_need(void)
{
    return quad_card_choose_kind()->need;
}

static void quad_card_create(QuadCard *card)
{
    *card = (QuadCard){.kind = quad_card_choose_kind()};
    glGenFramebuffers(1, &card->reader);
}

/// Returns the memory of a place.
static QuadCardPages quad_card_pages(const QuadCard *card, uint32_t place)
{
    const uint32_t segment = quad_place_segment(place);
    const GLuint buffer = card->buffers[segment];
    return (QuadCardPages){buffer ? buffer : card->textures[segment], quad_place_page(place)};
}

/// @return 0 if the driver has no memory
static GLuint quad_card_make(const QuadCard *card, uint32_t pages)
{
    gl_context_forget_errors();
    const GLuint made = card->kind->make(pages);
    if (glGetError() != GL_NO_ERROR) {
        card->kind->drop(made);
        return 0;
    }
    return made;
}

static bool quad_card_create_segment(void *user, uint32_t segment, uint32_t pages)
{
    QuadCard *card = user;
    if (!card->scratch) {
        card->scratch = quad_card_make(card, QUAD_CARD_SCRATCH_PAGES);
    }
    const GLuint made = card->scratch ? quad_card_make(card, pages) : 0;
    if (made) {
        card->kind->show(card, segment, made);
        card->pages[segment] = pages;
    }
    return made != 0;
}

static void quad_card_free_segment(void *user, uint32_t segment)
{
    QuadCard *card = user;
    const GLuint held = card->buffers[segment] ? card->buffers[segment] : card->textures[segment];
    card->kind->show(card, segment, 0); // otherwise a buffer's texture would keep the memory alive
    card->kind->drop(held);
    card->pages[segment] = 0;
}

/// OpenGL cannot copy overlapping ranges, nor ranges inside one texture: such pages are copied
/// through the scratch memory, lowest first.
static void quad_card_copy(void *user, uint32_t from, uint32_t to, uint32_t pages)
{
    const QuadCard *card = user;
    const QuadCardPages scratch = {card->scratch, 0};
    QuadCardPages old = quad_card_pages(card, from), new = quad_card_pages(card, to);
    if (old.held != new.held || (card->kind->copies_inside && old.first >= new.first + pages)) {
        card->kind->copy(card, old, new, pages);
        return;
    }
    for (uint32_t count; pages; pages -= count, old.first += count, new.first += count) {
        count = quad_least_of(pages, QUAD_CARD_SCRATCH_PAGES);
        card->kind->copy(card, old, scratch, count);
        card->kind->copy(card, scratch, new, count);
    }
}

static void quad_card_free(QuadCard *card)
{
    if (!card->kind) {
        return;
    }
    if (card->scratch) {
        card->kind->drop(card->scratch);
    }
    glDeleteFramebuffers(1, &card->reader);
    glDeleteTextures(QUAD_SEGMENTS, card->textures);
    glDeleteBuffers(QUAD_SEGMENTS, card->buffers);
    *card = (QuadCard){0};
}

static uint32_t quad_card_page_max(const QuadCard *card, uint32_t texel_max)
{
    GLint found = 0;
    glGetIntegerv(card->kind->need.limit, &found);
    uint32_t texels = found < 0 ? 0 : (uint32_t)found * card->kind->texels_each;
    texels = texel_max ? quad_least_of(texel_max, texels) : texels;
    return quad_least_of(texels / PAGE_TEXELS, QUAD_SEGMENT_PAGES_MAX);
}

static QuadMemory quad_card_memory(QuadCard *card)
{
    return (QuadMemory){quad_card_create_segment, quad_card_free_segment, quad_card_copy, card};
}

static void quad_card_write(QuadCard *card, uint32_t place, const TrnQuad *texels, size_t count)
{
    card->kind->write(quad_card_pages(card, place), texels, count);
}

static void quad_card_bind(const QuadCard *card, uint32_t segment)
{
    glActiveTexture(GL_TEXTURE0 + UNIT_QUADS);
    glBindTexture(card->kind->target, card->textures[segment]);
    glActiveTexture(GL_TEXTURE0);
}

// ---- quad buffer --------------------------------------------------------------------------------

#define PAGE_TEXELS (QUAD_PAGE_QUADS + 1)
#define PAGES_AT_ONCE 32u // pages written in one call; larger chunks take several calls
#define PAGE_WORDS (QUAD_LIGHT_PAGES * QUAD_PAGE_QUADS)
// Bit of a page header's light: set if light varies; otherwise the lowest byte is the light of all
// quads.
#define LIGHT_VARIES 0x8000u
// Pages moved within the card's memory in a frame: 1/32 of the allocated pages, at least 256 KiB,
// so that a segment is emptied in some three frames. Moving less would keep the segment longer;
// moving more would slow frames down if the driver copies on the processor. The setting upload_kib
// limits uploads separately.
#define MOVE_PART 32u
#define MOVE_PAGES_MIN 1024u

// ---- creation and destruction -------------------------------------------------------------------

void quad_buffer_create(QuadBuffer *buffer, uint32_t texel_max)
{
    *buffer = (QuadBuffer){0};
    quad_card_create(&buffer->card);
    buffer->layout = (QuadLayout){.memory = quad_card_memory(&buffer->card),
                                  .page_max = quad_card_page_max(&buffer->card, texel_max)};
}

void quad_buffer_free(QuadBuffer *buffer)
{
    if (buffer->layout.memory.user) {
        quad_layout_free(&buffer->layout);
    }
    quad_card_free(&buffer->card);
    *buffer = (QuadBuffer){0};
}

// ---- quads --------------------------------------------------------------------------------------

_Static_assert(QUAD_PAGE_QUADS *QUAD_BYTES >= PAGE_WORDS * QUAD_LIGHT_BYTES,
               "a page holds the light of two");

/// A chunk being uploaded.
typedef struct QuadUpload {
    QuadChunk chunk;
    const TrnQuad *quads;
    QuadLight light;
    uint32_t count;
} QuadUpload;

/// Returns a page header's light field. If light varies: the distance in pages to the light words,
/// and whether they are in the second half of that page.
static uint32_t quad_buffer_header_light(const QuadUpload *upload, uint32_t page)
{
    const uint32_t pages = quad_pages(upload->count, false);
    return upload->light.words ? LIGHT_VARIES | (pages - page + page / 2) << 1 | page % 2
                               : upload->light.all & 255u;
}

/// Returns the first texel of a page, in the format that assets/shaders/quad.vert reads.
static TrnQuad quad_buffer_page_header(const QuadUpload *upload, uint32_t page)
{
    const QuadChunk *chunk = &upload->chunk;
    const TrnCoord coord = chunk->coord;
    return ((uint32_t)coord.x & 511u) | ((uint32_t)coord.z & 511u) << 9 |
           ((uint32_t)coord.y & 511u) << 18 | (chunk->level & 15u) << 27 |
           (TrnQuad)(chunk->note & 0xffffu) << 32 |
           (TrnQuad)quad_buffer_header_light(upload, page) << 48;
}

/// Writes consecutive pages. @param place  of the first page
static void quad_buffer_send_pages(QuadBuffer *buffer, uint32_t place, const TrnQuad *texels,
                                   size_t count)
{
    quad_card_write(&buffer->card, place, texels, count);
    buffer->all.upload_bytes += count * QUAD_BYTES;
}

static void quad_buffer_write(QuadBuffer *buffer, uint32_t first, const QuadUpload *upload)
{
    TrnQuad texels[PAGES_AT_ONCE * PAGE_TEXELS];
    const uint32_t pages = quad_pages(upload->count, false);
    for (uint32_t page = 0; page < pages;) {
        const uint32_t begin = page;
        TrnQuad *end = texels;
        for (; page < pages && page - begin < PAGES_AT_ONCE; page++) {
            const uint32_t done = page * QUAD_PAGE_QUADS, left = upload->count - done;
            const uint32_t count = left < QUAD_PAGE_QUADS ? left : QUAD_PAGE_QUADS;
            *end = quad_buffer_page_header(upload, page);
            memcpy(end + 1, upload->quads + done, count * sizeof *upload->quads);
            end += count + 1;
        }
        quad_buffer_send_pages(buffer, first + begin, texels, (size_t)(end - texels));
    }
}

/// Writes the light words. They fill the first 32 texels of a page; the last stays unused.
static void quad_buffer_write_light(QuadBuffer *buffer, uint32_t first, const QuadUpload *upload)
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
        quad_buffer_send_pages(buffer, place, texels, used);
    }
}

bool quad_buffer_put(QuadBuffer *buffer, const QuadChunk *chunk, const TrnQuad *quads,
                     QuadLight light, uint32_t count, QuadRun *run)
{
    const QuadUpload upload = {*chunk, quads, light, count};
    if (!quad_layout_put(&buffer->layout, count, light.words != NULL, run)) {
        return false;
    }
    quad_buffer_write(buffer, run->first, &upload);
    if (light.words) {
        quad_buffer_write_light(buffer, run->first + quad_pages(count, false), &upload);
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

QuadBufferStats quad_buffer_stats(const QuadBuffer *buffer)
{
    const QuadLayout *layout = &buffer->layout;
    const size_t scratch = buffer->card.scratch ? QUAD_CARD_SCRATCH_PAGES : 0;
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

// ---- quad indices -------------------------------------------------------------------------------

#define QUADS_AT_ONCE 16384u // 65,536 corners
#define CORNERS 4u

/// One part of the ranges: near, middle or far chunks.
typedef struct DrawPart {
    size_t from, to;
    uint32_t places; ///< quad places taken by each quad or model face
} DrawPart;

#ifdef __EMSCRIPTEN__

static bool quad_indices_create_buffer(QuadIndices *indices, Message *problem)
{
    (void)indices;
    (void)problem;
    return true;
}

static void quad_indices_draw_pieces(const QuadIndices *indices, size_t used)
{
    (void)indices;
    (void)used;
}

#else

static bool quad_indices_create_buffer(QuadIndices *indices, Message *problem)
{
    static const uint16_t pattern[QUAD_VERTICES] = {0, 1, 3, 0, 3, 2};
    const size_t bytes = sizeof(uint16_t) * QUADS_AT_ONCE * QUAD_VERTICES;
    uint16_t *all = malloc(bytes);
    if (!all) {
        return message_set(problem, "Out of memory for the corners of quads.");
    }
    for (uint32_t i = 0; i < QUADS_AT_ONCE * QUAD_VERTICES; i++) {
        all[i] = (uint16_t)(i / QUAD_VERTICES * CORNERS + pattern[i % QUAD_VERTICES]);
    }
    glGenBuffers(1, &indices->buffer);
    glBindBuffer(GL_COPY_WRITE_BUFFER, indices->buffer);
    glBufferData(GL_COPY_WRITE_BUFFER, (GLsizeiptr)bytes, all, GL_STATIC_DRAW);
    free(all);
    return true;
}

static void quad_indices_draw_pieces(const QuadIndices *indices, size_t used)
{
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, indices->buffer);
    glMultiDrawElementsBaseVertex(GL_TRIANGLES, indices->counts, GL_UNSIGNED_SHORT, indices->starts,
                                  (GLsizei)used, indices->corners);
}

#endif

/// On failure the arrays keep their size.
static bool quad_indices_reserve(QuadIndices *indices, size_t count)
{
    if (count <= indices->capacity) {
        return true;
    }
    count = count < 1024 ? 1024 : 2 * count;
    GLint *corners = realloc(indices->corners, count * sizeof *corners);
    indices->corners = corners ? corners : indices->corners;
    GLsizei *counts = realloc(indices->counts, count * sizeof *counts);
    indices->counts = counts ? counts : indices->counts;
    const void **starts = calloc(count, sizeof *starts);
    if (!corners || !counts || !starts) {
        free(starts);
        return false;
    }
    free(indices->starts);
    indices->starts = starts;
    indices->capacity = count;
    return true;
}

static size_t quad_indices_count_pieces(const DrawRanges *ranges)
{
    size_t pieces = 0;
    for (size_t i = 0; i < ranges->used; i++) {
        const size_t quads = (uint32_t)ranges->count[i] / QUAD_VERTICES;
        pieces += (quads + QUADS_AT_ONCE - 1) / QUADS_AT_ONCE;
    }
    return pieces;
}

/// Adds a range, split into pieces that the indices can address. @return the number of pieces
static size_t quad_indices_add_pieces(QuadIndices *indices, size_t used, const DrawRanges *ranges,
                                      size_t i)
{
    if (indices->features.is_es) {
        indices->corners[used] = ranges->first[i];
        indices->counts[used] = ranges->count[i];
        return used + 1;
    }
    uint32_t quad = (uint32_t)ranges->first[i] / QUAD_VERTICES;
    const uint32_t end = quad + (uint32_t)ranges->count[i] / QUAD_VERTICES;
    for (uint32_t count; quad < end; quad += count) {
        count = end - quad < QUADS_AT_ONCE ? end - quad : QUADS_AT_ONCE;
        indices->corners[used] = (GLint)(quad * CORNERS);
        indices->counts[used++] = (GLsizei)(count * QUAD_VERTICES);
    }
    return used;
}

/// Returns the segment of a range. @param places  taken by each quad or face
static uint32_t quad_indices_segment_of(const DrawRanges *ranges, size_t i, uint32_t places)
{
    const uint32_t place = (uint32_t)ranges->first[i] / QUAD_VERTICES * places;
    return quad_place_segment(place >> QUAD_PAGE_SHIFT);
}

/// Draws the pieces of the ranges that are in one segment.
static void quad_indices_draw_segment(QuadIndices *indices, const QuadCard *card,
                                      const DrawRanges *ranges, const DrawPart *part,
                                      uint32_t segment)
{
    size_t used = 0;
    for (size_t i = part->from; i < part->to; i++) {
        if (quad_indices_segment_of(ranges, i, part->places) == segment) {
            used = quad_indices_add_pieces(indices, used, ranges, i);
        }
    }
    quad_card_bind(card, segment);
    if (indices->features.is_es) {
        gl_draw_ranges(&indices->features, indices->corners, indices->counts, used);
    } else if (indices->buffer) {
        quad_indices_draw_pieces(indices, used);
    }
}

/// Returns the segments of the ranges as bits.
static uint32_t quad_indices_segments_of(const DrawRanges *ranges, const DrawPart *part)
{
    uint32_t segments = 0;
    for (size_t i = part->from; i < part->to; i++) {
        segments |= 1u << quad_indices_segment_of(ranges, i, part->places);
    }
    return segments;
}

bool quad_indices_create(QuadIndices *indices, Message *problem)
{
    *indices = (QuadIndices){.features = gl_features()};
    return indices->features.is_es || quad_indices_create_buffer(indices, problem);
}

void quad_indices_free(QuadIndices *indices)
{
    glDeleteBuffers(1, &indices->buffer);
    free(indices->corners);
    free(indices->counts);
    free(indices->starts);
    *indices = (QuadIndices){0};
}

uint32_t quad_indices_draw(QuadIndices *indices, const QuadCard *card, const DrawRanges *ranges,
                           uint32_t places)
{
    uint32_t calls = 0;
    DrawPart part = {0, 0, places};
    if (!quad_indices_reserve(indices, quad_indices_count_pieces(ranges))) {
        return 0;
    }
    const uint32_t all = quad_indices_segments_of(ranges, &(DrawPart){0, ranges->used, places});
    const bool is_in_one = (all & (all - 1)) == 0; // a small view: draw all parts at once
    for (int k = is_in_one ? DRAW_PARTS - 1 : 0; k < DRAW_PARTS; k++) {
        part.from = part.to;
        part.to = ranges->ends[k];
        const uint32_t segments = quad_indices_segments_of(ranges, &part);
        for (uint32_t segment = 0; segment < QUAD_SEGMENTS; segment++) {
            if (segments >> segment & 1u) {
                quad_indices_draw_segment(indices, card, ranges, &part, segment);
                calls++;
            }
        }
    }
    return calls;
}
