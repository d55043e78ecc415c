// One triangle over the whole picture, behind everything.
out vec3 ray; // direction that this pixel looks in, not of unit length

void main()
{
    vec2 at = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
    ray = ray_forward.xyz + ray_right.xyz * at.x + ray_up.xyz * at.y;
    gl_Position = vec4(at, float(camera_chunk.w), 1.0);
}
