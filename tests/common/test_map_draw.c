/// Maps: what is seen of columns, which voxels a picture reads, and pictures of known lands.
#include "testing.h"

#include <math.h>

#include <terrane/terrain.h>

#include <map/map_draw.h>

#include "known_land.h"

// ---- lands --------------------------------------------------------------------------------------

typedef struct Fixture {
    TrnBlockTypes *types;
    TrnTerrain *terrain;
} Fixture;

static int make_fixture(void **state)
{
    Fixture *fixture = calloc(1, sizeof *fixture);
    if (!fixture) {
        return -1;
    }
    *state = fixture;
    return trn_block_types_create_builtin(NULL, &fixture->types) == TRN_RESULT_OK &&
                   trn_terrain_create(NULL, &fixture->terrain) == TRN_RESULT_OK
               ? 0
               : -1;
}

static int free_fixture(void **state)
{
    Fixture *fixture = *state;
    trn_block_types_destroy(fixture->types);
    trn_terrain_destroy(fixture->terrain);
    free(fixture);
    return 0;
}

static MapSource *make_source(const Fixture *fixture, TrnGenerator generator)
{
    MapSource *source;
    const MapSourceDef def = {.generator = generator, .types = fixture->types};
    assert_int_equal(map_source_create(&def, &source), TRN_RESULT_OK);
    return source;
}

/// A picture, of which rows are drawn.
typedef struct Picture {
    unsigned char *rgb; ///< [height * width * 3]
    int width, rows;
} Picture;

static bool take_row(void *user, const unsigned char *rgb, Message *problem)
{
    (void)problem;
    Picture *picture = user;
    const size_t bytes = (size_t)picture->width * 3;
    memcpy(picture->rgb + (size_t)picture->rows++ * bytes, rgb, bytes);
    return true;
}

static const unsigned char *pixel_of(const Picture *picture, int x, int y)
{
    return picture->rgb + ((size_t)y * (size_t)picture->width + (size_t)x) * 3;
}

/// Draws a source that may offer levels.
static Picture draw_source(MapSource *source, const MapPlan *plan)
{
    Picture picture = {malloc((size_t)plan->width * (size_t)plan->height * 3), plan->width, 0};
    Message problem = {""};
    MapDrawing *drawing;
    assert_non_null(picture.rgb);
    if (!map_plan_check(plan, &problem) ||
        !map_drawing_create(&drawing, plan, source, take_row, &picture, &problem)) {
        fail_msg("%s", problem.text);
    }
    while (map_drawing_left(drawing) > 0) {
        assert_true(map_drawing_step(drawing, &problem));
    }
    map_drawing_destroy(drawing);
    assert_int_equal(picture.rows, plan->height);
    return picture;
}

static Picture draw(const Fixture *fixture, TrnGenerator generator, MapPlan plan)
{
    MapSource *source = make_source(fixture, generator);
    const Picture picture = draw_source(source, &plan);
    map_source_destroy(source);
    return picture;
}

static Picture draw_land(const Fixture *fixture, LandBlock land, MapPlan plan)
{
    return draw(fixture, land_generator(&land), plan);
}

static int64_t ground(const Fixture *fixture, int64_t x, int64_t z)
{
    int64_t height;
    assert_int_equal(trn_terrain_height(fixture->terrain, x, z, &height), TRN_RESULT_OK);
    return height;
}

// ---- axes ---------------------------------------------------------------------------------------

