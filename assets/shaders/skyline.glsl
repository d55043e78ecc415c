// Shadows of the sun, from the heights of the land around a point.
uniform sampler2D skyline;       // R32F: the top of each column
uniform sampler2D known_heights; // R8: how well these are known at the lowest corner of each column of chunks

#ifndef HEIGHTS_FILTERED
float height_at(vec2 column)
{
    return textureLod(skyline, (column + 0.5) * skyline_at.z, 0.0).r;
}
#endif

// How far the land of a column rises above a point, in voxels; both relative to the lowest corner
// of the camera's chunk.
float rise(vec3 at)
{
    vec2 on = at.xz + skyline_at.xy;
#ifdef HEIGHTS_FILTERED
    float height = textureLod(skyline, on * skyline_at.z, 0.0).r;
#else
    // Interpolates here: some drivers interpolate no textures of floats.
    vec2 part = fract(on - 0.5), first = on - 0.5 - part;
    vec4 corners = vec4(height_at(first), height_at(first + vec2(1.0, 0.0)), height_at(first + vec2(0.0, 1.0)),
                        height_at(first + 1.0));
    float height = mix(mix(corners.x, corners.y, part.x), mix(corners.z, corners.w, part.x), part.y);
#endif
    return height - at.y - skyline_at.w;
}

// A column in the picture of heights, which repeats. @param column  at most as far outside as the picture is wide
ivec2 in_skyline(ivec2 column)
{
    ivec2 edge = textureSize(skyline, 0);
    return column + edge * (ivec2(lessThan(column, ivec2(0))) - ivec2(greaterThanEqual(column, edge)));
}

// The same for the nearest column only: a quarter of the work.
float plain_rise(vec3 at)
{
    return texelFetch(skyline, in_skyline(ivec2(floor(at.xz + skyline_at.xy))), 0).r - at.y - skyline_at.w;
}

// How well the heights of the land around a point are known, 0..1.
float heights_known(vec3 at)
{
    vec2 away = abs(at.xz - camera.xz) * skyline_at.z; // the textures repeat
    float known = textureLod(known_heights, (at.xz + skyline_at.xy + 16.0) * skyline_at.z, 0.0).r;
    return max(away.x, away.y) < 0.5 ? smoothstep(0.0, 1.0, known) : 0.0;
}

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
