/// Boost's own hash of a chunk coordinate.
#pragma once

#include <cstddef>

#include <boost/container_hash/hash.hpp>

#include <terrane/coord.h>

/// Found by boost::hash through the namespace of TrnCoord, which is the global one.
inline std::size_t hash_value(const TrnCoord &coord)
{
    std::size_t seed = 0;
    boost::hash_combine(seed, coord.x);
    boost::hash_combine(seed, coord.y);
    boost::hash_combine(seed, coord.z);
    return seed;
}
