/// The viewer's pictures: each look, moved quads, and that it opens and closes without a trace.
#define PICTURE_WIDTH 160
#define PICTURE_HEIGHT 100
#include "gl_renderer.h"

#include <render/culling.h>
#include <render/draw_list.h>
#include <render/gl.h>
#include <render/quad_buffer.h>
#include <scene/viewer.h>

/// Of a picture: each surface in each part of the distance, and each segment that it lies in.
#define CALLS_MAX (4 * DRAW_PARTS * QUAD_SEGMENTS)

// ---- the viewer ---------------------------------------------------------------------------------

static void load_viewer(Viewer *viewer)
{
    do {
        viewer_update(viewer, (TrnStreamBudget){.units = 500}, NULL);
    } while (!world_is_idle(viewer->world));
}

/// Draws a frame, and compares the number of chunks drawn with the store.
/// @return whether the last chunk gathered was drawn
static bool check_drawn(Viewer *viewer)
{
    static TrnChunk *chunks[1000];
    Message problem;
    CameraView view;
    size_t expected = 0;
    bool last_counts = false;
    assert_true(viewer_draw(viewer, &problem));
    size_t count = trn_store_gather(world_store(viewer->world), viewer_box(viewer), chunks, 1000);
    assert_in_range(count, 1, 1000);
    camera_view(&viewer->camera, WIDTH, HEIGHT, 200, &view);
    for (size_t i = 0; i < count; i++) {
        last_counts =
            chunk_view(chunks[i])->run.pages && camera_view_holds(&view, chunks[i]->coord, 0);
        expected += last_counts;
    }
    assert_int_equal(renderer_stats(viewer->renderer).chunks_drawn, expected);
    return last_counts;
}

static void draw_look(Viewer *viewer, const Look *look, Picture *picture)
{
    Message problem;
    if (!renderer_set_look(viewer->renderer, look, &problem) || !viewer_draw(viewer, &problem)) {
        fail_msg("%s", problem.text);
    }
    renderer_read(viewer->renderer, picture->rgb[0][0]);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

static void draw_viewer(Viewer *viewer, bool occlusion, Picture *picture)
{
    Look look = renderer_look(viewer->renderer);
    look.on[LOOK_OCCLUSION] = occlusion;
    draw_look(viewer, &look, picture);
}

static void open_viewer(Viewer *viewer, Settings *options, int view_distance)
{
    Message problem;
    *options = settings_default();
    options->headless = true;
    options->gl_debug = true;
    options->gl_es = draws_with_es();
    options->width = WIDTH;
    options->height = HEIGHT;
    options->view_distance = view_distance;
    if (!viewer_open(viewer, options, NULL, &problem)) {
        fail_msg("%s", problem.text);
    }
}

/// Closes the viewer, and checks that no OpenGL error occurred.
static void close_viewer(Viewer *viewer)
{
    assert_int_equal(gl_context_errors(&viewer->window.context), 0);
    viewer_close(viewer);
}

static void every_gathered_chunk_in_the_picture_is_drawn(void **state)
{
    (void)state;
    static Viewer viewer;
    Settings options;
    int last = 0;
    open_viewer(&viewer, &options, 2);
    // Moves down a diagonal, looking back up, so that the last chunk of the box was meshed two
    // steps earlier.
    for (int step = 0; step < 16; step++) {
        const double by = -(double)step * TRN_CHUNK_EDGE;
        const double pose[5] = {-200 + by, 200 + by, 200 + by, 135, 35};
        viewer.camera = camera_at(pose);
        load_viewer(&viewer);
        draw_viewer(&viewer, false, &(Picture){0});
        last += check_drawn(&viewer);
    }
    print_message("  the last chunk gathered was drawn in %d frames\n", last);
    assert_true(last > 0);
    close_viewer(&viewer);
}

static int picture_difference(const Picture *a, const Picture *b)
{
    int worst = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        const int differs = difference(a->rgb[i / WIDTH][i % WIDTH], b->rgb[i / WIDTH][i % WIDTH]);
        worst = differs > worst ? differs : worst;
    }
    return worst;
}

