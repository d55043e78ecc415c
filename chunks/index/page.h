/// Private: a page of the chunk index in its full form, and what works on pages of both forms.
///
/// A full page has a value for each of its cells, and a bit for each cell and plane. A sparse page
/// (page_sparse.h) lists the few cells that have any bit. The lowest bit of a TrnPage pointer tells
/// the form, so that a look-up in a full page reads nothing in addition.
#ifndef TERRANE_INDEX_PAGE_H
#define TERRANE_INDEX_PAGE_H

#include <stdatomic.h>

#include "base/memory.h"
#include "map/map.h"
#include "page_cells.h"
#include "page_sparse.h"

// ---- full pages --------------------------------------------------------------------------------

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

/// The link of a full page to a sparse one: look it up in the map. So copying a sparse page changes
/// no link.
#define TRN_PAGE_SPARSE_LINK ((TrnPage *)TRN_PAGE_SPARSE_TAG)

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

// ---- both forms --------------------------------------------------------------------------------

/// The forms of a page, smallest first: the sizes of a sparse page, then the full page.
#define TRN_PAGE_FORM_FULL TRN_SPARSE_SIZES
#define TRN_PAGE_FORMS (TRN_SPARSE_SIZES + 1)

static inline uint32_t trn_page_form(const TrnPage *page)
{
    return trn_page_is_sparse(page) ? trn_page_sparse(page)->size : TRN_PAGE_FORM_FULL;
}

static inline size_t trn_page_form_bytes(uint32_t form, uint32_t plane_count)
{
    return form == TRN_PAGE_FORM_FULL ? trn_full_page_bytes(plane_count)
                                      : trn_sparse_page_bytes(form);
}

/// Returns how many cells a page of a form can list.
static inline uint32_t trn_page_form_capacity(uint32_t form)
{
    return form == TRN_PAGE_FORM_FULL ? TRN_PAGE_CELLS : trn_sparse_capacities[form];
}

// ---- for readers -------------------------------------------------------------------------------

/// Finds the page behind a face by look-up; for sparse pages, and links to them.
TrnPage *trn_page_behind_by_map(const TrnMap *map, const TrnPage *page, TrnFace face);

/// Returns the page behind a face of a page, or NULL.
static inline TrnPage *trn_page_behind(const TrnMap *map, const TrnPage *page, TrnFace face)
{
    if (!trn_page_is_sparse(page)) {
        TrnPage *link = trn_full_page_link(trn_page_full(page), face);
        if (link != TRN_PAGE_SPARSE_LINK) {
            return link;
        }
    }
    return trn_page_behind_by_map(map, page, face);
}

/// Returns the bit of a cell in a plane.
static inline bool trn_page_test(const TrnPage *page, TrnPlane plane, TrnCoord chunk)
{
    if (!trn_page_is_sparse(page)) {
        return trn_full_page_test(trn_page_full(page), plane, chunk);
    }
    return trn_sparse_entry_of(trn_page_sparse(page), trn_page_cell_of(chunk)).bits >> plane & 1;
}

/// Returns the value of a bit of a word if its chunk is present, otherwise TRN_CHUNK_VALUE_NONE.
/// @param page  may be NULL
static inline uint32_t trn_page_value_at(const TrnPage *page, uint32_t word, uint32_t bit)
{
    if (!page) {
        return TRN_CHUNK_VALUE_NONE;
    }
    const uint32_t cell = trn_page_cell(word, bit);
    if (!trn_page_is_sparse(page)) {
        const TrnFullPage *full = trn_page_full(page);
        return trn_full_page_word(full, TRN_PLANE_PRESENT, word) >> bit & 1
                   ? trn_full_page_value(full, cell)
                   : TRN_CHUNK_VALUE_NONE;
    }
    const TrnSparseEntry entry = trn_sparse_entry_of(trn_page_sparse(page), cell);
    return entry.bits & TRN_PLANE_BIT(TRN_PLANE_PRESENT) ? entry.value : TRN_CHUNK_VALUE_NONE;
}

/// Copies one plane.
void trn_page_plane(const TrnPage *page, TrnPlane plane, TrnPageWords *words);

// ---- for the writer ----------------------------------------------------------------------------

/// Counts the cells that have a bit in any plane. Called only when a word has few left, so that
/// writes need not maintain a count, which would cost each two population counts.
/// @param first  the word to start with: one that is likely to have many
/// @param most   stops when there are more; what it returns then is more than this, too
uint32_t trn_page_count_cells(const TrnPage *page, uint32_t plane_count, uint32_t first,
                              uint32_t most);

/// The same as trn_page_store_plane, for sparse pages.
bool trn_page_store_plane_sparse(TrnPage *page, TrnPlane plane, const TrnPageWords *words);

/// Sets one plane of all listed cells to the bits of `words`, which holds listed cells only.
/// Returns whether any is set. Cannot fail.
static inline bool trn_page_store_plane(TrnPage *page, TrnPlane plane, const TrnPageWords *words)
{
    if (trn_page_is_sparse(page)) {
        return trn_page_store_plane_sparse(page, plane, words);
    }
    uint64_t any = 0;
    for (uint32_t word = 0; word < TRN_PAGE_WORDS; word++) {
        trn_full_page_store(trn_page_full(page), plane, word, words->words[word]);
        any |= words->words[word];
    }
    return any != 0;
}

/// Makes an empty page in memory of a form.
/// @return the page, tagged
TrnPage *trn_page_init(void *memory, uint32_t form, TrnCoord coord, uint32_t plane_count);

/// Copies all cells that have a bit into an empty page with capacity for them.
void trn_page_copy_cells(TrnPage *to, const TrnPage *from, uint32_t plane_count);

#endif
