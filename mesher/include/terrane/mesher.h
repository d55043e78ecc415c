/// Terrane, mesher: turns the visible faces of one chunk into quads.
///
/// Drops every face that another block hides, across chunk borders too. Merges the remaining faces
/// into rectangles of one block, one direction, one ambient occlusion and even light. The result is
/// exact: each visible face is covered by one quad, and no quad covers a hidden face. Models, which
/// are no whole cubes, have faces of their own (TrnModelFace).
///
///     TrnMesh mesh;
///     trn_mesh_init(&mesh, NULL);
///     void *scratch = trn_aligned_alloc(TRN_MESH_SCRATCH_BYTES, 64);
///     TrnMeshInput input = trn_mesh_input(store, coord);
///     if (trn_mesh_build(&mesh, &input, scratch) == TRN_RESULT_OK) {
///         upload(mesh.quads, trn_mesh_count(&mesh.info));
///         upload_models(mesh.models, mesh.model_count);
///     }
///
/// Tier: stable. Core: trn_mesh_init, trn_mesh_build, trn_mesh_count, trn_mesh_free.
#ifndef TERRANE_MESHER_H
#define TERRANE_MESHER_H

#include <string.h>

#include <terrane/base.h>
#include <terrane/block_types.h>
#include <terrane/coord.h>
#include <terrane/light.h>
#include <terrane/store.h>
#include <terrane/stream.h>
#include <terrane/voxels.h>

TRN_C_BEGIN

// ---- quads -------------------------------------------------------------------------------------

/// One rectangle of faces, 8 bytes. From the lowest bit:
///     bit  field     bits
///      0   x         5     local coordinates of the rectangle's lowest voxel
///      5   y         5
///     10   z         5
///     15   width-1   5     voxels along the first axis of the face (see trn_quad_axes)
///     20   height-1  5     voxels along the second axis
///     25   face      3     a TrnFace, TRN_QUAD_PLANT_A or TRN_QUAD_PLANT_B
///     28   ao        8     ambient occlusion, see below
///     36   block    16
///     52   user     8      the game's own byte, 0 without TrnMeshInput.user_bytes
///     60   free     4      always 0
/// The ao of opaque and cutout quads holds two bits a corner: 3 is unoccluded, 0 is darkest. The
/// corners are in the order (0,0), (1,0), (0,1), (1,1) of the face's two axes. The ao of plants is
/// 255. That of transparent quads is 255, or of a liquid's part of a face (trn_quad_drop in bits
/// 0..3, trn_quad_start in bits 4..7).
typedef uint64_t TrnQuad;

/// The face of a plant's first leaf, from corner (x, z) = (0, 0) to (1, 1). Both leaves are
/// upright, crossed in one voxel, of width and height 1, and visible from both sides.
#define TRN_QUAD_PLANT_A 6u
/// The face of a plant's second leaf, from corner (x, z) = (1, 0) to (0, 1).
#define TRN_QUAD_PLANT_B 7u

/// How far the surface of a liquid lies below the top of its voxel, in voxels, if its type has the
/// usual TrnBlockType.surface of 14.
#define TRN_LIQUID_DROP 0.125f

/// Returns local x of the lowest voxel.
static inline uint32_t trn_quad_x(TrnQuad quad)
{
    return (uint32_t)quad & 31u;
}
/// Returns local y of the lowest voxel.
static inline uint32_t trn_quad_y(TrnQuad quad)
{
    return (uint32_t)(quad >> 5) & 31u;
}
/// Returns local z of the lowest voxel.
static inline uint32_t trn_quad_z(TrnQuad quad)
{
    return (uint32_t)(quad >> 10) & 31u;
}
/// Returns the voxels along the face's first axis (trn_quad_axes), 1..32.
static inline uint32_t trn_quad_width(TrnQuad quad)
{
    return ((uint32_t)(quad >> 15) & 31u) + 1;
}
/// Returns the voxels along the face's second axis, 1..32.
static inline uint32_t trn_quad_height(TrnQuad quad)
{
    return ((uint32_t)(quad >> 20) & 31u) + 1;
}
/// Returns a TrnFace, TRN_QUAD_PLANT_A or TRN_QUAD_PLANT_B.
static inline uint32_t trn_quad_face(TrnQuad quad)
{
    return (uint32_t)(quad >> 25) & 7u;
}
/// Returns the ambient occlusion, 0..255: see TrnQuad.
static inline uint32_t trn_quad_ao(TrnQuad quad)
{
    return (uint32_t)(quad >> 28) & 255u;
}
/// Returns the block.
static inline TrnBlock trn_quad_block(TrnQuad quad)
{
    return (TrnBlock)(quad >> 36);
}

