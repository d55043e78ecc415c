// Depth of field: what is nearer or farther than the middle of the picture is blurred, as by a lens. Discs of Vogel's
// spiral; a sample counts if it lies behind this pixel's focus or is blurred itself, so that sharp edges do not bleed.
uniform sampler2D land_colours; // the picture
uniform sampler2D land_depths;  // of it: the near plane's distance / distance, 0 for the sky
uniform float blur_pixels; // the largest radius
out vec4 colour;

const int SAMPLES = 40;
const float TURN = 2.399963; // the golden angle

/// Radius of the blur at a depth, of 0..1. In depths of 1 / distance a lens blurs linearly.
float blur_at(float depth, float focus)
{
    return clamp(abs(depth - focus) / max(focus, 0.0004), 0.0, 1.0);
}

void main()
{
    vec2 size = vec2(textureSize(land_depths, 0)), at = gl_FragCoord.xy / size;
    float focus = textureLod(land_depths, vec2(0.5), 0.0).r;
    float here = textureLod(land_depths, at, 0.0).r;
    float radius = blur_at(here, focus);
    vec3 sum = textureLod(land_colours, at, 0.0).rgb;
    float weights = 1.0;
    for (int i = 0; i < SAMPLES; i++) {
        float way = sqrt((float(i) + 0.5) / float(SAMPLES)), angle = float(i) * TURN;
        vec2 point = at + vec2(cos(angle), sin(angle)) * way * radius * blur_pixels / size;
        float there = textureLod(land_depths, point, 0.0).r;
        float weight = there <= here ? 1.0 : blur_at(there, focus);
        sum += textureLod(land_colours, point, 0.0).rgb * weight;
        weights += weight;
    }
    colour = vec4(sum / weights, 1.0);
}
