/// The panels: where they are drawn, their cost, and the effect of their settings. Run by
/// with_display.sh.
///
/// TERRANE_TEST_OUT names a folder that the pictures are written to.
#include "position.h"

#include <math.h>
#include <stdio.h>

#include <terrane/block_types.h>

#include <app/settings_apply.h>
#include <clock.h>
#include <image.h>
#include <index_view/index_view.h>
#include <panels/panel.h>
#include <render/target.h>
#include <scene/viewer.h>
#include <series/series.h>
#include <window/input.h>

#define FRAMES 700 // of history, 60 a second

// ---- where they are -----------------------------------------------------------------------------

/// Figures of a frame late in a long session, with long words and large numbers.
static PanelFigures make_figures(int frame)
{
    const double wave = 1 + 0.2 * sin(frame * 0.1);
    PanelFigures figures = {
        .seconds = 100 + frame / 60.0,
        .frame = series_frame(),
        .stream = {.workers = 16,
                   .wanted = 123456,
                   .loaded = 117000,
                   .shown = 98765,
                   .unsaved = 1234,
                   .queued = 5456,
                   .queued_to_generate = 3456,
                   .queued_to_mesh = 2000,
                   .queued_lanes = {12, 1444, 4000},
                   .under_way = 32,
                   .unloading = 1000,
                   .failed = 7,
                   .store_bytes = 200000000,
                   .mesh_bytes = 3000000,
                   .stream_bytes = 9000000,
                   .scratch_bytes = 30000000,
                   .total_bytes = 240000000,
                   .bytes_max = 268435456},
        .view = {.rings = 20, .rings_wanted = 32, .is_started = true, .is_shrunk = true},
        .budget_ms = 2,
        .store = {.voxel_bytes = 120000000, .header_bytes = 20000000, .index_bytes = 900000},
        .card_bytes = 100000000,
        .card_peak = 140000000,
        .refused = 3,
        .has_array = true,
        .has_flat_map = true,
        .compared = 1234567,
        .equal = 1234567,
        .voxel = {-123456789.1, 1234.5, 987654321.9},
        .speed = 2000,
        .edit_bytes = 1000000,
        .edit_bytes_max = 64000000,
        .debris = {.alive = 4000, .capacity = 4000, .resting = 1234, .step_us = 321},
        .looked_at = "looked at: chunk -3858025 38 30864197, 512 voxels away",
        .why_shown =
            "Chunk -3858025 38 30864197 waits for 13 of its neighbours, the first of them "
            "-3858026 37 30864196; it is 31.9 chunks from the nearest anchor, to be shown.",
        .why_there = "Chunk -3858025, 38, 30864197 is there since revision 1234567 with 4 bits a "
                     "voxel in 16,640 bytes; no view wants it, 3 edits wait.",
        .hint = "F1 keys   F3 hide this   Escape pause",
    };
    double *values = figures.frame.values;
    values[SERIES_FRAME] = 16.6 * wave;
    values[SERIES_WORK] = 5.1 * wave;
    values[SERIES_UPDATE] = 0.8 * wave;
    values[SERIES_CULL] = 220 * wave;
    values[SERIES_UPLOAD] = frame % 7 ? 0 : 4973.37 * wave;
    values[SERIES_PANEL] = 210 * wave;
    values[SERIES_GATHER] = values[SERIES_GATHER_INDEX] = 9.4 * wave;
    values[SERIES_GATHER_ARRAY] = 14 * wave;
    values[SERIES_GATHER_FLAT_MAP] = 180 * wave;
    values[SERIES_GATHER_FLAT_MAP_FILTERED] = 101 * wave;
    values[SERIES_GATHER_MAP] = frame % 100 ? 940 * wave : 12345.6;
    values[SERIES_GATHER_MAP_FILTERED] = 147 * wave;
    values[SERIES_GATHERED] = 17407;
    values[SERIES_SEEN] = 5234;
    values[SERIES_QUADS] = 1234567;
    values[SERIES_DRAW_CALLS] = 5;
    return figures;
}

typedef struct Shot {
    int width, height;
    float scale;
    PanelTab tab;
    bool has_help;
} Shot;

