/// Private: slots of the voxel heap that workers write chunks into. Only the calling thread may
/// take slots from the heap, so it stocks as many as workers are likely to need until its next
/// update.
#ifndef TERRANE_STREAM_STREAM_STOCK_H
#define TERRANE_STREAM_STREAM_STOCK_H

#include "stream_workers.h"
#include "voxels/voxel_slot_internal.h"

typedef struct TrnStreamStock TrnStreamStock;

/// Creates an empty stock. Errors: NO_MEMORY.
TrnResult trn_stream_stock_create(const TrnAllocator *allocator, TrnStreamStock **stock);

/// @param stock  empty, or NULL
void trn_stream_stock_destroy(TrnStreamStock *stock);

/// Takes a slot of a size class. Any thread. @return false if none is in stock
bool trn_stream_stock_take(TrnStreamStock *stock, uint32_t size_class, TrnVoxelSlot *slot);

/// Stocks about as many slots of each size class as were requested since the last call, within
/// `bytes_max` bytes. Calling thread only. Does nothing if the lock is taken.
/// @param times    how many times what was requested; at least twice
/// @param workers  populate memory that the slots lie in
void trn_stream_stock_fill(TrnStreamStock *stock, TrnVoxelHeap *heap, size_t bytes_max,
                           uint32_t times, TrnStreamWorkers *workers);

/// Frees all slots. Calling thread only.
void trn_stream_stock_clear(TrnStreamStock *stock, TrnVoxelHeap *heap);

#endif
