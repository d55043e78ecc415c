// What grows on the land: trees in stands of one kind, undergrowth, and plants in drifts.

#include "terrain/land_cover_impl.h"

/// Whether the ground is exactly at the column's height: no overhang and no cave changes it.
static bool growth_has_ground(const TrnLandSurface *surface)
{
    return surface->above >= 1.0f && surface->slope < 1.0f && surface->reach == 0.0f &&
           trn_land_roof(surface) >= 2.0f;
}

/// The cover without regard to slopes, if things grow in it; otherwise stone.
static TrnCover growth_soil(const TrnLandSurface *surface, TrnCover cover)
{
    if (!growth_has_ground(surface)) {
        return TRN_COVER_STONE;
    }
    switch (cover) {
    case TRN_COVER_GRASS_SLOPE:
        return TRN_COVER_GRASS;
    case TRN_COVER_FOREST_SLOPE:
        return TRN_COVER_FOREST;
    case TRN_COVER_DRY_GRASS_SLOPE:
        return TRN_COVER_DRY_GRASS;
    case TRN_COVER_MOSS_SLOPE:
        return TRN_COVER_MOSS;
    case TRN_COVER_SNOW_SLOPE:
        return TRN_COVER_SNOW;
    case TRN_COVER_SANDSTONE:
    case TRN_COVER_GRAVEL:
    case TRN_COVER_DIRT:
        return TRN_COVER_STONE;
    default:
        return cover;
    }
}

// ---- trees --------------------------------------------------------------------------------------

typedef struct GrowthTree {
    TrnTreeKind kind;
    uint8_t chance; ///< in 256ths
} GrowthTree;

/// Forests change from spruce over oak to kapok as they get warmer, with glades between.
static GrowthTree growth_forest(const TrnLandSurface *surface)
{
    const bool is_glade = surface->bare < -0.3f;
    const uint8_t dense = is_glade ? 20 : 170;
    if (surface->temperature < 0.0f) {
        return (GrowthTree){surface->stand > 0.08f ? TRN_TREE_PINE : TRN_TREE_SPRUCE, dense};
    }
    if (surface->temperature > 0.14f) {
        return (GrowthTree){surface->patch > 0.2f ? TRN_TREE_PALM : TRN_TREE_KAPOK,
                            is_glade ? 20 : 130};
    }
    return (GrowthTree){surface->stand > 0.1f ? TRN_TREE_ASPEN : TRN_TREE_OAK, dense};
}

static GrowthTree growth_of_biome(const TrnLandSurface *surface, TrnTerrainBiome biome)
{
    const bool is_grove = surface->stand > 0.2f;
    switch (biome) {
    case TRN_TERRAIN_BIOME_FOREST:
        return growth_forest(surface);
    case TRN_TERRAIN_BIOME_GRASSLAND:
        return (GrowthTree){surface->temperature < 0.03f ? TRN_TREE_ASPEN : TRN_TREE_OAK,
                            is_grove ? 46 : 3};
    case TRN_TERRAIN_BIOME_DESERT: // palms near water
        return surface->above < 5.0f ? (GrowthTree){TRN_TREE_PALM, 10}
                                     : (GrowthTree){TRN_TREE_CACTUS, 7};
    case TRN_TERRAIN_BIOME_SAVANNA:
        return (GrowthTree){TRN_TREE_ACACIA, is_grove ? 34 : 9};
    case TRN_TERRAIN_BIOME_TUNDRA:
        return (GrowthTree){surface->bare > 0.1f ? TRN_TREE_PINE : TRN_TREE_SPRUCE,
                            is_grove ? 60 : 8};
    case TRN_TERRAIN_BIOME_SNOW:
        return (GrowthTree){TRN_TREE_SPRUCE, is_grove ? 34 : 5};
    case TRN_TERRAIN_BIOME_SWAMP:
        return (GrowthTree){surface->patch > 0.25f ? TRN_TREE_OAK : TRN_TREE_WILLOW, 66};
    default:
        return (GrowthTree){TRN_TREE_OAK, 0};
    }
}

uint8_t trn_land_tree(const TrnLandSurface *surface, TrnTerrainBiome biome, TrnCover cover,
                      uint8_t *chance)
{
    const TrnCover soil = growth_soil(surface, cover);
    if (soil == TRN_COVER_STONE) {
        return 0;
    }
    GrowthTree tree = growth_of_biome(surface, biome);
    if (soil == TRN_COVER_SAND && biome != TRN_TERRAIN_BIOME_DESERT) { // a beach
        tree = (GrowthTree){TRN_TREE_PALM, surface->temperature > 0.1f ? 18 : 0};
    }
    *chance = tree.chance;
    return tree.chance ? (uint8_t)(tree.kind + 1) : 0;
}

