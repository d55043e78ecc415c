#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "series/series_file.h"

#include <errno.h>
#include <math.h>
#include <string.h>

static bool csv_problem(const char *path, int error, Message *problem)
{
    const bool is_full = whole_file_lacks_space(error);
    return message_set(problem, "Cannot write the figures %s: %s; %s.", message_short(path).text,
                       strerror(error),
                       error == EISDIR ? "name a file"
                       : is_full       ? "make room, or choose another place"
                                       : "choose another place");
}

bool series_file_open(WholeFile *whole, const char *path, Message *problem)
{
    const int error = whole_file_open(whole, path);
    return !error || csv_problem(path, error, problem);
}

static void write_value(FILE *file, Series series, double value)
{
    if (isnan(value)) {
        (void)fputc(',', file);
    } else if (series_info(series).is_time) {
        (void)fprintf(file, ",%.4f", value);
    } else {
        (void)fprintf(file, ",%.10g", value);
    }
}

static void write_rows(FILE *file, const SeriesLog *log)
{
    (void)fputs("frame", file);
    for (int i = 0; i < SERIES_COUNT; i++) {
        (void)fprintf(file, ",%s", series_info((Series)i).name);
    }
    for (size_t row = 0; row < log->count; row++) {
        (void)fprintf(file, "\n%zu", row);
        for (int i = 0; i < SERIES_COUNT; i++) {
            write_value(file, (Series)i, log->frames[row].values[i]);
        }
    }
    (void)fputc('\n', file);
}

bool series_file_finish(WholeFile *whole, const SeriesLog *log, Message *problem)
{
    errno = 0;
    write_rows(whole->file, log);
    int error = ferror(whole->file) ? (errno ? errno : EIO) : 0;
    if (error) {
        whole_file_drop(whole);
    } else {
        error = whole_file_finish(whole);
    }
    return !error || csv_problem(whole->path, error, problem);
}
