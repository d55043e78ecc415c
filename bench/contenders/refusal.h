/// Why a contender takes no more chunks, and how it says so.
#ifndef TERRANE_BENCH_CONTENDERS_REFUSAL_H
#define TERRANE_BENCH_CONTENDERS_REFUSAL_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <terrane/coord.h>

/// The most memory that an array over a box may take.
#define ARRAY_BYTES_MAX ((size_t)1 << 30)

typedef enum RefusalReason {
    REFUSAL_NONE,
    REFUSAL_NO_MEMORY,
    REFUSAL_TOO_LARGE, ///< see bytes
    REFUSAL_TOO_FAR    ///< see coord
} RefusalReason;

/// All zeroes: it has not refused.
typedef struct Refusal {
    RefusalReason reason;
    double bytes;   ///< what its box would take
    TrnCoord coord; ///< what does not fit in 21 bits an axis
} Refusal;

/// What a Contender's `explain` says. @param text  [size]
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

/// The refusal of an array whose box does not fit, or for which there is no memory.
static inline Refusal refusal_of_bytes(double bytes)
{
    Refusal refusal = {REFUSAL_TOO_LARGE, bytes, {0, 0, 0}};
    if (bytes <= (double)ARRAY_BYTES_MAX) {
        refusal.reason = REFUSAL_NO_MEMORY;
    }
    return refusal;
}

#endif
