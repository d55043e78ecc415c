// A drop of rain or a flake of snow: six vertices an instance, without data. Each lies in a box as
// large as a chunk that repeats in all directions; the copy nearest to the camera is drawn. So
// particles stay where they are in the world while the camera moves.
uniform int drops; // so many of the first instances are drops; the others are flakes

out vec2 across; // -1..1 over the particle
flat out float opacity;
flat out int is_snow;

const float BOX = 32.0;
const vec2 WIND = vec2(1.6, -0.7); // voxels/s
const vec2 CORNERS[6] = vec2[6](vec2(-1, -1), vec2(1, -1), vec2(-1, 1), vec2(-1, 1), vec2(1, -1), vec2(1, 1));

void main()
{
    int number = gl_InstanceID;
    is_snow = number < drops ? 0 : 1;
    across = CORNERS[gl_VertexID];
    float own = hash3(ivec3(number, 4, 0));
    vec3 velocity = is_snow == 0 ? vec3(WIND.x, -20.0 - 5.0 * own, WIND.y) : vec3(0.6 * WIND.x, -1.5 - own, 0.6 * WIND.y);
    vec3 place = BOX * vec3(hash3(ivec3(number, 1, 0)), hash3(ivec3(number, 2, 0)), hash3(ivec3(number, 3, 0)));
    place += velocity * camera.w;
    // Flakes do not fall straight.
    place.xz += float(is_snow) * 0.5 * sin(camera.w * (0.8 + own) + 6.2831853 * vec2(own, 7.0 * own));
    vec3 at = place - BOX * floor((place - camera.xyz) / BOX + 0.5);

    vec3 from_camera = at - camera.xyz;
    float distance = length(from_camera), pixel = haze.y * distance;
    // Drops are streaks along their way; flakes face the camera. None is narrower than a pixel: it is fainter instead.
    float size = is_snow == 0 ? 0.012 : 0.030 + 0.025 * own;
    float drawn = max(size, 0.6 * pixel);
    vec3 along = is_snow == 0 ? velocity * 0.022 : normalize(ray_up.xyz) * drawn;
    vec3 aside = is_snow == 0 ? normalize(cross(velocity, from_camera)) * drawn : normalize(ray_right.xyz) * drawn;
    opacity = (is_snow == 0 ? 0.50 : 0.95) * mix(1.0, size / drawn, 0.8) * smoothstep(0.4, 1.5, distance) *
              (1.0 - smoothstep(0.36 * BOX, 0.5 * BOX, distance));
    // Nothing falls through a roof or into the ground.
    bool is_hidden = plain_rise(at - 0.5 * abs(along.y) * vec3(0.0, 1.0, 0.0)) > 0.0;
    gl_Position = is_hidden ? vec4(2.0, 2.0, 2.0, 1.0) : clip * vec4(at + across.x * aside + across.y * along, 1.0);
}
