// Sky, haze and tone. Colours are linear until finish().

// Skips work that whole pictures often do not need: software renderers execute both sides of an if,
// but a loop only while some pixel needs it.
#define ONLY_WHERE(condition) for (bool once = (condition); once; once = false)

// The colour under water with nothing else in view: brighter towards the light. In lava its glow.
vec3 deep_water(vec3 direction)
{
    if (haze.z > 1.5) {
        return vec3(0.80, 0.16, 0.01);
    }
    float up = smoothstep(-0.7, 0.9, direction.y);
    return mix(vec3(0.004, 0.050, 0.085), vec3(0.030, 0.200, 0.230), up) *
           (0.06 + 0.55 * sky_light.y + 0.28 * shine_light.y);
}

// The sky without sun and clouds. Haze has the same colour in the same direction, so that the land's edge melts into it.
vec3 sky_colour(vec3 direction)
{
    float up = max(direction.y, 0.0);
    float sunwards = max(dot(direction, sun.xyz), 0.0);
    float sunwards4 = sunwards * sunwards * sunwards * sunwards; // pow() is slow on software renderers
    float sunwards8 = sunwards4 * sunwards4, sunwards24 = sunwards8 * sunwards8 * sunwards8;
    float low = exp(-5.0 * up);
    vec3 colour = mix(zenith.rgb, horizon.rgb, exp(-3.4 * up));
    colour = mix(colour, glow.rgb, 0.62 * low * sunwards4);
    float sunwards72 = sunwards24 * sunwards24 * sunwards24;
    colour += glow.rgb * (0.12 * sunwards24 + 0.24 * sunwards72 * sunwards72 * sunwards72);
    // Below the horizon the haze is a little denser and darker.
    return colour * mix(1.0, 0.80, smoothstep(0.0, 0.55, -direction.y));
}

// The depth of water where the heights of the land are not known.
const float DEEP = 24.0;

// What comes out of water, by the light on it.
vec3 water_body(float depth, vec3 day)
{
    return mix(vec3(0.010, 0.400, 0.440), vec3(0.004, 0.080, 0.200), 1.0 - exp(-0.16 * depth)) * day;
}

float water_fresnel(vec3 direction, vec3 normal)
{
    return 0.02 + 0.98 * pow(1.0 - clamp(-dot(direction, normal), 0.0, 1.0), 5.0);
}

// The light of water seen from above: what comes out of it, and the sky and the sun in its mirror.
// @param spread  how many of its waves are smaller than pixels, 0..1: they widen the sun's image
// @param lit     how much light of the sky and of the sun comes here, 0..1
vec3 water_light(vec3 body, vec3 direction, vec3 normal, float spread, vec2 lit)
{
    vec3 mirrored = reflect(direction, normal);
    mirrored.y = abs(mirrored.y) + 0.02;
    mirrored = normalize(mirrored);
    float sunwards = max(dot(mirrored, shine.xyz), 0.0);
    vec3 glint = shine_light.rgb * mix(0.42, 0.20, spread) * pow(sunwards, mix(420.0, 60.0, spread)) * lit.y;
    return mix(body, sky_colour(mirrored) * lit.x, 0.85 * water_fresnel(direction, normal)) + glint;
}

// How much of the sky's light falls on water.
float water_day()
{
    return 0.08 + 0.50 * sky_light.y + 0.30 * shine_light.y;
}

// How much the air between the camera and something hides, 0..1.
float air_hides(float distance)
{
    float near = distance / haze.x;
    return far_view.y * (1.0 - exp(-1.6 * near * near));
}

// How much sea there is at the far end of the view in a direction, 0..1.
float sea_at_end(vec3 direction)
{
    float at = fract(atan(direction.x, -direction.z) / 6.2831853 + 1.0) * 64.0;
    int first = int(at) & 63, second = (first + 1) & 63;
    return mix(open_sea[first >> 2][first & 3], open_sea[second >> 2][second & 3], fract(at));
}

// What is seen beyond the land: the sky, and below the horizon the sea if the view ends there, through as much air as that is far.
// rgb: colour, a: how much of it is sea.
vec4 beyond_land(vec3 direction, vec3 sky)
{
    vec4 seen = vec4(sky, 0.0);
    ONLY_WHERE(far_view.z > 0.0 && direction.y < 0.0) {
        vec3 flat_sea = water_light(water_body(DEEP, vec3(water_day())), direction, vec3(0.0, 1.0, 0.0), 1.0, vec2(1.0));
        seen.a = sea_at_end(direction);
        float through = (1.0 - air_hides(far_view.z / max(-direction.y, 1e-6))) * seen.a;
        seen.rgb = mix(sky, flat_sea, through);
    }
    return seen;
}

