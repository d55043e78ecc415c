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

/// The most quads that one chunk can show, opaque and liquid together: every face of every voxel, when two liquids alternate like
/// the squares of a checkerboard. TrnMesh.capacity never passes it.
#define TRN_MESH_QUADS_MAX (TRN_CHUNK_VOXELS * 6)

/// The most opaque quads among them: a checkerboard of a block and air, six faces on every second voxel.
#define TRN_MESH_OPAQUE_QUADS_MAX (TRN_CHUNK_VOXELS / 2 * 6)

/// What a chunk is meshed from. All of it is borrowed, and only read, for the time of the call:
///     input.present = trn_store_snapshot_around(store, coord, input.around);
///     input.types = trn_block_types_all(trn_store_block_types(store), &input.type_count);
typedef struct TrnMeshInput {
    /// The chunk, around[13], and those around it: x fastest, then z, then y. Of the 26, those behind the six faces are looked at.
    TrnSnapshot around[27];
    uint32_t present;      ///< bit i: around[i] is there; bit 13 must be set
    bool missing_is_solid; ///< a missing neighbour hides the border's faces; otherwise it is air
    const TrnBlockType *types; ///< [type_count] by block id; ids beyond count as opaque
    uint32_t type_count;       ///< at least 1
} TrnMeshInput;

/// The bit of TrnMeshInput.present, and place in TrnMeshInput.around, of the chunk itself.
#define TRN_MESH_CENTRE 13u

/// The same of the neighbour behind a face.
static inline uint32_t trn_mesh_behind(TrnFace face)
{
    const uint32_t step = face < TRN_FACE_NEG_Y ? 1 : face < TRN_FACE_NEG_Z ? 9 : 3;
    return face % 2 ? TRN_MESH_CENTRE + step : TRN_MESH_CENTRE - step;
}

/// The quads of one chunk, grouped by face direction: the opaque ones of face f are [opaque_first[f], opaque_first[f + 1]), the
/// liquid ones, transparent blocks among them, likewise. Read the fields, never write them.
typedef struct TrnMesh {
    TrnQuad *quads;  ///< [capacity] opaque first, then liquid, liquid_first[TRN_FACE_COUNT] in all
    size_t capacity; ///< grows by doubling, never shrinks before trn_mesh_free
    uint32_t opaque_first[TRN_FACE_COUNT + 1];
    uint32_t liquid_first[TRN_FACE_COUNT + 1]; ///< liquid_first[0] == opaque_first[TRN_FACE_COUNT]
    TrnBlock *blocks;                          ///< [TRN_CHUNK_VOXELS] scratch, or NULL
    TrnAllocator allocator;
} TrnMesh;

/// Prepares an empty mesh; no memory is taken. @param allocator  copied; NULL means malloc
TRN_API void trn_mesh_init(TrnMesh *mesh, const TrnAllocator *allocator);

/// Gives quads and scratch back; the mesh is then empty and usable again. @param mesh  may be NULL
TRN_API void trn_mesh_free(TrnMesh *mesh);

/// Meshes one chunk.
/// Exact: every face that shows is covered by one quad, no other face by any, and a quad never leaves the chunk. The face of an
/// opaque block shows where the voxel before it is not opaque; the face of a liquid shows against air and against another
/// liquid, never against an opaque block. The faces between two liquids show from both sides. A transparent block stands among the
/// liquids, and shows as they do, until there is a list for it; plants do not show yet, and hide nothing.
/// @param mesh   overwritten, its memory used again
/// @param input  of each neighbour only the layer of voxels that touches the centre is read, and only where the centre's border
///               is not air
/// Errors: BAD_ARGUMENT (no mesh, input, centre or types; the mesh is then as it was), NO_MEMORY (the mesh is then empty and
/// usable again).
/// Threads: any number, each with a mesh of its own and inside the read section that the snapshots were taken in. No global state.
/// Cost: 64 KiB decoded into the mesh's scratch and time for every quad; a uniform chunk reads its neighbours' borders at most, one of
/// air nothing. About 26 KiB of stack. Memory is taken for the scratch, and where a chunk shows more quads than any before it.
/// Source: greedy meshing after M. Lysenko, "Meshing in a Minecraft Game", 2012.
TRN_API TrnResult trn_mesh_build(TrnMesh *mesh, const TrnMeshInput *input);

#ifdef __cplusplus
}
#endif
#endif
