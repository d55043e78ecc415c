/// Terrane's mesher for C++17 and later: meshes that own their quads, and vertices in vectors. As
/// thin as terrane/terrane.hpp, which says how results and handles work.
///
///     trn::MeshScratch scratch = trn::MeshScratch::create().value(); // one for each thread
///     trn::Mesh mesh;
///     mesh.build(trn::mesh_input(store, coord), scratch).value();
///     upload(mesh.quads().data(), mesh.quads().size());
///
/// Tier: that of the C functions.
#ifndef TERRANE_MESHER_HPP
#define TERRANE_MESHER_HPP

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include <terrane/mesh_vertices.h>
#include <terrane/mesher.h>
#include <terrane/store.hpp>
#include <terrane/stream.h>
#include <terrane/visibility.h>

namespace trn {

/// Owns the scratch memory that one thread needs to mesh.
class MeshScratch : public Owned<Borrowed<void>, trn_aligned_free> {
  public:
    using Owned::Owned;
    /// Errors: NO_MEMORY.
    static Result<MeshScratch> create()
    {
        void *memory = trn_aligned_alloc(TRN_MESH_SCRATCH_BYTES, 64);
        return memory ? Result<MeshScratch>(MeshScratch(memory)) : TRN_RESULT_NO_MEMORY;
    }
};

/// What the mesher needs of a chunk and its neighbours; missing ones hide the border's faces.
/// Valid as the snapshots in it are.
inline TrnMeshInput mesh_input(const Around &around, BlockTypesRef types)
{
    TrnMeshInput input{};
    std::memcpy(input.around, around.chunks, sizeof input.around);
    input.present = around.present;
    input.missing_is_solid = true;
    input.types = trn_block_types_all(types.c(), &input.type_count);
    return input;
}
/// The same of a loaded chunk of a store.
inline TrnMeshInput mesh_input(const StoreRef &store, TrnCoord coord)
{
    return trn_mesh_input(store.c(), coord);
}
/// The same of what a stream passes to its mesh hook, with its light.
inline TrnMeshInput mesh_input(const TrnStreamMeshInput &streamed, BlockTypesRef types)
{
    return trn_mesh_input_of(&streamed, types.c());
}

/// Owns the quads of one chunk, in memory that grows and is reused.
class Mesh {
  public:
    /// @param allocator  copied; NULL means malloc
    explicit Mesh(const TrnAllocator *allocator = nullptr)
    {
        trn_mesh_init(&c_, allocator);
    }
    Mesh(Mesh &&other) noexcept : c_(other.c_)
    {
        trn_mesh_init(&other.c_, &c_.allocator);
    }
    Mesh &operator=(Mesh &&other) noexcept
    {
        std::swap(c_, other.c_);
        return *this;
    }
    Mesh(const Mesh &) = delete;
    Mesh &operator=(const Mesh &) = delete;
    ~Mesh()
    {
        trn_mesh_free(&c_);
    }
    const TrnMesh *c() const noexcept
    {
        return &c_;
    }
    /// Replaces the quads by those of a chunk. Errors: as trn_mesh_build.
    Status build(const TrnMeshInput &input, const MeshScratch &scratch)
    {
        return trn_mesh_build(&c_, &input, scratch.c());
    }
    /// Where the quads lie.
    const TrnMeshInfo &info() const noexcept
    {
        return c_.info;
    }
    Span<const TrnQuad> quads() const
    {
        return Span<const TrnQuad>(c_.quads, trn_mesh_count(&c_.info));
    }
    /// The opaque quads of one direction.
    Span<const TrnQuad> opaque(TrnFace face) const
    {
        return group(TRN_MESH_OPAQUE, face);
    }
    /// The cutout quads of one direction.
    Span<const TrnQuad> cutout(TrnFace face) const
    {
        return group(TRN_MESH_CUTOUT, face);
    }
    /// The faces of models.
    Span<const TrnModelFace> models() const
    {
        return Span<const TrnModelFace>(c_.models, c_.model_count);
    }
    /// The transparent quads of one direction, sorted along its axis.
    Span<const TrnQuad> transparent(TrnFace face) const
    {
        return group(TRN_MESH_TRANSPARENT, face);
    }
    Span<const TrnQuad> surface(TrnMeshSurface surface) const
    {
        const std::uint32_t number = static_cast<std::uint32_t>(surface);
        return groups(trn_mesh_first_group(number), trn_mesh_first_group(number + 1));
    }
    /// The light of each quad; empty if all have info().light.
    Span<const std::uint32_t> light() const
    {
        const bool varies = c_.info.light == TRN_MESH_LIGHT_VARIES;
        return Span<const std::uint32_t>(c_.light, varies ? trn_mesh_count(&c_.info) : 0);
    }
    /// What the quads, their light and the faces of models take, for TrnStreamMesh.bytes.
    std::size_t bytes() const noexcept
    {
        return trn_mesh_bytes(&c_);
    }

