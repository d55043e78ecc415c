// The same seed, edits and meshes on every machine: generates 245 chunks of the default land, edits
// and meshes them, and prints a hash of each step. Exits with 1 if the last one is not WORLD_HASH.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <terrane/batch.h>
#include <terrane/mesher.h>
#include <terrane/terrain.h>

/// What every machine must print. Changes with TRN_TERRAIN_VERSION, and with the mesher's order.
#define WORLD_HASH UINT64_C(0x1468C3D6C9702D50)

/// 7 x 5 x 7 chunks: caves, ground with sea and trees, and sky.
static const TrnBox the_box = {{-3, -2, -3}, {3, 2, 3}};

typedef struct World {
    TrnTerrain *terrain;
    TrnStore *store;
    TrnBlock *blocks; // [TRN_CHUNK_VOXELS], of one chunk
    void *scratch;    // the mesher's
    TrnMesh mesh;
    uint64_t hash;
    size_t quads;
} World;

/// What a step does with each chunk of the box.
typedef TrnResult (*ChunkStep)(World *world, TrnCoord coord);

static void hash_number(World *world, uint64_t number)
{
    world->hash = (world->hash ^ number) * UINT64_C(0x9E3779B97F4A7C15);
    world->hash ^= world->hash >> 32;
}

static TrnResult for_each_chunk(World *world, ChunkStep step)
{
    TrnResult result = TRN_RESULT_OK;
    TrnCoord at;
    for (at.y = the_box.min.y; at.y <= the_box.max.y; at.y++) {
        for (at.z = the_box.min.z; at.z <= the_box.max.z; at.z++) {
            for (at.x = the_box.min.x; at.x <= the_box.max.x && result == TRN_RESULT_OK; at.x++) {
                result = step(world, at);
            }
        }
    }
    return result;
}

// ---- steps -------------------------------------------------------------------------------------

static TrnResult generate(World *world, TrnCoord coord)
{
    bool uniform;
    const TrnResult result = trn_terrain_generate(world->terrain, coord, world->blocks, &uniform);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    return uniform ? trn_store_insert_uniform(world->store, coord, world->blocks[0], NULL)
                   : trn_store_insert_voxels(world->store, coord, world->blocks, NULL);
}

static TrnResult hash_blocks(World *world, TrnCoord coord)
{
    TrnSnapshot snapshot;
    const TrnResult result = trn_store_snapshot(world->store, coord, &snapshot);
    if (result == TRN_RESULT_OK) {
        trn_snapshot_decode(snapshot, world->blocks);
        for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
            hash_number(world, world->blocks[i]);
        }
    }
    return result;
}

/// Digs balls where chunks meet, builds a wall through them, and scatters single blocks.
static TrnResult edit(World *world)
{
    TrnBatch *batch;
    const TrnResult result = trn_batch_begin(world->store, NULL, &batch);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    for (int64_t i = -2; i <= 2; i++) {
        const TrnVoxel centre = {32 * i, 7 * i, -32 * i};
        trn_batch_fill_sphere(batch, centre, 9.5 + (double)i, TRN_BLOCK_AIR);
    }
    const TrnVoxel wall_min = {-70, -12, 3}, wall_max = {70, 30, 4};
    trn_batch_fill_box(batch, wall_min, wall_max, TRN_BLOCK_STONE);
    for (int64_t i = 0; i < 500; i++) {
        const TrnVoxel at = {i * 37 % 200 - 100, i * 11 % 90 - 45, i * 53 % 200 - 100};
        trn_batch_set(batch, at, (TrnBlock)(i % 5 + 1));
    }
    return trn_batch_commit(batch, NULL); // reports failures of the calls above
}

static TrnResult mesh(World *world, TrnCoord coord)
{
    TrnMeshInput input = trn_mesh_input(world->store, coord);
    input.missing_is_solid = false;
    const TrnResult result = trn_mesh_build(&world->mesh, &input, world->scratch);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    for (size_t group = 0; group <= TRN_MESH_GROUP_COUNT; group++) {
        hash_number(world, world->mesh.info.first[group]);
    }
    const size_t count = trn_mesh_count(&world->mesh.info);
    for (size_t i = 0; i < count; i++) {
        hash_number(world, world->mesh.quads[i]);
    }
    world->quads += count;
    return result;
}

// ---- the world ---------------------------------------------------------------------------------

static TrnResult begin(World *world)
{
    TrnTerrainDef def = trn_terrain_def();
    def.seed = 23;
    trn_mesh_init(&world->mesh, NULL);
    world->blocks = malloc(sizeof(TrnBlock[TRN_CHUNK_VOXELS]));
    world->scratch = trn_aligned_alloc(TRN_MESH_SCRATCH_BYTES, 64);
    if (!world->blocks || !world->scratch) {
        return TRN_RESULT_NO_MEMORY;
    }
    const TrnResult result = trn_terrain_create(&def, &world->terrain);
    return result == TRN_RESULT_OK ? trn_store_create(NULL, &world->store) : result;
}

static TrnResult run(World *world)
{
    TrnResult result = begin(world);
    result = result == TRN_RESULT_OK ? for_each_chunk(world, generate) : result;
    result = result == TRN_RESULT_OK ? for_each_chunk(world, hash_blocks) : result;
    printf("land   0x%016" PRIX64 "\n", world->hash);
    result = result == TRN_RESULT_OK ? edit(world) : result;
    result = result == TRN_RESULT_OK ? for_each_chunk(world, hash_blocks) : result;
    printf("edits  0x%016" PRIX64 "\n", world->hash);
    result = result == TRN_RESULT_OK ? for_each_chunk(world, mesh) : result;
    printf("world  0x%016" PRIX64 " with %zu quads\n", world->hash, world->quads);
    return result;
}

static void end(World *world)
{
    trn_mesh_free(&world->mesh);
    trn_aligned_free(world->scratch);
    free(world->blocks);
    trn_store_destroy(world->store);
    trn_terrain_destroy(world->terrain);
}

int main(void)
{
    World world = {.hash = 0};
    const TrnResult result = run(&world);
    end(&world);
    if (result != TRN_RESULT_OK) {
        printf("No world: %s\n", trn_result_text(result));
        return 1;
    }
    if (world.hash != WORLD_HASH) {
        printf("This is another world than 0x%016" PRIX64 ".\n", WORLD_HASH);
        return 1;
    }
    return 0;
}
