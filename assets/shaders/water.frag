// Water: transparent where it is shallow and seen from above; a mirror of the sky where seen at a
// low angle.
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

// Waves: how many lie along x and z in WAVES_REPEAT voxels, height, speed. The bends below take them out of step, so that
// no pattern of theirs repeats within sight.
const float WAVES_REPEAT = 1024.0;
const vec4 WAVE[9] = vec4[9](vec4(31, -53, 0.048, 0.8), vec4(83, 61, 0.036, 1.1), vec4(-117, 34, 0.032, 1.4),
                             vec4(49, 171, 0.028, 1.7), vec4(-197, -143, 0.023, 2.1),
                             vec4(283, -97, 0.019, 2.4), vec4(-131, 367, 0.014, 2.9),
                             vec4(433, 229, 0.011, 3.3), vec4(-499, 307, 0.008, 3.8));

// Bends the place at which waves are computed: they turn, and grow longer and shorter.
vec2 bend(vec2 at)
{
    vec2 turn = at.yx * (6.2831853 / WAVES_REPEAT);
    return at + 4.2 * sin(turn * vec2(11.0, 8.0) + at * 0.012271846) +
           1.6 * sin(turn * vec2(-27.0, 33.0) + at * 0.030679616);
}

// Gusts: how high the waves are in a part of the water, 0..1. Never repeats.
// @param voxel  the column;  part  the place in it
float gusts(ivec2 voxel, vec2 part)
{
#if WAVES
    vec2 near = (vec2(voxel & 63) + part) / 64.0, far = (vec2(voxel & 255) + part) / 256.0;
    return mix(smooth_noise(voxel >> 8, far), smooth_noise((voxel >> 6) + 911, near), 0.45);
#else
    return 0.0;
#endif
}

// @param at     modulo WAVES_REPEAT
// @param pixel  the length of a pixel on the water
vec3 water_normal(vec2 at, float pixel, float gust)
{
    vec2 slope = vec2(0.0), bent = bend(at);
    for (int i = 0; i < WAVES; i++) {
        vec2 number = WAVE[i].xy * (6.2831853 / WAVES_REPEAT);
        // Waves fade before they become smaller than pixels, or they would flicker.
        float fade = clamp(2.0 - 1.5 * pixel * length(number), 0.0, 1.0);
        slope += number * WAVE[i].z * fade * cos(dot(number, bent) + WAVE[i].w * camera.w);
    }
    slope *= 0.35 + 1.3 * gust;
    return normalize(vec3(-slope.x, 1.0, -slope.y));
}

// Glitter: points of the sun in waves that are smaller than pixels. Each cell of the water is a small mirror, which
// turns at random a few times a second. A cell is two to four pixels wide, so that a point is about one; far away, where a pixel
// covers many waves, the points fade and water_light() has the sun's broad image instead.
// @param voxel  the column;  part  the place in it;  pixel  the length of a pixel on the water
vec3 glitter(vec3 direction, ivec2 voxel, vec2 part, float pixel, float gust)
{
    vec3 light = vec3(0.0);
#if WAVES
    float flat_glint = dot(reflect(direction, vec3(0.0, 1.0, 0.0)), shine.xyz);
    ONLY_WHERE(flat_glint > 0.7 && direction.y < 0.0 && pixel < 60.0) {
        int size = clamp(int(ceil(log2(2.0 * pixel * sqrt(-direction.y)))), -6, 8);
        vec2 at = (vec2(voxel & 255) + part) * exp2(-float(size));
        ivec2 cell = ivec2(floor(at)) + (size > 0 ? (voxel & ~255) >> size : (voxel & ~255) << -size);
        float start = hash3(ivec3(cell, 5)), moment = 2.2 * camera.w + start * 7.0;
        int turn = int(floor(moment));
        vec2 slope = vec2(hash3(ivec3(cell, 2 * turn)), hash3(ivec3(cell, 2 * turn + 1))) +
                     vec2(hash3(ivec3(cell, turn + 90001)), start) - 1.0;
        vec3 mirror = normalize(vec3(0.17 * (0.5 + gust) * slope.x, 1.0, 0.17 * (0.5 + gust) * slope.y));
        float hit = smoothstep(0.9935, 0.9985, dot(reflect(direction, mirror), shine.xyz));
        float point = 1.0 - smoothstep(0.05, 0.5, length(fract(at) - 0.5));
        float near = 1.0 - smoothstep(4.0, 60.0, pixel);
        light = shine_light.rgb * (4.5 * hit * point * point * near * sin(3.1415927 * fract(moment)));
    }
#endif
    return light;
}

