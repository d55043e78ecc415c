#include "base/system.h"

#include "base/address_range.h"

// Emscripten's mmap allocates what it maps, so it reserves nothing.
#if (defined(__unix__) || defined(__APPLE__)) && !defined(__EMSCRIPTEN__)
#include <sys/mman.h>
#include <unistd.h>
#define RANGE_HAS_MMAP 1
#endif

#include "base/assert.h"

#if defined(RANGE_HAS_MMAP) || defined(_WIN32)

bool trn_address_range_is_supported(void)
{
    return true;
}

/// Asserts that a part is whole pages of a range.
static void range_check(const TrnAddressRange *range, size_t offset, size_t bytes)
{
    TRN_ASSERT(((offset | bytes) & (trn_address_range_page_bytes() - 1)) == 0);
    TRN_ASSERT(offset <= range->bytes && bytes <= range->bytes - offset);
    (void)range;
    (void)offset;
    (void)bytes;
}

/// Maps whole pages of addresses from a multiple of `alignment` on. @return NULL if refused
static unsigned char *range_map(size_t bytes, size_t alignment, size_t page);

TrnResult trn_address_range_reserve(size_t bytes, TrnAddressRange *range)
{
    const size_t page = trn_address_range_page_bytes();
    TRN_ASSERT(bytes > 0);
    if (bytes > SIZE_MAX - page) {
        return TRN_RESULT_NO_MEMORY;
    }
    bytes = (bytes + page - 1) & ~(page - 1);
    const bool is_large = bytes >= TRN_HUGE_PAGE_BYTES && page < TRN_HUGE_PAGE_BYTES;
    unsigned char *start = range_map(bytes, is_large ? TRN_HUGE_PAGE_BYTES : page, page);
    if (!start) {
        return TRN_RESULT_NO_MEMORY;
    }
    *range = (TrnAddressRange){start, bytes};
    return TRN_RESULT_OK;
}

#endif

#if defined(RANGE_HAS_MMAP)

#if !defined(MAP_ANONYMOUS) // its older name
#define MAP_ANONYMOUS MAP_ANON
#endif
#if !defined(MAP_NORESERVE) // without it the system may count reserved addresses as memory
#define MAP_NORESERVE 0
#endif

#define RANGE_FLAGS (MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE)

