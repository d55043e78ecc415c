// The AVX-512 kernels, which handle sixteen rows at a time. They need the extensions of Ice Lake
// and Zen 4.

#include "mesh_kernels.h"

#if defined(__x86_64__)
#include <immintrin.h>

// Without optimisation gcc's gathers are macros that make a mask of all bits a signed number.
#pragma GCC diagnostic ignored "-Wsign-conversion"

#define MESH_LANES 16
#define MESH_SUFFIX avx512
#define MESH_TARGET                                                                                \
    __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512cd,avx512vbmi,avx512vbmi2,"    \
                          "gfni,bmi,bmi2,lzcnt,popcnt")))
#define MESH_KERNELS trn_mesh_kernels_avx512
#define MESH_KERNELS_NAME "AVX-512"
#define MESH_HAS_NONZERO
#define MESH_HAS_TRANSPOSE
#define MESH_HAS_DECODE
#define MESH_HAS_SAME
#define MESH_HAS_LIST
#define MESH_HAS_AO
#define MESH_HAS_SPREAD

#define MESH_AVX512 MESH_TARGET static inline __attribute__((always_inline))

typedef uint32_t MeshSixteenLanes __attribute__((vector_size(64)));

MESH_AVX512 uint32_t mesh_nonzero_avx512(MeshSixteenLanes lanes)
{
    return _mm512_test_epi32_mask((__m512i)lanes, (__m512i)lanes);
}

/// The byte order that gathers blocks of 8 x 8 bits: of eight words, byte 0 (or 1) of each, the
/// last word first.
#define MESH_BLOCK(words, byte)                                                                    \
    ((words)*8 + 7) * 4 + (byte), ((words)*8 + 6) * 4 + (byte), ((words)*8 + 5) * 4 + (byte),      \
        ((words)*8 + 4) * 4 + (byte), ((words)*8 + 3) * 4 + (byte), ((words)*8 + 2) * 4 + (byte),  \
        ((words)*8 + 1) * 4 + (byte), ((words)*8) * 4 + (byte)
#define MESH_BLOCKS(byte)                                                                          \
    MESH_BLOCK(0, byte), MESH_BLOCK(1, byte), MESH_BLOCK(2, byte), MESH_BLOCK(3, byte)
#define MESH_WORD(i) (i), (i) + 8, (i) + 16, (i) + 24
#define MESH_WORDS(i)                                                                              \
    MESH_WORD(i), MESH_WORD((i) + 1), MESH_WORD((i) + 2), MESH_WORD((i) + 3), MESH_WORD((i) + 4),  \
        MESH_WORD((i) + 5), MESH_WORD((i) + 6), MESH_WORD((i) + 7)

/// Transposes blocks of 8 x 8 bits: gathers a block's bytes, transposes it by a bit matrix
/// multiplication, and scatters the bytes again.
MESH_AVX512 void mesh_transpose_avx512(const uint32_t *in, uint32_t *out)
{
    static const uint8_t blocks[128] = {MESH_BLOCKS(0), MESH_BLOCKS(1), MESH_BLOCKS(2),
                                        MESH_BLOCKS(3)};
    static const uint8_t words[64] = {MESH_WORDS(0), MESH_WORDS(32)};
    const __m512i one = _mm512_set1_epi64((long long)0x8040201008040201u);
    const __m512i low = _mm512_loadu_si512(in), high = _mm512_loadu_si512(in + 16);
    const __m512i order = _mm512_loadu_si512(words);
    const __m512i even = _mm512_permutex2var_epi8(low, _mm512_loadu_si512(blocks), high);
    const __m512i odd = _mm512_permutex2var_epi8(low, _mm512_loadu_si512(blocks + 64), high);
    _mm512_storeu_si512(
        out, _mm512_permutexvar_epi8(order, _mm512_gf2p8affine_epi64_epi8(one, even, 0)));
    _mm512_storeu_si512(out + 16,
                        _mm512_permutexvar_epi8(order, _mm512_gf2p8affine_epi64_epi8(one, odd, 0)));
}

MESH_AVX512 uint32_t mesh_same_avx512(const uint8_t *a, const uint8_t *b)
{
    return _mm256_cmpeq_epi8_mask(_mm256_loadu_si256((const __m256i *)(const void *)a),
                                  _mm256_loadu_si256((const __m256i *)(const void *)b));
}

MESH_AVX512 uint32_t mesh_same_blocks_avx512(const TrnBlock *a, const TrnBlock *b)
{
    return _mm512_cmpeq_epi16_mask(_mm512_loadu_si512(a), _mm512_loadu_si512(b));
}

MESH_AVX512 void mesh_decode_row_avx512(const TrnPayload *payload, uint32_t row, uint8_t *entries)
{
    const unsigned char *fields = (const unsigned char *)trn_payload_words(payload) +
                                  ((size_t)row << (2 + payload->bits_shift));
    __m256i bytes;
    if (payload->bits_shift == 2) { // two fields a byte; the second is shifted down
        const __m128i pairs = _mm_loadu_si128((const __m128i *)(const void *)fields);
        const __m256i words = _mm256_cvtepu8_epi16(pairs);
        bytes = _mm256_and_si256(_mm256_or_si256(words, _mm256_slli_epi16(words, 4)),
                                 _mm256_set1_epi8(15));
    } else if (payload->bits_shift == 1) { // eight bytes from 64 bits, at eight shifts
        const __m256i all = _mm256_set1_epi64x(*(const long long *)(const void *)fields);
        const __m256i shifts = _mm256_setr_epi64x(0x0E0C0A0806040200, 0x1E1C1A1816141210,
                                                  0x2E2C2A2826242220, 0x3E3C3A3836343230);
        bytes = _mm256_and_si256(_mm256_multishift_epi64_epi8(shifts, all), _mm256_set1_epi8(3));
    } else {
        uint32_t bits;
        __builtin_memcpy(&bits, fields, sizeof bits);
        bytes = _mm256_maskz_set1_epi8(bits, 1);
    }
    _mm256_storeu_si256((__m256i *)(void *)entries, bytes);
}

