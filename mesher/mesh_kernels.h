/// Private: the data that the mesher's kernels work on. Every instruction set has its own kernels,
/// and all of them produce the same quads in the same order.
///
/// A row is the 32 voxels along one axis as one word, the lowest voxel in bit 0. A line is 32 rows,
/// one a lane, in one or several registers. A layer is 32 lines, one for each y. Plain layers have
/// rows along x and one lane for each z. Transposed layers have rows along z and one lane for each
/// x. Padded layers extend one voxel into the neighbours on all sides.
///     faces of y: plain; the next row of a quad is in the next lane
///     faces of z: plain; the next row of a quad is in the next line
///     faces of x: transposed; the next row of a quad is in the next line
#ifndef TERRANE_MESHER_MESH_KERNELS_H
#define TERRANE_MESHER_MESH_KERNELS_H

#include <stdalign.h>
#include <stdbool.h>

#include <terrane/mesher.h>

#include "base/around.h"
#include "base/cpu.h"
#include "mesher_internal.h"
#include "voxels/voxel_read_internal.h"

/// The index of a row in a padded layer; y and lane are -1..32. Lane 0 is aligned to 64 bytes.
#define TRN_MESH_PITCH 48
#define TRN_MESH_AT(y, lane) (((y) + 1) * TRN_MESH_PITCH + 16 + (lane))
#define TRN_MESH_PADDED (34 * TRN_MESH_PITCH + 16)

/// The index of row (0, 0), and the distance from there to another row.
#define TRN_MESH_ORIGIN TRN_MESH_AT(0, 0)
#define TRN_MESH_FROM_ORIGIN(y, lane) ((y)*TRN_MESH_PITCH + (lane))

#define TRN_MESH_ROWS TRN_CHUNK_ROWS
#define TRN_MESH_EDGE TRN_CHUNK_EDGE

/// How many runs are turned into quads at a time. The slack allows stores of whole registers.
#define TRN_MESH_LIST 1024
#define TRN_MESH_LIST_SLACK 64

/// The voxels that are sorted by how they are meshed: those of each TrnMeshSurface, then models.
#define TRN_MESH_MODELS TRN_MESH_SURFACE_COUNT
#define TRN_MESH_SORTS (TRN_MESH_MODELS + 1)

typedef uint32_t TrnMeshLayer[TRN_MESH_PADDED];

/// One bit a voxel, without padding, but with one line before the first and one after the last. Row
/// (y, lane) is at TRN_MESH_LINE(y) + lane.
typedef uint32_t TrnMeshLines[TRN_MESH_ROWS + 2 * TRN_MESH_EDGE];
#define TRN_MESH_LINE(y) ((ptrdiff_t)((y) + 1) * TRN_MESH_EDGE)

/// The index of a row of light; y and z are -1..32. Bit x + 1 of a row is voxel x.
#define TRN_MESH_LIGHT_ROW(y, z) ((uint32_t)(((y) + 1) * TRN_LIGHT_EDGE + (z) + 1))

// The code of a voxel's light: 0 if it is opaque, otherwise 1 << TRN_MESH_CODE_CLEAR and the levels
// of the sky and, from bit TRN_MESH_CODE_BLOCKS on, of blocks. The sum of four codes has room.
#define TRN_MESH_CODE_CLEAR 6
#define TRN_MESH_CODE_BLOCKS 9

#define TRN_MESH_LIGHT_PAD (2 * TRN_LIGHT_EDGE + 8) ///< rows
#define TRN_MESH_NO_AXIS 3u

/// What light needs of the scratch. The rows are those of TrnLight.
typedef struct TrnMeshLight {
    uint64_t clear[TRN_LIGHT_ROWS]; ///< voxels that are not opaque
    /// The bits that any of the codes of a row's clear voxels has, and those that all have.
    uint16_t any[TRN_LIGHT_ROWS], all[TRN_LIGHT_ROWS];
    /// The same of a row and the rows around it, in the layer in front of faces of each axis.
    uint16_t any_around[3][TRN_LIGHT_ROWS], all_around[3][TRN_LIGHT_ROWS];
    // Corners of one axis, as mesh_kernels_corners.h numbers them: first to merge faces, then for
    // the light of quads.
    union {
        struct {
            /// Of the sky and of blocks, by bit; of channels that vary. Padded, for rows beyond the
            /// last that are loaded with others.
            uint64_t means[2][TRN_LIGHT_LEVELS][TRN_LIGHT_ROWS + TRN_MESH_LIGHT_PAD];
            uint64_t split[TRN_LIGHT_ROWS + TRN_MESH_LIGHT_PAD];
        };
        /// The light of each corner as a byte: [0] as the voxels in the rows before it have it, [1]
        /// as those in its own row.
        uint8_t corners[2][TRN_LIGHT_ROWS][TRN_LIGHT_EDGE];
    };
    uint64_t
        known_means[TRN_LIGHT_EDGE + 1]; ///< by line, bit by row: `means` and `split` are valid
    uint8_t has_corners[TRN_LIGHT_ROWS]; ///< 1: `corners` are valid
    // By y and z, bit x: faces that light keeps apart from the next one along each axis.
    alignas(64) uint32_t cut_along[TRN_MESH_EDGE][TRN_MESH_EDGE];
    alignas(64) uint32_t cut_across[TRN_MESH_EDGE][TRN_MESH_EDGE];
    alignas(64) TrnMeshLines along, across; ///< the links of a direction, without those
} TrnMeshLight;

