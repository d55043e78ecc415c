// The AVX2 kernels, which handle eight rows at a time.

#include "mesh_kernels.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define MESH_LANES 8
#define MESH_SUFFIX avx2
#define MESH_TARGET __attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt")))
#define MESH_KERNELS trn_mesh_kernels_avx2
#define MESH_KERNELS_NAME "AVX2"
#define MESH_HAS_NONZERO
#define MESH_HAS_TRANSPOSE
#define MESH_HAS_DECODE
#define MESH_HAS_SAME

#define MESH_AVX2 MESH_TARGET static inline __attribute__((always_inline))

typedef uint32_t MeshEightLanes __attribute__((vector_size(32)));

MESH_AVX2 uint32_t mesh_nonzero_avx2(MeshEightLanes lanes)
{
    const __m256i zero = _mm256_cmpeq_epi32((__m256i)lanes, _mm256_setzero_si256());
    return (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(zero)) ^ 255u;
}

MESH_AVX2 __m256i mesh_load_avx2_(const void *from)
{
    return _mm256_loadu_si256(from);
}

/// Regroups the bytes of eight words: byte 0 of all eight, then byte 1 of all eight, and so on.
MESH_AVX2 __m256i mesh_bytes_avx2(const uint32_t *words)
{
    const __m256i apart = _mm256_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15, 0,
                                           4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    return _mm256_permutevar8x32_epi32(_mm256_shuffle_epi8(mesh_load_avx2_(words), apart), order);
}

/// Gathers the same byte of all 32 words, then takes the top bit of 32 bytes at a time.
MESH_AVX2 void mesh_transpose_avx2(const uint32_t *in, uint32_t *out)
{
    const __m256i a = mesh_bytes_avx2(in), b = mesh_bytes_avx2(in + 8);
    const __m256i c = mesh_bytes_avx2(in + 16), d = mesh_bytes_avx2(in + 24);
    const __m256i ab_even = _mm256_unpacklo_epi64(a, b), ab_odd = _mm256_unpackhi_epi64(a, b);
    const __m256i cd_even = _mm256_unpacklo_epi64(c, d), cd_odd = _mm256_unpackhi_epi64(c, d);
    __m256i bytes[4] = {_mm256_permute2x128_si256(ab_even, cd_even, 0x20),
                        _mm256_permute2x128_si256(ab_odd, cd_odd, 0x20),
                        _mm256_permute2x128_si256(ab_even, cd_even, 0x31),
                        _mm256_permute2x128_si256(ab_odd, cd_odd, 0x31)};
    for (int bit = 7; bit >= 0; bit--) {
        for (int i = 0; i < 4; i++) {
            out[i * 8 + bit] = (uint32_t)_mm256_movemask_epi8(bytes[i]);
            bytes[i] = _mm256_add_epi8(bytes[i], bytes[i]);
        }
    }
}

MESH_AVX2 uint32_t mesh_same_avx2(const uint8_t *a, const uint8_t *b)
{
    return (uint32_t)_mm256_movemask_epi8(
        _mm256_cmpeq_epi8(mesh_load_avx2_(a), mesh_load_avx2_(b)));
}

MESH_AVX2 uint32_t mesh_same_blocks_avx2(const TrnBlock *a, const TrnBlock *b)
{
    const __m256i low = _mm256_cmpeq_epi16(mesh_load_avx2_(a), mesh_load_avx2_(b));
    const __m256i high = _mm256_cmpeq_epi16(mesh_load_avx2_(a + 16), mesh_load_avx2_(b + 16));
    return (uint32_t)_mm256_movemask_epi8(
        _mm256_permute4x64_epi64(_mm256_packs_epi16(low, high), 0xD8));
}

/// Splits each byte into two fields: every byte becomes two, the second of which is shifted down.
MESH_AVX2 __m128i mesh_split_8_avx2(__m128i bytes, int bits, int mask)
{
    const __m128i words = _mm_cvtepu8_epi16(bytes);
    return _mm_and_si128(_mm_or_si128(words, _mm_slli_epi16(words, 8 - bits)),
                         _mm_set1_epi8((char)mask));
}

MESH_AVX2 __m256i mesh_split_16_avx2(__m128i bytes, int bits, int mask)
{
    const __m256i words = _mm256_cvtepu8_epi16(bytes);
    return _mm256_and_si256(_mm256_or_si256(words, _mm256_slli_epi16(words, 8 - bits)),
                            _mm256_set1_epi8((char)mask));
}

MESH_AVX2 void mesh_decode_row_avx2(const TrnPayload *payload, uint32_t row, uint8_t *entries)
{
    const unsigned char *fields = (const unsigned char *)trn_payload_words(payload) +
                                  ((size_t)row << (2 + payload->bits_shift));
    __m128i bytes;
    if (payload->bits_shift == 2) {
        bytes = _mm_loadu_si128((const __m128i *)(const void *)fields);
    } else if (payload->bits_shift == 1) {
        bytes = mesh_split_8_avx2(_mm_loadl_epi64((const __m128i *)(const void *)fields), 4, 15);
    } else {
        int word; // gcc before version 11 has no _mm_loadu_si32
        __builtin_memcpy(&word, fields, sizeof word);
        const __m128i eight = mesh_split_8_avx2(_mm_cvtsi32_si128(word), 4, 15);
        bytes = mesh_split_8_avx2(eight, 2, 3);
    }
    const int bits = payload->bits_shift == 2 ? 4 : payload->bits_shift == 1 ? 2 : 1;
    const __m256i all = bits == 4   ? mesh_split_16_avx2(bytes, 4, 15)
                        : bits == 2 ? mesh_split_16_avx2(bytes, 2, 3)
                                    : mesh_split_16_avx2(bytes, 1, 1);
    _mm256_storeu_si256((__m256i *)(void *)entries, all);
}

#include "mesh_kernels_body.h"
#endif
