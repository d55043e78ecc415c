// What covers the land and what grows on it: biomes, covers, plants and trees of a column. Covers
// follow the slope of the wider land and noises of their own, not the slope of each step: earth
// that shows at every step makes zebra stripes. Trees stand in stands of one kind, plants in
// drifts.

#include <string.h>

#include "terrain/land_ground.h"
#include "terrain/trees.h"

const TrnCoverBlocks trn_cover_blocks[TRN_COVER_COUNT] = {
    [TRN_COVER_STONE] = {TRN_BLOCK_STONE, TRN_BLOCK_STONE, 0, 0},
    [TRN_COVER_GRASS] = {TRN_BLOCK_GRASS, TRN_BLOCK_DIRT, 4, 0},
    [TRN_COVER_FOREST] = {TRN_BLOCK_FOREST_FLOOR, TRN_BLOCK_DIRT, 4, 0},
    [TRN_COVER_DRY_GRASS] = {TRN_BLOCK_DRY_GRASS, TRN_BLOCK_DIRT, 3, 0},
    [TRN_COVER_MOSS] = {TRN_BLOCK_MOSS, TRN_BLOCK_DIRT, 3, 0},
    [TRN_COVER_MUD] = {TRN_BLOCK_MUD, TRN_BLOCK_MUD, 3, 0},
    [TRN_COVER_DIRT] = {TRN_BLOCK_DIRT, TRN_BLOCK_DIRT, 3, 0},
    [TRN_COVER_SAND] = {TRN_BLOCK_SAND, TRN_BLOCK_SAND, 4, 0},
    [TRN_COVER_SANDSTONE] = {TRN_BLOCK_SANDSTONE, TRN_BLOCK_SANDSTONE, 4, 0},
    [TRN_COVER_GRAVEL] = {TRN_BLOCK_GRAVEL, TRN_BLOCK_GRAVEL, 3, 0},
    [TRN_COVER_SNOW] = {TRN_BLOCK_SNOW, TRN_BLOCK_DIRT, 3, 0},
    [TRN_COVER_GRASS_SLOPE] = {TRN_BLOCK_GRASS, TRN_BLOCK_GRASS, 4, 0},
    [TRN_COVER_FOREST_SLOPE] = {TRN_BLOCK_FOREST_FLOOR, TRN_BLOCK_FOREST_FLOOR, 4, 0},
    [TRN_COVER_DRY_GRASS_SLOPE] = {TRN_BLOCK_DRY_GRASS, TRN_BLOCK_DRY_GRASS, 4, 0},
    [TRN_COVER_MOSS_SLOPE] = {TRN_BLOCK_MOSS, TRN_BLOCK_MOSS, 4, 0},
    [TRN_COVER_SNOW_SLOPE] = {TRN_BLOCK_SNOW, TRN_BLOCK_SNOW, 4, 0},
    [TRN_COVER_RIPPLES] = {TRN_BLOCK_RIPPLED_SAND, TRN_BLOCK_SAND, 4, 5},
    [TRN_COVER_CANOPY + TRN_TREE_OAK] = {TRN_BLOCK_OAK_LEAVES, TRN_BLOCK_DIRT, 4, 0},
    [TRN_COVER_CANOPY + TRN_TREE_PINE] = {TRN_BLOCK_PINE_LEAVES, TRN_BLOCK_DIRT, 4, 0},
    [TRN_COVER_CANOPY + TRN_TREE_ACACIA] = {TRN_BLOCK_ACACIA_LEAVES, TRN_BLOCK_DIRT, 3, 0},
    [TRN_COVER_CANOPY + TRN_TREE_CACTUS] = {TRN_BLOCK_CACTUS, TRN_BLOCK_SAND, 4, 0},
    [TRN_COVER_CANOPY + TRN_TREE_ASPEN] = {TRN_BLOCK_ASPEN_LEAVES, TRN_BLOCK_DIRT, 4, 0},
    [TRN_COVER_CANOPY + TRN_TREE_SPRUCE] = {TRN_BLOCK_PINE_LEAVES, TRN_BLOCK_DIRT, 4, 0},
    [TRN_COVER_CANOPY + TRN_TREE_WILLOW] = {TRN_BLOCK_WILLOW_LEAVES, TRN_BLOCK_DIRT, 4, 0},
    [TRN_COVER_CANOPY + TRN_TREE_PALM] = {TRN_BLOCK_PALM_LEAVES, TRN_BLOCK_SAND, 4, 0},
    [TRN_COVER_CANOPY + TRN_TREE_KAPOK] = {TRN_BLOCK_PALM_LEAVES, TRN_BLOCK_DIRT, 4, 0},
};

