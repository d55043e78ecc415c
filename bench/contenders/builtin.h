/// Every built-in contender. The comment above each group names the file that defines it.
#pragma once

#include "contender.h"

#ifdef __cplusplus
extern "C" {
#endif

// std_maps.cpp
extern const Contender contender_unordered_map_probed;
extern const Contender contender_unordered_map_filtered;
extern const Contender contender_unordered_map_good_hash;
extern const Contender contender_unordered_map_bad_hash;
extern const Contender contender_std_map;
// boost_maps.cpp, if TERRANE_HAS_BOOST is defined
extern const Contender contender_boost_flat_map;
extern const Contender contender_boost_flat_map_packed;
extern const Contender contender_boost_flat_map_filtered;
// dense_map.cpp, if TERRANE_HAS_BOOST is defined
extern const Contender contender_dense_map;
extern const Contender contender_dense_map_filtered;
// absl_maps.cpp, if TERRANE_HAS_ABSL is defined
extern const Contender contender_absl_flat_hash_map;
extern const Contender contender_absl_flat_hash_map_packed;
extern const Contender contender_absl_flat_hash_map_filtered;
// tsl_maps.cpp, if TERRANE_HAS_TSL is defined
extern const Contender contender_tsl_robin_map;
extern const Contender contender_tsl_robin_map_packed;
extern const Contender contender_tsl_robin_map_filtered;
// uthash_map.c, if TERRANE_HAS_UTHASH is defined
extern const Contender contender_uthash;
extern const Contender contender_uthash_filtered;
// flat_array.c
extern const Contender contender_flat_array_cells;
extern const Contender contender_flat_array_rows;
// run_array.c
extern const Contender contender_flat_array_runs;
// brick_array.c
extern const Contender contender_bricked_array;
// torus_array.c
extern const Contender contender_toroidal_array;
// nested_arrays.c
extern const Contender contender_nested_arrays;
// column_array.c
extern const Contender contender_column_array;
// octree.c
extern const Contender contender_octree;
// morton_array.cpp
extern const Contender contender_morton_array;
// dense_list.c
extern const Contender contender_dense_list;
// terrane_index.c
extern const Contender contender_terrane_pointers;
extern const Contender contender_terrane_block_table;
extern const Contender contender_terrane_numbers;

#ifdef __cplusplus
}
#endif
