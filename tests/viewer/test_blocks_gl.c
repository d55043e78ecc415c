/// How blocks look in the picture: glass, leaves and turf, judged by pixels of them and behind
/// them. Run by with_display.sh.
#define PICTURE_WIDTH 160
#define PICTURE_HEIGHT 100
#include "gl_chunk.h"

/// A view of the chunk from its south, level, at noon.
static void look_north(Scene *scene, double y, double z, LookQuality quality)
{
    const double pose[5] = {16, y, z, 0, 0};
    scene->camera = camera_at(pose);
    Look look = look_default(quality);
    look.samples = 1;
    look.hours = 12;
    Message problem;
    assert_true(renderer_set_look(scene->renderer, &look, &problem));
}

static void draw_at(TrnBlock (*block_at)(uint32_t x, uint32_t y, uint32_t z), double y, double z,
                    LookQuality quality, LookSwitch off, Picture *picture)
{
    Scene scene = make_scene(block_at);
    look_north(&scene, y, z, quality);
    Look look = renderer_look(scene.renderer);
    Message problem;
    if (off < LOOK_SWITCH_COUNT) {
        look.on[off] = false;
        assert_true(renderer_set_look(scene.renderer, &look, &problem));
    }
    draw_scene(&scene, (SceneLines){0}, picture);
    free_scene(&scene);
}

/// Returns how much of two pictures differs by more than `by`, in percent.
static int percent_different(const Picture *a, const Picture *b, int by)
{
    int count = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        count += difference(a->rgb[i / WIDTH][i % WIDTH], b->rgb[i / WIDTH][i % WIDTH]) > by;
    }
    return count * 100 / (WIDTH * HEIGHT);
}

// ---- what is seen through -----------------------------------------------------------------------

static TrnBlock wall_block(uint32_t x, uint32_t y, uint32_t z)
{
    (void)x;
    return y < 31 && z < 8 ? TRN_BLOCK_COAL_ORE : TRN_BLOCK_AIR;
}

static TrnBlock glass_block(uint32_t x, uint32_t y, uint32_t z)
{
    return z == 24 ? TRN_BLOCK_GLASS : wall_block(x, y, z);
}

static TrnBlock scaffold_block(uint32_t x, uint32_t y, uint32_t z)
{
    return z == 24 ? TRN_BLOCK_SCAFFOLD : wall_block(x, y, z);
}

static TrnBlock pond_block(uint32_t x, uint32_t y, uint32_t z)
{
    return z == 24 && y < 31 ? TRN_BLOCK_WATER : wall_block(x, y, z);
}

static void what_is_behind_glass_and_scaffolds_is_seen_between_their_frames(void **state)
{
    (void)state;
    static Picture wall, glass, scaffold;
    static const LookSwitch without[] = {LOOK_SWITCH_COUNT, LOOK_TEXTURES};
    for (int quality = 0; quality < LOOK_QUALITY_COUNT; quality++) {
        for (size_t i = 0; i < sizeof without / sizeof without[0]; i++) {
            const LookQuality at = (LookQuality)quality;
            draw_at(wall_block, 16, 29, at, without[i], &wall);
            draw_at(glass_block, 16, 29, at, without[i], &glass);
            draw_at(scaffold_block, 16, 29, at, without[i], &scaffold);
            const int frames = percent_different(&glass, &wall, 150);
            const int posts = percent_different(&scaffold, &wall, 60);
            print_message("  %d %% of the glass are frames, %d %% of the scaffold wood\n", frames,
                          posts);
            assert_in_range(frames, 5, 50);
            assert_in_range(posts, 5, 80);
            write_picture(&glass, "glass.png");
            write_picture(&scaffold, "scaffold.png");
        }
    }
}

/// Both lie among the transparent quads: each has its own program, and without glass nothing is
/// drawn for it.
static void water_is_no_glass_and_costs_no_call_for_it(void **state)
{
    (void)state;
    static Picture picture;
    static const struct {
        TrnBlock (*block_at)(uint32_t x, uint32_t y, uint32_t z);
        uint32_t calls; // the wall, twice what is seen through as water, and once as glass
    } cases[] = {{wall_block, 1}, {pond_block, 3}, {glass_block, 4}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Scene scene = make_scene(cases[i].block_at);
        look_north(&scene, 16, 29, LOOK_QUALITY_LOW);
        draw_scene(&scene, (SceneLines){0}, &picture);
        assert_int_equal(renderer_stats(scene.renderer).draw_calls, cases[i].calls);
        free_scene(&scene);
    }
    static Picture wall, pond;
    draw_at(wall_block, 16, 29, LOOK_QUALITY_LOW, LOOK_SWITCH_COUNT, &wall);
    draw_at(pond_block, 16, 29, LOOK_QUALITY_LOW, LOOK_SWITCH_COUNT, &pond);
    assert_true(percent_different(&wall, &pond, 20) > 95);
}

