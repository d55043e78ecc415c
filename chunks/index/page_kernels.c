// The inner loops over pages: queries over planes, and the values of cells, which every gather
// copies.

#include "page_kernels.h"

#include <string.h>

#include "base/lanes.h"
#include "base/vectors.h"
#include "page_kernels_impl.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

// ---- queries -----------------------------------------------------------------------------------

// Which cells satisfy a condition on their own bits and on those
// of their neighbours.
//
// All arithmetic is on whole planes. It is written once, on vectors of eight words, and compiled
// for each instruction set. With AVX-512 a plane is one register.
//
// The kernels follow the links between full pages. If one of these links leads to a sparse page,
// the page is evaluated again by page_query_around, which finds the pages around it in the map.

/// The cells of a word whose x is 0, and those whose x is TRN_PAGE_LAST.
#define PAGE_X_FIRST UINT64_C(0x0101010101010101)
#define PAGE_X_LAST UINT64_C(0x8080808080808080)
static_assert(PAGE_X_LAST == PAGE_X_FIRST << TRN_PAGE_LAST, "the masks fit the edge");

/// A plane, or any set of the cells of a page: one word per y.
typedef uint64_t PagePlaneBits __attribute__((vector_size(sizeof(TrnPageWords))));

/// Loads the words of a plane of a full page, or of a copy of a plane.
PAGE_INLINE void page_load_words(PagePlaneBits *bits, const _Atomic(uint64_t) *words)
{
#if defined(PAGE_WIDE_LOADS)
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

/// The places of the pages behind the faces, in the order of TrnFace.
static const int page_face_places[TRN_FACE_COUNT] = {12, 14, 4, 22, 10, 16};

static const TrnPage *page_behind(const TrnMap *map, const TrnPage *page, TrnFace face)
{
    return page ? trn_page_behind(map, page, face) : NULL;
}

/// Finds a page and the six behind its faces, and no others.
static void page_find_faces(PageAround *around, const TrnMap *map, const TrnPage *page)
{
    around->pages[13] = page;
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        around->pages[page_face_places[face]] = page_behind(map, page, (TrnFace)face);
    }
}

static void page_find_row(const TrnPage **middle, const TrnMap *map, const TrnPage *page)
{
    middle[0] = page;
    middle[-1] = page_behind(map, page, TRN_FACE_NEG_X);
    middle[1] = page_behind(map, page, TRN_FACE_POS_X);
}

static void page_find_layer(const TrnPage **middle, const TrnMap *map, const TrnPage *page)
{
    page_find_row(middle, map, page);
    page_find_row(middle - 3, map, page_behind(map, page, TRN_FACE_NEG_Z));
    page_find_row(middle + 3, map, page_behind(map, page, TRN_FACE_POS_Z));
}

