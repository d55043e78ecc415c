#include "interactive.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "clearance.h"
#include "clock.h"
#include "image.h"
#include "interrupt.h"
#include "panel.h"
#include "viewer.h"

#define LOAD_BUDGET_US 4000.0
#define SPEED_AT_FIRST 24.0f // voxels a second
#define SPEED_MIN 1.0f
#define SPEED_MAX 1000.0f
#define SHIFT_FACTOR 4.0f
#define DEGREES_PER_PIXEL 0.12f
#define NOTICE_SECONDS 4.0
#define START_HEIGHT_PART 0.15 // of the view distance
#define STEP_SECONDS_MAX 0.1   // a stall must not throw the camera far

typedef struct Interactive {
    Viewer viewer;
    Panel *panel;
    PanelChoices choices;
    const Flight *flight;
    Clearance clearance;
    bool playing;                         ///< the flight has the controls
    double played;                        ///< seconds of it
    float speed;                          ///< voxels a second
    float velocity[3];                    ///< of the camera, so that it starts and stops softly
    double frame_us, work_us, compare_us; ///< of the last frame
    double titled_us;                     ///< when the title was last written
    Message notice;
    double notice_until;
    int screenshots;
    uint32_t warned;
} Interactive;

// ---- controls -----------------------------------------------------------------------------------

static void wished_direction(const Interactive *run, vec3 wish)
{
    const Window *window = &run->viewer.window;
    vec3 right, up, forward;
    camera_axes(&run->viewer.camera, right, up, forward);
    glm_vec3_zero(wish);
    glm_vec3_muladds(forward, window_axis(window, GLFW_KEY_S, GLFW_KEY_W), wish);
    glm_vec3_muladds(right, window_axis(window, GLFW_KEY_A, GLFW_KEY_D), wish);
    wish[1] += window_axis(window, GLFW_KEY_LEFT_CONTROL, GLFW_KEY_SPACE);
    glm_vec3_normalize(wish);
}

static void steer(Interactive *run, const WindowInput *input, float step)
{
    const Window *window = &run->viewer.window;
    run->speed = glm_clamp(run->speed * powf(1.2f, input->wheel), SPEED_MIN, SPEED_MAX);
    camera_turn(&run->viewer.camera, input->look_x * DEGREES_PER_PIXEL,
                -input->look_y * DEGREES_PER_PIXEL);
    vec3 wish;
    wished_direction(run, wish);
    bool fast = glfwGetKey(window->handle, GLFW_KEY_LEFT_SHIFT) == GLFW_PRESS;
    glm_vec3_scale(wish, run->speed * (fast ? SHIFT_FACTOR : 1), wish);
    glm_vec3_lerp(run->velocity, wish, 1 - expf(-10 * step), run->velocity);
    vec3 by;
    glm_vec3_scale(run->velocity, step, by);
    camera_move(&run->viewer.camera, by);
}

/// Any control takes over from a flight that is being played.
static bool takes_over(const Interactive *run, const WindowInput *input)
{
    vec3 wish;
    wished_direction(run, wish);
    return glm_vec3_norm2(wish) > 0 || input->look_x != 0 || input->look_y != 0;
}

static void move_camera(Interactive *run, const WindowInput *input, double step)
{
    run->playing =
        run->playing && run->played < flight_duration(run->flight) && !takes_over(run, input);
    if (run->playing) {
        double pose[5];
        run->played += step;
        clearance_sample(&run->clearance, run->flight, run->played, pose);
        run->viewer.camera = camera_at(pose);
    } else {
        steer(run, input, (float)step);
    }
    run->viewer.seconds += step;
}

static void notify(Interactive *run, const Message *text)
{
    run->notice = *text;
    run->notice_until = run->viewer.seconds + NOTICE_SECONDS;
}

/// Under the first number that is free; a screenshot never replaces another.
static void take_screenshot(Interactive *run, int width, int height)
{
    const char *folder = run->viewer.options->out;
    Message text;
    char name[64], path[4096];
    do {
        snprintf(name, sizeof name, "screenshot-%d.png", ++run->screenshots);
        snprintf(path, sizeof path, "%s/%s", folder, name);
    } while (access(path, F_OK) == 0);
    if (image_prepare_folder(folder, name, &text) &&
        viewer_write_picture(&run->viewer, width, height, name, &text)) {
        message_set(&text, "Wrote %s/%s", message_short(folder).text, name);
    }
    notify(run, &text);
}

// ---- figures ------------------------------------------------------------------------------------

static PanelFigures collect_figures(const Interactive *run)
{
    const Viewer *viewer = &run->viewer;
    LoaderStats loader = loader_stats(viewer->loader);
    TrnStoreStats store = trn_store_stats(loader_store(viewer->loader));
    RendererStats renderer = renderer_stats(viewer->renderer);
    PanelFigures figures = {
        .frame_ms = run->frame_us * 1e-3,
        .work_ms = run->work_us * 1e-3,
        .speed = run->speed,
        .chunks = loader.chunks,
        .drawn = (uint32_t)renderer.chunks_drawn,
        .waiting = loader.waiting,
        .refused = loader.refused,
        .quads_drawn = renderer.quads_drawn,
        .voxel_bytes = store.voxel_bytes,
        .header_bytes = store.touched_bytes,
        .index_bytes = store.index_bytes,
        .quad_bytes = renderer.bytes,
        .gathered = viewer->compare.figures.chunks,
        .index_us = run->choices.compare ? viewer->compare.figures.us[GATHER_INDEX]
                                         : viewer->compare.figures.frame_us,
        .array_us = viewer->compare.figures.us[GATHER_ARRAY],
        .map_us = viewer->compare.figures.us[GATHER_MAP],
        .compared = viewer->compare.compared,
        .equal = viewer->compare.equal,
        .notice = viewer->seconds < run->notice_until ? run->notice.text : NULL,
    };
    camera_voxel(&viewer->camera, figures.voxel);
    return figures;
}

