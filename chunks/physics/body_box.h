/// Private: boxes in fixed point, how they see the world, and how they move in it.
///
/// Boxes lie on a grid of 2^-40 voxels: integers that count from the lowest corner of a chunk, the
/// origin. What comes from outside is rounded to the grid; from then on nothing is. So contact is
/// exact, a face is touched or not without any tolerance, and a move is the same, bit for bit,
/// wherever in the world it is made. The greatest numbers, of a sweep of 1,024 voxels, have 51
/// bits: doubles hold them without loss.
///
/// Voxels and chunks are counted from the origin as well, so that the ends of the world are no
/// special case.
#ifndef TERRANE_PHYSICS_BODY_BOX_H
#define TERRANE_PHYSICS_BODY_BOX_H

#include <terrane/body.h>

#define TRN_GRID_SHIFT 40
#define TRN_GRID_VOXEL ((int64_t)1 << TRN_GRID_SHIFT) ///< steps of the grid in a voxel
#define TRN_GRID_CHUNK (TRN_GRID_VOXEL * TRN_CHUNK_EDGE)

enum { TRN_AXIS_X, TRN_AXIS_Y, TRN_AXIS_Z };

/// The side of a box towards one end of an axis.
static inline TrnFace trn_axis_face(int axis, bool is_positive)
{
    return (TrnFace)(2 * axis + is_positive);
}

/// A length in steps of the grid, rounded to the nearest, halves away from zero, so that a length
/// and its negative stay opposite.
/// @param voxels  finite, of at most 4096
static inline int64_t trn_grid_round(double voxels)
{
    const double steps = voxels * (double)TRN_GRID_VOXEL;
    return (int64_t)(steps < 0 ? steps - 0.5 : steps + 0.5);
}

static inline double trn_grid_voxels(int64_t steps)
{
    return (double)steps / (double)TRN_GRID_VOXEL;
}

/// The voxel that a step of the grid begins.
static inline int32_t trn_grid_floor(int64_t steps)
{
    return (int32_t)(steps >> TRN_GRID_SHIFT);
}

/// The first voxel that begins at a step or above it.
static inline int32_t trn_grid_ceil(int64_t steps)
{
    return (int32_t)((steps + TRN_GRID_VOXEL - 1) >> TRN_GRID_SHIFT);
}

/// The face between a voxel and the one before it.
static inline int64_t trn_grid_face(int32_t voxel)
{
    return (int64_t)voxel * TRN_GRID_VOXEL;
}

/// Whether a number lies between two others; false for NaN.
static inline bool trn_number_within(double number, double low, double high)
{
    return number >= low && number <= high;
}

/// Whether the offsets of a position lie in 0..32, 32 left out.
bool trn_position_is_good(TrnPosition position);

// ---- what a box sees (overlap.c) ---------------------------------------------------------------

typedef enum TrnBoxViewKind {
    TRN_BOX_VIEW_ABSENT, ///< not in the store, or outside the world
    TRN_BOX_VIEW_FREE,   ///< one single block, not solid
    TRN_BOX_VIEW_SOLID,  ///< one single block, solid
    TRN_BOX_VIEW_MIXED
} TrnBoxViewKind;

/// One chunk as it was when it was first looked at.
typedef struct TrnBoxView {
    int32_t chunk[3]; ///< counted from the origin
    TrnBoxViewKind kind;
    const uint32_t *solid; ///< MIXED: [TRN_CHUNK_ROWS]
    TrnSnapshot snapshot;
} TrnBoxView;

/// The world around one box during one call. Chunks are looked up once: a box no larger than a
/// chunk touches 8 at most.
typedef struct TrnBoxWorld {
    const TrnStore *store;
    const uint32_t *solid_bits, *liquid_bits, *climbable_bits;
    TrnCoord origin;
    /// where bottoms may be: the ends of the world, or farther than any move goes
    int64_t low[3], high[3];
    uint32_t known;      ///< bit i: views[i] is filled in
    TrnBoxView views[8]; ///< by the lowest bits of the chunk's x, y, z
} TrnBoxWorld;

/// An axis-aligned box: what lies between low and high.
typedef struct TrnBodyBox {
    int64_t low[3], high[3];
    int64_t half[3]; ///< from low to the bottom's middle: y is 0
} TrnBodyBox;

/// Voxels, both corners inclusive.
typedef struct TrnBoxRegion {
    int32_t min[3], max[3];
} TrnBoxRegion;

/// @param size  0..TRN_BODY_SIZE_MAX; above 0 it is at least two steps of the grid
void trn_box_begin(TrnBoxWorld *world, TrnBodyBox *box, const TrnStore *store, TrnPosition bottom,
                   const double size[3]);

/// The middle of the bottom.
TrnPosition trn_box_bottom(const TrnBoxWorld *world, const TrnBodyBox *box);

/// The voxels that a box reaches into. Without an extent along an axis it is in the voxel that
/// begins there.
TrnBoxRegion trn_box_region(const TrnBodyBox *box);

/// The part of a region that lies in a chunk, in local coordinates.
TrnBoxRegion trn_box_part(const TrnBoxRegion *region, const int32_t chunk[3]);

/// A chunk, counted from the origin. Valid until a chunk 2 or more away has been looked at.
const TrnBoxView *trn_box_view(TrnBoxWorld *world, const int32_t chunk[3]);

/// What a region touches.
typedef struct TrnBoxTouch {
    bool solid, liquid, climbable, absent;
    int32_t first_solid[3];
    int32_t liquid_top; ///< the voxel above the highest liquid
} TrnBoxTouch;

TrnBoxTouch trn_box_touch(TrnBoxWorld *world, const TrnBoxRegion *region);

/// How far the liquid reaches above the bottom, 0..the box's height.
int64_t trn_box_liquid_depth(const TrnBoxTouch *touch, const TrnBodyBox *box);

// ---- how it moves (sweep.c) --------------------------------------------------------------------

typedef enum TrnBoxGround {
    TRN_BOX_GROUND_NONE,
    TRN_BOX_GROUND_ABSENT, ///< nothing but chunks that are not there
    TRN_BOX_GROUND_SOLID
} TrnBoxGround;

/// What a box stands on: touches with its bottom.
TrnBoxGround trn_box_ground(TrnBoxWorld *world, const TrnBodyBox *box);

typedef struct TrnBoxSweep {
    int32_t step_voxels; ///< goes up steps of so many
    bool keeps_to_edge;  ///< does not walk over an edge that is higher than a step
    bool hit[TRN_FACE_COUNT];
    bool at_edge[3]; ///< axes along which an edge has kept it
    bool absent;
    int32_t stepped; ///< voxels
} TrnBoxSweep;

/// Moves a box. @param motion  steps of the grid
void trn_box_sweep(TrnBoxWorld *world, TrnBodyBox *box, const int64_t motion[3],
                   TrnBoxSweep *sweep);

#endif
