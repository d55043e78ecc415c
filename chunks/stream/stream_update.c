// One update of a stream, from start to end.

#include "stream_impl.h"

#include "base/zone.h"

#define UPDATE_TRIM_PART 32u // part of the loaded chunks: to unload more is enough for one update
#define UPDATE_RINGS 2u      // most rings that one update drops
#define UPDATE_BACKOFF_BYTES 4096u    // updates until a view grows again, after a byte limit
#define UPDATE_BACKOFF_ALLOCATOR 480u // the same after failed allocations

static void update_begin(TrnStream *stream, const TrnStreamBudget *budget)
{
    trn_stream_schedule_begin(&stream->schedule, budget);
    trn_stream_bytes_begin(&stream->bytes);
    stream->figures.report = (TrnStreamReport){0};
    stream->figures.result = TRN_RESULT_OK;
}

static void update_note_short(TrnStream *stream, TrnResult result)
{
    trn_stream_bytes_note_short(&stream->bytes, result);
    stream->figures.result = result;
}

static void update_views(TrnStream *stream)
{
    TRN_ZONE("stream views");
    if (!trn_stream_views_have_work(&stream->views) &&
        !trn_stream_views_are_moving(&stream->views)) {
        return;
    }
    const double begun_us = trn_stream_schedule_clock(&stream->schedule);
    const double pace = trn_stream_schedule_pace(&stream->schedule);
    const bool is_known = pace > 0 && !trn_stream_schedule_is_exact(&stream->schedule);
    trn_stream_views_set_pace(&stream->views, is_known ? pace : STREAM_UPDATES_A_SECOND);
    const TrnResult result = trn_stream_views_update(
        &stream->views, trn_stream_schedule_number(&stream->schedule), trn_stream_may_grow(stream));
    if (result != TRN_RESULT_OK) {
        update_note_short(stream, result);
    }
    trn_stream_add_time(stream, TRN_STREAM_STAGE_VIEW,
                        trn_stream_schedule_clock(&stream->schedule) - begun_us);
}

/// Unloads first, since new chunks need the memory, but for at most half of the time.
static void update_unload(TrnStream *stream, uint32_t units)
{
    TRN_ZONE("stream unload");
    const double deadline_us = trn_stream_schedule_limit(&stream->schedule, 0.5);
    trn_stream_unload(stream, units);
    trn_stream_schedule_restore(&stream->schedule, deadline_us);
}

/// Unloads chunks that only hysteresis keeps. If these are few, drops rings until the rest is
/// likely to fit.
static void update_shrink_views(TrnStream *stream)
{
    const TrnStreamLoad before = trn_stream_load(stream);
    trn_stream_views_drop_kept(&stream->views);
    const uint32_t dropped = trn_stream_load(stream).leaving - before.leaving;
    if (dropped > before.loaded / UPDATE_TRIM_PART) {
        return;
    }
    trn_stream_bytes_learn(&stream->bytes, &before);
    const uint32_t backoff_max = trn_stream_bytes_is_limited(&stream->bytes)
                                     ? UPDATE_BACKOFF_BYTES
                                     : UPDATE_BACKOFF_ALLOCATOR;
    for (uint32_t ring = 0; ring < UPDATE_RINGS; ring++) {
        const TrnStreamLoad load = trn_stream_load(stream);
        if ((ring && trn_stream_bytes_fit(&stream->bytes, &load, 0, true)) ||
            !trn_stream_views_shrink(&stream->views, backoff_max)) {
            return;
        }
    }
}

static bool update_is_unloading(const TrnStream *stream)
{
    return trn_stream_views_are_dropping(&stream->views) ||
           trn_stream_queue_unload_count(&stream->queue) > 0;
}

/// Shrinks views if memory ran short.
static void update_keep_budget(TrnStream *stream)
{
    const bool was_short = trn_stream_bytes_is_short(&stream->bytes);
    const bool must_shrink = trn_stream_bytes_must_shrink(
        &stream->bytes, trn_stream_schedule_number(&stream->schedule), update_is_unloading(stream));
    if (!was_short && trn_stream_bytes_is_short(&stream->bytes)) {
        stream->figures.result = TRN_RESULT_FULL; // the hooks use more than before
    }
    if (must_shrink) {
        update_shrink_views(stream);
    }
}

static bool update_is_idle(const TrnStream *stream)
{
    return !trn_stream_queue_work_count(&stream->queue) &&
           !trn_stream_jobs_under_way(&stream->jobs) &&
           !trn_stream_queue_count(&stream->queue, TRN_STREAM_QUEUE_RETRY) &&
           !trn_stream_queue_unload_count(&stream->queue) &&
           !trn_stream_groups_are_open(&stream->groups) &&
           !trn_stream_scan_is_needed(&stream->scan) &&
           !trn_stream_bytes_is_short(&stream->bytes) && trn_stream_views_are_idle(&stream->views);
}

static void update_end(TrnStream *stream, TrnStreamReport *report)
{
    TrnStreamFigures *figures = &stream->figures;
    figures->report.is_idle = update_is_idle(stream) && !stream->omit_walk.rounds;
    figures->report.stale = (uint32_t)(figures->stats.stale - figures->stale_reported);
    figures->stale_reported = figures->stats.stale;
    figures->report.us =
        trn_stream_schedule_clock(&stream->schedule) - trn_stream_schedule_now(&stream->schedule);
    trn_stream_add_time(stream, TRN_STREAM_STAGE_UPDATE, figures->report.us);
    if (report) {
        *report = figures->report;
    }
}

TrnResult trn_stream_update(TrnStream *stream, const TrnStreamBudget *budget,
                            TrnStreamReport *report)
{
    TRN_ZONE("stream update");
    if (!stream || (budget && !trn_stream_schedule_budget_is_valid(budget))) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    budget = budget ? budget : &stream->def.budget;
    update_begin(stream, budget);
    trn_stream_catch_up(stream);
    update_views(stream);
    trn_stream_drop_unwanted_members(stream);
    trn_stream_retry_failed(stream);
    update_unload(stream, budget->units);
    trn_stream_save_some(stream);
    if (trn_stream_schedule_is_exact(&stream->schedule)) {
        trn_stream_work_exactly(stream, budget->units);
    } else {
        trn_stream_work_in_time(stream);
    }
    trn_stream_omit_some(stream, update_is_idle(stream));
    update_keep_budget(stream);
    trn_stream_drop_unwanted_members(stream); // keeping the budget may have shrunk views
    trn_stream_check_loaded(stream);
    update_end(stream, report);
    return stream->figures.result;
}

TrnResult trn_stream_settle(TrnStream *stream, uint32_t updates_max)
{
    if (!stream) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    TrnStreamBudget budget = stream->def.budget; // its units: exact replay stays exact
    budget.ms = budget.share = 0;
    budget.upload_bytes = 0;
    TrnStreamReport report = {0};
    TrnResult result = TRN_RESULT_OK;
    for (uint32_t i = 0; i < updates_max && !report.is_idle; i++) {
        trn_stream_wait(stream);
        result = trn_stream_update(stream, &budget, &report);
    }
    return report.is_idle ? TRN_RESULT_OK : result == TRN_RESULT_OK ? TRN_RESULT_BUSY : result;
}
