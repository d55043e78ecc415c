#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "headless/headless.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "clock.h"
#include "flight/clearance.h"
#include "flight/recorder.h"
#include "flight/replay.h"
#include "image.h"
#include "index_view/index_slice.h"
#include "interrupt.h"
#include "player/person.h"
#include "scene/measure.h"
#include "scene/viewer.h"
#include "series/series.h"
#include "whole_file.h"

#define STEP_SECONDS (1.0 / 60)
// Units of work between two checks of the clock while the whole view is loaded.
#define FILL_UNITS 1024u
#define QUIET_STUCK 4096u // updates without progress: loading is stuck
#define PICTURE_SAMPLES 4
#define PICTURE_NAME "flight.png"
#define SLICES_NAME "index-slices.png"
#define SLICE_EDGE 640 // pixels
#define PROGRESS_US 5e6

/// One headless flight.
typedef struct Headless {
    Viewer viewer;
    HeadlessDef def;
    const Flight *flight; ///< of `def`
    int frames;           ///< number of frames
    Clearance clearance;
    Person person; ///< repeats the edits of a recording; unused without edits
    Replay replay;
    Recorder recorder;
    SeriesLog log;
    double told_us; ///< when progress was printed last
} Headless;

/// Returns the work for one frame. It depends only on the view distance, so that every run is the
/// same: a flight at the usual speed needs new chunks in proportion to the surface of the loaded
/// volume.
static TrnStreamBudget headless_frame_budget(const Settings *settings)
{
    const int detail = settings_detail_distance(settings);
    const uint32_t chunks = 32 + (uint32_t)(detail * detail) / 2;
    return (TrnStreamBudget){.units = 2 * chunks}; // each is generated and meshed
}

/// Call it once a frame. @return false once a signal has arrived
static bool headless_may_go_on(Message *problem)
{
    return !interrupt_came() || message_set(problem, "Interrupted; nothing was written.");
}

static void headless_show_progress(const Viewer *viewer, double *shown_us)
{
    if (clock_us() - *shown_us < 2e6) {
        return;
    }
    *shown_us = clock_us();
    const TrnStreamStats stats = world_stats(viewer->world).stream;
    fprintf(stderr, "terrane-viewer: loading the view, %u chunks there, %u shown, %u waiting\n",
            stats.loaded, stats.shown, stats.queued);
}

/// Loads the whole view.
static bool headless_load_view(Headless *headless, Message *problem)
{
    Viewer *viewer = &headless->viewer;
    double shown_us = clock_us();
    do {
        if (!headless_may_go_on(problem) ||
            (viewer_is_lost(viewer) && !viewer_renew(viewer, problem))) {
            return false;
        }
        viewer_update(viewer, (TrnStreamBudget){.units = FILL_UNITS}, NULL);
        if (world_quiet_updates(viewer->world) > QUIET_STUCK) {
            return message_set(problem, "Loading the view has stopped: %s",
                               trn_result_text(world_problem(viewer->world)));
        }
        headless_show_progress(viewer, &shown_us);
    } while (!world_is_idle(viewer->world));
    gather_compare_settle(&viewer->compare);
    viewer_warn_refused(viewer);
    return true;
}

/// Whether frames are 1/60 s apart; otherwise a plan is spread over the frames.
static bool headless_flies_by_clock(const HeadlessDef *def)
{
    return def->by_clock || def->flight->is_recording;
}

int headless_frames(const HeadlessDef *def)
{
    const Settings *const settings = def->settings;
    const bool is_given = settings_is_given(settings, &settings->frames);
    if (!headless_flies_by_clock(def)) {
        return settings->frames;
    }
    const int all = 1 + (int)ceil(flight_duration(def->flight) / STEP_SECONDS - 1e-6);
    return is_given && settings->frames < all ? settings->frames : all;
}

/// Returns the time of a frame in the flight.
static double headless_seconds_at(const Headless *headless, int frame)
{
    if (headless_flies_by_clock(&headless->def)) {
        return frame * STEP_SECONDS;
    }
    const int last = headless->frames - 1;
    return (last > 0 ? (double)frame / last : 1) * flight_duration(headless->flight);
}

