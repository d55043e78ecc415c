// An array sorted by Morton order, found in by binary search. What comes singly goes to a small
// sorted tail, which is merged in when it has grown to some square root of the whole; many at once
// are sorted and merged. What goes leaves its key behind until the next merge. A box is gathered as
// from an octree: a cube of the Morton order is a range of the array.

#include "builtin.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <new>
#include <vector>

#if defined(__BMI2__)
#include <immintrin.h>
#endif

#include "chunk_list.h"
#include "frustum.h"
#include "refusal.h"

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

/// The 21 bits of an axis, two places apart.
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

/// The first of `count` sorted keys that is not below `key`. Every step is a conditional move:
/// where a search turns cannot be foretold.
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

/// How long the tail may be: moving it for an insert, and moving the whole when it is full, then
/// cost about the same.
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

/// Merges the tail, which is sorted, into the array: from the end, so that it needs no other
/// memory.
void merge_tail(MortonArray &array)
{
    drop_gone(array);
    std::size_t left = array.keys.size(), more = array.tail.size(), to = left + more;
    array.keys.reserve(
        to); // exact: all is moved anyway, and should that fail, nothing is half done
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
    if (at < array.keys.size()) { // it was there before
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

/// Sorts many chunks into the tail, and merges it. Keys of removed chunks are dropped first, so
/// that none comes twice.
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
        std::vector<MortonEntry>().swap(array.tail); // a world's worth of room, not needed again
    }
}

void *morton_array_create(const ContenderWorld *)
{
    return new (std::nothrow) MortonArray;
}

void morton_array_destroy(void *self)
{
    delete static_cast<MortonArray *>(self);
}

size_t morton_array_insert(void *self, const ContenderEntry *entries, size_t count)
{
    auto &array = *static_cast<MortonArray *>(self);
    std::size_t fitting = 0, taken = 0;
    while (fitting < count && takes_coord(array, entries[fitting].coord)) {
        fitting++;
    }
    try {
        if (fitting > tail_max(array)) {
            insert_many(array, entries, fitting);
            return fitting;
        }
        for (; taken < fitting; taken++) {
            insert_one(array, entries[taken]);
        }
    } catch (const std::exception &) { // std::bad_alloc, or a vector's own limit on its size
        array.refusal.reason = REFUSAL_NO_MEMORY;
    }
    return taken;
}

void morton_array_remove(void *self, const TrnCoord *coords, size_t count)
{
    auto &array = *static_cast<MortonArray *>(self);
    for (std::size_t i = 0; i < count; i++) {
        const std::uint64_t key = morton_key(coords[i]);
        const std::size_t at = place_in_array(array, key);
        if (at < array.keys.size() && array.chunks[at]) {
            array.chunks[at] = nullptr;
            array.gone++;
        } else {
            const auto place = static_cast<std::ptrdiff_t>(place_in_tail(array, key));
            array.tail.erase(array.tail.begin() + place);
        }
    }
    if (array.gone > array.keys.size() / 4) {
        drop_gone(array);
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

void morton_array_find(const void *self, const TrnCoord *coords, size_t count, void *out)
{
    const auto &array = *static_cast<const MortonArray *>(self);
    auto **chunks = static_cast<const ContenderChunk **>(out);
    for (std::size_t i = 0; i < count; i++) {
        chunks[i] = find_one(array, coords[i]);
    }
}

// ---- gathers -----------------------------------------------------------------------------------

/// Ranges this short are looked at one by one.
const std::size_t short_range = 16;

struct MortonWalk {
    const MortonArray &array;
    TrnBox box;
    const FrustumTest *frustum; // NULL for none
    ChunkList list;
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
            append_chunk(&walk.list, walk.array.chunks[i]);
        }
    }
}

/// How the chunks of a cube lie to the box and the frustum.
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

