// Water that flows, grass that spreads and wheat that grows: a spring above a field, a dam that
// breaks, and what a game calls each step.
#include <stdio.h>
#include <string.h>

#include <terrane/fluid.h>
#include <terrane/ticks.h>

enum { CHUNKS = 18 };

typedef struct World {
    TrnBlockTypes *types;
    TrnStore *store;
    TrnFluid *fluid;
    TrnTicks *ticks;
    TrnBlock stone, dirt, grass, seed, wheat, water;
} World;

static const char blocks_text[] = "[game:stone]\n"
                                  "kind = opaque\n"
                                  "[game:dirt]\n"
                                  "kind = opaque\n"
                                  "[game:grass]\n"
                                  "kind = opaque\n"
                                  "ticks = yes\n"
                                  "[game:seed]\n"
                                  "kind = plant\n"
                                  "ticks = yes\n"
                                  "[game:wheat]\n"
                                  "kind = plant\n";

// ---- what ticks do -----------------------------------------------------------------------------

static TrnResult grow(void *user, TrnBatch *batch, const TrnTick *tick)
{
    const World *world = user;
    if (tick->block == world->seed) {
        return trn_batch_set(batch, tick->voxel, world->wheat);
    }
    TrnVoxel to = tick->voxel; // of grass: to one of the four sides
    *(tick->random & 1 ? &to.x : &to.z) += tick->random & 2 ? 1 : -1;
    TrnBlock soil = TRN_BLOCK_AIR, above = world->stone;
    (void)trn_batch_get(batch, to, &soil); // fails where no chunk is loaded: nothing grows
    (void)trn_batch_get(batch, (TrnVoxel){to.x, to.y + 1, to.z}, &above);
    const bool is_free = soil == world->dirt && above == TRN_BLOCK_AIR;
    return is_free ? trn_batch_set(batch, to, world->grass) : TRN_RESULT_OK;
}

// ---- a world -----------------------------------------------------------------------------------

static TrnResult make_types(World *world)
{
    const struct {
        const char *name;
        TrnBlock *id;
    } names[] = {{"game:stone", &world->stone},
                 {"game:dirt", &world->dirt},
                 {"game:grass", &world->grass},
                 {"game:seed", &world->seed},
                 {"game:wheat", &world->wheat}};
    TrnBlockTypesProblem problem = {0};
    TrnResult result = trn_block_types_create(NULL, &world->types);
    if (result == TRN_RESULT_OK) {
        result = trn_block_types_load(world->types, blocks_text, strlen(blocks_text), &problem);
    }
    for (size_t i = 0; i < sizeof names / sizeof *names && result == TRN_RESULT_OK; i++) {
        result = trn_block_types_find(world->types, names[i].name, names[i].id);
    }
    // Types can be defined in code, too: the source of a liquid, its seven flows and its falls.
    const TrnBlockType water = trn_block_type_def("game:water", TRN_BLOCK_KIND_LIQUID);
    return result == TRN_RESULT_OK
               ? trn_block_types_add_family(world->types, &water, 9, &world->water)
               : result;
}

/// A chunk of the world, 3 x 2 x 3 around the origin. @param i  0..CHUNKS - 1
static TrnCoord chunk_at(int32_t i)
{
    return (TrnCoord){i % 3 - 1, i / 9, i / 3 % 3 - 1};
}

static TrnResult make_fluid(World *world)
{
    TrnFluidLiquid water;
    TrnResult result = trn_fluid_liquid(world->types, world->water, &water);
    if (result == TRN_RESULT_OK) {
        TrnFluidDef def = trn_fluid_def();
        def.liquids = &water;
        def.liquid_count = 1;
        result = trn_fluid_create(world->store, &def, &world->fluid);
    }
    // What was there before the fluid flows only if it is woken, such as a lake in mid-air.
    for (int32_t i = 0; i < CHUNKS && result == TRN_RESULT_OK; i++) {
        result = trn_fluid_wake(world->fluid, chunk_at(i));
    }
    return result;
}

static TrnResult make_ticks(World *world)
{
    TrnTicksDef def = trn_ticks_def();
    def.tick = grow;
    def.user = world;
    def.per_chunk = 32; // ten times as fast as usual, to see something
    return trn_ticks_create(world->store, &def, &world->ticks);
}

