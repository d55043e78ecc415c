/// Chunk coordinates as keys of the standard library's hash containers, for reading and replaying
/// traces outside the timed calls. Each container hashes with a random key, so that no trace can be
/// crafted to cause collisions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>

#include <terrane/coord.h>

#include "../mixed_bits.hpp"

struct TraceCoordHash {
    std::uint64_t key = std::uint64_t{std::random_device()()} << 32 | std::random_device()();

    std::size_t operator()(const TrnCoord &coord) const
    {
        std::uint64_t hash = finalised_bits(key ^ static_cast<std::uint32_t>(coord.x));
        hash = finalised_bits(hash ^ static_cast<std::uint32_t>(coord.y));
        return static_cast<std::size_t>(finalised_bits(hash ^ static_cast<std::uint32_t>(coord.z)));
    }
};

struct TraceCoordEqual {
    bool operator()(const TrnCoord &a, const TrnCoord &b) const
    {
        return trn_coord_equal(a, b);
    }
};
