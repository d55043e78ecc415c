/// Draws rain and snow: particles that the vertex shader places from their numbers, the time and
/// the heights of the land, without any data of their own.
#ifndef TERRANE_VIEWER_WEATHER_DRAW_H
#define TERRANE_VIEWER_WEATHER_DRAW_H

#include "render/gl.h"

#include "render/renderer_def.h"

/// Draws what falls around the camera, over everything else. Nothing falls under roofs.
/// @param program       of assets/shaders/weather.vert
/// @param vertex_array  without attributes
/// @param quality       there are fewer particles at low quality
/// @return draw calls
uint32_t weather_draw_call(const RendererWeather *weather, GLuint program, GLuint vertex_array,
                           LookQuality quality);

#endif
