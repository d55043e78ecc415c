/// Private: vectors of the compiler, such as gcc and clang have.
#ifndef TERRANE_BASE_LANES_H
#define TERRANE_BASE_LANES_H

/// Whether this is a build with ThreadSanitizer, which reports vectors loaded concurrently with
/// atomic stores as races: it takes the scalar twins.
#if defined(__SANITIZE_THREAD__)
#define TRN_SANITIZES_THREADS 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TRN_SANITIZES_THREADS 1
#endif
#endif
#ifndef TRN_SANITIZES_THREADS
#define TRN_SANITIZES_THREADS 0
#endif

/// Picks lanes of two vectors by number. The lanes of `b` are numbered after those of `a`.
/// @param type  of both vectors and of the result; its lanes are integers
#if !defined(__clang__) && __GNUC__ < 12
#define TRN_SHUFFLE(type, a, b, ...) __builtin_shuffle(a, b, (type){__VA_ARGS__})
#else
#define TRN_SHUFFLE(type, a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#endif

#endif
