// The terrain: its def, its life time, and its public functions.

#include <terrane/terrain.h>

#include <stdalign.h>

#include "base/memory.h"
#include "base/zone.h"
#include "terrain/coarse.h"
#include "terrain/column_cache.h"
#include "terrain/generator_impl.h"
#include "terrain/rivers_impl.h"
#include "terrain/shape_impl.h"
#include "terrain/square_cache.h"
#include "terrain/terrain_impl.h"
#include "terrain/volume.h"

#define TERRAIN_DEFAULT_SEED 13
#define TERRAIN_DEFAULT_COLUMNS 2048

// ---- defs ---------------------------------------------------------------------------------------

TrnTerrainDef trn_terrain_def(void)
{
    const TrnTerrainDef def = {.seed = TERRAIN_DEFAULT_SEED,
                               .version = TRN_TERRAIN_VERSION,
                               .shape = trn_terrain_shape_default(),
                               .column_cache_max = TERRAIN_DEFAULT_COLUMNS};
    return def;
}

const char *trn_terrain_def_fault(const TrnTerrainDef *def)
{
    if (!def) {
        return "The def is NULL; start from trn_terrain_def().";
    }
    if (def->version > TRN_TERRAIN_VERSION) {
        return "version is above TRN_TERRAIN_VERSION: a newer library made this land; use that "
               "library, or start a new world.";
    }
    if (def->version < TRN_TERRAIN_VERSION_OLDEST) {
        return "version is below TRN_TERRAIN_VERSION_OLDEST: this library would generate other "
               "voxels than the saved world has; load only what is saved, use the library that "
               "saved it, or start a new world.";
    }
    TrnTerrainShape shape = def->shape;
    for (size_t i = 0; i < TRN_SHAPE_FIELD_COUNT; i++) {
        const TrnShapeField *field = &trn_shape_fields[i];
        const float value = *trn_shape_value(&shape, field);
        if (!(value >= field->min && value <= field->max)) { // also rejects NaN
            return field->fault;
        }
    }
    return def->column_cache_max ? NULL
                                 : "column_cache_max must be 1 or more; 2048 is the default.";
}

// ---- create and destroy ------------------------------------------------------------------------

TrnResult trn_terrain_create(const TrnTerrainDef *def, TrnTerrain **terrain)
{
    const TrnTerrainDef default_def = trn_terrain_def();
    def = def ? def : &default_def;
    if (!terrain || trn_terrain_def_fault(def)) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    TrnAllocator allocator = trn_allocator_or_default(def->allocator);
    TrnTerrain *created = trn_take(&allocator, sizeof *created, alignof(TrnTerrain));
    if (!created) {
        return TRN_RESULT_NO_MEMORY;
    }
    *created = (TrnTerrain){
        .allocator = allocator, .seed = def->seed, .version = def->version, .shape = def->shape};
    TrnResult result = trn_land_compile(created);
    if (result == TRN_RESULT_OK) {
        result = trn_column_cache_create(created, def->column_cache_max);
    }
    if (result == TRN_RESULT_OK) {
        result = trn_coarse_cache_create(created, def->column_cache_max);
    }
    if (result == TRN_RESULT_OK) {
        result = trn_square_cache_create(created, def->column_cache_max);
    }
    if (result == TRN_RESULT_OK) {
        result = trn_river_cache_create(created, def->column_cache_max);
    }
    if (result != TRN_RESULT_OK) {
        trn_terrain_destroy(created);
        return result;
    }
    *terrain = created;
    return TRN_RESULT_OK;
}

void trn_terrain_destroy(TrnTerrain *terrain)
{
    if (!terrain) {
        return;
    }
    trn_column_cache_destroy(terrain);
    trn_coarse_cache_destroy(terrain);
    trn_square_cache_destroy(terrain);
    trn_river_cache_destroy(terrain);
    TrnAllocator allocator = terrain->allocator;
    trn_give(&allocator, terrain, sizeof *terrain);
}

// ---- chunks -------------------------------------------------------------------------------------

/// Whether a chunk is one block in every world.
static bool terrain_is_uniform(TrnCoord coord, uint32_t level, TrnBlock *block)
{
    const int64_t step = (int64_t)1 << level;
    const int64_t bottom = (int64_t)coord.y * TRN_CHUNK_EDGE * step;
    if (bottom > TRN_TERRAIN_HIGHEST + TRN_TREE_HEIGHT_MAX) {
        *block = TRN_BLOCK_AIR;
        return true;
    }
    if (bottom + TRN_CHUNK_EDGE * step <= TRN_TERRAIN_LOWEST) {
        *block = TRN_BLOCK_STONE;
        return true;
    }
    return false;
}

TrnResult trn_terrain_generate(TrnTerrain *terrain, TrnCoord coord, TrnBlock *blocks, bool *uniform)
{
    TRN_ZONE("terrain chunk");
    if (terrain_is_uniform(coord, 0, &blocks[0])) {
        *uniform = true;
        return TRN_RESULT_OK;
    }
    TrnColumn spare;
    const TrnCoord sample = {coord.x, 0, coord.z};
    const TrnColumn *column = trn_column_acquire(terrain, sample, &spare);
    *uniform = trn_volume_generate(terrain, column, coord, blocks);
    trn_column_release(column);
    return TRN_RESULT_OK;
}

