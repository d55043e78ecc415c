// Water: transparent where it is shallow and seen from above; a mirror of the sky where seen at a
// low angle.
in vec3 from_camera;
in vec3 local;
in vec2 across;
flat in uint face;
flat in uint block;
flat in vec4 corner_light;
in vec2 level; // of the sky's light and of the blocks'
flat in ivec3 chunk;
flat in int hidden;
flat in vec4 texels;
out vec4 colour;

// How much of the sky's light comes here, 0..1, and the light of blocks.
float sky_here()
{
#if SKYLIGHT
    return brightness(level).x;
#else
    return 1.0;
#endif
}

vec3 blocks_here()
{
    return vec3(0.55, 0.42, 0.26) * brightness(level).y;
}

// Waves per 64 voxels in x and z, height, speed. Whole numbers make waves continue across chunks
// without a seam. No two directions are equal, or the glitter would form stripes.
const vec4 WAVE[9] = vec4[9](vec4(2, -3, 0.050, 0.8), vec4(5, 4, 0.036, 1.1), vec4(-7, 2, 0.032, 1.4),
                             vec4(3, 11, 0.028, 1.7), vec4(-12, -9, 0.023, 2.1),
                             vec4(17, -6, 0.020, 2.4), vec4(-8, 23, 0.015, 2.9),
                             vec4(27, 14, 0.012, 3.3), vec4(-31, 19, 0.009, 3.8));

vec3 water_normal(vec2 at, float pixel)
{
    vec2 slope = vec2(0.0);
    for (int i = 0; i < WAVES; i++) {
        vec2 number = WAVE[i].xy * (6.2831853 / 64.0);
        // Waves fade before they become smaller than pixels, or they would flicker.
        float fade = clamp(2.0 - 1.5 * pixel * length(number), 0.0, 1.0);
        slope += number * WAVE[i].z * fade * cos(dot(number, at) + WAVE[i].w * camera.w);
    }
    return normalize(vec3(-slope.x, 1.0, -slope.y));
}

// The depth of the water below a point of its surface, as far as the heights of the land tell. It depends on the place
// alone and not on the level that is drawn there, so that the levels' edges do not show.
float water_depth(vec3 at)
{
    float below = -rise(at);
    return mix(DEEP, below < -0.5 ? 4.0 : clamp(below, 0.0, 40.0), heights_known(at)); // unknown under trees and roofs
}

// Water seen from below: the sky in a round window above, around it a mirror of the deep.
vec4 from_below(vec3 direction, vec3 normal)
{
    float facing = abs(dot(direction, normal));
    float window = smoothstep(0.58, 0.74, facing);
    vec3 above = sky_colour(normalize(vec3(direction.x, direction.y + 0.4, direction.z))) * 0.75;
    return vec4(mix(deep_water(direction) * 1.2, above, window) * sky_here(), mix(0.96, 0.55, window));
}

// @param on  the point modulo 64 x 64 voxels
vec4 from_above(vec3 at, vec2 on, vec3 direction, vec3 normal)
{
    float fresnel = water_fresnel(direction, normal);
    float depth = face != 3u ? 2.0 : water_depth(at);
    float through = depth / max(abs(direction.y), 0.22);
    vec3 day = vec3(water_day() * sky_here()) + blocks_here();
    vec3 body = water_body(depth, day) * clamp(1.0 + 3.6 * (normal.x + normal.z), 0.35, 2.2);
    float alpha = 1.0 - exp(-0.42 * through);

    // Foam where the water meets the land, which runs along the shore; whole numbers per 64 voxels,
    // as for the waves.
    float swash = sin(camera.w * 1.2 + 0.098174770 * (9.0 * on.x + 7.0 * on.y));
#if QUALITY > 0
    swash += 0.6 * sin(0.098174770 * (17.0 * on.x - 21.0 * on.y) - camera.w * 0.7);
#endif
    float edge = face == 3u ? 1.0 - smoothstep(0.35, 0.80, depth + 0.11 * swash) : 0.0;
    float foam = 0.80 * edge * (0.55 + 0.45 * smoothstep(0.25, 0.65, 0.5 + 6.0 * (normal.x - normal.z)));
    vec3 light = water_light(body, direction, normal, vec2(sky_here(), smoothstep(0.8, 1.0, level.x)));
    light = mix(light, vec3(0.85, 0.92, 0.95) * day, foam);
    return vec4(light, max(max(alpha, fresnel), foam));
}

void main()
{
#ifdef FADE
    fade_pixel();
#endif
    float distance = length(from_camera);
    vec3 direction = from_camera / max(distance, 1e-4);
    int lod = hidden >> 20;
    vec2 on = lod == 0 ? vec2((chunk.xz & 1) * 32) + local.xz : mod(local.xz * float(1 << lod), 64.0);
    // Seen at a low angle, a pixel covers more of the surface.
    float pixel = haze.y * distance / max(abs(direction.y), 0.05);
    vec3 normal = face == 3u ? water_normal(on, pixel) : vec3(0, 1, 0);
    vec4 seen = direction.y > 0.0 ? from_below(direction, normal)
                                  : from_above(from_camera + camera.xyz, on, direction, normal);
    seen.a = mix(seen.a, 1.0, smoothstep(0.35, 0.8, haze_part(from_camera)));
    colour = vec4(finish(through_haze(seen.rgb, from_camera, sky_here())), seen.a);
#if DEBUG == 4
    colour = vec4(0.5, 1.0, 0.5, 1.0) * vec4(0.6, 0.6, 1.0, 1.0);
#elif DEBUG == 5
    colour = vec4(0.012, 0.030, 0.055, 1.0);
#elif DEBUG == 6
    colour = vec4(vec3(1.0 - pow(clamp(distance / haze.x, 0.0, 1.0), 0.6)), 1.0);
#elif DEBUG == 7
    colour = vec4(level_colour(level), 1.0);
#endif
}
