/// Shared by the parts of topic `mesher`: questions, contenders, and memory for meshing.
#pragma once

#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "driver/topic.hpp"
#include "mesh_lands.hpp"
#include "owned.hpp"

// The questions and contenders.
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

/// The terrain's world, except with --check.
inline const char *const mesh_terrain_world = "flattened ball R=16";

inline const char *const by_greedy = "classic greedy";
inline const char *const by_binary = "binary greedy";
inline const char *const by_culling = "per-voxel culling";
inline const char *const by_flood = "flood fill, voxel by voxel";
inline const char *const by_mesher = "Terrane";
inline const char *const by_unlit = "Terrane, without ambient occlusion";

/// Memory to mesh in, and the kernels that are compared.
class MeshWorkspace {
  public:
    explicit MeshWorkspace(const BenchOptions &options);

    TrnQuad *quads() const;
    /// Meshes a chunk with Terrane. @param kernels one of kernel_names(); the first is the fastest,
    /// and is called as in a game
    std::size_t mesh(const TrnMeshInput &input, const std::string &kernels) const;
    const std::vector<std::string> &kernel_names() const;
    /// Evicts everything else from the caches.
    void evict();

    const bool is_quick, is_check;

  private:
    Scratch scratch;
    std::unique_ptr<TrnQuad[]> room;
    std::vector<std::string> names;
    std::vector<std::uint64_t> filler;
};

using SharedWorkspace = std::shared_ptr<MeshWorkspace>;

struct MeshContender {
    std::string name;
    bool has_ao;
    bool is_peer; ///< takes plain cubes of opaque blocks only
    /// Meshes a chunk into the workspace's quads. @return how many
    std::function<std::size_t(const MeshChunk &)> mesh;
};

/// All contenders: the baseline first; Terrane with each set of kernels, the fastest first.
std::vector<MeshContender> mesh_contenders(const SharedWorkspace &workspace, bool has_ao);
/// The name of Terrane with a set of kernels.
std::string by_mesh_kernels(const MeshWorkspace &workspace, const std::string &kernels);

/// Whether the quads in the workspace are a chunk's visible faces, and their light is exact.
bool mesh_is_right(const MeshWorkspace &workspace, const MeshLand &land, TrnCoord coord,
                   const MeshContender &contender, std::size_t count);

/// A scene of a land in microseconds, without attempts.
bench::Scene mesh_scene(const char *question, const MeshLand &land, std::size_t count);

/// Whether the filter passes any of these questions about a world.
bool mesh_wants(const bench::Bench &bench, const SharedWorkspace &workspace,
                const std::string &world, std::initializer_list<const char *> questions);