static const unsigned char BACK[3] = {51, 102, 51};

static bool is_back(const unsigned char *rgb)
{
    return abs(rgb[0] - BACK[0]) + abs(rgb[1] - BACK[1]) + abs(rgb[2] - BACK[2]) < 12;
}

typedef struct Costs {
    Samples all, build; ///< us
} Costs;

/// Draws until all windows are in place. @return [height][width][3]; free it
static unsigned char *draw_shot(Panel *panel, const Shot *shot, Costs *costs)
{
    static const OverlayRow rows[] = {{"Move", "W, Up", "forwards"}, {"Program", "F1", "keys"}};
    Target target;
    Message problem;
    if (!target_create(&target, shot->width, shot->height, 1, 1, GL_DEPTH24_STENCIL8, &problem)) {
        fail_msg("%s", problem.text);
    }
    PanelChoices choices = {.tab = shot->tab, .settings = settings_default()};
    choices.settings.figures = true;
    const Settings before = choices.settings;
    const Overlay overlay = {.rows = shot->has_help ? rows : NULL, .row_count = 2};
    for (int frame = 0; frame < FRAMES; frame++) {
        const PanelFigures figures = make_figures(frame);
        glBindFramebuffer(GL_FRAMEBUFFER, target.drawn);
        glDisable(GL_FRAMEBUFFER_SRGB);
        glClearColor(BACK[0] / 255.0f, BACK[1] / 255.0f, BACK[2] / 255.0f, 1);
        glClear(GL_COLOR_BUFFER_BIT);
        choices.settings.figures = frame < 2 || frame >= FRAMES - 60;
        const double start = clock_thread_us();
        panel_draw(panel, &figures, &choices, &overlay, true, shot->scale);
        if (frame > FRAMES - 50) {
            assert_true(samples_add(&costs->all, clock_thread_us() - start) &&
                        samples_add(&costs->build, panel_cost(panel).build_us));
            glFinish();
        }
        assert_int_equal(choices.tab, shot->tab);
        assert_false(choices.changed);
    }
    // No input.
    assert_false(settings_differ(&before, &choices.settings));
    unsigned char *rgb = malloc((size_t)shot->width * (size_t)shot->height * 3);
    assert_non_null(rgb);
    target_resolve(&target);
    target_read(&target, rgb);
    target_free(&target);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    return rgb;
}

static void write_shot(const Shot *shot, const unsigned char *rgb)
{
    const char *folder = getenv("TERRANE_TEST_OUT");
    char name[64];
    Message problem;
    snprintf(name, sizeof name, "panels-%dx%d-%.0f-%d%s.png", shot->width, shot->height,
             (double)shot->scale, (int)shot->tab, shot->has_help ? "-help" : "");
    if (folder && !image_write_png(folder, name, rgb, shot->width, shot->height, &problem)) {
        fail_msg("%s", problem.text);
    }
}

/// Counts the pixels of a box that changed.
static int count_drawn(const Shot *shot, const unsigned char *rgb, int left, int top, int right,
                       int bottom)
{
    int count = 0;
    for (int y = top; y < bottom; y++) {
        for (int x = left; x < right; x++) {
            count += !is_back(rgb + ((size_t)y * (size_t)shot->width + (size_t)x) * 3);
        }
    }
    return count;
}

static void check_shot(const Shot *shot, Costs *costs)
{
    Window window;
    Message problem;
    const WindowDef def = {.width = shot->width, .height = shot->height};
    if (!window_open(&window, &def, &problem)) {
        fail_msg("%s", problem.text);
    }
    Panel *panel = panel_create(window.handle);
    assert_non_null(panel);
    unsigned char *rgb = draw_shot(panel, shot, costs);
    write_shot(shot, rgb);
    const int width = shot->width, height = shot->height;
    // The first column is drawn, and nothing at the picture's edges.
    assert_true(count_drawn(shot, rgb, 13, 20, 100, 100) > 80 * 70);
    assert_int_equal(count_drawn(shot, rgb, 0, 0, width, 11), 0);
    assert_int_equal(count_drawn(shot, rgb, 0, 0, 11, height), 0);
    assert_int_equal(count_drawn(shot, rgb, width - 11, 0, width, height), 0);
    assert_int_equal(count_drawn(shot, rgb, 0, height - 11, width, height), 0);
    // Two columns leave the middle free; one column leaves the right half, or more below it.
    const bool two = (float)width >= 1264 * shot->scale;
    if (two) {
        const int half = (int)(200 * shot->scale);
        assert_int_equal(count_drawn(shot, rgb, width / 2 - half, 0, width / 2 + half, height), 0);
        assert_true(shot->has_help ||
                    count_drawn(shot, rgb, width - 100, 20, width - 13, 100) > 80 * 70);
    }
    free(rgb);
    panel_destroy(panel);
    window_close(&window);
}

