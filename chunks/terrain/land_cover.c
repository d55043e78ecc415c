// What covers the land: biomes and covers of a column. land_growth.c chooses what grows there.
// Covers follow the slope of the wider land and a noise of their own, not the slope of each step:
// earth that shows at every step makes zebra stripes.

#include <string.h>

#include "terrain/land_cover_impl.h"

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

/// Reach of overhangs from which on land counts as a slope.
#define LAND_REACH_STEEP 1.0f

// ---- covers -------------------------------------------------------------------------------------

/// A square whose covers are chosen.
typedef struct LandGround {
    const TrnLandSquare *square;
    TrnLandNoises noises;
    uint8_t boulders[TRN_LAND_SQUARE_EDGE * TRN_LAND_SQUARE_EDGE];
} LandGround;

static void land_begin_ground(const TrnTerrain *terrain, const TrnLandSquare *square,
                              TrnVoxel first, LandGround *ground)
{
    ground->square = square;
    trn_land_fill_cover_noises(terrain, square, first, &ground->noises);
    trn_land_raise_boulders(terrain, square, first, ground->boulders);
}

static TrnLandSurface land_surface(const LandGround *ground, size_t i)
{
    float *const *fields = ground->square->fields;
    return (TrnLandSurface){
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

static TrnTerrainBiome land_biome(const TrnLandSurface *surface)
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
static TrnCover land_cover_sea_bed(const TrnLandSurface *surface)
{
    if (surface->wide_slope > 1.4f) {
        return TRN_COVER_STONE;
    }
    const bool is_shallow = surface->above > -3.0f;
    if (is_shallow && (surface->moisture > 0.22f || trn_land_is_reedy(surface))) {
        return TRN_COVER_MUD;
    }
    if (surface->bare > 0.2f) {
        return TRN_COVER_GRAVEL;
    }
    return surface->above + 14.0f > surface->patch * 10.0f ? TRN_COVER_SAND : TRN_COVER_DIRT;
}

/// Whether the water near the ground is that of a river or a lake above the sea.
static bool land_is_fresh(const TrnLandSurface *surface)
{
    return surface->height - surface->above > (float)TRN_TERRAIN_SEA_LEVEL + 0.5f;
}

/// Whether the ground is a beach. Moist, mild shores have reeds instead. Rivers and lakes have
/// beaches in places, and none in snow: sand all along them would look like the curbs of a canal.
static bool land_is_beach(const TrnLandSurface *surface)
{
    const bool has_beaches =
        surface->bare + surface->patch * 0.3f > 0.16f && surface->temperature > -0.17f;
    if (land_is_fresh(surface) && !has_beaches) {
        return false;
    }
    return surface->above < 1.5f + surface->patch * 1.5f + surface->bare * 4.0f &&
           surface->wide_slope < 0.8f && !trn_land_is_reedy(surface);
}

/// Whether snow lies. It lies lower in hollows and patches, and slides off slopes.
static bool land_is_snowy(const TrnLandSurface *surface)
{
    const float slide = surface->wide_slope > 0.4f ? (surface->wide_slope - 0.4f) * 0.17f : 0.0f;
    return -0.29f - surface->temperature + surface->bare * 0.08f + surface->patch * 0.05f > slide;
}

/// The cover where neither rock nor snow nor water decides.
static TrnCover land_cover_of_biome(const TrnLandSurface *surface, TrnTerrainBiome biome)
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
    switch (cover) {
    case TRN_COVER_GRASS:
        return TRN_COVER_GRASS_SLOPE;
    case TRN_COVER_FOREST:
        return TRN_COVER_FOREST_SLOPE;
    case TRN_COVER_DRY_GRASS:
        return TRN_COVER_DRY_GRASS_SLOPE;
    case TRN_COVER_MOSS:
        return TRN_COVER_MOSS_SLOPE;
    case TRN_COVER_SNOW:
        return TRN_COVER_SNOW_SLOPE;
    default:
        return cover;
    }
}

/// Cover of land that is not rock.
static TrnCover land_cover_soft(const TrnLandSurface *surface, TrnTerrainBiome biome, float steep)
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
static TrnCover land_cover(const TrnLandSurface *surface, TrnTerrainBiome biome)
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
                              TrnLandSurface *surface)
{
    *surface = land_surface(ground, from);
    const TrnTerrainBiome biome = land_biome(surface);
    column->heights[to] = surface->height;
    column->biomes[to] = (uint8_t)biome;
    column->covers[to] = (uint8_t)land_cover(surface, biome);
    column->roofs[to] = (int8_t)trn_land_floor(trn_land_roof(surface));
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

static void land_grow_sample(const TrnLandSurface *surface, TrnTerrainBiome biome, TrnCover cover,
                             size_t i, LandGrowth *growth)
{
    growth->tree_chances[i] = growth->undergrowth_chances[i] = 0;
    growth->trees[i] = trn_land_tree(surface, biome, cover, &growth->tree_chances[i]);
    growth->undergrowth[i] =
        trn_land_undergrowth(surface, biome, cover, &growth->undergrowth_chances[i]);
}

/// Writes one voxel column with its plant, and what may grow there.
static void land_grow_column_sample(const TrnTerrain *terrain, const LandGround *ground,
                                    size_t from, TrnColumn *column, size_t to, LandGrowth *growth)
{
    TrnLandSurface surface;
    land_write_sample(ground, from, column, to, &surface);
    const TrnVoxel base = trn_coord_voxel(column->coord);
    const TrnTerrainBiome biome = (TrnTerrainBiome)column->biomes[to];
    const TrnCover cover = (TrnCover)column->covers[to];
    const uint64_t hash = trn_land_hash(terrain->seed, base.x + (int64_t)(to % TRN_CHUNK_EDGE), 1,
                                        base.z + (int64_t)(to / TRN_CHUNK_EDGE));
    const TrnBlock plant = trn_land_plant(&surface, biome, cover, terrain->shape.trees, hash);
    column->plants[to] = plant ? (uint8_t)plant : column->plants[to];
    land_grow_sample(&surface, biome, cover, from, growth);
}

/// Chooses what may grow at a voxel column of the border.
static void land_grow_border_sample(const LandGround *ground, size_t from, LandGrowth *growth)
{
    const TrnLandSurface surface = land_surface(ground, from);
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
    if (terrain->version == 3) {
        trn_land_cover_3_fine(terrain, square, column);
        return;
    }
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
static void land_cover_canopy(const TrnTerrain *terrain, const TrnLandSurface *surface,
                              TrnVoxel voxel, TrnColumn *column, size_t i)
{
    uint8_t chance = 0;
    const uint8_t kind = trn_land_tree(surface, (TrnTerrainBiome)column->biomes[i],
                                       (TrnCover)column->covers[i], &chance);
    if (kind && trn_tree_crown_covers(terrain, voxel, (float)chance * terrain->shape.trees)) {
        column->covers[i] = (uint8_t)(TRN_COVER_CANOPY + kind - 1);
    }
}

void trn_land_cover_coarse(const TrnTerrain *terrain, const TrnLandSquare *square, TrnVoxel corner,
                           TrnColumn *column)
{
    if (terrain->version == 3) {
        trn_land_cover_3_coarse(terrain, square, corner, column);
        return;
    }
    LandGround ground;
    land_begin_ground(terrain, square, corner, &ground);
    for (size_t i = 0; i < TRN_LAYER_VOXELS; i++) {
        TrnLandSurface surface;
        land_write_sample(&ground, i, column, i, &surface);
        const int64_t x = (int64_t)(i % TRN_CHUNK_EDGE), z = (int64_t)(i / TRN_CHUNK_EDGE);
        const TrnVoxel voxel = {corner.x + x * ((int64_t)1 << square->level), 0,
                                corner.z + z * ((int64_t)1 << square->level)};
        land_cover_canopy(terrain, &surface, voxel, column, i);
    }
}
