/// The map of a world: what it shows of land that was seen, built on and only generated, in which
/// order its tiles are drawn, and where a traveller lands.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "place.h"
#include "unseen_world.h"

#include <map/seen_land.h>
#include <map/world_map.h>
#include <terrane/batch.h>

typedef struct Fixture {
    Place *place;
    TrnBlockTypes *types;
    Keep *keep;
    World *world;
    SeenLand seen;
    WorldMap *map;
} Fixture;

static void fixture_note(void *user, TrnCoord coord, TrnChunk *chunk)
{
    Fixture *fixture = user;
    if (chunk) {
        seen_land_note(&fixture->seen, coord);
    }
}

/// @param path  of a world file; NULL: none
static void open_fixture(Fixture *fixture, const char *path, bool is_empty)
{
    Message problem;
    WorldFacts facts = world_facts();
    facts.has_terrain = !is_empty;
    *fixture = (Fixture){.types = NULL};
    assert_int_equal(trn_block_types_create_builtin(NULL, &fixture->types), TRN_RESULT_OK);
    const KeepDef keep = {.path = path, .facts = &facts, .types = fixture->types};
    assert_true(keep_open(&fixture->keep, &keep, &problem));
    const WorldDef def = {.terrain = trn_terrain_def(),
                          .view_distance = 2,
                          .view_height = 2,
                          .is_empty = is_empty,
                          .keep = fixture->keep,
                          .types = fixture->types,
                          .sink = {fixture, unseen_show, unseen_hide, fixture_note, unseen_place}};
    assert_true(world_create(&fixture->world, &def, &problem));
    assert_true(seen_land_create(&fixture->seen, fixture->world, fixture->keep, fixture->types));
    fixture->map = world_map_create(&fixture->seen);
    assert_non_null(fixture->map);
}

static void close_fixture(Fixture *fixture)
{
    world_map_destroy(fixture->map);
    seen_land_free(&fixture->seen);
    world_destroy(fixture->world);
    keep_close(fixture->keep);
    trn_block_types_destroy(fixture->types);
}

static void stand(Fixture *fixture, double x, double z)
{
    const Camera camera = camera_at((const double[5]){x, 60, z, 0, 0});
    world_load_all(fixture->world, &camera);
}

static void draw(Fixture *fixture, const WorldMapView *view)
{
    int works = 0;
    while (world_map_work(fixture->map, view, 20)) {
        assert_true(++works < 10000);
    }
}

/// Returns the pixel of a column at a zoom, or NULL if its tile is not drawn.
static const uint8_t *pixel(const Fixture *fixture, int zoom, int64_t x, int64_t z)
{
    const int64_t edge = WORLD_MAP_EDGE, scale = world_map_scale(zoom);
    for (int i = 0; i < WORLD_MAP_TILES; i++) {
        const WorldMapTile tile = world_map_tile(fixture->map, i);
        const int64_t right = x - tile.x * edge * scale, down = z - tile.z * edge * scale;
        if (tile.picture && tile.zoom == zoom && right >= 0 && right < edge * scale && down >= 0 &&
            down < edge * scale) {
            return tile.rgb + ((down / scale) * edge + right / scale) * 3;
        }
    }
    return NULL;
}

static int brightness(const uint8_t *rgb)
{
    assert_non_null(rgb);
    return rgb[0] + rgb[1] + rgb[2];
}

/// The mean over a square of 8 x 8 columns: inside of a roof, whose edges are shaded.
static int mean(const Fixture *fixture, int zoom, int64_t x, int64_t z)
{
    int sum = 0;
    for (int i = 0; i < 64; i++) {
        sum += brightness(pixel(fixture, zoom, x + i % 8, z + i / 8));
    }
    return sum / 64;
}

