/// Private: how the voxels of a chunk lie in memory. It is here only because trn_snapshot_get is
/// inline: nothing in this header is part of any promise, and every version may change it. Read
/// voxels through terrane/voxels.h.
#ifndef TERRANE_PRIVATE_PAYLOAD_H
#define TERRANE_PRIVATE_PAYLOAD_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
#endif

/// The voxels of a chunk that is not uniform or has block data (terrane/block_data.h): this header
/// of 64 bytes, followed by (offsets in bytes from the header's start)
///     64          palette  [1 << bits] TrnBlock, each block once; 0 from palette_count on.
///                          Missing with 16 bits.
///     then        counts   [1 << bits] uint16_t, voxels of each entry; 0 for an unused entry.
///                          Missing with 16 bits.
///     solid_at    solid    [1024] uint32_t rows
///     opaque_at   opaque   [1024] uint32_t rows; equals solid_at if both masks are the same
///     words_at    voxels   [512 * bits] 64-bit words. Voxel i (trn_local_index) is bits
///                          [i * bits, (i + 1) * bits): its palette entry, or its block with 16
///                          bits.
/// All numbers are little-endian. The payload, its masks and its voxels start at multiples of 64
/// bytes.
typedef struct TrnPayload {
    uint64_t owner[5];      ///< TrnPayloadOwner; 0 in a code
    uint64_t revision;      ///< of the change that made it; 0 in a code
    uint16_t solid_at;      ///< where the solid mask begins
    uint16_t opaque_at;     ///< where the opaque mask begins
    uint16_t words_at;      ///< where the voxels begin
    uint8_t bits;           ///< 1, 2, 4, 8 or 16
    uint8_t bits_shift;     ///< bits is 1 << bits_shift
    uint8_t size_class;     ///< index of the heap's pool
    uint8_t code_version;   ///< TRN_VOXEL_CODE_VERSION, of trn_voxels_code
    uint16_t palette_count; ///< entries in use, 1..256; 0 with 16 bits
    uint16_t entry_mask;    ///< (1 << bits) - 1
    uint8_t kernels;        ///< which kernels read it; 0 once it is freed
} TrnPayload;

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
    return (const TrnPayload *)(uintptr_t)word;
}

/// Returns the palette: each block of the chunk once, and possibly blocks that no longer occur.
/// @return [palette_count] TrnBlock; nothing with 16 bits
static inline const uint16_t *trn_payload_palette(const TrnPayload *payload)
{
    return (const uint16_t *)(const void *)((const unsigned char *)payload + sizeof(TrnPayload));
}

/// Returns the packed voxels. @return [512 * bits] words
static inline const uint64_t *trn_payload_words(const TrnPayload *payload)
{
    return (const uint64_t *)(const void *)((const unsigned char *)payload + payload->words_at);
}

/// Returns the palette entry of a voxel; with 16 bits its block.
/// @param index  linear index, 0..32767 (trn_local_index)
static inline uint32_t trn_payload_entry(const TrnPayload *payload, uint32_t index)
{
    const uint32_t bit = index << payload->bits_shift;
    uint64_t word; // copied: with 16 bits other code reads the same memory as TrnBlock
    memcpy(&word, trn_payload_words(payload) + (bit >> 6), sizeof word);
    return (uint32_t)(word >> (bit & 63)) & payload->entry_mask;
}

#endif
