/// Many boxes of chunks in the world as coloured lines, hidden by what stands before them.
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

/// One box, as it goes to the graphics card. Distances are voxels from the lowest corner of
/// BoxLines.origin.
typedef struct BoxLine {
    float low[3];
    float width; ///< of its lines, in widths of the usual ones
    float high[3];
    uint8_t colour[4]; ///< sRGB and opacity
} BoxLine;

/// What is drawn; borrowed.
typedef struct BoxLines {
    const BoxLine *boxes; ///< [count]
    size_t count;
    TrnCoord origin; ///< chunk
    /// another one for other boxes: only then they are sent to the graphics card
    uint64_t revision;
} BoxLines;

typedef struct BoxPainter BoxPainter;

/// Needs a current OpenGL 3.3 context, as all functions here.
bool box_painter_create(BoxPainter **painter, Message *problem);
/// @param painter  may be NULL
void box_painter_destroy(BoxPainter *painter);

/// Draws into what is bound, over land and sky, with one draw call. Leaves the depths alone;
/// changes the program, the vertex array, and blending to off.
/// @param width,height  of what is drawn into, pixels
void box_paint(BoxPainter *painter, const BoxLines *lines, const CameraView *view, int width,
               int height);

#ifdef __cplusplus
}
#endif
#endif
