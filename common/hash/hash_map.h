/// Chunks in a hash map keyed by chunk coordinates, as many voxel games keep them: the baselines
/// that the index is compared with. A C header of a C++ file.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include <terrane/coord.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum HashMapKind {
    HASH_MAP_STD,  ///< a std::unordered_map with a hash like boost::hash_combine
    HASH_MAP_FLAT, ///< a boost::unordered_flat_map, the fastest of the common maps
} HashMapKind;

typedef struct HashMap HashMap;

/// Whether a kind was built; HASH_MAP_FLAT takes Boost 1.81 or later at build time.
bool hash_map_exists(HashMapKind kind);

/// @return NULL if out of memory, or if the kind does not exist
HashMap *hash_map_create(HashMapKind kind);
/// @param map  may be NULL
void hash_map_destroy(HashMap *map);

/// Sets the pointer (not NULL) at a coordinate. @return false if out of memory
bool hash_map_insert(HashMap *map, TrnCoord coord, void *chunk);
/// Removes a coordinate, if the map holds it. @param map  may be NULL
void hash_map_remove(HashMap *map, TrnCoord coord);

/// Gathers a box by probing every coordinate of it, x fastest, then z, then y: the order of
/// trn_store_gather.
/// @return how many there are; only the first `capacity` are written
size_t hash_map_gather_probe(const HashMap *map, TrnBox box, void **out, size_t capacity);

/// Gathers a box by walking the whole map and keeping what lies inside, in the map's order.
size_t hash_map_gather_filter(const HashMap *map, TrnBox box, void **out, size_t capacity);

#ifdef __cplusplus
}
#endif