// ---- growth -------------------------------------------------------------------------------------

/// Whether the ground is exactly at the column's height: no overhang and no cave changes it.
static bool land_growth_has_ground(const TrnLandSurface *surface)
{
    return surface->above >= 1.0f && surface->slope < 1.0f && surface->reach == 0.0f &&
           surface->roof >= 2.0f;
}

/// Covers without regard to slopes, if things grow in them; otherwise stone.
static const uint8_t land_soils[TRN_COVER_COUNT] = {
    [TRN_COVER_GRASS] = TRN_COVER_GRASS,
    [TRN_COVER_GRASS_SLOPE] = TRN_COVER_GRASS,
    [TRN_COVER_FOREST] = TRN_COVER_FOREST,
    [TRN_COVER_FOREST_SLOPE] = TRN_COVER_FOREST,
    [TRN_COVER_DRY_GRASS] = TRN_COVER_DRY_GRASS,
    [TRN_COVER_DRY_GRASS_SLOPE] = TRN_COVER_DRY_GRASS,
    [TRN_COVER_MOSS] = TRN_COVER_MOSS,
    [TRN_COVER_MOSS_SLOPE] = TRN_COVER_MOSS,
    [TRN_COVER_SNOW] = TRN_COVER_SNOW,
    [TRN_COVER_SNOW_SLOPE] = TRN_COVER_SNOW,
    [TRN_COVER_MUD] = TRN_COVER_MUD,
    [TRN_COVER_SAND] = TRN_COVER_SAND,
};

static bool land_growth_is_soil(TrnCover cover)
{
    return land_soils[cover] != TRN_COVER_STONE;
}

/// The soil at a voxel column, or stone if nothing grows there.
static TrnCover land_growth_soil(const TrnLandSurface *surface)
{
    return land_growth_has_ground(surface) ? (TrnCover)land_soils[surface->cover] : TRN_COVER_STONE;
}

// ---- beds ---------------------------------------------------------------------------------------

/// What grows or lies on the bed of a sea, river or lake, by depth and climate.
typedef struct LandBed {
    uint16_t since;              ///< version of the land
    bool is_sea;                 ///< in the sea alone
    int16_t deepest, shallowest; ///< voxels above the water's surface, so negative
    float coldest, warmest;
    float least_stand, most_patch; ///< noises
    uint16_t chance;               ///< in 1024ths of plants, in 256ths of a cell's other things
    uint16_t what;                 ///< TrnBlock, or TrnTreeKind
} LandBed;

#define LAND_ANY 9.0f ///< beyond every noise

/// Bounds of all plants.
#define LAND_BED_DEEPEST (-34)
#define LAND_BED_SHALLOWEST (-2)

static const LandBed land_bed_plants[] = {
    {5, true, LAND_BED_DEEPEST, -6, -0.25f, 0.12f, 0.04f, LAND_ANY, 300, TRN_BLOCK_KELP},
    {5, false, -14, LAND_BED_SHALLOWEST, -0.2f, LAND_ANY, -LAND_ANY, -0.1f, 420,
     TRN_BLOCK_SEA_GRASS},
    {5, false, -14, LAND_BED_SHALLOWEST, -0.2f, LAND_ANY, -LAND_ANY, LAND_ANY, 12,
     TRN_BLOCK_SEA_GRASS},
};

