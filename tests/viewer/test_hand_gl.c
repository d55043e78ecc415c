/// What is drawn for the hand: the outline of the aimed block, and the bar of blocks. Run by
/// with_display.sh.
///
/// TERRANE_TEST_OUT names a folder that the pictures are written to.
#define PICTURE_WIDTH 640
#define PICTURE_HEIGHT 400
#include "gl_chunk.h"
#include "gl_panel.h"

#include <math.h>

// ---- a small land -------------------------------------------------------------------------------

/// A floor of stone whose top is at y = 8, with one block on it, and a wall at x = 24.
static TrnBlock scene_block(uint32_t x, uint32_t y, uint32_t z)
{
    if (y < 8) {
        return TRN_BLOCK_STONE;
    }
    if (x == 24 && y < 14) {
        return TRN_BLOCK_SLATE;
    }
    return x == 16 && y == 8 && z == 16 ? TRN_BLOCK_DIRT : TRN_BLOCK_AIR;
}

/// Projects a point of the chunk at the origin into the picture. @return false if it is outside
static bool project(const Camera *camera, const float at[3], int *x, int *y)
{
    CameraView view;
    camera_view(camera, WIDTH, HEIGHT, 1000, &view);
    vec3 corner;
    vec4 clip;
    camera_view_corner(&view, (TrnCoord){0, 0, 0}, 0, corner);
    glm_mat4_mulv(view.clip, (vec4){corner[0] + at[0], corner[1] + at[1], corner[2] + at[2], 1},
                  clip);
    *x = (int)lroundf((clip[0] / clip[3] * 0.5f + 0.5f) * WIDTH - 0.5f);
    *y = (int)lroundf((0.5f - clip[1] / clip[3] * 0.5f) * HEIGHT - 0.5f);
    return clip[3] > 0.1f && *x >= 1 && *x < WIDTH - 1 && *y >= 1 && *y < HEIGHT - 1;
}

/// Counts the points along a block's edge that are drawn, among those in the picture.
static void follow_edge(const Camera *camera, const float from[3], const float to[3],
                        const Picture *with, const Picture *without, uint32_t *seen,
                        uint32_t *points)
{
    for (int i = 1; i < 40; i++) {
        const float part = (float)i / 40;
        const float at[3] = {glm_lerp(from[0], to[0], part), glm_lerp(from[1], to[1], part),
                             glm_lerp(from[2], to[2], part)};
        int x, y;
        if (!project(camera, at, &x, &y)) {
            continue;
        }
        int most = 0;
        for (int k = 0; k < 9; k++) {
            const int d = difference(with->rgb[y + k / 3 - 1][x + k % 3 - 1],
                                     without->rgb[y + k / 3 - 1][x + k % 3 - 1]);
            most = d > most ? d : most;
        }
        *seen += most > 6;
        ++*points;
    }
}

// ---- the outline --------------------------------------------------------------------------------

static const Outline BLOCK = {.has_block = true, .block = {16, 8, 16}};

static void the_upper_edges_of_a_block_are_drawn_without_a_gap(void **state)
{
    (void)state;
    static Picture with, without;
    static const double poses[][5] = {{13, 11, 20, 40, -30},      {19.2, 9.6, 12.5, 216, -12},
                                      {16.5, 10.2, 16.5, 0, -89}, {16.5, 12, 31, 0, -16},
                                      {-20, 30, 40, 57, -26},     {3, 9.3, 17, 90, -3},
                                      {16.5, 60, 60, 0, -48}};
    Scene scene = make_scene(scene_block);
    for (size_t i = 0; i < sizeof poses / sizeof poses[0]; i++) {
        scene.camera = camera_at(poses[i]);
        draw_scene(&scene, (SceneLines){0}, &without);
        draw_scene(&scene, (SceneLines){.outline = &BLOCK}, &with);
        uint32_t seen = 0, points = 0;
        for (int edge = 0; edge < 4; edge++) {
            static const float corners[5][3] = {
                {16, 9, 16}, {17, 9, 16}, {17, 9, 17}, {16, 9, 17}, {16, 9, 16}};
            follow_edge(&scene.camera, corners[edge], corners[edge + 1], &with, &without, &seen,
                        &points);
        }
        assert_true(points > 30);
        assert_int_equal(seen, points);
        char name[32];
        snprintf(name, sizeof name, "outline-%zu.png", i);
        write_picture(&with, name);
    }
    free_scene(&scene);
}

