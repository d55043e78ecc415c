// The index view: slices, boxes and steps, compared with the index that they show.

#include "testing.h"

#include <math.h>

#include <index_view/index_slice.h>
#include <index_view/index_view.h>

static const TrnPlaneDef plane_defs[] = {{"drawn", false}, {"wished", true}};
enum { PRESENT, DRAWN, WISHED };

#define FLAT_BYTES ((size_t)16 << 20) // of the array: it is filled with zeroes when it grows

typedef struct Scene {
    TrnChunkIndex *index, *other;
    TrnSpatialArray *flat;
    IndexView view;
    IndexViewPlace place;
} Scene;

static TrnChunkIndex *create_index(uint32_t planes)
{
    TrnChunkIndexDef def = trn_chunk_index_def();
    def.planes = plane_defs;
    def.plane_count = planes;
    TrnChunkIndex *index = NULL;
    assert_int_equal(trn_chunk_index_create(&def, &index), TRN_RESULT_OK);
    return index;
}

static void begin_scene(Scene *scene, TrnCoord camera)
{
    static const char *const names[] = {"first", "second"};
    TrnSpatialArrayDef flat = trn_spatial_array_def(sizeof(uint32_t));
    flat.bytes_max = FLAT_BYTES;
    *scene = (Scene){.index = create_index(2), .other = create_index(1)};
    assert_int_equal(trn_spatial_array_create(&flat, &scene->flat), TRN_RESULT_OK);
    const TrnChunkIndex *const indexes[] = {scene->index, scene->other};
    index_view_begin(&scene->view, names, indexes, 2);
    scene->place = (IndexViewPlace){
        .indexes = {scene->index, scene->other}, .camera = camera, .flat = scene->flat};
}

static void end_scene(Scene *scene)
{
    index_view_free(&scene->view);
    trn_chunk_index_destroy(scene->index);
    trn_chunk_index_destroy(scene->other);
    trn_spatial_array_destroy(scene->flat);
}

static void insert(Scene *scene, TrnCoord coord)
{
    const uint32_t value = 1;
    const TrnResult result = trn_chunk_index_insert(scene->index, coord, value);
    assert_true(result == TRN_RESULT_OK || result == TRN_RESULT_EXISTS);
    assert_int_equal(trn_spatial_array_insert(scene->flat, coord, &value), TRN_RESULT_OK);
}

// ---- slices -------------------------------------------------------------------------------------

typedef struct Painted {
    IndexSlice slice;
    int32_t width, height;
    uint8_t *rgba;
} Painted;

static Painted paint(const IndexView *view, bool from_side, int32_t edge)
{
    Painted painted = {.slice = index_slice_fit(view, from_side, edge)};
    index_slice_size(&painted.slice, &painted.width, &painted.height);
    const size_t bytes = (size_t)painted.width * (size_t)painted.height * 4;
    painted.rgba = malloc(bytes); // to the byte, so that sanitizers see a step beyond it
    assert_non_null(painted.rgba);
    memset(painted.rgba, 0x5A, bytes);
    index_slice_paint(&painted.slice, view, painted.rgba);
    for (size_t i = 3; i < bytes; i += 4) {
        assert_int_equal(painted.rgba[i], 255);
    }
    return painted;
}

/// Returns the middle of a chunk's square, or NULL outside the picture.
static const uint8_t *pixel_of(const Painted *painted, const IndexView *view, TrnCoord chunk)
{
    const IndexSlice *slice = &painted->slice;
    const int64_t right = (int64_t)chunk.x - (view->camera.x & ~7) - (int64_t)slice->first[0] * 8;
    const int64_t down =
        slice->from_side
            ? (view->camera.y & ~7) + 7 - (int64_t)chunk.y - (int64_t)slice->first[1] * 8
            : (int64_t)chunk.z - (view->camera.z & ~7) - (int64_t)slice->first[1] * 8;
    const int64_t x = right * slice->cell + 1 + (slice->cell - 1) / 2;
    const int64_t y = down * slice->cell + 1 + (slice->cell - 1) / 2;
    return x < 0 || y < 0 || x >= painted->width || y >= painted->height
               ? NULL
               : painted->rgba + (y * painted->width + x) * 4;
}

static bool is_colour(const uint8_t *pixel, const uint8_t rgb[3])
{
    return memcmp(pixel, rgb, 3) == 0;
}

