/// "Did you mean": which name a mistyped word is nearest to.
#ifndef TERRANE_VIEWER_NEAREST_H
#define TERRANE_VIEWER_NEAREST_H

#include <stddef.h>

/// How many letters must be put in, left out or replaced to make one word the other (Levenshtein
/// 1966, in two rows). Letters beyond the 31st of `b` do not count.
size_t nearest_distance(const char *a, const char *b);

/// A search among names that are given one after the other.
typedef struct Nearest {
    const char *word;
    const char *name; ///< the best so far; NULL: none yet
    size_t distance;  ///< to it
} Nearest;

/// @param name  may be NULL: then nothing changes. Borrowed
void nearest_try(Nearest *nearest, const char *name);

#endif
