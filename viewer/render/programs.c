#include "render/programs.h"

#include <stdio.h>
#include <string.h>

#include "assets.h"
#include "render/gl.h"

/// Detail by quality: steps towards the sun, octaves of clouds, number of waves.
static const int SUN_STEPS[LOOK_QUALITY_COUNT] = {0, 10, 18};
static const int CLOUD_OCTAVES[LOOK_QUALITY_COUNT] = {3, 4, 5};
static const int WAVE_COUNT[LOOK_QUALITY_COUNT] = {5, 7, 9};

#define SWITCHES_BYTES 448

/// Writes the switches as macros for the shaders.
static void programs_write_switches(const Look *look, char text[SWITCHES_BYTES])
{
    const bool *on = look->on;
    const int quality = (int)look->quality;
    snprintf(text, SWITCHES_BYTES,
             "#define TEXTURES %d\n#define AO %d\n#define SKYLIGHT %d\n#define SHADOWS %d\n"
             "#define HAZE %d\n#define CLOUDS %d\n#define WAVES %d\n#define SWAY %d\n"
             "#define TONE %d\n#define LAMP %d\n#define DEBUG %d\n#define QUALITY %d\n"
             "#define HOLES %d\n#define REFLECTIONS %d\n",
             on[LOOK_TEXTURES], on[LOOK_AO], on[LOOK_SKYLIGHT],
             on[LOOK_SHADOWS] ? SUN_STEPS[quality] : 0, on[LOOK_HAZE],
             on[LOOK_CLOUDS] ? CLOUD_OCTAVES[quality] : 0, on[LOOK_WAVES] ? WAVE_COUNT[quality] : 0,
             on[LOOK_SWAY], on[LOOK_TONE], on[LOOK_LAMP] && on[LOOK_SKYLIGHT], (int)look->debug,
             quality, on[LOOK_HOLES] && on[LOOK_TEXTURES],
             on[LOOK_REFLECTIONS] && look->quality == LOOK_QUALITY_HIGH);
}

bool programs_differ(const Look *a, const Look *b)
{
    char text_a[SWITCHES_BYTES], text_b[SWITCHES_BYTES];
    programs_write_switches(a, text_a);
    programs_write_switches(b, text_b);
    return strcmp(text_a, text_b) != 0;
}

// What surface.glsl is read as.
static const char to_fragments[] = "#define STAGE out\n#define VERTEX 1\n";
static const char from_vertices[] = "#define STAGE in\n";

/// Creates a program that draws quads: land, models, plants or water.
/// @param kind  a define, and other text for the fragment shader only; may be empty
static bool programs_create_quads(GLuint *program, const char *name, const char *kind,
                                  bool is_water, const char *switches, Message *problem)
{
    const char *const fade = strstr(kind, "FADE") ? asset_fade_glsl : "";
    const GlProgramDef land = {name,
                               {kind, to_fragments, switches, asset_frame_glsl, asset_noise_glsl,
                                asset_surface_glsl, asset_quad_vert},
                               {kind, from_vertices, switches, asset_frame_glsl, asset_light_glsl,
                                asset_skyline_glsl, asset_noise_glsl, asset_clouds_glsl, fade,
                                asset_surface_glsl, asset_terrain_frag}};
    const GlProgramDef water = {name,
                                {"#define LIQUID 1\n", to_fragments, switches, asset_frame_glsl,
                                 asset_noise_glsl, asset_surface_glsl, asset_quad_vert},
                                {kind, from_vertices, switches, asset_frame_glsl, asset_light_glsl,
                                 asset_skyline_glsl, asset_noise_glsl, fade, asset_surface_glsl,
                                 asset_water_frag}};
    return gl_program_create(program, is_water ? &water : &land, problem);
}

