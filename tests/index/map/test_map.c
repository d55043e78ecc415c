// The map of pages: against a model while the directory and the list of outlier pages are rebuilt
// in steps, with readers in old versions, without memory, and with different keys in lockstep.

#include "page_world.h"

#include "index/map/map_shape.h"

#define MODEL_MAX 30000
#define FOUND_MAX 60000

/// A page of the model.
typedef struct ModelPage {
    TrnPage *page;
    uint64_t since; ///< step at which it was added
} ModelPage;

/// A version that a fake reader holds since a step.
typedef struct Held {
    TrnMap *map; ///< NULL: the reader is in no section
    uint64_t since;
} Held;

typedef struct MapWorld {
    PageWorld world;
    TrnMap *map;
    ModelPage pages[MODEL_MAX];
    uint32_t count;
    uint64_t step;
    Held held[PAGE_WORLD_READERS];
    uint32_t versions, failures;
} MapWorld;

static MapWorld *map_world(uint64_t key)
{
    MapWorld *made = calloc(1, sizeof *made);
    assert_non_null(made);
    page_world_open(&made->world);
    assert_int_equal(trn_map_create(&made->world.memory, (size_t)1 << 30, key, &made->map),
                     TRN_RESULT_OK);
    return made;
}

static void map_world_close(MapWorld *world)
{
    for (uint32_t i = 0; i < PAGE_WORLD_READERS; i++) {
        page_world_leave(&world->world, i);
    }
    for (uint32_t i = 0; i < world->count; i++) {
        page_world_free(world->pages[i].page, NULL);
    }
    trn_retire_reclaim(&world->world.retire);
    trn_map_destroy(world->map);
    page_world_close(&world->world);
    free(world);
}

static void map_world_publish(MapWorld *world, TrnMap *next)
{
    TrnMap *old = world->map;
    if (next != old) {
        world->map = next;
        world->versions++;
        trn_map_retire(old, next);
    }
}

static TrnPage *map_world_find(const MapWorld *world, TrnCoord at)
{
    return trn_map_find(world->map, at.x, at.y, at.z);
}

/// Adds a page if there is none.
static void map_world_add(MapWorld *world, TrnCoord coord)
{
    if (map_world_find(world, coord) || world->count == MODEL_MAX) {
        return;
    }
    TrnPage *page = page_world_page(coord);
    TrnMap *next;
    world->step++;
    const TrnResult result = trn_map_add(world->map, page, &next);
    if (result == TRN_RESULT_OK) {
        world->pages[world->count++] = (ModelPage){page, world->step};
        map_world_publish(world, next);
    } else {
        assert_int_equal(result, TRN_RESULT_NO_MEMORY);
        assert_true(world->world.counts.fail_at > 0);
        world->failures++;
        page_world_free(page, NULL);
    }
    assert_true((map_world_find(world, coord) == page) == (result == TRN_RESULT_OK));
}

static void map_world_remove(MapWorld *world, uint32_t i)
{
    TrnPage *page = world->pages[i].page;
    const TrnCoord coord = trn_page_coord_of(page);
    TrnMap *next;
    world->step++;
    trn_map_remove(world->map, page);
    world->pages[i] = world->pages[--world->count];
    page_world_retire(&world->world, page);
    trn_map_fit(world->map, &next);
    map_world_publish(world, next);
    assert_null(map_world_find(world, coord));
}

static void map_world_replace(MapWorld *world, uint32_t i)
{
    TrnPage *page = world->pages[i].page;
    TrnPage *other = page_world_page(trn_page_coord_of(page));
    trn_map_replace(world->map, page, other);
    world->pages[i].page = other;
    page_world_retire(&world->world, page);
    assert_ptr_equal(map_world_find(world, trn_page_coord_of(other)), other);
}

// ---- checks ------------------------------------------------------------------------------------

static int compare_coords(const void *a, const void *b)
{
    const TrnCoord *one = a, *two = b;
    const int y = (one->y > two->y) - (one->y < two->y), z = (one->z > two->z) - (one->z < two->z);
    return y ? y : z ? z : (one->x > two->x) - (one->x < two->x);
}

