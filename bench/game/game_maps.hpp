/// Worlds that store chunks in a hash map or in an array that wraps around the player.
#pragma once

#include <cstdlib>
#include <memory>
#include <vector>

#include "frustum.h"
#include "game_derived.hpp"

namespace game {

struct LitChunk : Chunk {
    using Chunk::Chunk;
    Derived derived;

    bool is_uniform() const
    {
        return !blocks;
    }
    std::size_t bytes() const
    {
        return Chunk::bytes() + sizeof *this - sizeof(Chunk);
    }
};

/// A chunk that always has its array, as in simple games, and a flag for "uniform".
struct PlainChunk : LitChunk {
    PlainChunk(TrnCoord at, const Generated &from) : LitChunk(at, from), is_same(from.is_uniform)
    {
        Chunk::set(0, from.blocks[0]);
    }
    void set(std::uint32_t index, TrnBlock block)
    {
        Chunk::set(index, block);
        is_same = false;
    }
    bool is_uniform() const
    {
        return is_same;
    }

  private:
    bool is_same;
};

/// Implements what OwnWorld requires, for chunks that the game allocates. Base has `find(coord)`
/// and `each(work)`.
template <class Base> class KeptWorld : public Base {
  public:
    using Kept = typename Base::Kept;
    using Handle = Kept *;

    struct Reader {
        const Chunk *chunk;
        TrnBlock get(std::uint32_t index) const
        {
            return chunk->get(index);
        }
    };
    static Reader reader(Handle chunk)
    {
        return {chunk};
    }
    static Derived &derived(Handle chunk)
    {
        return chunk->derived;
    }
    static bool is_uniform(Handle chunk)
    {
        return chunk->is_uniform();
    }
    void mark(Handle chunk)
    {
        chunk->derived.is_dirty = true;
    }
    void clean(Handle chunk)
    {
        chunk->derived.is_dirty = false;
    }
    bool has(TrnCoord coord) const
    {
        return this->find(coord) != nullptr;
    }
    void set(TrnVoxel voxel, TrnBlock block)
    {
        this->find(trn_voxel_chunk(voxel))->set(trn_voxel_local_index(voxel), block);
    }
    void find_dirty(TrnBox box, std::vector<TrnCoord> &out) const
    {
        out.clear();
        this->each([&](TrnCoord coord, Handle chunk) {
            if (chunk->derived.is_dirty && trn_box_contains(box, coord)) {
                out.push_back(coord);
            }
        });
    }
    std::size_t gather_frustum(TrnBox box, const TrnFrustum &frustum,
                               std::vector<typename Base::Drawn> &out) const
    {
        const FrustumTest test = frustum_test(&frustum);
        out.clear();
        this->each([&](TrnCoord coord, Handle chunk) {
            if (trn_box_contains(box, coord) && frustum_reaches(&test, coord)) {
                out.push_back(chunk);
            }
        });
        return out.size();
    }
    std::size_t light_bytes() const
    {
        std::size_t bytes = 0;
        this->each([&](TrnCoord, Handle chunk) { bytes += chunk->derived.light.bytes(); });
        return bytes;
    }
};

/// A hash map of chunks, as in the example.
template <class Map> class EachHashWorld : public HashWorld<Map> {
  protected:
    template <class Work> void each(const Work &work) const
    {
        for (const auto &[coord, chunk] : this->chunks) {
            work(coord, chunk.get());
        }
    }
};

/// The view as an array of chunks. A coordinate modulo the array's edges gives the index.
class WindowWorld {
  public:
    using Kept = PlainChunk;
    using Drawn = const PlainChunk *;

    void move_view(TrnBox to)
    {
        view = to;
        edges[0] = view.max.x - view.min.x + 1;
        edges[1] = view.max.y - view.min.y + 1;
        edges[2] = view.max.z - view.min.z + 1;
        slots.resize(static_cast<std::size_t>(edges[0]) * static_cast<std::size_t>(edges[1]) *
                     static_cast<std::size_t>(edges[2]));
        for (auto &slot : slots) {
            if (slot && !trn_box_contains(view, slot->coord)) {
                slot.reset();
            }
        }
    }
    void find_missing(std::vector<TrnCoord> &missing) const
    {
        for (std::int32_t y = view.min.y; y <= view.max.y; y++) {
            for (std::int32_t z = view.min.z; z <= view.max.z; z++) {
                for (std::int32_t x = view.min.x; x <= view.max.x; x++) {
                    if (!slots[place_of({x, y, z})]) { // the view has moved past others
                        missing.push_back({x, y, z});
                    }
                }
            }
        }
    }
    void insert(TrnCoord coord, const Generated &blocks)
    {
        slots[place_of(coord)] = std::make_unique<Kept>(coord, blocks);
    }
    Kept *find(TrnCoord coord) const
    {
        return trn_box_contains(view, coord) ? slots[place_of(coord)].get() : nullptr;
    }
    std::size_t gather(TrnBox box, std::vector<Drawn> &out) const
    {
        out.clear();
        for (std::int32_t y = box.min.y; y <= box.max.y; y++) {
            for (std::int32_t z = box.min.z; z <= box.max.z; z++) {
                for (std::int32_t x = box.min.x; x <= box.max.x; x++) {
                    if (const Kept *const chunk = find({x, y, z})) {
                        out.push_back(chunk);
                    }
                }
            }
        }
        return out.size();
    }
    unsigned count_neighbours(TrnCoord coord) const
    {
        unsigned count = 0;
        for (int face = 0; face < TRN_FACE_COUNT; face++) {
            count += find(trn_coord_neighbour(coord, static_cast<TrnFace>(face))) ? 1 : 0;
        }
        return count;
    }
    void dig(TrnVoxel centre, int radius)
    {
        dig_sphere(*this, centre, radius);
    }
    std::uint64_t sum(TrnVoxel min, TrnVoxel max) const
    {
        return sum_of_box(*this, min, max);
    }
    std::size_t bytes() const
    {
        std::size_t bytes = slots.capacity() * sizeof slots[0];
        each([&](TrnCoord, const Kept *chunk) { bytes += chunk->bytes() + sizeof(void *); });
        return bytes;
    }

  protected:
    template <class Work> void each(const Work &work) const
    {
        for (const auto &slot : slots) {
            if (slot) {
                work(slot->coord, slot.get());
            }
        }
    }

  private:
    static std::int32_t wrapped(std::int32_t value, std::int32_t edge)
    {
        const std::int32_t rest = value % edge;
        return rest < 0 ? rest + edge : rest;
    }
    std::size_t place_of(TrnCoord coord) const
    {
        const auto part = [&](std::int32_t value, int axis) {
            return static_cast<std::size_t>(wrapped(value, edges[axis]));
        };
        const auto edge_x = static_cast<std::size_t>(edges[0]);
        const auto edge_z = static_cast<std::size_t>(edges[2]);
        return (part(coord.y, 1) * edge_z + part(coord.z, 2)) * edge_x + part(coord.x, 0);
    }
    TrnBox view = {};
    std::int32_t edges[3] = {1, 1, 1};
    std::vector<std::unique_ptr<Kept>> slots;
};

} // namespace game