/// Finds the two axes (0 x, 1 y, 2 z) that a face spans: (z, y) for faces of x, (x, z) for faces of
/// y, (x, y) for faces of z.
static inline void trn_quad_axes(TrnFace face, int *width_axis, int *height_axis)
{
    *width_axis = face < TRN_FACE_NEG_Y ? 2 : 0;
    *height_axis = face == TRN_FACE_NEG_Y || face == TRN_FACE_POS_Y ? 2 : 1;
}

/// Returns the game's own byte: see TrnMeshInput.user_bytes.
static inline uint32_t trn_quad_user_byte(TrnQuad quad)
{
    return (uint32_t)(quad >> 52) & 255u;
}

/// Returns how far a liquid's quad is lowered, in 1/16 voxel: all of a top face, only the upper
/// edge of a side.
/// @param quad  a quad of TRN_MESH_SURFACE_TRANSPARENT
/// @return 0..15; 0 if it is not lowered
static inline uint32_t trn_quad_drop(TrnQuad quad)
{
    return trn_quad_ao(quad) == 255 ? 0 : trn_quad_ao(quad) & 15u;
}
/// Returns how far above the bottom of its voxels a liquid's side begins, in 1/16 voxel: a lower
/// liquid of the same family covers what is below. Such a quad is one voxel high.
/// @param quad  a quad of TRN_MESH_SURFACE_TRANSPARENT
/// @return 0..15, less than 16 - trn_quad_drop()
static inline uint32_t trn_quad_start(TrnQuad quad)
{
    return trn_quad_ao(quad) == 255 ? 0 : trn_quad_ao(quad) >> 4;
}

/// Returns along which diagonal to split an opaque or cutout quad into triangles, so that its
/// ambient occlusion interpolates evenly: (0,0) to (1,1) if false, (1,0) to (0,1) if true. It is
/// the brighter diagonal. Source: M. Lysenko, "Ambient Occlusion for Minecraft-like Worlds", 2013.
static inline bool trn_quad_is_flipped(TrnQuad quad)
{
    const uint32_t ao = trn_quad_ao(quad);
    return (ao & 3u) + (ao >> 6 & 3u) < (ao >> 2 & 3u) + (ao >> 4 & 3u);
}

// ---- faces of models ---------------------------------------------------------------------------

/// One face of one box of a model (TrnBlockModel), 16 bytes: a rectangle inside one voxel, on a
/// grid of 1/16 voxel (TRN_BLOCK_GRID). Its two axes and its corners are those of a TrnQuad.
typedef struct TrnModelFace {
    /// x, y, z of the voxel in bits 0..14, five each; the TrnFace in bits 15..17; the index of the
    /// box in bits 18..20; 0 above
    uint32_t place;
    /// the lower and upper end along the width axis in bits 0..9, along the height axis in bits
    /// 10..19, and the place along the third axis in bits 20..24, each 0..16; 0 above
    uint32_t rectangle;
    uint32_t look;  ///< block in bits 0..15, ao in 16..23 as an opaque quad's, user byte in 24..31
    uint32_t light; ///< of the four corners, as a quad's
} TrnModelFace;

/// Returns local x of the voxel.
static inline uint32_t trn_model_face_x(const TrnModelFace *face)
{
    return face->place & 31u;
}
/// Returns local y of the voxel.
static inline uint32_t trn_model_face_y(const TrnModelFace *face)
{
    return face->place >> 5 & 31u;
}
/// Returns local z of the voxel.
static inline uint32_t trn_model_face_z(const TrnModelFace *face)
{
    return face->place >> 10 & 31u;
}
/// Returns the direction, a TrnFace.
static inline uint32_t trn_model_face_face(const TrnModelFace *face)
{
    return face->place >> 15 & 7u;
}
/// Returns the index of the box in the model, 0..TRN_BLOCK_BOXES_MAX - 1.
static inline uint32_t trn_model_face_box(const TrnModelFace *face)
{
    return face->place >> 18 & 7u;
}
/// Returns an end of the rectangle, 0..16. @param axis  0 width, 1 height. @param end  0 low, 1
/// high
static inline uint32_t trn_model_face_end(const TrnModelFace *face, uint32_t axis, uint32_t end)
{
    return face->rectangle >> (10 * axis + 5 * end) & 31u;
}
/// Returns the place of the rectangle along the direction's axis, 0..16.
static inline uint32_t trn_model_face_depth(const TrnModelFace *face)
{
    return face->rectangle >> 20 & 31u;
}
/// Returns the block.
static inline TrnBlock trn_model_face_block(const TrnModelFace *face)
{
    return (TrnBlock)face->look;
}
/// Returns the ambient occlusion, 0..255, two bits a corner.
static inline uint32_t trn_model_face_ao(const TrnModelFace *face)
{
    return face->look >> 16 & 255u;
}
/// Returns the game's own byte: see TrnMeshInput.user_bytes.
static inline uint32_t trn_model_face_user_byte(const TrnModelFace *face)
{
    return face->look >> 24;
}

