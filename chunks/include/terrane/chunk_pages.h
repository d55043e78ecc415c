/// Terrane, pages of a chunk index (experimental): the size of a page, and figures of the pages and
/// the directory, for tools that show or measure an index. A game that uses an index needs nothing
/// of this.
///
/// Threads: as chunk_index.h says; a reader may call trn_chunk_index_pages and
/// trn_chunk_index_page_plane.
///
/// Tier: experimental.
#ifndef TERRANE_CHUNK_PAGES_H
#define TERRANE_CHUNK_PAGES_H

#include <stdbool.h>

#include <terrane/base.h>
#include <terrane/chunk_index.h>
#include <terrane/coord.h>

TRN_C_BEGIN

/// A page is a cube of cells; this is log2 of its edge. Page coordinates are chunk coordinates
/// shifted right by it, rounding down.
#define TRN_PAGE_SHIFT 3
/// Cells along the edge of a page.
#define TRN_PAGE_EDGE 8
/// Cells of a page.
#define TRN_PAGE_CELLS 512
/// Words of a plane of a page: one per y.
#define TRN_PAGE_WORDS 8
/// Bits of such a word: one per x and z.
#define TRN_PAGE_WORD_BITS 64

/// Returns the page coordinates of a chunk.
static inline TrnCoord trn_page_coord(TrnCoord chunk)
{
    TrnCoord page = {chunk.x >> TRN_PAGE_SHIFT, chunk.y >> TRN_PAGE_SHIFT,
                     chunk.z >> TRN_PAGE_SHIFT};
    return page;
}

/// Returns the chunks of a page. @param page  page coordinates, as trn_page_coord returns them
static inline TrnBox trn_page_chunks(TrnCoord page)
{
    const int32_t edge = TRN_PAGE_EDGE, last = TRN_PAGE_EDGE - 1;
    TrnBox chunks = {{page.x * edge, page.y * edge, page.z * edge},
                     {page.x * edge + last, page.y * edge + last, page.z * edge + last}};
    return chunks;
}

/// Returns the bit of a chunk in a plane of its page.
/// @param words  as trn_chunk_index_page_plane writes them
static inline bool trn_page_words_test(const uint64_t words[TRN_PAGE_WORDS], TrnCoord chunk)
{
    const uint32_t mask = TRN_PAGE_EDGE - 1;
    uint32_t bit = ((uint32_t)chunk.x & mask) | ((uint32_t)chunk.z & mask) << TRN_PAGE_SHIFT;
    return words[(uint32_t)chunk.y & mask] >> bit & 1;
}

/// One page.
typedef struct TrnPageFigures {
    TrnCoord chunk;  ///< its lowest chunk
    bool is_outlier; ///< in the outlier hash, outside the directory
    bool is_sparse;  ///< lists its chunks, because they are few
    /// Set bits of each plane, 0..TRN_PAGE_CELLS; 0 for planes that do not exist.
    uint16_t counts[TRN_PLANE_COUNT_MAX];
} TrnPageFigures;

/// Lists the pages that a box reaches into: those of the directory in memory order (x fastest, then
/// z, then y), then outlier pages, in the order of trn_chunk_index_gather.
/// @param box  chunk coordinates, both corners inclusive
/// @param out  [capacity] receives them; caller owns; may be NULL when capacity is 0
/// @return how many pages match; only the first `capacity` are written
/// While the writer runs, it lists every page that existed throughout the call. Counts are read
/// word by word, so words of one count may differ in age.
/// Threads: as gathers, wait-free. Cost: O(directory cells in the box + planes of pages
/// written).
TRN_API size_t trn_chunk_index_pages(const TrnChunkIndex *index, TrnBox box, TrnPageFigures *out,
                                     size_t capacity);

/// Copies the bits of a plane in the page of a chunk; trn_page_words_test reads them.
/// @param words  receives one word per y, from the lowest; in it x runs fastest, then z. Zeroes if
///               the page or the plane does not exist
/// @return whether both exist
/// Threads: as trn_chunk_index_plane_test. O(1), wait-free.
TRN_API bool trn_chunk_index_page_plane(const TrnChunkIndex *index, TrnCoord chunk, TrnPlane plane,
                                        uint64_t words[TRN_PAGE_WORDS]);

/// How many reshapes of its directory an index remembers.
#define TRN_DIRECTORY_STEPS_MAX 16

/// A reshape of the directory: it grew, shrank, was reserved or cleared.
typedef struct TrnDirectoryStep {
    uint64_t number; ///< 1 for the first reshape of the index, and so on
    TrnBox from;     ///< in pages, before the reshape; an empty box for no directory
    TrnBox to;       ///< in pages, after the reshape; an empty box for no directory
    size_t pages;    ///< in the directory before the reshape
    /// Microseconds it took, over all the calls that built it; 0 for trn_chunk_index_clear.
    double us;
} TrnDirectoryStep;

/// Copies the last reshapes, oldest first. @return how many, at most TRN_DIRECTORY_STEPS_MAX
/// Threads: the writer. O(1).
TRN_API size_t trn_chunk_index_directory_steps(const TrnChunkIndex *index,
                                               TrnDirectoryStep out[TRN_DIRECTORY_STEPS_MAX]);

TRN_C_END
#endif
