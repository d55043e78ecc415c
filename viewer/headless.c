#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "headless.h"

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
#include "measure.h"
#include "player/person.h"
#include "report.h"
#include "series/series_file.h"
#include "viewer.h"

#define STEP_SECONDS (1.0 / 60)
// While a view is loaded completely, this much at a time, between looks at the clock for the
// progress line.
#define FILL_UNITS 1024u
#define QUIET_STUCK 4096u // updates without anything new after which there is no hope of it
#define PICTURE_SAMPLES 4
#define PICTURE_NAME "flight.png"
#define SLICES_NAME "index-slices.png"
#define SLICE_EDGE 640 // pixels
#define PROGRESS_US 5e6

/// One headless flight.
typedef struct Headless {
    Viewer viewer;
    HeadlessDef def;
    const Flight *flight; ///< the def's
    int frames;           ///< at most
    Clearance clearance;
    Person person; ///< who repeats the edits of a recording; unused if it has none
    Replay replay;
    Recorder recorder;
    SeriesLog log;
    uint32_t warned;
    double told_us; ///< when it was last said how far it is
} Headless;

/// Work for one frame. It depends on nothing but the view distance, so that every run does the
/// same: a flight at the usual speed needs new chunks in proportion to the surface of what is
/// loaded.
static TrnStreamBudget frame_budget(const Settings *settings)
{
    const int detail = settings_detail_distance(settings);
    const uint32_t chunks = 32 + (uint32_t)(detail * detail) / 2;
    return (TrnStreamBudget){.units = 2 * chunks}; // each is made, and meshed
}

/// To be asked once a frame: true until a signal has come.
static bool may_go_on(Message *problem)
{
    return !interrupt_came() || message_set(problem, "Interrupted; nothing was written.");
}

static void show_progress(const Viewer *viewer, double *shown_us)
{
    if (clock_us() - *shown_us < 2e6) {
        return;
    }
    *shown_us = clock_us();
    const TrnStreamStats stats = world_stats(viewer->world).stream;
    fprintf(stderr, "terrane-viewer: loading the view, %u chunks there, %u shown, %u waiting\n",
            stats.loaded, stats.shown, stats.queued);
}

/// Loads all that belongs to the present view.
static bool load_view(Headless *headless, Message *problem)
{
    Viewer *viewer = &headless->viewer;
    double shown_us = clock_us();
    do {
        if (!may_go_on(problem) || (viewer_is_lost(viewer) && !viewer_renew(viewer, problem))) {
            return false;
        }
        viewer_update(viewer, (TrnStreamBudget){.units = FILL_UNITS}, NULL);
        if (world_quiet_updates(viewer->world) > QUIET_STUCK) {
            return message_set(problem, "Loading the view has stopped: %s",
                               trn_result_text(world_problem(viewer->world)));
        }
        show_progress(viewer, &shown_us);
    } while (!world_is_idle(viewer->world));
    gather_compare_settle(&viewer->compare);
    viewer_warn_refused(viewer, &headless->warned);
    return true;
}

/// Recordings are flown in steps of time, plans are spread over the frames.
static bool flies_by_clock(const HeadlessDef *def)
{
    return def->by_clock || def->flight->is_recording;
}

int headless_frames(const HeadlessDef *def)
{
    const Settings *const settings = def->settings;
    const bool is_given = settings_is_given(settings, &settings->frames);
    if (!flies_by_clock(def)) {
        return settings->frames;
    }
    const int all = 1 + (int)ceil(flight_duration(def->flight) / STEP_SECONDS - 1e-6);
    return is_given && settings->frames < all ? settings->frames : all;
}

/// Of the flight.
static double seconds_at(const Headless *headless, int frame)
{
    if (flies_by_clock(&headless->def)) {
        return frame * STEP_SECONDS;
    }
    const int last = headless->frames - 1;
    return (last > 0 ? (double)frame / last : 1) * flight_duration(headless->flight);
}

/// Along the flight, or to where --at says.
static Camera flight_camera(Headless *headless, int frame)
{
    double pose[5];
    clearance_sample(&headless->clearance, headless->flight, world_terrain(headless->viewer.world),
                     seconds_at(headless, frame), pose);
    return camera_at(headless->viewer.settings->placed ? headless->viewer.at : pose);
}

static void place_camera(Headless *headless, int frame)
{
    double before[3], now[3];
    camera_voxel(&headless->viewer.camera, before);
    headless->viewer.camera = flight_camera(headless, frame);
    camera_voxel(&headless->viewer.camera, now);
    for (int axis = 0; axis < 3; axis++) {
        headless->viewer.velocity[axis] = frame ? (now[axis] - before[axis]) / STEP_SECONDS : 0;
    }
    headless->viewer.seconds = frame * STEP_SECONDS;
}

