// Shows the finished picture in the window. The window's buffer stores what it is given, so sRGB is made here.
uniform sampler2D picture;
out vec4 colour;

void main()
{
    vec3 light = texelFetch(picture, ivec2(gl_FragCoord.xy), 0).rgb;
    vec3 curve = 1.055 * pow(light, vec3(1.0 / 2.4)) - 0.055;
    colour = vec4(mix(curve, light * 12.92, lessThan(light, vec3(0.0031308))), 1.0);
}