/// A camera in the air, or just above or below the ground.
static Camera culled_camera(const Viewer *viewer, TestRandom *random)
{
    double pose[5] = {(double)test_random_range(random, -300, 300), 0,
                      (double)test_random_range(random, -300, 300),
                      (double)test_random_range(random, 0, 359),
                      (double)test_random_range(random, -40, 40)};
    int64_t height = 0;
    assert_int_equal(trn_terrain_height(world_terrain(viewer->world), (int64_t)pose[0],
                                        (int64_t)pose[2], &height),
                     TRN_RESULT_OK);
    pose[1] = (double)height + (double)test_random_range(random, -60, 40);
    return camera_at(pose);
}

static void culling_hides_nothing_that_is_visible(void **state)
{
    (void)state;
    static Viewer viewer;
    static Picture all, seen;
    Settings options;
    TestRandom random = test_random_seeded(31);
    size_t quads[2] = {0};
    int worst = 0;
    open_viewer(&viewer, &options, 5);
    for (int step = 0; step < 24; step++) {
        viewer.camera = culled_camera(&viewer, &random);
        if (step % 4) {
            load_viewer(&viewer);
        } else { // chunks are missing
            viewer_update(&viewer, (TrnStreamBudget){.units = 700}, NULL);
        }
        draw_viewer(&viewer, false, &all);
        quads[0] += renderer_stats(viewer.renderer).quads_drawn;
        draw_viewer(&viewer, true, &seen);
        quads[1] += renderer_stats(viewer.renderer).quads_drawn;
        assert_true(renderer_stats(viewer.renderer).draw_calls <= CALLS_MAX);
        const int differs = picture_difference(&all, &seen);
        worst = differs > worst ? differs : worst;
    }
    print_message("  %zu of %zu quads drawn, greatest difference %d\n", quads[1], quads[0], worst);
    // At the edge of the loaded chunks one sees under the land, through sides that have no mesh.
    // What is culled there would be hidden anyway.
    assert_true(worst <= 6);
    assert_true(quads[1] * 20 < quads[0] * 19);
    close_viewer(&viewer);
}

// ---- quads that move under the picture ----------------------------------------------------------

/// Pixels where quads overlap by part of a pixel: which is seen depends on where their quads are.
#define DIFFERING_MAX (WIDTH * HEIGHT / 1000)

static int count_differing(const Picture *a, const Picture *b)
{
    int differing = 0;
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            differing += memcmp(a->rgb[y][x], b->rgb[y][x], sizeof a->rgb[y][x]) != 0;
        }
    }
    return differing;
}

/// Removes the quads of chunks outside the picture.
static void hide_unseen(Viewer *viewer)
{
    static TrnChunk *chunks[2000];
    CameraView view;
    const size_t count =
        trn_store_gather(world_store(viewer->world), viewer_box(viewer), chunks, 2000);
    assert_in_range(count, 1, 2000);
    camera_view(&viewer->camera, WIDTH, HEIGHT, 400, &view);
    for (size_t i = 0; i < count; i++) {
        if (!camera_view_holds(&view, chunks[i]->coord, 0)) {
            renderer_hide(viewer->renderer, chunks[i]);
            culling_note(world_store(viewer->world), chunks[i]);
        }
    }
}

