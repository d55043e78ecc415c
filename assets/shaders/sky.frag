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
    light += SUN_LIGHT * 9.0 * smoothstep(0.99966, 0.99982, sunwards);
    vec4 cloud = clouds(direction, true);
    light = mix(light, cloud.rgb, cloud.a);
    // A trace of noise hides the steps of eight bits in the smooth gradient.
    float grain = hash3(ivec3(gl_FragCoord.xy, 3)) - 0.5;
    colour = vec4(finish(light) * (1.0 + grain / 120.0), 1.0);
}
