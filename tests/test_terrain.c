// The terrain: that it is a pure function, exact at the ends of the world, frugal with memory, and
// a land worth flying over.

#include "testing.h"

#include <math.h>
#include <pthread.h>

#include <terrane/terrain.h>

#include "terrain/noise_kernel_choice.h"
#include "terrain/terrain_impl.h"

/// FNV-1a over every block of the golden region, whatever the compiler, its settings and the machine. A change of this figure
/// is a change of every world that anybody has: it wants a reason.
#define GOLDEN_SEED 20240607
#define GOLDEN_HASH 0x1D93B573FC44D67Au

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
    {1000, 77},
    {-4321, 1234},
    {20000, -20000},
    {7, -52},
};

#define PLACE_COUNT (sizeof places / sizeof places[0])

static uint64_t hash_places(TrnTerrain *terrain)
{
    uint64_t hash = 0xCBF29CE484222325u;
    for (size_t i = 0; i < PLACE_COUNT; i++) {
        hash = hash_place(terrain, hash, places[i][0], places[i][1]);
    }
    return hash;
}

static uint64_t hash_world(uint64_t seed)
{
    TrnTerrain *terrain = make_terrain(seed, 64, NULL);
    const uint64_t hash = hash_places(terrain);
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

static void every_set_of_kernels_makes_the_same_world(void **state)
{
    (void)state;
    for (unsigned k = 0; trn_noise_kernels_name(k); k++) {
        TrnTerrain *terrain = make_terrain(GOLDEN_SEED, 64, NULL);
        for (int i = 0; i < TRN_LAND_NOISE_COUNT; i++) {
            assert_true(trn_noise_use_kernels(&terrain->noises[i], trn_noise_kernels_name(k)));
        }
        assert_true(hash_places(terrain) == GOLDEN_HASH);
        trn_terrain_destroy(terrain);
    }
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

static bool blocks_are_all_one(const TrnBlock *blocks)
{
    int i = 1;
    while (i < TRN_CHUNK_VOXELS && blocks[i] == blocks[0]) {
        i++;
    }
    return i == TRN_CHUNK_VOXELS;
}

// ---- what the land is made of -------------------------------------------------------------------

static bool is_grown(TrnBlock block)
{
    return block >= TRN_BLOCK_OAK_LOG && block <= TRN_BLOCK_REEDS;
}

static bool is_leaves(TrnBlock block)
{
    return block == TRN_BLOCK_OAK_LEAVES || block == TRN_BLOCK_PINE_LEAVES ||
           block == TRN_BLOCK_ACACIA_LEAVES;
}

static bool is_water(TrnBlock block)
{
    return block == TRN_BLOCK_WATER || block == TRN_BLOCK_ICE;
}

static bool is_ground(TrnBlock block)
{
    return block != TRN_BLOCK_AIR && !is_water(block) && !is_grown(block);
}

/// The lowest chunk that is looked at, and how many.
enum { TOWER_BOTTOM = -7, TOWER_CHUNKS = 18 };

/// The chunks of a column, as one tower of voxels.
typedef struct Tower {
    TrnBlock blocks[(size_t)TOWER_CHUNKS * (size_t)TRN_CHUNK_VOXELS];
} Tower;

static void fill_tower(TrnTerrain *terrain, int32_t x, int32_t z, Tower *tower)
{
    for (int32_t i = 0; i < TOWER_CHUNKS; i++) {
        TrnBlock *blocks = &tower->blocks[(size_t)i * (size_t)TRN_CHUNK_VOXELS];
        blocks[TRN_CHUNK_VOXELS - 1] = 0xEEEE;
        const bool uniform = generate_whole(terrain, (TrnCoord){x, TOWER_BOTTOM + i, z}, blocks);
        assert_int_equal(uniform, blocks_are_all_one(blocks));
        for (int v = 0; v < TRN_CHUNK_VOXELS; v++) {
            assert_true(blocks[v] < TRN_BLOCK_BUILTIN_COUNT);
        }
    }
}

static TrnBlock tower_block(const Tower *tower, int64_t y, size_t place)
{
    return tower
        ->blocks[(size_t)(y - (int64_t)TOWER_BOTTOM * TRN_CHUNK_EDGE) * TRN_LAYER_VOXELS + place];
}

static int64_t tower_top(const Tower *tower, size_t place)
{
    int64_t y = (int64_t)(TOWER_BOTTOM + TOWER_CHUNKS) * TRN_CHUNK_EDGE - 1;
    while (!is_ground(tower_block(tower, y, place))) {
        y--;
    }
    return y;
}

static void check_heights(TrnTerrain *terrain, int32_t x, int32_t z)
{
    static Tower tower;
    fill_tower(terrain, x, z, &tower);
    for (size_t i = 0; i < TRN_LAYER_VOXELS; i += 3) {
        const int64_t height = height_at(terrain, (int64_t)x * TRN_CHUNK_EDGE + (int64_t)(i % 32),
                                         (int64_t)z * TRN_CHUNK_EDGE + (int64_t)(i / 32));
        assert_int_equal(height, tower_top(&tower, i));
        assert_true(height >= TRN_TERRAIN_LOWEST && height <= TRN_TERRAIN_HIGHEST);
    }
}

static void heights_and_uniform_flags_agree_with_voxels(void **state)
{
    (void)state;
    TrnTerrain *terrain = make_terrain(trn_terrain_def().seed, 16, NULL);
    TestRandom random = test_random_seeded(7);
    for (size_t i = 0; i < PLACE_COUNT; i++) {
        check_heights(terrain, places[i][0], places[i][1]);
    }
    for (int i = 0; i < 24; i++) {
        check_heights(terrain, (int32_t)test_random_range(&random, -60, 60),
                      (int32_t)test_random_range(&random, -60, 60));
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

/// What a walk over towers meets.
typedef struct Hollows {
    int64_t rock, caves;       ///< voxels below the ground's top
    int64_t columns, overhung; ///< columns, and those with air between ground
    int64_t open;              ///< firm columns of land that a cave has opened
    int64_t wet, leaking;      ///< voxels of water, and those with air below or beside
    int64_t ores[3];
} Hollows;

static bool leaks(const Tower *tower, int64_t y, size_t i)
{
    if (tower_block(tower, y - 1, i) == TRN_BLOCK_AIR) {
        return true;
    }
    const size_t x = i % TRN_CHUNK_EDGE, z = i / TRN_CHUNK_EDGE;
    return (x > 0 && tower_block(tower, y, i - 1) == TRN_BLOCK_AIR) ||
           (x < 31 && tower_block(tower, y, i + 1) == TRN_BLOCK_AIR) ||
           (z > 0 && tower_block(tower, y, i - 32) == TRN_BLOCK_AIR) ||
           (z < 31 && tower_block(tower, y, i + 32) == TRN_BLOCK_AIR);
}

static void count_hollows(const Tower *tower, const TrnColumn *column, size_t i, Hollows *hollows)
{
    const int64_t top = tower_top(tower, i);
    bool overhung = false;
    for (int64_t y = TRN_TERRAIN_LOWEST + 64; y <= top; y++) {
        const TrnBlock block = tower_block(tower, y, i);
        hollows->rock += block != TRN_BLOCK_AIR;
        hollows->caves += block == TRN_BLOCK_AIR;
        overhung = overhung || block == TRN_BLOCK_AIR;
        for (int ore = 0; ore < 3; ore++) {
            hollows->ores[ore] += block == TRN_BLOCK_COAL_ORE + ore;
        }
    }
    for (int64_t y = top + 1; y <= TRN_TERRAIN_SEA_LEVEL; y++) {
        hollows->wet += is_water(tower_block(tower, y, i));
        hollows->leaking += is_water(tower_block(tower, y, i)) && leaks(tower, y, i);
    }
    hollows->columns++;
    hollows->overhung += overhung;
    hollows->open += !column->has_overhangs && column->heights[i] > 8.0f &&
                     top < (int64_t)column->heights[i] - 1;
}

static Hollows survey_hollows(const TrnTerrainDef *def)
{
    static Tower tower;
    static TrnColumn column;
    Hollows hollows = {0};
    TrnTerrain *terrain = NULL;
    assert_int_equal(trn_terrain_create(def, &terrain), TRN_RESULT_OK);
    TestRandom random = test_random_seeded(11);
    for (int n = 0; n < 60; n++) {
        const int32_t x = (int32_t)test_random_range(&random, -300, 300);
        const int32_t z = (int32_t)test_random_range(&random, -300, 300);
        fill_tower(terrain, x, z, &tower);
        trn_land_column(terrain, (TrnCoord){x, 0, z}, &column);
        for (size_t i = 0; i < TRN_LAYER_VOXELS; i++) {
            count_hollows(&tower, &column, i, &hollows);
        }
    }
    trn_terrain_destroy(terrain);
    return hollows;
}

static void caves_fill_6_to_12_percent_of_the_rock_and_open_to_the_surface(void **state)
{
    (void)state;
    TrnTerrainDef def = trn_terrain_def();
    const Hollows hollows = survey_hollows(&def);
    const double share = 100.0 * (double)hollows.caves / (double)(hollows.caves + hollows.rock);
    print_message(
        "  caves %.2f %%; %lld of %lld columns opened; %lld of %lld voxels of water leak; "
        "ores %lld %lld %lld\n",
        share, (long long)hollows.open, (long long)hollows.columns, (long long)hollows.leaking,
        (long long)hollows.wet, (long long)hollows.ores[0], (long long)hollows.ores[1],
        (long long)hollows.ores[2]);
    assert_true(share >= 6 && share <= 12);
    assert_true(hollows.open * 1000 > hollows.columns);
    assert_true(hollows.open * 20 < hollows.columns);
    assert_true(hollows.leaking * 1000 <= hollows.wet);
    for (int ore = 0; ore < 3; ore++) {
        assert_true(hollows.ores[ore] * 10000 > hollows.rock); // a hundredth of a percent
        assert_true(hollows.ores[ore] * 50 < hollows.rock);
    }
}

static void cliffs_overhang_where_they_may_and_nothing_is_hollow_without_caves(void **state)
{
    (void)state;
    TrnTerrainDef def = trn_terrain_def();
    def.shape.caves = 0;
    const Hollows cliffs = survey_hollows(&def);
    print_message("  %lld of %lld columns overhung\n", (long long)cliffs.overhung,
                  (long long)cliffs.columns);
    assert_true(cliffs.overhung * 2000 > cliffs.columns);
    assert_true(cliffs.overhung * 10 < cliffs.columns);
    def.shape.overhangs = 0;
    const Hollows plain = survey_hollows(&def);
    assert_int_equal(plain.caves, 0);
    assert_int_equal(plain.overhung, 0);
}

// ---- levels -------------------------------------------------------------------------------------

typedef enum Substance {
    SUBSTANCE_AIR,
    SUBSTANCE_WATER,
    SUBSTANCE_ICE,
    SUBSTANCE_GROUND
} Substance;

static Substance substance(TrnBlock block, bool grown_is_ground)
{
    if (block == TRN_BLOCK_AIR || (is_grown(block) && !grown_is_ground)) {
        return SUBSTANCE_AIR;
    }
    return block == TRN_BLOCK_WATER ? SUBSTANCE_WATER
           : block == TRN_BLOCK_ICE ? SUBSTANCE_ICE
                                    : SUBSTANCE_GROUND;
}

static void generate_at(TrnTerrain *terrain, TrnCoord coord, uint32_t level, TrnBlock *blocks)
{
    bool uniform = false;
    assert_int_equal(trn_terrain_generate_level(terrain, coord, level, blocks, &uniform),
                     TRN_RESULT_OK);
    for (int i = 1; uniform && i < TRN_CHUNK_VOXELS; i++) {
        blocks[i] = blocks[0];
    }
}

/// Holds a chunk of a level against those of level 0 that it covers.
static void check_level(TrnTerrain *terrain, TrnCoord coord, uint32_t level)
{
    static TrnBlock coarse[TRN_CHUNK_VOXELS], fine[TRN_CHUNK_VOXELS];
    generate_at(terrain, coord, level, coarse);
    const uint32_t parts = 1u << level, step = TRN_CHUNK_EDGE >> level;
    for (uint32_t part = 0; part < parts * parts * parts; part++) {
        const uint32_t px = part % parts, pz = part / parts % parts, py = part / parts / parts;
        const TrnCoord near = {(int32_t)((int64_t)coord.x * parts + px),
                               (int32_t)((int64_t)coord.y * parts + py),
                               (int32_t)((int64_t)coord.z * parts + pz)};
        generate_at(terrain, near, 0, fine);
        for (uint32_t i = 0; i < step * step * step; i++) {
            const uint32_t x = i % step, z = i / step % step, y = i / step / step;
            const TrnBlock far_block =
                coarse[trn_local_index(px * step + x, py * step + y, pz * step + z)];
            const TrnBlock near_block = fine[trn_local_index(x << level, y << level, z << level)];
            assert_int_equal(substance(far_block, true), substance(near_block, false));
        }
    }
}

static void every_level_is_the_same_land(void **state)
{
    (void)state;
    TrnTerrain *terrain = make_terrain(trn_terrain_def().seed, 4096, NULL);
    for (uint32_t level = 1; level <= 3; level++) {
        for (size_t i = 0; i < PLACE_COUNT; i++) {
            for (int32_t y = level == 1 ? -2 : -1; y <= 1; y++) {
                check_level(terrain, (TrnCoord){places[i][0] >> level, y, places[i][1] >> level},
                            level);
            }
        }
    }
    trn_terrain_destroy(terrain);
}

static void every_level_covers_the_ground_alike(void **state)
{
    (void)state;
    static TrnBlock coarse[TRN_CHUNK_VOXELS];
    TrnTerrain *terrain = make_terrain(trn_terrain_def().seed, 4096, NULL);
    for (uint32_t level = 1; level <= 5; level++) {
        int64_t seen = 0, same = 0;
        for (int32_t y = 2; y >= 0; y--) {
            generate_at(terrain, (TrnCoord){0, y, 0}, level, coarse);
            for (int64_t i = 0; i < (int64_t)TRN_CHUNK_VOXELS - (int64_t)TRN_LAYER_VOXELS; i++) {
                if (!is_ground(coarse[i]) ||
                    coarse[i + (int64_t)TRN_LAYER_VOXELS] != TRN_BLOCK_AIR) {
                    continue;
                }
                TrnTerrainPlace place;
                const int64_t x = (i & 31) << level, z = (i >> 5 & 31) << level;
                const int64_t layer = ((int64_t)y * 32 + (i >> 10)) << level;
                assert_int_equal(trn_terrain_look(terrain, x, z, &place), TRN_RESULT_OK);
                const bool is_top = place.height >= layer && place.height < layer + (1 << level);
                seen += is_top;
                same += is_top && (place.top == coarse[i] || place.top == TRN_BLOCK_STONE);
            }
        }
        assert_true(seen > 200);
        assert_true(same * 100 >= seen * 98); // the floors of deep pits are bare
    }
    trn_terrain_destroy(terrain);
}

// ---- what grows ---------------------------------------------------------------------------------

enum { GROVE = 4, GROVE_EDGE = GROVE * TRN_CHUNK_EDGE, GROVE_HEIGHT = 9 * TRN_CHUNK_EDGE };

/// The chunks around a place from sea level up, as one array by y, z, x.
static void fill_grove(TrnTerrain *terrain, int32_t x, int32_t z, TrnBlock *grove)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    for (int32_t i = 0; i < GROVE * GROVE * 9; i++) {
        const int32_t cx = i % GROVE, cz = i / GROVE % GROVE, cy = i / GROVE / GROVE;
        generate_whole(terrain, (TrnCoord){x + cx, cy, z + cz}, blocks);
        for (int32_t row = 0; row < (int32_t)TRN_LAYER_VOXELS; row++) {
            const size_t y = (size_t)cy * 32 + (size_t)row / 32;
            const size_t at_z = (size_t)cz * 32 + (size_t)row % 32;
            memcpy(&grove[(y * GROVE_EDGE + at_z) * GROVE_EDGE + (size_t)cx * 32],
                   &blocks[(size_t)row * 32], 32 * sizeof *blocks);
        }
    }
}

/// Whether a trunk stands within reach of a leaf. @param across  receives whether it is another chunk's
static bool has_trunk(const TrnBlock *grove, int32_t x, int32_t y, int32_t z, bool *across)
{
    for (int32_t i = 0; i < 81; i++) {
        const int32_t at_x = x + i % 9 - 4, at_z = z + i / 9 - 4;
        for (int32_t at_y = y - 2; at_y <= y + 2; at_y++) {
            const TrnBlock block =
                at_y < 0
                    ? TRN_BLOCK_AIR
                    : grove[((size_t)at_y * GROVE_EDGE + (size_t)at_z) * GROVE_EDGE + (size_t)at_x];
            if (block == TRN_BLOCK_OAK_LOG || block == TRN_BLOCK_PINE_LOG ||
                block == TRN_BLOCK_ACACIA_LOG) {
                *across = at_x / 32 != x / 32 || at_z / 32 != z / 32;
                return true;
            }
        }
    }
    return false;
}

static void crowns_reach_over_chunk_borders_and_none_is_without_its_trunk(void **state)
{
    (void)state;
    TrnBlock *grove = malloc(sizeof(TrnBlock) * GROVE_EDGE * GROVE_EDGE * GROVE_HEIGHT);
    assert_non_null(grove);
    TrnTerrain *terrain = make_terrain(trn_terrain_def().seed, 64, NULL);
    int64_t leaves = 0, across_count = 0;
    for (int32_t part = 0; part < 12; part++) {
        fill_grove(terrain, part * GROVE - 24, part % 3 * GROVE - 6, grove);
        for (int32_t y = 0; y < GROVE_HEIGHT - 16; y++) {
            for (int32_t i = 0; i < (int32_t)GROVE_EDGE * GROVE_EDGE; i++) {
                const int32_t x = i % GROVE_EDGE, z = i / GROVE_EDGE;
                if (x < 4 || z < 4 || x >= GROVE_EDGE - 4 || z >= GROVE_EDGE - 4 ||
                    !is_leaves(grove[(size_t)y * GROVE_EDGE * GROVE_EDGE + (size_t)i])) {
                    continue;
                }
                bool across = false;
                leaves++;
                assert_true(has_trunk(grove, x, y, z, &across));
                across_count += across;
            }
        }
    }
    print_message("  %lld leaves, %lld beside a trunk of another chunk\n", (long long)leaves,
                  (long long)across_count);
    assert_true(leaves > 5000);
    assert_true(across_count > 200);
    trn_terrain_destroy(terrain);
    free(grove);
}

// ---- how varied the land is ---------------------------------------------------------------------

/// Counts what a walk over the land meets.
typedef struct Survey {
    int64_t samples, sea, lowest, highest, steep;
    int64_t tops[TRN_BLOCK_BUILTIN_COUNT];
    int64_t biomes[TRN_TERRAIN_BIOME_COUNT];
} Survey;

static Survey survey_box(const TrnTerrain *terrain, int64_t radius, int64_t step)
{
    Survey survey = {0};
    for (int64_t z = -radius; z <= radius; z += step) {
        for (int64_t x = -radius; x <= radius; x += step) {
            TrnTerrainPlace place;
            assert_int_equal(trn_terrain_look(terrain, x, z, &place), TRN_RESULT_OK);
            const int64_t rise = height_at(terrain, x + 4, z) - place.height;
            survey.samples++;
            survey.sea += place.height < TRN_TERRAIN_SEA_LEVEL;
            survey.steep += rise > 4 || rise < -4;
            survey.lowest = place.height < survey.lowest ? place.height : survey.lowest;
            survey.highest = place.height > survey.highest ? place.height : survey.highest;
            survey.tops[place.top]++;
            survey.biomes[place.biome]++;
        }
    }
    return survey;
}

static void the_land_has_seas_and_mountains_and_every_biome(void **state)
{
    (void)state;
    const uint64_t seeds[] = {trn_terrain_def().seed, 1, UINT64_MAX};
    for (size_t i = 0; i < sizeof seeds / sizeof seeds[0]; i++) {
        TrnTerrain *terrain = make_terrain(seeds[i], 8, NULL);
        const Survey survey = survey_box(terrain, 32768, 32768 / 40);
        const int64_t land = survey.samples - survey.sea;
        print_message("  sea %lld %%, %lld to %lld, steep %lld %%; of the land:",
                      (long long)(survey.sea * 100 / survey.samples), (long long)survey.lowest,
                      (long long)survey.highest, (long long)(survey.steep * 100 / land));
        assert_in_range(survey.sea * 100 / survey.samples, 20, 55);
        assert_in_range(survey.highest, 150, TRN_TERRAIN_HIGHEST);
        assert_in_range(-survey.lowest, 30, 100);
        assert_in_range(survey.steep * 100 / land, 2, 30);
        for (int biome = TRN_TERRAIN_BIOME_GRASSLAND; biome < TRN_TERRAIN_BIOME_COUNT; biome++) {
            print_message(" %lld", (long long)(survey.biomes[biome] * 100 / land));
            assert_in_range(survey.biomes[biome] * 100 / land, 2, 40);
        }
        print_message(" %%\n");
        trn_terrain_destroy(terrain);
    }
}

static void the_default_world_is_worth_seeing_at_its_origin(void **state)
{
    (void)state;
    TrnTerrain *terrain = make_terrain(trn_terrain_def().seed, 2048, NULL);
    const Survey survey = survey_box(terrain, 480, 16);
    assert_in_range(survey.sea * 100 / survey.samples, 15, 50);
    assert_true(survey.highest > 110);
    assert_true(survey.tops[TRN_BLOCK_SAND] > 40);
    assert_true(survey.tops[TRN_BLOCK_GRASS] > 400);
    assert_true(survey.tops[TRN_BLOCK_STONE] > 20);
    assert_true(survey.biomes[TRN_TERRAIN_BIOME_FOREST] > 100);
    trn_terrain_destroy(terrain);
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
    TrnTerrain *terrain = make_terrain(40, 256, NULL);
    Steps inside = {0}, across = {0};
    for (int64_t line = 0; line < 48; line++) {
        walk_steps(terrain, -512, line * 397 - 9000, (line & 1) != 0, &inside, &across);
    }
    double mean_inside = (double)inside.sum / (double)inside.count;
    double mean_across = (double)across.sum / (double)across.count;
    assert_true(mean_across < mean_inside * 1.2 && mean_across > mean_inside * 0.8);
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
    TrnTerrain *terrain = make_terrain(40, 256, NULL);
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
    for (int32_t i = 0; i < 4000; i++) { // a straight line, then a diagonal
        generate_whole(terrain, (TrnCoord){i, 0, i < 2000 ? 0 : i - 2000}, blocks);
        peak = memory.live_bytes > peak ? memory.live_bytes : peak;
    }
    assert_true(peak < 2u << 20);
    trn_terrain_destroy(terrain);
    assert_int_equal(memory.live_blocks, 0);
}

/// Creates a terrain and generates at three places, with one allocation failing. Returns whether one did.
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
    for (int i = 0; i < 3; i++) { // at level 0 a failure costs time alone
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

/// A thread that makes the golden region, and asks for heights, of a terrain that all threads share.
typedef struct Worker {
    pthread_t thread;
    TrnTerrain *shared;
    int64_t height_sum;
    uint64_t hash;
} Worker;

static void *work(void *argument)
{
    Worker *worker = argument;
    worker->hash = hash_places(worker->shared);
    for (int64_t i = 0; i < 300; i++) {
        worker->height_sum += height_at(worker->shared, i * 31, i * -17);
    }
    return NULL;
}

static void threads_share_a_terrain_and_agree(void **state)
{
    (void)state;
    const uint32_t caches[] = {1, 5, 256};
    for (size_t c = 0; c < sizeof caches / sizeof caches[0]; c++) {
        TrnTerrain *shared = make_terrain(GOLDEN_SEED, caches[c], NULL);
        Worker workers[4] = {
            {.shared = shared}, {.shared = shared}, {.shared = shared}, {.shared = shared}};
        for (int i = 0; i < 4; i++) {
            assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
        }
        for (int i = 0; i < 4; i++) {
            assert_int_equal(pthread_join(workers[i].thread, NULL), 0);
            assert_true(workers[i].hash == GOLDEN_HASH);
            assert_true(workers[i].height_sum == workers[0].height_sum);
        }
        trn_terrain_destroy(shared);
    }
}

static void absurd_defs_are_refused_with_a_sentence(void **state)
{
    (void)state;
    const float values[] = {-1e30f, 1e30f, NAN, INFINITY, -INFINITY, 8.5f};
    const size_t count = sizeof(TrnTerrainShape) / sizeof(float);
    for (size_t field = 0; field < count; field++) {
        for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
            TrnTerrainDef def = trn_terrain_def();
            TrnTerrain *terrain = NULL;
            assert_null(trn_terrain_def_fault(&def));
            memcpy((char *)&def.shape + field * sizeof(float), &values[i], sizeof(float));
            assert_non_null(trn_terrain_def_fault(&def));
            assert_int_equal(trn_terrain_create(&def, &terrain), TRN_RESULT_BAD_ARGUMENT);
            assert_null(terrain);
        }
    }
    assert_non_null(trn_terrain_def_fault(NULL));
    TrnTerrainDef old = trn_terrain_def();
    old.version--;
    assert_non_null(trn_terrain_def_fault(&old));
}

/// Both ends of every parameter, alone, make worlds whose ground stays within its bounds.
static void every_shape_that_is_allowed_makes_a_world(void **state)
{
    (void)state;
    static const float ends[][2] = {{0.25f, 8}, {-1, 1}, {0, 2},  {0, 2},  {0, 2}, {0, 1},
                                    {0, 2},     {0, 2},  {-1, 1}, {-1, 1}, {0, 2}};
    static Tower tower;
    assert_int_equal(sizeof ends / sizeof ends[0], sizeof(TrnTerrainShape) / sizeof(float));
    for (size_t i = 0; i < 2 * sizeof ends / sizeof ends[0]; i++) {
        TrnTerrainDef def = trn_terrain_def();
        TrnTerrain *terrain = NULL;
        memcpy((char *)&def.shape + i / 2 * sizeof(float), &ends[i / 2][i % 2], sizeof(float));
        assert_int_equal(trn_terrain_create(&def, &terrain), TRN_RESULT_OK);
        for (int32_t n = 0; n < 12; n++) {
            fill_tower(terrain, n * 37 - 200, n * -53 + 300, &tower);
            check_heights(terrain, n * 37 - 200, n * -53 + 300);
            for (size_t v = 0; v < TRN_LAYER_VOXELS; v++) {
                assert_true(tower_block(&tower, TRN_TERRAIN_HIGHEST + 17, v) == TRN_BLOCK_AIR);
                assert_true(is_ground(tower_block(&tower, TRN_TERRAIN_LOWEST - 1, v)));
            }
        }
        trn_terrain_destroy(terrain);
    }
}

static void the_presets_load_and_make_worlds_of_their_own(void **state)
{
    (void)state;
    uint64_t hashes[8];
    size_t count = 0;
    for (; trn_terrain_preset_name(count); count++) {
        TrnTerrainDef def = trn_terrain_def();
        TrnTerrain *terrain = NULL;
        assert_int_equal(trn_terrain_shape_preset(trn_terrain_preset_name(count), &def.shape),
                         TRN_RESULT_OK);
        assert_null(trn_terrain_def_fault(&def));
        assert_int_equal(trn_terrain_create(&def, &terrain), TRN_RESULT_OK);
        hashes[count] = hash_place(terrain, 1, 3, 5);
        for (size_t i = 0; i < count; i++) {
            assert_true(hashes[i] != hashes[count]);
        }
        trn_terrain_destroy(terrain);
    }
    assert_int_equal(count, 5);
    const TrnTerrainShape normal = trn_terrain_shape_default();
    TrnTerrainShape shape = {0};
    assert_int_equal(trn_terrain_shape_preset("default", &shape), TRN_RESULT_OK);
    assert_memory_equal(&shape, &normal, sizeof shape);
    assert_int_equal(trn_terrain_shape_preset("alpes", &shape), TRN_RESULT_ABSENT);
    assert_memory_equal(&shape, &normal, sizeof shape);
}

/// Loads a text that is wrong and holds what is said of it against what is expected.
static void check_problem(const char *text, size_t line, size_t column, const char *part)
{
    TrnTerrainShape shape = {.scale = 7};
    TrnTerrainProblem problem = {0};
    assert_int_equal(trn_terrain_shape_load(text, strlen(text), &shape, &problem),
                     TRN_RESULT_DAMAGED);
    assert_int_equal(problem.line, line);
    assert_int_equal(problem.column, column);
    assert_non_null(strstr(problem.sentence, part));
    assert_true(shape.scale == 7);
}

static void texts_of_shapes_say_what_is_wrong_and_where(void **state)
{
    (void)state;
    TrnTerrainShape shape;
    const char good[] =
        "terrane-terrain 1 # so\r\n\n  caves=0.5# few\r\n\tland = -0.125\nrelief = 2";
    assert_int_equal(trn_terrain_shape_load(good, sizeof good - 1, &shape, NULL), TRN_RESULT_OK);
    assert_true(shape.caves == 0.5f && shape.land == -0.125f && shape.relief == 2.0f);
    assert_true(shape.trees == 1.0f);
    check_problem("", 1, 1, "first line");
    check_problem("terrane-terrain 2\n", 1, 1, "first line");
    check_problem("terrane-terrain 1\ncave = 1\n", 2, 1, "\"cave\" is not a key");
    check_problem("terrane-terrain 1\n caves 1\n", 2, 8, "\"=\" is missing");
    check_problem("terrane-terrain 1\ncaves = x\n", 2, 9, "\"x\" is not a number");
    check_problem("terrane-terrain 1\ncaves = nan\n", 2, 9, "is not a number");
    check_problem("terrane-terrain 1\ncaves = 1.\n", 2, 9, "is not a number");
    check_problem("terrane-terrain 1\ncaves = 1e3\n", 2, 9, "is not a number");
    check_problem("terrane-terrain 1\ncaves =\n", 2, 8, "is not a number");
    check_problem("terrane-terrain 1\ncaves = -1\n", 2, 9, "caves must lie in 0..2");
    check_problem("terrane-terrain 1\ncaves = 1 2\n", 2, 11, "Nothing may follow");
    check_problem("terrane-terrain 1\ncaves = 1\ncaves = 1\n", 3, 1, "set twice");
    assert_int_equal(trn_terrain_shape_load(NULL, 0, &shape, NULL), TRN_RESULT_BAD_ARGUMENT);
}

static void texts_of_random_bytes_are_refused_or_good(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(3);
    const char good[] = "terrane-terrain 1\nscale = 0.5\nland=-0.25 # x\ntrees = 2\n";
    for (int i = 0; i < 20000; i++) {
        char text[sizeof good];
        memcpy(text, good, sizeof good);
        const size_t size = (size_t)test_random_range(&random, 0, (int64_t)sizeof good - 1);
        for (int64_t n = test_random_range(&random, 0, 4); n > 0; n--) {
            text[test_random_range(&random, 0, (int64_t)sizeof good - 2)] =
                (char)test_random_range(&random, -128, 127);
        }
        TrnTerrainDef def = trn_terrain_def();
        TrnTerrainProblem problem = {0};
        char *copy = malloc(size + 1); // exactly as long as said, for a sanitizer to see
        assert_non_null(copy);
        memcpy(copy, text, size);
        if (trn_terrain_shape_load(copy, size, &def.shape, &problem) == TRN_RESULT_OK) {
            assert_null(trn_terrain_def_fault(&def));
        } else {
            assert_true(problem.line >= 1 && problem.column >= 1 && problem.sentence[0] != 0);
        }
        free(copy);
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

/// @param argv  a pattern of cmocka's, where only some of the tests are wanted
int main(int argc, char **argv)
{
    if (argc > 1) {
        cmocka_set_test_filter(argv[1]);
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_seed_is_the_same_world_everywhere),
        cmocka_unit_test(every_set_of_kernels_makes_the_same_world),
        cmocka_unit_test(every_seed_is_another_world),
        cmocka_unit_test(order_and_cache_size_change_nothing),
        cmocka_unit_test(heights_and_uniform_flags_agree_with_voxels),
        cmocka_unit_test(uniform_chunks_need_neither_columns_nor_memory),
        cmocka_unit_test(caves_fill_6_to_12_percent_of_the_rock_and_open_to_the_surface),
        cmocka_unit_test(cliffs_overhang_where_they_may_and_nothing_is_hollow_without_caves),
        cmocka_unit_test(every_level_is_the_same_land),
        cmocka_unit_test(every_level_covers_the_ground_alike),
        cmocka_unit_test(crowns_reach_over_chunk_borders_and_none_is_without_its_trunk),
        cmocka_unit_test(the_land_has_seas_and_mountains_and_every_biome),
        cmocka_unit_test(the_default_world_is_worth_seeing_at_its_origin),
        cmocka_unit_test(chunk_borders_do_not_show),
        cmocka_unit_test(the_ends_of_the_world_are_as_fine_as_its_origin),
        cmocka_unit_test(jumping_far_keeps_memory_bounded),
        cmocka_unit_test(walking_far_keeps_memory_bounded),
        cmocka_unit_test(every_failing_allocation_is_survived),
        cmocka_unit_test(threads_share_a_terrain_and_agree),
        cmocka_unit_test(absurd_defs_are_refused_with_a_sentence),
        cmocka_unit_test(every_shape_that_is_allowed_makes_a_world),
        cmocka_unit_test(the_presets_load_and_make_worlds_of_their_own),
        cmocka_unit_test(texts_of_shapes_say_what_is_wrong_and_where),
        cmocka_unit_test(texts_of_random_bytes_are_refused_or_good),
        cmocka_unit_test(bad_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
