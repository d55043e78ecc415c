#include "world/weather.h"

#include <math.h>

#define PERIOD 720.0        // seconds: each period may have one shower
#define RAMP 30.0f          // seconds until rain has its full strength
#define LEAST 60.0          // seconds: shortest shower
#define SPACING INT64_C(16) // voxels between the points where biomes are sampled
#define REACH INT64_C(2)    // sampled points to each side

/// Pseudo-random number, 0..1. @param use  selects one of several numbers
static double weather_chance(uint64_t number, uint64_t use)
{
    uint64_t bits = (number * 2 + use + 1) * 0x9E3779B97F4A7C15u;
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9u;
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBu;
    return (double)(bits >> 40) / 16777216.0;
}

float weather_strength(WeatherChoice choice, double seconds)
{
    if (choice != WEATHER_CHANGING) {
        return choice == WEATHER_FALLING ? 1 : 0;
    }
    const double period = floor(fmax(seconds, 0) / PERIOD), at = fmax(seconds, 0) - period * PERIOD;
    const uint64_t number = (uint64_t)period;
    const double begin = WEATHER_CLEAR_SECONDS + weather_chance(number, 0) * 180;
    const double end = begin + LEAST + weather_chance(number, 1) * 240; // before the period ends
    const float part = (float)fmin(at - begin, end - at) / RAMP;
    return fminf(fmaxf(part, 0), 1);
}

/// Returns the shares of rain and snow in a biome.
static RendererWeather weather_of_biome(TrnTerrainBiome biome)
{
    switch (biome) {
    case TRN_TERRAIN_BIOME_DESERT:
    case TRN_TERRAIN_BIOME_SAVANNA:
        return (RendererWeather){0, 0};
    case TRN_TERRAIN_BIOME_SNOW:
    case TRN_TERRAIN_BIOME_TUNDRA:
        return (RendererWeather){0, 1};
    default:
        return (RendererWeather){1, 0};
    }
}

RendererWeather weather_of_place(const TrnTerrain *terrain, double x, double z, float strength)
{
    const int64_t first_x = (int64_t)floor(x / SPACING), first_z = (int64_t)floor(z / SPACING);
    RendererWeather sum = {0, 0};
    float whole = 0;
    for (int64_t i = 2 * REACH * 2 * REACH; i-- > 0;) {
        const int64_t at_x = (first_x + i % (2 * REACH) - REACH + 1) * SPACING;
        const int64_t at_z = (first_z + i / (2 * REACH) - REACH + 1) * SPACING;
        TrnTerrainSample sample;
        if (trn_terrain_sample(terrain, at_x, at_z, &sample) != TRN_RESULT_OK) {
            continue; // beyond the end of the world
        }
        // Weights are 0 where a point enters the reach.
        const double reach = (double)(SPACING * REACH);
        const float weight =
            (float)((1 - fabs((double)at_x - x) / reach) * (1 - fabs((double)at_z - z) / reach));
        const RendererWeather here = weather_of_biome(sample.biome);
        sum.rain += weight * here.rain;
        sum.snow += weight * here.snow;
        whole += weight;
    }
    const float part = whole > 0 ? strength / whole : 0;
    return (RendererWeather){sum.rain * part, sum.snow * part};
}

RendererWeather weather_find(const World *world, TrnPosition camera, WeatherChoice choice,
                             double seconds)
{
    const float strength = weather_strength(choice, seconds);
    if (strength <= 0 || !world_has_sea(world)) {
        return (RendererWeather){0, 0};
    }
    const TrnVoxel corner = trn_coord_voxel(camera.chunk);
    return weather_of_place(world_terrain(world), (double)corner.x + camera.offset[0],
                            (double)corner.z + camera.offset[2], strength);
}
