/// Measured values and their percentiles.
#ifndef TERRANE_VIEWER_SAMPLES_H
#define TERRANE_VIEWER_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>

/// All zeroes is an empty list.
typedef struct Samples {
    double *values;
    size_t count, capacity;
} Samples;

/// Appends a value. @return false without memory; the list is then unchanged
bool samples_add(Samples *samples, double value);

/// Returns the smallest value with at least `percent` of all values at or below it (nearest rank);
/// 0 if the list is empty. Sorts the list in place.
/// @param percent  0..100
double samples_percentile(Samples *samples, double percent);

void samples_free(Samples *samples);

#endif
