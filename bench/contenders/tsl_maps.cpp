// tsl::robin_map. It brings no hash of its own: its default is std::hash, which for numbers is the
// number itself, and its buckets are the hash's lowest bits. Of a packed key these are x and a bit
// of y, so that whole columns of chunks would meet in one bucket and probing run along thousands of
// them. Hence a mixer for packed keys as well.

#include "builtin.h"
#include "maps.hpp"

#include <tsl/robin_map.h>

namespace {

/// One multiplication, and its high half onto the low one.
struct PackedKeyHash {
    std::size_t operator()(std::uint64_t key) const noexcept
    {
        key *= 0x9E3779B97F4A7C15u;
        return static_cast<std::size_t>(key ^ key >> 32);
    }
};

struct TslRobinMap : KeyByCoord {
    using Map = tsl::robin_map<TrnCoord, const ContenderChunk *, WellMixedHash, CoordEqual>;
    static void gather(const Map &map, TrnBox box, const FrustumTest *frustum, ChunkList &list)
    {
        gather_probing<TslRobinMap>(map, box, frustum, list);
    }
};

struct TslRobinMapPacked : KeyPacked {
    using Map = tsl::robin_map<std::uint64_t, const ContenderChunk *, PackedKeyHash>;
    static void gather(const Map &map, TrnBox box, const FrustumTest *frustum, ChunkList &list)
    {
        gather_probing<TslRobinMapPacked>(map, box, frustum, list);
    }
};

} // namespace

extern "C" const Contender contender_tsl_robin_map = map_contender<TslRobinMap>("tsl robin_map");
extern "C" const Contender contender_tsl_robin_map_packed =
    map_contender<TslRobinMapPacked>("tsl robin_map, packed keys");
