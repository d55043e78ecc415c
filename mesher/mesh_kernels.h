/// Private: how a chunk becomes quads, for every instruction set. All sets of kernels give the same
/// quads in the same order.
///
/// Layers of bits. A row is the 32 voxels along one axis, the lowest in bit 0, and 32 rows side by
/// side fill a register's lanes, or several registers. "Straight" layers have rows along x, one
/// lane for each z; "turned" ones have rows along z, one lane for each x; both have one line of
/// lanes for each y. Layers of opaque voxels reach one voxel into the neighbours on all sides.
///     faces of y: straight; rows of one quad follow each other from lane to lane
///     faces of z: straight; rows of one quad follow each other from y to y
///     faces of x: turned; likewise
#ifndef TERRANE_MESHER_MESH_KERNELS_H
#define TERRANE_MESHER_MESH_KERNELS_H

#include <stdalign.h>
#include <stdbool.h>

#include <terrane/mesher.h>

#include "base/cpu.h"

/// Where a padded layer has the row of y and lane, both -1..32. Lane 0 lies at a multiple of 64
/// bytes.
#define TRN_MESH_PITCH 48
#define TRN_MESH_AT(y, lane) (((y) + 1) * TRN_MESH_PITCH + 16 + (lane))
#define TRN_MESH_PADDED (34 * TRN_MESH_PITCH + 16)

/// The same from where y and lane are 0.
#define TRN_MESH_ORIGIN TRN_MESH_AT(0, 0)
#define TRN_MESH_FROM_ORIGIN(y, lane) ((y)*TRN_MESH_PITCH + (lane))

#define TRN_MESH_ROWS TRN_CHUNK_ROWS
#define TRN_MESH_EDGE TRN_CHUNK_EDGE

/// Runs that become quads at a time; the slack is for stores of whole registers.
#define TRN_MESH_LIST 1024
#define TRN_MESH_LIST_SLACK 64

typedef uint32_t TrnMeshLayer[TRN_MESH_PADDED];

/// A bit for each voxel, unpadded: TRN_MESH_LINE(y) + lane, with a line of lanes before the first
/// and one behind the last.
typedef uint32_t TrnMeshLines[TRN_MESH_ROWS + 2 * TRN_MESH_EDGE];
#define TRN_MESH_LINE(y) ((ptrdiff_t)((y) + 1) * TRN_MESH_EDGE)

/// The caller's scratch.
typedef struct TrnMeshScratch {
    // Opaque voxels: of a row itself, and the same row moved so that bit i tells of i - 1 or i + 1.
    alignas(64) TrnMeshLayer left, own, right;
    alignas(64) TrnMeshLayer transposed_left, transposed_own, transposed_right;
    // Bit i: the voxel holds the same block as the next one along x, in the next row along z, or
    // along y.
    alignas(64) TrnMeshLines link_x, link_z, link_y;
    alignas(64) TrnMeshLines transposed_x, transposed_z, transposed_y;
    /// By y, bit z: rows that own an opaque face that shows.
    alignas(64) uint32_t active[TRN_MESH_EDGE];

    // One direction: the runs of each row, [y * 32 + lane], told by their last bits.
    alignas(64) uint32_t first[TRN_MESH_ROWS];   ///< their first bits
    alignas(64) uint32_t single[TRN_MESH_ROWS];  ///< this row alone has them
    alignas(64) uint32_t opening[TRN_MESH_ROWS]; ///< the next row has them, and none before
    alignas(64) uint32_t closing[TRN_MESH_ROWS]; ///< the row before has them, and none after
    // By y, bit lane: whether a row has any of those.
    alignas(64) uint32_t single_lines[TRN_MESH_EDGE];
    alignas(64) uint32_t opening_lines[TRN_MESH_EDGE];
    alignas(64) uint32_t closing_lines[TRN_MESH_EDGE];

    // Runs on their way into quads.
    alignas(64) uint16_t rows[TRN_MESH_ROWS + 32];                  ///< where there are any
    alignas(64) uint16_t list[TRN_MESH_LIST + TRN_MESH_LIST_SLACK]; ///< last voxels: row * 32 + bit
    alignas(64) uint16_t list_block[TRN_MESH_LIST + TRN_MESH_LIST_SLACK];
    alignas(64) uint16_t list_voxel[TRN_MESH_LIST + TRN_MESH_LIST_SLACK];  ///< linear indices
    alignas(64) uint16_t list_width[TRN_MESH_LIST + TRN_MESH_LIST_SLACK];  ///< less one
    alignas(64) uint16_t list_height[TRN_MESH_LIST + TRN_MESH_LIST_SLACK]; ///< less one
    alignas(64) uint16_t list_ao[TRN_MESH_LIST + TRN_MESH_LIST_SLACK];
    /// By plane * 32 + last bit: the rows in which a tall run begins, as bits.
    alignas(64) uint32_t starts[TRN_MESH_ROWS];

    // What is drawn after the opaque world. In the border, bits tell of neighbours of the same
    // block.
    alignas(64) TrnMeshLayer transparent, transposed_transparent, front;
    alignas(64) uint32_t transparent_rows[TRN_MESH_ROWS];
    alignas(64) uint32_t liquid_rows[TRN_MESH_ROWS];
    alignas(64) uint32_t plant_rows[TRN_MESH_ROWS];
    alignas(64) TrnMeshLines lowered, transposed_lowered; ///< liquids with air above
    alignas(64) TrnMeshLines level_x, level_z, level_y;   ///< links where that is the same too

    alignas(64) uint8_t entries[TRN_CHUNK_VOXELS + 64]; ///< the place in the palette, by voxel
    alignas(64) uint8_t border[TRN_MESH_ROWS];          ///< the same of a neighbour's border
} TrnMeshScratch;

