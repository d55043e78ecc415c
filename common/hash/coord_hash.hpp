/// The hash that most games use for chunk coordinates: the baseline of the viewer and of all
/// tables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include <terrane/coord.h>

/// The mixing step of boost::hash_combine up to 1.80, once per axis.
struct CombinedHash {
    static void combine(std::size_t &seed, std::int32_t value)
    {
        seed ^= std::hash<std::int32_t>{}(value) + 0x9e3779b9u + (seed << 6) + (seed >> 2);
    }
    std::size_t operator()(const TrnCoord &coord) const noexcept
    {
        std::size_t seed = 0;
        combine(seed, coord.x);
        combine(seed, coord.y);
        combine(seed, coord.z);
        return seed;
    }
};

struct CoordEqual {
    bool operator()(const TrnCoord &a, const TrnCoord &b) const noexcept
    {
        return trn_coord_equal(a, b);
    }
};
