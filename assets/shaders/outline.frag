// Light with dark edges, so that it is seen on everything.
in float across;
flat in float strength;
out vec4 colour;

void main()
{
    float edge = smoothstep(0.35, 0.65, abs(across));
    colour = vec4(mix(vec3(0.8), vec3(0.0), edge), strength * mix(1.0, 0.6, edge));
}
