/// Shared by the fuzz targets. A target is fuzz_NAME.c with one function,
///
///     int fuzz_NAME(const uint8_t *bytes, size_t size);
///
/// which takes any bytes and returns 0. It may keep what is slow to create in static variables, but
/// each call must do the same with the same bytes. libFuzzer calls it with inputs that it invents
/// (fuzz_main.c), and CTest with those of corpus/NAME (replay.c).
#ifndef TERRANE_TESTS_FUZZ_H
#define TERRANE_TESTS_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Ends the program if something does not hold, in every build.
#define FUZZ_REQUIRE(condition)                                                                    \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            (void)fprintf(stderr, "%s:%d: this does not hold: %s\n", __FILE__, __LINE__,           \
                          #condition);                                                             \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

#endif
