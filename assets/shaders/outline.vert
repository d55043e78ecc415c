// Thin lines as quads, six vertices each, computed from their numbers: the edges of two boxes, and
// three circles of a ball.
uniform vec4 shapes[5]; // lowest and highest corner of the block, then of the box, w: 1 if drawn; the ball: middle and radius
uniform vec3 picture; // xy: size in pixels; z: half of a line's width in pixels

out float across; // -1..1 across the line
flat out float strength;

const int BOX_LINES = 12;
const int CIRCLE_LINES = 48;
const float NEAR = 0.02;

vec3 box_point(vec3 low, vec3 high, int line, int end)
{
    int axis = line / 4;
    vec3 part;
    part[axis] = float(end);
    part[(axis + 1) % 3] = float(line & 1);
    part[(axis + 2) % 3] = float(line >> 1 & 1);
    return mix(low, high, part);
}

vec3 ball_point(vec4 ball, int line, int end)
{
    int axis = line / CIRCLE_LINES;
    float angle = float(line % CIRCLE_LINES + end) * (6.2831853 / float(CIRCLE_LINES));
    vec3 on = vec3(0.0);
    on[(axis + 1) % 3] = cos(angle);
    on[(axis + 2) % 3] = sin(angle);
    return ball.xyz + ball.w * on;
}

// Moves a point slightly towards the camera on its line of sight, in front of the faces that it
// lies on.
vec4 clip_point(vec3 at)
{
    return clip * vec4(mix(at, camera.xyz, 0.003), 1.0);
}

void main()
{
    int line = gl_VertexID / 6, corner = gl_VertexID % 6;
    bool is_block = line < BOX_LINES, is_ball = line >= 2 * BOX_LINES;
    vec4 low = shapes[is_block ? 0 : 2], high = shapes[is_block ? 1 : 3], ball = shapes[4];
    int in_shape = is_ball ? line - 2 * BOX_LINES : line % BOX_LINES;
    vec4 from = clip_point(is_ball ? ball_point(ball, in_shape, 0) : box_point(low.xyz, high.xyz, in_shape, 0));
    vec4 to = clip_point(is_ball ? ball_point(ball, in_shape, 1) : box_point(low.xyz, high.xyz, in_shape, 1));
    bool is_drawn = is_ball ? ball.w > 0.0 : low.w > 0.0;
    if (!is_drawn || (from.w < NEAR && to.w < NEAR)) {
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
    vec2 off = vec2(-way.y, way.x) * (is_left ? 1.0 : -1.0) + way * (is_end ? 0.5 : -0.5);
    vec4 at = is_end ? to : from;
    at.xy += off * picture.z * 2.0 / picture.xy * at.w;
    // The shape of a tool is mostly underground, so it is drawn through everything: at the depth opposite to the sky's.
    at.z = is_block ? at.z : mix(at.w, -at.w, float(camera_chunk.w));
    across = is_left ? 1.0 : -1.0;
    strength = is_block ? 0.9 : 0.55;
    gl_Position = at;
}
