/// How the picture is drawn: switches, time of day, and the resulting sun and sky.
#ifndef TERRANE_VIEWER_LOOK_H
#define TERRANE_VIEWER_LOOK_H

#include <stdbool.h>

typedef enum LookSwitch {
    LOOK_OCCLUSION, ///< occlusion culling
    LOOK_TEXTURES,
    LOOK_AO,
    LOOK_SKYLIGHT, ///< less light where less of the sky's light comes: under trees, in caves
    LOOK_SHADOWS,  ///< of the sun
    LOOK_HAZE,
    LOOK_CLOUDS,
    LOOK_WAVES,
    LOOK_REFLECTIONS, ///< of land in water, at high quality
    LOOK_SWAY,        ///< plants and leaves move
    LOOK_PLANTS,
    LOOK_TONE,  ///< tone mapping
    LOOK_LAMP,  ///< a lamp with the camera, in the dark
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
    LOOK_DEBUG_STATES, ///< chunks coloured by their state
    LOOK_DEBUG_FACES,  ///< directions as colours
    LOOK_DEBUG_OVERDRAW,
    LOOK_DEBUG_DEPTH,
    LOOK_DEBUG_LIGHT, ///< its levels
    LOOK_DEBUG_COUNT
} LookDebug;

#define LOOK_SCALE_MIN 0.25f
#define LOOK_SCALE_MAX 2.0f

typedef struct Look {
    bool on[LOOK_SWITCH_COUNT];
    LookQuality quality; ///< detail of light, clouds and waves
    LookDebug debug;
    float hours; ///< time of day, 0..24; 12 is noon
    float scale; ///< pixels drawn for each pixel of the window, along each axis
    int samples; ///< per pixel; 0: chosen for the driver
} Look;

/// Everything on but the lamp, at 9 o'clock.
Look look_default(LookQuality quality);

/// Sets the quality and turns off what it excludes: low has no shadows, no holes in leaves, and no
/// sway.
void look_set_quality(Look *look, LookQuality quality);

/// Light and sky at a time of day. Colours are linear light.
typedef struct LookSky {
    float sun[3];                         ///< unit vector towards it, also by night
    float light_way[3];                   ///< towards what shines brightest, sun or moon
    float light[3];                       ///< its colour
    float zenith[3], horizon[3], glow[3]; ///< glow: around the sun, low in the sky
    float above[3];                       ///< light from the sky on what looks up
    float stars;                          ///< 0..1
} LookSky;

LookSky look_sky(float hours);

/// Dims sun, moon and stars behind clouds that cover the whole sky, and makes it grey.
/// @param part  0: not at all .. 1: heavy rain
void look_overcast(LookSky *sky, float part);

#endif
