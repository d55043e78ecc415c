/// Terrane, base: version, results, memory.
///
/// The library has no global state: everything hangs on a handle that the caller creates and
/// destroys. Failures that the outside world can cause (no memory, a cap reached, a bad argument)
/// come back as a TrnResult, in release builds too.
///
/// Tier: stable. Core: trn_result_text.
#ifndef TERRANE_BASE_H
#define TERRANE_BASE_H

#include <stddef.h>
#include <stdint.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "Terrane needs a little-endian processor: it reads stored voxels as bytes and as words."
#endif

// TRN_SHARED: Terrane is a shared library; TRN_EXPORTS: this is compiled into it. CMake sets both.
#if !defined(TRN_SHARED)
#define TRN_API
#elif !defined(_WIN32)
#define TRN_API __attribute__((visibility("default")))
#elif defined(TRN_EXPORTS)
#define TRN_API __declspec(dllexport)
#else
#define TRN_API __declspec(dllimport)
#endif

// TRN_CHECK_RESULTS: in builds of Terrane itself, clang warns of each result that is not used.
#if defined(TRN_CHECK_RESULTS) && defined(__clang__)
#define TRN_RESULT_ATTRIBUTE __attribute__((warn_unused_result))
#else
#define TRN_RESULT_ATTRIBUTE
#endif

// What each header begins and ends its declarations with. Its inline functions are C, whose casts
// gcc allows inside extern "C"; clang is told to. TRN_CAST is for macros, which programs in C++
// expand in code of theirs.
#if defined(__cplusplus)
#define TRN_CAST(type, value) static_cast<type>(value)
#else
#define TRN_CAST(type, value) ((type)(value))
#endif
#if !defined(__cplusplus)
#define TRN_C_BEGIN
#define TRN_C_END
#elif !defined(__clang__)
#define TRN_C_BEGIN extern "C" {
#define TRN_C_END }
#else
#define TRN_C_BEGIN                                                                                \
    extern "C" {                                                                                   \
    _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wold-style-cast\"")
#define TRN_C_END                                                                                  \
    _Pragma("clang diagnostic pop")                                                                \
    }
#endif

TRN_C_BEGIN

/// The version of the headers. CMake reads it here.
#define TRN_VERSION_MAJOR 0
/// As TRN_VERSION_MAJOR: its second number.
#define TRN_VERSION_MINOR 3
/// As TRN_VERSION_MAJOR: its third number.
#define TRN_VERSION_PATCH 0

/// One number for a version, which grows with it. Components are 0 to 999.
#define TRN_VERSION_NUMBER_OF(major, minor, patch) ((major)*1000000 + (minor)*1000 + (patch))

/// The version of the headers as one number: 3000 for 0.3.0.
#define TRN_VERSION_NUMBER                                                                         \
    TRN_VERSION_NUMBER_OF(TRN_VERSION_MAJOR, TRN_VERSION_MINOR, TRN_VERSION_PATCH)

/// Whether the headers are of this version or a later one. For the preprocessor too.
#define TRN_VERSION_AT_LEAST(major, minor, patch)                                                  \
    (TRN_VERSION_NUMBER >= TRN_VERSION_NUMBER_OF(major, minor, patch))

/// Returns the version of the linked library, such as "0.3.0". Static text. Any thread.
TRN_API const char *trn_version(void);

/// The result of an operation; zero is success. On any other result the object is unchanged and
/// out-parameters are untouched, unless the declaration says otherwise.
typedef enum TRN_RESULT_ATTRIBUTE TrnResult {
    /// Success.
    TRN_RESULT_OK = 0,
    /// An argument is outside the range that its declaration states.
    TRN_RESULT_BAD_ARGUMENT,
    /// The allocator returned NULL.
    TRN_RESULT_NO_MEMORY,
    /// The coordinate or name is already in use.
    TRN_RESULT_EXISTS,
    /// Nothing has this coordinate or name, or there is nothing to undo or redo.
    TRN_RESULT_NOT_FOUND,
    /// The id is null, was never issued, or its object has been freed.
    TRN_RESULT_STALE_ID,
    /// A cap or budget that the caller set is reached.
    TRN_RESULT_FULL,
    /// A coordinate is beyond the size that the caller set, or beyond what a part may reach.
    TRN_RESULT_OUT_OF_RANGE,
    /// Retired memory has reached its bound because a reader stays in its read section.
    TRN_RESULT_READERS,
    /// A text or file does not follow its format.
    TRN_RESULT_CORRUPT,
    /// The chunk is pinned or open for editing, work is under way, or another program has the file
    /// open.
    TRN_RESULT_BUSY,
    /// The system could not read or write a file.
    TRN_RESULT_IO,
    /// The number of results; never returned.
    TRN_RESULT_COUNT
} TrnResult;

/// Returns one sentence that says what is wrong and what to do about it, true of every call that
/// returns the result. What it means at the call that failed stands in that call's declaration,
/// under Errors. Static text, never NULL, for any value. Any thread.
TRN_API const char *trn_result_text(TrnResult result);

/// Where an object allocates its memory. The object copies the struct at creation; `user` must
/// outlive the object.
/// Threads: called on every thread that calls the object.
typedef struct TrnAllocator {
    /// Allocates `bytes` (never 0), aligned to `alignment` (a power of two). Contents are
    /// undefined. Returns NULL if there is no memory.
    void *(*alloc)(size_t bytes, size_t alignment, void *user);
    /// Frees memory of alloc (never NULL). `bytes` is the size that alloc was asked for.
    void (*free)(void *memory, size_t bytes, void *user);
    /// Passed to both functions.
    void *user;
} TrnAllocator;

/// Returns the allocator that objects use by default, over trn_aligned_alloc() and
/// trn_aligned_free(). Except on Windows, it aligns blocks of 2 MiB and more to 2 MiB; on Linux, it
/// asks for huge pages for them. Any thread.
TRN_API TrnAllocator trn_allocator_default(void);

/// Allocates memory of the caller's own, such as the mesher's scratch. Contents are undefined.
/// @param bytes      at least 1
/// @param alignment  in bytes, a power of two
/// @return NULL if there is no memory or an argument is out of range; the caller frees it with
///         trn_aligned_free()
/// Any thread.
TRN_API void *trn_aligned_alloc(size_t bytes, size_t alignment);

/// Frees memory of trn_aligned_alloc(). Any thread.
/// @param memory  may be NULL
TRN_API void trn_aligned_free(void *memory);

TRN_C_END
#endif