static void it_is_drawn_once_and_around_the_block_alone(void **state)
{
    (void)state;
    static Picture with, without;
    const double pose[5] = {13, 11, 20, 40, -30};
    Scene scene = make_scene(scene_block);
    scene.camera = camera_at(pose);
    draw_scene(&scene, (SceneLines){0}, &without);
    const uint32_t calls = renderer_stats(scene.renderer).draw_calls;
    draw_scene(&scene, (SceneLines){.outline = &BLOCK}, &with);
    assert_int_equal(renderer_stats(scene.renderer).draw_calls, calls + 1);
    int low[2] = {WIDTH, HEIGHT}, high[2] = {0, 0};
    for (int corner = 0; corner < 8; corner++) {
        const float at[3] = {(float)(16 + (corner & 1)), (float)(8 + (corner >> 1 & 1)),
                             (float)(16 + (corner >> 2))};
        int x, y;
        assert_true(project(&scene.camera, at, &x, &y));
        low[0] = x < low[0] ? x : low[0];
        low[1] = y < low[1] ? y : low[1];
        high[0] = x > high[0] ? x : high[0];
        high[1] = y > high[1] ? y : high[1];
    }
    uint32_t changed = 0;
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            const bool differs = difference(with.rgb[y][x], without.rgb[y][x]) > 0;
            changed += differs;
            if (differs &&
                (x < low[0] - 4 || x > high[0] + 4 || y < low[1] - 4 || y > high[1] + 4)) {
                fail_msg("pixel %d %d has changed", x, y);
            }
        }
    }
    // Lines are drawn, but not the whole block.
    assert_in_range(changed, 50, (high[0] - low[0]) * (high[1] - low[1]) / 2);
    free_scene(&scene);
}

static void what_is_hidden_has_no_outline_but_what_a_tool_takes_has(void **state)
{
    (void)state;
    static Picture with;
    const double pose[5] = {29, 10, 16.5, 270, -5}; // behind the wall
    Scene scene = make_scene(scene_block);
    scene.camera = camera_at(pose);
    assert_int_equal(count_changed(&scene, (SceneLines){.outline = &BLOCK}, &with), 0);
    const Outline box = {.has_box = true, .box_min = {14, 6, 14}, .box_max = {18, 9, 18}};
    assert_true(count_changed(&scene, (SceneLines){.outline = &box}, &with) > 200);
    write_picture(&with, "outline-box.png");
    const Outline ball = {.has_ball = true, .centre = {16, 8, 16}, .radius = 4};
    assert_true(count_changed(&scene, (SceneLines){.outline = &ball}, &with) > 200);
    write_picture(&with, "outline-ball.png");
    const Outline nothing = {0};
    assert_int_equal(count_changed(&scene, (SceneLines){.outline = &nothing}, &with), 0);
    free_scene(&scene);
}

static void lines_that_pass_the_camera_and_absurd_ones_are_borne(void **state)
{
    (void)state;
    static Picture with;
    Scene scene = make_scene(scene_block);
    const double pose[5] = {16.5, 10.5, 16.5, 30, -10};
    scene.camera = camera_at(pose);
    // The camera is inside the box: edges pass it on all sides, and are no wider than elsewhere.
    const Outline around = {.has_box = true, .box_min = {10, 4, 10}, .box_max = {22, 20, 22}};
    assert_in_range(count_changed(&scene, (SceneLines){.outline = &around}, &with), 200,
                    WIDTH * HEIGHT / 10);
    write_picture(&with, "outline-inside.png");
    const TrnVoxel low = {TRN_VOXEL_MIN, TRN_VOXEL_MIN, TRN_VOXEL_MIN};
    const TrnVoxel high = {TRN_VOXEL_MAX, TRN_VOXEL_MAX, TRN_VOXEL_MAX};
    const Outline world = {.has_block = true,
                           .has_box = true,
                           .has_ball = true,
                           .block = high,
                           .box_min = low,
                           .box_max = high,
                           .centre = low,
                           .radius = 1e30};
    assert_true(count_changed(&scene, (SceneLines){.outline = &world}, &with) < WIDTH * HEIGHT / 2);
    free_scene(&scene);
}