/// Does the edits that are due. What they touch is loaded first, outside of the frame's times: a
/// recording digs where it dug, however fast the land came then.
static bool repeat_edits(Headless *headless, int frame, Message *problem)
{
    Viewer *viewer = &headless->viewer;
    Replay *replay = &headless->replay;
    const double seconds = seconds_at(headless, frame);
    while (!replay_is_ready(replay, seconds) && world_quiet_updates(viewer->world) <= QUIET_STUCK) {
        if (!may_go_on(problem)) {
            return false;
        }
        viewer_update(viewer, (TrnStreamBudget){.units = FILL_UNITS}, NULL);
    }
    if (replay->edits) {
        replay_advance(replay, seconds);
    }
    return true;
}

/// What moves by itself. @return us
static double move_debris(const Headless *headless)
{
    const double start = clock_us();
    (void)debris_step(headless->viewer.debris, STEP_SECONDS);
    return clock_us() - start;
}

static void record_frame(Headless *headless, int frame, SeriesFrame *values)
{
    Recorder *recorder = &headless->recorder;
    Message news;
    if (!recorder->writer) {
        return;
    }
    recorder->seconds = frame * STEP_SECONDS; // exactly, not by adding up
    if (recorder_frame(recorder, 0, &headless->viewer.camera, &news)) {
        fprintf(stderr, "terrane-viewer: %s\n", news.text);
    }
    values->values[SERIES_RECORD] = recorder->us;
}

/// Brings everything to where it is in a frame.
static bool step_frame(Headless *headless, int frame, SeriesFrame *values, Message *problem)
{
    place_camera(headless, frame);
    if (viewer_is_lost(&headless->viewer) &&
        !(viewer_renew(&headless->viewer, problem) && load_view(headless, problem))) {
        return false;
    }
    record_frame(headless, frame, values);
    if (!repeat_edits(headless, frame, problem)) {
        return false;
    }
    values->values[SERIES_DEBRIS] = move_debris(headless);
    world_flow(headless->viewer.world, STEP_SECONDS, headless->viewer.settings->flows);
    return true;
}

/// @param update  receives what was loaded
static bool draw_frame(Headless *headless, SeriesFrame *values, TrnStreamReport *update,
                       Message *problem)
{
    Viewer *viewer = &headless->viewer;
    double start = clock_us();
    viewer_update(viewer, frame_budget(viewer->settings), update);
    viewer_watch_index(viewer, viewer->seconds);
    if (!viewer_draw(viewer, problem)) {
        return false;
    }
    const double moved_ms = values->values[SERIES_DEBRIS] * 1e-3;
    values->values[SERIES_WORK] = (clock_us() - start) * 1e-3 + moved_ms;
    glFinish(); // a frame is over when it is drawn
    values->values[SERIES_FRAME] = (clock_us() - start) * 1e-3 + moved_ms;
    start = clock_us();
    gather_compare_after(&viewer->compare, world_store(viewer->world), viewer_box(viewer));
    values->values[SERIES_COMPARE] = clock_us() - start;
    return true;
}

static bool fly_frame(Headless *headless, int frame, Message *problem)
{
    Viewer *viewer = &headless->viewer;
    const HeadlessDef *def = &headless->def;
    TrnStreamReport update;
    SeriesFrame values = series_frame();
    if (!step_frame(headless, frame, &values, problem) ||
        !draw_frame(headless, &values, &update, problem)) {
        return false;
    }
    viewer_warn_refused(viewer, &headless->warned);
    (void)measure_frame(viewer, &update, &values);
    if (frame == 0) { // with it the whole view has come
        values.values[SERIES_UPLOADED] = values.values[SERIES_MOVED] = NAN;
        values.values[SERIES_CARD_PERCENT] = NAN;
    }
    if (!series_log_add(&headless->log, &values)) {
        return message_set(problem, "Out of memory: cannot keep what was measured.");
    }
    return !def->drawn || def->drawn(def->user, viewer, frame, problem);
}

/// Loads the first view.
static bool begin_flight(Headless *headless, Message *problem)
{
    if (headless->viewer.settings->placed) {
        Message news;
        viewer_place(&headless->viewer, &news);
        if (news.text[0]) {
            fprintf(stderr, "terrane-viewer: %s\n", news.text);
        }
    }
    place_camera(headless, 0);
    return load_view(headless, problem);
}

