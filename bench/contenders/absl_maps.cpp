// absl::flat_hash_map, with Abseil's default hash for each kind of key. Abseil is not exception
// safe: if growing runs out of memory, the map is left half changed, and its destructor would free
// memory that the map does not own. Such a map is leaked.

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

using CoordMap = absl::flat_hash_map<TrnCoord, const ContenderChunk *, AbslHash, CoordEqual>;
using PackedMap = absl::flat_hash_map<std::uint64_t, const ContenderChunk *>;

template <class Policy> constexpr Contender absl_contender(const char *name)
{
    return container_contender<MapContainer<Policy>, true>(name);
}

} // namespace

extern "C" const Contender contender_absl_flat_hash_map =
    absl_contender<Probed<KeyByCoord, CoordMap>>("absl flat_hash_map");
extern "C" const Contender contender_absl_flat_hash_map_packed =
    absl_contender<Probed<KeyPacked, PackedMap>>("absl flat_hash_map, packed keys");
extern "C" const Contender contender_absl_flat_hash_map_filtered =
    absl_contender<Filtered<KeyPacked, PackedMap>>("absl flat_hash_map, packed keys, filtered");
