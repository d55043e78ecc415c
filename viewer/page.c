// The viewer as a page: the browser calls one frame at a time. The page's script (web/page.js)
// makes the options, keeps the files, and calls the functions of page.h.
#include "page.h"

#include <stdio.h>
#include <string.h>

#include <emscripten.h>

#include "assets.h"
#include "interactive_impl.h"
#include "options.h"
#include "program.h"
#include "settings/settings_file.h"
#include "web/glfw_pads.h"
#include "web/glfw_page.h"

// The page has one viewer, for as long as it is open; the browser's calls bring no handle.
static struct {
    Settings settings;
    SettingsFile file;
    Flight flight;
    Interactive *run; ///< NULL: not yet, or no longer
    bool is_shown;    ///< a picture was drawn
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

static void finish(bool good)
{
    emscripten_cancel_main_loop();
    good = interactive_end(page.run, good, &page.problem);
    page.run = NULL;
    page_tell_end(good, good ? "" : page.problem.text);
}

static void frame(void)
{
    page.run->touches = page_pads_are_touched();
    const InteractiveStep step = interactive_frame(page.run, &page.problem);
    if (step != INTERACTIVE_GOES_ON) {
        finish(step == INTERACTIVE_OVER || step == INTERACTIVE_LEFT);
    } else if (!page.is_shown) {
        page.is_shown = true;
        page_tell_picture();
    }
}

// ---- the beginning ------------------------------------------------------------------------------

/// Ctrl+W and others close a page, so Ctrl must not move the player.
static void bind_keys(Settings *settings)
{
    (void)input_unbind(&settings->bindings, GLFW_KEY_LEFT_CONTROL);
    (void)input_bind(&settings->bindings, INPUT_DOWN, GLFW_KEY_C);
    // The browser keeps F5, F11 and F12.
    (void)input_unbind(&settings->bindings, GLFW_KEY_F5);
    (void)input_bind(&settings->bindings, INPUT_INDEX_VIEW, GLFW_KEY_I);
}

static void tell_mistake(void *user, const Message *mistake)
{
    (void)user;
    fprintf(stderr, "terrane-viewer: %s\n", mistake->text);
}

static bool load_settings(Message *problem)
{
    SettingsEar ear = {tell_mistake, NULL, 0};
    Settings of_file = settings_default();
    bind_keys(&of_file);
    if (!settings_read(&page.file, &of_file, page.settings.file, &ear, problem)) {
        tell_mistake(NULL, problem); // it stops nothing
    }
    settings_take_file(&page.settings, &of_file);
    return true;
}

static bool begin(int argc, char **argv, Message *problem)
{
    return options_parse(&page.settings, argc, argv, problem) &&
           world_notes_take(&page.settings, problem) == PROGRAM_GOOD &&
           flight_parse(&page.flight, "the built-in flight", asset_first_flight,
                        asset_first_flight_bytes, problem) &&
           load_settings(problem) &&
           interactive_begin(&page.run, &page.settings, &page.file, &page.flight, problem);
}

int main(int argc, char **argv)
{
    if (begin(argc, argv, &page.problem)) {
        emscripten_set_main_loop(frame, 0, 0);
    } else {
        page_tell_end(false, page.problem.text);
    }
    return 0; // the page stays
}

// ---- what the script calls ----------------------------------------------------------------------

int page_save(void)
{
    Message problem;
    if (!page.run || interactive_save_world(page.run, &problem) == TRN_RESULT_OK) {
        return 1;
    }
    page_tell_news(problem.text);
    return 0;
}

int page_tap(float x, float y)
{
    if (!page.run || !page.run->panel || page.run->paused) {
        return 0;
    }
    const int slot = panel_bar_slot(page.run->panel, x, y);
    return slot >= 0 && palette_choose_slot(hand_palette(page.run->person.hand), (uint32_t)slot);
}

void page_pause(int is_paused)
{
    if (!page.run) {
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
    return page.run && page.run->ready;
}

const char *page_place(void)
{
    static char text[160];
    double at[3] = {0};
    if (!page.run) {
        return "";
    }
    const Camera *camera = &page.run->viewer.camera;
    camera_voxel(camera, at);
    (void)snprintf(text, sizeof text, "%.2f,%.2f,%.2f,%.1f,%.1f", at[0], at[1], at[2],
                   (double)camera->yaw, (double)camera->pitch);
    return text;
}

int page_block(int x, int y, int z)
{
    TrnBlock block;
    return page.run && trn_store_get_block(world_store(page.run->viewer.world), (TrnVoxel){x, y, z},
                                           &block) == TRN_RESULT_OK
               ? block
               : -1;
}

double page_figure(int figure)
{
    if (!page.run) {
        return 0;
    }
    const Viewer *viewer = &page.run->viewer;
    switch (figure) {
    case PAGE_FRAME_MS:
        return page.run->frame_us * 1e-3;
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
        return hand_palette(page.run->person.hand)->chosen;
    default:
        return 0;
    }
}
