/// The drawing of the index view: boxes in the world, and its window. Run by with_display.sh.
///
/// TERRANE_TEST_OUT names a folder that the pictures are written to.
#define PICTURE_WIDTH 800
#define PICTURE_HEIGHT 640
#include "gl_chunk.h"
#include "gl_panel.h"

#include <math.h>

#include <index_view/index_slice.h>

// ---- a small land -------------------------------------------------------------------------------

/// A wall at x = 24, as wide and high as the chunk.
static TrnBlock scene_block(uint32_t x, uint32_t y, uint32_t z)
{
    (void)y;
    (void)z;
    return x == 24 ? TRN_BLOCK_STONE : TRN_BLOCK_AIR;
}

// ---- boxes --------------------------------------------------------------------------------------

static BoxLine box_of(float x, float y, float z, float edge)
{
    return (BoxLine){{x, y, z}, 1, {x + edge, y + edge, z + edge}, {255, 0, 0, 255}};
}

static void boxes_are_drawn_with_one_call(void **state)
{
    (void)state;
    static Picture with;
    Scene scene = make_scene(scene_block);
    const double pose[5] = {4, 16, 60, 0, 0}; // towards -z, along the wall
    scene.camera = camera_at(pose);
    BoxLine boxes[50];
    for (int i = 0; i < 50; i++) {
        const int row = i / 5 % 5, layer = i / 25;
        boxes[i] = box_of((float)(i % 5) * 8 - 16, (float)(row * 8), (float)(layer * 8), 6);
    }
    BoxLines lines = {boxes, 1, {0, 0, 0}, 1};
    draw_scene(&scene, (SceneLines){0}, &with);
    const uint32_t calls = renderer_stats(scene.renderer).draw_calls;
    const uint32_t one = count_changed(&scene, (SceneLines){.boxes = &lines}, &with);
    assert_int_equal(renderer_stats(scene.renderer).draw_calls, calls + 1);
    assert_true(one > 100);
    // New boxes are sent only with a new revision.
    lines.count = 50;
    lines.revision = 2;
    const uint32_t all = count_changed(&scene, (SceneLines){.boxes = &lines}, &with);
    assert_int_equal(renderer_stats(scene.renderer).draw_calls, calls + 1);
    assert_true(all > 10 * one);
    write_picture(&with, "boxes.png");
    lines.count = 0;
    assert_int_equal(count_changed(&scene, (SceneLines){.boxes = &lines}, &with), 0);
    free_scene(&scene);
}

static void what_stands_before_boxes_hides_them(void **state)
{
    (void)state;
    static Picture with;
    Scene scene = make_scene(scene_block);
    const double pose[5] = {29, 16, 16, 270, 0}; // towards -x, right before the wall
    scene.camera = camera_at(pose);
    const BoxLine hidden = box_of(10, 12, 12, 8), before = box_of(26, 14, 14, 1);
    const BoxLines behind_wall = {&hidden, 1, {0, 0, 0}, 1};
    const BoxLines before_wall = {&before, 1, {0, 0, 0}, 2};
    assert_int_equal(count_changed(&scene, (SceneLines){.boxes = &behind_wall}, &with), 0);
    assert_true(count_changed(&scene, (SceneLines){.boxes = &before_wall}, &with) > 100);
    free_scene(&scene);
}

static void boxes_stand_where_their_origin_says(void **state)
{
    (void)state;
    static Picture here, there;
    Scene scene = make_scene(scene_block);
    const double pose[5] = {4, 16, 60, 0, 0};
    scene.camera = camera_at(pose);
    const BoxLine near = box_of(0, 8, 8, 16), from_afar = box_of(32 * 5, 8 - 64, 8 + 32, 16);
    const BoxLines lines = {&near, 1, {0, 0, 0}, 1};
    const BoxLines moved = {&from_afar, 1, {-5, 2, -1}, 2};
    assert_true(count_changed(&scene, (SceneLines){.boxes = &lines}, &here) > 100);
    draw_scene(&scene, (SceneLines){.boxes = &moved}, &there);
    assert_memory_equal(&here, &there, sizeof here);
    free_scene(&scene);
}

