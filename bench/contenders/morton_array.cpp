// An array in Morton order, searched by binary search. A single insert goes to a small sorted tail,
// which is merged into the array when it holds about the square root of the array's length; a large
// batch is sorted and merged at once. A removed chunk's key stays until the next merge. Gathering a
// box works as in an octree: each cube of the Morton order is one range of the array.

#include "builtin.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#if defined(__BMI2__)
#include <immintrin.h>
#endif

#include "container.hpp"

namespace {

const std::uint32_t axis_offset = 1u << 20; // coordinates -2^20 .. 2^20 - 1 become 21 bits
const std::uint64_t every_third = 0x1249249249249249u;

#if !defined(__BMI2__)
std::uint64_t spread_bits(std::uint64_t bits)
{
    bits = (bits | bits << 32) & 0x001F00000000FFFFu;
    bits = (bits | bits << 16) & 0x001F0000FF0000FFu;
    bits = (bits | bits << 8) & 0x100F00F00F00F00Fu;
    bits = (bits | bits << 4) & 0x10C30C30C30C30C3u;
    return (bits | bits << 2) & every_third;
}

std::uint64_t collect_bits(std::uint64_t bits)
{
    bits &= every_third;
    bits = (bits | bits >> 2) & 0x10C30C30C30C30C3u;
    bits = (bits | bits >> 4) & 0x100F00F00F00F00Fu;
    bits = (bits | bits >> 8) & 0x001F0000FF0000FFu;
    bits = (bits | bits >> 16) & 0x001F00000000FFFFu;
    return (bits | bits >> 32) & 0x1FFFFFu;
}
#endif

/// Spreads the 21 bits of an axis, with two zero bits between adjacent bits.
std::uint64_t morton_axis(std::int32_t coord)
{
    const std::uint64_t bits = static_cast<std::uint32_t>(coord) + axis_offset;
#if defined(__BMI2__)
    return _pdep_u64(bits, every_third);
#else
    return spread_bits(bits);
#endif
}

std::int32_t coord_of_axis(std::uint64_t key)
{
#if defined(__BMI2__)
    const std::uint64_t bits = _pext_u64(key, every_third);
#else
    const std::uint64_t bits = collect_bits(key);
#endif
    return static_cast<std::int32_t>(bits) - static_cast<std::int32_t>(axis_offset);
}

bool has_morton_key(TrnCoord coord)
{
    return ((static_cast<std::uint32_t>(coord.x) + axis_offset) >> 21 |
            (static_cast<std::uint32_t>(coord.y) + axis_offset) >> 21 |
            (static_cast<std::uint32_t>(coord.z) + axis_offset) >> 21) == 0;
}

std::uint64_t morton_key(TrnCoord coord)
{
    return morton_axis(coord.x) | morton_axis(coord.z) << 1 | morton_axis(coord.y) << 2;
}

TrnCoord morton_coord(std::uint64_t key)
{
    return TrnCoord{coord_of_axis(key), coord_of_axis(key >> 2), coord_of_axis(key >> 1)};
}

struct MortonEntry {
    std::uint64_t key;
    const ContenderChunk *chunk;
};

bool operator<(const MortonEntry &a, const MortonEntry &b)
{
    return a.key < b.key;
}

/// The first of `count` sorted keys that is not below `key`. Each step is a conditional move, since
/// its direction is unpredictable.
std::size_t lower_bound_of(const std::uint64_t *keys, std::size_t count, std::uint64_t key)
{
    if (count == 0) {
        return 0;
    }
    const std::uint64_t *base = keys;
    while (count > 1) {
        const std::size_t half = count / 2;
        base = base[half - 1] < key ? base + half : base;
        count -= half;
    }
    return static_cast<std::size_t>(base - keys) + (*base < key);
}

struct MortonArray {
    std::vector<std::uint64_t> keys;
    std::vector<const ContenderChunk *> chunks; // NULL: removed
    std::vector<MortonEntry> tail;
    std::size_t gone = 0;
    Refusal refusal = {};
};

/// The tail's maximum length. At this length, shifting the tail for an insert costs about as much
/// as the insert's share of a merge.
std::size_t tail_max(const MortonArray &array)
{
    const double root = std::sqrt(static_cast<double>(array.keys.size()));
    return std::max<std::size_t>(64, static_cast<std::size_t>(2 * root));
}

/// The place of a key in the main array, or its size.
std::size_t place_in_array(const MortonArray &array, std::uint64_t key)
{
    const std::size_t at = lower_bound_of(array.keys.data(), array.keys.size(), key);
    return at < array.keys.size() && array.keys[at] == key ? at : array.keys.size();
}

std::size_t place_in_tail(const MortonArray &array, std::uint64_t key)
{
    const auto at =
        std::lower_bound(array.tail.begin(), array.tail.end(), MortonEntry{key, nullptr});
    return static_cast<std::size_t>(at - array.tail.begin());
}

void drop_gone(MortonArray &array)
{
    std::size_t kept = 0;
    for (std::size_t i = 0; array.gone && i < array.keys.size(); i++) {
        if (array.chunks[i]) {
            array.keys[kept] = array.keys[i];
            array.chunks[kept++] = array.chunks[i];
        }
    }
    if (array.gone) {
        array.keys.resize(kept);
        array.chunks.resize(kept);
        array.gone = 0;
    }
}

/// Merges the sorted tail into the array. Starts at the end, so that no temporary memory is needed.
void merge_tail(MortonArray &array)
{
    drop_gone(array);
    std::size_t left = array.keys.size(), more = array.tail.size(), to = left + more;
    // Reserves the exact size, since all entries move anyway. If reserve throws, nothing has
    // changed.
    array.keys.reserve(to);
    array.chunks.reserve(to);
    array.keys.resize(to);
    array.chunks.resize(to);
    while (more > 0) {
        if (left > 0 && array.keys[left - 1] > array.tail[more - 1].key) {
            left--;
            to--;
            array.keys[to] = array.keys[left];
            array.chunks[to] = array.chunks[left];
        } else {
            more--;
            to--;
            array.keys[to] = array.tail[more].key;
            array.chunks[to] = array.tail[more].chunk;
        }
    }
    array.tail.clear();
}

bool takes_coord(MortonArray &array, TrnCoord coord)
{
    if (has_morton_key(coord)) {
        return true;
    }
    array.refusal.reason = REFUSAL_TOO_FAR;
    array.refusal.coord = coord;
    return false;
}

void insert_one(MortonArray &array, const ContenderEntry &entry)
{
    const std::uint64_t key = morton_key(entry.coord);
    const std::size_t at = place_in_array(array, key);
    if (at < array.keys.size()) { // the key was inserted before
        array.chunks[at] = entry.chunk;
        array.gone--;
        return;
    }
    if (array.tail.size() >= tail_max(array)) {
        merge_tail(array);
    }
    const auto place = static_cast<std::ptrdiff_t>(place_in_tail(array, key));
    array.tail.insert(array.tail.begin() + place, MortonEntry{key, entry.chunk});
}

/// Sorts many chunks into the tail and merges it. The merge drops removed keys first, so no key
/// occurs twice.
void insert_many(MortonArray &array, const ContenderEntry *entries, std::size_t count)
{
    const auto sorted = static_cast<std::ptrdiff_t>(array.tail.size());
    array.tail.reserve(array.tail.size() + count);
    for (std::size_t i = 0; i < count; i++) {
        array.tail.push_back(MortonEntry{morton_key(entries[i].coord), entries[i].chunk});
    }
    std::sort(array.tail.begin() + sorted, array.tail.end());
    std::inplace_merge(array.tail.begin(), array.tail.begin() + sorted, array.tail.end());
    merge_tail(array);
    if (count > tail_max(array)) {
        std::vector<MortonEntry>().swap(array.tail); // frees the tail, large after a whole world
    }
}

const ContenderChunk *find_one(const MortonArray &array, TrnCoord coord)
{
    if (!has_morton_key(coord)) {
        return nullptr;
    }
    const std::uint64_t key = morton_key(coord);
    const std::size_t at = place_in_array(array, key);
    if (at < array.keys.size()) {
        return array.chunks[at];
    }
    const std::size_t place = place_in_tail(array, key);
    return place < array.tail.size() && array.tail[place].key == key ? array.tail[place].chunk
                                                                     : nullptr;
}

// ---- gathers -----------------------------------------------------------------------------------

/// Ranges up to this length are tested entry by entry.
const std::size_t short_range = 16;

struct MortonWalk {
    const MortonArray &array;
    TrnBox box;
    const FrustumTest *frustum; // NULL for none
    ChunkList &list;
};

bool is_wanted(const MortonWalk &walk, std::uint64_t key)
{
    const TrnCoord coord = morton_coord(key);
    return trn_box_contains(walk.box, coord) &&
           (!walk.frustum || frustum_reaches(walk.frustum, coord));
}

void gather_one_by_one(MortonWalk &walk, std::size_t first, std::size_t end)
{
    for (std::size_t i = first; i < end; i++) {
        if (walk.array.chunks[i] && is_wanted(walk, walk.array.keys[i])) {
            chunk_list_append(&walk.list, walk.array.chunks[i]);
        }
    }
}

/// Whether all, some or none of a cube lies in the box and the frustum.
FrustumRelation cube_relation(const MortonWalk &walk, std::uint64_t key, unsigned level)
{
    const TrnCoord corner = morton_coord(key);
    const std::int64_t last = (std::int64_t{1} << level) - 1;
    const std::int64_t low[3] = {corner.x, corner.y, corner.z};
    const std::int64_t high[3] = {low[0] + last, low[1] + last, low[2] + last};
    const std::int32_t min[3] = {walk.box.min.x, walk.box.min.y, walk.box.min.z};
    const std::int32_t max[3] = {walk.box.max.x, walk.box.max.y, walk.box.max.z};
    FrustumRelation relation = FRUSTUM_INSIDE;
    for (int axis = 0; axis < 3; axis++) {
        if (low[axis] > max[axis] || high[axis] < min[axis]) {
            return FRUSTUM_OUTSIDE;
        }
        if (low[axis] < min[axis] || high[axis] > max[axis]) {
            relation = FRUSTUM_CROSSES;
        }
    }
    if (!walk.frustum) {
        return relation;
    }
    const FrustumRelation seen = frustum_relation(walk.frustum, low, high);
    return seen == FRUSTUM_INSIDE ? relation : seen;
}

/// The level of the smallest Morton cube around two different keys; its edge is 2^level.
unsigned common_level(std::uint64_t first, std::uint64_t last)
{
    return (static_cast<unsigned>(63 - __builtin_clzll((first ^ last) | 1)) + 3) / 3;
}

void gather_range(MortonWalk &walk, std::size_t first, std::size_t end)
{
    if (end - first <= short_range) {
        gather_one_by_one(walk, first, end);
        return;
    }
    const std::uint64_t *keys = walk.array.keys.data();
    const unsigned level = common_level(keys[first], keys[end - 1]);
    const std::uint64_t eighth = std::uint64_t{1} << (3 * (level - 1));
    const std::uint64_t corner = keys[first] & ~(eighth * 8 - 1);
    const FrustumRelation relation = cube_relation(walk, corner, level);
    if (relation == FRUSTUM_OUTSIDE) {
        return;
    }
    if (relation == FRUSTUM_INSIDE) {
        chunk_list_append_row(&walk.list, walk.array.chunks.data() + first, end - first);
        return;
    }
    for (std::uint64_t child = 0; child < 8 && first < end; child++) {
        const std::uint64_t next = corner + (child + 1) * eighth;
        const std::size_t child_end = first + lower_bound_of(keys + first, end - first, next);
        gather_range(walk, first, child_end);
        first = child_end;
    }
}

/// Wraps the array as a container for container_contender().
struct MortonContainer : MortonArray {
    void insert(const ContenderEntry *entries, std::size_t count, std::size_t &taken)
    {
        std::size_t fitting = 0;
        while (fitting < count && takes_coord(*this, entries[fitting].coord)) {
            fitting++;
        }
        if (fitting > tail_max(*this)) {
            insert_many(*this, entries, fitting);
            taken = fitting;
            return;
        }
        for (; taken < fitting; taken++) {
            insert_one(*this, entries[taken]);
        }
    }
    void remove(const TrnCoord *coords, std::size_t count)
    {
        for (std::size_t i = 0; i < count; i++) {
            const std::uint64_t key = morton_key(coords[i]);
            const std::size_t at = place_in_array(*this, key);
            if (at < keys.size() && chunks[at]) {
                chunks[at] = nullptr;
                gone++;
            } else {
                const auto place = static_cast<std::ptrdiff_t>(place_in_tail(*this, key));
                tail.erase(tail.begin() + place);
            }
        }
        if (gone > keys.size() / 4) {
            drop_gone(*this);
        }
    }
    const ContenderChunk *find(TrnCoord coord) const
    {
        return find_one(*this, coord);
    }
    void gather(TrnBox box, const FrustumTest *frustum, ChunkList &list) const
    {
        if (trn_box_is_empty(box)) {
            return;
        }
        MortonWalk walk = {*this, box, frustum, list};
        gather_range(walk, 0, keys.size());
        for (const MortonEntry &entry : tail) {
            if (is_wanted(walk, entry.key)) {
                chunk_list_append(&list, entry.chunk);
            }
        }
    }
    void gather_all(ChunkList &list) const
    {
        chunk_list_append_row(&list, chunks.data(), chunks.size());
        for (const MortonEntry &entry : tail) {
            chunk_list_append(&list, entry.chunk);
        }
    }
};

} // namespace

extern "C" const Contender contender_morton_array =
    container_contender<MortonContainer>("sorted Morton array");