static void spans_cover_every_sample_once(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(71);
    for (int round = 0; round < 2000; round++) {
        const bool descends = test_random_range(&random, 0, 1);
        const int border = (int)test_random_range(&random, 0, 1);
        const int pixels = (int)test_random_range(&random, 1, 90);
        const int64_t scale = test_random_range(&random, 1, round % 2 ? 40 : 100000);
        const int64_t middle = test_random_range(&random, -1000000, 1000000);
        const MapAxis axis = map_axis_around(middle, pixels, scale, border, descends);
        int64_t lowest, highest;
        map_axis_ends(&axis, &lowest, &highest);
        assert_int_equal(highest - lowest + 1, pixels * scale);
        assert_true(lowest <= middle && middle <= highest);
        MapSpan span = {0};
        int64_t next = 0, spans = 0;
        for (; map_axis_next(&axis, &span); spans++) {
            assert_int_equal(span.begin, next);
            assert_true(span.end > span.begin && span.end - span.begin <= TRN_CHUNK_EDGE);
            for (int64_t i = span.begin; i < span.end; i++) {
                const int64_t pixel = i / axis.samples - border;
                const int64_t low =
                    descends ? highest - (pixel + 1) * scale + 1 : lowest + pixel * scale;
                const int64_t voxel = map_axis_voxel(&axis, i);
                assert_true(voxel >= low && voxel < low + scale);
                assert_int_equal(voxel >> TRN_CHUNK_SHIFT, span.chunk);
            }
            next = span.end;
        }
        assert_int_equal(next, map_axis_samples(&axis));
        assert_int_equal(spans, map_axis_spans(&axis));
    }
}

static void a_small_scale_reads_every_voxel(void **state)
{
    (void)state;
    for (int64_t scale = 1; scale <= MAP_AXIS_SAMPLES_MAX; scale++) {
        const MapAxis axis = map_axis_around(0, 10, scale, 0, false);
        assert_int_equal(map_axis_samples(&axis), 10 * scale);
        for (int64_t i = 0; i < map_axis_samples(&axis); i++) {
            assert_int_equal(map_axis_voxel(&axis, i), axis.first + i);
        }
    }
}

// ---- columns ------------------------------------------------------------------------------------

static uint64_t hash_voxel(int64_t x, int64_t y, int64_t z)
{
    TestRandom random = {(uint64_t)(x * 1000003 + y * 10007 + z)};
    return test_random_next(&random);
}

/// Columns of air, water and solid blocks in any order; some chunks are uniform.
static TrnBlock jumbled_land(int64_t x, int64_t y, int64_t z)
{
    if (y >= 128 || y < -128) {
        return TRN_BLOCK_AIR;
    }
    const uint64_t chunk = hash_voxel(x >> 5, y >> 5, z >> 5);
    if (chunk % 8 < 3) {
        return chunk % 8 == 0 ? TRN_BLOCK_AIR : chunk % 8 == 1 ? TRN_BLOCK_WATER : TRN_BLOCK_STONE;
    }
    const uint64_t hash = hash_voxel(x, y, z) % 64;
    return hash < 56   ? TRN_BLOCK_AIR
           : hash < 62 ? TRN_BLOCK_WATER
                       : (TrnBlock)(TRN_BLOCK_STONE + hash % 2);
}

/// Computes what map_source.h promises, voxel by voxel.
static MapColumn look_down(LandBlock land, int64_t x, int64_t z)
{
    MapColumn column = {.top_y = -1024, .bed_y = -1024};
    for (int32_t y = 1023; y >= -1024; y--) {
        const TrnBlock block = land(x, y, z);
        if (block == TRN_BLOCK_AIR) {
            continue;
        }
        if (column.top == TRN_BLOCK_AIR) {
            column.top = block;
            column.top_y = column.bed_y = y;
        }
        if (block != TRN_BLOCK_WATER) {
            column.bed = block;
            column.bed_y = y;
            break;
        }
    }
    return column;
}

static void check_column(LandBlock land, int32_t chunk_x, int32_t chunk_z, uint16_t place,
                         const MapColumn *column)
{
    const MapColumn expected =
        look_down(land, (int64_t)chunk_x * 32 + (place & 31), (int64_t)chunk_z * 32 + (place >> 5));
    assert_int_equal(column->top, expected.top);
    assert_int_equal(column->bed, expected.bed);
    assert_int_equal(column->top_y, expected.top_y);
    assert_int_equal(column->bed_y, expected.bed_y);
}