static const LandBed land_bed_things[] = {
    {5, true, -20, -6, 0.08f, LAND_ANY, -0.02f, LAND_ANY, 110, TRN_TREE_CORAL},
    {5, true, -60, -5, -LAND_ANY, LAND_ANY, -LAND_ANY, LAND_ANY, 3, TRN_TREE_WRECK},
};

static bool land_bed_fits(const LandBed *bed, const TrnTerrain *terrain,
                          const TrnLandSurface *surface)
{
    return terrain->version >= bed->since && surface->above >= (float)bed->deepest &&
           surface->above < (float)bed->shallowest && surface->temperature >= bed->coldest &&
           surface->temperature < bed->warmest && surface->stand > bed->least_stand &&
           surface->patch < bed->most_patch &&
           (!bed->is_sea || surface->height - surface->above < 0.5f);
}

/// Whether a plant may grow in the water at a voxel column. Ice has none below it.
static bool land_bed_may_grow(const TrnTerrain *terrain, const TrnColumn *column, size_t i)
{
    const float above = column->heights[i] - (float)column->waters[i];
    return terrain->version >= land_bed_plants[0].since && above >= LAND_BED_DEEPEST &&
           above < LAND_BED_SHALLOWEST && column->covers[i] != TRN_COVER_STONE &&
           !column->plants[i];
}

/// Chooses what grows in the water at a voxel column, or air.
static TrnBlock land_bed_plant(const TrnTerrain *terrain, const TrnLandSurface *surface,
                               uint64_t hash)
{
    const size_t count = sizeof land_bed_plants / sizeof *land_bed_plants;
    float draw = (float)(hash >> 54); // 0..1023
    for (size_t i = 0; i < count; i++) {
        const LandBed *bed = &land_bed_plants[i];
        draw -= land_bed_fits(bed, terrain, surface) ? bed->chance * terrain->shape.trees : 0.0f;
        if (draw < 0.0f) {
            return bed->what;
        }
    }
    return TRN_BLOCK_AIR;
}

/// Chooses what else lies on the bed. @return TrnTreeKind + 1, or 0 for none
static uint8_t land_bed_thing(const TrnTerrain *terrain, const TrnLandSurface *surface,
                              uint8_t *chance)
{
    const size_t count = sizeof land_bed_things / sizeof *land_bed_things;
    for (size_t i = 0; i < count; i++) {
        if (land_bed_fits(&land_bed_things[i], terrain, surface)) {
            *chance = (uint8_t)land_bed_things[i].chance;
            return (uint8_t)(land_bed_things[i].what + 1);
        }
    }
    return 0;
}

// ---- trees --------------------------------------------------------------------------------------

/// The greatest chances of any tree and of undergrowth.
#define LAND_TREE_CHANCE_MAX 170
#define LAND_UNDERGROWTH_CHANCE_MAX 128

typedef struct LandGrowthTree {
    TrnTreeKind kind;
    uint8_t chance; ///< in 256ths
} LandGrowthTree;

/// Forests change from spruce over oak to kapok as they get warmer, with glades between.
static LandGrowthTree land_growth_forest(const TrnLandSurface *surface)
{
    const bool is_glade = surface->bare < -0.3f;
    const uint8_t dense = is_glade ? 20 : LAND_TREE_CHANCE_MAX;
    if (surface->temperature < 0.0f) {
        return (LandGrowthTree){surface->stand > 0.08f ? TRN_TREE_PINE : TRN_TREE_SPRUCE, dense};
    }
    if (surface->temperature > 0.14f) {
        return (LandGrowthTree){surface->patch > 0.2f ? TRN_TREE_PALM : TRN_TREE_KAPOK,
                                is_glade ? 20 : 130};
    }
    return (LandGrowthTree){surface->stand > 0.1f ? TRN_TREE_ASPEN : TRN_TREE_OAK, dense};
}

