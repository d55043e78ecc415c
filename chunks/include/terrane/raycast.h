/// Terrane, raycasts: which block is looked at, or hit.
///
/// Threads: as trn_store_find: the writer thread, or any other thread inside a read section of the
/// store's index.
///
/// Tier: stable.
#ifndef TERRANE_RAYCAST_H
#define TERRANE_RAYCAST_H

#include <terrane/store.h>

TRN_C_BEGIN

/// The longest ray, in voxels.
#define TRN_RAY_DISTANCE_MAX 1048576.0

/// Start from trn_ray_def() and change what you need.
typedef struct TrnRayDef {
    double distance_max; ///< voxels, 0..TRN_RAY_DISTANCE_MAX
    /// [TRN_BLOCK_BITS_WORDS] the set of blocks that stop the ray, bit id % 32 of word id / 32, as
    /// trn_block_types_kind_bits writes it. NULL: all solid blocks. The store's own solid and
    /// opaque sets are fastest, since chunks hold masks of them.
    const uint32_t *stops;
    /// Whether the ray ends at a chunk that is not loaded; if not, such a chunk counts as air.
    bool stops_at_unloaded;
} TrnRayDef;

/// 128 voxels, stops at solid blocks, passes through chunks that are not loaded.
TRN_API TrnRayDef trn_ray_def(void);

/// Why a ray ended.
typedef enum TrnRayEnd {
    TRN_RAY_END_DISTANCE, ///< nothing stopped it within distance_max
    TRN_RAY_END_BLOCK,    ///< a block in its stop set
    TRN_RAY_END_UNLOADED, ///< a chunk that is not loaded
    TRN_RAY_END_WORLD     ///< the end of the world
} TrnRayEnd;

/// Where a ray ended.
typedef struct TrnRayHit {
    TrnRayEnd end; ///< why it ended there
    /// BLOCK: the block's voxel. UNLOADED: the first voxel in the chunk that is not loaded.
    /// DISTANCE, WORLD: the last voxel on the ray.
    TrnVoxel voxel;
    /// The face of `voxel`, or of the model's box in it, through which the ray entered. The
    /// adjacent voxel on that side, trn_voxel_neighbour(), is where a player builds.
    /// TRN_FACE_COUNT if the ray started inside.
    TrnFace face;
    TrnBlock block;  ///< BLOCK: the block; otherwise air
    double distance; ///< voxels from the origin to the end
} TrnRayHit;

/// Visits the voxels along a ray in order until one stops it (DDA traversal).
/// In a voxel with a model in the stop set, solid or not, only the model's boxes stop the ray; a
/// box contains its lower faces, as a voxel does. A liquid in the stop set fills its voxel, however
/// low its surface is drawn. Visits every voxel that the ray crosses exactly
/// once, over any distance. Where the ray crosses an edge or corner, exactly or closer than doubles
/// can tell, it steps along x before y before z.
/// @param origin     any point of the world. If the voxel that contains it stops the ray, the hit
///                   is at distance 0. A voxel contains its lower faces; a ray that goes down from
///                   one is in the next voxel at distance 0. An offset of 32 lies in the next
///                   chunk, or at the upper end of the world in the last voxel
/// @param direction  x, y, z of any length but 0
/// @param def        NULL means trn_ray_def()
/// @param hit        receives where it ended; untouched on failure
/// Errors: BAD_ARGUMENT (a number that is not finite or out of range, an offset outside 0..32, a
/// direction of length 0).
/// Cost: O(chunks on the way + voxels near blocks of the stop set); a chunk costs as much as 5
/// voxels. A chunk that is uniform, not loaded, or empty around the ray is skipped at once. No
/// allocation. Source: J. Amanatides and A. Woo, "A Fast Voxel Traversal Algorithm for Ray
/// Tracing", 1987.
TRN_API TrnResult trn_store_raycast(const TrnStore *store, TrnPosition origin,
                                    const double direction[3], const TrnRayDef *def,
                                    TrnRayHit *hit);

TRN_C_END
#endif