/// Returns the camera on the flight, or at the place of --at.
static Camera headless_flight_camera(Headless *headless, int frame)
{
    double pose[5];
    clearance_sample(&headless->clearance, headless->flight, world_terrain(headless->viewer.world),
                     headless_seconds_at(headless, frame), pose);
    return camera_at(headless->viewer.settings->placed ? headless->viewer.at : pose);
}

static void headless_place_camera(Headless *headless, int frame)
{
    double before[3], now[3];
    camera_voxel(&headless->viewer.camera, before);
    headless->viewer.camera = headless_flight_camera(headless, frame);
    camera_voxel(&headless->viewer.camera, now);
    for (int axis = 0; axis < 3; axis++) {
        headless->viewer.velocity[axis] = frame ? (now[axis] - before[axis]) / STEP_SECONDS : 0;
    }
    headless->viewer.seconds = frame * STEP_SECONDS;
}

/// Executes the due edits. Loads their chunks first, outside the frame's times: a recording must
/// dig where it dug before, however fast its land was loaded then.
static bool headless_repeat_edits(Headless *headless, int frame, Message *problem)
{
    Viewer *viewer = &headless->viewer;
    Replay *replay = &headless->replay;
    const double seconds = headless_seconds_at(headless, frame);
    while (!replay_is_ready(replay, seconds) && world_quiet_updates(viewer->world) <= QUIET_STUCK) {
        if (!headless_may_go_on(problem)) {
            return false;
        }
        viewer_update(viewer, (TrnStreamBudget){.units = FILL_UNITS}, NULL);
    }
    if (replay->edits) {
        replay_advance(replay, seconds);
    }
    return true;
}

/// Moves the debris. @return us
static double headless_move_debris(const Headless *headless)
{
    const double start = clock_us();
    (void)debris_step(headless->viewer.debris, STEP_SECONDS);
    return clock_us() - start;
}

static void headless_record_frame(Headless *headless, int frame, SeriesFrame *values)
{
    Recorder *recorder = &headless->recorder;
    Message news;
    if (!recorder->writer) {
        return;
    }
    recorder->seconds = frame * STEP_SECONDS; // exact, not accumulated
    if (recorder_frame(recorder, 0, &headless->viewer.camera, &news)) {
        fprintf(stderr, "terrane-viewer: %s\n", news.text);
    }
    values->values[SERIES_RECORD] = recorder->us;
}

/// Moves camera, edits and debris to their state in a frame.
static bool headless_step_frame(Headless *headless, int frame, SeriesFrame *values,
                                Message *problem)
{
    headless_place_camera(headless, frame);
    if (viewer_is_lost(&headless->viewer) &&
        !(viewer_renew(&headless->viewer, problem) && headless_load_view(headless, problem))) {
        return false;
    }
    headless_record_frame(headless, frame, values);
    if (!headless_repeat_edits(headless, frame, problem)) {
        return false;
    }
    values->values[SERIES_DEBRIS] = headless_move_debris(headless);
    world_flow(headless->viewer.world, STEP_SECONDS, headless->viewer.settings->flows);
    return true;
}

/// @param update  receives the report of the stream's update
static bool headless_draw_frame(Headless *headless, SeriesFrame *values, TrnStreamReport *update,
                                Message *problem)
{
    Viewer *viewer = &headless->viewer;
    double start = clock_us();
    viewer_update(viewer, headless_frame_budget(viewer->settings), update);
    viewer_watch_index(viewer, viewer->seconds);
    if (!viewer_draw(viewer, problem)) {
        return false;
    }
    const double moved_ms = values->values[SERIES_DEBRIS] * 1e-3;
    values->values[SERIES_WORK] = (clock_us() - start) * 1e-3 + moved_ms;
    glFinish(); // a frame ends when the driver has drawn it
    values->values[SERIES_FRAME] = (clock_us() - start) * 1e-3 + moved_ms;
    start = clock_us();
    gather_compare_after(&viewer->compare, world_store(viewer->world), viewer_box(viewer));
    values->values[SERIES_COMPARE] = clock_us() - start;
    return true;
}