static void a_survey_finds_what_a_voxel_by_voxel_search_finds(void **state)
{
    Fixture *fixture = *state;
    LandBlock land = jumbled_land;
    MapSource *source = make_source(fixture, land_generator(&land));
    for (int32_t chunk = -6; chunk < 6; chunk++) {
        uint16_t places[1024];
        MapColumn columns[1024];
        const int count = chunk % 2 ? 1024 : 3;
        for (int i = 0; i < count; i++) {
            places[i] = (uint16_t)(i * 331 % 1024);
        }
        assert_int_equal(map_source_columns(source, chunk, 5 - chunk, 0, places, count, columns),
                         TRN_RESULT_OK);
        for (int i = 0; i < count; i++) {
            check_column(land, chunk, 5 - chunk, places[i], &columns[i]);
        }
    }
    map_source_destroy(source);
}

static void a_source_that_fails_fails_the_map_with_a_sentence(void **state)
{
    Fixture *fixture = *state;
    for (int section = 0; section < 2; section++) {
        const MapPlan plan = {.is_section = section, .width = 4, .height = 4, .scale = 1};
        Message problem = {""};
        MapDrawing *drawing;
        MapSource *source = make_source(fixture, (TrnGenerator){.generate = generate_nothing});
        assert_true(map_drawing_create(&drawing, &plan, source, take_row, NULL, &problem));
        assert_false(map_drawing_step(drawing, &problem));
        assert_non_null(strstr(problem.text, trn_result_text(TRN_RESULT_NO_MEMORY)));
        map_drawing_destroy(drawing);
        map_source_destroy(source);
    }
}

// ---- from above ---------------------------------------------------------------------------------

static bool is_water(const unsigned char *rgb)
{
    return rgb[2] > rgb[0] + 25;
}

static void water_and_land_are_where_the_terrain_has_them(void **state)
{
    Fixture *fixture = *state;
    const int edge = 200;
    MapPlan plan = {.width = edge, .height = edge, .scale = 1, .center_x = 2888, .center_z = -1468};
    Picture picture = draw(fixture, trn_terrain_generator(fixture->terrain), plan);
    int wrong = 0, water = 0;
    for (int y = 0; y < edge; y++) {
        for (int x = 0; x < edge; x++) {
            const bool wet = ground(fixture, 2888 - edge / 2 + x, -1468 - edge / 2 + y) < 0;
            water += wet;
            wrong += wet != is_water(pixel_of(&picture, x, y));
        }
    }
    free(picture.rgb);
    assert_true(water > edge * edge / 10 && water < edge * edge * 9 / 10); // both occur
    assert_true(wrong <= edge * edge / 100); // trees reach over the shore
}

static void shares_of_water_hold_at_every_scale(void **state)
{
    Fixture *fixture = *state;
    static const int64_t scales[] = {2, 7, 32, 33, 500};
    for (size_t s = 0; s < sizeof scales / sizeof scales[0]; s += test_rounds(1, 2)) {
        const int edge = 40;
        MapPlan plan = {.width = edge, .height = edge, .scale = scales[s]};
        Picture picture = draw(fixture, trn_terrain_generator(fixture->terrain), plan);
        int drawn = 0, expected = 0;
        for (int y = 0; y < edge; y++) {
            for (int x = 0; x < edge; x++) {
                drawn += is_water(pixel_of(&picture, x, y));
                expected += ground(fixture, (x - edge / 2) * scales[s] + scales[s] / 2,
                                   (y - edge / 2) * scales[s] + scales[s] / 2) < 0;
            }
        }
        free(picture.rgb);
        assert_true(abs(drawn - expected) <= edge * edge / 25);
        assert_true(expected > edge * edge / 50 || scales[s] < 33);
    }
}

