/// Private: a page of the chunk index, the arithmetic of its cells and bits, the full form of a
/// page, and its kernels.
///
/// A page has one of two forms. A full page (here) has a value for each of its cells, and a bit for
/// each cell and plane. A sparse page (page_sparse.h) lists the few cells that have any bit. The
/// lowest bit of a TrnPage pointer tells the form, so that a look-up in a full page reads nothing
/// in addition. page_forms.h has what works on both.
///
/// Cells are ordered like voxels in a chunk: x fastest, then z, then y. The cells of one y are one
/// 64-bit word. So a step along x is a shift by one, a step along z a shift by TRN_PAGE_EDGE, and a
/// step along y the next word. Another layout changes this file, page.c, page_sparse.h,
/// page_sparse.c, page_forms.c, page_compress.c, page_query.c, chunk_index_neighbours.c and the
/// accessors in chunk_index.h.
#ifndef TERRANE_INDEX_PAGE_H
#define TERRANE_INDEX_PAGE_H

#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>

#include <terrane/chunk_index.h>

#include "base/cpu.h"
#include "base/memory.h"

static_assert(TRN_PAGE_EDGE == 1 << TRN_PAGE_SHIFT, "the shift is log2 of the edge");
static_assert(TRN_PAGE_CELLS == TRN_PAGE_EDGE * TRN_PAGE_EDGE * TRN_PAGE_EDGE, "a cube");
static_assert(TRN_PAGE_WORD_BITS == 8 * sizeof(uint64_t), "a word is a uint64_t");
static_assert(TRN_PAGE_WORD_BITS == TRN_PAGE_EDGE * TRN_PAGE_EDGE, "a word is one y of a page");
static_assert(TRN_PAGE_WORDS * TRN_PAGE_WORD_BITS == TRN_PAGE_CELLS, "a plane has all cells");

/// The last coordinate within a page, and the mask of one.
#define TRN_PAGE_LAST (TRN_PAGE_EDGE - 1)

/// All bits of a row of cells along x.
#define TRN_PAGE_ROW_BITS ((UINT64_C(1) << TRN_PAGE_EDGE) - 1)

/// What pages of both forms start with. A pointer to it may be tagged: read it through
/// trn_page_coord_of, trn_page_full and trn_page_sparse only.
typedef struct TrnPage {
    TrnCoord coord; ///< page coordinates; never changes
} TrnPage;

/// Readers read pages while the writer changes them, so what both touch is atomic. A full page is
/// 64 bytes of header, 2 KiB of values and 64 bytes per plane.
typedef struct TrnFullPage {
    TrnPage head;
    /// The full page behind each face, NULL if there is no page, or TRN_PAGE_SPARSE_LINK.
    _Atomic(TrnPage *) neighbours[TRN_FACE_COUNT];
    /// Valid for present cells. Aligned, since pointers of 4 bytes do not fill the header.
    _Alignas(TRN_CACHE_LINE) _Atomic(uint32_t) values[TRN_PAGE_CELLS];
    _Atomic(uint64_t) planes[][TRN_PAGE_WORDS];
} TrnFullPage;

/// The tag of a pointer to a sparse page.
#define TRN_PAGE_SPARSE_TAG ((uintptr_t)1)

/// The link of a full page to a sparse one: look it up in the map. So copying a sparse page changes
/// no link.
#define TRN_PAGE_SPARSE_LINK ((TrnPage *)TRN_PAGE_SPARSE_TAG)

/// The words of one plane of a page, or of any set of its cells.
typedef struct TrnPageWords {
    uint64_t words[TRN_PAGE_WORDS];
} TrnPageWords;

static inline size_t trn_full_page_bytes(uint32_t plane_count)
{
    return sizeof(TrnFullPage) + plane_count * sizeof(uint64_t[TRN_PAGE_WORDS]);
}

// ---- pointers ----------------------------------------------------------------------------------

/// Returns whether a page is sparse; false for NULL.
static inline bool trn_page_is_sparse(const TrnPage *page)
{
    return ((uintptr_t)page & TRN_PAGE_SPARSE_TAG) != 0;
}

/// Returns whether there is a page, and it is full.
static inline bool trn_page_is_full(const TrnPage *page)
{
    return page && !trn_page_is_sparse(page);
}

static inline TrnFullPage *trn_page_full(const TrnPage *page)
{
    return (TrnFullPage *)(uintptr_t)page;
}

/// Returns the page coordinates of a page of either form.
static inline TrnCoord trn_page_coord_of(const TrnPage *page)
{
    return ((const TrnPage *)((uintptr_t)page & ~TRN_PAGE_SPARSE_TAG))->coord;
}

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

