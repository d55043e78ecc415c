// The far view of a real land: it has the outlines of the land in full detail, and no holes. Run by
// with_display.sh.
#define PICTURE_WIDTH 320
#define PICTURE_HEIGHT 200

#include "gl_picture.h"

#include <app/settings_apply.h>
#include <render/chunk_view.h>

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
    if (!viewer_open(viewer, settings, NULL, &problem)) {
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

static void change_view(Viewer *viewer, Settings *settings, int distance, int detail)
{
    Message problem;
    Settings wished = *settings;
    wished.view_distance = distance;
    wished.detail_distance = detail;
    if (!settings_apply(viewer, settings, &wished, &problem) || problem.text[0]) {
        fail_msg("%s", problem.text);
    }
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
    change_view(&viewer, &settings, DETAIL, DETAIL);
    assert_null(world_far(viewer.world));
    draw_place(&viewer, PLACES[0], &near);
    assert_true(count_unlike(&near, &before) > WIDTH * HEIGHT / 10);
    change_view(&viewer, &settings, DISTANCE, DETAIL);
    draw_place(&viewer, PLACES[0], &after);
    write_picture(&before, "before.png");
    write_picture(&after, "after.png");
    // Pages have another order: in few pixels surfaces are equally far.
    assert_in_range(count_unlike(&after, &before), 0, WIDTH * HEIGHT / 1000);
    // Other numbers of levels.
    change_view(&viewer, &settings, DETAIL + 2, DETAIL);
    change_view(&viewer, &settings, DISTANCE, DETAIL);
    draw_place(&viewer, PLACES[0], &after);
    assert_in_range(count_unlike(&after, &before), 0, WIDTH * HEIGHT / 1000);
    assert_int_equal(gl_context_errors(&viewer.window.context), 0);
    viewer_close(&viewer);
}

/// Counts the chunks of a store that are drawn if the camera sees them.
static size_t count_in_sight(const TrnStore *store, const CameraView *view)
{
    static TrnChunk *chunks[1 << 16];
    const size_t found = trn_store_gather(store, trn_box_everything(), chunks, 1 << 16);
    size_t count = 0;
    for (size_t i = 0; i < found && i < 1 << 16; i++) {
        const ChunkView *shown = chunk_view(chunks[i]);
        count +=
            chunk_view_is_drawn(shown) && camera_view_holds(view, chunks[i]->coord, shown->level);
    }
    return count;
}

/// Every chunk is in the picture in whose place no other level is drawn.
static void assert_all_drawn(const Viewer *viewer)
{
    const TrnFar *far_view = world_far(viewer->world);
    CameraView view;
    camera_view(&viewer->camera, WIDTH, HEIGHT, 1e6f, &view);
    size_t count = count_in_sight(world_store(viewer->world), &view);
    for (uint32_t level = 1; level <= trn_far_view(far_view).levels; level++) {
        count += count_in_sight(trn_far_store(far_view, level), &view);
    }
    // What fades after it was unloaded comes on top.
    assert_in_range(count, 10, renderer_stats(viewer->renderer).chunks_drawn);
}

/// Looks around, in each frame in another direction, until all is loaded and unloaded.
static void draw_around(Viewer *viewer, const double pose[5])
{
    Message problem;
    double turned[5];
    memcpy(turned, pose, sizeof turned);
    for (int still = 0; still < 4; viewer->seconds += 1, turned[3] += 90) {
        viewer->camera = camera_at(turned);
        viewer_update(viewer, (TrnStreamBudget){.units = 100}, NULL);
        still += world_is_idle(viewer->world);
        if (!viewer_draw(viewer, &problem)) {
            fail_msg("%s", problem.text);
        }
        assert_all_drawn(viewer);
    }
}

/// Hysteresis keeps chunks of full detail outside its view.
static void chunks_outside_full_detail_leave_no_holes(void **state)
{
    (void)state;
    static Viewer viewer;
    Settings settings;
    open_viewer(&viewer, &settings, DETAIL);
    Look look = renderer_look(viewer.renderer);
    look.on[LOOK_OCCLUSION] = false;
    Message problem;
    assert_true(renderer_set_look(viewer.renderer, &look, &problem));
    double pose[5];
    memcpy(pose, PLACES[0], sizeof pose);
    static Picture picture;
    draw_place(&viewer, pose, &picture);
    change_view(&viewer, &settings, DISTANCE, DETAIL - 1);
    draw_around(&viewer, pose);
    change_view(&viewer, &settings, DISTANCE, DETAIL / 3);
    draw_around(&viewer, pose);
    for (int i = 0; i < 2; i++) {
        pose[i] += TRN_CHUNK_EDGE; // a walk
        draw_around(&viewer, pose);
    }
    viewer_close(&viewer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_land_has_its_outline_at_a_distance),
        cmocka_unit_test(chunks_outside_full_detail_leave_no_holes),
        cmocka_unit_test(levels_come_and_go_while_all_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
