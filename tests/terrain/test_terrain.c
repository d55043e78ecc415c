// The terrain: it is a pure function, exact at the ends of the world, and needs little memory.
// test_land.c tests what the land is like.

#include "terrain_voxels.h"

#include <pthread.h>

#include "terrain/noise_impl.h"
#include "terrain/terrain_test_hooks.h"

/// Hashes of every block of the golden chunks, at the origin and at the ends of the world: of level
/// 0 and of coarser levels. They are equal for every compiler, setting and machine. Changing the
/// first changes every user's world, so it needs a reason; changing the second changes the far
/// view.
#define GOLDEN_SEED 20240607
#define GOLDEN_HASH 0xD8A9EEEFE332ECD0u
#define GOLDEN_COARSE_HASH 0x1C7ECE6440CB67C9u

static void generate_at(TrnTerrain *terrain, TrnCoord coord, uint32_t level, TrnBlock *blocks)
{
    bool uniform = false;
    assert_int_equal(trn_terrain_generate_level(terrain, coord, level, blocks, &uniform),
                     TRN_RESULT_OK);
    for (int i = 1; uniform && i < TRN_CHUNK_VOXELS; i++) {
        blocks[i] = blocks[0];
    }
}

/// Hashes the chunks of some levels around sea level at a place.
static uint64_t hash_levels(TrnTerrain *terrain, int32_t x, int32_t z)
{
    static const uint32_t levels[] = {1, 2, 3, 6, TRN_TERRAIN_LEVEL_MAX};
    TrnBlock blocks[TRN_CHUNK_VOXELS];
    uint64_t hash = 0xCBF29CE484222325u;
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++) {
        for (int32_t y = -1; y <= 0; y++) {
            generate_at(terrain, (TrnCoord){x >> levels[i], y, z >> levels[i]}, levels[i], blocks);
            hash = hash_blocks(hash, blocks);
        }
    }
    return hash;
}

static uint64_t hash_near(TrnTerrain *terrain, int32_t x, int32_t z)
{
    int chunks = 0;
    return hash_place(terrain, x, z, &chunks);
}

static uint64_t hash_all(TrnTerrain *terrain, int32_t x, int32_t z)
{
    return hash_near(terrain, x, z) ^ hash_levels(terrain, x, z) << 1;
}

static const int32_t places[][2] = {
    {0, 0},
    {-9, -23},
    {31250000, -1000000000},
    {INT32_MAX, INT32_MAX},
    {INT32_MIN, INT32_MIN},
    {INT32_MAX, INT32_MIN},
    {INT32_MIN, 3},
    {-5, INT32_MAX},
    {1000, 77},
    {-4321, 1234},
    {20000, -20000},
    {7, -52},
    {-2000000000, 1500000000},
    {123456789, -7},
};

#define PLACE_COUNT (sizeof places / sizeof places[0])

/// Hashes every stride-th place.
/// @param first  the place to generate first
/// @param hash_at  of one place
static uint64_t hash_places(TrnTerrain *terrain, size_t stride, size_t first,
                            uint64_t (*hash_at)(TrnTerrain *, int32_t, int32_t))
{
    uint64_t hashes[PLACE_COUNT];
    const size_t count = (PLACE_COUNT + stride - 1) / stride;
    for (size_t i = 0; i < count; i++) {
        const size_t at = (first + i) % count;
        const int32_t *place = places[at * stride];
        hashes[at] = hash_at(terrain, place[0], place[1]);
    }
    uint64_t hash = 0;
    for (size_t i = 0; i < count; i++) {
        hash = (hash ^ hashes[i]) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 32;
    }
    return hash;
}

/// Slow checks use every third place, which includes places near and at the ends of the world.
#define SOME_PLACES 3

static uint64_t hash_some_places(void)
{
    TrnTerrain *terrain = make_terrain(GOLDEN_SEED, 64, NULL);
    const uint64_t hash = hash_places(terrain, SOME_PLACES, 0, hash_all);
    trn_terrain_destroy(terrain);
    return hash;
}

