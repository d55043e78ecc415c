/// Private: boxes in fixed point, and the part of the world that they overlap.
///
/// Boxes lie on a grid of 2^-40 voxels: integers that count from the lowest corner of one chunk,
/// the origin. Numbers are rounded to the grid on entry and never after that. So contact is exact,
/// a box touches a face or does not without any tolerance, and a move gives the same result, bit
/// for bit, everywhere in the world. The largest numbers, of a sweep of 1,024 voxels, have 51 bits,
/// which doubles hold exactly.
///
/// Voxels and chunks also count from the origin, so that the ends of the world need no special
/// case.
#ifndef TERRANE_PHYSICS_BOX_H
#define TERRANE_PHYSICS_BOX_H

#include <terrane/body.h>
#include <terrane/store.h>

#include "voxels/voxel_read_internal.h"

#define TRN_GRID_SHIFT 40
#define TRN_GRID_VOXEL ((int64_t)1 << TRN_GRID_SHIFT)   ///< grid units in a voxel
#define TRN_GRID_PART (TRN_GRID_VOXEL / TRN_BLOCK_GRID) ///< the grid of models, 1/16 voxel
#define TRN_GRID_CHUNK (TRN_GRID_VOXEL * TRN_CHUNK_EDGE)

enum { TRN_AXIS_X, TRN_AXIS_Y, TRN_AXIS_Z };

/// The side of a box towards one end of an axis.
static inline TrnFace trn_axis_face(int axis, bool is_positive)
{
    return (TrnFace)(2 * axis + is_positive);
}

/// A length in grid units, rounded to the nearest, halves away from zero, so that a length and its
/// negative stay opposite.
/// @param voxels  finite, at most 4096
static inline int64_t trn_grid_round(double voxels)
{
    const double units = voxels * (double)TRN_GRID_VOXEL;
    return (int64_t)(units < 0 ? units - 0.5 : units + 0.5);
}

static inline double trn_grid_voxels(int64_t units)
{
    return (double)units / (double)TRN_GRID_VOXEL;
}

/// The voxel that contains a grid coordinate; a voxel contains its lower face.
static inline int32_t trn_grid_floor(int64_t units)
{
    return (int32_t)(units >> TRN_GRID_SHIFT);
}

/// The first voxel that begins at or above a grid coordinate.
static inline int32_t trn_grid_ceil(int64_t units)
{
    return (int32_t)((units + TRN_GRID_VOXEL - 1) >> TRN_GRID_SHIFT);
}

/// The lower face of a voxel.
static inline int64_t trn_grid_face(int32_t voxel)
{
    return (int64_t)voxel * TRN_GRID_VOXEL;
}

/// Whether low <= number <= high; false for NaN.
static inline bool trn_number_within(double number, double low, double high)
{
    return number >= low && number <= high;
}

/// Whether every offset of a position is at least 0 and below 32; false for NaN.
static inline bool trn_position_is_valid(TrnPosition position)
{
    bool is_valid = true;
    for (int axis = 0; axis < 3; axis++) {
        is_valid &= position.offset[axis] >= 0 && position.offset[axis] < TRN_CHUNK_EDGE;
    }
    return is_valid;
}

// ---- boxes --------------------------------------------------------------------------------------

/// An axis-aligned box, in grid units from the origin.
typedef struct TrnBodyBox {
    int64_t low[3], high[3];
    int64_t half[3]; ///< from low to the middle of the bottom face: 0 along y
} TrnBodyBox;

/// A box of voxels, both corners inclusive.
typedef struct TrnBoxRegion {
    int32_t min[3], max[3];
} TrnBoxRegion;

/// The voxels that a box overlaps. A box of extent 0 along an axis lies in the voxel that contains
/// its coordinate.
TrnBoxRegion trn_box_region(const TrnBodyBox *box);

/// The part of a region that lies in a chunk, in local coordinates.
TrnBoxRegion trn_box_part(const TrnBoxRegion *region, const int32_t chunk[3]);

// ---- the world around a box ---------------------------------------------------------------------

typedef enum TrnBoxViewKind {
    TRN_BOX_VIEW_UNLOADED, ///< not in the store, or outside the world
    TRN_BOX_VIEW_FREE,     ///< uniform, not solid
    TRN_BOX_VIEW_SOLID,    ///< uniform, solid, no model
    TRN_BOX_VIEW_MIXED     ///< all others
} TrnBoxViewKind;

