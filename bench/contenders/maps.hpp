/// All contenders that are maps of C++ are this template over a policy, so that every loop is
/// compiled with the map inside. A policy says:
///
///     using Map = ...;                                   // Key to const ContenderChunk *
///     static bool takes(TrnCoord);                       // whether a coordinate has a key
///     static Key key(TrnCoord);
///     static TrnCoord coord(Key);
///     static TrnBox clip(TrnBox);                        // to where coordinates have keys
///     static constexpr bool breaks_without_memory;
///     static void gather(const Map &, TrnBox, const FrustumTest *, ChunkList &);
///
/// KeyByCoord and KeyPacked give all but the last, which is gather_probing, gather_filtering or the
/// policy's own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <new>

#include "chunk_list.h"
#include "frustum.h"
#include "maps/coord_hash.hpp"
#include "refusal.h"

/// 64 bits that all depend on all of 64 others (the finaliser of splitmix64).
inline std::uint64_t mixed(std::uint64_t bits)
{
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9u;
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBu;
    return bits ^ (bits >> 31);
}

struct WellMixedHash {
    std::size_t operator()(const TrnCoord &coord) const noexcept
    {
        const std::uint64_t xy = static_cast<std::uint32_t>(coord.x) |
                                 static_cast<std::uint64_t>(static_cast<std::uint32_t>(coord.y))
                                     << 32;
        return static_cast<std::size_t>(
            mixed(xy ^ static_cast<std::uint32_t>(coord.z) * 0x9E3779B97F4A7C15u));
    }
};

/// Keys are the coordinates themselves.
struct KeyByCoord {
    static constexpr bool breaks_without_memory = false;

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

/// Keys are 64-bit words with 21 bits of each axis: what many games do. Coordinates beyond are
/// refused, and never found.
struct KeyPacked {
    static constexpr bool breaks_without_memory = false;
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

/// Looks up every coordinate of a box; with a frustum, every one that reaches into it.
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
                    append_chunk(&list, found->second);
                }
            }
        }
    }
}

/// Whether a coordinate lies in a box, without a branch: a careful user's test.
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

/// Goes through the whole map and keeps what lies in the box; the caller's array has capacity
/// for all of it.
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

/// Goes through the whole map and keeps what lies in the box, and reaches into the frustum if there
/// is one.
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
            append_chunk(&list, entry.second);
        }
    }
}

/// The functions of a Contender over a policy's map.
template <class Policy> class MapContender {
  public:
    static void *create(const ContenderWorld *)
    {
        try {
            return new MapContender;
        } catch (const std::exception &) {
            return nullptr;
        }
    }
    static void destroy(void *self)
    {
        auto *map = static_cast<MapContender *>(self);
        if (Policy::breaks_without_memory && map->refusal.reason == REFUSAL_NO_MEMORY) {
            return; // leaked: nothing can be done with it any more
        }
        delete map;
    }
    static std::size_t insert(void *self, const ContenderEntry *entries, std::size_t count)
    {
        auto &map = *static_cast<MapContender *>(self);
        std::size_t taken = 0;
        try {
            while (taken < count && map.insert_one(entries[taken])) {
                taken++;
            }
        } catch (const std::exception &) { // std::bad_alloc, or a map's own limit on its size
            map.refusal.reason = REFUSAL_NO_MEMORY;
        }
        return taken;
    }
    static void remove(void *self, const TrnCoord *coords, std::size_t count)
    {
        auto &map = static_cast<MapContender *>(self)->map;
        for (std::size_t i = 0; i < count; i++) {
            map.erase(Policy::key(coords[i]));
        }
    }
    static void find(const void *self, const TrnCoord *coords, std::size_t count, void *out)
    {
        auto **found = static_cast<const ContenderChunk **>(out);
        for (std::size_t i = 0; i < count; i++) {
            found[i] = find_one(self, coords[i]);
        }
    }
    static std::size_t gather(void *self, TrnBox box, void *out, std::size_t capacity)
    {
        ChunkList list = chunk_list(out, capacity);
        Policy::gather(static_cast<MapContender *>(self)->map, box, nullptr, list);
        return list.count;
    }
    static std::size_t gather_frustum(void *self, TrnBox box, const TrnFrustum *frustum, void *out,
                                      std::size_t capacity)
    {
        ChunkList list = chunk_list(out, capacity);
        const FrustumTest test = frustum_test(frustum);
        Policy::gather(static_cast<MapContender *>(self)->map, box, &test, list);
        return list.count;
    }
    static std::size_t gather_all(void *self, void *out, std::size_t capacity)
    {
        ChunkList list = chunk_list(out, capacity);
        for (const auto &entry : static_cast<MapContender *>(self)->map) {
            append_chunk(&list, entry.second);
        }
        return list.count;
    }
    static void neighbours(const void *self, const TrnCoord *coords, std::size_t count, void *out)
    {
        auto **found = static_cast<const ContenderChunk **>(out);
        for (std::size_t i = 0; i < count; i++) {
            for (int face = 0; face < TRN_FACE_COUNT; face++) {
                *found++ =
                    find_one(self, trn_coord_neighbour(coords[i], static_cast<TrnFace>(face)));
            }
        }
    }
    static std::size_t gather_ready(void *self, const ContenderChunk *const *chunks,
                                    std::size_t count, void *out, std::size_t capacity)
    {
        ChunkList list = chunk_list(out, capacity);
        for (std::size_t i = 0; i < count; i++) {
            if (has_all_neighbours(self, chunks[i]->coord)) {
                append_chunk(&list, chunks[i]);
            }
        }
        return list.count;
    }
    static void explain(const void *self, char *text, std::size_t size)
    {
        refusal_explain(&static_cast<const MapContender *>(self)->refusal, text, size);
    }

  private:
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
    static const ContenderChunk *find_one(const void *self, TrnCoord coord)
    {
        const auto &map = static_cast<const MapContender *>(self)->map;
        if (!Policy::takes(coord)) {
            return nullptr;
        }
        auto found = map.find(Policy::key(coord));
        return found == map.end() ? nullptr : found->second;
    }
    static bool has_all_neighbours(const void *self, TrnCoord coord)
    {
        for (int face = 0; face < TRN_FACE_COUNT; face++) {
            if (!find_one(self, trn_coord_neighbour(coord, static_cast<TrnFace>(face)))) {
                return false;
            }
        }
        return true;
    }

    typename Policy::Map map;
    Refusal refusal = {};
};

/// The table of functions of a contender over a policy's map.
template <class Policy> constexpr Contender map_contender(const char *name)
{
    using Map = MapContender<Policy>;
    Contender contender = {};
    contender.version = TERRANE_CONTENDER_VERSION;
    contender.name = name;
    contender.answers = CONTENDER_POINTERS;
    contender.create = Map::create;
    contender.destroy = Map::destroy;
    contender.insert = Map::insert;
    contender.remove = Map::remove;
    contender.find = Map::find;
    contender.gather = Map::gather;
    contender.gather_all = Map::gather_all;
    contender.gather_frustum = Map::gather_frustum;
    contender.neighbours = Map::neighbours;
    contender.gather_ready = Map::gather_ready;
    contender.explain = Map::explain;
    return contender;
}
