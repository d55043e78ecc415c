// The terrain: that it is a pure function, exact at the ends of the world, frugal with memory, and
// a land worth flying over.

#include "testing.h"

#include <pthread.h>

#include <terrane/terrain.h>

/// FNV-1a over every block of the golden region, whatever the compiler, its settings and the machine. A change of this figure
/// is a change of every world that anybody has: it wants a reason.
#define GOLDEN_SEED 20240607
#define GOLDEN_HASH 0x4098D6B0517C82EAu

static TrnTerrain *make_terrain(uint64_t seed, uint32_t column_cache_max, TestAllocator *state)
{
    TrnTerrainDef def = trn_terrain_def();
    TrnAllocator allocator = test_allocator(state);
    def.seed = seed;
    def.column_cache_max = column_cache_max;
    def.allocator = state ? &allocator : NULL;
    TrnTerrain *terrain = NULL;
    assert_int_equal(trn_terrain_create(&def, &terrain), TRN_RESULT_OK);
    return terrain;
}

/// Generates a chunk with all its blocks written, uniform or not; returns whether it was uniform.
static bool generate_whole(TrnTerrain *terrain, TrnCoord coord, TrnBlock *blocks)
{
    bool uniform = false;
    assert_int_equal(trn_terrain_generate(terrain, coord, blocks, &uniform), TRN_RESULT_OK);
    for (int i = 1; uniform && i < TRN_CHUNK_VOXELS; i++) {
        blocks[i] = blocks[0];
    }
    return uniform;
}

static uint64_t hash_blocks(uint64_t hash, const TrnBlock *blocks)
{
    for (int i = 0; i < TRN_CHUNK_VOXELS; i++) {
        hash = (hash ^ (blocks[i] & 0xFF)) * 0x100000001B3u;
        hash = (hash ^ (uint64_t)(blocks[i] >> 8)) * 0x100000001B3u;
    }
    return hash;
}

/// The hash of the chunks within one chunk around a place sideways, and from -3 to 6 upwards.
static uint64_t hash_place(TrnTerrain *terrain, uint64_t hash, int32_t x, int32_t z)
{
    TrnBlock blocks[TRN_CHUNK_VOXELS]; // not static: threads come here
    TrnBox box = trn_box_around((TrnCoord){x, 0, z}, 1, 0, 1);
    for (int32_t y = -3; y <= 6; y++) {
        for (int64_t cz = box.min.z; cz <= box.max.z; cz++) {
            for (int64_t cx = box.min.x; cx <= box.max.x; cx++) {
                generate_whole(terrain, (TrnCoord){(int32_t)cx, y, (int32_t)cz}, blocks);
                hash = hash_blocks(hash, blocks);
            }
        }
    }
    return hash;
}

static const int32_t places[][2] = {
    {0, 0},
    {-9, -23},
    {31250000, -1000000000},
    {INT32_MAX, INT32_MAX},
    {INT32_MIN, INT32_MIN},
    {INT32_MIN, 3},
    {-5, INT32_MAX},
};

#define PLACE_COUNT (sizeof places / sizeof places[0])

static uint64_t hash_world(uint64_t seed)
{
    TrnTerrain *terrain = make_terrain(seed, 64, NULL);
    uint64_t hash = 0xCBF29CE484222325u;
    for (size_t i = 0; i < PLACE_COUNT; i++) {
        hash = hash_place(terrain, hash, places[i][0], places[i][1]);
    }
    trn_terrain_destroy(terrain);
    return hash;
}

static int64_t height_at(const TrnTerrain *terrain, int64_t x, int64_t z)
{
    int64_t height = INT64_MIN;
    assert_int_equal(trn_terrain_height(terrain, x, z, &height), TRN_RESULT_OK);
    return height;
}

static void the_same_seed_is_the_same_world_everywhere(void **state)
{
    (void)state;
    uint64_t hash = hash_world(GOLDEN_SEED);
    print_message("  hash 0x%016llX\n", (unsigned long long)hash);
    assert_true(hash == GOLDEN_HASH);
}

static void every_seed_is_another_world(void **state)
{
    (void)state;
    const uint64_t seeds[] = {0, 1, 2, 40, (uint64_t)1 << 32, (uint64_t)1 << 63, UINT64_MAX};
    uint64_t hashes[sizeof seeds / sizeof seeds[0]];
    for (size_t i = 0; i < sizeof seeds / sizeof seeds[0]; i++) {
        hashes[i] = hash_world(seeds[i]);
        for (size_t j = 0; j < i; j++) {
            assert_true(hashes[i] != hashes[j]);
        }
    }
}