static void the_same_seed_is_the_same_world_everywhere(void **state)
{
    (void)state;
    TrnTerrain *terrain = make_terrain(GOLDEN_SEED, 64, NULL);
    const uint64_t near = hash_places(terrain, 1, 0, hash_near);
    const uint64_t far = hash_places(terrain, 1, 0, hash_levels);
    trn_terrain_destroy(terrain);
    print_message("  hash 0x%016llX, of levels 0x%016llX\n", (unsigned long long)near,
                  (unsigned long long)far);
    assert_true(near == GOLDEN_HASH);
    assert_true(far == GOLDEN_COARSE_HASH);
}

static void all_kernels_generate_the_same_world(void **state)
{
    (void)state;
    const uint64_t expected = hash_some_places();
    for (unsigned k = 0; trn_kernels_name(&trn_noise_kernels, k); k++) {
        TrnTerrain *terrain = make_terrain(GOLDEN_SEED, 64, NULL);
        assert_true(trn_terrain_use_kernels(terrain, trn_kernels_name(&trn_noise_kernels, k)));
        const uint64_t hash = hash_places(terrain, SOME_PLACES, 0, hash_all);
        trn_terrain_destroy(terrain);
        assert_true(hash == expected);
    }
}

static void every_seed_is_another_world(void **state)
{
    (void)state;
    const uint64_t seeds[] = {0, 1, 2, 40, (uint64_t)1 << 32, (uint64_t)1 << 63, UINT64_MAX};
    uint64_t hashes[sizeof seeds / sizeof seeds[0]];
    for (size_t i = 0; i < sizeof seeds / sizeof seeds[0]; i++) {
        int count = 0;
        TrnTerrain *terrain = make_terrain(seeds[i], 64, NULL);
        hashes[i] = hash_place(terrain, 7, -52, &count);
        trn_terrain_destroy(terrain);
        for (size_t j = 0; j < i; j++) {
            assert_true(hashes[i] != hashes[j]);
        }
    }
}

typedef struct ChunkBlocks {
    TrnBlock blocks[TRN_CHUNK_VOXELS];
} ChunkBlocks;

/// Generates a small world around a place into [216] chunks, in an order that depends on `stride`.
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
        TrnCoord first = {places[i][0], -2, places[i][1]}; // may pass the end of the world
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

// ---- heights ------------------------------------------------------------------------------------

static void heights_and_uniform_flags_agree_with_voxels(void **state)
{
    (void)state;
    static Tower tower;
    TrnTerrain *terrain = make_terrain(trn_terrain_def().seed, 16, NULL);
    TestRandom random = test_random_seeded(7);
    for (size_t i = 0; i < PLACE_COUNT; i++) {
        check_heights(terrain, places[i][0], places[i][1], &tower);
    }
    for (int i = 0; i < 24; i++) {
        const int32_t x = (int32_t)test_random_range(&random, -60, 60);
        const int32_t z = (int32_t)test_random_range(&random, -60, 60);
        check_heights(terrain, x, z, &tower);
    }
    trn_terrain_destroy(terrain);
}

static void uniform_chunks_need_neither_columns_nor_memory(void **state)
{
    (void)state;
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    TestAllocator memory = {0};
    TrnTerrain *terrain = make_terrain(40, 16, &memory);
    const size_t allocations = memory.allocations;
    const int32_t heights[] = {INT32_MIN, -1000, -7, 11, 1000, INT32_MAX};
    for (size_t i = 0; i < sizeof heights / sizeof heights[0]; i++) {
        memset(blocks, 0xEE, sizeof blocks);
        bool uniform = false;
        assert_int_equal(
            trn_terrain_generate(terrain, (TrnCoord){5, heights[i], 5}, blocks, &uniform),
            TRN_RESULT_OK);
        assert_true(uniform);
        assert_int_equal(blocks[0], heights[i] < 0 ? TRN_BLOCK_STONE : TRN_BLOCK_AIR);
        assert_int_equal(blocks[1], 0xEEEE);
    }
    assert_int_equal(memory.allocations, allocations);
    trn_terrain_destroy(terrain);
    assert_int_equal(memory.live_blocks, 0);
}

