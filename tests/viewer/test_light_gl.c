/// Light in the picture: rooms, lanterns, cave mouths and the time of day, judged by brightness.
/// Run by with_display.sh.
#define PICTURE_WIDTH 96
#define PICTURE_HEIGHT 64
#include "gl_shot.h"

// ---- scenes: one chunk of limestone with a hole in it -------------------------------------------

static bool is_in_room(uint32_t x, uint32_t y, uint32_t z)
{
    return x >= 10 && x <= 21 && y >= 4 && y <= 9 && z >= 3 && z <= 28;
}

static TrnBlock room_block(uint32_t x, uint32_t y, uint32_t z)
{
    return is_in_room(x, y, z) ? TRN_BLOCK_AIR : TRN_BLOCK_LIMESTONE;
}

/// With a lantern in the west wall, near its south end.
static TrnBlock lantern_block(uint32_t x, uint32_t y, uint32_t z)
{
    return x == 9 && y == 6 && z == 25 ? TRN_BLOCK_LANTERN : room_block(x, y, z);
}

/// A tunnel that is open in the south.
static TrnBlock tunnel_block(uint32_t x, uint32_t y, uint32_t z)
{
    return is_in_room(x, y, z) || (z > 28 && is_in_room(x, y, 28)) ? TRN_BLOCK_AIR
                                                                   : TRN_BLOCK_LIMESTONE;
}

static TrnBlock meadow_block(uint32_t x, uint32_t y, uint32_t z)
{
    (void)x, (void)z;
    return y < 8 ? TRN_BLOCK_LIMESTONE : TRN_BLOCK_AIR;
}

/// Lava in a basin, under the roof of a room.
static TrnBlock lava_block(uint32_t x, uint32_t y, uint32_t z)
{
    const bool basin = y == 3 && x >= 12 && x <= 19 && z >= 8 && z <= 15;
    return basin ? TRN_BLOCK_LAVA : room_block(x, y, z);
}

/// Of 255: one sees the steps of a floor, and no colours.
#define BLACK 12

// ---- claims -------------------------------------------------------------------------------------

static void a_closed_room_is_nearly_black_at_noon_without_a_lamp(void **state)
{
    (void)state;
    static Picture picture;
    Scene scene = make_scene(room_block);
    for (int quality = 0; quality < LOOK_QUALITY_COUNT; quality++) {
        Shot shot = {.pose = {16, 7, 27, 0, 0}, .quality = (LookQuality)quality, .hours = NOON};
        draw_shot(&scene, &shot, &picture);
        const double dark = mean_of_all(&picture).all;
        shot.lamp = true;
        draw_shot(&scene, &shot, &picture);
        const double lit = mean_of_all(&picture).all;
        print_message("  %.1f, with a lamp %.1f\n", dark, lit);
        assert_true(dark > 2 && dark < BLACK && lit > 30);
    }
    free_scene(&scene);
}

static void a_lantern_is_brightest_and_lights_what_is_near_more_than_what_is_far(void **state)
{
    (void)state;
    static Picture picture;
    Scene scene = make_scene(lantern_block);
    for (int quality = 0; quality < LOOK_QUALITY_COUNT; quality++) {
        // The west wall: its south end is on the left.
        const Shot wall = {.pose = {21, 6.5, 16, 270, 0}, .quality = (LookQuality)quality};
        draw_shot(&scene, &wall, &picture);
        write_picture(&picture, "lantern.png");
        const double near = mean_of(&picture, 0, WIDTH / 4).all;
        const double far = mean_of(&picture, WIDTH * 3 / 4, WIDTH).all;
        const Shot lantern = {.pose = {11, 6.5, 25.5, 270, 0}, .quality = (LookQuality)quality};
        draw_shot(&scene, &lantern, &picture);
        const double itself = mean_of(&picture, WIDTH / 3, WIDTH * 2 / 3).all;
        print_message("  lantern %.0f, near %.0f, far %.0f\n", itself, near, far);
        assert_true(itself > near && near > 3 * far && far > 0);
    }
    free_scene(&scene);
}

