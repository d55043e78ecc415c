/// The renderer in bad conditions: OpenGL errors, lost contexts, limited drivers, absurd sizes, the
/// ends of the world, block types added later. Run by with_display.sh.
#define _POSIX_C_SOURCE 200809L // NOLINT(bugprone-reserved-identifier)
#define PICTURE_WIDTH 160
#define PICTURE_HEIGHT 100
#include "gl_picture.h"

#include <limits.h>
#include <math.h>
#include <unistd.h>

#include <render/chunk_view.h>
#include <render/gl_context.h>
#include <render/gl_program.h>
#include <render/programs.h>
#include <render/renderer.h>
#include <viewer.h>

#define SCENE_DISTANCE 8

static double mean_difference(const Picture *a, const Picture *b, int first_row, int last_row)
{
    double sum = 0;
    for (int y = first_row; y < last_row; y++) {
        for (int x = 0; x < WIDTH; x++) {
            sum += difference(a->rgb[y][x], b->rgb[y][x]);
        }
    }
    return sum / (WIDTH * (last_row - first_row));
}

// ---- what is printed ----------------------------------------------------------------------------

/// Catches stderr between begin and end.
typedef struct Caught {
    FILE *file;
    int kept;
    char text[4096];
} Caught;

static void begin_catching(Caught *caught)
{
    caught->file = tmpfile();
    assert_non_null(caught->file);
    fflush(stderr);
    caught->kept = dup(STDERR_FILENO);
    assert_true(caught->kept >= 0 && dup2(fileno(caught->file), STDERR_FILENO) >= 0);
}

