/// Terrane, mesh vertices: the quads of a mesh as plain vertices and triangles, for engines and
/// files that want those. A renderer of one's own does better to hand the quads themselves to the
/// graphics card: 8 bytes instead of 168.
///
///     const uint32_t vertex_count = trn_mesh_vertex_count(&mesh.info, TRN_MESH_OPAQUE,
///     TRN_MESH_PLANTS); TrnMeshVertex *vertices = take(vertex_count * sizeof *vertices); uint32_t
///     *indices = take(trn_mesh_index_count(vertex_count) * sizeof *indices);
///     trn_mesh_vertices(mesh.quads, &mesh.info, TRN_MESH_OPAQUE, TRN_MESH_PLANTS, (const
///     float[3]){0, 0, 0}, 0, vertices, indices);
#ifndef TERRANE_MESH_VERTICES_H
#define TERRANE_MESH_VERTICES_H

#include <terrane/mesher.h>

#ifdef __cplusplus
extern "C" {
#endif

/// One corner of a quad, 36 bytes.
typedef struct TrnMeshVertex {
    /// x, y, z in voxels from the chunk's lowest corner, plus the caller's offset; y is up
    float position[3];
    float normal[3]; ///< of unit length, away from the block
    /// In voxels, so that a texture that repeats covers each voxel once: u to the right and v
    /// upwards, both from 0 at the quad's lower left corner as seen from outside. Tops: north
    /// (towards -z) is up; bottoms: south.
    float uv[2];
    TrnBlock block;
    uint8_t face; ///< as trn_quad_face
    uint8_t ao;   ///< how little the surroundings darken it: 0, 85, 170 or 255, which is unoccluded
} TrnMeshVertex;

/// The most vertices, and indices, that come of one quad: a plant's leaf has both its sides, one
/// upon the other, to be drawn with back faces culled. The front comes first; who draws both sides
/// of a face anyway takes it alone. All others have half of that.
#define TRN_QUAD_VERTICES_MAX 8u
#define TRN_QUAD_INDICES_MAX 12u

/// How many vertices come of a mesh's groups.
/// @param first_group,end_group  groups [first, end) of TRN_MESH_OPAQUE and so on, up to
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

/// How many indices come of what has so many vertices.
static inline uint32_t trn_mesh_index_count(uint32_t vertex_count)
{
    return vertex_count / 4 * 6;
}

/// Turns one quad into vertices.
/// @param is_transparent  whether the quad is of one of the groups from TRN_MESH_TRANSPARENT on:
///                        what an opaque quad's ao says is then whether its surface is lowered
///                        (TRN_LIQUID_DROP)
/// @param offset    added to positions, which are exact while each is below 2^20
/// @param vertices  [TRN_QUAD_VERTICES_MAX] receives them; caller owns
/// @return how many there are: 4, or 8 of a plant
/// Threads: any number. Cost: some 10 ns.
TRN_API uint32_t trn_quad_vertices(TrnQuad quad, bool is_transparent, const float offset[3],
                                   TrnMeshVertex *vertices);

/// The triangles over what trn_quad_vertices wrote: counter-clockwise seen from outside, and cut
/// along the diagonal that trn_quad_is_flipped names.
/// @param first    index of the quad's first vertex
/// @param indices  [TRN_QUAD_INDICES_MAX] receives them; caller owns
/// @return how many there are: 6, or 12 of a plant
TRN_API uint32_t trn_quad_indices(TrnQuad quad, uint32_t first, uint32_t *indices);

/// Turns the quads of some groups into vertices and triangles, in the quads' order.
/// @param quads,info   as trn_mesh_quads or trn_mesh_build made them
/// @param first_group,end_group  groups [first, end)
/// @param offset       as trn_quad_vertices
/// @param first_index  index of the first vertex: how many lie before it in the caller's buffer
/// @param vertices     [trn_mesh_vertex_count()] receives them; caller owns
/// @param indices      [trn_mesh_index_count()] receives them; caller owns
/// Errors: BAD_ARGUMENT (NULL, no such groups, indices beyond 32 bits, groups that do not follow
/// each other or are larger than a chunk's, a plant's leaf outside of the plants or another quad
/// among them); nothing is written then. Nothing is written behind the buffers' ends, whatever
/// stands in the quads.
/// Threads: any number. Cost: some 10 ns a quad; no allocation.
TRN_API TrnResult trn_mesh_vertices(const TrnQuad *quads, const TrnMeshInfo *info,
                                    uint32_t first_group, uint32_t end_group, const float offset[3],
                                    uint32_t first_index, TrnMeshVertex *vertices,
                                    uint32_t *indices);

#ifdef __cplusplus
}
#endif
#endif
