// absl::flat_hash_map, hashed by Abseil's own hash of each kind of key. Abseil does without
// exceptions: when there is no memory to grow, the map is left half changed, and destroying it
// would free what is not its own.

#include "builtin.h"
#include "maps.hpp"

#include <absl/container/flat_hash_map.h>
#include <absl/hash/hash.h>

namespace {

struct AbslHash {
    std::size_t operator()(const TrnCoord &coord) const noexcept
    {
        return absl::HashOf(coord.x, coord.y, coord.z);
    }
};

struct AbslFlatHashMap : KeyByCoord {
    static constexpr bool breaks_without_memory = true;
    using Map = absl::flat_hash_map<TrnCoord, const ContenderChunk *, AbslHash, CoordEqual>;
    static void gather(const Map &map, TrnBox box, const FrustumTest *frustum, ChunkList &list)
    {
        gather_probing<AbslFlatHashMap>(map, box, frustum, list);
    }
};

struct AbslFlatHashMapPacked : KeyPacked {
    static constexpr bool breaks_without_memory = true;
    using Map = absl::flat_hash_map<std::uint64_t, const ContenderChunk *>;
    static void gather(const Map &map, TrnBox box, const FrustumTest *frustum, ChunkList &list)
    {
        gather_probing<AbslFlatHashMapPacked>(map, box, frustum, list);
    }
};

/// As a careful user gathers from it.
struct AbslFlatHashMapFiltered : KeyPacked {
    static constexpr bool breaks_without_memory = true;
    using Map = AbslFlatHashMapPacked::Map;
    static void gather(const Map &map, TrnBox box, const FrustumTest *frustum, ChunkList &list)
    {
        gather_filtering<AbslFlatHashMapFiltered>(map, box, frustum, list);
    }
};

} // namespace

extern "C" const Contender contender_absl_flat_hash_map =
    map_contender<AbslFlatHashMap>("absl flat_hash_map");
extern "C" const Contender contender_absl_flat_hash_map_packed =
    map_contender<AbslFlatHashMapPacked>("absl flat_hash_map, packed keys");
extern "C" const Contender contender_absl_flat_hash_map_filtered =
    map_contender<AbslFlatHashMapFiltered>("absl flat_hash_map, packed keys, filtered");
