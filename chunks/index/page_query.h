/// Private: which cells of a page of either form satisfy a query. page.h has the kernels.
#ifndef TERRANE_INDEX_PAGE_QUERY_H
#define TERRANE_INDEX_PAGE_QUERY_H

#include "page_forms.h"

/// Finds the cells of a sparse page that satisfy a query.
void trn_page_query_sparse(const TrnPageMap *map, const TrnPage *page, const TrnPlaneQuery *query,
                           TrnPageWords *words);

/// Finds the cells of a page that satisfy a query.
static inline void trn_page_query(const TrnPageKernels *kernels, const TrnPageMap *map,
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
