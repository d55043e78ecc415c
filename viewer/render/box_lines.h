/// Draws boxes of chunks as coloured lines in the world; blocks in front hide them.
#ifndef TERRANE_VIEWER_BOX_LINES_H
#define TERRANE_VIEWER_BOX_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <terrane/coord.h>

#include "message.h"

#ifdef __cplusplus
extern "C" {
#endif

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
    /// changes when the boxes change: only then they are sent to the graphics card
    uint64_t revision;
} BoxLines;

typedef struct BoxPainter BoxPainter;

/// Needs a current OpenGL context, as all functions here.
bool box_painter_create(BoxPainter **painter, Message *problem);
/// @param painter  may be NULL
void box_painter_destroy(BoxPainter *painter);

/// Draws over land and sky into the bound framebuffer, with one draw call. Does not write depths;
/// changes the program and the vertex array, and turns blending off.
/// @param width,height  of the framebuffer, in pixels
void box_paint(BoxPainter *painter, const BoxLines *lines, const CameraView *view, int width,
               int height);

#ifdef __cplusplus
}
#endif
#endif
