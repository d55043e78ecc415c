/// Rain and snow: when they fall, and which of them falls at the camera.
#pragma once

#include "render/renderer_def.h"
#include "world/world.h"

typedef enum WeatherChoice {
    WEATHER_CLEAR,   ///< never
    WEATHER_FALLING, ///< always
    WEATHER_CHANGING ///< now and then
} WeatherChoice;

/// Returns the strength of rain or snow at a time, 0..1. The same on every machine.
/// @param seconds  since the viewer began; CHANGING is clear for the first WEATHER_CLEAR_SECONDS
float weather_strength(WeatherChoice choice, double seconds);

#define WEATHER_CLEAR_SECONDS 150.0

/// Returns rain and snow by the biomes within 32 voxels: snow in snow and tundra, nothing in desert
/// and savanna, rain elsewhere. Continuous, so that biome borders do not show.
/// @param terrain   of the land
/// @param x,z       voxels
/// @param strength  from weather_strength
RendererWeather weather_of_place(const TrnTerrain *terrain, double x, double z, float strength);

/// Returns the weather around the camera; none if the world has no generated land.
/// Cost: none in clear weather, otherwise 10 us; 0.1 ms for each column that is not in the
/// terrain's cache.
RendererWeather weather_find(const World *world, TrnPosition camera, WeatherChoice choice,
                             double seconds);
