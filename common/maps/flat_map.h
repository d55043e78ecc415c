/// Chunks in a boost::unordered_flat_map keyed by chunk coordinates, hashed by boost::hash: the
/// quickest of the usual maps. A C header over a C++ file; without Boost 1.81 or later at build
/// time there is none.
#ifndef TERRANE_COMMON_FLAT_MAP_H
#define TERRANE_COMMON_FLAT_MAP_H

#include <stdbool.h>
#include <stddef.h>

#include <terrane/coord.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct FlatMap FlatMap;

/// Whether Boost was there at build time.
bool flat_map_exists(void);

/// NULL when there is no memory, and where there is no Boost.
FlatMap *flat_map_create(void);
/// @param map  may be NULL
void flat_map_destroy(FlatMap *map);

/// Puts a pointer (not NULL) at a coordinate, over what was there; false when there is no memory.
bool flat_map_insert(FlatMap *map, TrnCoord coord, void *chunk);
/// Removes what is at a coordinate, if anything. @param map  may be NULL
void flat_map_remove(FlatMap *map, TrnCoord coord);

/// Gathers a box by probing every coordinate of it, x fastest, then z, then y.
/// @return how many there are; only the first `capacity` are written
size_t flat_map_gather_probe(const FlatMap *map, TrnBox box, void **out, size_t capacity);

#ifdef __cplusplus
}
#endif
#endif
