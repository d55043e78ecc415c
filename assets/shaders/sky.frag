// Sun, moon, stars and clouds, wherever no land is drawn.
in vec3 ray;
out vec4 colour;

// Stars in some cells of a grid over the sky.
float stars(vec3 direction)
{
    vec3 at = direction * 90.0;
    ivec3 cell = ivec3(floor(at));
    float chance = hash3(cell);
    vec3 place = 0.25 + 0.5 * vec3(hash3(cell + 31), hash3(cell + 57), hash3(cell + 83));
    float size = chance > 0.994 ? 0.24 : 0.15;
    float shine_of = chance > 0.93 ? 0.25 + 0.95 * hash3(cell + 7) : 0.0;
    return shine_of * (1.0 - smoothstep(0.3 * size, size, length(fract(at) - place)));
}

void main()
{
    vec3 direction = normalize(ray);
#if DEBUG == 1
    colour = vec4(0.010, 0.012, 0.018, 1.0);
    return;
#elif DEBUG == 5
    colour = vec4(0.0, 0.0, 0.0, 1.0);
    return;
#elif DEBUG == 4 || DEBUG == 6 || DEBUG == 7
    colour = vec4(0.0, 0.0, 0.02, 1.0);
    return;
#endif
    if (haze.z > 0.5) {
        float speck = hash3(ivec3(gl_FragCoord.xy, 3)) - 0.5;
        colour = vec4(finish(deep_water(direction)) * (1.0 + speck / 60.0), 1.0);
        return;
    }
    vec4 seen = beyond_land(direction, sky_colour(direction));
    vec3 light = seen.rgb;
    float up = smoothstep(0.0, 0.25, direction.y);
    ONLY_WHERE(shine_light.w > 0.001) {
        light += shine_light.w * up * stars(direction) * vec3(0.55, 0.60, 0.72);
    }
    float sunwards = dot(direction, sun.xyz);
    vec3 sun_light = max(glow.rgb, vec3(0.6)) * (1.0 - shine_light.w) * (1.0 - seen.a);
    // A disc of 1.5 degrees, with a glow that hides its distortion at the picture's edges.
    ONLY_WHERE(sunwards > 0.99) {
        light += sun_light * (7.0 * smoothstep(0.99988, 0.99994, sunwards) + 2.0 * pow(sunwards, 9000.0) +
                              0.40 * pow(sunwards, 1400.0));
    }
    // The moon stands opposite: a disc with darker spots.
    float moonwards = -sunwards;
    ONLY_WHERE(shine_light.w > 0.001 && moonwards > 0.9) {
        vec3 spot = direction * 210.0;
        float face = 0.62 + 0.38 * smooth_noise(ivec2(floor(spot.xy)), fract(spot.xy));
        float disc = smoothstep(0.99958, 0.99966, moonwards);
        float bright = shine_light.w * (1.0 - seen.a);
        light = mix(light, vec3(0.92, 0.94, 1.0) * face, disc * bright);
        light += bright * vec3(0.05, 0.06, 0.09) * pow(moonwards, 260.0);
    }
    vec4 cloud = clouds(direction, true);
    light = mix(light, cloud.rgb, cloud.a);
    light *= 1.0 - 0.9 * sky_light.w; // from inside a cave, the sky is visible only where nothing is loaded
    // A little noise hides the 8-bit steps of the smooth gradient.
    float grain = hash3(ivec3(gl_FragCoord.xy, 3)) - 0.5;
    colour = vec4(finish(light) * (1.0 + grain / 120.0), 1.0);
}
