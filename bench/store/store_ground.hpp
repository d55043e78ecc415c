/// The land that most scenes of topic `store` share: generated terrain with some tunnels, identical
/// in a store and in a plain world. Also listeners and undo, for scenes that measure changes with
/// them.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

#include <terrane/history.h>
#include <terrane/store.h>
#include <terrane/terrain.h>

#include "hash/coord_hash.hpp"
#include "owned.hpp"
#include "worlds.hpp"

/// The seed of all random choices of the topic.
constexpr std::uint32_t store_seed = 6;

// ---- the baseline -------------------------------------------------------------------------------

template <class Chunk>
using CoordMap = std::unordered_map<TrnCoord, Chunk, CombinedHash, CoordEqual>;

constexpr auto plain_voxels = static_cast<std::size_t>(TRN_CHUNK_VOXELS);

/// Chunks as in most games: arrays of 64 KiB in a std::unordered_map. They have no snapshots for
/// other threads, masks, revisions or undo, so the comparison includes Terrane's cost for these.
struct PlainChunk {
    TrnBlock blocks[plain_voxels]; ///< in linear order
};

class PlainWorld {
  public:
    /// @return the new chunk, uninitialised
    PlainChunk &insert(TrnCoord coord)
    {
        // Not make_unique, which would zero the array.
        return *(chunks[coord] = std::unique_ptr<PlainChunk>(new PlainChunk));
    }
    PlainChunk *find(TrnCoord coord) const
    {
        const auto found = chunks.find(coord);
        return found == chunks.end() ? nullptr : found->second.get();
    }

  private:
    CoordMap<std::unique_ptr<PlainChunk>> chunks;
};

/// Reads voxels of a plain world. Caches the last chunk.
class PlainCursor {
  public:
    explicit PlainCursor(const PlainWorld &of) : world(of), chunk(of.find(last))
    {
    }
    /// The address of a voxel, or NULL if its chunk is not loaded.
    TrnBlock *find(TrnVoxel voxel)
    {
        const TrnCoord coord = trn_voxel_chunk(voxel);
        if (!trn_coord_equal(coord, last)) {
            chunk = world.find(coord);
            last = coord;
        }
        return chunk ? &chunk->blocks[trn_voxel_local_index(voxel)] : nullptr;
    }
    TrnBlock get(TrnVoxel voxel, TrnBlock absent)
    {
        const TrnBlock *const block = find(voxel);
        return block ? *block : absent;
    }

  private:
    const PlainWorld &world;
    TrnCoord last = {0, 0, 0};
    PlainChunk *chunk;
};

// ---- the ground ---------------------------------------------------------------------------------

/// A straight tunnel through the stone.
struct Tunnel {
    TrnVoxel start;
    double direction[3]; ///< of length 1
};

/// A flattened ball of chunks. All scenes share it; each restores what it changes.
struct StoreGround {
    StoreGround(int radius, int radius_y);
    TrnStore *store() const
    {
        return chunks.get();
    }
    /// The y of a column's topmost voxel that is not air or water. Ignores tunnels.
    std::int64_t height(std::int64_t x, std::int64_t z) const;
    /// A random voxel at the surface. All voxels within `around` of it are loaded.
    TrnVoxel surface(std::mt19937 &random, std::int64_t around) const;
    /// Whether the chunks of a box are equal in the store and the plain world.
    bool is_same(TrnBox box) const;
    /// Copies the chunks of a box from the plain world to the store.
    void restore(TrnBox box) const;
    /// Whether a box, in voxels from the origin, touches a solid block of the plain world. Chunks
    /// that are not loaded are solid.
    bool touches_solid(PlainCursor &cursor, const double low[3], const double high[3]) const;

    World view;
    Owned<TrnTerrain, trn_terrain_destroy> terrain;
    Owned<TrnStore, trn_store_destroy> chunks;
    PlainWorld plain;
    std::vector<Tunnel> tunnels;
    std::array<bool, TRN_BLOCK_BUILTIN_COUNT> solid = {}; ///< by block

  private:
    void generate();
    void dig_tunnels();
};
using Ground = std::shared_ptr<StoreGround>;

/// The chunks that a box of voxels reaches into.
TrnBox chunks_of(TrnVoxel centre, std::int64_t around);

/// Calls work(coord) for every chunk of a box.
template <class Work> void for_chunks(TrnBox box, const Work &work)
{
    for (std::int32_t y = box.min.y; y <= box.max.y; y++) {
        for (std::int32_t z = box.min.z; z <= box.max.z; z++) {
            for (std::int32_t x = box.min.x; x <= box.max.x; x++) {
                work(TrnCoord{x, y, z});
            }
        }
    }
}

/// Calls work(x, y, z) for every offset in a cube of voxels, both ends inclusive.
template <class Work> void for_cube(std::int64_t least, std::int64_t most, const Work &work)
{
    for (std::int64_t y = least; y <= most; y++) {
        for (std::int64_t z = least; z <= most; z++) {
            for (std::int64_t x = least; x <= most; x++) {
                work(x, y, z);
            }
        }
    }
}

// ---- listeners, undo ----------------------------------------------------------------------------

/// Counts the events of a listener.
struct StoreEar {
    std::uint64_t events = 0, chunks = 0;
};

/// Subscribes an ear to all events during its lifetime.
class Listening {
  public:
    /// @param to  NULL: subscribes nothing
    Listening(TrnStore *of, StoreEar *to);
    ~Listening();
    Listening(const Listening &) = delete;
    Listening &operator=(const Listening &) = delete;

  private:
    TrnStore *store;
    StoreEar *ear;
};

/// Creates a history of the ground's store.
std::shared_ptr<TrnHistory> make_history(const Ground &ground);
