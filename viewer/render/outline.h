/// Draws thin lines around what is aimed at: the block, and the shape that a tool would change.
#ifndef TERRANE_VIEWER_OUTLINE_H
#define TERRANE_VIEWER_OUTLINE_H

#include <stdbool.h>

#include <terrane/coord.h>

#include "message.h"
#include "render/camera.h"

/// What to draw. Voxels, both corners inclusive.
typedef struct Outline {
    bool has_block, has_box, has_ball;
    TrnVoxel block;            ///< drawn where nothing hides it
    TrnVoxel box_min, box_max; ///< a tool's box; drawn through everything
    TrnVoxel centre;           ///< a tool's ball; drawn through everything
    double radius;
} Outline;

typedef struct OutlinePainter OutlinePainter;

/// Needs a current OpenGL context, as all functions here.
bool outline_painter_create(OutlinePainter **painter, Message *problem);
/// @param painter  may be NULL
void outline_painter_destroy(OutlinePainter *painter);

/// Draws over land and sky into the bound framebuffer, with one draw call. Does not write depths;
/// changes the program, and turns blending off.
/// @param width,height  of the framebuffer, in pixels
void outline_paint(const OutlinePainter *painter, const Outline *outline, const CameraView *view,
                   int width, int height);

#endif
