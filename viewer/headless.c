#include "headless.h"

#include <stdio.h>

#include "clearance.h"
#include "clock.h"
#include "guide.h"
#include "image.h"
#include "interrupt.h"
#include "report.h"
#include "viewer.h"

#define STEP_SECONDS (1.0 / 60)
// While a view is loaded completely, this much at a time, between looks at the clock for the
// progress line.
#define FILL_UNITS 1024u
#define QUIET_STUCK 4096u // updates without anything new after which there is no hope of it
#define PICTURE_SAMPLES 4
#define PICTURE_NAME "flight.png"

/// One headless flight, or a walk.
typedef struct Headless {
    Viewer viewer;
    const Flight *flight;
    Clearance clearance;
    const Route *walk; ///< without points: it is a flight
    Guide *guide;
    Player player;
    uint32_t said; ///< of what the guide had to say
    ReportSamples samples;
    uint32_t warned;
} Headless;

/// Work for one frame. It depends on nothing but the view distance, so that every run does the same: a flight at the usual speed needs
/// new chunks in proportion to the surface of what is loaded.
static TrnStreamBudget frame_budget(const Options *options)
{
    const uint32_t chunks = 32 + (uint32_t)(options->view_distance * options->view_distance) / 2;
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
            stats.there, stats.shown, stats.queued);
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

/// Along the flight, or to where --at says.
static Camera flight_camera(Headless *headless, int frame)
{
    int last = headless->viewer.options->frames - 1;
    double part = last > 0 ? (double)frame / last : 1;
    double pose[5];
    clearance_sample(&headless->clearance, headless->flight,
                     part * flight_duration(headless->flight), pose);
    return camera_at(headless->viewer.options->placed ? headless->viewer.options->at : pose);
}

/// The eyes of who is led.
static Camera walk_camera(Headless *headless)
{
    double yaw = 0, pitch = 0;
    if (headless->guide) {
        guide_look(headless->guide, &headless->player, &yaw, &pitch);
    }
    Camera camera;
    player_camera(&headless->player, yaw, pitch, &camera);
    return camera;
}

static void place_camera(Headless *headless, int frame)
{
    double before[3], now[3];
    camera_voxel(&headless->viewer.camera, before);
    headless->viewer.camera =
        headless->walk->count ? walk_camera(headless) : flight_camera(headless, frame);
    camera_voxel(&headless->viewer.camera, now);
    for (int axis = 0; axis < 3; axis++) {
        headless->viewer.velocity[axis] = frame ? (now[axis] - before[axis]) / STEP_SECONDS : 0;
    }
    headless->viewer.seconds = frame * STEP_SECONDS;
}

/// One frame on foot.
static void walk_on(Headless *headless)
{
    guide_advance(headless->guide, &headless->player, world_store(headless->viewer.world),
                  STEP_SECONDS);
    const GuideReport report = guide_report(headless->guide);
    if (report.messages != headless->said) {
        headless->said = report.messages;
        fprintf(stderr, "terrane-viewer: %s\n", report.says.text);
    }
}

static bool add_samples(ReportSamples *samples, double frame_ms, double update_ms,
                        const RendererStats *stats)
{
    return samples_add(&samples->frame_ms, frame_ms) &&
           samples_add(&samples->update_ms, update_ms) &&
           samples_add(&samples->cull_us, stats->cull_us) &&
           samples_add(&samples->cull_cpu_us, stats->cull_cpu_us);
}

static bool add_card_samples(ReportSamples *samples, const QuadBufferStats *card)
{
    const double least = (double)card->quads * QUAD_BYTES;
    return samples_add(&samples->upload_kib, (double)card->frame.upload_bytes / 1024) &&
           samples_add(&samples->move_kib, (double)card->frame.copy_bytes / 1024) &&
           (least <= 0 ||
            samples_add(&samples->card_percent, (double)card->held_bytes / least * 100));
}

static bool fly_frame(Headless *headless, int frame, Message *problem)
{
    Viewer *viewer = &headless->viewer;
    if (headless->guide) {
        walk_on(headless);
    }
    place_camera(headless, frame);
    if (viewer_is_lost(viewer) &&
        !(viewer_renew(viewer, problem) && load_view(headless, problem))) {
        return false;
    }
    TrnStreamReport update;
    double start = clock_us();
    viewer_update(viewer, frame_budget(viewer->options), &update);
    if (!viewer_draw(viewer, problem)) {
        return false;
    }
    glFinish(); // a frame is over when it is drawn
    double frame_ms = (clock_us() - start) * 1e-3;
    gather_compare_after(&viewer->compare, world_store(viewer->world), viewer_box(viewer));
    viewer_warn_refused(viewer, &headless->warned);
    const RendererStats stats = renderer_stats(viewer->renderer);
    // With the first frame the whole view has come.
    return (add_samples(&headless->samples, frame_ms, update.us * 1e-3, &stats) &&
            (frame == 0 || add_card_samples(&headless->samples, &stats.card))) ||
           message_set(problem, "There is no memory to keep what was measured.");
}

