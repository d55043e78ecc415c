// The opaque world; with PLANT defined, the leaves of plants.
uniform sampler2D block_colours; // 3 x types, sRGB: top, side, bottom

in vec3 from_camera;
in vec3 local;
in vec2 across;
flat in uint face;
flat in uint block;
flat in vec4 corner_light;
flat in ivec3 chunk;
out vec4 colour;

const vec3 NORMALS[6] = vec3[6](vec3(-1, 0, 0), vec3(1, 0, 0), vec3(0, -1, 0), vec3(0, 1, 0),
                                vec3(0, 0, -1), vec3(0, 0, 1));

vec3 block_colour(int part)
{
    return texelFetch(block_colours, ivec2(part, int(block)), 0).rgb;
}

// The block's colour, with an uneven fringe of its top colour hanging over the sides.
vec3 base_colour(ivec3 texel, float detail)
{
    int part = face == 3u ? 0 : face == 2u ? 2 : 1;
    vec3 base = block_colour(part);
    if (part == 1) {
        float row = float(texel.y & 7);
        float fringe = 5.0 + 2.6 * hash3(ivec3(texel.x, 77, texel.z)) * detail;
        base = mix(base, block_colour(0), row >= fringe ? 1.0 : 0.0);
    }
    return base;
}

// Light and dark, warm and cool, from whole meadows down to an eighth of a voxel; each size fades before it is smaller
// than a pixel.
vec3 variation(ivec3 voxel, vec3 part, ivec3 texel, float pixel)
{
    float meadow = smooth_noise(voxel.xz >> 5, (vec2(voxel.xz & 31) + part.xz) / 32.0) - 0.5;
    float spot = smooth_noise((voxel.xz >> 3) + 91, (vec2(voxel.xz & 7) + part.xz) / 8.0) - 0.5;
    float block_fade = clamp(1.6 - 2.2 * pixel, 0.0, 1.0);
    float texel_fade = clamp(1.5 - 9.0 * pixel, 0.0, 1.0);
    float fine = 0.16 * block_fade * (hash3(voxel) - 0.5) +
                 0.22 * texel_fade * (hash3(texel + 7) - 0.5);
    return (1.0 + fine + 0.10 * spot) * (1.0 + meadow * vec3(0.55, 0.16, 0.10));
}

#ifdef PLANT
flat in ivec3 plant; // its voxel in the chunk

// Blades of an eighth of a voxel, as high as chance has it.
bool leaf_covers(ivec3 voxel)
{
    int blade = min(int(across.x * 8.0), 7);
    float chance = hash3(voxel * 8 + ivec3(blade, int(face) * 5, 0));
    float high = chance < 0.28 ? 0.0 : 0.35 + 0.65 * hash3(voxel * 8 + ivec3(blade, int(face), 3));
    return across.y < high;
}
#endif

void main()
{
#ifdef PLANT
    if (!leaf_covers(chunk * 32 + plant)) {
        discard;
    }
    vec3 normal = vec3(0, 1, 0); // lit as the ground that it grows from
#else
    vec3 normal = NORMALS[face];
#endif
    float distance = length(from_camera);
    float pixel = haze.y * distance; // in voxels
#ifdef PLANT
    vec3 inside = clamp(local, vec3(plant) + 0.001, vec3(plant) + 0.999);
#else
    vec3 inside = clamp(local - 0.5 * normal, 0.001, 31.999);
#endif
    ivec3 voxel = chunk * 32 + ivec3(inside);
    vec3 part = fract(inside);
    ivec3 texel = voxel * 8 + ivec3(part * 8.0);

    vec3 albedo = base_colour(texel, clamp(1.5 - 6.0 * pixel, 0.0, 1.0)) *
                  variation(voxel, part, texel, pixel);

    vec2 at = clamp(across, 0.0, 1.0);
#ifdef PLANT
    albedo *= mix(0.6, 1.1, at.y); // darker at the foot
#endif
    float open = mix(mix(corner_light.x, corner_light.y, at.x),
                     mix(corner_light.z, corner_light.w, at.x), at.y);
    open = mix(0.35, 1.0, open);
    vec3 sky_light = mix(vec3(0.56, 0.52, 0.46), vec3(0.70, 0.84, 1.08), 0.5 + 0.5 * normal.y);
    // The bright sky around the sun lights what is turned just away from it.
    float sunwards = max((dot(normal, sun.xyz) + 0.4) / 1.4, 0.0);
    vec3 light = SUN_LIGHT * sunwards * mix(0.6, 1.0, open) + sky_light * open;
    light = through_haze(albedo * light, from_camera);
    // Land that the haze has swallowed shows the clouds behind it, or it would cut its shape out of them.
    float swallowed = haze_edge(from_camera);
    vec4 cloud = clouds(from_camera / max(distance, 1e-4), swallowed > 0.2 && haze.z < 0.5);
    colour = vec4(finish(mix(light, cloud.rgb, cloud.a * swallowed * swallowed)), 1.0);
}
