// Queries over the planes of a page: which cells satisfy a condition on their own bits and on those
// of their neighbours.
//
// All arithmetic is on whole planes. It is written once, on vectors of eight words, and compiled
// for each instruction set. With AVX-512 a plane is one register.
//
// The kernels follow the links between full pages. If one of these links leads to a sparse page,
// the page is evaluated again by page_query_around, which finds the pages around it in the map.

#include "page_query.h"

#include <string.h>

#include "base/lanes.h"

/// The cells of a word whose x is 0, and those whose x is TRN_PAGE_LAST.
#define PAGE_X_FIRST UINT64_C(0x0101010101010101)
#define PAGE_X_LAST UINT64_C(0x8080808080808080)
static_assert(PAGE_X_LAST == PAGE_X_FIRST << TRN_PAGE_LAST, "the masks fit the edge");

/// A plane, or any set of the cells of a page: one word per y.
typedef uint64_t PagePlaneBits __attribute__((vector_size(sizeof(TrnPageWords))));

/// Everything below is inlined into one function per instruction set, so that no vector is passed
/// between functions with different calling conventions.
#define PAGE_INLINE static inline __attribute__((always_inline))

/// Loads the words of a plane of a full page, or of a copy of a plane.
PAGE_INLINE void page_load_words(PagePlaneBits *bits, const _Atomic(uint64_t) *words)
{
#if defined(TRN_PAGE_WIDE_LOADS)
    memcpy(bits, (const void *)words, sizeof *bits);
#else
    for (uint32_t word = 0; word < TRN_PAGE_WORDS; word++) {
        (*bits)[word] = atomic_load_explicit(&words[word], memory_order_acquire);
    }
#endif
}

PAGE_INLINE void page_load(PagePlaneBits *bits, const TrnFullPage *page, TrnPlane plane)
{
    page_load_words(bits, page->planes[plane]);
}

/// Loads a plane of a page; no bits if `page` is NULL.
PAGE_INLINE void page_load_or_none(PagePlaneBits *bits, const TrnFullPage *page, TrnPlane plane)
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
#define PAGE_STEP_POS_Y(here, there) TRN_SHUFFLE(PagePlaneBits, here, there, 1, 2, 3, 4, 5, 6, 7, 8)
#define PAGE_STEP_NEG_Y(here, there)                                                               \
    TRN_SHUFFLE(PagePlaneBits, there, here, 7, 8, 9, 10, 11, 12, 13, 14)
static_assert(TRN_PAGE_WORDS == 8, "the steps along y shuffle eight words");

/// Keeps the cells whose six neighbours are set.
/// @param faces  the plane of the page behind each face
PAGE_INLINE void page_keep_faces(PagePlaneBits *kept, const PagePlaneBits *here,
                                 const PagePlaneBits faces[TRN_FACE_COUNT])
{
    *kept &= PAGE_STEP_NEG_X(*here, faces[TRN_FACE_NEG_X]) &
             PAGE_STEP_POS_X(*here, faces[TRN_FACE_POS_X]) &
             PAGE_STEP_NEG_Y(*here, faces[TRN_FACE_NEG_Y]) &
             PAGE_STEP_POS_Y(*here, faces[TRN_FACE_POS_Y]) &
             PAGE_STEP_NEG_Z(*here, faces[TRN_FACE_NEG_Z]) &
             PAGE_STEP_POS_Z(*here, faces[TRN_FACE_POS_Z]);
}

/// The middle page of a row of three along x: the cells that are set, and those whose two
/// neighbours along x are set.
typedef struct PageRow {
    PagePlaneBits here, sides;
} PageRow;

PAGE_INLINE void page_row(PageRow *row, const PagePlaneBits *here, const PagePlaneBits *left,
                          const PagePlaneBits *right)
{
    row->here = *here;
    row->sides = PAGE_STEP_NEG_X(*here, *left) & PAGE_STEP_POS_X(*here, *right);
}

/// The middle page of nine at the same y: the cells whose eight neighbours at that y are set, and
/// of these the ones that are set themselves.
typedef struct PageLayer {
    PagePlaneBits ring, full;
} PageLayer;

/// @param before, after  the rows along z
PAGE_INLINE void page_layer(PageLayer *layer, const PageRow *row, const PageRow *before,
                            const PageRow *after)
{
    const PagePlaneBits in_row = row->here & row->sides;
    const PagePlaneBits in_before = before->here & before->sides;
    const PagePlaneBits in_after = after->here & after->sides;
    layer->ring =
        row->sides & PAGE_STEP_NEG_Z(in_row, in_before) & PAGE_STEP_POS_Z(in_row, in_after);
    layer->full = layer->ring & row->here;
}

/// Keeps the cells whose 26 neighbours are set.
PAGE_INLINE void page_keep_around(PagePlaneBits *kept, const PageLayer *layer,
                                  const PageLayer *below, const PageLayer *above)
{
    *kept &= layer->ring & PAGE_STEP_NEG_Y(layer->full, below->full) &
             PAGE_STEP_POS_Y(layer->full, above->full);
}

// ---- along links -------------------------------------------------------------------------------

