// What covers the land and what grows on it: biomes, covers, plants and trees of a column. Covers
// follow the slope of the wider land and noises of their own, not the slope of each step: earth
// that shows at every step makes zebra stripes. Trees stand in stands of one kind, plants in
// drifts.

#include <math.h>
#include <string.h>

#include "terrain/land_impl.h"
#include "terrain/trees.h"

const TrnCoverBlocks trn_cover_blocks[TRN_COVER_COUNT] = {
    [TRN_COVER_STONE] = {TRN_BLOCK_STONE, TRN_BLOCK_STONE, 0},
    [TRN_COVER_GRASS] = {TRN_BLOCK_GRASS, TRN_BLOCK_DIRT, 4},
    [TRN_COVER_FOREST] = {TRN_BLOCK_FOREST_FLOOR, TRN_BLOCK_DIRT, 4},
    [TRN_COVER_DRY_GRASS] = {TRN_BLOCK_DRY_GRASS, TRN_BLOCK_DIRT, 3},
    [TRN_COVER_MOSS] = {TRN_BLOCK_MOSS, TRN_BLOCK_DIRT, 3},
    [TRN_COVER_MUD] = {TRN_BLOCK_MUD, TRN_BLOCK_MUD, 3},
    [TRN_COVER_DIRT] = {TRN_BLOCK_DIRT, TRN_BLOCK_DIRT, 3},
    [TRN_COVER_SAND] = {TRN_BLOCK_SAND, TRN_BLOCK_SAND, 4},
    [TRN_COVER_SANDSTONE] = {TRN_BLOCK_SANDSTONE, TRN_BLOCK_SANDSTONE, 4},
    [TRN_COVER_GRAVEL] = {TRN_BLOCK_GRAVEL, TRN_BLOCK_GRAVEL, 3},
    [TRN_COVER_SNOW] = {TRN_BLOCK_SNOW, TRN_BLOCK_DIRT, 3},
    [TRN_COVER_GRASS_SLOPE] = {TRN_BLOCK_GRASS, TRN_BLOCK_GRASS, 4},
    [TRN_COVER_FOREST_SLOPE] = {TRN_BLOCK_FOREST_FLOOR, TRN_BLOCK_FOREST_FLOOR, 4},
    [TRN_COVER_DRY_GRASS_SLOPE] = {TRN_BLOCK_DRY_GRASS, TRN_BLOCK_DRY_GRASS, 4},
    [TRN_COVER_MOSS_SLOPE] = {TRN_BLOCK_MOSS, TRN_BLOCK_MOSS, 4},
    [TRN_COVER_SNOW_SLOPE] = {TRN_BLOCK_SNOW, TRN_BLOCK_SNOW, 4},
    [TRN_COVER_CANOPY + TRN_TREE_OAK] = {TRN_BLOCK_OAK_LEAVES, TRN_BLOCK_DIRT, 4},
    [TRN_COVER_CANOPY + TRN_TREE_PINE] = {TRN_BLOCK_PINE_LEAVES, TRN_BLOCK_DIRT, 4},
    [TRN_COVER_CANOPY + TRN_TREE_ACACIA] = {TRN_BLOCK_ACACIA_LEAVES, TRN_BLOCK_DIRT, 3},
    [TRN_COVER_CANOPY + TRN_TREE_CACTUS] = {TRN_BLOCK_CACTUS, TRN_BLOCK_SAND, 4},
    [TRN_COVER_CANOPY + TRN_TREE_ASPEN] = {TRN_BLOCK_ASPEN_LEAVES, TRN_BLOCK_DIRT, 4},
    [TRN_COVER_CANOPY + TRN_TREE_SPRUCE] = {TRN_BLOCK_PINE_LEAVES, TRN_BLOCK_DIRT, 4},
    [TRN_COVER_CANOPY + TRN_TREE_WILLOW] = {TRN_BLOCK_WILLOW_LEAVES, TRN_BLOCK_DIRT, 4},
    [TRN_COVER_CANOPY + TRN_TREE_PALM] = {TRN_BLOCK_PALM_LEAVES, TRN_BLOCK_SAND, 4},
    [TRN_COVER_CANOPY + TRN_TREE_KAPOK] = {TRN_BLOCK_PALM_LEAVES, TRN_BLOCK_DIRT, 4},
};

/// Sea ice breaks into floes where TRN_LAND_FIELD_FROST is below this. In larger worlds the climate
/// changes more slowly, so less is enough.
static float land_floe_rim(const TrnTerrain *terrain)
{
    return 0.09f * trn_land_border_noise(&terrain->shape);
}

/// Coarser levels have voxels larger than floes.
#define LAND_FLOE_LEVEL_MAX 2

