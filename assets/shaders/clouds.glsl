// Clouds: a flat layer at infinite distance. Needs noise.glsl and light.glsl.
// @param octaves  0 costs almost nothing: a loop ends once no pixel needs it, even if branches
// execute both sides
float cloud_noise(vec2 at, int octaves)
{
    float sum = 0.0, weight = 0.5;
    for (int octave = 0; octave < octaves; octave++) {
        sum += weight * smooth_noise(ivec2(floor(at)), fract(at));
        at = mat2(1.6, 1.2, -1.2, 1.6) * at + 17.0;
        weight *= 0.5;
    }
    return sum;
}

// rgb: light of the clouds, a: opacity.
vec4 clouds(vec3 direction, bool wanted)
{
#if CLOUDS
    int octaves = wanted && direction.y > 0.03 ? CLOUDS : 0;
    direction.y = max(direction.y, 0.03);
    vec2 at = direction.xz / (direction.y + 0.12) * 1.5 + vec2(0.012, 0.004) * camera.w;
    float here = cloud_noise(at, octaves);
    float cover = smoothstep(0.49 - 0.55 * far_view.w, 0.61 - 0.35 * far_view.w, here);
    // Light decreases where clouds get denser towards the sun.
#if QUALITY > 0
    float lit = clamp(0.80 - 2.6 * (cloud_noise(at + 0.16 * shine.xz, octaves) - here) - 0.9 * smoothstep(0.58, 0.85, here), 0.12, 1.0);
#else
    float lit = clamp(1.35 - 1.1 * here, 0.25, 1.0); // dense parts are dark
#endif
    vec3 light = mix(0.62 * sky_light.rgb, 0.50 * sky_light.rgb + 0.95 * shine_light.rgb, lit);
    // While the sun is low, it lights them from below.
    float sunwards = 0.5 + 0.5 * dot(direction, sun.xyz);
    light += glow.rgb * lit * sunwards * sunwards * 0.45 * max(1.0 - shine_light.r, 0.0);
    light = mix(light, sky_colour(direction), 0.55 * exp(-6.0 * direction.y));
#if QUALITY > 0
    float low = 0.03;
#else
    float low = 0.10; // land that the haze has swallowed does not show them, and would cut its shape out
#endif
    return vec4(light, mix(0.85, 1.0, far_view.w) * cover * smoothstep(low, low + 0.19, direction.y));
#else
    return vec4(0.0);
#endif
}
