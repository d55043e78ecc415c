/// Private: edits of voxels and their block data as bytes, which one process of a shared world
/// hands to another. Blocks have names in it, since programs number them differently.
///
///     u8   version: 3, 2 of an edit without moves, or 1 of one without block data, too
///     u16  names;   each: u8 length, bytes
///     u32  chunks;  each: i32 x, y, z; u32 runs; each run: u16 first, u16 last, u16 name
///          version 2: u32 data; each: u16 voxel, u16 name, u8 rule or 255, u32 size, bytes
///          version 3: u8 1 if the chunk was moved, or 0; then, for each run, u16 name: what was
///                     there
///
/// Numbers are little-endian. An edit of one voxel takes some 35 bytes.
#ifndef TERRANE_SHARED_EDIT_BYTES_H
#define TERRANE_SHARED_EDIT_BYTES_H

#include <terrane/batch.h>
#include <terrane/block_data.h>

#include "base/array.h"

/// The runs of voxels of one chunk, in the order in which they are applied, and then its data.
typedef struct TrnEditChunk {
    TrnCoord coord;
    uint32_t first, count;           ///< of TrnEdit.runs
    uint32_t data_first, data_count; ///< of TrnEdit.data
    /// The world did it by itself, as liquids do: voxels stay that are not what they were before.
    bool is_moved;
} TrnEditChunk;

/// The block data of a voxel that was set or removed.
typedef struct TrnEditData {
    uint16_t index; ///< of the voxel
    bool is_removal;
    TrnDataRule rule;
    TrnBlock block;    ///< that it belongs to
    uint32_t at, size; ///< in TrnEdit.bytes
} TrnEditData;

TRN_ARRAY_DECLARE(TrnEditChunks, TrnEditChunk);
TRN_ARRAY_DECLARE(TrnRuns, TrnPendingRun);
TRN_ARRAY_DECLARE(TrnBlockList, TrnBlock);
TRN_ARRAY_DECLARE(TrnBytes, unsigned char);
TRN_ARRAY_DECLARE(TrnEditDataList, TrnEditData);

/// Edits of chunks, in their order; one chunk may come several times. All zeroes has none.
typedef struct TrnEdit {
    TrnEditChunks chunks;
    TrnRuns runs;
    TrnBlockList was; ///< [runs.count] what voxels of moved chunks were before; of others, nothing
    TrnEditDataList data;
    TrnBytes bytes; ///< of the data
} TrnEdit;

void trn_edit_free(TrnEdit *edit, const TrnAllocator *allocator);

/// Adds a run. @param was  of a moved chunk; else of no interest. Errors: NO_MEMORY.
TrnResult trn_edit_add_run(TrnEdit *edit, TrnPendingRun run, TrnBlock was,
                           const TrnAllocator *allocator);

/// Adds the data of a chunk that differs from what it had.
/// @param had       [had_count] in the order of voxels
/// @param block_of  [TRN_CHUNK_VOXELS] the blocks of `after`
TrnResult trn_edit_add_data(TrnEdit *edit, const TrnBlockData *had, uint32_t had_count,
                            TrnSnapshot after, const TrnBlock *block_of,
                            const TrnAllocator *allocator);

/// Sets the data of a chunk of an edit, whose runs were applied. Data that goes with its block is
/// left out where another block is by now.
/// Errors: as trn_voxel_edit_set_data.
TrnResult trn_edit_apply_data(const TrnEdit *edit, const TrnEditChunk *chunk, TrnVoxelEdit *to);

/// Writes an edit behind what `bytes` has. Errors: NO_MEMORY, FULL (more than 65,535 types).
TrnResult trn_edit_write(const TrnEdit *edit, const TrnBlockTypes *types,
                         const TrnAllocator *allocator, TrnBytes *bytes);

/// Reads an edit. @param bytes  [size] any bytes are safe @param edit  empty; freed on failure
/// Errors: CORRUPT, NOT_FOUND (a name that the types lack), NO_MEMORY.
TrnResult trn_edit_read(const void *bytes, size_t size, const TrnBlockTypes *types,
                        const TrnAllocator *allocator, TrnEdit *edit);

#endif
