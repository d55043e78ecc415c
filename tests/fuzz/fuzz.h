/// Shared by the fuzz targets. A target is fuzz_NAME.c with one function,
///
///     int fuzz_NAME(const uint8_t *bytes, size_t size);
///
/// which takes any bytes and returns 0. It may keep what is slow to create in static variables, but
/// each call must do the same with the same bytes. libFuzzer calls it with inputs that it invents
/// (fuzz_main.c), and CTest with those of corpus/NAME (replay.c). If the input is text, its words
/// are in dict/NAME.dict. If a structure is tested, the bytes are a program of operations
/// (FuzzProgram), which the target does both with it and with a simple model.
#pragma once

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

/// A program of operations, read from the bytes of an input. Behind its end all numbers are 0.
typedef struct FuzzProgram {
    const uint8_t *at, *end;
} FuzzProgram;

static inline FuzzProgram fuzz_program(const uint8_t *bytes, size_t size)
{
    return (FuzzProgram){bytes, bytes + size};
}

static inline bool fuzz_has_more(const FuzzProgram *program)
{
    return program->at < program->end;
}

/// Returns a little-endian number of `bytes` bytes.
static inline uint32_t fuzz_number(FuzzProgram *program, int bytes)
{
    uint32_t number = 0;
    for (int i = 0; i < bytes && fuzz_has_more(program); i++) {
        number |= (uint32_t)*program->at++ << 8 * i;
    }
    return number;
}

/// Returns a number in [0, bound), from one byte or two. @param bound  1..2^16
static inline uint32_t fuzz_below(FuzzProgram *program, uint32_t bound)
{
    return fuzz_number(program, bound <= 256 ? 1 : 2) % bound;
}

/// Returns a number in [low, high]. @param high  at most low + 65535
static inline int32_t fuzz_between(FuzzProgram *program, int32_t low, int32_t high)
{
    return low + (int32_t)fuzz_below(program, (uint32_t)(high - low) + 1);
}
