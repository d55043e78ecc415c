/// OpenGL ES 3.0, which a browser draws with: its pictures are those of OpenGL 3.3, also without
/// what some browsers lack. Run by with_display.sh.
///
/// TERRANE_TEST_OUT names a folder that the pictures are written to.
#define PICTURE_WIDTH 200
#define PICTURE_HEIGHT 120
#include "gl_chunk.h"

#include <render/gl.h>

#define SEA 10u        // voxels
#define TELLS_APART 12 // of a pixel's difference, 0..765

/// A shore with a pool, and of everything that has a program of its own a few.
static TrnBlock shore_block(uint32_t x, uint32_t y, uint32_t z)
{
    const uint32_t ground = 4 + x / 3;
    if (y < ground) {
        return y + 1 == ground ? TRN_BLOCK_GRASS : TRN_BLOCK_STONE;
    }
    if (y < SEA) {
        return TRN_BLOCK_WATER;
    }
    if (y == ground && x > 20 && z % 3 == 0) {
        return TRN_BLOCK_FLOWER;
    }
    if (x > 18 && z > 22 && y < ground + 5) {
        return TRN_BLOCK_OAK_LEAVES;
    }
    if (x == 19 && y < 14) {
        return z < 8 ? TRN_BLOCK_GLASS : z < 14 ? TRN_BLOCK_OAK_FENCE : TRN_BLOCK_AIR;
    }
    return TRN_BLOCK_AIR;
}

/// How the shore is drawn.
typedef struct Way {
    bool is_es;
    bool is_poor; ///< without the extensions that a browser may lack
    LookDebug debug;
} Way;

static PFNGLGETSTRINGIPROC true_get_string;

/// Hides that textures of floats are interpolated.
static const GLubyte *GLAD_API_PTR poor_get_string(GLenum name, GLuint index)
{
    const GLubyte *text = true_get_string(name, index);
    const bool hides = strcmp((const char *)text, "GL_OES_texture_float_linear") == 0;
    return hides ? (const GLubyte *)"GL_hidden" : text;
}

static void hide_extensions(void)
{
    true_get_string = glad_glGetStringi;
    glad_glGetStringi = poor_get_string;
    GLAD_GL_EXT_multi_draw_arrays = 0;
    const GlFeatures features = gl_features();
    assert_true(features.is_es && !features.has_float_filter && !features.has_multi_draw);
}

static void open_for(Way way)
{
    const WindowDef def = {WIDTH, HEIGHT, .gl_debug = true, .gl_es = way.is_es};
    Message problem;
    if (!window_open(&window, &def, &problem)) {
        fail_msg("%s", problem.text);
    }
    assert_int_equal(gl_is_es(), way.is_es);
    if (way.is_poor) {
        hide_extensions();
    }
}

/// The loader finds all functions again when the next window opens.
static void close_and_check(void)
{
    assert_int_equal(close_window(NULL), 0);
}

static void draw_shore(Way way, Picture *picture)
{
    open_for(way);
    Message problem;
    Scene scene = make_scene(shore_block);
    Look look = look_default(LOOK_QUALITY_LOW);
    look.samples = 1;
    look.hours = 9;
    look.debug = way.debug;
    assert_true(renderer_set_look(scene.renderer, &look, &problem));
    scene.camera = camera_at((double[]){4, 19, 34, 40, -26});
    scene.seconds = 5;
    scene.weather = (RendererWeather){0.2f, 0.2f};
    const BoxLine line = {
        .low = {2, 8, 2}, .width = 1, .high = {14, 16, 14}, .colour = {255, 80, 20, 255}};
    const BoxLines boxes = {.boxes = &line, .count = 1, .revision = 1};
    const Outline outline = {.has_block = true,
                             .block = {19, 11, 10},
                             .has_ball = true,
                             .centre = {8, 12, 8},
                             .radius = 4};
    draw_scene(&scene, (SceneLines){&outline, &boxes}, picture);
    free_scene(&scene);
    close_and_check();
}

/// Counts the pixels that a person could tell apart.
static int count_different(const Picture *a, const Picture *b)
{
    int count = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        count +=
            difference(a->rgb[i / WIDTH][i % WIDTH], b->rgb[i / WIDTH][i % WIDTH]) > TELLS_APART;
    }
    return count;
}

static void pictures_are_those_of_opengl_3_3_with_and_without_extensions(void **state)
{
    (void)state;
    static Picture usual, es, poor;
    draw_shore((Way){.is_es = false}, &usual);
    draw_shore((Way){.is_es = true}, &es);
    draw_shore((Way){.is_es = true, .is_poor = true}, &poor);
    write_picture(&usual, "shore.png");
    write_picture(&es, "shore-es.png");
    write_picture(&poor, "shore-es-poor.png");
    assert_in_range(count_different(&usual, &es), 0, WIDTH * HEIGHT / 200);
    assert_in_range(count_different(&usual, &poor), 0, WIDTH * HEIGHT / 200);
}

/// Returns how many pixels are not as dark as the sky of wireframes.
static int count_lines(const Picture *picture)
{
    int count = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        count += picture->rgb[i / WIDTH][i % WIDTH][0] > 60;
    }
    return count;
}

/// Lines of discarded pixels are up to a half wider than those that OpenGL 3.3 draws.
static void wireframes_have_lines_and_holes(void **state)
{
    (void)state;
    static Picture usual, es;
    draw_shore((Way){.debug = LOOK_DEBUG_WIREFRAME}, &usual);
    draw_shore((Way){.is_es = true, .debug = LOOK_DEBUG_WIREFRAME}, &es);
    write_picture(&usual, "shore-wires.png");
    write_picture(&es, "shore-es-wires.png");
    const int lines = count_lines(&usual), es_lines = count_lines(&es);
    print_message("  %d pixels of lines, %d with OpenGL ES\n", lines, es_lines);
    assert_in_range(es_lines, lines * 2 / 3, lines * 3 / 2);
    assert_true(lines > WIDTH * HEIGHT / 20 && es_lines < WIDTH * HEIGHT * 3 / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures_are_those_of_opengl_3_3_with_and_without_extensions),
        cmocka_unit_test(wireframes_have_lines_and_holes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