static void the_picture_stays_while_quads_move(void **state)
{
    (void)state;
    static const double pose[5] = {-85, 60, -205, 150, -25}, far_pose[5] = {900, 60, 300, 0, 0};
    static Viewer viewer;
    static Picture first, now;
    Settings options;
    uint32_t moved = 0, calls = 0;
    open_viewer(&viewer, &options, 5);
    viewer.camera = camera_at(pose);
    load_viewer(&viewer);
    draw_viewer(&viewer, true, &first);
    for (int round = 0; round < 3; round++) {
        const uint32_t quads = renderer_stats(viewer.renderer).card.quads;
        hide_unseen(&viewer);
        assert_true(renderer_stats(viewer.renderer).card.quads < quads / 4 * 3);
        for (int frame = 0; frame < 100; frame++) {
            draw_viewer(&viewer, true, &now);
            assert_true(count_differing(&first, &now) <= DIFFERING_MAX);
            const RendererStats stats = renderer_stats(viewer.renderer);
            moved += stats.card.frame.copy_bytes > 0;
            calls = stats.draw_calls > calls ? stats.draw_calls : calls;
        }
        const QuadBufferStats card = renderer_stats(viewer.renderer).card;
        assert_false(card.is_moving);
        const size_t spare =
            (size_t)2 * QUAD_SEGMENT_PAGES_MIN * QUAD_PAGE_BYTES; // too much for a few pages
        // A quarter of the quads' pages have light that varies: half a page more each.
        assert_true(card.held_bytes <= (size_t)card.quads * QUAD_BYTES * 130 / 100 + spare);
        viewer.camera = camera_at(far_pose);
        load_viewer(&viewer);
        viewer.camera = camera_at(pose);
        load_viewer(&viewer);
    }
    print_message("  quads moved in %u of 300 frames, up to %u draw calls\n", moved, calls);
    assert_true(moved > 0);
    assert_in_range(calls, 3, CALLS_MAX);
    viewer_close(&viewer);
}

// ---- looks --------------------------------------------------------------------------------------

/// The shore that the built-in flight comes to, all loaded.
static void open_shore(Viewer *viewer, Settings *options)
{
    const double pose[5] = {-85, 48, -205, 150, -15};
    open_viewer(viewer, options, 4);
    viewer->camera = camera_at(pose);
    load_viewer(viewer);
}

static double mean_difference(const Picture *a, const Picture *b)
{
    double sum = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        sum += difference(a->rgb[i / WIDTH][i % WIDTH], b->rgb[i / WIDTH][i % WIDTH]);
    }
    return sum / (WIDTH * HEIGHT);
}

static void every_look_draws_and_the_first_comes_back_as_it_was(void **state)
{
    (void)state;
    static Viewer viewer;
    static Picture first, other;
    Settings options;
    open_shore(&viewer, &options);
    for (int quality = 0; quality < LOOK_QUALITY_COUNT; quality++) {
        Look look = look_default((LookQuality)quality);
        look.samples = 1;
        draw_look(&viewer, &look, &first);
        for (int i = 0; i < LOOK_SWITCH_COUNT; i++) {
            Look without = look;
            without.on[i] = false;
            draw_look(&viewer, &without, &other);
            if (i == LOOK_HAZE || i == LOOK_CLOUDS || i == LOOK_TONE || i == LOOK_TEXTURES) {
                assert_true(mean_difference(&first, &other) > 0.1);
            }
        }
        for (int i = 1; i < LOOK_DEBUG_COUNT; i++) {
            Look debug = look;
            debug.debug = (LookDebug)i;
            draw_look(&viewer, &debug, &other);
            assert_true(mean_difference(&first, &other) > 2);
        }
        draw_look(&viewer, &look, &other);
        assert_memory_equal(&first, &other, sizeof first);
    }
    close_viewer(&viewer);
}

static void scale_and_samples_change_little_of_the_picture(void **state)
{
    (void)state;
    static const float scales[] = {0.25f, 0.5f, 1, 1.37f, 2};
    static Viewer viewer;
    static Picture plain, other;
    Settings options;
    open_shore(&viewer, &options);
    Look look = look_default(LOOK_QUALITY_MEDIUM);
    look.samples = 1;
    draw_look(&viewer, &look, &plain);
    for (size_t i = 0; i < 10; i++) {
        Look changed = look;
        changed.scale = scales[i / 2];
        changed.samples = i % 2 ? 4 : 1;
        draw_look(&viewer, &changed, &other);
        assert_true(mean_difference(&plain, &other) < 30);
    }
    close_viewer(&viewer);
}

