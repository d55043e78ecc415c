// The maps of the standard library. The first contender is the baseline of every table: what a game
// writes that does not think about it, compiled as well as the compiler can.

#include "builtin.h"
#include "maps.hpp"

#include <functional>
#include <map>
#include <unordered_map>

namespace {

/// Found in the wild as often: neighbouring chunks collide by the dozen.
struct ShiftedHash {
    std::size_t operator()(const TrnCoord &coord) const noexcept
    {
        const std::hash<std::int32_t> hash;
        return hash(coord.x) ^ hash(coord.y) << 1 ^ hash(coord.z) << 2;
    }
};

template <class Hash> struct UnorderedMapOf : KeyByCoord {
    using Map = std::unordered_map<TrnCoord, const ContenderChunk *, Hash, CoordEqual>;
    static void gather(const Map &map, TrnBox box, const FrustumTest *frustum, ChunkList &list)
    {
        gather_probing<UnorderedMapOf>(map, box, frustum, list);
    }
};

struct UnorderedMapFiltered : KeyByCoord {
    using Map = UnorderedMapOf<CombinedHash>::Map;
    static void gather(const Map &map, TrnBox box, const FrustumTest *frustum, ChunkList &list)
    {
        gather_filtering<UnorderedMapFiltered>(map, box, frustum, list);
    }
};

/// In order of y, z, x, as the box is walked.
struct CoordLess {
    bool operator()(const TrnCoord &a, const TrnCoord &b) const noexcept
    {
        return a.y != b.y ? a.y < b.y : a.z != b.z ? a.z < b.z : a.x < b.x;
    }
};

/// The first coordinate of a box after one that may lie outside it, in order of y, z, x.
/// @return whether there is any
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

/// An ordered map needs no probing: one search per row, then its elements one after the other.
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
                    append_chunk(&list, at->second);
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
    map_contender<UnorderedMapOf<CombinedHash>>("std::unordered_map, probed");
extern "C" const Contender contender_unordered_map_filtered =
    map_contender<UnorderedMapFiltered>("std::unordered_map, filtered");
extern "C" const Contender contender_unordered_map_good_hash =
    map_contender<UnorderedMapOf<WellMixedHash>>("std::unordered_map, good hash");
extern "C" const Contender contender_unordered_map_bad_hash =
    map_contender<UnorderedMapOf<ShiftedHash>>("std::unordered_map, bad hash");
extern "C" const Contender contender_std_map = map_contender<OrderedMap>("std::map");