size_t trn_address_range_page_bytes(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

static unsigned char *range_map(size_t bytes, size_t alignment, size_t page)
{
    const size_t spare = alignment - page; // mapped too, and unmapped at both ends
    if (bytes > SIZE_MAX - spare) {
        return NULL;
    }
    unsigned char *mapped = mmap(NULL, bytes + spare, PROT_NONE, RANGE_FLAGS, -1, 0);
    if (mapped == MAP_FAILED) {
        return NULL;
    }
    const size_t before = -(uintptr_t)mapped & (alignment - 1), after = spare - before;
    if (before > 0) {
        (void)munmap(mapped, before);
    }
    if (after > 0) {
        (void)munmap(mapped + before + bytes, after);
    }
    return mapped + before;
}

TrnResult trn_address_range_commit(const TrnAddressRange *range, size_t offset, size_t bytes)
{
    range_check(range, offset, bytes);
    const bool is_ok =
        bytes == 0 || mprotect(range->start + offset, bytes, PROT_READ | PROT_WRITE) == 0;
    return is_ok ? TRN_RESULT_OK : TRN_RESULT_NO_MEMORY;
}

TrnResult trn_address_range_decommit(const TrnAddressRange *range, size_t offset, size_t bytes)
{
    range_check(range, offset, bytes);
    // A fresh mapping in place of the pages. madvise would leave them accessible, and reads as 0 on
    // Linux alone.
    const bool is_ok = bytes == 0 || mmap(range->start + offset, bytes, PROT_NONE,
                                          RANGE_FLAGS | MAP_FIXED, -1, 0) != MAP_FAILED;
    return is_ok ? TRN_RESULT_OK : TRN_RESULT_NO_MEMORY;
}

void trn_address_range_release(TrnAddressRange *range)
{
    if (range->start) {
        (void)munmap(range->start, range->bytes);
    }
    *range = (TrnAddressRange){0};
}

#elif defined(_WIN32)

size_t trn_address_range_page_bytes(void)
{
    SYSTEM_INFO info;
    GetSystemInfo(&info);
    return info.dwPageSize;
}

static unsigned char *range_map(size_t bytes, size_t alignment, size_t page)
{
    const size_t spare = alignment - page; // stays mapped: Windows unmaps only all of a mapping
    if (bytes > SIZE_MAX - spare) {
        return NULL;
    }
    unsigned char *mapped = VirtualAlloc(NULL, bytes + spare, MEM_RESERVE, PAGE_NOACCESS);
    return mapped ? mapped + (-(uintptr_t)mapped & (alignment - 1)) : NULL;
}

TrnResult trn_address_range_commit(const TrnAddressRange *range, size_t offset, size_t bytes)
{
    range_check(range, offset, bytes);
    const bool is_ok =
        bytes == 0 || VirtualAlloc(range->start + offset, bytes, MEM_COMMIT, PAGE_READWRITE);
    return is_ok ? TRN_RESULT_OK : TRN_RESULT_NO_MEMORY;
}

TrnResult trn_address_range_decommit(const TrnAddressRange *range, size_t offset, size_t bytes)
{
    range_check(range, offset, bytes);
    // For 0 bytes, Windows would decommit the whole mapping.
    const bool is_ok = bytes == 0 || VirtualFree(range->start + offset, bytes, MEM_DECOMMIT);
    return is_ok ? TRN_RESULT_OK : TRN_RESULT_NO_MEMORY;
}

void trn_address_range_release(TrnAddressRange *range)
{
    MEMORY_BASIC_INFORMATION info;
    if (range->start && VirtualQuery(range->start, &info, sizeof info)) {
        (void)VirtualFree(info.AllocationBase, 0, MEM_RELEASE);
    }
    *range = (TrnAddressRange){0};
}

#else

bool trn_address_range_is_supported(void)
{
    return false;
}

size_t trn_address_range_page_bytes(void)
{
    return 4096;
}

TrnResult trn_address_range_reserve(size_t bytes, TrnAddressRange *range)
{
    (void)bytes;
    (void)range;
    return TRN_RESULT_NO_MEMORY;
}

TrnResult trn_address_range_commit(const TrnAddressRange *range, size_t offset, size_t bytes)
{
    (void)range;
    (void)offset;
    (void)bytes;
    return TRN_RESULT_NO_MEMORY;
}

TrnResult trn_address_range_decommit(const TrnAddressRange *range, size_t offset, size_t bytes)
{
    return trn_address_range_commit(range, offset, bytes);
}

void trn_address_range_release(TrnAddressRange *range)
{
    *range = (TrnAddressRange){0};
}

#endif

// ---- huge pages, and pages before they are touched ---------------------------------------------

// First touch of 64 KiB costs 28 to 31 us in pages of 4 KiB, 9 to 10 us in huge ones.
void trn_huge_pages_ask(void *memory, size_t bytes)
{
#if defined(RANGE_HAS_MMAP) && defined(MADV_HUGEPAGE)
    (void)madvise(memory, bytes & ~(TRN_HUGE_PAGE_BYTES - 1), MADV_HUGEPAGE);
#else
    (void)memory;
    (void)bytes;
#endif
}

void trn_memory_populate(void *memory, size_t bytes)
{
#if defined(RANGE_HAS_MMAP) && defined(MADV_POPULATE_WRITE)
    // The pages at both ends hold bytes of the memory too, so they are mapped.
    const uintptr_t page = trn_address_range_page_bytes();
    const uintptr_t first = (uintptr_t)memory & ~(page - 1);
    const uintptr_t end = ((uintptr_t)memory + bytes + page - 1) & ~(page - 1);
    (void)madvise((unsigned char *)memory - ((uintptr_t)memory - first), end - first,
                  MADV_POPULATE_WRITE);
#else
    (void)memory;
    (void)bytes;
#endif
}
