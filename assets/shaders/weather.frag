// Drops of rain and flakes of snow.
in vec2 across;
flat in float opacity;
flat in int is_snow;
out vec4 colour;

void main()
{
    vec3 day = vec3(0.05 + 0.55 * sky_light.y + 0.45 * shine_light.y);
    float drop = (1.0 - across.x * across.x) * (1.0 - across.y * across.y);
    float flake = 1.0 - smoothstep(0.5, 1.0, length(across));
    vec3 light = (is_snow == 0 ? vec3(0.66, 0.74, 0.84) : vec3(1.0, 1.02, 1.05)) * day;
    colour = vec4(finish(light), opacity * (is_snow == 0 ? drop : flake));
}
