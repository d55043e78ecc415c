/// Light of 27 chunks by a breadth-first queue over all of their voxels, with which tests compare
/// every set of kernels.
#pragma once

#include "testing.h"

#include <terrane/light.h>
#include <terrane/store.h>

#include "light/light_internal.h"

#define EDGE ((size_t)3 * TRN_CHUNK_EDGE) // voxels an axis of the 27 chunks
#define VOXELS (EDGE * EDGE * EDGE)

/// 27 chunks, as blocks and in a store.
typedef struct World {
    TrnBlockTypes *types;
    TrnStore *store;
    TrnBlock air, stone, water, leaves, lamp, torch, dark, many;
    TrnBlock medium[16];  ///< by what they dim
    TrnBlock emitter[16]; ///< by the light that they emit, of every kind
    TrnBlock *blocks;     ///< [VOXELS] x fastest, then z, then y
    uint8_t *levels;      ///< [VOXELS] by the queue
    uint32_t *queue;      ///< [VOXELS]
    uint8_t *losses;      ///< [TRN_BLOCK_TYPES_MAX] see lost()
    uint32_t open[9][TRN_CHUNK_EDGE];
} World;

static inline size_t at(uint32_t x, uint32_t y, uint32_t z)
{
    return (y * EDGE + z) * EDGE + x;
}

static inline TrnBlock add(World *world, const char *name, TrnBlockKind kind, uint8_t light,
                           uint8_t dims)
{
    TrnBlockType type = trn_block_type_def(name, kind);
    TrnBlock block;
    type.light = light;
    type.dims = dims;
    assert_int_equal(trn_block_types_add(world->types, &type, &block), TRN_RESULT_OK);
    return block;
}

static inline World world_create(void)
{
    World world = {0};
    assert_int_equal(trn_block_types_create(NULL, &world.types), TRN_RESULT_OK);
    world.stone = add(&world, "t:stone", TRN_BLOCK_KIND_OPAQUE, 0, 7); // dims means nothing
    world.water = add(&world, "t:water", TRN_BLOCK_KIND_LIQUID, 0, 2);
    world.leaves = add(&world, "t:leaves", TRN_BLOCK_KIND_TRANSPARENT, 0, 1);
    world.lamp = add(&world, "t:lamp", TRN_BLOCK_KIND_OPAQUE, 15, 0);
    world.torch = add(&world, "t:torch", TRN_BLOCK_KIND_PLANT, 14, 0);
    world.dark = add(&world, "t:dark", TRN_BLOCK_KIND_TRANSPARENT, 3, 15);
    world.many = (TrnBlock)(world.dark + 1);
    for (int i = 0; i < 400; i++) { // so that a chunk may need 16 bits a voxel
        char name[32];
        (void)snprintf(name, sizeof name, "t:many%d", i);
        (void)add(&world, name, TRN_BLOCK_KIND_TRANSPARENT, (uint8_t)(i % 97 == 0 ? i % 16 : 0),
                  (uint8_t)(i % 5 == 0 ? i % 16 : 0));
    }
    for (uint8_t i = 0; i < 16; i++) {
        const TrnBlockKind kinds[] = {TRN_BLOCK_KIND_PLANT, TRN_BLOCK_KIND_OPAQUE,
                                      TRN_BLOCK_KIND_LIQUID};
        char name[32];
        (void)snprintf(name, sizeof name, "t:medium%d", i);
        world.medium[i] = add(&world, name, TRN_BLOCK_KIND_TRANSPARENT, 0, i);
        (void)snprintf(name, sizeof name, "t:emitter%d", i);
        world.emitter[i] = add(&world, name, kinds[i % 3], i, (uint8_t)(i % 5));
    }
    TrnStoreDef def = trn_store_def();
    def.types = world.types;
    assert_int_equal(trn_store_create(&def, &world.store), TRN_RESULT_OK);
    world.blocks = calloc(VOXELS, sizeof *world.blocks);
    world.levels = calloc(VOXELS, 1);
    world.queue = calloc(VOXELS, sizeof *world.queue);
    world.losses = calloc(TRN_BLOCK_TYPES_MAX, 1);
    assert_true(world.blocks && world.levels && world.queue && world.losses);
    for (uint32_t block = 0; block < TRN_BLOCK_TYPES_MAX;
         block++) { // a table: the queue asks often
        const TrnBlockType *type = trn_block_types_get(world.types, (TrnBlock)block);
        world.losses[block] = type->kind == TRN_BLOCK_KIND_OPAQUE ? 15 : type->dims;
    }
    memset(world.open, 0xFF, sizeof world.open);
    return world;
}

static inline void world_destroy(World *world)
{
    trn_store_destroy(world->store);
    trn_block_types_destroy(world->types);
    free(world->blocks);
    free(world->levels);
    free(world->queue);
    free(world->losses);
}

/// Puts the blocks into the store, and takes snapshots of them.
static inline void world_snapshot(World *world, TrnSnapshot around[TRN_AROUND_COUNT])
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    const TrnCoord centre = {0, 0, 0};
    for (int32_t place = 0; place < TRN_AROUND_COUNT; place++) {
        const TrnCoord coord = {place % 3 - 1, place / 9 - 1, place / 3 % 3 - 1};
        const uint32_t x0 = (uint32_t)(place % 3) * 32, y0 = (uint32_t)(place / 9) * 32,
                       z0 = (uint32_t)(place / 3 % 3) * 32;
        for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
            blocks[i] = world->blocks[at(x0 + i % 32, y0 + i / 1024, z0 + i / 32 % 32)];
        }
        (void)trn_store_remove(world->store, coord);
        assert_int_equal(trn_store_insert_voxels(world->store, coord, blocks, NULL), TRN_RESULT_OK);
    }
    assert_int_equal(trn_store_snapshot_around(world->store, centre, around),
                     (1u << TRN_AROUND_COUNT) - 1);
}