static void build_roof(Fixture *fixture, int64_t x, int64_t z, TrnBlock block)
{
    TrnBatch *batch;
    assert_int_equal(trn_batch_begin(world_edit_store(fixture->world), NULL, &batch),
                     TRN_RESULT_OK);
    assert_int_equal(
        trn_batch_fill_box(batch, (TrnVoxel){x, 124, z}, (TrnVoxel){x + 31, 124, z + 31}, block),
        TRN_RESULT_OK);
    assert_int_equal(trn_batch_commit(batch, NULL), TRN_RESULT_OK);
}

static const WorldMapView AROUND = {.zoom = 0, .width = 300, .height = 200};

static void a_roof_is_on_the_map_at_all_zooms_and_later(void **state)
{
    (void)state;
    Fixture fixture;
    open_fixture(&fixture, NULL, false);
    stand(&fixture, 0, 0);
    draw(&fixture, &AROUND);
    const int before = mean(&fixture, 0, 20, 20);
    build_roof(&fixture, 8, 8, TRN_BLOCK_SNOW);
    world_map_refresh(fixture.map, trn_box_around((TrnCoord){0, 0, 0}, 4, 4, 4));
    assert_int_equal(mean(&fixture, 0, 20, 20), before); // the old picture stays until then
    draw(&fixture, &AROUND);
    const int roof = mean(&fixture, 0, 20, 20);
    assert_true(roof > 600 && before < 500);
    stand(&fixture, 3000, 0); // unloads it
    assert_null(trn_store_find(world_store(fixture.world), (TrnCoord){0, 3, 0}));
    for (int zoom = 0; zoom < 4; zoom++) {
        WorldMapView view = AROUND;
        view.zoom = zoom;
        world_map_refresh(fixture.map, trn_box_around((TrnCoord){93, 0, 0}, 4, 4, 4));
        draw(&fixture, &view);
        assert_in_range(mean(&fixture, zoom, 20, 20), roof - 30, roof + 30);
    }
    close_fixture(&fixture);
}

static void land_that_was_not_seen_is_darker(void **state)
{
    (void)state;
    Fixture fixture;
    open_fixture(&fixture, NULL, false);
    draw(&fixture, &AROUND);
    const int unseen = mean(&fixture, 0, 20, 20);
    stand(&fixture, 0, 0);
    world_map_refresh(fixture.map, trn_box_around((TrnCoord){0, 0, 0}, 4, 4, 4));
    draw(&fixture, &AROUND);
    assert_true(mean(&fixture, 0, 20, 20) * 2 > unseen * 3);
    assert_in_range(mean(&fixture, 0, -120, -90), 1, 500);
    close_fixture(&fixture);
}

static void a_world_file_remembers_what_was_seen(void **state)
{
    char path[PLACE_PATH];
    place_path(*state, "a.world", path);
    Fixture fixture;
    open_fixture(&fixture, path, false);
    stand(&fixture, 0, 0);
    build_roof(&fixture, 8, 8, TRN_BLOCK_SNOW);
    assert_int_equal(world_save(fixture.world, 60), TRN_RESULT_OK);
    close_fixture(&fixture);
    open_fixture(&fixture, path, false);
    stand(&fixture, 3000, 0);
    draw(&fixture, &AROUND);
    assert_true(mean(&fixture, 0, 20, 20) > 600);
    assert_true(seen_land_has(&fixture.seen, 0, 0) && !seen_land_has(&fixture.seen, 40, 0));
    close_fixture(&fixture);
}

static void work_is_in_pieces_and_begins_in_the_middle(void **state)
{
    (void)state;
    Fixture fixture;
    open_fixture(&fixture, NULL, false);
    const WorldMapView view = {
        .center = {INT64_C(128) * 16, INT64_C(128) * 16}, .zoom = 4, .width = 900, .height = 700};
    int works = 0;
    while (!pixel(&fixture, 4, INT64_C(128) * 16, INT64_C(128) * 16)) {
        assert_true(world_map_work(fixture.map, &view, 0.001));
        assert_true(++works < 10000);
    }
    assert_true(works > 16); // not all in one
    assert_null(pixel(&fixture, 4, INT64_C(300) * 16, INT64_C(128) * 16));
    draw(&fixture, &view);
    assert_non_null(pixel(&fixture, 4, INT64_C(300) * 16, INT64_C(128) * 16));
    assert_false(world_map_work(fixture.map, &view, 20));
    close_fixture(&fixture);
}

