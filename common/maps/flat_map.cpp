#include "maps/flat_map.h"

#ifdef TERRANE_HAS_BOOST

#include <cstdint>
#include <new>

#include <boost/unordered/unordered_flat_map.hpp>

#include "maps/coord_hash.hpp"
#include "maps/coord_map.hpp"

namespace {

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

} // namespace

struct FlatMap {
    boost::unordered_flat_map<TrnCoord, void *, MixedHash, CoordEqual> chunks;
};

bool flat_map_exists(void)
{
    return true;
}

FlatMap *flat_map_create(void)
{
    return new (std::nothrow) FlatMap;
}

void flat_map_destroy(FlatMap *map)
{
    delete map;
}

bool flat_map_insert(FlatMap *map, TrnCoord coord, void *chunk)
{
    return coord_map_insert(map->chunks, coord, chunk);
}

void flat_map_remove(FlatMap *map, TrnCoord coord)
{
    if (map) {
        map->chunks.erase(coord);
    }
}

size_t flat_map_gather_probe(const FlatMap *map, TrnBox box, void **out, size_t capacity)
{
    return coord_map_gather_probe(map->chunks, box, out, capacity);
}

size_t flat_map_gather_filter(const FlatMap *map, TrnBox box, void **out, size_t capacity)
{
    return coord_map_gather_filter(map->chunks, box, out, capacity);
}

#else

bool flat_map_exists(void)
{
    return false;
}

FlatMap *flat_map_create(void)
{
    return nullptr;
}

void flat_map_destroy(FlatMap *)
{
}

bool flat_map_insert(FlatMap *, TrnCoord, void *)
{
    return false;
}

void flat_map_remove(FlatMap *, TrnCoord)
{
}

size_t flat_map_gather_probe(const FlatMap *, TrnBox, void **, size_t)
{
    return 0;
}

size_t flat_map_gather_filter(const FlatMap *, TrnBox, void **, size_t)
{
    return 0;
}

#endif
