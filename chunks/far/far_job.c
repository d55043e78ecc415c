// Jobs: one chunk, folded into its part of its parent on any thread, or fetched to be saved.

#include "far_impl.h"

#include <terrane/fold.h>

#include <stdalign.h>
#include <string.h>

#include "store/store_internal.h"
#include "voxels/voxels_internal.h"

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
    if (job->result == TRN_RESULT_OK && !job->writes_out) {
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

// ---- the jobs of a far view ---------------------------------------------------------------------

uint32_t trn_far_jobs_find_idle(TrnFar *far_view)
{
    TrnFarJob **jobs = far_view->folds.jobs;
    for (uint32_t i = 0; i < TRN_FAR_JOBS; i++) {
        if (!jobs[i]) {
            jobs[i] = trn_take(&far_view->allocator, sizeof *jobs[i], alignof(TrnFarJob));
            if (!jobs[i]) {
                return TRN_FAR_JOBS;
            }
            jobs[i]->pending = (TrnFarRuns){0};
            atomic_init(&jobs[i]->task.state, TRN_STREAM_TASK_IDLE);
        }
        if (trn_far_job_is_idle(jobs[i])) {
            return i;
        }
    }
    return TRN_FAR_JOBS;
}

void trn_far_jobs_free(TrnFar *far_view)
{
    for (uint32_t i = 0; i < TRN_FAR_JOBS; i++) {
        TrnFarJob *job = far_view->folds.jobs[i];
        if (job) {
            trn_array_free(&job->pending, &far_view->allocator);
            trn_give(&far_view->allocator, job, sizeof *job);
        }
        far_view->folds.jobs[i] = NULL;
    }
}

TrnResult trn_far_job_prepare(TrnFar *far_view, TrnFarJob *job, uint32_t level, TrnCoord coord,
                              const TrnSnapshot *voxels)
{
    const TrnFarLevel *of = &far_view->levels[level];
    TrnSnapshot now;
    job->task.run = trn_far_job_run;
    job->generator = &far_view->def.generator;
    job->stream = of->stream;
    job->types = trn_store_block_types(far_view->levels[1].store);
    job->coord = coord;
    job->level = level;
    job->writes_out = job->is_stale = false;
    if (!voxels && trn_store_snapshot(of->store, coord, &now) == TRN_RESULT_OK) {
        voxels = &now;
    }
    if (voxels && trn_snapshot_is_omitted(*voxels)) { // due since events were missed
        voxels = NULL;
    }
    job->has_voxels = voxels != NULL;
    if (voxels) {
        trn_snapshot_decode(*voxels, job->voxels);
        return TRN_RESULT_OK;
    }
    const size_t count = trn_pending_get(of->store, coord, NULL, 0);
    const TrnResult result = trn_array_reserve(&job->pending, &far_view->allocator, count);
    if (result == TRN_RESULT_OK) {
        job->pending.count = (uint32_t)trn_pending_get(of->store, coord, job->pending.items, count);
    }
    return result;
}

void trn_far_job_issue(TrnFar *far_view, uint32_t number, double now_us)
{
    TrnFarJob *job = far_view->folds.jobs[number];
    far_view->folds.issued_us[number] = now_us;
    if (!trn_stream_workers_issue_task(trn_stream_level_workers(far_view->levels[0].stream),
                                       &job->task)) {
        // The calling thread does it, at once or when it is late.
        atomic_store_explicit(&job->task.state, TRN_STREAM_TASK_QUEUED, memory_order_relaxed);
    }
}
