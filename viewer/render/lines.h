/// Draws thin lines around the target block, and around the shape that a tool would change.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <terrane/coord.h>

#include "message.h"
#include "render/camera.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The outlines to draw. Voxels, both corners inclusive.
typedef struct Outline {
    bool has_block, has_box, has_ball;
    TrnVoxel block;            ///< drawn where visible
    TrnVoxel box_min, box_max; ///< a tool's box; drawn through everything
    TrnVoxel centre;           ///< a tool's ball; drawn through everything
    double radius;
} Outline;

typedef struct OutlinePainter OutlinePainter;

/// All functions here need a current OpenGL context.
bool outline_painter_create(OutlinePainter **painter, Message *problem);
/// @param painter  may be NULL
void outline_painter_destroy(OutlinePainter *painter);

/// Draws over land and sky into the bound framebuffer, with one draw call. Does not write depths;
/// changes the program, and disables blending.
/// @param width,height  of the framebuffer, in pixels
void outline_paint(const OutlinePainter *painter, const Outline *outline, const CameraView *view,
                   int width, int height);

// ---- box lines ----------------------------------------------------------------------------------

// Draws boxes of chunks as coloured lines in the world, with depth test.

typedef struct CameraView CameraView;

/// One box, as sent to the graphics card. Distances are voxels from the lowest corner of
/// BoxLines.origin.
typedef struct BoxLine {
    float low[3];
    float width; ///< relative to the usual line width
    float high[3];
    uint8_t colour[4]; ///< sRGB and opacity
} BoxLine;

/// The boxes to draw; borrowed.
typedef struct BoxLines {
    const BoxLine *boxes; ///< [count]
    size_t count;
    TrnCoord origin; ///< chunk
    /// changes with the boxes: they are uploaded only then
    uint64_t revision;
} BoxLines;

typedef struct BoxPainter BoxPainter;

/// All functions here need a current OpenGL context.
bool box_painter_create(BoxPainter **painter, Message *problem);
/// @param painter  may be NULL
void box_painter_destroy(BoxPainter *painter);

/// Draws over land and sky into the bound framebuffer, with one draw call. Does not write depths;
/// changes the program and the vertex array, and disables blending.
/// @param width,height  of the framebuffer, in pixels
void box_paint(BoxPainter *painter, const BoxLines *lines, const CameraView *view, int width,
               int height);

#ifdef __cplusplus
}
#endif
