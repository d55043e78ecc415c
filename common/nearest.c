#include "nearest.h"

#include <string.h>

#define LETTERS_MAX 31

static size_t nearest_smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

size_t nearest_distance(const char *a, const char *b)
{
    size_t rows[3][LETTERS_MAX + 1]; // the row at hand is i % 3
    size_t length = 0;
    for (; b[length] && length < LETTERS_MAX; length++) {
        rows[0][length] = length;
    }
    rows[0][length] = length;
    size_t i = 1;
    for (; a[i - 1]; i++) {
        size_t *row = rows[i % 3];
        const size_t *above = rows[(i + 2) % 3], *twice_above = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= length; j++) {
            const size_t replaced = above[j - 1] + (a[i - 1] != b[j - 1]);
            row[j] = nearest_smaller(replaced, nearest_smaller(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                row[j] = nearest_smaller(row[j], twice_above[j - 2] + 1);
            }
        }
    }
    return rows[(i + 2) % 3][length];
}

bool nearest_is_likely(const char *word, size_t distance)
{
    return distance * 3 <= strlen(word);
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
