#include "window/nearest.h"

#define LETTERS_MAX 31

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

size_t nearest_distance(const char *a, const char *b)
{
    size_t row[LETTERS_MAX + 1];
    size_t length = 0;
    for (; b[length] && length < LETTERS_MAX; length++) {
        row[length] = length;
    }
    row[length] = length;
    for (size_t i = 0; a[i]; i++) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 0; j < length; j++) {
            const size_t replaced = diagonal + (a[i] != b[j]);
            diagonal = row[j + 1];
            row[j + 1] = smaller(replaced, smaller(diagonal, row[j]) + 1);
        }
    }
    return row[length];
}

void nearest_try(Nearest *nearest, const char *name)
{
    if (!name) {
        return;
    }
    const size_t distance = nearest_distance(nearest->word, name);
    if (!nearest->name || distance < nearest->distance) {
        nearest->name = name;
        nearest->distance = distance;
    }
}