/// The noises of covers on a square.
typedef struct LandNoises {
    /// [edge][edge], by z, then x: BARE and STAND
    float values[2][TRN_LAND_SQUARE_EDGE * TRN_LAND_SQUARE_EDGE];
    /// The same of FLOE; filled only where `has_floes`, since only the rim of sea ice needs it.
    float floes[TRN_LAND_SQUARE_EDGE * TRN_LAND_SQUARE_EDGE];
    bool has_floes;
    float floe_rim;
} LandNoises;

/// The surface at one voxel column.
typedef struct LandSurface {
    float height, slope, wide_slope;
    float above;       ///< height above the water near it, the sea's or a river's; negative below
    float patch;       ///< noise of every voxel
    float bare, stand; ///< TRN_COVER_NOISE_*
    float temperature, moisture, reach, entrance;
    bool is_boulder;
} LandSurface;

/// Least thickness of the rock above caves: more beneath water, negative where caves open. They
/// open in hillsides, where one can walk in; in flat ground they would be pits.
static float land_roof(const LandSurface *surface)
{
    const bool is_open = surface->entrance > 0.7f && surface->wide_slope > 0.38f;
    return trn_land_lerp(is_open ? -8.0f : 5.0f, 12.0f, trn_land_ramp(7.0f, 2.0f, surface->above));
}

/// Whether reeds and mud take the place of a beach.
static bool land_is_reedy(const LandSurface *surface)
{
    return surface->moisture > -0.02f && surface->temperature > -0.2f &&
           surface->stand + surface->patch * 0.3f > 0.06f;
}

// ---- noises -------------------------------------------------------------------------------------

#define LAND_COVER_NOISE_STREAM 64

TrnResult trn_land_cover_compile(TrnTerrain *terrain)
{
    static const struct {
        TrnNoiseKind kind;
        float wavelength;
        uint32_t octaves;
    } defs[TRN_COVER_NOISE_COUNT] = {
        [TRN_COVER_NOISE_BARE] = {TRN_NOISE_FRACTAL, 76, 3},
        [TRN_COVER_NOISE_STAND] = {TRN_NOISE_FRACTAL, 150, 3},
        [TRN_COVER_NOISE_FLOE] = {TRN_NOISE_CELL_BORDER, 13, 1},
    };
    TrnResult result = TRN_RESULT_OK;
    for (uint32_t i = 0; i < TRN_COVER_NOISE_COUNT && result == TRN_RESULT_OK; i++) {
        TrnNoiseDef def = trn_noise_def(defs[i].kind, 2);
        def.seed = terrain->seed;
        def.stream = LAND_COVER_NOISE_STREAM + i;
        def.octaves = defs[i].octaves;
        for (int axis = 0; axis < 3; axis++) {
            def.wavelength[axis] = defs[i].wavelength;
        }
        result = trn_noise_compile(&def, &terrain->cover_noises[i]);
    }
    return result;
}

/// Interpolates a noise from every fourth voxel to a square.
static void land_cover_interpolate(const float *points, uint32_t wide, uint32_t shift,
                                   const TrnLandSquare *square, float *out)
{
    const uint32_t mask = (1u << shift) - 1;
    const float part = 1.0f / (float)(1u << shift);
    for (uint32_t z = 0; z < square->edge; z++) {
        const float *near = points + (size_t)(z >> shift) * wide, *far = near + wide;
        const float weight = (float)(z & mask) * part;
        float row[TRN_LAND_SQUARE_EDGE] = {0};
        for (uint32_t x = 0; x < wide; x++) {
            row[x] = trn_land_lerp(near[x], far[x], weight);
        }
        for (uint32_t x = 0; x < square->edge; x++) {
            out[(size_t)z * square->edge + x] =
                trn_land_lerp(row[x >> shift], row[(x >> shift) + 1], (float)(x & mask) * part);
        }
    }
}

static void land_cover_fill_noise(const TrnNoise *noise, const TrnLandSquare *square,
                                  TrnVoxel first, float *out)
{
    if (square->level >= TRN_LAND_SHIFT) {
        const TrnNoiseGrid grid = {first, square->level, square->edge, 1, square->edge};
        (void)trn_noise_fill(noise, &grid, out);
        return;
    }
    const uint32_t shift = TRN_LAND_SHIFT - square->level, wide = (square->edge >> shift) + 1;
    float points[TRN_LAND_SQUARE_EDGE * TRN_LAND_SQUARE_EDGE];
    const TrnNoiseGrid grid = {first, TRN_LAND_SHIFT, wide, 1, wide};
    (void)trn_noise_fill(noise, &grid, points);
    land_cover_interpolate(points, wide, shift, square, out);
}