// ---- light -------------------------------------------------------------------------------------

/// The light of a quad is one word: byte c is corner c, in the order of TrnQuad's ao, and holds the
/// sky light in bits 0..3 and the light of blocks in bits 4..7.
///
/// A corner's level is the mean of up to four voxels in the layer in front of the face, rounded to
/// the nearest, halves up: the voxel in front of the face, the two next to it that touch the
/// corner, and the one across the corner. Opaque voxels do not count, and the one across the corner
/// does not if both next to it are opaque. Ambient occlusion stays separate. This holds for opaque,
/// cutout and transparent quads. The leaves of a plant have the levels of the plant's voxel. For
/// the face of a model, see trn_mesh_models().

/// The light of a quad whose four corners are equal. @param sky,blocks  levels, 0..15
#define TRN_MESH_LIGHT(sky, blocks)                                                                \
    ((TRN_CAST(uint32_t, sky) | TRN_CAST(uint32_t, blocks) << 4) * 0x01010101u)

/// TrnMeshInfo.light of meshes whose light varies; not a TRN_MESH_LIGHT.
#define TRN_MESH_LIGHT_VARIES UINT32_C(1)

/// Returns a corner's sky light. @param light  a quad's. @param corner  0..3
static inline uint32_t trn_mesh_light_sky(uint32_t light, uint32_t corner)
{
    return light >> 8 * corner & 15u;
}
/// Returns the light of blocks at a corner. @param light  a quad's. @param corner  0..3
static inline uint32_t trn_mesh_light_blocks(uint32_t light, uint32_t corner)
{
    return light >> (8 * corner + 4) & 15u;
}

// ---- input -------------------------------------------------------------------------------------

/// What a chunk is meshed from. The mesher borrows and only reads all of it, during the call.
typedef struct TrnMeshInput {
    /// The chunk, around[TRN_AROUND_CENTRE], and the 26 around it, in the order of
    /// trn_coord_around. trn_store_snapshot_around fills it. Chunks are read as stored: the opaque
    /// masks of all, and the blocks of rows that show a face.
    TrnSnapshot around[TRN_AROUND_COUNT];
    uint32_t present; ///< bit i: around[i] is valid; bit TRN_AROUND_CENTRE must be set
    /// true: a missing chunk counts as opaque and hides the border's faces. false: it is air.
    bool missing_is_solid;
    /// true: no ambient occlusion; all ao is 255, and faces merge wherever their block is the same.
    bool without_ao;
    /// true: each quad is one face, for textures that cannot repeat, such as those of an atlas
    bool without_merging;
    /// Bit f, a TrnFace: an open side, towards a neighbour that may be drawn at another level of
    /// detail, whose surface lies elsewhere, and may have a cave where this one has rock. No opaque
    /// face on that side is hidden, unless this chunk and the six around it are opaque all through.
    /// The ao of these faces is 255, and their light TRN_MESH_LIGHT(15, 0). All other faces see the
    /// neighbour as it is.
    uint32_t open_sides;
    /// [type_count] by block id; ids from type_count on are opaque. Must be the types that the
    /// voxel heap's opaque_bits came from. A block about which the two disagree is drawn as either.
    const TrnBlockType *types;
    uint32_t type_count; ///< at least 1
    /// The sky light of the chunk and its border; NULL: 15 everywhere. Faces merge only if the
    /// light of the rectangle, interpolated between its corners, is that of each face.
    const TrnLight *sky;
    const TrnLight *blocks; ///< the light of blocks; NULL: 0 everywhere
    /// A game's own byte for each face, such as a tint, damage or wetness, which its quad carries
    /// (trn_quad_user_byte). By TrnFace: [TRN_CHUNK_VOXELS] by linear index; NULL: 0. Several faces
    /// may share an array. Plants have the byte of their top face. Faces merge only where their
    /// bytes are equal.
    const uint8_t *user_bytes[TRN_FACE_COUNT];
} TrnMeshInput;