// ---- levels -------------------------------------------------------------------------------------

/// Heights of one level against those of level 0.
typedef struct LevelErrors {
    int seen, off, far_off; ///< samples; off by a voxel of the level; by more
} LevelErrors;

/// The topmost ground of a sample in a tower of coarse chunks. Checks that there is ground below
/// it.
static int64_t coarse_top(const TrnBlock *tower, int64_t bottom, int64_t layers, size_t place)
{
    int64_t y = layers - 1;
    while (y > 0 && !is_ground(tower[(size_t)y * TRN_LAYER_VOXELS + place])) {
        y--;
    }
    for (int64_t below = y; below >= 0; below--) {
        assert_true(is_ground(tower[(size_t)below * TRN_LAYER_VOXELS + place]));
    }
    return y + bottom;
}

/// Compares some samples of a column of coarse chunks with level 0.
static void compare_coarse_column(TrnTerrain *terrain, TrnCoord coord, uint32_t level,
                                  TestRandom *random, LevelErrors *errors)
{
    static TrnBlock tower[20 * TRN_CHUNK_VOXELS];
    const int32_t low = -200 >> (level + 5), high = 340 >> (level + 5);
    for (int32_t y = low; y <= high; y++) {
        generate_at(terrain, (TrnCoord){coord.x, y, coord.z}, level,
                    &tower[(size_t)(y - low) * (size_t)TRN_CHUNK_VOXELS]);
    }
    for (int i = 0; i < 6; i++) {
        const int64_t place = test_random_range(random, 0, (int64_t)TRN_LAYER_VOXELS - 1);
        TrnTerrainSample near;
        assert_int_equal(
            trn_terrain_sample(terrain, ((int64_t)coord.x * 32 + place % 32) * (1 << level),
                               ((int64_t)coord.z * 32 + place / 32) * (1 << level), &near),
            TRN_RESULT_OK);
        const int64_t top =
            coarse_top(tower, (int64_t)low * 32, ((int64_t)high - low + 1) * 32, (size_t)place);
        const int64_t error = llabs(top - (near.height >> level));
        errors->seen++;
        errors->off += error == 1;
        errors->far_off += error > 1;
    }
}

/// The shapes whose levels are compared: the presets, then extremes.
/// @return the name of the i-th, or NULL past the last
static const char *level_shape(size_t i, TrnTerrainShape *shape)
{
    size_t presets = 0;
    for (; trn_terrain_preset_name(presets); presets++) {
    }
    *shape = trn_terrain_shape_default();
    if (i < presets) {
        (void)trn_terrain_shape_preset(trn_terrain_preset_name(i), shape);
        return trn_terrain_preset_name(i);
    }
    const char *const names[] = {"small", "steep", "large"};
    if (i >= presets + 3) {
        return NULL;
    }
    static const float scales[] = {0.25f, 0.5f, 8.0f};
    shape->scale = scales[i - presets];
    shape->overhangs = 2.0f;
    if (i - presets > 0) {
        shape->mountains = 2.0f;
    }
    if (i - presets == 1) {
        shape->relief = shape->caves = 2.0f;
        shape->terraces = shape->land = 1.0f;
    }
    return names[i - presets];
}

