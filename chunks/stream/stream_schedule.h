/// Private: the time of a stream's updates: what one may cost, and how much is left of it.
#ifndef TERRANE_STREAM_STREAM_SCHEDULE_H
#define TERRANE_STREAM_STREAM_SCHEDULE_H

#include <terrane/stream.h>

#include <math.h>

typedef struct TrnStreamSchedule {
    double (*clock_us)(void *user);
    void *clock_user;
    uint64_t updates;
    double now_us;      ///< start of this update
    double read_us;     ///< the clock when it was last read
    double previous_us; ///< start of the previous update
    double apart_us;    ///< smoothed time between updates; 0: unknown
    double deadline_us; ///< infinite: none
    double finish_us;   ///< estimated time of an update after results are applied
    bool is_exact;
    size_t upload_bytes_max; ///< of this update
} TrnStreamSchedule;

/// @param def  with a clock
void trn_stream_schedule_init(TrnStreamSchedule *schedule, const TrnStreamDef *def);

/// Whether `ms` is a number and `share` is within 0..1.
bool trn_stream_schedule_budget_is_valid(const TrnStreamBudget *budget);

/// Begins an update.
void trn_stream_schedule_begin(TrnStreamSchedule *schedule, const TrnStreamBudget *budget);

/// Brings the deadline forward for one step of an update: to a part of the time that the whole
/// update may take. @return the deadline to restore afterwards
double trn_stream_schedule_limit(TrnStreamSchedule *schedule, double part);

/// The same, so that the estimated time to finish the update is left.
double trn_stream_schedule_leave_finish(TrnStreamSchedule *schedule);
void trn_stream_schedule_restore(TrnStreamSchedule *schedule, double deadline_us);

/// Records how long finishing an update took.
void trn_stream_schedule_note_finish(TrnStreamSchedule *schedule, double us);

/// When this update started; its number, from 1.
static inline double trn_stream_schedule_now(const TrnStreamSchedule *schedule)
{
    return schedule->now_us;
}

static inline uint64_t trn_stream_schedule_number(const TrnStreamSchedule *schedule)
{
    return schedule->updates;
}

/// Updates a second, from the times between them; 0: unknown.
static inline double trn_stream_schedule_pace(const TrnStreamSchedule *schedule)
{
    return schedule->apart_us > 0 ? 1e6 / schedule->apart_us : 0;
}

/// Whether this update replays exactly.
static inline bool trn_stream_schedule_is_exact(const TrnStreamSchedule *schedule)
{
    return schedule->is_exact;
}

/// Reads the clock; trn_stream_schedule_clock also remembers the time, for _last.
static inline double trn_stream_schedule_time(const TrnStreamSchedule *schedule)
{
    return schedule->clock_us(schedule->clock_user);
}

static inline double trn_stream_schedule_clock(TrnStreamSchedule *schedule)
{
    schedule->read_us = trn_stream_schedule_time(schedule);
    return schedule->read_us;
}

/// The clock when it was last read: where the end of one step is the start of the next.
static inline double trn_stream_schedule_last(const TrnStreamSchedule *schedule)
{
    return schedule->read_us;
}

/// Whether the update has time left at a known time.
static inline bool trn_stream_schedule_has_time_at(const TrnStreamSchedule *schedule, double now_us)
{
    return schedule->is_exact || now_us < schedule->deadline_us;
}

/// Whether the update has time left.
static inline bool trn_stream_schedule_has_time(TrnStreamSchedule *schedule)
{
    return schedule->is_exact || schedule->deadline_us == (double)INFINITY ||
           trn_stream_schedule_clock(schedule) < schedule->deadline_us;
}

/// Whether more than half of the update's time is left.
bool trn_stream_schedule_has_half(TrnStreamSchedule *schedule);

/// Sixteen counters for every doubling of a nanosecond: percentiles are at most 6.25 % too large.
#define TRN_STREAM_TIMES_BITS 4
#define TRN_STREAM_TIMES_COUNTERS ((43 - TRN_STREAM_TIMES_BITS) << TRN_STREAM_TIMES_BITS)

typedef struct TrnStreamHistogram {
    uint64_t count;
    double sum, max;
    uint32_t counters[TRN_STREAM_TIMES_COUNTERS];
} TrnStreamHistogram;

/// Adds a time. @param us  negative or NaN counts as 0, more than an hour as an hour
void trn_stream_times_add(TrnStreamHistogram *times, double us);

/// Returns count, mean, percentiles and maximum. Cost: O(counters).
TrnStreamTimes trn_stream_times_of(const TrnStreamHistogram *times);

#endif