/// One face of a model that no box of the same model covers.
typedef struct TrnMeshPlanFace {
    uint32_t place;     ///< TrnModelFace.place, without the voxel
    uint32_t rectangle; ///< as TrnModelFace.rectangle
    /// The voxels in the layer in front that a corner touches: bit 3 v + u, each 0..2, as the index
    /// of trn_mesh_ao.
    uint16_t touches;
    uint8_t layer;  ///< that it looks into, as the place in ModelVoxel.layers
    uint8_t middle; ///< of that layer, as MODEL_AT
} TrnMeshPlanFace;

/// The faces of a model with some connections, which many voxels share.
typedef struct TrnMeshPlan {
    uint32_t key;                   ///< block << 6 | connections, by TrnFace; UINT32_MAX: none
    uint64_t all;                   ///< bit i: faces[i] is there
    uint64_t sides[TRN_FACE_COUNT]; ///< those of each direction on the border of the voxel
    uint32_t borders;               ///< bit f, a TrnFace: sides[f] is not 0
    TrnMeshPlanFace faces[TRN_BLOCK_BOXES_MAX * TRN_FACE_COUNT];
} TrnMeshPlan;

/// What the model in the next voxel covers of a plan's faces.
typedef struct TrnMeshCover {
    uint64_t key;   ///< the keys of both plans and the direction; UINT64_MAX: none
    uint64_t faces; ///< as TrnMeshPlan.all
} TrnMeshCover;

/// How many plans are kept; a power of two.
#define TRN_MESH_PLANS 64
/// Likewise of covers.
#define TRN_MESH_COVERS 256

/// The contents of the caller's scratch.
typedef struct TrnMeshScratch {
    // Opaque voxels. In `own`, bit i is voxel i; in `left` voxel i - 1; in `right` voxel i + 1.
    alignas(64) TrnMeshLayer left, own, right;
    alignas(64) TrnMeshLayer transposed_left, transposed_own, transposed_right;
    // Links. Bit i: the voxel holds the same block as the next one along x, z or y.
    alignas(64) TrnMeshLines link_x, link_z, link_y;
    alignas(64) TrnMeshLines transposed_x, transposed_z, transposed_y;
    /// By y, bit z: rows that own a visible opaque face.
    alignas(64) uint32_t active[TRN_MESH_EDGE];

    // The runs of the direction being meshed, by row: [y * 32 + lane].
    alignas(64) uint32_t first[TRN_MESH_ROWS]; ///< the first bits of all runs
    // The last bits of runs by where they lie: in this row alone, from this row on, up to this row.
    alignas(64) uint32_t single[TRN_MESH_ROWS];
    alignas(64) uint32_t opening[TRN_MESH_ROWS];
    alignas(64) uint32_t closing[TRN_MESH_ROWS];
    // By y, bit lane: the row has at least one such run.
    alignas(64) uint32_t single_lines[TRN_MESH_EDGE];
    alignas(64) uint32_t opening_lines[TRN_MESH_EDGE];
    alignas(64) uint32_t closing_lines[TRN_MESH_EDGE];

    // The list of runs that become quads next.
    alignas(64) uint16_t rows[TRN_MESH_ROWS + 32];                  ///< rows that have any
    alignas(64) uint16_t list[TRN_MESH_LIST + TRN_MESH_LIST_SLACK]; ///< last voxel: row * 32 + bit
    alignas(64) uint16_t list_block[TRN_MESH_LIST + TRN_MESH_LIST_SLACK];
    alignas(64) uint16_t list_voxel[TRN_MESH_LIST + TRN_MESH_LIST_SLACK];  ///< linear index
    alignas(64) uint16_t list_width[TRN_MESH_LIST + TRN_MESH_LIST_SLACK];  ///< less one
    alignas(64) uint16_t list_height[TRN_MESH_LIST + TRN_MESH_LIST_SLACK]; ///< less one
    alignas(64) uint16_t list_ao[TRN_MESH_LIST + TRN_MESH_LIST_SLACK];
    /// By plane * 32 + last bit: bit i is set if a run that spans several rows starts in row i.
    alignas(64) uint32_t starts[TRN_MESH_ROWS];

    /// Cutout or transparent voxels. The padding of transparent ones marks neighbours that hold the
    /// same block; that of cutouts means nothing.
    alignas(64) TrnMeshLayer voxels, transposed_voxels, front;
    /// The voxels of each sort but the opaque, whose masks are stored in the payload; of those that
    /// the chunk has.
    alignas(64) uint32_t surface_rows[TRN_MESH_SORTS][TRN_MESH_ROWS];
    alignas(64) uint32_t liquid_rows[TRN_MESH_ROWS];
    alignas(64) TrnMeshLines lowered, transposed_lowered; ///< lowered liquids
    /// Links between voxels of which both are lowered or neither is.
    alignas(64) TrnMeshLines level_x, level_z, level_y;

    alignas(64) uint8_t levels[TRN_CHUNK_VOXELS]; ///< the ao of transparent faces, with has_levels
    /// The links of a direction, without those between faces whose bytes differ.
    alignas(64) TrnMeshLines byte_along, byte_across;

    /// Palette index by voxel; without a palette the blocks themselves.
    union {
        alignas(64) uint8_t entries[TRN_CHUNK_VOXELS + 64];
        alignas(64) TrnBlock blocks[TRN_CHUNK_VOXELS + 64];
    };

    TrnMeshLight light; ///< unused without light; models use `clear` in any case

    TrnMeshPlan plans[TRN_MESH_PLANS];     ///< unused without models
    TrnMeshCover covers[TRN_MESH_COVERS];  ///< likewise
    uint8_t connections[TRN_CHUNK_VOXELS]; ///< of models, as in TrnMeshPlan.key
} TrnMeshScratch;