/// Where the map reads coarser levels, the picture is nearly the one read from chunks.
static void coarse_maps_look_like_exact_ones(void **state)
{
    Fixture *fixture = *state;
    static const int64_t scales[] = {16, 21, 32, 33, 200};
    for (size_t s = 0; s < sizeof scales / sizeof scales[0]; s += test_rounds(1, 2)) {
        const int edge = 32;
        const MapPlan plan = {.width = edge, .height = edge, .scale = scales[s], .center_x = 700};
        const TrnGenerator generator = trn_terrain_generator(fixture->terrain);
        const MapSourceDef def = map_source_def(generator, fixture->types, fixture->terrain);
        MapSource *source;
        assert_int_equal(map_source_create(&def, &source), TRN_RESULT_OK);
        Picture near = draw(fixture, generator, plan);
        Picture far = draw_source(source, &plan);
        map_source_destroy(source);
        int wet_near = 0, wet_far = 0;
        int64_t sums[2] = {0, 0};
        for (int i = 0; i < edge * edge; i++) {
            wet_near += is_water(pixel_of(&near, i % edge, i / edge));
            wet_far += is_water(pixel_of(&far, i % edge, i / edge));
            for (int c = 0; c < 3; c++) {
                sums[0] += pixel_of(&near, i % edge, i / edge)[c];
                sums[1] += pixel_of(&far, i % edge, i / edge)[c];
            }
        }
        free(near.rgb);
        free(far.rgb);
        print_message("  scale %d: %d and %d pixels of water, brightness %d and %d\n",
                      (int)scales[s], wet_near, wet_far, (int)(sums[0] / edge / edge / 3),
                      (int)(sums[1] / edge / edge / 3));
        assert_true(abs(wet_near - wet_far) <= edge * edge / 20);
        assert_true(llabs(sums[0] - sums[1]) * 10 <= sums[0]);
    }
}

/// A ridge along the line x = -z through the origin: it falls to the north-west and to the
/// south-east.
static TrnBlock ridge_land(int64_t x, int64_t y, int64_t z)
{
    const int64_t away = x + z < 0 ? -(x + z) : x + z;
    return y <= 60 - away / 2 ? TRN_BLOCK_STONE : TRN_BLOCK_AIR;
}

static int brightness(const Picture *picture, int x, int y)
{
    const unsigned char *rgb = pixel_of(picture, x, y);
    return rgb[0] + rgb[1] + rgb[2];
}

static void slopes_towards_the_north_west_are_bright_and_others_dark(void **state)
{
    Fixture *fixture = *state;
    Picture picture =
        draw_land(fixture, ridge_land, (MapPlan){.width = 64, .height = 64, .scale = 1});
    for (int i = 4; i < 24; i++) {
        assert_true(brightness(&picture, i, i) > brightness(&picture, 63 - i, 63 - i) * 3 / 2);
    }
    free(picture.rgb);
}

/// A quick map reads nothing beyond its edges; inside it is the same.
static void a_quick_map_differs_at_its_edges_alone(void **state)
{
    Fixture *fixture = *state;
    MapPlan plan = {.width = 64, .height = 64, .scale = 1};
    Picture whole = draw_land(fixture, ridge_land, plan);
    plan.is_quick = true;
    Picture quick = draw_land(fixture, ridge_land, plan);
    for (int y = 1; y < 63; y++) {
        assert_memory_equal(pixel_of(&whole, 1, y), pixel_of(&quick, 1, y), (size_t)62 * 3);
    }
    assert_true(brightness(&quick, 0, 0) > brightness(&quick, 63, 63));
    free(whole.rgb);
    free(quick.rgb);
}

/// A plain of grass, with a slab of sand over a cave that reaches to its edges, and a shaft of
/// water.
static TrnBlock slab_land(int64_t x, int64_t y, int64_t z)
{
    if (x >= 0 && y == 40) {
        return TRN_BLOCK_SAND; // over air
    }
    if (x < -8 && z >= 0 && y < 0 && y >= -3) {
        return TRN_BLOCK_WATER;
    }
    return y < 0 ? TRN_BLOCK_GRASS : TRN_BLOCK_AIR;
}