// x: the depth of the water below a point of its surface, as far as the heights of the land tell. It depends on the place
// alone and not on the level that is drawn there, so that the levels' edges do not show.
// y: how close land is that rises out of the water: 0 in the middle of a column of water, 1/2 at the land's edge.
vec2 water_depth(vec3 at)
{
    vec2 on = at.xz + skyline_at.xy - 0.5;
    on -= floor(on * skyline_at.z) / skyline_at.z; // far water: the picture repeats
    vec2 part = fract(on);
    ivec2 low = in_skyline(ivec2(floor(on))), high = in_skyline(low + 1);
    vec4 heights = vec4(texelFetch(skyline, low, 0).r, texelFetch(skyline, ivec2(high.x, low.y), 0).r,
                        texelFetch(skyline, ivec2(low.x, high.y), 0).r, texelFetch(skyline, high, 0).r) - at.y - skyline_at.w;
    vec4 weights = vec4((1.0 - part.x) * (1.0 - part.y), part.x * (1.0 - part.y), (1.0 - part.x) * part.y,
                        part.x * part.y);
    float below = -dot(heights, weights), known = heights_known(at);
    // Crowns of trees and roofs are higher; what is under them is not known.
    vec4 land = vec4(greaterThan(heights, vec4(-0.3))) * vec4(lessThan(heights, vec4(2.5)));
    return vec2(mix(DEEP, below < -0.5 ? 4.0 : clamp(below, 0.0, 40.0), known), dot(land, weights) * known);
}

#if REFLECTIONS
uniform sampler2D land_colours; // the picture without water
uniform sampler2D land_depths;  // of it: the near plane's distance / distance, 0 for the sky

// How far behind what the picture shows a point is, in voxels; below 0: before it.
// @param point  in clip space;  on  its place in the picture
float behind_land(vec4 point, vec2 on)
{
    return point.w - point.z / max(textureLod(land_depths, on, 0.0).r, 1e-9);
}

// The land that a mirrored ray meets, as far as the picture shows it. rgb: colour on the screen, a: how much is land.
// All rays take the same steps, because the edges of the land's image would be speckled otherwise.
// @param at  relative to the lowest corner of the camera's chunk
vec4 mirrored_land(vec3 at, vec3 way)
{
    vec4 from = clip * vec4(at, 1.0), to = clip * vec4(way, 0.0);
    vec4 seen = vec4(0.0), passed = vec4(0.0);
    float last = 0.0, reach = 0.5 + 0.005 * from.w;
    for (int i = 0; i < 17; i++) {
        vec4 point = from + reach * to;
        vec2 on = 0.5 + 0.5 * point.xy / point.w;
        if (point.w < 0.5 || any(notEqual(on, clamp(on, 0.0, 1.0)))) {
            break;
        }
        float behind = behind_land(point, on);
        if (behind > 0.0 && behind < 3.0 + 2.0 * abs(to.w) * (reach - last)) {
            float near = last, far = reach;
            for (int k = 0; k < 6; k++) {
                float middle = 0.5 * (near + far);
                vec4 between = from + middle * to;
                vec2 there = 0.5 + 0.5 * between.xy / between.w;
                float by = behind_land(between, there);
                near = by > 0.0 ? near : middle;
                far = by > 0.0 ? middle : far;
                behind = by > 0.0 ? by : behind;
                on = by > 0.0 ? there : on;
            }
            // Where the ray passes behind what it does not meet, the step is high however short it gets.
            float met = 1.0 - smoothstep(0.5, 1.0, behind / (0.6 + 0.02 * point.w));
            float edge = min(min(on.x, 1.0 - on.x), 1.0 - on.y);
            if (met > 0.0) {
                seen = vec4(textureLod(land_colours, on, 0.0).rgb, met * smoothstep(0.0, 0.06, edge));
                break;
            }
            passed = vec4(textureLod(land_colours, on, 0.0).rgb, smoothstep(0.0, 0.06, edge));
        }
        last = reach;
        reach *= 1.5;
    }
    return seen.a > 0.0 ? seen : passed;
}
#endif

// Water seen from below: the sky in a round window above, around it a mirror of the deep.
vec4 from_below(vec3 direction, vec3 normal)
{
    float facing = abs(dot(direction, normal));
    float window = smoothstep(0.58, 0.74, facing);
    vec3 above = sky_colour(normalize(vec3(direction.x, direction.y + 0.4, direction.z))) * 0.75;
    return vec4(mix(deep_water(direction) * 1.2, above, window) * sky_here(), mix(0.96, 0.55, window));
}

// @param on  the point modulo WAVES_REPEAT;  sparks  of the sun;  sky  how much of the mirror shows the sky, 0..1
vec4 from_above(vec3 at, vec2 on, vec3 direction, vec3 normal, float pixel, vec3 sparks, float sky)
{
    float fresnel = water_fresnel(direction, normal);
    vec2 shore = face != 3u ? vec2(2.0, 0.0) : water_depth(at);
    float depth = shore.x;
    float through = depth / max(abs(direction.y), 0.22);
    vec3 day = vec3(water_day() * sky_here()) + blocks_here();
    vec3 body = water_body(depth, day) * clamp(1.0 + 2.3 * (normal.x + normal.z), 0.45, 1.9);
    float alpha = 1.0 - exp(-0.35 * through);

    // Foam where the water meets the land, which runs along the shore; a whole number of times in WAVES_REPEAT.
    float swash = sin(camera.w * 1.2 + 0.0061359232 * (143.0 * on.x + 113.0 * on.y)); // -1..1, so that none is where no land is near
#if QUALITY > 0
    swash = mix(swash, sin(0.0061359232 * (271.0 * on.x - 337.0 * on.y) - camera.w * 0.7), 0.375);
#endif
    float edge = smoothstep(0.08, 0.30, shore.y + 0.07 * swash) * (1.0 - smoothstep(0.6, 0.9, shore.y));
    float foam = 0.80 * edge * (0.55 + 0.45 * smoothstep(0.25, 0.65, 0.5 + 6.0 * (normal.x - normal.z)));
    vec2 lit = vec2(sky_here(), smoothstep(0.8, 1.0, level.x)) * sky;
    vec3 light = water_light(body, direction, normal, smoothstep(0.2, 4.0, pixel), lit) + sparks * lit.y;
    light = mix(light, vec3(0.85, 0.92, 0.95) * day, foam);
    return vec4(light, max(max(alpha, fresnel), foam));
}