_Static_assert(sizeof(TrnMeshScratch) <= TRN_MESH_SCRATCH_BYTES, "the scratch is enough");

/// The opaque voxels of one chunk, as rows; where all are alike, every line is the same.
typedef struct TrnMeshMask {
    const uint32_t *rows; ///< [y * pitch + z]
    size_t pitch;         ///< 32, or 0
} TrnMeshMask;

/// One chunk on its way.
typedef struct TrnMeshWork {
    const TrnMeshInput *input;
    TrnMeshScratch *scratch;
    const struct TrnMeshKernels *kernels;
    TrnMeshMask opaque[TRN_AROUND_COUNT];

    // The chunk itself.
    const TrnPayload *payload;  ///< NULL where it is one block
    TrnBlock small_palette[16]; ///< the palette, where it has no more; that block first
    const TrnBlock *palette;    ///< by entry; not with 16 bits
    const uint8_t *entries; ///< by voxel, of rows that were decoded: in the scratch or as stored
    const TrnBlock *blocks; ///< with 16 bits: as stored; otherwise NULL
    uint32_t decoded_from;  ///< entries from this y on are there; 32: none yet
    bool has_transparent, has_plants;
    bool has_many_transparent;  ///< more than one block of them, or nobody has counted
    TrnBlock transparent_block; ///< that block, where it is one

    // What comes out.
    TrnQuad *quads;
    size_t capacity;
    size_t count; ///< may pass the capacity; nothing is written there
    TrnMeshInfo info;
    uint32_t shown_x, shown_y, shown_z; ///< bit i: something shows at that coordinate

    // From here on written where has_transparent, and not before.
    /// Which clear voxels of the border touch the same block behind the face, as of
    /// trn_mask_border().
    uint32_t transparent_same[TRN_FACE_COUNT][TRN_MESH_EDGE];
    uint32_t transparent_above[TRN_MESH_EDGE]; ///< by z, bit x: clear voxels of the chunk above
} TrnMeshWork;

/// One direction's layers.
typedef struct TrnMeshSide {
    // Padded layers, from their origin on.
    const uint32_t *own;          ///< what may show
    const uint32_t *front;        ///< moved: what lies before it and hides it
    const uint32_t *left, *right; ///< the same moved along the row, both ways: what darkens it too
    const uint32_t *along;        ///< TrnMeshLines: links to the next voxel of a row
    const uint32_t *across;       ///< TrnMeshLines: links to the next row
    const uint32_t *lowered;      ///< TrnMeshLines, or NULL
    int row_step;                 ///< from a row to the next of the same plane, in padded layers
    int low, high;                ///< the lines of lanes that can show anything
    uint32_t face;
    bool is_transposed, is_horizontal;
    bool has_ao;    ///< ambient occlusion, which `left` and `right` are for
    bool is_narrow; ///< found out: no run is wider than one voxel
    uint32_t start_shift, lane_shift, height_shift; ///< where a quad keeps which coordinates
} TrnMeshSide;

/// A block's kind; those without a type are opaque.
static inline TrnBlockKind trn_mesh_kind(const TrnMeshInput *input, TrnBlock block)
{
    return block < input->type_count ? input->types[block].kind : TRN_BLOCK_KIND_OPAQUE;
}

/// What a direction's side has of its own; the layers are to be filled in.
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
    void (*opaque)(TrnMeshWork *work);      ///< appends the quads of the six directions
    void (*transparent)(TrnMeshWork *work); ///< likewise; after `opaque`
} TrnMeshKernels;

/// What the four corners of a face look like, by the opaque voxels around it in the layer before
/// it: bit 3 v + u. TrnQuad's `ao`.
extern const uint8_t trn_mesh_ao[512];

/// The same of two corners alone, those before or those behind: by the three voxels there, and in
/// bits 3 and 4 the two on both sides.
extern const uint32_t trn_mesh_ao_pair[32];

extern const TrnMeshKernels trn_mesh_kernels_scalar;

/// Four lanes by the compiler's vectors: SSE2, NEON and what else there is.
extern const TrnMeshKernels trn_mesh_kernels_four;

#if defined(__x86_64__)
extern const TrnMeshKernels trn_mesh_kernels_avx2, trn_mesh_kernels_avx512;
#endif

/// All sets of TrnMeshKernels.
extern const TrnKernelTable trn_mesh_kernels;

/// Finds out what of the chunk is drawn after the opaque world, and what of it the neighbours hide.
/// Decodes what is needed for that.
void trn_mesh_find_surfaces(TrnMeshWork *work);

/// Appends the leaves of plants.
void trn_mesh_put_plants(TrnMeshWork *work);

#endif