/// Walks a box in a version. Checks that every page that was there since `since` is returned
/// exactly once, and none twice.
static void assert_walk(const MapWorld *world, const TrnMap *map, TrnBox box, uint64_t since,
                        bool is_current)
{
    static TrnCoord found[FOUND_MAX];
    size_t count = 0;
    TrnMapWalk walk = trn_map_walk(map, box);
    for (const TrnPage *page; (page = trn_map_walk_next(&walk));) {
        assert_true(count < FOUND_MAX);
        found[count++] = trn_page_coord_of(page);
        assert_true(trn_box_contains(box, found[count - 1]));
    }
    qsort(found, count, sizeof *found, compare_coords);
    for (size_t i = 1; i < count; i++) {
        assert_int_not_equal(compare_coords(&found[i - 1], &found[i]), 0);
    }
    size_t expected = 0;
    for (uint32_t i = 0; i < world->count; i++) {
        const TrnCoord coord = trn_page_coord_of(world->pages[i].page);
        if (trn_box_contains(box, coord) && world->pages[i].since <= since) {
            assert_non_null(bsearch(&coord, found, count, sizeof *found, compare_coords));
            expected++;
        }
    }
    if (is_current) {
        assert_int_equal(count, expected);
    }
}

static TrnBox random_box(const MapWorld *world, TestRandom *random)
{
    TrnCoord centre = {0, 0, 0};
    if (world->count > 0) {
        centre = trn_page_coord_of(world->pages[test_random_next(random) % world->count].page);
    }
    const int32_t radius = (int32_t)test_random_range(random, 0, 6);
    const TrnBox box = trn_box_around(centre, radius, radius, radius);
    return test_random_next(random) % 4 == 0 ? trn_page_box(trn_box_everything()) : box;
}

static void assert_like_the_model(const MapWorld *world, TestRandom *random)
{
    assert_walk(world, world->map, random_box(world, random), world->step, true);
    for (uint32_t i = 0; i < world->count; i++) {
        TrnPage *page = world->pages[i].page;
        assert_ptr_equal(map_world_find(world, trn_page_coord_of(page)), page);
    }
    const TrnMapFigures figures = trn_map_figures(world->map);
    assert_int_equal(figures.pages, world->count);
    assert_int_equal(figures.pages, figures.outliers + figures.directory_pages);
    assert_int_equal(world->world.memory.bytes + trn_retire_own_bytes(&world->world.retire),
                     world->world.counts.live_bytes);
    for (uint32_t reader = 0; reader < PAGE_WORLD_READERS; reader++) {
        const Held *held = &world->held[reader];
        if (held->map) {
            assert_walk(world, held->map, random_box(world, random), held->since, false);
            for (uint32_t i = 0; i < world->count; i += 7) {
                const TrnCoord at = trn_page_coord_of(world->pages[i].page);
                const TrnPage *page = trn_map_find(held->map, at.x, at.y, at.z);
                assert_true(world->pages[i].since > held->since || page);
                assert_true(!page || trn_coord_equal(trn_page_coord_of(page), at));
            }
        }
    }
}

/// Lets fake readers enter and leave.
static void random_reader(MapWorld *world, TestRandom *random)
{
    const uint32_t reader = (uint32_t)(test_random_next(random) % PAGE_WORLD_READERS);
    Held *held = &world->held[reader];
    if (held->map) {
        page_world_leave(&world->world, reader);
        *held = (Held){0};
    } else {
        page_world_enter(&world->world, reader);
        *held = (Held){world->map, world->step};
    }
}

// ---- scenes ------------------------------------------------------------------------------------

enum { SCENE_BALL, SCENE_STRIDE, SCENE_FAR, SCENE_MOVE, SCENE_ENDS, SCENE_LINE, SCENES };

/// Returns a coordinate where a scene puts its next page.
static TrnCoord scene_coord(TestRandom *random, int scene, int32_t at, int32_t stride)
{
    const int32_t end = INT32_MAX >> TRN_PAGE_SHIFT;
    const int32_t x = (int32_t)test_random_range(random, -4, 4);
    const int32_t y = (int32_t)test_random_range(random, -3, 3);
    const int32_t z = (int32_t)test_random_range(random, -4, 4);
    switch (scene) {
    case SCENE_STRIDE:
        return (TrnCoord){x * stride, y * stride, z * stride};
    case SCENE_FAR:
        return (TrnCoord){(int32_t)test_random_range(random, -end - 1, end), at,
                          (int32_t)test_random_range(random, -end - 1, end)};
    case SCENE_MOVE:
        return (TrnCoord){x + at, y, z - at / 2};
    case SCENE_ENDS:
        return (TrnCoord){x > 0 ? end - x : -end - 1 - x, y > 0 ? end - y : -end - 1 - y, z};
    case SCENE_LINE:
        return (TrnCoord){at, 5, 5};
    default:
        return (TrnCoord){x + 100, y, z};
    }
}

