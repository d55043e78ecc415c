// The viewer as a web page: the browser calls one frame at a time. The page's script (web/page.js)
// passes the options, stores the files, and calls the functions of page.h.
#include "page.h"

#include <stdio.h>
#include <string.h>

#include <emscripten.h>

#include "app/app.h"
#include "program.h"
#include "settings/command_line.h"
#include "web/glfw_page.h"

// One viewer for each page; the browser's calls pass no handle.
static struct {
    Settings settings, defaults;
    App *app;      ///< NULL: not created yet, or destroyed
    bool is_shown; ///< a picture was drawn
    Message problem;
} page;

// clang-format off
EM_JS(void, page_tell_end, (int is_good, const char *text), {
    Module.terrane.end(!!is_good, UTF8ToString(text));
});
EM_JS(void, page_tell_picture, (void), { Module.terrane.picture(); });
EM_JS(void, page_tell_news, (const char *text), { Module.terrane.news(UTF8ToString(text)); });
// clang-format on

// ---- the loop -----------------------------------------------------------------------------------

static void page_finish(AppStep step)
{
    emscripten_cancel_main_loop();
    const bool is_good = app_end(page.app, step, &page.problem) == PROGRAM_GOOD;
    page.app = NULL;
    page_tell_end(is_good, is_good ? "" : page.problem.text);
}

static void page_frame(void)
{
    app_session(page.app)->touches = page_pads_are_touched();
    const AppStep step = app_frame(page.app, &page.problem);
    if (step != APP_GOES_ON) {
        page_finish(step);
    } else if (!page.is_shown) {
        page.is_shown = true;
        page_tell_picture();
    }
}

// ---- startup ------------------------------------------------------------------------------------

/// Changes default keys: Ctrl+W closes a page, so Ctrl must not move the player.
static void page_bind_keys(Settings *settings)
{
    (void)input_unbind(&settings->bindings, GLFW_KEY_LEFT_CONTROL);
    (void)input_bind(&settings->bindings, INPUT_DOWN, GLFW_KEY_C);
    // The browser keeps F5, F11 and F12.
    (void)input_unbind(&settings->bindings, GLFW_KEY_F5);
    (void)input_bind(&settings->bindings, INPUT_INDEX_VIEW, GLFW_KEY_I);
}

int main(int argc, char **argv)
{
    const AppDef def = {&page.settings, &page.defaults, .has_start = false};
    page.defaults = settings_default();
    page_bind_keys(&page.defaults);
    if (command_line_read(&page.settings, argc, argv, &page.problem) == OPTIONS_WRONG) {
        page_tell_end(false, page.problem.text);
        return 0; // the runtime stays alive, and the page shows the problem
    }
    const AppStep step = app_begin(&page.app, &def, &page.problem);
    if (step == APP_GOES_ON) {
        emscripten_set_main_loop(page_frame, 0, 0);
    } else {
        (void)app_end(page.app, step, &page.problem);
        page.app = NULL;
        page_tell_end(false, page.problem.text);
    }
    return 0;
}

// ---- functions for the script -------------------------------------------------------------------

int page_save(void)
{
    Message problem;
    if (!page.app || app_save(page.app, &problem) == TRN_RESULT_OK) {
        return 1;
    }
    page_tell_news(problem.text);
    return 0;
}

int page_tap(float x, float y)
{
    return page.app && app_tap(page.app, x, y);
}

void page_pause(int is_paused)
{
    if (!page.app) {
        return;
    }
    if (is_paused) {
        emscripten_pause_main_loop();
    } else {
        emscripten_resume_main_loop();
    }
}

int page_is_ready(void)
{
    return page.app && loading_has_land(&app_session(page.app)->loading);
}

const char *page_place(void)
{
    static char text[160];
    double at[3] = {0};
    if (!page.app) {
        return "";
    }
    const Camera *camera = &app_session(page.app)->viewer.camera;
    camera_voxel(camera, at);
    (void)snprintf(text, sizeof text, "%.2f,%.2f,%.2f,%.1f,%.1f", at[0], at[1], at[2],
                   (double)camera->yaw, (double)camera->pitch);
    return text;
}

int page_block(int x, int y, int z)
{
    TrnBlock block;
    return page.app && trn_store_get_block(world_store(app_session(page.app)->viewer.world),
                                           (TrnVoxel){x, y, z}, &block) == TRN_RESULT_OK
               ? block
               : -1;
}

double page_figure(int figure)
{
    if (!page.app) {
        return 0;
    }
    const Session *session = app_session(page.app);
    const Viewer *viewer = &session->viewer;
    switch (figure) {
    case PAGE_FRAME_MS:
        return session->timing.frame_us * 1e-3;
    case PAGE_CHUNKS:
        return trn_store_stats(world_store(viewer->world)).chunks;
    case PAGE_CHUNKS_DRAWN:
        return (double)renderer_stats(viewer->renderer).chunks_drawn;
    case PAGE_WORKERS:
        return world_stats(viewer->world).stream.workers;
    case PAGE_LOADED:
        return world_is_idle(viewer->world);
    case PAGE_UNSAVED: {
        const WorldEdits edits = world_edits(viewer->world);
        return edits.loaded > 0 || edits.bytes > 0;
    }
    case PAGE_SLOT:
        return hand_palette(session->person.hand)->chosen;
    default:
        return 0;
    }
}
