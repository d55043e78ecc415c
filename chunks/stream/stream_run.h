/// Private: what a piece of work does, on any thread.
#ifndef TERRANE_STREAM_STREAM_RUN_H
#define TERRANE_STREAM_STREAM_RUN_H

#include "stream_light.h"
#include "stream_workers.h"
#include "voxels/voxel_slot_internal.h"

/// Slots of the voxel heap that workers write chunks into. Only the calling thread may take slots
/// from the heap, so it stocks as many as workers are likely to need until its next update.
typedef struct TrnStreamStock TrnStreamStock;

/// Creates an empty stock. Errors: NO_MEMORY.
TrnResult trn_stream_stock_create(const TrnAllocator *allocator, TrnStreamStock **stock);

/// @param stock  empty, or NULL
void trn_stream_stock_destroy(TrnStreamStock *stock);

/// Stocks about as many slots of each size class as were requested since the last call, within
/// `bytes_max` bytes. Calling thread only. Does nothing if the lock is taken.
/// @param times    how many times what was requested; at least twice
/// @param workers  populate memory that the slots lie in
void trn_stream_stock_fill(TrnStreamStock *stock, TrnVoxelHeap *heap, size_t bytes_max,
                           uint32_t times, TrnStreamWorkers *workers);

/// Frees all slots. Calling thread only.
void trn_stream_stock_clear(TrnStreamStock *stock, TrnVoxelHeap *heap);

/// What all work needs. Read only while work runs.
typedef struct TrnStreamRun {
    const TrnStreamDef *def; ///< hooks, generator, store and clock
    uint32_t level;          ///< of the chunks
    uint64_t hash_key;       ///< of meshes and light
    TrnStreamWorkers *workers;
    TrnStreamStock *stock;
    TrnChunkReader *readers[TRN_STREAM_WORKER_MAX + 1]; ///< by worker; NULL for the calling thread
    TrnStreamLight *lights[TRN_STREAM_WORKER_MAX + 1];  ///< by worker; NULL unless def->light
    TrnSky *sky;                                        ///< NULL unless def->light
    TrnAllocator any_allocator; ///< of light that is kept, and of block data; any thread
} TrnStreamRun;

/// Loads or generates a chunk that stays the caller's. One that is damaged is generated.
/// @param work     with a buffer; hooks get its job
/// @param uniform  receives whether all voxels are buffer[0]
/// Errors: those of the hooks, but never NOT_FOUND or CORRUPT of the load hook.
TrnResult trn_stream_run_fetch(const TrnStreamRun *run, TrnStreamWork *work, bool *uniform);

/// Loads or generates a chunk, meshes one, or saves one; or loads all chunks of a chain.
/// @param context  a TrnStreamRun
void trn_stream_run(void *context, TrnStreamWork *work, uint32_t worker);

#endif
