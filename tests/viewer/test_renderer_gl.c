// The renderer in bad conditions: OpenGL errors, limited drivers, the ends of the world,
// shaders that fail. Run by with_display.sh.

#define _POSIX_C_SOURCE 200809L // NOLINT(bugprone-reserved-identifier)
#define PICTURE_WIDTH 160
#define PICTURE_HEIGHT 100

#include "robust_picture.h"
#include <limits.h>
#include <math.h>

#include <render/chunk_view.h>
#include <render/gl.h>
#include <render/programs.h>
#include <render/renderer.h>

#define IN_WINDOW(test) cmocka_unit_test_setup_teardown(test, open_window, close_window)

#define SCENE_DISTANCE 8

// ---- errors of OpenGL ---------------------------------------------------------------------------

static void a_wrong_call_is_reported_with_its_source_type_and_id(void **state)
{
    (void)state;
    Caught caught;
    assert_int_equal(gl_context_errors(&window.context), 0);
    begin_catching(&caught);
    glEnable(0xdead);
    end_catching(&caught);
    if (window.context.has_debug) {
        assert_non_null(strstr(caught.text, "OpenGL API error "));
        assert_non_null(strstr(caught.text, "GL_INVALID_ENUM"));
        assert_true(strpbrk(strstr(caught.text, "API error ") + 10, "0123456789") ==
                    strstr(caught.text, "API error ") + 10);
    }
    assert_int_equal(gl_context_errors(&window.context), 1);
    window.context.errors = 0; // it was meant
    assert_int_equal(glGetError(), GL_INVALID_ENUM);
}

static void without_a_debug_extension_errors_are_asked_for(void **state)
{
    (void)state;
    GlContext plain;
    Caught caught;
    const int had = GLAD_GL_KHR_debug;
    begin_catching(&caught);
    GLAD_GL_KHR_debug = 0;
    gl_context_watch(&plain);
    assert_int_equal(gl_context_errors(&plain), 0);
    glEnable(0xdead);
    assert_int_equal(gl_context_errors(&plain), 1);
    GLAD_GL_KHR_debug = had;
    end_catching(&caught);
    assert_non_null(strstr(caught.text, "KHR_debug"));
    assert_non_null(strstr(caught.text, "0x0500"));
    window.context.errors = 0;
}

static void messages_without_end_are_cut_off_and_counted_on(void **state)
{
    (void)state;
    Caught caught;
    size_t lines = 0;
    begin_catching(&caught);
    for (int i = 0; i < 200; i++) {
        glEnable(0xdead);
        gl_context_errors(&window.context);
        gl_context_forget_errors();
    }
    end_catching(&caught);
    for (const char *at = caught.text; (at = strchr(at, '\n')); at++) {
        lines++;
    }
    assert_int_equal(gl_context_errors(&window.context), 200);
    assert_in_range(lines, 10, 66);
    window.context.errors = 0;
}

// ---- scenes -------------------------------------------------------------------------------------

/// A renderer, and a store of chunks whose quads the test creates.
typedef struct Scene {
    Renderer *renderer;
    TrnBlockTypes *types;
    TrnStore *store;
} Scene;

static RendererDef scene_def(const TrnBlockTypes *types, LookQuality quality)
{
    RendererDef def = {.width = WIDTH,
                       .height = HEIGHT,
                       .view = {.distance = SCENE_DISTANCE, .height = SCENE_DISTANCE},
                       .types = types,
                       .look = look_default(quality)};
    def.look.samples = 1;
    return def;
}

static Scene make_scene(LookQuality quality)
{
    Scene scene = {0};
    Message problem;
    assert_int_equal(trn_block_types_create_builtin(NULL, &scene.types), TRN_RESULT_OK);
    TrnStoreDef store = trn_store_def();
    store.user_bytes = sizeof(ChunkView);
    store.types = scene.types;
    assert_int_equal(trn_store_create(&store, &scene.store), TRN_RESULT_OK);
    const RendererDef def = scene_def(scene.types, quality);
    if (!renderer_create(&scene.renderer, &def, &problem)) {
        fail_msg("%s", problem.text);
    }
    return scene;
}