// ---- leaves -------------------------------------------------------------------------------------

static TrnBlock nothing(uint32_t x, uint32_t y, uint32_t z)
{
    (void)x, (void)y, (void)z;
    return TRN_BLOCK_AIR;
}

/// Low enough that the line of sight leaves it at the top.
static TrnBlock hedge_block(uint32_t x, uint32_t y, uint32_t z)
{
    (void)x;
    return y < 16 && z == 16 ? TRN_BLOCK_OAK_LEAVES : TRN_BLOCK_AIR;
}

static TrnBlock thicket_block(uint32_t x, uint32_t y, uint32_t z)
{
    (void)x, (void)y;
    return z < 16 ? TRN_BLOCK_OAK_LEAVES : TRN_BLOCK_AIR;
}

static void one_sees_through_thin_leaves_and_not_into_a_thicket(void **state)
{
    (void)state;
    static Picture sky, full, holes;
    draw_at(nothing, 10, 24, LOOK_QUALITY_HIGH, LOOK_CLOUDS, &sky);
    draw_at(hedge_block, 10, 24, LOOK_QUALITY_HIGH, LOOK_HOLES, &full);
    draw_at(hedge_block, 10, 24, LOOK_QUALITY_HIGH, LOOK_SWITCH_COUNT, &holes);
    const int seen = percent_different(&full, &holes, 60);
    print_message("  %d %% of the hedge are holes\n", seen);
    write_picture(&holes, "hedge.png");
    assert_in_range(seen, 5, 50);
    int through = 0; // of what was cut out, how much shows the sky or the haze there
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        const int y = i / WIDTH, x = i % WIDTH;
        through += difference(full.rgb[y][x], holes.rgb[y][x]) > 60 &&
                   difference(sky.rgb[y][x], holes.rgb[y][x]) < 30;
    }
    assert_true(through * 100 / (WIDTH * HEIGHT) > seen / 2);

    draw_at(thicket_block, 10, 24, LOOK_QUALITY_HIGH, LOOK_HOLES, &full);
    draw_at(thicket_block, 10, 24, LOOK_QUALITY_HIGH, LOOK_SWITCH_COUNT, &holes);
    assert_int_equal(percent_different(&full, &holes, 0), 0);
}

// ---- turf ---------------------------------------------------------------------------------------

/// A meadow with a step down in the middle.
static TrnBlock meadow_block(uint32_t y, uint32_t z, uint32_t step)
{
    const uint32_t top = z < 16 ? 16 : 16 - step;
    return y > top ? TRN_BLOCK_AIR : y == top ? TRN_BLOCK_GRASS : TRN_BLOCK_DIRT;
}

static TrnBlock step_block(uint32_t x, uint32_t y, uint32_t z)
{
    (void)x;
    return meadow_block(y, z, 1);
}

static TrnBlock cliff_block(uint32_t x, uint32_t y, uint32_t z)
{
    (void)x;
    return meadow_block(y, z, 5);
}

/// Counts the pixels with more red than green.
static int earth_pixels(TrnBlock (*block_at)(uint32_t x, uint32_t y, uint32_t z),
                        LookQuality quality)
{
    static Picture picture;
    draw_at(block_at, 17.5, 30, quality, LOOK_SWITCH_COUNT, &picture);
    int pixels = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        const unsigned char *rgb = picture.rgb[i / WIDTH][i % WIDTH];
        pixels += rgb[0] > rgb[1] + 5;
    }
    return pixels;
}

static void turf_hangs_over_one_step_and_not_over_a_cliff(void **state)
{
    (void)state;
    for (int quality = 0; quality < LOOK_QUALITY_COUNT; quality++) {
        assert_int_equal(earth_pixels(step_block, (LookQuality)quality), 0);
        assert_true(earth_pixels(cliff_block, (LookQuality)quality) > WIDTH * 10);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            what_is_behind_glass_and_scaffolds_is_seen_between_their_frames, open_window,
            close_window),
        cmocka_unit_test_setup_teardown(water_is_no_glass_and_costs_no_call_for_it, open_window,
                                        close_window),
        cmocka_unit_test_setup_teardown(one_sees_through_thin_leaves_and_not_into_a_thicket,
                                        open_window, close_window),
        cmocka_unit_test_setup_teardown(turf_hangs_over_one_step_and_not_over_a_cliff, open_window,
                                        close_window),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