static LandGrowthTree land_growth_of_biome(const TrnLandSurface *surface, TrnTerrainBiome biome)
{
    const bool is_grove = surface->stand > 0.2f;
    switch (biome) {
    case TRN_TERRAIN_BIOME_FOREST:
        return land_growth_forest(surface);
    case TRN_TERRAIN_BIOME_GRASSLAND:
        return (LandGrowthTree){surface->temperature < 0.03f ? TRN_TREE_ASPEN : TRN_TREE_OAK,
                                is_grove ? 46 : 3};
    case TRN_TERRAIN_BIOME_DESERT: // palms near water
        return surface->above < 5.0f ? (LandGrowthTree){TRN_TREE_PALM, 10}
                                     : (LandGrowthTree){TRN_TREE_CACTUS, 7};
    case TRN_TERRAIN_BIOME_SAVANNA:
        return (LandGrowthTree){TRN_TREE_ACACIA, is_grove ? 34 : 9};
    case TRN_TERRAIN_BIOME_TUNDRA:
        return (LandGrowthTree){surface->bare > 0.1f ? TRN_TREE_PINE : TRN_TREE_SPRUCE,
                                is_grove ? 60 : 8};
    case TRN_TERRAIN_BIOME_SNOW:
        return (LandGrowthTree){TRN_TREE_SPRUCE, is_grove ? 34 : 5};
    case TRN_TERRAIN_BIOME_SWAMP:
        return (LandGrowthTree){surface->patch > 0.25f ? TRN_TREE_OAK : TRN_TREE_WILLOW, 66};
    default:
        return (LandGrowthTree){TRN_TREE_OAK, 0};
    }
}

/// Chooses the kind of tree that may grow at a voxel column.
/// @param chance  receives its probability in 256ths, given that a tree's cell selects this
///                position
/// @return TrnTreeKind + 1, or 0 for none
static uint8_t land_growth_tree(const TrnLandSurface *surface, uint8_t *chance)
{
    const TrnTerrainBiome biome = surface->biome;
    const TrnCover soil = land_growth_soil(surface);
    if (soil == TRN_COVER_STONE) {
        return 0;
    }
    LandGrowthTree tree = land_growth_of_biome(surface, biome);
    if (soil == TRN_COVER_SAND && biome != TRN_TERRAIN_BIOME_DESERT) { // a beach
        tree = (LandGrowthTree){TRN_TREE_PALM, surface->temperature > 0.1f ? 18 : 0};
    }
    *chance = tree.chance;
    return tree.chance ? (uint8_t)(tree.kind + 1) : 0;
}

/// The same of undergrowth, and of what lies on beds.
static uint8_t land_growth_undergrowth(const TrnTerrain *terrain, const TrnLandSurface *surface,
                                       uint8_t *chance)
{
    if (surface->above < 0.0f) {
        return land_bed_thing(terrain, surface, chance);
    }
    const TrnTerrainBiome biome = surface->biome;
    static const uint8_t chances[TRN_TERRAIN_BIOME_COUNT] = {
        [TRN_TERRAIN_BIOME_GRASSLAND] = 6, [TRN_TERRAIN_BIOME_FOREST] = 64,
        [TRN_TERRAIN_BIOME_SAVANNA] = 5,   [TRN_TERRAIN_BIOME_TUNDRA] = 5,
        [TRN_TERRAIN_BIOME_SNOW] = 2,      [TRN_TERRAIN_BIOME_SWAMP] = 40,
    };
    const TrnCover soil = land_growth_soil(surface);
    if (soil == TRN_COVER_STONE || soil == TRN_COVER_SAND || !chances[biome]) {
        return 0;
    }
    const bool is_thicket = surface->bare > 0.05f && biome != TRN_TERRAIN_BIOME_SNOW;
    *chance = (uint8_t)(is_thicket ? chances[biome] * 2 : chances[biome]);
    if (biome == TRN_TERRAIN_BIOME_SNOW || biome == TRN_TERRAIN_BIOME_TUNDRA ||
        (biome == TRN_TERRAIN_BIOME_SWAMP && surface->patch < -0.1f)) {
        return TRN_TREE_SNAG + 1;
    }
    return (surface->slope < 0.3f ? TRN_TREE_FALLEN : TRN_TREE_BUSH) + 1;
}

