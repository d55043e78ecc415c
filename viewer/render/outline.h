/// Thin lines around what is aimed at: the block, and what a tool would take.
#ifndef TERRANE_VIEWER_OUTLINE_H
#define TERRANE_VIEWER_OUTLINE_H

#include <stdbool.h>

#include <terrane/coord.h>

#include "message.h"
#include "render/camera.h"

/// What is drawn. Voxels, both corners inclusive.
typedef struct Outline {
    bool has_block, has_box, has_ball;
    TrnVoxel block;            ///< lined out where nothing hides it
    TrnVoxel box_min, box_max; ///< of a tool; seen through everything
    TrnVoxel centre;           ///< of a tool's ball; seen through everything
    double radius;
} Outline;

typedef struct OutlinePainter OutlinePainter;

/// Needs a current OpenGL 3.3 context, as all functions here.
bool outline_painter_create(OutlinePainter **painter, Message *problem);
/// @param painter  may be NULL
void outline_painter_destroy(OutlinePainter *painter);

/// Draws into what is bound, over land and sky, with one draw call. Leaves the depths alone;
/// changes the program, and blending to off.
/// @param width,height  of what is drawn into, pixels
void outline_paint(const OutlinePainter *painter, const Outline *outline, const CameraView *view,
                   int width, int height);

#endif