static void free_scene(Scene *scene)
{
    renderer_destroy(scene->renderer);
    trn_store_destroy(scene->store);
    trn_block_types_destroy(scene->types);
}

static TrnQuad make_quad(const uint32_t at[3], uint32_t width, uint32_t height, uint32_t face,
                         TrnBlock block)
{
    return at[0] | at[1] << 5 | at[2] << 10 | (width - 1) << 15 | (height - 1) << 20 | face << 25 |
           (TrnQuad)255 << 28 | (TrnQuad)block << 36;
}

/// Shows quads of one group as a chunk, in place of its earlier ones.
static void show_quads(const Scene *scene, TrnCoord coord, const TrnQuad *quads, uint32_t count,
                       uint32_t group)
{
    TrnMeshInfo info = {.light = TRN_MESH_LIGHT(15, 0)};
    for (uint32_t i = 0; i <= TRN_MESH_GROUP_COUNT; i++) {
        info.first[i] = i > group ? count : 0;
    }
    TrnChunk *chunk = trn_store_find(scene->store, coord);
    if (!chunk) {
        assert_int_equal(trn_store_insert_uniform(scene->store, coord, TRN_BLOCK_AIR, &chunk),
                         TRN_RESULT_OK);
    }
    assert_true(
        renderer_show(scene->renderer, chunk, 0, &(ChunkMesh){.quads = quads, .info = &info}));
}

static void draw_scene(const Scene *scene, const Camera *camera, Picture *picture)
{
    Message problem;
    const RendererFrame frame = {.camera = camera,
                                 .inside = TRN_BLOCK_KIND_AIR,
                                 .view_part = 1,
                                 .store = scene->store,
                                 .box = trn_box_around(camera->position.chunk, SCENE_DISTANCE,
                                                       SCENE_DISTANCE, SCENE_DISTANCE)};
    if (!renderer_draw(scene->renderer, &frame, &problem)) {
        fail_msg("%s", problem.text);
    }
    renderer_read(scene->renderer, picture->rgb[0][0]);
}

// ---- the ends of the world ----------------------------------------------------------------------

static TrnCoord beside(TrnCoord origin, int32_t x, int32_t y, int32_t z)
{
    return (TrnCoord){origin.x + x, origin.y + y, origin.z + z};
}

/// A meadow with a wall, a pond and some grass, three chunks wide.
static void build_scene(const Scene *scene, TrnCoord origin)
{
    const uint32_t low[3] = {0, 7, 0}, wall_at[3] = {4, 8, 10}, pond_at[3] = {6, 7, 2};
    for (int32_t x = -1; x <= 1; x++) {
        for (int32_t z = -1; z <= 1; z++) {
            const TrnQuad floor = make_quad(low, 32, 32, TRN_FACE_POS_Y, TRN_BLOCK_GRASS);
            show_quads(scene, beside(origin, x, 0, z), &floor, 1, TRN_MESH_OPAQUE + TRN_FACE_POS_Y);
        }
    }
    const TrnQuad wall = make_quad(wall_at, 12, 9, TRN_FACE_POS_Z, TRN_BLOCK_STONE);
    show_quads(scene, beside(origin, 0, 1, 0), &wall, 1, TRN_MESH_OPAQUE + TRN_FACE_POS_Z);
    const TrnQuad pond = make_quad(pond_at, 20, 20, TRN_FACE_POS_Y, TRN_BLOCK_WATER);
    show_quads(scene, beside(origin, 1, 1, 0), &pond, 1, TRN_MESH_TRANSPARENT + TRN_FACE_POS_Y);
    TrnQuad plants[16];
    for (uint32_t i = 0; i < 16; i++) {
        const uint32_t at[3] = {2 * i, 8, 28};
        plants[i] = make_quad(at, 1, 1, TRN_QUAD_PLANT_A, TRN_BLOCK_TALL_GRASS);
    }
    show_quads(scene, beside(origin, -1, 1, 0), plants, 16, TRN_MESH_PLANTS);
}