/// Level 1 has level 0's heights. Above it they lie within a voxel of the level, except for a few
/// samples where an overhang ends in a cave, and from level 5 on in the beds of rivers.
static void every_level_has_the_heights_of_level_0(void **state)
{
    (void)state;
    static const uint32_t levels[] = {1, 2, 3, 4, 5, TRN_TERRAIN_LEVEL_MAX};
    TestRandom random = test_random_seeded(26);
    TrnTerrainDef def = trn_terrain_def();
    const char *name;
    for (size_t i = 0; (name = level_shape(i, &def.shape)); i++) {
        TrnTerrain *terrain;
        assert_int_equal(trn_terrain_create(&def, &terrain), TRN_RESULT_OK);
        LevelErrors all = {0};
        for (size_t l = 0; l < sizeof levels / sizeof levels[0]; l++) {
            LevelErrors errors = {0};
            for (size_t round = 0; round < test_rounds(60, 6); round++) {
                const int64_t range = l == 5 ? 15 : 2000 >> levels[l];
                const TrnCoord coord = {(int32_t)test_random_range(&random, -range, range), 0,
                                        (int32_t)test_random_range(&random, -range, range)};
                compare_coarse_column(terrain, coord, levels[l], &random, &errors);
            }
            print_message("  %-8s level %2u: %.2f %% of %d off by a voxel, %.2f %% by more\n", name,
                          levels[l], 100.0 * errors.off / errors.seen, errors.seen,
                          100.0 * errors.far_off / errors.seen);
            assert_true(levels[l] > 1 || errors.off + errors.far_off == 0);
            all.seen += errors.seen;
            all.off += errors.off;
            all.far_off += errors.far_off;
        }
        assert_true(all.off * 100 <= all.seen * 8); // leaves are the top of the ground
        assert_true(all.far_off * 200 <= all.seen);
        trn_terrain_destroy(terrain);
    }
}

static void every_level_has_the_same_covers(void **state)
{
    (void)state;
    static TrnBlock coarse[TRN_CHUNK_VOXELS];
    TrnTerrain *terrain = make_terrain(trn_terrain_def().seed, 4096, NULL);
    for (uint32_t level = 1; level <= 5; level++) {
        int64_t seen = 0, same = 0;
        for (int32_t y = 2; y >= 0; y--) {
            generate_at(terrain, (TrnCoord){0, y, 0}, level, coarse);
            // Places so far apart that each needs its own column.
            for (int64_t i = 0;
                 i<(int64_t)TRN_CHUNK_VOXELS - (int64_t)TRN_LAYER_VOXELS; i += level> 2 ? 3 : 1) {
                if (!is_ground(coarse[i]) ||
                    coarse[i + (int64_t)TRN_LAYER_VOXELS] != TRN_BLOCK_AIR) {
                    continue;
                }
                TrnTerrainSample place;
                const int64_t x = (i & 31) << level, z = (i >> 5 & 31) << level;
                const int64_t layer = ((int64_t)y * 32 + (i >> 10)) << level;
                assert_int_equal(trn_terrain_sample(terrain, x, z, &place), TRN_RESULT_OK);
                const bool is_top = place.height >= layer && place.height < layer + (1 << level);
                seen += is_top;
                same += is_top && (place.top == coarse[i] || place.top == TRN_BLOCK_STONE);
            }
        }
        print_message("  level %u: %lld of %lld\n", level, (long long)same, (long long)seen);
        assert_true(seen > 200);
        // From level 3 on, slopes between samples far apart choose the cover; from 5 on there are
        // no rivers.
        assert_true(same * 100 >= seen * (level < 3 ? 97 : level < 5 ? 90 : 87));
    }
    trn_terrain_destroy(terrain);
}

// ---- places, memory and threads -----------------------------------------------------------------

/// Counts of samples, from places of every level in one call and one by one.
typedef struct LevelPlaces {
    int count, close, same_biome;
} LevelPlaces;

static void compare_place(const TrnTerrainSample *far, const TrnTerrainSample *near, uint32_t level,
                          LevelPlaces *found)
{
    assert_int_equal(far->height < far->surface_y, is_water(far->surface));
    assert_true(is_water(far->surface) || far->surface == far->top);
    const int64_t by = far->height - near->height, most = (int64_t)1 << level;
    found->close += by >= -most && by <= most;
    found->same_biome += far->biome == near->biome;
    found->count++;
}

