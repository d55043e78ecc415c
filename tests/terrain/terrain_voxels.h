/// Shared by tests of terrains: generates chunks and columns of chunks, and tells what a voxel is
/// part of.
#pragma once

#include "testing.h"

#include <terrane/terrain.h>

#include "terrain/land_impl.h"

static inline TrnTerrain *make_terrain(uint64_t seed, uint32_t column_cache_max,
                                       TestAllocator *state)
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

/// Generates a chunk and writes all its blocks, even if it is uniform. @return whether it is
/// uniform
static inline bool generate_whole(TrnTerrain *terrain, TrnCoord coord, TrnBlock *blocks)
{
    bool uniform = false;
    assert_int_equal(trn_terrain_generate(terrain, coord, blocks, &uniform), TRN_RESULT_OK);
    for (int i = 1; uniform && i < TRN_CHUNK_VOXELS; i++) {
        blocks[i] = blocks[0];
    }
    return uniform;
}

static inline uint64_t hash_blocks(uint64_t hash, const TrnBlock *blocks)
{
    for (int i = 0; i < TRN_CHUNK_VOXELS; i += 4) {
        const uint64_t four = (uint64_t)blocks[i] | (uint64_t)blocks[i + 1] << 16 |
                              (uint64_t)blocks[i + 2] << 32 | (uint64_t)blocks[i + 3] << 48;
        hash = (hash ^ four) * 0x100000001B3u;
        hash ^= hash >> 29;
    }
    return hash;
}

/// Hashes the chunks up to one chunk away sideways, and from -3 to 6 upwards.
/// @param count  increased by their number
static inline uint64_t hash_place(TrnTerrain *terrain, int32_t x, int32_t z, int *count)
{
    TrnBlock blocks[TRN_CHUNK_VOXELS]; // not static: several threads call this
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

static inline int64_t height_at(const TrnTerrain *terrain, int64_t x, int64_t z)
{
    int64_t height = INT64_MIN;
    assert_int_equal(trn_terrain_height(terrain, x, z, &height), TRN_RESULT_OK);
    return height;
}

static inline bool blocks_are_all_one(const TrnBlock *blocks)
{
    int i = 1;
    while (i < TRN_CHUNK_VOXELS && blocks[i] == blocks[0]) {
        i++;
    }
    return i == TRN_CHUNK_VOXELS;
}

static inline bool is_grown(TrnBlock block)
{
    return (block >= TRN_BLOCK_OAK_LOG && block <= TRN_BLOCK_REEDS) ||
           (block >= TRN_BLOCK_ASPEN_LOG && block <= TRN_BLOCK_WHITE_FLOWER) ||
           (block >= TRN_BLOCK_RED_CORAL && block <= TRN_BLOCK_VIOLET_CORAL);
}

/// Whether a block is water, frozen or not, or a plant in water.
static inline bool is_water(TrnBlock block)
{
    return block == TRN_BLOCK_WATER || block == TRN_BLOCK_ICE || block == TRN_BLOCK_KELP ||
           block == TRN_BLOCK_SEA_GRASS;
}

static inline bool is_ground(TrnBlock block)
{
    return block != TRN_BLOCK_AIR && !is_water(block) && !is_grown(block);
}

/// The lowest chunk of a tower, and its number of chunks.
enum { TOWER_BOTTOM = -7, TOWER_CHUNKS = 18 };

/// The voxels of a column of chunks, as one array.
typedef struct Tower {
    TrnBlock blocks[(size_t)TOWER_CHUNKS * (size_t)TRN_CHUNK_VOXELS];
} Tower;

static inline void fill_tower(TrnTerrain *terrain, int32_t x, int32_t z, Tower *tower)
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

static inline TrnBlock tower_block(const Tower *tower, int64_t y, size_t place)
{
    return tower
        ->blocks[(size_t)(y - (int64_t)TOWER_BOTTOM * TRN_CHUNK_EDGE) * TRN_LAYER_VOXELS + place];
}

static inline int64_t tower_top(const Tower *tower, size_t place)
{
    int64_t y = (int64_t)(TOWER_BOTTOM + TOWER_CHUNKS) * TRN_CHUNK_EDGE - 1;
    while (!is_ground(tower_block(tower, y, place))) {
        y--;
    }
    return y;
}

/// Checks that a column's surface says water where water is, and its kind. A cave that opens below
/// sea level is dry.
static inline bool surface_is_right(const TrnTerrainSample *place, TrnBlock at_sea)
{
    return place->surface == (is_water(at_sea) ? at_sea : place->top);
}

static inline void check_heights(TrnTerrain *terrain, int32_t x, int32_t z, Tower *tower)
{
    fill_tower(terrain, x, z, tower);
    for (size_t i = 0; i < TRN_LAYER_VOXELS; i += 7) {
        TrnTerrainSample place;
        assert_int_equal(
            trn_terrain_sample(terrain, (int64_t)x * TRN_CHUNK_EDGE + (int64_t)(i % 32),
                               (int64_t)z * TRN_CHUNK_EDGE + (int64_t)(i / 32), &place),
            TRN_RESULT_OK);
        assert_int_equal(place.height, tower_top(tower, i));
        assert_true(place.height >= TRN_TERRAIN_LOWEST && place.height <= TRN_TERRAIN_HIGHEST);
        const int64_t surface =
            place.height < TRN_TERRAIN_SEA_LEVEL ? TRN_TERRAIN_SEA_LEVEL : place.surface_y;
        assert_true(surface_is_right(&place, tower_block(tower, surface, i)));
    }
}

typedef struct Places {
    TrnTerrainSample at[TRN_LAYER_VOXELS];
} Places;

static inline void look_level(const TrnTerrain *terrain, int64_t x, int64_t z, uint32_t level,
                              Places *seen)
{
    assert_int_equal(trn_terrain_sample_level(terrain, (int32_t)x, (int32_t)z, level, seen->at),
                     TRN_RESULT_OK);
}
