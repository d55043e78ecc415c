// Rivers and lakes above the sea: drainage, regions, and water that nothing lets out.

#include "terrain_voxels.h"

#include <pthread.h>

#include "terrain/rivers_impl.h"

static TrnTerrain *make_preset(const char *preset, uint32_t column_cache_max)
{
    TrnTerrainDef def = trn_terrain_def();
    def.column_cache_max = column_cache_max;
    assert_int_equal(trn_terrain_shape_preset(preset, &def.shape), TRN_RESULT_OK);
    TrnTerrain *terrain = NULL;
    assert_int_equal(trn_terrain_create(&def, &terrain), TRN_RESULT_OK);
    return terrain;
}

// ---- drainage -----------------------------------------------------------------------------------

/// Hills of chance with a sea in the west.
static void fill_heights(TestRandom *random, TrnDrainage *drainage)
{
    float rough[TRN_RIVER_CELL_COUNT];
    for (size_t i = 0; i < TRN_RIVER_CELL_COUNT; i++) {
        rough[i] = (float)test_random_range(random, 0, 1000) * 0.06f;
        drainage->rain[i] = 1.0f;
    }
    for (int32_t i = 0; i < (int32_t)TRN_RIVER_CELL_COUNT; i++) {
        float sum = 0.0f;
        for (int32_t k = 0; k < 25; k++) {
            const int32_t at = i + k % 5 - 2 + (k / 5 - 2) * TRN_RIVER_CELLS;
            sum += rough[at < 0 || at >= (int32_t)TRN_RIVER_CELL_COUNT ? i : at];
        }
        drainage->heights[i] = sum * (1.0f / 25) + (float)(i % TRN_RIVER_CELLS) * 0.7f - 34.0f;
    }
}

static bool is_outlet(const TrnDrainage *drainage, int32_t cell)
{
    const int32_t x = cell % TRN_RIVER_CELLS, z = cell / TRN_RIVER_CELLS;
    const int32_t last = TRN_RIVER_CELLS - 1 - TRN_RIVER_BORDER;
    return x < TRN_RIVER_BORDER || z < TRN_RIVER_BORDER || x > last || z > last ||
           drainage->heights[cell] < 0.0f;
}

/// The model: lowers fills from above until nothing changes.
static void fill_slowly(const TrnDrainage *drainage, float *fills)
{
    for (int32_t i = 0; i < (int32_t)TRN_RIVER_CELL_COUNT; i++) {
        fills[i] = is_outlet(drainage, i) ? drainage->heights[i] : 1e9f;
    }
    for (bool is_changed = true; is_changed;) {
        is_changed = false;
        for (int32_t i = 0; i < (int32_t)TRN_RIVER_CELL_COUNT; i++) {
            for (int32_t k = 0; k < 9 && !is_outlet(drainage, i); k++) {
                const float from = fills[i + k % 3 - 1 + (k / 3 - 1) * TRN_RIVER_CELLS];
                const float to = from > drainage->heights[i] ? from : drainage->heights[i];
                is_changed |= to < fills[i];
                fills[i] = to < fills[i] ? to : fills[i];
            }
        }
    }
}

static void drainage_fills_like_a_simple_model_and_never_climbs(void **state)
{
    (void)state;
    TrnDrainage *drainage = malloc(sizeof *drainage);
    float *fills = malloc(sizeof drainage->fills);
    assert_non_null(drainage);
    assert_non_null(fills);
    TestRandom random = test_random_seeded(5);
    int rivers = 0, lakes = 0;
    for (size_t round = 0; round < test_rounds(20, 5); round++) {
        fill_heights(&random, drainage);
        fill_slowly(drainage, fills);
        trn_river_drain(drainage, 20.0f);
        assert_memory_equal(drainage->fills, fills, sizeof drainage->fills);
        for (int32_t cell = 0; cell < (int32_t)TRN_RIVER_CELL_COUNT; cell++) {
            int32_t at = cell, steps = 0;
            lakes += drainage->is_lake[cell];
            rivers += drainage->is_river[cell];
            while (drainage->is_river[at] && steps++ < (int32_t)TRN_RIVER_CELL_COUNT) {
                const int32_t next = drainage->nexts[at];
                assert_true(drainage->levels[next] <= drainage->levels[at]);
                assert_true(drainage->flows[next] > drainage->flows[at]);
                at = next;
            }
            // Every river ends in the sea.
            assert_true(at == cell || drainage->heights[at] < 0.0f);
            assert_true(!drainage->is_lake[cell] ||
                        (float)drainage->levels[cell] < drainage->fills[cell]);
        }
    }
    print_message("  %d cells of rivers, %d of lakes\n", rivers, lakes);
    assert_true(rivers > 1000);
    assert_true(lakes > 0);
    free(fills);
    free(drainage);
}