static void write_title(Interactive *run)
{
    double now = clock_us();
    if (now - run->titled_us < 300e3) {
        return;
    }
    run->titled_us = now;
    char title[128];
    snprintf(title, sizeof title, "Terrane - %.1f ms, %u chunks, %zu drawn", run->frame_us * 1e-3,
             loader_stats(run->viewer.loader).chunks,
             renderer_stats(run->viewer.renderer).chunks_drawn);
    glfwSetWindowTitle(run->viewer.window.handle, title);
}

// ---- the loop -----------------------------------------------------------------------------------

static void handle_input(Interactive *run, const WindowInput *input)
{
    run->choices.shown ^= input->toggle_panel;
    run->choices.help ^= input->toggle_help;
    Window *window = &run->viewer.window;
    if (input->click && !window->caught && !panel_has_mouse(run->panel)) {
        window_catch_mouse(window, true);
    }
}

/// Draws and shows one frame. Compares afterwards, outside the frame's time.
static bool draw_frame(Interactive *run, const WindowInput *input, Message *problem)
{
    Viewer *viewer = &run->viewer;
    double start = clock_us();
    int width, height;
    glfwGetFramebufferSize(viewer->window.handle, &width, &height);
    if (width <= 0 || height <= 0) {
        return true; // minimised
    }
    if (!renderer_resize(viewer->renderer, width, height, 0, problem) ||
        !viewer_frame(viewer, (LoaderBudget){.us = LOAD_BUDGET_US}, problem)) {
        return false;
    }
    viewer_warn_refused(viewer, &run->warned);
    if (input->screenshot) {
        take_screenshot(run, width, height);
    }
    renderer_present(viewer->renderer);
    PanelFigures figures = collect_figures(run);
    panel_draw(run->panel, &figures, &run->choices, viewer->window.caught);
    run->work_us = clock_us() - start;
    glfwSwapBuffers(viewer->window.handle);
    start = clock_us();
    if (run->choices.compare) {
        gather_compare_after(&viewer->compare, loader_store(viewer->loader), viewer_box(viewer));
    } else {
        gather_compare_settle(&viewer->compare);
    }
    run->compare_us = clock_us() - start;
    return true;
}

static bool run_frames(Interactive *run, Message *problem)
{
    double last = clock_us();
    while (!glfwWindowShouldClose(run->viewer.window.handle)) {
        if (interrupt_came()) {
            return message_set(problem, "Interrupted.");
        }
        WindowInput input = window_poll(&run->viewer.window);
        double now = clock_us();
        run->frame_us = now - last - run->compare_us;
        double step = fmin((now - last) * 1e-6, STEP_SECONDS_MAX);
        last = now;
        handle_input(run, &input);
        move_camera(run, &input, step);
        if (!draw_frame(run, &input, problem)) {
            return false;
        }
        write_title(run);
    }
    return true;
}

static bool start(Interactive *run, const Options *options, Message *problem)
{
    if (!viewer_open(&run->viewer, options, problem) ||
        !clearance_create(&run->clearance, run->flight, loader_terrain(run->viewer.loader),
                          problem)) {
        return false;
    }
    run->panel = panel_create(run->viewer.window.handle);
    if (!run->panel) {
        return message_set(problem, "Cannot make the panel of figures on this driver.");
    }
    double pose[5];
    clearance_sample(&run->clearance, run->flight, 0, pose);
    if (!run->playing) {
        // No higher than lets the land be seen: beyond the view distance there is haze.
        double seen = START_HEIGHT_PART * options->view_distance * TRN_CHUNK_EDGE;
        pose[1] = fmin(pose[1], run->clearance.lowest[0] + seen);
    }
    run->viewer.camera = camera_at(pose);
    window_catch_mouse(&run->viewer.window, true);
    return true;
}

/// However the flight ends, what was recorded of it until then is kept.
static bool run_and_record(Interactive *run, Message *problem)
{
    bool good = run_frames(run, problem);
    Message trace;
    if (viewer_finish_trace(&run->viewer, good ? problem : &trace)) {
        return good;
    }
    if (!good) {
        fprintf(stderr, "terrane-viewer: %s\n", trace.text);
    }
    return false;
}

bool interactive_run(const Options *options, const Flight *flight, bool play, Message *problem)
{
    Interactive run = {.choices = {.shown = true, .compare = true},
                       .flight = flight,
                       .playing = play,
                       .speed = SPEED_AT_FIRST};
    bool good = start(&run, options, problem) && run_and_record(&run, problem);
    panel_destroy(run.panel);
    viewer_close(&run.viewer);
    clearance_free(&run.clearance);
    return good;
}
