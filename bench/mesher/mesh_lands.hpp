/// The chunks of topic `mesher`: in a store, and for the peers as plain cubes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <terrane/mesher.h>
#include <terrane/store.h>

#include "mesh_faces.h"
#include "mesh_worlds.h"

/// A chunk in the form that each contender takes.
struct MeshChunk {
    TrnCoord coord = {};
    TrnMeshInput lit = {}, unlit = {}; ///< input with and without ambient occlusion
    /// For the peers, which know only air and opaque blocks: everything that is not opaque is air.
    std::vector<TrnBlock> padded;
};

/// A store with chunks that never change, and a list of the chunks to mesh. Missing chunks count as
/// solid.
class MeshLand {
  public:
    explicit MeshLand(std::string land_name);
    ~MeshLand();
    MeshLand(const MeshLand &) = delete;
    MeshLand &operator=(const MeshLand &) = delete;

    const std::string &name() const
    {
        return title;
    }

    /// @param blocks  [TRN_CHUNK_VOXELS]
    void insert(TrnCoord coord, const TrnBlock *blocks);
    /// Adds a chunk to those to mesh. To be called after all chunks are inserted.
    void choose(TrnCoord coord);

    /// The chosen chunks, in order.
    const std::vector<MeshChunk> &chunks() const
    {
        return chosen;
    }
    /// The mesher's input, as a worker fetches it.
    TrnMeshInput fetch(TrnCoord coord) const;
    /// [TRN_CHUNK_ROWS] a chunk's opaque mask.
    std::vector<std::uint32_t> opaque(TrnCoord coord) const;

    /// The expected faces. @param is_opaque_only only opaque blocks, as for the peers
    void expect(MeshFaces &faces, TrnCoord coord, bool has_ao, bool is_opaque_only) const;
    /// As mesh_light_is_exact, with the land's types.
    bool light_is_exact(const TrnQuad *quads, std::size_t count) const;

  private:
    /// @param padded  [MESH_PADDED_VOXELS]
    void pad(const TrnMeshInput &input, bool is_opaque_only, TrnBlock *padded) const;

    std::string title;
    TrnStore *store = nullptr;
    const TrnBlockType *types = nullptr;
    std::uint32_t type_count = 0;
    std::vector<MeshChunk> chosen;
};

// MESH_PADDED_VOXELS as a size.
constexpr auto padded_count = static_cast<std::size_t>(MESH_PADDED_VOXELS);

using SharedLand = std::shared_ptr<MeshLand>;

/// Chunks of a world at y = 0, `columns` along x and `rows` along z, with all their neighbours.
SharedLand make_world_land(MeshWorld world, int columns, int rows);

/// Lands of one chunk without visible faces, and its neighbours.
std::vector<SharedLand> make_hidden_lands();

/// The built-in terrain within a flattened ball; no chunk is chosen yet.
struct TerrainLand {
    SharedLand land;
    std::vector<TrnCoord> view; ///< all chunks
};

TerrainLand make_terrain_land(int radius, int radius_y);
