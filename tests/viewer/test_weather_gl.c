/// Rain and snow in the picture. Run by with_display.sh.
#define PICTURE_WIDTH 160
#define PICTURE_HEIGHT 100
#include "gl_chunk.h"

static TrnBlock field_block(uint32_t x, uint32_t y, uint32_t z)
{
    (void)x, (void)z;
    return y < 4 ? TRN_BLOCK_STONE : TRN_BLOCK_AIR;
}

static TrnBlock hall_block(uint32_t x, uint32_t y, uint32_t z)
{
    return y == 28 ? TRN_BLOCK_STONE : field_block(x, y, z);
}

/// Draws the middle of a chunk in rain and in snow, under an equally grey sky.
/// @return how many pixels differ
static int draw_both(TrnBlock (*block_at)(uint32_t, uint32_t, uint32_t), bool is_under_water,
                     Picture *rain, Picture *snow)
{
    int count = 0;
    Message problem;
    Scene scene = make_scene(block_at);
    Look look = look_default(LOOK_QUALITY_LOW);
    look.samples = 1;
    look.hours = 12;
    assert_true(renderer_set_look(scene.renderer, &look, &problem));
    scene.camera = camera_at((double[]){16, 14, 16, 30, 0});
    scene.seconds = 5;
    scene.is_under_water = is_under_water;
    scene.weather = (RendererWeather){1, 0};
    draw_scene(&scene, (SceneLines){0}, rain);
    scene.weather = (RendererWeather){0, 1};
    draw_scene(&scene, (SceneLines){0}, snow);
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        count += difference(rain->rgb[i / WIDTH][i % WIDTH], snow->rgb[i / WIDTH][i % WIDTH]) > 6;
    }
    free_scene(&scene);
    return count;
}

static void rain_and_snow_fall_in_the_open_the_same_every_time(void **state)
{
    (void)state;
    static Picture rain, snow, again;
    const int differ = draw_both(field_block, false, &rain, &snow);
    write_picture(&rain, "rain.png");
    write_picture(&snow, "snow.png");
    print_message("  %d pixels of drops and flakes\n", differ);
    assert_in_range(differ, 200, WIDTH * HEIGHT / 2);
    draw_both(field_block, false, &again, &snow);
    assert_memory_equal(&again, &rain, sizeof rain);
}

static void nothing_falls_under_a_roof_or_under_water(void **state)
{
    (void)state;
    static Picture rain, snow;
    assert_int_equal(draw_both(hall_block, false, &rain, &snow), 0);
    assert_int_equal(draw_both(field_block, true, &rain, &snow), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rain_and_snow_fall_in_the_open_the_same_every_time),
        cmocka_unit_test(nothing_falls_under_a_roof_or_under_water),
    };
    return cmocka_run_group_tests(tests, open_window, close_window);
}