static const char *const TAB_NAMES[] = {"frame", "world"};

static void panels_lie_side_by_side_at_every_size(void **state)
{
    (void)state;
    static const Shot shots[] = {
        {320, 240, 1, PANEL_TAB_FRAME, false},     {640, 400, 1, PANEL_TAB_WORLD, false},
        {800, 600, 1, PANEL_TAB_FRAME, false},     {1280, 720, 1, PANEL_TAB_WORLD, false},
        {1280, 720, 1.5f, PANEL_TAB_WORLD, false}, {1280, 720, 2, PANEL_TAB_WORLD, false},
        {2560, 1440, 1, PANEL_TAB_WORLD, false},   {2560, 1440, 2, PANEL_TAB_WORLD, false}};
    for (size_t i = 0; i < sizeof shots / sizeof shots[0]; i++) {
        Costs costs = {.all = {.count = 0}};
        check_shot(&shots[i], &costs);
        const Shot *shot = &shots[i];
        print_message("  panels at %dx%d, scale %.1f, %s: %.0f us, without the driver %.0f, p99 "
                      "%.0f\n",
                      shot->width, shot->height, (double)shot->scale, TAB_NAMES[shot->tab],
                      samples_percentile(&costs.all, 50), samples_percentile(&costs.build, 50),
                      samples_percentile(&costs.build, 99));
        samples_free(&costs.all);
        samples_free(&costs.build);
    }
}

// ---- what lies over what ------------------------------------------------------------------------

#define SCENE_EDGE_MAX 1300 // pixels

/// A window that shows one thing after another.
typedef struct Scene {
    Window window;
    Panel *panel;
    int width, height;
    IndexView index;
    TrnChunkIndex *chunks;
    TrnBlockTypes *types;
    PanelPalette palette;
} Scene;

/// What the window shows.
typedef struct Shown {
    bool figures, index, palette, help, menu;
    bool all_settings; ///< of the menu
    const char *notice, *loading, *note;
} Shown;

/// A box of pixels; empty if nothing is drawn.
typedef struct PixelBox {
    int left, top, right, bottom;
} PixelBox;

static void begin_scene(Scene *scene, int width, int height)
{
    static const TrnBlock blocks[] = {TRN_BLOCK_STONE,   TRN_BLOCK_DIRT,  TRN_BLOCK_GRASS,
                                      TRN_BLOCK_SAND,    TRN_BLOCK_SNOW,  TRN_BLOCK_ICE,
                                      TRN_BLOCK_OAK_LOG, TRN_BLOCK_STONE, TRN_BLOCK_DIRT};
    static const char *const names[] = {"store"};
    Message problem;
    *scene = (Scene){.width = width, .height = height};
    const WindowDef def = {.width = width, .height = height};
    if (!window_open(&scene->window, &def, &problem)) {
        fail_msg("%s", problem.text);
    }
    scene->panel = panel_create(scene->window.handle);
    assert_non_null(scene->panel);
    assert_int_equal(trn_block_types_create_builtin(NULL, &scene->types), TRN_RESULT_OK);
    scene->palette = (PanelPalette){.types = scene->types, .blocks = blocks, .count = 9};
    assert_int_equal(trn_chunk_index_create(NULL, &scene->chunks), TRN_RESULT_OK);
    for (int32_t i = 0; i < 1000; i++) {
        const TrnCoord at = {i % 10, i / 100, i / 10 % 10};
        assert_int_equal(trn_chunk_index_insert(scene->chunks, at, 1), TRN_RESULT_OK);
    }
    const TrnChunkIndex *const indexes[] = {scene->chunks};
    index_view_begin(&scene->index, names, indexes, 1);
    index_view_update(&scene->index, &(IndexViewPlace){.indexes = {scene->chunks}}, true);
}

