// Sky, sun and clouds, wherever there is no land.
in vec3 ray;
out vec4 colour;

void main()
{
    vec3 direction = normalize(ray);
    if (haze.z > 0.5) {
        colour = vec4(finish(DEEP_WATER), 1.0);
        return;
    }
    vec3 light = sky_colour(direction);
    float sunwards = dot(direction, sun.xyz);
    // A disc of 1.5 degrees, and around it a glow that hides how the picture's edges stretch it.
    light += SUN_LIGHT * (5.0 * smoothstep(0.99988, 0.99994, sunwards) + 1.6 * pow(max(sunwards, 0.0), 9000.0) +
                          0.35 * pow(max(sunwards, 0.0), 1400.0));
    vec4 cloud = clouds(direction, true);
    light = mix(light, cloud.rgb, cloud.a);
    // A trace of noise hides the steps of eight bits in the smooth gradient.
    float grain = hash3(ivec3(gl_FragCoord.xy, 3)) - 0.5;
    colour = vec4(finish(light) * (1.0 + grain / 120.0), 1.0);
}
