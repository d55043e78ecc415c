// The mesher's kernels, which handle 1, 4, 8 or 16 rows at a time, and the table of them.

#include "mesh_kernels.h"

#include "base/vectors.h"
#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif

// One row at a time: every machine can run it, and tests hold the others against it.
#define MESH_LANES 1
#define MESH_SUFFIX scalar
#define MESH_TARGET
#define MESH_KERNELS_NAME "scalar"
#include "mesh_kernels_body.h"

// Four rows at a time in the compiler's vector types: SSE2 on every x86-64, NEON on every 64-bit
// ARM, SIMD128 in WebAssembly that is built with -msimd128.
#define MESH_LANES 4
#define MESH_SUFFIX four
#define MESH_TARGET
#define MESH_KERNELS_NAME TRN_CPU_VECTORS_NAME
#if defined(__SSE2__)
#define MESH_HAS_NONZERO
#define MESH_HAS_SAME
typedef uint32_t MeshFourLanes __attribute__((vector_size(16)));

static inline __attribute__((always_inline)) uint32_t mesh_nonzero_four(MeshFourLanes lanes)
{
    const __m128i zero = _mm_cmpeq_epi32((__m128i)lanes, _mm_setzero_si128());
    return (uint32_t)_mm_movemask_ps((__m128)zero) ^ 15u;
}

static inline __attribute__((always_inline)) __m128i mesh_load_four_(const void *from)
{
    return _mm_loadu_si128(from);
}

static inline __attribute__((always_inline)) uint32_t mesh_same_four(const uint8_t *a,
                                                                     const uint8_t *b)
{
    const __m128i low = _mm_cmpeq_epi8(mesh_load_four_(a), mesh_load_four_(b));
    const __m128i high = _mm_cmpeq_epi8(mesh_load_four_(a + 16), mesh_load_four_(b + 16));
    return (uint32_t)_mm_movemask_epi8(low) | (uint32_t)_mm_movemask_epi8(high) << 16;
}

static inline __attribute__((always_inline)) uint32_t mesh_same_half_four(const TrnBlock *a,
                                                                          const TrnBlock *b)
{
    const __m128i low = _mm_cmpeq_epi16(mesh_load_four_(a), mesh_load_four_(b));
    const __m128i high = _mm_cmpeq_epi16(mesh_load_four_(a + 8), mesh_load_four_(b + 8));
    return (uint32_t)_mm_movemask_epi8(_mm_packs_epi16(low, high));
}

static inline __attribute__((always_inline)) uint32_t mesh_same_blocks_four(const TrnBlock *a,
                                                                            const TrnBlock *b)
{
    return mesh_same_half_four(a, b) | mesh_same_half_four(a + 16, b + 16) << 16;
}
#elif defined(TRN_VECTORS)
#define MESH_HAS_NONZERO
#define MESH_HAS_SAME
#define MESH_HAS_TRANSPOSE

TRN_VECTOR_INLINE uint32_t mesh_nonzero_four(TrnU32x4 lanes)
{
    return trn_u32x4_bits((TrnU32x4)(lanes != 0));
}

TRN_VECTOR_INLINE uint32_t mesh_same_four(const uint8_t *a, const uint8_t *b)
{
    return trn_u8x16_bits((TrnU8x16)(trn_u8x16_load(a) == trn_u8x16_load(b)),
                          (TrnU8x16)(trn_u8x16_load(a + 16) == trn_u8x16_load(b + 16)));
}

/// Compares eight blocks. @return all ones where they are the same
TRN_VECTOR_INLINE TrnU8x16 mesh_same_eight_four(const TrnBlock *a, const TrnBlock *b)
{
    return (TrnU8x16)((TrnU16x8)trn_u8x16_load(a) == (TrnU16x8)trn_u8x16_load(b));
}

TRN_VECTOR_INLINE uint32_t mesh_same_blocks_four(const TrnBlock *a, const TrnBlock *b)
{
    const TrnU8x16 parts[4] = {mesh_same_eight_four(a, b), mesh_same_eight_four(a + 8, b + 8),
                               mesh_same_eight_four(a + 16, b + 16),
                               mesh_same_eight_four(a + 24, b + 24)};
    return trn_u8x16_bits(TRN_U8X16_EVEN(parts[0], parts[1]), TRN_U8X16_EVEN(parts[2], parts[3]));
}

