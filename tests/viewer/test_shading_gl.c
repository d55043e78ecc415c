/// Light on faces: directions that one can tell apart, bright blocks that stay below white, and
/// torches by day. Run by with_display.sh.
#define PICTURE_WIDTH 64
#define PICTURE_HEIGHT 48
#include "gl_shot.h"

// ---- scenes -------------------------------------------------------------------------------------

static TrnBlock cube_of(TrnBlock block, uint32_t x, uint32_t y, uint32_t z)
{
    const bool inside = x >= 12 && x < 20 && y >= 12 && y < 20 && z >= 12 && z < 20;
    return inside ? block : TRN_BLOCK_AIR;
}

static TrnBlock snow_cube(uint32_t x, uint32_t y, uint32_t z)
{
    return cube_of(TRN_BLOCK_SNOW, x, y, z);
}

static TrnBlock grass_cube(uint32_t x, uint32_t y, uint32_t z)
{
    return cube_of(TRN_BLOCK_GRASS, x, y, z);
}

static TrnBlock sand_cube(uint32_t x, uint32_t y, uint32_t z)
{
    return cube_of(TRN_BLOCK_SAND, x, y, z);
}

static TrnBlock lava_cube(uint32_t x, uint32_t y, uint32_t z)
{
    return cube_of(TRN_BLOCK_LAVA, x, y, z);
}

static TrnBlock lantern_cube(uint32_t x, uint32_t y, uint32_t z)
{
    return cube_of(TRN_BLOCK_LANTERN, x, y, z);
}

static TrnBlock meadow_block(uint32_t x, uint32_t y, uint32_t z)
{
    (void)x, (void)z;
    return y < 8 ? TRN_BLOCK_GRASS : TRN_BLOCK_AIR;
}

static TrnBlock meadow_with_lantern_block(uint32_t x, uint32_t y, uint32_t z)
{
    return x == 16 && y == 8 && z == 16 ? TRN_BLOCK_LANTERN : meadow_block(x, y, z);
}

static TrnBlock cellar_block(uint32_t x, uint32_t y, uint32_t z)
{
    return x > 1 && x < 30 && y > 1 && y < 12 && z > 1 && z < 30 ? TRN_BLOCK_AIR
                                                                 : TRN_BLOCK_LIMESTONE;
}

/// A cave that is open to the north.
static TrnBlock cave_block(uint32_t x, uint32_t y, uint32_t z)
{
    return x > 3 && x < 28 && y > 3 && y < 28 && z < 30 ? TRN_BLOCK_AIR : TRN_BLOCK_LIMESTONE;
}

/// Views that a face of the cube fills, by TrnFace.
static const double FACE_POSES[TRN_FACE_COUNT][5] = {{9, 16, 16, 90, 0},  {23, 16, 16, 270, 0},
                                                     {16, 9, 16, 0, 89},  {16, 23, 16, 0, -89},
                                                     {16, 16, 9, 180, 0}, {16, 16, 23, 0, 0}};

static double draw_face(Scene *scene, TrnFace face, float hours, LookQuality quality)
{
    static Picture picture;
    Shot shot = {.quality = quality, .hours = hours};
    memcpy(shot.pose, FACE_POSES[face], sizeof shot.pose);
    draw_shot(scene, &shot, &picture);
    return mean_of_all(&picture).all;
}

static int brightest_channel(const Picture *picture)
{
    int most = 0;
    for (size_t i = 0; i < sizeof *picture; i++) {
        const int channel = ((const unsigned char *)picture)[i];
        most = channel > most ? channel : most;
    }
    return most;
}

// ---- claims -------------------------------------------------------------------------------------

static void faces_differ_by_direction(TrnBlock (*block_at)(uint32_t x, uint32_t y, uint32_t z),
                                      float hours, LookQuality quality)
{
    Scene scene = make_scene(block_at);
    double bright[TRN_FACE_COUNT];
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        bright[face] = draw_face(&scene, (TrnFace)face, hours, quality);
    }
    print_message("  %4.1f h: -x %.0f, +x %.0f, bottom %.0f, top %.0f, -z %.0f, +z %.0f\n", hours,
                  bright[0], bright[1], bright[2], bright[3], bright[4], bright[5]);
    for (int side = 0; side < TRN_FACE_COUNT; side++) {
        if (side / 2 != 1) {
            assert_true(bright[TRN_FACE_POS_Y] >= bright[side] + 8);
            assert_true(bright[side] >= bright[TRN_FACE_NEG_Y] + 4);
        }
    }
    for (int pair = 0; pair < 4; pair++) { // one side along each axis is in sight
        assert_true(fabs(bright[pair % 2] - bright[4 + pair / 2]) >= 4);
    }
    free_scene(&scene);
}