static bool programs_create_world(Programs *programs, const char *switches, Message *problem)
{
    static const char fade[] = "#define FADE 1\n", models[] = "#define MODEL 1\n";
    static const char fading_models[] = "#define MODEL 1\n#define FADE 1\n";
    const GlProgramDef debris = {
        "debris",
        {to_fragments, switches, asset_frame_glsl, asset_surface_glsl, asset_debris_vert},
        {"#define DEBRIS 1\n" /* and as terrain */, from_vertices, switches, asset_frame_glsl,
         asset_light_glsl, asset_skyline_glsl, asset_noise_glsl, asset_clouds_glsl,
         asset_surface_glsl, asset_terrain_frag}};
    return programs_create_quads(&programs->terrain, "terrain", "\n", false, switches, problem) &&
           programs_create_quads(&programs->models, "models", models, false, switches, problem) &&
           programs_create_quads(&programs->plants, "plants", "#define PLANT 1\n", false, switches,
                                 problem) &&
           gl_program_create(&programs->debris, &debris, problem) &&
           programs_create_quads(&programs->water, "water", "\n", true, switches, problem) &&
           programs_create_quads(&programs->glass, "glass", "#define GLASS 1\n", false, switches,
                                 problem) &&
           programs_create_quads(&programs->fading_terrain, "fading terrain", fade, false, switches,
                                 problem) &&
           programs_create_quads(&programs->fading_models, "fading models", fading_models, false,
                                 switches, problem) &&
           programs_create_quads(&programs->fading_water, "fading water", fade, true, switches,
                                 problem);
}

static bool programs_create_screen(Programs *programs, const char *switches, Message *problem)
{
    const GlProgramDef sky = {"sky",
                              {asset_frame_glsl, asset_screen_vert},
                              {switches, asset_frame_glsl, asset_light_glsl, asset_noise_glsl,
                               asset_clouds_glsl, asset_sky_frag}};
    const GlProgramDef present = {
        "present", {asset_frame_glsl, asset_screen_vert}, {asset_present_frag}};
    const GlProgramDef weather = {
        "weather",
        {switches, asset_frame_glsl, asset_noise_glsl, asset_skyline_glsl, asset_weather_vert},
        {switches, asset_frame_glsl, asset_light_glsl, asset_weather_frag}};
    const GlProgramDef lens = {"lens", {asset_frame_glsl, asset_screen_vert}, {asset_lens_frag}};
    return gl_program_create(&programs->sky, &sky, problem) &&
           gl_program_create(&programs->lens, &lens, problem) &&
           gl_program_create(&programs->weather, &weather, problem) &&
           gl_program_create(&programs->present, &present, problem);
}

static void programs_connect(const Programs *programs)
{
    static const struct {
        const char *name;
        GLint unit;
    } samplers[] = {{"block_colours", UNIT_COLOURS},
                    {"block_textures", UNIT_TEXTURES},
                    {"box_colours", UNIT_BOXES},
                    {"skyline", UNIT_SKYLINE},
                    {"known_heights", UNIT_KNOWN_HEIGHTS},
                    {"picture", UNIT_PICTURE},
                    {"land_colours", UNIT_LAND_COLOURS},
                    {"land_depths", UNIT_LAND_DEPTHS},
                    {"quads", UNIT_QUADS}};
    const GLuint all[] = {
        programs->terrain,      programs->models, programs->plants,         programs->debris,
        programs->water,        programs->glass,  programs->fading_terrain, programs->fading_models,
        programs->fading_water, programs->sky,    programs->present,        programs->lens,
        programs->weather};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        for (size_t k = 0; k < sizeof samplers / sizeof samplers[0]; k++) {
            gl_program_set_samplers(all[i], samplers[k].name, &samplers[k].unit, 1);
        }
    }
}

bool programs_create(Programs *programs, const Look *look, Message *problem)
{
    char switches[SWITCHES_BYTES];
    programs_write_switches(look, switches);
    *programs = (Programs){0};
    if (!programs_create_world(programs, switches, problem) ||
        !programs_create_screen(programs, switches, problem)) {
        programs_free(programs);
        return false;
    }
    programs_connect(programs);
    return true;
}

void programs_free(Programs *programs)
{
    glDeleteProgram(programs->terrain);
    glDeleteProgram(programs->models);
    glDeleteProgram(programs->plants);
    glDeleteProgram(programs->debris);
    glDeleteProgram(programs->water);
    glDeleteProgram(programs->glass);
    glDeleteProgram(programs->fading_terrain);
    glDeleteProgram(programs->fading_models);
    glDeleteProgram(programs->fading_water);
    glDeleteProgram(programs->sky);
    glDeleteProgram(programs->present);
    glDeleteProgram(programs->lens);
    glDeleteProgram(programs->weather);
    *programs = (Programs){0};
}