/// Checks that exactly those chunks of a slice have the plane's colour that are present and have
/// its bit.
static void assert_slice_same(const Scene *scene, bool from_side, int32_t edge)
{
    const IndexView *view = &scene->view;
    const Painted painted = paint(view, from_side, edge);
    uint8_t plane[3];
    index_view_plane_colour(view->source, view->plane, plane);
    assert_true(painted.slice.cell >= 4); // frames and bars leave the middle of a square alone
    size_t seen = 0;
    for (int32_t i = 0; i < 64 * 64; i++) {
        const int32_t a = i % 64 - 32, b = i / 64 - 32;
        const TrnCoord chunk =
            from_side ? trn_coord_add(view->camera, a, b, 0) : trn_coord_add(view->camera, a, 0, b);
        const uint8_t *pixel = pixel_of(&painted, view, chunk);
        const bool is_set = trn_chunk_index_find(scene->index, chunk, NULL) &&
                            trn_chunk_index_plane_test(scene->index, view->plane, chunk);
        if (!pixel) {
            assert_false(is_set);
        } else {
            assert_int_equal(is_colour(pixel, plane), is_set);
            seen += is_set;
        }
    }
    assert_true(seen > 0);
    free(painted.rgba);
}

static void slices_colour_just_the_chunks_that_have_their_bit(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(5);
    const TrnCoord cameras[] = {
        {0, 0, 0}, {-5, 70, -129}, {INT32_MAX - 12, INT32_MIN + 9, INT32_MAX - 20}};
    for (size_t c = 0; c < 3; c++) {
        Scene scene;
        begin_scene(&scene, cameras[c]);
        for (int i = 0; i < 4000; i++) {
            const TrnCoord coord =
                trn_coord_add(cameras[c], (int32_t)test_random_range(&random, -9, 9),
                              (int32_t)test_random_range(&random, -7, 7),
                              (int32_t)test_random_range(&random, -9, 9));
            insert(&scene, coord);
            if (test_random_next(&random) % 2) {
                assert_int_equal(trn_chunk_index_plane_set(scene.index, DRAWN, coord, true),
                                 TRN_RESULT_OK);
            }
        }
        for (TrnPlane plane = PRESENT; plane <= DRAWN; plane++) {
            index_view_choose(&scene.view, 0, plane);
            index_view_update(&scene.view, &scene.place, true);
            assert_slice_same(&scene, false, 900);
            assert_slice_same(&scene, true, 900);
        }
        end_scene(&scene);
    }
}

static void bits_without_a_chunk_are_dimmed(void **state)
{
    (void)state;
    Scene scene;
    begin_scene(&scene, (TrnCoord){3, 3, 3});
    const TrnCoord wished = {5, 3, 1}, there = {6, 3, 1}, other = {1, 3, 1}, nothing = {1, 3, 4};
    insert(&scene, there);
    insert(&scene, other);
    assert_int_equal(trn_chunk_index_plane_set(scene.index, WISHED, wished, true), TRN_RESULT_OK);
    assert_int_equal(trn_chunk_index_plane_set(scene.index, WISHED, there, true), TRN_RESULT_OK);
    index_view_choose(&scene.view, 0, WISHED);
    index_view_update(&scene.view, &scene.place, true);
    const Painted painted = paint(&scene.view, false, 600);
    uint8_t plane[3];
    index_view_plane_colour(0, WISHED, plane);
    const uint8_t *a = pixel_of(&painted, &scene.view, wished);
    const uint8_t *b = pixel_of(&painted, &scene.view, other);
    const uint8_t *c = pixel_of(&painted, &scene.view, nothing);
    assert_true(is_colour(pixel_of(&painted, &scene.view, there), plane));
    assert_false(is_colour(a, plane));
    assert_false(is_colour(a, b) || is_colour(b, c) || is_colour(a, c) || is_colour(b, plane));
    free(painted.rgba);
    end_scene(&scene);
}

static size_t count_colour(const Painted *painted, IndexViewMark mark)
{
    uint8_t rgb[3];
    size_t count = 0;
    index_view_mark_colour(mark, rgb);
    for (int32_t i = 0; i < painted->width * painted->height; i++) {
        count += is_colour(painted->rgba + (size_t)i * 4, rgb);
    }
    return count;
}