static void overhangs_hide_what_is_below(void **state)
{
    Fixture *fixture = *state;
    Picture picture =
        draw_land(fixture, slab_land, (MapPlan){.width = 64, .height = 64, .scale = 1});
    const uint8_t *sand =
        trn_block_types_get(fixture->types, TRN_BLOCK_SAND)->colour[TRN_FACE_POS_Y];
    const uint8_t *grass =
        trn_block_types_get(fixture->types, TRN_BLOCK_GRASS)->colour[TRN_FACE_POS_Y];
    for (int i = 0; i < 64; i++) {
        for (int c = 0; c < 3; c++) { // level land has exactly its colour
            assert_in_range(pixel_of(&picture, 50, i)[c], sand[c] - 1, sand[c] + 1);
            assert_in_range(pixel_of(&picture, 27, i)[c], grass[c] - 1, grass[c] + 1);
        }
        assert_int_equal(is_water(pixel_of(&picture, 5, i)), i >= 32);
    }
    free(picture.rgb);
}

static TrnBlock deep_land(int64_t x, int64_t y, int64_t z)
{
    (void)z;
    return y > 0 ? TRN_BLOCK_AIR : y > -x ? TRN_BLOCK_WATER : TRN_BLOCK_SAND;
}

static void deeper_water_shows_less_of_its_bed_and_is_darker(void **state)
{
    Fixture *fixture = *state;
    MapPlan plan = {.width = 60, .height = 1, .scale = 1, .center_x = 31};
    Picture picture = draw_land(fixture, deep_land, plan);
    for (int x = 2; x < 58; x++) {
        const unsigned char *here = pixel_of(&picture, x, 0);
        const unsigned char *deeper = pixel_of(&picture, x + 1, 0);
        // Red and green of the bed fade first; blue, the water's colour, fades last.
        assert_true(deeper[0] <= here[0] && deeper[1] <= here[1]);
        assert_true(deeper[2] <= here[2] || x < 20);
    }
    assert_true(pixel_of(&picture, 2, 0)[0] > 2 * pixel_of(&picture, 58, 0)[0]);
    assert_true(pixel_of(&picture, 20, 0)[2] > pixel_of(&picture, 58, 0)[2]);
    free(picture.rgb);
}

static TrnBlock no_land(int64_t x, int64_t y, int64_t z)
{
    (void)z;
    return x >= 0 && y == 5 ? TRN_BLOCK_WATER : TRN_BLOCK_AIR;
}

static void columns_without_ground_are_drawn(void **state)
{
    Fixture *fixture = *state;
    Picture picture = draw_land(fixture, no_land, (MapPlan){.width = 8, .height = 8, .scale = 1});
    assert_true(brightness(&picture, 0, 0) < 60);
    assert_true(is_water(pixel_of(&picture, 7, 7)));
    free(picture.rgb);
}

static void pictures_reach_to_the_corners_of_the_world(void **state)
{
    Fixture *fixture = *state;
    for (uint32_t corner = 0; corner < 8; corner += test_rounds(1, 3)) {
        const int64_t scale = corner & 4 ? 1000 : 1;
        MapPlan plan = {.width = 40, .height = 40, .scale = scale};
        plan.center_x = corner & 1 ? TRN_VOXEL_MAX - 20 * scale + 1 : TRN_VOXEL_MIN + 20 * scale;
        plan.center_z = corner & 2 ? TRN_VOXEL_MAX - 20 * scale + 1 : TRN_VOXEL_MIN + 20 * scale;
        for (int section = 0; section < 2; section++) {
            plan.is_section = section;
            plan.center_y = section ? plan.center_z : 0;
            Picture picture = draw(fixture, trn_terrain_generator(fixture->terrain), plan);
            free(picture.rgb);
            Message problem = {""};
            MapPlan beyond = plan;
            beyond.center_x += corner & 1 ? 1 : -1;
            assert_false(map_plan_check(&beyond, &problem));
            assert_non_null(strstr(problem.text, "along x"));
            beyond = plan;
            beyond.center_z += corner & 2 ? 1 : -1;
            beyond.center_y = beyond.center_z;
            assert_false(map_plan_check(&beyond, &problem));
            assert_non_null(strstr(problem.text, section ? "along y" : "along z"));
            assert_non_null(strstr(problem.text, "-68719476736 to 68719476735"));
        }
    }
}

