/// Terrane, mesher: the quads that one chunk shows.
///
/// Faces between a block and what hides it are dropped, also across the borders to the neighbour
/// chunks; what is left is merged into rectangles of one block, one face direction and one light.
/// Exact: every face that shows lies in one quad, no other face in any.
///
///     TrnMesh mesh;
///     trn_mesh_init(&mesh, NULL);
///     void *scratch = aligned_alloc(64, TRN_MESH_SCRATCH_BYTES);
///     TrnMeshInput input = {.missing_is_solid = true};
///     input.present = trn_store_snapshot_around(store, coord, input.around);
///     input.types = trn_block_types_all(trn_store_block_types(store), &input.type_count);
///     if (trn_mesh_build(&mesh, &input, scratch) == TRN_RESULT_OK) {
///         upload(mesh.quads, trn_mesh_count(&mesh.info));
///     }
#ifndef TERRANE_MESHER_H
#define TERRANE_MESHER_H

#include <terrane/base.h>
#include <terrane/block_types.h>
#include <terrane/coord.h>
#include <terrane/voxels.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- a quad ------------------------------------------------------------------------------------

/// One rectangle of faces, 8 bytes. Bits from the lowest:
///    0  x        5  local coordinates of the rectangle's lowest voxel
///    5  y        5
///   10  z        5
///   15  width-1  5  voxels along the first axis of the face (see trn_quad_axes)
///   20  height-1 5  voxels along the second axis
///   25  face     3  TrnFace, or TRN_QUAD_PLANT_A / _B
///   28  ao       8  opaque quads: four corners of two bits, 3 is unoccluded; corners in the order
///   (0,0) (1,0) (0,1) (1,1) of the
///                   two axes. Others: 255, or 0 where the surface is lowered (trn_quad_is_lowered)
///   36  block   16
///   52  light   12  kept free: 0
typedef uint64_t TrnQuad;

/// The two upright leaves of a plant, crossed in one voxel (width and height 1): A from its corner
/// (x, z) = (0, 0) to (1, 1), B from (1, 0) to (0, 1). Seen from both sides.
#define TRN_QUAD_PLANT_A 6u
#define TRN_QUAD_PLANT_B 7u

/// How far below the top of its voxel the surface of a liquid lies, in voxels.
#define TRN_LIQUID_DROP 0.125f

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
/// A TrnFace, or TRN_QUAD_PLANT_A / _B.
static inline uint32_t trn_quad_face(TrnQuad quad)
{
    return (uint32_t)(quad >> 25) & 7u;
}
static inline uint32_t trn_quad_ao(TrnQuad quad)
{
    return (uint32_t)(quad >> 28) & 255u;
}
static inline TrnBlock trn_quad_block(TrnQuad quad)
{
    return (TrnBlock)(quad >> 36);
}

/// The two axes (0 x, 1 y, 2 z) that a face spans: faces of x span (z, y), faces of y span (x, z),
/// faces of z span (x, y).
static inline void trn_quad_axes(TrnFace face, int *width_axis, int *height_axis)
{
    *width_axis = face < TRN_FACE_NEG_Y ? 2 : 0;
    *height_axis = face == TRN_FACE_NEG_Y || face == TRN_FACE_POS_Y ? 2 : 1;
}

/// Of a quad of a liquid: whether its upper edge (of a face that looks up: all of it) lies
/// TRN_LIQUID_DROP below its voxel's top.
static inline bool trn_quad_is_lowered(TrnQuad quad)
{
    return trn_quad_ao(quad) == 0;
}

/// Along which diagonal an opaque quad is to be cut into triangles, so that its light bends as it
/// should: false: (0,0) to (1,1); true: (1,0) to (0,1). The brighter of the two. Source: M.
/// Lysenko, "Ambient Occlusion for Minecraft-like Worlds", 2013.
static inline bool trn_quad_is_flipped(TrnQuad quad)
{
    const uint32_t ao = trn_quad_ao(quad);
    return (ao & 3u) + (ao >> 6 & 3u) < (ao >> 2 & 3u) + (ao >> 4 & 3u);
}

// ---- what goes in ------------------------------------------------------------------------------

/// What a chunk is meshed from. All of it is borrowed, and only read, for the time of the call.
typedef struct TrnMeshInput {
    /// The chunk, around[13], and those around it: x fastest, then z, then y
    /// (trn_store_snapshot_around fills it). They are read as stored: bits of what is opaque, and
    /// blocks of rows that show a face.
    TrnSnapshot around[TRN_AROUND_COUNT];
    uint32_t present; ///< bit i: around[i] is there; bit 13 must be set
    /// A missing neighbour is opaque, and hides the border's faces; otherwise it is air.
    bool missing_is_solid;
    /// No ambient occlusion: every corner is 3, and faces merge wherever their block is the same.
    bool without_ao;
    /// [type_count] by block id; ids beyond count are opaque. Those that the heap's opaque_bits
    /// were made from: where the two say different things of a block, its faces show as the one or
    /// the other says.
    const TrnBlockType *types;
    uint32_t type_count; ///< at least 1
} TrnMeshInput;

/// The bit of TrnMeshInput.present, and place in TrnMeshInput.around, of the chunk itself.
#define TRN_MESH_CENTRE 13u

/// The same of the neighbour behind a face.
static inline uint32_t trn_mesh_behind(TrnFace face)
{
    const uint32_t step = face < TRN_FACE_NEG_Y ? 1 : face < TRN_FACE_NEG_Z ? 9 : 3;
    return face % 2 ? TRN_MESH_CENTRE + step : TRN_MESH_CENTRE - step;
}