static void end_scene(Scene *scene)
{
    index_view_free(&scene->index);
    trn_chunk_index_destroy(scene->chunks);
    trn_block_types_destroy(scene->types);
    panel_destroy(scene->panel);
    window_close(&scene->window);
}

static void resize_scene(Scene *scene, int width, int height)
{
    int now[2] = {0, 0};
    glfwSetWindowSize(scene->window.handle, width, height);
    for (int i = 0; i < 500 && (now[0] != width || now[1] != height); i++) {
        glfwWaitEventsTimeout(0.01);
        glfwGetWindowSize(scene->window.handle, &now[0], &now[1]);
    }
    assert_true(now[0] == width && now[1] == height);
    scene->width = width;
    scene->height = height;
}

/// Lists all keys with their default actions.
static size_t list_keys(OverlayRow rows[INPUT_ACTION_COUNT])
{
    static InputHelp help[INPUT_ACTION_COUNT];
    const InputBindings bindings = input_bindings_default();
    const size_t count = input_help(&bindings, NULL, help);
    for (size_t i = 0; i < count; i++) {
        rows[i] = (OverlayRow){input_group_title(help[i].group), help[i].keys, help[i].words};
    }
    return count;
}

/// @param rgb  [height][width][3] receives the picture
static void draw_scene(Scene *scene, const Shown *shown, unsigned char *rgb)
{
    OverlayRow rows[INPUT_ACTION_COUNT];
    Target target;
    Message problem;
    assert_true(
        target_create(&target, scene->width, scene->height, 1, 1, GL_DEPTH24_STENCIL8, &problem));
    const Look look = look_default(LOOK_QUALITY_LOW);
    const Overlay overlay = {.rows = shown->help ? rows : NULL,
                             .row_count = list_keys(rows),
                             .paused = shown->menu,
                             .note = shown->note,
                             .look = &look,
                             .notice = shown->notice,
                             .loading_text = shown->loading,
                             .loading = 0.5f};
    PanelFigures figures = make_figures(1);
    figures.index = shown->index ? &scene->index : NULL;
    figures.palette = shown->palette ? &scene->palette : NULL;
    PanelChoices choices = {.tab = PANEL_TAB_WORLD, .settings = settings_default()};
    choices.settings.figures = shown->figures;
    choices.all_settings = shown->all_settings;
    glUseProgram(0);
    for (int frame = 0; frame < 5; frame++) { // until windows have their sizes
        glBindFramebuffer(GL_FRAMEBUFFER, target.drawn);
        glDisable(GL_FRAMEBUFFER_SRGB);
        glClearColor(BACK[0] / 255.0f, BACK[1] / 255.0f, BACK[2] / 255.0f, 1);
        glClear(GL_COLOR_BUFFER_BIT);
        panel_draw(scene->panel, &figures, &choices, &overlay, !shown->menu, 1);
        assert_false(choices.changed || choices.resume || choices.quit);
    }
    target_resolve(&target);
    target_read(&target, rgb);
    target_free(&target);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/// Returns the box of pixels that changed, or that are drawn at all.
/// @param before  NULL: before anything was drawn
/// @param from    the first row
static PixelBox drawn_box(const Scene *scene, const unsigned char *rgb, const unsigned char *before,
                          int from)
{
    PixelBox box = {scene->width, scene->height, -1, -1};
    for (int y = from; y < scene->height; y++) {
        for (int x = 0; x < scene->width; x++) {
            const size_t at = ((size_t)y * (size_t)scene->width + (size_t)x) * 3;
            if (before ? memcmp(rgb + at, before + at, 3) != 0 : !is_back(rgb + at)) {
                box = (PixelBox){x < box.left ? x : box.left, y < box.top ? y : box.top,
                                 x > box.right ? x : box.right, y > box.bottom ? y : box.bottom};
            }
        }
    }
    return box;
}

static void assert_apart(const PixelBox *a, const PixelBox *b, const char *what)
{
    if (a->left > b->right || b->left > a->right || a->top > b->bottom || b->top > a->bottom) {
        return;
    }
    fail_msg("%s: %d..%d, %d..%d and %d..%d, %d..%d lie over each other", what, a->left, a->right,
             a->top, a->bottom, b->left, b->right, b->top, b->bottom);
}

/// Draws one thing alone. @return its box
static PixelBox box_of(Scene *scene, const Shown *shown)
{
    static unsigned char rgb[SCENE_EDGE_MAX * SCENE_EDGE_MAX * 3];
    draw_scene(scene, shown, rgb);
    return drawn_box(scene, rgb, NULL, 0);
}

/// Draws one thing, then another in addition. @return the box of pixels that changed
static PixelBox box_of_more(Scene *scene, const Shown *before, const Shown *after, int from)
{
    static unsigned char first[SCENE_EDGE_MAX * SCENE_EDGE_MAX * 3], then[sizeof first];
    draw_scene(scene, before, first);
    draw_scene(scene, after, then);
    return drawn_box(scene, then, first, from);
}

static void nothing_lies_over_what_one_reads(void **state)
{
    (void)state;
    static const int sizes[][2] = {{320, 200}, {400, 700},  {640, 360},
                                   {800, 600}, {1000, 400}, {1280, 720}};
    const Shown none = {0}, notice = {.notice = "Quality: high"}, loading = {.loading = "Loading"};
    const Shown both = {.loading = "Loading", .notice = notice.notice};
    const Shown palette = {.palette = true}, told = {.palette = true, .notice = notice.notice};
    const Shown all = {.index = true, .figures = true, .palette = true};
    const Shown index_and_bar = {.index = true, .palette = true};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        Scene scene;
        begin_scene(&scene, sizes[i][0], sizes[i][1]);
        (void)box_of(&scene, &none); // fonts
        const int below_aim = scene.height / 2 + 12;
        const PixelBox bar = box_of_more(&scene, &none, &palette, below_aim);
        const PixelBox said = box_of_more(&scene, &palette, &told, 0);
        assert_true(said.right > said.left);
        assert_apart(&bar, &said, "bar and notice");
        const Shown long_notice = {.notice = "Cannot write into the folder /somewhere/that/is/not: "
                                             "No such file or directory; choose another folder."};
        const PixelBox all_said = box_of(&scene, &long_notice); // in as many lines as it takes
        assert_true(all_said.left >= 11 && all_said.right < scene.width - 11);
        const PixelBox progress = box_of(&scene, &loading);
        assert_true(progress.left >= 11 && progress.right < scene.width - 11);
        const PixelBox said_above = box_of_more(&scene, &loading, &both, 0);
        assert_apart(&progress, &said_above, "loading and notice");
        // The figures stand next to the index or are not drawn, both of them above the bar.
        const PixelBox slices = box_of_more(&scene, &palette, &index_and_bar, 0);
        const PixelBox figures = box_of_more(&scene, &index_and_bar, &all, 0);
        assert_apart(&slices, &figures, "index and figures");
        assert_apart(&slices, &bar, "index and bar");
        assert_apart(&figures, &bar, "figures and bar");
        assert_true(slices.left >= 11 && slices.right < scene.width - 11);
        end_scene(&scene);
    }
}

