#include "series/samples.h"

#include <math.h>
#include <stdlib.h>

bool samples_add(Samples *samples, double value)
{
    if (samples->count == samples->capacity) {
        size_t capacity = samples->capacity ? samples->capacity * 2 : 256;
        double *values = realloc(samples->values, capacity * sizeof *values);
        if (!values) {
            return false;
        }
        samples->values = values;
        samples->capacity = capacity;
    }
    samples->values[samples->count++] = value;
    return true;
}

static int compare_values(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

double samples_percentile(Samples *samples, double percent)
{
    if (samples->count == 0) {
        return 0;
    }
    qsort(samples->values, samples->count, sizeof *samples->values, compare_values);
    double rank = ceil(percent * (double)samples->count / 100);
    size_t index = rank < 1 ? 0 : (size_t)rank - 1;
    return samples->values[index < samples->count ? index : samples->count - 1];
}

void samples_free(Samples *samples)
{
    free(samples->values);
    *samples = (Samples){0};
}
