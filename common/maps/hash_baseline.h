/// The baseline: chunks in a std::unordered_map keyed by chunk coordinates, with a hash like
/// boost::hash_combine, as many voxel games keep them. A C header of a C++ file.
#ifndef TERRANE_COMMON_HASH_BASELINE_H
#define TERRANE_COMMON_HASH_BASELINE_H

#include <stdbool.h>
#include <stddef.h>

#include <terrane/coord.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct HashBaseline HashBaseline;

/// @return NULL if out of memory
HashBaseline *hash_baseline_create(void);
void hash_baseline_destroy(HashBaseline *map);

/// Sets the pointer (not NULL) at a coordinate. @return false if out of memory
bool hash_baseline_insert(HashBaseline *map, TrnCoord coord, void *chunk);
/// Removes a coordinate, if the map holds it.
void hash_baseline_remove(HashBaseline *map, TrnCoord coord);
void *hash_baseline_find(const HashBaseline *map, TrnCoord coord);
size_t hash_baseline_count(const HashBaseline *map);

/// Gathers a box by probing every coordinate of it, x fastest, then z, then y: the order of
/// trn_store_gather.
/// @return how many there are; only the first `capacity` are written
size_t hash_baseline_gather_probe(const HashBaseline *map, TrnBox box, void **out, size_t capacity);

/// Gathers a box by iterating the whole map and filtering, in the map's order.
size_t hash_baseline_gather_filter(const HashBaseline *map, TrnBox box, void **out,
                                   size_t capacity);

#ifdef __cplusplus
}
#endif
#endif
