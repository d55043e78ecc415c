/// Terrane, mesher: the quads that one chunk shows.
///
/// Faces between a block and what hides it are dropped, also across the borders to the six neighbour chunks; what is left is
/// merged greedily into rectangles of one block and one face direction.
#ifndef TERRANE_MESHER_H
#define TERRANE_MESHER_H

#include <terrane/base.h>
#include <terrane/block_types.h>
#include <terrane/coord.h>
#include <terrane/voxels.h>

#ifdef __cplusplus
extern "C" {
#endif

/// One rectangle of faces, 8 bytes. Bits from the lowest:
///    0  x        5  local coordinates of the rectangle's lowest voxel
///    5  y        5
///   10  z        5
///   15  width-1  5  voxels along the first axis of the face (see trn_quad_axes)
///   20  height-1 5  voxels along the second axis
///   25  face     3  TrnFace
///   28  ao       8  four corners of two bits, 3 is unoccluded; corners in the order (0,0) (1,0) (0,1) (1,1) of the two axes
///   36  block   16
///   52  light   12  kept free
typedef uint64_t TrnQuad;

static inline uint32_t trn_quad_x(TrnQuad quad)
{
    return (uint32_t)quad & 31u;
}
static inline uint32_t trn_quad_y(TrnQuad quad)
{
    return (uint32_t)(quad >> 5) & 31u;
}
static inline uint32_t trn_quad_z(TrnQuad quad)
{
    return (uint32_t)(quad >> 10) & 31u;
}
static inline uint32_t trn_quad_width(TrnQuad quad)
{
    return ((uint32_t)(quad >> 15) & 31u) + 1;
}
static inline uint32_t trn_quad_height(TrnQuad quad)
{
    return ((uint32_t)(quad >> 20) & 31u) + 1;
}
static inline TrnFace trn_quad_face(TrnQuad quad)
{
    return (TrnFace)((uint32_t)(quad >> 25) & 7u);
}
static inline uint32_t trn_quad_ao(TrnQuad quad)
{
    return (uint32_t)(quad >> 28) & 255u;
}
static inline TrnBlock trn_quad_block(TrnQuad quad)
{
    return (TrnBlock)(quad >> 36);
}

/// The two axes (0 x, 1 y, 2 z) that a face spans: faces of x span (z, y), faces of y span (x, z), faces of z span (x, y).
static inline void trn_quad_axes(TrnFace face, int *width_axis, int *height_axis)
{
    *width_axis = face < TRN_FACE_NEG_Y ? 2 : 0;
    *height_axis = face == TRN_FACE_NEG_Y || face == TRN_FACE_POS_Y ? 2 : 1;
}

/// The most quads of one kind (opaque, liquid) that one chunk can show: a checkerboard, six faces on every second voxel.
#define TRN_MESH_QUADS_MAX (TRN_CHUNK_VOXELS / 2 * 6)

/// What a chunk is meshed from.
typedef struct TrnMeshInput {
    const TrnVoxels *centre;
    const TrnVoxels *neighbours[TRN_FACE_COUNT]; ///< NULL where there is none
    bool
        missing_is_solid; ///< a missing neighbour hides the border's faces; otherwise it counts as air
    const TrnBlockType *types; ///< [type_count] by block id; ids beyond count as opaque
    uint32_t type_count;
} TrnMeshInput;

/// The quads of one chunk. Quads are grouped by face direction: those of face f are [first[f], first[f + 1]).
typedef struct TrnMesh {
    TrnQuad *quads; ///< opaque first, then liquid
    size_t capacity;
    uint32_t opaque_first[TRN_FACE_COUNT + 1];
    uint32_t liquid_first[TRN_FACE_COUNT + 1]; ///< liquid_first[0] == opaque_first[TRN_FACE_COUNT]
    TrnAllocator allocator;
} TrnMesh;

/// Prepares an empty mesh; no memory is taken. @param allocator  copied; NULL means malloc
TRN_API void trn_mesh_init(TrnMesh *mesh, const TrnAllocator *allocator);

/// Gives the quads back; the mesh is then empty and usable again.
TRN_API void trn_mesh_free(TrnMesh *mesh);

/// Meshes one chunk. `mesh` is overwritten, its memory used again.
/// Exact: every face between a block and a voxel that does not hide it is covered by one quad, no other face by any.
/// Errors: BAD_ARGUMENT (no centre, no types), NO_MEMORY (the mesh is then empty).
/// Threads: any number, each with a mesh of its own, while nobody writes the voxels. No global state.
/// Source: greedy meshing after M. Lysenko, "Meshing in a Minecraft Game", 2012.
TRN_API TrnResult trn_mesh_build(TrnMesh *mesh, const TrnMeshInput *input);

#ifdef __cplusplus
}
#endif
#endif