/// Loads the land around where the walk begins, and finds a place to stand there.
static bool begin_walk(Headless *headless, Message *problem)
{
    const World *world = headless->viewer.world;
    PlayerPlace place = guide_start(headless->walk, world_terrain(world));
    headless->player = player_begin(NULL, place.feet);
    place_camera(headless, 0);
    if (!load_view(headless, problem)) {
        return false;
    }
    place = player_find_place(world_store(world), place.feet);
    if (place.kind == PLAYER_PLACE_UNKNOWN || place.kind == PLAYER_PLACE_NONE) {
        return message_set(problem, "The walk cannot begin where it should. %s", place.what.text);
    }
    player_put(&headless->player, place.feet);
    return guide_create(&headless->guide, headless->walk, false, problem);
}

/// Loads the first view.
static bool begin_flight(Headless *headless, Message *problem)
{
    if (headless->walk->count) {
        return begin_walk(headless, problem);
    }
    place_camera(headless, 0);
    return load_view(headless, problem);
}

/// Whether a walk has come to its end; flights have as many frames as they are spread over.
static bool is_over(const Headless *headless)
{
    return headless->guide && guide_report(headless->guide).state == GUIDE_DONE;
}

/// A walk goes on to its end, if nobody said how many frames it may take.
static int frames_at_most(const Headless *headless)
{
    const Options *options = headless->viewer.options;
    return headless->guide && !(options->given & OPTIONS_GIVEN_FRAMES) ? OPTIONS_FRAMES_MAX
                                                                       : options->frames;
}

static bool fly(Headless *headless, Message *problem)
{
    headless->viewer.compare.keep_samples = true;
    if (!begin_flight(headless, problem)) {
        return false;
    }
    const int frames = frames_at_most(headless);
    trace_end_frame(headless->viewer.trace); // all of the loading is one frame of the trace
    for (int frame = 0; frame < frames && !is_over(headless); frame++) {
        if (!may_go_on(problem) || !fly_frame(headless, frame, problem)) {
            return false;
        }
    }
    return true;
}

/// The picture is one frame more, not measured, with everything loaded, smooth edges, and the best quality if no other was asked for.
static bool draw_picture(Headless *headless, Message *problem)
{
    Viewer *viewer = &headless->viewer;
    Look look = viewer_look(viewer->options, LOOK_QUALITY_HIGH);
    look.samples = look.samples ? look.samples : PICTURE_SAMPLES;
    return load_view(headless, problem) && renderer_set_look(viewer->renderer, &look, problem) &&
           viewer_draw(viewer, problem) && may_go_on(problem) &&
           viewer_write_picture(viewer, viewer->options->width, viewer->options->height,
                                PICTURE_NAME, problem);
}

static void report_walk(const Headless *headless)
{
    Message line;
    if (headless->guide) {
        guide_describe(headless->guide, &line);
        printf("  %s\n", line.text);
    }
}

static bool run_flight(Headless *headless, const Options *options, Message *problem)
{
    Viewer *viewer = &headless->viewer;
    if (!viewer_open(viewer, options, problem) ||
        !clearance_create(&headless->clearance, headless->flight, world_terrain(viewer->world),
                          problem) ||
        !fly(headless, problem) || !draw_picture(headless, problem)) {
        return false;
    }
    report_print(stdout, viewer, &headless->samples);
    report_walk(headless);
    if (!viewer_finish_trace(viewer, problem)) {
        return false;
    }
    const uint32_t errors = gl_context_errors(&viewer->window.context);
    if (errors) {
        return message_set(problem, "OpenGL reported %u errors; this is a bug.", errors);
    }
    if (viewer->compare.lost) {
        return message_set(problem, "There was no memory to compare the gathers to the end.");
    }
    return viewer->compare.equal == viewer->compare.compared ||
           message_set(problem,
                       "Index, spatial array and unordered_map gave different chunks in %llu of "
                       "%llu frames; this is a bug.",
                       (unsigned long long)(viewer->compare.compared - viewer->compare.equal),
                       (unsigned long long)viewer->compare.compared);
}

bool headless_run(const Options *options, const Flight *flight, const Route *walk, Message *problem)
{
    // Before the flight, not after it.
    if (!image_prepare_folder(options->out, PICTURE_NAME, problem)) {
        return false;
    }
    Headless headless = {.flight = flight, .walk = walk};
    bool good = run_flight(&headless, options, problem);
    viewer_close(&headless.viewer);
    clearance_free(&headless.clearance);
    guide_destroy(headless.guide);
    report_samples_free(&headless.samples);
    return good;
}
