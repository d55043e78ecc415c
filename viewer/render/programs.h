/// The shader programs of a look; code for what is switched off is left out.
#ifndef TERRANE_VIEWER_PROGRAMS_H
#define TERRANE_VIEWER_PROGRAMS_H

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
    UNIT_QUADS, ///< of the segment that is drawn
    UNIT_COUNT
};

typedef struct Programs {
    GLuint terrain, models, plants, debris, water, glass, sky, present, lens, weather;
    GLuint fading_terrain, fading_models, fading_water; ///< draw some pixels only: see fade.glsl
} Programs;

/// On failure the message names the shader, and has the compiler's message with its lines.
bool programs_create(Programs *programs, const Look *look, Message *problem);
void programs_free(Programs *programs);

/// Whether two looks need different programs.
bool programs_differ(const Look *a, const Look *b);

#endif
