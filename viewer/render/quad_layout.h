/// Where the quads of every chunk lie on the graphics card, and when they move.
///
/// Memory is up to fifteen segments of pages of 32 quads, each of a size of its own; a chunk's
/// quads are one run of pages in one of them. New runs go where they fit best. When they fit
/// nowhere, a segment is added, a part in 24 as large as all runs: nothing moves for it. When 8 %
/// are free, the segment with the least in it is emptied into the holes of the others, some pages a
/// frame, and given back. Only where the segments are used up, or have become too large to be
/// emptied into holes, one is replaced by a larger or a smaller one. So what is held beyond the
/// quads stays within limits while everything comes and goes, and no move is ever large.
///
/// All zeroes and a def make a layout. Nothing here calls OpenGL: memory is what QuadMemory makes
/// of it.
#ifndef TERRANE_VIEWER_QUAD_LAYOUT_H
#define TERRANE_VIEWER_QUAD_LAYOUT_H

#include "render/page_allocator.h"

// Of pages of 8, 16, 32, 64 and 128 quads with 8 bytes that name the chunk, those of 32 take the
// least memory over the quads alone in all the built-in lands: 5.0 % in the default one, where a
// chunk that shows something shows 916 quads on average. (13.0, 7.2, 5.4 and 8.5 % for the others.)
#define QUAD_PAGE_SHIFT 5
#define QUAD_PAGE_QUADS (1u << QUAD_PAGE_SHIFT)
#define QUAD_BYTES 8u
#define QUAD_VERTICES 6u     ///< two triangles
#define QUAD_PAGE_BYTES 264u ///< its chunk, and its quads

/// With the texture of the blocks' colours as many as OpenGL 3.3 lets every vertex shader read.
#define QUAD_SEGMENTS 15u
#define QUAD_SEGMENT_PAGES_MIN 1024u

/// A chunk's quads. All zeroes has none.
typedef struct QuadRun {
    uint32_t first; ///< segment and page, see quad_place_segment
    uint32_t pages;
} QuadRun;

// Pages are numbered through all segments, so that vertices are: with 6 a quad, 31 bits are
// enough.
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

/// What the segments lie in.
typedef struct QuadMemory {
    /// Takes memory for a segment that has none. @return false when there is none
    bool (*create)(void *user, uint32_t segment, uint32_t pages);
    void (*free)(void *user, uint32_t segment);
    /// Copies pages from place to place. Inside a segment they may overlap, and then move down.
    void (*copy)(void *user, uint32_t from, uint32_t to, uint32_t pages);
    void *user; ///< handed to all of them
} QuadMemory;

typedef struct QuadSegment {
    PageAllocator pages; ///< none where it has no memory
    QuadRun **owners;    ///< [pages] at the first and the last page of each run: whose it is
} QuadSegment;

typedef struct QuadLayout {
    QuadMemory memory;
    /// for what is noted here; borrowed; NULL: trn_allocator_default()
    const TrnAllocator *allocator;
    uint32_t page_max; ///< as many as a segment may have
    QuadSegment segments[QUAD_SEGMENTS];
    uint32_t emptied;   ///< the segment that is being emptied, counted from 1; 0: none
    uint32_t quads;     ///< held
    uint32_t held_peak; ///< most pages that all segments had together
    uint32_t denied;    ///< how often not to ask for memory, after it was refused
    uint32_t rest;      ///< frames in which nothing more is emptied, since there was no room for it
    uint64_t moved_pages; ///< so far
} QuadLayout;

/// Takes pages for a chunk's quads, which may move others.
/// @param quads  not 0
/// @param run    receives where they are, now and whenever they move: it has to stay where it is
///               until quad_layout_drop
/// @return false when the limit or the memory is reached; then nothing has been taken
/// Cost: O(free runs), and sometimes some copies; a frame or two of those where the memory is
/// almost full.
bool quad_layout_put(QuadLayout *layout, uint32_t quads, QuadRun *run);

/// Gives the pages back. @param quads  as many as were put
void quad_layout_drop(QuadLayout *layout, uint32_t quads, QuadRun *run);

/// To be called once a frame: moves at most some `pages` pages (a run is moved whole) to give
/// memory back that is not needed.
void quad_layout_step(QuadLayout *layout, uint32_t pages);

/// Whether a segment is being emptied.
bool quad_layout_is_moving(const QuadLayout *layout);

/// Pages of memory that there are, and of them those in no run.
uint32_t quad_layout_held(const QuadLayout *layout);
uint32_t quad_layout_free_pages(const QuadLayout *layout);

/// Frees the segments. Runs that are still there lie nowhere.
void quad_layout_free(QuadLayout *layout);

#endif
