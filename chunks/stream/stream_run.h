/// Private: what a piece of work does, on any thread.
#ifndef TERRANE_STREAM_STREAM_RUN_H
#define TERRANE_STREAM_STREAM_RUN_H

#include "stream_light.h"
#include "stream_stock.h"
#include "stream_workers.h"

/// What all work needs. Read only while work runs.
typedef struct TrnStreamRun {
    const TrnStreamDef *def; ///< hooks, generator, store and clock
    uint32_t level;          ///< of the chunks
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

/// Loads or generates a chunk, meshes one, or saves one. @param context  a TrnStreamRun
void trn_stream_run(void *context, TrnStreamWork *work, uint32_t worker);

#endif