/// Runs one scene: adds pages, then removes some or all.
static void run_scene(MapWorld *world, TestRandom *random)
{
    const int scene = (int)(test_random_next(random) % SCENES);
    const int32_t strides[] = {1, 2, 4, 128};
    const int32_t stride = strides[test_random_next(random) % 4];
    const int32_t length = (int32_t)test_random_range(random, 1, 400);
    const int32_t start = (int32_t)test_random_range(random, -500, 500);
    for (int32_t i = 0; i < length; i++) {
        map_world_add(world, scene_coord(random, scene, start + i, stride));
        if (scene == SCENE_MOVE && world->count > 60) {
            map_world_remove(world, (uint32_t)(test_random_next(random) % world->count));
        }
        if (world->count > 0 && test_random_next(random) % 8 == 0) {
            map_world_replace(world, (uint32_t)(test_random_next(random) % world->count));
        }
        if (test_random_next(random) % 50 == 0) {
            random_reader(world, random);
        }
    }
    const uint32_t left = test_random_next(random) % 3 == 0 ? 0 : world->count * 3 / 4;
    while (world->count > left) {
        map_world_remove(world, (uint32_t)(test_random_next(random) % world->count));
    }
}

static void scenes_agree_with_a_model(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(51);
    MapWorld *world = map_world(test_random_next(&random));
    for (uint32_t round = 0; round < test_rounds(1200, 150); round++) {
        run_scene(world, &random);
        assert_like_the_model(world, &random);
    }
    print_message("  %u versions\n", world->versions);
    assert_true(world->versions > 100);
    map_world_close(world);
}

static void scenes_survive_refused_memory(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(52);
    MapWorld *world = map_world(test_random_next(&random));
    for (uint32_t round = 0; round < test_rounds(1500, 200); round++) {
        const size_t at = (size_t)test_random_range(&random, 1, 60);
        test_fail(&world->world.counts, at, at + (size_t)(test_random_next(&random) % 40));
        run_scene(world, &random);
        test_fail(&world->world.counts, 0, 0);
        assert_like_the_model(world, &random);
    }
    print_message("  %u additions had no memory\n", world->failures);
    assert_true(world->failures > 50);
    map_world_close(world);
}

/// Large worlds, whose directory takes many writes to build.
static void long_builds_agree_with_a_model(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(53);
    MapWorld *world = map_world(test_random_next(&random));
    const int32_t edge = TEST_HAS_SANITIZER ? 18 : 28;
    for (int32_t y = 0; y < edge; y++) {
        for (int32_t z = 0; z < edge; z++) {
            for (int32_t x = 0; x < edge; x++) {
                map_world_add(world, (TrnCoord){x, y, z});
                if (test_random_next(&random) % 16 == 0) {
                    map_world_remove(world, (uint32_t)(test_random_next(&random) % world->count));
                }
                if (test_random_next(&random) % 200 == 0) {
                    random_reader(world, &random);
                }
            }
        }
        assert_like_the_model(world, &random);
    }
    const TrnMapFigures full = trn_map_figures(world->map);
    print_message("  %zu pages, %zu outliers, %zu cells\n", full.pages, full.outliers,
                  full.directory_cells);
    assert_true(full.outliers < full.pages / 20);
    assert_true(full.directory_cells <= 8 * full.pages);
    while (world->count > 10) {
        map_world_remove(world, (uint32_t)(test_random_next(&random) % world->count));
        if (world->count % 1000 == 0) {
            assert_like_the_model(world, &random);
        }
    }
    for (int i = 0; i < 1000; i++) { // what was started is finished
        map_world_add(world, (TrnCoord){edge + 1, 0, 0});
        map_world_remove(world, world->count - 1);
    }
    assert_true(trn_map_figures(world->map).directory_cells < 1024);
    map_world_close(world);
}

