/// Pictures compared and messages caught, for tests of bad conditions. _POSIX_C_SOURCE must be
/// 200809L.
#pragma once

#include "gl_picture.h"

#include <unistd.h>

static inline double mean_difference(const Picture *a, const Picture *b, int first_row,
                                     int last_row)
{
    double sum = 0;
    for (int y = first_row; y < last_row; y++) {
        for (int x = 0; x < WIDTH; x++) {
            sum += difference(a->rgb[y][x], b->rgb[y][x]);
        }
    }
    return sum / (WIDTH * (last_row - first_row));
}

// ---- what is printed ----------------------------------------------------------------------------

/// Catches stderr between begin and end.
typedef struct Caught {
    FILE *file;
    int kept;
    char text[4096];
} Caught;

static inline void begin_catching(Caught *caught)
{
    caught->file = tmpfile();
    assert_non_null(caught->file);
    fflush(stderr);
    caught->kept = dup(STDERR_FILENO);
    assert_true(caught->kept >= 0 && dup2(fileno(caught->file), STDERR_FILENO) >= 0);
}

static inline void end_catching(Caught *caught)
{
    fflush(stderr);
    assert_true(dup2(caught->kept, STDERR_FILENO) >= 0);
    close(caught->kept);
    rewind(caught->file);
    caught->text[fread(caught->text, 1, sizeof caught->text - 1, caught->file)] = 0;
    fclose(caught->file);
}