// ---- regions ------------------------------------------------------------------------------------

/// Returns a region's rivers, or NULL if it has none.
static const TrnRivers *acquire_region(const TrnTerrain *terrain, int32_t x, int32_t z)
{
    return trn_rivers_acquire(terrain, (TrnCoord){x, 0, z}, TRN_RIVER_REGION_SHIFT);
}

/// Whether a river begins where another one ends, no higher.
static bool goes_on(const TrnRivers *rivers, const TrnRiverEdge *edge)
{
    const float x = edge->x[TRN_RIVER_PIECES], z = edge->z[TRN_RIVER_PIECES];
    for (uint32_t i = 0; i < rivers->edge_count; i++) {
        const TrnRiverEdge *next = &rivers->edges[i];
        const float by_x = next->x[0] - x, by_z = next->z[0] - z;
        if (by_x * by_x + by_z * by_z < 0.01f) {
            return next->levels[0] == edge->levels[TRN_RIVER_PIECES - 1];
        }
    }
    const size_t cell =
        (size_t)(z / TRN_RIVER_CELL) * TRN_RIVER_CELLS + (size_t)(x / TRN_RIVER_CELL);
    const bool is_lake = rivers->lake_rows[cell / TRN_RIVER_CELLS] >> cell % TRN_RIVER_CELLS & 1;
    return edge->levels[TRN_RIVER_PIECES - 1] == (is_lake ? rivers->lake_levels[cell] : 0);
}

/// Rivers flow down to another river, a lake or the sea. What changes the land stays within the
/// region, so the regions on both sides of a border agree: there is nothing.
static void rivers_flow_down_within_their_region(void **state)
{
    (void)state;
    const float size = (float)TRN_RIVER_CELLS * TRN_RIVER_CELL;
    const char *preset;
    for (size_t i = 0; (preset = trn_terrain_preset_name(i)); i++) {
        TrnTerrain *terrain = make_preset(preset, 64);
        uint32_t edges = 0, falls = 0;
        for (int32_t r = 0; r < (int32_t)test_rounds(12, 4); r++) {
            const TrnRivers *rivers = acquire_region(terrain, r % 4 - 2, r / 4 - 2);
            for (uint32_t k = 0; rivers && k < rivers->edge_count; k++) {
                const TrnRiverEdge *edge = &rivers->edges[k];
                assert_true(goes_on(rivers, edge));
                for (int p = 0; p <= TRN_RIVER_PIECES; p++) {
                    const float keep = TRN_RIVER_REACH + edge->widths[p > 2] + 8.0f;
                    assert_true(edge->x[p] > keep && edge->x[p] < size - keep);
                    assert_true(edge->z[p] > keep && edge->z[p] < size - keep);
                }
                for (int p = 1; p < TRN_RIVER_PIECES; p++) {
                    assert_true(edge->levels[p] <= edge->levels[p - 1]);
                    falls += edge->levels[p] < edge->levels[p - 1] - 2;
                }
                edges++;
            }
            for (int row = 0; rivers && row < TRN_RIVER_CELLS; row++) {
                const bool is_border =
                    row < TRN_RIVER_BORDER || row >= TRN_RIVER_CELLS - TRN_RIVER_BORDER;
                const uint64_t sides = is_border ? UINT64_MAX : UINT64_C(0xC000000000000003);
                assert_true((rivers->lake_rows[row] & sides) == 0);
            }
            trn_rivers_release(terrain, rivers);
        }
        print_message("  %-8s %u cells of rivers, %u falls\n", preset, edges, falls);
        assert_true(edges > 5);
        trn_terrain_destroy(terrain);
    }
}