static void frames_stand_around_directory_array_and_outliers(void **state)
{
    (void)state;
    Scene scene;
    begin_scene(&scene, (TrnCoord){3, 0, 3});
    index_view_update(&scene.view, &scene.place, true);
    Painted painted = paint(&scene.view, false, 400); // of nothing
    for (int mark = 0; mark <= INDEX_VIEW_MARK_OUTLIER; mark++) {
        assert_int_equal(count_colour(&painted, (IndexViewMark)mark), 0);
    }
    free(painted.rgba);
    insert(&scene, (TrnCoord){0, 0, 0});
    scene.place.seconds = 1;
    index_view_update(&scene.view, &scene.place, true);
    painted = paint(&scene.view, false, 400);
    // A directory of one page: one frame has a page's edge; that of the array is one chunk wide,
    // under the camera's white one.
    const int32_t edge = TRN_PAGE_EDGE * painted.slice.cell, line = 1 + painted.slice.cell / 4;
    assert_in_range(count_colour(&painted, INDEX_VIEW_MARK_DIRECTORY), (edge - line) * 4 * line,
                    (edge + 2) * 4 * line);
    assert_true(count_colour(&painted, INDEX_VIEW_MARK_FLAT) > 0);
    assert_int_equal(count_colour(&painted, INDEX_VIEW_MARK_OUTLIER), 0);
    free(painted.rgba);
    // A page six pages away is too far for a directory of two.
    assert_int_equal(trn_chunk_index_insert(scene.index, (TrnCoord){48, 0, 0}, 1), TRN_RESULT_OK);
    assert_int_equal(trn_chunk_index_insert(scene.index, (TrnCoord){0, 0, 60}, 1), TRN_RESULT_OK);
    for (int32_t far = 1; far < 6; far++) { // until one is
        const TrnCoord at = {(far & 1) ? -63 : 63, (far & 2) ? -50 : 50, (far & 4) ? -60 : 60};
        (void)trn_chunk_index_insert(scene.index, at, 1);
    }
    const TrnChunkIndexStats stats = trn_chunk_index_stats(scene.index);
    assert_true(stats.outliers > 0);
    scene.place.seconds = 2;
    size_t marked = 0;
    for (size_t i = 0; i < 8; i++) {
        TrnPageFigures pages[16];
        const size_t count = trn_chunk_index_pages(scene.index, trn_box_everything(), pages, 16);
        if (i < count && pages[i].is_outlier) {
            scene.place.camera.y = pages[i].chunk.y;
            scene.place.seconds += 1;
            index_view_update(&scene.view, &scene.place, true);
            painted = paint(&scene.view, false, 700);
            marked += count_colour(&painted, INDEX_VIEW_MARK_OUTLIER) > 0;
            free(painted.rgba);
        }
    }
    assert_int_equal(marked, stats.outliers);
    end_scene(&scene);
}

static void a_pixel_of_a_slice_is_the_chunk_that_is_drawn_there(void **state)
{
    (void)state;
    static const TrnCoord cameras[] = {{0, 0, 0}, {-1, -1, -1}, {5, -9, 77}, {-100, 30, -1000}};
    for (size_t i = 0; i < 2 * sizeof cameras / sizeof cameras[0]; i++) {
        Scene scene;
        const TrnCoord camera = cameras[i / 2];
        const bool from_side = i % 2;
        begin_scene(&scene, camera);
        insert(&scene, camera);
        index_view_update(&scene.view, &scene.place, true);
        const Painted painted = paint(&scene.view, from_side, 268);
        size_t seen = 0;
        for (int32_t k = 0; k < 16 * 16; k++) {
            const int32_t a = k % 16 - 8, b = k / 16 - 8;
            const TrnCoord chunk =
                from_side ? trn_coord_add(camera, a, b, 0) : trn_coord_add(camera, a, 0, b);
            const uint8_t *pixel = pixel_of(&painted, &scene.view, chunk);
            if (pixel) {
                const int32_t at = (int32_t)((pixel - painted.rgba) / 4);
                const TrnCoord found = index_slice_chunk(&painted.slice, &scene.view,
                                                         at % painted.width, at / painted.width);
                assert_true(found.x == chunk.x && found.y == chunk.y && found.z == chunk.z);
                seen++;
            }
        }
        assert_true(seen >= 64);
        free(painted.rgba);
        end_scene(&scene);
    }
}

