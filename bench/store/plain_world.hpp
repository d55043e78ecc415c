/// The baseline of topic `store`: chunks as most games write them. Arrays of 64 KiB in a
/// std::unordered_map, the last chunk kept at hand. No snapshots for other threads, no masks, no
/// revisions, no undo: what those cost Terrane is part of the comparison.
#pragma once

#include <memory>
#include <unordered_map>

#include <terrane/block_types.h>
#include <terrane/coord.h>

#include "maps/coord_hash.hpp"

struct PlainChunk {
    TrnBlock blocks[TRN_CHUNK_VOXELS]; ///< in linear order
};

class PlainWorld {
  public:
    /// @return the new chunk, not filled
    PlainChunk &insert(TrnCoord coord)
    {
        // Not make_unique, which would write zeroes first.
        return *(chunks[coord] = std::unique_ptr<PlainChunk>(new PlainChunk));
    }
    PlainChunk *find(TrnCoord coord) const
    {
        const auto found = chunks.find(coord);
        return found == chunks.end() ? nullptr : found->second.get();
    }

  private:
    std::unordered_map<TrnCoord, std::unique_ptr<PlainChunk>, CombinedHash, CoordEqual> chunks;
};

/// Voxels of a plain world where the next one is mostly in the same chunk as the last.
class PlainCursor {
  public:
    explicit PlainCursor(const PlainWorld &of) : world(of), chunk(of.find(last))
    {
    }
    /// The voxel's place, or NULL where its chunk is not there.
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
