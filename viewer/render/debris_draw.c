#include "render/debris_draw.h"

#include <stddef.h>
#include <stdlib.h>

#define BIT_VERTICES 18 // the three visible sides of a cube

enum { LOCATION_AT, LOCATION_LOOK };

void debris_draw_create(DebrisDraw *draw)
{
    *draw = (DebrisDraw){0};
    glGenVertexArrays(1, &draw->vertex_array);
    glGenBuffers(1, &draw->buffer);
    glBindVertexArray(draw->vertex_array);
    glBindBuffer(GL_ARRAY_BUFFER, draw->buffer);
    const GLsizei stride = sizeof(DebrisInstance);
    glVertexAttribPointer(LOCATION_AT, 3, GL_FLOAT, GL_FALSE, stride,
                          (const void *)offsetof(DebrisInstance, at));
    glVertexAttribIPointer(LOCATION_LOOK, 2, GL_UNSIGNED_INT, stride,
                           (const void *)offsetof(DebrisInstance, shape));
    for (GLuint location = LOCATION_AT; location <= LOCATION_LOOK; location++) {
        glEnableVertexAttribArray(location);
        glVertexAttribDivisor(location, 1);
    }
    glBindVertexArray(0);
}

void debris_draw_free(DebrisDraw *draw)
{
    glDeleteVertexArrays(1, &draw->vertex_array);
    glDeleteBuffers(1, &draw->buffer);
    free(draw->instances);
    *draw = (DebrisDraw){0};
}

/// Does not map the buffer, because WebGL cannot.
static bool debris_draw_reserve_instances(DebrisDraw *draw, uint32_t count)
{
    if (count <= draw->capacity) {
        return true;
    }
    free(draw->instances);
    draw->instances = malloc(2 * (size_t)count * sizeof *draw->instances);
    draw->capacity = draw->instances ? 2 * count : 0;
    return draw->instances != NULL;
}

void debris_draw_send(DebrisDraw *draw, Debris *debris, const CameraView *view,
                      const DebrisInstance *others, uint32_t other_count)
{
    draw->count = 0;
    if (debris) {
        debris_look(debris, view->chunk, (const float(*)[4])view->planes);
    }
    const uint32_t alive = debris_stats(debris).alive;
    if (!(alive + other_count)) {
        return;
    }
    if (!debris_draw_reserve_instances(draw, alive + other_count)) { // out of memory: the picture
                                                                     // has no debris
        return;
    }
    size_t count = debris ? debris_list(debris, draw->instances, alive) : 0;
    for (uint32_t i = 0; i < other_count; i++) {
        draw->instances[count++] = others[i];
    }
    glBindBuffer(GL_ARRAY_BUFFER, draw->buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(count * sizeof(DebrisInstance)), draw->instances,
                 GL_STREAM_DRAW);
    draw->count = (GLsizei)count;
}

uint32_t debris_draw_call(const DebrisDraw *draw, GLuint program)
{
    if (!draw->count) {
        return 0;
    }
    glDisable(GL_CULL_FACE); // the shader selects the sides, with either winding
    glUseProgram(program);
    glBindVertexArray(draw->vertex_array);
    glDrawArraysInstanced(GL_TRIANGLES, 0, BIT_VERTICES, draw->count);
    return 1;
}
