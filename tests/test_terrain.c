// The terrain: that it is a pure function, exact at the ends of the world, frugal with memory, and
// a land worth flying over.

#include "testing.h"

#include <math.h>
#include <pthread.h>

#include <terrane/terrain.h>

#include "terrain/noise_kernel_choice.h"
#include "terrain/terrain_impl.h"

/// A hash over every block of the golden chunks, near and at the ends of the world, and of levels, whatever the compiler, its settings and the machine. A change of this figure
/// is a change of every world that anybody has: it wants a reason.
#define GOLDEN_SEED 20240607
#define GOLDEN_HASH 0xDC6498BC99467DBCu

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
    for (int i = 0; i < TRN_CHUNK_VOXELS; i += 4) {
        const uint64_t four = (uint64_t)blocks[i] | (uint64_t)blocks[i + 1] << 16 |
                              (uint64_t)blocks[i + 2] << 32 | (uint64_t)blocks[i + 3] << 48;
        hash = (hash ^ four) * 0x100000001B3u;
        hash ^= hash >> 29;
    }
    return hash;
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

/// The hash of the chunks within one chunk around a place sideways, and from -3 to 6 upwards. @param count  grows by their number
static uint64_t hash_place(TrnTerrain *terrain, int32_t x, int32_t z, int *count)
{
    TrnBlock blocks[TRN_CHUNK_VOXELS]; // not static: threads come here
    TrnBox box = trn_box_around((TrnCoord){x, 0, z}, 1, 0, 1);
    uint64_t hash = 0xCBF29CE484222325u;
    for (int32_t y = -3; y <= 6; y++) {
        for (int64_t cz = box.min.z; cz <= box.max.z; cz++) {
            for (int64_t cx = box.min.x; cx <= box.max.x; cx++) {
                generate_whole(terrain, (TrnCoord){(int32_t)cx, y, (int32_t)cz}, blocks);
                hash = hash_blocks(hash, blocks);
                *count += 1;
            }
        }
    }
    return hash;
}

/// The hash of the chunks of some levels around sea level there.
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

/// The hash of every stride-th place. @param first  which of them is made first
static uint64_t hash_places(TrnTerrain *terrain, size_t stride, size_t first)
{
    uint64_t hashes[PLACE_COUNT];
    const size_t count = (PLACE_COUNT + stride - 1) / stride;
    int chunks = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t at = (first + i) % count;
        const int32_t *place = places[at * stride];
        hashes[at] = hash_place(terrain, place[0], place[1], &chunks) ^
                     hash_levels(terrain, place[0], place[1]) << 1;
    }
    assert_true(stride > 1 || chunks >= 1000);
    uint64_t hash = 0;
    for (size_t i = 0; i < count; i++) {
        hash = (hash ^ hashes[i]) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 32;
    }
    return hash;
}

/// What is done several times over, is done with every third place: they lie near and at the ends of the world.
#define SOME_PLACES 3

static uint64_t hash_some_places(void)
{
    TrnTerrain *terrain = make_terrain(GOLDEN_SEED, 64, NULL);
    const uint64_t hash = hash_places(terrain, SOME_PLACES, 0);
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
    TrnTerrain *terrain = make_terrain(GOLDEN_SEED, 64, NULL);
    const uint64_t hash = hash_places(terrain, 1, 0);
    trn_terrain_destroy(terrain);
    print_message("  hash 0x%016llX\n", (unsigned long long)hash);
    assert_true(hash == GOLDEN_HASH);
}

