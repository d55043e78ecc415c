/// How Terrane's gathers compare with those of the maps, each map asked in the way that is faster
/// for it: by probing every coordinate, or by walking the whole map and keeping what lies in the
/// box.
#ifndef TERRANE_VIEWER_GATHER_VERDICT_H
#define TERRANE_VIEWER_GATHER_VERDICT_H

#include "series/series.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Below this many chunks every way takes some microseconds, and the difference does not matter.
#define GATHER_FEW_CHUNKS 500.0

typedef struct GatherVerdict {
    Series flat_map; ///< the faster way to ask boost::unordered_flat_map
    Series map;      ///< the faster way to ask std::unordered_map
    Series best;     ///< the faster of these two
    double by_best;  ///< its median divided by Terrane's; 0 if either was not measured
    double by_map;   ///< the same for std::unordered_map
    double by_array; ///< the same for the flat spatial array
    bool is_small;   ///< fewer than GATHER_FEW_CHUNKS
} GatherVerdict;

/// @param medians  [SERIES_COUNT] of the gathers, us, and of SERIES_GATHERED; 0: not measured
GatherVerdict gather_verdict(const double medians[SERIES_COUNT]);

/// "boost flat map, filtered". @param gather  one of SERIES_GATHER_INDEX to
/// SERIES_GATHER_MAP_FILTERED
const char *gather_way_name(Series gather);

#ifdef __cplusplus
}
#endif
#endif
