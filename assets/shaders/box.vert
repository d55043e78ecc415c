// The twelve edges of a box as quads. Six vertices an edge, computed from their numbers; one
// instance a box.
layout(location = 0) in vec4 low; // xyz: lowest corner, relative to `base`; w: relative width of its lines
layout(location = 1) in vec3 high;
layout(location = 2) in vec4 tint; // sRGB
uniform vec3 base; // in voxels, relative to the lowest corner of the camera's chunk
uniform vec3 picture; // xy: size in pixels; z: half of a line's width in pixels

out float across; // -1..1 across the line
flat out vec4 shade;

const float NEAR = 0.02;

vec3 box_point(int line, int end)
{
    int axis = line / 4;
    vec3 part;
    part[axis] = float(end);
    part[(axis + 1) % 3] = float(line & 1);
    part[(axis + 2) % 3] = float(line >> 1 & 1);
    return base + mix(low.xyz, high, part);
}

void main()
{
    int line = gl_VertexID / 6, corner = gl_VertexID % 6;
    vec4 from = clip * vec4(box_point(line, 0), 1.0), to = clip * vec4(box_point(line, 1), 1.0);
    if (from.w < NEAR && to.w < NEAR) {
        gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
        return;
    }
    // A line ends in front of the camera, since points behind it have no place in the picture.
    if (from.w < NEAR) {
        from = mix(from, to, (NEAR - from.w) / (to.w - from.w));
    } else if (to.w < NEAR) {
        to = mix(to, from, (NEAR - to.w) / (from.w - to.w));
    }
    vec2 way = (to.xy / to.w - from.xy / from.w) * picture.xy;
    way = dot(way, way) > 1e-8 ? normalize(way) : vec2(1.0, 0.0);
    bool is_end = corner == 1 || corner == 2 || corner == 4, is_left = corner == 0 || corner == 1 || corner == 3;
    vec2 off = vec2(-way.y, way.x) * (is_left ? 1.0 : -1.0);
    vec4 at = is_end ? to : from;
    at.xy += off * picture.z * low.w * 2.0 / picture.xy * at.w;
    across = is_left ? 1.0 : -1.0;
    // Distant lines are thinner, so that a thousand boxes do not become a curtain.
    float far = clamp(at.w / haze.x, 0.0, 1.0);
    shade = vec4(pow(tint.rgb, vec3(2.2)), tint.a * mix(1.0, 0.4, far));
    gl_Position = at;
}
