/// Draws all debris with one call.
#ifndef TERRANE_VIEWER_DEBRIS_DRAW_H
#define TERRANE_VIEWER_DEBRIS_DRAW_H

#include "debris/debris.h"
#include "render/camera.h"
#include "render/gl.h"

typedef struct DebrisDraw {
    GLuint vertex_array;
    /// of DebrisInstance; a new one for each picture, so that sending never waits for the last one
    GLuint buffer;
    GLsizei count;             ///< bits in it
    DebrisInstance *instances; ///< [capacity] scratch
    uint32_t capacity;
} DebrisDraw;

void debris_draw_create(DebrisDraw *draw);
void debris_draw_free(DebrisDraw *draw);

/// Sends the visible bits, and tells the debris which they are.
/// @param debris  may be NULL: none
/// @param others  [other_count] further cubes, such as those of figures
void debris_draw_send(DebrisDraw *draw, Debris *debris, const CameraView *view,
                      const DebrisInstance *others, uint32_t other_count);

/// Draws what was sent last. Leaves its own vertex array bound. @return the number of draw calls: 0
/// without bits
uint32_t debris_draw_call(const DebrisDraw *draw, GLuint program);

#endif