// ---- plants -------------------------------------------------------------------------------------

/// A plant and its probability in 1024ths.
typedef struct LandGrowthPlant {
    TrnBlock block;
    uint32_t chance;
} LandGrowthPlant;

/// Flowers stand in drifts of one kind.
static LandGrowthPlant land_growth_flowers(const TrnLandSurface *surface)
{
    static const TrnBlock kinds[] = {TRN_BLOCK_WHITE_FLOWER, TRN_BLOCK_RED_FLOWER, TRN_BLOCK_FLOWER,
                                     TRN_BLOCK_BLUE_FLOWER, TRN_BLOCK_WHITE_FLOWER};
    const int32_t kind = trn_land_floor(trn_land_clamp(surface->stand * 8.0f + 2.5f, 0.0f, 4.5f));
    return (LandGrowthPlant){kinds[kind], surface->patch > 0.24f ? 360 : 3};
}

/// Grass is high in some patches and short in others.
static LandGrowthPlant land_growth_grass(const TrnLandSurface *surface, TrnBlock block,
                                         uint32_t chance)
{
    return (LandGrowthPlant){block, surface->patch < -0.12f ? chance * 3 : chance / 3};
}

/// The rare plants of a biome, then its common ones.
static void land_growth_plants(const TrnLandSurface *surface, TrnTerrainBiome biome,
                               LandGrowthPlant plants[2])
{
    switch (biome) {
    case TRN_TERRAIN_BIOME_GRASSLAND:
        plants[0] = land_growth_flowers(surface);
        plants[1] = land_growth_grass(surface, TRN_BLOCK_TALL_GRASS, 130);
        break;
    case TRN_TERRAIN_BIOME_FOREST:
        plants[0] = land_growth_grass(surface, TRN_BLOCK_FERN, 90);
        plants[1] = (LandGrowthPlant){TRN_BLOCK_TALL_GRASS, surface->bare < -0.3f ? 160 : 30};
        break;
    case TRN_TERRAIN_BIOME_DESERT:
        plants[0] = (LandGrowthPlant){TRN_BLOCK_DEAD_BUSH, 4};
        break;
    case TRN_TERRAIN_BIOME_SAVANNA:
        plants[0] = (LandGrowthPlant){TRN_BLOCK_DEAD_BUSH, 6};
        plants[1] = land_growth_grass(surface, TRN_BLOCK_TALL_GRASS, 130);
        break;
    case TRN_TERRAIN_BIOME_TUNDRA:
        plants[0] = (LandGrowthPlant){TRN_BLOCK_DEAD_BUSH, 4};
        plants[1] = land_growth_grass(surface, TRN_BLOCK_TALL_GRASS, 30);
        break;
    case TRN_TERRAIN_BIOME_SWAMP:
        plants[0] = (LandGrowthPlant){TRN_BLOCK_REEDS, surface->above < 2.5f ? 200 : 40};
        plants[1] = land_growth_grass(surface, TRN_BLOCK_FERN, 50);
        break;
    default:
        break;
    }
}

/// Chooses the plant on the ground, or air.
/// @param plenty  the shape's density
/// @param hash    of the voxel column
static TrnBlock land_growth_plant(const TrnLandSurface *surface, float plenty, uint64_t hash)
{
    const TrnTerrainBiome biome = surface->biome;
    const TrnCover soil = land_growth_soil(surface);
    const bool is_sand = soil == TRN_COVER_SAND && biome != TRN_TERRAIN_BIOME_DESERT;
    if (soil == TRN_COVER_STONE || soil == TRN_COVER_SNOW || is_sand) {
        return TRN_BLOCK_AIR;
    }
    LandGrowthPlant plants[2] = {{TRN_BLOCK_AIR, 0}, {TRN_BLOCK_AIR, 0}};
    land_growth_plants(surface, biome, plants);
    if (surface->above < 2.2f && trn_land_is_reedy(surface->moisture, surface->temperature,
                                                   surface->stand, surface->patch)) {
        plants[0] = (LandGrowthPlant){TRN_BLOCK_REEDS, 420};
    }
    float draw = (float)(hash >> 54); // 0..1023
    for (int i = 0; i < 2; i++) {
        draw -= (float)plants[i].chance * plenty;
        if (draw < 0.0f) {
            return plants[i].block;
        }
    }
    return TRN_BLOCK_AIR;
}

