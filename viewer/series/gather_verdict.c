#include "series/gather_verdict.h"

/// The one with the smaller median among those that were measured.
static Series faster(const double *medians, Series a, Series b)
{
    const bool b_is_faster = medians[b] > 0 && (medians[a] <= 0 || medians[b] < medians[a]);
    return b_is_faster ? b : a;
}

static double times_of(const double *medians, Series series)
{
    const double index = medians[SERIES_GATHER_INDEX];
    return index > 0 && medians[series] > 0 ? medians[series] / index : 0;
}

GatherVerdict gather_verdict(const double medians[SERIES_COUNT])
{
    GatherVerdict verdict = {
        .flat_map = faster(medians, SERIES_GATHER_FLAT_MAP, SERIES_GATHER_FLAT_MAP_FILTERED),
        .map = faster(medians, SERIES_GATHER_MAP, SERIES_GATHER_MAP_FILTERED),
        .by_array = times_of(medians, SERIES_GATHER_ARRAY),
        .is_small = medians[SERIES_GATHERED] > 0 && medians[SERIES_GATHERED] < GATHER_FEW_CHUNKS,
    };
    verdict.best = faster(medians, verdict.flat_map, verdict.map);
    verdict.by_best = times_of(medians, verdict.best);
    verdict.by_map = times_of(medians, verdict.map);
    return verdict;
}

const char *gather_way_name(Series gather)
{
    switch (gather) {
    case SERIES_GATHER_ARRAY:
        return "flat array";
    case SERIES_GATHER_FLAT_MAP:
        return "boost flat map, probed";
    case SERIES_GATHER_FLAT_MAP_FILTERED:
        return "boost flat map, filtered";
    case SERIES_GATHER_MAP:
        return "std::unordered_map, probed";
    case SERIES_GATHER_MAP_FILTERED:
        return "std::unordered_map, filtered";
    default:
        return "Terrane";
    }
}
