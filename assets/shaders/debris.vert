// A bit of debris: a small cube, of which the three sides that face the camera are drawn. Eighteen
// vertices an instance; the outputs of surface.glsl, so that terrain.frag lights it like land.
layout(location = 0) in vec3 bit_at; // middle of its bottom, in voxels relative to the lowest corner of the camera's chunk
layout(location = 1) in uvec2 bit_look; // as DebrisInstance: shape, look

const int CORNERS[6] = int[6](0, 1, 3, 0, 3, 2);
const vec3 WIDTH_AXIS[3] = vec3[3](vec3(0, 0, 1), vec3(1, 0, 0), vec3(1, 0, 0));
const vec3 HEIGHT_AXIS[3] = vec3[3](vec3(0, 1, 0), vec3(0, 0, 1), vec3(0, 1, 0));
const vec3 NORMAL_AXIS[3] = vec3[3](vec3(1, 0, 0), vec3(0, 1, 0), vec3(0, 0, 1));

void main()
{
    float edge = float(bit_look.x & 0xffffu) / 65536.0; // half of the edge
    float turn = float(bit_look.x >> 16) / 65536.0 * 6.2831853;
    block = bit_look.y & 0xffffu;
    uint piece = bit_look.y >> 16 & 0xffu;

    mat3 turned = mat3(cos(turn), 0, -sin(turn), 0, 1, 0, sin(turn), 0, cos(turn));
    vec3 middle = bit_at + vec3(0, edge, 0);
    int axis = gl_VertexID / 6;
    // Multiplying from the left applies the inverse rotation.
    bool upper = dot((camera.xyz - middle) * turned, NORMAL_AXIS[axis]) > 0.0;
    face = uint(axis * 2 + (upper ? 1 : 0));
    vec3 normal = upper ? NORMAL_AXIS[axis] : -NORMAL_AXIS[axis];

    int corner = CORNERS[gl_VertexID % 6];
    across = vec2(corner & 1, corner >> 1);
    vec2 beyond = across * 2.0 - 1.0;
    vec3 at = middle + turned * (normal + WIDTH_AXIS[axis] * beyond.x + HEIGHT_AXIS[axis] * beyond.y) * edge;
    // A bit shows four texels: a quarter of the texture along each edge.
    texels = vec4(vec2(piece & 3u, piece >> 2 & 3u) * 0.25, 0.25, 0.25);

    // terrain.frag derives colours from these, so they must not change while the bit flies.
    chunk = camera_chunk.xyz + ivec3(floor(bit_at / 32.0));
    vec3 local = vec3(8u + (uvec3(piece, piece >> 2, piece >> 4) & 15u)) + 0.5 + 0.5 * normal;
    place = vec4(local, 0.0);
    openness = box = 0u;
    own_voxel = ivec3(0);
    level = vec2(1.0 - sky_light.w, 0.4 * sky_light.w); // as dark as it is around the camera
    levels = 0u;
    hidden = 0;
    from_camera = at - camera.xyz;
    gl_Position = clip * vec4(at, 1.0);
    pack_surface();
}
