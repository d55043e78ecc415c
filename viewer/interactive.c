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
#include "player.h"
#include "viewer.h"

// Of each frame, on this thread: taking what workers have made; without workers, all of it.
#define LOAD_BUDGET_MS 2.0
#define LOAD_BUDGET_ALONE_MS 4.0
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
    bool ready;            ///< the land around the start was there
    bool walking, waiting; ///< on foot; the ground is not there yet
    Player player;
    bool playing;                         ///< the flight has the controls
    double played;                        ///< seconds of it
    float speed;                          ///< voxels a second
    float velocity[3];                    ///< of the camera, so that it starts and stops softly
    double frame_us, work_us, compare_us; ///< of the last frame
    TrnStreamReport update;               ///< of the last frame
    uint32_t workers;
    double titled_us; ///< when the title was last written
    Message notice, waits_for;
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

static void look_around(Interactive *run, const WindowInput *input)
{
    camera_turn(&run->viewer.camera, input->look_x * DEGREES_PER_PIXEL,
                -input->look_y * DEGREES_PER_PIXEL);
}

static void fly(Interactive *run, const WindowInput *input, float step)
{
    const Window *window = &run->viewer.window;
    run->speed = glm_clamp(run->speed * powf(1.2f, input->wheel), SPEED_MIN, SPEED_MAX);
    vec3 wish;
    wished_direction(run, wish);
    bool fast = glfwGetKey(window->handle, GLFW_KEY_LEFT_SHIFT) == GLFW_PRESS;
    glm_vec3_scale(wish, run->speed * (fast ? SHIFT_FACTOR : 1), wish);
    glm_vec3_lerp(run->velocity, wish, 1 - expf(-10 * step), run->velocity);
    vec3 by;
    glm_vec3_scale(run->velocity, step, by);
    camera_move(&run->viewer.camera, by);
}

static void walk(Interactive *run, double step)
{
    const Window *window = &run->viewer.window;
    Camera *const camera = &run->viewer.camera;
    const PlayerWish wish = {
        .right = (double)window_axis(window, GLFW_KEY_A, GLFW_KEY_D),
        .forward = (double)window_axis(window, GLFW_KEY_S, GLFW_KEY_W),
        .yaw = (double)camera->yaw,
        .pitch = (double)camera->pitch,
        .jump = glfwGetKey(window->handle, GLFW_KEY_SPACE) == GLFW_PRESS,
        .sneak = glfwGetKey(window->handle, GLFW_KEY_LEFT_CONTROL) == GLFW_PRESS,
        .sprint = glfwGetKey(window->handle, GLFW_KEY_LEFT_SHIFT) == GLFW_PRESS,
    };
    player_advance(&run->player, world_store(run->viewer.world), &wish, step);
    player_camera(&run->player, wish.yaw, wish.pitch, camera);
    TrnVoxel min, max;
    player_ground(&run->player, &min, &max);
    const TrnStreamReadiness ground =
        trn_stream_readiness(world_stream(run->viewer.world), min, max);
    run->waiting = player_waits(&run->player) && !ground.is_there;
    message_set(&run->waits_for, "Waiting for the ground: %llu of %llu chunks",
                (unsigned long long)ground.there, (unsigned long long)ground.chunks);
}

