// The viewer in bad conditions: lost contexts, absurd sizes, block types added later, distant
// land. Run by with_display.sh.

#define _POSIX_C_SOURCE 200809L // NOLINT(bugprone-reserved-identifier)
#define PICTURE_WIDTH 160
#define PICTURE_HEIGHT 100

#include "robust_picture.h"

#include <limits.h>
#include <math.h>

#include <render/gl.h>
#include <render/programs.h>
#include <render/renderer.h>
#include <scene/viewer.h>

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
    options->gl_es = draws_with_es();
    options->quality = LOOK_QUALITY_MEDIUM;
    options->samples = 1;
    if (!viewer_open(viewer, options, NULL, &problem)) {
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

/// Checks that pictures are equal but for few pixels in which surfaces are equally far: the one
/// that is drawn first shows, and pages have another order.
static void expect_alike(const Picture *before, const Picture *after)
{
    int count = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        const int by =
            difference(before->rgb[i / WIDTH][i % WIDTH], after->rgb[i / WIDTH][i % WIDTH]);
        assert_in_range(by, 0, 30);
        count += by > 0;
    }
    assert_in_range(count, 0, WIDTH * HEIGHT / 1000);
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
    expect_alike(&before, &after);
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
    assert_true(with[1] < 0.4 * without[1]);
    assert_true(with[1] < 12); // it is a forest, whose leaves have holes
    close_viewer(&viewer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
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
