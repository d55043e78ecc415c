// boost::unordered_flat_map, hashed by Boost's own hash of each kind of key.

#include "builtin.h"
#include "maps.hpp"
#include "maps/boost_hash.hpp"

#include <boost/unordered/unordered_flat_map.hpp>

namespace {

struct BoostFlatMap : KeyByCoord {
    using Map = boost::unordered_flat_map<TrnCoord, const ContenderChunk *, boost::hash<TrnCoord>,
                                          CoordEqual>;
    static void gather(const Map &map, TrnBox box, const FrustumTest *frustum, ChunkList &list)
    {
        gather_probing<BoostFlatMap>(map, box, frustum, list);
    }
};

/// boost::hash of a number is the number; the map mixes it itself.
struct BoostFlatMapPacked : KeyPacked {
    using Map = boost::unordered_flat_map<std::uint64_t, const ContenderChunk *>;
    static void gather(const Map &map, TrnBox box, const FrustumTest *frustum, ChunkList &list)
    {
        gather_probing<BoostFlatMapPacked>(map, box, frustum, list);
    }
};

/// As a careful user gathers from it.
struct BoostFlatMapFiltered : KeyPacked {
    using Map = BoostFlatMapPacked::Map;
    static void gather(const Map &map, TrnBox box, const FrustumTest *frustum, ChunkList &list)
    {
        gather_filtering<BoostFlatMapFiltered>(map, box, frustum, list);
    }
};

} // namespace

extern "C" const Contender contender_boost_flat_map = map_contender<BoostFlatMap>("boost flat map");
extern "C" const Contender contender_boost_flat_map_packed =
    map_contender<BoostFlatMapPacked>("boost flat map, packed keys");
extern "C" const Contender contender_boost_flat_map_filtered =
    map_contender<BoostFlatMapFiltered>("boost flat map, packed keys, filtered");
