#include "contenders.h"

#include "builtin.h"

static const Contender *const builtin[] = {
    &contender_unordered_map_probed,
    &contender_unordered_map_filtered,
    &contender_unordered_map_good_hash,
    &contender_unordered_map_bad_hash,
    &contender_std_map,
#if TERRANE_HAS_BOOST
    &contender_boost_flat_map,
    &contender_boost_flat_map_packed,
    &contender_boost_flat_map_filtered,
    &contender_dense_map,
    &contender_dense_map_filtered,
#endif
#if TERRANE_HAS_ABSL
    &contender_absl_flat_hash_map,
    &contender_absl_flat_hash_map_packed,
    &contender_absl_flat_hash_map_filtered,
#endif
#if TERRANE_HAS_TSL
    &contender_tsl_robin_map,
    &contender_tsl_robin_map_packed,
    &contender_tsl_robin_map_filtered,
#endif
#if TERRANE_HAS_UTHASH
    &contender_uthash,
    &contender_uthash_filtered,
#endif
    &contender_flat_array_cells,
    &contender_flat_array_rows,
    &contender_flat_array_runs,
    &contender_bricked_array,
    &contender_toroidal_array,
    &contender_nested_arrays,
    &contender_column_array,
    &contender_octree,
    &contender_morton_array,
    &contender_dense_list,
    &contender_terrane_pointers, // as a store with the default def works
    &contender_terrane_block_table,
    &contender_terrane_numbers,
};

const Contender *const *contenders_builtin(size_t *count)
{
    *count = sizeof builtin / sizeof(const Contender *);
    return builtin;
}

const char *contenders_missing(void)
{
    return ""
#if !TERRANE_HAS_BOOST
           "boost::unordered_flat_map (Debian: libboost1.81-dev)\n"
#endif
#if !TERRANE_HAS_ABSL
           "absl::flat_hash_map (Debian: libabsl-dev)\n"
#endif
#if !TERRANE_HAS_TSL
           "tsl::robin_map (Debian: robin-map-dev)\n"
#endif
#if !TERRANE_HAS_UTHASH
           "uthash (Debian: uthash-dev)\n"
#endif
        ;
}
