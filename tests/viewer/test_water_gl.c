/// How water looks in the picture: its waves, the sun's glitter and the land in its mirror. Run by
/// with_display.sh.
#define PICTURE_WIDTH 160
#define PICTURE_HEIGHT 100
#include "gl_chunk.h"

#define WATER_TOP 8
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

static TrnBlock pond_block(uint32_t x, uint32_t y, uint32_t z)
{
    (void)x, (void)z;
    return y < WATER_TOP ? TRN_BLOCK_WATER : TRN_BLOCK_AIR;
}

static TrnBlock pond_and_wall_block(uint32_t x, uint32_t y, uint32_t z)
{
    return y < 24 && z < 6 ? TRN_BLOCK_SNOW : pond_block(x, y, z);
}

/// Adds a chunk of pond.
static void add_pond(const Scene *scene, TrnCoord coord)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    TrnChunk *chunk;
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        blocks[i] = pond_block(i % 32, i / 1024, i / 32 % 32);
    }
    assert_int_equal(trn_store_insert_voxels(scene->store, coord, blocks, &chunk), TRN_RESULT_OK);
    show_chunk(scene, chunk);
}

static Look water_look(LookQuality quality, float hours)
{
    Look look = look_default(quality);
    look.samples = 1;
    look.hours = hours;
    look.on[LOOK_CLOUDS] = false;
    return look;
}

static void draw_from(Scene *scene, const Look *look, const double pose[5], Picture *picture)
{
    Message problem;
    scene->camera = camera_at(pose);
    assert_true(renderer_set_look(scene->renderer, look, &problem));
    draw_scene(scene, (SceneLines){0}, picture);
}

static int count_different(const Picture *a, const Picture *b, int by)
{
    int count = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        count += difference(a->rgb[i / WIDTH][i % WIDTH], b->rgb[i / WIDTH][i % WIDTH]) > by;
    }
    return count;
}

/// Every chunk of the sea had the waves of the chunk two farther on.
static void waves_do_not_repeat_from_chunk_to_chunk(void **state)
{
    (void)state;
    static Picture first, other;
    const Look look = water_look(LOOK_QUALITY_MEDIUM, 12);
    for (int32_t x = 0; x <= 16; x += x ? x : 2) {
        Scene scene = {0};
        scene.renderer = make_renderer(SCENE_DISTANCE, SCENE_DISTANCE, &scene.store);
        add_pond(&scene, (TrnCoord){x, 0, 0});
        draw_from(&scene, &look, (double[]){16 + 32.0 * x, 20, 16, 0, -80}, x ? &other : &first);
        if (x) {
            const int changed = count_different(&first, &other, 6);
            print_message("  %d pixels differ %d chunks farther on\n", changed, x);
            assert_true(changed > WIDTH * HEIGHT / 4);
        }
        free_scene(&scene);
    }
}

/// Counts the pixels that are much brighter than the mean of the four around them at a distance.
static int count_points(const Picture *picture)
{
    enum { AWAY = 3 };
    int count = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        const int x = i % WIDTH, y = i / WIDTH;
        if (x >= AWAY && y >= AWAY && x < WIDTH - AWAY && y < HEIGHT - AWAY) {
            const int around = picture->rgb[y][x - AWAY][0] + picture->rgb[y][x + AWAY][0] +
                               picture->rgb[y - AWAY][x][0] + picture->rgb[y + AWAY][x][0];
            count += picture->rgb[y][x][0] * 4 > around + 4 * 60;
        }
    }
    return count;
}

static void the_low_sun_glitters_in_points(void **state)
{
    (void)state;
    static Picture waves, flat;
    static const double pose[5] = {30, WATER_TOP + 5, 14, 262, -22};
    Scene scene = make_scene(pond_block);
    Look look = water_look(LOOK_QUALITY_LOW, 16.7f);
    draw_from(&scene, &look, pose, &waves);
    write_picture(&waves, "glitter.png");
    look.on[LOOK_WAVES] = false;
    draw_from(&scene, &look, pose, &flat);
    const int points[2] = {count_points(&waves), count_points(&flat)};
    print_message("  %d points with waves, %d without\n", points[0], points[1]);
    assert_in_range(points[0], 20, WIDTH * HEIGHT / 10);
    assert_int_equal(points[1], 0);
    free_scene(&scene);
}

/// Returns the longest row of pixels that are much brighter than the picture.
static int longest_glint(const Picture *picture)
{
    int longest = 0;
    for (int y = 0; y < HEIGHT; y++) {
        int run = 0;
        for (int x = 0; x < WIDTH; x++) {
            run = picture->rgb[y][x][0] > 225 ? run + 1 : 0;
            longest = run > longest ? run : longest;
        }
    }
    return longest;
}

