/// Private: vectors of 16 bytes, for kernels of targets that always have them: NEON on 64-bit ARM,
/// SIMD128 in WebAssembly. Such kernels are written in the compiler's own vector types; here is
/// what those lack. Empty for other targets: see TRN_VECTORS in cpu.h.
#ifndef TERRANE_BASE_VECTORS_H
#define TERRANE_BASE_VECTORS_H

#include "base/cpu.h"
#include "base/lanes.h"

#if defined(TRN_VECTORS)

#include <string.h>

#if defined(__aarch64__)
#include <arm_neon.h>
#else
#include <wasm_simd128.h>
#endif

typedef uint8_t TrnU8x16 __attribute__((vector_size(16)));
typedef uint16_t TrnU16x8 __attribute__((vector_size(16)));
typedef uint32_t TrnU32x4 __attribute__((vector_size(16)));
typedef uint64_t TrnU64x2 __attribute__((vector_size(16)));

#define TRN_VECTOR_INLINE static inline __attribute__((always_inline))

TRN_VECTOR_INLINE TrnU8x16 trn_u8x16_load(const void *from)
{
    TrnU8x16 bytes;
    memcpy(&bytes, from, sizeof bytes);
    return bytes;
}

TRN_VECTOR_INLINE void trn_u8x16_store(void *to, TrnU8x16 bytes)
{
    memcpy(to, &bytes, sizeof bytes);
}

TRN_VECTOR_INLINE TrnU8x16 trn_u8x16_all(uint8_t byte)
{
    return byte - (TrnU8x16){0}; // a scalar operand is broadcast to all lanes
}

/// Interleaves the lower, or the upper, halves of two registers: a0 b0 a1 b1 ...
#define TRN_U8X16_ZIP_LOW(a, b)                                                                    \
    TRN_SHUFFLE(TrnU8x16, a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define TRN_U8X16_ZIP_HIGH(a, b)                                                                   \
    TRN_SHUFFLE(TrnU8x16, a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)

/// The bytes of two registers with even, or with odd, numbers.
#define TRN_U8X16_EVEN(a, b)                                                                       \
    TRN_SHUFFLE(TrnU8x16, a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30)
#define TRN_U8X16_ODD(a, b)                                                                        \
    TRN_SHUFFLE(TrnU8x16, a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31)

/// Looks up each byte of `at` in a table of 16; 0 where it is beyond the table.
TRN_VECTOR_INLINE TrnU8x16 trn_u8x16_look_up(TrnU8x16 table, TrnU8x16 at)
{
#if defined(__aarch64__)
    return (TrnU8x16)vqtbl1q_u8((uint8x16_t)table, (uint8x16_t)at);
#else
    return (TrnU8x16)wasm_i8x16_swizzle((v128_t)table, (v128_t)at);
#endif
}

/// The same in a table of 32.
TRN_VECTOR_INLINE TrnU8x16 trn_u8x16_look_up_32(const TrnU8x16 table[2], TrnU8x16 at)
{
#if defined(__aarch64__)
    const uint8x16x2_t both = {{(uint8x16_t)table[0], (uint8x16_t)table[1]}};
    return (TrnU8x16)vqtbl2q_u8(both, (uint8x16_t)at);
#else
    return trn_u8x16_look_up(table[0], at) | trn_u8x16_look_up(table[1], at - 16);
#endif
}

/// Takes the bits of `yes` where the mask has ones, and those of `no` elsewhere.
TRN_VECTOR_INLINE TrnU8x16 trn_u8x16_pick(TrnU8x16 mask, TrnU8x16 yes, TrnU8x16 no)
{
#if defined(__aarch64__)
    return (TrnU8x16)vbslq_u8((uint8x16_t)mask, (uint8x16_t)yes, (uint8x16_t)no);
#else
    return (TrnU8x16)wasm_v128_bitselect((v128_t)yes, (v128_t)no, (v128_t)mask);
#endif
}

/// Gathers one bit of each byte of 32.
/// @param low, high  bytes that are all ones or 0
TRN_VECTOR_INLINE uint32_t trn_u8x16_bits(TrnU8x16 low, TrnU8x16 high)
{
#if defined(__aarch64__)
    const uint8x16_t powers = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    // Adds adjacent bytes three times; then each sum is eight bits.
    uint8x16_t sums =
        vpaddq_u8(vandq_u8((uint8x16_t)low, powers), vandq_u8((uint8x16_t)high, powers));
    sums = vpaddq_u8(sums, sums);
    sums = vpaddq_u8(sums, sums);
    return vgetq_lane_u32(vreinterpretq_u32_u8(sums), 0);
#else
    return (uint32_t)wasm_i8x16_bitmask((v128_t)low) | (uint32_t)wasm_i8x16_bitmask((v128_t)high)
                                                           << 16;
#endif
}

/// Gathers one bit of each lane of four. @param mask  lanes that are all ones or 0
TRN_VECTOR_INLINE uint32_t trn_u32x4_bits(TrnU32x4 mask)
{
#if defined(__aarch64__)
    const uint32x4_t powers = {1, 2, 4, 8};
    return vaddvq_u32(vandq_u32((uint32x4_t)mask, powers));
#else
    return (uint32_t)wasm_i32x4_bitmask((v128_t)mask);
#endif
}

/// Multiplies the two lower, or the two upper, lanes of 32 bits to 64 bits.
TRN_VECTOR_INLINE TrnU64x2 trn_u32x4_product_low(TrnU32x4 a, TrnU32x4 b)
{
#if defined(__aarch64__)
    return (TrnU64x2)vmull_u32(vget_low_u32((uint32x4_t)a), vget_low_u32((uint32x4_t)b));
#else
    return (TrnU64x2)wasm_u64x2_extmul_low_u32x4((v128_t)a, (v128_t)b);
#endif
}
TRN_VECTOR_INLINE TrnU64x2 trn_u32x4_product_high(TrnU32x4 a, TrnU32x4 b)
{
#if defined(__aarch64__)
    return (TrnU64x2)vmull_high_u32((uint32x4_t)a, (uint32x4_t)b);
#else
    return (TrnU64x2)wasm_u64x2_extmul_high_u32x4((v128_t)a, (v128_t)b);
#endif
}

/// Counts the bits of each byte.
TRN_VECTOR_INLINE TrnU8x16 trn_u8x16_popcount(TrnU8x16 bytes)
{
#if defined(__aarch64__)
    return (TrnU8x16)vcntq_u8((uint8x16_t)bytes);
#else
    return (TrnU8x16)wasm_i8x16_popcnt((v128_t)bytes);
#endif
}

/// Adds up all bytes.
TRN_VECTOR_INLINE uint32_t trn_u8x16_sum(TrnU8x16 bytes)
{
#if defined(__aarch64__)
    return vaddlvq_u8((uint8x16_t)bytes);
#else
    const TrnU32x4 sums =
        (TrnU32x4)wasm_u32x4_extadd_pairwise_u16x8(wasm_u16x8_extadd_pairwise_u8x16((v128_t)bytes));
    return sums[0] + sums[1] + sums[2] + sums[3];
#endif
}

#endif
#endif
