// What is done beside the quads, and with them: which faces of a chunk are joined, and plain
// vertices.

#include "mesh_scenes.hpp"

#include <algorithm>
#include <utility>

#include <terrane/mesh_vertices.h>
#include <terrane/visibility.h>

#include "mesh_flood.h"

namespace {

/// The opaque masks of the chunks that a land has chosen.
std::vector<const std::uint32_t *> masks_of(const MeshLand &land)
{
    std::vector<const std::uint32_t *> masks;
    for (const MeshChunk &chunk : land.chunks()) {
        masks.push_back(land.opaque(chunk.coord));
    }
    return masks;
}

using JoinFaces = TrnVisibility (*)(const std::uint32_t *opaque);

VoxelAttempt joined_attempt(const Desk &desk, const SharedLand &land, const char *contender,
                            JoinFaces join)
{
    const auto masks = std::make_shared<const std::vector<const std::uint32_t *>>(masks_of(*land));
    VoxelAttempt attempt;
    attempt.contender = contender;
    attempt.work = [desk, land, masks, join] {
        for (const std::uint32_t *mask : *masks) {
            desk->sink += join(mask);
        }
    };
    attempt.is_right = [masks, join] {
        return std::all_of(masks->begin(), masks->end(), [join](const std::uint32_t *mask) {
            return join(mask) == mesh_by_flood(mask);
        });
    };
    return attempt;
}

VoxelScene joined_scene(const Desk &desk, const SharedLand &land)
{
    VoxelScene scene;
    scene.question = mesh_joined;
    scene.world = land->name();
    scene.count = land->chunks().size();
    scene.attempts = {joined_attempt(desk, land, by_flood, mesh_by_flood),
                      joined_attempt(desk, land, by_mesher, trn_visibility_of)};
    return scene;
}

/// A chunk's quads, and room for what comes of them.
struct Expansion {
    TrnMesh mesh = {};
    std::vector<TrnMeshVertex> vertices;
    std::vector<std::uint32_t> indices;

    explicit Expansion(const TrnMeshInput &input)
    {
        trn_mesh_init(&mesh, nullptr);
        const std::unique_ptr<void, decltype(&trn_aligned_free)> scratch(
            trn_aligned_alloc(TRN_MESH_SCRATCH_BYTES, 64), trn_aligned_free);
        voxel_demand(scratch ? trn_mesh_build(&mesh, &input, scratch.get()) : TRN_RESULT_NO_MEMORY);
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
        voxel_demand(trn_mesh_vertices(mesh.quads, &mesh.info, 0, TRN_MESH_GROUP_COUNT, offset, 0,
                                       vertices.data(), indices.data()));
    }
};

VoxelScene expansion_scene(const SharedLand &land)
{
    const auto expansion = std::make_shared<Expansion>(land->chunks().front().lit);
    VoxelScene scene;
    scene.question = mesh_expanded;
    scene.world = land->name();
    VoxelAttempt attempt;
    attempt.contender = by_mesher;
    attempt.work = [expansion] { expansion->expand(); };
    attempt.is_right = [expansion] {
        const auto count = expansion->vertices.size();
        return std::all_of(expansion->indices.begin(), expansion->indices.end(),
                           [count](std::uint32_t index) { return index < count; });
    };
    scene.attempts = {std::move(attempt)};
    return scene;
}

} // namespace

std::vector<VoxelScene> make_mesh_use_scenes(const Desk &desk, const std::vector<SharedLand> &lands)
{
    std::vector<VoxelScene> scenes;
    scenes.reserve(2 * lands.size());
    for (const SharedLand &land : lands) {
        scenes.push_back(joined_scene(desk, land));
    }
    for (const SharedLand &land : lands) {
        scenes.push_back(expansion_scene(land));
    }
    return scenes;
}