/// Whether some sample lies at the rim of sea ice. Floes are smaller than voxels of high levels.
static bool land_cover_has_floes(const TrnLandSquare *square, float rim)
{
    const float *frost = square->fields[TRN_LAND_FIELD_FROST];
    const float *heights = square->fields[TRN_LAND_FIELD_HEIGHT];
    bool has_floes = false;
    for (size_t i = 0; i < (size_t)square->edge * square->edge; i++) {
        has_floes |= frost[i] > 0.0f && frost[i] < rim && heights[i] < (float)TRN_TERRAIN_SEA_LEVEL;
    }
    return has_floes && square->level <= LAND_FLOE_LEVEL_MAX;
}

/// Fills the noises of covers.
/// @param first  voxel of the square's first sample
static void land_cover_fill_noises(const TrnTerrain *terrain, const TrnLandSquare *square,
                                   TrnVoxel first, LandNoises *noises)
{
    for (uint32_t i = 0; i < 2; i++) {
        land_cover_fill_noise(&terrain->cover_noises[i], square, first, noises->values[i]);
    }
    noises->floe_rim = land_floe_rim(terrain);
    noises->has_floes = land_cover_has_floes(square, noises->floe_rim);
    if (noises->has_floes) {
        const TrnNoiseGrid grid = {first, square->level, square->edge, 1, square->edge};
        (void)trn_noise_fill(&terrain->cover_noises[TRN_COVER_NOISE_FLOE], &grid, noises->floes);
    }
}

// ---- boulders -----------------------------------------------------------------------------------

/// Each square cell of this many voxels holds at most one boulder, which does not leave it.
#define LAND_BOULDER_CELL 16
#define LAND_BOULDER_RADIUS_MAX 3.6f

/// Boulders are lower than half a voxel of levels above this.
#define LAND_BOULDER_LEVEL_MAX 2

typedef struct LandBoulder {
    float x, z;         ///< from the square's first voxel
    float radius, rise; ///< voxels; height as a part of a ball's
} LandBoulder;

/// Finds the boulder of a cell. They gather where the ground is bare.
static bool land_boulder_in_cell(const TrnTerrain *terrain, int64_t cell_x, int64_t cell_z,
                                 TrnVoxel first, LandBoulder *boulder)
{
    const uint64_t hash = trn_land_hash(terrain->seed, cell_x, 4, cell_z);
    const int64_t room = LAND_BOULDER_CELL - 8;
    const TrnVoxel at = {cell_x * LAND_BOULDER_CELL + 4 + (int64_t)(hash % (uint64_t)room), 0,
                         cell_z * LAND_BOULDER_CELL + 4 + (int64_t)((hash >> 8) % (uint64_t)room)};
    const float draw = (float)(hash >> 16 & 0xFF) * (1.0f / 256.0f);
    if (draw > 0.4f) {
        return false;
    }
    const float bare = trn_noise_at(&terrain->cover_noises[TRN_COVER_NOISE_BARE], at);
    const float size = (float)(hash >> 24 & 0xFF) * (1.0f / 255.0f);
    *boulder = (LandBoulder){.x = (float)(at.x - first.x),
                             .z = (float)(at.z - first.z),
                             .radius = 1.2f + size * size * (LAND_BOULDER_RADIUS_MAX - 1.2f),
                             .rise = 0.7f + (float)(hash >> 32 & 0xFF) * (0.5f / 255.0f)};
    return draw < trn_land_ramp(0.12f, 0.45f, bare) * 0.4f + 0.012f;
}

/// Whether a boulder may stand on the ground of a sample.
static bool land_boulder_has_ground(const TrnLandSquare *square, size_t i)
{
    return square->fields[TRN_LAND_FIELD_HEIGHT][i] - square->waters[i] >= 2.0f &&
           square->fields[TRN_LAND_FIELD_WIDE_SLOPE][i] < 0.8f &&
           square->fields[TRN_LAND_FIELD_OVERHANG_REACH][i] == 0.0f;
}

static void land_boulder_raise(const TrnLandSquare *square, const LandBoulder *boulder,
                               uint8_t *marks)
{
    const float step = (float)(1u << square->level), edge = (float)square->edge - 1.0f;
    const float reach = boulder->radius;
    const float low_x = trn_land_clamp((boulder->x - reach) / step, 0.0f, edge);
    const float low_z = trn_land_clamp((boulder->z - reach) / step, 0.0f, edge);
    const float high_x = (boulder->x + reach) / step, high_z = (boulder->z + reach) / step;
    for (uint32_t z = (uint32_t)low_z; z < square->edge && (float)z <= high_z; z++) {
        for (uint32_t x = (uint32_t)low_x; x < square->edge && (float)x <= high_x; x++) {
            const float by_x = (float)x * step - boulder->x, by_z = (float)z * step - boulder->z;
            const float left = reach * reach - by_x * by_x - by_z * by_z;
            const size_t i = (size_t)z * square->edge + x;
            if (left > 0.0f && land_boulder_has_ground(square, i)) {
                square->fields[TRN_LAND_FIELD_HEIGHT][i] += sqrtf(left) * boulder->rise;
                marks[i] = 1;
            }
        }
    }
}

