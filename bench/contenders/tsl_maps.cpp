// tsl::robin_map. Its default hash is std::hash, which returns a number unchanged, and the lowest
// bits of the hash select the bucket. The lowest bits of a packed key are x and a bit of y, so
// whole columns of chunks would share a bucket, and each probe would visit thousands of entries.
// Packed keys therefore get a mixing hash.

#include "builtin.h"
#include "maps.hpp"

#include <tsl/robin_map.h>

namespace {

/// Multiplies, then folds the high half onto the low half.
struct PackedKeyHash {
    std::size_t operator()(std::uint64_t key) const noexcept
    {
        key *= 0x9E3779B97F4A7C15u;
        return static_cast<std::size_t>(key ^ key >> 32);
    }
};

using CoordMap = tsl::robin_map<TrnCoord, const ContenderChunk *, WellMixedHash, CoordEqual>;
using PackedMap = tsl::robin_map<std::uint64_t, const ContenderChunk *, PackedKeyHash>;

} // namespace

extern "C" const Contender contender_tsl_robin_map =
    map_contender<Probed<KeyByCoord, CoordMap>>("tsl robin_map");
extern "C" const Contender contender_tsl_robin_map_packed =
    map_contender<Probed<KeyPacked, PackedMap>>("tsl robin_map, packed keys");
extern "C" const Contender contender_tsl_robin_map_filtered =
    map_contender<Filtered<KeyPacked, PackedMap>>("tsl robin_map, packed keys, filtered");
