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
    TrnMeshInput lit = {}, unlit = {}; ///< as stored, with ambient occlusion and without
    /// For the peers, which know one kind of block: everything that is not opaque is air.
    std::vector<TrnBlock> padded;
};

/// A store whose chunks never change, and which of them are meshed. Missing chunks are solid.
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
    /// Adds a chunk to those that are meshed. To be called once all are inserted.
    void choose(TrnCoord coord);

    /// The chosen chunks, in order.
    const std::vector<MeshChunk> &chunks() const
    {
        return chosen;
    }
    /// The mesher's input, as a worker fetches it.
    TrnMeshInput fetch(TrnCoord coord) const;
    /// [TRN_CHUNK_ROWS] a chunk's opaque mask.
    const std::uint32_t *opaque(TrnCoord coord) const;

    /// The faces that must show. @param is_opaque_only  as a peer sees the chunk
    void expect(MeshFaces &faces, TrnCoord coord, bool has_ao, bool is_opaque_only) const;

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

/// Chunks of a world at y = 0, `columns` along x and `rows` along z, with all 26 around each.
SharedLand make_world_land(MeshWorld world, int columns, int rows);

/// Lands of one chunk that shows nothing, and its neighbours.
std::vector<SharedLand> make_hidden_lands();

/// The built-in terrain within a flattened ball; no chunk is chosen yet.
struct TerrainLand {
    SharedLand land;
    std::vector<TrnCoord> view; ///< all chunks
};

TerrainLand make_terrain_land(int radius, int radius_y);
