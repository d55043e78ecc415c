// A game's chunks in a hash map, and in Terrane's store: before and after a port, for
// game_loop.hpp.
#pragma once

#include <memory>
#include <new>
#include <utility>
#include <vector>

#include <terrane/batch.h>
#include <terrane/chunk_index.h>
#include <terrane/store.h>

#include "game_loop.hpp"

namespace game {

// Terrane refuses these calls only when memory runs out.
inline void check(TrnResult result)
{
    if (result != TRN_RESULT_OK) {
        throw std::bad_alloc();
    }
}

// ---- before: the map ---------------------------------------------------------------------------

struct CoordHash {
    std::size_t operator()(const TrnCoord &coord) const
    {
        return static_cast<std::size_t>(coord_hash(coord));
    }
};

struct CoordEqual {
    bool operator()(const TrnCoord &a, const TrnCoord &b) const
    {
        return trn_coord_equal(a, b);
    }
};

// Map: from TrnCoord to std::unique_ptr<Chunk>, or to a chunk derived from it.
template <typename Map> class HashWorld {
  public:
    using Kept = typename Map::mapped_type::element_type;
    using Drawn = const Kept *;

    // Compares every chunk with the view.
    void move_view(TrnBox to)
    {
        view = to;
        for (auto at = chunks.begin(); at != chunks.end();) {
            const auto now = at++;
            if (!trn_box_contains(view, now->first)) {
                chunks.erase(now);
            }
        }
    }
    // Looks up every coordinate of the view.
    void find_missing(std::vector<TrnCoord> &missing) const
    {
        for (std::int32_t y = view.min.y; y <= view.max.y; y++) {
            for (std::int32_t z = view.min.z; z <= view.max.z; z++) {
                for (std::int32_t x = view.min.x; x <= view.max.x; x++) {
                    if (chunks.find({x, y, z}) == chunks.end()) {
                        missing.push_back({x, y, z});
                    }
                }
            }
        }
    }
    void insert(TrnCoord coord, const Generated &blocks)
    {
        chunks.emplace(coord, std::make_unique<Kept>(coord, blocks));
    }
    // Iterates all chunks: for large boxes much faster than looking up every coordinate.
    std::size_t gather(TrnBox box, std::vector<Drawn> &out) const
    {
        out.clear();
        for (const auto &[coord, chunk] : chunks) {
            if (trn_box_contains(box, coord)) {
                out.push_back(chunk.get());
            }
        }
        return out.size();
    }
    unsigned count_neighbours(TrnCoord coord) const
    {
        unsigned count = 0;
        for (int face = 0; face < TRN_FACE_COUNT; face++) {
            const TrnCoord neighbour = trn_coord_neighbour(coord, static_cast<TrnFace>(face));
            count += chunks.find(neighbour) != chunks.end() ? 1 : 0;
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
    Kept *find(TrnCoord coord) const
    {
        const auto found = chunks.find(coord);
        return found == chunks.end() ? nullptr : found->second.get();
    }
    // The map's own part is an estimate: a node has a link, a hash and malloc's own bytes.
    std::size_t bytes() const
    {
        std::size_t bytes = chunks.bucket_count() * sizeof(void *);
        for (const auto &[coord, chunk] : chunks) {
            bytes += sizeof coord + sizeof chunk + 3 * sizeof(void *) + chunk->bytes();
        }
        return bytes;
    }

  protected:
    Map chunks;

  private:
    TrnBox view = {};
};

// ---- planes: which chunks to load and to unload ------------------------------------------------

const TrnPlaneDef wanted_plane = {"wanted", true}; // stays set when the chunk is removed
constexpr TrnPlane wanted = 1;                     // 0 is TRN_PLANE_PRESENT
constexpr std::uint32_t present_bit = TRN_PLANE_BIT(TRN_PLANE_PRESENT);
constexpr std::uint32_t wanted_bit = TRN_PLANE_BIT(wanted);

// All coordinates of a box whose bits are set in these planes and in none of those. Replaces the
// loops over view and map.
inline void gather_coords(const TrnChunkIndex *index, TrnBox box, std::uint32_t all,
                          std::uint32_t none, std::vector<TrnCoord> &out)
{
    TrnChunkGather gather = {};
    gather.box = box;
    gather.planes.all = all;
    gather.planes.none = none;
    out.resize(trn_chunk_index_gather(index, &gather)); // how many
    if (!out.empty()) {
        gather.coords = out.data();
        gather.capacity = out.size();
        trn_chunk_index_gather(index, &gather);
    }
}

inline void wish(TrnChunkIndex *index, TrnBox view)
{
    check(trn_chunk_index_plane_fill(index, wanted, trn_box_everything(), false));
    check(trn_chunk_index_plane_fill(index, wanted, view, true));
}

// ---- after: the store --------------------------------------------------------------------------

class StoreWorld {
  public:
    using Drawn = TrnChunk *;

    StoreWorld() : StoreWorld(trn_store_def(), {wanted_plane})
    {
    }
    // The plane `wanted` comes first.
    StoreWorld(TrnStoreDef def, const std::vector<TrnPlaneDef> &planes)
    {
        def.planes = planes.data();
        def.plane_count = static_cast<std::uint32_t>(planes.size());
        check(trn_store_create(&def, &store));
    }
    ~StoreWorld()
    {
        trn_store_destroy(store);
    }
    StoreWorld(const StoreWorld &) = delete;
    StoreWorld &operator=(const StoreWorld &) = delete;

    void move_view(TrnBox view)
    {
        TrnChunkIndex *const index = trn_store_index(store);
        wish(index, view);
        gather_coords(index, trn_box_everything(), present_bit, wanted_bit, gone);
        for (const TrnCoord &coord : gone) {
            check(trn_store_remove(store, coord));
        }
    }
    void find_missing(std::vector<TrnCoord> &missing) const
    {
        gather_coords(trn_store_index(store), trn_box_everything(), wanted_bit, present_bit,
                      missing);
    }
    // Packs the blocks: a chunk with two to four types takes 12 KiB instead of 64, a uniform one
    // nothing.
    void insert(TrnCoord coord, const Generated &blocks)
    {
        check(blocks.is_uniform ? trn_store_insert_uniform(store, coord, blocks.blocks[0], nullptr)
                                : trn_store_insert_voxels(store, coord, blocks.blocks, nullptr));
    }
    std::size_t gather(TrnBox box, std::vector<Drawn> &out) const
    {
        const std::size_t count = trn_store_gather(store, box, out.data(), out.size());
        if (count > out.size()) { // only in the first frames
            out.resize(count);
            trn_store_gather(store, box, out.data(), count);
        }
        return count;
    }
    unsigned count_neighbours(TrnCoord coord) const
    {
        TrnChunk *neighbours[TRN_FACE_COUNT];
        trn_store_neighbours(store, coord, neighbours);
        unsigned count = 0;
        for (const TrnChunk *const chunk : neighbours) {
            count += chunk ? 1 : 0;
        }
        return count;
    }
    // One change for readers, listeners and undo, over any number of chunks. In chunks that are not
    // loaded the edit is pending.
    void dig(TrnVoxel centre, int radius)
    {
        TrnBatch *batch = nullptr;
        check(trn_batch_begin(store, nullptr, &batch));
        (void)trn_batch_fill_sphere(batch, centre, radius, TRN_BLOCK_AIR);
        check(trn_batch_commit(batch, nullptr)); // also reports failures of the sphere
    }
    std::uint64_t sum(TrnVoxel min, TrnVoxel max) const
    {
        std::uint64_t sum = 0;
        TrnCursor cursor = trn_cursor(store);
        for_voxels(min, max,
                   [&](TrnVoxel voxel) { sum += trn_cursor_get(&cursor, voxel, TRN_BLOCK_AIR); });
        return sum;
    }
    TrnChunk *find(TrnCoord coord) const
    {
        return trn_store_find(store, coord);
    }
    std::size_t bytes() const
    {
        return trn_store_stats(store).total_bytes;
    }

  protected:
    TrnStore *store = nullptr;

  private:
    std::vector<TrnCoord> gone;
};

} // namespace game