// How far out something is, 1 where the haze hides everything: a ball as flat as what is loaded.
float haze_part(vec3 from_camera)
{
    return length(from_camera * vec3(1.0, haze.w, 1.0)) / haze.x;
}

// How far the edge of what is loaded has swallowed what is there, 0..1.
float haze_edge(vec3 from_camera)
{
    return smoothstep(far_view.x, 0.98, haze_part(from_camera));
}

// How bright levels of light are, 0..1: each is about as much darker than the next.
vec2 brightness(vec2 levels)
{
    return levels * sqrt(levels);
}

// Dims a colour by what lies between it and the camera: blue air first, then all of it near the edge of what is loaded.
// In caves the air is dark: around the camera, and for some dozen steps in front of what the sky does not light. Farther away, the air in front
// of a cave's mouth is as bright as elsewhere.
// @param lit  how much light of the sky comes to the surface, 0..1
vec3 through_haze(vec3 colour, vec3 from_camera, float lit)
{
    float distance = length(from_camera);
    vec3 direction = from_camera / max(distance, 1e-4);
    vec3 dimmed = colour;
#if HAZE
    float above = 1.0 - 0.9 * sky_light.w;
    float air = air_hides(distance) * above * (1.0 - 0.85 * (1.0 - lit) * min(48.0 / max(distance, 1.0), 1.0));
    float swallowed = max(haze_edge(from_camera) - air, 0.0) / (1.0 - air);
    vec3 sky = sky_colour(direction), beyond = sky;
    ONLY_WHERE(swallowed > 0.0) {
        beyond = beyond_land(direction, sky).rgb;
    }
    dimmed = mix(mix(colour, sky * above, air), beyond * above, swallowed);
#endif
    ONLY_WHERE(haze.z > 0.5) {
        dimmed = mix(deep_water(direction), colour, exp((haze.z > 1.5 ? -1.5 : -0.030) * distance));
    }
    return dimmed;
}

#if DEBUG == 1 && defined(GL_ES)
// OpenGL ES cannot draw triangles as lines: all but the edges of both triangles of a quad is discarded.
void keep_edges(vec2 across)
{
    vec2 pixel = max(fwidth(across), 1e-6), near = min(across, 1.0 - across) / pixel;
    float diagonal = abs(across.x - across.y) / (pixel.x + pixel.y);
    if (min(min(near.x, near.y), diagonal) > 0.6) {
        discard;
    }
}
#endif

#if DEBUG == 7
// Levels of the sky's light (blue) and of the blocks' (red), with a line at each level.
vec3 level_colour(vec2 levels)
{
    vec2 steps = levels * 15.0, slope = fwidth(steps);
    vec2 away = abs(fract(steps + 0.5) - 0.5) / max(slope, 1e-4);
    bvec2 on = lessThan(away + vec2(lessThan(slope, vec2(0.002))) * 9.0, vec2(0.7));
    vec3 sky = vec3(0.03, 0.16, 0.50) * levels.x, blocks = vec3(0.90, 0.26, 0.02) * levels.y;
    return (sky + blocks) * (any(on) ? 0.4 : 1.0) + vec3(0.006);
}
#endif

// Tone mapping, from light to what the screen can show: only the sun's disc and its image reach white, so that one sees the
// steps of snow and the grain of sand at noon.
// Contrast is raised half by lightness: in each colour separately it made earth and bark red, by
// lightness alone it made the sky grey. The framebuffer converts to sRGB.
vec3 finish(vec3 colour)
{
#if TONE
    colour = 1.52 * max(colour, 0.0);
    colour = min(colour * (1.0 + colour / 64.0) / (1.0 + colour), 1.0);
    float grey = dot(colour, vec3(0.2126, 0.7152, 0.0722));
    vec3 level = mix(vec3(grey), colour, 0.75);
    return colour * mix(vec3(1.0), level * (3.0 - 2.0 * level), 0.60);
#else
    return clamp(colour, 0.0, 1.0);
#endif
}
