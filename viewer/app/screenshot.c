#include "app/screenshot.h"

#include <stdio.h>
#include <unistd.h>

#include "app/place.h"
#include "image.h"

bool screenshot_name(const Session *session, const char *prefix, char name[SCREENSHOT_NAME_BYTES],
                     Message *problem)
{
    const char *folder = session->settings->out;
    char path[4096];
    int number = 0;
    do {
        (void)snprintf(name, SCREENSHOT_NAME_BYTES, "%s-%d.png", prefix, ++number);
        (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    } while (access(path, F_OK) == 0);
    return image_prepare_folder(folder, name, problem);
}

void screenshot_take(Session *session, int width, int height)
{
    const Settings *settings = session->settings;
    char name[SCREENSHOT_NAME_BYTES];
    Message text;
    bool good, is_taken;
    do {
        is_taken = false;
        good = screenshot_name(session, "screenshot", name, &text) &&
               viewer_write_picture(&session->viewer, width, height, name,
                                    settings->screenshot_panels, &is_taken, &text);
    } while (is_taken);
    if (good) {
        (void)message_set(&text, "Wrote %s/%s", message_short(settings->out).text, name);
        place_print(session, text.text);
    }
    notices_show(&session->notices, &text);
}