/// Returns the full page behind a face, or NULL. @param page  may be NULL
/// @param tags  gets the bits of the link: TRN_PAGE_SPARSE_TAG if a sparse page is there
PAGE_INLINE const TrnFullPage *page_linked(const TrnFullPage *page, TrnFace face, uintptr_t *tags)
{
    if (!page) {
        return NULL;
    }
    const TrnPage *link = trn_full_page_link(page, face);
    *tags |= (uintptr_t)link;
    return link == TRN_PAGE_SPARSE_LINK ? NULL : trn_page_full(link);
}

/// Keeps the cells whose six neighbours are all set.
PAGE_INLINE void page_keep_all_faces(PagePlaneBits *kept, const TrnFullPage *page, TrnPlane plane,
                                     uintptr_t *tags)
{
    PagePlaneBits here, faces[TRN_FACE_COUNT];
    page_load(&here, page, plane);
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        page_load_or_none(&faces[face], page_linked(page, (TrnFace)face, tags), plane);
    }
    page_keep_faces(kept, &here, faces);
}

/// Finds a row. @param page  the middle one; may be NULL
PAGE_INLINE void page_linked_row(PageRow *row, const TrnFullPage *page, TrnPlane plane,
                                 uintptr_t *tags)
{
    PagePlaneBits here, left, right;
    page_load_or_none(&here, page, plane);
    page_load_or_none(&left, page_linked(page, TRN_FACE_NEG_X, tags), plane);
    page_load_or_none(&right, page_linked(page, TRN_FACE_POS_X, tags), plane);
    page_row(row, &here, &left, &right);
}

/// Finds a layer. A page reached only through a missing page counts as missing: if the page behind
/// a face is missing, no cell at that border has all its neighbours anyway.
/// @param page  the middle one; may be NULL
PAGE_INLINE void page_linked_layer(PageLayer *layer, const TrnFullPage *page, TrnPlane plane,
                                   uintptr_t *tags)
{
    PageRow row, before, after;
    page_linked_row(&row, page, plane, tags);
    page_linked_row(&before, page_linked(page, TRN_FACE_NEG_Z, tags), plane, tags);
    page_linked_row(&after, page_linked(page, TRN_FACE_POS_Z, tags), plane, tags);
    page_layer(layer, &row, &before, &after);
}

/// Keeps the cells whose 26 neighbours are all set.
PAGE_INLINE void page_keep_all_around(PagePlaneBits *kept, const TrnFullPage *page, TrnPlane plane,
                                      uintptr_t *tags)
{
    PageLayer layer, below, above;
    page_linked_layer(&layer, page, plane, tags);
    page_linked_layer(&below, page_linked(page, TRN_FACE_NEG_Y, tags), plane, tags);
    page_linked_layer(&above, page_linked(page, TRN_FACE_POS_Y, tags), plane, tags);
    page_keep_around(kept, &layer, &below, &above);
}

// ---- beside sparse pages -----------------------------------------------------------------------

/// A page and the 26 around it, x fastest, then z, then y; NULL where no page is.
typedef struct PageAround {
    const TrnPage *pages[27];
} PageAround;

static const TrnPage *page_behind(const TrnPageMap *map, const TrnPage *page, TrnFace face)
{
    return page ? trn_page_behind(map, page, face) : NULL;
}

static void page_find_row(const TrnPage **middle, const TrnPageMap *map, const TrnPage *page)
{
    middle[0] = page;
    middle[-1] = page_behind(map, page, TRN_FACE_NEG_X);
    middle[1] = page_behind(map, page, TRN_FACE_POS_X);
}

static void page_find_layer(const TrnPage **middle, const TrnPageMap *map, const TrnPage *page)
{
    page_find_row(middle, map, page);
    page_find_row(middle - 3, map, page_behind(map, page, TRN_FACE_NEG_Z));
    page_find_row(middle + 3, map, page_behind(map, page, TRN_FACE_POS_Z));
}

static void page_load_any(PagePlaneBits *bits, const TrnPage *page, TrnPlane plane)
{
    if (trn_page_is_sparse(page)) {
        TrnPageWords words;
        trn_sparse_plane(trn_page_sparse(page), plane, &words);
        memcpy(bits, &words, sizeof words);
    } else {
        page_load_or_none(bits, trn_page_full(page), plane);
    }
}

/// Keeps the cells whose six neighbours are all set.
static void page_keep_all_faces_of(PagePlaneBits *kept, const PageAround *around, TrnPlane plane)
{
    static const int places[TRN_FACE_COUNT] = {12, 14, 4, 22, 10, 16}; // in the order of TrnFace
    PagePlaneBits here, faces[TRN_FACE_COUNT];
    page_load_any(&here, around->pages[13], plane);
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        page_load_any(&faces[face], around->pages[places[face]], plane);
    }
    page_keep_faces(kept, &here, faces);
}

/// @param middle  the middle page of the row
static void page_row_of(PageRow *row, const TrnPage *const *middle, TrnPlane plane)
{
    PagePlaneBits here, left, right;
    page_load_any(&here, middle[0], plane);
    page_load_any(&left, middle[-1], plane);
    page_load_any(&right, middle[1], plane);
    page_row(row, &here, &left, &right);
}

