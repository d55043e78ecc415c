/// Shapes of voxels to dig, build or replace at once: a box or a ball. A stroke changes the
/// permitted blocks in the shape.
#pragma once

#include <terrane/batch.h>
#include <terrane/store.h>

#define BRUSH_RADIUS_MAX 16.0
#define BRUSH_EDGE_MAX 64 ///< longest edge of a box, in voxels

/// Both corners inclusive, in voxels.
typedef struct BrushBox {
    TrnVoxel min, max;
} BrushBox;

/// The voxels of a shape. Create it with brush_box or brush_ball.
typedef struct Brush {
    BrushBox box;    ///< bounds; may reach outside the world
    bool is_ball;    ///< only voxels with centres at most `radius` from the centre of `centre`
    TrnVoxel centre; ///< of a ball
    double radius;   ///< of a ball
} Brush;

/// Returns the box between two corners, in any order.
/// @param from  if the box is longer than BRUSH_EDGE_MAX, it is cut at that distance from this
///              corner
Brush brush_box(TrnVoxel from, TrnVoxel to);

/// @param centre  in or near the world
/// @param radius  clamped to 0..BRUSH_RADIUS_MAX, NaN to 0, which is one voxel
Brush brush_ball(TrnVoxel centre, double radius);

bool brush_holds(const Brush *brush, TrnVoxel voxel);

/// One block that a stroke changed.
typedef struct BrushBit {
    TrnVoxel voxel;
    TrnBlock block;
} BrushBit;

#define BRUSH_BITS_MAX 256

/// The voxels that a stroke changed. If there are too many, only every n-th is listed, in no order.
typedef struct BrushTaken {
    uint64_t voxels; ///< number of all changed voxels
    uint32_t count;  ///< number of listed bits
    uint32_t stride; ///< every stride-th voxel is listed
    BrushBit bits[BRUSH_BITS_MAX];
} BrushTaken;

/// How a stroke changes voxels. Sets of blocks are those of trn_block_types_kind_bits; everything
/// is borrowed.
typedef struct BrushStroke {
    TrnBlock block;        ///< the new block, also for fallen plants
    const uint32_t *takes; ///< set of blocks to replace; others stay
    /// Set of blocks that are removed with the block below them, also above the brush: plants, when
    /// digging. NULL: none
    const uint32_t *falls;
    const BrushBox *spares; ///< [spare_count] voxels left unchanged, because bodies are there
    uint32_t spare_count;
} BrushStroke;

/// Adds a stroke to a batch. Skips unloaded chunks.
/// @param store  the batch's; it must not change until the batch commits
/// @param taken  receives the changed voxels, without those that already have the block
/// Errors: as trn_batch_edit and trn_voxel_edit_fill_mask; then cancel the batch.
/// Cost: up to some 10 us for each chunk; only the batch allocates.
TrnResult brush_apply(const Brush *brush, const BrushStroke *stroke, const TrnStore *store,
                      TrnBatch *batch, BrushTaken *taken);
