/// Private: the inner loops over pages, for each instruction set: which cells satisfy a query, and
/// the values of cells.
#ifndef TERRANE_INDEX_PAGE_KERNELS_H
#define TERRANE_INDEX_PAGE_KERNELS_H

#include "chunk_index_internal.h"
#include "page.h"

/// How many values a compress kernel may write beyond the last one.
#define TRN_PAGE_SLACK 16

/// The inner loops over pages for one instruction set.
typedef struct TrnPageKernels {
    const char *name; ///< "AVX-512", "AVX2", "NEON", "SIMD128" or "scalar"
    /// Writes the values of the cells in `words` in cell order. Returns how many there are.
    /// @param out  [TRN_PAGE_CELLS + TRN_PAGE_SLACK], for any number of cells
    size_t (*compress)(const TrnFullPage *page, const TrnPageWords *words, uint32_t *out);
    /// Finds the cells of a page that satisfy a query.
    /// @param map  has the sparse pages around it
    void (*query)(const TrnMap *map, const TrnFullPage *page, const TrnPlaneQuery *query,
                  TrnPageWords *words);
    /// Lists the cells of a sparse page that satisfy the conditions of a query on their own bits,
    /// in cell order. Returns how many. Another element may be written behind the last one.
    /// @param cells   [TRN_SPARSE_CAPACITY_MAX + 1] receives them; may be NULL
    /// @param values  [TRN_SPARSE_CAPACITY_MAX + 1] receives their values
    uint32_t (*list)(const TrnSparsePage *page, const TrnPlaneQuery *query, uint16_t *cells,
                     uint32_t *values);
} TrnPageKernels;

// ---- pages of either form ----------------------------------------------------------------------

/// Finds the cells of a sparse page that satisfy a query.
void trn_page_query_sparse(const TrnMap *map, const TrnPage *page, const TrnPlaneQuery *query,
                           TrnPageWords *words);

/// Finds the cells of a page that satisfy a query.
static inline void trn_page_query(const TrnPageKernels *kernels, const TrnMap *map,
                                  const TrnPage *page, const TrnPlaneQuery *query,
                                  TrnPageWords *words)
{
    if (trn_page_is_sparse(page)) {
        trn_page_query_sparse(map, page, query, words);
    } else {
        kernels->query(map, trn_page_full(page), query, words);
    }
}

#endif