/// Nothing moves before there is something to see.
static bool wait_for_land(Interactive *run)
{
    if (!run->ready) {
        const TrnStreamReadiness land =
            world_readiness(run->viewer.world, run->viewer.camera.position);
        // Memory or the graphics card may not hold it all.
        run->ready = land.is_shown || world_is_idle(run->viewer.world);
        message_set(&run->waits_for, "Loading the land: %llu of %llu chunks",
                    (unsigned long long)land.shown, (unsigned long long)land.chunks);
    }
    run->waiting = !run->ready;
    return run->ready;
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
    double before[3], now[3];
    camera_voxel(&run->viewer.camera, before);
    run->viewer.seconds += step;
    if (!wait_for_land(run)) {
        look_around(run, input);
        return;
    }
    run->playing =
        run->playing && run->played < flight_duration(run->flight) && !takes_over(run, input);
    if (run->playing) {
        double pose[5];
        run->played += step;
        clearance_sample(&run->clearance, run->flight, run->played, pose);
        run->viewer.camera = camera_at(pose);
    } else {
        look_around(run, input);
        if (run->walking) {
            walk(run, step);
        } else {
            fly(run, input, (float)step);
        }
    }
    camera_voxel(&run->viewer.camera, now);
    for (int axis = 0; axis < 3; axis++) {
        run->viewer.velocity[axis] = step > 0 ? (now[axis] - before[axis]) / step : 0;
    }
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
    const WorldStats world = world_stats(viewer->world);
    const TrnStreamStats *stream = &world.stream;
    TrnStoreStats store = trn_store_stats(world_store(viewer->world));
    RendererStats renderer = renderer_stats(viewer->renderer);
    PanelFigures figures = {
        .frame_ms = run->frame_us * 1e-3,
        .work_ms = run->work_us * 1e-3,
        .speed = run->speed,
        .walking = run->walking,
        .there = stream->there,
        .shown = stream->shown,
        .wished = stream->wished,
        .drawn = (uint32_t)renderer.chunks_drawn,
        .queued = stream->queued,
        .under_way = stream->under_way,
        .failed = stream->failed,
        .workers = stream->workers,
        .refused = world_refused(viewer->world),
        .update_ms = run->update.us * 1e-3,
        .view = world.view.rings,
        .view_asked = world.view.rings_asked,
        .is_view_short = world.view.is_short,
        .bytes = stream->total_bytes,
        .bytes_max = stream->bytes_max,
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
        .notice = viewer->seconds < run->notice_until ? run->notice.text
                  : run->waiting                      ? run->waits_for.text
                                                      : NULL,
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
             trn_store_stats(world_store(run->viewer.world)).chunks,
             renderer_stats(run->viewer.renderer).chunks_drawn);
    glfwSetWindowTitle(run->viewer.window.handle, title);
}

// ---- the loop -----------------------------------------------------------------------------------

/// What a key changes of the look; the notice says what it is now.
static void change_look(Interactive *run, int key)
{
    Look look = renderer_look(run->viewer.renderer);
    Message text;
    if (key == GLFW_KEY_T) {
        look.hours = fmodf(look.hours + 0.5f, 24);
        message_set(&text, "Time of day: %d:%02d", (int)look.hours, (int)(look.hours * 60) % 60);
    } else if (key == GLFW_KEY_G) {
        static const char *const names[LOOK_QUALITY_COUNT] = {"low", "medium", "high"};
        const LookQuality quality = (look.quality + 1) % LOOK_QUALITY_COUNT;
        look_set_quality(&look, quality);
        message_set(&text, "Quality: %s", names[quality]);
    } else if (key == GLFW_KEY_O) {
        look.on[LOOK_OCCLUSION] = !look.on[LOOK_OCCLUSION];
        message_set(&text, look.on[LOOK_OCCLUSION] ? "What is hidden is left out."
                                                   : "What is hidden is drawn as well.");
    } else {
        look.debug = (look.debug + 1) % LOOK_DEBUG_COUNT;
        message_set(&text, "Debug view: %s", look_debug_name(look.debug));
    }
    Message problem;
    notify(run, renderer_set_look(run->viewer.renderer, &look, &problem) ? &text : &problem);
}

static void handle_input(Interactive *run, const WindowInput *input)
{
    run->choices.shown ^= input->toggle_panel;
    run->choices.help ^= input->toggle_help;
    if (input->look_key) {
        change_look(run, input->look_key);
    }
    if (input->toggle_walk) {
        run->walking = !run->walking;
        run->player = player_begin(NULL, run->viewer.camera.position);
        player_put_eyes(&run->player, &run->viewer.camera);
        run->playing = false;
        glm_vec3_zero(run->velocity);
    }
    Window *window = &run->viewer.window;
    if (input->click && !window->caught && !panel_has_mouse(run->panel)) {
        window_catch_mouse(window, true);
    }
}

static bool update_and_draw(Interactive *run, Message *problem)
{
    const double ms = run->workers ? LOAD_BUDGET_MS : LOAD_BUDGET_ALONE_MS;
    viewer_update(&run->viewer, (TrnStreamBudget){.ms = ms}, &run->update);
    return viewer_draw(&run->viewer, problem);
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
    if (!renderer_resize(viewer->renderer, width, height, problem) ||
        !update_and_draw(run, problem)) {
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
        gather_compare_after(&viewer->compare, world_store(viewer->world), viewer_box(viewer));
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
        !clearance_create(&run->clearance, run->flight, world_terrain(run->viewer.world),
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
    run->workers = world_stats(run->viewer.world).stream.workers;
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
