#include "render/quad_buffer.h"

#include <string.h>

#define PAGE_TEXELS (QUAD_PAGE_QUADS + 1)
#define PAGES_AT_ONCE 32u // written in one call; larger chunks take several calls
#define PAGE_WORDS (QUAD_LIGHT_PAGES * QUAD_PAGE_QUADS)
// Of the light in a page's header; otherwise its lowest byte is the light of all quads.
#define LIGHT_VARIES 0x8000u
// Pages moved within the card's memory in a frame: 1/32 of what is held, and 256 KiB at least, so
// that a segment is emptied in some three frames. Less would hold it for longer, more would be felt
// where the driver copies on the processor. What may be uploaded in a frame is another thing: the
// setting upload_kib.
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
    quad_card_write(&buffer->card, place, texels, count);
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