uint8_t trn_land_undergrowth(const TrnLandSurface *surface, TrnTerrainBiome biome, TrnCover cover,
                             uint8_t *chance)
{
    static const uint8_t chances[TRN_TERRAIN_BIOME_COUNT] = {
        [TRN_TERRAIN_BIOME_GRASSLAND] = 6, [TRN_TERRAIN_BIOME_FOREST] = 64,
        [TRN_TERRAIN_BIOME_SAVANNA] = 5,   [TRN_TERRAIN_BIOME_TUNDRA] = 5,
        [TRN_TERRAIN_BIOME_SNOW] = 2,      [TRN_TERRAIN_BIOME_SWAMP] = 40,
    };
    const TrnCover soil = growth_soil(surface, cover);
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
typedef struct GrowthPlant {
    TrnBlock block;
    uint32_t chance;
} GrowthPlant;

/// Flowers stand in drifts of one kind.
static GrowthPlant growth_flowers(const TrnLandSurface *surface)
{
    static const TrnBlock kinds[] = {TRN_BLOCK_WHITE_FLOWER, TRN_BLOCK_RED_FLOWER, TRN_BLOCK_FLOWER,
                                     TRN_BLOCK_BLUE_FLOWER, TRN_BLOCK_WHITE_FLOWER};
    const int32_t kind = trn_land_floor(trn_land_clamp(surface->stand * 8.0f + 2.5f, 0.0f, 4.5f));
    return (GrowthPlant){kinds[kind], surface->patch > 0.24f ? 360 : 3};
}

/// Grass is high in some patches and short in others.
static GrowthPlant growth_grass(const TrnLandSurface *surface, TrnBlock block, uint32_t chance)
{
    return (GrowthPlant){block, surface->patch < -0.12f ? chance * 3 : chance / 3};
}

/// The rare plants of a biome, then its common ones.
static void growth_plants(const TrnLandSurface *surface, TrnTerrainBiome biome,
                          GrowthPlant plants[2])
{
    switch (biome) {
    case TRN_TERRAIN_BIOME_GRASSLAND:
        plants[0] = growth_flowers(surface);
        plants[1] = growth_grass(surface, TRN_BLOCK_TALL_GRASS, 130);
        break;
    case TRN_TERRAIN_BIOME_FOREST:
        plants[0] = growth_grass(surface, TRN_BLOCK_FERN, 90);
        plants[1] = (GrowthPlant){TRN_BLOCK_TALL_GRASS, surface->bare < -0.3f ? 160 : 30};
        break;
    case TRN_TERRAIN_BIOME_DESERT:
        plants[0] = (GrowthPlant){TRN_BLOCK_DEAD_BUSH, 4};
        break;
    case TRN_TERRAIN_BIOME_SAVANNA:
        plants[0] = (GrowthPlant){TRN_BLOCK_DEAD_BUSH, 6};
        plants[1] = growth_grass(surface, TRN_BLOCK_TALL_GRASS, 130);
        break;
    case TRN_TERRAIN_BIOME_TUNDRA:
        plants[0] = (GrowthPlant){TRN_BLOCK_DEAD_BUSH, 4};
        plants[1] = growth_grass(surface, TRN_BLOCK_TALL_GRASS, 30);
        break;
    case TRN_TERRAIN_BIOME_SWAMP:
        plants[0] = (GrowthPlant){TRN_BLOCK_REEDS, surface->above < 2.5f ? 200 : 40};
        plants[1] = growth_grass(surface, TRN_BLOCK_FERN, 50);
        break;
    default:
        break;
    }
}

TrnBlock trn_land_plant(const TrnLandSurface *surface, TrnTerrainBiome biome, TrnCover cover,
                        float plenty, uint64_t hash)
{
    const TrnCover soil = growth_soil(surface, cover);
    const bool is_sand = soil == TRN_COVER_SAND && biome != TRN_TERRAIN_BIOME_DESERT;
    if (soil == TRN_COVER_STONE || soil == TRN_COVER_SNOW || is_sand) {
        return TRN_BLOCK_AIR;
    }
    GrowthPlant plants[2] = {{TRN_BLOCK_AIR, 0}, {TRN_BLOCK_AIR, 0}};
    growth_plants(surface, biome, plants);
    if (surface->above < 2.2f && trn_land_is_reedy(surface)) {
        plants[0] = (GrowthPlant){TRN_BLOCK_REEDS, 420};
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