/// Compares places of every level, in one call, with single places.
static LevelPlaces compare_levels_of_places(const TrnTerrain *terrain, Places *seen)
{
    LevelPlaces found = {0};
    const int64_t step = (int64_t)TRN_LAYER_VOXELS / test_rounds(28, 8) + 1;
    for (uint32_t level = 0; level <= TRN_TERRAIN_LEVEL_MAX; level++) {
        for (size_t p = level % 3; p < PLACE_COUNT; p += 3) {
            const int64_t x = places[p][0] >> level, z = places[p][1] >> level;
            look_level(terrain, x, z, level, seen);
            for (int64_t i = 0; i < (int64_t)TRN_LAYER_VOXELS; i += step) {
                TrnTerrainSample place;
                assert_int_equal(trn_terrain_sample(terrain, (x * 32 + i % 32) * (1 << level),
                                                    (z * 32 + i / 32) * (1 << level), &place),
                                 TRN_RESULT_OK);
                compare_place(&seen->at[i], &place, level, &found);
            }
        }
    }
    return found;
}

static void places_of_all_levels_resemble_single_places(void **state)
{
    (void)state;
    Places seen;
    TrnTerrainDef def = trn_terrain_def();
    assert_int_equal(trn_terrain_shape_preset("canyons", &def.shape), TRN_RESULT_OK);
    for (int i = 0; i < 2; i++, def.shape.caves = 0) { // with and without caves
        TrnTerrain *terrain;
        assert_int_equal(trn_terrain_create(&def, &terrain), TRN_RESULT_OK);
        const LevelPlaces found = compare_levels_of_places(terrain, &seen);
        print_message("  of %d, %d have the height and %d the biome\n", found.count, found.close,
                      found.same_biome);
        assert_true(found.close * 100 >= found.count * (i == 0 ? 90 : 98));
        assert_true(found.same_biome * 100 >= found.count * 98);
        trn_terrain_destroy(terrain);
    }
    TrnTerrain *terrain = make_terrain(1, 1, NULL);
    Places before = seen;
    assert_int_equal(trn_terrain_sample_level(terrain, INT32_MAX, 0, 1, seen.at),
                     TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_terrain_sample_level(terrain, 0, 0, TRN_TERRAIN_LEVEL_MAX + 1, seen.at),
                     TRN_RESULT_BAD_ARGUMENT);
    assert_memory_equal(&before, &seen, sizeof seen);
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
    assert_true(peak < 2u << 20);
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
    for (int32_t i = 0; i < 1600; i++) { // first a straight line, then a diagonal
        generate_whole(terrain, (TrnCoord){i, 0, i < 800 ? 0 : i - 800}, blocks);
        peak = memory.live_bytes > peak ? memory.live_bytes : peak;
    }
    assert_true(peak < 2u << 20);
    trn_terrain_destroy(terrain);
    assert_int_equal(memory.live_blocks, 0);
}

/// Creates a terrain and generates at three places, with one allocation failing. @return whether
/// one failed
static bool survive_failure_at(size_t fail_at, uint64_t expected[3])
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    const int32_t stops[3] = {0, 40, 100000000};
    TestAllocator memory = {.fail_at = fail_at};
    TrnAllocator allocator = test_allocator(&memory);
    TrnTerrainDef def = trn_terrain_def();
    def.column_cache_max = 4;
    def.allocator = &allocator;
    TrnTerrain *terrain = NULL;
    TrnResult result = trn_terrain_create(&def, &terrain);
    if (result != TRN_RESULT_OK) {
        assert_int_equal(result, TRN_RESULT_NO_MEMORY);
        assert_null(terrain);
        assert_int_equal(memory.live_blocks, 0);
        return true;
    }
    for (int i = 0; i < 3; i++) { // at level 0 a failed allocation only costs time
        generate_whole(terrain, (TrnCoord){stops[i], 0, 0}, blocks);
        uint64_t hash = hash_blocks(1, blocks);
        expected[i] = fail_at == 0 ? hash : expected[i];
        assert_true(hash == expected[i]);
    }
    bool uniform = false;
    blocks[0] = 0xEEEE;
    result = trn_terrain_generate_level(terrain, (TrnCoord){0, 0, 0}, 1, blocks, &uniform);
    assert_true(result == TRN_RESULT_OK || result == TRN_RESULT_NO_MEMORY);
    assert_true(result == TRN_RESULT_OK || (blocks[0] == 0xEEEE && !uniform));
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

