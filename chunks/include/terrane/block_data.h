/// Terrane, block data: bytes of a game's own for single voxels, such as what a chest holds or what
/// a sign says.
///
/// A chunk may have data for up to 4,096 of its voxels, each of up to 64 KiB. Data is part of a
/// chunk's voxels: a snapshot names the blocks and the data of one moment, edits and batches
/// publish both together, and undo, events and saves include it. A chunk without data takes no
/// memory for it.
///
/// Data belongs to a block. When an edit is committed that leaves another block in the voxel than
/// the one that had the data, the data is removed. Data that stays (TRN_DATA_STAYS) remains until a
/// call removes it. What counts is the block at the commit, so a block that an edit changes and
/// changes back keeps its data. In one edit, write the block first and its data after that.
///
/// A published table of data is never written. It has sorted parts, each for neighbouring voxels,
/// which name the bytes; the next table shares the parts and the bytes that did not change. So an
/// edit copies 16 bytes for each entry of the parts that it changes, and never the data of other
/// voxels.
///
/// This header has what concerns one chunk. For worlds: trn_store_set_data, trn_store_get_data and
/// trn_store_list_data (terrane/store.h), trn_batch_set_data (terrane/batch.h).
///
/// Threads: as in terrane/voxels.h. Readers inside a section read data as they read blocks.
///
/// Tier: stable.
#ifndef TERRANE_BLOCK_DATA_H
#define TERRANE_BLOCK_DATA_H

#include <terrane/voxels.h>

TRN_C_BEGIN

/// The most bytes that one voxel may have.
#define TRN_DATA_BYTES_MAX 65536u
/// The most bytes that the voxels of one chunk may have together.
#define TRN_DATA_CHUNK_BYTES_MAX (TRN_CAST(size_t, 16) << 20)
/// The most voxels of a chunk that may have data.
#define TRN_DATA_VOXELS_MAX 4096u

/// What becomes of data when its block changes.
typedef enum TrnDataRule {
    TRN_DATA_WITH_BLOCK, ///< it is removed
    TRN_DATA_STAYS,      ///< it stays until a call removes it
    TRN_DATA_RULE_COUNT  ///< the number of rules
} TrnDataRule;

/// The data of one voxel.
typedef struct TrnBlockData {
    const void *bytes; ///< [size] aligned to 8; valid as long as the snapshot that it came from
    uint32_t size;     ///< 0..TRN_DATA_BYTES_MAX
    uint16_t index;    ///< linear index of the voxel in its chunk (trn_local_index)
    TrnDataRule rule;  ///< as it was set
} TrnBlockData;

// ---- read --------------------------------------------------------------------------------------

/// Finds the data of a voxel.
/// @param index  linear index, 0..32767; higher bits are ignored
/// @param data   receives it; untouched if there is none; may be NULL
/// @return whether the voxel has data; it may have 0 bytes
/// Threads: any, inside a read section. Cost: O(log of the chunk's data), wait-free; O(1) if the
/// chunk has none.
TRN_API bool trn_snapshot_get_data(TrnSnapshot snapshot, uint32_t index, TrnBlockData *data);

/// Returns how many voxels have data. O(1).
TRN_API uint32_t trn_snapshot_count_data(TrnSnapshot snapshot);

/// Lists the data of a box, in linear order.
/// @param min,max  local x, y, z, both inclusive; voxels outside the chunk have no data
/// @param out      [capacity] receives the data; caller owns the array, the snapshot the bytes
/// @return how many voxels of the box have data; only the first `capacity` are written
/// Threads: any, inside a read section. Cost: O(data of the layers that the box touches and of one
/// part more).
TRN_API uint32_t trn_snapshot_list_data(TrnSnapshot snapshot, const uint32_t min[3],
                                        const uint32_t max[3], TrnBlockData *out,
                                        uint32_t capacity);

/// Tells whether two snapshots have the same data: the same voxels, bytes and rules. Does not
/// compare blocks; trn_snapshot_equal compares nothing else.
/// Cost: O(data); parts and bytes that both share are not read.
TRN_API bool trn_snapshot_equal_data(TrnSnapshot a, TrnSnapshot b);

/// Receives the block data of one chunk, from code that loads or generates it.
typedef struct TrnDataSink {
    /// Receives the data of one voxel. @param data  copied
    /// Errors: BAD_ARGUMENT, FULL (beyond the limits of a chunk), NO_MEMORY, and the sink's own.
    TrnResult (*set)(void *user, const TrnBlockData *data);
    void *user; ///< passed to set
} TrnDataSink;

// ---- edit --------------------------------------------------------------------------------------

/// Sets the data of a voxel. It belongs to the block that the edit has there now.
/// @param index  0..32767 (trn_local_index)
/// @param bytes  [size] copied; NULL removes the data, and `size` and `rule` are ignored
/// @param size   0..TRN_DATA_BYTES_MAX
/// Errors: as trn_voxel_edit_set; BAD_ARGUMENT also for an unknown rule; FULL also if the data is
/// larger than TRN_DATA_BYTES_MAX, the chunk would have more than TRN_DATA_CHUNK_BYTES_MAX, or
/// TRN_DATA_VOXELS_MAX of its voxels have data already.
/// Setting the bytes and the rule that are there already changes nothing.
/// Cost: a copy of the bytes and of one part, at most 4 KiB. The first call of an edit also copies
/// the packed voxels and at most 1 KiB of the table. A table of which a part has grown too full is
/// divided: O(data of the chunk), four times on the way to TRN_DATA_VOXELS_MAX.
TRN_API TrnResult trn_voxel_edit_set_data(TrnVoxelEdit *edit, uint32_t index, const void *bytes,
                                          size_t size, TrnDataRule rule);

/// Finds the data of a voxel, including changes of this edit. Data whose block the edit has changed
/// counts as removed.
/// @param data  as trn_snapshot_get_data; valid until the edit's next call
TRN_API bool trn_voxel_edit_get_data(const TrnVoxelEdit *edit, uint32_t index, TrnBlockData *data);

TRN_C_END
#endif