/// Beyond the end of the world nothing is drawn; nothing fails.
static void the_world_ends(void **state)
{
    (void)state;
    Fixture fixture;
    open_fixture(&fixture, NULL, false);
    for (int zoom = 0; zoom < WORLD_MAP_ZOOMS; zoom += 3) {
        const WorldMapView view = {.center = {(double)TRN_VOXEL_MAX, (double)TRN_VOXEL_MIN},
                                   .zoom = zoom,
                                   .width = 600,
                                   .height = 600};
        draw(&fixture, &view);
        assert_non_null(pixel(&fixture, zoom, TRN_VOXEL_MAX, TRN_VOXEL_MIN));
    }
    close_fixture(&fixture);
}

/// The view of any window fits the tiles, with some to spare for other zooms.
static void every_window_fits(void **state)
{
    (void)state;
    static const int sizes[][2] = {{1, 1}, {390, 844}, {2560, 1440}, {7680, 4320}, {30000, 200}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        const int unit = world_map_unit(sizes[i][0], sizes[i][1]) * WORLD_MAP_EDGE;
        assert_true((sizes[i][0] / unit + 2) * (sizes[i][1] / unit + 2) <= WORLD_MAP_TILES / 2);
    }
    assert_int_equal(world_map_unit(2560, 1440), 1);
}

/// Looking around far away evicts tiles, and the nearest ones are drawn again.
static void tiles_are_drawn_again_after_a_long_way(void **state)
{
    (void)state;
    Fixture fixture;
    open_fixture(&fixture, NULL, true); // quick: air
    WorldMapView view = {.zoom = 6, .width = 2560, .height = 1440};
    for (int i = 0; i < 6; i++) {
        view.center[0] = i * 1e7;
        draw(&fixture, &view);
    }
    assert_null(pixel(&fixture, 6, 0, 0));
    view.center[0] = 0;
    draw(&fixture, &view);
    assert_non_null(pixel(&fixture, 6, 0, 0));
    close_fixture(&fixture);
}

static void the_ground_is_above_land_and_sea(void **state)
{
    (void)state;
    Fixture fixture;
    open_fixture(&fixture, NULL, false);
    for (int64_t x = -2000; x < 2000; x += 371) {
        int64_t y = 0, height = 0;
        assert_true(seen_land_ground(&fixture.seen, x, 77, &y));
        assert_int_equal(trn_terrain_height(world_terrain(fixture.world), x, 77, &height),
                         TRN_RESULT_OK);
        assert_true(y > height && (y == height + 1 || y > TRN_TERRAIN_SEA_LEVEL));
    }
    close_fixture(&fixture);
    open_fixture(&fixture, NULL, true);
    stand(&fixture, 0, 0);
    int64_t y = 5;
    assert_false(seen_land_ground(&fixture.seen, 20, 20, &y));
    assert_int_equal(y, 5);
    build_roof(&fixture, 8, 8, TRN_BLOCK_STONE);
    assert_true(seen_land_ground(&fixture.seen, 20, 20, &y));
    assert_int_equal(y, 125);
    close_fixture(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_roof_is_on_the_map_at_all_zooms_and_later),
        cmocka_unit_test(land_that_was_not_seen_is_darker),
        cmocka_unit_test_setup(a_world_file_remembers_what_was_seen, place_clear),
        cmocka_unit_test(work_is_in_pieces_and_begins_in_the_middle),
        cmocka_unit_test(the_world_ends),
        cmocka_unit_test(every_window_fits),
        cmocka_unit_test(tiles_are_drawn_again_after_a_long_way),
        cmocka_unit_test(the_ground_is_above_land_and_sea),
    };
    return cmocka_run_group_tests(tests, place_make, place_remove);
}
