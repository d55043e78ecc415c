#include "render/lines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "assets.h"
#include "render/camera.h"
#include "render/gl.h"

#define SHAPES 5                         // as in outline.vert
#define LINES (12 + 12 + 3 * 48)         // edges of block and box, and three circles
#define LINE_PART_OF_HEIGHT (1 / 480.0f) // of the picture's
#define LINE_PIXELS_MIN 1.5f
#define BLOCK_GROWS 0.002f // voxels: separates the lines around adjacent blocks

struct OutlinePainter {
    GLuint program;
    GLint shapes, picture; ///< uniforms
};

bool outline_painter_create(OutlinePainter **painter, Message *problem)
{
    static const GlProgramDef def = {
        "outline", {asset_frame_glsl, asset_outline_vert}, {asset_outline_frag}};
    OutlinePainter *made = calloc(1, sizeof *made);
    if (!made) {
        return message_set(problem, "Out of memory for the outline of blocks.");
    }
    if (!gl_program_create(&made->program, &def, problem)) {
        free(made);
        return false;
    }
    made->shapes = glGetUniformLocation(made->program, "shapes");
    made->picture = glGetUniformLocation(made->program, "picture");
    *painter = made;
    return true;
}

void outline_painter_destroy(OutlinePainter *painter)
{
    if (painter) {
        glDeleteProgram(painter->program);
        free(painter);
    }
}

/// Returns the lowest corner of a voxel in the view's distances.
static void lines_outline_voxel_corner(const CameraView *view, TrnVoxel voxel, float corner[3])
{
    const TrnVoxel from = trn_coord_voxel(view->chunk);
    corner[0] = (float)(voxel.x - from.x);
    corner[1] = (float)(voxel.y - from.y);
    corner[2] = (float)(voxel.z - from.z);
}

/// @param grow  how far the box exceeds its voxels on each side
static void lines_outline_place_box(const CameraView *view, TrnVoxel min, TrnVoxel max, float grow,
                                    float shapes[2][4])
{
    lines_outline_voxel_corner(view, min, shapes[0]);
    lines_outline_voxel_corner(view, max, shapes[1]);
    for (int axis = 0; axis < 3; axis++) {
        shapes[0][axis] -= grow;
        shapes[1][axis] += 1 + grow;
    }
    shapes[0][3] = shapes[1][3] = 1;
}

static void lines_outline_place_shapes(const Outline *outline, const CameraView *view,
                                       float shapes[SHAPES][4])
{
    memset(shapes, 0, SHAPES * sizeof *shapes);
    if (outline->has_block) {
        lines_outline_place_box(view, outline->block, outline->block, BLOCK_GROWS, shapes);
    }
    if (outline->has_box) {
        lines_outline_place_box(view, outline->box_min, outline->box_max, BLOCK_GROWS, shapes + 2);
    }
    if (outline->has_ball) {
        lines_outline_voxel_corner(view, outline->centre, shapes[4]);
        for (int axis = 0; axis < 3; axis++) {
            shapes[4][axis] += 0.5f;
        }
        shapes[4][3] = (float)outline->radius + 0.5f; // around the voxels, not through their
                                                      // middles
    }
}

void outline_paint(const OutlinePainter *painter, const Outline *outline, const CameraView *view,
                   int width, int height)
{
    float shapes[SHAPES][4];
    lines_outline_place_shapes(outline, view, shapes);
    const float line = fmaxf((float)height * LINE_PART_OF_HEIGHT, LINE_PIXELS_MIN);
    glUseProgram(painter->program);
    glUniform4fv(painter->shapes, SHAPES, shapes[0]);
    glUniform3f(painter->picture, (float)width, (float)height, line);
    gl_draw_blended(LINES * 6, 1);
}

// ---- box lines ----------------------------------------------------------------------------------

#define BOX_VERTICES (12 * 6)                // as in box.vert
#define BOX_LINE_PART_OF_HEIGHT (1 / 420.0f) // of the picture's
#define BOX_LINE_PIXELS_MIN 1.5f

struct BoxPainter {
    GLuint program, vertex_array, buffer;
    GLint base, picture; ///< uniforms
    uint64_t revision;   ///< of the boxes on the graphics card
    bool has_boxes;
};

enum { ATTRIBUTE_LOW, ATTRIBUTE_HIGH, ATTRIBUTE_COLOUR };

static void lines_describe_boxes(const BoxPainter *painter)
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
    lines_describe_boxes(made);
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

static void lines_send_boxes(BoxPainter *painter, const BoxLines *lines)
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
    lines_send_boxes(painter, lines);
    const float line = fmaxf((float)height * BOX_LINE_PART_OF_HEIGHT, BOX_LINE_PIXELS_MIN);
    glUseProgram(painter->program);
    glUniform3fv(painter->base, 1, base);
    glUniform3f(painter->picture, (float)width, (float)height, line);
    glBindVertexArray(painter->vertex_array);
    gl_draw_blended(BOX_VERTICES, (GLsizei)lines->count);
}
