/// Chunk coordinates as keys of the standard library's hash containers, for reading and replaying
/// traces outside the timed calls.
#pragma once

#include <cstddef>
#include <cstdint>

#include <terrane/coord.h>

struct TraceCoordHash {
    std::size_t operator()(const TrnCoord &coord) const
    {
        std::uint64_t hash = static_cast<std::uint32_t>(coord.x) * 0x9E3779B97F4A7C15u;
        hash = (hash ^ (hash >> 32) ^ static_cast<std::uint32_t>(coord.y)) * 0xBF58476D1CE4E5B9u;
        hash = (hash ^ (hash >> 32) ^ static_cast<std::uint32_t>(coord.z)) * 0x94D049BB133111EBu;
        return static_cast<std::size_t>(hash ^ (hash >> 32));
    }
};

struct TraceCoordEqual {
    bool operator()(const TrnCoord &a, const TrnCoord &b) const
    {
        return trn_coord_equal(a, b);
    }
};
