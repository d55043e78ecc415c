/// Private: folding one chunk, on any thread.
#ifndef TERRANE_FAR_FAR_JOB_H
#define TERRANE_FAR_FAR_JOB_H

#include <terrane/batch.h>
#include <terrane/generator.h>
#include <terrane/stream.h>

#include "base/array.h"
#include "far_cover.h"
#include "stream/stream_level.h"

#define TRN_FAR_CELLS (TRN_CHUNK_VOXELS / 8) ///< of one chunk, in its parent

TRN_ARRAY_DECLARE(TrnFarRuns, TrnPendingRun);

/// One chunk while it is folded.
typedef struct TrnFarJob {
    TrnStreamTask task; ///< first: workers get its address
    // Written before it is issued.
    const TrnGenerator *generator; ///< what `voxels` are compared with; without generate: nothing
    const TrnStream *stream;       ///< of the chunk's level
    const TrnBlockTypes *types;
    TrnCoord coord;
    uint32_t level;
    bool has_voxels; ///< `voxels` are the chunk's; false: it is loaded or generated, with `pending`
    TrnFarRuns pending; ///< edits of a chunk that is not loaded
    // Written while it runs.
    TrnResult result;
    TrnBlock voxels[TRN_CHUNK_VOXELS]; ///< the chunk's
    TrnBlock folded[TRN_CHUNK_VOXELS]; ///< of the parent: the chunk's part is what it should be
    TrnBlock parent[TRN_CHUNK_VOXELS]; ///< the parent without edits, if the generator made it
    union {
        TrnBlock land[TRN_CHUNK_VOXELS]; ///< the chunk without edits
        TrnPendingRun runs[TRN_FAR_CELLS];
    };
} TrnFarJob;

/// Which of the eight parts of its parent a chunk is.
static inline uint32_t trn_far_octant(TrnCoord coord)
{
    return (uint32_t)(coord.x & 1) | (uint32_t)(coord.z & 1) << 1 | (uint32_t)(coord.y & 1) << 2;
}

/// Makes `voxels` the chunk's, if they are not yet: loads or generates it, and applies `pending`.
/// Errors: those of the load hook and of the generator. Threads: any.
TrnResult trn_far_job_fetch(TrnFarJob *job, uint32_t worker);

/// Computes the chunk's part of its parent. @param task  of a TrnFarJob
void trn_far_job_run(TrnStreamTask *task, uint32_t worker);

/// Lists the cells of a finished job that the parent must change, in `runs`; overwrites `voxels`.
/// @param parent  the parent's voxels now; NULL: it is not loaded, and all cells are listed
/// @return how many runs
uint32_t trn_far_job_list_runs(TrnFarJob *job, const TrnSnapshot *parent);

#endif
