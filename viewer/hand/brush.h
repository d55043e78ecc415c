/// Shapes of voxels that are dug, built or replaced as one: a box or a ball, of which a stroke
/// takes those blocks that it may.
#ifndef TERRANE_VIEWER_BRUSH_H
#define TERRANE_VIEWER_BRUSH_H

#include <terrane/batch.h>
#include <terrane/store.h>

#define BRUSH_RADIUS_MAX 16.0
#define BRUSH_EDGE_MAX 64 ///< of a box, voxels

/// Voxels, both corners inclusive.
typedef struct BrushBox {
    TrnVoxel min, max;
} BrushBox;

/// Which voxels. Make one with brush_box or brush_ball.
typedef struct Brush {
    BrushBox box;    ///< around all of it; it may reach out of the world
    bool is_ball;    ///< of the voxels whose middle is no farther than radius from that of centre
    TrnVoxel centre; ///< of a ball
    double radius;   ///< of a ball
} Brush;

/// All voxels between two corners, in any order. @param from  where the box is wider than
/// BRUSH_EDGE_MAX, it ends so far from this corner
Brush brush_box(TrnVoxel from, TrnVoxel to);

/// @param centre  in the world, or near it
/// @param radius  cut to 0..BRUSH_RADIUS_MAX, NaN to 0: the one voxel
Brush brush_ball(TrnVoxel centre, double radius);

bool brush_holds(const Brush *brush, TrnVoxel voxel);

/// One block that a stroke took.
typedef struct BrushBit {
    TrnVoxel voxel;
    TrnBlock block;
} BrushBit;

#define BRUSH_BITS_MAX 256

/// What a stroke took: of many blocks every so-manieth, in no order.
typedef struct BrushTaken {
    uint64_t voxels; ///< all of them
    uint32_t count;  ///< of bits
    uint32_t stride; ///< every so-manieth is noted
    BrushBit bits[BRUSH_BITS_MAX];
} BrushTaken;

/// What is done with the voxels of a brush. Sets of blocks are as trn_block_types_kind_bits makes
/// them; all is borrowed.
typedef struct BrushStroke {
    TrnBlock block;        ///< what they become, those that fall too
    const uint32_t *takes; ///< set: blocks that become it; others stay
    /// Set: what goes with the block below it, be it above the brush: plants, where one digs. NULL:
    /// nothing does
    const uint32_t *falls;
    const BrushBox *spares; ///< [spare_count] voxels that stay as they are: bodies
    uint32_t spare_count;
} BrushStroke;

/// Notes a stroke in a batch. Chunks that are not in the store are left out.
/// @param store  the batch's; what it holds when the batch commits must be what it holds now
/// @param taken  receives what it took, the block that is there already not counted
/// Errors: as trn_batch_edit and trn_voxel_edit_fill_mask; cancel the batch then.
/// Cost: up to some 10 us for each chunk; no allocation but the batch's.
TrnResult brush_apply(const Brush *brush, const BrushStroke *stroke, const TrnStore *store,
                      TrnBatch *batch, BrushTaken *taken);

#endif
