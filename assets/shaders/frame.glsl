// What all shaders know about the frame; mirrored by FrameBlock in viewer/renderer.c.
layout(std140) uniform Frame
{
    mat4 clip;          // from voxels off the camera chunk's lowest corner to clip space
    vec4 camera;        // xyz: the camera in those voxels; w: seconds
    ivec4 camera_chunk; // xyz
    vec4 ray_right;     // xyz: half the picture's width, half its height and its middle, as directions
    vec4 ray_up;
    vec4 ray_forward;
    vec4 sun;  // xyz: unit vector towards it; w: distance at which plants have sunk into the ground
    vec4 haze; // x: distance at which it hides everything; y: a pixel's height at distance 1; z: 1 under water;
               // w: how many times nearer it does so above and below
};
