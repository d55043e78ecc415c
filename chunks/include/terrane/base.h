/// Terrane, base: version, results, the allocator hook.
///
/// Everything in Terrane hangs on a handle that the caller creates and destroys; there is no global
/// state. What the outside world can cause (no memory, a full cap, an absurd argument) comes back
/// as a TrnResult, in every build.
#ifndef TERRANE_BASE_H
#define TERRANE_BASE_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define TRN_API __attribute__((visibility("default")))
#else
#define TRN_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define TRN_VERSION_MAJOR 0
#define TRN_VERSION_MINOR 1
#define TRN_VERSION_PATCH 0

/// The version of the library that is linked, such as "0.1.0". Static text; any thread.
TRN_API const char *trn_version(void);

/// What an operation came to. Zero is success; on anything else the object is as it was and
/// out-parameters are untouched.
typedef enum TrnResult {
    TRN_RESULT_OK = 0,
    TRN_RESULT_BAD_ARGUMENT, ///< an argument is outside the range its declaration states
    TRN_RESULT_NO_MEMORY,    ///< the allocator returned NULL
    TRN_RESULT_EXISTS,       ///< there is already something at this coordinate, or of this name
    TRN_RESULT_NOT_FOUND,    ///< there is nothing at this coordinate, or of this name
    TRN_RESULT_STALE_ID, ///< the id is null, was never given out, or what it named has been freed
    TRN_RESULT_FULL,     ///< the cap that the caller set has been reached
    /// growing to this coordinate would pass the maximum size that the caller set
    TRN_RESULT_OUT_OF_RANGE,
    TRN_RESULT_READERS, ///< memory waits for a reader that stays in its read section
    TRN_RESULT_CORRUPT, ///< a text or file is not what its format says
    TRN_RESULT_BUSY,    ///< somebody holds the chunk, or has it open for editing
    TRN_RESULT_COUNT    ///< how many results there are; never returned
} TrnResult;

/// One sentence on a result that says what is wrong and what to do about it. Static text, never
/// NULL; any thread.
TRN_API const char *trn_result_text(TrnResult result);

/// Where an object takes its memory from. Copied when the object is created; `user` must outlive
/// the object.
/// Threads: called on whatever thread calls the object.
typedef struct TrnAllocator {
    /// `bytes` of memory (never 0) aligned to `alignment` (a power of two), or NULL when there is
    /// none. Contents undefined.
    void *(*alloc)(size_t bytes, size_t alignment, void *user);
    /// Takes back what alloc returned (never NULL), with the same `bytes`.
    void (*free)(void *memory, size_t bytes, void *user);
    /// Handed to both.
    void *user;
} TrnAllocator;

/// The allocator over the C library's aligned_alloc and free. What is 2 MiB or larger is aligned to
/// 2 MiB and, on Linux, asks for huge pages. Any thread.
TRN_API TrnAllocator trn_allocator_default(void);

#ifdef __cplusplus
}
#endif
#endif
