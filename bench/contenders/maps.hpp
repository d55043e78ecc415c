/// Contenders that are C++ maps: MapContainer with a policy as template argument, so that compilers
/// inline the map into each loop. A policy defines:
///
///     using Map = ...;                                   // Key to const ContenderChunk *
///     static bool takes(TrnCoord);                       // whether a coordinate has a key
///     static Key key(TrnCoord);
///     static TrnCoord coord(Key);
///     static TrnBox clip(TrnBox);                        // clips to coordinates with keys
///     static void gather(const Map &, TrnBox, const FrustumTest *, ChunkList &);
///
/// Probed and Filtered build a policy from a kind of key (KeyByCoord or KeyPacked) and a map.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../mixed_bits.hpp"
#include "container.hpp"
#include "hash/coord_hash.hpp"

struct WellMixedHash {
    std::size_t operator()(const TrnCoord &coord) const noexcept
    {
        const std::uint64_t xy = static_cast<std::uint32_t>(coord.x) |
                                 static_cast<std::uint64_t>(static_cast<std::uint32_t>(coord.y))
                                     << 32;
        return static_cast<std::size_t>(
            finalised_bits(xy ^ static_cast<std::uint32_t>(coord.z) * 0x9E3779B97F4A7C15u));
    }
};

/// Keys are the coordinates themselves.
struct KeyByCoord {
    static bool takes(TrnCoord)
    {
        return true;
    }
    static TrnCoord key(TrnCoord coord)
    {
        return coord;
    }
    static TrnCoord coord(TrnCoord key)
    {
        return key;
    }
    static TrnBox clip(TrnBox box)
    {
        return box;
    }
};

/// Keys are 64-bit words with 21 bits of each axis, as in many games. Coordinates out of range are
/// refused on insert and never found.
struct KeyPacked {
    static constexpr std::int32_t max = (1 << 20) - 1, min = -max - 1;

    static bool takes(TrnCoord coord)
    {
        const std::uint32_t offset = 1u << 20;
        return ((static_cast<std::uint32_t>(coord.x) + offset) >> 21 |
                (static_cast<std::uint32_t>(coord.y) + offset) >> 21 |
                (static_cast<std::uint32_t>(coord.z) + offset) >> 21) == 0;
    }
    static std::uint64_t key(TrnCoord coord)
    {
        const std::uint64_t mask = (1u << 21) - 1;
        return (static_cast<std::uint64_t>(coord.x) & mask) |
               (static_cast<std::uint64_t>(coord.y) & mask) << 21 |
               (static_cast<std::uint64_t>(coord.z) & mask) << 42;
    }
    /// The 21 bits from `shift` on, with their sign.
    static std::int32_t axis(std::uint64_t key, int shift)
    {
        return static_cast<std::int32_t>(static_cast<std::int64_t>(key << (43 - shift)) >> 43);
    }
    static TrnCoord coord(std::uint64_t key)
    {
        return TrnCoord{axis(key, 0), axis(key, 21), axis(key, 42)};
    }
    static void clip_axis(std::int32_t &low, std::int32_t &high)
    {
        low = low < min ? min : low;
        high = high > max ? max : high;
    }
    static TrnBox clip(TrnBox box)
    {
        clip_axis(box.min.x, box.max.x);
        clip_axis(box.min.y, box.max.y);
        clip_axis(box.min.z, box.max.z);
        return box;
    }
};

/// Looks up every coordinate of a box. With a frustum, looks up only coordinates whose chunks reach
/// into it.
template <class Policy>
void gather_probing(const typename Policy::Map &map, TrnBox box, const FrustumTest *frustum,
                    ChunkList &list)
{
    box = Policy::clip(box);
    if (trn_box_is_empty(box)) {
        return;
    }
    // int64 counters: a box may end at INT32_MAX.
    for (std::int64_t y = box.min.y; y <= box.max.y; y++) {
        for (std::int64_t z = box.min.z; z <= box.max.z; z++) {
            std::int64_t x = box.min.x, last = box.max.x;
            if (frustum && !frustum_clip_row(frustum, y, z, &x, &last)) {
                continue;
            }
            for (; x <= last; x++) {
                const TrnCoord coord = {static_cast<std::int32_t>(x), static_cast<std::int32_t>(y),
                                        static_cast<std::int32_t>(z)};
                auto found = map.find(Policy::key(coord));
                if (found != map.end()) {
                    chunk_list_append(&list, found->second);
                }
            }
        }
    }
}

