// What the land is like: some caves but not too many, no floating rocks, variety, and no difference
// at chunk borders or at the ends of the world. Each preset has its own character.

#include "terrain_voxels.h"

// ---- what the land is made of -------------------------------------------------------------------

static bool is_leaves(TrnBlock block)
{
    return block == TRN_BLOCK_OAK_LEAVES || block == TRN_BLOCK_PINE_LEAVES ||
           block == TRN_BLOCK_ACACIA_LEAVES ||
           (block >= TRN_BLOCK_ASPEN_LEAVES && block <= TRN_BLOCK_PALM_LEAVES);
}

static void caves_that_open_below_the_sea_are_dry(void **state)
{
    (void)state;
    static Tower tower;
    TrnTerrain *terrain = NULL;
    assert_int_equal(trn_terrain_create(NULL, &terrain), TRN_RESULT_OK);
    const int64_t x = 802, z = -695; // in a hillside
    TrnTerrainSample place;
    assert_int_equal(trn_terrain_sample(terrain, x, z, &place), TRN_RESULT_OK);
    assert_true(place.height < TRN_TERRAIN_SEA_LEVEL);
    assert_false(is_water(place.surface));
    fill_tower(terrain, (int32_t)(x >> TRN_CHUNK_SHIFT), (int32_t)(z >> TRN_CHUNK_SHIFT), &tower);
    const size_t at = (size_t)(z & 31) * TRN_CHUNK_EDGE + (size_t)(x & 31);
    for (int64_t y = place.height + 1; y <= TRN_TERRAIN_SEA_LEVEL; y++) {
        assert_int_equal(tower_block(&tower, y, at), TRN_BLOCK_AIR);
    }
    trn_terrain_destroy(terrain);
}

/// What a walk over towers counts.
typedef struct Hollows {
    int64_t rock, caves;       ///< voxels below the ground's top
    int64_t columns, overhung; ///< columns, and those with air between ground
    int64_t open;              ///< firm columns of land that a cave has opened
    int64_t wet, leaking;      ///< voxels of water, and those with air below or next to them
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
        trn_land_generate_column(terrain, (TrnCoord){x, 0, z}, &column);
        for (size_t i = 0; i < TRN_LAYER_VOXELS; i++) {
            count_hollows(&tower, &column, i, &hollows);
        }
    }
    trn_terrain_destroy(terrain);
    return hollows;
}

static void caves_fill_2_to_6_percent_of_the_rock_and_open_to_the_surface(void **state)
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
    assert_true(share >= 2 && share <= 6);
    assert_true(hollows.open * 2000 > hollows.columns);
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

/// A region of chunks, and which of its ground is connected with the ground below or next to the
/// region.
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

/// Floods everything connected with the voxels in the list. @return how many voxels
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

/// Counts the voxels of ground that touch neither the region's bottom nor its sides.
/// @param largest  receives the largest connected piece
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

/// Counts the columns of a region in which there is air below ground.
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

// ---- what grows ---------------------------------------------------------------------------------

enum { GROVE = 4, GROVE_EDGE = GROVE * TRN_CHUNK_EDGE, GROVE_HEIGHT = 9 * TRN_CHUNK_EDGE };

/// Reads the chunks around a place from sea level up, as one array by y, z, x.
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

/// Whether a trunk is within reach of a leaf. @param across  receives whether it is in another
/// chunk
static bool has_trunk(const TrnBlock *grove, int32_t x, int32_t y, int32_t z, bool *across)
{
    for (int32_t i = 0; i < 81; i++) {
        const int32_t at_x = x + i % 9 - 4, at_z = z + i / 9 - 4;
        for (int32_t at_y = y - 3; at_y <= y + 2; at_y++) {
            const TrnBlock block =
                at_y < 0
                    ? TRN_BLOCK_AIR
                    : grove[((size_t)at_y * GROVE_EDGE + (size_t)at_z) * GROVE_EDGE + (size_t)at_x];
            if (block == TRN_BLOCK_OAK_LOG || block == TRN_BLOCK_PINE_LOG ||
                block == TRN_BLOCK_ACACIA_LOG || block == TRN_BLOCK_ASPEN_LOG) {
                *across = at_x / 32 != x / 32 || at_z / 32 != z / 32;
                return true;
            }
        }
    }
    return false;
}