static TrnResult make_world(World *world)
{
    TrnResult result = make_types(world);
    TrnStoreDef def = trn_store_def();
    def.types = world->types;
    result = result == TRN_RESULT_OK ? trn_store_create(&def, &world->store) : result;
    for (int32_t i = 0; i < CHUNKS && result == TRN_RESULT_OK; i++) {
        result = trn_store_insert_uniform(world->store, chunk_at(i), TRN_BLOCK_AIR, NULL);
    }
    result = result == TRN_RESULT_OK ? make_fluid(world) : result;
    return result == TRN_RESULT_OK ? make_ticks(world) : result;
}

/// A field of dirt with a little grass and seeds; a basin of water on stone above it.
static TrnResult build(const World *world)
{
    TrnBatch *batch;
    const TrnResult result = trn_batch_begin(world->store, NULL, &batch);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    trn_batch_fill_box(batch, (TrnVoxel){-32, 0, -32}, (TrnVoxel){63, 0, 63}, world->dirt);
    trn_batch_fill_box(batch, (TrnVoxel){0, 0, 0}, (TrnVoxel){3, 0, 3}, world->grass);
    trn_batch_fill_box(batch, (TrnVoxel){10, 1, 0}, (TrnVoxel){20, 1, 3}, world->seed);
    trn_batch_fill_box(batch, (TrnVoxel){0, 1, 20}, (TrnVoxel){8, 4, 28}, world->stone);
    trn_batch_fill_box(batch, (TrnVoxel){1, 3, 21}, (TrnVoxel){7, 4, 27}, world->water);
    return trn_batch_commit(batch, NULL);
}

static void end_world(const World *world)
{
    trn_ticks_destroy(world->ticks);
    trn_fluid_destroy(world->fluid);
    trn_store_destroy(world->store);
    trn_block_types_destroy(world->types);
}

// ---- play --------------------------------------------------------------------------------------

/// One step of the game, of which twenty a second are usual.
static TrnResult step(const World *world, uint64_t number)
{
    const TrnCoord player = {0, 0, 0};
    // Here a game updates its stream, and its players edit.
    const TrnResult result = trn_fluid_step(world->fluid, NULL);
    return result == TRN_RESULT_OK ? trn_ticks_step(world->ticks, number, &player, 1, NULL)
                                   : result;
}

static uint32_t count(const World *world, TrnBlock block)
{
    TrnChunk *chunks[CHUNKS];
    const TrnBox box = {{-1, 0, -1}, {1, 1, 1}};
    const size_t found = trn_store_gather(world->store, box, chunks, CHUNKS);
    uint32_t sum = 0;
    for (size_t i = 0; i < found; i++) {
        sum += trn_snapshot_count(trn_voxels_snapshot(&chunks[i]->voxels), block);
    }
    return sum;
}

/// Leaves the world for long: the fluid need not remember what waits at its borders.
static TrnResult leave(const World *world)
{
    TrnResult result = TRN_RESULT_OK;
    for (int32_t i = 0; i < CHUNKS && result == TRN_RESULT_OK; i++) {
        result = trn_store_remove(world->store, chunk_at(i));
    }
    for (int32_t i = 0; i < CHUNKS && result == TRN_RESULT_OK; i++) {
        trn_fluid_drop(world->fluid, chunk_at(i)); // looked at when it is loaded again
    }
    return result;
}

static TrnResult play(const World *world)
{
    TrnResult result = build(world);
    for (uint64_t number = 0; number < 6000 && result == TRN_RESULT_OK; number++) {
        if (number == 2000) { // the dam breaks
            result = trn_store_set_block(world->store, (TrnVoxel){8, 3, 24}, TRN_BLOCK_AIR, NULL);
        }
        result = result == TRN_RESULT_OK ? step(world, number) : result;
        if (number % 2000 == 1999 && result == TRN_RESULT_OK) {
            printf("%u grass, %u wheat, %u voxels flowed\n", count(world, world->grass),
                   count(world, world->wheat),
                   (unsigned)trn_fluid_stats(world->fluid).changed_voxels);
        }
    }
    return result == TRN_RESULT_OK ? leave(world) : result;
}

int main(void)
{
    World world = {0};
    TrnResult result = make_world(&world);
    result = result == TRN_RESULT_OK ? play(&world) : result;
    if (result != TRN_RESULT_OK) {
        printf("No world: %s\n", trn_result_text(result));
    }
    end_world(&world);
    return result != TRN_RESULT_OK;
}
