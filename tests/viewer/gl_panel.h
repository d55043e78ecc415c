/// Draws a panel and reads the picture.
#pragma once

#include "gl_picture.h"

#include <panels/panel.h>
#include <render/target.h>

/// Draws a panel over green for some frames: windows have their sizes from the second frame on.
static inline void draw_panel(Panel *panel, const PanelFigures *figures, int frames,
                              Picture *picture)
{
    Target target;
    Message problem;
    assert_true(target_create(&target, WIDTH, HEIGHT, 1, 1, GL_DEPTH24_STENCIL8, &problem));
    PanelChoices choices = {.settings = settings_default()};
    choices.settings.figures = false;
    const Overlay overlay = {.notice = NULL};
    glUseProgram(0); // Dear ImGui restores the last program, which was deleted
    for (int frame = 0; frame < frames; frame++) {
        glBindFramebuffer(GL_FRAMEBUFFER, target.drawn);
        glDisable(GL_FRAMEBUFFER_SRGB);
        glClearColor(0.2f, 0.4f, 0.2f, 1);
        glClear(GL_COLOR_BUFFER_BIT);
        panel_draw(panel, figures, &choices, &overlay, true, 1);
    }
    target_resolve(&target);
    target_read(&target, picture->rgb[0][0]);
    target_free(&target);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}
