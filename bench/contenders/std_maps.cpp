// The maps of the standard library. The first contender is the baseline of every table: the map
// that most games begin with, compiled with full optimisation.

#include "builtin.h"
#include "maps.hpp"

#include <functional>
#include <map>
#include <unordered_map>

namespace {

/// A hash that many games use, although dozens of neighbouring chunks collide.
struct ShiftedHash {
    std::size_t operator()(const TrnCoord &coord) const noexcept
    {
        const std::hash<std::int32_t> hash;
        return hash(coord.x) ^ hash(coord.y) << 1 ^ hash(coord.z) << 2;
    }
};

template <class Hash>
using UnorderedMap = std::unordered_map<TrnCoord, const ContenderChunk *, Hash, CoordEqual>;

/// Orders coordinates by y, then z, then x, as gathers walk a box.
struct CoordLess {
    bool operator()(const TrnCoord &a, const TrnCoord &b) const noexcept
    {
        return a.y != b.y ? a.y < b.y : a.z != b.z ? a.z < b.z : a.x < b.x;
    }
};

/// Advances `coord`, which may lie outside the box, to the next coordinate inside, in order of y,
/// z, x. @return false if none follows
bool next_in_box(TrnBox box, TrnCoord &coord)
{
    if (coord.y < box.min.y) {
        coord = box.min;
        return true;
    }
    if (coord.z < box.min.z) {
        coord.z = box.min.z;
        coord.x = box.min.x;
        return true;
    }
    if (coord.z <= box.max.z && coord.x < box.min.x) {
        coord.x = box.min.x;
        return true;
    }
    if (coord.z < box.max.z) {
        coord.z++;
    } else if (coord.y < box.max.y) {
        coord.y++;
        coord.z = box.min.z;
    } else {
        return false;
    }
    coord.x = box.min.x;
    return true;
}

/// Gathers with one search for each row, then iterates over the row's elements instead of probing.
struct OrderedMap : KeyByCoord {
    using Map = std::map<TrnCoord, const ContenderChunk *, CoordLess>;
    static void gather(const Map &map, TrnBox box, const FrustumTest *frustum, ChunkList &list)
    {
        if (trn_box_is_empty(box)) {
            return;
        }
        auto at = map.lower_bound(box.min);
        while (at != map.end() && at->first.y <= box.max.y) {
            TrnCoord coord = at->first;
            if (trn_box_contains(box, coord)) {
                if (!frustum || frustum_reaches(frustum, coord)) {
                    chunk_list_append(&list, at->second);
                }
                ++at;
            } else if (next_in_box(box, coord)) {
                at = map.lower_bound(coord);
            } else {
                return;
            }
        }
    }
};

} // namespace

extern "C" const Contender contender_unordered_map_probed =
    map_contender<Probed<KeyByCoord, UnorderedMap<CombinedHash>>>("std::unordered_map, probed");
extern "C" const Contender contender_unordered_map_filtered =
    map_contender<Filtered<KeyByCoord, UnorderedMap<CombinedHash>>>("std::unordered_map, filtered");
extern "C" const Contender contender_unordered_map_good_hash =
    map_contender<Probed<KeyByCoord, UnorderedMap<WellMixedHash>>>("std::unordered_map, good hash");
extern "C" const Contender contender_unordered_map_bad_hash =
    map_contender<Probed<KeyByCoord, UnorderedMap<ShiftedHash>>>("std::unordered_map, bad hash");
extern "C" const Contender contender_std_map = map_contender<OrderedMap>("std::map");