static void every_set_of_kernels_makes_the_same_world(void **state)
{
    (void)state;
    const uint64_t expected = hash_some_places();
    for (unsigned k = 0; trn_noise_kernels_name(k); k++) {
        TrnTerrain *terrain = make_terrain(GOLDEN_SEED, 64, NULL);
        for (int i = 0; i < TRN_LAND_NOISE_COUNT; i++) {
            assert_true(trn_noise_use_kernels(&terrain->noises[i], trn_noise_kernels_name(k)));
        }
        const uint64_t hash = hash_places(terrain, SOME_PLACES, 0);
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
        int strange = 0;
        for (int v = 0; v < TRN_CHUNK_VOXELS; v++) {
            strange += blocks[v] >= TRN_BLOCK_BUILTIN_COUNT;
        }
        assert_int_equal(strange, 0);
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

/// Whether a look says water where water is, and its kind; a cave that opens below the sea's level is dry.
static bool surface_is_right(const TrnTerrainPlace *place, TrnBlock at_sea)
{
    return place->surface == (is_water(at_sea) ? at_sea : place->top);
}

static void check_heights(TrnTerrain *terrain, int32_t x, int32_t z, Tower *tower)
{
    fill_tower(terrain, x, z, tower);
    for (size_t i = 0; i < TRN_LAYER_VOXELS; i += 7) {
        TrnTerrainPlace place;
        assert_int_equal(trn_terrain_look(terrain, (int64_t)x * TRN_CHUNK_EDGE + (int64_t)(i % 32),
                                          (int64_t)z * TRN_CHUNK_EDGE + (int64_t)(i / 32), &place),
                         TRN_RESULT_OK);
        assert_int_equal(place.height, tower_top(tower, i));
        assert_true(place.height >= TRN_TERRAIN_LOWEST && place.height <= TRN_TERRAIN_HIGHEST);
        assert_true(surface_is_right(&place, tower_block(tower, TRN_TERRAIN_SEA_LEVEL, i)));
    }
}

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

static void caves_that_open_below_the_sea_are_dry(void **state)
{
    (void)state;
    static Tower tower;
    TrnTerrain *terrain = make_terrain(trn_terrain_def().seed, 16, NULL);
    const int64_t x = -1989, z = -443;
    TrnTerrainPlace place;
    assert_int_equal(trn_terrain_look(terrain, x, z, &place), TRN_RESULT_OK);
    assert_true(place.height < TRN_TERRAIN_SEA_LEVEL);
    assert_false(is_water(place.surface));
    fill_tower(terrain, (int32_t)(x >> TRN_CHUNK_SHIFT), (int32_t)(z >> TRN_CHUNK_SHIFT), &tower);
    const size_t at = (size_t)(z & 31) * TRN_CHUNK_EDGE + (size_t)(x & 31);
    for (int64_t y = place.height + 1; y <= TRN_TERRAIN_SEA_LEVEL; y++) {
        assert_int_equal(tower_block(&tower, y, at), TRN_BLOCK_AIR);
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

static Hollows survey_hollows(const TrnTerrainDef *def, int towers)
{
    static Tower tower;
    static TrnColumn column;
    Hollows hollows = {0};
    TrnTerrain *terrain = NULL;
    assert_int_equal(trn_terrain_create(def, &terrain), TRN_RESULT_OK);
    TestRandom random = test_random_seeded(11);
    for (int n = 0; n < towers; n++) {
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
    const Hollows hollows = survey_hollows(&def, 60);
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

static void nothing_is_hollow_without_caves_and_overhangs(void **state)
{
    (void)state;
    TrnTerrainDef def = trn_terrain_def();
    def.shape.caves = 0;
    def.shape.overhangs = 0;
    const Hollows plain = survey_hollows(&def, 60);
    assert_int_equal(plain.caves, 0);
    assert_int_equal(plain.overhung, 0);
}

/// A region of chunks, and what of its ground is held by the ground beneath or beside it.
enum { CRAG = 5, CRAG_EDGE = CRAG * TRN_CHUNK_EDGE, CRAG_BOTTOM = -1, CRAG_CHUNKS = 9 };
enum {
    CRAG_LAYER = CRAG_EDGE * CRAG_EDGE,
    CRAG_VOXELS = CRAG_LAYER * CRAG_CHUNKS * TRN_CHUNK_EDGE
};

typedef struct Crag {
    uint8_t ground[CRAG_VOXELS]; ///< 0: none, 1: not reached, 2: reached
    int32_t stack[CRAG_VOXELS];
    int32_t waiting;
} Crag;

static void fill_crag(TrnTerrain *terrain, int32_t x, int32_t z, Crag *crag)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    for (int32_t n = 0; n < CRAG * CRAG * CRAG_CHUNKS; n++) {
        const int32_t cx = n % CRAG, cz = n / CRAG % CRAG, cy = n / (CRAG * CRAG);
        generate_whole(terrain, (TrnCoord){x + cx, CRAG_BOTTOM + cy, z + cz}, blocks);
        for (int32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
            const int32_t at = (cy * 32 + (i >> 10)) * CRAG_LAYER +
                               (cz * 32 + (i >> 5 & 31)) * CRAG_EDGE + cx * 32 + (i & 31);
            crag->ground[at] = is_ground(blocks[i]);
        }
    }
}

static void reach_voxel(Crag *crag, int32_t at, bool is_inside)
{
    if (is_inside && crag->ground[at] == 1) {
        crag->ground[at] = 2;
        crag->stack[crag->waiting++] = at;
    }
}

/// Reaches all that hangs together with what is waiting. @return how many voxels
static int32_t flood_crag(Crag *crag)
{
    int32_t count = 0;
    while (crag->waiting > 0) {
        const int32_t at = crag->stack[--crag->waiting];
        const int32_t x = at % CRAG_EDGE, z = at / CRAG_EDGE % CRAG_EDGE;
        reach_voxel(crag, at - 1, x > 0);
        reach_voxel(crag, at + 1, x < CRAG_EDGE - 1);
        reach_voxel(crag, at - CRAG_EDGE, z > 0);
        reach_voxel(crag, at + CRAG_EDGE, z < CRAG_EDGE - 1);
        reach_voxel(crag, at - CRAG_LAYER, at >= CRAG_LAYER);
        reach_voxel(crag, at + CRAG_LAYER, at < CRAG_VOXELS - CRAG_LAYER);
        count++;
    }
    return count;
}

/// Counts the voxels of pieces of ground that touch neither the region's bottom nor its sides. @param largest  the largest piece
static int32_t count_floating(Crag *crag, int32_t *largest)
{
    for (int32_t at = 0; at < CRAG_VOXELS; at++) {
        const int32_t x = at % CRAG_EDGE, z = at / CRAG_EDGE % CRAG_EDGE;
        reach_voxel(crag, at,
                    at < CRAG_LAYER || x == 0 || z == 0 || x == CRAG_EDGE - 1 ||
                        z == CRAG_EDGE - 1);
    }
    flood_crag(crag);
    int32_t floating = 0;
    for (int32_t at = 0; at < CRAG_VOXELS; at++) {
        reach_voxel(crag, at, true);
        const int32_t piece = flood_crag(crag);
        floating += piece;
        *largest = piece > *largest ? piece : *largest;
    }
    return floating;
}

/// Columns of a region in which there is air beneath ground.
static int32_t count_overhung(const Crag *crag)
{
    int32_t overhung = 0;
    for (int32_t i = 0; i < CRAG_LAYER; i++) {
        int32_t y = CRAG_CHUNKS * TRN_CHUNK_EDGE - 1;
        while (y > 0 && !crag->ground[y * CRAG_LAYER + i]) {
            y--;
        }
        while (y > 0 && crag->ground[y * CRAG_LAYER + i]) {
            y--;
        }
        overhung += y > 0;
    }
    return overhung;
}

static void cliffs_overhang_and_leave_no_rocks_in_the_air(void **state)
{
    (void)state;
    static const struct {
        const char *preset;
        int32_t x, z;
    } crags[] = {{"default", 10, -74}, {"alps", 410, -318}, {"alps", 226, -190}};
    Crag *crag = malloc(sizeof *crag);
    assert_non_null(crag);
    for (size_t i = 0; i < sizeof crags / sizeof crags[0]; i++) {
        TrnTerrainDef def = trn_terrain_def();
        TrnTerrain *terrain = NULL;
        assert_int_equal(trn_terrain_shape_preset(crags[i].preset, &def.shape), TRN_RESULT_OK);
        def.shape.caves = 0;
        assert_int_equal(trn_terrain_create(&def, &terrain), TRN_RESULT_OK);
        crag->waiting = 0;
        fill_crag(terrain, crags[i].x, crags[i].z, crag);
        int32_t largest = 0;
        const int32_t overhung = count_overhung(crag);
        const int32_t floating = count_floating(crag, &largest);
        print_message("  %s: %d of %d columns overhung, %d voxels in the air\n", crags[i].preset,
                      overhung, CRAG_LAYER, floating);
        assert_true(overhung * 20 > CRAG_LAYER);
        assert_true(overhung * 4 < CRAG_LAYER);
        assert_true(largest < 8);
        trn_terrain_destroy(terrain);
    }
    free(crag);
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
        int wrong = 0;
        for (uint32_t i = 0; i < step * step * step; i++) {
            const uint32_t x = i % step, z = i / step % step, y = i / step / step;
            const TrnBlock far_block =
                coarse[trn_local_index(px * step + x, py * step + y, pz * step + z)];
            const TrnBlock near_block = fine[trn_local_index(x << level, y << level, z << level)];
            wrong += substance(far_block, true) != substance(near_block, false);
        }
        assert_int_equal(wrong, 0);
    }
}

static void every_level_is_the_same_land(void **state)
{
    (void)state;
    TrnTerrain *terrain = make_terrain(trn_terrain_def().seed, 4096, NULL);
    for (uint32_t level = 1; level <= 3; level++) {
        // A chunk of level 3 covers 512 of level 0: there, fewer places.
        for (size_t i = 0; i < PLACE_COUNT; i += level == 3 ? 4 : 1) {
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
            // Far apart, every look makes a column of its own.
            for (int64_t i = 0;
                 i<(int64_t)TRN_CHUNK_VOXELS - (int64_t)TRN_LAYER_VOXELS; i += level> 2 ? 3 : 1) {
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
        print_message("  level %u: %lld of %lld\n", level, (long long)same, (long long)seen);
        assert_true(seen > 200);
        assert_true(same * 100 >= seen * 97); // the floors of deep pits are bare
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

/// Counts what is seen of the land from far away.
typedef struct Survey {
    int64_t samples, sea, lowest, highest;
    int64_t steep, near_land; ///< of places four voxels apart: those on slopes, and all on land
    int64_t squares, watered; ///< squares of 128 voxels, and those that a river or a brook crosses
    int64_t trees, tree_voxels; ///< trees, and the voxels of land among which they were counted
    int64_t tops[TRN_BLOCK_BUILTIN_COUNT];
    int64_t biomes[TRN_TERRAIN_BIOME_COUNT];
} Survey;

typedef struct Places {
    TrnTerrainPlace at[TRN_LAYER_VOXELS];
} Places;

static void look_level(const TrnTerrain *terrain, int64_t x, int64_t z, uint32_t level,
                       Places *seen)
{
    assert_int_equal(trn_terrain_look_level(terrain, (int32_t)x, (int32_t)z, level, seen->at),
                     TRN_RESULT_OK);
}

/// Looks at the chunks of a level from -radius to radius - 1.
static void survey_level(const TrnTerrain *terrain, uint32_t level, int64_t radius, Survey *survey)
{
    Places seen;
    for (int64_t chunk = 0; chunk < 4 * radius * radius; chunk++) {
        look_level(terrain, chunk % (2 * radius) - radius, chunk / (2 * radius) - radius, level,
                   &seen);
        for (size_t i = 0; i < TRN_LAYER_VOXELS; i++) {
            const TrnTerrainPlace *place = &seen.at[i];
            survey->samples++;
            survey->sea += place->height < TRN_TERRAIN_SEA_LEVEL;
            survey->lowest = place->height < survey->lowest ? place->height : survey->lowest;
            survey->highest = place->height > survey->highest ? place->height : survey->highest;
            survey->tops[place->top]++;
            survey->biomes[place->biome]++;
        }
    }
}

/// Whether a line of places has water no wider than 80 voxels between land.
static bool has_narrow_water(const TrnTerrainPlace *row, size_t stride)
{
    int since_land = -1000;
    for (int i = 0; i < 32; i++) {
        const bool is_wet = row[(size_t)i * stride].height < TRN_TERRAIN_SEA_LEVEL;
        if (!is_wet && since_land > 0 && since_land <= 20) {
            return true;
        }
        since_land = is_wet ? since_land + 1 : 0;
    }
    return false;
}

/// Looks at squares of 128 voxels, every fourth voxel.
static void survey_squares(const TrnTerrain *terrain, int count, Survey *survey)
{
    TestRandom random = {5};
    Places seen;
    for (int n = 0; n < count; n++) {
        const int64_t x = test_random_range(&random, -256, 255);
        look_level(terrain, x, test_random_range(&random, -256, 255), 2, &seen);
        bool is_watered = false;
        for (size_t i = 0; i < 32; i++) {
            is_watered = is_watered || has_narrow_water(&seen.at[i], 32) ||
                         has_narrow_water(&seen.at[i * 32], 1);
            for (size_t j = 0; j < 31; j++) {
                const int64_t here = seen.at[i * 32 + j].height;
                const int64_t rise = seen.at[i * 32 + j + 1].height - here;
                survey->near_land += here >= TRN_TERRAIN_SEA_LEVEL;
                survey->steep += here >= TRN_TERRAIN_SEA_LEVEL && (rise > 4 || rise < -4);
            }
        }
        survey->squares++;
        survey->watered += is_watered;
    }
}

/// Counts the trees that stand in a chunk column, and its voxels of land, of one biome or, with 0, of all.
static void survey_trees(const TrnTerrain *terrain, int32_t x, int32_t z, TrnTerrainBiome biome,
                         Survey *survey)
{
    static TrnColumn column;
    trn_land_column(terrain, (TrnCoord){x, 0, z}, &column);
    for (size_t i = 0; i < TRN_LAYER_VOXELS; i++) {
        survey->tree_voxels +=
            biome ? column.biomes[i] == (uint8_t)biome : column.biomes[i] != TRN_TERRAIN_BIOME_SEA;
    }
    for (uint32_t i = 0; i < column.tree_count; i++) {
        const TrnTree *tree = &column.trees[i];
        if (tree->x >= 0 && tree->x < TRN_CHUNK_EDGE && tree->z >= 0 && tree->z < TRN_CHUNK_EDGE) {
            const uint8_t here = column.biomes[tree->z * TRN_CHUNK_EDGE + tree->x];
            survey->trees += biome == 0 || here == (uint8_t)biome;
        }
    }
}

static int64_t trees_per_hectare(const Survey *survey)
{
    return survey->tree_voxels ? survey->trees * 10000 / survey->tree_voxels : 0;
}

static int64_t percent(int64_t part, int64_t whole)
{
    return whole ? part * 100 / whole : 0;
}

static void the_land_has_seas_and_mountains_and_every_biome(void **state)
{
    (void)state;
    const uint64_t seeds[] = {trn_terrain_def().seed, 1, UINT64_MAX};
    for (size_t i = 0; i < sizeof seeds / sizeof seeds[0]; i++) {
        TrnTerrain *terrain = make_terrain(seeds[i], 8, NULL);
        Survey survey = {0};
        survey_level(terrain, 9, 2, &survey); // 64 km
        survey_squares(terrain, 40, &survey);
        const int64_t land = survey.samples - survey.sea;
        print_message("  sea %lld %%, %lld to %lld, steep %lld %%; of the land:",
                      (long long)percent(survey.sea, survey.samples), (long long)survey.lowest,
                      (long long)survey.highest,
                      (long long)percent(survey.steep, survey.near_land));
        assert_in_range(percent(survey.sea, survey.samples), 20, 55);
        assert_in_range(survey.highest, 150, TRN_TERRAIN_HIGHEST);
        assert_in_range(-survey.lowest, 30, 100);
        assert_in_range(percent(survey.steep, survey.near_land), 1, 30);
        for (int biome = TRN_TERRAIN_BIOME_GRASSLAND; biome < TRN_TERRAIN_BIOME_COUNT; biome++) {
            print_message(" %lld", (long long)percent(survey.biomes[biome], land));
            assert_in_range(percent(survey.biomes[biome], land), 2, 40);
        }
        print_message(" %%\n");
        trn_terrain_destroy(terrain);
    }
}

static void the_default_world_is_worth_seeing_at_its_origin(void **state)
{
    (void)state;
    TrnTerrain *terrain = make_terrain(trn_terrain_def().seed, 2048, NULL);
    Survey survey = {0};
    survey_level(terrain, 4, 1, &survey); // 1024 voxels
    assert_in_range(percent(survey.sea, survey.samples), 15, 50);
    assert_true(survey.highest > 110);
    assert_true(survey.tops[TRN_BLOCK_SAND] > 40);
    assert_true(survey.tops[TRN_BLOCK_GRASS] > 400);
    assert_true(survey.tops[TRN_BLOCK_STONE] > 20);
    assert_true(survey.biomes[TRN_TERRAIN_BIOME_FOREST] > 100);
    trn_terrain_destroy(terrain);
}

/// Holds places of every level against those that are looked at one by one. @return how many have the same height, in percent
static double compare_levels_of_places(const TrnTerrain *terrain, Places *seen)
{
    int same = 0, count = 0;
    for (uint32_t level = 0; level <= TRN_TERRAIN_LEVEL_MAX; level++) {
        for (size_t p = level % 3; p < PLACE_COUNT; p += 3) {
            const int64_t x = places[p][0] >> level, z = places[p][1] >> level;
            look_level(terrain, x, z, level, seen);
            for (int64_t i = 0; i < (int64_t)TRN_LAYER_VOXELS; i += 37) {
                TrnTerrainPlace place;
                assert_int_equal(trn_terrain_look(terrain, (x * 32 + i % 32) * (1 << level),
                                                  (z * 32 + i / 32) * (1 << level), &place),
                                 TRN_RESULT_OK);
                const TrnTerrainPlace *far = &seen->at[i];
                assert_true(far->height >= place.height);
                assert_int_equal(far->biome, place.biome);
                assert_int_equal(far->height < 0, is_water(far->surface));
                assert_int_equal(is_water(place.surface), is_water(far->surface));
                assert_true(is_water(far->surface) || far->surface == far->top);
                same += far->height == place.height;
                count++;
            }
        }
    }
    return 100.0 * same / count;
}

static void levels_of_places_are_the_places_themselves(void **state)
{
    (void)state;
    Places seen;
    TrnTerrainDef def = trn_terrain_def();
    assert_int_equal(trn_terrain_shape_preset("canyons", &def.shape), TRN_RESULT_OK);
    for (int i = 0; i < 2; i++, def.shape.caves = 0) { // caves may open, or there are none
        TrnTerrain *terrain;
        assert_int_equal(trn_terrain_create(&def, &terrain), TRN_RESULT_OK);
        const double same = compare_levels_of_places(terrain, &seen);
        print_message("  %.2f %% the same\n", same);
        assert_true(i == 0 ? same > 90 && same < 100 : same == 100);
        trn_terrain_destroy(terrain);
    }
    TrnTerrain *terrain = make_terrain(1, 1, NULL);
    Places before = seen;
    assert_int_equal(trn_terrain_look_level(terrain, INT32_MAX, 0, 1, seen.at),
                     TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_terrain_look_level(terrain, 0, 0, TRN_TERRAIN_LEVEL_MAX + 1, seen.at),
                     TRN_RESULT_BAD_ARGUMENT);
    assert_memory_equal(&before, &seen, sizeof seen);
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

/// Steps along x, or along z, of two chunks beside each other, and over the border between them.
static void walk_chunks(const TrnTerrain *terrain, int32_t chunk_x, int32_t chunk_z,
                        bool transposed, Steps *inside, Steps *across)
{
    const int64_t x = (int64_t)chunk_x * TRN_CHUNK_EDGE, z = (int64_t)chunk_z * TRN_CHUNK_EDGE;
    for (int64_t line = 3; line < TRN_CHUNK_EDGE; line += 8) {
        int64_t before = 0;
        for (int64_t i = TRN_CHUNK_EDGE / 2; i < 3 * TRN_CHUNK_EDGE / 2; i++) {
            const int64_t here = transposed ? height_at(terrain, x + line, z + i)
                                            : height_at(terrain, x + i, z + line);
            if (i > TRN_CHUNK_EDGE / 2) {
                add_step(i == TRN_CHUNK_EDGE ? across : inside, before, here);
            }
            before = here;
        }
    }
}

static void chunk_borders_do_not_show(void **state)
{
    (void)state;
    TrnTerrain *terrain = make_terrain(40, 8, NULL);
    TestRandom random = test_random_seeded(9);
    Steps inside = {0}, across = {0};
    for (int n = 0; n < 200; n++) {
        const int32_t x = (int32_t)test_random_range(&random, -900, 900);
        walk_chunks(terrain, x, (int32_t)test_random_range(&random, -900, 900), n % 2 != 0, &inside,
                    &across);
    }
    double mean_inside = (double)inside.sum / (double)inside.count;
    double mean_across = (double)across.sum / (double)across.count;
    print_message("  mean steps %.3f inside, %.3f across\n", mean_inside, mean_across);
    assert_true(mean_across < mean_inside * 1.2 && mean_across > mean_inside * 0.8);
    trn_terrain_destroy(terrain);
}

/// How rough the land is, on average over many far apart chunks.
static double mean_step(const TrnTerrain *terrain, int32_t x, int32_t z, int32_t stride)
{
    Steps steps = {0};
    Places seen;
    for (int32_t n = 0; n < 120; n++) {
        look_level(terrain, x + n * stride, z - n * stride, 0, &seen);
        for (size_t i = 0; i < TRN_LAYER_VOXELS - TRN_CHUNK_EDGE; i++) {
            add_step(&steps, seen.at[i].height, seen.at[i + TRN_CHUNK_EDGE].height);
        }
    }
    return (double)steps.sum / (double)steps.count;
}

static void the_ends_of_the_world_are_as_fine_as_its_origin(void **state)
{
    (void)state;
    TrnTerrain *terrain = make_terrain(40, 8, NULL);
    double near = mean_step(terrain, 0, 0, 311);
    double high = mean_step(terrain, INT32_MAX, INT32_MIN, -311);
    double low = mean_step(terrain, INT32_MIN, INT32_MAX, 311);
    print_message("  mean steps %.3f near, %.3f and %.3f far\n", near, high, low);
    assert_true(high > near * 0.7 && high < near * 1.4);
    assert_true(low > near * 0.7 && low < near * 1.4);
    trn_terrain_destroy(terrain);
}

/// What a preset is like, each as least and most. Measured with three seeds, and some room.
typedef struct Character {
    const char *preset;
    int64_t sea[2];                             ///< percent
    int64_t highest[2];                         ///< voxels
    int64_t steep[2];                           ///< percent of the land
    int64_t watered[2];                         ///< percent of squares of 128 voxels
    int64_t trees[2];                           ///< per hectare of land
    int64_t caves[2];                           ///< percent of the rock
    int64_t biomes[TRN_TERRAIN_BIOME_COUNT][2]; ///< percent of the land
} Character;

// clang-format off
static const Character characters[] = {
    // preset     sea       highest     steep    watered   trees     caves    grass..swamp
    {"default", {25, 45}, {180, 240}, {1, 10}, {8, 45},  {10, 60}, {5, 12},
     {{0, 0}, {10, 25}, {14, 30}, {10, 24}, {3, 12}, {6, 18}, {14, 28}, {2, 9}}},
    {"islands", {50, 68}, {150, 240}, {4, 20}, {46, 80}, {10, 50}, {4, 12},
     {{0, 0}, {2, 11}, {28, 43}, {17, 32}, {11, 23}, {0, 4}, {0, 3}, {9, 21}}},
    {"alps",    {6, 20},  {241, 256}, {3, 16}, {5, 30},  {10, 45}, {5, 12},
     {{0, 0}, {9, 20}, {11, 24}, {2, 10}, {2, 10}, {8, 19}, {34, 50}, {0, 3}}},
    {"canyons", {1, 9},   {170, 240}, {9, 25}, {20, 55}, {1, 25},  {5, 13},
     {{0, 0}, {8, 20}, {3, 12}, {50, 70}, {7, 19}, {0, 6}, {0, 4}, {0, 1}}},
    {"flat",    {6, 20},  {25, 60},   {0, 0},  {2, 20},  {8, 35},  {3, 9},
     {{0, 0}, {10, 21}, {18, 34}, {13, 27}, {4, 13}, {5, 15}, {8, 20}, {2, 9}}},
};
// clang-format on

/// @param what  for the message of a test that fails
static void check_within(const Character *character, const char *what, int64_t value,
                         const int64_t range[2])
{
    if (value < range[0] || value > range[1]) {
        fail_msg("%s: %s is %lld, not in %lld..%lld", character->preset, what, (long long)value,
                 (long long)range[0], (long long)range[1]);
    }
}

static Survey survey_whole(const TrnTerrain *terrain)
{
    Survey survey = {0};
    survey_level(terrain, 9, 2, &survey); // 64 km
    survey_squares(terrain, 60, &survey);
    TestRandom random = {6};
    for (int n = 0; n < 100; n++) {
        const int32_t x = (int32_t)test_random_range(&random, -900, 900);
        survey_trees(terrain, x, (int32_t)test_random_range(&random, -900, 900),
                     TRN_TERRAIN_BIOME_SEA, &survey);
    }
    return survey;
}

static void check_character(const Character *character, uint64_t seed)
{
    TrnTerrainDef def = trn_terrain_def();
    TrnTerrain *terrain = NULL;
    def.seed = seed;
    assert_int_equal(trn_terrain_shape_preset(character->preset, &def.shape), TRN_RESULT_OK);
    assert_int_equal(trn_terrain_create(&def, &terrain), TRN_RESULT_OK);
    const Survey survey = survey_whole(terrain);
    const Hollows hollows = survey_hollows(&def, 12);
    trn_terrain_destroy(terrain);
    const int64_t sea = percent(survey.sea, survey.samples);
    const int64_t steep = percent(survey.steep, survey.near_land);
    const int64_t watered = percent(survey.watered, survey.squares);
    const int64_t caves = percent(hollows.caves, hollows.caves + hollows.rock);
    print_message("  %s: sea %lld %%, up to %lld, steep %lld %%, watered %lld %%, "
                  "%lld trees a hectare, caves %lld %%;",
                  character->preset, (long long)sea, (long long)survey.highest, (long long)steep,
                  (long long)watered, (long long)trees_per_hectare(&survey), (long long)caves);
    for (int i = TRN_TERRAIN_BIOME_GRASSLAND; i < TRN_TERRAIN_BIOME_COUNT; i++) {
        print_message(" %lld", (long long)percent(survey.biomes[i], survey.samples - survey.sea));
    }
    print_message(" %%\n");
    check_within(character, "the share of sea", sea, character->sea);
    check_within(character, "the highest ground", survey.highest, character->highest);
    check_within(character, "the share of slopes", steep, character->steep);
    check_within(character, "the share of watered squares", watered, character->watered);
    check_within(character, "the number of trees", trees_per_hectare(&survey), character->trees);
    check_within(character, "the share of caves", caves, character->caves);
    for (int i = TRN_TERRAIN_BIOME_GRASSLAND; i < TRN_TERRAIN_BIOME_COUNT; i++) {
        check_within(character, "the share of a biome",
                     percent(survey.biomes[i], survey.samples - survey.sea), character->biomes[i]);
    }
}

static void every_preset_is_a_land_of_its_own(void **state)
{
    (void)state;
    size_t i = 0;
    for (; i < sizeof characters / sizeof characters[0]; i++) {
        assert_string_equal(trn_terrain_preset_name(i), characters[i].preset);
        check_character(&characters[i], trn_terrain_def().seed);
    }
    assert_null(trn_terrain_preset_name(i));
}

static void the_sea_of_islands_is_warm(void **state)
{
    (void)state;
    for (uint64_t seed = 13; seed < 16; seed++) {
        int64_t sea = 0, ice = 0;
        TrnTerrainDef def = trn_terrain_def();
        TrnTerrain *terrain;
        Places seen;
        def.seed = seed;
        assert_int_equal(trn_terrain_shape_preset("islands", &def.shape), TRN_RESULT_OK);
        assert_int_equal(trn_terrain_create(&def, &terrain), TRN_RESULT_OK);
        for (int64_t chunk = 0; chunk < 16; chunk++) { // 64 km
            look_level(terrain, chunk % 4 - 2, chunk / 4 - 2, 9, &seen);
            for (size_t i = 0; i < TRN_LAYER_VOXELS; i++) {
                sea += is_water(seen.at[i].surface);
                ice += seen.at[i].surface == TRN_BLOCK_ICE;
            }
        }
        assert_true(ice * 500 < sea);
        trn_terrain_destroy(terrain);
    }
}

/// Deserts are hot. Between them and meadows lies savanna, however frayed the borders are.
static void no_sand_lies_in_meadows(void **state)
{
    (void)state;
    TrnTerrain *terrain = make_terrain(trn_terrain_def().seed, 1, NULL);
    Places seen;
    int64_t deserts = 0, borders = 0;
    for (int64_t chunk = 0; chunk < 256; chunk++) { // places 4 voxels apart
        look_level(terrain, chunk % 16 * 5 - 40, chunk / 16 * 5 - 40, 2, &seen);
        for (size_t i = 0; i < TRN_LAYER_VOXELS - TRN_CHUNK_EDGE; i++) {
            if (seen.at[i].biome == TRN_TERRAIN_BIOME_DESERT) {
                deserts++;
                borders += seen.at[i + TRN_CHUNK_EDGE].biome == TRN_TERRAIN_BIOME_GRASSLAND;
            }
        }
    }
    print_message("  %lld places of desert, %lld beside meadows\n", (long long)deserts,
                  (long long)borders);
    assert_true(deserts > 10000 && borders * 500 < deserts);
    trn_terrain_destroy(terrain);
}

/// How many places of land, and of the sea, have another biome, or ice instead of water, four voxels on; of 100,000.
static int64_t count_borders(float scale)
{
    TrnTerrainDef def = trn_terrain_def();
    TrnTerrain *terrain;
    TestRandom random = {17};
    Places seen;
    int64_t borders = 0, count = 0;
    def.shape.scale = scale;
    assert_int_equal(trn_terrain_create(&def, &terrain), TRN_RESULT_OK);
    for (int n = 0; n < 1500; n++) {
        const int64_t x = test_random_range(&random, -1024, 1023);
        look_level(terrain, x, test_random_range(&random, -1024, 1023), 2, &seen);
        for (size_t i = 0; i < TRN_LAYER_VOXELS - TRN_CHUNK_EDGE; i++) {
            const TrnTerrainPlace *place = &seen.at[i], *next = place + TRN_CHUNK_EDGE;
            const bool is_sea = is_water(place->surface);
            if (is_sea == is_water(next->surface)) {
                borders += is_sea ? place->surface != next->surface : place->biome != next->biome;
                count++;
            }
        }
    }
    trn_terrain_destroy(terrain);
    return borders * 100000 / count;
}

/// Else borders would be as much wider as biomes are, and a wide world as mottled as any.
static void borders_of_wide_worlds_are_no_wider(void **state)
{
    (void)state;
    const int64_t normal = count_borders(1), wide = count_borders(8);
    print_message("  %lld borders in 100,000 places, %lld where all is 8 times as wide\n",
                  (long long)normal, (long long)wide);
    assert_true(wide > 0 && wide * 3 < normal);
}

static void every_biome_has_its_own_number_of_trees(void **state)
{
    (void)state;
    static const int64_t expected[TRN_TERRAIN_BIOME_COUNT][2] = {
        // a hectare
        [TRN_TERRAIN_BIOME_GRASSLAND] = {2, 12}, [TRN_TERRAIN_BIOME_FOREST] = {60, 240},
        [TRN_TERRAIN_BIOME_DESERT] = {1, 10},    [TRN_TERRAIN_BIOME_SAVANNA] = {1, 16},
        [TRN_TERRAIN_BIOME_TUNDRA] = {1, 20},    [TRN_TERRAIN_BIOME_SNOW] = {1, 14},
        [TRN_TERRAIN_BIOME_SWAMP] = {20, 100},
    };
    TrnTerrain *terrain = make_terrain(trn_terrain_def().seed, 8, NULL);
    Places seen;
    look_level(terrain, 0, 0, 9, &seen);
    for (int biome = TRN_TERRAIN_BIOME_GRASSLAND; biome < TRN_TERRAIN_BIOME_COUNT; biome++) {
        Survey survey = {0};
        int found = 0;
        for (int32_t i = 0; i < (int32_t)TRN_LAYER_VOXELS && found < 40; i++) {
            if (seen.at[i].biome == (TrnTerrainBiome)biome) { // 512 voxels, 16 chunks apart
                survey_trees(terrain, i % 32 * 16, i / 32 * 16, (TrnTerrainBiome)biome, &survey);
                found++;
            }
        }
        const int64_t trees = trees_per_hectare(&survey);
        print_message("  biome %d: %lld trees a hectare\n", biome, (long long)trees);
        assert_true(survey.tree_voxels > 4000);
        assert_true(trees >= expected[biome][0] && trees <= expected[biome][1]);
    }
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
    for (int32_t i = 0; i < 1600; i++) { // a straight line, then a diagonal
        generate_whole(terrain, (TrnCoord){i, 0, i < 800 ? 0 : i - 800}, blocks);
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
    size_t first; ///< the place that it makes first
    int64_t height_sum;
    uint64_t hash;
} Worker;

static void *work(void *argument)
{
    Worker *worker = argument;
    worker->hash = hash_places(worker->shared, SOME_PLACES, worker->first);
    for (int64_t i = 0; i < 300; i++) {
        worker->height_sum += height_at(worker->shared, i * 31, i * -17);
    }
    return NULL;
}

static void threads_share_a_terrain_and_agree(void **state)
{
    (void)state;
    const uint32_t caches[] = {1, 5, 256};
    const uint64_t expected = hash_some_places();
    for (size_t c = 0; c < sizeof caches / sizeof caches[0]; c++) {
        TrnTerrain *shared = make_terrain(GOLDEN_SEED, caches[c], NULL);
        Worker workers[4];
        for (size_t i = 0; i < 4; i++) { // two go the same way, two others
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
        for (int32_t n = 0; n < 4; n++) {
            check_heights(terrain, n * 111 - 200, n * -159 + 300, &tower);
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
        int chunks = 0;
        hashes[count] = hash_place(terrain, 3, 5, &chunks);
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
        cmocka_unit_test(caves_that_open_below_the_sea_are_dry),
        cmocka_unit_test(uniform_chunks_need_neither_columns_nor_memory),
        cmocka_unit_test(caves_fill_6_to_12_percent_of_the_rock_and_open_to_the_surface),
        cmocka_unit_test(nothing_is_hollow_without_caves_and_overhangs),
        cmocka_unit_test(cliffs_overhang_and_leave_no_rocks_in_the_air),
        cmocka_unit_test(every_level_is_the_same_land),
        cmocka_unit_test(every_level_covers_the_ground_alike),
        cmocka_unit_test(crowns_reach_over_chunk_borders_and_none_is_without_its_trunk),
        cmocka_unit_test(the_land_has_seas_and_mountains_and_every_biome),
        cmocka_unit_test(the_default_world_is_worth_seeing_at_its_origin),
        cmocka_unit_test(levels_of_places_are_the_places_themselves),
        cmocka_unit_test(every_preset_is_a_land_of_its_own),
        cmocka_unit_test(every_biome_has_its_own_number_of_trees),
        cmocka_unit_test(the_sea_of_islands_is_warm),
        cmocka_unit_test(no_sand_lies_in_meadows),
        cmocka_unit_test(borders_of_wide_worlds_are_no_wider),
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
