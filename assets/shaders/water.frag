// Water: what is under it shows through when seen from above, the sky is mirrored when seen along it.
in vec3 from_camera;
in vec3 local;
in vec2 across;
flat in uint face;
flat in uint block;
flat in vec4 corner_light;
flat in ivec3 chunk;
out vec4 colour;

// Waves per 64 voxels in x and z, height, speed. The whole numbers let them pass from chunk to chunk without a seam; no
// two directions are alike, or the glitter would fall into stripes.
const vec4 WAVES[9] = vec4[9](vec4(2, -3, 0.050, 0.8), vec4(5, 4, 0.036, 1.1), vec4(-7, 2, 0.032, 1.4),
                              vec4(3, 11, 0.024, 1.7), vec4(-12, -9, 0.017, 2.1),
                              vec4(17, -6, 0.014, 2.4), vec4(-8, 23, 0.010, 2.9),
                              vec4(27, 14, 0.008, 3.3), vec4(-31, 19, 0.006, 3.8));

vec3 water_normal(vec2 at, float pixel)
{
    vec2 slope = vec2(0.0);
    for (int i = 0; i < 9; i++) {
        vec2 number = WAVES[i].xy * (6.2831853 / 64.0);
        // Waves flatten before they are smaller than pixels, or they would flicker.
        float fade = clamp(2.0 - 1.5 * pixel * length(number), 0.0, 1.0);
        slope += number * WAVES[i].z * fade * cos(dot(number, at) + WAVES[i].w * camera.w);
    }
    return normalize(vec3(-slope.x, 1.0, -slope.y));
}

void main()
{
    float distance = length(from_camera);
    vec3 direction = from_camera / max(distance, 1e-4);
    vec2 at = vec2((chunk.xz & 1) * 32) + local.xz;
    // Seen along the surface, a pixel covers much more of it.
    float pixel = haze.y * distance / max(abs(direction.y), 0.05);
    vec3 normal = face == 3u ? water_normal(at, pixel) : vec3(0, 1, 0);
    bool below = direction.y > 0.0;
    normal = below ? -normal : normal;

    float facing = clamp(-dot(direction, normal), 0.0, 1.0);
    float fresnel = 0.02 + 0.98 * pow(1.0 - facing, 5.0);
    vec3 mirrored = reflect(direction, normal);
    mirrored.y = abs(mirrored.y) + 0.02;
    mirrored = normalize(mirrored);
    vec3 glint = SUN_LIGHT * 1.6 * pow(max(dot(mirrored, sun.xyz), 0.0), 500.0);
    vec3 shallow = vec3(0.012, 0.125, 0.19) * (1.0 + 2.0 * (normal.x + normal.z));
    vec3 light = mix(shallow, below ? DEEP_WATER : sky_colour(mirrored), fresnel) + glint;

    // Along its surface one looks through more of it.
    float alpha = mix(mix(0.96, 0.87, abs(direction.y)), 1.0, fresnel);
    alpha = mix(alpha, 1.0, smoothstep(0.35, 0.8, haze_part(from_camera)));
    colour = vec4(finish(through_haze(light, from_camera)), alpha);
}