/// The edge, as a power of two, of the smallest cube of the order around two keys that differ.
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
        append_row(&walk.list, walk.array.chunks.data() + first, end - first);
        return;
    }
    for (std::uint64_t child = 0; child < 8 && first < end; child++) {
        const std::uint64_t next = corner + (child + 1) * eighth;
        const std::size_t child_end = first + lower_bound_of(keys + first, end - first, next);
        gather_range(walk, first, child_end);
        first = child_end;
    }
}

std::size_t gather_box(const MortonArray &array, TrnBox box, const FrustumTest *frustum, void *out,
                       std::size_t capacity)
{
    MortonWalk walk = {array, box, frustum, chunk_list(out, capacity)};
    if (trn_box_is_empty(box)) {
        return 0;
    }
    gather_range(walk, 0, array.keys.size());
    for (const MortonEntry &entry : array.tail) {
        if (is_wanted(walk, entry.key)) {
            append_chunk(&walk.list, entry.chunk);
        }
    }
    return walk.list.count;
}

size_t morton_array_gather(void *self, TrnBox box, void *out, size_t capacity)
{
    return gather_box(*static_cast<MortonArray *>(self), box, nullptr, out, capacity);
}

size_t morton_array_gather_frustum(void *self, TrnBox box, const TrnFrustum *frustum, void *out,
                                   size_t capacity)
{
    const FrustumTest test = frustum_test(frustum);
    return gather_box(*static_cast<MortonArray *>(self), box, &test, out, capacity);
}

size_t morton_array_gather_all(void *self, void *out, size_t capacity)
{
    const auto &array = *static_cast<MortonArray *>(self);
    ChunkList list = chunk_list(out, capacity);
    append_row(&list, array.chunks.data(), array.chunks.size());
    for (const MortonEntry &entry : array.tail) {
        append_chunk(&list, entry.chunk);
    }
    return list.count;
}

// ---- neighbours --------------------------------------------------------------------------------

void morton_array_neighbours(const void *self, const TrnCoord *coords, size_t count, void *out)
{
    const auto &array = *static_cast<const MortonArray *>(self);
    auto **chunks = static_cast<const ContenderChunk **>(out);
    for (std::size_t i = 0; i < count; i++) {
        for (int face = 0; face < TRN_FACE_COUNT; face++) {
            *chunks++ = find_one(array, trn_coord_neighbour(coords[i], static_cast<TrnFace>(face)));
        }
    }
}

bool has_all_neighbours(const MortonArray &array, TrnCoord coord)
{
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        if (!find_one(array, trn_coord_neighbour(coord, static_cast<TrnFace>(face)))) {
            return false;
        }
    }
    return true;
}

size_t morton_array_gather_ready(void *self, const ContenderChunk *const *chunks, size_t count,
                                 void *out, size_t capacity)
{
    const auto &array = *static_cast<MortonArray *>(self);
    ChunkList list = chunk_list(out, capacity);
    for (std::size_t i = 0; i < count; i++) {
        if (has_all_neighbours(array, chunks[i]->coord)) {
            append_chunk(&list, chunks[i]);
        }
    }
    return list.count;
}

void morton_array_explain(const void *self, char *text, size_t size)
{
    refusal_explain(&static_cast<const MortonArray *>(self)->refusal, text, size);
}

constexpr Contender morton_array_functions()
{
    Contender contender = {};
    contender.version = TERRANE_CONTENDER_VERSION;
    contender.name = "sorted Morton array";
    contender.answers = CONTENDER_POINTERS;
    contender.create = morton_array_create;
    contender.destroy = morton_array_destroy;
    contender.insert = morton_array_insert;
    contender.remove = morton_array_remove;
    contender.find = morton_array_find;
    contender.gather = morton_array_gather;
    contender.gather_all = morton_array_gather_all;
    contender.gather_frustum = morton_array_gather_frustum;
    contender.neighbours = morton_array_neighbours;
    contender.gather_ready = morton_array_gather_ready;
    contender.explain = morton_array_explain;
    return contender;
}

} // namespace

extern "C" const Contender contender_morton_array = morton_array_functions();