static void a_region_is_solved_once_and_the_same_in_any_order(void **state)
{
    (void)state;
    TrnTerrain *large = make_preset("default", 8192), *small = make_preset("default", 1);
    for (int32_t i = 0; i < 9; i++) {
        const int32_t x = i % 3 - 1, z = i / 3 - 1, other = 8 - i;
        trn_rivers_release(large, acquire_region(large, x, z));
        trn_rivers_release(small, acquire_region(small, other % 3 - 1, other / 3 - 1));
    }
    for (int32_t i = 0; i < 9; i++) {
        const TrnRivers *a = acquire_region(large, i % 3 - 1, i / 3 - 1);
        const TrnRivers *b = acquire_region(small, i % 3 - 1, i / 3 - 1);
        assert_int_equal(a != NULL, b != NULL);
        if (a && b) {
            assert_int_equal(a->edge_count, b->edge_count);
            assert_memory_equal(a->river_rows, b->river_rows, sizeof a->river_rows);
            assert_memory_equal(a->lake_rows, b->lake_rows, sizeof a->lake_rows);
            for (uint32_t k = 0; k < a->edge_count; k++) {
                assert_memory_equal(a->edges[k].levels, b->edges[k].levels,
                                    sizeof a->edges[k].levels);
                assert_memory_equal(a->edges[k].x, b->edges[k].x, sizeof a->edges[k].x);
            }
        }
        trn_rivers_release(large, a);
        trn_rivers_release(small, b);
    }
    assert_int_equal(trn_rivers_solved(large), 9);
    trn_terrain_destroy(large);
    trn_terrain_destroy(small);
}

// ---- voxels -------------------------------------------------------------------------------------

enum { SQUARE = 3, SQUARE_EDGE = SQUARE * TRN_CHUNK_EDGE, LAYERS = 5 * TRN_CHUNK_EDGE };

/// The voxels of some columns of chunks, from the sea's surface up.
typedef struct Square {
    TrnBlock blocks[LAYERS][SQUARE_EDGE][SQUARE_EDGE];
} Square;

static void fill_square(TrnTerrain *terrain, int32_t x, int32_t z, Square *square)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    for (int32_t c = 0; c < SQUARE * SQUARE * (LAYERS / TRN_CHUNK_EDGE); c++) {
        const int32_t by_x = c % SQUARE, by_z = c / SQUARE % SQUARE, y = c / (SQUARE * SQUARE);
        generate_whole(terrain, (TrnCoord){x + by_x, y, z + by_z}, blocks);
        for (int32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
            square->blocks[y * 32 + i / 1024][by_z * 32 + i / 32 % 32][by_x * 32 + i % 32] =
                blocks[i];
        }
    }
}

/// Whether a voxel lets water out: air or plants, with no water below it that a fall fills.
static bool lets_out(const Square *square, int y, int z, int x)
{
    const TrnBlock block = square->blocks[y][z][x];
    if (block != TRN_BLOCK_AIR && !is_grown(block)) {
        return false;
    }
    while (y > 0 && square->blocks[y][z][x] == TRN_BLOCK_AIR) {
        y--;
    }
    return !is_water(square->blocks[y][z][x]);
}

/// Counts the water above the sea. Checks that each voxel of it stands on water or ground, and has
/// such at its sides, or a fall.
static int check_square(const Square *square)
{
    int waters = 0;
    for (int y = 1; y < LAYERS; y++) {
        for (int i = 0; i < (SQUARE_EDGE - 2) * (SQUARE_EDGE - 2); i++) {
            const int x = i % (SQUARE_EDGE - 2) + 1, z = i / (SQUARE_EDGE - 2) + 1;
            if (!is_water(square->blocks[y][z][x])) {
                continue;
            }
            const TrnBlock below = square->blocks[y - 1][z][x];
            waters++;
            assert_true(below != TRN_BLOCK_AIR && !is_grown(below));
            assert_false(lets_out(square, y, z, x - 1) || lets_out(square, y, z, x + 1));
            assert_false(lets_out(square, y, z - 1, x) || lets_out(square, y, z + 1, x));
        }
    }
    return waters;
}

/// Whether some sample of a chunk column has water above the sea.
static bool has_river(const TrnTerrain *terrain, int32_t x, int32_t z)
{
    Places seen;
    look_level(terrain, x, z, 0, &seen);
    bool is_found = false;
    for (size_t i = 0; i < TRN_LAYER_VOXELS; i++) {
        is_found |= is_water(seen.at[i].surface) && seen.at[i].surface_y > TRN_TERRAIN_SEA_LEVEL;
    }
    return is_found;
}

static void water_above_the_sea_is_held_or_falls(void **state)
{
    (void)state;
    Square *square = malloc(sizeof *square);
    assert_non_null(square);
    const char *preset;
    for (size_t p = 0; (preset = trn_terrain_preset_name(p)); p++) {
        TrnTerrain *terrain = make_preset(preset, 512);
        int squares = 0, waters = 0;
        const int most = (int)test_rounds(24, 6);
        for (int32_t i = 0; i < 31 * 31 && squares < most; i++) {
            const int32_t x = 2 + i * 7 % 31 * 2, z = 2 + i / 31 * 2;
            if (has_river(terrain, x, z)) {
                fill_square(terrain, x - 1, z - 1, square);
                waters += check_square(square);
                squares++;
            }
        }
        print_message("  %-8s %d voxels of water in %d squares\n", preset, waters, squares);
        assert_true(waters > 100);
        trn_terrain_destroy(terrain);
    }
    free(square);
}