typedef struct ChunkBlocks {
    TrnBlock blocks[TRN_CHUNK_VOXELS];
} ChunkBlocks;

/// A small world around a place, generated in an order that depends on `stride`, into [216] chunks.
static void generate_in_order(TrnTerrain *terrain, TrnCoord first, int stride, ChunkBlocks *chunks)
{
    for (int i = 0, at = 0; i < 216; i++, at = (at + stride) % 216) {
        TrnCoord coord = trn_coord_add(first, at % 6, at / 36, at / 6 % 6);
        generate_whole(terrain, coord, chunks[at].blocks);
    }
}

static void order_and_cache_size_change_nothing(void **state)
{
    (void)state;
    const size_t bytes = sizeof(ChunkBlocks) * 216;
    ChunkBlocks *forwards = malloc(bytes), *jumping = malloc(bytes);
    assert_non_null(forwards);
    assert_non_null(jumping);
    for (size_t i = 0; i < PLACE_COUNT; i++) {
        TrnCoord first = {places[i][0], -2, places[i][1]}; // may run over the end of the world
        TrnTerrain *large = make_terrain(40, 1000, NULL), *tiny = make_terrain(40, 1, NULL);
        generate_in_order(large, first, 1, forwards);
        generate_in_order(tiny, first, 101, jumping);
        assert_memory_equal(forwards, jumping, bytes);
        trn_terrain_destroy(large);
        trn_terrain_destroy(tiny);
    }
    free(forwards);
    free(jumping);
}

/// What a voxel must be, seen from its column's height alone.
static void check_voxel(TrnBlock block, int64_t y, int64_t height)
{
    if (y > height) {
        assert_int_equal(block, y > TRN_TERRAIN_SEA_LEVEL ? TRN_BLOCK_AIR : TRN_BLOCK_WATER);
    } else if (y < height - 4) {
        assert_int_equal(block, TRN_BLOCK_STONE);
    } else {
        assert_true(block != TRN_BLOCK_AIR && block != TRN_BLOCK_WATER);
        assert_true(block < TRN_BLOCK_BUILTIN_COUNT);
    }
}

static bool blocks_are_all_one(const TrnBlock *blocks)
{
    int i = 1;
    while (i < TRN_CHUNK_VOXELS && blocks[i] == blocks[0]) {
        i++;
    }
    return i == TRN_CHUNK_VOXELS;
}

/// Checks the chunks of a column against trn_terrain_height, voxel by voxel.
static void check_column(TrnTerrain *terrain, int32_t x, int32_t z)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    int64_t heights[TRN_CHUNK_EDGE * TRN_CHUNK_EDGE];
    for (int i = 0; i < TRN_CHUNK_EDGE * TRN_CHUNK_EDGE; i++) {
        heights[i] = height_at(terrain, (int64_t)x * TRN_CHUNK_EDGE + i % TRN_CHUNK_EDGE,
                               (int64_t)z * TRN_CHUNK_EDGE + i / TRN_CHUNK_EDGE);
        assert_in_range(heights[i] + 100, 0, 356);
    }
    for (int32_t y = -5; y <= 9; y++) {
        bool uniform = generate_whole(terrain, (TrnCoord){x, y, z}, blocks);
        assert_int_equal(uniform, blocks_are_all_one(blocks));
        for (int i = 0; i < TRN_CHUNK_VOXELS; i++) {
            int in_layer = i % (TRN_CHUNK_EDGE * TRN_CHUNK_EDGE);
            int layer = i / (TRN_CHUNK_EDGE * TRN_CHUNK_EDGE);
            check_voxel(blocks[i], (int64_t)y * TRN_CHUNK_EDGE + layer, heights[in_layer]);
        }
    }
}

static void heights_and_uniform_flags_agree_with_voxels(void **state)
{
    (void)state;
    TrnTerrain *terrain = make_terrain(trn_terrain_def().seed, 16, NULL);
    TestRandom random = test_random_seeded(7);
    for (size_t i = 0; i < PLACE_COUNT; i++) {
        check_column(terrain, places[i][0], places[i][1]);
    }
    for (int i = 0; i < 24; i++) {
        check_column(terrain, (int32_t)test_random_range(&random, -60, 60),
                     (int32_t)test_random_range(&random, -60, 60));
    }
    trn_terrain_destroy(terrain);
}