/// Swaps the high fields of each byte of `a` with the low fields of `b`.
/// @param bits  of a field: 1, 2 or 4
/// @param low   the low fields
TRN_VECTOR_INLINE void mesh_swap_fields_four(TrnU8x16 *a, TrnU8x16 *b, int bits, uint8_t low)
{
    const TrnU8x16 mask = trn_u8x16_all(low), from_a = *a;
    *a = trn_u8x16_pick(mask, from_a, *b << bits);
    *b = trn_u8x16_pick(mask, from_a >> bits, *b);
}

/// The same with fields of 8 bits in words of 16.
TRN_VECTOR_INLINE void mesh_swap_bytes_four(TrnU8x16 *a, TrnU8x16 *b)
{
    const TrnU8x16 from_a = *a;
    *a = TRN_SHUFFLE(TrnU8x16, from_a, *b, 0, 16, 2, 18, 4, 20, 6, 22, 8, 24, 10, 26, 12, 28, 14,
                     30);
    *b = TRN_SHUFFLE(TrnU8x16, from_a, *b, 1, 17, 3, 19, 5, 21, 7, 23, 9, 25, 11, 27, 13, 29, 15,
                     31);
}

/// The same with fields of 16 bits in words of 32.
TRN_VECTOR_INLINE void mesh_swap_halves_four(TrnU8x16 *a, TrnU8x16 *b)
{
    const TrnU16x8 from_a = (TrnU16x8)*a, from_b = (TrnU16x8)*b;
    *a = (TrnU8x16)TRN_SHUFFLE(TrnU16x8, from_a, from_b, 0, 8, 2, 10, 4, 12, 6, 14);
    *b = (TrnU8x16)TRN_SHUFFLE(TrnU16x8, from_a, from_b, 1, 9, 3, 11, 5, 13, 7, 15);
}

/// Swaps fields between rows of the same register, which are two and one apart: moves them into
/// different registers before, and back after.
TRN_VECTOR_INLINE void mesh_swap_rows_four(TrnU8x16 *a, TrnU8x16 *b)
{
    TrnU8x16 low = (TrnU8x16)TRN_SHUFFLE(TrnU32x4, (TrnU32x4)*a, (TrnU32x4)*b, 0, 1, 4, 5);
    TrnU8x16 high = (TrnU8x16)TRN_SHUFFLE(TrnU32x4, (TrnU32x4)*a, (TrnU32x4)*b, 2, 3, 6, 7);
    mesh_swap_fields_four(&low, &high, 2, 0x33);
    TrnU8x16 even = (TrnU8x16)TRN_SHUFFLE(TrnU32x4, (TrnU32x4)low, (TrnU32x4)high, 0, 2, 4, 6);
    TrnU8x16 odd = (TrnU8x16)TRN_SHUFFLE(TrnU32x4, (TrnU32x4)low, (TrnU32x4)high, 1, 3, 5, 7);
    mesh_swap_fields_four(&even, &odd, 1, 0x55);
    *a = (TrnU8x16)TRN_SHUFFLE(TrnU32x4, (TrnU32x4)even, (TrnU32x4)odd, 0, 4, 2, 6);
    *b = (TrnU8x16)TRN_SHUFFLE(TrnU32x4, (TrnU32x4)even, (TrnU32x4)odd, 1, 5, 3, 7);
}

/// The scalar algorithm on eight registers of four rows.
static inline void mesh_transpose_four(const uint32_t *in, uint32_t *out)
{
    TrnU8x16 rows[8];
#pragma GCC unroll 8
    for (size_t i = 0; i < 8; i++) {
        rows[i] = trn_u8x16_load(in + 4 * i);
    }
#pragma GCC unroll 4
    for (size_t i = 0; i < 4; i++) {
        mesh_swap_halves_four(&rows[i], &rows[i + 4]);
    }
#pragma GCC unroll 4
    for (size_t i = 0; i < 4; i++) {
        const size_t at = i + (i & 2); // 0, 1, 4, 5
        mesh_swap_bytes_four(&rows[at], &rows[at + 2]);
    }
#pragma GCC unroll 4
    for (size_t i = 0; i < 8; i += 2) {
        mesh_swap_fields_four(&rows[i], &rows[i + 1], 4, 0x0F);
        mesh_swap_rows_four(&rows[i], &rows[i + 1]);
        trn_u8x16_store(out + 4 * i, rows[i]);
        trn_u8x16_store(out + 4 * i + 4, rows[i + 1]);
    }
}
#endif
#include "mesh_kernels_body.h"