static bool headless_fly_frame(Headless *headless, int frame, Message *problem)
{
    Viewer *viewer = &headless->viewer;
    const HeadlessDef *def = &headless->def;
    TrnStreamReport update;
    SeriesFrame values = series_frame();
    if (!headless_step_frame(headless, frame, &values, problem) ||
        !headless_draw_frame(headless, &values, &update, problem)) {
        return false;
    }
    viewer_warn_refused(viewer);
    (void)measure_frame(viewer, &update, &values);
    if (frame == 0) { // the first frame includes loading the whole view
        values.values[SERIES_UPLOADED] = values.values[SERIES_MOVED] = NAN;
        values.values[SERIES_CARD_PERCENT] = NAN;
    }
    if (!series_log_add(&headless->log, &values)) {
        return message_set(problem, "Out of memory: cannot keep what was measured.");
    }
    return !def->drawn || def->drawn(def->user, viewer, frame, problem);
}

/// Loads the first view.
static bool headless_begin_flight(Headless *headless, Message *problem)
{
    const WorldFacts *facts = keep_facts(headless->viewer.keep);
    Message news;
    if (facts && world_facts_tell_old(facts, headless->viewer.settings->world, &news)) {
        fprintf(stderr, "terrane-viewer: %s\n", news.text);
    }
    if (headless->viewer.settings->placed) {
        viewer_place(&headless->viewer, &news);
        if (news.text[0]) {
            fprintf(stderr, "terrane-viewer: %s\n", news.text);
        }
    }
    headless_place_camera(headless, 0);
    return headless_load_view(headless, problem);
}

/// Creates the hand for a recording's edits, and the file of a new recording.
static bool headless_begin_recordings(Headless *headless, Message *problem)
{
    Viewer *viewer = &headless->viewer;
    const Settings *settings = viewer->settings;
    const FlightHead head = command_line_flight_head(settings);
    Message reason;
    if (!replay_fits_land(headless->flight, &head, world_terrain(viewer->world), &reason)) {
        fprintf(stderr, "terrane-viewer: The flight does not fit this land: %s.\n", reason.text);
    }
    if (headless->flight->edit_count) {
        const PersonDef def = {.world = viewer->world,
                               .debris = viewer->debris,
                               .settings = player_settings(),
                               .camera = &viewer->camera,
                               .recorder = &headless->recorder};
        if (!person_create(&headless->person, &def, problem) ||
            !replay_create(&headless->replay, settings->flight ? settings->flight : "flight",
                           headless->flight, viewer->world, headless->person.hand, problem)) {
            return false;
        }
    }
    const RecorderPlace place = {&head, settings->out, viewer->world, &viewer->camera};
    return !settings->record ||
           recorder_begin(&headless->recorder, &place, settings->record, problem);
}

/// Prints progress from time to time: with a software renderer a flight takes minutes. A benchmark
/// prints its own progress.
static void headless_tell_frame(Headless *headless, int frame)
{
    const double now = clock_us();
    if (headless->def.by_clock || now - headless->told_us < PROGRESS_US) {
        return;
    }
    headless->told_us = now;
    fprintf(stderr, "terrane-viewer: frame %d of %d\n", frame, headless->frames);
}

/// Warns about pictures beyond the flight's frames.
static void headless_warn_of_pictures(const Headless *headless)
{
    const int behind = command_line_picture_behind(headless->viewer.settings, headless->frames);
    if (behind >= 0) {
        fprintf(stderr,
                "terrane-viewer: there will be no picture of frame %d: the flight has frames 0 to "
                "%d.\n",
                behind, headless->frames - 1);
    }
}

static bool headless_fly_all(Headless *headless, Message *problem)
{
    headless->frames = headless_frames(&headless->def);
    headless_warn_of_pictures(headless);
    if (!headless_begin_flight(headless, problem) ||
        !headless_begin_recordings(headless, problem)) {
        return false;
    }
    trace_end_frame(headless->viewer.trace); // loading is one frame of the trace
    headless->told_us = clock_us();
    for (int frame = 0; frame < headless->frames; frame++) {
        if (!headless_may_go_on(problem) || !headless_fly_frame(headless, frame, problem)) {
            return false;
        }
        headless_tell_frame(headless, frame + 1);
    }
    return true;
}

