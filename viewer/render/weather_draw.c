#include "render/weather_draw.h"

#define PARTICLE_VERTICES 6 // two triangles

/// Most drops and flakes by quality.
static const int DROPS[LOOK_QUALITY_COUNT] = {1600, 3200, 4800};
static const int FLAKES[LOOK_QUALITY_COUNT] = {2400, 4800, 7200};

uint32_t weather_draw_call(const RendererWeather *weather, GLuint program, GLuint vertex_array,
                           LookQuality quality)
{
    const GLint drops = (GLint)(weather->rain * (float)DROPS[quality]);
    const GLint flakes = (GLint)(weather->snow * (float)FLAKES[quality]);
    if (drops + flakes <= 0) {
        return 0;
    }
    glUseProgram(program);
    glUniform1i(glGetUniformLocation(program, "drops"), drops);
    glBindVertexArray(vertex_array);
    glDepthMask(GL_FALSE);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glDrawArraysInstanced(GL_TRIANGLES, 0, PARTICLE_VERTICES, drops + flakes);
    glDisable(GL_BLEND);
    glDepthMask(GL_TRUE);
    return 1;
}
