#include "app/title.h"

#include <stdio.h>

#include "clock.h"

#define TITLE_US 300e3 // between two updates of the title

void title_write(Title *title, const Session *session, bool is_paused)
{
    const double now = clock_us();
    const Loading *loading = &session->loading;
    char text[128];
    if (now - title->written_us < TITLE_US) {
        return;
    }
    title->written_us = now;
    if (loading_has_land(loading)) {
        (void)snprintf(text, sizeof text, "Terrane - %s%s%s%.1f ms, %u chunks, %zu drawn",
                       session->world.warned_at_end ? "not saved, the next Quit loses changes, "
                       : open_world_failure(&session->world) ? "not saved, "
                                                             : "",
                       is_paused ? "paused, " : "", session->recorder.writer ? "recording, " : "",
                       session->timing.frame_us * 1e-3,
                       trn_store_stats(world_store(session->viewer.world)).chunks,
                       renderer_stats(session->viewer.renderer).chunks_drawn);
    } else {
        (void)snprintf(text, sizeof text, "Terrane - %.100s",
                       loading->text.text[0] ? loading->text.text : "Loading");
    }
    glfwSetWindowTitle(session->viewer.window.handle, text);
}