// ---- sections -----------------------------------------------------------------------------------

/// The sky is brighter than everything in it.
static bool is_sky(const unsigned char *rgb)
{
    return rgb[2] > 200 && rgb[2] > rgb[0];
}

static void the_ground_line_of_a_section_is_that_of_the_terrain(void **state)
{
    Fixture *fixture = *state;
    const int width = 700, height = 400;
    MapPlan plan = {.is_section = true, .width = width, .height = height, .scale = 1};
    plan.center_x = 2888;
    plan.center_y = 50;
    plan.center_z = -1468;
    Picture picture = draw(fixture, trn_terrain_generator(fixture->terrain), plan);
    int wet_columns = 0, grown = 0, over_water = 0;
    for (int x = 0; x < width; x++) {
        const int64_t land = ground(fixture, 2888 - width / 2 + x, -1468);
        const int top = 50 + height / 2 - 1; // the voxel of the first row of pixels
        const int surface = top - (int)(land < 0 ? TRN_TERRAIN_SEA_LEVEL : land);
        int row = 0;
        while (row < height && is_sky(pixel_of(&picture, x, row))) {
            row++;
        }
        assert_true(row <= surface); // trees and plants stand above the ground
        grown += row < surface;
        row = surface;
        while (row < height && is_water(pixel_of(&picture, x, row))) {
            row++;
        }
        // Kelp and corals stand above the bed.
        assert_true(land >= 0 || row <= top - land);
        over_water += land < 0 ? row != top - land : row != surface;
        wet_columns += land < 0;
    }
    free(picture.rgb);
    print_message("  %d of %d columns are grown, %d of %d wet ones have something in the water\n",
                  grown, width, over_water, wet_columns);
    assert_true(grown < width / 2 && over_water < wet_columns / 2);
    assert_true(wet_columns > 50 && wet_columns < width - 50);
}

/// Stone up to y = 0 with a closed cavern, and a shaft open to the sky.
static TrnBlock cave_land(int64_t x, int64_t y, int64_t z)
{
    (void)z;
    const bool cavern = x >= 0 && x < 20 && y < -20 && y >= -40;
    const bool shaft = x < -20 && x >= -30 && y >= -40;
    return y > 0 || cavern || shaft ? TRN_BLOCK_AIR : TRN_BLOCK_STONE;
}

static void caves_are_dark_and_shafts_show_the_sky(void **state)
{
    Fixture *fixture = *state;
    // Views from above the ground and from within it: blocks above the picture cover as well.
    for (int64_t scale = 1; scale <= 2; scale++) {
        MapPlan plan = {.is_section = true, .width = 100, .height = 100, .scale = scale};
        for (plan.center_y = 0; plan.center_y >= -60; plan.center_y -= 60) {
            Picture picture = draw_land(fixture, cave_land, plan);
            const int row = (int)((plan.center_y + 50 * scale + 30) / scale);
            assert_true(brightness(&picture, 50 + (int)(10 / scale), row) < 120);
            assert_true(is_sky(pixel_of(&picture, 50 - (int)(26 / scale), row)));
            const int stone = brightness(&picture, 50 + (int)(30 / scale), row);
            assert_true(stone > 200 && stone < 400);
            free(picture.rgb);
        }
    }
}

static void a_coarse_section_sees_between_its_samples(void **state)
{
    Fixture *fixture = *state;
    // With samples 64 voxels apart, none lies in the stone above the cavern.
    MapPlan plan = {.is_section = true, .width = 1, .height = 3, .scale = 64, .center_x = 10};
    plan.center_y = -30;
    Picture picture = draw_land(fixture, cave_land, plan);
    assert_true(is_sky(pixel_of(&picture, 0, 0)));
    assert_true(brightness(&picture, 0, 1) < 120);
    assert_in_range(brightness(&picture, 0, 2), 200, 400);
    free(picture.rgb);
}

