/// The files of assets/ that are built into the program, so that it runs from anywhere. Made by
/// cmake/TerraneEmbed.cmake: each ends with a zero that its size does not count.
#ifndef TERRANE_VIEWER_ASSETS_H
#define TERRANE_VIEWER_ASSETS_H

#include <stddef.h>

extern const char asset_frame_glsl[], asset_light_glsl[], asset_noise_glsl[], asset_clouds_glsl[],
    asset_skyline_glsl[], asset_fade_glsl[];
extern const char asset_quad_vert[], asset_debris_vert[], asset_terrain_frag[], asset_water_frag[];
extern const char asset_outline_vert[], asset_outline_frag[];
extern const char asset_box_vert[], asset_box_frag[];
extern const char asset_screen_vert[], asset_sky_frag[], asset_present_frag[];
extern const char asset_lens_frag[];
extern const char asset_weather_vert[], asset_weather_frag[];
extern const char asset_first_flight[], asset_fast_flight[], asset_caves_flight[],
    asset_walk_flight[], asset_digging_flight[];
extern const size_t asset_first_flight_bytes, asset_fast_flight_bytes, asset_caves_flight_bytes,
    asset_walk_flight_bytes, asset_digging_flight_bytes;
// Recorded walks, one for each preset.
extern const char asset_default_flight[], asset_alps_flight[], asset_canyons_flight[],
    asset_islands_flight[], asset_flat_flight[];
extern const size_t asset_default_flight_bytes, asset_alps_flight_bytes, asset_canyons_flight_bytes,
    asset_islands_flight_bytes, asset_flat_flight_bytes;

#endif