/// Returns what to mesh a loaded chunk of a store from: the chunk, those around it and the store's
/// block types, without light. Missing chunks count as opaque (missing_is_solid), so that the
/// border of what is loaded shows no walls. Threads and lifetime: as trn_store_snapshot_around.
/// Cost: O(1), 27 look-ups.
static inline TrnMeshInput trn_mesh_input(const TrnStore *store, TrnCoord coord)
{
    TrnMeshInput input;
    memset(&input, 0, sizeof input);
    input.missing_is_solid = true;
    input.present = trn_store_snapshot_around(store, coord, input.around);
    input.types = trn_block_types_all(trn_store_block_types(store), &input.type_count);
    return input;
}

/// Returns the same of what a stream passes to its mesh hook, with its light.
/// @param streamed  valid until the hook returns, and so is the result
/// @param types     those of the store: trn_store_block_types
/// Threads: any. Cost: O(1).
static inline TrnMeshInput trn_mesh_input_of(const TrnStreamMeshInput *streamed,
                                             const TrnBlockTypes *types)
{
    TrnMeshInput input;
    memset(&input, 0, sizeof input);
    memcpy(input.around, streamed->around, sizeof input.around);
    input.present = streamed->present;
    input.missing_is_solid = true;
    input.sky = streamed->sky;
    input.blocks = streamed->blocks;
    input.types = trn_block_types_all(types, &input.type_count);
    return input;
}

/// The size of the scratch memory that one thread needs to mesh. The caller owns it, aligned to 64
/// bytes (trn_aligned_alloc). Its contents mean nothing between calls.
#define TRN_MESH_SCRATCH_BYTES (TRN_CAST(size_t, 480) * 1024)

// ---- surfaces and groups -----------------------------------------------------------------------

/// How quads are drawn. A mesh keeps the quads of a surface together, in this order.
typedef enum TrnMeshSurface {
    TRN_MESH_SURFACE_OPAQUE,      ///< cubes that hide what is behind them
    TRN_MESH_SURFACE_CUTOUT,      ///< cubes with holes, such as leaves: alpha-tested
    TRN_MESH_SURFACE_PLANT,       ///< crossed leaves
    TRN_MESH_SURFACE_TRANSPARENT, ///< liquids, glass, ice: drawn after everything else
    TRN_MESH_SURFACE_COUNT        ///< how many surfaces there are
} TrnMeshSurface;

/// The first group of each surface. Opaque, cutout and transparent quads have one group a
/// direction, in the order of TrnFace: TRN_MESH_OPAQUE + face. Plants have one group. The quads of
/// a transparent group are sorted along its axis, back to front for every camera that sees them.
enum {
    TRN_MESH_OPAQUE = 0,                                         ///< opaque quads, by TrnFace
    TRN_MESH_CUTOUT = TRN_MESH_OPAQUE + TRN_FACE_COUNT,          ///< cutout quads, by TrnFace
    TRN_MESH_PLANTS = TRN_MESH_CUTOUT + TRN_FACE_COUNT,          ///< leaves of plants
    TRN_MESH_TRANSPARENT = TRN_MESH_PLANTS + 1,                  ///< transparent quads, by TrnFace
    TRN_MESH_GROUP_COUNT = TRN_MESH_TRANSPARENT + TRN_FACE_COUNT ///< the number of groups
};

/// Returns the first group of a surface; its last is before the first of the next surface.
/// @param surface  a TrnMeshSurface, or TRN_MESH_SURFACE_COUNT for the end of the last
static inline uint32_t trn_mesh_first_group(uint32_t surface)
{
    return surface == TRN_MESH_SURFACE_OPAQUE        ? TRN_MESH_OPAQUE
           : surface == TRN_MESH_SURFACE_CUTOUT      ? TRN_MESH_CUTOUT
           : surface == TRN_MESH_SURFACE_PLANT       ? TRN_MESH_PLANTS
           : surface == TRN_MESH_SURFACE_TRANSPARENT ? TRN_MESH_TRANSPARENT
                                                     : TRN_MESH_GROUP_COUNT;
}

