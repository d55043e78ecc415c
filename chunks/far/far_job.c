// Folding one chunk, on any thread.

#include "far_job.h"

#include <terrane/fold.h>

#define JOB_HALF (TRN_CHUNK_EDGE / 2)

static void job_apply_pending(TrnFarJob *job)
{
    for (uint32_t i = 0; i < job->pending.count; i++) {
        const TrnPendingRun *run = &job->pending.items[i];
        for (uint32_t at = run->first; at <= run->last; at++) {
            job->voxels[at] = run->block;
        }
    }
}

TrnResult trn_far_job_fetch(TrnFarJob *job, uint32_t worker)
{
    if (job->has_voxels) {
        return TRN_RESULT_OK;
    }
    const TrnResult result = trn_stream_fetch(job->stream, job->coord, worker, job->voxels);
    if (result == TRN_RESULT_OK) {
        job_apply_pending(job);
        job->has_voxels = true;
    }
    return result;
}

/// Generates a chunk, as it is without edits.
static TrnResult job_generate(const TrnFarJob *job, uint32_t level, TrnCoord coord,
                              TrnBlock *blocks)
{
    bool is_uniform = false;
    const TrnResult result =
        trn_generator_generate(job->generator, coord, level, blocks, &is_uniform);
    for (uint32_t i = 1; result == TRN_RESULT_OK && is_uniform && i < TRN_CHUNK_VOXELS; i++) {
        blocks[i] = blocks[0];
    }
    return result;
}

/// Folds the voxels. What lies above does not matter: a part depends on its chunk alone.
static TrnResult job_fold(TrnFarJob *job)
{
    const uint32_t octant = trn_far_octant(job->coord);
    if (!job->generator->generate) {
        trn_fold_blocks(job->types, job->voxels, NULL, octant, job->folded);
        return TRN_RESULT_OK;
    }
    TrnResult result = job_generate(job, job->level, job->coord, job->land);
    if (result == TRN_RESULT_OK) {
        result = job_generate(job, job->level + 1, trn_far_parent(job->coord), job->folded);
    }
    if (result == TRN_RESULT_OK) {
        memcpy(job->parent, job->folded, sizeof job->parent);
        trn_fold_edited(job->types, job->voxels, NULL, job->land, octant, job->folded);
    }
    return result;
}

void trn_far_job_run(TrnStreamTask *task, uint32_t worker)
{
    TrnFarJob *job = (TrnFarJob *)(void *)task; // its first member
    job->result = trn_far_job_fetch(job, worker);
    if (job->result == TRN_RESULT_OK) {
        job->result = job_fold(job);
    }
}

/// Returns the linear index, in the parent, of a cell of the part.
static uint32_t job_cell_index(uint32_t octant, uint32_t cell)
{
    const uint32_t x = cell % JOB_HALF, z = cell / JOB_HALF % JOB_HALF;
    const uint32_t y = cell / (JOB_HALF * JOB_HALF);
    return trn_local_index(x + (octant & 1) * JOB_HALF, y + (octant >> 2) * JOB_HALF,
                           z + (octant >> 1 & 1) * JOB_HALF);
}

uint32_t trn_far_job_list_runs(TrnFarJob *job, const TrnSnapshot *parent)
{
    uint32_t count = 0;
    if (parent) {
        trn_snapshot_decode(*parent, job->voxels);
    }
    for (uint32_t cell = 0; cell < TRN_FAR_CELLS; cell++) {
        const uint32_t index = job_cell_index(trn_far_octant(job->coord), cell);
        const TrnBlock block = job->folded[index];
        TrnPendingRun *last = count ? &job->runs[count - 1] : NULL;
        if (parent && job->voxels[index] == block) {
            continue;
        }
        if (last && last->last + 1u == index && last->block == block) {
            last->last++;
        } else {
            job->runs[count++] = (TrnPendingRun){(uint16_t)index, (uint16_t)index, block};
        }
    }
    return count;
}