static void uniform_chunks_leave_the_rest_of_the_blocks_alone(void **state)
{
    (void)state;
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    TestAllocator memory = {0};
    TrnTerrain *terrain = make_terrain(40, 16, &memory);
    size_t allocations = memory.allocations;
    const int32_t heights[] = {INT32_MIN, -1000, -4, 8, 1000, INT32_MAX};
    for (size_t i = 0; i < sizeof heights / sizeof heights[0]; i++) {
        memset(blocks, 0xEE, sizeof blocks);
        bool uniform = false;
        assert_int_equal(
            trn_terrain_generate(terrain, (TrnCoord){5, heights[i], 5}, blocks, &uniform),
            TRN_RESULT_OK);
        assert_true(uniform);
        assert_int_equal(blocks[0], heights[i] < 0 ? TRN_BLOCK_STONE : TRN_BLOCK_AIR);
        assert_int_equal(blocks[1], 0xEEEE);
        assert_int_equal(blocks[TRN_CHUNK_VOXELS - 1], 0xEEEE);
    }
    assert_int_equal(memory.allocations, allocations); // so far up and down no column is looked at
    trn_terrain_destroy(terrain);
    assert_int_equal(memory.live_blocks, 0);
}

/// Counts what a walk over the land meets.
typedef struct Survey {
    int64_t samples, sea, lowest, highest;
    int64_t tops[TRN_BLOCK_BUILTIN_COUNT];
    int64_t water_chunks;
} Survey;

static void survey_chunk(TrnTerrain *terrain, TrnCoord coord, Survey *survey)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    int64_t x = (int64_t)coord.x * TRN_CHUNK_EDGE, z = (int64_t)coord.z * TRN_CHUNK_EDGE;
    int64_t height = height_at(terrain, x, z);
    survey->samples++;
    survey->sea += height < TRN_TERRAIN_SEA_LEVEL;
    survey->lowest = height < survey->lowest ? height : survey->lowest;
    survey->highest = height > survey->highest ? height : survey->highest;
    coord.y = (int32_t)(height >> TRN_CHUNK_SHIFT);
    generate_whole(terrain, coord, blocks);
    survey->tops[blocks[trn_local_index(0, (uint32_t)height & 31, 0)]]++;
    coord.y = -1;
    survey->water_chunks += generate_whole(terrain, coord, blocks) && blocks[0] == TRN_BLOCK_WATER;
}

static Survey survey_box(uint64_t seed, int32_t radius_chunks, int32_t step_chunks)
{
    Survey survey = {0};
    TrnTerrain *terrain = make_terrain(seed, 8, NULL);
    for (int32_t z = -radius_chunks; z <= radius_chunks; z += step_chunks) {
        for (int32_t x = -radius_chunks; x <= radius_chunks; x += step_chunks) {
            survey_chunk(terrain, (TrnCoord){x, 0, z}, &survey);
        }
    }
    trn_terrain_destroy(terrain);
    return survey;
}

static void the_land_has_seas_and_mountains_and_every_ground(void **state)
{
    (void)state;
    const uint64_t seeds[] = {trn_terrain_def().seed, 1, UINT64_MAX};
    for (size_t i = 0; i < sizeof seeds / sizeof seeds[0]; i++) {
        Survey survey = survey_box(seeds[i], 128, 4);
        assert_in_range(survey.sea * 100 / survey.samples, 15, 60);
        assert_in_range(survey.highest, 120, 240);
        assert_in_range(-survey.lowest, 30, 70);
        assert_true(survey.water_chunks > 0);
        for (int block = TRN_BLOCK_STONE; block <= TRN_BLOCK_SNOW; block++) {
            assert_true(survey.tops[block] > 0);
        }
        assert_int_equal(survey.tops[TRN_BLOCK_WATER] + survey.tops[TRN_BLOCK_AIR], 0);
    }
}

static void the_default_world_is_worth_seeing_at_its_origin(void **state)
{
    (void)state;
    Survey survey = survey_box(trn_terrain_def().seed, 15, 1);
    assert_in_range(survey.sea * 100 / survey.samples, 15, 50);
    assert_true(survey.highest > 140);
    assert_true(survey.tops[TRN_BLOCK_SAND] > 10);
    assert_true(survey.tops[TRN_BLOCK_GRASS] > 200);
    assert_true(survey.tops[TRN_BLOCK_STONE] > 20);
    assert_true(survey.tops[TRN_BLOCK_SNOW] > 5);
}

/// Sums of the steps between columns next to each other along x.
typedef struct Steps {
    int64_t count, sum, highest;
} Steps;

static void add_step(Steps *steps, int64_t from, int64_t to)
{
    int64_t step = from < to ? to - from : from - to;
    steps->count++;
    steps->sum += step;
    steps->highest = step > steps->highest ? step : steps->highest;
}

