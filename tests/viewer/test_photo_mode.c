/// Photo mode without a window: sizes of pictures, and the free camera.
#include "testing.h"

#include <math.h>

#include <app/photo_mode.h>

static void a_picture_is_as_large_as_the_driver_and_memory_allow(void **state)
{
    (void)state;
    Message text;
    assert_int_equal(photo_enlargement(800, 450, 1, 16384, &text), 4);
    assert_int_equal(photo_enlargement(2560, 1440, 1, 16384, &text), 4);
    assert_int_equal(photo_enlargement(3840, 2160, 1, 16384, &text), 2); // 4 is above 64 Mi pixels
    assert_int_equal(photo_enlargement(4096, 100, 1, 16384, &text), 4);  // exactly the limit
    assert_int_equal(photo_enlargement(4097, 100, 1, 16384, &text), 2);
    assert_int_equal(photo_enlargement(4096, 100, 2, 16384, &text), 2); // drawn twice as large
    assert_int_equal(photo_enlargement(4096, 100, 0.25f, 16384, &text), 4);
    assert_int_equal(photo_enlargement(2048, 2048, 1, 2048, &text), 1);
}

static void a_window_that_no_picture_fits_is_refused_with_a_sentence(void **state)
{
    (void)state;
    static const int sizes[][2] = {{2049, 1}, {1, 2049}, {0, 5}, {5, -1}, {2147483647, 2147483647}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        Message text = {""};
        assert_int_equal(photo_enlargement(sizes[i][0], sizes[i][1], 1, 2048, &text), 0);
        assert_non_null(strstr(text.text, "too large"));
    }
}

static void the_camera_flies_level_and_zooms_within_bounds(void **state)
{
    (void)state;
    Camera camera = camera_at((const double[5]){0, 100, 0, 90, -60});
    Photo photo = photo_begin(&camera, 9);
    Input input = {.forward = 1};
    double voxel[3];
    photo_move(&photo, &input, 10, 0.5, &camera);
    camera_voxel(&camera, voxel);
    assert_true(fabs(voxel[0] - 5) < 1e-3 && fabs(voxel[1] - 100) < 1e-3 && fabs(voxel[2]) < 1e-3);
    input = (Input){.right = 1, .up = -1};
    photo_move(&photo, &input, 10, 0.5, &camera);
    camera_voxel(&camera, voxel);
    assert_true(fabs(voxel[1] - 95) < 1e-3 && fabs(voxel[2] - 5) < 1e-3);
    assert_true(camera.field_of_view == CAMERA_FIELD_OF_VIEW);
    input = (Input){.presses[INPUT_PALETTE_PREVIOUS] = 200};
    photo_move(&photo, &input, 10, 0.5, &camera);
    assert_true(camera.field_of_view == PHOTO_DEGREES_MIN);
    input = (Input){.presses[INPUT_PALETTE_NEXT] = 200};
    photo_move(&photo, &input, 10, 0.5, &camera);
    assert_true(camera.field_of_view == PHOTO_DEGREES_MAX);
    input = (Input){.presses[INPUT_BRUSH_MORE] = 200};
    photo_move(&photo, &input, 10, 0.5, &camera);
    assert_true(photo.blur == PHOTO_BLUR_MAX);
    input = (Input){.presses[INPUT_BRUSH_LESS] = 200};
    photo_move(&photo, &input, 10, 0.5, &camera);
    assert_true(photo.blur == 0);
    camera_voxel(&photo.before, voxel);
    assert_true(voxel[1] == 100 && photo.hours == 9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_picture_is_as_large_as_the_driver_and_memory_allow),
        cmocka_unit_test(a_window_that_no_picture_fits_is_refused_with_a_sentence),
        cmocka_unit_test(the_camera_flies_level_and_zooms_within_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
