/// Every built-in contender; each is defined in the file of its comment.
#ifndef TERRANE_BENCH_CONTENDERS_BUILTIN_H
#define TERRANE_BENCH_CONTENDERS_BUILTIN_H

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
// boost_maps.cpp, where TERRANE_HAS_BOOST
extern const Contender contender_boost_flat_map;
extern const Contender contender_boost_flat_map_packed;
extern const Contender contender_boost_flat_map_filtered;
// dense_map.cpp, where TERRANE_HAS_BOOST
extern const Contender contender_dense_map;
// absl_maps.cpp, where TERRANE_HAS_ABSL
extern const Contender contender_absl_flat_hash_map;
extern const Contender contender_absl_flat_hash_map_packed;
extern const Contender contender_absl_flat_hash_map_filtered;
// tsl_maps.cpp, where TERRANE_HAS_TSL
extern const Contender contender_tsl_robin_map;
extern const Contender contender_tsl_robin_map_packed;
// uthash_map.c, where TERRANE_HAS_UTHASH
extern const Contender contender_uthash;
// flat_array.c
extern const Contender contender_flat_array_cells;
extern const Contender contender_flat_array_rows;
// run_array.c
extern const Contender contender_flat_array_runs;
// bricked_array.c
extern const Contender contender_bricked_array;
// toroidal_array.c
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
#endif