// ---- the bar of blocks --------------------------------------------------------------------------

/// Finds the frame of the chosen block: the middle of its pixels. @return how many there are
static uint32_t find_mark(const Picture *picture, double *middle)
{
    uint32_t count = 0;
    double sum = 0;
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            const unsigned char *rgb = picture->rgb[y][x];
            if (abs(rgb[0] - 255) + abs(rgb[1] - 214) + abs(rgb[2] - 120) < 12) {
                sum += x;
                count++;
            }
        }
    }
    *middle = count ? sum / count : 0;
    return count;
}

static void the_bar_marks_the_chosen_block_and_follows_its_blocks(void **state)
{
    (void)state;
    static Picture first, last, other, none;
    TrnBlockTypes *types;
    assert_int_equal(trn_block_types_create_builtin(NULL, &types), TRN_RESULT_OK);
    Panel *panel = panel_create(window.handle);
    assert_non_null(panel);
    TrnBlock blocks[PANEL_PALETTE_MAX] = {TRN_BLOCK_STONE, TRN_BLOCK_DIRT,    TRN_BLOCK_GRASS,
                                          TRN_BLOCK_SAND,  TRN_BLOCK_OAK_LOG, TRN_BLOCK_OAK_LEAVES,
                                          TRN_BLOCK_WATER, TRN_BLOCK_FLOWER,  TRN_BLOCK_GOLD_ORE};
    PanelPalette palette = {types, blocks, PANEL_PALETTE_MAX, 0, "ball of 4"};
    const PanelFigures figures = {.palette = &palette};
    double middle_first, middle_last, middle_none;
    draw_panel(panel, &figures, 3, &first);
    write_picture(&first, "palette.png");
    palette.chosen = PANEL_PALETTE_MAX - 1;
    draw_panel(panel, &figures, 3, &last);
    // Where the hand aims is marked.
    assert_true(first.rgb[HEIGHT / 2][WIDTH / 2][2] > 220);
    assert_true(find_mark(&first, &middle_first) > 60);
    assert_true(find_mark(&last, &middle_last) > 60);
    // As far from the middle to the left as to the right.
    assert_true(middle_first < WIDTH / 2.0 - 100 && middle_last > WIDTH / 2.0 + 100);
    assert_true(fabs(middle_first + middle_last - (WIDTH - 1)) < 3);
    blocks[4] = TRN_BLOCK_SNOW; // in the middle of the bar
    draw_panel(panel, &figures, 3, &other);
    uint32_t changed = 0;
    for (int y = HEIGHT / 2; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            const bool differs = difference(other.rgb[y][x], last.rgb[y][x]) > 12;
            assert_true(!differs || abs(x - WIDTH / 2) < 24);
            changed += differs;
        }
    }
    assert_true(changed > 300);
    palette.chosen = 77; // absurd, and without blocks: no bar
    draw_panel(panel, &figures, 3, &none);
    assert_int_equal(find_mark(&none, &middle_none), 0);
    palette.count = 0;
    draw_panel(panel, &figures, 3, &none);
    assert_int_equal(find_mark(&none, &middle_none), 0);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    panel_destroy(panel);
    trn_block_types_destroy(types);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_upper_edges_of_a_block_are_drawn_without_a_gap,
                                        open_window, close_window),
        cmocka_unit_test_setup_teardown(it_is_drawn_once_and_around_the_block_alone, open_window,
                                        close_window),
        cmocka_unit_test_setup_teardown(what_is_hidden_has_no_outline_but_what_a_tool_takes_has,
                                        open_window, close_window),
        cmocka_unit_test_setup_teardown(lines_that_pass_the_camera_and_absurd_ones_are_borne,
                                        open_window, close_window),
        cmocka_unit_test_setup_teardown(the_bar_marks_the_chosen_block_and_follows_its_blocks,
                                        open_window, close_window),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
