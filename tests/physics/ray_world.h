/// Small worlds for rays.
#pragma once

#include "testing.h"

#include <float.h>
#include <math.h>

#include <terrane/raycast.h>

#define WORLD_EDGE 5 // chunks
#define TYPES_ADDED 600

enum { WORLD_CHUNKS = WORLD_EDGE * WORLD_EDGE * WORLD_EDGE };
enum { BLOCK_GLASS = TRN_BLOCK_BUILTIN_COUNT, BLOCK_FLOWER, BLOCK_LADDER, BLOCK_MANY };

typedef struct World {
    TrnStore *store;
    TrnBlockTypes *types;
    TrnCoord lowest; ///< chunk; chunks of the box beyond int32 are not loaded
    bool present[WORLD_CHUNKS];
    TrnBlock blocks[WORLD_CHUNKS][TRN_CHUNK_VOXELS];
    uint32_t plants[TRN_BLOCK_BITS_WORDS], liquids[TRN_BLOCK_BITS_WORDS];
    uint32_t air[TRN_BLOCK_BITS_WORDS], solid[TRN_BLOCK_BITS_WORDS]; ///< a copy, another address
} World;

static inline void add_types(World *world)
{
    static const struct {
        const char *name;
        TrnBlockKind kind;
    } named[] = {{"test:glass", TRN_BLOCK_KIND_TRANSPARENT},
                 {"test:flower", TRN_BLOCK_KIND_PLANT},
                 {"test:ladder", TRN_BLOCK_KIND_PLANT}};
    for (uint32_t i = 0; i < TYPES_ADDED; i++) {
        char name[32];
        snprintf(name, sizeof name, "test:many_%u", i);
        const bool is_named = i < 3;
        const TrnBlockKind kind =
            is_named ? named[i].kind : (TrnBlockKind)(i % TRN_BLOCK_KIND_MODEL);
        const TrnBlockType type = trn_block_type_def(is_named ? named[i].name : name, kind);
        TrnBlock id;
        assert_int_equal(trn_block_types_add(world->types, &type, &id), TRN_RESULT_OK);
        assert_int_equal(id, BLOCK_GLASS + i);
    }
}

static inline void make_sets(World *world)
{
    uint32_t count;
    const TrnBlockType *types = trn_block_types_all(world->types, &count);
    for (uint32_t id = 0; id < count; id++) {
        const uint32_t bit = UINT32_C(1) << id % 32;
        world->plants[id / 32] |= types[id].kind == TRN_BLOCK_KIND_PLANT ? bit : 0;
        world->liquids[id / 32] |= types[id].kind == TRN_BLOCK_KIND_LIQUID ? bit : 0;
        world->solid[id / 32] |= types[id].is_solid ? bit : 0;
    }
    world->air[0] = 1;
}

static inline World *world_create(TrnCoord lowest)
{
    World *world = calloc(1, sizeof *world);
    assert_non_null(world);
    assert_int_equal(trn_block_types_create_builtin(NULL, &world->types), TRN_RESULT_OK);
    add_types(world);
    make_sets(world);
    TrnStoreDef def = trn_store_def();
    def.types = world->types;
    assert_int_equal(trn_store_create(&def, &world->store), TRN_RESULT_OK);
    world->lowest = lowest;
    return world;
}

static inline void world_destroy(World *world)
{
    trn_store_destroy(world->store);
    trn_block_types_destroy(world->types);
    free(world);
}

static inline bool world_coord(const World *world, size_t place, TrnCoord *coord)
{
    const int64_t at = (int64_t)place;
    const int64_t x = world->lowest.x + at % WORLD_EDGE,
                  y = world->lowest.y + at / WORLD_EDGE / WORLD_EDGE,
                  z = world->lowest.z + at / WORLD_EDGE % WORLD_EDGE;
    *coord = (TrnCoord){(int32_t)x, (int32_t)y, (int32_t)z};
    return x <= INT32_MAX && y <= INT32_MAX && z <= INT32_MAX;
}

/// Inserts the model's blocks of a chunk into the store.
static inline void world_put(World *world, size_t place)
{
    TrnCoord coord;
    if (!world_coord(world, place, &coord)) {
        return;
    }
    TrnChunk *chunk = trn_store_find(world->store, coord);
    if (!chunk) {
        assert_int_equal(trn_store_insert_uniform(world->store, coord, TRN_BLOCK_AIR, &chunk),
                         TRN_RESULT_OK);
    }
    assert_int_equal(trn_store_set_voxels(world->store, chunk, world->blocks[place]),
                     TRN_RESULT_OK);
    world->present[place] = true;
}

static inline void check_hits(const TrnRayHit *hit, const TrnRayHit *expected)
{
    assert_int_equal(hit->end, expected->end);
    assert_int_equal(hit->voxel.x, expected->voxel.x);
    assert_int_equal(hit->voxel.y, expected->voxel.y);
    assert_int_equal(hit->voxel.z, expected->voxel.z);
    assert_int_equal(hit->face, expected->face);
    assert_int_equal(hit->block, expected->block);
    assert_true(fabs(hit->distance - expected->distance) <= 1e-14 * expected->distance);
}
