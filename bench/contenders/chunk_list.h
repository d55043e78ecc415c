/// The output list of a gather. Functions append single chunks, rows of cells, or the cells of set
/// bits. They write whole registers while capacity remains, and single pointers near the end.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

#include "contender.h"

/// How many cells past the requested ones the kernels may write and chunk_list_append_bits may
/// read.
#define CHUNK_LIST_SLACK 8

typedef struct ChunkList {
    const ContenderChunk **out; ///< [capacity]
    size_t capacity;
    size_t count; ///< how many were found, written or not
} ChunkList;

static inline ChunkList chunk_list(void *out, size_t capacity)
{
    ChunkList list = {(const ContenderChunk **)out, capacity, 0};
    return list;
}

static inline bool chunk_list_has_room(const ChunkList *list, size_t more)
{
    return list->count + more + CHUNK_LIST_SLACK <= list->capacity;
}

static inline void chunk_list_append(ChunkList *list, const ContenderChunk *chunk)
{
    if (list->count < list->capacity) {
        list->out[list->count] = chunk;
    }
    list->count++;
}

static inline void chunk_list_append_row_slowly(ChunkList *list, const ContenderChunk *const *cells,
                                                size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (cells[i]) {
            chunk_list_append(list, cells[i]);
        }
    }
}

/// Appends the cells of a row that are not NULL.
static inline void chunk_list_append_row(ChunkList *list, const ContenderChunk *const *cells,
                                         size_t count)
{
    if (!chunk_list_has_room(list, count)) {
        chunk_list_append_row_slowly(list, cells, count);
        return;
    }
    const ContenderChunk **out = list->out + list->count;
#if defined(__AVX512F__)
    for (size_t i = 0; i < count; i += 8) {
        const size_t left = count - i;
        const __mmask8 row = left < 8 ? (__mmask8)((1u << left) - 1) : (__mmask8)0xFF;
        const __m512i eight = _mm512_maskz_loadu_epi64(row, cells + i);
        const __mmask8 there = _mm512_test_epi64_mask(eight, eight);
        _mm512_storeu_si512(out, _mm512_maskz_compress_epi64(there, eight));
        out += __builtin_popcount(there);
    }
#else
    for (size_t i = 0; i < count; i++) {
        *out = cells[i];
        out += cells[i] != NULL; // no branch: empty cells are unpredictable
    }
#endif
    list->count = (size_t)(out - list->out);
}

/// Up to this many bits of a word, appending one by one is faster than compressing whole registers.
enum { BITS_TAKEN_ONE_BY_ONE = 6 };

/// Appends those of 64 cells whose bit in the word is set.
static inline void chunk_list_append_bits(ChunkList *list, const ContenderChunk *const *cells,
                                          uint64_t bits)
{
    if (bits == ~UINT64_C(0) && chunk_list_has_room(list, 64)) {
        memcpy(list->out + list->count, cells, 64 * sizeof(const ContenderChunk *));
        list->count += 64;
        return;
    }
#if defined(__AVX512F__)
    if (__builtin_popcountll(bits) > BITS_TAKEN_ONE_BY_ONE && chunk_list_has_room(list, 64)) {
        const ContenderChunk **out = list->out + list->count;
        for (unsigned i = 0; i < 64; i += 8) {
            const __mmask8 some = (__mmask8)(bits >> i);
            const __m512i eight = _mm512_maskz_loadu_epi64(some, cells + i);
            _mm512_storeu_si512(out, _mm512_maskz_compress_epi64(some, eight));
            out += __builtin_popcount(some);
        }
        list->count = (size_t)(out - list->out);
        return;
    }
#endif
    for (; bits; bits &= bits - 1) {
        chunk_list_append(list, cells[__builtin_ctzll(bits)]);
    }
}

/// Appends a run of cells, none of them NULL. Reads up to CHUNK_LIST_SLACK - 1 cells past the run.
static inline void chunk_list_append_run(ChunkList *list, const ContenderChunk *const *cells,
                                         size_t count)
{
    if (!chunk_list_has_room(list, count)) {
        chunk_list_append_row_slowly(list, cells, count);
        return;
    }
    for (size_t i = 0; i < count; i += 8) {
        memcpy(list->out + list->count + i, cells + i,
               8 * sizeof(const ContenderChunk *)); // one or two registers
    }
    list->count += count;
}
