#include "gather/flat_map.h"

#ifdef TERRANE_HAS_BOOST

#include <cstdint>
#include <new>

#include <boost/container_hash/hash.hpp>
#include <boost/unordered/unordered_flat_map.hpp>

#include <coord_hash.hpp>

/// Found by boost::hash through the namespace of TrnCoord, which is the global one.
static std::size_t hash_value(const TrnCoord &coord)
{
    std::size_t seed = 0;
    boost::hash_combine(seed, coord.x);
    boost::hash_combine(seed, coord.y);
    boost::hash_combine(seed, coord.z);
    return seed;
}

struct FlatMap {
    boost::unordered_flat_map<TrnCoord, void *, boost::hash<TrnCoord>, CoordEqual> chunks;
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
    try {
        map->chunks[coord] = chunk;
        return true;
    } catch (const std::bad_alloc &) {
        return false;
    }
}

void flat_map_remove(FlatMap *map, TrnCoord coord)
{
    if (map) {
        map->chunks.erase(coord);
    }
}

size_t flat_map_gather_probe(const FlatMap *map, TrnBox box, void **out, size_t capacity)
{
    size_t count = 0;
    // int64 counters: a box may end at INT32_MAX.
    for (std::int64_t y = box.min.y; y <= box.max.y; y++) {
        for (std::int64_t z = box.min.z; z <= box.max.z; z++) {
            for (std::int64_t x = box.min.x; x <= box.max.x; x++) {
                auto found = map->chunks.find(TrnCoord{static_cast<std::int32_t>(x),
                                                       static_cast<std::int32_t>(y),
                                                       static_cast<std::int32_t>(z)});
                if (found == map->chunks.end()) {
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

#endif