_Static_assert(sizeof(TrnMeshScratch) <= TRN_MESH_SCRATCH_BYTES, "the scratch is enough");

/// The levels of sky or blocks.
typedef struct TrnMeshLevels {
    const uint64_t (*planes)[TRN_LIGHT_ROWS]; ///< TrnLight.planes, or NULL if constant
    uint32_t constant;
} TrnMeshLevels;

/// The state of one call, which meshes one chunk.
typedef struct TrnMeshWork {
    const TrnMeshInput *input;
    TrnMeshScratch *scratch;
    const struct TrnMeshKernels *kernels;
    TrnMask opaque[TRN_AROUND_COUNT]; ///< the opaque voxels of each chunk

    // The chunk itself.
    const TrnPayload *payload;  ///< NULL if uniform
    TrnBlock small_palette[16]; ///< the palette, up to 16 types; or the uniform block
    const TrnBlock *palette;    ///< by entry, if there is one
    const uint8_t *entries;     ///< by voxel: decoded rows
    const TrnBlock *blocks;     ///< the blocks of a chunk without a palette, otherwise NULL
    uint32_t decoded;           ///< bit by y: entries are decoded
    bool has[TRN_MESH_SORTS];   ///< which sorts of voxels but the opaque the chunk has
    bool has_many_transparent;  ///< more than one transparent block, or not counted
    TrnBlock transparent_block; ///< valid unless has_many_transparent; a plant's is its liquid
    bool has_levels;            ///< liquids of several levels, or of one that is not usual

    TrnMeshLevels levels[2];   ///< of the sky and of blocks
    bool has_light;            ///< one of them varies
    int light_low, light_high; ///< light is prepared for faces on these lines
    uint32_t corners_axis;     ///< of TrnMeshLight.means; TRN_MESH_NO_AXIS: none are known

    // Output.
    TrnQuad *quads;
    size_t capacity;
    size_t count; ///< may exceed the capacity, where nothing is written
    TrnMeshInfo info;
    uint32_t shown_x, shown_y, shown_z; ///< bit i: a voxel at that coordinate shows a face

    // Everything from here on is written only if has[TRN_MESH_SURFACE_TRANSPARENT].
    /// Which transparent voxels of a border touch the same block behind the face, as in
    /// trn_mask_border().
    uint32_t transparent_same[TRN_FACE_COUNT][TRN_MESH_EDGE];
    uint32_t transparent_above[TRN_MESH_EDGE]; ///< by z, bit x: in the chunk above
} TrnMeshWork;

