// What culling by the horizon leaves out is in no picture. Run by with_display.sh.
#define PICTURE_WIDTH 240
#define PICTURE_HEIGHT 150

#include "gl_picture.h"

#include <render/renderer_impl.h>
#include <scene/viewer.h>

#define DISTANCE 32 // chunks
#define DETAIL 6
#define HEIGHT_CHUNKS 4
#define STEPS 4 // of a moving camera

// On a peak, in a valley behind it, on a beach.
static const double PLACES[][5] = {
    {-1380, 125, 170, -105, -4}, {-1300, 40, 60, 200, 2}, {-60, 20, -190, -98, 3}};

static void draw(Viewer *viewer, bool occlusion, Picture *picture)
{
    Message problem;
    Look look = renderer_look(viewer->renderer);
    look.on[LOOK_OCCLUSION] = occlusion;
    look.on[LOOK_HOLES] = true; // one sees through the edges of leaves
    if (!renderer_set_look(viewer->renderer, &look, &problem) || !viewer_draw(viewer, &problem)) {
        fail_msg("%s", problem.text);
    }
    renderer_read(viewer->renderer, picture->rgb[0][0]);
}

/// Draws the place with and without culling, once all fades have ended: through what fades one sees
/// into caves that level 0 hides, and no quads move any more: the order of chunks in the picture
/// depends on where their quads are. @return how many chunks are behind land
static size_t compare(Viewer *viewer)
{
    static Picture with, without;
    draw(viewer, true, &with); // fades begin
    viewer->seconds += 1;
    do {
        draw(viewer, true, &with);
    } while (renderer_stats(viewer->renderer).card.is_moving);
    const size_t hidden = renderer_stats(viewer->renderer).chunks_behind_land;
    draw(viewer, false, &without);
    assert_int_equal(renderer_stats(viewer->renderer).chunks_behind_land, 0);
    if (memcmp(&with, &without, sizeof with) != 0) {
        write_picture(&with, "horizon-with.png");
        write_picture(&without, "horizon-without.png");
        fail_msg("culling changes the picture");
    }
    return hidden;
}

static bool is_rock(const Viewer *viewer, const char *name)
{
    TrnBlock id;
    const Renderer *renderer = viewer->renderer;
    assert_int_equal(trn_block_types_find(renderer->def.types, name, &id), TRN_RESULT_OK);
    return renderer->art.rock[id / 32] >> id % 32 & 1;
}

static void pictures_are_the_same_with_and_without(void **state)
{
    (void)state;
    static Viewer viewer;
    Message problem;
    Settings settings = settings_default();
    settings.headless = true;
    settings.gl_debug = true;
    settings.gl_es = draws_with_es();
    settings.width = WIDTH;
    settings.height = HEIGHT;
    settings.view_distance = DISTANCE;
    settings.detail_distance = DETAIL;
    settings.view_height = HEIGHT_CHUNKS;
    settings.samples = 1;
    settings.quality = LOOK_QUALITY_LOW;
    if (!viewer_open(&viewer, &settings, NULL, &problem)) {
        fail_msg("%s", problem.text);
    }
    assert_true(is_rock(&viewer, "terrane:stone") && is_rock(&viewer, "terrane:grass"));
    assert_false(is_rock(&viewer, "terrane:oak_leaves") || is_rock(&viewer, "terrane:glass"));
    assert_false(is_rock(&viewer, "terrane:air") || is_rock(&viewer, "terrane:water"));
    for (size_t i = 0; i < sizeof PLACES / sizeof PLACES[0]; i++) {
        viewer.camera = camera_at(PLACES[i]);
        do {
            viewer_update(&viewer, (TrnStreamBudget){.units = 1000}, NULL);
        } while (!world_is_idle(viewer.world));
        size_t hidden = compare(&viewer);
        for (int step = 1; step <= STEPS; step++) {
            double pose[5];
            memcpy(pose, PLACES[i], sizeof pose);
            pose[0] += 40 * step;
            pose[3] += 15 * step;
            viewer.camera = camera_at(pose);
            viewer_update(&viewer, (TrnStreamBudget){.units = 200}, NULL);
            hidden += compare(&viewer);
        }
        print_message("  place %zu: %zu chunks behind land\n", i, hidden);
        assert_true(hidden > 5);
    }
    assert_int_equal(gl_context_errors(&viewer.window.context), 0);
    viewer_close(&viewer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures_are_the_same_with_and_without),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