/// They were discs of a quarter voxel, tens of pixels wide.
static void glints_are_fine_points_beside_the_camera(void **state)
{
    (void)state;
    static Picture picture;
    static const double pose[5] = {16, WATER_TOP + 3, 20, 0, -59};
    Scene scene = make_scene(pond_block);
    const Look look = water_look(LOOK_QUALITY_MEDIUM, 12);
    int longest = 0, points = 0;
    for (int moment = 0; moment < 6; moment++) {
        scene.seconds = 3 + 0.7 * moment;
        draw_from(&scene, &look, pose, &picture);
        write_picture(&picture, "glints.png");
        const int here = longest_glint(&picture);
        longest = here > longest ? here : longest;
        points += count_points(&picture);
    }
    print_message("  %d points, the longest of %d pixels\n", points, longest);
    assert_in_range(points, 10, 6 * WIDTH * HEIGHT / 20);
    assert_in_range(longest, 1, 5);
    free_scene(&scene);
}

static TrnBlock bed_of(TrnBlock bed, uint32_t depth, uint32_t y)
{
    return y + depth < WATER_TOP ? bed : y < WATER_TOP ? TRN_BLOCK_WATER : TRN_BLOCK_AIR;
}

static TrnBlock shallow_sand_block(uint32_t x, uint32_t y, uint32_t z)
{
    (void)x, (void)z;
    return bed_of(TRN_BLOCK_SAND, 1, y);
}

static TrnBlock shallow_slate_block(uint32_t x, uint32_t y, uint32_t z)
{
    (void)x, (void)z;
    return bed_of(TRN_BLOCK_SLATE, 1, y);
}

static TrnBlock deep_sand_block(uint32_t x, uint32_t y, uint32_t z)
{
    (void)x, (void)z;
    return bed_of(TRN_BLOCK_SAND, 7, y);
}

static TrnBlock deep_slate_block(uint32_t x, uint32_t y, uint32_t z)
{
    (void)x, (void)z;
    return bed_of(TRN_BLOCK_SLATE, 7, y);
}

static void shallow_water_shows_its_bed_and_deep_water_does_not(void **state)
{
    (void)state;
    static TrnBlock (*const block_at[])(uint32_t x, uint32_t y, uint32_t z) = {
        shallow_sand_block, shallow_slate_block, deep_sand_block, deep_slate_block};
    static Picture pictures[4];
    static const double pose[5] = {16, WATER_TOP + 6, 24, 0, -50};
    for (int quality = 0; quality < LOOK_QUALITY_COUNT; quality++) {
        const Look look = water_look((LookQuality)quality, 12);
        for (int i = 0; i < 4; i++) {
            Scene scene = make_scene(block_at[i]);
            draw_from(&scene, &look, pose, &pictures[i]);
            free_scene(&scene);
        }
        const int seen[2] = {count_different(&pictures[0], &pictures[1], 60),
                             count_different(&pictures[2], &pictures[3], 60)};
        print_message("  sand differs from slate in %d pixels, %d under deep water\n", seen[0],
                      seen[1]);
        assert_true(seen[0] > WIDTH * HEIGHT / 2 && seen[1] < WIDTH * HEIGHT / 50);
    }
}

static TrnBlock shore_block(uint32_t x, uint32_t y, uint32_t z)
{
    return x >= 16 && y <= WATER_TOP ? TRN_BLOCK_SLATE : deep_slate_block(x, y, z);
}

/// Returns how bright the columns of a picture are, 0..255. @param left,right  of the picture's
/// width
static double brightness_of(const Picture *picture, int left, int right)
{
    double sum = 0;
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = left; x < right; x++) {
            sum += picture->rgb[y][x][0] + picture->rgb[y][x][1] + picture->rgb[y][x][2];
        }
    }
    return sum / (3.0 * HEIGHT * (right - left));
}

static void foam_lies_where_water_meets_land(void **state)
{
    (void)state;
    static Picture picture;
    static const double pose[5] = {15.5, WATER_TOP + 2.5, 16, 0, -89};
    for (int quality = 0; quality < LOOK_QUALITY_COUNT; quality++) {
        Scene scene = make_scene(shore_block);
        const Look look = water_look((LookQuality)quality, 12);
        draw_from(&scene, &look, pose, &picture);
        write_picture(&picture, "foam.png");
        const double open = brightness_of(&picture, 0, WIDTH / 4),
                     shore = brightness_of(&picture, WIDTH * 55 / 100, WIDTH * 62 / 100);
        print_message("  open water %.0f, at the shore %.0f\n", open, shore);
        assert_true(shore > open + 40);
        free_scene(&scene);
    }
}