/// Returns the surface of blocks of a kind, or TRN_MESH_SURFACE_COUNT for air, which shows nothing,
/// and for models, which have no quads.
static inline TrnMeshSurface trn_mesh_surface(TrnBlockKind kind)
{
    return kind == TRN_BLOCK_KIND_OPAQUE ? TRN_MESH_SURFACE_OPAQUE
           : kind == TRN_BLOCK_KIND_LIQUID || kind == TRN_BLOCK_KIND_TRANSPARENT
               ? TRN_MESH_SURFACE_TRANSPARENT
           : kind == TRN_BLOCK_KIND_PLANT  ? TRN_MESH_SURFACE_PLANT
           : kind == TRN_BLOCK_KIND_CUTOUT ? TRN_MESH_SURFACE_CUTOUT
                                           : TRN_MESH_SURFACE_COUNT;
}

// ---- output ------------------------------------------------------------------------------------

/// The most quads that one chunk can show: every face of every voxel, if two liquids alternate like
/// the squares of a checkerboard, or all voxels are cutouts.
#define TRN_MESH_QUADS_MAX (TRN_CAST(size_t, TRN_CHUNK_VOXELS) * 6)

/// The most opaque quads among them: a checkerboard of a block and air, six faces on every second
/// voxel.
#define TRN_MESH_OPAQUE_QUADS_MAX (TRN_CAST(size_t, TRN_CHUNK_VOXELS) / 2 * 6)

/// The most faces of models that one chunk can show: six for each of eight boxes in every voxel.
#define TRN_MESH_MODEL_FACES_MAX (TRN_CAST(size_t, TRN_CHUNK_VOXELS) * TRN_BLOCK_BOXES_MAX * 6)

/// Where a chunk's quads lie.
typedef struct TrnMeshInfo {
    uint32_t first[TRN_MESH_GROUP_COUNT + 1]; ///< group g is quads [first[g], first[g + 1])
    uint8_t min[3]; ///< the lowest local coordinates of voxels that own a quad or hold a model
    uint8_t max[3]; ///< the highest such coordinates, inclusive; 0, as min, without such voxels
    /// The light that all corners of all quads share, or TRN_MESH_LIGHT_VARIES; 0 without quads.
    uint32_t light;
    uint32_t models; ///< how many voxels hold a model: trn_mesh_models() meshes them
} TrnMeshInfo;

/// Returns how many quads a chunk has.
static inline uint32_t trn_mesh_count(const TrnMeshInfo *info)
{
    return info->first[TRN_MESH_GROUP_COUNT];
}

/// Meshes one chunk into the caller's buffer.
///
/// Opaque and cutout blocks show a face where the voxel in front of it is not opaque: between two
/// cutouts there are two faces. Liquids and transparent blocks show a face where the voxel in front
/// is neither opaque nor the same block, so two different ones that touch show a face from either
/// side. Plants show two leaves and hide nothing. Blocks without a type are opaque.
/// The surface of a liquid is as high as its type says (TrnBlockType.surface; 0 is 14), or its
/// voxel's top if the voxel above is opaque, transparent or a liquid. Liquids of one family hide
/// each other's faces: all, if they are as high as the face, otherwise what they cover of a side
/// (trn_quad_start).
/// Ambient occlusion: each corner of a face is adjacent to three voxels in the layer in front of
/// an opaque or cutout face; those that are opaque darken it. Missing chunks count as
/// `missing_is_solid` says, and what lies behind an open side as `open_sides` says.
/// @param input     see TrnMeshInput
/// @param scratch   [TRN_MESH_SCRATCH_BYTES], aligned to 64 bytes; caller owns
/// @param quads     [capacity] receives the quads; caller owns. TRN_MESH_QUADS_MAX always suffice.
///                  May be NULL if capacity is 0
/// @param light     [capacity] receives the light of each quad, if info->light is
///                  TRN_MESH_LIGHT_VARIES; otherwise its contents are undefined. Caller owns. May
///                  be NULL if capacity is 0, or if the input has neither sky nor blocks
/// @param info      receives where the quads lie
/// Errors: BAD_ARGUMENT (no input, centre, types, scratch or info; unaligned scratch; no `light`
/// for an input with light; a TrnLight.constant that is no level. Writes nothing). FULL (the chunk
/// has more quads than `capacity`; `info` then holds the full counts, `quads` and `light` are
/// undefined, and nothing is written beyond their ends).
/// Threads: any number, each with its own scratch, inside the read section that the snapshots were
/// taken in. No global state. Builds with assertions detect a payload that is freed before or
/// during the call, unless another payload had already taken its memory when the call began.
/// Cost: O(rows + quads). AVX2 takes twice as long as AVX-512, other instruction sets four times;
/// ambient occlusion doubles it. A checkerboard, the most quads, takes some 100 times as long as a
/// chunk of hills. A uniform chunk that shows nothing is O(1), any other buried one a tenth of a
/// chunk of hills. Even light adds up to as much again; a chunk where light varies everywhere takes
/// 3 to 7 times as long. Open sides add up to four times a chunk of hills. Times: docs/meshing.md.
/// Uses about 5 KiB of stack and allocates nothing. Source: binary face culling and greedy meshing
/// (M. Lysenko, "Meshing in a Minecraft Game", 2012), extended to merge the runs of all rows of a
/// slice at once.
TRN_API TrnResult trn_mesh_quads(const TrnMeshInput *input, void *scratch, TrnQuad *quads,
                                 uint32_t *light, size_t capacity, TrnMeshInfo *info);

