/// Private: edits of voxels as bytes, which one process of a shared world hands to another. Blocks
/// have names in it, since programs number them differently.
///
///     u8   version, 1
///     u16  names;   each: u8 length, bytes
///     u32  chunks;  each: i32 x, y, z; u32 runs; each run: u16 first, u16 last, u16 name
///
/// Numbers are little-endian. An edit of one voxel takes some 35 bytes.
#ifndef TERRANE_SHARED_EDIT_BYTES_H
#define TERRANE_SHARED_EDIT_BYTES_H

#include <terrane/batch.h>

#include "base/array.h"

/// The runs of voxels of one chunk, in the order in which they are applied.
typedef struct TrnEditChunk {
    TrnCoord coord;
    uint32_t first, count; ///< of TrnEdit.runs
} TrnEditChunk;

TRN_ARRAY_DECLARE(TrnEditChunks, TrnEditChunk);
TRN_ARRAY_DECLARE(TrnRuns, TrnPendingRun);
TRN_ARRAY_DECLARE(TrnBytes, unsigned char);

/// Edits of chunks, in their order; one chunk may come several times. All zeroes has none.
typedef struct TrnEdit {
    TrnEditChunks chunks;
    TrnRuns runs;
} TrnEdit;

void trn_edit_free(TrnEdit *edit, const TrnAllocator *allocator);

/// Writes an edit behind what `bytes` has. Errors: NO_MEMORY, FULL (more than 65,535 types).
TrnResult trn_edit_write(const TrnEdit *edit, const TrnBlockTypes *types,
                         const TrnAllocator *allocator, TrnBytes *bytes);

/// Reads an edit. @param bytes  [size] any bytes are safe @param edit  empty; freed on failure
/// Errors: CORRUPT, NOT_FOUND (a name that the types lack), NO_MEMORY.
TrnResult trn_edit_read(const void *bytes, size_t size, const TrnBlockTypes *types,
                        const TrnAllocator *allocator, TrnEdit *edit);

#endif
