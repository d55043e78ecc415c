#include "hash_baseline.h"

#include <cstdint>
#include <new>
#include <unordered_map>

#include "coord_hash.hpp"

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
    try {
        map->chunks[coord] = chunk;
        return true;
    } catch (const std::bad_alloc &) {
        return false;
    }
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

size_t hash_baseline_gather_filter(const HashBaseline *map, TrnBox box, void **out, size_t capacity)
{
    size_t count = 0;
    for (const auto &[coord, chunk] : map->chunks) {
        if (!trn_box_contains(box, coord)) {
            continue;
        }
        if (count < capacity) {
            out[count] = chunk;
        }
        count++;
    }
    return count;
}
