/// Terrane, visibility: which faces of a chunk are connected through non-opaque voxels.
///
/// For cave culling: a renderer walks from the camera's chunk to adjacent chunks, and passes from
/// one face of a chunk to another only if the two are connected. That skips chunks that no line of
/// sight from the camera reaches: caves below the ground, and the land outside seen from a cave.
/// The test is conservative: every chunk that it culls is hidden, but not every hidden chunk is
/// culled.
///
///     if (trn_visibility_joins(chunk->visibility, entered_by, left_by)) {
///         visit(trn_coord_neighbour(coord, left_by), left_by ^ 1); // enters by the opposite face
///     }
///
/// Source: T. Johnston, "The Advanced Cave Culling Algorithm", 2014.
///
/// Tier: stable.
#ifndef TERRANE_VISIBILITY_H
#define TERRANE_VISIBILITY_H

#include <terrane/base.h>
#include <terrane/coord.h>
#include <terrane/voxels.h>

TRN_C_BEGIN

/// One bit for each of the 15 pairs of faces: set if a path of non-opaque voxels connects them. Two
/// voxels connect if they share a face. Small enough to store with every chunk.
typedef uint16_t TrnVisibility;

#define TRN_VISIBILITY_NONE TRN_CAST(TrnVisibility, 0)     ///< a chunk of stone
#define TRN_VISIBILITY_ALL TRN_CAST(TrnVisibility, 0x7FFF) ///< a chunk of air

/// Returns the bit, 0..14, of a pair of different faces in either order. Bits are ordered by the
/// lower face, then by the higher.
static inline uint32_t trn_visibility_bit(TrnFace a, TrnFace b)
{
    const uint32_t low = (uint32_t)(a < b ? a : b), high = (uint32_t)(a < b ? b : a);
    return low * (9 - low) / 2 + high - 1;
}

/// Returns whether two faces are connected. A face is not connected to itself: a walk that entered
/// by a face has already visited the chunk behind it.
static inline bool trn_visibility_joins(TrnVisibility visibility, TrnFace a, TrnFace b)
{
    return a != b && (visibility >> trn_visibility_bit(a, b) & 1) != 0;
}

/// Finds which faces are connected. Exact.
/// @param opaque  [TRN_CHUNK_ROWS] as from trn_snapshot_opaque_rows: bit x of row y * 32 + z is set
/// if
///                the voxel is opaque
/// Threads: any number. No state, no allocation, 12 KiB of stack.
/// Cost: O(TRN_CHUNK_VOXELS); least where corridors connect all faces, since the flood fill ends
/// once it has reached every face that has an opening. Slowest known: a checkerboard takes some 10
/// times as long as hills and caves, one long corridor along y that folds back and forth and misses
/// a face 30 times, noise with a third of its voxels open 40 times.
TRN_API TrnVisibility trn_visibility_of(const uint32_t opaque[TRN_CHUNK_ROWS]);

/// Finds which faces of a chunk's snapshot are connected. O(1) for uniform chunks, otherwise as
/// trn_visibility_of().
/// @param opaque_bits  [TRN_BLOCK_BITS_WORDS] from trn_block_types_opaque_bits; read for uniform
///                     chunks alone
/// Threads: any number, inside the read section that the snapshot was taken in.
TRN_API TrnVisibility trn_visibility_of_snapshot(TrnSnapshot snapshot, const uint32_t *opaque_bits);

TRN_C_END
#endif
