/// Chunks in a boost::unordered_flat_map keyed by chunk coordinates: the fastest of the
/// common maps. A C header of a C++ file. Needs Boost 1.81 or later at build time.
#ifndef TERRANE_COMMON_FLAT_MAP_H
#define TERRANE_COMMON_FLAT_MAP_H

#include <stdbool.h>
#include <stddef.h>

#include <terrane/coord.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct FlatMap FlatMap;

/// Whether Boost was found at build time.
bool flat_map_exists(void);

/// @return NULL if out of memory, or without Boost
FlatMap *flat_map_create(void);
/// @param map  may be NULL
void flat_map_destroy(FlatMap *map);

/// Sets the pointer (not NULL) at a coordinate. @return false if out of memory
bool flat_map_insert(FlatMap *map, TrnCoord coord, void *chunk);
/// Removes a coordinate, if the map holds it. @param map  may be NULL
void flat_map_remove(FlatMap *map, TrnCoord coord);

/// Gathers a box by probing every coordinate of it, x fastest, then z, then y.
/// @return how many there are; only the first `capacity` are written
size_t flat_map_gather_probe(const FlatMap *map, TrnBox box, void **out, size_t capacity);

/// Gathers a box by walking the whole map and keeping what lies inside, in the map's order.
size_t flat_map_gather_filter(const FlatMap *map, TrnBox box, void **out, size_t capacity);

#ifdef __cplusplus
}
#endif
#endif
