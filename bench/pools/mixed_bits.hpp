/// Numbers as good as random that follow from other numbers.
#pragma once

#include <cstdint>

/// A step of splitmix64 (Steele, Lea, Flood, 2014).
inline std::uint64_t mixed_bits(std::uint64_t value)
{
    value += UINT64_C(0x9E3779B97F4A7C15); // so that 0 does not stay 0
    value = (value ^ value >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    value = (value ^ value >> 27) * UINT64_C(0x94D049BB133111EB);
    return value ^ value >> 31;
}
