#include <terrane/base.h>

#include <stdbool.h>
#include <stdlib.h>
#if defined(_WIN32)
#include <malloc.h>
#endif

#include "base/address_range.h"

#define TEXT_OF(number) #number
#define VERSION_TEXT(major, minor, patch) TEXT_OF(major) "." TEXT_OF(minor) "." TEXT_OF(patch)

const char *trn_version(void)
{
    return VERSION_TEXT(TRN_VERSION_MAJOR, TRN_VERSION_MINOR, TRN_VERSION_PATCH);
}

const char *trn_result_text(TrnResult result)
{
    switch (result) {
    case TRN_RESULT_OK:
        return "Success.";
    case TRN_RESULT_BAD_ARGUMENT:
        return "An argument is out of range, or an object is missing; the call's declaration in "
               "the header states what it takes.";
    case TRN_RESULT_NO_MEMORY:
        return "Out of memory; free some, lower the view distance, or set a memory budget.";
    case TRN_RESULT_EXISTS:
        return "It exists already: this coordinate or name is in use; remove what has it, or use "
               "that.";
    case TRN_RESULT_NOT_FOUND:
        return "Not found: nothing is loaded or saved under this coordinate or name, or there is "
               "nothing to undo or redo; check it, or insert it first.";
    case TRN_RESULT_STALE_ID:
        return "The id is null or stale, since its object is gone; look the object up again, or "
               "add it again.";
    case TRN_RESULT_FULL:
        return "A cap is reached; remove or evict something, or raise the cap.";
    case TRN_RESULT_OUT_OF_RANGE:
        return "Too far: a coordinate is beyond the size set at creation, or beyond what a feature "
               "or a picture may reach; raise that limit, or keep within it.";
    case TRN_RESULT_READERS:
        return "Too much retired memory waits for a reader that stays in its read section; end "
               "that section, or raise the bound.";
    case TRN_RESULT_CORRUPT:
        return "The text or file does not follow its format; fix it where the problem points, or "
               "use an intact copy.";
    case TRN_RESULT_BUSY:
        return "In use: a chunk is pinned or open for editing, work is under way, or the file is "
               "open elsewhere; end that first, or try again later.";
    case TRN_RESULT_IO:
        return "A file could not be read or written; check the disk, its free space and the file's "
               "permissions.";
    case TRN_RESULT_COUNT:
        break;
    }
    return "This is not a result of Terrane; pass a value that Terrane returned.";
}

void *trn_aligned_alloc(size_t bytes, size_t alignment)
{
    if (bytes == 0 || alignment == 0 || (alignment & (alignment - 1)) != 0) {
        return NULL;
    }
    // Some C libraries refuse smaller alignments, and sizes that are no multiple of the alignment.
    alignment = alignment < sizeof(void *) ? sizeof(void *) : alignment;
    if (bytes > SIZE_MAX - alignment) {
        return NULL;
    }
#if defined(_WIN32) // has no aligned_alloc, and a function of its own to free what is aligned
    return _aligned_malloc(bytes, alignment);
#else
    return aligned_alloc(alignment, (bytes + alignment - 1) & ~(alignment - 1));
#endif
}

void trn_aligned_free(void *memory)
{
#if defined(_WIN32)
    _aligned_free(memory);
#else
    free(memory);
#endif
}

static void *malloc_alloc(size_t bytes, size_t alignment, void *user)
{
    (void)user;
    const bool is_large = TRN_HAS_HUGE_PAGES && bytes >= TRN_HUGE_PAGE_BYTES;
    if (is_large && alignment < TRN_HUGE_PAGE_BYTES) {
        alignment = TRN_HUGE_PAGE_BYTES;
    }
    void *memory = trn_aligned_alloc(bytes, alignment);
    if (memory && is_large) {
        trn_huge_pages_ask(memory, bytes);
    }
    return memory;
}

static void malloc_free(void *memory, size_t bytes, void *user)
{
    (void)bytes;
    (void)user;
    trn_aligned_free(memory);
}

TrnAllocator trn_allocator_default(void)
{
    TrnAllocator allocator = {malloc_alloc, malloc_free, NULL};
    return allocator;
}
