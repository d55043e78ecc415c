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

// ---- histograms of times ------------------------------------------------------------------------

// A histogram of times: a few hundred counters hold a flight of any length, and a percentile is a
// walk over them. After G. Tene's HdrHistogram.

#define TIMES_PART (1u << TRN_STREAM_TIMES_BITS)
#define TIMES_LARGEST ((UINT64_C(1) << 42) - 1) // 73 minutes in ns

/// Small numbers have a counter each; larger ones share one by their top bits.
static uint32_t times_counter(uint64_t ns)
{
    if (ns < TIMES_PART) {
        return (uint32_t)ns;
    }
    const uint32_t top = 63u - (uint32_t)__builtin_clzll(ns);
    const uint32_t shift = top - TRN_STREAM_TIMES_BITS;
    return ((shift + 1) << TRN_STREAM_TIMES_BITS) | ((uint32_t)(ns >> shift) & (TIMES_PART - 1));
}

/// The largest number that a counter stands for.
static double times_us_of(uint32_t counter)
{
    if (counter < TIMES_PART) {
        return counter * 1e-3;
    }
    const uint32_t shift = (counter >> TRN_STREAM_TIMES_BITS) - 1;
    const uint64_t low = (uint64_t)(TIMES_PART | (counter & (TIMES_PART - 1))) << shift;
    return (double)(low + (UINT64_C(1) << shift) - 1) * 1e-3;
}

void trn_stream_times_add(TrnStreamHistogram *times, double us)
{
    us = us > 0 ? us : 0; // also NaN
    const double ns = us * 1e3;
    times->counters[times_counter(ns < (double)TIMES_LARGEST ? (uint64_t)ns : TIMES_LARGEST)]++;
    times->count++;
    times->sum += us;
    times->max = us > times->max ? us : times->max;
}

TrnStreamTimes trn_stream_times_of(const TrnStreamHistogram *times)
{
    TrnStreamTimes out = {.count = times->count, .max = times->max};
    if (!times->count) {
        return out;
    }
    out.mean = times->sum / (double)times->count;
    const double parts[3] = {0.5, 0.99, 0.999};
    double *const percentiles[3] = {&out.p50, &out.p99, &out.p999};
    uint64_t passed = 0;
    uint32_t next = 0;
    for (uint32_t i = 0; i < TRN_STREAM_TIMES_COUNTERS && next < 3; i++) {
        passed += times->counters[i];
        while (next < 3 && (double)passed >= parts[next] * (double)times->count) {
            const double us = times_us_of(i);
            *percentiles[next++] = us < times->max ? us : times->max;
        }
    }
    return out;
}
