/// "Did you mean": finds the name most similar to a mistyped word.
#ifndef TERRANE_VIEWER_NEAREST_H
#define TERRANE_VIEWER_NEAREST_H

#include <stddef.h>

/// Returns how many letters must be inserted, removed or replaced to turn one word into the other
/// (Levenshtein 1966, in two rows). Letters of `b` beyond the 31st do not count.
size_t nearest_distance(const char *a, const char *b);

/// A search among names that are passed one by one.
typedef struct Nearest {
    const char *word;
    const char *name; ///< the best so far; NULL: none yet
    size_t distance;  ///< to that name
} Nearest;

/// Compares another name. @param name  borrowed; NULL changes nothing
void nearest_try(Nearest *nearest, const char *name);

#endif
