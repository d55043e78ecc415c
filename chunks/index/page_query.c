// Queries over the planes of a page: which cells satisfy a condition on their own bits and on those
// of their neighbours.
//
// All arithmetic is on whole planes. It is written once, on vectors of eight words, and compiled
// for each instruction set. With AVX-512 a plane is one register.

#include "page.h"

#include <string.h>

/// The cells of a word whose x is 0, and those whose x is TRN_PAGE_LAST.
#define PAGE_X_FIRST UINT64_C(0x0101010101010101)
#define PAGE_X_LAST UINT64_C(0x8080808080808080)
static_assert(PAGE_X_LAST == PAGE_X_FIRST << TRN_PAGE_LAST, "the masks fit the edge");

/// A plane, or any set of the cells of a page: one word per y.
typedef uint64_t PagePlaneBits __attribute__((vector_size(sizeof(TrnPageWords))));

/// Everything below is inlined into one function per instruction set, so that no vector is passed
/// between functions with different calling conventions.
#define PAGE_INLINE static inline __attribute__((always_inline))

PAGE_INLINE void page_load(PagePlaneBits *bits, const TrnPage *page, TrnPlane plane)
{
#if defined(TRN_PAGE_WIDE_LOADS)
    memcpy(bits, (const void *)page->planes[plane], sizeof *bits);
#else
    for (uint32_t word = 0; word < TRN_PAGE_WORDS; word++) {
        (*bits)[word] = trn_page_word(page, plane, word);
    }
#endif
}

/// Loads a plane of a page; no bits if `page` is NULL.
PAGE_INLINE void page_load_or_none(PagePlaneBits *bits, const TrnPage *page, TrnPlane plane)
{
    if (page) {
        page_load(bits, page, plane);
    } else {
        memset(bits, 0, sizeof *bits);
    }
}

// Steps: the bits of each cell's neighbour in one direction. `there` is the plane of the page in
// that direction.
#define PAGE_STEP_POS_X(here, there)                                                               \
    ((((here) & ~PAGE_X_FIRST) >> 1) | (((there)&PAGE_X_FIRST) << TRN_PAGE_LAST))
#define PAGE_STEP_NEG_X(here, there)                                                               \
    ((((here) & ~PAGE_X_LAST) << 1) | (((there)&PAGE_X_LAST) >> TRN_PAGE_LAST))
#define PAGE_STEP_POS_Z(here, there)                                                               \
    ((here) >> TRN_PAGE_EDGE | (there) << (TRN_PAGE_WORD_BITS - TRN_PAGE_EDGE))
#define PAGE_STEP_NEG_Z(here, there)                                                               \
    ((here) << TRN_PAGE_EDGE | (there) >> (TRN_PAGE_WORD_BITS - TRN_PAGE_EDGE))
#define PAGE_STEP_POS_Y(here, there) __builtin_shufflevector(here, there, 1, 2, 3, 4, 5, 6, 7, 8)
#define PAGE_STEP_NEG_Y(here, there)                                                               \
    __builtin_shufflevector(there, here, 7, 8, 9, 10, 11, 12, 13, 14)
static_assert(TRN_PAGE_WORDS == 8, "the steps along y shuffle eight words");

/// Keeps the cells whose six neighbours are all set.
PAGE_INLINE void page_keep_all_faces(PagePlaneBits *kept, const TrnPage *page, TrnPlane plane)
{
    PagePlaneBits here, faces[TRN_FACE_COUNT];
    page_load(&here, page, plane);
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        page_load_or_none(&faces[face], trn_page_neighbour(page, (TrnFace)face), plane);
    }
    *kept &= PAGE_STEP_NEG_X(here, faces[TRN_FACE_NEG_X]) &
             PAGE_STEP_POS_X(here, faces[TRN_FACE_POS_X]) &
             PAGE_STEP_NEG_Y(here, faces[TRN_FACE_NEG_Y]) &
             PAGE_STEP_POS_Y(here, faces[TRN_FACE_POS_Y]) &
             PAGE_STEP_NEG_Z(here, faces[TRN_FACE_NEG_Z]) &
             PAGE_STEP_POS_Z(here, faces[TRN_FACE_POS_Z]);
}

