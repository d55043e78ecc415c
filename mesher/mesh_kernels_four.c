// The kernels that handle four rows at a time in the compiler's vector types: SSE2 on every x86-64,
// NEON on every 64-bit ARM, SIMD128 in WebAssembly that is built with -msimd128.

#include "mesh_kernels.h"

#include "base/vectors.h"

#define MESH_LANES 4
#define MESH_SUFFIX four
#define MESH_TARGET
#define MESH_KERNELS trn_mesh_kernels_four
#define MESH_KERNELS_NAME TRN_CPU_VECTORS_NAME
#if defined(__SSE2__)
#include <emmintrin.h>
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
