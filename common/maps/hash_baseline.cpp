#include "maps/hash_baseline.h"

#include <new>
#include <unordered_map>

#include "maps/coord_hash.hpp"
#include "maps/coord_map.hpp"

struct HashBaseline {
    std::unordered_map<TrnCoord, void *, CombinedHash, CoordEqual> chunks;
};

HashBaseline *hash_baseline_create(void)
{
    return new (std::nothrow) HashBaseline;
}

void hash_baseline_destroy(HashBaseline *map)
{
    delete map;
}

bool hash_baseline_insert(HashBaseline *map, TrnCoord coord, void *chunk)
{
    return coord_map_insert(map->chunks, coord, chunk);
}

void hash_baseline_remove(HashBaseline *map, TrnCoord coord)
{
    map->chunks.erase(coord);
}

void *hash_baseline_find(const HashBaseline *map, TrnCoord coord)
{
    auto found = map->chunks.find(coord);
    return found == map->chunks.end() ? nullptr : found->second;
}

size_t hash_baseline_count(const HashBaseline *map)
{
    return map->chunks.size();
}

size_t hash_baseline_gather_probe(const HashBaseline *map, TrnBox box, void **out, size_t capacity)
{
    return coord_map_gather_probe(map->chunks, box, out, capacity);
}

size_t hash_baseline_gather_filter(const HashBaseline *map, TrnBox box, void **out, size_t capacity)
{
    return coord_map_gather_filter(map->chunks, box, out, capacity);
}