/// A branch-free test of coordinates against a box, as a user who optimises writes it.
class BoxTest {
  public:
    explicit BoxTest(TrnBox box)
        : min(box.min), width(extent(box.min.x, box.max.x)), height(extent(box.min.y, box.max.y)),
          depth(extent(box.min.z, box.max.z))
    {
    }
    bool contains(TrnCoord coord) const
    {
        const unsigned in_x = extent(min.x, coord.x) <= width;
        const unsigned in_y = extent(min.y, coord.y) <= height;
        const unsigned in_z = extent(min.z, coord.z) <= depth;
        return (in_x & in_y & in_z) != 0;
    }

  private:
    static std::uint32_t extent(std::int32_t low, std::int32_t high)
    {
        return static_cast<std::uint32_t>(high) - static_cast<std::uint32_t>(low);
    }
    TrnCoord min;
    std::uint32_t width, height, depth;
};

/// Iterates over the whole map and keeps the chunks in the box. The list must have capacity for the
/// whole map.
template <class Policy>
void gather_filtering_fast(const typename Policy::Map &map, TrnBox box, ChunkList &list)
{
    const BoxTest test(box);
    const ContenderChunk **out = list.out + list.count;
    for (const auto &entry : map) {
        *out = entry.second;
        out += test.contains(Policy::coord(entry.first));
    }
    list.count = static_cast<std::size_t>(out - list.out);
}

/// Iterates over the whole map and keeps the chunks in the box. With a frustum, keeps only those
/// that reach into it.
template <class Policy>
void gather_filtering(const typename Policy::Map &map, TrnBox box, const FrustumTest *frustum,
                      ChunkList &list)
{
    if (trn_box_is_empty(box)) {
        return;
    }
    if (!frustum && chunk_list_has_room(&list, map.size())) {
        gather_filtering_fast<Policy>(map, box, list);
        return;
    }
    for (const auto &entry : map) {
        const TrnCoord coord = Policy::coord(entry.first);
        if (trn_box_contains(box, coord) && (!frustum || frustum_reaches(frustum, coord))) {
            chunk_list_append(&list, entry.second);
        }
    }
}

/// Gathers by looking up each coordinate of a box.
template <class Key, class MapOfKey> struct Probed : Key {
    using Map = MapOfKey;
    static void gather(const Map &map, TrnBox box, const FrustumTest *frustum, ChunkList &list)
    {
        gather_probing<Probed>(map, box, frustum, list);
    }
};

/// Gathers by iterating over the whole map, which is faster than probing if boxes are mostly empty.
template <class Key, class MapOfKey> struct Filtered : Key {
    using Map = MapOfKey;
    static void gather(const Map &map, TrnBox box, const FrustumTest *frustum, ChunkList &list)
    {
        gather_filtering<Filtered>(map, box, frustum, list);
    }
};

/// Wraps a policy's map as a container for container_contender().
template <class Policy> struct MapContainer {
    typename Policy::Map map;
    Refusal refusal = {};

    bool insert_one(const ContenderEntry &entry)
    {
        if (!Policy::takes(entry.coord)) {
            refusal.reason = REFUSAL_TOO_FAR;
            refusal.coord = entry.coord;
            return false;
        }
        map.emplace(Policy::key(entry.coord), entry.chunk);
        return true;
    }
    void insert(const ContenderEntry *entries, std::size_t count, std::size_t &taken)
    {
        while (taken < count && insert_one(entries[taken])) {
            taken++;
        }
    }
    void remove(const TrnCoord *coords, std::size_t count)
    {
        for (std::size_t i = 0; i < count; i++) {
            map.erase(Policy::key(coords[i]));
        }
    }
    const ContenderChunk *find(TrnCoord coord) const
    {
        if (!Policy::takes(coord)) {
            return nullptr;
        }
        auto found = map.find(Policy::key(coord));
        return found == map.end() ? nullptr : found->second;
    }
    void gather(TrnBox box, const FrustumTest *frustum, ChunkList &list) const
    {
        Policy::gather(map, box, frustum, list);
    }
    void gather_all(ChunkList &list) const
    {
        for (const auto &entry : map) {
            chunk_list_append(&list, entry.second);
        }
    }
};

template <class Policy> constexpr Contender map_contender(const char *name)
{
    return container_contender<MapContainer<Policy>>(name);
}