/// The hand for the edits of a recording, and the file for a new one.
static bool begin_recordings(Headless *headless, Message *problem)
{
    Viewer *viewer = &headless->viewer;
    const Settings *settings = viewer->settings;
    const FlightHead head = options_flight_head(settings);
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

/// How far it is, now and then: where the processor draws, a flight takes minutes. A benchmark says
/// so itself.
static void tell_frame(Headless *headless, int frame)
{
    const double now = clock_us();
    if (headless->def.by_clock || now - headless->told_us < PROGRESS_US) {
        return;
    }
    headless->told_us = now;
    fprintf(stderr, "terrane-viewer: frame %d of %d\n", frame, headless->frames);
}

/// Says which picture will not be written.
static void warn_of_pictures(const Headless *headless)
{
    const int behind = options_picture_behind(headless->viewer.settings, headless->frames);
    if (behind >= 0) {
        fprintf(stderr,
                "terrane-viewer: there will be no picture of frame %d: the flight has frames 0 to "
                "%d.\n",
                behind, headless->frames - 1);
    }
}

static bool fly(Headless *headless, Message *problem)
{
    headless->frames = headless_frames(&headless->def);
    warn_of_pictures(headless);
    if (!begin_flight(headless, problem) || !begin_recordings(headless, problem)) {
        return false;
    }
    trace_end_frame(headless->viewer.trace); // all of the loading is one frame of the trace
    headless->told_us = clock_us();
    for (int frame = 0; frame < headless->frames; frame++) {
        if (!may_go_on(problem) || !fly_frame(headless, frame, problem)) {
            return false;
        }
        tell_frame(headless, frame + 1);
    }
    return true;
}

/// Both slices of the index side by side.
static bool write_slices(const Viewer *viewer, Message *problem)
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

/// The picture is one frame more, not measured, with everything loaded, smooth edges, and the best
/// quality if no other was asked for.
static bool draw_picture(Headless *headless, Message *problem)
{
    Viewer *viewer = &headless->viewer;
    Look look = settings_look(viewer->settings, LOOK_QUALITY_HIGH);
    look.samples = look.samples ? look.samples : PICTURE_SAMPLES;
    if (!load_view(headless, problem) || !renderer_set_look(viewer->renderer, &look, problem)) {
        return false;
    }
    viewer_look_at_index(viewer, viewer->seconds);
    return viewer_draw(viewer, problem) && may_go_on(problem) &&
           viewer_write_picture(viewer, viewer->settings->width, viewer->settings->height,
                                PICTURE_NAME, problem) &&
           (!viewer->settings->index_view || write_slices(viewer, problem));
}

/// Whether all that was asked gave the same answers, and the driver found nothing wrong.
static bool check_answers(Viewer *viewer, Message *problem)
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

static bool finish_recording(Headless *headless, Message *problem)
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

static bool fly_in(Headless *headless, const HeadlessDef *def, Message *problem)
{
    Viewer *viewer = &headless->viewer;
    return viewer_open(viewer, def->settings, problem) && fly(headless, problem) &&
           (!def->flown || def->flown(def->user, viewer, &headless->log, problem)) &&
           finish_recording(headless, problem);
}

static void close_headless(Headless *headless)
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
    const bool good = fly_in(&headless, def, problem) && check_answers(&headless.viewer, problem);
    close_headless(&headless);
    return good;
}

// ---- --headless ---------------------------------------------------------------------------------

/// One picture of many.
static bool write_frame(void *user, const Viewer *viewer, int frame, Message *problem)
{
    (void)user;
    const Settings *const settings = viewer->settings;
    char name[32];
    (void)snprintf(name, sizeof name, "frame-%05d.png", frame);
    return !options_wants_picture(settings, frame) ||
           viewer_write_picture(viewer, settings->width, settings->height, name, problem);
}

/// Flies, and writes and prints all that comes of it.
static bool run_flight(Headless *headless, WholeFile *csv, Message *problem)
{
    Viewer *viewer = &headless->viewer;
    if (!fly_in(headless, &headless->def, problem) || !draw_picture(headless, problem)) {
        return false;
    }
    if (!report_print(stdout, viewer, &headless->log)) {
        return message_set(problem, "Out of memory: cannot sum up what was measured.");
    }
    return (!csv->file || series_file_finish(csv, &headless->log, problem)) &&
           viewer_finish_trace(viewer, problem) && check_answers(viewer, problem);
}

bool headless_run(Settings *settings, const Flight *flight, Message *problem)
{
    // Before the flight, not after it.
    WholeFile csv = {.file = NULL};
    if (!image_prepare_folder(settings->out, PICTURE_NAME, problem) ||
        (settings->csv && !series_file_open(&csv, settings->csv, problem))) {
        return false;
    }
    const HeadlessDef def = {.settings = settings, .flight = flight, .drawn = write_frame};
    Headless headless = {.def = def, .flight = flight};
    const bool good = run_flight(&headless, &csv, problem);
    close_headless(&headless);
    whole_file_drop(&csv);
    if (!good && interrupt_came() && settings->pictures) {
        return message_set(problem, "Interrupted; only pictures of single frames were written.");
    }
    return good;
}