static void end_catching(Caught *caught)
{
    fflush(stderr);
    assert_true(dup2(caught->kept, STDERR_FILENO) >= 0);
    close(caught->kept);
    rewind(caught->file);
    caught->text[fread(caught->text, 1, sizeof caught->text - 1, caught->file)] = 0;
    fclose(caught->file);
}

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
                       .view_distance = SCENE_DISTANCE,
                       .view_height = SCENE_DISTANCE,
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
    TrnMeshInfo info = {{0}, {0}, {0}};
    for (uint32_t i = 0; i <= TRN_MESH_GROUP_COUNT; i++) {
        info.first[i] = i > group ? count : 0;
    }
    TrnChunk *chunk = trn_store_find(scene->store, coord);
    if (!chunk) {
        assert_int_equal(trn_store_insert_uniform(scene->store, coord, TRN_BLOCK_AIR, &chunk),
                         TRN_RESULT_OK);
    }
    assert_true(renderer_show(scene->renderer, chunk, quads, &info));
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
        {GL_MAX_VERTEX_TEXTURE_IMAGE_UNITS, "GL_MAX_VERTEX_TEXTURE_IMAGE_UNITS", 15, "15"},
        {GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS, "GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS", 18, "18"},
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
    TrnMeshInfo info = {{0}, {0}, {0}};
    for (uint32_t i = 1; i <= TRN_MESH_GROUP_COUNT; i++) {
        info.first[i] = 40000;
    }
    int32_t shown = 0;
    for (; shown < 2 * (int32_t)QUAD_SEGMENTS; shown++) {
        TrnChunk *chunk;
        const TrnCoord coord = {0, 0, -2 - shown};
        assert_int_equal(trn_store_insert_uniform(scene.store, coord, TRN_BLOCK_AIR, &chunk),
                         TRN_RESULT_OK);
        if (!renderer_show(scene.renderer, chunk, quads, &info)) {
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

// ---- the viewer ---------------------------------------------------------------------------------

static void load_viewer(Viewer *viewer)
{
    do {
        viewer_update(viewer, (TrnStreamBudget){.units = 500}, NULL);
    } while (!world_is_idle(viewer->world));
}

/// The shore that the built-in flight comes to, all loaded.
static void open_shore(Viewer *viewer, Settings *options, int view_distance)
{
    const double pose[5] = {-85, 48, -205, 150, -15};
    Message problem;
    *options = settings_default();
    options->headless = true;
    options->width = WIDTH;
    options->height = HEIGHT;
    options->view_distance = view_distance;
    options->gl_debug = true;
    options->quality = LOOK_QUALITY_MEDIUM;
    options->samples = 1;
    if (!viewer_open(viewer, options, &problem)) {
        fail_msg("%s", problem.text);
    }
    viewer->camera = camera_at(pose);
    load_viewer(viewer);
}

static void close_viewer(Viewer *viewer)
{
    assert_int_equal(gl_context_errors(&viewer->window.context), 0);
    viewer_close(viewer);
}

static void draw_viewer(Viewer *viewer, Picture *picture)
{
    Message problem;
    if (!viewer_draw(viewer, &problem)) {
        fail_msg("%s", problem.text);
    }
    renderer_read(viewer->renderer, picture->rgb[0][0]);
}

// ---- losses -------------------------------------------------------------------------------------

static GLenum GLAD_API_PTR fake_reset(void)
{
    return GL_GUILTY_CONTEXT_RESET;
}

/// Makes the driver report a lost context until a new one is created.
static void lose_context(void)
{
    GLAD_GL_KHR_robustness = 1;
    glad_glGetGraphicsResetStatus = fake_reset;
}

static void a_lost_context_is_made_anew_and_the_picture_comes_back(void **state)
{
    (void)state;
    static Viewer viewer;
    static Picture before, after;
    Settings options;
    Message problem = {""};
    Caught caught;
    open_shore(&viewer, &options, 4);
    Look look = renderer_look(viewer.renderer);
    look.hours = 16; // which the options do not say
    assert_true(renderer_set_look(viewer.renderer, &look, &problem));
    // An edit that has not been saved.
    TrnVoxel voxel = trn_coord_voxel(viewer.camera.position.chunk);
    voxel.x += 20;
    assert_int_equal(
        trn_store_set_block((TrnStore *)world_store(viewer.world), voxel, TRN_BLOCK_SNOW, NULL),
        TRN_RESULT_OK);
    load_viewer(&viewer);
    draw_viewer(&viewer, &before);
    const uint32_t chunks = trn_store_stats(world_store(viewer.world)).chunks;
    const uint64_t made = world_stats(viewer.world).stream.generated;
    assert_false(viewer_is_lost(&viewer));
    lose_context();
    assert_true(viewer_is_lost(&viewer));
    assert_false(viewer_draw(&viewer, &problem));
    assert_non_null(strstr(problem.text, "context was lost"));
    begin_catching(&caught);
    const bool renewed = viewer_renew(&viewer, &problem);
    end_catching(&caught);
    if (!renewed) {
        fail_msg("%s", problem.text);
    }
    assert_non_null(strstr(caught.text, "reset because of what this program drew"));
    assert_false(viewer_is_lost(&viewer));
    draw_viewer(&viewer, &after); // there is nothing yet but sky
    assert_int_equal(renderer_stats(viewer.renderer).chunks_drawn, 0);
    load_viewer(&viewer);
    draw_viewer(&viewer, &after);
    assert_memory_equal(&before, &after, sizeof before);
    assert_int_equal(trn_store_stats(world_store(viewer.world)).chunks, chunks);
    assert_int_equal(world_stats(viewer.world).stream.generated, made); // no chunk was made again
    close_viewer(&viewer);
}

static void a_loss_while_the_view_loads_loses_no_chunk(void **state)
{
    (void)state;
    static Viewer viewer;
    static Picture whole, after;
    Settings options;
    Message problem;
    Caught caught;
    open_shore(&viewer, &options, 3);
    draw_viewer(&viewer, &whole);
    const double away[5] = {900, 60, 700, 20, -10}, back[5] = {-85, 48, -205, 150, -15};
    for (int i = 0; i < 6; i++) {
        viewer.camera = camera_at(i % 2 ? back : away);
        for (int k = 0; k < 2 * i + 1; k++) { // in all states there are
            viewer_update(&viewer, (TrnStreamBudget){.units = 90}, NULL);
        }
        lose_context();
        assert_true(viewer_is_lost(&viewer));
        begin_catching(&caught);
        const bool renewed = viewer_renew(&viewer, &problem);
        end_catching(&caught);
        assert_true(renewed);
    }
    viewer.camera = camera_at(back);
    load_viewer(&viewer);
    draw_viewer(&viewer, &after);
    assert_memory_equal(&whole, &after, sizeof whole);
    close_viewer(&viewer);
}

static void losses_without_end_are_given_up_with_a_reason(void **state)
{
    (void)state;
    static Viewer viewer;
    Settings options;
    Message problem = {""};
    Caught caught;
    int renewed = 0;
    open_shore(&viewer, &options, 2);
    begin_catching(&caught);
    for (; renewed < 100; renewed++) {
        lose_context();
        assert_true(viewer_is_lost(&viewer));
        if (!viewer_renew(&viewer, &problem)) {
            break;
        }
    }
    end_catching(&caught);
    assert_in_range(renewed, 2, 20);
    assert_non_null(strstr(problem.text, "LIBGL_ALWAYS_SOFTWARE"));
    viewer_close(&viewer);
}

// ---- sizes --------------------------------------------------------------------------------------

static void absurd_sizes_are_refused_and_the_old_picture_stays(void **state)
{
    (void)state;
    static const int absurd[][2] = {
        {0, 0},       {0, 100},     {-1, 100},         {INT_MIN, INT_MIN}, {INT_MAX, INT_MAX},
        {INT_MAX, 1}, {1, INT_MAX}, {1000000, 1000000}};
    static Viewer viewer;
    static Picture before, after;
    Settings options;
    Message problem;
    open_shore(&viewer, &options, 3);
    draw_viewer(&viewer, &before);
    for (size_t i = 0; i < sizeof absurd / sizeof absurd[0]; i++) {
        problem.text[0] = 0;
        assert_false(renderer_resize(viewer.renderer, absurd[i][0], absurd[i][1], &problem));
        assert_non_null(strstr(problem.text, "--size"));
        draw_viewer(&viewer, &after);
        assert_memory_equal(&before, &after, sizeof before);
    }
    close_viewer(&viewer);
}

static void every_size_that_a_window_takes_is_drawn_and_shown(void **state)
{
    (void)state;
    static const int sizes[][2] = {{1, 1}, {1, 700}, {2000, 1}, {3, 5}, {1023, 17}};
    static unsigned char rgb[3 * 2000 * 32];
    static Viewer viewer;
    static Picture before, after;
    Settings options;
    Message problem;
    open_shore(&viewer, &options, 3);
    draw_viewer(&viewer, &before);
    for (size_t i = 0; i < 2 * sizeof sizes / sizeof sizes[0]; i++) {
        Look look = renderer_look(viewer.renderer);
        look.scale = i % 2 ? 0.25f : 2;
        look.samples = i % 2 ? 4 : 1;
        assert_true(renderer_set_look(viewer.renderer, &look, &problem));
        assert_true(renderer_resize(viewer.renderer, sizes[i / 2][0], sizes[i / 2][1], &problem));
        assert_true(viewer_draw(&viewer, &problem));
        renderer_present(viewer.renderer);
        renderer_read(viewer.renderer, rgb);
        const size_t pixels = (size_t)sizes[i / 2][0] * (size_t)sizes[i / 2][1];
        int seen = 0;
        for (size_t k = 0; k < 3 * pixels; k++) {
            seen += rgb[k] > 20;
        }
        assert_true(seen > 0);
    }
    Look look = renderer_look(viewer.renderer);
    look.scale = 1;
    look.samples = 1;
    assert_true(renderer_set_look(viewer.renderer, &look, &problem));
    assert_true(renderer_resize(viewer.renderer, WIDTH, HEIGHT, &problem));
    draw_viewer(&viewer, &after);
    assert_memory_equal(&before, &after, sizeof before);
    close_viewer(&viewer);
}

// ---- types in a world ---------------------------------------------------------------------------

static void a_block_of_a_new_type_is_meshed_and_drawn(void **state)
{
    (void)state;
    static Viewer viewer;
    static Picture before, after;
    Settings options;
    int red = 0;
    open_shore(&viewer, &options, 3);
    draw_viewer(&viewer, &before);
    TrnBlockType type = trn_block_type_def("test:ruby", TRN_BLOCK_KIND_OPAQUE);
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        memcpy(type.colour[face], (const uint8_t[3]){230, 10, 10}, 3);
    }
    TrnBlock id = 0;
    viewer_update(&viewer, (TrnStreamBudget){.units = 1}, NULL);
    assert_int_equal(trn_block_types_add(viewer.types, &type, &id), TRN_RESULT_OK);
    // A wall of them, some distance ahead of the camera.
    TrnVoxel at = trn_coord_voxel(viewer.camera.position.chunk);
    vec3 right, up, forward;
    camera_axes(&viewer.camera, right, up, forward);
    for (int i = 0; i < 11 * 11; i++) {
        TrnVoxel voxel = at;
        const int across = i % 11 - 5, down = i / 11 - 8;
        voxel.x += (int64_t)(viewer.camera.position.offset[0] + (double)(12 * forward[0]) + across);
        voxel.y += (int64_t)(viewer.camera.position.offset[1] + down);
        voxel.z += (int64_t)(viewer.camera.position.offset[2] + (double)(12 * forward[2]));
        (void)trn_store_set_block((TrnStore *)world_store(viewer.world), voxel, id, NULL);
    }
    load_viewer(&viewer);
    draw_viewer(&viewer, &after);
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        const unsigned char *now = after.rgb[i / WIDTH][i % WIDTH];
        red += now[0] > now[1] + 50 && now[0] > now[2] + 50;
    }
    print_message("  %d pixels are red\n", red);
    assert_true(red > 500);
    close_viewer(&viewer);
}