static void slices_fit_their_edge_at_every_place(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(6);
    for (uint32_t round = 0; round < test_rounds(60, 12); round++) {
        Scene scene;
        const TrnCoord camera = {(int32_t)test_random_next(&random),
                                 (int32_t)test_random_next(&random),
                                 (int32_t)test_random_next(&random)};
        begin_scene(&scene, camera);
        for (int i = 0; i < 30; i++) { // also far away, and beyond the ends of int32
            const int64_t spread = i % 5 ? 40 : 4000;
            const TrnCoord at =
                trn_coord_add(camera, (int32_t)test_random_range(&random, -spread, spread),
                              (int32_t)test_random_range(&random, -spread, spread),
                              (int32_t)test_random_range(&random, -spread, spread));
            (void)trn_chunk_index_insert(scene.index, at, 1);
            (void)trn_spatial_array_insert(scene.flat, at, &(uint32_t){1});
        }
        index_view_update(&scene.view, &scene.place, true);
        const int32_t edge = (int32_t)test_random_range(&random, 1, 700);
        for (int from_side = 0; from_side < 2; from_side++) {
            const Painted painted = paint(&scene.view, from_side, edge);
            assert_in_range(painted.slice.cell, 1, 32);
            assert_true(painted.slice.cell == 1 ||
                        (painted.width <= edge && painted.height <= edge));
            assert_true(painted.width <= 17 * 8 * painted.slice.cell + 1);
            free(painted.rgba);
        }
        int width, height;
        unsigned char *both = index_slice_picture(&scene.view, edge, &width, &height);
        assert_non_null(both);
        assert_true(width > 2 * edge && height == edge);
        free(both);
        end_scene(&scene);
    }
}

// ---- levels -------------------------------------------------------------------------------------

#define LEVELS 3 // with level 0
#define RING 5   // chunks of each level around the camera, to each side

static bool is_in_ring(TrnCoord camera, TrnCoord chunk, uint32_t level)
{
    return abs((chunk.x >> level) - (camera.x >> level)) <= RING &&
           abs((chunk.z >> level) - (camera.z >> level)) <= RING;
}

/// A slice shows each place in the colour of the finest level that has it.
static void levels_lie_around_each_other(void **state)
{
    (void)state;
    Scene scene;
    const TrnCoord camera = {-1003, -70, 517};
    begin_scene(&scene, camera);
    TrnChunkIndex *const all[LEVELS] = {scene.index, create_index(2), create_index(2)};
    for (uint32_t level = 0; level < LEVELS; level++) {
        const TrnCoord here = {camera.x >> level, camera.y >> level, camera.z >> level};
        for (int i = 0; i < (2 * RING + 1) * (2 * RING + 1); i++) {
            const TrnCoord at =
                trn_coord_add(here, i % (2 * RING + 1) - RING, 0, i / (2 * RING + 1) - RING);
            assert_int_equal(trn_chunk_index_insert(all[level], at, 1), TRN_RESULT_OK);
        }
        scene.place.levels[level] = level + 1 < LEVELS ? all[level + 1] : NULL;
    }
    scene.place.level_count = LEVELS - 1;
    index_view_choose(&scene.view, index_view_add_levels(&scene.view), PRESENT);
    index_view_update(&scene.view, &scene.place, true);
    const Painted painted = paint(&scene.view, false, 500);
    const int32_t coarsest = LEVELS - 1, cell = painted.slice.cell;
    assert_true(painted.slice.level == LEVELS - 1 && cell >= 4 << coarsest);
    size_t seen[LEVELS + 1] = {0};
    for (int32_t i = 0; i < 64 * 64; i++) {
        const TrnCoord chunk = trn_coord_add(camera, i % 64 - 32, 0, i / 64 - 32);
        const int32_t x = (chunk.x * cell >> coarsest) -
                          ((camera.x >> coarsest >> 3) + painted.slice.first[0]) * 8 * cell +
                          cell / 8;
        const int32_t z = (chunk.z * cell >> coarsest) -
                          ((camera.z >> coarsest >> 3) + painted.slice.first[1]) * 8 * cell +
                          cell / 8;
        uint32_t level = 0;
        uint8_t rgb[3];
        while (level < LEVELS && !is_in_ring(camera, chunk, level)) {
            level++;
        }
        seen[level]++;
        index_view_level_colour(level, rgb);
        if (level < LEVELS && !trn_coord_equal(chunk, camera)) { // that has a frame
            assert_true(is_colour(&painted.rgba[(size_t)(z * painted.width + x) * 4], rgb));
        }
    }
    assert_true(seen[0] && seen[1] && seen[2]);
    // Boxes of coarse pages are as much larger.
    const IndexView *view = &scene.view;
    for (size_t i = 0; i < view->lines.count; i++) {
        const float edge = view->boxes[i].high[0] - view->boxes[i].low[0];
        assert_true(fabsf(edge - (float)(254 << view->bits[i].level)) < 1);
    }
    free(painted.rgba);
    trn_chunk_index_destroy(all[1]);
    trn_chunk_index_destroy(all[2]);
    end_scene(&scene);
}

