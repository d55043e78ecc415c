/// Private: a page of the chunk index, 8 x 8 x 8 cells, and the arithmetic of its bits.
///
/// Cells are ordered like voxels in a chunk: x fastest, then z, then y. Eight by eight cells of one
/// y are one 64-bit word, so that a step along x is a shift by one, along z by eight, along y the
/// next word.
#ifndef TERRANE_INDEX_PAGE_H
#define TERRANE_INDEX_PAGE_H

#include <stdatomic.h>
#include <stdbool.h>

#include <terrane/chunk_index.h>

#include "base/cpu.h"

typedef struct TrnPage TrnPage;

/// Readers look at pages while the writer changes them: what both touch is atomic. A page is 64
/// bytes of header, 2 KiB of values and 64 bytes per plane.
struct TrnPage {
    /// of the page: chunk coordinates shifted right by TRN_PAGE_SHIFT; never changes
    TrnCoord coord;
    _Atomic(TrnPage *) neighbours[TRN_FACE_COUNT];
    _Atomic(uint32_t) values[TRN_PAGE_CELLS]; ///< of the cells that are present
    _Atomic(uint64_t) planes[][TRN_PAGE_EDGE];
};

/// The words of one plane of a page, or of any set of its cells, one per y.
typedef struct TrnPageWords {
    uint64_t y[TRN_PAGE_EDGE];
} TrnPageWords;

static inline size_t trn_page_bytes(uint32_t plane_count)
{
    return sizeof(TrnPage) + plane_count * sizeof(uint64_t[TRN_PAGE_EDGE]);
}

static inline TrnCoord trn_page_coord(TrnCoord chunk)
{
    TrnCoord page = {chunk.x >> TRN_PAGE_SHIFT, chunk.y >> TRN_PAGE_SHIFT,
                     chunk.z >> TRN_PAGE_SHIFT};
    return page;
}

static inline uint32_t trn_page_y(TrnCoord chunk)
{
    return (uint32_t)chunk.y & (TRN_PAGE_EDGE - 1);
}

/// The bit of a chunk in the word of its y.
static inline uint32_t trn_page_bit(TrnCoord chunk)
{
    const uint32_t mask = TRN_PAGE_EDGE - 1;
    return ((uint32_t)chunk.x & mask) | ((uint32_t)chunk.z & mask) << TRN_PAGE_SHIFT;
}

static inline uint32_t trn_page_cell(TrnCoord chunk)
{
    return trn_page_bit(chunk) | trn_page_y(chunk) << (2 * TRN_PAGE_SHIFT);
}

/// The chunk of a cell of a page.
static inline TrnCoord trn_page_chunk(const TrnPage *page, uint32_t y, uint32_t bit)
{
    // Multiplied as unsigned: shifting a negative coordinate left is undefined.
    TrnCoord chunk = {
        (int32_t)((uint32_t)page->coord.x * TRN_PAGE_EDGE + (bit & (TRN_PAGE_EDGE - 1))),
        (int32_t)((uint32_t)page->coord.y * TRN_PAGE_EDGE + y),
        (int32_t)((uint32_t)page->coord.z * TRN_PAGE_EDGE + (bit >> TRN_PAGE_SHIFT))};
    return chunk;
}

/// One word of a plane. Acquire: whoever sees a bit also sees the value that was stored before it.
static inline uint64_t trn_page_word(const TrnPage *page, TrnPlane plane, uint32_t y)
{
    return atomic_load_explicit(&page->planes[plane][y], memory_order_acquire);
}

static inline bool trn_page_test(const TrnPage *page, TrnPlane plane, TrnCoord chunk)
{
    return trn_page_word(page, plane, trn_page_y(chunk)) >> trn_page_bit(chunk) & 1;
}

/// Acquire, as values are stored with release: a reader may see the bit of one insert and the value
/// of a later one at the same cell, and must see what the writer did before that one (the chunk
/// that the value stands for).
static inline uint32_t trn_page_value(const TrnPage *page, uint32_t cell)
{
    return atomic_load_explicit(&page->values[cell], memory_order_acquire);
}

static inline TrnPage *trn_page_neighbour(const TrnPage *page, TrnFace face)
{
    return atomic_load_explicit(&page->neighbours[face], memory_order_acquire);
}

/// Replaces one word of a plane. For the writer: it alone stores, so no read-modify-write is
/// needed.
static inline void trn_page_store(TrnPage *page, TrnPlane plane, uint32_t y, uint64_t word)
{
    atomic_store_explicit(&page->planes[plane][y], word, memory_order_release);
}

/// Whether no plane has a bit. A count beside the bits would cost every write two population
/// counts; this is asked only when a word has become empty.
static inline bool trn_page_is_empty(const TrnPage *page, uint32_t plane_count)
{
    uint64_t any = 0;
    for (TrnPlane plane = 0; plane < plane_count; plane++) {
        for (uint32_t y = 0; y < TRN_PAGE_EDGE; y++) {
            any |= atomic_load_explicit(&page->planes[plane][y], memory_order_relaxed);
        }
    }
    return any == 0;
}

/// The cells of a page that lie in a box of chunks. @return whether there are any
bool trn_page_clip(const TrnPage *page, TrnBox box, TrnPageWords *words);

/// Keeps of `words` the cells that reach into a frustum. @return whether any is left
bool trn_page_clip_frustum(const TrnPage *page, const TrnFrustum *frustum, TrnPageWords *words);

/// Values that a compress may write beyond the last one.
#define TRN_PAGE_SLACK 16

/// The inner loops, as fast as a machine can run them.
typedef struct TrnPageKernels {
    const char *name; ///< "AVX-512", "AVX2" or "scalar"
    /// Writes the values of the cells in `words` in order of the cells, and returns how many there
    /// are.
    /// @param out  room for TRN_PAGE_CELLS + TRN_PAGE_SLACK values, whatever the number of cells
    size_t (*compress)(const TrnPage *page, const TrnPageWords *words, uint32_t *out);
    /// The cells of a page that a query holds for. Pages around it are followed as far as the query
    /// asks.
    void (*query)(const TrnPage *page, const TrnPlaneQuery *query, TrnPageWords *words);
} TrnPageKernels;

/// All sets of TrnPageKernels.
extern const TrnKernelTable trn_page_kernels;

/// What each instruction set brings; see page_query.c.
void trn_page_query_avx512(const TrnPage *page, const TrnPlaneQuery *query, TrnPageWords *words);
void trn_page_query_avx2(const TrnPage *page, const TrnPlaneQuery *query, TrnPageWords *words);
void trn_page_query_scalar(const TrnPage *page, const TrnPlaneQuery *query, TrnPageWords *words);

/// Wide loads of what the writer may be storing to: fine where an aligned lane never tears and
/// loads are not reordered, but a race to ThreadSanitizer, whose builds get the scalar twin alone.
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
#define TRN_PAGE_WIDE_LOADS 1
#endif
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#undef TRN_PAGE_WIDE_LOADS
#endif
#endif

#endif