TrnResult trn_terrain_generate_level(TrnTerrain *terrain, TrnCoord coord, uint32_t level,
                                     TrnBlock *blocks, bool *uniform)
{
    if (!trn_generator_in_world(coord, level)) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    if (level == 0) {
        return trn_terrain_generate(terrain, coord, blocks, uniform);
    }
    TRN_ZONE("terrain chunk of a level");
    if (terrain_is_uniform(coord, level, &blocks[0])) {
        *uniform = true;
        return TRN_RESULT_OK;
    }
    TrnCoarseBounds bounds;
    if (trn_coarse_find_bounds(terrain, coord, level, &bounds) &&
        trn_coarse_is_uniform(&bounds, coord.y, &blocks[0])) {
        *uniform = true;
        return TRN_RESULT_OK;
    }
    const TrnCoarseColumn *column;
    const TrnResult result = trn_coarse_acquire(terrain, coord, level, &column);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    *uniform = trn_coarse_is_uniform(&column->bounds, coord.y, &blocks[0]) ||
               trn_coarse_write(terrain, column, coord, level, blocks);
    trn_coarse_release(terrain, column);
    return TRN_RESULT_OK;
}

/// The highest chunk that is not all air.
#define TERRAIN_CEILING ((TRN_TERRAIN_HIGHEST + TRN_TREE_HEIGHT_MAX) / TRN_CHUNK_EDGE)

static TrnResult terrain_generate(void *user, TrnCoord coord, uint32_t level, TrnBlock *blocks,
                                  bool *uniform)
{
    return trn_terrain_generate_level(user, coord, level, blocks, uniform);
}

TrnGenerator trn_terrain_generator(TrnTerrain *terrain)
{
    return (TrnGenerator){.generate = terrain_generate,
                          .user = terrain,
                          .level_max = TRN_TERRAIN_LEVEL_MAX,
                          .ceiling = TERRAIN_CEILING,
                          .has_ceiling = true};
}

// ---- samples ------------------------------------------------------------------------------------

/// Reads the sample of a voxel column. Caves that open below sea level are dry.
/// @param height  of the ground, with overhangs and caves
static TrnTerrainSample terrain_sample(const TrnColumn *column, uint32_t i, int64_t height)
{
    const TrnBlock top = trn_cover_blocks[column->covers[i]].top;
    const TrnBlock water = column->plants[i] == TRN_BLOCK_ICE ? TRN_BLOCK_ICE : TRN_BLOCK_WATER;
    const bool is_wet = trn_column_is_wet(column, i);
    const TrnTerrainSample sample = {height, (TrnTerrainBiome)column->biomes[i], top,
                                     is_wet ? water : top, is_wet ? column->waters[i] : height};
    return sample;
}

TrnResult trn_terrain_sample(const TrnTerrain *terrain, int64_t x, int64_t z,
                             TrnTerrainSample *sample)
{
    const TrnVoxel voxel = {x, 0, z};
    if (!trn_voxel_in_world(voxel)) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    TrnColumn spare;
    // The cache is not part of the terrain's value.
    const TrnColumn *column =
        trn_column_acquire((TrnTerrain *)terrain, trn_voxel_chunk(voxel), &spare);
    const uint32_t local = trn_voxel_local_index(voxel);
    *sample = terrain_sample(column, local, trn_volume_height(terrain, column, local));
    trn_column_release(column);
    return TRN_RESULT_OK;
}

TrnResult trn_terrain_sample_level(const TrnTerrain *terrain, int32_t chunk_x, int32_t chunk_z,
                                   uint32_t level, TrnTerrainSample *samples)
{
    const TrnCoord coord = {chunk_x, 0, chunk_z};
    if (!trn_generator_in_world(coord, level)) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    TrnAllocator allocator = terrain->allocator;
    const size_t land_bytes = trn_land_scratch_bytes(level);
    const size_t bytes = land_bytes + trn_coarse_heights_scratch_bytes();
    unsigned char *scratch = trn_take(&allocator, bytes, TRN_CACHE_LINE);
    if (!scratch) {
        return TRN_RESULT_NO_MEMORY;
    }
    TrnColumn column;
    trn_land_generate_column_level(terrain, coord, level, scratch, &column);
    int16_t heights[TRN_LAYER_VOXELS];
    trn_coarse_heights(terrain, level, false, scratch + land_bytes, &column, heights);
    for (uint32_t i = 0; i < TRN_LAYER_VOXELS; i++) {
        samples[i] = terrain_sample(&column, i, heights[i]);
    }
    trn_give(&allocator, scratch, bytes);
    return TRN_RESULT_OK;
}

TrnResult trn_terrain_height(const TrnTerrain *terrain, int64_t x, int64_t z, int64_t *height)
{
    TrnTerrainSample sample;
    const TrnResult result = trn_terrain_sample(terrain, x, z, &sample);
    if (result == TRN_RESULT_OK) {
        *height = sample.height;
    }
    return result;
}