static void a_window_of_one_pixel_and_an_absurd_one_are_borne(void **state)
{
    (void)state;
    static Viewer viewer;
    static Picture before, after;
    unsigned char pixel[3];
    Settings options;
    Message problem;
    open_shore(&viewer, &options);
    Look look = look_default(LOOK_QUALITY_LOW);
    draw_look(&viewer, &look, &before);
    for (int i = 0; i < 2; i++) {
        look.scale = i ? 0.25f : 2;
        assert_true(renderer_resize(viewer.renderer, 1, 1, &problem));
        assert_true(renderer_set_look(viewer.renderer, &look, &problem));
        assert_true(viewer_draw(&viewer, &problem));
        renderer_read(viewer.renderer, pixel);
        assert_int_equal(glGetError(), GL_NO_ERROR);
    }
    look.scale = 1;
    assert_true(renderer_set_look(viewer.renderer, &look, &problem));
    assert_true(renderer_resize(viewer.renderer, WIDTH, HEIGHT, &problem));
    assert_false(renderer_resize(viewer.renderer, 1000000, 10, &problem));
    assert_non_null(strstr(problem.text, "too large"));
    draw_look(&viewer, &look, &after); // the old picture stays
    assert_memory_equal(&before, &after, sizeof before);
    close_viewer(&viewer);
}

static double mean_brightness(const Picture *picture)
{
    static const Picture black;
    return mean_difference(picture, &black) / 3;
}

static void night_is_dark_and_dusk_between(void **state)
{
    (void)state;
    static Viewer viewer;
    static Picture picture;
    double brightness[3];
    static const float hours[3] = {12, 18, 0};
    Settings options;
    open_shore(&viewer, &options);
    for (int i = 0; i < 3; i++) {
        Look look = look_default(LOOK_QUALITY_MEDIUM);
        look.hours = hours[i];
        draw_look(&viewer, &look, &picture);
        brightness[i] = mean_brightness(&picture);
    }
    print_message("  noon %.0f, dusk %.0f, midnight %.0f\n", brightness[0], brightness[1],
                  brightness[2]);
    assert_true(brightness[0] > brightness[1] + 15 && brightness[1] > brightness[2] + 15);
    assert_true(brightness[2] > 4 && brightness[2] < 60);
    close_viewer(&viewer);
}

static void a_shader_that_does_not_compile_is_named_with_its_line(void **state)
{
    (void)state;
    GLuint program = 0;
    Message problem = {""};
    const GlProgramDef def = {"broken",
                              {"void main()\n{\n    gl_Position = nothing;\n}\n"},
                              {"out vec4 c; void main() { c = vec4(1); }"}};
    assert_false(gl_program_create(&program, &def, &problem));
    assert_int_equal(program, 0);
    assert_non_null(strstr(problem.text, "broken"));
    assert_non_null(strstr(problem.text, "nothing"));
    assert_non_null(strstr(problem.text, "line 3 of its part 1"));
    assert_int_equal(glGetError(), GL_NO_ERROR);
    window.context.errors = 0; // what the compiler reports too
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_gathered_chunk_in_the_picture_is_drawn),
        cmocka_unit_test(culling_hides_nothing_that_is_visible),
        cmocka_unit_test(the_picture_stays_while_quads_move),
        cmocka_unit_test(every_look_draws_and_the_first_comes_back_as_it_was),
        cmocka_unit_test(scale_and_samples_change_little_of_the_picture),
        cmocka_unit_test(a_window_of_one_pixel_and_an_absurd_one_are_borne),
        cmocka_unit_test(night_is_dark_and_dusk_between),
        cmocka_unit_test_setup_teardown(a_shader_that_does_not_compile_is_named_with_its_line,
                                        open_window, close_window),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
