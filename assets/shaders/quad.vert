// A corner of a quad, from its number alone: six vertices a quad, quads in the layout of terrane/mesher.h.
// With LIQUID defined, surfaces that lie under air are a little lower; with PLANT defined, quads are the leaves of plants.
uniform usamplerBuffer quads;  // RG32UI
uniform isamplerBuffer pages;  // RGBA32I: the chunk of every 64 quads

out vec3 from_camera; // voxels
out vec3 local;       // voxels from the chunk's lowest corner
out vec2 across;      // 0..1 over the quad
flat out uint face;
flat out uint block;
flat out vec4 corner_light; // how open the four corners are, 0..1
flat out ivec3 chunk;
#ifdef PLANT
flat out ivec3 plant; // its voxel in the chunk
#endif

const int CORNERS[6] = int[6](0, 1, 3, 0, 3, 2);
// The axes a face spans, so that (width, height) = (z, y), (x, z) or (x, y).
const vec3 WIDTH_AXIS[3] = vec3[3](vec3(0, 0, 1), vec3(1, 0, 0), vec3(1, 0, 0));
const vec3 HEIGHT_AXIS[3] = vec3[3](vec3(0, 1, 0), vec3(0, 0, 1), vec3(0, 1, 0));
const vec3 NORMAL_AXIS[3] = vec3[3](vec3(1, 0, 0), vec3(0, 1, 0), vec3(0, 0, 1));

void main()
{
    int index = gl_VertexID / 6;
    uvec2 quad = texelFetch(quads, index).xy;
    chunk = texelFetch(pages, index >> 6).xyz;
    face = (quad.x >> 25) & 7u;
    block = (quad.y >> 4) & 0xffffu;
    uint ao = (quad.x >> 28) | ((quad.y & 15u) << 4);
    corner_light = vec4((uvec4(ao) >> uvec4(0, 2, 4, 6)) & 3u) / 3.0;

    vec3 lowest = vec3((uvec3(quad.x) >> uvec3(0, 5, 10)) & 31u);
#ifdef PLANT
    // Two upright leaves: A from the corner (0, 0) of the voxel to (1, 1), B from (1, 0) to (0, 1).
    plant = ivec3(lowest);
    int corner = CORNERS[gl_VertexID % 6];
    across = vec2(corner & 1, corner >> 1);
    float x = face == 6u ? across.x : 1.0 - across.x;
    vec3 at = vec3((chunk - camera_chunk.xyz) * 32) + lowest;
    // They sink into the ground before they are smaller than pixels.
    float high = 1.0 - smoothstep(0.7, 1.0, length(at - camera.xyz) / sun.w);
    local = lowest + vec3(x, across.y * high, across.x);
    at += vec3(x, across.y * high, across.x);
    from_camera = at - camera.xyz;
    gl_Position = clip * vec4(at, 1.0);
#else
    vec2 size = vec2((uvec2(quad.x) >> uvec2(15, 20)) & 31u) + 1.0;
    uint axis = face >> 1;
    // Seen from outside, these three faces span their axes the other way round.
    bool turned = face == 1u || face == 3u || face == 4u;
    int corner = CORNERS[turned ? 5 - gl_VertexID % 6 : gl_VertexID % 6];
    across = vec2(corner & 1, corner >> 1);
    local = lowest + WIDTH_AXIS[axis] * across.x * size.x + HEIGHT_AXIS[axis] * across.y * size.y +
            NORMAL_AXIS[axis] * float(face & 1u);
#ifdef LIQUID
    local.y -= ao == 0u && (face == 3u || across.y > 0.5) ? 0.125 : 0.0;
#endif

    // Differences of integers, which wrap at the ends of the world as chunks do.
    vec3 at = vec3((chunk - camera_chunk.xyz) * 32) + local;
    from_camera = at - camera.xyz;
    // A merged quad's edge passes corners of its smaller neighbours, and rounding would leave pinholes there:
    // every quad reaches out by a fifth of a pixel.
    float reach = 0.2 * haze.y * length(from_camera);
    vec2 beyond = (across * 2.0 - 1.0) * reach;
    vec3 outwards = WIDTH_AXIS[axis] * beyond.x + HEIGHT_AXIS[axis] * beyond.y;
#ifdef LIQUID
    // Waves go on there; on land it is still the quad's own voxels that are seen.
    local += outwards;
    from_camera += outwards;
#endif
    gl_Position = clip * vec4(at + outwards, 1.0);
#endif
}