/// @param transposed  walks along z instead
static void walk_steps(const TrnTerrain *terrain, int64_t x, int64_t z, bool transposed,
                       Steps *inside, Steps *across)
{
    int64_t before = transposed ? height_at(terrain, z, x) : height_at(terrain, x, z);
    for (int64_t i = 1; i < 1024; i++) {
        int64_t here = transposed ? height_at(terrain, z, x + i) : height_at(terrain, x + i, z);
        add_step(((x + i) & (TRN_CHUNK_EDGE - 1)) == 0 ? across : inside, before, here);
        before = here;
    }
}

static void chunk_borders_do_not_show(void **state)
{
    (void)state;
    TrnTerrain *terrain = make_terrain(40, 1, NULL);
    Steps inside = {0}, across = {0};
    for (int64_t line = 0; line < 48; line++) {
        walk_steps(terrain, -512, line * 397 - 9000, (line & 1) != 0, &inside, &across);
    }
    double mean_inside = (double)inside.sum / (double)inside.count;
    double mean_across = (double)across.sum / (double)across.count;
    assert_true(mean_across < mean_inside * 1.15 && mean_across > mean_inside * 0.85);
    assert_true(across.highest <= inside.highest);
    assert_true(inside.highest < 12);
    trn_terrain_destroy(terrain);
}

/// How rough the land is, on average over many far apart places.
static double mean_step(const TrnTerrain *terrain, int64_t x, int64_t z, int64_t stride)
{
    Steps steps = {0};
    for (int64_t i = 0; i < 32; i++) {
        walk_steps(terrain, x + i * stride, z - i * stride, (i & 1) != 0, &steps, &steps);
    }
    return (double)steps.sum / (double)steps.count;
}

static void the_ends_of_the_world_are_as_fine_as_its_origin(void **state)
{
    (void)state;
    TrnTerrain *terrain = make_terrain(40, 1, NULL);
    double near = mean_step(terrain, 0, 0, 9973);
    double high = mean_step(terrain, TRN_VOXEL_MAX - 1023, TRN_VOXEL_MIN + 1000000, -9973);
    double low = mean_step(terrain, TRN_VOXEL_MIN, TRN_VOXEL_MAX - 1023, 9973);
    print_message("  mean steps %.3f near, %.3f and %.3f far\n", near, high, low);
    assert_true(high > near * 0.7 && high < near * 1.4);
    assert_true(low > near * 0.7 && low < near * 1.4);
    trn_terrain_destroy(terrain);
}

static void jumping_far_keeps_memory_bounded(void **state)
{
    (void)state;
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    TestAllocator memory = {0};
    TrnTerrain *terrain = make_terrain(40, 64, &memory);
    uint64_t first[2] = {0, 0};
    size_t peak = 0;
    for (int round = 0; round < 6; round++) {
        for (int32_t place = 0; place < 2; place++) {
            uint64_t hash = 1;
            for (int32_t i = 0; i < 9; i++) {
                TrnCoord coord = {place * 10000000 + i % 3, 0, place * -10000000 + i / 3};
                generate_whole(terrain, coord, blocks);
                hash = hash_blocks(hash, blocks);
                peak = memory.live_bytes > peak ? memory.live_bytes : peak;
            }
            first[place] = round == 0 ? hash : first[place];
            assert_true(hash == first[place]);
        }
    }
    assert_true(first[0] != first[1]);
    assert_true(peak < 1u << 20);
    trn_terrain_destroy(terrain);
    assert_int_equal(memory.live_blocks, 0);
}

static void walking_far_keeps_memory_bounded(void **state)
{
    (void)state;
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    TestAllocator memory = {0};
    TrnTerrain *terrain = make_terrain(40, 32, &memory);
    size_t peak = 0;
    for (int32_t i = 0; i < 4000; i++) { // a straight line, then a diagonal
        generate_whole(terrain, (TrnCoord){i, 0, i < 2000 ? 0 : i - 2000}, blocks);
        peak = memory.live_bytes > peak ? memory.live_bytes : peak;
    }
    assert_true(peak < 1u << 20);
    trn_terrain_destroy(terrain);
    assert_int_equal(memory.live_blocks, 0);
}

