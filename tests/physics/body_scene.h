/// Shared by tests of movement: flat ground, single blocks, and random patterns of blocks.
#pragma once

#include "position.h"

#include <math.h>

#define PATTERN_EDGE 64
#define PATTERN_VOXELS (PATTERN_EDGE * PATTERN_EDGE * PATTERN_EDGE)
#define GRID 0x1p-40

// ---- scenes -------------------------------------------------------------------------------------

typedef struct Scene {
    TrnStore *store;
    TestAllocator memory;
    TrnBlock ladder;
} Scene;

static inline void scene_begin(Scene *scene)
{
    memset(scene, 0, sizeof *scene);
    const TrnAllocator allocator = test_allocator(&scene->memory);
    TrnStoreDef def = trn_store_def();
    def.allocator = &allocator;
    assert_int_equal(trn_store_create(&def, &scene->store), TRN_RESULT_OK);
    TrnBlockType ladder = trn_block_type_def("test:ladder", TRN_BLOCK_KIND_TRANSPARENT);
    ladder.is_solid = false;
    ladder.is_climbable = true;
    assert_int_equal(
        trn_block_types_add(trn_store_block_types(scene->store), &ladder, &scene->ladder),
        TRN_RESULT_OK);
}

static inline void scene_end(Scene *scene)
{
    trn_store_destroy(scene->store);
    assert_int_equal(scene->memory.live_blocks, 0);
}

/// Fills a chunk with one block.
static inline void scene_fill(Scene *scene, TrnCoord coord, TrnBlock block)
{
    TrnChunk *chunk = trn_store_find(scene->store, coord);
    if (!chunk) {
        assert_int_equal(trn_store_insert_uniform(scene->store, coord, TRN_BLOCK_AIR, &chunk),
                         TRN_RESULT_OK);
    }
    trn_store_fill(scene->store, chunk, block);
}

static inline void scene_put(Scene *scene, TrnVoxel voxel, TrnBlock block)
{
    if (!trn_store_find(scene->store, trn_voxel_chunk(voxel))) {
        scene_fill(scene, trn_voxel_chunk(voxel), TRN_BLOCK_AIR);
    }
    assert_int_equal(trn_store_set_block(scene->store, voxel, block, NULL), TRN_RESULT_OK);
}

static inline void scene_box(Scene *scene, TrnVoxel min, TrnVoxel max, TrnBlock block)
{
    TrnVoxel at;
    for (at.y = min.y; at.y <= max.y; at.y++) {
        for (at.z = min.z; at.z <= max.z; at.z++) {
            for (at.x = min.x; at.x <= max.x; at.x++) {
                scene_put(scene, at, block);
            }
        }
    }
}

static inline TrnVoxel voxel_of(int64_t x, int64_t y, int64_t z)
{
    const TrnVoxel voxel = {x, y, z};
    return voxel;
}

/// The chunks around the origin, with stone below y 0 and air above.
static inline void scene_flat(Scene *scene, int32_t radius)
{
    TrnCoord coord;
    for (coord.y = -1; coord.y <= 1; coord.y++) {
        for (coord.z = -radius; coord.z < radius; coord.z++) {
            for (coord.x = -radius; coord.x < radius; coord.x++) {
                const TrnBlock block = (TrnBlock)(coord.y < 0 ? TRN_BLOCK_STONE : TRN_BLOCK_AIR);
                scene_fill(scene, coord, block);
            }
        }
    }
}

/// Returns the position at an offset in voxels from a corner.
static inline TrnPosition position_from(TrnVoxel corner, const double by[3])
{
    const TrnCoord chunk = trn_voxel_chunk(corner);
    const TrnPosition position = {
        chunk, {(double)(corner.x & 31), (double)(corner.y & 31), (double)(corner.z & 31)}};
    return trn_position_add(position, by);
}

/// Returns the vector from a corner to a position.
static inline void from_corner(TrnVoxel corner, TrnPosition position, double out[3])
{
    trn_position_difference(position, position_from(corner, (double[3]){0, 0, 0}), out);
}

/// Returns the face of a box in one direction of an axis.
static inline TrnFace face_of(int axis, bool is_positive)
{
    return (TrnFace)(2 * axis + is_positive);
}

static inline bool is_free(const Scene *scene, TrnPosition bottom, const double size[3])
{
    TrnOverlap overlap;
    assert_int_equal(trn_store_overlap(scene->store, bottom, size, &overlap), TRN_RESULT_OK);
    return !overlap.solid && !overlap.unloaded;
}

// ---- patterns -----------------------------------------------------------------------------------

/// 64 x 64 x 64 voxels, which a test places anywhere. Chunks outside it are not loaded.
typedef struct Pattern {
    TrnBlock blocks[PATTERN_VOXELS];
    bool unloaded[8]; ///< chunks that are never inserted: x fastest, then z, then y
} Pattern;

static inline uint32_t pattern_index(int64_t x, int64_t y, int64_t z)
{
    return (uint32_t)(x + PATTERN_EDGE * (z + PATTERN_EDGE * y));
}

static inline bool is_in_pattern(int64_t x, int64_t y, int64_t z)
{
    return x >= 0 && x < PATTERN_EDGE && y >= 0 && y < PATTERN_EDGE && z >= 0 && z < PATTERN_EDGE;
}