/// @param aside  in voxels
static void draw_at(TrnCoord origin, double aside, Picture *picture)
{
    Scene scene = make_scene(LOOK_QUALITY_HIGH);
    build_scene(&scene, origin);
    const double pose[5] = {0, 0, 0, 12, -14};
    Camera camera = camera_at(pose);
    camera.position = (TrnPosition){beside(origin, 0, 1, 1), {12 + aside, 20, 20}};
    draw_scene(&scene, &camera, picture);
    free_scene(&scene);
}

static void the_ends_of_the_world_look_like_its_middle(void **state)
{
    (void)state;
    // Far enough from the end for the scene, near enough for the largest rounding errors.
    const int32_t far = INT32_MAX - 2, low = INT32_MIN + 1;
    const TrnCoord ends[] = {{far, 0, far},
                             {low, 0, low},
                             {far, low, low},
                             {low, far, far},
                             {1 << 19, 1 << 20, -(1 << 18)}};
    static Picture middle, end, moved, end_moved;
    draw_at((TrnCoord){0, 0, 0}, 0, &middle);
    draw_at((TrnCoord){0, 0, 0}, 0.05, &moved);
    const double step = mean_difference(&middle, &moved, 0, HEIGHT);
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        draw_at(ends[i], 0, &end);
        draw_at(ends[i], 0.05, &end_moved);
        // Blocks are shaded by their coordinates, and clouds cast other shadows; nothing else may
        // differ.
        const double mean = mean_difference(&middle, &end, 0, HEIGHT);
        const double end_step = mean_difference(&end, &end_moved, 0, HEIGHT);
        int differ = 0;
        for (int k = 0; k < WIDTH * HEIGHT; k++) {
            differ +=
                difference(middle.rgb[k / WIDTH][k % WIDTH], end.rgb[k / WIDTH][k % WIDTH]) > 150;
        }
        print_message("  (%d, %d, %d): mean difference %.2f, %d pixels quite other; a step of a "
                      "twentieth voxel %.2f, in the middle %.2f\n",
                      ends[i].x, ends[i].y, ends[i].z, mean, differ, end_step, step);
        assert_true(mean < 24);
        assert_true(differ < WIDTH * HEIGHT / 50);
        assert_true(end_step < 1.4 * step && end_step > 0.6 * step); // shakes no more than there
    }
}

// ---- types of blocks ----------------------------------------------------------------------------

static TrnBlock add_type(const Scene *scene, uint32_t number, const uint8_t colour[3])
{
    char name[32];
    TrnBlock id;
    snprintf(name, sizeof name, "test:block_%u", number);
    TrnBlockType type = trn_block_type_def(name, TRN_BLOCK_KIND_OPAQUE);
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        memcpy(type.colour[face], colour, 3);
    }
    assert_int_equal(trn_block_types_add(scene->types, &type, &id), TRN_RESULT_OK);
    return id;
}

/// Returns the mean colour of a wall of one block that fills the middle of the picture.
static void wall_colour(const Scene *scene, TrnBlock block, double colour[3])
{
    static Picture picture;
    const uint32_t at[3] = {0, 0, 31};
    const double pose[5] = {16, 16, 10, 0, 0};
    const Camera camera = camera_at(pose);
    const TrnQuad wall = make_quad(at, 32, 32, TRN_FACE_POS_Z, block);
    show_quads(scene, (TrnCoord){0, 0, -1}, &wall, 1, TRN_MESH_OPAQUE + TRN_FACE_POS_Z);
    draw_scene(scene, &camera, &picture);
    memset(colour, 0, 3 * sizeof *colour);
    for (int i = 0; i < 40 * 40; i++) {
        const unsigned char *pixel = picture.rgb[HEIGHT / 2 - 20 + i / 40][WIDTH / 2 - 20 + i % 40];
        for (int c = 0; c < 3; c++) {
            colour[c] += pixel[c] / 1600.0;
        }
    }
}

