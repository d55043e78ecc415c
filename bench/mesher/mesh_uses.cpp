// Scenes of a chunk's visibility, and of the cost of plain vertices.

#include "mesh_parts.hpp"

#include <algorithm>

#include <terrane/mesh_vertices.h>
#include <terrane/visibility.h>

#include "mesh_peers.h"
#include "voxels/voxel_fixture.hpp"

namespace {

using JoinFaces = TrnVisibility (*)(const std::uint32_t *opaque);

bench::Scene joined_scene(const SharedLand &land)
{
    std::vector<std::vector<std::uint32_t>> masks;
    for (const MeshChunk &chunk : land->chunks()) {
        masks.push_back(land->opaque(chunk.coord));
    }
    bench::Scene scene = mesh_scene(mesh_joined, *land, masks.size());
    for (const JoinFaces join : {mesh_by_flood, trn_visibility_of}) {
        scene.attempts.push_back(bench::timed(
            join == mesh_by_flood ? by_flood : by_mesher,
            [land, masks, join] {
                for (const auto &mask : masks) {
                    keep(join(mask.data()));
                }
            },
            [masks, join] {
                return std::all_of(masks.begin(), masks.end(), [join](const auto &mask) {
                    return join(mask.data()) == mesh_by_flood(mask.data());
                });
            }));
    }
    return scene;
}

/// A chunk's quads, and memory for their vertices and indices.
struct Expansion {
    TrnMesh mesh = {};
    std::vector<TrnMeshVertex> vertices;
    std::vector<std::uint32_t> indices;

    explicit Expansion(const TrnMeshInput &input)
    {
        trn_mesh_init(&mesh, nullptr);
        require(trn_mesh_build(&mesh, &input, make_scratch(TRN_MESH_SCRATCH_BYTES).get()));
        vertices.resize(trn_mesh_vertex_count(&mesh.info, 0, TRN_MESH_GROUP_COUNT));
        indices.resize(trn_mesh_index_count(static_cast<std::uint32_t>(vertices.size())));
    }
    ~Expansion()
    {
        trn_mesh_free(&mesh);
    }
    Expansion(const Expansion &) = delete;
    Expansion &operator=(const Expansion &) = delete;

    void expand()
    {
        const float offset[3] = {0, 0, 0};
        require(trn_mesh_vertices(mesh.quads, &mesh.info, 0, TRN_MESH_GROUP_COUNT, offset, 0,
                                  vertices.data(), indices.data()));
    }
};

bench::Scene expansion_scene(const SharedLand &land)
{
    const auto expansion = std::make_shared<Expansion>(land->chunks().front().lit);
    return bench::scene_with(mesh_scene(mesh_expanded, *land, 1),
                             {bench::timed(
                                 by_mesher, [expansion] { expansion->expand(); },
                                 [expansion] {
                                     const auto count = expansion->vertices.size();
                                     return std::all_of(
                                         expansion->indices.begin(), expansion->indices.end(),
                                         [count](std::uint32_t index) { return index < count; });
                                 })});
}

} // namespace

void add_mesh_uses(bench::Bench &bench, const SharedLand &land)
{
    bench.add({joined_scene(land), expansion_scene(land)});
}
