// A coloured line with soft edges.
in float across;
flat in vec4 shade;
out vec4 colour;

void main()
{
    colour = vec4(shade.rgb, shade.a * (1.0 - smoothstep(0.6, 1.0, abs(across))));
}