/// What a thread needs to mesh, aligned to 64 bytes: memory of the caller's, of no meaning between
/// calls.
#define TRN_MESH_SCRATCH_BYTES ((size_t)192 * 1024)

// ---- what comes out ----------------------------------------------------------------------------

/// How the quads of a chunk are grouped, in this order: TRN_MESH_OPAQUE + face for the six
/// directions, TRN_MESH_PLANTS, TRN_MESH_TRANSPARENT + face for the six directions (liquids, ice,
/// glass: everything that is drawn after the opaque world). Transparent quads of one direction are
/// sorted along its axis such that whoever sees them sees the first ones behind the later ones.
enum {
    TRN_MESH_OPAQUE = 0,
    TRN_MESH_PLANTS = TRN_FACE_COUNT,
    TRN_MESH_TRANSPARENT = TRN_MESH_PLANTS + 1,
    TRN_MESH_GROUP_COUNT = TRN_MESH_TRANSPARENT + TRN_FACE_COUNT
};

/// The most quads that one chunk can show: every face of every voxel, when two liquids alternate
/// like the squares of a checkerboard.
#define TRN_MESH_QUADS_MAX ((size_t)TRN_CHUNK_VOXELS * 6)

/// The most opaque quads among them: a checkerboard of a block and air, six faces on every second
/// voxel.
#define TRN_MESH_OPAQUE_QUADS_MAX ((size_t)TRN_CHUNK_VOXELS / 2 * 6)

/// Where a chunk's quads lie.
typedef struct TrnMeshInfo {
    uint32_t first[TRN_MESH_GROUP_COUNT + 1]; ///< group g is quads [first[g], first[g + 1])
    /// Local voxels that show a quad lie within these, both inclusive; 0 and 0 where there are no
    /// quads.
    uint8_t min[3], max[3];
} TrnMeshInfo;

/// How many quads a chunk shows.
static inline uint32_t trn_mesh_count(const TrnMeshInfo *info)
{
    return info->first[TRN_MESH_GROUP_COUNT];
}

/// Meshes one chunk into a buffer of the caller's.
///
/// The face of an opaque block shows where the voxel before it is not opaque. The face of a liquid
/// or transparent block shows where the voxel before it is neither opaque nor the same block: the
/// faces between two of them show from both sides. A plant shows its two leaves, and hides nothing.
/// Where a liquid has air or a plant above it, its surface is lowered. Blocks without a type are
/// opaque. Ambient occlusion: of the three voxels beside a corner of a face, in the layer before
/// it, those that are opaque darken it; missing chunks are as `missing_is_solid` says.
/// @param input     see TrnMeshInput
/// @param scratch   [TRN_MESH_SCRATCH_BYTES], aligned to 64 bytes; caller owns
/// @param quads     [capacity] receives the quads; caller owns. TRN_MESH_QUADS_MAX are always
///                  enough. May be NULL if capacity is 0
/// @param info      receives where they lie
/// Errors: BAD_ARGUMENT (no input, centre, types, scratch or info, or scratch not aligned; nothing
/// is written), FULL (there are more than `capacity`: `info` then says how many there are and where
/// they would lie, and what `quads` holds is undefined, but nothing is written behind its end).
/// Threads: any number, each with a scratch of its own and inside the read section that the
/// snapshots were taken in. No global state. In builds with assertions, a payload that was given
/// back before the call ends is caught, unless its memory served another one already when the call
/// began.
/// Cost: with AVX-512 2 us for a chunk of hills, 4 with ambient occlusion; with AVX2 4 and 7;
/// without either twice that. About 0.7 ns a quad at worst, 200 us for a checkerboard. A chunk of
/// one block that shows nothing: 0.02 us, any other buried one: 0.2. About 3 KiB of stack, nothing
/// is allocated. Source: binary face culling and greedy meshing (M. Lysenko, "Meshing in a
/// Minecraft Game", 2012), with runs of faces merged in all rows of a slice at once.
TRN_API TrnResult trn_mesh_quads(const TrnMeshInput *input, void *scratch, TrnQuad *quads,
                                 size_t capacity, TrnMeshInfo *info);

/// Quads in memory that grows. Read the fields, never write them.
typedef struct TrnMesh {
    TrnQuad *quads;   ///< [capacity], trn_mesh_count(&info) of them in use
    size_t capacity;  ///< doubles up to TRN_MESH_QUADS_MAX, never shrinks before trn_mesh_free
    TrnMeshInfo info; ///< where they lie
    TrnAllocator allocator;
} TrnMesh;

/// Prepares an empty mesh; no memory is taken. @param allocator  copied; NULL means malloc
TRN_API void trn_mesh_init(TrnMesh *mesh, const TrnAllocator *allocator);

/// Gives the quads back; the mesh is then empty and usable again. @param mesh  may be NULL
TRN_API void trn_mesh_free(TrnMesh *mesh);

/// Meshes one chunk: trn_mesh_quads() into memory that grows where it must.
/// @param mesh  overwritten, its memory used again
/// Errors: BAD_ARGUMENT (as trn_mesh_quads, or no mesh; the mesh is then as it was), NO_MEMORY (the
/// mesh is then empty and usable again).
/// Threads and cost: as trn_mesh_quads(); a chunk that shows more quads than any before it is
/// meshed twice.
TRN_API TrnResult trn_mesh_build(TrnMesh *mesh, const TrnMeshInput *input, void *scratch);

#ifdef __cplusplus
}
#endif
#endif
