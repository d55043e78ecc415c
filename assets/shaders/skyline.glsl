// Skylight and shadows of the sun, from the heights of the land around a point.
uniform sampler2D skyline; // R32F: the top of each column

// How far the land of a column rises above a point, in voxels; both relative to the lowest corner
// of the camera's chunk.
float rise(vec3 at)
{
    return textureLod(skyline, (at.xz + skyline_at.xy) * skyline_at.z, 0.0).r - at.y - skyline_at.w;
}

// The same for the nearest column only: a quarter of the work.
float plain_rise(vec3 at)
{
    ivec2 edge = textureSize(skyline, 0);
    ivec2 column = ivec2(floor(at.xz + skyline_at.xy));
    column += edge * (ivec2(lessThan(column, ivec2(0))) - ivec2(greaterThanEqual(column, edge)));
    return texelFetch(skyline, column, 0).r - at.y - skyline_at.w;
}

#if SKYLIGHT
const vec2 AROUND[8] = vec2[8](vec2(1.0, 0.0), vec2(0.0, 1.0), vec2(-1.0, 0.0), vec2(0.0, -1.0),
                               vec2(0.71, 0.71), vec2(-0.71, 0.71), vec2(-0.71, -0.71), vec2(0.71, -0.71));

// The part of the sky that is visible from a point, 0..1: what the land around does not cover.
float sky_seen(vec3 at, vec3 normal)
{
    vec3 from = at + 0.55 * normal;
    float above = rise(from);
    float covered = 0.0;
    for (int i = 0; i < SKYLIGHT; i++) {
        float reach = i < 4 ? 3.0 : i < 8 ? 9.0 : 5.5;
        vec3 on = from + vec3(AROUND[i & 7].x, 0.0, AROUND[i & 7].y) * reach;
#if QUALITY > 0
        covered += clamp(rise(on) / (1.4 * reach), 0.0, 1.0);
#else
        covered += clamp(plain_rise(on) / (1.4 * reach), 0.0, 1.0);
#endif
    }
    float open = 1.0 - covered / float(SKYLIGHT);
    open *= mix(1.0, 0.5, smoothstep(0.3, 1.6, above));
    // Leaves let some light through, and some is reflected around corners; deep under the ground
    // there is none.
    return mix(open, 1.0, 0.20 * exp(-0.06 * max(above, 0.0)));
}
#endif

#if SHADOWS
// Whether the sun is visible, 0..1: samples its ray in growing steps; shadows are softer the
// farther away they are cast.
float sun_seen(vec3 at, vec3 normal)
{
    vec3 from = at + 0.6 * normal;
    float hidden = 0.0, reach = 0.8;
    for (int i = 0; i < SHADOWS; i++) {
        vec3 on = from + shine.xyz * reach;
        hidden = max(hidden, smoothstep(0.05, 0.5 + 0.05 * reach, rise(on)));
        reach *= 1.0 + 4.6 / float(SHADOWS);
    }
    return 1.0 - hidden;
}
#endif
