/// How the picture is drawn: switches, quality and time of day; and the sun and sky that follow.
#pragma once

#include <stdbool.h>

typedef enum LookSwitch {
    LOOK_OCCLUSION, ///< occlusion culling
    LOOK_TEXTURES,
    LOOK_AO,
    LOOK_SKYLIGHT, ///< darker where less of the sky is visible: under trees, in caves
    LOOK_SHADOWS,  ///< of the sun
    LOOK_HAZE,
    LOOK_CLOUDS,
    LOOK_WAVES,
    LOOK_REFLECTIONS, ///< of land in water, at high quality
    LOOK_SWAY,        ///< plants and leaves move
    LOOK_PLANTS,
    LOOK_TONE,  ///< tone mapping
    LOOK_LAMP,  ///< light at the camera in dark places
    LOOK_HOLES, ///< holes in leaves
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
    LOOK_DEBUG_CHUNKS, ///< chunk borders
    LOOK_DEBUG_STATES, ///< chunks coloured by their state
    LOOK_DEBUG_FACES,  ///< directions of faces as colours
    LOOK_DEBUG_OVERDRAW,
    LOOK_DEBUG_DEPTH,
    LOOK_DEBUG_LIGHT, ///< light levels
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

/// All switches on except the lamp, at 9 o'clock.
Look look_default(LookQuality quality);

/// Light and sky at a time of day. Colours are linear light.
typedef struct LookSky {
    float sun[3];                         ///< unit vector towards the sun, also at night
    float light_way[3];                   ///< unit vector towards the brightest light, sun or moon
    float light[3];                       ///< colour of that light
    float zenith[3], horizon[3], glow[3]; ///< glow: around the sun, near the horizon
    float above[3];                       ///< light from the sky on faces that point up
    float stars;                          ///< 0..1
} LookSky;

LookSky look_sky(float hours);

/// Dims sun, moon and stars behind full cloud cover, and makes the sky grey.
/// @param part  0: clear .. 1: heavy rain
void look_overcast(LookSky *sky, float part);