/// What one of the six directions is meshed from.
typedef struct TrnMeshSide {
    // Padded layers, from their origin.
    const uint32_t *own;   ///< voxels that may show a face
    const uint32_t *front; ///< shifted: what hides their faces
    // What is opaque in front, for occlusion: shifted, and shifted along the row.
    const uint32_t *left, *middle, *right;
    const uint32_t *along;   ///< TrnMeshLines: links to the next voxel of a row
    const uint32_t *across;  ///< TrnMeshLines: links to the next row
    const uint32_t *lowered; ///< TrnMeshLines, or NULL
    const uint8_t *levels;   ///< the ao of each face by voxel; NULL: as `lowered` says
    int row_step;            ///< in padded layers, to the next row of the plane
    int low, high;           ///< the lines that can show a face
    uint32_t face;
    bool is_transposed, is_horizontal;
    bool has_ao;    ///< uses `left`, `middle` and `right`
    bool is_narrow; ///< set by the merge: no run is wider than one voxel
    uint32_t start_shift, lane_shift, height_shift; ///< where a quad packs each coordinate
} TrnMeshSide;

/// Returns the place of the neighbour behind a face, in TrnMeshInput.around.
static inline uint32_t trn_mesh_behind(TrnFace face)
{
    const int32_t step = face % 2 ? 1 : -1;
    return trn_around_place(face / 2 == 0 ? step : 0, face / 2 == 1 ? step : 0,
                            face / 2 == 2 ? step : 0);
}

/// Returns a block's kind; blocks without a type are opaque.
static inline TrnBlockKind trn_mesh_kind(const TrnMeshInput *input, TrnBlock block)
{
    return block < input->type_count ? input->types[block].kind : TRN_BLOCK_KIND_OPAQUE;
}

/// Returns the liquid that a plant stands in; of other blocks the block itself.
static inline TrnBlock trn_mesh_filling(const TrnMeshInput *input, TrnBlock block)
{
    const bool is_in_liquid = block < input->type_count && input->types[block].liquid;
    return is_in_liquid ? input->types[block].liquid : block;
}

/// Returns whether no opaque face of a direction is hidden at the chunk's border.
static inline bool trn_mesh_is_open(const TrnMeshInput *input, TrnFace face)
{
    return input->open_sides >> face & 1;
}

/// Returns a direction's constants; the caller fills in the layers.
static inline TrnMeshSide trn_mesh_side(TrnFace face)
{
    TrnMeshSide side = {.face = face};
    side.is_transposed = face <= TRN_FACE_POS_X;
    side.is_horizontal = face == TRN_FACE_NEG_Y || face == TRN_FACE_POS_Y;
    side.row_step = side.is_horizontal ? 1 : TRN_MESH_PITCH;
    side.start_shift = side.is_transposed ? 10 : 0;
    side.lane_shift = side.is_transposed ? 0 : 10;
    side.height_shift = side.is_horizontal ? 10 : 5;
    return side;
}

typedef struct TrnMeshKernels {
    const char *name;
    /// By TrnMeshSurface, called in this order: appends the quads of the surface, and sets the
    /// starts of its groups if it has several.
    void (*append[TRN_MESH_SURFACE_COUNT])(TrnMeshWork *work);
    /// Computes the light of quads that lie on the lines work->shown_y, where light varies.
    /// @param count  at least 1
    /// @return as TrnMeshInfo.light
    uint32_t (*put_light)(TrnMeshWork *work, const TrnQuad *quads, size_t count, uint32_t *light);
    /// Returns the same bit of all words of a line, as a row of its own.
    uint32_t (*turn)(const uint32_t *line, uint32_t bit);
} TrnMeshKernels;

/// The ambient occlusion of a face's four corners as in TrnQuad, by the opaque voxels in the 3 x 3
/// layer in front of the face: voxel (u, v), each 0..2, is bit 3 v + u.
extern const uint8_t trn_mesh_ao[512];

/// The rows of each layer across x and z that nine voxels of a layer across y hold. In the index
/// voxel (x, z), each 0..2, is bit 3 z + x. Bit 9 i + z of an entry is voxel (i, z), bit
/// 27 + 9 i + x is voxel (x, i). So the entries of three layers, shifted by 0, 3 and 6, add up to
/// indices of trn_mesh_ao, nine bits each.
extern const uint64_t trn_mesh_layers[512];

/// The ambient occlusion of two corners, both on the side of the previous row or both on that of
/// the next. Bits 0..2 of the index: the three voxels of that row. Bits 3 and 4: the voxels left
/// and right of the face.
extern const uint32_t trn_mesh_ao_pair[32];