// ---- shimmering ---------------------------------------------------------------------------------

/// Returns how much the land changes from frame to frame while the camera turns by a tenth of a
/// pixel.
static double shimmer(Viewer *viewer)
{
    static Picture last, now;
    double sum = 0;
    const float tenth = 62.0f / HEIGHT / 10; // degrees
    const Camera kept = viewer->camera;
    draw_viewer(viewer, &last);
    for (int i = 0; i < 10; i++) {
        camera_turn(&viewer->camera, tenth, 0);
        draw_viewer(viewer, &now);
        sum += mean_difference(&last, &now, HEIGHT / 2, HEIGHT);
        last = now;
    }
    viewer->camera = kept;
    return sum / 10;
}

static void land_far_away_does_not_shimmer(void **state)
{
    (void)state;
    static Viewer viewer;
    Settings options;
    Message problem;
    open_shore(&viewer, &options, 8);
    const double pose[5] = {480, 70, 0, 150, -14};
    viewer.camera = camera_at(pose);
    load_viewer(&viewer);
    Look look = renderer_look(viewer.renderer);
    double with[2], without[2];
    for (int samples = 0; samples < 2; samples++) {
        look.samples = samples ? 4 : 1;
        assert_true(renderer_set_look(viewer.renderer, &look, &problem));
        with[samples] = shimmer(&viewer);
        glActiveTexture(GL_TEXTURE0 + UNIT_TEXTURES);
        glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAX_LEVEL, 0);
        without[samples] = shimmer(&viewer);
        glActiveTexture(GL_TEXTURE0 + UNIT_TEXTURES);
        glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAX_LEVEL, 4);
        glActiveTexture(GL_TEXTURE0);
    }
    print_message("  mean change of a pixel by a tenth of a pixel's turn, of 765: %.2f, without "
                  "mipmaps %.2f; with four samples %.2f and %.2f\n",
                  with[0], without[0], with[1], without[1]);
    assert_true(with[0] < 0.8 * without[0]);
    assert_true(with[1] < with[0]);
    assert_true(with[1] < 6);
    close_viewer(&viewer);
}

#define IN_WINDOW(test) cmocka_unit_test_setup_teardown(test, open_window, close_window)

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
        cmocka_unit_test(a_lost_context_is_made_anew_and_the_picture_comes_back),
        cmocka_unit_test(a_loss_while_the_view_loads_loses_no_chunk),
        cmocka_unit_test(losses_without_end_are_given_up_with_a_reason),
        cmocka_unit_test(absurd_sizes_are_refused_and_the_old_picture_stays),
        cmocka_unit_test(every_size_that_a_window_takes_is_drawn_and_shown),
        cmocka_unit_test(a_block_of_a_new_type_is_meshed_and_drawn),
        cmocka_unit_test(land_far_away_does_not_shimmer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
