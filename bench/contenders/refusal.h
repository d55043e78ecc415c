/// The reason why a contender refuses chunks, and its text.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <terrane/coord.h>

/// The most memory that an array over a box may take.
#define ARRAY_BYTES_MAX ((size_t)1 << 30)

typedef enum RefusalReason {
    REFUSAL_NONE,
    REFUSAL_NO_MEMORY,
    REFUSAL_TOO_LARGE, ///< see `bytes`
    REFUSAL_TOO_FAR    ///< see `coord`
} RefusalReason;

/// All zeroes: the contender has refused nothing.
typedef struct Refusal {
    RefusalReason reason;
    double bytes;   ///< size of the array that exceeds the limit
    TrnCoord coord; ///< coordinate that does not fit in 21 bits an axis
} Refusal;

/// Writes the text of a Contender's `explain`. @param text [size]
static inline void refusal_explain(const Refusal *refusal, char *text, size_t size)
{
    switch (refusal->reason) {
    case REFUSAL_NO_MEMORY:
        snprintf(text, size, "no memory");
        return;
    case REFUSAL_TOO_LARGE:
        snprintf(text, size, "its box would take %.3g GB; the limit is 1 GiB",
                 refusal->bytes / 1e9);
        return;
    case REFUSAL_TOO_FAR:
        snprintf(text, size, "(%d, %d, %d) does not fit in 21 bits an axis", (int)refusal->coord.x,
                 (int)refusal->coord.y, (int)refusal->coord.z);
        return;
    case REFUSAL_NONE:
        break;
    }
    snprintf(text, size, "it has not refused");
}

/// The refusal of an array that exceeds the limit or the available memory.
static inline Refusal refusal_of_bytes(double bytes)
{
    Refusal refusal = {REFUSAL_TOO_LARGE, bytes, {0, 0, 0}};
    if (bytes <= (double)ARRAY_BYTES_MAX) {
        refusal.reason = REFUSAL_NO_MEMORY;
    }
    return refusal;
}