/// Paints one pixel of a section through z = 3, voxel by voxel.
static void paint_pixel(const MapSource *source, LandBlock land, const MapAxis *across,
                        const MapAxis *down, int column, int row, MapPixel *pixel)
{
    for (int i = 0; i < across->samples; i++) {
        const int64_t x = map_axis_voxel(across, (int64_t)column * across->samples + i);
        for (int j = 0; j < down->samples; j++) {
            const int64_t y = map_axis_voxel(down, (int64_t)row * down->samples + j);
            MapCover cover = {0, 0};
            for (int64_t above = y > 160 ? y : 160; above > y; above--) {
                const TrnBlock block = land(x, above, 3);
                cover.roof += block != TRN_BLOCK_AIR && block != TRN_BLOCK_WATER;
                cover.liquid = block == TRN_BLOCK_WATER ? cover.liquid + 1 : 0;
            }
            map_pixel_add_voxel(pixel, source, land(x, y, 3), y, cover);
        }
    }
}

static void sections_match_a_painting_voxel_by_voxel(void **state)
{
    Fixture *fixture = *state;
    static const int64_t scales[] = {1, 3, 9, 40, 70};
    LandBlock land = jumbled_land;
    MapSource *source = make_source(fixture, land_generator(&land));
    for (size_t s = 0; s < sizeof scales / sizeof scales[0]; s++) {
        MapPlan plan = {.is_section = true, .width = 24, .height = 40, .scale = scales[s]};
        plan.center_x = -7;
        plan.center_y = scales[s] < 9 ? 40 : -11;
        plan.center_z = 3;
        Picture picture = draw_land(fixture, land, plan);
        const MapAxis across = map_axis_around(plan.center_x, plan.width, plan.scale, 0, false);
        const MapAxis down = map_axis_around(plan.center_y, plan.height, plan.scale, 0, true);
        const float samples = (float)(across.samples * down.samples);
        for (int i = 0; i < plan.width * plan.height; i++) {
            MapPixel pixel = {0};
            paint_pixel(source, land, &across, &down, i % plan.width, i / plan.width, &pixel);
            const unsigned char *drawn = pixel_of(&picture, i % plan.width, i / plan.width);
            for (int c = 0; c < 3; c++) {
                assert_true(fabsf(pixel.flat[c] / samples - (float)drawn[c]) <= 0.51f);
            }
        }
        free(picture.rgb);
    }
    map_source_destroy(source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spans_cover_every_sample_once),
        cmocka_unit_test(a_small_scale_reads_every_voxel),
        cmocka_unit_test(a_survey_finds_what_a_voxel_by_voxel_search_finds),
        cmocka_unit_test(a_source_that_fails_fails_the_map_with_a_sentence),
        cmocka_unit_test(water_and_land_are_where_the_terrain_has_them),
        cmocka_unit_test(coarse_maps_look_like_exact_ones),
        cmocka_unit_test(shares_of_water_hold_at_every_scale),
        cmocka_unit_test(slopes_towards_the_north_west_are_bright_and_others_dark),
        cmocka_unit_test(a_quick_map_differs_at_its_edges_alone),
        cmocka_unit_test(overhangs_hide_what_is_below),
        cmocka_unit_test(deeper_water_shows_less_of_its_bed_and_is_darker),
        cmocka_unit_test(columns_without_ground_are_drawn),
        cmocka_unit_test(pictures_reach_to_the_corners_of_the_world),
        cmocka_unit_test(the_ground_line_of_a_section_is_that_of_the_terrain),
        cmocka_unit_test(caves_are_dark_and_shafts_show_the_sky),
        cmocka_unit_test(a_coarse_section_sees_between_its_samples),
        cmocka_unit_test(sections_match_a_painting_voxel_by_voxel),
    };
    return cmocka_run_group_tests(tests, make_fixture, free_fixture);
}
