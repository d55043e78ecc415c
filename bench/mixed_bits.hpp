/// Pseudo-random bits by hashing.
#pragma once

#include <cstdint>

/// 64 bits, each of which depends on all 64 bits of the argument: the finaliser of splitmix64
/// (Steele, Lea, Flood, 2014). 0 stays 0.
inline std::uint64_t finalised_bits(std::uint64_t value)
{
    value = (value ^ value >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    value = (value ^ value >> 27) * UINT64_C(0x94D049BB133111EB);
    return value ^ value >> 31;
}

/// A step of splitmix64: as finalised_bits(), but 0 does not stay 0.
inline std::uint64_t mixed_bits(std::uint64_t value)
{
    return finalised_bits(value + UINT64_C(0x9E3779B97F4A7C15));
}
