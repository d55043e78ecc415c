// Sky, haze and tone. Colours are linear until finish().
const vec3 SUN_LIGHT = vec3(1.95, 1.62, 1.20);
const vec3 ZENITH = vec3(0.045, 0.19, 0.62);
const vec3 HORIZON = vec3(0.50, 0.73, 1.02);
const vec3 DEEP_WATER = vec3(0.012, 0.10, 0.13);

// The sky without sun and clouds. Haze has the same colour in the same direction, so that the land's edge melts into it.
vec3 sky_colour(vec3 direction)
{
    float up = max(direction.y, 0.0);
    float sunwards = max(dot(direction, sun.xyz), 0.0);
    float low = exp(-5.0 * up);
    vec3 colour = mix(ZENITH, HORIZON, exp(-3.4 * up));
    colour = mix(colour, vec3(1.25, 0.93, 0.62), 0.55 * low * pow(sunwards, 5.0));
    colour += vec3(1.0, 0.72, 0.42) * (0.16 * pow(sunwards, 24.0) + 0.30 * pow(sunwards, 220.0));
    // Below the horizon the haze is a little denser and darker.
    return colour * mix(1.0, 0.80, smoothstep(0.0, 0.55, -direction.y));
}

// How far out something is, 1 where the haze hides everything: a ball as flat as what is loaded.
float haze_part(vec3 from_camera)
{
    return length(from_camera * vec3(1.0, haze.w, 1.0)) / haze.x;
}

// How far the edge of what is loaded has swallowed what is there, 0..1.
float haze_edge(vec3 from_camera)
{
    return smoothstep(0.5, 0.98, haze_part(from_camera));
}

// Dims a colour by what lies between it and the camera: blue air first, then all of it near the edge of what is loaded.
vec3 through_haze(vec3 colour, vec3 from_camera)
{
    float distance = length(from_camera);
    vec3 direction = from_camera / max(distance, 1e-4);
    if (haze.z > 0.5) {
        return mix(DEEP_WATER, colour, exp(-0.045 * distance));
    }
    float near = distance / haze.x;
    float air = 0.45 * (1.0 - exp(-1.6 * near * near));
    return mix(colour, sky_colour(direction), max(haze_edge(from_camera), air));
}

// From light to what the screen can show: highlights bend towards white instead of clipping, and strong colours are
// calmed a little. The framebuffer turns it into sRGB.
vec3 finish(vec3 colour)
{
    float grey = dot(colour, vec3(0.2126, 0.7152, 0.0722));
    colour = mix(vec3(grey), colour, 0.92);
    colour = 1.0 - exp(-1.05 * max(colour, 0.0));
    return mix(colour, colour * colour * (3.0 - 2.0 * colour), 0.35);
}
