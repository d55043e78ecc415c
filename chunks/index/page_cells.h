/// Private: the cells of a page, whatever its form: the arithmetic of their coordinates, words and
/// bits, and sets of them.
///
/// Cells are ordered like voxels in a chunk: x fastest, then z, then y. The cells of one y are one
/// 64-bit word. So a step along x is a shift by one, a step along z a shift by TRN_PAGE_EDGE, and a
/// step along y the next word. Another layout changes this file, the page_*.c files, page.h,
/// page_sparse.h, chunk_index_gather.c and the accessors in chunk_pages.h.
#ifndef TERRANE_INDEX_PAGE_CELLS_H
#define TERRANE_INDEX_PAGE_CELLS_H

#include <assert.h>
#include <stdbool.h>

#include <terrane/chunk_pages.h>

static_assert(TRN_PAGE_EDGE == 1 << TRN_PAGE_SHIFT, "the shift is log2 of the edge");
static_assert(TRN_PAGE_CELLS == TRN_PAGE_EDGE * TRN_PAGE_EDGE * TRN_PAGE_EDGE, "a cube");
static_assert(TRN_PAGE_WORD_BITS == 8 * sizeof(uint64_t), "a word is a uint64_t");
static_assert(TRN_PAGE_WORD_BITS == TRN_PAGE_EDGE * TRN_PAGE_EDGE, "a word is one y of a page");
static_assert(TRN_PAGE_WORDS * TRN_PAGE_WORD_BITS == TRN_PAGE_CELLS, "a plane has all cells");

/// The last coordinate within a page, and the mask of one.
#define TRN_PAGE_LAST (TRN_PAGE_EDGE - 1)

/// All bits of a row of cells along x.
#define TRN_PAGE_ROW_BITS ((UINT64_C(1) << TRN_PAGE_EDGE) - 1)

/// The words of one plane of a page, or of any set of its cells.
typedef struct TrnPageWords {
    uint64_t words[TRN_PAGE_WORDS];
} TrnPageWords;

// ---- coordinates -------------------------------------------------------------------------------

/// Returns the pages that a box of chunks reaches into.
static inline TrnBox trn_page_box(TrnBox chunks)
{
    TrnBox pages = {trn_page_coord(chunks.min), trn_page_coord(chunks.max)};
    return pages;
}

/// Returns the pages that lie wholly inside a box of chunks; an empty box if there are none.
static inline TrnBox trn_page_box_inside(TrnBox chunks)
{
    TrnBox inner = trn_page_box(chunks);
    inner.min.x += (chunks.min.x & TRN_PAGE_LAST) != 0;
    inner.min.y += (chunks.min.y & TRN_PAGE_LAST) != 0;
    inner.min.z += (chunks.min.z & TRN_PAGE_LAST) != 0;
    inner.max.x -= (chunks.max.x & TRN_PAGE_LAST) != TRN_PAGE_LAST;
    inner.max.y -= (chunks.max.y & TRN_PAGE_LAST) != TRN_PAGE_LAST;
    inner.max.z -= (chunks.max.z & TRN_PAGE_LAST) != TRN_PAGE_LAST;
    return inner;
}

/// Returns which word of a plane holds a chunk.
static inline uint32_t trn_page_word_of(TrnCoord chunk)
{
    return (uint32_t)chunk.y & TRN_PAGE_LAST;
}

/// Returns which bit of its word a chunk is.
static inline uint32_t trn_page_bit_of(TrnCoord chunk)
{
    return ((uint32_t)chunk.x & TRN_PAGE_LAST) | ((uint32_t)chunk.z & TRN_PAGE_LAST)
                                                     << TRN_PAGE_SHIFT;
}

/// Returns the cell of a bit of a word.
static inline uint32_t trn_page_cell(uint32_t word, uint32_t bit)
{
    return word * TRN_PAGE_WORD_BITS + bit;
}

/// Returns the cell of a chunk in its page.
static inline uint32_t trn_page_cell_of(TrnCoord chunk)
{
    return trn_page_cell(trn_page_word_of(chunk), trn_page_bit_of(chunk));
}

/// Returns the chunk of a bit of a word of a page.
/// @param page  page coordinates
static inline TrnCoord trn_page_chunk(TrnCoord page, uint32_t word, uint32_t bit)
{
    // Multiplied as unsigned, because shifting a negative coordinate left is undefined.
    TrnCoord chunk = {(int32_t)((uint32_t)page.x * TRN_PAGE_EDGE + (bit & TRN_PAGE_LAST)),
                      (int32_t)((uint32_t)page.y * TRN_PAGE_EDGE + word),
                      (int32_t)((uint32_t)page.z * TRN_PAGE_EDGE + (bit >> TRN_PAGE_SHIFT))};
    return chunk;
}

// ---- sets of cells -----------------------------------------------------------------------------

/// Finds the cells of a page that lie in a box of chunks. @return whether there are any
/// @param page  page coordinates
bool trn_page_clip(TrnCoord page, TrnBox box, TrnPageWords *words);

/// Keeps of `words` the cells that reach into a frustum. @return whether any is left
/// @param page  page coordinates
bool trn_page_clip_frustum(TrnCoord page, const TrnFrustum *frustum, TrnPageWords *words);

#endif