static void crowns_cross_chunk_borders_and_each_has_a_trunk(void **state)
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
    print_message("  %lld leaves, %lld next to a trunk of another chunk\n", (long long)leaves,
                  (long long)across_count);
    assert_true(leaves > 5000);
    assert_true(across_count > 200);
    trn_terrain_destroy(terrain);
    free(grove);
}

// ---- how varied the land is ---------------------------------------------------------------------

/// What is seen of the land from far away, as counts.
typedef struct Survey {
    int64_t samples, sea, lowest, highest;
    int64_t steep, near_land; ///< of places four voxels apart: those on slopes, and all on land
    int64_t squares, watered; ///< squares of 128 voxels, and those that a river or a brook crosses
    int64_t trees, tree_voxels; ///< trees, and the voxels of land among which they were counted
    int64_t tops[TRN_BLOCK_BUILTIN_COUNT];
    int64_t biomes[TRN_TERRAIN_BIOME_COUNT];
} Survey;

/// Surveys the chunks of a level from -radius to radius - 1.
static void survey_level(const TrnTerrain *terrain, uint32_t level, int64_t radius, Survey *survey)
{
    Places seen;
    for (int64_t chunk = 0; chunk < 4 * radius * radius; chunk++) {
        look_level(terrain, chunk % (2 * radius) - radius, chunk / (2 * radius) - radius, level,
                   &seen);
        for (size_t i = 0; i < TRN_LAYER_VOXELS; i++) {
            const TrnTerrainSample *place = &seen.at[i];
            survey->samples++;
            survey->sea += place->height < TRN_TERRAIN_SEA_LEVEL;
            survey->lowest = place->height < survey->lowest ? place->height : survey->lowest;
            survey->highest = place->height > survey->highest ? place->height : survey->highest;
            survey->tops[place->top]++;
            survey->biomes[place->biome]++;
        }
    }
}

/// Whether a line of places has water between land that is at most 80 voxels wide.
static bool has_narrow_water(const TrnTerrainSample *row, size_t stride)
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

/// Surveys squares of 128 voxels at every fourth voxel.
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