/// Fills a pattern: some blocks in the air, or stairs and posts on the ground.
static inline void pattern_make(Pattern *pattern, TestRandom *random, TrnBlock ladder,
                                bool may_be_unloaded)
{
    const bool is_land = test_random_next(random) % 2;
    const int64_t layer = (int64_t)PATTERN_EDGE * PATTERN_EDGE;
    const uint64_t density = 1 + test_random_next(random) % 24; // of 128
    uint8_t heights[PATTERN_EDGE * PATTERN_EDGE];
    for (int i = 0; i < PATTERN_EDGE * PATTERN_EDGE; i++) {
        const int64_t near = i > 0 ? heights[i - 1] : 30;
        heights[i] = (uint8_t)(near + test_random_range(random, near > 24 ? -1 : 1, near < 40));
    }
    for (int64_t y = 0; y < PATTERN_EDGE; y++) {
        for (int64_t i = 0; i < layer; i++) {
            const uint64_t roll = test_random_next(random) % 128;
            TrnBlock block = TRN_BLOCK_AIR;
            block = roll < density ? TRN_BLOCK_STONE : block;
            const TrnBlock water =
                (TrnBlock)(i % 9 ? TRN_BLOCK_WATER_FLOW + i % 9 - 1 : TRN_BLOCK_WATER);
            block = roll == 126 ? water : roll == 127 ? ladder : block;
            if (is_land) {
                block = y < heights[i] ? TRN_BLOCK_STONE : roll > 2 ? TRN_BLOCK_AIR : block;
            }
            pattern->blocks[y * layer + i] = block;
        }
    }
    for (int i = 0; i < 8; i++) {
        pattern->unloaded[i] = may_be_unloaded && test_random_next(random) % 8 == 0;
        // Uniform chunks have no masks, so they are a separate case.
        const uint64_t kind = test_random_next(random) % 12;
        for (int j = 0; j < TRN_CHUNK_VOXELS && kind < 2; j++) {
            const int64_t x = (j & 31) + (i & 1) * 32, z = (j >> 5 & 31) + (i >> 1 & 1) * 32;
            pattern->blocks[pattern_index(x, (j >> 10) + (i >> 2) * 32, z)] =
                kind ? TRN_BLOCK_STONE : TRN_BLOCK_AIR;
        }
    }
}

static inline TrnBlock pattern_block(const Pattern *pattern, TrnVoxel corner, TrnVoxel voxel)
{
    const int64_t x = voxel.x - corner.x, y = voxel.y - corner.y, z = voxel.z - corner.z;
    return is_in_pattern(x, y, z) ? pattern->blocks[pattern_index(x, y, z)] : TRN_BLOCK_STONE;
}

static inline void pattern_put_chunk(const Pattern *pattern, Scene *scene, TrnVoxel corner,
                                     TrnCoord coord)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    const TrnVoxel low = trn_coord_voxel(coord);
    for (int32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        const TrnVoxel voxel = {low.x + (i & 31), low.y + (i >> 10), low.z + (i >> 5 & 31)};
        blocks[i] = pattern_block(pattern, corner, voxel);
    }
    TrnChunk *chunk;
    assert_int_equal(trn_store_insert_uniform(scene->store, coord, TRN_BLOCK_AIR, &chunk),
                     TRN_RESULT_OK);
    assert_int_equal(trn_store_set_voxels(scene->store, chunk, blocks), TRN_RESULT_OK);
}

/// Inserts the chunks that a pattern overlaps.
static inline void pattern_put(const Pattern *pattern, Scene *scene, TrnVoxel corner)
{
    const TrnCoord first = trn_voxel_chunk(corner);
    const TrnCoord last = trn_voxel_chunk(voxel_of(corner.x + 63, corner.y + 63, corner.z + 63));
    for (int32_t y = 0; y <= last.y - first.y; y++) {
        for (int32_t z = 0; z <= last.z - first.z; z++) {
            for (int32_t x = 0; x <= last.x - first.x; x++) {
                const TrnCoord coord = trn_coord_add(first, x, y, z);
                const bool is_aligned = x < 2 && y < 2 && z < 2;
                if (is_aligned && pattern->unloaded[x | z << 1 | y << 2]) {
                    continue;
                }
                pattern_put_chunk(pattern, scene, corner, coord);
            }
        }
    }
}

/// A pattern, placed in its own scene.
typedef struct PatternScene {
    Scene scene;
    Pattern pattern;
} PatternScene;

static inline void pattern_scene_begin(PatternScene *made, TestRandom *random, bool may_be_unloaded)
{
    scene_begin(&made->scene);
    pattern_make(&made->pattern, random, made->scene.ladder, may_be_unloaded);
    pattern_put(&made->pattern, &made->scene, voxel_of(0, 0, 0));
}

static inline void pattern_mirror(const Pattern *from, Pattern *to, const bool flip[3])
{
    for (int64_t y = 0; y < PATTERN_EDGE; y++) {
        for (int64_t z = 0; z < PATTERN_EDGE; z++) {
            for (int64_t x = 0; x < PATTERN_EDGE; x++) {
                to->blocks[pattern_index(flip[0] ? 63 - x : x, flip[1] ? 63 - y : y,
                                         flip[2] ? 63 - z : z)] =
                    from->blocks[pattern_index(x, y, z)];
            }
        }
    }
    memset(to->unloaded, 0, sizeof to->unloaded);
}

// ---- bad input ----------------------------------------------------------------------------------

static const double BAD_NUMBERS[] = {NAN, INFINITY, -INFINITY, -1, 1e300};
#define BAD_COUNT (sizeof BAD_NUMBERS / sizeof *BAD_NUMBERS)
