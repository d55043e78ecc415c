#include "interactive_impl.h"

#include <stdio.h>
#include <unistd.h>

#include "image.h"

static void tell_keys(Interactive *run)
{
    Message text;
    (void)message_set(
        &text,
        "Photo mode: %s takes a picture of up to %d times the window's size, "
        "the wheel zooms, %s blurs what is near or far, %s changes the time, %s ends it.",
        interactive_action_label(run, INPUT_SCREENSHOT).text, PHOTO_ENLARGED,
        interactive_action_label(run, INPUT_BRUSH_MORE).text,
        interactive_action_label(run, INPUT_TIME).text,
        interactive_action_label(run, INPUT_PHOTO).text);
    interactive_notify(run, &text);
}

bool interactive_leave_photo(Interactive *run)
{
    if (!run->photo.is_open) {
        return false;
    }
    Settings wished = *run->settings;
    wished.hours = run->photo.hours;
    interactive_change(run, &wished);
    setting_copy(settings_row_of(run->settings, &run->settings->hours), &run->saved, run->settings);
    run->viewer.camera = run->photo.before;
    run->photo = (Photo){0};
    run->viewer.blur = 0;
    run->notice_until = 0; // its keys are no news any more
    return true;
}

void interactive_handle_photo(Interactive *run, const Input *input)
{
    if (input->presses[INPUT_PHOTO] % 2 == 0 || interactive_leave_photo(run)) {
        return;
    }
    if (run->ready && !run->paused && !run->playing && !run->demo.is_playing) {
        run->photo = photo_begin(&run->viewer.camera, run->settings->hours);
        run->help = false;
        tell_keys(run);
    }
}

/// Draws the frame again in another size and writes it.
static bool write_large(Interactive *run, const int size[2], int times, const char *name,
                        Message *text)
{
    Viewer *viewer = &run->viewer;
    Message problem;
    if (!renderer_resize(viewer->renderer, size[0] * times, size[1] * times, text)) {
        return false;
    }
    const bool good = viewer_draw(viewer, text) &&
                      viewer_write_picture(viewer, size[0] * times, size[1] * times, name, text);
    if (!renderer_resize(viewer->renderer, size[0], size[1], &problem)) { // the next frame tries
        fprintf(stderr, "terrane-viewer: %s\n", problem.text);
    }
    return good;
}

static int choose_times(const Interactive *run, const int size[2], Message *text)
{
    GLint limits[2];
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &limits[0]);
    glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &limits[1]);
    return photo_enlargement(size[0], size[1], renderer_look(run->viewer.renderer).scale,
                             limits[0] < limits[1] ? limits[0] : limits[1], text);
}

static void take_picture(Interactive *run, const int size[2], int times)
{
    const char *folder = run->settings->out;
    Message text;
    char name[64], path[4096];
    do {
        (void)snprintf(name, sizeof name, "photo-%d.png", ++run->photos);
        (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    } while (access(path, F_OK) == 0);
    if (image_prepare_folder(folder, name, &text) && write_large(run, size, times, name, &text)) {
        (void)message_set(&text, "Wrote %s/%s, %dx%d.", message_short(folder).text, name,
                          size[0] * times, size[1] * times);
        printf("%s\n", text.text);
        (void)fflush(stdout);
    }
    interactive_notify(run, &text);
}

void interactive_take_photo(Interactive *run, const Input *input, int width, int height)
{
    const int size[2] = {width, height};
    Message text;
    const int times = run->photo.is_due || input_pressed(input, INPUT_SCREENSHOT)
                          ? choose_times(run, size, &text)
                          : 0;
    if (run->photo.is_due && times) {
        run->photo.is_due = false;
        take_picture(run, size, times);
    } else if (input_pressed(input, INPUT_SCREENSHOT)) {
        run->photo.is_due = times > 0;
        if (times) {
            (void)message_set(&text, "Drawing a picture of %dx%d.", width * times, height * times);
        }
        interactive_notify(run, &text);
    } else {
        run->photo.is_due = false;
    }
}