/// One chunk as it was when this call first looked it up.
typedef struct TrnBoxView {
    int32_t chunk[3]; ///< counted from the origin
    TrnBoxViewKind kind;
    TrnMask solid;        ///< UNLOADED: all
    TrnSnapshot snapshot; ///< not UNLOADED
} TrnBoxView;

/// Places in the cache of chunks: a box no larger than a chunk overlaps at most 2 along each axis.
#define TRN_BOX_VIEWS 8

/// The world around one box during one call, with a cache that looks up each chunk once.
typedef struct TrnBoxWorld {
    const TrnStore *store;
    const uint32_t *solid_bits, *liquid_bits, *climbable_bits;
    const TrnBlockType *types; ///< [type_count]
    uint32_t type_count;
    TrnCoord origin;
    /// Range of the middle of the bottom face: the ends of the world, or farther than any move.
    int64_t low[3], high[3];
    TrnBoxRegion clear;              ///< voxels that no solid model is in; may be empty
    uint32_t known;                  ///< bit i: views[i] is filled in
    TrnBoxView views[TRN_BOX_VIEWS]; ///< by the lowest bits of the chunk's x, y, z
} TrnBoxWorld;

/// Sets up a box and the world around it, with the chunk of `bottom` as the origin.
/// @param bottom  the middle of the bottom face
/// @param size    0..TRN_BODY_SIZE_MAX; above 0 it becomes at least two grid units
void trn_box_begin(TrnBoxWorld *world, TrnBodyBox *box, const TrnStore *store, TrnPosition bottom,
                   const double size[3]);

/// The middle of the bottom face.
TrnPosition trn_box_bottom(const TrnBoxWorld *world, const TrnBodyBox *box);

/// Looks up a chunk, counted from the origin. The view is valid until the caller looks up a chunk
/// that is 2 or more away.
const TrnBoxView *trn_box_view(TrnBoxWorld *world, const int32_t chunk[3]);

/// The solid bits of a row of a view. @param row  local y * 32 + z
static inline uint32_t trn_box_row(const TrnBoxView *view, uint32_t row)
{
    return trn_mask_row(view->solid, row);
}

/// The boxes of a model in the world.
typedef struct TrnBoxParts {
    uint32_t count;
    int64_t low[TRN_BLOCK_BOXES_MAX][3], high[TRN_BLOCK_BOXES_MAX][3]; ///< grid units
} TrnBoxParts;

/// The model of a voxel, or NULL if the whole of it is solid. @param view  not FREE
/// @param index  linear, of a voxel that is solid
static inline const TrnBlockModel *trn_box_model(const TrnBoxWorld *world, const TrnBoxView *view,
                                                 uint32_t index)
{
    if (view->kind != TRN_BOX_VIEW_MIXED) {
        return NULL;
    }
    const TrnBlock block = trn_snapshot_get(view->snapshot, index);
    return block < world->type_count ? world->types[block].model : NULL;
}

/// Lists the boxes of a model that are there.
void trn_box_parts(const TrnBoxWorld *world, const TrnBoxView *view, uint32_t index,
                   const TrnBlockModel *model, TrnBoxParts *parts);

/// What a box overlaps.
typedef struct TrnBoxTouch {
    bool solid, climbable, unloaded;
    int32_t first_solid[3]; ///< if solid: x fastest, then z, then y
    int64_t liquid_top;     ///< the highest surface of a liquid; INT64_MIN without one
} TrnBoxTouch;

/// Tests what a box overlaps: solid things exactly, the others by the voxels of its region. Sets
/// `clear` to that region if it can.
TrnBoxTouch trn_box_touch(TrnBoxWorld *world, const TrnBodyBox *box);

/// Whether a liquid is as high as the bottom of the box.
static inline bool trn_box_is_in_liquid(const TrnBoxTouch *touch, const TrnBodyBox *box)
{
    return touch->liquid_top > box->low[TRN_AXIS_Y];
}

/// Height of the liquid above the bottom of the box, 0..the box's height, in grid units.
int64_t trn_box_liquid_depth(const TrnBoxTouch *touch, const TrnBodyBox *box);

/// One voxel of a loaded chunk.
typedef struct TrnShapePlace {
    const TrnStore *store;
    TrnCoord chunk;
    TrnSnapshot snapshot; ///< of the chunk
    uint32_t index;       ///< linear
} TrnShapePlace;

/// Tells which boxes of a model are there: those that do not depend on neighbours, and those whose
/// neighbours are as they ask for. Chunks that are not loaded connect to nothing.
/// @return bit i: box i is there
/// Cost: a look at the neighbours that the boxes name.
uint32_t trn_shape_boxes(const TrnShapePlace *place, const TrnBlockModel *model);

#endif
