// Opaque blocks. PLANT: the leaves of plants. MODEL: the faces of models. DEBRIS: bits of blocks. GLASS: transparent blocks.
uniform sampler2DArray block_textures; // sRGB, three layers a block: top, side, bottom; a: how much a plant or glass covers, of others as below
uniform sampler2D block_colours;       // 3 a type, 256 types a row, sRGB: the same, where there are no textures; a: 1/4 glass, 1/2 leaves,
                                       // 3/4 turf, plants

#ifdef MODEL
uniform sampler2D box_colours; // as block_colours, for 8 boxes a type, 64 types a row
#endif
out vec4 colour;

// Outwards; plants look up.
vec3 normal_of(uint face)
{
    float way = (face & 1u) == 1u ? 1.0 : -1.0;
    return face < 2u ? vec3(way, 0, 0) : face < 4u ? vec3(0, way, 0) : face < 6u ? vec3(0, 0, way) : vec3(0, 1, 0);
}

// 0 top, 1 side, 2 bottom
int own_part()
{
    return face == 3u || (hidden & 0x10000) != 0 ? 0 : face == 2u ? 2 : 1;
}

vec4 own_colour()
{
    return texelFetch(block_colours, ivec2(int(block & 255u) * 3 + own_part(), int(block >> 8)), 0);
}

// The colour of blocks without a texture.
vec4 plain_colour(ivec3 voxel, vec4 plain, vec2 at)
{
#ifdef PLANT
    vec2 blade = floor(at * 8.0);
    return vec4(plain.rgb, across.y < 0.3 + 0.7 * hash3(ivec3(voxel.xz, blade.x)) ? 1.0 : 0.0);
#elif defined(GLASS)
    vec2 middle = abs(fract(at) - 0.5);
    return vec4(plain.rgb, max(middle.x, middle.y) > 0.44 || plain.a > 0.9 ? 1.0 : 0.1);
#else
    return plain;
#endif
}

// The block's colour here and its opacity; for blocks that are not plants, the alpha of
// block_colours, less in holes of leaves.
vec4 block_colour(ivec3 voxel, vec4 plain)
{
    // A pixel whose middle is outside the quad shows the quad's edge.
    vec2 at = texels.xy + clamp(across, 0.0005, 0.9995) * texels.zw;
#if TEXTURES
    float layer = float(int(block) * 3 + own_part());
#if SWAY && !defined(PLANT) && !defined(GLASS)
    vec2 phase = vec2((voxel.xz + voxel.y) & 255) * 0.7;
    at += plain.a < 0.6 ? 0.045 * sin(camera.w * vec2(1.9, 1.4) + phase) : vec2(0.0);
#endif
#if QUALITY > 0 && !defined(PLANT) && !defined(GLASS) && !defined(MODEL)
    // Every other block mirrors its texture; otherwise the repetition would show as rows.
    vec2 along = dFdx(at), up = dFdy(at);
    float turn = hash3(voxel + 3);
    at.x = turn < 0.5 ? at.x : -at.x;
    at.y = fract(turn * 2.0) < 0.5 || !(face == 2u || face == 3u || plain.a < 0.6) ? at.y : -at.y;
    vec4 own = textureGrad(block_textures, vec3(at, layer), along, up);
#else
    vec4 own = texture(block_textures, vec3(at, layer));
#endif
    // The driver may not have enough layers for the textures of all types.
    ONLY_WHERE(int(block) * 3 + 2 >= textureSize(block_textures, 0).z) {
        own = plain_colour(voxel, own_colour(), at);
    }
    return own;
#else
    return plain_colour(voxel, plain, at);
#endif
}

// Variation over the land, light and dark, and warm and cool over meadows and woods, so that
// textures do not look repeated.
vec3 variation(ivec3 voxel, vec3 inside, float growth)
{
    vec2 in_chunk = inside.xz / 32.0;
#ifdef DEBRIS
    float meadow = smooth_noise(voxel.xz >> 5, in_chunk) - 0.5;
#else
    // As smooth_noise, but with the chunk's four numbers.
    vec4 corners = vec4((ivec4(hidden) >> ivec4(4, 7, 10, 13)) & 7) / 7.0;
    vec2 at = in_chunk * in_chunk * (3.0 - 2.0 * in_chunk);
    float meadow = mix(mix(corners.x, corners.y, at.x), mix(corners.z, corners.w, at.x), at.y) - 0.5;
#endif
#if QUALITY > 0
    // Coarse voxels stand for too many others to differ.
    float fine = hidden >> 20 == 0 ? 1.0 : 0.0;
    float spot = fine * (smooth_noise((voxel.xz >> 3) + 91, (vec2(voxel.xz & 7) + fract(inside.xz)) / 8.0) - 0.5);
    float own = fine * (hash3(voxel) - 0.5);
#else
    float spot = 0.0, own = 0.0;
#endif
    vec3 hue = growth < 0.9 ? vec3(0.62, 0.22, 0.10) : vec3(0.16, 0.15, 0.13);
    // Leaves differ more from tree to tree than a meadow does from place to place.
    float lush = meadow + (growth < 0.6 ? 1.5 : growth < 0.9 ? 0.4 : 0.0) * spot;
    return (1.0 + 0.15 * spot + 0.06 * own) * (1.0 + lush * hue);
}