static void expect_hue(const Scene *scene, TrnBlock block, int hue)
{
    double colour[3];
    wall_colour(scene, block, colour);
    if (colour[hue] < colour[(hue + 1) % 3] + 60 || colour[hue] < colour[(hue + 2) % 3] + 60) {
        fail_msg("block %u is %.0f %.0f %.0f, not of colour %d", block, colour[0], colour[1],
                 colour[2], hue);
    }
}

static void types_added_later_have_their_colours(void **state)
{
    (void)state;
    static const uint8_t colours[3][3] = {{220, 20, 20}, {20, 200, 20}, {20, 20, 220}};
    Scene scene = make_scene(LOOK_QUALITY_MEDIUM);
    double before[3], after[3];
    wall_colour(&scene, TRN_BLOCK_DIRT, before);
    TrnBlock last = 0;
    for (uint32_t i = 0; i < 900; i++) { // beyond the room there was, and the layers of llvmpipe
        last = add_type(&scene, i, colours[i % 3]);
        if (i < 2 || i % 97 == 0 || i > 897) {
            expect_hue(&scene, last, (int)(i % 3));
        }
    }
    assert_true(last > 900);
    expect_hue(&scene, (TrnBlock)(last - 899), 0);
    wall_colour(&scene, TRN_BLOCK_DIRT, after);
    for (int c = 0; c < 3; c++) {
        assert_true(fabs(before[c] - after[c]) < 0.01);
    }
    free_scene(&scene);
}

static void a_placeholder_changes_its_colour_when_it_is_filled_in(void **state)
{
    (void)state;
    static const uint8_t green[3] = {20, 200, 20};
    Scene scene = make_scene(LOOK_QUALITY_LOW);
    TrnBlock id;
    double unknown[3];
    assert_int_equal(trn_block_types_add_unknown(scene.types, "test:block_6", &id), TRN_RESULT_OK);
    wall_colour(&scene, id, unknown);
    assert_true(unknown[1] < unknown[0] + 40); // red, by its name
    assert_int_equal(add_type(&scene, 6, green), id);
    expect_hue(&scene, id, 1);
    free_scene(&scene);
}

// ---- many quads ---------------------------------------------------------------------------------

static void a_chunk_of_more_quads_than_indices_number_is_drawn_whole(void **state)
{
    (void)state;
    static const uint8_t blue[3] = {20, 20, 220};
    static TrnQuad quads[40000];
    static const size_t walls[] = {0, 16383, 16384, 32768, 39999};
    static Picture picture;
    Scene scene = make_scene(LOOK_QUALITY_LOW);
    const TrnBlock block = add_type(&scene, 0, blue);
    const uint32_t hidden[3] = {0, 0, 0}, at[3] = {0, 0, 31};
    const double pose[5] = {16, 16, 10, 0, 0};
    const Camera camera = camera_at(pose);
    for (size_t i = 0; i < sizeof walls / sizeof walls[0]; i++) {
        for (size_t k = 0; k < 40000; k++) { // all but one small and far behind
            quads[k] = make_quad(hidden, 1, 1, TRN_FACE_POS_Z, TRN_BLOCK_DIRT);
        }
        quads[walls[i]] = make_quad(at, 32, 32, TRN_FACE_POS_Z, block);
        show_quads(&scene, (TrnCoord){0, 0, -1}, quads, 40000, TRN_MESH_OPAQUE + TRN_FACE_POS_Z);
        draw_scene(&scene, &camera, &picture);
        const unsigned char *middle = picture.rgb[HEIGHT / 2][WIDTH / 2];
        if (middle[2] < middle[0] + 60 || middle[2] < middle[1] + 60) {
            fail_msg("quad %zu is %u %u %u", walls[i], middle[0], middle[1], middle[2]);
        }
        assert_int_equal(renderer_stats(scene.renderer).quads_drawn, 40000);
    }
    free_scene(&scene);
}