static int64_t land_boulder_cell(int64_t voxel)
{
    return voxel >= 0 ? voxel / LAND_BOULDER_CELL
                      : -((-voxel + LAND_BOULDER_CELL - 1) / LAND_BOULDER_CELL);
}

/// Raises boulders out of the ground of a square.
/// @param marks  [edge][edge] receives whether a boulder is there
static void land_raise_boulders(const TrnTerrain *terrain, const TrnLandSquare *square,
                                TrnVoxel first, uint8_t *marks)
{
    memset(marks, 0, (size_t)square->edge * square->edge);
    if (square->level > LAND_BOULDER_LEVEL_MAX) {
        return;
    }
    const int64_t across = (int64_t)(square->edge - 1) << square->level;
    for (int64_t z = land_boulder_cell(first.z); z <= land_boulder_cell(first.z + across); z++) {
        for (int64_t x = land_boulder_cell(first.x); x <= land_boulder_cell(first.x + across);
             x++) {
            LandBoulder boulder;
            if (land_boulder_in_cell(terrain, x, z, first, &boulder)) {
                land_boulder_raise(square, &boulder, marks);
            }
        }
    }
}

// ---- growth -------------------------------------------------------------------------------------

/// Whether the ground is exactly at the column's height: no overhang and no cave changes it.
static bool land_growth_has_ground(const LandSurface *surface)
{
    return surface->above >= 1.0f && surface->slope < 1.0f && surface->reach == 0.0f &&
           land_roof(surface) >= 2.0f;
}

