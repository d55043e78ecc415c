// A corner of a quad, from its number alone, quads in the layout of terrane/mesher.h. Four corners a
// quad; in OpenGL ES, which has no base vertices, six vertices.
// LIQUID: quads of water and the like, whose surfaces are lower under air. GLASS: other transparent
// quads and liquids that emit light, which lie among them. PLANT: the leaves of plants. MODEL: the
// faces of models, TrnModelFace, which take two places each.
// RG32UI textures: pages of a header texel and 32 quads, or of light. A header is x, z and y of the
// chunk, 9 bits each, and its level, 4 bits; `hidden` of surface.glsl, 16 bits; and the light of the
// page's quads, 16 bits: bits 0..7 the light of all of them, or bit 15 and where their words are,
// see find_light(). Coordinates and quads are in units of the level, whose voxels have an edge of 1 << level.
#if defined(LIQUID) || defined(GLASS)
uniform sampler2D block_colours; // as in terrain.frag.
#endif
const int SEGMENT_SHIFT = 24; // quads numbered for each segment
#ifdef GL_ES
const int ROW_TEXELS = 32 * 33; // the pages in a row of a texture
uniform usampler2D quads;
#define FETCH(texel) texelFetch(quads, ivec2((texel) % ROW_TEXELS, (texel) / ROW_TEXELS), 0).xy
#define VERTEX_QUAD (gl_VertexID / 6)
#define VERTEX_CORNER (0xb34 >> 2 * (gl_VertexID % 6) & 3) // 0, 1, 3, 0, 3, 2
#else
uniform usamplerBuffer quads;
#define FETCH(texel) texelFetch(quads, texel).xy
#define VERTEX_QUAD (gl_VertexID >> 2)
#define VERTEX_CORNER (gl_VertexID & 3)
#endif

// Converts a place on a face to the chunk's axes: (width, height) = (z, y), (x, z) or (x, y). By
// selection, because software renderers look up table entries one by one.
vec3 unfold(uint axis, vec2 at, float beyond)
{
    return axis == 0u ? vec3(beyond, at.y, at.x) : axis == 1u ? vec3(at.x, beyond, at.y) : vec3(at, beyond);
}

#ifdef PLANT
vec3 place_leaf(vec3 lowest, vec3 from);
#endif

// Whether a block's bit is set in the four words that contain it.
bool has_bit(uint block, uvec4 words)
{
    uint upper = (block & 64u) == 0u ? 0u : 2u;
    uint word = (block & 32u) == 0u ? (upper == 0u ? words.x : words.z) : (upper == 0u ? words.y : words.w);
    return block < 1024u && (word >> (block & 31u) & 1u) == 1u;
}

// Where a quad's word of light is, if its page has such words: bits 1..13 of the header's light are
// how many pages farther, bit 0 whether in the second half of that page.
int find_light(uint light, int page, int at)
{
    int place = (page + int(light >> 1 & 0x1fffu)) * 33 + int(light & 1u) * 16 + (at >> 1 & 15);
    return light >> 15 == 0u ? page * 33 : place;
}

// Where the second half of a model's face is, or a quad's word of light.
int find_second(uint light, int page, int at)
{
#ifdef MODEL
    return at + page + 2;
#else
    return find_light(light, page, at);
#endif
}

// Reads the quad, the header of its page and, if its light varies, the words with its light; of a
// model's face both halves. A call draws quads of one segment, whose texture is bound.
void fetch_quad(int index, out uvec2 quad, out uvec2 header, out uvec2 words)
{
    int at = index & ((1 << SEGMENT_SHIFT) - 1);
    int page = at >> 5;
    quad = FETCH(at + page + 1);
    header = FETCH(page * 33);
    words = FETCH(find_second(header.y >> 16, page, at));
}

// The levels at a corner of the quad: x + 2 y.
vec2 level_at(uint light, uint corner)
{
    uvec2 here = uvec2(light, light >> 4) >> (8u * corner) & 15u;
    return vec2(here) / 15.0;
}

