/// Decides where the quads of each chunk lie on the graphics card, and when they move.
///
/// Memory is up to fifteen segments of different sizes, divided into pages of 32 quads. The quads
/// of a chunk are one run of pages in one segment. If the chunk's light varies, the run ends with
/// pages of light: one for every two pages of quads. A new run goes to its best fit. If it fits
/// nowhere, a segment of 1/24 of all runs is added, and nothing moves. If 8 % of the pages are
/// free, the segment with the fewest used pages is emptied into the holes of the others, some pages
/// a frame, and freed. Only if all segments are in use, or too large to be emptied into holes, one
/// is replaced by a larger or smaller one. So unused memory stays limited while chunks are loaded
/// and unloaded, and no single move is large.
///
/// A layout begins as all zeroes and a def. This file does not call OpenGL: QuadMemory provides
/// memory.
#pragma once

#include "render/page_allocator.h"

// The page size with the least overhead in all built-in lands, of 8, 16, 32, 64 and 128 quads with
// a header of 8 bytes: 5.0 % in the default land, where a chunk with quads has 916 on average.
// (13.0, 7.2, 5.4 and 8.5 % for the other sizes.)
#define QUAD_PAGE_SHIFT 5
#define QUAD_PAGE_QUADS (1u << QUAD_PAGE_SHIFT)
#define QUAD_BYTES 8u
#define QUAD_VERTICES 6u     ///< two triangles
#define QUAD_PAGE_BYTES 264u ///< header and quads
#define QUAD_LIGHT_BYTES 4u
#define QUAD_LIGHT_PAGES 2u ///< pages of quads whose light fits in one page

/// The number of textures that OpenGL 3.3 guarantees to a vertex shader, less one for block
/// colours.
#define QUAD_SEGMENTS 15u
#define QUAD_SEGMENT_PAGES_MIN 1024u

/// Quads that a model's face takes the place of, in one page. Runs of models have no light pages,
/// because each face has its own light.
#define MODEL_FACE_QUADS 2u

/// Place of a chunk's quads or models. All zeroes: none.
typedef struct QuadRun {
    uint32_t first; ///< segment and page, see quad_place_segment
    uint32_t pages;
} QuadRun;

/// Returns the number of pages for some quads. @param is_lit  each quad has its own light
static inline uint32_t quad_pages(uint32_t quads, bool is_lit)
{
    const uint32_t pages = quads / QUAD_PAGE_QUADS + (quads % QUAD_PAGE_QUADS != 0);
    return is_lit ? pages + (pages + QUAD_LIGHT_PAGES - 1) / QUAD_LIGHT_PAGES : pages;
}

// Pages are numbered across all segments, and so are vertices: 6 a quad fit in 31 bits.
#define QUAD_SEGMENT_PAGES_MAX (1u << 19)

static inline uint32_t quad_place(uint32_t segment, uint32_t page)
{
    return segment * QUAD_SEGMENT_PAGES_MAX + page;
}

static inline uint32_t quad_place_segment(uint32_t place)
{
    return place / QUAD_SEGMENT_PAGES_MAX;
}

static inline uint32_t quad_place_page(uint32_t place)
{
    return place % QUAD_SEGMENT_PAGES_MAX;
}

/// Callbacks that allocate, free and copy the memory of segments.
typedef struct QuadMemory {
    /// Allocates memory for a segment that has none. @return false if out of memory
    bool (*create)(void *user, uint32_t segment, uint32_t pages);
    void (*free)(void *user, uint32_t segment);
    /// Copies pages. Inside a segment the ranges may overlap if the pages move down.
    void (*copy)(void *user, uint32_t from, uint32_t to, uint32_t pages);
    void *user; ///< passed to all of them
} QuadMemory;

typedef struct QuadSegment {
    PageAllocator pages; ///< no pages: the segment has no memory
    QuadRun **owners;    ///< [pages] the run that begins or ends at each page
} QuadSegment;

typedef struct QuadLayout {
    QuadMemory memory;
    /// for the layout's own arrays; borrowed; NULL: trn_allocator_default()
    const TrnAllocator *allocator;
    uint32_t page_max; ///< of the largest segment
    QuadSegment segments[QUAD_SEGMENTS];
    uint32_t emptied;     ///< number of the segment being emptied, counted from 1; 0: none
    uint32_t quads;       ///< stored
    uint32_t lit;         ///< of these, quads with their own light
    uint32_t held_peak;   ///< highest number of pages of all segments together
    uint32_t denied;      ///< allocations to skip after a refusal
    uint32_t rest;        ///< frames until emptying is retried
    uint64_t moved_pages; ///< so far
} QuadLayout;

/// Takes pages for a chunk's quads; other runs may move.
/// @param quads   not 0
/// @param is_lit  takes pages for light too
/// @param run     receives their place, now and whenever they move; must not move in memory until
///                quad_layout_drop
/// @return false if the limit or the memory is exhausted; then nothing is taken
/// Cost: O(free runs), sometimes some copies; a frame or two of copies when memory is almost full.
bool quad_layout_put(QuadLayout *layout, uint32_t quads, bool is_lit, QuadRun *run);

/// Moves a run to another owner. @param to  as `run` of quad_layout_put
void quad_layout_move(QuadLayout *layout, QuadRun *from, QuadRun *to);

/// Frees the pages of a run. @param quads  as passed to quad_layout_put
void quad_layout_drop(QuadLayout *layout, uint32_t quads, QuadRun *run);

/// Call it once a frame: moves about `pages` pages (a run moves as a whole) to free unneeded
/// memory.
void quad_layout_step(QuadLayout *layout, uint32_t pages);

/// Whether a segment is being emptied.
bool quad_layout_is_moving(const QuadLayout *layout);

/// Returns the pages of all segments, and the number of pages in no run.
uint32_t quad_layout_held(const QuadLayout *layout);
uint32_t quad_layout_free_pages(const QuadLayout *layout);

/// Frees the segments. Remaining runs become invalid.
void quad_layout_free(QuadLayout *layout);