static void the_index_stays_at_the_edge_of_a_window_that_grows(void **state)
{
    (void)state;
    Scene scene;
    begin_scene(&scene, 640, 400);
    const Shown index = {.index = true};
    (void)box_of(&scene, &index);
    resize_scene(&scene, 1280, 720);
    const PixelBox box = box_of(&scene, &index);
    assert_in_range(box.right, 1280 - 14, 1280 - 12);
    assert_true(box.left > 650);
    end_scene(&scene);
}

/// Counts the rows of a box that contain letters, which are bright.
static int lit_rows(const Scene *scene, const unsigned char *rgb)
{
    int rows = 0;
    for (int y = 0; y < scene->height; y++) {
        bool is_lit = false;
        for (int x = 0; x < scene->width && !is_lit; x++) {
            const unsigned char *at = rgb + ((size_t)y * (size_t)scene->width + (size_t)x) * 3;
            is_lit = at[0] > 150 && at[1] > 150;
        }
        rows += is_lit;
    }
    return rows;
}

static void the_help_is_seen_whole_in_windows_of_any_shape(void **state)
{
    (void)state;
    // The least number of rows with letters: for about 40 lines below each other, or about 20.
    static const int sizes[][3] = {{400, 700, 250}, {390, 844, 250}, {500, 1200, 250},
                                   {640, 360, 100}, {800, 600, 130}, {1280, 720, 160},
                                   {1200, 300, 90}};
    static unsigned char rgb[SCENE_EDGE_MAX * SCENE_EDGE_MAX * 3];
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        Scene scene;
        begin_scene(&scene, sizes[i][0], sizes[i][1]);
        draw_scene(&scene, &(Shown){.help = true}, rgb);
        const PixelBox box = drawn_box(&scene, rgb, NULL, 0);
        const int rows = lit_rows(&scene, rgb);
        print_message("  %dx%d: help at %d..%d, %d..%d, %d rows of letters\n", sizes[i][0],
                      sizes[i][1], box.left, box.right, box.top, box.bottom, rows);
        assert_true(box.left >= 11 && box.right < scene.width - 11);
        assert_true(box.top >= 11 && box.bottom < scene.height - 11);
        assert_true(rows >= sizes[i][2]);
        end_scene(&scene);
    }
}