/// Writes both slices of the index side by side.
static bool headless_write_slices(const Viewer *viewer, Message *problem)
{
    int width, height;
    unsigned char *rgb = index_slice_picture(&viewer->index, SLICE_EDGE, &width, &height);
    if (!rgb) {
        return message_set(problem, "Out of memory: cannot make the picture %s.", SLICES_NAME);
    }
    const bool good =
        image_write_png(viewer->settings->out, SLICES_NAME, rgb, width, height, problem);
    free(rgb);
    return good;
}

/// Draws the final picture: one more frame, not measured, with all chunks loaded, multisampling,
/// and the best quality unless another was chosen.
static bool headless_draw_picture(Headless *headless, Message *problem)
{
    Viewer *viewer = &headless->viewer;
    Look look = settings_look(viewer->settings, LOOK_QUALITY_HIGH);
    look.samples = look.samples ? look.samples : PICTURE_SAMPLES;
    if (!headless_load_view(headless, problem) ||
        !renderer_set_look(viewer->renderer, &look, problem)) {
        return false;
    }
    viewer_look_at_index(viewer, viewer->seconds);
    return viewer_draw(viewer, problem) && headless_may_go_on(problem) &&
           viewer_write_picture(viewer, viewer->settings->width, viewer->settings->height,
                                PICTURE_NAME, false, NULL, problem) &&
           (!viewer->settings->index_view || headless_write_slices(viewer, problem));
}

/// Whether all containers gave equal answers, and the driver reported no error.
static bool headless_check_answers(Viewer *viewer, Message *problem)
{
    const GatherCompare *const compare = &viewer->compare;
    const uint32_t errors = gl_context_errors(&viewer->window.context);
    if (errors) {
        return message_set(problem, "OpenGL reported %u errors; this is a bug.", errors);
    }
    if (compare->lost) {
        return message_set(problem, "There was no memory to compare the gathers to the end.");
    }
    return compare->equal == compare->compared ||
           message_set(problem,
                       "Index, spatial array and maps gave different chunks in %llu of "
                       "%llu frames; this is a bug.",
                       (unsigned long long)(compare->compared - compare->equal),
                       (unsigned long long)compare->compared);
}

static bool headless_finish_recording(Headless *headless, Message *problem)
{
    Message news;
    if (headless->replay.failed) {
        fprintf(stderr, "terrane-viewer: %zu of %zu edits changed nothing.\n",
                headless->replay.failed, headless->flight->edit_count);
    }
    if (!recorder_finish(&headless->recorder, &news)) {
        return message_set(problem, "%s", news.text);
    }
    if (news.text[0]) {
        fprintf(stderr, "terrane-viewer: %s\n", news.text);
    }
    return true;
}

static bool headless_fly_in(Headless *headless, const HeadlessDef *def, Message *problem)
{
    Viewer *viewer = &headless->viewer;
    return viewer_open(viewer, def->settings, NULL, problem) &&
           headless_fly_all(headless, problem) &&
           (!def->flown || def->flown(def->user, viewer, &headless->log, problem)) &&
           headless_finish_recording(headless, problem);
}

static void headless_close_headless(Headless *headless)
{
    recorder_drop(&headless->recorder);
    replay_free(&headless->replay);
    person_free(&headless->person);
    viewer_close(&headless->viewer);
    series_log_free(&headless->log);
}

bool headless_fly(const HeadlessDef *def, Message *problem)
{
    Headless headless = {.def = *def, .flight = def->flight};
    const bool good = headless_fly_in(&headless, def, problem) &&
                      headless_check_answers(&headless.viewer, problem);
    headless_close_headless(&headless);
    return good;
}

// ---- --headless ---------------------------------------------------------------------------------

/// Writes one of the pictures that --pictures requests.
static bool headless_write_frame(void *user, const Viewer *viewer, int frame, Message *problem)
{
    (void)user;
    const Settings *const settings = viewer->settings;
    char name[32];
    (void)snprintf(name, sizeof name, "frame-%05d.png", frame);
    return !command_line_wants_picture(settings, frame) ||
           viewer_write_picture(viewer, settings->width, settings->height, name, false, NULL,
                                problem);
}

// ---- the table of figures
// ------------------------------------------------------------------------

