#include "render/box_lines.h"

#include <math.h>
#include <stdlib.h>

#include "assets.h"
#include "render/camera.h"
#include "render/gl.h"
#include "render/gl_program.h"

#define BOX_VERTICES (12 * 6)                // as in box.vert
#define BOX_LINE_PART_OF_HEIGHT (1 / 420.0f) // of the picture's
#define BOX_LINE_PIXELS_MIN 1.5f

struct BoxPainter {
    GLuint program, vertex_array, buffer;
    GLint base, picture; ///< uniforms
    uint64_t revision;   ///< of what is on the graphics card
    bool has_boxes;
};

enum { ATTRIBUTE_LOW, ATTRIBUTE_HIGH, ATTRIBUTE_COLOUR };

static void describe_boxes(const BoxPainter *painter)
{
    glBindVertexArray(painter->vertex_array);
    glBindBuffer(GL_ARRAY_BUFFER, painter->buffer);
    glVertexAttribPointer(ATTRIBUTE_LOW, 4, GL_FLOAT, GL_FALSE, sizeof(BoxLine),
                          (const void *)offsetof(BoxLine, low));
    glVertexAttribPointer(ATTRIBUTE_HIGH, 3, GL_FLOAT, GL_FALSE, sizeof(BoxLine),
                          (const void *)offsetof(BoxLine, high));
    glVertexAttribPointer(ATTRIBUTE_COLOUR, 4, GL_UNSIGNED_BYTE, GL_TRUE, sizeof(BoxLine),
                          (const void *)offsetof(BoxLine, colour));
    for (GLuint i = ATTRIBUTE_LOW; i <= ATTRIBUTE_COLOUR; i++) {
        glEnableVertexAttribArray(i);
        glVertexAttribDivisor(i, 1);
    }
}

bool box_painter_create(BoxPainter **painter, Message *problem)
{
    static const GlProgramDef def = {"box", {asset_frame_glsl, asset_box_vert}, {asset_box_frag}};
    BoxPainter *made = calloc(1, sizeof *made);
    if (!made) {
        return message_set(problem, "Out of memory for the lines of boxes.");
    }
    if (!gl_program_create(&made->program, &def, problem)) {
        free(made);
        return false;
    }
    made->base = glGetUniformLocation(made->program, "base");
    made->picture = glGetUniformLocation(made->program, "picture");
    glGenVertexArrays(1, &made->vertex_array);
    glGenBuffers(1, &made->buffer);
    describe_boxes(made);
    *painter = made;
    return true;
}

void box_painter_destroy(BoxPainter *painter)
{
    if (painter) {
        glDeleteProgram(painter->program);
        glDeleteVertexArrays(1, &painter->vertex_array);
        glDeleteBuffers(1, &painter->buffer);
        free(painter);
    }
}

static void send_boxes(BoxPainter *painter, const BoxLines *lines)
{
    if (painter->has_boxes && painter->revision == lines->revision) {
        return;
    }
    glBindBuffer(GL_ARRAY_BUFFER, painter->buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(lines->count * sizeof(BoxLine)), lines->boxes,
                 GL_DYNAMIC_DRAW);
    painter->revision = lines->revision;
    painter->has_boxes = true;
}

void box_paint(BoxPainter *painter, const BoxLines *lines, const CameraView *view, int width,
               int height)
{
    if (!lines->count) {
        return;
    }
    vec3 base;
    camera_view_corner(view, lines->origin, 0, base);
    send_boxes(painter, lines);
    const float line = fmaxf((float)height * BOX_LINE_PART_OF_HEIGHT, BOX_LINE_PIXELS_MIN);
    glUseProgram(painter->program);
    glUniform3fv(painter->base, 1, base);
    glUniform3f(painter->picture, (float)width, (float)height, line);
    glBindVertexArray(painter->vertex_array);
    glDepthMask(GL_FALSE);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glDrawArraysInstanced(GL_TRIANGLES, 0, BOX_VERTICES, (GLsizei)lines->count);
    glDisable(GL_BLEND);
    glDepthMask(GL_TRUE);
}