static void boxes_around_the_camera_and_absurd_ones_are_borne(void **state)
{
    (void)state;
    static Picture with;
    Scene scene = make_scene(scene_block);
    const double pose[5] = {8, 16, 16, 30, -10};
    scene.camera = camera_at(pose);
    const BoxLine around = box_of(0, 8, 8, 16);
    BoxLines lines = {&around, 1, {0, 0, 0}, 1};
    assert_in_range(count_changed(&scene, (SceneLines){.boxes = &lines}, &with), 200,
                    WIDTH * HEIGHT / 10);
    const BoxLine absurd[] = {box_of(-1e30f, -1e30f, -1e30f, 2e30f), box_of(0, 0, 0, INFINITY),
                              box_of(NAN, 0, 0, 1)};
    lines = (BoxLines){absurd, 3, {INT32_MIN, INT32_MAX, 0}, 2};
    assert_true(count_changed(&scene, (SceneLines){.boxes = &lines}, &with) < WIDTH * HEIGHT / 2);
    free_scene(&scene);
}

// ---- the window ---------------------------------------------------------------------------------

/// Whether the picture shows a slice, exactly as painted, at a place.
static bool stands_at(const Picture *picture, const uint8_t *rgba, int width, int height, int x,
                      int y)
{
    for (int row = 0; row < height; row++) {
        for (int column = 0; column < width; column++) {
            if (memcmp(picture->rgb[y + row][x + column],
                       rgba + ((size_t)row * (size_t)width + (size_t)column) * 4, 3) != 0) {
                return false;
            }
        }
    }
    return true;
}

static bool holds_slice(const Picture *picture, const IndexView *view, bool from_side)
{
    const IndexSlice slice = index_slice_fit(view, from_side, 268); // as in panel_index.cpp
    int32_t width, height;
    index_slice_size(&slice, &width, &height);
    uint8_t *rgba = malloc((size_t)width * (size_t)height * 4);
    assert_non_null(rgba);
    index_slice_paint(&slice, view, rgba);
    bool found = false;
    for (int y = 0; y + height <= HEIGHT && !found; y++) {
        for (int x = 0; x + width <= WIDTH && !found; x++) {
            found = stands_at(picture, rgba, width, height, x, y);
        }
    }
    free(rgba);
    return found;
}

static TrnChunkIndex *create_ball(int32_t radius)
{
    const TrnPlaneDef plane = {"drawn", false};
    TrnChunkIndexDef def = trn_chunk_index_def();
    def.planes = &plane;
    def.plane_count = 1;
    TrnChunkIndex *index;
    assert_int_equal(trn_chunk_index_create(&def, &index), TRN_RESULT_OK);
    const int32_t edge = 2 * radius + 1;
    for (int32_t i = 0; i < edge * edge * edge; i++) {
        const TrnCoord at = {i % edge - radius, i / edge / edge - radius, i / edge % edge - radius};
        if (at.x * at.x + at.y * at.y + at.z * at.z <= radius * radius) {
            assert_int_equal(trn_chunk_index_insert(index, at, 1), TRN_RESULT_OK);
        }
    }
    return index;
}

static void the_window_shows_both_slices_pixel_by_pixel(void **state)
{
    (void)state;
    static Picture picture;
    Panel *panel = panel_create(window.handle);
    assert_non_null(panel);
    const char *const name = "store";
    TrnChunkIndex *index = create_ball(14);
    const TrnChunkIndex *const indexes[] = {index};
    IndexView view;
    index_view_begin(&view, &name, indexes, 1);
    const PanelFigures figures = {.index = &view};
    IndexViewPlace place = {.indexes = {index}, .camera = {3, 2, -1}};
    for (int round = 0; round < 3; round++) { // then again: another plane, and without chunks
        index_view_update(&view, &place, true);
        draw_panel(panel, &figures, 5, &picture); // a slice a frame
        assert_true(holds_slice(&picture, &view, false));
        assert_true(holds_slice(&picture, &view, true));
        place.seconds += 1;
        if (round == 0) {
            write_picture(&picture, "index-window.png");
            index_view_choose_next(&view);
        } else {
            assert_int_equal(trn_chunk_index_clear(index), TRN_RESULT_OK);
        }
    }
    index_view_free(&view);
    trn_chunk_index_destroy(index);
    panel_destroy(panel);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_are_drawn_with_one_call),
        cmocka_unit_test(what_stands_before_boxes_hides_them),
        cmocka_unit_test(boxes_stand_where_their_origin_says),
        cmocka_unit_test(boxes_around_the_camera_and_absurd_ones_are_borne),
        cmocka_unit_test(the_window_shows_both_slices_pixel_by_pixel),
    };
    return cmocka_run_group_tests(tests, open_window, close_window);
}