/// Counts the trees of a column of chunks, and its voxels of land, of one biome or, with 0, of all.
static void survey_trees(const TrnTerrain *terrain, int32_t x, int32_t z, TrnTerrainBiome biome,
                         Survey *survey)
{
    static TrnColumn column;
    trn_land_generate_column(terrain, (TrnCoord){x, 0, z}, &column);
    for (size_t i = 0; i < TRN_LAYER_VOXELS; i++) {
        survey->tree_voxels +=
            biome ? column.biomes[i] == (uint8_t)biome : column.biomes[i] != TRN_TERRAIN_BIOME_SEA;
    }
    for (uint32_t i = 0; i < column.tree_count; i++) {
        const TrnTree *tree = &column.trees[i];
        if (tree->kind < TRN_TREE_KIND_COUNT && tree->x >= 0 && tree->x < TRN_CHUNK_EDGE &&
            tree->z >= 0 && tree->z < TRN_CHUNK_EDGE) {
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

/// Sums of the height differences of columns adjacent along x.
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

/// Measures the steps along x, or along z, of two adjacent chunks, and across the border between
/// them.
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

static void chunk_borders_are_invisible(void **state)
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

/// Returns how steep the land is, on average over many chunks far apart.
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

static void the_ends_of_the_world_are_as_smooth_as_its_origin(void **state)
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

/// The character of a preset: least and greatest of each figure. Measured with three seeds, plus a
/// margin.
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
    {"default", {25, 45}, {180, 240}, {1, 10}, {8, 45},  {10, 60}, {2, 6},
     {{0, 0}, {10, 25}, {14, 30}, {10, 24}, {3, 12}, {6, 18}, {14, 28}, {2, 9}}},
    {"islands", {50, 68}, {150, 240}, {4, 20}, {46, 80}, {10, 50}, {2, 6},
     {{0, 0}, {2, 11}, {28, 43}, {17, 32}, {11, 23}, {0, 4}, {0, 3}, {9, 21}}},
    {"alps",    {6, 20},  {241, 256}, {3, 16}, {5, 30},  {10, 45}, {2, 6},
     {{0, 0}, {9, 20}, {11, 24}, {2, 10}, {2, 10}, {8, 19}, {34, 50}, {0, 3}}},
    {"canyons", {1, 9},   {170, 240}, {9, 25}, {20, 55}, {1, 25},  {2, 6},
     {{0, 0}, {8, 20}, {3, 12}, {50, 70}, {7, 19}, {0, 6}, {0, 4}, {0, 1}}},
    {"flat",    {6, 20},  {25, 60},   {0, 0},  {2, 20},  {8, 35},  {1, 5},
     {{0, 0}, {10, 21}, {18, 34}, {13, 27}, {4, 13}, {5, 15}, {8, 20}, {2, 9}}},
};

/// @param what  for the message of a failed check
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

static void every_preset_has_its_own_character(void **state)
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

/// Deserts are hot. Between them and meadows lies savanna, even if the borders are frayed.
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
    print_message("  %lld places of desert, %lld next to meadows\n", (long long)deserts,
                  (long long)borders);
    assert_true(deserts > 10000 && borders * 500 < deserts);
    trn_terrain_destroy(terrain);
}

/// Counts places of land and of sea whose biome, or ice instead of water, differs four voxels on;
/// of 100,000.
static int64_t count_borders(float scale)
{
    TrnTerrainDef def = trn_terrain_def();
    TrnTerrain *terrain;
    TestRandom random = {17};
    Places seen;
    int64_t borders = 0, count = 0;
    def.shape.scale = scale;
    assert_int_equal(trn_terrain_create(&def, &terrain), TRN_RESULT_OK);
    for (uint32_t n = 0; n < test_rounds(1500, 200); n++) {
        const int64_t x = test_random_range(&random, -1024, 1023);
        look_level(terrain, x, test_random_range(&random, -1024, 1023), 2, &seen);
        for (size_t i = 0; i < TRN_LAYER_VOXELS - TRN_CHUNK_EDGE; i++) {
            const TrnTerrainSample *place = &seen.at[i], *next = place + TRN_CHUNK_EDGE;
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

/// Otherwise borders would widen with the biomes, and a wide world would be as mottled as any.
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
            if (seen.at[i].biome == (TrnTerrainBiome)biome) { // of 16 chunks, 512 voxels apart
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(caves_that_open_below_the_sea_are_dry),
        cmocka_unit_test(caves_fill_2_to_6_percent_of_the_rock_and_open_to_the_surface),
        cmocka_unit_test(nothing_is_hollow_without_caves_and_overhangs),
        cmocka_unit_test(cliffs_overhang_and_leave_no_rocks_in_the_air),
        cmocka_unit_test(crowns_cross_chunk_borders_and_each_has_a_trunk),
        cmocka_unit_test(the_land_has_seas_and_mountains_and_every_biome),
        cmocka_unit_test(the_default_world_is_worth_seeing_at_its_origin),
        cmocka_unit_test(every_preset_has_its_own_character),
        cmocka_unit_test(every_biome_has_its_own_number_of_trees),
        cmocka_unit_test(the_sea_of_islands_is_warm),
        cmocka_unit_test(no_sand_lies_in_meadows),
        cmocka_unit_test(borders_of_wide_worlds_are_no_wider),
        cmocka_unit_test(chunk_borders_are_invisible),
        cmocka_unit_test(the_ends_of_the_world_are_as_smooth_as_its_origin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