#if !defined(PLANT) && !defined(MODEL) && !defined(DEBRIS) && !defined(GLASS)
// The colour of coarse trees, whose leaves reach from the crown's top to the ground in columns as wide as a voxel: their
// sides are dark towards the foot, with a trunk in the middle of each voxel; crowns differ from one to the next.
vec3 coarse_tree(vec3 leaves, ivec3 voxel)
{
    float edge = float(1 << (hidden >> 20));
    float side = (face & 6u) == 2u ? 0.0 : 1.0;
    float under = side * (1.0 - smoothstep(0.20, 0.62, across.y));
    float aside = abs(fract(across.x * texels.z / edge) - 0.5) * edge; // in voxels of level 0
    vec3 foot = mix(0.30 * leaves, vec3(0.075, 0.045, 0.026), 1.0 - smoothstep(0.55, 0.75, aside));
    return mix(leaves * (0.80 + 0.36 * hash3(ivec3(voxel.xz, 9))) * mix(1.0, 0.80, side), foot, under);
}
#endif

#if CLOUDS && QUALITY > 1
// How much sunlight clouds let through here: their shadows drift over the land. Integer cells keep
// them steady far from the origin.
float clouds_pass(ivec3 voxel, vec3 part)
{
    vec2 at = (vec2(voxel.xz & 63) + part.xz + shine.xz * float(voxel.y & 255) / max(shine.y, 0.2)) / 64.0 + vec2(0.10, 0.035) * camera.w;
    vec2 cell = floor(at);
    return 1.0 - 0.62 * smoothstep(0.52, 0.74, smooth_noise((voxel.xz >> 6) + ivec2(cell) + 7, at - cell));
}
#endif

// The levels of the sky's light and of the blocks', 0..1. @param at  as `across`
vec2 levels_at(vec2 at)
{
#if QUALITY > 0 && !defined(PLANT) && !defined(DEBRIS)
    // Between two triangles, the interpolation of their corners has an edge.
    vec4 sky = vec4((uvec4(levels) >> uvec4(0, 8, 16, 24)) & 15u);
    vec4 blocks = vec4((uvec4(levels) >> uvec4(4, 12, 20, 28)) & 15u);
    vec4 weight = vec4((1.0 - at.x) * (1.0 - at.y), at.x * (1.0 - at.y), (1.0 - at.x) * at.y, at.x * at.y);
    return vec2(dot(sky, weight), dot(blocks, weight)) / 15.0;
#else
    return level;
#endif
}

// How much of the sun's direction counts for faces along x, y and z.
const vec3 SUN_ON_FACES = vec3(0.62, 0.55, 0.56);

// The light of blocks, which adds little to what is brighter: an eye that is used to the day does not see a torch's light.
// @param level  its brightness, 0..1;  day  the other light
vec3 block_light(float level, vec3 day)
{
    vec2 bright = vec2(level, dot(day, vec3(0.2126, 0.7152, 0.0722)));
    vec2 squares = bright * bright;
    float both = sqrt(sqrt(dot(squares, squares)));
    return vec3(1.70, 1.02, 0.46) * max(both - bright.y, 0.0);
}

