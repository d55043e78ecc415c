/// Private: vectors of the compiler, such as gcc and clang have.
#ifndef TERRANE_BASE_LANES_H
#define TERRANE_BASE_LANES_H

/// Picks lanes of two vectors by number. The lanes of `b` are numbered after those of `a`.
/// @param type  of both vectors and of the result; its lanes are integers
#if !defined(__clang__) && __GNUC__ < 12
#define TRN_SHUFFLE(type, a, b, ...) __builtin_shuffle(a, b, (type){__VA_ARGS__})
#else
#define TRN_SHUFFLE(type, a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#endif

#endif