/// The cover without regard to slopes, if things grow in it; otherwise stone.
static TrnCover land_growth_soil(const LandSurface *surface, TrnCover cover)
{
    static const uint8_t soils[TRN_COVER_COUNT] = {
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
    return land_growth_has_ground(surface) ? (TrnCover)soils[cover] : TRN_COVER_STONE;
}

// ---- trees --------------------------------------------------------------------------------------

typedef struct LandGrowthTree {
    TrnTreeKind kind;
    uint8_t chance; ///< in 256ths
} LandGrowthTree;

/// Forests change from spruce over oak to kapok as they get warmer, with glades between.
static LandGrowthTree land_growth_forest(const LandSurface *surface)
{
    const bool is_glade = surface->bare < -0.3f;
    const uint8_t dense = is_glade ? 20 : 170;
    if (surface->temperature < 0.0f) {
        return (LandGrowthTree){surface->stand > 0.08f ? TRN_TREE_PINE : TRN_TREE_SPRUCE, dense};
    }
    if (surface->temperature > 0.14f) {
        return (LandGrowthTree){surface->patch > 0.2f ? TRN_TREE_PALM : TRN_TREE_KAPOK,
                                is_glade ? 20 : 130};
    }
    return (LandGrowthTree){surface->stand > 0.1f ? TRN_TREE_ASPEN : TRN_TREE_OAK, dense};
}

static LandGrowthTree land_growth_of_biome(const LandSurface *surface, TrnTerrainBiome biome)
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
static uint8_t land_growth_tree(const LandSurface *surface, TrnTerrainBiome biome, TrnCover cover,
                                uint8_t *chance)
{
    const TrnCover soil = land_growth_soil(surface, cover);
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

/// The same of undergrowth.
static uint8_t land_growth_undergrowth(const LandSurface *surface, TrnTerrainBiome biome,
                                       TrnCover cover, uint8_t *chance)
{
    static const uint8_t chances[TRN_TERRAIN_BIOME_COUNT] = {
        [TRN_TERRAIN_BIOME_GRASSLAND] = 6, [TRN_TERRAIN_BIOME_FOREST] = 64,
        [TRN_TERRAIN_BIOME_SAVANNA] = 5,   [TRN_TERRAIN_BIOME_TUNDRA] = 5,
        [TRN_TERRAIN_BIOME_SNOW] = 2,      [TRN_TERRAIN_BIOME_SWAMP] = 40,
    };
    const TrnCover soil = land_growth_soil(surface, cover);
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
static LandGrowthPlant land_growth_flowers(const LandSurface *surface)
{
    static const TrnBlock kinds[] = {TRN_BLOCK_WHITE_FLOWER, TRN_BLOCK_RED_FLOWER, TRN_BLOCK_FLOWER,
                                     TRN_BLOCK_BLUE_FLOWER, TRN_BLOCK_WHITE_FLOWER};
    const int32_t kind = trn_land_floor(trn_land_clamp(surface->stand * 8.0f + 2.5f, 0.0f, 4.5f));
    return (LandGrowthPlant){kinds[kind], surface->patch > 0.24f ? 360 : 3};
}

/// Grass is high in some patches and short in others.
static LandGrowthPlant land_growth_grass(const LandSurface *surface, TrnBlock block,
                                         uint32_t chance)
{
    return (LandGrowthPlant){block, surface->patch < -0.12f ? chance * 3 : chance / 3};
}

/// The rare plants of a biome, then its common ones.
static void land_growth_plants(const LandSurface *surface, TrnTerrainBiome biome,
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
static TrnBlock land_growth_plant(const LandSurface *surface, TrnTerrainBiome biome, TrnCover cover,
                                  float plenty, uint64_t hash)
{
    const TrnCover soil = land_growth_soil(surface, cover);
    const bool is_sand = soil == TRN_COVER_SAND && biome != TRN_TERRAIN_BIOME_DESERT;
    if (soil == TRN_COVER_STONE || soil == TRN_COVER_SNOW || is_sand) {
        return TRN_BLOCK_AIR;
    }
    LandGrowthPlant plants[2] = {{TRN_BLOCK_AIR, 0}, {TRN_BLOCK_AIR, 0}};
    land_growth_plants(surface, biome, plants);
    if (surface->above < 2.2f && land_is_reedy(surface)) {
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

/// Reach of overhangs from which on land counts as a slope.
#define LAND_REACH_STEEP 1.0f

// ---- covers -------------------------------------------------------------------------------------

/// A square whose covers are chosen.
typedef struct LandGround {
    const TrnLandSquare *square;
    LandNoises noises;
    uint8_t boulders[TRN_LAND_SQUARE_EDGE * TRN_LAND_SQUARE_EDGE];
} LandGround;

static void land_begin_ground(const TrnTerrain *terrain, const TrnLandSquare *square,
                              TrnVoxel first, LandGround *ground)
{
    ground->square = square;
    land_cover_fill_noises(terrain, square, first, &ground->noises);
    land_raise_boulders(terrain, square, first, ground->boulders);
}

static LandSurface land_surface(const LandGround *ground, size_t i)
{
    float *const *fields = ground->square->fields;
    return (LandSurface){
        .height = fields[TRN_LAND_FIELD_HEIGHT][i],
        .above = fields[TRN_LAND_FIELD_HEIGHT][i] - ground->square->waters[i],
        .slope = fields[TRN_LAND_FIELD_SLOPE][i],
        .wide_slope = fields[TRN_LAND_FIELD_WIDE_SLOPE][i],
        .patch = ground->square->details[TRN_LAND_PATCH - TRN_LAND_LATTICE_COUNT][i],
        .bare = ground->noises.values[TRN_COVER_NOISE_BARE][i],
        .stand = ground->noises.values[TRN_COVER_NOISE_STAND][i],
        .temperature = fields[TRN_LAND_FIELD_TEMPERATURE][i],
        .moisture = fields[TRN_LAND_FIELD_MOISTURE][i],
        .reach = fields[TRN_LAND_FIELD_OVERHANG_REACH][i],
        .entrance = fields[TRN_LAND_FIELD_ENTRANCE][i],
        .is_boulder = ground->boulders[i] != 0,
    };
}

static TrnTerrainBiome land_biome(const LandSurface *surface)
{
    if (surface->above < 0.0f) {
        return TRN_TERRAIN_BIOME_SEA;
    }
    if (surface->temperature < -0.3f) {
        return TRN_TERRAIN_BIOME_SNOW;
    }
    if (surface->temperature < -0.17f) {
        return TRN_TERRAIN_BIOME_TUNDRA;
    }
    if (surface->temperature > 0.17f &&
        surface->moisture < -0.08f) { // savanna lies between it and grassland
        return TRN_TERRAIN_BIOME_DESERT;
    }
    if (surface->moisture > 0.22f && surface->temperature > -0.05f && surface->height < 5.0f) {
        return TRN_TERRAIN_BIOME_SWAMP;
    }
    if (surface->temperature > 0.1f && surface->moisture < 0.08f) {
        return TRN_TERRAIN_BIOME_SAVANNA;
    }
    return surface->moisture > 0.07f ? TRN_TERRAIN_BIOME_FOREST : TRN_TERRAIN_BIOME_GRASSLAND;
}

/// Cover of the sea bed.
static TrnCover land_cover_sea_bed(const LandSurface *surface)
{
    if (surface->wide_slope > 1.4f) {
        return TRN_COVER_STONE;
    }
    const bool is_shallow = surface->above > -3.0f;
    if (is_shallow && (surface->moisture > 0.22f || land_is_reedy(surface))) {
        return TRN_COVER_MUD;
    }
    if (surface->bare > 0.2f) {
        return TRN_COVER_GRAVEL;
    }
    return surface->above + 14.0f > surface->patch * 10.0f ? TRN_COVER_SAND : TRN_COVER_DIRT;
}

/// Whether the water near the ground is that of a river or a lake above the sea.
static bool land_is_fresh(const LandSurface *surface)
{
    return surface->height - surface->above > (float)TRN_TERRAIN_SEA_LEVEL + 0.5f;
}

/// Whether the ground is a beach. Moist, mild shores have reeds instead. Rivers and lakes have
/// beaches in places, and none in snow: sand all along them would look like the curbs of a canal.
static bool land_is_beach(const LandSurface *surface)
{
    const bool has_beaches =
        surface->bare + surface->patch * 0.3f > 0.16f && surface->temperature > -0.17f;
    if (land_is_fresh(surface) && !has_beaches) {
        return false;
    }
    return surface->above < 1.5f + surface->patch * 1.5f + surface->bare * 4.0f &&
           surface->wide_slope < 0.8f && !land_is_reedy(surface);
}

/// Whether snow lies. It lies lower in hollows and patches, and slides off slopes.
static bool land_is_snowy(const LandSurface *surface)
{
    const float slide = surface->wide_slope > 0.4f ? (surface->wide_slope - 0.4f) * 0.17f : 0.0f;
    return -0.29f - surface->temperature + surface->bare * 0.08f + surface->patch * 0.05f > slide;
}

/// The cover where neither rock nor snow nor water decides.
static TrnCover land_cover_of_biome(const LandSurface *surface, TrnTerrainBiome biome)
{
    switch (biome) {
    case TRN_TERRAIN_BIOME_FOREST:
        return TRN_COVER_FOREST;
    case TRN_TERRAIN_BIOME_DESERT:
        return surface->bare > 0.38f ? TRN_COVER_GRAVEL : TRN_COVER_SAND;
    case TRN_TERRAIN_BIOME_SAVANNA:
        return surface->bare > 0.34f && surface->wide_slope < 0.35f ? TRN_COVER_DIRT
                                                                    : TRN_COVER_DRY_GRASS;
    case TRN_TERRAIN_BIOME_TUNDRA:
    case TRN_TERRAIN_BIOME_SNOW: // where snow does not lie
        return surface->bare + surface->patch * 0.4f > 0.24f ? TRN_COVER_GRAVEL : TRN_COVER_MOSS;
    case TRN_TERRAIN_BIOME_SWAMP:
        return surface->patch > 0.02f ? TRN_COVER_FOREST : TRN_COVER_MUD;
    default:
        return TRN_COVER_GRASS;
    }
}

/// The same cover without another block below it, which would show in the steps of a slope.
static TrnCover land_cover_on_slope(TrnCover cover)
{
    static const uint8_t slopes[TRN_COVER_COUNT] = {
        [TRN_COVER_GRASS] = TRN_COVER_GRASS_SLOPE,
        [TRN_COVER_FOREST] = TRN_COVER_FOREST_SLOPE,
        [TRN_COVER_DRY_GRASS] = TRN_COVER_DRY_GRASS_SLOPE,
        [TRN_COVER_MOSS] = TRN_COVER_MOSS_SLOPE,
        [TRN_COVER_SNOW] = TRN_COVER_SNOW_SLOPE,
    };
    return slopes[cover] ? (TrnCover)slopes[cover] : cover;
}

/// Cover of land that is not rock.
static TrnCover land_cover_soft(const LandSurface *surface, TrnTerrainBiome biome, float steep)
{
    if (surface->temperature < -0.17f && land_is_snowy(surface)) {
        return TRN_COVER_SNOW;
    }
    const bool is_bare = surface->bare + surface->patch * 0.6f > 0.34f;
    const bool is_slope = surface->wide_slope > steep - 0.35f;
    if (is_bare && is_slope && biome != TRN_TERRAIN_BIOME_DESERT) {
        if (surface->height > 45.0f) {
            return TRN_COVER_GRAVEL; // a scree
        }
        if (surface->above < 12.0f && surface->bare > 0.34f) {
            return TRN_COVER_DIRT; // a bank
        }
    }
    return land_cover_of_biome(surface, biome);
}

/// Cover of the ground: sand on shores, rock where the wider land is steep, snow where it lies.
static TrnCover land_cover(const LandSurface *surface, TrnTerrainBiome biome)
{
    if (surface->is_boulder) {
        return TRN_COVER_STONE;
    }
    if (surface->above < (land_is_fresh(surface) ? 0.0f : 1.0f)) {
        return land_cover_sea_bed(surface);
    }
    if (biome != TRN_TERRAIN_BIOME_SWAMP && land_is_beach(surface)) {
        return surface->temperature < -0.15f || surface->bare < -0.35f ? TRN_COVER_GRAVEL
                                                                       : TRN_COVER_SAND;
    }
    const float steep = 1.25f + surface->bare * -0.7f + surface->patch * 0.3f -
                        trn_land_ramp(40.0f, 120.0f, surface->height) * 0.2f -
                        surface->reach * 0.004f;
    const bool is_ledge = surface->slope > steep + 0.9f; // of a terrace
    if (biome == TRN_TERRAIN_BIOME_DESERT && surface->wide_slope > steep - 0.4f) {
        return TRN_COVER_SANDSTONE; // sand would slide
    }
    if (surface->wide_slope > steep || is_ledge) {
        return biome == TRN_TERRAIN_BIOME_DESERT ? TRN_COVER_SANDSTONE : TRN_COVER_STONE;
    }
    const TrnCover cover = land_cover_soft(surface, biome, steep);
    // Overhangs, and beds and falls of rivers, make slopes steeper than the lattice tells.
    const bool is_slope = surface->slope > 0.55f || surface->height > 50.0f ||
                          surface->reach > LAND_REACH_STEEP || land_is_fresh(surface);
    return is_slope ? land_cover_on_slope(cover) : cover;
}

/// Whether the sea is frozen: whole far inside the ice, in floes at its rim.
static bool land_is_frozen(const LandGround *ground, size_t i)
{
    const float frost = ground->square->fields[TRN_LAND_FIELD_FROST][i];
    const float rim = ground->noises.floe_rim;
    if (frost <= 0.0f || frost >= rim) {
        return frost > 0.0f;
    }
    if (!ground->noises.has_floes) {
        return frost > rim * 0.5f;
    }
    const float open = 1.0f - frost / rim; // 0 at the whole ice
    return ground->noises.floes[i] > open * (0.5f + ground->noises.values[0][i]);
}

// ---- columns -----------------------------------------------------------------------------------

/// Writes one voxel column.
static void land_write_sample(const LandGround *ground, size_t from, TrnColumn *column, size_t to,
                              LandSurface *surface)
{
    *surface = land_surface(ground, from);
    const TrnTerrainBiome biome = land_biome(surface);
    column->heights[to] = surface->height;
    column->biomes[to] = (uint8_t)biome;
    column->covers[to] = (uint8_t)land_cover(surface, biome);
    column->roofs[to] = (int8_t)trn_land_floor(land_roof(surface));
    column->strata_shifts[to] = (int16_t)trn_land_floor(
        trn_land_clamp(ground->square->fields[TRN_LAND_FIELD_STRATA_SHIFT][from], -60, 60));
    const bool is_frozen = biome == TRN_TERRAIN_BIOME_SEA && land_is_frozen(ground, from);
    column->plants[to] = is_frozen ? TRN_BLOCK_ICE : TRN_BLOCK_AIR;
}

/// What may grow in a square.
typedef struct LandGrowth {
    uint8_t trees[TRN_LAND_SQUARE_EDGE * TRN_LAND_SQUARE_EDGE];
    uint8_t tree_chances[TRN_LAND_SQUARE_EDGE * TRN_LAND_SQUARE_EDGE];
    uint8_t undergrowth[TRN_LAND_SQUARE_EDGE * TRN_LAND_SQUARE_EDGE];
    uint8_t undergrowth_chances[TRN_LAND_SQUARE_EDGE * TRN_LAND_SQUARE_EDGE];
} LandGrowth;

static void land_grow_sample(const LandSurface *surface, TrnTerrainBiome biome, TrnCover cover,
                             size_t i, LandGrowth *growth)
{
    growth->tree_chances[i] = growth->undergrowth_chances[i] = 0;
    growth->trees[i] = land_growth_tree(surface, biome, cover, &growth->tree_chances[i]);
    growth->undergrowth[i] =
        land_growth_undergrowth(surface, biome, cover, &growth->undergrowth_chances[i]);
}

/// Writes one voxel column with its plant, and what may grow there.
static void land_grow_column_sample(const TrnTerrain *terrain, const LandGround *ground,
                                    size_t from, TrnColumn *column, size_t to, LandGrowth *growth)
{
    LandSurface surface;
    land_write_sample(ground, from, column, to, &surface);
    const TrnVoxel base = trn_coord_voxel(column->coord);
    const TrnTerrainBiome biome = (TrnTerrainBiome)column->biomes[to];
    const TrnCover cover = (TrnCover)column->covers[to];
    const uint64_t hash = trn_land_hash(terrain->seed, base.x + (int64_t)(to % TRN_CHUNK_EDGE), 1,
                                        base.z + (int64_t)(to / TRN_CHUNK_EDGE));
    const TrnBlock plant = land_growth_plant(&surface, biome, cover, terrain->shape.trees, hash);
    column->plants[to] = plant ? (uint8_t)plant : column->plants[to];
    land_grow_sample(&surface, biome, cover, from, growth);
}

/// Chooses what may grow at a voxel column of the border.
static void land_grow_border_sample(const LandGround *ground, size_t from, LandGrowth *growth)
{
    const LandSurface surface = land_surface(ground, from);
    const TrnTerrainBiome biome = land_biome(&surface);
    land_grow_sample(&surface, biome, land_cover(&surface, biome), from, growth);
}

static void land_place_trees(const TrnTerrain *terrain, const TrnLandSquare *square,
                             const LandGrowth *growth, TrnColumn *column)
{
    const float *heights = square->fields[TRN_LAND_FIELD_HEIGHT];
    const TrnTreeGround trees = {heights, growth->trees, growth->tree_chances, -TRN_TREE_REACH,
                                 TRN_LAND_SQUARE_EDGE};
    const TrnTreeGround undergrowth = {heights, growth->undergrowth, growth->undergrowth_chances,
                                       -TRN_TREE_REACH, TRN_LAND_SQUARE_EDGE};
    trn_trees_place(terrain, &trees, TRN_TREE_STREAM, column);
    trn_trees_place(terrain, &undergrowth, TRN_TREE_STREAM_UNDERGROWTH, column);
}

void trn_land_cover_fine(const TrnTerrain *terrain, const TrnLandSquare *square, TrnColumn *column)
{
    const TrnVoxel base = trn_coord_voxel(column->coord);
    const TrnVoxel first = {base.x - TRN_TREE_REACH, 0, base.z - TRN_TREE_REACH};
    LandGround ground;
    LandGrowth growth;
    land_begin_ground(terrain, square, first, &ground);
    for (int32_t z = 0; z < TRN_LAND_SQUARE_EDGE; z++) {
        for (int32_t x = 0; x < TRN_LAND_SQUARE_EDGE; x++) {
            const size_t from = (size_t)z * TRN_LAND_SQUARE_EDGE + (size_t)x;
            const int32_t local_x = x - TRN_TREE_REACH, local_z = z - TRN_TREE_REACH;
            if (((local_x | local_z) & ~(TRN_CHUNK_EDGE - 1)) == 0) {
                const size_t to = (size_t)local_z * TRN_CHUNK_EDGE + (size_t)local_x;
                land_grow_column_sample(terrain, &ground, from, column, to, &growth);
            } else {
                land_grow_border_sample(&ground, from, &growth);
            }
        }
    }
    land_place_trees(terrain, square, &growth, column);
}

/// From afar, trees are canopy covers. A sample looks at the tree that level 0 may grow in its
/// cell, so crowns stay where they are on the levels that are fine enough to show them.
static void land_cover_canopy(const TrnTerrain *terrain, const LandSurface *surface, TrnVoxel voxel,
                              TrnColumn *column, size_t i)
{
    uint8_t chance = 0;
    const uint8_t kind = land_growth_tree(surface, (TrnTerrainBiome)column->biomes[i],
                                          (TrnCover)column->covers[i], &chance);
    if (kind && trn_tree_crown_covers(terrain, voxel, (float)chance * terrain->shape.trees)) {
        column->covers[i] = (uint8_t)(TRN_COVER_CANOPY + kind - 1);
    }
}

void trn_land_cover_coarse(const TrnTerrain *terrain, const TrnLandSquare *square, TrnVoxel corner,
                           TrnColumn *column)
{
    LandGround ground;
    land_begin_ground(terrain, square, corner, &ground);
    for (size_t i = 0; i < TRN_LAYER_VOXELS; i++) {
        LandSurface surface;
        land_write_sample(&ground, i, column, i, &surface);
        const int64_t x = (int64_t)(i % TRN_CHUNK_EDGE), z = (int64_t)(i / TRN_CHUNK_EDGE);
        const TrnVoxel voxel = {corner.x + x * ((int64_t)1 << square->level), 0,
                                corner.z + z * ((int64_t)1 << square->level)};
        land_cover_canopy(terrain, &surface, voxel, column, i);
    }
}