static void lava_glows(void **state)
{
    (void)state;
    static Picture picture;
    Scene scene = make_scene(lava_block);
    for (int quality = 0; quality < LOOK_QUALITY_COUNT; quality++) {
        const Shot down = {.pose = {16, 7, 12, 0, -89}, .quality = (LookQuality)quality};
        draw_shot(&scene, &down, &picture);
        const Mean lava = mean_of_all(&picture);
        print_message("  lava %.0f %.0f %.0f\n", lava.red, lava.green, lava.blue);
        assert_true(lava.red > 120 && lava.red > 1.5 * lava.green && lava.green > lava.blue);
    }
    free_scene(&scene);
}

static void daylight_fades_into_a_cave_mouth(void **state)
{
    (void)state;
    static Picture picture;
    static const double depths[] = {28, 26, 24, 21, 18, 10};
    Scene scene = make_scene(tunnel_block);
    for (int quality = 0; quality < LOOK_QUALITY_COUNT; quality++) {
        double before = 256;
        for (size_t i = 0; i < sizeof depths / sizeof depths[0]; i++) {
            const Shot floor = {
                .pose = {16, 8, depths[i], 0, -89}, .quality = (LookQuality)quality, .hours = NOON};
            draw_shot(&scene, &floor, &picture);
            const double now = mean_of_all(&picture).all;
            print_message("  %.0f", now);
            assert_true(now < before);
            before = now;
        }
        print_message("\n");
        assert_true(before < BLACK);
    }
    free_scene(&scene);
}

static void the_time_of_day_changes_what_the_sky_lights_alone(void **state)
{
    (void)state;
    static Picture picture;
    static TrnBlock (*const block_at[])(uint32_t x, uint32_t y,
                                        uint32_t z) = {meadow_block, tunnel_block, lantern_block};
    static const double poses[][5] = {
        {16, 12, 16, 0, -89}, {16, 8, 30, 0, -89}, {16, 8, 25, 0, -89}};
    for (int i = 0; i < 3; i++) {
        Scene scene = make_scene(block_at[i]);
        Shot shot = {.quality = LOOK_QUALITY_LOW, .hours = NOON};
        memcpy(shot.pose, poses[i], sizeof shot.pose);
        draw_shot(&scene, &shot, &picture);
        const double noon = mean_of_all(&picture).all;
        shot.hours = MIDNIGHT;
        draw_shot(&scene, &shot, &picture);
        const double midnight = mean_of_all(&picture).all;
        print_message("  noon %.1f, midnight %.1f\n", noon, midnight);
        assert_true(i < 2 ? noon > 2 * midnight : noon > 25 && noon - midnight < 1);
        free_scene(&scene);
    }
}

static void the_debug_view_tells_the_sky_from_blocks(void **state)
{
    (void)state;
    static Picture picture;
    Shot shot = {.pose = {16, 8, 25, 0, -89}, .debug = LOOK_DEBUG_LIGHT};
    Scene lantern = make_scene(lantern_block);
    draw_shot(&lantern, &shot, &picture);
    const Mean blocks = mean_of_all(&picture);
    free_scene(&lantern);
    Scene tunnel = make_scene(tunnel_block);
    draw_shot(&tunnel, &shot, &picture);
    const Mean sky = mean_of_all(&picture);
    free_scene(&tunnel);
    assert_true(blocks.red > 2 * blocks.blue && sky.blue > 2 * sky.red);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_closed_room_is_nearly_black_at_noon_without_a_lamp),
        cmocka_unit_test(a_lantern_is_brightest_and_lights_what_is_near_more_than_what_is_far),
        cmocka_unit_test(lava_glows),
        cmocka_unit_test(daylight_fades_into_a_cave_mouth),
        cmocka_unit_test(the_time_of_day_changes_what_the_sky_lights_alone),
        cmocka_unit_test(the_debug_view_tells_the_sky_from_blocks),
    };
    return cmocka_run_group_tests(tests, open_window, close_window);
}
