/// The start screen's small map.
#include "testing.h"

#include <start/land_map.h>

static void draw_all(LandMap *map, uint64_t seed)
{
    const TrnTerrainShape shape = trn_terrain_shape_default();
    assert_true(land_map_begin(map, seed, &shape));
    int steps = 0;
    while (land_map_step(map)) {
        steps++;
    }
    assert_int_equal(steps, LAND_MAP_EDGE * LAND_MAP_EDGE / (TRN_CHUNK_EDGE * TRN_CHUNK_EDGE));
}

static void water_is_blue_and_land_is_not(void **state)
{
    (void)state;
    static LandMap map;
    draw_all(&map, 13);
    int wet = 0, dry = 0;
    for (int z = 0; z < LAND_MAP_EDGE; z++) {
        for (int x = 0; x < LAND_MAP_EDGE; x++) {
            const uint8_t *rgb = map.rgb[z][x];
            wet += rgb[2] > rgb[0] + 40;
            dry += rgb[2] < rgb[0];
        }
    }
    assert_in_range(wet, LAND_MAP_EDGE, LAND_MAP_EDGE * LAND_MAP_EDGE);
    assert_in_range(dry, LAND_MAP_EDGE, LAND_MAP_EDGE * LAND_MAP_EDGE);
    assert_false(land_map_step(&map));
    land_map_free(&map);
}

static void another_seed_is_another_map_and_the_same_is_the_same(void **state)
{
    (void)state;
    static LandMap map, again;
    draw_all(&map, 1);
    draw_all(&again, 2);
    assert_memory_not_equal(map.rgb, again.rgb, sizeof map.rgb);
    draw_all(&again, 1);
    assert_memory_equal(map.rgb, again.rgb, sizeof map.rgb);
    land_map_free(&map);
    land_map_free(&again);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(water_is_blue_and_land_is_not),
        cmocka_unit_test(another_seed_is_another_map_and_the_same_is_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
