/// Shared by the tests of imports: bytes that grow, to write files of other programs into.
#pragma once

#include "testing.h"

/// Bytes that grow.
typedef struct Out {
    unsigned char *bytes;
    size_t size, capacity;
} Out;

static inline void out_bytes(Out *out, const void *bytes, size_t size)
{
    if (out->size + size > out->capacity) {
        out->capacity = 2 * (out->size + size);
        out->bytes = realloc(out->bytes, out->capacity);
        assert_non_null(out->bytes);
    }
    if (size) {
        memcpy(out->bytes + out->size, bytes, size);
    }
    out->size += size;
}

/// Writes the lowest bytes of a number, big-endian.
static inline void out_number(Out *out, uint64_t number, int bytes)
{
    for (int i = bytes - 1; i >= 0; i--) {
        const unsigned char byte = (unsigned char)(number >> 8 * i);
        out_bytes(out, &byte, 1);
    }
}

/// The same, little-endian.
static inline void out_little(Out *out, uint64_t number, int bytes)
{
    for (int i = 0; i < bytes; i++) {
        const unsigned char byte = (unsigned char)(number >> 8 * i);
        out_bytes(out, &byte, 1);
    }
}

static inline void out_free(Out *out)
{
    free(out->bytes);
    *out = (Out){0};
}
