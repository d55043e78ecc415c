/// Terrane, mesh vertices: turns quads into plain vertices and triangles, for engines and file
/// formats that need them. A renderer that can should upload the quads themselves: 8 bytes each
/// instead of 184.
///
///     // groups [first, end): opaque blocks only
///     const uint32_t count = trn_mesh_vertex_count(&mesh.info, TRN_MESH_OPAQUE, TRN_MESH_CUTOUT);
///     TrnMeshVertex *vertices = malloc(count * sizeof *vertices);
///     uint32_t *indices = malloc(trn_mesh_index_count(count) * sizeof *indices);
///     trn_mesh_vertices(mesh.quads, &mesh.info, TRN_MESH_OPAQUE, TRN_MESH_CUTOUT,
///                       (const float[3]){0, 0, 0}, 0, vertices, indices);
///
/// Tier: stable.
#ifndef TERRANE_MESH_VERTICES_H
#define TERRANE_MESH_VERTICES_H

#include <terrane/mesher.h>

TRN_C_BEGIN

/// One corner of a quad or of a model's face, 40 bytes.
typedef struct TrnMeshVertex {
    /// x, y, z in voxels from the chunk's lowest corner, plus the caller's offset; y is up
    float position[3];
    float normal[3]; ///< unit length, away from the block
    /// In voxels, so that a repeating texture covers each voxel once. u runs right and v up, from 0
    /// at the quad's lower left corner as seen from outside. Up is north (-z) on tops, south on
    /// bottoms.
    float uv[2];
    TrnBlock block;    ///< of the quad
    uint8_t face;      ///< as trn_quad_face
    uint8_t ao;        ///< ambient occlusion: 0 (darkest), 85, 170 or 255 (unoccluded)
    uint8_t user_byte; ///< of the quad or face: see TrnMeshInput.user_bytes
    uint8_t box;       ///< of a model: the index of the box, whose textures it has; otherwise 0
    uint8_t unused[2]; ///< 0
} TrnMeshVertex;

/// The most vertices that one quad yields. A plant's leaf yields them: both its sides, for
/// renderers that cull back faces, the front side first. A renderer that draws both sides of a face
/// uses the front alone. Every other quad yields half as many.
#define TRN_QUAD_VERTICES_MAX 8u
/// As TRN_QUAD_VERTICES_MAX: the most indices of one quad.
#define TRN_QUAD_INDICES_MAX 12u

/// Returns how many vertices the quads of some groups yield.
/// @param first_group,end_group  groups [first, end) of TRN_MESH_OPAQUE etc., up to
///                               TRN_MESH_GROUP_COUNT
static inline uint32_t trn_mesh_vertex_count(const TrnMeshInfo *info, uint32_t first_group,
                                             uint32_t end_group)
{
    if (first_group >= end_group) {
        return 0;
    }
    const uint32_t quads = info->first[end_group] - info->first[first_group];
    const bool has_plants = first_group <= TRN_MESH_PLANTS && TRN_MESH_PLANTS < end_group;
    const uint32_t plants =
        has_plants ? info->first[TRN_MESH_PLANTS + 1] - info->first[TRN_MESH_PLANTS] : 0;
    return 4 * (quads + plants);
}

/// Returns how many indices belong to a number of vertices.
static inline uint32_t trn_mesh_index_count(uint32_t vertex_count)
{
    return vertex_count / 4 * 6;
}

/// Turns one quad into vertices.
/// @param is_transparent  whether the quad belongs to TRN_MESH_SURFACE_TRANSPARENT, where ao says
///                        how high a liquid reaches (trn_quad_drop)
/// @param offset    added to positions, which are exact while each is below 2^20
/// @param vertices  [TRN_QUAD_VERTICES_MAX] receives them; caller owns
/// @return the number of vertices: 4, or 8 for a plant's leaf. Vertex i is corner i % 4, in the
/// order of the quad's ao and light
/// Threads: any number. Cost: O(1).
TRN_API uint32_t trn_quad_vertices(TrnQuad quad, bool is_transparent, const float offset[3],
                                   TrnMeshVertex *vertices);

/// Writes the triangles over the vertices of trn_quad_vertices: counter-clockwise seen from
/// outside, split along the diagonal that trn_quad_is_flipped names.
/// @param first    index of the quad's first vertex
/// @param indices  [TRN_QUAD_INDICES_MAX] receives them; caller owns
/// @return the number of indices: 6, or 12 for a plant's leaf
TRN_API uint32_t trn_quad_indices(TrnQuad quad, uint32_t first, uint32_t *indices);

/// Turns the quads of some groups into vertices and triangles, in the quads' order.
/// @param quads,info   as trn_mesh_quads or trn_mesh_build wrote them
/// @param first_group,end_group  groups [first, end)
/// @param offset       as trn_quad_vertices
/// @param first_index  the index of the first vertex: how many vertices precede it in the caller's
///                     buffer
/// @param vertices     [trn_mesh_vertex_count()] receives them; caller owns
/// @param indices      [trn_mesh_index_count()] receives them; caller owns
/// Errors: BAD_ARGUMENT (NULL; no such groups; indices beyond 32 bits; groups out of order, or
/// larger than a chunk's; a plant's leaf outside the plants, or another quad among them). Writes
/// nothing then, and never beyond the buffers' ends, whatever the quads hold.
/// Threads: any number. Cost: O(quads); no allocation.
TRN_API TrnResult trn_mesh_vertices(const TrnQuad *quads, const TrnMeshInfo *info,
                                    uint32_t first_group, uint32_t end_group, const float offset[3],
                                    uint32_t first_index, TrnMeshVertex *vertices,
                                    uint32_t *indices);

/// Turns one face of a model into four vertices. Its uv are those of the part of the voxel's face
/// that it covers.
/// @param offset    as trn_quad_vertices
/// @param vertices  [4] receives them, in the order of the face's ao and light; caller owns
TRN_API void trn_model_face_vertices(const TrnModelFace *face, const float offset[3],
                                     TrnMeshVertex *vertices);

/// Writes the triangles over those vertices, as trn_quad_indices.
/// @param indices  [6] receives them; caller owns
TRN_API void trn_model_face_indices(const TrnModelFace *face, uint32_t first, uint32_t *indices);

/// Turns faces of models into vertices and triangles, in their order.
/// @param faces,count  as trn_mesh_models or trn_mesh_build wrote them
/// @param offset       as trn_quad_vertices
/// @param first_index  as trn_mesh_vertices
/// @param vertices     [4 * count] receives them; caller owns
/// @param indices      [6 * count] receives them; caller owns
/// Errors: BAD_ARGUMENT (NULL; more faces than a chunk has; indices beyond 32 bits). Writes nothing
/// then, and never beyond the buffers' ends, whatever the faces hold.
/// Threads: any number. Cost: O(count); no allocation.
TRN_API TrnResult trn_mesh_model_vertices(const TrnModelFace *faces, size_t count,
                                          const float offset[3], uint32_t first_index,
                                          TrnMeshVertex *vertices, uint32_t *indices);

TRN_C_END
#endif