/// Whether the sea is frozen: whole far inside the ice, in floes at its rim.
static bool land_is_frozen(const TrnLandGround *ground, size_t i)
{
    const float frost = ground->square->fields[TRN_LAND_FIELD_FROST][i];
    const float rim = ground->floe_rim;
    if (frost <= 0.0f || frost >= rim) {
        return frost > 0.0f;
    }
    if (!ground->has_floes) {
        return frost > rim * 0.5f;
    }
    const float open = 1.0f - frost / rim; // 0 at the whole ice
    return ground->floes[i] > open * (0.5f + ground->values[0][i]);
}

// ---- columns -----------------------------------------------------------------------------------

/// Covers flat beds of sand with ripples, in some places.
static void land_ripple(const TrnTerrain *terrain, const TrnLandGround *ground)
{
    const TrnLandSquare *square = ground->square;
    const float *heights = square->fields[TRN_LAND_FIELD_HEIGHT];
    const float *slopes = square->fields[TRN_LAND_FIELD_WIDE_SLOPE];
    if (terrain->version < trn_cover_blocks[TRN_COVER_RIPPLES].since) {
        return;
    }
    bool has_bed = false;
    for (size_t i = 0; i < square->count; i++) {
        has_bed |= heights[i] < square->waters[i] - 2.0f;
    }
    if (!has_bed) {
        return;
    }
    for (size_t i = 0; i < square->count; i++) {
        const bool is_flat = slopes[i] < 0.35f && ground->values[TRN_COVER_NOISE_BARE][i] < 0.02f;
        if (ground->covers[i] == TRN_COVER_SAND && heights[i] < square->waters[i] - 2.0f &&
            is_flat) {
            ground->covers[i] = TRN_COVER_RIPPLES;
        }
    }
}

/// Copies what covers the ground of a column's samples.
static void land_write_covers(const TrnLandGround *ground, TrnColumn *column)
{
    const TrnLandSquare *square = ground->square;
    const size_t skip = (square->edge - TRN_CHUNK_EDGE) / 2;
    for (size_t z = 0; z < TRN_CHUNK_EDGE; z++) {
        const size_t from = (z + skip) * square->edge + skip, to = z * TRN_CHUNK_EDGE;
        memcpy(column->heights + to, square->fields[TRN_LAND_FIELD_HEIGHT] + from,
               TRN_CHUNK_EDGE * sizeof *column->heights);
        memcpy(column->strata_shifts + to, ground->strata_shifts + from,
               TRN_CHUNK_EDGE * sizeof *column->strata_shifts);
        memcpy(column->biomes + to, ground->biomes + from, TRN_CHUNK_EDGE);
        memcpy(column->covers + to, ground->covers + from, TRN_CHUNK_EDGE);
        memcpy(column->roofs + to, ground->roofs + from, TRN_CHUNK_EDGE);
        for (size_t x = 0; x < TRN_CHUNK_EDGE; x++) {
            const bool is_frozen =
                column->biomes[to + x] == TRN_TERRAIN_BIOME_SEA && land_is_frozen(ground, from + x);
            column->plants[to + x] = is_frozen ? TRN_BLOCK_ICE : TRN_BLOCK_AIR;
        }
    }
}