  private:
    Span<const TrnQuad> group(std::uint32_t first_of_faces, TrnFace face) const
    {
        const std::uint32_t first = first_of_faces + static_cast<std::uint32_t>(face);
        return groups(first, first + 1);
    }
    Span<const TrnQuad> groups(std::uint32_t first, std::uint32_t end) const
    {
        return Span<const TrnQuad>(c_.quads + c_.info.first[first],
                                   c_.info.first[end] - c_.info.first[first]);
    }
    TrnMesh c_;
};

/// Plain vertices and triangles, for engines that need them. One may hold several chunks.
struct MeshVertices {
    std::vector<TrnMeshVertex> vertices; ///< of all chunks
    std::vector<std::uint32_t> indices;  ///< three for each triangle

    /// Appends the quads of groups [first, end). Allocates.
    /// @param offset  added to positions
    /// Errors: as trn_mesh_vertices; nothing is appended then.
    Status append(const Mesh &mesh, const float (&offset)[3], std::uint32_t first_group = 0,
                  std::uint32_t end_group = TRN_MESH_GROUP_COUNT)
    {
        if (end_group > TRN_MESH_GROUP_COUNT) {
            return TRN_RESULT_BAD_ARGUMENT;
        }
        const std::size_t vertex = vertices.size(), index = indices.size();
        const std::uint32_t count = trn_mesh_vertex_count(&mesh.info(), first_group, end_group);
        if (vertex + count > UINT32_MAX) {
            return TRN_RESULT_BAD_ARGUMENT;
        }
        vertices.resize(vertex + count);
        indices.resize(index + trn_mesh_index_count(count));
        const TrnResult result = trn_mesh_vertices(
            mesh.quads().data(), &mesh.info(), first_group, end_group, offset,
            static_cast<std::uint32_t>(vertex), vertices.data() + vertex, indices.data() + index);
        if (result != TRN_RESULT_OK) {
            vertices.resize(vertex);
            indices.resize(index);
        }
        return result;
    }
    /// Appends the faces of models. Allocates.
    /// Errors: as trn_mesh_model_vertices; nothing is appended then.
    Status append_models(const Mesh &mesh, const float (&offset)[3])
    {
        const std::size_t vertex = vertices.size(), index = indices.size();
        const Span<const TrnModelFace> faces = mesh.models();
        if (vertex + 4 * faces.size() > UINT32_MAX) {
            return TRN_RESULT_BAD_ARGUMENT;
        }
        vertices.resize(vertex + 4 * faces.size());
        indices.resize(index + 6 * faces.size());
        return trn_mesh_model_vertices(faces.data(), faces.size(), offset,
                                       static_cast<std::uint32_t>(vertex), vertices.data() + vertex,
                                       indices.data() + index);
    }
};

/// Vertices and triangles in a format of the game's own. One may hold several chunks.
///
///     struct MyVertex { float position[3]; std::uint16_t tile; std::uint8_t ao, light; };
///     trn::MeshVerticesOf<MyVertex> mine;
///     const auto make = [&](const TrnMeshVertex &corner, std::uint32_t light) {
///         return MyVertex{...};
///     };
///     mine.append(mesh, offset, make).value();
///     mine.append_models(mesh, offset, make).value();
///
/// `make` gets a corner and its light: the sky's level in bits 0 to 3, that of blocks in bits 4 to
/// 7. What it throws passes through, and what was appended before stays.
template <class Vertex> struct MeshVerticesOf {
    std::vector<Vertex> vertices;       ///< of all chunks
    std::vector<std::uint32_t> indices; ///< three for each triangle

    /// Appends the quads of groups [first, end). Allocates.
    /// @param offset  added to positions
    /// Errors: BAD_ARGUMENT (no such groups; indices beyond 32 bits); nothing is appended then.
    template <class Make>
    Status append(const Mesh &mesh, const float (&offset)[3], Make make,
                  std::uint32_t first_group = 0, std::uint32_t end_group = TRN_MESH_GROUP_COUNT)
    {
        const TrnMeshInfo &info = mesh.info();
        if (first_group > end_group || end_group > TRN_MESH_GROUP_COUNT ||
            !fits(trn_mesh_vertex_count(&info, first_group, end_group))) {
            return TRN_RESULT_BAD_ARGUMENT;
        }
        for (std::uint32_t i = info.first[first_group]; i < info.first[end_group]; i++) {
            const TrnQuad quad = mesh.quads()[i];
            const bool is_transparent = i >= info.first[TRN_MESH_TRANSPARENT];
            TrnMeshVertex corners[TRN_QUAD_VERTICES_MAX];
            std::uint32_t triangles[TRN_QUAD_INDICES_MAX];
            const std::uint32_t count = trn_quad_vertices(quad, is_transparent, offset, corners);
            const std::uint32_t index_count = trn_quad_indices(quad, next(), triangles);
            const std::uint32_t light = mesh.light().empty() ? info.light : mesh.light()[i];
            put(corners, count, light, make, triangles, index_count);
        }
        return TRN_RESULT_OK;
    }
    /// Appends the faces of models. Allocates.
    /// Errors: BAD_ARGUMENT (indices beyond 32 bits); nothing is appended then.
    template <class Make>
    Status append_models(const Mesh &mesh, const float (&offset)[3], Make make)
    {
        if (!fits(4 * mesh.models().size())) {
            return TRN_RESULT_BAD_ARGUMENT;
        }
        for (const TrnModelFace &face : mesh.models()) {
            TrnMeshVertex corners[4];
            std::uint32_t triangles[6];
            trn_model_face_vertices(&face, offset, corners);
            trn_model_face_indices(&face, next(), triangles);
            put(corners, 4, face.light, make, triangles, 6);
        }
        return TRN_RESULT_OK;
    }

  private:
    bool fits(std::size_t count) const
    {
        return vertices.size() + count <= UINT32_MAX;
    }
    std::uint32_t next() const
    {
        return static_cast<std::uint32_t>(vertices.size());
    }
    template <class Make>
    void put(const TrnMeshVertex *corners, std::uint32_t count, std::uint32_t light, Make &make,
             const std::uint32_t *triangles, std::uint32_t index_count)
    {
        for (std::uint32_t i = 0; i < count; i++) {
            vertices.push_back(make(corners[i], light >> 8 * (i % 4) & 255u));
        }
        indices.insert(indices.end(), triangles, triangles + index_count);
    }
};

/// Which faces of a chunk are connected through voxels that are not opaque.
inline TrnVisibility visibility(TrnSnapshot snapshot, BlockTypesRef types)
{
    return trn_visibility_of_snapshot(snapshot, types.opaque_bits());
}

} // namespace trn
#endif
