/// Private: how the voxels of a chunk lie in memory. It is here only because trn_snapshot_get is
/// inline: nothing in this header is part of any promise, and every version may change it. Read
/// voxels through terrane/voxels.h.
#ifndef TERRANE_PRIVATE_PAYLOAD_H
#define TERRANE_PRIVATE_PAYLOAD_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <terrane/base.h>
#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
#endif

TRN_C_BEGIN

#define TRN_PAYLOAD_HALVES 64       ///< half-layers
#define TRN_PAYLOAD_HALF_VOXELS 512 ///< of a half-layer
#define TRN_PAYLOAD_LINE 64         ///< bytes
#define TRN_PAYLOAD_LUT_STEP 4      ///< ids

/// One half-layer.
typedef struct TrnHalf {
    uint16_t fields; ///< line where its voxels begin; any if it is one block
    uint16_t solid;  ///< line of its mask; 0: no voxel is, 1: each is
    uint16_t opaque; ///< likewise
    uint8_t lut;     ///< where its list begins, in steps of 4 ids; unused with 16 bits
    uint8_t bits;    ///< a voxel: 0 (one block), 1, 2, 4, 8; 16: its ids themselves
} TrnHalf;

/// The voxels of a chunk that is not uniform or has block data (terrane/block_data.h), in
/// half-layers of 16 rows, each with a width of its own: half h holds the voxels [512 * h, 512 * h
/// + 512). Most are one block, or a few, so each has its own number of bits a voxel and its own
/// short list of blocks (a lut).
///
/// In memory: this header; then luts, [lut_ids] ids, the last of which is the palette; then, unless
/// there are more than 256 types, the palette's entry of each of them, [lut_ids] bytes; then lines
/// of 64 bytes. The lines of a half-layer are next to each other, those of lower half-layers first:
/// its voxels, one line a bit of width; then its solid mask and its opaque mask, where they are
/// neither empty nor full nor equal to another line of it. A line's number counts from the start of
/// the payload. All numbers are little-endian.
typedef struct TrnPayload {
    uint64_t owner[5];      ///< TrnPayloadOwner; 0 in a code
    uint64_t revision;      ///< of the change that made it; 0 in a code
    uint16_t line_count;    ///< of the whole
    uint16_t lut_ids;       ///< a multiple of 4
    uint16_t fresh_ids;     ///< lut_ids but for the palette's, when all of them were in use
    uint16_t palette_lut;   ///< where the palette begins, in steps of 4 ids
    uint16_t palette_count; ///< 0: more than 256 types
    uint8_t kernels;        ///< which kernels read it; 0 once it is freed
    uint8_t size_class;     ///< index of the heap's pool
    uint8_t code_version;   ///< TRN_VOXEL_CODE_VERSION, of trn_voxels_code
    uint8_t unused[3];
    /// Bit h of `any` is clear: half-layer h has no such voxel. Bit h of `all` is set: it has no
    /// others.
    uint64_t solid_any, solid_all, opaque_any, opaque_all;
    uint64_t by_palette; ///< bit h: the lut of half-layer h is the palette
    TrnHalf half[TRN_PAYLOAD_HALVES];
} TrnPayload;

/// Returns the luts. @return [lut_ids]
static inline const uint16_t *trn_payload_luts(const TrnPayload *payload)
{
    return (const uint16_t *)(const void *)(payload + 1);
}

/// Returns one block. @param index  linear index, 0..32767 (trn_local_index)
static inline uint16_t trn_payload_get(const TrnPayload *payload, uint32_t index)
{
    const TrnHalf half = payload->half[index / TRN_PAYLOAD_HALF_VOXELS];
    const uint32_t bit = index % TRN_PAYLOAD_HALF_VOXELS * half.bits;
    const unsigned char *fields =
        (const unsigned char *)payload + (size_t)half.fields * TRN_PAYLOAD_LINE;
    uint32_t word; // copied: with 16 bits other code reads the same memory as ids
    memcpy(&word, fields + (size_t)(bit / 32) * 4, sizeof word);
    word = word >> bit % 32 & ((UINT32_C(1) << half.bits) - 1);
    return half.bits == 16 ? (uint16_t)word
                           : trn_payload_luts(payload)[half.lut * TRN_PAYLOAD_LUT_STEP + word];
}

/// Loads a word that another thread stores; sees what that thread wrote before it.
static inline uint64_t trn_load_acquire(const uint64_t *word)
{
#if defined(_MSC_VER) && !defined(__clang__)
    const uint64_t value = (uint64_t)__iso_volatile_load64((const volatile __int64 *)word);
#if defined(_M_ARM64)
    __dmb(_ARM64_BARRIER_ISHLD);
#endif
    _ReadWriteBarrier();
    return value;
#else
    return __atomic_load_n(word, __ATOMIC_ACQUIRE);
#endif
}

/// Returns the payload of a word (TrnSnapshot.word) that is not uniform.
static inline const TrnPayload *trn_word_payload(uint64_t word)
{
    const uintptr_t address = word & UINTPTR_MAX; // which may have 32 bits
    return (const TrnPayload *)address;
}

TRN_C_END
#endif