#if defined(__x86_64__)
// ---- AVX2: eight rows --------------------------------------------------------------------------

#define MESH_LANES 8
#define MESH_SUFFIX avx2
#define MESH_TARGET __attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt")))
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
    const TrnHalf half = payload->half[row / TRN_HALF_ROWS];
    const uint8_t *lut = trn_payload_lut_entries(payload) + (size_t)half.lut * TRN_PAYLOAD_LUT_STEP;
    const unsigned char *fields = trn_payload_fields(payload, half, row);
    __m256i *const to = (__m256i *)(void *)entries;
    __m128i bytes;
    __m256i numbers;
    if (half.bits == 0) {
        _mm256_storeu_si256(to, _mm256_set1_epi8((char)lut[0]));
        return;
    }
    if (half.bits == 8) { // the palette's entries themselves
        _mm256_storeu_si256(to, mesh_load_avx2_(fields));
        return;
    }
    if (half.bits == 4) {
        bytes = _mm_loadu_si128((const __m128i *)(const void *)fields);
        numbers = mesh_split_16_avx2(bytes, 4, 15);
    } else if (half.bits == 2) {
        bytes = mesh_split_8_avx2(_mm_loadl_epi64((const __m128i *)(const void *)fields), 4, 15);
        numbers = mesh_split_16_avx2(bytes, 2, 3);
    } else {
        int word; // gcc before version 11 has no _mm_loadu_si32
        __builtin_memcpy(&word, fields, sizeof word);
        const __m128i eight = mesh_split_8_avx2(_mm_cvtsi32_si128(word), 4, 15);
        bytes = mesh_split_8_avx2(eight, 2, 3);
        numbers = mesh_split_16_avx2(bytes, 1, 1);
    }
    const __m256i table =
        _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)lut));
    _mm256_storeu_si256(to, _mm256_shuffle_epi8(table, numbers));
}

#include "mesh_kernels_body.h"

// ---- AVX-512: sixteen rows, with the extensions of Ice Lake and Zen 4 --------------------------

// Without optimisation gcc's gathers are macros that make a mask of all bits a signed number.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-conversion"

#define MESH_LANES 16
#define MESH_SUFFIX avx512
#define MESH_TARGET                                                                                \
    __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512cd,avx512vbmi,avx512vbmi2,"    \
                          "gfni,bmi,bmi2,lzcnt,popcnt")))
#define MESH_KERNELS_NAME "AVX-512"
#define MESH_HAS_NONZERO
#define MESH_HAS_TRANSPOSE
#define MESH_HAS_DECODE
#define MESH_HAS_SAME
#define MESH_HAS_LIST
#define MESH_HAS_AO
#define MESH_HAS_BYTES

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
    const TrnHalf half = payload->half[row / TRN_HALF_ROWS];
    const uint8_t *lut = trn_payload_lut_entries(payload) + (size_t)half.lut * TRN_PAYLOAD_LUT_STEP;
    const unsigned char *fields = trn_payload_fields(payload, half, row);
    __m256i *const to = (__m256i *)(void *)entries;
    __m256i numbers;
    if (half.bits == 0) {
        _mm256_storeu_si256(to, _mm256_set1_epi8((char)lut[0]));
        return;
    }
    if (half.bits == 8) { // the palette's entries themselves
        _mm256_storeu_si256(to, _mm256_loadu_si256((const __m256i *)(const void *)fields));
        return;
    }
    if (half.bits == 4) { // two fields a byte; the second is shifted down
        const __m128i pairs = _mm_loadu_si128((const __m128i *)(const void *)fields);
        const __m256i words = _mm256_cvtepu8_epi16(pairs);
        numbers = _mm256_and_si256(_mm256_or_si256(words, _mm256_slli_epi16(words, 4)),
                                   _mm256_set1_epi8(15));
    } else if (half.bits == 2) { // eight bytes from 64 bits, at eight shifts
        const __m256i all = _mm256_set1_epi64x(*(const long long *)(const void *)fields);
        const __m256i shifts = _mm256_setr_epi64x(0x0E0C0A0806040200, 0x1E1C1A1816141210,
                                                  0x2E2C2A2826242220, 0x3E3C3A3836343230);
        numbers = _mm256_and_si256(_mm256_multishift_epi64_epi8(shifts, all), _mm256_set1_epi8(3));
    } else {
        uint32_t bits;
        __builtin_memcpy(&bits, fields, sizeof bits);
        numbers = _mm256_maskz_set1_epi8(bits, 1);
    }
    const __m256i table =
        _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)lut));
    _mm256_storeu_si256(to, _mm256_shuffle_epi8(table, numbers));
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