// ---- the pause menu -----------------------------------------------------------------------------

static void write_scene(const Scene *scene, const char *what, const unsigned char *rgb)
{
    const char *folder = getenv("TERRANE_TEST_OUT");
    char name[64];
    Message problem;
    (void)snprintf(name, sizeof name, "%s-%dx%d.png", what, scene->width, scene->height);
    if (folder && !image_write_png(folder, name, rgb, scene->width, scene->height, &problem)) {
        fail_msg("%s", problem.text);
    }
}

/// How many pixels of a box are as bright as letters.
static int count_lit(const Scene *scene, const unsigned char *rgb, int left, int top, int right,
                     int bottom)
{
    int lit = 0;
    for (int y = top; y < bottom; y++) {
        for (int x = left; x < right; x++) {
            const unsigned char *at = rgb + ((size_t)y * (size_t)scene->width + (size_t)x) * 3;
            lit += at[0] > 200 && at[1] > 200 && at[2] > 200;
        }
    }
    return lit;
}

/// The buttons lie in the first row: Resume, another page, Worlds, Quit.
static void assert_buttons(const Scene *scene, const unsigned char *rgb, const PixelBox *menu)
{
    const int wide = (menu->right - menu->left) / 4;
    for (int i = 0; i < 4; i++) {
        const int left = menu->left + i * wide;
        assert_true(
            count_lit(scene, rgb, left + 4, menu->top + 4, left + wide - 4, menu->top + 32) > 20);
    }
}

static bool is_same_in(const Scene *scene, const unsigned char *a, const unsigned char *b,
                       const PixelBox *box)
{
    for (int y = box->top; y <= box->bottom; y++) {
        const size_t at = ((size_t)y * (size_t)scene->width + (size_t)box->left) * 3;
        if (memcmp(a + at, b + at, (size_t)(box->right - box->left + 1) * 3) != 0) {
            return false;
        }
    }
    return true;
}

