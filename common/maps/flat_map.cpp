#include "maps/flat_map.h"

#ifdef TERRANE_HAS_BOOST

#include <new>

#include <boost/unordered/unordered_flat_map.hpp>

#include "maps/boost_hash.hpp"
#include "maps/coord_hash.hpp"
#include "maps/coord_map.hpp"

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
