#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "headless/benchmark.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "assets.h"
#include "clock.h"
#include "headless/headless.h"
#include "image.h"
#include "interrupt.h"
#include "series/report_page.h"
#include "series/series.h"
#include "system.h"
#include "whole_file.h"

#define FLIGHTS_MAX 8
#define PICTURE_WIDTH_MAX 480 // of the page's pictures; larger ones are averaged down

/// The flights, and their results.
typedef struct Benchmark {
    const Settings *settings;
    ReportFlight flights[FLIGHTS_MAX];
    ReportPage page;
    double told_us; ///< time of the last progress line
    // The current flight:
    ReportFlight *now;
    size_t number, count;
    int frames;
} Benchmark;

/// A built-in flight.
typedef struct BuiltIn {
    const char *name, *title, *text;
    const size_t *bytes;
} BuiltIn;

static const BuiltIn BUILT_IN[] = {
    {"first", "In from the sea", asset_first_flight, &asset_first_flight_bytes},
    {"fast", "200 blocks a second", asset_fast_flight, &asset_fast_flight_bytes},
    {"caves", "Through a cave", asset_caves_flight, &asset_caves_flight_bytes},
    {"walk", "On foot", asset_walk_flight, &asset_walk_flight_bytes},
    {"digging", "Digging and building", asset_digging_flight, &asset_digging_flight_bytes},
};

// ---- pictures -----------------------------------------------------------------------------------

/// Averages blocks of pixels into a smaller picture. @param small  [width / by * (height / by) * 3]
static void benchmark_shrink_picture(const unsigned char *rgb, int width, int height, int by,
                                     unsigned char *small)
{
    for (int y = 0; y < height / by; y++) {
        for (int i = 0; i < width / by * 3; i++) {
            const size_t x = (size_t)(i / 3) * (size_t)by;
            unsigned sum = 0;
            for (int dy = 0; dy < by; dy++) {
                const size_t row = (size_t)y * (size_t)by + (size_t)dy;
                for (size_t dx = 0; dx < (size_t)by; dx++) {
                    sum += rgb[(row * (size_t)width + x + dx) * 3 + (size_t)(i % 3)];
                }
            }
            *small++ = (unsigned char)(sum / (unsigned)(by * by));
        }
    }
}

static bool benchmark_write_small_picture(const Benchmark *run, const Viewer *viewer, int frame,
                                          Message *problem)
{
    const int width = run->settings->width, height = run->settings->height;
    int by = (width + PICTURE_WIDTH_MAX - 1) / PICTURE_WIDTH_MAX;
    by = by > height ? height : by;
    const size_t bytes = (size_t)width * (size_t)height * 3;
    unsigned char *rgb = malloc(2 * bytes);
    if (!rgb) {
        return message_set(problem, "Out of memory: cannot make a picture.");
    }
    char name[96];
    (void)snprintf(name, sizeof name, "%s-%d.png", run->now->name, frame);
    renderer_read(viewer->renderer, rgb);
    benchmark_shrink_picture(rgb, width, height, by, rgb + bytes);
    const bool good = image_write_png(run->settings->benchmark, name, rgb + bytes, width / by,
                                      height / by, problem);
    free(rgb);
    return good;
}

// ---- one flight ---------------------------------------------------------------------------------

static void benchmark_tell_progress(Benchmark *run, int frame)
{
    if (clock_us() - run->told_us > 2e6) {
        run->told_us = clock_us();
        fprintf(stderr, "terrane-viewer: flight %zu of %zu, %s: frame %d of %d\n", run->number,
                run->count, run->now->name, frame, run->frames);
    }
}

static bool benchmark_hear_frame(void *user, const Viewer *viewer, int frame, Message *problem)
{
    Benchmark *const run = user;
    benchmark_tell_progress(run, frame);
    for (int i = 0; i < REPORT_PICTURES; i++) {
        if (run->now->pictures[i] == frame) {
            return benchmark_write_small_picture(run, viewer, frame, problem);
        }
    }
    return true;
}

static bool benchmark_write_figures(const char *folder, const char *name, const SeriesLog *log,
                                    Message *problem)
{
    char path[PATH_MAX];
    WholeFile csv;
    if (snprintf(path, sizeof path, "%s/%s.csv", folder, name) >= (int)sizeof path) {
        return message_set(problem, "The name of the folder %s is too long.",
                           message_short(folder).text);
    }
    return series_file_open(&csv, path, problem) && series_file_finish(&csv, log, problem);
}

static bool benchmark_hear_end(void *user, const Viewer *viewer, const SeriesLog *log,
                               Message *problem)
{
    Benchmark *const run = user;
    ReportFlight *const flight = run->now;
    for (int i = 0; i < SERIES_COUNT; i++) {
        if (!series_log_summary(log, (Series)i, &flight->series[i])) {
            return message_set(problem, "Out of memory: cannot sum up what was measured.");
        }
    }
    flight->frames = log->count;
    flight->compared = viewer->compare.compared;
    flight->equal = viewer->compare.equal;
    run->page.workers = world_stats(viewer->world).stream.workers;
    (void)snprintf(run->page.machine.driver, sizeof run->page.machine.driver, "%s, %s",
                   (const char *)glGetString(GL_RENDERER), (const char *)glGetString(GL_VERSION));
    return benchmark_write_figures(run->settings->benchmark, flight->name, log, problem);
}