static void top_sides_and_bottom_differ_at_each_hour(void **state)
{
    (void)state;
    static const float hours[] = {7, 9, 12, 15, 17};
    for (int quality = 0; quality < LOOK_QUALITY_COUNT; quality++) {
        for (size_t i = 0; i < sizeof hours / sizeof hours[0]; i++) {
            faces_differ_by_direction(snow_cube, hours[i], (LookQuality)quality);
            faces_differ_by_direction(grass_cube, hours[i], (LookQuality)quality);
        }
    }
}

static void bright_blocks_stay_below_white(void **state)
{
    (void)state;
    static TrnBlock (*const block_at[])(uint32_t x, uint32_t y, uint32_t z) = {
        snow_cube, sand_cube, lava_cube, lantern_cube};
    static const float hours[] = {12, 12, 0, 0};
    static Picture picture;
    for (int i = 0; i < 4; i++) {
        Scene scene = make_scene(block_at[i]);
        for (int face = 0; face < TRN_FACE_COUNT; face++) {
            Shot shot = {.quality = LOOK_QUALITY_MEDIUM, .hours = hours[i]};
            memcpy(shot.pose, FACE_POSES[face], sizeof shot.pose);
            draw_shot(&scene, &shot, &picture);
            assert_in_range(brightest_channel(&picture), 1, 250);
        }
        free_scene(&scene);
    }
}

static void a_lamp_does_not_burn_what_is_near(void **state)
{
    (void)state;
    static Picture picture;
    Scene scene = make_scene(cellar_block);
    const Shot shot = {
        .pose = {16, 7, 4, 0, 0}, .quality = LOOK_QUALITY_MEDIUM, .hours = NOON, .lamp = true};
    draw_shot(&scene, &shot, &picture);
    const int most = brightest_channel(&picture);
    print_message("  the brightest channel is %d\n", most);
    assert_in_range(most, 60, 245);
    free_scene(&scene);
}

static void daylight_drowns_a_lantern(void **state)
{
    (void)state;
    static Picture picture;
    static const float hours[] = {NOON, MIDNIGHT};
    double change[2];
    for (int i = 0; i < 2; i++) {
        double bright[2];
        for (int has_lantern = 0; has_lantern < 2; has_lantern++) {
            Scene scene = make_scene(has_lantern ? meadow_with_lantern_block : meadow_block);
            const Shot beside = {.pose = {19, 10, 16, 0, -89}, .hours = hours[i]};
            draw_shot(&scene, &beside, &picture);
            bright[has_lantern] = mean_of_all(&picture).all;
            free_scene(&scene);
        }
        change[i] = bright[1] - bright[0];
    }
    print_message("  grass beside it is brighter by %.1f at noon, %.1f at midnight\n", change[0],
                  change[1]);
    assert_true(fabs(change[0]) < 4 && change[1] > 20);
}

/// The mean of what is right ahead.
static double mean_ahead(const Picture *picture)
{
    double sum = 0;
    for (int y = HEIGHT / 2 - 1; y <= HEIGHT / 2; y++) {
        for (int x = WIDTH / 2 - 1; x <= WIDTH / 2; x++) {
            const unsigned char *rgb = picture->rgb[y][x];
            sum += (rgb[0] + rgb[1] + rgb[2]) / 3.0 / 4;
        }
    }
    return sum;
}

/// The air in front of it is as bright as elsewhere: it was drawn as a black spot in the haze.
static void a_cave_far_away_fades_into_the_haze(void **state)
{
    (void)state;
    static Picture picture;
    static const double from[] = {20, -25};
    double bright[2];
    Scene scene = make_scene(cave_block);
    for (int i = 0; i < 2; i++) {
        const Shot shot = {
            .pose = {16, 16, from[i], 180, 0}, .quality = LOOK_QUALITY_MEDIUM, .hours = NOON};
        draw_shot(&scene, &shot, &picture);
        bright[i] = mean_ahead(&picture);
    }
    print_message("  its end: %.0f from near, %.0f from far\n", bright[0], bright[1]);
    assert_true(bright[0] < 20 && bright[1] > 36);
    free_scene(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(top_sides_and_bottom_differ_at_each_hour),
        cmocka_unit_test(bright_blocks_stay_below_white),
        cmocka_unit_test(a_lamp_does_not_burn_what_is_near),
        cmocka_unit_test(daylight_drowns_a_lantern),
        cmocka_unit_test(a_cave_far_away_fades_into_the_haze),
    };
    return cmocka_run_group_tests(tests, open_window, close_window);
}