/// Walks two versions in lockstep.
static void assert_same_order(const TrnMap *a, const TrnMap *b, TrnBox box)
{
    TrnMapWalk one = trn_map_walk(a, box), two = trn_map_walk(b, box);
    for (const TrnPage *page; (page = trn_map_walk_next(&one));) {
        const TrnPage *other = trn_map_walk_next(&two);
        assert_non_null(other);
        assert_true(trn_coord_equal(trn_page_coord_of(page), trn_page_coord_of(other)));
    }
    assert_null(trn_map_walk_next(&two));
}

static void no_order_depends_on_the_key(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(54);
    MapWorld *one = map_world(1), *two = map_world(test_random_next(&random));
    for (uint32_t round = 0; round < test_rounds(300, 60); round++) {
        TestRandom same = random;
        run_scene(one, &random);
        run_scene(two, &same);
        assert_same_order(one->map, two->map, random_box(one, &random));
        assert_same_order(one->map, two->map, trn_page_box(trn_box_everything()));
        assert_int_equal(trn_map_figures(one->map).outliers, trn_map_figures(two->map).outliers);
    }
    map_world_close(one);
    map_world_close(two);
}

/// Returns the figures of a ball of pages that comes after a number of far pages.
static TrnMapFigures ball_after_far_pages(int32_t radius, uint32_t far)
{
    TestRandom random = {far};
    MapWorld *world = map_world(9);
    for (uint32_t i = 0; i < far; i++) {
        map_world_add(world, scene_coord(&random, SCENE_FAR, (int32_t)i * 31, 1));
    }
    const uint32_t crowd = world->count;
    for (int32_t y = -radius; y <= radius; y++) {
        for (int32_t z = -radius; z <= radius; z++) {
            for (int32_t x = -radius; x <= radius; x++) {
                if (x * x + y * y + z * z <= radius * radius) {
                    map_world_add(world, (TrnCoord){x, y, z});
                }
            }
        }
    }
    TrnMapFigures figures = trn_map_figures(world->map);
    figures.outliers -= far ? crowd : 0;
    figures.pages -= crowd;
    map_world_close(world);
    return figures;
}

static void balls_lie_in_the_directory(void **state)
{
    (void)state;
    for (int32_t radius = 1; radius <= 9; radius++) {
        const TrnMapFigures alone = ball_after_far_pages(radius, 0);
        assert_int_equal(alone.outliers, 0);
        assert_true(alone.directory_cells <= TRN_MAP_CELLS_PER_PAGE * alone.pages);
        const TrnMapFigures late = ball_after_far_pages(radius, 2000);
        assert_true(late.directory_cells <= TRN_MAP_CELLS_PER_PAGE * late.pages);
        // All but what came while the last directory was being built.
        assert_true(radius < 2 || late.outliers <= late.pages / 64);
    }
}

/// A new directory for each layer would be 4 or more of them a shell.
static void growth_on_all_sides_keeps_slack(void **state)
{
    (void)state;
    MapWorld *world = map_world(9);
    const int32_t shells = 10;
    for (int32_t shell = 0; shell < shells; shell++) {
        for (int32_t y = -shell; y <= shell; y++) {
            for (int32_t z = -shell; z <= shell; z++) {
                const bool is_face = abs(y) == shell || abs(z) == shell || shell == 0;
                for (int32_t x = -shell; x <= shell; x += is_face ? 1 : 2 * shell) {
                    map_world_add(world, (TrnCoord){x, y, z});
                }
            }
        }
    }
    const TrnMapFigures figures = trn_map_figures(world->map);
    assert_int_equal(figures.outliers, 0);
    assert_true(figures.directory_cells <= TRN_MAP_CELLS_PER_PAGE * figures.pages);
    assert_true(figures.directory_growths <= 2 * (uint32_t)shells);
    map_world_close(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scenes_agree_with_a_model),
        cmocka_unit_test(scenes_survive_refused_memory),
        cmocka_unit_test(long_builds_agree_with_a_model),
        cmocka_unit_test(no_order_depends_on_the_key),
        cmocka_unit_test(balls_lie_in_the_directory),
        cmocka_unit_test(growth_on_all_sides_keeps_slack),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