// The light on a surface. @param levels  of light; passing  the part of the sunlight that clouds let through
vec3 light_on(vec3 normal, vec2 levels, float open, float passing, float growth)
{
    vec2 bright = brightness(levels);
#if SKYLIGHT
    float seen = bright.x;
#else
    float seen = 1.0;
#endif
#if SHADOWS
    vec3 at = from_camera + camera.xyz;
    float lit = mix(1.0, sun_seen(at, normal), heights_known(at));
#elif SKYLIGHT
    float lit = smoothstep(0.6, 1.0, levels.x);
#else
    float lit = 1.0;
#endif
    // The bright sky around the sun also lights surfaces turned slightly away from it. Leaves let
    // light through, and hardly any leaf faces the sun directly.
    vec2 bend = growth < 0.6 ? vec2(0.645, 0.355) : vec2(0.847, 0.153);
    // Tops get more than their share and sides less, those along z least, so that one can tell a block's faces apart
    // at every hour: by the true angles, a step's side is as bright as its top while the sun is halfway up.
    vec3 turned = normal * normal;
    float upwards = max(normal.y, 0.0);
    float sunwards = dot(normal, SUN_ON_FACES * shine.xyz) + 0.45 * normal.y;
    sunwards = max(sunwards * bend.x + mix(0.6, 1.0, upwards) * bend.y, 0.0);
    float ambient = open * dot(turned, vec3(0.86, mix(0.75, 1.0, upwards), 0.72));
    vec3 ground = vec3(0.30, 0.26, 0.20) * (shine_light.rgb * max(shine.y, 0.0) + sky_light.rgb);
    // Where the sky is not seen, half of what comes is sunlight that the land outside reflects.
    vec3 outside = mix(sky_light.rgb, sky_light.rgb + 0.4 * shine_light.rgb, smoothstep(1.0, 0.7, levels.x));
    vec3 sky = mix(ground, outside, 0.5 + 0.5 * normal.y) * seen;
    vec3 light = shine_light.rgb * (sunwards * lit * passing * mix(0.6, 1.0, open)) + sky * ambient;
    light += (0.0020 + 0.0110 * (1.0 - seen)) * vec3(1.0, 1.0, 1.2) * open; // never black; more where no sky is seen, or a cave's steps would not show
    light += block_light(bright.y * ambient, light);
#if LAMP
    ONLY_WHERE(sky_light.w > 0.0) {
        float away = length(from_camera);
        float towards = 0.35 + 0.65 * max(dot(normal, -from_camera / max(away, 1e-4)), 0.0);
        light += sky_light.w * (1.0 - max(bright.x, bright.y)) * vec3(4.6, 3.3, 2.0) * towards * open / (1.0 + 0.0032 * away * away);
    }
#endif
    return light;
}

#if HOLES && !defined(PLANT) && !defined(DEBRIS) && !defined(GLASS) && !defined(MODEL)
// Whether one sees through a hole in leaves: only if the line of sight leaves the crown within one
// to three voxels. Inside a crown there are no faces, so other holes stay dark.
// @param cover  0..0.4, how deep the hole may be
bool leaves_end(float cover)
{
    vec3 way = normalize(from_camera) * mix(3.2, 0.9, cover * 2.5);
    return plain_rise(from_camera + camera.xyz + way) < 0.0;
}
#endif

