#include <terrane/base.h>

#include <stdbool.h>
#include <stdlib.h>

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
        return "It worked.";
    case TRN_RESULT_BAD_ARGUMENT:
        return "An argument is outside its range; the declaration in the header states the range.";
    case TRN_RESULT_NO_MEMORY:
        return "There is no memory left; free some, lower the view distance, or set a cap.";
    case TRN_RESULT_EXISTS:
        return "There is already something at this coordinate, or of this name; remove it first, "
               "or use what is there.";
    case TRN_RESULT_NOT_FOUND:
        return "There is nothing at this coordinate, of this name, or to undo or redo; insert it "
               "first.";
    case TRN_RESULT_STALE_ID:
        return "The id names nothing any more; look it up again by coordinate.";
    case TRN_RESULT_FULL:
        return "A cap has been reached; remove or evict something, or raise the cap.";
    case TRN_RESULT_OUT_OF_RANGE:
        return "Reaching this coordinate would pass the maximum size set at creation; raise it, or "
               "keep far-away things in an array of their own.";
    case TRN_RESULT_READERS:
        return "Too much memory waits for a reader that stays in its read section; let the slowest "
               "reader end its section, or raise the bound.";
    case TRN_RESULT_CORRUPT:
        return "The text or file is not what its format says; mend it where the problem points, or "
               "use a whole copy.";
    case TRN_RESULT_BUSY:
        return "Somebody holds the chunk, or has it open for editing; release it, or end that edit "
               "first.";
    case TRN_RESULT_COUNT:
        break;
    }
    return "This is not a result of Terrane.";
}

static void *malloc_alloc(size_t bytes, size_t alignment, void *user)
{
    (void)user;
    bool is_large = bytes >= TRN_HUGE_PAGE_BYTES;
    if (is_large && alignment < TRN_HUGE_PAGE_BYTES) {
        alignment = TRN_HUGE_PAGE_BYTES;
    }
    // aligned_alloc wants a multiple of the alignment; rounding up must not wrap.
    if (bytes > SIZE_MAX - alignment) {
        return NULL;
    }
    void *memory = aligned_alloc(alignment, (bytes + alignment - 1) & ~(alignment - 1));
    if (memory && is_large) {
        trn_huge_pages_ask(memory, bytes);
    }
    return memory;
}

static void malloc_free(void *memory, size_t bytes, void *user)
{
    (void)bytes;
    (void)user;
    free(memory);
}

TrnAllocator trn_allocator_default(void)
{
    TrnAllocator allocator = {malloc_alloc, malloc_free, NULL};
    return allocator;
}