// ---- the queue ---------------------------------------------------------------------------------

/// What light loses in a voxel, in addition to 1; 15: all.
static inline uint32_t lost(const World *world, size_t voxel)
{
    return world->losses[world->blocks[voxel]];
}

static inline size_t queue_visit(World *world, size_t count, size_t from, size_t to)
{
    const uint32_t loss = 1 + lost(world, to);
    if (world->levels[from] > loss && world->levels[to] + loss < world->levels[from]) {
        world->levels[to] = (uint8_t)(world->levels[from] - loss);
        world->queue[count++ % VOXELS] = (uint32_t)to;
    }
    return count;
}

/// Spreads what is in world->levels.
static inline void queue_spread(World *world)
{
    size_t count = 0;
    for (size_t i = 0; i < VOXELS; i++) {
        if (world->levels[i] > 1) {
            world->queue[count++] = (uint32_t)i;
        }
    }
    for (size_t done = 0; done < count; done++) {
        assert_true(count - done <= VOXELS);
        const size_t from = world->queue[done % VOXELS];
        const size_t x = from % EDGE, z = from / EDGE % EDGE, y = from / EDGE / EDGE;
        count = x > 0 ? queue_visit(world, count, from, from - 1) : count;
        count = x < EDGE - 1 ? queue_visit(world, count, from, from + 1) : count;
        count = z > 0 ? queue_visit(world, count, from, from - EDGE) : count;
        count = z < EDGE - 1 ? queue_visit(world, count, from, from + EDGE) : count;
        count = y > 0 ? queue_visit(world, count, from, from - EDGE * EDGE) : count;
        count = y < EDGE - 1 ? queue_visit(world, count, from, from + EDGE * EDGE) : count;
    }
}

static inline bool is_open_above(const World *world, uint32_t x, uint32_t z)
{
    return world->open[x / 32 + 3 * (z / 32)][z % 32] >> x % 32 & 1;
}

static inline void queue_sky(World *world)
{
    memset(world->levels, 0, VOXELS);
    for (uint32_t z = 0; z < EDGE; z++) {
        for (uint32_t x = 0; x < EDGE; x++) {
            for (uint32_t y = EDGE; is_open_above(world, x, z) && y > 0; y--) {
                if (lost(world, at(x, y - 1, z)) > 0) {
                    break;
                }
                world->levels[at(x, y - 1, z)] = 15;
            }
        }
    }
    queue_spread(world);
}

static inline void queue_blocks(World *world)
{
    for (size_t i = 0; i < VOXELS; i++) {
        world->levels[i] = trn_block_types_get(world->types, world->blocks[i])->light;
    }
    queue_spread(world);
}

// ---- comparing ---------------------------------------------------------------------------------

static inline void assert_light(const World *world, const TrnLight *light)
{
    uint32_t low = 15, high = 0;
    for (int32_t y = -1; y <= 32; y++) {
        for (int32_t z = -1; z <= 32; z++) {
            for (int32_t x = -1; x <= 32; x++) {
                const uint32_t expected =
                    world->levels[at((uint32_t)(x + 32), (uint32_t)(y + 32), (uint32_t)(z + 32))];
                if (trn_light_level(light, x, y, z) != expected) {
                    fail_msg("%d %d %d: %u instead of %u", x, y, z, trn_light_level(light, x, y, z),
                             expected);
                }
                low = expected < low ? expected : low;
                high = expected > high ? expected : high;
            }
        }
    }
    assert_int_equal(light->constant, low == high ? low : TRN_LIGHT_VARIES);
}

/// Compares one light of the world with the queue's, by each set of kernels.
/// @param open_sky  as trn_light_sky; read if of_sky
static inline void assert_channel(World *world, TrnLightSolver *solver, const TrnSnapshot *around,
                                  bool of_sky, const uint32_t *const *open_sky)
{
    static const char *const sets[] = {"AVX-512", "AVX2", "NEON", "SIMD128", "scalar"};
    static TrnLight light;
    (of_sky ? queue_sky : queue_blocks)(world);
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        if (!trn_light_use_kernels(solver, sets[i])) {
            assert_string_not_equal(sets[i], "scalar"); // it runs everywhere
            continue;
        }
        trn_light_read(solver, around, world->types);
        for (int order = 0; order < 2; order++) { // after the other, and again
            trn_light_blocks(solver, NULL, &light);
            if (of_sky) {
                trn_light_sky(solver, open_sky, &light);
            }
            assert_light(world, &light);
        }
    }
}

/// Solves the world. @param has_sky  false: all is open above
static inline void assert_solved(World *world, TrnLightSolver *solver, bool has_sky)
{
    const uint32_t *open_sky[9];
    TrnSnapshot around[TRN_AROUND_COUNT];
    world_snapshot(world, around);
    if (!has_sky) {
        memset(world->open, 0xFF, sizeof world->open);
    }
    for (size_t i = 0; i < 9; i++) {
        open_sky[i] = world->open[i];
    }
    assert_channel(world, solver, around, true, has_sky ? open_sky : NULL);
    assert_channel(world, solver, around, false, NULL);
}