// The colour of a debug view.
vec3 debug_colour(vec3 normal, vec3 picture)
{
#if DEBUG == 1
    return mix(picture, vec3(0.9), 0.12);
#elif DEBUG == 2
    vec3 border = min(local, 32.0 - local) / max(0.12, 1.6 * haze.y * length(from_camera));
    vec3 along = 1.0 - abs(normal);
    vec3 near = along * (1.0 - step(1.0, border));
    return mix(picture, vec3(1.0, 0.72, 0.05), max(near.x, max(near.y, near.z)) * 0.9);
#elif DEBUG == 3
    float part = float(hidden & 15) / 15.0;
    vec3 state = part < 0.5 ? mix(vec3(0.1, 0.75, 0.2), vec3(0.95, 0.8, 0.1), part * 2.0)
                            : mix(vec3(0.95, 0.8, 0.1), vec3(0.9, 0.12, 0.08), part * 2.0 - 1.0);
    float own = 0.8 + 0.4 * hash3(chunk);
    return mix(picture, state * own, 0.65);
#elif DEBUG == 4
    return (0.5 + 0.5 * normal) * (0.55 + 0.45 * dot(picture, vec3(0.33)));
#elif DEBUG == 5
    return vec3(0.085, 0.036, 0.010);
#elif DEBUG == 6
    return vec3(1.0 - pow(clamp(length(from_camera) / haze.x, 0.0, 1.0), 0.6));
#elif DEBUG == 7
    return level_colour(levels_at(clamp(across, 0.0, 1.0)));
#else
    return picture;
#endif
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
    vec3 normal = normal_of(face);
#if defined(PLANT)
    vec3 inside = vec3(own_voxel) + 0.5;
#elif defined(MODEL)
    vec3 inside = clamp(local, vec3(own_voxel), vec3(own_voxel) + 0.999);
#else
    vec3 inside = clamp(local - 0.5 * normal, 0.001, 31.999);
#endif
    ivec3 voxel = chunk * 32 + ivec3(inside);
#if TEXTURES && QUALITY == 0 && !defined(PLANT) && !defined(GLASS) && !defined(MODEL)
    vec4 own = block_colour(voxel, vec4(0.0));
    float growth = own.a;
#else
    vec4 plain = own_colour();
    vec4 own = block_colour(voxel, plain);
#ifdef GLASS
    float growth = 1.0;
    if (own.a < 0.05) {
        discard;
    }
#else
    float growth = plain.a;
#endif
#endif
#if defined(PLANT) || defined(MODEL)
    if (own.a < 0.4) {
        discard;
    }
#ifdef MODEL
    // Textures have the type's colour; a box may have another.
    ivec2 place = ivec2(int(block & 63u) * 24 + int(box) * 3 + own_part(), int(block >> 6));
    own.rgb = min(own.rgb * texelFetch(box_colours, place, 0).rgb / max(plain.rgb, 0.002), 1.0);
#endif
#elif defined(DEBRIS)
    own.rgb = own.a < 0.4 ? own_colour().rgb : own.rgb; // debris of plants has one colour
#elif HOLES && !defined(GLASS)
    ONLY_WHERE(own.a < 0.4 && hidden >> 20 == 0) {
        if (leaves_end(own.a)) {
            discard;
        }
    }
#endif
    vec3 albedo = own.rgb * variation(voxel, inside, growth);
#if !defined(PLANT) && !defined(MODEL) && !defined(DEBRIS) && !defined(GLASS)
    ONLY_WHERE(growth < 0.6 && hidden >> 20 != 0) {
        albedo = coarse_tree(albedo, voxel);
    }
#endif

    vec2 at = clamp(across, 0.0, 1.0);
#if AO && !defined(PLANT)
#ifdef DEBRIS
    float open = 0.85; // most bits are where the land is slightly dark
#else
    vec4 corners = vec4(uvec4(openness) >> uvec4(0, 2, 4, 6) & 3u) / 3.0;
    float open = mix(mix(corners.x, corners.y, at.x), mix(corners.z, corners.w, at.x), at.y);
#endif
    open = mix(0.32, 1.0, open);
#elif defined(PLANT)
    float open = mix(0.45, 0.95, at.y); // darker at the foot
#else
    float open = 1.0;
#endif
#if CLOUDS && QUALITY > 1
    vec3 in_voxels = inside * float(1 << (hidden >> 20)); // of level 0
    float passing = clouds_pass((chunk << (hidden >> 20)) * 32 + ivec3(in_voxels), fract(in_voxels));
#else
    float passing = 1.0;
#endif
    vec2 levels_here = levels_at(at);
    vec3 light = albedo * light_on(normal, levels_here, open, passing, growth);
    // What emits light is seen by it, dark parts of its texture less than bright ones.
    light += (hidden & 0x20000) != 0 ? 1.7 * own.rgb * own.rgb : vec3(0.0);
    ONLY_WHERE(haze.z > 0.5) {
        // The water's surface focuses the sunlight into moving lines.
        vec2 on = vec2((voxel.xz & 255) + ivec2(0)) + fract(inside.xz);
        vec2 wave = sin(on * 0.9 + camera.w * vec2(1.1, -0.8) + 1.7 * sin(on.yx * 0.6 + camera.w * 0.7));
        light *= 0.8 + 1.1 * max(normal.y, 0.0) * pow(1.0 - abs(0.5 * (wave.x + wave.y)), 5.0);
        light *= vec3(0.45, 0.85, 0.95);
        // Water shines from all sides; without it, sides away from the sun were black.
        light += 6.0 * albedo * open * deep_water(normal) * (1.0 - 0.7 * max(normal.y, 0.0));
    }
    float alpha = 1.0;
#ifdef GLASS
    // Glass mirrors the sky, more at a low angle.
    vec3 direction = normalize(from_camera);
    float pane = 1.0 - smoothstep(0.4, 0.9, own.a);
    float fresnel = 0.04 + 0.96 * pow(1.0 - clamp(-dot(direction, normal), 0.0, 1.0), 5.0);
    light = mix(light, sky_colour(reflect(direction, normal)) * brightness(levels_here).x, pane * fresnel);
    alpha = max(own.a, pane * fresnel);
#endif
    light = through_haze(light, from_camera, brightness(levels_here).x);
#if HAZE && QUALITY > 0
    // Land hides the clouds behind it but at the very end of the view, where its shape would else be cut out of them.
    float gone = smoothstep(0.88, 0.98, haze_part(from_camera)) * (1.0 - sky_light.w);
    float distance = length(from_camera);
    vec4 cloud = clouds(from_camera / max(distance, 1e-4), gone > 0.0 && haze.z < 0.5);
    light = mix(light, cloud.rgb, cloud.a * gone);
#endif
    colour = vec4(debug_colour(normal, finish(light)), alpha);
}
