/// Chunk coordinates as keys of the standard library's hash containers, for reading and replaying
/// traces outside the timed calls. Each container draws a key, so that no trace can be written
/// whose coordinates collide.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>

#include <terrane/coord.h>

struct TraceCoordHash {
    std::uint64_t key = std::uint64_t{std::random_device()()} << 32 | std::random_device()();

    std::size_t operator()(const TrnCoord &coord) const
    {
        std::uint64_t hash = mixed(key ^ static_cast<std::uint32_t>(coord.x));
        hash = mixed(hash ^ static_cast<std::uint32_t>(coord.y));
        return static_cast<std::size_t>(mixed(hash ^ static_cast<std::uint32_t>(coord.z)));
    }

  private:
    /// 64 bits that all depend on all of 64 others (the finaliser of splitmix64).
    static std::uint64_t mixed(std::uint64_t bits)
    {
        bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9u;
        bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBu;
        return bits ^ (bits >> 31);
    }
};

struct TraceCoordEqual {
    bool operator()(const TrnCoord &a, const TrnCoord &b) const
    {
        return trn_coord_equal(a, b);
    }
};
