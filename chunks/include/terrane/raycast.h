/// Terrane, rays: which block is looked at, or hit.
///
/// Threads: as trn_store_find: the writer's thread, or any other inside a read section of the
/// store's index.
#ifndef TERRANE_RAYCAST_H
#define TERRANE_RAYCAST_H

#include <terrane/store.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TRN_RAY_DISTANCE_MAX 1048576.0

/// Start from trn_ray_def() and change what you need.
typedef struct TrnRayDef {
    double distance_max; ///< voxels, 0..TRN_RAY_DISTANCE_MAX
    /// [TRN_BLOCK_BITS_WORDS] the blocks that it stops at, bit id % 32 of word id / 32:
    /// trn_block_types_kind_bits makes such a set. NULL means all solid ones. The store's own solid
    /// and opaque bits are fastest, since chunks keep masks of them.
    const uint32_t *stops;
    /// whether it ends where a chunk is not in the store; otherwise that is air
    bool stops_at_unloaded;
} TrnRayDef;

/// 128 voxels, stops at solid blocks, passes through absent chunks.
TRN_API TrnRayDef trn_ray_def(void);

typedef enum TrnRayEnd {
    TRN_RAY_END_DISTANCE, ///< nothing within distance_max
    TRN_RAY_END_BLOCK,    ///< a block that it stops at
    TRN_RAY_END_UNLOADED, ///< a chunk that is not in the store
    TRN_RAY_END_WORLD     ///< the end of the world
} TrnRayEnd;

typedef struct TrnRayHit {
    TrnRayEnd end;
    /// BLOCK: the block's. NOT_FOUND: the first voxel in the absent chunk. DISTANCE, WORLD: the
    /// last voxel that it was in
    TrnVoxel voxel;
    /// The face through which it came in to `voxel`, as seen from that voxel: the block beyond it
    /// is where one builds. TRN_FACE_COUNT where it began inside.
    TrnFace face;
    TrnBlock block;  ///< BLOCK: which; otherwise air
    double distance; ///< voxels from the origin to where it ended
} TrnRayHit;

/// Follows a ray through the voxels that it passes, in their order, until it stops. Where it passes
/// exactly through an edge or corner, or nearer than doubles can tell, it goes along x before y
/// before z. It leaves out no voxel and visits none twice, over any distance.
/// @param origin     any point of the world. A block that it stops at and that holds the origin is
///                   hit at distance 0. A voxel holds its lower faces; what goes down from one is
///                   in the next voxel at once, at distance 0. An offset of 32 is in the next
///                   chunk, at the upper end of the world in the last voxel
/// @param direction  x, y, z of any length but 0
/// @param def        NULL means trn_ray_def()
/// @param hit        receives how it ended
/// Errors: BAD_ARGUMENT (a number that is not finite or out of its range, an offset outside 0..32,
/// no direction); hit is then untouched.
/// Cost: some 60 ns, 20 ns for each chunk, and 4 ns for each voxel passed where blocks that it
/// stops at are near. Chunks that are uniform or absent, or empty around the ray, are passed at
/// once. No allocation. Source: J. Amanatides and A. Woo, "A Fast Voxel Traversal Algorithm for Ray
/// Tracing", 1987.
TRN_API TrnResult trn_store_raycast(const TrnStore *store, TrnPosition origin,
                                    const double direction[3], const TrnRayDef *def,
                                    TrnRayHit *hit);

#ifdef __cplusplus
}
#endif
#endif