static void coarse_levels_have_the_same_rivers(void **state)
{
    (void)state;
    TrnTerrain *terrain = make_preset("default", 4096);
    Places seen;
    for (uint32_t level = 1; level <= 4; level++) {
        int wet = 0, same = 0;
        for (int32_t i = 0; i < 64; i++) {
            const int32_t x = (2 + i % 8 * 7) >> level, z = (2 + i / 8 * 7) >> level;
            look_level(terrain, x, z, level, &seen);
            for (int64_t k = 0; k<(int64_t)TRN_LAYER_VOXELS; k += level> 2 ? 3 : 1) {
                TrnTerrainSample near;
                assert_int_equal(
                    trn_terrain_sample(terrain, ((int64_t)x * 32 + k % 32) * (1 << level),
                                       ((int64_t)z * 32 + k / 32) * (1 << level), &near),
                    TRN_RESULT_OK);
                if (is_water(near.surface) && near.surface_y > TRN_TERRAIN_SEA_LEVEL) {
                    const int64_t by = seen.at[k].surface_y - near.surface_y;
                    wet++;
                    same += is_water(seen.at[k].surface) && llabs(by) <= (1 << level);
                }
            }
        }
        print_message("  level %u: %d of %d\n", level, same, wet);
        assert_true(wet > 5);
        assert_true(same * 100 >= wet * (level == 1 ? 100 : 97));
    }
    trn_terrain_destroy(terrain);
}

static void a_shape_without_rivers_has_none(void **state)
{
    (void)state;
    TrnTerrainDef def = trn_terrain_def();
    def.shape.rivers = 0.0f;
    TrnTerrain *terrain;
    assert_int_equal(trn_terrain_create(&def, &terrain), TRN_RESULT_OK);
    for (int32_t i = 0; i < 64; i++) {
        assert_false(has_river(terrain, i % 8 * 8, i / 8 * 8));
    }
    assert_int_equal(trn_rivers_solved(terrain), 0);
    trn_terrain_destroy(terrain);
}

// ---- threads ------------------------------------------------------------------------------------

typedef struct Worker {
    pthread_t thread;
    TrnTerrain *terrain;
    int32_t first;
    uint64_t sum;
} Worker;

static void *work(void *argument)
{
    Worker *worker = argument;
    for (int32_t i = 0; i < 48; i++) {
        const int32_t at = (i + worker->first) % 48;
        TrnTerrainSample sample;
        // Each of six regions in turn: they share the slots of a small cache.
        (void)trn_terrain_sample(worker->terrain, at % 6 * 2048 + 700 + at * 16, 900 + at, &sample);
        worker->sum += (uint64_t)(sample.height * 3 + sample.surface_y) * (uint64_t)(at + 1);
    }
    return NULL;
}

static void threads_share_regions_and_agree(void **state)
{
    (void)state;
    test_needs_threads();
    uint64_t expected = 0;
    for (int c = 0; c < 2; c++) {
        TrnTerrain *terrain = make_preset("default", c == 0 ? 8192 : 1);
        Worker workers[4];
        for (int32_t i = 0; i < 4; i++) {
            workers[i] = (Worker){.terrain = terrain, .first = i * 12};
            assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
        }
        for (int i = 0; i < 4; i++) {
            assert_int_equal(pthread_join(workers[i].thread, NULL), 0);
            expected = expected ? expected : workers[i].sum;
            assert_true(workers[i].sum == expected);
        }
        assert_true(c == 1 || trn_rivers_solved(terrain) == 6);
        trn_terrain_destroy(terrain);
    }
}

/// @param argv  a pattern of test names, if not all are to run
int main(int argc, char **argv)
{
    if (argc > 1) {
        cmocka_set_test_filter(argv[1]);
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drainage_fills_like_a_simple_model_and_never_climbs),
        cmocka_unit_test(rivers_flow_down_within_their_region),
        cmocka_unit_test(a_region_is_solved_once_and_the_same_in_any_order),
        cmocka_unit_test(water_above_the_sea_is_held_or_falls),
        cmocka_unit_test(coarse_levels_have_the_same_rivers),
        cmocka_unit_test(a_shape_without_rivers_has_none),
        cmocka_unit_test(threads_share_regions_and_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