/// Returns the coordinates of the page behind a face. Pages wrap where chunks do.
static inline TrnCoord trn_page_coord_behind(TrnCoord page, TrnFace face)
{
    const TrnCoord chunk = trn_page_chunks(page).min;
    const int32_t step = (face & 1) ? TRN_PAGE_EDGE : -TRN_PAGE_EDGE;
    const int axis = (int)face / 2;
    return trn_page_coord(
        trn_coord_add(chunk, axis == 0 ? step : 0, axis == 1 ? step : 0, axis == 2 ? step : 0));
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

// ---- words, values and links of full pages -----------------------------------------------------

/// Loads one word of a plane. Acquire: a reader that sees a bit also sees the value stored before
/// it.
static inline uint64_t trn_full_page_word(const TrnFullPage *page, TrnPlane plane, uint32_t word)
{
    return atomic_load_explicit(&page->planes[plane][word], memory_order_acquire);
}

static inline bool trn_full_page_test(const TrnFullPage *page, TrnPlane plane, TrnCoord chunk)
{
    return trn_full_page_word(page, plane, trn_page_word_of(chunk)) >> trn_page_bit_of(chunk) & 1;
}

/// Loads the value of a cell. Acquire, as values are stored with release: a reader may see the bit
/// of one insert and the value of a later one at the same cell. It must then see what the writer
/// did before the later one (the chunk that the value stands for).
static inline uint32_t trn_full_page_value(const TrnFullPage *page, uint32_t cell)
{
    return atomic_load_explicit(&page->values[cell], memory_order_acquire);
}

static inline void trn_full_page_set_value(TrnFullPage *page, uint32_t cell, uint32_t value)
{
    atomic_store_explicit(&page->values[cell], value, memory_order_release);
}

/// Loads the link to the page behind a face: a full page, NULL, or TRN_PAGE_SPARSE_LINK.
static inline TrnPage *trn_full_page_link(const TrnFullPage *page, TrnFace face)
{
    return atomic_load_explicit(&page->neighbours[face], memory_order_acquire);
}

/// Stores one word of a plane. Only the writer stores, so it needs no read-modify-write.
static inline void trn_full_page_store(TrnFullPage *page, TrnPlane plane, uint32_t word,
                                       uint64_t bits)
{
    atomic_store_explicit(&page->planes[plane][word], bits, memory_order_release);
}

// ---- cells of either form ----------------------------------------------------------------------

/// Finds the cells of a page that lie in a box of chunks. @return whether there are any
/// @param page  page coordinates
bool trn_page_clip(TrnCoord page, TrnBox box, TrnPageWords *words);

/// Keeps of `words` the cells that reach into a frustum. @return whether any is left
/// @param page  page coordinates
bool trn_page_clip_frustum(TrnCoord page, const TrnFrustum *frustum, TrnPageWords *words);

// ---- kernels -----------------------------------------------------------------------------------

/// How many values a compress kernel may write beyond the last one.
#define TRN_PAGE_SLACK 16

struct TrnPageMap;

/// The inner loops over full pages for one instruction set.
typedef struct TrnPageKernels {
    const char *name; ///< "AVX-512", "AVX2", "NEON", "SIMD128" or "scalar"
    /// Writes the values of the cells in `words` in cell order. Returns how many there are.
    /// @param out  [TRN_PAGE_CELLS + TRN_PAGE_SLACK], for any number of cells
    size_t (*compress)(const TrnFullPage *page, const TrnPageWords *words, uint32_t *out);
    /// Finds the cells of a page that satisfy a query.
    /// @param map  has the sparse pages around it
    void (*query)(const struct TrnPageMap *map, const TrnFullPage *page, const TrnPlaneQuery *query,
                  TrnPageWords *words);
} TrnPageKernels;

/// The kernels for every instruction set, fastest first; the last is the scalar twin.
extern const TrnKernelTable trn_page_kernels;

/// The query kernel for each instruction set; see page_query.c.
void trn_page_query_avx512(const struct TrnPageMap *map, const TrnFullPage *page,
                           const TrnPlaneQuery *query, TrnPageWords *words);
void trn_page_query_avx2(const struct TrnPageMap *map, const TrnFullPage *page,
                         const TrnPlaneQuery *query, TrnPageWords *words);
void trn_page_query_scalar(const struct TrnPageMap *map, const TrnFullPage *page,
                           const TrnPlaneQuery *query, TrnPageWords *words);

/// How kernels load several words or values at once that the writer stores concurrently:
/// - TRN_PAGE_WIDE_LOADS: whole vectors by plain loads. On x86-64 and 64-bit ARM an aligned lane
///   never tears, and in WebAssembly without threads there is no other writer.
/// - TRN_PAGE_PAIR_LOADS: eight bytes by an atomic load. With threads WebAssembly promises nothing
///   of the lanes of a plain load.
/// - Neither: one at a time, by the scalar twins. ThreadSanitizer reports the others as races.
#if defined(__SANITIZE_THREAD__)
#define TRN_PAGE_SINGLE_LOADS 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TRN_PAGE_SINGLE_LOADS 1
#endif
#endif
#if !defined(TRN_PAGE_SINGLE_LOADS) && defined(TRN_VECTORS) && defined(__wasm_atomics__)
#define TRN_PAGE_PAIR_LOADS 1
#elif !defined(TRN_PAGE_SINGLE_LOADS) && (defined(__x86_64__) || defined(TRN_VECTORS))
#define TRN_PAGE_WIDE_LOADS 1
#endif

/// Ends a kernel's wide loads: what is read later is at least as new, as after acquire loads.
/// x86-64 does not reorder loads.
static inline void trn_page_wide_loads_end(void)
{
#if defined(TRN_PAGE_WIDE_LOADS) && !defined(__x86_64__)
    atomic_thread_fence(memory_order_acquire);
#endif
}

#endif