/// Writes the plants of a column of level 0.
static void land_write_plants(const TrnTerrain *terrain, const TrnLandGround *ground,
                              TrnColumn *column)
{
    const TrnVoxel base = trn_coord_voxel(column->coord);
    const uint32_t edge = ground->square->edge, skip = (edge - TRN_CHUNK_EDGE) / 2;
    column->has_kelp = false;
    for (uint32_t i = 0; i < TRN_LAYER_VOXELS; i++) {
        const bool is_wet = trn_column_is_wet(column, i);
        if (is_wet ? !land_bed_may_grow(terrain, column, i)
                   : !land_growth_is_soil((TrnCover)column->covers[i])) {
            continue;
        }
        const uint32_t x = i % TRN_CHUNK_EDGE, z = i / TRN_CHUNK_EDGE;
        TrnLandSurface surface;
        trn_land_read_surface(ground, (size_t)(z + skip) * edge + x + skip, &surface);
        const uint64_t hash = trn_land_hash(terrain->seed, base.x + x, 1, base.z + z);
        const TrnBlock plant = is_wet ? land_bed_plant(terrain, &surface, hash)
                                      : land_growth_plant(&surface, terrain->shape.trees, hash);
        column->plants[i] = plant ? plant : column->plants[i];
        column->has_kelp |= plant == TRN_BLOCK_KELP;
    }
}

// ---- trees of columns ---------------------------------------------------------------------------

/// Places of trees and undergrowth in and around a column, in this order.
typedef struct LandSpots {
    uint32_t tree_count, count;
    TrnTreeSpot spots[2 * TRN_TREES_MAX];
    uint8_t samples[2 * TRN_TREES_MAX]; ///< of spots on the rim: their numbers there
} LandSpots;

/// Voxel columns of the border where something may grow.
typedef struct LandRim {
    TrnLandSquare square; ///< scattered
    int32_t places[2][2 * TRN_TREES_MAX];
    float floats[TRN_LAND_DETAIL_COUNT + TRN_LAND_FIELD_COUNT][2 * TRN_TREES_MAX];
    int16_t ground[(size_t)2 * TRN_TREES_MAX * TRN_LAND_GROUND_BYTES / sizeof(int16_t)];
} LandRim;

static void land_find_spots(const TrnTerrain *terrain, TrnCoord coord, LandSpots *found)
{
    found->tree_count =
        trn_trees_find(terrain, coord, TRN_TREE_STREAM, LAND_TREE_CHANCE_MAX, found->spots);
    found->count = found->tree_count + trn_trees_find(terrain, coord, TRN_TREE_STREAM_UNDERGROWTH,
                                                      LAND_UNDERGROWTH_CHANCE_MAX,
                                                      found->spots + found->tree_count);
}

/// Voxels from a square's first sample to a spot along an axis.
static int32_t land_in_square(const TrnLandSquare *square, int32_t spot)
{
    return spot + TRN_TREE_REACH - (int32_t)square->first;
}

static bool land_has_spot(const TrnLandSquare *square, const TrnTreeSpot *spot)
{
    const int32_t x = land_in_square(square, spot->x), z = land_in_square(square, spot->z);
    const int32_t edge = (int32_t)square->edge;
    return x >= 0 && z >= 0 && x < edge && z < edge;
}

/// Samples the spots that lie outside a square.
static void land_sample_rim(const TrnTerrain *terrain, const TrnLandLattice *lattice,
                            const TrnLandSquare *square, LandSpots *spots, LandRim *rim)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < spots->count; i++) {
        const TrnTreeSpot *spot = &spots->spots[i];
        if (!land_has_spot(square, spot)) {
            spots->samples[i] = (uint8_t)count;
            rim->places[0][count] = spot->x + TRN_TREE_REACH;
            rim->places[1][count++] = spot->z + TRN_TREE_REACH;
        }
    }
    rim->square = (TrnLandSquare){
        .count = count, .shift = square->shift, .places = {rim->places[0], rim->places[1]}};
    for (int i = 0; i < TRN_LAND_DETAIL_COUNT; i++) {
        rim->square.details[i] = rim->floats[i];
    }
    for (int i = 0; i < TRN_LAND_FIELD_COUNT; i++) {
        rim->square.fields[i] = rim->floats[TRN_LAND_DETAIL_COUNT + i];
    }
    if (count == 0) {
        return;
    }
    trn_land_sample(terrain, lattice, &rim->square);
    rim->square.waters = rim->square.fields[TRN_LAND_FIELD_DETAIL_AMPLITUDE]; // detail is added
    for (uint32_t i = 0; i < count; i++) {
        rim->square.waters[i] = (float)TRN_TERRAIN_SEA_LEVEL;
    }
}

