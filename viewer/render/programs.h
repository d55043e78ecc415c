/// The shader programs for a look; they omit the code of switches that are off.
#pragma once

#include "message.h"
#include "render/gl.h"
#include "render/look.h"
#include "render/quad_layout.h"

/// Texture units, the same in all programs.
enum {
    UNIT_COLOURS,
    UNIT_TEXTURES,
    UNIT_BOXES,
    UNIT_SKYLINE,
    UNIT_KNOWN_HEIGHTS,
    UNIT_PICTURE,
    UNIT_LAND_COLOURS,
    UNIT_LAND_DEPTHS,
    UNIT_QUADS, ///< of the segment being drawn
    UNIT_COUNT
};

typedef struct Programs {
    GLuint terrain, models, plants, debris, water, glass, sky, present, lens, weather;
    GLuint fading_terrain, fading_models, fading_water; ///< draw only some pixels: see fade.glsl
} Programs;

/// On failure the message names the shader, and has the compiler's message with the lines.
bool programs_create(Programs *programs, const Look *look, Message *problem);
void programs_free(Programs *programs);

/// Whether two looks need different programs.
bool programs_differ(const Look *a, const Look *b);
