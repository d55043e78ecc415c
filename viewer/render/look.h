/// How the picture is drawn: what is switched on, the time of day, and what that makes of sun and
/// sky.
#ifndef TERRANE_VIEWER_LOOK_H
#define TERRANE_VIEWER_LOOK_H

#include <stdbool.h>
#include <stddef.h>

#include <cglm/cglm.h>

#include "message.h"

typedef enum LookSwitch {
    LOOK_OCCLUSION, ///< chunks that others hide are left out
    LOOK_TEXTURES,
    LOOK_AO,
    LOOK_SKYLIGHT, ///< less light where less of the sky is seen: under trees, in caves
    LOOK_SHADOWS,  ///< of the sun
    LOOK_FOG,
    LOOK_CLOUDS,
    LOOK_WAVES,
    LOOK_SWAY, ///< plants and leaves move
    LOOK_PLANTS,
    LOOK_TONE,  ///< tone mapping
    LOOK_LAMP,  ///< a lamp with the camera, where it is dark
    LOOK_HOLES, ///< in leaves
    LOOK_SWITCH_COUNT
} LookSwitch;

typedef enum LookQuality {
    LOOK_QUALITY_LOW,
    LOOK_QUALITY_MEDIUM,
    LOOK_QUALITY_HIGH,
    LOOK_QUALITY_COUNT
} LookQuality;

typedef enum LookDebug {
    LOOK_DEBUG_NONE,
    LOOK_DEBUG_WIREFRAME,
    LOOK_DEBUG_CHUNKS, ///< their borders
    LOOK_DEBUG_STATES, ///< chunks in the colour of what is known of them
    LOOK_DEBUG_FACES,  ///< directions as colours
    LOOK_DEBUG_OVERDRAW,
    LOOK_DEBUG_DEPTH,
    LOOK_DEBUG_COUNT
} LookDebug;

#define LOOK_SCALE_MIN 0.25f
#define LOOK_SCALE_MAX 2.0f

typedef struct Look {
    bool on[LOOK_SWITCH_COUNT];
    LookQuality quality; ///< how finely light, clouds and waves are worked out
    LookDebug debug;
    float hours; ///< time of day, 0..24; 12 is noon
    float scale; ///< pixels drawn for each of the window's, along each axis
    int samples; ///< per pixel; 0: as the driver's kind suggests
} Look;

/// Everything on, at 9 o'clock.
Look look_default(LookQuality quality);

/// Chooses a quality, and switches what it can do without: low has no shadows and no holes in
/// leaves, and nothing sways.
void look_set_quality(Look *look, LookQuality quality);

/// Changes a look by words with commas between: the name of a switch, or "no-" and the name;
/// quality=low, time=18.5, debug=depth, scale=0.5, samples=4. A quality switches as
/// look_set_quality does.
/// @return false on a word that means nothing; the look is then as it was
bool look_parse(Look *look, const char *text, Message *problem);

/// The name of a switch or a debug view, for people.
const char *look_switch_name(LookSwitch which);
const char *look_debug_name(LookDebug debug);

/// Light and sky at a time of day. Colours are linear light.
typedef struct LookSky {
    vec3 sun;                   ///< unit vector towards it, also by night
    vec3 light_way;             ///< towards what shines brightest, sun or moon
    vec3 light;                 ///< its colour
    vec3 zenith, horizon, glow; ///< glow: around the sun, low in the sky
    vec3 above;                 ///< light from the sky on what looks up
    float stars;                ///< 0..1
} LookSky;

LookSky look_sky(float hours);

#endif
