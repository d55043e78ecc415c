// Vector operations on registers of MESH_LANES lanes, in the compiler's vector types. Included by
// mesh_kernels_body.h, once for each instruction set.

#include "base/lanes.h"

#define MeshLanes MESH(Lanes)
#if MESH_LANES == 1
typedef uint32_t MeshLanes;
#else
typedef uint32_t MeshLanes __attribute__((vector_size(4 * MESH_LANES)));
#endif

MESH_INLINE MeshLanes MESH(load)(const uint32_t *from)
{
    MeshLanes lanes;
    __builtin_memcpy(&lanes, from, sizeof lanes);
    return lanes;
}

MESH_INLINE void MESH(store)(uint32_t *to, MeshLanes lanes)
{
    __builtin_memcpy(to, &lanes, sizeof lanes);
}

MESH_INLINE MeshLanes MESH(all)(uint32_t word)
{
    return word - (MeshLanes){0}; // a scalar operand is broadcast to all lanes
}

/// Shifts the lanes down by one: lane i receives lane i + 1, the highest lane receives the lowest
/// lane of `next`.
MESH_INLINE MeshLanes MESH(after)(MeshLanes lanes, MeshLanes next)
{
#if MESH_LANES == 1
    (void)lanes;
    return next;
#elif MESH_LANES == 4
    return TRN_SHUFFLE(MeshLanes, lanes, next, 1, 2, 3, 4);
#elif MESH_LANES == 8
    return TRN_SHUFFLE(MeshLanes, lanes, next, 1, 2, 3, 4, 5, 6, 7, 8);
#else
    return TRN_SHUFFLE(MeshLanes, lanes, next, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
                       16);
#endif
}

/// Shifts the lanes up by one: lane i receives lane i - 1, the lowest lane receives the highest
/// lane of `previous`.
MESH_INLINE MeshLanes MESH(before)(MeshLanes previous, MeshLanes lanes)
{
#if MESH_LANES == 1
    (void)lanes;
    return previous;
#elif MESH_LANES == 4
    return TRN_SHUFFLE(MeshLanes, previous, lanes, 3, 4, 5, 6);
#elif MESH_LANES == 8
    return TRN_SHUFFLE(MeshLanes, previous, lanes, 7, 8, 9, 10, 11, 12, 13, 14);
#else
    return TRN_SHUFFLE(MeshLanes, previous, lanes, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26,
                       27, 28, 29, 30);
#endif
}

#ifndef MESH_HAS_NONZERO
/// Bit i of the result: lane i is not 0.
MESH_INLINE uint32_t MESH(nonzero)(MeshLanes lanes)
{
    uint32_t words[MESH_LANES], bits = 0;
    __builtin_memcpy(words, &lanes, sizeof words);
    for (uint32_t i = 0; i < MESH_LANES; i++) {
        bits |= (uint32_t)(words[i] != 0) << i;
    }
    return bits;
}
#endif

/// Bit i of the result: lane i of a whole line is not 0.
MESH_INLINE uint32_t MESH(nonzero_line)(const uint32_t *line)
{
    uint32_t bits = 0;
    for (uint32_t lane = 0; lane < TRN_MESH_EDGE; lane += MESH_LANES) {
        bits |= MESH(nonzero)(MESH(load)(line + lane)) << lane;
    }
    return bits;
}

/// Combines all lanes by bitwise or.
MESH_INLINE uint32_t MESH(fold)(MeshLanes lanes)
{
    uint32_t words[MESH_LANES], bits = 0;
    __builtin_memcpy(words, &lanes, sizeof words);
    for (uint32_t i = 0; i < MESH_LANES; i++) {
        bits |= words[i];
    }
    return bits;
}