// ---- boxes --------------------------------------------------------------------------------------

static void every_page_has_a_box_where_it_stands(void **state)
{
    (void)state;
    Scene scene;
    begin_scene(&scene, (TrnCoord){-100, 7, 2000000000});
    for (int32_t i = 0; i < 4; i++) {
        insert(&scene, trn_coord_add(scene.place.camera, 8 * i, 0, -8 * i));
    }
    index_view_update(&scene.view, &scene.place, true);
    const BoxLines *lines = &scene.view.lines;
    assert_int_equal(scene.view.page_count, 4);
    assert_int_equal(lines->count, 6); // and both extents
    assert_true(trn_coord_equal(lines->origin, scene.place.camera));
    for (size_t i = 0; i < 4; i++) {
        const TrnCoord chunk = scene.view.figures[i].chunk;
        const float x = (float)(((int64_t)chunk.x - lines->origin.x) * TRN_CHUNK_EDGE);
        assert_true(fabsf(lines->boxes[i].low[0] - x) < 8);
        assert_true(fabsf(lines->boxes[i].high[0] - (x + 8 * TRN_CHUNK_EDGE)) < 8);
        for (int axis = 0; axis < 3; axis++) {
            assert_true(lines->boxes[i].low[axis] < lines->boxes[i].high[axis]);
        }
    }
    // Boxes that are sent again have another revision.
    const uint64_t revision = lines->revision;
    scene.place.seconds = 5;
    index_view_update(&scene.view, &scene.place, true);
    assert_true(lines->revision != revision);
    end_scene(&scene);
}

static void fuller_pages_are_brighter(void **state)
{
    (void)state;
    int before = -1;
    for (int i = -1; i <= 11; i++) {
        uint8_t rgb[3];
        index_view_fill_colour(i / 10.0, rgb);
        const int light = 2 * rgb[0] + 7 * rgb[1] + rgb[2];
        assert_true(light > before || i == 0 || i == 11);
        before = light;
    }
}

// ---- when it looks ------------------------------------------------------------------------------

static void it_looks_ten_times_a_second_and_only_where_it_is_shown(void **state)
{
    (void)state;
    Scene scene;
    begin_scene(&scene, (TrnCoord){0, 0, 0});
    for (int frame = 0; frame < 100; frame++) {
        scene.place.seconds = frame / 100.0;
        index_view_update(&scene.view, &scene.place, false);
    }
    assert_int_equal(scene.view.revision, 0);
    for (int frame = 0; frame < 100; frame++) {
        scene.place.seconds = 1 + frame / 100.0;
        index_view_update(&scene.view, &scene.place, true);
    }
    assert_in_range(scene.view.revision, 9, 11);
    const uint64_t before = scene.view.revision;
    index_view_choose(&scene.view, 0, DRAWN); // at once, then
    index_view_update(&scene.view, &scene.place, true);
    assert_int_equal(scene.view.revision, before + 1);
    end_scene(&scene);
}

static void planes_are_gone_through_in_a_circle(void **state)
{
    (void)state;
    Scene scene;
    begin_scene(&scene, (TrnCoord){0, 0, 0});
    const char *const labels[] = {"first: drawn", "first: wished", "second: present",
                                  "second: drawn", "first: present"};
    for (size_t i = 0; i < 5; i++) {
        Message label;
        index_view_choose_next(&scene.view);
        assert_true(
            index_view_plane_label(&scene.view, scene.view.source, scene.view.plane, &label));
        assert_string_equal(label.text, labels[i]);
    }
    Message label;
    index_view_choose(&scene.view, 0, 3); // there are none of these
    index_view_choose(&scene.view, 2, 0);
    assert_int_equal(scene.view.source, 0);
    assert_int_equal(scene.view.plane, 0);
    assert_false(index_view_plane_label(&scene.view, 1, 2, &label));
    end_scene(&scene);
}

// ---- steps --------------------------------------------------------------------------------------

