/// Private: the one call of the operating system below the programs.
#ifndef TERRANE_BASE_HUGE_PAGES_H
#define TERRANE_BASE_HUGE_PAGES_H

#include <stddef.h>

#define TRN_HUGE_PAGE_BYTES ((size_t)2 << 20)

/// Asks for memory to be backed by huge pages, where the system has them; the whole huge pages
/// inside, no byte more. Not heard, it costs speed alone.
/// @param memory  aligned to TRN_HUGE_PAGE_BYTES
void trn_huge_pages_ask(void *memory, size_t bytes);

#endif