/// Finds the cells that are set (`here`), and those whose two neighbours along x are set (`sides`).
PAGE_INLINE void page_row_sides(PagePlaneBits *here, PagePlaneBits *sides, const TrnPage *page,
                                TrnPlane plane)
{
    PagePlaneBits left, right;
    page_load_or_none(here, page, plane);
    page_load_or_none(&left, page ? trn_page_neighbour(page, TRN_FACE_NEG_X) : NULL, plane);
    page_load_or_none(&right, page ? trn_page_neighbour(page, TRN_FACE_POS_X) : NULL, plane);
    *sides = PAGE_STEP_NEG_X(*here, left) & PAGE_STEP_POS_X(*here, right);
}

/// Finds the cells whose eight neighbours at the same y are set (`ring`), and of these the ones
/// that are set themselves (`full`). A page reached only through a missing page counts as missing:
/// if the page behind a face is missing, no cell at that border has all its neighbours anyway.
PAGE_INLINE void page_flat(PagePlaneBits *ring, PagePlaneBits *full, const TrnPage *page,
                           TrnPlane plane)
{
    PagePlaneBits here, sides, before, before_sides, after, after_sides;
    page_row_sides(&here, &sides, page, plane);
    page_row_sides(&before, &before_sides, page ? trn_page_neighbour(page, TRN_FACE_NEG_Z) : NULL,
                   plane);
    page_row_sides(&after, &after_sides, page ? trn_page_neighbour(page, TRN_FACE_POS_Z) : NULL,
                   plane);
    PagePlaneBits row = here & sides;
    before &= before_sides;
    after &= after_sides;
    *ring = sides & PAGE_STEP_NEG_Z(row, before) & PAGE_STEP_POS_Z(row, after);
    *full = *ring & here;
}

/// Keeps the cells whose 26 neighbours are all set.
PAGE_INLINE void page_keep_all_around(PagePlaneBits *kept, const TrnPage *page, TrnPlane plane)
{
    PagePlaneBits ring, full, unused, below, above;
    page_flat(&ring, &full, page, plane);
    page_flat(&unused, &below, trn_page_neighbour(page, TRN_FACE_NEG_Y), plane);
    page_flat(&unused, &above, trn_page_neighbour(page, TRN_FACE_POS_Y), plane);
    *kept &= ring & PAGE_STEP_NEG_Y(full, below) & PAGE_STEP_POS_Y(full, above);
}

PAGE_INLINE void page_query(const TrnPage *page, const TrnPlaneQuery *query, TrnPageWords *words)
{
    PagePlaneBits kept, bits;
    page_load(&kept, page, (TrnPlane)__builtin_ctz(query->all));
    for (uint32_t set = query->all & (query->all - 1); set; set &= set - 1) {
        page_load(&bits, page, (TrnPlane)__builtin_ctz(set));
        kept &= bits;
    }
    for (uint32_t set = query->none; set; set &= set - 1) {
        page_load(&bits, page, (TrnPlane)__builtin_ctz(set));
        kept &= ~bits;
    }
    if (query->any) {
        PagePlaneBits any;
        memset(&any, 0, sizeof any);
        for (uint32_t set = query->any; set; set &= set - 1) {
            page_load(&bits, page, (TrnPlane)__builtin_ctz(set));
            any |= bits;
        }
        kept &= any;
    }
    for (uint32_t set = query->all_faces; set; set &= set - 1) {
        page_keep_all_faces(&kept, page, (TrnPlane)__builtin_ctz(set));
    }
    for (uint32_t set = query->all_around; set; set &= set - 1) {
        page_keep_all_around(&kept, page, (TrnPlane)__builtin_ctz(set));
    }
    memcpy(words, &kept, sizeof kept);
}

void trn_page_query_scalar(const TrnPage *page, const TrnPlaneQuery *query, TrnPageWords *words)
{
    page_query(page, query, words);
}

#if defined(TRN_PAGE_WIDE_LOADS)
__attribute__((target("avx512f"))) void
trn_page_query_avx512(const TrnPage *page, const TrnPlaneQuery *query, TrnPageWords *words)
{
    page_query(page, query, words);
}

__attribute__((target("avx2"))) void
trn_page_query_avx2(const TrnPage *page, const TrnPlaneQuery *query, TrnPageWords *words)
{
    page_query(page, query, words);
}
#endif