// The series that are printed after a flight, in this order; the CSV file has all.
static const Series REPORT_ROWS[] = {
    SERIES_FRAME,
    SERIES_UPDATE,
    SERIES_CULL,
    SERIES_CULL_CPU,
    SERIES_UPLOADED,
    SERIES_MOVED,
    SERIES_CARD_PERCENT,
    SERIES_GATHERED,
    SERIES_GATHER,
    SERIES_GATHER_INDEX,
    SERIES_GATHER_ARRAY,
    SERIES_GATHER_FLAT_MAP,
    SERIES_GATHER_FLAT_MAP_FILTERED,
    SERIES_GATHER_MAP,
    SERIES_GATHER_MAP_FILTERED,
    SERIES_RECORD,
};

static void headless_print_row(FILE *stream, Series series, const SeriesSummary *summary)
{
    const SeriesInfo info = series_info(series);
    if (summary->count) {
        fprintf(stream, "  %-34s %10.1f %10.1f %10.1f %10.1f %10.1f  %s\n", info.text, summary->p50,
                summary->p95, summary->p99, summary->p999, summary->max, info.unit);
    }
}

static double headless_mebibytes(size_t bytes)
{
    return (double)bytes / (1024 * 1024);
}

static void headless_print_memory(FILE *stream, const Viewer *viewer)
{
    TrnStoreStats store = trn_store_stats(world_store(viewer->world));
    RendererStats renderer = renderer_stats(viewer->renderer);
    fprintf(
        stream,
        "  chunks  %u loaded (%u of a single block), %zu drawn in the last frame: %zu quads in %u "
        "calls; %zu behind nearer land\n",
        store.chunks, store.uniform_chunks, renderer.chunks_drawn, renderer.quads_drawn,
        renderer.draw_calls, renderer.chunks_behind_land);
    fprintf(
        stream,
        "  memory  %.1f MiB in the store: voxels %.1f, headers %.1f, index %.1f; quads %.1f MiB\n",
        headless_mebibytes(store.total_bytes), headless_mebibytes(store.voxel_bytes),
        headless_mebibytes(store.header_bytes), headless_mebibytes(store.index_bytes),
        headless_mebibytes(renderer.card.held_bytes));
}

static void headless_print_verdict(FILE *stream, const SeriesSummary *all)
{
    double medians[SERIES_COUNT];
    for (int i = 0; i < SERIES_COUNT; i++) {
        medians[i] = all[i].p50;
    }
    const GatherVerdict verdict = gather_verdict(medians);
    fprintf(stream, "  medians by Terrane's: %s %.1f", gather_way_name(verdict.best),
            verdict.by_best);
    if (verdict.best != verdict.map) {
        fprintf(stream, "; %s %.1f", gather_way_name(verdict.map), verdict.by_map);
    }
    if (verdict.by_array > 0) {
        fprintf(stream, "; flat array %.1f", verdict.by_array);
    }
    fprintf(stream, "\n");
    if (verdict.is_small) {
        fprintf(stream, "  A view of %.0f chunks is too small for the difference to matter.\n",
                medians[SERIES_GATHERED]);
    }
}

/// Prints the stream's work since the first view.
static void headless_print_stream(FILE *stream, const Viewer *viewer)
{
    const WorldStats stats = world_stats(viewer->world);
    const TrnStreamStats *done = &stats.stream;
    fprintf(stream,
            "  stream  %llu chunks generated, %llu meshed, %llu unloaded, by %u worker%s; "
            "%.1f MiB in all, at most %.1f",
            (unsigned long long)done->generated, (unsigned long long)done->meshed,
            (unsigned long long)done->unloaded, done->workers, done->workers == 1 ? "" : "s",
            headless_mebibytes(done->total_bytes), headless_mebibytes(done->total_bytes_peak));
    if (done->bytes_max) {
        fprintf(stream, " of %.0f", headless_mebibytes(done->bytes_max));
    }
    fprintf(stream, "\n");
    for (uint32_t i = 1; i <= stats.far.levels; i++) {
        const TrnFarLevelStats *level = &stats.far.level[i];
        fprintf(stream, "  level %u %u chunks loaded, %u shown, %u drawn, in %.1f MiB\n", i,
                level->loaded, level->shown, level->drawn, headless_mebibytes(level->bytes));
        if (level->is_shrunk) {
            fprintf(stream, "          %u of %u of its chunks: there is no memory for more\n",
                    level->rings, level->rings_wanted);
        }
    }
    if (stats.view.is_shrunk) {
        fprintf(stream, "  view    %u of %u chunks: there is no memory for more\n",
                stats.view.rings, stats.view.rings_wanted);
    }
}