static void the_menu_lies_over_nothing_and_its_buttons_are_seen_in_every_window(void **state)
{
    (void)state;
    static const int sizes[][2] = {{200, 120}, {320, 200}, {320, 240},  {640, 360}, {390, 844},
                                   {800, 450}, {500, 700}, {1000, 400}, {1280, 720}};
    static unsigned char rgb[SCENE_EDGE_MAX * SCENE_EDGE_MAX * 3], before[sizeof rgb];
    static const char note[] = "The settings file has mistakes: nothing is saved.";
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        for (int page = 0; page < 2; page++) {
            Scene scene;
            begin_scene(&scene, sizes[i][0], sizes[i][1]);
            const Shown alone = {.menu = true, .all_settings = page == 1};
            const Shown told = {.menu = true, .all_settings = page == 1, .note = note};
            const Shown both = {.menu = true, .all_settings = page == 1, .figures = true};
            (void)box_of(&scene, &(Shown){.figures = false}); // fonts
            draw_scene(&scene, &alone, rgb);
            const PixelBox menu = drawn_box(&scene, rgb, NULL, 0);
            assert_true(menu.left >= 11 && menu.right < scene.width - 11);
            assert_true(menu.top >= 11 && menu.bottom < scene.height - 11);
            assert_buttons(&scene, rgb, &menu);
            const unsigned char *const copy = memcpy(before, rgb, sizeof rgb);
            draw_scene(&scene, &both, rgb);
            write_scene(&scene, page ? "menu-all" : "menu", rgb);
            // The other page has a tick for the figures themselves.
            assert_true(page == 1 || is_same_in(&scene, rgb, copy, &menu));
            draw_scene(&scene, &told, rgb);
            const PixelBox longer = drawn_box(&scene, rgb, NULL, 0);
            assert_true(longer.top >= 11 && longer.bottom < scene.height - 11);
            assert_buttons(&scene, rgb, &longer);
            end_scene(&scene);
        }
    }
}

static void the_menu_has_what_one_changes_most(void **state)
{
    (void)state;
    const Settings settings = settings_default();
    const void *const fields[] = {&settings.view_distance, &settings.hours,
                                  &settings.quality,       &settings.field_of_view,
                                  &settings.sensitivity,   &settings.full_screen};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        const Setting *row = settings_row_of(&settings, fields[i]);
        assert_true((row->shows & SETTING_IN_MENU) && (row->shows & SETTING_IN_PANEL));
        assert_non_null(row->label);
    }
}

// ---- what is set --------------------------------------------------------------------------------

typedef struct Session {
    Settings settings;
    Viewer viewer;
} Session;

static void open_session(Session *session)
{
    Message problem;
    *session = (Session){.settings = settings_default()};
    session->settings.width = 320;
    session->settings.height = 200;
    session->settings.view_distance = 4;
    session->settings.workers = 1;
    session->settings.quality = LOOK_QUALITY_LOW;
    if (!viewer_open(&session->viewer, &session->settings, NULL, &problem)) {
        fail_msg("%s", problem.text);
    }
    session->viewer.camera = camera_at((const double[5]){8, 60, 8, 0, -20});
}

/// Draws until everything is loaded, and compares the answers of every frame.
static void settle(Session *session)
{
    Viewer *viewer = &session->viewer;
    Message problem;
    for (int frame = 0; frame < 5000; frame++) {
        viewer_update(viewer, (TrnStreamBudget){.units = 400}, NULL);
        gather_compare_frame(&viewer->compare, world_store(viewer->world), viewer_box(viewer));
        gather_compare_after(&viewer->compare, world_store(viewer->world), viewer_box(viewer));
        if (world_is_idle(viewer->world) && !world_stats(viewer->world).stream.unloading) {
            if (!viewer_draw(viewer, &problem)) {
                fail_msg("%s", problem.text);
            }
            assert_int_equal(viewer->compare.equal, viewer->compare.compared);
            assert_int_equal(glGetError(), GL_NO_ERROR);
            return;
        }
    }
    fail_msg("never done: %s", trn_result_text(world_problem(viewer->world)));
}

/// Sets, and looks whether it came about.
static void apply(Session *session, const Settings *wished)
{
    Message problem;
    assert_true(settings_apply(&session->viewer, &session->settings, wished, &problem));
    assert_string_equal(problem.text, "");
    assert_false(settings_differ(&session->settings, wished));
}

static void dig(const Session *session, TrnVoxel voxel)
{
    assert_int_equal(trn_store_set_block(world_edit_store(session->viewer.world), voxel,
                                         TRN_BLOCK_GOLD_ORE, NULL),
                     TRN_RESULT_OK);
}