/// A thread that generates the golden region, and looks up heights, from a terrain that all threads
/// share.
typedef struct Worker {
    pthread_t thread;
    TrnTerrain *shared;
    size_t first; ///< the place that it generates first
    int64_t height_sum;
    uint64_t hash;
} Worker;

static void *work(void *argument)
{
    Worker *worker = argument;
    worker->hash = hash_places(worker->shared, SOME_PLACES, worker->first, hash_all);
    for (int64_t i = 0; i < 300; i++) {
        worker->height_sum += height_at(worker->shared, i * 31, i * -17);
    }
    return NULL;
}

static void threads_share_a_terrain_and_agree(void **state)
{
    (void)state;
    test_needs_threads();
    const uint32_t caches[] = {5, 1, 256};
    const uint64_t expected = hash_some_places();
    for (size_t c = 0; c < test_rounds(3, 1); c++) {
        TrnTerrain *shared = make_terrain(GOLDEN_SEED, caches[c], NULL);
        Worker workers[4];
        for (size_t i = 0; i < 4; i++) { // two threads in the same order, two in others
            workers[i] = (Worker){.shared = shared, .first = i / 2 * i};
            assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
        }
        for (int i = 0; i < 4; i++) {
            assert_int_equal(pthread_join(workers[i].thread, NULL), 0);
            assert_true(workers[i].hash == expected);
            assert_true(workers[i].height_sum == workers[0].height_sum);
        }
        trn_terrain_destroy(shared);
    }
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
    const TrnCoord beyond[] = {{INT32_MAX, 0, 0}, {0, 0, INT32_MIN}, {0, 1 << 30, 0}};
    for (size_t i = 0; i < sizeof beyond / sizeof beyond[0]; i++) {
        TrnBlock block = 0xEEEE; // nothing is written
        bool uniform = false;
        assert_int_equal(trn_terrain_generate_level(terrain, beyond[i], 1, &block, &uniform),
                         TRN_RESULT_BAD_ARGUMENT);
        assert_int_equal(trn_terrain_generate_level(terrain, (TrnCoord){0, 0, 0},
                                                    TRN_TERRAIN_LEVEL_MAX + 1, &block, &uniform),
                         TRN_RESULT_BAD_ARGUMENT);
        assert_int_equal(block, 0xEEEE);
    }
    trn_terrain_destroy(terrain);
    trn_terrain_destroy(NULL);
}

/// @param argv  a pattern of test names, if not all are to run
int main(int argc, char **argv)
{
    if (argc > 1) {
        cmocka_set_test_filter(argv[1]);
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_seed_is_the_same_world_everywhere),
        cmocka_unit_test(all_kernels_generate_the_same_world),
        cmocka_unit_test(every_seed_is_another_world),
        cmocka_unit_test(order_and_cache_size_change_nothing),
        cmocka_unit_test(heights_and_uniform_flags_agree_with_voxels),
        cmocka_unit_test(uniform_chunks_need_neither_columns_nor_memory),
        cmocka_unit_test(every_level_has_the_heights_of_level_0),
        cmocka_unit_test(every_level_has_the_same_covers),
        cmocka_unit_test(places_of_all_levels_resemble_single_places),
        cmocka_unit_test(jumping_far_keeps_memory_bounded),
        cmocka_unit_test(walking_far_keeps_memory_bounded),
        cmocka_unit_test(every_failing_allocation_is_survived),
        cmocka_unit_test(threads_share_a_terrain_and_agree),
        cmocka_unit_test(bad_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