// ---- small drivers ------------------------------------------------------------------------------

static PFNGLGETINTEGERVPROC real_get_integer;
static GLenum faked_limit;
static GLint faked_value;

static void GLAD_API_PTR fake_get_integer(GLenum name, GLint *value)
{
    real_get_integer(name, value);
    if (name == faked_limit) {
        *value = faked_value;
    }
}

static void fake_limit(GLenum limit, GLint value)
{
    if (!real_get_integer) {
        real_get_integer = glad_glGetIntegerv;
        glad_glGetIntegerv = fake_get_integer;
    }
    faked_limit = limit;
    faked_value = value;
}

static void unfake_limit(void)
{
    glad_glGetIntegerv = real_get_integer;
    real_get_integer = NULL;
}

static void limits_too_small_are_named_with_what_was_found(void **state)
{
    (void)state;
    static const struct {
        GLenum limit;
        const char *name;
        GLint value;
        const char *found;
    } small[] = {
        {GL_MAX_TEXTURE_BUFFER_SIZE, "GL_MAX_TEXTURE_BUFFER_SIZE", 65535, "65535"},
        {GL_MAX_TEXTURE_SIZE, "GL_MAX_TEXTURE_SIZE", 512, "512"},
        {GL_MAX_ARRAY_TEXTURE_LAYERS, "GL_MAX_ARRAY_TEXTURE_LAYERS", 1, "1"},
        {GL_MAX_TEXTURE_IMAGE_UNITS, "GL_MAX_TEXTURE_IMAGE_UNITS", 3, "3"},
        {GL_MAX_VERTEX_TEXTURE_IMAGE_UNITS, "GL_MAX_VERTEX_TEXTURE_IMAGE_UNITS", 1, "1"},
        {GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS, "GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS", 8, "8"},
        {GL_MAX_UNIFORM_BLOCK_SIZE, "GL_MAX_UNIFORM_BLOCK_SIZE", 128, "128"}};
    TrnBlockTypes *types;
    assert_int_equal(trn_block_types_create_builtin(NULL, &types), TRN_RESULT_OK);
    for (size_t i = 0; i < sizeof small / sizeof small[0]; i++) {
        Renderer *renderer = NULL;
        Message problem = {""};
        const RendererDef def = scene_def(types, LOOK_QUALITY_LOW);
        fake_limit(small[i].limit, small[i].value);
        assert_false(renderer_create(&renderer, &def, &problem));
        unfake_limit();
        assert_null(renderer);
        assert_non_null(strstr(problem.text, small[i].name));
        assert_non_null(strstr(problem.text, small[i].found));
    }
    trn_block_types_destroy(types);
}

static void types_without_a_layer_of_their_own_show_their_colour(void **state)
{
    (void)state;
    double textured[3], plain[3];
    Scene rich = make_scene(LOOK_QUALITY_LOW);
    wall_colour(&rich, TRN_BLOCK_SAND, textured);
    free_scene(&rich);
    fake_limit(GL_MAX_ARRAY_TEXTURE_LAYERS, 7); // air, stone, and a part of the next
    Scene poor = make_scene(LOOK_QUALITY_LOW);
    wall_colour(&poor, TRN_BLOCK_SAND, plain);
    unfake_limit();
    free_scene(&poor);
    print_message("  %.0f %.0f %.0f with a texture, %.0f %.0f %.0f without\n", textured[0],
                  textured[1], textured[2], plain[0], plain[1], plain[2]);
    for (int c = 0; c < 3; c++) {
        assert_true(fabs(textured[c] - plain[c]) < 6);
    }
}

