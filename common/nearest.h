/// "Did you mean": finds the name most similar to a mistyped word.
#pragma once

#include <stdbool.h>
#include <stddef.h>

/// Returns how many letters must be inserted, removed, replaced or swapped with the next one to
/// turn one word into the other (optimal string alignment, Damerau 1964). Letters of `b` beyond the
/// 31st do not count.
size_t nearest_distance(const char *a, const char *b);

/// Whether a name at that distance is likely to be what was meant: one mistake in three letters.
bool nearest_is_likely(const char *word, size_t distance);

/// A search among names that are passed one by one.
typedef struct Nearest {
    const char *word;
    const char *name; ///< the best so far; NULL: none yet
    size_t distance;  ///< to that name
} Nearest;

/// Compares another name. @param name  borrowed; NULL changes nothing
void nearest_try(Nearest *nearest, const char *name);