/// @param middle  the middle page of the layer
static void page_layer_of(PageLayer *layer, const TrnPage *const *middle, TrnPlane plane)
{
    PageRow row, before, after;
    page_row_of(&row, middle, plane);
    page_row_of(&before, middle - 3, plane);
    page_row_of(&after, middle + 3, plane);
    page_layer(layer, &row, &before, &after);
}

/// Keeps the cells whose 26 neighbours are all set.
static void page_keep_all_around_of(PagePlaneBits *kept, const PageAround *around, TrnPlane plane)
{
    PageLayer layer, below, above;
    page_layer_of(&layer, &around->pages[13], plane);
    page_layer_of(&below, &around->pages[4], plane);
    page_layer_of(&above, &around->pages[22], plane);
    page_keep_around(kept, &layer, &below, &above);
}

/// Keeps the cells whose neighbours within the page satisfy a query, as if all cells of the pages
/// around it were set. Returns whether any is left. Few cells of a sparse page have a neighbour in
/// it, so this mostly saves looking up the pages around it.
static bool page_keep_inside(PagePlaneBits *kept, const TrnPage *page, uint32_t planes)
{
    PagePlaneBits here, outside[TRN_FACE_COUNT];
    memset(outside, 0xFF, sizeof outside);
    for (uint32_t set = planes; set; set &= set - 1) {
        page_load_any(&here, page, (TrnPlane)__builtin_ctz(set));
        page_keep_faces(kept, &here, outside);
    }
    uint64_t any = 0;
    for (uint32_t word = 0; word < TRN_PAGE_WORDS; word++) {
        any |= (*kept)[word];
    }
    return any != 0;
}

/// Keeps the cells of a page of either form that satisfy the conditions of a query on their
/// neighbours, in pages of either form.
/// @param words  the cells that satisfy the others
static __attribute__((noinline)) void page_query_around(const TrnPageMap *map, const TrnPage *page,
                                                        const TrnPlaneQuery *query,
                                                        TrnPageWords *words)
{
    PagePlaneBits kept;
    memcpy(&kept, words, sizeof kept);
    if (page_keep_inside(&kept, page, query->all_faces | query->all_around)) {
        PageAround around;
        page_find_layer(&around.pages[13], map, page);
        page_find_layer(&around.pages[4], map, page_behind(map, page, TRN_FACE_NEG_Y));
        page_find_layer(&around.pages[22], map, page_behind(map, page, TRN_FACE_POS_Y));
        for (uint32_t set = query->all_faces; set; set &= set - 1) {
            page_keep_all_faces_of(&kept, &around, (TrnPlane)__builtin_ctz(set));
        }
        for (uint32_t set = query->all_around; set; set &= set - 1) {
            page_keep_all_around_of(&kept, &around, (TrnPlane)__builtin_ctz(set));
        }
    }
    trn_page_wide_loads_end();
    memcpy(words, &kept, sizeof kept);
}

PAGE_INLINE void page_query(const TrnPageMap *map, const TrnFullPage *page,
                            const TrnPlaneQuery *query, TrnPageWords *words)
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
    const PagePlaneBits own = kept;
    uintptr_t tags = 0;
    for (uint32_t set = query->all_faces; set; set &= set - 1) {
        page_keep_all_faces(&kept, page, (TrnPlane)__builtin_ctz(set), &tags);
    }
    for (uint32_t set = query->all_around; set; set &= set - 1) {
        page_keep_all_around(&kept, page, (TrnPlane)__builtin_ctz(set), &tags);
    }
    trn_page_wide_loads_end();
    if (!(tags & TRN_PAGE_SPARSE_TAG)) {
        memcpy(words, &kept, sizeof kept);
        return;
    }
    memcpy(words, &own, sizeof own);
    page_query_around(map, &page->head, query, words);
}

void trn_page_query_scalar(const TrnPageMap *map, const TrnFullPage *page,
                           const TrnPlaneQuery *query, TrnPageWords *words)
{
    page_query(map, page, query, words);
}

#if defined(TRN_PAGE_WIDE_LOADS) && defined(__x86_64__)
__attribute__((target("avx512f"))) void trn_page_query_avx512(const TrnPageMap *map,
                                                              const TrnFullPage *page,
                                                              const TrnPlaneQuery *query,
                                                              TrnPageWords *words)
{
    page_query(map, page, query, words);
}

__attribute__((target("avx2"))) void trn_page_query_avx2(const TrnPageMap *map,
                                                         const TrnFullPage *page,
                                                         const TrnPlaneQuery *query,
                                                         TrnPageWords *words)
{
    page_query(map, page, query, words);
}
#endif

void trn_page_query_sparse(const TrnPageMap *map, const TrnPage *page, const TrnPlaneQuery *query,
                           TrnPageWords *words)
{
    trn_sparse_select(trn_page_sparse(page), query, words);
    if (query->all_faces | query->all_around) {
        page_query_around(map, page, query, words);
    }
}
