// The time of updates. A share of the time between updates, rather than of a frame: a program that
// draws one frame a second has a thousand times as long for it as one that draws a thousand.

#include "stream_schedule.h"

#define SCHEDULE_MS_MAX 50.0          // longest update that a share allows
#define SCHEDULE_APART_WEIGHT 0.125   // weight of one update in the smoothed time between updates
#define SCHEDULE_APART_MAX_US 4e6     // a longer pause counts as this: the program was stopped
#define SCHEDULE_FINISH_DECAY 0.98    // the estimate remembers a costly update for about fifty more
#define SCHEDULE_FINISH_PART_MAX 0.25 // most of an update's time that is left for finishing it

void trn_stream_schedule_init(TrnStreamSchedule *schedule, const TrnStreamDef *def)
{
    *schedule = (TrnStreamSchedule){.clock_us = def->clock_us, .clock_user = def->clock_user};
    schedule->now_us = trn_stream_schedule_clock(schedule);
    schedule->deadline_us = (double)INFINITY;
}

bool trn_stream_schedule_budget_is_valid(const TrnStreamBudget *budget)
{
    return budget->ms == budget->ms && budget->share >= 0 && budget->share <= 1;
}

/// Smooths the time between updates. The first one counts whole: a slow program must not wait.
static void schedule_note_apart(TrnStreamSchedule *schedule)
{
    double us = schedule->now_us - schedule->previous_us;
    us = us > 0 ? us : 0;
    us = us < SCHEDULE_APART_MAX_US ? us : SCHEDULE_APART_MAX_US;
    if (schedule->updates > 1) {
        schedule->apart_us =
            schedule->updates == 2
                ? us
                : schedule->apart_us + (us - schedule->apart_us) * SCHEDULE_APART_WEIGHT;
    }
}

/// Milliseconds that an update may take; 0 or less: no limit.
static double schedule_ms(const TrnStreamSchedule *schedule, const TrnStreamBudget *budget)
{
    const double share = budget->share * schedule->apart_us * 1e-3;
    const double ms = share < SCHEDULE_MS_MAX ? share : SCHEDULE_MS_MAX;
    return budget->ms > 0 && ms > budget->ms ? ms : budget->ms;
}

void trn_stream_schedule_begin(TrnStreamSchedule *schedule, const TrnStreamBudget *budget)
{
    schedule->updates++;
    schedule->previous_us = schedule->now_us;
    schedule->now_us = trn_stream_schedule_clock(schedule);
    schedule_note_apart(schedule);
    schedule->is_exact = budget->units > 0;
    schedule->upload_bytes_max =
        schedule->is_exact || !budget->upload_bytes ? SIZE_MAX : budget->upload_bytes;
    const double ms = schedule_ms(schedule, budget);
    schedule->deadline_us = ms > 0 ? schedule->now_us + ms * 1e3 : (double)INFINITY;
}

double trn_stream_schedule_limit(TrnStreamSchedule *schedule, double part)
{
    const double deadline_us = schedule->deadline_us;
    if (deadline_us < (double)INFINITY) {
        schedule->deadline_us = schedule->now_us + (deadline_us - schedule->now_us) * part;
    }
    return deadline_us;
}

double trn_stream_schedule_leave_finish(TrnStreamSchedule *schedule)
{
    const double deadline_us = schedule->deadline_us;
    if (deadline_us < (double)INFINITY) {
        const double most_us = (deadline_us - schedule->now_us) * SCHEDULE_FINISH_PART_MAX;
        schedule->deadline_us -= schedule->finish_us < most_us ? schedule->finish_us : most_us;
    }
    return deadline_us;
}

void trn_stream_schedule_restore(TrnStreamSchedule *schedule, double deadline_us)
{
    schedule->deadline_us = deadline_us;
}

void trn_stream_schedule_note_finish(TrnStreamSchedule *schedule, double us)
{
    const double faded_us = schedule->finish_us * SCHEDULE_FINISH_DECAY;
    schedule->finish_us = us > faded_us ? us : faded_us;
}

bool trn_stream_schedule_has_half(TrnStreamSchedule *schedule)
{
    const double all_us = schedule->deadline_us - schedule->now_us;
    const double used_us = trn_stream_schedule_clock(schedule) - schedule->now_us;
    return schedule->is_exact || used_us < all_us / 2;
}
