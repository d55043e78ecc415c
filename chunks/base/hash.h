/// Private: the library's hashes, of coordinates and of bytes. A secret key decides what collides,
/// so that no attacker can craft keys that do. Not cryptographic.
///
/// Both multiply 64 by 64 bits and fold the halves of the product, as wyhash does. Here both
/// factors depend on the key: a factor that is known can be made zero.
#ifndef TERRANE_BASE_HASH_H
#define TERRANE_BASE_HASH_H

#include <string.h>

#include <terrane/coord.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TRN_HASH_A UINT64_C(0x9E3779B97F4A7C15)
#define TRN_HASH_B UINT64_C(0xC2B2AE3D27D4EB4F)

/// As trn_hash_fold(), for compilers without numbers of 128 bits.
static inline uint64_t trn_hash_fold_halves(uint64_t a, uint64_t b)
{
    const uint64_t a_low = (uint32_t)a, a_high = a >> 32, b_low = (uint32_t)b, b_high = b >> 32;
    const uint64_t low = a_low * b_low, cross = a_high * b_low + (low >> 32);
    const uint64_t middle = a_low * b_high + (uint32_t)cross;
    const uint64_t high = a_high * b_high + (cross >> 32) + (middle >> 32);
    return a * b ^ high;
}

/// The low half of a product of 128 bits, xor its high half.
static inline uint64_t trn_hash_fold(uint64_t a, uint64_t b)
{
#ifdef __SIZEOF_INT128__
    __extension__ const unsigned __int128 product = (unsigned __int128)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
#else
    return trn_hash_fold_halves(a, b);
#endif
}

/// Hashes a coordinate. All bits are equally good.
static inline uint64_t trn_coord_hash64(TrnCoord coord, uint64_t key)
{
    const uint64_t xy = (uint32_t)coord.x | (uint64_t)(uint32_t)coord.y << 32;
    const uint64_t z = (uint32_t)coord.z ^ (key << 32 | key >> 32);
    return trn_hash_fold(trn_hash_fold(xy ^ key ^ TRN_HASH_A, z ^ TRN_HASH_B), TRN_HASH_A);
}

/// The same in 32 bits.
static inline uint32_t trn_coord_hash(TrnCoord coord, uint64_t key)
{
    return (uint32_t)trn_coord_hash64(coord, key);
}

/// Hashes bytes.
static inline uint32_t trn_bytes_hash(const char *bytes, size_t size, uint64_t key)
{
    const uint64_t other = (key << 32 | key >> 32) ^ TRN_HASH_B;
    uint64_t hash = key ^ TRN_HASH_A ^ size;
    for (size_t at = 0; at < size; at += sizeof(uint64_t)) {
        uint64_t word = 0;
        memcpy(&word, bytes + at, size - at < sizeof word ? size - at : sizeof word);
        hash = trn_hash_fold(hash, word ^ other);
    }
    return (uint32_t)trn_hash_fold(hash ^ key, TRN_HASH_A);
}

#ifdef __cplusplus
}
#endif
#endif
