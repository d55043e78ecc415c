/// Terrane, visibility: which faces of a chunk are joined through what is not opaque.
///
/// For cave culling: a renderer that walks from the camera's chunk to its neighbours goes from one
/// face of a chunk to another only where they are joined, and so leaves out whatever no light from
/// the camera could reach: caves under the ground, the land outside seen from within a cave. What
/// is culled is surely hidden; not everything that is hidden is culled.
///
///     if (trn_visibility_joins(chunk->visibility, came_in_by, goes_out_by)) {
///     walk_on_to(trn_coord_neighbour(coord, goes_out_by), trn_visibility_opposite(goes_out_by));
///     }
///
/// Source: T. Johnston, "The Advanced Cave Culling Algorithm", 2014.
#ifndef TERRANE_VISIBILITY_H
#define TERRANE_VISIBILITY_H

#include <terrane/base.h>
#include <terrane/coord.h>
#include <terrane/voxels.h>

#ifdef __cplusplus
extern "C" {
#endif

/// One bit for each of the 15 pairs of faces: whether some voxel at one is joined to some voxel at
/// the other through voxels that are not opaque, from face to face of the voxels. Also small enough
/// to be kept beside every chunk.
typedef uint16_t TrnVisibility;

#define TRN_VISIBILITY_NONE ((TrnVisibility)0)     ///< a chunk of stone
#define TRN_VISIBILITY_ALL ((TrnVisibility)0x7FFF) ///< a chunk of air

/// The bit of a pair of different faces, in either order: 0..14, by the lower face and then the
/// higher.
static inline uint32_t trn_visibility_bit(TrnFace a, TrnFace b)
{
    const uint32_t low = (uint32_t)(a < b ? a : b), high = (uint32_t)(a < b ? b : a);
    return low * (9 - low) / 2 + high - 1;
}

/// Whether two faces are joined. One and the same face is not: whoever came in by it has seen what
/// is behind it.
static inline bool trn_visibility_joins(TrnVisibility visibility, TrnFace a, TrnFace b)
{
    return a != b && (visibility >> trn_visibility_bit(a, b) & 1) != 0;
}

/// The face by which one comes into the chunk behind a face.
static inline TrnFace trn_visibility_opposite(TrnFace face)
{
    return (TrnFace)((uint32_t)face ^ 1u);
}

/// Which faces are joined.
/// @param opaque  [TRN_CHUNK_ROWS] as trn_snapshot_opaque gives it: bit x of row y * 32 + z is set
///                where the voxel hides what is behind it
/// Exact. Threads: any number; no state, no allocation, 12 KiB of stack.
/// Cost: 1 to 3 us for hills and caves, 0.5 us where corridors join all faces: a fill ends as soon
/// as it has met every face that has an opening. A checkerboard takes 22 us, one long corridor to
/// and fro along y that misses a face 60 us, and noise in which a third is open, the worst that is
/// known, 80 us.
TRN_API TrnVisibility trn_visibility_of(const uint32_t opaque[TRN_CHUNK_ROWS]);

/// The same of what a chunk holds. Uniform chunks: O(1).
/// @param opaque_bits  [TRN_BLOCK_BITS_WORDS] as trn_block_types_opaque_bits gives them; looked at
///                     for uniform chunks alone
/// Threads: any number, inside the read section that the snapshot was taken in.
TRN_API TrnVisibility trn_visibility_of_snapshot(TrnSnapshot snapshot, const uint32_t *opaque_bits);

#ifdef __cplusplus
}
#endif
#endif