static uint32_t count_steps(const IndexView *view, uint32_t source)
{
    uint32_t count = 0;
    IndexViewStep step;
    for (uint32_t back = 0; index_view_step(view, back, &step); back++) {
        count += step.source == source;
    }
    return count;
}

static void steps_are_noted_once_and_told_in_words(void **state)
{
    (void)state;
    Scene scene;
    IndexViewStep step;
    Message line;
    begin_scene(&scene, (TrnCoord){0, 0, 0});
    index_view_update(&scene.view, &scene.place, false);
    assert_false(index_view_step(&scene.view, 0, &step));
    insert(&scene, (TrnCoord){0, 0, 0});
    scene.place.seconds = 1.5;
    for (int i = 0; i < 3; i++) {
        index_view_update(&scene.view, &scene.place, false);
    }
    assert_int_equal(count_steps(&scene.view, 0), 1);
    assert_int_equal(count_steps(&scene.view, 2), 1); // of the flat array
    insert(&scene, (TrnCoord){-1, 0, 0});
    insert(&scene, (TrnCoord){8, 0, 0});
    scene.place.seconds = 2.25;
    index_view_update(&scene.view, &scene.place, false);
    assert_int_equal(count_steps(&scene.view, 0), 3);
    assert_int_equal(count_steps(&scene.view, 1), 0);
    bool found = false;
    for (uint32_t back = 0; index_view_step(&scene.view, back, &step); back++) {
        index_view_describe_step(&scene.view, &step, &line);
        found |= strstr(line.text, "2.2") && strstr(line.text, "first") &&
                 strstr(line.text, "1x1x1 -> 2x1x1") && strstr(line.text, "us");
    }
    assert_true(found);
    end_scene(&scene);
}

static void another_index_in_the_place_of_one_is_heard_from_its_beginning(void **state)
{
    (void)state;
    Scene scene;
    begin_scene(&scene, (TrnCoord){0, 0, 0});
    insert(&scene, (TrnCoord){0, 0, 0});
    insert(&scene, (TrnCoord){-1, 0, 0});
    index_view_update(&scene.view, &scene.place, true);
    assert_int_equal(count_steps(&scene.view, 0), 2);
    trn_chunk_index_destroy(scene.index);
    scene.index = create_index(2);
    scene.place.indexes[0] = scene.index;
    assert_int_equal(trn_chunk_index_insert(scene.index, (TrnCoord){9, 9, 9}, 1), TRN_RESULT_OK);
    index_view_update(&scene.view, &scene.place, true);
    assert_int_equal(count_steps(&scene.view, 0), 3);
    end_scene(&scene);
}

static void only_the_last_steps_are_kept(void **state)
{
    (void)state;
    Scene scene;
    IndexViewStep step;
    begin_scene(&scene, (TrnCoord){0, 0, 0});
    for (int32_t i = 0; i < 50; i++) {
        const TrnBox box = {{-8 * i - 8, 0, 0}, {8 * i, 0, 0}};
        assert_int_equal(trn_chunk_index_reserve(scene.index, box), TRN_RESULT_OK);
        scene.place.seconds = i;
        index_view_update(&scene.view, &scene.place, false);
    }
    for (uint32_t back = 0; back < INDEX_VIEW_STEPS_MAX; back++) {
        assert_true(index_view_step(&scene.view, back, &step));
        assert_int_equal(step.to.max.x, 49 - (int32_t)back);
    }
    assert_false(index_view_step(&scene.view, INDEX_VIEW_STEPS_MAX, &step));
    end_scene(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slices_colour_just_the_chunks_that_have_their_bit),
        cmocka_unit_test(bits_without_a_chunk_are_dimmed),
        cmocka_unit_test(frames_stand_around_directory_array_and_outliers),
        cmocka_unit_test(a_pixel_of_a_slice_is_the_chunk_that_is_drawn_there),
        cmocka_unit_test(slices_fit_their_edge_at_every_place),
        cmocka_unit_test(levels_lie_around_each_other),
        cmocka_unit_test(every_page_has_a_box_where_it_stands),
        cmocka_unit_test(fuller_pages_are_brighter),
        cmocka_unit_test(it_looks_ten_times_a_second_and_only_where_it_is_shown),
        cmocka_unit_test(planes_are_gone_through_in_a_circle),
        cmocka_unit_test(steps_are_noted_once_and_told_in_words),
        cmocka_unit_test(another_index_in_the_place_of_one_is_heard_from_its_beginning),
        cmocka_unit_test(only_the_last_steps_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