/// Returns the sort of blocks of a kind, or TRN_MESH_SORTS for air.
static inline uint32_t trn_mesh_sort(TrnBlockKind kind)
{
    return kind == TRN_BLOCK_KIND_AIR     ? TRN_MESH_SORTS
           : kind == TRN_BLOCK_KIND_MODEL ? TRN_MESH_MODELS
                                          : (uint32_t)trn_mesh_surface(kind);
}

/// Returns the block of a voxel whose row is decoded.
static inline TrnBlock trn_mesh_block(const TrnMeshWork *work, uint32_t voxel)
{
    return work->blocks ? work->blocks[voxel] : work->palette[work->entries[voxel]];
}

/// Returns whether the chunk and the layers behind its faces are all opaque, as for most chunks
/// deep underground. @param chunks  [TRN_AROUND_COUNT]
bool trn_mesh_is_buried(const TrnMask *chunks);

/// Sorts the chunk's voxels. Decodes the palette entries that this needs, which are those of all
/// voxels that are not opaque.
void trn_mesh_find_voxels(TrnMeshWork *work);

/// Sorts the chunk's voxels, and finds which transparent faces the neighbours hide, and the bounds
/// of models.
void trn_mesh_find_surfaces(TrnMeshWork *work);

/// Puts the faces of the chunk's models, of which it has some, after trn_mesh_find_voxels(). They
/// lack the game's own bytes.
/// @return how many there are; only the first `capacity` are written
size_t trn_mesh_put_models(TrnMeshWork *work, TrnModelFace *faces, size_t capacity);

/// Appends the quads of plants.
void trn_mesh_put_plants(TrnMeshWork *work);

/// The ao of a liquid's lowered quad if its type has the usual surface, which is also what a
/// surface of 0 means.
#define TRN_MESH_USUAL_DROP 2u
#define TRN_MESH_USUAL_SURFACE (TRN_BLOCK_GRID - TRN_MESH_USUAL_DROP)

/// Finds the ao of the transparent faces of one direction, and hides those that liquids of the same
/// family cover.
/// @param side  its front is completed, its levels are set
/// @return whether any face is visible
bool trn_mesh_level_side(TrnMeshWork *work, TrnMeshSide *side);

/// Returns the type of a voxel of the 27 chunks: one of a kind alone for blocks without a type and
/// missing chunks. @param x,y,z  local, -32..63
const TrnBlockType *trn_mesh_type_at(const TrnMeshWork *work, int x, int y, int z, TrnBlock *block);

/// No links at all.
extern const TrnMeshLines trn_mesh_no_links;

/// The border of a side's left, own and right layer, while the side is open.
typedef struct TrnMeshBorders {
    uint32_t saved[3][TRN_MESH_EDGE + 2];
} TrnMeshBorders;

/// Marks the rows that show a face at an open side.
/// @param low,high  the lines with opaque voxels
/// @return bit y: some row of that line is active
uint32_t trn_mesh_open(TrnMeshWork *work, int low, int high);

/// Returns whether the six chunks around a buried chunk are opaque all through, so that it shows
/// nothing at its open sides either.
bool trn_mesh_open_is_buried(const TrnMeshWork *work);

/// Opens one direction: nothing behind the side hides its faces, or darkens them. Uses
/// TrnMeshScratch.front.
/// @param side  its front is replaced
void trn_mesh_open_side(TrnMeshScratch *scratch, TrnMeshSide *side, TrnMeshBorders *borders);
/// Restores the padded layers.
void trn_mesh_close_side(TrnMeshScratch *scratch, const TrnMeshSide *side,
                         const TrnMeshBorders *borders);

/// Sets the light of the quads on open sides, after that of all quads.
/// @param light  by quad; filled by put_light(), or not at all if work->has_light is false
/// @return as TrnMeshInfo.light
uint32_t trn_mesh_open_light(const TrnMeshWork *work, uint32_t *light);

/// Returns the light of a code, as a byte.
static inline uint32_t trn_mesh_code_light(uint32_t code)
{
    return (code & 15) | (code >> TRN_MESH_CODE_BLOCKS & 15) << 4;
}

/// The mean levels of up to four voxels, by the lower nine bits of the sum of their codes, and by
/// the bits from 6 on. Light of blocks is shifted as in a corner's byte.
extern const uint8_t trn_mesh_mean_sky[512], trn_mesh_mean_blocks[512];

/// How many rows of light lie between adjacent faces along the height.
static inline uint32_t trn_mesh_height_rows(uint32_t axis)
{
    return axis == 1 ? 1 : TRN_LIGHT_EDGE;
}

#endif
