/// Rain and snow: when it falls, and which of both falls where the camera is.
#ifndef TERRANE_VIEWER_WEATHER_H
#define TERRANE_VIEWER_WEATHER_H

#include "render/renderer_def.h"
#include "world/world.h"

typedef enum WeatherChoice {
    WEATHER_CLEAR,   ///< never
    WEATHER_FALLING, ///< always
    WEATHER_CHANGING ///< now and then
} WeatherChoice;

/// Returns how much falls at a time, 0..1. The same on every machine.
/// @param seconds  since the viewer began; CHANGING is clear for the first WEATHER_CLEAR_SECONDS
float weather_strength(WeatherChoice choice, double seconds);

#define WEATHER_CLEAR_SECONDS 150.0

/// Divides what falls by the biomes within 32 voxels: snow in snow and tundra, nothing in desert
/// and savanna, rain elsewhere. Continuous in the place, so that borders of biomes do not show.
/// @param terrain   of the land
/// @param x,z       voxels
/// @param strength  from weather_strength
RendererWeather weather_of_place(const TrnTerrain *terrain, double x, double z, float strength);

/// The weather around the camera; none if the world has no generated land.
/// Cost: nothing while it is clear, otherwise 10 us; 0.1 ms for each column of chunks that the
/// terrain does not have in its cache.
RendererWeather weather_find(const World *world, TrnPosition camera, WeatherChoice choice,
                             double seconds);

#endif