void main()
{
    uvec2 quad, header, words;
    int index = VERTEX_QUAD, corner = VERTEX_CORNER;
#ifdef MODEL
    fetch_quad(2 * index, quad, header, words);
    levels = words.y;
    face = (quad.x >> 15) & 7u;
    block = words.x & 0xffffu;
    uint ao = (words.x >> 16) & 255u;
    box = (quad.x >> 18) & 7u;
#else
    fetch_quad(index, quad, header, words);
    box = 0u;
    levels = header.y >> 31 == 0u ? (header.y >> 16) * 0x01010101u : (index & 1) == 0 ? words.x : words.y;
    face = (quad.x >> 25) & 7u;
    block = (quad.y >> 4) & 0xffffu;
    uint ao = (quad.x >> 28) | ((quad.y & 15u) << 4);
#endif
    ivec3 low = ivec3(header.xxx << uvec3(23, 5, 14)) & ~0x7fffff; // x, y, z
    int lod = int(header.x >> 27 & 15u);
    ivec3 here = camera_chunk.xyz >> lod;
    chunk = here + ((low - (here << 23)) >> 23); // drawn chunks are never farther away
    hidden = int(header.y & 0xffffu) | lod << 20;
    openness = ao;
#if !defined(PLANT) && !defined(LIQUID) && !defined(GLASS) && !defined(MODEL)
    // Turf hangs down to ground that is one step lower, so that a hillside is green and not striped
    // with earth. A side's lower corners are dark if there is ground in front of its foot.
    bool is_step = (face & 6u) != 2u && (ao & 3u) != 3u && (ao & 12u) != 12u;
    hidden |= is_step && has_bit(block, turf[block >> 7 & 7u]) ? 1 << 16 : 0;
#endif
#if !defined(PLANT) && !defined(LIQUID)
    hidden |= has_bit(block, glowing[block >> 7 & 7u]) ? 1 << 17 : 0;
#endif

    vec3 lowest = vec3((uvec3(quad.x) >> uvec3(0, 5, 10)) & 31u);
    vec3 from = vec3(((chunk << lod) - camera_chunk.xyz) * 32); // integers, which wrap at the ends of the world as chunks do
    own_voxel = ivec3(lowest);
#ifdef PLANT
    across = vec2(corner & 1, corner >> 1);
    level = level_at(levels, uint(corner));
    // Some leaves are mirrored.
    texels = hash3(chunk * 32 + own_voxel + 5) < 0.5 ? vec4(0, 0, 1, 1) : vec4(1, 0, -1, 1);
    vec3 local = place_leaf(lowest, from);
    place = vec4(camera.xyz - from, 1.0);
    from_camera = from + local - camera.xyz;
    gl_Position = clip * vec4(from + local, 1.0);
#else
#ifdef MODEL
    vec2 low_end = vec2((uvec2(quad.y) >> uvec2(0, 10)) & 31u) / 16.0;
    vec2 size = vec2((uvec2(quad.y) >> uvec2(5, 15)) & 31u) / 16.0 - low_end;
    float depth = float((quad.y >> 20) & 31u) / 16.0;
#else
    vec2 low_end = vec2(0.0), size = vec2((uvec2(quad.x) >> uvec2(15, 20)) & 31u) + 1.0;
    float depth = float(face & 1u);
#endif
    uint axis = face >> 1;
    // Seen from outside, these three faces have reversed axes.
    bool turned = face == 1u || face == 3u || face == 4u;
    across = vec2(corner & 1, corner >> 1);
    across = turned ? across.yx : across;
    level = level_at(levels, uint(across.x) + 2u * uint(across.y));
    float edge = float(1 << lod); // of a voxel
    texels = vec4(low_end + (axis == 0u ? lowest.zy : axis == 1u ? lowest.xz : lowest.xy), size) * edge;
    // A coarse voxel has the block of its lowest layer, so its top counts as that layer's. So the sea is flat over all levels.
    from.y -= edge - 1.0;
    vec3 at = from + edge * (lowest + unfold(axis, low_end + across * size, depth));
    place = vec4(camera.xyz - from, 1.0) / edge;
#if defined(LIQUID) || defined(GLASS)
    // A liquid's surface lies lower by bits 0..3, its sides begin higher by bits 4..7.
    bool is_upper = face == 3u || across.y > 0.5;
    bool is_side = axis != 1u;
    at.y += ao == 255u ? 0.0 : is_upper ? float(ao & 15u) / -16.0 : is_side ? float(ao >> 4) / 16.0 : 0.0;
#endif
    from_camera = at - camera.xyz;
    // The edge of a merged quad passes corners of smaller neighbours, and rounding would leave
    // pinholes there, so every quad is enlarged by a fifth of a pixel.
    float reach = 0.2 * haze.y * length(from_camera);
    vec2 beyond = (across * 2.0 - 1.0) * reach;
    // Not upwards where coarse chunks meet: their walls end at the ground, and would show as dotted lines on it.
    beyond.y = lod > 0 && axis != 1u ? min(beyond.y, 0.0) : beyond.y;
    vec3 outwards = unfold(axis, beyond, 0.0);
#ifdef LIQUID
    // Waves continue in the enlarged part; on land it shows the quad's own voxels.
    from_camera += outwards;
#endif
    gl_Position = clip * vec4(at + outwards, 1.0);
#if defined(LIQUID) || defined(GLASS)
    bool is_glass = has_bit(block, clear[block >> 7 & 7u]);
#ifdef GLASS
    gl_Position = is_glass ? gl_Position : vec4(2.0, 2.0, 2.0, 1.0);
#else
    gl_Position = is_glass ? vec4(2.0, 2.0, 2.0, 1.0) : gl_Position;
#endif
#endif
#endif
    pack_surface();
}

#ifdef PLANT
// Two upright leaves: A from the corner (0, 0) of the voxel to (1, 1), B from (1, 0) to (0, 1).
vec3 place_leaf(vec3 lowest, vec3 from)
{
    ivec3 voxel = chunk * 32 + own_voxel;
    float x = face == 6u ? across.x : 1.0 - across.x;
    // Leaves sink into the ground before they become smaller than pixels.
    float high = 1.0 - smoothstep(0.7, 1.0, length(from + lowest - camera.xyz) / sun.w);
    high *= 0.75 + 0.4 * hash3(voxel);
    vec2 aside = 0.36 * (vec2(hash3(voxel + 11), hash3(voxel + 23)) - 0.5);
    vec3 at = lowest + vec3(x + aside.x, across.y * high, across.x + aside.y);
#if SWAY
    vec2 phase = vec2(voxel.xz & 1023) * vec2(0.35, 0.27);
    at.xz += across.y * vec2(0.09, 0.06) * sin(camera.w * vec2(1.7, 1.3) + phase + 0.6 * phase.yx);
#endif
    return at;
}
#endif
