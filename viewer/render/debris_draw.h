/// Draws all debris with one call.
#pragma once

#include "debris/debris.h"
#include "render/camera.h"
#include "render/gl.h"

typedef struct DebrisDraw {
    GLuint vertex_array;
    /// DebrisInstance array; orphaned for each picture, so that uploading never waits for the last
    /// draw
    GLuint buffer;
    GLsizei count;             ///< cubes in the buffer
    DebrisInstance *instances; ///< [capacity] scratch
    uint32_t capacity;
} DebrisDraw;

void debris_draw_create(DebrisDraw *draw);
void debris_draw_free(DebrisDraw *draw);

/// Uploads the visible bits, and marks them in the debris.
/// @param debris  may be NULL: none
/// @param others  [other_count] additional cubes, such as those of players
void debris_draw_send(DebrisDraw *draw, Debris *debris, const CameraView *view,
                      const DebrisInstance *others, uint32_t other_count);

/// Draws the uploaded cubes. Leaves its vertex array bound. @return the number of draw calls: 0
/// without cubes
uint32_t debris_draw_call(const DebrisDraw *draw, GLuint program);