/// Sets each lane to `bit` if the word has the bit of that lane, otherwise to 0.
/// @param lane  of the register's first lane, a multiple of MESH_LANES
MESH_INLINE MeshLanes MESH(spread)(uint32_t word, uint32_t lane, uint32_t bit)
{
#if MESH_LANES == 1
    return word >> lane & 1 ? bit : 0;
#else
    static const uint32_t bits[16] = {1,   2,   4,    8,    16,   32,   64,    128,
                                      256, 512, 1024, 2048, 4096, 8192, 16384, 32768};
    const MeshLanes own = MESH(load)(bits) << (lane & 16);
    // `lane` is a multiple of MESH_LANES.
    const MeshLanes here = own << (lane & 15);
    return (MeshLanes)((MESH(all)(word) & here) == here) & MESH(all)(bit);
#endif
}

MESH_INLINE MeshLanes MESH(widen)(const uint16_t *from)
{
#if MESH_LANES == 1
    return *from;
#else
    uint16_t lanes __attribute__((vector_size(2 * MESH_LANES)));
    __builtin_memcpy(&lanes, from, sizeof lanes);
    return __builtin_convertvector(lanes, MeshLanes);
#endif
}

/// Interleaves two registers into words of 64 bits, each from a low and a high half.
MESH_INLINE void MESH(zip)(uint64_t *to, MeshLanes low, MeshLanes high)
{
#if MESH_LANES == 1
    *to = low | (uint64_t)high << 32;
#else
#if MESH_LANES == 4
    const MeshLanes a = TRN_SHUFFLE(MeshLanes, low, high, 0, 4, 1, 5);
    const MeshLanes b = TRN_SHUFFLE(MeshLanes, low, high, 2, 6, 3, 7);
#elif MESH_LANES == 8
    const MeshLanes a = TRN_SHUFFLE(MeshLanes, low, high, 0, 8, 1, 9, 2, 10, 3, 11);
    const MeshLanes b = TRN_SHUFFLE(MeshLanes, low, high, 4, 12, 5, 13, 6, 14, 7, 15);
#else
    const MeshLanes a =
        TRN_SHUFFLE(MeshLanes, low, high, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    const MeshLanes b = TRN_SHUFFLE(MeshLanes, low, high, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13,
                                    29, 14, 30, 15, 31);
#endif
    __builtin_memcpy(to, &a, sizeof a);
    __builtin_memcpy(to + MESH_LANES / 2, &b, sizeof b);
#endif
}

#ifndef MESH_HAS_TRANSPOSE
/// Transposes 32 words of 32 bits: bit i of out[j] is bit j of in[i]. The two must not overlap.
/// Source: H. S. Warren, "Hacker's Delight", 2nd edition, 7-3: swap the off-diagonal quarters, then
/// recursively those of each quarter.
MESH_INLINE void MESH(transpose)(const uint32_t *in, uint32_t *out)
{
    __builtin_memcpy(out, in, TRN_MESH_EDGE * sizeof *out);
    uint32_t low = 0x0000FFFFu;
    for (uint32_t half = 16; half; half >>= 1, low ^= low << half) {
        for (uint32_t pair = 0; pair < TRN_MESH_EDGE; pair += 2 * half) {
            for (uint32_t i = pair; i < pair + half; i++) {
                const uint32_t swap = ((out[i] >> half) ^ out[i + half]) & low;
                out[i] ^= swap << half;
                out[i + half] ^= swap;
            }
        }
    }
}
#endif

// ---- words of 64 and 16 bits, for light --------------------------------------------------------

/// Rows of light in a register: words of 64 bits.
#define MESH_ROWS_AT_ONCE (MESH_LANES > 1 ? MESH_LANES / 2 : 1)
/// Codes in a register.
#define MESH_CODES_AT_ONCE (MESH_LANES > 1 ? 2 * MESH_LANES : 1)

#define MeshWide MESH(Wide)
#define MeshCodes MESH(Codes)
#if MESH_LANES == 1
typedef uint64_t MeshWide;
typedef uint16_t MeshCodes;
#else
typedef uint64_t MeshWide __attribute__((vector_size(8 * MESH_ROWS_AT_ONCE)));
typedef uint16_t MeshCodes __attribute__((vector_size(2 * MESH_CODES_AT_ONCE)));
#endif

MESH_INLINE MeshWide MESH(load_wide)(const uint64_t *from)
{
    MeshWide words;
    __builtin_memcpy(&words, from, sizeof words);
    return words;
}

MESH_INLINE MeshCodes MESH(load_codes)(const uint16_t *from)
{
    MeshCodes codes;
    __builtin_memcpy(&codes, from, sizeof codes);
    return codes;
}

MESH_INLINE void MESH(store_codes)(uint16_t *to, MeshCodes codes)
{
    __builtin_memcpy(to, &codes, sizeof codes);
}

/// Returns `bit` in each word of `a` that differs from `b`, otherwise 0.
MESH_INLINE MeshWide MESH(differs)(MeshWide a, MeshWide b, uint64_t bit)
{
#if MESH_LANES == 1
    return a != b ? bit : 0;
#else
    return (MeshWide)(a != b) & (bit - (MeshWide){0});
#endif
}

MESH_INLINE void MESH(store_wide)(uint64_t *to, MeshWide words)
{
    __builtin_memcpy(to, &words, sizeof words);
}

/// Stores the lower half of each word.
MESH_INLINE void MESH(store_rows)(uint32_t *to, MeshWide words)
{
#if MESH_LANES == 1
    *to = (uint32_t)words;
#else
    const uint32_t rows __attribute__((vector_size(4 * MESH_ROWS_AT_ONCE))) =
        __builtin_convertvector(words, __typeof__(rows));
    __builtin_memcpy(to, &rows, sizeof rows);
#endif
}

/// Sets all bits of each word whose bit is set. @param bits  that of the first word is the lowest
MESH_INLINE MeshWide MESH(spread_bits)(uint32_t bits)
{
#if MESH_LANES == 1
    return 0 - (uint64_t)(bits & 1);
#else
    static const uint64_t lanes[8] = {1, 2, 4, 8, 16, 32, 64, 128};
    const MeshWide own = MESH(load_wide)(lanes);
    return (MeshWide)(((bits - (MeshWide){0}) & own) == own);
#endif
}

// Source of both: H. S. Warren, "Hacker's Delight", 2nd edition, 7-3.

/// Transposes the bytes of eight words, in each word of the registers: byte i of word k becomes
/// byte k of word i.
MESH_INLINE void MESH(turn_bytes)(MeshWide *words)
{
    static const uint64_t masks[3] = {UINT64_C(0x00FF00FF00FF00FF), UINT64_C(0x0000FFFF0000FFFF),
                                      UINT64_C(0x00000000FFFFFFFF)};
#pragma GCC unroll 3
    for (uint32_t level = 0; level < 3; level++) {
        const uint32_t apart = 1u << level, shift = 8u << level;
#pragma GCC unroll 8
        for (uint32_t i = 0; i < 8; i++) {
            if (!(i & apart)) {
                const MeshWide swap = (words[i] >> shift ^ words[i + apart]) & masks[level];
                words[i + apart] ^= swap;
                words[i] ^= swap << shift;
            }
        }
    }
}

/// Transposes the bits of the bytes of each word: bit i of byte k becomes bit k of byte i.
MESH_INLINE MeshWide MESH(turn_bits)(MeshWide words)
{
    MeshWide swap = (words ^ words >> 7) & UINT64_C(0x00AA00AA00AA00AA);
    words ^= swap ^ swap << 7;
    swap = (words ^ words >> 14) & UINT64_C(0x0000CCCC0000CCCC);
    words ^= swap ^ swap << 14;
    swap = (words ^ words >> 28) & UINT64_C(0x00000000F0F0F0F0);
    return words ^ swap ^ swap << 28;
}