/// Turns eight registers of eight words: word i of register k becomes word k of register i.
MESH_AVX512 void mesh_turn_words_avx512(const __m512i *in, __m512i *out)
{
    for (int odd = 0; odd < 2; odd++) {
        __m512i pairs[4]; // of registers; in each half-quarter the words of an even or odd row
#pragma GCC unroll 4
        for (int i = 0; i < 4; i++) {
            const __m512i *two = &in[(size_t)2 * i];
            pairs[i] =
                odd ? _mm512_unpackhi_epi64(two[0], two[1]) : _mm512_unpacklo_epi64(two[0], two[1]);
        }
        const __m512i low_a = _mm512_shuffle_i64x2(pairs[0], pairs[1], 0x44);
        const __m512i low_b = _mm512_shuffle_i64x2(pairs[2], pairs[3], 0x44);
        const __m512i high_a = _mm512_shuffle_i64x2(pairs[0], pairs[1], 0xEE);
        const __m512i high_b = _mm512_shuffle_i64x2(pairs[2], pairs[3], 0xEE);
        out[odd] = _mm512_shuffle_i64x2(low_a, low_b, 0x88);
        out[2 + odd] = _mm512_shuffle_i64x2(low_a, low_b, 0xDD);
        out[4 + odd] = _mm512_shuffle_i64x2(high_a, high_b, 0x88);
        out[6 + odd] = _mm512_shuffle_i64x2(high_a, high_b, 0xDD);
    }
}

/// The byte of each of eight words, the last word first.
#define MESH_EIGHT(byte)                                                                           \
    56 + (byte), 48 + (byte), 40 + (byte), 32 + (byte), 24 + (byte), 16 + (byte), 8 + (byte), (byte)

MESH_AVX512 void mesh_put_bytes_avx512(const void *words, uint8_t (*rows)[TRN_LIGHT_EDGE])
{
    static const uint8_t order[64] = {MESH_EIGHT(0), MESH_EIGHT(1), MESH_EIGHT(2), MESH_EIGHT(3),
                                      MESH_EIGHT(4), MESH_EIGHT(5), MESH_EIGHT(6), MESH_EIGHT(7)};
    const __m512i bytes = _mm512_loadu_si512(order);
    // As the left matrix of a product it picks the columns of the right one: a transposition.
    const __m512i unit = _mm512_set1_epi64((long long)UINT64_C(0x8040201008040201));
    __m512i in[8], out[8];
    __builtin_memcpy(in, words, sizeof in);
    mesh_turn_words_avx512(in, out);
#pragma GCC unroll 8
    for (int i = 0; i < 8; i++) {
        const __m512i row =
            _mm512_gf2p8affine_epi64_epi8(unit, _mm512_permutexvar_epi8(bytes, out[i]), 0);
        const uint16_t last = (uint16_t)_mm_cvtsi128_si32(_mm512_extracti32x4_epi32(row, 2));
        _mm256_storeu_si256((__m256i *)(void *)rows[i], _mm512_castsi512_si256(row));
        __builtin_memcpy(rows[i] + 32, &last, sizeof last);
    }
}

#include "mesh_kernels_body.h"
#pragma GCC diagnostic pop
#endif

// ---- the table ---------------------------------------------------------------------------------

static const TrnKernelRow mesh_kernel_rows[] = {
#if defined(__x86_64__)
    {TRN_CPU_AVX512F | TRN_CPU_AVX512BW | TRN_CPU_AVX512VL | TRN_CPU_AVX512DQ | TRN_CPU_AVX512CD |
         TRN_CPU_AVX512VBMI | TRN_CPU_AVX512VBMI2 | TRN_CPU_GFNI | TRN_CPU_BMI | TRN_CPU_BMI2 |
         TRN_CPU_LZCNT | TRN_CPU_POPCNT,
     &mesh_kernels_avx512},
    {TRN_CPU_AVX2 | TRN_CPU_BMI | TRN_CPU_BMI2 | TRN_CPU_LZCNT | TRN_CPU_POPCNT,
     &mesh_kernels_avx2},
#endif
    {0, &mesh_kernels_four},
    {0, &mesh_kernels_scalar},
};

const TrnKernelTable trn_mesh_kernels = {mesh_kernel_rows,
                                         sizeof mesh_kernel_rows / sizeof mesh_kernel_rows[0]};