// A side of water falls: streaks of foam run down it, the faster the narrower they are.
// @param voxel  the column;  part  the place in it
vec4 falling(vec3 direction, ivec2 voxel, vec2 part, float pixel)
{
    vec2 side = (face & 1u) == 1u ? vec2(1.0, 0.0) : vec2(-1.0, 0.0);
    vec3 normal = face < 2u ? side.xyy : side.yyx;
    int lod = hidden >> 20;
    float height = local.y * float(1 << lod) + float(((chunk.y << lod) & 31) * 32);
    int along = face < 2u ? voxel.y : voxel.x;
    float on = face < 2u ? part.y : part.x;
    float foam = 0.4;
#if WAVES
    vec2 broad = vec2(on * 3.0, height * 0.45 + 1.9 * camera.w), fine = vec2(on * 8.0, height * 0.7 + 3.7 * camera.w);
    float streaks = 0.55 * smooth_noise(ivec2(along * 3, 0) + ivec2(floor(broad)), fract(broad)) +
                    0.45 * smooth_noise(ivec2(along * 8, 77) + ivec2(floor(fine)), fract(fine));
    // From afar streaks are smaller than pixels.
    foam = mix(smoothstep(0.34, 0.74, streaks), foam, smoothstep(0.15, 0.6, pixel));
#endif
    vec3 day = vec3(water_day() * sky_here()) + blocks_here();
    vec3 light = mix(water_body(2.0, day), sky_colour(normalize(vec3(normal.x, 0.3, normal.z))) * sky_here(), 0.12);
    light += shine_light.rgb * (0.10 * max(dot(normal, shine.xyz), 0.0) * smoothstep(0.8, 1.0, level.x));
    return vec4(mix(light, vec3(0.85, 0.92, 0.95) * day, 0.80 * foam), 0.72 + 0.24 * foam);
}

void main()
{
    unpack_surface();
#if DEBUG == 1 && defined(GL_ES)
    keep_edges(across);
#endif
#ifdef FADE
    fade_pixel();
#endif
    float distance = length(from_camera);
    vec3 direction = from_camera / max(distance, 1e-4);
    int lod = hidden >> 20;
    vec2 place = local.xz * float(1 << lod); // in voxels of level 0
    ivec2 voxel = ((chunk.xz << lod) * 32) + ivec2(floor(place));
    vec2 part = fract(place), on = vec2(voxel & (int(WAVES_REPEAT) - 1)) + part;
    // Seen at a low angle, a pixel covers more of the surface.
    float pixel = haze.y * distance / max(abs(direction.y), 0.05);
    float gust = gusts(voxel, part);
    vec3 normal = face == 3u ? water_normal(on, pixel, gust) : vec3(0, 1, 0);
    vec3 sparks = face == 3u ? glitter(direction, voxel, part, pixel, gust) : vec3(0.0);
    float swallowed = smoothstep(0.35, 0.8, haze_part(from_camera));
    vec4 land = vec4(0.0);
#if REFLECTIONS && DEBUG == 0
    float mirror = 0.85 * water_fresnel(direction, normal) * (1.0 - swallowed);
    ONLY_WHERE(face == 3u && direction.y < 0.0 && mirror > 0.08 && camera_chunk.w == 0) {
        vec3 way = reflect(direction, normalize(mix(vec3(0.0, 1.0, 0.0), normal, 0.6)));
        land = mirrored_land(from_camera + camera.xyz, normalize(vec3(way.x, abs(way.y) + 0.01, way.z)));
        land.a *= smoothstep(0.08, 0.2, mirror);
        land.rgb *= mirror * land.a;
    }
#endif
    vec4 seen = direction.y > 0.0 ? from_below(direction, normal)
                                  : from_above(from_camera + camera.xyz, on, direction, normal, pixel, sparks, 1.0 - land.a);
    ONLY_WHERE((face & 6u) != 2u) {
        seen = falling(direction, voxel, part, haze.y * distance);
    }
    seen.a = mix(seen.a, 1.0, swallowed);
    colour = vec4(finish(through_haze(seen.rgb, from_camera, sky_here())) + land.rgb, seen.a);
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
