// The far view of a real land: it has the outlines of the land in full detail, and no holes. Run by
// with_display.sh.
#define PICTURE_WIDTH 320
#define PICTURE_HEIGHT 200

#include "gl_picture.h"

#include <viewer.h>

#define DISTANCE 12 // chunks
#define DETAIL 6
#define HEIGHT_CHUNKS 6

// Mountains, a coast, woods.
static const double PLACES[][5] = {
    {-1380, 125, 170, -105, -4}, {-150, 30, -215, 140, -6}, {505, 60, -30, 60, -8}};

/// Opens a viewer that shows faces by their direction, and the sky black.
static void open_viewer(Viewer *viewer, Settings *settings, int detail)
{
    Message problem;
    *settings = settings_default();
    settings->headless = true;
    settings->gl_debug = true;
    settings->gl_es = draws_with_es();
    settings->width = WIDTH;
    settings->height = HEIGHT;
    settings->view_distance = DISTANCE;
    settings->detail_distance = detail;
    settings->view_height = HEIGHT_CHUNKS;
    settings->samples = 1;
    settings->debug = LOOK_DEBUG_FACES;
    if (!viewer_open(viewer, settings, &problem)) {
        fail_msg("%s", problem.text);
    }
}

static void draw_place(Viewer *viewer, const double pose[5], Picture *picture)
{
    Message problem;
    viewer->camera = camera_at(pose);
    for (int still = 0; still < 2; viewer->seconds += 1) { // what fades has faded then
        viewer_update(viewer, (TrnStreamBudget){.units = 500}, NULL);
        still += world_is_idle(viewer->world);
        if (!viewer_draw(viewer, &problem)) {
            fail_msg("%s", problem.text);
        }
    }
    assert_int_equal(world_refused(viewer->world), 0);
    renderer_read(viewer->renderer, picture->rgb[0][0]);
}

static bool is_sky(const Picture *picture, int x, int y)
{
    const unsigned char *rgb = picture->rgb[y][x];
    return rgb[0] < 8 && rgb[1] < 8;
}

/// Returns the row of a column's highest land; HEIGHT if there is none.
static int find_top(const Picture *picture, int x)
{
    int y = 0;
    while (y < HEIGHT && is_sky(picture, x, y)) {
        y++;
    }
    return y;
}

/// Counts the pixels of sky below the land's outline: through overhangs, or holes.
static int count_gaps(const Picture *picture)
{
    int count = 0;
    for (int x = 0; x < WIDTH; x++) {
        for (int y = find_top(picture, x); y < HEIGHT; y++) {
            count += is_sky(picture, x, y);
        }
    }
    return count;
}

static void the_land_has_its_outline_at_a_distance(void **state)
{
    (void)state;
    static Viewer viewer;
    static Picture full[3], levels[3];
    Settings settings;
    open_viewer(&viewer, &settings, DISTANCE);
    assert_null(world_far(viewer.world));
    for (int i = 0; i < 3; i++) {
        draw_place(&viewer, PLACES[i], &full[i]);
    }
    viewer_close(&viewer);
    open_viewer(&viewer, &settings, DETAIL);
    assert_in_range(trn_far_view(world_far(viewer.world)).levels, 2, 4);
    for (int i = 0; i < 3; i++) {
        draw_place(&viewer, PLACES[i], &levels[i]);
        write_picture(&full[i], "full.png");
        write_picture(&levels[i], i == 0 ? "levels0.png" : i == 1 ? "levels1.png" : "levels2.png");
        int sum = 0, worst = 0;
        for (int x = 0; x < WIDTH; x++) {
            const int by = abs(find_top(&full[i], x) - find_top(&levels[i], x));
            sum += by;
            worst = by > worst ? by : worst;
        }
        const int gaps[2] = {count_gaps(&full[i]), count_gaps(&levels[i])};
        print_message("  place %d: outlines differ by %.2f pixels, at most %d; %d and %d of sky "
                      "below them\n",
                      i, (double)sum / WIDTH, worst, gaps[0], gaps[1]);
        // A voxel of the coarsest level is up to 3.5 pixels high, and crowns of trees have few.
        assert_true(sum <= 5 * WIDTH && worst <= 24);
        assert_in_range(gaps[1], 0, gaps[0] + 60);
    }
    assert_int_equal(gl_context_errors(&viewer.window.context), 0);
    viewer_close(&viewer);
}

static void change_distance(Viewer *viewer, Settings *settings, int distance)
{
    Message problem;
    Settings wished = *settings;
    wished.view_distance = distance;
    if (viewer_change(viewer, &wished, &problem) != VIEWER_CHANGED) {
        fail_msg("%s", problem.text);
    }
    *settings = wished;
}

static int count_unlike(const Picture *a, const Picture *b)
{
    int count = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        count += difference(a->rgb[i / WIDTH][i % WIDTH], b->rgb[i / WIDTH][i % WIDTH]) > 0;
    }
    return count;
}

static void levels_come_and_go_while_all_runs(void **state)
{
    (void)state;
    static Viewer viewer;
    static Picture before, near, after;
    Settings settings;
    open_viewer(&viewer, &settings, DETAIL);
    draw_place(&viewer, PLACES[0], &before);
    change_distance(&viewer, &settings, DETAIL);
    assert_null(world_far(viewer.world));
    draw_place(&viewer, PLACES[0], &near);
    assert_true(count_unlike(&near, &before) > WIDTH * HEIGHT / 10);
    change_distance(&viewer, &settings, DISTANCE);
    draw_place(&viewer, PLACES[0], &after);
    write_picture(&before, "before.png");
    write_picture(&after, "after.png");
    assert_int_equal(count_unlike(&after, &before), 0);
    // Other numbers of levels.
    change_distance(&viewer, &settings, DETAIL + 2);
    change_distance(&viewer, &settings, DISTANCE);
    draw_place(&viewer, PLACES[0], &after);
    assert_int_equal(count_unlike(&after, &before), 0);
    assert_int_equal(gl_context_errors(&viewer.window.context), 0);
    viewer_close(&viewer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_land_has_its_outline_at_a_distance),
        cmocka_unit_test(levels_come_and_go_while_all_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