/// Creates a terrain and generates at two places, 40 chunks and far apart, with one allocation failing. Returns whether one did.
static bool survive_failure_at(size_t fail_at, uint64_t expected[3])
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    const int32_t stops[3] = {0, 40, 100000000};
    TestAllocator memory = {.fail_at = fail_at};
    TrnAllocator allocator = test_allocator(&memory);
    TrnTerrainDef def = {.seed = 40, .column_cache_max = 4, .allocator = &allocator};
    TrnTerrain *terrain = NULL;
    TrnResult result = trn_terrain_create(&def, &terrain);
    if (result != TRN_RESULT_OK) {
        assert_int_equal(result, TRN_RESULT_NO_MEMORY);
        assert_null(terrain);
        assert_int_equal(memory.live_blocks, 0);
        return true;
    }
    for (int i = 0; i < 3; i++) {
        TrnCoord coord = {stops[i], 0, 0};
        bool uniform = false;
        blocks[0] = 0xEEEE;
        result = trn_terrain_generate(terrain, coord, blocks, &uniform);
        if (result != TRN_RESULT_OK) {
            assert_int_equal(result, TRN_RESULT_NO_MEMORY);
            assert_int_equal(blocks[0], 0xEEEE);
            assert_false(uniform);
        }
        generate_whole(terrain, coord, blocks); // works again
        uint64_t hash = hash_blocks(1, blocks);
        expected[i] = fail_at == 0 ? hash : expected[i];
        assert_true(hash == expected[i]);
    }
    trn_terrain_destroy(terrain);
    assert_int_equal(memory.live_blocks, 0);
    return memory.allocations >= fail_at;
}

static void every_failing_allocation_is_survived(void **state)
{
    (void)state;
    uint64_t expected[3] = {0, 0, 0};
    survive_failure_at(0, expected);
    size_t fail_at = 1;
    while (survive_failure_at(fail_at, expected)) {
        fail_at++;
    }
    assert_true(fail_at > 6);
}

/// What a thread of its own makes of the golden region, while all threads ask one shared terrain for heights.
typedef struct Worker {
    pthread_t thread;
    const TrnTerrain *shared;
    int64_t height_sum;
    uint64_t hash;
} Worker;

static void *work(void *argument)
{
    Worker *worker = argument;
    worker->hash = hash_world(GOLDEN_SEED);
    for (int64_t i = 0; i < 1000; i++) {
        worker->height_sum += height_at(worker->shared, i * 31, i * -17);
    }
    return NULL;
}

static void threads_agree(void **state)
{
    (void)state;
    TrnTerrain *shared = make_terrain(40, 1, NULL);
    Worker workers[3] = {{.shared = shared}, {.shared = shared}, {.shared = shared}};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    }
    for (int i = 0; i < 3; i++) {
        assert_int_equal(pthread_join(workers[i].thread, NULL), 0);
        assert_true(workers[i].hash == GOLDEN_HASH);
        assert_true(workers[i].height_sum == workers[0].height_sum);
    }
    trn_terrain_destroy(shared);
}

static void bad_arguments_are_refused(void **state)
{
    (void)state;
    TrnTerrainDef def = trn_terrain_def();
    def.column_cache_max = 0;
    TrnTerrain *terrain = NULL;
    assert_int_equal(trn_terrain_create(&def, &terrain), TRN_RESULT_BAD_ARGUMENT);
    assert_null(terrain);
    assert_int_equal(trn_terrain_create(NULL, &terrain), TRN_RESULT_OK); // the default
    const int64_t outside[][2] = {
        {TRN_VOXEL_MIN - 1, 0}, {TRN_VOXEL_MAX + 1, 0}, {0, TRN_VOXEL_MIN - 1}, {0, INT64_MAX}};
    for (size_t i = 0; i < sizeof outside / sizeof outside[0]; i++) {
        int64_t height = 12345;
        assert_int_equal(trn_terrain_height(terrain, outside[i][0], outside[i][1], &height),
                         TRN_RESULT_BAD_ARGUMENT);
        assert_int_equal(height, 12345);
    }
    trn_terrain_destroy(terrain);
    trn_terrain_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_seed_is_the_same_world_everywhere),
        cmocka_unit_test(every_seed_is_another_world),
        cmocka_unit_test(order_and_cache_size_change_nothing),
        cmocka_unit_test(heights_and_uniform_flags_agree_with_voxels),
        cmocka_unit_test(uniform_chunks_leave_the_rest_of_the_blocks_alone),
        cmocka_unit_test(the_land_has_seas_and_mountains_and_every_ground),
        cmocka_unit_test(the_default_world_is_worth_seeing_at_its_origin),
        cmocka_unit_test(chunk_borders_do_not_show),
        cmocka_unit_test(the_ends_of_the_world_are_as_fine_as_its_origin),
        cmocka_unit_test(jumping_far_keeps_memory_bounded),
        cmocka_unit_test(walking_far_keeps_memory_bounded),
        cmocka_unit_test(every_failing_allocation_is_survived),
        cmocka_unit_test(threads_agree),
        cmocka_unit_test(bad_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