/// Meshes the models of one chunk into the caller's buffer: the faces of their boxes, ordered by
/// the linear index of the voxel, then by box, then by direction.
///
/// A box shows a face unless it is covered as a whole: by an opaque voxel if the face lies on the
/// border of its voxel, or by one other box, of the same model or of the next voxel's. Models
/// connect across chunk borders (TrnBlockBox.connected). Missing chunks count as
/// `missing_is_solid` says; `open_sides` and `without_merging` mean nothing.
/// Ambient occlusion and light of a corner come from the layer of voxels that the face looks into:
/// its own voxel's, or the next one if the face lies on the border of its voxel. They are those of
/// a quad's corner, of the voxels that touch the corner: one inside the voxel touches that voxel
/// alone. So a box as large as its voxel looks like an opaque block.
/// @param scratch  [TRN_MESH_SCRATCH_BYTES], aligned to 64 bytes; caller owns
/// @param faces    [capacity] receives the faces; caller owns. TRN_MESH_MODEL_FACES_MAX always
///                 suffice. May be NULL if capacity is 0
/// @param count    receives how many faces the chunk has
/// Errors: BAD_ARGUMENT (as trn_mesh_quads, or no count; writes nothing). FULL (more faces than
/// `capacity`; `faces` are undefined then, and nothing is written beyond their end).
/// Threads: as trn_mesh_quads(). Cost: O(rows + models); light that varies costs two to four times
/// as much a model. O(types) if the chunk has no models.
TRN_API TrnResult trn_mesh_models(const TrnMeshInput *input, void *scratch, TrnModelFace *faces,
                                  size_t capacity, uint32_t *count);

// ---- growing meshes ----------------------------------------------------------------------------

/// Quads and faces of models in memory that grows. Callers read the fields and never write them.
typedef struct TrnMesh {
    TrnQuad *quads;         ///< [capacity], the first trn_mesh_count(&info) are in use
    uint32_t *light;        ///< [capacity] by quad, if info.light is TRN_MESH_LIGHT_VARIES
    size_t capacity;        ///< doubles up to TRN_MESH_QUADS_MAX, shrinks only in trn_mesh_free
    TrnMeshInfo info;       ///< where the quads lie
    TrnModelFace *models;   ///< [model_capacity], the first model_count are in use
    size_t model_capacity;  ///< doubles, shrinks only in trn_mesh_free; 0 before the first model
    uint32_t model_count;   ///< faces of models
    TrnAllocator allocator; ///< the memory comes from it
} TrnMesh;

/// Prepares an empty mesh. Allocates nothing.
/// @param allocator  copied; NULL means malloc
TRN_API void trn_mesh_init(TrnMesh *mesh, const TrnAllocator *allocator);

/// Frees the quads and faces. The mesh is then empty and can be used again.
/// @param mesh  may be NULL
TRN_API void trn_mesh_free(TrnMesh *mesh);

/// Returns the bytes that the mesh has of its allocator, the mesh itself not counted. A mesh hook
/// reports them to its stream (TrnStreamMesh.bytes).
TRN_API size_t trn_mesh_bytes(const TrnMesh *mesh);

/// Meshes one chunk like trn_mesh_quads() and trn_mesh_models(), into memory that grows as needed.
/// @param mesh  overwritten; its memory is reused
/// Errors: BAD_ARGUMENT (as trn_mesh_quads, or no mesh; the mesh is unchanged), NO_MEMORY (the mesh
/// is then empty and can be used again).
/// Threads and cost: as trn_mesh_quads(). A chunk with more quads than the capacity is meshed
/// twice.
TRN_API TrnResult trn_mesh_build(TrnMesh *mesh, const TrnMeshInput *input, void *scratch);

TRN_C_END
#endif
