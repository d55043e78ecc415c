// The data of a frame that all shaders read; the same layout as FrameBlock in
// viewer/render/renderer.c.
layout(std140) uniform Frame
{
    mat4 clip; // from voxels, relative to the lowest corner of the camera's chunk, to clip space
    vec4 camera;        // xyz: the camera in those voxels; w: seconds
    ivec4 camera_chunk; // xyz; w: depth of the sky
    vec4 ray_right;     // xyz: half the picture's width, half its height and its middle, as directions
    vec4 ray_up;
    vec4 ray_forward;
    vec4 sun; // xyz: unit vector towards the sun, also by night; w: distance at which plants have sunk into the ground
    vec4 shine; // xyz: unit vector towards the brighter of sun and moon
    vec4 shine_light; // rgb: its light; w: brightness of the stars
    vec4 zenith;      // rgb: the sky's colours
    vec4 horizon;
    vec4 glow;      // rgb: around the sun
    vec4 sky_light; // rgb: light of the sky on surfaces that face up; w: the camera's lamp, 0..1
    vec4 haze; // x: distance at which it hides everything; y: a pixel's height at distance 1; z: 1 under water, 2 in lava;
               // w: how many times nearer it does so above and below
    uvec4 turf[8];   // which of the first 1024 types of blocks are turf: a bit each
    uvec4 clear[8];   // which of them are drawn as glass is: transparent ones, and liquids that emit light
    uvec4 glowing[8]; // which of them emit light
    vec4 far_view; // x: part of the haze's distance where it begins to hide; y: how much of what is at haze.x the air
                   // hides; z: the camera's height above the sea;
                   // w: how overcast the sky is, 0..1
    vec4 skyline_at; // xy: the camera chunk's corner in the picture of heights; z: 1 / its edge; w: that corner's height; all in voxels
    vec4 open_sea[16]; // four each of 64 ways around the camera, from north over east: how much of the far end of the view is sea, 0..1
};