static void quads_beyond_the_drivers_limit_are_refused_and_no_more(void **state)
{
    (void)state;
    static TrnQuad quads[40000];
    fake_limit(GL_MAX_TEXTURE_BUFFER_SIZE, 65536);
    Scene scene = make_scene(LOOK_QUALITY_LOW);
    unfake_limit();
    const uint32_t at[3] = {0, 0, 31};
    for (size_t i = 0; i < 40000; i++) {
        quads[i] = make_quad(at, 1, 1, TRN_FACE_POS_Z, TRN_BLOCK_DIRT);
    }
    TrnMeshInfo info = {.light = TRN_MESH_LIGHT(15, 0)};
    for (uint32_t i = 1; i <= TRN_MESH_GROUP_COUNT; i++) {
        info.first[i] = 40000;
    }
    int32_t shown = 0;
    for (; shown < 2 * (int32_t)QUAD_SEGMENTS; shown++) {
        TrnChunk *chunk;
        const TrnCoord coord = {0, 0, -2 - shown};
        assert_int_equal(trn_store_insert_uniform(scene.store, coord, TRN_BLOCK_AIR, &chunk),
                         TRN_RESULT_OK);
        if (!renderer_show(scene.renderer, chunk, 0, &(ChunkMesh){.quads = quads, .info = &info})) {
            break;
        }
    }
    assert_int_equal(shown, QUAD_SEGMENTS); // one fits into each
    assert_in_range(renderer_stats(scene.renderer).card.quad_max, 40000 * QUAD_SEGMENTS,
                    65536 * QUAD_SEGMENTS);
    expect_hue(&scene, add_type(&scene, 0, (const uint8_t[3]){220, 20, 20}), 0);
    free_scene(&scene);
}

// ---- shaders ------------------------------------------------------------------------------------

static void a_shader_that_does_not_compile_is_told_with_its_line_and_its_log(void **state)
{
    (void)state;
    GLuint program = 0;
    Message problem = {""};
    Caught caught;
    const GlProgramDef def = {
        "broken",
        {"void main() { gl_Position = vec4(0); }"},
        {"// first part\nfloat one() { return 1.0; }\n",
         "out vec4 c;\nvoid main()\n{\n    c = vec4(nothing);\n    c += also_nothing;\n}\n"}};
    begin_catching(&caught);
    assert_false(gl_program_create(&program, &def, &problem));
    end_catching(&caught);
    window.context.errors = 0; // the driver may count what a compiler finds
    print_message("  %s\n", problem.text);
    assert_int_equal(program, 0);
    assert_non_null(strstr(problem.text, "broken shader"));
    assert_non_null(strstr(problem.text, "line 4 of its part 2"));
    assert_non_null(strstr(problem.text, "\"c = vec4(nothing);\""));
    assert_non_null(strstr(caught.text, "also_nothing")); // the whole log
}

static void shaders_that_do_not_fit_together_are_named(void **state)
{
    (void)state;
    GLuint program = 0;
    Message problem = {""};
    const GlProgramDef def = {"torn",
                              {"out vec3 a; void main() { a = vec3(0); gl_Position = vec4(0); }"},
                              {"in vec4 a; out vec4 c; void main() { c = a; }"}};
    assert_false(gl_program_create(&program, &def, &problem));
    window.context.errors = 0;
    assert_int_equal(program, 0);
    assert_non_null(strstr(problem.text, "link the torn shader"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_WINDOW(a_wrong_call_is_reported_with_its_source_type_and_id),
        IN_WINDOW(without_a_debug_extension_errors_are_asked_for),
        IN_WINDOW(messages_without_end_are_cut_off_and_counted_on),
        IN_WINDOW(the_ends_of_the_world_look_like_its_middle),
        IN_WINDOW(types_added_later_have_their_colours),
        IN_WINDOW(a_placeholder_changes_its_colour_when_it_is_filled_in),
        IN_WINDOW(a_chunk_of_more_quads_than_indices_number_is_drawn_whole),
        IN_WINDOW(limits_too_small_are_named_with_what_was_found),
        IN_WINDOW(types_without_a_layer_of_their_own_show_their_colour),
        IN_WINDOW(quads_beyond_the_drivers_limit_are_refused_and_no_more),
        IN_WINDOW(a_shader_that_does_not_compile_is_told_with_its_line_and_its_log),
        IN_WINDOW(shaders_that_do_not_fit_together_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