/// Finds a page and the 26 around it.
static void page_find_around(PageAround *around, const TrnMap *map, const TrnPage *page)
{
    page_find_layer(&around->pages[13], map, page);
    page_find_layer(&around->pages[4], map, page_behind(map, page, TRN_FACE_NEG_Y));
    page_find_layer(&around->pages[22], map, page_behind(map, page, TRN_FACE_POS_Y));
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
    PagePlaneBits here, faces[TRN_FACE_COUNT];
    page_load_any(&here, around->pages[13], plane);
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        page_load_any(&faces[face], around->pages[page_face_places[face]], plane);
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

/// Returns the plane whose bits the cells that satisfy a query's conditions on their own are, as a
/// set; 0 if they are no plane.
static uint32_t page_own_plane(const TrnPlaneQuery *query)
{
    const bool is_one = (query->all & (query->all - 1)) == 0 && !(query->none | query->any);
    return is_one ? query->all : 0;
}

/// Keeps the cells whose neighbours within the page satisfy a query, as if all cells of the pages
/// around it were set. Returns whether any is left. Few cells of a sparse page have a neighbour in
/// it, so this mostly saves looking up the pages around it.
/// @param kept  the cells that satisfy the conditions on their own bits
static bool page_keep_inside(PagePlaneBits *kept, const TrnPage *page, const TrnPlaneQuery *query)
{
    const uint32_t own_plane = page_own_plane(query);
    PagePlaneBits here, outside[TRN_FACE_COUNT];
    const PagePlaneBits own = *kept;
    memset(outside, 0xFF, sizeof outside);
    for (uint32_t set = query->all_faces | query->all_around; set; set &= set - 1) {
        const TrnPlane plane = (TrnPlane)__builtin_ctz(set);
        if (own_plane == TRN_PLANE_BIT(plane)) { // as mostly: chunks whose neighbours are there too
            here = own;
        } else {
            page_load_any(&here, page, plane);
        }
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
static __attribute__((noinline)) void page_query_around(const TrnMap *map, const TrnPage *page,
                                                        const TrnPlaneQuery *query,
                                                        TrnPageWords *words)
{
    PagePlaneBits kept;
    memcpy(&kept, words, sizeof kept);
    if (page_keep_inside(&kept, page, query)) {
        PageAround around;
        (query->all_around ? page_find_around : page_find_faces)(&around, map, page);
        for (uint32_t set = query->all_faces; set; set &= set - 1) {
            page_keep_all_faces_of(&kept, &around, (TrnPlane)__builtin_ctz(set));
        }
        for (uint32_t set = query->all_around; set; set &= set - 1) {
            page_keep_all_around_of(&kept, &around, (TrnPlane)__builtin_ctz(set));
        }
    }
    page_wide_loads_end();
    memcpy(words, &kept, sizeof kept);
}

PAGE_INLINE void page_query(const TrnMap *map, const TrnFullPage *page, const TrnPlaneQuery *query,
                            TrnPageWords *words)
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
    page_wide_loads_end();
    if (!(tags & TRN_PAGE_SPARSE_TAG)) {
        memcpy(words, &kept, sizeof kept);
        return;
    }
    memcpy(words, &own, sizeof own);
    page_query_around(map, &page->head, query, words);
}

static void page_query_scalar(const TrnMap *map, const TrnFullPage *page,
                              const TrnPlaneQuery *query, TrnPageWords *words)
{
    page_query(map, page, query, words);
}

#if defined(PAGE_WIDE_LOADS) && defined(__x86_64__)
__attribute__((target("avx512f"))) static void page_query_avx512(const TrnMap *map,
                                                                 const TrnFullPage *page,
                                                                 const TrnPlaneQuery *query,
                                                                 TrnPageWords *words)
{
    page_query(map, page, query, words);
}

__attribute__((target("avx2"))) static void page_query_avx2(const TrnMap *map,
                                                            const TrnFullPage *page,
                                                            const TrnPlaneQuery *query,
                                                            TrnPageWords *words)
{
    page_query(map, page, query, words);
}
#endif

void trn_page_query_sparse(const TrnMap *map, const TrnPage *page, const TrnPlaneQuery *query,
                           TrnPageWords *words)
{
    trn_sparse_select(trn_page_sparse(page), query, words);
    if (query->all_faces | query->all_around) {
        page_query_around(map, page, query, words);
    }
}

// ---- values ------------------------------------------------------------------------------------

/// Up to this many set bits in a page are copied one by one, for every instruction set.
#define PAGE_FEW_BITS 32

/// Copies values, in steps of four on x86-64, where that is no other instruction set. It then reads
/// up to three more than `count` (within the page, whose planes follow its values) and writes them
/// (within the slack).
static inline void page_copy_run(const _Atomic(uint32_t) *values, uint32_t count, uint32_t *out)
{
#if defined(PAGE_WIDE_LOADS) && defined(__x86_64__)
    typedef uint32_t FourValues __attribute__((vector_size(16), aligned(4), may_alias));
    for (uint32_t i = 0; i < count; i += 4) {
        *(FourValues *)(out + i) = *(const FourValues *)(const void *)(values + i);
    }
#else
    for (uint32_t i = 0; i < count; i++) {
        out[i] = atomic_load_explicit(&values[i], memory_order_acquire);
    }
#endif
}

/// Copies the values of the set bits as runs. Inside a world all bits are set, so most words are
/// one run.
static size_t page_compress_runs(const _Atomic(uint32_t) *values, uint64_t word, uint32_t *out)
{
    size_t count = 0;
    while (word) {
        uint32_t start = (uint32_t)__builtin_ctzll(word);
        uint64_t rest = ~(word >> start);
        uint32_t length = rest ? (uint32_t)__builtin_ctzll(rest) : TRN_PAGE_WORD_BITS;
        length = length < TRN_PAGE_WORD_BITS - start ? length : TRN_PAGE_WORD_BITS - start;
        page_copy_run(values + start, length, out + count);
        count += length;
        if (start + length == TRN_PAGE_WORD_BITS) {
            break;
        }
        word &= ~UINT64_C(0) << (start + length);
    }
    return count;
}

/// Returns the values of the cells of a word.
static inline const _Atomic(uint32_t) *page_word_values(const TrnFullPage *page, uint32_t word)
{
    return page->values + (size_t)word * TRN_PAGE_WORD_BITS;
}

static size_t page_compress_scalar(const TrnFullPage *page, const TrnPageWords *words,
                                   uint32_t *out)
{
    size_t count = 0;
    for (uint32_t word = 0; word < TRN_PAGE_WORDS; word++) {
        count += page_compress_runs(page_word_values(page, word), words->words[word], out + count);
    }
    return count;
}

#if defined(PAGE_WIDE_LOADS) || defined(PAGE_PAIR_LOADS)
/// Copies the values of the set bits, one by one.
static size_t page_compress_bits(const TrnFullPage *page, const TrnPageWords *words, uint32_t *out)
{
    size_t count = 0;
    for (uint32_t word = 0; word < TRN_PAGE_WORDS; word++) {
        for (uint64_t bits = words->words[word]; bits; bits &= bits - 1) {
            uint32_t cell = trn_page_cell(word, (uint32_t)__builtin_ctzll(bits));
            out[count++] = trn_full_page_value(page, cell);
        }
    }
    return count;
}

#if defined(__x86_64__)
/// Counts the set bits of all words. A macro, so that it is compiled for the target of the function
/// that uses it.
#define PAGE_POPCOUNT(page_words)                                                                  \
    (__builtin_popcountll((page_words)->words[0]) + __builtin_popcountll((page_words)->words[1]) + \
     __builtin_popcountll((page_words)->words[2]) + __builtin_popcountll((page_words)->words[3]) + \
     __builtin_popcountll((page_words)->words[4]) + __builtin_popcountll((page_words)->words[5]) + \
     __builtin_popcountll((page_words)->words[6]) + __builtin_popcountll((page_words)->words[7]))
static_assert(TRN_PAGE_WORDS == 8, "PAGE_POPCOUNT counts eight words");

// One decision per page. At the border of a world the words of a page are mixed, and a branch per
// word was mispredicted often enough to double the time of a gather.
__attribute__((target("avx512f,popcnt,bmi"))) static size_t
page_compress_avx512(const TrnFullPage *page, const TrnPageWords *words, uint32_t *out)
{
    const int total = PAGE_POPCOUNT(words);
    if (total <= PAGE_FEW_BITS) {
        return page_compress_bits(page, words, out);
    }
    if (total == TRN_PAGE_CELLS) {
        // Not memcpy, which gcc compiles to "rep movsq" here: twice as slow at this size.
        for (uint32_t i = 0; i < TRN_PAGE_CELLS; i += 16) {
            _mm512_storeu_si512(out + i, _mm512_load_si512((const void *)(page->values + i)));
        }
        return TRN_PAGE_CELLS;
    }
    uint32_t *place = out;
    for (uint32_t word = 0; word < TRN_PAGE_WORDS; word++) {
        const uint64_t bits = words->words[word];
        const _Atomic(uint32_t) *values = page_word_values(page, word);
        if (bits == ~UINT64_C(0)) {
            memcpy(place, (const void *)values, TRN_PAGE_WORD_BITS * sizeof *place);
            place += TRN_PAGE_WORD_BITS;
            continue;
        }
        if (bits == 0) {
            continue;
        }
        // Compresses in a register and stores it whole: compressing stores take a hundred cycles on
        // some machines. Each quarter's place is counted from the word's start, so that no quarter
        // depends on the one before.
        for (uint32_t i = 0; i < TRN_PAGE_WORD_BITS; i += 16) {
            __m512i lanes = _mm512_load_si512((const void *)(values + i));
            size_t before = (size_t)__builtin_popcountll(bits & ((UINT64_C(1) << i) - 1));
            _mm512_storeu_si512(place + before,
                                _mm512_maskz_compress_epi32((__mmask16)(bits >> i), lanes));
        }
        place += __builtin_popcountll(bits);
    }
    return (size_t)total;
}

/// For every byte, the positions of its set bits from the lowest: the permutation that moves the
/// selected ones of eight lanes to the front.
typedef struct PageLaneTable {
    uint64_t places[256];
} PageLaneTable;

#define PAGE_LANE_1(m, b, n) ((m) >> (b)&1 ? (uint64_t)(b) << (8 * (n)) : 0)
#define PAGE_RANK(m, b) __builtin_popcount((m) & ((1 << (b)) - 1))
#define PAGE_LANES(m)                                                                              \
    (PAGE_LANE_1(m, 0, PAGE_RANK(m, 0)) | PAGE_LANE_1(m, 1, PAGE_RANK(m, 1)) |                     \
     PAGE_LANE_1(m, 2, PAGE_RANK(m, 2)) | PAGE_LANE_1(m, 3, PAGE_RANK(m, 3)) |                     \
     PAGE_LANE_1(m, 4, PAGE_RANK(m, 4)) | PAGE_LANE_1(m, 5, PAGE_RANK(m, 5)) |                     \
     PAGE_LANE_1(m, 6, PAGE_RANK(m, 6)) | PAGE_LANE_1(m, 7, PAGE_RANK(m, 7)))
#define PAGE_LANES_4(m) PAGE_LANES(m), PAGE_LANES((m) + 1), PAGE_LANES((m) + 2), PAGE_LANES((m) + 3)
#define PAGE_LANES_16(m)                                                                           \
    PAGE_LANES_4(m), PAGE_LANES_4((m) + 4), PAGE_LANES_4((m) + 8), PAGE_LANES_4((m) + 12)
#define PAGE_LANES_64(m)                                                                           \
    PAGE_LANES_16(m), PAGE_LANES_16((m) + 16), PAGE_LANES_16((m) + 32), PAGE_LANES_16((m) + 48)

static const PageLaneTable page_lane_table = {
    {PAGE_LANES_64(0), PAGE_LANES_64(64), PAGE_LANES_64(128), PAGE_LANES_64(192)}};

__attribute__((target("avx2,popcnt,bmi"))) static size_t
page_compress_avx2(const TrnFullPage *page, const TrnPageWords *words, uint32_t *out)
{
    const int total = PAGE_POPCOUNT(words);
    if (total <= PAGE_FEW_BITS) {
        return page_compress_bits(page, words, out);
    }
    if (total == TRN_PAGE_CELLS) {
        for (uint32_t i = 0; i < TRN_PAGE_CELLS; i += 8) {
            _mm256_storeu_si256(
                (__m256i *)(void *)(out + i),
                _mm256_load_si256((const __m256i *)(const void *)(page->values + i)));
        }
        return TRN_PAGE_CELLS;
    }
    uint32_t *place = out;
    for (uint32_t word = 0; word < TRN_PAGE_WORDS; word++) {
        const uint64_t bits = words->words[word];
        const _Atomic(uint32_t) *values = page_word_values(page, word);
        for (uint32_t i = 0; i < TRN_PAGE_WORD_BITS; i += 8) {
            __m256i lanes = _mm256_load_si256((const __m256i *)(const void *)(values + i));
            size_t before = (size_t)__builtin_popcountll(bits & ((UINT64_C(1) << i) - 1));
            uint64_t bytes = page_lane_table.places[(bits >> i) & 255];
            __m256i places = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((long long)bytes));
            _mm256_storeu_si256((__m256i *)(void *)(place + before),
                                _mm256_permutevar8x32_epi32(lanes, places));
        }
        place += __builtin_popcountll(bits);
    }
    return (size_t)total;
}

static const TrnPageKernels page_kernels_avx512 = {"AVX-512", page_compress_avx512,
                                                   page_query_avx512, trn_page_list_avx512};
static const TrnPageKernels page_kernels_avx2 = {"AVX2", page_compress_avx2, page_query_avx2,
                                                 trn_page_list_avx2};
#else

static uint32_t page_popcount(const TrnPageWords *words)
{
    TrnU8x16 sums = {0};
    for (uint32_t word = 0; word < TRN_PAGE_WORDS; word += 2) {
        sums += trn_u8x16_popcount(trn_u8x16_load(words->words + word));
    }
    return trn_u8x16_sum(sums);
}

/// Loads the values of four cells. @param values  aligned to 16 bytes
TRN_VECTOR_INLINE TrnU8x16 page_load_four(const _Atomic(uint32_t) *values)
{
#if defined(PAGE_PAIR_LOADS)
    typedef uint64_t PageTwoValues __attribute__((may_alias));
    const PageTwoValues *pairs = (const PageTwoValues *)(const void *)values;
    return (TrnU8x16)(TrnU64x2){__atomic_load_n(pairs, __ATOMIC_ACQUIRE),
                                __atomic_load_n(pairs + 1, __ATOMIC_ACQUIRE)};
#else
    return trn_u8x16_load((const void *)values);
#endif
}

/// For four bits, the shuffle that moves the selected ones of four values to the front.
static const uint8_t page_four_places[16][16] = {
    [1] = {0, 1, 2, 3},
    [2] = {4, 5, 6, 7},
    [3] = {0, 1, 2, 3, 4, 5, 6, 7},
    [4] = {8, 9, 10, 11},
    [5] = {0, 1, 2, 3, 8, 9, 10, 11},
    [6] = {4, 5, 6, 7, 8, 9, 10, 11},
    [7] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11},
    [8] = {12, 13, 14, 15},
    [9] = {0, 1, 2, 3, 12, 13, 14, 15},
    [10] = {4, 5, 6, 7, 12, 13, 14, 15},
    [11] = {0, 1, 2, 3, 4, 5, 6, 7, 12, 13, 14, 15},
    [12] = {8, 9, 10, 11, 12, 13, 14, 15},
    [13] = {0, 1, 2, 3, 8, 9, 10, 11, 12, 13, 14, 15},
    [14] = {4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    [15] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
};

/// Copies the values of the set bits of a word, four cells at a time. @return the end of the copy
static uint32_t *page_compress_word(const _Atomic(uint32_t) *values, uint64_t bits, uint32_t *out)
{
    // How many bits are set in every four.
    const uint64_t twos = bits - (bits >> 1 & UINT64_C(0x5555555555555555));
    uint64_t fours =
        (twos & UINT64_C(0x3333333333333333)) + (twos >> 2 & UINT64_C(0x3333333333333333));
    for (uint32_t i = 0; i < TRN_PAGE_WORD_BITS; i += 4, bits >>= 4, fours >>= 4) {
        const TrnU8x16 lanes = page_load_four(values + i);
        trn_u8x16_store(out, trn_u8x16_look_up(lanes, trn_u8x16_load(page_four_places[bits & 15])));
        out += fours & 15;
    }
    return out;
}

static size_t page_compress_four(const TrnFullPage *page, const TrnPageWords *words, uint32_t *out)
{
    const uint32_t total = page_popcount(words);
    if (total <= PAGE_FEW_BITS) {
        return page_compress_bits(page, words, out);
    }
    if (total == TRN_PAGE_CELLS) {
        for (uint32_t i = 0; i < TRN_PAGE_CELLS; i += 4) {
            trn_u8x16_store(out + i, page_load_four(page->values + i));
        }
    } else {
        uint32_t *place = out;
        for (uint32_t word = 0; word < TRN_PAGE_WORDS; word++) {
            if (words->words[word]) { // an empty one costs more than a mispredicted branch
                place = page_compress_word(page_word_values(page, word), words->words[word], place);
            }
        }
    }
    page_wide_loads_end();
    return total;
}

/// The query is written in vectors already.
static const TrnPageKernels page_kernels_four = {TRN_CPU_VECTORS_NAME, page_compress_four,
                                                 page_query_scalar, trn_page_list_scalar};
#endif
#endif

static const TrnPageKernels page_kernels_scalar = {"scalar", page_compress_scalar,
                                                   page_query_scalar, trn_page_list_scalar};

static const TrnKernelRow page_kernel_rows[] = {
#if defined(PAGE_WIDE_LOADS) && defined(__x86_64__)
    {TRN_CPU_AVX512F | TRN_CPU_AVX512BW | TRN_CPU_AVX512VL | TRN_CPU_POPCNT | TRN_CPU_BMI,
     &page_kernels_avx512},
    {TRN_CPU_AVX2 | TRN_CPU_POPCNT | TRN_CPU_BMI, &page_kernels_avx2},
#elif defined(PAGE_WIDE_LOADS) || defined(PAGE_PAIR_LOADS)
    {0, &page_kernels_four},
#endif
    {0, &page_kernels_scalar},
};
const TrnKernelTable trn_page_kernels = {page_kernel_rows,
                                         sizeof page_kernel_rows / sizeof *page_kernel_rows};
