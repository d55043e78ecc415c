/// What topic `mesher` times: the same chunks, put to Terrane and to its peers. Scenes are run by
/// voxel_scenes.hpp.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "mesh_lands.hpp"
#include "voxels/voxel_scenes.hpp"

// The questions, and who answers.
inline const char *const mesh_plain = "without ambient occlusion, input in L2";
inline const char *const mesh_lit = "with ambient occlusion, input in L2";
inline const char *const mesh_plain_cold = "without ambient occlusion, input from memory";
inline const char *const mesh_lit_cold = "with ambient occlusion, input from memory";
inline const char *const mesh_plain_each = "without ambient occlusion, a quad";
inline const char *const mesh_lit_each = "with ambient occlusion, a quad";
inline const char *const mesh_plain_quads = "quads without ambient occlusion";
inline const char *const mesh_lit_quads = "quads with ambient occlusion";
inline const char *const mesh_hidden = "a chunk that shows nothing";
inline const char *const mesh_terrain = "generated terrain, fetching included";
inline const char *const mesh_view = "every chunk of a view, fetching included";
inline const char *const mesh_joined = "which faces of a chunk are joined";
inline const char *const mesh_expanded = "a chunk's quads to vertices and indices";
inline const char *const mesh_fetch = "fetching a chunk and the 26 around it";

inline const char *const by_greedy = "classic greedy";
inline const char *const by_binary = "binary greedy";
inline const char *const by_culling = "per-voxel culling";
inline const char *const by_flood = "flood fill, voxel by voxel";
inline const char *const by_mesher = "Terrane";
inline const char *const by_unlit = "Terrane, without ambient occlusion";

/// What everybody meshes in, and which kernels are compared.
class MeshDesk {
  public:
    explicit MeshDesk(const BenchOptions &options);

    TrnQuad *quads() const;
    /// Terrane's quads of a chunk. @param kernels  one of kernel_names(); the first is the fastest,
    /// and called as a game does
    std::size_t mesh(const TrnMeshInput &input, const std::string &kernels) const;
    const std::vector<std::string> &kernel_names() const;
    /// Takes the caches' room, so that what has not been touched since comes from memory.
    void evict() const;

    bool is_quick, is_check;
    mutable std::uint64_t sink = 0; ///< results go here, so that nothing is left out

  private:
    struct Free {
        void operator()(void *memory) const;
    };
    std::unique_ptr<void, Free> scratch;
    std::unique_ptr<TrnQuad[]> room;
    std::vector<std::string> names;
    mutable std::vector<std::uint64_t> filler;
};

using Desk = std::shared_ptr<const MeshDesk>;

/// Who meshes, and how.
struct MeshContender {
    std::string name;
    bool has_ao;
    bool is_peer; ///< is handed plain cubes, and knows opaque blocks alone
    /// Into the desk's quads. @return how many there are
    std::function<std::size_t(const MeshChunk &)> mesh;
};

/// The baseline first. Terrane by its kernels, the fastest first.
std::vector<MeshContender> mesh_contenders(const Desk &desk, bool has_ao);
/// Terrane's name by its kernels.
std::string by_mesh_kernels(const MeshDesk &desk, const std::string &kernels);

/// Whether what lies on the desk is what must show of a chunk, and its light exact.
bool mesh_is_right(const MeshDesk &desk, const MeshLand &land, TrnCoord coord,
                   const MeshContender &contender, std::size_t count);

// The makers of scenes.
std::vector<VoxelScene> make_mesh_world_scenes(const Desk &desk,
                                               const std::vector<SharedLand> &lands);
std::vector<VoxelScene> make_mesh_hidden_scenes(const Desk &desk);
std::vector<VoxelScene> make_mesh_terrain_scenes(const Desk &desk);
std::vector<VoxelScene> make_mesh_use_scenes(const Desk &desk,
                                             const std::vector<SharedLand> &lands);

/// The worlds, in the order of MeshWorld.
std::vector<SharedLand> make_mesh_lands(const MeshDesk &desk);

/// How many quads a chunk has, and what each costs: of what has been timed.
void count_mesh_quads(const Desk &desk, const std::vector<SharedLand> &lands, Report &report);
