#include "render/outline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "assets.h"
#include "render/gl.h"
#include "render/gl_program.h"

#define SHAPES 5                         // as in outline.vert
#define LINES (12 + 12 + 3 * 48)         // edges of block and box, and the circles
#define LINE_PART_OF_HEIGHT (1 / 480.0f) // of the picture's
#define LINE_PIXELS_MIN 1.5f
#define BLOCK_GROWS 0.002f // voxels: lines around adjacent blocks do not coincide

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
static void voxel_corner(const CameraView *view, TrnVoxel voxel, float corner[3])
{
    const TrnVoxel from = trn_coord_voxel(view->chunk);
    corner[0] = (float)(voxel.x - from.x);
    corner[1] = (float)(voxel.y - from.y);
    corner[2] = (float)(voxel.z - from.z);
}

/// @param grow  beyond its voxels on each side
static void place_box(const CameraView *view, TrnVoxel min, TrnVoxel max, float grow,
                      float shapes[2][4])
{
    voxel_corner(view, min, shapes[0]);
    voxel_corner(view, max, shapes[1]);
    for (int axis = 0; axis < 3; axis++) {
        shapes[0][axis] -= grow;
        shapes[1][axis] += 1 + grow;
    }
    shapes[0][3] = shapes[1][3] = 1;
}

static void place_shapes(const Outline *outline, const CameraView *view, float shapes[SHAPES][4])
{
    memset(shapes, 0, SHAPES * sizeof *shapes);
    if (outline->has_block) {
        place_box(view, outline->block, outline->block, BLOCK_GROWS, shapes);
    }
    if (outline->has_box) {
        place_box(view, outline->box_min, outline->box_max, BLOCK_GROWS, shapes + 2);
    }
    if (outline->has_ball) {
        voxel_corner(view, outline->centre, shapes[4]);
        for (int axis = 0; axis < 3; axis++) {
            shapes[4][axis] += 0.5f;
        }
        shapes[4][3] = (float)outline->radius + 0.5f; // around voxels, not through their middles
    }
}

void outline_paint(const OutlinePainter *painter, const Outline *outline, const CameraView *view,
                   int width, int height)
{
    float shapes[SHAPES][4];
    place_shapes(outline, view, shapes);
    const float line = fmaxf((float)height * LINE_PART_OF_HEIGHT, LINE_PIXELS_MIN);
    glUseProgram(painter->program);
    glUniform4fv(painter->shapes, SHAPES, shapes[0]);
    glUniform3f(painter->picture, (float)width, (float)height, line);
    glDepthMask(GL_FALSE);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glDrawArrays(GL_TRIANGLES, 0, LINES * 6);
    glDisable(GL_BLEND);
    glDepthMask(GL_TRUE);
}
