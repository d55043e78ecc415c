// boost::unordered_flat_map, with Boost's default hash for each kind of key. boost::hash returns a
// number unchanged; the map mixes it.

#include "builtin.h"
#include "maps.hpp"

#include <boost/container_hash/hash.hpp>
#include <boost/unordered/unordered_flat_map.hpp>

/// boost::hash finds this function by argument-dependent lookup in TrnCoord's namespace, the global
/// one.
inline std::size_t hash_value(const TrnCoord &coord)
{
    std::size_t seed = 0;
    boost::hash_combine(seed, coord.x);
    boost::hash_combine(seed, coord.y);
    boost::hash_combine(seed, coord.z);
    return seed;
}

namespace {

using CoordMap =
    boost::unordered_flat_map<TrnCoord, const ContenderChunk *, boost::hash<TrnCoord>, CoordEqual>;
using PackedMap = boost::unordered_flat_map<std::uint64_t, const ContenderChunk *>;

} // namespace

extern "C" const Contender contender_boost_flat_map =
    map_contender<Probed<KeyByCoord, CoordMap>>("boost flat map");
extern "C" const Contender contender_boost_flat_map_packed =
    map_contender<Probed<KeyPacked, PackedMap>>("boost flat map, packed keys");
extern "C" const Contender contender_boost_flat_map_filtered =
    map_contender<Filtered<KeyPacked, PackedMap>>("boost flat map, packed keys, filtered");
