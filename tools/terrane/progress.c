#define _POSIX_C_SOURCE 200809L // NOLINT(bugprone-reserved-identifier)
#include "progress.h"

#include <unistd.h>

#include "clock.h"

#define PROGRESS_FIRST_US 1e6
#define PROGRESS_INTERVAL_US 2e5

Progress progress_start(FILE *stream, const char *name, int64_t total)
{
    const bool is_terminal = isatty(fileno(stream));
    return (Progress){.stream = is_terminal ? stream : NULL,
                      .name = name,
                      .total = total,
                      .start_us = clock_us()};
}

static void progress_show_time_left(FILE *stream, double seconds)
{
    const int64_t whole = (int64_t)(seconds + 0.5), minutes = whole / 60, hours = minutes / 60;
    if (hours > 0) {
        fprintf(stream, "%lld h %lld min left", (long long)hours, (long long)(minutes % 60));
    } else if (minutes > 0) {
        fprintf(stream, "%lld min %lld s left", (long long)minutes, (long long)(whole % 60));
    } else {
        fprintf(stream, "%lld s left", (long long)whole);
    }
}

static void progress_show_at(Progress *progress, double now_us)
{
    const double passed = now_us - progress->start_us;
    if (passed < PROGRESS_FIRST_US || now_us - progress->shown_us < PROGRESS_INTERVAL_US) {
        return;
    }
    if (progress->total > 0 && progress->done > 0) {
        const double part = (double)progress->done / (double)progress->total;
        fprintf(progress->stream, "\r%s: %d %%, ", progress->name, (int)(part * 100));
        progress_show_time_left(progress->stream, passed * 1e-6 * (1 - part) / part);
    } else {
        fprintf(progress->stream, "\r%s: %d s", progress->name, (int)(passed * 1e-6));
    }
    fputs("\33[K", progress->stream); // erases what a longer line left
    fflush(progress->stream);
    progress->shown_us = now_us;
    progress->is_shown = true;
}

void progress_step_at(Progress *progress, double now_us)
{
    progress->done++;
    progress_show_at(progress, now_us);
}

void progress_set(Progress *progress, int64_t done, int64_t total)
{
    progress->done = done < total ? done : total;
    progress->total = total;
    if (progress->stream) {
        progress_show_at(progress, clock_us());
    }
}

void progress_step(Progress *progress)
{
    if (progress->stream) {
        progress_step_at(progress, clock_us());
    }
}

void progress_end(Progress *progress)
{
    if (progress->is_shown) {
        fputs("\r\33[K", progress->stream);
        fflush(progress->stream);
        progress->is_shown = false;
    }
}