/// Adds the tree or undergrowth of a spot to a column.
static void land_grow(const TrnTerrain *terrain, const TrnLandSurface *surface,
                      const TrnTreeSpot *spot, bool is_tree, TrnColumn *column)
{
    uint8_t chance = 0;
    const uint8_t kind = is_tree ? land_growth_tree(surface, &chance)
                                 : land_growth_undergrowth(terrain, surface, &chance);
    if (kind) {
        trn_trees_add(terrain, spot, (TrnTreeKind)(kind - 1), chance, surface->height, column);
    }
}

void trn_land_cover_fine(const TrnTerrain *terrain, const TrnLandLattice *lattice,
                         const TrnLandSquare *square, TrnColumn *column)
{
    LandSpots spots;
    LandRim rim;
    TrnLandGround ground, rim_ground;
    land_find_spots(terrain, column->coord, &spots);
    land_sample_rim(terrain, lattice, square, &spots, &rim);
    int16_t memory[TRN_LAND_SQUARE_SAMPLES * TRN_LAND_GROUND_BYTES / sizeof(int16_t)];
    trn_land_begin_ground(terrain, lattice, square, memory, &ground);
    trn_land_begin_ground(terrain, lattice, &rim.square, rim.ground, &rim_ground);
    land_ripple(terrain, &ground);
    land_write_covers(&ground, column);
    land_write_plants(terrain, &ground, column);
    for (uint32_t i = 0; i < spots.count; i++) {
        const TrnTreeSpot *spot = &spots.spots[i];
        const size_t at = (size_t)land_in_square(square, spot->z) * square->edge +
                          (size_t)land_in_square(square, spot->x);
        TrnLandSurface surface;
        if (land_has_spot(square, spot)) {
            trn_land_read_surface(&ground, at, &surface);
        } else {
            trn_land_read_surface(&rim_ground, spots.samples[i], &surface);
        }
        land_grow(terrain, &surface, spot, i < spots.tree_count, column);
    }
}

/// From afar, trees are canopy covers. A sample looks at the tree that level 0 may grow in its
/// cell, so crowns stay where they are on the levels that are fine enough to show them.
static void land_cover_canopy(const TrnTerrain *terrain, const TrnLandSurface *surface,
                              TrnVoxel voxel, TrnColumn *column, size_t i)
{
    uint8_t chance = 0;
    const uint8_t kind = land_growth_tree(surface, &chance);
    if (kind && trn_tree_crown_covers(terrain, voxel, (float)chance * terrain->shape.trees)) {
        column->covers[i] = (uint8_t)(TRN_COVER_CANOPY + kind - 1);
    }
}

void trn_land_cover_coarse(const TrnTerrain *terrain, const TrnLandLattice *lattice,
                           const TrnLandSquare *square, TrnColumn *column)
{
    TrnLandGround ground;
    int16_t memory[TRN_LAYER_VOXELS * TRN_LAND_GROUND_BYTES / sizeof(int16_t)];
    trn_land_begin_ground(terrain, lattice, square, memory, &ground);
    land_ripple(terrain, &ground);
    land_write_covers(&ground, column);
    for (size_t i = 0; i < TRN_LAYER_VOXELS; i++) {
        if (!land_growth_is_soil((TrnCover)column->covers[i])) {
            continue;
        }
        TrnLandSurface surface;
        trn_land_read_surface(&ground, i, &surface);
        const int64_t x = (int64_t)(i % TRN_CHUNK_EDGE), z = (int64_t)(i / TRN_CHUNK_EDGE);
        const TrnVoxel voxel = {lattice->x + x * ((int64_t)1 << square->level), 0,
                                lattice->z + z * ((int64_t)1 << square->level)};
        land_cover_canopy(terrain, &surface, voxel, column, i);
    }
}