static void assert_dug(const Session *session, TrnVoxel voxel)
{
    TrnBlock block;
    assert_int_equal(trn_store_get_block(world_store(session->viewer.world), voxel, &block),
                     TRN_RESULT_OK);
    assert_int_equal(block, TRN_BLOCK_GOLD_ORE);
}

static void what_is_set_comes_about_and_edits_and_place_are_kept(void **state)
{
    (void)state;
    Session session;
    open_session(&session);
    settle(&session);
    const TrnVoxel voxel = {3, 70, 5};
    const TrnPosition place = session.viewer.camera.position;
    const World *world = session.viewer.world;
    const uint32_t there = world_stats(world).stream.shown;
    dig(&session, voxel);
    settle(&session);

    Settings wished = session.settings;
    wished.view_distance = wished.view_height = 6; // larger than before: all is created again
    apply(&session, &wished);
    settle(&session);
    const uint32_t more = world_stats(world).stream.shown;
    assert_true(more > 2 * there);
    assert_dug(&session, voxel);

    const uint64_t made = world_stats(world).stream.generated;
    wished.view_distance = wished.view_height = 3; // smaller: nothing is made
    apply(&session, &wished);
    settle(&session);
    assert_int_equal(world_stats(world).stream.generated, made);
    assert_int_equal(session.settings.view_distance, 3);

    wished.workers = 2;
    wished.memory_mib = 256;
    apply(&session, &wished);
    settle(&session);
    assert_int_equal(world_stats(world).stream.workers, 2);
    assert_int_equal(world_stats(world).stream.bytes_max, (size_t)256 << 20);
    assert_dug(&session, voxel);
    wished.workers = 0;
    wished.memory_mib = 0;
    wished.view_distance = wished.view_height = 6;
    apply(&session, &wished);
    settle(&session);
    assert_int_equal(world_stats(world).stream.shown, more);
    assert_dug(&session, voxel);

    for (int who = GATHER_INDEX; who < GATHER_CHOICES; who++) {
        if (who != GATHER_FLAT_MAP || hash_map_exists(HASH_MAP_FLAT)) {
            wished.lookup = who;
            apply(&session, &wished);
            settle(&session);
        }
    }
    wished.on[LOOK_HAZE] = 0;
    wished.hours = 18.5;
    wished.scale = 0.5;
    wished.debug = LOOK_DEBUG_DEPTH;
    wished.field_of_view = 80;
    wished.update_ms = 3.5;
    apply(&session, &wished);
    const Look look = renderer_look(session.viewer.renderer);
    assert_false(look.on[LOOK_HAZE]);
    assert_true(look.hours == 18.5f && look.scale == 0.5f && look.debug == LOOK_DEBUG_DEPTH);
    settle(&session);
    assert_same_position(session.viewer.camera.position, place);
    viewer_close(&session.viewer);
}

static void a_limit_that_holds_nothing_leaves_all_as_it_was(void **state)
{
    (void)state;
    Session session;
    open_session(&session);
    settle(&session);
    const uint32_t shown = world_stats(session.viewer.world).stream.shown;
    Settings wished = session.settings;
    Message problem;
    wished.memory_mib = 1;
    wished.player.reach = 9;
    assert_true(settings_apply(&session.viewer, &session.settings, &wished, &problem));
    assert_true(problem.text[0] != 0);
    assert_int_equal(session.settings.memory_mib, 0);
    assert_true(session.settings.player.reach == 9); // what is in no way of it comes about
    settle(&session);
    assert_int_equal(world_stats(session.viewer.world).stream.shown, shown);
    viewer_close(&session.viewer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(panels_lie_side_by_side_at_every_size),
        cmocka_unit_test(nothing_lies_over_what_one_reads),
        cmocka_unit_test(the_index_stays_at_the_edge_of_a_window_that_grows),
        cmocka_unit_test(the_help_is_seen_whole_in_windows_of_any_shape),
        cmocka_unit_test(the_menu_lies_over_nothing_and_its_buttons_are_seen_in_every_window),
        cmocka_unit_test(the_menu_has_what_one_changes_most),
        cmocka_unit_test(what_is_set_comes_about_and_edits_and_place_are_kept),
        cmocka_unit_test(a_limit_that_holds_nothing_leaves_all_as_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
