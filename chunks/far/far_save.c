// Edits of coarse chunks that are not loaded, written to rows: when their memory is full, and when
// the game saves.

#include "far_impl.h"

#include <stdalign.h>

#define SAVE_LOOKED_AT 64u // of the chunks that have been edited longest

/// Forgets what is pending for a chunk of a level: it is in a row, or dropped.
static void save_end_pending(TrnFar *far_view, const TrnFarLevel *level, TrnCoord coord)
{
    far_view->folds.is_saving = true;
    (void)trn_pending_drop(level->store, coord);
    far_view->folds.is_saving = false;
}

/// Drops the edits of the chunk of a level for which they have been pending longest, and that are
/// in the coarser levels already. @return false if there is none among the oldest
static bool save_drop_oldest(TrnFar *far_view, const TrnFarLevel *level)
{
    TrnCoord coords[SAVE_LOOKED_AT];
    const size_t all = trn_pending_chunks(level->store, coords, SAVE_LOOKED_AT);
    for (size_t i = 0; i < all && i < SAVE_LOOKED_AT; i++) {
        if (level->level == TRN_FAR_LEVEL_MAX ||
            !trn_far_find_due(far_view, level->level, coords[i])) {
            save_end_pending(far_view, level, coords[i]);
            far_view->folds.dropped++;
            return true;
        }
    }
    return false;
}

bool trn_far_level_make_room(TrnFar *far_view, TrnFarLevel *level)
{
    if (!trn_stream_keeps_changes(level->stream)) {
        return save_drop_oldest(far_view, level);
    }
    if (!level->is_full) {
        level->is_full = true;
        level->bytes_goal = trn_edits_stats(level->store).pending_bytes / 4 * 3;
    }
    return false;
}

/// Saves a chunk that is not loaded, with its pending edits. @param job  has its voxels
static TrnResult save_put(TrnFar *far_view, const TrnFarJob *job)
{
    const TrnFarLevel *level = &far_view->levels[job->level];
    const TrnResult result = trn_stream_save_blocks(level->stream, job->coord, job->voxels);
    // A worker that is loading the chunk may have read the row before.
    if (result == TRN_RESULT_OK && !trn_stream_has_cell(level->stream, job->coord)) {
        save_end_pending(far_view, level, job->coord);
    }
    return result;
}

TrnResult trn_far_job_write_out(TrnFar *far_view, const TrnFarJob *job)
{
    TrnFarLevel *level = &far_view->levels[job->level];
    const bool is_current = !job->is_stale && !trn_stream_has_cell(level->stream, job->coord) &&
                            trn_pending_get(level->store, job->coord, NULL, 0) > 0;
    TrnResult result = job->result;
    if (result == TRN_RESULT_OK && is_current) {
        result = save_put(far_view, job);
    }
    level->is_full &= result == TRN_RESULT_OK; // otherwise the next fold that finds no room says so
    return result;
}

/// Finds the chunk of a level that is not loaded, is not being saved, and has been edited longest.
/// @return false if there is none among the oldest
static bool save_find_oldest(const TrnFar *far_view, const TrnFarLevel *level, TrnCoord *oldest)
{
    TrnCoord coords[4 * TRN_FAR_JOBS];
    const size_t most = sizeof coords / sizeof *coords;
    const size_t all = trn_pending_chunks(level->store, coords, most);
    for (size_t i = 0; i < all && i < most; i++) {
        bool is_free = !trn_stream_has_cell(level->stream, coords[i]);
        for (uint32_t n = 0; n < TRN_FAR_JOBS; n++) {
            is_free &= !trn_far_job_saves(far_view->folds.jobs[n], level->level, coords[i]);
        }
        if (is_free) {
            *oldest = coords[i];
            return true;
        }
    }
    return false;
}

TrnResult trn_far_level_write_out(TrnFar *far_view, TrnFarLevel *level, double now_us,
                                  uint32_t *most)
{
    TrnCoord coord;
    while (level->is_full && *most) {
        level->is_full = trn_edits_stats(level->store).pending_bytes > level->bytes_goal &&
                         save_find_oldest(far_view, level, &coord);
        const uint32_t idle = level->is_full ? trn_far_jobs_find_idle(far_view) : TRN_FAR_JOBS;
        if (idle == TRN_FAR_JOBS) {
            return TRN_RESULT_OK;
        }
        const TrnResult result =
            trn_far_job_prepare(far_view, far_view->folds.jobs[idle], level->level, coord, NULL);
        if (result != TRN_RESULT_OK) {
            return result;
        }
        far_view->folds.jobs[idle]->writes_out = true;
        trn_far_job_issue(far_view, idle, now_us);
        --*most;
    }
    return TRN_RESULT_OK;
}

/// Saves a chunk of a level that is not loaded, with its pending edits. No job is under way.
static TrnResult save_pending_now(TrnFar *far_view, const TrnFarLevel *level, TrnCoord coord)
{
    const uint32_t idle = trn_far_jobs_find_idle(far_view);
    TrnFarJob *job = idle < TRN_FAR_JOBS ? far_view->folds.jobs[idle] : NULL;
    TrnResult result =
        job ? trn_far_job_prepare(far_view, job, level->level, coord, NULL) : TRN_RESULT_NO_MEMORY;
    if (result == TRN_RESULT_OK) {
        result = trn_far_job_fetch(job, 0);
    }
    return result == TRN_RESULT_OK ? save_put(far_view, job) : result;
}

TrnResult trn_far_level_save(TrnFar *far_view, const TrnFarLevel *level)
{
    const size_t count = trn_pending_chunks(level->store, NULL, 0);
    const size_t bytes = count * sizeof(TrnCoord);
    TrnCoord *coords = count ? trn_take(&far_view->allocator, bytes, alignof(TrnCoord)) : NULL;
    TrnResult result = coords || !count ? TRN_RESULT_OK : TRN_RESULT_NO_MEMORY;
    if (coords) {
        (void)trn_pending_chunks(level->store, coords, count);
    }
    for (size_t i = 0; coords && i < count; i++) {
        const TrnResult one = save_pending_now(far_view, level, coords[i]);
        result = one == TRN_RESULT_OK ? result : one;
    }
    trn_give(&far_view->allocator, coords, bytes);
    return result;
}

TrnResult trn_far_save_pending(TrnFar *far_view)
{
    TrnResult result = TRN_RESULT_OK;
    for (uint32_t level = 1; level <= far_view->def.view.levels; level++) {
        if (trn_stream_keeps_changes(far_view->levels[level].stream)) {
            const TrnResult one = trn_far_level_save(far_view, &far_view->levels[level]);
            result = one == TRN_RESULT_OK ? result : one;
        }
    }
    return result;
}
