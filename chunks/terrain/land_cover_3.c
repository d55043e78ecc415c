// What covers and grows on land of version 3: frozen, since worlds of it exist.

#include <string.h>

#include "terrain/land_cover_impl.h"

// ---- covers -------------------------------------------------------------------------------------

/// The surface at one voxel column.
typedef struct Land3Surface {
    float height, slope, patch, temperature, moisture, reach, entrance;
} Land3Surface;

static Land3Surface land_3_surface(const TrnLandSquare *square, size_t i)
{
    const Land3Surface surface = {square->fields[TRN_LAND_FIELD_HEIGHT][i],
                                  square->fields[TRN_LAND_FIELD_SLOPE][i],
                                  square->details[TRN_LAND_PATCH - TRN_LAND_LATTICE_COUNT][i],
                                  square->fields[TRN_LAND_FIELD_TEMPERATURE][i],
                                  square->fields[TRN_LAND_FIELD_MOISTURE][i],
                                  square->fields[TRN_LAND_FIELD_OVERHANG_REACH][i],
                                  square->fields[TRN_LAND_FIELD_ENTRANCE][i]};
    return surface;
}

static TrnTerrainBiome land_3_biome(const Land3Surface *surface)
{
    if (surface->height < TRN_TERRAIN_SEA_LEVEL) {
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

/// Cover of the sea bed and the shoreline.
static TrnCover land_3_cover_sea_bed(const Land3Surface *surface)
{
    if (surface->slope > 1.3f) {
        return TRN_COVER_STONE;
    }
    if (surface->moisture > 0.22f && surface->height > -3.0f) {
        return TRN_COVER_MUD;
    }
    if (surface->height + 9.0f > surface->patch * 6.0f) {
        return TRN_COVER_SAND;
    }
    return surface->patch > 0.1f ? TRN_COVER_GRAVEL : TRN_COVER_DIRT;
}

static TrnCover land_3_cover_of_biome(const Land3Surface *surface, TrnTerrainBiome biome)
{
    static const TrnCover covers[TRN_TERRAIN_BIOME_COUNT] = {
        [TRN_TERRAIN_BIOME_SEA] = TRN_COVER_SAND,
        [TRN_TERRAIN_BIOME_GRASSLAND] = TRN_COVER_GRASS,
        [TRN_TERRAIN_BIOME_FOREST] = TRN_COVER_FOREST,
        [TRN_TERRAIN_BIOME_DESERT] = TRN_COVER_SAND,
        [TRN_TERRAIN_BIOME_SAVANNA] = TRN_COVER_DRY_GRASS,
        [TRN_TERRAIN_BIOME_TUNDRA] = TRN_COVER_MOSS,
        [TRN_TERRAIN_BIOME_SNOW] = TRN_COVER_SNOW,
        [TRN_TERRAIN_BIOME_SWAMP] = TRN_COVER_MUD,
    };
    if (biome == TRN_TERRAIN_BIOME_SWAMP && surface->patch > 0.02f) {
        return TRN_COVER_FOREST;
    }
    return covers[biome];
}

/// Cover of the ground: sand on shores, snow where it is cold, stone where it is steep.
static TrnCover land_3_cover(const Land3Surface *surface, TrnTerrainBiome biome)
{
    if (surface->height < TRN_TERRAIN_SEA_LEVEL + 1.0f) {
        return land_3_cover_sea_bed(surface);
    }
    const bool is_swamp = biome == TRN_TERRAIN_BIOME_SWAMP;
    if (!is_swamp && surface->height < 1.9f + surface->patch * 3.0f && surface->slope < 0.8f) {
        return surface->patch < -0.3f ? TRN_COVER_GRAVEL : TRN_COVER_SAND;
    }
    const float steep = 1.05f + surface->patch * 0.6f -
                        trn_land_ramp(40.0f, 120.0f, surface->height) * 0.2f -
                        surface->reach * 0.004f;
    if (biome == TRN_TERRAIN_BIOME_SNOW) {
        const float hold = steep + 0.25f + (-0.3f - surface->temperature) * 2.0f;
        return surface->slope < hold ? TRN_COVER_SNOW : TRN_COVER_STONE;
    }
    if (surface->slope > steep) {
        return biome == TRN_TERRAIN_BIOME_DESERT ? TRN_COVER_SANDSTONE : TRN_COVER_STONE;
    }
    if (surface->slope > steep - 0.1f) {
        return biome == TRN_TERRAIN_BIOME_DESERT ? TRN_COVER_SANDSTONE : TRN_COVER_DIRT;
    }
    if (biome == TRN_TERRAIN_BIOME_TUNDRA && surface->patch < -0.25f) {
        return TRN_COVER_GRAVEL;
    }
    return land_3_cover_of_biome(surface, biome);
}

/// Least thickness of the rock above caves: more beneath water, negative where caves open.
static float land_3_roof(const Land3Surface *surface)
{
    float roof = 5.0f - 11.0f * surface->entrance;
    roof = roof < 3.0f ? -8.0f : roof; // thinner roofs leave single voxels floating
    return trn_land_lerp(roof, 12.0f, trn_land_ramp(7.0f, 2.0f, surface->height));
}

// ---- plants and trees --------------------------------------------------------------------------

/// Whether the ground is exactly at the column's height: no overhang and no cave changes it.
static bool land_3_is_undisturbed(const Land3Surface *surface)
{
    return surface->height >= 1.0f && surface->slope < 1.0f && surface->reach == 0.0f &&
           land_3_roof(surface) >= 2.0f;
}

/// Chooses the kind of tree that may grow at a voxel column.
/// @param chance  receives its probability in 256ths, given that a tree's cell selects this
///                position
/// @return TrnTreeKind + 1, or 0 for none
static uint8_t land_3_tree_candidate(const Land3Surface *surface, TrnTerrainBiome biome,
                                     TrnCover cover, uint8_t *chance)
{
    if (!land_3_is_undisturbed(surface) || cover == TRN_COVER_STONE ||
        cover == TRN_COVER_SANDSTONE || cover == TRN_COVER_GRAVEL) {
        return 0;
    }
    if (cover == TRN_COVER_SAND && biome != TRN_TERRAIN_BIOME_DESERT) {
        return 0; // beaches have none
    }
    static const uint8_t chances[TRN_TERRAIN_BIOME_COUNT] = {
        [TRN_TERRAIN_BIOME_GRASSLAND] = 9, [TRN_TERRAIN_BIOME_FOREST] = 200,
        [TRN_TERRAIN_BIOME_DESERT] = 7,    [TRN_TERRAIN_BIOME_SAVANNA] = 16,
        [TRN_TERRAIN_BIOME_TUNDRA] = 24,   [TRN_TERRAIN_BIOME_SNOW] = 10,
        [TRN_TERRAIN_BIOME_SWAMP] = 70,
    };
    static const uint8_t kinds[TRN_TERRAIN_BIOME_COUNT] = {
        [TRN_TERRAIN_BIOME_GRASSLAND] = TRN_TREE_OAK, [TRN_TERRAIN_BIOME_FOREST] = TRN_TREE_OAK,
        [TRN_TERRAIN_BIOME_DESERT] = TRN_TREE_CACTUS, [TRN_TERRAIN_BIOME_SAVANNA] = TRN_TREE_ACACIA,
        [TRN_TERRAIN_BIOME_TUNDRA] = TRN_TREE_PINE,   [TRN_TERRAIN_BIOME_SNOW] = TRN_TREE_PINE,
        [TRN_TERRAIN_BIOME_SWAMP] = TRN_TREE_OAK,
    };
    *chance = chances[biome];
    if (biome == TRN_TERRAIN_BIOME_FOREST && surface->temperature < 0.0f) {
        return TRN_TREE_PINE + 1;
    }
    return (uint8_t)(kinds[biome] + 1);
}

/// Chooses the plant on the ground, or air.
/// @param hash  of the voxel column
static TrnBlock land_3_plant(const Land3Surface *surface, TrnTerrainBiome biome, TrnCover cover,
                             float plenty, uint64_t hash)
{
    static const struct {
        TrnCover cover;
        TrnBlock common, rare;
        uint32_t common_chance, rare_chance; ///< in 1024ths
    } plants[TRN_TERRAIN_BIOME_COUNT] = {
        [TRN_TERRAIN_BIOME_GRASSLAND] = {TRN_COVER_GRASS, TRN_BLOCK_TALL_GRASS, TRN_BLOCK_FLOWER,
                                         130, 14},
        [TRN_TERRAIN_BIOME_FOREST] = {TRN_COVER_FOREST, TRN_BLOCK_TALL_GRASS, TRN_BLOCK_FLOWER, 50,
                                      8},
        [TRN_TERRAIN_BIOME_DESERT] = {TRN_COVER_SAND, TRN_BLOCK_DEAD_BUSH, TRN_BLOCK_DEAD_BUSH, 4,
                                      0},
        [TRN_TERRAIN_BIOME_SAVANNA] = {TRN_COVER_DRY_GRASS, TRN_BLOCK_TALL_GRASS,
                                       TRN_BLOCK_DEAD_BUSH, 110, 6},
        [TRN_TERRAIN_BIOME_TUNDRA] = {TRN_COVER_MOSS, TRN_BLOCK_TALL_GRASS, TRN_BLOCK_DEAD_BUSH, 16,
                                      4},
        [TRN_TERRAIN_BIOME_SWAMP] = {TRN_COVER_MUD, TRN_BLOCK_REEDS, TRN_BLOCK_TALL_GRASS, 120, 30},
    };
    if (cover != plants[biome].cover || cover == TRN_COVER_STONE ||
        !land_3_is_undisturbed(surface)) {
        return TRN_BLOCK_AIR;
    }
    const float draw = (float)(hash >> 54); // 0..1023
    const float rare = (float)plants[biome].rare_chance * plenty;
    if (draw < rare) {
        return plants[biome].rare;
    }
    return draw < rare + (float)plants[biome].common_chance * plenty ? plants[biome].common
                                                                     : TRN_BLOCK_AIR;
}

// ---- columns -----------------------------------------------------------------------------------

/// Writes one voxel column.
static void land_3_write_sample(const TrnLandSquare *square, size_t from, TrnColumn *column,
                                size_t to, Land3Surface *surface)
{
    *surface = land_3_surface(square, from);
    const TrnTerrainBiome biome = land_3_biome(surface);
    column->heights[to] = surface->height;
    column->biomes[to] = (uint8_t)biome;
    column->covers[to] = (uint8_t)land_3_cover(surface, biome);
    column->roofs[to] = (int8_t)trn_land_floor(land_3_roof(surface));
    column->strata_shifts[to] = (int16_t)trn_land_floor(
        trn_land_clamp(square->fields[TRN_LAND_FIELD_STRATA_SHIFT][from], -60, 60));
    const bool is_frozen =
        biome == TRN_TERRAIN_BIOME_SEA && square->fields[TRN_LAND_FIELD_FROST][from] > 0.0f;
    column->plants[to] = is_frozen ? TRN_BLOCK_ICE : TRN_BLOCK_AIR;
}

/// Trees that may grow in a square.
typedef struct Land3Growth {
    uint8_t candidates[TRN_LAND_SQUARE_EDGE * TRN_LAND_SQUARE_EDGE];
    uint8_t chances[TRN_LAND_SQUARE_EDGE * TRN_LAND_SQUARE_EDGE];
} Land3Growth;

/// Writes one voxel column with its plant, and the tree that may grow there.
static void land_3_grow_column_sample(const TrnTerrain *terrain, const TrnLandSquare *square,
                                      size_t from, TrnColumn *column, size_t to,
                                      Land3Growth *growth)
{
    Land3Surface surface;
    land_3_write_sample(square, from, column, to, &surface);
    const TrnVoxel base = trn_coord_voxel(column->coord);
    const TrnTerrainBiome biome = (TrnTerrainBiome)column->biomes[to];
    const TrnCover cover = (TrnCover)column->covers[to];
    const uint64_t hash = trn_land_hash(terrain->seed, base.x + (int64_t)(to % TRN_CHUNK_EDGE), 1,
                                        base.z + (int64_t)(to / TRN_CHUNK_EDGE));
    const TrnBlock plant = land_3_plant(&surface, biome, cover, terrain->shape.trees, hash);
    column->plants[to] = plant ? (uint8_t)plant : column->plants[to];
    growth->candidates[from] =
        land_3_tree_candidate(&surface, biome, cover, &growth->chances[from]);
}

/// Writes the tree that may grow at a voxel column of the border.
static void land_3_grow_border_sample(const TrnLandSquare *square, size_t from, Land3Growth *growth)
{
    const Land3Surface surface = land_3_surface(square, from);
    const TrnTerrainBiome biome = land_3_biome(&surface);
    growth->candidates[from] = land_3_tree_candidate(&surface, biome, land_3_cover(&surface, biome),
                                                     &growth->chances[from]);
}

void trn_land_cover_3_fine(const TrnTerrain *terrain, const TrnLandSquare *square,
                           TrnColumn *column)
{
    Land3Growth growth;
    memset(growth.chances, 0, sizeof growth.chances);
    for (int32_t z = 0; z < TRN_LAND_SQUARE_EDGE; z++) {
        for (int32_t x = 0; x < TRN_LAND_SQUARE_EDGE; x++) {
            const size_t from = (size_t)z * TRN_LAND_SQUARE_EDGE + (size_t)x;
            const int32_t local_x = x - TRN_TREE_REACH, local_z = z - TRN_TREE_REACH;
            if (((local_x | local_z) & ~(TRN_CHUNK_EDGE - 1)) == 0) {
                const size_t to = (size_t)local_z * TRN_CHUNK_EDGE + (size_t)local_x;
                land_3_grow_column_sample(terrain, square, from, column, to, &growth);
            } else {
                land_3_grow_border_sample(square, from, &growth);
            }
        }
    }
    const TrnTreeGround ground = {square->fields[TRN_LAND_FIELD_HEIGHT], growth.candidates,
                                  growth.chances, -TRN_TREE_REACH, TRN_LAND_SQUARE_EDGE};
    trn_trees_place(terrain, &ground, TRN_TREE_STREAM, column);
}

/// From afar, trees are canopy covers. A sample looks at the tree that level 0 may grow in its
/// cell, so crowns stay where they are on the levels that are fine enough to show them.
static void land_3_cover_canopy(const TrnTerrain *terrain, const Land3Surface *surface,
                                TrnVoxel voxel, TrnColumn *column, size_t i)
{
    uint8_t chance = 0;
    const uint8_t kind = land_3_tree_candidate(surface, (TrnTerrainBiome)column->biomes[i],
                                               (TrnCover)column->covers[i], &chance);
    if (kind && trn_tree_crown_covers(terrain, voxel, (float)chance * terrain->shape.trees)) {
        column->covers[i] = (uint8_t)(TRN_COVER_CANOPY + kind - 1);
    }
}

void trn_land_cover_3_coarse(const TrnTerrain *terrain, const TrnLandSquare *square,
                             TrnVoxel corner, TrnColumn *column)
{
    for (size_t i = 0; i < TRN_LAYER_VOXELS; i++) {
        Land3Surface surface;
        land_3_write_sample(square, i, column, i, &surface);
        const int64_t x = (int64_t)(i % TRN_CHUNK_EDGE), z = (int64_t)(i / TRN_CHUNK_EDGE);
        const TrnVoxel voxel = {corner.x + x * ((int64_t)1 << square->level), 0,
                                corner.z + z * ((int64_t)1 << square->level)};
        land_3_cover_canopy(terrain, &surface, voxel, column, i);
    }
}
