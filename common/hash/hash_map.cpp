#include "hash/hash_map.h"

#include <cstddef>
#include <cstdint>
#include <new>
#include <unordered_map>

#ifdef TERRANE_HAS_BOOST
#include <boost/unordered/unordered_flat_map.hpp>
#endif

#include "hash/coord_hash.hpp"

/// One virtual call a question; the loops below it are compiled for each map.
struct HashMap {
    virtual ~HashMap() = default;
    virtual bool insert(TrnCoord coord, void *chunk) = 0;
    virtual void remove(TrnCoord coord) = 0;
    virtual std::size_t probe(TrnBox box, void **out, std::size_t capacity) const = 0;
    virtual std::size_t filter(TrnBox box, void **out, std::size_t capacity) const = 0;
};

namespace {

template <typename Map> struct MapOf final : HashMap {
    Map map;

    bool insert(TrnCoord coord, void *chunk) override
    {
        try {
            map[coord] = chunk;
            return true;
        } catch (const std::bad_alloc &) {
            return false;
        }
    }

    void remove(TrnCoord coord) override
    {
        map.erase(coord);
    }

    std::size_t probe(TrnBox box, void **out, std::size_t capacity) const override
    {
        std::size_t count = 0;
        // int64 counters: a box may end at INT32_MAX.
        for (std::int64_t y = box.min.y; y <= box.max.y; y++) {
            for (std::int64_t z = box.min.z; z <= box.max.z; z++) {
                for (std::int64_t x = box.min.x; x <= box.max.x; x++) {
                    auto found = map.find(TrnCoord{static_cast<std::int32_t>(x),
                                                   static_cast<std::int32_t>(y),
                                                   static_cast<std::int32_t>(z)});
                    if (found == map.end()) {
                        continue;
                    }
                    if (count < capacity) {
                        out[count] = found->second;
                    }
                    count++;
                }
            }
        }
        return count;
    }

    std::size_t filter(TrnBox box, void **out, std::size_t capacity) const override
    {
        std::size_t count = 0;
        for (const auto &[coord, chunk] : map) {
            if (trn_box_contains(box, coord)) {
                if (count < capacity) {
                    out[count] = chunk;
                }
                count++;
            }
        }
        return count;
    }
};

using StdMap = MapOf<std::unordered_map<TrnCoord, void *, CombinedHash, CoordEqual>>;

#ifdef TERRANE_HAS_BOOST
/// As fast as keys packed into 64 bits, and right everywhere in the world; the map mixes it
/// further.
struct MixedHash {
    std::size_t operator()(const TrnCoord &coord) const noexcept
    {
        const std::uint64_t x = static_cast<std::uint32_t>(coord.x) * 0x9E3779B97F4A7C15u;
        const std::uint64_t y = static_cast<std::uint32_t>(coord.y) * 0xC2B2AE3D27D4EB4Fu;
        const std::uint64_t z = static_cast<std::uint32_t>(coord.z) * 0x165667B19E3779F9u;
        return static_cast<std::size_t>(x ^ (y << 23 | y >> 41) ^ (z << 46 | z >> 18));
    }
};

using FlatMap = MapOf<boost::unordered_flat_map<TrnCoord, void *, MixedHash, CoordEqual>>;
constexpr bool HAS_FLAT_MAP = true;
#else
using FlatMap = StdMap;
constexpr bool HAS_FLAT_MAP = false;
#endif

} // namespace

bool hash_map_exists(HashMapKind kind)
{
    return kind == HASH_MAP_STD || HAS_FLAT_MAP;
}

HashMap *hash_map_create(HashMapKind kind)
{
    if (!hash_map_exists(kind)) {
        return nullptr;
    }
    return kind == HASH_MAP_STD ? static_cast<HashMap *>(new (std::nothrow) StdMap)
                                : new (std::nothrow) FlatMap;
}

void hash_map_destroy(HashMap *map)
{
    delete map;
}

bool hash_map_insert(HashMap *map, TrnCoord coord, void *chunk)
{
    return map->insert(coord, chunk);
}

void hash_map_remove(HashMap *map, TrnCoord coord)
{
    if (map) {
        map->remove(coord);
    }
}

size_t hash_map_gather_probe(const HashMap *map, TrnBox box, void **out, size_t capacity)
{
    return map->probe(box, out, capacity);
}

size_t hash_map_gather_filter(const HashMap *map, TrnBox box, void **out, size_t capacity)
{
    return map->filter(box, out, capacity);
}
