/// Draws debris: all bits in one call.
#ifndef TERRANE_VIEWER_DEBRIS_DRAW_H
#define TERRANE_VIEWER_DEBRIS_DRAW_H

#include <glad/gl.h>

#include "debris/debris.h"
#include "render/camera.h"

typedef struct DebrisDraw {
    GLuint vertex_array;
    /// of DebrisInstance, taken anew for each picture so that nobody waits for the last one
    GLuint buffer;
    GLsizei count; ///< of bits in it
} DebrisDraw;

void debris_draw_create(DebrisDraw *draw);
void debris_draw_free(DebrisDraw *draw);

/// Sends the bits that a view shows, and tells the debris of the view.
/// @param debris  may be NULL: there are none
void debris_draw_send(DebrisDraw *draw, Debris *debris, const CameraView *view);

/// Draws what was sent last. Leaves its own vertex array bound. @return how many calls it took:
/// none where there are no bits
uint32_t debris_draw_call(const DebrisDraw *draw, GLuint program);

#endif