static void headless_print_card(FILE *stream, const Viewer *viewer)
{
    const QuadBufferStats card = renderer_stats(viewer->renderer).card;
    fprintf(stream, "  card    %u quads in %.1f MiB, %.1f of it free%s; at most %.1f\n", card.quads,
            headless_mebibytes(card.held_bytes), headless_mebibytes(card.free_bytes),
            card.is_moving ? " (quads are moving)" : "", headless_mebibytes(card.peak_bytes));
}

static void headless_print_head(FILE *stream, const Viewer *viewer, size_t frames)
{
    const Settings *settings = viewer->settings;
    char land[256];
    terrain_choice_describe(&settings->choice, land, sizeof land);
    fprintf(stream, "flight of %zu frames, %dx%d, view distance %d chunks, seed %llu, %s\n", frames,
            settings->width, settings->height, settings_view_distance(settings),
            (unsigned long long)settings->seed, land);
    fprintf(stream, "  %-34s %10s %10s %10s %10s %10s\n", "", "p50", "p95", "p99", "p99.9", "max");
}

/// Prints the table after a flight. @return false if out of memory; then nothing is printed
static bool headless_print(FILE *stream, const Viewer *viewer, const SeriesLog *log)
{
    const GatherCompare *compare = &viewer->compare;
    SeriesSummary all[SERIES_COUNT];
    for (int i = 0; i < SERIES_COUNT; i++) {
        if (!series_log_summary(log, (Series)i, &all[i])) {
            return false;
        }
    }
    headless_print_head(stream, viewer, log->count);
    for (size_t i = 0; i < sizeof REPORT_ROWS / sizeof REPORT_ROWS[0]; i++) {
        headless_print_row(stream, REPORT_ROWS[i], &all[REPORT_ROWS[i]]);
    }
    if (!compare->flat_map) {
        fprintf(stream,
                "  not compared with boost::unordered_flat_map: built without Boost 1.81\n");
    }
    headless_print_verdict(stream, all);
    fprintf(stream, "  answers equal: %llu of %llu\n", (unsigned long long)compare->equal,
            (unsigned long long)compare->compared);
    headless_print_memory(stream, viewer);
    headless_print_card(stream, viewer);
    headless_print_stream(stream, viewer);
    return true;
}

/// Runs the flight, writes its files and prints its figures.
static bool headless_run_flight(Headless *headless, WholeFile *csv, Message *problem)
{
    Viewer *viewer = &headless->viewer;
    if (!headless_fly_in(headless, &headless->def, problem) ||
        !headless_draw_picture(headless, problem)) {
        return false;
    }
    if (!headless_print(stdout, viewer, &headless->log)) {
        return message_set(problem, "Out of memory: cannot sum up what was measured.");
    }
    return (!csv->file || series_file_finish(csv, &headless->log, problem)) &&
           viewer_finish_trace(viewer, problem) && headless_check_answers(viewer, problem);
}

bool headless_run(Settings *settings, const Flight *flight, Message *problem)
{
    // Opened before the flight, so that an unwritable path is reported early.
    WholeFile csv = {.file = NULL};
    if (!image_prepare_folder(settings->out, PICTURE_NAME, problem) ||
        (settings->csv && !series_file_open(&csv, settings->csv, problem))) {
        return false;
    }
    const HeadlessDef def = {.settings = settings, .flight = flight, .drawn = headless_write_frame};
    Headless headless = {.def = def, .flight = flight};
    const bool good = headless_run_flight(&headless, &csv, problem);
    headless_close_headless(&headless);
    whole_file_drop(&csv);
    if (!good && interrupt_came() && settings->pictures) {
        return message_set(problem, "Interrupted; only pictures of single frames were written.");
    }
    return good;
}
