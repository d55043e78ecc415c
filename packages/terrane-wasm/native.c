// The work of test/world.mjs, natively: prints the hashes of the land and of its meshes, and, with
// the argument "bench", the CPU times for bench.mjs. Exits with 1 if the hashes are others than the
// ones that test/terrane.test.mjs expects of WebAssembly.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <terrane/mesher.h>
#include <terrane/store.h>
#include <terrane/terrain.h>

#define LAND_HASH UINT32_C(0xD915A822)
#define MESH_HASH UINT32_C(0x3989C254)
#define CHUNKS 245
#define ROUNDS 9

typedef struct World {
    TrnTerrain *terrain;
    TrnStore *store;
    TrnBlock *blocks; // [TRN_CHUNK_VOXELS]
    void *scratch;    // the mesher's
    TrnMesh mesh;
} World;

static void demand(bool is_ok, const char *what)
{
    if (!is_ok) {
        fprintf(stderr, "native: %s failed.\n", what);
        exit(1);
    }
}

static TrnCoord world_coord(int i)
{
    return (TrnCoord){i % 7 - 3, i / 49 - 2, i / 7 % 7 - 3};
}

static uint32_t hash_add(uint32_t hash, uint32_t number)
{
    hash = (hash ^ number) * UINT32_C(0x9E3779B1);
    return hash ^ hash >> 15;
}

static TrnTerrain *terrain_create(void)
{
    TrnTerrain *terrain;
    TrnTerrainDef def = trn_terrain_def();
    def.seed = 23;
    demand(trn_terrain_create(&def, &terrain) == TRN_RESULT_OK, "creating the terrain");
    return terrain;
}

static void generate(World *world, TrnCoord coord)
{
    bool uniform;
    demand(trn_terrain_generate(world->terrain, coord, world->blocks, &uniform) == TRN_RESULT_OK,
           "generating");
    for (size_t i = 1; uniform && i < (size_t)TRN_CHUNK_VOXELS; i++) {
        world->blocks[i] = world->blocks[0]; // as bridge.c does
    }
}

static void mesh(World *world, TrnCoord coord)
{
    const TrnMeshInput input = trn_mesh_input(world->store, coord);
    demand(trn_mesh_build(&world->mesh, &input, world->scratch) == TRN_RESULT_OK, "meshing");
}

static uint32_t hash_land(World *world)
{
    uint32_t hash = 0;
    for (int i = 0; i < CHUNKS; i++) {
        generate(world, world_coord(i));
        for (size_t v = 0; v < (size_t)TRN_CHUNK_VOXELS; v++) {
            hash = hash_add(hash, world->blocks[v]);
        }
        demand(trn_store_insert_voxels(world->store, world_coord(i), world->blocks, NULL) ==
                   TRN_RESULT_OK,
               "inserting");
    }
    return hash;
}

static uint32_t hash_meshes(World *world)
{
    uint32_t hash = 0;
    for (int i = 0; i < CHUNKS; i++) {
        mesh(world, world_coord(i));
        for (size_t group = 0; group <= TRN_MESH_GROUP_COUNT; group++) {
            hash = hash_add(hash, world->mesh.info.first[group]);
        }
        for (uint32_t q = 0; q < trn_mesh_count(&world->mesh.info); q++) {
            hash = hash_add(hash, (uint32_t)world->mesh.quads[q]);
            hash = hash_add(hash, (uint32_t)(world->mesh.quads[q] >> 32));
        }
    }
    return hash;
}

static double now_us(void)
{
    return (double)clock() * (1e6 / CLOCKS_PER_SEC);
}

/// The fastest of some rounds, in us a chunk. @param fresh  each round has a new terrain
static double time_of(World *world, void (*work)(World *, TrnCoord), bool fresh)
{
    double best = 0;
    for (int round = 0; round < ROUNDS; round++) {
        if (fresh) {
            trn_terrain_destroy(world->terrain);
            world->terrain = terrain_create();
        }
        const double began = now_us();
        for (int i = 0; i < CHUNKS; i++) {
            work(world, world_coord(i));
        }
        const double one = (now_us() - began) / CHUNKS;
        best = round == 0 || one < best ? one : best;
    }
    return best;
}

int main(int argc, char **argv)
{
    World world = {.terrain = terrain_create()};
    world.blocks = malloc(sizeof(TrnBlock[TRN_CHUNK_VOXELS]));
    world.scratch = trn_aligned_alloc(TRN_MESH_SCRATCH_BYTES, 64);
    trn_mesh_init(&world.mesh, NULL);
    demand(world.blocks && world.scratch && trn_store_create(NULL, &world.store) == TRN_RESULT_OK,
           "creating the store");
    const uint32_t land = hash_land(&world), meshes = hash_meshes(&world);
    printf("land   0x%08" PRIX32 "\nmeshes 0x%08" PRIX32 "\n", land, meshes);
    if (argc > 1 && strcmp(argv[1], "bench") == 0) {
        printf("new columns %.1f\nchunk %.1f\n", time_of(&world, generate, true),
               time_of(&world, generate, false));
        printf("mesh %.1f\n", time_of(&world, mesh, false));
    }
    trn_mesh_free(&world.mesh);
    trn_aligned_free(world.scratch);
    free(world.blocks);
    trn_store_destroy(world.store);
    trn_terrain_destroy(world.terrain);
    return land == LAND_HASH && meshes == MESH_HASH ? 0 : 1;
}