static TrnBlock posts_block(uint32_t x, uint32_t y, uint32_t z)
{
    return z < 6 && x % 6 < 2 && y < 20 ? TRN_BLOCK_SNOW : pond_block(x, y, z);
}

/// Counts the pixels that differ from all four beside them in the same way.
static int count_speckles(const Picture *picture)
{
    int count = 0;
    for (int y = 1; y < HEIGHT - 1; y++) {
        for (int x = 1; x < WIDTH - 1; x++) {
            const int here = picture->rgb[y][x][0], left = picture->rgb[y][x - 1][0],
                      right = picture->rgb[y][x + 1][0];
            const int up = picture->rgb[y - 1][x][0], down = picture->rgb[y + 1][x][0];
            const int most = MAX(MAX(left, right), MAX(up, down)),
                      least = MIN(MIN(left, right), MIN(up, down));
            count += here > most + 24 || here < least - 24;
        }
    }
    return count;
}

static void the_mirror_has_no_speckles(void **state)
{
    (void)state;
    static Picture picture;
    static const double pose[5] = {16, WATER_TOP + 3, 31, 0, -12};
    Scene scene = make_scene(posts_block);
    Look look = water_look(LOOK_QUALITY_HIGH, 12);
    int speckles[2];
    for (int mirrors = 0; mirrors < 2; mirrors++) {
        look.on[LOOK_REFLECTIONS] = mirrors;
        draw_from(&scene, &look, pose, &picture);
        write_picture(&picture, mirrors ? "posts.png" : "posts-plain.png");
        speckles[mirrors] = count_speckles(&picture);
    }
    print_message("  %d pixels apart from all beside them, %d without a mirror\n", speckles[1],
                  speckles[0]);
    assert_in_range(speckles[1], 0, speckles[0] + 4);
    free_scene(&scene);
}

static void water_mirrors_the_land_behind_it_at_high_quality(void **state)
{
    (void)state;
    static Picture with, without;
    static const double pose[5] = {16, WATER_TOP + 3, 31, 0, -8};
    for (int quality = 0; quality < LOOK_QUALITY_COUNT; quality++) {
        for (int has_wall = 0; has_wall < 2; has_wall++) {
            Scene scene = make_scene(has_wall ? pond_and_wall_block : pond_block);
            Look look = water_look((LookQuality)quality, 12);
            draw_from(&scene, &look, pose, &with);
            look.on[LOOK_REFLECTIONS] = false;
            draw_from(&scene, &look, pose, &without);
            write_picture(&with, "mirror.png");
            const int changed = count_different(&with, &without, 12);
            const bool wanted = has_wall && quality == LOOK_QUALITY_HIGH;
            print_message("  quality %d, %d walls: %d pixels of a mirror\n", quality, has_wall,
                          changed);
            assert_in_range(changed, wanted ? WIDTH * HEIGHT / 20 : 0,
                            wanted ? WIDTH * HEIGHT / 2 : 0);
            free_scene(&scene);
        }
    }
}

static TrnBlock fall_block(uint32_t x, uint32_t y, uint32_t z)
{
    return x >= 14 && x < 18 && y < 24 && z < 6 ? TRN_BLOCK_WATER : TRN_BLOCK_AIR;
}

static void water_runs_down_the_sides_of_falls(void **state)
{
    (void)state;
    static Picture first, later;
    Scene scene = make_scene(fall_block);
    for (int has_waves = 0; has_waves < 2; has_waves++) {
        Look look = water_look(LOOK_QUALITY_LOW, 12);
        look.on[LOOK_WAVES] = has_waves;
        const double pose[5] = {16, 14, 14, 0, 0};
        scene.seconds = 10;
        draw_from(&scene, &look, pose, &first);
        write_picture(&first, "fall.png");
        scene.seconds = 10.2;
        draw_from(&scene, &look, pose, &later);
        const int changed = count_different(&first, &later, 12);
        print_message("  %d pixels of the fall change within 0.2 s\n", changed);
        assert_in_range(changed, has_waves ? WIDTH * HEIGHT / 20 : 0,
                        has_waves ? WIDTH * HEIGHT : 0);
    }
    free_scene(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waves_do_not_repeat_from_chunk_to_chunk),
        cmocka_unit_test(the_low_sun_glitters_in_points),
        cmocka_unit_test(glints_are_fine_points_beside_the_camera),
        cmocka_unit_test(shallow_water_shows_its_bed_and_deep_water_does_not),
        cmocka_unit_test(foam_lies_where_water_meets_land),
        cmocka_unit_test(the_mirror_has_no_speckles),
        cmocka_unit_test(water_runs_down_the_sides_of_falls),
        cmocka_unit_test(water_mirrors_the_land_behind_it_at_high_quality),
    };
    return cmocka_run_group_tests(tests, open_window, close_window);
}
