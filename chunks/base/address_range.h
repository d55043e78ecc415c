/// Private: reserved ranges of addresses, and huge pages. Its source is the one file of the library
/// that asks the operating system for memory.
///
/// A reserved range costs addresses alone: memory is taken when parts of it are committed, page by
/// page, and an object in it never moves. A range is for one thread at a time.
#ifndef TERRANE_BASE_ADDRESS_RANGE_H
#define TERRANE_BASE_ADDRESS_RANGE_H

#include <stdbool.h>

#include <terrane/base.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TRN_HUGE_PAGE_BYTES ((size_t)2 << 20)

/// Whether the system may back ordinary memory with huge pages; Windows asks for a privilege.
#if defined(_WIN32)
#define TRN_HAS_HUGE_PAGES 0
#else
#define TRN_HAS_HUGE_PAGES 1
#endif

/// All zeroes is no range.
typedef struct TrnAddressRange {
    unsigned char *start; ///< a multiple of a page; of TRN_HUGE_PAGE_BYTES from that many bytes on
    size_t bytes;         ///< whole pages
} TrnAddressRange;

/// Whether the platform can reserve addresses; without that, trn_address_range_reserve() fails.
bool trn_address_range_is_supported(void);

/// The size of a page: what is committed and decommitted is a multiple of it. A power of two.
size_t trn_address_range_page_bytes(void);

/// Reserves addresses without memory. Any access before trn_address_range_commit() crashes.
/// @param bytes  not 0; rounded up to whole pages
/// @param range  receives the range; end it with trn_address_range_release()
/// Errors: NO_MEMORY if the system refuses or the platform cannot reserve addresses. Cost: some us.
TrnResult trn_address_range_reserve(size_t bytes, TrnAddressRange *range);

/// Makes a part of a range readable and writable. Pages that were not committed read as 0; others
/// keep their contents.
/// @param offset,bytes  whole pages, inside the range
/// Errors: NO_MEMORY; the part is unchanged. Cost: some us, and about 0.5 us for the first touch of
/// each KiB.
TrnResult trn_address_range_commit(const TrnAddressRange *range, size_t offset, size_t bytes);

/// Gives the memory of a part back to the system; the addresses stay reserved. What
/// trn_huge_pages_ask() asked for there is forgotten.
/// @param offset,bytes  whole pages, inside the range, committed or not
/// Errors: NO_MEMORY, which is rare: the part is unchanged, and the caller may go on without.
TrnResult trn_address_range_decommit(const TrnAddressRange *range, size_t offset, size_t bytes);

/// Gives memory and addresses back; `range` becomes no range. No range is fine.
void trn_address_range_release(TrnAddressRange *range);

/// Asks the system to back memory with huge pages, which makes its first touch three times as fast
/// and misses of the address cache rare. Covers the whole huge pages inside, no byte more. Does
/// nothing where the system has none.
/// @param memory  aligned to TRN_HUGE_PAGE_BYTES; of a range or of an allocator
void trn_huge_pages_ask(void *memory, size_t bytes);

/// Asks the system to back memory with pages now, so that its first touch takes no page faults.
/// Contents do not change, so other threads may use the memory meanwhile, or even free it. Does
/// nothing where the system cannot. Any thread. Cost: what the faults would take, less a quarter.
void trn_memory_populate(void *memory, size_t bytes);

#ifdef __cplusplus
}
#endif
#endif