MESH_AVX512 uint16_t *mesh_list_bits_avx512(uint16_t *list, uint32_t row, uint32_t bits)
{
    static const uint16_t places[32] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
                                        11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
                                        22, 23, 24, 25, 26, 27, 28, 29, 30, 31};
    const __m512i all = _mm512_add_epi16(_mm512_loadu_si512(places),
                                         _mm512_set1_epi16((short)(row * TRN_MESH_EDGE)));
    const __m512i listed = _mm512_maskz_compress_epi16(bits, all);
    const int count = _mm_popcnt_u32(bits);
    _mm_storeu_si128((__m128i *)(void *)list, _mm512_castsi512_si128(listed));
    if (count > 8) { // predictable: rows with many runs follow each other
        _mm512_storeu_si512(list, listed);
    }
    return list + count;
}

/// Looks up the ambient occlusion of sixteen faces.
/// @param row  y * 32 + lane
/// @param bit  of the face in its row
MESH_AVX512 __m512i mesh_sixteen_ao_avx512(const TrnMeshSide *side, __m512i row, __m512i bit)
{
    const __m512i seven = _mm512_set1_epi32(7);
    const __mmask16 is_far = _mm512_cmpgt_epi32_mask(bit, _mm512_set1_epi32(15));
    // TRN_MESH_FROM_ORIGIN(y, lane). In one of the two layers, all three bits lie in the same word.
    __m512i at = _mm512_add_epi32(row, _mm512_slli_epi32(_mm512_srli_epi32(row, 5), 4));
    at = _mm512_mask_add_epi32(at, is_far, at, _mm512_set1_epi32((int)(side->right - side->left)));
    const __m512i shift = _mm512_mask_sub_epi32(bit, is_far, bit, _mm512_set1_epi32(2));
    const __m512i before = _mm512_i32gather_epi32(at, side->left - side->row_step, 4);
    const __m512i own = _mm512_i32gather_epi32(at, side->left, 4);
    const __m512i behind = _mm512_i32gather_epi32(at, side->left + side->row_step, 4);
    const __m512i sides = _mm512_srlv_epi32(own, shift); // in bits 0 and 2
    const __m512i both =
        _mm512_or_si512(_mm512_slli_epi32(_mm512_and_si512(sides, _mm512_set1_epi32(1)), 3),
                        _mm512_slli_epi32(_mm512_and_si512(sides, _mm512_set1_epi32(4)), 2));
    const __m512i pairs = _mm512_loadu_si512(trn_mesh_ao_pair);
    const __m512i more = _mm512_loadu_si512(trn_mesh_ao_pair + 16);
    const __m512i low =
        _mm512_or_si512(_mm512_and_si512(_mm512_srlv_epi32(before, shift), seven), both);
    const __m512i high =
        _mm512_or_si512(_mm512_and_si512(_mm512_srlv_epi32(behind, shift), seven), both);
    return _mm512_or_si512(_mm512_permutex2var_epi32(pairs, low, more),
                           _mm512_slli_epi32(_mm512_permutex2var_epi32(pairs, high, more), 4));
}

MESH_AVX512 void mesh_find_ao_avx512(TrnMeshScratch *scratch, const TrnMeshSide *side,
                                     uint32_t count)
{
    const __m512i low = _mm512_set1_epi32(31);
    for (uint32_t i = 0; i < count; i += 16) {
        // Entries past the end of the list are left over from an earlier list; looking them up is
        // harmless.
        const __m512i last = _mm512_cvtepu16_epi32(
            _mm256_loadu_si256((const __m256i *)(const void *)(scratch->list + i)));
        const __m512i width = _mm512_cvtepu16_epi32(
            _mm256_loadu_si256((const __m256i *)(const void *)(scratch->list_width + i)));
        const __m512i row = _mm512_and_si512(_mm512_srli_epi32(last, 5), _mm512_set1_epi32(1023));
        const __m512i bit = _mm512_and_si512(_mm512_sub_epi32(last, width), low);
        _mm256_storeu_si256((__m256i *)(void *)(scratch->list_ao + i),
                            _mm512_cvtepi32_epi16(mesh_sixteen_ao_avx512(side, row, bit)));
    }
}

typedef uint16_t MeshThirtyTwoCodes __attribute__((vector_size(64)));

MESH_AVX512 MeshThirtyTwoCodes mesh_spread_row_avx512(uint64_t row, uint32_t at, uint16_t code)
{
    return (MeshThirtyTwoCodes)_mm512_maskz_set1_epi16((uint32_t)(row >> at), (short)code);
}

#include "mesh_kernels_body.h"
#endif
