/// Operations on any map keyed by chunk coordinates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>

#include <terrane/coord.h>

/// Sets the pointer at a coordinate. @return false if out of memory
template <typename Map> bool coord_map_insert(Map &map, TrnCoord coord, void *chunk)
{
    try {
        map[coord] = chunk;
        return true;
    } catch (const std::bad_alloc &) {
        return false;
    }
}

/// Gathers a box by probing every coordinate of it, x fastest, then z, then y.
/// @return how many there are; only the first `capacity` are written
template <typename Map>
std::size_t coord_map_gather_probe(const Map &map, TrnBox box, void **out, std::size_t capacity)
{
    std::size_t count = 0;
    // int64 counters: a box may end at INT32_MAX.
    for (std::int64_t y = box.min.y; y <= box.max.y; y++) {
        for (std::int64_t z = box.min.z; z <= box.max.z; z++) {
            for (std::int64_t x = box.min.x; x <= box.max.x; x++) {
                auto found =
                    map.find(TrnCoord{static_cast<std::int32_t>(x), static_cast<std::int32_t>(y),
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

/// Gathers a box by walking the whole map and keeping what lies inside, in the map's order.
/// @return how many there are; only the first `capacity` are written
template <typename Map>
std::size_t coord_map_gather_filter(const Map &map, TrnBox box, void **out, std::size_t capacity)
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