/// Writes the description of a flight for the page, before it is flown.
static void benchmark_describe_flight(ReportFlight *report, const Settings *settings,
                                      const Flight *flight)
{
    char land[200];
    terrain_choice_describe(&settings->choice, land, sizeof land);
    (void)snprintf(report->land, sizeof report->land, "seed %llu, %s",
                   (unsigned long long)settings->seed, land);
    report->view_distance = settings_view_distance(settings);
    report->view_height = settings_view_height(settings);
    report->edits = flight->edit_count;
}

static bool benchmark_fly_one(Benchmark *run, const Flight *flight, Message *problem)
{
    Settings settings = *run->settings;
    ReportFlight *const now = run->now;
    settings.flight = now->name; // for messages
    if (!settings_is_given(&settings, &settings.on[LOOK_LAMP])) {
        settings.on[LOOK_LAMP] = 1; // so that the pictures show the inside of the cave
    }
    if (!command_line_take_flight(&settings, now->name, flight, problem)) {
        return false;
    }
    const HeadlessDef def = {.settings = &settings,
                             .flight = flight,
                             .by_clock = true,
                             .drawn = benchmark_hear_frame,
                             .flown = benchmark_hear_end,
                             .user = run};
    run->frames = headless_frames(&def);
    for (int i = 0; i < REPORT_PICTURES; i++) {
        now->pictures[i] =
            (int)((int64_t)run->frames * (2 * (int64_t)i + 1) / (INT64_C(2) * REPORT_PICTURES));
    }
    benchmark_describe_flight(now, &settings, flight);
    fprintf(stderr, "terrane-viewer: flight %zu of %zu, %s: %d frames\n", run->number, run->count,
            now->name, run->frames);
    return headless_fly(&def, problem) && report_write_script(settings.benchmark, now, problem);
}

// ---- plots --------------------------------------------------------------------------------------

static void benchmark_draw_plots(Benchmark *run)
{
    for (size_t i = 0; i < run->count; i++) {
        ReportFlight *const flight = &run->flights[i];
        char script[96];
        (void)snprintf(script, sizeof script, "%s.gnuplot", flight->name);
        const int code = system_run_quietly(run->settings->benchmark, "gnuplot", script);
        flight->has_plots = code == 0;
        if (code != 0) {
            run->page.no_plots =
                code == 127 ? "gnuplot was not installed (apt install gnuplot-nox); the figures "
                              "of all frames are in the CSV files."
                            : "gnuplot could not draw them; the figures of all frames are in the "
                              "CSV files.";
        }
    }
    if (run->page.no_plots) {
        fprintf(stderr, "terrane-viewer: there are no plots: %s\n", run->page.no_plots);
    }
}

// ---- the whole benchmark ------------------------------------------------------------------------

static bool benchmark_fly_built_in(Benchmark *run, Message *problem)
{
    run->count = sizeof BUILT_IN / sizeof BUILT_IN[0];
    for (size_t i = 0; i < run->count; i++) {
        const BuiltIn *const from = &BUILT_IN[i];
        Flight flight;
        run->number = i + 1;
        run->now = &run->flights[i];
        *run->now = (ReportFlight){.name = from->name, .title = from->title};
        if (!flight_parse(&flight, from->name, from->text, *from->bytes, problem)) {
            return false;
        }
        const bool good = benchmark_fly_one(run, &flight, problem);
        flight_free(&flight);
        if (!good) {
            return false;
        }
    }
    return true;
}

static bool benchmark_fly_given(Benchmark *run, const Flight *flight, Message *problem)
{
    run->count = run->number = 1;
    run->now = &run->flights[0];
    *run->now = (ReportFlight){.name = "flight", .title = run->settings->flight};
    return benchmark_fly_one(run, flight, problem);
}

bool benchmark_run(const Settings *settings, const Flight *flight, Message *problem)
{
    if (!image_prepare_folder(settings->benchmark, REPORT_PAGE_FILE, problem)) {
        return false;
    }
    Benchmark run = {.settings = settings,
                     .page = {.machine = report_machine(),
                              .width = settings->width,
                              .height = settings->height}};
    if (!(flight ? benchmark_fly_given(&run, flight, problem)
                 : benchmark_fly_built_in(&run, problem))) {
        return interrupt_came() ? message_set(problem, "Interrupted; there is no report.") : false;
    }
    benchmark_draw_plots(&run);
    const time_t now = time(NULL);
    const struct tm *utc = gmtime(&now);
    if (utc) {
        (void)strftime(run.page.machine.date, sizeof run.page.machine.date, "%Y-%m-%d %H:%M UTC",
                       utc);
    }
    run.page.flights = run.flights;
    run.page.count = run.count;
    if (!report_write_page(settings->benchmark, &run.page, problem)) {
        return false;
    }
    printf("Wrote %s/" REPORT_PAGE_FILE "\n", settings->benchmark);
    return true;
}
